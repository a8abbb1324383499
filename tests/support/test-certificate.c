/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "support/test-certificate.h"

/**
 * test_certificate_make:
 * @folder: where the files go
 * @stem: their name begins with it
 * @names: what the certificate is for, such as `DNS:engine.example,IP:127.0.0.1`
 * @out_cert: (out) (transfer full): file of the certificate, which is its own authority
 * @out_key: (out) (transfer full): file of its key
 *
 * Has openssl make a certificate.
 *
 * Returns: %FALSE, with the test marked as skipped, if there is no openssl
 */
gboolean
test_certificate_make (const char  *folder,
                       const char  *stem,
                       const char  *names,
                       char       **out_cert,
                       char       **out_key)
{
  g_autofree char *openssl = g_find_program_in_path ("openssl");
  g_autofree char *cert_name = g_strconcat (stem, "-cert.pem", NULL);
  g_autofree char *key_name = g_strconcat (stem, "-key.pem", NULL);
  g_autofree char *alternatives = g_strconcat ("subjectAltName=", names, NULL);
  g_autofree char *errors = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  if (openssl == NULL)
    {
      g_test_skip ("openssl is not installed");
      return FALSE;
    }
  *out_cert = g_build_filename (folder, cert_name, NULL);
  *out_key = g_build_filename (folder, key_name, NULL);
  const char *const argv[] = { openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
                               "-nodes", "-days", "2", "-subj", "/CN=engine.example", "-addext", alternatives,
                               "-keyout", *out_key, "-out", *out_cert, NULL };
  g_assert_true (g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL, &errors, &status,
                               &error));
  g_assert_no_error (error);
  if (status != 0)
    g_error ("openssl makes no certificate: %s", errors);
  return TRUE;
}
