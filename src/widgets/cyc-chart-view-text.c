/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-chart-view-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/base/cyc-format.h"
#include "widgets/cyc-counter-words.h"

/* Characters of a name. */
#define MAX_NAME 300

static char *
dup_group (CycBarData *data,
           guint       i)
{
  const CycBarGroup *group = cyc_bar_data_get_group (data, i);
  gboolean named = group->name != NULL && group->name[0] != '\0';
  g_autofree char *name = named ? cyc_format_name (group->name, MAX_NAME) : g_strdup (_("Kernels"));

  switch (group->kind)
    {
    case CYC_BAR_GROUP_NAME:
      return g_strdup_printf (ngettext ("%s, %u launch", "%s, %u launches", group->n_launches), name,
                              group->n_launches);
    case CYC_BAR_GROUP_RANGE:
      return g_strdup_printf (ngettext ("%s, %u launch from #%u to #%u", "%s, %u launches from #%u to #%u",
                                        group->n_launches),
                              name, group->n_launches, group->first, group->last);
    case CYC_BAR_GROUP_OTHERS:
      return g_strdup_printf (ngettext ("%u other kernel, %u launches in all", "%u other kernels, %u launches in all",
                                        group->n_names),
                              group->n_names, group->n_launches);
    case CYC_BAR_GROUP_LAUNCH:
    default:
      return g_strdup_printf (_("%s, launch #%u"), name, group->first);
    }
}

/* An exact number with its unit. */
static char *
dup_number (CycBarTable *table,
            double       value)
{
  g_autofree char *number = cyc_format_grouped (value, -1);
  const char *unit = cyc_counter_words_get_unit (cyc_bar_table_get_unit (table));

  return unit[0] != '\0' ? g_strdup_printf ("%s %s", number, unit) : g_steal_pointer (&number);
}

/* Documents have reasons in English. */
static const char *
get_reason (const CycBar *bar)
{
  return bar->reason == NULL || bar->reason[0] == '\0' ? NULL : _(bar->reason);
}

static char *
dup_missing (const CycBar *bar)
{
  const char *reason = get_reason (bar);

  return reason != NULL ? g_strdup_printf (_("no value: %s"), reason) : g_strdup (_("no value"));
}

static void
append_series (GString    *out,
               CycBarData *data,
               guint       group,
               guint       series)
{
  CycBarTable *table = cyc_bar_data_get_table (data);
  guint baseline = cyc_bar_data_get_baseline (data);
  CycBar bar;

  cyc_bar_data_get_bar (data, group, series, &bar);
  g_string_append_printf (out, "\n%s: ", cyc_bar_table_get_series_label (table, series));
  g_autofree char *absolute = isfinite (bar.absolute) ? dup_number (table, bar.absolute) : dup_missing (&bar);
  g_string_append (out, absolute);
  if (!isfinite (bar.absolute))
    return;
  if (baseline != CYC_BAR_NO_BASELINE && isfinite (bar.value))
    {
      g_autofree char *ratio = cyc_format_grouped (bar.value, 4);
      g_string_append (out, "\n");
      g_string_append_printf (out, _("%s times %s"), ratio, cyc_bar_table_get_series_label (table, baseline));
    }
  else if (baseline != CYC_BAR_NO_BASELINE)
    g_string_append_printf (out, "\n%s", _("nothing to compare with"));
  if (bar.n_launches == 1)
    return;
  g_string_append (out, "\n");
  if (cyc_bar_data_get_statistic (data) == CYC_BAR_MEAN)
    g_string_append_printf (out, ngettext ("mean of %u of %u launch", "mean of %u of %u launches", bar.n_launches),
                            bar.n_present, bar.n_launches);
  else
    g_string_append_printf (out, ngettext ("sum of %u of %u launch", "sum of %u of %u launches", bar.n_launches),
                            bar.n_present, bar.n_launches);
  if (bar.n_present < bar.n_launches && get_reason (&bar) != NULL)
    g_string_append_printf (out, " (%s)", get_reason (&bar));
}

/**
 * cyc_chart_view_dup_bar_text:
 * @self: a chart
 * @mark: a bar, or with no series a group
 *
 * Returns: (transfer full) (nullable): all about it, in lines: the kernel, and for each series the exact
 *   value with its unit, the ratio if there is a baseline, and of how many launches; %NULL if there is no
 *   such bar
 */
char *
cyc_chart_view_dup_bar_text (CycChartView *self,
                             CycBarMark    mark)
{
  g_return_val_if_fail (CYC_IS_CHART_VIEW (self), NULL);

  if (self->data == NULL || mark.group < 0 || (guint) mark.group >= cyc_bar_data_get_n_groups (self->data))
    return NULL;
  guint group = (guint) mark.group, n_series = cyc_bar_table_get_n_series (cyc_bar_data_get_table (self->data));
  g_autofree char *name = dup_group (self->data, group);
  GString *out = g_string_new (name);
  for (guint i = 0; i < n_series; i++)
    if (mark.series < 0 || (guint) mark.series == i)
      append_series (out, self->data, group, i);
  return g_string_free (out, FALSE);
}

/* What the whole chart is, for those who do not see it. */
char *
_cyc_chart_view_dup_label (CycChartView *self)
{
  if (self->data == NULL)
    return g_strdup (_("Empty chart"));

  CycBarTable *table = cyc_bar_data_get_table (self->data);
  guint n = cyc_bar_data_get_n_groups (self->data), n_series = cyc_bar_table_get_n_series (table);
  g_autofree char *groups = g_strdup_printf (ngettext ("%u group", "%u groups", n), n);
  g_autofree char *series = g_strdup_printf (ngettext ("%u series", "%u series", n_series), n_series);
  /* Translators: what the values are, number of groups of bars, number of series. */
  return g_strdup_printf (_("Bar chart of %s: %s, %s"), self->value_title, groups, series);
}

/**
 * cyc_chart_view_dup_path:
 * @self: a chart
 *
 * Returns: (transfer full) (nullable): what was drilled into, from the whole on; %NULL if it is shown
 */
char *
cyc_chart_view_dup_path (CycChartView *self)
{
  g_return_val_if_fail (CYC_IS_CHART_VIEW (self), NULL);

  guint depth = self->data != NULL ? cyc_bar_data_get_depth (self->data) : 0;
  if (depth == 0)
    return NULL;
  GString *out = g_string_new (NULL);
  for (guint i = 1; i <= depth; i++)
    {
      g_autofree char *label = cyc_bar_data_dup_step_label (self->data, i);
      g_string_append_printf (out, "%s%s", i > 1 ? " › " : "", label);
    }
  return g_string_free (out, FALSE);
}

static char *
dup_value_title (CycChartView *self)
{
  CycBarTable *table = cyc_bar_data_get_table (self->data);
  const char *counter = self->value_name != NULL ? self->value_name : cyc_bar_table_get_counter (table);
  guint baseline = cyc_bar_data_get_baseline (self->data), n = cyc_bar_data_get_n_groups (self->data);
  gboolean several = FALSE;

  /* The sum or mean of one is that one. */
  for (guint i = 0; i < n && !several; i++)
    several = cyc_bar_data_get_group (self->data, i)->n_launches > 1;
  if (baseline != CYC_BAR_NO_BASELINE)
    return g_strdup_printf (_("%s relative to %s"), counter, cyc_bar_table_get_series_label (table, baseline));
  if (!several)
    return g_strdup (counter);
  return cyc_bar_data_get_statistic (self->data) == CYC_BAR_MEAN ? g_strdup_printf (_("%s, mean"), counter)
                                                                 : g_strdup_printf (_("%s, sum"), counter);
}

static char *
dup_group_title (CycChartView *self)
{
  g_autofree char *path = cyc_chart_view_dup_path (self);
  guint n = cyc_bar_data_get_n_groups (self->data);

  if (path != NULL)
    return g_steal_pointer (&path);
  if (n > 0 && cyc_bar_data_get_group (self->data, 0)->kind == CYC_BAR_GROUP_NAME)
    return g_strdup (_("Kernels by name, × launches"));
  return g_strdup (_("Kernels in the order of launch"));
}

void
_cyc_chart_view_update_titles (CycChartView *self)
{
  g_clear_pointer (&self->value_title, g_free);
  g_clear_pointer (&self->group_title, g_free);
  if (self->data == NULL)
    return;
  self->value_title = dup_value_title (self);
  self->group_title = dup_group_title (self);
}

/* Tells those who do not see it what the keyboard is at. */
void
_cyc_chart_view_focus_changed (CycChartView *self)
{
  g_autofree char *label = _cyc_chart_view_dup_label (self);
  g_autofree char *text = cyc_chart_view_dup_bar_text (self, self->focus);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text != NULL ? text : "", -1);
  _cyc_chart_view_menu_update (self);
}
