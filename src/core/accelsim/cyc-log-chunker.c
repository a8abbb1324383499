/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-log-chunker.h"

#include <string.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/base/cyc-util.h"

/* The mapping from the bytes of a log to lines on the wire. It depends on the bytes alone, and it
 * goes from front to back without looking behind: from any line end or cut on, the rest of the log
 * maps as if it began there. So a chunk is a range of bytes, and whoever knows how much has been
 * accepted can go on, whatever the sizes of the reads were.
 *
 * A unit is one valid character, or one byte that becomes U+FFFD. Text is never shorter than the
 * bytes it stands for, and at most three times as long; its JSON is at most six times as long. */

#define REPLACEMENT_LEN 3
#define MARKER_LEN (sizeof CYC_LOG_LINE_GOES_ON - 1)
/* Lines up to here cannot reach a limit, whatever they hold: they need no counting. */
#define SAFE_LEN (CYC_LOG_CHUNK_MAX_TEXT / REPLACEMENT_LEN)
/* Within so many bytes a line has ended or is over the limit, an unfinished unit included. */
#define WINDOW (CYC_LOG_CHUNK_MAX_TEXT + 8)

typedef enum
{
  SCAN_MORE,  /* the line may go on in bytes that are not here yet */
  SCAN_LINE,  /* a line with its end */
  SCAN_PIECE, /* the first piece of a line over the limit */
  SCAN_TAIL,  /* the last line, without an end */
} ScanKind;

/* How far a line has been looked at, so that bytes that come in drops are not counted again. */
typedef struct
{
  gsize searched; /* no line end before this */
  gsize pos;      /* units counted up to here */
  gsize text;     /* bytes of text they make */
  gsize json;     /* bytes of JSON they make */
  gsize cut;      /* where the line is cut if it turns out too long */
} LineScan;

static gsize
json_len_of_byte (guint8 c)
{
  if (c == '"' || c == '\\' || c == '\t' || c == '\r' || c == '\n')
    return 2;
  return c < 0x20 || c == 0x7f ? 6 : 1;
}

/* The unit at @p: its length in the log, 0 if it needs bytes that are not here yet. */
static gsize
next_unit (const guint8 *p,
           gsize         left,
           gboolean      whole,
           gsize        *out_text,
           gsize        *out_json)
{
  if (*p != 0 && *p < 0x80)
    {
      *out_text = 1;
      *out_json = json_len_of_byte (*p);
      return 1;
    }
  gunichar c = *p == 0 ? (gunichar) -1
                       : g_utf8_get_char_validated ((const char *) p, (gssize) MIN (left, 6));
  if (c == (gunichar) -2 && !whole)
    return 0;
  if (c == (gunichar) -1 || c == (gunichar) -2)
    {
      *out_text = *out_json = REPLACEMENT_LEN;
      return 1;
    }
  *out_text = *out_json = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  return *out_text;
}

/* Counts units up to @stop. Returns TRUE as soon as the line is known to be over a limit. */
static gboolean
is_too_long (LineScan     *scan,
             const guint8 *raw,
             gsize         stop,
             gboolean      whole)
{
  while (scan->pos < stop)
    {
      gsize text, json;
      gsize n = next_unit (raw + scan->pos, stop - scan->pos, whole, &text, &json);
      if (n == 0)
        return FALSE;
      scan->pos += n;
      scan->text += text;
      scan->json += json;
      if (scan->text <= CYC_LOG_CHUNK_MAX_TEXT - MARKER_LEN &&
          scan->json <= CYC_LOG_CHUNK_MAX_JSON - MARKER_LEN)
        scan->cut = scan->pos;
      if (scan->text > CYC_LOG_CHUNK_MAX_TEXT || scan->json > CYC_LOG_CHUNK_MAX_JSON)
        return TRUE;
    }
  return FALSE;
}

/* Looks for the end of the line that begins at @raw. @out_len is the length of the line or piece
 * without its end. */
static ScanKind
scan_line (LineScan   *scan,
           const char *raw,
           gsize       len,
           CycLogEnd   end,
           gsize      *out_len)
{
  if (len == 0)
    return SCAN_MORE;
  gsize window = MIN (len, WINDOW);
  const char *newline = memchr (raw + scan->searched, '\n', window - scan->searched);
  gsize stop = newline == NULL ? window : (gsize) (newline - raw);
  gboolean whole = newline != NULL || (end == CYC_LOG_ENDED && window == len);

  if (stop > SAFE_LEN && is_too_long (scan, (const guint8 *) raw, stop, whole))
    {
      *out_len = scan->cut;
      return SCAN_PIECE;
    }
  *out_len = stop;
  if (newline != NULL)
    return SCAN_LINE;
  scan->searched = window;
  return end == CYC_LOG_ENDED ? SCAN_TAIL : SCAN_MORE;
}

/* The text of a line or piece: the bytes themselves where they are clean, else @scratch. */
static const char *
map_text (ScanKind    kind,
          const char *raw,
          gsize       len,
          GString    *scratch,
          gsize      *out_len,
          guint64    *replaced)
{
  if (kind != SCAN_PIECE && g_utf8_validate_len (raw, len, NULL))
    {
      *out_len = len;
      return raw;
    }
  g_string_truncate (scratch, 0);
  *replaced += cyc_utf8_append (scratch, raw, len);
  if (kind == SCAN_PIECE)
    g_string_append_len (scratch, CYC_LOG_LINE_GOES_ON, MARKER_LEN);
  *out_len = scratch->len;
  return scratch->str;
}

/**
 * cyc_log_frozen_take:
 * @self: where to put the chunk; what it held is lost
 * @raw: (array length=len): bytes of the simulator's log from where the last chunk ended
 * @len: how many; no chunk needs more than %CYC_LOG_READ_SIZE
 * @end: whether the log goes on behind @raw
 * @seq: the number of the chunk
 *
 * Takes the next chunk from a log: whole lines, as many as the limits allow. The worker's side of
 * `docs/design.md`, "Simulator logs".
 *
 * Returns: %FALSE if there is no whole line yet, or with %CYC_LOG_ENDED if nothing is left
 */
gboolean
cyc_log_frozen_take (CycLogFrozen *self,
                     const char   *raw,
                     gsize         len,
                     CycLogEnd     end,
                     guint64       seq)
{
  g_return_val_if_fail (self != NULL, FALSE);
  g_return_val_if_fail (raw != NULL || len == 0, FALSE);

  g_autoptr (GString) scratch = g_string_new (NULL);
  gsize text_total = 0;
  ScanKind kind = SCAN_LINE;

  cyc_log_frozen_clear (self);
  self->json = g_string_sized_new (MIN (len + len / 8, CYC_LOG_CHUNK_MAX_JSON) + 64);
  cyc_log_chunk_begin_json (self->json, seq);
  while (self->n_lines < CYC_LOG_CHUNK_MAX_LINES && kind != SCAN_TAIL)
    {
      LineScan scan = { 0 };
      gsize raw_len, text_len;
      guint64 replaced = 0;
      kind = scan_line (&scan, raw + self->raw_len, len - self->raw_len, end, &raw_len);
      if (kind == SCAN_MORE)
        break;
      const char *text = map_text (kind, raw + self->raw_len, raw_len, scratch, &text_len, &replaced);
      gsize json_len = self->json->len;
      cyc_log_chunk_add_json (self->json, text, text_len, self->n_lines);
      text_total += text_len + 1;
      if (self->n_lines > 0 &&
          (text_total > CYC_LOG_CHUNK_MAX_TEXT || self->json->len > CYC_LOG_CHUNK_MAX_JSON))
        {
          g_string_truncate (self->json, json_len);
          kind = SCAN_MORE;
          break;
        }
      self->raw_len += raw_len + (kind == SCAN_LINE ? 1 : 0);
      self->n_lines++;
      self->replaced += replaced;
      self->pieces += kind == SCAN_PIECE ? 1 : 0;
    }
  self->unterminated = kind == SCAN_TAIL;
  cyc_log_chunk_end_json (self->json, self->unterminated);
  return self->n_lines > 0;
}

/**
 * cyc_log_frozen_clear:
 * @self: a chunk
 *
 * Frees what it holds and makes it empty.
 */
void
cyc_log_frozen_clear (CycLogFrozen *self)
{
  g_return_if_fail (self != NULL);

  if (self->json != NULL)
    g_string_free (self->json, TRUE);
  memset (self, 0, sizeof *self);
}

struct _CycLogChunker
{
  CycLogOutputFunc  func;
  gpointer          user_data;
  GByteArray       *pending; /* the unfinished last line, from its beginning or its last cut */
  LineScan          scan;    /* of the line in pending */
  GString          *scratch;
  guint64           raw_offset;
  guint64           to_skip;
  guint64           replaced;
  guint64           pieces;
};

/**
 * cyc_log_chunker_new:
 * @func: takes the output
 * @user_data: for @func
 *
 * Turns the bytes of a simulator's log into those of the engine's own log: every line that the
 * worker would send, followed by a line end. With it the engine takes over the log of a worker that
 * is dead: skip as many bytes as it has, feed the file from its beginning, append what comes out.
 *
 * Returns: (transfer full): a chunker, for one thread at a time
 */
CycLogChunker *
cyc_log_chunker_new (CycLogOutputFunc func,
                     gpointer         user_data)
{
  g_return_val_if_fail (func != NULL, NULL);

  CycLogChunker *self = g_new0 (CycLogChunker, 1);
  self->func = func;
  self->user_data = user_data;
  self->pending = g_byte_array_new ();
  self->scratch = g_string_new (NULL);
  return self;
}

/**
 * cyc_log_chunker_free:
 * @self: (transfer full): a chunker
 *
 * Drops it, and an unfinished last line with it.
 */
void
cyc_log_chunker_free (CycLogChunker *self)
{
  g_return_if_fail (self != NULL);

  g_byte_array_unref (self->pending);
  g_string_free (self->scratch, TRUE);
  g_free (self);
}

/**
 * cyc_log_chunker_skip:
 * @self: a chunker
 * @output_bytes: how many bytes of output to keep back from now on
 *
 * Lets the next output pass unseen: what the engine's log holds already.
 */
void
cyc_log_chunker_skip (CycLogChunker *self,
                      guint64        output_bytes)
{
  g_return_if_fail (self != NULL);

  self->to_skip += output_bytes;
}

static void
put (CycLogChunker *self,
     const char    *bytes,
     gsize          len)
{
  gsize skipped = (gsize) MIN (self->to_skip, (guint64) len);

  self->to_skip -= skipped;
  if (len > skipped)
    self->func (bytes + skipped, len - skipped, self->user_data);
}

static void
put_line (CycLogChunker *self,
          ScanKind       kind,
          const char    *raw,
          gsize          len)
{
  gsize text_len;
  const char *text = map_text (kind, raw, len, self->scratch, &text_len, &self->replaced);

  /* With its end in one piece: whoever takes it counts lines by what comes at once. */
  if (text != self->scratch->str)
    {
      g_string_truncate (self->scratch, 0);
      g_string_append_len (self->scratch, text, (gssize) text_len);
    }
  if (kind != SCAN_TAIL)
    g_string_append_c (self->scratch, '\n');
  put (self, self->scratch->str, self->scratch->len);
  if (kind == SCAN_PIECE)
    self->pieces++;
}

/* Puts out all lines that end in @raw. Neighbouring clean lines go out together. Returns how many
 * bytes were used. */
static gsize
take_lines (CycLogChunker *self,
            const char    *raw,
            gsize          len,
            CycLogEnd      end)
{
  gsize pos = 0;
  gsize clean_from = 0;

  while (pos < len)
    {
      gsize line_len;
      ScanKind kind = scan_line (&self->scan, raw + pos, len - pos, end, &line_len);
      if (kind == SCAN_MORE)
        break;
      self->scan = (LineScan) { 0 };
      gsize next = pos + line_len + (kind == SCAN_LINE ? 1 : 0);
      if (kind != SCAN_LINE || !g_utf8_validate_len (raw + pos, line_len, NULL))
        {
          put (self, raw + clean_from, pos - clean_from);
          put_line (self, kind, raw + pos, line_len);
          clean_from = next;
        }
      pos = next;
    }
  put (self, raw + clean_from, pos - clean_from);
  self->raw_offset += pos;
  return pos;
}

/**
 * cyc_log_chunker_feed:
 * @self: a chunker
 * @bytes: (array length=len): the next bytes of the simulator's log
 * @len: how many
 *
 * Puts out every line that ends in @bytes.
 */
void
cyc_log_chunker_feed (CycLogChunker *self,
                      const char    *bytes,
                      gsize          len)
{
  g_return_if_fail (self != NULL);
  g_return_if_fail (bytes != NULL || len == 0);

  while (len > 0 && self->pending->len > 0)
    {
      gsize n = MIN (len, WINDOW - self->pending->len);
      const char *newline = memchr (bytes, '\n', n);
      if (newline != NULL)
        n = (gsize) (newline - bytes) + 1;
      g_byte_array_append (self->pending, (const guint8 *) bytes, (guint) n);
      bytes += n;
      len -= n;
      gsize used = take_lines (self, (const char *) self->pending->data, self->pending->len,
                               CYC_LOG_GROWS);
      if (used > 0)
        g_byte_array_remove_range (self->pending, 0, (guint) used);
    }
  if (len > 0)
    {
      gsize used = take_lines (self, bytes, len, CYC_LOG_GROWS);
      g_byte_array_append (self->pending, (const guint8 *) bytes + used, (guint) (len - used));
    }
}

/**
 * cyc_log_chunker_finish:
 * @self: a chunker
 *
 * Says that the log has ended: a last line without an end is put out, without one.
 */
void
cyc_log_chunker_finish (CycLogChunker *self)
{
  g_return_if_fail (self != NULL);

  if (self->pending->len > 0)
    take_lines (self, (const char *) self->pending->data, self->pending->len, CYC_LOG_ENDED);
  g_byte_array_set_size (self->pending, 0);
}

/**
 * cyc_log_chunker_get_raw_offset:
 * @self: a chunker
 *
 * Returns: how many bytes of the simulator's log the output so far stands for, skipped output
 *   included; a chunker that is fed from there on goes on as this one would
 */
guint64
cyc_log_chunker_get_raw_offset (CycLogChunker *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->raw_offset;
}

/**
 * cyc_log_chunker_get_to_skip:
 * @self: a chunker
 *
 * Returns: how many bytes are still to be skipped; more than 0 after cyc_log_chunker_finish() if
 *   the log is shorter than what was accepted of it
 */
guint64
cyc_log_chunker_get_to_skip (CycLogChunker *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->to_skip;
}

/**
 * cyc_log_chunker_get_replaced:
 * @self: a chunker
 *
 * Returns: how many bytes became U+FFFD, in skipped output too
 */
guint64
cyc_log_chunker_get_replaced (CycLogChunker *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->replaced;
}

/**
 * cyc_log_chunker_get_pieces:
 * @self: a chunker
 *
 * Returns: how many lines end in the marker that they go on, in skipped output too
 */
guint64
cyc_log_chunker_get_pieces (CycLogChunker *self)
{
  g_return_val_if_fail (self != NULL, 0);

  return self->pieces;
}
