/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-interrupt.h"
#include "cli/cyc-ctl-progress.h"
#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"

G_BEGIN_DECLS

#define CYC_CTL_ACCESS_MAX_FILES 1000

/* What the commands of `access` have in common. */
#define CYC_CTL_ACCESS_OPTIONS \
  { "tensor", 0, CYC_CTL_LIST, "T", N_("trace only this tensor") }, \
  { "einsum", 0, CYC_CTL_LIST, "E", N_("trace only this Einsum; time is counted as if all ran") }, \
  { "max-timesteps", 0, CYC_CTL_VALUE, "N", N_("trace only the first N timesteps") }, \
  { "max-points", 0, CYC_CTL_VALUE, "N", N_("fail if an Einsum has more points than that") }, \
  { "iterations", 0, CYC_CTL_CHOICE, "nested|bounds", \
    N_("turns of a loop: to the end of the tile around it, or of the whole rank; default nested") }, \
  { "set", 0, CYC_CTL_LIST, "NAME=VALUE", N_("the value of a parameter of the templates") }

/* The inputs of a command, read and planned. */
typedef struct
{
  CycAccessOptions options;
  GHashTable      *parameters;
  CycAccessSpec   *spec;
  CycAccessPlan   *plan;
  CycAccessWork    work;
  CycCtlProgress  *progress;
  CycCtlInterrupt *interrupt;
} CycCtlAccess;

CycCtlAccess *cyc_ctl_access_read          (CycCtlApp           *app,
                                            GError             **error);
void          cyc_ctl_access_free          (CycCtlAccess        *self);
void          cyc_ctl_access_tell_warnings (const CycCtlAccess  *self);
void          cyc_ctl_access_tell          (const CycCtlAccess  *self,
                                            const char          *text);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycCtlAccess, cyc_ctl_access_free)

G_END_DECLS
