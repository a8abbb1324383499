/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-line.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"

/* How much of a line that is cut stands before the hit of a search. */
#define BEFORE_HIT 200

#define ELLIPSIS "\xE2\x80\xA6"

/* Bytes as one line that can be drawn: what is no text as U+FFFD, controls as their pictures. */
static void
append_printable (GString    *out,
                  const char *bytes,
                  gsize       length)
{
  g_autofree char *valid = cyc_utf8_make_valid (bytes, length);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (c < 0x20 && c != '\t')
        g_string_append_unichar (out, 0x2400 + c);
      else if (c == 0x7f)
        g_string_append_unichar (out, 0x2421);
      else if (c != '\t' && (g_unichar_iscntrl (c) || g_unichar_type (c) == G_UNICODE_FORMAT))
        g_string_append_unichar (out, 0xfffd);
      else
        g_string_append_unichar (out, c);
    }
}

static gsize
without_end (const GString *raw,
             gboolean       whole)
{
  gsize length = raw->len;

  if (!whole)
    return length;
  if (length > 0 && raw->str[length - 1] == '\n')
    length--;
  if (length > 0 && raw->str[length - 1] == '\r')
    length--;
  return length;
}

/**
 * cyc_log_line_load:
 * @cache: where the log is
 * @start: where the line begins
 * @hit: offset of the hit of a search, or %G_MAXUINT64
 * @out_line: (out) (transfer full): the line
 *
 * Returns: %CYC_LOG_OK with @out_line set, %CYC_LOG_WAIT, or %CYC_LOG_END
 */
CycLogAnswer
cyc_log_line_load (CycLogCache  *cache,
                   guint64       start,
                   guint64       hit,
                   CycLogLine  **out_line)
{
  g_autoptr (GString) raw = g_string_new (NULL);
  guint64 next;
  CycLogAnswer answer = cyc_log_cache_find_next (cache, start, &next);

  if (answer != CYC_LOG_OK)
    return answer;
  gboolean has_hit = hit >= start && hit < next;
  guint64 from = start;
  if (has_hit && hit - start > CYC_LOG_MAX_SHOWN - BEFORE_HIT)
    from = hit - BEFORE_HIT;
  gsize length = (gsize) MIN (next - from, CYC_LOG_MAX_SHOWN);
  answer = cyc_log_cache_copy (cache, from, length, raw);
  if (answer != CYC_LOG_OK)
    return answer;

  CycLogLine *self = g_new0 (CycLogLine, 1);
  GString *text = g_string_new (from > start ? ELLIPSIS " " : NULL);
  guint64 rest = next - from - length;
  gsize shown = without_end (raw, rest == 0);
  gsize before = has_hit ? MIN ((gsize) (hit - from), shown) : 0;
  append_printable (text, raw->str, before);
  self->hit = has_hit ? (int) text->len : -1;
  append_printable (text, raw->str + before, shown - before);
  if (rest > 0)
    {
      g_autofree char *size = cyc_format_size (rest);
      /* Translators: at the end of a line that is too long to be shown; %s is a size. */
      g_string_append_printf (text, _(" … (%s more)"), size);
    }
  self->start = start;
  self->next = next;
  self->text = g_string_free (text, FALSE);
  *out_line = self;
  return CYC_LOG_OK;
}

/**
 * cyc_log_line_free:
 * @self: (transfer full): a line
 */
void
cyc_log_line_free (CycLogLine *self)
{
  g_free (self->text);
  g_free (self);
}

/* The length in @text of what @words say, in any case of letters; 0 if it says something else. */
static gsize
match_at (const char *text,
          const char *words)
{
  const char *p = text;

  for (; *words != '\0'; words = g_utf8_next_char (words), p = g_utf8_next_char (p))
    if (*p == '\0' || g_unichar_tolower (g_utf8_get_char (p)) != g_unichar_tolower (g_utf8_get_char (words)))
      return 0;
  return (gsize) (p - text);
}

static void
add_background (PangoAttrList *attributes,
                const GdkRGBA *color,
                guint          from,
                guint          to)
{
  PangoAttribute *background = pango_attr_background_new ((guint16) (color->red * 65535),
                                                          (guint16) (color->green * 65535),
                                                          (guint16) (color->blue * 65535));
  PangoAttribute *alpha = pango_attr_background_alpha_new ((guint16) MAX (1, color->alpha * 65535));

  background->start_index = alpha->start_index = from;
  background->end_index = alpha->end_index = to;
  pango_attr_list_insert (attributes, background);
  pango_attr_list_insert (attributes, alpha);
}

static void
add_foreground (PangoAttrList *attributes,
                const GdkRGBA *color,
                guint          from,
                guint          to)
{
  PangoAttribute *foreground = pango_attr_foreground_new ((guint16) (color->red * 65535),
                                                          (guint16) (color->green * 65535),
                                                          (guint16) (color->blue * 65535));
  PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);

  foreground->start_index = bold->start_index = from;
  foreground->end_index = bold->end_index = to;
  pango_attr_list_insert (attributes, foreground);
  pango_attr_list_insert (attributes, bold);
}

/**
 * cyc_log_line_mark:
 * @self: a line
 * @words: (nullable): what is searched for
 * @colors: (array fixed-size=3): behind the hit, of the hit, behind other places that say the same
 *
 * Returns: (transfer full) (nullable): attributes that mark what was found in the line
 */
PangoAttrList *
cyc_log_line_mark (const CycLogLine *self,
                   const char       *words,
                   const GdkRGBA    *colors)
{
  PangoAttrList *attributes = NULL;

  if (words == NULL || words[0] == '\0')
    return NULL;
  for (const char *p = self->text; *p != '\0';)
    {
      gsize length = match_at (p, words);
      guint from = (guint) (p - self->text);
      if (length == 0)
        {
          p = g_utf8_next_char (p);
          continue;
        }
      if (attributes == NULL)
        attributes = pango_attr_list_new ();
      gboolean hit = self->hit == (int) from;
      add_background (attributes, &colors[hit ? 0 : 2], from, from + (guint) length);
      if (hit)
        add_foreground (attributes, &colors[1], from, from + (guint) length);
      p += length;
    }
  return attributes;
}
