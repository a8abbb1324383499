/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-store.h"
#include "support/test-folder.h"

G_BEGIN_DECLS

/* Databases of a workspace, written and read with SQLite itself. */

void      test_database_exec          (const char *path,
                                       const char *sql);
char     *test_database_query         (const char *path,
                                       const char *sql);
void      test_database_check         (const char *path,
                                       const char *sql,
                                       const char *expected);
GBytes   *test_database_read          (const char *path);
void      test_database_write_version (const char *path,
                                       guint       version);
void      test_database_write_large   (const char *path);
void      test_database_damage        (const char *path,
                                       gsize       from,
                                       gsize       n,
                                       gboolean    cut);
CycStore *test_database_open          (const char *path);

G_END_DECLS
