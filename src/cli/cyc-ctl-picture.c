/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-picture.h"

#include <glib/gi18n.h>

#include "core/base/cyc-error.h"

/* What the commands that draw have in common: the file of --output. */

/**
 * cyc_ctl_picture_get_format:
 * @app: the running program
 * @out_format: (out): what the ending of the file of `--output` asks for
 * @error: return location for an error
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_picture_get_format (CycCtlApp      *app,
                            CycPlotFormat  *out_format,
                            GError        **error)
{
  static const struct
  {
    const char    *suffix;
    CycPlotFormat  format;
  } formats[] = { { ".png", CYC_PLOT_PNG }, { ".svg", CYC_PLOT_SVG }, { ".pdf", CYC_PLOT_PDF } };
  const char *path = cyc_ctl_args_get (cyc_ctl_app_get_args (app), "output");

  if (path == NULL)
    {
      g_set_error (error, CYC_CTL_USAGE_ERROR, 0, _("option %s is missing"), "--output=FILE");
      return CYC_CTL_USAGE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    if (g_str_has_suffix (path, formats[i].suffix))
      {
        *out_format = formats[i].format;
        return CYC_CTL_DONE;
      }
  cyc_error_set_at (error, CYC_ERROR_VALUE, NULL, 0,
                    _("the name of the picture must end in .png, .svg or .pdf, not '%s'"), path);
  return CYC_CTL_FAILED;
}

/**
 * cyc_ctl_picture_write:
 * @app: the running program
 * @picture: a picture, byte for byte
 * @error: return location for an error
 *
 * Writes it to the file of `--output`, as a whole.
 *
 * Returns: a #CycCtlStatus
 */
int
cyc_ctl_picture_write (CycCtlApp  *app,
                       GBytes     *picture,
                       GError    **error)
{
  g_autoptr (CycCtlOutput) output = cyc_ctl_app_open_output (app, error);
  gsize len;
  const char *bytes = g_bytes_get_data (picture, &len);

  if (output == NULL || !cyc_ctl_output_write (bytes, len, output, error) || !cyc_ctl_output_commit (output, error))
    return CYC_CTL_FAILED;
  return CYC_CTL_DONE;
}
