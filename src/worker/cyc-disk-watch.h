/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Whether the disk of the job was full at some time: a simulator does not say so, and what it could
 * not write then is missing from its log without a trace. */

typedef struct _CycDiskWatch CycDiskWatch;

CycDiskWatch *cyc_disk_watch_new      (const char   *folder);
void          cyc_disk_watch_free     (CycDiskWatch *self);
void          cyc_disk_watch_look     (CycDiskWatch *self);
void          cyc_disk_watch_failed   (CycDiskWatch *self,
                                       const GError *error);
const char   *cyc_disk_watch_get_note (CycDiskWatch *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycDiskWatch, cyc_disk_watch_free)

G_END_DECLS
