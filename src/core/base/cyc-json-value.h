/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-reader.h"
#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

typedef struct _CycJsonArena CycJsonArena;
typedef struct _CycJsonValue CycJsonValue;

/**
 * CycJsonValue:
 * @kind: what it is, up to %CYC_JSON_OBJECT
 * @text: a string's meaning or a number's text, with a NUL behind it
 * @len: its length in bytes; a string may hold NULs
 * @key: (nullable): the name if it is the member of an object
 * @key_len: its length in bytes
 * @first: (nullable): the first item or member
 * @next: (nullable): the next item or member of the same container
 *
 * A JSON value in memory that loses nothing: integers of any size, strings with NULs and with halves
 * of surrogate pairs. Of members with the same name the last one counts, see
 * cyc_json_value_get_member(). Lives as long as its arena.
 */
struct _CycJsonValue
{
  CycJsonToken        kind;
  const char         *text;
  gsize               len;
  const char         *key;
  gsize               key_len;
  const CycJsonValue *first;
  const CycJsonValue *next;
};

CycJsonArena       *cyc_json_arena_new          (void);
void                cyc_json_arena_free         (CycJsonArena        *self);
void                cyc_json_arena_reset        (CycJsonArena        *self);
const CycJsonValue *cyc_json_arena_read         (CycJsonArena        *self,
                                                 CycJsonReader       *reader,
                                                 GError             **error);
const CycJsonValue *cyc_json_arena_parse        (CycJsonArena        *self,
                                                 const char          *text,
                                                 gsize                len,
                                                 const char          *source,
                                                 GError             **error);
const CycJsonValue *cyc_json_arena_parse_file   (CycJsonArena        *self,
                                                 const char          *path,
                                                 gsize                limit,
                                                 GError             **error);
const CycJsonValue *cyc_json_value_get_member   (const CycJsonValue  *self,
                                                 const char          *name);
gboolean            cyc_json_value_is_text      (const CycJsonValue  *self,
                                                 const char          *text);
gboolean            cyc_json_value_get_number   (const CycJsonValue  *self,
                                                 double              *out_value);
gboolean            cyc_json_value_get_int      (const CycJsonValue  *self,
                                                 gint64              *out_value);
void                cyc_json_value_write        (const CycJsonValue  *self,
                                                 CycJsonWriter       *writer);
void                cyc_json_write_number       (CycJsonWriter       *writer,
                                                 const char          *text,
                                                 gsize                len,
                                                 gboolean             is_integer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycJsonArena, cyc_json_arena_free)

G_END_DECLS
