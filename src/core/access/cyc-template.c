/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/access/cyc-template.h"

#include <stdlib.h>
#include <string.h>

#include "core/access/cyc-template-parts-private.h"
#include "core/access/cyc-template-private.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-name.h"

#define MAX_STEPS 2000000
#define MAX_INCLUDES 16
#define MAX_INCLUDED (4 * 1024 * 1024)

/* What an expansion shares with those of the files that it includes. */
typedef struct
{
  GString        *out;
  CycSourceLines *lines;
  gboolean        placed; /* the origin of the line at the end of @out is known */
  guint64         budget;
  guint           depth;  /* of includes */
  GPtrArray      *found;  /* of CycTemplateParameter; NULL unless they are listed */
  GHashTable     *listed;
} Expansion;

typedef struct
{
  Expansion        *expansion;
  CycTemplateScope  scope;
  GArray           *parts;
} Expander;

static gboolean expand_file (Expansion   *expansion,
                             const char  *file,
                             const char  *text,
                             gsize        len,
                             GHashTable  *names,
                             GError     **error);

static gboolean run (Expander  *self,
                     guint      from,
                     guint      to,
                     GError   **error);

/* Appends to the output, each line of which remembers where its first character comes from. */
static gboolean
emit (Expander    *self,
      const char  *text,
      gsize        len,
      guint        line,
      gboolean     counts_lines,
      GError     **error)
{
  Expansion *expansion = self->expansion;

  if (expansion->out->len + len > CYC_TEMPLATE_MAX_TEXT)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->scope.file, line,
                        "the text of the template grows over 16 MiB; is a loop or a parameter too large?");
      return FALSE;
    }
  for (gsize i = 0; i < len; i++)
    {
      gboolean ends = text[i] == '\n';
      if (!expansion->placed && (ends || !g_ascii_isspace (text[i])))
        {
          cyc_source_lines_add (expansion->lines, self->scope.file, line);
          expansion->placed = TRUE;
        }
      if (ends)
        expansion->placed = FALSE;
      if (ends && counts_lines)
        line++;
    }
  g_string_append_len (expansion->out, text, (gssize) len);
  return TRUE;
}

static CycTemplateReader
start_reading (Expander               *self,
               const CycTemplatePart  *part)
{
  CycTemplateReader reader = { &self->scope, part->text, part->text + part->len, part->line };

  self->scope.line = part->line;
  reader.quiet = self->expansion->found != NULL;
  return reader;
}

static gboolean
finish_reading (CycTemplateReader  *reader,
                GError            **error)
{
  cyc_template_skip_blanks (reader);
  if (reader->at == reader->end)
    return TRUE;
  g_autofree char *rest = g_utf8_make_valid (reader->at, MIN (reader->end - reader->at, 40));
  cyc_template_fail (reader, error, "the tag should end before '%s'", rest);
  return FALSE;
}

/* The one expression of a tag. */
static CycTemplateValue *
evaluate (Expander               *self,
          const CycTemplatePart  *part,
          GError                **error)
{
  CycTemplateReader reader = start_reading (self, part);
  g_autoptr (CycTemplateValue) value = cyc_template_read_expression (&reader, error);

  if (value == NULL || !finish_reading (&reader, error))
    return NULL;
  if (!reader.quiet && value->kind == CYC_TEMPLATE_UNDEFINED)
    {
      reader.line = part->line;
      cyc_template_fail (&reader, error, "'%s' is undefined; set it, or give it a value with | default (...)",
                         value->text);
      return NULL;
    }
  return g_steal_pointer (&value);
}

static CycTemplateValue *include_text (const char  *name,
                                       gpointer     user_data,
                                       GError     **error);

static gboolean
run_print (Expander               *self,
           const CycTemplatePart  *part,
           GError                **error)
{
  self->scope.include = include_text;
  g_autoptr (CycTemplateValue) value = evaluate (self, part, error);
  self->scope.include = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (value == NULL)
    return FALSE;
  if (self->expansion->found != NULL)
    return TRUE;
  cyc_template_value_print (value, FALSE, text);
  return emit (self, text->str, text->len, part->line, FALSE, error);
}

static gboolean
run_set (Expander               *self,
         const CycTemplatePart  *part,
         GError                **error)
{
  CycTemplateReader reader = start_reading (self, part);
  g_autofree char *name = cyc_template_read_name (&reader);

  if (name == NULL || !cyc_template_take (&reader, "="))
    {
      cyc_template_fail (&reader, error, "expected {%% set NAME = VALUE %%}");
      return FALSE;
    }
  g_autoptr (CycTemplateValue) value = cyc_template_read_expression (&reader, error);
  if (value == NULL || !finish_reading (&reader, error))
    return FALSE;
  g_hash_table_replace (self->scope.names, g_steal_pointer (&name), g_steal_pointer (&value));
  return TRUE;
}

static gboolean
run_assert (Expander               *self,
            const CycTemplatePart  *part,
            GError                **error)
{
  CycTemplateReader reader = start_reading (self, part);
  g_autoptr (CycTemplateValue) value = cyc_template_read_expression (&reader, error);
  g_autoptr (CycTemplateValue) message = NULL;

  if (value == NULL)
    return FALSE;
  if (cyc_template_take (&reader, ",") && (message = cyc_template_read_expression (&reader, error)) == NULL)
    return FALSE;
  if (!finish_reading (&reader, error))
    return FALSE;
  if (reader.quiet || cyc_template_value_is_true (value))
    return TRUE;
  reader.line = part->line;
  if (message != NULL && message->kind == CYC_TEMPLATE_TEXT)
    cyc_template_fail (&reader, error, "%s", message->text);
  else
    cyc_template_fail (&reader, error, "what the template asserts does not hold");
  return FALSE;
}

/* A copy of what is set, for a loop or another file. */
static GHashTable *
copy_names (GHashTable *names)
{
  GHashTable *copy = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                            (GDestroyNotify) cyc_template_value_unref);
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  g_hash_table_iter_init (&iter, names);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (copy, g_strdup (name), cyc_template_value_ref (value));
  return copy;
}

static void
set_name (GHashTable        *names,
          const char        *name,
          CycTemplateValue  *value)
{
  g_hash_table_replace (names, g_strdup (name), value);
}

static void
set_loop (GHashTable        *names,
          const char        *name,
          CycTemplateValue  *list,
          guint              i)
{
  set_name (names, name, cyc_template_value_ref (g_ptr_array_index (list->list, i)));
  set_name (names, "loop.index", cyc_template_value_new_int ((gint64) i + 1));
  set_name (names, "loop.index0", cyc_template_value_new_int (i));
  set_name (names, "loop.first", cyc_template_value_new_bool (i == 0));
  set_name (names, "loop.last", cyc_template_value_new_bool (i + 1 == list->list->len));
  set_name (names, "loop.length", cyc_template_value_new_int (list->list->len));
}

/* What is set in a loop is forgotten with each turn, as Jinja has it. */
static gboolean
run_turns (Expander          *self,
           guint              index,
           const char        *name,
           CycTemplateValue  *list,
           GError           **error)
{
  const CycTemplatePart *part = &g_array_index (self->parts, CycTemplatePart, index);
  CycTemplateReader reader = start_reading (self, part);
  GHashTable *outer = self->scope.names;
  gboolean good = TRUE;

  for (guint i = 0; i < list->list->len && good; i++)
    {
      g_autoptr (GHashTable) names = copy_names (outer);
      /* Of all steps these cost most: names are copied, and six are set. */
      good = cyc_template_spend (&reader, 10 + g_hash_table_size (outer), error);
      set_loop (names, name, list, i);
      self->scope.names = names;
      good = good && run (self, index + 1, part->next, error);
    }
  self->scope.names = outer;
  return good;
}

static gboolean
run_for (Expander  *self,
         guint      index,
         GError   **error)
{
  const CycTemplatePart *part = &g_array_index (self->parts, CycTemplatePart, index);
  CycTemplateReader reader = start_reading (self, part);
  g_autofree char *name = cyc_template_read_name (&reader);

  if (name == NULL || !cyc_template_take_word (&reader, "in"))
    {
      cyc_template_fail (&reader, error, "expected {%% for NAME in LIST %%}");
      return FALSE;
    }
  g_autoptr (CycTemplateValue) list = cyc_template_read_expression (&reader, error);
  if (list == NULL || !finish_reading (&reader, error))
    return FALSE;
  if (reader.quiet)
    {
      g_autoptr (CycTemplateValue) once = cyc_template_value_new_list ();
      cyc_template_value_append (once, cyc_template_value_new_int (0));
      return run_turns (self, index, name, once, error);
    }
  if (list->kind == CYC_TEMPLATE_LIST)
    return run_turns (self, index, name, list, error);
  reader.line = part->line;
  if (list->kind == CYC_TEMPLATE_UNDEFINED)
    cyc_template_fail (&reader, error, "'%s' is undefined; set it, or give it a value with | default (...)",
                       list->text);
  else
    cyc_template_fail (&reader, error, "a loop needs a list, not %s", cyc_template_value_describe (list));
  return FALSE;
}

/* @out_end: the endif. Parameters are looked for in every branch. */
static gboolean
run_if (Expander  *self,
        guint      index,
        guint     *out_end,
        GError   **error)
{
  gboolean listing = self->expansion->found != NULL;
  gboolean done = FALSE;
  guint at = index;
  const CycTemplatePart *part;

  while ((part = &g_array_index (self->parts, CycTemplatePart, at))->kind != CYC_TEMPLATE_ENDIF)
    {
      guint next = part->next;
      gboolean takes = !done;
      if (part->kind != CYC_TEMPLATE_ELSE && (takes || listing))
        {
          g_autoptr (CycTemplateValue) value = evaluate (self, part, error);
          if (value == NULL)
            return FALSE;
          takes = cyc_template_value_is_true (value);
        }
      if ((takes || listing) && !run (self, at + 1, next, error))
        return FALSE;
      done = done || takes;
      at = next;
    }
  *out_end = at;
  return TRUE;
}

/* Whether a path leads to a regular file below a folder, links followed. */
static gboolean
is_inside (const char *folder,
           const char *path)
{
  g_autofree char *top = realpath (folder, NULL);
  g_autofree char *file = realpath (path, NULL);

  if (top == NULL || file == NULL)
    return FALSE;
  gsize len = strlen (top);
  return strncmp (top, file, len) == 0 && (file[len] == '/' || strcmp (top, "/") == 0) &&
         g_file_test (file, G_FILE_TEST_IS_REGULAR);
}

/* Reads a file beside the template or below its folder; nothing else. */
static char *
read_included (Expander    *self,
               const char  *name,
               char       **out_path,
               gsize       *out_len,
               GError     **error)
{
  g_autofree char *folder = g_path_get_dirname (self->scope.file);
  g_autoptr (GError) local = NULL;

  if (!cyc_name_is_safe_path (name))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->scope.file, self->scope.line,
                        "'%s' is not included: only files in the template's folder or below it are", name);
      return NULL;
    }
  if (self->expansion->depth >= MAX_INCLUDES)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->scope.file, self->scope.line,
                        "includes are nested over %d deep; does a file include itself?", MAX_INCLUDES);
      return NULL;
    }
  g_autofree char *path = strcmp (folder, ".") == 0 && !g_str_has_prefix (self->scope.file, "./")
    ? g_strdup (name) : g_build_filename (folder, name, NULL);
  if (!is_inside (folder, path))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->scope.file, self->scope.line,
                        "'%s' is not included: it is no regular file in the template's folder or below it", name);
      return NULL;
    }
  char *text = cyc_byte_reader_read_all (path, MAX_INCLUDED, out_len, &local);
  if (text == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->scope.file, self->scope.line, "include: %s", local->message);
      return NULL;
    }
  *out_path = g_steal_pointer (&path);
  return text;
}

static gboolean
include (Expander    *self,
         const char  *name,
         GError     **error)
{
  gsize len;
  g_autofree char *path = NULL;
  g_autofree char *text = read_included (self, name, &path, &len, error);
  gboolean good;

  if (text == NULL)
    return FALSE;
  g_autoptr (GHashTable) names = copy_names (self->scope.names);
  self->expansion->depth++;
  good = expand_file (self->expansion, path, text, len, names, error);
  self->expansion->depth--;
  return good;
}

static gboolean
run_include (Expander               *self,
             const CycTemplatePart  *part,
             GError                **error)
{
  g_autoptr (CycTemplateValue) value = evaluate (self, part, error);

  if (value == NULL)
    return FALSE;
  if (value->kind == CYC_TEMPLATE_TEXT)
    return include (self, value->text, error);
  /* What a listing includes is known only if it is written there. */
  if (self->expansion->found != NULL)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->scope.file, part->line,
                    "include needs the name of a file, not %s", cyc_template_value_describe (value));
  return FALSE;
}

/* include_text (): straight into the output, where its call stands, so that its lines keep their origin. */
static CycTemplateValue *
include_text (const char  *name,
              gpointer     user_data,
              GError     **error)
{
  if (!include (user_data, name, error))
    return NULL;
  return cyc_template_value_new_text ("", 0);
}

static gboolean
run (Expander  *self,
     guint      from,
     guint      to,
     GError   **error)
{
  gboolean good = TRUE;

  for (guint i = from; i < to && good; i++)
    {
      const CycTemplatePart *part = &g_array_index (self->parts, CycTemplatePart, i);
      switch (part->kind)
        {
        case CYC_TEMPLATE_PLAIN:
          good = self->expansion->found != NULL ||
                 emit (self, part->text, part->len, part->line, TRUE, error);
          break;
        case CYC_TEMPLATE_PRINT:
          good = run_print (self, part, error);
          break;
        case CYC_TEMPLATE_FOR:
          good = run_for (self, i, error);
          i = part->next;
          break;
        case CYC_TEMPLATE_IF:
          good = run_if (self, i, &i, error);
          break;
        case CYC_TEMPLATE_SET:
          good = run_set (self, part, error);
          break;
        case CYC_TEMPLATE_INCLUDE:
          good = run_include (self, part, error);
          break;
        case CYC_TEMPLATE_ASSERT:
          good = run_assert (self, part, error);
          break;
        case CYC_TEMPLATE_ENDFOR:
        case CYC_TEMPLATE_ELIF:
        case CYC_TEMPLATE_ELSE:
        case CYC_TEMPLATE_ENDIF:
        default:
          break;
        }
    }
  return good;
}

static void
notice (const char  *name,
        const char  *fallback,
        gpointer     user_data)
{
  Expander *self = user_data;
  Expansion *expansion = self->expansion;

  if (g_str_has_prefix (name, "loop.") || g_hash_table_contains (expansion->listed, name))
    return;
  CycTemplateParameter *parameter = g_new0 (CycTemplateParameter, 1);
  parameter->name = g_strdup (name);
  parameter->fallback = g_strdup (fallback);
  parameter->file = g_strdup (self->scope.file);
  parameter->line = self->scope.line;
  g_ptr_array_add (expansion->found, parameter);
  g_hash_table_add (expansion->listed, parameter->name);
}

static gboolean
expand_file (Expansion   *expansion,
             const char  *file,
             const char  *text,
             gsize        len,
             GHashTable  *names,
             GError     **error)
{
  Expander self = { expansion };

  if (!g_utf8_validate_len (text, len, NULL))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, file, 0, "not UTF-8, or there is a NUL in it");
      return FALSE;
    }
  g_autoptr (GArray) parts = cyc_template_split (file, text, len, error);
  if (parts == NULL)
    return FALSE;
  self.parts = parts;
  self.scope.names = names;
  self.scope.budget = &expansion->budget;
  self.scope.file = file;
  self.scope.notice = expansion->found != NULL ? notice : NULL;
  self.scope.user_data = &self;
  return run (&self, 0, parts->len, error);
}

static GHashTable *
read_parameters (GHashTable *parameters)
{
  GHashTable *names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                             (GDestroyNotify) cyc_template_value_unref);
  GHashTableIter iter;
  gpointer name;
  gpointer value;

  if (parameters == NULL)
    return names;
  g_hash_table_iter_init (&iter, parameters);
  while (g_hash_table_iter_next (&iter, &name, &value))
    set_name (names, name, cyc_template_read_literal (value));
  return names;
}

/**
 * cyc_template_expand:
 * @file: the template, as the user named it; files that it includes are looked for in its folder
 * @text: (array length=len): the template
 * @len: bytes
 * @parameters: (nullable) (element-type utf8 utf8): names and what `--set` says of them
 * @out_lines: (out): where the lines of the result come from
 * @error: return location for an error, which names file and line of the template
 *
 * Expands the part of Jinja that AccelForge's files use (docs/formats.md). Steps, depth and size are bounded,
 * files outside the template's folder are refused. Any thread; reads files.
 *
 * Returns: (transfer full) (nullable): the text, %NULL with @error set
 */
GString *
cyc_template_expand (const char      *file,
                     const char      *text,
                     gsize            len,
                     GHashTable      *parameters,
                     CycSourceLines **out_lines,
                     GError         **error)
{
  g_autoptr (GString) out = g_string_sized_new (len + 1);
  g_autoptr (CycSourceLines) lines = cyc_source_lines_new (file);
  g_autoptr (GHashTable) names = read_parameters (parameters);
  Expansion expansion = { out, lines, FALSE, MAX_STEPS };

  if (!expand_file (&expansion, file, text, len, names, error))
    return NULL;
  if (!expansion.placed)
    cyc_source_lines_add (lines, file, 1);
  *out_lines = g_steal_pointer (&lines);
  return g_steal_pointer (&out);
}

/**
 * cyc_template_list_parameters:
 * @file: the template, as the user named it
 * @text: (array length=len): the template
 * @len: bytes
 * @error: return location for an error
 *
 * Lists what a template wants to be told: the names that it reads before it sets them, in order. Every branch
 * and every loop is looked at once. Any thread; reads files that are included.
 *
 * Returns: (transfer full) (element-type CycTemplateParameter) (nullable): them, %NULL with @error set
 */
GPtrArray *
cyc_template_list_parameters (const char  *file,
                              const char  *text,
                              gsize        len,
                              GError     **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_template_parameter_free);
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GHashTable) names = read_parameters (NULL);
  Expansion expansion = { NULL, NULL, FALSE, MAX_STEPS, 0, found, listed };

  if (!expand_file (&expansion, file, text, len, names, error))
    return NULL;
  return g_steal_pointer (&found);
}

void
cyc_template_parameter_free (CycTemplateParameter *self)
{
  if (self == NULL)
    return;
  g_free (self->name);
  g_free (self->fallback);
  g_free (self->file);
  g_free (self);
}
