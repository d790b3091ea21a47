/* SPDX-License-Identifier: MIT */
/*
 * state_lines.h -- lines of a state: fields with a TAB between them
 *
 * A line is kept as in the file, without the first word and the newline.
 * state_field.h defines fields.
 */

#ifndef GPUHIST_STATE_LINES_H
#define GPUHIST_STATE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* All 0: no lines. */
struct state_lines {
    char *byte;  /* of all lines together; owned */
    size_t *end; /* of each of COUNT lines; owned */
    size_t size; /* of BYTE, with the fields of the unfinished line */
    size_t byte_room;
    size_t count;
    size_t end_room;
    bool has_field;  /* the unfinished line has a field */
    bool has_failed; /* memory ran out for the unfinished line */
};

/*
 * Put a field of SIZE bytes, or of a text, into the unfinished line.
 * state_lines_end() ends the line.
 */
void state_lines_put(struct state_lines *lines, const void *field, size_t size);
void state_lines_put_text(struct state_lines *lines, const char *field);

/* End the line.  Returns 0, or -1: memory ran out since the last end, and the
   line is not in LINES. */
int state_lines_end(struct state_lines *lines);

/* Add a line of one field, a text.  Returns as state_lines_end(). */
int state_lines_add_text(struct state_lines *lines, const char *field);

/* Add the line of SIZE bytes, as in the file.  Returns as state_lines_end(). */
int state_lines_add(struct state_lines *lines, const char *line, size_t size);

/* Returns line I, as in the file, and *SIZE of the line. */
const char *state_lines_at(const struct state_lines *lines, size_t i,
                           size_t *size);

/*
 * Returns field F, from 0 on, of line I without escapes, with a NUL at the end,
 * for free(); *SIZE is the number of bytes before the NUL, unless SIZE is NULL.
 * Returns NULL: out of memory, or the line has fewer fields.
 */
char *state_lines_field(const struct state_lines *lines, size_t i, size_t f,
                        size_t *size);

/* Whether A and B differ; then *AT is the first different line, or the count of
   the shorter list. */
bool state_lines_differ(const struct state_lines *a,
                        const struct state_lines *b, size_t *at);

/* Release LINES, which may be all 0. */
void state_lines_close(struct state_lines *lines);

#endif
