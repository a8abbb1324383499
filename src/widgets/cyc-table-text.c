/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-text.h"

#include <math.h>

#include "core/base/cyc-csv.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-number.h"

/* Rows of a table as text, to be pasted elsewhere. */

static gboolean
has_value (const CycTableField *field)
{
  return (field->column.flags & CYC_TABLE_COLUMN_NUMBER) != 0 && field->column.get_number != NULL;
}

/* A cell for programs: a number is its digits, not the text with separators. */
static char *
dup_value (const CycTableField *field,
           gpointer             item)
{
  char buf[CYC_DOUBLE_BUF];

  if (!has_value (field))
    return cyc_table_field_dup_text (field, item);
  double value = cyc_table_field_get_number (field, item);
  return isfinite (value) ? g_strdup (cyc_number_format_double (buf, value)) : g_strdup ("");
}

/* TSV has no quotes: what would end a cell becomes a blank. */
static void
append_tsv (GString    *out,
            const char *text,
            char        end)
{
  for (const char *p = text; *p != '\0'; p++)
    g_string_append_c (out, *p == '\t' || *p == '\n' || *p == '\r' ? ' ' : *p);
  g_string_append_c (out, end);
}

static void
append_markdown (GString    *out,
                 const char *text,
                 char        end)
{
  g_string_append (out, "| ");
  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '|' || *p == '\\')
        g_string_append_c (out, '\\');
      g_string_append_c (out, *p == '\n' || *p == '\r' ? ' ' : *p);
    }
  g_string_append (out, end == '\n' ? " |\n" : " ");
}

static void
append_cell (GString        *out,
             CycTableFormat  format,
             const char     *text,
             gboolean        last)
{
  if (format == CYC_TABLE_MARKDOWN)
    append_markdown (out, text, last ? '\n' : ' ');
  else if (format == CYC_TABLE_CSV)
    cyc_csv_append (out, text, last ? '\n' : ',');
  else
    append_tsv (out, text, last ? '\n' : '\t');
}

static void
append_head (GString        *out,
             GPtrArray      *fields,
             CycTableFormat  format)
{
  for (guint i = 0; i < fields->len; i++)
    {
      const CycTableField *field = g_ptr_array_index (fields, i);
      append_cell (out, format, field->column.title, i + 1 == fields->len);
    }
  for (guint i = 0; format == CYC_TABLE_MARKDOWN && i < fields->len; i++)
    {
      g_string_append (out, cyc_table_field_is_end (g_ptr_array_index (fields, i)) ? "| ---: " : "| --- ");
      if (i + 1 == fields->len)
        g_string_append (out, "|\n");
    }
}

static void
append_row (GString        *out,
            GPtrArray      *fields,
            CycTableFormat  format,
            gpointer        item)
{
  for (guint i = 0; i < fields->len; i++)
    {
      const CycTableField *field = g_ptr_array_index (fields, i);
      g_autofree char *text = format == CYC_TABLE_MARKDOWN ? cyc_table_field_dup_text (field, item)
                                                           : dup_value (field, item);
      append_cell (out, format, text, i + 1 == fields->len);
    }
}

static void
write_row (CycJsonWriter *writer,
           GPtrArray     *fields,
           gpointer       item)
{
  cyc_json_writer_begin_object (writer);
  for (guint i = 0; i < fields->len; i++)
    {
      const CycTableField *field = g_ptr_array_index (fields, i);
      cyc_json_writer_key (writer, field->column.id);
      if (has_value (field))
        {
          double value = cyc_table_field_get_number (field, item);
          if (isfinite (value))
            cyc_json_writer_double (writer, value);
          else
            cyc_json_writer_null (writer);
          continue;
        }
      g_autofree char *text = cyc_table_field_dup_text (field, item);
      cyc_json_writer_string (writer, text);
    }
  cyc_json_writer_end_object (writer);
}

struct _CycTableTextWriter
{
  GListModel     *model;
  GtkBitset      *rows;
  GPtrArray      *fields;
  CycTableFormat  format;
  GtkBitsetIter   iter;
  guint           position; /* of the next row */
  gboolean        more;     /* there is one */
  gboolean        changed;
  CycJsonWriter  *json;     /* NULL for other formats */
  GString        *out;
};

static gboolean
append_cb (const char  *bytes,
           gsize        len,
           gpointer     user_data,
           GError     **error)
{
  g_string_append_len (user_data, bytes, (gssize) len);
  return TRUE;
}

static void
changed_cb (CycTableTextWriter *self)
{
  self->changed = TRUE;
}

/**
 * cyc_table_text_writer_new:
 * @model: rows
 * @rows: which of them
 * @fields: (element-type CycTableField): the columns
 * @format: how to write them
 *
 * Returns: (transfer full): what writes them as text, a few at a time
 */
CycTableTextWriter *
cyc_table_text_writer_new (GListModel     *model,
                           GtkBitset      *rows,
                           GPtrArray      *fields,
                           CycTableFormat  format)
{
  g_return_val_if_fail (G_IS_LIST_MODEL (model), NULL);
  g_return_val_if_fail (rows != NULL && fields != NULL, NULL);

  CycTableTextWriter *self = g_new0 (CycTableTextWriter, 1);
  self->model = g_object_ref (model);
  self->rows = gtk_bitset_ref (rows);
  self->fields = g_ptr_array_ref (fields);
  self->format = format;
  self->out = g_string_new (NULL);
  self->more = gtk_bitset_iter_init_first (&self->iter, self->rows, &self->position);
  g_signal_connect_swapped (model, "items-changed", G_CALLBACK (changed_cb), self);
  if (format == CYC_TABLE_JSON)
    {
      self->json = cyc_json_writer_new (CYC_JSON_PRETTY, append_cb, self->out);
      cyc_json_writer_begin_array (self->json);
    }
  else
    {
      append_head (self->out, fields, format);
    }
  return self;
}

/**
 * cyc_table_text_writer_free:
 * @self: (transfer full): a writer
 */
void
cyc_table_text_writer_free (CycTableTextWriter *self)
{
  g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_pointer (&self->json, cyc_json_writer_free);
  g_string_free (self->out, TRUE);
  g_ptr_array_unref (self->fields);
  gtk_bitset_unref (self->rows);
  g_object_unref (self->model);
  g_free (self);
}

/**
 * cyc_table_text_writer_step:
 * @self: a writer
 * @n: how many rows to write at most
 *
 * Writes the next rows, and the end after the last.
 *
 * Returns: whether there are more
 */
gboolean
cyc_table_text_writer_step (CycTableTextWriter *self,
                            guint               n)
{
  gboolean had_more = self->more;

  for (; n > 0 && self->more; n--)
    {
      g_autoptr (GObject) item = g_list_model_get_item (self->model, self->position);
      if (item != NULL && self->json != NULL)
        write_row (self->json, self->fields, item);
      else if (item != NULL)
        append_row (self->out, self->fields, self->format, item);
      self->more = gtk_bitset_iter_next (&self->iter, &self->position);
    }
  if (self->json != NULL && !self->more)
    {
      cyc_json_writer_end_array (self->json);
      cyc_json_writer_finish (self->json, NULL);
      g_clear_pointer (&self->json, cyc_json_writer_free);
    }
  return had_more && self->more;
}

/**
 * cyc_table_text_writer_get_out:
 * @self: a writer
 *
 * Returns: (transfer none): what was written; whoever takes it away has to empty it
 */
GString *
cyc_table_text_writer_get_out (CycTableTextWriter *self)
{
  return self->out;
}

/**
 * cyc_table_text_writer_is_changed:
 * @self: a writer
 *
 * Returns: whether the rows are others than when it began, so that what is written is of neither
 */
gboolean
cyc_table_text_writer_is_changed (const CycTableTextWriter *self)
{
  return self->changed;
}

/**
 * cyc_table_text_dup:
 * @model: rows
 * @rows: which of them
 * @fields: (element-type CycTableField): the columns
 * @format: how to write them
 *
 * Returns: (transfer full): the rows as text
 */
char *
cyc_table_text_dup (GListModel     *model,
                    GtkBitset      *rows,
                    GPtrArray      *fields,
                    CycTableFormat  format)
{
  CycTableTextWriter *writer = cyc_table_text_writer_new (model, rows, fields, format);

  g_return_val_if_fail (writer != NULL, NULL);

  cyc_table_text_writer_step (writer, G_MAXUINT);
  char *text = g_strndup (writer->out->str, writer->out->len);
  cyc_table_text_writer_free (writer);
  return text;
}
