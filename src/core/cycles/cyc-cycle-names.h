/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/cycles/cyc-cycle-meta.h"

G_BEGIN_DECLS

#define CYC_CYCLE_DESC_WAIT 0x10000u
#define CYC_CYCLE_DESC_TERMINATE 0x10006u
#define CYC_CYCLE_DESC_TRIGGER 0x10007u
#define CYC_CYCLE_DESC_TASK_TYPE 0x20000u
/* Task types that are no work: the end and the beginning of a task graph. */
#define CYC_CYCLE_TYPE_TERMINATE 0u
#define CYC_CYCLE_TYPE_BEGIN 10u
#define CYC_CYCLE_NO_OWNER G_MAXUINT32
/* No name of its own: the text is made of the desc's number. */
#define CYC_CYCLE_NO_STAGE G_MAXUINT

typedef struct _CycCycleNames CycCycleNames;

CycCycleNames *cyc_cycle_names_new            (CycCycleMeta        *meta);
void           cyc_cycle_names_free           (CycCycleNames       *self);
guint          cyc_cycle_names_get_n_stages   (const CycCycleNames *self);
const char    *cyc_cycle_names_get_stage_text (const CycCycleNames *self,
                                               guint                stage);
guint          cyc_cycle_names_get_stage      (const CycCycleNames *self,
                                               guint32              desc,
                                               guint32              task);
guint          cyc_cycle_names_get_task_stage (const CycCycleNames *self,
                                               guint32              task);
const char    *cyc_cycle_names_get_task_type  (guint32              type);
char          *cyc_cycle_names_dup_stage      (guint32              desc);
char          *cyc_cycle_names_dup            (const CycCycleNames *self,
                                               guint32              desc,
                                               guint32              task,
                                               guint32              index,
                                               guint32              owner);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleNames, cyc_cycle_names_free)

G_END_DECLS
