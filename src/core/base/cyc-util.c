/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-util.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>

#define LARGE_PAGE (2 * 1024 * 1024)

/**
 * cyc_set_str:
 * @field: (inout): the owned string to set
 * @value: (nullable): its new value, copied
 *
 * Returns: %TRUE if the value changed
 */
gboolean
cyc_set_str (char       **field,
             const char  *value)
{
  g_return_val_if_fail (field != NULL, FALSE);

  if (g_strcmp0 (*field, value) == 0)
    return FALSE;
  char *copy = g_strdup (value);
  g_free (*field);
  *field = copy;
  return TRUE;
}

/**
 * cyc_utf8_append:
 * @out: the string to append to
 * @bytes: (array length=len): text from outside, in any encoding
 * @len: its length in bytes
 *
 * Appends @bytes with every byte that is not part of valid UTF-8, and every NUL, replaced by
 * U+FFFD. The mapping depends on @bytes alone, so a repeated call gives the same text.
 *
 * Returns: the number of replaced bytes
 */
gsize
cyc_utf8_append (GString    *out,
                 const char *bytes,
                 gsize       len)
{
  g_return_val_if_fail (out != NULL, 0);

  gsize replaced = 0;
  while (len > 0)
    {
      const char *end;
      if (g_utf8_validate_len (bytes, len, &end))
        {
          g_string_append_len (out, bytes, (gssize) len);
          break;
        }
      gsize good = (gsize) (end - bytes);
      g_string_append_len (out, bytes, (gssize) good);
      g_string_append (out, "\xEF\xBF\xBD");
      replaced++;
      bytes += good + 1;
      len -= good + 1;
    }
  return replaced;
}

/**
 * cyc_utf8_make_valid:
 * @bytes: (array length=len): text from outside
 * @len: its length in bytes
 *
 * Returns: (transfer full): the text with what is not UTF-8 replaced by U+FFFD
 */
char *
cyc_utf8_make_valid (const char *bytes,
                     gsize       len)
{
  GString *out = g_string_sized_new (len + 1);
  cyc_utf8_append (out, bytes, len);
  return g_string_free (out, FALSE);
}

/**
 * cyc_random_hex:
 * @n_bytes: bytes of randomness, at most 256
 *
 * Returns: (transfer full): `2 × n_bytes` lower-case hexadecimal digits from the kernel's random
 *   source, fit for ids and tokens
 */
char *
cyc_random_hex (guint n_bytes)
{
  g_return_val_if_fail (n_bytes <= 256, NULL);

  guint8 bytes[256];
  gsize got = 0;
  while (got < n_bytes)
    {
      gssize n = getrandom (bytes + got, n_bytes - got, 0);
      if (n > 0)
        got += (gsize) n;
      else if (errno != EINTR)
        g_error ("the system has no random source: %s", g_strerror (errno));
    }

  static const char digits[] = "0123456789abcdef";
  char *out = g_malloc (2 * (gsize) n_bytes + 1);
  for (guint i = 0; i < n_bytes; i++)
    {
      out[2 * i] = digits[bytes[i] >> 4];
      out[2 * i + 1] = digits[bytes[i] & 15];
    }
  out[2 * n_bytes] = '\0';
  return out;
}

/**
 * cyc_utf8_skip_ascii:
 * @text: (array length=len): bytes
 * @len: how many
 *
 * Returns: how many of them stand before the first that is not ASCII
 */
gsize
cyc_utf8_skip_ascii (const char *text,
                     gsize       len)
{
  guint64 word;
  gsize at = 0;

  for (; len - at >= sizeof word; at += sizeof word)
    {
      memcpy (&word, text + at, sizeof word);
      if ((word & G_GUINT64_CONSTANT (0x8080808080808080)) != 0)
        break;
    }
  while (at < len && (guint8) text[at] < 0x80)
    at++;
  return at;
}

/**
 * cyc_utf8_get_width:
 * @text: (array length=len): valid UTF-8
 * @len: length in bytes
 *
 * Returns: how many cells of a terminal the text takes: two for wide characters, none for
 *   combining ones
 */
guint
cyc_utf8_get_width (const char *text,
                    gsize       len)
{
  guint width = 0;

  for (const char *p = text; p < text + len; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      width += g_unichar_iszerowidth (c) ? 0 : g_unichar_iswide (c) ? 2 : 1;
    }
  return width;
}

/**
 * cyc_advise_large:
 * @memory: (array length=len): memory that was just allocated and will be filled
 * @len: how many bytes
 *
 * Asks the system for large pages, which are given out many times as fast. Only worth it for many megabytes.
 */
void
cyc_advise_large (gpointer memory,
                  gsize    len)
{
  gsize start = ((gsize) memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  gsize end = ((gsize) memory + len) / LARGE_PAGE * LARGE_PAGE;

  /* Without them it is only slower. */
  if (end > start)
    (void) madvise ((gpointer) start, end - start, MADV_HUGEPAGE);
}
