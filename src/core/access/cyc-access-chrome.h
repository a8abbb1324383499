/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-access-plan.h"
#include "core/access/cyc-access-work.h"
#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

gboolean cyc_access_chrome_write (const CycAccessPlan  *plan,
                                  const CycAccessWork  *work,
                                  CycJsonSink           sink,
                                  gpointer              user_data,
                                  GError              **error);

G_END_DECLS
