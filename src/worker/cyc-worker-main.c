/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <gio/gio.h>
#include <unistd.h>

#include "core/base/cyc-process.h"
#include "worker/cyc-job.h"
#include "worker/cyc-worker.h"

/* cyclescope-worker: runs one simulator and reports to the engine, as docs/design.md, "Jobs" says. */

/* The kernel lets all users together change the priority of ten sessions a second. How often is it
 * tried, and how far apart, in milliseconds: at random, so that two hundred workers do not come
 * together, and each time further apart. In sum some five minutes at most. */
#define MAX_TRIES 100
#define FIRST_PAUSE_MS 250
#define LAST_PAUSE_MS 4000

static gboolean
yield_cb (gpointer data)
{
  static guint n_tries;
  guint pause = MIN (FIRST_PAUSE_MS << MIN (n_tries, 8), LAST_PAUSE_MS);

  if (cyc_process_yield () || ++n_tries > MAX_TRIES)
    return G_SOURCE_REMOVE;
  g_timeout_add ((guint) g_random_int_range ((gint32) pause / 2, (gint32) pause * 3 / 2), yield_cb, NULL);
  return G_SOURCE_REMOVE;
}

static CycJob *
load_job (const char  *path,
          const char  *url,
          const char  *tls_ca,
          GError     **error)
{
  g_autoptr (CycJob) job = cyc_job_load (path, error);
  if (job == NULL)
    return NULL;
  if (tls_ca != NULL)
    {
      g_autofree char *ca = g_canonicalize_filename (tls_ca, NULL);
      job->tls_database = g_tls_file_database_new (ca, error);
      if (job->tls_database == NULL)
        return NULL;
    }
  if (url != NULL)
    {
      g_free (job->url);
      job->url = g_strdup (url);
    }
  if (job->url == NULL && job->engine_file == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   "%s: names neither engine_file nor url; give the engine's address with --url", path);
      return NULL;
    }
  g_autofree char *folder = g_path_get_dirname (path);
  if (chdir (folder) != 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: cannot enter the folder", folder);
      return NULL;
    }
  return g_steal_pointer (&job);
}

int
main (int    argc,
      char **argv)
{
  g_autofree char *path = NULL;
  g_autofree char *url = NULL;
  g_autofree char *tls_ca = NULL;
  gboolean version = FALSE;
  const GOptionEntry entries[] = {
    { "job", 0, 0, G_OPTION_ARG_FILENAME, &path, "The job to run", "FILE" },
    { "url", 0, 0, G_OPTION_ARG_STRING, &url, "Where the engine is, if not in the job", "URL" },
    { "tls-ca", 0, 0, G_OPTION_ARG_FILENAME, &tls_ca, "What an https engine's certificate is checked against", "FILE" },
    { "version", 0, 0, G_OPTION_ARG_NONE, &version, "Print the version and exit", NULL },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  /* The engine's workers have done so already, or tried; this one may have been started by hand. */
  yield_cb (NULL);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    {
      g_printerr ("cyclescope-worker: %s\n", error->message);
      return 2;
    }
  if (version)
    {
      g_print ("cyclescope-worker %s\n", CYC_VERSION);
      return 0;
    }
  if (path == NULL || argc > 1)
    {
      g_printerr ("usage: cyclescope-worker --job FILE [--url URL] [--tls-ca FILE]\n");
      return 2;
    }
  g_autoptr (CycJob) job = load_job (path, url, tls_ca, &error);
  if (job == NULL)
    {
      g_printerr ("cyclescope-worker: %s\n", error->message);
      return 1;
    }
  return cyc_worker_run (job);
}
