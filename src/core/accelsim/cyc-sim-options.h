/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * CycSimOption:
 * @name: with its dash
 * @value: what the simulator ran with
 * @help: what the simulator says about it; empty if nothing
 *
 * An option of a simulator, as its log has it.
 */
typedef struct
{
  char *name;
  char *value;
  char *help;
} CycSimOption;

void        cyc_sim_option_free       (CycSimOption  *self);
GHashTable *cyc_sim_options_read      (const char    *path,
                                       guint64        length,
                                       GCancellable  *cancellable,
                                       GError       **error);
GPtrArray  *cyc_sim_options_read_dump (const char    *path,
                                       guint64        length,
                                       GCancellable  *cancellable,
                                       GError       **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycSimOption, cyc_sim_option_free)

G_END_DECLS
