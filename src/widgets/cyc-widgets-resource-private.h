/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Made by glib-compile-resources. */
void cyc_widgets_register_resource (void);

G_END_DECLS
