/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-text-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-util.h"

#define MARGIN 6         /* pixels, beside the text */
#define MIN_DIGITS 4     /* of line numbers */

enum
{
  PROP_0,
  PROP_FOLLOW,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

enum
{
  MOVED,
  SELECT,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/* The lines of a log that are on the screen, as a label each: so they are drawn, and read out, like any
 * text. Where in the log they are is known by bytes; by lines where those before are counted. */
G_DEFINE_FINAL_TYPE (CycLogText, cyc_log_text, GTK_TYPE_WIDGET)

static void
cyc_log_text_dispose (GObject *object)
{
  CycLogText *self = CYC_LOG_TEXT (object);

  cyc_log_text_set_cache (self, NULL);
  _cyc_log_text_input_end (self);
  g_clear_handle_id (&self->job_source, g_source_remove);
  g_ptr_array_set_size (self->labels, 0);
  g_ptr_array_set_size (self->numbers, 0);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_log_text_parent_class)->dispose (object);
}

static void
cyc_log_text_finalize (GObject *object)
{
  CycLogText *self = CYC_LOG_TEXT (object);

  g_ptr_array_unref (self->labels);
  g_ptr_array_unref (self->numbers);
  g_ptr_array_unref (self->lines);
  g_object_unref (self->vadjustment);
  g_object_unref (self->hadjustment);
  g_free (self->words);
  G_OBJECT_CLASS (cyc_log_text_parent_class)->finalize (object);
}

static void
cyc_log_text_get_property (GObject    *object,
                           guint       prop_id,
                           GValue     *value,
                           GParamSpec *pspec)
{
  if (prop_id == PROP_FOLLOW)
    g_value_set_boolean (value, CYC_LOG_TEXT (object)->follow);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
cyc_log_text_set_property (GObject      *object,
                           guint         prop_id,
                           const GValue *value,
                           GParamSpec   *pspec)
{
  if (prop_id == PROP_FOLLOW)
    cyc_log_text_set_follow (CYC_LOG_TEXT (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
cyc_log_text_measure (GtkWidget      *widget,
                      GtkOrientation  orientation,
                      int             for_size,
                      int            *minimum,
                      int            *natural,
                      int            *minimum_baseline,
                      int            *natural_baseline)
{
  CycLogText *self = CYC_LOG_TEXT (widget);

  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 20 * self->char_width : 3 * self->line_height;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 80 * self->char_width : 10 * self->line_height;
}

/* Shows the same place again: the window has another size, or the log other bytes. */
static void
show_again (CycLogText *self)
{
  if (self->cache == NULL)
    return;
  if (self->follow)
    _cyc_log_text_go (self, cyc_log_cache_get_length (self->cache), 0, 0);
  else if (self->job.stage == JOB_SNAP || self->job.stage == JOB_MOVE)
    _cyc_log_text_job_queue (self);
  else if (self->lines->len > 0)
    _cyc_log_text_go (self, ((CycLogLine *) g_ptr_array_index (self->lines, 0))->start, 0, self->fraction);
  else
    _cyc_log_text_go (self, 0, 0, 0);
}

/* Allocates one of the labels for the line @row. */
static void
allocate_label (CycLogText *self,
                GtkWidget  *label,
                guint       row,
                int         x,
                int         width)
{
  int minimum;
  int natural;

  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  graphene_point_t at = GRAPHENE_POINT_INIT ((float) x, (float) floor ((row - self->fraction) *
                                                                       self->line_height));
  gtk_widget_allocate (label, MAX (MAX (natural, minimum), width), self->line_height, -1,
                       gsk_transform_translate (NULL, &at));
}

static void
cyc_log_text_size_allocate (GtkWidget *widget,
                            int        width,
                            int        height,
                            int        baseline)
{
  CycLogText *self = CYC_LOG_TEXT (widget);
  int x = self->gutter - (int) gtk_adjustment_get_value (self->hadjustment);

  for (guint i = 0; i < self->lines->len && i < self->labels->len; i++)
    {
      allocate_label (self, g_ptr_array_index (self->labels, i), i, x, width - x);
      if (self->gutter > 0)
        allocate_label (self, g_ptr_array_index (self->numbers, i), i, x - self->gutter, self->gutter);
    }
  if (self->menu != NULL)
    gtk_popover_present (GTK_POPOVER (self->menu));
  if (height != self->height)
    {
      self->height = height;
      show_again (self);
    }
}

static void
cyc_log_text_css_changed (GtkWidget         *widget,
                          GtkCssStyleChange *change)
{
  CycLogText *self = CYC_LOG_TEXT (widget);

  GTK_WIDGET_CLASS (cyc_log_text_parent_class)->css_changed (widget, change);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");
  pango_layout_get_pixel_size (layout, &self->char_width, &self->line_height);
  /* Colours of marks come from the theme. */
  self->height = 0;
  gtk_widget_queue_resize (widget);
}

static void
cyc_log_text_class_init (CycLogTextClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = cyc_log_text_dispose;
  object_class->finalize = cyc_log_text_finalize;
  object_class->get_property = cyc_log_text_get_property;
  object_class->set_property = cyc_log_text_set_property;
  widget_class->measure = cyc_log_text_measure;
  widget_class->size_allocate = cyc_log_text_size_allocate;
  widget_class->css_changed = cyc_log_text_css_changed;
  properties[PROP_FOLLOW] = g_param_spec_boolean ("follow", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY |
                                                  G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[MOVED] = g_signal_new ("moved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 0);
  signals[SELECT] = g_signal_new ("select", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_css_name (widget_class, "logtext");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LOG);
  _cyc_log_text_input_class (widget_class);
}

/* The scroll bar was moved by the user. */
static void
vadjustment_cb (GtkAdjustment *adjustment,
                CycLogText    *self)
{
  double value = gtk_adjustment_get_value (adjustment);
  double end = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (self->configuring || self->cache == NULL)
    return;
  cyc_log_text_set_follow (self, FALSE);
  _cyc_log_text_go (self, value >= end ? cyc_log_cache_get_length (self->cache) : (guint64) value, 0, 0);
}

static void
cyc_log_text_init (CycLogText *self)
{
  self->vadjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  self->hadjustment = g_object_ref_sink (gtk_adjustment_new (0, 0, 0, 0, 0, 0));
  self->labels = g_ptr_array_new_with_free_func ((GDestroyNotify) gtk_widget_unparent);
  self->numbers = g_ptr_array_new_with_free_func ((GDestroyNotify) gtk_widget_unparent);
  self->lines = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_log_line_free);
  self->hit = G_MAXUINT64;
  gtk_widget_add_css_class (GTK_WIDGET (self), "monospace");
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  g_signal_connect_object (self->vadjustment, "value-changed", G_CALLBACK (vadjustment_cb), self, 0);
  g_signal_connect_object (self->hadjustment, "value-changed", G_CALLBACK (gtk_widget_queue_allocate), self,
                           G_CONNECT_SWAPPED);
  _cyc_log_text_input_init (self);
}

static GtkWidget *
add_label (CycLogText *self,
           GPtrArray  *labels,
           gboolean    number)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_single_line_mode (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), number ? 1 : 0);
  gtk_widget_add_css_class (label, number ? "number" : "line");
  gtk_widget_set_can_target (label, FALSE);
  gtk_widget_set_parent (label, GTK_WIDGET (self));
  g_ptr_array_add (labels, label);
  return label;
}

/* Colours of the theme by name: behind the hit, of the hit, behind other places. */
static void
get_colors (CycLogText *self,
            GdkRGBA     colors[3])
{
  static const char *const names[3] = { "theme_selected_bg_color", "theme_selected_fg_color",
                                        "warning_color" };

G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (self));
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!gtk_style_context_lookup_color (context, names[i], &colors[i]))
      gtk_style_context_get_color (context, &colors[i]);
G_GNUC_END_IGNORE_DEPRECATIONS
  colors[2].alpha *= 0.35f;
}

static gboolean
is_selected (CycLogText       *self,
             const CycLogLine *line)
{
  return self->selecting && line->start >= MIN (self->anchor, self->cursor) &&
         line->start <= MAX (self->anchor, self->cursor);
}

static void
show_line (CycLogText       *self,
           guint             row,
           const CycLogLine *line,
           const GdkRGBA    *colors)
{
  GtkWidget *label = g_ptr_array_index (self->labels, row);
  PangoAttrList *attributes = cyc_log_line_mark (line, self->words, colors);

  if (!g_str_equal (gtk_label_get_text (GTK_LABEL (label)), line->text))
    gtk_label_set_text (GTK_LABEL (label), line->text);
  if (attributes != NULL || gtk_label_get_attributes (GTK_LABEL (label)) != NULL)
    gtk_label_set_attributes (GTK_LABEL (label), attributes);
  g_clear_pointer (&attributes, pango_attr_list_unref);
  if (is_selected (self, line))
    gtk_widget_add_css_class (label, "selected");
  else
    gtk_widget_remove_css_class (label, "selected");
  if (self->hit >= line->start && self->hit < line->next)
    gtk_widget_add_css_class (label, "hit");
  else
    gtk_widget_remove_css_class (label, "hit");
}

static void
show_numbers (CycLogText *self)
{
  const CycLogLine *first = self->lines->len > 0 ? g_ptr_array_index (self->lines, 0) : NULL;
  gboolean known = first != NULL && cyc_log_cache_get_line (self->cache, first->start, &self->first_number);
  int digits = MIN_DIGITS;

  if (!known)
    self->first_number = 0;
  for (guint64 n = self->first_number + self->lines->len; n >= 10000; n /= 10)
    digits++;
  self->gutter = known ? digits * self->char_width + 2 * MARGIN : 0;
  for (guint i = 0; i < self->numbers->len; i++)
    {
      GtkWidget *label = g_ptr_array_index (self->numbers, i);
      g_autofree char *text =
        known && i < self->lines->len ? g_strdup_printf ("%" G_GUINT64_FORMAT, self->first_number + i) : NULL;
      if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text != NULL ? text : "") != 0)
        gtk_label_set_text (GTK_LABEL (label), text);
      gtk_widget_set_child_visible (label, text != NULL);
    }
}

/* The scroll bars follow what is shown: the vertical one counts bytes. */
static void
configure (CycLogText *self)
{
  guint64 length = cyc_log_cache_get_length (self->cache);
  const CycLogLine *first = self->lines->len > 0 ? g_ptr_array_index (self->lines, 0) : NULL;
  const CycLogLine *last = self->lines->len > 0 ? g_ptr_array_index (self->lines, self->lines->len - 1) : NULL;
  double begin = first != NULL ? (double) first->start + self->fraction * (double) (first->next - first->start) : 0;
  double page = last != NULL ? (double) last->next - begin : 0;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  int widest = 0;

  for (guint i = 0; i < self->lines->len; i++)
    {
      int natural;
      gtk_widget_measure (g_ptr_array_index (self->labels, i), GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural,
                          NULL, NULL);
      widest = MAX (widest, natural);
    }
  self->configuring = TRUE;
  gtk_adjustment_configure (self->vadjustment, begin, 0, (double) length, MAX (1, page / 10), MAX (1, page),
                            MIN (page, (double) length));
  gtk_adjustment_configure (self->hadjustment, gtk_adjustment_get_value (self->hadjustment), 0,
                            MAX (width, widest + self->gutter), 4 * self->char_width, width * 0.9, width);
  self->configuring = FALSE;
}

/* Puts the lines into the labels. */
void
_cyc_log_text_show_lines (CycLogText *self)
{
  GdkRGBA colors[3];

  get_colors (self, colors);
  while (self->labels->len < self->lines->len)
    {
      add_label (self, self->labels, FALSE);
      add_label (self, self->numbers, TRUE);
    }
  for (guint i = 0; i < self->labels->len; i++)
    {
      gtk_widget_set_child_visible (g_ptr_array_index (self->labels, i), i < self->lines->len);
      if (i < self->lines->len)
        show_line (self, i, g_ptr_array_index (self->lines, i), colors);
    }
  show_numbers (self);
  configure (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  g_signal_emit (self, signals[MOVED], 0);
}

static void
ready_cb (CycLogText *self)
{
  if (self->job.stage != JOB_NONE)
    _cyc_log_text_job_queue (self);
  else
    cyc_log_cache_count_ahead (self->cache);
  if (cyc_log_cache_get_error (self->cache) != NULL)
    g_signal_emit (self, signals[MOVED], 0);
}

static void
indexed_cb (CycLogText *self)
{
  if (self->first_number == 0 && self->lines->len > 0 && self->job.stage == JOB_NONE)
    {
      show_numbers (self);
      gtk_widget_queue_allocate (GTK_WIDGET (self));
    }
}

/**
 * cyc_log_text_new:
 *
 * Returns: (transfer floating): a widget that shows no log yet
 */
GtkWidget *
cyc_log_text_new (void)
{
  return g_object_new (CYC_TYPE_LOG_TEXT, NULL);
}

/**
 * cyc_log_text_set_cache:
 * @self: a log's text
 * @cache: (nullable): the log
 *
 * Shows the beginning of another log, or its end if that is followed.
 */
void
cyc_log_text_set_cache (CycLogText  *self,
                        CycLogCache *cache)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  if (self->cache != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->cache, self);
      cyc_log_cache_close (self->cache);
    }
  _cyc_log_text_job_clear (self);
  g_set_object (&self->cache, cache);
  g_ptr_array_set_size (self->lines, 0);
  self->fraction = 0;
  self->selecting = FALSE;
  self->hit = G_MAXUINT64;
  if (cache == NULL)
    return;
  g_signal_connect_swapped (cache, "ready", G_CALLBACK (ready_cb), self);
  g_signal_connect_swapped (cache, "indexed", G_CALLBACK (indexed_cb), self);
  _cyc_log_text_show_lines (self);
  show_again (self);
}

/**
 * cyc_log_text_get_vadjustment:
 * @self: a log's text
 *
 * Returns: (transfer none): where in the log it is, in bytes
 */
GtkAdjustment *
cyc_log_text_get_vadjustment (CycLogText *self)
{
  g_return_val_if_fail (CYC_IS_LOG_TEXT (self), NULL);

  return self->vadjustment;
}

/**
 * cyc_log_text_get_hadjustment:
 * @self: a log's text
 *
 * Returns: (transfer none): how much of the lines' beginnings is out of sight, in pixels
 */
GtkAdjustment *
cyc_log_text_get_hadjustment (CycLogText *self)
{
  g_return_val_if_fail (CYC_IS_LOG_TEXT (self), NULL);

  return self->hadjustment;
}

/**
 * cyc_log_text_update:
 * @self: a log's text
 *
 * The log may be longer now: shows what was added if that is in sight, or if the end is followed.
 */
void
cyc_log_text_update (CycLogText *self)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  if (self->cache == NULL)
    return;
  guint64 before = cyc_log_cache_get_length (self->cache);
  gboolean failed = cyc_log_cache_get_error (self->cache) != NULL;
  gboolean changed = cyc_log_cache_update (self->cache);
  if (cyc_log_cache_get_length (self->cache) < before)
    {
      g_ptr_array_set_size (self->lines, 0);
      self->selecting = FALSE;
    }
  if (changed || failed)
    show_again (self);
}

/**
 * cyc_log_text_set_follow:
 * @self: a log's text
 * @follow: whether to keep the end of the log in sight
 */
void
cyc_log_text_set_follow (CycLogText *self,
                         gboolean    follow)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  follow = !!follow;
  if (self->follow == follow)
    return;
  self->follow = follow;
  if (follow)
    show_again (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FOLLOW]);
}

/**
 * cyc_log_text_get_follow:
 * @self: a log's text
 *
 * Returns: whether the end of the log is kept in sight
 */
gboolean
cyc_log_text_get_follow (CycLogText *self)
{
  g_return_val_if_fail (CYC_IS_LOG_TEXT (self), FALSE);

  return self->follow;
}

/**
 * cyc_log_text_set_search:
 * @self: a log's text
 * @words: (nullable): what to mark where it is in sight
 */
void
cyc_log_text_set_search (CycLogText *self,
                         const char *words)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  if (!cyc_set_str (&self->words, words))
    return;
  self->hit = G_MAXUINT64;
  if (self->cache != NULL)
    _cyc_log_text_show_lines (self);
}

/**
 * cyc_log_text_reveal:
 * @self: a log's text
 * @hit: where the hit of a search begins, in bytes
 *
 * Scrolls to the line of a hit, with some lines above it, and marks it.
 */
void
cyc_log_text_reveal (CycLogText *self,
                     guint64     hit)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  self->hit = hit;
  cyc_log_text_set_follow (self, FALSE);
  gtk_adjustment_set_value (self->hadjustment, 0);
  _cyc_log_text_go (self, hit, -(gint64) (_cyc_log_text_get_n_fit (self) / 3), 0);
}

/**
 * cyc_log_text_get_first:
 * @self: a log's text
 *
 * Returns: where the first line shown begins, in bytes
 */
guint64
cyc_log_text_get_first (CycLogText *self)
{
  g_return_val_if_fail (CYC_IS_LOG_TEXT (self), 0);

  return self->lines->len > 0 ? ((CycLogLine *) g_ptr_array_index (self->lines, 0))->start : 0;
}

/**
 * cyc_log_text_get_line:
 * @self: a log's text
 * @out_line: (out): the number of the first line shown, counted from 1
 *
 * Returns: whether that is known
 */
gboolean
cyc_log_text_get_line (CycLogText *self,
                       guint64    *out_line)
{
  g_return_val_if_fail (CYC_IS_LOG_TEXT (self), FALSE);

  *out_line = self->first_number;
  return self->first_number > 0;
}

/**
 * cyc_log_text_get_selection:
 * @self: a log's text
 * @out_first: (out): where the first selected line begins
 * @out_last: (out): where the last begins, or a byte of it
 *
 * Returns: whether lines are selected
 */
gboolean
cyc_log_text_get_selection (CycLogText *self,
                            guint64    *out_first,
                            guint64    *out_last)
{
  g_return_val_if_fail (CYC_IS_LOG_TEXT (self), FALSE);

  *out_first = MIN (self->anchor, self->cursor);
  *out_last = MAX (self->anchor, self->cursor);
  return self->selecting;
}

/**
 * cyc_log_text_select_all:
 * @self: a log's text
 */
void
cyc_log_text_select_all (CycLogText *self)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  if (self->cache == NULL || cyc_log_cache_get_length (self->cache) == 0)
    return;
  self->selecting = TRUE;
  self->anchor = 0;
  self->cursor = cyc_log_cache_get_length (self->cache) - 1;
  _cyc_log_text_show_lines (self);
  g_signal_emit (self, signals[SELECT], 0);
}

/**
 * cyc_log_text_unselect:
 * @self: a log's text
 */
void
cyc_log_text_unselect (CycLogText *self)
{
  g_return_if_fail (CYC_IS_LOG_TEXT (self));

  if (!self->selecting)
    return;
  self->selecting = FALSE;
  _cyc_log_text_show_lines (self);
  g_signal_emit (self, signals[SELECT], 0);
}
