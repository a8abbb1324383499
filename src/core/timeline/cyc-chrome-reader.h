/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/timeline/cyc-trace-repairs.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_CHROME_ABSENT,
  CYC_CHROME_TEXT,   /* the bytes between the quotes, escapes and all */
  CYC_CHROME_WORD,   /* a number, true, false, null */
  CYC_CHROME_OBJECT, /* with its brackets */
  CYC_CHROME_ARRAY,
} CycChromeKind;

/**
 * CycChromeValue:
 * @text: its bytes in the file
 * @len: how many
 * @kind: what it is
 *
 * The value of a member, as it stands in the file.
 */
typedef struct
{
  const char    *text;
  gsize          len;
  CycChromeKind  kind;
} CycChromeValue;

/* From ph to args. */
#define CYC_CHROME_N_FIELDS 16

/**
 * CycChromeEvent:
 * @offset: byte of the (unpacked) file where it begins
 * @phase: its ph; 0 if it has none or one of several characters
 * @untidy: whether members are not well formed JSON and want cyc_chrome_event_append_members() to become so
 * @members: what stands in the file for every member but name, cat, ph, pid, tid, ts and dur, those with a field
 *   of their own too; an array of CycChromeValue from the key's quote to the value's end
 *
 * An event, valid until the next one is read.
 */
typedef struct
{
  guint64         offset;
  char            phase;
  gboolean        untidy;
  CycChromeValue  ph;
  CycChromeValue  name;
  CycChromeValue  category;
  CycChromeValue  pid;
  CycChromeValue  tid;
  CycChromeValue  ts;
  CycChromeValue  dur;
  CycChromeValue  id;
  CycChromeValue  id2;
  CycChromeValue  scope;         /* of an id */
  CycChromeValue  instant_scope; /* s */
  CycChromeValue  binding_point; /* bp */
  CycChromeValue  bind_id;
  CycChromeValue  flow_in;
  CycChromeValue  flow_out;
  CycChromeValue  args;
  GArray         *members;
} CycChromeEvent;

typedef enum
{
  CYC_CHROME_FAILED = -1,
  CYC_CHROME_END,
  CYC_CHROME_EVENT,
} CycChromeResult;

typedef struct _CycChromeReader CycChromeReader;

CycChromeReader       *cyc_chrome_reader_open         (const char            *path,
                                                       gsize                  piece,
                                                       GError               **error);
void                   cyc_chrome_reader_free         (CycChromeReader       *self);
CycChromeResult        cyc_chrome_reader_next         (CycChromeReader       *self,
                                                       GCancellable          *cancellable,
                                                       GError               **error);
const CycChromeEvent  *cyc_chrome_reader_get_event    (CycChromeReader       *self);
const GString         *cyc_chrome_reader_get_others   (CycChromeReader       *self);
CycTraceRepairs       *cyc_chrome_reader_get_repairs  (CycChromeReader       *self);
const char            *cyc_chrome_reader_get_warning  (CycChromeReader       *self);
double                 cyc_chrome_reader_get_fraction (CycChromeReader       *self);
void                   cyc_chrome_value_init          (CycChromeValue        *value,
                                                       const char            *text,
                                                       gsize                  len);
char                  *cyc_chrome_value_decode        (const CycChromeValue  *value,
                                                       gsize                 *out_len);
gboolean               cyc_chrome_value_has_escapes   (const CycChromeValue  *value);
gboolean               cyc_chrome_event_append_members (const CycChromeEvent *self,
                                                        GString              *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycChromeReader, cyc_chrome_reader_free)

G_END_DECLS
