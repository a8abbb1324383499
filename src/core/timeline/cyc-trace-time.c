/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/timeline/cyc-trace-time.h"

#include <string.h>

/* Decimals after the point that are kept: microseconds to picoseconds. */
#define N_DECIMALS 6

/* More digits than the largest and the finest time together have; what comes after them is only looked at. */
#define MAX_DIGITS 48

/* The digits of a number, without zeros before the first. */
typedef struct
{
  gboolean negative;
  guint8   digits[MAX_DIGITS];
  guint    n;
  gint64   point; /* how many of them stand before the point; may be below 0 and above n */
  gboolean more;  /* a digit other than 0 came after those kept */
} Decimal;

static gboolean
read_exponent (const char *p,
               const char *end,
               Decimal    *self)
{
  gboolean negative = FALSE;
  gint64 value = 0;

  if (p < end && (*p == '+' || *p == '-'))
    negative = *p++ == '-';
  if (p == end)
    return FALSE;
  for (; p < end; p++)
    {
      if (!g_ascii_isdigit (*p))
        return FALSE;
      if (value < 1000000000)
        value = value * 10 + (*p - '0');
    }
  self->point += negative ? -value : value;
  return TRUE;
}

static void
add_digit (Decimal *self,
           guint8   digit,
           gboolean after_point)
{
  if (self->n == 0 && digit == 0)
    {
      self->point -= after_point;
      return;
    }
  self->point += !after_point;
  if (self->n < MAX_DIGITS)
    self->digits[self->n++] = digit;
  else
    self->more |= digit != 0;
}

static gboolean
read_decimal (const char *p,
              const char *end,
              Decimal    *self)
{
  gboolean any = FALSE, point = FALSE;

  if (p < end && (*p == '-' || *p == '+'))
    self->negative = *p++ == '-';
  for (; p < end; p++)
    {
      if (*p == '.' && !point)
        {
          point = TRUE;
          continue;
        }
      if (!g_ascii_isdigit (*p))
        break;
      any = TRUE;
      add_digit (self, (guint8) (*p - '0'), point);
    }
  if (!any)
    return FALSE;
  if (p < end && (*p == 'e' || *p == 'E'))
    return read_exponent (p + 1, end, self);
  return p == end;
}

/* The number that the digits from one place to another make; places without a digit are zeros. */
static gboolean
take_digits (const Decimal *self,
             gint64         from,
             gint64         to,
             guint64       *out_value)
{
  *out_value = 0;
  for (gint64 i = MAX (from, 0); i < to; i++)
    {
      guint8 digit = i < self->n ? self->digits[i] : 0;
      if (__builtin_mul_overflow (*out_value, 10, out_value)
          || __builtin_add_overflow (*out_value, digit, out_value))
        return FALSE;
    }
  return TRUE;
}

/* The whole part and the picoseconds; what is finer is noted. */
static gboolean
split (Decimal *self,
       guint64 *us,
       guint64 *ps)
{
  *us = *ps = 0;
  if (self->n == 0)
    return TRUE;
  if (!take_digits (self, 0, self->point, us))
    return FALSE;
  take_digits (self, self->point, self->point + N_DECIMALS, ps);
  for (gint64 i = MAX (self->point + N_DECIMALS, 0); i < self->n; i++)
    self->more |= self->digits[i] != 0;
  return TRUE;
}

/* So many digits make no 64-bit number too large. */
#define MAX_SHORT 19

/* A few digits and a point, as nearly every time is written. */
static gboolean
parse_short (const char   *p,
             const char   *end,
             CycTraceTime *out_time)
{
  static const guint32 scale[] = { 1000000, 100000, 10000, 1000, 100, 10, 1 };
  guint64 us = 0, ps = 0;
  gint64 decimals = 0;

  if (end - p > MAX_SHORT || p == end || !g_ascii_isdigit (*p))
    return FALSE;
  for (; p < end && g_ascii_isdigit (*p); p++)
    us = us * 10 + (guint64) (*p - '0');
  if (p < end && *p == '.')
    {
      const char *start = ++p;
      for (; p < end && g_ascii_isdigit (*p); p++)
        ps = ps * 10 + (guint64) (*p - '0');
      decimals = p - start;
    }
  if (p != end || decimals > N_DECIMALS || us > G_MAXINT64)
    return FALSE;
  *out_time = (CycTraceTime) { (gint64) us, (guint32) ps * scale[decimals], TRUE };
  return TRUE;
}

/**
 * cyc_trace_time_parse:
 * @text: (array length=len): a number as JSON has it, in microseconds; without blanks
 * @len: its length
 * @out_time: (out): the time
 *
 * Reads a time exactly, to the picosecond; what is finer is cut off and makes it inexact.
 *
 * Returns: whether it is a number that fits
 */
gboolean
cyc_trace_time_parse (const char   *text,
                      gsize         len,
                      CycTraceTime *out_time)
{
  return parse_short (text, text + len, out_time) || cyc_trace_time_parse_shifted (text, len, 0, out_time);
}

/**
 * cyc_trace_time_parse_shifted:
 * @text: (array length=len): a number as JSON has it; without blanks
 * @len: its length
 * @shift: places by which its point goes to the right to make microseconds of it: -3 if it is in nanoseconds
 * @out_time: (out): the time
 *
 * Reads a time as cyc_trace_time_parse() does, in another unit.
 *
 * Returns: whether it is a number that fits
 */
gboolean
cyc_trace_time_parse_shifted (const char   *text,
                              gsize         len,
                              int           shift,
                              CycTraceTime *out_time)
{
  Decimal decimal = { 0 };
  guint64 us, ps;

  if (!read_decimal (text, text + len, &decimal))
    return FALSE;
  decimal.point += shift;
  if (!split (&decimal, &us, &ps) || us > G_MAXINT64)
    return FALSE;
  out_time->exact = !decimal.more;
  if (!decimal.negative)
    {
      out_time->us = (gint64) us;
      out_time->ps = (guint32) ps;
      return TRUE;
    }
  /* Rounded down: -1.25 is -2 and 750000 ps. What is cut off goes the same way. */
  ps += decimal.more;
  us += ps / CYC_PS_PER_US;
  ps %= CYC_PS_PER_US;
  out_time->us = ps > 0 ? -(gint64) us - 1 : -(gint64) us;
  out_time->ps = ps > 0 ? (guint32) (CYC_PS_PER_US - ps) : 0;
  return TRUE;
}

/**
 * cyc_trace_time_compare:
 * @a: a time
 * @b: another
 *
 * Returns: below 0 if @a is earlier, 0 if they are the same, above 0 if it is later
 */
int
cyc_trace_time_compare (const CycTraceTime *a,
                        const CycTraceTime *b)
{
  if (a->us != b->us)
    return a->us < b->us ? -1 : 1;
  return (a->ps > b->ps) - (a->ps < b->ps);
}

/**
 * cyc_trace_time_get_offset:
 * @time: a time
 * @base_us: another, microseconds
 * @out_ps: (out): picoseconds from @base_us to @time
 *
 * Returns: whether the difference fits, which is so up to 106 days
 */
gboolean
cyc_trace_time_get_offset (const CycTraceTime *time,
                           gint64              base_us,
                           gint64             *out_ps)
{
  gint64 us;

  return !__builtin_sub_overflow (time->us, base_us, &us)
         && !__builtin_mul_overflow (us, CYC_PS_PER_US, out_ps)
         && !__builtin_add_overflow (*out_ps, (gint64) time->ps, out_ps);
}

/**
 * cyc_trace_time_init:
 * @time: (out): a time
 * @base_us: microseconds
 * @offset_ps: picoseconds from there; the sum must fit
 */
void
cyc_trace_time_init (CycTraceTime *time,
                     gint64        base_us,
                     gint64        offset_ps)
{
  gint64 us = offset_ps / CYC_PS_PER_US;
  gint64 ps = offset_ps % CYC_PS_PER_US;

  if (ps < 0)
    {
      us--;
      ps += CYC_PS_PER_US;
    }
  *time = (CycTraceTime) { base_us + us, (guint32) ps, TRUE };
}

/**
 * cyc_trace_time_subtract:
 * @time: (inout): a time; then how long it is after @begin
 * @begin: a time that is not after it; the difference must fit
 */
void
cyc_trace_time_subtract (CycTraceTime       *time,
                         const CycTraceTime *begin)
{
  gboolean borrow = time->ps < begin->ps;

  time->us -= begin->us + borrow;
  time->ps += (borrow ? CYC_PS_PER_US : 0) - begin->ps;
}

/**
 * cyc_trace_time_format:
 * @time: a time
 * @buf: room for the text
 *
 * Writes it in microseconds, exactly, with as many decimals as it needs.
 *
 * Returns: @buf
 */
const char *
cyc_trace_time_format (const CycTraceTime *time,
                       char                buf[CYC_TRACE_TIME_BUF])
{
  gboolean negative = time->us < 0;
  guint64 us = negative ? -(guint64) time->us : (guint64) time->us;
  guint32 ps = time->ps;

  if (negative && ps > 0)
    {
      us--;
      ps = CYC_PS_PER_US - ps;
    }
  int n = g_snprintf (buf, CYC_TRACE_TIME_BUF, "%s%" G_GUINT64_FORMAT, negative ? "-" : "", us);
  if (ps == 0)
    return buf;
  n += g_snprintf (buf + n, (gulong) (CYC_TRACE_TIME_BUF - n), ".%06u", ps);
  while (buf[n - 1] == '0')
    buf[--n] = '\0';
  return buf;
}
