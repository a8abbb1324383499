/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-engine-processing-private.h"

#include "core/accelsim/cyc-simulator.h"
#include "core/accelsim/cyc-trace-folder.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-importer.h"
#include "engine/cyc-installation.h"
#include "engine/cyc-post-processor.h"

/* What happens to a trace between its last file and `ready`, on a thread of GTask's pool. */

typedef struct
{
  char             *workspace;
  char             *folder;
  gboolean          uploaded;
  CycProcessed      processed;
  CycProcessedFunc  func;
  gpointer          user_data;
} Work;

static void
work_free (gpointer data)
{
  Work *work = data;

  g_free (work->workspace);
  g_free (work->folder);
  g_free (work->processed.id);
  g_free (work->processed.metadata);
  cyc_trace_record_free (work->processed.record);
  g_clear_pointer (&work->processed.launches, g_ptr_array_unref);
  g_free (work);
}

static void
fail (CycTraceRecord *record,
      const char     *sentence)
{
  record->state = CYC_TRACE_FAILED;
  if (record->error == NULL)
    record->error = g_strdup (sentence);
}

/* The first installation of the settings that has a post-processor. */
static CycSimulator *
find_post_processor (const char  *workspace,
                     GError     **error)
{
  g_autoptr (CycSettings) settings = cyc_settings_load (workspace, error);
  if (settings == NULL)
    return NULL;
  g_auto (GStrv) names = cyc_settings_list_simulators (settings);
  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr (CycSimulatorSetting) setting = cyc_settings_get_simulator (settings, names[i]);
      g_autoptr (CycSimulator) simulator = cyc_installation_open (setting, NULL);
      if (simulator != NULL && simulator->post_processor != NULL)
        return g_steal_pointer (&simulator);
    }
  cyc_error_set_at (error, CYC_ERROR_STATE, NULL, 0,
                    "the trace has raw kernel files but no kernelslist.g, and no simulator with a "
                    "post-processor is set up; add one with `simulator add PATH`, then import the "
                    "trace again");
  return NULL;
}

static gboolean
post_process (Work           *work,
              const char     *traces,
              GCancellable   *cancellable,
              GError        **error)
{
  g_autofree char *log = NULL;
  g_autoptr (CycSimulator) simulator = find_post_processor (work->workspace, error);

  return simulator != NULL &&
         cyc_post_processor_run (simulator->post_processor, (const char *const *) simulator->env, traces,
                                 CYC_IMPORT_RESERVE, &log, cancellable, error);
}

static CycTraceFolder *
load_folder (Work          *work,
             GCancellable  *cancellable,
             GError       **error)
{
  g_autoptr (CycTraceFolder) folder = cyc_trace_folder_load (work->folder, cancellable, error);

  if (folder == NULL || !folder->needs_processing || folder->record->state == CYC_TRACE_FAILED)
    return g_steal_pointer (&folder);
  if (!post_process (work, folder->traces, cancellable, error))
    return NULL;
  return cyc_trace_folder_load (work->folder, cancellable, error);
}

/* A trace of which no kernel can be simulated, and nothing was recorded either: no run of it can begin. */
static gboolean
is_unusable (const CycTraceFolder *folder)
{
  for (guint i = 0; i < folder->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (folder->kernels, i);
      if (kernel->header != NULL)
        return FALSE;
    }
  g_autofree char *recorded = g_build_filename (folder->root, "recorded", NULL);
  return cyc_findings_first_error (folder->findings) != NULL && !g_file_test (recorded, G_FILE_TEST_IS_DIR);
}

static void
take_folder (CycProcessed   *processed,
             CycTraceFolder *folder,
             gboolean        uploaded)
{
  CycTraceRecord *record = processed->record = cyc_trace_record_copy (folder->record);

  processed->metadata = g_strdup (folder->metadata_json);
  processed->launches = g_ptr_array_ref (folder->launches);
  if (record->state == CYC_TRACE_FAILED)
    {
      fail (record, "metadata.json says that the trace failed");
      return;
    }
  if (folder->lists->len == 0 || is_unusable (folder))
    {
      const CycFinding *finding = cyc_findings_first_error (folder->findings);
      g_autofree char *sentence = finding == NULL ? NULL : cyc_finding_to_string (finding);
      fail (record, sentence != NULL ? sentence : "the trace has no kernelslist.g");
      return;
    }
  /* Of an upload, what the list names must have come; an import has told of it before. */
  const CycFinding *missing =
    uploaded ? cyc_findings_find (folder->findings, "kernel_file_missing") : NULL;
  if (missing != NULL)
    {
      g_autofree char *sentence = cyc_finding_to_string (missing);
      fail (record, sentence);
      return;
    }
  record->state = CYC_TRACE_READY;
  g_clear_pointer (&record->error, g_free);
}

static void
process_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  Work *work = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTraceFolder) folder = load_folder (work, cancellable, &error);

  if (folder != NULL)
    {
      take_folder (&work->processed, folder, work->uploaded);
    }
  else
    {
      work->processed.record = cyc_trace_record_new ();
      work->processed.launches =
        g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_launch_record_free);
      fail (work->processed.record, error->message);
    }
  g_task_return_boolean (task, TRUE);
}

static void
processed_cb (GObject      *source,
              GAsyncResult *result,
              gpointer      user_data)
{
  Work *work = g_task_get_task_data (G_TASK (result));

  work->func (&work->processed, work->user_data);
}

/**
 * cyc_processing_start:
 * @workspace: the workspace's folder
 * @id: a trace
 * @folder: its folder
 * @uploaded: its files came over HTTP: one that is missing has not come
 * @cancellable: (nullable): stops it when the engine closes; the trace then stays as it is
 * @func: called on the main thread with what was found
 * @user_data: for @func
 */
void
cyc_processing_start (const char       *workspace,
                      const char       *id,
                      const char       *folder,
                      gboolean          uploaded,
                      GCancellable     *cancellable,
                      CycProcessedFunc  func,
                      gpointer          user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, processed_cb, NULL);
  Work *work = g_new0 (Work, 1);

  work->workspace = g_strdup (workspace);
  work->folder = g_strdup (folder);
  work->uploaded = uploaded;
  work->processed.id = g_strdup (id);
  work->func = func;
  work->user_data = user_data;
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_source_tag (task, cyc_processing_start);
  g_task_set_task_data (task, work, work_free);
  cyc_task_run_in_thread (task, process_thread);
}

typedef struct
{
  char           *folder;
  CycScanned      scanned;
  CycScannedFunc  func;
  gpointer        user_data;
} Scan;

static void
scan_free (gpointer data)
{
  Scan *scan = data;

  g_free (scan->folder);
  g_free (scan->scanned.id);
  g_free (scan);
}

static void
scan_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  Scan *scan = data;
  CycScanned *scanned = &scan->scanned;

  scanned->ok = cyc_trace_folder_scan (scan->folder, &scanned->kernel_files, &scanned->bytes, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
scanned_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  Scan *scan = g_task_get_task_data (G_TASK (result));

  scan->func (&scan->scanned, scan->user_data);
}

/**
 * cyc_scanning_start:
 * @id: a trace
 * @folder: its folder
 * @func: called on the main thread with what was counted
 * @user_data: for @func
 */
void
cyc_scanning_start (const char     *id,
                    const char     *folder,
                    CycScannedFunc  func,
                    gpointer        user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, scanned_cb, NULL);
  Scan *scan = g_new0 (Scan, 1);

  scan->folder = g_strdup (folder);
  scan->scanned.id = g_strdup (id);
  scan->func = func;
  scan->user_data = user_data;
  g_task_set_source_tag (task, cyc_scanning_start);
  g_task_set_task_data (task, scan, scan_free);
  cyc_task_run_in_thread (task, scan_thread);
}
