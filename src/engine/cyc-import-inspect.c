/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-import-inspect.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-util.h"
#include "engine/cyc-import-private.h"

/* A look at what an import would bring, without importing. */

static void
take_folder (CycImportPreview *self,
             CycTraceFolder   *folder,
             const ImportPlan *plan)
{
  self->n_files = plan->items->len;
  self->bytes = plan->bytes;
  g_clear_pointer (&self->record, cyc_trace_record_free);
  self->record = cyc_trace_record_copy (folder->record);
  g_ptr_array_unref (self->launches);
  self->launches = g_ptr_array_ref (folder->launches);
}

/* @folder is the trace's, or a likeness of it. */
static gboolean
look_at_folder (CycImportPreview          *self,
                const char                *path,
                const CycPreflightParams  *for_what,
                CycFindings               *findings,
                GCancellable              *cancellable,
                GError                   **error)
{
  CycPreflightParams params = { NULL };
  g_autoptr (CycTracePlaces) places = cyc_trace_places_find (path, error);
  g_autoptr (CycTraceFolder) folder = places == NULL ? NULL
                                                     : cyc_trace_folder_load (path, cancellable, error);
  g_autoptr (ImportPlan) plan = folder == NULL
                                  ? NULL
                                  : _cyc_import_plan_new (path, places, findings, cancellable, error);

  if (plan == NULL)
    return FALSE;
  if (for_what != NULL)
    params = *for_what;
  params.heads_only = self->archive;
  params.cancellable = cancellable;
  take_folder (self, folder, plan);
  g_autoptr (CycFindings) found = cyc_preflight_check (folder, &params);
  cyc_findings_append (findings, found);
  return !g_cancellable_set_error_if_cancelled (cancellable, error);
}

/* Whatever names the likeness is about the archive. */
static char *
rename_text (const char *text,
             const char *likeness,
             const char *archive)
{
  if (text == NULL)
    return NULL;
  g_auto (GStrv) parts = g_strsplit (text, likeness, -1);
  return g_strjoinv (archive, parts);
}

static void
append_renamed (CycFindings       *self,
                const CycFindings *found,
                const char        *likeness,
                const char        *archive)
{
  for (guint i = 0; i < cyc_findings_get_length (found); i++)
    {
      const CycFinding *finding = cyc_findings_get (found, i);
      g_autofree char *file = rename_text (finding->file, likeness, archive);
      g_autofree char *text = rename_text (finding->text, likeness, archive);
      /* About the path of the likeness alone. */
      if (strcmp (finding->code, "path_unsafe") != 0)
        cyc_findings_add (self, finding->severity, finding->code, file, finding->line,
                          finding->remedy, "%s", text);
    }
}

static gboolean
look_at_likeness (CycImportPreview          *self,
                  CycImporter               *importer,
                  ImportTarget              *target,
                  const CycPreflightParams  *params,
                  GCancellable              *cancellable,
                  GError                   **error)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (GError) local = NULL;
  guint n_files;
  g_autofree char *likeness = _cyc_import_archive_likeness (importer, self->path, target, cancellable,
                                                            &n_files, error);

  if (likeness == NULL)
    return FALSE;
  if (!look_at_folder (self, likeness, params, findings, cancellable, &local))
    {
      if (g_error_matches (local, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        g_propagate_error (error, g_steal_pointer (&local));
      else
        _cyc_import_archive_set_error (self->path, likeness, local, error);
      return FALSE;
    }
  g_autofree char *sentence = rename_text (self->record->error, likeness, self->path);
  cyc_set_str (&self->record->error, sentence);
  cyc_findings_append (self->findings, _cyc_importer_get_findings (importer));
  append_renamed (self->findings, findings, likeness, self->path);
  return TRUE;
}

static gboolean
look_at_archive (CycImportPreview          *self,
                 const char                *scratch,
                 const CycPreflightParams  *params,
                 GCancellable              *cancellable,
                 GError                   **error)
{
  g_autofree char *random = cyc_random_hex (6);
  /* An engine sweeps folders of that name when it opens the workspace, should this one be killed. */
  g_autofree char *name = g_strconcat (".removed-look-", random, NULL);
  g_autofree char *folder = g_build_filename (scratch, name, NULL);
  g_autoptr (CycImporter) importer = cyc_importer_new (self->path, folder, CYC_IMPORT_COPY,
                                                       CYC_IMPORT_RESERVE);

  if (g_mkdir (folder, 0700) != 0)
    {
      cyc_error_set_errno (error, errno, folder, "cannot create the folder");
      return FALSE;
    }
  ImportTarget *target = _cyc_import_target_open (folder, CYC_IMPORT_RESERVE, error);
  gboolean ok = target != NULL && look_at_likeness (self, importer, target, params, cancellable, error);
  g_clear_pointer (&target, _cyc_import_target_close);
  cyc_file_remove_tree (folder, NULL);
  return ok;
}

/**
 * cyc_import_inspect:
 * @path: a folder, a file of a trace's folder, or an archive
 * @scratch: a folder of the workspace to work in: `jobs`
 * @params: (nullable): what else the trace is looked at for
 * @cancellable: (nullable): asked between files
 * @error: (nullable): return location for an error: a sentence why this is no trace
 *
 * Finds out what an import would bring. Of an archive names, sizes and heads are read; a packed one
 * is unpacked for that, but not kept. Reads files: not for the main loop.
 *
 * Returns: (transfer full) (nullable): the preview; its id may be taken
 */
CycImportPreview *
cyc_import_inspect (const char                *path,
                    const char                *scratch,
                    const CycPreflightParams  *params,
                    GCancellable              *cancellable,
                    GError                   **error)
{
  g_return_val_if_fail (path != NULL && scratch != NULL, NULL);

  g_autoptr (CycImportPreview) self = cyc_import_preview_new ();
  g_autofree char *full = g_canonicalize_filename (path, NULL);
  self->path = cyc_importer_find_source (full);
  self->suggested_id = cyc_importer_suggest_id (self->path, error);
  if (self->suggested_id == NULL)
    return NULL;
  self->archive = !g_file_test (self->path, G_FILE_TEST_IS_DIR);
  gboolean ok = self->archive
                  ? look_at_archive (self, scratch, params, cancellable, error)
                  : look_at_folder (self, self->path, params, self->findings, cancellable, error);
  return ok ? g_steal_pointer (&self) : NULL;
}
