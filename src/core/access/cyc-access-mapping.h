/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-yaml.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_ACCESS_TEMPORAL,
  CYC_ACCESS_SPATIAL,
  CYC_ACCESS_STORAGE,
  CYC_ACCESS_COMPUTE,
  CYC_ACCESS_NESTED,
  CYC_ACCESS_SEQUENTIAL,
  CYC_ACCESS_PIPELINE,
  CYC_ACCESS_SPLIT,
  CYC_ACCESS_PASSED, /* Toll, Reservation, TextBox, and what is not known */
} CycAccessNodeKind;

/* A node of a mapping, and what is below it. */
typedef struct
{
  CycAccessNodeKind  kind;
  const char        *tag;       /* without `!`, as it is written */
  const char        *file;
  guint              line;
  GStrv              variables; /* of a loop; one unless the file has a list of more or of none */
  gint64             tile;      /* of a loop: at least 1 */
  gint64             initial;   /* of a loop: at least 1; 0 if it has none */
  char              *name;      /* of a spatial loop; NULL */
  char              *component; /* NULL */
  char              *einsum;    /* of a compute */
  GStrv              tensors;   /* of a storage */
  GPtrArray         *children;  /* of CycAccessNode; NULL if it has none */
  const CycYamlNode *source;    /* what it was read from */
} CycAccessNode;

/* What is worth a word, but no error. */
typedef struct
{
  char  *file; /* NULL */
  guint  line; /* 0 */
  char  *text;
} CycAccessWarning;

CycAccessNode *cyc_access_mapping_read   (const CycYamlNode    *node,
                                          GPtrArray            *warnings,
                                          GError              **error);
void           cyc_access_node_free      (CycAccessNode        *self);
gboolean       cyc_access_node_is_loop   (const CycAccessNode  *self);
gboolean       cyc_access_node_is_split  (const CycAccessNode  *self);
const CycAccessNode *cyc_access_node_get_continuation (const CycAccessNode *self);
char          *cyc_access_node_dup_label (const CycAccessNode  *self);

void           cyc_access_warning_free   (CycAccessWarning     *self);
void           cyc_access_warning_add    (GPtrArray            *warnings,
                                          const char           *file,
                                          guint                 line,
                                          const char           *format,
                                          ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycAccessNode, cyc_access_node_free)

G_END_DECLS
