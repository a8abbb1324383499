/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "fuzz.h"

#include <string.h>

#include "core/accelsim/cyc-kernels-list.h"
#include "core/base/cyc-name.h"

/* What the cleaned list holds goes to a simulator that gives it to a shell: every line must be a
 * plain name or a copy of three fields, and reading it again must find nothing to say. */
int
LLVMFuzzerTestOneInput (const uint8_t *data,
                        size_t         size)
{
  g_autoptr (CycFindings) findings = cyc_findings_new ();
  g_autoptr (CycKernelsList) list =
    cyc_kernels_list_parse ((const char *) data, size, "kernelslist.g", findings);
  g_assert_cmpuint (list->n_kernels + list->n_memcpys + list->n_ignored, ==, list->entries->len);

  g_autoptr (GString) text = g_string_new (NULL);
  cyc_kernels_list_append_text (list, text);
  for (guint i = 0; i < list->entries->len; i++)
    {
      const CycListEntry *entry = g_ptr_array_index (list->entries, i);
      g_assert_true (g_utf8_validate (entry->text, -1, NULL));
      g_assert_true (strchr (entry->text, '\n') == NULL);
      if (entry->kind == CYC_LIST_KERNEL && entry->usable)
        g_assert_true (cyc_name_is_plain (entry->text));
    }

  g_autoptr (CycFindings) none = cyc_findings_new ();
  g_autoptr (CycKernelsList) again =
    cyc_kernels_list_parse (text->str, text->len, "kernelslist.g", none);
  g_assert_null (cyc_findings_first_error (none));
  g_autoptr (GString) same = g_string_new (NULL);
  cyc_kernels_list_append_text (again, same);
  g_assert_true (g_string_equal (same, text));
  return 0;
}
