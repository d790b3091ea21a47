/* SPDX-License-Identifier: MIT */
/* help.h -- what -h and --help print */

#ifndef GPUHIST_HELP_H
#define GPUHIST_HELP_H

#include <stdio.h>

/* Print the text of -h to OUT: the jobs that most people have, in at most 40
   lines.  The caller checks OUT for errors. */
void help_put_usage(FILE *out);

/* Print the text of --help to OUT, or if TOPIC is not 0 of --help=TOPIC for
   help_topics[TOPIC - 1].  The caller checks OUT for errors. */
void help_put(FILE *out, unsigned int topic);

#endif
