/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char  *cyc_texts_to_json   (const char *const *texts);
GStrv  cyc_texts_from_json (const char        *json);

G_END_DECLS
