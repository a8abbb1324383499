/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/accelsim/cyc-sim-log-private.h"

#include <math.h>
#include <string.h>

#include "core/base/cyc-number.h"
#include "core/base/cyc-util.h"

/* The lines between the blocks: banner, options, launches, progress, end, errors. */

#define REST_OF(key) line + sizeof (key) - 1, len - (sizeof (key) - 1)
/* In concurrent mode the simulator reads at most 128 headers ahead. */
#define MAX_HEADERS 4096
#define MAX_DEADLOCK_TEXT 4096

static void
set_text (const char **field,
          const char  *text,
          gsize        len)
{
  g_free ((char *) *field);
  *field = cyc_sim_line_dup (text, len);
}

static void
set_text_once (const char **field,
               const char  *text,
               gsize        len)
{
  if (*field == NULL)
    *field = cyc_sim_line_dup (text, MIN (len, 4096));
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
  set_text_once (&self->summary.gpgpu_sim_version, version, (gsize) (end - version));
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
  g_autofree char *name = cyc_sim_line_dup (line, (gsize) (blank - line));
  const char *hash = memmem (blank, (gsize) (end - blank), " # ", 3);
  if (hash == NULL && end - blank >= 2 && memcmp (end - 2, " #", 2) == 0)
    hash = end - 2;
  const char *value_end = hash == NULL ? end : hash;
  g_autofree char *value = cyc_sim_line_dup (blank, (gsize) (value_end - blank));
  g_autofree char *help = hash == NULL ? g_strdup ("")
                                       : cyc_sim_line_dup (hash + 2, (gsize) (end - hash - 2));
  if (strcmp (name, "-gpgpu_clock_domains") == 0)
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
      self->header->name = cyc_sim_line_dup (REST_OF ("-kernel name = "));
    }
  else if (self->header != NULL && STARTS (line, len, "-grid dim = "))
    {
      self->header->ctas = read_grid (REST_OF ("-grid dim = "));
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
 * name is taken. */
static guint64
take_header (CycSimLog  *self,
             const char *name)
{
  for (GList *l = self->headers->head; l != NULL; l = l->next)
    {
      CycSimHeader *header = l->data;
      if (strcmp (header->name, name) != 0)
        continue;
      guint64 ctas = header->ctas;
      g_queue_delete_link (self->headers, l);
      cyc_sim_header_free (header);
      return ctas;
    }
  return 0;
}

static const char *
find_last (const char *line,
           gsize       len,
           const char *what)
{
  gsize what_len = strlen (what);

  for (gsize i = len >= what_len ? len - what_len + 1 : 0; i-- > 0;)
    if (memcmp (line + i, what, what_len) == 0)
      return line + i;
  return NULL;
}

/* `launching kernel name: NAME uid: N[ cuda_stream_id: S]`; NAME may hold anything. */
static void
read_launch (CycSimLog  *self,
             const char *line,
             gsize       len)
{
  const char *name = line + strlen ("launching kernel name: ");
  const char *end = line + len;
  const char *uid_at = find_last (name, (gsize) (end - name), " uid: ");
  guint64 uid;

  if (uid_at == NULL)
    {
      set_text (&self->summary.current_kernel, name, (gsize) (end - name));
      return;
    }
  set_text (&self->summary.current_kernel, name, (gsize) (uid_at - name));
  const char *number = uid_at + strlen (" uid: ");
  const char *stop = memchr (number, ' ', (gsize) (end - number));
  if (stop == NULL)
    stop = end;
  if (!cyc_number_parse_uint64 (number, (gsize) (stop - number), &uid))
    return;

  CycSimLaunch *launch = g_new0 (CycSimLaunch, 1);
  launch->name = g_strdup (self->summary.current_kernel);
  launch->ctas = take_header (self, launch->name);
  launch->launched_at = self->summary.blocks;
  self->summary.ctas_total += launch->ctas;
  self->summary.launched++;
  gint64 *key = g_new (gint64, 1);
  *key = (gint64) uid;
  g_hash_table_replace (self->launches, key, launch);
  self->most_in_flight = MAX (self->most_in_flight, g_hash_table_size (self->launches));
  if (self->callbacks.launch != NULL)
    self->callbacks.launch (uid, launch->name, self->user_data);
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

static gboolean
number_after (const char *line,
              gsize       len,
              const char *key,
              guint64    *out_value)
{
  const char *end = line + len;
  const char *p = memmem (line, len, key, strlen (key));

  if (p == NULL)
    return FALSE;
  p += strlen (key);
  const char *stop = p;
  while (stop < end && g_ascii_isdigit (*stop))
    stop++;
  return cyc_number_parse_uint64 (p, (gsize) (stop - p), out_value);
}

/* The line's numbers are 32 bits wide, and the total is printed less the present cycle: it wraps. */
static void
read_deadlock (CycSimLog  *self,
               const char *line,
               gsize       len)
{
  CycSimDeadlock *deadlock = &self->summary.deadlock;
  guint64 total = 0, ago = 0;

  deadlock->found = TRUE;
  number_after (line, len, "last writeback core ", &deadlock->core);
  number_after (line, len, "@ gpu_sim_cycle ", &deadlock->last_cycle);
  number_after (line, len, "(+ gpu_tot_sim_cycle ", &total);
  const char *bracket = find_last (line, len, ") (");
  if (bracket != NULL)
    number_after (bracket, (gsize) (line + len - bracket), ") (", &ago);
  deadlock->stopped_cycle = deadlock->last_cycle + ago;
  deadlock->cycles_before = (total + deadlock->stopped_cycle) & G_MAXUINT32;
}

static void
read_deadlock_detail (CycSimLog  *self,
                      const char *line,
                      gsize       len)
{
  CycSimDeadlock *deadlock = &self->summary.deadlock;
  guint64 partition;

  if (memmem (line, len, "contains traffic", 16) != NULL)
    {
      deadlock->interconnect = TRUE;
    }
  else if (number_after (line, len, "memory partition ", &partition))
    {
      if (deadlock->partitions->len < MAX_DEADLOCK_TEXT)
        g_string_append_printf (deadlock->partitions, "%s%" G_GUINT64_FORMAT,
                                deadlock->partitions->len > 0 ? " " : "", partition);
    }
  else if (STARTS (line, len, "GPGPU-Sim uArch: DEADLOCK  ") && deadlock->cores->len == 0 &&
           g_ascii_isdigit (line[MIN (len - 1, strlen ("GPGPU-Sim uArch: DEADLOCK  "))]))
    {
      const char *cores = line + strlen ("GPGPU-Sim uArch: DEADLOCK  ");
      const char *more = memmem (cores, (gsize) (line + len - cores), "+ others", 8);
      const char *end = more == NULL ? line + len : more;
      deadlock->more_cores = more != NULL;
      g_autofree char *text = cyc_sim_line_dup (cores, MIN ((gsize) (end - cores), MAX_DEADLOCK_TEXT));
      g_string_assign (deadlock->cores, text);
    }
}

static void
read_liveness (CycSimLog  *self,
               const char *line,
               gsize       len)
{
  guint64 cycle, instructions;

  if (number_after (line, len, "GPGPU-Sim Cycle ", &cycle) &&
      number_after (line, len, "inst.: ", &instructions))
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
  else if (STARTS (line, len, "GPGPU-Sim uArch: ERROR ** deadlock detected"))
    read_deadlock (self, line, len);
  else if (memmem (line, MIN (len, 40), "DEADLOCK", 8) != NULL)
    read_deadlock_detail (self, line, len);
  else if (STARTS (line, len, "GPGPU-Sim uArch: ERROR ** Kernel requires more resources"))
    set_text_once (&self->summary.resource_line, line, len);
  if (STARTS (line, len, "GPGPU-Sim uArch: ERROR"))
    set_text_once (&self->summary.first_error, line, len);
}

static void
read_gpgpu_line (CycSimLog  *self,
                 const char *line,
                 gsize       len)
{
  if (STARTS (line, len, "GPGPU-Sim uArch"))
    read_uarch_line (self, line, len);
  else if (STARTS (line, len, "GPGPU-Sim: *** exit detected ***"))
    self->summary.end_marker = TRUE;
  else if (STARTS (line, len, "GPGPU-Sim: ** break due to reaching the maximum"))
    cyc_sim_log_mark_limit (self);
  else if (STARTS (line, len, "GPGPU-Sim: Configuration options:"))
    self->in_options = TRUE;
  else if (STARTS (line, len, "GPGPU-Sim Cycle "))
    read_liveness (self, line, len);
  else if (STARTS (line, len, "GPGPU-Sim ** ERROR"))
    set_text_once (&self->summary.first_error, line, len);
}

static void
read_error_line (CycSimLog  *self,
                 const char *line,
                 gsize       len)
{
  if (STARTS (line, len, "unsupported binary version: "))
    set_text_once (&self->summary.unsupported_version, REST_OF ("unsupported binary version: "));
  else if (STARTS (line, len, "Unable to open file: "))
    set_text_once (&self->summary.unable_to_open, REST_OF ("Unable to open file: "));
  else if (STARTS (line, len, "ERROR:  undefined instruction : "))
    set_text_once (&self->summary.undefined_instruction, REST_OF ("ERROR:  undefined instruction : "));
  if (STARTS (line, len, "ERROR"))
    set_text_once (&self->summary.first_error, line, len);
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

static void
read_other_line (CycSimLog  *self,
                 const char *line,
                 gsize       len)
{
  if (STARTS (line, len, "Accel-Sim [build "))
    take_build (&self->summary.accel_sim_build, line, len);
  /* Old builds glue the two stamps together in one line. */
  if (self->summary.gpgpu_sim_build == NULL)
    read_banner (self, line, len);
  if (self->summary.accel_sim_build == NULL && self->summary.gpgpu_sim_build == NULL &&
      self->summary.launched == 0)
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
  if (len == 0)
    return;
  switch (line[0])
    {
    case 't':
      if (STARTS (line, len, "thread block = "))
        self->summary.ctas_issued++;
      break;
    case 'k':
      if (STARTS (line, len, "kernel_name = "))
        cyc_sim_log_begin_block (self, REST_OF ("kernel_name = "), begin);
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
          set_text (&self->summary.current_trace, REST_OF ("Processing kernel "));
        }
      break;
    case 'l':
      if (STARTS (line, len, "launching kernel name: "))
        read_launch (self, line, len);
      break;
    case 'C':
      if (STARTS (line, len, "CTA size (x*y*z) = "))
        set_text_once (&self->summary.cta_size_line, line, len);
      break;
    case 'u':
    case 'U':
    case 'E':
      read_error_line (self, line, len);
      break;
    default:
      read_other_line (self, line, len);
      break;
    }
}
