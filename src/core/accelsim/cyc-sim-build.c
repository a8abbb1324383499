/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-build.h"

#include <string.h>

#include "core/base/cyc-number.h"

/* `26-11-29-11-20-26`: years since 2000. */
static char *
read_date (const char *text)
{
  guint part[6];

  if (strlen (text) != strlen ("26-11-29-11-20-26"))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (part); i++)
    {
      const char *p = text + 3 * i;
      if (!g_ascii_isdigit (p[0]) || !g_ascii_isdigit (p[1]) || (i < 5 && p[2] != '-'))
        return NULL;
      part[i] = (guint) (g_ascii_digit_value (p[0]) * 10 + g_ascii_digit_value (p[1]));
    }
  if (!g_date_valid_dmy ((GDateDay) part[2], (GDateMonth) part[1], (GDateYear) (2000 + part[0])) ||
      part[3] > 23 || part[4] > 59 || part[5] > 60)
    return NULL;
  return g_strdup_printf ("20%02u-%02u-%02u %02u:%02u:%02u", part[0], part[1], part[2], part[3], part[4],
                          part[5]);
}

/**
 * cyc_sim_build_parse:
 * @self: (out caller-allocates): a build
 * @stamp: (nullable): what the banner has between its brackets, such as
 *   `accelsim-commit-d1697c7_modified_0.0_26-11-29-11-20-26`
 *
 * Takes a stamp apart. What it does not say is left unset.
 */
void
cyc_sim_build_parse (CycSimBuild *self,
                     const char  *stamp)
{
  static const char commit_mark[] = "commit-";
  static const char modified_mark[] = "_modified_";

  *self = (CycSimBuild) { NULL };
  const char *commit = stamp == NULL ? NULL : strstr (stamp, commit_mark);
  if (commit == NULL)
    return;
  commit += strlen (commit_mark);
  gsize len = strspn (commit, "0123456789abcdef");
  if (len > 0)
    self->commit = g_strndup (commit, len);
  if (!g_str_has_prefix (commit + len, modified_mark))
    return;
  const char *count = commit + len + strlen (modified_mark);
  gsize count_len = strspn (count, "0123456789.");
  self->has_modified = cyc_number_parse_double (count, count_len, &self->modified);
  if (count[count_len] == '_')
    self->built_at = read_date (count + count_len + 1);
}

/**
 * cyc_sim_build_clear:
 * @self: a build
 *
 * Frees what it holds.
 */
void
cyc_sim_build_clear (CycSimBuild *self)
{
  g_clear_pointer (&self->commit, g_free);
  g_clear_pointer (&self->built_at, g_free);
}

/**
 * cyc_sim_build_write_json:
 * @stamp: (nullable): a stamp
 * @writer: where to write
 *
 * Writes it as an object `{commit, modified_files, locally_modified, built_at}`; what the stamp does
 * not say is null.
 */
void
cyc_sim_build_write_json (const char    *stamp,
                          CycJsonWriter *writer)
{
  g_auto (CycSimBuild) build = { NULL };

  cyc_sim_build_parse (&build, stamp);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "commit", build.commit);
  cyc_json_writer_key (writer, "modified_files");
  if (build.has_modified)
    cyc_json_writer_double (writer, build.modified);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_key (writer, "locally_modified");
  if (build.has_modified)
    cyc_json_writer_boolean (writer, build.modified > 0);
  else
    cyc_json_writer_null (writer);
  cyc_json_writer_put_string (writer, "built_at", build.built_at);
  cyc_json_writer_end_object (writer);
}
