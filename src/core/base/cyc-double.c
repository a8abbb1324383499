/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "core/base/cyc-double.h"

#include <math.h>
#include <string.h>

/* The shortest decimal text of a double by the method of R. Giulietti, "The Schubfach way to render
 * doubles" (2020): the interval of the reals that round to the double is scaled by a power of ten so
 * that it holds at least two integers and few that end in 0, and the choice is made among those.
 * Powers of ten are kept with 128 bits, rounded up; they are computed at the first call. */

#define MIN_POWER (-292)
#define MAX_POWER 324
#define N_POWERS (MAX_POWER - MIN_POWER + 1)
/* 5^324 has 753 bits; a remainder has one more. */
#define N_WORDS 25

typedef unsigned __int128 Wide;

typedef struct
{
  guint32 words[N_WORDS]; /* least significant first */
} Big;

/* 10^k with its highest bit at the top, rounded up where it does not fit. */
static Wide powers[N_POWERS];

static guint
big_get_bits (const Big *self)
{
  for (guint i = N_WORDS; i > 0; i--)
    if (self->words[i - 1] != 0)
      return i * 32 - (guint) __builtin_clz (self->words[i - 1]);
  return 0;
}

static void
big_multiply (Big     *self,
              guint32  factor)
{
  guint64 carry = 0;

  for (guint i = 0; i < N_WORDS; i++)
    {
      carry += (guint64) self->words[i] * factor;
      self->words[i] = (guint32) carry;
      carry >>= 32;
    }
}

static gboolean
big_is_less (const Big *self,
             const Big *other)
{
  for (guint i = N_WORDS; i > 0; i--)
    if (self->words[i - 1] != other->words[i - 1])
      return self->words[i - 1] < other->words[i - 1];
  return FALSE;
}

static void
big_subtract (Big       *self,
              const Big *other)
{
  gint64 borrow = 0;

  for (guint i = 0; i < N_WORDS; i++)
    {
      borrow += (gint64) self->words[i] - (gint64) other->words[i];
      self->words[i] = (guint32) borrow;
      borrow >>= 32;
    }
}

/* The highest 128 bits, rounded up. */
static Wide
big_get_top (const Big *self)
{
  guint bits = big_get_bits (self);
  Wide top = 0;
  gboolean rest = FALSE;

  for (guint i = 0; i < bits; i++)
    {
      guint at = bits - 1 - i;
      guint bit = self->words[at / 32] >> (at % 32) & 1;
      if (i < 128)
        top = top << 1 | bit;
      else
        rest = rest || bit != 0;
    }
  return bits < 128 ? top << (128 - bits) : top + rest;
}

/* The highest 128 bits of its reciprocal, rounded up; not of a power of two. */
static Wide
big_get_reciprocal (const Big *self)
{
  guint bits = big_get_bits (self);
  Big rest = { { 0 } };
  Wide quotient = 0;

  rest.words[bits / 32] = 1u << (bits % 32);
  for (guint i = 0; i < 128; i++)
    {
      quotient <<= 1;
      if (!big_is_less (&rest, self))
        {
          big_subtract (&rest, self);
          quotient |= 1;
        }
      big_multiply (&rest, 2);
    }
  return quotient + 1;
}

static void
compute_powers (void)
{
  Big five = { { 1 } };

  for (int k = 0; k <= MAX_POWER; k++)
    {
      powers[k - MIN_POWER] = big_get_top (&five);
      if (k > 0 && -k >= MIN_POWER)
        powers[-k - MIN_POWER] = big_get_reciprocal (&five);
      big_multiply (&five, 5);
    }
}

static void
ensure_powers (void)
{
  static gsize done;

  if (g_once_init_enter (&done))
    {
      compute_powers ();
      g_once_init_leave (&done, 1);
    }
}

/* The whole part of power × factor / 2^128; its lowest bit is set if there is a fraction. */
static inline guint64
scale (Wide    power,
       guint64 factor)
{
  Wide low = (Wide) (guint64) power * factor;
  Wide high = (Wide) (guint64) (power >> 64) * factor + (guint64) (low >> 64);

  /* A power is rounded up, which shows in the last place of the fraction and nowhere else. */
  return (guint64) (high >> 64) | ((guint64) high > 1);
}

static guint64
find_shortest (guint64   bits,
               int      *out_exponent)
{
  guint64 fraction = bits & (((guint64) 1 << 52) - 1);
  int biased = (int) (bits >> 52 & 0x7ff);
  guint64 c = biased == 0 ? fraction : fraction | (guint64) 1 << 52;
  int q = MAX (biased, 1) - 1075; /* the value is c × 2^q */

  if (q <= 0 && q > -53 && (c & (((guint64) 1 << -q) - 1)) == 0)
    {
      *out_exponent = 0;
      return c >> -q;
    }

  /* The neighbour below a power of two is only half as far away. */
  int is_edge = fraction == 0 && biased > 1;
  int k = (q * 1262611 - (is_edge ? 524031 : 0)) >> 22;    /* floor (log10 of the interval's length) */
  int shift = q + ((-k * 1741647) >> 19) + 1;
  Wide power = powers[-k - MIN_POWER];
  /* In quarters of the unit 10^k: the value, and the ends of its interval, which belong to it if c
   * is even. */
  guint64 odd = c & 1;
  guint64 middle = scale (power, (4 * c) << shift);
  guint64 lower = scale (power, (4 * c - 2 + (guint64) is_edge) << shift) + odd;
  guint64 upper = scale (power, (4 * c + 2) << shift) - odd;

  guint64 whole = middle / 4;
  if (whole >= 10)
    {
      guint64 tens = whole / 10;
      gboolean below = lower <= 40 * tens;
      gboolean above = 40 * tens + 40 <= upper;
      if (below != above)
        {
          *out_exponent = k + 1;
          return tens + (guint64) above;
        }
    }
  *out_exponent = k;
  gboolean below = lower <= 4 * whole;
  gboolean above = 4 * whole + 4 <= upper;
  if (below != above)
    return whole + (guint64) above;
  guint64 half = 4 * whole + 2;
  return whole + (guint64) (middle > half || (middle == half && (whole & 1) != 0));
}

/**
 * cyc_double_get_shortest:
 * @value: a finite number
 * @out_exponent: (out): a power of ten
 *
 * Finds the decimal number with the fewest digits that reads back as |@value|, and of several the
 * one that is nearest to it.
 *
 * Returns: its digits as an integer, to be multiplied by 10 to the power of @out_exponent; they do
 *   not end in 0, except those of 0
 */
guint64
cyc_double_get_shortest (double  value,
                         int    *out_exponent)
{
  guint64 bits;

  ensure_powers ();
  memcpy (&bits, &value, sizeof bits);
  bits &= G_MAXUINT64 >> 1;
  *out_exponent = 0;
  if (bits == 0)
    return 0;
  guint64 digits = find_shortest (bits, out_exponent);
  while (digits % 10 == 0)
    {
      digits /= 10;
      ++*out_exponent;
    }
  return digits;
}

static const char pairs[] =
  "00010203040506070809" "10111213141516171819" "20212223242526272829" "30313233343536373839"
  "40414243444546474849" "50515253545556575859" "60616263646566676869" "70717273747576777879"
  "80818283848586878889" "90919293949596979899";

/**
 * cyc_uint_write:
 * @out: room for %CYC_DOUBLE_WRITE_MAX bytes
 * @value: an integer
 *
 * Writes it in decimal, without a NUL.
 *
 * Returns: the end of what was written
 */
char *
cyc_uint_write (char    *out,
                guint64  value)
{
  char digits[20];
  char *p = digits + sizeof digits;

  while (value >= 100)
    {
      guint64 rest = value / 100;
      p -= 2;
      memcpy (p, pairs + 2 * (value - 100 * rest), 2);
      value = rest;
    }
  if (value >= 10)
    {
      p -= 2;
      memcpy (p, pairs + 2 * value, 2);
    }
  else
    *--p = (char) ('0' + value);
  gsize len = (gsize) (digits + sizeof digits - p);
  memcpy (out, p, len);
  return out + len;
}

/**
 * cyc_int_write:
 * @out: room for %CYC_DOUBLE_WRITE_MAX bytes
 * @value: an integer
 *
 * Writes it in decimal, without a NUL.
 *
 * Returns: the end of what was written
 */
char *
cyc_int_write (char   *out,
               gint64  value)
{
  if (value >= 0)
    return cyc_uint_write (out, (guint64) value);
  *out = '-';
  return cyc_uint_write (out + 1, 0 - (guint64) value);
}

/**
 * cyc_decimal_write:
 * @out: room for @n_digits and 16 bytes more, 24 if there are fewer than 8 digits
 * @digits: (array length=n_digits): decimal digits without zeros at the ends, or a single 0
 * @n_digits: how many
 * @exponent: the power of ten that the integer in @digits is to be multiplied with
 *
 * Writes a number as Python prints a float: `0.0001` to `1234567890123456.0` with at least a digit
 * behind the point, others as `1e-05` or `1.5e+16`. Without a NUL.
 *
 * Returns: the end of what was written
 */
char *
cyc_decimal_write (char       *out,
                   const char *digits,
                   guint       n_digits,
                   int         exponent)
{
  int point = exponent + (int) n_digits; /* digits before the point */

  if (point < -3 || point > 16)
    {
      *out++ = digits[0];
      if (n_digits > 1)
        {
          *out++ = '.';
          memcpy (out, digits + 1, n_digits - 1);
          out += n_digits - 1;
        }
      *out++ = 'e';
      *out++ = point - 1 < 0 ? '-' : '+';
      guint magnitude = (guint) ABS (point - 1);
      if (magnitude < 10)
        *out++ = '0';
      return cyc_uint_write (out, magnitude);
    }
  if (point <= 0)
    {
      memcpy (out, "0.000", 5);
      out += 2 - point;
      memcpy (out, digits, n_digits);
      return out + n_digits;
    }
  if ((guint) point >= n_digits)
    {
      memcpy (out, digits, n_digits);
      memset (out + n_digits, '0', (gsize) point - n_digits);
      memcpy (out + point, ".0", 2);
      return out + point + 2;
    }
  memcpy (out, digits, (gsize) point);
  out[point] = '.';
  memcpy (out + point + 1, digits + point, n_digits - (gsize) point);
  return out + n_digits + 1;
}

/**
 * cyc_double_write:
 * @out: room for %CYC_DOUBLE_WRITE_MAX bytes
 * @value: a finite number
 *
 * Writes the shortest decimal text that reads back as @value, in the form of cyc_decimal_write(),
 * whatever the locale, without a NUL.
 *
 * Returns: the end of what was written
 */
char *
cyc_double_write (char   *out,
                  double  value)
{
  char digits[CYC_DOUBLE_WRITE_MAX];
  int exponent;

  if (signbit (value))
    *out++ = '-';
  guint64 shortest = cyc_double_get_shortest (value, &exponent);
  guint n_digits = (guint) (cyc_uint_write (digits, shortest) - digits);
  return cyc_decimal_write (out, digits, n_digits, exponent);
}
