/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-cycles.h"

#include <string.h>

/* SplitMix64. */
static guint64
draw (guint64 *state)
{
  guint64 z = *state += 0x9E3779B97F4A7C15;

  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
  z = (z ^ z >> 27) * 0x94D049BB133111EB;
  return z ^ z >> 31;
}

static void
put (guint8  **p,
     guint64   value,
     guint     n_bytes)
{
  for (guint i = 0; i < n_bytes; i++, value >>= 8)
    *(*p)++ = (guint8) value;
}

static void
put_record (guint8  **p,
            guint64  *state,
            guint64  *cursor)
{
  static const guint32 descs[] = { 0x10000, 0x10007, 0x10006, 0x30000, 0x30001, 0x30002, 0x20068, 0x30009 };
  guint64 start = *cursor + draw (state) % 64;
  guint64 end = start + draw (state) % 512;
  guint32 desc = descs[draw (state) % 8];
  guint32 task = (guint32) (draw (state) % 4096);
  guint32 index = (guint32) (draw (state) % 1024);
  guint64 owner = draw (state);

  put (p, start, 8);
  put (p, end, 8);
  put (p, desc, 4);
  put (p, task, 4);
  put (p, index, 4);
  put (p, (owner & 3) == 0 ? G_MAXUINT32 : (owner >> 8) % 64, 4);
  *cursor = end;
}

/**
 * test_cycles_new:
 * @what: what to make
 * @out_len: (out): its length
 *
 * Returns: (transfer full): the buffer
 */
guint8 *
test_cycles_new (const TestCycles *what,
                 gsize            *out_len)
{
  gsize aic_stride = 64 + 32 * (gsize) what->aic_capacity;
  gsize aiv_stride = 64 + 32 * (gsize) what->aiv_capacity;
  guint64 state = what->seed;

  *out_len = what->cube_slots * (aic_stride + 2 * aiv_stride);
  guint8 *bytes = g_malloc0 (*out_len);
  for (guint slot = 0; slot < 3 * what->cube_slots; slot++)
    {
      gboolean is_aic = slot < what->cube_slots;
      guint block = is_aic ? slot : slot - what->cube_slots;
      guint count = is_aic ? what->aic_count : what->aiv_count;
      guint64 entry = 1000000 + draw (&state) % 1000;
      guint64 cursor = entry;
      guint8 *p = bytes + (is_aic ? block * aic_stride : what->cube_slots * aic_stride + block * aiv_stride);
      put (&p, entry, 8);
      put (&p, count, 4);
      put (&p, 0, 4);
      put (&p, is_aic ? 1 : 2, 4);
      put (&p, block, 4);
      put (&p, is_aic ? what->aic_capacity : what->aiv_capacity, 4);
      put (&p, 0, 4);
      p += 32;
      for (guint i = 0; i < count; i++)
        put_record (&p, &state, &cursor);
    }
  return bytes;
}
