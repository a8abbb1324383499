/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-files.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/timeline/cyc-timeline-builder.h"

/* Files that timelines are read from: which they are, reading them on a thread, and what is to be told of them. */

#define PROGRESS_STEPS 1000

/* Recognising */

static gboolean
has_suffix (const char *name,
            const char *suffix)
{
  g_autofree char *packed = g_strconcat (suffix, ".gz", NULL);
  g_autofree char *packed_xz = g_strconcat (suffix, ".xz", NULL);

  return g_str_has_suffix (name, suffix) || g_str_has_suffix (name, packed) || g_str_has_suffix (name, packed_xz);
}

static gboolean
contains (const char *head,
          gsize       len,
          const char *word)
{
  return g_strstr_len (head, (gssize) len, word) != NULL;
}

/**
 * cyc_timeline_files_match:
 * @path: a file
 * @name: its name, in small letters
 * @head: its first bytes, unpacked
 * @len: how many
 *
 * Recognises Chrome trace JSON by what is in it, or by its name if it is too far inside.
 *
 * Returns: (transfer full) (nullable): the file to open; %NULL if it is none
 */
char *
cyc_timeline_files_match (const char *path,
                          const char *name,
                          const char *head,
                          gsize       len)
{
  gsize i = len >= 3 && memcmp (head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;

  while (i < len && g_ascii_isspace (head[i]))
    i++;
  gboolean json = i < len && (head[i] == '{' || head[i] == '[');
  if (json && contains (head, len, "\"traceEvents\""))
    return g_strdup (path);
  if (json && head[i] == '[' && contains (head, len, "\"ph\""))
    return g_strdup (path);
  /* What lies beside the kernels of a trace is no document. */
  if (has_suffix (name, ".json") && strcmp (name, "metadata.json") != 0)
    return g_strdup (path);
  return NULL;
}

/* Reading */

typedef struct
{
  char *path;
  int  *progress; /* atomic, counted by reference as a box */
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_free (self->path);
  g_atomic_rc_box_release (self->progress);
  g_free (self);
}

static void
progress_cb (double   fraction,
             gpointer user_data)
{
  g_atomic_int_set ((int *) user_data, (int) (fraction * PROGRESS_STEPS));
}

static gboolean
get_stamp (const char *path,
           guint64    *out_size,
           gint64     *out_mtime)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info =
    g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE "," G_FILE_ATTRIBUTE_TIME_MODIFIED ","
                       G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC, G_FILE_QUERY_INFO_NONE, NULL, NULL);

  if (info == NULL)
    return FALSE;
  *out_size = (guint64) g_file_info_get_size (info);
  *out_mtime = (gint64) g_file_info_get_attribute_uint64 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED) * G_USEC_PER_SEC
               + g_file_info_get_attribute_uint32 (info, G_FILE_ATTRIBUTE_TIME_MODIFIED_USEC);
  return TRUE;
}

static void
load_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Request *request = data;
  g_autoptr (CycTimelineLoad) load = g_new0 (CycTimelineLoad, 1);
  g_autoptr (GError) error = NULL;

  /* From before: what is changed while it is read has changed. */
  get_stamp (request->path, &load->size, &load->mtime);
  load->timeline = cyc_timeline_load (request->path, progress_cb, request->progress, cancellable, &error);
  if (load->timeline == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, g_steal_pointer (&load), (GDestroyNotify) cyc_timeline_load_free);
}

/**
 * cyc_timeline_load_async:
 * @path: a file
 * @progress: an atomic integer in a box of g_atomic_rc_box_new(): becomes 0 to 1000 on the way
 * @cancellable: (nullable): ends it early
 * @callback: called when it is read
 * @user_data: for @callback
 *
 * Reads a file as a timeline, on a thread.
 */
void
cyc_timeline_load_async (const char          *path,
                         int                 *progress,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_return_if_fail (path != NULL && progress != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);
  request->path = g_strdup (path);
  request->progress = g_atomic_rc_box_acquire (progress);
  g_task_set_source_tag (task, cyc_timeline_load_async);
  g_task_set_task_data (task, request, request_free);
  g_task_run_in_thread (task, load_worker);
}

/**
 * cyc_timeline_load_finish:
 * @result: what the callback got
 * @error: why it was not read
 *
 * Returns: (transfer full) (nullable): what was read
 */
CycTimelineLoad *
cyc_timeline_load_finish (GAsyncResult  *result,
                          GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_timeline_load_async), NULL);

  return g_task_propagate_pointer (G_TASK (result), error);
}

/**
 * cyc_timeline_load_free:
 * @self: (nullable) (transfer full): what was read
 */
void
cyc_timeline_load_free (CycTimelineLoad *self)
{
  if (self == NULL)
    return;
  g_clear_pointer (&self->timeline, cyc_timeline_unref);
  g_free (self);
}

/**
 * cyc_timeline_load_is_changed:
 * @self: what was read
 * @path: from where
 *
 * Returns: whether the file is another one now; one that is gone is not
 */
gboolean
cyc_timeline_load_is_changed (const CycTimelineLoad *self,
                              const char            *path)
{
  guint64 size;
  gint64 mtime;

  return get_stamp (path, &size, &mtime) && (size != self->size || mtime != self->mtime);
}

/* What was repaired */

/* Whether nothing of the file is missing, or other than it says. */
static gboolean
is_harmless (CycTraceRepair repair)
{
  static const CycTraceRepair harmless[] = {
    CYC_REPAIR_FINE_TIME, CYC_REPAIR_NO_PID, CYC_REPAIR_OTHER_PHASE, CYC_REPAIR_OVERLAP, CYC_REPAIR_TEXT_TIME,
    CYC_REPAIR_TRAILING_COMMA,
  };

  for (guint i = 0; i < G_N_ELEMENTS (harmless); i++)
    if (harmless[i] == repair)
      return TRUE;
  return FALSE;
}

static void
add_repair (CycFindings    *findings,
            const char     *name,
            CycTraceRepair  repair,
            guint64         n,
            guint64         first)
{
  g_autofree char *count = g_strdup_printf (ngettext ("once", "%" PRIu64 " times", (gulong) n), n);
  g_autofree char *place = first == CYC_TRACE_NOWHERE
                             ? g_strdup (count)
                             : g_strdup_printf (_("%s, first at byte %" PRIu64), count, first);

  cyc_findings_add (findings, is_harmless (repair) ? CYC_SEVERITY_NOTE : CYC_SEVERITY_WARNING,
                    cyc_trace_repair_get_code (repair), name, 0, NULL, "%s: %s",
                    cyc_trace_repair_get_text (repair), place);
}

/**
 * cyc_timeline_get_findings:
 * @timeline: a timeline
 * @path: where it was read from
 *
 * Returns: (transfer full): what was repaired in the file, or left out
 */
CycFindings *
cyc_timeline_get_findings (CycTimeline *timeline,
                           const char  *path)
{
  g_return_val_if_fail (timeline != NULL && path != NULL, NULL);

  CycFindings *findings = cyc_findings_new ();
  g_autofree char *name = g_path_get_basename (path);
  const CycTraceRepairs *repairs = cyc_timeline_get_repairs (timeline);

  if (cyc_timeline_get_warning (timeline) != NULL)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "damaged-file", name, 0, NULL, "%s",
                      cyc_timeline_get_warning (timeline));
  for (guint i = 0; i < CYC_TRACE_N_REPAIRS; i++)
    if (repairs->counts[i] > 0)
      add_repair (findings, name, i, repairs->counts[i], repairs->first[i]);
  return findings;
}
