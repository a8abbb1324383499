/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CycReaper CycReaper;

/**
 * CycReaperEnd:
 * @CYC_REAPER_FINISH: remove all that was asked for
 * @CYC_REAPER_LEAVE: finish the folder that is being removed; the rest is swept another time
 */
typedef enum
{
  CYC_REAPER_FINISH,
  CYC_REAPER_LEAVE,
} CycReaperEnd;

CycReaper *cyc_reaper_new      (const char   *workspace);
void       cyc_reaper_free     (CycReaper    *self,
                                CycReaperEnd  end);
char      *cyc_reaper_condemn  (CycReaper    *self,
                                const char   *path);
void       cyc_reaper_remove   (CycReaper    *self,
                                const char   *path);
void       cyc_reaper_discard  (CycReaper    *self,
                                const char   *path);
void       cyc_reaper_sweep    (CycReaper    *self);
void       cyc_reaper_clean    (CycReaper    *self,
                                const char   *folder);
gboolean   cyc_reaper_is_idle  (CycReaper    *self);

gboolean   cyc_reaper_clear_empty (const char *path);

G_END_DECLS
