/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-feed.h"

/* The rows of a table as its view gets them. A view of GTK 4.8 makes widgets for some 200 rows at once, however few
 * of them are seen, and the main loop stands still meanwhile. So a table that is filled gives the view a screenful
 * first, more of them between frames, and all the others when as many are there as the view makes widgets for.
 * Positions are those of the model. */

#define FIRST_ROWS 28
#define MORE_ROWS 8
#define LESS_ROWS 12
/* A view makes no widgets for more than these. */
#define VIEW_ROWS 208
/* After frames, before what can wait. */
#define PRIORITY (G_PRIORITY_DEFAULT_IDLE - 10)

struct _CycTableFeed
{
  GObject        parent_instance;

  CycTableModel *model;
  guint          n_total; /* of the model */
  guint          n;       /* of these, the view has got */
  guint          limit;   /* more than these it does not get yet */
  guint          source;  /* of the next rows */
  gboolean       shrinks; /* no more rows come */
};

static GType
get_item_type (GListModel *model)
{
  return G_TYPE_OBJECT;
}

static guint
get_n_items (GListModel *model)
{
  return CYC_TABLE_FEED (model)->n;
}

static gpointer
get_item (GListModel *model,
          guint       position)
{
  CycTableFeed *self = CYC_TABLE_FEED (model);

  return position < self->n ? g_list_model_get_item (G_LIST_MODEL (self->model), position) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static GtkSelectionModel *
get_selection (GtkSelectionModel *model)
{
  return GTK_SELECTION_MODEL (CYC_TABLE_FEED (model)->model);
}

static gboolean
is_selected (GtkSelectionModel *model,
             guint              position)
{
  return gtk_selection_model_is_selected (get_selection (model), position);
}

static GtkBitset *
get_selection_in_range (GtkSelectionModel *model,
                        guint              position,
                        guint              n_items)
{
  return gtk_selection_model_get_selection_in_range (get_selection (model), position, n_items);
}

static gboolean
select_all (GtkSelectionModel *model)
{
  return gtk_selection_model_select_all (get_selection (model));
}

static gboolean
unselect_all (GtkSelectionModel *model)
{
  return gtk_selection_model_unselect_all (get_selection (model));
}

static gboolean
set_selection (GtkSelectionModel *model,
               GtkBitset         *selected,
               GtkBitset         *mask)
{
  return gtk_selection_model_set_selection (get_selection (model), selected, mask);
}

static void
selection_model_init (GtkSelectionModelInterface *iface)
{
  iface->is_selected = is_selected;
  iface->get_selection_in_range = get_selection_in_range;
  iface->select_all = select_all;
  iface->unselect_all = unselect_all;
  iface->set_selection = set_selection;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (CycTableFeed, cyc_table_feed, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init)
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SELECTION_MODEL, selection_model_init))

static void
give_until (CycTableFeed *self,
            guint         limit)
{
  guint before = self->n;

  self->limit = limit;
  self->n = MIN (limit, self->n_total);
  if (self->n > before)
    g_list_model_items_changed (G_LIST_MODEL (self), before, 0, self->n - before);
}

static gboolean
more_cb (gpointer user_data)
{
  CycTableFeed *self = user_data;
  guint limit = self->n + MORE_ROWS;

  g_object_ref (self);
  give_until (self, limit >= VIEW_ROWS || limit >= self->n_total ? G_MAXUINT : limit);
  gboolean more = self->limit != G_MAXUINT;
  if (!more)
    self->source = 0;
  g_object_unref (self);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

static void
items_changed_cb (GListModel   *model,
                  guint         position,
                  guint         removed,
                  guint         added,
                  CycTableFeed *self)
{
  guint before = self->n;
  gboolean had_all = before == self->n_total;

  self->n_total = g_list_model_get_n_items (model);
  /* There is nothing yet that could move. */
  if (before == 0 && self->n_total > FIRST_ROWS)
    self->limit = FIRST_ROWS;
  self->n = MIN (self->limit, self->n_total);
  if (self->limit != G_MAXUINT && self->source == 0 && !self->shrinks)
    self->source = g_idle_add_full (PRIORITY, more_cb, self, NULL);
  if (had_all && self->n == self->n_total)
    g_list_model_items_changed (G_LIST_MODEL (self), position, removed, added);
  else if (position < MAX (before, self->n))
    {
      guint first = MIN (position, MIN (before, self->n));
      g_list_model_items_changed (G_LIST_MODEL (self), first, before - first, self->n - first);
    }
}

static void
selection_changed_cb (GtkSelectionModel *model,
                      guint              position,
                      guint              n_items,
                      CycTableFeed      *self)
{
  if (position < self->n)
    gtk_selection_model_selection_changed (GTK_SELECTION_MODEL (self), position, MIN (n_items, self->n - position));
}

static void
cyc_table_feed_dispose (GObject *object)
{
  CycTableFeed *self = CYC_TABLE_FEED (object);

  g_clear_handle_id (&self->source, g_source_remove);
  G_OBJECT_CLASS (cyc_table_feed_parent_class)->dispose (object);
}

static void
cyc_table_feed_finalize (GObject *object)
{
  g_object_unref (CYC_TABLE_FEED (object)->model);
  G_OBJECT_CLASS (cyc_table_feed_parent_class)->finalize (object);
}

static void
cyc_table_feed_class_init (CycTableFeedClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_table_feed_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_table_feed_finalize;
}

static void
cyc_table_feed_init (CycTableFeed *self)
{
  self->limit = G_MAXUINT;
}

/**
 * cyc_table_feed_new:
 * @model: the rows
 *
 * Returns: (transfer full): a selection model of the same rows, which gives them bit by bit when @model is filled
 */
CycTableFeed *
cyc_table_feed_new (CycTableModel *model)
{
  g_return_val_if_fail (CYC_IS_TABLE_MODEL (model), NULL);

  CycTableFeed *self = g_object_new (CYC_TYPE_TABLE_FEED, NULL);
  self->model = g_object_ref (model);
  self->n = self->n_total = g_list_model_get_n_items (G_LIST_MODEL (model));
  g_signal_connect_object (model, "items-changed", G_CALLBACK (items_changed_cb), self, 0);
  g_signal_connect_object (model, "selection-changed", G_CALLBACK (selection_changed_cb), self, 0);
  return self;
}

/**
 * cyc_table_feed_finish:
 * @self: a feed
 *
 * Gives all rows now, since one of them is wanted that may not be there yet.
 */
void
cyc_table_feed_finish (CycTableFeed *self)
{
  g_return_if_fail (CYC_IS_TABLE_FEED (self));

  g_clear_handle_id (&self->source, g_source_remove);
  give_until (self, G_MAXUINT);
}

/**
 * cyc_table_feed_shrink:
 * @self: a feed
 *
 * Takes some of the last rows away, for good: a view loses many widgets in as long as it takes to make them.
 *
 * Returns: %FALSE, with the rows as they were, if there are no more than may go at once
 */
gboolean
cyc_table_feed_shrink (CycTableFeed *self)
{
  g_return_val_if_fail (CYC_IS_TABLE_FEED (self), FALSE);

  if (self->n <= LESS_ROWS)
    return FALSE;
  g_clear_handle_id (&self->source, g_source_remove);
  self->shrinks = TRUE;
  self->n -= LESS_ROWS;
  self->limit = self->n;
  g_list_model_items_changed (G_LIST_MODEL (self), self->n, LESS_ROWS, 0);
  return TRUE;
}
