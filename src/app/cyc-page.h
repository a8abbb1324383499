/* SPDX-License-Identifier: MIT */
#pragma once

#include <gtk/gtk.h>

#include "engine/cyc-workspace.h"

G_BEGIN_DECLS

#define CYC_TYPE_PAGE (cyc_page_get_type ())
G_DECLARE_DERIVABLE_TYPE (CycPage, cyc_page, CYC, PAGE, GtkWidget)

/**
 * CycTellFunc:
 * @user_data: as given
 *
 * What the button of a message does.
 */
typedef void (*CycTellFunc) (gpointer user_data);

/**
 * CycPageClass:
 * @shown: it is in front now, and was not before
 * @hidden: another is in front now, or it goes away
 * @is_unsaved: whether changes would be lost with it, which its action `save-and-close` writes into a file first (with
 *   a boolean: the window goes, not only the page); %NULL: never
 *
 * A page that follows something that changes quickly does so only between @shown and @hidden.
 */
struct _CycPageClass
{
  GtkWidgetClass parent_class;

  void (*shown)  (CycPage *self);
  void (*hidden) (CycPage *self);
  gboolean (*is_unsaved) (CycPage *self);
};

CycWorkspace *cyc_page_get_workspace     (CycPage            *self);
const char   *cyc_page_get_title         (CycPage            *self);
void          cyc_page_set_title         (CycPage            *self,
                                          const char         *title);
const char   *cyc_page_get_subtitle      (CycPage            *self);
void          cyc_page_set_subtitle      (CycPage            *self,
                                          const char         *subtitle);
void          cyc_page_set_child         (CycPage            *self,
                                          GtkWidget          *child);
void          cyc_page_set_focus         (CycPage            *self,
                                          GtkWidget          *widget);
void          cyc_page_grab_focus        (CycPage            *self);
void          cyc_page_add_header_widget (CycPage            *self,
                                          GtkWidget          *widget);
GtkWidget    *cyc_page_get_header        (CycPage            *self);
void          cyc_page_add_actions       (CycPage            *self,
                                          const GActionEntry *entries,
                                          guint               n_entries,
                                          gpointer            user_data);
GtkWidget    *cyc_page_create_switcher   (CycPage            *self,
                                          GtkStack           *panes);
void          cyc_page_enable_action     (CycPage            *self,
                                          const char         *name,
                                          gboolean            enabled);
GActionGroup *cyc_page_get_actions       (CycPage            *self);
gboolean      cyc_page_is_shown          (CycPage            *self);
gboolean      cyc_page_is_unsaved        (CycPage            *self);
void          cyc_page_set_shown         (CycPage            *self,
                                          gboolean            shown);
void          cyc_page_tell              (CycPage            *self,
                                          const char         *text,
                                          const char         *label,
                                          CycTellFunc         callback,
                                          gpointer            user_data,
                                          GDestroyNotify      destroy);
void          cyc_page_tell_error        (CycPage            *self,
                                          const char         *what,
                                          const GError       *error);
void          cyc_page_tell_written      (CycPage            *self,
                                          const char         *path);

G_END_DECLS
