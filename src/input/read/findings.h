/* SPDX-License-Identifier: MIT */
/*
 * findings.h -- facts about the inputs, for messages and states
 *
 * Call these functions once the readers have finished, or before they start.
 */

#ifndef GPUHIST_FINDINGS_H
#define GPUHIST_FINDINGS_H

#include "input/content/guess.h"
#include "input/read/reader.h"

/* Facts about one input. */
struct finding {
    const char *name;     /* in messages */
    size_t dropped_bytes; /* after its last whole record */
    bool is_uncut;        /* counted whole, but should be cut */
    bool lacks_end_mark;  /* of BGZF */

    /* Of an archive, or of a file of arrays: */
    const char *archive;      /* its name in messages; NULL: neither */
    const char *noun;         /* of a member: "file" or "array" */
    uint64_t members;         /* files or arrays ... */
    uint64_t others;          /* ... and links, directories and devices ... */
    uint64_t unchosen;        /* ... and arrays that --array leaves out */
    bool lacks_end;           /* of a tar archive */
    bool has_more;            /* bytes after the end of an archive */
    size_t ragged;            /* members with an incomplete record at the end */
    const char *first_ragged; /* the name of the first one */
    uint64_t ragged_bytes;    /* of all these records, which are dropped */
};

/* Returns the facts about input I. */
struct finding findings_of(const struct inputs *inputs, size_t i);

/* Returns the content of input I, which must still exist: the first input, an
   input of a state, or an input with a header. */
const struct content *findings_content(const struct inputs *inputs, size_t i);

/*
 * Check that each array that --array names was found, unless other shards may
 * have found it.  Returns 0, or -1 with *ERROR set.
 */
int findings_check_arrays(const struct inputs *inputs, struct error *error);

/* Returns the identity of input I, which READING->identifies. */
struct identity *findings_identity(const struct inputs *inputs, size_t i);

/* Inputs that look like another kind of data than the counted kind. */
struct looks {
    enum guess guess;  /* the kind of the first input; or GUESS_NONE */
    size_t count;      /* of inputs of this kind */
    const char *first; /* the name of the first one */
};

/*
 * Returns how many inputs were counted as plain bytes although the name ends as
 * a compressed file's.  Sets *FIRST to the name of the first one, and *SEEMS to
 * the format of this name.
 */
size_t findings_count_misnamed(const struct inputs *inputs, const char **first,
                               const char **seems);

/*
 * Returns how many inputs look like text although values are wide, and sets
 * *FIRST to the name of the first one.
 */
size_t findings_count_texts(const struct inputs *inputs, const char **first);

/*
 * Returns how many inputs of lines have carriage returns and no line feed, and
 * sets *FIRST to the name of the first one.
 */
size_t findings_count_unlined(const struct inputs *inputs, const char **first);

/*
 * Returns the inputs for which guess_is_wrong() is true and that look like the
 * first such input.  HAVE_FAILED: all inputs have failed, not only those with
 * an error.
 */
struct looks findings_look(const struct inputs *inputs, bool have_failed);

/* Returns the first input of plain bytes that an option would count, if any. */
struct looks findings_look_countable(const struct inputs *inputs);

#endif
