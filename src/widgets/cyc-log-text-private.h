/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-log-line.h"
#include "widgets/cyc-log-text.h"

G_BEGIN_DECLS

typedef enum
{
  JOB_NONE,
  JOB_SNAP,  /* find the line that begins at or before the cursor */
  JOB_MOVE,  /* go by lines from there */
  JOB_FILL,  /* take lines until the window is full */
  JOB_BACK,  /* the log ended before: take lines above too */
} CycLogStage;

/* What is to be shown next: goes on each time that bytes have come. */
typedef struct
{
  CycLogStage  stage;
  guint64      cursor;
  gint64       delta;   /* lines still to go, from the cursor */
  double       fraction;/* of the first line that is above the window */
  GPtrArray   *lines;   /* of CycLogLine, found so far; NULL before JOB_FILL */
} CycLogJob;

struct _CycLogText
{
  GtkWidget parent_instance;

  CycLogCache   *cache;        /* NULL for none */
  GtkAdjustment *vadjustment;  /* bytes */
  GtkAdjustment *hadjustment;  /* pixels */
  GPtrArray     *labels;       /* of GtkWidget: a line on the screen each */
  GPtrArray     *numbers;      /* of GtkWidget: their numbers */
  GtkWidget     *menu;

  GPtrArray     *lines;        /* of CycLogLine: what is shown */
  double         fraction;
  guint64        first_number; /* of the first line shown; 0 if not known */
  int            line_height;  /* pixels */
  int            char_width;
  int            gutter;
  int            height;       /* for which lines were last looked for */

  CycLogJob      job;
  guint          job_source;
  gboolean       follow;
  gboolean       configuring;  /* the adjustments move because the text did */

  char          *words;        /* searched for; NULL for none */
  guint64        hit;          /* G_MAXUINT64 for none */

  gboolean       selecting;    /* there is a selection */
  guint64        anchor;       /* where it began: the start of a line */
  guint64        cursor;       /* where it ends: the start of a line */
  guint          scroll_tick;  /* while the pointer drags beyond an edge */
  double         drag_y;
};

void     _cyc_log_text_go         (CycLogText *self,
                                   guint64     offset,
                                   gint64      delta,
                                   double      fraction);
void     _cyc_log_text_job_queue  (CycLogText *self);
void     _cyc_log_text_job_clear  (CycLogText *self);
void     _cyc_log_text_show_lines (CycLogText *self);
double   _cyc_log_text_get_n_fit  (CycLogText *self);

void     _cyc_log_text_input_init (CycLogText *self);
void     _cyc_log_text_input_class (GtkWidgetClass *klass);
void     _cyc_log_text_input_end  (CycLogText *self);

G_END_DECLS
