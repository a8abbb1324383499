/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-source-lines.h"

G_BEGIN_DECLS

/* A parameter of a template: a name that the template reads and does not set itself. */
typedef struct
{
  char     *name;
  char     *fallback; /* what `default (...)` gives, as it is written; NULL if it must be given */
  char     *file;
  guint     line;     /* where it is read first */
} CycTemplateParameter;

GString   *cyc_template_expand          (const char        *file,
                                         const char        *text,
                                         gsize              len,
                                         GHashTable        *parameters,
                                         CycSourceLines   **out_lines,
                                         GError           **error);
GPtrArray *cyc_template_list_parameters (const char        *file,
                                         const char        *text,
                                         gsize              len,
                                         GError           **error);

void       cyc_template_parameter_free  (CycTemplateParameter *self);

G_END_DECLS
