/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-stats-pane.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-page-tables.h"
#include "app/cyc-timeline-figures.h"
#include "app/cyc-timeline-stat-item.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "core/timeline/cyc-timeline-column.h"
#include "widgets/cyc-empty-state.h"

#define WAIT_MS 40 /* a range that is drawn is another one at every motion */
#define N_FIXED 2  /* groupings that every timeline has */

/* Figures of what is selected, or of everything: by name, by track, or by an argument. A new selection cancels the
 * query of the one before. */
struct _CycTimelineStatsPane
{
  GtkWidget         parent_instance;

  CycPage          *page;       /* weak: holds this */
  CycViewState     *state;
  GCancellable     *cancellable;
  guint             wait;       /* source: asks when the selection has settled */
  gboolean          stale;
  char            **arguments;  /* by which spans can be grouped; NULL: not known yet */
  CycTimelineUnits  units;
  CycTimelineGrouping grouping; /* of what is shown */
  GtkWidget        *box;
  GtkDropDown      *group_by;
  GtkWidget        *selection;
  GtkWidget        *spinner;
  GtkWidget        *slot;       /* of the table */
  CycTableView     *table;
};

enum
{
  HIGHLIGHT,
  GO_TRACK,
  FIND,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycTimelineStatsPane, cyc_timeline_stats_pane, GTK_TYPE_WIDGET)

/* The columns */

static const CycTimelineStat *
get_stat (gpointer item)
{
  return cyc_timeline_stat_item_get (item);
}

static char *
name_text (gpointer item,
           gpointer user_data)
{
  const char *label = get_stat (item)->label;

  return label != NULL ? cyc_format_printable (label) : g_strdup (_("(without it)"));
}

static double
count_number (gpointer item,
              gpointer user_data)
{
  return (double) get_stat (item)->count;
}

static char *
count_text (gpointer item,
            gpointer user_data)
{
  return cyc_format_grouped ((double) get_stat (item)->count, 0);
}

#define TIME_COLUMN(FIELD) \
  static double \
  FIELD##_number (gpointer item, \
                  gpointer user_data) \
  { \
    return cyc_timeline_figures_number (&CYC_TIMELINE_STATS_PANE (user_data)->units, get_stat (item)->FIELD); \
  } \
 \
  static char * \
  FIELD##_text (gpointer item, \
                gpointer user_data) \
  { \
    return cyc_timeline_figures_dup_text (&CYC_TIMELINE_STATS_PANE (user_data)->units, get_stat (item)->FIELD); \
  }

TIME_COLUMN (sum)
TIME_COLUMN (min)
TIME_COLUMN (max)
TIME_COLUMN (median)
TIME_COLUMN (self)

static double
average_number (gpointer item,
                gpointer user_data)
{
  const CycTimelineStat *stat = get_stat (item);

  return cyc_timeline_figures_average (&CYC_TIMELINE_STATS_PANE (user_data)->units, stat->sum, MAX (stat->count, 1));
}

static char *
average_text (gpointer item,
              gpointer user_data)
{
  const CycTimelineStat *stat = get_stat (item);

  return cyc_timeline_figures_dup_average (&CYC_TIMELINE_STATS_PANE (user_data)->units, stat->sum,
                                           MAX (stat->count, 1));
}

static const CycTableColumn columns[] = {
  { .id = "name", .title = N_("Name"), .width = 16, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = name_text },
  { .id = "count", .title = N_("Count"), .width = 6, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = count_text,
    .get_number = count_number },
  { .id = "sum", .title = N_("Sum (%s)"), .width = 11, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = sum_text,
    .get_number = sum_number },
  { .id = "min", .title = N_("Min (%s)"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = min_text,
    .get_number = min_number },
  { .id = "average", .title = N_("Average (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = average_text, .get_number = average_number },
  { .id = "median", .title = N_("Median (%s)"), .width = 0, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = median_text, .get_number = median_number,
    .tooltip = N_("The duration in the middle; of two, the lower one") },
  { .id = "max", .title = N_("Max (%s)"), .width = 9, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = max_text,
    .get_number = max_number },
  { .id = "self", .title = N_("Self (%s)"), .width = 11, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = self_text,
    .get_number = self_number, .tooltip = N_("Without what spans inside of them, on the same track, cover") },
};

/* The query */

typedef struct
{
  CycTimeline        *timeline;
  CycTimelineArea     area;
  gboolean           *tracks;    /* a copy, for area */
  CycTimelineGrouping grouping;
  char               *argument;
  gboolean            wants_arguments;
} Request;

typedef struct
{
  CycTimelineTable  *table;
  GPtrArray         *items;
  char             **arguments; /* NULL if they were not asked for */
} Answer;

static void
request_free (gpointer data)
{
  Request *self = data;

  cyc_timeline_unref (self->timeline);
  g_free (self->tracks);
  g_free (self->argument);
  g_free (self);
}

static void
answer_free (gpointer data)
{
  Answer *self = data;

  g_clear_pointer (&self->table, cyc_timeline_table_unref);
  g_clear_pointer (&self->items, g_ptr_array_unref);
  g_strfreev (self->arguments);
  g_free (self);
}

static void
query_worker (GTask        *task,
              gpointer      source,
              gpointer      data,
              GCancellable *cancellable)
{
  Request *request = data;
  Answer *answer = g_new0 (Answer, 1);
  g_autoptr (GError) error = NULL;

  if (request->wants_arguments)
    answer->arguments = cyc_timeline_list_arguments (request->timeline);
  answer->table = cyc_timeline_query (request->timeline, &request->area, request->grouping, request->argument, 0,
                                      cancellable, &error);
  if (answer->table == NULL)
    {
      answer_free (answer);
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  answer->items = cyc_timeline_stat_item_list (answer->table);
  g_task_return_pointer (task, answer, answer_free);
}

static void
set_arguments (CycTimelineStatsPane  *self,
               char                 **arguments)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  guint selected = gtk_drop_down_get_selected (self->group_by);

  g_strfreev (self->arguments);
  self->arguments = arguments;
  gtk_string_list_append (names, _("Name"));
  gtk_string_list_append (names, _("Track"));
  for (guint i = 0; arguments[i] != NULL; i++)
    {
      g_autofree char *name = cyc_format_printable (arguments[i]);
      gtk_string_list_append (names, name);
    }
  gtk_drop_down_set_model (self->group_by, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->group_by, selected);
}

static void
set_busy (CycTimelineStatsPane *self,
          gboolean              busy)
{
  gtk_spinner_set_spinning (GTK_SPINNER (self->spinner), busy);
  gtk_widget_set_visible (self->spinner, busy);
}

static void
answered_cb (GObject      *source,
             GAsyncResult *result,
             gpointer      user_data)
{
  g_autoptr (CycTimelineStatsPane) self = g_object_ref (CYC_TIMELINE_STATS_PANE (source));
  Request *request = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  Answer *answer = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->box == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      g_clear_pointer (&answer, answer_free);
      return;
    }
  set_busy (self, FALSE);
  if (answer == NULL)
    {
      if (self->page != NULL)
        cyc_page_tell_error (self->page, _("The figures were not computed"), error);
      return;
    }
  if (answer->arguments != NULL && self->arguments == NULL)
    set_arguments (self, g_steal_pointer (&answer->arguments));
  self->grouping = request->grouping;
  g_autoptr (GListStore) store = g_list_store_new (CYC_TYPE_TIMELINE_STAT_ITEM);
  g_list_store_splice (store, 0, 0, answer->items->pdata, answer->items->len);
  cyc_table_view_set_model (self->table, G_LIST_MODEL (store));
  answer_free (answer);
}

static void
show_selection (CycTimelineStatsPane *self,
                gboolean              selected)
{
  gint64 from, to;
  guint n = cyc_view_state_get_n_checked (self->state);
  g_autoptr (GString) text = g_string_new (NULL);

  if (cyc_view_state_get_selected_range (self->state, &from, &to))
    {
      g_autofree char *begin = cyc_timeline_units_dup_time (&self->units, from);
      g_autofree char *end = cyc_timeline_units_dup_time (&self->units, to);
      g_autofree char *length = cyc_timeline_units_dup_duration (&self->units, to - from);
      g_autofree char *range = g_strdup_printf (_("From %s to %s, which is %s"), begin, end, length);
      g_string_append (text, range);
    }
  if (n > 0)
    {
      g_autofree char *tracks = g_strdup_printf (ngettext ("%u track", "%u tracks", n), n);
      g_string_append_printf (text, "%s%s", text->len > 0 ? " · " : "", tracks);
    }
  gtk_label_set_text (GTK_LABEL (self->selection), selected ? text->str : _("The whole timeline"));
}

static void
ask (CycTimelineStatsPane *self)
{
  guint n, chosen = gtk_drop_down_get_selected (self->group_by);
  Request *request = g_new0 (Request, 1);

  self->stale = FALSE;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  request->timeline = cyc_timeline_ref (cyc_view_state_get_timeline (self->state));
  show_selection (self, cyc_view_state_get_area (self->state, &request->area));
  cyc_timeline_get_tracks (request->timeline, &n);
  if (request->area.tracks != NULL)
    request->tracks = g_memdup2 (request->area.tracks, n * sizeof (gboolean));
  request->area.tracks = request->tracks;
  request->grouping = chosen == 1 ? CYC_TIMELINE_BY_TRACK : CYC_TIMELINE_BY_NAME;
  if (chosen >= N_FIXED && chosen != GTK_INVALID_LIST_POSITION && self->arguments != NULL)
    {
      request->grouping = CYC_TIMELINE_BY_ARGUMENT;
      request->argument = g_strdup (self->arguments[chosen - N_FIXED]);
    }
  request->wants_arguments = self->arguments == NULL;
  set_busy (self, TRUE);
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, answered_cb, NULL);
  g_task_set_source_tag (task, ask);
  g_task_set_task_data (task, request, request_free);
  cyc_task_run_in_thread (task, query_worker);
}

static gboolean
wait_cb (gpointer user_data)
{
  CycTimelineStatsPane *self = user_data;

  self->wait = 0;
  ask (self);
  return G_SOURCE_REMOVE;
}

/* What nobody sees is not computed before somebody does. */
static void
refresh (CycTimelineStatsPane *self)
{
  self->stale = TRUE;
  if (self->state == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (self->wait == 0)
    self->wait = g_timeout_add (WAIT_MS, wait_cb, self);
}

static void
cyc_timeline_stats_pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cyc_timeline_stats_pane_parent_class)->map (widget);
  if (CYC_TIMELINE_STATS_PANE (widget)->stale)
    refresh (CYC_TIMELINE_STATS_PANE (widget));
}

/* The table */

static void
selection_cb (CycTimelineStatsPane *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->table);
  guint32 name = CYC_TIMELINE_NONE;

  if (selected->len == 1 && self->grouping == CYC_TIMELINE_BY_NAME)
    name = get_stat (g_ptr_array_index (selected, 0))->group;
  g_signal_emit (self, signals[HIGHLIGHT], 0, name);
}

static void
activate_cb (CycTableView *table,
             gpointer      item,
             gpointer      user_data)
{
  CycTimelineStatsPane *self = user_data;
  const CycTimelineStat *stat = get_stat (item);

  if (self->grouping == CYC_TIMELINE_BY_TRACK)
    g_signal_emit (self, signals[GO_TRACK], 0, stat->group);
  else if (stat->label != NULL)
    g_signal_emit (self, signals[FIND], 0, stat->label);
}

/* The titles say the unit. */
static void
create_table (CycTimelineStatsPane *self)
{
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);
  g_autoptr (GListModel) model = NULL;

  if (self->table != NULL)
    {
      g_set_object (&model, cyc_table_view_get_model (self->table));
      gtk_box_remove (GTK_BOX (self->slot), GTK_WIDGET (self->table));
    }
  self->table = cyc_timeline_figures_table_new (_("Figures of the selection"), columns, G_N_ELEMENTS (columns),
                                                &self->units, self);
  cyc_table_view_set_id_func (self->table, name_text);
  GtkWidget *empty = cyc_empty_state_new (NULL, _("No Spans"), _("Nothing lies in the selection."));
  cyc_table_view_set_empty (self->table, empty);
  cyc_table_view_set_menu (self->table, G_MENU_MODEL (menu));
  if (self->page != NULL)
    cyc_page_remember_table (self->page, self->table, "timeline-figures");
  g_signal_connect_object (self->table, "selection-changed", G_CALLBACK (selection_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (activate_cb), self, 0);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (self->slot), GTK_WIDGET (self->table));
  if (model != NULL)
    cyc_table_view_set_model (self->table, model);
}

static void
style_cb (CycTimelineStatsPane *self)
{
  CycTimelineUnits units;
  CycTimelineArea area;

  cyc_timeline_units_init (&units, cyc_view_state_get_timeline (self->state), cyc_view_state_get_unit (self->state));
  if (units.cycles == self->units.cycles)
    return;
  self->units = units;
  create_table (self);
  show_selection (self, cyc_view_state_get_area (self->state, &area));
}

static void
cyc_timeline_stats_pane_dispose (GObject *object)
{
  CycTimelineStatsPane *self = CYC_TIMELINE_STATS_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->wait, g_source_remove);
  g_clear_weak_pointer (&self->page);
  g_clear_object (&self->state);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_timeline_stats_pane_parent_class)->dispose (object);
}

static void
cyc_timeline_stats_pane_finalize (GObject *object)
{
  g_strfreev (CYC_TIMELINE_STATS_PANE (object)->arguments);
  G_OBJECT_CLASS (cyc_timeline_stats_pane_parent_class)->finalize (object);
}

static void
cyc_timeline_stats_pane_class_init (CycTimelineStatsPaneClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_stats_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_stats_pane_finalize;
  GTK_WIDGET_CLASS (klass)->map = cyc_timeline_stats_pane_map;
  signals[HIGHLIGHT] = g_signal_new ("highlight", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                     G_TYPE_UINT);
  signals[GO_TRACK] = g_signal_new ("go-track", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                    G_TYPE_UINT);
  signals[FIND] = g_signal_new ("find", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
create_bar (CycTimelineStatsPane *self)
{
  const char *const names[] = { _("Name"), _("Track"), NULL };
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new_with_mnemonic (_("_Group by"));
  GtkWidget *export = gtk_button_new_with_mnemonic (_("_Save Table…"));

  self->group_by = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (names));
  gtk_label_set_mnemonic_widget (GTK_LABEL (label), GTK_WIDGET (self->group_by));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->group_by), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Group by"), -1);
  g_signal_connect_object (self->group_by, "notify::selected", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  self->selection = gtk_label_new (NULL);
  gtk_label_set_ellipsize (GTK_LABEL (self->selection), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->selection), 0);
  gtk_widget_set_hexpand (self->selection, TRUE);
  gtk_widget_add_css_class (self->selection, "numeric");
  self->spinner = gtk_spinner_new ();
  gtk_widget_set_visible (self->spinner, FALSE);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (export), "page.save-table('')");
  gtk_widget_add_css_class (bar, "pane-heading");
  gtk_box_append (GTK_BOX (bar), label);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->group_by));
  gtk_box_append (GTK_BOX (bar), self->selection);
  gtk_box_append (GTK_BOX (bar), self->spinner);
  gtk_box_append (GTK_BOX (bar), export);
  gtk_box_append (GTK_BOX (self->box), bar);
}

static void
cyc_timeline_stats_pane_init (CycTimelineStatsPane *self)
{
  self->stale = TRUE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->slot = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  create_bar (self);
  gtk_box_append (GTK_BOX (self->box), self->slot);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * cyc_timeline_stats_pane_new:
 * @page: the page that it is for
 *
 * Returns: (transfer floating): a pane without figures
 */
GtkWidget *
cyc_timeline_stats_pane_new (CycPage *page)
{
  CycTimelineStatsPane *self = g_object_new (CYC_TYPE_TIMELINE_STATS_PANE, NULL);

  g_set_weak_pointer (&self->page, page);
  create_table (self);
  return GTK_WIDGET (self);
}

/**
 * cyc_timeline_stats_pane_set_state:
 * @self: a pane
 * @state: what is looked at, and what of it is selected
 */
void
cyc_timeline_stats_pane_set_state (CycTimelineStatsPane *self,
                                   CycViewState         *state)
{
  g_return_if_fail (CYC_IS_TIMELINE_STATS_PANE (self));
  g_return_if_fail (CYC_IS_VIEW_STATE (state));

  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_handle_id (&self->wait, g_source_remove);
  set_busy (self, FALSE);
  g_set_object (&self->state, state);
  g_clear_pointer (&self->arguments, g_strfreev);
  cyc_timeline_units_init (&self->units, cyc_view_state_get_timeline (state), cyc_view_state_get_unit (state));
  /* Its rows are of the state before. */
  cyc_table_view_set_model (self->table, NULL);
  create_table (self);
  g_signal_connect_object (state, "selection-changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (state, "style-changed", G_CALLBACK (style_cb), self, G_CONNECT_SWAPPED);
  refresh (self);
}

/**
 * cyc_timeline_stats_pane_get_table:
 * @self: a pane
 *
 * Returns: (transfer none): its table
 */
CycTableView *
cyc_timeline_stats_pane_get_table (CycTimelineStatsPane *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_STATS_PANE (self), NULL);

  return self->table;
}

/**
 * cyc_timeline_stats_pane_group_by:
 * @self: a pane whose arguments are known
 * @grouping: `name`, `track`, or an argument
 *
 * Groups by it, if it can.
 */
void
cyc_timeline_stats_pane_group_by (CycTimelineStatsPane *self,
                                  const char           *grouping)
{
  g_return_if_fail (CYC_IS_TIMELINE_STATS_PANE (self) && grouping != NULL);

  if (strcmp (grouping, "name") == 0)
    gtk_drop_down_set_selected (self->group_by, 0);
  else if (strcmp (grouping, "track") == 0)
    gtk_drop_down_set_selected (self->group_by, 1);
  for (guint i = 0; self->arguments != NULL && self->arguments[i] != NULL; i++)
    if (strcmp (self->arguments[i], grouping) == 0)
      gtk_drop_down_set_selected (self->group_by, i + N_FIXED);
}
