/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"
#include "engine/cyc-import-private.h"

#define MAX_DEPTH 32
#define MAX_ITEMS 1000000

/* Of a folder that is the `traces` folder itself, what belongs beside it. */
static const char *const root_names[] = {
  "metadata.json", "real_timing.json", "corrected_timeline.json", "kernel_mapping.json", "recorded",
};

typedef struct
{
  ImportPlan   *plan;
  CycFindings  *findings;
  GCancellable *cancellable;
  char         *bounds[3];   /* real paths that links may lead into, NULL-terminated */
  gboolean      is_flat;     /* the folder is the `traces` folder itself */
} Walk;

static void
item_free (gpointer data)
{
  ImportItem *item = data;

  g_free (item->source);
  g_free (item->rel);
  g_free (item);
}

void
_cyc_import_plan_free (ImportPlan *self)
{
  g_ptr_array_unref (self->items);
  g_free (self);
}

static gboolean
matters (const char *name)
{
  return g_str_has_prefix (name, "kernel") || g_str_has_prefix (name, "stats") ||
         g_str_has_suffix (name, ".json");
}

static char *
place (const Walk *self,
       const char *rel)
{
  if (!self->is_flat)
    return g_strdup (rel);
  for (guint i = 0; i < G_N_ELEMENTS (root_names); i++)
    {
      gsize len = strlen (root_names[i]);
      if (strncmp (rel, root_names[i], len) == 0 && (rel[len] == '\0' || rel[len] == '/'))
        return g_strdup (rel);
    }
  return g_strconcat ("traces/", rel, NULL);
}

static gboolean
add_item (Walk               *self,
          const char         *source,
          const char         *rel,
          const struct stat  *st,
          GError            **error)
{
  if (self->plan->items->len >= MAX_ITEMS)
    {
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, source, 0, "more than %d files", MAX_ITEMS);
      return FALSE;
    }
  ImportItem *item = g_new0 (ImportItem, 1);
  item->source = g_strdup (source);
  item->rel = place (self, rel);
  item->size = (guint64) st->st_size;
  item->on_disk = MIN (item->size, (guint64) st->st_blocks * 512);
  g_ptr_array_add (self->plan->items, item);
  self->plan->bytes += item->size;
  self->plan->on_disk += item->on_disk;
  return TRUE;
}

static gboolean
is_inside (const Walk *self,
           const char *real)
{
  for (guint i = 0; self->bounds[i] != NULL; i++)
    {
      gsize len = strlen (self->bounds[i]);
      if (strncmp (real, self->bounds[i], len) == 0 && (real[len] == '/' || real[len] == '\0'))
        return TRUE;
    }
  return FALSE;
}

/* A link to a file inside the source counts as that file. */
static gboolean
add_link (Walk        *self,
          const char  *path,
          const char  *name,
          const char  *rel,
          GError     **error)
{
  char real[PATH_MAX];
  struct stat st;

  if (realpath (path, real) == NULL || lstat (real, &st) != 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "link_broken", path, 0, NULL,
                      "left out: a link to something that is not there");
  else if (!is_inside (self, real) && matters (name))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                        "a link that leads out of the folder, to %s; import the folder that holds "
                        "the files themselves, or replace the link by its file", real);
      return FALSE;
    }
  else if (!is_inside (self, real))
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "link_outside", path, 0, NULL,
                      "left out: a link that leads out of the folder, to %s", real);
  else if (S_ISREG (st.st_mode))
    return add_item (self, real, rel, &st, error);
  else
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "link_to_folder", path, 0, NULL,
                      "left out: a link to a folder");
  return TRUE;
}

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
read_names (int         fd,
            const char *path,
            GError    **error)
{
  int copy = fcntl (fd, F_DUPFD_CLOEXEC, 0);
  DIR *dir = copy < 0 ? NULL : fdopendir (copy);
  if (dir == NULL)
    {
      cyc_error_set_errno (error, errno, path, "cannot read the folder");
      if (copy >= 0)
        close (copy);
      return NULL;
    }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const struct dirent *entry;
  while ((entry = readdir (dir)) != NULL)
    if (strcmp (entry->d_name, ".") != 0 && strcmp (entry->d_name, "..") != 0)
      g_ptr_array_add (names, g_strdup (entry->d_name));
  closedir (dir);
  g_ptr_array_sort (names, compare_names);
  return names;
}

static gboolean walk (Walk       *self,
                      const char *path,
                      const char *rel,
                      guint       depth,
                      GError    **error);

static gboolean
visit (Walk        *self,
       int          fd,
       const char  *folder,
       const char  *rel_folder,
       const char  *name,
       guint        depth,
       GError     **error)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *rel = rel_folder[0] == '\0' ? g_strdup (name)
                                               : g_strconcat (rel_folder, "/", name, NULL);
  struct stat st;

  if (fstatat (fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
    {
      cyc_error_set_errno (error, errno, path, "cannot read");
      return FALSE;
    }
  if (!cyc_name_is_safe_path (rel))
    {
      g_autofree char *shown = g_strescape (path, NULL);
      cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "name_not_allowed", shown, 0, NULL,
                        "left out: its name holds a control character, a backslash or bytes that "
                        "are not UTF-8, or is too long");
      return TRUE;
    }
  if (S_ISREG (st.st_mode))
    return add_item (self, path, rel, &st, error);
  if (S_ISDIR (st.st_mode) || (S_ISLNK (st.st_mode) && depth == 0 && strcmp (name, "traces") == 0))
    return walk (self, path, rel, depth + 1, error);
  if (S_ISLNK (st.st_mode))
    return add_link (self, path, name, rel, error);
  cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "special_file", path, 0, NULL,
                    "left out: a socket, pipe or device");
  return TRUE;
}

static gboolean
walk (Walk        *self,
      const char  *path,
      const char  *rel,
      guint        depth,
      GError     **error)
{
  if (depth > MAX_DEPTH)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "folders are nested more than %d deep",
                        MAX_DEPTH);
      return FALSE;
    }
  /* The one link to a folder that is followed is `traces`, which the simulator's scripts make. */
  gboolean is_link = depth == 1 && g_file_test (path, G_FILE_TEST_IS_SYMLINK);
  g_autofree char *real = NULL;
  if (is_link)
    {
      char buffer[PATH_MAX];
      real = realpath (path, buffer) == NULL ? NULL : g_strdup (buffer);
    }
  const char *folder = real == NULL ? path : real;
  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0)
    {
      cyc_error_set_errno (error, errno, folder, "cannot read the folder");
      return FALSE;
    }
  g_autoptr (GPtrArray) names = read_names (fd, folder, error);
  gboolean ok = names != NULL;
  for (guint i = 0; ok && i < names->len; i++)
    ok = !g_cancellable_set_error_if_cancelled (self->cancellable, error) &&
         visit (self, fd, folder, rel, g_ptr_array_index (names, i), depth, error);
  close (fd);
  return ok;
}

static char *
real_path (const char  *path,
           GError     **error)
{
  char buffer[PATH_MAX];

  if (realpath (path, buffer) != NULL)
    return g_strdup (buffer);
  cyc_error_set_errno (error, errno, path, "cannot read");
  return NULL;
}

/* Looks at a folder: what goes into the trace, and where. Reads no file. */
ImportPlan *
_cyc_import_plan_new (const char           *source,
                      const CycTracePlaces *places,
                      CycFindings          *findings,
                      GCancellable         *cancellable,
                      GError              **error)
{
  g_autofree char *real_source = real_path (source, error);
  g_autofree char *root = real_source == NULL ? NULL : real_path (places->root, error);
  g_autofree char *traces = root == NULL ? NULL : real_path (places->traces, error);
  if (traces == NULL)
    return NULL;

  g_autoptr (ImportPlan) plan = g_new0 (ImportPlan, 1);
  plan->items = g_ptr_array_new_with_free_func (item_free);
  Walk self = {
    .plan = plan,
    .findings = findings,
    .cancellable = cancellable,
    .bounds = { real_source, traces, NULL },
    .is_flat = strcmp (root, traces) == 0,
  };
  return walk (&self, root, "", 0, error) ? g_steal_pointer (&plan) : NULL;
}
