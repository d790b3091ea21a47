/* state_row.c -- the fields of a row of a state */

#include <endian.h>
#include <string.h>

#include "state/state_row.h"

#define ONES UINT64_C(0x0101010101010101)
#define HIGHS UINT64_C(0x8080808080808080)

/* Returns a word whose lowest bit that is set is in the first byte of WORD that
   is BYTE, or 0. */
static inline uint64_t
find_byte(uint64_t word, unsigned char byte)
{
    uint64_t zero = word ^ ONES * byte;

    return (zero - ONES) & ~zero & HIGHS;
}

/* Returns the first TAB or newline from AT on. */
static inline const char *
find_end(const char *at, const char *end)
{
    for (; (size_t)(end - at) >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word = le64toh(word);
        uint64_t found = find_byte(word, '\t') | find_byte(word, '\n');
        if (found != 0)
            return at + __builtin_ctzll(found) / 8;
    }
    while (*at != '\t' && *at != '\n')
        at++;
    return at;
}

const char *
state_row_read(struct state_row *row, const char *at, const char *end)
{
    size_t fields = 0;
    const char *stop;

    do {
        if (fields == STATE_FIELDS_MAX)
            return NULL;
        stop = find_end(at, end);
        row->field[fields] = at;
        row->size[fields++] = (size_t)(stop - at);
        at = stop + 1;
    } while (*stop == '\t');
    row->fields = fields;
    return at;
}
