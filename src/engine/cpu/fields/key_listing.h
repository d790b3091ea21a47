/* key_listing.h -- what becomes of tables of keys: a list, or a spectrum */

#ifndef GPUHIST_KEY_LISTING_H
#define GPUHIST_KEY_LISTING_H

#include "engine/cpu/counter.h"
#include "engine/cpu/keys/key_counts.h"

/*
 * Sort the keys of COUNTS, which are settled, and make the list of COUNTER's
 * histogram in NAMES: in memory, or in a file if keys were spilled or have no
 * room.  As counter_type.list(); for KEY_FAILED, counts->failure says why.
 */
enum key_result key_listing_make(const struct counter *counter,
                                 struct key_counts *counts, bool is_counting,
                                 struct key_names *names);

/* Returns the keys that bring something with them, of SPEC. */
enum key_bringing key_listing_bringing(const struct spec *spec);

/* Add the memory and the files of COUNTS to USE. */
static inline void
key_listing_add_use(const struct key_counts *counts, struct counter_use *use)
{
    use->memory += atomic_load(&counts->memory.used);
    use->spills += counts->spills;
    use->spilled_bytes += counts->spilled_bytes;
}

#endif
