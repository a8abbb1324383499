/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-merge-score-private.h"

#include <string.h>

#include "core/cycles/cyc-python-text.h"

/* How much an event of a framework looks like the kernel itself. */

static const char *const device_categories[] = { "kernel", "npu", "ascend", "aicore", NULL };
static const char *const device_types[] = { "kernel", "ai_core", "aicore", "aic", "aiv", NULL };
static const char *const device_args[] = { "kernel", "task type", "ai_core", "aicore", NULL };

static gboolean
contains_any (const char        *text,
              gsize              len,
              const char *const *tokens)
{
  for (guint i = 0; tokens[i] != NULL; i++)
    if (memmem (text, len, tokens[i], strlen (tokens[i])) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
contains (const char *text,
          const char *token)
{
  return strstr (text, token) != NULL;
}

/* A member as text in lower case, "" if it is missing. The tokens are ASCII, and so is the case. */
static char *
dup_lower (const CycJsonValue *event,
           const char         *name)
{
  const CycJsonValue *value = cyc_json_value_get_member (event, name);
  g_autofree char *text = value == NULL ? NULL : cyc_python_dup_str (value);

  return text == NULL ? g_strdup ("") : g_ascii_strdown (text, -1);
}

static gboolean
text_contains_any (const char        *text,
                   gsize              len,
                   const char *const *tokens)
{
  g_autofree char *lower = g_ascii_strdown (text, (gssize) len);

  return contains_any (lower, len, tokens);
}

/* Whether the value's JSON text contains one of the tokens: they have no quotes, so only keys and
 * strings can. */
static gboolean
json_contains_any (const CycJsonValue *value,
                   const char *const  *tokens)
{
  if (value == NULL)
    return FALSE;
  if (value->kind == CYC_JSON_STRING)
    return text_contains_any (value->text, value->len, tokens);
  for (const CycJsonValue *p = value->first; p != NULL; p = p->next)
    if ((p->key != NULL && text_contains_any (p->key, p->key_len, tokens)) || json_contains_any (p, tokens))
      return TRUE;
  return FALSE;
}

/* Whether the key reads `task type`, once blanks around it are gone and underscores are blanks. */
static gboolean
is_task_type (const CycJsonValue *member)
{
  g_autofree char *key = g_ascii_strdown (member->key, (gssize) member->key_len);

  return strcmp (g_strdelimit (g_strstrip (key), "_", ' '), "task type") == 0;
}

/**
 * cyc_merge_is_device:
 * @event: an event
 *
 * Returns: whether it happened on a device, going by its category or the type of its task
 */
gboolean
cyc_merge_is_device (const CycJsonValue *event)
{
  g_autofree char *category = dup_lower (event, "cat");
  const CycJsonValue *args = cyc_json_value_get_member (event, "args");

  if (contains_any (category, strlen (category), device_categories))
    return TRUE;
  if (args == NULL || args->kind != CYC_JSON_OBJECT)
    return FALSE;
  for (const CycJsonValue *p = args->first; p != NULL; p = p->next)
    if (is_task_type (p))
      {
        g_autofree char *value = cyc_python_dup_str (p);
        return text_contains_any (value, strlen (value), device_types);
      }
  return FALSE;
}

/**
 * cyc_merge_get_score:
 * @event: an event
 *
 * Returns: how well it fits
 */
int
cyc_merge_get_score (const CycJsonValue *event)
{
  g_autofree char *name = dup_lower (event, "name");
  g_autofree char *category = dup_lower (event, "cat");
  int score = cyc_merge_is_device (event) ? 6 : 0;

  if (contains (name, "pyboostlaunchaclnn"))
    score += 2;
  else if (contains (name, "pynativelaunchtask"))
    score += 1;
  if (contains (name, "getworkspacesize") || contains (name, "tiling"))
    score -= 3;
  if (contains (name, "_op_") || contains (name, "kernel"))
    score += 5;
  if (contains_any (category, strlen (category), device_categories))
    score += 3;
  if (json_contains_any (cyc_json_value_get_member (event, "args"), device_args))
    score += 2;
  if (contains (category, "cpu") || contains (category, "python"))
    score -= 4;
  return score;
}

/**
 * cyc_merge_dup_name:
 * @event: an event
 *
 * Returns: (transfer full): its name, "" if it has none
 */
char *
cyc_merge_dup_name (const CycJsonValue *event)
{
  const CycJsonValue *name = cyc_json_value_get_member (event, "name");

  return name == NULL ? g_strdup ("") : cyc_python_dup_str (name);
}
