/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* A network between clients and an engine, which can be cut. */
typedef struct _TestProxy TestProxy;

TestProxy *test_proxy_new        (const char *target);
void       test_proxy_free       (TestProxy  *self);
char      *test_proxy_dup_url    (TestProxy  *self);
void       test_proxy_set_target (TestProxy  *self,
                                  const char *target);
void       test_proxy_cut        (TestProxy  *self);
void       test_proxy_cut_after  (TestProxy  *self,
                                  guint64     n_bytes);
guint64    test_proxy_get_sent   (TestProxy  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestProxy, test_proxy_free)

G_END_DECLS
