/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "displayless/engine/import-fixture.h"

#define LIST "kernel-1.traceg\n"
#define GOOD { ENTRY_FILE, "t/traces/kernelslist.g", LIST }, { ENTRY_FILE, "t/traces/kernel-1.traceg", KERNEL }

static void
check_good (Fixture     *fixture,
            const char  *name,
            const Entry *entries,
            gsize        n_entries,
            const char  *expected)
{
  g_autofree char *path = fixture_archive (fixture, name, entries, n_entries);
  g_autoptr (GError) error = NULL;
  CycImportProgress progress;

  fixture_import (fixture, path, CYC_IMPORT_COPY, &error);
  g_assert_no_error (error);
  g_autofree char *list = fixture_list (fixture->target);
  g_assert_cmpstr (list, ==, expected);
  g_autofree char *kernel = g_build_filename (fixture->target, "traces/kernel-1.traceg", NULL);
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (kernel, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, KERNEL);
  cyc_importer_get_progress (fixture->importer, &progress);
  g_assert_cmpuint (progress.bytes_done, >, 0);
  g_assert_cmpuint (progress.bytes_done, <=, progress.bytes_total);
  g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
  g_assert_cmpint (g_mkdir (fixture->target, 0700), ==, 0);
}

static void
test_kinds (Fixture       *fixture,
            gconstpointer  data)
{
  static const char *const names[] = { "a.tar", "a.tar.gz", "a.tgz", "a.tar.xz", "a.zip" };
  static const Entry entries[] = {
    { ENTRY_FOLDER, "t/", NULL }, GOOD, { ENTRY_FILE, "t/metadata.json", "{}" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    check_good (fixture, names[i], entries, G_N_ELEMENTS (entries),
                "metadata.json traces/kernel-1.traceg traces/kernelslist.g");
}

static void
test_shapes (Fixture       *fixture,
             gconstpointer  data)
{
  static const Entry bare[] = {
    { ENTRY_FOLDER, "./", NULL }, { ENTRY_FILE, "./kernelslist.g", LIST },
    { ENTRY_FILE, "./kernel-1.traceg", KERNEL },
  };
  static const Entry deep[] = {
    { ENTRY_FILE, "x/README", "r" }, { ENTRY_FILE, "x/app/args/traces/kernelslist.g", LIST },
    { ENTRY_FILE, "x/app/args/traces/kernel-1.traceg", KERNEL },
  };

  check_good (fixture, "a.tar", bare, G_N_ELEMENTS (bare), "traces/kernel-1.traceg traces/kernelslist.g");
  check_good (fixture, "b.zip", deep, G_N_ELEMENTS (deep), "traces/kernel-1.traceg traces/kernelslist.g");
  const CycFinding *left = cyc_findings_find (cyc_importer_get_findings (fixture->importer), "files_outside");
  g_assert_nonnull (left);
  g_assert_nonnull (strstr (left->text, " 1 "));
}

static void
test_links (Fixture       *fixture,
            gconstpointer  data)
{
  static const Entry entries[] = {
    { ENTRY_LINK, "t/traces/kernel-2.traceg", "kernel-3.traceg" }, GOOD,
    { ENTRY_LINK, "t/traces/kernel-3.traceg", "../../t/traces/./kernel-1.traceg" },
    { ENTRY_HARD_LINK, "t/traces/kernel-4.traceg", "t/traces/kernel-1.traceg" },
    { ENTRY_LINK, "t/dangling", "nothing" }, { ENTRY_LINK, "t/folder", "traces" },
  };

  check_good (fixture, "a.tar", entries, G_N_ELEMENTS (entries),
              "traces/kernel-1.traceg traces/kernel-2.traceg traces/kernel-3.traceg "
              "traces/kernel-4.traceg traces/kernelslist.g");
  const CycFindings *findings = cyc_importer_get_findings (fixture->importer);
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 2);
  g_assert_nonnull (cyc_findings_find (findings, "link_broken"));
}

/* Refused with the archive and the entry; and nothing but the target has changed. */
static void
check_refused (Fixture    *fixture,
               const char *path,
               const char *entry)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (fixture_import (fixture, path, CYC_IMPORT_COPY, &error));
  g_test_message ("%s", error->message);
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_true (g_str_has_prefix (error->message, path));
  if (entry != NULL)
    g_assert_nonnull (strstr (error->message, entry));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  for (const char *p = error->message; *p != '\0'; p++)
    g_assert_false (g_ascii_iscntrl (*p));
  g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *list = fixture_list (fixture->folder);
  g_autofree char *expected = g_strconcat ("source/", name, NULL);
  g_assert_cmpstr (list, ==, expected);
  g_assert_cmpint (g_mkdir (fixture->target, 0700), ==, 0);
  g_unlink (path);
}

static void
check_hostile (Fixture     *fixture,
               const char  *name,
               const Entry *bad,
               gsize        n_bad,
               const char  *shown)
{
  Entry entries[8] = { GOOD };

  g_assert_cmpuint (n_bad, <=, 6);
  memcpy (entries + 2, bad, n_bad * sizeof *bad);
  g_autofree char *path = fixture_archive (fixture, name, entries, 2 + n_bad);
  check_refused (fixture, path, shown);
}

static void
test_names (Fixture       *fixture,
            gconstpointer  data)
{
  g_autofree char *long_name = g_strnfill (300, 'a');
  g_autofree char *deep_name = g_strnfill (5000, 'a');
  for (guint i = 1; i < 5000; i += 2)
    deep_name[i] = '/';
  const Entry bad[] = {
    { ENTRY_FILE, "/tmp/absolute", "x" },   { ENTRY_FILE, "../up", "x" },
    { ENTRY_FILE, "t/../../up", "x" },      { ENTRY_FILE, "t/a\001b", "x" },
    { ENTRY_FILE, "t/a\nb", "x" },          { ENTRY_FILE, "t/a\\b", "x" },
    { ENTRY_FILE, "t//b", "x" },            { ENTRY_FILE, "t/./b", "x" },
    { ENTRY_FILE, long_name, "x" },         { ENTRY_FILE, deep_name, "x" },
    { ENTRY_FOLDER, "/tmp/absolute/", NULL }, { ENTRY_FOLDER, "t/../..", NULL },
    { ENTRY_FILE, "t/\xff\xfe", "x" },
  };
  static const char *const shown[] = {
    "'/tmp/absolute'", "'../up'", "'t/../../up'", "t/a\\001b", "t/a\\nb", "t/a\\\\b", "t//b", "t/./b",
    "aaaa", "a/a/", "/tmp/absolute", "t/../..", "t/\\377",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      check_hostile (fixture, "a.tar", &bad[i], 1, shown[i]);
      check_hostile (fixture, "a.zip", &bad[i], 1, NULL);
    }
}

static void
test_nodes (Fixture       *fixture,
            gconstpointer  data)
{
  static const Entry bad[] = {
    { ENTRY_LINK, "t/l1", "/etc/passwd" },       { ENTRY_LINK, "t/l2", "../../etc/passwd" },
    { ENTRY_LINK, "l3", ".." },                  { ENTRY_LINK, "t/l4", "" },
    { ENTRY_HARD_LINK, "t/h1", "/etc/passwd" },  { ENTRY_HARD_LINK, "t/h2", "../../etc/passwd" },
    { ENTRY_DEVICE, "t/device", NULL },          { ENTRY_PIPE, "t/pipe", NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    check_hostile (fixture, "a.tar", &bad[i], 1, bad[i].name);
}

/* A link to a folder, then a file through it: the oldest trick. */
static void
test_through_link (Fixture       *fixture,
                   gconstpointer  data)
{
  static const Entry outside[] = {
    { ENTRY_LINK, "t/d", "/tmp" }, { ENTRY_FILE, "t/d/cyc-through-link", "x" },
  };
  static const Entry inside[] = {
    { ENTRY_LINK, "t/d", "traces" }, { ENTRY_FILE, "t/d/through", "x" },
  };

  check_hostile (fixture, "a.tar", outside, 2, "'t/d'");
  g_assert_false (g_file_test ("/tmp/cyc-through-link", G_FILE_TEST_EXISTS));
  /* Here the link is left out, and d is a folder. */
  Entry entries[] = { GOOD, inside[0], inside[1] };
  check_good (fixture, "b.tar", entries, 4, "d/through traces/kernel-1.traceg traces/kernelslist.g");
}

static void
test_twice (Fixture       *fixture,
            gconstpointer  data)
{
  static const Entry same[] = { { ENTRY_FILE, "t/traces/kernel-1.traceg", "other" } };
  static const Entry dotted[] = { { ENTRY_FILE, "./t/traces/kernel-1.traceg", "other" } };
  static const Entry file_first[] = { { ENTRY_FILE, "t/a", "x" }, { ENTRY_FILE, "t/a/b", "x" } };
  static const Entry folder_first[] = { { ENTRY_FILE, "t/a/b", "x" }, { ENTRY_FILE, "t/a", "x" } };
  static const Entry as_folder[] = { { ENTRY_FILE, "t/a", "x" }, { ENTRY_FOLDER, "t/a/", NULL } };
  static const Entry linked[] = { { ENTRY_LINK, "t/traces/kernelslist.g", "kernel-1.traceg" } };

  check_hostile (fixture, "a.tar", same, 1, "kernel-1.traceg");
  check_hostile (fixture, "a.tar", dotted, 1, "kernel-1.traceg");
  check_hostile (fixture, "a.tar", file_first, 2, "t/a/b");
  check_hostile (fixture, "a.tar", folder_first, 2, "'t/a'");
  check_hostile (fixture, "a.tar", as_folder, 2, "t/a");
  check_hostile (fixture, "a.tar", linked, 1, "kernelslist.g");
}

static void
test_damaged (Fixture       *fixture,
              gconstpointer  data)
{
  static const char *const names[] = { "a.tar", "a.tar.gz", "a.tar.xz", "a.zip" };
  g_autoptr (GString) noise = g_string_new (NULL);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint i = 0; i < 20000; i++)
    g_string_append_c (noise, (char) g_rand_int_range (rand, 'a', 'z'));
  const Entry entries[] = { GOOD, { ENTRY_FILE, "t/traces/kernel-2.traceg", noise->str } };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = fixture_archive (fixture, names[i], entries, G_N_ELEMENTS (entries));
      g_autofree char *bytes = NULL;
      gsize len;
      g_assert_true (g_file_get_contents (path, &bytes, &len, NULL));
      g_assert_cmpint (truncate (path, (off_t) len / 2), ==, 0);
      check_refused (fixture, path, NULL);
    }
  g_autofree char *text = test_folder_write (fixture->source, "b.tar", "not an archive", -1);
  check_refused (fixture, text, NULL);
  g_autofree char *empty = test_folder_write (fixture->source, "c.tar", "", 0);
  check_refused (fixture, empty, NULL);
  g_autofree char *other = fixture_archive (fixture, "d.tar",
                                            (const Entry[]) { { ENTRY_FILE, "README", "x" } }, 1);
  check_refused (fixture, other, NULL);
  g_autofree char *two = fixture_archive (fixture, "e.tar", (const Entry[]) {
    { ENTRY_FILE, "a/traces/kernelslist.g", LIST }, { ENTRY_FILE, "b/traces/kernelslist.g", LIST } }, 2);
  check_refused (fixture, two, "/a/traces");
}

/* Every byte of an archive changed in turn: whatever comes of it, nothing leaves the target. */
static void
test_mutated (Fixture       *fixture,
              gconstpointer  data)
{
  static const Entry entries[] = { GOOD, { ENTRY_LINK, "t/traces/kernel-2.traceg", "kernel-1.traceg" } };
  g_autofree char *path = fixture_archive (fixture, "a.zip", entries, 3);
  g_autofree char *bytes = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &bytes, &len, NULL));
  for (gsize i = 0; i < len; i += 3)
    {
      g_autofree char *copy = g_memdup2 (bytes, len);
      g_autoptr (GError) error = NULL;
      copy[i] = (char) (copy[i] ^ (1 << (i % 8)));
      g_free (test_folder_write (fixture->source, "a.zip", copy, (gssize) len));
      gboolean ok = fixture_import (fixture, path, CYC_IMPORT_COPY, &error);
      g_assert_true (ok == (error == NULL));
      g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
      g_autofree char *list = fixture_list (fixture->folder);
      g_assert_cmpstr (list, ==, "source/a.zip");
      g_assert_cmpint (g_mkdir (fixture->target, 0700), ==, 0);
    }
}

/* An archive with a file of zeros. */
static char *
make_bomb (Fixture    *fixture,
           const char *name,
           guint       mib)
{
  char *path = g_build_filename (fixture->source, name, NULL);
  struct archive *archive = archive_write_new ();
  struct archive_entry *entry = archive_entry_new ();
  g_autofree char *zeros = g_malloc0 (1024 * 1024);

  archive_write_set_format_pax_restricted (archive);
  archive_write_add_filter_gzip (archive);
  archive_write_set_filter_option (archive, "gzip", "compression-level", "9");
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  archive_entry_set_pathname (entry, "traces/kernel-1.traceg");
  archive_entry_set_filetype (entry, AE_IFREG);
  archive_entry_set_perm (entry, 0644);
  archive_entry_set_size (entry, (la_int64_t) mib * 1024 * 1024);
  g_assert_cmpint (archive_write_header (archive, entry), ==, ARCHIVE_OK);
  for (guint i = 0; i < mib; i++)
    g_assert_cmpint (archive_write_data (archive, zeros, 1024 * 1024), ==, 1024 * 1024);
  archive_entry_free (entry);
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);
  return path;
}

static void
test_bomb (Fixture       *fixture,
           gconstpointer  data)
{
  g_autofree char *path = make_bomb (fixture, "bomb.tar.gz", 100);
  check_refused (fixture, path, "traces/kernel-1.traceg");
}

static void
test_no_space (Fixture       *fixture,
               gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  static const Entry entries[] = { GOOD };
  g_autofree char *path = fixture_archive (fixture, "a.tar", entries, 2);
  fixture->importer = cyc_importer_new (path, fixture->target, CYC_IMPORT_COPY, G_MAXINT64);
  g_assert_false (cyc_importer_run (fixture->importer, NULL, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NO_SPACE);
}

static void
test_not_linked (Fixture       *fixture,
                 gconstpointer  data)
{
  g_autoptr (GError) error = NULL;
  static const Entry entries[] = { GOOD };
  g_autofree char *path = fixture_archive (fixture, "a.tar", entries, 2);
  g_assert_false (fixture_import (fixture, path, CYC_IMPORT_SYMBOLIC_LINK, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_VALUE);
}

typedef struct
{
  GError  *error;
  gboolean done;
} Running;

static void
done_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  Running *running = user_data;

  g_assert_false (cyc_importer_run_finish (CYC_IMPORTER (source), result, &running->error));
  running->done = TRUE;
}

static gboolean
watch_cb (gpointer user_data)
{
  return G_SOURCE_CONTINUE;
}

static void
test_cancel (Fixture       *fixture,
             gconstpointer  data)
{
  g_autofree char *path = make_bomb (fixture, "a.tar.gz", 60);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Running running = { 0 };
  CycImportProgress progress;

  fixture->importer = cyc_importer_new (path, fixture->target, CYC_IMPORT_COPY, 0);
  cyc_importer_run_async (fixture->importer, cancellable, done_cb, &running);
  guint timer = g_timeout_add (1, watch_cb, NULL);
  while (!running.done)
    {
      g_main_context_iteration (NULL, TRUE);
      cyc_importer_get_progress (fixture->importer, &progress);
      if (progress.bytes_done > 0)
        g_cancellable_cancel (cancellable);
    }
  g_source_remove (timer);
  g_assert_error (running.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&running.error);
  g_assert_true (cyc_file_remove_tree (fixture->target, NULL));
}

#define ADD(path, func) \
  g_test_add ("/engine/import-archive/" path, Fixture, NULL, fixture_set_up, func, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("kinds", test_kinds);
  ADD ("shapes", test_shapes);
  ADD ("links", test_links);
  ADD ("hostile/names", test_names);
  ADD ("hostile/nodes", test_nodes);
  ADD ("hostile/through-link", test_through_link);
  ADD ("hostile/twice", test_twice);
  ADD ("hostile/damaged", test_damaged);
  ADD ("hostile/mutated", test_mutated);
  ADD ("hostile/bomb", test_bomb);
  ADD ("no-space", test_no_space);
  ADD ("not-linked", test_not_linked);
  ADD ("cancel", test_cancel);
  return g_test_run ();
}
