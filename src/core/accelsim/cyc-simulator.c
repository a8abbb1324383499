/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-simulator.h"

#include <glib/gi18n.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/cyc-byte-reader.h"
#include "core/base/cyc-error.h"

#define EXECUTABLE "accel-sim.out"
/* A release build has some 60 MB, most of it debug information at its end. */
#define SCAN_LIMIT (512 * 1024 * 1024)
#define SCAN_SIZE (256 * 1024)

/* Where an executable lies, seen from the framework folder. */
static const char *const executable_places[] = {
  "gpu-simulator/bin/release/" EXECUTABLE,
  "gpu-simulator/build/release/" EXECUTABLE,
  "gpu-simulator/build/" EXECUTABLE,
  "build/gpu-simulator/" EXECUTABLE,
  "build/" EXECUTABLE,
  "gpu-simulator/bin/debug/" EXECUTABLE,
  "gpu-simulator/build/debug/" EXECUTABLE,
};

static const char *const post_processor_places[] = {
  "util/tracer_nvbit/tracer_tool/traces-processing/post-traces-processing",
  "util/tracer_nvbit/tracer_tool/traces-processing/build/post-traces-processing",
  "gpu-simulator/bin/release/post-traces-processing",
  "build/post-traces-processing",
};

static const char *const gpgpusim_places[] = { "gpu-simulator/gpgpu-sim", "../gpgpu-sim" };

/* What 2025 builds accept; all others end in "unsupported binary version", with exit status 0. */
static const gint64 binary_versions[] = { 35, 60, 61, 70, 75, 80, 86 };

/* What the bytes of an executable tell. */
typedef struct
{
  gboolean is_script;
  gboolean is_elf;
  gboolean needs_cudart; /* names libcudart.so: the build with make */
  gboolean has_tracez;
  gboolean is_known;     /* some word of Accel-Sim's is in it, or it was not read to its end */
} Traits;

static gboolean
is_program (const char *path)
{
  return g_file_test (path, G_FILE_TEST_IS_REGULAR) &&
         g_file_test (path, G_FILE_TEST_IS_EXECUTABLE);
}

static gboolean
is_folder_below (const char *root,
                 const char *below)
{
  g_autofree char *path = g_build_filename (root, below, NULL);

  return g_file_test (path, G_FILE_TEST_IS_DIR);
}

/**
 * cyc_simulator_free:
 * @self: (transfer full) (nullable): an installation
 */
void
cyc_simulator_free (CycSimulator *self)
{
  if (self == NULL)
    return;
  g_free (self->path);
  g_free (self->root);
  g_free (self->executable);
  g_free (self->post_processor);
  g_free (self->library_dir);
  g_strfreev (self->config_roots);
  g_strfreev (self->env);
  cyc_findings_free (self->findings);
  g_free (self);
}

/* The framework folder around an executable: the one that holds gpu-simulator. */
static char *
find_root_above (const char *executable)
{
  g_autofree char *folder = g_path_get_dirname (executable);

  for (guint i = 0; i < 5; i++)
    {
      if (is_folder_below (folder, "gpu-simulator"))
        return g_steal_pointer (&folder);
      char *parent = g_path_get_dirname (folder);
      g_free (folder);
      folder = parent;
    }
  return NULL;
}

static char *
find_program (const char        *root,
              const char *const *places,
              guint              n_places,
              guint             *out_n_found)
{
  char *found = NULL;

  *out_n_found = 0;
  for (guint i = 0; i < n_places; i++)
    {
      g_autofree char *path = g_build_filename (root, places[i], NULL);
      if (!is_program (path))
        continue;
      (*out_n_found)++;
      if (found == NULL)
        found = g_steal_pointer (&path);
    }
  return found;
}

static void
find_parts (CycSimulator *self)
{
  guint n;

  if (self->root == NULL)
    return;
  if (self->executable == NULL)
    {
      self->executable = find_program (self->root, executable_places,
                                       G_N_ELEMENTS (executable_places), &n);
      if (n > 1)
        cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "simulator_several_builds",
                          self->root, 0,
                          N_("name the executable itself to use another"),
                          "%u builds; %s is used", n, self->executable);
    }
  self->post_processor = find_program (self->root, post_processor_places,
                                       G_N_ELEMENTS (post_processor_places), &n);
}

static gboolean
has_bytes (const char *bytes,
           gsize       len,
           const char *word,
           gsize       word_len)
{
  return bytes != NULL && memmem (bytes, len, word, word_len) != NULL;
}

/* Builds have these in options, banner or the names of libraries. */
static gboolean
has_known_word (const char *bytes,
                gsize       len)
{
  static const char *const words[] = { "Accel-Sim", "accelsim", "GPGPU-Sim", "gpgpu", "-trace_opcode", "libcudart" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (has_bytes (bytes, len, words[i], strlen (words[i])))
      return TRUE;
  return FALSE;
}

/* Looks through an executable; words that lie across two reads are found through an overlap. */
static void
scan_executable (CycSimulator *self,
                 Traits       *traits)
{
  const gsize overlap = 32;
  g_autoptr (GError) error = NULL;
  g_autoptr (CycByteReader) reader = cyc_byte_reader_open (self->executable, &error);
  g_autofree char *buffer = g_malloc (SCAN_SIZE + overlap);
  gsize kept = 0;
  guint64 total = 0;

  while (reader != NULL && total < SCAN_LIMIT)
    {
      gssize n = cyc_byte_reader_read (reader, buffer + kept, SCAN_SIZE, NULL, &error);
      if (n <= 0)
        break;
      gsize len = kept + (gsize) n;
      if (total == 0)
        {
          traits->is_script = len >= 2 && memcmp (buffer, "#!", 2) == 0;
          traits->is_elf = len >= 4 && memcmp (buffer, "\177ELF", 4) == 0;
          /* Words in a script mean nothing. */
          if (traits->is_script)
            break;
        }
      /* As a name of its own: every build has it within a shell command of GPGPU-Sim's. */
      traits->needs_cudart |= has_bytes (buffer, len, "\0libcudart.so", 13);
      traits->has_tracez |= has_bytes (buffer, len, ".tracez", 7);
      traits->is_known = traits->is_known || has_known_word (buffer, len);
      total += (guint64) n;
      kept = MIN (len, overlap);
      memmove (buffer, buffer + len - kept, kept);
    }
  traits->is_known |= total >= SCAN_LIMIT || error != NULL;
  if (error != NULL)
    cyc_findings_add_error (self->findings, CYC_SEVERITY_ERROR, "simulator_unreadable", self->executable,
                            N_("check the file's permissions"), error);
}

static gint64
get_mtime (const char *path)
{
  struct stat st;

  return stat (path, &st) == 0 ? (gint64) st.st_mtime : 0;
}

/* lib/COMPILER/CUDA/release/libcudart.so: the newest one of the executable's kind. */
static void
search_library (CycSimulator *self,
                const char   *folder,
                guint         depth,
                const char   *kind,
                gint64       *newest)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  if (dir == NULL)
    return;
  g_autofree char *library = g_build_filename (folder, "libcudart.so", NULL);
  g_autofree char *base = g_path_get_basename (folder);
  gint64 mtime = get_mtime (library);
  if (mtime != 0 && (depth < 3 || g_str_equal (base, kind)) &&
      (self->library_dir == NULL || mtime > *newest))
    {
      g_free (self->library_dir);
      self->library_dir = g_strdup (folder);
      *newest = mtime;
    }
  while (depth < 3 && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);
      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        search_library (self, path, depth + 1, kind, newest);
    }
}

/* A library that is named, or that was copied together with the executable. */
static void
find_library_elsewhere (CycSimulator *self,
                        const char   *library_path)
{
  g_auto (GStrv) folders = g_strsplit (library_path == NULL ? "" : library_path, ":", -1);
  g_autofree char *own = self->executable == NULL ? NULL : g_path_get_dirname (self->executable);
  guint n = g_strv_length (folders);

  for (guint i = 0; i <= n && self->library_dir == NULL; i++)
    {
      const char *folder = i < n ? folders[i] : own;
      g_autofree char *library = folder == NULL ? NULL
                                                : g_build_filename (folder, "libcudart.so", NULL);
      if (library != NULL && g_path_is_absolute (folder) && get_mtime (library) != 0)
        self->library_dir = g_strdup (folder);
    }
}

static void
find_library (CycSimulator *self,
              const Traits *traits,
              const char   *library_path)
{
  gint64 newest = 0;
  const char *kind =
    self->executable != NULL && strstr (self->executable, "/debug/") != NULL ? "debug" : "release";

  for (guint i = 0; i < G_N_ELEMENTS (gpgpusim_places) && self->root != NULL; i++)
    {
      g_autofree char *joined = g_build_filename (self->root, gpgpusim_places[i], "lib", NULL);
      g_autofree char *folder = g_canonicalize_filename (joined, NULL);
      if (self->library_dir == NULL)
        search_library (self, folder, 0, kind, &newest);
    }
  if (self->library_dir == NULL && traits->needs_cudart)
    find_library_elsewhere (self, library_path);
  if (self->library_dir == NULL && traits->needs_cudart)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "simulator_library_missing",
                      self->executable, 0,
                      N_("build GPGPU-Sim, name the framework folder, or put the library beside the "
                         "executable"),
                      "needs GPGPU-Sim's libcudart.so, which was not found; with that of CUDA it "
                      "stops with \"symbol lookup error\"");
}

static void
make_env (CycSimulator *self)
{
  g_autoptr (GStrvBuilder) env = g_strv_builder_new ();
  g_autoptr (GStrvBuilder) roots = g_strv_builder_new ();

  if (self->library_dir != NULL)
    {
      const char *old = g_getenv ("LD_LIBRARY_PATH");
      gboolean keep = old != NULL && old[0] != '\0';
      g_autofree char *text = g_strconcat ("LD_LIBRARY_PATH=", self->library_dir, keep ? ":" : NULL,
                                           old, NULL);
      g_strv_builder_add (env, text);
    }
  if (self->root != NULL)
    {
      g_autofree char *accelsim = g_build_filename (self->root, "gpu-simulator", NULL);
      g_autofree char *text = g_strconcat ("ACCELSIM_ROOT=", accelsim, NULL);
      g_strv_builder_add (env, text);
      g_strv_builder_add (roots, self->root);
    }
  self->env = g_strv_builder_end (env);
  self->config_roots = g_strv_builder_end (roots);
}

static void
flag_executable (CycSimulator *self,
                 const Traits *traits)
{
  if (self->executable == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "simulator_missing", self->path, 0,
                      N_("build the simulator (make -C gpu-simulator), or name its executable"),
                      "no " EXECUTABLE " in gpu-simulator/bin/release, gpu-simulator/bin/debug "
                      "or a build folder");
  else if (!is_program (self->executable))
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "simulator_not_executable",
                      self->executable, 0,
                      N_("make it executable (chmod +x)"), "is not a file that may be executed");
  else if (!traits->is_elf && !traits->is_script)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "simulator_not_executable",
                      self->executable, 0,
                      N_("name the simulator's executable"), "is neither a program nor a script");
  else if (traits->is_elf && !traits->is_known)
    cyc_findings_add (self->findings, CYC_SEVERITY_ERROR, "simulator_unknown", self->executable, 0,
                      N_("name the simulator's executable; another program that takes Accel-Sim's arguments can be "
                         "called by a script"),
                      "is a program, but not Accel-Sim: no word of it is in there");
}

static void
flag_tools (CycSimulator *self)
{
  g_autofree char *xz = g_find_program_in_path ("xz");
  g_autofree char *stdbuf = g_find_program_in_path ("stdbuf");

  if (xz == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "xz_missing", NULL, 0,
                      N_("install xz (Debian: xz-utils)"),
                      "no xz in PATH: the simulator cannot read .xz traces, and ends with exit "
                      "status 0");
  if (stdbuf == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "stdbuf_missing", NULL, 0,
                      N_("install coreutils"),
                      "no stdbuf in PATH: the last lines of a simulation that crashes are lost");
  if (self->post_processor == NULL)
    cyc_findings_add (self->findings, CYC_SEVERITY_NOTE, "post_processor_missing", self->root, 0,
                      N_("build it (make -C util/tracer_nvbit/tracer_tool/traces-processing) if you "
                         "import raw traces"),
                      "no post-traces-processing: raw traces cannot be converted");
  if (self->root != NULL && !is_folder_below (self->root, "gpu-simulator/configs/tested-cfgs"))
    cyc_findings_add (self->findings, CYC_SEVERITY_WARNING, "simulator_configs_missing",
                      self->root, 0,
                      N_("name a folder of configurations in the settings"),
                      "no gpu-simulator/configs/tested-cfgs");
}

static gboolean
has_tracez_sources (const CycSimulator *self)
{
  g_autofree char *source = self->root == NULL ? NULL :
    g_build_filename (self->root, "util/tracer_nvbit/tracer_tool/tracez_format.h", NULL);

  return source != NULL && g_file_test (source, G_FILE_TEST_EXISTS);
}

/**
 * cyc_simulator_open:
 * @path: a framework folder (or its gpu-simulator folder), or an executable
 * @library_path: (nullable): an LD_LIBRARY_PATH that is set for it
 * @error: (nullable): return location for an error
 *
 * Finds the parts of an Accel-Sim installation: executable (release before debug, builds with make
 * and CMake), GPGPU-Sim's library, post-processor, configurations. What is missing is told in the
 * findings. Only files are looked at; the executable is searched for two words, as the build with
 * make needs GPGPU-Sim's libcudart.so and only 2.0 knows `.tracez`. Not for the main loop.
 *
 * Returns: (transfer full) (nullable): the installation, %NULL if @path does not exist
 */
CycSimulator *
cyc_simulator_open (const char  *path,
                    const char  *library_path,
                    GError     **error)
{
  g_return_val_if_fail (path != NULL, NULL);

  g_autofree char *full = g_canonicalize_filename (path, NULL);
  if (!g_file_test (full, G_FILE_TEST_EXISTS))
    {
      cyc_error_set_at (error, CYC_ERROR_NOT_FOUND, path, 0,
                        "no such file or folder, expected a framework folder or an executable");
      return NULL;
    }
  CycSimulator *self = g_new0 (CycSimulator, 1);
  self->path = g_strdup (path);
  self->findings = cyc_findings_new ();
  if (!g_file_test (full, G_FILE_TEST_IS_DIR))
    {
      self->root = find_root_above (full);
      self->executable = g_steal_pointer (&full);
    }
  else if (!is_folder_below (full, "gpu-simulator") && g_str_has_suffix (full, "/gpu-simulator"))
    self->root = g_path_get_dirname (full);
  else
    self->root = g_steal_pointer (&full);

  Traits traits = { 0 };
  find_parts (self);
  if (self->executable != NULL)
    scan_executable (self, &traits);
  self->reads_tracez = traits.has_tracez || (self->executable == NULL && has_tracez_sources (self));
  flag_executable (self, &traits);
  find_library (self, &traits, library_path);
  make_env (self);
  flag_tools (self);
  return self;
}

/**
 * cyc_simulator_accepts:
 * @self: (nullable): an installation; %NULL for a build of 2025
 * @binary_version: of a kernel's header, such as 86
 *
 * Returns: %TRUE if the simulator takes such a trace
 */
gboolean
cyc_simulator_accepts (const CycSimulator *self,
                       gint64              binary_version)
{
  for (guint i = 0; i < G_N_ELEMENTS (binary_versions); i++)
    if (binary_versions[i] == binary_version)
      return TRUE;
  return self != NULL && self->reads_tracez && binary_version == 90;
}

/**
 * cyc_simulator_accepts_text:
 * @self: (nullable): an installation; %NULL for a build of 2025
 *
 * Returns: (transfer full): the accepted binary versions for a message, such as `35, 60, 61`
 */
char *
cyc_simulator_accepts_text (const CycSimulator *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (binary_versions); i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", binary_versions[i]);
  if (self != NULL && self->reads_tracez)
    g_string_append (text, ", 90");
  return g_string_free (text, FALSE);
}

/**
 * cyc_simulator_write_json:
 * @self: an installation
 * @name: (nullable): its name in the settings
 * @writer: where the document of `simulator check` is written
 */
void
cyc_simulator_write_json (const CycSimulator *self,
                          const char         *name,
                          CycJsonWriter      *writer)
{
  g_return_if_fail (self != NULL);

  cyc_json_writer_begin_object (writer);
  cyc_json_writer_put_string (writer, "name", name);
  cyc_json_writer_put_string (writer, "path", self->path);
  cyc_json_writer_put_string (writer, "root", self->root);
  cyc_json_writer_put_string (writer, "executable", self->executable);
  cyc_json_writer_put_string (writer, "post_processor", self->post_processor);
  cyc_json_writer_put_string (writer, "library_dir", self->library_dir);
  cyc_json_writer_put_strings (writer, "config_roots", (const char *const *) self->config_roots);
  cyc_json_writer_put_strings (writer, "env", (const char *const *) self->env);
  cyc_json_writer_key (writer, "binary_versions");
  cyc_json_writer_begin_array (writer);
  for (guint i = 0; i < G_N_ELEMENTS (binary_versions); i++)
    cyc_json_writer_int (writer, binary_versions[i]);
  if (self->reads_tracez)
    cyc_json_writer_int (writer, 90);
  cyc_json_writer_end_array (writer);
  cyc_json_writer_key (writer, "findings");
  cyc_findings_write_json (self->findings, writer);
  cyc_json_writer_end_object (writer);
}
