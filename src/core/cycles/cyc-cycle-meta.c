/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/cycles/cyc-cycle-meta.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-double.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"
#include "core/cycles/cyc-python-text.h"

#define MAX_META_SIZE (64 * 1024 * 1024)

/**
 * cyc_cycle_meta_new:
 *
 * Returns: (transfer full): metadata with all that may be missing at its default
 */
CycCycleMeta *
cyc_cycle_meta_new (void)
{
  CycCycleMeta *self = g_new0 (CycCycleMeta, 1);

  g_atomic_ref_count_init (&self->refs);
  self->kernel_name = g_strdup ("MegaKernel");
  self->owner_label = g_strdup ("Owner");
  self->stage_names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->task_stage_names = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->cube_slots = CYC_CYCLE_MIN_CUBE_SLOTS;
  self->unknown = g_ptr_array_new_with_free_func (g_free);
  return self;
}

/**
 * cyc_cycle_meta_ref:
 * @self: metadata
 *
 * Returns: (transfer full): @self
 */
CycCycleMeta *
cyc_cycle_meta_ref (CycCycleMeta *self)
{
  g_atomic_ref_count_inc (&self->refs);
  return self;
}

/**
 * cyc_cycle_meta_unref:
 * @self: (transfer full): metadata
 */
void
cyc_cycle_meta_unref (CycCycleMeta *self)
{
  if (!g_atomic_ref_count_dec (&self->refs))
    return;
  g_free (self->source);
  g_free (self->soc_name);
  g_free (self->kernel_name);
  g_free (self->owner_label);
  g_hash_table_unref (self->stage_names);
  g_hash_table_unref (self->task_stage_names);
  g_free (self->aic_capacity);
  g_free (self->aiv_capacity);
  g_ptr_array_unref (self->unknown);
  g_free (self->stage_fault);
  g_free (self);
}

typedef struct
{
  CycCycleMeta       *meta;
  const CycJsonValue *value;
  const char         *source;
  GError            **error;
} Reader;

static gboolean
fail_type (const Reader *self,
           const char   *key,
           const char   *expected)
{
  const CycJsonValue *value = cyc_json_value_get_member (self->value, key);
  g_autofree char *shown = cyc_python_dup_repr (value);

  cyc_error_set_at (self->error, CYC_ERROR_INPUT, self->source, 0, "%s must be %s, got %s", key, expected,
                    shown);
  return FALSE;
}

/* NULL if it is missing or null. */
static const CycJsonValue *
get_given (const Reader *self,
           const char   *key)
{
  const CycJsonValue *value = cyc_json_value_get_member (self->value, key);

  return value == NULL || value->kind == CYC_JSON_NULL ? NULL : value;
}

static gboolean
read_int (const Reader *self,
          const char   *key,
          gint64       *out_value,
          gboolean     *out_given)
{
  const CycJsonValue *value = get_given (self, key);

  if (value == NULL)
    return TRUE;
  if (out_given != NULL)
    *out_given = TRUE;
  return cyc_json_value_get_int (value, out_value) || fail_type (self, key, "an integer of 64 bits");
}

static gboolean
read_text (const Reader  *self,
           const char    *key,
           char         **field)
{
  const CycJsonValue *value = get_given (self, key);

  if (value == NULL)
    return TRUE;
  if (value->kind != CYC_JSON_STRING)
    return fail_type (self, key, "a text");
  g_autofree char *text = cyc_utf8_make_valid (value->text, value->len);
  cyc_set_str (field, text);
  return TRUE;
}

static gboolean
read_flag (const Reader *self,
           const char   *key,
           gboolean     *field)
{
  const CycJsonValue *value = get_given (self, key);

  if (value == NULL)
    return TRUE;
  *field = value->kind == CYC_JSON_TRUE;
  return *field || value->kind == CYC_JSON_FALSE || fail_type (self, key, "true or false");
}

static gboolean
read_frequency (const Reader *self)
{
  static const char key[] = "cycle_frequency_mhz";
  const CycJsonValue *value = get_given (self, key);

  if (value == NULL)
    return TRUE;
  self->meta->has_frequency = TRUE;
  return (cyc_json_value_get_number (value, &self->meta->frequency_mhz) &&
          isfinite (self->meta->frequency_mhz)) ||
         fail_type (self, key, "a finite number");
}

static gboolean
read_capacity (const Reader  *self,
               const char    *key,
               char         **field)
{
  const CycJsonValue *value = get_given (self, key);

  if (value == NULL)
    return TRUE;
  if (value->kind != CYC_JSON_INTEGER)
    return fail_type (self, key, "an integer or null");
  cyc_set_str (field, value->text);
  return TRUE;
}

/* A key is an integer in decimal. One that no record can have (negative, or over 32 bits) is dropped. */
static gboolean
parse_key (const CycJsonValue *member,
           gboolean           *out_fits,
           guint32            *out_key)
{
  const char *p = member->key;
  const char *end = p + member->key_len;
  guint64 value = 0;
  gboolean negative = FALSE;

  while (p < end && g_ascii_isspace (*p))
    p++;
  while (end > p && g_ascii_isspace (end[-1]))
    end--;
  if (p < end && (*p == '-' || *p == '+'))
    negative = *p++ == '-';
  if (p == end)
    return FALSE;
  for (; p < end; p++)
    {
      if (!g_ascii_isdigit (*p))
        return FALSE;
      value = MIN (value * 10 + (guint64) (*p - '0'), (guint64) 1 << 40);
    }
  *out_fits = value <= G_MAXUINT32 && (!negative || value == 0);
  *out_key = (guint32) value;
  return TRUE;
}

static gboolean
is_blank (const CycJsonValue *value)
{
  for (gsize i = 0; i < value->len;)
    {
      gunichar c = g_utf8_get_char_validated (value->text + i, (gssize) (value->len - i));
      /* What Python counts as blank: separators and the four control characters before the space. */
      if (c >= 0x110000 || !(g_unichar_isspace (c) || (c >= 0x1c && c <= 0x1f) || c == 0x0b || c == 0x85))
        return FALSE;
      i += (gsize) g_unichar_to_utf8 (c, NULL);
    }
  return TRUE;
}

/* The first fault is kept for cyc_cycle_meta_check(), which has its place in an order of checks. */
static char *
find_name_fault (const CycJsonValue *member,
                 const char         *map)
{
  gboolean fits;
  guint32 key;

  if (!parse_key (member, &fits, &key))
    {
      g_autofree char *shown = cyc_python_quote (member->key, member->key_len);
      return g_strdup_printf ("%s keys must be integers, got %s", map, shown);
    }
  if (member->kind != CYC_JSON_STRING || is_blank (member))
    {
      g_autofree char *shown = cyc_python_dup_repr (member);
      return g_strdup_printf ("%s values must be non-empty strings, got %s", map, shown);
    }
  return NULL;
}

static gboolean
read_names (const Reader *self,
            const char   *map,
            GHashTable   *names,
            gboolean      is_stages)
{
  const CycJsonValue *value = get_given (self, map);

  if (value == NULL)
    return TRUE;
  if (value->kind != CYC_JSON_OBJECT)
    return fail_type (self, map, "an object or null");
  for (const CycJsonValue *p = value->first; p != NULL; p = p->next)
    {
      g_autofree char *fault = find_name_fault (p, map);
      gboolean fits = FALSE;
      guint32 key = 0;
      if (fault != NULL && is_stages)
        {
          self->meta->stage_fault = g_steal_pointer (&fault);
          return TRUE;
        }
      /* A task's stage may be called anything, and null is no name. */
      if (!is_stages && p->kind == CYC_JSON_NULL)
        continue;
      if (!parse_key (p, &fits, &key) || p->kind != CYC_JSON_STRING)
        {
          cyc_error_set_at (self->error, CYC_ERROR_INPUT, self->source, 0, "%s", fault);
          return FALSE;
        }
      if (fits)
        g_hash_table_insert (names, GUINT_TO_POINTER (key), cyc_utf8_make_valid (p->text, p->len));
    }
  return TRUE;
}

static void
note_unknown (const Reader *self)
{
  static const char *const known[] = {
    "rank", "device_id", "soc_name", "cycle_frequency_mhz", "detailed_task_names", "kernel_name",
    "owner_label", "stage_names", "task_stage_names", "cube_slot_count", "aic_record_capacity",
    "aiv_record_capacity", NULL,
  };

  for (const CycJsonValue *p = self->value->first; p != NULL; p = p->next)
    {
      g_autofree char *key = cyc_utf8_make_valid (p->key, p->key_len);
      if (!g_strv_contains (known, key))
        g_ptr_array_add (self->meta->unknown, g_steal_pointer (&key));
    }
}

/**
 * cyc_cycle_meta_read:
 * @value: the object, with the keys of the profiler
 * @source: (nullable): the file that it stands in, for messages
 * @error: (nullable): return location for an error about the type of a field
 *
 * Reads metadata; a field that is missing or null keeps its default. Whether they are right is for
 * cyc_cycle_meta_check() to say.
 *
 * Returns: (transfer full) (nullable): the metadata
 */
CycCycleMeta *
cyc_cycle_meta_read (const CycJsonValue  *value,
                     const char          *source,
                     GError             **error)
{
  g_autoptr (CycCycleMeta) self = cyc_cycle_meta_new ();
  Reader reader = { self, value, source, error };

  self->source = g_strdup (source);
  if (value->kind != CYC_JSON_OBJECT)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "expected an object with the metadata of a buffer");
      return NULL;
    }
  if (!read_int (&reader, "rank", &self->rank, NULL) ||
      !read_int (&reader, "device_id", &self->device_id, &self->has_device) ||
      !read_text (&reader, "soc_name", &self->soc_name) || !read_frequency (&reader) ||
      !read_flag (&reader, "detailed_task_names", &self->detailed_names) ||
      !read_text (&reader, "kernel_name", &self->kernel_name) ||
      !read_text (&reader, "owner_label", &self->owner_label) ||
      !read_int (&reader, "cube_slot_count", &self->cube_slots, NULL) ||
      !read_capacity (&reader, "aic_record_capacity", &self->aic_capacity) ||
      !read_capacity (&reader, "aiv_record_capacity", &self->aiv_capacity) ||
      !read_names (&reader, "stage_names", self->stage_names, TRUE) ||
      !read_names (&reader, "task_stage_names", self->task_stage_names, FALSE))
    return NULL;
  note_unknown (&reader);
  return g_steal_pointer (&self);
}

/**
 * cyc_cycle_meta_read_file:
 * @path: a JSON file
 * @error: (nullable): return location for an error
 *
 * Returns: (transfer full) (nullable): the file's metadata
 */
CycCycleMeta *
cyc_cycle_meta_read_file (const char  *path,
                          GError     **error)
{
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();
  const CycJsonValue *value = cyc_json_arena_parse_file (arena, path, MAX_META_SIZE, error);

  return value == NULL ? NULL : cyc_cycle_meta_read (value, path, error);
}

/**
 * cyc_cycle_meta_is_buffer:
 * @path: a file
 *
 * Returns: whether its name is that of a profile buffer: `NAME.bin`, packed or not, in any case
 */
gboolean
cyc_cycle_meta_is_buffer (const char *path)
{
  static const char *const endings[] = { ".bin", ".bin.gz", ".bin.xz" };
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++)
    if (g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return FALSE;
}

/**
 * cyc_cycle_meta_get_sidecar:
 * @buffer_path: a profile buffer
 *
 * Returns: (transfer full): where its metadata lie if nobody says otherwise: `NAME.meta.json` beside
 *   `NAME.bin`, `NAME.bin.gz` or `NAME.bin.xz`
 */
char *
cyc_cycle_meta_get_sidecar (const char *buffer_path)
{
  gsize len = strlen (buffer_path);

  if (g_str_has_suffix (buffer_path, ".gz") || g_str_has_suffix (buffer_path, ".xz"))
    len -= 3;
  if (len >= 4 && strncmp (buffer_path + len - 4, ".bin", 4) == 0)
    len -= 4;
  return g_strdup_printf ("%.*s.meta.json", (int) len, buffer_path);
}

/**
 * cyc_cycle_soc_get_frequency:
 * @soc_name: name of a chip, such as `Ascend910B3`
 *
 * Returns: how many cycles its system counter makes in a microsecond, 0 if it is unknown
 */
double
cyc_cycle_soc_get_frequency (const char *soc_name)
{
  static const struct
  {
    const char *prefix;
    double      mhz;
  } socs[] = {
    { "ascend910b", 50 },
    { "ascend910c", 50 },
    { "ascend910_93", 50 },
    { "ascend950", 1000 },
  };
  g_autofree char *lower = g_utf8_strdown (soc_name, -1);
  g_autoptr (GString) name = g_string_new (NULL);

  for (const char *p = lower; *p != '\0'; p++)
    if (g_ascii_isalnum (*p) || *p == '_')
      g_string_append_c (name, *p);
  if (!g_str_has_prefix (name->str, "ascend"))
    g_string_prepend (name, "ascend");
  for (guint i = 0; i < G_N_ELEMENTS (socs); i++)
    if (g_str_has_prefix (name->str, socs[i].prefix))
      return socs[i].mhz;
  return 0;
}

static gboolean
look_up_frequency (CycCycleMeta  *self,
                   GError       **error)
{
  if (self->soc_name == NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0,
                        "one of cycle_frequency_mhz and soc_name is needed");
      return FALSE;
    }
  self->frequency_mhz = cyc_cycle_soc_get_frequency (self->soc_name);
  if (self->frequency_mhz > 0)
    return TRUE;
  g_autofree char *shown = cyc_python_quote (self->soc_name, strlen (self->soc_name));
  cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0,
                    "Unsupported Ascend SoC for MegaKernel profiling: %s; supported SoC prefixes: "
                    "ascend910_93, ascend910b, ascend910c, ascend950", shown);
  return FALSE;
}

/**
 * cyc_cycle_meta_check:
 * @self: metadata
 * @error: (nullable): return location for an error
 *
 * Looks the frequency up if it was not given, then checks frequency, stage names and number of cube
 * slots, in this order.
 *
 * Returns: %TRUE if a buffer can be read with these
 */
gboolean
cyc_cycle_meta_check (CycCycleMeta  *self,
                      GError       **error)
{
  char buf[CYC_DOUBLE_WRITE_MAX];

  if (!self->has_frequency && !look_up_frequency (self, error))
    return FALSE;
  if (!(self->frequency_mhz > 0))
    {
      *cyc_double_write (buf, self->frequency_mhz) = '\0';
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0,
                        "cycle_frequency_mhz must be positive, got %s", buf);
      return FALSE;
    }
  if (self->stage_fault != NULL)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0, "%s", self->stage_fault);
      return FALSE;
    }
  if (self->cube_slots < CYC_CYCLE_MIN_CUBE_SLOTS)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, self->source, 0,
                        "profile Cube slot count must be at least 24, got %" G_GINT64_FORMAT,
                        self->cube_slots);
      return FALSE;
    }
  return TRUE;
}

/**
 * cyc_cycle_meta_get_device:
 * @self: metadata
 *
 * Returns: the device; the rank if it is not known
 */
gint64
cyc_cycle_meta_get_device (const CycCycleMeta *self)
{
  return self->has_device ? self->device_id : self->rank;
}
