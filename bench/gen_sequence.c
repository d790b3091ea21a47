/* SPDX-License-Identifier: MIT */
/* gen_sequence.c -- reads of a random genome, as FASTA or FASTQ */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen_math.h"
#include "gen_sequence.h"

enum {
    NAME_BYTES_MAX = 64,
    QUALITY_ZERO = '!',
    QUALITY_MOST = 41,
    QUALITY_UNKNOWN = 2,
};

static bool
is_odd(const struct gen_sequence *sequence, enum gen_odd odd)
{
    return (sequence->options->odd & (unsigned int)odd) != 0;
}

static bool
is_fastq(const struct gen_sequence *sequence)
{
    return sequence->options->distribution == GEN_FASTQ;
}

/* ---- what is made once ---- */

static void
make_genome(struct gen_sequence *sequence)
{
    uint64_t size = sequence->options->genome;
    char *forward = sequence->strand[0];
    char *backward = sequence->strand[1] + size;
    uint64_t bits = 0;

    for (uint64_t i = 0; i < size; i++) {
        if (i % 32 == 0)
            bits = gen_random_word(&sequence->random);
        forward[i] = "ACGT"[bits & 3];
        *--backward = "TGCA"[bits & 3];
        bits >>= 2;
    }
}

/* Lengths whose logarithms are evenly spaced. */
static void
make_lengths(struct gen_sequence *sequence)
{
    double low = (double)sequence->options->shortest;
    double high = (double)sequence->options->longest;
    double width = gen_math_log(high / low);

    for (int i = 0; i < GEN_SEQUENCE_LENGTHS; i++) {
        double length =
            low * gen_math_exp(width * i / (GEN_SEQUENCE_LENGTHS - 1));
        length = length > high ? high : length;
        sequence->length[i] = (uint64_t)(length + 0.5);
    }
}

/* A quality for each byte of random bits. */
static void
make_qualities(struct gen_sequence *sequence)
{
    for (int place = 0; place < GEN_SEQUENCE_PLACES; place++) {
        double at = (double)place / (GEN_SEQUENCE_PLACES - 1);
        double drop = 8 + 31 * at * at;
        for (int byte = 0; byte < 256; byte++) {
            double share = (byte + 0.5) / 256;
            sequence->level[place][byte] =
                (unsigned char)(QUALITY_ZERO + QUALITY_MOST -
                                (int)(drop * share * share * share));
        }
    }
}

/* Choose where the next base is replaced. */
static void
choose(struct gen_sequence *sequence, struct gen_sequence_change *change)
{
    double distance;

    if (change->scale == 0) {
        change->left = UINT64_MAX;
        return;
    }
    gen_ziggurat_draw(&sequence->distances, &sequence->random, change->scale, 0,
                      &distance, 1);
    change->left = distance < 1e15 ? (uint64_t)distance : (uint64_t)1e15;
}

static void
start_change(struct gen_sequence *sequence, struct gen_sequence_change *change,
             double probability)
{
    change->scale = probability > 0 ? -1 / gen_math_log1p(-probability) : 0;
    choose(sequence, change);
}

int
gen_sequence_open(struct gen_sequence *sequence,
                  const struct gen_options *options)
{
    size_t genome = (size_t)options->genome;
    size_t longest = (size_t)options->longest;

    if (options->genome > SIZE_MAX / 8)
        return -1;
    *sequence = (struct gen_sequence){
        .options = options,
        .strand = {malloc(genome), malloc(genome)},
        .bases = malloc(longest),
        .quality = malloc(longest),
        /* Each base and each quality may have a line of its own. */
        .record = malloc(NAME_BYTES_MAX + 6 * longest),
    };
    if (sequence->strand[0] == NULL || sequence->strand[1] == NULL ||
        sequence->bases == NULL || sequence->quality == NULL ||
        sequence->record == NULL) {
        gen_sequence_close(sequence);
        return -1;
    }
    gen_random_seed(&sequence->random, options->seed);
    gen_ziggurat_make(&sequence->distances, false);
    make_genome(sequence);
    make_lengths(sequence);
    make_qualities(sequence);
    start_change(sequence, &sequence->errors, options->errors);
    start_change(sequence, &sequence->unknown, options->unknown);
    return 0;
}

/* ---- a record ---- */

static void
put_errors(struct gen_sequence *sequence, size_t length)
{
    struct gen_sequence_change *errors = &sequence->errors;
    size_t at = 0;

    while (errors->left < length - at) {
        at += errors->left;
        unsigned char right = sequence->bases[at];
        unsigned int code = right == 'A'   ? 0
                            : right == 'C' ? 1
                            : right == 'G' ? 2
                                           : 3;
        uint64_t bits = gen_random_word(&sequence->random);
        uint64_t other = 1 + gen_random_multiply(&bits, 3);
        sequence->bases[at++] = (unsigned char)"ACGT"[(code + other) & 3];
        choose(sequence, errors);
    }
    errors->left -= length - at;
}

/* Replace bases, and their qualities. */
static void
put_unknown(struct gen_sequence *sequence, size_t length)
{
    static const unsigned char ambiguous[16] = "RYSWKMBDHVUrN-.*";
    struct gen_sequence_change *unknown = &sequence->unknown;
    size_t at = 0;

    while (unknown->left < length - at) {
        at += unknown->left;
        unsigned char byte = 'N';
        if (is_odd(sequence, GEN_ODD_IUPAC))
            byte = ambiguous[gen_random_word(&sequence->random) >> 60];
        sequence->bases[at] = byte;
        sequence->quality[at] = QUALITY_ZERO + QUALITY_UNKNOWN;
        at++;
        choose(sequence, unknown);
    }
    unknown->left -= length - at;
}

/* In one read of four, a part is in lower case. */
static void
put_lower(struct gen_sequence *sequence, size_t length)
{
    uint64_t bits = gen_random_word(&sequence->random);

    if ((bits & 3) != 0 || length == 0)
        return;
    size_t start = gen_random_multiply(&bits, length);
    size_t count = gen_random_multiply(&bits, length - start) + 1;
    for (size_t i = start; i < start + count; i++) {
        unsigned char byte = sequence->bases[i];
        if (byte >= 'A' && byte <= 'Z')
            sequence->bases[i] = (unsigned char)(byte + ('a' - 'A'));
    }
}

static void
make_quality(struct gen_sequence *sequence, size_t length)
{
    struct gen_random random = sequence->random;
    uint64_t step =
        length == 0 ? 0 : ((uint64_t)GEN_SEQUENCE_PLACES << 32) / length;
    uint64_t place = 0;
    uint64_t bits = 0;

    for (size_t i = 0; i < length; i++) {
        if (i % 8 == 0)
            bits = gen_random_word(&random);
        sequence->quality[i] = sequence->level[place >> 32][bits & 255];
        bits >>= 8;
        place += step;
    }
    sequence->random = random;
}

static unsigned char *
put_line_end(const struct gen_sequence *sequence, unsigned char *out)
{
    if (is_odd(sequence, GEN_ODD_CRLF))
        *out++ = '\r';
    *out++ = '\n';
    return out;
}

/* Write BYTES in lines; those of FASTQ are at least one. */
static unsigned char *
put_lines(const struct gen_sequence *sequence, const unsigned char *bytes,
          size_t count, unsigned char *out)
{
    size_t width = sequence->options->width;

    if (count == 0 && is_fastq(sequence))
        return put_line_end(sequence, out);
    while (count > 0) {
        size_t part = width != 0 && width < count ? width : count;
        memcpy(out, bytes, part);
        out = put_line_end(sequence, out + part);
        bytes += part;
        count -= part;
    }
    return out;
}

/* Write a number without the cost of printf(). */
static unsigned char *
put_number(unsigned char *out, uint64_t number)
{
    unsigned char digit[20];
    int digits = 0;

    do {
        digit[digits++] = (unsigned char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (digits > 0)
        *out++ = digit[--digits];
    return out;
}

static void
make_record(struct gen_sequence *sequence)
{
    const struct gen_options *options = sequence->options;
    uint64_t bits = gen_random_word(&sequence->random);
    size_t length = sequence->length[bits % GEN_SEQUENCE_LENGTHS];
    unsigned int strand = bits >> 10 & 1;
    bool is_empty = (bits >> 11 & 63) == 0;
    unsigned char *out = sequence->record;

    if (is_odd(sequence, GEN_ODD_EMPTY) && is_empty)
        length = 0;
    bits = gen_random_word(&sequence->random);
    uint64_t at = gen_random_multiply(&bits, options->genome - length + 1);
    memcpy(sequence->bases, sequence->strand[strand] + at, length);
    if (strand == 1)
        at = options->genome - length - at;

    *out++ = is_fastq(sequence) ? '@' : '>';
    *out++ = 'r';
    out = put_number(out, sequence->records + 1);
    *out++ = ' ';
    out = put_number(out, at + 1);
    *out++ = strand == 0 ? '+' : '-';
    out = put_line_end(sequence, out);
    if (is_fastq(sequence))
        make_quality(sequence, length);
    put_errors(sequence, length);
    put_unknown(sequence, length);
    if (is_odd(sequence, GEN_ODD_LOWER))
        put_lower(sequence, length);
    out = put_lines(sequence, sequence->bases, length, out);
    if (is_fastq(sequence)) {
        *out++ = '+';
        out = put_line_end(sequence, out);
        out = put_lines(sequence, sequence->quality, length, out);
    }
    sequence->start = 0;
    sequence->end = (size_t)(out - sequence->record);
    sequence->records++;
    sequence->total += (double)length;
}

/* Make another record, or end. */
static void
go_on(struct gen_sequence *sequence)
{
    const struct gen_options *options = sequence->options;

    sequence->is_ended =
        sequence->records == options->records ||
        sequence->total >= options->coverage * (double)options->genome;
    if (sequence->is_ended)
        return;
    make_record(sequence);
    sequence->is_ended = sequence->end > options->bytes - sequence->bytes;
    sequence->bytes += sequence->end;
}

size_t
gen_sequence_fill(struct gen_sequence *sequence, unsigned char *out,
                  size_t room)
{
    size_t filled = 0;

    while (filled < room && !sequence->is_ended) {
        size_t count = sequence->end - sequence->start;
        if (count > room - filled)
            count = room - filled;
        memcpy(out + filled, sequence->record + sequence->start, count);
        sequence->start += count;
        filled += count;
        if (sequence->start == sequence->end)
            go_on(sequence);
    }
    return filled;
}

void
gen_sequence_close(struct gen_sequence *sequence)
{
    free(sequence->strand[0]);
    free(sequence->strand[1]);
    free(sequence->bases);
    free(sequence->quality);
    free(sequence->record);
}
