/* sequence_names.c -- the fields of sequences: names, units and types */

#include <assert.h>
#include <string.h>

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
    {"mean-quality", TEXT_PART_MEAN_QUALITY, SEQUENCE_READS, SEQUENCE_REAL},
    {"mean-error-quality", TEXT_PART_MEAN_ERROR_QUALITY, SEQUENCE_READS,
     SEQUENCE_REAL},
    {"base", TEXT_PART_BASE, SEQUENCE_BASES, SEQUENCE_KEY},
    {"position", TEXT_PART_POSITION, SEQUENCE_BASES, SEQUENCE_INTEGER},
    {"quality", TEXT_PART_QUALITY, SEQUENCE_BASES, SEQUENCE_INTEGER},
    {"kmer", TEXT_PART_KMER, SEQUENCE_WINDOWS, SEQUENCE_KEY},
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
    return part != TEXT_PART_NAME && part != TEXT_PART_SEQUENCE;
}

const char *
sequence_unit_name(enum sequence_unit unit)
{
    static const char *const names[SEQUENCE_UNITS] = {"reads", "bases",
                                                      "windows"};

    return names[unit];
}

int
sequence_names_find(const char *option, const char *name, size_t length,
                    struct text_field *field, struct error *error)
{
    static const char *const names[] = {
        "base", "position",     "quality",
        "name", "sequence",     "length",
        "gc",   "mean-quality", "mean-error-quality",
    };
    const struct near_names all = {near_names_string, names,
                                   sizeof names / sizeof *names, ""};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    for (size_t i = 0; i < FIELDS; i++) {
        if (strlen(fields[i].name) == length &&
            memcmp(fields[i].name, name, length) == 0) {
            *field = (struct text_field){
                .number = (binning_u32)i + 1,
                .part = fields[i].part,
            };
            return 0;
        }
    }
    error_set(error, EXIT_USAGE,
              "--%s: '%s' is not a field of --seq (%s; with --kmers=K kmer)",
              option, visible_name(shown, name, length),
              near_names_list(&all, name, length, list));
    return -1;
}
