/* SPDX-License-Identifier: MIT */
#pragma once

#include "support/test-service.h"

G_BEGIN_DECLS

/* Simulations without a worker of ours, in states of the test's choice: the first sim of the run holds
 * the only place, and what the database says of the others is changed between two engines. */
typedef struct
{
  TestService *service;
  char        *run_id;
  guint        n;
  char       **ids;
} ForeignSims;

void     foreign_sims_start (ForeignSims       *self,
                             const char *const *states,
                             guint              n);
void     foreign_sims_clear (ForeignSims       *self);
char    *foreign_sims_state (ForeignSims       *self,
                             guint              index);
char    *foreign_sims_beat  (ForeignSims       *self,
                             guint              index,
                             const char        *body,
                             gboolean          *out_cancel);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ForeignSims, foreign_sims_clear)

G_END_DECLS
