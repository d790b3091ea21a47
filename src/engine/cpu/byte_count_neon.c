/*
 * byte_count_neon.c -- count the frequent bytes of a buffer with NEON
 *
 * As in byte_count_avx2.c, values are counted in groups of eight: two TBL look
 * up both halves of each byte, the AND of them has bit r where the byte is
 * value r of the group, and carry-save adders add these bits up over 32
 * vectors, so that only the bits of one vector are counted one by one.
 *
 * An adder takes three instructions here, because BSL selects the carry.  A
 * byte without a rank has no bit in any group, so no set of known values has to
 * be looked up: the OR of all groups is 0 where a byte escapes.
 *
 * For 16 bytes, compilers make 13 instructions for a group and 8 for the rest
 * of the block; tables take 64, 16 of which are stores.  Most processors do two
 * vector instructions, but one store, in a cycle.  This has not been measured
 * on a processor yet, so the costs below allow only one or two groups, for
 * which the estimate is clear.
 */

#include <arm_neon.h>
#include <string.h>

#include "engine/cpu/byte_count_neon.h"
#include "engine/cpu/byte_count_plan.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    VECTOR_BYTES = 16,
    BLOCK_VECTORS = 32,
    BLOCK_BYTES = BLOCK_VECTORS * VECTOR_BYTES,
    WEIGHTS = 5, /* 1 to 16: half of a block */
    PIECE_BYTES = 16 * BLOCK_BYTES,
    PLAN_BYTES = 512 << 10, /* the longest that a plan is used for */
    SMALL_BYTES = 16 << 10,
};

_Static_assert(1 << WEIGHTS == BLOCK_VECTORS, "what is added up in a block");

struct group {
    uint8x16_t low, high; /* for each half byte: the values that have it */
    uint8x16_t sum[WEIGHTS];
    uint64_t count[COUNT_GROUP_VALUES];
};

struct counter {
    struct group group[COUNT_GROUPS_MAX];
    struct count_plan plan;
    uint64_t *bin;
};

struct block {
    uint8x16_t low[BLOCK_VECTORS]; /* the halves of all bytes */
    uint8x16_t high[BLOCK_VECTORS];
    uint8x16_t seen[BLOCK_VECTORS]; /* 0 where a byte is in no group */
};

/* Add A, B and *SUM, of one weight, bitwise: *SUM is the sum.  Returns the
   carry, of twice the weight. */
INLINE uint8x16_t
add_bits(uint8x16_t *sum, uint8x16_t a, uint8x16_t b)
{
    uint8x16_t differ = veorq_u8(a, b);
    uint8x16_t carry = vbslq_u8(differ, *sum, a);

    *sum = veorq_u8(differ, *sum);
    return carry;
}

INLINE uint8x16_t
bits_of(const struct group *group, struct block *x, int i)
{
    uint8x16_t bits = vandq_u8(vqtbl1q_u8(group->low, x->low[i]),
                               vqtbl1q_u8(group->high, x->high[i]));

    x->seen[i] = vorrq_u8(x->seen[i], bits);
    return bits;
}

/* Add 2, 4, 8, 16 or 32 vectors from number I on.  Returns the carry. */
INLINE uint8x16_t
add_2(uint8x16_t *sum, const struct group *group, struct block *x, int i)
{
    uint8x16_t first = bits_of(group, x, i);
    return add_bits(&sum[0], first, bits_of(group, x, i + 1));
}

INLINE uint8x16_t
add_4(uint8x16_t *sum, const struct group *group, struct block *x, int i)
{
    uint8x16_t carry = add_2(sum, group, x, i);
    return add_bits(&sum[1], carry, add_2(sum, group, x, i + 2));
}

INLINE uint8x16_t
add_8(uint8x16_t *sum, const struct group *group, struct block *x, int i)
{
    uint8x16_t carry = add_4(sum, group, x, i);
    return add_bits(&sum[2], carry, add_4(sum, group, x, i + 4));
}

INLINE uint8x16_t
add_16(uint8x16_t *sum, const struct group *group, struct block *x, int i)
{
    uint8x16_t carry = add_8(sum, group, x, i);
    return add_bits(&sum[3], carry, add_8(sum, group, x, i + 8));
}

INLINE uint8x16_t
add_32(uint8x16_t *sum, const struct group *group, struct block *x)
{
    uint8x16_t carry = add_16(sum, group, x, 0);
    return add_bits(&sum[4], carry, add_16(sum, group, x, 16));
}

/* Add WEIGHT to the count of a value for each of its bits in BITS. */
INLINE void
count_bits(uint64_t count[COUNT_GROUP_VALUES], uint8x16_t bits,
           unsigned int weight)
{
    for (unsigned int r = 0; r < COUNT_GROUP_VALUES; r++) {
        uint8x16_t bit = vandq_u8(bits, vdupq_n_u8((uint8_t)(1u << r)));
        count[r] += (uint64_t)weight * vaddvq_u8(vcntq_u8(bit));
    }
}

static void
count_group(struct group *group, struct block *x)
{
    uint8x16_t sum[WEIGHTS];

    for (int w = 0; w < WEIGHTS; w++)
        sum[w] = group->sum[w];
    uint8x16_t carry = add_32(sum, group, x);
    for (int w = 0; w < WEIGHTS; w++)
        group->sum[w] = sum[w];
    count_bits(group->count, carry, BLOCK_VECTORS);
}

/* Count the bytes of a block that are in no group.  Returns their number. */
static size_t
count_escapes(struct counter *counter, const unsigned char *data,
              const struct block *x)
{
    size_t escapes = 0;

    for (int i = 0; i < BLOCK_VECTORS; i++, data += VECTOR_BYTES) {
        unsigned char seen[VECTOR_BYTES];
        if (vminvq_u8(x->seen[i]) != 0)
            continue;
        vst1q_u8(seen, x->seen[i]);
        for (int k = 0; k < VECTOR_BYTES; k++) {
            if (seen[k] == 0) {
                counter->bin[data[k]]++;
                escapes++;
            }
        }
    }
    return escapes;
}

/* Count SIZE bytes, whole blocks.  Returns how many bytes had no rank. */
static size_t
count_blocks(struct counter *counter, const unsigned char *data, size_t size)
{
    size_t escapes = 0;

    for (size_t done = 0; done < size; done += BLOCK_BYTES) {
        const unsigned char *bytes = data + done;
        struct block x;

        for (int i = 0; i < BLOCK_VECTORS; i++) {
            uint8x16_t v = vld1q_u8(bytes + i * VECTOR_BYTES);
            if (i % 4 == 0)
                byte_count_ahead(bytes + i * VECTOR_BYTES);
            x.low[i] = vandq_u8(v, vdupq_n_u8(15));
            x.high[i] = vshrq_n_u8(v, 4);
            x.seen[i] = vdupq_n_u8(0);
        }
        for (unsigned int g = 0; g < counter->plan.groups; g++)
            count_group(&counter->group[g], &x);

        uint8x16_t all = x.seen[0];
        for (int i = 1; i < BLOCK_VECTORS; i++)
            all = vminq_u8(all, x.seen[i]);
        if (vminvq_u8(all) == 0)
            escapes += count_escapes(counter, bytes, &x);
    }
    return escapes;
}

static void
begin_groups(struct counter *counter)
{
    const struct count_plan *plan = &counter->plan;

    memset(counter->group, 0, sizeof counter->group);
    for (unsigned int g = 0; g < plan->groups; g++) {
        unsigned char low[16] = {0}, high[16] = {0};
        for (unsigned int i = 0; i < COUNT_GROUP_VALUES; i++) {
            unsigned int r = g * COUNT_GROUP_VALUES + i;
            if (r >= plan->ranks)
                break;
            low[plan->value[r] & 15u] |= (unsigned char)(1u << i);
            high[plan->value[r] >> 4] |= (unsigned char)(1u << i);
        }
        counter->group[g].low = vld1q_u8(low);
        counter->group[g].high = vld1q_u8(high);
    }
}

/* Move the counts of the ranks to their values. */
static void
end_groups(struct counter *counter)
{
    const struct count_plan *plan = &counter->plan;

    for (unsigned int g = 0; g < plan->groups; g++) {
        struct group *group = &counter->group[g];
        for (int w = 0; w < WEIGHTS; w++)
            count_bits(group->count, group->sum[w], 1u << w);
    }
    for (unsigned int r = 0; r < plan->ranks; r++) {
        const struct group *group = &counter->group[r / COUNT_GROUP_VALUES];
        counter->bin[plan->value[r]] += group->count[r % COUNT_GROUP_VALUES];
    }
}

/*
 * In tenths of a cycle, estimated: two vector instructions in a cycle, or one
 * store.  An escape costs a mispredicted branch.  Tables take 640; less is said
 * here, so that groups must be faster by a half.
 */
static const struct count_costs costs = {
    .look = 80,
    .group = 160,
    .escape = 150,
    .all_escape = 64 * 250,
    .otherwise = 430,
};

/* Count blocks while the plan is good.  Returns the number of bytes. */
static size_t
count_planned(struct counter *counter, const unsigned char *data, size_t size)
{
    size_t limit = PIECE_BYTES / 32 + (size_t)2 * PIECE_BYTES /
                                          COUNT_SAMPLE_BYTES *
                                          counter->plan.escapes;
    size_t done = 0;
    size_t escapes = 0;

    begin_groups(counter);
    while (done < size && escapes <= limit) {
        size_t piece = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        escapes = count_blocks(counter, data + done, piece);
        done += piece;
    }
    end_groups(counter);
    return done;
}

void
byte_count_neon(const unsigned char *data, size_t size,
                uint64_t bin[BYTE_COUNT_BINS])
{
    struct counter counter;

    counter.bin = bin;
    while (size >= SMALL_BYTES) {
        count_plan_make(&counter.plan, &costs, data, bin);
        data += COUNT_SAMPLE_BYTES;
        size -= COUNT_SAMPLE_BYTES;

        size_t part = size < PLAN_BYTES ? size : PLAN_BYTES;
        part -= part % BLOCK_BYTES;
        /* byte_count_tables() counts a block of one value at once. */
        if (counter.plan.groups == 0 || counter.plan.ranks == 1)
            byte_count_tables(data, part, bin);
        else
            part = count_planned(&counter, data, part);
        data += part;
        size -= part;
    }
    byte_count_tables(data, size, bin);
}
