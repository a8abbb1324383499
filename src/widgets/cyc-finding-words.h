/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *cyc_finding_words_get (const char *code);

G_END_DECLS
