/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-args.h"
#include "cli/cyc-ctl-output.h"
#include "cli/cyc-ctl-table.h"
#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/**
 * CycCtlJsonFunc:
 * @writer: where to write one value
 * @data: what was given to cyc_ctl_app_print_json()
 */
typedef void (*CycCtlJsonFunc) (CycJsonWriter *writer,
                                gpointer       data);

int           cyc_ctl_app_main           (int           argc,
                                          char        **argv);
CycCtlArgs   *cyc_ctl_app_get_args       (CycCtlApp    *self);
const char   *cyc_ctl_app_get_workspace  (CycCtlApp    *self);
void          cyc_ctl_app_add_hint       (CycCtlApp    *self,
                                          const char   *format,
                                          ...) G_GNUC_PRINTF (2, 3);
gboolean      cyc_ctl_app_wants_progress (CycCtlApp    *self);
gboolean      cyc_ctl_app_wants_json     (CycCtlApp    *self);
gboolean      cyc_ctl_app_check_output   (CycCtlApp    *self,
                                          GError      **error);
CycCtlOutput *cyc_ctl_app_open_output    (CycCtlApp    *self,
                                          GError      **error);
int           cyc_ctl_app_print          (CycCtlApp    *self,
                                          const char   *text,
                                          GError      **error);
int           cyc_ctl_app_print_bytes    (CycCtlApp    *self,
                                          const char   *bytes,
                                          gsize         len,
                                          GError      **error);
int           cyc_ctl_app_print_json     (CycCtlApp    *self,
                                          CycCtlJsonFunc write,
                                          gpointer      data,
                                          GError      **error);
int           cyc_ctl_app_print_table    (CycCtlApp    *self,
                                          CycCtlTable  *table,
                                          GError      **error);
int           cyc_ctl_app_print_tables   (CycCtlApp    *self,
                                          CycCtlTable  *first,
                                          CycCtlTable  *second,
                                          const char   *text,
                                          GError      **error);

G_END_DECLS
