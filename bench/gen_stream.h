/*
 * gen_stream.h -- samples of a distribution as a stream of bytes
 *
 * The same seed and parameters make the same bytes on every machine and with
 * every compiler whose doubles are those of IEEE 754, each operation rounded
 * by itself to a double (FLT_EVAL_METHOD 0, no -ffast-math; the build gives
 * -ffp-contract=off).  No function of libm is called but sqrt(), which IEEE
 * 754 rounds exactly.  A type without '<' or '>' has the machine's byte order,
 * so give one where machines of both orders are compared.
 *
 * Samples are made in blocks of a fixed number from one sequence of random
 * words, so how the stream is cut or written changes nothing, and a longer
 * stream begins with a shorter one; but not a sorted one, which runs through
 * its whole range however long it is.
 */

#ifndef GPUHIST_GEN_STREAM_H
#define GPUHIST_GEN_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "gen_alias.h"
#include "gen_options.h"
#include "gen_random.h"
#include "gen_text.h"
#include "gen_ziggurat.h"

struct gen_stream {
    const struct gen_options *options;
    struct gen_random random;
    uint64_t position; /* in samples: of the next block */
    uint64_t samples;  /* in all; sorted only */
    double bottom;     /* uniform and sorted floats: the least in the range */
    double top;        /* and the most */
    union {
        struct gen_ziggurat ziggurat;
        struct gen_alias alias;
        struct gen_text text;
    };
};

/* gen_stream_fill() needs so much room. */
#define GEN_STREAM_ROOM_MIN ((size_t)16 << 10)

/*
 * *OPTIONS must outlive the stream.  Returns 0, or -1 with *ERROR set;
 * gen_stream_close() is due only after 0.
 */
int gen_stream_open(struct gen_stream *stream,
                    const struct gen_options *options, struct error *error);

/* Write the next bytes, up to ROOM of them; returns how many. */
size_t gen_stream_fill(struct gen_stream *stream, unsigned char *out,
                       size_t room);

void gen_stream_close(struct gen_stream *stream);

#endif
