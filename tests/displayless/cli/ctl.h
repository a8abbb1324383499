/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* What a run of cyclescopectl left. */
typedef struct
{
  int   status; /* exit status; -1 if a signal ended it */
  char *out;
  gsize out_len;
  char *err;
} Ctl;

typedef struct
{
  char *folder;    /* a fresh one, for all that a test writes */
  char *workspace; /* inside it, not created */
} CtlSpace;

Ctl      *ctl_run             (CtlSpace    *space,
                               ...) G_GNUC_NULL_TERMINATED;
GSubprocess *ctl_start        (CtlSpace    *space,
                               const char  *const *words);
Ctl      *ctl_finish          (GSubprocess *process);
Ctl      *ctl_run_words       (CtlSpace    *space,
                               const char  *const *words);
void      ctl_free            (Ctl         *self);
char     *ctl_get_last_line   (const Ctl   *self);
void      ctl_assert_failed   (const Ctl   *self,
                               int          status,
                               const char  *last_line);
CtlSpace *ctl_space_new       (void);
void      ctl_space_free      (CtlSpace    *self);
void      ctl_space_stop_engine (CtlSpace  *self,
                               int          signal);
char     *ctl_space_get_path  (CtlSpace    *self,
                               const char  *name);
char     *ctl_space_write     (CtlSpace    *self,
                               const char  *name,
                               const char  *text);
char     *ctl_get_sample      (void);
char     *ctl_take_line       (const Ctl   *self);
char     *ctl_get_sims        (CtlSpace    *space,
                               const char  *run,
                               const char  *member);
void      ctl_wait_for_sims   (CtlSpace    *space,
                               const char  *run,
                               const char  *states);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Ctl, ctl_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CtlSpace, ctl_space_free)

G_END_DECLS
