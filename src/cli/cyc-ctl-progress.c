/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-progress.h"

#include <string.h>
#include <unistd.h>

#include "cli/cyc-ctl-format.h"
#include "cli/cyc-ctl-terminal.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-format.h"

/* Ten times a second is as often as one can read. */
#define INTERVAL_US (G_USEC_PER_SEC / 10)

struct _CycCtlProgress
{
  gboolean enabled;
  gboolean shown;
  gint64   next; /* monotonic time, microseconds */
};

/**
 * cyc_ctl_progress_new:
 * @app: the running program
 *
 * One line at the bottom of a terminal that says how far the work is. Does nothing where standard
 * error is no terminal or the user does not want it.
 *
 * Returns: (transfer full): a line that is not shown yet
 */
CycCtlProgress *
cyc_ctl_progress_new (CycCtlApp *app)
{
  CycCtlProgress *self = g_new0 (CycCtlProgress, 1);

  self->enabled = cyc_ctl_app_wants_progress (app);
  return self;
}

/**
 * cyc_ctl_progress_free:
 * @self: (transfer full): a line, which is cleared
 */
void
cyc_ctl_progress_free (CycCtlProgress *self)
{
  g_return_if_fail (self != NULL);

  cyc_ctl_progress_clear (self);
  g_free (self);
}

/**
 * cyc_ctl_progress_is_due:
 * @self: a line
 *
 * Returns: %TRUE if it is time to show it again, so that its text is worth making
 */
gboolean
cyc_ctl_progress_is_due (CycCtlProgress *self)
{
  return self->enabled && g_get_monotonic_time () >= self->next;
}

/**
 * cyc_ctl_progress_show:
 * @self: a line
 * @format: format of its text
 *
 * Shows the text in place of the last one, cut to the width of the terminal.
 */
void
cyc_ctl_progress_show (CycCtlProgress *self,
                       const char     *format,
                       ...)
{
  va_list args;

  if (!self->enabled)
    return;
  va_start (args, format);
  g_autofree char *raw = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *text = cyc_format_printable (raw);
  guint width = cyc_ctl_terminal_get_width (STDERR_FILENO);
  g_autofree char *cut = cyc_ctl_format_cut (text, width > 1 ? width - 1 : 79, "");
  g_autofree char *line = g_strdup_printf ("\r\x1b[K%s", cut);

  (void) cyc_file_write_all (STDERR_FILENO, line, strlen (line));
  self->shown = TRUE;
  self->next = g_get_monotonic_time () + INTERVAL_US;
}

/**
 * cyc_ctl_progress_clear:
 * @self: a line
 *
 * Takes it away, before something else is printed.
 */
void
cyc_ctl_progress_clear (CycCtlProgress *self)
{
  if (!self->shown)
    return;
  (void) cyc_file_write_all (STDERR_FILENO, "\r\x1b[K", 4);
  self->shown = FALSE;
  self->next = 0;
}
