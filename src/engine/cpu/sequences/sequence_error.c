/* sequence_error.c -- the message for a record of sequences that is wrong */

#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "engine/cpu/sequences/sequence_error.h"
#include "text/sequence_scan.h"

/* The most bytes of what is wrong. */
#define WRONG_TEXT_BYTES 128

/* Records that are found at a time to count them. */
#define COUNTED 64

/* Write what is wrong with RECORD to TEXT. */
static void
describe(const unsigned char *data, enum sequence_found found,
         const struct sequence_record *record, char text[WRONG_TEXT_BYTES])
{
    char byte[VISIBLE_BYTE_BYTES];

    switch (found) {
    case SEQUENCE_NO_START:
        snprintf(text, WRONG_TEXT_BYTES,
                 "a record begins with > or @ at the start of a line, not %s",
                 visible_byte(byte, data[record->error]));
        return;
    case SEQUENCE_NO_BASE:
        snprintf(text, WRONG_TEXT_BYTES, "%s is no base",
                 visible_byte(byte, data[record->error]));
        return;
    case SEQUENCE_NO_PLUS:
        snprintf(text, WRONG_TEXT_BYTES,
                 "the sequence is not followed by a line that begins with +");
        return;
    default:
        snprintf(text, WRONG_TEXT_BYTES,
                 "the quality has another length than the sequence (%u bases)",
                 (unsigned int)record->length);
        return;
    }
}

/*
 * Returns the number in its input of RECORD, which is wrong.  Those before it
 * in the bytes of ORIGIN are found again, because only errors need it.
 */
static uint64_t
number_of(const struct chunk *chunk, const struct origin *origin,
          const struct sequence_record *record)
{
    uint64_t number = origin->records + 1;
    size_t done = origin->begin - origin->made;
    enum sequence_found found = SEQUENCE_RECORD;
    struct sequence_record before[COUNTED];
    struct sequence_record rest;

    while (found == SEQUENCE_RECORD && done < record->begin)
        number += sequence_scan(chunk->data, record->begin, &done, true, before,
                                COUNTED, &found, &rest);
    return number;
}

void
sequence_error_set(const struct chunk *chunk, enum sequence_found found,
                   const struct sequence_record *record, struct error *error)
{
    bool has_name = found != SEQUENCE_NO_START;
    size_t size = has_name ? record->name_end - record->begin - (size_t)1 : 0;
    const struct origin *origin = origins_find(&chunk->origins, record->error);
    char wrong[WRONG_TEXT_BYTES];
    char shown[VISIBLE_BYTES];
    char name[VISIBLE_BYTES + sizeof " ()"] = "";

    describe(chunk->data, found, record, wrong);
    if (size > 0)
        snprintf(name, sizeof name, " (%s)",
                 visible_name(shown, chunk->data + record->begin + 1, size));
    if (origin == NULL)
        error_set(error, EXIT_DATA, "a record%s: %s", name, wrong);
    else
        error_set(
            error, EXIT_DATA, "%s: record %llu%s at byte %llu: %s",
            origin->name, (unsigned long long)number_of(chunk, origin, record),
            name,
            (unsigned long long)(origin->at + record->error - origin->begin),
            wrong);
}
