/* SPDX-License-Identifier: MIT */
/* value_search.c -- the numbers of groups with some ranks */

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/value_look.h"
#include "engine/cpu/keys/value_pages.h"

/* Buckets of a look: for few numbers, and at most. */
#define BUCKETS_LOG_MIN 5
#define BUCKETS_LOG_MAX 11

/* Numbers that are copied for another look, at least, and that are sorted. */
#define COPIES_MIN 16384
#define SORTED 24

/* With so many numbers there is a sample.  Its size, and the numbers in a
   bracket for a rank, are about the numbers to the power of 2/3. */
#define SAMPLED_MIN 4096
#define SAMPLE_STEP 0.6

/* The wanted numbers are within so many standard deviations. */
#define SAMPLE_MARGIN 4

/* Brackets are of use with at most one of so many numbers in them. */
#define BETWEEN_MIN 3

struct value_search {
    unsigned int members_most; /* threads that look at all numbers ... */
    uint64_t each;             /* ... for so many numbers each */
    struct value_numbers numbers;
    const uint64_t *rank;
    int64_t *found;
    struct value_copy *copy; /* owned */
    size_t copies_room;
    size_t copies; /* that are used */
    uint64_t count[VALUE_BUCKETS_MAX];
    uint16_t wanted[VALUE_BUCKETS_MAX]; /* the number of the bucket's task */
    uint64_t low[SPEC_RANKS_MAX][ORDERED_DECIMAL_LOWS]; /* of numbers with a
                                                           wanted HIGH */
};

/* Where to look: at all numbers, or at COPIES copies from COPY on; in these, at
   distances from LOW to HIGH, which NUMBERS numbers have.  BEFORE numbers are
   lower.  Some ranks, from FIRST on and before END, are there. */
struct value_task {
    struct value_copy *copy; /* NULL: all numbers */
    size_t copies;
    struct distance_range range;
    uint64_t numbers;
    uint64_t before;
    size_t first;
    size_t end;
    bool is_first; /* no look yet */
};

/* ---- looks ---- */

/* Count the numbers of TASK in COUNT BUCKETS. */
static void
count_all(struct value_search *search, const struct value_task *task,
          const struct value_buckets *buckets, size_t count)
{
    const uint64_t most = task->range.high - task->range.low;

    memset(search->count, 0, count * sizeof *search->count);
    if (task->copy == NULL) {
        value_look_count(&search->numbers, &task->range, buckets, search->count,
                         count);
        return;
    }
    for (size_t i = 0; i < task->copies; i++) {
        const struct value_copy *copy = &task->copy[i];
        if (copy->distance - task->range.low <= most)
            search->count[value_bucket_of(buckets, copy->distance)] +=
                copy->count;
    }
}

/* Copy the numbers of TASK in wanted buckets; the copies of COUNT tasks start
   at END, which moves to their ends. */
static void
copy_all(struct value_search *search, const struct value_task *task,
         const struct value_buckets *buckets, size_t *end, size_t count)
{
    const uint64_t most = task->range.high - task->range.low;

    if (task->copy == NULL) {
        value_look_copy(&search->numbers, &task->range, buckets, search->wanted,
                        search->copy, end, count);
        return;
    }
    for (size_t i = 0; i < task->copies; i++) {
        const struct value_copy *copy = &task->copy[i];
        if (copy->distance - task->range.low > most)
            continue;
        uint16_t wanted =
            search->wanted[value_bucket_of(buckets, copy->distance)];
        if (wanted != VALUE_NOT_WANTED)
            search->copy[end[wanted]++] = *copy;
    }
}

/* ---- ranks ---- */

static void
set_found(struct value_search *search, size_t r, uint64_t distance)
{
    search->found[r] = (int64_t)(search->numbers.least + distance);
}

/* Sort the few copies of TASK, and find the numbers. */
static void
find_sorted(struct value_search *search, const struct value_task *task)
{
    uint64_t before = task->before;
    size_t r = task->first;

    for (size_t i = 1; i < task->copies; i++) {
        struct value_copy copy = task->copy[i];
        size_t j = i;
        for (; j > 0 && task->copy[j - 1].distance > copy.distance; j--)
            task->copy[j] = task->copy[j - 1];
        task->copy[j] = copy;
    }
    for (size_t i = 0; i < task->copies; i++) {
        before += task->copy[i].count;
        for (; r < task->end && search->rank[r] <= before; r++)
            set_found(search, r, task->copy[i].distance);
    }
}

/* Make a task for each of the BUCKETS of TASK with a wanted rank; they are
   counted.  Returns how many there are. */
static size_t
make_tasks(struct value_search *search, const struct value_task *task,
           const struct value_buckets *buckets, struct value_task *made)
{
    const size_t last = value_bucket_of(buckets, buckets->high);

    uint64_t before = task->before;
    size_t r = task->first;
    size_t count = 0;

    for (size_t b = 0; r < task->end; b++) {
        uint64_t numbers = search->count[b];
        size_t first = r;
        while (r < task->end && search->rank[r] <= before + numbers)
            r++;
        if (r > first) {
            uint64_t low = buckets->low + ((uint64_t)b << buckets->shift);
            uint64_t most = ((uint64_t)1 << buckets->shift) - 1;
            search->wanted[b] = (uint16_t)count;
            made[count++] = (struct value_task){
                .copy = task->copy,
                .copies = task->copies,
                .range.low = b > 0 ? low : task->range.low,
                .range.high = b < last ? low + most : task->range.high,
                .numbers = numbers,
                .before = before,
                .first = first,
                .end = r,
            };
        }
        before += numbers;
    }
    return count;
}

/* Copy the numbers of all COUNT tasks at MADE, which TASK has led to, if there
   is room. */
static void
copy_tasks(struct value_search *search, const struct value_task *task,
           const struct value_buckets *buckets, struct value_task *made,
           size_t count)
{
    const size_t room = search->copies_room - search->copies;
    size_t end[SPEC_RANKS_MAX];
    uint64_t numbers = 0;

    for (size_t t = 0; t < count; t++) {
        end[t] = search->copies + (size_t)numbers;
        numbers += made[t].numbers;
        if (made[t].numbers > room || numbers > room)
            return;
    }
    for (size_t t = 0; t < count; t++)
        made[t].copy = search->copy + end[t];
    copy_all(search, task, buckets, end, count);
    for (size_t t = 0; t < count; t++)
        made[t].copies = (size_t)(search->copy + end[t] - made[t].copy);
    search->copies += (size_t)numbers;
}

/* Narrow the range of TASK to its copies, of which there are some. */
static void
narrow(struct value_task *task)
{
    uint64_t least = UINT64_MAX;
    uint64_t greatest = 0;

    for (size_t i = 0; i < task->copies; i++) {
        uint64_t distance = task->copy[i].distance;
        least = distance < least ? distance : least;
        greatest = distance > greatest ? distance : greatest;
    }
    if (least > task->range.low)
        task->range.low = least;
    if (greatest < task->range.high)
        task->range.high = greatest;
}

static void find(struct value_search *search, struct value_task *task);

/* ---- a sample ---- */

/* Make room for COPIES copies; those that are there are lost.  Returns whether
   there is memory. */
static bool
make_room(struct value_search *search, size_t copies)
{
    if (copies <= search->copies_room)
        return true;
    struct value_copy *copy = malloc(copies * sizeof *copy);
    if (copy == NULL)
        return false;
    free(search->copy);
    search->copy = copy;
    search->copies_room = copies;
    return true;
}

/* Ranks of a sample of ALL numbers, between which some ranks of all numbers
   are, by all odds. */
struct sampled_range {
    double low;
    double high;
};

/* Returns where number RANK of all is in a sample, which has SHARE of all
   numbers. */
static struct sampled_range
find_in_sample(uint64_t rank, double share, double all)
{
    double place = (double)rank * share;
    double margin = SAMPLE_MARGIN * sqrt(place * (1 - place / all));

    return (struct sampled_range){place - margin - 1, place + margin + 2};
}

/* Set RANGE to where the ranks of TASK are in SAMPLE; ranges that overlap are
   one.  Returns how many these are; the last one may have more than it has
   to. */
static size_t
find_ranges(const struct value_search *search, const struct value_task *task,
            const struct value_sample *sample, struct sampled_range *range)
{
    double all = (double)sample->numbers;
    double share = all / (double)task->numbers;
    size_t ranges = 0;

    for (size_t r = task->first; r < task->end; r++) {
        struct sampled_range next = find_in_sample(search->rank[r], share, all);
        if (ranges == 0 ||
            (next.low > range[ranges - 1].high && ranges < VALUE_BRACKETS_MAX))
            range[ranges++] = next;
        else
            range[ranges - 1].high = next.high;
    }
    return ranges;
}

/* Brackets around the ranks of a task, and how many of all numbers they have,
   about. */
struct guess {
    struct value_bracket bracket[VALUE_BRACKETS_MAX];
    size_t brackets;
    double numbers;
};

/* Set the bounds of the brackets of GUESS: the numbers of SAMPLE, which are the
   first copies, at RANGE. */
static void
find_bounds(struct value_search *search, const struct value_task *task,
            const struct value_sample *sample,
            const struct sampled_range *range, struct guess *guess)
{
    const struct value_numbers *numbers = &search->numbers;
    const uint64_t *rank = search->rank;
    int64_t *found = search->found;
    uint64_t wanted[2 * VALUE_BRACKETS_MAX];
    int64_t bound[2 * VALUE_BRACKETS_MAX] = {0};
    struct value_task among = {
        .copy = search->copy,
        .copies = sample->copies,
        .range = task->range,
        .numbers = sample->numbers,
        .end = 2 * guess->brackets,
    };
    double all = (double)sample->numbers;

    for (size_t b = 0; b < guess->brackets; b++) {
        wanted[2 * b] = range[b].low > 1 ? (uint64_t)range[b].low : 1;
        wanted[2 * b + 1] =
            range[b].high < all ? (uint64_t)range[b].high : sample->numbers;
    }
    search->rank = wanted;
    search->found = bound;
    search->copies = sample->copies;
    find(search, &among);
    search->rank = rank;
    search->found = found;
    search->copies = 0;
    for (size_t b = 0; b < guess->brackets; b++) {
        guess->bracket[b] = (struct value_bracket){
            .low = range[b].low > 1 ? (uint64_t)bound[2 * b] - numbers->least
                                    : task->range.low,
            .high = range[b].high < all
                        ? (uint64_t)bound[2 * b + 1] - numbers->least
                        : task->range.high};
    }
}

/* Give the brackets of GUESS room for half as many copies again as SAMPLE has
   numbers in them.  Two brackets that share a bound become one. */
static void
find_rooms(struct value_search *search, const struct value_task *task,
           const struct value_sample *sample, struct guess *guess)
{
    double times = (double)task->numbers / (double)sample->numbers;
    size_t made = 0;

    for (size_t b = 1; b < guess->brackets; b++) {
        if (guess->bracket[b].low <= guess->bracket[made].high)
            guess->bracket[made].high = guess->bracket[b].high;
        else
            guess->bracket[++made] = guess->bracket[b];
    }
    guess->brackets = made + 1;
    guess->numbers = 0;
    for (size_t b = 0; b < guess->brackets; b++) {
        struct value_bracket *bracket = &guess->bracket[b];
        uint64_t most = bracket->high - bracket->low;
        uint64_t inside = 0;
        for (size_t i = 0; i < sample->copies && most > 0; i++) {
            if (search->copy[i].distance - bracket->low <= most)
                inside += search->copy[i].count;
        }
        guess->numbers += (double)inside * times;
        bracket->room = (size_t)((double)inside * times * 1.5) + 64;
    }
}

/* Guess where the ranks of TASK, which is all numbers, are.  Returns whether
   there is memory for a sample. */
static bool
guess_brackets(struct value_search *search, const struct value_task *task,
               struct guess *guess)
{
    struct sampled_range range[VALUE_BRACKETS_MAX];
    uint64_t step = (uint64_t)(SAMPLE_STEP * cbrt((double)task->numbers));
    uint64_t most = task->numbers / step + search->numbers.members + 1;

    if (!make_room(search, 2 * (size_t)most))
        return false;
    struct value_sample sample =
        value_sample_take(&search->numbers, step, search->copy);
    guess->brackets = find_ranges(search, task, &sample, range);
    find_bounds(search, task, &sample, range, guess);
    find_rooms(search, task, &sample, guess);
    return true;
}

/* Whether the number with RANK, from 1 on, is in BRACKET. */
static bool
is_inside(const struct value_bracket *bracket, uint64_t rank)
{
    return rank - 1 - bracket->below < bracket->numbers;
}

/* Make tasks of the ranks of TASK in the brackets of GUESS, after a look.
   Returns how many there are; 0 if some rank is in none, or if a bracket has
   had no room. */
static size_t
make_tasks_between(const struct value_search *search,
                   const struct value_task *task, const struct guess *guess,
                   struct value_task *made)
{
    size_t r = task->first;
    size_t count = 0;

    for (size_t b = 0; b < guess->brackets && r < task->end; b++) {
        const struct value_bracket *bracket = &guess->bracket[b];
        size_t first = r;
        while (r < task->end && is_inside(bracket, search->rank[r]))
            r++;
        if (r == first)
            continue;
        if (bracket->copies > bracket->room)
            return 0;
        made[count++] = (struct value_task){
            .copy = bracket->copy,
            .copies = bracket->copies,
            .range = {bracket->low, bracket->high},
            .numbers = bracket->numbers,
            .before = bracket->below,
            .first = first,
            .end = r,
        };
    }
    return r == task->end ? count : 0;
}

/* Find the numbers with the ranks of TASK, which is all numbers, by one look at
   the brackets of GUESS.  Returns false if it found none. */
static bool
find_between(struct value_search *search, const struct value_task *task,
             struct guess *guess)
{
    struct value_task made[VALUE_BRACKETS_MAX];
    size_t copies = 0;

    if (guess->numbers > (double)task->numbers / BETWEEN_MIN)
        return false;
    for (size_t b = 0; b < guess->brackets; b++)
        copies += guess->bracket[b].room;
    /* The other half is for buckets. */
    if (!make_room(search, 2 * copies))
        return false;
    copies = 0;
    for (size_t b = 0; b < guess->brackets; b++) {
        guess->bracket[b].copy = search->copy + copies;
        copies += guess->bracket[b].room;
    }
    value_look_between(&search->numbers, guess->bracket, guess->brackets);
    size_t count = make_tasks_between(search, task, guess, made);
    search->copies = copies;
    for (size_t t = 0; t < count; t++)
        find(search, &made[t]);
    search->copies = 0;
    return count > 0;
}

/* Find the numbers with the ranks of TASK.  Each look makes the range smaller,
   and each but the first one 2^BUCKETS_LOG_MIN times at least. */
static void
find(struct value_search *search, struct value_task *task)
{
    struct value_task made[SPEC_RANKS_MAX];
    struct guess guess;
    unsigned int log = BUCKETS_LOG_MIN;
    size_t copies = search->copies;

    if (task->copy != NULL && task->copies > SORTED)
        narrow(task);
    if (task->range.low == task->range.high) {
        for (size_t r = task->first; r < task->end; r++)
            set_found(search, r, task->range.low);
        return;
    }
    if (task->copy != NULL && task->copies <= SORTED) {
        find_sorted(search, task);
        return;
    }
    while (log < BUCKETS_LOG_MAX && task->numbers >> log > 4)
        log++;
    struct value_buckets buckets = {0, task->range.low, task->range.high};
    if (task->is_first && task->numbers >= SAMPLED_MIN &&
        guess_brackets(search, task, &guess)) {
        if (find_between(search, task, &guess))
            return;
        /* What is below and above these has a bucket each. */
        buckets.low = guess.bracket[0].low;
        buckets.low -= buckets.low > task->range.low;
        buckets.high = guess.bracket[guess.brackets - 1].high;
        buckets.high += buckets.high < task->range.high;
    }
    while ((buckets.high - buckets.low) >> buckets.shift >= (uint64_t)1 << log)
        buckets.shift++;
    count_all(search, task, &buckets, (size_t)1 << log);
    /* Buckets after the last wanted rank get no task. */
    memset(search->wanted, 0xff, sizeof *search->wanted << log);
    size_t count = make_tasks(search, task, &buckets, made);
    if (buckets.high - buckets.low < task->range.high - task->range.low ||
        buckets.shift > 0)
        copy_tasks(search, task, &buckets, made, count);
    for (size_t t = 0; t < count; t++)
        find(search, &made[t]);
    search->copies = copies;
}

struct value_search *
value_search_new(unsigned int members, uint64_t each)
{
    struct value_search *search = malloc(sizeof *search);

    if (search == NULL)
        return NULL;
    search->members_most = members;
    search->each = each;
    search->copies_room = 0;
    search->copy = NULL;
    if (!make_room(search, COPIES_MIN)) {
        free(search);
        return NULL;
    }
    return search;
}

void
value_search_free(struct value_search *search)
{
    if (search != NULL)
        free(search->copy);
    free(search);
}

/* Returns how many threads look at NUMBERS. */
static unsigned int
members_for(const struct value_search *search, uint64_t numbers)
{
    uint64_t members = numbers / search->each;

    return members < search->members_most ? (unsigned int)members
                                          : search->members_most;
}

/* As group_values_find(), if HAS_LONG for HIGHs, which have EXTREMES. */
static void
find_all(struct value_search *search, const struct group_values *const *values,
         size_t groups, bool has_long, const struct value_extremes *extremes,
         const uint64_t *rank, size_t count, int64_t *found)
{
    struct value_task task = {
        .range.high = (uint64_t)extremes->greatest - (uint64_t)extremes->least,
        .numbers = extremes->numbers,
        .end = count,
        .is_first = true,
    };

    assert(count <= SPEC_RANKS_MAX);
    search->numbers = (struct value_numbers){
        .values = values,
        .groups = groups,
        .has_long = has_long,
        .least = (uint64_t)extremes->least,
    };
    search->rank = rank;
    search->found = found;
    search->copies = 0;
    for (; task.first < count && rank[task.first] == 1; task.first++)
        set_found(search, task.first, task.range.low);
    for (; task.end > task.first && rank[task.end - 1] == task.numbers;
         task.end--)
        set_found(search, task.end - 1, task.range.high);
    if (task.first == task.end)
        return;
    value_numbers_share(&search->numbers,
                        members_for(search, extremes->numbers),
                        extremes->numbers);
    find(search, &task);
    value_numbers_close(&search->numbers);
}

void
group_values_find(struct value_search *search,
                  const struct group_values *const *values, size_t groups,
                  const struct value_extremes *extremes, const uint64_t *rank,
                  size_t count, int64_t *found)
{
    find_all(search, values, groups, false, extremes, rank, count, found);
}

/* ---- long numbers by rank ---- */

struct long_extremes
long_extremes_none(void)
{
    return (struct long_extremes){{0, INT64_MAX, INT64_MIN}, false};
}

static void
widen_highs(struct value_extremes *highs, int64_t high)
{
    highs->least = high < highs->least ? high : highs->least;
    highs->greatest = high > highs->greatest ? high : highs->greatest;
}

void
long_extremes_add_nanos(struct long_extremes *extremes,
                        const struct value_extremes *nanos)
{
    /* A nano up to here has 17 digits. */
    const int64_t most = INT64_C(100000000000000000) - 1;

    if (nanos->least > nanos->greatest)
        return;
    widen_highs(&extremes->highs, ordered_decimal_of_nano(nanos->least).high);
    widen_highs(&extremes->highs,
                ordered_decimal_of_nano(nanos->greatest).high);
    extremes->has_lows |= nanos->least < -most || nanos->greatest > most;
}

void
long_extremes_add(struct long_extremes *extremes,
                  const struct group_values *values)
{
    const struct group_values *more = values->more;

    if (more == NULL)
        return;
    for (const struct value_page *page = more->page; page != NULL;
         page = page->next) {
        size_t used = value_page_used(more, page);
        unsigned int lows = 0;
        for (size_t i = 0; i < used; i++) {
            widen_highs(&extremes->highs, page->nano[i]);
            lows |= value_page_low(page, i);
        }
        extremes->has_lows |= lows != 0;
    }
}

/* The wanted HIGHs, each once, ascending; and how many numbers are between one
   and the one before. */
struct wanted_highs {
    struct value_search *search;
    size_t count;
    int64_t high[SPEC_RANKS_MAX];
    uint64_t before[SPEC_RANKS_MAX];
};

/* Count NUMBER, COUNT times. */
static void
count_low(struct wanted_highs *wanted, const struct ordered_decimal *number,
          uint64_t count)
{
    size_t first = 0;
    size_t end = wanted->count;

    while (first < end) {
        size_t middle = (first + end) / 2;
        if (wanted->high[middle] < number->high)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == wanted->count)
        return;
    if (wanted->high[first] == number->high)
        wanted->search->low[first][number->low] += count;
    else
        wanted->before[first] += count;
}

/* A value_visit() and a long_visit(): count a number. */
static bool
count_low_of_nano(void *context, int64_t nano, uint64_t count)
{
    const struct ordered_decimal number = ordered_decimal_of_nano(nano);

    count_low(context, &number, count);
    return true;
}

static bool
count_low_of_long(void *context, const struct ordered_decimal *number)
{
    count_low(context, number, 1);
    return true;
}

/* Find the LOWs of FOUND, the HIGHs of which are known. */
static void
find_lows(struct value_search *search, const uint64_t *rank, size_t count,
          struct ordered_decimal *found)
{
    struct wanted_highs wanted = {.search = search};
    uint64_t before = 0;
    size_t r = 0;

    for (size_t i = 0; i < count; i++) {
        if (i == 0 || found[i].high != found[i - 1].high)
            wanted.high[wanted.count++] = found[i].high;
    }
    memset(search->low, 0, sizeof *search->low * wanted.count);
    for (size_t g = 0; g < search->numbers.groups; g++) {
        const struct group_values *values = search->numbers.values[g];
        (void)group_values_visit(values, count_low_of_nano, &wanted);
        (void)group_values_visit_long(values, count_low_of_long, &wanted);
    }
    for (size_t h = 0; h < wanted.count; h++) {
        before += wanted.before[h];
        for (uint32_t low = 0; low < ORDERED_DECIMAL_LOWS; low++) {
            before += search->low[h][low];
            for (; r < count && rank[r] <= before; r++)
                found[r].low = low;
        }
    }
}

void
group_values_find_long(struct value_search *search,
                       const struct group_values *const *values, size_t groups,
                       const struct long_extremes *extremes,
                       const uint64_t *rank, size_t count,
                       struct ordered_decimal *found)
{
    int64_t high[SPEC_RANKS_MAX];

    find_all(search, values, groups, true, &extremes->highs, rank, count, high);
    for (size_t r = 0; r < count; r++)
        found[r] = (struct ordered_decimal){high[r], 0};
    if (extremes->has_lows)
        find_lows(search, rank, count, found);
}
