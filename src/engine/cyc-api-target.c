/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-target.h"

#include <string.h>

#include "core/base/cyc-error.h"

#define MAX_TARGET 8192
#define MAX_SEGMENTS 64
#define MAX_QUERY 64

static void
refuse (GError     **error,
        const char  *what)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "bad path: %s", what);
}

/* Decodes %XX exactly once. NULL with a reason for what no honest client sends: the decoded text is
 * used as one component of a name, so whatever could be read as more than that is refused here. */
static char *
decode (const char  *text,
        gsize        len,
        gboolean     plus_is_blank,
        const char **out_reason)
{
  g_autoptr (GString) out = g_string_sized_new (len + 1);

  for (gsize i = 0; i < len; i++)
    {
      guchar c = (guchar) text[i];
      if (c == '%')
        {
          int high = i + 2 < len ? g_ascii_xdigit_value (text[i + 1]) : -1;
          int low = i + 2 < len ? g_ascii_xdigit_value (text[i + 2]) : -1;
          if (high < 0 || low < 0)
            {
              *out_reason = "'%' must be followed by two hexadecimal digits";
              return NULL;
            }
          c = (guchar) (high * 16 + low);
          i += 2;
        }
      else if (c == '+' && plus_is_blank)
        c = ' ';
      if (c < 0x20 || c == 0x7f)
        {
          *out_reason = "it holds a control character";
          return NULL;
        }
      g_string_append_c (out, (char) c);
    }
  if (!g_utf8_validate_len (out->str, out->len, NULL))
    {
      *out_reason = "it is not UTF-8";
      return NULL;
    }
  return g_string_free (g_steal_pointer (&out), FALSE);
}

static gboolean
looks_encoded (const char *text)
{
  for (const char *p = strchr (text, '%'); p != NULL; p = strchr (p + 1, '%'))
    if (g_ascii_isxdigit (p[1]) && g_ascii_isxdigit (p[2]))
      return TRUE;
  return FALSE;
}

static const char *
check_segment (const char *segment)
{
  if (segment[0] == '\0')
    return "it has an empty component";
  if (strcmp (segment, ".") == 0 || strcmp (segment, "..") == 0)
    return "'.' and '..' are not allowed in it";
  if (strpbrk (segment, "/\\") != NULL)
    return "an encoded slash or a backslash is not allowed in it";
  if (looks_encoded (segment))
    return "it is percent-encoded twice";
  return NULL;
}

static GStrv
parse_path (const char  *path,
            gsize        len,
            GError     **error)
{
  g_autoptr (GPtrArray) segments = g_ptr_array_new_with_free_func (g_free);
  const char *stop = path + len;
  const char *p = path;

  if (len == 1)
    {
      g_ptr_array_add (segments, NULL);
      return (GStrv) g_ptr_array_free (g_steal_pointer (&segments), FALSE);
    }
  while (p < stop)
    {
      p++; /* the slash */
      const char *slash = memchr (p, '/', (gsize) (stop - p));
      const char *end = slash == NULL ? stop : slash;
      const char *reason = NULL;
      g_autofree char *segment = decode (p, (gsize) (end - p), FALSE, &reason);
      if (segment != NULL)
        reason = check_segment (segment);
      if (reason == NULL && segments->len >= MAX_SEGMENTS)
        reason = "it has too many components";
      if (reason != NULL)
        {
          refuse (error, reason);
          return NULL;
        }
      g_ptr_array_add (segments, g_steal_pointer (&segment));
      p = end;
      if (p + 1 == stop)
        {
          refuse (error, "it ends with a slash");
          return NULL;
        }
    }
  g_ptr_array_add (segments, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&segments), FALSE);
}

static GHashTable *
parse_query (const char  *query,
             GError     **error)
{
  g_autoptr (GHashTable) table = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) parts = g_strsplit (query, "&", MAX_QUERY + 1);

  if (g_strv_length (parts) > MAX_QUERY)
    {
      refuse (error, "the query has too many parts");
      return NULL;
    }
  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *equals = strchr (parts[i], '=');
      const char *value_text = equals == NULL ? "" : equals + 1;
      gsize name_len = equals == NULL ? strlen (parts[i]) : (gsize) (equals - parts[i]);
      const char *reason = NULL;
      g_autofree char *name = decode (parts[i], name_len, TRUE, &reason);
      g_autofree char *value = decode (value_text, strlen (value_text), TRUE, &reason);
      if (parts[i][0] == '\0')
        continue;
      if (name == NULL || value == NULL)
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "bad query: %s", reason);
          return NULL;
        }
      if (g_hash_table_contains (table, name))
        {
          cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0,
                            "bad query: '%s' is given twice", name);
          return NULL;
        }
      g_hash_table_insert (table, g_steal_pointer (&name), g_steal_pointer (&value));
    }
  return g_steal_pointer (&table);
}

/**
 * cyc_api_target_parse:
 * @target: the target of an HTTP request as it came over the wire: `/path?query`
 * @out_segments: (out) (transfer full): the decoded components of the path; none for `/`
 * @out_query: (out) (transfer full) (nullable): the decoded query, %NULL without one
 * @error: (nullable): return location for a %CYC_ERROR_INPUT
 *
 * Percent-decodes a request's target once and exactly. Refused: encoded slashes, backslashes, `.`
 * and `..`, empty components, control characters and NUL, bytes that are not UTF-8, what would be
 * percent-encoded text after decoding (encoded twice), a name given twice in the query. Any thread.
 *
 * Returns: %TRUE if the target is good
 */
gboolean
cyc_api_target_parse (const char   *target,
                      GStrv        *out_segments,
                      GHashTable  **out_query,
                      GError      **error)
{
  g_return_val_if_fail (target != NULL && out_segments != NULL && out_query != NULL, FALSE);

  if (target[0] != '/' || strlen (target) > MAX_TARGET)
    {
      refuse (error, target[0] != '/' ? "it must begin with '/'" : "it is too long");
      return FALSE;
    }
  const char *question = strchr (target, '?');
  gsize len = question == NULL ? strlen (target) : (gsize) (question - target);
  g_auto (GStrv) segments = parse_path (target, len, error);
  if (segments == NULL)
    return FALSE;
  g_autoptr (GHashTable) query = NULL;
  if (question != NULL)
    {
      query = parse_query (question + 1, error);
      if (query == NULL)
        return FALSE;
    }
  *out_segments = g_steal_pointer (&segments);
  *out_query = g_steal_pointer (&query);
  return TRUE;
}
