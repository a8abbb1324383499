/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-results-csv.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/cyc-ctl-json.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"

/* RunResults can be larger than the memory: 30 KB for each kernel of each sim. So its text is only
 * skimmed here, and cut out are the objects that are needed, one at a time:
 *
 *     {"sims": [{"sim": {…}, "kernels": [{…}, {…}]}], "missing_stats": [{…}]}     depth inside:
 *     1         2 3      4              4 5                           2 3        of the brackets */

#define DEPTH_SIMS_ITEM 3
#define DEPTH_GAP 3
#define DEPTH_SIM 4
#define DEPTH_KERNEL 5
#define MAX_KEY 64
/* Of a Chrome trace, which is looked through in the same way. */
#define LEFT_OUT "left_out"
/* A kernel has some 700 counters. */
#define MAX_OBJECT (16 * 1024 * 1024)

struct _CycCtlResultsCsv
{
  CycJsonSink  sink;
  gpointer     user_data;
  gboolean     csv;        /* else the JSON is passed on as it is */
  GPtrArray   *gaps;       /* of char *: sentences */
  guint        n_missing;  /* kernels in them */
  guint        depth;
  gboolean     in_string;
  gboolean     after_backslash;
  GString     *string;     /* the last one outside a cut, at most MAX_KEY bytes: perhaps a key */
  char         keys[DEPTH_SIMS_ITEM + 1][MAX_KEY + 1]; /* of the present member, by depth */
  GString     *cut;        /* the object being cut out */
  guint        cut_depth;  /* its depth; 0 = none */
  GString     *prefix;     /* `sim,gpu_config,replica,` of the present sim; empty = not known yet */
};

/**
 * cyc_ctl_results_csv_new:
 * @sink: takes the CSV
 * @user_data: for @sink
 * @csv: as CSV; else as it comes
 *
 * Takes the JSON of RunResults, as it comes, and turns it into CSV; and looks what is missing in it.
 *
 * Returns: (transfer full): the converter
 */
CycCtlResultsCsv *
cyc_ctl_results_csv_new (CycJsonSink sink,
                         gpointer    user_data,
                         gboolean    csv)
{
  g_return_val_if_fail (sink != NULL, NULL);

  CycCtlResultsCsv *self = g_new0 (CycCtlResultsCsv, 1);
  self->sink = sink;
  self->user_data = user_data;
  self->csv = csv;
  self->gaps = g_ptr_array_new_with_free_func (g_free);
  self->string = g_string_new (NULL);
  self->cut = g_string_new (NULL);
  self->prefix = g_string_new (NULL);
  return self;
}

/**
 * cyc_ctl_results_csv_free:
 * @self: (transfer full): a converter
 */
void
cyc_ctl_results_csv_free (CycCtlResultsCsv *self)
{
  g_return_if_fail (self != NULL);

  g_string_free (self->string, TRUE);
  g_string_free (self->cut, TRUE);
  g_string_free (self->prefix, TRUE);
  g_ptr_array_unref (self->gaps);
  g_free (self);
}

static gboolean
fail (GError **error)
{
  cyc_error_set_at (error, CYC_ERROR_FAILED, NULL, 0, "the engine's answer is not RunResults");
  return FALSE;
}

static void
take_sim (CycCtlResultsCsv *self,
          JsonObject       *sim)
{
  g_string_truncate (self->prefix, 0);
  cyc_ctl_csv_append (self->prefix, cyc_json_get_string (sim, "id"), ',');
  cyc_ctl_csv_append (self->prefix, cyc_json_get_string (sim, "gpu_config"), ',');
  cyc_ctl_csv_append_member (self->prefix, sim, "replica", ',');
}

static void
take_gap (CycCtlResultsCsv *self,
          JsonObject       *gap)
{
  const char *sim = cyc_json_get_string (gap, "sim_id");
  const char *error = cyc_json_get_string (gap, "error");
  gint64 kernels = 0;

  cyc_json_get_int (gap, "kernels", &kernels);
  self->n_missing += (guint) CLAMP (kernels, 0, G_MAXINT);
  if (sim == NULL || error == NULL)
    sim = error = "?";
  char *sentence =
    strcmp (self->keys[1], LEFT_OUT) == 0
      ? g_strdup_printf (ngettext ("%s: %u kernel is left out: %s", "%s: %u kernels are left out: %s",
                                   (gulong) kernels), sim, (guint) kernels, error)
      : g_strdup_printf (ngettext ("%s: the statistics of %u kernel cannot be read: %s",
                                   "%s: the statistics of %u kernels cannot be read: %s", (gulong) kernels),
                         sim, (guint) kernels, error);
  g_ptr_array_add (self->gaps, sentence);
}

/* What holds for all figures of a kernel, where it does. */
static void
add_mark (GString       *rows,
          const GString *prefix,
          JsonObject    *kernel,
          const char    *mark)
{
  gboolean is_so = FALSE;

  if (cyc_json_get_boolean (kernel, mark, &is_so) && is_so)
    g_string_append_printf (rows, "%s%s,true\n", prefix->str, mark);
}

/* One row for each counter. */
static gboolean
take_kernel (CycCtlResultsCsv  *self,
             JsonObject        *kernel,
             GError           **error)
{
  JsonObject *stats = cyc_json_get_object (kernel, "stats");
  g_autoptr (GString) rows = g_string_new (NULL);
  g_autoptr (GString) prefix = g_string_new (self->prefix->str);
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (stats == NULL || self->prefix->len == 0)
    return fail (error);
  cyc_ctl_csv_append_member (prefix, kernel, "kernel_index", ',');
  cyc_ctl_csv_append_member (prefix, kernel, "kernel_name", ',');
  add_mark (rows, prefix, kernel, "partial");
  add_mark (rows, prefix, kernel, "concurrent");
  json_object_iter_init_ordered (&iter, stats);
  while (json_object_iter_next_ordered (&iter, &name, &value))
    {
      g_string_append_len (rows, prefix->str, (gssize) prefix->len);
      cyc_ctl_csv_append (rows, name, ',');
      cyc_ctl_csv_append_node (rows, value, '\n');
    }
  return self->sink (rows->str, rows->len, self->user_data, error);
}

static gboolean
take_cut (CycCtlResultsCsv  *self,
          GError           **error)
{
  g_autoptr (JsonNode) node = cyc_json_parse (self->cut->str, self->cut->len, NULL, error);
  guint depth = self->cut_depth;

  self->cut_depth = 0;
  g_string_truncate (self->cut, 0);
  if (node == NULL)
    return FALSE;
  if (depth == DEPTH_KERNEL)
    return take_kernel (self, cyc_json_node_get_object (node), error);
  if (depth == DEPTH_GAP)
    take_gap (self, cyc_json_node_get_object (node));
  else
    take_sim (self, cyc_json_node_get_object (node));
  return TRUE;
}

static gboolean
is_wanted (CycCtlResultsCsv *self)
{
  const char *key = self->keys[DEPTH_SIMS_ITEM];

  if (strcmp (self->keys[1], "missing_stats") == 0 || strcmp (self->keys[1], LEFT_OUT) == 0)
    return self->depth == DEPTH_GAP;
  if (!self->csv || strcmp (self->keys[1], "sims") != 0)
    return FALSE;
  return (self->depth == DEPTH_SIM && strcmp (key, "sim") == 0)
         || (self->depth == DEPTH_KERNEL && strcmp (key, "kernels") == 0);
}

static void
open_bracket (CycCtlResultsCsv *self,
              char              c)
{
  self->depth++;
  if (self->depth <= DEPTH_SIMS_ITEM)
    self->keys[self->depth][0] = '\0';
  if (self->cut_depth != 0)
    return;
  if (self->depth == DEPTH_SIMS_ITEM)
    g_string_truncate (self->prefix, 0);
  if (c == '{' && is_wanted (self))
    {
      self->cut_depth = self->depth;
      g_string_append_c (self->cut, c);
    }
}

static gboolean
close_bracket (CycCtlResultsCsv  *self,
               GError           **error)
{
  gboolean whole = self->cut_depth != 0 && self->cut_depth == self->depth;

  if (self->depth == 0)
    return fail (error);
  self->depth--;
  return !whole || take_cut (self, error);
}

static void
take_string_byte (CycCtlResultsCsv *self,
                  char              c)
{
  if (self->after_backslash)
    self->after_backslash = FALSE;
  else if (c == '\\')
    self->after_backslash = TRUE;
  else if (c == '"')
    {
      self->in_string = FALSE;
      return;
    }
  if (self->cut_depth == 0 && self->string->len < MAX_KEY)
    g_string_append_c (self->string, c);
}

static gboolean
take_byte (CycCtlResultsCsv  *self,
           char               c,
           GError           **error)
{
  if (self->cut_depth != 0)
    {
      if (self->cut->len >= MAX_OBJECT)
        return fail (error);
      g_string_append_c (self->cut, c);
    }
  if (self->in_string)
    take_string_byte (self, c);
  else if (c == '"')
    {
      self->in_string = TRUE;
      g_string_truncate (self->string, 0);
    }
  else if (c == ':' && self->cut_depth == 0 && self->depth <= DEPTH_SIMS_ITEM)
    g_strlcpy (self->keys[self->depth], self->string->str, MAX_KEY + 1);
  else if (c == '{' || c == '[')
    open_bracket (self, c);
  else if (c == '}' || c == ']')
    return close_bracket (self, error);
  return TRUE;
}

/**
 * cyc_ctl_results_csv_feed:
 * @bytes: (array length=len): the next bytes of the JSON
 * @len: how many
 * @results_csv: a converter
 * @error: return location for an error
 *
 * A #CycJsonSink.
 *
 * Returns: %FALSE if the JSON is not what it should be, or with the error of the sink
 */
gboolean
cyc_ctl_results_csv_feed (const char  *bytes,
                          gsize        len,
                          gpointer     results_csv,
                          GError     **error)
{
  CycCtlResultsCsv *self = results_csv;

  for (gsize i = 0; i < len; i++)
    if (!take_byte (self, bytes[i], error))
      return FALSE;
  return self->csv || self->sink (bytes, len, self->user_data, error);
}

/**
 * cyc_ctl_results_csv_finish:
 * @self: a converter that was given everything
 * @error: return location for an error
 *
 * Returns: %FALSE if the JSON was cut off
 */
gboolean
cyc_ctl_results_csv_finish (CycCtlResultsCsv  *self,
                            GError           **error)
{
  return (self->depth == 0 && !self->in_string) || fail (error);
}

/**
 * cyc_ctl_results_csv_get_gaps:
 * @self: a converter that was given everything
 * @out_n_kernels: (out): how many kernels have no statistics
 *
 * Returns: (transfer none) (element-type utf8): a sentence for each simulation with such kernels
 */
GPtrArray *
cyc_ctl_results_csv_get_gaps (CycCtlResultsCsv *self,
                              guint            *out_n_kernels)
{
  g_return_val_if_fail (self != NULL && out_n_kernels != NULL, NULL);

  *out_n_kernels = self->n_missing;
  return self->gaps;
}
