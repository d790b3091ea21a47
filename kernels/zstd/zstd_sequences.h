/* SPDX-License-Identifier: MIT */
/*
 * zstd_sequences.h -- the sequences of a block of zstd: the only definition
 *
 * See zstd_bits.h, and RFC 8878, section 3.1.1.3.2.
 */

#ifndef GPUHIST_ZSTD_SEQUENCES_H
#define GPUHIST_ZSTD_SEQUENCES_H

#include "kernels/zstd/zstd_fse.h"
#include "kernels/zstd/zstd_offsets.h"

/* The meaning of a table's codes. */
enum zstd_kind {
    ZSTD_LITERALS, /* lengths of runs of literals */
    ZSTD_OFFSETS,
    ZSTD_MATCHES, /* lengths of matches */
    ZSTD_KINDS,
};

/* The source of a table, as blocks encode it.  A repeated table is made again
   from its source. */
enum zstd_mode {
    ZSTD_PREDEFINED,
    ZSTD_ONE_SYMBOL,
    ZSTD_DESCRIBED,
    ZSTD_REPEATED,
};

/* The longest description of a table, in bytes. */
#define ZSTD_DESCRIPTION_MAX 128

/* How many sequences a block of N is written as, at most. */
#define ZSTD_SEQUENCES_ROOM(n) ((n) + 2)

/*
 * A state of a sequence has two more fields: the number of extra bits, in place
 * of the symbol; and the base of a length or offset, in the highest 32 bits.
 */
DEVICE_FN binning_u32
zstd_state_extra(zstd_state state)
{
    return state & 255;
}

DEVICE_FN binning_u32
zstd_state_base(zstd_state state)
{
    return (binning_u32)(state >> 32);
}

struct zstd_states {
    binning_u32 log;
    zstd_state state[1 << ZSTD_FSE_LOG_MAX];
};

/* Where the states of KIND are, for zstd_states_get(). */
#ifdef __CUDACC__
typedef binning_u32 zstd_states_place;
#else
typedef const zstd_state *zstd_states_place;
#endif

DEVICE_FN zstd_states_place
zstd_states_of(const struct zstd_states *states, int kind)
{
#ifdef __CUDACC__
    /* The states are in shared memory.  The compiler would compute the address
       for each state again if it knew what this is. */
    binning_u32 place =
        (binning_u32)__cvta_generic_to_shared(states[kind].state);

    asm volatile("" : "+r"(place));
    return place;
#else
    return states[kind].state;
#endif
}

DEVICE_FN zstd_state
zstd_states_get(zstd_states_place place, binning_u32 i)
{
#ifdef __CUDACC__
    zstd_state state;

    asm("ld.shared.u64 %0, [%1];"
        : "=l"(state)
        : "r"(place + i * (binning_u32)sizeof state));
    return state;
#else
    return place[i];
#endif
}

/* LITERALS literals, and then a match, which may be empty. */
struct zstd_sequence {
    binning_u32 offset; /* see zstd_offsets.h */
    unsigned short literals;
    unsigned short match;
};

#define ZSTD_SEQUENCE_LENGTH_MAX 65535u

ZSTD_TABLE signed char zstd_literals_counts[36] = {
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1,  1,  2,  2,
    2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1,
};
ZSTD_TABLE signed char zstd_offsets_counts[29] = {
    1, 1, 1, 1, 1, 1, 2, 2, 2, 1,  1,  1,  1,  1,  1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1,
};
ZSTD_TABLE signed char zstd_matches_counts[53] = {
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1,  1,  1,  1,  1,  1,  1,  1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,  1,  1,  1,  1,  1,  1,  1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
};
/* Codes below these are the lengths themselves. */
#define ZSTD_LITERALS_CODE 16
#define ZSTD_MATCHES_CODE 32
#define ZSTD_MATCH_LEAST 3
struct zstd_code {
    binning_u32 base;
    binning_u32 extra; /* extra bits */
};
ZSTD_TABLE struct zstd_code zstd_literals_codes[20] = {
    {16, 1},    {18, 1},    {20, 1},     {22, 1},     {24, 2},
    {28, 2},    {32, 3},    {40, 3},     {48, 4},     {64, 6},
    {128, 7},   {256, 8},   {512, 9},    {1024, 10},  {2048, 11},
    {4096, 12}, {8192, 13}, {16384, 14}, {32768, 15}, {65536, 16},
};
ZSTD_TABLE struct zstd_code zstd_matches_codes[21] = {
    {35, 1},     {37, 1},     {39, 1},     {41, 1},    {43, 2},    {47, 2},
    {51, 3},     {59, 3},     {67, 4},     {83, 4},    {99, 5},    {131, 7},
    {259, 8},    {515, 9},    {1027, 10},  {2051, 11}, {4099, 12}, {8195, 13},
    {16387, 14}, {32771, 15}, {65539, 16},
};

DEVICE_FN binning_u32
zstd_symbols_max(enum zstd_kind kind)
{
    return kind == ZSTD_LITERALS ? 36 : kind == ZSTD_OFFSETS ? 32 : 53;
}

DEVICE_FN binning_u32
zstd_log_max(enum zstd_kind kind)
{
    return kind == ZSTD_OFFSETS ? 8 : 9;
}

/* The meaning of CODE of KIND, less than zstd_symbols_max(). */
DEVICE_FN struct zstd_code
zstd_code_of(enum zstd_kind kind, binning_u32 code)
{
    struct zstd_code found = {code, 0};

    if (kind == ZSTD_OFFSETS) {
        found.base = 1u << (code & 31);
        found.extra = code;
    } else if (kind == ZSTD_LITERALS) {
        if (code >= ZSTD_LITERALS_CODE)
            found = zstd_literals_codes[code - ZSTD_LITERALS_CODE];
    } else if (code >= ZSTD_MATCHES_CODE) {
        found = zstd_matches_codes[code - ZSTD_MATCHES_CODE];
    } else {
        found.base += ZSTD_MATCH_LEAST;
    }
    return found;
}

/* Turn the states of zstd_states_start() into states of KIND: number FIRST and
   every STEP after it. */
DEVICE_FN void
zstd_states_fill(struct zstd_states *states, enum zstd_kind kind,
                 binning_u32 first, binning_u32 step)
{
    for (binning_u32 i = first; i < 1u << states->log; i += step) {
        const zstd_state state = states->state[i];
        struct zstd_code code = zstd_code_of(kind, zstd_state_symbol(state));
        states->state[i] =
            (zstd_state)code.base << 32 | (state & 0xffffff00u) | code.extra;
    }
}

/* Set COUNTS to the predefined counts of KIND. */
DEVICE_FN void
zstd_counts_predefined(struct zstd_counts *counts, enum zstd_kind kind)
{
    counts->log = kind == ZSTD_OFFSETS ? 5 : 6;
    counts->symbols = kind == ZSTD_LITERALS  ? 36
                      : kind == ZSTD_OFFSETS ? 29
                                             : 53;
    for (binning_u32 i = 0; i < counts->symbols; i++)
        counts->count[i] = kind == ZSTD_LITERALS  ? zstd_literals_counts[i]
                           : kind == ZSTD_OFFSETS ? zstd_offsets_counts[i]
                                                  : zstd_matches_counts[i];
}

/*
 * Make the states for zstd_states_fill() from MODE, which is not REPEATED, and
 * the SIZE bytes at DATA.  Returns whether the data are right; if not, makes
 * one state.
 */
DEVICE_FN bool
zstd_states_start(struct zstd_states *states, struct zstd_making *making,
                  enum zstd_kind kind, binning_u32 mode,
                  const unsigned char *data, binning_u32 size)
{
    states->log = 0;
    states->state[0] = 0;
    if (mode == ZSTD_ONE_SYMBOL) {
        if (size == 0 || data[0] >= zstd_symbols_max(kind))
            return false;
        states->state[0] = data[0];
        return true;
    }
    if (mode == ZSTD_PREDEFINED)
        zstd_counts_predefined(&making->counts, kind);
    else if (zstd_counts_read(&making->counts, zstd_log_max(kind),
                              zstd_symbols_max(kind), data, size) == 0)
        return false;
    states->log = making->counts.log;
    zstd_fse_make(making, states->state);
    return true;
}

/* Make the states of KIND likewise.  Returns whether the data are right. */
DEVICE_FN bool
zstd_states_make(struct zstd_states *states, struct zstd_making *making,
                 enum zstd_kind kind, binning_u32 mode,
                 const unsigned char *data, binning_u32 size)
{
    if (!zstd_states_start(states, making, kind, mode, data, size))
        return false;
    zstd_states_fill(states, kind, 0, 1);
    return true;
}

/* Where to write sequences, and their sums. */
struct zstd_sequences_out {
    struct zstd_sequence *sequence; /* room for ZSTD_SEQUENCES_ROOM() */
    binning_u32 count;              /* written */
    binning_u32 literals_max;
    binning_u32 content_max; /* of literals and matches */

    /* Set if the sequences are right. */
    binning_u32 literals; /* of all sequences */
    binning_u32 content;  /* of literals and matches */
    struct zstd_offsets offsets;
};

/*
 * Write a long sequence in pieces to TO.  Returns the number of pieces; 0: more
 * than LEFT extra pieces.
 */
DEVICE_FN binning_u32
zstd_sequences_split(struct zstd_sequence *to, binning_u32 *left,
                     binning_u32 literals, binning_u32 match,
                     binning_u32 offset)
{
    const binning_u32 most = ZSTD_SEQUENCE_LENGTH_MAX;
    struct zstd_sequence *const start = to;

    for (; literals > most; literals -= most) {
        /* The offset of an empty match must be allowed, too. */
        struct zstd_sequence piece = {1, (unsigned short)most, 0};
        if ((*left)-- == 0)
            return 0;
        *to++ = piece;
    }
    for (; match > most; match -= most) {
        struct zstd_sequence piece = {offset, (unsigned short)literals,
                                      (unsigned short)most};
        if ((*left)-- == 0)
            return 0;
        *to++ = piece;
        literals = 0;
    }
    struct zstd_sequence tail = {offset, (unsigned short)literals,
                                 (unsigned short)match};
    *to++ = tail;
    return (binning_u32)(to - start);
}

/* The lowest bits of X, as many as the lowest byte of N says: 0 to 31. */
DEVICE_FN binning_u64
zstd_low_bits(binning_u64 x, zstd_state n)
{
#if defined __BMI2__ && defined __x86_64__
    return __builtin_ia32_bzhi_di(x, n);
#else
    return x & (((binning_u64)1 << (n & 31)) - 1);
#endif
}

/* X without its AT lowest bits, of which only AT mod 64 matters. */
DEVICE_FN binning_u64
zstd_drop_bits(binning_u64 x, zstd_state at)
{
    return x >> (at & 63);
}

/*
 * Decode COUNT sequences, at least 1, from the SIZE bytes at DATA, with the
 * states of each kind.  Returns whether the sequences are right.
 */
DEVICE_FN bool
zstd_sequences_decode(struct zstd_sequences_out *out,
                      const struct zstd_states *states, binning_u32 count,
                      const unsigned char *data, binning_u32 size)
{
    const zstd_state *const l_states = states[ZSTD_LITERALS].state;
    const zstd_state *const o_states = states[ZSTD_OFFSETS].state;
    const zstd_state *const m_states = states[ZSTD_MATCHES].state;
    struct zstd_sequence *to = out->sequence;
    struct zstd_offsets offsets = zstd_offsets_open();
    struct zstd_bits bits;
    binning_u64 literals_sum = 0;
    binning_u64 matches_sum = 0;
    binning_u32 pieces = ZSTD_SEQUENCES_ROOM(0);

    if (!zstd_bits_open(&bits, data, size))
        return false;
    zstd_state l = l_states[zstd_bits_take(&bits, states[ZSTD_LITERALS].log)];
    zstd_state o = o_states[zstd_bits_take(&bits, states[ZSTD_OFFSETS].log)];
    zstd_state m = m_states[zstd_bits_take(&bits, states[ZSTD_MATCHES].log)];
    for (;;) {
        if (zstd_bits_are_many(&bits))
            zstd_bits_refill_fast(&bits);
        else
            zstd_bits_refill(&bits);
        /*
         * Where fields start in the word, counted from the lowest bit: no field
         * depends on the others.  Only the lowest 6 bits of these numbers
         * matter, and in a state they are the extra bits, less than 32.  No
         * byte of SUM overflows.
         */
        binning_u64 word = zstd_bits_word(&bits);
        zstd_state sum = l + o + m;
        zstd_state o_at = zstd_bits_place(&bits) - o;
        zstd_state m_at = o_at - m;
        zstd_state l_at = m_at - l;
        binning_u64 number =
            (o >> 32) + zstd_low_bits(zstd_drop_bits(word, o_at), o);
        binning_u64 match =
            (m >> 32) + zstd_low_bits(zstd_drop_bits(word, m_at), m);
        bits.used += zstd_state_extra(sum);
        /* The next states take up to 26 bits. */
        if (zstd_state_extra(sum) > ZSTD_BITS_MOST - 26) {
            bits.used -= zstd_state_extra(l);
            zstd_bits_refill(&bits);
            word = zstd_bits_word(&bits);
            l_at = zstd_bits_place(&bits) - l;
            bits.used += zstd_state_extra(l);
        }
        binning_u64 literals =
            (l >> 32) + zstd_low_bits(zstd_drop_bits(word, l_at), l);
        binning_u32 offset = zstd_offsets_take(&offsets, (binning_u32)number,
                                               (binning_u32)literals);

        literals_sum += literals;
        matches_sum += match;
        if ((literals | match) <= ZSTD_SEQUENCE_LENGTH_MAX) {
            struct zstd_sequence sequence = {offset, (unsigned short)literals,
                                             (unsigned short)match};
            *to++ = sequence;
        } else {
            binning_u32 more = zstd_sequences_split(
                to, &pieces, (binning_u32)literals, (binning_u32)match, offset);
            if (more == 0)
                return false;
            to += more;
        }
        if (--count == 0)
            break;
        l_at -= l >> 8;
        m_at = l_at - (m >> 8);
        o_at = m_at - (o >> 8);
        l = l_states[(l >> 16 & 65535) +
                     zstd_low_bits(zstd_drop_bits(word, l_at), l >> 8)];
        m = m_states[(m >> 16 & 65535) +
                     zstd_low_bits(zstd_drop_bits(word, m_at), m >> 8)];
        o = o_states[(o >> 16 & 65535) +
                     zstd_low_bits(zstd_drop_bits(word, o_at), o >> 8)];
        bits.used += zstd_state_bits(sum);
    }
    out->count = (binning_u32)(to - out->sequence);
    if (!zstd_bits_are_used(&bits) || literals_sum > out->literals_max ||
        literals_sum + matches_sum > out->content_max)
        return false;
    out->literals = (binning_u32)literals_sum;
    out->content = (binning_u32)(literals_sum + matches_sum);
    out->offsets = offsets;
    return true;
}

#endif
