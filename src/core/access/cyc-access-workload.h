/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-affine.h"
#include "core/access/cyc-yaml.h"

G_BEGIN_DECLS

/* How an Einsum uses a tensor. */
typedef struct
{
  guint      tensor;   /* of the workload */
  gboolean   output;
  guint      n_ranks;
  CycAffine *ranks;    /* over the Einsum's variables, in the order of the tensor's ranks */
} CycAccessUse;

typedef struct
{
  char       *name;
  const char *file;
  guint       line;
  GStrv       variables; /* rank variables, sorted as text */
  guint       n_variables;
  guint       n_uses;
  CycAccessUse *uses;    /* in the order of the file */
  char       *unbounded; /* why there are no bounds; NULL if there are */
  gint64     *lows;      /* of each variable; good if @unbounded is NULL */
  gint64     *highs;
  GArray     *constraints;
} CycAccessEinsum;

typedef struct
{
  char   *name;
  GStrv   ranks;   /* as its first access names them */
  guint   n_ranks;
  char   *unbounded; /* why there is no shape; NULL if there is */
  gint64 *shape;   /* nominal, by rank; never below 0 */
} CycAccessTensor;

typedef struct
{
  GPtrArray *einsums; /* of CycAccessEinsum */
  GPtrArray *tensors; /* of CycAccessTensor, in the order of their first access */
} CycAccessWorkload;

CycAccessWorkload     *cyc_access_workload_read        (const CycYamlNode       *node,
                                                        GError                 **error);
void                   cyc_access_workload_free        (CycAccessWorkload       *self);
const CycAccessEinsum *cyc_access_workload_find_einsum (const CycAccessWorkload *self,
                                                        const char              *name);
int                    cyc_access_workload_find_tensor (const CycAccessWorkload *self,
                                                        const char              *name);
int                    cyc_access_einsum_find_variable (const CycAccessEinsum   *self,
                                                        const char              *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessWorkload, cyc_access_workload_free)

G_END_DECLS
