/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-types.h"

#include <string.h>

/* OpenAPI 3.1, from the tables of types and paths. */

static void
put_type (CycJsonWriter *writer,
          const char    *type)
{
  cyc_json_writer_put_string (writer, "type", type);
}

static void
put_ref (CycJsonWriter *writer,
         const char    *name,
         gsize          len)
{
  g_autofree char *ref = g_strdup_printf ("#/components/schemas/%.*s", (int) len, name);

  cyc_json_writer_put_string (writer, "$ref", ref);
}

static void
put_null (CycJsonWriter *writer)
{
  cyc_json_writer_begin_object (writer);
  put_type (writer, "null");
  cyc_json_writer_end_object (writer);
}

/* One letter, or the name of a type: the members of its schema. */
static void
put_simple (CycJsonWriter *writer,
            const char    *kind,
            gsize          len)
{
  static const char *const both[] = { "number", "string", NULL };

  if (len != 1)
    {
      put_ref (writer, kind, len);
      return;
    }
  switch (kind[0])
    {
    case 's':
      put_type (writer, "string");
      break;
    case 't':
      put_type (writer, "string");
      cyc_json_writer_put_string (writer, "format", "date-time");
      break;
    case 'i':
      put_type (writer, "integer");
      break;
    case 'f':
      put_type (writer, "number");
      break;
    case 'b':
      put_type (writer, "boolean");
      break;
    case 'v':
      cyc_json_writer_put_strings (writer, "type", both);
      break;
    case 'o':
    default:
      put_type (writer, "object");
      break;
    }
}

static gboolean
ends_with (const char *kind,
           gsize       len,
           const char *ending)
{
  gsize n = strlen (ending);

  return len > n && memcmp (kind + len - n, ending, n) == 0;
}

static void write_kind (CycJsonWriter *writer, const char *kind, gsize len);

static void
put_list (CycJsonWriter *writer,
          const char    *kind,
          gsize          len,
          guint          n)
{
  put_type (writer, "array");
  cyc_json_writer_key (writer, "items");
  write_kind (writer, kind, len);
  if (n == 0)
    return;
  cyc_json_writer_put_int (writer, "minItems", n);
  cyc_json_writer_put_int (writer, "maxItems", n);
}

/* A schema; the ending of a kind is what is outermost. */
static void
write_kind (CycJsonWriter *writer,
            const char    *kind,
            gsize          len)
{
  cyc_json_writer_begin_object (writer);
  if (ends_with (kind, len, "?"))
    {
      cyc_json_writer_key (writer, "anyOf");
      cyc_json_writer_begin_array (writer);
      write_kind (writer, kind, len - 1);
      put_null (writer);
      cyc_json_writer_end_array (writer);
    }
  else if (ends_with (kind, len, "[]"))
    put_list (writer, kind, len - 2, 0);
  else if (ends_with (kind, len, "[3]"))
    put_list (writer, kind, len - 3, 3);
  else if (ends_with (kind, len, "{}"))
    {
      put_type (writer, "object");
      cyc_json_writer_key (writer, "additionalProperties");
      write_kind (writer, kind, len - 2);
    }
  else
    put_simple (writer, kind, len);
  cyc_json_writer_end_object (writer);
}

static void
write_required (CycJsonWriter *writer,
                GStrv          fields)
{
  cyc_json_writer_key (writer, "required");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; fields[i] != NULL; i++)
    if (fields[i][0] != '~')
      cyc_json_writer_string_len (writer, fields[i], strcspn (fields[i], " "));
  cyc_json_writer_end_array (writer);
}

/* The members of an object's schema. */
static void
put_fields (CycJsonWriter *writer,
            const char    *text)
{
  g_auto (GStrv) fields = g_strsplit (text, ", ", -1);

  put_type (writer, "object");
  cyc_json_writer_key (writer, "properties");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; fields[i] != NULL; i++)
    {
      const char *name = fields[i] + (fields[i][0] == '~');
      const char *kind = strchr (name, ' ') + 1;
      cyc_json_writer_key_len (writer, name, (gsize) (kind - name) - 1);
      write_kind (writer, kind, strlen (kind));
    }
  cyc_json_writer_end_object (writer);
  write_required (writer, fields);
}

static void
put_choice (CycJsonWriter *writer,
            const char    *text)
{
  g_auto (GStrv) names = g_strsplit (text + 1, "|", -1);

  if (text[0] == '=')
    {
      put_type (writer, "string");
      cyc_json_writer_put_strings (writer, "enum", (const char *const *) names);
      return;
    }
  cyc_json_writer_key (writer, "anyOf");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; names[i] != NULL; i++)
    write_kind (writer, names[i], strlen (names[i]));
  cyc_json_writer_end_array (writer);
}

static void
write_type (CycJsonWriter    *writer,
            const CycApiType *type)
{
  cyc_json_writer_key (writer, type->name);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "description", type->note);
  if (type->base != NULL)
    {
      cyc_json_writer_key (writer, "allOf");
      cyc_json_writer_begin_array (writer);
      write_kind (writer, type->base, strlen (type->base));
      cyc_json_writer_begin_object (writer);
      put_fields (writer, type->fields);
      cyc_json_writer_end_object (writer);
      cyc_json_writer_end_array (writer);
    }
  else if (type->fields[0] == '=' || type->fields[0] == '|')
    put_choice (writer, type->fields);
  else
    put_fields (writer, type->fields);
  cyc_json_writer_end_object (writer);
}

/* `{"MEDIA": {"schema": ...}}` of a kind that may have its media type before it. */
static void
write_content (CycJsonWriter *writer,
               const char    *text)
{
  const char *blank = strchr (text, ' ');
  const char *kind = blank == NULL ? text : blank + 1;
  const char *media = strcmp (text, "bytes") == 0 ? "application/octet-stream" : "application/json";

  cyc_json_writer_key (writer, "content");
  cyc_json_writer_begin_object (writer);
  if (blank != NULL)
    cyc_json_writer_key_len (writer, text, (gsize) (blank - text));
  else
    cyc_json_writer_key (writer, media);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "schema");
  if (strcmp (kind, "bytes") == 0)
    kind = "s";
  write_kind (writer, kind, strlen (kind));
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

static void
write_answer (CycJsonWriter *writer,
              const char    *status,
              const char    *note,
              const char    *content)
{
  cyc_json_writer_key (writer, status);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "description", note);
  if (content != NULL)
    write_content (writer, content);
  cyc_json_writer_end_object (writer);
}

static void
write_parameter (CycJsonWriter *writer,
                 const char    *name,
                 gsize          len,
                 const char    *place,
                 const char    *kind)
{
  g_autofree char *text = g_strndup (name, len);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", text);
  cyc_json_writer_put_string (writer, "in", place);
  cyc_json_writer_put_boolean (writer, "required", strcmp (place, "path") == 0);
  cyc_json_writer_key (writer, "schema");
  write_kind (writer, kind, strlen (kind));
  cyc_json_writer_end_object (writer);
}

/* `/api/traces/{id}/files/{path}` of a pattern. */
static char *
make_path (const char *pattern)
{
  g_auto (GStrv) parts = g_strsplit (pattern, "/", -1);
  g_autoptr (GString) path = g_string_new (NULL);
  gboolean has_id = FALSE;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      gboolean star = strcmp (parts[i], "*") == 0;
      g_string_append_c (path, '/');
      if (strcmp (parts[i], "**") == 0)
        g_string_append (path, "{path}");
      else if (star)
        g_string_append (path, has_id ? "{name}" : "{id}");
      else
        g_string_append (path, parts[i]);
      has_id |= star;
    }
  return g_string_free (g_steal_pointer (&path), FALSE);
}

static void
write_parameters (CycJsonWriter     *writer,
                  const CycApiRoute *route,
                  const char        *path)
{
  cyc_json_writer_key (writer, "parameters");
  cyc_json_writer_begin_array (writer);
  for (const char *p = path; (p = strchr (p, '{')) != NULL; p++)
    write_parameter (writer, p + 1, strcspn (p + 1, "}"), "path", "s");
  if (route->query != NULL)
    write_parameter (writer, route->query, strcspn (route->query, " "), "query", strchr (route->query, ' ') + 1);
  cyc_json_writer_end_array (writer);
}

static void
write_operation (CycJsonWriter     *writer,
                 const CycApiRoute *route,
                 const char        *path)
{
  g_autofree char *method = g_ascii_strdown (route->method, -1);
  g_autofree char *status = g_strdup_printf ("%u", route->status);
  gboolean upload = g_strcmp0 (route->body, "bytes") == 0;

  cyc_json_writer_key (writer, method);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "summary", route->note);
  write_parameters (writer, route, path);
  if (route->body != NULL)
    {
      cyc_json_writer_key (writer, "requestBody");
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_boolean (writer, "required", TRUE);
      write_content (writer, route->body);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_key (writer, "responses");
  cyc_json_writer_begin_object (writer);
  write_answer (writer, status, "done", route->answer);
  if (upload)
    write_answer (writer, "202", "a part of the file has come", "UploadOffset");
  write_answer (writer, "default", "an error", "Error");
  cyc_json_writer_end_object (writer);
  if (strcmp (route->pattern, "api/health") == 0)
    {
      cyc_json_writer_key (writer, "security");
      cyc_json_writer_begin_array (writer);
      cyc_json_writer_end_array (writer);
    }
  cyc_json_writer_end_object (writer);
}

static void
write_paths (CycJsonWriter *writer)
{
  guint n;
  const CycApiRoute *routes = cyc_api_list_routes (&n);

  cyc_json_writer_key (writer, "paths");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *path = make_path (routes[i].pattern);
      gboolean seen = FALSE;
      for (guint k = 0; k < i; k++)
        seen |= strcmp (routes[k].pattern, routes[i].pattern) == 0;
      if (seen)
        continue;
      cyc_json_writer_key (writer, path);
      cyc_json_writer_begin_object (writer);
      for (guint k = i; k < n; k++)
        if (strcmp (routes[k].pattern, routes[i].pattern) == 0)
          write_operation (writer, &routes[k], path);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_object (writer);
}

static void
write_components (CycJsonWriter *writer)
{
  guint n;
  const CycApiType *types = cyc_api_list_types (&n);

  cyc_json_writer_key (writer, "components");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "schemas");
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < n; i++)
    write_type (writer, &types[i]);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "securitySchemes");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "token");
  cyc_json_writer_begin_object (writer);
  put_type (writer, "http");
  cyc_json_writer_put_string (writer, "scheme", "bearer");
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_object (writer);
}

static void
write_head (CycJsonWriter *writer)
{
  cyc_json_writer_put_string (writer, "openapi", "3.1.0");
  cyc_json_writer_key (writer, "info");
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "title", "Cyclescope");
  cyc_json_writer_put_string (writer, "version", CYC_VERSION);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_key (writer, "security");
  cyc_json_writer_begin_array (writer);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_key (writer, "token");
  cyc_json_writer_begin_array (writer);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_end_object (writer);
  cyc_json_writer_end_array (writer);
}

/**
 * cyc_api_get_openapi:
 * @self: the router
 * @call: a call
 * @id: unused
 * @rest: unused
 *
 * GET /api/openapi.json: the API, described by the tables that serve it.
 */
void
cyc_api_get_openapi (CycApi     *self,
                     CycApiCall *call,
                     const char *id,
                     const char *rest)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  write_head (writer);
  write_paths (writer);
  write_components (writer);
  cyc_json_writer_end_object (writer);
  cyc_api_reply_writer (call, 200, writer);
}
