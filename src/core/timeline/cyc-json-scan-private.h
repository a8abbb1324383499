/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

G_BEGIN_DECLS

/* So many bytes of a text are looked at at a time. */
#ifdef __SSE2__
#define CYC_JSON_BLOCK 16
#else
#define CYC_JSON_BLOCK 8
#endif

/* Finds where JSON values end, in a piece of a file that may end anywhere, and says what is untidy in them. */

typedef enum
{
  CYC_JSON_SCAN_MORE = -1, /* the piece ends inside of the value */
  CYC_JSON_SCAN_BAD,       /* this is no value, not even with patience */
  CYC_JSON_SCAN_DONE,
} CycJsonScanResult;

typedef enum
{
  CYC_JSON_UNTIDY_COMMA = 1 << 0,
  CYC_JSON_UNTIDY_ESCAPE = 1 << 1,
  CYC_JSON_UNTIDY_CONTROL = 1 << 2,
  CYC_JSON_UNTIDY_LITERAL = 1 << 3, /* NaN, Infinity */
  CYC_JSON_HAS_ESCAPES = 1 << 4,    /* tidy ones too */
} CycJsonScanFlags;

/**
 * CycJsonScan:
 * @p: the next byte
 * @end: of the piece
 * @flags: what was seen
 */
typedef struct
{
  const char *p;
  const char *end;
  guint       flags; /* CycJsonScanFlags */
} CycJsonScan;

CycJsonScanResult _cyc_json_scan_string (CycJsonScan *self);
CycJsonScanResult _cyc_json_scan_value  (CycJsonScan *self);
gboolean          _cyc_json_scan_member (CycJsonScan *self,
                                         const char **out_key,
                                         gsize       *out_key_len,
                                         const char **out_value,
                                         gsize       *out_value_len);
gboolean          _cyc_json_scan_is_key (const char  *key,
                                         gsize        len,
                                         const char  *wanted);
const char       *_cyc_json_scan_find   (const char  *members,
                                         gsize        len,
                                         const char  *wanted,
                                         gsize       *out_len);
gboolean          _cyc_json_scan_args   (const char  *members,
                                         CycJsonScan *out_args);
char             *_cyc_json_scan_decode (const char  *text,
                                         gsize        len,
                                         gsize       *out_len);
void              _cyc_json_scan_tidy   (const char  *json,
                                         gsize        len,
                                         GString     *out);

/* The first of a block of bytes that is a quote, a backslash or below 0x20; CYC_JSON_BLOCK if there is none. */
static inline guint
_cyc_json_scan_find_special (const char *p)
{
#ifdef __SSE2__
  const __m128i low = _mm_set1_epi8 (0x1f);
  __m128i bytes = _mm_loadu_si128 ((const __m128i *) (gconstpointer) p);
  __m128i special = _mm_or_si128 (_mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('"')),
                                  _mm_cmpeq_epi8 (bytes, _mm_set1_epi8 ('\\')));
  special = _mm_or_si128 (special, _mm_cmpeq_epi8 (_mm_min_epu8 (bytes, low), bytes));
  return (guint) __builtin_ctz ((guint) _mm_movemask_epi8 (special) | 1u << CYC_JSON_BLOCK);
#else
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 word;

  memcpy (&word, p, sizeof word);
  word = GUINT64_FROM_LE (word);
  guint64 quote = word ^ (ones * '"'), slash = word ^ (ones * '\\');
  /* The lowest of these bits is right, whatever is above it. */
  guint64 special = (((word - ones * 0x20) & ~word) | ((quote - ones) & ~quote) | ((slash - ones) & ~slash))
                    & (ones << 7);
  return special != 0 ? (guint) __builtin_ctzll (special) / 8 : CYC_JSON_BLOCK;
#endif
}

/* What _cyc_json_scan_string() does, without a call for short texts. */
static inline CycJsonScanResult
_cyc_json_scan_text (CycJsonScan *self)
{
  if (self->end - self->p >= CYC_JSON_BLOCK)
    {
      guint at = _cyc_json_scan_find_special (self->p);
      if (at < CYC_JSON_BLOCK && self->p[at] == '"')
        {
          self->p += at + 1;
          return CYC_JSON_SCAN_DONE;
        }
    }
  return _cyc_json_scan_string (self);
}

static inline void
_cyc_json_scan_blanks (CycJsonScan *self)
{
  while (self->p < self->end && (*self->p == ' ' || *self->p == '\n' || *self->p == '\r' || *self->p == '\t'))
    self->p++;
}

/* From the quote of a key to the value behind its colon. The key is what stands between its quotes. */
static inline CycJsonScanResult
_cyc_json_scan_key (CycJsonScan *self,
                    const char **out_key,
                    gsize       *out_len)
{
  if (*self->p != '"')
    return CYC_JSON_SCAN_BAD;
  *out_key = ++self->p;
  if (_cyc_json_scan_text (self) == CYC_JSON_SCAN_MORE)
    return CYC_JSON_SCAN_MORE;
  *out_len = (gsize) (self->p - *out_key) - 1;
  _cyc_json_scan_blanks (self);
  if (self->p == self->end)
    return CYC_JSON_SCAN_MORE;
  if (*self->p != ':')
    return CYC_JSON_SCAN_BAD;
  self->p++;
  _cyc_json_scan_blanks (self);
  return self->p == self->end ? CYC_JSON_SCAN_MORE : CYC_JSON_SCAN_DONE;
}

G_END_DECLS
