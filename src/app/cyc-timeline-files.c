/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-files.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-task.h"
#include "core/cycles/cyc-cycle-buffer.h"
#include "core/timeline/cyc-timeline-builder.h"
#include "core/timeline/cyc-timeline-cycles.h"
#include "core/timeline/cyc-view-state.h"

/* Files that timelines are read from: which they are, reading them on a thread, and what is to be told of them. */

#define PROGRESS_STEPS 1000
#define META_SUFFIX ".meta.json"
#define HEAD_SIZE (64 * 1024)
#define MAX_FAR 100 /* listed one by one */

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

/* A window lists buffers. */
static gboolean
is_window (const char *head,
           gsize       len)
{
  return contains (head, len, "\"invocations\"") && contains (head, len, "\"buffer\"")
         && !contains (head, len, "\"traceEvents\"");
}

/* The buffer that metadata belong to. */
static char *
find_buffer (const char *path)
{
  static const char *const endings[] = { ".bin", ".bin.gz", ".bin.xz" };
  g_autofree char *stem = g_strndup (path, strlen (path) - strlen (META_SUFFIX));

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    {
      g_autofree char *buffer = g_strconcat (stem, endings[i], NULL);
      if (g_file_test (buffer, G_FILE_TEST_IS_REGULAR))
        return g_steal_pointer (&buffer);
    }
  return NULL;
}

/**
 * cyc_timeline_files_match:
 * @path: a file
 * @name: its name, in small letters
 * @head: its first bytes, unpacked
 * @len: how many
 *
 * Recognises Chrome trace JSON and windows by what is in them, or by its name if that is too far inside; buffers, which
 * have no mark, by their name, or that of their metadata.
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
  if (json && is_window (head, len))
    return g_strdup (path);
  if (g_str_has_suffix (name, META_SUFFIX))
    return find_buffer (path);
  if (cyc_cycle_meta_is_buffer (name))
    return g_strdup (path);
  /* What lies beside the kernels of a trace is no document. */
  if (has_suffix (name, ".json") && strcmp (name, "metadata.json") != 0)
    return g_strdup (path);
  return NULL;
}

/* Reading */

typedef struct
{
  char               *path;
  CycCycleMeta       *meta;    /* NULL: what lies beside the buffer */
  CycTimelineReading *reading; /* NULL: as it was read the last time */
  char               *views;   /* NULL: what is known of that lies beside the file */
  CycTimelineMeter   *meter;
} Request;

static void
request_free (gpointer data)
{
  Request *self = data;

  g_free (self->path);
  g_clear_pointer (&self->meta, cyc_cycle_meta_unref);
  cyc_timeline_reading_free (self->reading);
  g_free (self->views);
  g_atomic_rc_box_release (self->meter);
  g_free (self);
}

static void
progress_cb (double   fraction,
             gpointer user_data)
{
  CycTimelineMeter *meter = user_data;

  g_atomic_int_set (&meter->progress, (int) (fraction * PROGRESS_STEPS));
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

static gboolean
has_window (const char *path)
{
  g_autofree char *head = g_malloc (HEAD_SIZE);
  gssize n = cyc_byte_reader_read_head (path, head, HEAD_SIZE, NULL, NULL);

  return n > 0 && is_window (head, (gsize) n);
}

/* Finds out what is known of a buffer. Without metadata, or where they lack the clock, the user is asked; metadata
 * that cannot be read are an error. */
static gboolean
read_meta (const Request    *request,
           CycTimelineLoad  *load,
           GError          **error)
{
  g_autofree char *sidecar = cyc_cycle_meta_get_sidecar (request->path);

  if (request->meta != NULL)
    load->meta = cyc_cycle_meta_ref (request->meta);
  else if (!g_file_test (sidecar, G_FILE_TEST_EXISTS))
    load->wants_meta = TRUE;
  else
    load->meta = cyc_cycle_meta_read_file (sidecar, error);
  if (load->meta == NULL)
    return load->wants_meta;
  load->wants_meta = !load->meta->has_frequency && load->meta->soc_name == NULL;
  return TRUE;
}

static gboolean
load_buffer (const Request    *request,
             CycTimelineLoad  *load,
             GCancellable     *cancellable,
             GError          **error)
{
  if (!read_meta (request, load, error))
    return FALSE;
  if (load->wants_meta)
    return TRUE;
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_read (request->path, load->meta, cancellable, error);
  if (buffer == NULL)
    return FALSE;
  progress_cb (0.5, request->meter);
  load->dropped = buffer->dropped;
  load->unknown = g_ptr_array_ref (load->meta->unknown);
  load->timeline = cyc_timeline_new_from_cycles (g_steal_pointer (&buffer), cancellable, error);
  return load->timeline != NULL;
}

/* Files whose times the user has said to be something else are that the next time, too. */
static gboolean
load_json (const Request    *request,
           CycTimelineLoad  *load,
           GCancellable     *cancellable,
           GError          **error)
{
  g_autoptr (CycTimelineReading) reading = cyc_timeline_reading_copy (request->reading);
  g_autofree char *view = reading == NULL ? cyc_view_state_read (request->path, request->views, NULL) : NULL;

  if (view != NULL)
    reading = cyc_timeline_reading_new_from_view (view);
  load->timeline = cyc_timeline_load_as (request->path, reading, CYC_TIMELINE_KEEP_CYCLES, &request->meter->stop,
                                         progress_cb, request->meter, cancellable, error);
  load->stopped = g_atomic_int_get (&request->meter->stop) != 0;
  return load->timeline != NULL;
}

static gboolean
load_file (const Request    *request,
           CycTimelineLoad  *load,
           GCancellable     *cancellable,
           GError          **error)
{
  if (cyc_cycle_meta_is_buffer (request->path))
    return load_buffer (request, load, cancellable, error);
  if (!has_window (request->path))
    return load_json (request, load, cancellable, error);
  load->unknown = g_ptr_array_new_with_free_func (g_free);
  load->timeline = cyc_timeline_load_window (request->path, load->unknown, cancellable, error);
  return load->timeline != NULL;
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
  g_atomic_pointer_set (&request->meter->size, (gsize) load->size);
  if (load_file (request, load, cancellable, &error))
    g_task_return_pointer (task, g_steal_pointer (&load), (GDestroyNotify) cyc_timeline_load_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/**
 * cyc_timeline_load_async:
 * @path: a file
 * @meta: (nullable): what is known of it if it is a profile buffer; %NULL for the metadata beside it
 * @reading: (nullable): how Chrome trace JSON is read, and what of it; %NULL for the unit of its view, and all of it
 * @views: (nullable): a folder in which that view may be
 * @meter: tells how far it is, and takes the word that this is enough
 * @cancellable: (nullable): ends it early
 * @callback: called when it is read
 * @user_data: for @callback
 *
 * Reads a file as a timeline, on a thread.
 */
void
cyc_timeline_load_async (const char          *path,
                         CycCycleMeta        *meta,
                         const CycTimelineReading *reading,
                         const char          *views,
                         CycTimelineMeter    *meter,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_return_if_fail (path != NULL && meter != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  Request *request = g_new0 (Request, 1);
  request->path = g_strdup (path);
  request->meta = meta != NULL ? cyc_cycle_meta_ref (meta) : NULL;
  request->reading = cyc_timeline_reading_copy (reading);
  request->views = g_strdup (views);
  request->meter = g_atomic_rc_box_acquire (meter);
  g_task_set_source_tag (task, cyc_timeline_load_async);
  g_task_set_task_data (task, request, request_free);
  cyc_task_run_in_thread (task, load_worker);
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
  g_clear_pointer (&self->meta, cyc_cycle_meta_unref);
  g_clear_pointer (&self->unknown, g_ptr_array_unref);
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
    CYC_REPAIR_FAR, CYC_REPAIR_FINE_TIME, CYC_REPAIR_NO_PID, CYC_REPAIR_OTHER_PHASE, CYC_REPAIR_OVERLAP,
    CYC_REPAIR_TEXT_TIME, CYC_REPAIR_TRAILING_COMMA,
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

/* What the user wanted to be read in another way. */
static void
add_about_reading (CycFindings *findings,
                   CycTimeline *timeline,
                   const char  *name)
{
  const CycTimelineReading *reading = cyc_timeline_get_reading (timeline);

  if (reading == NULL)
    return;
  if (reading->unit == CYC_TIMELINE_FILE_NS)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "file_unit", name, 0, NULL,
                      _("its times were read as nanoseconds, as you have chosen"));
  if (reading->unit == CYC_TIMELINE_FILE_CYCLES)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "file_unit", name, 0, NULL,
                      _("its times were read as cycles, as you have chosen"));
  if (cyc_timeline_reading_is_part (reading))
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "part", name, 0, NULL,
                      _("only a part was read, as you have chosen: %" PRIu64 " events are left out"),
                      cyc_timeline_get_n_left_out (timeline));
}

static void
add_about_buffer (CycFindings           *findings,
                  const CycTimelineLoad *load,
                  const char            *name)
{
  if (load->dropped > 0)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "dropped_records", name, 0, NULL,
                      _("the device dropped %" PRIu64 " records, which are missing"), load->dropped);
  if (load->n_without_cycles > 0)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "no_cycles", name, 0, NULL,
                      _("%" PRIu64 " kernels have no number of cycles and are left out"), load->n_without_cycles);
  for (guint i = 0; load->unknown != NULL && i < load->unknown->len; i++)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "unknown_key", name, 0, NULL,
                      _("the key \"%s\" of the metadata is not known and was left out"),
                      (const char *) g_ptr_array_index (load->unknown, i));
}

/* What is not drawn, or not seen at first. */
static void
add_about_far (CycFindings *findings,
               CycTimeline *timeline,
               const char  *name)
{
  guint64 n = cyc_timeline_get_n_sparse (timeline);
  guint n_far;
  const CycTimelineOutlier *outliers = cyc_timeline_get_outliers (timeline, &n_far);

  if (n > 0)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "sparse_spans", name, 0, NULL,
                      _("%" PRIu64 " spans lie far away from nearly all others; the view begins without them"), n);
  for (guint i = 0; i < MIN (n_far, MAX_FAR); i++)
    {
      char buf[CYC_TRACE_TIME_BUF];
      cyc_findings_add (findings, CYC_SEVERITY_NOTE, "far_span", name, 0, NULL,
                        _("%s at %s µs lies too far away to be drawn"),
                        cyc_timeline_get_text (timeline, outliers[i].name),
                        cyc_trace_time_format (&outliers[i].start, buf));
    }
}

/**
 * cyc_timeline_get_findings:
 * @load: a file that was read
 * @path: the file
 *
 * Returns: (transfer full): what was repaired in it, or left out, or is not seen
 */
CycFindings *
cyc_timeline_get_findings (const CycTimelineLoad *load,
                           const char            *path)
{
  g_return_val_if_fail (load != NULL && load->timeline != NULL && path != NULL, NULL);

  CycFindings *findings = cyc_findings_new ();
  g_autofree char *name = g_path_get_basename (path);
  const CycTraceRepairs *repairs = cyc_timeline_get_repairs (load->timeline);

  if (cyc_timeline_get_warning (load->timeline) != NULL)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, load->stopped ? "reading_stopped" : "damaged_file", name, 0,
                      NULL, "%s", cyc_timeline_get_warning (load->timeline));
  for (guint i = 0; i < CYC_TRACE_N_REPAIRS; i++)
    if (repairs->counts[i] > 0)
      add_repair (findings, name, i, repairs->counts[i], repairs->first[i]);
  add_about_reading (findings, load->timeline, name);
  add_about_buffer (findings, load, name);
  add_about_far (findings, load->timeline, name);
  return findings;
}
