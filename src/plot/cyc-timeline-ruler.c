/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>

#include "core/base/cyc-format.h"
#include "plot/cyc-plot-text-private.h"
#include "plot/cyc-ticks.h"
#include "plot/cyc-timeline-marks-private.h"
#include "plot/cyc-timeline-scene-private.h"

/* The ruler: cycles or times in steps of 1, 2 and 5. */

#define TICK 0.35    /* in sizes of the text */
#define SPACE 2      /* between labels */
#define LEAST_WIDTH 4

typedef struct
{
  long double origin; /* what is shown at the left edge */
  double      unit;   /* of that in a pixel */
  gint64      step;
} Steps;

static char *
dup_label (CycTimelineScene *self,
           CycWideTime       value,
           gint64            step)
{
  CycTimeScale scale;

  if (self->units.cycles)
    {
      CycTimelineUnits cycles = { TRUE, TRUE, 0, 0 };
      return cyc_timeline_units_dup_duration (&cycles, value);
    }
  cyc_timeline_scene_get_scale (self, 1, &scale);
  CycWideTime length = (CycWideTime) (scale.unit * cyc_timeline_units_get_shown (&self->units));
  const CycTimeUnit *unit = cyc_time_unit_find (MAX (length, step));
  guint decimals = cyc_ticks_get_decimals ((double) step / (double) unit->ps);
  double shown = (double) ((long double) value / (long double) unit->ps);
  g_autofree char *number = cyc_format_grouped (shown, (int) decimals);
  return g_strdup_printf ("%s %s", number, unit->name);
}

static Steps
get_steps (CycTimelineScene *self,
           double            width,
           double            label_width)
{
  CycTimeScale scale;
  double factor = cyc_timeline_units_get_shown (&self->units);
  Steps steps;

  cyc_timeline_scene_get_scale (self, width, &scale);
  steps.origin = ((long double) self->from + (long double) self->fraction) * (long double) factor;
  /* Small files have times of their own; of others the base stands beside the ruler. */
  if (!self->units.cycles && !cyc_timeline_scene_is_relative (self))
    steps.origin += (long double) self->units.base_us * CYC_PS_PER_US;
  steps.unit = scale.unit * factor;
  double step = cyc_ticks_get_step (steps.unit * width, (guint) CLAMP (width / label_width, 1, 200));
  steps.step = (gint64) CLAMP (step, 1, 1e18);
  return steps;
}

/* Wide enough for the longest label. */
static double
get_label_width (CycTimelineScene *self,
                 PangoLayout      *layout,
                 double            width)
{
  double size = self->style->size, label_width = 6 * size;

  /* Labels are longer with smaller steps, of which there are more where labels are shorter. */
  for (guint i = 0; i < 2; i++)
    {
      Steps steps = get_steps (self, width, label_width + SPACE * size);
      double ends[2];
      for (guint k = 0; k < 2; k++)
        {
          long double at = steps.origin + k * (long double) steps.unit * (long double) width;
          g_autofree char *label = dup_label (self, (CycWideTime) (at / steps.step) * steps.step, steps.step);
          cyc_plot_text_measure (layout, label, &ends[k], NULL);
        }
      label_width = MAX (MAX (ends[0], ends[1]), LEAST_WIDTH * size);
    }
  return label_width + SPACE * size;
}

static GArray *
make_ticks (CycTimelineScene *self,
            double            width,
            double            label_width,
            gint64           *out_step)
{
  Steps steps = get_steps (self, width, label_width);
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (SceneTick));
  CycWideTime number = (CycWideTime) ceill (steps.origin / steps.step);

  *out_step = steps.step;
  for (;; number++)
    {
      SceneTick tick = { 0, number * steps.step };
      tick.x = (double) ((long double) tick.value - steps.origin) / steps.unit;
      if (tick.x >= width || ticks->len > 1000)
        return ticks;
      g_array_append_val (ticks, tick);
    }
}

/**
 * cyc_timeline_scene_is_relative:
 * @self: a scene
 *
 * Returns: whether times of the ruler count from the timeline's base, since those of the file are too long to be read
 */
gboolean
cyc_timeline_scene_is_relative (CycTimelineScene *self)
{
  return !self->units.cycles && ABS (self->units.base_us) >= 10000000;
}

GArray *
_cyc_timeline_scene_get_ticks (CycTimelineScene *self,
                               double            width)
{
  g_autoptr (PangoLayout) layout = cyc_plot_text_new (self->style, 0.85, PANGO_WEIGHT_NORMAL);
  gint64 step;

  return make_ticks (self, width, get_label_width (self, layout, width), &step);
}

/**
 * cyc_timeline_scene_get_ruler_height:
 * @self: a scene
 *
 * Returns: how high its ruler is
 */
double
cyc_timeline_scene_get_ruler_height (CycTimelineScene *self)
{
  return ceil (1.9 * self->style->size);
}

/**
 * cyc_timeline_scene_draw_ruler:
 * @self: a scene
 * @cr: where
 * @width: of the strips
 */
void
cyc_timeline_scene_draw_ruler (CycTimelineScene *self,
                               cairo_t          *cr,
                               double            width)
{
  const CycPlotStyle *style = self->style;
  g_autoptr (PangoLayout) layout = cyc_plot_text_new (style, 0.85, PANGO_WEIGHT_NORMAL);
  double height = cyc_timeline_scene_get_ruler_height (self), last = -INFINITY;
  gint64 step;
  g_autoptr (GArray) ticks = make_ticks (self, width, get_label_width (self, layout, width), &step);

  for (guint i = 0; i < ticks->len; i++)
    {
      const SceneTick *tick = &g_array_index (ticks, SceneTick, i);
      g_autofree char *label = dup_label (self, tick->value, step);
      double label_width;
      cyc_colour_set_source (&style->line, cr);
      cairo_rectangle (cr, floor (tick->x), height - TICK * style->size, 1, TICK * style->size);
      cairo_fill (cr);
      cyc_plot_text_measure (layout, label, &label_width, NULL);
      double x = CLAMP (tick->x - label_width / 2, 2, MAX (width - label_width - 2, 2));
      if (x < last + 4)
        continue;
      last = x + label_width;
      cyc_colour_set_source (&style->dim, cr);
      cyc_plot_text_show (layout, cr, x, 0.15 * style->size, 0);
    }
  cyc_colour_set_source (&style->line, cr);
  cairo_rectangle (cr, 0, height - 1, width, 1);
  cairo_fill (cr);
}
