/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/access/cyc-template.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_TEMPLATE_UNDEFINED,
  CYC_TEMPLATE_NONE,
  CYC_TEMPLATE_BOOL,
  CYC_TEMPLATE_INT,
  CYC_TEMPLATE_FLOAT,
  CYC_TEMPLATE_TEXT,
  CYC_TEMPLATE_LIST,
} CycTemplateKind;

/* An immutable value; counted. */
typedef struct
{
  grefcount        count;
  CycTemplateKind  kind;
  gint64           integer; /* and of a boolean */
  double           number;
  char            *text;    /* and the name of what is undefined */
  GPtrArray       *list;
  guint            depth;   /* of lists in it */
  guint64          weight;  /* values in it, shared ones as often as they stand there */
} CycTemplateValue;

CycTemplateValue *cyc_template_value_new_undefined (const char       *name);
CycTemplateValue *cyc_template_value_new_none      (void);
CycTemplateValue *cyc_template_value_new_bool      (gboolean          value);
CycTemplateValue *cyc_template_value_new_int       (gint64            value);
CycTemplateValue *cyc_template_value_new_float     (double            value);
CycTemplateValue *cyc_template_value_new_text      (const char       *text,
                                                    gssize            len);
CycTemplateValue *cyc_template_value_new_list      (void);
gboolean          cyc_template_value_append        (CycTemplateValue *list,
                                                    CycTemplateValue *value);
CycTemplateValue *cyc_template_value_ref           (CycTemplateValue *self);
void              cyc_template_value_unref         (CycTemplateValue *self);
gboolean          cyc_template_value_is_true       (const CycTemplateValue *self);
gboolean          cyc_template_value_is_number     (const CycTemplateValue *self,
                                                    double           *out_value);
gboolean          cyc_template_value_equal         (const CycTemplateValue *a,
                                                    const CycTemplateValue *b);
void              cyc_template_value_print         (const CycTemplateValue *self,
                                                    gboolean          quoted,
                                                    GString          *out);
const char       *cyc_template_value_describe      (const CycTemplateValue *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTemplateValue, cyc_template_value_unref)

/* What the evaluation of expressions needs of the expansion around it. */
typedef struct
{
  GHashTable  *names;     /* char *: CycTemplateValue; what is set now */
  guint64     *budget;    /* steps that are left, shared by all of an expansion */
  const char  *file;
  guint        line;      /* of the tag that is evaluated */
  /* Reads a file for include_text (); NULL if that is not possible here. */
  CycTemplateValue *(*include) (const char  *name,
                                gpointer     user_data,
                                GError     **error);
  /* Is told every name that is read; NULL if nobody asks. */
  void        (*notice)   (const char  *name,
                           const char  *fallback,
                           gpointer     user_data);
  gpointer     user_data;
} CycTemplateScope;

/* An expression from @text on; what follows it begins at *@out_end. */
typedef struct
{
  CycTemplateScope *scope;
  const char       *at;
  const char       *end;
  guint             line;  /* at @at */
  guint             depth;
  gboolean          quiet; /* read, but do not evaluate */
} CycTemplateReader;

#define CYC_TEMPLATE_MAX_TEXT (16 * 1024 * 1024)

CycTemplateValue *cyc_template_read_expression (CycTemplateReader *reader,
                                                GError           **error);
CycTemplateValue *cyc_template_read_literal    (const char        *text);
char             *cyc_template_read_name       (CycTemplateReader *reader);
gboolean          cyc_template_take            (CycTemplateReader *reader,
                                                const char        *token);
gboolean          cyc_template_take_word       (CycTemplateReader *reader,
                                                const char        *word);
void              cyc_template_skip_blanks     (CycTemplateReader *reader);
void              cyc_template_fail            (CycTemplateReader *reader,
                                                GError           **error,
                                                const char        *format,
                                                ...) G_GNUC_PRINTF (3, 4);

/* Filters and functions: of @args the first is what stands left of `|`. */
CycTemplateValue *cyc_template_apply_filter    (CycTemplateReader *reader,
                                                const char        *name,
                                                GPtrArray         *args,
                                                GError           **error);
CycTemplateValue *cyc_template_call            (CycTemplateReader *reader,
                                                const char        *name,
                                                GPtrArray         *args,
                                                GError           **error);
CycTemplateValue *cyc_template_binary          (CycTemplateReader *reader,
                                                const char        *op,
                                                CycTemplateValue  *a,
                                                CycTemplateValue  *b,
                                                GError           **error);
gboolean          cyc_template_spend           (CycTemplateReader *reader,
                                                guint64            steps,
                                                GError           **error);

G_END_DECLS
