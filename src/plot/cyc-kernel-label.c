/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-kernel-label.h"

#include <string.h>

#include "core/base/cyc-format.h"

#define ELLIPSIS "…"

/* Longer ones are no identifiers. */
#define MAX_IDENTIFIER 10000

/* The plain identifiers of a mangled name (Itanium C++ ABI, 5.1): `_Z`, perhaps `N` and qualifiers, then
 * lengths and identifiers. Puts them into @out; returns their end, %NULL if there is none. */
static const char *
find_identifiers (const char *name,
                  GString    *out)
{
  const char *p = name + strlen ("_Z");
  const char *end = NULL;

  if (*p == 'N')
    {
      p++;
      p += strspn (p, "rVKRO");
    }
  if (*p == 'L')
    p++;
  while (g_ascii_isdigit (*p))
    {
      gsize len = 0;
      for (; g_ascii_isdigit (*p) && len <= MAX_IDENTIFIER; p++)
        len = len * 10 + (gsize) (*p - '0');
      if (len == 0 || len > MAX_IDENTIFIER || strnlen (p, len) < len)
        return NULL;
      if (end != NULL)
        g_string_append (out, "::");
      g_string_append_len (out, p, (gssize) len);
      p += len;
      end = p;
    }
  return end;
}

/* The bracket that closes the one at @p, %NULL if none does. */
static const char *
find_closing (const char *p)
{
  guint depth = 0;

  for (; *p != '\0'; p++)
    {
      if (*p == '<' || *p == '(')
        depth++;
      else if (*p == ')' || (*p == '>' && p[-1] != '-'))
        {
          if (--depth == 0)
            return p;
        }
    }
  return NULL;
}

static char *
shorten_plain (const char *name)
{
  static const char anonymous[] = "(anonymous namespace)";
  GString *out = g_string_new (NULL);

  for (const char *p = name; *p != '\0'; p++)
    {
      if (g_str_has_prefix (p, anonymous))
        {
          g_string_append (out, anonymous);
          p += strlen (anonymous) - 1;
          continue;
        }
      const char *closing = *p == '<' || *p == '(' ? find_closing (p) : NULL;
      /* Such as operator<: no list at all. */
      if ((*p == '<' || *p == '(') && closing == NULL)
        {
          g_string_free (out, TRUE);
          return g_strdup (name);
        }
      g_string_append_c (out, *p);
      if (closing != NULL)
        {
          if (closing > p + 1)
            g_string_append (out, ELLIPSIS);
          g_string_append_c (out, *closing);
          p = closing;
        }
    }
  return g_string_free (out, FALSE);
}

/**
 * cyc_kernel_label_shorten:
 * @name: a kernel's name as in the log, mangled or not
 *
 * Leaves out the arguments of templates and functions, which make names of kernels hundreds of characters
 * long; of a mangled name its identifiers stay. Different kernels can come out the same.
 *
 * Returns: (transfer full): a printable text, such as `at::reduce5…` or `void foo<…>(…)`
 */
char *
cyc_kernel_label_shorten (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  g_autofree char *printable = cyc_format_printable (name);
  if (!g_str_has_prefix (printable, "_Z"))
    return shorten_plain (printable);
  g_autoptr (GString) identifiers = g_string_new (NULL);
  const char *end = find_identifiers (printable, identifiers);
  /* A length that ends inside a character is none. */
  if (end == NULL || *end == '\0' || ((guchar) *end & 0xC0) == 0x80)
    return g_steal_pointer (&printable);
  return g_strconcat (identifiers->str, ELLIPSIS, NULL);
}
