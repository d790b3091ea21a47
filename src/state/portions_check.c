/* SPDX-License-Identifier: MIT */
/* portions_check.c -- added states contain every portion once */

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "state/portion_line.h"
#include "state/portions_check.h"

/* A shorter portion may be the start of another by chance: lines of digits,
   say; but not if both have one name. */
#define PREFIX_BYTES_MIN 64

#define SLOTS_MIN 64

/* The end of messages: what a user can do. */
#define HINT_ALLOW "(--duplicates=allow counts it again)"

static const char *
state_of(const struct portions_check *check,
         const struct counted_portion *counted)
{
    return check->state[counted->state];
}

/* ---- the same portion twice ---- */

static bool
are_equal(const struct portion *a, const struct portion *b)
{
    return a->digest.low == b->digest.low && a->digest.high == b->digest.high &&
           a->start == b->start && a->end == b->end;
}

static bool
are_of_run(const struct portion *a, const struct portion *b)
{
    return a->shards > 1 && a->shards == b->shards && a->run == b->run;
}

/* Whether A and B are of two shards of a run.  Equal portions are an input that
   was named twice. */
static bool
are_of_shards(const struct portion *a, const struct portion *b)
{
    return are_of_run(a, b) && a->shard != b->shard;
}

/*
 * How the table finds an equal portion.  Portions of different shards of a run
 * do not count as equal, so the first portion does not stand for all.
 */
enum lookup {
    LOOKUP_FIRST, /* the first portion */
    LOOKUP_OTHER, /* the first portion of another run than LOOKUP_FIRST */
    LOOKUP_SHARD, /* the first portion of the same shard */
    LOOKUPS
};

/* The hashed key of a slot. */
struct slot_key {
    struct digest digest;
    uint64_t start;
    uint64_t end;
    uint64_t lookup;
    uint64_t run;
    uint64_t shards;
    uint64_t shard;
};

/* Returns the slot that LOOKUP finds for PORTION: of an equal portion, or
   free. */
static struct portion_slot *
find_slot(const struct portions_check *check, enum lookup lookup,
          const struct portion *portion)
{
    struct slot_key slot_key = {.digest = portion->digest,
                                .start = portion->start,
                                .end = portion->end,
                                .lookup = lookup};
    if (lookup == LOOKUP_SHARD) {
        slot_key.run = portion->run;
        slot_key.shards = portion->shards;
        slot_key.shard = portion->shard;
    }
    size_t at = (size_t)digest_of(&slot_key, sizeof slot_key, check->seed).low;

    for (;; at++) {
        struct portion_slot *slot = &check->slot[at & (check->slots - 1)];
        if (slot->portion == 0)
            return slot;
        const struct portion *other =
            &check->counted[slot->portion - 1].portion;
        if (slot->lookup == lookup && are_equal(other, portion) &&
            (lookup != LOOKUP_SHARD ||
             (are_of_run(other, portion) && other->shard == portion->shard)))
            return slot;
    }
}

/* Make room in the table for another portion.  Returns 0, or -1. */
static int
grow_table(struct portions_check *check)
{
    size_t old = check->slots;
    struct portion_slot *from = check->slot;

    if (2 * (check->used_slots + LOOKUPS) <= old)
        return 0;
    check->slots = old > 0 ? 2 * old : SLOTS_MIN;
    check->slot = calloc(check->slots, sizeof *check->slot);
    if (check->slot == NULL) {
        check->slot = from;
        check->slots = old;
        return -1;
    }
    /* Without a random seed, crafted lists of portions may make the table
       slow. */
    if (old == 0 &&
        getrandom(&check->seed, sizeof check->seed, GRND_NONBLOCK) < 0)
        check->seed = 0;
    for (size_t i = 0; i < old; i++) {
        if (from[i].portion > 0)
            *find_slot(check, from[i].lookup,
                       &check->counted[from[i].portion - 1].portion) = from[i];
    }
    free(from);
    return 0;
}

/* Put COUNTED into SLOT, if SLOT is free. */
static void
fill_slot(struct portions_check *check, struct portion_slot *slot,
          enum lookup lookup, const struct counted_portion *counted)
{
    if (slot->portion > 0)
        return;
    *slot =
        (struct portion_slot){(size_t)(counted - check->counted) + 1, lookup};
    check->used_slots++;
}

/*
 * Returns a portion equal to COUNTED, of an earlier state and not of another
 * shard of the same run.  NULL: none exists, and COUNTED is in the table now.
 * The table has room.
 */
static const struct counted_portion *
find_portion(struct portions_check *check,
             const struct counted_portion *counted)
{
    const struct portion *portion = &counted->portion;
    const struct counted_portion *first = counted;

    for (enum lookup lookup = LOOKUP_FIRST; lookup < LOOKUPS; lookup++) {
        struct portion_slot *slot = find_slot(check, lookup, portion);
        const struct counted_portion *found =
            slot->portion > 0 ? &check->counted[slot->portion - 1] : NULL;
        bool is_other = !are_of_run(&first->portion, portion);
        if (found != NULL && found->state != counted->state &&
            !are_of_shards(&found->portion, portion))
            return found;
        if (lookup == LOOKUP_FIRST && found != NULL)
            first = found;
        if (lookup == LOOKUP_OTHER
                ? first != counted && is_other
                : lookup == LOOKUP_FIRST || portion->shards > 1)
            fill_slot(check, slot, lookup, counted);
    }
    return NULL;
}

/* Keep NAME, of the next state.  Returns 0, or -1. */
static int
add_state(struct portions_check *check, const char *name)
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

/* Append the portions of the lines PORTIONS.  Returns 0, or -1. */
static int
read_portions(struct portions_check *check, const char *name,
              const struct state_lines *portions, struct error *error)
{
    if (portions->count > check->room - check->count) {
        size_t room = 2 * check->room + portions->count;
        struct counted_portion *grown =
            realloc(check->counted, room * sizeof *grown);
        if (grown == NULL)
            return error_fail_memory(error);
        check->counted = grown;
        check->room = room;
    }
    for (size_t i = 0; i < portions->count; i++) {
        struct counted_portion *counted = &check->counted[check->count];
        int result = portion_line_read(portions, i, &counted->portion);
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
fail_again(const struct portions_check *check,
           const struct counted_portion *counted,
           const struct counted_portion *before, struct error *error)
{
    const char *name = counted->portion.name;

    if (strcmp(name, before->portion.name) == 0)
        error_set(error, EXIT_DATA, "%s: %s is already in %s " HINT_ALLOW,
                  state_of(check, counted), name, state_of(check, before));
    else
        error_set(
            error, EXIT_DATA,
            "%s: %s has the bytes of %s, which is already in %s " HINT_ALLOW,
            state_of(check, counted), name, before->portion.name,
            state_of(check, before));
    return -1;
}

int
portions_check_add(struct portions_check *check, const char *name,
                   const struct state_lines *portions, struct error *error)
{
    size_t first = check->count;
    const struct counted_portion *old = NULL; /* in an earlier state */
    const struct counted_portion *new = NULL; /* in none */

    if (add_state(check, name) < 0)
        return error_fail_memory(error);
    if (read_portions(check, name, portions, error) < 0)
        return -1;
    if (check->duplicates == PORTIONS_ALLOW)
        return 1;
    for (size_t i = first; i < check->count; i++) {
        const struct counted_portion *counted = &check->counted[i];
        if (counted->portion.is_empty)
            continue;
        if (grow_table(check) < 0)
            return error_fail_memory(error);
        const struct counted_portion *found = find_portion(check, counted);
        if (found != NULL && check->duplicates == PORTIONS_REFUSE)
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
                  name, old->portion.name, new->portion.name);
        return -1;
    }
    while (check->count > first)
        portion_close(&check->counted[--check->count].portion);
    return 0;
}

/* ---- orders of portions ---- */

static int
compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

/* Compare pointers to counted portions, as qsort() wants it, by marks, ends and
   states. */
static int
compare_marks(const void *left, const void *right)
{
    const struct counted_portion *a = *(struct counted_portion *const *)left;
    const struct counted_portion *b = *(struct counted_portion *const *)right;
    size_t marks = a->portion.marks < b->portion.marks ? a->portion.marks
                                                       : b->portion.marks;

    for (size_t i = 0; i < marks; i++) {
        if (a->portion.mark[i] != b->portion.mark[i])
            return a->portion.mark[i] < b->portion.mark[i] ? -1 : 1;
    }
    /* The portion with more marks ends later. */
    int order = compare_numbers(a->portion.end, b->portion.end);
    return order != 0 ? order : compare_numbers(a->state, b->state);
}

/* Compare names and heads: equal for portions of one file, unless the file has
   changed. */
static int
compare_files(const struct portion *a, const struct portion *b)
{
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : compare_numbers(a->head, b->head);
}

/* Compare pointers, by names, heads, sizes and ranges. */
static int
compare_ranges(const void *left, const void *right)
{
    const struct counted_portion *a = *(struct counted_portion *const *)left;
    const struct counted_portion *b = *(struct counted_portion *const *)right;
    int order = compare_files(&a->portion, &b->portion);

    if (order == 0)
        order = compare_numbers(a->portion.size, b->portion.size);
    if (order == 0)
        order = compare_numbers(a->portion.start, b->portion.start);
    if (order == 0)
        order = compare_numbers(a->portion.end, b->portion.end);
    return order != 0 ? order : compare_numbers(a->state, b->state);
}

/* Compare pointers, by runs and shards. */
static int
compare_shards(const void *left, const void *right)
{
    const struct counted_portion *a = *(struct counted_portion *const *)left;
    const struct counted_portion *b = *(struct counted_portion *const *)right;
    int order = compare_numbers(a->portion.run, b->portion.run);

    if (order == 0)
        order = compare_numbers(a->portion.shards, b->portion.shards);
    return order != 0 ? order
                      : compare_numbers(a->portion.shard, b->portion.shard);
}

/* ---- a file that has grown ---- */

/* Whether B has all marks of A first. */
static bool
starts_alike(const struct portion *a, const struct portion *b)
{
    return a->marks <= b->marks &&
           memcmp(a->mark, b->mark, a->marks * sizeof *a->mark) == 0;
}

/* Whether B may be A after A has grown.  B starts with the marks of A. */
static bool
has_grown(const struct counted_portion *a, const struct counted_portion *b)
{
    return a->state != b->state && a->portion.end < b->portion.end &&
           !are_of_shards(&a->portion, &b->portion);
}

static bool
has_marks(const struct portion *portion)
{
    return !portion->is_empty && portion->marks > 0;
}

static int
compare_nothing(const struct portion *a, const struct portion *b)
{
    (void)a;
    (void)b;
    return 0;
}

static int
compare_names(const struct portion *a, const struct portion *b)
{
    return strcmp(a->name, b->name);
}

static int
compare_heads(const struct portion *a, const struct portion *b)
{
    return compare_numbers(a->head, b->head);
}

static int
compare_named_marks(const void *left, const void *right)
{
    const struct counted_portion *a = *(struct counted_portion *const *)left;
    const struct counted_portion *b = *(struct counted_portion *const *)right;
    int order = compare_names(&a->portion, &b->portion);

    return order != 0 ? order : compare_marks(left, right);
}

static int
compare_headed_marks(const void *left, const void *right)
{
    const struct counted_portion *a = *(struct counted_portion *const *)left;
    const struct counted_portion *b = *(struct counted_portion *const *)right;
    int order = compare_heads(&a->portion, &b->portion);

    return order != 0 ? order : compare_marks(left, right);
}

/* The further likeness of a portion and its start, of FROM to TO bytes. */
static const struct likeness {
    uint64_t from;
    uint64_t to;
    int (*compare)(const struct portion *a, const struct portion *b);
    int (*order)(const void *left, const void *right); /* then by marks */
} likenesses[] = {
    {0, PREFIX_BYTES_MIN - 1, compare_names, compare_named_marks},
    {PREFIX_BYTES_MIN, PORTION_HEAD_BYTES - 1, compare_nothing, compare_marks},
    {PORTION_HEAD_BYTES, UINT64_MAX, compare_heads, compare_headed_marks},
};

#define LIKENESSES (sizeof likenesses / sizeof *likenesses)

/* A portion that may be the start of later portions. */
struct beginning {
    const struct counted_portion *counted;
    /* How many portions below in the stack, up to a portion ... */
    size_t others;  /* ... of another state */
    size_t shorter; /* ... with an earlier end */
};

/*
 * Check that no portion starts with a portion of another state.  ORDER has all
 * portions, by LIKENESS and marks: a portion comes after all portions that are
 * its start, and all portions between them start alike.  STACK has room for
 * COUNT portions.
 */
static int
check_prefixes(const struct portions_check *check,
               const struct likeness *likeness,
               struct counted_portion *const *order, size_t count,
               struct beginning *stack, struct error *error)
{
    size_t depth = 0;

    for (size_t i = 0; i < count; i++) {
        const struct counted_portion *counted = order[i];
        const struct portion *portion = &counted->portion;
        if (depth > 0 &&
            likeness->compare(&stack[depth - 1].counted->portion, portion) != 0)
            depth = 0;
        while (depth > 0 &&
               !starts_alike(&stack[depth - 1].counted->portion, portion))
            depth--;
        const struct beginning *top = depth > 0 ? &stack[depth - 1] : NULL;
        struct beginning new = {counted, depth, depth};
        if (top != NULL && top->counted->portion.end == portion->end)
            new.shorter = top->shorter;
        if (top != NULL && top->counted->state == counted->state)
            new.others = top->others;
        size_t at = new.shorter;
        while (at > 0 && !has_grown(stack[at - 1].counted, counted))
            at = stack[at - 1].counted->state == counted->state
                     ? stack[at - 1].others
                     : at - 1;
        if (at > 0) {
            const struct counted_portion *before = stack[at - 1].counted;
            error_set(error, EXIT_DATA,
                      "%s: %s begins with the %llu bytes of %s that are in %s",
                      state_of(check, counted), portion->name,
                      (unsigned long long)before->portion.end,
                      before->portion.name, state_of(check, before));
            return -1;
        }
        if (portion->end >= likeness->from && portion->end <= likeness->to)
            stack[depth++] = new;
    }
    return 0;
}

/* ---- bytes of one file twice ---- */

static int
check_overlaps(const struct portions_check *check,
               struct counted_portion *const *order, size_t count,
               struct error *error)
{
    const struct counted_portion *far = NULL;  /* ends last, of one file ... */
    const struct counted_portion *next = NULL; /* ... and of another state */

    for (size_t i = 0; i < count; i++) {
        const struct counted_portion *counted = order[i];
        if (far != NULL &&
            (compare_files(&far->portion, &counted->portion) != 0 ||
             far->portion.size != counted->portion.size)) {
            far = NULL;
            next = NULL;
        }
        const struct counted_portion *other =
            far != NULL && far->state == counted->state ? next : far;
        /* Equal ranges with different bytes belong to different files. */
        if (other != NULL && other->portion.end > counted->portion.start &&
            !are_of_shards(&other->portion, &counted->portion) &&
            (other->portion.start != counted->portion.start ||
             other->portion.end != counted->portion.end)) {
            error_set(
                error, EXIT_DATA,
                "%s: bytes %llu to %llu of %s are already in %s " HINT_ALLOW,
                state_of(check, counted),
                (unsigned long long)counted->portion.start,
                (unsigned long long)(other->portion.end < counted->portion.end
                                         ? other->portion.end
                                         : counted->portion.end),
                counted->portion.name, state_of(check, other));
            return -1;
        }
        if (far == NULL || counted->portion.end >= far->portion.end) {
            if (far != NULL && far->state != counted->state)
                next = far;
            far = counted;
        } else if (counted->state != far->state &&
                   (next == NULL || counted->portion.end > next->portion.end)) {
            next = counted;
        }
    }
    return 0;
}

/* ---- shards ---- */

/* ORDER has the COUNT portions of shards, by files. */
static int
check_sizes(const struct portions_check *check,
            struct counted_portion *const *order, size_t count,
            struct error *error)
{
    for (size_t i = 1; i < count; i++) {
        const struct portion *a = &order[i - 1]->portion;
        const struct portion *b = &order[i]->portion;
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

/* ORDER has the COUNT portions of shards, by runs and shards. */
static int
check_shards(const struct portions_check *check,
             struct counted_portion *const *order, size_t count,
             struct error *error)
{
    uint64_t wanted = 1; /* the next shard of the run */

    for (size_t i = 0; i < count; i++) {
        const struct portion *portion = &order[i]->portion;
        const struct portion *after =
            i + 1 < count ? &order[i + 1]->portion : NULL;
        bool is_last = after == NULL || after->run != portion->run ||
                       after->shards != portion->shards;
        uint64_t missing = portion->shard > wanted ? wanted : 0;
        wanted = portion->shard + 1;
        if (missing == 0 && is_last && portion->shard < portion->shards)
            missing = wanted;
        if (missing > 0) {
            error_set(error, EXIT_DATA,
                      "shard %llu of %llu is missing, of the run of %s "
                      "(--incomplete accepts that)",
                      (unsigned long long)missing,
                      (unsigned long long)portion->shards,
                      state_of(check, order[i]));
            return -1;
        }
        if (is_last)
            wanted = 1;
    }
    return 0;
}

/* ---- all of them ---- */

/* Put the portions with IS_WANTED to ORDER, by COMPARE.  Returns their
   number. */
static size_t
put_in_order(const struct portions_check *check, struct counted_portion **order,
             bool (*is_wanted)(const struct portion *),
             int (*compare)(const void *, const void *))
{
    size_t count = 0;

    for (size_t i = 0; i < check->count; i++) {
        if (is_wanted(&check->counted[i].portion))
            order[count++] = &check->counted[i];
    }
    qsort(order, count, sizeof(struct counted_portion *), compare);
    return count;
}

static bool
has_content(const struct portion *portion)
{
    return !portion->is_empty;
}

static bool
is_shard(const struct portion *portion)
{
    return portion->shards > 1;
}

int
portions_check_end(const struct portions_check *check, struct error *error)
{
    size_t room = check->count + 1;
    struct counted_portion **order =
        malloc(room * sizeof(struct counted_portion *));
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
        for (size_t i = 0; i < LIKENESSES && result == 0 &&
                           check->duplicates != PORTIONS_ALLOW;
             i++) {
            count = put_in_order(check, order, has_marks, likenesses[i].order);
            result = check_prefixes(check, &likenesses[i], order, count, stack,
                                    error);
        }
        if (result == 0 && check->duplicates != PORTIONS_ALLOW) {
            count = put_in_order(check, order, has_content, compare_ranges);
            result = check_overlaps(check, order, count, error);
        }
    }
    free(order);
    free(stack);
    return result;
}

void
portions_check_close(struct portions_check *check)
{
    for (size_t i = 0; i < check->count; i++)
        portion_close(&check->counted[i].portion);
    for (size_t i = 0; i < check->states; i++)
        free(check->state[i]);
    free(check->counted);
    free(check->state);
    free(check->slot);
    *check = (struct portions_check){0};
}
