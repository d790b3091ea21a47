/* key_listing.c -- what becomes of tables of keys: a list, or a spectrum */

#include "engine/cpu/fields/key_listing.h"
#include "engine/cpu/keys/key_counter.h"
#include "hist/key_top.h"

enum key_bringing
key_listing_bringing(const struct spec *spec)
{
    static const enum key_bringing brings[] = {
        [ADDS_ONE] = KEY_BRINGS_NOTHING,
        [ADDS_COUNT] = KEY_BRINGS_COUNT,
        [ADDS_WEIGHT] = KEY_BRINGS_WEIGHT,
    };

    return brings[spec->adds];
}

/* Whether the order of the keys may be that of their counts.  Snapshots are
   subtracted key by key, and groups must be in order. */
static bool
may_rank(const struct counter *counter, const struct key_counts *counts)
{
    return counter->counted->kind != COUNTED_TUPLES && !counts->has_snapshots;
}

/* Sort the keys, of which some are in runs. */
static enum key_result
sort_in_files(const struct counter *counter, struct key_counts *counts,
              bool is_counting, struct key_names *names)
{
    bool is_by_count = counter->spec->ranks_keys && may_rank(counter, counts);
    size_t i = counter->histogram;
    enum key_result result = key_counter_spill(counts);

    if (result != KEY_OK)
        return result;
    return key_file_open(&names->file[i], &counts->runs,
                         is_by_count ? KEY_RUN_BY_COUNT : KEY_RUN_BY_KEY,
                         counter->threads, counts->memory.limit, !is_counting,
                         &names->list[i], &counts->failure) == 0
               ? KEY_OK
               : KEY_FAILED;
}

/* Sort the keys, all of which are in the tables. */
static enum key_result
sort_in_memory(const struct counter *counter, struct key_counts *counts,
               struct key_names *names)
{
    const struct spec *spec = counter->spec;
    size_t i = counter->histogram;
    size_t keys = key_counts_keys(counts);
    uint64_t top = spec->top_keys < SIZE_MAX ? spec->top_keys : 0;
    struct key_order *order = &names->order[i];
    enum key_result result = KEY_LIMIT;

    if (!may_rank(counter, counts) ||
        !key_top_is_useful((size_t)top, keys, counter->threads))
        top = 0;
    if (top > 0)
        result = key_counts_top(counts, (size_t)top, counter->threads, order);
    if (result == KEY_LIMIT) {
        if (top > 0)
            key_order_close(order);
        top = 0;
        result = key_counts_order(counts, counter->threads, order);
    }
    if (result == KEY_OK) {
        key_names_list(names, i);
        names->list[i].top = top;
    }
    return result;
}

enum key_result
key_listing_make(const struct counter *counter, struct key_counts *counts,
                 bool is_counting, struct key_names *names)
{
    enum key_result result = KEY_LIMIT;

    counts->has_snapshots |= is_counting;
    if (counts->runs.count == 0) {
        if (!is_counting)
            key_counts_release_slots(counts);
        result = sort_in_memory(counter, counts, names);
    }
    /* Tables that keep their slots may have no room for an order. */
    return result == KEY_LIMIT
               ? sort_in_files(counter, counts, is_counting, names)
               : result;
}
