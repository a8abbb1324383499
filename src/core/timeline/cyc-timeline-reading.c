/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-timeline-reading.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-double.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-number.h"

/* Decimal places between what a file counts and microseconds. A cycle is a picosecond here: the columns of a timeline
 * of cycles have cycles where others have picoseconds. */
static const int shifts[] = { 0, -3, -6 };

static const char *const units[] = { "us", "ns", "cycles" };

/* Exponents that are written: what is beyond is no time. */
#define MAX_EXPONENT 1000000

/**
 * cyc_timeline_reading_new:
 *
 * Returns: (transfer full): microseconds, and all of a file
 */
CycTimelineReading *
cyc_timeline_reading_new (void)
{
  return g_new0 (CycTimelineReading, 1);
}

/**
 * cyc_timeline_reading_copy:
 * @self: (nullable): how a file is read
 *
 * Returns: (transfer full) (nullable): the same
 */
CycTimelineReading *
cyc_timeline_reading_copy (const CycTimelineReading *self)
{
  if (self == NULL)
    return NULL;
  CycTimelineReading *copy = cyc_timeline_reading_new ();
  copy->unit = self->unit;
  copy->mhz = self->mhz;
  copy->in_time = self->in_time;
  copy->from = g_strdup (self->from);
  copy->to = g_strdup (self->to);
  copy->categories = g_strdupv (self->categories);
  return copy;
}

/**
 * cyc_timeline_reading_free:
 * @self: (nullable) (transfer full): how a file is read
 */
void
cyc_timeline_reading_free (CycTimelineReading *self)
{
  if (self == NULL)
    return;
  g_free (self->from);
  g_free (self->to);
  g_strfreev (self->categories);
  g_free (self);
}

static gboolean
check_time (const CycTimelineReading  *self,
            const char                *text,
            CycTraceTime              *out_time,
            GError                   **error)
{
  if (text == NULL || cyc_timeline_reading_parse (self, text, strlen (text), out_time))
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "expected a time such as the file has, a number, not \"%s\"",
                    text);
  return FALSE;
}

/**
 * cyc_timeline_reading_check:
 * @self: how a file is to be read
 * @error: what is wrong
 *
 * Returns: whether it can be
 */
gboolean
cyc_timeline_reading_check (const CycTimelineReading  *self,
                            GError                   **error)
{
  CycTraceTime from, to;

  if (!isfinite (self->mhz) || self->mhz < 0 || (self->mhz > 0 && self->unit != CYC_TIMELINE_FILE_CYCLES))
    {
      cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                        self->unit == CYC_TIMELINE_FILE_CYCLES ? "the clock must be more than 0 MHz"
                                                               : "only cycles have a clock");
      return FALSE;
    }
  if (!check_time (self, self->from, &from, error) || !check_time (self, self->to, &to, error))
    return FALSE;
  if (self->from == NULL || self->to == NULL || cyc_trace_time_compare (&from, &to) < 0)
    return TRUE;
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, "the part that is read must end after it begins");
  return FALSE;
}

/**
 * cyc_timeline_reading_is_plain:
 * @self: (nullable): how a file is read
 *
 * Returns: whether that is as the format says, and all of it
 */
gboolean
cyc_timeline_reading_is_plain (const CycTimelineReading *self)
{
  return self == NULL || (self->unit == CYC_TIMELINE_FILE_US && !cyc_timeline_reading_is_part (self));
}

/**
 * cyc_timeline_reading_is_part:
 * @self: (nullable): how a file is read
 *
 * Returns: whether events are left out
 */
gboolean
cyc_timeline_reading_is_part (const CycTimelineReading *self)
{
  return self != NULL && (self->from != NULL || self->to != NULL || self->categories != NULL);
}

/**
 * cyc_timeline_reading_parse:
 * @self: how a file is read
 * @text: (array length=len): a time of it
 * @len: its length
 * @out_time: (out): the time, exactly; cycles are picoseconds, or what their clock makes of them
 *
 * Returns: whether it is a number that fits
 */
gboolean
cyc_timeline_reading_parse (const CycTimelineReading *self,
                            const char               *text,
                            gsize                     len,
                            CycTraceTime             *out_time)
{
  char buf[CYC_DOUBLE_WRITE_MAX];
  double value;

  if (self->unit != CYC_TIMELINE_FILE_CYCLES || !self->in_time)
    return cyc_trace_time_parse_shifted (text, len, shifts[self->unit], out_time);
  return cyc_number_parse_double (text, len, &value)
         && cyc_trace_time_parse (buf, (gsize) (cyc_double_write (buf, value / self->mhz) - buf), out_time);
}

/**
 * cyc_timeline_reading_append:
 * @self: how a file is read
 * @text: (array length=len): a time of it, a number
 * @len: its length
 * @out: takes the same time in microseconds; in cycles if their clock is not known
 *
 * What is finer than the columns can say is written as it is.
 */
void
cyc_timeline_reading_append (const CycTimelineReading *self,
                             const char               *text,
                             gsize                     len,
                             GString                  *out)
{
  char buf[CYC_DOUBLE_WRITE_MAX];
  double value;

  if (self->unit == CYC_TIMELINE_FILE_CYCLES && self->mhz > 0 && cyc_number_parse_double (text, len, &value))
    {
      g_string_append_len (out, buf, cyc_double_write (buf, value / self->mhz) - buf);
      return;
    }
  if (self->unit != CYC_TIMELINE_FILE_NS)
    {
      g_string_append_len (out, text, (gssize) len);
      return;
    }
  gsize digits = 0;
  while (digits < len && text[digits] != 'e' && text[digits] != 'E')
    digits++;
  g_autofree char *written = digits < len ? g_strndup (text + digits + 1, len - digits - 1) : NULL;
  gint64 exponent = written != NULL ? g_ascii_strtoll (written, NULL, 10) : 0;
  g_string_append_len (out, text, (gssize) digits);
  g_string_append_printf (out, "e%" G_GINT64_FORMAT,
                          CLAMP (exponent, -MAX_EXPONENT, MAX_EXPONENT) + shifts[self->unit]);
}

/**
 * cyc_timeline_reading_put:
 * @self: (nullable): how a file was read
 * @writer: a writer in an object
 *
 * Writes what has to be known to read the file so again, all of it, and whether a part was read; nothing if that is as
 * the format says.
 */
void
cyc_timeline_reading_put (const CycTimelineReading *self,
                          CycJsonWriter            *writer)
{
  if (self == NULL)
    return;
  if (self->unit != CYC_TIMELINE_FILE_US)
    cyc_json_writer_put_string (writer, "file_unit", units[self->unit]);
  if (self->mhz > 0)
    cyc_json_writer_put_double (writer, "file_clock_mhz", self->mhz);
  if (cyc_timeline_reading_is_part (self))
    cyc_json_writer_put_boolean (writer, "part", TRUE);
}

/**
 * cyc_timeline_reading_new_from_view:
 * @json: the JSON of a view
 *
 * Returns: (transfer full) (nullable): how its file is to be read; %NULL if that is as the format says
 */
CycTimelineReading *
cyc_timeline_reading_new_from_view (const char *json)
{
  g_return_val_if_fail (json != NULL, NULL);

  g_autoptr (JsonNode) root = cyc_json_parse (json, strlen (json), NULL, NULL);
  JsonObject *object = root != NULL ? cyc_json_node_get_object (root) : NULL;
  const char *unit = object != NULL ? cyc_json_get_string (object, "file_unit") : NULL;
  g_autoptr (CycTimelineReading) self = cyc_timeline_reading_new ();

  if (unit == NULL || !cyc_timeline_file_unit_from_string (unit, &self->unit)
      || self->unit == CYC_TIMELINE_FILE_US)
    return NULL;
  if (!cyc_json_get_double (object, "file_clock_mhz", &self->mhz))
    self->mhz = 0;
  return cyc_timeline_reading_check (self, NULL) ? g_steal_pointer (&self) : NULL;
}

/**
 * cyc_timeline_file_unit_to_string:
 * @unit: what times of a file count
 *
 * Returns: its word
 */
const char *
cyc_timeline_file_unit_to_string (CycTimelineFileUnit unit)
{
  return units[unit];
}

/**
 * cyc_timeline_file_unit_from_string:
 * @text: a word
 * @out_unit: (out): what times of a file count
 *
 * Returns: whether it is one of `us`, `ns` and `cycles`
 */
gboolean
cyc_timeline_file_unit_from_string (const char          *text,
                                    CycTimelineFileUnit *out_unit)
{
  for (guint i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i], text) == 0)
      {
        *out_unit = (CycTimelineFileUnit) i;
        return TRUE;
      }
  return FALSE;
}
