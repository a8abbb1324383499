/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "app/cyc-option-book.h"

#include <string.h>

#include "core/accelsim/cyc-option-check.h"

/* How well a name matches what was typed. */
typedef enum
{
  MATCH_BEGIN,
  MATCH_INSIDE,
  MATCH_HELP,
  N_MATCHES,
} Match;

/**
 * cyc_option_book_new:
 *
 * Returns: (transfer full): a book that knows nothing yet
 */
CycOptionBook *
cyc_option_book_new (void)
{
  CycOptionBook *self = g_rc_box_new0 (CycOptionBook);

  self->configs = g_ptr_array_new_with_free_func ((GDestroyNotify) cyc_gpu_config_unref);
  return self;
}

/**
 * cyc_option_book_ref:
 * @self: a book
 *
 * Returns: (transfer full): @self
 */
CycOptionBook *
cyc_option_book_ref (CycOptionBook *self)
{
  return g_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  CycOptionBook *self = data;

  cyc_option_dump_free (self->dump);
  g_ptr_array_unref (self->configs);
}

/**
 * cyc_option_book_unref:
 * @self: (transfer full): a book
 */
void
cyc_option_book_unref (CycOptionBook *self)
{
  g_rc_box_release_full (self, clear);
}

/**
 * cyc_option_book_set_dump:
 * @self: a book
 * @dump: (transfer full): the options out of a log
 */
void
cyc_option_book_set_dump (CycOptionBook *self,
                          CycOptionDump *dump)
{
  cyc_option_dump_free (self->dump);
  self->dump = dump;
}

/**
 * cyc_option_book_set_configs:
 * @self: a book
 * @configs: (transfer full) (element-type CycGpuConfig): the configurations that are chosen
 */
void
cyc_option_book_set_configs (CycOptionBook *self,
                             GPtrArray     *configs)
{
  g_ptr_array_unref (self->configs);
  self->configs = configs;
}

static const CycSimOption *
find (CycOptionBook *self,
      const char    *name)
{
  return self->dump != NULL ? cyc_option_find (self->dump->options, name) : NULL;
}

/* Case does not matter; a dash need not be typed. */
static Match
match_one (CycOptionBook *self,
           const char    *name,
           const char    *typed)
{
  const char *help = cyc_option_book_get_help (self, name);
  g_autofree char *low_name = g_ascii_strdown (name, -1);
  g_autofree char *low_help = g_utf8_strdown (help != NULL ? help : "", -1);

  if (g_str_has_prefix (low_name, typed) || g_str_has_prefix (low_name + 1, typed))
    return MATCH_BEGIN;
  if (strstr (low_name, typed) != NULL)
    return MATCH_INSIDE;
  return strstr (low_help, typed) != NULL ? MATCH_HELP : N_MATCHES;
}

static void
add_name (CycOptionBook *self,
          const char    *name,
          const char    *typed,
          GHashTable    *seen,
          GPtrArray    **matches)
{
  /* What the launcher sets itself, and refuses. */
  if (strcmp (name, "-config") == 0 || strcmp (name, "-trace") == 0 || !g_hash_table_add (seen, (gpointer) name))
    return;
  Match match = match_one (self, name, typed);
  if (match < N_MATCHES)
    g_ptr_array_add (matches[match], g_strdup (name));
}

static gint
compare_names (gconstpointer a,
               gconstpointer b)
{
  return g_ascii_strcasecmp (*(const char *const *) a, *(const char *const *) b);
}

/**
 * cyc_option_book_match:
 * @self: a book
 * @text: what was typed
 *
 * Returns: (transfer full): names of options of the chosen configurations and of the log: those that begin so,
 *   those that hold it, and those whose help holds it
 */
GStrv
cyc_option_book_match (CycOptionBook *self,
                       const char    *text)
{
  g_autofree char *typed = g_utf8_strdown (text, -1);
  g_autoptr (GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  GPtrArray *matches[N_MATCHES];

  for (guint i = 0; i < N_MATCHES; i++)
    matches[i] = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->configs->len; i++)
    {
      const CycGpuConfig *config = g_ptr_array_index (self->configs, i);
      for (guint j = 0; j < config->options->len; j++)
        add_name (self, ((CycConfigOption *) g_ptr_array_index (config->options, j))->name, typed, seen, matches);
    }
  for (guint i = 0; self->dump != NULL && i < self->dump->options->len; i++)
    add_name (self, ((CycSimOption *) g_ptr_array_index (self->dump->options, i))->name, typed, seen, matches);
  for (guint i = 0; i < N_MATCHES; i++)
    {
      g_ptr_array_sort (matches[i], compare_names);
      for (guint j = 0; j < matches[i]->len; j++)
        g_strv_builder_add (names, g_ptr_array_index (matches[i], j));
      g_ptr_array_unref (matches[i]);
    }
  return g_strv_builder_end (names);
}

/**
 * cyc_option_book_get_value:
 * @self: a book
 * @name: an option with its dash
 *
 * Returns: (transfer none) (nullable): what the first chosen configuration that has it gives; %NULL if none has it
 */
const char *
cyc_option_book_get_value (CycOptionBook *self,
                           const char    *name)
{
  for (guint i = 0; i < self->configs->len; i++)
    {
      const CycConfigOption *option = cyc_gpu_config_find_option (g_ptr_array_index (self->configs, i), name);
      if (option != NULL)
        return option->value;
    }
  return NULL;
}

/**
 * cyc_option_book_has:
 * @self: a book
 * @name: an option with its dash
 *
 * Returns: whether the log or a chosen configuration has it
 */
gboolean
cyc_option_book_has (CycOptionBook *self,
                     const char    *name)
{
  return find (self, name) != NULL || cyc_option_book_get_value (self, name) != NULL;
}

/**
 * cyc_option_book_get_help:
 * @self: a book
 * @name: an option with its dash
 *
 * Returns: (transfer none) (nullable): what the simulator says about it; %NULL if that is not known
 */
const char *
cyc_option_book_get_help (CycOptionBook *self,
                          const char    *name)
{
  const CycSimOption *option = find (self, name);

  return option != NULL && option->help[0] != '\0' ? option->help : NULL;
}

/**
 * cyc_option_book_check:
 * @self: a book
 * @option: `-name value`
 * @findings: where what is wrong goes
 *
 * Holds an option against what is known.
 */
void
cyc_option_book_check (CycOptionBook *self,
                       const char    *option,
                       CycFindings   *findings)
{
  g_autoptr (GPtrArray) none = g_ptr_array_new ();

  cyc_option_check (option, self->dump != NULL ? self->dump->options : none, self->configs, findings);
}
