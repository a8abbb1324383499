/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-access-inputs.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/cyc-ctl-message.h"
#include "core/base/cyc-error.h"

/* NAME=VALUE, the later one wins. */
static gboolean
read_parameters (CycCtlAccess  *self,
                 CycCtlArgs    *args,
                 GError       **error)
{
  const char *const *list = cyc_ctl_args_get_list (args, "set");

  self->parameters = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; list != NULL && list[i] != NULL; i++)
    {
      const char *equals = strchr (list[i], '=');
      if (equals == NULL || equals == list[i])
        {
          cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0, _("--set must be NAME=VALUE, not '%s'"), list[i]);
          return FALSE;
        }
      g_hash_table_replace (self->parameters, g_strndup (list[i], (gsize) (equals - list[i])),
                            g_strdup (equals + 1));
    }
  return TRUE;
}

/* Without any there is no filter. */
static const char *const *
get_filter (CycCtlArgs *args,
            const char *option)
{
  const char *const *list = cyc_ctl_args_get_list (args, option);

  return list != NULL && list[0] != NULL ? list : NULL;
}

static gboolean
read_options (CycCtlAccess  *self,
              CycCtlArgs    *args,
              GError       **error)
{
  CycAccessOptions *options = &self->options;

  options->tensors = get_filter (args, "tensor");
  options->einsums = get_filter (args, "einsum");
  options->bounds = g_strcmp0 (cyc_ctl_args_get (args, "iterations"), "bounds") == 0;
  options->has_max_timesteps = cyc_ctl_args_has (args, "max-timesteps");
  return cyc_ctl_args_get_int (args, "max-timesteps", 0, G_MAXINT64, &options->max_timesteps, error) &&
         cyc_ctl_args_get_int (args, "max-points", 1, G_MAXINT64, &options->max_points, error) &&
         read_parameters (self, args, error);
}

static void
show_progress (double   done,
               gpointer user_data)
{
  CycCtlAccess *self = user_data;

  if (cyc_ctl_progress_is_due (self->progress))
    cyc_ctl_progress_show (self->progress, _("%.0f %% done"), 100 * done);
}

static gboolean
read_files (CycCtlAccess  *self,
            CycCtlArgs    *args,
            GError       **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new ();
  const char *path;

  for (guint i = 0; (path = cyc_ctl_args_get_argument (args, i)) != NULL; i++)
    g_ptr_array_add (paths, (gpointer) path);
  g_ptr_array_add (paths, NULL);
  self->spec = cyc_access_spec_read ((const char *const *) paths->pdata, self->parameters, error);
  if (self->spec == NULL)
    return FALSE;
  self->plan = cyc_access_plan_new (self->spec, &self->options, error);
  return self->plan != NULL;
}

/**
 * cyc_ctl_access_read:
 * @app: the running program, whose command has the options of %CYC_CTL_ACCESS_OPTIONS
 * @error: return location for an error
 *
 * Reads the files and the options of a command of `access`, and makes ready for its work.
 *
 * Returns: (transfer full) (nullable): what to work on, %NULL with @error set
 */
CycCtlAccess *
cyc_ctl_access_read (CycCtlApp  *app,
                     GError    **error)
{
  g_autoptr (CycCtlAccess) self = g_new0 (CycCtlAccess, 1);
  CycCtlArgs *args = cyc_ctl_app_get_args (app);

  self->progress = cyc_ctl_progress_new (app);
  self->interrupt = cyc_ctl_interrupt_new ();
  self->work.n_threads = g_get_num_processors ();
  self->work.cancellable = cyc_ctl_interrupt_get_cancellable (self->interrupt);
  self->work.progress = show_progress;
  self->work.progress_data = self;
  if (!read_options (self, args, error) || !read_files (self, args, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
cyc_ctl_access_free (CycCtlAccess *self)
{
  g_clear_pointer (&self->plan, cyc_access_plan_free);
  g_clear_pointer (&self->spec, cyc_access_spec_free);
  g_clear_pointer (&self->parameters, g_hash_table_unref);
  g_clear_pointer (&self->progress, cyc_ctl_progress_free);
  g_clear_pointer (&self->interrupt, cyc_ctl_interrupt_free);
  g_free (self);
}

/**
 * cyc_ctl_access_tell:
 * @self: the inputs
 * @text: a warning
 *
 * Writes a warning on standard error.
 */
void
cyc_ctl_access_tell (const CycCtlAccess *self,
                     const char         *text)
{
  cyc_ctl_message_hint (_("Warning: %s"), text);
}

/**
 * cyc_ctl_access_tell_warnings:
 * @self: the inputs
 *
 * Writes what was found in the files on standard error.
 */
void
cyc_ctl_access_tell_warnings (const CycCtlAccess *self)
{
  const GPtrArray *lists[] = { self->spec->warnings, self->plan->warnings };

  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    for (guint j = 0; j < lists[i]->len; j++)
      {
        const CycAccessWarning *warning = lists[i]->pdata[j];
        g_autofree char *text = warning->file == NULL ? g_strdup (warning->text)
          : warning->line == 0 ? g_strdup_printf ("%s: %s", warning->file, warning->text)
          : g_strdup_printf ("%s:%u: %s", warning->file, warning->line, warning->text);
        cyc_ctl_access_tell (self, text);
      }
}
