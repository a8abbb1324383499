/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-view-private.h"

/* What a table's user has arranged, to be kept in the settings:
 * {"columns": a(sib) of (id, width, visible) in the order shown, "sort": a(sb) of (id, descending)}. */

#define COLUMNS_TYPE G_VARIANT_TYPE ("a(sib)")
#define SORT_TYPE G_VARIANT_TYPE ("a(sb)")
#define MAX_WIDTH 4000

static gboolean
state_cb (gpointer user_data)
{
  CycTableView *self = user_data;

  self->state_source = 0;
  g_signal_emit_by_name (self, "state-changed");
  return G_SOURCE_REMOVE;
}

/* Tells of a change that the user made, once for all that are made at a time. */
void
_cyc_table_view_state_changed (CycTableView *self)
{
  if (!self->quiet && self->state_source == 0)
    self->state_source = g_idle_add (state_cb, self);
}

/* Gives a column what the state has for it: width, and whether it is shown. */
static void
restore_slot (CycTableSlot *slot,
              GVariant     *columns)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (slot->view->actions), slot->action);
  GVariantIter iter;
  const char *id;
  gint32 width;
  gboolean shown;

  g_variant_iter_init (&iter, columns);
  while (g_variant_iter_next (&iter, "(&sib)", &id, &width, &shown))
    {
      if (!g_str_equal (id, slot->field->column.id))
        continue;
      if (width > 0 && width <= MAX_WIDTH)
        gtk_column_view_column_set_fixed_width (slot->column, width);
      slot->shown = shown;
      g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (shown));
    }
}

/* Where the state has a column; -1 if nowhere. */
static int
find_index (const CycTableSlot *slot,
            GVariant           *columns)
{
  gsize n = g_variant_n_children (columns);

  for (gsize i = 0; i < n; i++)
    {
      const char *id;
      g_variant_get_child (columns, i, "(&sib)", &id, NULL, NULL);
      if (g_str_equal (slot->field->column.id, id))
        return (int) i;
    }
  return -1;
}

/* Puts a column before the first that comes after it in the state. */
static void
place_slot (CycTableView *self,
            CycTableSlot *slot,
            GVariant     *columns)
{
  int index = find_index (slot, columns);
  guint from;

  if (index < 0 || !g_ptr_array_find (self->slots, slot, &from))
    return;
  g_ptr_array_steal_index (self->slots, from);
  guint to = 0;
  while (to < self->slots->len && find_index (g_ptr_array_index (self->slots, to), columns) < index)
    to++;
  g_ptr_array_insert (self->slots, (int) to, slot);
}

static void
restore_sorts (CycTableView *self,
               GVariant     *sorts)
{
  GVariantIter iter;
  const char *id;
  gboolean descending;

  self->n_sorts = 0;
  g_variant_iter_init (&iter, sorts);
  while (g_variant_iter_next (&iter, "(&sb)", &id, &descending) && self->n_sorts < CYC_TABLE_MAX_SORTS)
    {
      CycTableSlot *slot = _cyc_table_view_find_slot (self, id);
      CycTableField *field = slot != NULL ? slot->field : NULL;
      for (guint i = 0; i < self->n_sorts; i++)
        if (self->sorts[i].field == field)
          field = NULL;
      if (field != NULL)
        self->sorts[self->n_sorts++] = (CycTableSort) { .field = field, .descending = descending };
    }
  _cyc_table_view_apply_sorts (self);
}

static void
restore_sorts_of (CycTableView *self,
                  GVariant     *state)
{
  g_autoptr (GVariant) sorts = g_variant_lookup_value (state, "sort", SORT_TYPE);

  if (sorts != NULL)
    restore_sorts (self, sorts);
}

static gboolean
is_sorted_by (GVariant   *state,
              const char *id)
{
  g_autoptr (GVariant) sorts = g_variant_lookup_value (state, "sort", SORT_TYPE);

  for (gsize i = 0; sorts != NULL && i < g_variant_n_children (sorts); i++)
    {
      const char *other;
      g_variant_get_child (sorts, i, "(&sb)", &other, NULL);
      if (g_str_equal (id, other))
        return TRUE;
    }
  return FALSE;
}

/* A column that is added later gets what was kept for it. */
void
_cyc_table_view_state_restore (CycTableView *self,
                               CycTableSlot *slot)
{
  if (self->saved == NULL)
    return;
  g_autoptr (GVariant) columns = g_variant_lookup_value (self->saved, "columns", COLUMNS_TYPE);
  gboolean was_quiet = self->quiet;
  self->quiet = TRUE;
  if (columns != NULL)
    {
      restore_slot (slot, columns);
      place_slot (self, slot, columns);
    }
  if (is_sorted_by (self->saved, slot->field->column.id))
    restore_sorts_of (self, self->saved);
  self->quiet = was_quiet;
}

/* Columns that the state has and the table has not, from where they were kept. */
static void
append_absent (CycTableView    *self,
               GVariantBuilder *builder)
{
  g_autoptr (GVariant) columns =
    self->saved != NULL ? g_variant_lookup_value (self->saved, "columns", COLUMNS_TYPE) : NULL;
  GVariantIter iter;
  const char *id;
  gint32 width;
  gboolean visible;

  if (columns == NULL)
    return;
  g_variant_iter_init (&iter, columns);
  while (g_variant_iter_next (&iter, "(&sib)", &id, &width, &visible))
    if (_cyc_table_view_find_slot (self, id) == NULL)
      g_variant_builder_add (builder, "(sib)", id, width, visible);
}

/**
 * cyc_table_view_dup_state:
 * @self: a table
 *
 * Returns: (transfer full): order, widths and visibility of the columns, and the sort, of type a{sv}
 */
GVariant *
cyc_table_view_dup_state (CycTableView *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_VIEW (self), NULL);

  GVariantBuilder columns;
  GVariantBuilder sorts;
  GVariantBuilder state;

  g_variant_builder_init (&columns, COLUMNS_TYPE);
  for (guint i = 0; i < self->slots->len; i++)
    {
      const CycTableSlot *slot = g_ptr_array_index (self->slots, i);
      g_variant_builder_add (&columns, "(sib)", slot->field->column.id,
                             gtk_column_view_column_get_fixed_width (slot->column), slot->shown);
    }
  append_absent (self, &columns);
  g_variant_builder_init (&sorts, SORT_TYPE);
  for (guint i = 0; i < self->n_sorts; i++)
    g_variant_builder_add (&sorts, "(sb)", self->sorts[i].field->column.id, self->sorts[i].descending);
  g_variant_builder_init (&state, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&state, "{sv}", "columns", g_variant_builder_end (&columns));
  g_variant_builder_add (&state, "{sv}", "sort", g_variant_builder_end (&sorts));
  return g_variant_ref_sink (g_variant_builder_end (&state));
}

static int
compare_cb (gconstpointer a,
            gconstpointer b,
            gpointer      user_data)
{
  int at_a = find_index (*(CycTableSlot *const *) a, user_data);
  int at_b = find_index (*(CycTableSlot *const *) b, user_data);

  /* What the state has not comes last, in the order as it is: the sort is stable. */
  return at_a < 0 || at_b < 0 ? (at_a < 0) - (at_b < 0) : at_a - at_b;
}

/**
 * cyc_table_view_set_state:
 * @self: a table
 * @state: what cyc_table_view_dup_state() gave, now or in an earlier session
 *
 * Arranges the table as it was. What is not understood is left out; what belongs to columns that are not
 * there waits until they are added.
 */
void
cyc_table_view_set_state (CycTableView *self,
                          GVariant     *state)
{
  g_return_if_fail (CYC_IS_TABLE_VIEW (self));
  g_return_if_fail (state != NULL && g_variant_is_of_type (state, G_VARIANT_TYPE_VARDICT));

  g_autoptr (GVariant) columns = g_variant_lookup_value (state, "columns", COLUMNS_TYPE);
  g_clear_pointer (&self->saved, g_variant_unref);
  self->saved = g_variant_ref_sink (state);
  self->quiet = TRUE;
  if (columns != NULL)
    {
      for (guint i = 0; i < self->slots->len; i++)
        restore_slot (g_ptr_array_index (self->slots, i), columns);
      g_ptr_array_sort_with_data (self->slots, compare_cb, columns);
    }
  restore_sorts_of (self, state);
  _cyc_table_view_sync_columns (self);
  self->quiet = FALSE;
}
