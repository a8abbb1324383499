/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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
char             *_cyc_json_scan_decode (const char  *text,
                                         gsize        len,
                                         gsize       *out_len);
void              _cyc_json_scan_tidy   (const char  *json,
                                         gsize        len,
                                         GString     *out);

static inline void
_cyc_json_scan_blanks (CycJsonScan *self)
{
  while (self->p < self->end && (*self->p == ' ' || *self->p == '\n' || *self->p == '\r' || *self->p == '\t'))
    self->p++;
}

G_END_DECLS
