/*
 * state_lines.h -- lines of a state: fields with a TAB between them
 *
 * A line is kept as it is in the file, without its first word and its newline.
 * state_field.h says how a field is written.
 */

#ifndef GPUHIST_STATE_LINES_H
#define GPUHIST_STATE_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* All 0: no lines. */
struct state_lines {
    char *byte;  /* of all lines, one after the other; owned */
    size_t *end; /* of each of COUNT lines; owned */
    size_t size; /* of BYTE, with the fields that state_lines_end() awaits */
    size_t byte_room;
    size_t count;
    size_t end_room;
    bool has_field;  /* the line that is not ended has one */
    bool has_failed; /* there was no memory for it */
};

/*
 * Put a field of SIZE bytes, or of a text, into the next line, which
 * state_lines_end() ends.
 */
void state_lines_put(struct state_lines *lines, const void *field, size_t size);
void state_lines_put_text(struct state_lines *lines, const char *field);

/* End the line.  Returns 0, or -1: there was no memory since the last end, and
   the line is not in LINES. */
int state_lines_end(struct state_lines *lines);

/* Add a line of one field, a text.  Returns as state_lines_end(). */
int state_lines_add_text(struct state_lines *lines, const char *field);

/* Add the line of SIZE bytes, as it is in the file.  Returns the same. */
int state_lines_add(struct state_lines *lines, const char *line, size_t size);

/* Returns line I, as it is in the file, and its *SIZE. */
const char *state_lines_at(const struct state_lines *lines, size_t i,
                           size_t *size);

/*
 * Returns field F, from 0 on, of line I: its bytes without escapes, and a NUL
 * behind them, for free(); *SIZE is their number, unless SIZE is NULL.  NULL:
 * out of memory, or there is no such field.
 */
char *state_lines_field(const struct state_lines *lines, size_t i, size_t f,
                        size_t *size);

/* Whether A and B differ; then *AT is the first line that does, or the count of
   the shorter one. */
bool state_lines_differ(const struct state_lines *a,
                        const struct state_lines *b, size_t *at);

/* Also of LINES that are all 0. */
void state_lines_close(struct state_lines *lines);

#endif
