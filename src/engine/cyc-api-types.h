/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-api-private.h"

G_BEGIN_DECLS

/**
 * CycApiType:
 * @name: such as `RunSummary`
 * @base: (nullable): the type whose fields come before
 * @fields: `NAME KIND, NAME KIND`, ...; of an enumeration `=word|word`, of a choice `|Type|Type`
 * @note: what it is
 *
 * A type of the API. Kinds: `s` text, `t` time, `i` integer, `f` number, `b` boolean, `o` any object, `v` number or
 * text, or the name of a type. `[]` after it: a list; `[3]`: of three; `{}`: an object of them by name; `?`: may be
 * null. A field whose name begins with `~` may be missing.
 */
typedef struct
{
  const char *name;
  const char *base;
  const char *fields;
  const char *note;
} CycApiType;

/**
 * CycApiRoute:
 * @method: such as `GET`
 * @pattern: its path: `*` is one component, `**` all that follow
 * @handler: what answers
 * @body: (nullable): a type, or `bytes`
 * @status: of an answer that is no error
 * @answer: (nullable): a kind as in #CycApiType, or a media type with a kind after it
 * @query: (nullable): what may be in the query, as fields
 * @note: what it does
 *
 * A path of the API: this serves the requests, and is what `/api/openapi.json` describes.
 */
typedef struct
{
  const char    *method;
  const char    *pattern;
  CycApiHandler  handler;
  const char    *body;
  guint          status;
  const char    *answer;
  const char    *query;
  const char    *note;
} CycApiRoute;

const CycApiType  *cyc_api_list_types  (guint *out_n);
const CycApiRoute *cyc_api_list_routes (guint *out_n);

G_END_DECLS
