/* SPDX-License-Identifier: MIT */
#pragma once

#include "support/test-service.h"

G_BEGIN_DECLS

/* A reader of Server-Sent Events that was written from the standard (HTML, "Server-sent events") and knows
 * nothing of the engine. */
typedef struct _TestEvents TestEvents;

TestEvents  *test_events_open        (TestService *service,
                                      const char  *path,
                                      const char  *last_id);
TestEvents  *test_events_open_slow   (TestService *service,
                                      const char  *path,
                                      int          receive_bytes);
void         test_events_free        (TestEvents  *self);
guint        test_events_get_status  (TestEvents  *self);
const char  *test_events_get_head    (TestEvents  *self);
const char  *test_events_get_last_id (TestEvents  *self);
guint        test_events_count_comments (TestEvents *self);
JsonObject  *test_events_next        (TestEvents  *self);
JsonObject  *test_events_next_of     (TestEvents  *self,
                                      const char  *type);
gboolean     test_events_wait_comment (TestEvents *self,
                                       guint        seconds);
void         test_events_shut        (TestEvents  *self);
void         test_events_assert_end  (TestEvents  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestEvents, test_events_free)

G_END_DECLS
