/* SPDX-License-Identifier: MIT */
/*
 * tally.c -- how fast one thread counts records, for many specs
 *
 * usage: bench/tally [MEBIBYTES [ROUNDS [MODE]]]
 *
 * The data are in memory (default: 256 MiB).  As in gpuhist, they are counted
 * in chunks, ROUNDS times (default: 5).  The program prints TSV, a row for each
 * mode: medians in GB/s (10^9 bytes) by the thread's processor time.  A mode is
 * a list of gpuhist's options; MODE selects the modes that start with it.  The
 * counts of the first chunk are compared with the reference; wrong counts end
 * the run with status 1.
 *
 * Columns: "random" has integers of random bits, or numbers in [0, 1), one in a
 * hundred of them NaN or negative.  In "equal" all records are the same.  In
 * "hot" 7 of 8 records are one of 3, in turns at random.  In "Zipf" the random
 * record of rank r has a share of 1 / r.  "worst/best" compares these four.  The
 * other columns give the speed of each form of bin_row.h, which finds the cells
 * of the first axis in the first chunk of random data.  The row "read" only
 * sums words, which is the limit that memory sets.  For wide tables and threads
 * see bench/wide.
 */

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../tests/noise.h"
#include "cli/option_parse.h"
#include "engine/cpu/bytes/byte_count_portable.h"
#include "engine/cpu/cells/bin_row.h"
#include "engine/cpu/cells/record_count.h"
#include "hist/rebin.h"
#include "hist/spec.h"
#include "run/auto_range.h"
#include "timing.h"

enum {
    ROUNDS_MAX = 99,
    CHUNK_BYTES = 2 << 20,
    /* Generated records; the rest are copies. */
    MADE_RECORDS = 1 << 19,
    FORMS_MAX = 8,
    MADE_BYTES_MAX = 16, /* of a record */
};

static const char *const modes[] = {
    "--dtype=u2",
    "--dtype=f2 --bins=100 --range=0,1",
    "--dtype=f4 --bins=100 --range=0,1",
    "--dtype=f4 --bins=100000 --range=0,1",
    "--dtype=f4 --bins=100 --range=0,1 --closed=right",
    "--dtype=>f4 --bins=100 --range=0,1",
    "--dtype=f4 --bins=256 --range=auto",
    "--dtype=f4 --bins=100000 --range=auto",
    "--dtype=f4 --log=2",
    "--dtype=f8 --bins=100 --range=0,1",
    "--dtype=f8 --bins=4096 --range=0,1",
    "--dtype=f8 --bins=100000 --range=0,1",
    "--dtype=>f8 --bins=100 --range=0,1",
    "--dtype=f8 --bins=256 --range=auto",
    "--dtype=f8 --edges=0,.1,.25,.3,.5,.6,.65,.9,1",
    "--dtype=f8 --log=10 --range=.001,1",
    "--dtype=f4 --log=10 --range=1e-99,1",
    "--dtype=u4 --bins=100 --range=0,4e9",
    "--dtype=u4 --bins=256 --range=auto",
    "--dtype=i4 --bins=100 --range=-2e9,2e9",
    "--dtype=u4 --mod=1000",
    "--dtype=u4 --shift=20",
    "--dtype=u8 --bins=100 --range=0,1e19",
    "--dtype=i8 --mod=1000",
    "--record=u1,u1 --joint",
    "--record=u2,u2 --joint --bins=100 --range=0,65536",
    "--record=f4,f4 --joint --bins=100 --range=0,1",
    "--record=f8,u4,i2 --joint --bins=20 --range=0,1",
    "--record=f4,f4 --bins=100 --range=0,1",
    "--record=f4*3 --bins=100 --range=0,1",
    "--record=u1*3",
    "--record=u1,u4 --weights=2",
    "--record=f4,f4 --weights=2 --bins=100 --range=0,1",
    "--record=f8,f8 --weights=2 --bins=100 --range=0,1",
};
#define MODES (sizeof modes / sizeof *modes)

/* ---- data ---- */

/* Random bits of an element of TYPE. */
static uint64_t
make_bits(enum sample_type type)
{
    double number = (double)(noise() >> 11) * 0x1p-53;
    float single;
    uint64_t bits = 0;
    uint32_t word;

    if (!binning_is_float(type))
        return noise() >> 7;
    if (noise() % 100 == 0)
        number = noise() % 2 == 0 ? (double)NAN : -number;
    single = (float)number;
    memcpy(&word, &single, sizeof word);
    if (type == SAMPLE_F8)
        memcpy(&bits, &number, sizeof bits);
    else if (type == SAMPLE_F4)
        bits = word;
    else
        bits = noise() % 0x3c00;
    return bits;
}

static void
make_record(const struct record *record, unsigned char *data)
{
    for (size_t n = 0; n < record->count; n++) {
        const struct element *element = &record->element[n];
        uint64_t bits = make_bits(element->type);
        size_t size = binning_size(element->type);
        for (size_t i = 0; i < size; i++)
            data[element->offset + (element->is_swapped ? size - 1 - i : i)] =
                (unsigned char)(bits >> 8 * i);
    }
}

/* The distributions of records. */
enum data {
    DATA_RANDOM,
    DATA_EQUAL,
    DATA_HOT,
    DATA_ZIPF,
    DATA_KINDS,
};

/* The number of a random record, of RECORDS. */
static size_t
choose_record(enum data kind, size_t records)
{
    uint64_t bits = noise();
    double fraction = (double)(bits >> 11) * 0x1p-53;

    if (kind == DATA_HOT && bits % 8 != 0)
        return (bits >> 8) % 3 % records;
    if (kind == DATA_ZIPF)
        return (size_t)exp(fraction * log((double)records)) - 1;
    return (size_t)(bits >> 8) % records;
}

static void
fill(const struct record *record, enum data kind, unsigned char *data,
     size_t size)
{
    static unsigned char first[MADE_RECORDS * MADE_BYTES_MAX];
    size_t made =
        kind == DATA_EQUAL ? record->bytes : MADE_RECORDS * record->bytes;

    made = made < size ? made : size;
    for (size_t at = 0; at < made; at += record->bytes)
        make_record(record, data + at);
    if (kind == DATA_HOT || kind == DATA_ZIPF) {
        memcpy(first, data, made);
        for (size_t at = 0; at < made; at += record->bytes)
            memcpy(data + at,
                   first + choose_record(kind, made / record->bytes) *
                               record->bytes,
                   record->bytes);
    }
    /* Double the data each time. */
    while (made < size) {
        size_t more = made < size - made ? made : size - made;
        memcpy(data + made, data, more);
        made += more;
    }
}

/* ---- time ---- */

static void
fail(const char *mode, const char *what)
{
    fprintf(stderr, "bench/tally: %s: %s\n", mode, what);
    exit(1);
}

/* Count the SIZE bytes at DATA as a thread of gpuhist does, with TALLY. */
static void
count(const struct spec *first, const unsigned char *data, size_t size,
      void (*tally)(const struct spec *, const unsigned char *, size_t,
                    struct histogram *),
      struct histogram *histogram)
{
    size_t chunk = CHUNK_BYTES - CHUNK_BYTES % first->record.bytes;
    struct auto_range ranging;

    if (auto_range_open(&ranging, first) < 0)
        fail("count", "out of memory");
    const struct spec *spec = auto_range_current(&ranging);
    for (size_t at = 0; at < size; at += chunk) {
        size_t part = size - at < chunk ? size - at : chunk;
        const struct spec *next = auto_range_extend(&ranging, data + at, part);
        if (next == NULL || rebin_histogram(spec, next, histogram) < 0)
            fail("count", "out of memory");
        spec = next;
        tally(spec, data + at, part, histogram);
    }
    auto_range_close(&ranging);
}

static void
check(const char *mode, const struct spec *spec, const unsigned char *data,
      size_t size)
{
    struct histogram got, wanted;

    if (histogram_open(&got, spec->cells, spec->planes) < 0 ||
        histogram_open(&wanted, spec->cells, spec->planes) < 0)
        fail(mode, "out of memory");
    count(spec, data, size, record_count_fast, &got);
    count(spec, data, size, record_count_reference, &wanted);
    if (memcmp(got.value, wanted.value,
               got.cells * got.planes * sizeof *got.value) != 0)
        fail(mode, "wrong counts");
    histogram_close(&got);
    histogram_close(&wanted);
}

static double
rate(const char *mode, const struct spec *spec, const unsigned char *data,
     size_t size, int rounds)
{
    double time[ROUNDS_MAX];
    struct histogram histogram;

    for (int r = 0; r < rounds; r++) {
        if (histogram_open(&histogram, spec->cells, spec->planes) < 0)
            fail(mode, "out of memory");
        double start = timing_now();
        count(spec, data, size, record_count_fast, &histogram);
        time[r] = timing_now() - start;
        histogram_close(&histogram);
    }
    return (double)size / timing_median(time, (size_t)rounds) * 1e-9;
}

/* The rate at which FORM finds the cells of axis 0, in GB/s. */
static double
find_rate(const struct bin_row_form *form, const struct spec *spec,
          const unsigned char *data, size_t size, int rounds)
{
    struct binning_tables tables = spec_tables(spec);
    size_t row = BIN_ROW_ELEMENTS * spec->record.bytes;
    uint32_t cell[BIN_ROW_ELEMENTS];
    struct bin_row_rule rule;
    double time[ROUNDS_MAX];

    bin_row_rule_make(&rule, &spec->counted[0], &tables, spec->record.bytes);
    for (int r = 0; r < rounds; r++) {
        double start = timing_now();
        for (size_t at = 0; at + row <= size; at += row)
            form->find(&rule, data + at, BIN_ROW_ELEMENTS, cell);
        time[r] = timing_now() - start;
    }
    return (double)size / timing_median(time, (size_t)rounds) * 1e-9;
}

static double
read_rate(const unsigned char *data, size_t size, int rounds)
{
    uint64_t sum[TIMING_WORDS];
    double time[ROUNDS_MAX];

    for (int r = 0; r < rounds; r++) {
        double start = timing_now();
        timing_read(data, size, sum);
        time[r] = timing_now() - start;
    }
    return (double)size / timing_median(time, (size_t)rounds) * 1e-9;
}

/* Make the spec of MODE; its options point into TEXT. */
static void
make_spec(const char *mode, char *text, struct spec *spec)
{
    char *argv[16] = {text};
    int argc = 1;
    struct options options;
    struct error error = ERROR_NONE;

    strcpy(text, mode);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (option_parse(&options, argc, argv, &error) < 0)
        fail(mode, error.text);
    options.plan.memory_limit = 1 << 30;
    if (spec_make(spec, &options.spec, NULL, options.plan.memory_limit,
                  &error) < 0)
        fail(mode, error.text);
}

static void
measure(const char *mode, unsigned char *data, size_t size, int rounds)
{
    char text[200];
    struct spec spec;

    make_spec(mode, text, &spec);
    if (spec.record.bytes > MADE_BYTES_MAX)
        fail(mode, "the record is too long");
    size -= size % spec.record.bytes;
    size_t part = size < CHUNK_BYTES ? size : CHUNK_BYTES;
    part -= part % spec.record.bytes;
    double find[FORMS_MAX];
    size_t forms = 0;
    fill(&spec.record, DATA_RANDOM, data, size);
    for (const struct bin_row_form *form = bin_row_forms; form->name != NULL;
         form++) {
        /* An axis whose range is found while counting has no cells yet. */
        if (form->is_possible() && !spec_grows(&spec, 0))
            find[forms++] = find_rate(form, &spec, data, part, rounds);
    }
    printf("%s", mode);
    double best = 0, worst = INFINITY;
    for (int kind = 0; kind < DATA_KINDS; kind++) {
        fill(&spec.record, (enum data)kind, data, size);
        check(mode, &spec, data, part);
        double speed = rate(mode, &spec, data, size, rounds);
        printf("\t%.2f", speed);
        best = fmax(best, speed);
        worst = fmin(worst, speed);
    }
    printf("\t%.2f", worst / best);
    for (size_t f = 0; f < forms; f++)
        printf("\t%.2f", find[f]);
    printf("\n");
    fflush(stdout);
    spec_close(&spec);
}

int
main(int argc, char **argv)
{
    size_t size = (size_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 256) << 20;
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    const char *only = argc > 3 ? argv[3] : "";

    if (size == 0 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench/tally [MEBIBYTES [ROUNDS [MODE]]]\n");
        return 2;
    }
    unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) {
        perror("bench/tally");
        return 1;
    }
    madvise(data, size, MADV_HUGEPAGE);
    memset(data, 1, size);

    printf("GB/s\trandom\tequal\thot\tZipf\tworst/best");
    for (const struct bin_row_form *form = bin_row_forms; form->name != NULL;
         form++) {
        if (form->is_possible())
            printf("\t%s", form->name);
    }
    printf("\n");
    printf("read\t%.2f\n", read_rate(data, size, rounds));
    for (size_t m = 0; m < MODES; m++) {
        if (strncmp(modes[m], only, strlen(only)) == 0)
            measure(modes[m], data, size, rounds);
    }
    return 0;
}
