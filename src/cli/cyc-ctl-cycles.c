/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-cycles.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/cyc-ctl-app.h"
#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "core/base/cyc-error.h"
#include "core/cycles/cyc-cycle-json.h"
#include "core/cycles/cyc-cycle-layout.h"
#include "core/cycles/cyc-cycle-window.h"
#include "core/cycles/cyc-trace-merge.h"

static void
tell_unknown (const char *path,
              GPtrArray  *keys)
{
  for (guint i = 0; i < keys->len; i++)
    cyc_ctl_message_hint (_("%s: the key \"%s\" is not known and was left out."), path,
                          (const char *) g_ptr_array_index (keys, i));
}

static int
finish (CycCtlOutput  *output,
        gboolean       written,
        GError       **error)
{
  return written && cyc_ctl_output_commit (output, error) ? CYC_CTL_DONE : CYC_CTL_FAILED;
}

static int
run_decode (CycCtlApp  *app,
            GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  const char *path = cyc_ctl_args_get_argument (args, 0);
  const char *given = cyc_ctl_args_get (args, "meta");
  g_autofree char *meta_path = given != NULL ? g_strdup (given) : cyc_cycle_meta_get_sidecar (path);

  /* Of a name that is wrong nobody wants to hear where its metadata would be. */
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      cyc_error_set_errno (error, ENOENT, path, "cannot open");
      return CYC_CTL_FAILED;
    }
  g_autoptr (CycCycleMeta) meta = cyc_cycle_meta_read_file (meta_path, error);
  if (meta == NULL)
    {
      if (given == NULL)
        cyc_ctl_app_add_hint (app, _("The metadata of %s were looked for there; --meta names another file."), path);
      return CYC_CTL_FAILED;
    }
  g_autoptr (CycCycleBuffer) buffer = cyc_cycle_buffer_read (path, meta, NULL, error);
  if (buffer == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  int status = finish (output, cyc_cycle_json_write (buffer, cyc_ctl_output_write, output, NULL, error), error);
  tell_unknown (meta_path, meta->unknown);
  if (status == CYC_CTL_DONE && buffer->dropped > 0)
    cyc_ctl_message_hint (_("%s: the device dropped %" PRIu64 " records."), path, buffer->dropped);
  return status;
}

static int
run_window (CycCtlApp  *app,
            GError    **error)
{
  const char *path = cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0);
  g_autoptr (GPtrArray) unknown = g_ptr_array_new_with_free_func (g_free);

  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  gboolean written = cyc_cycle_window_write (path, unknown, cyc_ctl_output_write, output, NULL, error);
  tell_unknown (path, unknown);
  return finish (output, written, error);
}

static int
run_layout (CycCtlApp  *app,
            GError    **error)
{
  CycCycleLayout layout;

  if (!cyc_cycle_layout_plan_file (cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0), &layout, error))
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_TRACE, cyc_ctl_output_write, output);
  cyc_cycle_layout_write_json (&layout, writer);
  return finish (output, cyc_json_writer_finish (writer, error), error);
}

static int
run_merge (CycCtlApp  *app,
           GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  CycTraceMergeOptions options = {
    .framework_path = cyc_ctl_args_get_argument (args, 0),
    .internal_path = cyc_ctl_args_get_argument (args, 1),
    .kernel_pattern = cyc_ctl_args_get (args, "kernel-pattern"),
    .kernel_index = cyc_ctl_args_get (args, "kernel-index"),
    .outer_pid = cyc_ctl_args_get (args, "outer-pid"),
    .allow_host_wrapper = cyc_ctl_args_has (args, "allow-host-wrapper"),
  };

  g_autoptr (CycTraceMerge) merge = cyc_trace_merge_new (&options, NULL, error);
  if (merge == NULL)
    return CYC_CTL_FAILED;
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  if (output == NULL)
    return CYC_CTL_FAILED;
  int status = finish (output, cyc_trace_merge_write (merge, cyc_ctl_output_write, output, error), error);
  const char *const *warnings = cyc_trace_merge_get_warnings (merge);
  for (guint i = 0; status == CYC_CTL_DONE && warnings[i] != NULL; i++)
    cyc_ctl_message_hint ("%s", warnings[i]);
  return status;
}

static const CycCtlOption decode_options[] = {
  { "meta", 0, CYC_CTL_VALUE, "META", N_("the buffer's metadata; default NAME.meta.json beside NAME.bin") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption output_options[] = {
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption merge_options[] = {
  { "kernel-pattern", 0, CYC_CTL_ANY, "RE",
    N_("regular expression for the kernel's name in the framework's trace; default made of the kernels' names") },
  { "kernel-index", 0, CYC_CTL_ANY, "N", N_("which of the matching events is the first, from 0 on; default 0") },
  { "outer-pid", 0, CYC_CTL_ANY, "PID", N_("take only events of this process of the framework's trace") },
  { "allow-host-wrapper", 0, CYC_CTL_FLAG, NULL, N_("let an event of the host stand for the kernel") },
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_cycles_decode = {
  .group = "cycles",
  .name = "decode",
  .arguments = "BUFFER",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("turn a profile buffer into Chrome trace JSON"),
  .detail = N_("Checks the buffer and writes every interval of every core, in order of time. Of the metadata "
               "cycle_frequency_mhz or soc_name is needed; all else may be missing."),
  .options = decode_options,
  .run = run_decode,
};

const CycCtlCommand cyc_ctl_cycles_window = {
  .group = "cycles",
  .name = "window",
  .arguments = "WINDOW",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("join the buffers of several invocations in one trace"),
  .detail = N_("The window lists the buffers, named relative to it, with direction, step, invocation_id and "
               "metadata. All times count from the earliest anchor."),
  .options = output_options,
  .run = run_window,
};

const CycCtlCommand cyc_ctl_cycles_layout = {
  .group = "cycles",
  .name = "layout",
  .arguments = "CONFIG",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("plan the profile buffer of a task graph"),
  .detail = N_("Writes how many records the busiest worker makes, the capacities to reserve, and the size of the "
               "buffer."),
  .options = output_options,
  .run = run_layout,
};

const CycCtlCommand cyc_ctl_cycles_merge = {
  .group = "cycles",
  .name = "merge",
  .arguments = "FRAMEWORK INTERNAL",
  .min_arguments = 2,
  .max_arguments = 2,
  .summary = N_("put the intervals of cores under their kernels in a framework's trace"),
  .detail = N_("INTERNAL is what decode or window wrote, or a profile buffer, NAME.bin, with NAME.meta.json beside "
               "it. Its invocations go, in order, to the matching events of the framework's trace, which stays as it "
               "is otherwise. What was merged with what is told in megaKernelTraceMerge, the last key."),
  .options = merge_options,
  .run = run_merge,
};
