/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-access-mapping-tree.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "app/cyc-access-node-item.h"
#include "core/access/cyc-access-edit.h"
#include "core/base/cyc-number.h"
#include "widgets/cyc-controls.h"

#define SHAPE_WIDTH 22
#define SHAPE_HEIGHT 16

/* The mapping as a tree, outermost node on top: loops are boxes, storages cylinders, computes ovals, as AccelForge
 * draws them. Tiles of loops can be changed. */
struct _CycAccessMappingTree
{
  GtkWidget           parent_instance;

  GtkWidget          *scroller;
  GtkListView        *list;
  GtkSingleSelection *selection;
  CycAccessTrace     *trace;
  gboolean            quiet; /* what changes is not changed by the user */
};

enum
{
  SELECTED,
  EDITED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycAccessMappingTree, cyc_access_mapping_tree, GTK_TYPE_WIDGET)

/* A row. */
typedef struct
{
  CycAccessMappingTree     *tree;
  CycAccessNodeItem *item;     /* while it is bound */
  gulong             handler;
  GtkWidget         *expander;
  GtkWidget         *shape;
  GtkWidget         *label;
  GtkWidget         *tile;
  GtkWidget         *turns;
} Row;

static void
draw_cylinder (cairo_t *cr,
               double   width,
               double   height)
{
  double rim = height * 0.16;

  cairo_save (cr);
  cairo_translate (cr, width / 2, rim + 1);
  cairo_scale (cr, width / 2 - 2, rim);
  cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
  cairo_restore (cr);
  cairo_stroke (cr);
  cairo_move_to (cr, 2, rim + 1);
  cairo_line_to (cr, 2, height - rim - 1);
  cairo_save (cr);
  cairo_translate (cr, width / 2, height - rim - 1);
  cairo_scale (cr, width / 2 - 2, rim);
  cairo_arc_negative (cr, 0, 0, 1, G_PI, 0);
  cairo_restore (cr);
  cairo_line_to (cr, width - 2, rim + 1);
  cairo_stroke (cr);
}

static void
draw_shape (GtkDrawingArea *area,
            cairo_t        *cr,
            int             width,
            int             height,
            gpointer        user_data)
{
  Row *row = user_data;
  GdkRGBA colour;

  if (row->item == NULL)
    return;
G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  gtk_style_context_get_color (gtk_widget_get_style_context (GTK_WIDGET (area)), &colour);
G_GNUC_END_IGNORE_DEPRECATIONS
  gdk_cairo_set_source_rgba (cr, &colour);
  cairo_set_line_width (cr, 1.2);
  switch (cyc_access_node_item_get_node (row->item)->kind)
    {
    case CYC_ACCESS_SPATIAL:
      /* Several boxes: all at once. */
      cairo_rectangle (cr, 5.5, 1.5, width - 7, height - 6);
      cairo_stroke (cr);
      cairo_rectangle (cr, 1.5, 4.5, width - 7, height - 6);
      cairo_stroke (cr);
      break;
    case CYC_ACCESS_TEMPORAL:
      cairo_rectangle (cr, 1.5, 2.5, width - 3, height - 5);
      cairo_stroke (cr);
      break;
    case CYC_ACCESS_STORAGE:
      draw_cylinder (cr, width, height);
      break;
    case CYC_ACCESS_COMPUTE:
      cairo_save (cr);
      cairo_translate (cr, width / 2.0, height / 2.0);
      cairo_scale (cr, width / 2.0 - 1, height / 2.0 - 2);
      cairo_arc (cr, 0, 0, 1, 0, 2 * G_PI);
      cairo_restore (cr);
      cairo_stroke (cr);
      break;
    case CYC_ACCESS_SEQUENTIAL:
    case CYC_ACCESS_PIPELINE:
    case CYC_ACCESS_SPLIT:
      /* A line that branches. */
      cairo_move_to (cr, width / 2.0, 1);
      cairo_line_to (cr, width / 2.0, height / 2.0);
      cairo_move_to (cr, 3, height - 1);
      cairo_line_to (cr, 3, height / 2.0);
      cairo_line_to (cr, width - 3, height / 2.0);
      cairo_line_to (cr, width - 3, height - 1);
      cairo_stroke (cr);
      break;
    case CYC_ACCESS_NESTED:
      cairo_move_to (cr, width / 2.0, 1);
      cairo_line_to (cr, width / 2.0, height - 1);
      cairo_stroke (cr);
      break;
    case CYC_ACCESS_PASSED:
    default:
      cairo_arc (cr, width / 2.0, height / 2.0, 2, 0, 2 * G_PI);
      cairo_fill (cr);
    }
}

/* Shows what the item says now. */
static void
update_row (Row *row)
{
  const CycAccessNode *node = cyc_access_node_item_get_node (row->item);
  gboolean loop = cyc_access_node_is_loop (node);
  g_autofree char *label = cyc_access_node_item_dup_label (row->item);
  g_autofree char *details = cyc_access_node_item_dup_details (row->item);
  g_autofree char *tile = g_strdup_printf ("%" PRId64, node->tile);
  gint64 number = row->tree->trace != NULL ? cyc_access_plan_get_number (row->tree->trace->plan, node) : 0;
  g_autofree char *turns = g_strdup_printf ("×%" PRId64, number);
  g_autofree char *first = node->initial > 0 ? g_strdup_printf (_("%s (the first tile has %" PRId64 ")"), details,
                                                                node->initial) : g_strdup (details);
  g_autofree char *whole = g_strdup_printf ("%s: %s", label, first);

  gtk_label_set_text (GTK_LABEL (row->label), label);
  cyc_control_set_tooltip (row->expander, whole);
  gtk_widget_set_visible (row->tile, loop);
  gtk_widget_set_visible (row->turns, loop);
  gtk_label_set_text (GTK_LABEL (row->turns), turns);
  g_autofree char *id = g_strdup_printf ("tile-%u", cyc_access_node_item_get_index (row->item));
  gtk_widget_set_name (row->tile, id);
  row->tree->quiet = TRUE;
  gtk_editable_set_text (GTK_EDITABLE (row->tile), tile);
  row->tree->quiet = FALSE;
  gtk_widget_remove_css_class (row->tile, "error");
  g_autofree char *name = g_strdup_printf (_("Size of the tiles of %s"), label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->tile), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->expander), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  gtk_widget_queue_draw (row->shape);
}

/* Takes over what is written in the entry, if it is a size. */
static void
take_tile (Row    *row,
           gint64  more)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (row->tile));
  guint64 value;

  if (row->item == NULL || row->tree->quiet)
    return;
  if (!g_ascii_string_to_unsigned (text, 10, 1, CYC_ACCESS_MAX_NUMBER, &value, NULL))
    {
      gtk_widget_add_css_class (row->tile, "error");
      return;
    }
  gint64 tile = CLAMP ((gint64) value + more, 1, CYC_ACCESS_MAX_NUMBER);
  gtk_widget_remove_css_class (row->tile, "error");
  if (tile != cyc_access_node_item_get_node (row->item)->tile)
    g_signal_emit (row->tree, signals[EDITED], 0, cyc_access_node_item_get_index (row->item), tile);
}

static void
activate_cb (GtkEntry *entry,
             Row      *row)
{
  take_tile (row, 0);
}

static void
leave_cb (GtkEventControllerFocus *focus,
          Row                     *row)
{
  take_tile (row, 0);
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        state,
        Row                   *row)
{
  if (key == GDK_KEY_Up || key == GDK_KEY_KP_Up)
    take_tile (row, 1);
  else if (key == GDK_KEY_Down || key == GDK_KEY_KP_Down)
    take_tile (row, -1);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static GtkWidget *
create_tile (Row *row)
{
  GtkWidget *entry = gtk_entry_new ();
  GtkEventController *focus = gtk_event_controller_focus_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_DIGITS);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 4);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 4);
  gtk_entry_set_alignment (GTK_ENTRY (entry), 1);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  cyc_control_set_tooltip (entry, _("Size of the tiles; Up and Down change it"));
  gtk_widget_add_css_class (entry, "tile");
  g_signal_connect (entry, "activate", G_CALLBACK (activate_cb), row);
  g_signal_connect (focus, "leave", G_CALLBACK (leave_cb), row);
  gtk_widget_add_controller (entry, focus);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), row);
  gtk_widget_add_controller (entry, keys);
  return entry;
}

static void
setup_cb (GtkSignalListItemFactory *factory,
          GtkListItem              *list_item,
          CycAccessMappingTree            *self)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  row->tree = self;
  row->expander = gtk_tree_expander_new ();
  row->shape = gtk_drawing_area_new ();
  row->label = gtk_label_new (NULL);
  row->tile = create_tile (row);
  row->turns = gtk_label_new (NULL);
  gtk_drawing_area_set_content_width (GTK_DRAWING_AREA (row->shape), SHAPE_WIDTH);
  gtk_drawing_area_set_content_height (GTK_DRAWING_AREA (row->shape), SHAPE_HEIGHT);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (row->shape), draw_shape, row, NULL);
  gtk_widget_set_valign (row->shape, GTK_ALIGN_CENTER);
  gtk_label_set_xalign (GTK_LABEL (row->label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (row->label), PANGO_ELLIPSIZE_END);
  gtk_label_set_width_chars (GTK_LABEL (row->label), 7);
  gtk_widget_set_hexpand (row->label, TRUE);
  gtk_widget_add_css_class (row->turns, "dim-label");
  gtk_widget_add_css_class (row->turns, "numeric");
  gtk_box_append (GTK_BOX (box), row->shape);
  gtk_box_append (GTK_BOX (box), row->label);
  gtk_box_append (GTK_BOX (box), row->tile);
  gtk_box_append (GTK_BOX (box), row->turns);
  gtk_tree_expander_set_child (GTK_TREE_EXPANDER (row->expander), box);
  gtk_list_item_set_child (list_item, row->expander);
  g_object_set_data_full (G_OBJECT (list_item), "row", row, g_free);
}

static void
bind_cb (GtkSignalListItemFactory *factory,
         GtkListItem              *list_item,
         CycAccessMappingTree            *self)
{
  Row *row = g_object_get_data (G_OBJECT (list_item), "row");
  GtkTreeListRow *tree_row = gtk_list_item_get_item (list_item);

  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (row->expander), tree_row);
  row->item = gtk_tree_list_row_get_item (tree_row);
  row->handler = g_signal_connect_swapped (row->item, "changed", G_CALLBACK (update_row), row);
  update_row (row);
}

static void
unbind_cb (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           CycAccessMappingTree            *self)
{
  Row *row = g_object_get_data (G_OBJECT (list_item), "row");

  g_clear_signal_handler (&row->handler, row->item);
  g_clear_object (&row->item);
  gtk_tree_expander_set_list_row (GTK_TREE_EXPANDER (row->expander), NULL);
}

static void
selected_cb (CycAccessMappingTree *self)
{
  if (!self->quiet)
    g_signal_emit (self, signals[SELECTED], 0);
}

static void
cyc_access_mapping_tree_dispose (GObject *object)
{
  CycAccessMappingTree *self = CYC_ACCESS_MAPPING_TREE (object);

  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_access_mapping_tree_parent_class)->dispose (object);
}

static void
cyc_access_mapping_tree_finalize (GObject *object)
{
  CycAccessMappingTree *self = CYC_ACCESS_MAPPING_TREE (object);

  g_clear_object (&self->selection);
  cyc_access_trace_unref (self->trace);
  G_OBJECT_CLASS (cyc_access_mapping_tree_parent_class)->finalize (object);
}

static void
cyc_access_mapping_tree_class_init (CycAccessMappingTreeClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_access_mapping_tree_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_access_mapping_tree_finalize;
  signals[SELECTED] = g_signal_new ("selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 0);
  signals[EDITED] = g_signal_new ("edited", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_INT64);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "mappingtree");
}

static void
cyc_access_mapping_tree_init (CycAccessMappingTree *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), self);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), self);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), self);
  self->selection = gtk_single_selection_new (NULL);
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_signal_connect_object (self->selection, "selection-changed", G_CALLBACK (selected_cb), self, G_CONNECT_SWAPPED);
  self->list = GTK_LIST_VIEW (gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Mapping, outermost loop first"), -1);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->list));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

/**
 * cyc_access_mapping_tree_new:
 *
 * Returns: (transfer floating): an empty tree
 */
GtkWidget *
cyc_access_mapping_tree_new (void)
{
  return g_object_new (CYC_TYPE_ACCESS_MAPPING_TREE, NULL);
}

static GListModel *
children_cb (gpointer item,
             gpointer user_data)
{
  return cyc_access_node_item_list_children (item);
}

static CycAccessNodeItem *
get_item (CycAccessMappingTree *self,
          guint          position)
{
  g_autoptr (GtkTreeListRow) row = g_list_model_get_item (G_LIST_MODEL (self->selection), position);

  return row != NULL ? gtk_tree_list_row_get_item (row) : NULL;
}

/**
 * cyc_access_mapping_tree_set_trace:
 * @self: a tree
 * @trace: (nullable): whose mapping it shows
 * @edited: whether it is the mapping that is shown already, with other tiles: then selection and focus stay
 */
void
cyc_access_mapping_tree_set_trace (CycAccessMappingTree  *self,
                           CycAccessTrace *trace,
                           gboolean        edited)
{
  g_return_if_fail (CYC_IS_ACCESS_MAPPING_TREE (self));

  if (trace != NULL)
    cyc_access_trace_ref (trace);
  cyc_access_trace_unref (self->trace);
  self->trace = trace;
  if (edited && trace != NULL)
    {
      for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
        {
          g_autoptr (CycAccessNodeItem) item = get_item (self, i);
          cyc_access_node_item_set_trace (item, trace);
        }
      return;
    }
  self->quiet = TRUE;
  g_autoptr (GtkTreeListModel) model =
    trace != NULL ? gtk_tree_list_model_new (cyc_access_node_item_list_roots (trace), FALSE, TRUE, children_cb, NULL,
                                             NULL) : NULL;
  gtk_single_selection_set_model (self->selection, G_LIST_MODEL (model));
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->quiet = FALSE;
}

/**
 * cyc_access_mapping_tree_get_selected:
 * @self: a tree
 *
 * Returns: (transfer none) (nullable): the selected node, of the trace that is shown
 */
const CycAccessNode *
cyc_access_mapping_tree_get_selected (CycAccessMappingTree *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_MAPPING_TREE (self), NULL);

  guint position = gtk_single_selection_get_selected (self->selection);
  g_autoptr (CycAccessNodeItem) item =
    position != GTK_INVALID_LIST_POSITION ? get_item (self, position) : NULL;
  return item != NULL ? cyc_access_node_item_get_node (item) : NULL;
}

/**
 * cyc_access_mapping_tree_select:
 * @self: a tree
 * @node: (nullable): of the trace that is shown; %NULL for none
 *
 * Selects a node, as if the user had done it.
 */
void
cyc_access_mapping_tree_select (CycAccessMappingTree       *self,
                        const CycAccessNode *node)
{
  g_return_if_fail (CYC_IS_ACCESS_MAPPING_TREE (self));

  for (guint i = 0; node != NULL && i < g_list_model_get_n_items (G_LIST_MODEL (self->selection)); i++)
    {
      g_autoptr (CycAccessNodeItem) item = get_item (self, i);
      if (cyc_access_node_item_get_node (item) != node)
        continue;
      gtk_single_selection_set_selected (self->selection, i);
      gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", i);
      return;
    }
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
}

/**
 * cyc_access_mapping_tree_get_model:
 * @self: a tree
 *
 * Returns: (transfer none): its rows, of GtkTreeListRow over CycAccessNodeItem
 */
GtkSelectionModel *
cyc_access_mapping_tree_get_model (CycAccessMappingTree *self)
{
  g_return_val_if_fail (CYC_IS_ACCESS_MAPPING_TREE (self), NULL);

  return GTK_SELECTION_MODEL (self->selection);
}
