/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"

G_BEGIN_DECLS

typedef enum
{
  CYC_LIST_KERNEL,  /* a line that begins with `kernel`: a file name */
  CYC_LIST_MEMCPY,  /* `MemcpyHtoD,ADDRESS,SIZE` */
  CYC_LIST_IGNORED, /* everything else: the simulator skips it without a word */
} CycListKind;

typedef struct
{
  CycListKind  kind;
  guint64      line;          /* counted from 1 */
  char        *text;          /* the line without its end, valid UTF-8, at most 4096 bytes */
  gboolean     usable;        /* may be staged: plain name and known ending, or three good fields */
  guint64      address;       /* memcpy: on the GPU */
  guint64      size;          /* memcpy: bytes */
  gint64       kernel_number; /* kernel: the N of kernel-N…; -1 if there is none */
} CycListEntry;

/* One kernelslist.g, read. */
typedef struct
{
  char      *path;
  GPtrArray *entries;   /* of CycListEntry, every line but the empty ones */
  guint      n_kernels; /* lines that begin with `kernel`, usable or not */
  guint      n_memcpys;
  guint      n_ignored;
  guint      n_cr;      /* lines that end in CR */
} CycKernelsList;

CycKernelsList *cyc_kernels_list_parse       (const char           *text,
                                              gsize                 len,
                                              const char           *source,
                                              CycFindings          *findings);
CycKernelsList *cyc_kernels_list_load        (const char           *path,
                                              CycFindings          *findings,
                                              GError              **error);
void            cyc_kernels_list_free        (CycKernelsList       *self);
void            cyc_kernels_list_append_text (const CycKernelsList *self,
                                              GString              *out);

gint64          cyc_kernel_file_get_number   (const char           *name);
char           *cyc_kernel_file_get_stem     (const char           *name);
gboolean        cyc_kernel_file_is_trace     (const char           *name);
gboolean        cyc_kernel_file_is_raw       (const char           *name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycKernelsList, cyc_kernels_list_free)

G_END_DECLS
