/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "widgets/cyc-finding-words.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

/* What findings say is detail from below, in English. Here is in one sentence what each code means, in the order of
 * the codes, to be translated; docs/formats.md has them by their place. */

typedef struct
{
  const char *code;
  const char *words;
} Words;

static const Words all[] = {
  { "access", N_("The trace of the mapping warns of something") },
  { "arch_metadata_differs", N_("Metadata and kernels name different architectures") },
  { "arch_mismatch", N_("Trace and configuration are of different architectures") },
  { "arch_mixed", N_("The kernels of the trace are for different architectures") },
  { "arch_unknown", N_("The configuration does not say its architecture") },
  { "block_too_large", N_("A block has more threads than a core holds") },
  { "concurrent_adaptive_cache", N_("Adaptive cache and concurrent kernels are on together") },
  { "concurrent_copies", N_("Old simulators stop at copies between kernels that overlap") },
  { "concurrent_figures", N_("Kernels run at the same time: figures are by interval") },
  { "config_arch_mismatch", N_("Name and declared capability differ") },
  { "config_binary", N_("A line has a NUL byte") },
  { "config_capability_missing",
    N_("There is no compute capability: the architecture is guessed from the name") },
  { "config_clock_invalid", N_("The clock is not a number") },
  { "config_clock_missing", N_("There is no clock: cycles cannot be turned into time") },
  { "config_file_name", N_("Left out: a file’s name holds other characters than names may") },
  { "config_includes", N_("The configuration names another file of options") },
  { "config_missing", N_("A configuration’s file is not there") },
  { "config_name", N_("Left out: a folder’s name holds other characters than names may") },
  { "config_name_clash", N_("Left out: another folder has a configuration of that name") },
  { "config_option_repeated", N_("An option is given twice") },
  { "config_option_unknown", N_("Accel-Sim is not known to have this option") },
  { "config_quote_open", N_("A quoted value is never closed") },
  { "config_root_empty", N_("A folder for configurations has none") },
  { "config_root_large",
    N_("A folder for configurations has so many entries that the rest was left out") },
  { "config_root_missing", N_("A folder for configurations is not a folder") },
  { "config_root_unreadable", N_("A folder for configurations cannot be read") },
  { "config_stray_value", N_("A word stands where an option should be") },
  { "config_unknown", N_("No folder has a configuration of that name") },
  { "config_unreadable", N_("A configuration’s file cannot be read") },
  { "config_value_invalid", N_("A text stands where a number should be") },
  { "config_value_missing", N_("An option has no value") },
  { "copied_not_linked", N_("Hard links are not possible there, so the files were copied") },
  { "count_invalid",
    N_("A run cannot have so many simulations of a configuration, or none at all") },
  { "damaged_file", N_("The packed file is damaged; what could be unpacked was read") },
  { "deadlock_unwatched", N_("The simulator would not notice that it hangs") },
  { "disk_space", N_("The log may not fit on the disk") },
  { "dropped_records", N_("The device dropped records of a profile buffer") },
  { "far_span", N_("A span is too far away to be drawn") },
  { "file_unit", N_("The times of the file were read in the unit that you have chosen") },
  { "files_outside", N_("Files of an archive that do not belong to the trace were left out") },
  { "fused", N_("The outermost memory level never holds this tensor: it is fused") },
  { "gpgpusim_config_missing", N_("Left out: there is only a trace.config") },
  { "header_cut", N_("A file ends within its header") },
  { "header_incomplete", N_("A header lacks lines that the simulator needs") },
  { "header_value", N_("A value in a header is not what it should be") },
  { "ipoly_channels", N_("The hashing cannot do with that number of memory channels") },
  { "iterations", N_("Counted in the other way, loops have other numbers of turns") },
  { "kernel_file_cut", N_("A file does not end as it should") },
  { "kernel_file_empty", N_("A listed file is empty") },
  { "kernel_file_missing", N_("A listed file is not there") },
  { "kernel_file_unreadable", N_("A listed file cannot be read") },
  { "kernel_files_unlisted", N_("No list names some of the files") },
  { "kernel_memory", N_("Unpacked, a kernel’s trace is about as large as the free memory") },
  { "kernel_numbers_gap", N_("Numbers between those of the kernels are missing") },
  { "limit_set", N_("The configuration stops the simulation early") },
  { "link_broken", N_("Left out: a link of an archive to a folder or to nothing") },
  { "link_outside", N_("Left out: a link that leads out of the folder") },
  { "link_to_folder", N_("Left out: a link to a folder") },
  { "list_cr", N_("Lines end in CR LF") },
  { "list_emptied", N_("The main list is empty and others are not") },
  { "list_empty", N_("The list names no kernel") },
  { "list_ending", N_("A kernel file has a name with another ending than it should") },
  { "list_kernel_repeated", N_("A kernel is listed twice") },
  { "list_lines_ignored", N_("The simulator skips some lines of the list") },
  { "list_memcpy_fields", N_("A copy lacks one of its three fields") },
  { "list_memcpy_number", N_("Address or size of a copy is not a number") },
  { "list_missing", N_("There is no list of kernels, so nothing says which ones run") },
  { "list_name_refused", N_("A name in the list would reach a shell") },
  { "list_only_copies", N_("The list has copies and no kernel") },
  { "list_raw_trace", N_("A raw trace stands in a list for processed ones") },
  { "list_unreadable", N_("The list of kernels cannot be read") },
  { "lists_joined",
    N_("There are several lists and none is the main one: they follow each other") },
  { "lists_left_out", N_("The main list is used; lists of other contexts are not") },
  { "merge_warning", N_("The merge of traces has something to say") },
  { "metadata_arch", N_("The metadata’s architecture is not written like sm_86") },
  { "metadata_type", N_("A field of the metadata has the wrong type") },
  { "metadata_unreadable", N_("The metadata cannot be read") },
  { "name_not_allowed", N_("Left out: a name that is not allowed") },
  { "needs_processing", N_("Raw traces have to be processed first") },
  { "network_file_missing", N_("BookSim is on and its file is not beside the configuration") },
  { "no_cycles", N_("Kernels without a number of cycles were left out") },
  { "no_units", N_("A kind of execution unit is switched off") },
  { "option_form", N_("A value has another form than those known") },
  { "option_invalid", N_("An option given with the run is not one") },
  { "option_unknown", N_("Neither an earlier log nor the configuration has an option of the run") },
  { "part", N_("Only a part of the file was read, as you have chosen") },
  { "path_unsafe", N_("The trace’s path holds characters that a shell reads") },
  { "post_processor_missing", N_("Raw traces cannot be converted") },
  { "power_file_missing", N_("AccelWattch is on and its file is not beside the configuration") },
  { "reading_stopped", N_("Reading was stopped; what comes later in the file is missing") },
  { "recorded_missing", N_("The trace has no recorded log of the configuration to replay") },
  { "registers_too_many", N_("A block needs more registers than a core has") },
  { "shmem_too_large", N_("A block needs more shared memory than a core has") },
  { "simulator_configs_missing", N_("The installation has no configurations") },
  { "simulator_library_missing", N_("The library that goes with the simulator was not found") },
  { "simulator_missing", N_("The simulator has no executable") },
  { "simulator_not_executable", N_("The simulator may not be executed") },
  { "simulator_several_builds", N_("There are several builds of the simulator") },
  { "simulator_unknown", N_("The program does not look like a simulator that Cyclescope knows") },
  { "simulator_unreadable", N_("The simulator cannot be read") },
  { "simulator_unusable", N_("No simulator is set up, or the one that was named is not there") },
  { "sparse_spans",
    N_("Some spans are far away from nearly all others; the view begins without them") },
  { "special_file", N_("Left out: a socket, pipe or device") },
  { "special_units_missing",
    N_("The configuration lacks special units that the trace’s architecture needs") },
  { "stats_half_orphaned", N_("Nothing says to which row of the stats a second half belongs") },
  { "stats_line_unreadable", N_("A line of the stats is no row") },
  { "stats_row_cut", N_("A row of the stats ends before its numbers") },
  { "stats_row_half", N_("A row of the stats lacks its second half") },
  { "stats_row_long", N_("A row of the stats has too many columns") },
  { "stats_row_missing", N_("A kernel has no row in the stats") },
  { "stats_row_repeated", N_("A kernel has a second row in the stats") },
  { "stats_rows_unlisted", N_("The stats have rows of kernels that the list does not name") },
  { "stats_unreadable", N_("The stats cannot be read") },
  { "stdbuf_missing", N_("The last lines of a simulation that crashes would be lost") },
  { "streams", N_("Kernels are on several streams and run one after the other") },
  { "timing_kernel", N_("An entry of the real times is not a kernel’s") },
  { "timing_unreadable", N_("The real times cannot be read") },
  { "trace_config_missing", N_("There is no trace.config, so it cannot run traces") },
  { "trace_failed", N_("The profiler says that the trace failed") },
  { "trace_unreadable", N_("The trace’s folder cannot be read") },
  { "tracer_version_new", N_("It was written by a tracer that the simulator does not know yet") },
  { "tracez_unsupported", N_("Only Accel-Sim 2.0 reads .tracez files") },
  { "unknown_key", N_("A key of the metadata is not known") },
  { "unsupported_binary_version", N_("The simulator does not accept the kernels’ architecture") },
  { "work_folder_unwritable", N_("The simulator could not write where it would run") },
  { "xz_missing", N_("Packed traces cannot be read") },
};

static int
compare (const void *key,
         const void *element)
{
  return strcmp (key, ((const Words *) element)->code);
}

/**
 * cyc_finding_words_get:
 * @code: of a finding
 *
 * Returns: (transfer none) (nullable): what it means, in the user's language; %NULL where that is English, in which
 *   the finding says more itself, and for a code that is not known
 */
const char *
cyc_finding_words_get (const char *code)
{
  g_return_val_if_fail (code != NULL, NULL);

  const Words *found = bsearch (code, all, G_N_ELEMENTS (all), sizeof all[0], compare);
  const char *translated = found != NULL ? _(found->words) : NULL;
  return found == NULL || strcmp (translated, found->words) == 0 ? NULL : translated;
}

/**
 * cyc_finding_words_get_remedy:
 * @finding: a finding
 *
 * Returns: (transfer none) (nullable): what to do, in the user's language; %NULL if there is nothing to do
 */
const char *
cyc_finding_words_get_remedy (const CycFinding *finding)
{
  g_return_val_if_fail (finding != NULL, NULL);

  /* A text without letters would be the head of the catalogue. */
  return finding->remedy == NULL || finding->remedy[0] == '\0' ? NULL : _(finding->remedy);
}

/**
 * cyc_finding_words_dup_line:
 * @finding: a finding
 *
 * Returns: (transfer full): all of it in a line, as cyc_finding_to_string() has it, with what can be said in the
 *   user's language
 */
char *
cyc_finding_words_dup_line (const CycFinding *finding)
{
  g_return_val_if_fail (finding != NULL, NULL);

  const char *words = cyc_finding_words_get (finding->code);
  g_autofree char *text = words != NULL ? g_strdup_printf ("%s: %s", words, finding->text) : g_strdup (finding->text);
  g_autofree char *remedy = g_strdup (cyc_finding_words_get_remedy (finding));
  CycFinding translated = *finding;
  translated.text = text;
  translated.remedy = remedy;
  return cyc_finding_to_string (&translated);
}
