/*
 * spectrum.h -- how many keys have each count
 *
 * A spectrum maps a count, the multiplicity, to the number of keys that occur
 * so often.  Each thread may have one of its own; they are added up.
 */

#ifndef GPUHIST_SPECTRUM_H
#define GPUHIST_SPECTRUM_H

#include "hist/code_table.h"
#include "hist/key_code.h"
#include "hist/key_list.h"

/* Smaller multiplicities have a place in an array. */
#define SPECTRUM_FEW 4096

struct spectrum {
    uint64_t few[SPECTRUM_FEW];
    struct code_table many; /* of all others; without a limit of memory */
    enum key_result result; /* KEY_OK; or why some is not counted */
    size_t components;      /* of each key; 0 or 1: keys are no tuples */
    uint64_t without;       /* elements whose tuples have no value: no keys */
};

/* Open an empty spectrum.  MEMORY, which outlives it, has no limit. */
void spectrum_open(struct spectrum *spectrum, struct key_memory *memory);

/* Count KEYS keys, each of which occurs COUNT times, in a large spectrum. */
void spectrum_add_many(struct spectrum *spectrum, uint64_t count,
                       uint64_t keys);

/* Count a key that occurs COUNT times; 0: there is none. */
static inline void
spectrum_add(struct spectrum *spectrum, uint64_t count)
{
    if (count < SPECTRUM_FEW)
        spectrum->few[count]++;
    else
        spectrum_add_many(spectrum, count, 1);
}

/*
 * Count the key of ENTRY (key_table.h), which occurs COUNT times: a tuple, if
 * COMPONENTS is set.
 */
static inline void
spectrum_add_entry(struct spectrum *spectrum, const unsigned char *entry,
                   uint64_t count)
{
    if (spectrum->components > 1) {
        struct key_entry key = key_entry_key(entry);
        if (key_code_is_special(key.key, key.size, spectrum->components)) {
            spectrum->without += count;
            return;
        }
    }
    spectrum_add(spectrum, count);
}

/* Add what FROM has counted to TO. */
void spectrum_merge(struct spectrum *to, const struct spectrum *from);

/*
 * Make ARRAY, in MEMORY, of the multiplicities that occur, ascending, as codes
 * of integers (key_code.h), and set *TOTAL to the sum of each times its number
 * of keys, and of WITHOUT.  Nothing can be added to SPECTRUM afterwards.
 */
enum key_result spectrum_list(struct spectrum *spectrum,
                              struct key_array *array,
                              struct key_memory *memory, uint64_t *total);

/* Returns multiplicity I of LIST, which is of such an array. */
uint64_t spectrum_multiplicity(const struct key_list *list, uint64_t i);

void spectrum_close(struct spectrum *spectrum);

#endif
