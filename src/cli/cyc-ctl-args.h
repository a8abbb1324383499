/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"

G_BEGIN_DECLS

/* The only code of this domain: exit status 2. Everything else exits with 1. */
#define CYC_CTL_USAGE_ERROR (cyc_ctl_usage_error_quark ())

GQuark                cyc_ctl_usage_error_quark      (void);

CycCtlArgs           *cyc_ctl_args_parse             (int                 argc,
                                                      char              **argv,
                                                      GError            **error);
void                  cyc_ctl_args_free              (CycCtlArgs         *self);
gboolean              cyc_ctl_args_check             (CycCtlArgs         *self,
                                                      GError            **error);
const CycCtlCommand  *cyc_ctl_args_get_command       (CycCtlArgs         *self);
const char           *cyc_ctl_args_get_group         (CycCtlArgs         *self);
const char           *cyc_ctl_args_get_argument      (CycCtlArgs         *self,
                                                      guint               index);
gboolean              cyc_ctl_args_has               (CycCtlArgs         *self,
                                                      const char         *option);
const char           *cyc_ctl_args_get               (CycCtlArgs         *self,
                                                      const char         *option);
const char *const    *cyc_ctl_args_get_list          (CycCtlArgs         *self,
                                                      const char         *option);
gboolean              cyc_ctl_args_get_int           (CycCtlArgs         *self,
                                                      const char         *option,
                                                      gint64              minimum,
                                                      gint64              maximum,
                                                      gint64             *out_value,
                                                      GError            **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlArgs, cyc_ctl_args_free)

G_END_DECLS
