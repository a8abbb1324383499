/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <lzma.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "support/test-folder.h"

/* Files are packed here with zlib and liblzma themselves. */

static void
append_gz (GByteArray *out,
           const char *text)
{
  guint8 packed[4096];
  z_stream z = { 0 };

  g_assert_cmpint (deflateInit2 (&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  z.next_in = (Bytef *) text;
  z.avail_in = (uInt) strlen (text);
  z.next_out = packed;
  z.avail_out = sizeof packed;
  g_assert_cmpint (deflate (&z, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_append (out, packed, (guint) (sizeof packed - z.avail_out));
  deflateEnd (&z);
}

static void
append_xz (GByteArray *out,
           const char *text)
{
  guint8 packed[4096];
  size_t n = 0;

  g_assert_cmpint (lzma_easy_buffer_encode (0, LZMA_CHECK_CRC64, NULL, (const uint8_t *) text,
                                            strlen (text), packed, &n, sizeof packed), ==, LZMA_OK);
  g_byte_array_append (out, packed, (guint) n);
}

typedef struct
{
  GString *text;
  char    *warning;
  GError  *error;
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_string_free (self->text, TRUE);
  g_free (self->warning);
  g_clear_error (&self->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static Outcome
read_path (const char *path,
           gsize       step)
{
  Outcome outcome = { .text = g_string_new (NULL) };
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, &outcome.error);
  char buffer[256];

  while (reader != NULL)
    {
      gssize n = cyc_byte_reader_read (reader, buffer, step, NULL, &outcome.error);
      if (n <= 0)
        {
          g_assert_true ((n < 0) == (outcome.error != NULL));
          outcome.warning = g_strdup (cyc_byte_reader_get_warning (reader));
          break;
        }
      g_string_append_len (outcome.text, buffer, n);
    }
  return outcome;
}

static Outcome
read_bytes (TestFolder        folder,
            const char       *name,
            const GByteArray *bytes,
            gsize             step)
{
  g_autofree char *path = test_folder_write (folder, name, bytes->data, (gssize) bytes->len);

  return read_path (path, step);
}

static void
test_plain (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a.log", "one\ntwo\n", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (path, &error);
  char buffer[3];

  g_assert_no_error (error);
  g_assert_cmpuint (cyc_byte_reader_get_size (reader), ==, 8);
  g_assert_cmpuint (cyc_byte_reader_get_position (reader), ==, 0);
  g_assert_cmpint (cyc_byte_reader_read (reader, buffer, 3, NULL, &error), ==, 3);
  g_assert_cmpmem (buffer, 3, "one", 3);
  g_assert_cmpuint (cyc_byte_reader_get_position (reader), ==, 3);

  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_cmpint (cyc_byte_reader_read (reader, buffer, 3, cancellable, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_cmpint (cyc_byte_reader_read (reader, buffer, 3, NULL, &error), ==, 3);
  g_assert_cmpint (cyc_byte_reader_read (reader, buffer, 3, NULL, &error), ==, 2);
  g_assert_cmpint (cyc_byte_reader_read (reader, buffer, 3, NULL, &error), ==, 0);
  g_assert_null (cyc_byte_reader_get_warning (reader));
}

static void
test_not_a_file (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *missing = g_build_filename (folder, "missing.gz", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_null (cyc_byte_reader_open (folder, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (cyc_byte_reader_open (missing, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
  g_assert_true (g_str_has_prefix (error->message, missing));

  /* A pipe that nobody writes to: opening must not wait. */
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_auto (Outcome) outcome = read_path (pipe, 16);
  g_assert_no_error (outcome.error);
  g_assert_cmpstr (outcome.text->str, ==, "");
}

/* A20: every sample of a visualizer log is a gzip member of its own. */
static void
test_members (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) gz = g_byte_array_new ();
  g_autoptr (GByteArray) xz = g_byte_array_new ();
  static const char *const parts[] = { "globalcyclecount: 500\n", "", "globalcyclecount: 1000\n" };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    {
      append_gz (gz, parts[i]);
      append_xz (xz, parts[i]);
    }
  for (gsize step = 1; step < 60; step += 7)
    {
      g_auto (Outcome) from_gz = read_bytes (folder, "v.log.gz", gz, step);
      g_auto (Outcome) from_xz = read_bytes (folder, "v.log.xz", xz, step);
      g_assert_no_error (from_gz.error);
      g_assert_no_error (from_xz.error);
      g_assert_null (from_gz.warning);
      g_assert_null (from_xz.warning);
      g_assert_cmpstr (from_gz.text->str, ==, "globalcyclecount: 500\nglobalcyclecount: 1000\n");
      g_assert_cmpstr (from_xz.text->str, ==, "globalcyclecount: 500\nglobalcyclecount: 1000\n");
    }
}

/* More than one buffer of the reader, in packed and in plain bytes. */
/* A read gives no more than there is in a member; the head of a file goes on. */
static void
test_head (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GError) error = NULL;
  char buffer[8];

  append_gz (bytes, "ab");
  append_gz (bytes, "");
  append_gz (bytes, "cdef");
  g_autofree char *path = test_folder_write (folder, "a.gz", bytes->data, (gssize) bytes->len);
  g_assert_cmpint (cyc_byte_reader_read_head (path, buffer, 5, NULL, &error), ==, 5);
  g_assert_no_error (error);
  g_assert_cmpmem (buffer, 5, "abcde", 5);
  g_assert_cmpint (cyc_byte_reader_read_head (path, buffer, sizeof buffer, NULL, &error), ==, 6);
  g_assert_no_error (error);
  g_assert_cmpmem (buffer, 6, "abcdef", 6);
  g_autofree char *missing = g_build_filename (folder, "missing", NULL);
  g_assert_cmpint (cyc_byte_reader_read_head (missing, buffer, sizeof buffer, NULL, &error), ==, -1);
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static void
test_large (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) gz = g_byte_array_new ();
  g_autoptr (GString) expected = g_string_new (NULL);

  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *line = g_strdup_printf ("sample %u\n", i);
      append_gz (gz, line);
      g_string_append (expected, line);
    }
  g_assert_cmpuint (gz->len, >, 256 * 1024);
  g_autofree char *path = test_folder_write (folder, "v.gz", gz->data, (gssize) gz->len);
  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, expected->len, &len, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (text, len, expected->str, expected->len);
  g_assert_null (cyc_byte_reader_read_all (path, expected->len - 1, &len, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_TOO_LARGE);
}

static void
test_trailing (void)
{
  static const struct
  {
    const char *bytes;
    gsize       len;
    const char *warning; /* what it says after the path, NULL if all is well */
  } cases[] = {
    { "", 0, NULL },
    { "\0\0\0\0\0\0", 6, NULL },
    { "garbage", 7, "bytes that are not gzip follow the compressed data at byte " },
    { "\0\0garbage", 9, "bytes that are not gzip follow the compressed data at byte " },
    { "\x1f" "nonsense", 9, "the gzip data is damaged at byte " },
    { "\x1f", 1, "the gzip data is cut at byte " },
  };
  g_auto (TestFolder) folder = test_folder_new ();
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) gz = g_byte_array_new ();
      append_gz (gz, "text\n");
      g_byte_array_append (gz, (const guint8 *) cases[i].bytes, (guint) cases[i].len);
      g_auto (Outcome) outcome = read_bytes (folder, "a.gz", gz, 100);
      g_assert_no_error (outcome.error);
      g_assert_cmpstr (outcome.text->str, ==, "text\n");
      if (cases[i].warning == NULL)
        g_assert_null (outcome.warning);
      else
        g_assert_nonnull (strstr (outcome.warning, cases[i].warning));
    }

  /* The place of the fault is that of the file, not of the buffer that was filled. */
  g_autoptr (GByteArray) gz = g_byte_array_new ();
  append_gz (gz, "text\n");
  g_autofree char *at = g_strdup_printf (" at byte %u of the file", gz->len);
  g_byte_array_append (gz, (const guint8 *) "garbage", 7);
  g_auto (Outcome) outcome = read_bytes (folder, "a.gz", gz, 100);
  g_assert_nonnull (strstr (outcome.warning, at));
}

static void
check_every_cut (const char *name,
                 void (*append) (GByteArray *out, const char *text))
{
  static const char first[] = "the first part, the first part\n";
  static const char second[] = "and the second\n";
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) whole = g_byte_array_new ();

  append (whole, first);
  guint boundary = whole->len;
  append (whole, second);
  g_autofree char *all = g_strconcat (first, second, NULL);
  for (guint len = 0; len <= whole->len; len++)
    {
      g_autoptr (GByteArray) cut = g_byte_array_new ();
      g_byte_array_append (cut, whole->data, len);
      g_auto (Outcome) outcome = read_bytes (folder, name, cut, 100);
      g_assert_no_error (outcome.error);
      g_assert_true (g_str_has_prefix (all, outcome.text->str));
      g_assert_true ((outcome.warning == NULL) == (len == boundary || len == whole->len));
      if (len >= boundary)
        g_assert_true (g_str_has_prefix (outcome.text->str, first));
    }
}

static void
test_cut_gz (void)
{
  check_every_cut ("a.gz", append_gz);
}

static void
test_cut_xz (void)
{
  check_every_cut ("a.xz", append_xz);
}

static void
check_every_flip (const char *name,
                  void (*append) (GByteArray *out, const char *text))
{
  static const char text[] = "gpu_sim_cycle = 9155\ngpu_sim_insn = 966656\n";
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) whole = g_byte_array_new ();

  append (whole, text);
  for (guint bit = 0; bit < 8 * whole->len; bit++)
    {
      whole->data[bit / 8] ^= (guint8) (1 << (bit % 8));
      g_auto (Outcome) outcome = read_bytes (folder, name, whole, 100);
      /* What reads without a word must be what was packed: both forms carry a checksum. */
      if (outcome.error == NULL && outcome.warning == NULL)
        g_assert_cmpstr (outcome.text->str, ==, text);
      whole->data[bit / 8] ^= (guint8) (1 << (bit % 8));
    }
}

static void
test_flip_gz (void)
{
  check_every_flip ("a.gz", append_gz);
}

static void
test_flip_xz (void)
{
  check_every_flip ("a.xz", append_xz);
}

static void
test_wrong_form (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  static const char *const names[] = { "a.gz", "a.xz" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = test_folder_write (folder, names[i], "plain text", -1);
      g_auto (Outcome) outcome = read_path (path, 10);
      g_assert_error (outcome.error, CYC_ERROR, CYC_ERROR_INPUT);
      g_assert_nonnull (strstr (outcome.error->message, "although its name ends in"));
    }
  g_autofree char *empty = test_folder_write (folder, "empty.gz", "", 0);
  g_auto (Outcome) outcome = read_path (empty, 10);
  g_assert_no_error (outcome.error);
  g_assert_nonnull (outcome.warning);
}

/* Reading whole knows no warnings: a settings file that is cut is no settings file. */
static void
test_read_all_cut (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) gz = g_byte_array_new ();
  g_autoptr (GError) error = NULL;

  append_gz (gz, "text\n");
  g_autofree char *path = test_folder_write (folder, "a.gz", gz->data, (gssize) gz->len - 1);
  g_assert_null (cyc_byte_reader_read_all (path, 1000, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_true (g_str_has_prefix (error->message, path));
}

/* A file of a few bytes that asks for 4 GiB of memory, its header's checksum made to fit. */
static void
test_xz_memory (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GByteArray) xz = g_byte_array_new ();

  append_xz (xz, "text\n");
  guint8 *header = xz->data + 12;
  gsize len = ((gsize) header[0] + 1) * 4;
  gsize at = 2;
  while (at + 2 < len - 4 && !(header[at] == 0x21 && header[at + 1] == 0x01))
    at++;
  g_assert_cmpuint (at + 2, <, len - 4);
  header[at + 2] = 40; /* the code of a dictionary of 4 GiB */
  guint32 crc = GUINT32_TO_LE (lzma_crc32 (header, len - 4, 0));
  memcpy (header + len - 4, &crc, sizeof crc);
  g_auto (Outcome) outcome = read_bytes (folder, "a.xz", xz, 100);
  g_assert_error (outcome.error, CYC_ERROR, CYC_ERROR_TOO_LARGE);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/byte-reader/plain", test_plain);
  g_test_add_func ("/core/byte-reader/not-a-file", test_not_a_file);
  g_test_add_func ("/core/byte-reader/members", test_members);
  g_test_add_func ("/core/byte-reader/head", test_head);
  g_test_add_func ("/core/byte-reader/large", test_large);
  g_test_add_func ("/core/byte-reader/trailing", test_trailing);
  g_test_add_func ("/core/byte-reader/cut-gz", test_cut_gz);
  g_test_add_func ("/core/byte-reader/cut-xz", test_cut_xz);
  g_test_add_func ("/core/byte-reader/flip-gz", test_flip_gz);
  g_test_add_func ("/core/byte-reader/flip-xz", test_flip_xz);
  g_test_add_func ("/core/byte-reader/wrong-form", test_wrong_form);
  g_test_add_func ("/core/byte-reader/read-all-cut", test_read_all_cut);
  g_test_add_func ("/core/byte-reader/xz-memory", test_xz_memory);
  return g_test_run ();
}
