/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

/* Which lines were there and could be read. */
typedef enum
{
  CYC_HEADER_KERNEL_NAME = 1 << 0,
  CYC_HEADER_KERNEL_ID = 1 << 1,
  CYC_HEADER_GRID = 1 << 2,
  CYC_HEADER_BLOCK = 1 << 3,
  CYC_HEADER_SHMEM = 1 << 4,
  CYC_HEADER_NREGS = 1 << 5,
  CYC_HEADER_BINARY_VERSION = 1 << 6,
  CYC_HEADER_STREAM = 1 << 7,
  CYC_HEADER_SHMEM_BASE = 1 << 8,
  CYC_HEADER_LOCAL_BASE = 1 << 9,
  CYC_HEADER_NVBIT_VERSION = 1 << 10,
  CYC_HEADER_TRACER_VERSION = 1 << 11,
  CYC_HEADER_LINEINFO = 1 << 12,
} CycHeaderFields;

#define CYC_HEADER_N_FIELDS 13

/* The header of one kernel's trace, tracer versions 1 to 6. */
typedef struct
{
  CycHeaderFields  fields;
  guint            lines[CYC_HEADER_N_FIELDS]; /* for cyc_trace_header_get_line() */
  char            *kernel_name;        /* as written, blanks and ` = ` included; NULL if missing */
  gint64           kernel_id;
  guint64          grid[3];
  guint64          block[3];           /* threads */
  guint64          shmem;              /* bytes per block */
  guint64          nregs;              /* per thread */
  gint64           binary_version;     /* such as 86 */
  guint64          stream_id;          /* unsigned 64 bits, old ones print it signed */
  guint64          shmem_base;
  guint64          local_base;
  char            *nvbit_version;      /* NULL if missing */
  gint64           tracer_version;     /* "1.2" is 1, as the simulator reads it */
  gboolean         enable_lineinfo;
  guint            n_unknown;          /* lines with keys that are not known */
  gboolean         complete;           /* the line with `#` (or the NUL of a .tracez) was seen */
} CycTraceHeader;

CycTraceHeader *cyc_trace_header_parse       (const char            *text,
                                              gsize                  len,
                                              const char            *source,
                                              CycFindings           *findings);
CycTraceHeader *cyc_trace_header_load        (const char            *path,
                                              CycFindings           *findings,
                                              GError               **error);
void            cyc_trace_header_free        (CycTraceHeader        *self);
guint64         cyc_trace_header_get_blocks  (const CycTraceHeader  *self);
guint64         cyc_trace_header_get_threads (const CycTraceHeader  *self);
guint64         cyc_trace_header_get_line    (const CycTraceHeader  *self,
                                              CycHeaderFields        field);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceHeader, cyc_trace_header_free)

G_END_DECLS
