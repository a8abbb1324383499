/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"
#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/* An installation of Accel-Sim, found by looking at files alone; nothing is run. */
typedef struct
{
  char        *path;           /* as named: a framework folder or an executable */
  char        *root;           /* the framework folder; NULL for a lone executable */
  char        *executable;     /* accel-sim.out; NULL if it was not found */
  char        *post_processor; /* post-traces-processing; NULL if it was not found */
  char        *library_dir;    /* folder of GPGPU-Sim's libcudart.so; NULL if not found or needed */
  GStrv        config_roots;   /* folders for cyc_gpu_configs_load(); never NULL */
  GStrv        env;            /* NAME=value that the executable needs; never NULL */
  gboolean     reads_tracez;   /* Accel-Sim 2.0: .tracez files and binary version 90 */
  CycFindings *findings;       /* what `simulator check` tells */
} CycSimulator;

CycSimulator *cyc_simulator_open         (const char          *path,
                                          const char          *library_path,
                                          GError             **error);
void          cyc_simulator_free         (CycSimulator        *self);
gboolean      cyc_simulator_accepts      (const CycSimulator  *self,
                                          gint64               binary_version);
char         *cyc_simulator_accepts_text (const CycSimulator  *self);
void          cyc_simulator_write_json   (const CycSimulator  *self,
                                          const char          *name,
                                          CycJsonWriter       *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimulator, cyc_simulator_free)

G_END_DECLS
