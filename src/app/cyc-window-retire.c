/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-window-private.h"

#include "widgets/cyc-table-view.h"

/* Pages that the user has left go bit by bit, when the main loop has nothing else to do. */

/* Takes rows out of the tables in @widget. FALSE if there are few left. */
static gboolean
shrink_tables (GtkWidget *widget)
{
  if (CYC_IS_TABLE_VIEW (widget))
    return cyc_table_view_shrink (CYC_TABLE_VIEW (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (shrink_tables (child))
      return TRUE;
  return FALSE;
}

static gboolean
retire_cb (gpointer user_data)
{
  CycWindow *self = user_data;
  GtkWidget *page = g_queue_peek_head (&self->retired);

  /* What happens inside is no reason to lay out the window. */
  gtk_widget_set_visible (page, FALSE);
  if (!shrink_tables (page))
    {
      g_queue_pop_head (&self->retired);
      gtk_stack_remove (self->stack, page);
    }
  if (!g_queue_is_empty (&self->retired))
    return G_SOURCE_CONTINUE;
  self->retire_source = 0;
  return G_SOURCE_REMOVE;
}

/* Removes a page of the stack: at once if that is quickly done. */
void
_cyc_window_retire (CycWindow *self,
                    CycPage   *page)
{
  if (!shrink_tables (GTK_WIDGET (page)))
    {
      gtk_stack_remove (self->stack, GTK_WIDGET (page));
      return;
    }
  g_queue_push_tail (&self->retired, page);
  if (self->retire_source == 0)
    self->retire_source = g_idle_add (retire_cb, self);
}

/* Removes those that are still there. */
void
_cyc_window_drop_retired (CycWindow *self)
{
  g_clear_handle_id (&self->retire_source, g_source_remove);
  for (GtkWidget *page; (page = g_queue_pop_head (&self->retired)) != NULL;)
    gtk_stack_remove (self->stack, page);
}
