/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "display.h"
#include "widgets/cyc-counter-chooser.h"

static const char *const keys[] = {
  "gpu_sim_cycle", "gpu_ipc", "gpu_tot_sim_cycle", "gpu_tot_ipc", "L2_cache_stats_breakdown[strange]",
  "averagemflatency", "gpgpu_n_tot_w_icount",
};
static const char *const values[] = { "3925", "521.99", "19625", "480.2", "7", "312", NULL };

static void
close_window (GtkWidget *widget)
{
  GtkWidget *held = g_object_ref (widget);

  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (widget)));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_finalize_object (held);
}

static CycCounterChooser *
make_chooser (void)
{
  GtkWidget *chooser = cyc_counter_chooser_new ();

  cyc_counter_chooser_set_counters (CYC_COUNTER_CHOOSER (chooser), keys, values, G_N_ELEMENTS (keys));
  display_show (chooser, 600, 500);
  return CYC_COUNTER_CHOOSER (chooser);
}

static void
collect_keys (GtkWidget *root,
              GString   *out)
{
  if (gtk_widget_has_css_class (root, "key") && gtk_widget_get_mapped (root))
    g_string_append_printf (out, "%s%s", out->len > 0 ? " " : "", gtk_label_get_text (GTK_LABEL (root)));
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_keys (child, out);
}

static void
assert_keys (CycCounterChooser *chooser,
             const char        *expected)
{
  g_autoptr (GString) out = g_string_new (NULL);

  gtk_test_widget_wait_for_draw (GTK_WIDGET (chooser));
  collect_keys (GTK_WIDGET (chooser), out);
  g_assert_cmpstr (out->str, ==, expected);
}

static void
assert_chosen (CycCounterChooser *chooser,
               const char        *expected)
{
  g_auto (GStrv) chosen = cyc_counter_chooser_dup_chosen (chooser);
  g_autofree char *all = g_strjoinv (" ", chosen);
  g_assert_cmpstr (all, ==, expected);
}

static GtkWidget *
find_check (CycCounterChooser *chooser,
            const char        *key)
{
  GtkWidget *label = display_find (GTK_WIDGET (chooser), GTK_TYPE_LABEL, key);
  return gtk_widget_get_ancestor (label, GTK_TYPE_CHECK_BUTTON);
}

static void
count_cb (gpointer  object,
          guint    *n)
{
  (*n)++;
}

static void
search (CycCounterChooser *chooser,
        const char        *text)
{
  GtkWidget *entry = display_find (GTK_WIDGET (chooser), GTK_TYPE_SEARCH_ENTRY, NULL);

  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  g_signal_emit_by_name (entry, "search-changed");
}

static void
test_choose (void)
{
  CycCounterChooser *chooser = make_chooser ();
  guint n_told = 0;

  g_signal_connect (chooser, "changed", G_CALLBACK (count_cb), &n_told);
  assert_keys (chooser, "gpu_sim_cycle gpu_ipc gpu_tot_sim_cycle gpu_tot_ipc L2_cache_stats_breakdown[strange] "
               "averagemflatency gpgpu_n_tot_w_icount");
  assert_chosen (chooser, "");
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_tot_ipc")), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_ipc")), TRUE);
  g_assert_cmpuint (n_told, ==, 2);
  assert_chosen (chooser, "gpu_tot_ipc gpu_ipc");
  g_assert_nonnull (display_find (GTK_WIDGET (chooser), GTK_TYPE_LABEL, "2 chosen"));
  /* No row moves away while one chooses; with another search the chosen come first. */
  assert_keys (chooser, "gpu_sim_cycle gpu_ipc gpu_tot_sim_cycle gpu_tot_ipc L2_cache_stats_breakdown[strange] "
               "averagemflatency gpgpu_n_tot_w_icount");
  search (chooser, "GPU_TOT sim");
  assert_keys (chooser, "gpu_tot_sim_cycle");
  search (chooser, "since start");
  assert_keys (chooser, "gpu_tot_ipc gpu_tot_sim_cycle averagemflatency");
  search (chooser, "");
  assert_keys (chooser, "gpu_tot_ipc gpu_ipc gpu_sim_cycle gpu_tot_sim_cycle L2_cache_stats_breakdown[strange] "
               "averagemflatency gpgpu_n_tot_w_icount");
  g_assert_true (gtk_check_button_get_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_ipc"))));
  g_assert_false (gtk_check_button_get_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_sim_cycle"))));
  /* By meaning. */
  search (chooser, "launch latency");
  assert_keys (chooser, "gpu_sim_cycle");
  search (chooser, "no such thing");
  assert_keys (chooser, "");
  g_assert_true (gtk_widget_get_mapped (display_find (GTK_WIDGET (chooser), GTK_TYPE_LABEL,
                                                      "No Such Counter")));
  g_signal_emit_by_name (display_find (GTK_WIDGET (chooser), GTK_TYPE_BUTTON, "Choose None"), "clicked");
  g_assert_cmpuint (n_told, ==, 3);
  assert_chosen (chooser, "");
  close_window (GTK_WIDGET (chooser));
}

static void
test_set (void)
{
  CycCounterChooser *chooser = make_chooser ();
  const char *const chosen[] = { "gpu_tot_sim_cycle", "gone", "gpu_ipc", NULL };
  guint n_told = 0;

  g_signal_connect (chooser, "changed", G_CALLBACK (count_cb), &n_told);
  cyc_counter_chooser_set_chosen (chooser, chosen);
  cyc_counter_chooser_set_cumulative (chooser, TRUE);
  assert_chosen (chooser, "gpu_tot_sim_cycle gone gpu_ipc");
  /* Other blocks: what was chosen stays, also what they have not. */
  cyc_counter_chooser_set_counters (chooser, keys, NULL, 3);
  assert_chosen (chooser, "gpu_tot_sim_cycle gone gpu_ipc");
  assert_keys (chooser, "gpu_tot_sim_cycle gone gpu_ipc gpu_sim_cycle");
  g_assert_cmpuint (n_told, ==, 0);
  g_assert_true (cyc_counter_chooser_get_cumulative (chooser));
  GtkWidget *how = display_find (GTK_WIDGET (chooser), GTK_TYPE_DROP_DOWN, NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (how), 0);
  g_assert_false (cyc_counter_chooser_get_cumulative (chooser));
  g_assert_cmpuint (n_told, ==, 1);
  /* Without a block, the catalogue's. */
  cyc_counter_chooser_set_counters (chooser, NULL, NULL, 0);
  search (chooser, "gpu_stall_dramfull");
  assert_keys (chooser, "gpu_stall_dramfull");
  close_window (GTK_WIDGET (chooser));
}

static void
test_accessible (void)
{
  CycCounterChooser *chooser = make_chooser ();
  GtkWidget *check = find_check (chooser, "gpu_sim_cycle");

  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_ROLE_CHECKBOX);
  gtk_test_accessible_assert_property (
    GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
    "gpu_sim_cycle, cycles · of each kernel · Core clock cycles that the kernel took, the launch latency "
    "included.");
  g_assert_nonnull (strstr (gtk_widget_get_tooltip_text (check), "Less is better."));
  close_window (GTK_WIDGET (chooser));
}

static void
test_picture (void)
{
  CycCounterChooser *chooser = make_chooser ();
  const char *const chosen[] = { "gpu_tot_sim_cycle", "gpu_ipc", NULL };

  cyc_counter_chooser_set_chosen (chooser, chosen);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (chooser));
  display_keep_picture (GTK_WIDGET (chooser), "counters");
  gtk_window_set_default_size (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (chooser))), 360, 400);
  gtk_test_widget_wait_for_draw (GTK_WIDGET (chooser));
  display_keep_picture (GTK_WIDGET (chooser), "counters-narrow");
  close_window (GTK_WIDGET (chooser));
}

/* One at a time: who chooses another lets go of the first, and is told once. */
static void
test_single (void)
{
  CycCounterChooser *chooser = make_chooser ();
  guint n_told = 0;

  cyc_counter_chooser_set_single (chooser, TRUE);
  g_signal_connect (chooser, "changed", G_CALLBACK (count_cb), &n_told);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_tot_ipc")), TRUE);
  gtk_check_button_set_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_ipc")), TRUE);
  assert_chosen (chooser, "gpu_ipc");
  g_assert_false (gtk_check_button_get_active (GTK_CHECK_BUTTON (find_check (chooser, "gpu_tot_ipc"))));
  g_assert_cmpuint (n_told, ==, 2);
  gtk_window_destroy (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (chooser))));
}

int
main (int    argc,
      char **argv)
{
  display_init (&argc, &argv);
  g_test_add_func ("/widgets/counter-chooser/choose", test_choose);
  g_test_add_func ("/widgets/counter-chooser/set", test_set);
  g_test_add_func ("/widgets/counter-chooser/accessible", test_accessible);
  g_test_add_func ("/widgets/counter-chooser/single", test_single);
  g_test_add_func ("/widgets/counter-chooser/picture", test_picture);
  return g_test_run ();
}
