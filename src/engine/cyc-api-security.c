/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-api-security.h"

#include <string.h>

#include "core/base/cyc-number.h"

#define MAX_TOKEN 512

/* Length of the host in `HOST[:PORT]`, 0 if it is not of that form. */
static gsize
host_length (const char *host)
{
  const char *end = NULL;

  if (host[0] == '[')
    {
      end = strchr (host, ']');
      end = end == NULL ? NULL : end + 1;
    }
  else
    end = host + strcspn (host, ":");
  if (end == NULL)
    return 0;
  if (*end == ':')
    {
      const char *port = end + 1;
      if (strlen (port) > 5 || port[strspn (port, "0123456789")] != '\0')
        return 0;
    }
  else if (*end != '\0')
    return 0;
  return (gsize) (end - host);
}

static gboolean
host_equal (const char *host,
            gsize       len,
            const char *name)
{
  gboolean bare_v6 = strchr (name, ':') != NULL && name[0] != '[';

  if (bare_v6)
    return len == strlen (name) + 2 && host[0] == '[' &&
           g_ascii_strncasecmp (host + 1, name, len - 2) == 0;
  return len == strlen (name) && g_ascii_strncasecmp (host, name, len) == 0;
}

/**
 * cyc_api_host_is_allowed:
 * @host: (nullable): the `Host` field of a request
 * @addresses: (array zero-terminated=1): the addresses that the server listens at, without brackets
 *
 * A web page can make a browser ask a name of its own that leads to this machine; such a request
 * names the wrong host. Allowed are localhost, 127.0.0.1, [::1] and @addresses, with any port.
 *
 * Returns: %TRUE if the request means this server
 */
gboolean
cyc_api_host_is_allowed (const char        *host,
                         const char *const *addresses)
{
  static const char *const always[] = { "localhost", "127.0.0.1", "[::1]" };

  gsize len = host == NULL ? 0 : host_length (host);
  if (len == 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (always); i++)
    if (host_equal (host, len, always[i]))
      return TRUE;
  for (guint i = 0; addresses != NULL && addresses[i] != NULL; i++)
    if (host_equal (host, len, addresses[i]))
      return TRUE;
  return FALSE;
}

/**
 * cyc_api_bearer_token:
 * @authorization: (nullable): the `Authorization` field of a request
 *
 * Returns: (transfer full) (nullable): the token of `Bearer TOKEN`, %NULL for anything else
 */
char *
cyc_api_bearer_token (const char *authorization)
{
  static const char scheme[] = "Bearer ";

  if (authorization == NULL ||
      g_ascii_strncasecmp (authorization, scheme, strlen (scheme)) != 0)
    return NULL;
  g_autofree char *token = g_strstrip (g_strdup (authorization + strlen (scheme)));
  if (token[0] == '\0' || strlen (token) > MAX_TOKEN || strpbrk (token, " ,\t") != NULL)
    return NULL;
  return g_steal_pointer (&token);
}

/**
 * cyc_api_token_digest:
 * @token: a token
 *
 * Tokens are looked up and compared by this, so that the time it takes says nothing about a token.
 *
 * Returns: (transfer full): the SHA-256 of the token in hexadecimal
 */
char *
cyc_api_token_digest (const char *token)
{
  g_return_val_if_fail (token != NULL, NULL);

  return g_compute_checksum_for_string (G_CHECKSUM_SHA256, token, -1);
}

/**
 * cyc_api_token_equal:
 * @a: a token
 * @b: a token
 *
 * Compares in a time that depends on neither.
 *
 * Returns: %TRUE if they are equal and not empty
 */
gboolean
cyc_api_token_equal (const char *a,
                     const char *b)
{
  g_return_val_if_fail (a != NULL && b != NULL, FALSE);

  g_autofree char *digest_a = cyc_api_token_digest (a);
  g_autofree char *digest_b = cyc_api_token_digest (b);
  guint different = a[0] == '\0';
  for (guint i = 0; i < 64; i++)
    different |= (guint) (digest_a[i] ^ digest_b[i]);
  return different == 0;
}

/**
 * cyc_api_range_parse:
 * @range: (nullable): the `Range` field of a request
 * @size: the size of the file in bytes
 * @out_first: (out): the first byte asked for
 * @out_length: (out): how many
 *
 * Reads one range of bytes: `bytes=A-B`, `bytes=A-`, `bytes=-N`. Several ranges, other units and
 * what is malformed count as none, as HTTP allows.
 *
 * Returns: whether there is a range, and whether the file has it
 */
CycApiRange
cyc_api_range_parse (const char *range,
                     guint64     size,
                     guint64    *out_first,
                     guint64    *out_length)
{
  g_return_val_if_fail (out_first != NULL && out_length != NULL, CYC_API_RANGE_NONE);

  guint64 first;
  guint64 last = G_MAXUINT64;

  if (range == NULL || !g_str_has_prefix (range, "bytes="))
    return CYC_API_RANGE_NONE;
  const char *text = range + strlen ("bytes=");
  const char *dash = strchr (text, '-');
  if (dash == NULL || strspn (text, "0123456789-") != strlen (text))
    return CYC_API_RANGE_NONE;
  const char *after = dash + 1;
  gboolean has_last = *after != '\0';
  if (has_last && !cyc_number_parse_uint64 (after, strlen (after), &last))
    return CYC_API_RANGE_NONE;
  if (dash == text)
    {
      if (!has_last)
        return CYC_API_RANGE_NONE;
      if (last == 0 || size == 0)
        return CYC_API_RANGE_BAD;
      first = last >= size ? 0 : size - last;
      last = size - 1;
    }
  else if (!cyc_number_parse_uint64 (text, (gsize) (dash - text), &first) || last < first)
    return CYC_API_RANGE_NONE;
  if (first >= size)
    return CYC_API_RANGE_BAD;
  *out_first = first;
  *out_length = MIN (last, size - 1) - first + 1;
  return CYC_API_RANGE_GOOD;
}

static gboolean
take_number (const char **text,
             char         end,
             guint64     *out_value)
{
  const char *stop = strchrnul (*text, end);

  if (*stop != end || !cyc_number_parse_uint64 (*text, (gsize) (stop - *text), out_value))
    return FALSE;
  *text = end == '\0' ? stop : stop + 1;
  return TRUE;
}

/**
 * cyc_api_content_range_parse:
 * @range: the `Content-Range` field of an upload: `bytes FIRST-LAST/TOTAL`
 * @out_first: (out): first byte
 * @out_last: (out): last byte
 * @out_total: (out): length of the whole; %G_MAXUINT64 for `*`
 *
 * Returns: %TRUE if it is one
 */
gboolean
cyc_api_content_range_parse (const char *range,
                             guint64    *out_first,
                             guint64    *out_last,
                             guint64    *out_total)
{
  static const char unit[] = "bytes ";

  if (g_ascii_strncasecmp (range, unit, strlen (unit)) != 0)
    return FALSE;
  range += strlen (unit);
  if (!take_number (&range, '-', out_first) || !take_number (&range, '/', out_last))
    return FALSE;
  *out_total = G_MAXUINT64;
  if (strcmp (range, "*") != 0 && !take_number (&range, '\0', out_total))
    return FALSE;
  return *out_first <= *out_last && *out_last < *out_total && *out_last < G_MAXINT64;
}
