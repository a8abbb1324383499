/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/cyc-job.h"

G_BEGIN_DECLS

gboolean cyc_job_stage (const CycJob  *job,
                        const char    *folder,
                        GError       **error);

G_END_DECLS
