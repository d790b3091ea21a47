/* SPDX-License-Identifier: MIT */
/*
 * zstd_huffman.h -- zstd's literals in Huffman's codes: the only definition
 *
 * See zstd_bits.h, and RFC 8878, section 4.2.
 */

#ifndef GPUHIST_ZSTD_HUFFMAN_H
#define GPUHIST_ZSTD_HUFFMAN_H

#include "kernels/zstd/zstd_fse.h"

/* The longest code, in bits. */
#define ZSTD_HUFFMAN_LOG 11
#define ZSTD_HUFFMAN_CELLS (1 << ZSTD_HUFFMAN_LOG)

/* The symbols of a description, without the last symbol. */
#define ZSTD_WEIGHTS_MAX 255
#define ZSTD_WEIGHTS_LOG 6

/* Four streams start with so many bytes: the sizes of three streams. */
#define ZSTD_HUFFMAN_JUMPS 6u

/* How many codes fit into a word of 64 bits, of which up to 7 are used. */
#define ZSTD_HUFFMAN_STEP 5

/* For the next bits of a stream: a symbol, and in lower bits the length of its
   code. */
struct zstd_huffman {
    unsigned short cell[ZSTD_HUFFMAN_CELLS];
};

struct zstd_weights {
    binning_u32 count;
    binning_u32 log; /* of the codes */
    unsigned char weight[ZSTD_WEIGHTS_MAX + 1];
    binning_u32 symbols[ZSTD_HUFFMAN_LOG + 2];  /* of each weight */
    unsigned short start[ZSTD_WEIGHTS_MAX + 1]; /* the first cell of each */
    zstd_state state[1 << ZSTD_WEIGHTS_LOG];
};

/* Returns the size of the description at the start of the SIZE bytes at DATA;
   0: none, or longer. */
DEVICE_FN binning_u32
zstd_huffman_bytes(const unsigned char *data, binning_u32 size)
{
    if (size == 0)
        return 0;
    binning_u32 header = data[0];
    binning_u32 bytes = 1 + (header < 128 ? header : (header - 126) / 2);
    return bytes <= size ? bytes : 0;
}

/*
 * Decode the weights in the SIZE bytes at DATA: two states take turns, until
 * one would need more bits than are left.  Returns whether the weights are
 * right.
 */
DEVICE_FN bool
zstd_weights_decode(struct zstd_weights *weights, struct zstd_making *making,
                    const unsigned char *data, binning_u32 size)
{
    zstd_state *const states = weights->state;
    struct zstd_bits bits;

    binning_u32 bytes = zstd_counts_read(&making->counts, ZSTD_WEIGHTS_LOG,
                                         ZSTD_HUFFMAN_LOG + 1, data, size);
    if (bytes == 0 || !zstd_bits_open(&bits, data + bytes, size - bytes))
        return false;
    zstd_fse_make(making, states);
    binning_u32 log = making->counts.log;
    binning_u32 state = (binning_u32)zstd_bits_take(&bits, log);
    binning_u32 other = (binning_u32)zstd_bits_take(&bits, log);
    if (zstd_bits_left(&bits) < 0)
        return false;
    weights->count = 0;
    while (zstd_bits_left(&bits) >= 0) {
        if (weights->count > ZSTD_WEIGHTS_MAX - 2)
            return false;
        const zstd_state at = states[state];
        weights->weight[weights->count++] =
            (unsigned char)zstd_state_symbol(at);
        zstd_bits_refill(&bits);
        state = other;
        other = zstd_state_next(at) +
                (binning_u32)zstd_bits_take(&bits, zstd_state_bits(at));
    }
    weights->weight[weights->count++] =
        (unsigned char)zstd_state_symbol(states[state]);
    return true;
}

/* Read the weights in the SIZE bytes at DATA.  Returns whether the weights are
   right. */
DEVICE_FN bool
zstd_weights_read(struct zstd_weights *weights, struct zstd_making *making,
                  const unsigned char *data, binning_u32 size)
{
    if (data[0] < 128)
        return zstd_weights_decode(weights, making, data + 1, size - 1);
    weights->count = data[0] - 127u;
    for (binning_u32 i = 0; i < weights->count; i++)
        weights->weight[i] = data[1 + i / 2] >> (i % 2 == 0 ? 4 : 0) & 15;
    return true;
}

/*
 * Read the codes in the SIZE bytes at DATA, as zstd_huffman_bytes() has
 * returned: for zstd_huffman_fill().  Returns whether the codes are right.
 */
DEVICE_FN bool
zstd_huffman_start(struct zstd_weights *weights, struct zstd_making *making,
                   const unsigned char *data, binning_u32 size)
{
    binning_u32 *const symbols = weights->symbols;
    binning_u32 sum = 0;

    if (!zstd_weights_read(weights, making, data, size))
        return false;
    for (binning_u32 w = 0; w < ZSTD_HUFFMAN_LOG + 2; w++)
        symbols[w] = 0;
    for (binning_u32 i = 0; i < weights->count; i++) {
        binning_u32 w = weights->weight[i];
        if (w > ZSTD_HUFFMAN_LOG)
            return false;
        symbols[w]++;
        sum += w > 0 ? 1u << (w - 1) : 0;
    }
    if (sum == 0)
        return false;
    /* The last symbol gets the rest up to a power of two. */
    binning_u32 log = zstd_highest(sum) + 1;
    if (log > ZSTD_HUFFMAN_LOG)
        return false;
    binning_u32 remainder = (1u << log) - sum;
    if ((remainder & (remainder - 1)) != 0)
        return false;
    binning_u32 last = zstd_highest(remainder) + 1;
    weights->weight[weights->count++] = (unsigned char)last;
    symbols[last]++;
    if (symbols[1] < 2 || symbols[1] % 2 != 0)
        return false;

    /* The cells of small weights come first; within a weight, by symbol. */
    binning_u32 at = 0;
    for (binning_u32 w = 1; w < ZSTD_HUFFMAN_LOG + 2; w++) {
        binning_u32 next = at;
        at += symbols[w] << (w - 1) << (ZSTD_HUFFMAN_LOG - log);
        symbols[w] = next;
    }
    for (binning_u32 i = 0; i < weights->count; i++) {
        binning_u32 w = weights->weight[i];
        weights->start[i] = (unsigned short)symbols[w];
        symbols[w] += w > 0 ? 1u << (w - 1) << (ZSTD_HUFFMAN_LOG - log) : 0;
    }
    weights->log = log;
    return true;
}

/*
 * Fill the table of WEIGHTS: of each symbol every STEP'th cell from FIRST on.
 */
DEVICE_FN void
zstd_huffman_fill(struct zstd_huffman *huffman,
                  const struct zstd_weights *weights, binning_u32 first,
                  binning_u32 step)
{
    const binning_u32 scale = ZSTD_HUFFMAN_LOG - weights->log;

    for (binning_u32 i = 0; i < weights->count; i++) {
        binning_u32 w = weights->weight[i];
        if (w == 0)
            continue;
        binning_u32 cells = 1u << (w - 1) << scale;
        unsigned short cell = (unsigned short)(i << 8 | (weights->log + 1 - w));
        unsigned short *to = huffman->cell + weights->start[i];
        for (binning_u32 j = first; j < cells; j += step)
            to[j] = cell;
    }
}

/* Decode the COUNT last bytes of a stream to OUT.  Returns whether the stream
   ends there. */
DEVICE_FN bool
zstd_huffman_end(const struct zstd_huffman *huffman, struct zstd_bits *bits,
                 unsigned char *out, binning_u32 count)
{
    binning_u64 next = 0;

    for (binning_u32 i = 0; i < count; i++) {
        if (i % ZSTD_HUFFMAN_STEP == 0) {
            zstd_bits_refill(bits);
            next = zstd_bits_next(bits);
        }
        binning_u32 cell = huffman->cell[next >> (64 - ZSTD_HUFFMAN_LOG)];
        next <<= cell & 63;
        bits->used += cell & 255;
        out[i] = (unsigned char)(cell >> 8);
    }
    return zstd_bits_are_used(bits);
}

/* Decode the SIZE bytes at DATA, one stream, to the COUNT bytes at OUT.
   Returns whether the stream is right. */
DEVICE_FN bool
zstd_huffman_decode(const struct zstd_huffman *huffman,
                    const unsigned char *data, binning_u32 size,
                    unsigned char *out, binning_u32 count)
{
    struct zstd_bits bits;

    return zstd_bits_open(&bits, data, size) &&
           zstd_huffman_end(huffman, &bits, out, count);
}

/*
 * Decode stream number STREAM of the STREAMS streams, 1 or 4, in the SIZE bytes
 * at DATA, to its part of the COUNT bytes at OUT.  Returns whether the stream
 * is right.
 */
DEVICE_FN bool
zstd_huffman_decode_stream(const struct zstd_huffman *huffman,
                           const unsigned char *data, binning_u32 size,
                           unsigned char *out, binning_u32 count,
                           binning_u32 stream, binning_u32 streams)
{
    if (streams == 1)
        return zstd_huffman_decode(huffman, data, size, out, count);
    const binning_u32 header = ZSTD_HUFFMAN_JUMPS;
    const binning_u32 quarter = (count + 3) / 4;
    binning_u32 at = header;
    binning_u32 bytes = 0;

    if (size < header + 4 || count < 6)
        return false;
    for (binning_u32 i = 0; i <= stream; i++) {
        at += bytes;
        bytes =
            i < 3 ? data[2 * i] | (binning_u32)data[2 * i + 1] << 8 : size - at;
        if (bytes > size - at)
            return false;
    }
    return zstd_huffman_decode(huffman, data + at, bytes,
                               out + stream * quarter,
                               stream < 3 ? quarter : count - 3 * quarter);
}

#ifndef ZSTD_BITS_AHEAD

/* As a stream of zstd_bits.h, but left-aligned.  The lowest 1 of WORD is a
   mark: the number of zeros below the mark is the number of bits taken. */
struct zstd_lane {
    const unsigned char *at; /* of WORD */
    binning_u64 word;
};

DEVICE_FN struct zstd_lane
zstd_lane_open(const struct zstd_bits *bits)
{
    struct zstd_lane lane = {bits->at, (bits->word | 1) << bits->used};

    return lane;
}

DEVICE_FN void
zstd_lane_refill(struct zstd_lane *lane)
{
    binning_u32 used = zstd_trailing_zeros(lane->word);

    lane->at -= used >> 3;
    lane->word = (zstd_load(lane->at) | 1) << (used & 7);
}

DEVICE_FN void
zstd_lane_step(const struct zstd_huffman *huffman, struct zstd_lane *lane,
               unsigned char *out)
{
    binning_u32 cell = huffman->cell[lane->word >> (64 - ZSTD_HUFFMAN_LOG)];

    lane->word <<= cell & 63;
    *out = (unsigned char)(cell >> 8);
}

/* How often a lane can surely be refilled. */
DEVICE_FN binning_u32
zstd_lane_refills(const struct zstd_lane *lane, const struct zstd_bits *bits)
{
    return (binning_u32)(lane->at - bits->start) / 8;
}

/*
 * The same for four streams, each for a quarter of COUNT bytes; the last may
 * have less.
 */
DEVICE_FN bool
zstd_huffman_decode_4(const struct zstd_huffman *huffman,
                      const unsigned char *data, binning_u32 size,
                      unsigned char *out, binning_u32 count)
{
    const binning_u32 header = ZSTD_HUFFMAN_JUMPS;
    const binning_u32 quarter = (count + 3) / 4;
    struct zstd_bits bits[4];
    binning_u32 done = 0;
    binning_u32 at = header;

    if (size < header + 4 || count < 6)
        return false;
    bool is_long = true;
    for (int i = 0; i < 4; i++) {
        binning_u32 bytes =
            i < 3 ? data[2 * i] | (binning_u32)data[2 * i + 1] << 8 : size - at;
        if (bytes > size - at || !zstd_bits_open(&bits[i], data + at, bytes))
            return false;
        is_long = is_long && bytes >= 8;
        at += bytes;
    }
    if (is_long) {
        const binning_u32 last = count - 3 * quarter;
        struct zstd_lane a = zstd_lane_open(&bits[0]);
        struct zstd_lane b = zstd_lane_open(&bits[1]);
        struct zstd_lane c = zstd_lane_open(&bits[2]);
        struct zstd_lane d = zstd_lane_open(&bits[3]);
        for (;;) {
            binning_u32 steps = (last - done) / ZSTD_HUFFMAN_STEP;
            binning_u32 refills[4] = {
                zstd_lane_refills(&a, &bits[0]),
                zstd_lane_refills(&b, &bits[1]),
                zstd_lane_refills(&c, &bits[2]),
                zstd_lane_refills(&d, &bits[3]),
            };
            for (int i = 0; i < 4; i++)
                steps = steps < refills[i] ? steps : refills[i];
            if (steps == 0)
                break;
            for (; steps > 0; steps--) {
                unsigned char *to = out + done;
#    ifndef __CUDACC__
#        pragma GCC unroll 5
#    endif
                for (int i = 0; i < ZSTD_HUFFMAN_STEP; i++) {
                    zstd_lane_step(huffman, &a, to + i);
                    zstd_lane_step(huffman, &b, to + quarter + i);
                    zstd_lane_step(huffman, &c, to + 2 * quarter + i);
                    zstd_lane_step(huffman, &d, to + 3 * quarter + i);
                }
                zstd_lane_refill(&a);
                zstd_lane_refill(&b);
                zstd_lane_refill(&c);
                zstd_lane_refill(&d);
                done += ZSTD_HUFFMAN_STEP;
            }
        }
        struct zstd_lane lane[4] = {a, b, c, d};
        for (int i = 0; i < 4; i++) {
            bits[i].at = lane[i].at;
            bits[i].used = zstd_trailing_zeros(lane[i].word);
        }
    }
    bool is_right = true;
    for (int i = 0; i < 4 && is_right; i++) {
        binning_u32 wanted = i < 3 ? quarter : count - 3 * quarter;
        is_right = zstd_huffman_end(huffman, &bits[i],
                                    out + (binning_u32)i * quarter + done,
                                    wanted - done);
    }
    return is_right;
}

#else

/* A device decodes the streams side by side. */
DEVICE_FN bool
zstd_huffman_decode_4(const struct zstd_huffman *huffman,
                      const unsigned char *data, binning_u32 size,
                      unsigned char *out, binning_u32 count)
{
    for (binning_u32 i = 0; i < 4; i++)
        if (!zstd_huffman_decode_stream(huffman, data, size, out, count, i, 4))
            return false;
    return true;
}

#endif

#endif
