/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-log-view-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"

/* Copying the selected lines, which are read for it: more than the screen shows may be selected. */

#define PIECE (64 * 1024)
#define MAX_COPY (4 * 1024 * 1024)

typedef struct
{
  CycLogView   *view;
  CycLogCache  *cache; /* which owns what the source needs */
  CycLogSource  source;
  gpointer      user_data;
  GString      *text;
  guint64       first;
  guint64       last;  /* a byte of the last line */
} Copy;

static void
copy_free (Copy *self)
{
  g_object_unref (self->view);
  g_object_unref (self->cache);
  g_string_free (self->text, TRUE);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Copy, copy_free)

static void
tell_problem (CycLogView *self,
              const char *text)
{
  cyc_set_str (&self->problem, text);
  _cyc_log_view_update_status (self);
}

/* The end of the last line in what was read; NULL if it is not there yet. */
static const char *
find_end (const Copy *self)
{
  guint64 skip = self->last - self->first;

  if (self->text->len <= skip)
    return NULL;
  const char *end = memchr (self->text->str + skip, '\n', self->text->len - (gsize) skip);
  if (end != NULL)
    return end + 1;
  return self->text->len > skip + CYC_LOG_MAX_LINE ? self->text->str + skip + CYC_LOG_MAX_LINE : NULL;
}

static void read_more (Copy *self);

static void
read_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (Copy) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = self->source.read_finish (result, &error, self->user_data);

  if (bytes == NULL)
    {
      tell_problem (self->view, error->message);
      return;
    }
  gsize size;
  const char *data = g_bytes_get_data (bytes, &size);
  g_string_append_len (self->text, data, (gssize) size);
  const char *end = find_end (self);
  if (end == NULL && size > 0)
    {
      read_more (g_steal_pointer (&self));
      return;
    }
  gsize length = end != NULL ? (gsize) (end - self->text->str) : self->text->len;
  g_autofree char *valid = cyc_utf8_make_valid (self->text->str, length);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->view)), valid);
}

static void
read_more (Copy *self)
{
  self->source.read (self->first + self->text->len, PIECE, NULL, read_cb, self, self->user_data);
}

/* Copies the selected lines as soon as they are read. */
void
_cyc_log_view_copy (CycLogView *self)
{
  guint64 first;
  guint64 last;

  if (self->cache == NULL || !cyc_log_text_get_selection (CYC_LOG_TEXT (self->text), &first, &last))
    return;
  if (last - first > MAX_COPY)
    {
      g_autofree char *size = cyc_format_size (last - first);
      g_autofree char *most = cyc_format_size (MAX_COPY);
      /* Translators: both are sizes, such as 4.2 MB. */
      g_autofree char *text = g_strdup_printf (_("%s are selected; at most %s can be copied"), size, most);
      tell_problem (self, text);
      return;
    }
  tell_problem (self, NULL);
  Copy *copy = g_new0 (Copy, 1);
  copy->view = g_object_ref (self);
  copy->cache = g_object_ref (self->cache);
  copy->source = self->source;
  copy->user_data = self->user_data;
  copy->text = g_string_new (NULL);
  copy->first = first;
  copy->last = last;
  read_more (copy);
}
