/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-option-check.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/cyc-number.h"

/* Whether an option of the command line is one, and its value like those that are known of it. The simulator says
 * nowhere what an option takes: its form is that of the values seen, and of `<latency,initiation>` or
 * `{<freq>:<flag>}` in its help. */

/* What the values of an option are made of: numbers only, or @n_parts is 0. */
typedef struct
{
  guint    n_parts;
  char     separator; /* 0 for one number */
  gboolean whole;     /* no fractions */
} Form;

static gboolean
is_number (const char *text,
           gsize       len,
           gboolean   *out_whole)
{
  gint64 whole;
  double value;

  *out_whole = cyc_number_parse_int64 (text, len, &whole);
  if (*out_whole || cyc_number_parse_double (text, len, &value))
    return TRUE;
  /* The simulator takes these, too. */
  *out_whole = len > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') &&
               strspn (text + 2, "0123456789abcdefABCDEF") >= len - 2;
  return *out_whole;
}

static Form
get_form (const char *value)
{
  Form form = { 0, strchr (value, ':') != NULL ? ':' : strchr (value, ',') != NULL ? ',' : '\0', TRUE };
  guint n = 0;

  for (const char *p = value;;)
    {
      const char *end = form.separator != '\0' ? strchr (p, form.separator) : NULL;
      gboolean whole;
      if (!is_number (p, end != NULL ? (gsize) (end - p) : strlen (p), &whole))
        return form;
      form.whole = form.whole && whole;
      n++;
      if (end == NULL)
        break;
      p = end + 1;
    }
  form.n_parts = n;
  return form;
}

/* How many values a help names: of `{<a>:<b>}` and `<a,b>` two; 0 if it names none. */
static guint
count_named (const char *help)
{
  const char *open = strchr (help, '<');
  const char *brace = strchr (help, '{');
  const char *end;
  guint n = 0;

  if (open == NULL || strchr (open, '>') == NULL)
    return 0;
  if (brace != NULL && brace < open && (end = strchr (brace, '}')) != NULL)
    {
      for (const char *p = brace; p < end; p++)
        n += *p == '<';
      return n;
    }
  n = 1;
  for (const char *p = open; *p != '>'; p++)
    n += *p == ',';
  return n;
}

/* What is common to all values known; FALSE if they are no numbers. */
static gboolean
find_form (const char         *name,
           const CycSimOption *known,
           GPtrArray          *configs,
           Form               *out_form,
           const char        **out_example)
{
  Form form = { 0 };
  const char *example = NULL;

  for (guint i = 0; i <= configs->len; i++)
    {
      const CycConfigOption *option =
        i < configs->len ? cyc_gpu_config_find_option (g_ptr_array_index (configs, i), name) : NULL;
      const char *value = i < configs->len ? (option != NULL ? option->value : NULL)
                                           : (known != NULL ? known->value : NULL);
      if (value == NULL)
        continue;
      Form one = get_form (value);
      if (one.n_parts == 0 || (example != NULL && one.separator != form.separator))
        return FALSE;
      one.whole = one.whole && (example == NULL || form.whole);
      if (example != NULL && one.n_parts != form.n_parts)
        one.n_parts = G_MAXUINT;
      form = one;
      example = example == NULL ? value : example;
    }
  *out_form = form;
  *out_example = example;
  return example != NULL;
}

static void
check_form (const char         *name,
            const char         *value,
            const CycSimOption *known,
            GPtrArray          *configs,
            CycFindings        *findings)
{
  /* Without its help it is only likely that others take no more. */
  CycSeverity severity = known != NULL ? CYC_SEVERITY_ERROR : CYC_SEVERITY_WARNING;
  guint n_named = known != NULL ? count_named (known->help) : 0;
  Form form;
  const char *example;

  if (!find_form (name, known, configs, &form, &example))
    return;
  Form given = get_form (value);
  gboolean counted = form.separator == '\0' ? n_named <= 1 : n_named == form.n_parts;
  gboolean fits = given.n_parts > 0 && (!counted || (given.n_parts == form.n_parts &&
                                                     given.separator == form.separator));
  if (!fits && form.separator == '\0' && counted)
    cyc_findings_add (findings, severity, "option_form", NULL, 0, N_("write a number"),
                      "%s takes a number, such as %s: \"%s\" is none", name, example, value);
  else if (!fits && counted)
    cyc_findings_add (findings, severity, "option_form", NULL, 0, N_("write as many numbers"),
                      "%s takes %u numbers with \"%c\" between them, such as %s: \"%s\" is something else", name,
                      form.n_parts, form.separator, example, value);
  else if (!fits)
    cyc_findings_add (findings, severity, "option_form", NULL, 0, N_("write numbers"),
                      "%s takes numbers, such as %s: \"%s\" is something else", name, example, value);
  else if (form.whole && !given.whole)
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "option_form", NULL, 0, NULL,
                      "%s is a whole number wherever it is known, such as %s: \"%s\" has a fraction", name, example,
                      value);
}

/**
 * cyc_option_find:
 * @dump: (element-type CycSimOption) (nullable): options of a log
 * @name: an option with its dash
 *
 * Returns: (transfer none) (nullable): the option
 */
const CycSimOption *
cyc_option_find (GPtrArray  *dump,
                 const char *name)
{
  for (guint i = 0; dump != NULL && i < dump->len; i++)
    if (strcmp (((const CycSimOption *) g_ptr_array_index (dump, i))->name, name) == 0)
      return g_ptr_array_index (dump, i);
  return NULL;
}

/**
 * cyc_option_check:
 * @option: `-name value`, of the user
 * @dump: (element-type CycSimOption): the options of a log of the simulator; empty if there is none
 * @configs: (element-type CycGpuConfig): the configurations that it is meant for
 * @findings: where what is wrong goes
 *
 * Compares an option with what is known: a name that nobody has seen is a warning, for the simulator may be
 * another one; a value that is no number where all are numbers is an error if the simulator's own help is known.
 * What cyc_config_option_split() refuses is left to the preflight.
 */
void
cyc_option_check (const char  *option,
                  GPtrArray   *dump,
                  GPtrArray   *configs,
                  CycFindings *findings)
{
  g_return_if_fail (option != NULL && dump != NULL && configs != NULL && findings != NULL);

  g_autofree char *name = NULL;
  g_autofree char *value = NULL;
  if (!cyc_config_option_split (option, &name, &value, NULL))
    return;
  const CycSimOption *known = cyc_option_find (dump, name);
  gboolean given = known != NULL;
  for (guint i = 0; i < configs->len && !given; i++)
    given = cyc_gpu_config_find_option (g_ptr_array_index (configs, i), name) != NULL;
  if (given)
    check_form (name, value, known, configs, findings);
  else
    cyc_findings_add (findings, CYC_SEVERITY_WARNING, "option_unknown", NULL, 0, N_("check the spelling"),
                      dump->len > 0
                        ? "%s is neither among the options of an earlier log nor in a chosen configuration: the "
                          "simulator stops at an option that it does not know"
                        : "%s is in none of the chosen configurations, and there is no earlier log that lists the "
                          "options: the simulator stops at one that it does not know", name);
}
