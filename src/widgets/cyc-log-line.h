/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-log-cache.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What is shown of a line: more of it would not be read, but take long to draw. */
#define CYC_LOG_MAX_SHOWN 2000

/**
 * CycLogLine:
 * @start: where it begins
 * @next: where the next begins, or the log ends
 * @text: what is shown: in one line, printable, with marks where it is cut
 * @hit: where in @text the hit of a search begins; -1 if it is not in this line
 *
 * A line of a log that is on the screen.
 */
typedef struct
{
  guint64  start;
  guint64  next;
  char    *text;
  int      hit;
} CycLogLine;

CycLogAnswer   cyc_log_line_load (CycLogCache   *cache,
                                  guint64        start,
                                  guint64        hit,
                                  CycLogLine   **out_line);
void           cyc_log_line_free (CycLogLine    *self);
PangoAttrList *cyc_log_line_mark (const CycLogLine *self,
                                  const char    *words,
                                  const GdkRGBA *colors);

G_END_DECLS
