/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CycLogChunk:
 * @seq: its number
 * @n_lines: how many lines it has
 * @unterminated: the last line has no end (ours)
 * @text: (owned): the lines, each with a line end but an unterminated last one: the bytes to append
 *
 * A LogChunk of the simulation service, read.
 */
typedef struct
{
  guint64   seq;
  guint     n_lines;
  gboolean  unterminated;
  GString  *text;
} CycLogChunk;

CycLogChunk *cyc_log_chunk_decode     (const char   *body,
                                       gsize         len,
                                       GError      **error);
void         cyc_log_chunk_free       (CycLogChunk  *self);

void         cyc_log_chunk_begin_json (GString      *json,
                                       guint64       seq);
void         cyc_log_chunk_add_json   (GString      *json,
                                       const char   *line,
                                       gsize         len,
                                       guint         index);
void         cyc_log_chunk_end_json   (GString      *json,
                                       gboolean      unterminated);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycLogChunk, cyc_log_chunk_free)

G_END_DECLS
