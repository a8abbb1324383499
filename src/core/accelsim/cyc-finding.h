/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"

G_BEGIN_DECLS

/**
 * CycSeverity:
 * @CYC_SEVERITY_ERROR: the simulation would fail, or its numbers would be wrong
 * @CYC_SEVERITY_WARNING: something was repaired or left out, or may go wrong
 * @CYC_SEVERITY_NOTE: good to know
 */
typedef enum
{
  CYC_SEVERITY_ERROR,
  CYC_SEVERITY_WARNING,
  CYC_SEVERITY_NOTE,
} CycSeverity;

#define CYC_N_SEVERITIES (CYC_SEVERITY_NOTE + 1)

/* What is worth telling about an input: the objects of `trace check`. */
typedef struct
{
  CycSeverity  severity;
  char        *code;    /* a stable word, such as "kernel_file_missing" */
  char        *file;    /* NULL = null */
  guint64      line;    /* counted from 1; 0 = null */
  char        *text;    /* what is wrong and what was expected; no full stop */
  char        *remedy;  /* what to do; NULL = null */
} CycFinding;

typedef struct _CycFindings CycFindings;

const char       *cyc_severity_to_string   (CycSeverity         severity);

CycFindings      *cyc_findings_new         (void);
void              cyc_findings_free        (CycFindings        *self);
void              cyc_findings_add         (CycFindings        *self,
                                            CycSeverity         severity,
                                            const char         *code,
                                            const char         *file,
                                            guint64             line,
                                            const char         *remedy,
                                            const char         *format,
                                            ...) G_GNUC_PRINTF (7, 8);
void              cyc_findings_add_error   (CycFindings        *self,
                                            CycSeverity         severity,
                                            const char         *code,
                                            const char         *file,
                                            const char         *remedy,
                                            const GError       *error);
void              cyc_findings_append      (CycFindings        *self,
                                            const CycFindings  *other);
guint             cyc_findings_get_length  (const CycFindings  *self);
const CycFinding *cyc_findings_get         (const CycFindings  *self,
                                            guint               index);
guint64           cyc_findings_count       (const CycFindings  *self,
                                            CycSeverity         severity);
const CycFinding *cyc_findings_find        (const CycFindings  *self,
                                            const char         *code);
const CycFinding *cyc_findings_first_error (const CycFindings  *self);
char             *cyc_finding_to_string    (const CycFinding   *self);
void              cyc_findings_write_json  (const CycFindings  *self,
                                            CycJsonWriter      *writer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycFindings, cyc_findings_free)

G_END_DECLS
