/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Values nest no deeper than this: what is read can be written by CycJsonWriter, inside something. */
#define CYC_JSON_READER_MAX_DEPTH 240

typedef enum
{
  CYC_JSON_NULL,
  CYC_JSON_FALSE,
  CYC_JSON_TRUE,
  CYC_JSON_INTEGER,
  CYC_JSON_DOUBLE,
  CYC_JSON_STRING,
  CYC_JSON_ARRAY,  /* its beginning */
  CYC_JSON_OBJECT, /* its beginning */
  CYC_JSON_CLOSE,  /* the end of an array or object */
  CYC_JSON_KEY,
  CYC_JSON_END,    /* of the text */
} CycJsonToken;

/**
 * CycJsonRead:
 * @data: what was given to cyc_json_reader_new()
 * @buffer: (out) (array length=size): room for the bytes
 * @size: how many fit
 * @error: return location for an error
 *
 * Returns: the number of bytes, 0 at the end, -1 on an error
 */
typedef gssize (*CycJsonRead) (gpointer  data,
                               char     *buffer,
                               gsize     size,
                               GError  **error);

typedef struct _CycJsonReader CycJsonReader;

CycJsonReader *cyc_json_reader_new           (CycJsonRead     read,
                                              gpointer        data);
CycJsonReader *cyc_json_reader_new_for_text  (const char     *text,
                                              gsize           len);
void           cyc_json_reader_free          (CycJsonReader  *self);
void           cyc_json_reader_set_constants (CycJsonReader  *self,
                                              gboolean        accepted);
gboolean       cyc_json_reader_next          (CycJsonReader  *self,
                                              GError        **error);
gboolean       cyc_json_reader_skip          (CycJsonReader  *self,
                                              GError        **error);
CycJsonToken   cyc_json_reader_get_token     (CycJsonReader  *self);
const char    *cyc_json_reader_get_text      (CycJsonReader  *self,
                                              gsize          *out_len);
guint64        cyc_json_reader_get_start     (CycJsonReader  *self);
guint64        cyc_json_reader_get_end       (CycJsonReader  *self);
guint64        cyc_json_reader_get_line      (CycJsonReader  *self);
gboolean       cyc_json_reader_is_syntax     (CycJsonReader  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycJsonReader, cyc_json_reader_free)

G_END_DECLS
