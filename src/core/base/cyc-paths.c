/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-paths.h"

static char *
get_own_folder (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);

  return self == NULL ? NULL : g_path_get_dirname (self);
}

/**
 * cyc_paths_find_program:
 * @name: the name of one of our own programs, such as `cyclescope-worker`
 *
 * Looks in `$CYCLESCOPE_PROGRAM_DIR`, beside the running program, in the build tree's folder of
 * the worker, and where the programs are installed.
 *
 * Returns: (transfer full) (nullable): absolute path of the program, %NULL if it is not there
 */
char *
cyc_paths_find_program (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  g_autofree char *own = get_own_folder ();
  g_autofree char *build = own == NULL ? NULL : g_build_filename (own, "..", "worker", NULL);
  const char *const folders[] = {
    g_getenv ("CYCLESCOPE_PROGRAM_DIR"), own, build, CYC_LIBEXECDIR, CYC_BUILD_WORKER_DIR,
  };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      if (folders[i] == NULL || folders[i][0] == '\0')
        continue;
      g_autofree char *path = g_build_filename (folders[i], name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE) && !g_file_test (path, G_FILE_TEST_IS_DIR))
        return g_canonicalize_filename (path, NULL);
    }
  return NULL;
}

/**
 * cyc_paths_get_locale_dir:
 *
 * Returns: (transfer full): the folder of our message catalogues: that of the build tree for a program
 *   that runs from there, else the installed one
 */
char *
cyc_paths_get_locale_dir (void)
{
  g_autofree char *own = get_own_folder ();

  if (own != NULL && g_str_has_prefix (own, CYC_BUILD_DIR "/"))
    return g_strdup (CYC_BUILD_DIR "/po");
  return g_strdup (CYC_LOCALEDIR);
}

/**
 * cyc_paths_get_samples:
 *
 * Returns: (transfer full) (nullable): the folder with the sample traces and configurations:
 *   `$CYCLESCOPE_SAMPLES_DIR`, the installed one, or that of the source tree; %NULL if none exists
 */
char *
cyc_paths_get_samples (void)
{
  g_autofree char *installed = g_build_filename (CYC_PKGDATADIR, "samples", NULL);
  const char *const folders[] = {
    g_getenv ("CYCLESCOPE_SAMPLES_DIR"), CYC_SOURCE_SAMPLES_DIR, installed,
  };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    if (folders[i] != NULL && folders[i][0] != '\0' && g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      return g_strdup (folders[i]);
  return NULL;
}

/**
 * cyc_paths_get_workspace:
 *
 * Returns: (transfer full): the default workspace: `$CYCLESCOPE_WORKSPACE`, else
 *   `cyclescope` in the user's data folder
 */
char *
cyc_paths_get_workspace (void)
{
  const char *named = g_getenv ("CYCLESCOPE_WORKSPACE");

  if (named != NULL && named[0] != '\0')
    return g_canonicalize_filename (named, NULL);
  return g_build_filename (g_get_user_data_dir (), "cyclescope", NULL);
}
