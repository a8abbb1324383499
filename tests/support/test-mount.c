/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-mount.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static gboolean
write_line (const char *path,
            const char *line)
{
  int fd = open (path, O_WRONLY | O_CLOEXEC);
  gboolean ok = fd >= 0 && write (fd, line, strlen (line)) == (ssize_t) strlen (line);

  if (fd >= 0)
    close (fd);
  return ok;
}

/* Without privileges: as the superuser of a namespace of one's own, under the same numbers. */
static gboolean
enter_user_namespace (void)
{
  g_autofree char *users = g_strdup_printf ("%u %u 1", geteuid (), geteuid ());
  g_autofree char *groups = g_strdup_printf ("%u %u 1", getegid (), getegid ());

  return unshare (CLONE_NEWUSER | CLONE_NEWNS) == 0 && write_line ("/proc/self/setgroups", "deny") &&
         write_line ("/proc/self/uid_map", users) && write_line ("/proc/self/gid_map", groups);
}

/**
 * test_mounts_allow:
 *
 * Has this process see mounts of its own; at the start of main(), before there are threads.
 *
 * Returns: %FALSE where that is forbidden: the test is to be skipped
 */
gboolean
test_mounts_allow (void)
{
  return (unshare (CLONE_NEWNS) == 0 || enter_user_namespace ()) &&
         mount (NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/**
 * test_mount_disk:
 * @folder: an empty folder
 * @options: of tmpfs, such as `size=1m`
 *
 * Puts a disk there.
 */
void
test_mount_disk (const char *folder,
                 const char *options)
{
  if (mount ("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0)
    g_error ("%s: cannot mount: %s", folder, g_strerror (errno));
}

/**
 * test_unmount_disk:
 * @folder: where a disk is
 *
 * Takes it away, with all that is on it.
 */
void
test_unmount_disk (const char *folder)
{
  if (umount2 (folder, MNT_DETACH) != 0)
    g_error ("%s: cannot unmount: %s", folder, g_strerror (errno));
}

/**
 * test_fill_disk:
 * @file: a new file; delete it to free the disk
 *
 * Fills the disk to the last byte.
 */
void
test_fill_disk (const char *file)
{
  static const char block[4096];
  int fd = open (file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  while (write (fd, block, sizeof block) > 0)
    ;
  g_assert_cmpint (errno, ==, ENOSPC);
  close (fd);
}
