/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CYC_TEMPLATE_PLAIN,  /* text */
  CYC_TEMPLATE_PRINT,  /* {{ }} */
  CYC_TEMPLATE_FOR,
  CYC_TEMPLATE_ENDFOR,
  CYC_TEMPLATE_IF,
  CYC_TEMPLATE_ELIF,
  CYC_TEMPLATE_ELSE,
  CYC_TEMPLATE_ENDIF,
  CYC_TEMPLATE_SET,
  CYC_TEMPLATE_INCLUDE,
  CYC_TEMPLATE_ASSERT,
} CycTemplatePartKind;

/* A piece of a template: text, or a tag without its brackets and its first word. */
typedef struct
{
  CycTemplatePartKind  kind;
  const char          *text;
  gsize                len;
  guint                line;  /* where @text begins */
  guint                next;  /* of if, elif, else and for: the part that goes on with it or ends it */
} CycTemplatePart;

GArray *cyc_template_split (const char  *file,
                            const char  *text,
                            gsize        len,
                            GError     **error);

G_END_DECLS
