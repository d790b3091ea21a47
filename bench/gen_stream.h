/* SPDX-License-Identifier: MIT */
/*
 * gen_stream.h -- samples of a distribution as a stream of bytes
 *
 * The same seed and parameters give the same bytes on every machine and with
 * every compiler, if doubles are those of IEEE 754 and each operation is
 * rounded to a double: FLT_EVAL_METHOD is 0, there is no -ffast-math, and the
 * build sets -ffp-contract=off.  The only function of libm is sqrt(), which
 * IEEE 754 rounds correctly.  A type without '<' or '>' has the machine's byte
 * order.
 *
 * Samples are made in blocks of a fixed size from one sequence of random words.
 * So the sizes of reads and writes change nothing, and a longer stream starts
 * with the shorter one.  A sorted stream is different: it covers its whole
 * range for every length.
 */

#ifndef GPUHIST_GEN_STREAM_H
#define GPUHIST_GEN_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "gen_alias.h"
#include "gen_options.h"
#include "gen_random.h"
#include "gen_sequence.h"
#include "gen_text.h"
#include "gen_ziggurat.h"

struct gen_stream {
    const struct gen_options *options;
    struct gen_random random;
    uint64_t position; /* of the next block, in samples */
    uint64_t samples;  /* length of a sorted stream */
    double bottom;     /* uniform and sorted: the smallest float in the range */
    double top;        /* uniform and sorted: the largest float in the range */
    union {
        struct gen_ziggurat ziggurat;
        struct gen_alias alias;
        struct gen_text text;
        struct gen_sequence sequence;
    };
};

/* The smallest room for gen_stream_fill(), in bytes. */
#define GEN_STREAM_ROOM_MIN ((size_t)16 << 10)

/*
 * Prepare the stream that OPTIONS describe; *OPTIONS must outlive it.  Returns
 * 0, or -1 with *ERROR set.  The caller calls gen_stream_close() only after 0.
 */
int gen_stream_open(struct gen_stream *stream,
                    const struct gen_options *options, struct error *error);

/*
 * Write the next bytes to OUT, up to ROOM, which is at least
 * GEN_STREAM_ROOM_MIN.  Returns the number of bytes; 0: the sequences have
 * ended.
 */
size_t gen_stream_fill(struct gen_stream *stream, unsigned char *out,
                       size_t room);

/* Release everything in STREAM. */
void gen_stream_close(struct gen_stream *stream);

#endif
