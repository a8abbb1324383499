/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "engine/cyc-api-security.h"
#include "engine/cyc-api-target.h"

static void
check_target (const char *text)
{
  g_auto (GStrv) segments = NULL;
  g_autoptr (GHashTable) query = NULL;
  g_autoptr (GError) error = NULL;

  gboolean ok = cyc_api_target_parse (text, &segments, &query, &error);
  g_assert_true (ok == (error == NULL) && ok == (segments != NULL));
  for (guint i = 0; ok && segments[i] != NULL; i++)
    {
      g_assert_true (g_utf8_validate (segments[i], -1, NULL));
      g_assert_null (strpbrk (segments[i], "/\\\n\r"));
      g_assert_true (segments[i][0] != '\0' && strcmp (segments[i], ".") != 0 &&
                     strcmp (segments[i], "..") != 0);
    }
}

static void
check_range (const char *text)
{
  static const guint64 sizes[] = { 0, 1, 100, G_MAXUINT64 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      guint64 first = 0;
      guint64 length = 0;
      if (cyc_api_range_parse (text, sizes[i], &first, &length) == CYC_API_RANGE_GOOD)
        g_assert_true (length > 0 && first < sizes[i] && length <= sizes[i] - first);
    }
}

/* A text as the target of a request and as the fields that the server reads itself. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  static const char *const addresses[] = { "10.0.0.1", "fe80::1", NULL };
  g_autofree char *text = g_strndup ((const char *) data, size);

  check_target (text);
  check_range (text);
  if (cyc_api_host_is_allowed (text, addresses))
    g_assert_true (strspn (text, "localhostLOCALHOST0123456789.:[]feFE") == strlen (text));
  g_autofree char *token = cyc_api_bearer_token (text);
  if (token != NULL)
    g_assert_true (token[0] != '\0' && strpbrk (token, " ,\t") == NULL);
  return 0;
}
