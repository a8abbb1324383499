/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *cyc_kernel_label_shorten (const char *name);

G_END_DECLS
