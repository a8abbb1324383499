/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-trace-folder.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "core/accelsim/cyc-real-timing.h"
#include "core/accelsim/cyc-trace-metadata.h"
#include "core/accelsim/cyc-trace-places-private.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"

#define METADATA_LIMIT (8 * 1024 * 1024)

/* What lies in the folder of the kernel files. */
typedef struct
{
  GPtrArray *lists;          /* of char *: names of kernelslist*.g */
  GPtrArray *files;          /* of char *: names of processed kernel files */
  guint      n_raw_lists;
} Inventory;

static void
trace_kernel_free (gpointer data)
{
  CycTraceKernel *self = data;

  g_free (self->path);
  cyc_trace_header_free (self->header);
  g_free (self);
}

/**
 * cyc_trace_folder_free:
 * @self: (transfer full) (nullable): a trace
 */
void
cyc_trace_folder_free (CycTraceFolder *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->kernels);
  g_ptr_array_unref (self->lists);
  g_ptr_array_unref (self->launches);
  cyc_trace_stats_free (self->stats);
  cyc_trace_record_free (self->record);
  cyc_findings_free (self->findings);
  g_free (self->path);
  g_free (self->root);
  g_free (self->traces);
  g_free (self->run_name);
  g_free (self->metadata_json);
  g_free (self->arch);
  g_free (self);
}

static CycTraceFolder *
trace_folder_new (const char     *path,
                  CycTracePlaces *places)
{
  CycTraceFolder *self = g_new0 (CycTraceFolder, 1);
  self->path = g_strdup (path);
  self->root = g_steal_pointer (&places->root);
  self->traces = g_steal_pointer (&places->traces);
  self->lists = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_kernels_list_free);
  self->kernels = g_ptr_array_new_with_free_func (trace_kernel_free);
  self->launches = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_launch_record_free);
  self->stats = cyc_trace_stats_new ();
  self->record = cyc_trace_record_new ();
  self->findings = cyc_findings_new ();
  return self;
}

static void
inventory_clear (Inventory *self)
{
  g_clear_pointer (&self->lists, g_ptr_array_unref);
  g_clear_pointer (&self->files, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Inventory, inventory_clear)

static gboolean
take_inventory (CycTraceFolder  *self,
                Inventory       *inventory,
                GError         **error)
{
  g_autoptr (GPtrArray) names = _cyc_trace_list_names (self->traces, error);
  if (names == NULL)
    return FALSE;
  inventory->lists = g_ptr_array_new_with_free_func (g_free);
  inventory->files = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      if (_cyc_trace_is_list (name))
        g_ptr_array_add (inventory->lists, g_strdup (name));
      else if (_cyc_trace_is_raw_list (name))
        inventory->n_raw_lists++;
      else if (cyc_kernel_file_is_raw (name))
        self->n_raw++;
      else if (cyc_kernel_file_is_trace (name))
        g_ptr_array_add (inventory->files, g_strdup (name));
    }
  return TRUE;
}

static CycKernelsList *
load_list (CycTraceFolder *self,
           const char     *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (self->traces, name, NULL);
  CycKernelsList *list = cyc_kernels_list_load (path, self->findings, &error);

  if (list == NULL)
    cyc_findings_add_error (self->findings, CYC_SEVERITY_ERROR, "list_unreadable", path,
                            N_("check the file and its permissions"), error);
  return list;
}

static void
flag_other_lists (CycTraceFolder *self,
                  guint           n)
{
  const CycKernelsList *used = g_ptr_array_index (self->lists, 0);

  if (n > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "lists_left_out", used->path, 0,
                      N_("import the other contexts as traces of their own"),
                      "kernelslist.g is used; the kernels of %u other list%s beside it are left "
                      "out",
                      n, n == 1 ? "" : "s");
}

/* kernelslist.g goes before those of single contexts; all of these count if there is none, or if
 * it is what a second run of the post-processor leaves: empty. */
static void
choose_lists (CycTraceFolder *self,
              GPtrArray      *names)
{
  g_autoptr (CycKernelsList) main_list = NULL;

  if (g_ptr_array_find_with_equal_func (names, "kernelslist.g", g_str_equal, NULL))
    main_list = load_list (self, "kernelslist.g");
  if (main_list != NULL && (main_list->n_kernels > 0 || names->len == 1))
    {
      g_ptr_array_add (self->lists, g_steal_pointer (&main_list));
      flag_other_lists (self, names->len - 1);
      return;
    }
  if (main_list != NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "list_emptied", main_list->path, 0,
                      N_("put a good list in its place"),
                      "names no kernel, and there are other lists: the post-processor empties it "
                      "when it is run again; the others are used");
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      CycKernelsList *list = g_str_equal (name, "kernelslist.g") ? NULL : load_list (self, name);
      if (list != NULL)
        g_ptr_array_add (self->lists, list);
    }
  if (self->lists->len > 1)
    cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "lists_joined", self->traces, 0, NULL,
                      "%u lists, one for each context: their kernels follow each other in the "
                      "order of the lists' names", self->lists->len);
}

static void
flag_empty_list (CycTraceFolder *self)
{
  guint n_kernels = 0;
  guint n_memcpys = 0;

  for (guint i = 0; i < self->lists->len; i++)
    {
      const CycKernelsList *list = g_ptr_array_index (self->lists, i);
      n_kernels += list->n_kernels;
      n_memcpys += list->n_memcpys;
    }
  if (self->lists->len == 0 || n_kernels > 0)
    return;
  const CycKernelsList *first = g_ptr_array_index (self->lists, 0);
  if (n_memcpys > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "list_only_copies", first->path, 0,
                      N_("run the post-processor again on the raw traces"),
                      "%u copies and no kernel: the simulator aborts", n_memcpys);
  else
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "list_empty", first->path, 0,
                      N_("run the post-processor again on the raw traces"),
                      "names no kernel: the simulator ends at once, with exit status 0 and no "
                      "result");
}

static void
load_header (CycTraceFolder *self,
             CycTraceKernel *kernel)
{
  g_autoptr (GError) error = NULL;
  struct stat st;

  gboolean there = stat (kernel->path, &st) == 0;
  if (there && !S_ISREG (st.st_mode))
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_missing", kernel->list,
                        kernel->entry->line,
                        N_("put the file in its place, or take the line out"),
                        "\"%s\" is %s, expected the trace of a kernel: the simulator stops when it needs it",
                        kernel->entry->text,
                        S_ISDIR (st.st_mode) ? "a folder" : "a pipe, a socket or a device");
      return;
    }
  if (!there)
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "kernel_file_missing", kernel->list,
                        kernel->entry->line,
                        N_("copy the file into the trace's folder, or take the line out"),
                        "\"%s\" is not there: the simulator goes on until it needs it, and then "
                        "stops with exit status 0", kernel->entry->text);
      return;
    }
  kernel->exists = TRUE;
  kernel->bytes = (guint64) st.st_size;
  kernel->header = cyc_trace_header_load (kernel->path, self->findings, &error);
  if (kernel->header == NULL)
    cyc_findings_add_error (self->findings, CYC_SEVERITY_ERROR, "kernel_file_unreadable", kernel->path,
                            N_("check the file and its permissions"), error);
}

static gboolean
load_kernels (CycTraceFolder  *self,
              GCancellable    *cancellable,
              GError         **error)
{
  for (guint i = 0; i < self->lists->len; i++)
    {
      const CycKernelsList *list = g_ptr_array_index (self->lists, i);
      for (guint k = 0; k < list->entries->len; k++)
        {
          const CycListEntry *entry = g_ptr_array_index (list->entries, k);
          if (entry->kind != CYC_LIST_KERNEL)
            continue;
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          CycTraceKernel *kernel = g_new0 (CycTraceKernel, 1);
          kernel->entry = entry;
          kernel->list = list->path;
          g_ptr_array_add (self->kernels, kernel);
          if (!entry->usable)
            continue;
          kernel->path = g_build_filename (self->traces, entry->text, NULL);
          load_header (self, kernel);
        }
    }
  return TRUE;
}

static void
read_stats_in (CycTraceFolder *self,
               const char     *folder)
{
  g_autoptr (GPtrArray) names = _cyc_trace_list_names (folder, NULL);

  for (guint i = 0; names != NULL && i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (_cyc_trace_is_stats (name))
        cyc_trace_stats_read (self->stats, path, self->findings);
    }
}

static void
join_stats (CycTraceFolder *self)
{
  g_autoptr (GHashTable) used = g_hash_table_new (NULL, NULL);

  read_stats_in (self, self->root);
  if (strcmp (self->root, self->traces) != 0)
    read_stats_in (self, self->traces);
  for (guint i = 0; i < self->kernels->len; i++)
    {
      CycTraceKernel *kernel = g_ptr_array_index (self->kernels, i);
      kernel->stats = cyc_trace_stats_find (self->stats, kernel->entry->text);
      if (kernel->stats != NULL)
        g_hash_table_add (used, (gpointer) kernel->stats);
      else if (self->stats->rows->len > 0)
        cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "stats_row_missing", kernel->list,
                          kernel->entry->line, NULL,
                          "the stats have no row for %s: its instructions are not known",
                          kernel->entry->text);
    }
  guint unused = self->stats->rows->len - g_hash_table_size (used);
  if (unused > 0 && self->kernels->len > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "stats_rows_unlisted", self->root, 0, NULL,
                      "%u row%s of the stats belong%s to kernels that the list does not name",
                      unused, unused == 1 ? "" : "s", unused == 1 ? "s" : "");
}

static gint
compare_launches (gconstpointer a,
                  gconstpointer b,
                  gpointer      user_data)
{
  const CycLaunchRecord *const *first = a;
  const CycLaunchRecord *const *second = b;

  return ((*first)->kernel_id > (*second)->kernel_id) -
         ((*first)->kernel_id < (*second)->kernel_id);
}

static void
make_launches (CycTraceFolder *self)
{
  for (guint i = 0; i < self->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->kernels, i);
      const CycTraceHeader *header = kernel->header;
      CycLaunchRecord *launch = cyc_launch_record_new ();
      launch->instructions = -1;
      launch->kernel_id = kernel->entry->kernel_number;
      if (launch->kernel_id < 0)
        launch->kernel_id = header != NULL && (header->fields & CYC_HEADER_KERNEL_ID) != 0
                            ? header->kernel_id : (gint64) i + 1;
      if (kernel->stats != NULL)
        {
          launch->name = g_strdup (kernel->stats->name);
          launch->instructions = kernel->stats->total_insts;
          memcpy (launch->grid, kernel->stats->grid, sizeof launch->grid);
          memcpy (launch->block, kernel->stats->block, sizeof launch->block);
        }
      else if (header != NULL)
        {
          launch->name = g_strdup (header->kernel_name);
          memcpy (launch->grid, header->grid, sizeof launch->grid);
          memcpy (launch->block, header->block, sizeof launch->block);
        }
      if (launch->name == NULL)
        launch->name = g_strdup ("");
      g_ptr_array_add (self->launches, launch);
    }
  /* Stable: kernels of several contexts may share their numbers. */
  g_ptr_array_sort_with_data (self->launches, compare_launches, NULL);
}

/* The newest binary version among the kernels, 0 if no header says; all others are told. */
static gint64
find_arch (CycTraceFolder *self)
{
  gint64 first = 0;
  gint64 newest = 0;
  gboolean mixed = FALSE;

  for (guint i = 0; i < self->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->kernels, i);
      gint64 version = kernel->header == NULL ? 0 : kernel->header->binary_version;
      if (version <= 0)
        continue;
      if (first == 0)
        first = version;
      newest = MAX (newest, version);
      if (version == first || mixed)
        continue;
      mixed = TRUE;
      cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "arch_mixed", kernel->path,
                        cyc_trace_header_get_line (kernel->header, CYC_HEADER_BINARY_VERSION),
                        N_("trace all kernels for one architecture"),
                        "the kernel's binary version is %" G_GINT64_FORMAT ", that of kernels "
                        "before it %" G_GINT64_FORMAT, version, first);
    }
  if (newest > 0 && !mixed)
    self->arch = g_strdup_printf ("sm_%" G_GINT64_FORMAT, newest);
  return newest;
}

static void
read_metadata (CycTraceFolder *self,
               gint64          newest_version)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (self->root, "metadata.json", NULL);
  gsize len = 0;
  g_autofree char *text = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      text = cyc_byte_reader_read_all (path, METADATA_LIMIT, &len, &error);
      if (text == NULL)
        cyc_findings_add_error (self->findings, CYC_SEVERITY_WARNING, "metadata_unreadable", path,
                                N_("correct the file; the trace can be used as it is"), error);
    }
  if (text != NULL && cyc_trace_metadata_parse (text, len, path, self->record, &self->run_name,
                                                self->findings))
    self->metadata_json = g_steal_pointer (&text);
  else
    {
      g_free (self->record->trace_gpu_arch);
      self->record->trace_gpu_arch =
        newest_version > 0 ? g_strdup_printf ("sm_%" G_GINT64_FORMAT, newest_version) : NULL;
    }
  if (self->arch != NULL && g_strcmp0 (self->arch, self->record->trace_gpu_arch) != 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "arch_metadata_differs", path, 0,
                      N_("correct \"trace_gpu_arch\"; the headers decide what the trace fits"),
                      "the trace's architecture is given as %s, but the headers of its kernels say "
                      "%s",
                      self->record->trace_gpu_arch, self->arch);
}

static gboolean
has_file (const CycTraceFolder *self,
          const char           *name)
{
  g_autofree char *path = g_build_filename (self->root, name, NULL);

  return g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

static void
read_extras (CycTraceFolder *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (self->root, "real_timing.json", NULL);

  self->record->has_step_timeline = has_file (self, "corrected_timeline.json") &&
                                    has_file (self, "kernel_mapping.json");
  if (!has_file (self, "real_timing.json"))
    return;
  g_autoptr (CycRealTiming) timing = cyc_real_timing_load (path, self->findings, &error);
  self->record->has_real_timing = timing != NULL;
  if (timing == NULL)
    cyc_findings_add_error (self->findings, CYC_SEVERITY_WARNING, "timing_unreadable", path,
                            N_("correct the file; until then there are no real times"), error);
}

static void
decide_state (CycTraceFolder  *self,
              const Inventory *inventory)
{
  CycTraceRecord *record = self->record;

  record->kernel_count = self->lists->len > 0 ? (gint64) self->kernels->len
                                              : (gint64) (inventory->files->len + self->n_raw);
  self->needs_processing = inventory->lists->len == 0 && self->n_raw > 0;
  if (record->state == CYC_TRACE_FAILED)
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "trace_failed", self->root, 0,
                        N_("trace the program again"), "the profiler says that the trace failed: %s",
                        record->error);
      return;
    }
  if (self->lists->len > 0)
    {
      record->state = CYC_TRACE_READY;
      return;
    }
  if (self->needs_processing)
    {
      record->state = CYC_TRACE_PROCESSING;
      cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "needs_processing", self->traces, 0,
                        N_("name an Accel-Sim installation with its post-processor, or run it "
                           "yourself"),
                        "%u raw traces and no kernelslist.g: they have to be post-processed",
                        self->n_raw);
      return;
    }
  record->state = CYC_TRACE_FAILED;
  record->error = g_strdup_printf ("no kernelslist.g in %s, and %s", self->traces,
                                   inventory->lists->len > 0 ? "no other list that can be read" :
                                   inventory->files->len > 0 ? "kernel files only"
                                                             : "no raw traces to make one from");
  cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "list_missing", self->traces, 0,
                    N_("copy kernelslist.g from where the trace was made"),
                    "no kernelslist.g: nothing says which kernels run and in what order");
}

static void
flag_unlisted (CycTraceFolder  *self,
               const Inventory *inventory)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (g_str_hash, g_str_equal);
  guint n = 0;
  const char *first = NULL;

  for (guint i = 0; i < self->kernels->len; i++)
    {
      const CycTraceKernel *kernel = g_ptr_array_index (self->kernels, i);
      g_hash_table_add (listed, kernel->entry->text);
    }
  for (guint i = 0; i < inventory->files->len && self->lists->len > 0; i++)
    {
      const char *name = g_ptr_array_index (inventory->files, i);
      if (g_hash_table_contains (listed, name))
        continue;
      first = first == NULL ? name : first;
      n++;
    }
  if (n > 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "kernel_files_unlisted", self->traces, 0,
                      NULL,
                      "%u kernel file%s that no list names, such as %s", n, n == 1 ? "" : "s",
                      first);
}

static gboolean
count_bytes (CycTraceFolder  *self,
             GError         **error)
{
  gint64 n_files;
  gint64 n_bytes = 0;

  /* The simulator's scripts make `traces` a link, which the scan does not follow. */
  if (strcmp (self->root, self->traces) != 0 &&
      g_file_test (self->traces, G_FILE_TEST_IS_SYMLINK) &&
      !cyc_trace_folder_scan (self->traces, &n_files, &n_bytes, error))
    return FALSE;
  if (!cyc_trace_folder_scan (self->root, &n_files, &self->record->bytes, error))
    return FALSE;
  self->record->bytes += n_bytes;
  return TRUE;
}

/**
 * cyc_trace_folder_load:
 * @path: the folder of a trace, in one of the forms of cyc_trace_places_find()
 * @cancellable: (nullable): asked before every kernel
 * @error: (nullable): return location for an error
 *
 * Reads everything a trace's folder says, but not the instructions: lists, the headers of all
 * kernels, stats, metadata.json, real_timing.json. What is wrong is told in the findings; a trace
 * that is of no use has the state failed and an error. Reads files: not for the main loop.
 *
 * Returns: (transfer full) (nullable): the trace, %NULL if there is none
 */
CycTraceFolder *
cyc_trace_folder_load (const char    *path,
                       GCancellable  *cancellable,
                       GError       **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autoptr (CycTracePlaces) places = cyc_trace_places_find (path, error);
  if (places == NULL)
    return NULL;
  g_autoptr (CycTraceFolder) self = trace_folder_new (path, places);
  g_auto (Inventory) inventory = { 0 };
  if (!take_inventory (self, &inventory, error) || !count_bytes (self, error))
    return NULL;

  choose_lists (self, inventory.lists);
  flag_empty_list (self);
  if (!load_kernels (self, cancellable, error))
    return NULL;
  flag_unlisted (self, &inventory);
  join_stats (self);
  make_launches (self);
  read_metadata (self, find_arch (self));
  read_extras (self);
  decide_state (self, &inventory);
  return g_steal_pointer (&self);
}

/**
 * cyc_trace_folder_get_arch:
 * @self: a trace
 *
 * Returns: (transfer none) (nullable): the architecture that decides which configurations fit: that of the
 *   kernels' headers, else what metadata.json says; %NULL if there is neither
 */
const char *
cyc_trace_folder_get_arch (const CycTraceFolder *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return self->arch != NULL ? self->arch : self->record->trace_gpu_arch;
}

/**
 * cyc_trace_folder_get_list_text:
 * @self: a trace
 *
 * Returns: (transfer full): the cleaned kernelslist.g to stage, all lists in one
 */
char *
cyc_trace_folder_get_list_text (const CycTraceFolder *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  GString *text = g_string_new (NULL);
  for (guint i = 0; i < self->lists->len; i++)
    cyc_kernels_list_append_text (g_ptr_array_index (self->lists, i), text);
  return g_string_free (text, FALSE);
}
