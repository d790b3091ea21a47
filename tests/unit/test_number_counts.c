/* SPDX-License-Identifier: MIT */
/* test_number_counts.c -- numbers in text, counted by several threads */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/keys/number_counts.h"

#define ROUNDS (IS_INSTRUMENTED ? 100 : 1000)
#define NUMBERS 300
#define TEXT_BYTES 32
#define COUNTERS 3

static void
make_spec(struct spec *spec, const char *dtype, const char *bins)
{
    struct spec_options options = {
        .dtype = dtype,
        .text.kind = TEXT_LINES,
        .axis.bins = {.name = "bins", .text = {bins}, .count = bins != NULL},
    };
    struct error error = ERROR_NONE;

    if (spec_make(spec, &options, NULL, UINT64_MAX / 2, &error) < 0)
        abort();
}

/* Texts in one block, and a slice for each. */
struct texts {
    unsigned char data[NUMBERS * TEXT_BYTES];
    struct text_slice slice[NUMBERS];
};

/* Numbers of any magnitude, and some texts that are none. */
static void
make_texts(struct texts *texts, bool is_integer)
{
    for (uint32_t i = 0; i < NUMBERS; i++) {
        char *at = (char *)texts->data + i * TEXT_BYTES;
        int64_t digits = (int64_t)(noise() >> (1 + noise() % 63));
        texts->slice[i].at = i * TEXT_BYTES;
        if (noise() % 20 == 0)
            strcpy(at, noise() % 2 == 0 ? "x" : "");
        else if (is_integer)
            snprintf(at, TEXT_BYTES, "%lld", (long long)digits);
        else
            snprintf(at, TEXT_BYTES, "%llde%d", (long long)digits,
                     (int)(noise() % 40) - 20);
        texts->slice[i].size = (uint32_t)strlen(at);
        if (noise() % 20 == 0)
            texts->slice[i] = (struct text_slice){TEXT_SLICE_MISSING, 0};
    }
}

/* Count TEXTS with USED counters, in parts; settle now and then. */
static void
count(struct number_counts *counts, const struct texts *texts, size_t used)
{
    struct number_counter *counter[COUNTERS];

    for (size_t c = 0; c < used; c++) {
        counter[c] = number_counter_new(counts);
        if (counter[c] == NULL)
            abort();
    }
    for (size_t i = 0, part; i < NUMBERS; i += part) {
        part = used == 1 ? NUMBERS : 1 + noise() % 60;
        part = part < NUMBERS - i ? part : NUMBERS - i;
        if (number_counter_add(counter[noise() % used], NULL, texts->data,
                               texts->slice + i, part, 1, NULL) != KEY_OK)
            abort();
        if (used > 1 && noise() % 4 == 0 && number_counts_settle(counts) < 0)
            abort();
    }
    if (number_counts_settle(counts) < 0)
        abort();
    for (size_t c = 0; c < used; c++)
        number_counter_close(counter[c]);
}

static bool
are_same(const struct number_table *a, const struct number_table *b)
{
    const struct binning_axis *axis = number_table_axis(a, 0);
    const struct binning_axis *other = number_table_axis(b, 0);

    return axis->lo == other->lo && axis->hi == other->hi &&
           a->axis[0].numbers == b->axis[0].numbers &&
           memcmp(a->histogram.value, b->histogram.value,
                  (size_t)a->histogram.cells * sizeof(uint64_t)) == 0;
}

/* Each value is in one cell. */
static bool
adds_up(const struct number_table *table)
{
    uint64_t none = 0;

    for (int s = 0; s < AXIS_SPECIALS; s++)
        none += table->histogram
                    .value[number_table_special(table, (enum axis_special)s)];
    return histogram_total(&table->histogram, 0, table->spec.cells) ==
               NUMBERS &&
           NUMBERS - table->axis[0].numbers == none;
}

static void
test_lattices(const char *dtype, const char *bins)
{
    static struct texts texts;
    struct spec spec;
    size_t wrong = 0;

    make_spec(&spec, dtype, bins);
    for (int r = 0; r < ROUNDS; r++) {
        struct number_counts one;
        struct number_counts several;

        make_texts(&texts, strcmp(dtype, "int") == 0);
        if (number_counts_open(&one, &spec, 0, 1) < 0 ||
            number_counts_open(&several, &spec, 0, 1) < 0)
            abort();
        count(&one, &texts, 1);
        count(&several, &texts, COUNTERS);
        wrong += !are_same(&one.table, &several.table) || !adds_up(&one.table);
        number_counts_close(&one);
        number_counts_close(&several);
    }
    ok(wrong == 0, "%s, %s bins: threads with other ranges (%zu wrong)", dtype,
       bins, wrong);
    spec_close(&spec);
}

int
main(void)
{
    test_lattices("num", "4");
    test_lattices("num", "100");
    test_lattices("int", "7");
    test_lattices("int", "1000");
    return done_testing();
}
