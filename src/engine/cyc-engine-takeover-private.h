/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-engine-private.h"

G_BEGIN_DECLS

void cyc_takeover_start    (CycEngine   *self,
                            CycSimEntry *sim,
                            gboolean     at_start);
void cyc_takeover_continue (CycEngine   *self,
                            CycSimEntry *sim);
void cyc_takeover_stop     (CycEngine   *self,
                            CycSimEntry *sim);
void cyc_takeover_abandon  (CycSimEntry *sim);

/* Called on the main thread; @files (of CycFileRecord, name and size) is NULL if @error is set. */
typedef void (*CycOutputsKeptFunc) (GPtrArray    *files,
                                    const GError *error,
                                    gpointer      user_data);

void  cyc_outputs_keep  (const char          *job,
                         const char          *folder,
                         CycOutputsKeptFunc   func,
                         gpointer             user_data);
char *cyc_file_tail     (const char          *path,
                         gsize                max,
                         gsize               *out_len);

G_END_DECLS
