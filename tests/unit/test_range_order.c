/* SPDX-License-Identifier: MIT */
/*
 * test_range_order.c -- each range is told where its first record starts
 *
 * Random data of CSV and FASTQ in random ranges.  Their readers add, guess and
 * settle in random order, and each must be told what one look at all data
 * before tells.
 */

#include <stdlib.h>

#include "../noise.h"
#include "../tap.h"
#include "input/framing/text_framing.h"
#include "input/read/range_order.h"

#define RANGES 40
#define RANGE_BYTES 100
#define READERS 6
#define LONGEST 1000

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

static struct framing framing;
static unsigned char data[RANGES * RANGE_BYTES + 1];
static size_t edge[RANGES + 1]; /* ranges are between these */
static size_t failing;          /* this range cannot be read */

static const char csv_bytes[] = "aaaa,,\"\"\n\n";
static const char *const records[] = {
    "@a\nACGT\n+\nIIII\n", "@b\nAC\nGT\n+\n@I\n>I\n",
    "@c\nA\n+\n@\n",       ">d\nACGT\nACGT\n",
    "@e\n\n+\n\n",         "@f\nACG\n+\n+++\n",
};

static void
make_ranges(bool is_csv)
{
    const char *record = "";

    for (size_t i = 0; i < sizeof data; i++) {
        if (*record == '\0')
            record = records[noise() % (sizeof records / sizeof *records)];
        data[i] =
            (unsigned char)(is_csv ? csv_bytes[noise() % (sizeof csv_bytes - 1)]
                                   : *record++);
    }
    for (size_t i = 1; i <= RANGES; i++) {
        edge[i] = i * RANGE_BYTES - noise() % 90;
        while (is_csv && data[edge[i] - 1] != '\n' && edge[i] < sizeof data - 1)
            edge[i]++;
    }
    failing = noise() % (2 * (uint64_t)RANGES);
}

/* The start of the record that goes on at byte AT, or AT. */
static off_t
find_open(size_t at)
{
    struct framing_state state;
    size_t broken;

    return (off_t)framing_whole(&framing, data, at, &broken, &state, NULL);
}

static bool
is_followed(size_t at)
{
    return at > 0 && data[at - 1] == '\n' &&
           (data[at] == '@' || data[at] == '>');
}

static struct range_cut
cut_range(const struct range *range)
{
    return range_cut_make(
        &framing, LONGEST, &range->before, range->start, data + range->start,
        (size_t)(range->end - range->start), range->is_followed);
}

/* Let READER take a step.  Returns whether it could; *RESULT: its range. */
static bool
take_step(struct range_order *order, struct reader *reader,
          struct range *result)
{
    struct range *range = &reader->range;
    size_t number = reader->number;

    if (reader->step == STEP_ADD) {
        range_order_add(order, range, (off_t)edge[number],
                        (off_t)edge[number + 1], is_followed(edge[number + 1]));
        reader->step =
            range->is_known || number == failing ? STEP_AWAIT : STEP_GUESS;
        return true;
    }
    if (reader->step == STEP_GUESS) {
        /* It may have become known while the reader scanned. */
        if (range_guess(order, range, data + range->start))
            (void)range_order_guess(order, range);
        reader->step = STEP_AWAIT;
        return true;
    }
    if (reader->step == STEP_LEFT || !range->is_known)
        return false;
    if (range->before.open != RANGE_LOST && !range->is_cut) {
        range->cut = cut_range(range);
        if (number == failing)
            range->cut.after.open = RANGE_LOST;
        range_order_settle(order, range, &range->cut.after);
    }
    *result = *range;
    reader->step = STEP_LEFT;
    return true;
}

/* Whether RANGE is told what it must be, and is cut there. */
static bool
is_told(const struct range *range, size_t number)
{
    off_t open = find_open(edge[number]);
    off_t whole = find_open(edge[number + 1]);

    if (number > failing)
        return range->before.open == RANGE_LOST;
    /* The last record of FASTA may end there, if the range is told so. */
    if (is_followed(edge[number]))
        open = range->before.open;
    if (is_followed(edge[number + 1]))
        whole = range->start + (off_t)range->cut.whole;
    return range->before.open == open &&
           range->before.state.is_open == (open < range->start) &&
           (whole < range->start
                ? range->cut.whole == 0 && !range->cut.has_deferred
                : range->start + (off_t)range->cut.whole == whole);
}

/* Whether all are told the same in a random order. */
static bool
is_right(bool is_csv)
{
    struct range_order order;
    struct reader readers[READERS];
    static struct range ranges[RANGES];
    size_t added = 0;

    make_ranges(is_csv);
    range_order_start(&order, &framing, LONGEST, 0, false);
    for (size_t r = 0; r < READERS; r++)
        readers[r].step = STEP_LEFT;
    for (size_t tries = 0, left = RANGES; left > 0; tries++) {
        struct reader *reader = &readers[noise() % READERS];
        if (tries > 100000)
            return false; /* nobody can go on */
        if (reader->step == STEP_LEFT && added < RANGES) {
            *reader = (struct reader){.number = added++};
            (void)take_step(&order, reader, ranges);
        } else if (take_step(&order, reader, &ranges[reader->number])) {
            left -= reader->step == STEP_LEFT;
        }
    }
    for (size_t i = 0; i < RANGES; i++) {
        if (!is_told(&ranges[i], i))
            return false;
    }
    return order.first == NULL &&
           (order.edge.open == RANGE_LOST) == (failing < RANGES);
}

int
main(void)
{
    for (int is_csv = 0; is_csv < 2; is_csv++) {
        const struct text_format format =
            text_format_of(is_csv ? TEXT_CSV : TEXT_SEQUENCES);
        size_t wrong = 0;

        framing = text_framing_make(&format);
        for (int round = 0; round < rounds_of(1500); round++)
            wrong += !is_right(is_csv);
        ok(wrong == 0, "ranges of %s are told of those before (%zu wrong)",
           is_csv ? "CSV" : "FASTQ", wrong);
    }
    return done_testing();
}
