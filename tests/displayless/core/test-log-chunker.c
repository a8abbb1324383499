/* SPDX-License-Identifier: MIT */
#include "config.h"

#include <string.h>

#include "core/accelsim/cyc-log-chunk.h"
#include "core/accelsim/cyc-log-chunker.h"

#define MAX_TEXT 262144
#define MAX_JSON 786432
#define MARKER " [cyclescope: line goes on]"
#define FFFD "\xEF\xBF\xBD"

/* The rule of docs/design.md, written down a second time as plainly as can be: one unit after the
 * other, the whole log at once. */

typedef struct
{
  GPtrArray *lines;    /* of GString */
  gboolean   has_tail; /* the last one has no end */
  guint64    replaced;
  guint64    pieces;
} Model;

static gsize
model_unit (const char *p,
            gsize       left,
            GString    *out)
{
  for (gsize n = 1; n <= MIN (left, 4); n++)
    if (g_utf8_validate_len (p, n, NULL))
      {
        g_string_append_len (out, p, (gssize) n);
        return n;
      }
  g_string_append (out, FFFD);
  return 0;
}

static gsize
model_json_len (const GString *text)
{
  gsize sum = 0;
  for (gsize i = 0; i < text->len; i++)
    {
      guint8 c = (guint8) text->str[i];
      sum += strchr ("\"\\\t\r\n", c) != NULL && c != 0 ? 2 : c < 0x20 || c == 0x7f ? 6 : 1;
    }
  return sum;
}

static void
model_line (Model      *model,
            const char *raw,
            gsize       len)
{
  GString *line = g_string_new (NULL);
  gsize json = 0, cut_raw = 0, cut_text = 0;
  guint64 replaced = 0, replaced_at_cut = 0;

  for (gsize pos = 0; pos < len;)
    {
      gsize before = line->len;
      gsize n = model_unit (raw + pos, len - pos, line);
      g_autoptr (GString) unit = g_string_new_len (line->str + before, (gssize) (line->len - before));
      json += model_json_len (unit);
      replaced += n == 0;
      pos += MAX (n, 1);
      if (line->len + strlen (MARKER) <= MAX_TEXT && json + strlen (MARKER) <= MAX_JSON)
        {
          cut_raw = pos;
          cut_text = line->len;
          replaced_at_cut = replaced;
        }
      if (line->len > MAX_TEXT || json > MAX_JSON)
        {
          g_string_truncate (line, cut_text);
          g_string_append (line, MARKER);
          g_ptr_array_add (model->lines, line);
          model->pieces++;
          model->replaced += replaced_at_cut;
          model_line (model, raw + cut_raw, len - cut_raw);
          return;
        }
    }
  model->replaced += replaced;
  g_ptr_array_add (model->lines, line);
}

static void
free_line (gpointer data)
{
  g_string_free (data, TRUE);
}

static void
model_init (Model         *model,
            const GString *raw)
{
  model->lines = g_ptr_array_new_with_free_func (free_line);
  gsize pos = 0;
  while (pos < raw->len)
    {
      const char *newline = memchr (raw->str + pos, '\n', raw->len - pos);
      gsize stop = newline == NULL ? raw->len : (gsize) (newline - raw->str);
      model_line (model, raw->str + pos, stop - pos);
      model->has_tail = newline == NULL;
      pos = stop + 1;
    }
}

static GString *
model_output (const Model *model)
{
  GString *out = g_string_new (NULL);
  for (guint i = 0; i < model->lines->len; i++)
    {
      GString *line = model->lines->pdata[i];
      g_string_append_len (out, line->str, (gssize) line->len);
      if (i + 1 < model->lines->len || !model->has_tail)
        g_string_append_c (out, '\n');
    }
  return out;
}

static void
append_repeated (GString    *out,
                 const char *text,
                 gsize       count)
{
  for (gsize i = 0; i < count; i++)
    g_string_append (out, text);
}

/* A log with everything that is awkward. */
static GString *
make_awkward (void)
{
  GString *raw = g_string_new ("Accel-Sim\r\n\n");
  g_string_append_len (raw, "a\0b\n", 4);
  g_string_append (raw, "\xff\xfe caf\xc3\xa9 \xc3\n\xe2\x82\n\xe2\x82\xac \xf0\x9f\x98\x80\n");
  g_string_append (raw, "\xed\xa0\x80 \xc0\x80 \xf5\x80\x80\x80 \xf8\x88\x80\x80\x80 \xf4\x90\x80\x80\n");
  g_string_append (raw, "quote \" backslash \\ tab \t bell \a del \x7f\n");
  append_repeated (raw, "x", MAX_TEXT); /* just not over the limit */
  g_string_append (raw, "\n");
  append_repeated (raw, "y", MAX_TEXT + 1); /* just over it */
  g_string_append (raw, "\n");
  g_string_append (raw, "z"); /* characters of two bytes from an odd position on */
  append_repeated (raw, "\xc3\xa9", 300 * 1024 / 2);
  g_string_append (raw, "\n");
  append_repeated (raw, "\xff", 100 * 1024); /* text of 300 KiB */
  g_string_append (raw, "\n");
  append_repeated (raw, "\x01", 200 * 1024); /* text of 200 KiB, JSON of 1.2 MiB */
  g_string_append (raw, "\n");
  append_repeated (raw, "\n", 4500);
  append_repeated (raw, "w", 600 * 1024);
  g_string_append (raw, "\nno end \xe2\x82");
  return raw;
}

static void
collect (const char *bytes,
         gsize       len,
         gpointer    user_data)
{
  g_string_append_len (user_data, bytes, (gssize) len);
}

static void
assert_same (const GString *found,
             const GString *expected)
{
  g_assert_cmpuint (found->len, ==, expected->len);
  g_assert_true (memcmp (found->str, expected->str, expected->len) == 0);
}

static void
free_string (GString *string)
{
  g_string_free (string, TRUE);
}

static void
check_stream (const GString *raw,
              const Model   *model,
              const GString *expected,
              gsize          step,
              guint64        skip)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (collect, out);
  cyc_log_chunker_skip (chunker, skip);
  for (gsize pos = 0; pos < raw->len; pos += step)
    cyc_log_chunker_feed (chunker, raw->str + pos, MIN (step, raw->len - pos));
  cyc_log_chunker_finish (chunker);

  g_autoptr (GString) rest = g_string_new_len (expected->str + skip, (gssize) (expected->len - skip));
  assert_same (out, rest);
  g_assert_cmpuint (cyc_log_chunker_get_replaced (chunker), ==, model->replaced);
  g_assert_cmpuint (cyc_log_chunker_get_pieces (chunker), ==, model->pieces);
  g_assert_cmpuint (cyc_log_chunker_get_raw_offset (chunker), ==, raw->len);
  g_assert_cmpuint (cyc_log_chunker_get_to_skip (chunker), ==, 0);
}

static void
test_stream_splits (void)
{
  static const gsize steps[] = { 1, 2, 3, 7, 4096, 65536, 262143, 262152, G_MAXINT32 };
  GString *raw = make_awkward ();
  Model model = { 0 };
  model_init (&model, raw);
  GString *expected = model_output (&model);

  g_assert_cmpuint (model.pieces, ==, 1 + 1 + 1 + 1 + 2);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    check_stream (raw, &model, expected, steps[i], 0);
  g_ptr_array_unref (model.lines);
  free_string (expected);
  free_string (raw);
}

/* A small log cut in two at every byte, and resumed from every byte of its output. */
static void
test_every_byte (void)
{
  g_autoptr (GString) raw = g_string_new ("one\ntwo \xe2\x82\xac\n\xff\xf0\x9f\n\n");
  g_string_append_len (raw, "nul \0 \xc3\xa9\r\nlast \xf0\x9f\x98", 18);
  static const char expected_text[] =
    "one\ntwo \xe2\x82\xac\n" FFFD FFFD FFFD "\n\nnul " FFFD " \xc3\xa9\r\nlast " FFFD FFFD FFFD;
  g_autoptr (GString) expected = g_string_new (expected_text);

  for (gsize cut = 0; cut <= raw->len; cut++)
    {
      g_autoptr (GString) out = g_string_new (NULL);
      g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (collect, out);
      cyc_log_chunker_feed (chunker, raw->str, cut);
      cyc_log_chunker_feed (chunker, raw->str + cut, raw->len - cut);
      cyc_log_chunker_finish (chunker);
      assert_same (out, expected);
      g_assert_cmpuint (cyc_log_chunker_get_replaced (chunker), ==, 7);
    }
  for (gsize skip = 0; skip <= expected->len; skip++)
    {
      g_autoptr (GString) out = g_string_new_len (expected->str, (gssize) skip);
      g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (collect, out);
      cyc_log_chunker_skip (chunker, skip);
      for (gsize i = 0; i < raw->len; i++)
        cyc_log_chunker_feed (chunker, raw->str + i, 1);
      cyc_log_chunker_finish (chunker);
      assert_same (out, expected);
    }
}

/* From the offset of every line that was put out, a new chunker goes on as the first one would. */
static void
test_resume_at_lines (void)
{
  GString *raw = make_awkward ();
  Model model = { 0 };
  model_init (&model, raw);
  GString *expected = model_output (&model);
  guint64 accepted = 0;
  for (guint i = 0; i < model.lines->len; i += i < 40 ? 1 : 400)
    {
      accepted = 0;
      for (guint k = 0; k < i; k++)
        accepted += ((GString *) model.lines->pdata[k])->len + 1;
      check_stream (raw, &model, expected, 100000, accepted);
    }
  check_stream (raw, &model, expected, 100000, expected->len);
  g_ptr_array_unref (model.lines);
  free_string (expected);
  free_string (raw);
}

static void
test_shorter_log (void)
{
  g_autoptr (GString) out = g_string_new (NULL);
  g_autoptr (CycLogChunker) chunker = cyc_log_chunker_new (collect, out);

  cyc_log_chunker_skip (chunker, 10);
  cyc_log_chunker_feed (chunker, "abc\nd", 5);
  g_assert_cmpuint (cyc_log_chunker_get_raw_offset (chunker), ==, 4);
  cyc_log_chunker_finish (chunker);
  g_assert_cmpuint (out->len, ==, 0);
  g_assert_cmpuint (cyc_log_chunker_get_to_skip (chunker), ==, 5);
}

/* Freezes a log that grows by @step bytes between two chunks, as the worker does. */
static void
check_frozen (const GString *raw,
              const Model   *model,
              const GString *expected,
              gsize          step)
{
  g_autoptr (GString) out = g_string_new (NULL);
  guint64 seq = 0, replaced = 0, pieces = 0;
  gsize offset = 0, n_lines = 0;

  for (gsize have = MIN (step, raw->len);; have = MIN (have + step, raw->len))
    {
      CycLogEnd end = have == raw->len ? CYC_LOG_ENDED : CYC_LOG_GROWS;
      g_auto (CycLogFrozen) frozen = { 0 };
      while (cyc_log_frozen_take (&frozen, raw->str + offset, MIN (have - offset, CYC_LOG_READ_SIZE),
                                  have - offset > CYC_LOG_READ_SIZE ? CYC_LOG_GROWS : end, seq))
        {
          g_autoptr (GError) error = NULL;
          g_autoptr (CycLogChunk) chunk = cyc_log_chunk_decode (frozen.json->str, frozen.json->len,
                                                                &error);
          g_assert_no_error (error);
          g_assert_cmpuint (chunk->seq, ==, seq);
          g_assert_cmpuint (chunk->n_lines, ==, frozen.n_lines);
          g_assert_cmpuint (chunk->n_lines, <=, 2000);
          g_assert_cmpuint (chunk->text->len, <=, MAX_TEXT + 1);
          g_assert_cmpuint (frozen.json->len, <=, 1024 * 1024);
          g_assert_true (chunk->unterminated == frozen.unterminated);
          g_string_append_len (out, chunk->text->str, (gssize) chunk->text->len);
          offset += frozen.raw_len;
          replaced += frozen.replaced;
          pieces += frozen.pieces;
          n_lines += frozen.n_lines;
          seq++;
          if (frozen.unterminated)
            g_assert_cmpuint (offset, ==, raw->len);
        }
      if (have == raw->len)
        break;
    }
  assert_same (out, expected);
  g_assert_cmpuint (offset, ==, raw->len);
  g_assert_cmpuint (replaced, ==, model->replaced);
  g_assert_cmpuint (pieces, ==, model->pieces);
  g_assert_cmpuint (n_lines, ==, model->lines->len);
}

static void
test_frozen (void)
{
  static const gsize steps[] = { 997, 4096, 100001, 262144, 1048576, 100000000 };
  GString *raw = make_awkward ();
  Model model = { 0 };
  model_init (&model, raw);
  GString *expected = model_output (&model);

  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    check_frozen (raw, &model, expected, steps[i]);
  g_ptr_array_unref (model.lines);
  free_string (expected);
  free_string (raw);
}

static void
test_frozen_limits (void)
{
  g_autoptr (GString) raw = g_string_new (NULL);
  g_auto (CycLogFrozen) frozen = { 0 };

  g_assert_false (cyc_log_frozen_take (&frozen, NULL, 0, CYC_LOG_ENDED, 0));
  g_assert_false (cyc_log_frozen_take (&frozen, "no end", 6, CYC_LOG_GROWS, 0));
  g_assert_true (cyc_log_frozen_take (&frozen, "no end", 6, CYC_LOG_ENDED, 12));
  g_assert_cmpstr (frozen.json->str, ==, "{\"seq\":12,\"lines\":[\"no end\"],\"unterminated\":true}");

  append_repeated (raw, "a\n", 2001);
  g_assert_true (cyc_log_frozen_take (&frozen, raw->str, raw->len, CYC_LOG_GROWS, 0));
  g_assert_cmpuint (frozen.n_lines, ==, 2000);
  g_assert_cmpuint (frozen.raw_len, ==, 4000);

  /* 256 lines of 1 KiB with their ends are just 256 KiB. */
  g_string_truncate (raw, 0);
  for (guint i = 0; i < 300; i++)
    g_string_append_printf (raw, "%01023u\n", i);
  g_assert_true (cyc_log_frozen_take (&frozen, raw->str, raw->len, CYC_LOG_GROWS, 0));
  g_assert_cmpuint (frozen.n_lines, ==, 256);
  g_assert_cmpuint (frozen.raw_len, ==, 262144);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/log-chunker/splits", test_stream_splits);
  g_test_add_func ("/core/log-chunker/every-byte", test_every_byte);
  g_test_add_func ("/core/log-chunker/resume-at-lines", test_resume_at_lines);
  g_test_add_func ("/core/log-chunker/shorter-log", test_shorter_log);
  g_test_add_func ("/core/log-chunker/frozen", test_frozen);
  g_test_add_func ("/core/log-chunker/frozen/limits", test_frozen_limits);
  return g_test_run ();
}
