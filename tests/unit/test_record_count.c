/* SPDX-License-Identifier: MIT */
/*
 * test_record_count.c -- all forms of counting records agree with the reference
 *
 * The data lie before or after a page that must not be touched.
 */

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../count_shared.h"
#include "../noise.h"
#include "../tap.h"
#include "base/number.h"
#include "engine/cpu/cells/record_count.h"
#include "hist/axis_rule.h"
#include "hist/spec.h"
#include "kernels/binning/weighing.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)256 << 10)
#define THREADS 4
#define LISTS_BYTES 10000
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *arena; /* ARENA_BYTES between two guard pages */

/* ---- what is counted ---- */

static const enum sample_type types[] = {
    SAMPLE_U1, SAMPLE_I1, SAMPLE_U2, SAMPLE_I2, SAMPLE_U4, SAMPLE_I4,
    SAMPLE_U8, SAMPLE_I8, SAMPLE_F2, SAMPLE_F4, SAMPLE_F8,
};

/* Where the fields of a type are; TYPE stands for it. */
static const struct layout {
    const char *record;
    const char *fields;  /* NULL: all */
    const char *weights; /* NULL: none */
    bool is_joint;
} layouts[] = {
    {"TYPE", NULL, NULL, false},
    {"x*3,TYPE,x", NULL, NULL, false},
    {"TYPE,TYPE", NULL, NULL, false},
    {"TYPE,u1,TYPE*2", "3,1", NULL, false},
    {"u1,i2,>u2,TYPE,f8,x*2", NULL, NULL, false},
    {"TYPE,u1", NULL, NULL, true},
    {"x,i1,TYPE,>f4", "3,1-2", NULL, true},
    {"TYPE,f8", NULL, "2", false},
    {"i4,x,TYPE,u1", "3,2", "1", false},
    {">u8,TYPE,u1", NULL, "1", true},
    {"TYPE,f2", "1", "1", false},
};

static const struct rule {
    struct axis_texts texts;
    bool is_for_integers; /* and for records of nothing else */
    bool is_natural;      /* takes as many bins as the type has values */
    bool has_numpy;
} rules[] = {
    {{0}, true, true, false},
    {{.range = "5,100"}, true, false, false},
    {{.mod = "10"}, true, false, false},
    {{.shift = "1", .bins = "9", .range = "-3,60"}, true, false, true},
    {{.bins = "7", .range = "0,100"}, false, false, true},
    {{.bin_width = "0.3", .range = "-1,9"}, false, false, true},
    {{.edges = "-7,0,0.5,1,30,100"}, false, false, true},
    {{.log = "2", .range = "0.5,100"}, false, false, true},
    {{.log = "2", .range = "1,100", .subdiv = "2"}, false, false, true},
    {{.log = "10", .range = "0.1,1000"}, false, false, true},
};

static bool
is_float(enum sample_type type)
{
    return type == SAMPLE_F2 || type == SAMPLE_F4 || type == SAMPLE_F8;
}

/* The record of LAYOUT with TYPE in the order ORDER, in TEXT. */
static void
print_record(char text[100], const struct layout *layout, enum sample_type type,
             char order)
{
    size_t used = 0;

    for (const char *from = layout->record; *from != '\0';) {
        if (strncmp(from, "TYPE", 4) == 0) {
            used += (size_t)snprintf(text + used, 100 - used, "%c%s", order,
                                     record_type_name(type));
            from += 4;
        } else {
            text[used++] = *from++;
        }
    }
    text[used] = '\0';
}

/* Whether all counted fields of LAYOUT can follow RULE. */
static bool
is_possible(const struct layout *layout, const struct rule *rule,
            enum sample_type type, enum binning_closed closed)
{
    bool has_float = is_float(type) || (layout->weights == NULL &&
                                        strchr(layout->record, 'f') != NULL);

    if (closed == BINNING_NUMPY && !rule->has_numpy)
        return false;
    if (has_float && rule->is_for_integers)
        return false;
    if (!rule->is_natural)
        return true;
    /* Not too many values, and not too many cells. */
    return binning_size(type) == 1 ||
           (binning_size(type) == 2 && !layout->is_joint &&
            layout->weights == NULL);
}

static void
make_spec(struct spec *spec, const char *record, const struct layout *layout,
          const struct rule *rule, enum binning_closed closed)
{
    struct spec_options options = {.record = record,
                                   .weights = layout->weights,
                                   .joint = layout->is_joint,
                                   .closed = closed};
    const struct axis_texts *texts = &rule->texts;
    struct error error = ERROR_NONE;

    if (layout->fields != NULL)
        options.fields = (struct axis_option){"fields", {layout->fields}, 1};
    options.axis.bins = (struct axis_option){"bins", {texts->bins}, 1};
    options.axis.range = (struct axis_option){"range", {texts->range}, 1};
    options.axis.bin_width =
        (struct axis_option){"bin-width", {texts->bin_width}, 1};
    options.axis.edges = (struct axis_option){"edges", {texts->edges}, 1};
    options.axis.log = (struct axis_option){"log", {texts->log}, 1};
    options.axis.subdiv = (struct axis_option){"subdiv", {texts->subdiv}, 1};
    options.axis.shift = (struct axis_option){"shift", {texts->shift}, 1};
    options.axis.mod = (struct axis_option){"mod", {texts->mod}, 1};
    if (spec_make(spec, &options, NULL, UINT64_MAX, &error) < 0) {
        printf("# %s: %s\n", record, error.text);
        abort();
    }
}

/* ---- data ---- */

/* The bits of NUMBER, which is small, as TYPE. */
static uint64_t
encode(enum sample_type type, double number)
{
    uint64_t bits = 0;
    float single = (float)number;
    uint32_t half;

    switch (type) {
    case SAMPLE_F8:
        memcpy(&bits, &number, sizeof bits);
        return bits;
    case SAMPLE_F4:
    case SAMPLE_F2:
        memcpy(&half, &single, sizeof half);
        if (type == SAMPLE_F4)
            return half;
        if (number == 0 || !isfinite(number))
            return half >> 16;
        /* Another bias, and the first bits of the fraction. */
        return (half >> 31 << 15) | ((half & 0x7fffffff) - (112u << 23)) >> 13;
    default:
        return (uint64_t)(int64_t)number;
    }
}

static double
choose_number(void)
{
    static const double edges[] = {0,  -0.0, 0.5, 1,  5,    7,
                                   30, 60,   100, -1, 1000, 64};

    switch (noise() % 4) {
    case 0:
        return edges[noise() % COUNT(edges)];
    case 1:
        return (double)(noise() % 130) - 10;
    default:
        return (double)(noise() % 130000) / 1000 - 10;
    }
}

/* Fill the elements of each record with values at and between edges. */
static void
fill(const struct spec *spec, unsigned char *data, size_t records)
{
    const struct record *record = &spec->record;

    for (size_t r = 0; r < records; r++, data += record->bytes) {
        for (size_t i = 0; i < record->bytes; i++)
            data[i] = (unsigned char)noise();
        for (size_t n = 0; n < record->count; n++) {
            const struct element *element = &record->element[n];
            size_t size = binning_size(element->type);
            if (noise() % 4 == 0)
                continue; /* any bits */
            double number = choose_number();
            if (is_float(element->type) && noise() % 16 == 0)
                number = noise() % 2 == 0 ? (double)NAN : -(double)INFINITY;
            uint64_t bits = encode(element->type, number);
            for (size_t i = 0; i < size; i++)
                data[element->offset +
                     (element->is_swapped ? size - 1 - i : i)] =
                    (unsigned char)(bits >> 8 * i);
        }
    }
}

/* ---- histograms ---- */

static void
open_histogram(struct histogram *histogram, const struct spec *spec)
{
    if (histogram_open(histogram, spec->cells, spec->planes) < 0)
        abort();
}

static bool
is_same(const struct histogram *a, const struct histogram *b)
{
    return a->cells == b->cells && a->planes == b->planes &&
           memcmp(a->value, b->value,
                  (size_t)a->cells * a->planes * sizeof *a->value) == 0;
}

/* record_count_shared() by one thread. */
static void
count_shared(const struct spec *spec, const unsigned char *data, size_t size,
             struct histogram *histogram)
{
    count_shared_within(spec, data, size, LISTS_BYTES, histogram);
}

/* Whether FUNCTION adds what the reference adds, to what there was. */
static bool
agrees(void (*function)(const struct spec *, const unsigned char *, size_t,
                        struct histogram *),
       const struct spec *spec, const unsigned char *data, size_t size)
{
    struct histogram got, wanted;

    open_histogram(&got, spec);
    open_histogram(&wanted, spec);
    for (uint64_t c = 0; c < spec->cells; c++)
        got.value[c] = wanted.value[c] = UINT64_C(0xfffffff0) + c;
    record_count_reference(spec, data, size, &wanted);
    function(spec, data, size, &got);
    bool is_right = is_same(&got, &wanted);
    histogram_close(&got);
    histogram_close(&wanted);
    return is_right;
}

/*
 * What the data are by binning_cell() and the axes that are shown: the cell
 * of a record, or -1 from I = the number of histograms on.
 */
static uint64_t
shown_cell(const struct spec *spec, const unsigned char *record, size_t i,
           bool is_clamped)
{
    struct binning_tables tables = spec_tables(spec);
    size_t first = spec->is_joint ? 0 : i;
    size_t last = spec->is_joint ? spec->axis_count - 1 : i;
    uint64_t place = 0;

    for (size_t n = first; n <= last; n++) {
        const struct binning_axis *axis = &spec->shown[n];
        uint64_t bits =
            binning_load(record + spec->record.element[spec->field[n]].offset,
                         axis->type, axis->is_swapped);
        uint64_t cell = binning_cell(axis, &tables, bits);
        if (is_clamped && (cell == axis->bins + BINNING_UNDERFLOW ||
                           cell == axis->bins + BINNING_ZERO ||
                           cell == axis->bins + BINNING_NEGATIVE))
            cell = 0;
        else if (is_clamped && cell == axis->bins + BINNING_OVERFLOW)
            cell = axis->bins - 1;
        place += axis->base + axis->stride * cell;
    }
    return place;
}

/* Whether the counts of HISTOGRAM are those of the axes that are shown. */
static bool
shows(const struct spec *spec, const struct histogram *histogram,
      const unsigned char *data, size_t records, bool is_clamped)
{
    struct histogram wanted;

    if (histogram_open(&wanted, histogram->cells, 1) < 0)
        abort();
    for (size_t r = 0; r < records; r++, data += spec->record.bytes) {
        for (size_t i = 0; i < spec_histograms(spec); i++) {
            uint64_t cell = shown_cell(spec, data, i, is_clamped);
            if (cell < wanted.cells)
                wanted.value[cell]++;
        }
    }
    bool is_right = memcmp(wanted.value, histogram->value,
                           wanted.cells * sizeof *wanted.value) == 0;
    histogram_close(&wanted);
    return is_right;
}

/* ---- the comparisons ---- */

static size_t wrong_fast, wrong_shared, wrong_sum, wrong_fold, wrong_clamp,
    wrong_add_up;

/* How many records, and how far from the start of a page. */
static const size_t record_counts[] = {0, 1, 2, 3, 63, 64, 65, 300};

static void
compare_ways(const struct spec *spec)
{
    /* Large histograms take long. */
    bool is_big = spec->cells * spec->planes > 10000;
    const size_t first = !is_big ? 0 : IS_INSTRUMENTED ? 7 : 6;

    for (size_t i = first; i < COUNT(record_counts); i++) {
        size_t size = record_counts[i] * spec->record.bytes;
        for (size_t offset = is_big ? 3 : 0; offset < 4; offset++) {
            if (!is_big && !has_turn(5))
                continue;
            unsigned char *data =
                offset < 3 ? arena + offset : arena + ARENA_BYTES - size;
            fill(spec, data, record_counts[i]);
            wrong_fast += !agrees(record_count_fast, spec, data, size);
            if (!spec->has_weights)
                wrong_shared += !agrees(count_shared, spec, data, size);
        }
    }
}

/* The sum of plane P over all cells. */
static uint64_t
plane_total(const struct histogram *histogram, unsigned int p)
{
    return histogram_total(histogram, p * histogram->cells, histogram->cells);
}

/* Clamping moves what it should, and loses nothing of any plane. */
static void
compare_clamped(const struct spec *spec, struct histogram *histogram,
                const unsigned char *data, size_t records)
{
    uint64_t totals[1 + WEIGHING_PLANES_MAX];

    for (unsigned int p = 0; p < histogram->planes; p++)
        totals[p] = plane_total(histogram, p);
    spec_clamp(spec, histogram);
    bool is_right = shows(spec, histogram, data, records, true);
    for (unsigned int p = 0; p < histogram->planes; p++)
        is_right &= plane_total(histogram, p) == totals[p];
    /* A cell without a count has no weight. */
    for (uint64_t c = 0; c < histogram->cells; c++) {
        for (unsigned int p = 1; p < histogram->planes; p++)
            is_right &= histogram->value[c] != 0 ||
                        histogram->value[p * histogram->cells + c] == 0;
    }
    wrong_clamp += !is_right;
}

static void
compare_views(const struct spec *spec)
{
    size_t records = 500, size = records * spec->record.bytes;
    unsigned char *data = arena + ARENA_BYTES - size;
    struct histogram histogram;

    fill(spec, data, records);
    open_histogram(&histogram, spec);
    record_count_fast(spec, data, size, &histogram);
    bool adds_up = spec_adds_up(spec, &histogram, records) &&
                   !spec_adds_up(spec, &histogram, records - 1) &&
                   !spec_adds_up(spec, &histogram, records + 1);
    uint64_t last = spec->cells - 1;
    histogram.value[last]++;
    adds_up &= !spec_adds_up(spec, &histogram, records);
    /* Not even if another axis has one too few. */
    histogram.value[0]--;
    adds_up &=
        spec_adds_up(spec, &histogram, records) == (spec_histograms(spec) == 1);
    histogram.value[0]++;
    histogram.value[last]--;
    wrong_add_up += !adds_up;

    spec_find_ranges(spec, &histogram);
    wrong_fold += spec_fold(spec, &histogram) < 0 ||
                  !shows(spec, &histogram, data, records, false);
    compare_clamped(spec, &histogram, data, records);
    histogram_close(&histogram);
}

/* In pieces, with the carries in between, sums are the same. */
static void
compare_sums(const struct spec *spec)
{
    size_t records = 300, bytes = spec->record.bytes;
    struct histogram whole, pieces;

    if (!spec->has_weights)
        return;
    fill(spec, arena, records);
    open_histogram(&whole, spec);
    open_histogram(&pieces, spec);
    record_count_reference(spec, arena, records * bytes, &whole);
    histogram_carry(&whole, spec->weight.type);
    for (size_t r = 0; r < records; r += 100) {
        record_count_fast(spec, arena + r * bytes, 100 * bytes, &pieces);
        histogram_carry(&pieces, spec->weight.type);
    }
    wrong_sum += !is_same(&whole, &pieces);
    histogram_close(&whole);
    histogram_close(&pieces);
}

static void
test_type(enum sample_type type, const struct layout *layout)
{
    char text[100];

    wrong_fast = wrong_shared = wrong_sum = wrong_fold = wrong_clamp =
        wrong_add_up = 0;
    for (size_t r = 0; r < COUNT(rules); r++) {
        for (unsigned int n = 0; n < 6; n++) {
            enum binning_closed closed = (enum binning_closed)(n / 2);
            struct spec spec;
            if (IS_INSTRUMENTED && n != r % 6)
                continue;
            if (IS_EMULATED && (r / 2 + type) % 4 != 0)
                continue;
            if (!is_possible(layout, &rules[r], type, closed))
                continue;
            print_record(text, layout, type, n % 2 ? '>' : '<');
            make_spec(&spec, text, layout, &rules[r], closed);
            compare_ways(&spec);
            compare_sums(&spec);
            compare_views(&spec);
            spec_close(&spec);
        }
    }
    print_record(text, layout, type, '?');
    const char *how = layout->is_joint          ? ", joint"
                      : layout->weights != NULL ? ", weights"
                                                : "";
    ok(wrong_fast == 0, "%s%s: record_count_fast (%zu wrong)", text, how,
       wrong_fast);
    if (layout->weights == NULL)
        ok(wrong_shared == 0, "%s%s: record_count_shared (%zu wrong)", text,
           how, wrong_shared);
    else
        ok(wrong_sum == 0, "%s%s: histogram_carry (%zu wrong)", text, how,
           wrong_sum);
    ok(wrong_add_up == 0, "%s%s: spec_adds_up (%zu wrong)", text, how,
       wrong_add_up);
    ok(wrong_fold == 0, "%s%s: spec_fold (%zu wrong)", text, how, wrong_fold);
    ok(wrong_clamp == 0, "%s%s: spec_clamp (%zu wrong)", text, how,
       wrong_clamp);
}

/* ---- many records ---- */

/* Enough records for tables, and for copies of sums. */
static void
test_many(const struct layout *layout, const struct rule *rule,
          enum sample_type type)
{
    char text[100];
    struct spec spec;

    print_record(text, layout, type, '<');
    make_spec(&spec, text, layout, rule, BINNING_LEFT);
    size_t records = ARENA_BYTES / spec.record.bytes;
    fill(&spec, arena, records);
    ok(agrees(record_count_fast, &spec, arena, records * spec.record.bytes),
       "%s: %zu records, %llu cells", text, records,
       (unsigned long long)spec.cells);
    spec_close(&spec);
}

/* ---- several threads, one histogram ---- */

static struct spec shared_spec;
static struct shared_counts shared_table;
static size_t shared_size;

static void *
shared_main(void *argument)
{
    struct shared_counter *counter = argument;

    for (int round = 0; round < 20; round++)
        record_count_shared(&shared_spec, arena, shared_size, counter);
    shared_counter_settle(counter);
    return NULL;
}

static void
test_sharing(const struct layout *layout, const struct rule *rule)
{
    struct shared_counter *counter[THREADS];
    pthread_t thread[THREADS];
    struct histogram once;
    char text[100];
    size_t wrong = 0;

    print_record(text, layout, SAMPLE_I2, '<');
    make_spec(&shared_spec, text, layout, rule, BINNING_LEFT);
    shared_size = 10000 * shared_spec.record.bytes;
    fill(&shared_spec, arena, 10000);
    if (shared_counts_open(&shared_table, shared_spec.cells, THREADS,
                           LISTS_BYTES) < 0)
        abort();
    open_histogram(&once, &shared_spec);
    record_count_reference(&shared_spec, arena, shared_size, &once);
    for (int i = 0; i < THREADS; i++) {
        counter[i] = shared_counter_new(&shared_table);
        if (counter[i] == NULL)
            abort();
        pthread_create(&thread[i], NULL, shared_main, counter[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    shared_counts_settle(&shared_table);
    for (uint64_t c = 0; c < once.cells; c++)
        wrong +=
            shared_table.histogram.value[c] != once.value[c] * 20 * THREADS;
    ok(wrong == 0, "%s: %d threads share a histogram%s", text, THREADS,
       layout->is_joint ? ", joint" : "");
    histogram_close(&once);
    for (int i = 0; i < THREADS; i++)
        shared_counter_close(counter[i]);
    shared_counts_close(&shared_table);
    spec_close(&shared_spec);
}

/* ---- sums ---- */

/* The weights of whole numbers, against a plain sum. */
static void
test_weights(const char *record, enum sample_type type, bool is_signed)
{
    static const struct layout layout = {"", NULL, "2", false};
    static const struct rule rule = {{.mod = "3"}, true, false, false};
    struct wide sums[3] = {{0, 0}}, got;
    struct histogram histogram;
    struct spec spec;
    bool is_right = true;

    make_spec(&spec, record, &layout, &rule, BINNING_LEFT);
    fill(&spec, arena, 5000);
    open_histogram(&histogram, &spec);
    record_count_fast(&spec, arena, 5000 * spec.record.bytes, &histogram);
    histogram_carry(&histogram, spec.weight.type);
    for (size_t r = 0; r < 5000; r++) {
        const unsigned char *at = arena + r * spec.record.bytes;
        uint64_t bits = 0;
        size_t size = binning_size(type);
        for (size_t i = 0; i < size; i++)
            bits |= (uint64_t)at[1 + i] << 8 * i;
        if (is_signed && bits >> (8 * size - 1) != 0)
            bits |= ~(UINT64_MAX >> (64 - 8 * size));
        struct wide value =
            is_signed ? wide_of_signed((int64_t)bits) : wide_of(bits);
        sums[at[0] % 3] = wide_add(sums[at[0] % 3], value);
    }
    for (uint64_t c = 0; c < 3; c++) {
        got = wide_of(0);
        for (unsigned int p = spec.planes - 1; p >= 1; p--)
            got = wide_add(
                wide_multiply(got, (uint64_t)1 << 32),
                wide_of_signed(
                    (int64_t)histogram.value[p * histogram.cells + c]));
        is_right &= wide_compare(got, sums[c]) == 0;
    }
    ok(is_right, "%s: sums", record);
    histogram_close(&histogram);
    spec_close(&spec);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    for (size_t n = 0; n < COUNT(layouts); n++) {
        for (size_t t = 0; t < COUNT(types); t++) {
            /* A field that is its own weight needs no more types. */
            if (n + 1 < COUNT(layouts) || types[t] == SAMPLE_U1 ||
                types[t] == SAMPLE_F8)
                test_type(types[t], &layouts[n]);
        }
    }
    for (size_t n = 0; n < COUNT(layouts); n++) {
        for (size_t t = 0; t < COUNT(types); t++)
            test_many(&layouts[n], &rules[4], types[t]);
    }
    test_sharing(&layouts[2], &rules[0]);
    test_sharing(&layouts[3], &rules[4]);
    test_sharing(&layouts[5], &rules[4]);
    test_weights("u1,<i4", SAMPLE_I4, true);
    test_weights("u1,<u4", SAMPLE_U4, false);
    test_weights("u1,<i8", SAMPLE_I8, true);
    test_weights("u1,<u8", SAMPLE_U8, false);
    test_weights("u1,i1", SAMPLE_I1, true);
    return done_testing();
}
