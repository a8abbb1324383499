/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-xz-info.h"

/* Any bytes as a .xz file whose index is read. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (GError) error = NULL;
  guint64 unpacked = 1;
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);

  g_assert_true (cyc_file_write_all (fd, (const char *) data, size));
  gboolean ok = cyc_xz_info_read (path, &unpacked, &error);
  close (fd);
  g_assert_true (ok == (error == NULL));
  g_assert_true (ok || unpacked == 0);
  return 0;
}
