/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/base/cyc-json-writer.h"
#include "engine/cyc-event-hub.h"

G_BEGIN_DECLS

typedef struct _CycEventTopic  CycEventTopic;
typedef struct _CycEventReader CycEventReader;

/* Has a snapshot made, and given to cyc_event_topic_take_snapshot() later. */
typedef void (*CycEventSnapshotFunc) (CycEventTopic *topic,
                                      gpointer       user_data);

/* One stream of events: the last of them, numbered, in the one buffer that all its readers read from. */
struct _CycEventTopic
{
  char       *id;             /* of the run; NULL: the workspace */
  char       *epoch;          /* begins the ids of this buffer's events */
  GPtrArray  *events;         /* of GBytes, whole blocks of text/event-stream */
  guint64     first;          /* number of the oldest that is kept */
  guint64     last;           /* number of the newest; first - 1 if there is none */
  gsize       bytes;          /* of all that are kept */
  GQueue      readers;        /* of CycEventReader, by their links */
  gint64      idle_since;     /* monotonic, when the last reader left; 0: there are some */

  GHashTable *dirty;          /* ids of what changed since the last batch */
  GHashTable *told_at;        /* run: sim id -> gint64: monotonic, of its last event */
  GHashTable *behind;         /* run: ids of sims whose log was ahead of what was told, one batch ago */
  GHashTable *told;           /* workspace: id -> text that was told last */
  GHashTable *log_bytes;      /* run: sim id -> guint64: how much of its log was told */

  GBytes     *snapshot;       /* the latest */
  guint64     snapshot_at;    /* the last event that is in it */
  gint64      snapshot_time;  /* monotonic */
  gboolean    making;         /* one is being made */
  CycEventSnapshotFunc make;
  gpointer    make_data;
};

CycEventTopic *cyc_event_topic_new           (const char           *id,
                                              CycEventSnapshotFunc  make,
                                              gpointer              make_data);
void           cyc_event_topic_free          (CycEventTopic        *self);
void           cyc_event_topic_add           (CycEventTopic        *self,
                                              GString              *json);
void           cyc_event_topic_pump          (CycEventTopic        *self);
void           cyc_event_topic_reset         (CycEventTopic        *self);
void           cyc_event_topic_take_snapshot (CycEventTopic        *self,
                                              guint64               at,
                                              GString              *json);
void           cyc_event_topic_add_reader    (CycEventTopic        *self,
                                              GIOStream            *stream,
                                              const char           *last_id);
void           cyc_event_topic_check         (CycEventTopic        *self,
                                              gint64                now);
void           cyc_event_topic_want_snapshot (CycEventTopic        *self,
                                              CycEventReader       *reader);
void           cyc_event_topic_reader_gone   (CycEventTopic        *self,
                                              CycEventReader       *reader);

/* One client that follows a topic. */
struct _CycEventReader
{
  CycEventTopic         *topic;
  GList                  link;           /* in the topic's readers */
  GIOStream             *stream;
  GPollableOutputStream *output;
  GPollableInputStream  *input;
  GSource               *output_source;  /* while the socket takes no more */
  GSource               *input_source;   /* the end of the stream is seen there */
  GQueue                 pending;        /* of GBytes: being sent */
  gsize                  offset;         /* of the first of them, sent already */
  guint64                next;           /* number of the first event that was not taken */
  gboolean               wants_snapshot;
  gint64                 progress;       /* monotonic, when the last byte went */
  gint64                 commented;      /* when the last comment line did */
  gsize                  received;
};

CycEventReader *cyc_event_reader_new     (CycEventTopic  *topic,
                                          GIOStream      *stream);
void            cyc_event_reader_free    (CycEventReader *self);
void            cyc_event_reader_push    (CycEventReader *self,
                                          GBytes         *bytes);
gboolean        cyc_event_reader_pump    (CycEventReader *self);
gboolean        cyc_event_reader_check   (CycEventReader *self,
                                          gint64          now);

/* The texts of events. */
GString        *cyc_event_text_sim        (const CycSimRecord    *sim);
GString        *cyc_event_text_log        (const char            *sim_id,
                                           guint64                offset,
                                           GBytes                *text);
GString        *cyc_event_text_kernel     (const CycKernelRecord *kernel,
                                           const char            *log_path);
GString        *cyc_event_text_trace      (CycEngine             *engine,
                                           const char            *id);
GString        *cyc_event_text_run        (CycEngine             *engine,
                                           const char            *id);
GString        *cyc_event_text_workspace  (CycEngine             *engine);

struct _CycEventHub
{
  gatomicrefcount ref_count;
  CycEngine     *engine;
  GMainContext  *context;
  gboolean       closed;
  GHashTable    *topics;         /* run id -> CycEventTopic, owned */
  CycEventTopic *workspace;      /* NULL until somebody asks */
  GThreadPool   *kernels;        /* one thread, which reads kernels' statistics out of logs */
  GSource       *flush_source;   /* until the next batch */
  GSource       *pump_source;    /* until what logs have got is sent */
  GSource       *tick_source;    /* while there are topics */
};

CycEventHub    *cyc_event_hub_ref         (CycEventHub           *self);
void            cyc_event_hub_unref       (CycEventHub           *self);
CycEventTopic  *cyc_event_hub_find        (CycEventHub           *self,
                                           const char            *run_id,
                                           const char            *epoch);
gboolean        cyc_event_hub_is_level    (CycEventHub           *self,
                                           CycEventTopic         *topic);
void            cyc_event_make_run        (CycEventTopic         *topic,
                                           gpointer               hub);
void            cyc_event_make_workspace  (CycEventTopic         *topic,
                                           gpointer               hub);
void            cyc_event_kernels_thread  (gpointer               task,
                                           gpointer               unused);
void            cyc_event_kernels_changed (CycEventHub           *self,
                                           CycEventTopic         *topic,
                                           const char            *sim_id,
                                           GPtrArray             *kernels);

G_END_DECLS
