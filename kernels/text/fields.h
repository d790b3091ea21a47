/* SPDX-License-Identifier: MIT */
/*
 * fields.h -- where a record of text ends and where its fields are: the only
 * definition
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 * Faster forms (src/text/scan.h) must agree with it to the last byte.
 *
 * The end of the data ends the last record, whether an end byte precedes it or
 * not.  A format's rules, with "end" for its end byte ('\n' or NUL):
 *
 * LINES       The record is its only field.
 * DELIMITED   Fields lie between delimiters, as for cut(1).  A record without a
 *             delimiter has one field; an empty record has one empty field.
 * WHITESPACE  Fields are runs of other bytes than blanks, as for awk(1): an
 *             empty record has none.  Blanks are space, tab and, where it is
 *             not the end, newline.  gawk 5.2 and mawk 1.3.4 agree on this: to
 *             both, a carriage return, a vertical tab or a form feed belongs
 *             to the field.
 * CLF         As WHITESPACE, but a field that starts with " extends to the next
 *             " that has no backslash before it, and one that starts with [ to
 *             the next ].  These bytes are not part of the field; what they
 *             enclose is, as it stands.  The next field may follow without a
 *             blank.  Without a closing byte the field extends to the record's
 *             end.
 * CSV         As DELIMITED, but with RFC 4180's quotes.  A quote counts only at
 *             the start of a field.  Between it and the closing quote, ends and
 *             delimiters are part of the field, and two quotes are one.  What
 *             lies between the closing quote and the next delimiter belongs to
 *             the field as it stands.
 * WORDS       A run of other bytes than blanks and ends is a record, and its
 *             only field.
 *
 * For CLF and CSV, a carriage return at the end of a record is not part of the
 * record.  A record that starts with the mark of comments is left out; the
 * record extends to the next end, also in CSV.  The mark has no end.  A mark of
 * several bytes has no quote in CSV and no blank in WORDS.  Where the format
 * says so, a record of CSV without a byte, apart from a carriage return, is
 * left out, too.
 *
 * The delimiter is neither the end nor, in CSV, a quote or a carriage return.
 */

#ifndef GPUHIST_FIELDS_H
#define GPUHIST_FIELDS_H

#include "kernels/binning/binning.h"

enum text_kind {
    TEXT_NONE, /* binary records, to the host */
    TEXT_LINES,
    TEXT_DELIMITED,
    TEXT_WHITESPACE,
    TEXT_CLF,
    TEXT_CSV,
    TEXT_WORDS,
    TEXT_KINDS,                  /* fields.h defines the kinds before */
    TEXT_SEQUENCES = TEXT_KINDS, /* FASTA and FASTQ: see sequence.h */
    TEXT_JSON,    /* objects of JSON, one a line: see src/text/json_scan.h */
    TEXT_LOGFMT,  /* pairs of key and value: see src/text/logfmt_line.h */
    TEXT_REGEX,   /* lines, and what an expression matches there: see
                    src/text/regex_scan.h */
    TEXT_MATCHES, /* each match is a record */
    TEXT_PATTERN, /* lines of a log: see src/text/pattern_scan.h */
};

#define TEXT_NO_COMMENT (-1)

/* The bytes of the longest mark of comments. */
#define TEXT_COMMENT_BYTES 32

/* How often a record counts: a field says so. */
enum text_counts {
    TEXT_COUNTS_NONE,  /* once */
    TEXT_COUNTS_FIRST, /* it starts with a count, as a line of uniq(1) */
    TEXT_COUNTS_LAST,  /* its last field is the count */
    TEXT_COUNTS_ONLY,  /* the same, and the record has only one other field */
};

struct text_format {
    binning_u32 kind;           /* enum text_kind */
    binning_u32 delimiter;      /* a byte; for DELIMITED and CSV */
    binning_u32 end;            /* a byte, '\n' or 0 */
    binning_i32 comment;        /* the first byte of the mark of comments, or
                                   TEXT_NO_COMMENT */
    binning_u32 counts;         /* enum text_counts */
    binning_u32 is_escaped;     /* \t, \n and \\ stand for a byte each */
    binning_u32 counts_invalid; /* of JSON and logs: a line of another format is
                                   a record, too */
    binning_u32 skips_blank;    /* of CSV: a record without a byte is left
                                   out */
    binning_u32 is_derived;     /* slices are of values that are written already
                                   (src/text/derive.h) */

    /* Of SEQUENCES: */
    binning_u32 phred;         /* the byte of quality 0 */
    binning_u32 keeps_case;    /* lower-case bases are not upper-case bases */
    binning_u32 least_quality; /* bases with a lesser byte of quality are N; 0:
                                  none */
    binning_u32 kmer;          /* the bases of a k-mer; 0: none */
    binning_u32 is_canonical;  /* the lesser of a k-mer and its reverse
                                 complement is counted */
    binning_u32 as_aligned;    /* reads of BAM and SAM are as they are stored */
    binning_u32 all_alignments;    /* ... and not only primary records count */
    binning_u32 counts_references; /* ... and each reference of the header */
    binning_u32 sums_checksums;    /* the checksums of records are added up */

    /* Of the mark of comments, after its first byte: */
    binning_u32 comment_more; /* how many bytes follow; devices: 0 */
    unsigned char comment_rest[TEXT_COMMENT_BYTES - 1];
};

/* A part of the data; offsets are less than TEXT_SLICE_MISSING. */
struct text_slice {
    binning_u32 at;
    binning_u32 size; /* in bytes */
};

/* As AT: the record has no such field.  The size is 0. */
#define TEXT_SLICE_MISSING 0xffffffffu

/* The size if the record is not of its format: no field has a value. */
#define TEXT_SIZE_INVALID 2

struct text_record {
    binning_u32 start;
    binning_u32 end;  /* of its fields: before the carriage return, if any */
    binning_u32 next; /* where the search for the next record starts */
    binning_u32 is_comment; /* or blank, where such records are left out */
};

/* Which part of a field is wanted: all, or a part of clf.h or sequence.h. */
enum text_part {
    TEXT_PART_ALL,
    TEXT_PART_METHOD,
    TEXT_PART_TARGET,
    TEXT_PART_PATH,
    TEXT_PART_QUERY,
    TEXT_PART_PROTOCOL,
    TEXT_PART_MINUTE,
    TEXT_PART_HOUR,
    TEXT_PART_DAY,
    TEXT_PART_VHOST,    /* before field 1, which is the field's number */
    TEXT_PART_COMBINED, /* all of it, if the record is Combined */
    TEXT_PART_MORE,     /* of Common, two fields before it */
    TEXT_PART_MEMBER,   /* of an object of JSON: its path is the field's name */

    /* Of a sequence, of each base, and of each k-mer.  The first position is 1;
       the position of a k-mer is the position of its first base. */
    TEXT_PART_NAME,
    TEXT_PART_SEQUENCE,
    TEXT_PART_LENGTH,
    TEXT_PART_GC,
    TEXT_PART_GC_BASES,
    TEXT_PART_MEAN_QUALITY,
    TEXT_PART_MEAN_ERROR_QUALITY,
    TEXT_PART_BASE,
    TEXT_PART_POSITION,
    TEXT_PART_QUALITY,
    TEXT_PART_KMER,

    /* Of an alignment: src/seq/alignment_values.h.  Up to OUT_OF_ORDER they are
       its words.  From MATE_ELSEWHERE on, a field is 0 or 1; from PAIRED on, it
       is a bit of the flag, the lowest first. */
    TEXT_PART_FLAG,
    TEXT_PART_MAPQ,
    TEXT_PART_POS,
    TEXT_PART_TLEN,
    TEXT_PART_STRAND,
    TEXT_PART_RNAME,
    TEXT_PART_MATE_RNAME,
    TEXT_PART_RNAME_NUMBER,
    TEXT_PART_RNAME_LENGTH,
    TEXT_PART_READ_GROUP,
    TEXT_PART_CIGAR,
    TEXT_PART_HAS_BASES,
    TEXT_PART_FULL_LENGTH,
    TEXT_PART_EDIT_DISTANCE,
    TEXT_PART_ORIENTATION,
    TEXT_PART_OUT_OF_ORDER,
    TEXT_PART_INSERT_SIZE,
    TEXT_PART_CIGAR_OPS,    /* the letter of each operation ... */
    TEXT_PART_CIGAR_LENGTH, /* ... its length ... */
    TEXT_PART_CIGAR_CYCLE,  /* ... and, of I and D, the base that it is at */
    TEXT_PART_MATE_ELSEWHERE,
    TEXT_PART_PAIRED,
    TEXT_PART_PROPER_PAIR,
    TEXT_PART_UNMAPPED,
    TEXT_PART_MATE_UNMAPPED,
    TEXT_PART_REVERSE,
    TEXT_PART_MATE_REVERSE,
    TEXT_PART_READ1,
    TEXT_PART_READ2,
    TEXT_PART_SECONDARY,
    TEXT_PART_QCFAIL,
    TEXT_PART_DUPLICATE,
    TEXT_PART_SUPPLEMENTARY,

    /* Of ADDRESS:PORT of a log: src/text/pattern/endpoint.h. */
    TEXT_PART_ADDRESS,
    TEXT_PART_PORT,
};

/* A field of each record. */
struct text_field {
    binning_u32 number;       /* from 1; or the number to subtract from NF */
    binning_u32 is_from_last; /* NF - number, where NF is the last field's */
    binning_u32 part;         /* enum text_part */
};

/* ---- what a kind means: other code asks these functions ---- */

/* Whether a blank ends a record. */
DEVICE_FN int
fields_are_words(const struct text_format *format)
{
    return format->kind == TEXT_WORDS;
}

/* Whether a record is its only field. */
DEVICE_FN int
fields_are_whole(const struct text_format *format)
{
    return format->kind == TEXT_LINES || format->kind == TEXT_WORDS;
}

/* Whether fields are runs of other bytes than blanks. */
DEVICE_FN int
fields_are_runs(const struct text_format *format)
{
    return format->kind == TEXT_WHITESPACE;
}

DEVICE_FN int
fields_are_clf(const struct text_format *format)
{
    return format->kind == TEXT_CLF;
}

/* Whether quotes enclose ends and delimiters. */
DEVICE_FN int
fields_are_csv(const struct text_format *format)
{
    return format->kind == TEXT_CSV;
}

/* Whether the delimiter ends a field. */
DEVICE_FN int
fields_are_delimited(const struct text_format *format)
{
    return format->kind == TEXT_DELIMITED || fields_are_csv(format);
}

/* Whether a carriage return at the end of a record is left out. */
DEVICE_FN int
fields_drop_return(const struct text_format *format)
{
    return fields_are_clf(format) || fields_are_csv(format);
}

DEVICE_FN int
fields_is_blank(binning_u32 byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n';
}

/* The end of the CSV field at AT: a delimiter, an end, or SIZE. */
DEVICE_FN binning_u32
fields_csv_stop(const struct text_format *format,
                DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
                binning_u32 at)
{
    if (at < size && data[at] == '"') {
        int is_inside = 1;
        at++;
        while (is_inside && at < size) {
            if (data[at] != '"')
                at++;
            else if (size - at > 1 && data[at + 1] == '"')
                at += 2;
            else {
                at++;
                is_inside = 0;
            }
        }
    }
    while (at < size && data[at] != format->delimiter &&
           data[at] != format->end)
        at++;
    return at;
}

/* Whether the record of CSV at AT, which is less than SIZE, has no byte. */
DEVICE_FN int
fields_csv_is_blank(const struct text_format *format,
                    DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
                    binning_u32 at)
{
    return data[at] == format->end ||
           (data[at] == '\r' &&
            (at + 1 == size || data[at + 1] == format->end));
}

/* Whether the record at AT, which is less than SIZE, is a comment. */
DEVICE_FN int
fields_is_comment(const struct text_format *format,
                  DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
                  binning_u32 at)
{
    binning_u32 i = 0;

    if (format->comment < 0 || data[at] != (binning_u32)format->comment)
        return 0;
    while (i < format->comment_more && i + 1 < size - at &&
           data[at + 1 + i] == format->comment_rest[i])
        i++;
    return i == format->comment_more;
}

/*
 * Find the record at AT, or after AT in WORDS.  Returns whether a record
 * follows; otherwise only blanks follow.  SIZE is less than TEXT_SLICE_MISSING.
 */
DEVICE_FN int
fields_record(const struct text_format *format,
              DEVICE_GLOBAL const unsigned char *data, binning_u32 size,
              binning_u32 at, struct text_record *record)
{
    int is_words = fields_are_words(format);

    while (is_words && at < size &&
           (fields_is_blank(data[at]) || data[at] == format->end))
        at++;
    if (at >= size)
        return 0;
    record->start = at;
    record->is_comment =
        fields_is_comment(format, data, size, at) ||
        (format->skips_blank && fields_csv_is_blank(format, data, size, at));
    if (fields_are_csv(format) && !record->is_comment) {
        at = fields_csv_stop(format, data, size, at);
        while (at < size && data[at] != format->end)
            at = fields_csv_stop(format, data, size, at + 1);
    } else {
        while (at < size && data[at] != format->end &&
               !(is_words && fields_is_blank(data[at])))
            at++;
    }
    record->end = at;
    record->next = at < size ? at + 1 : size;
    if (fields_drop_return(format) && at > record->start &&
        data[at - 1] == '\r')
        record->end--;
    return 1;
}

/*
 * The CSV field from AT to STOP.  The quotes are left out if they enclose all
 * of the field and no other quote is inside.  So a slice of CSV starts with a
 * quote only if text_unquote() must remove quotes.
 */
DEVICE_FN struct text_slice
fields_csv_slice(DEVICE_GLOBAL const unsigned char *data, binning_u32 at,
                 binning_u32 stop)
{
    struct text_slice slice;
    binning_u32 inner = at + 1;

    slice.at = at;
    slice.size = stop - at;
    if (at < stop && data[at] == '"') {
        while (inner < stop && data[inner] != '"')
            inner++;
        if (inner < stop && inner + 1 == stop) {
            slice.at = at + 1;
            slice.size = inner - slice.at;
        }
    }
    return slice;
}

/* As fields_next(), for CLF, from a byte that is not blank. */
DEVICE_FN binning_u32
fields_clf_next(DEVICE_GLOBAL const unsigned char *data, binning_u32 end,
                binning_u32 at, struct text_slice *slice)
{
    binning_u32 first = data[at];
    binning_u32 stop;

    if (first == '"' || first == '[')
        at++;
    stop = at;
    if (first == '"') {
        while (stop < end && data[stop] != '"')
            stop += data[stop] == '\\' && end - stop > 1 ? 2 : 1;
    } else if (first == '[') {
        while (stop < end && data[stop] != ']')
            stop++;
    } else {
        while (stop < end && !fields_is_blank(data[stop]))
            stop++;
    }
    slice->at = at;
    slice->size = stop - at;
    return stop < end && (first == '"' || first == '[') ? stop + 1 : stop;
}

/*
 * Find the next field of a record that ends at END.  *AT is the record's start
 * before the first call.  Returns whether a field follows.
 */
DEVICE_FN int
fields_next(const struct text_format *format,
            DEVICE_GLOBAL const unsigned char *data, binning_u32 end,
            binning_u32 *at, struct text_slice *slice)
{
    binning_u32 start = *at;
    binning_u32 stop;

    if (fields_are_runs(format) || fields_are_clf(format)) {
        while (start < end && fields_is_blank(data[start]))
            start++;
        if (start >= end)
            return 0;
        if (fields_are_clf(format)) {
            *at = fields_clf_next(data, end, start, slice);
            return 1;
        }
        stop = start;
        while (stop < end && !fields_is_blank(data[stop]))
            stop++;
    } else {
        if (start > end) /* after the last field */
            return 0;
        stop = start;
        if (fields_are_csv(format)) {
            stop = fields_csv_stop(format, data, end, start);
        } else if (fields_are_delimited(format)) {
            while (stop < end && data[stop] != format->delimiter)
                stop++;
        } else {
            stop = end;
        }
    }
    *at = stop + 1;
    slice->at = start;
    slice->size = stop - start;
    if (fields_are_csv(format))
        *slice = fields_csv_slice(data, start, stop);
    return 1;
}

/*
 * The slice of FIELD in a record, all of it; TEXT_SLICE_MISSING if the record
 * has none.
 */
DEVICE_FN struct text_slice
fields_find(const struct text_format *format,
            DEVICE_GLOBAL const unsigned char *data,
            const struct text_record *record, struct text_field field)
{
    struct text_slice slice;
    binning_u32 number = field.number;
    binning_u32 at = record->start;

    if (field.is_from_last) {
        binning_u32 fields = 0;
        while (fields_next(format, data, record->end, &at, &slice))
            fields++;
        number = number < fields ? fields - number : 0;
        at = record->start;
    }
    while (number > 0 && fields_next(format, data, record->end, &at, &slice)) {
        number--;
        if (number == 0)
            return slice;
    }
    slice.at = TEXT_SLICE_MISSING;
    slice.size = 0;
    return slice;
}

#endif
