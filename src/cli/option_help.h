/* option_help.h -- the text of --help */

#ifndef GPUHIST_OPTION_HELP_H
#define GPUHIST_OPTION_HELP_H

#include <stdio.h>

/* Print what --help prints to OUT, whose errors are for the caller to check. */
void option_help_put(FILE *out);

#endif
