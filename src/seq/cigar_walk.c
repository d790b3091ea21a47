/* SPDX-License-Identifier: MIT */
/* cigar_walk.c -- the operations of a CIGAR string, one after the other */

#include "seq/cigar_walk.h"
#include "base/ascii.h"
#include "seq/alignment_values.h"

/* Returns the CIGAR string of RECORD; TEXT_SLICE_NONE: there is none. */
static struct text_slice
find_cigar(const unsigned char *data, const struct sequence_record *record)
{
    return alignment_values_read(TEXT_PART_CIGAR, data, record);
}

static uint32_t
count(const unsigned char *data, struct text_slice cigar)
{
    uint32_t operations = 0;

    if (cigar.at == TEXT_SLICE_MISSING)
        return 0;
    for (binning_u32 i = 0; i < cigar.size; i++)
        operations += !ascii_is_digit(data[cigar.at + i]);
    return operations;
}

uint32_t
cigar_walk_count(const unsigned char *data,
                 const struct sequence_record *record)
{
    return count(data, find_cigar(data, record));
}

uint32_t
cigar_walk_start(struct cigar_walk *walk, const unsigned char *data,
                 const struct sequence_record *record)
{
    const struct text_slice cigar = find_cigar(data, record);

    *walk = (struct cigar_walk){.cigar = cigar, .at = cigar.at};
    return count(data, cigar);
}

/* Move WALK to the next operation. */
static void
step(struct cigar_walk *walk, const unsigned char *data)
{
    binning_u32 at = walk->at;
    uint64_t length = 0;

    for (; ascii_is_digit(data[at]); at++) {
        length = 10 * length + (uint64_t)(data[at] - '0');
        length = length < INT32_MAX ? length : INT32_MAX;
    }
    walk->operation = (struct cigar_operation){at, (uint32_t)length};
    walk->at = at + 1;
    walk->next++;
}

struct cigar_operation
cigar_walk_to(struct cigar_walk *walk, const unsigned char *data,
              uint32_t number)
{
    if (number + 1 < walk->next) {
        walk->at = walk->cigar.at;
        walk->next = 0;
    }
    while (walk->next <= number)
        step(walk, data);
    return walk->operation;
}
