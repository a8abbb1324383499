/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-template-parts-private.h"

#include <string.h>

#include "core/base/cyc-error.h"

/* Takes a template apart at its tags: {{ }}, {% %}, {# #}, with `-` for blanks to be removed beside them. */

#define MAX_DEPTH 100

typedef struct
{
  const char *file;
  const char *at;
  const char *end;
  guint       line;
  gboolean    strip; /* the last tag removes blanks behind it */
  GArray     *parts;
} Splitter;

static gboolean
fail (Splitter    *self,
      guint        line,
      GError     **error,
      const char  *text)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->file, line, "%s", text);
  return FALSE;
}

static void
advance (Splitter    *self,
         const char  *to)
{
  for (; self->at < to; self->at++)
    if (*self->at == '\n')
      self->line++;
}

static void
add_plain (Splitter    *self,
           const char  *to,
           gboolean     strip_end)
{
  if (self->strip)
    {
      const char *begin = self->at;
      while (begin < to && g_ascii_isspace (*begin))
        begin++;
      advance (self, begin);
    }
  const char *end = to;
  while (strip_end && end > self->at && g_ascii_isspace (end[-1]))
    end--;
  if (end > self->at)
    {
      CycTemplatePart part = { CYC_TEMPLATE_PLAIN, self->at, (gsize) (end - self->at), self->line };
      g_array_append_val (self->parts, part);
    }
  advance (self, to);
  self->strip = FALSE;
}

/* The end of a tag that ends with @close: texts in quotes are passed over. */
static const char *
find_close (const char *at,
            const char *end,
            const char *close)
{
  char quote = '\0';

  for (; at + 1 < end; at++)
    {
      if (quote != '\0')
        {
          if (*at == '\\')
            at++;
          else if (*at == quote)
            quote = '\0';
        }
      else if (at[0] == close[0] && at[1] == close[1])
        return at;
      else if (close[0] != '#' && (*at == '"' || *at == '\''))
        quote = *at;
    }
  return NULL;
}

static const struct
{
  const char          *word;
  CycTemplatePartKind  kind;
} words[] = {
  { "for", CYC_TEMPLATE_FOR },
  { "endfor", CYC_TEMPLATE_ENDFOR },
  { "if", CYC_TEMPLATE_IF },
  { "elif", CYC_TEMPLATE_ELIF },
  { "else", CYC_TEMPLATE_ELSE },
  { "endif", CYC_TEMPLATE_ENDIF },
  { "set", CYC_TEMPLATE_SET },
  { "include", CYC_TEMPLATE_INCLUDE },
  { "assert", CYC_TEMPLATE_ASSERT },
};

/* The first word of {% %}. */
static gboolean
take_word (Splitter         *self,
           const char       *end,
           CycTemplatePart  *part,
           GError          **error)
{
  const char *begin = self->at;
  while (begin < end && g_ascii_isspace (*begin))
    begin++;
  advance (self, begin);
  const char *stop = begin;
  while (stop < end && (g_ascii_isalnum (*stop) || *stop == '_'))
    stop++;
  gsize len = (gsize) (stop - begin);
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strlen (words[i].word) == len && strncmp (words[i].word, begin, len) == 0)
      {
        part->kind = words[i].kind;
        advance (self, stop);
        return TRUE;
      }
  g_autofree char *word = g_strndup (begin, len);
  g_autofree char *text = g_strdup_printf ("the tag {%% %s %%} is not known here; there are for, if, set, include "
                                           "and assert", word);
  return fail (self, self->line, error, text);
}

static gboolean
add_tag (Splitter  *self,
         GError   **error)
{
  char kind = self->at[1];
  const char *close = kind == '{' ? "}}" : kind == '%' ? "%}" : "#}";
  guint begin_line = self->line;
  const char *begin = self->at + 2;
  const char *end;

  if (begin < self->end && (*begin == '-' || *begin == '+'))
    begin++;
  end = find_close (begin, self->end, close);
  if (end == NULL)
    {
      g_autofree char *text = g_strdup_printf ("the tag {%c is not closed by %s", kind, close);
      return fail (self, begin_line, error, text);
    }
  const char *behind = end + 2;
  gboolean strip = end > begin && end[-1] == '-';
  if (end > begin && (end[-1] == '-' || (end[-1] == '+' && kind != '{')))
    end--;
  CycTemplatePart part = { CYC_TEMPLATE_PRINT };
  advance (self, begin);
  if (kind == '%' && !take_word (self, end, &part, error))
    return FALSE;
  part.text = self->at;
  part.len = (gsize) (end - self->at);
  part.line = self->line;
  if (kind != '#')
    g_array_append_val (self->parts, part);
  advance (self, behind);
  self->strip = strip;
  return TRUE;
}

static gboolean
split (Splitter  *self,
       GError   **error)
{
  const char *at = self->at;

  while (at + 1 < self->end)
    {
      if (at[0] != '{' || strchr ("{%#", at[1]) == NULL || at[1] == '\0')
        {
          at++;
          continue;
        }
      add_plain (self, at, at + 2 < self->end && at[2] == '-');
      if (!add_tag (self, error))
        return FALSE;
      at = self->at;
    }
  /* As Jinja, without the line end that every file ends with. */
  const char *end = self->end;
  if (end > self->at && end[-1] == '\n')
    end--;
  add_plain (self, end, FALSE);
  return TRUE;
}

/* Joins the parts of each block. */
static gboolean
join_blocks (Splitter  *self,
             GError   **error)
{
  guint open[MAX_DEPTH];
  guint depth = 0;

  for (guint i = 0; i < self->parts->len; i++)
    {
      CycTemplatePart *part = &g_array_index (self->parts, CycTemplatePart, i);
      CycTemplatePart *last = depth > 0 ? &g_array_index (self->parts, CycTemplatePart, open[depth - 1]) : NULL;
      gboolean opens = part->kind == CYC_TEMPLATE_FOR || part->kind == CYC_TEMPLATE_IF;
      if (opens && depth == MAX_DEPTH)
        return fail (self, part->line, error, "blocks are nested over 100 deep");
      if (opens)
        open[depth++] = i;
      else if (part->kind >= CYC_TEMPLATE_ENDFOR && part->kind <= CYC_TEMPLATE_ENDIF)
        {
          gboolean in_for = last != NULL && last->kind == CYC_TEMPLATE_FOR;
          gboolean in_if = last != NULL && last->kind != CYC_TEMPLATE_FOR;
          gboolean after_else = last != NULL && last->kind == CYC_TEMPLATE_ELSE;
          if (part->kind == CYC_TEMPLATE_ENDFOR ? !in_for : !in_if)
            return fail (self, part->line, error, "this tag belongs to no open block");
          if (after_else && part->kind != CYC_TEMPLATE_ENDIF)
            return fail (self, part->line, error, "a branch follows the else");
          last->next = i;
          if (part->kind == CYC_TEMPLATE_ENDFOR || part->kind == CYC_TEMPLATE_ENDIF)
            depth--;
          else
            open[depth - 1] = i;
        }
    }
  if (depth == 0)
    return TRUE;
  const CycTemplatePart *left = &g_array_index (self->parts, CycTemplatePart, open[depth - 1]);
  return fail (self, left->line, error, left->kind == CYC_TEMPLATE_FOR ? "the for is not closed by {% endfor %}"
                                                                       : "the if is not closed by {% endif %}");
}

/* An array of CycTemplatePart, whose texts lie in @text; NULL with @error set. */
GArray *
cyc_template_split (const char  *file,
                    const char  *text,
                    gsize        len,
                    GError     **error)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (CycTemplatePart));
  Splitter self = { file, text, text + len, 1, FALSE, parts };

  if (!split (&self, error) || !join_blocks (&self, error))
    return NULL;
  return g_steal_pointer (&parts);
}
