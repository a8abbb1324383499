/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

/* One word of a configuration file, or the words of one pair of quotes. */
typedef struct
{
  char     *text;   /* valid UTF-8, quotes taken off */
  guint64   line;   /* on which it begins */
  gboolean  quoted;
} CycConfigToken;

GPtrArray *cyc_config_tokens_split    (const char           *text,
                                       gsize                 len,
                                       const char           *source,
                                       CycFindings          *findings);
gboolean   cyc_config_token_is_option (const CycConfigToken *self);

G_END_DECLS
