/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"

/* How fast log chunks are written and read as JSON. Argument: a recorded log. */

#define CHUNK_LINES 2000
#define MIN_SECONDS 1.0

static GString *
write_chunk (const char *const *lines,
             guint              n_lines)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "seq");
  cyc_json_writer_int (writer, 0);
  cyc_json_writer_key (writer, "lines");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < n_lines; i++)
    cyc_json_writer_string (writer, lines[i]);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
  return cyc_json_writer_steal (writer);
}

static void
report (const char *what,
        gint64      begin,
        guint       n_chunks,
        gsize       chunk_bytes)
{
  double seconds = (double) (g_get_monotonic_time () - begin) / G_USEC_PER_SEC;

  g_print ("%s: %.0f lines/ms, %.0f MB/s\n", what,
           n_chunks * (double) CHUNK_LINES / seconds / 1000,
           n_chunks * (double) chunk_bytes / seconds / 1e6);
}

int
main (int    argc,
      char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = argc < 2 ? NULL : cyc_byte_reader_read_all (argv[1], G_MAXINT, NULL, &error);
  if (text == NULL)
    {
      g_printerr ("usage: bench-json LOG (%s)\n", error == NULL ? "none given" : error->message);
      return 1;
    }
  g_auto (GStrv) lines = g_strsplit (text, "\n", CHUNK_LINES + 1);
  g_assert_cmpuint (g_strv_length (lines), ==, CHUNK_LINES + 1);

  gint64 begin = g_get_monotonic_time ();
  guint n_chunks = 0;
  gsize bytes = 0;
  for (; g_get_monotonic_time () - begin < MIN_SECONDS * G_USEC_PER_SEC; n_chunks++)
    {
      g_autoptr (GString) chunk = write_chunk ((const char *const *) lines, CHUNK_LINES);
      bytes = chunk->len;
    }
  report ("write", begin, n_chunks, bytes);

  g_autoptr (GString) chunk = write_chunk ((const char *const *) lines, CHUNK_LINES);
  begin = g_get_monotonic_time ();
  for (n_chunks = 0; g_get_monotonic_time () - begin < MIN_SECONDS * G_USEC_PER_SEC; n_chunks++)
    {
      g_autoptr (JsonNode) node = cyc_json_parse (chunk->str, chunk->len, NULL, &error);
      g_assert_no_error (error);
      JsonArray *array = cyc_json_get_array (cyc_json_node_get_object (node), "lines");
      g_assert_cmpuint (json_array_get_length (array), ==, CHUNK_LINES);
    }
  report ("read", begin, n_chunks, chunk->len);
  return 0;
}
