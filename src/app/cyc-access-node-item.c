/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-node-item.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/access/cyc-access-edit.h"
#include "core/base/cyc-format.h"

/* A node of a mapping in a tree. In a nested list what comes after a loop lies inside of it, so the tree shows loops
 * as they are nested: outermost on top. */
struct _CycAccessNodeItem
{
  GObject              parent_instance;

  CycAccessTrace      *trace;
  const CycAccessNode *list;  /* the nested list or split that it stands in */
  const CycAccessNode *node;
  guint                place; /* in @list */
  guint                index; /* in the order of the file */
};

static guint changed_signal;

G_DEFINE_FINAL_TYPE (CycAccessNodeItem, cyc_access_node_item, G_TYPE_OBJECT)

static void
cyc_access_node_item_finalize (GObject *object)
{
  cyc_access_trace_unref (CYC_ACCESS_NODE_ITEM (object)->trace);
  G_OBJECT_CLASS (cyc_access_node_item_parent_class)->finalize (object);
}

static void
cyc_access_node_item_class_init (CycAccessNodeItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = cyc_access_node_item_finalize;
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                 G_TYPE_NONE, 0);
}

static void
cyc_access_node_item_init (CycAccessNodeItem *self)
{
}

/* Appends the nodes of a list from @place on: up to a loop, which holds the others. */
static GListModel *
list_nodes (CycAccessTrace      *trace,
            const CycAccessNode *list,
            guint                place)
{
  GListStore *store = g_list_store_new (CYC_TYPE_ACCESS_NODE_ITEM);

  for (guint i = place; i < list->children->len; i++)
    {
      g_autoptr (CycAccessNodeItem) item = g_object_new (CYC_TYPE_ACCESS_NODE_ITEM, NULL);
      item->trace = cyc_access_trace_ref (trace);
      item->list = list;
      item->node = list->children->pdata[i];
      item->place = i;
      item->index = cyc_access_node_get_index (trace->spec->mapping, item->node);
      g_list_store_append (store, item);
      if (list->kind == CYC_ACCESS_NESTED && cyc_access_node_is_loop (item->node))
        break;
    }
  return G_LIST_MODEL (store);
}

/**
 * cyc_access_node_item_list_roots:
 * @trace: a trace
 *
 * Returns: (transfer full): the outermost nodes of its mapping
 */
GListModel *
cyc_access_node_item_list_roots (CycAccessTrace *trace)
{
  return list_nodes (trace, trace->spec->mapping, 0);
}

/**
 * cyc_access_node_item_list_children:
 * @self: a node
 *
 * Returns: (transfer full) (nullable): what lies inside of it
 */
GListModel *
cyc_access_node_item_list_children (CycAccessNodeItem *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_NODE_ITEM (self), NULL);

  if (self->list->kind == CYC_ACCESS_NESTED && cyc_access_node_is_loop (self->node) &&
      self->place + 1 < self->list->children->len)
    return list_nodes (self->trace, self->list, self->place + 1);
  if (self->node->children != NULL && self->node->children->len > 0)
    return list_nodes (self->trace, self->node, 0);
  return NULL;
}

/**
 * cyc_access_node_item_get_node:
 * @self: an item
 *
 * Returns: (transfer none): the node, of the item's trace
 */
const CycAccessNode *
cyc_access_node_item_get_node (CycAccessNodeItem *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_NODE_ITEM (self), NULL);

  return self->node;
}

/**
 * cyc_access_node_item_get_index:
 * @self: an item
 *
 * Returns: its place in the order of the file
 */
guint
cyc_access_node_item_get_index (CycAccessNodeItem *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_NODE_ITEM (self), 0);

  return self->index;
}

/**
 * cyc_access_node_item_set_trace:
 * @self: an item
 * @trace: of a mapping of the same nodes, with other tiles
 */
void
cyc_access_node_item_set_trace (CycAccessNodeItem *self,
                                CycAccessTrace    *trace)
{
  g_return_if_fail (CYC_IS_ACCESS_NODE_ITEM (self));

  guint list = cyc_access_node_get_index (self->trace->spec->mapping, self->list);
  cyc_access_trace_ref (trace);
  cyc_access_trace_unref (self->trace);
  self->trace = trace;
  self->node = cyc_access_node_get_nth (trace->spec->mapping, self->index);
  self->list = cyc_access_node_get_nth (trace->spec->mapping, list);
  g_signal_emit (self, changed_signal, 0);
}

static char *
join_names (GStrv names)
{
  g_autofree char *joined = names != NULL ? g_strjoinv (", ", names) : g_strdup ("");

  return cyc_format_printable (joined);
}

/* The component behind what it belongs to. */
static char *
with_component (const char          *text,
                const CycAccessNode *node)
{
  if (node->component == NULL)
    return g_strdup (text);
  g_autofree char *component = cyc_format_printable (node->component);
  return g_strdup_printf ("%s (%s)", text, component);
}

/**
 * cyc_access_node_item_dup_label:
 * @self: an item
 *
 * Returns: (transfer full): what it is, in a few words
 */
char *
cyc_access_node_item_dup_label (CycAccessNodeItem *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_NODE_ITEM (self), NULL);

  const CycAccessNode *node = self->node;
  g_autofree char *text = NULL;
  g_autofree char *names = NULL;
  switch (node->kind)
    {
    case CYC_ACCESS_TEMPORAL:
      names = join_names (node->variables);
      /* Translators: a loop over a rank variable, one turn after the other */
      return g_strdup_printf (_("Temporal %s"), names);
    case CYC_ACCESS_SPATIAL:
      names = join_names (node->variables);
      /* Translators: a loop over a rank variable, all turns at once */
      text = g_strdup_printf (_("Spatial %s"), names);
      return with_component (text, node);
    case CYC_ACCESS_STORAGE:
      names = join_names (node->tensors);
      text = node->component != NULL ? cyc_format_printable (node->component) : g_strdup (_("Storage"));
      return g_strdup_printf ("%s: %s", text, names);
    case CYC_ACCESS_COMPUTE:
      names = cyc_format_printable (node->einsum);
      text = g_strdup_printf (_("Compute %s"), names);
      return with_component (text, node);
    case CYC_ACCESS_SEQUENTIAL:
      return g_strdup (_("Sequential"));
    case CYC_ACCESS_PIPELINE:
      return g_strdup (_("Pipeline"));
    case CYC_ACCESS_SPLIT:
      return g_strdup (_("Split"));
    case CYC_ACCESS_NESTED:
      return g_strdup (_("Nested"));
    case CYC_ACCESS_PASSED:
    default:
      return cyc_format_printable (node->tag);
    }
}

/**
 * cyc_access_node_item_dup_details:
 * @self: an item
 *
 * Returns: (transfer full): what it does, in a sentence
 */
char *
cyc_access_node_item_dup_details (CycAccessNodeItem *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_NODE_ITEM (self), NULL);

  const CycAccessNode *node = self->node;
  gint64 number = cyc_access_plan_get_number (self->trace->plan, node);
  g_autofree char *count = cyc_format_grouped ((double) number, 0);
  g_autofree char *names = NULL;
  switch (node->kind)
    {
    case CYC_ACCESS_TEMPORAL:
      return g_strdup_printf (ngettext ("%s turn, one after the other", "%s turns, one after the other",
                                        (gulong) number), count);
    case CYC_ACCESS_SPATIAL:
      return g_strdup_printf (ngettext ("%s turn, all at once", "%s turns, all at once", (gulong) number), count);
    case CYC_ACCESS_STORAGE:
      return g_strdup (_("holds tiles of these tensors"));
    case CYC_ACCESS_COMPUTE:
      return g_strdup (_("a timestep of this Einsum"));
    case CYC_ACCESS_SEQUENTIAL:
      return g_strdup_printf (ngettext ("one branch after the other, %s timestep in all",
                                        "one branch after the other, %s timesteps in all", (gulong) number), count);
    case CYC_ACCESS_PIPELINE:
    case CYC_ACCESS_SPLIT:
      return g_strdup_printf (ngettext ("all branches at the same time, %s timestep",
                                        "all branches at the same time, %s timesteps", (gulong) number), count);
    case CYC_ACCESS_NESTED:
      return g_strdup_printf (ngettext ("%s timestep", "%s timesteps", (gulong) number), count);
    case CYC_ACCESS_PASSED:
    default:
      return g_strdup (_("plays no part in the trace"));
    }
}
