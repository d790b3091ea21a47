/* sequence_error.c -- the message for a record of sequences that is wrong */

#include <stdio.h>
#include <string.h>

#include "engine/cpu/sequence_error.h"

/* The most bytes of a name in a message. */
#define NAME_TEXT_MAX 80

/* The most bytes of what is wrong. */
#define WRONG_TEXT_BYTES 128

/* The same of a byte. */
#define BYTE_TEXT_BYTES 16

/* Write what BYTE is to TEXT. */
static void
describe_byte(unsigned char byte, char text[BYTE_TEXT_BYTES])
{
    if (byte > ' ' && byte < 0x7f)
        snprintf(text, BYTE_TEXT_BYTES, "'%c'", byte);
    else
        snprintf(text, BYTE_TEXT_BYTES, "byte 0x%02x", byte);
}

/* Write what is wrong with RECORD to TEXT. */
static void
describe(const unsigned char *data, enum sequence_found found,
         const struct sequence_record *record, char text[WRONG_TEXT_BYTES])
{
    char byte[BYTE_TEXT_BYTES];

    switch (found) {
    case SEQUENCE_NO_START:
        describe_byte(data[record->error], byte);
        snprintf(text, WRONG_TEXT_BYTES,
                 "a record begins with > or @ at the begin of a line, not %s",
                 byte);
        return;
    case SEQUENCE_NO_BASE:
        describe_byte(data[record->error], byte);
        snprintf(text, WRONG_TEXT_BYTES, "%s is no base", byte);
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

int
sequence_error_set(const struct chunk *chunk, enum sequence_found found,
                   const struct sequence_record *record, struct error *error)
{
    const char *name = (const char *)chunk->data + record->begin + 1;
    bool has_name = found != SEQUENCE_NO_START;
    binning_u32 size = has_name ? record->name_end - record->begin - 1 : 0;
    bool is_cut = size > NAME_TEXT_MAX;
    const struct origin *origin = origins_find(&chunk->origins, record->error);
    char wrong[WRONG_TEXT_BYTES];
    char at[40] = "";

    describe(chunk->data, found, record, wrong);
    if (origin != NULL && origin->at != ORIGIN_UNKNOWN)
        snprintf(
            at, sizeof at, "%sat byte %llu", has_name ? " " : "",
            (unsigned long long)(origin->at + record->error - origin->begin));
    error_set(error, EXIT_DATA, "%s%s%s%.*s%s%s%s%s",
              origin != NULL ? origin->name : "", origin != NULL ? ": " : "",
              has_name ? "record " : "", is_cut ? NAME_TEXT_MAX : (int)size,
              name, is_cut ? "..." : "", at,
              has_name || *at != '\0' ? ": " : "", wrong);
    return -1;
}
