/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/cyc-job.h"

G_BEGIN_DECLS

GStrv cyc_worker_env_make  (const CycJob *job);
GStrv cyc_worker_argv_make (const CycJob *job);

G_END_DECLS
