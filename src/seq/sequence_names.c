/* SPDX-License-Identifier: MIT */
/* sequence_names.c -- the fields of sequences: names, units and types */

#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/near_names.h"
#include "seq/sequence_names.h"

/* PART - TEXT_PART_NAME is the index. */
static const struct {
    const char *name;
    enum text_part part;
    enum sequence_unit unit;
    enum sequence_type type;
} fields[] = {
    {"name", TEXT_PART_NAME, SEQUENCE_READS, SEQUENCE_KEY},
    {"sequence", TEXT_PART_SEQUENCE, SEQUENCE_READS, SEQUENCE_KEY},
    {"length", TEXT_PART_LENGTH, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"gc", TEXT_PART_GC, SEQUENCE_READS, SEQUENCE_REAL},
    {"fastqc-gc", TEXT_PART_GC_BASES, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"mean-quality", TEXT_PART_MEAN_QUALITY, SEQUENCE_READS, SEQUENCE_REAL},
    {"mean-error-quality", TEXT_PART_MEAN_ERROR_QUALITY, SEQUENCE_READS,
     SEQUENCE_REAL},
    {"base", TEXT_PART_BASE, SEQUENCE_BASES, SEQUENCE_KEY},
    {"position", TEXT_PART_POSITION, SEQUENCE_BASES, SEQUENCE_INTEGER},
    {"quality", TEXT_PART_QUALITY, SEQUENCE_BASES, SEQUENCE_INTEGER},
    {"kmer", TEXT_PART_KMER, SEQUENCE_WINDOWS, SEQUENCE_KEY},
    {"flag", TEXT_PART_FLAG, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"mapq", TEXT_PART_MAPQ, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"pos", TEXT_PART_POS, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"tlen", TEXT_PART_TLEN, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"strand", TEXT_PART_STRAND, SEQUENCE_READS, SEQUENCE_KEY},
    {"rname", TEXT_PART_RNAME, SEQUENCE_READS, SEQUENCE_KEY},
    {"mate-rname", TEXT_PART_MATE_RNAME, SEQUENCE_READS, SEQUENCE_KEY},
    {"rname-number", TEXT_PART_RNAME_NUMBER, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"rname-length", TEXT_PART_RNAME_LENGTH, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"read-group", TEXT_PART_READ_GROUP, SEQUENCE_READS, SEQUENCE_KEY},
    {"cigar", TEXT_PART_CIGAR, SEQUENCE_READS, SEQUENCE_KEY},
    {"has-bases", TEXT_PART_HAS_BASES, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"full-length", TEXT_PART_FULL_LENGTH, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"edit-distance", TEXT_PART_EDIT_DISTANCE, SEQUENCE_READS,
     SEQUENCE_INTEGER},
    {"orientation", TEXT_PART_ORIENTATION, SEQUENCE_READS, SEQUENCE_KEY},
    {"out-of-order", TEXT_PART_OUT_OF_ORDER, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"insert-size", TEXT_PART_INSERT_SIZE, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"cigar-ops", TEXT_PART_CIGAR_OPS, SEQUENCE_OPERATIONS, SEQUENCE_KEY},
    {"cigar-length", TEXT_PART_CIGAR_LENGTH, SEQUENCE_OPERATIONS,
     SEQUENCE_INTEGER},
    {"cigar-cycle", TEXT_PART_CIGAR_CYCLE, SEQUENCE_OPERATIONS,
     SEQUENCE_INTEGER},
    {"mate-elsewhere", TEXT_PART_MATE_ELSEWHERE, SEQUENCE_READS,
     SEQUENCE_INTEGER},
    {"paired", TEXT_PART_PAIRED, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"proper-pair", TEXT_PART_PROPER_PAIR, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"unmapped", TEXT_PART_UNMAPPED, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"mate-unmapped", TEXT_PART_MATE_UNMAPPED, SEQUENCE_READS,
     SEQUENCE_INTEGER},
    {"reverse", TEXT_PART_REVERSE, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"mate-reverse", TEXT_PART_MATE_REVERSE, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"read1", TEXT_PART_READ1, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"read2", TEXT_PART_READ2, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"secondary", TEXT_PART_SECONDARY, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"qcfail", TEXT_PART_QCFAIL, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"duplicate", TEXT_PART_DUPLICATE, SEQUENCE_READS, SEQUENCE_INTEGER},
    {"supplementary", TEXT_PART_SUPPLEMENTARY, SEQUENCE_READS,
     SEQUENCE_INTEGER},
};

/* What samtools calls the bits of the flag, in their order, in any case. */
static const char *const flag_words[] = {
    "PAIRED", "PROPER_PAIR", "UNMAP",     "MUNMAP", "REVERSE", "MREVERSE",
    "READ1",  "READ2",       "SECONDARY", "QCFAIL", "DUP",     "SUPPLEMENTARY",
};

#define FIELDS (sizeof fields / sizeof *fields)

static size_t
index_of(enum text_part part)
{
    size_t i = (size_t)part - TEXT_PART_NAME;

    assert(part >= TEXT_PART_NAME && i < FIELDS && fields[i].part == part);
    return i;
}

enum sequence_unit
sequence_part_unit(enum text_part part)
{
    return fields[index_of(part)].unit;
}

enum sequence_type
sequence_part_type(enum text_part part)
{
    return fields[index_of(part)].type;
}

bool
sequence_part_is_computed(enum text_part part)
{
    return sequence_part_type(part) != SEQUENCE_KEY ||
           sequence_part_unit(part) != SEQUENCE_READS;
}

const char *
sequence_unit_name(enum sequence_unit unit)
{
    static const char *const names[SEQUENCE_UNITS] = {
        "reads", "bases", "windows", "CIGAR operations"};

    return names[unit];
}

/* Returns the row of the LENGTH bytes at NAME; FIELDS: there is none. */
static size_t
find_row(const char *name, size_t length)
{
    const size_t bits = sizeof flag_words / sizeof *flag_words;
    size_t i = 0;

    while (i < FIELDS && (strlen(fields[i].name) != length ||
                          memcmp(fields[i].name, name, length) != 0))
        i++;
    for (size_t b = 0; i == FIELDS && b < bits; b++) {
        if (strlen(flag_words[b]) == length &&
            strncasecmp(flag_words[b], name, length) == 0)
            return index_of(TEXT_PART_PAIRED) + b;
    }
    return i;
}

/* Names for messages: of fields, then of flags, also as samtools calls them. */
static const char *const near[] = {
    "base",
    "position",
    "quality",
    "name",
    "sequence",
    "length",
    "gc",
    "mean-quality",
    "mean-error-quality",
    "flag",
    "mapq",
    "pos",
    "tlen",
    "strand",
    "rname",
    "mate-rname",
    "rname-number",
    "rname-length",
    "read-group",
    "cigar",
    "cigar-ops",
    "cigar-length",
    "cigar-cycle",
    "full-length",
    "edit-distance",
    "orientation",
    "insert-size",
#define NEAR_FLAGS 27
    "paired",
    "proper-pair",
    "unmapped",
    "mate-unmapped",
    "reverse",
    "mate-reverse",
    "read1",
    "read2",
    "secondary",
    "qcfail",
    "duplicate",
    "supplementary",
    "mate-elsewhere",
    "has-bases",
    "out-of-order",
    "UNMAP",
    "MUNMAP",
    "MREVERSE",
    "DUP",
};

/* The LENGTH bytes at NAME, of OPTION, name no WHAT.  Returns -1. */
static int
fail(const char *option, const char *name, size_t length, const char *what,
     size_t first, struct error *error)
{
    const struct near_names names = {near_names_string, near + first,
                                     sizeof near / sizeof *near - first, ""};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    error_set(error, EXIT_USAGE, "--%s: '%s' is not a %s (%s%s)", option,
              visible_name(shown, name, length), what,
              near_names_list(&names, name, length, list),
              first == 0 ? "; with --kmers=K kmer" : "");
    return -1;
}

int
sequence_names_find(const char *option, const char *name, size_t length,
                    struct text_field *field, struct error *error)
{
    size_t row = find_row(name, length);

    if (row == FIELDS)
        return fail(option, name, length, "field of --seq", 0, error);
    *field = (struct text_field){
        .number = (binning_u32)row + 1,
        .part = fields[row].part,
    };
    return 0;
}

int
sequence_names_find_flag(const char *option, const char *name, size_t length,
                         struct text_field *field, struct error *error)
{
    return find_row(name, length) < FIELDS
               ? sequence_names_find(option, name, length, field, error)
               : fail(option, name, length, "flag of BAM and SAM", NEAR_FLAGS,
                      error);
}
