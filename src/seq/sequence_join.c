/* SPDX-License-Identifier: MIT */
/* sequence_join.c -- put the lines of a sequence together, in place */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/eight_bytes.h"
#include "seq/sequence_join.h"

/* Move the bytes that lie between line ends, from AT to END, to AT; not the
   carriage return before a line end.  Returns their end. */
static size_t
join_lines(unsigned char *data, size_t at, size_t end)
{
    size_t to = at;

    while (at < end) {
        const unsigned char *found = memchr(data + at, '\n', end - at);
        size_t stop = found != NULL ? (size_t)(found - data) : end;
        size_t size = stop - at - (stop > at && data[stop - 1] == '\r');
        if (to != at)
            memmove(data + to, data + at, size);
        to += size;
        at = stop + 1;
    }
    return to;
}

/* Move the bases from AT to END to AT.  Returns their end. */
static size_t
join_bases(unsigned char *data, size_t at, size_t end)
{
    size_t to = at;

    for (; at < end; at++) {
        data[to] = data[at];
        to += (size_t)sequence_is_base(data[at]);
    }
    return to;
}

static void
fill(unsigned char *data, size_t at, size_t end)
{
    if (at < end)
        memset(data + at, '\n', end - at);
}

/* Join the bases of RECORD. */
static void
take_bases(unsigned char *data, const struct sequence_record *record)
{
    size_t start = record->bases_start;
    size_t stop = record->bases_end;
    size_t end;

    while (stop > start && !sequence_is_base(data[stop - 1]))
        stop--;
    if (stop - start == record->length)
        return;
    end = join_lines(data, start, stop);
    if (end - start != record->length) /* blanks */
        end = join_bases(data, start, end);
    fill(data, end, stop);
}

/*
 * Whether the quality of RECORD is one line: only the end of a line follows its
 * first LENGTH bytes.  For each line end among these bytes, a byte of the
 * quality would follow.
 */
static bool
has_one_line(const unsigned char *data, const struct sequence_record *record)
{
    binning_u32 at = record->quality_start + record->length;
    binning_u32 more = record->quality_end - at;

    return more == 0 || (more == 1 && (data[at] == '\n' || data[at] == '\r')) ||
           (more == 2 && data[at] == '\r' && data[at + 1] == '\n');
}

/* Join the lines of the quality of RECORD. */
static void
take_quality(unsigned char *data, const struct sequence_record *record)
{
    size_t stop = record->quality_end;
    size_t end = join_lines(data, record->quality_start, stop);

    /* A line does not end with a carriage return, but with another one. */
    if (data[end - 1] == '\r' && stop - end > 1)
        data[end++] = '\r';
    fill(data, end, stop);
}

/* Make upper-case letters of eight bases: both bits 5 and 6 are set in
   lower-case letters only. */
static void
raise_word(unsigned char *base)
{
    uint64_t word;

    memcpy(&word, base, sizeof word);
    word &= ~(word & word >> 1 & EIGHT_BYTES(0x20));
    memcpy(base, &word, sizeof word);
}

/* Make upper-case letters of the COUNT bases at BASE. */
static void
raise_case(unsigned char *base, size_t count)
{
    if (count < sizeof(uint64_t)) {
        for (size_t i = 0; i < count; i++)
            base[i] = (unsigned char)sequence_upper(base[i]);
        return;
    }
    for (size_t i = 0; count - i > sizeof(uint64_t); i += sizeof(uint64_t))
        raise_word(base + i);
    raise_word(base + count - sizeof(uint64_t)); /* some of them again */
}

void
sequence_join_lines(unsigned char *data, const struct sequence_record *record)
{
    take_bases(data, record);
    if (record->quality_end != 0 && !has_one_line(data, record))
        take_quality(data, record);
}

void
sequence_join_cases(unsigned char *data, const struct sequence_record *record)
{
    raise_case(data + record->bases_start, record->length);
}

void
sequence_join_mask(unsigned char *data, const struct sequence_record *record,
                   unsigned int least)
{
    unsigned char *base = data + record->bases_start;
    const unsigned char *quality = data + record->quality_start;

    if (record->quality_end == 0)
        return;
    for (size_t i = 0; i < record->length; i++)
        base[i] = quality[i] < least ? 'N' : base[i];
}
