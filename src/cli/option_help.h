/* option_help.h -- the text of --help */

#ifndef GPUHIST_OPTION_HELP_H
#define GPUHIST_OPTION_HELP_H

#include <stdio.h>

/* Print the text of --help to OUT.  The caller checks OUT for errors. */
void option_help_put(FILE *out);

#endif
