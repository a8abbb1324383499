/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-mapping.h"
#include "core/access/cyc-access-workload.h"
#include "core/access/cyc-template.h"

G_BEGIN_DECLS

typedef struct _CycAccessSpec CycAccessSpec;

/* A workload and its mapping, from one file or several. Immutable, and counted. */
struct _CycAccessSpec
{
  CycAccessWorkload *workload;
  CycAccessNode     *mapping;
  GPtrArray         *warnings;  /* of CycAccessWarning */
  GPtrArray         *documents; /* of CycYaml; what the others point into */
  CycAccessSpec     *base;      /* the workload's owner, where this has only another mapping; NULL */
  gatomicrefcount    count;
};

CycAccessSpec *cyc_access_spec_read      (const char *const  *paths,
                                          GHashTable         *parameters,
                                          GError            **error);
CycAccessSpec *cyc_access_spec_read_over (const char *const  *paths,
                                          GHashTable         *parameters,
                                          CycAccessSpec      *base,
                                          GError            **error);
CycAccessSpec *cyc_access_spec_read_text (const char         *file,
                                          const char         *text,
                                          gsize               len,
                                          GHashTable         *parameters,
                                          GError            **error);
GPtrArray     *cyc_access_spec_list_parameters (const char *const *paths,
                                          GError            **error);
CycAccessSpec *cyc_access_spec_ref       (CycAccessSpec      *self);
void           cyc_access_spec_free      (CycAccessSpec      *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessSpec, cyc_access_spec_free)

G_END_DECLS
