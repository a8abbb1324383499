/* SPDX-License-Identifier: MIT */
#pragma once

#include "display.h"

G_BEGIN_DECLS

void display_check_names (GtkWidget  *root,
                          const char *what);
void display_check_keys  (GtkWidget  *window,
                          const char *what);

G_END_DECLS
