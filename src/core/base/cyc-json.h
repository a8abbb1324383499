/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

JsonNode   *cyc_json_parse             (const char  *text,
                                        gsize        len,
                                        const char  *source,
                                        GError     **error);
JsonNode   *cyc_json_parse_file        (const char  *path,
                                        gsize        limit,
                                        GError     **error);
JsonObject *cyc_json_node_get_object   (JsonNode    *node);
const char *cyc_json_node_get_string   (JsonNode    *node);
char      **cyc_json_dup_strings       (JsonArray   *array);
const char *cyc_json_get_string        (JsonObject  *object,
                                        const char  *member);
gboolean    cyc_json_get_int           (JsonObject  *object,
                                        const char  *member,
                                        gint64      *out_value);
gboolean    cyc_json_get_double        (JsonObject  *object,
                                        const char  *member,
                                        double      *out_value);
gboolean    cyc_json_get_boolean       (JsonObject  *object,
                                        const char  *member,
                                        gboolean    *out_value);
JsonArray  *cyc_json_get_array         (JsonObject  *object,
                                        const char  *member);
JsonObject *cyc_json_get_object        (JsonObject  *object,
                                        const char  *member);

G_END_DECLS
