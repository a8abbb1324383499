/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-columns.h"

#include <string.h>

#include "core/base/cyc-radix-order.h"
#include "core/base/cyc-util.h"

/* What a piece needs while it is sorted fits the cache of a processor. */
#define PIECE_RECORDS (16 * 1024)
/* A pass of the sort of a piece goes by so many bits at most. */
#define DIGIT_BITS 11
#define MAX_PASSES 3
/* The key of an item has the bits above the record's number in the piece. */
#define NUMBER_BITS 32

typedef struct
{
  guint32 core; /* index in the buffer */
  guint32 at;   /* its next record */
  guint32 end;
} Run;

struct _CycCycleCursor
{
  const CycCycleBuffer *buffer;
  guint32               share;   /* records that a core may give to a piece */
  GArray               *pending; /* Runs that begin later, the next one last */
  GArray               *active;  /* Runs, in the order of their cores */
  CycCycleColumns       columns; /* the last piece */
  guint32               columns_room;
  guint32               n;       /* of what follows: the next piece, not yet in order */
  guint32               room;
  guint32              *ids;     /* of records */
  guint32              *cores;
  guint64              *items;   /* how long after the first a record starts, and its number in the piece */
  guint64              *spare;
  guint64               base;    /* the first start cycle of the piece */
  guint                 n_passes;
  guint                 digit;   /* bits of a pass */
  guint32               counts[MAX_PASSES][1 << DIGIT_BITS];
};

static void
columns_resize (CycCycleColumns *self,
                guint32          room)
{
  self->start = g_renew (guint64, self->start, room);
  self->end = g_renew (guint64, self->end, room);
  self->desc = g_renew (guint32, self->desc, room);
  self->task = g_renew (guint32, self->task, room);
  self->index = g_renew (guint32, self->index, room);
  self->owner = g_renew (guint32, self->owner, room);
  self->core = g_renew (guint32, self->core, room);
}

static void
advise_large (CycCycleColumns *self,
              guint32          room)
{
  cyc_advise_large (self->start, room * sizeof *self->start);
  cyc_advise_large (self->end, room * sizeof *self->end);
  cyc_advise_large (self->desc, room * sizeof *self->desc);
  cyc_advise_large (self->task, room * sizeof *self->task);
  cyc_advise_large (self->index, room * sizeof *self->index);
  cyc_advise_large (self->owner, room * sizeof *self->owner);
  cyc_advise_large (self->core, room * sizeof *self->core);
}

static void
columns_clear (CycCycleColumns *self)
{
  g_free (self->start);
  g_free (self->end);
  g_free (self->desc);
  g_free (self->task);
  g_free (self->index);
  g_free (self->owner);
  g_free (self->core);
}

static inline void
columns_put (CycCycleColumns      *self,
             guint32               i,
             const CycCycleRecord *record)
{
  self->start[i] = record->start;
  self->end[i] = record->end;
  self->desc[i] = record->desc;
  self->task[i] = record->task;
  self->index[i] = record->index;
  self->owner[i] = record->owner;
}

/**
 * cyc_cycle_columns_free:
 * @self: (transfer full): columns
 */
void
cyc_cycle_columns_free (CycCycleColumns *self)
{
  g_return_if_fail (self != NULL);

  columns_clear (self);
  g_free (self);
}

/* Records of a core that are out of order among themselves; real ones never are. */
static void
sort_core (CycCycleBuffer *buffer,
           CycCycleCore   *core)
{
  CycCycleRecord *records = buffer->records + core->first;
  g_autofree guint32 *order = g_new (guint32, core->n_records);
  g_autofree CycCycleRecord *copy = NULL;

  cyc_radix_order (&records[0].start, sizeof *records, core->n_records, order);
  copy = g_memdup2 (records, (gsize) core->n_records * sizeof *records);
  for (guint32 i = 0; i < core->n_records; i++)
    records[i] = copy[order[i]];
  core->is_sorted = TRUE;
}

static void
add_pending (CycCycleCursor *self)
{
  const CycCycleBuffer *buffer = self->buffer;
  g_autofree guint64 *keys = g_new (guint64, buffer->n_cores);
  g_autofree guint32 *order = g_new (guint32, buffer->n_cores);

  for (guint i = 0; i < buffer->n_cores; i++)
    keys[i] = buffer->records[buffer->cores[i].first].start;
  cyc_radix_order (keys, sizeof *keys, buffer->n_cores, order);
  for (guint i = buffer->n_cores; i > 0; i--)
    {
      const CycCycleCore *core = &buffer->cores[order[i - 1]];
      Run run = { order[i - 1], core->first, core->first + core->n_records };
      g_array_append_val (self->pending, run);
    }
}

/**
 * cyc_cycle_cursor_new:
 * @buffer: a buffer, which has to stay
 * @limit: about how many records a piece is to have; more if more start in the same cycle
 *
 * Goes over the records in order, piece by piece, in memory that depends on @limit alone. A core
 * whose records are out of order is put in order first, in @buffer.
 *
 * Returns: (transfer full): a cursor in front of the first piece
 */
CycCycleCursor *
cyc_cycle_cursor_new (CycCycleBuffer *buffer,
                      guint32         limit)
{
  CycCycleCursor *self = g_new0 (CycCycleCursor, 1);

  for (guint i = 0; i < buffer->n_cores; i++)
    if (!buffer->cores[i].is_sorted)
      sort_core (buffer, &buffer->cores[i]);
  self->buffer = buffer;
  self->share = MAX (limit / buffer->n_cores, 1);
  self->pending = g_array_new (FALSE, FALSE, sizeof (Run));
  self->active = g_array_new (FALSE, FALSE, sizeof (Run));
  add_pending (self);
  return self;
}

/**
 * cyc_cycle_cursor_free:
 * @self: (transfer full): a cursor
 */
void
cyc_cycle_cursor_free (CycCycleCursor *self)
{
  g_return_if_fail (self != NULL);

  g_array_unref (self->pending);
  g_array_unref (self->active);
  columns_clear (&self->columns);
  g_free (self->ids);
  g_free (self->cores);
  g_free (self->items);
  g_free (self->spare);
  g_free (self);
}

static guint64
get_start (const CycCycleCursor *self,
           guint32               id)
{
  return self->buffer->records[id].start;
}

static int
compare_runs (gconstpointer a,
              gconstpointer b)
{
  guint32 first = ((const Run *) a)->core;
  guint32 second = ((const Run *) b)->core;

  return first < second ? -1 : first > second;
}

/* Lowers the limit so that the core has no more than its share in front of it. */
static void
lower_limit (const CycCycleCursor *self,
             const Run            *run,
             guint64              *limit,
             gboolean             *all)
{
  if (run->end - run->at <= self->share)
    return;
  *limit = MIN (*limit, get_start (self, run->at + self->share));
  *all = FALSE;
}

/* The cycle before which the next piece ends; all of what is left if that fits. Cores that begin in
 * front of it become active. */
static guint64
find_limit (CycCycleCursor *self,
            gboolean       *out_all)
{
  guint64 limit = G_MAXUINT64;
  gboolean all = TRUE;
  gboolean in_order = TRUE;

  for (guint i = 0; i < self->active->len; i++)
    lower_limit (self, &g_array_index (self->active, Run, i), &limit, &all);
  while (self->pending->len > 0)
    {
      Run next = g_array_index (self->pending, Run, self->pending->len - 1);
      if (!all && get_start (self, next.at) > limit)
        break;
      lower_limit (self, &next, &limit, &all);
      g_array_set_size (self->pending, self->pending->len - 1);
      g_array_append_val (self->active, next);
      guint last = self->active->len - 1;
      in_order = in_order && (last == 0 || g_array_index (self->active, Run, last - 1).core < next.core);
    }
  if (!in_order)
    g_array_sort (self->active, compare_runs);
  *out_all = all;
  return limit;
}

static void
ensure_room (CycCycleCursor *self,
             guint32         more)
{
  if (more <= self->room - self->n)
    return;
  self->room = MAX (self->n + more, self->room > G_MAXUINT32 / 2 ? G_MAXUINT32 : self->room * 2);
  self->ids = g_renew (guint32, self->ids, self->room);
  self->cores = g_renew (guint32, self->cores, self->room);
  self->items = g_renew (guint64, self->items, self->room);
  self->spare = g_renew (guint64, self->spare, self->room);
}

/* The first and the last start cycle that the next piece can have, and so how its records are sorted. */
static void
plan_sort (CycCycleCursor *self,
           guint64         limit,
           gboolean        all)
{
  guint64 last = all ? 0 : limit;

  self->base = G_MAXUINT64;
  for (guint i = 0; i < self->active->len; i++)
    {
      const Run *run = &g_array_index (self->active, Run, i);
      self->base = MIN (self->base, get_start (self, run->at));
      if (all)
        last = MAX (last, get_start (self, run->end - 1));
    }
  guint64 range = last - self->base;
  guint bits = range == 0 ? 0 : 64 - (guint) __builtin_clzll (range);
  /* More bits than an item has are sorted in the general way. */
  self->n_passes = bits > NUMBER_BITS ? 0 : (bits + DIGIT_BITS - 1) / DIGIT_BITS;
  self->digit = self->n_passes > 0 ? (bits + self->n_passes - 1) / self->n_passes : 0;
  memset (self->counts, 0, self->n_passes * sizeof *self->counts);
}

/* Takes a core's records in front of the limit, with those at the limit, or all. */
static void
take_records (CycCycleCursor *self,
              Run            *run,
              guint64         limit,
              gboolean        at_limit,
              gboolean        all)
{
  const CycCycleRecord *records = self->buffer->records;
  guint64 mask = (G_GUINT64_CONSTANT (1) << self->digit) - 1;
  guint32 n = self->n;

  /* Without a limit, or with those at it, there may be more than a share. */
  if (!all && !at_limit)
    ensure_room (self, MIN (run->end - run->at, self->share + 1));
  for (; run->at < run->end; run->at++, n++)
    {
      guint64 start = records[run->at].start;
      if (!all && (at_limit ? start > limit : start >= limit))
        break;
      if (n == self->room)
        {
          self->n = n;
          ensure_room (self, 1);
        }
      guint64 key = start - self->base;
      self->ids[n] = run->at;
      self->cores[n] = run->core;
      self->items[n] = key << NUMBER_BITS | n;
      for (guint pass = 0; pass < self->n_passes; pass++, key >>= self->digit)
        self->counts[pass][key & mask]++;
    }
  self->n = n;
}

/* Takes records in front of the limit, or all; if there are none, those at the limit. */
static void
collect (CycCycleCursor *self,
         guint64         limit,
         gboolean        all)
{
  self->n = 0;
  for (guint at_limit = 0; at_limit < 2 && self->n == 0; at_limit++)
    for (guint i = 0; i < self->active->len; i++)
      take_records (self, &g_array_index (self->active, Run, i), limit, at_limit != 0, all);
  guint kept = 0;
  for (guint i = 0; i < self->active->len; i++)
    {
      Run run = g_array_index (self->active, Run, i);
      if (run.at < run.end)
        g_array_index (self->active, Run, kept++) = run;
    }
  g_array_set_size (self->active, kept);
}

/* Puts the items of a piece in order. They were counted when they were taken. */
static void
sort_piece (CycCycleCursor *self)
{
  guint64 mask = (G_GUINT64_CONSTANT (1) << self->digit) - 1;

  for (guint pass = 0; pass < self->n_passes; pass++)
    {
      guint32 *counts = self->counts[pass];
      guint shift = NUMBER_BITS + pass * self->digit;
      guint32 sum = 0;
      for (guint digit = 0; digit <= mask; digit++)
        {
          guint32 here = counts[digit];
          counts[digit] = sum;
          sum += here;
        }
      for (guint32 i = 0; i < self->n; i++)
        self->spare[counts[self->items[i] >> shift & mask]++] = self->items[i];
      guint64 *swap = self->items;
      self->items = self->spare;
      self->spare = swap;
    }
}

/* The same for a piece whose start cycles are so far apart that items have no room for them. */
static void
sort_wide_piece (CycCycleCursor *self)
{
  g_autofree guint32 *order = g_new (guint32, self->n);

  for (guint32 i = 0; i < self->n; i++)
    self->spare[i] = get_start (self, self->ids[i]);
  cyc_radix_order (self->spare, sizeof *self->spare, self->n, order);
  for (guint32 i = 0; i < self->n; i++)
    self->items[i] = order[i];
}

/* Finds the next piece and its order. FALSE at the end. */
static gboolean
find_piece (CycCycleCursor *self)
{
  gboolean all;

  if (self->active->len == 0 && self->pending->len == 0)
    return FALSE;
  guint64 limit = find_limit (self, &all);
  plan_sort (self, limit, all);
  collect (self, limit, all);
  if (self->n_passes > 0)
    sort_piece (self);
  else
    sort_wide_piece (self);
  return TRUE;
}

static void
put_piece (const CycCycleCursor *self,
           CycCycleColumns      *columns,
           guint32               at)
{
  for (guint32 i = 0; i < self->n; i++)
    {
      guint32 k = (guint32) self->items[i];
      columns_put (columns, at + i, &self->buffer->records[self->ids[k]]);
      columns->core[at + i] = self->cores[k];
    }
}

/**
 * cyc_cycle_cursor_next:
 * @self: a cursor
 *
 * Returns: (transfer none) (nullable): the next piece, until the next call; %NULL at the end
 */
const CycCycleColumns *
cyc_cycle_cursor_next (CycCycleCursor *self)
{
  if (!find_piece (self))
    return NULL;
  if (self->n > self->columns_room)
    {
      self->columns_room = self->room;
      columns_resize (&self->columns, self->room);
    }
  self->columns.n = self->n;
  put_piece (self, &self->columns, 0);
  return &self->columns;
}

/**
 * cyc_cycle_columns_new:
 * @buffer: a buffer
 *
 * Puts all records in order. A core whose records are out of order is put in order first, in @buffer.
 * Takes little more than the memory of the columns, which are 36 bytes a record: pieces that fit the
 * cache are sorted one after the other.
 *
 * Returns: (transfer full): the columns
 */
CycCycleColumns *
cyc_cycle_columns_new (CycCycleBuffer *buffer)
{
  g_autoptr (CycCycleCursor) cursor = cyc_cycle_cursor_new (buffer, PIECE_RECORDS);
  CycCycleColumns *self = g_new0 (CycCycleColumns, 1);

  columns_resize (self, buffer->n_records);
  advise_large (self, buffer->n_records);
  while (find_piece (cursor))
    {
      put_piece (cursor, self, self->n);
      self->n += cursor->n;
    }
  return self;
}
