/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * CycError:
 * @CYC_ERROR_INPUT: a file or a text is not what it should be; the message names file and line
 * @CYC_ERROR_VALUE: an argument or a field has a bad value (HTTP 422, exit status 1)
 * @CYC_ERROR_NOT_FOUND: no such trace, run, sim, configuration, simulator or file (404)
 * @CYC_ERROR_EXISTS: the name is taken (409)
 * @CYC_ERROR_STATE: right request, wrong state (409)
 * @CYC_ERROR_TOO_LARGE: over a limit (413)
 * @CYC_ERROR_NO_SPACE: the disk is full or would be (503)
 * @CYC_ERROR_BUSY: somebody else holds the workspace
 * @CYC_ERROR_DENIED: not allowed (401, 403)
 * @CYC_ERROR_UNAVAILABLE: the other side cannot be reached, or not now (503)
 * @CYC_ERROR_FAILED: everything else
 *
 * The one error domain of Cyclescope: what a user can act on. Everything else stays in
 * %G_IO_ERROR. Messages are untranslated detail without a full stop, in the form
 * `[FILE[:LINE]: ]TEXT`.
 */
typedef enum
{
  CYC_ERROR_INPUT,
  CYC_ERROR_VALUE,
  CYC_ERROR_NOT_FOUND,
  CYC_ERROR_EXISTS,
  CYC_ERROR_STATE,
  CYC_ERROR_TOO_LARGE,
  CYC_ERROR_NO_SPACE,
  CYC_ERROR_BUSY,
  CYC_ERROR_DENIED,
  CYC_ERROR_UNAVAILABLE,
  CYC_ERROR_FAILED,
} CycError;

#define CYC_ERROR (cyc_error_quark ())

GQuark cyc_error_quark    (void);
void   cyc_error_set_at   (GError     **error,
                           CycError     code,
                           const char  *file,
                           guint64      line,
                           const char  *format,
                           ...) G_GNUC_PRINTF (5, 6);
void   cyc_error_set_errno (GError     **error,
                            int          saved_errno,
                            const char  *file,
                            const char  *doing);

G_END_DECLS
