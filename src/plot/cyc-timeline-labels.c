/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-timeline-labels-private.h"

/* Names of spans, drawn once and kept: a text costs a hundred times what its pixels cost. */

/* Labels that are too wide share those whose width is the same multiple of this, pixels of the device. */
#define STEP 8
#define WHOLE G_MAXUINT16
/* So many new ones a frame; the rest comes with the next. */
#define MOST_NEW 60
#define MOST_KEPT 4000
/* The texts of names can be thousands of characters. */
#define MOST_CHARS 200

struct _CycTimelineLabels
{
  CycTimeline *timeline;
  PangoLayout *layout;
  int          scale;
  GHashTable  *kept;   /* text and step → CycTimelineLabel */
  GHashTable  *letters; /* character → CycTimelineLabel */
  GHashTable  *widths; /* text → whole width, pixels of the device, + 1 */
  guint        n_new;
};

static guint
hash_key (gconstpointer key)
{
  return g_int64_hash (key);
}

/*< private >
 * _cyc_timeline_labels_new:
 * @timeline: a timeline
 * @style: font, size and scale of the device
 *
 * Returns: (transfer full): labels for its names
 */
CycTimelineLabels *
_cyc_timeline_labels_new (CycTimeline        *timeline,
                          const CycPlotStyle *style)
{
  CycTimelineLabels *self = g_new0 (CycTimelineLabels, 1);

  self->timeline = cyc_timeline_ref (timeline);
  self->layout = cyc_plot_text_new (style, 0.9, PANGO_WEIGHT_NORMAL);
  self->scale = style->device_scale;
  self->kept = g_hash_table_new_full (hash_key, g_int64_equal, g_free, g_free);
  self->letters = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->widths = g_hash_table_new (NULL, NULL);
  return self;
}

/*< private >
 * _cyc_timeline_labels_free:
 * @self: (transfer full): labels
 */
void
_cyc_timeline_labels_free (CycTimelineLabels *self)
{
  cyc_timeline_unref (self->timeline);
  g_object_unref (self->layout);
  g_hash_table_unref (self->kept);
  g_hash_table_unref (self->letters);
  g_hash_table_unref (self->widths);
  g_free (self);
}

/*< private >
 * _cyc_timeline_labels_begin:
 * @self: labels
 *
 * A frame begins.
 */
void
_cyc_timeline_labels_begin (CycTimelineLabels *self)
{
  self->n_new = 0;
  if (g_hash_table_size (self->kept) > MOST_KEPT)
    g_hash_table_remove_all (self->kept);
}

/*< private >
 * _cyc_timeline_labels_is_late:
 * @self: labels
 *
 * Returns: whether labels of this frame were left to the next one
 */
gboolean
_cyc_timeline_labels_is_late (CycTimelineLabels *self)
{
  return self->n_new > MOST_NEW;
}

static char *
dup_short (const char *text)
{
  g_autofree char *printable = cyc_format_printable (text);

  if (strlen (printable) <= MOST_CHARS || g_utf8_strlen (printable, -1) <= MOST_CHARS)
    return g_steal_pointer (&printable);
  return g_utf8_substring (printable, 0, MOST_CHARS);
}

/* A text as opacities, for g_free(); what is wider loses its end. */
static CycTimelineLabel *
make_label (CycTimelineLabels *self,
            const char        *text,
            int                max_width)
{
  int width, height;

  cyc_plot_text_set (self->layout, text, (double) max_width / self->scale);
  /* The beginnings of names tell more than their ends. */
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);
  pango_layout_get_size (self->layout, &width, &height);
  width = MIN ((int) ceil ((double) width / PANGO_SCALE * self->scale) + 1, max_width);
  height = (int) ceil ((double) height / PANGO_SCALE * self->scale);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_A8, MAX (width, 1), MAX (height, 1));
  cairo_surface_set_device_scale (surface, self->scale, self->scale);
  cairo_t *cr = cairo_create (surface);
  cairo_set_source_rgba (cr, 0, 0, 0, 1);
  cyc_plot_text_show (self->layout, cr, 0, 0, 0);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  int stride = cairo_image_surface_get_stride (surface);
  gsize size = (gsize) stride * (gsize) MAX (height, 1);
  CycTimelineLabel *label = g_malloc (sizeof *label + size);
  *label = (CycTimelineLabel) { MAX (width, 1), MAX (height, 1), stride };
  memcpy (label->data, cairo_image_surface_get_data (surface), size);
  cairo_surface_destroy (surface);
  return label;
}

static int
get_width (CycTimelineLabels *self,
           guint32            text,
           const char        *string)
{
  gpointer known = g_hash_table_lookup (self->widths, GUINT_TO_POINTER (text + 1));
  double width;

  if (known != NULL)
    return GPOINTER_TO_INT (known) - 1;
  cyc_plot_text_measure (self->layout, string, &width, NULL);
  int pixels = (int) ceil (width * self->scale) + 1;
  g_hash_table_insert (self->widths, GUINT_TO_POINTER (text + 1), GINT_TO_POINTER (pixels + 1));
  return pixels;
}

/*< private >
 * _cyc_timeline_labels_get:
 * @self: labels
 * @text: of the timeline
 * @max_width: pixels of the device
 *
 * Returns: (transfer none) (nullable): it, until the next frame; %NULL if it is left to that
 */
const CycTimelineLabel *
_cyc_timeline_labels_get (CycTimelineLabels *self,
                          guint32            text,
                          int                max_width)
{
  gpointer known = g_hash_table_lookup (self->widths, GUINT_TO_POINTER (text + 1));
  gboolean whole = known != NULL && GPOINTER_TO_INT (known) - 1 <= max_width;
  guint64 key = (guint64) text << 16 | (whole ? WHOLE : (guint) MIN (max_width / STEP, WHOLE - 1));
  CycTimelineLabel *label = known != NULL ? g_hash_table_lookup (self->kept, &key) : NULL;

  if (label != NULL)
    return label;
  if (++self->n_new > MOST_NEW)
    return NULL;
  g_autofree char *string = dup_short (cyc_timeline_get_text (self->timeline, text));
  int width = get_width (self, text, string);
  whole = width <= max_width;
  key = (guint64) text << 16 | (whole ? WHOLE : (guint) MIN (max_width / STEP, WHOLE - 1));
  label = g_hash_table_lookup (self->kept, &key);
  if (label == NULL)
    {
      label = make_label (self, string, whole ? width : MAX (max_width / STEP * STEP, STEP));
      g_hash_table_insert (self->kept, g_memdup2 (&key, sizeof key), label);
    }
  return label;
}

/*< private >
 * _cyc_timeline_labels_get_letter:
 * @self: labels
 * @letter: a text
 *
 * Returns: (transfer none): its first character, for numbers that are never the same: a pixel narrower than that lies
 *   the next one
 */
const CycTimelineLabel *
_cyc_timeline_labels_get_letter (CycTimelineLabels *self,
                                 const char        *letter)
{
  gpointer key = GUINT_TO_POINTER (g_utf8_get_char (letter));
  CycTimelineLabel *label = g_hash_table_lookup (self->letters, key);

  if (label == NULL)
    {
      g_autofree char *text = g_utf8_substring (letter, 0, 1);
      label = make_label (self, text, G_MAXINT16);
      g_hash_table_insert (self->letters, key, label);
    }
  return label;
}
