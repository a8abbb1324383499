/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycValueRing CycValueRing;

CycValueRing *cyc_value_ring_new      (guint               capacity);
void          cyc_value_ring_free     (CycValueRing       *self);
void          cyc_value_ring_append   (CycValueRing       *self,
                                       double              value);
void          cyc_value_ring_clear    (CycValueRing       *self);
guint         cyc_value_ring_get_n    (const CycValueRing *self);
guint         cyc_value_ring_get_capacity (const CycValueRing *self);
double        cyc_value_ring_get      (const CycValueRing *self,
                                       guint               i);
gboolean      cyc_value_ring_get_last (const CycValueRing *self,
                                       double             *out_value);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CycValueRing, cyc_value_ring_free)

G_END_DECLS
