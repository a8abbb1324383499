/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-log-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* The lines between the blocks: banner, options, launches, progress, end, errors. */

/* In concurrent mode the simulator reads at most 128 headers ahead and runs at most 128 kernels. */
#define MAX_HEADERS 512
#define MAX_IN_FLIGHT 1024
/* Names of kernels made from templates have thousands of characters. */
#define MAX_NAME (64 * 1024)

static void
set_text (const char **field,
          const char  *text,
          gsize        len)
{
  g_free ((char *) *field);
  *field = cyc_sim_line_dup (text, len);
}

static char *
dup_name (const char *text,
          gsize       len)
{
  return cyc_sim_line_dup (text, MIN (len, MAX_NAME));
}

static void
take_build (const char **field,
            const char  *line,
            gsize        len)
{
  const char *begin = memmem (line, len, "[build ", 7);
  if (begin == NULL || *field != NULL)
    return;
  begin += 7;
  const char *end = memchr (begin, ']', (gsize) (line + len - begin));
  if (end != NULL)
    set_text (field, begin, (gsize) (end - begin));
}

static void
read_banner (CycSimLog  *self,
             const char *line,
             gsize       len)
{
  static const char title[] = "*** GPGPU-Sim Simulator Version ";
  const char *found = memmem (line, len, title, sizeof title - 1);

  if (found == NULL)
    return;
  const char *version = found + sizeof title - 1;
  const char *end = memchr (version, '[', (gsize) (line + len - version));
  if (end == NULL)
    end = line + len;
  cyc_sim_line_keep_once (&self->summary.gpgpu_sim_version, version, (gsize) (end - version));
  take_build (&self->summary.gpgpu_sim_build, found, (gsize) (line + len - found));
}

static void
take_clock_option (CycSimLog  *self,
                   const char *value)
{
  const char *colon = strchr (value, ':');
  double mhz;

  if (colon != NULL && cyc_number_parse_double (value, (gsize) (colon - value), &mhz) && mhz > 0)
    self->summary.core_clock_mhz = mhz;
}

/* `-name<blanks>value # help`; the first ` # ` after the value starts the help. */
static void
read_option (CycSimLog  *self,
             const char *line,
             gsize       len)
{
  const char *end = line + len;
  const char *blank = memchr (line, ' ', len);

  if (blank == NULL)
    blank = end;
  gboolean is_clock = STARTS (line, len, "-gpgpu_clock_domains ");
  if (!is_clock && self->callbacks.option == NULL)
    return;
  g_autofree char *name = cyc_sim_line_dup (line, (gsize) (blank - line));
  const char *hash = memmem (blank, (gsize) (end - blank), " # ", 3);
  if (hash == NULL && end - blank >= 2 && memcmp (end - 2, " #", 2) == 0)
    hash = end - 2;
  const char *value_end = hash == NULL ? end : hash;
  g_autofree char *value = cyc_sim_line_dup (blank, (gsize) (value_end - blank));
  g_autofree char *help = hash == NULL ? g_strdup ("")
                                       : cyc_sim_line_dup (hash + 2, (gsize) (end - hash - 2));
  if (is_clock)
    take_clock_option (self, value);
  if (self->callbacks.option != NULL)
    self->callbacks.option (name, value, help, self->user_data);
}

static guint64
read_grid (const char *text,
           gsize       len)
{
  guint64 sizes[3] = { 0 };
  const char *end = text + len;
  const char *p = memchr (text, '(', len);

  for (guint i = 0; i < 3 && p != NULL; i++)
    {
      const char *begin = p + 1;
      const char *stop = memchr (begin, i == 2 ? ')' : ',', (gsize) (end - begin));
      if (stop == NULL || !cyc_number_parse_uint64 (begin, (gsize) (stop - begin), &sizes[i]))
        return 0;
      p = stop;
    }
  guint64 plane, blocks;
  if (!g_uint64_checked_mul (&plane, sizes[0], sizes[1]) ||
      !g_uint64_checked_mul (&blocks, plane, sizes[2]))
    return 0;
  return blocks;
}

/* The header lines of a trace, echoed as they are: `-kernel name = …`. */
static void
read_header_line (CycSimLog  *self,
                  const char *line,
                  gsize       len)
{
  if (STARTS (line, len, "-kernel name = "))
    {
      g_clear_pointer (&self->header, cyc_sim_header_free);
      self->header = g_new0 (CycSimHeader, 1);
      self->header->name = dup_name (REST_OF ("-kernel name = "));
    }
  else if (self->header != NULL && STARTS (line, len, "-grid dim = "))
    {
      self->header->ctas = read_grid (REST_OF ("-grid dim = "));
    }
  else if (self->header != NULL && STARTS (line, len, "-cuda stream id = "))
    {
      self->header->has_stream = cyc_number_parse_uint64 (REST_OF ("-cuda stream id = "),
                                                          &self->header->stream);
    }
}

static void
end_header (CycSimLog *self)
{
  if (self->header == NULL)
    return;
  if (g_queue_get_length (self->headers) >= MAX_HEADERS)
    cyc_sim_header_free (g_queue_pop_head (self->headers));
  g_queue_push_tail (self->headers, g_steal_pointer (&self->header));
}

/* Launches follow the availability of streams, not the order of the list: the oldest header of that
 * name and stream is taken, or of that name where a build does not tell the stream. */
static guint64
take_header (CycSimLog  *self,
             const char *name,
             gboolean    has_stream,
             guint64     stream)
{
  GList *found = NULL;

  for (GList *l = self->headers->head; l != NULL; l = l->next)
    {
      CycSimHeader *header = l->data;
      if (strcmp (header->name, name) != 0)
        continue;
      if (found == NULL)
        found = l;
      if (!has_stream || (header->has_stream && header->stream == stream))
        {
          found = l;
          break;
        }
    }
  if (found == NULL)
    return 0;
  CycSimHeader *header = found->data;
  guint64 ctas = header->ctas;
  g_queue_delete_link (self->headers, found);
  cyc_sim_header_free (header);
  return ctas;
}

/* Only a log that no simulator wrote has more launches without a block: they are counted, not kept. */
static void
keep_launch (CycSimLog    *self,
             guint64       uid,
             CycSimLaunch *launch)
{
  gint64 key = (gint64) uid;

  if (g_hash_table_size (self->launches) >= MAX_IN_FLIGHT &&
      !g_hash_table_contains (self->launches, &key))
    cyc_sim_launch_free (launch);
  else
    g_hash_table_replace (self->launches, g_memdup2 (&key, sizeof key), launch);
  self->most_in_flight = MAX (self->most_in_flight, g_hash_table_size (self->launches));
}

static void
add_launch (CycSimLog *self,
            guint64    uid,
            gboolean   has_stream,
            guint64    stream)
{
  CycSimLogSummary *summary = &self->summary;
  CycSimLaunch *launch = g_new0 (CycSimLaunch, 1);

  launch->name = g_strdup (summary->current_kernel);
  launch->ctas = take_header (self, launch->name, has_stream, stream);
  launch->launched_at = summary->blocks;
  if (!g_uint64_checked_add (&summary->ctas_total, summary->ctas_total, launch->ctas))
    summary->ctas_total = launch->ctas = 0;
  summary->launched++;
  if (self->callbacks.launch != NULL)
    self->callbacks.launch (uid, launch->name, self->user_data);
  keep_launch (self, uid, launch);
}

/* `launching kernel name: NAME uid: N[ cuda_stream_id: S]`; NAME may hold anything. */
static void
read_launch (CycSimLog  *self,
             const char *line,
             gsize       len)
{
  const char *name = line + strlen ("launching kernel name: ");
  const char *end = line + len;
  const char *uid_at = cyc_sim_line_find_last (name, (gsize) (end - name), " uid: ");
  guint64 uid;

  if (uid_at == NULL)
    {
      set_text (&self->summary.current_kernel, name, MIN ((gsize) (end - name), MAX_NAME));
      return;
    }
  set_text (&self->summary.current_kernel, name, MIN ((gsize) (uid_at - name), MAX_NAME));
  const char *number = uid_at + strlen (" uid: ");
  const char *stop = memchr (number, ' ', (gsize) (end - number));
  if (stop == NULL)
    stop = end;
  if (!cyc_number_parse_uint64 (number, (gsize) (stop - number), &uid))
    return;
  guint64 stream = 0;
  gboolean has_stream = cyc_sim_line_number_after (stop, (gsize) (end - stop), " cuda_stream_id: ", &stream);

  add_launch (self, uid, has_stream, stream);
}

static void
read_destroy (CycSimLog  *self,
              const char *line,
              gsize       len)
{
  const char *number = line + strlen ("Destroy streams for kernel ");
  const char *colon = memchr (number, ':', (gsize) (line + len - number));

  if (colon != NULL &&
      cyc_number_parse_uint64 (number, (gsize) (colon - number), &self->destroyed_uid))
    self->has_destroyed = TRUE;
}

/**
 * cyc_sim_log_liveness:
 * @self: a reader
 * @line: (array length=len): a line that begins with `GPGPU-Sim Cycle `
 * @len: its length
 *
 * Such lines come about once a second if asked for, wherever the simulator is.
 */
void
cyc_sim_log_liveness (CycSimLog  *self,
                      const char *line,
                      gsize       len)
{
  guint64 cycle, instructions;

  if (cyc_sim_line_number_after (line, len, "GPGPU-Sim Cycle ", &cycle) &&
      cyc_sim_line_number_after (line, len, "inst.: ", &instructions))
    {
      self->summary.liveness_cycle = (double) cycle;
      self->summary.liveness_insn = (double) instructions;
    }
}

static void
read_clocks (CycSimLog  *self,
             const char *line,
             gsize       len)
{
  const char *value = line + strlen ("GPGPU-Sim uArch: clock freqs: ");
  const char *colon = memchr (value, ':', (gsize) (line + len - value));
  double hz;

  if (colon != NULL && cyc_number_parse_double (value, (gsize) (colon - value), &hz) && hz > 0)
    self->summary.core_clock_mhz = hz / 1e6;
}

static void
read_uarch_line (CycSimLog  *self,
                 const char *line,
                 gsize       len)
{
  if (STARTS (line, len, "GPGPU-Sim uArch: clock freqs: "))
    read_clocks (self, line, len);
  else if (STARTS (line, len, "GPGPU-Sim uArch: performance model initialization complete"))
    self->summary.initialized = TRUE;
  else
    cyc_sim_log_error_line (self, line, len);
}

static gboolean
is_end_marker (const char *line,
               gsize       len)
{
  while (len > 0 && (line[len - 1] == ' ' || line[len - 1] == '\r'))
    len--;
  return len == strlen ("GPGPU-Sim: *** exit detected ***") &&
         STARTS (line, len, "GPGPU-Sim: *** exit detected ***");
}

/* The dump of options, once in each simulation. Somebody may write one log behind another into a file: there, all
 * is counted anew. */
static void
begin_options (CycSimLog *self)
{
  self->in_options = TRUE;
  if (self->summary.starts++ == 0)
    return;
  cyc_sim_usual_rows_clear (&self->usual_rows);
  self->last_total = 0;
  self->capped = FALSE;
  g_hash_table_remove_all (self->launches);
  g_queue_clear_full (self->headers, (GDestroyNotify) cyc_sim_header_free);
  self->has_destroyed = FALSE;
  self->most_in_flight = 0;
  self->summary.ctas_issued = 0;
  self->summary.ctas_total = 0;
  self->summary.end_marker = FALSE;
}

static void
read_gpgpu_line (CycSimLog  *self,
                 const char *line,
                 gsize       len)
{
  if (STARTS (line, len, "GPGPU-Sim uArch"))
    read_uarch_line (self, line, len);
  else if (is_end_marker (line, len))
    self->summary.end_marker = TRUE;
  else if (STARTS (line, len, "GPGPU-Sim: ** break due to reaching the maximum"))
    cyc_sim_log_mark_limit (self);
  else if (STARTS (line, len, "GPGPU-Sim: Configuration options:"))
    begin_options (self);
  else if (STARTS (line, len, "GPGPU-Sim Cycle "))
    cyc_sim_log_liveness (self, line, len);
  else
    cyc_sim_log_error_line (self, line, len);
}

static void
read_dash_line (CycSimLog  *self,
                const char *line,
                gsize       len)
{
  /* Headers of traces start with a dash too, and hold ` = ` behind a name of several words. */
  if (self->in_options)
    read_option (self, line, len);
  else
    read_header_line (self, line, len);
}

/* Whether a line is the simulator's own. What comes before, from the script that started it, is
 * counted and means nothing. */
static gboolean
is_simulator_line (CycSimLog  *self,
                   const char *line,
                   gsize       len)
{
  static const char *const beginnings[] = {
    "GPGPU-Sim", "Processing kernel ", "launching ", "kernel_name = ", "thread block = ",
    "Destroy streams for kernel ",
  };

  for (guint i = 0; i < G_N_ELEMENTS (beginnings); i++)
    if (cyc_sim_line_starts (line, len, beginnings[i], strlen (beginnings[i])))
      return TRUE;
  return self->summary.accel_sim_build != NULL || self->summary.gpgpu_sim_version != NULL;
}

/* The two stamps may stand behind text of others, and in one line. */
static void
read_start (CycSimLog  *self,
            const char *line,
            gsize       len)
{
  static const char title[] = "Accel-Sim [build ";
  const char *found = memmem (line, len, title, sizeof title - 1);

  if (found != NULL)
    take_build (&self->summary.accel_sim_build, found, (gsize) (line + len - found));
  read_banner (self, line, len);
  self->seen_simulator = is_simulator_line (self, line, len);
  if (!self->seen_simulator)
    self->summary.foreign_lines++;
}

/**
 * cyc_sim_log_outer_line:
 * @self: a reader outside a block
 * @line: (array length=len): a line
 * @len: its length
 * @begin: where it begins in the log
 */
void
cyc_sim_log_outer_line (CycSimLog  *self,
                        const char *line,
                        gsize       len,
                        guint64     begin)
{
  if (!self->seen_simulator)
    read_start (self, line, len);
  if (len == 0)
    return;
  switch (line[0])
    {
    case 't':
      if (STARTS (line, len, "thread block = "))
        {
          self->summary.ctas_issued++;
          cyc_sim_log_forget_errors (self);
        }
      break;
    case 'k':
      if (STARTS (line, len, "kernel_name = "))
        {
          cyc_sim_log_forget_errors (self);
          cyc_sim_log_begin_block (self, REST_OF ("kernel_name = "), begin);
        }
      break;
    case 'g':
      /* The end of a block whose beginning is not there. */
      if (STARTS (line, len, "gpgpu_silicon_slowdown = "))
        self->summary.torn_blocks++;
      break;
    case '-':
      read_dash_line (self, line, len);
      break;
    case 'D':
      self->in_options = self->in_options && !STARTS (line, len, "DRAM Timing Options");
      if (STARTS (line, len, "Destroy streams for kernel "))
        read_destroy (self, line, len);
      break;
    case 'G':
      read_gpgpu_line (self, line, len);
      break;
    case 'H':
      if (STARTS (line, len, "Header info loaded for kernel command"))
        end_header (self);
      break;
    case 'P':
      if (STARTS (line, len, "Processing kernel "))
        {
          self->in_options = FALSE;
          cyc_sim_log_forget_errors (self);
          set_text (&self->summary.current_trace, REST_OF ("Processing kernel "));
        }
      break;
    case 'l':
      if (STARTS (line, len, "launching kernel name: "))
        {
          cyc_sim_log_forget_errors (self);
          read_launch (self, line, len);
        }
      break;
    case 'C':
    case 'u':
    case 'U':
    case 'E':
      cyc_sim_log_error_line (self, line, len);
      break;
    case ' ':
      if (self->summary.gpgpu_sim_build == NULL)
        read_banner (self, line, len);
      break;
    default:
      break;
    }
}

/**
 * cyc_sim_log_cut_line:
 * @self: a reader outside a block
 * @line: (array length=len): the last line of the log, which has no end
 * @len: its length
 *
 * The line may be cut anywhere, so nothing that counts is taken from it: only the end marker, which
 * cannot be mistaken, and what tells why the simulator ended.
 */
void
cyc_sim_log_cut_line (CycSimLog  *self,
                      const char *line,
                      gsize       len)
{
  if (len == 0)
    return;
  if (is_end_marker (line, len))
    self->summary.end_marker = TRUE;
  else if (!STARTS (line, len, "GPGPU-Sim uArch: ERROR ** deadlock"))
    cyc_sim_log_error_line (self, line, len);
}
