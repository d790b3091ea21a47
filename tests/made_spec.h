/* SPDX-License-Identifier: MIT */
/* made_spec.h -- a spec made of the options of the program */

#ifndef GPUHIST_MADE_SPEC_H
#define GPUHIST_MADE_SPEC_H

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_parse.h"
#include "hist/spec.h"

/* Make SPEC of LINE: options, with a space between words.  A mistake in LINE
   ends the test. */
static inline void
made_spec(struct spec *spec, const char *line)
{
    char text[256];
    char *argv[16] = {text};
    int argc = 0;
    struct options options;
    struct error error = ERROR_NONE;

    optind = 0; /* start afresh */
    snprintf(text, sizeof text, "gpuhist %s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (option_parse(&options, argc, argv, &error) < 0 ||
        spec_make(spec, &options.spec, NULL, options.plan.memory_limit,
                  &error) < 0) {
        printf("Bail out! %s: %s\n", line, error.text);
        exit(99);
    }
}

#endif
