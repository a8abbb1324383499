/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-json.h"
#include "core/model/cyc-records-read.h"
#include "core/model/cyc-records.h"

/* Member names and null rules are written out from the service's page of types; ours follow a '+'. */

static JsonObject *
to_object (CycJsonWriter *writer,
           JsonNode     **out_node)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (cyc_json_writer_finish (writer, &error));
  g_autoptr (GString) text = cyc_json_writer_steal (writer);
  *out_node = cyc_json_parse (text->str, text->len, "record", &error);
  g_assert_no_error (error);
  JsonObject *object = cyc_json_node_get_object (*out_node);
  g_assert_nonnull (object);
  return object;
}

/* @expected: NAME=JSON of every member, blanks between them. */
static void
assert_members (JsonObject *object,
                const char *expected)
{
  g_auto (GStrv) members = g_strsplit (expected, " ", -1);

  g_assert_cmpuint (json_object_get_size (object), ==, g_strv_length (members));
  for (guint i = 0; members[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (members[i] + (members[i][0] == '+'), "=", 2);
      g_assert_true (json_object_has_member (object, parts[0]));
      g_autofree char *json = json_to_string (json_object_get_member (object, parts[0]), FALSE);
      g_assert_cmpstr (json, ==, parts[1]);
    }
}

static void
test_gpu_config (void)
{
  g_autoptr (CycGpuConfigRecord) original = cyc_gpu_config_record_new ("SM86_X", "sm_86", 1132.5);
  g_autoptr (CycGpuConfigRecord) record = cyc_gpu_config_record_copy (original);
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (JsonNode) node = NULL;

  cyc_gpu_config_record_write_json (record, writer);
  assert_members (to_object (writer, &node), "name=\"SM86_X\" arch=\"sm_86\" core_clock_mhz=1132.5");
}

static void
test_launch (void)
{
  g_autoptr (CycLaunchRecord) record = cyc_launch_record_new ();
  g_autoptr (CycJsonWriter) first = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (CycJsonWriter) second = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (JsonNode) first_node = NULL;
  g_autoptr (JsonNode) second_node = NULL;

  record->kernel_id = 7;
  record->name = g_strdup ("_Z1av");
  record->grid[0] = 98;
  record->grid[1] = record->grid[2] = record->block[1] = record->block[2] = 1;
  record->block[0] = 1024;
  record->instructions = -1;
  cyc_launch_record_write_json (record, first);
  assert_members (to_object (first, &first_node),
                  "kernel_id=7 name=\"_Z1av\" grid=[98,1,1] block=[1024,1,1] instructions=null");
  record->instructions = 0;
  cyc_launch_record_write_json (record, second);
  assert_members (to_object (second, &second_node),
                  "kernel_id=7 name=\"_Z1av\" grid=[98,1,1] block=[1024,1,1] instructions=0");
}

static JsonObject *
write_trace (const CycTraceRecord *record,
             JsonNode            **out_node)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_trace_record_write_fields (record, writer);
  cyc_json_writer_end_object (writer);
  return to_object (writer, out_node);
}

static void
test_trace (void)
{
  g_autoptr (CycTraceRecord) fresh = cyc_trace_record_new ();
  g_autoptr (JsonNode) fresh_node = NULL;
  g_autoptr (JsonNode) full_node = NULL;

  fresh->id = g_strdup ("opt");
  fresh->created_at = fresh->updated_at = 1764417626000000;
  assert_members (write_trace (fresh, &fresh_node),
                  "id=\"opt\" state=\"uploading\" error=null created_at=\"2025-11-29T12:00:26.000000Z\""
                  " updated_at=\"2025-11-29T12:00:26.000000Z\" model=null layers=[] source_gpu=null"
                  " trace_gpu_arch=\"sm_90\" trace_gpu_arch_known=false suggested_sim_config=null real_gpu_config=null"
                  " sample_sim_configs=[] sample_set=null kernel_count=0 bytes=0 has_real_timing=false"
                  " has_step_timeline=false sample=false");
  /* Who reads that knows no architecture. */
  g_autoptr (CycTraceRecord) back = cyc_trace_record_read (json_node_get_object (fresh_node), NULL);
  g_assert_nonnull (back);
  g_assert_null (back->trace_gpu_arch);

  static const char *const layers[] = { "a", "b", NULL };
  fresh->state = CYC_TRACE_FAILED;
  fresh->error = g_strdup ("why");
  fresh->model = g_strdup ("m");
  g_strfreev (fresh->layers);
  fresh->layers = g_strdupv ((char **) layers);
  fresh->source_gpu = g_strdup ("A100");
  fresh->trace_gpu_arch = g_strdup ("sm_86");
  fresh->suggested_sim_config = g_strdup ("S");
  fresh->real_gpu_config = g_strdup ("R");
  fresh->sample_set = g_strdup ("set");
  fresh->kernel_count = 3;
  fresh->bytes = G_MAXINT64;
  fresh->has_real_timing = fresh->has_step_timeline = fresh->sample = TRUE;
  g_autoptr (CycTraceRecord) copy = cyc_trace_record_copy (fresh);
  assert_members (write_trace (copy, &full_node),
                  "id=\"opt\" state=\"failed\" error=\"why\" created_at=\"2025-11-29T12:00:26.000000Z\""
                  " updated_at=\"2025-11-29T12:00:26.000000Z\" model=\"m\" layers=[\"a\",\"b\"]"
                  " source_gpu=\"A100\" trace_gpu_arch=\"sm_86\" trace_gpu_arch_known=true suggested_sim_config=\"S\""
                  " real_gpu_config=\"R\" sample_sim_configs=[] sample_set=\"set\" kernel_count=3"
                  " bytes=9223372036854775807 has_real_timing=true has_step_timeline=true sample=true");
}

static void
test_run (void)
{
  g_autoptr (CycRunRecord) original = cyc_run_record_new ();
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (JsonNode) node = NULL;

  original->id = g_strdup ("run-0123456789ab");
  original->trace_id = g_strdup ("t");
  original->created_at = 1764417626000001;
  original->replay = TRUE;
  g_ptr_array_add (original->entries, cyc_run_entry_new ("A", 2));
  g_ptr_array_add (original->entries, cyc_run_entry_new ("B", 64));
  original->sim_counts[CYC_SIM_LOST] = 1;
  original->sim_counts[CYC_SIM_SUCCEEDED] = 65;
  original->limit_count = 3;
  cyc_run_record_add_times (original, 1764417629000000, 0);
  cyc_run_record_add_times (original, 0, 1764417632000000);
  cyc_run_record_add_times (original, 1764417628000000, 1764417631000000);
  g_autoptr (CycRunRecord) record = cyc_run_record_copy (original);
  cyc_json_writer_begin_object (writer);
  cyc_run_record_write_fields (record, writer);
  cyc_json_writer_end_object (writer);
  assert_members (to_object (writer, &node),
                  "id=\"run-0123456789ab\" trace_id=\"t\" created_at=\"2025-11-29T12:00:26.000001Z\""
                  " state=\"active\" entries=[{\"gpu_config\":\"A\",\"count\":2},{\"gpu_config\":\"B\",\"count\":64}]"
                  " sim_counts={\"lost\":1,\"succeeded\":65} limit_count=3 sample=false replay=true"
                  " started_at=\"2025-11-29T12:00:28.000000Z\" finished_at=\"2025-11-29T12:00:32.000000Z\"");
}

static void
test_sim (void)
{
  g_autoptr (CycSimRecord) record = cyc_sim_record_new ();
  g_autoptr (CycJsonWriter) first = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (CycJsonWriter) second = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (JsonNode) first_node = NULL;
  g_autoptr (JsonNode) second_node = NULL;

  record->id = g_strdup ("sim-1");
  record->run_id = g_strdup ("run-1");
  record->gpu_config = g_strdup ("A");
  record->created_at = 1764417626000000;
  cyc_sim_record_write_json (record, first);
  assert_members (to_object (first, &first_node),
                  "id=\"sim-1\" run_id=\"run-1\" gpu_config=\"A\" replica=0 state=\"pending\" error=null"
                  " launcher_ref=null created_at=\"2025-11-29T12:00:26.000000Z\" started_at=null"
                  " finished_at=null last_heartbeat_at=null exit_code=null kernels_done=0 kernels_total=0"
                  " current_kernel=null latest={\"gpu_tot_sim_cycle\":null,\"gpu_tot_sim_insn\":null,"
                  "\"gpu_tot_ipc\":null,\"sim_rate_ips\":null} log_tail=[] +outcome=null +reason=null");

  static const char *const tail[] = { "last", NULL };
  record->has_exit_code = TRUE;
  record->exit_code = -11;
  record->latest.gpu_tot_sim_cycle = 46056;
  record->latest.gpu_tot_ipc = 187.5;
  g_strfreev (record->log_tail);
  record->log_tail = g_strdupv ((char **) tail);
  record->outcome = g_strdup ("failed");
  record->reason = g_strdup ("crashed");
  g_autoptr (CycSimRecord) copy = cyc_sim_record_copy (record);
  cyc_sim_record_write_json (copy, second);
  assert_members (to_object (second, &second_node),
                  "id=\"sim-1\" run_id=\"run-1\" gpu_config=\"A\" replica=0 state=\"pending\" error=null"
                  " launcher_ref=null created_at=\"2025-11-29T12:00:26.000000Z\" started_at=null"
                  " finished_at=null last_heartbeat_at=null exit_code=-11 kernels_done=0 kernels_total=0"
                  " current_kernel=null latest={\"gpu_tot_sim_cycle\":46056,\"gpu_tot_sim_insn\":null,"
                  "\"gpu_tot_ipc\":187.5,\"sim_rate_ips\":null} log_tail=[\"last\"]"
                  " +outcome=\"failed\" +reason=\"crashed\"");
}

static JsonObject *
write_kernel (const CycKernelRecord *record,
              JsonNode             **out_node)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);

  cyc_json_writer_begin_object (writer);
  cyc_kernel_record_write_fields (record, writer);
  cyc_json_writer_end_object (writer);
  return to_object (writer, out_node);
}

static void
test_kernel (void)
{
  g_autoptr (CycKernelRecord) record = cyc_kernel_record_new ();
  g_autoptr (JsonNode) first = NULL;
  g_autoptr (JsonNode) second = NULL;

  record->sim_id = g_strdup ("sim-1");
  assert_members (write_kernel (record, &first),
                  "sim_id=\"sim-1\" kernel_index=0 kernel_name=\"\" kernel_launch_uid=null gpu_sim_cycle=null"
                  " gpu_sim_insn=null gpu_ipc=null sim_time_ns=null +partial=false +concurrent=false"
                  " +stream_id=null");
  record->kernel_name = g_strdup ("k");
  record->has_launch_uid = record->has_cycle = record->has_insn = record->has_stream_id = TRUE;
  record->kernel_launch_uid = 3;
  record->gpu_sim_cycle = 9155;
  record->gpu_sim_insn = 966656;
  record->gpu_ipc = 105.5;
  record->sim_time_ns = INFINITY; /* not a number that JSON has */
  record->stream_id = 94504096;
  record->partial = record->concurrent = TRUE;
  g_autoptr (CycKernelRecord) copy = cyc_kernel_record_copy (record);
  assert_members (write_kernel (copy, &second),
                  "sim_id=\"sim-1\" kernel_index=0 kernel_name=\"k\" kernel_launch_uid=3 gpu_sim_cycle=9155"
                  " gpu_sim_insn=966656 gpu_ipc=105.5 sim_time_ns=null +partial=true +concurrent=true"
                  " +stream_id=94504096");
}

static void
test_file (void)
{
  g_autoptr (CycFileRecord) record = cyc_file_record_new ();
  g_autoptr (CycJsonWriter) with = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (CycJsonWriter) without = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (JsonNode) with_node = NULL;
  g_autoptr (JsonNode) without_node = NULL;

  record->name = g_strdup ("stderr.txt");
  record->size = 12;
  record->content_type = g_strdup ("text/plain");
  record->created_at = 1764417626000000;
  record->sim_id = g_strdup ("sim-1");
  record->gpu_config = g_strdup ("A");
  record->replica = 2;
  cyc_file_record_write_json (record, FALSE, without);
  assert_members (to_object (without, &without_node),
                  "name=\"stderr.txt\" size=12 content_type=\"text/plain\""
                  " created_at=\"2025-11-29T12:00:26.000000Z\"");
  cyc_file_record_write_json (record, TRUE, with);
  assert_members (to_object (with, &with_node),
                  "name=\"stderr.txt\" size=12 content_type=\"text/plain\""
                  " created_at=\"2025-11-29T12:00:26.000000Z\" sim_id=\"sim-1\" gpu_config=\"A\" replica=2");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/records/gpu-config", test_gpu_config);
  g_test_add_func ("/core/records/launch", test_launch);
  g_test_add_func ("/core/records/trace", test_trace);
  g_test_add_func ("/core/records/run", test_run);
  g_test_add_func ("/core/records/sim", test_sim);
  g_test_add_func ("/core/records/kernel", test_kernel);
  g_test_add_func ("/core/records/file", test_file);
  return g_test_run ();
}
