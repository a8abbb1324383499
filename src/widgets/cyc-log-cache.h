/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-log-source.h"

G_BEGIN_DECLS

#define CYC_TYPE_LOG_CACHE (cyc_log_cache_get_type ())
G_DECLARE_FINAL_TYPE (CycLogCache, cyc_log_cache, CYC, LOG_CACHE, GObject)

/* A line that is longer counts as several. */
#define CYC_LOG_MAX_LINE (256 * 1024)

/**
 * CycLogAnswer:
 * @CYC_LOG_OK: there it is
 * @CYC_LOG_WAIT: bytes are missing, and are being read: ask again at "ready"
 * @CYC_LOG_END: there is no such line
 */
typedef enum
{
  CYC_LOG_OK,
  CYC_LOG_WAIT,
  CYC_LOG_END,
} CycLogAnswer;

/* Signals: "ready" (), when bytes have come or could not be read; "indexed" (), when more lines are
 * counted. */
CycLogCache  *cyc_log_cache_new          (const CycLogSource *source,
                                          gpointer            user_data,
                                          GDestroyNotify      destroy);
void          cyc_log_cache_close        (CycLogCache        *self);
gboolean      cyc_log_cache_update       (CycLogCache        *self);
guint64       cyc_log_cache_get_length   (CycLogCache        *self);
const char   *cyc_log_cache_get_error    (CycLogCache        *self);
CycLogAnswer  cyc_log_cache_find_start   (CycLogCache        *self,
                                          guint64             offset,
                                          guint64            *out_start);
CycLogAnswer  cyc_log_cache_find_next    (CycLogCache        *self,
                                          guint64             start,
                                          guint64            *out_next);
CycLogAnswer  cyc_log_cache_copy         (CycLogCache        *self,
                                          guint64             offset,
                                          gsize               length,
                                          GString            *out);
gboolean      cyc_log_cache_get_line     (CycLogCache        *self,
                                          guint64             start,
                                          guint64            *out_line);
void          cyc_log_cache_count_ahead  (CycLogCache        *self);

G_END_DECLS
