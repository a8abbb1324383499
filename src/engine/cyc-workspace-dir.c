/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-workspace-dir.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-process.h"
#include "core/base/cyc-util.h"

#define TOKEN_FILE "engine.token"
#define TOKEN_BYTES 32
#define MIN_TOKEN 32
#define MAX_TOKEN 1024

struct _CycWorkspaceDir
{
  char *path;
  int   lock_fd;
};

static void
set_busy (const char  *path,
          GError     **error)
{
  g_autoptr (CycEngineInfo) info = cyc_workspace_dir_read_engine (path, NULL);

  if (info != NULL && info->alive)
    cyc_error_set_at (error, CYC_ERROR_BUSY, path, 0,
                      "the workspace is in use by another engine, process %" G_GINT64_FORMAT
                      "; close its window, or end it", info->pid);
  else
    cyc_error_set_at (error, CYC_ERROR_BUSY, path, 0,
                      "the workspace is in use by another engine; wait until that has ended, or end it");
}

static gboolean
take_lock (CycWorkspaceDir  *self,
           GError          **error)
{
  g_autofree char *lock = g_build_filename (self->path, "lock", NULL);
  self->lock_fd = open (lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (self->lock_fd < 0)
    {
      cyc_error_set_errno (error, errno, lock, "cannot open the workspace's lock");
      return FALSE;
    }
  /* A lock of the open file, not of the process: it works over NFS, and goes with a crash. */
  struct flock request = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
  if (fcntl (self->lock_fd, F_OFD_SETLK, &request) == 0)
    return TRUE;
  if (errno == EAGAIN || errno == EACCES)
    set_busy (self->path, error);
  else
    cyc_error_set_errno (error, errno, lock, "cannot lock the workspace");
  return FALSE;
}

/* What lies in a workspace, and what is written beside it on the way there. */
static gboolean
is_ours (const char *name)
{
  static const char *const known[] = { "workspace.db", "settings.ini", "engine.json", TOKEN_FILE, "engine.log",
                                       "lock", "traces", "runs", "jobs", "lost+found" };

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (g_str_has_prefix (name, known[i]))
      return TRUE;
  return name[0] == '.';
}

/* The first entry that @ours is not true of; of %NULL any but a hidden one. */
static char *
find_entry (const char *path,
            gboolean  (*ours) (const char *name))
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (ours != NULL ? !ours (name) : name[0] != '.')
      return g_strdup (name);
  return NULL;
}

static goffset
get_size (const char *path,
          const char *name)
{
  g_autofree char *file = g_build_filename (path, name, NULL);
  struct stat st;

  return stat (file, &st) == 0 ? st.st_size : 0;
}

static gboolean
has_entries (const char *path,
             const char *name)
{
  g_autofree char *folder = g_build_filename (path, name, NULL);
  g_autofree char *entry = find_entry (folder, NULL);

  return entry != NULL;
}

/**
 * cyc_workspace_dir_check:
 * @path: what shall be a workspace's folder
 * @error: (nullable): return location for %CYC_ERROR_INPUT
 *
 * A folder without a database may become a workspace if nothing of somebody else is in it, and nothing of
 * a workspace whose database is gone. Touches nothing; a folder that is not there may be made.
 *
 * Returns: %TRUE if a workspace is or may be there
 */
gboolean
cyc_workspace_dir_check (const char  *path,
                         GError     **error)
{
  g_return_val_if_fail (path != NULL, FALSE);

  if (get_size (path, "workspace.db") > 0 || get_size (path, "workspace.db-wal") > 0)
    return TRUE;
  g_autofree char *foreign = find_entry (path, is_ours);
  if (foreign != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                        "not a workspace of Cyclescope: it holds other files, '%s' for example; choose an "
                        "empty folder, or one that is not there yet", foreign);
      return FALSE;
    }
  if (!has_entries (path, "traces") && !has_entries (path, "runs"))
    return TRUE;
  g_autofree char *database = g_build_filename (path, "workspace.db", NULL);
  cyc_error_set_at (error, CYC_ERROR_INPUT, database, 0,
                    "%s although there are traces or runs of it; restore it from a copy, or choose another "
                    "workspace", g_file_test (database, G_FILE_TEST_EXISTS) ? "is empty" : "is missing");
  return FALSE;
}

/**
 * cyc_workspace_dir_open:
 * @path: the workspace's folder, created if it is missing
 * @error: (nullable): return location for an error
 *
 * Takes the workspace's lock, which goes with cyc_workspace_dir_free() or the process. Without
 * waiting: %CYC_ERROR_BUSY if somebody holds it.
 *
 * Returns: (transfer full) (nullable): the workspace's folder
 */
CycWorkspaceDir *
cyc_workspace_dir_open (const char  *path,
                        GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autoptr (CycWorkspaceDir) self = g_new0 (CycWorkspaceDir, 1);
  self->path = g_canonicalize_filename (path, NULL);
  self->lock_fd = -1;
  if (!cyc_workspace_dir_check (self->path, error) || !cyc_file_make_folder (self->path, 0700, error) ||
      !take_lock (self, error))
    return NULL;

  static const char *const folders[] = { "traces", "runs", "jobs" };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autofree char *folder = g_build_filename (self->path, folders[i], NULL);
      if (!cyc_file_make_folder (folder, 0700, error))
        return NULL;
    }
  return g_steal_pointer (&self);
}

/**
 * cyc_workspace_dir_release:
 * @self: a workspace's folder
 *
 * Gives the lock back; the paths can still be asked for. May be called twice.
 */
void
cyc_workspace_dir_release (CycWorkspaceDir *self)
{
  g_return_if_fail (self != NULL);

  if (self->lock_fd >= 0)
    close (self->lock_fd);
  self->lock_fd = -1;
}

/**
 * cyc_workspace_dir_free:
 * @self: (transfer full): a workspace's folder
 *
 * Gives the lock back.
 */
void
cyc_workspace_dir_free (CycWorkspaceDir *self)
{
  g_return_if_fail (self != NULL);

  cyc_workspace_dir_release (self);
  g_free (self->path);
  g_free (self);
}

/**
 * cyc_workspace_dir_get_path:
 * @self: a workspace's folder
 *
 * Returns: (transfer none): its absolute path
 */
const char *
cyc_workspace_dir_get_path (CycWorkspaceDir *self)
{
  return self->path;
}

/**
 * cyc_workspace_dir_get_trace:
 * @self: a workspace's folder
 * @trace_id: a trace
 *
 * Returns: (transfer full): the trace's folder
 */
char *
cyc_workspace_dir_get_trace (CycWorkspaceDir *self,
                             const char      *trace_id)
{
  return g_build_filename (self->path, "traces", trace_id, NULL);
}

/**
 * cyc_workspace_dir_get_run:
 * @self: a workspace's folder
 * @run_id: a run
 *
 * Returns: (transfer full): the run's folder
 */
char *
cyc_workspace_dir_get_run (CycWorkspaceDir *self,
                           const char      *run_id)
{
  return g_build_filename (self->path, "runs", run_id, NULL);
}

/**
 * cyc_workspace_dir_get_sim:
 * @self: a workspace's folder
 * @run_id: a run
 * @sim_id: a sim of that run
 *
 * Returns: (transfer full): the folder of what the engine accepted from the sim
 */
char *
cyc_workspace_dir_get_sim (CycWorkspaceDir *self,
                           const char      *run_id,
                           const char      *sim_id)
{
  return g_build_filename (self->path, "runs", run_id, sim_id, NULL);
}

/**
 * cyc_workspace_dir_get_job:
 * @self: a workspace's folder
 * @sim_id: a sim
 *
 * Returns: (transfer full): the folder that belongs to the sim's worker
 */
char *
cyc_workspace_dir_get_job (CycWorkspaceDir *self,
                           const char      *sim_id)
{
  return g_build_filename (self->path, "jobs", sim_id, NULL);
}

/* What is in the file of the token, if nobody else can have read it. */
static char *
read_token (const char *path)
{
  char text[MAX_TOKEN + 1] = "";
  struct stat st;
  int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  gboolean ours = fd >= 0 && fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_uid == geteuid () &&
                  (st.st_mode & 077) == 0;
  ssize_t n = ours ? read (fd, text, sizeof text - 1) : 0;

  if (fd >= 0)
    close (fd);
  g_strchomp (text);
  gsize len = strlen (text);
  for (gsize i = 0; i < len; i++)
    if (!g_ascii_isgraph (text[i]))
      return NULL;
  return n >= 0 && len >= MIN_TOKEN ? g_strdup (text) : NULL;
}

/**
 * cyc_workspace_dir_get_token:
 * @self: a workspace's folder
 *
 * What the workspace's engines ask for. It is made once and kept in `engine.token`, which only this user can read: who
 * is connected goes on with the next engine. Without that file, or where others can read it, another one is made.
 *
 * Returns: (transfer full): the token
 */
char *
cyc_workspace_dir_get_token (CycWorkspaceDir *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  g_autofree char *path = g_build_filename (self->path, TOKEN_FILE, NULL);
  char *token = read_token (path);
  if (token != NULL)
    return token;
  if (g_file_test (path, G_FILE_TEST_EXISTS | G_FILE_TEST_IS_SYMLINK))
    g_message ("%s: expected a token of at least %d characters in a file that only you can read; there is another "
               "token now", path, MIN_TOKEN);
  token = cyc_random_hex (TOKEN_BYTES);
  g_autofree char *line = g_strconcat (token, "\n", NULL);
  g_autoptr (GError) error = NULL;
  if (!cyc_file_replace (path, line, strlen (line), 0600, &error))
    g_message ("the token holds for this engine only: %s", error->message);
  return token;
}

/**
 * cyc_workspace_dir_list_jobs:
 * @self: the workspace
 *
 * Reads one folder, which has little in it beside the jobs of sims that are not over.
 *
 * Returns: (transfer full) (element-type utf8 utf8): a set of the sims that have a job
 */
GHashTable *
cyc_workspace_dir_list_jobs (CycWorkspaceDir *self)
{
  g_autofree char *path = g_build_filename (self->path, "jobs", NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  GHashTable *jobs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_hash_table_add (jobs, g_strdup (name));
  return jobs;
}

/**
 * cyc_workspace_dir_write_engine:
 * @self: a workspace's folder
 * @url: where this process's engine listens
 * @token: its token
 * @workspace_id: identity of the workspace
 * @error: (nullable): return location for an error
 *
 * Writes `engine.json`, readable by this user only.
 *
 * Returns: %TRUE when it is on disk
 */
gboolean
cyc_workspace_dir_write_engine (CycWorkspaceDir  *self,
                                const char       *url,
                                const char       *token,
                                const char       *workspace_id,
                                GError          **error)
{
  g_return_val_if_fail (self != NULL && url != NULL && token != NULL, FALSE);

  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "url", url);
  cyc_json_writer_put_string (writer, "token", token);
  cyc_json_writer_put_int (writer, "pid", getpid ());
  cyc_json_writer_key (writer, "start_time");
  cyc_json_writer_uint (writer, cyc_process_get_start_time (getpid ()));
  cyc_json_writer_put_string (writer, "workspace_id", workspace_id);
  cyc_json_writer_end_object (writer);
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  g_autofree char *path = g_build_filename (self->path, "engine.json", NULL);
  return cyc_file_replace (path, text->str, text->len, 0600, error);
}

/**
 * cyc_workspace_dir_clear_engine:
 * @self: a workspace's folder
 *
 * Removes `engine.json`, when this process's engine stops.
 */
void
cyc_workspace_dir_clear_engine (CycWorkspaceDir *self)
{
  g_return_if_fail (self != NULL);

  g_autofree char *path = g_build_filename (self->path, "engine.json", NULL);
  unlink (path);
}

/**
 * cyc_workspace_dir_read_engine:
 * @path: a workspace's folder; its lock is not needed
 * @error: (nullable): return location for an error
 *
 * Reads `engine.json`: how to reach the engine that owns the workspace. The file may be left over
 * from a crash: see `alive`, and compare `workspace_id` with the engine's health before sending the
 * token.
 *
 * Returns: (transfer full) (nullable): the engine; %NULL with %CYC_ERROR_NOT_FOUND if there is none
 */
CycEngineInfo *
cyc_workspace_dir_read_engine (const char  *path,
                               GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autofree char *file = g_build_filename (path, "engine.json", NULL);
  g_autoptr (JsonNode) root = cyc_json_parse_file (file, 64 * 1024, error);
  if (root == NULL)
    return NULL;
  JsonObject *object = cyc_json_node_get_object (root);
  g_autoptr (CycEngineInfo) self = g_new0 (CycEngineInfo, 1);
  gint64 start_time = 0;
  self->url = g_strdup (cyc_json_get_string (object, "url"));
  self->token = g_strdup (cyc_json_get_string (object, "token"));
  self->workspace_id = g_strdup (cyc_json_get_string (object, "workspace_id"));
  if (self->url == NULL || self->token == NULL || self->workspace_id == NULL ||
      !cyc_json_get_int (object, "pid", &self->pid) ||
      !cyc_json_get_int (object, "start_time", &start_time))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, file, 0,
                        "expected url, token, pid, start_time and workspace_id; remove the file");
      return NULL;
    }
  self->start_time = (guint64) start_time;
  self->alive = cyc_process_is_alive (self->pid, self->start_time);
  return g_steal_pointer (&self);
}

/**
 * cyc_engine_info_free:
 * @self: (transfer full) (nullable): an engine's address
 */
void
cyc_engine_info_free (CycEngineInfo *self)
{
  if (self == NULL)
    return;
  g_free (self->url);
  g_free (self->token);
  g_free (self->workspace_id);
  g_free (self);
}
