/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-json-reader.h"
#include "core/cycles/cyc-trace-merge.h"

/* A framework's trace, a line `%%`, a trace of cores, and, behind another such line, a pattern: whatever
 * they are, there is an error or JSON that has a report. */

static const char separator[] = "\n%%\n";

static int
make_file (const char *bytes,
           gsize       len,
           char        path[32])
{
  int fd = memfd_create ("cyclescope-fuzz", MFD_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  g_assert_true (cyc_file_write_all (fd, bytes, len));
  g_snprintf (path, 32, "/proc/self/fd/%d", fd);
  return fd;
}

static gboolean
append (const char  *bytes,
        gsize        len,
        gpointer     out,
        GError     **error)
{
  g_string_append_len (out, bytes, (gssize) len);
  return TRUE;
}

static void
check_text (const GString *text)
{
  g_autoptr (CycJsonReader) reader = cyc_json_reader_new_for_text (text->str, text->len);
  g_autoptr (GError) error = NULL;

  cyc_json_reader_set_constants (reader, TRUE);
  gboolean ok = cyc_json_reader_next (reader, &error) && cyc_json_reader_skip (reader, &error) &&
                cyc_json_reader_next (reader, &error);
  g_assert_no_error (error);
  g_assert_true (ok);
  g_assert_nonnull (strstr (text->str, "\"megaKernelTraceMerge\": {\"schemaVersion\": 1, "));
  g_assert_true (g_utf8_validate_len (text->str, text->len, NULL));
}

/* The part up to the next separator, and what is left. */
static gsize
take_part (const char **text,
           gsize       *len)
{
  const char *end = memmem (*text, *len, separator, strlen (separator));
  gsize part = end == NULL ? *len : (gsize) (end - *text);
  gsize taken = end == NULL ? *len : part + strlen (separator);

  *text += taken;
  *len -= taken;
  return part;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  const char *text = (const char *) data;
  gsize len = size;
  char framework_path[32], internal_path[32];

  const char *first = text;
  gsize first_len = take_part (&text, &len);
  const char *second = text;
  gsize second_len = take_part (&text, &len);
  g_autofree char *pattern = len > 0 && len < 64 ? g_utf8_make_valid (text, (gssize) len) : NULL;
  int framework = make_file (first, first_len, framework_path);
  int internal = make_file (second, second_len, internal_path);
  CycTraceMergeOptions options = {
    .framework_path = framework_path,
    .internal_path = internal_path,
    .kernel_pattern = pattern,
    .allow_host_wrapper = size % 2 == 0,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTraceMerge) merge = cyc_trace_merge_new (&options, NULL, &error);
  g_assert_true ((merge == NULL) == (error != NULL));
  if (merge != NULL)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      gboolean ok = cyc_trace_merge_write (merge, append, out, &error);
      g_assert_no_error (error);
      g_assert_true (ok);
      check_text (out);
    }
  close (framework);
  close (internal);
  return 0;
}
