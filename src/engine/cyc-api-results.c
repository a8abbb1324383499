/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-results-load.h"

/* /api/runs/{id}/results, comparison and chrome-trace: snapshot on the main thread, then written
 * by a thread into a file without a name, however large, and sent from there. */

typedef enum
{
  FORM_RESULTS,
  FORM_COMPARISON,
  FORM_CHROME,
} Form;

typedef struct
{
  CycApiRequest *request;
  Form           form;
  CycResults    *results;
  char          *folder;
  int            fd;
  guint64        length;
} Export;

static void
export_free (Export *self)
{
  cyc_api_request_free (self->request);
  cyc_results_free (self->results);
  g_free (self->folder);
  if (self->fd >= 0)
    close (self->fd);
  g_free (self);
}

static int
open_nameless (const char *folder)
{
  int fd = open (folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    return fd;
  /* Some network file systems lack O_TMPFILE. */
  g_autofree char *path = g_build_filename (folder, ".answer-XXXXXX", NULL);
  fd = mkostemp (path, O_CLOEXEC);
  if (fd >= 0)
    unlink (path);
  return fd;
}

static gboolean
sink (const char  *bytes,
      gsize        len,
      gpointer     user_data,
      GError     **error)
{
  Export *self = user_data;

  if (!cyc_file_write_all (self->fd, bytes, len))
    {
      cyc_error_set_errno (error, errno, NULL, "cannot write the answer");
      return FALSE;
    }
  self->length += len;
  return TRUE;
}

static gboolean
write_form (Export         *self,
            CycJsonWriter  *writer,
            GError        **error)
{
  switch (self->form)
    {
    case FORM_RESULTS:
      return cyc_results_write (self->results, writer, error);
    case FORM_COMPARISON:
      cyc_results_write_comparison (self->results, writer);
      break;
    case FORM_CHROME:
    default:
      cyc_results_write_chrome (self->results, writer);
      break;
    }
  return cyc_json_writer_finish (writer, error);
}

static void
export_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  Export *self = data;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, sink, self);
  g_autoptr (GError) error = NULL;

  self->fd = open_nameless (self->folder);
  if (self->fd < 0)
    cyc_error_set_errno (&error, errno, self->folder, "cannot create a temporary file");
  if (error == NULL && write_form (self, writer, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

static void
exported_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  Export *self = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;

  if (g_task_propagate_boolean (G_TASK (result), &error))
    cyc_api_call_reply_fd (self->request->call, g_steal_fd (&self->fd), self->length,
                           "application/json");
  else
    cyc_api_call_reply_gerror (self->request->call, error);
}

static void
start_export (Export *self)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, exported_cb, NULL);

  g_task_set_source_tag (task, start_export);
  g_task_set_task_data (task, self, (GDestroyNotify) export_free);
  cyc_task_run_in_thread (task, export_thread);
}

static void
loaded_cb (GObject      *source,
           GAsyncResult *result,
           gpointer      user_data)
{
  Export *self = user_data;
  g_autoptr (GError) error = NULL;

  self->results = cyc_results_load_finish (CYC_ENGINE (source), result, &error);
  if (self->results != NULL)
    {
      start_export (self);
      return;
    }
  cyc_api_call_reply_gerror (self->request->call, error);
  export_free (self);
}

static void
begin_export (CycApi     *self,
              CycApiCall *call,
              const char *id,
              Form        form)
{
  Export *export = g_new0 (Export, 1);

  export->request = cyc_api_request_new (self, call, id);
  export->form = form;
  export->folder = g_build_filename (cyc_engine_get_workspace (self->engine), "jobs", NULL);
  export->fd = -1;
  cyc_results_load (self->engine, id, loaded_cb, export);
}

/**
 * cyc_api_get_results:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/results: RunResults.
 */
void
cyc_api_get_results (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  begin_export (self, call, id, FORM_RESULTS);
}

/**
 * cyc_api_get_comparison:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/comparison: Comparison.
 */
void
cyc_api_get_comparison (CycApi     *self,
                        CycApiCall *call,
                        const char *id,
                        const char *rest)
{
  begin_export (self, call, id, FORM_COMPARISON);
}

/**
 * cyc_api_get_chrome:
 * @self: the router
 * @call: a call
 * @id: a run
 * @rest: unused
 *
 * GET /api/runs/{id}/chrome-trace: Chrome trace JSON.
 */
void
cyc_api_get_chrome (CycApi     *self,
                    CycApiCall *call,
                    const char *id,
                    const char *rest)
{
  begin_export (self, call, id, FORM_CHROME);
}
