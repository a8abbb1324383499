/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-terminal.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/**
 * cyc_ctl_terminal_is:
 * @fd: an open file
 *
 * Returns: %TRUE if a person is likely to look at what is written there
 */
gboolean
cyc_ctl_terminal_is (int fd)
{
  return isatty (fd) == 1;
}

/**
 * cyc_ctl_terminal_get_width:
 * @fd: an open file
 *
 * Returns: the width of the terminal in cells; 0 (no limit) if @fd is none
 */
guint
cyc_ctl_terminal_get_width (int fd)
{
  struct winsize size;

  if (!cyc_ctl_terminal_is (fd))
    return 0;
  if (ioctl (fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  return 80;
}

/**
 * cyc_ctl_terminal_has_colour:
 * @fd: an open file
 *
 * Returns: %TRUE if @fd is a terminal that knows colours and the user has not said `NO_COLOR`
 */
gboolean
cyc_ctl_terminal_has_colour (int fd)
{
  const char *term = g_getenv ("TERM");
  const char *no_colour = g_getenv ("NO_COLOR");

  return cyc_ctl_terminal_is (fd) && term != NULL && strcmp (term, "dumb") != 0
         && (no_colour == NULL || no_colour[0] == '\0');
}

/**
 * cyc_ctl_terminal_is_utf8:
 *
 * Returns: %TRUE if text of the present locale is UTF-8
 */
gboolean
cyc_ctl_terminal_is_utf8 (void)
{
  return g_get_charset (NULL);
}
