/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-text-private.h"

#include <math.h>

/* Finding the lines to show: from bytes that may have to be read first, so in steps that wait. */

/* Before the next layout. */
#define PRIORITY G_PRIORITY_HIGH_IDLE

/* How many lines fit into the window. */
double
_cyc_log_text_get_n_fit (CycLogText *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  return height > 0 && self->line_height > 0 ? (double) height / self->line_height : 0;
}

void
_cyc_log_text_job_clear (CycLogText *self)
{
  g_clear_pointer (&self->job.lines, g_ptr_array_unref);
  self->job.stage = JOB_NONE;
}

/* The line that holds the cursor; the last one if the cursor is at the end of the log. */
static CycLogAnswer
job_snap (CycLogText *self)
{
  CycLogJob *job = &self->job;
  guint64 length = cyc_log_cache_get_length (self->cache);
  guint64 start = 0;

  if (length == 0)
    {
      job->cursor = 0;
      job->delta = 0;
    }
  else
    {
      guint64 offset = MIN (job->cursor, length - 1);
      CycLogAnswer answer = cyc_log_cache_find_start (self->cache, offset, &start);
      if (answer != CYC_LOG_OK)
        return answer;
      job->cursor = start;
    }
  job->stage = JOB_MOVE;
  return CYC_LOG_OK;
}

static CycLogAnswer
job_move (CycLogText *self)
{
  CycLogJob *job = &self->job;
  guint64 other = 0;
  CycLogAnswer answer = CYC_LOG_OK;

  if (job->delta > 0)
    {
      answer = cyc_log_cache_find_next (self->cache, job->cursor, &other);
      if (answer == CYC_LOG_WAIT)
        return answer;
      if (answer == CYC_LOG_END || other >= cyc_log_cache_get_length (self->cache))
        job->delta = 0;
      else
        job->cursor = other;
      job->delta -= job->delta > 0;
    }
  else if (job->delta < 0 && job->cursor > 0)
    {
      answer = cyc_log_cache_find_start (self->cache, job->cursor - 1, &other);
      if (answer == CYC_LOG_WAIT)
        return answer;
      job->cursor = other;
      job->delta++;
    }
  else if (job->delta < 0)
    {
      job->delta = 0;
      job->fraction = 0;
    }
  else
    {
      job->stage = JOB_FILL;
      job->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_log_line_free);
    }
  return CYC_LOG_OK;
}

static CycLogAnswer
job_fill (CycLogText *self)
{
  CycLogJob *job = &self->job;
  double n_fit = _cyc_log_text_get_n_fit (self);
  CycLogLine *line;

  if (job->lines->len >= n_fit + job->fraction)
    {
      job->stage = JOB_NONE;
      return CYC_LOG_OK;
    }
  guint64 start = job->lines->len > 0
                    ? ((CycLogLine *) g_ptr_array_index (job->lines, job->lines->len - 1))->next
                    : job->cursor;
  CycLogAnswer answer = cyc_log_line_load (self->cache, start, self->hit, &line);
  if (answer == CYC_LOG_OK)
    g_ptr_array_add (job->lines, line);
  else if (answer == CYC_LOG_END)
    job->stage = JOB_BACK;
  return answer == CYC_LOG_WAIT ? answer : CYC_LOG_OK;
}

/* The last line stands at the bottom: as many above as fit. */
static CycLogAnswer
job_back (CycLogText *self)
{
  CycLogJob *job = &self->job;
  double n_fit = _cyc_log_text_get_n_fit (self);
  CycLogLine *first = job->lines->len > 0 ? g_ptr_array_index (job->lines, 0) : NULL;
  CycLogLine *line;
  guint64 start;

  if (job->lines->len >= n_fit || first == NULL || first->start == 0)
    {
      job->fraction = MAX (0, job->lines->len - n_fit);
      job->stage = JOB_NONE;
      return CYC_LOG_OK;
    }
  CycLogAnswer answer = cyc_log_cache_find_start (self->cache, first->start - 1, &start);
  if (answer == CYC_LOG_OK)
    answer = cyc_log_line_load (self->cache, start, self->hit, &line);
  if (answer == CYC_LOG_OK)
    g_ptr_array_insert (job->lines, 0, line);
  else if (answer == CYC_LOG_END)
    job->stage = JOB_NONE;
  return answer == CYC_LOG_WAIT ? answer : CYC_LOG_OK;
}

static CycLogAnswer
job_step (CycLogText *self)
{
  switch (self->job.stage)
    {
    case JOB_SNAP:
      return job_snap (self);
    case JOB_MOVE:
      return job_move (self);
    case JOB_FILL:
      return job_fill (self);
    case JOB_BACK:
      return job_back (self);
    case JOB_NONE:
    default:
      return CYC_LOG_OK;
    }
}

static gboolean
job_cb (gpointer user_data)
{
  CycLogText *self = user_data;

  self->job_source = 0;
  if (self->cache == NULL || self->job.stage == JOB_NONE || _cyc_log_text_get_n_fit (self) == 0)
    return G_SOURCE_REMOVE;
  while (self->job.stage != JOB_NONE)
    if (job_step (self) == CYC_LOG_WAIT)
      return G_SOURCE_REMOVE;
  g_ptr_array_unref (self->lines);
  self->lines = g_steal_pointer (&self->job.lines);
  self->fraction = self->job.fraction;
  _cyc_log_text_show_lines (self);
  cyc_log_cache_count_ahead (self->cache);
  return G_SOURCE_REMOVE;
}

void
_cyc_log_text_job_queue (CycLogText *self)
{
  if (self->job_source == 0)
    self->job_source = g_idle_add_full (PRIORITY, job_cb, self, NULL);
}

/* Shows, as soon as its bytes are there, the line @delta lines after that which holds @offset, of which
 * @fraction is above the window. */
void
_cyc_log_text_go (CycLogText *self,
                  guint64     offset,
                  gint64      delta,
                  double      fraction)
{
  _cyc_log_text_job_clear (self);
  self->job.stage = JOB_SNAP;
  self->job.cursor = offset;
  self->job.delta = delta;
  self->job.fraction = fraction;
  _cyc_log_text_job_queue (self);
}

/**
 * cyc_log_text_scroll:
 * @self: a log's text
 * @n_lines: how far down; negative for up
 *
 * Scrolls by lines and parts of lines, from what is shown or is about to be.
 */
void
cyc_log_text_scroll (CycLogText *self,
                     double      n_lines)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  CycLogJob *job = &self->job;
  guint64 base = self->lines->len > 0 ? ((CycLogLine *) g_ptr_array_index (self->lines, 0))->start : 0;
  double from = self->fraction;
  if (n_lines < 0)
    cyc_log_text_set_follow (self, FALSE);
  if (job->stage == JOB_SNAP || job->stage == JOB_MOVE)
    {
      base = job->cursor;
      from = (double) job->delta + job->fraction;
    }
  double target = from + n_lines;
  double whole = floor (target);
  _cyc_log_text_go (self, base, (gint64) whole, target - whole);
}
