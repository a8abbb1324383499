/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <stdlib.h>

#include "core/base/cyc-file.h"
#include "engine/cyc-importer.h"

static char *folder;

/* In memory where that is possible: every success waits for the disk. */
static char *
make_folder (void)
{
  g_autofree char *memory = g_strdup ("/dev/shm/cyclescope-fuzz-XXXXXX");

  if (g_mkdtemp (memory) != NULL)
    return g_steal_pointer (&memory);
  return g_dir_make_tmp ("cyclescope-fuzz-XXXXXX", NULL);
}

static void
remove_folder (void)
{
  cyc_file_remove_tree (folder, NULL);
}

/* Only the archive and the target may be there afterwards. */
static void
check_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  g_assert_cmpuint (n, ==, 2);
}

/* Any bytes as an archive that is imported. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  if (folder == NULL)
    {
      folder = make_folder ();
      g_assert_nonnull (folder);
      atexit (remove_folder);
    }
  g_autofree char *archive = g_build_filename (folder, "archive", NULL);
  g_autofree char *target = g_build_filename (folder, "target", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents_full (archive, (const char *) data, (gssize) size,
                                           G_FILE_SET_CONTENTS_NONE, 0600, NULL));
  g_assert_true (cyc_file_make_folder (target, 0700, NULL));
  g_autoptr (CycImporter) importer = cyc_importer_new (archive, target, CYC_IMPORT_COPY, 0);
  gboolean ok = cyc_importer_run (importer, NULL, &error);
  g_assert_true (ok == (error == NULL));
  check_folder ();
  g_assert_true (cyc_file_remove_tree (target, NULL));
  return 0;
}
