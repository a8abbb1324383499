/* SPDX-License-Identifier: MIT */
#pragma once

#include "engine/cyc-api-call.h"

G_BEGIN_DECLS

struct _CycApiCall
{
  gatomicrefcount  ref_count;

  char            *method;
  gboolean         is_head;
  GStrv            segments;
  GHashTable      *query;
  GHashTable      *fields;     /* of the head: name, in small letters -> value; NULL for none */
  GBytes          *body;
  CycApiRole       role;
  char            *sim_id;
  CycApiUpload    *upload;

  CycApiCallFunc   done;
  gpointer         done_data;
  GDestroyNotify   done_destroy;

  int              answered; /* atomic */
  guint            status;
  char            *content_type;
  char            *allowed;
  GBytes          *reply;
  gboolean         has_offset; /* of an upload */
  guint64          offset;
  gboolean         is_whole;
  int              fd;
  guint64          fd_length;
  CycApiStreamFunc stream;
  gpointer         stream_data;
  GDestroyNotify   stream_destroy;
};

void _cyc_api_call_drop_upload (CycApiCall *self);

G_END_DECLS
