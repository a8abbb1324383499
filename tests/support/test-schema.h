/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Whether JSON is what an OpenAPI 3.1 document says of it: as much of JSON Schema as such a document of ours uses;
 * a keyword that is not known fails. A member that the schema does not list is an error. */
char       *test_schema_explain   (JsonObject *document,
                                   JsonObject *schema,
                                   JsonNode   *node);
JsonObject *test_schema_find      (JsonObject *document,
                                   const char *method,
                                   const char *path,
                                   const char *status,
                                   const char *media);

G_END_DECLS
