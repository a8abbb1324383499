/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-reaper.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-api-upload.h"

/* What is removed goes out of the way at once, by one rename, and is deleted piece by piece on a
 * thread. What a crash leaves is found by its name. */

#define CONDEMNED ".removed-"
/* Folders nested deeper than any trace: left alone. */
#define MAX_DEPTH 64
/* The time of a file is that of the kernel's last tick, which lags the clock. */
#define CLOCK_SLACK (50 * 1000)

struct _CycReaper
{
  char        *jobs;
  GThreadPool *pool;  /* of Task */
  gint64       begun; /* microseconds since 1970: what was made before is of an earlier engine */
};

typedef enum
{
  TASK_REMOVE,
  TASK_DISCARD,
  TASK_CLEAN,
} TaskKind;

typedef struct
{
  TaskKind  kind;
  char     *path;
} Task;

static void
task_free (gpointer data)
{
  Task *task = data;

  g_free (task->path);
  g_free (task);
}

static gint64
get_change_time (const struct stat *st)
{
  return (gint64) st->st_ctim.tv_sec * G_USEC_PER_SEC + st->st_ctim.tv_nsec / 1000;
}

/* Unfinished uploads of an engine that was killed. */
static void
clean (const char *folder,
       gint64      before,
       guint       depth)
{
  g_autoptr (GDir) dir = depth > MAX_DEPTH ? NULL : g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      struct stat st;
      if (lstat (path, &st) != 0)
        continue;
      if (S_ISDIR (st.st_mode))
        clean (path, before, depth + 1);
      else if (cyc_api_upload_is_part_name (name) && !cyc_api_upload_is_kept_name (name) &&
               get_change_time (&st) < before)
        unlink (path);
    }
}

static void
work (gpointer data,
      gpointer user_data)
{
  CycReaper *self = user_data;
  Task *task = data;
  g_autofree char *moved =
    task->kind == TASK_DISCARD ? cyc_reaper_condemn (self, task->path) : g_strdup (task->path);
  g_autoptr (GError) error = NULL;

  if (task->kind == TASK_CLEAN)
    clean (task->path, self->begun, 0);
  else if (moved != NULL && !cyc_file_remove_tree (moved, &error))
    g_warning ("%s", error->message);
  task_free (task);
}

/**
 * cyc_reaper_new:
 * @workspace: the workspace's folder
 *
 * Returns: (transfer full): what removes folders of the workspace
 */
CycReaper *
cyc_reaper_new (const char *workspace)
{
  CycReaper *self = g_new0 (CycReaper, 1);
  self->jobs = g_build_filename (workspace, "jobs", NULL);
  self->begun = g_get_real_time () - CLOCK_SLACK;
  self->pool = g_thread_pool_new_full (work, self, task_free, 1, FALSE, NULL);
  return self;
}

/**
 * cyc_reaper_free:
 * @self: (transfer full): the reaper
 * @end: whether what was asked for is finished first
 *
 * Blocks for the folder that is being removed, or for all.
 */
void
cyc_reaper_free (CycReaper    *self,
                 CycReaperEnd  end)
{
  g_return_if_fail (self != NULL);

  g_thread_pool_free (self->pool, end == CYC_REAPER_LEAVE, TRUE);
  g_free (self->jobs);
  g_free (self);
}

/**
 * cyc_reaper_condemn:
 * @self: the reaper
 * @path: a folder of the workspace
 *
 * Takes the folder out of the way in one step; rename it back to take that back. Any thread.
 *
 * Returns: (transfer full) (nullable): where it is now, %NULL if it was not there or cannot be moved
 */
char *
cyc_reaper_condemn (CycReaper  *self,
                    const char *path)
{
  g_autofree char *suffix = cyc_random_hex (6);
  g_autofree char *name = g_strconcat (CONDEMNED, suffix, NULL);
  g_autofree char *moved = g_build_filename (self->jobs, name, NULL);

  if (g_rename (path, moved) == 0)
    return g_steal_pointer (&moved);
  if (errno != ENOENT)
    g_warning ("%s: cannot be moved away: %s", path, g_strerror (errno));
  return NULL;
}

static void
push (CycReaper  *self,
      TaskKind    kind,
      const char *path)
{
  Task *task = g_new0 (Task, 1);
  task->kind = kind;
  task->path = g_strdup (path);
  g_thread_pool_push (self->pool, task, NULL);
}

/**
 * cyc_reaper_remove:
 * @self: the reaper
 * @path: a folder that cyc_reaper_condemn() moved away
 *
 * Has it deleted with all it holds. Any thread.
 */
void
cyc_reaper_remove (CycReaper  *self,
                   const char *path)
{
  push (self, TASK_REMOVE, path);
}

/**
 * cyc_reaper_discard:
 * @self: the reaper
 * @path: a folder of the workspace in whose place none will come
 *
 * Has it moved away and deleted with all it holds, both on the thread. Any thread.
 */
void
cyc_reaper_discard (CycReaper  *self,
                    const char *path)
{
  push (self, TASK_DISCARD, path);
}

/**
 * cyc_reaper_sweep:
 * @self: the reaper
 *
 * Has deleted what earlier engines moved away and could not delete any more.
 */
void
cyc_reaper_sweep (CycReaper *self)
{
  g_autoptr (GDir) dir = g_dir_open (self->jobs, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (g_str_has_prefix (name, CONDEMNED))
      {
        g_autofree char *path = g_build_filename (self->jobs, name, NULL);
        push (self, TASK_REMOVE, path);
      }
}

/**
 * cyc_reaper_clean:
 * @self: the reaper
 * @folder: where uploads arrive
 *
 * Has deleted what uploads left unfinished under an earlier engine.
 */
void
cyc_reaper_clean (CycReaper  *self,
                  const char *folder)
{
  push (self, TASK_CLEAN, folder);
}

/**
 * cyc_reaper_is_idle:
 * @self: the reaper
 *
 * Returns: %TRUE if nothing is left to remove
 */
gboolean
cyc_reaper_is_idle (CycReaper *self)
{
  return g_thread_pool_unprocessed (self->pool) == 0 && g_thread_pool_get_num_threads (self->pool) == 0;
}

static gboolean
clear_empty (const char *path,
             guint       depth)
{
  g_autoptr (GDir) dir = depth > MAX_DEPTH ? NULL : g_dir_open (path, 0, NULL);
  const char *name;

  if (dir == NULL)
    return FALSE;
  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *inner = g_build_filename (path, name, NULL);
      gboolean is_folder = g_file_test (inner, G_FILE_TEST_IS_DIR) &&
                           !g_file_test (inner, G_FILE_TEST_IS_SYMLINK);
      if (is_folder ? !clear_empty (inner, depth + 1)
                    : !cyc_api_upload_is_part_name (name) || unlink (inner) != 0)
        return FALSE;
    }
  return g_rmdir (path) == 0;
}

/**
 * cyc_reaper_clear_empty:
 * @path: a folder
 *
 * Removes a folder that holds nothing but empty folders and unfinished uploads: what an upload
 * leaves that broke off before its trace existed.
 *
 * Returns: %TRUE if the folder is gone; it is left alone, but for such parts, if it holds anything
 */
gboolean
cyc_reaper_clear_empty (const char *path)
{
  g_return_val_if_fail (path != NULL, FALSE);

  return clear_empty (path, 0);
}
