/* SPDX-License-Identifier: MIT */
#pragma once

#include "support/test-service.h"

G_BEGIN_DECLS

/* Requests that go over the wire as they stand. */
typedef struct
{
  guint   status;
  char   *head;    /* with the empty line that ends it */
  GBytes *body;
} TestAnswer;

GSocketConnection *test_raw_connect    (TestService *service);
void               test_raw_send       (GSocketConnection *connection,
                                        const void  *bytes,
                                        gsize        len);
char              *test_raw_make_head  (TestService *service,
                                        const char  *method,
                                        const char  *target,
                                        const char  *fields);
TestAnswer        *test_raw_ask        (TestService *service,
                                        const char  *method,
                                        const char  *target,
                                        const char  *fields,
                                        const void  *body,
                                        gsize        len);
TestAnswer        *test_raw_try        (TestService *service,
                                        const char  *method,
                                        const char  *target,
                                        const char  *fields,
                                        const void  *body,
                                        gsize        len);
TestAnswer        *test_raw_read       (GSocketConnection *connection);
void               test_raw_cut        (TestService *service,
                                        const char  *method,
                                        const char  *target,
                                        const char  *fields,
                                        gsize        announced,
                                        const void  *body,
                                        gsize        len);
char              *test_answer_field   (TestAnswer  *self,
                                        const char  *name);
void               test_answer_free    (TestAnswer  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestAnswer, test_answer_free)

G_END_DECLS
