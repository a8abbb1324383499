/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-timeline-merge-report.h"

#include <glib/gi18n.h>

#include "app/cyc-array-item.h"
#include "app/cyc-page-tables.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-json-value.h"
#include "widgets/cyc-empty-state.h"

/* The report of a merge, from its JSON, and its table. */

static void
alignment_free (gpointer data)
{
  CycTimelineMergeAlignment *self = data;

  g_free (self->invocation);
  g_free (self->kernel);
  g_free (self->outer);
  g_free (self->pid);
  g_free (self);
}

static char *
dup_member (const CycJsonValue *object,
            const char         *name)
{
  const CycJsonValue *value = cyc_json_value_get_member (object, name);

  if (value == NULL || (value->kind != CYC_JSON_STRING && value->kind != CYC_JSON_INTEGER
                        && value->kind != CYC_JSON_DOUBLE))
    return NULL;
  g_autofree char *text = g_utf8_make_valid (value->text, (gssize) value->len);
  return cyc_format_printable (text);
}

static double
get_double (const CycJsonValue *object,
            const char         *name)
{
  const CycJsonValue *value = cyc_json_value_get_member (object, name);
  double number = 0;

  if (value != NULL)
    cyc_json_value_get_number (value, &number);
  return number;
}

static gint64
get_int (const CycJsonValue *object,
         const char         *name)
{
  const CycJsonValue *value = cyc_json_value_get_member (object, name);
  gint64 number = 0;

  if (value != NULL)
    cyc_json_value_get_int (value, &number);
  return number;
}

static CycTimelineMergeAlignment *
read_alignment (const CycJsonValue *object)
{
  CycTimelineMergeAlignment *self = g_new0 (CycTimelineMergeAlignment, 1);
  const CycJsonValue *device = cyc_json_value_get_member (object, "outerKernelIsDevice");

  self->invocation = dup_member (object, "invocationId");
  self->kernel = dup_member (object, "kernelName");
  self->outer = dup_member (object, "outerKernelName");
  self->pid = dup_member (object, "outerKernelPid");
  self->ts = get_double (object, "outerKernelTs");
  self->dur = get_double (object, "outerKernelDur");
  self->n_events = get_int (object, "internalEventCount");
  self->span = get_double (object, "internalSpanUs");
  self->exceeds = get_double (object, "exceedsOuterKernelUs");
  self->is_device = device != NULL && device->kind == CYC_JSON_TRUE;
  return self;
}

/**
 * cyc_timeline_merge_report_new:
 * @merge: a merge
 * @error: return location for an error
 *
 * Any thread.
 *
 * Returns: (transfer full) (nullable): its report
 */
CycTimelineMergeReport *
cyc_timeline_merge_report_new (CycTraceMerge  *merge,
                               GError        **error)
{
  g_autoptr (CycJsonWriter) writer = cyc_json_writer_new (CYC_JSON_COMPACT, NULL, NULL);
  g_autoptr (CycJsonArena) arena = cyc_json_arena_new ();

  g_return_val_if_fail (merge != NULL, NULL);

  cyc_trace_merge_write_report (merge, writer);
  if (!cyc_json_writer_finish (writer, error))
    return NULL;
  g_autoptr (GString) json = cyc_json_writer_steal (writer);
  const CycJsonValue *object = cyc_json_arena_parse (arena, json->str, json->len, NULL, error);
  if (object == NULL)
    return NULL;
  CycTimelineMergeReport *self = g_new0 (CycTimelineMergeReport, 1);
  const CycJsonValue *alignments = cyc_json_value_get_member (object, "alignments");
  self->pattern = dup_member (object, "kernelPattern");
  self->n_events = get_int (object, "mergedEventCount");
  self->alignments = g_ptr_array_new_with_free_func (alignment_free);
  for (const CycJsonValue *p = alignments != NULL ? alignments->first : NULL; p != NULL; p = p->next)
    g_ptr_array_add (self->alignments, read_alignment (p));
  return self;
}

/**
 * cyc_timeline_merge_report_free:
 * @self: a report
 */
void
cyc_timeline_merge_report_free (CycTimelineMergeReport *self)
{
  g_ptr_array_unref (self->alignments);
  g_free (self->pattern);
  g_free (self);
}

/* The table */

static const CycTimelineMergeAlignment *
get_alignment (gpointer item)
{
  return cyc_array_item_get_record (item);
}

#define TEXT_COLUMN(NAME) \
  static char * \
  NAME##_text (gpointer item, \
               gpointer user_data) \
  { \
    return g_strdup (get_alignment (item)->NAME); \
  }

#define NUMBER_COLUMN(NAME, DECIMALS) \
  static double \
  NAME##_number (gpointer item, \
                 gpointer user_data) \
  { \
    return (double) get_alignment (item)->NAME; \
  } \
 \
  static char * \
  NAME##_text (gpointer item, \
               gpointer user_data) \
  { \
    return cyc_format_grouped ((double) get_alignment (item)->NAME, DECIMALS); \
  }

TEXT_COLUMN (invocation)
TEXT_COLUMN (kernel)
TEXT_COLUMN (outer)
TEXT_COLUMN (pid)
NUMBER_COLUMN (ts, 3)
NUMBER_COLUMN (dur, 3)
NUMBER_COLUMN (n_events, 0)
NUMBER_COLUMN (span, 3)
NUMBER_COLUMN (exceeds, 3)

static const char *
exceeds_class (gpointer item,
               gpointer user_data)
{
  return get_alignment (item)->exceeds > 0 ? "warning" : NULL;
}

static char *
device_text (gpointer item,
             gpointer user_data)
{
  return g_strdup (get_alignment (item)->is_device ? _("device") : _("host"));
}

static const CycTableColumn columns[] = {
  { .id = "invocation", .title = N_("Invocation"), .width = 8, .get_text = invocation_text },
  { .id = "kernel", .title = N_("Kernel"), .width = 14, .get_text = kernel_text },
  { .id = "outer", .title = N_("Goes Under"), .width = 20, .flags = CYC_TABLE_COLUMN_EXPAND, .get_text = outer_text },
  { .id = "where", .title = N_("Event of"), .width = 7, .get_text = device_text },
  { .id = "pid", .title = N_("Process"), .width = 7, .get_text = pid_text },
  { .id = "ts", .title = N_("Start (µs)"), .width = 12, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = ts_text,
    .get_number = ts_number },
  { .id = "dur", .title = N_("Duration (µs)"), .width = 10, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = dur_text,
    .get_number = dur_number },
  { .id = "events", .title = N_("Intervals"), .width = 8, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = n_events_text,
    .get_number = n_events_number },
  { .id = "span", .title = N_("Take (µs)"), .width = 10, .flags = CYC_TABLE_COLUMN_NUMBER, .get_text = span_text,
    .get_number = span_number },
  { .id = "exceeds", .title = N_("Too Long by (µs)"), .width = 11, .flags = CYC_TABLE_COLUMN_NUMBER,
    .get_text = exceeds_text, .get_number = exceeds_number, .get_css_class = exceeds_class },
};

/**
 * cyc_timeline_merge_report_table_new:
 *
 * Returns: (transfer floating): a table for the alignments of a report, as CycArrayItem
 */
CycTableView *
cyc_timeline_merge_report_table_new (void)
{
  g_autoptr (GMenu) menu = cyc_page_create_menu (NULL, NULL, NULL);
  CycTableView *table =
    CYC_TABLE_VIEW (cyc_table_view_new (_("What goes where"), columns, G_N_ELEMENTS (columns), NULL));

  cyc_table_view_set_empty (table, cyc_empty_state_new (NULL, _("None"), NULL));
  cyc_table_view_set_menu (table, G_MENU_MODEL (menu));
  return table;
}
