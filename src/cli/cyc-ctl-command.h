/* SPDX-License-Identifier: MIT */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _CycCtlApp CycCtlApp;
typedef struct _CycCtlArgs CycCtlArgs;

/**
 * CycCtlStatus:
 * @CYC_CTL_DONE: the work is done
 * @CYC_CTL_FAILED: the input was bad or the work failed
 * @CYC_CTL_USAGE: unknown options or commands, missing arguments
 * @CYC_CTL_UNSUCCESSFUL: a simulation did not succeed
 *
 * Exit statuses: a contract with scripts.
 */
typedef enum
{
  CYC_CTL_DONE = 0,
  CYC_CTL_FAILED = 1,
  CYC_CTL_USAGE = 2,
  CYC_CTL_UNSUCCESSFUL = 3,
} CycCtlStatus;

typedef enum
{
  CYC_CTL_FLAG,   /* takes no value */
  CYC_CTL_VALUE,  /* takes one; the last one given counts */
  CYC_CTL_ANY,    /* takes one, which may be empty: the command says what is wrong with it */
  CYC_CTL_LIST,   /* takes one and may be given again and again */
  CYC_CTL_CHOICE, /* takes one of the words of value_name */
} CycCtlOptionKind;

/* One option. The table of a command ends with an entry without a name. */
typedef struct
{
  const char       *name;
  char              letter;     /* short form, 0 = none */
  CycCtlOptionKind  kind;
  const char       *value_name; /* as help shows it; of a choice the words, separated by `|` */
  const char       *summary;    /* translatable */
} CycCtlOption;

/**
 * CycCtlRun:
 * @app: the running program
 * @error: return location for what the last line on standard error says
 *
 * Does what a command does.
 *
 * Returns: a #CycCtlStatus; with @error set at least %CYC_CTL_FAILED
 */
typedef int (*CycCtlRun) (CycCtlApp  *app,
                          GError    **error);

/* One command: the parser, the help, and (through the help) the tests of the man page and of the
 * completion go by this. */
typedef struct
{
  const char         *group;     /* first word */
  const char         *name;      /* second word, NULL if there is none */
  const char         *arguments; /* as help shows them, "" for none */
  guint               min_arguments;
  guint               max_arguments;
  const char         *summary;   /* translatable, one line */
  const char         *detail;    /* translatable, NULL for none */
  const CycCtlOption *options;
  const char         *not_remote; /* translatable: why not with --url; NULL if it works, or needs no engine */
  CycCtlRun           run;
} CycCtlCommand;

typedef struct
{
  const char *name;
  const char *summary; /* translatable */
} CycCtlGroup;

extern const CycCtlOption cyc_ctl_global_options[];
extern const CycCtlGroup cyc_ctl_groups[];
extern const CycCtlCommand *const cyc_ctl_commands[];

G_END_DECLS
