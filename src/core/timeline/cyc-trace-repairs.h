/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CycTraceRepair:
 *
 * What can be wrong in a Chrome trace that is read all the same, and what is in it that is not drawn.
 */
typedef enum
{
  CYC_REPAIR_NOT_CLOSED,       /* the list or the object does not end */
  CYC_REPAIR_CUT,              /* the file ends in the middle of an event */
  CYC_REPAIR_DAMAGED,          /* bytes that are no event were passed over */
  CYC_REPAIR_NOT_OBJECT,       /* an entry of the list is no object */
  CYC_REPAIR_TRAILING_COMMA,   /* a comma before a closing bracket, inside of an event */
  CYC_REPAIR_ESCAPE,           /* a backslash before a character that is none of JSON's, taken as itself */
  CYC_REPAIR_CONTROL,          /* a control character inside of a text */
  CYC_REPAIR_NOT_FINITE,       /* NaN or Infinity where JSON wants a value */
  CYC_REPAIR_UTF8,             /* a text that is not UTF-8 */
  CYC_REPAIR_EXTRA,            /* something after the end of the trace */
  CYC_REPAIR_DUPLICATE_KEY,    /* two members of one name; the last holds */
  CYC_REPAIR_NO_PHASE,         /* an event without ph */
  CYC_REPAIR_NO_TIME,          /* an event without a ts that is a number */
  CYC_REPAIR_NO_PID,           /* an event without pid, which goes to process 0 */
  CYC_REPAIR_NO_DURATION,      /* an X without a dur that is a number */
  CYC_REPAIR_NEGATIVE,         /* an X with a dur below 0 */
  CYC_REPAIR_TEXT_TIME,        /* a ts or dur that is a number written as text */
  CYC_REPAIR_FINE_TIME,        /* a time finer than a picosecond, whose text is kept */
  CYC_REPAIR_FAR,              /* an event too far away to be drawn */
  CYC_REPAIR_OVERLAP,          /* a span that begins in another and ends after it, on a lane of its own */
  CYC_REPAIR_NO_BEGIN,         /* an end without a beginning */
  CYC_REPAIR_NO_END,           /* a beginning without an end, drawn up to the track's end */
  CYC_REPAIR_AMBIGUOUS,        /* two asynchronous spans of one name and id at one time */
  CYC_REPAIR_FLOW,             /* an end of a flow that binds to no span */
  CYC_REPAIR_SERIES,           /* a value of a counter that is no number */
  CYC_REPAIR_OTHER_PHASE,      /* an event of a phase that is not drawn */
} CycTraceRepair;

#define CYC_TRACE_N_REPAIRS (CYC_REPAIR_OTHER_PHASE + 1)

/* The place of what concerns several events. */
#define CYC_TRACE_NOWHERE G_MAXUINT64

/**
 * CycTraceRepairs:
 *
 * How often each repair was made, and the byte of the (unpacked) file where it was first, or CYC_TRACE_NOWHERE.
 */
typedef struct
{
  guint64 counts[CYC_TRACE_N_REPAIRS];
  guint64 first[CYC_TRACE_N_REPAIRS];
} CycTraceRepairs;

void        cyc_trace_repairs_add      (CycTraceRepairs *self,
                                        CycTraceRepair   repair,
                                        guint64          offset);
guint64     cyc_trace_repairs_get_total (const CycTraceRepairs *self);
const char *cyc_trace_repair_get_code  (CycTraceRepair   repair);
const char *cyc_trace_repair_get_text  (CycTraceRepair   repair);

G_END_DECLS
