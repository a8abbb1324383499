/* SPDX-License-Identifier: MIT */
#pragma once

#include "widgets/cyc-log-source.h"

G_BEGIN_DECLS

/* A log for tests: a text, or, without one, numbered lines of 80 bytes as far as @length goes. */
typedef struct
{
  GString *text;     /* NULL for numbered lines */
  guint64  length;
  gboolean broken;   /* reads fail */
  guint    n_reads;
  guint64  n_bytes;
  guint    largest;  /* read at once */
} FakeLog;

#define FAKE_LINE 80

extern const CycLogSource fake_log_source;

void fake_log_append (FakeLog    *self,
                      const char *text);
void fake_log_line   (guint64     number,
                      char        line[FAKE_LINE + 1]);

G_END_DECLS
