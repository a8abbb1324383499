/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Written by glib-compile-resources. */
void cyc_app_register_resource (void);

G_END_DECLS
