/* What the command line says, told to a job of the core. */
#ifndef WT_CLI_CORE_OPTIONS_H
#define WT_CLI_CORE_OPTIONS_H

#include <stdbool.h>

#include "options.h"
#include "wasm_trace.h"

/* Sets all that concern the core, except symbols and weights, which are files. false: see wt_job_error. */
bool cli_core_set(wt_job *job, const cli_options *options);

/* Parses each of them by itself, before any file is touched. false: what is wrong has been printed, with a caret under
   the place. */
bool cli_core_check(const cli_options *options);

#endif
