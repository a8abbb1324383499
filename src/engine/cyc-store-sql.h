/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* A prepared statement of SQLite with GLib's manners: bind in order, step, read columns in order.
 * Used on the database thread only. */
typedef struct
{
  sqlite3_stmt *stmt;
  int           bind_index;
} CycSql;

void      cyc_sql_keep_begin   (sqlite3     *db);
void      cyc_sql_keep_end     (void);
gboolean  cyc_sql_prepare      (CycSql      *self,
                                sqlite3     *db,
                                const char  *text,
                                GError     **error);
void      cyc_sql_clear        (CycSql      *self);
void      cyc_sql_bind_text    (CycSql      *self,
                                const char  *value);
void      cyc_sql_bind_int     (CycSql      *self,
                                gint64       value);
void      cyc_sql_bind_int_or_null (CycSql  *self,
                                    gboolean has,
                                    gint64   value);
void      cyc_sql_bind_double  (CycSql      *self,
                                double       value);
gboolean  cyc_sql_step         (CycSql      *self,
                                gboolean    *out_row,
                                GError     **error);
gboolean  cyc_sql_run          (CycSql      *self,
                                GError     **error);
void      cyc_sql_reset        (CycSql      *self);
char     *cyc_sql_text         (CycSql      *self,
                                int          column);
gint64    cyc_sql_int          (CycSql      *self,
                                int          column);
double    cyc_sql_double       (CycSql      *self,
                                int          column);
gboolean  cyc_sql_is_null      (CycSql      *self,
                                int          column);
void      cyc_sql_set_error    (sqlite3     *db,
                                GError     **error);
gboolean  cyc_sql_exec         (sqlite3     *db,
                                const char  *text,
                                GError     **error);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CycSql, cyc_sql_clear)

G_END_DECLS
