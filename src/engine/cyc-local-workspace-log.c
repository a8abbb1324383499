/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-local-workspace-private.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-task.h"
#include "engine/cyc-sim-failure.h"

/* More than any view shows at once. */
#define MAX_PIECE (16 * 1024 * 1024)
#define SEARCH_PIECE (1024 * 1024)
#define MAX_NEEDLE (64 * 1024)

/* Logs, as far as they were accepted. */
typedef struct
{
  char    *path;
  guint64  bytes;  /* accepted */
  guint64  offset;
  guint    length;
  /* Of a search: */
  char    *needle;     /* lower case */
  gsize    needle_len;
  gboolean backwards;
} Log;

static void
log_free (gpointer data)
{
  Log *self = data;

  g_free (self->path);
  g_free (self->needle);
  g_free (self);
}

/* Returns a log for the thread of @task, or NULL when that is answered. */
static Log *
log_new (CycEngine  *engine,
         const char *sim_id,
         GTask      *task)
{
  g_autoptr (GError) error = NULL;

  if (cyc_engine_find_sim (engine, sim_id, &error) == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return NULL;
    }
  g_autofree char *folder = cyc_engine_get_sim_folder (engine, sim_id);
  Log *self = g_new0 (Log, 1);
  self->path = g_build_filename (folder, "log", NULL);
  self->bytes = cyc_engine_get_sim_log_bytes (engine, sim_id);
  g_task_set_task_data (task, self, log_free);
  return self;
}

/* Returns -1 with @error set, or without one if there is nothing to read yet. */
static int
log_open (const Log  *self,
          GError    **error)
{
  if (self->bytes == 0)
    return -1;
  int fd = open (self->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0)
    cyc_error_set_errno (error, errno, self->path, "cannot open the log");
  return fd;
}

/* Reads until @length or the end of the file; returns how much, or -1 with @error set. */
static gssize
log_read (const Log  *self,
          int         fd,
          char       *buffer,
          gsize       length,
          guint64     offset,
          GError    **error)
{
  gsize done = 0;

  while (done < length)
    {
      ssize_t n = pread (fd, buffer + done, length - done, (off_t) (offset + done));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          cyc_error_set_errno (error, errno, self->path, "cannot read the log");
          return -1;
        }
      if (n == 0)
        break;
      done += (gsize) n;
    }
  return (gssize) done;
}

static GBytes *
read_piece (const Log  *self,
            GError    **error)
{
  if (self->offset >= self->bytes || self->length == 0)
    return g_bytes_new_static ("", 0);
  gsize length = (gsize) MIN (MIN (self->length, MAX_PIECE), self->bytes - self->offset);
  int fd = log_open (self, error);
  if (fd < 0)
    return NULL;
  g_autofree char *buffer = g_malloc (length);
  gssize n = log_read (self, fd, buffer, length, self->offset, error);
  close (fd);
  return n < 0 ? NULL : g_bytes_new_take (g_steal_pointer (&buffer), (gsize) n);
}

static void
read_thread (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  g_autoptr (GError) error = NULL;
  GBytes *bytes = read_piece (data, &error);

  if (bytes != NULL)
    g_task_return_pointer (task, bytes, (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_read_log (CycWorkspace *workspace,
                               const char   *sim_id,
                               guint64       offset,
                               guint         length,
                               GTask        *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);
  Log *self = engine == NULL ? NULL : log_new (engine, sim_id, task);

  if (self == NULL)
    return;
  self->offset = offset;
  self->length = length;
  cyc_task_run_in_thread (task, read_thread);
}

guint64
_cyc_local_workspace_get_log_bytes (CycWorkspace *workspace,
                                    const char   *sim_id)
{
  CycEngine *engine = CYC_LOCAL_WORKSPACE (workspace)->engine;

  return engine == NULL ? 0 : cyc_engine_get_sim_log_bytes (engine, sim_id);
}

/* Searching */

/* Bytes beyond ASCII are compared as they are. */
static void
lower (char  *bytes,
       gsize  len)
{
  for (gsize i = 0; i < len; i++)
    bytes[i] = g_ascii_tolower (bytes[i]);
}

static const char *
find_first (const Log *self,
            const char   *bytes,
            gsize         len)
{
  return memmem (bytes, len, self->needle, self->needle_len);
}

static const char *
find_last (const Log  *self,
           const char *bytes,
           gsize       len)
{
  if (len < self->needle_len)
    return NULL;
  for (const char *p = bytes + (len - self->needle_len); p >= bytes; p--)
    if (*p == self->needle[0] && memcmp (p, self->needle, self->needle_len) == 0)
      return p;
  return NULL;
}

/* Looks for a hit that begins in [begin, end), which may end behind it. */
static gboolean
search_piece (const Log  *self,
              int         fd,
              char       *buffer,
              guint64     begin,
              guint64     end,
              guint64    *out_offset,
              GError    **error)
{
  gsize wanted = (gsize) MIN (end - begin + self->needle_len - 1, self->bytes - begin);
  gssize n = log_read (self, fd, buffer, wanted, begin, error);

  if (n < 0)
    return FALSE;
  lower (buffer, (gsize) n);
  const char *hit = self->backwards ? find_last (self, buffer, (gsize) n)
                                    : find_first (self, buffer, (gsize) n);
  if (hit != NULL)
    *out_offset = begin + (guint64) (hit - buffer);
  return TRUE;
}

static gboolean
search_pieces (const Log     *self,
               int            fd,
               GCancellable  *cancellable,
               guint64       *out_offset,
               GError       **error)
{
  g_autofree char *buffer = g_malloc (SEARCH_PIECE + self->needle_len);
  guint64 begin = MIN (self->offset, self->bytes);
  guint64 left = self->backwards ? begin : self->bytes - begin;

  while (left > 0 && *out_offset == G_MAXUINT64)
    {
      guint64 length = MIN (left, SEARCH_PIECE);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (self->backwards)
        begin -= length;
      if (!search_piece (self, fd, buffer, begin, begin + length, out_offset, error))
        return FALSE;
      if (!self->backwards)
        begin += length;
      left -= length;
    }
  return TRUE;
}

static void
search_thread (GTask        *task,
               gpointer      source,
               gpointer      data,
               GCancellable *cancellable)
{
  const Log *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree guint64 *offset = g_new (guint64, 1);
  int fd = -1;

  *offset = G_MAXUINT64;
  if (self->needle_len > 0)
    fd = log_open (self, &error);
  if (fd >= 0)
    {
      search_pieces (self, fd, cancellable, offset, &error);
      close (fd);
    }
  if (error == NULL)
    g_task_return_pointer (task, g_steal_pointer (&offset), g_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_search_log (CycWorkspace       *workspace,
                                 const CycLogSearch *search,
                                 GTask              *task)
{
  g_autoptr (GTask) owned = task;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);
  Log *self = engine == NULL ? NULL : log_new (engine, search->sim_id, task);

  if (self == NULL)
    return;
  self->needle = g_strdup (search->text);
  self->needle_len = strlen (search->text);
  self->offset = search->from;
  self->backwards = search->backwards;
  lower (self->needle, self->needle_len);
  if (self->needle_len <= MAX_NEEDLE)
    cyc_task_run_in_thread (task, search_thread);
  else
    g_task_return_new_error (task, CYC_ERROR, CYC_ERROR_VALUE,
                             "the text to search for is longer than %d bytes", MAX_NEEDLE);
}

/* Failures */

typedef struct
{
  char         *folder;
  guint64       bytes;
  CycSimRecord *sim;
} Failure;

static void
failure_free (gpointer data)
{
  Failure *self = data;

  g_free (self->folder);
  cyc_sim_record_free (self->sim);
  g_free (self);
}

static void
failure_thread (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  const Failure *self = data;
  g_autoptr (GError) error = NULL;
  CycFailureLine *line = cyc_sim_failure_read (self->folder, self->bytes, self->sim, cancellable, &error);

  if (line != NULL)
    g_task_return_pointer (task, line, (GDestroyNotify) cyc_failure_line_free);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

void
_cyc_local_workspace_load_failure (CycWorkspace *workspace,
                                   const char   *sim_id,
                                   GTask        *task)
{
  g_autoptr (GTask) owned = task;
  g_autoptr (GError) error = NULL;
  CycEngine *engine = _cyc_local_workspace_begin (workspace, task, FALSE);
  const CycSimRecord *sim = engine == NULL ? NULL : cyc_engine_find_sim (engine, sim_id, &error);

  if (engine == NULL)
    return;
  if (sim == NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  Failure *self = g_new0 (Failure, 1);
  self->folder = cyc_engine_get_sim_folder (engine, sim_id);
  self->bytes = cyc_engine_get_sim_log_bytes (engine, sim_id);
  self->sim = cyc_sim_record_copy (sim);
  g_task_set_task_data (task, self, failure_free);
  cyc_task_run_in_thread (task, failure_thread);
}
