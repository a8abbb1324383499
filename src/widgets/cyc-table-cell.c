/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-table-cell-private.h"

/* A cell draws its text itself: a list of GTK 4.8 has some 200 rows, of which a screen shows thirty, and what is
 * not seen is never asked for, shaped or measured. All rows are of one height, that of a line, so a new text is only
 * drawn. A number that the view's edge cuts is not drawn at all, but an ellipsis: what is left of its digits would be
 * another number. */

#define ICON_SIZE 16
#define SPACING 6

enum
{
  PROP_0,
  PROP_TEXT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

struct _CycTableCell
{
  GtkWidget      parent_instance;

  CycTableField *field;
  GtkListItem   *list_item; /* borrowed: it owns this */
  GtkWidget     *image;     /* NULL if the column has no icons */
  char          *text;      /* NULL while it has not been asked for */
  PangoLayout   *layout;    /* of the text; NULL until it is drawn */
  const char    *css_class; /* as set by the column; NULL for none */
  gboolean       short_of;  /* not all of the text is seen */
  gboolean       dressed;   /* icon and style are those of the row, too */
};

G_DEFINE_FINAL_TYPE (CycTableCell, cyc_table_cell, GTK_TYPE_WIDGET)

static void
cyc_table_cell_dispose (GObject *object)
{
  CycTableCell *self = CYC_TABLE_CELL (object);

  g_clear_pointer (&self->image, gtk_widget_unparent);
  g_clear_object (&self->layout);
  G_OBJECT_CLASS (cyc_table_cell_parent_class)->dispose (object);
}

static void
cyc_table_cell_finalize (GObject *object)
{
  CycTableCell *self = CYC_TABLE_CELL (object);

  cyc_table_field_unref (self->field);
  g_free (self->text);
  G_OBJECT_CLASS (cyc_table_cell_parent_class)->finalize (object);
}

static void
cyc_table_cell_get_property (GObject    *object,
                             guint       prop_id,
                             GValue     *value,
                             GParamSpec *pspec)
{
  if (prop_id == PROP_TEXT)
    g_value_set_string (value, _cyc_table_cell_get_text (CYC_TABLE_CELL (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static int
get_line_height (CycTableCell *self)
{
  if (self->field->line_height == 0)
    {
      PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
      PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
      self->field->line_height =
        PANGO_PIXELS_CEIL (pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics));
      pango_font_metrics_unref (metrics);
    }
  return MAX (self->field->line_height, self->image != NULL ? ICON_SIZE : 0);
}

static void
cyc_table_cell_measure (GtkWidget      *widget,
                        GtkOrientation  orientation,
                        int             for_size,
                        int            *minimum,
                        int            *natural,
                        int            *minimum_baseline,
                        int            *natural_baseline)
{
  *minimum = 0;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = get_line_height (CYC_TABLE_CELL (widget));
  *natural = *minimum;
}

/* Where the text may be, beside the icon. */
static void
get_room (CycTableCell *self,
          int          *out_x,
          int          *out_width)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int taken = self->image != NULL && gtk_widget_get_visible (self->image) ? ICON_SIZE + SPACING : 0;

  *out_width = MAX (width - taken, 0);
  *out_x = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL ? 0 : taken;
}

static void
cyc_table_cell_size_allocate (GtkWidget *widget,
                              int        width,
                              int        height,
                              int        baseline)
{
  CycTableCell *self = CYC_TABLE_CELL (widget);

  if (self->image == NULL)
    return;
  int x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? width - ICON_SIZE : 0;
  int least;
  gtk_widget_measure (self->image, GTK_ORIENTATION_HORIZONTAL, -1, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate (self->image, &(GtkAllocation) { x, 0, MAX (ICON_SIZE, least), height }, -1);
}

static PangoLayout *
make_layout (CycTableCell *self,
             const char   *text)
{
  PangoLayout *layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);

  pango_layout_set_single_paragraph_mode (layout, TRUE);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  if (cyc_table_field_is_end (self->field))
    {
      PangoAttrList *attributes = pango_attr_list_new ();
      pango_attr_list_insert (attributes, pango_attr_font_features_new ("tnum=1"));
      pango_layout_set_attributes (layout, attributes);
      pango_attr_list_unref (attributes);
    }
  return layout;
}

static void
draw_layout (CycTableCell *self,
             GtkSnapshot  *snapshot,
             PangoLayout  *layout,
             int           x,
             int           width,
             gboolean      end)
{
  GtkWidget *widget = GTK_WIDGET (self);
  PangoRectangle logical;

  pango_layout_get_pixel_extents (layout, NULL, &logical);
  if (end != (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL))
    x += width - logical.width;
  gtk_snapshot_render_layout (snapshot, gtk_widget_get_style_context (widget), x - logical.x,
                              (gtk_widget_get_height (widget) - logical.height) / 2.0, layout);
}

/* The part of the room that is not beyond the view's edges. */
static void
get_seen (CycTableCell *self,
          int           x,
          int           width,
          int          *out_x,
          int          *out_width)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (self));
  int padding = (gtk_widget_get_width (parent) - gtk_widget_get_width (GTK_WIDGET (self))) / 2;
  int left = MAX (x, self->field->cut_left - padding);
  int right = MIN (x + width, gtk_widget_get_width (GTK_WIDGET (self)) + padding - self->field->cut_right);

  *out_x = left;
  *out_width = MAX (right - left, 0);
}

static void
draw_ellipsis (CycTableCell *self,
               GtkSnapshot  *snapshot,
               int           x,
               int           width)
{
  g_autoptr (PangoLayout) layout = make_layout (self, "…");
  int needed;

  pango_layout_get_pixel_size (layout, &needed, NULL);
  if (needed <= width)
    draw_layout (self, snapshot, layout, x, width, self->field->cut_left == 0);
}

static void
cyc_table_cell_snapshot (GtkWidget   *widget,
                         GtkSnapshot *snapshot)
{
  CycTableCell *self = CYC_TABLE_CELL (widget);
  gboolean end = cyc_table_field_is_end (self->field);
  PangoRectangle logical;
  int x;
  int width;
  int seen_x;
  int seen_width;

  if (self->text == NULL || self->text[0] == '\0')
    return;
  if (self->image != NULL)
    gtk_widget_snapshot_child (widget, self->image, snapshot);
  if (self->layout == NULL)
    self->layout = make_layout (self, self->text);
  get_room (self, &x, &width);
  get_seen (self, x, width, &seen_x, &seen_width);
  /* What is cut on the left is read after scrolling; what is cut on the right ends where the view does. */
  pango_layout_set_width (self->layout, PANGO_SCALE * (end || seen_width == 0 ? width : seen_x + seen_width - x));
  pango_layout_get_pixel_extents (self->layout, NULL, &logical);
  int left = end ? x + width - logical.width : x;
  self->short_of = pango_layout_is_ellipsized (self->layout)
                   || (seen_width > 0 && (left < seen_x || left + logical.width > seen_x + seen_width));
  if (end && self->short_of)
    draw_ellipsis (self, snapshot, seen_width > 0 ? seen_x : x, seen_width > 0 ? seen_width : width);
  else
    draw_layout (self, snapshot, self->layout, x, width, end);
}

static gboolean
cyc_table_cell_query_tooltip (GtkWidget  *widget,
                              int         x,
                              int         y,
                              gboolean    keyboard,
                              GtkTooltip *tooltip)
{
  CycTableCell *self = CYC_TABLE_CELL (widget);
  gpointer item = gtk_list_item_get_item (self->list_item);
  g_autofree char *text = NULL;

  if (item == NULL)
    return FALSE;
  if (self->field->column.get_tooltip != NULL)
    text = self->field->column.get_tooltip (item, self->field->user_data);
  if ((text == NULL || text[0] == '\0') && self->short_of)
    text = cyc_table_field_dup_text (self->field, item);
  if (text == NULL || text[0] == '\0')
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static void
cyc_table_cell_system_setting_changed (GtkWidget        *widget,
                                       GtkSystemSetting  setting)
{
  CYC_TABLE_CELL (widget)->field->line_height = 0;
  GTK_WIDGET_CLASS (cyc_table_cell_parent_class)->system_setting_changed (widget, setting);
  gtk_widget_queue_resize (widget);
}

static void
cyc_table_cell_class_init (CycTableCellClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_table_cell_dispose;
  object_class->finalize = cyc_table_cell_finalize;
  object_class->get_property = cyc_table_cell_get_property;
  widget_class->measure = cyc_table_cell_measure;
  widget_class->size_allocate = cyc_table_cell_size_allocate;
  widget_class->snapshot = cyc_table_cell_snapshot;
  widget_class->query_tooltip = cyc_table_cell_query_tooltip;
  widget_class->system_setting_changed = cyc_table_cell_system_setting_changed;
  properties[PROP_TEXT] =
    g_param_spec_string ("text", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  gtk_widget_class_set_css_name (widget_class, "celltext");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
cyc_table_cell_init (CycTableCell *self)
{
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
}

/* A cell for the rows of a list item, empty. */
GtkWidget *
_cyc_table_cell_new (CycTableField *field,
                     GtkListItem   *list_item)
{
  CycTableCell *self = g_object_new (CYC_TYPE_TABLE_CELL, NULL);
  GtkWidget *widget = GTK_WIDGET (self);

  self->field = cyc_table_field_ref (field);
  self->list_item = list_item;
  if ((field->column.flags & CYC_TABLE_COLUMN_MONOSPACE) != 0)
    gtk_widget_add_css_class (widget, "monospace");
  if (field->column.get_icon == NULL)
    return widget;
  self->image = gtk_image_new ();
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->image), GTK_ACCESSIBLE_STATE_HIDDEN, TRUE, -1);
  gtk_widget_set_parent (self->image, widget);
  return widget;
}

/* What it is in; its item is the row. */
GtkListItem *
_cyc_table_cell_get_list_item (CycTableCell *self)
{
  return self->list_item;
}

/* Whether it says what the row is. */
gboolean
_cyc_table_cell_is_known (CycTableCell *self)
{
  return self->text != NULL;
}

/* The row is another one, or has changed: what it is will be asked for when it is seen. */
void
_cyc_table_cell_forget (CycTableCell *self)
{
  g_clear_pointer (&self->text, g_free);
  self->dressed = FALSE;
}

static void
set_class (CycTableCell *self,
           const char   *css_class)
{
  if (g_strcmp0 (self->css_class, css_class) == 0)
    return;
  if (self->css_class != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self), self->css_class);
  if (css_class != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self), css_class);
  self->css_class = css_class;
}

static void
set_icon (CycTableCell *self,
          const char   *icon)
{
  if (icon != NULL)
    gtk_image_set_from_icon_name (GTK_IMAGE (self->image), icon);
  gtk_widget_set_visible (self->image, icon != NULL);
}

/* Whether icon and style are those of the row. */
gboolean
_cyc_table_cell_is_dressed (CycTableCell *self)
{
  return self->dressed;
}

/* Asks for the row's icon and style. May ask for another size, so not while sizes are given. */
void
_cyc_table_cell_dress (CycTableCell *self)
{
  const CycTableColumn *column = &self->field->column;
  gpointer item = gtk_list_item_get_item (self->list_item);

  if (item == NULL)
    return;
  if (self->image != NULL)
    set_icon (self, column->get_icon (item, self->field->user_data));
  if (column->get_css_class != NULL)
    set_class (self, column->get_css_class (item, self->field->user_data));
  self->dressed = TRUE;
}

/* Asks what the row says now. */
void
_cyc_table_cell_read (CycTableCell *self)
{
  gpointer item = gtk_list_item_get_item (self->list_item);
  g_autofree char *text = NULL;

  if (item == NULL)
    return;
  text = cyc_table_field_dup_text (self->field, item);
  if (g_strcmp0 (text, self->text) == 0)
    return;
  g_free (self->text);
  self->text = g_steal_pointer (&text);
  if (self->layout != NULL)
    pango_layout_set_text (self->layout, self->text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, self->text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

/* What it says; asks for it where it is not known. */
const char *
_cyc_table_cell_get_text (CycTableCell *self)
{
  if (self->text == NULL)
    _cyc_table_cell_read (self);
  return self->text != NULL ? self->text : "";
}
