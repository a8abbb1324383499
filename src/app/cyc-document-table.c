/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-document-table.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

#include "app/cyc-access-load.h"
#include "app/cyc-timeline-files.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-task.h"

#define HEAD_SIZE (64 * 1024)

static const char *const timeline_patterns[] = {
  "*.json", "*.json.gz", "*.json.xz", "*.bin", "*.bin.gz", "*.bin.xz", NULL,
};

static const char *const access_patterns[] = {
  "*.yaml", "*.yaml.gz", "*.yaml.xz", "*.yml", "*.yml.gz", "*.yml.xz", "*.j2", NULL,
};

/* All kinds of documents. The first that a file matches is the one it is opened as, so what looks at the bytes
 * stands before what looks at the name alone. */
static const CycDocumentKind table[] = {
  { "timeline", N_("Timelines"), timeline_patterns, cyc_timeline_files_match },
  { "access", N_("Access mappings"), access_patterns, cyc_access_load_match },
};

/* What a thread found. */
typedef struct
{
  const CycDocumentKind *kind;
  char                  *path;
} Found;

static void
found_free (gpointer data)
{
  Found *self = data;

  g_free (self->path);
  g_free (self);
}

/**
 * cyc_document_table_get:
 * @out_length: (out): how many there are
 *
 * Returns: (transfer none) (array length=out_length): all kinds
 */
const CycDocumentKind *
cyc_document_table_get (guint *out_length)
{
  *out_length = G_N_ELEMENTS (table);
  return table;
}

/**
 * cyc_document_table_find:
 * @page: a kind of page
 *
 * Returns: (transfer none): the kind of document that it shows
 */
const CycDocumentKind *
cyc_document_table_find (const char *page)
{
  for (guint i = 0; i < G_N_ELEMENTS (table); i++)
    if (strcmp (table[i].page, page) == 0)
      return &table[i];
  g_return_val_if_reached (NULL);
}

static void
find_worker (GTask        *task,
             gpointer      source,
             gpointer      data,
             GCancellable *cancellable)
{
  const char *path = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *name = g_ascii_strdown (base, -1);
  g_autofree char *head = g_malloc (HEAD_SIZE);
  gssize len = cyc_byte_reader_read_head (path, head, HEAD_SIZE, cancellable, &error);

  if (len < 0)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  Found *found = g_new0 (Found, 1);
  for (guint i = 0; i < G_N_ELEMENTS (table) && found->kind == NULL; i++)
    {
      g_autofree char *match = table[i].match (path, name, head, (gsize) len);
      if (match == NULL)
        continue;
      found->kind = &table[i];
      /* By its real path, so that it is not opened twice by two names. */
      found->path = realpath (match, NULL);
      if (found->path == NULL)
        found->path = g_steal_pointer (&match);
    }
  g_task_return_pointer (task, found, found_free);
}

/**
 * cyc_document_find_async:
 * @path: a file
 * @cancellable: (nullable): ends it early
 * @callback: called when it is known
 * @user_data: for @callback
 *
 * Finds out, on a thread, which kind of document a file is, by how it begins.
 */
void
cyc_document_find_async (const char          *path,
                         GCancellable        *cancellable,
                         GAsyncReadyCallback  callback,
                         gpointer             user_data)
{
  g_return_if_fail (path != NULL);

  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, cyc_document_find_async);
  g_task_set_task_data (task, g_strdup (path), g_free);
  cyc_task_run_in_thread (task, find_worker);
}

/**
 * cyc_document_find_finish:
 * @result: what the callback got
 * @out_path: (out) (transfer full) (nullable): the file to show, by its real path
 * @error: why the file cannot be read
 *
 * Returns: (transfer none) (nullable): the kind; %NULL without an error if the file is of none
 */
const CycDocumentKind *
cyc_document_find_finish (GAsyncResult  *result,
                          char         **out_path,
                          GError       **error)
{
  g_return_val_if_fail (g_async_result_is_tagged (result, cyc_document_find_async), NULL);

  Found *found = g_task_propagate_pointer (G_TASK (result), error);
  *out_path = NULL;
  if (found == NULL)
    return NULL;
  const CycDocumentKind *kind = found->kind;
  *out_path = g_steal_pointer (&found->path);
  found_free (found);
  return kind;
}
