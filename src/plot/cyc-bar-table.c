/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-bar-table.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-kernel-label.h"

typedef struct
{
  const char *name;     /* as in the log */
  const char *label;    /* short, or whole if it would be that of another kernel */
  guint       launches; /* how many kernels have it */
} Name;

typedef struct
{
  char             *name;
  char             *label;
  CycBarSeriesKind  kind;
  double           *values;
  const char       *reason;
} Series;

struct _CycBarTable
{
  gatomicrefcount  ref_count;
  char            *counter;
  char            *unit;
  guint            n_kernels;
  guint           *name_ids;  /* of each kernel; 0 is that of a kernel without a name */
  GArray          *names;     /* of Name */
  GHashTable      *ids;       /* name → id */
  GHashTable      *labels;    /* short label → id of the first name that has it */
  GPtrArray       *series;
  GHashTable      *reasons;   /* series * n_kernels + kernel → text in @texts */
  GStringChunk    *texts;
};

static void
series_free (gpointer data)
{
  Series *series = data;

  g_free (series->name);
  g_free (series->label);
  g_free (series->values);
  g_free (series);
}

static const Name *
name_at (const CycBarTable *self,
         guint              name_id)
{
  return &g_array_index (self->names, Name, name_id);
}

static const Series *
series_at (const CycBarTable *self,
           guint              series)
{
  return g_ptr_array_index (self->series, series);
}

/* A label that two names would share says nothing: then both show the whole name. */
static const char *
make_label (CycBarTable *self,
            const char  *name,
            guint        id)
{
  g_autofree char *label = cyc_kernel_label_shorten (name);
  g_autofree char *whole = cyc_format_printable (name);
  gpointer other;

  if (g_hash_table_lookup_extended (self->labels, label, NULL, &other))
    {
      Name *first = &g_array_index (self->names, Name, GPOINTER_TO_UINT (other));
      g_autofree char *first_whole = cyc_format_printable (first->name);
      first->label = g_string_chunk_insert_const (self->texts, first_whole);
      return g_string_chunk_insert_const (self->texts, whole);
    }
  const char *kept = g_string_chunk_insert_const (self->texts, label);
  g_hash_table_insert (self->labels, (gpointer) kept, GUINT_TO_POINTER (id));
  return kept;
}

static guint
intern (CycBarTable *self,
        const char  *name)
{
  gpointer known;

  if (g_hash_table_lookup_extended (self->ids, name, NULL, &known))
    return GPOINTER_TO_UINT (known);
  guint id = self->names->len;
  Name added = { g_string_chunk_insert_const (self->texts, name), NULL, 0 };
  added.label = make_label (self, added.name, id);
  g_array_append_val (self->names, added);
  g_hash_table_insert (self->ids, (gpointer) added.name, GUINT_TO_POINTER (id));
  return id;
}

/**
 * cyc_bar_table_new:
 * @counter: what the values are, such as `gpu_sim_cycle`
 * @unit: (nullable): their unit
 * @n_kernels: how many kernel launches there are, in the order of the log
 *
 * Makes the table behind a chart of bars: a value for each kernel launch and series. Once it is filled it
 * is never changed again, so that any thread may read it.
 *
 * Returns: (transfer full): a table without names and series
 */
CycBarTable *
cyc_bar_table_new (const char *counter,
                   const char *unit,
                   guint       n_kernels)
{
  g_return_val_if_fail (counter != NULL, NULL);

  CycBarTable *self = g_new0 (CycBarTable, 1);
  g_atomic_ref_count_init (&self->ref_count);
  self->counter = g_strdup (counter);
  self->unit = g_strdup (unit != NULL ? unit : "");
  self->n_kernels = n_kernels;
  self->name_ids = g_new0 (guint, n_kernels);
  self->names = g_array_new (FALSE, FALSE, sizeof (Name));
  self->ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->labels = g_hash_table_new (g_str_hash, g_str_equal);
  self->series = g_ptr_array_new_with_free_func (series_free);
  self->reasons = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->texts = g_string_chunk_new (4096);
  intern (self, "");
  g_array_index (self->names, Name, 0).launches = n_kernels;
  return self;
}

/**
 * cyc_bar_table_ref:
 * @self: a table
 *
 * Returns: (transfer full): @self
 */
CycBarTable *
cyc_bar_table_ref (CycBarTable *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

/**
 * cyc_bar_table_unref:
 * @self: (transfer full): a table
 */
void
cyc_bar_table_unref (CycBarTable *self)
{
  g_return_if_fail (self != NULL);

  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_hash_table_unref (self->reasons);
  g_hash_table_unref (self->labels);
  g_hash_table_unref (self->ids);
  g_array_unref (self->names);
  g_ptr_array_unref (self->series);
  g_string_chunk_free (self->texts);
  g_free (self->name_ids);
  g_free (self->counter);
  g_free (self->unit);
  g_free (self);
}

/**
 * cyc_bar_table_set_name:
 * @self: a table being filled
 * @kernel: which launch
 * @name: the kernel's name as in the log
 */
void
cyc_bar_table_set_name (CycBarTable *self,
                        guint        kernel,
                        const char  *name)
{
  g_return_if_fail (self != NULL && kernel < self->n_kernels && name != NULL);

  guint id = intern (self, name);
  g_array_index (self->names, Name, self->name_ids[kernel]).launches--;
  g_array_index (self->names, Name, id).launches++;
  self->name_ids[kernel] = id;
}

/**
 * cyc_bar_table_add_series:
 * @self: a table being filled
 * @name: such as the name of a configuration
 * @kind: simulated or measured
 * @values: one for each kernel launch; what is not finite counts as missing
 *
 * Returns: number of the series, from 0
 */
guint
cyc_bar_table_add_series (CycBarTable      *self,
                          const char       *name,
                          CycBarSeriesKind  kind,
                          const double     *values)
{
  g_return_val_if_fail (self != NULL && name != NULL, 0);
  g_return_val_if_fail (values != NULL || self->n_kernels == 0, 0);

  Series *series = g_new0 (Series, 1);
  series->name = g_strdup (name);
  series->label = cyc_format_printable (name);
  series->kind = kind;
  series->values = g_new (double, self->n_kernels);
  for (guint i = 0; i < self->n_kernels; i++)
    series->values[i] = isfinite (values[i]) ? values[i] : NAN;
  g_ptr_array_add (self->series, series);
  return self->series->len - 1;
}

/**
 * cyc_bar_table_set_series_reason:
 * @self: a table being filled
 * @series: a series
 * @reason: why values that it lacks are missing, where no other reason is known
 */
void
cyc_bar_table_set_series_reason (CycBarTable *self,
                                 guint        series,
                                 const char  *reason)
{
  g_return_if_fail (self != NULL && series < self->series->len && reason != NULL);

  g_autofree char *printable = cyc_format_printable (reason);
  Series *changed = g_ptr_array_index (self->series, series);
  changed->reason = g_string_chunk_insert_const (self->texts, printable);
}

/**
 * cyc_bar_table_set_reason:
 * @self: a table being filled
 * @series: a series
 * @kernel: which launch
 * @reason: why its value is missing
 */
void
cyc_bar_table_set_reason (CycBarTable *self,
                          guint        series,
                          guint        kernel,
                          const char  *reason)
{
  g_return_if_fail (self != NULL && series < self->series->len);
  g_return_if_fail (kernel < self->n_kernels && reason != NULL);

  g_autofree char *printable = cyc_format_printable (reason);
  gint64 *key = g_new (gint64, 1);
  *key = (gint64) series * self->n_kernels + kernel;
  g_hash_table_insert (self->reasons, key, g_string_chunk_insert_const (self->texts, printable));
}

/**
 * cyc_bar_table_get_counter:
 * @self: a table
 *
 * Returns: what the values are
 */
const char *
cyc_bar_table_get_counter (const CycBarTable *self)
{
  return self->counter;
}

/**
 * cyc_bar_table_get_unit:
 * @self: a table
 *
 * Returns: the unit of the values; empty if they have none
 */
const char *
cyc_bar_table_get_unit (const CycBarTable *self)
{
  return self->unit;
}

/**
 * cyc_bar_table_get_n_kernels:
 * @self: a table
 *
 * Returns: how many kernel launches there are
 */
guint
cyc_bar_table_get_n_kernels (const CycBarTable *self)
{
  return self->n_kernels;
}

/**
 * cyc_bar_table_get_n_names:
 * @self: a table
 *
 * Returns: how many names there are, the empty one included
 */
guint
cyc_bar_table_get_n_names (const CycBarTable *self)
{
  return self->names->len;
}

/**
 * cyc_bar_table_get_name_id:
 * @self: a table
 * @kernel: which launch
 *
 * Returns: the number of its name
 */
guint
cyc_bar_table_get_name_id (const CycBarTable *self,
                           guint              kernel)
{
  g_return_val_if_fail (kernel < self->n_kernels, 0);

  return self->name_ids[kernel];
}

/**
 * cyc_bar_table_get_name:
 * @self: a table
 * @name_id: a name
 *
 * Returns: it, as in the log
 */
const char *
cyc_bar_table_get_name (const CycBarTable *self,
                        guint              name_id)
{
  return name_at (self, name_id)->name;
}

/**
 * cyc_bar_table_get_label:
 * @self: a table
 * @name_id: a name
 *
 * Returns: it, short but still told from all others, and printable
 */
const char *
cyc_bar_table_get_label (const CycBarTable *self,
                         guint              name_id)
{
  return name_at (self, name_id)->label;
}

/**
 * cyc_bar_table_get_n_launches:
 * @self: a table
 * @name_id: a name
 *
 * Returns: how many kernel launches have it
 */
guint
cyc_bar_table_get_n_launches (const CycBarTable *self,
                              guint              name_id)
{
  return name_at (self, name_id)->launches;
}

/**
 * cyc_bar_table_get_n_series:
 * @self: a table
 *
 * Returns: how many series there are
 */
guint
cyc_bar_table_get_n_series (const CycBarTable *self)
{
  return self->series->len;
}

/**
 * cyc_bar_table_get_series_name:
 * @self: a table
 * @series: a series
 *
 * Returns: its name as given
 */
const char *
cyc_bar_table_get_series_name (const CycBarTable *self,
                               guint              series)
{
  return series_at (self, series)->name;
}

/**
 * cyc_bar_table_get_series_label:
 * @self: a table
 * @series: a series
 *
 * Returns: its name, printable
 */
const char *
cyc_bar_table_get_series_label (const CycBarTable *self,
                                guint              series)
{
  return series_at (self, series)->label;
}

/**
 * cyc_bar_table_get_series_kind:
 * @self: a table
 * @series: a series
 *
 * Returns: simulated or measured
 */
CycBarSeriesKind
cyc_bar_table_get_series_kind (const CycBarTable *self,
                               guint              series)
{
  return series_at (self, series)->kind;
}

/**
 * cyc_bar_table_get_values:
 * @self: a table
 * @series: a series
 *
 * Returns: (transfer none): a value for each kernel launch; NaN where there is none
 */
const double *
cyc_bar_table_get_values (const CycBarTable *self,
                          guint              series)
{
  return series_at (self, series)->values;
}

/**
 * cyc_bar_table_get_reason:
 * @self: a table
 * @series: a series
 * @kernel: which launch
 *
 * Returns: (nullable): why the value is missing; %NULL if it is not, or if nobody knows
 */
const char *
cyc_bar_table_get_reason (const CycBarTable *self,
                          guint              series,
                          guint              kernel)
{
  g_return_val_if_fail (series < self->series->len && kernel < self->n_kernels, NULL);

  gint64 key = (gint64) series * self->n_kernels + kernel;
  if (isfinite (series_at (self, series)->values[kernel]))
    return NULL;
  const char *reason = g_hash_table_lookup (self->reasons, &key);
  return reason != NULL ? reason : series_at (self, series)->reason;
}
