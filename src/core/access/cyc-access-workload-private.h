/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-workload.h"

G_BEGIN_DECLS

/* One access as it is written: ranks and their expressions. */
typedef struct
{
  const CycYamlNode *node;
  char              *name;
  gboolean           output;
  gboolean           has_output;
  gboolean           has_projection;
  GPtrArray         *ranks;       /* of char * */
  GPtrArray         *expressions; /* of char * */
} CycAccessDraftUse;

/* An Einsum as it is written. */
typedef struct
{
  const CycYamlNode *node;
  char              *name;
  GPtrArray         *uses;        /* of CycAccessDraftUse */
  const CycYamlNode *space;       /* list of constraints; NULL */
  const CycYamlNode *rank_sizes;  /* map; NULL */
} CycAccessDraft;

void            cyc_access_draft_free (CycAccessDraft      *self);
CycAccessDraft *cyc_access_draft_read (const CycYamlNode   *node,
                                       GError             **error);
gboolean        cyc_access_check_keys (const CycYamlNode   *map,
                                       const char          *what,
                                       const char *const   *known,
                                       GError             **error);
gboolean        cyc_access_read_integer (const CycYamlNode *node,
                                       gint64              *out_value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessDraft, cyc_access_draft_free)

G_END_DECLS
