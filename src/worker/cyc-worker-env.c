/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/cyc-worker-env.h"

#include <string.h>
#include <unistd.h>

#include "worker/cyc-engine-link.h"

/**
 * cyc_worker_env_make:
 * @job: a job
 *
 * The simulator's environment: this process's own without what belongs to other sims or to an
 * engine, then what the job says, then what the job left out of `design/http-api.md`. The only token
 * in it is the sim's own.
 *
 * Returns: (transfer full): `NAME=VALUE` texts
 */
GStrv
cyc_worker_env_make (const CycJob *job)
{
  g_return_val_if_fail (job != NULL, NULL);

  GStrv env = g_get_environ ();
  g_auto (GStrv) inherited = g_strdupv (env);
  for (guint i = 0; inherited[i] != NULL; i++)
    {
      char *equals = strchr (inherited[i], '=');
      if (equals == NULL || !(g_str_has_prefix (inherited[i], "CYCLESCOPE_API_") ||
                              g_str_has_prefix (inherited[i], "CASCADE_")))
        continue;
      *equals = '\0';
      env = g_environ_unsetenv (env, inherited[i]);
    }
  for (guint i = 0; job->env[i] != NULL; i++)
    {
      const char *equals = strchr (job->env[i], '=');
      g_autofree char *name = g_strndup (job->env[i], (gsize) (equals - job->env[i]));
      env = g_environ_setenv (env, name, equals + 1, TRUE);
    }
  env = g_environ_setenv (env, "CASCADE_SIM_ID", job->sim_id, FALSE);
  env = g_environ_setenv (env, "CYCLESCOPE_API_TOKEN", job->token, FALSE);
  g_autofree char *url = cyc_engine_link_find_url (job, NULL);
  if (url != NULL)
    env = g_environ_setenv (env, "CYCLESCOPE_API_URL", url, FALSE);
  return env;
}

/**
 * cyc_worker_argv_make:
 * @job: a job
 *
 * The simulator's command: through `stdbuf -oL` where lines should come as they are printed and the
 * machine has it. A program that is not there is not handed to stdbuf, which would hide why.
 *
 * Returns: (transfer full): program and arguments
 */
GStrv
cyc_worker_argv_make (const CycJob *job)
{
  g_return_val_if_fail (job != NULL, NULL);

  g_autofree char *stdbuf = job->line_buffer ? g_find_program_in_path ("stdbuf") : NULL;
  const char *program = job->argv[0];
  if (stdbuf == NULL || program[0] == '-' || (g_path_is_absolute (program) && access (program, X_OK) != 0))
    return g_strdupv (job->argv);

  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_strv_builder_add_many (builder, stdbuf, "-oL", NULL);
  g_strv_builder_addv (builder, (const char **) job->argv);
  return g_strv_builder_end (builder);
}
