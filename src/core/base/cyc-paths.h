/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cyc_paths_find_program     (const char *name);
char *cyc_paths_get_locale_dir   (void);
char *cyc_paths_get_samples      (void);
char *cyc_paths_get_workspace    (void);

G_END_DECLS
