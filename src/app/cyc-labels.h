/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-finding.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/**
 * CycLabel:
 * @text: for people, translated
 * @icon_name: of a symbolic icon
 * @css_class: (nullable): style class of the text: `success`, `warning`, `error`, `accent` or `dim-label`
 *
 * How a state is shown, everywhere the same.
 */
typedef struct
{
  const char *text;
  const char *icon_name;
  const char *css_class;
} CycLabel;

CycLabel    cyc_labels_for_trace       (const CycTraceRecord *trace);
CycLabel    cyc_labels_for_run         (const CycRunRecord *run);
CycLabel    cyc_labels_for_sim         (const CycSimRecord *sim);
CycLabel    cyc_labels_for_severity    (CycSeverity         severity);
const char *cyc_labels_for_launcher    (const CycRunRecord *run);
char       *cyc_labels_dup_time        (gint64              real_us);
char       *cyc_labels_dup_entries     (const CycRunRecord *run);
char       *cyc_labels_dup_end         (const CycRunRecord *run);
guint       cyc_labels_count_ended     (const CycRunRecord *run,
                                        guint              *out_total);
guint       cyc_labels_count_failed    (const CycRunRecord *run);
double      cyc_labels_get_elapsed     (const CycRunRecord *run);

G_END_DECLS
