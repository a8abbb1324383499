/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-mapping.h"
#include "core/access/cyc-access-workload.h"

G_BEGIN_DECLS

/* A workload and its mapping, from one file or several. */
typedef struct
{
  CycAccessWorkload *workload;
  CycAccessNode     *mapping;
  GPtrArray         *warnings;  /* of CycAccessWarning */
  GPtrArray         *documents; /* of CycYaml; what the others point into */
} CycAccessSpec;

CycAccessSpec *cyc_access_spec_read      (const char *const  *paths,
                                          GHashTable         *parameters,
                                          GError            **error);
CycAccessSpec *cyc_access_spec_read_text (const char         *file,
                                          const char         *text,
                                          gsize               len,
                                          GHashTable         *parameters,
                                          GError            **error);
void           cyc_access_spec_free      (CycAccessSpec      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessSpec, cyc_access_spec_free)

G_END_DECLS
