/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/cyc-json.h"
#include "core/timeline/cyc-chrome-writer.h"
#include "core/timeline/cyc-timeline-builder.h"

/* Any bytes as a Chrome trace, read in pieces of two sizes, with the same result, and written and read again. */

static char *
put_into_file (const uint8_t *data,
               size_t         size,
               int           *out_fd)
{
  *out_fd = memfd_create ("trace", MFD_CLOEXEC);
  g_assert_cmpint (*out_fd, >=, 0);
  g_assert_cmpint (write (*out_fd, data, size), ==, (gssize) size);
  return g_strdup_printf ("/proc/self/fd/%d", *out_fd);
}

static CycTimeline *
read_trace (const char *path,
            gsize       piece)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CycChromeReader) reader = cyc_chrome_reader_open (path, piece, &error);
  g_assert_no_error (error);
  g_autoptr (CycTimelineBuilder) builder = cyc_timeline_builder_new ();
  CycTraceRepairs *repairs = cyc_chrome_reader_get_repairs (reader);
  CycChromeResult result;

  while ((result = cyc_chrome_reader_next (reader, NULL, &error)) == CYC_CHROME_EVENT)
    cyc_timeline_builder_add_event (builder, cyc_chrome_reader_get_event (reader), repairs);
  g_assert_true ((result == CYC_CHROME_FAILED) == (error != NULL));
  if (error != NULL)
    return NULL;
  CycTimeline *timeline =
    cyc_timeline_builder_finish (builder, cyc_chrome_reader_get_others (reader)->str, repairs, NULL, &error);
  g_assert_no_error (error);
  return timeline;
}

/* Members, with brackets around them, are JSON. */
static void
check_json (const char *members)
{
  g_autofree char *text = g_strdup_printf ("{%s}", members);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = cyc_json_parse (text, strlen (text), NULL, &error);

  /* Two members of one name, and very deep ones, are not for the strict reader. */
  if (error != NULL && strstr (error->message, "twice") == NULL && strstr (error->message, "deep") == NULL)
    g_error ("%s: %s", error->message, text);
}

static void
check_row (CycTimeline          *timeline,
           const CycTimelineRow *row)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (timeline);

  g_assert_cmpuint (row->n, >, 0);
  for (guint32 i = row->first; i < row->first + row->n; i++)
    {
      guint32 parent = spans->parent[i];
      gint64 end = spans->start[i] + spans->duration[i];
      g_assert_cmpint (spans->duration[i], >=, 0);
      if (i > row->first)
        g_assert_cmpint (spans->start[i], >=, spans->start[i - 1] + spans->duration[i - 1]);
      g_assert_true ((parent == CYC_TIMELINE_NONE) == (row->depth == 0));
      if (parent != CYC_TIMELINE_NONE)
        {
          g_assert_cmpint (spans->start[parent], <=, spans->start[i]);
          g_assert_cmpint (spans->start[parent] + spans->duration[parent], >=, end);
        }
      g_assert_true (g_utf8_validate (cyc_timeline_get_text (timeline, spans->name[i]), -1, NULL));
      check_json (cyc_timeline_get_members (timeline, spans->members[i]));
    }
}

static void
check (CycTimeline *timeline)
{
  guint n;
  guint32 n_spans = 0;
  const CycTimelineRow *rows = cyc_timeline_get_rows (timeline, &n);

  for (guint i = 0; i < n; i++)
    {
      g_assert_cmpuint (rows[i].first, ==, n_spans);
      check_row (timeline, &rows[i]);
      n_spans += rows[i].n;
    }
  g_assert_cmpuint (n_spans, ==, cyc_timeline_get_spans (timeline)->n);
  check_json (cyc_timeline_get_others (timeline));
}

static void
check_same (CycTimeline *a,
            CycTimeline *b)
{
  const CycTimelineSpans *spans_a = cyc_timeline_get_spans (a), *spans_b = cyc_timeline_get_spans (b);

  g_assert_cmpuint (spans_a->n, ==, spans_b->n);
  g_assert_cmpint (memcmp (spans_a->start, spans_b->start, spans_a->n * sizeof (gint64)), ==, 0);
  g_assert_cmpint (memcmp (spans_a->duration, spans_b->duration, spans_a->n * sizeof (gint64)), ==, 0);
  g_assert_cmpint (memcmp (cyc_timeline_get_repairs (a), cyc_timeline_get_repairs (b), sizeof (CycTraceRepairs)), ==,
                   0);
}

static gboolean
append_cb (const char  *bytes,
           gsize        len,
           gpointer     user_data,
           GError     **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

/* What is written and read again is written the same. */
static void
check_round_trip (CycTimeline *timeline)
{
  g_autoptr (GString) first = g_string_new (NULL);
  g_autoptr (GString) second = g_string_new (NULL);
  int fd;

  g_assert_true (cyc_chrome_write (timeline, NULL, append_cb, first, NULL, NULL));
  g_autofree char *path = put_into_file ((const uint8_t *) first->str, first->len, &fd);
  g_autoptr (CycTimeline) again = read_trace (path, 0);
  close (fd);
  g_assert_nonnull (again);
  g_assert_true (cyc_chrome_write (again, NULL, append_cb, second, NULL, NULL));
  g_assert_cmpstr (first->str, ==, second->str);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  int fd;
  g_autofree char *path = put_into_file (data, size, &fd);
  g_autoptr (CycTimeline) large = read_trace (path, 0);
  g_autoptr (CycTimeline) small = read_trace (path, 1);

  close (fd);
  g_assert_true ((large == NULL) == (small == NULL));
  if (large == NULL)
    return 0;
  check (large);
  check_same (large, small);
  check_round_trip (large);
  return 0;
}
