/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-sim-summary.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cyc-outcome-words.h"
#include "app/cyc-progress.h"
#include "core/base/cyc-format.h"
#include "core/base/cyc-util.h"
#include "widgets/cyc-controls.h"
#include "widgets/cyc-sparkline-view.h"

/* Characters of a long line of a log that are shown. */
#define SHOWN_CHARS 400
/* Pixels: a long sentence is scrolled, lest it push the rest of the page away; in a low window sooner. */
#define FAILURE_HEIGHT 170
#define LEAST_FAILURE_HEIGHT 96
#define FAILURE_PART 6 /* of the window */
/* Of a sparkline at most: more would be a blot where one kernel differs from the next. */
#define N_VALUES 60

/* One simulation in a few lines: which one it is, how long it still takes and how that is known, and what
 * went wrong. */
struct _CycSimSummary
{
  CycSimPane   parent_instance;

  CycTimeLeft *time_left; /* borrowed */
  GtkWidget   *name;
  GtkWidget   *left;
  GtkWidget   *reason;    /* of the time left */
  GtkWidget   *idle;      /* that it does not get on */
  GtkWidget   *ipc;
  GtkWidget   *rate;
  guint        next;      /* index of the first kernel that is not in the two */
  gint64       heartbeat; /* the last one that is in them, of a simulation without a log */
  GCancellable *reading;  /* of kernels for them; NULL if none are read */
  GtkWidget   *failure;
  GtkWidget   *words;     /* what the reason means, where the sentence is not in the user's language */
  GtkWidget   *sentence;
  GtkWidget   *evidence;  /* the line that the sentence comes from */
  GtkWidget   *place;
  GtkWidget   *raw;
  char        *text;      /* all of it */
  GtkWidget   *show;
  guint64      offset;    /* of the line in the log */
  GCancellable *cancellable; /* of the line that is looked for; NULL if none is wanted */
};

G_DEFINE_FINAL_TYPE (CycSimSummary, cyc_sim_summary, CYC_TYPE_SIM_PANE)

/* Labels that are set to what they show already lose what the user has selected in them. */
static void
set_text (GtkWidget  *label,
          const char *text)
{
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (label)), text != NULL ? text : "") != 0)
    gtk_label_set_text (GTK_LABEL (label), text != NULL ? text : "");
  gtk_widget_set_visible (label, text != NULL);
}

static char *
dup_name (const CycSimRecord *sim)
{
  return sim->replica > 0 ? g_strdup_printf (_("%s, replica %u"), sim->gpu_config, sim->replica)
                          : g_strdup (sim->gpu_config);
}

/* Failures */

static char *
dup_place (const CycFailureLine *line)
{
  g_autofree char *number = cyc_format_grouped ((double) line->line, 0);

  switch (line->source)
    {
    case CYC_SIM_EVIDENCE_LOG:
      return g_strdup_printf (_("Line %s of the log:"), number);
    case CYC_SIM_EVIDENCE_LAST_LINE:
      return g_strdup_printf (_("The last line of the log, %s:"), number);
    case CYC_SIM_EVIDENCE_STDERR:
      return g_strdup_printf (_("Line %s of stderr.txt:"), number);
    case CYC_SIM_EVIDENCE_NONE:
    default:
      return NULL;
    }
}

static void
show_line (CycSimSummary        *self,
           const CycFailureLine *line)
{
  g_autofree char *place = dup_place (line);
  gboolean shown = place != NULL && line->text != NULL && line->text[0] != '\0';

  gtk_widget_set_visible (self->evidence, shown);
  if (!shown)
    return;
  gboolean is_long = g_utf8_strlen (line->text, -1) > SHOWN_CHARS;
  g_autofree char *begin = g_utf8_substring (line->text, 0, is_long ? SHOWN_CHARS : -1);
  g_autofree char *text = g_strconcat (begin, is_long || line->cut ? "…" : "", NULL);
  cyc_set_str (&self->text, line->text);
  set_text (self->place, place);
  set_text (self->raw, text);
  self->offset = line->offset;
  gtk_widget_set_visible (self->show, line->source != CYC_SIM_EVIDENCE_STDERR);
}

static void
line_cb (GObject      *source,
         GAsyncResult *result,
         gpointer      user_data)
{
  g_autoptr (CycSimSummary) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycFailureLine) line = cyc_workspace_load_failure_finish (CYC_WORKSPACE (source), result, &error);

  if (line != NULL)
    show_line (self, line);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      /* Where the line would stand. */
      gtk_widget_set_visible (self->evidence, TRUE);
      gtk_widget_set_visible (self->show, FALSE);
      set_text (self->place, _("The log cannot be read:"));
      set_text (self->raw, error->message);
      cyc_set_str (&self->text, error->message);
    }
}

static void
update_failure (CycSimSummary      *self,
                const CycSimRecord *sim)
{
  gboolean failed = sim->error != NULL && cyc_sim_state_is_terminal (sim->state);

  const char *words = sim->error != NULL ? cyc_outcome_words_get_reason (sim->reason) : NULL;

  gtk_widget_set_visible (self->failure, sim->error != NULL);
  set_text (self->words, words);
  set_text (self->sentence, sim->error);
  if (cyc_sim_pane_is_new (CYC_SIM_PANE (self)) || !failed)
    {
      g_cancellable_cancel (self->cancellable);
      g_clear_object (&self->cancellable);
      gtk_widget_set_visible (self->evidence, FALSE);
    }
  if (!failed || self->cancellable != NULL)
    return;
  self->cancellable = g_cancellable_new ();
  cyc_workspace_load_failure_async (cyc_sim_pane_get_workspace (CYC_SIM_PANE (self)), sim->id, self->cancellable,
                                    line_cb, g_object_ref (self));
}

static void
show_cb (CycSimSummary *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "page.show-log", "t", self->offset);
}

static void
copy_cb (CycSimSummary *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->text);
}

/* How it went: of each kernel what its statistics say */

static void read_kernels (CycSimSummary *self);

static void
kernels_cb (GObject      *source,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr (CycSimSummary) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycCounterTable) table = cyc_workspace_load_counters_finish (CYC_WORKSPACE (source), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->reading);
  /* The pane of the kernels tells what is wrong with the log. */
  if (table == NULL || table->n_rows <= self->next)
    return;
  const CycCounterColumn *rates = g_ptr_array_index (table->columns, 0);
  const CycCounterColumn *ipcs = g_ptr_array_index (table->columns, 1);
  for (; self->next < table->n_rows; self->next++)
    {
      cyc_sparkline_view_append (CYC_SPARKLINE_VIEW (self->rate), rates->values[self->next]);
      cyc_sparkline_view_append (CYC_SPARKLINE_VIEW (self->ipc), ipcs->values[self->next]);
    }
  read_kernels (self);
}

/* Those that are not there yet; one reading at a time. */
static void
read_kernels (CycSimSummary *self)
{
  static const char *const keys[] = { "gpgpu_simulation_rate (inst/sec)", "gpu_ipc", NULL };
  CycSim *sim = cyc_sim_pane_get_sim (CYC_SIM_PANE (self));
  const CycSimRecord *record = cyc_sim_get_record (sim);

  if (self->reading != NULL || record->kernels_done <= self->next)
    return;
  if (record->kernels_done - self->next > N_VALUES)
    self->next = record->kernels_done - N_VALUES;
  const CycCounterRequest request = { record->id, keys, TRUE, self->next, NULL };
  self->reading = g_cancellable_new ();
  cyc_workspace_load_counters_async (cyc_sim_pane_get_workspace (CYC_SIM_PANE (self)), &request, self->reading,
                                     kernels_cb, g_object_ref (self));
}

/* A simulator that sends heartbeats and no log tells of no kernel, but of all so far. */
static void
take_heartbeat (CycSimSummary *self,
                CycSim        *sim)
{
  const CycSimRecord *record = cyc_sim_get_record (sim);
  CycWorkspace *workspace = cyc_sim_pane_get_workspace (CYC_SIM_PANE (self));

  if (record->last_heartbeat_at == self->heartbeat || cyc_workspace_get_log_bytes (workspace, record->id) > 0
      || (isnan (record->latest.sim_rate_ips) && isnan (record->latest.gpu_tot_ipc)))
    return;
  self->heartbeat = record->last_heartbeat_at;
  cyc_sparkline_view_append (CYC_SPARKLINE_VIEW (self->rate), record->latest.sim_rate_ips);
  cyc_sparkline_view_append (CYC_SPARKLINE_VIEW (self->ipc), record->latest.gpu_tot_ipc);
}

static void
update_lines (CycSimSummary *self,
              CycSim        *sim)
{
  guint total = cyc_sim_get_record (sim)->kernels_total;
  guint capacity = total > 0 ? MIN (total, N_VALUES) : N_VALUES;

  if (cyc_sim_pane_is_new (CYC_SIM_PANE (self)))
    {
      g_cancellable_cancel (self->reading);
      g_clear_object (&self->reading);
      self->next = 0;
      self->heartbeat = 0;
      cyc_sparkline_view_set_capacity (CYC_SPARKLINE_VIEW (self->rate), capacity);
      cyc_sparkline_view_set_capacity (CYC_SPARKLINE_VIEW (self->ipc), capacity);
    }
  read_kernels (self);
  take_heartbeat (self, sim);
}

/**
 * cyc_sim_summary_tick:
 * @self: a summary
 *
 * Time has passed: shows what is left of it.
 */
void
cyc_sim_summary_tick (CycSimSummary *self)
{
  g_return_if_fail (CYC_IS_SIM_SUMMARY (self));

  CycSim *sim = cyc_sim_pane_get_sim (CYC_SIM_PANE (self));
  if (sim == NULL)
    return;
  double seconds = cyc_time_left_get (self->time_left, sim);
  g_autofree char *reason = cyc_time_left_dup_explanation (self->time_left, sim);
  g_autofree char *time = isnan (seconds) ? NULL : cyc_format_seconds (seconds);
  /* Translators: a length of time, such as "3 min 05 s". */
  g_autofree char *left = time != NULL ? g_strdup_printf (_("%s left"), time) : NULL;

  take_heartbeat (self, sim);
  set_text (self->left, left);
  set_text (self->reason, reason);
  cyc_control_set_tooltip (self->reason, reason);
  g_autofree char *idle = cyc_progress_dup_warning (sim);
  set_text (self->idle, idle);
}

static void
cyc_sim_summary_update (CycSimPane *pane)
{
  CycSimSummary *self = CYC_SIM_SUMMARY (pane);
  CycSim *sim = cyc_sim_pane_get_sim (pane);

  if (sim == NULL)
    return;
  g_autofree char *name = dup_name (cyc_sim_get_record (sim));
  set_text (self->name, name);
  update_failure (self, cyc_sim_get_record (sim));
  update_lines (self, sim);
  cyc_sim_summary_tick (self);
}

static void
cyc_sim_summary_dispose (GObject *object)
{
  CycSimSummary *self = CYC_SIM_SUMMARY (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  G_OBJECT_CLASS (cyc_sim_summary_parent_class)->dispose (object);
}

static void
cyc_sim_summary_finalize (GObject *object)
{
  g_free (CYC_SIM_SUMMARY (object)->text);
  G_OBJECT_CLASS (cyc_sim_summary_parent_class)->finalize (object);
}

static void
cyc_sim_summary_class_init (CycSimSummaryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = cyc_sim_summary_dispose;
  G_OBJECT_CLASS (klass)->finalize = cyc_sim_summary_finalize;
  CYC_SIM_PANE_CLASS (klass)->update = cyc_sim_summary_update;
}

static GtkWidget *
create_sparkline (const char *id,
                  const char *title,
                  const char *label,
                  const char *unit,
                  GtkWidget **out_view)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *name = gtk_label_new (title);

  *out_view = cyc_sparkline_view_new (label, unit, N_VALUES);
  gtk_widget_set_name (*out_view, id);
  gtk_widget_add_css_class (name, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), *out_view);
  return box;
}

static GtkWidget *
create_line (CycSimSummary *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->name = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->name, "heading");
  gtk_label_set_ellipsize (GTK_LABEL (self->name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_xalign (GTK_LABEL (self->name), 0);
  gtk_widget_set_hexpand (self->name, TRUE);
  gtk_box_append (GTK_BOX (line), self->name);
  /* Translators: thread instructions a second. */
  const char *unit = _("inst/s");
  GtkWidget *rate = create_sparkline ("rate", _("Rate"), _("Simulated thread instructions a second of real "
                                                           "time, at the end of each kernel"), unit, &self->rate);
  GtkWidget *ipc = create_sparkline ("ipc", _("IPC of Kernels"), _("Thread instructions a cycle of each kernel, whole "
                                                                   "GPU"), NULL, &self->ipc);
  gtk_box_append (GTK_BOX (line), rate);
  gtk_box_append (GTK_BOX (line), ipc);
  cyc_sparkline_view_set_slot (CYC_SPARKLINE_VIEW (self->ipc), 1);
  return line;
}

static GtkWidget *
create_left (CycSimSummary *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);

  self->left = gtk_label_new (NULL);
  self->reason = gtk_label_new (NULL);
  gtk_widget_add_css_class (self->left, "numeric");
  gtk_widget_add_css_class (self->reason, "dim-label");
  gtk_label_set_ellipsize (GTK_LABEL (self->reason), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (self->reason), 0);
  gtk_widget_set_hexpand (self->reason, TRUE);
  gtk_box_append (GTK_BOX (line), self->left);
  gtk_box_append (GTK_BOX (line), self->reason);
  return line;
}

static GtkWidget *
create_evidence (CycSimSummary *self)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *copy = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  self->evidence = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->place = gtk_label_new (NULL);
  self->raw = gtk_label_new (NULL);
  self->show = gtk_button_new_with_mnemonic (_("Show in _Log"));
  gtk_widget_add_css_class (self->place, "dim-label");
  gtk_widget_add_css_class (self->place, "numeric");
  gtk_widget_add_css_class (self->raw, "monospace");
  gtk_label_set_xalign (GTK_LABEL (self->raw), 0);
  gtk_label_set_wrap (GTK_LABEL (self->raw), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->raw), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (self->raw), TRUE);
  cyc_control_set_tooltip (copy, _("Copy the line"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Copy the line"), -1);
  gtk_widget_add_css_class (copy, "flat");
  gtk_widget_add_css_class (self->show, "flat");
  gtk_box_append (GTK_BOX (line), self->place);
  gtk_box_append (GTK_BOX (line), self->show);
  gtk_box_append (GTK_BOX (line), copy);
  gtk_box_append (GTK_BOX (self->evidence), line);
  gtk_box_append (GTK_BOX (self->evidence), self->raw);
  gtk_widget_set_visible (self->evidence, FALSE);
  g_signal_connect_swapped (self->show, "clicked", G_CALLBACK (show_cb), self);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_cb), self);
  return self->evidence;
}

static GtkSizeRequestMode
failure_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

/* As high as the texts are in this width, which a scrolled window alone does not ask, but not too high. */
static void
failure_measure (GtkWidget      *widget,
                 GtkOrientation  orientation,
                 int             for_size,
                 int            *minimum,
                 int            *natural,
                 int            *minimum_baseline,
                 int            *natural_baseline)
{
  GtkWidget *viewport = gtk_scrolled_window_get_child (GTK_SCROLLED_WINDOW (gtk_widget_get_first_child (widget)));

  gtk_widget_measure (viewport, orientation, orientation == GTK_ORIENTATION_VERTICAL ? for_size : -1, minimum,
                      natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
      int part = window != NULL ? gtk_widget_get_height (window) / FAILURE_PART : 0;
      *minimum = *natural = MIN (*natural, CLAMP (part, LEAST_FAILURE_HEIGHT, FAILURE_HEIGHT));
    }
}

static void
failure_allocate (GtkWidget *widget,
                  int        width,
                  int        height,
                  int        baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, baseline, NULL);
}

static GtkWidget *
create_failure (CycSimSummary *self)
{
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-error-symbolic");
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *texts = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  self->failure = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  self->sentence = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->sentence), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->sentence), 0);
  gtk_label_set_selectable (GTK_LABEL (self->sentence), TRUE);
  self->words = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->words), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->words), 0);
  gtk_label_set_selectable (GTK_LABEL (self->words), TRUE);
  gtk_widget_add_css_class (self->words, "error");
  gtk_widget_add_css_class (self->words, "heading");
  gtk_widget_set_hexpand (texts, TRUE);
  gtk_widget_set_valign (icon, GTK_ALIGN_START);
  gtk_widget_add_css_class (icon, "error");
  gtk_widget_add_css_class (self->sentence, "error");
  gtk_box_append (GTK_BOX (texts), self->words);
  gtk_box_append (GTK_BOX (texts), self->sentence);
  gtk_box_append (GTK_BOX (texts), create_evidence (self));
  gtk_box_append (GTK_BOX (line), icon);
  gtk_box_append (GTK_BOX (line), texts);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), line);
  gtk_box_append (GTK_BOX (self->failure), scrolled);
  gtk_widget_set_layout_manager (self->failure,
                                 gtk_custom_layout_new (failure_mode, failure_measure, failure_allocate));
  gtk_widget_set_visible (self->failure, FALSE);
  return self->failure;
}

static void
cyc_sim_summary_init (CycSimSummary *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_widget_add_css_class (box, "pane-heading");
  gtk_box_append (GTK_BOX (box), create_line (self));
  gtk_box_append (GTK_BOX (box), create_left (self));
  self->idle = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (self->idle), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->idle), 0);
  gtk_widget_add_css_class (self->idle, "warning");
  gtk_widget_set_visible (self->idle, FALSE);
  gtk_box_append (GTK_BOX (box), self->idle);
  gtk_box_append (GTK_BOX (box), create_failure (self));
  cyc_sim_pane_set_child (CYC_SIM_PANE (self), box);
}

/**
 * cyc_sim_summary_new:
 * @time_left: (transfer none): estimates for the simulations that will be shown, which live longer
 *
 * Returns: (transfer floating): a new summary
 */
CycSimPane *
cyc_sim_summary_new (CycTimeLeft *time_left)
{
  CycSimSummary *self = g_object_new (CYC_TYPE_SIM_SUMMARY, NULL);

  self->time_left = time_left;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Selected simulation"), -1);
  return CYC_SIM_PANE (self);
}
