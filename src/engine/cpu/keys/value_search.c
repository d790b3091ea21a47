/* SPDX-License-Identifier: MIT */
/* value_search.c -- the numbers of groups with some ranks */

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/value_pages.h"

/* Buckets of a look: for few numbers, and at most. */
#define BUCKETS_LOG_MIN 5
#define BUCKETS_LOG_MAX 11
#define BUCKETS_MAX ((size_t)1 << BUCKETS_LOG_MAX)

/* Numbers that are copied for another look, and that are sorted. */
#define COPIES 16384
#define SORTED 24

/* With so many numbers, one of each SAMPLE_STEP is in the sample, or so many
   that these are SAMPLE_MAX. */
#define SAMPLED_MIN 4096
#define SAMPLE_STEP 16
#define SAMPLE_MAX 4096

/* The wanted numbers are within so many standard deviations. */
#define SAMPLE_MARGIN 4

/* Above any bucket with a wanted rank. */
#define NOT_WANTED UINT16_MAX

/* A number, as its distance from the least one. */
struct value_copy {
    uint64_t distance;
    uint64_t count;
};

/* Parts that a member of a crew takes at a time, and cells of a part. */
#define PARTS_TAKEN 4
#define PART_CELLS 4096

/* The numbers of a page, or cells of one unit, from FROM on and before END. */
struct value_part {
    const int64_t *nano;
    const struct value_cells *cells; /* NULL: those of a page */
    uint64_t from;
    uint64_t end;
    bool is_high; /* the HIGHs of these nanos are looked for */
};

struct value_search {
    unsigned int members_most; /* threads that look at all numbers ... */
    uint64_t each;             /* ... for so many numbers each ... */
    unsigned int members;      /* ... of these groups, in PARTS parts */
    struct value_part *part;   /* owned, with PARTS_ROOM */
    size_t parts_room;
    size_t parts;
    const struct group_values *const *values; /* of GROUPS */
    size_t groups;
    bool has_long; /* numbers are HIGHs of ordered decimals */
    uint64_t least;
    const uint64_t *rank;
    int64_t *found;
    size_t copies; /* that are used */
    struct value_copy copy[COPIES];
    uint64_t count[BUCKETS_MAX];
    uint16_t wanted[BUCKETS_MAX]; /* the number of the bucket's task */
    uint64_t low[SPEC_RANKS_MAX][ORDERED_DECIMAL_LOWS]; /* of numbers with a
                                                           wanted HIGH */
};

/* Where to look: at all numbers, or at COPIES copies from COPY on; in these, at
   distances from LOW to HIGH, which NUMBERS numbers have.  BEFORE numbers are
   lower.  Some ranks, from FIRST on and before END, are there. */
struct value_task {
    struct value_copy *copy; /* NULL: all numbers */
    size_t copies;
    uint64_t low;
    uint64_t high;
    uint64_t numbers;
    uint64_t before;
    size_t first;
    size_t end;
    bool is_first; /* no look yet */
};

/* Does something with a number. */
typedef void copy_visit(struct value_search *search, void *context,
                        uint64_t distance, uint64_t count);

/* Returns NANO; if IS_HIGH, its HIGH. */
static inline __attribute__((always_inline)) uint64_t
place_of(int64_t nano, bool is_high)
{
    return (uint64_t)(is_high ? ordered_decimal_of_nano(nano).high : nano);
}

/* Call VISIT, which is inlined, for the nanos of PART, or for their HIGHs, with
   distances up to MOST from BASE. */
static inline __attribute__((always_inline)) void
for_each_of_part(struct value_search *search, const struct value_part *part,
                 bool is_high, uint64_t base, uint64_t most, copy_visit *visit,
                 void *context)
{
    const struct value_cells *cells = part->cells;

    for (uint64_t i = part->from; cells == NULL && i < part->end; i++) {
        uint64_t distance = place_of(part->nano[i], is_high) - base;
        if (distance <= most)
            visit(search, context, distance, 1);
    }
    for (uint64_t c = part->from; cells != NULL && c < part->end; c++) {
        if (cells->count[c] == 0)
            continue;
        uint64_t distance =
            place_of(value_cells_nano(cells, c), is_high) - base;
        if (distance <= most)
            visit(search, context, distance, cells->count[c]);
    }
}

/* The same for all nanos of VALUES. */
static inline __attribute__((always_inline)) void
for_each_of(struct value_search *search, const struct group_values *values,
            bool is_high, uint64_t base, uint64_t most, copy_visit *visit,
            void *context)
{
    for (const struct value_page *page = values->page; page != NULL;
         page = page->next) {
        const struct value_part part = {page->nano, NULL, 0,
                                        value_page_used(values, page), is_high};
        for_each_of_part(search, &part, is_high, base, most, visit, context);
    }
    for (const struct value_cells *cells = values->cells; cells != NULL;
         cells = cells->next) {
        const struct value_part part = {NULL, cells, 0, cells->size, is_high};
        for_each_of_part(search, &part, is_high, base, most, visit, context);
    }
}

/* The same for all numbers of group G. */
static inline __attribute__((always_inline)) void
for_each_in(struct value_search *search, size_t g, uint64_t base, uint64_t most,
            copy_visit *visit, void *context)
{
    const struct group_values *values = search->values[g];

    if (!search->has_long) {
        for_each_of(search, values, false, base, most, visit, context);
        return;
    }
    for_each_of(search, values, true, base, most, visit, context);
    if (values->more != NULL)
        for_each_of(search, values->more, false, base, most, visit, context);
}

/* Call VISIT, which is inlined, for the numbers of TASK. */
static inline __attribute__((always_inline)) void
for_each(struct value_search *search, const struct value_task *task,
         copy_visit *visit, void *context)
{
    uint64_t most = task->high - task->low;

    if (task->copy == NULL) {
        for (size_t g = 0; g < search->groups; g++)
            for_each_in(search, g, search->least + task->low, most, visit,
                        context);
        return;
    }
    for (size_t i = 0; i < task->copies; i++) {
        uint64_t distance = task->copy[i].distance - task->low;
        if (distance <= most)
            visit(search, context, distance, task->copy[i].count);
    }
}

/* Buckets, 1 << SHIFT distances wide, from LOW to HIGH.  The first and the last
   one have all distances below and above, too. */
struct buckets {
    unsigned int shift;
    uint64_t low;
    uint64_t high;
};

static inline __attribute__((always_inline)) size_t
bucket_of(const struct buckets *buckets, uint64_t distance)
{
    distance = distance > buckets->low ? distance : buckets->low;
    distance = distance < buckets->high ? distance : buckets->high;
    return (size_t)((distance - buckets->low) >> buckets->shift);
}

/* What count_number() needs. */
struct bucket_counts {
    struct buckets buckets; /* of distances of a task */
    uint64_t *count;
};

static inline __attribute__((always_inline)) void
count_number(struct value_search *search, void *context, uint64_t distance,
             uint64_t count)
{
    const struct bucket_counts *counting = context;

    (void)search;
    counting->count[bucket_of(&counting->buckets, distance)] += count;
}

/* What copy_number() needs. */
struct copying {
    struct buckets buckets;    /* of distances of a task ... */
    uint64_t low;              /* ... which start here */
    size_t *end;               /* of the copies of each task ... */
    atomic_size_t *shared_end; /* ... where a crew copies */
};

static inline __attribute__((always_inline)) void
copy_number(struct value_search *search, void *context, uint64_t distance,
            uint64_t count)
{
    const struct copying *copying = context;
    uint16_t wanted = search->wanted[bucket_of(&copying->buckets, distance)];

    if (wanted != NOT_WANTED)
        search->copy[copying->end[wanted]++] =
            (struct value_copy){distance + copying->low, count};
}

static inline __attribute__((always_inline)) void
copy_shared(struct value_search *search, void *context, uint64_t distance,
            uint64_t count)
{
    const struct copying *copying = context;
    uint16_t wanted = search->wanted[bucket_of(&copying->buckets, distance)];

    if (wanted != NOT_WANTED)
        search->copy[atomic_fetch_add(&copying->shared_end[wanted], 1)] =
            (struct value_copy){distance + copying->low, count};
}

/* ---- looks ---- */

/* A look of a crew at all numbers. */
struct value_look {
    struct value_search *search;
    const struct value_task *task;
    size_t buckets;
    struct copying copying;
    atomic_size_t taken;  /* parts; members take the next ones */
    pthread_mutex_t lock; /* of the counts of the search */
};

/* Call VISIT, which is inlined, for the numbers in parts that no other member
   takes. */
static inline __attribute__((always_inline)) void
for_each_shared(struct value_look *look, copy_visit *visit, void *context)
{
    struct value_search *search = look->search;
    uint64_t base = search->least + look->task->low;
    uint64_t most = look->task->high - look->task->low;
    size_t p;

    while ((p = atomic_fetch_add(&look->taken, PARTS_TAKEN)) < search->parts) {
        size_t left = search->parts - p;
        size_t end = p + (left < PARTS_TAKEN ? left : PARTS_TAKEN);
        for (; p < end; p++) {
            const struct value_part *part = &search->part[p];
            if (part->is_high)
                for_each_of_part(search, part, true, base, most, visit,
                                 context);
            else
                for_each_of_part(search, part, false, base, most, visit,
                                 context);
        }
    }
}

/* The work of a member: count its part of the numbers. */
static void
count_share(void *context, unsigned int member)
{
    struct value_look *look = context;
    struct value_search *search = look->search;
    uint64_t count[BUCKETS_MAX];
    struct bucket_counts counting = {look->copying.buckets, count};

    (void)member;
    memset(count, 0, look->buckets * sizeof *count);
    for_each_shared(look, count_number, &counting);
    pthread_mutex_lock(&look->lock);
    for (size_t b = 0; b < look->buckets; b++)
        search->count[b] += count[b];
    pthread_mutex_unlock(&look->lock);
}

/* The work of a member: copy its part of the numbers. */
static void
copy_share(void *context, unsigned int member)
{
    struct value_look *look = context;

    (void)member;
    for_each_shared(look, copy_shared, &look->copying);
}

/* Whether a crew looks at the numbers of TASK. */
static bool
has_crew(const struct value_search *search, const struct value_task *task)
{
    return task->copy == NULL && search->members > 1;
}

/* Count the numbers of TASK in COUNT BUCKETS. */
static void
count_all(struct value_search *search, const struct value_task *task,
          const struct buckets *buckets, size_t count)
{
    struct bucket_counts counting = {*buckets, search->count};
    struct value_look look = {.search = search,
                              .task = task,
                              .buckets = count,
                              .copying.buckets = *buckets};

    memset(search->count, 0, count * sizeof *search->count);
    if (!has_crew(search, task)) {
        for_each(search, task, count_number, &counting);
        return;
    }
    pthread_mutex_init(&look.lock, NULL);
    crew_run(search->members, count_share, &look);
    pthread_mutex_destroy(&look.lock);
}

/* Copy the numbers of TASK in wanted buckets; the copies of COUNT tasks start
   at END, which moves to their ends. */
static void
copy_all(struct value_search *search, const struct value_task *task,
         const struct buckets *buckets, size_t *end, size_t count)
{
    atomic_size_t shared_end[SPEC_RANKS_MAX];
    struct value_look look = {
        .search = search,
        .task = task,
        .copying = {*buckets, task->low, end, shared_end}};

    if (!has_crew(search, task)) {
        for_each(search, task, copy_number, &look.copying);
        return;
    }
    for (size_t t = 0; t < count; t++)
        atomic_init(&shared_end[t], end[t]);
    crew_run(search->members, copy_share, &look);
    for (size_t t = 0; t < count; t++)
        end[t] = atomic_load(&shared_end[t]);
}

/* ---- ranks ---- */

static void
set_found(struct value_search *search, size_t r, uint64_t distance)
{
    search->found[r] = (int64_t)(search->least + distance);
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
           const struct buckets *buckets, struct value_task *made)
{
    const size_t last = bucket_of(buckets, buckets->high);

    uint64_t before = task->before;
    size_t r = task->first;
    size_t count = 0;

    for (size_t b = 0; r < task->end; b++) {
        uint64_t numbers = search->count[b];
        size_t first = r;
        while (r < task->end && search->rank[r] <= before + numbers)
            r++;
        if (r > first) {
            uint64_t low =
                task->low + buckets->low + ((uint64_t)b << buckets->shift);
            uint64_t most = ((uint64_t)1 << buckets->shift) - 1;
            search->wanted[b] = (uint16_t)count;
            made[count++] = (struct value_task){
                .copy = task->copy,
                .copies = task->copies,
                .low = b > 0 ? low : task->low,
                .high = b < last ? low + most : task->high,
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
           const struct buckets *buckets, struct value_task *made, size_t count)
{
    size_t end[SPEC_RANKS_MAX];
    uint64_t numbers = 0;

    for (size_t t = 0; t < count; t++) {
        end[t] = search->copies + (size_t)numbers;
        numbers += made[t].numbers;
        if (made[t].numbers > COPIES || numbers > COPIES - search->copies)
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
    task->low = least > task->low ? least : task->low;
    task->high = greatest < task->high ? greatest : task->high;
}

/* ---- a sample ---- */

/* Numbers at regular distances in the pages and cells. */
struct sampling {
    uint64_t step;
    uint64_t skip; /* numbers before the next one of the sample */
    uint64_t numbers;
    size_t copies; /* that these are */
};

/* Add the number with DISTANCE, which occurs COUNT times. */
static void
add_sample(struct value_search *search, struct sampling *sampling,
           uint64_t distance, uint64_t count)
{
    search->copy[sampling->copies++] = (struct value_copy){distance, count};
    sampling->numbers += count;
}

/* Add numbers of VALUES; if IS_HIGH, their HIGHs. */
static void
sample(struct value_search *search, const struct group_values *values,
       bool is_high, struct sampling *sampling)
{
    const uint64_t step = sampling->step;
    uint64_t i = sampling->skip;

    for (const struct value_page *page = values->page; page != NULL;
         page = page->next) {
        size_t used = value_page_used(values, page);
        for (; i < used; i += step)
            add_sample(search, sampling,
                       place_of(page->nano[i], is_high) - search->least, 1);
        i -= used;
    }
    for (const struct value_cells *cells = values->cells; cells != NULL;
         cells = cells->next) {
        for (uint64_t c = 0; c < cells->size; c++) {
            uint64_t count = cells->count[c];
            if (i < count) {
                uint64_t times = (count - i + step - 1) / step;
                add_sample(search, sampling,
                           place_of(value_cells_nano(cells, c), is_high) -
                               search->least,
                           times);
                i += times * step;
            }
            i -= count;
        }
    }
    sampling->skip = i;
}

/* Sample all numbers, of which there are NUMBERS. */
static struct sampling
sample_all(struct value_search *search, uint64_t numbers)
{
    struct sampling sampling = {.step = SAMPLE_STEP};

    if (numbers / SAMPLE_STEP > SAMPLE_MAX)
        sampling.step = numbers / SAMPLE_MAX;
    for (size_t g = 0; g < search->groups; g++) {
        const struct group_values *values = search->values[g];
        sample(search, values, search->has_long, &sampling);
        if (search->has_long && values->more != NULL)
            sample(search, values->more, false, &sampling);
    }
    return sampling;
}

static void find(struct value_search *search, struct value_task *task);

/* Let BUCKETS be from the least to the greatest wanted number of TASK, which is
   all numbers, as a sample has them, and a margin. */
static void
guess_range(struct value_search *search, const struct value_task *task,
            struct buckets *buckets)
{
    const uint64_t *rank = search->rank;
    int64_t *found = search->found;
    struct sampling sampling = sample_all(search, task->numbers);
    double share = (double)sampling.numbers / (double)task->numbers;
    double low = (double)rank[task->first] * share;
    double high = (double)rank[task->end - 1] * share;
    double all = (double)sampling.numbers;
    int64_t sampled[2] = {0, 0};

    low -= SAMPLE_MARGIN * sqrt(low * (1 - low / all)) + 1;
    high += SAMPLE_MARGIN * sqrt(high * (1 - high / all)) + 2;
    const uint64_t wanted[2] = {low > 1 ? (uint64_t)low : 1,
                                high < all ? (uint64_t)high : sampling.numbers};
    struct value_task among = {
        .copy = search->copy,
        .copies = sampling.copies,
        .high = task->high,
        .numbers = sampling.numbers,
        .end = 2,
    };
    search->rank = wanted;
    search->found = sampled;
    search->copies = sampling.copies;
    find(search, &among);
    search->rank = rank;
    search->found = found;
    search->copies = 0;
    uint64_t first = (uint64_t)sampled[0] - search->least;
    uint64_t last = (uint64_t)sampled[1] - search->least;
    if (low > 1 && first > buckets->low)
        buckets->low = first - 1;
    if (high < all && last < buckets->high)
        buckets->high = last + 1;
}

/* Find the numbers with the ranks of TASK.  Each look makes the range smaller,
   and each but the first one 2^BUCKETS_LOG_MIN times at least. */
static void
find(struct value_search *search, struct value_task *task)
{
    struct value_task made[SPEC_RANKS_MAX];
    struct buckets buckets = {0};
    unsigned int log = BUCKETS_LOG_MIN;
    size_t copies = search->copies;

    if (task->copy != NULL && task->copies > SORTED)
        narrow(task);
    if (task->low == task->high) {
        for (size_t r = task->first; r < task->end; r++)
            set_found(search, r, task->low);
        return;
    }
    if (task->copy != NULL && task->copies <= SORTED) {
        find_sorted(search, task);
        return;
    }
    while (log < BUCKETS_LOG_MAX && task->numbers >> log > 4)
        log++;
    buckets.high = task->high - task->low;
    if (task->is_first && task->numbers >= SAMPLED_MIN)
        guess_range(search, task, &buckets);
    while ((buckets.high - buckets.low) >> buckets.shift >= (uint64_t)1 << log)
        buckets.shift++;
    count_all(search, task, &buckets, (size_t)1 << log);
    /* Buckets after the last wanted rank get no task. */
    memset(search->wanted, 0xff, sizeof *search->wanted << log);
    size_t count = make_tasks(search, task, &buckets, made);
    if (buckets.high - buckets.low < task->high - task->low ||
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

    if (search != NULL) {
        search->members_most = members;
        search->each = each;
        search->part = NULL;
        search->parts_room = 0;
    }
    return search;
}

/* Add PART.  Returns whether there is memory. */
static bool
add_part(struct value_search *search, struct value_part part)
{
    if (search->parts == search->parts_room) {
        size_t room = 2 * search->parts_room + 64;
        struct value_part *more =
            realloc(search->part, room * sizeof *search->part);
        if (more == NULL)
            return false;
        search->part = more;
        search->parts_room = room;
    }
    search->part[search->parts++] = part;
    return true;
}

/* Add the pages and cells of VALUES.  Returns whether there is memory. */
static bool
add_parts(struct value_search *search, const struct group_values *values,
          bool is_high)
{
    bool is_done = true;

    for (const struct value_page *page = values->page; page != NULL && is_done;
         page = page->next)
        is_done = add_part(search, (struct value_part){
                                       page->nano, NULL, 0,
                                       value_page_used(values, page), is_high});
    for (const struct value_cells *cells = values->cells;
         cells != NULL && is_done; cells = cells->next) {
        for (uint64_t c = 0; c < cells->size && is_done; c += PART_CELLS) {
            uint64_t left = cells->size - c;
            uint64_t end = c + (left < PART_CELLS ? left : PART_CELLS);
            is_done = add_part(
                search, (struct value_part){NULL, cells, c, end, is_high});
        }
    }
    return is_done;
}

/* List the parts for a crew, unless one thread is enough for NUMBERS, or for
   the memory. */
static void
list_parts(struct value_search *search, uint64_t numbers)
{
    bool is_done = true;

    search->parts = 0;
    search->members = search->members_most;
    if (search->members > numbers / search->each)
        search->members = (unsigned int)(numbers / search->each);
    if (search->members < 2)
        return;
    for (size_t g = 0; g < search->groups && is_done; g++) {
        const struct group_values *values = search->values[g];
        is_done = add_parts(search, values, search->has_long);
        if (is_done && search->has_long && values->more != NULL)
            is_done = add_parts(search, values->more, false);
    }
    if (!is_done)
        search->members = 1;
}

/* As group_values_find(), if HAS_LONG for HIGHs, which have EXTREMES. */
static void
find_all(struct value_search *search, const struct group_values *const *values,
         size_t groups, bool has_long, const struct value_extremes *extremes,
         const uint64_t *rank, size_t count, int64_t *found)
{
    struct value_task task = {
        .high = (uint64_t)extremes->greatest - (uint64_t)extremes->least,
        .numbers = extremes->numbers,
        .end = count,
        .is_first = true,
    };

    assert(count <= SPEC_RANKS_MAX);
    search->values = values;
    search->groups = groups;
    search->has_long = has_long;
    search->least = (uint64_t)extremes->least;
    search->rank = rank;
    search->found = found;
    search->copies = 0;
    for (; task.first < count && rank[task.first] == 1; task.first++)
        set_found(search, task.first, task.low);
    for (; task.end > task.first && rank[task.end - 1] == task.numbers;
         task.end--)
        set_found(search, task.end - 1, task.high);
    if (task.first == task.end)
        return;
    list_parts(search, extremes->numbers);
    find(search, &task);
    free(search->part);
    search->part = NULL;
    search->parts_room = 0;
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
    for (size_t g = 0; g < search->groups; g++) {
        (void)group_values_visit(search->values[g], count_low_of_nano, &wanted);
        (void)group_values_visit_long(search->values[g], count_low_of_long,
                                      &wanted);
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
