/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include "core/accelsim/cyc-gpu-config.h"

/* Any bytes as a configuration file, read twice: as gpgpusim.config and as trace.config. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (CycGpuConfig) config = cyc_gpu_config_new ("SM7_FUZZ");

  cyc_gpu_config_parse (config, (const char *) data, size / 2, "gpgpusim.config");
  cyc_gpu_config_parse (config, (const char *) data + size / 2, size - size / 2, "trace.config");
  cyc_gpu_config_finish (config);
  for (guint i = 0; i < config->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (config->options, i);
      g_assert_true (g_utf8_validate (option->name, -1, NULL));
      g_assert_true (g_utf8_validate (option->value, -1, NULL));
      g_assert_cmpuint (option->line, >, 0);
      g_assert_true (option->effective ==
                     (cyc_gpu_config_find_option (config, option->name) == option));
    }

  g_autoptr (CycGpuConfig) copy = cyc_gpu_config_copy (config);
  g_autofree char *text = g_strndup ((const char *) data, size);
  g_autoptr (GError) error = NULL;
  gboolean taken = cyc_gpu_config_add_override (copy, text, &error);
  g_assert_true (taken == (error == NULL));
  cyc_gpu_config_finish (copy);

  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  cyc_json_writer_begin_array (writer);
  cyc_gpu_config_write_json (config, writer);
  cyc_gpu_config_write_diff (config, copy, writer);
  cyc_json_writer_end_array (writer);
  GString *json = cyc_json_writer_steal (writer);
  g_assert_true (g_utf8_validate_len (json->str, json->len, NULL));
  g_string_free (json, TRUE);
  return 0;
}
