/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-controls.h"

/* Controls that show no words of what they are: a tooltip says it, and assistive technology. */

/**
 * cyc_control_set_tooltip:
 * @control: a control
 * @text: (nullable): its tooltip
 *
 * With each tooltip GTK 4.8 asks the display where the pointer is, and waits for several answers, wherever the widget
 * is: not so of one that is not visible. Those that are not on the screen are made so for that moment, and a tooltip
 * that stays is not set again.
 */
void
cyc_control_set_tooltip (GtkWidget  *control,
                         const char *text)
{
  g_return_if_fail (GTK_IS_WIDGET (control));

  if (g_strcmp0 (gtk_widget_get_tooltip_text (control), text) == 0)
    return;
  gboolean hidden = gtk_widget_get_visible (control) && !gtk_widget_get_mapped (control);
  if (hidden)
    gtk_widget_set_visible (control, FALSE);
  gtk_widget_set_tooltip_text (control, text);
  if (hidden)
    gtk_widget_set_visible (control, TRUE);
}

/**
 * cyc_control_set_label:
 * @control: a control
 * @label: what it is, or does
 */
void
cyc_control_set_label (GtkWidget  *control,
                       const char *label)
{
  g_return_if_fail (GTK_IS_WIDGET (control) && label != NULL);

  cyc_control_set_tooltip (control, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

/**
 * cyc_control_button_new:
 * @icon_name: what it shows
 * @label: what it does
 * @action: the action that does it
 *
 * Returns: (transfer floating): a button
 */
GtkWidget *
cyc_control_button_new (const char *icon_name,
                        const char *label,
                        const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon_name);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  cyc_control_set_label (button, label);
  return button;
}

/**
 * cyc_control_menu_button_new:
 * @icon_name: what it shows
 * @label: what the menu is about
 * @menu: the menu
 *
 * Returns: (transfer floating): a button with a menu
 */
GtkWidget *
cyc_control_menu_button_new (const char *icon_name,
                             const char *label,
                             GMenuModel *menu)
{
  GtkWidget *button = gtk_menu_button_new ();

  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), icon_name);
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), menu);
  cyc_control_set_label (button, label);
  return button;
}

/**
 * cyc_control_choice_new:
 * @choices: (array zero-terminated=1): what there is to choose
 * @label: what is chosen
 *
 * Returns: (transfer floating): a drop-down list
 */
GtkWidget *
cyc_control_choice_new (const char *const *choices,
                        const char        *label)
{
  GtkWidget *choice = gtk_drop_down_new_from_strings (choices);

  cyc_control_set_label (choice, label);
  return choice;
}
