/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-table.h"
#include "cli/cyc-ctl-timeline.h"
#include "core/base/cyc-format.h"
#include "core/timeline/cyc-timeline-summary.h"

/* What a cycle trace says at a glance, as JSON or as tables. */

#define DEFAULT_WAITS 10
#define MAX_WAITS 1000000

/* JSON */

/* Sums of cycles may be wider than 64 bits. */
static void
put_cycles (CycJsonWriter *writer,
            const char    *key,
            CycWideTime    cycles)
{
  char buf[CYC_WIDE_TIME_BUF];

  cyc_json_writer_key (writer, key);
  cyc_wide_count_format (cycles, buf);
  cyc_json_writer_raw (writer, buf, strlen (buf));
}

static const CycTimelineTrack *
get_track (const CycTimelineSummary *summary,
           guint32                   track)
{
  guint n;

  return &cyc_timeline_get_tracks (summary->timeline, &n)[track];
}

static const CycTimelineTrack *
get_span_track (const CycTimelineSummary *summary,
                guint32                   span)
{
  guint n;
  guint32 row = cyc_timeline_find_row (summary->timeline, span);

  return get_track (summary, cyc_timeline_get_rows (summary->timeline, &n)[row].track);
}

static const CycSummaryCore *
get_core (const CycTimelineSummary *summary,
          guint                     i)
{
  return &g_array_index (summary->cores, CycSummaryCore, i);
}

static void
write_core (CycJsonWriter            *writer,
            const CycTimelineSummary *summary,
            const CycSummaryCore     *core)
{
  const CycTimelineTrack *track = get_track (summary, core->track);
  guint n;

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "pid", cyc_timeline_get_processes (summary->timeline, &n)[track->process].id);
  cyc_json_writer_put_string (writer, "tid", track->id);
  cyc_json_writer_put_string (writer, "name", track->name);
  cyc_json_writer_put_int (writer, "records", (gint64) core->n);
  cyc_json_writer_put_int_or_null (writer, "entry_cycle", core->has_entry, core->entry);
  cyc_json_writer_put_int (writer, "first_cycle", core->first);
  cyc_json_writer_put_int (writer, "last_cycle", core->last);
  for (guint i = 0; i < CYC_TASK_N_STATES; i++)
    {
      g_autofree char *key = g_strdup_printf ("%s_cycles", cyc_task_state_to_string (i));
      put_cycles (writer, key, core->times[i]);
    }
  cyc_json_writer_put_double (writer, "utilisation", core->utilisation);
  cyc_json_writer_end_object (writer);
}

static void
write_stages (CycJsonWriter            *writer,
              const CycTimelineSummary *summary)
{
  cyc_json_writer_key (writer, "stages");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < summary->stages->len; i++)
    {
      const CycSummaryStage *stage = &g_array_index (summary->stages, CycSummaryStage, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", cyc_timeline_get_text (summary->timeline, stage->stage));
      cyc_json_writer_put_string (writer, "state", cyc_task_state_to_string (stage->state));
      cyc_json_writer_put_int (writer, "count", (gint64) stage->n);
      put_cycles (writer, "total_cycles", stage->total);
      cyc_json_writer_put_int (writer, "longest_cycles", stage->longest);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
write_owners (CycJsonWriter            *writer,
              const CycTimelineSummary *summary)
{
  cyc_json_writer_key (writer, "owners");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < summary->owners->len; i++)
    {
      const CycSummaryOwner *owner = &g_array_index (summary->owners, CycSummaryOwner, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_int_or_null (writer, "owner_id", owner->owner != CYC_TIMELINE_NO_OWNER, owner->owner);
      cyc_json_writer_put_int (writer, "count", (gint64) owner->n);
      put_cycles (writer, "total_cycles", owner->total);
      cyc_json_writer_put_int (writer, "longest_cycles", owner->longest);
      cyc_json_writer_put_int (writer, "p99_cycles", owner->slow);
      cyc_json_writer_put_int (writer, "cores", owner->n_cores);
      cyc_json_writer_put_int (writer, "first_cycle", owner->first);
      cyc_json_writer_put_int (writer, "last_cycle", owner->last);
      cyc_json_writer_put_string (writer, "last_core", get_span_track (summary, owner->last_span)->name);
      cyc_json_writer_put_int (writer, "tail_cycles", owner->tail);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
write_record (CycJsonWriter            *writer,
              const CycTimelineSummary *summary,
              guint32                   span)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (summary->timeline);
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (summary->timeline);

  cyc_json_writer_put_string (writer, "name", cyc_timeline_get_text (summary->timeline, spans->name[span]));
  cyc_json_writer_put_string (writer, "core", get_span_track (summary, span)->name);
  cyc_json_writer_put_int (writer, "task_id", tasks->task[span]);
  cyc_json_writer_put_int_or_null (writer, "owner_id", tasks->owner[span] != CYC_TIMELINE_NO_OWNER,
                                   tasks->owner[span]);
  cyc_json_writer_put_int (writer, "start_cycle", spans->start[span]);
  cyc_json_writer_put_int (writer, "end_cycle", spans->start[span] + spans->duration[span]);
}

static void
write_waits (CycJsonWriter            *writer,
             const CycTimelineSummary *summary)
{
  cyc_json_writer_key (writer, "waits");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < summary->waits->len; i++)
    {
      const CycSummaryWait *wait = &g_array_index (summary->waits, CycSummaryWait, i);
      cyc_json_writer_begin_object (writer);
      put_cycles (writer, "cycles", cyc_timeline_get_spans (summary->timeline)->duration[wait->span]);
      write_record (writer, summary, wait->span);
      cyc_json_writer_key (writer, "ended_by");
      if (wait->ended_by == CYC_TIMELINE_NONE)
        {
          cyc_json_writer_null (writer);
        }
      else
        {
          cyc_json_writer_begin_object (writer);
          cyc_json_writer_put_boolean (writer, "trigger", wait->by_trigger);
          write_record (writer, summary, wait->ended_by);
          cyc_json_writer_end_object (writer);
        }
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
put_core_name (CycJsonWriter            *writer,
               const char               *key,
               const CycTimelineSummary *summary,
               guint                     core)
{
  gboolean any = summary->cores->len > 0;

  cyc_json_writer_put_string (writer, key, any ? get_track (summary, get_core (summary, core)->track)->name : NULL);
}

static void
write_summary (CycJsonWriter *writer,
               gpointer       data)
{
  const CycTimelineSummary *summary = data;
  double frequency = cyc_timeline_get_frequency (summary->timeline);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "frequency_mhz");
  if (frequency > 0)
    cyc_json_writer_double (writer, frequency);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "anchor_cycle");
  cyc_json_writer_uint (writer, cyc_timeline_get_anchor (summary->timeline));
  cyc_json_writer_put_int (writer, "from_cycle", summary->from);
  cyc_json_writer_put_int (writer, "to_cycle", summary->to);
  put_core_name (writer, "first_in", summary, summary->first_in);
  put_core_name (writer, "last_in", summary, summary->last_in);
  put_core_name (writer, "first_out", summary, summary->first_out);
  put_core_name (writer, "last_out", summary, summary->last_out);
  cyc_json_writer_key (writer, "cores");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < summary->cores->len; i++)
    write_core (writer, summary, get_core (summary, i));
  cyc_json_writer_end_array (writer);
  write_stages (writer, summary);
  write_owners (writer, summary);
  write_waits (writer, summary);
  cyc_json_writer_end_object (writer);
}

/* Tables */

static void
add_cycles (CycCtlTable *table,
            CycWideTime  cycles)
{
  char buf[CYC_WIDE_TIME_BUF];

  cyc_ctl_table_add (table, cyc_wide_count_format (cycles, buf));
}

static CycCtlTable *
make_core_table (const CycTimelineSummary *summary)
{
  CycCtlTable *table = cyc_ctl_table_new ();
  const char *const titles[] = { _("IN"), _("OUT"), _("BUSY"), _("WAIT"), _("TRIGGER"), _("OTHER") };

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("CORE"));
  for (guint i = 0; i < G_N_ELEMENTS (titles); i++)
    cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, titles[i]);
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("PERCENT BUSY"));
  for (guint i = 0; i < summary->cores->len; i++)
    {
      const CycSummaryCore *core = get_core (summary, i);
      cyc_ctl_table_add (table, get_track (summary, core->track)->name);
      add_cycles (table, core->entry);
      add_cycles (table, core->last);
      for (guint state = 0; state < CYC_TASK_N_STATES; state++)
        add_cycles (table, core->times[state]);
      cyc_ctl_table_take (table, g_strdup_printf ("%.1f", core->utilisation * 100));
    }
  return table;
}

static CycCtlTable *
make_stage_table (const CycTimelineSummary *summary)
{
  CycCtlTable *table = cyc_ctl_table_new ();

  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("STAGE OR OWNER"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("COUNT"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("TOTAL"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("LONGEST"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("TAIL"));
  for (guint i = 0; i < summary->stages->len; i++)
    {
      const CycSummaryStage *stage = &g_array_index (summary->stages, CycSummaryStage, i);
      cyc_ctl_table_add (table, cyc_timeline_get_text (summary->timeline, stage->stage));
      add_cycles (table, stage->n);
      add_cycles (table, stage->total);
      add_cycles (table, stage->longest);
      cyc_ctl_table_add (table, NULL);
    }
  for (guint i = 0; i < summary->owners->len; i++)
    {
      const CycSummaryOwner *owner = &g_array_index (summary->owners, CycSummaryOwner, i);
      if (owner->owner == CYC_TIMELINE_NO_OWNER)
        cyc_ctl_table_add (table, _("no owner"));
      else
        cyc_ctl_table_take (table, g_strdup_printf (_("owner %u"), owner->owner));
      add_cycles (table, owner->n);
      add_cycles (table, owner->total);
      add_cycles (table, owner->longest);
      add_cycles (table, owner->tail);
    }
  return table;
}

static char *
dup_waits (const CycTimelineSummary *summary)
{
  GString *out = g_string_new (NULL);
  const CycTimelineSpans *spans = cyc_timeline_get_spans (summary->timeline);

  for (guint i = 0; i < summary->waits->len; i++)
    {
      const CycSummaryWait *wait = &g_array_index (summary->waits, CycSummaryWait, i);
      const char *core = get_span_track (summary, wait->span)->name;
      const char *name = cyc_timeline_get_text (summary->timeline, spans->name[wait->span]);
      g_autofree char *line = NULL;
      if (wait->ended_by == CYC_TIMELINE_NONE)
        line = g_strdup_printf (_("%s waited %" PRId64 " cycles from %" PRId64 " on: %s"), core,
                                spans->duration[wait->span], spans->start[wait->span], name);
      else
        line = g_strdup_printf (_("%s waited %" PRId64 " cycles from %" PRId64 " on: %s, ended by %s on %s"), core,
                                spans->duration[wait->span], spans->start[wait->span], name,
                                cyc_timeline_get_text (summary->timeline, spans->name[wait->ended_by]),
                                get_span_track (summary, wait->ended_by)->name);
      g_autofree char *printable = cyc_format_printable (line);
      g_string_append_printf (out, "%s\n", printable);
    }
  return g_string_free (out, FALSE);
}

static int
print_tables (CycCtlApp                *app,
              const CycTimelineSummary *summary,
              GError                  **error)
{
  g_autoptr (CycCtlTable) cores = make_core_table (summary);
  g_autoptr (CycCtlTable) stages = make_stage_table (summary);
  g_autofree char *waits = dup_waits (summary);

  return cyc_ctl_app_print_tables (app, cores, stages, waits, error);
}

static int
run_summary (CycCtlApp  *app,
             GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  GCancellable *cancellable = cyc_ctl_interrupt_get_cancellable (interrupt);
  g_autofree gboolean *tracks = NULL;
  gint64 n_waits = DEFAULT_WAITS;
  CycTimelineArea area;

  if (!cyc_ctl_args_get_int (args, "waits", 0, MAX_WAITS, &n_waits, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycTimeline) timeline = cyc_ctl_timeline_load (app, TRUE, cancellable, error);
  if (timeline == NULL || !cyc_ctl_timeline_read_tracks (app, timeline, &tracks, error))
    return CYC_CTL_FAILED;
  cyc_timeline_area_init (&area, timeline);
  area.tracks = tracks;
  g_autoptr (CycTimelineSummary) summary =
    cyc_timeline_summary_new (timeline, &area, (guint) n_waits, 1, cancellable, error);
  if (summary == NULL)
    {
      g_prefix_error (error, "%s: ", cyc_ctl_args_get_argument (args, 0));
      return CYC_CTL_FAILED;
    }
  cyc_ctl_timeline_hint_repairs (timeline);
  if (g_strcmp0 (cyc_ctl_args_get (args, "format"), "table") == 0)
    return print_tables (app, summary, error);
  return cyc_ctl_app_print_json (app, write_summary, summary, error);
}

static const CycCtlOption summary_options[] = {
  CYC_CTL_OPTION_TRACK,
  CYC_CTL_OPTIONS_READING,
  { "waits", 0, CYC_CTL_VALUE, "N", N_("how many of the longest waits to tell; default 10") },
  { "format", 0, CYC_CTL_CHOICE, "json|table", N_("form of the output; default json") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_timeline_summary = {
  .group = "timeline",
  .name = "summary",
  .arguments = "FILE",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("sum up a cycle trace: cores, stages, owners and waits"),
  .detail = N_("Times are in cycles from the anchor of the trace. What ended a wait is told as far as times tell: the "
               "trigger of another core that began last before its end."),
  .options = summary_options,
  .run = run_summary,
};
