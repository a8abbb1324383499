/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-job.h"

#include <string.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-name.h"

/* A list of a hundred thousand kernels is about 20 MB here. */
#define MAX_JOB_SIZE (128 * 1024 * 1024)
#define JOB_VERSION 1

static void
stage_item_free (gpointer data)
{
  CycStageItem *item = data;

  g_free (item->path);
  g_free (item->content);
  g_free (item);
}

/**
 * cyc_job_free:
 * @self: (transfer full): a job
 */
void
cyc_job_free (CycJob *self)
{
  g_return_if_fail (self != NULL);

  g_free (self->sim_id);
  g_free (self->workspace_id);
  g_free (self->engine_file);
  g_free (self->url);
  g_clear_object (&self->tls_database);
  g_free (self->token);
  g_clear_pointer (&self->stage, g_ptr_array_unref);
  g_strfreev (self->argv);
  g_strfreev (self->env);
  g_free (self);
}

/**
 * cyc_job_forget_stage:
 * @self: a job that has been staged
 *
 * Keeps of the staging list only the paths of its regular files: a long list of links is most of a
 * worker's memory.
 */
void
cyc_job_forget_stage (CycJob *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = self->stage->len; i > 0; i--)
    {
      CycStageItem *item = self->stage->pdata[i - 1];
      if (item->type == CYC_STAGE_TEXT)
        g_clear_pointer (&item->content, g_free);
      else
        g_ptr_array_remove_index_fast (self->stage, i - 1);
    }
}

static gboolean
fail (const char  *path,
      const char  *text,
      GError     **error)
{
  cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0, "%s", text);
  return FALSE;
}

/* Tokens go into a header line, ids into a path. */
static gboolean
is_token (const char *text)
{
  for (const char *p = text; *p != '\0'; p++)
    if (!g_ascii_isgraph (*p))
      return FALSE;
  return text[0] != '\0' && strlen (text) <= 1024;
}

static gboolean
read_identity (CycJob      *self,
               JsonObject  *object,
               const char  *path,
               GError     **error)
{
  gint64 version;

  if (!cyc_json_get_int (object, "version", &version) || version != JOB_VERSION)
    return fail (path, "version: expected 1; this worker and the engine that made the job do not fit", error);
  self->sim_id = g_strdup (cyc_json_get_string (object, "sim_id"));
  if (self->sim_id == NULL || !cyc_name_is_plain (self->sim_id))
    return fail (path, "sim_id: expected a plain name", error);
  self->workspace_id = g_strdup (cyc_json_get_string (object, "workspace_id"));
  if (self->workspace_id == NULL || self->workspace_id[0] == '\0')
    return fail (path, "workspace_id: expected a text", error);
  self->token = g_strdup (cyc_json_get_string (object, "token"));
  if (self->token == NULL || !is_token (self->token))
    return fail (path, "token: expected a text without blanks", error);
  self->engine_file = g_strdup (cyc_json_get_string (object, "engine_file"));
  self->url = g_strdup (cyc_json_get_string (object, "url"));
  return TRUE;
}

static CycStageItem *
read_stage_item (JsonObject  *object,
                 const char  *path,
                 guint        index,
                 GError     **error)
{
  const char *name = cyc_json_get_string (object, "path");
  const char *type = cyc_json_get_string (object, "type");
  const char *target = cyc_json_get_string (object, "target");
  const char *text = cyc_json_get_string (object, "text");
  CycStageItem item = { 0 };

  if (name == NULL || !cyc_name_is_safe_path (name))
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                        "stage[%u].path: expected a relative path without '..'", index);
      return NULL;
    }
  if (g_strcmp0 (type, "folder") == 0)
    item.type = CYC_STAGE_FOLDER;
  else if (g_strcmp0 (type, "link") == 0 && target != NULL && g_path_is_absolute (target))
    item.type = CYC_STAGE_LINK;
  else if (g_strcmp0 (type, "text") == 0 && text != NULL)
    item.type = CYC_STAGE_TEXT;
  else
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, path, 0,
                        "stage[%u]: expected a folder, a link with an absolute target or a text", index);
      return NULL;
    }
  item.path = g_strdup (name);
  item.content = g_strdup (item.type == CYC_STAGE_LINK ? target
                           : item.type == CYC_STAGE_TEXT ? text : NULL);
  return g_memdup2 (&item, sizeof item);
}

static gboolean
read_stage (CycJob      *self,
            JsonObject  *object,
            const char  *path,
            GError     **error)
{
  JsonArray *array = cyc_json_get_array (object, "stage");

  if (array == NULL)
    return fail (path, "stage: expected a list", error);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *member = cyc_json_node_get_object (json_array_get_element (array, i));
      CycStageItem *item = read_stage_item (member, path, i, error);
      if (item == NULL)
        return FALSE;
      g_ptr_array_add (self->stage, item);
    }
  return TRUE;
}

static gboolean
read_argv (CycJob      *self,
           JsonObject  *object,
           const char  *path,
           GError     **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonArray *array = cyc_json_get_array (object, "argv");
  guint n = array == NULL ? 0 : json_array_get_length (array);

  for (guint i = 0; i < n; i++)
    {
      const char *text = cyc_json_node_get_string (json_array_get_element (array, i));
      if (text == NULL || (i == 0 && text[0] == '\0'))
        return fail (path, "argv: expected texts, the first one a program", error);
      g_strv_builder_add (builder, text);
    }
  if (n == 0)
    return fail (path, "argv: expected a program and its arguments", error);
  self->argv = g_strv_builder_end (builder);
  return TRUE;
}

static gboolean
is_env_name (const char *name)
{
  if (name[0] == '\0' || g_ascii_isdigit (name[0]))
    return FALSE;
  for (const char *p = name; *p != '\0'; p++)
    if (!g_ascii_isalnum (*p) && *p != '_')
      return FALSE;
  return TRUE;
}

static gboolean
read_env (CycJob      *self,
          JsonObject  *object,
          const char  *path,
          GError     **error)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  JsonObject *env = cyc_json_get_object (object, "env");
  JsonObjectIter iter;
  const char *name;
  JsonNode *value;

  if (env == NULL)
    return fail (path, "env: expected an object", error);
  json_object_iter_init (&iter, env);
  while (json_object_iter_next (&iter, &name, &value))
    {
      const char *text = cyc_json_node_get_string (value);
      if (!is_env_name (name) || text == NULL)
        return fail (path, "env: expected names of letters, digits and '_', with texts", error);
      g_autofree char *pair = g_strconcat (name, "=", text, NULL);
      g_strv_builder_add (builder, pair);
    }
  self->env = g_strv_builder_end (builder);
  return TRUE;
}

/**
 * cyc_job_load:
 * @path: a job.json
 * @error: (nullable): return location for an error
 *
 * Reads a job and checks every field; what a launcher did not write is refused.
 *
 * Returns: (transfer full) (nullable): the job
 */
CycJob *
cyc_job_load (const char  *path,
              GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autoptr (JsonNode) root = cyc_json_parse_file (path, MAX_JOB_SIZE, error);
  if (root == NULL)
    return NULL;
  JsonObject *object = cyc_json_node_get_object (root);
  if (object == NULL)
    {
      fail (path, "expected an object", error);
      return NULL;
    }
  g_autoptr (CycJob) self = g_new0 (CycJob, 1);
  self->stage = g_ptr_array_new_with_free_func (stage_item_free);
  if (!read_identity (self, object, path, error) || !read_stage (self, object, path, error) ||
      !read_argv (self, object, path, error) || !read_env (self, object, path, error))
    return NULL;
  if (!cyc_json_get_boolean (object, "line_buffer", &self->line_buffer))
    {
      fail (path, "line_buffer: expected true or false", error);
      return NULL;
    }
  return g_steal_pointer (&self);
}
