/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/accelsim/cyc-log-chunker.h"
#include "core/base/cyc-byte-reader.h"

/* How fast a log becomes chunks (worker), chunks become bytes (engine), and a log becomes the
 * engine's own without chunks. Argument: a recorded log. */

#define MIN_SECONDS 1.0

typedef struct
{
  gint64  begin;
  guint64 bytes;
  guint64 lines;
} Meter;

static gboolean
meter_runs (const Meter *meter)
{
  return g_get_monotonic_time () - meter->begin < MIN_SECONDS * G_USEC_PER_SEC;
}

static void
meter_report (const Meter *meter,
              const char  *what)
{
  double seconds = (double) (g_get_monotonic_time () - meter->begin) / G_USEC_PER_SEC;

  g_print ("%s: %.0f lines/ms, %.0f MB/s\n", what, (double) meter->lines / seconds / 1000,
           (double) meter->bytes / seconds / 1e6);
}

static void
count_output (const char *bytes,
              gsize       len,
              gpointer    user_data)
{
  Meter *meter = user_data;

  meter->bytes += len;
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *raw = argc < 2 ? NULL : cyc_byte_reader_read_all (argv[1], G_MAXINT, &len, &error);
  if (raw == NULL)
    {
      g_printerr ("usage: bench-log-chunk LOG (%s)\n", error == NULL ? "none given" : error->message);
      return 1;
    }

  g_auto (CycLogFrozen) frozen = { 0 };
  Meter write = { .begin = g_get_monotonic_time () };
  for (gsize offset = 0; meter_runs (&write); offset = (offset + frozen.raw_len) % len)
    {
      g_assert_true (cyc_log_frozen_take (&frozen, raw + offset, MIN (len - offset, CYC_LOG_READ_SIZE),
                                          CYC_LOG_ENDED, 0));
      write.bytes += frozen.raw_len;
      write.lines += frozen.n_lines;
    }
  meter_report (&write, "log to chunks");

  g_assert_true (cyc_log_frozen_take (&frozen, raw, MIN (len, CYC_LOG_READ_SIZE), CYC_LOG_ENDED, 0));
  Meter decode = { .begin = g_get_monotonic_time () };
  while (meter_runs (&decode))
    {
      g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (frozen.json->str, frozen.json->len, &error);
      g_assert_no_error (error);
      decode.bytes += frozen.json->len;
      decode.lines += chunk->n_lines;
    }
  meter_report (&decode, "chunks to bytes");

  Meter stream = { .begin = g_get_monotonic_time () };
  while (meter_runs (&stream))
    {
      g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (count_output, &stream);
      for (gsize pos = 0; pos < len; pos += 65536)
        cyc_log_chunker_feed (chunker, raw + pos, MIN (65536, len - pos));
      cyc_log_chunker_finish (chunker);
    }
  meter_report (&stream, "log to engine's log");
  return 0;
}
