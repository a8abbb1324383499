/* SPDX-License-Identifier: MIT */
#pragma once

#include "support/test-folder.h"

G_BEGIN_DECLS

/* Small traces, written by hand. */
void  test_trace_write_kernel (TestFolder  folder,
                               const char *name,
                               int         binary_version,
                               const char *extra);
void  test_trace_write_text   (TestFolder  folder,
                               const char *name,
                               const char *text);
char *test_trace_compress     (const char *text,
                               gsize       len,
                               gsize      *out_len);

G_END_DECLS
