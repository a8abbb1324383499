/* SPDX-License-Identifier: MIT */
#pragma once

#include "cli/cyc-ctl-command.h"
#include "core/timeline/cyc-timeline-stats.h"

G_BEGIN_DECLS

/* Options that the commands of timelines share. */
#define CYC_CTL_OPTION_FROM \
  { "from", 0, CYC_CTL_VALUE, "T", N_("from this time on, in microseconds, or in cycles: 1500c") }
#define CYC_CTL_OPTION_TO { "to", 0, CYC_CTL_VALUE, "T", N_("up to this time") }
#define CYC_CTL_OPTION_TRACK { "track", 0, CYC_CTL_LIST, "NAME", N_("only this track, by its name or its id") }

/* How files are read that are not as the format says. */
#define CYC_CTL_OPTIONS_READING \
  { "time-unit", 0, CYC_CTL_CHOICE, "us|ns|cycles", N_("what the times of the file count; default us") }, \
  { "clock", 0, CYC_CTL_VALUE, "MHZ", N_("clock of the cycles, with --time-unit=cycles") }, \
  { "category", 0, CYC_CTL_LIST, "NAME", N_("read only events of this category") }

extern const CycCtlCommand cyc_ctl_timeline_info;
extern const CycCtlCommand cyc_ctl_timeline_stats;
extern const CycCtlCommand cyc_ctl_timeline_extract;
extern const CycCtlCommand cyc_ctl_timeline_plot;
extern const CycCtlCommand cyc_ctl_timeline_summary;

CycTimeline *cyc_ctl_timeline_load         (CycCtlApp       *app,
                                            gboolean         keep_cycles,
                                            GCancellable    *cancellable,
                                            GError         **error);
void         cyc_ctl_timeline_hint_repairs (CycTimeline     *timeline);
gboolean     cyc_ctl_timeline_read_tracks  (CycCtlApp       *app,
                                            CycTimeline     *timeline,
                                            gboolean       **out_tracks,
                                            GError         **error);

G_END_DECLS
