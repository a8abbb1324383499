/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-findings.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "cli/cyc-ctl-message.h"
#include "core/base/cyc-error.h"
#include "core/base/cyc-format.h"

static const char *
severity_for_people (CycSeverity severity)
{
  static const char *const texts[CYC_N_SEVERITIES] = {
    [CYC_SEVERITY_ERROR] = N_("error"),
    [CYC_SEVERITY_WARNING] = N_("warning"),
    [CYC_SEVERITY_NOTE] = N_("note"),
  };

  return _(texts[severity]);
}

/**
 * cyc_ctl_findings_append:
 * @findings: findings
 * @out: where text for people is appended
 *
 * Appends two lines for each: `SEVERITY: [FILE[:LINE]: ]TEXT`, and what to do.
 */
void
cyc_ctl_findings_append (const CycFindings *findings,
                         GString           *out)
{
  for (guint i = 0; i < cyc_findings_get_length (findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (findings, i);
      g_autofree char *text = cyc_format_printable (finding->text);
      g_string_append_printf (out, "%s: ", severity_for_people (finding->severity));
      if (finding->file != NULL)
        {
          g_autofree char *file = cyc_format_printable (finding->file);
          g_string_append (out, file);
          if (finding->line != 0)
            g_string_append_printf (out, ":%" G_GUINT64_FORMAT, finding->line);
          g_string_append (out, ": ");
        }
      g_string_append_printf (out, "%s\n", text);
      if (finding->remedy != NULL)
        {
          g_autofree char *remedy = cyc_format_printable (finding->remedy);
          g_string_append_printf (out, "    %s\n", remedy);
        }
    }
}

/**
 * cyc_ctl_findings_print:
 * @findings: findings
 * @least: the least severe that is worth telling
 *
 * Prints one message for each on standard error.
 */
void
cyc_ctl_findings_print (const CycFindings *findings,
                        CycSeverity        least)
{
  for (guint i = 0; i < cyc_findings_get_length (findings); i++)
    {
      const CycFinding *finding = cyc_findings_get (findings, i);
      g_autofree char *text = cyc_finding_to_string (finding);
      if (finding->severity <= least)
        cyc_ctl_message_print (text);
    }
}

/**
 * cyc_ctl_findings_set_error:
 * @findings: findings
 * @error: return location for the first one that is an error; left alone if there is none
 */
void
cyc_ctl_findings_set_error (const CycFindings  *findings,
                            GError            **error)
{
  const CycFinding *first = cyc_findings_first_error (findings);

  if (first == NULL)
    return;
  g_autofree char *text = cyc_finding_to_string (first);
  guint64 more = cyc_findings_count (findings, CYC_SEVERITY_ERROR) - 1;
  if (more == 0)
    g_set_error_literal (error, CYC_ERROR, CYC_ERROR_INPUT, text);
  else
    g_set_error (error, CYC_ERROR, CYC_ERROR_INPUT,
                 g_dngettext (NULL, "%s (and %" PRIu64 " more error)",
                              "%s (and %" PRIu64 " more errors)", more),
                 text, more);
}
