/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-model-private.h"

#include <math.h>
#include <string.h>

/* Reading, filtering and sorting the rows of a table, a few milliseconds at a time. */

#define SLICE_US 5000
#define ROWS_PER_CHECK 16
#define MOVES_PER_CHECK 4096
/* After the next frame is drawn, before what only tidies up. */
#define PRIORITY (GDK_PRIORITY_REDRAW + 5)

static void
key_clear (CycTableModel *self,
           guint          sort,
           guint          row)
{
  CycTableKey *key = &g_array_index (self->keys[sort], CycTableKey, row);

  if (self->sorts[sort].field->column.get_number == NULL)
    g_clear_pointer (&key->text, g_free);
}

/* Forgets the keys of a row, and whether it matches. */
void
_cyc_table_model_keys_forget (CycTableModel *self,
                              guint          row)
{
  if ((self->rows->data[row] & ROW_KEYED) != 0)
    for (guint s = 0; s < self->n_sorts; s++)
      key_clear (self, s, row);
  self->rows->data[row] = 0;
}

/* Makes what is known of the rows as long as the source, all unknown; nothing at all if the rows are
 * shown as they are. */
void
_cyc_table_model_keys_resize (CycTableModel *self)
{
  guint n = _cyc_table_model_is_plain (self) ? 0 : self->n_source;

  for (guint i = 0; i < self->rows->len; i++)
    _cyc_table_model_keys_forget (self, i);
  g_byte_array_set_size (self->rows, n);
  if (n > 0)
    memset (self->rows->data, 0, n);
  for (guint s = 0; s < CYC_TABLE_MAX_SORTS; s++)
    {
      g_array_set_size (self->keys[s], 0);
      g_array_set_size (self->keys[s], s < self->n_sorts ? n : 0);
    }
}

static void
insert_zeros (GByteArray *array,
              guint       position,
              guint       n)
{
  guint before = array->len;

  g_byte_array_set_size (array, before + n);
  memmove (array->data + position + n, array->data + position, before - position);
  memset (array->data + position, 0, n);
}

/* Follows a change of the source. */
void
_cyc_table_model_keys_splice (CycTableModel *self,
                              guint          position,
                              guint          removed,
                              guint          added)
{
  if (_cyc_table_model_is_plain (self))
    return;
  for (guint i = position; i < position + removed; i++)
    _cyc_table_model_keys_forget (self, i);
  if (removed > 0)
    g_byte_array_remove_range (self->rows, position, removed);
  insert_zeros (self->rows, position, added);
  for (guint s = 0; s < self->n_sorts; s++)
    {
      g_autofree CycTableKey *zeros = g_new0 (CycTableKey, MAX (added, 1));
      if (removed > 0)
        g_array_remove_range (self->keys[s], position, removed);
      if (added > 0)
        g_array_insert_vals (self->keys[s], position, zeros, added);
    }
}

static gboolean
row_matches (CycTableModel *self,
             gpointer       item)
{
  g_autoptr (GString) all = g_string_new (NULL);

  for (guint i = 0; i < self->fields->len; i++)
    {
      g_autofree char *text = cyc_table_field_dup_text (g_ptr_array_index (self->fields, i), item);
      g_autofree char *folded = g_utf8_casefold (text, -1);
      g_string_append (all, folded);
      g_string_append_c (all, '\n');
    }
  for (guint i = 0; self->words[i] != NULL; i++)
    if (strstr (all->str, self->words[i]) == NULL)
      return FALSE;
  return TRUE;
}

static void
read_keys (CycTableModel *self,
           guint          row,
           gpointer       item)
{
  for (guint s = 0; s < self->n_sorts; s++)
    {
      CycTableKey *key = &g_array_index (self->keys[s], CycTableKey, row);
      const CycTableField *field = self->sorts[s].field;
      if (field->column.get_number != NULL)
        {
          key->number = cyc_table_field_get_number (field, item);
          continue;
        }
      g_autofree char *text = cyc_table_field_dup_text (field, item);
      g_autofree char *folded = g_utf8_casefold (text, -1);
      key->text = folded[0] != '\0' ? g_utf8_collate_key_for_filename (folded, -1) : NULL;
    }
}

static void
read_row (CycTableModel *self,
          guint          row)
{
  guint8 *known = &self->rows->data[row];
  guint8 wanted = ROW_TESTED | (self->n_sorts > 0 ? ROW_KEYED : 0);

  if ((*known & wanted) == wanted || (*known & (ROW_TESTED | ROW_MATCHES)) == ROW_TESTED)
    return;
  g_autoptr (GObject) item = g_list_model_get_item (self->source, row);
  if ((*known & ROW_TESTED) == 0)
    *known |= ROW_TESTED | (self->words == NULL || row_matches (self, item) ? ROW_MATCHES : 0);
  if ((*known & ROW_MATCHES) != 0 && (*known & wanted) != wanted)
    {
      read_keys (self, row, item);
      *known |= ROW_KEYED;
    }
}

/* What has no number, or no text, comes last whichever way it is sorted. */
static int
compare_cb (gconstpointer a,
            gconstpointer b,
            gpointer      user_data)
{
  CycTableModel *self = user_data;
  const CycTableSort *sort = &self->sorts[self->work_sort];
  const CycTableKey *keys = (const CycTableKey *) self->keys[self->work_sort]->data;
  CycTableKey ka = keys[*(const guint32 *) a];
  CycTableKey kb = keys[*(const guint32 *) b];
  gboolean number = sort->field->column.get_number != NULL;
  gboolean a_empty = number ? isnan (ka.number) : ka.text == NULL;
  gboolean b_empty = number ? isnan (kb.number) : kb.text == NULL;
  int order;

  if (a_empty || b_empty)
    return a_empty - b_empty;
  if (number)
    order = (ka.number > kb.number) - (ka.number < kb.number);
  else
    order = strcmp (ka.text, kb.text);
  return sort->descending ? -order : order;
}

static void
begin_sort (CycTableModel *self)
{
  self->work = WORK_SORT;
  self->work_sort = self->n_sorts;
  self->next = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (_cyc_table_model_is_plain (self))
    {
      for (guint32 i = 0; i < self->n_source; i++)
        g_array_append_val (self->next, i);
      return;
    }
  for (guint32 i = 0; i < self->rows->len; i++)
    if ((self->rows->data[i] & ROW_MATCHES) != 0)
      g_array_append_val (self->next, i);
}

/* The last sort first: each keeps what the ones before it put in order. */
static gboolean
sort_some (CycTableModel *self)
{
  if (self->sorter.spare != NULL)
    {
      if (!cyc_table_sorter_step (&self->sorter, MOVES_PER_CHECK))
        return FALSE;
      cyc_table_sorter_clear (&self->sorter);
    }
  if (self->work_sort == 0)
    return TRUE;
  self->work_sort--;
  cyc_table_sorter_begin (&self->sorter, (guint32 *) self->next->data, self->next->len, compare_cb, self);
  return FALSE;
}

static gboolean
read_some (CycTableModel *self)
{
  for (guint n = 0; n < ROWS_PER_CHECK && self->work_row < self->rows->len; n++)
    read_row (self, self->work_row++);
  return self->work_row >= self->rows->len;
}

/* Works until @deadline (monotonic): whether the next order is ready. */
gboolean
_cyc_table_model_work_run (CycTableModel *self,
                           gint64         deadline)
{
  if (self->work == WORK_NONE)
    {
      self->work = WORK_READ;
      self->work_row = 0;
    }
  do
    {
      if (self->work == WORK_READ)
        {
          if (read_some (self))
            begin_sort (self);
        }
      else if (sort_some (self))
        {
          self->work = WORK_NONE;
          return TRUE;
        }
    }
  while (deadline == G_MAXINT64 || g_get_monotonic_time () < deadline);
  return FALSE;
}

void
_cyc_table_model_work_stop (CycTableModel *self)
{
  g_clear_handle_id (&self->work_source, g_source_remove);
  cyc_table_sorter_clear (&self->sorter);
  g_clear_pointer (&self->next, g_array_unref);
  self->work = WORK_NONE;
}

static gboolean
work_cb (gpointer user_data)
{
  CycTableModel *self = user_data;

  if (!_cyc_table_model_work_run (self, g_get_monotonic_time () + SLICE_US))
    return G_SOURCE_CONTINUE;
  self->work_source = 0;
  g_autoptr (GArray) next = g_steal_pointer (&self->next);
  _cyc_table_model_apply (self, next);
  return G_SOURCE_REMOVE;
}

/* Begins anew to put the rows in order. */
void
_cyc_table_model_work_queue (CycTableModel *self)
{
  _cyc_table_model_work_stop (self);
  self->work_source = g_idle_add_full (PRIORITY, work_cb, self, NULL);
}

/**
 * cyc_table_model_is_busy:
 * @self: a model
 *
 * Returns: whether the rows shown are not yet what was asked for
 */
gboolean
cyc_table_model_is_busy (CycTableModel *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_MODEL (self), FALSE);

  return self->work_source != 0;
}

/**
 * cyc_table_model_flush:
 * @self: a model
 *
 * Puts the rows in order now, however long that takes.
 */
void
cyc_table_model_flush (CycTableModel *self)
{
  g_return_if_fail (CYC_IS_TABLE_MODEL (self));

  if (self->work_source == 0)
    return;
  g_clear_handle_id (&self->work_source, g_source_remove);
  _cyc_table_model_work_run (self, G_MAXINT64);
  g_autoptr (GArray) next = g_steal_pointer (&self->next);
  _cyc_table_model_apply (self, next);
}

static void
start (CycTableModel *self)
{
  if (_cyc_table_model_is_plain (self) && self->order == NULL)
    _cyc_table_model_work_stop (self);
  else
    _cyc_table_model_work_queue (self);
}

/**
 * cyc_table_model_refresh:
 * @self: a model
 *
 * Reads all rows again, since what the columns say has changed.
 */
void
cyc_table_model_refresh (CycTableModel *self)
{
  g_return_if_fail (CYC_IS_TABLE_MODEL (self));

  _cyc_table_model_work_stop (self);
  _cyc_table_model_keys_resize (self);
  start (self);
}

/**
 * cyc_table_model_set_sorts:
 * @self: a model
 * @sorts: (array length=n_sorts): what to sort by; each decides where those before it do not
 * @n_sorts: how many, at most %CYC_TABLE_MAX_SORTS; 0 for the order of the source
 *
 * Sorts the rows, as soon as there is time. Equal rows keep the order of the source.
 */
void
cyc_table_model_set_sorts (CycTableModel      *self,
                           const CycTableSort *sorts,
                           guint               n_sorts)
{
  g_return_if_fail (CYC_IS_TABLE_MODEL (self));
  g_return_if_fail (n_sorts <= CYC_TABLE_MAX_SORTS);

  gboolean same = n_sorts == self->n_sorts && n_sorts > 0;
  for (guint i = 0; same && i < n_sorts; i++)
    same = sorts[i].field == self->sorts[i].field;
  _cyc_table_model_work_stop (self);
  /* The other way round: the keys stay good. */
  if (!same)
    {
      guint n_source = self->n_source;
      self->n_source = 0;
      _cyc_table_model_keys_resize (self);
      self->n_source = n_source;
    }
  for (guint i = 0; i < n_sorts; i++)
    cyc_table_field_ref (sorts[i].field);
  for (guint i = 0; i < self->n_sorts; i++)
    cyc_table_field_unref (self->sorts[i].field);
  for (guint i = 0; i < n_sorts; i++)
    self->sorts[i] = sorts[i];
  self->n_sorts = n_sorts;
  if (!same)
    _cyc_table_model_keys_resize (self);
  start (self);
}

/**
 * cyc_table_model_set_filter:
 * @self: a model
 * @text: (nullable): words, all of which a row must have, in any case of letters
 * @fields: (element-type CycTableField): the columns in which they are looked for
 *
 * Shows only rows that match, as soon as there is time.
 */
void
cyc_table_model_set_filter (CycTableModel *self,
                            const char    *text,
                            GPtrArray     *fields)
{
  g_return_if_fail (CYC_IS_TABLE_MODEL (self));
  g_return_if_fail (fields != NULL);

  g_autofree char *folded = g_utf8_casefold (text != NULL ? text : "", -1);
  g_auto (GStrv) parts = g_strsplit_set (folded, " \t\n", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      g_ptr_array_add (words, g_strdup (parts[i]));

  _cyc_table_model_work_stop (self);
  gboolean was_plain = _cyc_table_model_is_plain (self);
  g_clear_pointer (&self->words, g_strfreev);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
  if (words->len > 0)
    {
      g_ptr_array_add (words, NULL);
      g_ptr_array_set_free_func (words, NULL);
      self->words = (char **) g_ptr_array_free (g_steal_pointer (&words), FALSE);
      self->fields = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_table_field_unref);
      for (guint i = 0; i < fields->len; i++)
        g_ptr_array_add (self->fields, cyc_table_field_ref (g_ptr_array_index (fields, i)));
    }
  if (was_plain || _cyc_table_model_is_plain (self))
    _cyc_table_model_keys_resize (self);
  for (guint i = 0; i < self->rows->len; i++)
    self->rows->data[i] &= ROW_KEYED;
  start (self);
}
