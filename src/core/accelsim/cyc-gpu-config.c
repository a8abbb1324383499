/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-gpu-config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/accelsim/cyc-config-tokens-private.h"
#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* The largest file shipped has 10 KB. */
#define FILE_LIMIT (4 * 1024 * 1024)

#define OPTION_CLOCKS "-gpgpu_clock_domains"
#define OPTION_MAJOR "-gpgpu_compute_capability_major"
#define OPTION_MINOR "-gpgpu_compute_capability_minor"

static void
config_option_free (gpointer data)
{
  CycConfigOption *self = data;

  g_free (self->name);
  g_free (self->value);
  g_free (self->file);
  g_free (self);
}

/**
 * cyc_gpu_config_new:
 * @name: the name of the configuration: that of its folder
 *
 * Returns: (transfer full): a configuration without options, to be filled by
 *   cyc_gpu_config_read_file() and closed by cyc_gpu_config_finish()
 */
CycGpuConfig *
cyc_gpu_config_new (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  CycGpuConfig *self = g_atomic_rc_box_new0 (CycGpuConfig);
  self->name = g_strdup (name);
  self->arch = g_strdup ("unknown");
  self->files = g_ptr_array_new_with_free_func (g_free);
  self->options = g_ptr_array_new_with_free_func (config_option_free);
  self->by_name = g_hash_table_new (g_str_hash, g_str_equal);
  self->findings = cyc_findings_new ();
  return self;
}

/**
 * cyc_gpu_config_ref:
 * @self: a configuration
 *
 * Returns: (transfer full): @self, on any thread
 */
CycGpuConfig *
cyc_gpu_config_ref (CycGpuConfig *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
gpu_config_clear (gpointer data)
{
  CycGpuConfig *self = data;

  g_hash_table_unref (self->by_name);
  g_ptr_array_unref (self->options);
  g_ptr_array_unref (self->files);
  cyc_findings_free (self->findings);
  g_free (self->name);
  g_free (self->arch);
  g_free (self->declared_arch);
  g_free (self->gpgpusim_config);
  g_free (self->trace_config);
}

/**
 * cyc_gpu_config_unref:
 * @self: (transfer full) (nullable): a configuration
 */
void
cyc_gpu_config_unref (CycGpuConfig *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, gpu_config_clear);
}

static void
flag_duplicate (CycGpuConfig          *self,
                const CycConfigOption *old,
                const CycConfigOption *new)
{
  gboolean same = strcmp (old->value, new->value) == 0;

  cyc_findings_add (self->findings, same ? CYC_SEVERITY_NOTE : CYC_SEVERITY_WARNING,
                    "config_option_repeated", new->file, new->line,
                    same ? NULL : N_("remove the one that is not meant"),
                    "%s is given again: \"%s\" counts, \"%s\" of %s:%" G_GUINT64_FORMAT " does not",
                    new->name, new->value, old->value, old->file, old->line);
}

static void
take_option (CycGpuConfig *self,
             char         *name,
             char         *value,
             const char   *file,
             guint64       line)
{
  CycConfigOption *option = g_new0 (CycConfigOption, 1);
  option->name = name;
  option->value = value;
  option->file = g_strdup (file);
  option->line = line;
  option->effective = TRUE;
  g_ptr_array_add (self->options, option);

  CycConfigOption *old = g_hash_table_lookup (self->by_name, name);
  if (old != NULL)
    {
      flag_duplicate (self, old, option);
      old->effective = FALSE;
    }
  g_hash_table_replace (self->by_name, option->name, option);
}

/**
 * cyc_gpu_config_add_option:
 * @self: a configuration that is not shared yet
 * @option: (transfer none): an option as another reader of the files found it
 *
 * Adds an option as it is: nothing is checked, and nothing found about it.
 */
void
cyc_gpu_config_add_option (CycGpuConfig          *self,
                           const CycConfigOption *option)
{
  g_return_if_fail (self != NULL && option != NULL);

  CycConfigOption *copy = g_new0 (CycConfigOption, 1);
  copy->name = g_strdup (option->name);
  copy->value = g_strdup (option->value);
  copy->file = g_strdup (option->file);
  copy->line = option->line;
  copy->effective = option->effective;
  g_ptr_array_add (self->options, copy);
  if (copy->effective)
    g_hash_table_replace (self->by_name, copy->name, copy);
}

static void
flag_no_value (CycGpuConfig *self,
               const char   *name,
               const char   *source,
               guint64       line)
{
  cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "config_value_missing", source, line,
                    N_("write a value behind it"),
                    "%s has no value: the simulator takes a switch as on and the next word as the "
                    "value of anything else", name);
}

static void
take_stray (CycGpuConfig         *self,
            const CycConfigToken *token,
            CycConfigOption      *last,
            const char           *source)
{
  cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "config_stray_value", source, token->line,
                    N_("put a value of several words in double quotes"),
                    "\"%s\" is not an option: expected a word that begins with \"-\"; the "
                    "simulator stops with \"Unknown Option\"", token->text);
  if (last != NULL && last->line == token->line)
    {
      char *joined = g_strconcat (last->value, " ", token->text, NULL);
      g_free (last->value);
      last->value = joined;
    }
}

/**
 * cyc_gpu_config_parse:
 * @self: a configuration that is not finished
 * @text: (array length=len): a configuration file
 * @len: its length in bytes
 * @source: its path
 *
 * Reads options as the simulator's option parser does: `#` begins a comment anywhere, even inside
 * quotes; words are separated by blanks, tabs and line ends; every option takes one word, or
 * several in double quotes, over lines too. A later option goes before an earlier one. What does
 * not fit is a finding with its line.
 */
void
cyc_gpu_config_parse (CycGpuConfig *self,
                      const char   *text,
                      gsize         len,
                      const char   *source)
{
  g_return_if_fail (self != NULL && source != NULL);

  g_autoptr (GPtrArray) tokens = cyc_config_tokens_split (text, len, source, self->findings);
  CycConfigOption *last = NULL;

  for (guint i = 0; i < tokens->len; i++)
    {
      const CycConfigToken *token = g_ptr_array_index (tokens, i);
      if (!cyc_config_token_is_option (token))
        {
          take_stray (self, token, last, source);
          continue;
        }
      const CycConfigToken *next = i + 1 < tokens->len ? g_ptr_array_index (tokens, i + 1) : NULL;
      gboolean has_value = next != NULL && !cyc_config_token_is_option (next);
      if (!has_value)
        flag_no_value (self, token->text, source, token->line);
      if (strcmp (token->text, "-config") == 0)
        cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "config_includes", source,
                          token->line,
                          N_("put the options of that file here"),
                          "another configuration file is named here; it is not read");
      take_option (self, g_strdup (token->text), g_strdup (has_value ? next->text : ""), source,
                   token->line);
      last = g_ptr_array_index (self->options, self->options->len - 1);
      i += has_value;
    }
}

/**
 * cyc_gpu_config_read_file:
 * @self: a configuration that is not finished
 * @path: a configuration file
 *
 * Reads a file with cyc_gpu_config_parse(). One that cannot be read is a finding.
 *
 * Returns: %TRUE if the file could be read
 */
gboolean
cyc_gpu_config_read_file (CycGpuConfig *self,
                          const char   *path)
{
  g_return_val_if_fail (self != NULL && path != NULL, FALSE);

  g_autoptr (GError) error = NULL;
  gsize len;
  g_autofree char *text = cyc_byte_reader_read_all (path, FILE_LIMIT, &len, &error);
  if (text == NULL)
    {
      cyc_findings_add_error (self->findings, CYC_SEVERITY_ERROR, "config_unreadable", path,
                              N_("check the file and its permissions"), error);
      return FALSE;
    }
  cyc_gpu_config_parse (self, text, len, path);
  return TRUE;
}

/**
 * cyc_gpu_config_add_override:
 * @self: a configuration that is not finished, such as a copy
 * @option: `-name value`
 * @error: (nullable): return location for an error
 *
 * Adds an option that comes after all configuration files.
 *
 * Returns: %FALSE with %CYC_ERROR_VALUE if cyc_config_option_split() refuses it
 */
gboolean
cyc_gpu_config_add_override (CycGpuConfig  *self,
                             const char    *option,
                             GError       **error)
{
  g_return_val_if_fail (self != NULL && option != NULL, FALSE);

  char *name;
  char *value;
  if (!cyc_config_option_split (option, &name, &value, error))
    return FALSE;
  CycConfigOption *old = g_hash_table_lookup (self->by_name, name);
  if (old != NULL)
    old->effective = FALSE;
  g_hash_table_remove (self->by_name, name);
  take_option (self, name, value, "option", 0);
  return TRUE;
}

/* The digits of the SM name: "86" of SM86_RTX3070; NULL unless there are two or three. */
static char *
arch_of_name (const char *name)
{
  if (g_ascii_strncasecmp (name, "SM", 2) != 0)
    return NULL;
  gsize n = strspn (name + 2, "0123456789");
  if (n < 2 || n > 3 || (name[2 + n] != '_' && name[2 + n] != '-' && name[2 + n] != '\0'))
    return NULL;
  return g_strdup_printf ("sm_%.*s", (int) n, name + 2);
}

static void
find_arch (CycGpuConfig *self)
{
  guint64 major, minor;
  g_autofree char *named = arch_of_name (self->name);

  g_clear_pointer (&self->declared_arch, g_free);
  if (cyc_gpu_config_get_uint (self, OPTION_MAJOR, &major) && major > 0 && major < 100 &&
      cyc_gpu_config_get_uint (self, OPTION_MINOR, &minor) && minor < 10)
    self->declared_arch = g_strdup_printf ("sm_%u%u", (guint) major, (guint) minor);
  cyc_set_str (&self->arch, named != NULL ? named :
                            self->declared_arch != NULL ? self->declared_arch : "unknown");

  const CycConfigOption *option = cyc_gpu_config_find_option (self, OPTION_MAJOR);
  const char *file = option != NULL ? option->file : self->gpgpusim_config;
  guint64 line = option != NULL ? option->line : 0;
  if (self->declared_arch == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "config_capability_missing", file, line,
                      N_("set -gpgpu_compute_capability_major and -gpgpu_compute_capability_minor"),
                      "no usable compute capability: the architecture is %s by the name \"%s\"",
                      self->arch, self->name);
  else if (named != NULL && strcmp (named, self->declared_arch) != 0)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "config_arch_mismatch", file, line,
                      N_("check that the configuration models what its name says"),
                      "the name \"%s\" says %s, the declared compute capability is %u.%u (%s); %s "
                      "is used",
                      self->name, named, (guint) major, (guint) minor, self->declared_arch, named);
}

static void
find_clock (CycGpuConfig *self)
{
  const CycConfigOption *option = cyc_gpu_config_find_option (self, OPTION_CLOCKS);
  double value;

  self->core_clock_mhz = 0;
  if (option == NULL)
    {
      cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "config_clock_missing",
                        self->gpgpusim_config, 0, N_("set -gpgpu_clock_domains core:icnt:L2:dram in MHz"),
                        "no " OPTION_CLOCKS ": cycles cannot be converted to time");
      return;
    }
  if (cyc_number_parse_double (option->value, strcspn (option->value, ":"), &value) && value > 0)
    self->core_clock_mhz = value;
  else
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "config_clock_invalid",
                      option->file, option->line, N_("write core:icnt:L2:dram in MHz"),
                      "\"%s\" does not begin with a core clock in MHz", option->value);
}

/**
 * cyc_gpu_config_finish:
 * @self: a configuration with its options
 *
 * Derives architecture and clock. Two or three digits in the SM name of the folder (SM86, SM100) go
 * before the declared compute capability, else that counts (SM7 with 7.0 is sm_70); if they differ,
 * that is a finding. The configuration must not be changed afterwards.
 */
void
cyc_gpu_config_finish (CycGpuConfig *self)
{
  g_return_if_fail (self != NULL);

  find_arch (self);
  find_clock (self);
}

/**
 * cyc_gpu_config_copy:
 * @self: a configuration
 *
 * Returns: (transfer full): a copy without findings that is not finished, for overrides
 */
CycGpuConfig *
cyc_gpu_config_copy (const CycGpuConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycGpuConfig *copy = cyc_gpu_config_new (self->name);
  copy->gpgpusim_config = g_strdup (self->gpgpusim_config);
  copy->trace_config = g_strdup (self->trace_config);
  for (guint i = 0; i < self->files->len; i++)
    g_ptr_array_add (copy->files, g_strdup (g_ptr_array_index (self->files, i)));
  for (guint i = 0; i < self->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (self->options, i);
      if (option->effective)
        take_option (copy, g_strdup (option->name), g_strdup (option->value), option->file,
                     option->line);
    }
  return copy;
}

/**
 * cyc_gpu_config_find_option:
 * @self: a configuration
 * @name: an option with its dash
 *
 * Returns: (transfer none) (nullable): the occurrence that counts
 */
const CycConfigOption *
cyc_gpu_config_find_option (const CycGpuConfig *self,
                            const char         *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, NULL);

  return g_hash_table_lookup (self->by_name, name);
}

/**
 * cyc_gpu_config_get_uint:
 * @self: a configuration
 * @name: an option with its dash
 * @out_value: (out): its value
 *
 * Reads the number that a value begins with, as the simulator does: `0x` for hexadecimal, `0` for
 * octal. For `1536:32` that is 1536.
 *
 * Returns: %FALSE if the option is not given or does not begin with a number
 */
gboolean
cyc_gpu_config_get_uint (const CycGpuConfig *self,
                         const char         *name,
                         guint64            *out_value)
{
  const CycConfigOption *option = cyc_gpu_config_find_option (self, name);

  if (option == NULL || !g_ascii_isdigit (option->value[0]))
    return FALSE;
  char *end;
  guint64 value = g_ascii_strtoull (option->value, &end, 0);
  if (end == option->value || value == G_MAXUINT64)
    return FALSE;
  *out_value = value;
  return TRUE;
}

/**
 * cyc_gpu_config_to_record:
 * @self: a configuration
 *
 * Returns: (transfer full): its record of the API
 */
CycGpuConfigRecord *
cyc_gpu_config_to_record (const CycGpuConfig *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  return cyc_gpu_config_record_new (self->name, self->arch, self->core_clock_mhz);
}

static void
write_options (const CycGpuConfig *self,
               gboolean            effective,
               CycJsonWriter      *writer)
{
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (self->options, i);
      if (option->effective != effective)
        continue;
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "name", option->name);
      cyc_json_writer_put_string (writer, "value", option->value);
      cyc_json_writer_put_string (writer, "file", option->file);
      cyc_json_writer_key (writer, "line");
      cyc_json_writer_uint (writer, option->line);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

/**
 * cyc_gpu_config_write_json:
 * @self: a configuration
 * @writer: where the document of `configs show` is written
 *
 * Writes the fields of GpuConfig and `options`, the {name, value, file, line} that count. Ours are
 * `overridden` (occurrences that do not count), `files` and `findings`.
 */
void
cyc_gpu_config_write_json (const CycGpuConfig *self,
                           CycJsonWriter      *writer)
{
  g_return_if_fail (self != NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", self->name);
  cyc_json_writer_put_string (writer, "arch", self->arch);
  cyc_json_writer_put_double (writer, "core_clock_mhz", self->core_clock_mhz);
  cyc_json_writer_key (writer, "options");
  write_options (self, TRUE, writer);
  cyc_json_writer_key (writer, "overridden");
  write_options (self, FALSE, writer);
  cyc_json_writer_key (writer, "files");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->files->len; i++)
    cyc_json_writer_string (writer, g_ptr_array_index (self->files, i));
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "findings");
  cyc_findings_write_json (self->findings, writer);
  cyc_json_writer_end_object (writer);
}

static void
write_row (const char            *name,
           const CycConfigOption *a,
           const CycConfigOption *b,
           CycJsonWriter         *writer)
{
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "option", name);
  cyc_json_writer_put_string (writer, "a", a == NULL ? NULL : a->value);
  cyc_json_writer_put_string (writer, "b", b == NULL ? NULL : b->value);
  cyc_json_writer_end_object (writer);
}

/**
 * cyc_gpu_config_write_diff:
 * @a: a configuration
 * @b: another one
 * @writer: where the array of {option, a, b} of `configs diff` is written
 *
 * One row for every option whose value that counts differs; null where it is not given. In the
 * order of @a, then those that only @b has.
 */
void
cyc_gpu_config_write_diff (const CycGpuConfig *a,
                           const CycGpuConfig *b,
                           CycJsonWriter      *writer)
{
  g_return_if_fail (a != NULL && b != NULL);

  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < a->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (a->options, i);
      const CycConfigOption *other = cyc_gpu_config_find_option (b, option->name);
      if (option->effective && (other == NULL || strcmp (option->value, other->value) != 0))
        write_row (option->name, option, other, writer);
    }
  for (guint i = 0; i < b->options->len; i++)
    {
      const CycConfigOption *option = g_ptr_array_index (b->options, i);
      if (option->effective && cyc_gpu_config_find_option (a, option->name) == NULL)
        write_row (option->name, NULL, option, writer);
    }
  cyc_json_writer_end_array (writer);
}
