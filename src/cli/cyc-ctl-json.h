/* SPDX-License-Identifier: MIT */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

char *cyc_ctl_json_dup_text (JsonObject *object,
                             const char *member);
char *cyc_ctl_json_dup_time (JsonObject *object,
                             const char *member);
char *cyc_ctl_json_dup_size (JsonObject *object,
                             const char *member);
char *cyc_ctl_json_dup_sentence (JsonObject *sim);
void  cyc_ctl_csv_append    (GString    *out,
                             const char *text,
                             char        end);
void  cyc_ctl_csv_append_node (GString  *out,
                               JsonNode *node,
                               char      end);
void  cyc_ctl_csv_append_member (GString    *out,
                                 JsonObject *object,
                                 const char *member,
                                 char        end);

G_END_DECLS
