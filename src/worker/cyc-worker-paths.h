/* SPDX-License-Identifier: MIT */
#pragma once

#include "core/accelsim/cyc-output-files.h"

/* What lies in a job's folder, which is the worker's current folder, beside job.json
 * (`docs/design.md`, "Jobs"). */
#define CYC_WORKER_JOB "job.json"
#define CYC_WORKER_WORK "work"
#define CYC_WORKER_LOG "sim.log"
#define CYC_WORKER_ERR "sim.err"
#define CYC_WORKER_STATE "worker.json"
#define CYC_WORKER_SENT "sent.json"
#define CYC_WORKER_EXIT "exit.json"
#define CYC_WORKER_PACKED "packed.tmp"

/* Files of the worker's own among those of the sim. */
#define CYC_WORKER_STDERR_NAME CYC_OUTPUT_STDERR_NAME
#define CYC_WORKER_NOTES_NAME CYC_OUTPUT_NOTES_NAME
