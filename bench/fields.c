/* SPDX-License-Identifier: MIT */
/*
 * fields.c -- how fast one thread finds the fields of text, for each form
 *
 * usage: bench/fields [MEBIBYTES [ROUNDS]]
 *
 * The data are in memory (default: 256 MiB).  Each form scans them ROUNDS times
 * (default: 5), in chunks of 2 MiB.  The forms take turns.  The program prints
 * TSV, a row for each job and form: the median in GB/s (10^9 bytes) and in
 * nanoseconds a record.  All forms must give the slices of the first one, which
 * is portable; else the status is 1.
 *
 * Other rows, for comparison: "read" only sums the words, "memchr" finds the
 * ends of lines by memchr().
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../tests/noise.h"
#include "text/scan.h"
#include "timing.h"

enum {
    ROUNDS_MAX = 99,
    MADE_BYTES = 16 << 20, /* the rest of the data are copies */
    CHUNK_BYTES = 2 << 20,
    LINE_BYTES = 1024,
    RECORDS_MAX = 1024, /* of a call */
    COLUMNS_MAX = 16,
};

/* ---- the data ---- */

static uint32_t
random_below(uint32_t count)
{
    return (uint32_t)(noise() >> 32) % count;
}

static size_t
make_log(char *line)
{
    static const char *const paths[] = {
        "/", "/index.html", "/api/v1/items", "/static/app.js", "/login?a=b",
    };

    return (size_t)snprintf(
        line, LINE_BYTES,
        "10.%u.%u.%u - - [%02u/Nov/2026:%02u:%02u:%02u +0000] \"GET %s "
        "HTTP/1.1\" %u %u \"https://example.org%s\" \"Mozilla/5.0 (X11; Linux "
        "x86_64) AppleWebKit/537.36 Gecko\" 0.%03u\n",
        random_below(256), random_below(256), random_below(256),
        1 + random_below(30), random_below(24), random_below(60),
        random_below(60), paths[random_below(5)],
        random_below(10) == 0 ? 404u : 200u, random_below(100000),
        paths[random_below(3)], random_below(1000));
}

/* 17 bytes in the mean, as of weather stations. */
static size_t
make_short(char *line)
{
    size_t n = 0;

    for (size_t letters = 8 + random_below(7); n < letters; n++)
        line[n] = (char)('a' + random_below(26));
    return n + (size_t)snprintf(line + n, LINE_BYTES - n, ";%d.%u\n",
                                (int)random_below(60) - 10, random_below(10));
}

static size_t
make_csv(char *line, uint32_t quoted)
{
    size_t n = 0;

    for (int field = 0; field < 10; field++) {
        bool is_quoted = random_below(100) < quoted;
        if (is_quoted)
            line[n++] = '"';
        for (size_t letters = 1 + random_below(15); letters > 0; letters--)
            line[n++] = (char)('a' + random_below(26));
        if (is_quoted) {
            line[n++] = ',';
            line[n++] = '"';
        }
        line[n++] = field < 9 ? ',' : '\n';
    }
    return n;
}

static size_t
make_plain(char *line)
{
    return make_csv(line, 0);
}

static size_t
make_quoted(char *line)
{
    return make_csv(line, 20);
}

static const struct {
    const char *name;
    size_t (*make)(char *line);
    struct {
        enum text_kind kind;
        unsigned char delimiter;
        const char *fields;
    } job[20]; /* until one without fields */
} kinds[] = {
    {"log",
     make_log,
     {
         {TEXT_LINES, 0, "1"},
         {TEXT_DELIMITED, ' ', "1"},
         {TEXT_DELIMITED, ' ', "4"},
         {TEXT_DELIMITED, ' ', "9"},
         {TEXT_WHITESPACE, 0, "1"},
         {TEXT_WHITESPACE, 0, "4"},
         {TEXT_WHITESPACE, 0, "9"},
         {TEXT_WHITESPACE, 0, "NF"},
         {TEXT_DELIMITED, ' ', "1,7"},
         {TEXT_WHITESPACE, 0, "6,7"},
         {TEXT_WHITESPACE, 0, "7,9"},
         {TEXT_CLF, 0, "6"},
         {TEXT_CLF, 0, "1,5,9"},
         {TEXT_CLF, 0, "path"},
         {TEXT_CLF, 0, "path,+1"},
         {TEXT_WORDS, 0, "1"},
     }},
    {"short",
     make_short,
     {
         {TEXT_LINES, 0, "1"},
         {TEXT_DELIMITED, ';', "1"},
         {TEXT_DELIMITED, ';', "2"},
         {TEXT_DELIMITED, ';', "1,2"},
         {TEXT_WHITESPACE, 0, "1"},
         {TEXT_CSV, ';', "1,2"},
     }},
    {"csv",
     make_plain,
     {
         {TEXT_DELIMITED, ',', "3"},
         {TEXT_DELIMITED, ',', "1-10"},
         {TEXT_CSV, ',', "3"},
         {TEXT_CSV, ',', "1-10"},
     }},
    {"quotes", make_quoted, {{TEXT_CSV, ',', "3"}, {TEXT_CSV, ',', "1-10"}}},
};
#define KINDS (sizeof kinds / sizeof *kinds)
#define JOBS (sizeof kinds[0].job / sizeof kinds[0].job[0])

/* Fill DATA with whole lines.  Returns the bytes that they take. */
static size_t
fill(size_t k, unsigned char *data, size_t size)
{
    char line[LINE_BYTES];
    size_t most = size < MADE_BYTES ? size : MADE_BYTES;
    size_t made = 0;
    size_t at;

    for (;;) {
        size_t n = kinds[k].make(line);
        if (n > most - made)
            break;
        memcpy(data + made, line, n);
        made += n;
    }
    for (at = made; size - at >= made; at += made)
        memcpy(data + at, data, made);
    return at;
}

/* ---- what is measured ---- */

struct job {
    struct scan scan;
    const unsigned char *data;
    size_t size;
    struct text_slice *slice; /* for RECORDS_MAX records */
    uint64_t records;
    uint64_t check; /* of all slices */
};

static void
run_read(struct job *job, scan_form *form)
{
    uint64_t words[TIMING_WORDS];

    (void)form;
    timing_read(job->data, job->size, words);
}

static void
run_memchr(struct job *job, scan_form *form)
{
    const unsigned char *at = job->data;
    const unsigned char *end = at + job->size;

    (void)form;
    for (uint64_t records = 0; at < end; records++)
        at = (const unsigned char *)memchr(at, '\n', (size_t)(end - at)) + 1;
}

/* The whole lines of a chunk that starts at AT. */
static size_t
chunk_size(const struct job *job, size_t at)
{
    size_t size = job->size - at;

    if (size > CHUNK_BYTES) {
        size = CHUNK_BYTES;
        while (job->data[at + size - 1] != '\n')
            size--;
    }
    return size;
}

static void
run_form(struct job *job, scan_form *form)
{
    struct scan_ledger ledger = {0};

    job->scan.run = form;
    job->check = 0;
    for (size_t at = 0; at < job->size;) {
        size_t size = chunk_size(job, at);
        for (size_t done = 0; done < size;) {
            size_t records =
                scan_records(&job->scan, job->data + at, size, &done,
                             job->slice, RECORDS_MAX, &ledger);
            size_t slices = records * job->scan.wanted;
            for (size_t i = 0; i < slices; i++)
                job->check += job->slice[i].at + 3 * job->slice[i].size;
        }
        at += size;
    }
    job->records = ledger.records;
}

static const struct {
    const char *name;
    void (*run)(struct job *job, scan_form *form);
    scan_form *form;
    bool (*is_possible)(void);
} rows[] = {
    {"portable", run_form, scan_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"avx2", run_form, scan_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"avx512", run_form, scan_avx512, scan_avx512_is_possible},
#endif
    {"read", run_read, NULL, NULL},
    {"memchr", run_memchr, NULL, NULL},
};
#define ROWS (sizeof rows / sizeof *rows)

static bool
is_possible(size_t r)
{
    return rows[r].is_possible == NULL || rows[r].is_possible();
}

static int
measure(size_t k, size_t j, const unsigned char *data, size_t size, int rounds)
{
    const char *fields = kinds[k].job[j].fields;
    struct text_format format = text_format_of(kinds[k].job[j].kind);
    /* Fields of CLF may have numbers here. */
    const struct text_format numbered = {.kind = TEXT_DELIMITED};
    bool is_named = format.kind == TEXT_CLF && *fields > '9';
    struct field_list list;
    struct error error = ERROR_NONE;
    struct job job = {.data = data, .size = size};
    double time[ROWS][ROUNDS_MAX];
    uint64_t check = 0;
    int wrong = 0;

    format.delimiter = kinds[k].job[j].delimiter;
    job.slice = malloc((size_t)RECORDS_MAX * COLUMNS_MAX * sizeof *job.slice);
    if (job.slice == NULL ||
        field_list_parse(&list, is_named ? &format : &numbered, "fields",
                         fields, &error) < 0 ||
        scan_open(&job.scan, &format, &list, &error) < 0)
        return 1;
    for (int i = 0; i < rounds; i++) {
        for (size_t r = 0; r < ROWS; r++) {
            if (!is_possible(r))
                continue;
            double start = timing_now();
            rows[r].run(&job, rows[r].form);
            time[r][i] = timing_now() - start;
            check = r == 0 ? job.check : check;
            wrong |= job.check != check;
        }
    }
    for (size_t r = 0; r < ROWS; r++) {
        if (!is_possible(r) || (j > 0 && rows[r].form == NULL))
            continue;
        double median = timing_median(time[r], (size_t)rounds);
        bool is_form = rows[r].form != NULL;
        printf("%s\t%s\t%s\t%s\t%.2f\t%.2f\n", kinds[k].name,
               is_form ? text_type_of(format.kind)->name : "",
               is_form ? fields : "", rows[r].name,
               (double)size / median * 1e-9,
               median / (double)job.records * 1e9);
        fflush(stdout);
    }
    scan_close(&job.scan);
    field_list_close(&list);
    free(job.slice);
    if (wrong)
        fprintf(stderr, "bench/fields: the forms differ\n");
    return wrong;
}

int
main(int argc, char **argv)
{
    size_t size = (size_t)(argc > 1 ? strtoul(argv[1], NULL, 10) : 256) << 20;
    int rounds = argc > 2 ? atoi(argv[2]) : 5;
    int wrong = 0;

    if (size == 0 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: bench/fields [MEBIBYTES [ROUNDS]]\n");
        return 2;
    }
    unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (data == MAP_FAILED) {
        perror("bench/fields");
        return 1;
    }
    madvise(data, size, MADV_HUGEPAGE);
    printf("data\tformat\tfields\tform\tGB/s\tns\n");
    for (size_t k = 0; k < KINDS; k++) {
        size_t made = fill(k, data, size);
        for (size_t j = 0; j < JOBS && kinds[k].job[j].fields != NULL; j++)
            wrong |= measure(k, j, data, made, rounds);
    }
    return wrong;
}
