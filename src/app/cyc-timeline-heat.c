/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-heat.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-format.h"

#define MIN_ROW_HEIGHT 4
#define LABEL_ROW_HEIGHT 13 /* rows as high as this have each a label */
#define MAX_ROWS 2048       /* of more cores, some share a row, which shows the busiest of them */
#define MAX_NATURAL_HEIGHT 16000
#define MIN_WIDTH 280
#define MIN_HEIGHT 140
#define NATURAL_ROW_HEIGHT 9
#define MARGIN 6
#define LEGEND_WIDTH 120
#define LEGEND_HEIGHT 10
#define N_COLOURS 64

/* How busy each core was all along: core by time, the busier the stronger. Each cell can be reached by the pointer and
 * by the arrow keys, which say it in words. */
struct _CycTimelineHeat
{
  GtkWidget           parent_instance;

  CycTimelineSummary *summary; /* NULL: nothing to show */
  CycTimelineUnits    units;
  guint               core;    /* the cell that the keys are at */
  guint               bin;
  int                 label_width; /* of the widest name; -1: not known */
};

enum
{
  GO,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycTimelineHeat, cyc_timeline_heat, GTK_TYPE_WIDGET)

/* Where it lies */

typedef struct
{
  double x;
  double y;
  double width;
  double height;
  double row_height;
} Place;

static guint
get_n_cores (CycTimelineHeat *self)
{
  return self->summary != NULL ? self->summary->cores->len : 0;
}

/* How many cores share a row. */
static guint
get_group (CycTimelineHeat *self)
{
  return MAX ((get_n_cores (self) + MAX_ROWS - 1) / MAX_ROWS, 1);
}

static guint
get_n_rows (CycTimelineHeat *self)
{
  guint group = get_group (self);

  return (get_n_cores (self) + group - 1) / group;
}

/* The core of a row that is shown. */
static guint
find_busiest (CycTimelineHeat *self,
              guint            row,
              guint            bin)
{
  guint n_bins = self->summary->n_bins, first = row * get_group (self);
  guint end = MIN (first + get_group (self), get_n_cores (self)), best = first;

  for (guint core = first + 1; core < end; core++)
    if (self->summary->heat[(gsize) core * n_bins + bin] > self->summary->heat[(gsize) best * n_bins + bin])
      best = core;
  return best;
}

static const char *
get_core_name (CycTimelineHeat *self,
               guint            core)
{
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->summary->timeline, &n);

  return tracks[g_array_index (self->summary->cores, CycSummaryCore, core).track].name;
}

static int
get_text_size (CycTimelineHeat *self,
               const char      *text,
               int             *out_width)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int height;

  pango_layout_get_pixel_size (layout, out_width, &height);
  return height;
}

static int
get_label_width (CycTimelineHeat *self)
{
  if (self->label_width >= 0)
    return self->label_width;
  self->label_width = 0;
  for (guint row = 0; row < get_n_rows (self); row++)
    {
      int width;
      get_text_size (self, get_core_name (self, row * get_group (self)), &width);
      self->label_width = MAX (self->label_width, width);
    }
  return self->label_width;
}

static void
get_place (CycTimelineHeat *self,
           Place           *out)
{
  int digit_width, width = gtk_widget_get_width (GTK_WIDGET (self));
  int height = gtk_widget_get_height (GTK_WIDGET (self));
  int text_height = get_text_size (self, "0", &digit_width);

  out->x = MARGIN + MAX (get_label_width (self), digit_width) + MARGIN;
  out->y = MARGIN;
  out->width = MAX (1, width - out->x - MARGIN);
  out->height = MAX (1, height - 2 * text_height - 4 * MARGIN);
  out->row_height = out->height / MAX (1, get_n_rows (self));
}

/* Drawing */

/* From the ground to the strongest: one hue, told apart by lightness alone. */
static void
get_colour (const GdkRGBA *ground,
            const GdkRGBA *text,
            double         heat,
            GdkRGBA       *out)
{
  gboolean dark = ground->red + ground->green + ground->blue < text->red + text->green + text->blue;
  const GdkRGBA low = dark ? (GdkRGBA) { 0.13f, 0.16f, 0.22f, 1 } : (GdkRGBA) { 0.93f, 0.95f, 0.98f, 1 };
  const GdkRGBA high = dark ? (GdkRGBA) { 0.98f, 0.90f, 0.55f, 1 } : (GdkRGBA) { 0.03f, 0.19f, 0.42f, 1 };
  float part = (float) CLAMP (heat, 0, 1);

  out->red = low.red + (high.red - low.red) * part;
  out->green = low.green + (high.green - low.green) * part;
  out->blue = low.blue + (high.blue - low.blue) * part;
  out->alpha = 1;
}

static guint32
to_pixel (const GdkRGBA *colour)
{
  return 0xff000000u | (guint32) lround (colour->red * 255) << 16 | (guint32) lround (colour->green * 255) << 8
         | (guint32) lround (colour->blue * 255);
}

/* A pixel for each cell, which is stretched: the work does not depend on the room. */
static cairo_surface_t *
create_image (CycTimelineHeat *self,
              const GdkRGBA   *ground,
              const GdkRGBA   *text)
{
  guint n_bins = self->summary->n_bins, n_rows = get_n_rows (self);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) n_bins, (int) n_rows);
  unsigned char *bytes = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  guint32 colours[N_COLOURS];

  for (guint i = 0; i < N_COLOURS; i++)
    {
      GdkRGBA colour;
      get_colour (ground, text, i / (N_COLOURS - 1.0), &colour);
      colours[i] = to_pixel (&colour);
    }
  cairo_surface_flush (surface);
  for (guint i = 0; i < n_rows; i++)
    {
      guint32 *row = (guint32 *) (gpointer) (bytes + (gsize) i * (gsize) stride);
      for (guint bin = 0; bin < n_bins; bin++)
        {
          gsize cell = (gsize) find_busiest (self, i, bin) * n_bins + bin;
          float heat = CLAMP (self->summary->heat[cell], 0.0f, 1.0f);
          row[bin] = colours[lround (heat * (N_COLOURS - 1))];
        }
    }
  cairo_surface_mark_dirty (surface);
  return surface;
}

static void
draw_text (CycTimelineHeat *self,
           cairo_t         *cr,
           const char      *text,
           double           x,
           double           y,
           double           align)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), text);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  cairo_move_to (cr, floor (x - align * width), floor (y));
  pango_cairo_show_layout (cr, layout);
}

static void
draw_labels (CycTimelineHeat *self,
             cairo_t         *cr,
             const Place     *place)
{
  int width, text_height = get_text_size (self, "0", &width);
  guint step = (guint) ceil (MAX (text_height, LABEL_ROW_HEIGHT) / place->row_height);
  g_autofree char *from = cyc_timeline_units_dup_time (&self->units, self->summary->from);
  g_autofree char *to = cyc_timeline_units_dup_time (&self->units, self->summary->to);

  for (guint i = 0; i < get_n_rows (self); i += MAX (step, 1))
    draw_text (self, cr, get_core_name (self, i * get_group (self)), place->x - MARGIN,
               place->y + (i + 0.5) * place->row_height - text_height / 2.0, 1);
  draw_text (self, cr, from, place->x, place->y + place->height + MARGIN, 0);
  draw_text (self, cr, to, place->x + place->width, place->y + place->height + MARGIN, 1);
}

static void
draw_legend (CycTimelineHeat *self,
             cairo_t         *cr,
             const Place     *place,
             const GdkRGBA   *ground,
             const GdkRGBA   *text)
{
  int width, text_height = get_text_size (self, "0", &width);
  double y = place->y + place->height + 2 * MARGIN + text_height;
  double x = place->x;

  draw_text (self, cr, _("idle"), x, y, 0);
  get_text_size (self, _("idle"), &width);
  x += width + MARGIN;
  for (guint i = 0; i < N_COLOURS; i++)
    {
      GdkRGBA colour;
      get_colour (ground, text, i / (N_COLOURS - 1.0), &colour);
      gdk_cairo_set_source_rgba (cr, &colour);
      cairo_rectangle (cr, x + i * LEGEND_WIDTH / (double) N_COLOURS, y + (text_height - LEGEND_HEIGHT) / 2.0,
                       LEGEND_WIDTH / (double) N_COLOURS + 1, LEGEND_HEIGHT);
      cairo_fill (cr);
    }
  gdk_cairo_set_source_rgba (cr, text);
  draw_text (self, cr, _("busy all the time"), x + LEGEND_WIDTH + MARGIN, y, 0);
}

static void
draw_focus (CycTimelineHeat *self,
            cairo_t         *cr,
            const Place     *place,
            const GdkRGBA   *text)
{
  double bin_width = place->width / self->summary->n_bins;

  gdk_cairo_set_source_rgba (cr, text);
  cairo_set_line_width (cr, 2);
  cairo_rectangle (cr, place->x + self->bin * bin_width - 1,
                   place->y + self->core / get_group (self) * place->row_height - 1,
                   MAX (bin_width, 3) + 2, place->row_height + 2);
  cairo_stroke (cr);
}

static void
get_colours (GtkWidget *widget,
             GdkRGBA   *out_text,
             GdkRGBA   *out_ground)
{
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  GtkStyleContext *context = gtk_widget_get_style_context (widget);

  gtk_style_context_get_color (context, out_text);
  if (!gtk_style_context_lookup_color (context, "theme_base_color", out_ground))
    *out_ground = (GdkRGBA) { 1 - out_text->red, 1 - out_text->green, 1 - out_text->blue, 1 };
  G_GNUC_END_IGNORE_DEPRECATIONS
}

static void
cyc_timeline_heat_snapshot (GtkWidget   *widget,
                            GtkSnapshot *snapshot)
{
  CycTimelineHeat *self = CYC_TIMELINE_HEAT (widget);
  GdkRGBA text, ground;
  Place place;

  if (get_n_cores (self) == 0)
    return;
  get_colours (widget, &text, &ground);
  get_place (self, &place);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot,
                                           &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                                                (float) gtk_widget_get_height (widget)));
  cairo_surface_t *image = create_image (self, &ground, &text);
  cairo_save (cr);
  cairo_rectangle (cr, place.x, place.y, place.width, place.height);
  cairo_clip (cr);
  cairo_translate (cr, place.x, place.y);
  cairo_scale (cr, place.width / self->summary->n_bins, place.row_height);
  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_restore (cr);
  cairo_surface_destroy (image);
  gdk_cairo_set_source_rgba (cr, &text);
  draw_labels (self, cr, &place);
  draw_legend (self, cr, &place, &ground, &text);
  if (gtk_widget_has_focus (widget))
    draw_focus (self, cr, &place, &text);
  cairo_destroy (cr);
}

static void
cyc_timeline_heat_measure (GtkWidget      *widget,
                           GtkOrientation  orientation,
                           int             for_size,
                           int            *minimum,
                           int            *natural,
                           int            *minimum_baseline,
                           int            *natural_baseline)
{
  int n = (int) get_n_rows (CYC_TIMELINE_HEAT (widget));

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MAX (MIN_HEIGHT, 60 + n * MIN_ROW_HEIGHT);
  *natural = *minimum;
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *natural = MAX (*minimum, MIN (60 + n * NATURAL_ROW_HEIGHT, MAX_NATURAL_HEIGHT));
}

/* Pointer and keys */

static gboolean
find_cell (CycTimelineHeat *self,
           double           x,
           double           y,
           guint           *out_core,
           guint           *out_bin)
{
  Place place;

  if (get_n_cores (self) == 0)
    return FALSE;
  get_place (self, &place);
  if (x < place.x || y < place.y || x >= place.x + place.width || y >= place.y + place.height)
    return FALSE;
  *out_bin = MIN ((guint) ((x - place.x) / place.width * self->summary->n_bins), self->summary->n_bins - 1);
  *out_core = find_busiest (self, MIN ((guint) ((y - place.y) / place.row_height), get_n_rows (self) - 1), *out_bin);
  return TRUE;
}

static void
get_bin_range (CycTimelineHeat *self,
               guint            bin,
               gint64          *out_from,
               gint64          *out_to)
{
  CycWideTime length = (CycWideTime) self->summary->to - self->summary->from;

  *out_from = self->summary->from + (gint64) (length * bin / self->summary->n_bins);
  *out_to = self->summary->from + (gint64) (length * (bin + 1) / self->summary->n_bins);
}

/* What there is to say of a cell. */
static char *
dup_cell_text (CycTimelineHeat *self,
               guint            core,
               guint            bin)
{
  gint64 from, to;

  get_bin_range (self, bin, &from, &to);
  g_autofree char *name = cyc_format_printable (get_core_name (self, core));
  g_autofree char *begin = cyc_timeline_units_dup_time (&self->units, from);
  g_autofree char *end = cyc_timeline_units_dup_time (&self->units, to);
  double busy = (double) self->summary->heat[(gsize) core * self->summary->n_bins + bin];
  /* Translators: a core, when, and how much of that it was busy. */
  return g_strdup_printf (_("%s, %s to %s: %.1f %% busy"), name, begin, end, busy * 100);
}

static void
go (CycTimelineHeat *self)
{
  gint64 from, to;

  if (get_n_cores (self) == 0)
    return;
  get_bin_range (self, self->bin, &from, &to);
  g_signal_emit (self, signals[GO], 0, self->core, from, to);
}

static void
set_cell (CycTimelineHeat *self,
          guint            row,
          guint            bin)
{
  guint core = find_busiest (self, row, bin);

  self->core = core;
  self->bin = bin;
  g_autofree char *text = dup_cell_text (self, core, bin);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
pressed_cb (GtkGestureClick *gesture,
            int              n_press,
            double           x,
            double           y,
            gpointer         user_data)
{
  CycTimelineHeat *self = user_data;
  guint core, bin;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!find_cell (self, x, y, &core, &bin))
    return;
  set_cell (self, core / get_group (self), bin);
  go (self);
}

static gboolean
tooltip_cb (GtkWidget  *widget,
            int         x,
            int         y,
            gboolean    keyboard,
            GtkTooltip *tooltip,
            gpointer    user_data)
{
  CycTimelineHeat *self = CYC_TIMELINE_HEAT (widget);
  guint core = self->core, bin = self->bin;

  if (get_n_cores (self) == 0 || (!keyboard && !find_cell (self, x, y, &core, &bin)))
    return FALSE;
  g_autofree char *text = dup_cell_text (self, core, bin);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

static gboolean
key_cb (GtkEventControllerKey *controller,
        guint                  key,
        guint                  code,
        GdkModifierType        modifiers,
        gpointer               user_data)
{
  CycTimelineHeat *self = user_data;
  guint n = get_n_rows (self), row = self->core / get_group (self);

  if (n == 0 || (modifiers & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;
  if (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter)
    go (self);
  else if (key == GDK_KEY_Left && self->bin > 0)
    set_cell (self, row, self->bin - 1);
  else if (key == GDK_KEY_Right && self->bin + 1 < self->summary->n_bins)
    set_cell (self, row, self->bin + 1);
  else if (key == GDK_KEY_Up && row > 0)
    set_cell (self, row - 1, self->bin);
  else if (key == GDK_KEY_Down && row + 1 < n)
    set_cell (self, row + 1, self->bin);
  else if (key == GDK_KEY_Home)
    set_cell (self, row, 0);
  else if (key == GDK_KEY_End)
    set_cell (self, row, self->summary->n_bins - 1);
  else
    return FALSE;
  return TRUE;
}

static void
cyc_timeline_heat_css_changed (GtkWidget         *widget,
                               GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (cyc_timeline_heat_parent_class)->css_changed (widget, change);
  CYC_TIMELINE_HEAT (widget)->label_width = -1;
}

static void
cyc_timeline_heat_system_setting_changed (GtkWidget        *widget,
                                          GtkSystemSetting  setting)
{
  GTK_WIDGET_CLASS (cyc_timeline_heat_parent_class)->system_setting_changed (widget, setting);
  CYC_TIMELINE_HEAT (widget)->label_width = -1;
}

static void
cyc_timeline_heat_finalize (GObject *object)
{
  g_clear_pointer (&CYC_TIMELINE_HEAT (object)->summary, cyc_timeline_summary_unref);
  G_OBJECT_CLASS (cyc_timeline_heat_parent_class)->finalize (object);
}

static void
cyc_timeline_heat_class_init (CycTimelineHeatClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_heat_finalize;
  widget_class->snapshot = cyc_timeline_heat_snapshot;
  widget_class->measure = cyc_timeline_heat_measure;
  widget_class->css_changed = cyc_timeline_heat_css_changed;
  widget_class->system_setting_changed = cyc_timeline_heat_system_setting_changed;
  signals[GO] = g_signal_new ("go", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                              G_TYPE_UINT, G_TYPE_INT64, G_TYPE_INT64);
  gtk_widget_class_set_css_name (widget_class, "timelineheat");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
}

static void
cyc_timeline_heat_init (CycTimelineHeat *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->label_width = -1;
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Load of the cores"), -1);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (tooltip_cb), NULL);
  g_signal_connect_swapped (self, "notify::has-focus", G_CALLBACK (gtk_widget_queue_draw), self);
  g_signal_connect (click, "pressed", G_CALLBACK (pressed_cb), self);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

/**
 * cyc_timeline_heat_new:
 *
 * Returns: (transfer floating): a map of nothing
 */
GtkWidget *
cyc_timeline_heat_new (void)
{
  return g_object_new (CYC_TYPE_TIMELINE_HEAT, NULL);
}

/**
 * cyc_timeline_heat_set_summary:
 * @self: a map
 * @summary: (nullable): what it shows
 * @units: how times are shown
 */
void
cyc_timeline_heat_set_summary (CycTimelineHeat        *self,
                               CycTimelineSummary     *summary,
                               const CycTimelineUnits *units)
{
  g_return_if_fail (CYC_IS_TIMELINE_HEAT (self));

  if (summary != NULL)
    cyc_timeline_summary_ref (summary);
  g_clear_pointer (&self->summary, cyc_timeline_summary_unref);
  self->summary = summary;
  self->units = *units;
  self->core = self->bin = 0;
  self->label_width = -1;
  gtk_widget_queue_resize (GTK_WIDGET (self));
}
