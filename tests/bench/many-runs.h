/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A workspace with 1,000 runs of six simulations and 204,000 kernels. */
#define MANY_RUNS 1000
#define MANY_RUNS_SIMS 6
#define MANY_RUNS_KERNELS 34

void many_runs_fill         (const char *folder);
void many_runs_fill_long    (const char *folder);
void many_runs_fill_kernels (const char *folder);

G_END_DECLS
