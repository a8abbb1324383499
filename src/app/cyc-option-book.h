/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-gpu-config.h"
#include "engine/cyc-workspace-data.h"

G_BEGIN_DECLS

/**
 * CycOptionBook:
 * @dump: (nullable): the simulator's options out of an earlier log; %NULL until they are read
 * @configs: (element-type CycGpuConfig): the configurations that are chosen
 *
 * What is known of the simulator's options. Main thread.
 */
typedef struct
{
  CycOptionDump *dump;
  GPtrArray     *configs;
} CycOptionBook;

CycOptionBook *cyc_option_book_new         (void);
CycOptionBook *cyc_option_book_ref         (CycOptionBook *self);
void           cyc_option_book_unref       (CycOptionBook *self);
void           cyc_option_book_set_dump    (CycOptionBook *self,
                                            CycOptionDump *dump);
void           cyc_option_book_set_configs (CycOptionBook *self,
                                            GPtrArray     *configs);
GStrv          cyc_option_book_match       (CycOptionBook *self,
                                            const char    *text);
gboolean       cyc_option_book_has         (CycOptionBook *self,
                                            const char    *name);
const char    *cyc_option_book_get_help    (CycOptionBook *self,
                                            const char    *name);
const char    *cyc_option_book_get_value   (CycOptionBook *self,
                                            const char    *name);
void           cyc_option_book_check       (CycOptionBook *self,
                                            const char    *option,
                                            CycFindings   *findings);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycOptionBook, cyc_option_book_unref)

G_END_DECLS
