/* SPDX-License-Identifier: MIT */
/* cigar_walk.c -- the operations of a CIGAR string, one after the other */

#include <string.h>

#include "base/ascii.h"
#include "seq/cigar_walk.h"

/* Returns the CIGAR string in LINE; TEXT_SLICE_NONE: there is none. */
static struct text_slice
find_cigar(const unsigned char *data, const struct alignment_line *line)
{
    return alignment_values_of(TEXT_PART_CIGAR, data, line);
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
cigar_walk_count(const unsigned char *data, const struct alignment_line *line)
{
    return count(data, find_cigar(data, line));
}

/* Returns the operation at *AT, which goes to the next one. */
static struct cigar_operation
read_one(const unsigned char *data, binning_u32 *at)
{
    uint64_t length = 0;

    for (; ascii_is_digit(data[*at]); ++*at) {
        length = 10 * length + (uint64_t)(data[*at] - '0');
        length = length < INT32_MAX ? length : INT32_MAX;
    }
    return (struct cigar_operation){.letter = (*at)++,
                                    .length = (uint32_t)length};
}

uint32_t
cigar_walk_start(struct cigar_walk *walk, const unsigned char *data,
                 const struct alignment_line *line)
{
    const struct text_slice cigar = find_cigar(data, line);

    *walk = (struct cigar_walk){.cigar = cigar, .at = cigar.at};
    const uint32_t operations = count(data, cigar);
    const struct text_slice reverse =
        alignment_values_of(TEXT_PART_REVERSE, data, line);
    if (operations == 0 || reverse.at == TEXT_SLICE_MISSING ||
        text_slice_bits(reverse) == 0)
        return operations;
    walk->is_reverse = true;
    for (uint32_t i = 0; i < operations; i++) {
        const struct cigar_operation operation = read_one(data, &walk->at);
        if (strchr("MIS=X", data[operation.letter]) != NULL)
            walk->bases += operation.length;
    }
    walk->at = cigar.at;
    return operations;
}

/* Returns the cycle of the operation LETTER of LENGTH that comes next, and
   count its bases. */
static uint64_t
take_cycle(struct cigar_walk *walk, unsigned char letter, uint32_t length)
{
    const uint64_t first = walk->before;
    const uint64_t taken = letter == 'I' ? first + length : first;

    if (letter != 'D' && letter != 'N' && letter != 'H' && letter != 'P')
        walk->before += length;
    if (letter != 'I' && letter != 'D')
        return 0;
    if (!walk->is_reverse)
        return first + (letter == 'I');
    return taken > walk->bases ? 0 : walk->bases - taken + (letter == 'I');
}

/* Move WALK to the next operation. */
static void
step(struct cigar_walk *walk, const unsigned char *data)
{
    walk->operation = read_one(data, &walk->at);
    walk->operation.cycle =
        take_cycle(walk, data[walk->operation.letter], walk->operation.length);
    walk->next++;
}

struct cigar_operation
cigar_walk_to(struct cigar_walk *walk, const unsigned char *data,
              uint32_t number)
{
    if (number + 1 < walk->next) {
        walk->at = walk->cigar.at;
        walk->next = 0;
        walk->before = 0;
    }
    while (walk->next <= number)
        step(walk, data);
    return walk->operation;
}
