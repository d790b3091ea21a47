/* SPDX-License-Identifier: MIT */
/*
 * spectrum.h -- how many keys have each count
 *
 * A spectrum maps a count, the multiplicity, to the number of keys with this
 * count.  Each thread may have a spectrum of its own; the spectra are added up.
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
    struct code_table many; /* the other multiplicities; no limit of memory */
    enum key_result result; /* KEY_OK; else why keys were not counted */
    size_t components;      /* of each key; above 1: keys are tuples */
    uint64_t without;       /* elements whose tuples lack all values */
};

/* Open an empty spectrum.  MEMORY, which outlives SPECTRUM, has no limit. */
void spectrum_open(struct spectrum *spectrum, struct key_memory *memory);

/* Count KEYS keys that occur COUNT times each, where COUNT is SPECTRUM_FEW or
   more. */
void spectrum_add_many(struct spectrum *spectrum, uint64_t count,
                       uint64_t keys);

/* Count a key that occurs COUNT times.  Keys with COUNT 0 are not listed. */
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

/* Add the counts of FROM to TO. */
void spectrum_merge(struct spectrum *to, const struct spectrum *from);

/*
 * Make ARRAY, in MEMORY, of the multiplicities that occur, ascending, as codes
 * of integers (key_code.h), and set *TOTAL to the sum of each times its number
 * of keys, and of WITHOUT.  Nothing can be added to SPECTRUM afterwards.
 */
enum key_result spectrum_list(struct spectrum *spectrum,
                              struct key_array *array,
                              struct key_memory *memory, uint64_t *total);

/* Returns multiplicity I of LIST, the list of an array that spectrum_list()
   made. */
uint64_t spectrum_multiplicity(const struct key_list *list, uint64_t i);

void spectrum_close(struct spectrum *spectrum);

#endif
