/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-findings-view.h"

#include <glib/gi18n.h>

#include "core/base/cyc-format.h"
#include "widgets/cyc-empty-state.h"
#include "widgets/cyc-finding-words.h"
#include "widgets/cyc-status.h"
#include "widgets/cyc-widgets.h"

/* Findings whose rows are made at a time: a folder can have thousands. */
#define ROWS_AT_ONCE 100

/* Findings as a list, the worst first: how bad, what and where, and what to do. */
struct _CycFindingsView
{
  GtkWidget parent_instance;

  GtkWidget   *stack;
  GtkWidget   *list;
  GtkWidget   *more;     /* makes more rows */
  GtkWidget   *menu;
  CycFindings *findings; /* a copy */
  GArray      *order;    /* guint: of the findings, the worst first */
  guint        n_rows;
  gboolean     is_inline; /* as high as its rows */
};

G_DEFINE_FINAL_TYPE (CycFindingsView, cyc_findings_view, GTK_TYPE_WIDGET)

static void
cyc_findings_view_dispose (GObject *object)
{
  CycFindingsView *self = CYC_FINDINGS_VIEW (object);

  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_pointer (&self->stack, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_findings_view_parent_class)->dispose (object);
}

static void
cyc_findings_view_finalize (GObject *object)
{
  CycFindingsView *self = CYC_FINDINGS_VIEW (object);

  cyc_findings_free (self->findings);
  g_array_unref (self->order);
  G_OBJECT_CLASS (cyc_findings_view_parent_class)->finalize (object);
}

static void
copy_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  g_autofree char *text = cyc_findings_view_dup_text (CYC_FINDINGS_VIEW (widget));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

static void
select_all_cb (GtkWidget  *widget,
               const char *name,
               GVariant   *parameter)
{
  gtk_list_box_select_all (GTK_LIST_BOX (CYC_FINDINGS_VIEW (widget)->list));
}

static void
popup_at (CycFindingsView    *self,
          const GdkRectangle *at)
{
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), at);
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
menu_cb (GtkWidget  *widget,
         const char *name,
         GVariant   *parameter)
{
  CycFindingsView *self = CYC_FINDINGS_VIEW (widget);
  GtkWidget *row = gtk_widget_get_focus_child (self->list);
  graphene_rect_t bounds;

  if (row == NULL || !gtk_widget_compute_bounds (row, widget, &bounds))
    return;
  gtk_list_box_select_row (GTK_LIST_BOX (self->list), GTK_LIST_BOX_ROW (row));
  popup_at (self, &(GdkRectangle) { (int) bounds.origin.x + 24, (int) bounds.origin.y, 1,
                                    (int) bounds.size.height });
}

static void
cyc_findings_view_class_init (CycFindingsViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = cyc_findings_view_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_findings_view_finalize;
  gtk_widget_class_install_action (widget_class, "findings.copy", NULL, copy_cb);
  gtk_widget_class_install_action (widget_class, "findings.select-all", NULL, select_all_cb);
  gtk_widget_class_install_action (widget_class, "findings.menu", NULL, menu_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "findings.copy", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "findings.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "findings.menu", NULL);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "findingsview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
right_click_cb (GtkGestureClick *gesture,
                int              n_press,
                double           x,
                double           y,
                CycFindingsView *self)
{
  GtkListBoxRow *row = gtk_list_box_get_row_at_y (GTK_LIST_BOX (self->list), (int) y);
  graphene_point_t at;

  if (row == NULL || !gtk_widget_compute_point (self->list, GTK_WIDGET (self),
                                                &GRAPHENE_POINT_INIT ((float) x, (float) y), &at))
    return;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  if (!gtk_list_box_row_is_selected (row))
    {
      gtk_list_box_unselect_all (GTK_LIST_BOX (self->list));
      gtk_list_box_select_row (GTK_LIST_BOX (self->list), row);
    }
  popup_at (self, &(GdkRectangle) { (int) at.x, (int) at.y, 1, 1 });
}

static GtkWidget *
add_label (GtkWidget  *box,
           const char *text,
           const char *css_class)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

/* Where it is: FILE:LINE. */
static char *
dup_place (const CycFinding *finding)
{
  if (finding->file == NULL)
    return NULL;
  g_autofree char *file = cyc_format_printable (finding->file);
  return finding->line == 0 ? g_steal_pointer (&file)
                            : g_strdup_printf ("%s:%" G_GUINT64_FORMAT, file, finding->line);
}

static GtkWidget *
make_row (const CycFinding *finding)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *status = cyc_status_new ();
  g_autofree char *place = dup_place (finding);
  g_autofree char *whole = cyc_finding_words_dup_line (finding);
  const char *words = cyc_finding_words_get (finding->code);
  const char *remedy = cyc_finding_words_get_remedy (finding);
  g_autofree char *name = g_strdup_printf ("%s: %s", cyc_status_severity_word (finding->severity), whole);

  cyc_status_set_severity (CYC_STATUS (status), finding->severity);
  cyc_status_set_whole (CYC_STATUS (status));
  gtk_widget_set_valign (status, GTK_ALIGN_START);
  gtk_widget_add_css_class (status, "severity");
  gtk_widget_set_hexpand (texts, TRUE);
  if (words != NULL)
    add_label (texts, words, "words");
  add_label (texts, finding->text, words != NULL ? "detail" : NULL);
  if (place != NULL)
    add_label (texts, place, "place");
  if (remedy != NULL)
    add_label (texts, remedy, "remedy");
  gtk_box_append (GTK_BOX (box), status);
  gtk_box_append (GTK_BOX (box), texts);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  return row;
}

/* The states of all rows are as wide as the widest. */
static void
add_rows (CycFindingsView *self)
{
  g_autoptr (GtkSizeGroup) group = gtk_size_group_new (GTK_SIZE_GROUP_HORIZONTAL);
  guint end = MIN (self->order->len, self->n_rows + ROWS_AT_ONCE);

  for (; self->n_rows < end; self->n_rows++)
    {
      const CycFinding *finding = cyc_findings_get (self->findings,
                                                    g_array_index (self->order, guint, self->n_rows));
      GtkWidget *row = make_row (finding);
      gtk_size_group_add_widget (group, gtk_widget_get_first_child (
                                          gtk_list_box_row_get_child (GTK_LIST_BOX_ROW (row))));
      gtk_list_box_append (GTK_LIST_BOX (self->list), row);
    }
  guint left = self->order->len - self->n_rows;
  g_autofree char *text = g_strdup_printf (ngettext ("Show %u More", "Show %u More", left), left);
  gtk_button_set_label (GTK_BUTTON (self->more), text);
  gtk_widget_set_visible (self->more, left > 0);
}

static void
make_menu (CycFindingsView *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  g_menu_append (menu, _("_Copy"), "findings.copy");
  g_menu_append (menu, _("Select _All"), "findings.select-all");
  self->menu = gtk_popover_menu_new_from_model (G_MENU_MODEL (menu));
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (right_click_cb), self);
  gtk_widget_add_controller (self->list, GTK_EVENT_CONTROLLER (click));
}

static void
cyc_findings_view_init (CycFindingsView *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  cyc_widgets_init ();
  self->findings = cyc_findings_new ();
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->list = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->list), GTK_SELECTION_MULTIPLE);
  gtk_list_box_set_show_separators (GTK_LIST_BOX (self->list), TRUE);
  self->more = gtk_button_new ();
  gtk_widget_set_halign (self->more, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_bottom (self->more, 6);
  g_signal_connect_swapped (self->more, "clicked", G_CALLBACK (add_rows), self);
  gtk_box_append (GTK_BOX (box), self->list);
  gtk_box_append (GTK_BOX (box), self->more);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  self->stack = gtk_stack_new ();
  gtk_stack_add_named (GTK_STACK (self->stack), scrolled, "rows");
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  make_menu (self);
  cyc_findings_view_set_empty (self, cyc_empty_state_new ("emblem-ok-symbolic", _("No Findings"),
                                                          _("Nothing was found that is worth telling.")));
}

/**
 * cyc_findings_view_new:
 * @label: its name for assistive technology, such as "Findings of the trace"
 *
 * Returns: (transfer floating): a view without findings
 */
GtkWidget *
cyc_findings_view_new (const char *label)
{
  g_return_val_if_fail (label != NULL, NULL);

  CycFindingsView *self = g_object_new (CYC_TYPE_FINDINGS_VIEW, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  return GTK_WIDGET (self);
}

static void
put_in_order (CycFindingsView *self)
{
  guint n = cyc_findings_get_length (self->findings);

  g_array_set_size (self->order, 0);
  for (guint severity = 0; severity < CYC_N_SEVERITIES; severity++)
    for (guint i = 0; i < n; i++)
      if (cyc_findings_get (self->findings, i)->severity == (CycSeverity) severity)
        g_array_append_val (self->order, i);
}

/**
 * cyc_findings_view_set_findings:
 * @self: a view
 * @findings: (nullable): what to show, copied; %NULL for nothing
 */
void
cyc_findings_view_set_findings (CycFindingsView   *self,
                                const CycFindings *findings)
{
  g_return_if_fail (CYC_IS_FINDINGS_VIEW (self));

  GtkWidget *row;
  while ((row = gtk_widget_get_first_child (self->list)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->list), row);
  cyc_findings_free (self->findings);
  self->findings = cyc_findings_new ();
  if (findings != NULL)
    cyc_findings_append (self->findings, findings);
  self->n_rows = 0;
  put_in_order (self);
  add_rows (self);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), self->order->len > 0 ? "rows" : "empty");
  if (self->is_inline)
    gtk_widget_set_visible (GTK_WIDGET (self), self->order->len > 0);
}

/**
 * cyc_findings_view_set_empty:
 * @self: a view
 * @child: what is shown while there are no findings
 */
void
cyc_findings_view_set_empty (CycFindingsView *self,
                             GtkWidget       *child)
{
  g_return_if_fail (CYC_IS_FINDINGS_VIEW (self));
  g_return_if_fail (GTK_IS_WIDGET (child));

  GtkWidget *old = gtk_stack_get_child_by_name (GTK_STACK (self->stack), "empty");
  if (old != NULL)
    gtk_stack_remove (GTK_STACK (self->stack), old);
  gtk_stack_add_named (GTK_STACK (self->stack), child, "empty");
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), self->order->len > 0 ? "rows" : "empty");
}

/**
 * cyc_findings_view_set_inline:
 * @self: a view, just made
 *
 * Makes it as high as its rows, for something that scrolls as a whole. Without findings it is hidden.
 */
void
cyc_findings_view_set_inline (CycFindingsView *self)
{
  g_return_if_fail (CYC_IS_FINDINGS_VIEW (self));

  GtkWidget *box = g_object_ref (gtk_widget_get_parent (self->list));
  GtkWidget *scrolled = gtk_stack_get_child_by_name (GTK_STACK (self->stack), "rows");
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (scrolled));

  gtk_viewport_set_child (GTK_VIEWPORT (viewport), NULL);
  gtk_stack_remove (GTK_STACK (self->stack), scrolled);
  gtk_stack_add_named (GTK_STACK (self->stack), box, "rows");
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  g_object_unref (box);
  self->is_inline = TRUE;
  gtk_widget_set_visible (GTK_WIDGET (self), self->order->len > 0);
}

/**
 * cyc_findings_view_dup_summary:
 * @self: a view
 *
 * Returns: (transfer full): how many there are of each kind, such as "2 errors, 1 note"
 */
char *
cyc_findings_view_dup_summary (CycFindingsView *self)
{
  g_return_val_if_fail (CYC_IS_FINDINGS_VIEW (self), NULL);

  gulong errors = (gulong) cyc_findings_count (self->findings, CYC_SEVERITY_ERROR);
  gulong warnings = (gulong) cyc_findings_count (self->findings, CYC_SEVERITY_WARNING);
  gulong notes = (gulong) cyc_findings_count (self->findings, CYC_SEVERITY_NOTE);
  g_autoptr (GPtrArray) parts = g_ptr_array_new_with_free_func (g_free);
  if (errors > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%lu error", "%lu errors", errors), errors));
  if (warnings > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%lu warning", "%lu warnings", warnings), warnings));
  if (notes > 0)
    g_ptr_array_add (parts, g_strdup_printf (ngettext ("%lu note", "%lu notes", notes), notes));
  if (parts->len == 0)
    return g_strdup (_("No findings"));
  g_ptr_array_add (parts, NULL);
  return g_strjoinv (", ", (char **) parts->pdata);
}

/**
 * cyc_findings_view_dup_text:
 * @self: a view
 *
 * Returns: (transfer full): the selected findings, or all if none is, a line each
 */
char *
cyc_findings_view_dup_text (CycFindingsView *self)
{
  g_return_val_if_fail (CYC_IS_FINDINGS_VIEW (self), NULL);

  GList *selected = gtk_list_box_get_selected_rows (GTK_LIST_BOX (self->list));
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < self->order->len; i++)
    {
      GtkListBoxRow *row = gtk_list_box_get_row_at_index (GTK_LIST_BOX (self->list), (int) i);
      const CycFinding *finding = cyc_findings_get (self->findings, g_array_index (self->order, guint, i));
      if (selected != NULL && (row == NULL || !gtk_list_box_row_is_selected (row)))
        continue;
      g_autofree char *text = cyc_finding_words_dup_line (finding);
      g_string_append_printf (out, "%s: %s\n", cyc_status_severity_word (finding->severity), text);
    }
  g_list_free (selected);
  return g_string_free (out, FALSE);
}
