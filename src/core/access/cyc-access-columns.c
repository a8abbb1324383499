/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-access-columns.h"

#include <sys/mman.h>

#include "core/access/cyc-access-scan.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"

/* An entry is counted and filled in pieces of time, by whichever thread comes by. */
#define MAX_PIECES 64
#define MIN_PIECE 16384

typedef struct
{
  guint  entry;
  gint64 from;
  gint64 to;
  gint64 n;     /* accesses in it */
  gint64 place; /* of the first in its column */
} Piece;

typedef struct
{
  const CycAccessPlan *plan;
  const CycAccessWork *work;
  CycAccessColumns    *columns;
  GArray              *pieces;
  GPtrArray          **scans; /* of each thread: a CycAccessScan for each entry, made when needed */
  gboolean             counting;
} Fill;

static gboolean
count_strip (const CycAccessStrip *strip,
             gpointer              user_data)
{
  gint64 *n = user_data;

  *n += strip->n * strip->n_rel;
  return TRUE;
}

typedef struct
{
  CycAccessColumn *column;
  gint64           at;
} Writer;

/* One width of number at a time, so that the compiler makes vectors of it. */
#define DEFINE_WRITE(name, type) \
static void \
name (type                 *to, \
      const CycAccessStrip *strip, \
      gint64                first, \
      gint64                step, \
      gboolean              with_rel) \
{ \
  if (strip->n_rel == 1) \
    { \
      type value = (type) (first + (with_rel ? strip->rel[0] : 0)); \
      for (gint64 i = 0; i < strip->n; i++) \
        to[i] = value + (type) i * (type) step; \
      return; \
    } \
  for (gint64 i = 0; i < strip->n; i++, to += strip->n_rel) \
    { \
      type value = (type) first + (type) i * (type) step; \
      if (with_rel) \
        for (guint j = 0; j < strip->n_rel; j++) \
          to[j] = value + (type) strip->rel[j]; \
      else \
        for (guint j = 0; j < strip->n_rel; j++) \
          to[j] = value; \
    } \
}

DEFINE_WRITE (write_narrow, guint32)
DEFINE_WRITE (write_wide, guint64)

static gboolean
write_strip (const CycAccessStrip *strip,
             gpointer              user_data)
{
  Writer *self = user_data;
  CycAccessColumn *column = self->column;

  if (column->wide_timesteps)
    write_wide ((guint64 *) column->timesteps + self->at, strip, strip->t, strip->dt, FALSE);
  else
    write_narrow ((guint32 *) column->timesteps + self->at, strip, strip->t, strip->dt, FALSE);
  if (column->wide_elements)
    write_wide ((guint64 *) column->elements + self->at, strip, strip->e, strip->de, TRUE);
  else
    write_narrow ((guint32 *) column->elements + self->at, strip, strip->e, strip->de, TRUE);
  self->at += strip->n * strip->n_rel;
  return TRUE;
}

static CycAccessScan *
take_scan (Fill    *fill,
           guint    entry,
           guint    thread,
           GError **error)
{
  gpointer *place = &fill->scans[thread]->pdata[entry];

  if (*place == NULL)
    *place = cyc_access_scan_new (fill->plan, entry, NULL, FALSE, error);
  return *place;
}

static gboolean
do_piece (guint     task,
          guint     thread,
          gpointer  user_data,
          GError  **error)
{
  Fill *fill = user_data;
  Piece *piece = &g_array_index (fill->pieces, Piece, task);
  CycAccessScan *scan = take_scan (fill, piece->entry, thread, error);

  if (scan == NULL)
    return FALSE;
  if (fill->counting)
    return cyc_access_scan_run (scan, piece->from, piece->to, fill->work->cancellable, count_strip, &piece->n, error);
  Writer writer = { &fill->columns->columns[piece->entry], piece->place };
  return cyc_access_scan_run (scan, piece->from, piece->to, fill->work->cancellable, write_strip, &writer, error);
}

static gboolean
cut_pieces (Fill    *fill,
            GError **error)
{
  for (guint i = 0; i < fill->plan->entries->len; i++)
    {
      const CycAccessLeaf *leaf = g_array_index (fill->plan->entries, CycAccessEntry, i).leaf;
      CycAccessScan *scan = take_scan (fill, i, 0, error);
      gint64 from = leaf->start;
      gint64 to = MIN (leaf->start + leaf->length, fill->plan->n_timesteps);
      if (scan == NULL)
        return FALSE;
      gint64 length = MAX (to - from, 0);
      gint64 n = cyc_access_scan_is_sorted (scan) ? CLAMP (length / MIN_PIECE, 1, MAX_PIECES) : 1;
      for (gint64 j = 0; j < n; j++)
        {
          Piece piece = { i, from + (gint64) ((__int128) length * j / n),
                          from + (gint64) ((__int128) length * (j + 1) / n) };
          g_array_append_val (fill->pieces, piece);
        }
    }
  return TRUE;
}

static gpointer
allocate (guint64 n_bytes)
{
  /* Of ordinary pages every one would be asked for by itself. */
  gpointer memory = mmap (NULL, MAX (n_bytes, 1), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED)
    return NULL;
  madvise (memory, MAX (n_bytes, 1), MADV_HUGEPAGE);
  return memory;
}

static guint64
get_bytes (const CycAccessColumn *column,
           gboolean               of_elements)
{
  gboolean wide = of_elements ? column->wide_elements : column->wide_timesteps;

  return (guint64) column->n * (wide ? sizeof (gint64) : sizeof (guint32));
}

static gboolean
make_room (Fill     *fill,
           guint64   max_bytes,
           GError  **error)
{
  CycAccessColumns *self = fill->columns;
  guint64 n_accesses = 0;

  for (guint i = 0; i < fill->pieces->len; i++)
    {
      Piece *piece = &g_array_index (fill->pieces, Piece, i);
      piece->place = self->columns[piece->entry].n;
      self->columns[piece->entry].n += piece->n;
      n_accesses += (guint64) piece->n;
    }
  for (guint i = 0; i < self->n; i++)
    self->n_bytes += get_bytes (&self->columns[i], FALSE) + get_bytes (&self->columns[i], TRUE);
  gboolean fits = max_bytes == 0 || self->n_bytes <= max_bytes;
  for (guint i = 0; i < self->n && fits; i++)
    {
      CycAccessColumn *column = &self->columns[i];
      column->timesteps = allocate (get_bytes (column, FALSE));
      column->elements = allocate (get_bytes (column, TRUE));
      fits = column->timesteps != NULL && column->elements != NULL;
    }
  if (fits)
    return TRUE;
  g_autofree char *size = cyc_format_size (self->n_bytes);
  cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, NULL, 0, "the trace has %" G_GUINT64_FORMAT " accesses, which take %s "
                    "of memory; trace a prefix (max_timesteps) or fewer tensors", n_accesses, size);
  return FALSE;
}

static gboolean
fill_columns (Fill     *fill,
              guint64   max_bytes,
              GError  **error)
{
  if (!cut_pieces (fill, error))
    return FALSE;
  fill->counting = TRUE;
  CycAccessWork silent = *fill->work;
  silent.progress = NULL;
  if (!cyc_access_work_run (&silent, fill->pieces->len, do_piece, fill, error) || !make_room (fill, max_bytes, error))
    return FALSE;
  fill->counting = FALSE;
  return cyc_access_work_run (fill->work, fill->pieces->len, do_piece, fill, error);
}

/**
 * cyc_access_columns_new:
 * @plan: the plan; its trace is walked
 * @work: on how many threads, and how to stop it; the result is the same with any number
 * @max_bytes: what the columns may take, 0 for no limit
 * @error: return location for an error
 *
 * Writes the accesses of every entry into columns, which are counted before any memory is taken.
 *
 * Returns: (transfer full) (nullable): the columns, %NULL with @error set
 */
CycAccessColumns *
cyc_access_columns_new (const CycAccessPlan  *plan,
                        const CycAccessWork  *work,
                        guint64               max_bytes,
                        GError              **error)
{
  g_autoptr (CycAccessColumns) self = g_new0 (CycAccessColumns, 1);
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (Piece));
  guint n_threads = cyc_access_work_get_n_threads (work);
  Fill fill = { plan, work, self, pieces };

  self->n = plan->entries->len;
  self->columns = g_new0 (CycAccessColumn, MAX (self->n, 1));
  for (guint i = 0; i < self->n; i++)
    {
      const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, i);
      const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, entry->tensor);
      self->columns[i].entry = i;
      self->columns[i].wide_timesteps = plan->n_timesteps > (gint64) G_MAXUINT32;
      self->columns[i].wide_elements = traced->n_elements > (gint64) G_MAXUINT32;
    }
  fill.scans = g_new0 (GPtrArray *, n_threads);
  for (guint i = 0; i < n_threads; i++)
    {
      fill.scans[i] = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_access_scan_free);
      g_ptr_array_set_size (fill.scans[i], (int) self->n);
    }
  gboolean good = fill_columns (&fill, max_bytes, error);
  for (guint i = 0; i < n_threads; i++)
    g_ptr_array_unref (fill.scans[i]);
  g_free (fill.scans);
  return good ? g_steal_pointer (&self) : NULL;
}

void
cyc_access_columns_free (CycAccessColumns *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; i < self->n; i++)
    {
      CycAccessColumn *column = &self->columns[i];
      if (column->timesteps != NULL)
        munmap (column->timesteps, MAX (get_bytes (column, FALSE), 1));
      if (column->elements != NULL)
        munmap (column->elements, MAX (get_bytes (column, TRUE), 1));
    }
  g_free (self->columns);
  g_free (self);
}
