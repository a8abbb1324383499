/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "engine/cyc-api-security.h"

static void
test_host (void)
{
  static const char *const addresses[] = { "10.0.0.5", "fe80::1", NULL };
  static const char *const good[] = {
    "localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:65535", "[::1]", "[::1]:8080", "10.0.0.5",
    "10.0.0.5:1", "[fe80::1]:2", "localhost:",
  };
  static const char *const bad[] = {
    "", "example.org", "localhost.example.org", "localhost.", "127.0.0.1.example.org", "127.0.0.11",
    "::1", "[::1", "[::1]x", "localhost:80x", "localhost:123456", "x@localhost", "localhost, localhost",
    "10.0.0.6", "fe80::1", " localhost", "localhost:80:80", "[localhost]", "127.1",
  };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    g_assert_true (cyc_api_host_is_allowed (good[i], addresses));
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_false (cyc_api_host_is_allowed (bad[i], addresses));
  g_assert_false (cyc_api_host_is_allowed (NULL, addresses));
  g_assert_false (cyc_api_host_is_allowed ("10.0.0.5", NULL));
}

static void
test_bearer (void)
{
  static const char *const bad[] = {
    "", "Bearer", "Bearer ", "Basic abc", "abc", "Bearer a b", "Bearer a, Bearer b", "Bearera",
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_null (cyc_api_bearer_token (bad[i]));
  g_assert_null (cyc_api_bearer_token (NULL));
  g_autofree char *token = cyc_api_bearer_token ("bearer  abc ");
  g_assert_cmpstr (token, ==, "abc");
  g_autofree char *huge = g_strnfill (5000, 'a');
  g_autofree char *field = g_strdup_printf ("Bearer %s", huge);
  g_assert_null (cyc_api_bearer_token (field));
}

static void
test_token (void)
{
  g_assert_true (cyc_api_token_equal ("abc", "abc"));
  g_assert_false (cyc_api_token_equal ("abc", "abd"));
  g_assert_false (cyc_api_token_equal ("abc", "ab"));
  g_assert_false (cyc_api_token_equal ("", ""));
  /* FIPS 180-2, appendix B.1. */
  g_autofree char *digest = cyc_api_token_digest ("abc");
  g_assert_cmpstr (digest, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void
test_range (void)
{
  static const struct
  {
    const char *text;
    CycApiRange kind;
    guint64     first;
    guint64     length;
  } cases[] = {
    { NULL, CYC_API_RANGE_NONE, 0, 0 },        { "bytes=0-0", CYC_API_RANGE_GOOD, 0, 1 },
    { "bytes=2-5", CYC_API_RANGE_GOOD, 2, 4 }, { "bytes=7-", CYC_API_RANGE_GOOD, 7, 3 },
    { "bytes=-3", CYC_API_RANGE_GOOD, 7, 3 },  { "bytes=-99", CYC_API_RANGE_GOOD, 0, 10 },
    { "bytes=5-99", CYC_API_RANGE_GOOD, 5, 5 }, { "bytes=10-", CYC_API_RANGE_BAD, 0, 0 },
    { "bytes=-0", CYC_API_RANGE_BAD, 0, 0 },   { "bytes=5-2", CYC_API_RANGE_NONE, 0, 0 },
    { "bytes=1-2,4-5", CYC_API_RANGE_NONE, 0, 0 }, { "lines=1-2", CYC_API_RANGE_NONE, 0, 0 },
    { "bytes=", CYC_API_RANGE_NONE, 0, 0 },    { "bytes=-", CYC_API_RANGE_NONE, 0, 0 },
    { "bytes=a-b", CYC_API_RANGE_NONE, 0, 0 }, { "bytes=1--2", CYC_API_RANGE_NONE, 0, 0 },
    { "bytes=99999999999999999999-", CYC_API_RANGE_NONE, 0, 0 },
    { "bytes=0-18446744073709551615", CYC_API_RANGE_GOOD, 0, 10 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint64 first = 0;
      guint64 length = 0;
      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (cyc_api_range_parse (cases[i].text, 10, &first, &length), ==, cases[i].kind);
      g_assert_cmpuint (first, ==, cases[i].first);
      g_assert_cmpuint (length, ==, cases[i].length);
    }
  guint64 first;
  guint64 length;
  g_assert_cmpint (cyc_api_range_parse ("bytes=0-", 0, &first, &length), ==, CYC_API_RANGE_BAD);
  g_assert_cmpint (cyc_api_range_parse ("bytes=-1", 0, &first, &length), ==, CYC_API_RANGE_BAD);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/api-security/host", test_host);
  g_test_add_func ("/engine/api-security/bearer", test_bearer);
  g_test_add_func ("/engine/api-security/token", test_token);
  g_test_add_func ("/engine/api-security/range", test_range);
  return g_test_run ();
}
