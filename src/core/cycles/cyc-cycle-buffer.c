/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-buffer.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"
#include "core/cycles/cyc-cycle-size.h"
#include "core/cycles/cyc-cycle-source-private.h"

#define HEADER_SIZE 64
/* Indices of records are guint32, and the largest of these means none. */
#define MAX_RECORDS (G_MAXUINT32 - 1)

typedef struct
{
  guint64 entry_cycle;
  guint32 n_records;
  guint32 dropped;
  guint32 type;
  guint32 block;
  guint32 capacity;
  guint32 reserved;
} Header;

typedef struct
{
  CycCycleBuffer *buffer;
  CycCycleSource *source;
  GArray         *cores;
  guint64         entry;     /* smallest entry cycle, G_MAXUINT64 if there is none */
  gboolean        has_entry;
  guint64         min_start;
  guint64         max_end;
} Decoder;

static gboolean
read_header (CycCycleSource  *source,
             guint64          offset,
             Header          *out,
             GError         **error)
{
  guint8 bytes[HEADER_SIZE];

  if (!cyc_cycle_source_read (source, offset, bytes, sizeof bytes, error))
    return FALSE;
  memcpy (out, bytes, sizeof *out);
  out->entry_cycle = GUINT64_FROM_LE (out->entry_cycle);
  out->n_records = GUINT32_FROM_LE (out->n_records);
  out->dropped = GUINT32_FROM_LE (out->dropped);
  out->type = GUINT32_FROM_LE (out->type);
  out->block = GUINT32_FROM_LE (out->block);
  out->capacity = GUINT32_FROM_LE (out->capacity);
  out->reserved = GUINT32_FROM_LE (out->reserved);
  return TRUE;
}

static gboolean
is_empty (const Header *header)
{
  return header->entry_cycle == 0 && header->n_records == 0 && header->dropped == 0 &&
         header->type == 0 && header->block == 0 && header->capacity == 0 && header->reserved == 0;
}

/* Whether the buffer has that many bytes; @what says what needs them. */
static gboolean
check_size (const CycCycleSource  *source,
            CycCycleSize           needed,
            const char            *what,
            GError               **error)
{
  if (needed <= (CycCycleSize) source->size)
    return TRUE;
  g_autofree char *text = cyc_cycle_size_dup (needed);
  cyc_error_set_at (error, CYC_ERROR_INPUT, source->shown, 0,
                    "MegaKernel profile buffer is %s: expected at least %s bytes, got %" G_GUINT64_FORMAT,
                    what, text, source->size);
  return FALSE;
}

static gboolean
use_given_capacities (Decoder  *self,
                      gint64    capacities[2],
                      GError  **error)
{
  const CycCycleMeta *meta = self->buffer->meta;

  if (meta->aic_capacity == NULL || meta->aiv_capacity == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, meta->source, 0,
                        "AIC and AIV profile capacities must be provided together");
      return FALSE;
    }
  return cyc_cycle_capacity_check ("AIC profile", meta->aic_capacity, meta->source, &capacities[0], error) &&
         cyc_cycle_capacity_check ("AIV profile", meta->aiv_capacity, meta->source, &capacities[1], error) &&
         check_size (self->source, cyc_cycle_size_of_layout (meta->cube_slots, capacities[0], capacities[1]),
                     "smaller than its Host-computed layout", error);
}

/* A region's capacity is what its first slot says, initialised or not. */
static gboolean
read_capacity (Decoder     *self,
               const char  *kind,
               guint64      offset,
               gint64      *out_capacity,
               GError     **error)
{
  Header header;
  char text[16];

  if (!read_header (self->source, offset, &header, error))
    return FALSE;
  g_snprintf (text, sizeof text, "%u", header.capacity);
  return cyc_cycle_capacity_check (kind, text, self->source->shown, out_capacity, error);
}

static gboolean
find_capacities (Decoder  *self,
                 gint64    capacities[2],
                 GError  **error)
{
  gint64 cube_slots = self->buffer->meta->cube_slots;

  if (!read_capacity (self, "AIC profile", 0, &capacities[0], error))
    return FALSE;
  CycCycleSize aiv = cube_slots * cyc_cycle_size_of_slot (capacities[0]);
  return check_size (self->source, aiv + HEADER_SIZE, "too small for the AIV header", error) &&
         read_capacity (self, "AIV profile", (guint64) aiv, &capacities[1], error) &&
         check_size (self->source, cyc_cycle_size_of_layout (cube_slots, capacities[0], capacities[1]),
                     "too small for its declared capacities", error);
}

static gboolean
check_layout (Decoder  *self,
              GError  **error)
{
  CycCycleBuffer *buffer = self->buffer;
  gint64 cube_slots = buffer->meta->cube_slots;
  gint64 capacities[2] = { 0, 0 };

  if (!check_size (self->source, 3 * (CycCycleSize) cube_slots * HEADER_SIZE, "too small", error))
    return FALSE;
  gboolean given = buffer->meta->aic_capacity != NULL || buffer->meta->aiv_capacity != NULL;
  if (!(given ? use_given_capacities : find_capacities) (self, capacities, error))
    return FALSE;
  buffer->aic_capacity = (guint64) capacities[0];
  buffer->aiv_capacity = (guint64) capacities[1];
  buffer->layout_size = (guint64) cyc_cycle_size_of_layout (cube_slots, capacities[0], capacities[1]);
  return TRUE;
}

typedef struct
{
  guint64          number;
  guint64          offset;
  guint64          capacity;
  CycCycleCoreType type;
  guint32          block;
} Slot;

static Slot
get_slot (const CycCycleBuffer *buffer,
          guint64               number)
{
  guint64 cube_slots = (guint64) buffer->meta->cube_slots;
  guint64 aic_stride = (guint64) cyc_cycle_size_of_slot ((gint64) buffer->aic_capacity);
  guint64 aiv_stride = (guint64) cyc_cycle_size_of_slot ((gint64) buffer->aiv_capacity);

  if (number < cube_slots)
    return (Slot) { number, number * aic_stride, buffer->aic_capacity, CYC_CYCLE_AIC, (guint32) number };
  guint64 block = number - cube_slots;
  return (Slot) { number, cube_slots * aic_stride + block * aiv_stride, buffer->aiv_capacity,
                  CYC_CYCLE_AIV, (guint32) block };
}

static gboolean
check_header (const Decoder  *self,
              const Slot     *slot,
              const Header   *header,
              GError        **error)
{
  g_autofree char *fault = NULL;

  if (header->type != slot->type || header->block != slot->block)
    fault = g_strdup_printf ("Profile slot identity mismatch: slot=%" G_GUINT64_FORMAT
                             ", expected=(%u, %u), got=(%u, %u)",
                             slot->number, slot->type, slot->block, header->type, header->block);
  else if (header->capacity != slot->capacity)
    fault = g_strdup_printf ("Profile slot capacity mismatch: slot=%" G_GUINT64_FORMAT
                             ", expected=%" G_GUINT64_FORMAT ", got=%u",
                             slot->number, slot->capacity, header->capacity);
  else if (header->reserved != 0)
    fault = g_strdup_printf ("Profile core header reserved field must be zero: slot=%" G_GUINT64_FORMAT
                             ", got=%u", slot->number, header->reserved);
  else if (header->n_records > slot->capacity)
    fault = g_strdup_printf ("Profile record count exceeds capacity: slot=%" G_GUINT64_FORMAT
                             ", count=%u, capacity=%" G_GUINT64_FORMAT,
                             slot->number, header->n_records, slot->capacity);
  if (fault == NULL)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source->shown, 0, "%s", fault);
  return FALSE;
}

static void
convert_records (CycCycleRecord *records,
                 guint32         n)
{
#if G_BYTE_ORDER != G_LITTLE_ENDIAN
  for (guint32 i = 0; i < n; i++)
    {
      records[i].start = GUINT64_FROM_LE (records[i].start);
      records[i].end = GUINT64_FROM_LE (records[i].end);
      records[i].desc = GUINT32_FROM_LE (records[i].desc);
      records[i].task = GUINT32_FROM_LE (records[i].task);
      records[i].index = GUINT32_FROM_LE (records[i].index);
      records[i].owner = GUINT32_FROM_LE (records[i].owner);
    }
#else
  (void) records;
  (void) n;
#endif
}

/* Checks a slot's records and notes their span. */
static gboolean
check_records (Decoder               *self,
               const Slot            *slot,
               const CycCycleRecord  *records,
               guint32                n,
               gboolean              *out_is_sorted,
               GError               **error)
{
  guint64 before = 0;
  gboolean is_sorted = TRUE;

  for (guint32 i = 0; i < n; i++)
    {
      guint64 start = records[i].start;
      guint64 end = records[i].end;
      if (end < start)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, self->source->shown, 0,
                            "Profile cycle interval is negative: slot=%" G_GUINT64_FORMAT
                            ", record=%u, start=%" G_GUINT64_FORMAT ", end=%" G_GUINT64_FORMAT,
                            slot->number, i, start, end);
          return FALSE;
        }
      is_sorted = is_sorted && before <= start;
      before = start;
      self->min_start = MIN (self->min_start, start);
      self->max_end = MAX (self->max_end, end);
    }
  *out_is_sorted = is_sorted;
  return TRUE;
}

static gboolean
decode_slot (Decoder     *self,
             const Slot  *slot,
             GError     **error)
{
  CycCycleBuffer *buffer = self->buffer;
  Header header;

  if (!read_header (self->source, slot->offset, &header, error))
    return FALSE;
  if (is_empty (&header))
    return TRUE;
  if (!check_header (self, slot, &header, error))
    return FALSE;
  buffer->dropped += header.dropped;
  if (header.n_records == 0)
    return TRUE;
  if (header.n_records > MAX_RECORDS - buffer->n_records)
    {
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, self->source->shown, 0,
                        "holds more than %u records; this is the limit", MAX_RECORDS);
      return FALSE;
    }

  CycCycleRecord *records = buffer->records + buffer->n_records;
  CycCycleCore core = {
    .entry_cycle = header.entry_cycle,
    .first = buffer->n_records,
    .n_records = header.n_records,
    .type = slot->type,
    .block = slot->block,
  };
  if (!cyc_cycle_source_read (self->source, slot->offset + HEADER_SIZE, records,
                              (gsize) header.n_records * sizeof *records, error))
    return FALSE;
  convert_records (records, header.n_records);
  if (!check_records (self, slot, records, header.n_records, &core.is_sorted, error))
    return FALSE;
  if (header.entry_cycle != 0)
    {
      self->entry = MIN (self->entry, header.entry_cycle);
      self->has_entry = TRUE;
    }
  buffer->n_records += header.n_records;
  g_array_append_val (self->cores, core);
  return TRUE;
}

/* Room for all records: their own, or that of the bytes, where they can only move to the front. What
 * headers say is not checked yet, and more than fits a slot is never read. */
static gboolean
reserve_records (Decoder  *self,
                 guint64   n_slots,
                 GError  **error)
{
  guint64 sum = 0;

  if (self->source->bytes != NULL && self->source->is_owned)
    {
      self->buffer->records = (CycCycleRecord *) (void *) self->source->bytes;
      return TRUE;
    }
  for (guint64 i = 0; i < n_slots; i++)
    {
      Slot slot = get_slot (self->buffer, i);
      Header header;
      if (!read_header (self->source, slot.offset, &header, error))
        return FALSE;
      sum += MIN (header.n_records, slot.capacity);
    }
  self->buffer->records = g_try_new (CycCycleRecord, MAX (sum, 1));
  if (self->buffer->records != NULL)
    {
      cyc_advise_large (self->buffer->records, sum * sizeof *self->buffer->records);
      return TRUE;
    }
  cyc_error_set_at (error, CYC_ERROR_FAILED, self->source->shown, 0, "not enough memory for its records");
  return FALSE;
}

static gboolean
decode_slots (Decoder       *self,
              GCancellable  *cancellable,
              GError       **error)
{
  guint64 n_slots = 3 * (guint64) self->buffer->meta->cube_slots;

  if (!reserve_records (self, n_slots, error))
    return FALSE;
  for (guint64 i = 0; i < n_slots; i++)
    {
      Slot slot = get_slot (self->buffer, i);
      if (g_cancellable_set_error_if_cancelled (cancellable, error) || !decode_slot (self, &slot, error))
        return FALSE;
    }
  if (self->buffer->n_records > 0)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source->shown, 0,
                    "MegaKernel cycle profile buffer contains no records; verify that the current profiler "
                    "schedule is active and that the profiled operator completed");
  return FALSE;
}

/* Times have to be numbers. */
static gboolean
check_times (const Decoder  *self,
             GError        **error)
{
  const CycCycleMeta *meta = self->buffer->meta;

  if (isfinite (cyc_cycle_to_us (self->min_start, self->buffer->anchor, meta->frequency_mhz)) &&
      isfinite (cyc_cycle_to_us (self->max_end, self->buffer->anchor, meta->frequency_mhz)) &&
      isfinite (cyc_cycle_to_us (self->max_end, self->min_start, meta->frequency_mhz)))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, meta->source, 0,
                    "cycle_frequency_mhz is so low that times in microseconds are no numbers, got %g",
                    meta->frequency_mhz);
  return FALSE;
}

/* Takes over what the source has in memory. */
static void
settle_records (Decoder *self)
{
  CycCycleBuffer *buffer = self->buffer;

  if ((void *) buffer->records == (void *) self->source->bytes)
    {
      self->source->bytes = NULL;
      buffer->records = g_realloc_n (buffer->records, buffer->n_records, sizeof *buffer->records);
    }
  buffer->n_cores = self->cores->len;
  buffer->cores = (CycCycleCore *) (void *) g_array_free (g_steal_pointer (&self->cores), FALSE);
}

static CycCycleBuffer *
decode (CycCycleSource  *source,
        CycCycleMeta    *meta,
        GCancellable    *cancellable,
        GError         **error)
{
  g_autoptr (CycCycleBuffer) buffer = g_new0 (CycCycleBuffer, 1);
  Decoder decoder = { buffer, source, NULL, G_MAXUINT64, FALSE, G_MAXUINT64, 0 };

  buffer->meta = cyc_cycle_meta_ref (meta);
  decoder.cores = g_array_new (FALSE, FALSE, sizeof (CycCycleCore));
  gboolean ok = check_layout (&decoder, error) && decode_slots (&decoder, cancellable, error) &&
                cyc_cycle_source_check_unchanged (source, error);
  if (ok)
    {
      buffer->anchor = decoder.has_entry ? decoder.entry : decoder.min_start;
      ok = check_times (&decoder, error);
    }
  if (ok)
    settle_records (&decoder);
  else if (source->bytes != NULL && source->is_owned)
    buffer->records = NULL;
  g_clear_pointer (&decoder.cores, g_array_unref);
  return ok ? g_steal_pointer (&buffer) : NULL;
}

/**
 * cyc_cycle_buffer_read:
 * @path: a profile buffer; `.gz` and `.xz` are unpacked
 * @meta: its metadata
 * @cancellable: (nullable): stops it between slots
 * @error: (nullable): return location for an error
 *
 * Reads a profile buffer and checks all that can be checked. Of a file only headers and records are
 * read, not the unused room behind them; a packed one is unpacked whole, into the memory that the
 * records then keep.
 *
 * Returns: (transfer full) (nullable): the buffer
 */
CycCycleBuffer *
cyc_cycle_buffer_read (const char    *path,
                       CycCycleMeta  *meta,
                       GCancellable  *cancellable,
                       GError       **error)
{
  if (!cyc_cycle_meta_check (meta, error))
    return NULL;
  g_auto (CycCycleSource) source = { NULL };
  if (!cyc_cycle_source_open (&source, path, cancellable, error))
    return NULL;
  return decode (&source, meta, cancellable, error);
}

/**
 * cyc_cycle_buffer_parse:
 * @bytes: (array length=len): a profile buffer
 * @len: its length
 * @source: (nullable): its name for messages
 * @meta: its metadata
 * @error: (nullable): return location for an error
 *
 * As cyc_cycle_buffer_read(), of bytes in memory, which are copied.
 *
 * Returns: (transfer full) (nullable): the buffer
 */
CycCycleBuffer *
cyc_cycle_buffer_parse (const void    *bytes,
                        gsize          len,
                        const char    *source,
                        CycCycleMeta  *meta,
                        GError       **error)
{
  if (!cyc_cycle_meta_check (meta, error))
    return NULL;
  g_auto (CycCycleSource) memory = {
    .shown = g_strdup (source),
    .fd = -1,
    .size = len,
    .bytes = (guint8 *) bytes,
  };
  return decode (&memory, meta, NULL, error);
}

/**
 * cyc_cycle_buffer_free:
 * @self: (transfer full): a buffer
 */
void
cyc_cycle_buffer_free (CycCycleBuffer *self)
{
  g_return_if_fail (self != NULL);

  g_clear_pointer (&self->meta, cyc_cycle_meta_unref);
  g_free (self->records);
  g_free (self->cores);
  g_free (self);
}

/**
 * cyc_cycle_core_get_tid:
 * @self: a core
 *
 * Returns: the id of its thread in a trace
 */
guint64
cyc_cycle_core_get_tid (const CycCycleCore *self)
{
  return (guint64) self->type * 1000 + self->block;
}

/**
 * cyc_cycle_core_type_to_string:
 * @type: a type of core
 *
 * Returns: (transfer none): its name in traces
 */
const char *
cyc_cycle_core_type_to_string (CycCycleCoreType type)
{
  return type == CYC_CYCLE_AIC ? "AIC" : "AIV";
}

/**
 * cyc_cycle_to_us:
 * @cycle: when it was
 * @anchor: what it counts from; may be later
 * @frequency_mhz: cycles in a microsecond
 *
 * Returns: the time in microseconds: the exact difference, rounded once to a double, then divided
 */
double
cyc_cycle_to_us (guint64 cycle,
                 guint64 anchor,
                 double  frequency_mhz)
{
  double cycles = cycle >= anchor ? (double) (cycle - anchor) : -(double) (anchor - cycle);

  return cycles / frequency_mhz;
}
