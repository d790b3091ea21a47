/* SPDX-License-Identifier: MIT */
/* sniff.c -- whether the first bytes of content look like text, .npy or a
   state */

#include <limits.h>
#include <string.h>

#include "input/content/sniff.h"

/* Fewer random bytes may look like text, most easily like UTF-8. */
#define ASCII_BYTES_MIN 16
#define TEXT_BYTES_MIN 32
#define TEXT_VALUES_MIN 3

/* How a state starts. */
#define STATE_MAGIC "#gpuhist-state "
_Static_assert(sizeof STATE_MAGIC - 1 <= SNIFF_HEAD_BYTES, "the head has it");

/* The control characters of ASCII but for white space: a bit for each value
   below 64, and from 64 on. */
#define CONTROL_LOW ((uint64_t)0xffffc1ff)
#define CONTROL_HIGH ((uint64_t)1 << 63)

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
add_to_line(struct sniff_lines *lines, const unsigned char *data, size_t size)
{
    if (!lines->is_within)
        lines->first[lines->ends] = *data;
    lines->is_within = true;
    for (size_t i = 0; lines->ends < 2 && i < size; i++) {
        if (data[i] == ',')
            lines->commas[lines->ends]++;
        if (data[i] == '\t')
            lines->tabs[lines->ends]++;
    }
}

static void
add_lines(struct sniff_lines *lines, const unsigned char *data, size_t size)
{
    while (size > 0 && lines->ends < SNIFF_LINES) {
        const unsigned char *end = memchr(data, '\n', size);
        size_t bytes = end != NULL ? (size_t)(end - data) + 1 : size;
        add_to_line(lines, data, bytes);
        if (end != NULL) {
            lines->ends++;
            lines->is_within = false;
        }
        data += bytes;
        size -= bytes;
    }
}

/* The bytes of DATA may be characters, of which some are not ASCII. */
static void
add_characters(struct sniff *sniff, const unsigned char *data, size_t size)
{
    for (size_t i = 0; i < size && !sniff->is_binary; i++) {
        if (sniff->following == 0) {
            sniff->is_binary = !start_character(sniff, data[i]);
            continue;
        }
        sniff->is_binary = data[i] < sniff->least || data[i] > sniff->most;
        sniff->following--;
        sniff->least = 0x80;
        sniff->most = 0xbf;
    }
}

/* Note which bytes of DATA are 0.  HAS_ZERO: some are. */
static void
add_zeros(struct sniff *sniff, const unsigned char *data, size_t size,
          bool has_zero)
{
    for (size_t i = 0; i < size && (has_zero || i < 2); i++) {
        size_t side = (sniff->bytes + i) & 1;
        sniff->has_zero[side] |= data[i] == 0;
        sniff->has_other[side] |= data[i] != 0;
    }
}

void
sniff_add(struct sniff *sniff, const void *data, size_t size)
{
    const unsigned char *byte = data;
    bool seen[UCHAR_MAX + 1] = {false};
    uint64_t values[4] = {0};

    if (size > SNIFF_BYTES - sniff->bytes)
        size = SNIFF_BYTES - sniff->bytes;
    for (size_t i = 0; i < size; i++)
        seen[byte[i]] = true;
    for (size_t i = 0; i <= UCHAR_MAX; i++)
        values[i / 64] |= (uint64_t)seen[i] << i % 64;
    for (size_t i = 0; i < 4; i++)
        sniff->seen[i] |= values[i];
    for (size_t i = 0; i < size && sniff->bytes + i < SNIFF_HEAD_BYTES; i++)
        sniff->head[sniff->bytes + i] = byte[i];
    add_zeros(sniff, byte, size, seen[0]);
    add_lines(&sniff->lines, byte, size);
    if (sniff->following == 0 && (values[2] | values[3]) == 0)
        sniff->is_binary |=
            (values[0] & CONTROL_LOW) != 0 || (values[1] & CONTROL_HIGH) != 0;
    else
        add_characters(sniff, byte, size);
    sniff->bytes += size;
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
