/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-palette.h"

/* Searched from the hues of Okabe and Ito: each has a contrast of 3 against the grounds of its scheme, and
 * any two are apart for people who lack a kind of cone. The tests hold both. */
#define N_COLOURS 7

static const guint32 fills[][N_COLOURS] = {
  [CYC_PLOT_LIGHT] = { 0x0072b2, 0xc57b00, 0x009c70, 0xbc4639, 0x1f90e0, 0xa55290, 0x5e5901 },
  [CYC_PLOT_DARK] = { 0x3d9be0, 0xe8a32a, 0x3ccc9e, 0xe56e3c, 0x9ad5f7, 0xd890c0, 0xd6d468 },
};
static const guint32 measured[] = { [CYC_PLOT_LIGHT] = 0x7f7f7f, [CYC_PLOT_DARK] = 0xb4b4b4 };

/* Patterns repeat in step with the colours, but shifted each time round, so that a pair of both repeats
 * late. */
#define N_PATTERNS CYC_PATTERN_HOLLOW

struct _CycPalette
{
  GHashTable *slots; /* name → slot */
};

/**
 * cyc_palette_new:
 *
 * Gives each series a colour and a pattern which it keeps, in whatever charts and beside whichever others
 * it appears.
 *
 * Returns: (transfer full): a palette that knows no series yet
 */
CycPalette *
cyc_palette_new (void)
{
  CycPalette *self = g_new0 (CycPalette, 1);

  self->slots = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/**
 * cyc_palette_copy:
 * @self: a palette
 *
 * Returns: (transfer full): one that knows the same series
 */
CycPalette *
cyc_palette_copy (const CycPalette *self)
{
  g_return_val_if_fail (self != NULL, NULL);

  CycPalette *copy = cyc_palette_new ();
  GHashTableIter iter;
  gpointer name, slot;
  g_hash_table_iter_init (&iter, self->slots);
  while (g_hash_table_iter_next (&iter, &name, &slot))
    g_hash_table_insert (copy->slots, g_strdup (name), slot);
  return copy;
}

/**
 * cyc_palette_free:
 * @self: (transfer full): a palette
 */
void
cyc_palette_free (CycPalette *self)
{
  g_return_if_fail (self != NULL);

  g_hash_table_unref (self->slots);
  g_free (self);
}

/**
 * cyc_palette_get_slot:
 * @self: a palette
 * @name: a series
 *
 * Returns: its slot: that of last time, or the next one
 */
guint
cyc_palette_get_slot (CycPalette *self,
                      const char *name)
{
  g_return_val_if_fail (self != NULL && name != NULL, 0);

  gpointer known;
  if (g_hash_table_lookup_extended (self->slots, name, NULL, &known))
    return GPOINTER_TO_UINT (known);
  guint slot = g_hash_table_size (self->slots);
  g_hash_table_insert (self->slots, g_strdup (name), GUINT_TO_POINTER (slot));
  return slot;
}

static CycColour
from_rgb (guint32 rgb)
{
  CycColour colour = { (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, 1 };

  return colour;
}

/**
 * cyc_palette_get_fill:
 * @slot: of a series
 * @scheme: light or dark
 *
 * Returns: the colour of its areas
 */
CycColour
cyc_palette_get_fill (guint         slot,
                      CycPlotScheme scheme)
{
  if (slot == CYC_PALETTE_MEASURED)
    return from_rgb (measured[scheme]);
  return from_rgb (fills[scheme][slot % N_COLOURS]);
}

/**
 * cyc_palette_get_outline:
 * @slot: of a series
 * @scheme: light or dark
 *
 * Returns: the colour of what must stand out from its areas and from the ground
 */
CycColour
cyc_palette_get_outline (guint         slot,
                         CycPlotScheme scheme)
{
  CycColour colour = cyc_palette_get_fill (slot, scheme);
  double end = scheme == CYC_PLOT_LIGHT ? 0 : 1;
  const double share = 0.35;

  colour.red += (end - colour.red) * share;
  colour.green += (end - colour.green) * share;
  colour.blue += (end - colour.blue) * share;
  return colour;
}

/**
 * cyc_palette_get_pattern:
 * @slot: of a series
 *
 * Returns: the pattern on its areas
 */
CycPattern
cyc_palette_get_pattern (guint slot)
{
  if (slot == CYC_PALETTE_MEASURED)
    return CYC_PATTERN_HOLLOW;
  return (CycPattern) ((slot + slot / N_COLOURS) % N_PATTERNS);
}
