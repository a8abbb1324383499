/* SPDX-License-Identifier: MIT */
#pragma once

#include <archive.h>

#include "engine/cyc-importer.h"
#include "support/test-folder.h"

G_BEGIN_DECLS

/* A folder with `source`, where tests put things, and an empty `target`. */
typedef struct
{
  TestFolder   folder;
  char        *source;
  char        *target;
  CycImporter *importer;
} Fixture;

#define KERNEL "-kernel name = _Z1av\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n#end\n"

typedef enum
{
  ENTRY_FILE,
  ENTRY_FOLDER,
  ENTRY_LINK,      /* symbolic */
  ENTRY_HARD_LINK,
  ENTRY_DEVICE,
  ENTRY_PIPE,
} EntryKind;

typedef struct
{
  EntryKind   kind;
  const char *name;
  const char *text;   /* content, or what a link points to */
} Entry;

void      fixture_set_up      (Fixture        *fixture,
                               gconstpointer   data);
void      fixture_tear_down   (Fixture        *fixture,
                               gconstpointer   data);
void      fixture_add         (Fixture        *fixture,
                               const char     *name,
                               const char     *text);
void      fixture_add_trace   (Fixture        *fixture,
                               const char     *below);
gboolean  fixture_import      (Fixture        *fixture,
                               const char     *source,
                               CycImportMode   mode,
                               GError        **error);
char     *fixture_list        (const char     *folder);
char     *fixture_archive     (Fixture        *fixture,
                               const char     *name,
                               const Entry    *entries,
                               gsize           n_entries);
gboolean  fixture_has_open_files (Fixture     *fixture);

G_END_DECLS
