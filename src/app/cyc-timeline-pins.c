/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-pins.h"

#include <string.h>

#include "core/base/cyc-file.h"
#include "core/base/cyc-json-writer.h"
#include "core/base/cyc-json.h"

/* Whoever compares traces of one kind looks at the same tracks in all of them: those that were pinned last are pinned
 * in a trace that is opened for the first time, too. Kinds are cycle traces and all others. */

#define LARGEST (1024 * 1024)

static char *
dup_path (gboolean    cycles,
          const char *folder)
{
  return g_build_filename (folder, cycles ? "pinned-cycles.json" : "pinned-traces.json", NULL);
}

/**
 * cyc_timeline_pins_dup:
 * @state: what is looked at
 *
 * Returns: (transfer full): JSON that says which of its tracks are pinned
 */
char *
cyc_timeline_pins_dup (CycViewState *state)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_PRETTY, NULL, NULL);
  CycTrackTree *tree = cyc_view_state_get_tree (state);
  guint32 n;

  cyc_track_tree_get_nodes (tree, &n);
  cyc_json_writer_begin_array (writer);
  for (guint32 i = 0; i < n; i++)
    if (cyc_view_state_get_node_flags (state, i) & CYC_NODE_PINNED)
      {
        g_autofree char *key = cyc_track_tree_dup_key (tree, i);
        cyc_json_writer_string (writer, key);
      }
  cyc_json_writer_end_array (writer);
  return g_string_free (cyc_json_writer_steal (writer), FALSE);
}

/**
 * cyc_timeline_pins_read:
 * @state: a view of a trace that was never looked at
 * @folder: where views are kept
 *
 * Pins those of its tracks that were pinned last in a trace of its kind, if any were.
 */
void
cyc_timeline_pins_read (CycViewState *state,
                        const char   *folder)
{
  g_autofree char *path = dup_path (cyc_timeline_get_tasks (cyc_view_state_get_timeline (state)) != NULL, folder);
  g_autoptr (JsonNode) root = cyc_json_parse_file (path, LARGEST, NULL);
  JsonArray *keys = root != NULL && JSON_NODE_HOLDS_ARRAY (root) ? json_node_get_array (root) : NULL;

  for (guint i = 0; keys != NULL && i < json_array_get_length (keys); i++)
    {
      const char *key = cyc_json_node_get_string (json_array_get_element (keys, i));
      guint32 node =
        key != NULL ? cyc_track_tree_find_key (cyc_view_state_get_tree (state), key) : CYC_TRACK_NODE_NONE;
      if (node != CYC_TRACK_NODE_NONE)
        cyc_view_state_set_node_flags (state, node, CYC_NODE_PINNED, CYC_NODE_PINNED);
    }
}

/**
 * cyc_timeline_pins_write:
 * @pins: of cyc_timeline_pins_dup()
 * @cycles: whether it is of a cycle trace
 * @folder: where views are kept; made if it is not there
 * @error: return location for an error
 *
 * Any thread.
 *
 * Returns: whether they are remembered
 */
gboolean
cyc_timeline_pins_write (const char  *pins,
                         gboolean     cycles,
                         const char  *folder,
                         GError     **error)
{
  g_autofree char *path = dup_path (cycles, folder);

  return cyc_file_make_folder (folder, 0755, error) && cyc_file_replace (path, pins, strlen (pins), 0644, error);
}
