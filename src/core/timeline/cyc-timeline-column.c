/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-column.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/timeline/cyc-chrome-reader.h"
#include "core/timeline/cyc-json-scan-private.h"
#include "core/timeline/cyc-timeline-private.h"

/* Arguments are kept as text. When one of them is asked for, its values are numbered once, for all spans, and kept
 * with the timeline; those of records of a cycle trace come from their columns. */

/* A table of so many groups is no summary any more. */
#define MAX_VALUES 2000000
#define SPANS_A_LOOK 16384
/* Spans of a row have their members all over the memory: those of one that comes after so many others are fetched. */
#define AHEAD 16
/* Arguments are listed from so many spans, all over the timeline, and so many of them. */
#define N_SAMPLES 4096
#define MAX_ARGUMENTS 200

struct _CycTimelineColumn
{
  gatomicrefcount refs;
  guint32        *values;   /* by span, then by outlier; 0 for those without */
  CycStringTable *texts;    /* of the values; the first is empty and stands for none */
  guint32         n_values;
};

typedef struct
{
  CycTimelineColumn *column;
  CycTimeline       *timeline;
  const char        *argument;
  gsize              argument_len;
  CycStringTable    *numbers; /* for values that are numbers: their places, by their bytes */
  GString           *members;
  GCancellable      *cancellable;
} Maker;

static CycTimelineColumn *
column_new (gsize n)
{
  CycTimelineColumn *self = g_new0 (CycTimelineColumn, 1);

  g_atomic_ref_count_init (&self->refs);
  self->values = g_new0 (guint32, MAX (n, 1));
  self->texts = cyc_string_table_new ();
  cyc_string_table_add (self->texts, "", 0);
  return self;
}

/* The empty text is a value, too, and the first place is taken. */
static guint32
add_text (CycTimelineColumn *self,
          const char        *text,
          gsize              len)
{
  return len > 0 ? cyc_string_table_add (self->texts, text, len) : cyc_string_table_add (self->texts, "\0", 1);
}

static guint32
add_number (Maker   *self,
            guint32  number)
{
  guint32 n = cyc_string_table_get_n (self->numbers);
  guint32 place = cyc_string_table_add (self->numbers, (const char *) &number, sizeof number);
  char text[16];

  if (place == n)
    {
      int len = g_snprintf (text, sizeof text, "%u", number);
      cyc_string_table_add (self->column->texts, text, (gsize) len);
    }
  return place + 1;
}

/* Arguments */

static inline gboolean
is_key (const char *key,
        gsize       len,
        const char *wanted,
        gsize       wanted_len)
{
  return len == wanted_len ? memcmp (key, wanted, len) == 0
                           : len > wanted_len && _cyc_json_scan_is_key (key, len, wanted);
}

/* Over a value that was scanned before, of which only the end is to be found. */
static inline void
skip_value (CycJsonScan *scan)
{
  guint depth = 0;

  if (*scan->p != '"' && *scan->p != '{' && *scan->p != '[')
    {
      while (scan->p < scan->end && (guchar) *scan->p > ' ' && *scan->p != ',' && *scan->p != '}' && *scan->p != ']')
        scan->p++;
      return;
    }
  do
    {
      char c = *scan->p++;
      if (c == '"')
        _cyc_json_scan_text (scan);
      depth += c == '{' || c == '[';
      depth -= c == '}' || c == ']';
    }
  while (depth > 0 && scan->p < scan->end && *scan->p != '\0');
}

/* The value of an argument in members that end with a zero. What was scanned when the file was read is not checked
 * once more, as it takes several times as long. */
static const char *
find_argument (CycJsonScan *scan,
               const char  *wanted,
               gsize        wanted_len,
               gsize       *out_len)
{
  const char *found = NULL, *key;
  gboolean in_args = FALSE;
  gsize len;

  while (scan->p < scan->end && *scan->p != '\0')
    {
      if (*scan->p != '"')
        {
          in_args &= *scan->p++ != '}';
          continue;
        }
      if (_cyc_json_scan_key (scan, &key, &len) != CYC_JSON_SCAN_DONE)
        return found;
      if (!in_args && is_key (key, len, "args", 4))
        {
          found = NULL;
          in_args = *scan->p == '{';
          if (in_args)
            {
              scan->p++;
              continue;
            }
        }
      const char *value = scan->p;
      skip_value (scan);
      if (in_args && is_key (key, len, wanted, wanted_len))
        {
          found = value;
          *out_len = (gsize) (scan->p - value);
        }
    }
  return found;
}

/* @end: of the memory that the members lie in. */
static guint32
add_argument (Maker      *self,
              const char *members,
              const char *end)
{
  CycJsonScan scan = { members, end, 0 };
  CycChromeValue value;
  gsize len;
  const char *text = find_argument (&scan, self->argument, self->argument_len, &len);

  if (text == NULL)
    return 0;
  cyc_chrome_value_init (&value, text, len);
  if (!cyc_chrome_value_has_escapes (&value))
    return add_text (self->column, value.text, value.len);
  g_autofree char *decoded = cyc_chrome_value_decode (&value, &len);
  return add_text (self->column, decoded, len);
}

/* Records */

typedef enum
{
  SOURCE_MEMBERS,
  SOURCE_NUMBERS,
  SOURCE_STAGE,
  SOURCE_STATE,
} Source;

/* Where the values of an argument come from. */
static Source
find_source (CycTimeline    *timeline,
             const char     *argument,
             const guint32 **out_numbers)
{
  const CycTimelineTasks *tasks = &timeline->tasks;
  const struct
  {
    const char    *name;
    const guint32 *numbers;
  } known[] = {
    { "owner_id", tasks->owner },
    { "task_id", tasks->task },
    { "desc_id", tasks->desc },
    { "stage_task_index", tasks->index },
  };

  if (!timeline->has_tasks)
    return SOURCE_MEMBERS;
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (strcmp (known[i].name, argument) == 0)
      {
        *out_numbers = known[i].numbers;
        return SOURCE_NUMBERS;
      }
  if (strcmp (argument, "stage") == 0)
    return SOURCE_STAGE;
  return strcmp (argument, "state") == 0 ? SOURCE_STATE : SOURCE_MEMBERS;
}

static guint32
add_value (Maker         *self,
           Source         source,
           const guint32 *numbers,
           guint32        span)
{
  const CycTimelineTasks *tasks = &self->timeline->tasks;
  const char *text;

  switch (source)
    {
    case SOURCE_NUMBERS:
      if (numbers == tasks->owner && numbers[span] == CYC_TIMELINE_NO_OWNER)
        return 0;
      return add_number (self, numbers[span]);
    case SOURCE_STAGE:
      text = cyc_timeline_get_text (self->timeline, tasks->stage[span]);
      return add_text (self->column, text, strlen (text));
    case SOURCE_STATE:
      text = cyc_task_state_to_string (cyc_task_get_state (tasks->desc[span]));
      return add_text (self->column, text, strlen (text));
    case SOURCE_MEMBERS:
    default:
      text = _cyc_timeline_peek_members (self->timeline, span, self->members);
      return add_argument (self, text, text == self->members->str ? text + self->members->len
                                                                  : self->timeline->members
                                                                      + self->timeline->members_len);
    }
}

static gboolean
fill (Maker   *self,
      GError **error)
{
  const guint32 *numbers = NULL;
  Source source = find_source (self->timeline, self->argument, &numbers);
  guint32 n = self->timeline->spans.n;
  guint n_outliers;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (self->timeline, &n_outliers);

  for (guint32 i = 0; i < n; i++)
    {
      if (i % SPANS_A_LOOK == 0 && g_cancellable_set_error_if_cancelled (self->cancellable, error))
        return FALSE;
      if (source == SOURCE_MEMBERS && self->timeline->append_members == NULL && i + AHEAD < n)
        {
          const char *later = self->timeline->members + self->timeline->spans.members[i + AHEAD];
          __builtin_prefetch (later);
          __builtin_prefetch (later + 64);
        }
      self->column->values[i] = add_value (self, source, numbers, i);
      if (self->column->values[i] < MAX_VALUES)
        continue;
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "%s has more than %d different values; choose another",
                        self->argument, MAX_VALUES);
      return FALSE;
    }
  for (guint i = 0; i < n_outliers; i++)
    self->column->values[n + i] = add_argument (self, cyc_timeline_get_members (self->timeline, outliers[i].members),
                                                self->timeline->members + self->timeline->members_len);
  self->column->n_values = cyc_string_table_get_n (self->column->texts);
  return TRUE;
}

static CycTimelineColumn *
look_up (CycTimeline *timeline,
         const char  *argument)
{
  g_mutex_lock (&timeline->columns_lock);
  CycTimelineColumn *column = g_hash_table_lookup (timeline->columns, argument);
  if (column != NULL)
    cyc_timeline_column_ref (column);
  g_mutex_unlock (&timeline->columns_lock);
  return column;
}

/**
 * cyc_timeline_get_column:
 * @timeline: a timeline
 * @argument: name of an argument; in cycle traces also `stage` (what a record does, without its owner) and `state`
 *   (busy, wait, trigger, other)
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error
 *
 * Numbers the values that the argument has, which takes about a second for ten million spans the first time; then they
 * are kept, four bytes a span, as long as the timeline. A number and a text with the same digits are one value. Any
 * thread.
 *
 * Returns: (transfer full) (nullable): the values; %NULL if cancelled, or if there are more than two million
 */
CycTimelineColumn *
cyc_timeline_get_column (CycTimeline   *timeline,
                         const char    *argument,
                         GCancellable  *cancellable,
                         GError       **error)
{
  CycTimelineColumn *known = look_up (timeline, argument);

  if (known != NULL)
    return known;
  g_autoptr (CycTimelineColumn) column = column_new ((gsize) timeline->spans.n + timeline->outliers->len);
  g_autoptr (CycStringTable) numbers = cyc_string_table_new ();
  g_autoptr (GString) members = g_string_new (NULL);
  Maker maker = { column, timeline, argument, strlen (argument), numbers, members, cancellable };
  if (!fill (&maker, error))
    return NULL;
  g_mutex_lock (&timeline->columns_lock);
  /* Another thread may have been faster; one is as good as the other. */
  g_hash_table_replace (timeline->columns, g_strdup (argument), cyc_timeline_column_ref (column));
  g_mutex_unlock (&timeline->columns_lock);
  return g_steal_pointer (&column);
}

static void
list_keys (const char *members,
           GPtrArray  *names,
           GHashTable *seen)
{
  CycJsonScan scan;
  const char *key, *value;
  gsize key_len, len;

  if (!_cyc_json_scan_args (members, &scan))
    return;
  while (_cyc_json_scan_member (&scan, &key, &key_len, &value, &len))
    {
      g_autofree char *name = _cyc_json_scan_decode (key, key_len, &len);
      if (names->len < MAX_ARGUMENTS && g_hash_table_add (seen, g_strdup (name)))
        g_ptr_array_add (names, g_steal_pointer (&name));
    }
}

/**
 * cyc_timeline_list_arguments:
 * @timeline: a timeline
 *
 * Looks at some thousand spans all over the timeline; an argument that few spans have may be missing. Fast.
 *
 * Returns: (transfer full) (array zero-terminated=1): names for cyc_timeline_get_column(), in cycle traces `stage` and
 *   `state` first
 */
char **
cyc_timeline_list_arguments (CycTimeline *timeline)
{
  GPtrArray *names = g_ptr_array_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GString) members = g_string_new (NULL);
  guint32 n = timeline->spans.n, n_samples = MIN (n, N_SAMPLES);

  for (guint i = 0; i < 2 && timeline->has_tasks; i++)
    {
      g_hash_table_add (seen, g_strdup (i == 0 ? "stage" : "state"));
      g_ptr_array_add (names, g_strdup (i == 0 ? "stage" : "state"));
    }
  for (guint32 i = 0; i < n_samples; i++)
    {
      guint32 span = (guint32) ((guint64) i * n / n_samples);
      list_keys (_cyc_timeline_peek_members (timeline, span, members), names, seen);
    }
  g_ptr_array_add (names, NULL);
  return (char **) g_ptr_array_free (names, FALSE);
}

/**
 * cyc_timeline_column_ref:
 * @self: values
 *
 * Returns: (transfer full): the same
 */
CycTimelineColumn *
cyc_timeline_column_ref (CycTimelineColumn *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_timeline_column_unref:
 * @self: (transfer full): values
 */
void
cyc_timeline_column_unref (CycTimelineColumn *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->values);
  cyc_string_table_free (self->texts);
  g_free (self);
}

/**
 * cyc_timeline_column_get_n_values:
 * @self: values
 *
 * Returns: how many there are, none being one of them
 */
guint32
cyc_timeline_column_get_n_values (CycTimelineColumn *self)
{
  return self->n_values;
}

/**
 * cyc_timeline_column_get_value:
 * @self: values
 * @value: number of one
 *
 * Returns: (transfer none) (nullable): its text; %NULL for 0, which is none
 */
const char *
cyc_timeline_column_get_value (CycTimelineColumn *self,
                               guint32            value)
{
  return value == 0 ? NULL : cyc_string_table_get (self->texts, value);
}

/**
 * cyc_timeline_column_get:
 * @self: values
 * @span: a span of the timeline
 *
 * Returns: number of its value; 0 if it does not have the argument
 */
guint32
cyc_timeline_column_get (CycTimelineColumn *self,
                         guint32            span)
{
  return self->values[span];
}

/**
 * cyc_timeline_column_get_values:
 * @self: values
 *
 * Returns: (transfer none): numbers of values by span, and behind the spans by outlier
 */
const guint32 *
cyc_timeline_column_get_values (CycTimelineColumn *self)
{
  return self->values;
}
