/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/access/cyc-access-lookup.h"
#include "core/base/cyc-format.h"
#include "widgets/cyc-access-view-private.h"

/* What the view says in words. */

static char *
keep (GPtrArray *texts,
      char      *text)
{
  g_ptr_array_add (texts, text);
  return text;
}

/* Texts of the plot; @texts owns those that are made. */
void
_cyc_access_view_get_texts (CycAccessView      *self,
                            CycAccessPlotTexts *out_texts,
                            GPtrArray          *texts)
{
  g_autofree char *n = cyc_format_grouped ((double) self->trace->plan->n_timesteps, 0);

  out_texts->timestep = _("Timestep");
  out_texts->element = _("Element");
  out_texts->read = C_("access", "read");
  out_texts->write = C_("access", "write");
  out_texts->tile = self->level != NULL ? keep (texts, g_strdup_printf (_("tile in %s"), self->level)) : NULL;
  out_texts->truncated = keep (texts, g_strdup_printf (_("truncated to the first %s timesteps"), n));
  out_texts->crowded = _("Zoom in to see the tiles");
}

/* Who accesses what there, each Einsum once for reads and once for writes. */
static char *
dup_accesses (const CycAccessPlan *plan,
              const GArray        *hits)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < hits->len; i++)
    {
      const CycAccessHit *hit = &g_array_index (hits, CycAccessHit, i);
      const CycAccessEntry *entry = &g_array_index (plan->entries, CycAccessEntry, hit->entry);
      gboolean known = FALSE;
      for (guint j = 0; j < i; j++)
        known = known || g_array_index (hits, CycAccessHit, j).entry == hit->entry;
      if (known)
        continue;
      g_autofree char *name = cyc_format_printable (entry->leaf->einsum->name);
      g_autofree char *part = g_strdup_printf (entry->use->output ? _("written by %s") : _("read by %s"), name);
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", part);
    }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : g_strdup (_("not accessed"));
}

static char *
dup_place (const CycAccessPlan *plan,
           const CycAccessSpot *spot)
{
  const CycAccessTraced *traced = &g_array_index (plan->tensors, CycAccessTraced, spot->tensor);
  g_autofree char *name = cyc_format_printable (traced->tensor->name);

  if (spot->rank >= 0)
    return g_strdup_printf ("%s [%s %" PRId64 "]", name, traced->tensor->ranks[spot->rank], spot->y);
  if (traced->tensor->n_ranks == 0)
    return g_strdup (name);
  g_autofree char *place = cyc_access_traced_dup_place (traced, spot->y);
  return g_strdup_printf ("%s [%s]", name, place);
}

/**
 * cyc_access_view_dup_text:
 * @self: a view with a trace
 * @spot: a place
 *
 * Returns: (transfer full): what is there: element, timestep, and the Einsums that access it
 */
char *
cyc_access_view_dup_text (CycAccessView       *self,
                          const CycAccessSpot *spot)
{
  g_return_val_if_fail (CYC_IS_ACCESS_VIEW (self) && self->trace != NULL, NULL);

  const CycAccessPlan *plan = self->trace->plan;
  CycAccessWork work = { 1 };
  CycAccessPlace at = { (int) spot->tensor, spot->timestep, spot->y };
  guint64 n = self->plot != NULL ? cyc_access_plot_count (self->plot, &at) : 0;
  g_autofree char *place = dup_place (plan, spot);
  g_autofree char *timestep = cyc_format_grouped ((double) spot->timestep, 0);

  if (n > 1)
    {
      g_autofree char *count = cyc_format_grouped ((double) n, 0);
      return g_strdup_printf (ngettext ("%s, timestep %s: %s access around here", "%s, timestep %s: %s accesses around "
                                        "here", (gulong) n), place, timestep, count);
    }
  g_autoptr (GArray) hits = cyc_access_lookup_new (plan, spot->tensor, spot->rank, spot->y, spot->timestep,
                                                   spot->timestep + 1, 100, &work, NULL, NULL);
  g_autofree char *accesses = hits != NULL ? dup_accesses (plan, hits) : g_strdup ("");
  return g_strdup_printf (_("%s, timestep %s: %s"), place, timestep, accesses);
}

/* Label and description for those who do not see the picture. */
void
_cyc_access_view_update_text (CycAccessView *self)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (self);
  CycAccessSpot spot;

  if (self->trace == NULL)
    {
      gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, _("Access plot without a mapping"),
                                      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "", -1);
      return;
    }
  g_autofree char *n_timesteps = cyc_format_grouped ((double) self->trace->plan->n_timesteps, 0);
  g_autofree char *label = g_strdup_printf (ngettext ("Access plot of %u tensor over %s timesteps",
                                                      "Access plot of %u tensors over %s timesteps",
                                                      self->trace->plan->tensors->len),
                                            self->trace->plan->tensors->len, n_timesteps);
  g_autofree char *text = cyc_access_view_get_focus (self, &spot) ? cyc_access_view_dup_text (self, &spot)
                                                                  : g_strdup ("");
  gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}
