/* SPDX-License-Identifier: MIT */
/*
 * group_tuples.c -- the tuples of all numbers of groups, in order
 *
 * Several threads sort and write one section of the groups each, to a table of
 * its own.  If the tuples may not fit into the memory that is left, one thread
 * writes all of them; as often as memory runs out, the tables become a run.
 */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "engine/cpu/keys/group_tuples.h"
#include "engine/cpu/keys/key_counter.h"
#include "hist/key_decimal.h"

#define TUPLE_ROOM (GROUP_CODE_ROOM + KEY_CODE_DECIMAL_ROOM)

/* Sections for each thread, and numbers that are worth another thread. */
#define SECTIONS_PER_THREAD 4
#define NUMBERS_ALONE 65536

/* One thread that is alone sorts so many numbers at a time: the share of the
   memory that half of its list takes. */
#define PIECE_SHARE 16

/* With fewer numbers, insertion is faster than counting digits. */
#define INSERTED 24

/* A number, or ordered_decimal's HIGH; and how often it occurs, above LOW. */
struct number_count {
    int64_t high;
    uint64_t rest;
};

#define LOW_BITS 7

/* A group, by its code. */
struct sorted_group {
    const unsigned char *code;
    uint32_t size;
    uint32_t entry;   /* in the cache */
    uint64_t numbers; /* different ones, at most */
};

struct group_sorting {
    const struct group_cache *cache;
    struct key_counts *counts;
    bool is_real; /* numbers are doubles */
    struct sorted_group *group;
    size_t groups;
    unsigned char *codes;
    size_t *end; /* of the groups of each section */
    size_t sections;
    atomic_size_t taken;
    atomic_int result;
};

/* ---- sorting numbers ---- */

struct sorted_tuples;

/* Numbers of a group: ROOM at most; then room for as many, for sorting. */
struct number_list {
    struct number_count *number;
    size_t room;
    size_t count;
    bool is_long; /* numbers are ordered decimals */
    bool has_lows;
    struct sorted_tuples *tuples;
    enum key_result result;
};

/* LIST is full: its numbers become the end of a run. */
static bool end_piece(struct number_list *list);

/* A value_visit(): add NANO. */
static bool
list_nano(void *context, int64_t nano, uint64_t count)
{
    struct number_list *list = context;
    struct ordered_decimal number = {nano, 0};

    if (list->is_long)
        number = ordered_decimal_of_nano(nano);
    if (list->count == list->room && !end_piece(list))
        return false;
    list->has_lows |= number.low != 0;
    list->number[list->count++] =
        (struct number_count){number.high, count << LOW_BITS | number.low};
    return true;
}

/* A long_visit(): add NUMBER. */
static bool
list_long(void *context, const struct ordered_decimal *number)
{
    struct number_list *list = context;

    if (list->count == list->room && !end_piece(list))
        return false;
    list->has_lows |= number->low != 0;
    list->number[list->count++] = (struct number_count){
        number->high, (uint64_t)1 << LOW_BITS | number->low};
    return true;
}

static uint32_t
low_of(const struct number_count *number)
{
    return (uint32_t)number->rest & ((1u << LOW_BITS) - 1);
}

static bool
is_less(const struct number_count *a, const struct number_count *b)
{
    return a->high != b->high ? a->high < b->high : low_of(a) < low_of(b);
}

static void
insert_all(struct number_count *number, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct number_count moved = number[i];
        size_t j = i;
        for (; j > 0 && is_less(&moved, &number[j - 1]); j--)
            number[j] = number[j - 1];
        number[j] = moved;
    }
}

/* Returns the digit of NUMBER, a byte of its distance from LEAST; or its LOW,
   if SHIFT is that of no byte. */
static inline size_t
digit_of(const struct number_count *number, int64_t least, unsigned int shift)
{
    if (shift >= 64)
        return low_of(number);
    return ((uint64_t)number->high - (uint64_t)least) >> shift & 255;
}

/* Sort COUNT numbers FROM by a digit, to TO.  Returns false, with nothing done,
   if all have the same digit. */
static bool
sort_by_digit(const struct number_count *from, struct number_count *to,
              size_t count, int64_t least, unsigned int shift)
{
    size_t place[256] = {0};
    size_t next = 0;

    for (size_t i = 0; i < count; i++)
        place[digit_of(&from[i], least, shift)]++;
    if (place[digit_of(&from[0], least, shift)] == count)
        return false;
    for (size_t d = 0; d < 256; d++) {
        size_t numbers = place[d];
        place[d] = next;
        next += numbers;
    }
    for (size_t i = 0; i < count; i++)
        to[place[digit_of(&from[i], least, shift)]++] = from[i];
    return true;
}

/* Sort LIST, from the last digit on.  Returns where the sorted numbers are. */
static struct number_count *
sort_list(struct number_list *list)
{
    struct number_count *from = list->number;
    struct number_count *to = list->number + list->room;
    int64_t least = INT64_MAX;
    int64_t greatest = INT64_MIN;

    if (list->count <= INSERTED) {
        insert_all(from, list->count);
        return from;
    }
    for (size_t i = 0; i < list->count; i++) {
        least = from[i].high < least ? from[i].high : least;
        greatest = from[i].high > greatest ? from[i].high : greatest;
    }
    uint64_t range = (uint64_t)greatest - (uint64_t)least;
    for (unsigned int digit = list->has_lows ? 0 : 1;
         digit <= 8 && (digit == 0 || range >> 8 * (digit - 1) > 0); digit++) {
        unsigned int shift = digit == 0 ? 64 : 8 * (digit - 1);
        if (!sort_by_digit(from, to, list->count, least, shift))
            continue;
        struct number_count *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}

/* ---- tuples ---- */

/* The tuples of a group, which go to TABLE. */
struct sorted_tuples {
    const struct group_sorting *sorting;
    struct key_table *table;
    bool may_spill; /* this thread is alone */
    size_t group_size;
    unsigned char code[TUPLE_ROOM];
};

/* Add the tuple whose code ends at END, COUNT times. */
static enum key_result
add_tuple(struct sorted_tuples *tuples, const unsigned char *end,
          uint64_t count)
{
    struct key_counts *counts = tuples->sorting->counts;
    uint32_t size = (uint32_t)(end - tuples->code);

    return tuples->may_spill ? key_counter_append(counts, &tuples->table,
                                                  tuples->code, size, count)
                             : key_counts_append(counts, tuples->table,
                                                 tuples->code, size, count);
}

static double
double_of(const struct number_count *counted, bool is_long)
{
    const struct ordered_decimal number = {counted->high, low_of(counted)};

    return is_long ? key_decimal_ordered_double(&number)
                   : key_decimal_nano_double(counted->high);
}

/* Add the tuples of the COUNT numbers at NUMBER, which are sorted, as doubles.
   Different decimals may be the same double. */
static enum key_result
add_doubles(struct sorted_tuples *tuples, const struct number_count *number,
            size_t count, bool is_long)
{
    unsigned char *at = tuples->code + tuples->group_size;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < count && result == KEY_OK;) {
        double value = double_of(&number[i], is_long);
        uint64_t times = 0;
        do
            times += number[i++].rest >> LOW_BITS;
        while (i < count && double_of(&number[i], is_long) == value);
        result = add_tuple(tuples, key_code_put_real(at, value), times);
    }
    return result;
}

/* The same as decimals. */
static enum key_result
add_decimals(struct sorted_tuples *tuples, const struct number_count *number,
             size_t count, bool is_long)
{
    unsigned char *at = tuples->code + tuples->group_size;
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < count && result == KEY_OK;) {
        const struct ordered_decimal decimal = {number[i].high,
                                                low_of(&number[i])};
        uint64_t times = 0;
        do
            times += number[i++].rest >> LOW_BITS;
        while (i < count && number[i].high == decimal.high &&
               low_of(&number[i]) == decimal.low);
        result = add_tuple(tuples,
                           is_long ? key_decimal_put_ordered(at, &decimal)
                                   : key_decimal_put_nano(at, decimal.high),
                           times);
    }
    return result;
}

/* ---- groups ---- */

/* Sort the numbers of LIST and add their tuples. */
static enum key_result
add_list(struct number_list *list)
{
    struct sorted_tuples *tuples = list->tuples;
    const struct number_count *sorted = sort_list(list);

    return tuples->sorting->is_real
               ? add_doubles(tuples, sorted, list->count, list->is_long)
               : add_decimals(tuples, sorted, list->count, list->is_long);
}

static bool
end_piece(struct number_list *list)
{
    struct key_counts *counts = list->tuples->sorting->counts;

    list->result = add_list(list);
    if (list->result == KEY_OK)
        list->result = key_counter_spill(counts);
    if (list->result == KEY_OK)
        list->result = key_counts_open_sorted(counts, 1);
    list->tuples->table = counts->sorted;
    list->count = 0;
    list->has_lows = false;
    return list->result == KEY_OK;
}

/* Add the tuples of GROUP, with LIST. */
static enum key_result
add_group(struct sorted_tuples *tuples, const struct sorted_group *group,
          struct number_list *list)
{
    const struct group_cache *cache = tuples->sorting->cache;
    const struct group_values *values = &cache->values[group->entry];

    memcpy(tuples->code, group->code, group->size);
    tuples->group_size = group->size;
    list->count = 0;
    list->is_long = values->more != NULL;
    list->has_lows = false;
    list->result = KEY_OK;
    if (!group_values_visit(values, list_nano, list) ||
        !group_values_visit_long(values, list_long, list))
        return list->result;
    return list->count > 0 ? add_list(list) : KEY_OK;
}

/* Add the tuples of the groups from FIRST on and before END to TABLE.  Lists
   have at most MOST numbers; if a group may have more, this thread is alone. */
static enum key_result
add_groups(struct group_sorting *sorting, struct key_table *table, size_t first,
           size_t end, uint64_t most)
{
    struct sorted_tuples tuples = {
        .sorting = sorting,
        .table = table,
        .may_spill = most != UINT64_MAX,
    };
    struct key_memory *memory = &sorting->counts->memory;
    struct number_list list = {.tuples = &tuples};
    enum key_result result = KEY_OK;
    uint64_t room = 1;

    for (size_t g = first; g < end; g++)
        room =
            sorting->group[g].numbers > room ? sorting->group[g].numbers : room;
    list.room = (size_t)(room < most ? room : most);
    size_t bytes = 2 * list.room * sizeof *list.number;
    list.number = key_memory_take(memory, bytes, &result);
    for (size_t g = first; g < end && result == KEY_OK; g++)
        result = add_group(&tuples, &sorting->group[g], &list);
    key_memory_give(memory, list.number, bytes);
    return result;
}

/* The work of a member: some sections. */
static void
add_sections(void *task, unsigned int member)
{
    struct group_sorting *sorting = task;
    int none = KEY_OK;
    size_t s;

    (void)member;
    while ((s = atomic_fetch_add(&sorting->taken, 1)) < sorting->sections) {
        enum key_result result = add_groups(
            sorting, &sorting->counts->sorted[s],
            s > 0 ? sorting->end[s - 1] : 0, sorting->end[s], UINT64_MAX);
        if (result != KEY_OK)
            (void)atomic_compare_exchange_strong(&sorting->result, &none,
                                                 (int)result);
    }
}

/* ---- all groups ---- */

static int
compare_groups(const void *a, const void *b)
{
    const struct sorted_group *left = a;
    const struct sorted_group *right = b;
    uint32_t size = left->size < right->size ? left->size : right->size;
    int sign = memcmp(left->code, right->code, size);

    return sign != 0 ? sign
                     : (left->size > right->size) - (left->size < right->size);
}

/* Sort the groups of the cache.  Returns false if memory is short. */
static bool
sort_groups(struct group_sorting *sorting)
{
    const struct group_cache *cache = sorting->cache;
    size_t room = 1;

    for (size_t e = 0; e < cache->count; e++) {
        const uint64_t *word = cache->entry[e].word;
        size_t bytes = key_words_are_long(word) ? group_long_size(word)
                                                : HASH_WORDS * sizeof *word;
        room += KEY_CODE_TEXT_ROOM(bytes) +
                GROUP_FIELDS_MAX * KEY_CODE_TEXT_ROOM(0);
    }
    sorting->codes = malloc(room);
    sorting->group = malloc((cache->count + 1) * sizeof *sorting->group);
    if (sorting->codes == NULL || sorting->group == NULL)
        return false;
    unsigned char *at = sorting->codes;
    for (size_t e = 0; e < cache->count; e++) {
        if (cache->entry[e].count == 0)
            continue;
        unsigned char *end = cached_group_put(cache, &cache->entry[e], at);
        sorting->group[sorting->groups++] = (struct sorted_group){
            .code = at,
            .size = (uint32_t)(end - at),
            .entry = (uint32_t)e,
            .numbers = group_values_most(&cache->values[e]),
        };
        at = end;
    }
    qsort(sorting->group, sorting->groups, sizeof *sorting->group,
          compare_groups);
    return true;
}

/* Cut the groups into at most SECTIONS sections of about equally many numbers,
   which are TOTAL.  Returns false if memory is short. */
static bool
cut_sections(struct group_sorting *sorting, size_t sections, uint64_t total)
{
    uint64_t numbers = 0;

    sorting->end = malloc(sections * sizeof *sorting->end);
    if (sorting->end == NULL)
        return false;
    for (size_t g = 0; g < sorting->groups; g++) {
        numbers += sorting->group[g].numbers;
        if (g + 1 == sorting->groups || numbers >= total / sections + 1) {
            sorting->end[sorting->sections++] = g + 1;
            numbers = 0;
        }
    }
    return true;
}

/* Returns whether all tuples fit into the memory that is left, with lists for
   MEMBERS threads. */
static bool
fits(const struct group_sorting *sorting, unsigned int members)
{
    const struct key_memory *memory = &sorting->counts->memory;
    size_t used = atomic_load(&memory->used);
    size_t left = used < memory->limit ? memory->limit - used : 0;
    uint64_t most = 0;
    double bytes = 0;

    for (size_t g = 0; g < sorting->groups; g++) {
        const struct sorted_group *group = &sorting->group[g];
        double tuple = group->size + KEY_CODE_ROOM + KEY_ENTRY_HEAD_MAX + 8 +
                       KEY_PLACE_BYTES;
        most = group->numbers > most ? group->numbers : most;
        bytes += tuple * (double)group->numbers;
    }
    bytes += 2.0 * members * (double)most * sizeof(struct number_count);
    bytes += KEY_BLOCK_BYTES * (1.0 + members * SECTIONS_PER_THREAD);
    return bytes < (double)left;
}

/* Add the tuples of all groups to tables, with MEMBERS threads.  KEY_LIMIT:
   they do not fit. */
static enum key_result
add_by_members(struct group_sorting *sorting, unsigned int members)
{
    struct key_counts *counts = sorting->counts;
    enum key_result result = key_counts_open_sorted(counts, sorting->sections);

    if (result == KEY_OK) {
        crew_run(members, add_sections, sorting);
        result = (enum key_result)atomic_load(&sorting->result);
    }
    if (result != KEY_OK)
        key_counts_close_sorted(counts);
    return result;
}

/* Add the tuples of all groups with this thread, as far as memory allows. */
static enum key_result
add_alone(struct group_sorting *sorting)
{
    struct key_counts *counts = sorting->counts;
    uint64_t most =
        counts->memory.limit / PIECE_SHARE / sizeof(struct number_count) + 1;
    enum key_result result = key_counter_spill(counts);

    if (result == KEY_OK)
        result = key_counts_open_sorted(counts, 1);
    return result == KEY_OK
               ? add_groups(sorting, counts->sorted, 0, sorting->groups, most)
               : result;
}

enum key_result
group_tuples_make(const struct group_cache *cache, struct key_counts *counts)
{
    struct group_sorting sorting = {.cache = cache, .counts = counts};
    unsigned int members =
        counts->threads < CREW_MAX ? counts->threads : CREW_MAX;
    enum key_result result = KEY_NO_MEMORY;
    uint64_t numbers = 0;

    sorting.is_real = spec_key_kind(cache->spec, cache->value) == KEY_REAL;
    if (sort_groups(&sorting)) {
        for (size_t g = 0; g < sorting.groups; g++)
            numbers += sorting.group[g].numbers;
        if (numbers / NUMBERS_ALONE + 1 < members)
            members = (unsigned int)(numbers / NUMBERS_ALONE + 1);
        if (cut_sections(&sorting, (size_t)members * SECTIONS_PER_THREAD,
                         numbers))
            result = fits(&sorting, members) ? add_by_members(&sorting, members)
                                             : KEY_LIMIT;
        if (result == KEY_LIMIT)
            result = add_alone(&sorting);
    }
    free(sorting.end);
    free(sorting.group);
    free(sorting.codes);
    return result;
}
