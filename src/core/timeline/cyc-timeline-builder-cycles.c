/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-number.h"
#include "core/cycles/cyc-cycle-buffer.h"
#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-builder-private.h"

/* The trace of a profile of cycles says each event's cycles among its arguments. Where all of them do, and its times
 * are those cycles by the clock, the timeline is one of cycles; else times stay what they are. */

#define SPANS_A_LOOK 4096
/* Picoseconds that a time may be off: what is finer was cut, and windows add up two rounded numbers. */
#define SLACK_PS 2.0
#define SLACK 4e-15
/* Significant digits that a number has for sure in whatever way it is written. */
#define EXACT_PS G_GINT64_CONSTANT (1000000000000000)
/* Spans from which a clock is found that the file does not tell. */
#define MAX_CLOCK_SPANS 100

typedef struct
{
  double   frequency;
  guint64  anchor;
  gboolean has_anchor;
  gboolean no_clock;     /* the file says that it is not known: its times are cycles */
  gboolean detailed;
  char    *owner_label; /* or NULL */
} Profile;

static void
profile_clear (Profile *self)
{
  g_free (self->owner_label);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Profile, profile_clear)

/* What the arguments of an event say. */
typedef struct
{
  guint64 start;
  guint64 end;
  guint64 desc;
  guint64 task;
  guint64 index;
  guint64 owner;
  guint   seen;       /* bits of the above, by their places in the table */
  guint32 invocation;
} Arguments;

#define SEEN_CYCLES 0x03u
#define SEEN_TASK 0x1cu
#define SEEN_OWNER 0x20u

typedef struct
{
  CycTimelineBuilder *builder;
  Profile             profile;
  CycStringTable     *invocations;
  GArray             *starts;    /* gint64: cycles from the anchor */
  GArray             *durations; /* guint64: cycles */
} Taker;

/* The member of the top level that tells of the profile. */
static gboolean
find_profile (const char  *others,
              const char **out_members,
              gsize       *out_len)
{
  static const char *const names[] = { "megaKernelCycleTrace", "cyclescopeCycles" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      gsize len;
      const char *object = _cyc_json_scan_find (others, strlen (others), names[i], &len);
      if (object == NULL || *object != '{')
        continue;
      *out_members = object + 1;
      *out_len = len - 2;
      return TRUE;
    }
  return FALSE;
}

static double
get_frequency (const char *members,
               gsize       len)
{
  gsize value_len;
  double frequency;
  const char *value = _cyc_json_scan_find (members, len, "cycleFrequencyMHz", &value_len);

  return value != NULL && cyc_number_parse_double (value, value_len, &frequency) && frequency > 0
             && isfinite (frequency)
           ? frequency
           : 0;
}

/*< private >
 * _cyc_timeline_find_frequency:
 * @others: members of a file's top level
 *
 * Returns: MHz of the clock of its profile of cycles; 0 if it has none or does not say it
 */
double
_cyc_timeline_find_frequency (const char *others)
{
  const char *members;
  gsize len;

  return find_profile (others, &members, &len) ? get_frequency (members, len) : 0;
}

static void
read_profile (Profile    *self,
              const char *members,
              gsize       len)
{
  gsize value_len, label_len;
  const char *value = _cyc_json_scan_find (members, len, "anchorCycle", &value_len);

  self->frequency = get_frequency (members, len);
  self->has_anchor = value != NULL && cyc_number_parse_uint64 (value, value_len, &self->anchor);
  value = _cyc_json_scan_find (members, len, "cycleFrequencyMHz", &value_len);
  self->no_clock = value != NULL && *value == 'n';
  value = _cyc_json_scan_find (members, len, "detailedTaskNames", &value_len);
  self->detailed = value != NULL && *value == 't';
  value = _cyc_json_scan_find (members, len, "ownerLabel", &value_len);
  if (value != NULL && *value == '"')
    self->owner_label = _cyc_json_scan_decode (value + 1, value_len - 2, &label_len);
}

/* The invocations of a window have their numbers in the order in which it lists them. */
static void
read_invocations (Taker      *self,
                  const char *members,
                  gsize       len)
{
  gsize list_len, id_len;
  const char *list = _cyc_json_scan_find (members, len, "invocations", &list_len);

  if (list == NULL || *list != '[')
    return;
  CycJsonScan scan = { list + 1, list + list_len - 1, 0 };
  for (;;)
    {
      _cyc_json_scan_blanks (&scan);
      const char *start = scan.p;
      if (scan.p == scan.end || _cyc_json_scan_value (&scan) != CYC_JSON_SCAN_DONE)
        return;
      const char *id = *start == '{' ? _cyc_json_scan_find (start + 1, (gsize) (scan.p - start) - 2, "invocationId",
                                                            &id_len) : NULL;
      if (id != NULL)
        cyc_string_table_add (self->invocations, id, id_len);
      _cyc_json_scan_blanks (&scan);
      if (scan.p < scan.end && *scan.p == ',')
        scan.p++;
    }
}

/* FALSE if one is there and not what it should be. */
static gboolean
read_arguments (Taker      *self,
                const char *members,
                Arguments  *out)
{
  static const struct
  {
    const char *name;
    gsize       offset;
  } fields[] = {
    { "start_cycle", G_STRUCT_OFFSET (Arguments, start) }, { "end_cycle", G_STRUCT_OFFSET (Arguments, end) },
    { "desc_id", G_STRUCT_OFFSET (Arguments, desc) },      { "task_id", G_STRUCT_OFFSET (Arguments, task) },
    { "stage_task_index", G_STRUCT_OFFSET (Arguments, index) },
    { "owner_id", G_STRUCT_OFFSET (Arguments, owner) },
  };
  CycJsonScan scan;
  const char *key, *value;
  gsize key_len, len;

  *out = (Arguments) { .owner = CYC_TIMELINE_NO_OWNER };
  if (!_cyc_json_scan_args (members, &scan))
    return FALSE;
  while (_cyc_json_scan_member (&scan, &key, &key_len, &value, &len))
    {
      if (key_len == strlen ("invocation_id") && memcmp (key, "invocation_id", key_len) == 0)
        out->invocation = cyc_string_table_add (self->invocations, value, len);
      for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
        {
          if (key_len != strlen (fields[i].name) || memcmp (key, fields[i].name, key_len) != 0)
            continue;
          guint64 *field = &G_STRUCT_MEMBER (guint64, out, fields[i].offset);
          if (!cyc_number_parse_uint64 (value, len, field) || (i > 1 && *field > G_MAXUINT32))
            return FALSE;
          out->seen |= 1u << i;
        }
    }
  return (out->seen & SEEN_CYCLES) == SEEN_CYCLES && out->end >= out->start;
}

/* What it does: its name without what detailed names put around it. */
static guint32
find_stage (Taker            *self,
            const StagedSpan *span,
            const Arguments  *arguments)
{
  CycStringTable *texts = self->builder->timeline->texts;
  const char *name = cyc_string_table_get (texts, span->name);
  gsize len = strlen (name);
  char suffix[32], owner[16];

  if (!self->profile.detailed)
    return span->name;
  gsize suffix_len = (gsize) g_snprintf (suffix, sizeof suffix, "_task%" G_GUINT64_FORMAT, arguments->index + 1);
  if (len > suffix_len && memcmp (name + len - suffix_len, suffix, suffix_len) == 0)
    len -= suffix_len;
  if (arguments->seen & SEEN_OWNER)
    {
      gsize owner_len = (gsize) g_snprintf (owner, sizeof owner, "%" G_GUINT64_FORMAT "_", arguments->owner);
      const char *label = self->profile.owner_label;
      /* A window does not say how its owners are called. */
      const char *at = label == NULL ? g_strstr_len (name, (gssize) len, owner)
                       : g_str_has_prefix (name, label) && strncmp (name + strlen (label), owner, owner_len) == 0
                         ? name + strlen (label) : NULL;
      if (at != NULL && (gsize) (at - name) + owner_len < len)
        {
          len -= (gsize) (at - name) + owner_len;
          name = at + owner_len;
        }
    }
  /* The table may move what it holds while it takes a text in. */
  g_autofree char *stage = g_strndup (name, len);
  return cyc_string_table_add (texts, stage, len);
}

static double
get_ps (gint64  us,
        guint32 ps)
{
  return (double) us * CYC_PS_PER_US + ps;
}

/* The clock of a file that does not tell it: the shortest number that makes the cycles of some spans their times. */
static double
find_clock (Taker *self)
{
  for (int digits = 1; digits <= 12; digits++)
    {
      double frequency = 0;
      guint n = 0;
      for (guint i = 0; i < self->builder->spans->len && n < MAX_CLOCK_SPANS; i++)
        {
          const StagedSpan *span = &g_array_index (self->builder->spans, StagedSpan, i);
          guint64 cycles = g_array_index (self->durations, guint64, i);
          char text[32];
          if (cycles == 0 || span->duration <= 0)
            continue;
          if (n++ == 0)
            {
              g_snprintf (text, sizeof text, "%.*e", digits - 1, (double) cycles * CYC_PS_PER_US
                                                                   / (double) span->duration);
              frequency = g_ascii_strtod (text, NULL);
            }
          double expected = (double) cycles / frequency * CYC_PS_PER_US;
          if (!(fabs ((double) span->duration - expected) <= SLACK_PS + SLACK * expected))
            {
              frequency = 0;
              break;
            }
        }
      if (frequency > 0)
        return frequency;
    }
  return 0;
}

/* Whether a time is what the cycles say, and if so whether they say it to the last digit. */
static gboolean
is_time (const Taker *self,
         gint64       us,
         guint32      ps,
         double       cycles,
         gboolean    *exact)
{
  double expected = cycles / self->profile.frequency;
  double value = get_ps (us, ps), wanted = expected * CYC_PS_PER_US;

  *exact = fabs (value) < EXACT_PS && value / CYC_PS_PER_US == expected;
  return fabs (value - wanted) <= SLACK_PS + SLACK * fabs (wanted);
}

/* The times of a span as they are, for what cycles do not say to the last digit. */
static void
keep_source (CycTimelineBuilder *self,
             StagedSpan         *span)
{
  CycTraceTime time = { span->us, span->ps, TRUE }, duration;
  char ts[CYC_TRACE_TIME_BUF], dur[CYC_TRACE_TIME_BUF];
  gsize start = self->members->len;

  cyc_trace_time_init (&duration, 0, span->duration);
  g_string_append (self->members, self->members->str + span->members);
  g_string_append_printf (self->members, ",\"ts\":%s,\"dur\":%s", cyc_trace_time_format (&time, ts),
                          cyc_trace_time_format (&duration, dur));
  g_string_append_c (self->members, '\0');
  span->members = start;
  span->flags |= CYC_SPAN_SOURCE;
}

static void
add_task (Taker            *self,
          const StagedSpan *span,
          const Arguments  *arguments)
{
  StagedTask task = { (guint32) arguments->desc, (guint32) arguments->task, (guint32) arguments->index,
                      (guint32) arguments->owner, find_stage (self, span, arguments), arguments->invocation };

  g_array_append_val (self->builder->tasks, task);
}

/* Reads the cycles of all spans. FALSE if one does not have them, or on @error. */
static gboolean
read_cycles (Taker         *self,
             GCancellable  *cancellable,
             GError       **error)
{
  CycTimelineBuilder *builder = self->builder;
  gboolean has_tasks = TRUE;

  for (guint i = 0; i < builder->spans->len; i++)
    {
      const StagedSpan *span = &g_array_index (builder->spans, StagedSpan, i);
      Arguments arguments;
      if (i % SPANS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (span->phase != 'X' || span->duration < 0
          || !read_arguments (self, builder->members->str + span->members, &arguments))
        return FALSE;
      gint64 start = (gint64) (arguments.start - self->profile.anchor);
      guint64 duration = arguments.end - arguments.start;
      /* Far from half of what the columns reach, so that ends fit as well. */
      if ((arguments.start < self->profile.anchor) != (start < 0) || start > G_MAXINT64 / 2
          || start < -(G_MAXINT64 / 2) || duration > G_MAXINT64 / 2)
        return FALSE;
      g_array_append_val (self->starts, start);
      g_array_append_val (self->durations, duration);
      has_tasks = has_tasks && (arguments.seen & SEEN_TASK) == SEEN_TASK;
      if (has_tasks)
        add_task (self, span, &arguments);
    }
  if (!has_tasks)
    g_array_set_size (builder->tasks, 0);
  builder->n_invocations = cyc_string_table_get_n (self->invocations);
  return TRUE;
}

static gboolean
check_times (Taker *self)
{
  gboolean exact;

  for (guint i = 0; i < self->builder->spans->len; i++)
    {
      const StagedSpan *span = &g_array_index (self->builder->spans, StagedSpan, i);
      gint64 duration_us = span->duration / CYC_PS_PER_US;
      if (!is_time (self, span->us, span->ps, (double) g_array_index (self->starts, gint64, i), &exact)
          || !is_time (self, duration_us, (guint32) (span->duration % CYC_PS_PER_US),
                       (double) g_array_index (self->durations, guint64, i), &exact))
        return FALSE;
    }
  return TRUE;
}

static void
set_cycles (Taker *self)
{
  for (guint i = 0; i < self->builder->spans->len; i++)
    {
      StagedSpan *span = &g_array_index (self->builder->spans, StagedSpan, i);
      gint64 start = g_array_index (self->starts, gint64, i);
      guint64 duration = g_array_index (self->durations, guint64, i);
      gboolean exact, exact_duration;
      CycTraceTime time;
      is_time (self, span->us, span->ps, (double) start, &exact);
      is_time (self, span->duration / CYC_PS_PER_US, (guint32) (span->duration % CYC_PS_PER_US), (double) duration,
               &exact_duration);
      if (!(span->flags & CYC_SPAN_SOURCE) && !(exact && exact_duration))
        keep_source (self->builder, span);
      cyc_trace_time_init (&time, 0, start);
      span->us = time.us;
      span->ps = time.ps;
      span->duration = (gint64) duration;
    }
}

/*< private >
 * _cyc_timeline_builder_take_cycles:
 * @self: a builder with all events
 * @others: members of the file's top level
 * @repairs: of the file; that times are finer than picoseconds is none if cycles are known
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Makes cycles of the times of a cycle trace, if it says them.
 *
 * Returns: %FALSE if cancelled
 */
gboolean
_cyc_timeline_builder_take_cycles (CycTimelineBuilder  *self,
                                   const char          *others,
                                   CycTraceRepairs     *repairs,
                                   GCancellable        *cancellable,
                                   GError             **error)
{
  g_autoptr (CycStringTable) invocations = cyc_string_table_new ();
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) durations = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_auto (Profile) profile = { 0 };
  const char *members;
  gsize len;

  if (self->spans->len == 0 || self->flows->len > 0 || self->series->len > 0
      || !find_profile (others, &members, &len))
    return TRUE;
  read_profile (&profile, members, len);
  Taker taker = { self, profile, invocations, starts, durations };
  read_invocations (&taker, members, len);
  gboolean cycles = profile.has_anchor && read_cycles (&taker, cancellable, error);
  if (cycles && taker.profile.frequency == 0)
    taker.profile.frequency = profile.no_clock ? 1 : find_clock (&taker);
  cycles = cycles && taker.profile.frequency > 0 && check_times (&taker);
  if (!cycles)
    {
      g_array_set_size (self->tasks, 0);
      return !g_cancellable_is_cancelled (cancellable);
    }
  set_cycles (&taker);
  self->timeline->unit = CYC_TIMELINE_CYCLES;
  self->timeline->frequency = profile.no_clock ? 0 : taker.profile.frequency;
  self->timeline->anchor = profile.anchor;
  repairs->counts[CYC_REPAIR_FINE_TIME] = 0;
  return TRUE;
}

/*< private >
 * _cyc_timeline_builder_make_tasks:
 * @self: a builder with a task for each staged span
 * @final: (array length=n_staged): where each staged span went
 * @n_staged: how many there were
 *
 * Fills the columns of tasks.
 */
void
_cyc_timeline_builder_make_tasks (CycTimelineBuilder *self,
                                  const guint32      *final,
                                  gsize               n_staged)
{
  gsize n = MAX (self->timeline->spans.n, 1);
  guint32 *columns[5];
  guint16 *invocation = self->n_invocations > 1 && self->n_invocations <= G_MAXUINT16 ? g_new0 (guint16, n) : NULL;

  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    columns[i] = g_new0 (guint32, n);
  for (gsize i = 0; i < n_staged; i++)
    {
      const StagedTask *task = &g_array_index (self->tasks, StagedTask, i);
      guint32 at = final[i];
      if (at == CYC_TIMELINE_NONE)
        continue;
      columns[0][at] = task->desc;
      columns[1][at] = task->task;
      columns[2][at] = task->index;
      columns[3][at] = task->owner;
      columns[4][at] = task->stage;
      if (invocation != NULL)
        invocation[at] = (guint16) task->invocation;
    }
  self->timeline->tasks =
    (CycTimelineTasks) { columns[0], columns[1], columns[2], columns[3], columns[4], invocation };
  self->timeline->has_tasks = TRUE;
  g_array_set_size (self->tasks, 0);
}
