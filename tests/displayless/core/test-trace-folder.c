/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/accelsim/cyc-trace-folder.h"
#include "core/base/cyc-error.h"
#include "support/test-trace.h"

static CycTraceFolder *
load (TestFolder  folder,
      const char *below)
{
  g_autofree char *path = g_build_filename (folder, below, NULL);
  g_autoptr (GError) error = NULL;
  CycTraceFolder *trace = cyc_trace_folder_load (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (trace);
  return trace;
}

static const CycLaunchRecord *
get_launch (const CycTraceFolder *trace,
            guint                 index)
{
  g_assert_cmpuint (index, <, trace->launches->len);
  return g_ptr_array_index (trace->launches, index);
}

/* The sample that comes with Cyclescope; its README says where the figures are from. */
static void
test_sample (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "..", "samples", "traces",
                                                 "cyclescope-sample", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTraceFolder) trace = cyc_trace_folder_load (path, NULL, &error);

  g_assert_no_error (error);
  g_assert_cmpint (trace->record->state, ==, CYC_TRACE_READY);
  g_assert_cmpint (trace->record->kernel_count, ==, 5);
  g_assert_cmpstr (trace->run_name, ==, "cyclescope-sample");
  g_assert_cmpstr (trace->record->trace_gpu_arch, ==, "sm_86");
  g_assert_cmpstr (trace->arch, ==, "sm_86");
  g_assert_cmpuint (trace->launches->len, ==, 5);
  g_assert_cmpstr (get_launch (trace, 2)->name, ==, "_Z13matrixMulCUDAILi16EEvPfS0_S0_ii");
  g_assert_cmpuint (get_launch (trace, 2)->grid[1], ==, 8);
  g_assert_cmpuint (get_launch (trace, 2)->block[1], ==, 16);
  g_assert_cmpint (cyc_findings_count (trace->findings, CYC_SEVERITY_ERROR), ==, 0);
  g_assert_cmpint (cyc_findings_count (trace->findings, CYC_SEVERITY_WARNING), ==, 0);
}

static void
test_ready (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_kernel (folder, "t/traces/kernel-2.traceg", 86, "-kernel id = 2\n");
  test_trace_write_kernel (folder, "t/traces/kernel-10.traceg.xz", 86, "-kernel id = 10\n");
  test_trace_write_kernel (folder, "t/traces/kernel-3.traceg", 86, "");
  test_trace_write_text (folder, "t/traces/kernelslist.g",
                         "MemcpyHtoD,0x10,4\r\nkernel-10.traceg.xz\r\nkernel-2.traceg\r\n");
  test_trace_write_text (folder, "t/traces/stats.csv",
                         "kernel-2.trace, _Z1fPf, 4, 1, 1, 4, 64, 1, 1, 64, 77,77\n"
                         "kernel-3.trace, _Z1gPf, 4, 1, 1, 4, 64, 1, 1, 64, 78,78\n"
                         "kernel-10.trace.xz, _Z1fPf, 5, 1, 1, 5, 64, 1, 1, 64, ");
  test_trace_write_text (folder, "t/metadata.json", "{\"model\": \"m\", \"trace_gpu_arch\": "
                         "\"sm_86\"}");
  test_trace_write_text (folder, "t/real_timing.json", "{\"kernels\": []}");
  test_trace_write_text (folder, "t/corrected_timeline.json", "{}");

  g_autoptr (CycTraceFolder) trace = load (folder, "t");
  g_assert_cmpint (trace->record->state, ==, CYC_TRACE_READY);
  g_assert_null (trace->record->error);
  g_assert_cmpint (trace->record->kernel_count, ==, 2);
  g_assert_cmpstr (trace->record->model, ==, "m");
  g_assert_true (trace->record->has_real_timing);
  g_assert_false (trace->record->has_step_timeline);
  g_assert_true (g_str_has_prefix (trace->metadata_json, "{\"model\""));
  /* By kernel id; from the row of the file, null where half the row is missing. */
  g_assert_cmpuint (trace->launches->len, ==, 2);
  g_assert_cmpint (get_launch (trace, 0)->kernel_id, ==, 2);
  g_assert_cmpint (get_launch (trace, 0)->instructions, ==, 77);
  g_assert_cmpuint (get_launch (trace, 0)->grid[0], ==, 4);
  g_assert_cmpint (get_launch (trace, 1)->kernel_id, ==, 10);
  g_assert_cmpint (get_launch (trace, 1)->instructions, ==, -1);
  g_assert_cmpuint (get_launch (trace, 1)->grid[0], ==, 5);

  g_autofree char *list = cyc_trace_folder_get_list_text (trace);
  g_assert_cmpstr (list, ==, "MemcpyHtoD,0x10,4\nkernel-10.traceg.xz\nkernel-2.traceg\n");
  g_assert_nonnull (cyc_findings_find (trace->findings, "list_cr"));
  g_assert_nonnull (cyc_findings_find (trace->findings, "stats_row_half"));
  g_assert_nonnull (cyc_findings_find (trace->findings, "stats_rows_unlisted"));
  g_assert_nonnull (cyc_findings_find (trace->findings, "kernel_files_unlisted"));
  g_assert_cmpint (cyc_findings_count (trace->findings, CYC_SEVERITY_ERROR), ==, 0);

  test_trace_write_text (folder, "t/kernel_mapping.json", "{}");
  g_autoptr (CycTraceFolder) again = load (folder, "t");
  g_assert_true (again->record->has_step_timeline);
}

/* No stats and no metadata: everything comes from the headers. */
static void
test_headers_only (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_kernel (folder, "t/kernel-1.traceg", 70, "-grid dim = (3,2,1)\n");
  test_trace_write_text (folder, "t/kernelslist.g", "kernel-1.traceg\n");

  g_autoptr (CycTraceFolder) trace = load (folder, "t");
  g_assert_cmpstr (trace->root, ==, trace->traces);
  g_assert_cmpstr (trace->record->trace_gpu_arch, ==, "sm_70");
  g_assert_cmpstr (cyc_trace_folder_get_arch (trace), ==, "sm_70");
  g_assert_null (trace->metadata_json);
  g_assert_cmpuint (get_launch (trace, 0)->grid[0], ==, 3);
  g_assert_cmpint (get_launch (trace, 0)->instructions, ==, -1);
  g_assert_cmpuint (cyc_findings_get_length (trace->findings), ==, 0);

  /* metadata.json without an architecture means sm_90; the headers still decide what fits. */
  test_trace_write_text (folder, "t/metadata.json", "{}");
  g_autoptr (CycTraceFolder) other = load (folder, "t");
  g_assert_cmpstr (other->record->trace_gpu_arch, ==, "sm_90");
  g_assert_cmpstr (cyc_trace_folder_get_arch (other), ==, "sm_70");
  g_assert_nonnull (cyc_findings_find (other->findings, "arch_metadata_differs"));
}

static void
test_places (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  test_trace_write_text (folder, "hw/device-0/12.4/app/ARGS/traces/kernelslist.g", "");
  test_trace_write_text (folder, "empty/file", "");
  g_autofree char *hw = g_build_filename (folder, "hw", NULL);
  g_autofree char *empty = g_build_filename (folder, "empty", NULL);
  g_autofree char *file = g_build_filename (folder, "empty", "file", NULL);
  g_autofree char *none = g_build_filename (folder, "none", NULL);

  g_autoptr (CycTracePlaces) one = cyc_trace_places_find (hw, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (one->root, "/app/ARGS"));
  g_assert_true (g_str_has_suffix (one->traces, "/app/ARGS/traces"));

  test_trace_write_text (folder, "hw/device-0/12.4/app/B/traces/kernel-1.trace", "");
  g_assert_null (cyc_trace_places_find (hw, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "2 traces"));
  g_assert_nonnull (strstr (error->message, "/app/ARGS/traces"));
  g_assert_nonnull (strstr (error->message, "/app/B/traces"));
  g_clear_error (&error);

  g_assert_null (cyc_trace_places_find (empty, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (cyc_trace_places_find (file, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (cyc_trace_places_find (none, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

/* A link that goes round must not be followed for ever. */
static void
test_links (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  test_trace_write_kernel (folder, "store/kernel-1.traceg", 86, "");
  test_trace_write_text (folder, "store/kernelslist.g", "kernel-1.traceg\n");
  g_autofree char *loop = g_build_filename (folder, "run", "loop", NULL);
  g_autofree char *traces = g_build_filename (folder, "run", "traces", NULL);
  g_autofree char *run = g_path_get_dirname (loop);
  g_assert_cmpint (g_mkdir_with_parents (run, 0700), ==, 0);
  g_assert_cmpint (symlink ("..", loop), ==, 0);

  g_assert_null (cyc_trace_places_find (run, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_INPUT);
  g_assert_cmpint (symlink ("../store", traces), ==, 0);
  g_autoptr (CycTraceFolder) trace = load (folder, "run");
  g_assert_cmpint (trace->record->kernel_count, ==, 1);
  g_assert_cmpint (trace->record->bytes, >, 400);
}

static void
test_processing (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_kernel (folder, "t/traces/kernel-1.trace", 86, "");
  test_trace_write_kernel (folder, "t/traces/kernel-2.trace.xz", 86, "");
  test_trace_write_text (folder, "t/traces/kernelslist", "kernel-1.trace\nkernel-2.trace.xz\n");

  g_autoptr (CycTraceFolder) trace = load (folder, "t");
  g_assert_cmpint (trace->record->state, ==, CYC_TRACE_PROCESSING);
  g_assert_true (trace->needs_processing);
  g_assert_cmpuint (trace->n_raw, ==, 2);
  g_assert_cmpint (trace->record->kernel_count, ==, 2);
  g_assert_nonnull (cyc_findings_find (trace->findings, "needs_processing"));
}

static void
test_failed (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_kernel (folder, "a/traces/kernel-1.traceg", 86, "");
  test_trace_write_text (folder, "b/metadata.json", "{\"status\": \"failed\", \"error\": \"no "
                         "GPU\"}");

  g_autoptr (CycTraceFolder) no_list = load (folder, "a");
  g_assert_cmpint (no_list->record->state, ==, CYC_TRACE_FAILED);
  g_assert_nonnull (no_list->record->error);
  g_assert_nonnull (cyc_findings_find (no_list->findings, "list_missing"));
  g_autoptr (CycTraceFolder) told = load (folder, "b");
  g_assert_cmpint (told->record->state, ==, CYC_TRACE_FAILED);
  g_assert_cmpstr (told->record->error, ==, "no GPU");
}

static void
test_several_lists (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_kernel (folder, "t/kernel-1-ctx_0xa.traceg", 86, "");
  test_trace_write_kernel (folder, "t/kernel-1-ctx_0xb.traceg", 86, "-kernel name = _Z1b\n");
  test_trace_write_text (folder, "t/kernelslist_ctx_0xb.g", "kernel-1-ctx_0xb.traceg\n");
  test_trace_write_text (folder, "t/kernelslist_ctx_0xa.g", "kernel-1-ctx_0xa.traceg\n");
  test_trace_write_text (folder, "t/kernelslist_ctx_0xa", "kernel-1-ctx_0xa.trace\n");

  g_autoptr (CycTraceFolder) joined = load (folder, "t");
  g_autofree char *text = cyc_trace_folder_get_list_text (joined);
  g_assert_cmpstr (text, ==, "kernel-1-ctx_0xa.traceg\nkernel-1-ctx_0xb.traceg\n");
  g_assert_nonnull (cyc_findings_find (joined->findings, "lists_joined"));
  g_assert_cmpstr (get_launch (joined, 1)->name, ==, "_Z1b");

  /* What the post-processor leaves when it is run a second time. */
  test_trace_write_text (folder, "t/kernelslist.g", "");
  g_autoptr (CycTraceFolder) emptied = load (folder, "t");
  g_assert_cmpint (emptied->record->kernel_count, ==, 2);
  g_assert_nonnull (cyc_findings_find (emptied->findings, "list_emptied"));

  test_trace_write_text (folder, "t/kernelslist.g", "kernel-1-ctx_0xb.traceg\n");
  g_autoptr (CycTraceFolder) main_list = load (folder, "t");
  g_assert_cmpint (main_list->record->kernel_count, ==, 1);
  g_assert_nonnull (cyc_findings_find (main_list->findings, "lists_left_out"));
}

static void
test_bad_lists (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_text (folder, "empty/kernelslist.g", "");
  test_trace_write_text (folder, "copies/kernelslist.g", "MemcpyHtoD,0x10,4\n");
  test_trace_write_text (folder, "gone/kernelslist.g", "x\nkernel-9.traceg\nkernel-1;id.traceg\n");

  g_autoptr (CycTraceFolder) empty = load (folder, "empty");
  g_assert_nonnull (cyc_findings_find (empty->findings, "list_empty"));
  g_assert_cmpint (empty->record->kernel_count, ==, 0);
  g_autoptr (CycTraceFolder) copies = load (folder, "copies");
  g_assert_nonnull (cyc_findings_find (copies->findings, "list_only_copies"));
  g_autoptr (CycTraceFolder) gone = load (folder, "gone");
  const CycFinding *missing = cyc_findings_find (gone->findings, "kernel_file_missing");
  g_assert_nonnull (missing);
  g_assert_cmpuint (missing->line, ==, 2);
  g_assert_true (g_str_has_suffix (missing->file, "gone/kernelslist.g"));
  g_assert_cmpuint (cyc_findings_find (gone->findings, "list_name_refused")->line, ==, 3);
  g_assert_cmpint (gone->record->kernel_count, ==, 2);
  g_assert_cmpint (get_launch (gone, 1)->kernel_id, ==, 9);
}

/* Each finding of what cannot be read names the file, and says so once. */
static void
test_unreadable (void)
{
  static const struct { const char *code, *name; } rows[] = {
    { "kernel_file_unreadable", "traces/kernel-1.traceg.xz" },
    { "metadata_unreadable", "metadata.json" },
    { "timing_unreadable", "real_timing.json" },
  };
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_text (folder, "t/traces/kernelslist.g", "kernel-1.traceg.xz\n");
  test_trace_write_text (folder, "t/traces/kernel-1.traceg.xz", "this is no xz");
  test_trace_write_text (folder, "t/metadata.json", "[1");
  test_trace_write_text (folder, "t/real_timing.json", "[1");

  g_autoptr (CycTraceFolder) trace = load (folder, "t");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const CycFinding *finding = cyc_findings_find (trace->findings, rows[i].code);
      g_autofree char *path = g_build_filename (folder, "t", rows[i].name, NULL);
      g_assert_nonnull (finding);
      g_assert_cmpstr (finding->file, ==, path);
      g_assert_null (strstr (finding->text, path));
    }
}

/* "No trace here" would not be true: nobody looked. */
static void
test_closed_folder (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autofree char *path = g_build_filename (folder, "t", NULL);
  gboolean root = geteuid () == 0;
  g_autoptr (GError) error = NULL;

  test_trace_write_text (folder, "t/kernelslist.g", "kernel-1.traceg\n");
  g_assert_cmpint (chmod (folder, 0755), ==, 0);
  g_assert_cmpint (chmod (path, 0), ==, 0);
  if (root)
    g_assert_cmpint (seteuid (65534), ==, 0);
  CycTraceFolder *trace = cyc_trace_folder_load (path, NULL, &error);
  if (root)
    g_assert_cmpint (seteuid (0), ==, 0);
  g_assert_cmpint (chmod (path, 0700), ==, 0);
  g_assert_null (trace);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, "cannot read the folder: Permission denied"));
}

/* A name that is there, but is no file. */
static void
test_folder_for_file (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  test_trace_write_text (folder, "t/traces/kernelslist.g", "MemcpyHtoD,0x10,4\nkernel-1.traceg\n");
  test_trace_write_text (folder, "t/traces/kernel-1.traceg/file", "");

  g_autoptr (CycTraceFolder) trace = load (folder, "t");
  const CycFinding *finding = cyc_findings_find (trace->findings, "kernel_file_missing");
  g_assert_nonnull (finding);
  g_assert_true (g_str_has_suffix (finding->file, "/kernelslist.g"));
  g_assert_cmpuint (finding->line, ==, 2);
  g_assert_nonnull (strstr (finding->text, "\"kernel-1.traceg\" is a folder"));
}

static void
test_scan (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  gint64 files;
  gint64 bytes;
  test_trace_write_text (folder, "t/traces/kernel-1.trace", "12345");
  test_trace_write_text (folder, "t/traces/kernel-2.traceg.xz", "1234567");
  test_trace_write_text (folder, "t/traces/kernelslist", "123");
  test_trace_write_text (folder, "t/a/b/c", "1");
  g_autofree char *path = g_build_filename (folder, "t", NULL);
  g_autofree char *loop = g_build_filename (folder, "t", "loop", NULL);
  g_assert_cmpint (symlink (".", loop), ==, 0);

  g_assert_true (cyc_trace_folder_scan (path, &files, &bytes, &error));
  g_assert_no_error (error);
  g_assert_cmpint (files, ==, 2);
  g_assert_cmpint (bytes, ==, 16);
  g_autofree char *none = g_build_filename (folder, "none", NULL);
  g_assert_false (cyc_trace_folder_scan (none, &files, &bytes, &error));
  g_assert_error (error, CYC_ERROR, CYC_ERROR_NOT_FOUND);
}

static void
test_cancel (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  test_trace_write_text (folder, "t/kernelslist.g", "kernel-9.traceg\n");
  g_autofree char *path = g_build_filename (folder, "t", NULL);

  g_cancellable_cancel (cancellable);
  g_assert_null (cyc_trace_folder_load (path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* A header in a packed file is read without unpacking the body. */
static void
test_packed_header (void)
{
  g_auto (TestFolder) folder = test_folder_new ();
  g_autoptr (GString) text = g_string_new ("-kernel name = f\n-grid dim = (1,1,1)\n"
                                           "-block dim = (1,1,1)\n-binary version = 86\n#t\n");
  for (guint i = 0; i < 20000; i++)
    g_string_append_printf (text, "%08x ffffffff 0 NOP 0 0\n", i * 2654435761u);
  gsize len;
  g_autofree char *packed = test_trace_compress (text->str, text->len, &len);
  /* Half the file is enough, which proves that the rest is not asked for. */
  g_autofree char *path = test_folder_write (folder, "kernel-1.traceg.xz", packed,
                                             (gssize) (len / 2));
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (CycTraceHeader) header = cyc_trace_header_load (path, findings, &error);

  g_assert_no_error (error);
  g_assert_true (header->complete);
  g_assert_cmpstr (header->kernel_name, ==, "f");
  g_assert_cmpuint (cyc_findings_get_length (findings), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/trace-folder/sample", test_sample);
  g_test_add_func ("/core/trace-folder/ready", test_ready);
  g_test_add_func ("/core/trace-folder/headers-only", test_headers_only);
  g_test_add_func ("/core/trace-folder/places", test_places);
  g_test_add_func ("/core/trace-folder/links", test_links);
  g_test_add_func ("/core/trace-folder/processing", test_processing);
  g_test_add_func ("/core/trace-folder/failed", test_failed);
  g_test_add_func ("/core/trace-folder/several-lists", test_several_lists);
  g_test_add_func ("/core/trace-folder/bad-lists", test_bad_lists);
  g_test_add_func ("/core/trace-folder/unreadable", test_unreadable);
  g_test_add_func ("/core/trace-folder/folder-for-file", test_folder_for_file);
  g_test_add_func ("/core/trace-folder/closed", test_closed_folder);
  g_test_add_func ("/core/trace-folder/scan", test_scan);
  g_test_add_func ("/core/trace-folder/cancel", test_cancel);
  g_test_add_func ("/core/trace-folder/packed-header", test_packed_header);
  return g_test_run ();
}
