/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycJsonWriter CycJsonWriter;

typedef enum
{
  CYC_JSON_COMPACT = 0,
  CYC_JSON_PRETTY = 1 << 0, /* in lines, for people */
  CYC_JSON_TRACE = 1 << 1,  /* as Python writes traces: see cyc_json_writer_new() */
} CycJsonFlags;

/**
 * CycJsonSink:
 * @bytes: (array length=len): the next bytes of the text
 * @len: how many
 * @user_data: what was given to cyc_json_writer_new()
 * @error: return location for an error
 *
 * Takes finished text, in pieces of about 64 KiB.
 *
 * Returns: %FALSE with @error set to stop writing
 */
typedef gboolean (*CycJsonSink) (const char  *bytes,
                                 gsize        len,
                                 gpointer     user_data,
                                 GError     **error);

CycJsonWriter *cyc_json_writer_new          (CycJsonFlags    flags,
                                             CycJsonSink     sink,
                                             gpointer        user_data);
void           cyc_json_writer_free         (CycJsonWriter  *self);
void           cyc_json_writer_begin_object (CycJsonWriter  *self);
void           cyc_json_writer_end_object   (CycJsonWriter  *self);
void           cyc_json_writer_begin_array  (CycJsonWriter  *self);
void           cyc_json_writer_end_array    (CycJsonWriter  *self);
void           cyc_json_writer_key          (CycJsonWriter  *self,
                                             const char     *name);
void           cyc_json_writer_key_len      (CycJsonWriter  *self,
                                             const char     *name,
                                             gsize           len);
void           cyc_json_writer_string       (CycJsonWriter  *self,
                                             const char     *value);
void           cyc_json_writer_string_len   (CycJsonWriter  *self,
                                             const char     *value,
                                             gsize           len);
void           cyc_json_writer_int          (CycJsonWriter  *self,
                                             gint64          value);
void           cyc_json_writer_uint         (CycJsonWriter  *self,
                                             guint64         value);
void           cyc_json_writer_double       (CycJsonWriter  *self,
                                             double          value);
void           cyc_json_writer_boolean      (CycJsonWriter  *self,
                                             gboolean        value);
void           cyc_json_writer_null         (CycJsonWriter  *self);
void           cyc_json_writer_raw          (CycJsonWriter  *self,
                                             const char     *json,
                                             gsize           len);
void           cyc_json_writer_put_string   (CycJsonWriter  *self,
                                             const char     *name,
                                             const char     *value);
void           cyc_json_writer_put_strings  (CycJsonWriter  *self,
                                             const char     *name,
                                             const char *const *values);
void           cyc_json_writer_put_int      (CycJsonWriter  *self,
                                             const char     *name,
                                             gint64          value);
void           cyc_json_writer_put_int_or_null (CycJsonWriter *self,
                                                const char    *name,
                                                gboolean       has,
                                                gint64         value);
void           cyc_json_writer_put_time     (CycJsonWriter  *self,
                                             const char     *name,
                                             gint64          real_us);
void           cyc_json_writer_put_double   (CycJsonWriter  *self,
                                             const char     *name,
                                             double          value);
void           cyc_json_writer_put_boolean  (CycJsonWriter  *self,
                                             const char     *name,
                                             gboolean        value);
gboolean       cyc_json_writer_finish       (CycJsonWriter  *self,
                                             GError        **error);
GString       *cyc_json_writer_steal        (CycJsonWriter  *self);

void           cyc_json_append_string       (GString        *out,
                                             const char     *value,
                                             gsize           len);
void           cyc_json_append_trace_string (GString        *out,
                                             const char     *value,
                                             gsize           len);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycJsonWriter, cyc_json_writer_free)

G_END_DECLS
