/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-empty-state.h"

#define ICON_SIZE 64
#define MARGIN 24
#define TEXT_WIDTH 48 /* characters */

/* What a list shows while it has nothing: what it would hold, and what to do next. */
struct _CycEmptyState
{
  GtkWidget parent_instance;

  GtkWidget *box;
  GtkWidget *icon;
  GtkWidget *title;
  GtkWidget *text;
  GtkWidget *buttons;
};

G_DEFINE_FINAL_TYPE (CycEmptyState, cyc_empty_state, GTK_TYPE_WIDGET)

static void
cyc_empty_state_dispose (GObject *object)
{
  CycEmptyState *self = CYC_EMPTY_STATE (object);

  g_clear_pointer (&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS (cyc_empty_state_parent_class)->dispose (object);
}

static void
cyc_empty_state_class_init (CycEmptyStateClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_empty_state_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "emptystate");
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
cyc_empty_state_init (CycEmptyState *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 12);
  gtk_widget_set_valign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_halign (self->box, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (self->box, MARGIN);
  gtk_widget_set_margin_bottom (self->box, MARGIN);
  gtk_widget_set_margin_start (self->box, MARGIN);
  gtk_widget_set_margin_end (self->box, MARGIN);
  self->icon = gtk_image_new ();
  gtk_image_set_pixel_size (GTK_IMAGE (self->icon), ICON_SIZE);
  gtk_widget_add_css_class (self->icon, "dim-label");
  self->title = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->title, "title-2");
  self->text = gtk_label_new (NULL);
  self->buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_set_halign (self->buttons, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (self->buttons, 6);

  GtkWidget *labels[] = { self->title, self->text };
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    {
      gtk_label_set_wrap (GTK_LABEL (labels[i]), TRUE);
      gtk_label_set_justify (GTK_LABEL (labels[i]), GTK_JUSTIFY_CENTER);
      gtk_label_set_max_width_chars (GTK_LABEL (labels[i]), TEXT_WIDTH);
    }
  gtk_box_append (GTK_BOX (self->box), self->icon);
  gtk_box_append (GTK_BOX (self->box), self->title);
  gtk_box_append (GTK_BOX (self->box), self->text);
  gtk_box_append (GTK_BOX (self->box), self->buttons);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
}

/**
 * cyc_empty_state_new:
 * @icon_name: (nullable): a symbolic icon
 * @title: what is not there
 * @text: (nullable): what to do next
 *
 * Returns: (transfer floating): a new widget
 */
GtkWidget *
cyc_empty_state_new (const char *icon_name,
                     const char *title,
                     const char *text)
{
  CycEmptyState *self = g_object_new (CYC_TYPE_EMPTY_STATE, NULL);

  gtk_image_set_from_icon_name (GTK_IMAGE (self->icon), icon_name);
  gtk_widget_set_visible (self->icon, icon_name != NULL);
  cyc_empty_state_set_title (self, title);
  cyc_empty_state_set_text (self, text);
  return GTK_WIDGET (self);
}

/**
 * cyc_empty_state_set_title:
 * @self: an empty state
 * @title: what is not there
 */
void
cyc_empty_state_set_title (CycEmptyState *self,
                           const char    *title)
{
  g_return_if_fail (CYC_IS_EMPTY_STATE (self));

  gtk_label_set_text (GTK_LABEL (self->title), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

/**
 * cyc_empty_state_set_text:
 * @self: an empty state
 * @text: (nullable): what to do next
 */
void
cyc_empty_state_set_text (CycEmptyState *self,
                          const char    *text)
{
  g_return_if_fail (CYC_IS_EMPTY_STATE (self));

  gtk_label_set_text (GTK_LABEL (self->text), text != NULL ? text : "");
  gtk_widget_set_visible (self->text, text != NULL);
}

/**
 * cyc_empty_state_add_button:
 * @self: an empty state
 * @label: what it does
 * @action_name: detailed name of an action, such as `win.import`
 *
 * Adds a button below the text; the first is the suggested one.
 */
void
cyc_empty_state_add_button (CycEmptyState *self,
                            const char    *label,
                            const char    *action_name)
{
  g_return_if_fail (CYC_IS_EMPTY_STATE (self));

  GtkWidget *button = gtk_button_new_with_mnemonic (label);
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), action_name);
  if (gtk_widget_get_first_child (self->buttons) == NULL)
    gtk_widget_add_css_class (button, "suggested-action");
  gtk_box_append (GTK_BOX (self->buttons), button);
}
