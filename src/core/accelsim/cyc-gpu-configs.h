/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-gpu-config.h"

G_BEGIN_DECLS

/* All GPU configurations found under some roots, by name. Never changed once loaded. */
typedef struct
{
  GPtrArray   *configs;  /* of CycGpuConfig, by name */
  CycFindings *findings; /* about the roots: missing, empty, clashes of names */
} CycGpuConfigs;

CycGpuConfigs *cyc_gpu_configs_new        (void);
CycGpuConfigs *cyc_gpu_configs_load       (const char *const    *roots);
CycGpuConfigs *cyc_gpu_configs_ref        (CycGpuConfigs        *self);
void           cyc_gpu_configs_unref      (CycGpuConfigs        *self);
CycGpuConfig  *cyc_gpu_configs_find       (CycGpuConfigs        *self,
                                           const char           *name);
CycGpuConfig  *cyc_gpu_configs_get        (CycGpuConfigs        *self,
                                           const char           *name,
                                           GError              **error);
void           cyc_gpu_configs_write_json (CycGpuConfigs        *self,
                                           CycJsonWriter        *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycGpuConfigs, cyc_gpu_configs_unref)

G_END_DECLS
