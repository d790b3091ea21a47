/*
 * looks.h -- what inputs look like, for warnings
 *
 * Call these functions once the readers have finished, or before they start.
 */

#ifndef GPUHIST_LOOKS_H
#define GPUHIST_LOOKS_H

#include "input/read/claim.h"

/* Inputs that look like something else than what is counted. */
struct looks {
    enum guess guess;  /* what the first one looks like; or GUESS_NONE */
    size_t count;      /* how many look like this */
    const char *first; /* the name of the first one */
    uint64_t header;   /* of the first one: bytes, if they are known */
};

/*
 * Returns how many inputs have a name that says that they are compressed, but
 * were counted as they are.  Sets *FIRST to the name of the first one, and
 * *SEEMS to the format that it says.
 */
size_t looks_count_misnamed(const struct inputs *inputs, const char **first,
                            const char **seems);

/*
 * Returns how many inputs look like text although values are wide, and sets
 * *FIRST to the name of the first one.
 */
size_t looks_count_texts(const struct inputs *inputs, const char **first);

/*
 * Returns how many inputs of lines have carriage returns and no line feed, and
 * sets *FIRST to the name of the first one.
 */
size_t looks_count_unlined(const struct inputs *inputs, const char **first);

/*
 * Returns the inputs that guess_is_wrong() is true for, and that look like the
 * first of these; HAVE_FAILED: all have failed, not only those with an error.
 */
struct looks looks_find(const struct inputs *inputs, bool have_failed);

/* Returns the first input of plain bytes that an option would count, if any. */
struct looks looks_find_countable(const struct inputs *inputs);

#endif
