/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-details.h"

#include <glib/gi18n.h>

#include "app/cyc-timeline-facts.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-empty-state.h"

#define WIDTH 300

/* What is known of the selected span. */
struct _CycTimelineDetails
{
  GtkWidget     parent_instance;

  CycTimeline  *timeline;
  guint32       span;
  GCancellable *cancellable;
  GPtrArray    *facts;   /* of CycTimelineFact; NULL: nothing is selected, or not known yet */
  GtkWidget    *box;
  GtkStack     *stack;   /* nothing, facts */
  GtkWidget    *scrolled;
};

enum
{
  GO,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (CycTimelineDetails, cyc_timeline_details, GTK_TYPE_WIDGET)

static void
go_cb (GtkButton *button,
       gpointer   user_data)
{
  CycTimelineDetails *self = user_data;

  g_signal_emit (self, signals[GO], 0, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "span")));
}

static GtkWidget *
create_label (const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  return label;
}

static GtkWidget *
create_value (CycTimelineDetails    *self,
              const CycTimelineFact *fact)
{
  GtkWidget *label = create_label (fact->value);

  gtk_widget_set_hexpand (label, TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), 12);
  if (fact->span == CYC_TIMELINE_NONE)
    {
      gtk_label_set_selectable (GTK_LABEL (label), TRUE);
      gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, fact->label, -1);
      return label;
    }
  GtkWidget *button = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_add_css_class (button, "link-row");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, fact->value,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, fact->label, -1);
  g_object_set_data (G_OBJECT (button), "span", GUINT_TO_POINTER (fact->span));
  g_signal_connect_object (button, "clicked", G_CALLBACK (go_cb), self, 0);
  return button;
}

static GtkWidget *
create_grid (CycTimelineDetails *self)
{
  GtkWidget *grid = gtk_grid_new ();

  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 3);
  gtk_widget_add_css_class (grid, "summary");
  for (guint i = 0; i < self->facts->len; i++)
    {
      const CycTimelineFact *fact = g_ptr_array_index (self->facts, i);
      GtkWidget *label = create_label (fact->label);
      if (fact->value == NULL)
        {
          gtk_widget_add_css_class (label, "heading");
          gtk_widget_set_margin_top (label, 9);
          gtk_grid_attach (GTK_GRID (grid), label, 0, (int) i, 2, 1);
          continue;
        }
      gtk_widget_add_css_class (label, "dim-label");
      gtk_label_set_max_width_chars (GTK_LABEL (label), 16);
      gtk_grid_attach (GTK_GRID (grid), label, 0, (int) i, 1, 1);
      gtk_grid_attach (GTK_GRID (grid), create_value (self, fact), 1, (int) i, 1, 1);
    }
  return grid;
}

static void
show_facts (CycTimelineDetails *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "details.copy", self->facts != NULL);
  if (self->facts == NULL)
    {
      gtk_stack_set_visible_child_name (self->stack, "nothing");
      return;
    }
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scrolled), create_grid (self));
  gtk_stack_set_visible_child_name (self->stack, "facts");
}

static void
facts_cb (GObject      *source,
          GAsyncResult *result,
          gpointer      user_data)
{
  g_autoptr (CycTimelineDetails) self = user_data;
  g_autoptr (GPtrArray) facts = cyc_timeline_facts_finish (result, NULL);

  /* Cancelled: another span is on its way. */
  if (facts == NULL || self->box == NULL || g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_pointer (&self->facts, g_ptr_array_unref);
  self->facts = g_steal_pointer (&facts);
  show_facts (self);
}

static void
copy_action (GtkWidget  *widget,
             const char *name,
             GVariant   *parameter)
{
  g_autofree char *text = cyc_timeline_details_dup_text (CYC_TIMELINE_DETAILS (widget));

  if (text != NULL)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
cyc_timeline_details_dispose (GObject *object)
{
  CycTimelineDetails *self = CYC_TIMELINE_DETAILS (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->facts, g_ptr_array_unref);
  g_clear_pointer (&self->timeline, cyc_timeline_unref);
  G_OBJECT_CLASS (cyc_timeline_details_parent_class)->dispose (object);
}

static void
cyc_timeline_details_class_init (CycTimelineDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_timeline_details_dispose;
  signals[GO] = g_signal_new ("go", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                              G_TYPE_UINT);
  gtk_widget_class_install_action (widget_class, "details.copy", NULL, copy_action);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "timelinedetails");
}

static GtkWidget *
create_heading (void)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *title = gtk_label_new (_("Details"));
  GtkWidget *copy = cyc_control_button_new ("edit-copy-symbolic", _("Copy the details"), "details.copy");

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_add_css_class (title, "heading");
  gtk_button_set_has_frame (GTK_BUTTON (copy), FALSE);
  gtk_widget_add_css_class (box, "pane-heading");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), copy);
  return box;
}

static void
cyc_timeline_details_init (CycTimelineDetails *self)
{
  GtkWidget *nothing = gtk_label_new (_("Select a span to see what is known of it."));

  self->span = CYC_TIMELINE_NONE;
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->stack = GTK_STACK (gtk_stack_new ());
  self->scrolled = gtk_scrolled_window_new ();
  gtk_label_set_wrap (GTK_LABEL (nothing), TRUE);
  gtk_widget_add_css_class (nothing, "dim-label");
  gtk_widget_add_css_class (nothing, "summary");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_stack_set_hhomogeneous (self->stack, FALSE);
  gtk_stack_add_named (self->stack, nothing, "nothing");
  gtk_stack_add_named (self->stack, self->scrolled, "facts");
  gtk_box_append (GTK_BOX (self->box), create_heading ());
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
  gtk_widget_set_size_request (self->box, WIDTH, -1);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  show_facts (self);
}

/**
 * cyc_timeline_details_new:
 *
 * Returns: (transfer floating): details of nothing
 */
GtkWidget *
cyc_timeline_details_new (void)
{
  return g_object_new (CYC_TYPE_TIMELINE_DETAILS, NULL);
}

/**
 * cyc_timeline_details_set_span:
 * @self: details
 * @timeline: a timeline
 * @span: one of its spans, or CYC_TIMELINE_NONE
 *
 * Shows what is known of a span, as soon as it is gathered.
 */
void
cyc_timeline_details_set_span (CycTimelineDetails *self,
                               CycTimeline        *timeline,
                               guint32             span)
{
  g_return_if_fail (CYC_IS_TIMELINE_DETAILS (self));
  g_return_if_fail (timeline != NULL);

  if (self->timeline == timeline && self->span == span)
    return;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->timeline, cyc_timeline_unref);
  self->timeline = cyc_timeline_ref (timeline);
  self->span = span;
  if (span == CYC_TIMELINE_NONE)
    {
      g_clear_pointer (&self->facts, g_ptr_array_unref);
      show_facts (self);
      return;
    }
  self->cancellable = g_cancellable_new ();
  cyc_timeline_facts_async (timeline, span, self->cancellable, facts_cb, g_object_ref (self));
}

/**
 * cyc_timeline_details_dup_text:
 * @self: details
 *
 * Returns: (transfer full) (nullable): all that is shown, a line each; %NULL if nothing is
 */
char *
cyc_timeline_details_dup_text (CycTimelineDetails *self)
{
  g_return_val_if_fail (CYC_IS_TIMELINE_DETAILS (self), NULL);

  return self->facts != NULL ? cyc_timeline_facts_dup_text (self->facts) : NULL;
}
