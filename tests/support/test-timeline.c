/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-timeline.h"

#include "core/timeline/cyc-chrome-writer.h"
#include "core/timeline/cyc-timeline-builder.h"
#include "support/test-folder.h"

static gboolean
append_cb (const char  *bytes,
           gsize        len,
           gpointer     user_data,
           GError     **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

/**
 * test_timeline_new:
 * @json: what a file holds
 * @keep_cycles: whether a cycle trace keeps its cycles
 *
 * Returns: (transfer full): its timeline
 */
CycTimeline *
test_timeline_new (const char *json,
                   gboolean    keep_cycles)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "trace.json", json, -1);
  g_autoptr (GError) error = NULL;
  CycTimeline *timeline = keep_cycles ? cyc_timeline_load_cycles (path, NULL, NULL, NULL, &error)
                                      : cyc_timeline_load (path, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return timeline;
}

/**
 * test_timeline_write:
 * @timeline: a timeline
 * @area: (nullable): what of it
 *
 * Returns: (transfer full): what a file of it holds
 */
GString *
test_timeline_write (CycTimeline           *timeline,
                     const CycTimelineArea *area)
{
  GString *out = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  cyc_chrome_write (timeline, area, append_cb, out, NULL, &error);
  g_assert_no_error (error);
  return out;
}
