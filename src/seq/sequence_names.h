/* SPDX-License-Identifier: MIT */
/* sequence_names.h -- the fields of sequences: names, units and types */

#ifndef GPUHIST_SEQUENCE_NAMES_H
#define GPUHIST_SEQUENCE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "kernels/text/fields.h"

/* The unit that has a field, and is counted: from the coarsest to the
   finest. */
enum sequence_unit {
    SEQUENCE_READS,
    SEQUENCE_BASES,
    SEQUENCE_WINDOWS,    /* K bases that follow each other, whether they are a
                         k-mer or not */
    SEQUENCE_OPERATIONS, /* of the CIGAR string: they have no base, position,
                            quality or k-mer */
    SEQUENCE_UNITS
};

/* What the values of a field are. */
enum sequence_type {
    SEQUENCE_KEY,
    SEQUENCE_INTEGER,
    SEQUENCE_REAL,
};

/* Returns the unit of PART, which is a part of a sequence.  The position also
   belongs to windows: the position of the first base. */
enum sequence_unit sequence_part_unit(enum text_part part);

enum sequence_type sequence_part_type(enum text_part part);

/* Whether the slices of PART hold 64 bits instead of a place in the data, as in
   text_slice.h. */
bool sequence_part_is_computed(enum text_part part);

/* Whether elements of UNIT have the fields of FIELD_UNIT, too: those of their
   own unit, of the whole read, and of windows some of bases. */
static inline bool
sequence_unit_has(enum sequence_unit unit, enum sequence_unit field_unit)
{
    return unit == SEQUENCE_OPERATIONS
               ? field_unit == unit || field_unit == SEQUENCE_READS
               : field_unit <= unit;
}

/* Returns "reads", "bases", "windows" or "CIGAR operations". */
const char *sequence_unit_name(enum sequence_unit unit);

/*
 * Set *FIELD to the field of the LENGTH bytes at NAME, as "base".  OPTION is
 * the option's name, for messages.  Returns 0, or -1 with *ERROR set.
 */
int sequence_names_find(const char *option, const char *name, size_t length,
                        struct text_field *field, struct error *error);

/* As sequence_names_find(), of a condition that is a flag: a message about an
   unknown name has the flags. */
int sequence_names_find_flag(const char *option, const char *name,
                             size_t length, struct text_field *field,
                             struct error *error);

#endif
