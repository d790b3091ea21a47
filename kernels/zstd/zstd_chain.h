/* SPDX-License-Identifier: MIT */
/*
 * zstd_chain.h -- decode the sequences of a block by a thread block
 *
 * Only the chain of states and their bit positions are serial: a few
 * instructions for each sequence, by one item.  The other items, the helpers,
 * do the rest for the sequences that the chain has passed: all items find out
 * the sequences, one item resolves repeated offsets, and all items write.
 * These stages take turns over steps of some sequences.  Each stage is a step
 * later than the stage before, with a barrier between the steps.
 *
 * The bits are read forward from a ring of words, which the helpers fill ahead
 * of the chain; see struct zstd_bits for the stream.
 */

#ifndef GPUHIST_ZSTD_CHAIN_H
#define GPUHIST_ZSTD_CHAIN_H

#include "kernels/zstd/zstd_kernel.h"

/* Sequences of a step. */
#define ZSTD_CHAIN_STEP 32u

/* Items that do not help, if the thread block has more. */
#define ZSTD_CHAIN_WARP 32u

/* Steps between the first stage and the last. */
#define ZSTD_CHAIN_LAG 3u

/* Words of the ring; words that are loaded together; and words that a step
   may need: a sequence takes up to 31, 16 and 16 bits, and 26 for the next
   states. */
#define ZSTD_CHAIN_RING 512u
#define ZSTD_CHAIN_LOAD 96u
#define ZSTD_CHAIN_NEED (ZSTD_CHAIN_STEP * 89 / 32 + 1)

/* A bias of the numbers of bits, so that all are positive. */
#define ZSTD_CHAIN_BIAS ((binning_u32)1 << 28)

/* A sequence: its states, and the number of bits below its own. */
struct zstd_link {
    binning_u32 bit;
    binning_u32 literals;
    binning_u32 offset;
    binning_u32 match;
};

struct zstd_values {
    binning_u32 offset; /* or its number */
    binning_u32 literals;
    binning_u32 match;
};

/* The results of stages for the next stages. */
struct zstd_chain_steps {
    struct zstd_link link[2][ZSTD_CHAIN_STEP];
    binning_u32 bit[2]; /* after a step */
    struct zstd_values values[ZSTD_CHAIN_LAG][ZSTD_CHAIN_STEP];
    binning_u32 to[ZSTD_CHAIN_LAG];      /* where to write them */
    binning_u32 is_long[ZSTD_CHAIN_LAG]; /* some need several pieces */
};

/* The shared memory of a thread block. */
struct zstd_chain {
    struct zstd_states states[ZSTD_KINDS];
    /* The word after the end is the first word. */
    binning_u32 ring[ZSTD_CHAIN_RING + 1];
    binning_u32 is_wrong;
    union {
        struct zstd_making making[ZSTD_KINDS];
        struct zstd_chain_steps steps;
    } of;
};

/* Where the ring is, for zstd_chain_peek(). */
#ifdef __CUDACC__
typedef binning_u32 zstd_ring_place;
#else
typedef const binning_u32 *zstd_ring_place;
#endif

DEVICE_FN zstd_ring_place
zstd_chain_ring(const struct zstd_chain *chain)
{
#ifdef __CUDACC__
    /* As in zstd_states_of(); and loads stay between two barriers. */
    binning_u32 place = (binning_u32)__cvta_generic_to_shared(chain->ring);

    asm volatile("" : "+r"(place) : : "memory");
    return place;
#else
    return chain->ring;
#endif
}

/* The 32 bits from number BIT on. */
DEVICE_FN binning_u32
zstd_chain_peek(zstd_ring_place ring, binning_u32 bit)
{
#ifdef __CUDACC__
    const binning_u32 at = ring + (bit >> 3 & 4 * (ZSTD_CHAIN_RING - 1));
    binning_u32 low;
    binning_u32 high;

    asm("ld.shared.u32 %0, [%1];" : "=r"(low) : "r"(at));
    asm("ld.shared.u32 %0, [%1 + 4];" : "=r"(high) : "r"(at));
    return __funnelshift_r(low, high, bit);
#else
    const binning_u32 *at = &ring[bit / 32 % ZSTD_CHAIN_RING];

    return (binning_u32)(((binning_u64)at[1] << 32 | at[0]) >> bit % 32);
#endif
}

/* The COUNT bits, up to 31, below BIT. */
DEVICE_FN binning_u32
zstd_chain_field(zstd_ring_place ring, binning_u32 bit, binning_u32 count)
{
    return zstd_chain_peek(ring, bit - count) & ((1u << count) - 1);
}

/* Load the words before number LOW.  WORDS is the address of number 0 without
   the bias. */
DEVICE_FN void
zstd_chain_load(struct zstd_chain *chain, const unsigned char *words,
                binning_u32 low, binning_u32 item, binning_u32 items)
{
    const binning_u32 none = ZSTD_CHAIN_BIAS / 32;

    for (binning_u32 first = item; first < ZSTD_CHAIN_LOAD;
         first += 3 * items) {
        binning_u32 word[3];
        DEVICE_UNROLL
        for (binning_u32 k = 0; k < 3; k++) {
            binning_u32 at = low - 1 - (first + k * items);
            bool is_there = first + k * items < ZSTD_CHAIN_LOAD && at >= none;
            word[k] = is_there
                          ? zstd_load_aligned(words + 4 * (size_t)(at - none))
                          : 0;
        }
        DEVICE_UNROLL
        for (binning_u32 k = 0; k < 3; k++) {
            binning_u32 at = (low - 1 - (first + k * items)) % ZSTD_CHAIN_RING;
            if (first + k * items >= ZSTD_CHAIN_LOAD)
                continue;
            chain->ring[at] = word[k];
            if (at == 0)
                chain->ring[ZSTD_CHAIN_RING] = word[k];
        }
    }
}

/* ---- the stages ---- */

/* Position of the first word. */
struct zstd_chain_walk {
    binning_u32 bit;
    binning_u32 state[ZSTD_KINDS];
};

/* Returns the number of bits of states whose lowest words have this SUM. */
DEVICE_FN binning_u32
zstd_chain_bits(binning_u32 sum)
{
#ifdef __CUDACC__
    return __dp4a(sum, 0x0101u, 0u);
#else
    return zstd_state_extra(sum) + zstd_state_bits(sum);
#endif
}

/* Follow COUNT sequences; the very last sequence has no next states. */
DEVICE_FN void
zstd_chain_follow(struct zstd_chain *chain, struct zstd_chain_walk *walk,
                  struct zstd_link *link, binning_u32 count, bool is_end)
{
    const zstd_ring_place ring = zstd_chain_ring(chain);
    const zstd_states_place l_states =
        zstd_states_of(chain->states, ZSTD_LITERALS);
    const zstd_states_place o_states =
        zstd_states_of(chain->states, ZSTD_OFFSETS);
    const zstd_states_place m_states =
        zstd_states_of(chain->states, ZSTD_MATCHES);
    binning_u32 bit = walk->bit;
    binning_u32 l = walk->state[ZSTD_LITERALS];
    binning_u32 o = walk->state[ZSTD_OFFSETS];
    binning_u32 m = walk->state[ZSTD_MATCHES];

    for (binning_u32 i = 0; i < count - is_end; i++) {
        const struct zstd_link at = {bit, l, o, m};
        link[i] = at;
        const zstd_state l_state = zstd_states_get(l_states, l);
        const zstd_state o_state = zstd_states_get(o_states, o);
        const zstd_state m_state = zstd_states_get(m_states, m);
        /* All fields that are added are too small to disturb each other, but
           for the highest ones, which are not used. */
        bit -= zstd_chain_bits((binning_u32)l_state + (binning_u32)o_state +
                               (binning_u32)m_state);
        const binning_u32 word = zstd_chain_peek(ring, bit);
        const binning_u32 o_bits = zstd_state_bits(o_state);
        const binning_u32 m_bits = zstd_state_bits(m_state);
        const binning_u32 l_bits = zstd_state_bits(l_state);
        o = zstd_state_next(o_state) + (word & ((1u << o_bits) - 1));
        m = zstd_state_next(m_state) + (word >> o_bits & ((1u << m_bits) - 1));
        l = zstd_state_next(l_state) +
            (word >> (o_bits + m_bits) & ((1u << l_bits) - 1));
    }
    if (is_end) {
        const struct zstd_link at = {bit, l, o, m};
        link[count - 1] = at;
        bit -= zstd_state_extra(zstd_states_get(l_states, l)) +
               zstd_state_extra(zstd_states_get(o_states, o)) +
               zstd_state_extra(zstd_states_get(m_states, m));
    }
    walk->bit = bit;
    walk->state[ZSTD_LITERALS] = l;
    walk->state[ZSTD_OFFSETS] = o;
    walk->state[ZSTD_MATCHES] = m;
}

/* Find out the lengths and the offset of a sequence. */
DEVICE_FN struct zstd_values
zstd_chain_values(const struct zstd_chain *chain, zstd_ring_place ring,
                  struct zstd_link link)
{
    const zstd_state l = zstd_states_get(
        zstd_states_of(chain->states, ZSTD_LITERALS), link.literals);
    const zstd_state o = zstd_states_get(
        zstd_states_of(chain->states, ZSTD_OFFSETS), link.offset);
    const zstd_state m = zstd_states_get(
        zstd_states_of(chain->states, ZSTD_MATCHES), link.match);
    const binning_u32 o_end = link.bit - zstd_state_extra(o);
    const binning_u32 m_end = o_end - zstd_state_extra(m);
    const struct zstd_values values = {
        zstd_state_base(o) +
            zstd_chain_field(ring, link.bit, zstd_state_extra(o)),
        zstd_state_base(l) + zstd_chain_field(ring, m_end, zstd_state_extra(l)),
        zstd_state_base(m) + zstd_chain_field(ring, o_end, zstd_state_extra(m)),
    };

    return values;
}

/* Sums of one item over all sequences. */
struct zstd_chain_sums {
    struct zstd_offsets offsets;
    binning_u64 literals;
    binning_u64 matches;
    binning_u32 written; /* sequences, in pieces */
    binning_u32 pieces;  /* more than sequences */
};

/* Returns the number of extra pieces of a LENGTH. */
DEVICE_FN binning_u32
zstd_chain_pieces(binning_u32 length)
{
    return length > 0 ? (length - 1) / ZSTD_SEQUENCE_LENGTH_MAX : 0;
}

/* Resolve the offsets of COUNT values.  Sets their positions: NOWHERE if too
   many pieces leave no room. */
DEVICE_FN void
zstd_chain_add_up(struct zstd_chain_steps *steps, struct zstd_chain_sums *sums,
                  binning_u32 slot, binning_u32 count)
{
    binning_u32 all = 0;
    binning_u32 pieces = 0;

    for (binning_u32 i = 0; i < count; i++) {
        struct zstd_values *values = &steps->values[slot][i];
        values->offset =
            zstd_offsets_take(&sums->offsets, values->offset, values->literals);
        sums->literals += values->literals;
        sums->matches += values->match;
        all |= values->literals | values->match;
        if ((values->literals | values->match) > ZSTD_SEQUENCE_LENGTH_MAX)
            pieces += zstd_chain_pieces(values->literals) +
                      zstd_chain_pieces(values->match);
    }
    sums->pieces += pieces;
    steps->is_long[slot] = all > ZSTD_SEQUENCE_LENGTH_MAX;
    steps->to[slot] =
        sums->pieces <= ZSTD_SEQUENCES_ROOM(0) ? sums->written : ZSTD_NOWHERE;
    sums->written += count + pieces;
}

/* Write COUNT sequences. */
DEVICE_FN void
zstd_chain_write(const struct zstd_chain_steps *steps, binning_u32 slot,
                 struct zstd_sequence *sequences, binning_u32 count,
                 binning_u32 helper, binning_u32 helpers)
{
    const struct zstd_values *values = steps->values[slot];
    struct zstd_sequence *to = sequences + steps->to[slot];

    if (steps->to[slot] == ZSTD_NOWHERE)
        return;
    if (steps->is_long[slot] != 0) {
        binning_u32 left = ZSTD_SEQUENCES_ROOM(0);
        for (binning_u32 i = 0; i < count && helper == 0; i++)
            to += zstd_sequences_split(to, &left, values[i].literals,
                                       values[i].match, values[i].offset);
        return;
    }
    for (binning_u32 i = helper; i < count; i += helpers) {
        struct zstd_sequence sequence = {values[i].offset,
                                         (unsigned short)values[i].literals,
                                         (unsigned short)values[i].match};
        to[i] = sequence;
    }
}

/* ---- a block ---- */

/* Returns the number of sequences of STEP, of COUNT in all. */
DEVICE_FN binning_u32
zstd_chain_count(binning_u32 count, binning_u32 step)
{
    binning_u32 left = count - step * ZSTD_CHAIN_STEP;

    return left < ZSTD_CHAIN_STEP ? left : ZSTD_CHAIN_STEP;
}

/* Returns the first item that helps. */
DEVICE_FN binning_u32
zstd_chain_first_helper(void)
{
    return DEVICE_THREADS > ZSTD_CHAIN_WARP ? ZSTD_CHAIN_WARP : 0;
}

/*
 * Decode OUT's COUNT sequences, at least 1, from the SIZE bytes at DATA, as
 * zstd_sequences_decode() does; the states of CHAIN are made.  All items call
 * this function.  For the first helping item, it sets OUT and returns whether
 * the sequences are right.
 */
DEVICE_FN bool
zstd_chain_decode(struct zstd_chain *chain, struct zstd_sequences_out *out,
                  binning_u32 count, const unsigned char *data,
                  binning_u32 size)
{
    struct zstd_chain_steps *const steps = &chain->of.steps;
    const binning_u32 helper = DEVICE_THREAD - zstd_chain_first_helper();
    const binning_u32 helpers = DEVICE_THREADS - zstd_chain_first_helper();
    const bool is_helper = DEVICE_THREAD >= zstd_chain_first_helper();
    const binning_u32 lead = (binning_u32)((size_t)data & 3);
    const unsigned char *const words = data - lead;
    const binning_u32 end = ZSTD_CHAIN_BIAS + 8 * lead;
    const binning_u32 all = (count + ZSTD_CHAIN_STEP - 1) / ZSTD_CHAIN_STEP;
    struct zstd_chain_sums sums = {zstd_offsets_open(), 0, 0, 0, 0};
    struct zstd_chain_walk walk;

    if (size == 0 || data[size - 1] == 0)
        return false;
    walk.bit = end + 8 * (size - 1) + zstd_highest(data[size - 1]);
    binning_u32 low = walk.bit / 32 + 1;
    for (int i = 0; i < 2; i++) {
        zstd_chain_load(chain, words, low, DEVICE_THREAD, DEVICE_THREADS);
        low -= ZSTD_CHAIN_LOAD;
    }
    DEVICE_BARRIER();
    for (int kind = 0; kind < ZSTD_KINDS; kind++) {
        const binning_u32 log = chain->states[kind].log;
        walk.state[kind] =
            zstd_chain_field(zstd_chain_ring(chain), walk.bit, log);
        walk.bit -= log;
    }
    DEVICE_ROLLED
    for (binning_u32 step = 0; step < all + ZSTD_CHAIN_LAG; step++) {
        if (DEVICE_THREAD == 0 && step < all) {
            zstd_chain_follow(chain, &walk, steps->link[step % 2],
                              zstd_chain_count(count, step), step + 1 == all);
            steps->bit[step % 2] = walk.bit;
        }
        if (is_helper && step >= 3 && step - 3 < all)
            zstd_chain_write(steps, (step - 3) % ZSTD_CHAIN_LAG, out->sequence,
                             zstd_chain_count(count, step - 3), helper,
                             helpers);
        if (is_helper && step >= 1 && step - 1 < all) {
            const zstd_ring_place ring = zstd_chain_ring(chain);
            for (binning_u32 i = helper; i < zstd_chain_count(count, step - 1);
                 i += helpers)
                steps->values[(step - 1) % ZSTD_CHAIN_LAG][i] =
                    zstd_chain_values(chain, ring,
                                      steps->link[(step - 1) % 2][i]);
            /* The words must be enough for the next step, too. */
            if (steps->bit[(step - 1) % 2] / 32 - low < 2 * ZSTD_CHAIN_NEED) {
                zstd_chain_load(chain, words, low, helper, helpers);
                low -= ZSTD_CHAIN_LOAD;
            }
        }
        if (is_helper && helper == 0 && step >= 2 && step - 2 < all)
            zstd_chain_add_up(steps, &sums, (step - 2) % ZSTD_CHAIN_LAG,
                              zstd_chain_count(count, step - 2));
        DEVICE_BARRIER();
    }
    if (steps->bit[(all - 1) % 2] != end ||
        sums.pieces > ZSTD_SEQUENCES_ROOM(0) ||
        sums.literals > out->literals_max ||
        sums.literals + sums.matches > out->content_max)
        return false;
    out->count = sums.written;
    out->literals = (binning_u32)sums.literals;
    out->content = (binning_u32)(sums.literals + sums.matches);
    out->offsets = sums.offsets;
    return true;
}

#endif
