/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycBarTable CycBarTable;

/**
 * CycBarSeriesKind:
 * @CYC_BAR_SIMULATED: a configuration
 * @CYC_BAR_MEASURED: the real GPU
 */
typedef enum
{
  CYC_BAR_SIMULATED,
  CYC_BAR_MEASURED,
} CycBarSeriesKind;

CycBarTable      *cyc_bar_table_new               (const char        *counter,
                                                   const char        *unit,
                                                   guint              n_kernels);
CycBarTable      *cyc_bar_table_ref               (CycBarTable       *self);
void              cyc_bar_table_unref             (CycBarTable       *self);
void              cyc_bar_table_set_name          (CycBarTable       *self,
                                                   guint              kernel,
                                                   const char        *name);
guint             cyc_bar_table_add_series        (CycBarTable       *self,
                                                   const char        *name,
                                                   CycBarSeriesKind   kind,
                                                   const double      *values);
void              cyc_bar_table_set_series_reason (CycBarTable       *self,
                                                   guint              series,
                                                   const char        *reason);
void              cyc_bar_table_set_reason        (CycBarTable       *self,
                                                   guint              series,
                                                   guint              kernel,
                                                   const char        *reason);
const char       *cyc_bar_table_get_counter       (const CycBarTable *self);
const char       *cyc_bar_table_get_unit          (const CycBarTable *self);
guint             cyc_bar_table_get_n_kernels     (const CycBarTable *self);
guint             cyc_bar_table_get_n_names       (const CycBarTable *self);
guint             cyc_bar_table_get_name_id       (const CycBarTable *self,
                                                   guint              kernel);
const char       *cyc_bar_table_get_name          (const CycBarTable *self,
                                                   guint              name_id);
const char       *cyc_bar_table_get_label         (const CycBarTable *self,
                                                   guint              name_id);
guint             cyc_bar_table_get_n_launches    (const CycBarTable *self,
                                                   guint              name_id);
guint             cyc_bar_table_get_n_series      (const CycBarTable *self);
const char       *cyc_bar_table_get_series_name   (const CycBarTable *self,
                                                   guint              series);
const char       *cyc_bar_table_get_series_label  (const CycBarTable *self,
                                                   guint              series);
CycBarSeriesKind  cyc_bar_table_get_series_kind   (const CycBarTable *self,
                                                   guint              series);
const double     *cyc_bar_table_get_values        (const CycBarTable *self,
                                                   guint              series);
const char       *cyc_bar_table_get_reason        (const CycBarTable *self,
                                                   guint              series,
                                                   guint              kernel);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycBarTable, cyc_bar_table_unref)

G_END_DECLS
