/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-string-table.h"

#include <string.h>

/* Texts that occur again and again, each kept once. A number stands for each, from 0 on in the order in which
 * they came. The texts lie in blocks that never move. */

#define BLOCK_SIZE (64 * 1024)
#define MIN_SLOTS 256

typedef struct
{
  const char *text;
  guint32     len;
  guint32     hash;
} Entry;

struct _CycStringTable
{
  guint64    seed;
  GArray    *entries; /* of Entry */
  guint32   *slots;   /* id + 1; 0 is free */
  guint32    n_slots; /* a power of two */
  GPtrArray *blocks;
  char      *next;    /* in the last block */
  gsize      left;
};

/* Different in each process, so that nobody can write texts that all have one hash. */
static guint64
get_seed (void)
{
  static gsize seed;

  if (g_once_init_enter (&seed))
    g_once_init_leave (&seed, ((gsize) g_random_int () << 32 | g_random_int ()) | 1);
  return seed;
}

/**
 * cyc_string_table_new:
 *
 * Returns: (transfer full): an empty table; for one thread at a time
 */
CycStringTable *
cyc_string_table_new (void)
{
  CycStringTable *self = g_new0 (CycStringTable, 1);

  self->seed = get_seed ();
  self->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  self->n_slots = MIN_SLOTS;
  self->slots = g_new0 (guint32, self->n_slots);
  self->blocks = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * cyc_string_table_free:
 * @self: a table
 */
void
cyc_string_table_free (CycStringTable *self)
{
  g_array_unref (self->entries);
  g_free (self->slots);
  g_ptr_array_unref (self->blocks);
  g_free (self);
}

/* Eight bytes at a time; the two constants are odd numbers with well mixed bits. */
static guint32
hash_text (guint64     seed,
           const char *text,
           gsize       len)
{
  guint64 hash = seed ^ (len * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));
  guint64 word;

  for (; len >= sizeof word; text += sizeof word, len -= sizeof word)
    {
      memcpy (&word, text, sizeof word);
      hash = (hash ^ word) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
      hash ^= hash >> 32;
    }
  word = 0;
  memcpy (&word, text, len);
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0xd6e8feb86659fd93);
  hash ^= hash >> 32;
  hash *= G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint32) (hash >> 32);
}

static char *
take_room (CycStringTable *self,
           gsize           size)
{
  if (size > self->left)
    {
      gsize block = MAX (size, BLOCK_SIZE);
      char *memory = g_malloc (block);
      g_ptr_array_add (self->blocks, memory);
      /* A long text has a block of its own, and the rest of the last one stays in use. */
      if (size >= BLOCK_SIZE)
        return memory;
      self->next = memory;
      self->left = block;
    }
  char *room = self->next;
  self->next += size;
  self->left -= size;
  return room;
}

static void
grow (CycStringTable *self)
{
  self->n_slots *= 2;
  g_free (self->slots);
  self->slots = g_new0 (guint32, self->n_slots);
  for (guint32 id = 0; id < self->entries->len; id++)
    {
      guint32 slot = g_array_index (self->entries, Entry, id).hash & (self->n_slots - 1);
      while (self->slots[slot] != 0)
        slot = (slot + 1) & (self->n_slots - 1);
      self->slots[slot] = id + 1;
    }
}

/* The slot of a text, or the free one where it belongs. */
static guint32
find_slot (CycStringTable *self,
           const char     *text,
           gsize           len,
           guint32         hash)
{
  guint32 slot = hash & (self->n_slots - 1);

  for (; self->slots[slot] != 0; slot = (slot + 1) & (self->n_slots - 1))
    {
      const Entry *entry = &g_array_index (self->entries, Entry, self->slots[slot] - 1);
      if (entry->hash == hash && entry->len == len && memcmp (entry->text, text, len) == 0)
        break;
    }
  return slot;
}

/**
 * cyc_string_table_add:
 * @self: a table
 * @text: (array length=len): bytes, less than 4 GiB
 * @len: how many
 *
 * Returns: the number of this text, which is entered if it is new
 */
guint32
cyc_string_table_add (CycStringTable *self,
                      const char     *text,
                      gsize           len)
{
  g_return_val_if_fail (len < G_MAXUINT32, 0);

  guint32 hash = hash_text (self->seed, text, len);
  guint32 slot = find_slot (self, text, len, hash);
  if (self->slots[slot] != 0)
    return self->slots[slot] - 1;
  char *copy = take_room (self, len + 1);
  memcpy (copy, text, len);
  copy[len] = '\0';
  Entry entry = { copy, (guint32) len, hash };
  g_array_append_val (self->entries, entry);
  self->slots[slot] = self->entries->len;
  if (self->entries->len > self->n_slots / 2)
    grow (self);
  return self->entries->len - 1;
}

/**
 * cyc_string_table_get:
 * @self: a table
 * @id: a number that cyc_string_table_add() gave
 *
 * Returns: (transfer none): the text, with a zero after it; it lives as long as the table
 */
const char *
cyc_string_table_get (CycStringTable *self,
                      guint32         id)
{
  g_return_val_if_fail (id < self->entries->len, "");

  return g_array_index (self->entries, Entry, id).text;
}

/**
 * cyc_string_table_get_n:
 * @self: a table
 *
 * Returns: how many texts it has
 */
guint32
cyc_string_table_get_n (CycStringTable *self)
{
  return self->entries->len;
}
