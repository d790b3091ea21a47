/* SPDX-License-Identifier: MIT */
/* group_cache.c -- groups of which only a few figures are wanted */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/cached_groups.h"
#include "engine/cpu/keys/group_bins.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/number_counts.h"
#include "engine/cpu/keys/number_field.h"
#include "text/short_decimals.h"

/* The numbers of groups take at most this share of the memory for keys. */
#define VALUES_SHARE 2

/* A cache that is as large as it can be, and has less than one of so many
   records, pauses for some batches.  So does the reading of long numbers. */
#define USELESS 4
#define PAUSE_BATCHES 64

/* ---- opening and closing ---- */

/* Whether the own axis of histogram I of SPEC, which is grouped, has bins for
   rows. */
static bool
has_bins(const struct spec *spec, size_t i)
{
    return group_bins_is_for(spec, spec_own_axis(spec, i));
}

/* Whether axis I of SPEC has the numbers that occur, as decimals or doubles. */
static bool
has_numbers(const struct spec *spec, size_t i)
{
    enum key_kind kind = spec_key_kind(spec, i);

    return kind == KEY_DECIMAL || (spec->keeps_numbers && kind == KEY_REAL);
}

/* Whether all records of SPEC, for which group_cache_is_for(), are one group,
   which has no key. */
static bool
is_one_group(const struct spec *spec)
{
    return spec->group_count == 0;
}

bool
group_cache_is_for(const struct spec *spec, size_t i)
{
    if (spec->kind == SPEC_SAMPLES || spec->group_count > GROUP_FIELDS_MAX ||
        spec_dimensions(spec, i) != spec->group_count + 1 ||
        text_type_of(spec->text.kind)->has_numbers || spec->has_weights ||
        spec->adds == ADDS_COUNT)
        return false;
    if (is_one_group(spec))
        return spec->histogram[i].is_listed && spec->only_figures &&
               !spec->ranks.has_other &&
               spec->shown[spec_own_axis(spec, i)].is_decimal;
    for (size_t g = 0; g < spec->group_count; g++) {
        if (spec->shown[g].is_text)
            return false;
    }
    return has_bins(spec, i) || ((spec->only_figures || spec->keeps_numbers) &&
                                 has_numbers(spec, spec_own_axis(spec, i)));
}

/* Whether the numbers of groups are wanted, too. */
static bool
needs_values(const struct spec *spec)
{
    return spec->keeps_numbers || spec->ranks.percentiles > 0 ||
           spec->ranks.has_quartiles;
}

size_t
group_cache_bytes(const struct spec *spec, size_t i)
{
    size_t group =
        sizeof(struct cached_group) + (GROUP_SLOTS + 1) * sizeof(uint32_t);

    if (!has_bins(spec, i))
        group += needs_values(spec) ? sizeof(struct group_values)
                                    : sizeof(struct group_longs);
    if (is_one_group(spec))
        return sizeof(struct group_cache) + LONG_BYTES_EACH + group;
    return sizeof(struct group_cache) +
           (has_bins(spec, i) ? group_bins_bytes() : 0) +
           (spec->group_count > 1 ? GROUP_JOINT_BYTES : 0) + LONG_BYTES_MAX +
           GROUPS_MAX * group;
}

size_t
group_cache_kept_bytes(const struct spec *spec)
{
    return NUMBER_COUNTS_BATCH * spec->text_fields.count *
           sizeof(struct text_slice);
}

void
group_caches_open(struct group_caches *caches, const struct spec *spec,
                  size_t i, struct key_memory *memory, size_t limit)
{
    thread_list_open(&caches->list);
    caches->has_bins = !is_one_group(spec) && has_bins(spec, i);
    caches->has_values = !caches->has_bins && needs_values(spec);
    caches->memory =
        (struct values_memory){.memory = memory, .most = limit / VALUES_SHARE};
}

void
group_caches_close(struct group_caches *caches)
{
    while (caches->list.first != NULL) {
        struct group_cache *cache = (struct group_cache *)caches->list.first;
        thread_list_remove(&caches->list, &cache->link);
        value_pool_close(&cache->pool);
        group_bins_close(cache);
        field_text_close(&cache->field);
        cached_groups_close(cache);
        free(cache->joint);
        free(cache);
    }
    thread_list_close(&caches->list);
}

struct group_cache *
group_cache_new(struct group_caches *caches, const struct spec *spec, size_t i,
                struct key_counter *keys, const struct hash_key *key)
{
    struct group_cache *cache = calloc(1, sizeof *cache);

    if (cache == NULL)
        return NULL;
    cache->spec = spec;
    cache->fields = spec->text_fields.count;
    cache->groups = spec->group_count;
    cache->value = spec_own_axis(spec, i);
    for (size_t g = 0; g < cache->groups; g++)
        cache->may_be_written |= field_value_may_be_written(
            &spec->text, spec->text_fields.field[g].part);
    if (cache->groups > 1)
        cache->joint = calloc(1, GROUP_JOINT_BYTES);
    key_secret_make(&cache->secret, key);
    cache->keys = keys;
    cache->has_values = caches->has_values;
    cache->has_longs = !caches->has_bins && !caches->has_values;
    cache->pool.all = &caches->memory;
    cache->field = number_field_open(spec, cache->value);
    if (caches->has_bins)
        cache->bins = group_bins_new(cache);
    if ((cache->groups > 1) != (cache->joint != NULL) ||
        caches->has_bins != (cache->bins != NULL) ||
        !cached_groups_make_room(cache, cache->groups > 0 ? GROUPS_MIN : 1)) {
        group_bins_close(cache);
        free(cache->joint);
        free(cache);
        return NULL;
    }
    thread_list_add(&caches->list, &cache->link);
    return cache;
}

void
group_cache_leave(struct group_cache *cache)
{
    cache->keys = NULL;
}

void
group_caches_restart(struct group_caches *caches)
{
    for (struct thread_link *at = caches->list.first; at != NULL; at = at->next)
        cached_groups_empty((struct group_cache *)at);
}

enum key_result
group_caches_settle_bins(struct group_caches *caches, struct key_counts *counts)
{
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&caches->list.lock);
    for (struct thread_link *at = caches->list.first;
         at != NULL && result == KEY_OK; at = at->next)
        result = group_bins_settle((struct group_cache *)at, counts);
    pthread_mutex_unlock(&caches->list.lock);
    return result;
}

/* ---- counting ---- */

static inline void
add_number(struct cached_group *group, int64_t nano)
{
    uint64_t carry =
        __builtin_add_overflow(group->sum_low, (uint64_t)nano, &group->sum_low);

    group->sum_high += (nano < 0 ? UINT64_MAX : 0) + carry;
    group->count++;
    group->least = nano < group->least ? nano : group->least;
    group->greatest = nano > group->greatest ? nano : group->greatest;
}

/* Count NANO for GROUP, which is number ENTRY.  Returns false, with nothing
   done, if there is no room for the number. */
static inline __attribute__((always_inline)) bool
add_value(struct group_cache *cache, struct cached_group *group, size_t entry,
          int64_t nano, const bool has_values)
{
    if (!has_values)
        add_number(group, nano);
    else if (!group_values_add(&cache->pool, &cache->values[entry],
                               &group->place, nano)) {
        cache->is_full = true;
        return false;
    }
    return true;
}

/* The same for long number R of the batch. */
static __attribute__((noinline)) bool
add_long(struct group_cache *cache, struct cached_group *group, size_t entry,
         size_t r)
{
    const struct ordered_decimal number = {cache->nano[r], cache->low[r]};

    if (cache->values == NULL) {
        if (cache->low[r] == GROUP_LOW_LONGER)
            group_longs_add_longer(&cache->longs[entry], &cache->sum[r]);
        else
            group_longs_add(&cache->longs[entry], &number);
    } else if (!group_values_add_long(&cache->pool, &cache->values[entry],
                                      number)) {
        cache->is_full = true;
        return false;
    }
    group->count++;
    return true;
}

/* Count number R of the batch for GROUP, as add_value() does.  IS_SHORT: it is
   known to be a nano. */
static inline __attribute__((always_inline)) bool
add_number_of(struct group_cache *cache, struct cached_group *group,
              size_t entry, size_t r, const bool has_values,
              const bool is_short)
{
    return is_short || cache->low[r] == GROUP_LOW_NONE
               ? add_value(cache, group, entry, cache->nano[r], has_values)
               : add_long(cache, group, entry, r);
}

/* Set long number R to NUMBER of TEXT.  Returns whether it can be counted. */
static bool
set_long(struct group_cache *cache, const struct text_number *number,
         const unsigned char *text, size_t r)
{
    struct ordered_decimal decimal;

    if (cache->values == NULL && cache->longs == NULL)
        return false;
    if (ordered_decimal_read(&decimal, number)) {
        cache->nano[r] = decimal.high;
        cache->low[r] = (uint8_t)decimal.low;
        return true;
    }
    cache->low[r] = GROUP_LOW_LONGER;
    return cache->longs != NULL &&
           decimal_sum_read(&cache->sum[r], number, text) == 0;
}

/* Read VALUE, which is not short, as number R.  Returns whether it is a number
   that can be counted. */
static __attribute__((noinline)) bool
read_long(struct group_cache *cache, const unsigned char *data,
          const struct text_slice *value, size_t r)
{
    struct text_number number;

    if (cache->long_pause > 0)
        return false;
    cache->long_tried++;
    const unsigned char *text =
        number_field_scan(&cache->field, data, *value, &number);
    if (text == NULL || (!decimal_nano_read(&cache->nano[r], &number) &&
                         !set_long(cache, &number, text, r)))
        return false;
    cache->long_found++;
    return true;
}

/* Whether number R of the batch is at VALUE. */
static inline bool
has_number(struct group_cache *cache, const unsigned char *data,
           const struct text_slice *value, size_t r)
{
    return cache->nano[r] != SHORT_DECIMALS_NONE ||
           read_long(cache, data, value, r);
}

/* Read the short numbers of RECORDS at SLICE.  Returns whether they all are. */
static bool
read_numbers(struct group_cache *cache, const unsigned char *data,
             const struct text_slice *slice, size_t records)
{
    if (cache->long_pause > 0)
        cache->long_pause--;
    else if (cache->long_tried > GROUP_BATCH / USELESS &&
             cache->long_found < cache->long_tried / USELESS)
        cache->long_pause = PAUSE_BATCHES;
    cache->long_tried = cache->long_found = 0;
    memset(cache->low, GROUP_LOW_NONE, records);
    return short_decimals_read(data, slice + cache->value, records,
                               cache->fields, cache->nano);
}

/* Move RECORD to KEPT. */
static inline void
keep(const struct group_cache *cache, const struct text_slice *record,
     struct text_slice *kept)
{
    memmove(kept, record, cache->fields * sizeof *record);
}

/* Add HIGH * 2^64 + LOW to the sum of GROUP. */
static void
add_sum(struct cached_group *group, uint64_t high, uint64_t low)
{
    group->sum_low += low;
    group->sum_high += high + (group->sum_low < low);
}

/*
 * Count the short numbers among RECORDS at NANO for GROUP, of which no
 * percentiles are wanted.  Returns how many there are.  Plus 2^63, these are
 * above 0, and others are 0.  The halves of numbers are added up, because their
 * sums have no carry.
 */
static size_t
add_short(struct cached_group *group, const int64_t *nano, size_t records)
{
    const uint64_t zero = (uint64_t)1 << 63;
    uint64_t least = UINT64_MAX; /* less 1: no number is the greatest then */
    uint64_t greatest = 0;
    uint64_t low = 0;
    uint64_t high = 0;
    size_t count = 0;

    _Static_assert(SHORT_DECIMALS_NONE == INT64_MIN, "0, plus 2^63");
    for (size_t r = 0; r < records; r++) {
        uint64_t number = (uint64_t)nano[r] + zero;
        count += number != 0;
        low += number & UINT32_MAX;
        high += number >> 32;
        least = number - 1 < least ? number - 1 : least;
        greatest = number > greatest ? number : greatest;
    }
    if (count == 0)
        return 0;
    add_sum(group, high >> 32, high << 32);
    add_sum(group, 0, low);
    /* COUNT * -2^63 */
    add_sum(group, 0 - (uint64_t)(count + 1) / 2, (uint64_t)count << 63);
    group->count += count;
    int64_t first = (int64_t)(least + 1 - zero);
    int64_t last = (int64_t)(greatest - zero);
    group->least = first < group->least ? first : group->least;
    group->greatest = last > group->greatest ? last : group->greatest;
    return count;
}

/*
 * Count RECORDS, GROUP_BATCH at most, at SLICE, as group_cache_add() does; the
 * others move to KEPT.  All records are one group.  Returns how many these are.
 */
static size_t
add_alone(struct group_cache *cache, const unsigned char *data,
          const struct text_slice *slice, size_t records,
          struct text_slice *kept)
{
    const size_t fields = cache->fields;
    struct group_key none;
    size_t count = 0;

    group_key_make(cache, (const unsigned char *)"", 0, &none);
    struct cached_group *group = cached_groups_find(cache, &none);
    struct cached_group figures = *group;
    size_t short_ones = 0;
    (void)read_numbers(cache, data, slice, records);
    if (cache->values == NULL)
        short_ones = add_short(&figures, cache->nano, records);
    for (size_t r = 0; r < records && short_ones < records; r++) {
        if (short_ones > 0 && cache->nano[r] != SHORT_DECIMALS_NONE)
            continue;
        if (!has_number(cache, data, &slice[r * fields + cache->value], r) ||
            !add_number_of(cache, &figures, 0, r, cache->values != NULL, false))
            keep(cache, slice + r * fields, kept + count++ * fields);
    }
    *group = figures;
    return count;
}

/* The keys of RECORDS at SLICE are loaded: those without a number that can be
   counted are none. */
static void
find_numbers(struct group_cache *cache, const unsigned char *data,
             const struct text_slice *slice, size_t records)
{
    for (size_t r = 0; r < records; r++) {
        if (cache->nano[r] == SHORT_DECIMALS_NONE && cache->has_key[r])
            cache->has_key[r] = has_number(
                cache, data, &slice[r * cache->fields + cache->value], r);
    }
}

/*
 * Count the RECORDS at SLICE whose keys and numbers are found; the others move
 * to KEPT.  ARE_USUAL: each record has a key and a short number.  Returns how
 * many others there are.
 */
static inline __attribute__((always_inline)) size_t
add_found(struct group_cache *cache, const struct text_slice *slice,
          size_t records, struct text_slice *kept, const bool has_values,
          const bool are_usual)
{
    const size_t fields = cache->fields;
    size_t count = 0;

    for (size_t r = 0; r < records; r++) {
        if (are_usual || cache->has_key[r]) {
            struct cached_group *group = cached_groups_take(cache, r);
            if (group != NULL &&
                add_number_of(cache, group, (size_t)(group - cache->entry), r,
                              has_values, are_usual))
                continue;
        }
        keep(cache, slice + r * fields, kept + count++ * fields);
    }
    return count;
}

/* In functions of their own, so that the first has no trace of the others. */

static __attribute__((noinline)) size_t
add_to_sums(struct group_cache *cache, const struct text_slice *slice,
            size_t records, struct text_slice *kept)
{
    return add_found(cache, slice, records, kept, false, true);
}

static __attribute__((noinline)) size_t
add_to_values(struct group_cache *cache, const struct text_slice *slice,
              size_t records, struct text_slice *kept)
{
    return add_found(cache, slice, records, kept, true, true);
}

static __attribute__((noinline)) size_t
add_unusual(struct group_cache *cache, const struct text_slice *slice,
            size_t records, struct text_slice *kept)
{
    return add_found(cache, slice, records, kept, cache->values != NULL, false);
}

/*
 * Count RECORDS, GROUP_BATCH at most, at SLICE, as group_cache_add() does; the
 * others move to KEPT.  Returns how many these are.  MORE are behind them.
 */
static size_t
add_batch(struct group_cache *cache, const unsigned char *data,
          const struct text_slice *slice, size_t records, size_t more,
          struct text_slice *kept)
{
    bool are_short = read_numbers(cache, data, slice, records);
    bool have_keys = group_keys_load(cache, data, slice, records, more);

    if (!are_short)
        find_numbers(cache, data, slice, records);
    if (!are_short || !have_keys)
        return add_unusual(cache, slice, records, kept);
    return (cache->values != NULL ? add_to_values : add_to_sums)(cache, slice,
                                                                 records, kept);
}

size_t
group_cache_add(struct group_cache *cache, const unsigned char *data,
                const struct text_slice *slice, size_t records, bool are_plain,
                struct text_slice *kept)
{
    size_t count = 0;

    cache->are_plain = are_plain;
    if (cache->is_full)
        return records;
    if (cache->pause > 0) {
        cache->pause--;
        return records;
    }
    for (size_t done = 0; done < records; done += GROUP_BATCH) {
        size_t batch =
            records - done < GROUP_BATCH ? records - done : GROUP_BATCH;
        const struct text_slice *first = slice + done * cache->fields;
        struct text_slice *rest = kept + count * cache->fields;
        if (cache->groups > 0)
            count += add_batch(cache, data, first, batch,
                               records - done - batch, rest);
        else
            count += add_alone(cache, data, first, batch, rest);
    }
    if ((cache->room == GROUPS_MAX || cache->groups == 0) &&
        records - count < records / USELESS)
        cache->pause = PAUSE_BATCHES;
    return count;
}
