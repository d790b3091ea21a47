/* SPDX-License-Identifier: MIT */
/*
 * sequence.h -- where a record of FASTA or FASTQ ends, and where its parts are:
 * the only definition
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 * Faster forms must agree with this file to the last byte.
 *
 * Lines end with '\n', and the last one also with the data.  Blanks are space,
 * tab and carriage return.  A record starts with a line whose first byte is '>'
 * (FASTA) or '@' (FASTQ); both may occur in one input.  Lines of blanks before
 * a record are skipped.
 *
 * The name follows in this line, up to the first blank.  The lines after the
 * first are the sequence, of any number and length: each byte but a blank is a
 * base.  A base is a letter, '*', '-' or '.'.
 *
 * FASTA  The sequence ends before the next line that starts with '>' or '@'.
 * FASTQ  The sequence ends before a line that starts with '+', whose rest has
 *        no meaning.  The lines after it are the quality.  A carriage return
 *        at the end of such a line is not part of it; all its other bytes
 *        are.  The quality ends with the first line, at least one, with which
 *        it is as long as the sequence; one that is longer is an error.  At the
 *        end of the data, the line of an empty quality may be missing.
 *
 * kseq.h by H. Li finds the same records in valid data, but ends at an error as
 * if the data ended there.
 */

#ifndef GPUHIST_SEQUENCE_H
#define GPUHIST_SEQUENCE_H

#include "kernels/binning/binning.h"

/* What sequence_find() finds. */
enum sequence_found {
    SEQUENCE_RECORD,
    SEQUENCE_NONE, /* blanks and line ends only */
    SEQUENCE_MORE, /* the record may go on after the data */

    /* Errors, at the byte where the record has them. */
    SEQUENCE_NO_START,   /* a record starts with another byte */
    SEQUENCE_NO_BASE,    /* a byte that is neither a base nor a blank */
    SEQUENCE_NO_PLUS,    /* a record or the data end before the '+' */
    SEQUENCE_OTHER_SIZE, /* the quality is shorter or longer */
};

/* Offsets in the data.  The lines of a part include their line ends. */
struct sequence_record {
    binning_u32 start; /* of '>' or '@' */
    binning_u32 name_end;
    binning_u32 bases_start; /* the lines of the sequence ... */
    binning_u32 bases_end;   /* ... end here */
    binning_u32 length;      /* the number of bases */
    binning_u32 quality_start;
    binning_u32 quality_end; /* 0: FASTA */
    binning_u32 next;        /* where the search for the next record starts */
    binning_u32 error;       /* the offset of an error */
};

DEVICE_FN int
sequence_is_blank(binning_u32 byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r';
}

DEVICE_FN int
sequence_is_base(binning_u32 byte)
{
    binning_u32 letter = byte | 0x20u;

    return (letter >= 'a' && letter <= 'z') || byte == '*' || byte == '-' ||
           byte == '.';
}

DEVICE_FN int
sequence_is_start(binning_u32 byte)
{
    return byte == '>' || byte == '@';
}

/* BYTE, a base, as an upper-case letter. */
DEVICE_FN binning_u32
sequence_upper(binning_u32 byte)
{
    return byte >= 'a' && byte <= 'z' ? byte - ('a' - 'A') : byte;
}

/* How many of LENGTH bases the field fastqc-gc is of: whole thousands, or whole
   hundreds, of those that have more. */
DEVICE_FN binning_u32
sequence_gc_length(binning_u32 length)
{
    return length - (length > 1000  ? length % 1000
                     : length > 100 ? length % 100
                                    : 0);
}

/*
 * The code of the base BYTE in a k-mer: 0 to 3 for A, C, G, T of either case; 4
 * for any other base, which no k-mer contains.
 */
DEVICE_FN binning_u32
sequence_base_code(binning_u32 byte)
{
    binning_u32 upper = sequence_upper(byte);

    return upper == 'A'   ? 0u
           : upper == 'C' ? 1u
           : upper == 'G' ? 2u
           : upper == 'T' ? 3u
                          : 4u;
}

/* The offset of the end of the line at AT: that of '\n', or SIZE. */
DEVICE_FN binning_u32
sequence_line_end(DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
                  binning_u32 at)
{
    while (at < size && data[at] != '\n')
        at++;
    return at;
}

/* The end of the bytes of quality in the line from AT to END. */
DEVICE_FN binning_u32
sequence_quality_stop(DEVICE_GLOBAL const unsigned char *data, binning_u32 at,
                      binning_u32 end)
{
    return end > at && data[end - 1] == '\r' ? end - 1 : end;
}

/* Read the quality of RECORD, whose lines start at quality_start. */
DEVICE_FN enum sequence_found
sequence_find_quality(DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
                      int is_end, struct sequence_record *record)
{
    binning_u32 at = record->quality_start;
    binning_u32 length = 0;
    binning_u32 end;

    do {
        if (at >= size) {
            record->quality_end = record->next = size;
            record->error = record->start;
            if (!is_end)
                return SEQUENCE_MORE;
            return length == record->length ? SEQUENCE_RECORD
                                            : SEQUENCE_OTHER_SIZE;
        }
        end = sequence_line_end(data, size, at);
        if (end == size && !is_end)
            return SEQUENCE_MORE;
        length += sequence_quality_stop(data, at, end) - at;
        at = end < size ? end + 1 : size;
    } while (length < record->length);
    record->quality_end = record->next = at;
    record->error = record->start;
    return length == record->length ? SEQUENCE_RECORD : SEQUENCE_OTHER_SIZE;
}

/*
 * Find the record at AT, or after AT.  IS_END: the data end at SIZE, which is
 * below 2^32 - 1; otherwise more data may follow.  Returns what is found, and
 * sets *RECORD: all members for SEQUENCE_RECORD; START, and for errors ERROR,
 * for a record that has only started.
 */
DEVICE_FN enum sequence_found
sequence_find(DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
              binning_u32 at, int is_end, struct sequence_record *record)
{
    int is_fastq;

    while (at < size && (sequence_is_blank(data[at]) || data[at] == '\n'))
        at++;
    record->start = record->error = at;
    if (at >= size)
        return SEQUENCE_NONE;
    if (!sequence_is_start(data[at]) || (at > 0 && data[at - 1] != '\n'))
        return SEQUENCE_NO_START;
    is_fastq = data[at] == '@';
    at++;
    while (at < size && !sequence_is_blank(data[at]) && data[at] != '\n')
        at++;
    record->name_end = at;
    at = sequence_line_end(data, size, at);
    record->length = 0;
    record->bases_start = at < size ? at + 1 : size;
    at = record->bases_start;
    while (at < size && !sequence_is_start(data[at]) &&
           !(is_fastq && data[at] == '+')) {
        for (; at < size && data[at] != '\n'; at++) {
            if (sequence_is_base(data[at])) {
                record->length++;
            } else if (!sequence_is_blank(data[at])) {
                record->error = at;
                return SEQUENCE_NO_BASE;
            }
        }
        if (at < size)
            at++;
    }
    record->bases_end = at;
    record->quality_start = record->quality_end = 0;
    record->next = at;
    if (at >= size && !is_end)
        return SEQUENCE_MORE;
    if (!is_fastq)
        return SEQUENCE_RECORD;
    if (at >= size || data[at] != '+') {
        record->error = record->start;
        return SEQUENCE_NO_PLUS;
    }
    at = sequence_line_end(data, size, at);
    if (at >= size && !is_end)
        return SEQUENCE_MORE;
    record->quality_start = at < size ? at + 1 : size;
    return sequence_find_quality(data, size, is_end, record);
}

#endif
