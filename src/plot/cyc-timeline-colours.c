/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "plot/cyc-timeline-colours.h"

#include <string.h>

#define UNKNOWN 0xff

/* Colours by state: that of what waits stands out, with a pattern of its own. */
static const CycSpanLook state_looks[] = {
  [CYC_TASK_BUSY] = { 0, CYC_PATTERN_SOLID },
  [CYC_TASK_WAIT] = { 1, CYC_PATTERN_RISING },
  [CYC_TASK_TRIGGER] = { 5, CYC_PATTERN_DOTS },
  [CYC_TASK_OTHER] = { CYC_SPAN_SLOT_NONE, CYC_PATTERN_SOLID },
};

struct _CycTimelineColours
{
  CycTimeline   *timeline;
  CycColourMode  mode;
  guint8        *slots;  /* by text: of names, as far as they are known */
  guint8        *states; /* by text, the same */
};

/**
 * cyc_timeline_colours_new:
 * @timeline: a timeline
 *
 * Returns: (transfer full): its colours, by name at first; for one thread at a time
 */
CycTimelineColours *
cyc_timeline_colours_new (CycTimeline *timeline)
{
  CycTimelineColours *self = g_new0 (CycTimelineColours, 1);
  guint32 n = cyc_timeline_get_n_texts (timeline);

  self->timeline = cyc_timeline_ref (timeline);
  self->slots = g_malloc (MAX (n, 1));
  self->states = g_malloc (MAX (n, 1));
  memset (self->slots, UNKNOWN, n);
  memset (self->states, UNKNOWN, n);
  return self;
}

/**
 * cyc_timeline_colours_free:
 * @self: (transfer full): colours
 */
void
cyc_timeline_colours_free (CycTimelineColours *self)
{
  cyc_timeline_unref (self->timeline);
  g_free (self->slots);
  g_free (self->states);
  g_free (self);
}

/**
 * cyc_timeline_colours_set_mode:
 * @self: colours
 * @mode: what they go by
 */
void
cyc_timeline_colours_set_mode (CycTimelineColours *self,
                               CycColourMode       mode)
{
  if (self->mode == mode)
    return;
  self->mode = mode;
  memset (self->slots, UNKNOWN, cyc_timeline_get_n_texts (self->timeline));
}

/**
 * cyc_timeline_colours_get_slot:
 * @text: a name
 *
 * Returns: the slot of its colour, the same wherever and whenever it is drawn
 */
guint
cyc_timeline_colours_get_slot (const char *text)
{
  guint32 hash = 2166136261u;

  for (const guint8 *p = (const guint8 *) text; *p != 0; p++)
    hash = (hash ^ *p) * 16777619u;
  return (hash ^ hash >> 16) % CYC_SPAN_SLOT_NONE;
}

/**
 * cyc_timeline_colours_get_fill:
 * @slot: of a colour
 * @scheme: light or dark
 *
 * Returns: the colour
 */
CycColour
cyc_timeline_colours_get_fill (guint         slot,
                               CycPlotScheme scheme)
{
  return cyc_palette_get_fill (slot < CYC_SPAN_SLOT_NONE ? slot : CYC_PALETTE_MEASURED, scheme);
}

/* What a span does, from its name alone. */
static CycTaskState
guess_state (const char *name)
{
  static const struct
  {
    const char   *word;
    CycTaskState  state;
  } words[] = {
    { "wait", CYC_TASK_WAIT },       { "stall", CYC_TASK_WAIT }, { "barrier", CYC_TASK_WAIT },
    { "synchroni", CYC_TASK_WAIT },  { "idle", CYC_TASK_WAIT },  { "trigger", CYC_TASK_TRIGGER },
    { "notify", CYC_TASK_TRIGGER },
  };
  g_autofree char *lower = g_ascii_strdown (name, -1);

  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (strstr (lower, words[i].word) != NULL)
      return words[i].state;
  return CYC_TASK_BUSY;
}

/**
 * cyc_timeline_colours_get_state:
 * @self: colours
 * @span: a span
 *
 * Returns: what it does: from its record if it is of a cycle trace, else from its name
 */
CycTaskState
cyc_timeline_colours_get_state (CycTimelineColours *self,
                                guint32             span)
{
  guint32 name = cyc_timeline_get_spans (self->timeline)->name[span];
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (self->timeline);

  if (tasks != NULL)
    self->states[name] = (guint8) cyc_task_get_state (tasks->desc[span]);
  else if (self->states[name] == UNKNOWN)
    self->states[name] = (guint8) guess_state (cyc_timeline_get_text (self->timeline, name));
  return (CycTaskState) self->states[name];
}

/* The name without the number of a task. */
static guint
get_stage_slot (const char *name)
{
  const char *task = g_strrstr (name, "_task");
  gsize len = task != NULL && task[5] != '\0' && strspn (task + 5, "0123456789") == strlen (task + 5)
                ? (gsize) (task - name)
                : strlen (name);
  g_autofree char *stage = g_strndup (name, len);

  return cyc_timeline_colours_get_slot (stage);
}

static guint8
get_text_slot (CycTimelineColours *self,
               guint32             text,
               guint             (*get_slot) (const char *text))
{
  if (self->slots[text] == UNKNOWN)
    self->slots[text] = (guint8) get_slot (cyc_timeline_get_text (self->timeline, text));
  return self->slots[text];
}

/* Owners that follow each other differ. What is not of a cycle trace belongs to its category. */
static guint8
get_owner_slot (CycTimelineColours *self,
                guint32             span)
{
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (self->timeline);
  guint32 category = cyc_timeline_get_spans (self->timeline)->category[span];

  if (tasks != NULL)
    return tasks->owner[span] != CYC_TIMELINE_NO_OWNER ? tasks->owner[span] % CYC_SPAN_SLOT_NONE : CYC_SPAN_SLOT_NONE;
  return category != 0 ? get_text_slot (self, category, cyc_timeline_colours_get_slot) : CYC_SPAN_SLOT_NONE;
}

/**
 * cyc_timeline_colours_lookup:
 * @self: colours
 * @name: of spans
 * @out_look: (out): how they look
 *
 * Returns: whether all spans of that name look the same, and it is known already how
 */
gboolean
cyc_timeline_colours_lookup (CycTimelineColours *self,
                             guint32             name,
                             CycSpanLook        *out_look)
{
  if (self->mode == CYC_COLOUR_BY_OWNER || self->states[name] == UNKNOWN)
    return FALSE;
  *out_look = state_looks[self->states[name]];
  if (self->mode != CYC_COLOUR_BY_STATE)
    out_look->slot = self->slots[name];
  return out_look->slot != UNKNOWN;
}

/**
 * cyc_timeline_colours_prefetch:
 * @self: colours
 * @span: a span whose look is asked for soon
 *
 * Spans that are drawn beside each other lie far from each other in memory: what their looks are made of is fetched
 * while others are drawn. What goes by names alone needs nothing of it.
 */
void
cyc_timeline_colours_prefetch (CycTimelineColours *self,
                               guint32             span)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (self->timeline);

  if (self->mode != CYC_COLOUR_BY_OWNER)
    return;
  __builtin_prefetch (&spans->name[span]);
  __builtin_prefetch (&spans->flags[span]);
  __builtin_prefetch (&spans->category[span]);
  if (tasks == NULL)
    return;
  __builtin_prefetch (&tasks->owner[span]);
  __builtin_prefetch (&tasks->desc[span]);
}

/**
 * cyc_timeline_colours_get_look:
 * @self: colours
 * @span: a span
 *
 * Returns: how it looks
 */
CycSpanLook
cyc_timeline_colours_get_look (CycTimelineColours *self,
                               guint32             span)
{
  const CycTimelineSpans *spans = cyc_timeline_get_spans (self->timeline);
  const CycTimelineTasks *tasks = cyc_timeline_get_tasks (self->timeline);
  CycSpanLook look = state_looks[cyc_timeline_colours_get_state (self, span)];

  switch (self->mode)
    {
    case CYC_COLOUR_BY_STATE:
      break;
    case CYC_COLOUR_BY_STAGE:
      look.slot = tasks != NULL ? get_text_slot (self, tasks->stage[span], cyc_timeline_colours_get_slot)
                                : get_text_slot (self, spans->name[span], get_stage_slot);
      self->slots[spans->name[span]] = look.slot;
      break;
    case CYC_COLOUR_BY_OWNER:
      look.slot = get_owner_slot (self, span);
      break;
    case CYC_COLOUR_BY_NAME:
    default:
      look.slot = get_text_slot (self, spans->name[span], cyc_timeline_colours_get_slot);
      break;
    }
  if (spans->flags[span] & CYC_SPAN_NO_END)
    look.pattern = CYC_PATTERN_FALLING;
  return look;
}
