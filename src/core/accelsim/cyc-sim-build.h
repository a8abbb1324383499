/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/**
 * CycSimBuild:
 * @commit: (nullable): the commit that was built, %NULL if the stamp does not say
 * @has_modified: whether the stamp says how many files were changed since
 * @modified: how many; not 0 means a build that nobody else has
 * @built_at: (nullable): when, `2026-11-29 11:20:26` in the local time of who built it; %NULL if the
 *   stamp does not say
 *
 * A build stamp of the simulator, taken apart. Free with cyc_sim_build_clear().
 */
typedef struct
{
  char     *commit;
  gboolean  has_modified;
  double    modified;
  char     *built_at;
} CycSimBuild;

void cyc_sim_build_parse      (CycSimBuild   *self,
                               const char    *stamp);
void cyc_sim_build_clear      (CycSimBuild   *self);
void cyc_sim_build_write_json (const char    *stamp,
                               CycJsonWriter *writer);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CycSimBuild, cyc_sim_build_clear)

G_END_DECLS
