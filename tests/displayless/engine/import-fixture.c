/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "displayless/engine/import-fixture.h"

#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

void
fixture_set_up (Fixture       *fixture,
                gconstpointer  data)
{
  fixture->folder = test_folder_new ();
  fixture->source = g_build_filename (fixture->folder, "source", NULL);
  fixture->target = g_build_filename (fixture->folder, "target", NULL);
  g_assert_cmpint (g_mkdir (fixture->source, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (fixture->target, 0700), ==, 0);
}

void
fixture_tear_down (Fixture       *fixture,
                   gconstpointer  data)
{
  /* A task's thread may hold it a little longer. */
  g_clear_object (&fixture->importer);
  test_folder_clear (&fixture->folder);
  g_free (fixture->source);
  g_free (fixture->target);
}

void
fixture_add (Fixture    *fixture,
             const char *name,
             const char *text)
{
  g_free (test_folder_write (fixture->source, name, text, -1));
}

/* A trace in the folder @below of the source, "" for the source itself. */
void
fixture_add_trace (Fixture    *fixture,
                   const char *below)
{
  g_autofree char *list = g_build_filename (below, "kernelslist.g", NULL);
  g_autofree char *one = g_build_filename (below, "kernel-1.traceg", NULL);
  g_autofree char *two = g_build_filename (below, "kernel-2.traceg", NULL);

  fixture_add (fixture, list, "kernel-1.traceg\nkernel-2.traceg\n");
  fixture_add (fixture, one, KERNEL);
  fixture_add (fixture, two, KERNEL KERNEL);
}

/* Whether any file of the fixture's folder is open in this process. */
gboolean
fixture_has_open_files (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *file = g_file_read_link (path, NULL);
      if (file != NULL && g_str_has_prefix (file, fixture->folder))
        return TRUE;
    }
  return FALSE;
}

/* Imports, and checks that no file stays open. */
gboolean
fixture_import (Fixture        *fixture,
                const char     *source,
                CycImportMode   mode,
                GError        **error)
{
  g_clear_object (&fixture->importer);
  fixture->importer = cyc_importer_new (source, fixture->target, mode, 0);
  gboolean ok = cyc_importer_run (fixture->importer, NULL, error);
  g_assert_false (fixture_has_open_files (fixture));
  return ok;
}

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
list_below (const char *folder,
            const char *prefix,
            GPtrArray  *lines)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      g_autofree char *rel = g_strconcat (prefix, name, NULL);
      g_autofree char *below = g_strconcat (rel, "/", NULL);
      struct stat st;
      g_assert_cmpint (lstat (path, &st), ==, 0);
      if (S_ISDIR (st.st_mode))
        list_below (path, below, lines);
      else
        g_ptr_array_add (lines, g_strdup_printf ("%s%s", rel, S_ISLNK (st.st_mode) ? "@" :
                                                 S_ISREG (st.st_mode) ? "" : "|"));
    }
}

/* All files below a folder, sorted, separated by blanks; links end in @. */
char *
fixture_list (const char *folder)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);

  list_below (folder, "", lines);
  g_ptr_array_sort (lines, compare_names);
  g_ptr_array_add (lines, NULL);
  return g_strjoinv (" ", (char **) lines->pdata);
}

static void
write_entry (struct archive *archive,
             const Entry    *item)
{
  static const unsigned types[] = {
    [ENTRY_FILE] = AE_IFREG,      [ENTRY_FOLDER] = AE_IFDIR,   [ENTRY_LINK] = AE_IFLNK,
    [ENTRY_HARD_LINK] = AE_IFREG, [ENTRY_DEVICE] = AE_IFCHR,   [ENTRY_PIPE] = AE_IFIFO,
  };
  struct archive_entry *entry = archive_entry_new ();
  gsize len = item->kind == ENTRY_FILE ? strlen (item->text) : 0;

  archive_entry_copy_pathname (entry, item->name);
  archive_entry_set_filetype (entry, types[item->kind]);
  archive_entry_set_perm (entry, 0644);
  archive_entry_set_mtime (entry, 1700000000, 0);
  archive_entry_set_size (entry, (la_int64_t) len);
  if (item->kind == ENTRY_LINK)
    archive_entry_copy_symlink (entry, item->text);
  if (item->kind == ENTRY_HARD_LINK)
    archive_entry_copy_hardlink (entry, item->text);
  g_assert_cmpint (archive_write_header (archive, entry), >=, ARCHIVE_WARN);
  if (len > 0)
    g_assert_cmpint (archive_write_data (archive, item->text, len), ==, len);
  archive_entry_free (entry);
}

/* Makes an archive of the kind that its name says. Returns its path. */
char *
fixture_archive (Fixture     *fixture,
                 const char  *name,
                 const Entry *entries,
                 gsize        n_entries)
{
  char *path = g_build_filename (fixture->source, name, NULL);
  struct archive *archive = archive_write_new ();

  if (g_str_has_suffix (name, ".zip"))
    archive_write_set_format_zip (archive);
  else
    archive_write_set_format_pax_restricted (archive);
  if (g_str_has_suffix (name, "gz"))
    archive_write_add_filter_gzip (archive);
  if (g_str_has_suffix (name, "xz"))
    archive_write_add_filter_xz (archive);
  g_assert_cmpint (archive_write_open_filename (archive, path), ==, ARCHIVE_OK);
  for (gsize i = 0; i < n_entries; i++)
    write_entry (archive, &entries[i]);
  g_assert_cmpint (archive_write_close (archive), ==, ARCHIVE_OK);
  archive_write_free (archive);
  return path;
}
