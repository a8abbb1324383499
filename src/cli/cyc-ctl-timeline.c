/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-timeline.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-picture.h"
#include "cli/cyc-ctl-progress.h"
#include "core/base/cyc-csv.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/timeline/cyc-chrome-writer.h"
#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-timeline-query.h"
#include "plot/cyc-timeline-picture.h"

#define PLOT_WIDTH 1600
#define PLOT_TEXT 11

/* Loading */

static void
progress_cb (double   fraction,
             gpointer user_data)
{
  CycCtlProgress *progress = user_data;

  if (cyc_ctl_progress_is_due (progress))
    cyc_ctl_progress_show (progress, _("%.0f %% read"), fraction * 100);
}

/* The number of times is a number of events; plural forms go by what fits their type. */
static gulong
get_plural (guint64 n)
{
  return (gulong) MIN (n, G_MAXULONG);
}

/**
 * cyc_ctl_timeline_hint_repairs:
 * @timeline: a timeline
 *
 * Tells what was repaired in its file, in a line each; for after the work.
 */
void
cyc_ctl_timeline_hint_repairs (CycTimeline *timeline)
{
  const CycTraceRepairs *repairs = cyc_timeline_get_repairs (timeline);

  if (cyc_timeline_get_warning (timeline) != NULL)
    cyc_ctl_message_hint ("%s", cyc_timeline_get_warning (timeline));
  for (guint i = 0; i < CYC_TRACE_N_REPAIRS; i++)
    if (repairs->counts[i] > 0 && repairs->first[i] == CYC_TRACE_NOWHERE)
      cyc_ctl_message_hint (ngettext ("%s: %" PRIu64 " time", "%s: %" PRIu64 " times", get_plural (repairs->counts[i])),
                            cyc_trace_repair_get_text (i), repairs->counts[i]);
    else if (repairs->counts[i] > 0)
      cyc_ctl_message_hint (ngettext ("%s: %" PRIu64 " time, first at byte %" PRIu64,
                                      "%s: %" PRIu64 " times, first at byte %" PRIu64,
                                      get_plural (repairs->counts[i])),
                            cyc_trace_repair_get_text (i), repairs->counts[i], repairs->first[i]);
}

/* How the options say that the file is to be read. */
static CycTimelineReading *
create_reading (CycCtlApp  *app,
                gboolean    keep_cycles,
                GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  const char *unit = cyc_ctl_args_get (args, "time-unit"), *clock = cyc_ctl_args_get (args, "clock");
  const char *const *categories = cyc_ctl_args_get_list (args, "category");
  g_autoptr (CycTimelineReading) reading = cyc_timeline_reading_new ();
  g_autoptr (GError) local = NULL;

  if (unit != NULL)
    cyc_timeline_file_unit_from_string (unit, &reading->unit);
  if (categories != NULL && categories[0] != NULL)
    reading->categories = g_strdupv ((char **) categories);
  if (clock != NULL && (!cyc_number_parse_double (clock, strlen (clock), &reading->mhz) || reading->mhz <= 0))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--clock must be a number of MHz, not '%s'"), clock);
      return NULL;
    }
  reading->in_time = !keep_cycles;
  if (!keep_cycles && reading->unit == CYC_TIMELINE_FILE_CYCLES && clock == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("cycles have no times without their clock; give --clock"));
      return NULL;
    }
  if (cyc_timeline_reading_check (reading, &local))
    return g_steal_pointer (&reading);
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--clock goes with --time-unit=cycles"));
  return NULL;
}

/**
 * cyc_ctl_timeline_load:
 * @app: the running program, whose first argument is a file
 * @keep_cycles: whether a cycle trace keeps its cycles
 * @cancellable: (nullable): to cancel it
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): the timeline
 */
CycTimeline *
cyc_ctl_timeline_load (CycCtlApp     *app,
                       gboolean       keep_cycles,
                       GCancellable  *cancellable,
                       GError       **error)
{
  const char *path = cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0);
  g_autoptr (CycCtlProgress) progress = cyc_ctl_progress_new (app);
  g_autoptr (CycTimelineReading) reading = create_reading (app, keep_cycles, error);

  if (reading == NULL)
    return NULL;
  return cyc_timeline_load_as (path, reading, keep_cycles ? CYC_TIMELINE_KEEP_CYCLES : 0, NULL, progress_cb, progress,
                               cancellable, error);
}

/* The range */

static gboolean
read_cycles (CycTimeline   *timeline,
             const char    *option,
             const char    *text,
             CycTraceTime  *out_time,
             GError       **error)
{
  double frequency = cyc_timeline_get_frequency (timeline), cycles;
  char buf[CYC_DOUBLE_BUF];

  if (!cyc_number_parse_double (text, strlen (text) - 1, &cycles))
    return FALSE;
  if (frequency == 0)
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        _("--%s is in cycles, but the file does not say its clock; give microseconds"), option);
      return FALSE;
    }
  cyc_number_format_double (buf, cycles / frequency);
  return cyc_trace_time_parse (buf, strlen (buf), out_time);
}

/* A time of the command line as an offset; times beyond what the timeline holds become its first or last. */
static gboolean
read_time (CycCtlApp    *app,
           CycTimeline  *timeline,
           const char   *option,
           gint64       *offset,
           GError      **error)
{
  const char *text = cyc_ctl_args_get (cyc_ctl_app_get_args (app), option);
  CycTraceTime time;
  g_autoptr (GError) local = NULL;
  gboolean ok;

  if (text == NULL)
    return TRUE;
  if (g_str_has_suffix (text, "c"))
    ok = read_cycles (timeline, option, text, &time, &local);
  else
    ok = cyc_trace_time_parse (text, strlen (text), &time);
  if (!ok && local == NULL)
    cyc_error_set_at (&local, CYC_ERROR_VALUE, NULL, 0,
                      _("--%s must be a time in microseconds, or in cycles with a c behind it, not '%s'"), option,
                      text);
  if (local != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
  if (!cyc_trace_time_get_offset (&time, cyc_timeline_get_base (timeline), offset))
    *offset = time.us < cyc_timeline_get_base (timeline) ? G_MININT64 : G_MAXINT64;
  return TRUE;
}

static gboolean
read_range (CycCtlApp        *app,
            CycTimeline      *timeline,
            CycTimelineArea  *area,
            GError          **error)
{
  cyc_timeline_area_init (area, timeline);
  area->has_from = cyc_ctl_args_has (cyc_ctl_app_get_args (app), "from");
  area->has_to = cyc_ctl_args_has (cyc_ctl_app_get_args (app), "to");
  if (!read_time (app, timeline, "from", &area->from, error) || !read_time (app, timeline, "to", &area->to, error))
    return FALSE;
  if (area->from <= area->to)
    return TRUE;
  /* With one end given, nothing lies in the range. */
  if (!area->has_from || !area->has_to)
    {
      area->to = area->from;
      return TRUE;
    }
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--from must not be after --to"));
  return FALSE;
}

/**
 * cyc_ctl_timeline_read_tracks:
 * @app: the running program
 * @timeline: a timeline
 * @out_tracks: (out) (transfer full) (nullable): for each track whether --track names it, by name or id; %NULL for all
 * @error: return location for an error
 *
 * Returns: %FALSE if one names none
 */
gboolean
cyc_ctl_timeline_read_tracks (CycCtlApp    *app,
                              CycTimeline  *timeline,
                              gboolean    **out_tracks,
                              GError      **error)
{
  const char *const *names = cyc_ctl_args_get_list (cyc_ctl_app_get_args (app), "track");
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (timeline, &n);

  *out_tracks = NULL;
  if (names == NULL || names[0] == NULL)
    return TRUE;
  *out_tracks = g_new0 (gboolean, MAX (n, 1));
  for (; *names != NULL; names++)
    {
      gboolean found = FALSE;
      for (guint i = 0; i < n; i++)
        if (strcmp (tracks[i].name, *names) == 0 || strcmp (tracks[i].id, *names) == 0)
          found = (*out_tracks)[i] = TRUE;
      if (found)
        continue;
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), 0,
                        _("there is no track '%s'; see cyclescopectl timeline info"), *names);
      return FALSE;
    }
  return TRUE;
}

/* timeline info */

static void
put_offset (CycJsonWriter *writer,
            const char    *key,
            gint64         base_us,
            gint64         ps)
{
  CycTraceTime time;
  char buf[CYC_TRACE_TIME_BUF];

  cyc_trace_time_init (&time, base_us, ps);
  cyc_trace_time_format (&time, buf);
  cyc_json_writer_key (writer, key);
  cyc_json_writer_raw (writer, buf, strlen (buf));
}

static guint64
count_spans (CycTimeline            *timeline,
             const CycTimelineTrack *track)
{
  guint n;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);
  guint64 count = 0;

  for (guint32 i = 0; i < track->n_rows; i++)
    count += rows[track->first_row + i].n;
  return count;
}

static void
write_track (CycJsonWriter *writer,
             CycTimeline   *timeline,
             guint32        index)
{
  static const char *const kinds[] = { "thread", "async", "counter" };
  guint n;
  const CycTimelineTrack *track = &cyc_timeline_get_tracks (timeline, &n)[index];
  const CycTimelineProcess *process = &cyc_timeline_get_processes (timeline, &n)[track->process];
  const CycTimelineSeries *series = cyc_timeline_get_series (timeline, &n);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "kind", kinds[track->kind]);
  cyc_json_writer_put_string (writer, "process", process->name);
  cyc_json_writer_put_string (writer, "pid", process->id);
  cyc_json_writer_put_string (writer, "name", track->name);
  cyc_json_writer_put_string (writer, track->kind == CYC_TRACK_THREAD ? "tid" : "id", track->id);
  if (track->kind == CYC_TRACK_COUNTER)
    {
      cyc_json_writer_key (writer, "series");
      cyc_json_writer_begin_object (writer);
      for (guint32 i = 0; i < track->n_series; i++)
        cyc_json_writer_put_int (writer, series[track->first_series + i].name, series[track->first_series + i].n);
      cyc_json_writer_end_object (writer);
    }
  else
    {
      cyc_json_writer_put_int (writer, "spans", (gint64) count_spans (timeline, track));
      cyc_json_writer_put_int (writer, "rows", track->n_rows);
      cyc_json_writer_put_int (writer, "overlaps", track->n_overlaps);
    }
  cyc_json_writer_end_object (writer);
}

static void
write_phases (CycJsonWriter *writer,
              CycTimeline   *timeline)
{
  cyc_json_writer_key (writer, "events");
  cyc_json_writer_begin_object (writer);
  for (int phase = 1; phase < 128; phase++)
    {
      const char key[] = { (char) phase, '\0' };
      if (cyc_timeline_get_n_phase (timeline, (char) phase) > 0)
        cyc_json_writer_put_int (writer, key, (gint64) cyc_timeline_get_n_phase (timeline, (char) phase));
    }
  cyc_json_writer_end_object (writer);
}

static void
write_repairs (CycJsonWriter *writer,
               CycTimeline   *timeline)
{
  const CycTraceRepairs *repairs = cyc_timeline_get_repairs (timeline);

  cyc_json_writer_key (writer, "repairs");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < CYC_TRACE_N_REPAIRS; i++)
    {
      if (repairs->counts[i] == 0)
        continue;
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "code", cyc_trace_repair_get_code (i));
      cyc_json_writer_put_int (writer, "count", (gint64) repairs->counts[i]);
      cyc_json_writer_put_int_or_null (writer, "first_byte", repairs->first[i] != CYC_TRACE_NOWHERE,
                                       (gint64) repairs->first[i]);
      cyc_json_writer_put_string (writer, "text", cyc_trace_repair_get_text (i));
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static void
write_range (CycJsonWriter *writer,
             CycTimeline   *timeline)
{
  gint64 base = cyc_timeline_get_base (timeline), start, end;
  double frequency = cyc_timeline_get_frequency (timeline);

  cyc_timeline_get_range (timeline, &start, &end);
  put_offset (writer, "from_us", base, start);
  put_offset (writer, "to_us", base, end);
  cyc_timeline_get_dense (timeline, &start, &end);
  put_offset (writer, "dense_from_us", base, start);
  put_offset (writer, "dense_to_us", base, end);
  cyc_json_writer_put_int (writer, "outside_dense", (gint64) cyc_timeline_get_n_sparse (timeline));
  cyc_json_writer_key (writer, "frequency_mhz");
  if (frequency > 0)
    cyc_json_writer_double (writer, frequency);
  else
    cyc_json_writer_null (writer);
}

static void
write_info (CycJsonWriter *writer,
            gpointer       data)
{
  CycTimeline *timeline = data;
  guint n;

  cyc_json_writer_begin_object (writer);
  write_range (writer, timeline);
  write_phases (writer, timeline);
  cyc_json_writer_key (writer, "tracks");
  cyc_json_writer_begin_array (writer);
  cyc_timeline_get_tracks (timeline, &n);
  for (guint i = 0; i < n; i++)
    write_track (writer, timeline, i);
  cyc_json_writer_end_array (writer);
  write_repairs (writer, timeline);
  cyc_json_writer_put_string (writer, "warning", cyc_timeline_get_warning (timeline));
  cyc_json_writer_end_object (writer);
}

static int
run_info (CycCtlApp  *app,
          GError    **error)
{
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  g_autoptr (CycTimeline) timeline =
    cyc_ctl_timeline_load (app, FALSE, cyc_ctl_interrupt_get_cancellable (interrupt), error);

  return timeline == NULL ? CYC_CTL_FAILED : cyc_ctl_app_print_json (app, write_info, timeline, error);
}

/* timeline stats */

typedef struct
{
  const CycTimelineStat *rows;
  guint                  n;
} Stats;

static const char *const stat_names[] = { "sum_us", "min_us", "avg_us", "max_us", "median_us", "self_us" };

#define N_STATS G_N_ELEMENTS (stat_names)

/* The figures of a row as texts, exact but for the average. */
static void
format_stat (const CycTimelineStat *stat,
             char                   out[N_STATS][CYC_WIDE_TIME_BUF])
{
  const CycWideTime values[N_STATS] = { stat->sum, stat->min, 0, stat->max, stat->median, stat->self };
  char buf[CYC_DOUBLE_BUF];

  for (guint i = 0; i < N_STATS; i++)
    cyc_wide_time_format (values[i], out[i]);
  cyc_number_format_double (buf, cyc_timeline_stat_get_average (stat) / CYC_PS_PER_US);
  g_strlcpy (out[2], buf, CYC_WIDE_TIME_BUF);
}

static void
write_stats (CycJsonWriter *writer,
             gpointer       data)
{
  Stats *self = data;
  char texts[N_STATS][CYC_WIDE_TIME_BUF];

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->n; i++)
    {
      const CycTimelineStat *stat = &self->rows[i];
      format_stat (stat, texts);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", stat->label);
      cyc_json_writer_put_int (writer, "count", (gint64) stat->count);
      for (guint k = 0; k < N_STATS; k++)
        {
          cyc_json_writer_key (writer, stat_names[k]);
          cyc_json_writer_raw (writer, texts[k], strlen (texts[k]));
        }
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

static char *
dup_csv (const Stats *self)
{
  GString *text = g_string_new ("name,count");
  char texts[N_STATS][CYC_WIDE_TIME_BUF];

  for (guint k = 0; k < N_STATS; k++)
    g_string_append_printf (text, ",%s", stat_names[k]);
  g_string_append_c (text, '\n');
  for (guint i = 0; i < self->n; i++)
    {
      const CycTimelineStat *stat = &self->rows[i];
      format_stat (stat, texts);
      cyc_csv_append (text, stat->label, ',');
      g_string_append_printf (text, "%" G_GUINT64_FORMAT, stat->count);
      for (guint k = 0; k < N_STATS; k++)
        g_string_append_printf (text, ",%s", texts[k]);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static int
run_stats (CycCtlApp  *app,
           GError    **error)
{
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  GCancellable *cancellable = cyc_ctl_interrupt_get_cancellable (interrupt);
  g_autoptr (CycTimeline) timeline = cyc_ctl_timeline_load (app, FALSE, cancellable, error);
  g_autofree gboolean *tracks = NULL;
  CycTimelineArea area;

  if (timeline == NULL || !read_range (app, timeline, &area, error)
      || !cyc_ctl_timeline_read_tracks (app, timeline, &tracks, error))
    return CYC_CTL_FAILED;
  area.tracks = tracks;
  g_autoptr (CycTimelineTable) table =
    cyc_timeline_query (timeline, &area, CYC_TIMELINE_BY_NAME, NULL, 0, cancellable, error);
  if (table == NULL)
    return CYC_CTL_FAILED;
  cyc_ctl_timeline_hint_repairs (timeline);
  Stats stats = { 0 };
  stats.rows = cyc_timeline_table_get_rows (table, &stats.n);
  if (g_strcmp0 (cyc_ctl_args_get (cyc_ctl_app_get_args (app), "format"), "csv") != 0)
    return cyc_ctl_app_print_json (app, write_stats, &stats, error);
  g_autofree char *text = dup_csv (&stats);
  return cyc_ctl_app_print (app, text, error);
}

/* timeline extract */

static int
run_extract (CycCtlApp  *app,
             GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  GCancellable *cancellable = cyc_ctl_interrupt_get_cancellable (interrupt);
  g_autofree gboolean *tracks = NULL;
  CycTimelineArea area;

  if (!cyc_ctl_args_has (args, "from") || !cyc_ctl_args_has (args, "to"))
    {
      g_set_error (error, CYC_CTL_USAGE_ERROR, 0, _("option %s is missing"),
                   cyc_ctl_args_has (args, "from") ? "--to" : "--from");
      return CYC_CTL_USAGE;
    }
  g_autoptr (CycTimeline) timeline = cyc_ctl_timeline_load (app, FALSE, cancellable, error);
  if (timeline == NULL || !read_range (app, timeline, &area, error)
      || !cyc_ctl_timeline_read_tracks (app, timeline, &tracks, error))
    return CYC_CTL_FAILED;
  area.tracks = tracks;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL || !cyc_chrome_write (timeline, &area, cyc_ctl_output_write, output, cancellable, error)
      || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  cyc_ctl_timeline_hint_repairs (timeline);
  return CYC_CTL_DONE;
}

/* timeline plot */

/* What lies together; everything if nothing is lost in time. */
static void
choose_range (CycTimeline     *timeline,
              CycTimelineArea *area)
{
  if (cyc_timeline_get_n_sparse (timeline) > 0)
    cyc_timeline_get_dense (timeline, &area->from, &area->to);
}

/* What has nothing to be drawn, or was not asked for, has no line. */
static void
hide_others (CycViewState          *state,
             const CycTimelineArea *area)
{
  guint n_tracks;
  guint32 n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (cyc_view_state_get_timeline (state), &n_tracks);
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (cyc_view_state_get_tree (state), &n);

  for (guint32 i = 0; i < n; i++)
    {
      gboolean any = FALSE;
      for (guint32 k = i; k < nodes[i].end && !any; k++)
        any = nodes[k].kind == CYC_TRACK_NODE_TRACK && cyc_timeline_area_has_track (area, nodes[k].item)
              && (tracks[nodes[k].item].n_rows > 0 || tracks[nodes[k].item].n_series > 0);
      if (!any)
        cyc_view_state_set_node_flags (state, i, CYC_NODE_HIDDEN, CYC_NODE_HIDDEN);
    }
}

static CycTimelineScene *
make_scene (CycTimeline           *timeline,
            const CycTimelineArea *area,
            CycPlotFormat          format)
{
  g_autoptr (CycViewState) state = cyc_view_state_new (timeline);
  g_autoptr (CycPlotStyle) style = cyc_plot_style_new (CYC_PLOT_LIGHT, NULL, PLOT_TEXT);

  style->output = format == CYC_PLOT_PNG ? CYC_PLOT_PIXELS : CYC_PLOT_VECTORS;
  cyc_view_state_set_colour_mode (state, CYC_COLOUR_BY_NAME);
  cyc_view_state_set_range (state, area->from, area->to);
  hide_others (state, area);
  return cyc_timeline_scene_new (state, style);
}

/* What stands beside the ruler. */
static char *
dup_unit (CycTimeline      *timeline,
          CycTimelineScene *scene)
{
  CycTimelineUnits units;

  cyc_timeline_units_init (&units, timeline, CYC_VIEW_CYCLES);
  if (units.cycles)
    return g_strdup (_("Cycles"));
  if (!cyc_timeline_scene_is_relative (scene))
    return g_strdup (_("Time"));
  g_autofree char *base = cyc_timeline_units_dup_time (&units, 0);
  /* Translators: the times of the ruler count from this one. */
  return g_strdup_printf (_("Time from %s"), base);
}

static void
hint_rest (const CycPictureRest *rest)
{
  if (rest->n_tracks > 0)
    cyc_ctl_message_hint (ngettext ("%u track has no room in the picture; choose some with --track",
                                    "%u tracks have no room in the picture; choose some with --track",
                                    rest->n_tracks), rest->n_tracks);
  if (rest->n_rows > 0)
    cyc_ctl_message_hint (ngettext ("%u row of spans inside of spans has no room in the picture",
                                    "%u rows of spans inside of spans have no room in the picture", rest->n_rows),
                          rest->n_rows);
}

static int
run_plot (CycCtlApp  *app,
          GError    **error)
{
  g_autoptr (CycCtlInterrupt) interrupt = cyc_ctl_interrupt_new ();
  g_autofree gboolean *tracks = NULL;
  gint64 width = PLOT_WIDTH;
  CycTimelineArea area;
  CycPlotFormat format;
  int status = cyc_ctl_picture_get_format (app, &format, error);

  if (status != CYC_CTL_DONE)
    return status;
  if (!cyc_ctl_app_check_output (app, error)
      || !cyc_ctl_args_get_int (cyc_ctl_app_get_args (app), "width", 200, 20000, &width, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycTimeline) timeline =
    cyc_ctl_timeline_load (app, FALSE, cyc_ctl_interrupt_get_cancellable (interrupt), error);
  if (timeline == NULL || !read_range (app, timeline, &area, error)
      || !cyc_ctl_timeline_read_tracks (app, timeline, &tracks, error))
    return CYC_CTL_FAILED;
  if (!cyc_ctl_args_has (cyc_ctl_app_get_args (app), "from") && !cyc_ctl_args_has (cyc_ctl_app_get_args (app), "to"))
    choose_range (timeline, &area);
  area.tracks = tracks;
  CycSceneFrame frame;
  CycPictureRest rest;
  g_autoptr (CycTimelineScene) scene = make_scene (timeline, &area, format);
  g_autofree char *unit = dup_unit (timeline, scene);
  cyc_timeline_picture_fit (scene, (double) width, &frame, &rest);
  g_autoptr (GBytes) picture = cyc_timeline_picture_export (scene, &frame, unit, format, 1, error);
  if (picture == NULL || cyc_ctl_picture_write (app, picture, error) != CYC_CTL_DONE)
    return CYC_CTL_FAILED;
  cyc_ctl_timeline_hint_repairs (timeline);
  hint_rest (&rest);
  return CYC_CTL_DONE;
}

static const CycCtlOption info_options[] = {
  CYC_CTL_OPTIONS_READING,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption stats_options[] = {
  CYC_CTL_OPTION_FROM,
  CYC_CTL_OPTION_TO,
  CYC_CTL_OPTION_TRACK,
  CYC_CTL_OPTIONS_READING,
  CYC_CTL_OPTION_FORMAT,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption extract_options[] = {
  CYC_CTL_OPTION_FROM,
  CYC_CTL_OPTION_TO,
  CYC_CTL_OPTION_TRACK,
  CYC_CTL_OPTIONS_READING,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption plot_options[] = {
  CYC_CTL_OPTION_FROM,
  CYC_CTL_OPTION_TO,
  CYC_CTL_OPTION_TRACK,
  CYC_CTL_OPTIONS_READING,
  { "width", 0, CYC_CTL_VALUE, "N", N_("width of the picture in pixels; default 1600") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_timeline_plot = {
  .group = "timeline",
  .name = "plot",
  .arguments = "FILE",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("draw a Chrome trace as PNG, SVG or PDF"),
  .detail = N_("Without a range what lies together is drawn, without spans that are lost in time. Colours go by name "
               "and are the same in every picture."),
  .options = plot_options,
  .run = run_plot,
};

const CycCtlCommand cyc_ctl_timeline_info = {
  .group = "timeline",
  .name = "info",
  .arguments = "FILE",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("show the tracks, events and repairs of a Chrome trace"),
  .detail = N_("The dense range is without spans that lie a thousand times as far away as the rest is long. Repairs "
               "say what was wrong in the file, how often, and at which byte first."),
  .options = info_options,
  .run = run_info,
};

const CycCtlCommand cyc_ctl_timeline_stats = {
  .group = "timeline",
  .name = "stats",
  .arguments = "FILE",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("sum up the spans of a Chrome trace by name"),
  .detail = N_("Of each span the part inside the range counts. The median of an even number is the lower one; self is "
               "the time that no span inside of it on its track covers."),
  .options = stats_options,
  .run = run_stats,
};

const CycCtlCommand cyc_ctl_timeline_extract = {
  .group = "timeline",
  .name = "extract",
  .arguments = "FILE",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("write a part of a Chrome trace as a file of its own"),
  .detail = N_("Every span that overlaps the range is written whole, with the names of processes and threads, counters "
               "inside, and flows that touch it."),
  .options = extract_options,
  .run = run_extract,
};
