/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fake-log.h"

#include <string.h>

/* The line of a number, counted from 0: always FAKE_LINE bytes. */
void
fake_log_line (guint64 number,
               char    line[FAKE_LINE + 1])
{
  g_snprintf (line, FAKE_LINE + 1, "line %012" G_GUINT64_FORMAT " of many, gpu_sim_cycle = %036" G_GUINT64_FORMAT
              "\n", number, number * 7);
  g_assert_cmpuint (strlen (line), ==, FAKE_LINE);
}

void
fake_log_append (FakeLog    *self,
                 const char *text)
{
  g_string_append (self->text, text);
  self->length = self->text->len;
}

static guint64
get_length (gpointer user_data)
{
  return ((FakeLog *) user_data)->length;
}

static gboolean
answer_cb (gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  GBytes *bytes = g_object_get_data (G_OBJECT (task), "bytes");

  if (g_task_return_error_if_cancelled (task))
    return G_SOURCE_REMOVE;
  if (bytes != NULL)
    g_task_return_pointer (task, g_bytes_ref (bytes), (GDestroyNotify) g_bytes_unref);
  else
    g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_FAILED, "log: cannot read it");
  return G_SOURCE_REMOVE;
}

static GBytes *
make_bytes (FakeLog *self,
            guint64  offset,
            guint    length)
{
  g_assert_cmpuint (offset, <=, self->length);
  length = (guint) MIN (length, self->length - offset);
  if (self->text != NULL)
    return g_bytes_new (self->text->str + offset, length);
  char *bytes = g_malloc (length);
  for (guint i = 0; i < length;)
    {
      char line[FAKE_LINE + 1];
      guint skip = (guint) ((offset + i) % FAKE_LINE);
      guint n = MIN (FAKE_LINE - skip, length - i);
      fake_log_line ((offset + i) / FAKE_LINE, line);
      memcpy (bytes + i, line + skip, n);
      i += n;
    }
  return g_bytes_new_take (bytes, length);
}

static void
read_bytes (guint64              offset,
            guint                length,
            GCancellable        *cancellable,
            GAsyncReadyCallback  callback,
            gpointer             callback_data,
            gpointer             user_data)
{
  FakeLog *self = user_data;
  GTask *task = g_task_new (NULL, cancellable, callback, callback_data);

  self->n_reads++;
  self->largest = MAX (self->largest, length);
  if (!self->broken)
    {
      GBytes *bytes = make_bytes (self, offset, length);
      self->n_bytes += g_bytes_get_size (bytes);
      g_object_set_data_full (G_OBJECT (task), "bytes", bytes, (GDestroyNotify) g_bytes_unref);
    }
  g_idle_add (answer_cb, task);
}

static GBytes *
read_finish (GAsyncResult  *result,
             GError       **error,
             gpointer       user_data)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* Only of texts; numbered lines have their number at a place that can be told. */
static guint64
find (FakeLog    *self,
      const char *words,
      guint64     from,
      gboolean    backwards)
{
  g_autofree char *wanted = g_ascii_strdown (words, -1);
  guint64 best = G_MAXUINT64;

  if (self->text == NULL)
    {
      guint64 number = 0;
      g_assert_true (g_ascii_string_to_unsigned (words, 10, 0, G_MAXUINT64, &number, NULL));
      guint64 offset = number * FAKE_LINE + strlen ("line ");
      return (backwards ? offset < from : offset >= from) && offset < self->length ? offset : best;
    }
  g_autofree char *text = g_ascii_strdown (self->text->str, -1);
  for (const char *p = strstr (text, wanted); p != NULL; p = strstr (p + 1, wanted))
    {
      guint64 offset = (guint64) (p - text);
      if (backwards && offset < from)
        best = offset;
      else if (!backwards && offset >= from)
        return offset;
    }
  return best;
}

static gboolean
found_cb (gpointer user_data)
{
  g_autoptr (GTask) task = user_data;

  if (!g_task_return_error_if_cancelled (task))
    g_task_return_boolean (task, TRUE);
  return G_SOURCE_REMOVE;
}

static void
search (const char          *words,
        guint64              from,
        gboolean             backwards,
        GCancellable        *cancellable,
        GAsyncReadyCallback  callback,
        gpointer             callback_data,
        gpointer             user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, callback_data);
  guint64 offset = find (user_data, words, from, backwards);

  g_task_set_task_data (task, g_memdup2 (&offset, sizeof offset), g_free);
  g_idle_add (found_cb, task);
}

static gboolean
search_finish (GAsyncResult  *result,
               guint64       *out_offset,
               GError       **error,
               gpointer       user_data)
{
  *out_offset = *(guint64 *) g_task_get_task_data (G_TASK (result));
  return g_task_propagate_boolean (G_TASK (result), error);
}

const CycLogSource fake_log_source = { get_length, read_bytes, read_finish, search, search_finish };
