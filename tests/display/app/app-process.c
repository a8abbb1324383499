/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app-process.h"

#include <stdlib.h>
#include <string.h>

#include "app/cyc-application.h"
#include "support/test-service.h"

#define ACCESSIBLE "org.a11y.atspi.Accessible"
#define ACTION "org.a11y.atspi.Action"
#define EDITABLE_TEXT "org.a11y.atspi.EditableText"
#define VALUE "org.a11y.atspi.Value"

struct _AppProcess
{
  GSubprocess     *process;
  GDBusConnection *bus;
  GDBusConnection *a11y; /* the bus for accessibility */
  char            *workspace;
  char            *id; /* on the bus */
};

/**
 * app_process_new:
 * @workspace: folder of a workspace
 *
 * Returns: (transfer full): the program for it, which is not running
 */
AppProcess *
app_process_new (const char *workspace)
{
  AppProcess *self = g_new0 (AppProcess, 1);
  g_autoptr (GError) error = NULL;
  const char *address;

  self->bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GVariant) answer =
    g_dbus_connection_call_sync (self->bus, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", NULL, NULL,
                                 G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
  g_variant_get (answer, "(&s)", &address);
  self->a11y = g_dbus_connection_new_for_address_sync (address, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                       G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
                                                       &error);
  g_assert_no_error (error);
  self->workspace = g_strdup (workspace);
  self->id = cyc_application_id_for (workspace);
  return self;
}

/**
 * app_process_free:
 * @self: (transfer full): the program, which is killed if it is running
 */
void
app_process_free (AppProcess *self)
{
  if (self->process != NULL)
    app_process_kill (self);
  g_object_unref (self->a11y);
  g_object_unref (self->bus);
  g_free (self->workspace);
  g_free (self->id);
  g_free (self);
}

static gboolean
has_owner (gpointer data)
{
  AppProcess *self = data;
  g_autoptr (GVariant) answer =
    g_dbus_connection_call_sync (self->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "GetNameOwner", g_variant_new ("(s)", self->id), NULL, G_DBUS_CALL_FLAGS_NONE, -1,
                                 NULL, NULL);

  return answer != NULL;
}

static gboolean
has_no_owner (gpointer data)
{
  return !has_owner (data);
}

/**
 * app_process_start:
 * @self: the program, which is not running
 *
 * Starts it, and waits until its window is there.
 */
void
app_process_start (AppProcess *self)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
  g_autoptr (GError) error = NULL;

  /* That of tests is no way out of the process; and what a window remembers has to outlive it. */
  g_subprocess_launcher_unsetenv (launcher, "GTK_A11Y");
  g_subprocess_launcher_setenv (launcher, "GSETTINGS_BACKEND", "keyfile", TRUE);
  g_subprocess_launcher_setenv (launcher, "G_DEBUG", "fatal-criticals", TRUE);
  self->process = g_subprocess_launcher_spawn (launcher, &error, g_getenv ("CYC_TEST_APP"), "--workspace",
                                               self->workspace, NULL);
  g_assert_no_error (error);
  app_process_wait (self, "Places");
  test_wait (has_owner, self, "a name on the bus");
}

static void
end (AppProcess *self)
{
  g_subprocess_wait (self->process, NULL, NULL);
  g_clear_object (&self->process);
  test_wait (has_no_owner, self, "the end of its name on the bus");
}

/**
 * app_process_wait_ended:
 * @self: the program, which somebody else has started
 *
 * Waits until it has ended.
 */
void
app_process_wait_ended (AppProcess *self)
{
  test_wait (has_no_owner, self, "the end of its name on the bus");
}

/**
 * app_process_kill:
 * @self: the program, which is running
 *
 * Kills it (SIGKILL), and with it the engine, which has no chance to tidy up.
 */
void
app_process_kill (AppProcess *self)
{
  g_subprocess_force_exit (self->process);
  end (self);
}

/**
 * app_process_quit:
 * @self: the program, which is running
 *
 * Quits it as a user does, and waits until it has ended well.
 */
void
app_process_quit (AppProcess *self)
{
  g_autoptr (GSubprocess) process = g_object_ref (self->process);

  app_process_activate (self, "app.quit");
  end (self);
  g_assert_true (g_subprocess_get_successful (process));
}

/**
 * app_process_get_pid:
 * @self: the program, which is running, or is about to if somebody else starts it
 *
 * Returns: its process; 0 if it is not there yet
 */
GPid
app_process_get_pid (AppProcess *self)
{
  guint32 pid = 0;

  if (self->process != NULL)
    return atoi (g_subprocess_get_identifier (self->process));
  g_autoptr (GVariant) answer =
    g_dbus_connection_call_sync (self->bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
                                 "GetConnectionUnixProcessID", g_variant_new ("(s)", self->id), NULL,
                                 G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  if (answer != NULL)
    g_variant_get (answer, "(u)", &pid);
  return (GPid) pid;
}

/**
 * app_process_activate:
 * @self: the program, which is running
 * @detailed_action: such as `win.show-run('ID')` or `app.quit`
 *
 * Does what a menu or a key would do, over the bus.
 */
void
app_process_activate (AppProcess *self,
                      const char *detailed_action)
{
  g_autofree char *name = NULL;
  g_autofree char *path = g_strconcat ("/", self->id, g_str_has_prefix (detailed_action, "win.") ? "/window/1" : "",
                                       NULL);
  g_autoptr (GVariant) target = NULL;
  g_autoptr (GError) error = NULL;
  GVariantBuilder parameter;

  g_assert_true (g_action_parse_detailed_name (detailed_action, &name, &target, &error));
  g_strdelimit (path, ".", '/');
  g_variant_builder_init (&parameter, G_VARIANT_TYPE ("av"));
  if (target != NULL)
    g_variant_builder_add (&parameter, "v", target);
  g_autoptr (GVariant) answer =
    g_dbus_connection_call_sync (self->bus, self->id, path, "org.gtk.Actions", "Activate",
                                 g_variant_new ("(sav@a{sv})", strchr (name, '.') + 1, &parameter,
                                                g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0)),
                                 NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL, &error);
  g_assert_no_error (error);
}

/**
 * app_process_key:
 * @self: the program, which is running
 * @keys: as xdotool has them, with blanks between
 *
 * Presses and releases keys, in the window that has the focus.
 */
void
app_process_key (AppProcess *self,
                 const char *keys)
{
  g_autofree char *command = g_strconcat ("xdotool key ", keys, NULL);
  g_autoptr (GError) error = NULL;
  int status;

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, &status, &error));
  g_assert_cmpint (status, ==, 0);
}

/* Accessibility */

/* An object of the other process. */
typedef struct
{
  char *bus_name;
  char *path;
  char *name;
} Object;

static void
object_free (gpointer data)
{
  Object *object = data;

  g_free (object->bus_name);
  g_free (object->path);
  g_free (object->name);
  g_free (object);
}

static GVariant *
call (AppProcess   *self,
      const Object *object,
      const char   *interface,
      const char   *method,
      GVariant     *parameters)
{
  return g_dbus_connection_call_sync (self->a11y, object->bus_name, object->path, interface, method, parameters, NULL,
                                      G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
}

/* What is asked of the objects of one level at a time, since each answer may take a while. */
typedef struct
{
  GPtrArray *below;   /* of Object */
  guint      waiting;
} Level;

typedef struct
{
  Level  *level;
  Object *object;
} Question;

static void
name_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autofree Question *question = user_data;
  g_autoptr (GVariant) answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  question->level->waiting--;
  if (answer == NULL)
    return;
  g_variant_get (answer, "(v)", &value);
  question->object->name = g_variant_dup_string (value, NULL);
}

static void
children_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autofree Question *question = user_data;
  g_autoptr (GVariant) answer = g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  GVariantIter *iter;
  Object child = { NULL, NULL, NULL };

  question->level->waiting--;
  if (answer == NULL)
    return;
  g_variant_get (answer, "(a(so))", &iter);
  while (g_variant_iter_next (iter, "(so)", &child.bus_name, &child.path))
    g_ptr_array_add (question->level->below, g_memdup2 (&child, sizeof child));
  g_variant_iter_free (iter);
}

static void
send_question (AppProcess          *self,
               Level               *level,
               Object              *object,
               const char          *interface,
               const char          *method,
               GVariant            *parameters,
               GAsyncReadyCallback  callback)
{
  Question *question = g_new (Question, 1);

  *question = (Question) { level, object };
  level->waiting++;
  g_dbus_connection_call (self->a11y, object->bus_name, object->path, interface, method, parameters, NULL,
                          G_DBUS_CALL_FLAGS_NONE, -1, NULL, callback, question);
}

/* Learns the names of objects. Returns what is below them. */
static GPtrArray *
ask_level (AppProcess *self,
           GPtrArray  *objects)
{
  Level level = { g_ptr_array_new_with_free_func (object_free), 0 };

  for (guint i = 0; i < objects->len; i++)
    {
      Object *object = g_ptr_array_index (objects, i);
      send_question (self, &level, object, ACCESSIBLE, "GetChildren", NULL, children_cb);
      send_question (self, &level, object, "org.freedesktop.DBus.Properties", "Get",
                     g_variant_new ("(ss)", ACCESSIBLE, "Name"), name_cb);
    }
  while (level.waiting > 0)
    g_main_context_iteration (NULL, TRUE);
  return level.below;
}

/* The windows of the process. */
static GPtrArray *
list_windows (AppProcess *self)
{
  g_autoptr (GPtrArray) root = g_ptr_array_new_with_free_func (object_free);
  g_autoptr (GPtrArray) application = g_ptr_array_new ();
  Object registry = { g_strdup ("org.a11y.atspi.Registry"), g_strdup ("/org/a11y/atspi/accessible/root"), NULL };

  g_ptr_array_add (root, g_memdup2 (&registry, sizeof registry));
  g_autoptr (GPtrArray) applications = ask_level (self, root);
  for (guint i = 0; i < applications->len; i++)
    {
      Object *object = g_ptr_array_index (applications, i);
      Object bus = { (char *) "org.freedesktop.DBus", (char *) "/org/freedesktop/DBus", NULL };
      g_autoptr (GVariant) answer = call (self, &bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID",
                                          g_variant_new ("(s)", object->bus_name));
      guint32 pid = 0;
      if (answer != NULL)
        g_variant_get (answer, "(u)", &pid);
      if ((GPid) pid == app_process_get_pid (self))
        g_ptr_array_add (application, object);
    }
  return ask_level (self, application);
}

/* GTK 4.8 puts the text with its mnemonic before the text, and a label's text behind a name of its own. */
static gboolean
is_named (const Object *object,
          const char   *name,
          gboolean      labelled)
{
  const char *got = object->name != NULL ? object->name : "";
  gsize length = strlen (got);
  gsize wanted = strlen (name);

  if (length <= wanted)
    return strcmp (got, name) == 0;
  if (labelled && strncmp (got, name, wanted) == 0 && got[wanted] == ' ')
    return TRUE;
  return strcmp (got + length - wanted, name) == 0 && got[length - wanted - 1] == ' '
         && (labelled || strchr (got, '_') != NULL);
}

/* The number of an action of the object, -1 for none. */
static int
find_action (AppProcess   *self,
             const Object *object,
             const char   *action)
{
  for (int i = 0; ; i++)
    {
      g_autoptr (GVariant) answer = call (self, object, ACTION, "GetName", g_variant_new ("(i)", i));
      const char *name;
      if (answer == NULL)
        return -1;
      g_variant_get (answer, "(&s)", &name);
      if (strcmp (name, action) == 0)
        return i;
      if (*name == '\0')
        return -1;
    }
}

static gboolean
has_interface (AppProcess   *self,
               const Object *object,
               const char   *interface)
{
  g_autoptr (GVariant) answer = call (self, object, ACCESSIBLE, "GetInterfaces", NULL);
  g_autofree const char **interfaces = NULL;

  if (answer != NULL)
    g_variant_get (answer, "(^a&s)", &interfaces);
  return interfaces != NULL && g_strv_contains (interfaces, interface);
}

typedef struct
{
  AppProcess *self;
  const char *name;
  const char *action;    /* that it has to have */
  const char *interface; /* that it has to have */
  gboolean    print;     /* what there is, for who reads why a test failed */
  Object     *found;
} Search;

static gboolean
fits (const Search *search,
      const Object *object)
{
  if (search->print && object->name != NULL && *object->name != '\0')
    g_printerr ("# %s\n", object->name);
  return is_named (object, search->name, search->interface != NULL)
         && (search->action == NULL || find_action (search->self, object, search->action) >= 0)
         && (search->interface == NULL || has_interface (search->self, object, search->interface));
}

static void
find_below (Search *search,
            Object *window)
{
  g_autoptr (GPtrArray) objects = g_ptr_array_new_with_free_func (object_free);

  g_ptr_array_add (objects, window);
  while (objects->len > 0 && search->found == NULL)
    {
      GPtrArray *below = ask_level (search->self, objects);
      for (guint i = 0; i < objects->len && search->found == NULL; i++)
        if (fits (search, g_ptr_array_index (objects, i)))
          search->found = g_ptr_array_steal_index (objects, i);
      g_ptr_array_unref (objects);
      objects = below;
    }
}

/* Dialogs come last in the list of windows, and are what the user sees. */
static gboolean
find (gpointer data)
{
  Search *search = data;
  g_autoptr (GPtrArray) windows = list_windows (search->self);

  g_clear_pointer (&search->found, object_free);
  while (windows->len > 0 && search->found == NULL)
    find_below (search, g_ptr_array_steal_index (windows, windows->len - 1));
  return search->found != NULL;
}

static gboolean
find_not (gpointer data)
{
  return !find (data);
}

static void
wait_until (TestCondition  condition,
            Search        *search)
{
  gint64 limit = g_get_monotonic_time () + TEST_LIMIT_S * G_USEC_PER_SEC;

  while (!condition (search))
    {
      if (g_get_monotonic_time () > limit)
        {
          search->print = TRUE;
          find (search);
          g_error ("waited %d seconds for \"%s\" %s", TEST_LIMIT_S, search->name,
                   condition == find_not ? "to go" : search->action != NULL ? search->action : "to be there");
        }
      g_usleep (20000);
    }
}

static Object *
wait_for (AppProcess *self,
          const char *name,
          const char *interface)
{
  Search search = { .self = self, .name = name, .interface = interface };

  wait_until (find, &search);
  return search.found;
}

/**
 * app_process_has:
 * @self: the program, which is running
 * @name: of a widget, or its text
 *
 * Returns: whether there is such a widget now
 */
gboolean
app_process_has (AppProcess *self,
                 const char *name)
{
  Search search = { .self = self, .name = name };
  gboolean found = find (&search);

  g_clear_pointer (&search.found, object_free);
  return found;
}

/**
 * app_process_wait:
 * @self: the program, which is running
 * @name: of a widget, or its text
 *
 * Waits until there is such a widget.
 */
void
app_process_wait (AppProcess *self,
                  const char *name)
{
  object_free (wait_for (self, name, NULL));
}

/**
 * app_process_wait_gone:
 * @self: the program, which is running
 * @name: of a widget, or its text
 *
 * Waits until there is no such widget.
 */
void
app_process_wait_gone (AppProcess *self,
                       const char *name)
{
  Search search = { .self = self, .name = name };

  wait_until (find_not, &search);
}

/* A button that cannot be pressed yet does nothing. */
static gboolean
do_action (gpointer data)
{
  Search *search = data;
  gboolean done = FALSE;

  if (!find (search))
    return FALSE;
  g_autoptr (GVariant) answer =
    call (search->self, search->found, ACTION, "DoAction",
          g_variant_new ("(i)", find_action (search->self, search->found, search->action)));
  if (answer != NULL)
    g_variant_get (answer, "(b)", &done);
  return done;
}

/**
 * app_process_act:
 * @self: the program, which is running
 * @name: of a widget, or its text
 * @action: what it does, such as `click`
 *
 * Has a widget do something, as soon as there is one that can.
 */
void
app_process_act (AppProcess *self,
                 const char *name,
                 const char *action)
{
  Search search = { .self = self, .name = name, .action = action };

  wait_until (do_action, &search);
  object_free (search.found);
}

/**
 * app_process_set_text:
 * @self: the program, which is running
 * @name: of an entry
 * @text: for it
 */
void
app_process_set_text (AppProcess *self,
                      const char *name,
                      const char *text)
{
  Object *object = wait_for (self, name, EDITABLE_TEXT);
  g_autoptr (GVariant) done = call (self, object, EDITABLE_TEXT, "SetTextContents", g_variant_new ("(s)", text));

  g_assert_nonnull (done);
  object_free (object);
}

/**
 * app_process_set_value:
 * @self: the program, which is running
 * @name: of a widget with a number
 * @value: for it
 */
void
app_process_set_value (AppProcess *self,
                       const char *name,
                       double      value)
{
  Object *object = wait_for (self, name, VALUE);
  g_autoptr (GVariant) done = call (self, object, "org.freedesktop.DBus.Properties", "Set",
                                    g_variant_new ("(ssv)", VALUE, "CurrentValue", g_variant_new_double (value)));

  g_assert_nonnull (done);
  object_free (object);
}

/**
 * app_process_get_value:
 * @self: the program, which is running
 * @name: of a widget with a number
 *
 * Returns: its number
 */
double
app_process_get_value (AppProcess *self,
                       const char *name)
{
  Object *object = wait_for (self, name, VALUE);
  g_autoptr (GVariant) answer = call (self, object, "org.freedesktop.DBus.Properties", "Get",
                                      g_variant_new ("(ss)", VALUE, "CurrentValue"));
  g_autoptr (GVariant) value = NULL;

  g_assert_nonnull (answer);
  g_variant_get (answer, "(v)", &value);
  object_free (object);
  return g_variant_get_double (value);
}

/* The workspace */

static char *
ask (AppProcess *self,
     va_list     args)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *output = NULL;

  g_ptr_array_add (argv, (gpointer) g_getenv ("CYC_TEST_CTL"));
  g_ptr_array_add (argv, (gpointer) "--workspace");
  g_ptr_array_add (argv, self->workspace);
  for (const char *arg = va_arg (args, const char *); arg != NULL; arg = va_arg (args, const char *))
    g_ptr_array_add (argv, (gpointer) arg);
  g_ptr_array_add (argv, NULL);
  g_autoptr (GSubprocess) ctl = g_subprocess_newv ((const char *const *) argv->pdata, G_SUBPROCESS_FLAGS_STDOUT_PIPE,
                                                   &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (ctl, NULL, NULL, &output, NULL, &error);
  g_assert_no_error (error);
  return output;
}

/**
 * app_process_ask:
 * @self: the program, running or not
 * @...: arguments of cyclescopectl, and %NULL
 *
 * Returns: (transfer full): what cyclescopectl says of the workspace
 */
char *
app_process_ask (AppProcess *self,
                 ...)
{
  va_list args;

  va_start (args, self);
  char *output = ask (self, args);
  va_end (args);
  return output;
}

/**
 * app_process_wait_said:
 * @self: the program, running or not
 * @pattern: a regular expression
 * @...: arguments of cyclescopectl, and %NULL
 *
 * Waits until cyclescopectl says what matches.
 */
void
app_process_wait_said (AppProcess *self,
                       const char *pattern,
                       ...)
{
  gint64 limit = g_get_monotonic_time () + TEST_LIMIT_S * G_USEC_PER_SEC;

  for (;;)
    {
      va_list args;
      va_start (args, pattern);
      g_autofree char *output = ask (self, args);
      va_end (args);
      if (g_regex_match_simple (pattern, output, G_REGEX_DOTALL, 0))
        return;
      if (g_get_monotonic_time () > limit)
        g_error ("waited %d seconds for %s, got %s", TEST_LIMIT_S, pattern, output);
      g_usleep (50000);
    }
}
