/*
 * test_range_order.c -- each range is told where its first record begins
 *
 * Random ranges, in each of which records end or not, whether it begins with
 * one or not.  Their readers add, guess and settle in random order, and each
 * must be told the same as one reader who takes them in turns.
 */

#include <stdlib.h>

#include "../noise.h"
#include "../tap.h"
#include "input/range_order.h"

#define RANGES 40
#define RANGE_BYTES 100
#define READERS 6

/* What a reader does next with its range. */
enum step {
    STEP_ADD,
    STEP_GUESS,
    STEP_AWAIT,
    STEP_LEFT,
};

struct reader {
    struct range range;
    size_t number; /* of the range */
    enum step step;
};

/* What follows for the next range, from what is OPEN. */
static off_t after_record[RANGES]; /* a record begins with the range */
static off_t after_inside[RANGES]; /* or it goes on there; 0: to the end */
static size_t failing;             /* this range cannot be read */

static off_t
find_after(size_t number, off_t open)
{
    if (open == RANGE_LOST || number == failing)
        return RANGE_LOST;
    if (open == (off_t)(number * RANGE_BYTES))
        return after_record[number];
    return after_inside[number] > 0 ? after_inside[number] : open;
}

static void
make_ranges(void)
{
    for (size_t i = 0; i < RANGES; i++) {
        off_t begin = (off_t)(i * RANGE_BYTES);
        after_record[i] =
            begin + (off_t)(noise() % 3 == 0 ? noise() % 100 : RANGE_BYTES);
        after_inside[i] =
            noise() % 3 == 0 ? 0 : begin + 1 + (off_t)(noise() % RANGE_BYTES);
    }
    failing = noise() % (2 * (uint64_t)RANGES);
}

/* Let READER take a step.  Returns whether it could; *OPEN of its range. */
static bool
take_step(struct range_order *order, struct reader *reader, off_t *open)
{
    struct range *range = &reader->range;
    off_t begin = (off_t)(reader->number * RANGE_BYTES);

    if (reader->step == STEP_ADD) {
        range_order_add(order, range, begin, begin + RANGE_BYTES);
        reader->step = range->is_known || reader->number == failing
                           ? STEP_AWAIT
                           : STEP_GUESS;
        return true;
    }
    if (reader->step == STEP_GUESS) {
        /* It may have become known while the reader scanned. */
        (void)range_order_guess(order, range,
                                find_after(reader->number, begin));
        reader->step = STEP_AWAIT;
        return true;
    }
    if (reader->step == STEP_LEFT || !range->is_known)
        return false;
    *open = range->open;
    if (range->open != RANGE_LOST &&
        !(range->is_guessed && range->open == range->begin))
        range_order_settle(order, range, find_after(reader->number, *open));
    reader->step = STEP_LEFT;
    return true;
}

/* Whether all are told the same in a random order. */
static bool
is_right(void)
{
    struct range_order order;
    struct reader readers[READERS];
    off_t open[RANGES];
    size_t added = 0;

    make_ranges();
    range_order_begin(&order, 0);
    for (size_t r = 0; r < READERS; r++)
        readers[r].step = STEP_LEFT;
    for (size_t tries = 0, left = RANGES; left > 0; tries++) {
        struct reader *reader = &readers[noise() % READERS];
        if (tries > 100000)
            return false; /* nobody can go on */
        if (reader->step == STEP_LEFT && added < RANGES) {
            *reader = (struct reader){.number = added++};
            (void)take_step(&order, reader, open);
        } else if (take_step(&order, reader, &open[reader->number])) {
            left -= reader->step == STEP_LEFT;
        }
    }
    off_t wanted = 0;
    for (size_t i = 0; i < RANGES; i++) {
        if (open[i] != wanted)
            return false;
        wanted = find_after(i, wanted);
    }
    return order.first == NULL && order.open == wanted;
}

int
main(void)
{
    size_t wrong = 0;

    for (int round = 0; round < 3000; round++)
        wrong += !is_right();
    ok(wrong == 0, "ranges are told of those before (%zu wrong)", wrong);
    return done_testing();
}
