/* SPDX-License-Identifier: MIT */
/*
 * sequence_loop.h -- find the records of FASTA and FASTQ, for the forms of a
 * scan
 *
 * See scan_loop.h for the definitions of a form; here, a form also defines
 * block_gaps(), block_letters() and block_kinds().  The lines of a sequence
 * need not be cut: in a block of lines, bases are counted, and the sequence
 * ends with the first byte that is neither base, blank nor line end.  At the
 * start of a line, this byte says what follows; anywhere else it is an error.
 */

#ifndef GPUHIST_SEQUENCE_LOOP_H
#define GPUHIST_SEQUENCE_LOOP_H

#include "seq/sequence_scan.h"
#include "text/scan_block.h"

/* The end of the line at AT: that of '\n', or the size. */
INLINE uint32_t
find_line_end(const struct text_view *view, uint32_t at)
{
    return find_either(view, at, view->size, '\n', '\n', false);
}

/* Read the first line of a record.  Returns the start of the next line. */
INLINE uint32_t
find_name(const struct text_view *view, struct sequence_record *record)
{
    uint32_t at = record->start + 1;
    uint64_t ends;
    uint64_t stops;

    for (;; at += BLOCK_BYTES) {
        block x = load(view, at, false);
        stops = block_gaps(x) | bit_at(view->size - at);
        ends = block_match(x, '\n') | bit_at(view->size - at);
        if (stops != 0)
            break;
    }
    record->name_end = at + bit_first(stops);
    at = ends != 0 ? at + bit_first(ends)
                   : find_line_end(view, at + BLOCK_BYTES);
    return at < view->size ? at + 1 : view->size;
}

/*
 * Count the bases from AT on, where a line starts.  Returns the offset of the
 * first other byte, or the size, and sets *IS_START to whether this byte starts
 * a line.
 */
INLINE uint32_t
find_bases_stop(const struct text_view *view, uint32_t at, uint32_t *length,
                bool *is_start)
{
    uint64_t before = 1; /* whether a line ends before the block */
    uint32_t count = 0;

    for (;; at += BLOCK_BYTES) {
        struct block_kinds kinds = block_kinds(load(view, at, false));
        /* The end of the data counts as another byte. */
        if (kinds.others != 0) {
            uint32_t first = bit_first(kinds.others);
            uint64_t starts = kinds.ends << 1 | before;
            *length = count + bit_count(kinds.bases & bits_below(first));
            *is_start = (starts >> first & 1) != 0;
            return at + first;
        }
        count += bit_count(kinds.bases);
        before = kinds.ends >> (BLOCK_BYTES - 1);
    }
}

/* Whether the bytes of X that MASK has are bases.  Nearly all are letters. */
INLINE bool
are_all_bases(block x, uint64_t mask)
{
    return (~block_letters(x) & mask) == 0 ||
           (~block_kinds(x).bases & mask) == 0;
}

/* Whether all bytes between AT and STOP are bases. */
INLINE bool
are_bases(const struct text_view *view, uint32_t at, uint32_t stop)
{
    for (; stop - at > BLOCK_BYTES; at += BLOCK_BYTES) {
        if (!are_all_bases(load(view, at, true), ~(uint64_t)0))
            return false;
    }
    return are_all_bases(load(view, at, false), bits_below(stop - at));
}

/*
 * Whether RECORD of FASTQ has one line of LENGTH bases, and then a '+' alone.
 * Mostly, LENGTH is the length of the record before: then the processor looks
 * for the next record before it knows that this record is right.
 */
INLINE bool
has_length(const struct text_view *view, const struct sequence_record *record,
           uint32_t length)
{
    const unsigned char *data = view->data;
    uint32_t at = record->bases_start;

    if (view->size - at < 4 || length > view->size - at - 4)
        return false;
    uint32_t stop = at + length;
    return data[stop] == '\n' && data[stop + 1] == '+' &&
           data[stop + 2] == '\n' && are_bases(view, at, stop);
}

/* The same for any length: sets *LENGTH.  If not, the record may still be right
   in another form, or be near the end of the data. */
INLINE bool
has_one_line(const struct text_view *view, const struct sequence_record *record,
             uint32_t *length)
{
    const unsigned char *data = view->data;

    for (uint32_t at = record->bases_start; view->size - at >= BLOCK_BYTES + 3;
         at += BLOCK_BYTES) {
        block x = load(view, at, true);
        uint64_t ends = block_match(x, '\n');
        uint64_t letters = block_letters(x);
        if (ends != 0) {
            uint32_t end = bit_first(ends);
            *length = at + end - record->bases_start;
            at += end;
            return (~letters & bits_below(end)) == 0 && data[at + 1] == '+' &&
                   data[at + 2] == '\n';
        }
        if (letters != ~(uint64_t)0)
            return false;
    }
    return false;
}

/* Whether no line ends between AT and STOP. */
INLINE bool
is_within_line(const struct text_view *view, uint32_t at, uint32_t stop)
{
    for (; stop - at > BLOCK_BYTES; at += BLOCK_BYTES) {
        if (block_match(load(view, at, true), '\n') != 0)
            return false;
    }
    return (block_match(load(view, at, false), '\n') & bits_below(stop - at)) ==
           0;
}

/* As sequence_find_quality(): reads one line, or calls that function. */
INLINE enum sequence_found
find_quality(const struct text_view *view, bool is_end,
             struct sequence_record *record)
{
    const unsigned char *data = view->data;
    uint32_t start = record->quality_start;
    /* Before the end, at most SIZE bytes follow. */
    uint64_t stop = (uint64_t)start + record->length;
    bool has_return = stop + 1 < view->size && data[stop] == '\r';
    uint64_t end = stop + has_return;

    if (end >= view->size || data[end] != '\n' ||
        (!has_return && data[end - 1] == '\r') ||
        !is_within_line(view, start, (uint32_t)stop))
        return sequence_find_quality(data, view->size, is_end, record);
    record->quality_end = record->next = (uint32_t)end + 1;
    record->error = record->start;
    return SEQUENCE_RECORD;
}

/* As sequence_find(); LENGTH is the length of the record before, or any
   other. */
INLINE enum sequence_found
find_sequence(const struct text_view *view, uint32_t at, bool is_end,
              uint32_t length, struct sequence_record *record)
{
    const unsigned char *data = view->data;
    uint32_t size = view->size;
    bool is_fastq;
    bool is_start;

    while (at < size && (sequence_is_blank(data[at]) || data[at] == '\n'))
        at++;
    record->start = record->error = at;
    if (at >= size)
        return SEQUENCE_NONE;
    if (!sequence_is_start(data[at]) || (at > 0 && data[at - 1] != '\n'))
        return SEQUENCE_NO_START;
    is_fastq = data[at] == '@';
    record->bases_start = find_name(view, record);
    if (is_fastq && (has_length(view, record, length) ||
                     has_one_line(view, record, &length))) {
        record->length = length;
        record->bases_end = record->bases_start + length + 1;
        record->quality_start = record->bases_end + 2;
        return find_quality(view, is_end, record);
    }
    at = find_bases_stop(view, record->bases_start, &record->length, &is_start);
    record->bases_end = record->next = at;
    record->quality_start = record->quality_end = 0;
    if (at >= size) {
        if (!is_end)
            return SEQUENCE_MORE;
        return is_fastq ? SEQUENCE_NO_PLUS : SEQUENCE_RECORD;
    }
    if (is_start && is_fastq && data[at] == '+') {
        /* Mostly, nothing follows the '+': do not wait for a mask. */
        if (size - at > 1 && data[at + 1] == '\n')
            at++;
        else
            at = find_line_end(view, at);
        if (at >= size && !is_end)
            return SEQUENCE_MORE;
        record->quality_start = at < size ? at + 1 : size;
        return find_quality(view, is_end, record);
    }
    if (is_start && sequence_is_start(data[at]))
        return is_fastq ? SEQUENCE_NO_PLUS : SEQUENCE_RECORD;
    record->error = at;
    return SEQUENCE_NO_BASE;
}

INLINE size_t
sequence_loop(const unsigned char *data, size_t size, size_t *done, bool is_end,
              struct sequence_record *record, size_t records_max,
              enum sequence_found *found, struct sequence_record *tail)
{
    const struct text_view view = {data, (uint32_t)size};
    uint32_t at = (uint32_t)*done;
    uint32_t length = 0;
    size_t count = 0;

    *found = SEQUENCE_RECORD;
    while (count < records_max) {
        struct sequence_record next;
        *found = find_sequence(&view, at, is_end, length, &next);
        if (*found != SEQUENCE_RECORD) {
            *tail = next;
            break;
        }
        record[count++] = next;
        at = next.next;
        length = next.length;
    }
    *done = at;
    return count;
}

#endif
