/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-radix-order.h"

#include <string.h>

#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)
#define MAX_PASSES 6

static guint
get_bits (guint64 value)
{
  return value == 0 ? 0 : 64 - (guint) __builtin_clzll (value);
}

static inline guint64
get_key (const char *keys,
         gsize       stride,
         guint32     i)
{
  guint64 key;

  memcpy (&key, keys + stride * i, sizeof key);
  return key;
}

/* Sorts by the `bits` bits from `low` on, leaving the order of equal ones. Returns the array that
 * holds the result, which is one of the two. */
static guint64 *
sort_packed (guint64 *items,
             guint64 *spare,
             guint32  n,
             guint    low,
             guint    bits)
{
  guint n_passes = (bits + DIGIT_BITS - 1) / DIGIT_BITS;
  g_autofree guint32 *counts = g_new0 (guint32, (gsize) MAX_PASSES * N_DIGITS);

  for (guint32 i = 0; i < n; i++)
    {
      guint64 rest = items[i] >> low;
      for (guint pass = 0; pass < n_passes; pass++, rest >>= DIGIT_BITS)
        counts[pass * N_DIGITS + (rest & (N_DIGITS - 1))]++;
    }
  for (guint pass = 0; pass < n_passes; pass++)
    {
      guint32 *count = counts + (gsize) pass * N_DIGITS;
      guint shift = low + pass * DIGIT_BITS;
      if (count[items[0] >> shift & (N_DIGITS - 1)] == n)
        continue;
      guint32 sum = 0;
      for (guint digit = 0; digit < N_DIGITS; digit++)
        {
          guint32 here = count[digit];
          count[digit] = sum;
          sum += here;
        }
      for (guint32 i = 0; i < n; i++)
        spare[count[items[i] >> shift & (N_DIGITS - 1)]++] = items[i];
      guint64 *swap = items;
      items = spare;
      spare = swap;
    }
  return items;
}

/**
 * cyc_radix_order:
 * @keys: the first of the keys, which are guint64
 * @stride: bytes from one key to the next
 * @n: how many
 * @out_order: (out) (array length=n): indices of the keys, smallest key first; equal keys stay in
 *   their order
 *
 * Sorts by radix, eleven bits a pass, over the bits in which keys differ. Key and index share a word
 * if they fit; else the keys are taken in pieces. Needs 16 bytes a key besides @out_order.
 */
void
cyc_radix_order (const void *keys,
                 gsize       stride,
                 guint32     n,
                 guint32    *out_order)
{
  if (n == 0)
    return;
  guint64 min = G_MAXUINT64, max = 0;
  for (guint32 i = 0; i < n; i++)
    {
      guint64 key = get_key (keys, stride, i);
      min = MIN (min, key);
      max = MAX (max, key);
      out_order[i] = i;
    }

  guint index_bits = get_bits (n - 1);
  guint key_bits = get_bits (max - min);
  guint piece_bits = MIN (64 - index_bits, MAX_PASSES * DIGIT_BITS);
  g_autofree guint64 *items = g_new (guint64, n);
  g_autofree guint64 *spare = g_new (guint64, n);
  g_autofree guint32 *before = key_bits > piece_bits ? g_new (guint32, n) : NULL;
  for (guint low = 0; low < key_bits; low += piece_bits)
    {
      guint bits = MIN (piece_bits, key_bits - low);
      /* The index takes a bit at least. */
      guint64 mask = ((guint64) 1 << bits) - 1;
      for (guint32 i = 0; i < n; i++)
        {
          guint64 key = get_key (keys, stride, out_order[i]) - min;
          items[i] = (key >> low & mask) << index_bits | i;
        }
      guint64 *sorted = sort_packed (items, spare, n, index_bits, bits);
      guint64 index_mask = ((guint64) 1 << index_bits) - 1;
      if (low > 0)
        memcpy (before, out_order, n * sizeof *before);
      for (guint32 i = 0; i < n; i++)
        {
          guint32 at = (guint32) (sorted[i] & index_mask);
          out_order[i] = low > 0 ? before[at] : at;
        }
    }
}

/**
 * cyc_radix_sort:
 * @keys: (array length=n): keys
 * @n: how many
 * @items: (inout) (array length=n): what the keys are of; smallest key first after, those of equal keys in their order
 */
void
cyc_radix_sort (const guint64 *keys,
                guint32        n,
                guint32       *items)
{
  g_autofree guint32 *order = g_new (guint32, n);
  g_autofree guint32 *before = g_memdup2 (items, n * sizeof *items);

  cyc_radix_order (keys, sizeof *keys, n, order);
  for (guint32 i = 0; i < n; i++)
    items[i] = before[order[i]];
}
