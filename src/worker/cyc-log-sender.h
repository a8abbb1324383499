/* SPDX-License-Identifier: MIT */
#pragma once

#include "worker/cyc-engine-link.h"

G_BEGIN_DECLS

typedef struct _CycLogSender CycLogSender;

/**
 * CycLogSentFunc:
 * @user_data: what was given to cyc_log_sender_new()
 *
 * The log has ended and the engine has all of it, or cyc_log_sender_get_trouble() says why not.
 */
typedef void (*CycLogSentFunc) (gpointer user_data);

CycLogSender *cyc_log_sender_new          (CycEngineLink  *link,
                                           const char     *log_path,
                                           const char     *state_path,
                                           CycLogSentFunc  func,
                                           gpointer        user_data,
                                           GError        **error);
void          cyc_log_sender_free         (CycLogSender   *self);
void          cyc_log_sender_start        (CycLogSender   *self);
void          cyc_log_sender_finish       (CycLogSender   *self);
void          cyc_log_sender_cancel       (CycLogSender   *self);
guint64       cyc_log_sender_get_replaced (CycLogSender   *self);
guint64       cyc_log_sender_get_pieces   (CycLogSender   *self);
const char   *cyc_log_sender_get_trouble  (CycLogSender   *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycLogSender, cyc_log_sender_free)

G_END_DECLS
