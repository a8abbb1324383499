/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engine/cyc-api-tls.h"
#include "engine/cyc-service.h"
#include "support/loop-watch.h"

/* An engine in a process of its own, for tests that kill it or move its clock:
 *
 *   serve-workspace FOLDER [CERTIFICATE KEY]
 *
 * says `URL TOKEN` on a line, and then obeys a line each: `move N` and `asleep N` move the clock by
 * microseconds, `watch` begins to watch its main loop, `gap` tells for how many microseconds that did not come
 * round at most, and for how many it was at work at most; `stop` and the end of stdin end the program cleanly.
 * `move`, `asleep` and `watch` are answered with `ok`. */

typedef struct
{
  CycService *service;
  GMainLoop  *loop;
  int         status;
} Serve;

static void
say (const char *text)
{
  fputs (text, stdout);
  fputc ('\n', stdout);
  fflush (stdout);
}

static void
stopped_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Serve *self = user_data;

  self->status = cyc_service_stop_finish (self->service, result, NULL) ? 0 : 1;
  g_main_loop_quit (self->loop);
}

static void
say_gap (void)
{
  LoopGap gap = loop_watch_stop ();
  g_autofree char *line = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, gap.clock,
                                           loop_watch_get_busiest ().running);

  say (line);
}

static void
obey (Serve      *self,
      const char *line)
{
  CycEngine *engine = cyc_service_get_engine (self->service);

  if (g_str_has_prefix (line, "move "))
    cyc_engine_move_clock (engine, g_ascii_strtoll (line + 5, NULL, 10));
  else if (g_str_has_prefix (line, "asleep "))
    cyc_engine_move_clock_asleep (engine, g_ascii_strtoll (line + 7, NULL, 10));
  else if (strcmp (line, "watch") == 0)
    loop_watch_start ();
  else if (strcmp (line, "gap") == 0)
    {
      say_gap ();
      return;
    }
  else
    {
      cyc_service_stop_async (self->service, stopped_cb, self);
      return;
    }
  say ("ok");
}

static gboolean
stdin_cb (int           fd,
          GIOCondition  condition,
          gpointer      user_data)
{
  char line[128];
  gsize len = 0;

  /* The tests write whole lines; byte by byte no line is read twice. */
  while (len + 1 < sizeof line && read (fd, line + len, 1) == 1 && line[len] != '\n')
    len++;
  line[len] = '\0';
  obey (user_data, line);
  return len > 0 && strcmp (line, "stop") != 0;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  Serve self = { .status = 1 };

  if (argc != 2 && argc != 4)
    return 2;
  CycServiceOptions options = { .certificate = argc == 4 ? cyc_api_tls_load (argv[2], argv[3], &error) : NULL };
  if (argc == 2 || options.certificate != NULL)
    self.service = cyc_service_start_with (argv[1], &options, NULL, &error);
  g_clear_object (&options.certificate);
  if (self.service == NULL)
    {
      fprintf (stderr, "serve-workspace: %s\n", error->message);
      return 1;
    }
  self.loop = g_main_loop_new (NULL, FALSE);
  g_autofree char *line =
    g_strdup_printf ("%s %s", cyc_service_get_url (self.service),
                     cyc_engine_get_token (cyc_service_get_engine (self.service)));
  say (line);
  g_unix_fd_add (STDIN_FILENO, G_IO_IN | G_IO_HUP, stdin_cb, &self);
  g_main_loop_run (self.loop);
  g_clear_object (&self.service);
  g_main_loop_unref (self.loop);
  return self.status;
}
