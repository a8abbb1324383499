/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

void cyc_task_run_in_thread (GTask           *task,
                             GTaskThreadFunc  func);

G_END_DECLS
