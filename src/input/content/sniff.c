/* sniff.c -- whether the first bytes of content look like text, .npy or a
   state */

#include <string.h>

#include "input/content/sniff.h"

/* Fewer random bytes may look like text, most easily like UTF-8. */
#define ASCII_BYTES_MIN 16
#define TEXT_BYTES_MIN 32
#define TEXT_VALUES_MIN 3

/* How a state starts. */
#define STATE_MAGIC "#gpuhist-state "
_Static_assert(sizeof STATE_MAGIC - 1 <= SNIFF_HEAD_BYTES, "the head has it");

static bool
is_space(unsigned char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/*
 * BYTE starts a character: set which bytes may follow (The Unicode Standard,
 * table 3-7, without the control characters).  Returns false if BYTE starts no
 * character.
 */
static bool
start_character(struct sniff *sniff, unsigned char byte)
{
    sniff->following = 0;
    if (byte < 0x80)
        return (byte >= 0x20 && byte != 0x7f) || is_space(byte);
    if (byte < 0xc2 || byte > 0xf4)
        return false;
    sniff->following = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
    sniff->least = byte == 0xc2 || byte == 0xe0 ? 0xa0
                   : byte == 0xf0               ? 0x90
                                                : 0x80;
    sniff->most = byte == 0xed ? 0x9f : byte == 0xf4 ? 0x8f : 0xbf;
    return true;
}

static void
add_to_line(struct sniff_lines *lines, unsigned char byte)
{
    if (lines->ends == SNIFF_LINES)
        return;
    if (!lines->is_within)
        lines->first[lines->ends] = byte;
    lines->is_within = byte != '\n';
    if (byte == '\n') {
        lines->ends++;
    } else if (lines->ends < 2) {
        if (byte == ',')
            lines->commas[lines->ends]++;
        if (byte == '\t')
            lines->tabs[lines->ends]++;
    }
}

static void
add_byte(struct sniff *sniff, unsigned char byte)
{
    sniff->seen[byte / 64] |= (uint64_t)1 << byte % 64;
    if (sniff->following == 0) {
        sniff->is_binary |= !start_character(sniff, byte);
        return;
    }
    sniff->is_binary |= byte < sniff->least || byte > sniff->most;
    sniff->following--;
    sniff->least = 0x80;
    sniff->most = 0xbf;
}

void
sniff_add(struct sniff *sniff, const void *data, size_t size)
{
    const unsigned char *byte = data;

    for (size_t i = 0; i < size && sniff->bytes < SNIFF_BYTES; i++) {
        if (sniff->bytes < SNIFF_HEAD_BYTES)
            sniff->head[sniff->bytes] = byte[i];
        if (byte[i] == 0)
            sniff->has_zero[sniff->bytes & 1] = true;
        else
            sniff->has_other[sniff->bytes & 1] = true;
        add_to_line(&sniff->lines, byte[i]);
        add_byte(sniff, byte[i]);
        sniff->bytes++;
    }
}

bool
sniff_is_text(const struct sniff *sniff)
{
    const uint64_t spaces = (uint64_t)1 << ' ' | (uint64_t)0x1f << '\t';
    bool is_ascii = (sniff->seen[2] | sniff->seen[3]) == 0;
    int values = 0;

    for (size_t i = 0; i < 4; i++)
        values += __builtin_popcountll(sniff->seen[i]);
    return !sniff->is_binary &&
           sniff->bytes >= (is_ascii ? ASCII_BYTES_MIN : TEXT_BYTES_MIN) &&
           values >= TEXT_VALUES_MIN && (sniff->seen[0] & spaces) != 0;
}

bool
sniff_has_lines(const struct sniff *sniff)
{
    return !sniff->is_binary && (sniff->seen[0] & (uint64_t)1 << '\n') != 0;
}

uint64_t
sniff_npy_header(const struct sniff *sniff)
{
    return npy_header_bytes(sniff->head, sniff->bytes < SNIFF_HEAD_BYTES
                                             ? sniff->bytes
                                             : SNIFF_HEAD_BYTES);
}

bool
sniff_is_state(const struct sniff *sniff)
{
    const size_t size = sizeof STATE_MAGIC - 1;

    return sniff->bytes >= size && memcmp(sniff->head, STATE_MAGIC, size) == 0;
}
