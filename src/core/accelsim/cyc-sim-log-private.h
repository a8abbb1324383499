/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-sim-log.h"
#include "core/accelsim/cyc-sim-rows-private.h"

G_BEGIN_DECLS

/* A kernel between its `launching` line and its block. */
typedef struct
{
  char    *name;
  guint64  ctas;        /* 0 if unknown */
  guint    launched_at; /* blocks seen before */
} CycSimLaunch;

/* The echoed header of a trace whose kernel has not been launched yet. */
typedef struct
{
  char     *name;
  guint64   ctas;
  gboolean  has_stream;
  guint64   stream;
} CycSimHeader;

struct _CycSimLog
{
  CycSimLogFlags      flags;
  CycSimLogCallbacks  callbacks;
  gpointer            user_data;
  CycSimLogSummary    summary;

  GByteArray         *pending;      /* the unfinished line, at most MAX_LINE of it */
  gsize               pending_len;  /* its true length */
  char                last_line[513];
  guint64             line_begin;   /* of the line that is read, in bytes */
  gboolean            may_have_holes; /* bytes were met that a hole may be made of */

  gboolean            seen_simulator; /* a line of the simulator's own: what comes is not foreign */
  gboolean            in_options;
  gboolean            in_block;
  CycSimBlock         block;
  GString            *block_text;
  gboolean            block_text_lost;
  gboolean            capped;       /* a cap was reached: blocks that come are of what it cut */
  gboolean            last_was_complete; /* the last block handed out was not partial */
  guint               launched_before;   /* launches when it was handed out */
  CycSimRows          rows;         /* of the present block */
  CycSimUsualRows     usual_rows;   /* of the blocks before */
  double              last_total;   /* cycles since the start, as printed last */

  GHashTable         *launches;     /* uid (gint64) -> CycSimLaunch */
  GQueue             *headers;      /* of CycSimHeader */
  CycSimHeader       *header;       /* being echoed */
  gboolean            has_destroyed;
  guint64             destroyed_uid;
  guint               most_in_flight; /* since the last block */
  gboolean            has_error;      /* a line that tells why the simulator ends was seen */
};

typedef void (*CycSimTextFunc) (CycSimLog  *self,
                                const char *bytes,
                                gsize       len);

void cyc_sim_launch_free     (CycSimLaunch   *self);
void cyc_sim_header_free     (CycSimHeader   *self);
void cyc_sim_block_clear     (CycSimBlock    *self);

void cyc_sim_log_outer_line  (CycSimLog      *self,
                              const char     *line,
                              gsize           len,
                              guint64         begin);
void cyc_sim_log_block_line  (CycSimLog      *self,
                              const char     *line,
                              gsize           len,
                              guint64         begin);
void cyc_sim_log_begin_block (CycSimLog      *self,
                              const char     *names,
                              gsize           len,
                              guint64         begin);
void cyc_sim_log_end_block   (CycSimLog      *self,
                              gboolean        complete,
                              guint64         end);
gboolean cyc_sim_log_is_whole_end (const char *line,
                                   gsize       len);
void cyc_sim_log_mark_limit  (CycSimLog      *self);
void cyc_sim_log_cut_line    (CycSimLog      *self,
                              const char     *line,
                              gsize           len);
void cyc_sim_log_liveness    (CycSimLog      *self,
                              const char     *line,
                              gsize           len);
void cyc_sim_log_before_line (CycSimLog      *self,
                              const char     *line,
                              gsize           len,
                              CycSimTextFunc  add);

void     cyc_sim_log_mark          (CycSimLog   *self,
                                    CycSimMark   mark);
void     cyc_sim_log_forget_errors (CycSimLog   *self);
void     cyc_sim_log_error_line    (CycSimLog   *self,
                                    const char  *line,
                                    gsize        len);

void        cyc_sim_line_keep_once    (const char **field,
                                       const char  *text,
                                       gsize        len);
const char *cyc_sim_line_find_last    (const char  *line,
                                       gsize        len,
                                       const char  *what);
gboolean    cyc_sim_line_number_after (const char  *line,
                                       gsize        len,
                                       const char  *key,
                                       guint64     *out_value);
gboolean cyc_sim_line_starts (const char     *line,
                              gsize           len,
                              const char     *prefix,
                              gsize           prefix_len);
char    *cyc_sim_line_dup    (const char     *text,
                              gsize           len);

/* The rest of a line that starts with a literal, as two arguments. */
#define REST_OF(key) line + sizeof (key) - 1, len - (sizeof (key) - 1)
#define STARTS(line, len, text) cyc_sim_line_starts ((line), (len), (text), sizeof (text) - 1)

G_END_DECLS
