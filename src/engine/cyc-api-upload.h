/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A file that arrives over HTTP: written beside its place, put on disk on a thread; a small one
 * is written there, too. */

typedef struct _CycApiUpload CycApiUpload;

CycApiUpload *cyc_api_upload_new           (const char           *target,
                                            guint64               max_bytes,
                                            guint64               reserve);
void          cyc_api_upload_free          (CycApiUpload         *self);
gboolean      cyc_api_upload_set_checksum  (CycApiUpload         *self,
                                            const char           *sha256,
                                            GError              **error);
gboolean      cyc_api_upload_resume        (CycApiUpload         *self,
                                            guint64               first,
                                            guint64               total,
                                            GError              **error);
gboolean      cyc_api_upload_is_whole      (CycApiUpload         *self);
guint64       cyc_api_upload_find_offset   (const char           *target,
                                            gboolean             *out_whole);
char         *cyc_api_upload_find_part     (const char           *folder);
gboolean      cyc_api_upload_announce      (CycApiUpload         *self,
                                            guint64               size,
                                            GError              **error);
gboolean      cyc_api_upload_write         (CycApiUpload         *self,
                                            const void           *bytes,
                                            gsize                 len,
                                            GError              **error);
void          cyc_api_upload_sync_async    (CycApiUpload         *self,
                                            GAsyncReadyCallback   callback,
                                            gpointer              user_data);
gboolean      cyc_api_upload_sync_finish   (CycApiUpload         *self,
                                            GAsyncResult         *result,
                                            GError              **error);
guint64       cyc_api_upload_get_size      (CycApiUpload         *self);
const char   *cyc_api_upload_get_path      (CycApiUpload         *self);
gboolean      cyc_api_upload_commit        (CycApiUpload         *self,
                                            GError              **error);
void          cyc_api_upload_refuse        (CycApiUpload         *self);
gboolean      cyc_api_upload_is_part_name  (const char           *name);
gboolean      cyc_api_upload_is_kept_name  (const char           *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycApiUpload, cyc_api_upload_free)

G_END_DECLS
