/* file_names.h -- the names of the inputs, from a file: --files0-from */

#ifndef GPUHIST_FILE_NAMES_H
#define GPUHIST_FILE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct file_names {
    char *text;
    char **path; /* COUNT of them, in TEXT */
    size_t count;
    uint64_t bytes; /* of memory, with the slots of the inputs */
};

/*
 * Read names from FILE, "-" for standard input.  Each ends with a NUL, which
 * the last may lack.  It is an error if they and the slots of their inputs
 * take more than LIMIT bytes of memory.  Returns 0, or -1 with *ERROR set; the
 * caller calls file_names_close() in both cases.
 */
int file_names_read(struct file_names *names, const char *file, uint64_t limit,
                    struct error *error);

void file_names_close(struct file_names *names);

#endif
