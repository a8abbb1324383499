/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-worker.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-time.h"
#include "worker/cyc-disk-watch.h"
#include "worker/cyc-engine-link.h"
#include "worker/cyc-job-stage.h"
#include "worker/cyc-log-sender.h"
#include "worker/cyc-result-upload.h"
#include "worker/cyc-sim-process.h"
#include "worker/cyc-worker-env.h"
#include "worker/cyc-worker-paths.h"

/* The life of one simulation (`design/architecture.md` 3): stage, start, follow the log, and when the
 * simulator has ended report in a fixed order: log, stderr, files, final heartbeat. Heartbeats have a
 * connection of their own, so that a long upload does not hold them up. */

#define HEARTBEAT_MS 5000
#define LOOK_MS 1000
/* The job's folder counts as removed when it is gone twice in a row. */
#define MAX_MISSING 2

#define EXIT_STATUS_REPORTED 0
#define EXIT_STATUS_GONE 3

typedef struct
{
  CycJob        *job;
  GMainLoop     *loop;
  CycEngineLink *beat_link;
  CycEngineLink *log_link;
  CycSimProcess *process;
  CycLogSender  *sender;
  CycDiskWatch  *disk;
  GPtrArray     *notes;      /* for worker-notes.txt */
  GCancellable  *cancellable; /* everything but heartbeats, and those when the sim is gone */

  gboolean       has_ended;  /* the simulator was started and has ended */
  CycSimEnd      end;
  gboolean       quiet;      /* nothing of it is left */
  gboolean       exit_kept;  /* exit.json is on disk */
  char          *error;      /* for the final heartbeat */
  const char    *stopped;    /* why it was stopped, NULL if it was not */

  gboolean       beating;    /* a heartbeat is under way */
  GCancellable  *beat_cancellable;
  gboolean       final_due;  /* only the final heartbeat is left */
  gboolean       log_done;
  gboolean       uploading;
  gboolean       gone;       /* nobody wants the results */
  guint          n_missing;
  guint          beat_id;
  guint          look_id;
  guint          signal_ids[2];
  int            folder_fd;
} Worker;

static void send_final (Worker *self);

/* worker.json: who this is, so that an engine finds us, and the simulator without us. */
static gboolean
write_worker_file (Worker  *self,
                   GError **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "pid", getpid ());
  cyc_json_writer_key (writer, "start_time");
  cyc_json_writer_uint (writer, cyc_process_get_start_time (getpid ()));
  cyc_json_writer_key (writer, "sim_pid");
  if (self->process == NULL)
    cyc_json_writer_null (writer);
  else
    cyc_json_writer_int (writer, cyc_sim_process_get_pid (self->process));
  cyc_json_writer_key (writer, "sim_start_time");
  if (self->process == NULL)
    cyc_json_writer_null (writer);
  else
    cyc_json_writer_uint (writer, cyc_sim_process_get_start_time (self->process));
  cyc_json_writer_end_object (writer);
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  return cyc_file_replace (CYC_WORKER_STATE, text->str, text->len, 0600, error);
}

/* exit.json: how it ended, on disk before anything is reported. A simulator that never ran has no
 * exit code. */
static void
write_exit_file (Worker *self)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (GError) error = NULL;

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "exit_code");
  if (self->has_ended)
    cyc_json_writer_int (writer, self->end.exit_code);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "signal");
  if (self->has_ended && self->end.signal != 0)
    cyc_json_writer_int (writer, self->end.signal);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_put_time (writer, "started_at", self->end.started_at);
  cyc_json_writer_put_time (writer, "finished_at", self->end.finished_at);
  cyc_json_writer_end_object (writer);
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  self->exit_kept = cyc_file_replace (CYC_WORKER_EXIT, text->str, text->len, 0600, &error);
  if (self->exit_kept)
    return;
  g_warning ("%s", error->message);
  cyc_disk_watch_failed (self->disk, error);
}

/* Nobody wants the results: leave when the simulator and all requests have ended. */
static void
leave_if_gone (Worker *self)
{
  if (self->gone && self->quiet && self->log_done && !self->beating && !self->uploading)
    g_main_loop_quit (self->loop);
}

static void
stop_simulator (Worker     *self,
                const char *why)
{
  if (self->stopped != NULL || self->has_ended || self->process == NULL)
    return;
  g_message ("stopping the simulator: %s", why);
  self->stopped = why;
  cyc_sim_process_stop (self->process);
}

static void
become_gone (Worker     *self,
             const char *why)
{
  if (self->gone)
    return;
  g_message ("%s; nothing more is reported", why);
  self->gone = TRUE;
  stop_simulator (self, why);
  g_cancellable_cancel (self->cancellable);
  g_cancellable_cancel (self->beat_cancellable);
  if (!self->log_done)
    cyc_log_sender_cancel (self->sender);
  leave_if_gone (self);
}

static void
gone_cb (Worker *self)
{
  become_gone (self, "the engine does not know this sim any more");
}

/* What may be missing in the log, and why. */
static char *
make_note (Worker *self)
{
  const char *disk = cyc_disk_watch_get_note (self->disk);
  const char *log = self->sender == NULL ? NULL : cyc_log_sender_get_trouble (self->sender);

  if (disk != NULL && log != NULL)
    return g_strdup_printf ("%s; %s", disk, log);
  return g_strdup (disk != NULL ? disk : log);
}

static GBytes *
make_heartbeat (Worker     *self,
                const char *state)
{
  g_autofree char *note = self->final_due ? make_note (self) : NULL;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "state", state);
  cyc_json_writer_key (writer, "exit_code");
  if (self->final_due && self->has_ended)
    cyc_json_writer_int (writer, self->end.exit_code);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "error");
  if (self->final_due && self->error != NULL)
    cyc_json_writer_string (writer, self->error);
  else
    cyc_json_writer_null (writer);
  /* Ours: what the engine adds to the sentence that it finds. */
  cyc_json_writer_put_string (writer, "note", note);
  /* Ours: the engine decides by the log, and never believes this end without one. */
  cyc_json_writer_put_boolean (writer, "worker", TRUE);
  cyc_json_writer_end_object (writer);
  return g_string_free_to_bytes (cyc_json_writer_steal (writer));
}

static gboolean
ack_says_cancel (GBytes *answer)
{
  gsize len;
  const char *text = g_bytes_get_data (answer, &len);
  g_autoptr (JsonNode) root = cyc_json_parse (text, len, NULL, NULL);
  gboolean cancel = FALSE;

  return cyc_json_get_boolean (cyc_json_node_get_object (root), "cancel", &cancel) && cancel;
}

static void
heartbeat_sent_cb (GObject      *link,
                   GAsyncResult *result,
                   gpointer      data)
{
  Worker *self = data;
  g_autoptr (GBytes) answer = NULL;
  guint status = cyc_engine_link_send_finish (CYC_ENGINE_LINK (link), result, &answer, NULL);

  self->beating = FALSE;
  if (status != 0 && ack_says_cancel (answer))
    stop_simulator (self, "the run was cancelled");
  if (self->gone)
    leave_if_gone (self);
  else if (self->final_due)
    send_final (self);
}

static void
send_heartbeat (Worker *self)
{
  if (self->beating || self->final_due || self->gone)
    return;
  g_autoptr (GBytes) body = make_heartbeat (self, "running");
  self->beating = TRUE;
  cyc_engine_link_post_async (self->beat_link, "heartbeat", body, self->beat_cancellable,
                              heartbeat_sent_cb, self);
}

/* A workspace may be removed, or only moved: the folder that we hold tells them apart. */
static gboolean
job_is_missing (Worker *self)
{
  return faccessat (self->folder_fd, CYC_WORKER_JOB, F_OK, 0) != 0 && (errno == ENOENT || errno == ESTALE);
}

static gboolean
tick_cb (gpointer data)
{
  Worker *self = data;

  self->n_missing = job_is_missing (self) ? self->n_missing + 1 : 0;
  if (self->n_missing >= MAX_MISSING)
    become_gone (self, "the job's folder was removed");
  cyc_disk_watch_look (self->disk);
  /* A full disk, most likely: as long as this process lives it can be made good. */
  if (self->has_ended && !self->exit_kept && !self->gone)
    write_exit_file (self);
  send_heartbeat (self);
  return G_SOURCE_CONTINUE;
}

static gboolean
look_cb (gpointer data)
{
  Worker *self = data;

  cyc_disk_watch_look (self->disk);
  return G_SOURCE_CONTINUE;
}

static void
final_sent_cb (GObject      *link,
               GAsyncResult *result,
               gpointer      data)
{
  Worker *self = data;

  self->beating = FALSE;
  if (cyc_engine_link_send_finish (CYC_ENGINE_LINK (link), result, NULL, NULL) != 0)
    g_main_loop_quit (self->loop);
  else
    leave_if_gone (self);
}

/* The last word. A heartbeat that is still on its way must not come after it. */
static void
send_final (Worker *self)
{
  self->final_due = TRUE;
  if (self->beating)
    {
      g_cancellable_cancel (self->beat_cancellable);
      return;
    }
  g_autoptr (GBytes) body = make_heartbeat (self, self->error == NULL ? "succeeded" : "failed");
  g_clear_object (&self->beat_cancellable);
  self->beat_cancellable = g_cancellable_new ();
  self->beating = TRUE;
  cyc_engine_link_post_async (self->beat_link, "heartbeat", body, self->beat_cancellable, final_sent_cb,
                              self);
}

static void
uploaded_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      data)
{
  Worker *self = data;

  self->uploading = FALSE;
  if (cyc_result_upload_finish (result, NULL))
    send_final (self);
  else
    leave_if_gone (self);
}

static void
log_sent_cb (gpointer data)
{
  Worker *self = data;

  self->log_done = TRUE;
  if (self->gone)
    {
      leave_if_gone (self);
      return;
    }
  guint64 replaced = self->sender == NULL ? 0 : cyc_log_sender_get_replaced (self->sender);
  guint64 pieces = self->sender == NULL ? 0 : cyc_log_sender_get_pieces (self->sender);
  if (replaced > 0)
    g_ptr_array_add (self->notes, g_strdup_printf (
      "%" G_GUINT64_FORMAT " bytes of the log were not UTF-8 and became U+FFFD", replaced));
  if (pieces > 0)
    g_ptr_array_add (self->notes, g_strdup_printf (
      "%" G_GUINT64_FORMAT " lines of the log go on in the next one: they were over 256 KiB", pieces));
  char *note = make_note (self);
  if (note != NULL)
    g_ptr_array_add (self->notes, note);
  self->uploading = TRUE;
  cyc_result_upload_async (self->job, self->log_link, self->notes, self->cancellable, uploaded_cb, self);
}

static void
sim_ended_cb (const CycSimEnd *end,
              gpointer         data)
{
  Worker *self = data;

  self->has_ended = TRUE;
  self->end = *end;
  cyc_disk_watch_look (self->disk);
  g_clear_handle_id (&self->look_id, g_source_remove);
  write_exit_file (self);
  if (self->error != NULL)
    return; /* it never became the simulator */
  if (self->stopped != NULL)
    self->error = g_strdup_printf ("stopped: %s", self->stopped);
  else if (end->signal != 0)
    self->error = g_strdup_printf ("the simulator was ended by signal %d (%s)", end->signal,
                                   strsignal (end->signal));
  else if (end->exit_code != 0)
    self->error = g_strdup_printf ("the simulator ended with exit code %d", end->exit_code);
}

static void
sim_quiet_cb (gpointer data)
{
  Worker *self = data;

  self->quiet = TRUE;
  if (self->gone)
    leave_if_gone (self);
  else
    cyc_log_sender_finish (self->sender);
}

static gboolean
terminate_cb (gpointer data)
{
  stop_simulator (data, "the worker was told to end");
  return G_SOURCE_CONTINUE;
}

/* Something went wrong before the simulator ran: people find it where they look for its errors. */
static void
note_failure (Worker       *self,
              const GError *error,
              int           err_fd)
{
  g_autofree char *line = g_strdup_printf ("cyclescope-worker: %s\n", error->message);

  g_warning ("%s", error->message);
  cyc_disk_watch_failed (self->disk, error);
  g_free (self->error);
  self->error = g_strdup (error->message);
  if (err_fd >= 0 && !cyc_file_write_all (err_fd, line, strlen (line)))
    g_warning (CYC_WORKER_ERR ": cannot write: %s", g_strerror (errno));
}

/* Starts the simulator. Returns FALSE if there is no process at all. */
static gboolean
start_simulator (Worker  *self,
                 int      out_fd,
                 int      err_fd,
                 GError **error)
{
  g_auto (GStrv) argv = cyc_worker_argv_make (self->job);
  g_auto (GStrv) env = cyc_worker_env_make (self->job);
  g_autoptr (GError) local = NULL;

  if (!cyc_job_stage (self->job, CYC_WORKER_WORK, error))
    return FALSE;
  cyc_job_forget_stage (self->job);
  malloc_trim (0);
  self->process = cyc_sim_process_spawn ((const char *const *) argv, (const char *const *) env,
                                         CYC_WORKER_WORK, out_fd, err_fd, error);
  if (self->process == NULL)
    return FALSE;
  if (!write_worker_file (self, error))
    {
      /* Nobody would find it if this process died: it does not run. */
      g_clear_pointer (&self->process, cyc_sim_process_free);
      return FALSE;
    }
  if (!cyc_sim_process_release (self->process, &local))
    {
      g_prefix_error (&local, "%s: ", argv[0]);
      note_failure (self, local, err_fd);
    }
  cyc_sim_process_watch (self->process, sim_ended_cb, sim_quiet_cb, self);
  return TRUE;
}

static int
open_log (const char  *name,
          GError     **error)
{
  int fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0)
    cyc_error_set_errno (error, errno, name, "cannot create");
  return fd;
}

/* Everything up to the running simulator. What goes wrong is reported like an end of it. */
static void
begin (Worker *self)
{
  g_autoptr (GError) error = NULL;
  int out_fd = -1;
  int err_fd = -1;

  if (write_worker_file (self, &error))
    {
      out_fd = open_log (CYC_WORKER_LOG, &error);
      err_fd = out_fd < 0 ? -1 : open_log (CYC_WORKER_ERR, &error);
    }
  if (err_fd >= 0)
    self->sender = cyc_log_sender_new (self->log_link, CYC_WORKER_LOG, CYC_WORKER_SENT, log_sent_cb, self,
                                       &error);
  if (self->sender == NULL || !start_simulator (self, out_fd, err_fd, &error))
    {
      note_failure (self, error, err_fd);
      write_exit_file (self);
      self->quiet = TRUE;
    }
  if (out_fd >= 0)
    close (out_fd);
  if (err_fd >= 0)
    close (err_fd);
}

static void
worker_clear (Worker *self)
{
  g_clear_handle_id (&self->beat_id, g_source_remove);
  g_clear_handle_id (&self->look_id, g_source_remove);
  for (guint i = 0; i < G_N_ELEMENTS (self->signal_ids); i++)
    g_clear_handle_id (&self->signal_ids[i], g_source_remove);
  g_clear_pointer (&self->sender, cyc_log_sender_free);
  g_clear_pointer (&self->process, cyc_sim_process_free);
  g_clear_pointer (&self->disk, cyc_disk_watch_free);
  g_clear_object (&self->beat_link);
  g_clear_object (&self->log_link);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->beat_cancellable);
  g_clear_pointer (&self->notes, g_ptr_array_unref);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  g_free (self->error);
  close (self->folder_fd);
}

/**
 * cyc_worker_run:
 * @job: a job, in whose folder this process is
 *
 * Runs the job's simulator and reports on it until everything is reported, however long the engine
 * is away. Takes over SIGTERM, SIGINT, SIGHUP and SIGPIPE of this process.
 *
 * Returns: the exit status for this process: 0 reported, 1 could not begin, 3 nobody wanted it
 */
int
cyc_worker_run (CycJob *job)
{
  g_return_val_if_fail (job != NULL, 1);

  if (access (CYC_WORKER_STATE, F_OK) == 0)
    {
      g_warning ("%s: this job was started before; a worker starts a job once", CYC_WORKER_STATE);
      return 1;
    }
  g_autofree char *folder = g_get_current_dir ();
  Worker self = {
    .job = job,
    .disk = cyc_disk_watch_new (folder),
    .loop = g_main_loop_new (NULL, FALSE),
    .beat_link = cyc_engine_link_new (job),
    .log_link = cyc_engine_link_new (job),
    .notes = g_ptr_array_new_with_free_func (g_free),
    .cancellable = g_cancellable_new (),
    .beat_cancellable = g_cancellable_new (),
    .folder_fd = open (".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
  };
  signal (SIGHUP, SIG_IGN);
  signal (SIGPIPE, SIG_IGN);
  self.signal_ids[0] = g_unix_signal_add (SIGTERM, terminate_cb, &self);
  self.signal_ids[1] = g_unix_signal_add (SIGINT, terminate_cb, &self);
  g_signal_connect_swapped (self.beat_link, "gone", G_CALLBACK (gone_cb), &self);
  g_signal_connect_swapped (self.log_link, "gone", G_CALLBACK (gone_cb), &self);

  begin (&self);
  self.beat_id = g_timeout_add (HEARTBEAT_MS, tick_cb, &self);
  if (!self.quiet)
    self.look_id = g_timeout_add (LOOK_MS, look_cb, &self);
  if (self.error == NULL)
    send_heartbeat (&self);
  if (self.sender != NULL)
    cyc_log_sender_start (self.sender);
  if (self.sender == NULL)
    log_sent_cb (&self);
  else if (self.quiet)
    cyc_log_sender_finish (self.sender);
  g_main_loop_run (self.loop);

  int status = self.gone ? EXIT_STATUS_GONE : EXIT_STATUS_REPORTED;
  worker_clear (&self);
  return status;
}
