/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/cyc-ctl-app.h"

int
main (int    argc,
      char **argv)
{
  return cyc_ctl_app_main (argc, argv);
}
