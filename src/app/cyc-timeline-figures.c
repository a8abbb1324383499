/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-figures.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"

/* What is shown of a stored value: cycles or picoseconds. */
static CycWideTime
get_shown_time (const CycTimelineUnits *units,
                gint64                  time)
{
  CycWideTime shown = cyc_timeline_units_to_shown (units, time);

  return units->cycles ? shown : shown + (CycWideTime) units->base_us * CYC_PS_PER_US;
}

static double
get_number (const CycTimelineUnits *units,
            CycWideTime             shown)
{
  return units->cycles ? (double) shown : (double) shown / CYC_PS_PER_US;
}

/* Cycles are written like microseconds without decimals. */
static char *
dup_text (const CycTimelineUnits *units,
          CycWideTime             shown)
{
  char buf[CYC_WIDE_TIME_BUF];

  cyc_wide_time_format (units->cycles ? shown * CYC_PS_PER_US : shown, buf);
  return cyc_format_grouped_digits (buf);
}

/**
 * cyc_timeline_figures_number:
 * @units: how times are shown
 * @duration: of a timeline
 *
 * Returns: it in cycles or microseconds
 */
double
cyc_timeline_figures_number (const CycTimelineUnits *units,
                             CycWideTime             duration)
{
  return get_number (units, cyc_timeline_units_to_shown (units, duration));
}

/**
 * cyc_timeline_figures_dup_text:
 * @units: how times are shown
 * @duration: of a timeline
 *
 * Returns: (transfer full): it in cycles or microseconds, with all its digits
 */
char *
cyc_timeline_figures_dup_text (const CycTimelineUnits *units,
                               CycWideTime             duration)
{
  return dup_text (units, cyc_timeline_units_to_shown (units, duration));
}

/**
 * cyc_timeline_figures_average:
 * @units: how times are shown
 * @sum: of durations of a timeline
 * @n: how many, at least one
 *
 * Returns: their average in cycles or microseconds
 */
double
cyc_timeline_figures_average (const CycTimelineUnits *units,
                              CycWideTime             sum,
                              guint64                 n)
{
  long double shown = (long double) cyc_timeline_units_to_shown (units, sum);

  /* One rounding at the end. */
  return (double) (units->cycles ? shown / n : shown / n / CYC_PS_PER_US);
}

/**
 * cyc_timeline_figures_dup_average:
 * @units: how times are shown
 * @sum: of durations of a timeline
 * @n: how many, at least one
 *
 * Returns: (transfer full): their average in cycles or microseconds
 */
char *
cyc_timeline_figures_dup_average (const CycTimelineUnits *units,
                                  CycWideTime             sum,
                                  guint64                 n)
{
  return cyc_format_grouped (cyc_timeline_figures_average (units, sum, n), units->cycles ? 2 : 6);
}

/**
 * cyc_timeline_figures_time_number:
 * @units: how times are shown
 * @time: of a timeline
 *
 * Returns: it in cycles or microseconds
 */
double
cyc_timeline_figures_time_number (const CycTimelineUnits *units,
                                  gint64                  time)
{
  return get_number (units, get_shown_time (units, time));
}

/**
 * cyc_timeline_figures_dup_time:
 * @units: how times are shown
 * @time: of a timeline
 *
 * Returns: (transfer full): it in cycles or microseconds, with all its digits
 */
char *
cyc_timeline_figures_dup_time (const CycTimelineUnits *units,
                               gint64                  time)
{
  return dup_text (units, get_shown_time (units, time));
}

/**
 * cyc_timeline_figures_table_new:
 * @label: what the table holds
 * @columns: (array length=n_columns): its columns, whose titles are untranslated; `%s` in one stands for the unit
 * @n_columns: how many
 * @units: how times are shown
 * @user_data: for the functions of the columns
 *
 * Returns: (transfer floating): a table
 */
CycTableView *
cyc_timeline_figures_table_new (const char             *label,
                                const CycTableColumn   *columns,
                                guint                   n_columns,
                                const CycTimelineUnits *units,
                                gpointer                user_data)
{
  g_autoptr (GArray) titled = g_array_new (FALSE, FALSE, sizeof (CycTableColumn));
  g_autoptr (GPtrArray) titles = g_ptr_array_new_with_free_func (g_free);
  /* Translators: in the title of a column, as in "Sum (cycles)". */
  const char *unit = units->cycles ? _("cycles") : "µs";

  for (guint i = 0; i < n_columns; i++)
    {
      CycTableColumn column = columns[i];
      g_auto (GStrv) parts = g_strsplit (_(column.title), "%s", 2);
      g_ptr_array_add (titles, g_strjoinv (unit, parts));
      column.title = g_ptr_array_index (titles, i);
      column.tooltip = column.tooltip != NULL ? _(column.tooltip) : NULL;
      g_array_append_val (titled, column);
    }
  return CYC_TABLE_VIEW (cyc_table_view_new (label, (const CycTableColumn *) (gpointer) titled->data, titled->len,
                                             user_data));
}
