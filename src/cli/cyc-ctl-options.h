/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib/gi18n.h>

#include "cli/cyc-ctl-command.h"

/* Options that several commands have. */

#define CYC_CTL_OPTION_OUTPUT \
  { "output", 'o', CYC_CTL_VALUE, "FILE", N_("write there instead of to standard output") }
#define CYC_CTL_OPTION_JSON \
  { "json", 0, CYC_CTL_FLAG, NULL, N_("write JSON instead of a table") }
#define CYC_CTL_OPTION_JSON_ALWAYS \
  { "json", 0, CYC_CTL_FLAG, NULL, N_("write JSON on a terminal too") }
#define CYC_CTL_OPTION_FORMAT \
  { "format", 0, CYC_CTL_CHOICE, "json|csv", N_("form of the output; default json") }
