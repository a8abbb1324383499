/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cyc-access-page-private.h"
#include "core/access/cyc-access-lookup.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-controls.h"

#define TICK_MS 100
#define MIN_PANES 250
#define PANES 450 /* pixels, where there is room: for all of their titles in German, too */
#define COMPARED_PANES 600
#define PLOT 360
#define MIN_PLOT 280
#define AROUND 60 /* pixels around what is in focus */
#define WIDE 720
/* Windows of a node that are marked; more cannot be told apart. */
#define MAX_WINDOWS 5000

/* What is pointed at */

static void
show_status (CycAccessPage *self,
             CycAccessView *view)
{
  CycAccessSpot spot;
  g_autofree char *text = NULL;

  if (cyc_access_view_get_hover (view, &spot) || cyc_access_view_get_focus (view, &spot))
    text = cyc_access_view_dup_text (view, &spot);
  gtk_label_set_text (self->status, text != NULL ? text : "");
}

/* The view of the mapping that @view's is compared with; NULL without one. */
static CycAccessView *
get_counterpart (CycAccessPage *self,
                 CycAccessView *view)
{
  return view == self->view ? self->other.view : self->view;
}

/* The same element lights up in the mapping that is compared with. */
static void
hover_cb (CycAccessView *view,
          CycAccessPage *self)
{
  CycAccessView *other = get_counterpart (self, view);
  CycAccessTrace *trace = cyc_access_view_get_trace (view);
  CycAccessSpot spot;

  if (trace == NULL)
    return;
  show_status (self, view);
  if (other == NULL)
    return;
  if (cyc_access_view_get_hover (view, &spot))
    cyc_access_view_light_up (other, g_array_index (trace->plan->tensors, CycAccessTraced, spot.tensor).tensor->name,
                              spot.y);
  else
    cyc_access_view_light_up (other, NULL, 0);
}

/* Scrolls to where the keys went. */
static void
focus_cb (CycAccessView *view,
          CycAccessPage *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  CycAccessSpot spot;
  double x;
  double y;
  double top;

  show_status (self, view);
  if (cyc_access_view_get_focus (view, &spot) &&
      cyc_access_view_get_place (view, spot.tensor, spot.timestep, spot.y, &x, &y) &&
      gtk_widget_translate_coordinates (GTK_WIDGET (view), self->views, x, y, &x, &top))
    gtk_adjustment_clamp_page (adjustment, MAX (top - AROUND, 0), top + AROUND);
}

/* The node of the mapping that a place belongs to: who accesses it, else who holds it. */
static const CycAccessNode *
find_node (CycAccessPage       *self,
           const CycAccessSpot *spot)
{
  const CycAccessPlan *plan = self->trace->plan;
  CycAccessWork work = { 1 };
  g_autoptr (GArray) hits = cyc_access_lookup_new (plan, spot->tensor, spot->rank, spot->y, spot->timestep,
                                                   spot->timestep + 1, 1, &work, NULL, NULL);
  CycAccessPlotParams params;
  g_autofree CycAccessYRange *ys = g_new0 (CycAccessYRange, plan->tensors->len + 1);

  if (hits != NULL && hits->len > 0)
    return g_array_index (plan->entries, CycAccessEntry, g_array_index (hits, CycAccessHit, 0).entry).leaf->node;
  cyc_access_view_get_params (self->view, &params, ys);
  if (params.level == NULL || !cyc_access_view_is_on_tile (self->view, spot))
    return NULL;
  return cyc_access_plan_find_storage (plan, params.level,
                                       g_array_index (plan->tensors, CycAccessTraced, spot->tensor).tensor->name,
                                       spot->timestep);
}

static void
activated_cb (CycAccessView *view,
              CycAccessPage *self)
{
  CycAccessTrace *trace = cyc_access_view_get_trace (view);
  CycAccessSpot spot;

  if (!cyc_access_view_get_focus (view, &spot))
    return;
  g_autofree char *text = cyc_access_view_dup_text (view, &spot);
  self->hits_view = view;
  self->hits_spot = spot;
  cyc_access_hits_pane_show (self->hits, trace, &spot, text);
  gtk_stack_set_visible_child_name (self->panes, "accesses");
  if (view == self->view)
    cyc_access_mapping_tree_select (self->tree, find_node (self, &spot));
}

static void
hit_activated_cb (CycAccessHitsPane *hits,
                  gint64             timestep,
                  CycAccessPage     *self)
{
  const CycAccessSpot *spot = &self->hits_spot;
  const CycAccessPlot *plot = self->hits_view != NULL ? cyc_access_view_get_plot (self->hits_view) : NULL;

  /* With something else on its axis, there is no such place. */
  if (plot != NULL && cyc_access_plot_get_rank (plot, spot->tensor) == spot->rank)
    cyc_access_view_set_focus (self->hits_view, spot->tensor, timestep, spot->y);
}

void
_cyc_access_page_clear_hits (CycAccessPage *self)
{
  self->hits_view = NULL;
  cyc_access_hits_pane_show (self->hits, NULL, NULL, NULL);
}

/* Figures of what is selected, or of all. The shorter one of two traces may have only a part of the range. */
void
_cyc_access_page_measure (CycAccessPage *self)
{
  CycAccessView *views[] = { self->view, self->other.view };
  gint64 from = 0;
  gint64 to = 0;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      gint64 first;
      gint64 end;
      if (views[i] == NULL || !cyc_access_view_get_range (views[i], &first, &end) || end <= to)
        continue;
      from = first;
      to = end;
    }
  cyc_access_figures_pane_set_trace (self->figures, self->trace, self->other.trace, from, to);
}

/* A range is that of both mappings. */
static void
range_cb (CycAccessView *view,
          CycAccessPage *self)
{
  CycAccessView *other = get_counterpart (self, view);
  gint64 from = 0;
  gint64 to = 0;
  gboolean has = cyc_access_view_get_range (view, &from, &to);

  if (self->linking)
    return;
  if (other != NULL)
    {
      self->linking = TRUE;
      cyc_access_view_set_range (other, has ? from : 0, has ? to : 0);
      self->linking = FALSE;
    }
  if (has)
    gtk_stack_set_visible_child_name (self->panes, "figures");
  _cyc_access_page_measure (self);
}

/* Progress */

static gboolean
tick_cb (gpointer user_data)
{
  CycAccessPage *self = user_data;
  CycAccessView *views[] = { self->view, self->other.view };
  guint n_busy = 0;
  double all = 0;
  double done;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (views[i] != NULL && cyc_access_view_is_busy (views[i], &done))
      {
        n_busy++;
        all += done;
      }
  gtk_widget_set_visible (self->progress, n_busy > 0);
  gtk_widget_set_visible (self->stop, n_busy > 0);
  gtk_progress_bar_set_fraction (GTK_PROGRESS_BAR (self->progress), n_busy > 0 ? all / n_busy : 0);
  if (n_busy > 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

/* Only what takes a while has a bar. */
static void
busy_cb (CycAccessView *view,
         CycAccessPage *self)
{
  const GError *error = cyc_access_view_get_error (view);

  if (error != NULL)
    {
      g_autofree char *text = g_strdup_printf ("%s.", error->message);
      cyc_message_bar_tell (self->message, CYC_SEVERITY_ERROR, text);
    }
  if (self->tick == 0)
    self->tick = g_timeout_add (TICK_MS, tick_cb, self);
}

/* The tree */

static void
mark_windows (CycAccessPage *self)
{
  const CycAccessNode *node = self->trace != NULL ? cyc_access_mapping_tree_get_selected (self->tree) : NULL;
  double from;
  double to;
  gboolean all;

  if (node == NULL)
    {
      cyc_access_view_set_windows (self->view, NULL);
      return;
    }
  cyc_access_view_get_visible (self->view, &from, &to);
  g_autoptr (GArray) windows = cyc_access_plan_get_node_windows (self->trace->plan, node, (gint64) from,
                                                                 (gint64) to + 1, MAX_WINDOWS, &all);
  /* So many that they would be a grey all over say nothing. */
  cyc_access_view_set_windows (self->view, all ? windows : NULL);
  if (!all)
    gtk_label_set_text (self->status, _("Zoom in to see when this node is at work"));
}

static void
node_selected_cb (CycAccessPage *self)
{
  mark_windows (self);
}

static void
edited_cb (CycAccessMappingTree *tree,
           guint                 index,
           gint64                tile,
           CycAccessPage        *self)
{
  _cyc_access_page_edit (self, index, tile);
}

static void
view_changed_cb (CycAccessView *view,
                 CycAccessPage *self)
{
  CycAccessView *other = get_counterpart (self, view);
  double from;
  double to;

  cyc_access_view_get_visible (view, &from, &to);
  if (other != NULL)
    cyc_access_view_set_visible (other, from, to);
  if (view == self->view && self->trace != NULL && cyc_access_mapping_tree_get_selected (self->tree) != NULL)
    mark_windows (self);
}

/* Follows what happens in a view. */
static void
connect_view (CycAccessPage *self,
              CycAccessView *view)
{
  g_signal_connect_object (view, "hover-changed", G_CALLBACK (hover_cb), self, 0);
  g_signal_connect_object (view, "focus-changed", G_CALLBACK (focus_cb), self, 0);
  g_signal_connect_object (view, "activated", G_CALLBACK (activated_cb), self, 0);
  g_signal_connect_object (view, "view-changed", G_CALLBACK (view_changed_cb), self, 0);
  g_signal_connect_object (view, "range-changed", G_CALLBACK (range_cb), self, 0);
  g_signal_connect_object (view, "busy-changed", G_CALLBACK (busy_cb), self, 0);
}

void
_cyc_access_page_link (CycAccessPage *self)
{
  connect_view (self, self->other.view);
}

/* Choices above the plot */

static const char *
get_choice (GtkWidget *drop_down)
{
  GtkStringObject *item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (drop_down));

  if (item == NULL || gtk_drop_down_get_selected (GTK_DROP_DOWN (drop_down)) == 0)
    return NULL;
  return gtk_string_object_get_string (item);
}

static void
choose (CycAccessPage *self)
{
  CycAccessView *views[] = { self->view, self->other.view };

  if (self->quiet)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    if (views[i] != NULL)
      {
        cyc_access_view_set_colour (views[i], gtk_drop_down_get_selected (GTK_DROP_DOWN (self->colour)) == 1
                                                ? CYC_ACCESS_BY_ACCESS : CYC_ACCESS_BY_EINSUM);
        cyc_access_view_set_rank (views[i], get_choice (self->rank));
        cyc_access_view_set_level (views[i], get_choice (self->level));
      }
}

static GtkWidget *
create_choice (CycAccessPage     *self,
               const char        *label,
               const char *const *choices)
{
  GtkWidget *drop_down = cyc_control_choice_new (choices, label);

  g_signal_connect_object (drop_down, "notify::selected", G_CALLBACK (choose), self, G_CONNECT_SWAPPED);
  return drop_down;
}

/* The first choice stays the first; what was chosen stays, if it is still there. */
static void
fill_choice (CycAccessPage *self,
             GtkWidget     *drop_down,
             const char    *first,
             GPtrArray     *names)
{
  g_autofree char *old = g_strdup (get_choice (drop_down));
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint chosen = 0;

  gtk_string_list_append (list, first);
  for (guint i = 0; i < names->len; i++)
    {
      gtk_string_list_append (list, names->pdata[i]);
      if (g_strcmp0 (names->pdata[i], old) == 0)
        chosen = i + 1;
    }
  self->quiet = TRUE;
  gtk_drop_down_set_model (GTK_DROP_DOWN (drop_down), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (drop_down), chosen);
  self->quiet = FALSE;
}

static void
fill_choices (CycAccessPage *self)
{
  const CycAccessPlan *plan = self->trace->plan;
  g_autoptr (GPtrArray) ranks = g_ptr_array_new ();
  g_autoptr (GPtrArray) levels = g_ptr_array_new ();

  for (guint i = 0; i < plan->tensors->len; i++)
    {
      const CycAccessTensor *tensor = g_array_index (plan->tensors, CycAccessTraced, i).tensor;
      for (guint r = 0; r < tensor->n_ranks; r++)
        if (!g_ptr_array_find_with_equal_func (ranks, tensor->ranks[r], g_str_equal, NULL))
          g_ptr_array_add (ranks, tensor->ranks[r]);
    }
  for (guint i = 0; i < plan->levels->len; i++)
    g_ptr_array_add (levels, (gpointer) ((CycAccessLevel *) plan->levels->pdata[i])->component);
  fill_choice (self, self->rank, _("Elements"), ranks);
  fill_choice (self, self->level, _("No tiles"), levels);
  choose (self);
}

/* Notes */

static void
add_warnings (CycFindings     *findings,
              const GPtrArray *warnings)
{
  for (guint i = 0; i < warnings->len; i++)
    {
      const CycAccessWarning *warning = warnings->pdata[i];
      cyc_findings_add (findings, CYC_SEVERITY_WARNING, "access", warning->file, warning->line, NULL, "%s",
                        warning->text);
    }
}

static CycFindings *
list_notes (CycAccessPage *self,
            gboolean       differs)
{
  const CycAccessTrace *trace = self->trace;
  CycFindings *findings = cyc_findings_new ();
  g_autoptr (GPtrArray) fused = cyc_access_plan_list_fused (trace->plan);

  if (differs)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "iterations", NULL, 0,
                      _("Choose the other way under Settings to see the difference"), "%s",
                      trace->options.bounds
                        ? _("Loops run over their whole ranks here, as AccelForge counts in a mapping that was read "
                            "from YAML; counted by the tiles around them (nested), some have fewer turns")
                        : _("Loops are counted by the tiles around them (nested); AccelForge, which counts by whole "
                            "ranks (bounds) in a mapping that was read from YAML, gives some of them more turns"));
  add_warnings (findings, trace->spec->warnings);
  add_warnings (findings, trace->plan->warnings);
  for (guint i = 0; i < fused->len; i++)
    cyc_findings_add (findings, CYC_SEVERITY_NOTE, "fused", NULL, 0, NULL,
                      _("%s is never held in %s, the outermost memory level: it is fused"),
                      (const char *) fused->pdata[i], ((CycAccessLevel *) trace->plan->levels->pdata[0])->component);
  return findings;
}

static void
show_notes (CycAccessPage *self,
            gboolean       differs)
{
  g_autoptr (CycFindings) findings = list_notes (self, differs);
  guint n = (guint) cyc_findings_count (findings, CYC_SEVERITY_WARNING);
  guint all = cyc_findings_get_length (findings);
  GtkWidget *child = gtk_stack_get_child_by_name (self->panes, "notes");
  g_autofree char *title = all > 0 ? g_strdup_printf (_("Notes (%u)"), all) : g_strdup (_("Notes"));

  cyc_findings_view_set_findings (self->notes, findings);
  gtk_stack_page_set_title (gtk_stack_get_page (self->panes, child), title);
  if (n == 0 && !differs)
    {
      cyc_message_bar_hide (self->message);
      return;
    }
  g_autofree char *text = NULL;
  for (guint i = 0; n > 0 && text == NULL; i++)
    {
      const CycFinding *finding = cyc_findings_get (findings, i);
      if (finding->severity == CYC_SEVERITY_WARNING && n == 1)
        text = g_strdup_printf ("%s.", finding->text);
      else if (finding->severity == CYC_SEVERITY_WARNING)
        text = g_strdup_printf (ngettext ("%s. And %u more warning.", "%s. And %u more warnings.", n - 1),
                                finding->text, n - 1);
    }
  if (n == 0 && self->trace->options.bounds)
    text = g_strdup (_("Loops run over whole ranks (bounds); counted by the tiles around them, some have fewer "
                       "turns."));
  else if (n == 0)
    text = g_strdup (_("Loops are counted by the tiles around them (nested); by whole ranks, some have more turns."));
  cyc_message_bar_tell (self->message, n > 0 ? CYC_SEVERITY_WARNING : CYC_SEVERITY_NOTE, text);
  cyc_message_bar_set_button (self->message, _("_Show Notes"), "page.show-notes");
}

/* How many Einsums the mapping computes, in whichever part of the time. */
static guint
count_einsums (const CycAccessPlan *plan)
{
  guint n = 0;

  for (guint i = 0; i < plan->leaves->len; i++)
    {
      const CycAccessLeaf *leaf = plan->leaves->pdata[i];
      gboolean known = FALSE;
      for (guint j = 0; j < i; j++)
        known = known || ((CycAccessLeaf *) plan->leaves->pdata[j])->einsum == leaf->einsum;
      n += !known;
    }
  return n;
}

static void
update_subtitle (CycAccessPage *self)
{
  const CycAccessPlan *plan = self->trace->plan;
  guint n_einsums = count_einsums (plan);
  g_autofree char *n = cyc_format_grouped ((double) plan->n_timesteps, 0);
  g_autofree char *all = cyc_format_grouped ((double) plan->duration, 0);
  g_autofree char *text = plan->truncated
    ? g_strdup_printf (ngettext ("%u Einsum, the first %s of %s timesteps",
                                 "%u Einsums, the first %s of %s timesteps", n_einsums), n_einsums, n, all)
    : g_strdup_printf (ngettext ("%u Einsum, %s timesteps", "%u Einsums, %s timesteps", n_einsums), n_einsums, n);
  g_autofree char *edited = _cyc_access_page_is_edited (self) ? g_strdup_printf (_("%s, changed"), text)
                                                        : g_strdup (text);

  cyc_page_set_subtitle (CYC_PAGE (self), edited);
}

/* Shows what was read, or what came of a change. */
void
_cyc_access_page_show_trace (CycAccessPage *self,
                             CycAccessLoad *load)
{
  cyc_access_trace_unref (self->trace);
  self->trace = cyc_access_trace_ref (load->trace);
  cyc_access_mapping_tree_set_trace (self->tree, self->trace, self->editing);
  cyc_access_view_set_trace (self->view, self->trace);
  fill_choices (self);
  show_notes (self, load->differs);
  update_subtitle (self);
  mark_windows (self);
  _cyc_access_page_clear_hits (self);
  _cyc_access_page_measure (self);
  _cyc_access_page_update_actions (self);
}

/* Looks */

static GtkWidget *
create_toolbar (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *zoom = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  const char *const colours[] = { _("By Einsum"), _("By access"), NULL };
  const char *const ranks[] = { _("Elements"), NULL };
  const char *const levels[] = { _("No tiles"), NULL };

  self->colour = create_choice (self, _("Colours"), colours);
  self->rank = create_choice (self, _("What is on the vertical axis"), ranks);
  self->level = create_choice (self, _("Memory level whose tiles are shaded"), levels);
  gtk_widget_add_css_class (zoom, "linked");
  gtk_box_append (GTK_BOX (zoom), cyc_control_button_new ("zoom-out-symbolic", _("See More"), "page.zoom-out"));
  gtk_box_append (GTK_BOX (zoom), cyc_control_button_new ("zoom-fit-best-symbolic", _("See All"), "page.zoom-all"));
  gtk_box_append (GTK_BOX (zoom), cyc_control_button_new ("zoom-in-symbolic", _("See Less, Larger"), "page.zoom-in"));
  gtk_widget_add_css_class (box, "access-toolbar");
  gtk_box_append (GTK_BOX (box), self->colour);
  gtk_box_append (GTK_BOX (box), self->rank);
  gtk_box_append (GTK_BOX (box), self->level);
  gtk_box_append (GTK_BOX (box), zoom);
  return box;
}

static GtkWidget *
create_status (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->status = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->status, 0);
  gtk_label_set_ellipsize (self->status, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->status), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->status), "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->status), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("What is pointed at"), -1);
  self->progress = gtk_progress_bar_new ();
  gtk_widget_set_valign (self->progress, GTK_ALIGN_CENTER);
  gtk_widget_set_size_request (self->progress, 100, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->progress), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _("Drawing the accesses"), -1);
  self->stop = cyc_control_button_new ("process-stop-symbolic", _("Stop Drawing"), "page.stop");
  gtk_button_set_has_frame (GTK_BUTTON (self->stop), FALSE);
  gtk_widget_set_visible (self->progress, FALSE);
  gtk_widget_set_visible (self->stop, FALSE);
  gtk_widget_add_css_class (box, "access-status");
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->status));
  gtk_box_append (GTK_BOX (box), self->progress);
  gtk_box_append (GTK_BOX (box), self->stop);
  return box;
}

static GtkWidget *
create_plot (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *first = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroller = self->scroller = gtk_scrolled_window_new ();

  self->views = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->view = CYC_ACCESS_VIEW (cyc_access_view_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->view), TRUE);
  connect_view (self, self->view);
  gtk_box_append (GTK_BOX (first), _cyc_access_page_create_heading (&self->title));
  gtk_box_append (GTK_BOX (first), GTK_WIDGET (self->view));
  gtk_box_append (GTK_BOX (self->views), first);
  /* Not as wide as both mappings, or they would never come one below the other. */
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), MIN_PLOT);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (scroller)), "notify::page-size",
                           G_CALLBACK (_cyc_access_page_fit_views), self, G_CONNECT_SWAPPED);
  gtk_widget_set_visible (GTK_WIDGET (self->title), FALSE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->views);
  /* The plot is larger than what is seen of it: the focus goes by its panels. */
  gtk_viewport_set_scroll_to_focus (GTK_VIEWPORT (gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scroller))),
                                    FALSE);
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), create_status (self));
  return box;
}

static GtkWidget *
create_notes (CycAccessPage *self)
{
  self->notes = CYC_FINDINGS_VIEW (cyc_findings_view_new (_("Notes")));
  cyc_findings_view_set_empty (self->notes, cyc_empty_state_new ("emblem-ok-symbolic", _("Nothing to Note"), NULL));
  return GTK_WIDGET (self->notes);
}

static GtkWidget *
create_panes (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->panes = GTK_STACK (gtk_stack_new ());
  self->tree = CYC_ACCESS_MAPPING_TREE (cyc_access_mapping_tree_new ());
  self->hits = CYC_ACCESS_HITS_PANE (cyc_access_hits_pane_new (CYC_PAGE (self)));
  self->figures = CYC_ACCESS_FIGURES_PANE (cyc_access_figures_pane_new (CYC_PAGE (self)));
  self->form = CYC_ACCESS_FORM (cyc_access_form_new ());
  g_signal_connect_object (self->tree, "selected", G_CALLBACK (node_selected_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->tree, "edited", G_CALLBACK (edited_cb), self, 0);
  g_signal_connect_object (self->hits, "timestep-activated", G_CALLBACK (hit_activated_cb), self, 0);
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->tree), "mapping", _("Mapping"));
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->figures), "figures", _("Figures"));
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->hits), "accesses", _("Accesses"));
  gtk_stack_add_titled (self->panes, create_notes (self), "notes", _("Notes"));
  gtk_stack_add_titled (self->panes, GTK_WIDGET (self->form), "settings", _("Settings"));
  gtk_stack_set_hhomogeneous (self->panes, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->panes), TRUE);
  GtkWidget *switcher = cyc_page_create_switcher (CYC_PAGE (self), self->panes);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), switcher);
  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->panes));
  gtk_widget_add_css_class (switcher, "compact");
  gtk_widget_set_size_request (box, MIN_PANES, -1);
  return box;
}

/* Side by side where there is room, else the panes below the plot. How much each has, the user decides after that. */
static gboolean
arrange_cb (gpointer user_data)
{
  CycAccessPage *self = user_data;
  GtkWidget *paned = self->paned;
  gboolean compares = self->other.trace != NULL;
  int panes = compares ? COMPARED_PANES : PANES;

  self->arrange = 0;
  int width = gtk_widget_get_width (paned);
  int height = gtk_widget_get_height (paned);
  if (width <= 0)
    return G_SOURCE_REMOVE;
  GtkOrientation wanted = width < (compares ? 2 * CYC_ACCESS_PAGE_MIN_VIEW + panes : WIDE) ? GTK_ORIENTATION_VERTICAL
                                                                                         : GTK_ORIENTATION_HORIZONTAL;
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (paned)) != wanted)
    {
      /* With another size in this direction there is another position at most, and then the place is chosen. */
      self->panes_width = 0;
      gtk_orientable_set_orientation (GTK_ORIENTABLE (paned), wanted);
      cyc_access_figures_pane_set_orientation (self->figures, wanted == GTK_ORIENTATION_HORIZONTAL
                                                                ? GTK_ORIENTATION_VERTICAL
                                                                : GTK_ORIENTATION_HORIZONTAL);
    }
  else if (self->panes_width != panes)
    {
      self->panes_width = panes;
      gtk_paned_set_position (GTK_PANED (paned), wanted == GTK_ORIENTATION_HORIZONTAL ? MAX (width - panes, PLOT)
                                                                                      : height * 11 / 20);
    }
  return G_SOURCE_REMOVE;
}

/* Looks anew at what there is room for; sizes must not change while they are given. */
void
_cyc_access_page_fit (CycAccessPage *self)
{
  if (self->arrange == 0)
    self->arrange = g_idle_add (arrange_cb, self);
}

GtkWidget *
_cyc_access_page_create_trace (CycAccessPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = self->paned = gtk_paned_new (GTK_ORIENTATION_HORIZONTAL);
  GtkWidget *toolbar = create_toolbar (self);
  GtkWidget *panes = create_panes (self);

  gtk_paned_set_start_child (GTK_PANED (paned), create_plot (self));
  gtk_paned_set_end_child (GTK_PANED (paned), panes);
  gtk_paned_set_resize_start_child (GTK_PANED (paned), TRUE);
  gtk_paned_set_resize_end_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_start_child (GTK_PANED (paned), FALSE);
  gtk_paned_set_shrink_end_child (GTK_PANED (paned), FALSE);
  g_signal_connect_object (paned, "notify::max-position", G_CALLBACK (_cyc_access_page_fit), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_box_append (GTK_BOX (box), toolbar);
  gtk_box_append (GTK_BOX (box), paned);
  return box;
}
