/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-cache.h"

#include <string.h>

#include "core/base/cyc-util.h"

#define BLOCK_SIZE (64 * 1024)
/* As many as it takes to find both ends of the longest line, and one more. */
#define MAX_BLOCKS 6
#define UNKNOWN G_MAXUINT32
/* How much of a log is read only to count its lines. */
#define MAX_COUNTED (64 * 1024 * 1024)

typedef struct
{
  guint64 index;
  GBytes *bytes;
  guint   used;    /* when it was last looked at */
  guint   tried;   /* in which state of the log it was last read */
} Block;

/* The bytes of a log that are at hand: a few blocks of it, the least used of which make room for others,
 * and how many lines each block that was ever read ends. */
struct _CycLogCache
{
  GObject parent_instance;

  CycLogSource    source;
  gpointer        user_data;
  GDestroyNotify  destroy;
  GCancellable   *cancellable;

  guint64         length;
  GPtrArray      *blocks;    /* of Block */
  GHashTable     *reading;   /* guint64 index: blocks that are on their way */
  guint           clock;
  guint           state;     /* how often the log was found changed */
  char           *error;     /* why the last read failed; NULL if it did not */

  GArray         *counts;    /* guint32 a block: lines it ends, UNKNOWN if it is not all read */
  guint           n_summed;  /* blocks from the first on that are counted */
  guint           count_state; /* the state in which counting met its end */
  guint64         n_lines;   /* lines that these end */
};

enum
{
  READY,
  INDEXED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycLogCache, cyc_log_cache, G_TYPE_OBJECT)

static void
block_free (gpointer data)
{
  Block *self = data;

  g_bytes_unref (self->bytes);
  g_free (self);
}

static void
cyc_log_cache_finalize (GObject *object)
{
  CycLogCache *self = CYC_LOG_CACHE (object);

  if (self->destroy != NULL)
    self->destroy (self->user_data);
  g_ptr_array_unref (self->blocks);
  g_hash_table_unref (self->reading);
  g_array_unref (self->counts);
  g_object_unref (self->cancellable);
  g_free (self->error);
  G_OBJECT_CLASS (cyc_log_cache_parent_class)->finalize (object);
}

static void
cyc_log_cache_class_init (CycLogCacheClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_log_cache_finalize;
  signals[READY] = g_signal_new ("ready", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
  signals[INDEXED] = g_signal_new ("indexed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
cyc_log_cache_init (CycLogCache *self)
{
  self->blocks = g_ptr_array_new_with_free_func (block_free);
  self->reading = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->counts = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->cancellable = g_cancellable_new ();
}

/**
 * cyc_log_cache_new:
 * @source: where the log is
 * @user_data: for @source
 * @destroy: (nullable): frees @user_data
 *
 * Returns: (transfer full): an empty cache
 */
CycLogCache *
cyc_log_cache_new (const CycLogSource *source,
                   gpointer            user_data,
                   GDestroyNotify      destroy)
{
  g_return_val_if_fail (source != NULL, NULL);

  CycLogCache *self = g_object_new (CYC_TYPE_LOG_CACHE, NULL);
  self->source = *source;
  self->user_data = user_data;
  self->destroy = destroy;
  self->length = source->get_length (user_data);
  self->state = 1;
  return self;
}

/**
 * cyc_log_cache_close:
 * @self: a cache
 *
 * Cancels what is being read; nothing comes any more.
 */
void
cyc_log_cache_close (CycLogCache *self)
{
  g_return_if_fail (CYC_IS_LOG_CACHE (self));

  g_cancellable_cancel (self->cancellable);
}

static void
forget_all (CycLogCache *self)
{
  g_ptr_array_set_size (self->blocks, 0);
  g_array_set_size (self->counts, 0);
  self->n_summed = 0;
  self->n_lines = 0;
}

/**
 * cyc_log_cache_update:
 * @self: a cache
 *
 * Asks the source how long the log is now. If it became shorter it is another log, and all that was read is
 * forgotten.
 *
 * Returns: whether it changed
 */
gboolean
cyc_log_cache_update (CycLogCache *self)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), FALSE);

  guint64 length = self->source.get_length (self->user_data);
  gboolean changed = length != self->length;
  if (length < self->length)
    forget_all (self);
  self->length = length;
  self->state++;
  g_clear_pointer (&self->error, g_free);
  return changed;
}

/**
 * cyc_log_cache_get_length:
 * @self: a cache
 *
 * Returns: how long the log is, in bytes
 */
guint64
cyc_log_cache_get_length (CycLogCache *self)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), 0);

  return self->length;
}

/**
 * cyc_log_cache_get_error:
 * @self: a cache
 *
 * Returns: (transfer none) (nullable): why the last read failed
 */
const char *
cyc_log_cache_get_error (CycLogCache *self)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), NULL);

  return self->error;
}

static Block *
find_block (CycLogCache *self,
            guint64      index)
{
  for (guint i = 0; i < self->blocks->len; i++)
    {
      Block *block = g_ptr_array_index (self->blocks, i);
      if (block->index == index)
        return block;
    }
  return NULL;
}

static void
make_room (CycLogCache *self)
{
  guint oldest = 0;

  if (self->blocks->len < MAX_BLOCKS)
    return;
  for (guint i = 1; i < self->blocks->len; i++)
    if (((Block *) g_ptr_array_index (self->blocks, i))->used <
        ((Block *) g_ptr_array_index (self->blocks, oldest))->used)
      oldest = i;
  g_ptr_array_remove_index_fast (self->blocks, oldest);
}

static guint32
count_lines (GBytes *bytes)
{
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  const char *end = data + size;
  guint32 n = 0;

  while (size > 0 && data < end && (data = memchr (data, '\n', (gsize) (end - data))) != NULL)
    {
      n++;
      data++;
    }
  return n;
}

/* Counts the lines of a block that is complete, and sums up as far as all are known. */
static void
note_count (CycLogCache *self,
            guint64      index,
            GBytes      *bytes)
{
  const guint32 unknown = UNKNOWN;
  guint before = self->n_summed;

  if (g_bytes_get_size (bytes) < BLOCK_SIZE || index >= G_MAXUINT32 / sizeof (guint32))
    return;
  while (self->counts->len <= index)
    g_array_append_val (self->counts, unknown);
  g_array_index (self->counts, guint32, index) = count_lines (bytes);
  while (self->n_summed < self->counts->len &&
         g_array_index (self->counts, guint32, self->n_summed) != UNKNOWN)
    self->n_lines += g_array_index (self->counts, guint32, self->n_summed++);
  if (before != self->n_summed)
    g_signal_emit (self, signals[INDEXED], 0);
}

typedef struct
{
  CycLogCache *cache;
  guint64      index;
  guint        keep;      /* bytes of the block that were there */
  gboolean     only_count;
  guint        state;
} Request;

static void
take_bytes (CycLogCache   *self,
            const Request *request,
            GBytes        *bytes)
{
  Block *block = find_block (self, request->index);

  if (request->only_count)
    {
      if (g_bytes_get_size (bytes) < BLOCK_SIZE)
        self->count_state = request->state;
      note_count (self, request->index, bytes);
      return;
    }
  if (block == NULL)
    {
      make_room (self);
      block = g_new0 (Block, 1);
      block->index = request->index;
      block->bytes = g_bytes_new_static ("", 0);
      g_ptr_array_add (self->blocks, block);
    }
  block->used = ++self->clock;
  block->tried = request->state;
  /* What was there when the request began must still be all that is there. */
  if (g_bytes_get_size (block->bytes) != request->keep || g_bytes_get_size (bytes) == 0)
    return;
  GByteArray *all = g_bytes_unref_to_array (block->bytes);
  g_byte_array_append (all, g_bytes_get_data (bytes, NULL),
                       (guint) MIN (g_bytes_get_size (bytes), BLOCK_SIZE - request->keep));
  block->bytes = g_byte_array_free_to_bytes (all);
  note_count (self, request->index, block->bytes);
}

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autofree Request *request = user_data;
  g_autoptr (CycLogCache) self = request->cache;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = self->source.read_finish (result, &error, self->user_data);

  g_hash_table_remove (self->reading, &request->index);
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  cyc_set_str (&self->error, error != NULL ? error->message : NULL);
  if (bytes != NULL)
    take_bytes (self, request, bytes);
  g_signal_emit (self, signals[READY], 0);
}

static void
begin_read (CycLogCache *self,
            guint64      index,
            guint        keep,
            gboolean     only_count)
{
  if (g_hash_table_contains (self->reading, &index))
    return;
  Request *request = g_new0 (Request, 1);
  request->cache = g_object_ref (self);
  request->index = index;
  request->keep = keep;
  request->only_count = only_count;
  request->state = self->state;
  g_hash_table_add (self->reading, g_memdup2 (&index, sizeof index));
  guint64 offset = index * BLOCK_SIZE + keep;
  guint length = (guint) MIN (BLOCK_SIZE - keep, self->length - offset);
  self->source.read (offset, length, self->cancellable, read_cb, request, self->user_data);
}

/* A block, with all the bytes it can have now: NULL while they are being read. What the source did not give
 * is not asked for again until the log changes. */
static Block *
get_block (CycLogCache *self,
           guint64      offset)
{
  guint64 index = offset / BLOCK_SIZE;
  guint64 there = MIN (BLOCK_SIZE, self->length - index * BLOCK_SIZE);
  Block *block = find_block (self, index);
  gsize size = block != NULL ? g_bytes_get_size (block->bytes) : 0;

  if (block != NULL)
    block->used = ++self->clock;
  if (block != NULL && (size >= there || block->tried == self->state))
    return block;
  if (self->error != NULL)
    return NULL;
  begin_read (self, index, (guint) size, FALSE);
  return NULL;
}

/* The bytes at @offset that are in one block: at least one. */
static CycLogAnswer
peek (CycLogCache  *self,
      guint64       offset,
      const char  **out_bytes,
      gsize        *out_size)
{
  if (offset >= self->length)
    return CYC_LOG_END;
  Block *block = get_block (self, offset);
  if (block == NULL)
    return CYC_LOG_WAIT;
  gsize size;
  const char *bytes = g_bytes_get_data (block->bytes, &size);
  gsize skip = (gsize) (offset % BLOCK_SIZE);
  if (size <= skip)
    return CYC_LOG_END;
  size = (gsize) MIN (size, self->length - block->index * BLOCK_SIZE);
  *out_bytes = bytes + skip;
  *out_size = size - skip;
  return CYC_LOG_OK;
}

/**
 * cyc_log_cache_find_start:
 * @self: a cache
 * @offset: of a byte of the log, or its length
 * @out_start: (out): where its line begins
 *
 * Looks back for the beginning of a line, %CYC_LOG_MAX_LINE bytes at most. Of the length of the log, it is
 * the line before it if that is not ended.
 *
 * Returns: %CYC_LOG_OK or %CYC_LOG_WAIT
 */
CycLogAnswer
cyc_log_cache_find_start (CycLogCache *self,
                          guint64      offset,
                          guint64     *out_start)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), CYC_LOG_END);

  guint64 limit = offset > CYC_LOG_MAX_LINE ? offset - CYC_LOG_MAX_LINE : 0;
  guint64 at = MIN (offset, self->length);
  while (at > limit)
    {
      guint64 begin = MAX ((at - 1) / BLOCK_SIZE * BLOCK_SIZE, limit);
      const char *bytes;
      gsize size;
      CycLogAnswer answer = peek (self, begin, &bytes, &size);
      if (answer != CYC_LOG_OK)
        {
          *out_start = at;
          return answer == CYC_LOG_END ? CYC_LOG_OK : answer;
        }
      const char *end = memrchr (bytes, '\n', (gsize) MIN (size, at - begin));
      if (end != NULL)
        {
          *out_start = begin + (guint64) (end - bytes) + 1;
          return CYC_LOG_OK;
        }
      at = begin;
    }
  *out_start = limit;
  return CYC_LOG_OK;
}

/**
 * cyc_log_cache_find_next:
 * @self: a cache
 * @start: where a line begins
 * @out_next: (out): where it ends: the beginning of the next, or the end of the log
 *
 * Returns: %CYC_LOG_END if no line begins there
 */
CycLogAnswer
cyc_log_cache_find_next (CycLogCache *self,
                         guint64      start,
                         guint64     *out_next)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), CYC_LOG_END);

  guint64 limit = MIN (start + CYC_LOG_MAX_LINE, self->length);
  if (start >= self->length)
    return CYC_LOG_END;
  for (guint64 at = start; at < limit;)
    {
      const char *bytes;
      gsize size;
      CycLogAnswer answer = peek (self, at, &bytes, &size);
      if (answer == CYC_LOG_WAIT)
        return answer;
      if (answer == CYC_LOG_END)
        break;
      const char *end = memchr (bytes, '\n', (gsize) MIN (size, limit - at));
      if (end != NULL)
        {
          *out_next = at + (guint64) (end - bytes) + 1;
          return CYC_LOG_OK;
        }
      at += size;
    }
  *out_next = limit;
  return CYC_LOG_OK;
}

/**
 * cyc_log_cache_copy:
 * @self: a cache
 * @offset: first byte
 * @length: how many
 * @out: where they are appended
 *
 * Copies bytes of a line that was found. If it answers %CYC_LOG_WAIT, nothing is appended.
 *
 * Returns: %CYC_LOG_OK, also if the log ends before
 */
CycLogAnswer
cyc_log_cache_copy (CycLogCache *self,
                    guint64      offset,
                    gsize        length,
                    GString     *out)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), CYC_LOG_END);

  gsize before = out->len;
  while (length > 0)
    {
      const char *bytes;
      gsize size;
      CycLogAnswer answer = peek (self, offset, &bytes, &size);
      if (answer == CYC_LOG_WAIT)
        {
          g_string_truncate (out, before);
          return answer;
        }
      if (answer == CYC_LOG_END)
        break;
      size = MIN (size, length);
      g_string_append_len (out, bytes, (gssize) size);
      offset += size;
      length -= size;
    }
  return CYC_LOG_OK;
}

/**
 * cyc_log_cache_get_line:
 * @self: a cache
 * @start: where a line begins
 * @out_line: (out): its number, counted from 1
 *
 * Returns: whether all lines before it are counted
 */
gboolean
cyc_log_cache_get_line (CycLogCache *self,
                        guint64      start,
                        guint64     *out_line)
{
  g_return_val_if_fail (CYC_IS_LOG_CACHE (self), FALSE);

  guint64 index = start / BLOCK_SIZE;
  if (index > self->n_summed)
    return FALSE;
  guint64 n = 0;
  for (guint64 i = 0; i < index; i++)
    n += g_array_index (self->counts, guint32, i);
  Block *block = start % BLOCK_SIZE > 0 ? find_block (self, index) : NULL;
  if (start % BLOCK_SIZE > 0 && (block == NULL || g_bytes_get_size (block->bytes) < start % BLOCK_SIZE))
    return FALSE;
  if (block != NULL)
    {
      g_autoptr (GBytes) head = g_bytes_new_from_bytes (block->bytes, 0, (gsize) (start % BLOCK_SIZE));
      n += count_lines (head);
    }
  *out_line = n + 1;
  return TRUE;
}

/**
 * cyc_log_cache_count_ahead:
 * @self: a cache
 *
 * Reads the next block whose lines are not counted, unless something is being read, or the log is too long
 * to be read only for that.
 */
void
cyc_log_cache_count_ahead (CycLogCache *self)
{
  g_return_if_fail (CYC_IS_LOG_CACHE (self));

  guint64 n_whole = self->length / BLOCK_SIZE;
  if (self->length > MAX_COUNTED || self->n_summed >= n_whole || self->error != NULL ||
      self->count_state == self->state || g_hash_table_size (self->reading) > 0)
    return;
  begin_read (self, self->n_summed, 0, TRUE);
}
