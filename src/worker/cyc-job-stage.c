/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-job-stage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"

/* Opens the folder that holds @path, making those on the way. Links on the way are not followed, so
 * nothing is ever made outside of @folder_fd. */
static int
open_parent (int           folder_fd,
             const char   *path,
             const char  **out_name)
{
  int fd = fcntl (folder_fd, F_DUPFD_CLOEXEC, 3);
  const char *slash;

  while (fd >= 0 && (slash = strchr (path, '/')) != NULL)
    {
      g_autofree char *part = g_strndup (path, (gsize) (slash - path));
      int inner = -1;
      if (mkdirat (fd, part, 0777) == 0 || errno == EEXIST)
        inner = openat (fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
      int saved_errno = errno;
      close (fd);
      errno = saved_errno;
      fd = inner;
      path = slash + 1;
    }
  *out_name = path;
  return fd;
}

static gboolean
write_text (int         folder_fd,
            const char *name,
            const char *text)
{
  int fd = openat (folder_fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0)
    return FALSE;
  gboolean ok = cyc_file_write_all (fd, text, strlen (text));
  int saved_errno = errno;
  if (close (fd) != 0 && ok)
    return FALSE;
  errno = saved_errno;
  return ok;
}

static gboolean
stage_item (const CycStageItem *item,
            int                 folder_fd)
{
  const char *name;
  int parent = open_parent (folder_fd, item->path, &name);
  if (parent < 0)
    return FALSE;

  gboolean ok = FALSE;
  struct stat st;
  switch (item->type)
    {
    case CYC_STAGE_FOLDER:
      /* It may have been made for something inside it. */
      ok = mkdirat (parent, name, 0777) == 0 ||
           (errno == EEXIST && fstatat (parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            (S_ISDIR (st.st_mode) || (errno = EEXIST, FALSE)));
      break;
    case CYC_STAGE_LINK:
      ok = symlinkat (item->content, parent, name) == 0;
      break;
    case CYC_STAGE_TEXT:
      ok = write_text (parent, name, item->content);
      break;
    default:
      g_assert_not_reached ();
    }
  int saved_errno = errno;
  close (parent);
  errno = saved_errno;
  return ok;
}

/**
 * cyc_job_stage:
 * @job: a job
 * @folder: the folder for the simulator; must not exist
 * @error: (nullable): return location for an error
 *
 * Makes the folder that the simulator runs in: folders, symbolic links and small files. Anything
 * that would be made twice, or through a link, is refused.
 *
 * Returns: %TRUE if everything is there
 */
gboolean
cyc_job_stage (const CycJob  *job,
               const char    *folder,
               GError       **error)
{
  g_return_val_if_fail (job != NULL && folder != NULL, FALSE);

  int fd = mkdir (folder, 0777) == 0
           ? open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, folder, "cannot make the folder");
      return FALSE;
    }
  gboolean ok = TRUE;
  for (guint i = 0; ok && i < job->stage->len; i++)
    {
      const CycStageItem *item = job->stage->pdata[i];
      ok = stage_item (item, fd);
      if (!ok)
        {
          int saved_errno = errno;
          g_autofree char *path = g_build_filename (folder, item->path, NULL);
          cyc_error_set_errno (error, saved_errno, path, "cannot stage");
        }
    }
  close (fd);
  return ok;
}
