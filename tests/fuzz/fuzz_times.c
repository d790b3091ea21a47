/* SPDX-License-Identifier: MIT */
/*
 * fuzz_times.c -- what modifiers make of any text that may be a time
 *
 * The oracle is the same time, spelled in another way: with a blank before it,
 * which the fast reader of the usual form does not take; and the answer itself,
 * which is a time that is cut off already.
 */

#include "fuzz.h"
#include "text/modify/modifiers.h"

#define ANSWER_MAX 4096

/* What a modifier made; a size of SIZE_MAX is an invalid text. */
struct answer {
    size_t size;
    char text[ANSWER_MAX];
};

/* Apply WORDS to the SIZE bytes at BYTES, in blocks of their exact sizes. */
static void
apply(const char *words, const void *bytes, size_t size, struct answer *answer)
{
    struct modifiers chain;
    struct modifiers_fault fault;

    answer->size = SIZE_MAX;
    fuzz_must(modifiers_parse(&chain, words, strlen(words), &fault) ==
                  MODIFIERS_OK,
              "a chain");
    unsigned char *copy = malloc(size > 0 ? size : 1);
    unsigned char *out = malloc(modifiers_room(&chain, size));
    if (copy == NULL || out == NULL)
        abort();
    memcpy(copy, bytes, size);
    const unsigned char *text = copy;
    if (modifiers_apply(&chain, 0, chain.count, &text, &size, out)) {
        fuzz_must(size > 0 && size < ANSWER_MAX, "an answer of some size");
        answer->size = size;
        memcpy(answer->text, text, size);
    }
    free(copy);
    free(out);
    modifiers_close(&chain);
}

static bool
is_same(const struct answer *one, const struct answer *other)
{
    return one->size == other->size &&
           (one->size == SIZE_MAX ||
            memcmp(one->text, other->text, one->size) == 0);
}

/* Whether ONE is invalid, or starts with OTHER. */
static bool
starts_with(const struct answer *one, const struct answer *other)
{
    return one->size == SIZE_MAX ||
           (one->size >= other->size &&
            memcmp(one->text, other->text, other->size) == 0);
}

/* The units, the finest first: each answer starts with the next one. */
static void
check_units(const char *bytes, size_t size)
{
    static const char *const units[] = {"second", "minute", "hour",
                                        "day",    "month",  "year"};
    static struct answer finer;
    static struct answer answer;
    static struct answer again;

    finer.size = SIZE_MAX;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        apply(units[i], bytes, size, &answer);
        if (answer.size == SIZE_MAX)
            continue;
        fuzz_must(starts_with(&finer, &answer), "a longer answer of the same");
        finer = answer;
        /* Of an hour, a month or a year alone nobody could tell what it is. */
        if (answer.size <= 4)
            continue;
        apply(units[i], answer.text, answer.size, &again);
        fuzz_must(is_same(&again, &answer), "an answer is its own answer");
    }
}

/* An interval of one unit is that unit, but for leap seconds. */
static void
check_intervals(const char *bytes, size_t size)
{
    static const char *const pairs[][2] = {
        {"floor=60s:minute", "minute"}, {"floor=1min", "minute"},
        {"floor=1h", "hour"},           {"floor=1d", "day"},
        {"floor=1w", "week"},           {"floor=7d:week", "week"},
        {"day:week", "week"},           {"day:weekday", "weekday"},
    };
    static struct answer one;
    static struct answer other;
    static struct answer second;

    apply("second", bytes, size, &second);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        apply(pairs[i][0], bytes, size, &one);
        apply(pairs[i][1], bytes, size, &other);
        /* Intervals have years and days, and seconds if the text has. */
        if (one.size != SIZE_MAX)
            fuzz_must(is_same(&one, &other), pairs[i][0]);
        else if (i > 0 && second.size == strlen("2026-11-28T06:41:12") &&
                 strncmp(second.text, "0000-01-0", 9) != 0)
            fuzz_must(other.size == SIZE_MAX, pairs[i][1]);
    }
    apply("utc", bytes, size, &one);
    apply("utc:utc", bytes, size, &other);
    fuzz_must(is_same(&one, &other), "UTC is in UTC");
}

/* Blanks around do not count. */
static void
check_blanks(const char *bytes, size_t size)
{
    static const char *const chains[] = {
        "second", "minute", "hour", "day", "year", "week", "utc", "floor=7min"};
    static struct answer one;
    static struct answer other;
    char *longer = malloc(size + 2);

    if (longer == NULL)
        abort();
    longer[0] = ' ';
    memcpy(longer + 1, bytes, size);
    longer[size + 1] = '\r';
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        apply(chains[i], bytes, size, &one);
        apply(chains[i], longer, size + 2, &other);
        fuzz_must(is_same(&one, &other), "blanks around change nothing");
    }
    free(longer);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    char *argument = fuzz_take_text(&fuzz);
    const char *bytes = fuzz.size > 0 ? (const char *)fuzz.data : "";
    struct modifiers chain;
    struct modifiers_fault fault;
    static struct answer answer;
    char words[64];

    if (fuzz.size < ANSWER_MAX - 2 * MODIFIER_ROOM) {
        check_units(bytes, fuzz.size);
        check_intervals(bytes, fuzz.size);
        check_blanks(bytes, fuzz.size);
        snprintf(words, sizeof words, "floor=%.40s", argument);
        if (modifiers_parse(&chain, words, strlen(words), &fault) ==
            MODIFIERS_OK)
            apply(words, bytes, fuzz.size, &answer);
        modifiers_close(&chain);
    }
    free(argument);
    return 0;
}
