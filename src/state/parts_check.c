/* parts_check.c -- states that are added contain every part once */

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "state/part_line.h"
#include "state/parts_check.h"

/* Shorter parts begin with each other by chance: lines of digits, say.  Those
   of one name do not. */
#define PREFIX_BYTES_MIN 64

#define SLOTS_MIN 64

/* What a message says behind what is wrong. */
#define HINT_ALLOW "(--duplicates=allow counts it again)"

static const char *
state_of(const struct parts_check *check, const struct counted_part *counted)
{
    return check->state[counted->state];
}

/* ---- the same part twice ---- */

static bool
are_equal(const struct part *a, const struct part *b)
{
    return a->digest.low == b->digest.low && a->digest.high == b->digest.high &&
           a->begin == b->begin && a->end == b->end;
}

static bool
are_of_run(const struct part *a, const struct part *b)
{
    return a->shards > 1 && a->shards == b->shards && a->run == b->run;
}

/* Whether A and B are of two shards of a run: what both have was named
   twice. */
static bool
are_of_shards(const struct part *a, const struct part *b)
{
    return are_of_run(a, b) && a->shard != b->shard;
}

/*
 * The ways in which the table finds a part that is equal to another one.
 * Parts of different shards of a run do not count as equal; so the first one
 * does not stand for all.
 */
enum way {
    WAY_FIRST, /* the first one */
    WAY_OTHER, /* the first one that is not of the run of that */
    WAY_SHARD, /* the first one of the same shard */
    WAYS
};

/* What the place of a part in the table depends on. */
struct place {
    struct digest digest;
    uint64_t begin;
    uint64_t end;
    uint64_t way;
    uint64_t run;
    uint64_t shards;
    uint64_t shard;
};

/* Returns the slot of the part that is found by WAY from PART, or a free one
   for PART. */
static struct parts_slot *
find_slot(const struct parts_check *check, enum way way,
          const struct part *part)
{
    struct place place = {.digest = part->digest,
                          .begin = part->begin,
                          .end = part->end,
                          .way = way};
    if (way == WAY_SHARD) {
        place.run = part->run;
        place.shards = part->shards;
        place.shard = part->shard;
    }
    size_t at = (size_t)digest_of(&place, sizeof place, check->seed).low;

    for (;; at++) {
        struct parts_slot *slot = &check->slot[at & (check->slots - 1)];
        if (slot->part == 0)
            return slot;
        const struct part *other = &check->counted[slot->part - 1].part;
        if (slot->way == way && are_equal(other, part) &&
            (way != WAY_SHARD ||
             (are_of_run(other, part) && other->shard == part->shard)))
            return slot;
    }
}

/* Make room in the table for another part.  Returns 0, or -1. */
static int
grow_table(struct parts_check *check)
{
    size_t old = check->slots;
    struct parts_slot *from = check->slot;

    if (2 * (check->used_slots + WAYS) <= old)
        return 0;
    check->slots = old > 0 ? 2 * old : SLOTS_MIN;
    check->slot = calloc(check->slots, sizeof *check->slot);
    if (check->slot == NULL) {
        check->slot = from;
        check->slots = old;
        return -1;
    }
    /* Without a source of random numbers, lists of parts that are made to be
       slow are slow. */
    if (old == 0 &&
        getrandom(&check->seed, sizeof check->seed, GRND_NONBLOCK) < 0)
        check->seed = 0;
    for (size_t i = 0; i < old; i++) {
        if (from[i].part > 0)
            *find_slot(check, from[i].way,
                       &check->counted[from[i].part - 1].part) = from[i];
    }
    free(from);
    return 0;
}

/* Let SLOT have COUNTED if it is free. */
static void
fill_slot(struct parts_check *check, struct parts_slot *slot, enum way way,
          const struct counted_part *counted)
{
    if (slot->part > 0)
        return;
    *slot = (struct parts_slot){(size_t)(counted - check->counted) + 1, way};
    check->used_slots++;
}

/*
 * Returns a part that is equal to COUNTED, of an earlier state and not of
 * another shard of its run.  NULL: there is none, and COUNTED is in the table,
 * which has room for it.
 */
static const struct counted_part *
find_part(struct parts_check *check, const struct counted_part *counted)
{
    const struct part *part = &counted->part;
    const struct counted_part *first = counted;

    for (enum way way = WAY_FIRST; way < WAYS; way++) {
        struct parts_slot *slot = find_slot(check, way, part);
        const struct counted_part *found =
            slot->part > 0 ? &check->counted[slot->part - 1] : NULL;
        bool is_other = !are_of_run(&first->part, part);
        if (found != NULL && found->state != counted->state &&
            !are_of_shards(&found->part, part))
            return found;
        if (way == WAY_FIRST && found != NULL)
            first = found;
        if (way == WAY_OTHER ? first != counted && is_other
                             : way == WAY_FIRST || part->shards > 1)
            fill_slot(check, slot, way, counted);
    }
    return NULL;
}

/* Keep NAME, of the next state.  Returns 0, or -1. */
static int
add_state(struct parts_check *check, const char *name)
{
    if (check->states == check->state_room) {
        size_t room = 2 * check->state_room + 8;
        char **grown = realloc(check->state, room * sizeof *grown);
        if (grown == NULL)
            return -1;
        check->state = grown;
        check->state_room = room;
    }
    char *copy = strdup(name);
    if (copy == NULL)
        return -1;
    check->state[check->states++] = copy;
    return 0;
}

/* Read the lines of PARTS behind the parts so far.  Returns 0, or -1. */
static int
read_parts(struct parts_check *check, const char *name,
           const struct state_lines *parts, struct error *error)
{
    if (parts->count > check->room - check->count) {
        size_t room = 2 * check->room + parts->count;
        struct counted_part *grown =
            realloc(check->counted, room * sizeof *grown);
        if (grown == NULL)
            return error_fail_memory(error);
        check->counted = grown;
        check->room = room;
    }
    for (size_t i = 0; i < parts->count; i++) {
        struct counted_part *counted = &check->counted[check->count];
        int result = part_line_read(parts, i, &counted->part);
        if (result < 0)
            return error_fail_memory(error);
        if (result > 0) {
            error_set(error, EXIT_DATA, "%s: part %zu is damaged", name, i + 1);
            return -1;
        }
        counted->state = check->states - 1;
        check->count++;
    }
    return 0;
}

static int
fail_again(const struct parts_check *check, const struct counted_part *counted,
           const struct counted_part *before, struct error *error)
{
    const char *name = counted->part.name;

    if (strcmp(name, before->part.name) == 0)
        error_set(error, EXIT_DATA, "%s: %s is already in %s " HINT_ALLOW,
                  state_of(check, counted), name, state_of(check, before));
    else
        error_set(
            error, EXIT_DATA,
            "%s: %s has the bytes of %s, which is already in %s " HINT_ALLOW,
            state_of(check, counted), name, before->part.name,
            state_of(check, before));
    return -1;
}

int
parts_check_add(struct parts_check *check, const char *name,
                const struct state_lines *parts, struct error *error)
{
    size_t first = check->count;
    const struct counted_part *old = NULL; /* an earlier state has it */
    const struct counted_part *new = NULL; /* none has it */

    if (add_state(check, name) < 0)
        return error_fail_memory(error);
    if (read_parts(check, name, parts, error) < 0)
        return -1;
    if (check->duplicates == PARTS_ALLOW)
        return 1;
    for (size_t i = first; i < check->count; i++) {
        const struct counted_part *counted = &check->counted[i];
        if (counted->part.is_empty)
            continue;
        if (grow_table(check) < 0)
            return error_fail_memory(error);
        const struct counted_part *found = find_part(check, counted);
        if (found != NULL && check->duplicates == PARTS_REFUSE)
            return fail_again(check, counted, found, error);
        if (found != NULL)
            old = counted;
        else
            new = counted;
        if (old != NULL && new != NULL)
            break;
    }
    if (old == NULL)
        return 1;
    if (new != NULL) {
        error_set(error, EXIT_DATA,
                  "%s: %s is already in another state, but %s is not: nothing "
                  "of this state can be skipped",
                  name, old->part.name, new->part.name);
        return -1;
    }
    while (check->count > first)
        part_close(&check->counted[--check->count].part);
    return 0;
}

/* ---- orders of parts ---- */

static int
compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Compare pointers to counted parts, as qsort() wants it, by their marks, ends
   and states. */
static int
compare_marks(const void *left, const void *right)
{
    const struct counted_part *a = *(struct counted_part *const *)left;
    const struct counted_part *b = *(struct counted_part *const *)right;
    size_t marks =
        a->part.marks < b->part.marks ? a->part.marks : b->part.marks;

    for (size_t i = 0; i < marks; i++) {
        if (a->part.mark[i] != b->part.mark[i])
            return a->part.mark[i] < b->part.mark[i] ? -1 : 1;
    }
    /* Where one has more marks, it ends behind the other. */
    int order = compare_numbers(a->part.end, b->part.end);
    return order != 0 ? order : compare_numbers(a->state, b->state);
}

/* The same, by their names and heads: parts of one file, if it has not changed
   meanwhile. */
static int
compare_files(const struct part *a, const struct part *b)
{
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : compare_numbers(a->head, b->head);
}

/* ... then by their sizes and ranges. */
static int
compare_ranges(const void *left, const void *right)
{
    const struct counted_part *a = *(struct counted_part *const *)left;
    const struct counted_part *b = *(struct counted_part *const *)right;
    int order = compare_files(&a->part, &b->part);

    if (order == 0)
        order = compare_numbers(a->part.size, b->part.size);
    if (order == 0)
        order = compare_numbers(a->part.begin, b->part.begin);
    if (order == 0)
        order = compare_numbers(a->part.end, b->part.end);
    return order != 0 ? order : compare_numbers(a->state, b->state);
}

/* ... or by their runs and shards. */
static int
compare_shards(const void *left, const void *right)
{
    const struct counted_part *a = *(struct counted_part *const *)left;
    const struct counted_part *b = *(struct counted_part *const *)right;
    int order = compare_numbers(a->part.run, b->part.run);

    if (order == 0)
        order = compare_numbers(a->part.shards, b->part.shards);
    return order != 0 ? order : compare_numbers(a->part.shard, b->part.shard);
}

/* ---- a file that has grown ---- */

/* Whether the marks of A are the first ones of B. */
static bool
begins_alike(const struct part *a, const struct part *b)
{
    return a->marks <= b->marks &&
           memcmp(a->mark, b->mark, a->marks * sizeof *a->mark) == 0;
}

/* Whether B, which begins with the marks of A, may be A after it has grown. */
static bool
has_grown(const struct counted_part *a, const struct counted_part *b)
{
    return a->state != b->state && a->part.end < b->part.end &&
           !are_of_shards(&a->part, &b->part);
}

static bool
has_marks(const struct part *part)
{
    return !part->is_empty && part->marks > 0;
}

static int
compare_nothing(const struct part *a, const struct part *b)
{
    (void)a;
    (void)b;
    return 0;
}

static int
compare_names(const struct part *a, const struct part *b)
{
    return strcmp(a->name, b->name);
}

static int
compare_heads(const struct part *a, const struct part *b)
{
    return compare_numbers(a->head, b->head);
}

static int
compare_named_marks(const void *left, const void *right)
{
    const struct counted_part *a = *(struct counted_part *const *)left;
    const struct counted_part *b = *(struct counted_part *const *)right;
    int order = compare_names(&a->part, &b->part);

    return order != 0 ? order : compare_marks(left, right);
}

static int
compare_headed_marks(const void *left, const void *right)
{
    const struct counted_part *a = *(struct counted_part *const *)left;
    const struct counted_part *b = *(struct counted_part *const *)right;
    int order = compare_heads(&a->part, &b->part);

    return order != 0 ? order : compare_marks(left, right);
}

/* What else a part must have in common with one of FROM to TO bytes that it
   begins with. */
static const struct likeness {
    uint64_t from;
    uint64_t to;
    int (*compare)(const struct part *a, const struct part *b);
    int (*order)(const void *left, const void *right); /* then by marks */
} likenesses[] = {
    {0, PREFIX_BYTES_MIN - 1, compare_names, compare_named_marks},
    {PREFIX_BYTES_MIN, PART_HEAD_BYTES - 1, compare_nothing, compare_marks},
    {PART_HEAD_BYTES, UINT64_MAX, compare_heads, compare_headed_marks},
};

#define LIKENESSES (sizeof likenesses / sizeof *likenesses)

/* A part that those after it may begin with. */
struct beginning {
    const struct counted_part *counted;
    /* How many in front of it, up to one ... */
    size_t others;  /* ... of another state */
    size_t shorter; /* ... that ends before */
};

/*
 * Whether a part begins with one of another state.  All parts are in ORDER, by
 * LIKENESS and their marks: a part comes behind those that it begins with, and
 * all between them begin alike.  STACK has room for all.
 */
static int
check_prefixes(const struct parts_check *check, const struct likeness *likeness,
               struct counted_part *const *order, size_t count,
               struct beginning *stack, struct error *error)
{
    size_t depth = 0;

    for (size_t i = 0; i < count; i++) {
        const struct counted_part *counted = order[i];
        const struct part *part = &counted->part;
        if (depth > 0 &&
            likeness->compare(&stack[depth - 1].counted->part, part) != 0)
            depth = 0;
        while (depth > 0 &&
               !begins_alike(&stack[depth - 1].counted->part, part))
            depth--;
        const struct beginning *top = depth > 0 ? &stack[depth - 1] : NULL;
        struct beginning new = {counted, depth, depth};
        if (top != NULL && top->counted->part.end == part->end)
            new.shorter = top->shorter;
        if (top != NULL && top->counted->state == counted->state)
            new.others = top->others;
        size_t at = new.shorter;
        while (at > 0 && !has_grown(stack[at - 1].counted, counted))
            at = stack[at - 1].counted->state == counted->state
                     ? stack[at - 1].others
                     : at - 1;
        if (at > 0) {
            const struct counted_part *before = stack[at - 1].counted;
            error_set(error, EXIT_DATA,
                      "%s: %s begins with the %llu bytes of %s that are in %s",
                      state_of(check, counted), part->name,
                      (unsigned long long)before->part.end, before->part.name,
                      state_of(check, before));
            return -1;
        }
        if (part->end >= likeness->from && part->end <= likeness->to)
            stack[depth++] = new;
    }
    return 0;
}

/* ---- bytes of one file twice ---- */

static int
check_overlaps(const struct parts_check *check,
               struct counted_part *const *order, size_t count,
               struct error *error)
{
    const struct counted_part *far = NULL;  /* ends last of one file ... */
    const struct counted_part *next = NULL; /* ... and of another state */

    for (size_t i = 0; i < count; i++) {
        const struct counted_part *counted = order[i];
        if (far != NULL && (compare_files(&far->part, &counted->part) != 0 ||
                            far->part.size != counted->part.size)) {
            far = NULL;
            next = NULL;
        }
        const struct counted_part *other =
            far != NULL && far->state == counted->state ? next : far;
        /* Equal ranges of other bytes are of other files. */
        if (other != NULL && other->part.end > counted->part.begin &&
            !are_of_shards(&other->part, &counted->part) &&
            (other->part.begin != counted->part.begin ||
             other->part.end != counted->part.end)) {
            error_set(
                error, EXIT_DATA,
                "%s: bytes %llu to %llu of %s are already in %s " HINT_ALLOW,
                state_of(check, counted),
                (unsigned long long)counted->part.begin,
                (unsigned long long)(other->part.end < counted->part.end
                                         ? other->part.end
                                         : counted->part.end),
                counted->part.name, state_of(check, other));
            return -1;
        }
        if (far == NULL || counted->part.end >= far->part.end) {
            if (far != NULL && far->state != counted->state)
                next = far;
            far = counted;
        } else if (counted->state != far->state &&
                   (next == NULL || counted->part.end > next->part.end)) {
            next = counted;
        }
    }
    return 0;
}

/* ---- shards ---- */

/* ORDER has the COUNT parts of shards, by their files. */
static int
check_sizes(const struct parts_check *check, struct counted_part *const *order,
            size_t count, struct error *error)
{
    for (size_t i = 1; i < count; i++) {
        const struct part *a = &order[i - 1]->part;
        const struct part *b = &order[i]->part;
        if (compare_files(a, b) != 0 || a->size == b->size || a->head == 0 ||
            a->shards != b->shards)
            continue;
        error_set(error, EXIT_DATA,
                  "%s: %s had %llu bytes for shard %llu, but %llu in %s",
                  state_of(check, order[i]), b->name,
                  (unsigned long long)b->size, (unsigned long long)b->shard,
                  (unsigned long long)a->size, state_of(check, order[i - 1]));
        return -1;
    }
    return 0;
}

/* ORDER has the COUNT parts of shards, by their runs and shards. */
static int
check_shards(const struct parts_check *check, struct counted_part *const *order,
             size_t count, struct error *error)
{
    uint64_t wanted = 1; /* the next shard of the run */

    for (size_t i = 0; i < count; i++) {
        const struct part *part = &order[i]->part;
        const struct part *after = i + 1 < count ? &order[i + 1]->part : NULL;
        bool is_last = after == NULL || after->run != part->run ||
                       after->shards != part->shards;
        uint64_t missing = part->shard > wanted ? wanted : 0;
        wanted = part->shard + 1;
        if (missing == 0 && is_last && part->shard < part->shards)
            missing = wanted;
        if (missing > 0) {
            error_set(error, EXIT_DATA,
                      "shard %llu of %llu is missing, of the run of %s "
                      "(--incomplete accepts that)",
                      (unsigned long long)missing,
                      (unsigned long long)part->shards,
                      state_of(check, order[i]));
            return -1;
        }
        if (is_last)
            wanted = 1;
    }
    return 0;
}

/* ---- all of them ---- */

/* Put those parts for which IS_ONE to ORDER, by COMPARE.  Returns how many. */
static size_t
put_in_order(const struct parts_check *check, struct counted_part **order,
             bool (*is_one)(const struct part *),
             int (*compare)(const void *, const void *))
{
    size_t count = 0;

    for (size_t i = 0; i < check->count; i++) {
        if (is_one(&check->counted[i].part))
            order[count++] = &check->counted[i];
    }
    qsort(order, count, sizeof(struct counted_part *), compare);
    return count;
}

static bool
has_content(const struct part *part)
{
    return !part->is_empty;
}

static bool
is_shard(const struct part *part)
{
    return part->shards > 1;
}

int
parts_check_end(const struct parts_check *check, struct error *error)
{
    size_t room = check->count + 1;
    struct counted_part **order = malloc(room * sizeof(struct counted_part *));
    struct beginning *stack = malloc(room * sizeof *stack);
    int result = 0;

    if (order == NULL || stack == NULL) {
        result = error_fail_memory(error);
    } else {
        size_t count = put_in_order(check, order, is_shard, compare_ranges);
        result = check_sizes(check, order, count, error);
        if (result == 0 && !check->is_incomplete) {
            count = put_in_order(check, order, is_shard, compare_shards);
            result = check_shards(check, order, count, error);
        }
        for (size_t i = 0;
             i < LIKENESSES && result == 0 && check->duplicates != PARTS_ALLOW;
             i++) {
            count = put_in_order(check, order, has_marks, likenesses[i].order);
            result = check_prefixes(check, &likenesses[i], order, count, stack,
                                    error);
        }
        if (result == 0 && check->duplicates != PARTS_ALLOW) {
            count = put_in_order(check, order, has_content, compare_ranges);
            result = check_overlaps(check, order, count, error);
        }
    }
    free(order);
    free(stack);
    return result;
}

void
parts_check_close(struct parts_check *check)
{
    for (size_t i = 0; i < check->count; i++)
        part_close(&check->counted[i].part);
    for (size_t i = 0; i < check->states; i++)
        free(check->state[i]);
    free(check->counted);
    free(check->state);
    free(check->slot);
    *check = (struct parts_check){0};
}
