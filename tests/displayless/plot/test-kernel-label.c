/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <glib.h>
#include <string.h>

#include "plot/cyc-kernel-label.h"

static void
test_shorten (void)
{
  static const struct { const char *name; const char *label; } cases[] = {
    { "_Z9vectorAddPKfS0_Pfi", "vectorAdd…" },
    { "_Z13matrixMulCUDAILi16EEvPfS0_S0_ii", "matrixMulCUDA…" },
    { "_ZN2at6native13reduce_kernelILi512ELi1EEEvT1_", "at::native::reduce_kernel…" },
    { "_ZL6reducePf", "reduce…" },
    { "_ZNK3foo3barEv", "foo::bar…" },
    { "_Z3foo", "_Z3foo" },
    /* No mangled names after all. */
    { "_Zebra", "_Zebra" },
    { "_Z99foo", "_Z99foo" },
    { "_Z0foo", "_Z0foo" },
    { "_Z99999999999999999999foo", "_Z99999999999999999999foo" },
    { "_Z1é", "_Z1é" },
    { "kernel", "kernel" },
    { "", "" },
    { "void foo<float, 4>(float*, int = 3)", "void foo<…>(…)" },
    { "void foo<bar<float>, 4>()", "void foo<…>()" },
    { "(anonymous namespace)::gemm<128>(int)", "(anonymous namespace)::gemm<…>(…)" },
    { "a::b<c>::d<e>(f)", "a::b<…>::d<…>(…)" },
    { "foo(x->y)", "foo(…)" },
    { "bool operator<(a, b)", "bool operator<(a, b)" },
    { "broken<(", "broken<(" },
    { "evil\x1b[31m\n", "evil\xEF\xBF\xBD[31m " },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *label = cyc_kernel_label_shorten (cases[i].name);
      g_assert_cmpstr (label, ==, cases[i].label);
    }
}

/* Any bytes give a printable text that is hardly longer. */
static void
test_bytes (void)
{
  static const char *const pieces[] = { "_Z", "N", "3", "12", "foo", "<", ">", "(", ")", "-", "é", "\xff", "\n" };

  for (guint round = 0; round < 2000; round++)
    {
      g_autoptr (GString) name = g_string_new (round % 2 == 0 ? "_Z" : NULL);
      for (int i = g_test_rand_int_range (0, 12); i > 0; i--)
        g_string_append (name, pieces[g_test_rand_int_range (0, G_N_ELEMENTS (pieces))]);
      g_autofree char *label = cyc_kernel_label_shorten (name->str);
      g_assert_true (g_utf8_validate (label, -1, NULL));
      g_assert_cmpuint (strlen (label), <=, 3 * name->len + 3);
      g_assert_null (strchr (label, '\n'));
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plot/kernel-label/shorten", test_shorten);
  g_test_add_func ("/plot/kernel-label/bytes", test_bytes);
  return g_test_run ();
}
