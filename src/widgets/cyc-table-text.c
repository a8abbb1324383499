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

static char *
dup_json (GListModel *model,
          GtkBitset  *rows,
          GPtrArray  *fields)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_PRETTY, NULL, NULL);
  GtkBitsetIter iter;
  guint position;

  cyc_json_writer_begin_array (writer);
  for (gboolean more = gtk_bitset_iter_init_first (&iter, rows, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, position);
      if (item != NULL)
        write_row (writer, fields, item);
    }
  cyc_json_writer_end_array (writer);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
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
  g_return_val_if_fail (G_IS_LIST_MODEL (model), NULL);
  g_return_val_if_fail (rows != NULL && fields != NULL, NULL);

  if (format == CYC_TABLE_JSON)
    return dup_json (model, rows, fields);

  GString *out = g_string_new (NULL);
  GtkBitsetIter iter;
  guint position;
  append_head (out, fields, format);
  for (gboolean more = gtk_bitset_iter_init_first (&iter, rows, &position); more;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      g_autoptr (GObject) item = g_list_model_get_item (model, position);
      if (item != NULL)
        append_row (out, fields, format, item);
    }
  return g_string_free (out, FALSE);
}
