/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-json-records-private.h"

#include <string.h>

#include "core/base/cyc-double.h"

/* Events of records are written by hand, since there are millions of them. */

#define OUT_SIZE (256 * 1024)
/* All of an event but names: keys, and numbers of at most 24 bytes each. */
#define EVENT_SIZE 1024

typedef struct
{
  char *text; /* escaped */
  gsize len;
} Text;

struct _CycCycleJsonRecords
{
  const CycCycleBuffer *buffer;
  CycCycleNames        *names;
  Text                 *stages;
  gboolean              detailed;
  Text                  owner_label;
  Text                  after_name; /* up to the value of tid */
  Text                  args[2];    /* from the end of dur up to the value of block_id, AIC and AIV */
  Text                  more_args;
  gsize                 size;
};

/* A literal, and a text. */
#define PUT(p, literal) ((char *) memcpy ((p), (literal), sizeof (literal) - 1) + sizeof (literal) - 1)
#define PUT_TEXT(p, t) ((char *) memcpy ((p), (t).text, (t).len) + (t).len)

static Text
take_text (GString *text)
{
  gsize len = text->len;

  return (Text) { g_string_free (text, FALSE), len };
}

/* Without its quotes. */
static Text
escape (const char *value)
{
  GString *out = g_string_new (NULL);

  cyc_json_append_trace_string (out, value, strlen (value));
  g_string_truncate (out, out->len - 1);
  g_string_erase (out, 0, 1);
  return take_text (out);
}

static Text
format_args (const CycCycleMeta *meta,
             CycCycleCoreType    type)
{
  GString *out = g_string_new (NULL);

  g_string_append_printf (out, ", \"args\": {\"rank\": %" G_GINT64_FORMAT ", \"device_id\": %" G_GINT64_FORMAT
                          ", \"core_type\": \"%s\", \"block_id\": ",
                          meta->rank, cyc_cycle_meta_get_device (meta), cyc_cycle_core_type_to_string (type));
  return take_text (out);
}

/**
 * cyc_cycle_json_records_new:
 * @buffer: a buffer, which has to stay
 * @more_args: what follows the last of an event's arguments, "" for nothing
 *
 * Returns: (transfer full): what writes the events of its records
 */
CycCycleJsonRecords *
cyc_cycle_json_records_new (const CycCycleBuffer *buffer,
                            const char           *more_args)
{
  CycCycleJsonRecords *self = g_new0 (CycCycleJsonRecords, 1);
  GString *after_name = g_string_new (NULL);
  gsize longest = 0;

  self->buffer = buffer;
  self->names = cyc_cycle_names_new (buffer->meta);
  self->detailed = buffer->meta->detailed_names;
  guint n_stages = cyc_cycle_names_get_n_stages (self->names);
  self->stages = g_new (Text, n_stages);
  for (guint i = 0; i < n_stages; i++)
    {
      self->stages[i] = escape (cyc_cycle_names_get_stage_text (self->names, i));
      longest = MAX (longest, self->stages[i].len);
    }
  self->owner_label = escape (buffer->meta->owner_label);
  g_string_append_printf (after_name, "\", \"cat\": \"MegaKernelInternal\", \"ph\": \"X\", \"pid\": %"
                          G_GINT64_FORMAT ", \"tid\": ", buffer->meta->rank);
  self->after_name = take_text (after_name);
  self->args[0] = format_args (buffer->meta, CYC_CYCLE_AIC);
  self->args[1] = format_args (buffer->meta, CYC_CYCLE_AIV);
  self->more_args = (Text) { g_strdup (more_args), strlen (more_args) };
  self->size = EVENT_SIZE + 2 * longest + self->owner_label.len + self->more_args.len;
  return self;
}

/**
 * cyc_cycle_json_records_free:
 * @self: (transfer full): it
 */
void
cyc_cycle_json_records_free (CycCycleJsonRecords *self)
{
  g_return_if_fail (self != NULL);

  for (guint i = 0; i < cyc_cycle_names_get_n_stages (self->names); i++)
    g_free (self->stages[i].text);
  g_free (self->stages);
  g_free (self->owner_label.text);
  g_free (self->after_name.text);
  g_free (self->args[0].text);
  g_free (self->args[1].text);
  g_free (self->more_args.text);
  cyc_cycle_names_free (self->names);
  g_free (self);
}

/**
 * cyc_cycle_json_records_get_size:
 * @self: it
 *
 * Returns: bytes that an event takes at most
 */
gsize
cyc_cycle_json_records_get_size (const CycCycleJsonRecords *self)
{
  return self->size;
}

static char *
put_name (const CycCycleJsonRecords *self,
          const CycCycleColumns     *columns,
          guint32                    i,
          char                      *p)
{
  guint32 desc = columns->desc[i];
  guint stage = cyc_cycle_names_get_stage (self->names, desc, columns->task[i]);

  if (self->detailed && columns->owner[i] != CYC_CYCLE_NO_OWNER)
    {
      p = PUT_TEXT (p, self->owner_label);
      p = cyc_uint_write (p, columns->owner[i]);
      *p++ = '_';
    }
  if (stage != CYC_CYCLE_NO_STAGE)
    p = PUT_TEXT (p, self->stages[stage]);
  else if (desc >= CYC_CYCLE_DESC_TASK_TYPE)
    p = cyc_uint_write (PUT (p, "TaskType_"), desc - CYC_CYCLE_DESC_TASK_TYPE);
  else
    p = cyc_uint_write (PUT (p, "DescId_"), desc);
  if (self->detailed)
    p = cyc_uint_write (PUT (p, "_task"), (guint64) columns->index[i] + 1);
  return p;
}

static char *
put_args (const CycCycleJsonRecords *self,
          const CycCycleColumns     *columns,
          guint32                    i,
          const CycCycleCore        *core,
          char                      *p)
{
  guint task_stage = cyc_cycle_names_get_task_stage (self->names, columns->task[i]);
  guint32 desc = columns->desc[i];

  p = PUT_TEXT (p, self->args[core->type == CYC_CYCLE_AIV]);
  p = cyc_uint_write (p, core->block);
  p = cyc_uint_write (PUT (p, ", \"task_id\": "), columns->task[i]);
  p = cyc_uint_write (PUT (p, ", \"desc_id\": "), desc);
  p = cyc_uint_write (PUT (p, ", \"stage_task_index\": "), columns->index[i]);
  p = cyc_uint_write (PUT (p, ", \"task_number\": "), (guint64) columns->index[i] + 1);
  p = cyc_uint_write (PUT (p, ", \"start_cycle\": "), columns->start[i]);
  p = cyc_uint_write (PUT (p, ", \"end_cycle\": "), columns->end[i]);
  p = cyc_uint_write (PUT (p, ", \"core_entry_cycle\": "), core->entry_cycle);
  if (task_stage != CYC_CYCLE_NO_STAGE)
    {
      p = PUT_TEXT (PUT (p, ", \"task_stage\": \""), self->stages[task_stage]);
      *p++ = '"';
    }
  if (desc >= CYC_CYCLE_DESC_TASK_TYPE)
    p = cyc_uint_write (PUT (p, ", \"task_type\": "), desc - CYC_CYCLE_DESC_TASK_TYPE);
  if (columns->owner[i] != CYC_CYCLE_NO_OWNER)
    p = cyc_uint_write (PUT (p, ", \"owner_id\": "), columns->owner[i]);
  return PUT_TEXT (p, self->more_args);
}

/**
 * cyc_cycle_json_records_put:
 * @self: it
 * @columns: records of its buffer, in columns
 * @i: which of them
 * @ts: the event's time in microseconds
 * @out: where there is room for the event
 *
 * Writes a comma and the event of a record.
 */
void
cyc_cycle_json_records_put (const CycCycleJsonRecords *self,
                            const CycCycleColumns     *columns,
                            guint32                    i,
                            double                     ts,
                            CycCycleJsonOut           *out)
{
  const CycCycleCore *core = &self->buffer->cores[columns->core[i]];
  double dur = cyc_cycle_to_us (columns->end[i], columns->start[i], self->buffer->meta->frequency_mhz);
  char *p = out->bytes + out->len;

  p = PUT (p, ", {\"name\": \"");
  p = put_name (self, columns, i, p);
  p = PUT_TEXT (p, self->after_name);
  p = cyc_uint_write (p, cyc_cycle_core_get_tid (core));
  p = cyc_double_write (PUT (p, ", \"ts\": "), ts);
  p = cyc_double_write (PUT (p, ", \"dur\": "), dur);
  p = put_args (self, columns, i, core, p);
  p = PUT (p, "}}");
  out->len = (gsize) (p - out->bytes);
}

/**
 * cyc_cycle_json_records_append_args:
 * @self: it
 * @record: a record of its buffer
 * @core: index of the record's core
 * @out: gets `"args": {…}`, as the event of the record has it
 */
void
cyc_cycle_json_records_append_args (const CycCycleJsonRecords *self,
                                    const CycCycleRecord      *record,
                                    guint32                    core,
                                    GString                   *out)
{
  guint64 start = record->start, end = record->end;
  guint32 desc = record->desc, task = record->task, index = record->index, owner = record->owner;
  const CycCycleColumns columns = { 1, &start, &end, &desc, &task, &index, &owner, &core };
  gsize at = out->len, comma = strlen (", ");

  g_string_set_size (out, at + self->size);
  char *p = put_args (self, &columns, 0, &self->buffer->cores[core], out->str + at);
  *p++ = '}';
  g_string_truncate (out, (gsize) (p - out->str));
  g_string_erase (out, (gssize) at, (gssize) comma);
}

/**
 * cyc_cycle_json_out_init:
 * @self: (out caller-allocates): text on its way
 * @sink: where it goes
 * @data: for @sink
 */
void
cyc_cycle_json_out_init (CycCycleJsonOut *self,
                         CycJsonSink      sink,
                         gpointer         data)
{
  self->size = OUT_SIZE;
  self->bytes = g_malloc (self->size);
  self->len = 0;
  self->sink = sink;
  self->data = data;
}

/**
 * cyc_cycle_json_out_clear:
 * @self: text on its way; what was not flushed is dropped
 */
void
cyc_cycle_json_out_clear (CycCycleJsonOut *self)
{
  g_clear_pointer (&self->bytes, g_free);
}

/**
 * cyc_cycle_json_out_flush:
 * @self: text on its way
 * @error: return location for the sink's error
 *
 * Returns: %TRUE if the sink took it
 */
gboolean
cyc_cycle_json_out_flush (CycCycleJsonOut  *self,
                          GError          **error)
{
  gboolean ok = self->len == 0 || self->sink (self->bytes, self->len, self->data, error);

  self->len = 0;
  return ok;
}

/**
 * cyc_cycle_json_out_reserve:
 * @self: text on its way
 * @len: how much is to come
 * @error: return location for the sink's error
 *
 * Makes room.
 *
 * Returns: %TRUE if there is room
 */
gboolean
cyc_cycle_json_out_reserve (CycCycleJsonOut  *self,
                            gsize             len,
                            GError          **error)
{
  if (len <= self->size - self->len)
    return TRUE;
  if (!cyc_cycle_json_out_flush (self, error))
    return FALSE;
  if (len > self->size)
    {
      self->size = len;
      self->bytes = g_realloc (self->bytes, len);
    }
  return TRUE;
}
