/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <glib.h>
#include <string.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/accelsim/cyc-log-chunker.h"

static void
collect (const char *bytes,
         gsize       len,
         gpointer    user_data)
{
  g_string_append_len (user_data, bytes, (gssize) len);
}

/* The bytes of a log through the worker's chunks and the decoder, and through the engine's stream in
 * pieces of @step: both must give the same text. */
static void
check_log (const char *raw,
           gsize       len,
           gsize       step)
{
  g_autoptr (GString) sent = g_string_new (NULL);
  g_autoptr (GString) streamed = g_string_new (NULL);
  g_auto (CycLogFrozen) frozen = { 0 };
  gsize offset = 0;

  for (guint64 seq = 0; cyc_log_frozen_take (&frozen, raw + offset, len - offset, CYC_LOG_ENDED, seq);
       seq++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (frozen.json->str, frozen.json->len, &error);
      g_assert_no_error (error);
      g_assert_true (chunk->seq == seq && chunk->n_lines == frozen.n_lines);
      g_string_append_len (sent, chunk->text->str, (gssize) chunk->text->len);
      offset += frozen.raw_len;
    }
  g_assert_cmpuint (offset, ==, len);

  g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (collect, streamed);
  for (gsize pos = 0; pos < len; pos += step)
    cyc_log_chunker_feed (chunker, raw + pos, MIN (step, len - pos));
  cyc_log_chunker_finish (chunker);
  g_assert_cmpuint (streamed->len, ==, sent->len);
  g_assert_true (memcmp (streamed->str, sent->str, sent->len) == 0);
  g_assert_true (g_utf8_validate_len (sent->str, sent->len, NULL));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  const char *text = (const char *) data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (text, size, &error);

  g_assert_true ((chunk == NULL) == (error != NULL));
  if (chunk != NULL)
    g_assert_true (g_utf8_validate_len (chunk->text->str, chunk->text->len, NULL));
  check_log (text, size, size > 0 ? 1 + data[0] : 1);
  return 0;
}
