/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Ctrl-C and SIGTERM as a cancellable, while it lives. */
typedef struct _CycCtlInterrupt CycCtlInterrupt;

CycCtlInterrupt *cyc_ctl_interrupt_new             (void);
void             cyc_ctl_interrupt_free            (CycCtlInterrupt *self);
GCancellable    *cyc_ctl_interrupt_get_cancellable (CycCtlInterrupt *self);
void             cyc_ctl_interrupt_pause           (GCancellable    *cancellable,
                                                    guint            ms);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlInterrupt, cyc_ctl_interrupt_free)

G_END_DECLS
