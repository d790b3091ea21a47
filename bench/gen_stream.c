/* SPDX-License-Identifier: MIT */
/* gen_stream.c -- samples of a distribution as a stream of bytes */

#include <math.h>
#include <string.h>

#include "gen_sample.h"
#include "gen_stream.h"

/* Samples of a block; 8-byte samples fit into the first-level cache. */
#define BLOCK 1024

/* gen_random_integers() may write up to 7 more integers. */
#define SLACK 8

_Static_assert(GEN_STREAM_ROOM_MIN >= BLOCK * sizeof(uint64_t) &&
                   GEN_STREAM_ROOM_MIN >= GEN_TEXT_PIECE_MAX,
               "room for a block or a piece");

static bool
is_text(const struct gen_options *options)
{
    return options->distribution >= GEN_ACGT;
}

/*
 * Find the smallest and the largest float of the type in [lo, hi).  Returns 0,
 * or -1 with *ERROR set if there is none.
 */
static int
set_limits(struct gen_stream *stream, struct error *error)
{
    const struct gen_options *options = stream->options;

    if (!binning_is_float(options->type))
        return 0;
    stream->bottom = gen_sample_at_or_above(options->type, options->lo);
    stream->top = -gen_sample_at_or_above(options->type,
                                          -nextafter(options->hi, -INFINITY));
    if (stream->bottom <= stream->top)
        return 0;
    error_set(error, EXIT_USAGE, "--range: the type has no number in it");
    return -1;
}

int
gen_stream_open(struct gen_stream *stream, const struct gen_options *options,
                struct error *error)
{
    uint64_t size = binning_size(options->type);
    int result = 0;

    *stream = (struct gen_stream){
        .options = options,
        .samples = options->bytes / size + (options->bytes % size != 0),
    };
    gen_random_seed(&stream->random, options->seed);
    switch (options->distribution) {
    case GEN_UNIFORM:
    case GEN_SORTED:
        return set_limits(stream, error);
    case GEN_NORMAL:
    case GEN_EXPONENTIAL:
        gen_ziggurat_make(&stream->ziggurat,
                          options->distribution == GEN_NORMAL);
        return 0;
    case GEN_BINOMIAL:
        result = gen_alias_make_binomial(&stream->alias, options->trials,
                                         options->probability);
        break;
    case GEN_POISSON:
        result = gen_alias_make_poisson(&stream->alias, options->rate);
        break;
    case GEN_ZIPF:
        result = gen_alias_make_zipf(&stream->alias, options->exponent,
                                     options->values);
        break;
    case GEN_ACGT:
        result = gen_text_open(&stream->text, GEN_TEXT_ACGT, options->seed);
        break;
    case GEN_LOG:
        result = gen_text_open(&stream->text, GEN_TEXT_LOG, options->seed);
        break;
    case GEN_TEXT:
        result = gen_text_open(&stream->text, GEN_TEXT_WORDS, options->seed);
        break;
    case GEN_FASTA:
    case GEN_FASTQ:
        result = gen_sequence_open(&stream->sequence, options);
        break;
    default:
        break;
    }
    if (result < 0)
        error_set(error, EXIT_DATA, "out of memory");
    return result;
}

/* ---- integers ---- */

/* Random bits: one word gives several samples, from its lowest bits up. */
static void
put_any_bits(struct gen_stream *stream, unsigned char *out)
{
    struct gen_random local = stream->random;
    size_t size = binning_size(stream->options->type);

    for (size_t i = 0; i < BLOCK * size; i += 8) {
        uint64_t word = gen_random_word(&local);
        memcpy(out + i, &word, 8);
    }
    stream->random = local;

    const uint16_t one = 1;
    unsigned char is_little;
    memcpy(&is_little, &one, 1);
    if (!is_little) { /* the first sample must be in the lowest bits */
        gen_sample_swap(8, out, BLOCK * size / 8);
        gen_sample_swap(size, out, BLOCK);
    }
}

/* The index, below VALUES, of the value of the sorted sample at POSITION. */
static uint64_t
sorted_index(const struct gen_stream *stream, uint64_t position,
             struct wide values)
{
    uint64_t remainder;

    return wide_divide(wide_multiply(values, position), stream->samples,
                       &remainder)
        .low;
}

/* Sample i of n is the value with index floor(i * values / n) in the range. */
static void
make_sorted(const struct gen_stream *stream, uint64_t *integer)
{
    const struct gen_options *options = stream->options;
    struct wide values =
        wide_add(wide_of(options->last - options->first), wide_of(1));
    uint64_t samples = stream->samples;
    uint64_t at = sorted_index(stream, stream->position, values);

    if (at == sorted_index(stream, stream->position + BLOCK - 1, values)) {
        for (size_t i = 0; i < BLOCK; i++)
            integer[i] = options->first + at;
        return;
    }
    uint64_t step_remainder;
    uint64_t remainder;
    uint64_t step = wide_divide(values, samples, &step_remainder).low;
    wide_divide(wide_multiply(values, stream->position), samples, &remainder);
    for (size_t i = 0; i < BLOCK; i++) {
        integer[i] = options->first + at;
        remainder += step_remainder;
        uint64_t carry = remainder >= samples;
        remainder -= carry ? samples : 0;
        at += step + carry;
    }
}

static void
put_integers(struct gen_stream *stream, unsigned char *out)
{
    const struct gen_options *options = stream->options;
    unsigned int unused = 64 - 8 * binning_size(options->type);
    uint64_t integer[BLOCK + SLACK];
    uint64_t below = options->last - options->first + 1;

    switch (options->distribution) {
    case GEN_UNIFORM:
        if (below << unused == 0) { /* all values of the type */
            put_any_bits(stream, out);
            return;
        }
        gen_random_integers(&stream->random, below, integer, BLOCK);
        for (size_t i = 0; i < BLOCK; i++)
            integer[i] += options->first;
        break;
    case GEN_SORTED:
        make_sorted(stream, integer);
        break;
    default:
        for (size_t i = 0; i < BLOCK; i++)
            integer[i] = options->first;
    }
    gen_sample_put_integers(options->type, integer, BLOCK, out);
}

/* ---- floats, and numbers that are rounded to integers ---- */

/* Map numbers from [0, 1) to the range, also after rounding. */
static void
stretch(const struct gen_stream *stream, double *number)
{
    double lo = stream->options->lo;
    double width = stream->options->hi - lo;
    double bottom = stream->bottom;
    double top = stream->top;

    for (size_t i = 0; i < BLOCK; i++) {
        double x = lo + number[i] * width;
        x = x < bottom ? bottom : x;
        number[i] = x > top ? top : x;
    }
}

static void
make_uniform(struct gen_stream *stream, double *number)
{
    struct gen_random local = stream->random;

    if (stream->options->type == SAMPLE_F8) {
        for (size_t i = 0; i < BLOCK; i++)
            number[i] = gen_random_unit(&local);
    } else { /* 32 random bits are enough for f2 and f4 */
        for (size_t i = 0; i < BLOCK; i += 2) {
            uint64_t word = gen_random_word(&local);
            number[i] = (double)(uint32_t)word * 0x1p-32;
            number[i + 1] = (double)(uint32_t)(word >> 32) * 0x1p-32;
        }
    }
    stream->random = local;
    stretch(stream, number);
}

static void
put_numbers(struct gen_stream *stream, unsigned char *out)
{
    const struct gen_options *options = stream->options;
    double number[BLOCK];

    switch (options->distribution) {
    case GEN_UNIFORM:
        make_uniform(stream, number);
        break;
    case GEN_SORTED:
        for (size_t i = 0; i < BLOCK; i++)
            number[i] =
                (double)(stream->position + i) / (double)stream->samples;
        stretch(stream, number);
        break;
    case GEN_NORMAL:
        gen_ziggurat_draw(&stream->ziggurat, &stream->random, options->sd,
                          options->mean, number, BLOCK);
        break;
    case GEN_EXPONENTIAL:
        gen_ziggurat_draw(&stream->ziggurat, &stream->random, 1 / options->rate,
                          0, number, BLOCK);
        break;
    case GEN_CONSTANT:
        for (size_t i = 0; i < BLOCK; i++)
            number[i] = options->value;
        break;
    default:
        gen_alias_draw(&stream->alias, &stream->random, number, BLOCK);
    }
    gen_sample_put(options->type, number, BLOCK, out);
}

/* ---- any sample ---- */

/* Whether samples are made as integers: some of 64 bits are no doubles. */
static bool
is_integral(const struct gen_options *options)
{
    return !binning_is_float(options->type) &&
           (options->distribution == GEN_UNIFORM ||
            options->distribution == GEN_SORTED ||
            options->distribution == GEN_CONSTANT);
}

size_t
gen_stream_fill(struct gen_stream *stream, unsigned char *out, size_t room)
{
    const struct gen_options *options = stream->options;
    size_t size = binning_size(options->type);
    size_t filled = 0;

    if (options->distribution >= GEN_FASTA)
        return gen_sequence_fill(&stream->sequence, out, room);
    if (is_text(options))
        return gen_text_fill(&stream->text, out, room);
    for (; room - filled >= BLOCK * size; filled += BLOCK * size) {
        if (options->distribution == GEN_CONSTANT && filled > 0) {
            memcpy(out + filled, out, BLOCK * size);
            continue;
        }
        if (is_integral(options))
            put_integers(stream, out + filled);
        else
            put_numbers(stream, out + filled);
        if (options->is_swapped)
            gen_sample_swap(size, out + filled, BLOCK);
        stream->position += BLOCK;
    }
    return filled;
}

void
gen_stream_close(struct gen_stream *stream)
{
    switch (stream->options->distribution) {
    case GEN_BINOMIAL:
    case GEN_POISSON:
    case GEN_ZIPF:
        gen_alias_close(&stream->alias);
        break;
    case GEN_ACGT:
    case GEN_LOG:
    case GEN_TEXT:
        gen_text_close(&stream->text);
        break;
    case GEN_FASTA:
    case GEN_FASTQ:
        gen_sequence_close(&stream->sequence);
        break;
    default:
        break;
    }
}
