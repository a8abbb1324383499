/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "engine/cyc-remote-workspace-private.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/model/cyc-records-read.h"

/* Events of an engine as records. On a thread: a snapshot of thousands of runs takes a while to read. */

static void
note_free (gpointer data)
{
  CycRemoteNote *self = data;

  g_free (self->id);
  g_clear_pointer (&self->traces, g_ptr_array_unref);
  g_clear_pointer (&self->runs, g_ptr_array_unref);
  g_clear_pointer (&self->digests, g_array_unref);
  g_clear_pointer (&self->sims, g_ptr_array_unref);
  g_clear_pointer (&self->log_bytes, g_array_unref);
  g_clear_pointer (&self->kernels, g_ptr_array_unref);
  g_free (self);
}

/* What an object says, in short: equal for what was said before. Never 0. */
static guint64
make_digest (JsonNode *node)
{
  g_autofree char *text = json_to_string (node, FALSE);
  guint64 digest = G_GUINT64_CONSTANT (14695981039346656037);

  for (const char *p = text; *p != '\0'; p++)
    digest = (digest ^ (guchar) *p) * G_GUINT64_CONSTANT (1099511628211);
  return digest != 0 ? digest : 1;
}

static void
add_digests (CycRemoteNote *self,
             JsonArray     *array)
{
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      guint64 digest = make_digest (json_array_get_element (array, i));
      g_array_append_val (self->digests, digest);
    }
}

#define READ(kind) (CycRecordReadFunc) cyc_##kind##_record_read, (GDestroyNotify) cyc_##kind##_record_free

static gboolean
read_workspace (CycRemoteNote  *self,
                JsonObject     *object,
                GError        **error)
{
  JsonArray *traces = cyc_json_get_array (object, "traces");
  JsonArray *runs = cyc_json_get_array (object, "runs");

  self->traces = cyc_records_read_list (traces, READ (trace), error);
  if (self->traces == NULL)
    return FALSE;
  self->runs = cyc_records_read_list (runs, READ (run), error);
  if (self->runs == NULL)
    return FALSE;
  self->digests = g_array_new (FALSE, FALSE, sizeof (guint64));
  add_digests (self, traces);
  add_digests (self, runs);
  return TRUE;
}

/* How long the logs are, beside the simulations. */
static void
read_log_bytes (CycRemoteNote *self,
                JsonObject    *bytes)
{
  self->log_bytes = g_array_new (FALSE, TRUE, sizeof (guint64));
  for (guint i = 0; i < self->sims->len; i++)
    {
      const CycSimRecord *sim = g_ptr_array_index (self->sims, i);
      gint64 value = 0;
      cyc_json_get_int (bytes, sim->id, &value);
      guint64 length = (guint64) MAX (value, 0);
      g_array_append_val (self->log_bytes, length);
    }
}

static gboolean
read_run (CycRemoteNote  *self,
          JsonObject     *object,
          GError        **error)
{
  JsonObject *run = cyc_json_get_object (object, "run");

  self->sims = cyc_records_read_list (cyc_json_get_array (run, "sims"), READ (sim), error);
  if (self->sims == NULL)
    return FALSE;
  read_log_bytes (self, cyc_json_get_object (object, "log_bytes"));
  self->kernels = cyc_records_read_list (cyc_json_get_array (object, "kernels"), READ (kernel), error);
  return self->kernels != NULL;
}

/* One record, in an array of its own. */
static gboolean
read_one (GPtrArray          **out,
          JsonObject          *object,
          const char          *member,
          CycRecordReadFunc    read,
          GDestroyNotify       free_record,
          GError             **error)
{
  gpointer record = read (cyc_json_get_object (object, member), error);

  if (record == NULL)
    return FALSE;
  *out = g_ptr_array_new_with_free_func (free_record);
  g_ptr_array_add (*out, record);
  return TRUE;
}

static gboolean
read_removed (CycRemoteNote  *self,
              JsonObject     *object,
              GError        **error)
{
  self->id = g_strdup (cyc_json_get_string (object, "id"));
  if (self->id != NULL)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "an event of the engine: id: expected a text");
  return FALSE;
}

static gboolean
read_log (CycRemoteNote  *self,
          JsonObject     *object,
          GError        **error)
{
  JsonArray *lines = cyc_json_get_array (object, "lines");
  const char *sim_id = cyc_json_get_string (object, "sim_id");
  gboolean unterminated = FALSE;
  gint64 offset = 0;

  if (sim_id == NULL || lines == NULL || !cyc_json_get_int (object, "offset", &offset) || offset < 0)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, NULL, 0, "an event of the engine: expected lines of a log");
      return FALSE;
    }
  cyc_json_get_boolean (object, "unterminated", &unterminated);
  self->id = g_strdup (sim_id);
  self->bytes = (guint64) offset;
  for (guint i = 0; i < json_array_get_length (lines); i++)
    {
      JsonNode *node = json_array_get_element (lines, i);
      const char *line = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;
      self->bytes += 1 + (line != NULL ? strlen (line) : 0);
    }
  self->bytes -= unterminated ? 1 : 0;
  return TRUE;
}

/* Returns FALSE with @error for what is wrong, without it for what is of no use here. */
static gboolean
read_object (CycRemoteNote  *self,
             JsonObject     *object,
             GError        **error)
{
  static const struct
  {
    const char        *type;
    CycRemoteNoteKind  kind;
  } kinds[] = {
    { "trace", CYC_REMOTE_NOTE_TRACE },
    { "trace_removed", CYC_REMOTE_NOTE_TRACE_REMOVED },
    { "run", CYC_REMOTE_NOTE_RUN },
    { "run_removed", CYC_REMOTE_NOTE_RUN_REMOVED },
    { "sim", CYC_REMOTE_NOTE_SIM },
    { "log", CYC_REMOTE_NOTE_LOG },
    { "kernel", CYC_REMOTE_NOTE_KERNEL },
    { "snapshot", CYC_REMOTE_NOTE_SNAPSHOT },
  };
  const char *type = cyc_json_get_string (object, "type");
  guint i = 0;

  while (i < G_N_ELEMENTS (kinds) && g_strcmp0 (type, kinds[i].type) != 0)
    i++;
  if (i == G_N_ELEMENTS (kinds))
    return FALSE;
  self->kind = kinds[i].kind;
  switch (self->kind)
    {
    case CYC_REMOTE_NOTE_TRACE:
      return read_one (&self->traces, object, "trace", READ (trace), error);
    case CYC_REMOTE_NOTE_RUN:
      return read_one (&self->runs, object, "run", READ (run), error);
    case CYC_REMOTE_NOTE_SIM:
      return read_one (&self->sims, object, "sim", READ (sim), error);
    case CYC_REMOTE_NOTE_KERNEL:
      return read_one (&self->kernels, object, "stat", READ (kernel), error);
    case CYC_REMOTE_NOTE_LOG:
      return read_log (self, object, error);
    case CYC_REMOTE_NOTE_SNAPSHOT:
      return json_object_has_member (object, "traces") ? read_workspace (self, object, error)
                                                       : read_run (self, object, error);
    case CYC_REMOTE_NOTE_TRACE_REMOVED:
    case CYC_REMOTE_NOTE_RUN_REMOVED:
    default:
      return read_removed (self, object, error);
    }
}

/* Returns what the events tell, without those that mean nothing to this version; NULL if one is not what it
 * should be. */
GPtrArray *
_cyc_remote_notes_read (GPtrArray  *events,
                        GError    **error)
{
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (note_free);

  for (guint i = 0; i < events->len; i++)
    {
      g_autoptr (JsonNode) root = _cyc_remote_parse (g_ptr_array_index (events, i), error);
      g_autoptr (GError) local_error = NULL;
      if (root == NULL)
        return NULL;
      CycRemoteNote *note = g_new0 (CycRemoteNote, 1);
      if (read_object (note, cyc_json_node_get_object (root), &local_error))
        g_ptr_array_add (notes, note);
      else
        note_free (note);
      if (local_error == NULL)
        continue;
      g_propagate_error (error, g_steal_pointer (&local_error));
      return NULL;
    }
  return g_steal_pointer (&notes);
}
