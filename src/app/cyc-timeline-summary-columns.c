/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-summary-columns.h"

#include <glib/gi18n.h>

#include "app/cyc-array-item.h"
#include "app/cyc-timeline-figures.h"
#include "core/base/cyc-format.h"

/* The columns of the tables of a summary: cores, stages, owners, waits. Rows are CycArrayItem. */

static CycTimelineSummaryTexts *
get_texts (gpointer user_data)
{
  return user_data;
}

static const CycTimelineUnits *
get_units (gpointer user_data)
{
  return &get_texts (user_data)->units;
}

/* A column of a kind of record, which is called row: as a number to sort by, and as text. */
#define COLUMN(NAME, TYPE, NUMBER, TEXT) \
  static double \
  NAME##_number (gpointer item, \
                 gpointer user_data) \
  { \
    const TYPE *row = cyc_array_item_get_record (item); \
    return NUMBER; \
  } \
 \
  static char * \
  NAME##_text (gpointer item, \
               gpointer user_data) \
  { \
    const TYPE *row = cyc_array_item_get_record (item); \
    return TEXT; \
  }

#define FIGURE_COLUMN(NAME, TYPE, VALUE) \
  COLUMN (NAME, TYPE, cyc_timeline_figures_number (get_units (user_data), VALUE), \
          cyc_timeline_figures_dup_text (get_units (user_data), VALUE))

#define TIME_COLUMN(NAME, TYPE, VALUE) \
  COLUMN (NAME, TYPE, cyc_timeline_figures_time_number (get_units (user_data), VALUE), \
          cyc_timeline_figures_dup_time (get_units (user_data), VALUE))

#define COUNT_COLUMN(NAME, TYPE, VALUE) \
  COLUMN (NAME, TYPE, (double) (VALUE), cyc_format_grouped ((double) (VALUE), 0))

/* Cores */

static const char *
get_track (CycTimelineSummary *summary,
           guint32             track)
{
  guint n;

  return cyc_timeline_get_tracks (summary->timeline, &n)[track].name;
}

/* Of the track of a span. */
static const char *
get_track_of (CycTimelineSummary *summary,
              guint32             span)
{
  guint n;
  guint32 row = cyc_timeline_find_row (summary->timeline, span);

  return get_track (summary, cyc_timeline_get_rows (summary->timeline, &n)[row].track);
}

static char *
core_text (gpointer item,
           gpointer user_data)
{
  const CycSummaryCore *row = cyc_array_item_get_record (item);

  return cyc_format_printable (get_track (get_texts (user_data)->summary, row->track));
}

/* In the order of the tracks. */
static double
core_number (gpointer item,
             gpointer user_data)
{
  const CycSummaryCore *row = cyc_array_item_get_record (item);

  return row->track;
}

COUNT_COLUMN (core_n, CycSummaryCore, row->n)
FIGURE_COLUMN (core_busy, CycSummaryCore, row->times[CYC_TASK_BUSY])
FIGURE_COLUMN (core_wait, CycSummaryCore, row->times[CYC_TASK_WAIT])
FIGURE_COLUMN (core_trigger, CycSummaryCore, row->times[CYC_TASK_TRIGGER])
FIGURE_COLUMN (core_other, CycSummaryCore, row->times[CYC_TASK_OTHER])
TIME_COLUMN (core_entry, CycSummaryCore, row->entry)
TIME_COLUMN (core_first, CycSummaryCore, row->first)
TIME_COLUMN (core_last, CycSummaryCore, row->last)

static double
utilisation_number (gpointer item,
                    gpointer user_data)
{
  const CycSummaryCore *row = cyc_array_item_get_record (item);

  return row->utilisation * 100;
}

static char *
utilisation_text (gpointer item,
                  gpointer user_data)
{
  g_autofree char *number = cyc_format_grouped (utilisation_number (item, user_data), 1);

  return g_strdup_printf ("%s %%", number);
}

static const CycTableColumn core_columns[] = {
  { .id = "core", .title = N_("Core"), .width = 7, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = core_text,
    .get_number = core_number },
  { .id = "busy", .title = N_("Busy (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = core_busy_text, .get_number = core_busy_number },
  { .id = "wait", .title = N_("Waiting (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = core_wait_text, .get_number = core_wait_number },
  { .id = "trigger", .title = N_("Triggers (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = core_trigger_text, .get_number = core_trigger_number },
  { .id = "other", .title = N_("Other (%s)"), .width = 10,
    .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN, .get_text = core_other_text,
    .get_number = core_other_number, .tooltip = N_("Beginning and end of the task graph") },
  { .id = "utilisation", .title = N_("Utilisation"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = utilisation_text, .get_number = utilisation_number,
    .tooltip = N_("How much of the time between the first core in and the last core out it was busy, in percent") },
  { .id = "records", .title = N_("Records"), .width = 8,
    .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN, .get_text = core_n_text,
    .get_number = core_n_number },
  { .id = "entry", .title = N_("In (%s)"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = core_entry_text, .get_number = core_entry_number,
    .tooltip = N_("When the core came in; the start of its first record if the trace does not say") },
  { .id = "first", .title = N_("First Record (%s)"), .width = 12,
    .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN, .get_text = core_first_text,
    .get_number = core_first_number },
  { .id = "last", .title = N_("Out (%s)"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = core_last_text, .get_number = core_last_number, .tooltip = N_("When its last record ended") },
};

/* Stages */

static char *
stage_text (gpointer item,
            gpointer user_data)
{
  const CycSummaryStage *row = cyc_array_item_get_record (item);

  return cyc_format_printable (cyc_timeline_get_text (get_texts (user_data)->summary->timeline, row->stage));
}

static const char *
get_state_word (CycTaskState state)
{
  switch (state)
    {
    case CYC_TASK_BUSY:
      return C_("state", "computes");
    case CYC_TASK_WAIT:
      return C_("state", "waits");
    case CYC_TASK_TRIGGER:
      return C_("state", "triggers");
    case CYC_TASK_OTHER:
    default:
      return C_("state", "other");
    }
}

static char *
state_text (gpointer item,
            gpointer user_data)
{
  const CycSummaryStage *row = cyc_array_item_get_record (item);

  return g_strdup (get_state_word (row->state));
}

COUNT_COLUMN (stage_n, CycSummaryStage, row->n)
FIGURE_COLUMN (stage_total, CycSummaryStage, row->total)
FIGURE_COLUMN (stage_longest, CycSummaryStage, row->longest)

COLUMN (stage_average, CycSummaryStage,
        cyc_timeline_figures_average (get_units (user_data), row->total, MAX (row->n, 1)),
        cyc_timeline_figures_dup_average (get_units (user_data), row->total, MAX (row->n, 1)))

static const CycTableColumn stage_columns[] = {
  { .id = "stage", .title = N_("Stage"), .width = 16, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = stage_text },
  { .id = "state", .title = N_("State"), .width = 9, .get_text = state_text },
  { .id = "count", .title = N_("Count"), .width = 8, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = stage_n_text,
    .get_number = stage_n_number },
  { .id = "total", .title = N_("Total (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = stage_total_text, .get_number = stage_total_number },
  { .id = "average", .title = N_("Average (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = stage_average_text, .get_number = stage_average_number },
  { .id = "longest", .title = N_("Longest (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = stage_longest_text, .get_number = stage_longest_number },
};

/* Owners */

static char *
owner_text (gpointer item,
            gpointer user_data)
{
  const CycSummaryOwner *row = cyc_array_item_get_record (item);

  return row->owner == CYC_TIMELINE_NO_OWNER ? g_strdup (_("(none)")) : g_strdup_printf ("%u", row->owner);
}

static double
owner_number (gpointer item,
              gpointer user_data)
{
  const CycSummaryOwner *row = cyc_array_item_get_record (item);

  return row->owner == CYC_TIMELINE_NO_OWNER ? G_MAXDOUBLE : row->owner;
}

COUNT_COLUMN (owner_n, CycSummaryOwner, row->n)
COUNT_COLUMN (owner_cores, CycSummaryOwner, row->n_cores)
FIGURE_COLUMN (owner_total, CycSummaryOwner, row->total)
FIGURE_COLUMN (owner_longest, CycSummaryOwner, row->longest)
FIGURE_COLUMN (owner_slow, CycSummaryOwner, row->slow)
FIGURE_COLUMN (owner_tail, CycSummaryOwner, row->tail)
TIME_COLUMN (owner_first, CycSummaryOwner, row->first)
TIME_COLUMN (owner_last, CycSummaryOwner, row->last)

static const CycTableColumn owner_columns[] = {
  { .id = "owner", .title = N_("Owner"), .width = 6, .flags = CYC_TABLE_COLUMN_END | CYC_TABLE_COLUMN_EXPAND,
    .get_text = owner_text, .get_number = owner_number },
  { .id = "count", .title = N_("Count"), .width = 8, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = owner_n_text,
    .get_number = owner_n_number },
  { .id = "cores", .title = N_("Cores"), .width = 7,
    .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN, .get_text = owner_cores_text,
    .get_number = owner_cores_number },
  { .id = "total", .title = N_("Total (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = owner_total_text, .get_number = owner_total_number },
  { .id = "slow", .title = N_("99 of 100 up to (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = owner_slow_text, .get_number = owner_slow_number,
    .tooltip = N_("The shortest duration that 99 of 100 of its records do not exceed") },
  { .id = "longest", .title = N_("Longest (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = owner_longest_text, .get_number = owner_longest_number },
  { .id = "first", .title = N_("First Start (%s)"), .width = 12,
    .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN, .get_text = owner_first_text,
    .get_number = owner_first_number },
  { .id = "last", .title = N_("Last End (%s)"), .width = 12,
    .flags = CYC_TABLE_COLUMN_NUMBER | CYC_TABLE_COLUMN_HIDDEN, .get_text = owner_last_text,
    .get_number = owner_last_number },
  { .id = "tail", .title = N_("Tail (%s)"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = owner_tail_text, .get_number = owner_tail_number,
    .tooltip = N_("From when the first of its cores had nothing more to do for it, to when the last had") },
};

/* Waits */

static gint64
get_start (gpointer user_data,
           guint32  span)
{
  return cyc_timeline_get_spans (get_texts (user_data)->summary->timeline)->start[span];
}

static gint64
get_duration (gpointer user_data,
              guint32  span)
{
  return cyc_timeline_get_spans (get_texts (user_data)->summary->timeline)->duration[span];
}

static const char *
get_name (gpointer user_data,
          guint32  span)
{
  CycTimeline *timeline = get_texts (user_data)->summary->timeline;

  return cyc_timeline_get_text (timeline, cyc_timeline_get_spans (timeline)->name[span]);
}

static char *
wait_text (gpointer item,
           gpointer user_data)
{
  const CycSummaryWait *row = cyc_array_item_get_record (item);

  return cyc_format_printable (get_name (user_data, row->span));
}

static char *
wait_core_text (gpointer item,
                gpointer user_data)
{
  const CycSummaryWait *row = cyc_array_item_get_record (item);

  return cyc_format_printable (get_track_of (get_texts (user_data)->summary, row->span));
}

FIGURE_COLUMN (wait_duration, CycSummaryWait, get_duration (user_data, row->span))
TIME_COLUMN (wait_start, CycSummaryWait, get_start (user_data, row->span))

static char *
ender_text (gpointer item,
            gpointer user_data)
{
  const CycSummaryWait *row = cyc_array_item_get_record (item);

  return row->ended_by == CYC_TIMELINE_NONE ? g_strdup (_("not known"))
                                            : cyc_format_printable (get_name (user_data, row->ended_by));
}

static char *
ender_core_text (gpointer item,
                 gpointer user_data)
{
  const CycSummaryWait *row = cyc_array_item_get_record (item);

  if (row->ended_by == CYC_TIMELINE_NONE)
    return g_strdup ("");
  return cyc_format_printable (get_track_of (get_texts (user_data)->summary, row->ended_by));
}

static char *
by_text (gpointer item,
         gpointer user_data)
{
  const CycSummaryWait *row = cyc_array_item_get_record (item);

  if (row->ended_by == CYC_TIMELINE_NONE)
    return g_strdup ("");
  return g_strdup (row->by_trigger ? _("its trigger") : _("its end"));
}

static const CycTableColumn wait_columns[] = {
  { .id = "core", .title = N_("Core"), .width = 6, .get_text = wait_core_text },
  { .id = "wait", .title = N_("Wait"), .width = 13, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = wait_text },
  { .id = "start", .title = N_("Start (%s)"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = wait_start_text, .get_number = wait_start_number },
  { .id = "duration", .title = N_("Duration (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = wait_duration_text, .get_number = wait_duration_number },
  { .id = "ended-by", .title = N_("Ended by"), .width = 12, .flags = CYC_TABLE_COLUMN_EXPAND,
    .get_text = ender_text,
    .tooltip = N_("The record of another core that ended the wait, as far as times tell: the trigger that began last "
                  "before the wait ended; without one, what ended last during the wait") },
  { .id = "ended-by-core", .title = N_("On Core"), .width = 6, .get_text = ender_core_text },
  { .id = "ended-by-what", .title = N_("Through"), .width = 7, .get_text = by_text },
};

/**
 * cyc_timeline_summary_columns_get:
 * @table: a table of a summary
 * @out_n: (out): how many columns it has
 *
 * Returns: (transfer none) (array length=out_n): its columns, untranslated, which take a CycTimelineSummaryTexts;
 *   `%s` in a title stands for the unit
 */
const CycTableColumn *
cyc_timeline_summary_columns_get (CycSummaryTable  table,
                                  guint           *out_n)
{
  static const struct
  {
    const CycTableColumn *columns;
    guint                 n;
  } all[CYC_SUMMARY_N_TABLES] = {
    [CYC_SUMMARY_CORES] = { core_columns, G_N_ELEMENTS (core_columns) },
    [CYC_SUMMARY_STAGES] = { stage_columns, G_N_ELEMENTS (stage_columns) },
    [CYC_SUMMARY_OWNERS] = { owner_columns, G_N_ELEMENTS (owner_columns) },
    [CYC_SUMMARY_WAITS] = { wait_columns, G_N_ELEMENTS (wait_columns) },
  };

  *out_n = all[table].n;
  return all[table].columns;
}

/**
 * cyc_timeline_summary_columns_list:
 * @summary: a summary, which has to outlive the model
 * @table: one of its tables
 *
 * Returns: (transfer full): a model of CycArrayItem, in the summary's order
 */
GListModel *
cyc_timeline_summary_columns_list (CycTimelineSummary *summary,
                                   CycSummaryTable     table)
{
  GArray *const arrays[CYC_SUMMARY_N_TABLES] = {
    [CYC_SUMMARY_CORES] = summary->cores,
    [CYC_SUMMARY_STAGES] = summary->stages,
    [CYC_SUMMARY_OWNERS] = summary->owners,
    [CYC_SUMMARY_WAITS] = summary->waits,
  };
  GArray *array = arrays[table];
  g_autoptr (GPtrArray) records = g_ptr_array_sized_new (array->len);

  for (guint i = 0; i < array->len; i++)
    g_ptr_array_add (records, array->data + (gsize) i * g_array_get_element_size (array));
  return cyc_array_item_list (records, NULL, NULL);
}
