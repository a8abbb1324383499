/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-model-private.h"

#include <string.h>

/* How many selected rows are known again after the source has replaced them. */
#define MAX_KEPT 1000
/* Rows up to which a replacement is put in order at once, so that the view sees one change. */
#define MAX_AT_ONCE 5000

enum
{
  ITEM_CHANGED,
  SETTLED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* The rows of a table: those of a source that match a filter, sorted, and which are selected. Rows are
 * numbers, objects are made only to look at one; reading and sorting go on between frames. The
 * selection is of the source's rows, so it survives sorting and filtering. */

static GType
get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
  CycTableModel *self = CYC_TABLE_MODEL (model);
  return self->order != NULL ? self->order->len : self->n_source;
}

static guint
to_source (CycTableModel *self,
           guint          position)
{
  return self->order != NULL ? g_array_index (self->order, guint32, position) : position;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  CycTableModel *self = CYC_TABLE_MODEL (model);

  if (position >= get_n_items (model))
    return NULL;
  return g_list_model_get_item (self->source, to_source (self, position));
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static gboolean
is_selected (GtkSelectionModel *model,
             guint              position)
{
  CycTableModel *self = CYC_TABLE_MODEL (model);

  if (position >= get_n_items (G_LIST_MODEL (model)))
    return FALSE;
  return gtk_bitset_contains (self->selected, to_source (self, position));
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model,
                        guint              position,
                        guint              n_items)
{
  CycTableModel *self = CYC_TABLE_MODEL (model);
  GtkBitset *found = gtk_bitset_new_empty ();

  if (gtk_bitset_is_empty (self->selected))
    return found;
  if (self->order == NULL)
    {
      gtk_bitset_add_range (found, position, n_items);
      gtk_bitset_intersect (found, self->selected);
      return found;
    }
  for (guint i = position; i < position + n_items && i < self->order->len; i++)
    if (gtk_bitset_contains (self->selected, to_source (self, i)))
      gtk_bitset_add (found, i);
  return found;
}

/* What stays of a row when its object goes. */
static gpointer
dup_key (CycTableModel *self,
         gpointer       item)
{
  return self->id_func != NULL ? (gpointer) self->id_func (item, self->id_data) : g_object_ref (item);
}

static void
keep_selected (CycTableModel *self)
{
  GtkBitsetIter iter;
  guint row;

  g_clear_pointer (&self->kept, g_hash_table_unref);
  if (self->source == NULL || gtk_bitset_is_empty (self->selected) ||
      gtk_bitset_get_size (self->selected) > MAX_KEPT)
    return;
  self->kept = self->id_func != NULL
                 ? g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL)
                 : g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  for (gboolean more = gtk_bitset_iter_init_first (&iter, self->selected, &row); more;
       more = gtk_bitset_iter_next (&iter, &row))
    {
      g_autoptr (GObject) item = g_list_model_get_item (self->source, row);
      gpointer key = item != NULL ? dup_key (self, item) : NULL;
      if (key != NULL)
        g_hash_table_add (self->kept, key);
    }
}

/* Selects what comes back under new row numbers. */
static void
reselect (CycTableModel *self,
          guint          position,
          guint          n_added)
{
  for (guint i = position; self->kept != NULL && i < position + n_added; i++)
    {
      g_autoptr (GObject) item = g_list_model_get_item (self->source, i);
      gpointer key = dup_key (self, item);
      if (key == NULL)
        continue;
      if (g_hash_table_contains (self->kept, key))
        gtk_bitset_add (self->selected, i);
      if (self->id_func != NULL)
        g_free (key);
      else
        g_object_unref (key);
    }
}

static gboolean
set_selection (GtkSelectionModel *model,
               GtkBitset         *selected,
               GtkBitset         *mask)
{
  CycTableModel *self = CYC_TABLE_MODEL (model);
  GtkBitsetIter iter;
  guint position;
  guint n_items = get_n_items (G_LIST_MODEL (model));

  if (n_items == 0 || gtk_bitset_is_empty (mask))
    return TRUE;
  for (gboolean more = gtk_bitset_iter_init_first (&iter, mask, &position); more && position < n_items;
       more = gtk_bitset_iter_next (&iter, &position))
    {
      guint row = to_source (self, position);
      if (gtk_bitset_contains (selected, position))
        gtk_bitset_add (self->selected, row);
      else
        gtk_bitset_remove (self->selected, row);
    }
  keep_selected (self);
  guint first = gtk_bitset_get_minimum (mask);
  guint last = MIN (gtk_bitset_get_maximum (mask), n_items - 1);
  if (first <= last)
    gtk_selection_model_selection_changed (model, first, last - first + 1);
  return TRUE;
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = is_selected;
  iface->get_selection_in_range = get_selection_in_range;
  iface->set_selection = set_selection;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CycTableModel, cyc_table_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_model_init))

/* Whether the rows are just those of the source. */
gboolean
_cyc_table_model_is_plain (CycTableModel *self)
{
  return self->n_sorts == 0 && self->words == NULL;
}

void
_cyc_table_model_emit (CycTableModel *self,
                       guint          position,
                       guint          removed,
                       guint          added)
{
  if (removed > 0 || added > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
}

/* The order with the source's new row numbers; rows that are gone are G_MAXUINT32. */
static void
renumber (GArray *order,
          guint   position,
          guint   removed,
          guint   added)
{
  for (guint i = 0; i < order->len; i++)
    {
      guint32 *row = &g_array_index (order, guint32, i);
      if (*row < position)
        continue;
      *row = *row < position + removed ? G_MAXUINT32 : *row - removed + added;
    }
}

/* Takes the rows that are gone out of the order, as one change. */
static void
drop_gone (CycTableModel *self)
{
  GArray *order = self->order;
  guint before = order->len;
  guint start = 0;
  guint end = 0;
  guint n = 0;

  while (start < before && g_array_index (order, guint32, start) != G_MAXUINT32)
    start++;
  if (start == before)
    return;
  while (g_array_index (order, guint32, before - 1 - end) != G_MAXUINT32)
    end++;
  n = start;
  for (guint i = start; i < before; i++)
    if (g_array_index (order, guint32, i) != G_MAXUINT32)
      g_array_index (order, guint32, n++) = g_array_index (order, guint32, i);
  g_array_set_size (order, n);
  _cyc_table_model_emit (self, start, before - start - end, n - start - end);
}

/* Takes the order that is ready, as one change: rows that only got new objects stay where they are. */
static void
replace_order (CycTableModel *self)
{
  g_autoptr (GArray) old = g_steal_pointer (&self->order);
  guint start = 0;
  guint end = 0;

  self->order = g_steal_pointer (&self->next);
  guint n = MIN (old->len, self->order->len);
  while (start < n && g_array_index (old, guint32, start) == g_array_index (self->order, guint32, start))
    start++;
  while (start + end < n && g_array_index (old, guint32, old->len - 1 - end) ==
                              g_array_index (self->order, guint32, self->order->len - 1 - end))
    end++;
  _cyc_table_model_emit (self, start, old->len - start - end, self->order->len - start - end);
}

static void
source_changed_cb (GListModel    *source,
                   guint          position,
                   guint          removed,
                   guint          added,
                   CycTableModel *self)
{
  _cyc_table_model_work_stop (self);
  self->n_source = self->n_source - removed + added;
  _cyc_table_model_live_splice (self, position, removed, added);
  _cyc_table_model_keys_splice (self, position, removed, added);
  gtk_bitset_splice (self->selected, position, removed, added);
  if (removed > 0 && added > 0)
    reselect (self, position, added);
  keep_selected (self);
  if (self->order == NULL)
    _cyc_table_model_emit (self, position, removed, added);
  else
    {
      renumber (self->order, position, removed, added);
      if (removed > 0 && added > 0 && self->n_source <= MAX_AT_ONCE &&
          !_cyc_table_model_is_plain (self))
        {
          _cyc_table_model_work_run (self, G_MAXINT64);
          replace_order (self);
          return;
        }
      drop_gone (self);
    }
  if (self->order != NULL || !_cyc_table_model_is_plain (self))
    _cyc_table_model_work_queue (self);
}

static void
cyc_table_model_dispose (GObject *object)
{
  CycTableModel *self = CYC_TABLE_MODEL (object);

  _cyc_table_model_work_stop (self);
  _cyc_table_model_live_end (self);
  if (self->source != NULL)
    g_signal_handlers_disconnect_by_func (self->source, source_changed_cb, self);
  g_clear_object (&self->source);
  G_OBJECT_CLASS (cyc_table_model_parent_class)->dispose (object);
}

static void
cyc_table_model_finalize (GObject *object)
{
  CycTableModel *self = CYC_TABLE_MODEL (object);

  self->n_source = 0;
  _cyc_table_model_keys_resize (self);
  for (guint i = 0; i < CYC_TABLE_MAX_SORTS; i++)
    g_array_unref (self->keys[i]);
  for (guint i = 0; i < self->n_sorts; i++)
    cyc_table_field_unref (self->sorts[i].field);
  g_byte_array_unref (self->rows);
  g_clear_pointer (&self->order, g_array_unref);
  g_clear_pointer (&self->kept, g_hash_table_unref);
  g_clear_pointer (&self->fields, g_ptr_array_unref);
  gtk_bitset_unref (self->selected);
  g_strfreev (self->words);
  G_OBJECT_CLASS (cyc_table_model_parent_class)->finalize (object);
}

static void
cyc_table_model_class_init (CycTableModelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_table_model_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_table_model_finalize;
  signals[ITEM_CHANGED] = g_signal_new ("item-changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                        0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_OBJECT);
  signals[SETTLED] = g_signal_new ("settled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 0);
}

static void
cyc_table_model_init (CycTableModel *self)
{
  self->selected = gtk_bitset_new_empty ();
  self->rows = g_byte_array_new ();
  for (guint i = 0; i < CYC_TABLE_MAX_SORTS; i++)
    self->keys[i] = g_array_new (FALSE, TRUE, sizeof (CycTableKey));
}

/**
 * cyc_table_model_new:
 *
 * Returns: (transfer full): a model without a source
 */
CycTableModel *
cyc_table_model_new (void)
{
  return g_object_new (CYC_TYPE_TABLE_MODEL, NULL);
}

/**
 * cyc_table_model_set_source:
 * @self: a model
 * @source: (nullable): where the rows come from
 *
 * Replaces the rows. Those selected that are in @source too (by the id function, or as the same
 * objects) stay selected. Sort and filter stay.
 */
void
cyc_table_model_set_source (CycTableModel *self,
                            GListModel    *source)
{
  g_return_if_fail (CYC_IS_TABLE_MODEL (self));
  g_return_if_fail (source == NULL || G_IS_LIST_MODEL (source));

  if (self->source == source)
    return;
  guint before = self->n_source;
  guint n = source != NULL ? g_list_model_get_n_items (source) : 0;

  _cyc_table_model_live_end (self);
  if (self->source != NULL)
    g_signal_handlers_disconnect_by_func (self->source, source_changed_cb, self);
  /* Whoever is told of the change may still ask for what was there. */
  g_autoptr (GListModel) old = g_steal_pointer (&self->source);
  self->source = source != NULL ? g_object_ref (source) : NULL;
  if (source != NULL)
    g_signal_connect (source, "items-changed", G_CALLBACK (source_changed_cb), self);
  if (self->order == NULL && !_cyc_table_model_is_plain (self) && before == 0)
    self->order = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (before > 0 || n > 0)
    source_changed_cb (source, 0, before, n, self);
  _cyc_table_model_live_begin (self);
}

/**
 * cyc_table_model_get_source:
 * @self: a model
 *
 * Returns: (transfer none) (nullable): where the rows come from
 */
GListModel *
cyc_table_model_get_source (CycTableModel *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_MODEL (self), NULL);

  return self->source;
}

/**
 * cyc_table_model_set_id_func:
 * @self: a model
 * @func: (nullable): gives a row's id
 * @user_data: for @func
 *
 * Rows of sources that make objects anew each time are known again by what @func gives.
 */
void
cyc_table_model_set_id_func (CycTableModel    *self,
                             CycTableTextFunc  func,
                             gpointer          user_data)
{
  g_return_if_fail (CYC_IS_TABLE_MODEL (self));

  self->id_func = func;
  self->id_data = user_data;
  keep_selected (self);
}

/**
 * cyc_table_model_find:
 * @self: a model
 * @item: (type GObject): a row of the source
 *
 * Returns: where it is shown; %GTK_INVALID_LIST_POSITION if it is not
 */
guint
cyc_table_model_find (CycTableModel *self,
                      gpointer       item)
{
  g_return_val_if_fail (CYC_IS_TABLE_MODEL (self), GTK_INVALID_LIST_POSITION);
  g_return_val_if_fail (G_IS_OBJECT (item), GTK_INVALID_LIST_POSITION);

  guint n = get_n_items (G_LIST_MODEL (self));
  g_autofree char *id = self->id_func != NULL ? self->id_func (item, self->id_data) : NULL;
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) other = get_item (G_LIST_MODEL (self), i);
      if (other == item)
        return i;
      g_autofree char *other_id = id != NULL ? self->id_func (other, self->id_data) : NULL;
      if (id != NULL && g_strcmp0 (id, other_id) == 0)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}
