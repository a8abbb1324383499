/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Small disks for tests, seen by this process and those that it starts only. */

gboolean test_mounts_allow (void);
void     test_mount_disk   (const char *folder,
                            const char *options);
void     test_unmount_disk (const char *folder);
void     test_fill_disk    (const char *file);

G_END_DECLS
