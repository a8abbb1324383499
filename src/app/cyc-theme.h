/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _CycTheme CycTheme;

CycTheme *cyc_theme_new  (void);
void      cyc_theme_free (CycTheme *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTheme, cyc_theme_free)

G_END_DECLS
