/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-configs.h"

#include <glib/gi18n.h>

#include "cli/cyc-ctl-message.h"
#include "cli/cyc-ctl-options.h"
#include "cli/cyc-ctl-roots.h"
#include "core/base/cyc-format.h"

typedef struct
{
  const CycGpuConfig *a;
  const CycGpuConfig *b;
} Pair;

static void
write_list (CycJsonWriter *writer,
            gpointer       data)
{
  cyc_gpu_configs_write_json (data, writer);
}

static void
write_config (CycJsonWriter *writer,
              gpointer       data)
{
  cyc_gpu_config_write_json (data, writer);
}

static void
write_diff (CycJsonWriter *writer,
            gpointer       data)
{
  const Pair *pair = data;

  cyc_gpu_config_write_diff (pair->a, pair->b, writer);
}

static int
run_list (CycCtlApp  *app,
          GError    **error)
{
  g_autoptr (CycGpuConfigs) configs = cyc_ctl_roots_load_configs (app, TRUE, error);

  if (configs == NULL)
    return CYC_CTL_FAILED;
  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_app_print_json (app, write_list, configs, error);

  g_autoptr (CycCtlTable) table = cyc_ctl_table_new ();
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("NAME"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_TEXT, _("ARCH"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("CORE MHZ"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("FILE"));
  for (guint i = 0; i < configs->configs->len; i++)
    {
      const CycGpuConfig *config = g_ptr_array_index (configs->configs, i);
      cyc_ctl_table_add (table, config->name);
      cyc_ctl_table_add (table, config->arch);
      cyc_ctl_table_take (table, cyc_format_number (config->core_clock_mhz, 0));
      cyc_ctl_table_add (table, config->gpgpusim_config);
    }
  return cyc_ctl_app_print_table (app, table, error);
}

static int
run_show (CycCtlApp  *app,
          GError    **error)
{
  const char *name = cyc_ctl_args_get_argument (cyc_ctl_app_get_args (app), 0);
  g_autoptr (CycGpuConfigs) configs = cyc_ctl_roots_load_configs (app, FALSE, error);
  CycGpuConfig *config = configs == NULL ? NULL : cyc_gpu_configs_get (configs, name, error);

  if (config == NULL)
    return CYC_CTL_FAILED;
  if (cyc_ctl_args_has (cyc_ctl_app_get_args (app), "json"))
    return cyc_ctl_app_print_json (app, write_config, config, error);

  for (guint i = 0; i < cyc_findings_get_length (config->findings); i++)
    {
      g_autofree char *text = cyc_finding_to_string (cyc_findings_get (config->findings, i));
      cyc_ctl_message_print (text);
    }
  g_autoptr (CycCtlTable) table = cyc_ctl_table_new ();
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("OPTION"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("VALUE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("FILE"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_NUMBER, _("LINE"));
  for (guint i = 0; i < config->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (config->options, i);
      if (!option->effective)
        continue;
      cyc_ctl_table_add (table, option->name);
      cyc_ctl_table_add (table, option->value);
      cyc_ctl_table_add (table, option->file);
      cyc_ctl_table_take (table, g_strdup_printf ("%" G_GUINT64_FORMAT, option->line));
    }
  return cyc_ctl_app_print_table (app, table, error);
}

/* Rows for the options of @a; with @only_missing only those that @b lacks, in swapped columns. */
static void
add_diff_rows (CycCtlTable        *table,
               const CycGpuConfig *a,
               const CycGpuConfig *b,
               gboolean            only_missing)
{
  for (guint i = 0; i < a->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (a->options, i);
      const CycConfigOption *other = cyc_gpu_config_find_option (b, option->name);
      if (!option->effective || (only_missing && other != NULL)
          || (other != NULL && g_str_equal (option->value, other->value)))
        continue;
      const char *other_value = other == NULL ? NULL : other->value;
      cyc_ctl_table_add (table, option->name);
      cyc_ctl_table_add (table, only_missing ? other_value : option->value);
      cyc_ctl_table_add (table, only_missing ? option->value : other_value);
    }
}

static int
run_diff (CycCtlApp  *app,
          GError    **error)
{
  CycCtlArgs *args = cyc_ctl_app_get_args (app);
  g_autoptr (CycGpuConfigs) configs = cyc_ctl_roots_load_configs (app, FALSE, error);

  if (configs == NULL)
    return CYC_CTL_FAILED;
  Pair pair = { .a = cyc_gpu_configs_get (configs, cyc_ctl_args_get_argument (args, 0), error) };
  if (pair.a == NULL)
    return CYC_CTL_FAILED;
  pair.b = cyc_gpu_configs_get (configs, cyc_ctl_args_get_argument (args, 1), error);
  if (pair.b == NULL)
    return CYC_CTL_FAILED;
  if (cyc_ctl_app_wants_json (app))
    return cyc_ctl_app_print_json (app, write_diff, &pair, error);

  g_autoptr (CycCtlTable) table = cyc_ctl_table_new ();
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, _("OPTION"));
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, pair.a->name);
  cyc_ctl_table_add_column (table, CYC_CTL_COLUMN_LONG, pair.b->name);
  add_diff_rows (table, pair.a, pair.b, FALSE);
  add_diff_rows (table, pair.b, pair.a, TRUE);
  return cyc_ctl_app_print_table (app, table, error);
}

static const CycCtlOption list_options[] = {
  CYC_CTL_OPTION_JSON,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

static const CycCtlOption diff_options[] = {
  CYC_CTL_OPTION_JSON_ALWAYS,
  CYC_CTL_OPTION_OUTPUT,
  { NULL },
};

const CycCtlCommand cyc_ctl_configs_list = {
  .group = "configs",
  .name = "list",
  .arguments = "",
  .summary = N_("list the GPU configurations that were found"),
  .detail = N_("Configurations are looked for in the folders of --config-root, then in those that the "
               "workspace's settings name, in the simulators' own trees, and in the sample. Of two with "
               "the same name the first counts."),
  .options = list_options,
  .run = run_list,
};

const CycCtlCommand cyc_ctl_configs_show = {
  .group = "configs",
  .name = "show",
  .arguments = "NAME",
  .min_arguments = 1,
  .max_arguments = 1,
  .summary = N_("show all options of a GPU configuration with file and line"),
  .options = list_options,
  .run = run_show,
};

const CycCtlCommand cyc_ctl_configs_diff = {
  .group = "configs",
  .name = "diff",
  .arguments = "A B",
  .min_arguments = 2,
  .max_arguments = 2,
  .summary = N_("show the options in which two GPU configurations differ"),
  .detail = N_("A table on a terminal, JSON otherwise: rows {option, a, b}, null where a configuration "
               "does not name the option."),
  .options = diff_options,
  .run = run_diff,
};
