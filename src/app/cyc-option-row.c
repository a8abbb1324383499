/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-option-row.h"

#include <glib/gi18n.h>
#include <string.h>

#include "widgets/cyc-controls.h"

#define POPUP_WIDTH 460
#define POPUP_HEIGHT 280
#define VALUE_CHARS 18

/* An option for the simulator: its name, which is completed, and its value. */
struct _CycOptionRow
{
  GtkBox              parent_instance;

  CycOptionBook      *book;
  GtkWidget          *name;
  GtkWidget          *value;
  GtkWidget          *remove;
  GtkWidget          *popup;
  GtkWidget          *list;
  GtkStringList      *names;     /* that match */
  GtkSingleSelection *selection;
  gboolean            quiet;     /* what changes is not typed */
  guint               source;    /* to take apart what was typed */
};

enum
{
  CHANGED,
  ENTERED,
  NEXT,
  REMOVE,
  PASTED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycOptionRow, cyc_option_row, GTK_TYPE_BOX)

static void
set_text (CycOptionRow *self,
          GtkWidget    *entry,
          const char   *text)
{
  gboolean quiet = self->quiet;

  self->quiet = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_position (GTK_EDITABLE (entry), -1);
  self->quiet = quiet;
}

/* The names that match */

static gboolean
is_open (CycOptionRow *self)
{
  return gtk_widget_get_visible (self->popup);
}

static void
set_open (CycOptionRow *self,
          gboolean      open)
{
  graphene_rect_t bounds;

  if (open && !is_open (self) && gtk_widget_compute_bounds (self->name, GTK_WIDGET (self), &bounds))
    {
      gtk_popover_set_pointing_to (GTK_POPOVER (self->popup),
                                   &(GdkRectangle) { (int) bounds.origin.x, (int) bounds.origin.y,
                                                     (int) bounds.size.width, (int) bounds.size.height });
      gtk_popover_popup (GTK_POPOVER (self->popup));
    }
  else if (!open && is_open (self))
    gtk_popover_popdown (GTK_POPOVER (self->popup));
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->name), GTK_ACCESSIBLE_STATE_EXPANDED, open, -1);
}

static const char *
get_chosen (CycOptionRow *self)
{
  GtkStringObject *item = gtk_single_selection_get_selected_item (self->selection);

  return item != NULL ? gtk_string_object_get_string (item) : NULL;
}

/* What a screen reader says of the entry: the name that Enter would take, or the help of the one that is there. */
static void
describe (CycOptionRow *self)
{
  const char *chosen = is_open (self) ? get_chosen (self) : NULL;
  const char *help = cyc_option_book_get_help (self->book, chosen != NULL ? chosen : cyc_option_row_get_name (self));
  g_autofree char *text = chosen != NULL && help != NULL ? g_strdup_printf ("%s: %s", chosen, help)
                                                         : g_strdup (chosen != NULL ? chosen : help);

  if (text != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->name), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  else
    gtk_accessible_reset_property (GTK_ACCESSIBLE (self->name), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

/* Returns whether there are any but what stands there already. */
static gboolean
find_names (CycOptionRow *self)
{
  const char *typed = cyc_option_row_get_name (self);
  g_auto (GStrv) names = cyc_option_book_match (self->book, typed);

  gtk_string_list_splice (self->names, 0, g_list_model_get_n_items (G_LIST_MODEL (self->names)),
                          (const char *const *) names);
  gtk_single_selection_set_selected (self->selection, 0);
  return names[0] != NULL && (names[1] != NULL || strcmp (names[0], typed) != 0);
}

static void
show_names (CycOptionRow *self)
{
  set_open (self, find_names (self));
  describe (self);
}

/* What depends on what is written in it. */
static void
update (CycOptionRow *self)
{
  gtk_entry_set_placeholder_text (GTK_ENTRY (self->value),
                                  cyc_option_book_get_value (self->book, cyc_option_row_get_name (self)));
  gtk_widget_set_sensitive (self->remove, !cyc_option_row_is_empty (self));
  describe (self);
}

static void
choose (CycOptionRow *self)
{
  g_autofree char *name = g_strdup (get_chosen (self));

  set_open (self, FALSE);
  if (name == NULL)
    return;
  set_text (self, self->name, name);
  update (self);
  g_signal_emit (self, signals[CHANGED], 0);
  gtk_widget_grab_focus (self->value);
}

/* Keys of the entry for the name, before it has them itself. */

static gboolean
move (CycOptionRow *self,
      int           by)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->names));
  guint selected = gtk_single_selection_get_selected (self->selection);

  if (!is_open (self))
    {
      if (by > 0)
        show_names (self);
      return by > 0;
    }
  guint position = (guint) CLAMP ((int) selected + by, 0, (int) n - 1);
  gtk_single_selection_set_selected (self->selection, position);
  gtk_widget_activate_action (self->list, "list.scroll-to-item", "u", position);
  describe (self);
  return TRUE;
}

static gboolean
down_cb (GtkWidget *widget,
         GVariant  *args,
         gpointer   user_data)
{
  return move (user_data, 1);
}

static gboolean
up_cb (GtkWidget *widget,
       GVariant  *args,
       gpointer   user_data)
{
  return move (user_data, -1);
}

static gboolean
enter_cb (GtkWidget *widget,
          GVariant  *args,
          gpointer   user_data)
{
  CycOptionRow *self = user_data;

  if (is_open (self))
    choose (self);
  else
    gtk_widget_grab_focus (self->value);
  return TRUE;
}

static gboolean
tab_cb (GtkWidget *widget,
        GVariant  *args,
        gpointer   user_data)
{
  CycOptionRow *self = user_data;

  if (!is_open (self))
    return FALSE;
  choose (self);
  return TRUE;
}

static gboolean
escape_cb (GtkWidget *widget,
           GVariant  *args,
           gpointer   user_data)
{
  CycOptionRow *self = user_data;

  if (!is_open (self))
    return FALSE;
  set_open (self, FALSE);
  describe (self);
  return TRUE;
}

static void
add_keys (CycOptionRow *self)
{
  static const struct
  {
    guint           key;
    GtkShortcutFunc func;
  } keys[] = {
    { GDK_KEY_Down, down_cb }, { GDK_KEY_KP_Down, down_cb }, { GDK_KEY_Up, up_cb }, { GDK_KEY_KP_Up, up_cb },
    { GDK_KEY_Return, enter_cb }, { GDK_KEY_KP_Enter, enter_cb }, { GDK_KEY_Tab, tab_cb },
    { GDK_KEY_Escape, escape_cb },
  };
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_keyval_trigger_new (keys[i].key, 0),
                                                            gtk_callback_action_new (keys[i].func, self, NULL)));
  gtk_widget_add_controller (self->name, controller);
}

/* What is typed */

/* `-name value` in the first entry goes into both; more lines are more options. */
static gboolean
take_apart_cb (gpointer user_data)
{
  CycOptionRow *self = user_data;
  g_autofree char *text = g_strdup (cyc_option_row_get_name (self));
  char *lines = strpbrk (text, "\r\n");

  self->source = 0;
  if (lines != NULL)
    *lines++ = '\0';
  g_strchug (text);
  char *blank = strpbrk (text, " \t");
  g_autofree char *value = blank != NULL ? g_strstrip (g_strdup (blank)) : NULL;
  if (blank != NULL)
    *blank = '\0';
  set_text (self, self->name, text);
  if (value != NULL && value[0] != '\0')
    set_text (self, self->value, value);
  set_open (self, FALSE);
  update (self);
  if (value != NULL)
    {
      gtk_widget_grab_focus (self->value);
      gtk_editable_set_position (GTK_EDITABLE (self->value), -1);
    }
  g_signal_emit (self, signals[CHANGED], 0);
  if (lines != NULL)
    g_signal_emit (self, signals[PASTED], 0, lines);
  return G_SOURCE_REMOVE;
}

static void
name_changed_cb (CycOptionRow *self)
{
  const char *text = cyc_option_row_get_name (self);

  if (self->quiet)
    return;
  if (strpbrk (text, " \t\r\n") != NULL)
    {
      /* The entry has to be done with it first. */
      if (self->source == 0)
        self->source = g_idle_add (take_apart_cb, self);
      return;
    }
  if (text[0] == '\0')
    set_open (self, FALSE);
  else
    show_names (self);
  update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
value_changed_cb (CycOptionRow *self)
{
  if (self->quiet)
    return;
  update (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

static void
value_activate_cb (CycOptionRow *self)
{
  g_signal_emit (self, signals[NEXT], 0);
}

static void
remove_cb (CycOptionRow *self)
{
  g_signal_emit (self, signals[REMOVE], 0);
}

static void
entered_cb (CycOptionRow *self)
{
  g_signal_emit (self, signals[ENTERED], 0);
}

static void
left_cb (CycOptionRow *self)
{
  set_open (self, FALSE);
}

/* Looks */

static void
setup_cb (GtkSignalListItemFactory *factory,
          GtkListItem              *item,
          CycOptionRow             *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  const char *const classes[] = { "monospace", "caption" };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    {
      GtkWidget *label = gtk_label_new (NULL);
      gtk_label_set_xalign (GTK_LABEL (label), 0);
      gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
      gtk_widget_add_css_class (label, classes[i]);
      gtk_box_append (GTK_BOX (box), label);
    }
  gtk_list_item_set_child (item, box);
}

static void
bind_cb (GtkSignalListItemFactory *factory,
         GtkListItem              *item,
         CycOptionRow             *self)
{
  GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *help = gtk_widget_get_next_sibling (name);
  const char *text = gtk_string_object_get_string (gtk_list_item_get_item (item));
  const char *words = cyc_option_book_get_help (self->book, text);

  gtk_label_set_text (GTK_LABEL (name), text);
  gtk_label_set_text (GTK_LABEL (help), words != NULL ? words : "");
  gtk_widget_set_visible (help, words != NULL);
}

static void
create_popup (CycOptionRow *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  self->names = gtk_string_list_new (NULL);
  self->selection = gtk_single_selection_new (G_LIST_MODEL (g_object_ref (self->names)));
  self->list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_list_view_set_single_click_activate (GTK_LIST_VIEW (self->list), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Options that match"), -1);
  g_signal_connect_swapped (self->list, "activate", G_CALLBACK (choose), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), POPUP_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_size_request (scrolled, POPUP_WIDTH, -1);
  /* The focus stays in the entry. */
  gtk_widget_set_can_focus (scrolled, FALSE);
  self->popup = gtk_popover_new ();
  gtk_widget_set_name (self->popup, "option-names");
  gtk_widget_add_css_class (self->popup, "option-names");
  gtk_popover_set_autohide (GTK_POPOVER (self->popup), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->popup), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->popup), GTK_POS_BOTTOM);
  gtk_widget_set_halign (self->popup, GTK_ALIGN_START);
  gtk_popover_set_child (GTK_POPOVER (self->popup), scrolled);
  gtk_widget_set_parent (self->popup, GTK_WIDGET (self));
}

static GtkWidget *
create_entry (const char *placeholder,
              const char *label)
{
  GtkWidget *entry = gtk_entry_new ();

  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), placeholder);
  gtk_widget_add_css_class (entry, "monospace");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return entry;
}

static void
cyc_option_row_init (CycOptionRow *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *name_focus = gtk_event_controller_focus_new ();

  gtk_box_set_spacing (GTK_BOX (self), 6);
  self->name = create_entry (_("-option"), _("Option"));
  self->value = create_entry (NULL, _("Value"));
  self->remove = gtk_button_new_from_icon_name ("list-remove-symbolic");
  gtk_widget_set_name (self->name, "option-name");
  gtk_widget_set_name (self->value, "option-value");
  gtk_widget_set_hexpand (self->name, TRUE);
  gtk_editable_set_width_chars (GTK_EDITABLE (self->value), VALUE_CHARS);
  cyc_control_set_tooltip (self->remove, _("Remove this option"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->remove), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Remove this option"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->name), GTK_ACCESSIBLE_PROPERTY_AUTOCOMPLETE,
                                  GTK_ACCESSIBLE_AUTOCOMPLETE_LIST, -1);
  create_popup (self);
  add_keys (self);
  g_signal_connect_swapped (self->name, "changed", G_CALLBACK (name_changed_cb), self);
  g_signal_connect_swapped (self->value, "changed", G_CALLBACK (value_changed_cb), self);
  g_signal_connect_swapped (self->value, "activate", G_CALLBACK (value_activate_cb), self);
  g_signal_connect_swapped (self->remove, "clicked", G_CALLBACK (remove_cb), self);
  g_signal_connect_swapped (focus, "enter", G_CALLBACK (entered_cb), self);
  g_signal_connect_swapped (name_focus, "leave", G_CALLBACK (left_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), focus);
  gtk_widget_add_controller (self->name, name_focus);
  gtk_box_append (GTK_BOX (self), self->name);
  gtk_box_append (GTK_BOX (self), self->value);
  gtk_box_append (GTK_BOX (self), self->remove);
}

static void
cyc_option_row_dispose (GObject *object)
{
  CycOptionRow *self = CYC_OPTION_ROW (object);

  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_pointer (&self->popup, gtk_widget_unparent);
  g_clear_object (&self->selection);
  g_clear_object (&self->names);
  G_OBJECT_CLASS (cyc_option_row_parent_class)->dispose (object);
}

static void
cyc_option_row_finalize (GObject *object)
{
  g_clear_pointer (&CYC_OPTION_ROW (object)->book, cyc_option_book_unref);
  G_OBJECT_CLASS (cyc_option_row_parent_class)->finalize (object);
}

static void
cyc_option_row_class_init (CycOptionRowClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_option_row_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_option_row_finalize;
  signals[CHANGED] = g_signal_new ("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ENTERED] = g_signal_new ("entered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[NEXT] = g_signal_new ("next", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[REMOVE] = g_signal_new ("remove", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PASTED] = g_signal_new ("pasted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                  G_TYPE_STRING);
}

/**
 * cyc_option_row_new:
 * @book: what is known of options
 *
 * Returns: (transfer floating): an empty row
 */
GtkWidget *
cyc_option_row_new (CycOptionBook *book)
{
  CycOptionRow *self = g_object_new (CYC_TYPE_OPTION_ROW, NULL);

  self->book = cyc_option_book_ref (book);
  update (self);
  return GTK_WIDGET (self);
}

/**
 * cyc_option_row_get_name:
 * @self: a row
 *
 * Returns: (transfer none): what stands for the name
 */
const char *
cyc_option_row_get_name (CycOptionRow *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->name));
}

/**
 * cyc_option_row_get_value:
 * @self: a row
 *
 * Returns: (transfer none): what stands for the value
 */
const char *
cyc_option_row_get_value (CycOptionRow *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->value));
}

/**
 * cyc_option_row_is_empty:
 * @self: a row
 *
 * Returns: whether neither name nor value is there
 */
gboolean
cyc_option_row_is_empty (CycOptionRow *self)
{
  return cyc_option_row_get_name (self)[0] == '\0' && cyc_option_row_get_value (self)[0] == '\0';
}

/**
 * cyc_option_row_set:
 * @self: a row
 * @option: `-name value`
 *
 * Fills the row, without a signal.
 */
void
cyc_option_row_set (CycOptionRow *self,
                    const char   *option)
{
  gsize n = strcspn (option, " \t");
  g_autofree char *name = g_strndup (option, n);
  g_autofree char *value = g_strstrip (g_strdup (option + n));

  set_text (self, self->name, name);
  set_text (self, self->value, value);
  update (self);
}

/**
 * cyc_option_row_refresh:
 * @self: a row
 *
 * Follows what has become known of options.
 */
void
cyc_option_row_refresh (CycOptionRow *self)
{
  if (is_open (self))
    show_names (self);
  update (self);
}

/**
 * cyc_option_row_focus:
 * @self: a row
 *
 * Gives the focus to its name.
 */
void
cyc_option_row_focus (CycOptionRow *self)
{
  gtk_widget_grab_focus (self->name);
}

/**
 * cyc_option_row_get_entry:
 * @self: a row
 *
 * Returns: (transfer none): the entry for its name
 */
GtkWidget *
cyc_option_row_get_entry (CycOptionRow *self)
{
  return self->name;
}
