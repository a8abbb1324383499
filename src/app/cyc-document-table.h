/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycDocumentKind:
 * @page: the kind of page that shows it, of cyc-page-table.c
 * @title: what such files are called, untranslated
 * @patterns: names of such files, in small letters, for the dialog that chooses files; ends with %NULL
 * @match: whether a file is one: gets its path, its name in small letters, and how it begins (unpacked); on a
 *   thread. Gives the path that the page is to show, which is that of another file if this one only belongs to
 *   it, or %NULL
 *
 * A kind of file that is opened where it is, as a document.
 */
typedef struct
{
  const char         *page;
  const char         *title;
  const char *const  *patterns;
  char             *(*match) (const char *path,
                              const char *name,
                              const char *head,
                              gsize       len);
} CycDocumentKind;

const CycDocumentKind *cyc_document_table_get  (guint                *out_length);
const CycDocumentKind *cyc_document_table_find (const char           *page);
void                   cyc_document_find_async (const char           *path,
                                                GCancellable         *cancellable,
                                                GAsyncReadyCallback   callback,
                                                gpointer              user_data);
const CycDocumentKind *cyc_document_find_finish (GAsyncResult        *result,
                                                 char               **out_path,
                                                 GError             **error);

G_END_DECLS
