/* SPDX-License-Identifier: MIT */
#pragma once

#include <gio/gio.h>

#include "core/accelsim/cyc-finding.h"
#include "core/accelsim/cyc-kernels-list.h"
#include "core/accelsim/cyc-trace-header.h"
#include "core/accelsim/cyc-trace-stats.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/* Where the parts of a trace lie. */
typedef struct
{
  char *root;   /* the folder that holds metadata.json, stats_ctx_* and the like */
  char *traces; /* the folder of the lists and the kernel files: root/traces, or root itself */
} CycTracePlaces;

/* One `kernel*` line of the list, with what is known of its file. */
typedef struct
{
  const CycListEntry *entry;  /* owned by the list */
  const char         *list;   /* path of the list */
  char               *path;   /* of the kernel file; NULL if the line is not usable */
  guint64             bytes;  /* as stored; 0 if missing */
  gboolean            exists;
  CycTraceHeader     *header; /* NULL if it could not be read */
  const CycStatsRow  *stats;  /* NULL if there is no row */
} CycTraceKernel;

/* All that a trace's folder says, read once; for one thread at a time. */
typedef struct
{
  char           *path;          /* as asked for */
  char           *root;
  char           *traces;
  GPtrArray      *lists;         /* of CycKernelsList: those in use */
  GPtrArray      *kernels;       /* of CycTraceKernel, in list order */
  CycTraceStats  *stats;
  CycTraceRecord *record;        /* state, error, counts and metadata; no id, no times */
  GPtrArray      *launches;      /* of CycLaunchRecord, by kernel_id */
  char           *run_name;      /* of metadata.json; NULL if it names none */
  char           *metadata_json; /* its text; NULL if missing or not an object */
  char           *arch;          /* "sm_86" if all readable headers agree, else NULL */
  guint           n_raw;         /* raw kernel files, which a post-processor has to convert */
  gboolean        needs_processing; /* raw traces, but no kernelslist.g */
  CycFindings    *findings;
} CycTraceFolder;

CycTracePlaces *cyc_trace_places_find          (const char            *path,
                                                GError               **error);
void            cyc_trace_places_free          (CycTracePlaces        *self);

CycTraceFolder *cyc_trace_folder_load          (const char            *path,
                                                GCancellable          *cancellable,
                                                GError               **error);
void            cyc_trace_folder_free          (CycTraceFolder        *self);
const char     *cyc_trace_folder_get_arch      (const CycTraceFolder  *self);
char           *cyc_trace_folder_get_list_text (const CycTraceFolder  *self);
gboolean        cyc_trace_folder_scan          (const char            *path,
                                                gint64                *out_kernel_files,
                                                gint64                *out_bytes,
                                                GError               **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTracePlaces, cyc_trace_places_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycTraceFolder, cyc_trace_folder_free)

G_END_DECLS
