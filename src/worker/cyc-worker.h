/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/cyc-job.h"

G_BEGIN_DECLS

int cyc_worker_run (CycJob *job);

G_END_DECLS
