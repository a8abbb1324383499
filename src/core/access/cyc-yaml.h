/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-source-lines.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_YAML_SCALAR,
  CYC_YAML_LIST,
  CYC_YAML_MAP,
} CycYamlKind;

typedef struct _CycYamlNode CycYamlNode;

/* A node and what is below it. An alias is the node that it names. Belongs to its document. */
struct _CycYamlNode
{
  CycYamlKind   kind;
  const char   *tag;    /* a local tag, `!Name`; NULL for none */
  const char   *file;
  guint         line;   /* in @file, from 1 */
  const char   *text;   /* of a scalar; "" else */
  gboolean      plain;  /* a scalar without quotes */
  guint         n_items;
  CycYamlNode **items;  /* of a list, and the values of a map */
  CycYamlNode **keys;   /* of a map: scalars */
  guint64       weight; /* nodes in it, with those of aliases */
};

typedef struct _CycYaml CycYaml;

CycYaml           *cyc_yaml_parse      (const char         *text,
                                        gsize               len,
                                        CycSourceLines     *lines,
                                        GError            **error);
void               cyc_yaml_free       (CycYaml            *self);
const CycYamlNode *cyc_yaml_get_root   (const CycYaml      *self);

const CycYamlNode *cyc_yaml_node_get     (const CycYamlNode  *map,
                                          const char         *key);
gboolean           cyc_yaml_node_is_null (const CycYamlNode  *node);
gboolean           cyc_yaml_node_is_empty (const CycYamlNode *node);
gboolean           cyc_yaml_node_is_bool (const CycYamlNode  *node,
                                          gboolean           *out_value);
const char        *cyc_yaml_node_describe (const CycYamlNode *node);
void               cyc_yaml_node_error   (const CycYamlNode  *node,
                                          GError            **error,
                                          const char         *format,
                                          ...) G_GNUC_PRINTF (3, 4);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycYaml, cyc_yaml_free)

G_END_DECLS
