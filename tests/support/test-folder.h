/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A temporary folder of a test: declare it with g_auto. */
typedef char *TestFolder;

TestFolder test_folder_new   (void);
void       test_folder_clear (TestFolder   *folder);
char      *test_folder_write (TestFolder    folder,
                              const char   *name,
                              const void   *bytes,
                              gssize        len);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TestFolder, test_folder_clear)

G_END_DECLS
