/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-value.h"

G_BEGIN_DECLS

#define CYC_CYCLE_MIN_CUBE_SLOTS 24
#define CYC_CYCLE_MAX_CAPACITY 134217712
#define CYC_CYCLE_CAPACITY_STEP 16

/**
 * CycCycleMeta:
 * @source: (nullable): the file that it comes from, for messages
 * @rank: the rank of the process
 * @has_device: whether @device_id is known; else the rank stands for it
 * @device_id: the device
 * @has_frequency: whether @frequency_mhz was given; else cyc_cycle_meta_check() looks it up
 * @frequency_mhz: how many cycles the counter makes in a microsecond
 * @soc_name: (nullable): the chip
 * @detailed_names: whether names of events tell task and owner
 * @kernel_name: name of the kernel
 * @owner_label: what owners are called
 * @stage_names: names of descs: texts by guint32, as pointers
 * @task_stage_names: names of tasks' stages, the same
 * @cube_slots: how many cube slots the buffer has
 * @aic_capacity: (nullable): records of an AIC slot in decimal; %NULL reads it from the buffer
 * @aiv_capacity: (nullable): the same of an AIV slot
 * @unknown: keys that nobody knows
 *
 * What has to be known to read a profile buffer. One thread at a time; counted references.
 */
typedef struct
{
  gatomicrefcount refs;
  char           *source;
  gint64          rank;
  gboolean        has_device;
  gint64          device_id;
  gboolean        has_frequency;
  double          frequency_mhz;
  char           *soc_name;
  gboolean        detailed_names;
  char           *kernel_name;
  char           *owner_label;
  GHashTable     *stage_names;
  GHashTable     *task_stage_names;
  gint64          cube_slots;
  char           *aic_capacity;
  char           *aiv_capacity;
  GPtrArray      *unknown;
  char           *stage_fault;
} CycCycleMeta;

CycCycleMeta *cyc_cycle_meta_new         (void);
CycCycleMeta *cyc_cycle_meta_ref         (CycCycleMeta        *self);
void          cyc_cycle_meta_unref       (CycCycleMeta        *self);
CycCycleMeta *cyc_cycle_meta_read        (const CycJsonValue  *value,
                                          const char          *source,
                                          GError             **error);
CycCycleMeta *cyc_cycle_meta_read_file   (const char          *path,
                                          GError             **error);
gboolean      cyc_cycle_meta_is_buffer   (const char          *path);
char         *cyc_cycle_meta_get_sidecar (const char          *buffer_path);
gboolean      cyc_cycle_meta_check       (CycCycleMeta        *self,
                                          GError             **error);
gint64        cyc_cycle_meta_get_device  (const CycCycleMeta  *self);
double        cyc_cycle_soc_get_frequency (const char         *soc_name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCycleMeta, cyc_cycle_meta_unref)

G_END_DECLS
