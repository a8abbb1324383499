/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/cyc-error.h"
#include "core/base/cyc-file.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"
#include "core/base/cyc-util.h"
#include "core/timeline/cyc-view-state-private.h"

/* A state as JSON, beside its trace. What is read may be of another trace, of another version of it, or damaged:
 * what fits is taken. */

#define SUFFIX ".cyclescope.json"
#define LARGEST (16 * 1024 * 1024)
#define MOST_MARKS 10000

static const char *const colour_modes[] = { "name", "stage", "owner", "state" };
static const char *const units[] = { "cycles", "time" };
static const char *const scales[] = { "all", "visible", "shared", "logarithmic" };

static void
put_nodes (CycViewState  *self,
           CycJsonWriter *writer)
{
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);

  cyc_json_writer_key (writer, "tracks");
  cyc_json_writer_begin_array (writer);
  for (guint32 i = 0; i < n; i++)
    {
      const NodeState *state = &self->nodes[i];
      gboolean checked = nodes[i].kind == CYC_TRACK_NODE_TRACK && self->checked[nodes[i].item];
      if (state->flags == 0 && state->height == 1 && state->scale == 0 && state->rank == i && !checked)
        continue;
      g_autofree char *key = cyc_track_tree_dup_key (self->tree, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_string (writer, "track", key);
      if (state->flags & CYC_NODE_COLLAPSED)
        cyc_json_writer_put_boolean (writer, "collapsed", TRUE);
      if (state->flags & CYC_NODE_PINNED)
        cyc_json_writer_put_boolean (writer, "pinned", TRUE);
      if (state->flags & CYC_NODE_HIDDEN)
        cyc_json_writer_put_boolean (writer, "hidden", TRUE);
      if (state->height != 1)
        cyc_json_writer_put_int (writer, "height", state->height);
      if (state->scale != 0)
        cyc_json_writer_put_string (writer, "scale", scales[state->scale]);
      if (state->rank != i)
        cyc_json_writer_put_int (writer, "rank", state->rank);
      if (checked)
        cyc_json_writer_put_boolean (writer, "selected", TRUE);
      cyc_json_writer_end_object (writer);
    }
  for (guint i = 0; i < self->others->len; i++)
    {
      const char *text = g_ptr_array_index (self->others, i);
      cyc_json_writer_raw (writer, text, strlen (text));
    }
  cyc_json_writer_end_array (writer);
}

static void
put_marks (CycViewState  *self,
           CycJsonWriter *writer)
{
  cyc_json_writer_key (writer, "notes");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < self->marks->len; i++)
    {
      const CycViewMark *mark = &g_array_index (self->marks, CycViewMark, i);
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_int (writer, "from", mark->from);
      cyc_json_writer_put_int (writer, "to", mark->to);
      cyc_json_writer_put_string (writer, "name", mark->name);
      cyc_json_writer_put_boolean (writer, "kept", mark->kept);
      cyc_json_writer_end_object (writer);
    }
  cyc_json_writer_end_array (writer);
}

/* A span is known again by its number, if it still has that name and that time. */
static void
put_selection (CycViewState  *self,
               CycJsonWriter *writer)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);

  if (self->span != CYC_TIMELINE_NONE)
    {
      cyc_json_writer_key (writer, "span");
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_int (writer, "number", self->span);
      cyc_json_writer_put_int (writer, "start", spans->start[self->span]);
      cyc_json_writer_put_string (writer, "name", cyc_timeline_get_text (self->timeline, spans->name[self->span]));
      cyc_json_writer_end_object (writer);
    }
  if (self->has_range)
    {
      cyc_json_writer_key (writer, "selection");
      cyc_json_writer_begin_object (writer);
      cyc_json_writer_put_int (writer, "from", self->range_from);
      cyc_json_writer_put_int (writer, "to", self->range_to);
      cyc_json_writer_end_object (writer);
    }
}

/**
 * cyc_view_state_to_json:
 * @self: a state
 *
 * Returns: (transfer full): all of it but the history, as JSON for cyc_view_state_apply_json()
 */
char *
cyc_view_state_to_json (CycViewState *self)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self), NULL);

  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_PRETTY, NULL, NULL);
  gint64 from, to;

  cyc_view_state_get_range (self, &from, &to);
  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_int (writer, "version", 1);
  cyc_json_writer_put_int (writer, "base", cyc_timeline_get_base (self->timeline));
  cyc_timeline_reading_put (cyc_timeline_get_reading (self->timeline), writer);
  cyc_json_writer_put_int (writer, "from", from);
  cyc_json_writer_put_int (writer, "to", to);
  cyc_json_writer_put_double (writer, "scroll", self->scroll);
  cyc_json_writer_put_string (writer, "colour", colour_modes[self->colour_mode]);
  cyc_json_writer_put_string (writer, "unit", units[self->unit]);
  cyc_json_writer_put_boolean (writer, "all_flows", (self->flags & CYC_VIEW_ALL_FLOWS) != 0);
  cyc_json_writer_put_boolean (writer, "far", (self->flags & CYC_VIEW_FAR) != 0);
  cyc_json_writer_put_boolean (writer, "details", (self->flags & CYC_VIEW_DETAILS) != 0);
  cyc_json_writer_put_string (writer, "filter", cyc_view_state_get_filter (self));
  put_selection (self, writer);
  put_nodes (self, writer);
  put_marks (self, writer);
  cyc_json_writer_end_object (writer);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
}

static void
take_choice (JsonObject        *object,
             const char        *member,
             const char *const *choices,
             guint              n,
             int               *choice)
{
  const char *text = cyc_json_get_string (object, member);

  for (guint i = 0; text != NULL && i < n; i++)
    if (g_str_equal (text, choices[i]))
      *choice = (int) i;
}

static void
take_flag (JsonObject *object,
           const char *member,
           guint       flag,
           guint      *flags)
{
  gboolean value;

  if (cyc_json_get_boolean (object, member, &value))
    *flags = value ? *flags | flag : *flags & ~flag;
}

/* What a part of a file, or another version of it, does not have is not lost. */
static void
keep_node (CycViewState *self,
           JsonObject   *object)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);

  json_node_set_object (node, object);
  g_ptr_array_add (self->others, json_to_string (node, FALSE));
}

static void
take_node (CycViewState *self,
           JsonObject   *object,
           gint64        shift)
{
  guint32 n;
  const CycTrackNode *nodes = cyc_track_tree_get_nodes (self->tree, &n);
  const char *key = cyc_json_get_string (object, "track");
  guint32 node = key != NULL ? cyc_track_tree_find_key (self->tree, key) : CYC_TRACK_NODE_NONE;
  gint64 value;

  if (node == CYC_TRACK_NODE_NONE)
    {
      keep_node (self, object);
      return;
    }
  NodeState *state = &self->nodes[node];
  guint flags = 0;
  int scale = state->scale;
  take_flag (object, "collapsed", CYC_NODE_COLLAPSED, &flags);
  take_flag (object, "pinned", CYC_NODE_PINNED, &flags);
  take_flag (object, "hidden", CYC_NODE_HIDDEN, &flags);
  state->flags = (CycNodeFlags) flags;
  take_choice (object, "scale", scales, G_N_ELEMENTS (scales), &scale);
  state->scale = (guint8) scale;
  if (cyc_json_get_int (object, "height", &value) && value >= 1 && value <= VIEW_MOST_HEIGHT)
    state->height = (guint8) value;
  if (cyc_json_get_int (object, "rank", &value) && value >= 0 && value < G_MAXUINT32)
    state->rank = (guint32) value;
  guint selected = 0;
  take_flag (object, "selected", 1, &selected);
  if (selected && nodes[node].kind == CYC_TRACK_NODE_TRACK && !self->checked[nodes[node].item])
    {
      self->checked[nodes[node].item] = TRUE;
      self->n_checked++;
    }
}

/* The objects of a list, and nothing else of it. */
static void
foreach_object (CycViewState *self,
                JsonObject   *object,
                const char   *member,
                gint64        shift,
                void        (*take) (CycViewState *self,
                                     JsonObject   *object,
                                     gint64        shift))
{
  JsonArray *list = cyc_json_get_array (object, member);
  guint n = list != NULL ? json_array_get_length (list) : 0;

  for (guint i = 0; i < n; i++)
    {
      JsonObject *item = cyc_json_node_get_object (json_array_get_element (list, i));
      if (item != NULL)
        take (self, item, shift);
    }
}

/* How far the times of a view lie before those of the timeline: a part of a file begins elsewhere than the whole.
 * FALSE if they have nothing to do with each other. */
static gboolean
find_shift (CycViewState *self,
            JsonObject   *object,
            gint64       *out_shift)
{
  const CycTimelineReading *reading = cyc_timeline_get_reading (self->timeline);
  const char *unit = cyc_json_get_string (object, "file_unit");
  const char *own = cyc_timeline_file_unit_to_string (reading != NULL ? reading->unit : CYC_TIMELINE_FILE_US);
  gboolean part = FALSE;
  gint64 base;

  *out_shift = 0;
  if (!cyc_json_get_int (object, "base", &base)
      || !g_str_equal (unit != NULL ? unit : cyc_timeline_file_unit_to_string (CYC_TIMELINE_FILE_US), own))
    return FALSE;
  if (base == cyc_timeline_get_base (self->timeline))
    return TRUE;
  cyc_json_get_boolean (object, "part", &part);
  return (part || cyc_timeline_reading_is_part (reading))
         && !__builtin_sub_overflow (base, cyc_timeline_get_base (self->timeline), out_shift)
         && !__builtin_mul_overflow (*out_shift, CYC_PS_PER_US, out_shift);
}

/* A time of a view as one of the timeline. */
static gboolean
get_time (JsonObject *object,
          const char *member,
          gint64      shift,
          gint64     *out_time)
{
  return cyc_json_get_int (object, member, out_time) && !__builtin_add_overflow (*out_time, shift, out_time);
}

static void
take_mark (CycViewState *self,
           JsonObject   *object,
           gint64        shift)
{
  const char *name = cyc_json_get_string (object, "name");
  CycViewMark mark = { 0 };

  if (self->marks->len >= MOST_MARKS || !get_time (object, "from", shift, &mark.from)
      || !get_time (object, "to", shift, &mark.to) || mark.from > mark.to)
    return;
  cyc_json_get_boolean (object, "kept", &mark.kept);
  mark.name = g_strdup (name != NULL ? name : "");
  g_array_append_val (self->marks, mark);
}

static void
take_selection (CycViewState *self,
                JsonObject   *object,
                gint64        shift)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  JsonObject *span = cyc_json_get_object (object, "span"), *range = cyc_json_get_object (object, "selection");
  const char *name = span != NULL ? cyc_json_get_string (span, "name") : NULL;
  gint64 number, start, from, to;

  if (name != NULL && cyc_json_get_int (span, "number", &number) && get_time (span, "start", shift, &start)
      && number >= 0 && number < spans->n && spans->start[number] == start
      && g_str_equal (cyc_timeline_get_text (self->timeline, spans->name[number]), name))
    self->span = (guint32) number;
  if (range != NULL && get_time (range, "from", shift, &from) && get_time (range, "to", shift, &to) && from <= to)
    {
      self->has_range = TRUE;
      self->range_from = from;
      self->range_to = to;
    }
}

static void
take_place (CycViewState *self,
            JsonObject   *object,
            gint64        shift)
{
  ViewPlace place = { 0 };
  gint64 to;

  if (!get_time (object, "from", shift, &place.from) || !get_time (object, "to", shift, &to) || to <= place.from)
    return;
  place.length = (double) ((__int128) to - place.from);
  _cyc_view_state_clamp (self, &place);
  self->place = place;
}

static void
take_style (CycViewState *self,
            JsonObject   *object)
{
  int mode = (int) self->colour_mode, unit = (int) self->unit;
  guint flags = self->flags;
  const char *filter = cyc_json_get_string (object, "filter");
  double scroll;

  take_choice (object, "colour", colour_modes, G_N_ELEMENTS (colour_modes), &mode);
  take_choice (object, "unit", units, G_N_ELEMENTS (units), &unit);
  take_flag (object, "all_flows", CYC_VIEW_ALL_FLOWS, &flags);
  take_flag (object, "far", CYC_VIEW_FAR, &flags);
  take_flag (object, "details", CYC_VIEW_DETAILS, &flags);
  self->colour_mode = (CycColourMode) mode;
  self->unit = (CycViewUnit) unit;
  self->flags = (CycViewFlags) flags;
  if (filter != NULL)
    cyc_set_str (&self->filter, filter[0] != '\0' ? filter : NULL);
  if (cyc_json_get_double (object, "scroll", &scroll) && isfinite (scroll))
    self->scroll = MAX (scroll, 0);
}

/**
 * cyc_view_state_apply_json:
 * @self: a state
 * @json: of cyc_view_state_to_json()
 * @len: its length, or -1
 * @source: where it is from, for errors
 * @error: return location for an error
 *
 * Takes what fits the timeline: values that make no sense are passed over, and tracks that it does not have are kept
 * for cyc_view_state_to_json(). Times
 * are those of the columns, so what was saved of a trace that begins elsewhere now has tracks only; not so if only a
 * part of it was read, then or now.
 *
 * Returns: %FALSE if it is no JSON object, or of a version that is not known
 */
gboolean
cyc_view_state_apply_json (CycViewState  *self,
                           const char    *json,
                           gssize         len,
                           const char    *source,
                           GError       **error)
{
  g_return_val_if_fail (CYC_IS_VIEW_STATE (self) && json != NULL, FALSE);

  g_autoptr (JsonNode) root = cyc_json_parse (json, len >= 0 ? (gsize) len : strlen (json), source, error);
  gint64 version, shift;
  if (root == NULL)
    return FALSE;
  JsonObject *object = cyc_json_node_get_object (root);
  if (object == NULL || !cyc_json_get_int (object, "version", &version) || version != 1)
    {
      cyc_error_set_at (error, CYC_ERROR_INPUT, source, 0, "expected a view of version 1");
      return FALSE;
    }
  take_style (self, object);
  _cyc_view_state_reset_nodes (self);
  g_ptr_array_set_size (self->others, 0);
  foreach_object (self, object, "tracks", 0, take_node);
  if (find_shift (self, object, &shift))
    {
      take_place (self, object, shift);
      take_selection (self, object, shift);
      g_array_set_size (self->marks, 0);
      foreach_object (self, object, "notes", shift, take_mark);
    }
  else
    {
      cyc_view_state_show_all (self);
    }
  g_array_set_size (self->past, 0);
  g_array_set_size (self->future, 0);
  _cyc_view_state_tracks_changed (self);
  _cyc_view_state_emit (self, VIEW_STYLE_CHANGED);
  _cyc_view_state_emit (self, VIEW_RANGE_CHANGED);
  _cyc_view_state_emit (self, VIEW_SELECTION_CHANGED);
  _cyc_view_state_emit (self, VIEW_MARKS_CHANGED);
  return TRUE;
}

/**
 * cyc_view_state_dup_path:
 * @trace: path of a trace
 * @folder: (nullable): a folder for views of traces beside which nothing can be written; %NULL for the place beside
 *   the trace
 *
 * Returns: (transfer full): where the view of the trace is kept
 */
char *
cyc_view_state_dup_path (const char *trace,
                         const char *folder)
{
  g_return_val_if_fail (trace != NULL, NULL);

  if (folder == NULL)
    return g_strconcat (trace, SUFFIX, NULL);
  g_autofree char *absolute = g_canonicalize_filename (trace, NULL);
  g_autofree char *digest = g_compute_checksum_for_string (G_CHECKSUM_SHA256, absolute, -1);
  g_autofree char *name = g_strconcat (digest, SUFFIX, NULL);
  return g_build_filename (folder, name, NULL);
}

/* Where times of a view count from, and what they count. */
static char *
dup_origin (const char *json)
{
  g_autoptr (JsonNode) root = cyc_json_parse (json, strlen (json), NULL, NULL);
  JsonObject *object = root != NULL ? cyc_json_node_get_object (root) : NULL;
  const char *unit = object != NULL ? cyc_json_get_string (object, "file_unit") : NULL;
  gint64 base;

  gboolean part = FALSE;

  if (object != NULL)
    cyc_json_get_boolean (object, "part", &part);
  /* Of a part all is kept that was there of the whole. */
  if (object == NULL || part || !cyc_json_get_int (object, "base", &base))
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT " %s", base, unit != NULL ? unit : "");
}

/* Writes it; what is there of a trace that began elsewhere has notes that @json does not have, and is kept. */
static gboolean
replace (const char  *path,
         const char  *json,
         GError     **error)
{
  g_autofree char *old = NULL;
  GStatBuf info;

  if (g_stat (path, &info) == 0 && S_ISREG (info.st_mode) && info.st_size <= LARGEST
      && g_file_get_contents (path, &old, NULL, NULL))
    {
      g_autofree char *origin = dup_origin (json);
      g_autofree char *old_origin = dup_origin (old);
      g_autofree char *kept = g_strconcat (path, ".bak", NULL);
      if (origin != NULL && old_origin != NULL && !g_str_equal (origin, old_origin)
          && !cyc_file_replace (kept, old, strlen (old), 0644, error))
        return FALSE;
    }
  return cyc_file_replace (path, json, strlen (json), 0644, error);
}

/**
 * cyc_view_state_write:
 * @json: of cyc_view_state_to_json()
 * @trace: path of the trace
 * @folder: (nullable): where to if it cannot be written beside the trace; made if it is not there
 * @error: return location for an error
 *
 * Any thread. A view of a trace that began elsewhere, which it would replace, is kept beside it as `.bak`.
 *
 * Returns: whether it was written
 */
gboolean
cyc_view_state_write (const char  *json,
                      const char  *trace,
                      const char  *folder,
                      GError     **error)
{
  g_return_val_if_fail (json != NULL && trace != NULL, FALSE);

  g_autofree char *beside = cyc_view_state_dup_path (trace, NULL);
  g_autoptr (GError) first = NULL;
  if (replace (beside, json, &first))
    return TRUE;
  if (folder == NULL || !cyc_file_make_folder (folder, 0755, NULL))
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return FALSE;
    }
  g_autofree char *path = cyc_view_state_dup_path (trace, folder);
  return replace (path, json, error);
}

/* One that could be written beside the trace no more is older than that in the folder. */
static char *
find_newest (const char *trace,
             const char *folder)
{
  const char *const folders[] = { NULL, folder };
  g_autofree char *newest = NULL;
  struct timespec best = { 0 };

  for (guint i = 0; i < (folder != NULL ? 2 : 1); i++)
    {
      g_autofree char *path = cyc_view_state_dup_path (trace, folders[i]);
      struct stat info;
      if (stat (path, &info) != 0 || !S_ISREG (info.st_mode))
        continue;
      if (newest != NULL
          && (info.st_mtim.tv_sec < best.tv_sec
              || (info.st_mtim.tv_sec == best.tv_sec && info.st_mtim.tv_nsec <= best.tv_nsec)))
        continue;
      best = info.st_mtim;
      g_free (newest);
      newest = g_steal_pointer (&path);
    }
  return g_steal_pointer (&newest);
}

/**
 * cyc_view_state_read:
 * @trace: path of a trace
 * @folder: (nullable): where its view may be too; of two, the one that was written last is taken
 * @error: return location for an error
 *
 * Any thread.
 *
 * Returns: (transfer full) (nullable): the JSON of its view; %NULL with %CYC_ERROR_NOT_FOUND if there is none
 */
char *
cyc_view_state_read (const char  *trace,
                     const char  *folder,
                     GError     **error)
{
  g_return_val_if_fail (trace != NULL, NULL);

  g_autofree char *path = find_newest (trace, folder);
  g_autoptr (GError) local = NULL;
  GStatBuf info;
  char *text = NULL;
  if (path == NULL || g_stat (path, &info) != 0)
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, trace, 0, "no view of it was saved");
      return NULL;
    }
  if (info.st_size > LARGEST)
    {
      cyc_error_set_at (error, CYC_ERROR_TOO_LARGE, path, 0, "this is too large for a view");
      return NULL;
    }
  if (!g_file_get_contents (path, &text, NULL, &local))
    cyc_error_set_at (error, CYC_ERROR_FAILED, path, 0, "%s", local->message);
  return text;
}
