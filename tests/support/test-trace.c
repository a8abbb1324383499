/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-trace.h"

#include <lzma.h>
#include <string.h>

/**
 * test_trace_write_kernel:
 * @folder: a folder
 * @name: path of a kernel file below it; one that ends in `.xz` is packed
 * @binary_version: of the header
 * @extra: header lines that come last, and so count; may be empty
 *
 * Writes a kernel's trace of one block with one warp, tracer version 5.
 */
void
test_trace_write_kernel (TestFolder  folder,
                         const char *name,
                         int         binary_version,
                         const char *extra)
{
  g_autofree char *text = g_strdup_printf (
    "-kernel name = _Z1fPf\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
    "-shmem = 0\n-nregs = 8\n-binary version = %d\n-cuda stream id = 0\n"
    "-shmem base_addr = 0x00007f05b0000000\n-local mem base_addr = 0x00007f05ae000000\n"
    "-nvbit version = 1.7.4\n-accelsim tracer version = 5\n-enable lineinfo = 0\n%s\n"
    "#traces format = PC mask\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n"
    "0000 ffffffff 0 EXIT 0 0 \n\n#END_TB\n\n", binary_version, extra);
  gsize len = strlen (text);
  g_autofree char *packed = NULL;

  if (g_str_has_suffix (name, ".xz"))
    packed = test_trace_compress (text, len, &len);
  g_autofree char *path =
    test_folder_write (folder, name, packed != NULL ? packed : text, (gssize) len);
  g_assert_nonnull (path);
}

/**
 * test_trace_write_text:
 * @folder: a folder
 * @name: path of a file below it
 * @text: its content
 */
void
test_trace_write_text (TestFolder  folder,
                       const char *name,
                       const char *text)
{
  g_autofree char *path = test_folder_write (folder, name, text, -1);

  g_assert_nonnull (path);
}

/**
 * test_trace_compress:
 * @text: (array length=len): bytes
 * @len: how many
 * @out_len: (out): length of the result
 *
 * Returns: (transfer full): @text as one xz stream
 */
char *
test_trace_compress (const char *text,
                     gsize       len,
                     gsize      *out_len)
{
  gsize size = lzma_stream_buffer_bound (len);
  char *packed = g_malloc (size);

  *out_len = 0;
  g_assert_cmpint (lzma_easy_buffer_encode (6, LZMA_CHECK_CRC64, NULL, (const uint8_t *) text, len,
                                            (uint8_t *) packed, out_len, size), ==, LZMA_OK);
  return packed;
}
