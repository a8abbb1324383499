/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "core/cycles/cyc-cycle-columns.h"
#include "core/cycles/cyc-cycle-json.h"
#include "core/cycles/cyc-cycle-layout.h"

/* A line of JSON, and what stands behind it as the profile buffer that it describes. The line is also
 * tried as the configuration of a task graph. */

#define PIECE 50

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     out,
        GError     **error)
{
  g_string_append_len (out, bytes, (gssize) len);
  return TRUE;
}

/* Whatever the names hold, what is written is JSON. */
static void
check_text (CycCycleBuffer *buffer)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (cyc_cycle_json_write (buffer, append, text, NULL, &error));
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text->str, text->len);
  gboolean ok = cyc_json_reader_next (reader, &error) && cyc_json_reader_skip (reader, &error) &&
                cyc_json_reader_next (reader, &error);
  g_assert_no_error (error);
  g_assert_true (ok);
}

static void
check_buffer (CycCycleBuffer *buffer)
{
  g_autoptr (CycCycleColumns) columns = cyc_cycle_columns_new (buffer);
  g_autoptr (CycCycleCursor) cursor = cyc_cycle_cursor_new (buffer, PIECE);
  const CycCycleColumns *piece;
  guint32 at = 0;

  g_assert_cmpuint (columns->n, ==, buffer->n_records);
  for (guint32 i = 1; i < columns->n; i++)
    g_assert_true (columns->start[i - 1] < columns->start[i] ||
                   (columns->start[i - 1] == columns->start[i] && columns->core[i - 1] <= columns->core[i]));
  while ((piece = cyc_cycle_cursor_next (cursor)) != NULL)
    {
      g_assert_cmpuint (piece->n, >, 0);
      g_assert_cmpuint (piece->n, <=, columns->n - at);
      g_assert_cmpmem (piece->start, piece->n * sizeof *piece->start, columns->start + at,
                       piece->n * sizeof *piece->start);
      g_assert_cmpmem (piece->core, piece->n * sizeof *piece->core, columns->core + at,
                       piece->n * sizeof *piece->core);
      at += piece->n;
    }
  g_assert_cmpuint (at, ==, columns->n);
  check_text (buffer);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  const uint8_t *end = memchr (data, '\n', size);
  gsize len = end == NULL ? size : (gsize) (end - data);
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *value = cyc_json_arena_parse (arena, (const char *) data, len, NULL, NULL);
  if (value == NULL)
    return 0;

  CycCycleLayout layout;
  g_autoptr (GError) layout_error = NULL;
  gboolean planned = cyc_cycle_layout_plan (value, NULL, &layout, &layout_error);
  g_assert_true (planned == (layout_error == NULL));
  g_assert_true (!planned || (layout.aic_capacity >= layout.aic_required && layout.buffer_size >= 4608));

  g_autoptr (GError) error = NULL;
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read (value, NULL, &error);
  g_assert_true ((meta == NULL) == (error != NULL));
  if (meta == NULL || end == NULL)
    return 0;
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_parse (end + 1, size - len - 1, NULL, meta, &error);
  g_assert_true ((buffer == NULL) == (error != NULL));
  if (buffer != NULL)
    check_buffer (buffer);
  return 0;
}
