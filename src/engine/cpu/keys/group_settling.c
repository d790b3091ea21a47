/* SPDX-License-Identifier: MIT */
/*
 * group_settling.c -- the groups of all threads as tuples, at the end
 *
 * The groups of all caches move to the first cache.  Then several threads write
 * the tuples of the groups, each with the tables' part of its own
 * (key_counter.h).
 *
 * Where percentiles are wanted, the numbers with the printed ranks are found.
 * They are tuples, and between two neighbours there are as many numbers as
 * before, with the same sum in all.  If a group has long numbers, all its
 * numbers and sums are decimals; without them, integers.  This holds only for
 * groups all of whose numbers are in caches.  If the tables have numbers of a
 * group, too, all numbers in caches become tuples.
 */

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "engine/cpu/keys/cached_groups.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/group_tuples.h"
#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/long_tuples.h"
#include "engine/cpu/keys/tuple_writer.h"

/* Groups that a thread takes at a time, at most, and how many times it takes
   some, at least: few groups may have most numbers. */
#define GROUPS_TAKEN 16
#define GROUPS_TIMES 4

/* A group is large with more than so many parts of the share of a member.
   Members take large groups first, so that no member has one left at the
   end. */
#define SHARE_PARTS 4
#define LARGE_MAX (SHARE_PARTS * CREW_MAX)

/* Another thread is not worth it with fewer groups and numbers. */
#define GROUPS_ALONE 2048
#define NUMBERS_ALONE 65536

/* All members look at the numbers of one group, if it has enough for two. */
#define NUMBERS_EACH ((uint64_t)1 << 18)

struct group_settling {
    struct key_counts *counts;
    const struct spec *spec;
    struct group_cache *first;
    bool is_real;            /* numbers in tuples are doubles */
    bool has_strays;         /* groups for which FIRST had no room */
    atomic_bool *has_others; /* of each group of FIRST: the tables have numbers
                                of the group ... */
    atomic_bool has_any;     /* ... or of any group with a key */
    struct key_counter *member[CREW_MAX]; /* of each; NULL: the one member has
                                             none */
    unsigned int members;
    uint64_t numbers;        /* of all groups */
    uint64_t most;           /* of a group that is not large */
    size_t large[LARGE_MAX]; /* large groups of FIRST, the largest one first */
    size_t larges;
    atomic_size_t large_taken;
    struct group_caches *all;
    size_t step;         /* groups that a member takes at a time */
    atomic_size_t taken; /* groups, or partitions */
    atomic_int result;
};

/* ---- groups ---- */

/* Numbers with known ranks: the least one, ..., the greatest one. */
struct known_numbers {
    size_t count;
    uint64_t rank[SPEC_RANKS_MAX];
    int64_t nano[SPEC_RANKS_MAX];
};

/* Find the numbers of KNOWN, whose ranks are set, in VALUES of several GROUPS
   with EXTREMES. */
static void
find_numbers(struct value_search *search,
             const struct group_values *const *values, size_t groups,
             const struct value_extremes *extremes, struct known_numbers *known)
{
    size_t last = known->count - 1;

    known->nano[0] = extremes->least;
    known->nano[last] = extremes->greatest;
    if (last > 1)
        group_values_find(search, values, groups, extremes, known->rank + 1,
                          last - 1, known->nano + 1);
}

/* Returns the sum of GROUP less the least sum that numbers with KNOWN have. */
static struct wide
find_remainder(const struct cached_group *group,
               const struct known_numbers *known)
{
    struct wide remainder = {group->sum_low, group->sum_high};

    for (size_t k = 0; k < known->count; k++) {
        uint64_t equal =
            k + 1 < known->count ? known->rank[k + 1] - known->rank[k] : 1;
        remainder = wide_subtract(
            remainder, wide_multiply(wide_of_signed(known->nano[k]), equal));
    }
    return remainder;
}

/*
 * Write tuples with the figures of GROUP: the numbers of KNOWN, and between two
 * of them as many numbers as before.  These are two numbers next to each other,
 * as far up as the sum allows, from the lowest ones on.
 */
static void
write_figures(struct tuple_writer *writer, const struct cached_group *group,
              const struct known_numbers *known)
{
    struct wide remainder = find_remainder(group, known);

    for (size_t k = 0; k < known->count; k++) {
        int64_t nano = known->nano[k];
        tuple_writer_put(writer, nano, 1);
        if (k + 1 == known->count || known->rank[k + 1] - known->rank[k] == 1)
            continue;
        uint64_t between = known->rank[k + 1] - known->rank[k] - 1;
        struct wide most = wide_product(between, (uint64_t)known->nano[k + 1] -
                                                     (uint64_t)nano);
        uint64_t above = 0; /* how many are the greater one */
        struct wide share =
            wide_compare(remainder, most) < 0 ? remainder : most;
        remainder = wide_subtract(remainder, share);
        nano += (int64_t)wide_divide(share, between, &above).low;
        tuple_writer_put(writer, nano, between - above);
        tuple_writer_put(writer, nano + 1, above);
    }
}

/* What a member writes with. */
struct group_writer {
    struct group_settling *settling;
    struct value_search *search;
    struct tuple_writer tuples;
};

/* A long_visit(): write the tuple of NUMBER. */
static bool
write_long(void *context, const struct ordered_decimal *number)
{
    return tuple_writer_put_long(context, number, 1);
}

/* Write the tuples of GROUP of CACHE, all of whose numbers are in VALUES. */
static void
write_values(struct group_writer *writer, const struct cached_group *group,
             const struct group_values *values)
{
    const struct spec_ranks *ranks = &writer->settling->spec->ranks;
    const struct value_extremes extremes = {group->count, group->least,
                                            group->greatest};
    struct known_numbers known;

    if (values != NULL && values->more != NULL) {
        long_tuples_write_values(&writer->tuples, writer->search, ranks, group,
                                 values);
        return;
    }
    known.count = spec_ranks_find(ranks, group->count, known.rank);
    find_numbers(writer->search, &values, 1, &extremes, &known);
    write_figures(&writer->tuples, group, &known);
}

/* Write the tuples of group E of CACHE. */
static void
write_group(struct group_writer *writer, const struct group_cache *cache,
            size_t e)
{
    struct group_settling *settling = writer->settling;
    const struct cached_group *group = &cache->entry[e];
    const struct group_values *values =
        cache->values != NULL ? &cache->values[e] : NULL;

    if (group->count == 0)
        return;
    tuple_writer_start(&writer->tuples, cache, group);
    if (values != NULL && (cache != settling->first ||
                           atomic_load_explicit(&settling->has_others[e],
                                                memory_order_relaxed))) {
        if (group_values_visit(values, tuple_writer_put, &writer->tuples))
            (void)group_values_visit_long(values, write_long, &writer->tuples);
    } else if (cache->longs != NULL && group_longs_has_any(&cache->longs[e])) {
        long_tuples_write(&writer->tuples, group, &cache->longs[e]);
    } else {
        write_values(writer, group, values);
    }
}

/* Returns how many places the groups of CACHE have among those that members
   take. */
static size_t
rooms_of(const struct group_settling *settling, const struct group_cache *cache)
{
    size_t step = settling->step;

    return (cache->count + step - 1) / step * step;
}

/* Take the next groups: set *CACHE to theirs, and *FIRST and *END to their
   numbers.  Returns false if none are left. */
static bool
take_groups(struct group_settling *settling, const struct group_cache **cache,
            size_t *first, size_t *end)
{
    const size_t step = settling->step;
    size_t at = atomic_fetch_add(&settling->taken, step);

    for (struct thread_link *link = settling->all->list.first; link != NULL;
         link = link->next) {
        const struct group_cache *groups = (struct group_cache *)link;
        size_t room = rooms_of(settling, groups);
        if (at < room) {
            *cache = groups;
            *first = at;
            *end = at + step < groups->count ? at + step : groups->count;
            return true;
        }
        at -= room;
    }
    return false;
}

/* Returns the writer of MEMBER, whose searches take up to MEMBERS threads;
   NULL: out of memory. */
static struct group_writer *
writer_new(struct group_settling *settling, unsigned int member,
           unsigned int members)
{
    struct group_writer *writer = calloc(1, sizeof *writer);

    if (writer == NULL)
        return NULL;
    writer->settling = settling;
    writer->search = value_search_new(members, NUMBERS_EACH);
    writer->tuples.counts = settling->counts;
    writer->tuples.keys = settling->member[member];
    writer->tuples.is_real = settling->is_real;
    writer->tuples.result = writer->search != NULL ? KEY_OK : KEY_NO_MEMORY;
    return writer;
}

/* Write what WRITER has, note its result, and free it.  NULL: out of memory. */
static void
writer_close(struct group_settling *settling, struct group_writer *writer)
{
    enum key_result result = KEY_NO_MEMORY;
    int none = KEY_OK;

    if (writer != NULL) {
        result = tuple_writer_end(&writer->tuples);
        value_search_free(writer->search);
    }
    free(writer);
    if (result != KEY_OK)
        (void)atomic_compare_exchange_strong(&settling->result, &none,
                                             (int)result);
}

/* Whether all members look at the numbers of group E of CACHE together: it has
   more than the share of one. */
static bool
is_shared(const struct group_settling *settling,
          const struct group_cache *cache, size_t e)
{
    return settling->members > 1 && settling->has_others != NULL &&
           cache == settling->first &&
           cache->entry[e].count > settling->numbers / settling->members &&
           group_values_most(&cache->values[e]) >= 2 * NUMBERS_EACH &&
           !atomic_load_explicit(&settling->has_others[e],
                                 memory_order_relaxed);
}

/* Write the tuples of group E of CACHE, unless it is shared. */
static void
write_alone(struct group_writer *writer, const struct group_cache *cache,
            size_t e)
{
    if (cache->values != NULL) {
        group_values_unite(&cache->values[e]);
        cached_group_complete(cache, e);
    }
    if (!is_shared(writer->settling, cache, e))
        write_group(writer, cache, e);
}

/* The work of a member: write the tuples of some groups. */
static void
write_groups(void *task, unsigned int member)
{
    struct group_settling *settling = task;
    struct group_writer *writer = writer_new(settling, member, 1);
    const struct group_cache *cache = settling->first;
    size_t first, end, at;

    while (writer != NULL && writer->tuples.result == KEY_OK &&
           (at = atomic_fetch_add(&settling->large_taken, 1)) <
               settling->larges)
        write_alone(writer, cache, settling->large[at]);
    while (writer != NULL && writer->tuples.result == KEY_OK &&
           take_groups(settling, &cache, &first, &end)) {
        for (; first < end; first++) {
            if (cache != settling->first ||
                cache->entry[first].count <= settling->most)
                write_alone(writer, cache, first);
        }
    }
    writer_close(settling, writer);
}

/* Write the tuples of the groups that write_groups() has left out, which are
   large. */
static void
write_shared(struct group_settling *settling)
{
    const struct group_cache *first = settling->first;
    size_t l = 0;

    while (l < settling->larges &&
           !is_shared(settling, first, settling->large[l]))
        l++;
    if (l == settling->larges)
        return;
    struct group_writer *writer = writer_new(settling, 0, settling->members);
    for (; writer != NULL && writer->tuples.result == KEY_OK &&
           l < settling->larges;
         l++) {
        if (is_shared(settling, first, settling->large[l]))
            write_group(writer, first, settling->large[l]);
    }
    writer_close(settling, writer);
}

/* ---- numbers that are in tables, too ---- */

/* The key of a tuple. */
struct tuple_key {
    unsigned char byte[GROUP_CODE_ROOM]; /* as join_key() makes it ... */
    size_t size;                         /* ... unless it is too long */
    bool is_whole;                       /* each field has a value */
    bool has_value;                      /* some field has one */
};

/* Add the next component of the code from AT to END to KEY.  Returns the end of
   the component, or NULL: the code is none. */
static const unsigned char *
add_field(struct tuple_key *key, const unsigned char *at,
          const unsigned char *end, bool is_last)
{
    struct key_component field;

    at = key_code_read(at, end, KEY_TEXT, false, &field);
    if (at == NULL || field.tag != KEY_TAG_VALUE) {
        key->is_whole = false;
        return at;
    }
    key->has_value = true;
    if (!key->is_whole ||
        key->size + !is_last + field.text_size > sizeof key->byte) {
        key->is_whole = false;
        return at;
    }
    unsigned char *byte = key->byte + key->size;
    size_t size = key_component_copy(&field, byte + !is_last);
    if (!is_last)
        *byte = (unsigned char)size;
    key->size += size + !is_last;
    key->is_whole = key->size <= GROUP_KEY_MAX;
    return at;
}

/* Returns the group of TUPLE in FIRST, or NULL.  Sets *HAS_NUMBER to whether
   TUPLE has a key, if groups have keys, and a number other than NaN. */
static const struct cached_group *
find_tuple(const struct group_cache *first, const struct key_entry *tuple,
           bool *has_number)
{
    const unsigned char *end = tuple->key + tuple->size;
    const unsigned char *at = tuple->key;
    struct tuple_key key = {.is_whole = true, .has_value = first->groups == 0};
    struct key_component number;
    struct group_key found;

    for (size_t d = 0; d < first->groups && at != NULL; d++)
        at = add_field(&key, at, end, d + 1 == first->groups);
    *has_number = at != NULL && key.has_value &&
                  key_code_read(at, end, KEY_DECIMAL, true, &number) != NULL &&
                  number.tag == KEY_TAG_VALUE && !isnan(number.real);
    if (at == NULL || !key.is_whole)
        return NULL;
    group_key_make(first, key.byte, (uint32_t)key.size, &found);
    return cached_groups_look_up(first, &found);
}

/* Note the group of the tuple ENTRY, if it has a number other than NaN. */
static void
note_tuple(struct group_settling *settling, const unsigned char *entry)
{
    const struct group_cache *first = settling->first;
    const struct key_entry tuple = key_entry_key(entry);
    bool has_number;
    const struct cached_group *found = find_tuple(first, &tuple, &has_number);

    if (!has_number)
        return;
    if (found != NULL)
        atomic_store_explicit(&settling->has_others[found - first->entry], true,
                              memory_order_relaxed);
    atomic_store_explicit(&settling->has_any, true, memory_order_relaxed);
}

/* The work of a member: note the groups of all tuples of some partitions. */
static void
note_tuples(void *task, unsigned int member)
{
    struct group_settling *settling = task;
    size_t partitions = key_counts_partitions(settling->counts);
    const unsigned char *entry;
    size_t p;

    (void)member;
    while ((p = atomic_fetch_add(&settling->taken, 1)) < partitions) {
        const struct key_table *table = &settling->counts->partition[p].table;
        struct key_cursor cursor = {0};
        while ((entry = key_table_next(table, &cursor)) != NULL)
            note_tuple(settling, entry);
    }
}

/* Let the numbers of all groups become tuples. */
static void
note_all(struct group_settling *settling)
{
    atomic_store(&settling->has_any, true);
    for (size_t e = 0; e < settling->first->count; e++)
        atomic_store_explicit(&settling->has_others[e], true,
                              memory_order_relaxed);
}

/*
 * Find which groups have numbers in the tables, too.  The figures of several
 * groups together need all numbers in caches, or all in tables.
 */
static void
note_others(struct group_settling *settling)
{
    const struct key_counts *counts = settling->counts;
    size_t keys = key_counts_keys(counts);

    /* To write the numbers takes no longer than to look at so many tuples. */
    if (counts->runs.count > 0 || keys > settling->numbers) {
        note_all(settling);
        return;
    }
    atomic_store(&settling->taken, 0);
    crew_run(keys < NUMBERS_ALONE ? 1 : settling->members, note_tuples,
             settling);
    if (settling->spec->ranks.has_other &&
        (settling->has_strays || atomic_load(&settling->has_any)))
        note_all(settling);
}

/* ---- all caches ---- */

/* Add MORE, a group with an equal key, to GROUP. */
static void
add_figures(struct cached_group *group, const struct cached_group *more)
{
    uint64_t low = group->sum_low + more->sum_low;

    group->sum_high += more->sum_high + (low < more->sum_low);
    group->sum_low = low;
    group->count += more->count;
    if (more->least < group->least)
        group->least = more->least;
    if (more->greatest > group->greatest)
        group->greatest = more->greatest;
}

/*
 * Move the groups of CACHE to FIRST, where FIRST has room.  Once FIRST had no
 * room for a group, it gets no more groups: memory may be there again, and a
 * group that one cache keeps must not enter FIRST from another one.
 */
static void
join(struct group_settling *settling, struct group_cache *cache)
{
    struct group_cache *first = settling->first;

    for (size_t e = 0; e < cache->count; e++) {
        struct group_key key;
        group_key_of(cache, &cache->entry[e], &key);
        struct cached_group *group = cached_groups_look_up(first, &key);
        if (group == NULL && !settling->has_strays)
            group = cached_groups_add(first, &key);
        if (group == NULL) {
            settling->has_strays |= cache->entry[e].count > 0;
            continue;
        }
        add_figures(group, &cache->entry[e]);
        if (cache->values != NULL)
            group_values_join(&first->values[group - first->entry],
                              &cache->values[e]);
        if (cache->longs != NULL)
            group_longs_join(&first->longs[group - first->entry],
                             &cache->longs[e]);
        cache->entry[e].count = 0;
    }
}

/* Move all groups to the first cache.  Returns how many groups there are then,
   about, and sets the number of their numbers. */
static size_t
join_all(struct group_settling *settling)
{
    struct group_cache *first = settling->first;
    size_t groups = 0;

    for (struct thread_link *at = &first->link; at != NULL; at = at->next) {
        struct group_cache *cache = (struct group_cache *)at;
        cached_groups_end(cache);
        if (cache != first)
            join(settling, cache);
    }
    for (struct thread_link *at = &first->link; at != NULL; at = at->next) {
        const struct group_cache *cache = (struct group_cache *)at;
        for (size_t e = 0; e < cache->count; e++) {
            settling->numbers += cache->entry[e].count;
            groups += cache->entry[e].count > 0;
        }
    }
    return groups;
}

/* Set the members, as many as are useful, the part of the tables for each, and
   how many groups they take at a time. */
static void
find_members(struct group_settling *settling, size_t groups)
{
    uint64_t useful = groups / GROUPS_ALONE + 1;
    unsigned int members = 0;

    if (settling->first->values != NULL)
        useful += settling->numbers / NUMBERS_ALONE;
    for (struct thread_link *at = &settling->first->link;
         at != NULL && members < CREW_MAX && members < useful; at = at->next) {
        struct group_cache *cache = (struct group_cache *)at;
        if (cache->keys != NULL)
            settling->member[members++] = cache->keys;
    }
    settling->members = members > 0 ? members : 1;
    size_t step = groups / settling->members / GROUPS_TIMES;
    if (step > GROUPS_TAKEN)
        step = GROUPS_TAKEN;
    settling->step = step > 0 ? step : 1;
}

/* Note which groups of the first cache are large: fewer than LARGE_MAX. */
static void
find_large(struct group_settling *settling)
{
    const struct group_cache *first = settling->first;

    settling->most = settling->numbers / settling->members / SHARE_PARTS;
    for (size_t e = 0; e < first->count; e++) {
        uint64_t count = first->entry[e].count;
        size_t at = settling->larges;
        if (count <= settling->most)
            continue;
        assert(at < LARGE_MAX);
        for (; at > 0 && first->entry[settling->large[at - 1]].count < count;
             at--)
            settling->large[at] = settling->large[at - 1];
        settling->large[at] = e;
        settling->larges++;
    }
}

/* Forget all groups. */
static void
empty_all(struct group_caches *caches)
{
    for (struct thread_link *at = caches->list.first; at != NULL; at = at->next)
        cached_groups_empty((struct group_cache *)at);
}

/* Write the tuples of groups to the tables. */
static enum key_result
write_all(struct group_settling *settling)
{
    crew_run(settling->members, write_groups, settling);
    if (atomic_load(&settling->result) == KEY_OK)
        write_shared(settling);
    return (enum key_result)atomic_load(&settling->result);
}

/* Let all numbers become tuples: those of FIRST in order; if FIRST had no room,
   the numbers of other caches as the usual keys. */
static enum key_result
keep_numbers(struct group_settling *settling)
{
    struct group_cache *first = settling->first;
    enum key_result result = KEY_OK;

    if (settling->has_strays) {
        atomic_store(&settling->taken, rooms_of(settling, first));
        result = write_all(settling);
    }
    return result == KEY_OK ? group_tuples_make(first, settling->counts)
                            : result;
}

/* As group_caches_settle(), when FIRST is known, and the list is locked. */
static enum key_result
settle(struct group_settling *settling)
{
    struct group_cache *first = settling->first;

    find_members(settling, join_all(settling));
    if (settling->spec->keeps_numbers)
        return keep_numbers(settling);
    if (first->values != NULL) {
        settling->has_others =
            calloc(first->count + 1, sizeof *settling->has_others);
        if (settling->has_others == NULL)
            return KEY_NO_MEMORY;
        note_others(settling);
        find_large(settling);
    }
    atomic_store(&settling->taken, 0);
    enum key_result result = write_all(settling);
    free(settling->has_others);
    return result;
}

enum key_result
group_caches_settle(struct group_caches *caches, struct key_counts *counts)
{
    struct group_settling settling = {
        .counts = counts, .all = caches, .most = UINT64_MAX};
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&caches->list.lock);
    settling.first = (struct group_cache *)caches->list.first;
    caches->has_numbers = false;
    if (settling.first != NULL) {
        settling.spec = settling.first->spec;
        settling.is_real =
            spec_key_kind(settling.spec, settling.first->value) == KEY_REAL;
        result = settle(&settling);
        caches->has_numbers =
            settling.first->values != NULL && settling.spec->ranks.has_other &&
            !settling.spec->keeps_numbers && !atomic_load(&settling.has_any);
    }
    if (!caches->has_numbers)
        empty_all(caches);
    pthread_mutex_unlock(&caches->list.lock);
    return result;
}

/* ---- several groups together ---- */

/* Returns a flag for each group of FIRST, owned, set for the groups of the
   EXCEPTIONS tuples at EXCEPT; or NULL: out of memory. */
static bool *
find_exceptions(const struct group_cache *first, const struct key_entry *except,
                size_t exceptions)
{
    bool *is_left_out = calloc(first->count + 1, sizeof *is_left_out);
    bool has_number;

    for (size_t i = 0; i < exceptions && is_left_out != NULL; i++) {
        const struct cached_group *group =
            find_tuple(first, &except[i], &has_number);
        if (group != NULL)
            is_left_out[group - first->entry] = true;
    }
    return is_left_out;
}

/* Set VALUES to the numbers of groups of FIRST that are not left out, EXTREMES
   to their number and to the extremes of the nanos, and *HAS_LONG to whether
   some are long.  Returns the number of these groups. */
static size_t
gather(const struct group_cache *first, const bool *is_left_out,
       const struct group_values **values, struct value_extremes *extremes,
       bool *has_long)
{
    size_t groups = 0;

    *extremes = (struct value_extremes){0, INT64_MAX, INT64_MIN};
    *has_long = false;
    for (size_t e = 0; e < first->count; e++) {
        const struct cached_group *group = &first->entry[e];
        if (is_left_out[e] || group->count == 0)
            continue;
        values[groups++] = &first->values[e];
        *has_long |= first->values[e].more != NULL;
        extremes->numbers += group->count;
        if (group->least < extremes->least)
            extremes->least = group->least;
        if (group->greatest > extremes->greatest)
            extremes->greatest = group->greatest;
    }
    return groups;
}

/* As find_all(), where no number is long. */
static void
find_nanos(struct value_search *search,
           const struct group_values *const *values, size_t groups,
           const struct value_extremes *extremes, const uint64_t *rank,
           size_t count, struct ordered_decimal *found)
{
    int64_t nano[SPEC_RANKS_MAX];

    group_values_find(search, values, groups, extremes, rank, count, nano);
    for (size_t r = 0; r < count; r++)
        found[r] = ordered_decimal_of_nano(nano[r]);
}

/* Find the numbers with the COUNT ranks at RANK in VALUES of several GROUPS, of
   which EXTREMES are known as in gather(). */
static void
find_all(struct value_search *search, const struct group_values *const *values,
         size_t groups, const struct value_extremes *extremes,
         const uint64_t *rank, size_t count, struct ordered_decimal *found)
{
    struct long_extremes highs = long_extremes_none();

    highs.highs.numbers = extremes->numbers;
    long_extremes_add_nanos(&highs, extremes);
    for (size_t g = 0; g < groups; g++)
        long_extremes_add(&highs, values[g]);
    group_values_find_long(search, values, groups, &highs, rank, count, found);
}

bool
group_caches_find(void *context, const struct key_entry *except,
                  size_t exceptions, const uint64_t *rank, size_t count,
                  struct ordered_decimal *found)
{
    const struct group_caches *caches = context;
    const struct group_cache *first = (struct group_cache *)caches->list.first;
    bool *is_left_out = find_exceptions(first, except, exceptions);
    const struct group_values **values =
        malloc((first->count + 1) * sizeof *values);
    unsigned int members = 0;
    for (const struct thread_link *at = &first->link;
         at != NULL && members < CREW_MAX; at = at->next)
        members++;
    struct value_search *search = value_search_new(members, NUMBERS_EACH);
    bool is_done = is_left_out != NULL && values != NULL && search != NULL;
    struct value_extremes extremes;
    bool has_long;

    if (is_done) {
        size_t groups =
            gather(first, is_left_out, values, &extremes, &has_long);
        (has_long ? find_all : find_nanos)(search, values, groups, &extremes,
                                           rank, count, found);
    }
    value_search_free(search);
    free(values);
    free(is_left_out);
    return is_done;
}
