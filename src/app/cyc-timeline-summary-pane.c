/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-summary-pane.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-array-item.h"
#include "app/cyc-page-tables.h"
#include "app/cyc-timeline-figures.h"
#include "app/cyc-timeline-heat.h"
#include "app/cyc-timeline-summary-columns.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-task.h"
#include "widgets/cyc-empty-state.h"

#define N_WAITS 1000
#define N_BINS 480

/* What a cycle trace says to who wrote the kernel: cores, stages, owners, the longest waits, the load over time. */
struct _CycTimelineSummaryPane
{
  GtkWidget                parent_instance;

  CycPage                 *page;        /* weak: holds this */
  CycViewState            *state;
  GCancellable            *cancellable;
  gboolean                 stale;
  CycTimelineSummaryTexts  texts;       /* of what is shown */
  GtkWidget               *box;
  GtkWidget               *ends;        /* first and last in and out */
  GtkStack                *stack;       /* of the parts */
  GtkStack                *outer;       /* wait, nothing, parts */
  GtkWidget               *slots[CYC_SUMMARY_N_TABLES];
  CycTableView            *tables[CYC_SUMMARY_N_TABLES];
  CycTimelineHeat         *heat;
};

enum
{
  GO,
  GO_TRACK,
  GO_RANGE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const struct
{
  const char *name;
  const char *title;
  const char *key;   /* for the settings */
} parts[CYC_SUMMARY_N_TABLES] = {
  [CYC_SUMMARY_CORES] = { "cores", N_("Cores"), "timeline-cores" },
  [CYC_SUMMARY_STAGES] = { "stages", N_("Stages"), "timeline-stages" },
  [CYC_SUMMARY_OWNERS] = { "owners", N_("Owners"), "timeline-owners" },
  [CYC_SUMMARY_WAITS] = { "waits", N_("Longest Waits"), "timeline-waits" },
};

G_DEFINE_FINAL_TYPE (CycTimelineSummaryPane, cyc_timeline_summary_pane, GTK_TYPE_WIDGET)

/* Going to what a row is about */

static CycSummaryTable
find_table (CycTimelineSummaryPane *self,
            CycTableView           *view)
{
  CycSummaryTable table = CYC_SUMMARY_CORES;

  while (table < CYC_SUMMARY_WAITS && self->tables[table] != view)
    table++;
  return table;
}

static void
go_to (CycTimelineSummaryPane *self,
       guint32                 span)
{
  if (span != CYC_TIMELINE_NONE)
    g_signal_emit (self, signals[GO], 0, span);
}

static void
show_row (CycTimelineSummaryPane *self,
          CycSummaryTable         table,
          gconstpointer           record)
{
  switch (table)
    {
    case CYC_SUMMARY_CORES:
      g_signal_emit (self, signals[GO_TRACK], 0, ((const CycSummaryCore *) record)->track);
      break;
    case CYC_SUMMARY_STAGES:
      go_to (self, ((const CycSummaryStage *) record)->longest_span);
      break;
    case CYC_SUMMARY_OWNERS:
      go_to (self, ((const CycSummaryOwner *) record)->last_span);
      break;
    case CYC_SUMMARY_WAITS:
    default:
      go_to (self, ((const CycSummaryWait *) record)->span);
      break;
    }
}

static void
selection_cb (CycTableView           *view,
              CycTimelineSummaryPane *self)
{
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (view);

  if (selected->len == 1)
    show_row (self, find_table (self, view), cyc_array_item_get_record (g_ptr_array_index (selected, 0)));
}

/* A wait was shown by its selection: what ended it comes then. */
static void
activate_cb (CycTableView           *view,
             gpointer                item,
             CycTimelineSummaryPane *self)
{
  CycSummaryTable table = find_table (self, view);
  gconstpointer record = cyc_array_item_get_record (item);

  if (table == CYC_SUMMARY_WAITS)
    go_to (self, ((const CycSummaryWait *) record)->ended_by);
  else if (table == CYC_SUMMARY_OWNERS)
    go_to (self, ((const CycSummaryOwner *) record)->longest_span);
  else
    show_row (self, table, record);
}

static void
go_ender_action (GtkWidget  *widget,
                 const char *name,
                 GVariant   *parameter)
{
  CycTimelineSummaryPane *self = CYC_TIMELINE_SUMMARY_PANE (widget);
  g_autoptr (GPtrArray) selected = cyc_table_view_dup_selected (self->tables[CYC_SUMMARY_WAITS]);

  if (selected->len == 1)
    activate_cb (self->tables[CYC_SUMMARY_WAITS], g_ptr_array_index (selected, 0), self);
}

static void
heat_cb (CycTimelineHeat        *heat,
         guint                   core,
         gint64                  from,
         gint64                  to,
         CycTimelineSummaryPane *self)
{
  guint32 track = g_array_index (self->texts.summary->cores, CycSummaryCore, core).track;

  g_signal_emit (self, signals[GO_RANGE], 0, track, from, to);
}

/* What is shown */

static void
create_table (CycTimelineSummaryPane *self,
              CycSummaryTable         table)
{
  guint n;
  const CycTableColumn *columns = cyc_timeline_summary_columns_get (table, &n);
  g_autoptr (GMenu) menu = table == CYC_SUMMARY_WAITS
                             ? cyc_page_create_menu (_("Go to What _Ended It"), "summary.go-ender", NULL)
                             : cyc_page_create_menu (NULL, NULL, NULL);

  if (self->tables[table] != NULL)
    gtk_box_remove (GTK_BOX (self->slots[table]), GTK_WIDGET (self->tables[table]));
  CycTableView *view = cyc_timeline_figures_table_new (_(parts[table].title), columns, n, &self->texts.units,
                                                       &self->texts);
  self->tables[table] = view;
  cyc_table_view_set_empty (view, cyc_empty_state_new (NULL, _("None"), NULL));
  cyc_table_view_set_menu (view, G_MENU_MODEL (menu));
  if (self->page != NULL)
    cyc_page_remember_table (self->page, view, parts[table].key);
  g_signal_connect_object (view, "selection-changed", G_CALLBACK (selection_cb), self, 0);
  g_signal_connect_object (view, "activate", G_CALLBACK (activate_cb), self, 0);
  gtk_widget_set_vexpand (GTK_WIDGET (view), TRUE);
  gtk_box_append (GTK_BOX (self->slots[table]), GTK_WIDGET (view));
  if (self->texts.summary == NULL)
    return;
  g_autoptr (GListModel) model = cyc_timeline_summary_columns_list (self->texts.summary, table);
  cyc_table_view_set_model (view, model);
}

static char *
dup_core (CycTimelineSummaryPane *self,
          guint                   core,
          gboolean                in)
{
  const CycSummaryCore *row = &g_array_index (self->texts.summary->cores, CycSummaryCore, core);
  guint n;
  const CycTimelineTrack *tracks = cyc_timeline_get_tracks (self->texts.summary->timeline, &n);
  g_autofree char *name = cyc_format_printable (tracks[row->track].name);
  g_autofree char *time = cyc_timeline_units_dup_time (&self->texts.units, in ? row->entry : row->last);

  /* Translators: a core, and when. */
  return g_strdup_printf (_("%s at %s"), name, time);
}

/* Names of cores have slashes, at which lines are not to end. */
static void
keep_whole (PangoAttrList *list,
            const char    *text,
            const char    *part)
{
  const char *at = strstr (text, part);
  PangoAttribute *attribute = pango_attr_allow_breaks_new (FALSE);

  attribute->start_index = at != NULL ? (guint) (at - text) : 0;
  attribute->end_index = at != NULL ? attribute->start_index + (guint) strlen (part) : 0;
  pango_attr_list_insert (list, attribute);
}

static void
show_ends (CycTimelineSummaryPane *self)
{
  CycTimelineSummary *summary = self->texts.summary;

  if (summary->cores->len == 0)
    return;
  g_autofree char *first_in = dup_core (self, summary->first_in, TRUE);
  g_autofree char *last_in = dup_core (self, summary->last_in, TRUE);
  g_autofree char *first_out = dup_core (self, summary->first_out, FALSE);
  g_autofree char *last_out = dup_core (self, summary->last_out, FALSE);
  g_autofree char *length = cyc_timeline_units_dup_duration (&self->texts.units, summary->to - summary->from);
  g_autofree char *unit = self->texts.units.cycles ? g_strdup_printf (_("%s cycles"), length) : g_strdup (length);
  g_autofree char *text =
    g_strdup_printf (_("First in: %s · Last in: %s · First out: %s · Last out: %s · All of it: %s"), first_in,
                     last_in, first_out, last_out, unit);
  g_autoptr (PangoAttrList) attributes = pango_attr_list_new ();
  const char *const parts_of_it[] = { first_in, last_in, first_out, last_out, unit };
  for (guint i = 0; i < G_N_ELEMENTS (parts_of_it); i++)
    keep_whole (attributes, text, parts_of_it[i]);
  gtk_label_set_text (GTK_LABEL (self->ends), text);
  gtk_label_set_attributes (GTK_LABEL (self->ends), attributes);
}

static void
show_summary (CycTimelineSummaryPane *self)
{
  for (CycSummaryTable i = 0; i < CYC_SUMMARY_N_TABLES; i++)
    create_table (self, i);
  cyc_timeline_heat_set_summary (self->heat, self->texts.summary, &self->texts.units);
  if (self->texts.summary != NULL)
    show_ends (self);
}

/* Computing it */

static void
summary_worker (GTask        *task,
                gpointer      source,
                gpointer      data,
                GCancellable *cancellable)
{
  CycTimeline *timeline = data;
  CycTimelineArea area;
  g_autoptr (GError) error = NULL;

  cyc_timeline_area_init (&area, timeline);
  CycTimelineSummary *summary = cyc_timeline_summary_new (timeline, &area, N_WAITS, N_BINS, cancellable, &error);
  if (summary == NULL)
    g_task_return_error (task, g_steal_pointer (&error));
  else
    g_task_return_pointer (task, summary, (GDestroyNotify) cyc_timeline_summary_unref);
}

static void
summary_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycTimelineSummaryPane) self = g_object_ref (CYC_TIMELINE_SUMMARY_PANE (source));
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTimelineSummary) summary = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->box == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  if (summary == NULL)
    {
      if (self->page != NULL)
        cyc_page_tell_error (self->page, _("The summary was not computed"), error);
      return;
    }
  self->texts.summary = g_steal_pointer (&summary);
  show_summary (self);
  gtk_stack_set_visible_child_name (self->outer, "parts");
}

static void
refresh (CycTimelineSummaryPane *self)
{
  if (self->state == NULL || !self->stale || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  CycTimeline *timeline = cyc_view_state_get_timeline (self->state);
  self->stale = FALSE;
  if (cyc_timeline_get_tasks (timeline) == NULL)
    {
      gtk_stack_set_visible_child_name (self->outer, "nothing");
      return;
    }
  gtk_stack_set_visible_child_name (self->outer, "wait");
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, summary_cb, NULL);
  g_task_set_source_tag (task, refresh);
  g_task_set_task_data (task, cyc_timeline_ref (timeline), (GDestroyNotify) cyc_timeline_unref);
  cyc_task_run_in_thread (task, summary_worker);
}

static void
cyc_timeline_summary_pane_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (cyc_timeline_summary_pane_parent_class)->map (widget);
  refresh (CYC_TIMELINE_SUMMARY_PANE (widget));
}

static void
style_cb (CycTimelineSummaryPane *self)
{
  CycTimelineUnits units;

  cyc_timeline_units_init (&units, cyc_view_state_get_timeline (self->state), cyc_view_state_get_unit (self->state));
  if (units.cycles == self->texts.units.cycles)
    return;
  self->texts.units = units;
  show_summary (self);
}

static void
cyc_timeline_summary_pane_dispose (GObject *object)
{
  CycTimelineSummaryPane *self = CYC_TIMELINE_SUMMARY_PANE (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_weak_pointer (&self->page);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->state);
  G_OBJECT_CLASS (cyc_timeline_summary_pane_parent_class)->dispose (object);
}

static void
cyc_timeline_summary_pane_finalize (GObject *object)
{
  g_clear_pointer (&CYC_TIMELINE_SUMMARY_PANE (object)->texts.summary, cyc_timeline_summary_unref);
  G_OBJECT_CLASS (cyc_timeline_summary_pane_parent_class)->finalize (object);
}

static void
cyc_timeline_summary_pane_class_init (CycTimelineSummaryPaneClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_summary_pane_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_timeline_summary_pane_finalize;
  GTK_WIDGET_CLASS (klass)->map = cyc_timeline_summary_pane_map;
  signals[GO] = g_signal_new ("go", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  signals[GO_TRACK] = g_signal_new ("go-track", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                    G_TYPE_UINT);
  signals[GO_RANGE] = g_signal_new ("go-range", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
                                    G_TYPE_UINT, G_TYPE_INT64, G_TYPE_INT64);
  gtk_widget_class_install_action (GTK_WIDGET_CLASS (klass), "summary.go-ender", NULL, go_ender_action);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
create_wait (void)
{
  GtkWidget *spinner = gtk_spinner_new ();

  gtk_spinner_start (GTK_SPINNER (spinner));
  gtk_widget_set_halign (spinner, GTK_ALIGN_CENTER);
  return spinner;
}

static GtkWidget *
create_parts (CycTimelineSummaryPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *switcher = gtk_stack_switcher_new ();
  GtkWidget *scrolled = gtk_scrolled_window_new ();

  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  for (CycSummaryTable i = 0; i < CYC_SUMMARY_N_TABLES; i++)
    {
      self->slots[i] = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
      gtk_stack_add_titled (self->stack, self->slots[i], parts[i].name, _(parts[i].title));
    }
  self->heat = CYC_TIMELINE_HEAT (cyc_timeline_heat_new ());
  g_signal_connect_object (self->heat, "go", G_CALLBACK (heat_cb), self, 0);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->heat));
  gtk_stack_add_titled (self->stack, scrolled, "load", _("Load"));
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_switcher_set_stack (GTK_STACK_SWITCHER (switcher), self->stack);
  self->ends = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->ends), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->ends), 0);
  gtk_label_set_selectable (GTK_LABEL (self->ends), TRUE);
  gtk_widget_add_css_class (self->ends, "numeric");
  gtk_widget_set_margin_start (self->ends, 12);
  gtk_widget_set_margin_end (self->ends, 12);
  gtk_widget_add_css_class (bar, "pane-heading");
  gtk_box_append (GTK_BOX (bar), switcher);
  gtk_box_append (GTK_BOX (box), bar);
  gtk_box_append (GTK_BOX (box), self->ends);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->stack));
  return box;
}

static void
cyc_timeline_summary_pane_init (CycTimelineSummaryPane *self)
{
  GtkWidget *nothing = cyc_empty_state_new (NULL, _("No Cycle Trace"),
                                            _("There is a summary of cores, stages and waits for profile buffers, and "
                                              "for traces that were made of them."));

  self->outer = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->outer, create_wait (), "wait");
  gtk_stack_add_named (self->outer, nothing, "nothing");
  gtk_stack_add_named (self->outer, create_parts (self), "parts");
  self->box = GTK_WIDGET (self->outer);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * cyc_timeline_summary_pane_new:
 * @page: the page that it is for
 *
 * Returns: (transfer floating): a summary of nothing
 */
GtkWidget *
cyc_timeline_summary_pane_new (CycPage *page)
{
  CycTimelineSummaryPane *self = g_object_new (CYC_TYPE_TIMELINE_SUMMARY_PANE, NULL);

  g_set_weak_pointer (&self->page, page);
  return GTK_WIDGET (self);
}

/**
 * cyc_timeline_summary_pane_set_state:
 * @self: a pane
 * @state: what is looked at
 *
 * Computes the summary, on a thread, as soon as somebody sees the pane.
 */
void
cyc_timeline_summary_pane_set_state (CycTimelineSummaryPane *self,
                                     CycViewState           *state)
{
  g_return_if_fail (CYC_IS_TIMELINE_SUMMARY_PANE (self));
  g_return_if_fail (CYC_IS_VIEW_STATE (state));

  if (self->state != NULL)
    g_signal_handlers_disconnect_by_data (self->state, self);
  g_set_object (&self->state, state);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_autoptr (CycTimelineSummary) old = g_steal_pointer (&self->texts.summary);
  cyc_timeline_units_init (&self->texts.units, cyc_view_state_get_timeline (state), cyc_view_state_get_unit (state));
  show_summary (self);
  g_signal_connect_object (state, "style-changed", G_CALLBACK (style_cb), self, G_CONNECT_SWAPPED);
  self->stale = TRUE;
  refresh (self);
}

/**
 * cyc_timeline_summary_pane_get_shown:
 * @self: a pane
 *
 * Returns: (transfer none) (nullable): the table that is in front; %NULL if none is
 */
CycTableView *
cyc_timeline_summary_pane_get_shown (CycTimelineSummaryPane *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_SUMMARY_PANE (self), NULL);

  for (CycSummaryTable i = 0; i < CYC_SUMMARY_N_TABLES; i++)
    if (self->texts.summary != NULL && gtk_stack_get_visible_child (self->stack) == self->slots[i])
      return self->tables[i];
  return NULL;
}

/**
 * cyc_timeline_summary_pane_show:
 * @self: a pane
 * @name: `cores`, `stages`, `owners`, `waits` or `load`
 *
 * Brings a part of it to the front.
 */
void
cyc_timeline_summary_pane_show (CycTimelineSummaryPane *self,
                                const char             *name)
{
  g_return_if_fail (CYC_IS_TIMELINE_SUMMARY_PANE (self));

  if (gtk_stack_get_child_by_name (self->stack, name) != NULL)
    gtk_stack_set_visible_child_name (self->stack, name);
}
