/* SPDX-License-Identifier: MIT */
/*
 * test_group_values.c -- the numbers of groups, beside qsort()
 *
 * Two pools have numbers of one group.  Joined, each rank must have the number
 * that it has in a sorted array, and a visit must see each number as often as
 * it was added.  A pool without room must keep what it has, also if more numbers
 * are tried, some of which may have room.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/wide_integer.h"
#include "engine/cpu/keys/group_values.h"

#define NUMBERS (IS_INSTRUMENTED ? 20000 : 60000)
#define NUMBERS_MAX 60000
#define RANKS 12
#define GROUPS 200
#define POOLS 2
#define REFUSED 600 /* numbers without room, before no more are tried */
#define LARGE ((size_t)64 << 20)
#define SMALL ((size_t)200 << 10)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static int64_t nano[NUMBERS_MAX]; /* that were added */
static size_t added;

/* ---- numbers ---- */

static int64_t
signed_noise(uint64_t most)
{
    return (int64_t)(noise() % (2 * most + 1)) - (int64_t)most;
}

static int64_t
make_one(size_t i)
{
    (void)i;
    return 7250000000;
}

static int64_t
make_few(size_t i)
{
    (void)i;
    return signed_noise(400) * 100000000;
}

/* Most numbers are near each other; some are not, or have another unit. */
static int64_t
make_outliers(size_t i)
{
    if (i % 17 == 0)
        return signed_noise(UINT64_C(1) << (1 + noise() % 61));
    return make_few(i) + (i > 5000 && i % 5 == 0 ? 50000000 : 0);
}

/* After some time more and more numbers have no cells. */
static int64_t
make_strays(size_t i)
{
    if (i < 5000 || noise() % 8 > i / 5000)
        return make_few(i);
    return signed_noise(UINT64_C(1) << 60);
}

static int64_t
make_ascending(size_t i)
{
    return (int64_t)i * 10000000;
}

static int64_t
make_different(size_t i)
{
    (void)i;
    return signed_noise((UINT64_C(1) << 62) - 1);
}

/* Many equal numbers below and above few others. */
static int64_t
make_steps(size_t i)
{
    return i % 3 == 0   ? -(INT64_C(1) << 62) + 1
           : i % 3 == 1 ? (INT64_C(1) << 62) - 1
                        : signed_noise(1000);
}

/* Each pool has a range of its own, which overlaps those of others. */
static int64_t
make_ranges(size_t i)
{
    return make_few(i) + (int64_t)(i % POOLS) * 30000000000;
}

/* The second pool has numbers with another unit. */
static int64_t
make_units(size_t i)
{
    return i % POOLS == 0 ? signed_noise(400) * 1000000000 : make_few(i);
}

/* More numbers above them after some time: cells grow. */
static int64_t
make_growing(size_t i)
{
    return make_few(i) * (i / POOLS > 2000 && i % POOLS == 0 ? 5 : 1);
}

/* Numbers that most of 32 bits are for, most of them different. */
static int64_t
make_whole(size_t i)
{
    (void)i;
    return signed_noise(1000000000) * 1000000000;
}

/* More and more decimals; some pages have a unit of their own. */
static int64_t
make_finer(size_t i)
{
    static const int64_t unit[] = {1000000000, 10000000, 100, 1};

    return signed_noise(2000000000) * unit[i * COUNT(unit) / NUMBERS_MAX];
}

/* Now and then all numbers are far from those before. */
static int64_t
make_moving(size_t i)
{
    return ((int64_t)(i / 700 * 3) << 32) + signed_noise(UINT64_C(1) << 30);
}

/* As far from 0 as can be, with and without a number of 2^31 units less. */
static int64_t
make_edges(size_t i)
{
    const int64_t most = INT64_C(9000000000) * 1000000000;

    return i / 1000 % 2 == 0
               ? -most - (int64_t)(noise() % 200000000) * 1000000000
               : most + (int64_t)(noise() % 200000000) * 1000000000;
}

/* Differences of 2^32 units and one less. */
static int64_t
make_widest(size_t i)
{
    const int64_t half = INT64_C(1) << 31;
    int64_t units = i % 300 == 0 ? half - (int64_t)(noise() % 2)
                                 : -half + (int64_t)(noise() % 1000);

    return i / 3000 % 2 == 0 ? units : units * 1000000000;
}

/* Pages with another unit have numbers between these. */
static int64_t
make_between(size_t i)
{
    return (int64_t)(noise() % 20000) * 1000000000 +
           (i / 2000 % 2 == 0 ? 0 : (int64_t)(noise() % 1000000000));
}

/* A few pages with numbers far above. */
static int64_t
make_far(size_t i)
{
    return make_whole(i) + (i / 400 == 20 ? INT64_C(8000000000000000000) : 0);
}

/* Next to the range of these is no multiple of their unit.  Some numbers, added
   later, are such a multiple plus 2^64. */
static int64_t
make_least(size_t i)
{
    return i > 5000 && i % 7 == 0
               ? INT64_C(9223372036709551616)
               : -(INT64_C(9223371979) + (int64_t)(noise() % 52)) * 1000000000;
}

/* Pages of different ranges, half of whose numbers have cells later. */
static int64_t
make_late(size_t i)
{
    if (i < 3000 && noise() % 2)
        return make_few(i) + (int64_t)(i / 500) * 300000000000000000;
    return make_few(i);
}

static const struct {
    const char *name;
    int64_t (*make)(size_t i);
} kinds[] = {
    {"one number", make_one},
    {"few numbers", make_few},
    {"outliers", make_outliers},
    {"strays", make_strays},
    {"ascending numbers", make_ascending},
    {"different numbers", make_different},
    {"extremes", make_steps},
    {"other ranges", make_ranges},
    {"other units", make_units},
    {"growing ranges", make_growing},
    {"whole numbers", make_whole},
    {"finer units", make_finer},
    {"moving ranges", make_moving},
    {"the edges", make_edges},
    {"the least numbers", make_least},
    {"the widest ranges", make_widest},
    {"units between units", make_between},
    {"a far page", make_far},
    {"late cells", make_late},
};

/* ---- checks ---- */

static int
compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* What a visit has seen. */
struct seen {
    uint64_t count;
    uint64_t sum; /* modulo 2^64, of numbers and squares */
    uint64_t squares;
};

static bool
see(void *context, int64_t number, uint64_t count)
{
    struct seen *seen = context;

    seen->count += count;
    seen->sum += count * (uint64_t)number;
    seen->squares += count * (uint64_t)number * (uint64_t)number;
    return true;
}

/* Whether a visit of VALUES sees all numbers. */
static bool
sees_all(const struct group_values *values)
{
    struct seen seen = {0};
    struct seen wanted = {0};

    for (size_t i = 0; i < added; i++)
        see(&wanted, nano[i], 1);
    return group_values_visit(values, see, &seen) &&
           memcmp(&seen, &wanted, sizeof seen) == 0;
}

/* Whether a search in the VALUES of some groups finds the numbers with the COUNT
   ranks at RANK, which get in order, together and one by one. */
static bool
finds(struct value_search *search, const struct group_values *const *values,
      size_t groups, uint64_t *rank, size_t count)
{
    struct value_extremes extremes = {added, nano[0], nano[added - 1]};
    int64_t found[RANKS];

    for (size_t i = 1; i < count; i++) {
        for (size_t j = i; j > 0 && rank[j - 1] > rank[j]; j--) {
            uint64_t other = rank[j];
            rank[j] = rank[j - 1];
            rank[j - 1] = other;
        }
    }
    group_values_find(search, values, groups, &extremes, rank, count, found);
    for (size_t i = 0; i < count; i++) {
        int64_t alone;
        group_values_find(search, values, groups, &extremes, &rank[i], 1,
                          &alone);
        if (found[i] != nano[rank[i] - 1] || alone != found[i])
            return false;
    }
    return true;
}

/* Whether a search in the VALUES of some groups finds few and many ranks. */
static bool
finds_in_groups(struct value_search *search,
                const struct group_values *const *values, size_t groups)
{
    uint64_t few[] = {1, added / 4 + 1, added / 2 + 1, added};
    uint64_t many[RANKS];

    for (size_t r = 0; r < RANKS; r++)
        many[r] = 1 + noise() % added;
    return finds(search, values, groups, few, COUNT(few)) &&
           finds(search, values, groups, many, RANKS);
}

/* The same of one group. */
static bool
finds_ranks(struct value_search *search, const struct group_values *values)
{
    return finds_in_groups(search, &values, 1);
}

/* Join the POOLS VALUES, whose next numbers go to PLACE.  Returns whether their
   figures are those of all numbers. */
static bool
has_figures(struct group_values *values, const struct value_place *place)
{
    struct value_figures all = {.least = INT64_MAX, .greatest = INT64_MIN};
    struct value_figures figures;
    struct wide sum = {0};
    struct wide wanted = {0};

    for (size_t p = 0; p < POOLS; p++) {
        group_values_end(&values[p], &place[p], &figures);
        all.count += figures.count;
        all.least = figures.least < all.least ? figures.least : all.least;
        if (figures.greatest > all.greatest)
            all.greatest = figures.greatest;
        sum = wide_add(sum, (struct wide){figures.sum_low, figures.sum_high});
    }
    all.sum_low = sum.low;
    all.sum_high = sum.high;
    group_values_join(&values[0], &values[1]);
    group_values_complete(&values[0], &all);
    for (size_t i = 0; i < added; i++)
        wanted = wide_add(wanted, wide_of_signed(nano[i]));
    qsort(nano, added, sizeof *nano, compare);
    return added > 0 && all.count == added && all.least == nano[0] &&
           all.greatest == nano[added - 1] &&
           wide_compare((struct wide){all.sum_low, all.sum_high}, wanted) == 0;
}

/* Let the cells of VALUES, if there are any, have room for a few numbers. */
static void
fill_cells(struct group_values *values)
{
    if (values->cells != NULL)
        values->cells->numbers = UINT32_MAX - noise() % 2000;
}

/* Whether no cells of VALUES have more numbers than a counter can count. */
static bool
can_count(const struct group_values *values)
{
    for (const struct value_cells *cells = values->cells; cells != NULL;
         cells = cells->next) {
        if (cells->numbers > UINT32_MAX)
            return false;
    }
    return true;
}

/* Let each POOL need memory for the next page.  Returns how much there is. */
static size_t
leave_nothing(struct value_pool *pool)
{
    for (size_t p = 0; p < POOLS; p++)
        pool[p].used = KEY_BLOCK_BYTES;
    return 0;
}

/* Add at most COUNT numbers of KIND to POOLS pools in turns, and check.  After
   each EACH numbers, if that is not 0, the cells are full, and there is no
   memory for a third of the time. */
static void
try_kind(size_t kind, size_t count, size_t most, size_t each,
         struct value_search *search)
{
    struct key_memory memory;
    struct values_memory all = {.memory = &memory, .most = most};
    struct value_pool pool[POOLS] = {{.all = &all}, {.all = &all}};
    struct group_values values[POOLS] = {{0}};
    struct value_place place[POOLS] = {{0}};
    size_t refused = 0;

    key_memory_open(&memory, LARGE);
    added = 0;
    for (size_t i = 0; i < count && refused < REFUSED; i++) {
        int64_t number = kinds[kind].make(i);
        if (each > 0 && i % each == 0) {
            fill_cells(&values[i / each % POOLS]);
            all.most = i / each % 3 == 2 ? leave_nothing(pool) : most;
        }
        if (group_values_add(&pool[i % POOLS], &values[i % POOLS],
                             &place[i % POOLS], number))
            nano[added++] = number;
        else
            refused += all.most > 0;
    }
    bool is_right = has_figures(values, place) && sees_all(&values[0]);
    ok(is_right && finds_ranks(search, &values[0]), "%s, %zu of %zu",
       kinds[kind].name, added, count);
    group_values_unite(&values[0]);
    ok(finds_ranks(search, &values[0]) && sees_all(&values[0]) &&
           can_count(&values[0]),
       "... with their cells in one");
    for (size_t p = 0; p < POOLS; p++)
        value_pool_close(&pool[p]);
    ok(atomic_load(&all.taken) == 0 && atomic_load(&memory.used) == 0,
       "... their memory is given back");
    key_memory_close(&memory);
}

/* Numbers of 32 bits, in a unit that is known later, take no more than so many
   bytes each, also where another group has numbers of no unit. */
static void
try_memory(int64_t unit)
{
    struct key_memory memory;
    struct values_memory all = {.memory = &memory, .most = LARGE};
    struct value_pool pool = {.all = &all};
    struct group_values values = {0};
    struct value_place place = {0};
    struct group_values others = {0};
    struct value_place other_place = {0};
    struct value_figures figures;

    key_memory_open(&memory, LARGE);
    for (size_t i = 0; i < NUMBERS_MAX; i++) {
        if ((i < 1000 && !group_values_add(&pool, &others, &other_place,
                                           signed_noise(INT64_MAX / 8))) ||
            !group_values_add(&pool, &values, &place,
                              signed_noise(1000000000) * unit))
            abort();
    }
    group_values_end(&values, &place, &figures);
    ok(group_values_most(&values) == NUMBERS_MAX &&
           atomic_load(&all.taken) <
               NUMBERS_MAX * (sizeof(uint32_t) + 1) + KEY_BLOCK_BYTES,
       "numbers of 32 bits are packed");
    value_pool_close(&pool);
    key_memory_close(&memory);
}

/* Make one of STEP numbers in the pages of VALUES greater than the others if
   IS_ABOVE, and else farther from 0: a sample with this step has no others. */
static void
make_regular(const struct group_values *values, size_t step, bool is_above)
{
    size_t at = 0;

    for (struct value_page *page = values->page; page != NULL;
         page = page->next) {
        for (size_t i = 0; i < value_page_used(values, page); i++, at++) {
            int64_t number = signed_noise(1000);
            if (at % step == 0)
                number =
                    signed_noise(1000000) + (is_above ? INT64_C(1) << 40 : 0);
            page->nano[i] = nano[at] = number;
        }
    }
}

/* A sample misleads.  Steps are tried around the one of the search. */
static void
try_regular(struct value_search *search)
{
    struct key_memory memory;
    struct values_memory all = {.memory = &memory, .most = LARGE};
    struct value_pool pool = {.all = &all};
    struct group_values values = {0};
    struct value_place place = {0};
    struct value_figures figures;
    bool is_right = true;

    key_memory_open(&memory, LARGE);
    for (added = 0; added < NUMBERS; added++) {
        if (!group_values_add(&pool, &values, &place, make_different(added)))
            abort();
    }
    group_values_end(&values, &place, &figures);
    for (size_t step = 8; step < 32; step++) {
        make_regular(&values, step, step % 2);
        qsort(nano, added, sizeof *nano, compare);
        is_right &= finds_ranks(search, &values);
        make_regular(&values, step, step % 2 == 0);
        qsort(nano, added, sizeof *nano, compare);
        is_right &= finds_ranks(search, &values);
    }
    ok(is_right, "numbers that a sample lacks");
    value_pool_close(&pool);
    key_memory_close(&memory);
}

/* Numbers of KIND in GROUPS groups, from large to small ones. */
static void
try_groups(size_t kind, struct value_search *search)
{
    struct key_memory memory;
    struct values_memory all = {.memory = &memory, .most = LARGE};
    struct value_pool pool = {.all = &all};
    struct group_values values[GROUPS] = {{0}};
    const struct group_values *of_group[GROUPS];
    struct value_place place[GROUPS] = {{0}};
    struct value_figures figures;

    key_memory_open(&memory, LARGE);
    for (added = 0; added < NUMBERS; added++) {
        size_t g = noise() % (1 + noise() % GROUPS);
        nano[added] = kinds[kind].make(added);
        if (!group_values_add(&pool, &values[g], &place[g], nano[added]))
            abort();
    }
    for (size_t g = 0; g < GROUPS; g++) {
        group_values_end(&values[g], &place[g], &figures);
        of_group[g] = &values[g];
    }
    qsort(nano, added, sizeof *nano, compare);
    ok(finds_in_groups(search, of_group, GROUPS), "%s of %d groups",
       kinds[kind].name, GROUPS);
    value_pool_close(&pool);
    key_memory_close(&memory);
}

/* ---- long numbers ---- */

static struct ordered_decimal ordered[NUMBERS_MAX]; /* that were added */

static int
compare_ordered(const void *a, const void *b)
{
    const struct ordered_decimal *x = a;
    const struct ordered_decimal *y = b;

    if (x->high != y->high)
        return x->high < y->high ? -1 : 1;
    return (x->low > y->low) - (x->low < y->low);
}

/* Returns a number that is no nano; KIND is how many of them are equal in their
   first 17 digits. */
static struct ordered_decimal
make_long(unsigned int kind)
{
    static const unsigned int shift[] = {5, 14, 40, 63};
    struct text_number number = {.kind = TEXT_NUMBER_FINITE};
    struct ordered_decimal made;

    number.digits = UINT64_C(5000000000000000001) +
                    10 * (noise() % (UINT64_C(1) << shift[kind] >> 5));
    number.exponent = kind == 3 ? (int)(noise() % 30) - 25 : -12;
    number.is_negative = noise() % 2;
    if (noise() % 100 == 0)
        number.kind = TEXT_NUMBER_INFINITE;
    if (!ordered_decimal_read(&made, &number))
        abort();
    return made;
}

/* A long_visit(): add NUMBER to a sum. */
static bool
see_long(void *context, const struct ordered_decimal *number)
{
    *(uint64_t *)context +=
        (uint64_t)number->high * (UINT64_C(1000003) + number->low);
    return true;
}

/* Add COUNT numbers to the values of POOLS pools in turns, 1 / SHARE of them
   nanos.  Sets NANOS to the extremes of these, and SORTED, which is not sorted
   yet, to all.  Returns how many had room. */
static size_t
add_mixed(struct value_pool *pool, size_t pools, struct group_values *values,
          struct value_extremes *nanos, unsigned int kind, size_t count,
          unsigned int share, struct ordered_decimal *sorted)
{
    struct value_place place[POOLS] = {{0}};
    struct value_figures figures;
    size_t kept = 0;

    *nanos = (struct value_extremes){0, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < count; i++) {
        size_t p = i % pools;
        if (share != 0 && noise() % share == 0) {
            int64_t number = noise() % 2 ? make_outliers(i) : make_steps(i);
            if (!group_values_add(&pool[p], &values[p], &place[p], number))
                continue;
            sorted[kept++] = ordered_decimal_of_nano(number);
            if (number < nanos->least)
                nanos->least = number;
            if (number > nanos->greatest)
                nanos->greatest = number;
        } else {
            sorted[kept] = make_long(kind);
            kept += group_values_add_long(&pool[p], &values[p], sorted[kept]);
        }
    }
    for (size_t p = 0; p < pools; p++)
        group_values_end(&values[p], &place[p], &figures);
    return kept;
}

/* Whether a search in the VALUES of some groups finds the numbers with some ranks
   of COUNT. */
static bool
finds_long(struct value_search *search,
           const struct group_values *const *values, size_t groups,
           const struct value_extremes *nanos, size_t count)
{
    struct long_extremes extremes = long_extremes_none();
    uint64_t rank[RANKS];
    struct ordered_decimal found[RANKS];

    for (size_t r = 0; r < RANKS; r++)
        rank[r] = 1 + (count - 1) * r / (RANKS - 1);
    extremes.highs.numbers = count;
    long_extremes_add_nanos(&extremes, nanos);
    for (size_t g = 0; g < groups; g++)
        long_extremes_add(&extremes, values[g]);
    group_values_find_long(search, values, groups, &extremes, rank, RANKS,
                           found);
    for (size_t r = 0; r < RANKS; r++) {
        if (compare_ordered(&found[r], &ordered[rank[r] - 1]) != 0)
            return false;
    }
    return true;
}

/* Check numbers of KIND, a quarter of them nanos, in GROUPS groups. */
static void
try_long_groups(unsigned int kind, struct value_search *search)
{
    struct key_memory memory;
    struct values_memory all = {.memory = &memory, .most = LARGE};
    struct value_pool pool = {.all = &all};
    struct group_values values[GROUPS] = {{0}};
    const struct group_values *of_group[GROUPS];
    struct value_extremes nanos = {0, INT64_MAX, INT64_MIN};
    size_t kept = 0;

    key_memory_open(&memory, LARGE);
    for (size_t g = 0; g < GROUPS; g++) {
        struct value_extremes own;
        kept += add_mixed(&pool, 1, &values[g], &own, kind,
                          noise() % (1 + NUMBERS / GROUPS), 4, &ordered[kept]);
        nanos.least = own.least < nanos.least ? own.least : nanos.least;
        if (own.greatest > nanos.greatest)
            nanos.greatest = own.greatest;
        of_group[g] = &values[g];
    }
    qsort(ordered, kept, sizeof *ordered, compare_ordered);
    ok(finds_long(search, of_group, GROUPS, &nanos, kept),
       "long numbers %u of %d groups", kind, GROUPS);
    value_pool_close(&pool);
    key_memory_close(&memory);
}

/* Check COUNT numbers of KIND, 1 / SHARE of them nanos, with MOST memory. */
static void
try_long(unsigned int kind, size_t count, unsigned int share, size_t most,
         struct value_search *search)
{
    struct key_memory memory;
    struct values_memory all = {.memory = &memory, .most = most};
    struct value_pool pool[POOLS] = {{.all = &all}, {.all = &all}};
    struct group_values values[POOLS] = {{0}};
    struct value_extremes nanos;
    uint64_t seen = 0, wanted = 0;

    key_memory_open(&memory, LARGE);
    size_t kept =
        add_mixed(pool, POOLS, values, &nanos, kind, count, share, ordered);
    group_values_join(&values[0], &values[1]);
    qsort(ordered, kept, sizeof *ordered, compare_ordered);
    const struct group_values *joined = &values[0];
    bool is_right = kept > 0 && finds_long(search, &joined, 1, &nanos, kept);
    if (share == 0) {
        for (size_t i = 0; i < kept; i++)
            see_long(&wanted, &ordered[i]);
        is_right &= group_values_visit_long(&values[0], see_long, &seen) &&
                    seen == wanted;
    }
    ok(is_right, "long numbers %u, %zu of %zu, nanos: 1 / %u", kind, kept,
       count, share);
    for (size_t p = 0; p < POOLS; p++)
        value_pool_close(&pool[p]);
    ok(atomic_load(&all.taken) == 0 && atomic_load(&memory.used) == 0,
       "... their memory is given back");
    key_memory_close(&memory);
}

/* Check all kinds of numbers by SEARCH. */
static void
try_all(struct value_search *search)
{
    static const size_t counts[] = {1, 2, 20, 100, 1000, 5000, NUMBERS};

    if (search == NULL)
        abort();
    for (size_t k = 0; k < COUNT(kinds); k++) {
        for (size_t c = 0; c < COUNT(counts); c++)
            try_kind(k, counts[c], LARGE, 0, search);
        try_kind(k, NUMBERS, SMALL, 0, search);
        try_kind(k, NUMBERS, LARGE, 1111, search);
        try_groups(k, search);
    }
    try_regular(search);
    for (unsigned int k = 0; k < 4; k++) {
        try_long_groups(k, search);
        for (size_t c = 0; c < COUNT(counts); c++) {
            for (unsigned int share = 0; share <= 8; share += 4)
                try_long(k, counts[c], share, LARGE, search);
        }
        try_long(k, NUMBERS, 4, SMALL, search);
    }
    value_search_free(search);
}

int
main(void)
{
    try_memory(1000000000);
    try_memory(100);
    try_memory(1);
    try_all(value_search_new(1, 1000));
    /* Of few numbers, one thread. */
    try_all(value_search_new(3, 1000));
    struct value_search *search = value_search_new(8, 500);
    if (search == NULL)
        abort();
    for (size_t k = 0; k < COUNT(kinds); k++)
        try_groups(k, search);
    value_search_free(search);
    return done_testing();
}
