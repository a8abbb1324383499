/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-source-lines.h"

typedef struct
{
  const char *file;
  guint       line;
} Origin;

struct _CycSourceLines
{
  GStringChunk *names;
  const char   *file;
  GArray       *origins; /* of Origin; empty where text and file are the same */
};

/**
 * cyc_source_lines_new:
 * @file: the input, as the user named it
 *
 * Returns: (transfer full): a table that as long as it is empty says that line N is line N of @file
 */
CycSourceLines *
cyc_source_lines_new (const char *file)
{
  CycSourceLines *self = g_new0 (CycSourceLines, 1);

  self->names = g_string_chunk_new (256);
  self->file = g_string_chunk_insert_const (self->names, file);
  self->origins = g_array_new (FALSE, FALSE, sizeof (Origin));
  return self;
}

void
cyc_source_lines_free (CycSourceLines *self)
{
  if (self == NULL)
    return;
  g_string_chunk_free (self->names);
  g_array_free (self->origins, TRUE);
  g_free (self);
}

/**
 * cyc_source_lines_add:
 * @self: the table
 * @file: where the next line of the text comes from
 * @line: which line of it, from 1
 */
void
cyc_source_lines_add (CycSourceLines *self,
                      const char     *file,
                      guint           line)
{
  Origin origin = { g_string_chunk_insert_const (self->names, file), line };

  g_array_append_val (self->origins, origin);
}

/**
 * cyc_source_lines_find:
 * @self: the table
 * @line: a line of the text, from 1
 * @out_line: (out): the line of the file
 *
 * Returns: (transfer none): the file of that line, good as long as @self
 */
const char *
cyc_source_lines_find (const CycSourceLines *self,
                       guint                 line,
                       guint                *out_line)
{
  if (self->origins->len == 0)
    {
      *out_line = line;
      return self->file;
    }
  guint index = CLAMP (line, 1, self->origins->len) - 1;
  const Origin *origin = &g_array_index (self->origins, Origin, index);
  *out_line = origin->line;
  return origin->file;
}
