/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Limits of one chunk. Text counts each line with its end; a chunk of one line may have that one
 * byte more. The JSON limit keeps the body under the API's 1 MiB even if the text is all escapes. */
#define CYC_LOG_CHUNK_MAX_LINES 2000
#define CYC_LOG_CHUNK_MAX_TEXT (256 * 1024)
#define CYC_LOG_CHUNK_MAX_JSON (768 * 1024)

/* Ends every piece of a long line but the last one. */
#define CYC_LOG_LINE_GOES_ON " [cyclescope: line goes on]"

/* So many bytes of a log, if it has them, always hold a whole chunk. */
#define CYC_LOG_READ_SIZE (CYC_LOG_CHUNK_MAX_TEXT + 1024)

/**
 * CycLogEnd:
 * @CYC_LOG_GROWS: more bytes may come: an unfinished last line waits for them
 * @CYC_LOG_ENDED: these are the last bytes: what has no line end is the last line
 */
typedef enum
{
  CYC_LOG_GROWS,
  CYC_LOG_ENDED,
} CycLogEnd;

/**
 * CycLogFrozen:
 * @json: (owned): the body of the LogChunk
 * @raw_len: how many bytes of the log the chunk covers
 * @n_lines: its lines
 * @unterminated: the last line has no end in the log
 * @replaced: bytes that became U+FFFD
 * @pieces: lines that are pieces of a longer one, the last piece not counted
 *
 * A chunk that may be sent. Fill with zeros before the first use, clear with
 * cyc_log_frozen_clear().
 */
typedef struct
{
  GString  *json;
  gsize     raw_len;
  guint     n_lines;
  gboolean  unterminated;
  guint64   replaced;
  guint64   pieces;
} CycLogFrozen;

gboolean       cyc_log_frozen_take           (CycLogFrozen        *self,
                                              const char          *raw,
                                              gsize                len,
                                              CycLogEnd            end,
                                              guint64              seq);
void           cyc_log_frozen_clear          (CycLogFrozen        *self);

typedef struct _CycLogChunker CycLogChunker;

/**
 * CycLogOutputFunc:
 * @bytes: (array length=len): the next bytes of the accepted log
 * @len: how many
 * @user_data: what was given to cyc_log_chunker_new()
 */
typedef void (*CycLogOutputFunc) (const char *bytes,
                                  gsize       len,
                                  gpointer    user_data);

CycLogChunker *cyc_log_chunker_new            (CycLogOutputFunc     func,
                                               gpointer             user_data);
void           cyc_log_chunker_free           (CycLogChunker       *self);
void           cyc_log_chunker_skip           (CycLogChunker       *self,
                                               guint64              output_bytes);
void           cyc_log_chunker_feed           (CycLogChunker       *self,
                                               const char          *bytes,
                                               gsize                len);
void           cyc_log_chunker_finish         (CycLogChunker       *self);
guint64        cyc_log_chunker_get_raw_offset (CycLogChunker       *self);
guint64        cyc_log_chunker_get_to_skip    (CycLogChunker       *self);
guint64        cyc_log_chunker_get_replaced   (CycLogChunker       *self);
guint64        cyc_log_chunker_get_pieces     (CycLogChunker       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycLogChunker, cyc_log_chunker_free)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CycLogFrozen, cyc_log_frozen_clear)

G_END_DECLS
