/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CycApiRange:
 * @CYC_API_RANGE_NONE: no range that is understood: answer with all of it
 * @CYC_API_RANGE_GOOD: one range inside the file
 * @CYC_API_RANGE_BAD: a range that begins behind the end (416)
 *
 * What cyc_api_range_parse() found.
 */
typedef enum
{
  CYC_API_RANGE_NONE,
  CYC_API_RANGE_GOOD,
  CYC_API_RANGE_BAD,
} CycApiRange;

gboolean    cyc_api_host_is_allowed   (const char         *host,
                                       const char *const  *addresses);
char       *cyc_api_bearer_token      (const char         *authorization);
char       *cyc_api_token_digest      (const char         *token);
gboolean    cyc_api_token_equal       (const char         *a,
                                       const char         *b);
gboolean    cyc_api_content_range_parse (const char       *range,
                                         guint64            *out_first,
                                         guint64            *out_last,
                                         guint64            *out_total);
CycApiRange cyc_api_range_parse       (const char         *range,
                                       guint64             size,
                                       guint64            *out_first,
                                       guint64            *out_length);

G_END_DECLS
