/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <glib.h>
#include <string.h>

/* Runs a fuzz target in an ordinary build, without libFuzzer: on every file of its corpus, and on
 * each of them cut short and with single bytes changed. A target fails by an assertion or a crash. */

#define MAX_CUTS 64

typedef struct
{
  guint8 *bytes;
  gsize   len;
} Seed;

static void
run_exact (const guint8 *bytes,
           gsize         len)
{
  /* A block of just this size, so that the address sanitizer sees a read past its end. */
  g_autofree guint8 *copy = g_malloc (MAX (len, 1));
  memcpy (copy, bytes, len);
  LLVMFuzzerTestOneInput (copy, len);
}

static void
test_whole (gconstpointer data)
{
  const Seed *seed = data;

  run_exact (seed->bytes, seed->len);
}

static void
test_cut (gconstpointer data)
{
  const Seed *seed = data;
  gsize step = MAX (seed->len / MAX_CUTS, 1);

  for (gsize len = 0; len < seed->len; len += step)
    run_exact (seed->bytes, len);
}

static void
test_changed (gconstpointer data)
{
  static const guint8 values[] = { 0x00, 0xff, '\n', '"', '9', '-' };
  const Seed *seed = data;
  gsize step = MAX (seed->len / MAX_CUTS, 1);

  for (gsize at = 0; at < seed->len; at += step)
    {
      guint8 kept = seed->bytes[at];
      seed->bytes[at] = values[(at / step) % G_N_ELEMENTS (values)];
      run_exact (seed->bytes, seed->len);
      seed->bytes[at] = kept;
    }
}

static void
free_seed (gpointer data)
{
  Seed *seed = data;

  g_free (seed->bytes);
  g_free (seed);
}

static void
add_seed (const char *folder,
          const char *name)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (GError) error = NULL;
  Seed *seed = g_new0 (Seed, 1);

  g_file_get_contents (path, (char **) &seed->bytes, &seed->len, &error);
  g_assert_no_error (error);
  g_autofree char *whole = g_strdup_printf ("/corpus/%s/whole", name);
  g_autofree char *cut = g_strdup_printf ("/corpus/%s/cut", name);
  g_autofree char *changed = g_strdup_printf ("/corpus/%s/changed", name);
  g_test_add_data_func (whole, seed, test_whole);
  g_test_add_data_func (cut, seed, test_cut);
  g_test_add_data_func_full (changed, seed, test_changed, free_seed);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (argc != 2)
    {
      g_printerr ("usage: %s CORPUS_FOLDER\n", argv[0]);
      return 2;
    }
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) folder = g_dir_open (argv[1], 0, &error);
  g_assert_no_error (error);
  guint n_seeds = 0;
  for (const char *name; (name = g_dir_read_name (folder)) != NULL; n_seeds++)
    add_seed (argv[1], name);
  g_assert_cmpuint (n_seeds, >, 0);
  return g_test_run ();
}
