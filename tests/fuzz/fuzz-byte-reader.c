/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <gio/gio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-line-splitter.h"

/* Some bytes unpack to very many: enough is enough. */
#define MAX_OUTPUT (1024 * 1024)

static char *folder;

static void
remove_folder (void)
{
  rmdir (folder);
}

static void
count_bytes (const char *line,
             gsize       len,
             gpointer    user_data)
{
  *(gsize *) user_data += len + 1;
}

static void
run_as (const char    *name,
        const uint8_t *data,
        size_t         size)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents_full (path, (const char *) data, (gssize) size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, &error);
  unlink (path);
  g_assert_no_error (error);

  gsize total = 0;
  gsize in_lines = 0;
  g_autoptr (CycLineSplitter) splitter = cyc_line_splitter_new (count_bytes, &in_lines);
  char buffer[4096];
  gssize n;
  do
    {
      n = cyc_byte_reader_read (reader, buffer, sizeof buffer, NULL, &error);
      g_assert_true ((n < 0) == (error != NULL));
      if (n > 0)
        cyc_line_splitter_feed (splitter, buffer, (gsize) n);
      total += (gsize) MAX (n, 0);
    }
  while (n > 0 && total < MAX_OUTPUT);
  gsize pending = cyc_line_splitter_get_pending (splitter);
  g_assert_cmpuint (in_lines + pending, ==, total);
  g_assert_cmpint (cyc_line_splitter_finish (splitter), ==, pending > 0);
}

/* Any bytes as a plain file, as .gz and as .xz: read to the end, and cut into lines. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  if (folder == NULL)
    {
      folder = g_dir_make_tmp ("cyclescope-fuzz-XXXXXX", NULL);
      g_assert_nonnull (folder);
      atexit (remove_folder);
    }
  run_as ("in", data, size);
  run_as ("in.gz", data, size);
  run_as ("in.xz", data, size);
  return 0;
}
