/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

void        cyc_recent_add_workspace (const char *folder);
void        cyc_recent_add_trace     (const char *path);
void        cyc_recent_add_document  (const char *path);
GMenuModel *cyc_recent_create_menu   (void);
GMenuModel *cyc_recent_create_document_menu (void);

G_END_DECLS
