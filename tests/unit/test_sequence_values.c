/* SPDX-License-Identifier: MIT */
/*
 * test_sequence_values.c -- reads whose bases and qualities are on any number
 * of lines: joined, and their values beside a naive computation
 */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "seq/sequence_join.h"
#include "seq/sequence_values.h"

#define ARENA_BYTES ((size_t)1 << 16)
#define BASES_MAX 400
#define ROUNDS (IS_INSTRUMENTED ? 500 : 20000)

static unsigned char *arena;
static struct sequence_values *values;

/* A read, and the text of its record. */
struct read {
    char bases[BASES_MAX + 1];
    unsigned char quality[BASES_MAX];
    size_t length;
    bool is_fastq;
    unsigned char text[8 * BASES_MAX + 100];
    size_t size;
    struct sequence_record record;
};

static void
open_values(unsigned int phred)
{
    struct text_format format = text_format_of(TEXT_SEQUENCES);

    format.phred = phred;
    sequence_values_open(values, &format, true);
}

static void
put(struct read *read, const char *text)
{
    size_t size = strlen(text);

    memcpy(read->text + read->size, text, size);
    read->size += size;
}

/* A line end, or that after a carriage return which is part of a quality. */
static void
put_end(struct read *read)
{
    bool is_return = read->text[read->size - 1] == '\r';

    put(read, is_return || noise() % 4 == 0 ? "\r\n" : "\n");
}

/* Maybe a line end, blanks, or both; IS_BLANK: blanks may stand there. */
static void
put_between(struct read *read, unsigned int often, bool is_blank)
{
    if (noise() % 256 >= often)
        return;
    if (is_blank && noise() % 4 == 0)
        put(read, noise() % 2 == 0 ? " " : "\t\r");
    if (noise() % 4 != 0 || !is_blank)
        put_end(read);
}

/* Write the record of READ, with lines that end OFTEN of 256 times. */
static void
lay_out(struct read *read, unsigned int often)
{
    read->size = 0;
    put(read, read->is_fastq ? "@r1 more\n" : ">r1\tmore\r\n");
    put_between(read, often, true);
    for (size_t i = 0; i < read->length; i++) {
        read->text[read->size++] = (unsigned char)read->bases[i];
        put_between(read, often, true);
    }
    if (read->size > 0 && read->text[read->size - 1] != '\n')
        put(read, "\n");
    if (read->is_fastq) {
        put(read, "+\n");
        put_between(read, often, false);
        for (size_t i = 0; i < read->length; i++) {
            read->text[read->size++] = read->quality[i];
            if (i + 1 < read->length)
                put_between(read, often, false);
        }
        put_end(read);
        if (noise() % 4 == 0)
            read->size--;
        else if (noise() % 2 == 0)
            put(read, ">next\nac\r\n");
    }
    /* The data end where the memory does. */
    unsigned char *data = arena + ARENA_BYTES - read->size;
    memcpy(data, read->text, read->size);
    if (sequence_find(data, (binning_u32)read->size, 0, 1, &read->record) !=
            SEQUENCE_RECORD ||
        read->record.length != read->length)
        abort();
}

static const unsigned char *
data_of(const struct read *read)
{
    return arena + ARENA_BYTES - read->size;
}

static struct text_slice
value_of(const struct read *read, enum text_part part)
{
    struct text_slice slice;

    sequence_values_read(values, part, data_of(read), &read->record, 1, &slice,
                         1);
    return slice;
}

static bool
is_equal(struct text_slice a, struct text_slice b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static double
double_of(struct text_slice slice)
{
    double value;

    memcpy(&value, &slice, sizeof value);
    return value;
}

/* ---- naive ---- */

static bool
check_means(const struct read *read)
{
    const struct text_slice missing = {TEXT_SLICE_MISSING, 0};
    struct text_slice gc = value_of(read, TEXT_PART_GC);
    struct text_slice mean = value_of(read, TEXT_PART_MEAN_QUALITY);
    struct text_slice error = value_of(read, TEXT_PART_MEAN_ERROR_QUALITY);
    struct text_slice none = read->is_fastq ? TEXT_SLICE_EMPTY : missing;
    double length = (double)read->length;
    double gcs = 0;
    double sum = 0;
    double errors = 0;

    for (size_t i = 0; i < read->length; i++) {
        int quality = read->quality[i] - (int)values->phred;
        gcs += strchr("GCgc", read->bases[i]) != NULL;
        sum += quality;
        errors += pow(10, -quality / 10.0);
    }
    if (read->length == 0)
        return is_equal(gc, TEXT_SLICE_EMPTY) && is_equal(mean, none) &&
               is_equal(error, none);
    if (double_of(gc) != gcs / length)
        return false;
    if (!read->is_fastq)
        return is_equal(mean, none) && is_equal(error, none);
    double wanted = -10 * log10(errors / length);
    return double_of(mean) == sum / length &&
           fabs(double_of(error) - wanted) <= 1e-11;
}

/* Whether the record, which lies in the data of READ, is joined: no byte around
   it has changed. */
static bool
check_join(struct read *read, bool keeps_case)
{
    struct sequence_record *record = &read->record;
    unsigned char *data = arena + ARENA_BYTES - read->size;
    struct sequence_record again;
    bool is_right = true;

    sequence_join(data, record);
    if (!keeps_case)
        sequence_join_cases(data, record);
    for (size_t i = 0; i < read->length; i++) {
        char base = read->bases[i];
        if (!keeps_case && base >= 'a' && base <= 'z')
            base = (char)(base - 'a' + 'A');
        is_right &= data[record->bases_start + i] == (unsigned char)base;
    }
    if (read->is_fastq &&
        memcmp(data + record->quality_start, read->quality, read->length) != 0)
        is_right = false;
    return is_right && memcmp(data, read->text, record->bases_start) == 0 &&
           (!read->is_fastq ||
            memcmp(data + record->bases_end, read->text + record->bases_end,
                   record->quality_start - record->bases_end) == 0) &&
           memcmp(data + record->next, read->text + record->next,
                  read->size - record->next) == 0 &&
           sequence_find(data, (binning_u32)read->size, 0, 1, &again) ==
               SEQUENCE_RECORD &&
           again.length == record->length;
}

static bool
check_read(struct read *read, bool keeps_case)
{
    if (!check_join(read, keeps_case))
        return false;
    struct text_slice name = value_of(read, TEXT_PART_NAME);
    struct text_slice length = value_of(read, TEXT_PART_LENGTH);
    struct text_slice bases = value_of(read, TEXT_PART_SEQUENCE);
    int64_t number;

    memcpy(&number, &length, sizeof number);
    return name.size == 2 && memcmp(data_of(read) + name.at, "r1", 2) == 0 &&
           number == (int64_t)read->length && bases.size == read->length &&
           bases.at == read->record.bases_start && check_means(read);
}

static void
fill(struct read *read)
{
    static const char alphabet[] = "ACGTacgtNn.*-RYkmUu";
    size_t letters = 1 + noise() % (sizeof alphabet - 1);
    unsigned int qualities = 1 + (unsigned int)(noise() % 255);
    bool is_wild = noise() % 8 == 0;

    read->is_fastq = noise() % 4 != 0;
    read->length = (size_t)(noise() % (noise() % 2 == 0 ? 5 : BASES_MAX));
    for (size_t i = 0; i < read->length; i++) {
        read->bases[i] = alphabet[noise() % letters];
        read->quality[i] =
            (unsigned char)(is_wild ? noise() % qualities
                                    : '!' + noise() % (1 + qualities % 42));
        if (read->quality[i] == '\n' || read->quality[i] == '\r')
            read->quality[i] = noise() % 4 == 0 ? '\r' : ' ';
    }
}

static void
test_naive(unsigned int phred)
{
    static struct read read;
    bool is_right = true;

    open_values(phred);
    for (int i = 0; i < ROUNDS && is_right; i++) {
        fill(&read);
        lay_out(&read, i % 2 == 0 ? 0 : (unsigned int)(noise() % 100));
        is_right = check_read(&read, noise() % 2 == 0);
    }
    ok(is_right, "values of random reads, phred %u", phred);
    if (!is_right)
        printf("# %.*s\n", (int)read.size, (const char *)read.text);
}

/* ---- examples ---- */

static const struct {
    const char *data;
    enum text_part part;
    double value;
} examples[] = {
    {"@r\nACGTNNNN\n+\nIIIIIIII\n", TEXT_PART_GC, 0.25},
    {"@r\nggCC\n+\nIIII\n", TEXT_PART_GC, 1},
    {"@r\nA\nS\r\nK-\n+\nII\nII\n", TEXT_PART_GC, 0},
    /* 0 and 40: 20, but seqkit's 3.01 by errors. */
    {"@r\nAC\n+\n!I\n", TEXT_PART_MEAN_QUALITY, 20},
    {"@r\nAC\n+\n!I\n", TEXT_PART_MEAN_ERROR_QUALITY, 3.0098656838711855},
    {"@r\nACG\n+\n5\n55\n", TEXT_PART_MEAN_QUALITY, 20},
    {"@r\nACG\n+\n###\n", TEXT_PART_MEAN_ERROR_QUALITY, 2},
    {"@r\nAC\n+\n!!\n", TEXT_PART_MEAN_ERROR_QUALITY, 0},
    /* Below quality 0. */
    {"@r\nAC\n+\n\x1f \n", TEXT_PART_MEAN_QUALITY, -1.5},
    {"@r\nA\n+\n\x17\n", TEXT_PART_MEAN_ERROR_QUALITY, -10},
};

static void
test_examples(void)
{
    open_values('!');
    for (size_t e = 0; e < sizeof examples / sizeof *examples; e++) {
        unsigned char data[40];
        size_t size = strlen(examples[e].data);
        struct sequence_record record;
        struct text_slice slice;
        memcpy(data, examples[e].data, size);
        if (sequence_find(data, (binning_u32)size, 0, 1, &record) !=
            SEQUENCE_RECORD)
            abort();
        sequence_join(data, &record);
        sequence_values_read(values, examples[e].part, data, &record, 1, &slice,
                             1);
        double value = double_of(slice);
        ok(value == examples[e].value &&
               !signbit(value) == !(examples[e].value < 0),
           "example %zu: %.17g", e, value);
    }
}

/* A slice for each record, where the stride says. */
static void
test_stride(void)
{
    static const char text[] = ">a\nAC\n@b\nACGT\n+\n5555\n>c\n";
    const unsigned char *data = (const unsigned char *)text;
    struct sequence_record record[3];
    struct text_slice slice[7];
    uint64_t bits[7];
    binning_u32 at = 0;

    memset(slice, 0x55, sizeof slice);
    for (int i = 0; i < 3; i++) {
        (void)sequence_find(data, sizeof text - 1, at, 1, &record[i]);
        at = record[i].next;
    }
    open_values('!');
    sequence_values_read(values, TEXT_PART_LENGTH, data, record, 3, slice + 1,
                         2);
    memcpy(bits, slice, sizeof bits);
    ok(bits[1] == 2 && bits[3] == 4 && bits[5] == 0 && bits[0] == bits[2] &&
           bits[0] == bits[4] && bits[0] == bits[6],
       "a stride");
    sequence_values_read(values, TEXT_PART_MEAN_QUALITY, data, record, 3, slice,
                         1);
    ok(text_slice_is_missing(slice[0]) && slice[0].size == 0 &&
           double_of(slice[1]) == 20 && text_slice_is_missing(slice[2]),
       "FASTA has no quality");
}

/* A record does not depend on the one before. */
static void
test_several(void)
{
    static const char text[] =
        "@a\nACGTA\n+\n5I5+5\n@b\nAC\n+\n+5\n@c\nACGTA\n+\n5I5+5\n";
    const unsigned char *data = (const unsigned char *)text;
    struct sequence_record record[3];
    struct text_slice slice[3];
    struct text_slice single;
    binning_u32 at = 0;

    open_values('!');
    for (int i = 0; i < 3; i++) {
        (void)sequence_find(data, sizeof text - 1, at, 1, &record[i]);
        at = record[i].next;
    }
    sequence_values_read(values, TEXT_PART_MEAN_ERROR_QUALITY, data, record, 3,
                         slice, 1);
    sequence_values_read(values, TEXT_PART_MEAN_ERROR_QUALITY, data, &record[1],
                         1, &single, 1);
    ok(is_equal(slice[0], slice[2]) && is_equal(slice[1], single),
       "several records");
}

int
main(void)
{
    arena = arena_open(ARENA_BYTES);
    values = malloc(sizeof *values);
    if (values == NULL)
        abort();
    test_examples();
    test_stride();
    test_several();
    test_naive('!');
    test_naive('@');
    free(values);
    return done_testing();
}
