/* SPDX-License-Identifier: MIT */
/*
 * inflate_lanes.h -- lanes decode the symbols of a block side by side
 *
 * Where a symbol starts depends on all symbols before it.  But a decoder that
 * starts at a wrong bit soon meets a bit where a symbol starts, and from there
 * on it is right, because codes have different lengths.  So each lane guesses
 * where its part starts, by decoding the end of the part before; then it
 * decodes its part, and while the part before ends somewhere else, it does so
 * again.  Lane 0 is right, so at the end all lanes are, up to the first one
 * that does not reach the next part.
 *
 * After Weissenborn, Schmidt: Massively Parallel Huffman Decoding on GPUs
 * (ICPP 2018), where only one set of codes is in use.
 */

#ifndef GPUHIST_INFLATE_LANES_H
#define GPUHIST_INFLATE_LANES_H

#include "kernels/inflate/inflate_codes.h"

/* A token is a symbol: where its content starts, in the high half; and a
   literal, or the distance less 1 with a mark. */
#define INFLATE_TOKEN_MATCH 0x8000u

/* Where a lane writes tokens; or it only counts. */
struct inflate_out {
    bool writes;
    binning_u32 token; /* number of the next one */
    binning_u32 place; /* of its content in the round */
    binning_u32 made;  /* bytes of content before place 0 */
};

/* Note a token at PLACE of the round, the next of OUT. */
DEVICE_FN void
inflate_lane_write(DEVICE_SHARED struct inflate_shared *shared,
                   struct inflate_out *out, binning_u32 place,
                   binning_u32 value)
{
    shared->of.token[out->token++] = place << 16 | value;
    DEVICE_ADD_BITS(&shared->starts[place / 32], 1u << place % 32);
}

/* The bits of the data at BIT of the window, and the entry of the code there.
 */
DEVICE_FN binning_u32
inflate_lane_entry(DEVICE_SHARED struct inflate_shared *shared,
                   enum inflate_kind kind, binning_u32 word)
{
    const bool is_literals = kind == INFLATE_OF_LITERALS;
    const binning_u32 index_bits =
        is_literals ? INFLATE_LITERAL_INDEX : INFLATE_DISTANCE_INDEX;
    const binning_u32 i = word & ((1u << index_bits) - 1);
    binning_u32 entry = is_literals ? shared->literal[i] : shared->distance[i];

    if ((entry & INFLATE_IS_SPECIAL) != 0 &&
        entry >> 16 == INFLATE_SPECIAL_LONG)
        entry = inflate_long(shared, kind, index_bits, word);
    return entry;
}

/* The value of ENTRY with its extra bits in WORD. */
DEVICE_FN binning_u32
inflate_lane_value(binning_u32 entry, binning_u32 word)
{
    return (entry >> 16) +
           INFLATE_RIGHT(INFLATE_BELOW(word, entry), entry >> 8);
}

/*
 * Decode from START up to END, numbers of bits in the window, or as far as a
 * round has room.  Lanes that GUESS go on where the data are wrong or at an
 * end.
 */
DEVICE_FN struct inflate_lane
inflate_lane_decode(DEVICE_SHARED struct inflate_shared *shared,
                    binning_u32 start, binning_u32 end, bool guesses,
                    struct inflate_out *out)
{
    enum inflate_stop stop = INFLATE_NEXT;
    binning_u32 bit = start;
    binning_u32 tokens = 0;
    binning_u32 bytes = 0;

    DEVICE_ROLLED
    while (bit < end) {
        binning_u32 word = inflate_peek(shared, bit);
        binning_u32 entry =
            inflate_lane_entry(shared, INFLATE_OF_LITERALS, word);
        if ((entry & INFLATE_IS_SPECIAL) != 0) {
            bit += entry & 0xff;
            if (guesses) {
                bit += (entry & 0xff) == 0;
                continue;
            }
            stop = (entry & 0xff) == 0 ? INFLATE_WRONG : INFLATE_END;
            break;
        }
        bit += entry & 0xff;
        if ((entry & INFLATE_IS_MATCH) == 0) {
            if (out->writes)
                inflate_lane_write(shared, out, out->place + bytes,
                                   entry >> 16);
            bytes++;
        } else {
            const binning_u32 length = inflate_lane_value(entry, word);
            word = inflate_peek(shared, bit);
            entry = inflate_lane_entry(shared, INFLATE_OF_DISTANCES, word);
            bit += entry & 0xff;
            if ((entry & INFLATE_IS_SPECIAL) != 0 && !guesses) {
                stop = INFLATE_WRONG;
                break;
            }
            if (out->writes) {
                const binning_u32 before = inflate_lane_value(entry, word);
                if (before >= out->made + out->place + bytes) {
                    stop = INFLATE_WRONG;
                    break;
                }
                inflate_lane_write(shared, out, out->place + bytes,
                                   before | INFLATE_TOKEN_MATCH);
            }
            bytes += length;
        }
        tokens++;
        if (!guesses && bytes > INFLATE_ROUND_BYTES - INFLATE_MATCH_MAX) {
            stop = INFLATE_FULL;
            break;
        }
    }
    const struct inflate_lane lane = {start, bit,
                                      tokens | (binning_u32)stop << 16, bytes};
    return lane;
}

/* The first bit after the part of a lane, in the window. */
DEVICE_FN binning_u32
inflate_lane_part_end(binning_u32 lane)
{
    return (lane + 1) * INFLATE_LANE_BITS;
}

/* Guess the ends of all lanes.  A barrier follows. */
DEVICE_FN void
inflate_lanes_guess(DEVICE_SHARED struct inflate_shared *shared)
{
    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_LANES;
         i += DEVICE_THREADS) {
        struct inflate_out none = {false, 0, 0, 0};
        const binning_u32 end = inflate_lane_part_end(i);
        struct inflate_lane lane = inflate_lane_decode(
            shared, end - INFLATE_GUESS_BITS, end, true, &none);
        /* No lane starts there. */
        lane.start = INFLATE_LANES * INFLATE_LANE_BITS;
        lane.tokens = INFLATE_NEXT << 16;
        shared->lane[i] = lane;
    }
    if (DEVICE_THREAD == 0) {
        shared->has_changed[0] = 0;
        shared->stops[0] = 0;
    }
}

/*
 * Set where lanes should start, as the lanes before say, of which the first
 * starts at BIT of the window.  Sets HAS_CHANGED of TURN if one should start
 * elsewhere, unless a lane before stops.  A barrier follows.
 */
DEVICE_FN void
inflate_lanes_compare(DEVICE_SHARED struct inflate_shared *shared,
                      binning_u32 bit, binning_u32 turn)
{
    const binning_u32 stops = shared->stops[turn];

    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_LANES;
         i += DEVICE_THREADS) {
        binning_u32 next = i == 0 ? bit : shared->lane[i - 1].end;
        if ((stops & ((1u << i) - 1)) != 0)
            next = shared->lane[i].start;
        shared->next[i] = next;
        if (next != shared->lane[i].start)
            DEVICE_ADD_BITS(&shared->has_changed[turn], 1u);
    }
    if (DEVICE_THREAD == 0) {
        shared->has_changed[turn ^ 1] = 0;
        shared->stops[turn ^ 1] = 0;
    }
}

/* Let those lanes decode that should start elsewhere.  Sets STOPS of TURN.  A
   barrier follows. */
DEVICE_FN void
inflate_lanes_follow(DEVICE_SHARED struct inflate_shared *shared,
                     binning_u32 turn)
{
    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_LANES;
         i += DEVICE_THREADS) {
        struct inflate_out none = {false, 0, 0, 0};
        if (shared->next[i] != shared->lane[i].start)
            shared->lane[i] =
                inflate_lane_decode(shared, shared->next[i],
                                    inflate_lane_part_end(i), false, &none);
        if (shared->lane[i].tokens >> 16 != INFLATE_NEXT)
            DEVICE_ADD_BITS(&shared->stops[turn], 1u << i);
    }
}

/*
 * Let all lanes decode, until each starts where the lane before ends, up to the
 * first one that stops.  The first lane starts at BIT of the window.  All
 * threads call this function; a barrier has been after the last change of the
 * window.
 */
DEVICE_FN void
inflate_lanes_decode(DEVICE_SHARED struct inflate_shared *shared,
                     binning_u32 bit)
{
    inflate_lanes_guess(shared);
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 turn = 0;; turn ^= 1) {
        inflate_lanes_compare(shared, bit, turn);
        DEVICE_BARRIER();
        if (shared->has_changed[turn] == 0)
            return;
        inflate_lanes_follow(shared, turn ^ 1);
        DEVICE_BARRIER();
    }
}

/* ---- rounds ---- */

/* The sums of some lanes. */
struct inflate_share {
    binning_u32 tokens; /* and of the stops << 16 */
    binning_u32 bytes;
};

DEVICE_FN void
inflate_share_add(struct inflate_share *share,
                  DEVICE_SHARED const struct inflate_lane *lane)
{
    share->tokens += lane->tokens;
    share->bytes += lane->bytes;
}

/* Whether LANE belongs to the round, with the lanes of SHARE before it: they
   reach the part of LANE, and there is room. */
DEVICE_FN bool
inflate_share_has_room(const struct inflate_share *share,
                       DEVICE_SHARED const struct inflate_lane *lane)
{
    return share->tokens >> 16 == 0 &&
           share->tokens + (lane->tokens & 0xffff) <= INFLATE_TOKENS &&
           share->bytes + lane->bytes <= INFLATE_ROUND_BYTES;
}

/*
 * Write the tokens of a round: of as many lanes from number FIRST on as there
 * is room for; it always suffices for one.  The content starts at place BEGIN
 * of the round, and has up to LEFT bytes.  Sets BYTES, STOP and NEXT_LANE of
 * the round; END, the next bit in the window; and perhaps the refusal.  STARTS
 * is 0 before.  All threads call this function, and a barrier follows.
 */
DEVICE_FN void
inflate_lanes_write(DEVICE_SHARED struct inflate_shared *shared,
                    binning_u32 first, binning_u32 begin, binning_u32 left)
{
    const binning_u32 made = shared->made;

    for (binning_u32 i = DEVICE_THREAD; i < INFLATE_LANES;
         i += DEVICE_THREADS) {
        struct inflate_share share = {0, 0};
        DEVICE_SHARED const struct inflate_lane *lane = &shared->lane[i];
        for (binning_u32 k = first; k < i; k++)
            inflate_share_add(&share, &shared->lane[k]);
        if (i < first || !inflate_share_has_room(&share, lane))
            continue;
        struct inflate_out out = {true, share.tokens, begin + share.bytes,
                                  made - begin};
        struct inflate_share all = share;
        inflate_share_add(&all, lane);
        if (i + 1 == INFLATE_LANES || !inflate_share_has_room(&all, lane + 1)) {
            shared->round.bytes = all.bytes;
            shared->round.stop = lane->tokens >> 16;
            shared->round.next_lane = i + 1;
            shared->round.end = lane->end;
        }
        if (all.bytes > left) {
            DEVICE_ADD_BITS(&shared->refusal,
                            (binning_u32)INFLATE_REFUSED_SIZE);
            continue;
        }
        const struct inflate_lane written =
            inflate_lane_decode(shared, lane->start, lane->end, false, &out);
        if (written.tokens != lane->tokens)
            DEVICE_ADD_BITS(&shared->refusal,
                            (binning_u32)INFLATE_REFUSED_DATA);
    }
}

#endif
