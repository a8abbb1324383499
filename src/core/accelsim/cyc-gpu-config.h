/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-finding.h"
#include "core/model/cyc-records.h"

G_BEGIN_DECLS

/* One occurrence of an option in a configuration file. */
typedef struct
{
  char     *name;      /* with its dash: "-gpgpu_n_clusters" */
  char     *value;     /* quotes taken off, lines of a quoted value joined by one blank */
  char     *file;      /* path of the file */
  guint64   line;      /* of the option's name, counted from 1 */
  gboolean  effective; /* the last occurrence of its name: the one that counts */
} CycConfigOption;

/* A GPU configuration: a folder of the simulator's `tested-cfgs`, in one tree or two. Filled in
 * once, then never changed; reference counts are atomic. */
typedef struct
{
  char        *name;            /* of the folder */
  char        *arch;            /* such as "sm_86"; "unknown" if nothing says so */
  double       core_clock_mhz;  /* 0 if it is not given */
  char        *declared_arch;   /* of -gpgpu_compute_capability_*; NULL if not given */
  char        *gpgpusim_config; /* path; NULL if missing */
  char        *trace_config;    /* path; NULL if missing */
  GPtrArray   *files;           /* of char *: paths to stage, by name: configs, .icnt, .xml, .csv */
  GPtrArray   *options;         /* of CycConfigOption: every occurrence, in the order read */
  CycFindings *findings;
  GHashTable  *by_name;         /* private: name → effective CycConfigOption */
} CycGpuConfig;

CycGpuConfig          *cyc_gpu_config_new           (const char          *name);
CycGpuConfig          *cyc_gpu_config_ref           (CycGpuConfig        *self);
void                   cyc_gpu_config_unref         (CycGpuConfig        *self);
void                   cyc_gpu_config_parse         (CycGpuConfig        *self,
                                                     const char          *text,
                                                     gsize                len,
                                                     const char          *source);
gboolean               cyc_gpu_config_read_file     (CycGpuConfig        *self,
                                                     const char          *path);
void                   cyc_gpu_config_add_option    (CycGpuConfig        *self,
                                                     const CycConfigOption *option);
gboolean               cyc_gpu_config_add_override  (CycGpuConfig        *self,
                                                     const char          *option,
                                                     GError             **error);
void                   cyc_gpu_config_finish        (CycGpuConfig        *self);
CycGpuConfig          *cyc_gpu_config_copy          (const CycGpuConfig  *self);
const CycConfigOption *cyc_gpu_config_find_option   (const CycGpuConfig  *self,
                                                     const char          *name);
gboolean               cyc_gpu_config_get_uint      (const CycGpuConfig  *self,
                                                     const char          *name,
                                                     guint64             *out_value);
CycGpuConfigRecord    *cyc_gpu_config_to_record     (const CycGpuConfig  *self);
void                   cyc_gpu_config_write_json    (const CycGpuConfig  *self,
                                                     CycJsonWriter       *writer);
void                   cyc_gpu_config_write_diff    (const CycGpuConfig  *a,
                                                     const CycGpuConfig  *b,
                                                     CycJsonWriter       *writer);

gboolean               cyc_arch_is_valid            (const char          *arch);
gboolean               cyc_arch_fits                (const char          *trace_arch,
                                                     const char          *config_arch);
gboolean               cyc_config_option_split      (const char          *text,
                                                     char               **out_name,
                                                     char               **out_value,
                                                     GError             **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycGpuConfig, cyc_gpu_config_unref)

G_END_DECLS
