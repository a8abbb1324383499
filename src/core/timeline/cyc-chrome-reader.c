/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-chrome-reader.h"

#include <string.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-util.h"
#include "core/timeline/cyc-json-scan-private.h"

/* Reads the Trace Event Format (Chrome trace JSON), event by event: an object with traceEvents, or a bare list.
 * An event must lie in one piece in memory; one that the piece ends in is read once more when there is more. */

#define DEFAULT_PIECE (4 * 1024 * 1024)
#define MIN_PIECE 64
/* An event, or a member of the top level, is not larger. */
#define MAX_SIZE (512 * 1024 * 1024)

typedef enum
{
  STATE_START,
  STATE_OBJECT, /* before a key of the top level */
  STATE_LIST,
  STATE_DAMAGE, /* in the list, before bytes that may be an event */
  STATE_AFTER,  /* the trace has ended */
  STATE_END,
} State;

struct _CycChromeReader
{
  CycByteReader  *bytes;
  char           *path;
  char           *data;
  gsize           size;   /* of data */
  gsize           start;  /* of what is not used yet */
  gsize           len;    /* of data */
  guint64         offset; /* of data in the unpacked file */
  gboolean        ended;  /* nothing comes after data */
  State           state;
  char            last;   /* before what is not used yet, blanks aside, in damage */
  gboolean        bare;   /* a list without an object around it */
  gboolean        has_list;
  CycChromeEvent  event;
  guint           n_duplicates; /* members of the event that came twice */
  guint           places[CYC_CHROME_N_FIELDS]; /* by field: which of the members it is */
  GString        *others;
  CycTraceRepairs repairs;
};

/**
 * cyc_chrome_reader_open:
 * @path: a file of Chrome trace JSON, plain, .gz or .xz
 * @piece: bytes to read at a time, while no event is longer; 0 for a good choice
 * @error: return location for an error
 *
 * Returns: (transfer full) (nullable): a reader before the first event; for one thread at a time
 */
CycChromeReader *
cyc_chrome_reader_open (const char  *path,
                        gsize        piece,
                        GError     **error)
{
  CycByteReader *bytes = cyc_byte_reader_open (path, error);

  if (bytes == NULL)
    return NULL;
  CycChromeReader *self = g_new0 (CycChromeReader, 1);
  self->bytes = bytes;
  self->path = g_strdup (path);
  self->size = piece > 0 ? MAX (piece, MIN_PIECE) : DEFAULT_PIECE;
  self->data = g_malloc (self->size);
  self->event.members = g_array_new (FALSE, FALSE, sizeof (CycChromeValue));
  self->others = g_string_new (NULL);
  return self;
}

/**
 * cyc_chrome_reader_free:
 * @self: a reader
 */
void
cyc_chrome_reader_free (CycChromeReader *self)
{
  cyc_byte_reader_free (self->bytes);
  g_free (self->path);
  g_free (self->data);
  g_array_unref (self->event.members);
  g_string_free (self->others, TRUE);
  g_free (self);
}

static guint64
get_offset (CycChromeReader *self,
            const char      *p)
{
  return self->offset + (guint64) (p - self->data);
}

static void
repair (CycChromeReader *self,
        CycTraceRepair   what,
        const char      *p)
{
  cyc_trace_repairs_add (&self->repairs, what, get_offset (self, p));
}

/* The next bytes behind those that are not used yet. The last piece has a blank after it, so that a word at its
 * end has an end. FALSE with an error; nothing changes when there is nothing more. */
static gboolean
fill (CycChromeReader *self,
      GCancellable    *cancellable,
      GError         **error)
{
  if (self->ended)
    return TRUE;
  if (self->start > 0)
    {
      memmove (self->data, self->data + self->start, self->len - self->start);
      self->offset += self->start;
      self->len -= self->start;
      self->start = 0;
    }
  if (self->len > self->size / 2)
    {
      if (self->size >= MAX_SIZE)
        {
          cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, self->path, 0,
                            "what begins at byte %" G_GUINT64_FORMAT " is longer than %d MiB; expected an event",
                            self->offset, MAX_SIZE / 1024 / 1024);
          return FALSE;
        }
      self->size *= 2;
      self->data = g_realloc (self->data, self->size);
    }
  /* Full, so that a long event is read once more only when twice as much of it is there. */
  while (self->len < self->size - 1)
    {
      gssize n = cyc_byte_reader_read (self->bytes, self->data + self->len, self->size - 1 - self->len, cancellable,
                                       error);
      if (n < 0)
        return FALSE;
      self->len += (gsize) n;
      if (n == 0)
        {
          self->ended = TRUE;
          self->data[self->len++] = ' ';
          break;
        }
    }
  return TRUE;
}

/* Events */

static CycChromeKind
kind_of (char c)
{
  switch (c)
    {
    case '"':
      return CYC_CHROME_TEXT;
    case '{':
      return CYC_CHROME_OBJECT;
    case '[':
      return CYC_CHROME_ARRAY;
    default:
      return CYC_CHROME_WORD;
    }
}

#define IS(literal) (len == sizeof literal - 1 && memcmp (key, literal, sizeof literal - 1) == 0)

/* The field of a member. The first seven are kept in it only. */
static CycChromeValue *
find_field (CycChromeEvent *event,
            const char     *key,
            gsize           len,
            gboolean       *out_is_member)
{
  *out_is_member = FALSE;
  if (IS ("name"))
    return &event->name;
  if (IS ("ph"))
    return &event->ph;
  if (IS ("ts"))
    return &event->ts;
  if (IS ("dur"))
    return &event->dur;
  if (IS ("pid"))
    return &event->pid;
  if (IS ("tid"))
    return &event->tid;
  if (IS ("cat"))
    return &event->category;
  *out_is_member = TRUE;
  if (IS ("args"))
    return &event->args;
  if (IS ("id"))
    return &event->id;
  if (IS ("s"))
    return &event->instant_scope;
  if (IS ("bp"))
    return &event->binding_point;
  if (IS ("id2"))
    return &event->id2;
  if (IS ("scope"))
    return &event->scope;
  if (IS ("bind_id"))
    return &event->bind_id;
  if (IS ("flow_in"))
    return &event->flow_in;
  if (IS ("flow_out"))
    return &event->flow_out;
  return NULL;
}

/* The field of a key that is written with escapes. */
static CycChromeValue *
find_escaped_field (CycChromeEvent *event,
                    const char     *key,
                    gsize           len,
                    gboolean       *out_is_member)
{
  if (memchr (key, '\\', len) == NULL)
    return NULL;
  g_autofree char *decoded = _cyc_json_scan_decode (key, len, &len);
  return find_field (event, decoded, len, out_is_member);
}

/* A member, from the key's quote on; its value begins at @start. One that came before goes. */
static void
keep_member (CycChromeReader *self,
             const char      *key,
             gsize            key_len,
             const char      *start,
             const char      *end)
{
  CycChromeEvent *event = &self->event;
  gboolean is_member;
  CycChromeValue *field = find_field (event, key, key_len, &is_member);

  if (field == NULL)
    field = find_escaped_field (event, key, key_len, &is_member);
  gboolean again = field != NULL && field->kind != CYC_CHROME_ABSENT;
  self->n_duplicates += again;
  if (field != NULL)
    cyc_chrome_value_init (field, start, (gsize) (end - start));
  if (!is_member)
    return;
  CycChromeValue member = { key - 1, (gsize) (end - key) + 1, CYC_CHROME_OBJECT };
  if (again)
    g_array_index (event->members, CycChromeValue, self->places[field - &event->ph]) = member;
  else
    g_array_append_val (event->members, member);
  if (field != NULL && !again)
    self->places[field - &event->ph] = event->members->len - 1;
}

static void
begin_event (CycChromeReader *self,
             const char      *p)
{
  GArray *members = self->event.members;

  self->n_duplicates = 0;
  /* What g_array_set_size() does in many more steps, for each event. */
  members->len = 0;
  self->event = (CycChromeEvent) { .offset = get_offset (self, p), .members = members };
}

static CycJsonScanResult
scan_member (CycChromeReader *self,
             CycJsonScan     *scan)
{
  const char *key;
  gsize key_len;
  CycJsonScanResult result = _cyc_json_scan_key (scan, &key, &key_len);

  if (result != CYC_JSON_SCAN_DONE)
    return result;
  const char *value = scan->p;
  if (*value == '"')
    {
      scan->p++;
      result = _cyc_json_scan_text (scan);
    }
  else
    {
      result = _cyc_json_scan_value (scan);
    }
  if (result == CYC_JSON_SCAN_DONE)
    keep_member (self, key, key_len, value, scan->p);
  return result;
}

/* At the bracket that opens an event. */
static CycJsonScanResult
scan_event (CycChromeReader *self,
            CycJsonScan     *scan)
{
  gboolean comma = FALSE;

  begin_event (self, scan->p++);
  for (;;)
    {
      _cyc_json_scan_blanks (scan);
      if (scan->p == scan->end)
        return CYC_JSON_SCAN_MORE;
      if (*scan->p == '}')
        break;
      CycJsonScanResult result = scan_member (self, scan);
      if (result != CYC_JSON_SCAN_DONE)
        return result;
      _cyc_json_scan_blanks (scan);
      if (scan->p == scan->end)
        return CYC_JSON_SCAN_MORE;
      comma = *scan->p == ',';
      if (comma)
        scan->p++;
      else if (*scan->p != '}')
        return CYC_JSON_SCAN_BAD;
    }
  scan->p++;
  if (comma)
    scan->flags |= CYC_JSON_UNTIDY_COMMA;
  return CYC_JSON_SCAN_DONE;
}

static void
note_untidy (CycChromeReader *self,
             guint            flags,
             const char      *p)
{
  if (flags & CYC_JSON_UNTIDY_COMMA)
    repair (self, CYC_REPAIR_TRAILING_COMMA, p);
  if (flags & CYC_JSON_UNTIDY_ESCAPE)
    repair (self, CYC_REPAIR_ESCAPE, p);
  if (flags & CYC_JSON_UNTIDY_CONTROL)
    repair (self, CYC_REPAIR_CONTROL, p);
  if (flags & CYC_JSON_UNTIDY_LITERAL)
    repair (self, CYC_REPAIR_NOT_FINITE, p);
}

static gboolean
is_untidy (guint flags)
{
  return (flags & ~(guint) CYC_JSON_HAS_ESCAPES) != 0;
}

/* Whether what comes after a bracket is what comes after a list: a key, the object's end, nothing. */
static CycJsonScanResult
look_behind_list (CycChromeReader *self)
{
  CycJsonScan scan = { self->data + self->start + 1, self->data + self->len, 0 };

  _cyc_json_scan_blanks (&scan);
  if (scan.p < scan.end && *scan.p == ',' && !self->bare)
    {
      scan.p++;
      _cyc_json_scan_blanks (&scan);
      if (scan.p < scan.end)
        return *scan.p == '"' ? CYC_JSON_SCAN_DONE : CYC_JSON_SCAN_BAD;
    }
  if (scan.p == scan.end)
    return self->ended ? CYC_JSON_SCAN_DONE : CYC_JSON_SCAN_MORE;
  return *scan.p == '}' && !self->bare ? CYC_JSON_SCAN_DONE : CYC_JSON_SCAN_BAD;
}

/* After bytes that are no event: to the next bracket that may open one, behind a comma, a bracket or a line's end. */
static CycJsonScanResult
step_damage (CycChromeReader *self)
{
  for (; self->start < self->len; self->start++)
    {
      char c = self->data[self->start];
      if (c == '{' && (self->last == ',' || self->last == '[' || self->last == '}' || self->last == '\n'))
        {
          self->state = STATE_LIST;
          return CYC_JSON_SCAN_DONE;
        }
      if (c == ']')
        {
          CycJsonScanResult result = look_behind_list (self);
          if (result == CYC_JSON_SCAN_MORE)
            return result;
          if (result == CYC_JSON_SCAN_DONE)
            {
              self->state = STATE_LIST;
              return result;
            }
        }
      if (c != ' ' && c != '\t' && c != '\r')
        self->last = c;
    }
  return CYC_JSON_SCAN_MORE;
}

/* The one character of a phase; 0 if it has more or none. */
static char
get_phase (const CycChromeValue *ph)
{
  gsize len;

  if (ph->kind != CYC_CHROME_TEXT || ph->len == 1)
    return ph->kind == CYC_CHROME_TEXT ? *ph->text : 0;
  if (!cyc_chrome_value_has_escapes (ph))
    return 0;
  g_autofree char *decoded = cyc_chrome_value_decode (ph, &len);
  return len == 1 ? *decoded : 0;
}

/* An entry of the list. MORE wants more bytes; DONE with *out_event unset has passed something over. */
static CycJsonScanResult
scan_entry (CycChromeReader *self,
            gboolean        *out_event)
{
  CycJsonScan scan = { self->data + self->start, self->data + self->len, 0 };
  const char *start = scan.p;
  gboolean is_object = *start == '{';

  *out_event = FALSE;
  CycJsonScanResult result = is_object ? scan_event (self, &scan) : _cyc_json_scan_value (&scan);
  if (result == CYC_JSON_SCAN_MORE)
    return result;
  if (result == CYC_JSON_SCAN_BAD)
    {
      repair (self, CYC_REPAIR_DAMAGED, start);
      self->start = (gsize) ((scan.p > start ? scan.p : start + 1) - self->data);
      self->last = 0;
      self->state = STATE_DAMAGE;
      return CYC_JSON_SCAN_DONE;
    }
  note_untidy (self, scan.flags, start);
  self->start = (gsize) (scan.p - self->data);
  if (!is_object)
    {
      repair (self, CYC_REPAIR_NOT_OBJECT, start);
      return CYC_JSON_SCAN_DONE;
    }
  for (; self->n_duplicates > 0; self->n_duplicates--)
    repair (self, CYC_REPAIR_DUPLICATE_KEY, start);
  self->event.untidy = is_untidy (scan.flags);
  self->event.phase = get_phase (&self->event.ph);
  *out_event = TRUE;
  return CYC_JSON_SCAN_DONE;
}

/* The top level */

/* At a key of the object: a list of events, or something that is kept as it is. */
static CycJsonScanResult
scan_top_member (CycChromeReader *self)
{
  CycJsonScan scan = { self->data + self->start, self->data + self->len, 0 };
  const char *start = scan.p, *key;
  gsize key_len;
  CycJsonScanResult result = _cyc_json_scan_key (&scan, &key, &key_len);

  if (result != CYC_JSON_SCAN_DONE)
    return result;
  gboolean is_list = _cyc_json_scan_is_key (key, key_len, "traceEvents");
  if (is_list && *scan.p == '[')
    {
      if (self->has_list)
        repair (self, CYC_REPAIR_DUPLICATE_KEY, start);
      self->has_list = TRUE;
      self->state = STATE_LIST;
      self->start = (gsize) (scan.p + 1 - self->data);
      return CYC_JSON_SCAN_DONE;
    }
  result = _cyc_json_scan_value (&scan);
  if (result != CYC_JSON_SCAN_DONE)
    return result;
  self->start = (gsize) (scan.p - self->data);
  /* Beside a list of events there is no other of its name. */
  if (is_list)
    {
      repair (self, CYC_REPAIR_DUPLICATE_KEY, start);
      return CYC_JSON_SCAN_DONE;
    }
  note_untidy (self, scan.flags, start);
  if (self->others->len > 0)
    g_string_append_c (self->others, ',');
  gboolean utf8 = g_utf8_validate_len (start, (gsize) (scan.p - start), NULL);
  if (!utf8)
    repair (self, CYC_REPAIR_UTF8, start);
  if (is_untidy (scan.flags) || !utf8)
    _cyc_json_scan_tidy (start, (gsize) (scan.p - start), self->others);
  else
    g_string_append_len (self->others, start, scan.p - start);
  return CYC_JSON_SCAN_DONE;
}

static gboolean
is_blank (char c)
{
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Whether the next byte that is no blank, nor @also, is there. */
static gboolean
skip_to_next (CycChromeReader *self,
              char             also)
{
  while (self->start < self->len && (is_blank (self->data[self->start]) || self->data[self->start] == also))
    self->start++;
  return self->start < self->len;
}

static gboolean
start_trace (CycChromeReader  *self,
             GError          **error)
{
  if (self->offset == 0 && self->len - self->start >= 3 && memcmp (self->data, "\xef\xbb\xbf", 3) == 0)
    self->start += 3;
  skip_to_next (self, ' ');
  char first = self->start < self->len ? self->data[self->start] : 0;
  if (first != '[' && first != '{')
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                        "this is no Chrome trace: expected '{' or '[' at its beginning");
      return FALSE;
    }
  self->bare = self->has_list = first == '[';
  self->state = self->bare ? STATE_LIST : STATE_OBJECT;
  self->start++;
  return TRUE;
}

/* One step inside of the object around the list. */
static CycJsonScanResult
step_object (CycChromeReader *self)
{
  const char *p;

  if (!skip_to_next (self, ','))
    return CYC_JSON_SCAN_MORE;
  p = self->data + self->start;
  if (*p == '}')
    {
      self->start++;
      self->state = STATE_AFTER;
      return CYC_JSON_SCAN_DONE;
    }
  CycJsonScanResult result = *p == '"' ? scan_top_member (self) : CYC_JSON_SCAN_BAD;
  if (result != CYC_JSON_SCAN_BAD)
    return result;
  /* What comes after damage here cannot be told. */
  repair (self, CYC_REPAIR_DAMAGED, p);
  self->start = self->len;
  self->state = STATE_END;
  return CYC_JSON_SCAN_DONE;
}

static CycJsonScanResult
step_list (CycChromeReader *self,
           gboolean        *out_event)
{
  *out_event = FALSE;
  if (!skip_to_next (self, ','))
    return CYC_JSON_SCAN_MORE;
  if (self->data[self->start] != ']')
    return scan_entry (self, out_event);
  self->start++;
  self->state = self->bare ? STATE_AFTER : STATE_OBJECT;
  return CYC_JSON_SCAN_DONE;
}

/* The file ends before the trace does. */
static void
end_early (CycChromeReader *self)
{
  const char *p = self->data + self->start;

  if (skip_to_next (self, ','))
    repair (self, CYC_REPAIR_CUT, p);
  repair (self, CYC_REPAIR_NOT_CLOSED, self->data + self->len - 1);
  self->state = STATE_END;
}

/* What comes after the trace is only noticed. */
static CycJsonScanResult
step_after (CycChromeReader *self)
{
  if (!skip_to_next (self, ' ') && !self->ended)
    return CYC_JSON_SCAN_MORE;
  if (self->start < self->len)
    repair (self, CYC_REPAIR_EXTRA, self->data + self->start);
  self->state = STATE_END;
  return CYC_JSON_SCAN_DONE;
}

/* One step. MORE without more bytes is the end of the file. */
static CycJsonScanResult
step (CycChromeReader *self,
      gboolean        *out_event)
{
  *out_event = FALSE;
  switch (self->state)
    {
    case STATE_OBJECT:
      return step_object (self);
    case STATE_LIST:
      return step_list (self, out_event);
    case STATE_DAMAGE:
      return step_damage (self);
    case STATE_AFTER:
      return step_after (self);
    case STATE_START:
    case STATE_END:
    default:
      return CYC_JSON_SCAN_DONE;
    }
}

static gboolean
begin (CycChromeReader  *self,
       GCancellable     *cancellable,
       GError          **error)
{
  return fill (self, cancellable, error) && start_trace (self, error);
}

/**
 * cyc_chrome_reader_next:
 * @self: a reader
 * @cancellable: (nullable): looked at now and then
 * @error: return location for an error: the file cannot be read, is no Chrome trace, or has no list of events
 *
 * Reads the next event. What is wrong in the file and can be lived with goes into the repairs.
 *
 * Returns: whether there was one
 */
CycChromeResult
cyc_chrome_reader_next (CycChromeReader  *self,
                        GCancellable     *cancellable,
                        GError          **error)
{
  gboolean has_event = FALSE;

  if (self->state == STATE_START && !begin (self, cancellable, error))
    return CYC_CHROME_FAILED;
  while (self->state != STATE_END)
    {
      if (step (self, &has_event) == CYC_JSON_SCAN_DONE)
        {
          if (has_event)
            return CYC_CHROME_EVENT;
          continue;
        }
      if (self->ended)
        end_early (self);
      else if (!fill (self, cancellable, error))
        return CYC_CHROME_FAILED;
    }
  if (self->has_list)
    return CYC_CHROME_END;
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->path, 0,
                    "this is no Chrome trace: expected a list of events, or an object with one named traceEvents");
  return CYC_CHROME_FAILED;
}

/**
 * cyc_chrome_reader_get_event:
 * @self: a reader
 *
 * Returns: (transfer none): the event that was read last, valid until the next
 */
const CycChromeEvent *
cyc_chrome_reader_get_event (CycChromeReader *self)
{
  return &self->event;
}

/**
 * cyc_chrome_reader_get_others:
 * @self: a reader
 *
 * Returns: (transfer none): the members of the top level other than the events that were read so far, as JSON with
 *   commas between them, without brackets
 */
const GString *
cyc_chrome_reader_get_others (CycChromeReader *self)
{
  return self->others;
}

/**
 * cyc_chrome_reader_get_repairs:
 * @self: a reader
 *
 * Returns: (transfer none): what was repaired so far; whoever makes something of the events adds to it
 */
CycTraceRepairs *
cyc_chrome_reader_get_repairs (CycChromeReader *self)
{
  return &self->repairs;
}

/**
 * cyc_chrome_reader_get_warning:
 * @self: a reader that has come to the end
 *
 * Returns: (transfer none) (nullable): what is wrong with the packing of a .gz or .xz; what came before it was read
 */
const char *
cyc_chrome_reader_get_warning (CycChromeReader *self)
{
  return cyc_byte_reader_get_warning (self->bytes);
}

/**
 * cyc_chrome_reader_get_fraction:
 * @self: a reader
 *
 * Returns: how much of the file has been read, 0 to 1
 */
double
cyc_chrome_reader_get_fraction (CycChromeReader *self)
{
  guint64 size = cyc_byte_reader_get_size (self->bytes);

  return size > 0 ? MIN ((double) cyc_byte_reader_get_position (self->bytes) / (double) size, 1) : 1;
}

/**
 * cyc_chrome_value_init:
 * @value: (out): a value
 * @text: (array length=len): its bytes in the file, with the quotes of a text
 * @len: how many, 1 at least
 */
void
cyc_chrome_value_init (CycChromeValue *value,
                       const char     *text,
                       gsize           len)
{
  CycChromeKind kind = kind_of (*text);

  if (kind == CYC_CHROME_TEXT)
    *value = (CycChromeValue) { text + 1, len - 2, kind };
  else
    *value = (CycChromeValue) { text, len, kind };
}

/**
 * cyc_chrome_value_has_escapes:
 * @value: a value
 *
 * Returns: whether it is a text with a backslash in it
 */
gboolean
cyc_chrome_value_has_escapes (const CycChromeValue *value)
{
  return value->kind == CYC_CHROME_TEXT && memchr (value->text, '\\', value->len) != NULL;
}

/**
 * cyc_chrome_value_decode:
 * @value: a value
 * @out_len: (out): length of what is returned
 *
 * Returns: (transfer full): a text without its escapes; anything else as it stands in the file
 */
char *
cyc_chrome_value_decode (const CycChromeValue *value,
                         gsize                *out_len)
{
  if (value->kind == CYC_CHROME_TEXT)
    return _cyc_json_scan_decode (value->text, value->len, out_len);
  *out_len = value->len;
  return g_strndup (value->text, value->len);
}

static void
append_members (const CycChromeEvent *self,
                gboolean              tidy,
                GString              *out)
{
  for (guint i = 0; i < self->members->len; i++)
    {
      const CycChromeValue *member = &g_array_index (self->members, CycChromeValue, i);
      if (i > 0)
        g_string_append_c (out, ',');
      if (tidy)
        _cyc_json_scan_tidy (member->text, member->len, out);
      else
        g_string_append_len (out, member->text, (gssize) member->len);
    }
}

/* Bytes below 0x80 are UTF-8, and nearly all are such. */
static gboolean
is_utf8 (const char *text,
         gsize       len)
{
  gsize ascii = cyc_utf8_skip_ascii (text, len);

  return g_utf8_validate_len (text + ascii, len - ascii, NULL);
}

/**
 * cyc_chrome_event_append_members:
 * @self: an event
 * @out: gets its members other than name, cat, ph, pid, tid, ts and dur, as well formed JSON in UTF-8 with commas
 *   between them, without brackets
 *
 * Returns: whether they were UTF-8 before
 */
gboolean
cyc_chrome_event_append_members (const CycChromeEvent *self,
                                 GString              *out)
{
  gsize start = out->len;

  append_members (self, self->untidy, out);
  if (self->untidy || is_utf8 (out->str + start, out->len - start))
    return TRUE;
  g_string_truncate (out, start);
  append_members (self, TRUE, out);
  return FALSE;
}
