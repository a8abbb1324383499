/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/model/cyc-forward-list.h"

/* A list that shows another one: what a view is told is what there is. */

typedef struct
{
  GListModel *model;
  guint       n;      /* as told */
  guint       calls;
} View;

static void
changed_cb (GListModel *model,
            guint       position,
            guint       removed,
            guint       added,
            gpointer    data)
{
  View *view = data;

  g_assert_cmpuint (position + removed, <=, view->n);
  view->n += added - removed;
  view->calls++;
  g_assert_cmpuint (g_list_model_get_n_items (model), ==, view->n);
}

static GListStore *
make_store (guint n)
{
  GListStore *store = g_list_store_new (G_TYPE_OBJECT);

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (GObject) item = g_object_new (G_TYPE_OBJECT, NULL);
      g_list_store_append (store, item);
    }
  return store;
}

static void
test_models (void)
{
  g_autoptr (CycForwardList) list = cyc_forward_list_new (G_TYPE_OBJECT);
  g_autoptr (GListStore) first = make_store (3);
  g_autoptr (GListStore) second = make_store (2);
  g_autoptr (GListStore) empty = make_store (0);
  View view = { .model = G_LIST_MODEL (list) };

  g_signal_connect (list, "items-changed", G_CALLBACK (changed_cb), &view);
  g_assert_true (g_list_model_get_item_type (G_LIST_MODEL (list)) == G_TYPE_OBJECT);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 0));
  cyc_forward_list_set_model (list, G_LIST_MODEL (empty));
  g_assert_cmpuint (view.calls, ==, 0);
  cyc_forward_list_set_model (list, G_LIST_MODEL (first));
  g_assert_cmpuint (view.n, ==, 3);
  g_list_store_remove (first, 1);
  g_assert_cmpuint (view.n, ==, 2);
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (list), 1);
  g_autoptr (GObject) same = g_list_model_get_item (G_LIST_MODEL (first), 1);
  g_assert_true (item == same);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (list), 2));
  cyc_forward_list_set_model (list, G_LIST_MODEL (second));
  g_assert_cmpuint (view.calls, ==, 3);
  /* Of the one before it hears nothing any more. */
  g_list_store_remove_all (first);
  g_assert_cmpuint (view.calls, ==, 3);
  cyc_forward_list_set_model (list, NULL);
  g_assert_cmpuint (view.n, ==, 0);
}

/* The model outlives the list that showed it. */
static void
test_dispose (void)
{
  g_autoptr (GListStore) store = make_store (1);
  CycForwardList *list = cyc_forward_list_new (G_TYPE_OBJECT);

  cyc_forward_list_set_model (list, G_LIST_MODEL (store));
  g_object_unref (list);
  g_list_store_remove_all (store);
  g_assert_cmpuint (G_OBJECT (store)->ref_count, ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/forward-list/models", test_models);
  g_test_add_func ("/core/forward-list/dispose", test_dispose);
  return g_test_run ();
}
