/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-table-cell-private.h"
#include "widgets/cyc-table-feed.h"
#include "widgets/cyc-table-model.h"
#include "widgets/cyc-table-view.h"

G_BEGIN_DECLS

/* A column: in the view only while it is shown. (GTK 4.8 gives columns that are in the view, but not
 * visible, a width from memory that nobody has set.) */
typedef struct
{
  CycTableView        *view;   /* borrowed: it owns this */
  GtkColumnViewColumn *column;
  CycTableField       *field;
  char                *action; /* which shows and hides it */
  gboolean             shown;
} CycTableSlot;

struct _CycTableView
{
  GtkWidget parent_instance;

  GtkWidget          *tools;
  GtkWidget          *entry;
  GtkWidget          *count;
  GtkWidget          *menu_button;
  GtkWidget          *stack;
  GtkWidget          *scrolled;
  GtkWidget          *view;     /* GtkColumnView */
  GMenuModel         *menu;     /* the context menu; NULL for none */
  GtkWidget          *popover;  /* its widget, made when it is first asked for */

  CycTableModel      *model;
  CycTableFeed       *feed;     /* the model as the view has it */
  gpointer            user_data;
  GPtrArray          *slots;    /* of CycTableSlot, in the order of the columns */
  GHashTable         *cells;    /* item → GPtrArray of CycTableCell, one a column */
  guint               first_seen; /* the rows on the screen, and some around them */
  guint               last_seen;
  GSimpleActionGroup *actions;
  GMenu              *columns_menu;
  GMenu              *show_menu;  /* in columns_menu: a check a column */
  GMenu              *sort_menu;  /* in columns_menu: a choice a column */
  guint               n_serials;  /* of the actions of columns */

  CycTableSort        sorts[CYC_TABLE_MAX_SORTS];
  guint               n_sorts;
  CycTableField      *probed;   /* borrowed: the column that the view sorts by */
  GVariant           *saved;    /* state for columns that are not there yet; NULL for none */
  gboolean            hold;     /* more columns come before the view is to have them */
  gboolean            quiet;    /* the state changes, but not by the user */
  gboolean            to_top;   /* the user sorted: the first rows are wanted */
  guint               state_source;
  guint               header_source;
  guint               dress_source;
};

/* Columns */
CycTableSlot       *_cyc_table_view_find_slot     (CycTableView  *self,
                                                   const char    *id);
GPtrArray          *_cyc_table_view_list_fields   (CycTableView  *self);
void                _cyc_table_view_sync_columns  (CycTableView  *self);
void                _cyc_table_view_add_columns   (CycTableView         *self,
                                                   const CycTableColumn *columns,
                                                   guint                 n_columns);
void                _cyc_table_view_columns_init  (CycTableView  *self);
void                _cyc_table_view_columns_end   (CycTableView  *self);
gboolean            _cyc_table_view_cut_columns   (CycTableView  *self);
void                _cyc_table_view_apply_sorts   (CycTableView  *self);
void                _cyc_table_view_apply_filter  (CycTableView  *self);
void                _cyc_table_slot_free          (CycTableSlot  *self);

/* State */
void                _cyc_table_view_state_changed (CycTableView  *self);
void                _cyc_table_view_state_restore (CycTableView  *self,
                                                   CycTableSlot  *slot);

/* Cells */
GtkListItemFactory *_cyc_table_view_make_factory  (CycTableView  *self,
                                                   CycTableField *field);
guint               _cyc_table_view_find_row      (GtkWidget     *widget);
void                _cyc_table_view_refresh_cells (CycTableView  *self,
                                                   GObject       *item);
void                _cyc_table_view_see           (CycTableView  *self);

/* Menus, keys, copies */
void                _cyc_table_view_menu_init     (CycTableView  *self);
void                _cyc_table_view_menu_rebuild  (CycTableView  *self);
void                _cyc_table_view_menu_class    (GtkWidgetClass *klass);

G_END_DECLS
