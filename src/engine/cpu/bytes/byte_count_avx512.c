/* SPDX-License-Identifier: MIT */
/*
 * byte_count_avx512.c -- count bytes with AVX-512, without tables
 *
 * A table of counters costs a load, an addition and a store for each byte, and
 * equal neighbours wait for each other.  Here no byte is used as an address.
 *
 * Vertical counting.  Suppose that all bytes are below 64.  Eight values form a
 * class.  For each class VPERMB looks up all 64 bytes of a vector in a table of
 * 64 entries, which holds 1 << (value % 8) for the values of the class and 0
 * for all others.  Each bit of the result stands for one value at one of 64
 * positions, and must be added up over all vectors.  Carry-save adders do that:
 * in two instructions they turn three vectors of weight w into one of weight w
 * and one of weight 2 w.  So 16 vectors of weight 1 become one of weight 16,
 * and only that is counted (VPOPCNTB, after GF2P8AFFINEQB has collected the
 * bits of each value).  Three instructions count eight values in 64 bytes.
 *
 * Two forms reduce all bytes to numbers below 64.  Both are exact on any data;
 * the choice affects only the speed.
 *
 * - Ranked: the most frequent values, at most 56, get the ranks 0, 1, 2 ...
 *   and are counted by rank, in as few classes as they need: five for most
 *   text, one for DNA or zeros.  All other values escape: VPCOMPRESSB gathers
 *   them in a buffer, which the second form counts.
 *
 * - Split: VPCOMPRESSB distributes the bytes to four buffers by their two
 *   highest bits, and the other six bits are counted in eight classes.
 *
 * A new plan is made from time to time, and as soon as many more bytes escape
 * than the last plan expected: see byte_count_plan.h.
 *
 * The ideas: J. Engel, "vertical arithmetic" (joernblog, histogram2), and
 * H. Aptroot, "histogramming bytes with positional popcount"
 * (bitmath.blogspot.com, 2024/11), who count one-hot bits with carry-save
 * adders after a split by VPCOMPRESSB; W. Mula, N. Kurz and D. Lemire, "Faster
 * population counts using AVX2 instructions", for the tree of adders.
 */

#include <immintrin.h>
#include <string.h>

#include "engine/cpu/bytes/byte_count_avx512.h"
#include "engine/cpu/bytes/byte_count_plan.h"

/*
 * Per function, not per file: so the inline functions of headers are not
 * compiled for these processors only, and the user's CFLAGS do not matter.
 */
#define TARGET                                                              \
    __attribute__((target("popcnt,avx512f,avx512bw,avx512vbmi,avx512vbmi2," \
                          "avx512bitalg,gfni")))
#define INLINE static inline TARGET __attribute__((always_inline))

enum {
    VECTOR_BYTES = 64,
    BLOCK_VECTORS = 16,
    BLOCK_BYTES = BLOCK_VECTORS * VECTOR_BYTES,
    PIECE_BYTES = 8 * BLOCK_BYTES, /* fits the L1 cache with its copies */
    PART_BYTES = 4 << 20,

    CLASSES = 64 / COUNT_CLASS_VALUES,
    ESCAPE = 0xbf, /* the highest bit, as a mark, and 63 */

    QUARTERS = 4,

    /* A block adds up to 8 to an 8-bit counter, and that to one of 16 bits. */
    FEW_BLOCKS = UINT8_MAX / 8,
    MANY_BLOCKS = UINT16_MAX / 8,

    PLAN_PIECES = 64, /* the longest that a plan is used for */
    /* Start and end cost about as much as this many bytes by tables. */
    SMALL_BYTES = 16 << 10,
};

_Static_assert((int)COUNT_CLASSES_MAX < CLASSES,
               "where an escape leads to, no class of ranks may count");
/*
 * A tally gets each byte of a part at most once, and one padded block at the
 * end.
 */
_Static_assert(PART_BYTES / BLOCK_BYTES + 1 <= MANY_BLOCKS,
               "a tally's counters could wrap");
_Static_assert((int)COUNT_SAMPLE_BYTES < SMALL_BYTES,
               "a sample must be in the buffer");

/*
 * The counts of eight values.  Bit v of a byte of sum[s] stands for 2^s bytes
 * of value v.  Byte i of FEW and number i of MANY count 16 bytes of value
 * i % 8.
 */
struct tally_class {
    __m512i sum[4];
    __m512i few;
    __m512i many[2];
};

struct tally {
    struct tally_class class[CLASSES];
    unsigned int few_blocks; /* in FEW */
};

/* Bytes that are kept until they fill a block. */
struct queue {
    size_t bytes;
    /* Room for less than a block, a piece, and the end of a stored vector. */
    _Alignas(VECTOR_BYTES) unsigned char byte[BLOCK_BYTES + PIECE_BYTES +
                                              VECTOR_BYTES];
};

struct byte_counter {
    struct tally ranked;
    struct tally quarter[QUARTERS];
    struct count_plan plan;
    unsigned char rank[BYTE_COUNT_BINS]; /* by value, or ESCAPE */
    bool is_wide; /* a value of NARROW_LAST or above has a rank */
    struct queue escapes;
    struct queue quarters[QUARTERS];
    bool has_split; /* false: the quarters are not initialised */
    uint64_t *bin;
};

/* ---- vertical counting ---- */

/* For each class: the bit of each of 64 values. */
static const _Alignas(VECTOR_BYTES) unsigned char one_bit[CLASSES][64] = {
    {[0] = 1, 2, 4, 8, 16, 32, 64, 128},  {[8] = 1, 2, 4, 8, 16, 32, 64, 128},
    {[16] = 1, 2, 4, 8, 16, 32, 64, 128}, {[24] = 1, 2, 4, 8, 16, 32, 64, 128},
    {[32] = 1, 2, 4, 8, 16, 32, 64, 128}, {[40] = 1, 2, 4, 8, 16, 32, 64, 128},
    {[48] = 1, 2, 4, 8, 16, 32, 64, 128}, {[56] = 1, 2, 4, 8, 16, 32, 64, 128},
};

/* Add A, B and *SUM, of one weight, bitwise: *SUM is the sum.  Returns the
   carry, of twice the weight. */
INLINE __m512i
add_bits(__m512i *sum, __m512i a, __m512i b)
{
    /* The truth tables of "at least two of three" and of "one or three". */
    __m512i carry = _mm512_ternarylogic_epi64(*sum, a, b, 0xe8);
    *sum = _mm512_ternarylogic_epi64(*sum, a, b, 0x96);
    return carry;
}

/* Add 2, 4, 8, 16 vectors to the sums.  Return the carry. */
INLINE __m512i
add_2(__m512i sum[4], __m512i bits, const __m512i x[2])
{
    return add_bits(&sum[0], _mm512_permutexvar_epi8(x[0], bits),
                    _mm512_permutexvar_epi8(x[1], bits));
}

INLINE __m512i
add_4(__m512i sum[4], __m512i bits, const __m512i x[4])
{
    __m512i carry = add_2(sum, bits, x);
    return add_bits(&sum[1], carry, add_2(sum, bits, x + 2));
}

INLINE __m512i
add_8(__m512i sum[4], __m512i bits, const __m512i x[8])
{
    __m512i carry = add_4(sum, bits, x);
    return add_bits(&sum[2], carry, add_4(sum, bits, x + 4));
}

INLINE __m512i
add_16(__m512i sum[4], __m512i bits, const __m512i x[16])
{
    __m512i carry = add_8(sum, bits, x);
    return add_bits(&sum[3], carry, add_8(sum, bits, x + 8));
}

/*
 * Byte i of the result: how many bytes of the 64-bit word that contains byte i
 * have bit i % 8 set.  GF2P8AFFINEQB multiplies each word, as a matrix of bits,
 * by unit vectors: the product with unit vector v is bit v of all its bytes.
 */
INLINE __m512i
bits_of_words(__m512i bits)
{
    __m512i units = _mm512_set1_epi64((long long)0x8040201008040201u);
    return _mm512_popcnt_epi8(_mm512_gf2p8affine_epi64_epi8(units, bits, 0));
}

TARGET static void
empty_few(struct tally *tally, unsigned int classes)
{
    for (unsigned int g = 0; g < classes; g++) {
        struct tally_class *class = &tally->class[g];
        __m256i low = _mm512_castsi512_si256(class->few);
        __m256i high = _mm512_extracti64x4_epi64(class->few, 1);
        class->many[0] =
            _mm512_add_epi16(class->many[0], _mm512_cvtepu8_epi16(low));
        class->many[1] =
            _mm512_add_epi16(class->many[1], _mm512_cvtepu8_epi16(high));
        class->few = _mm512_setzero_si512();
    }
    tally->few_blocks = 0;
}

/* Count the lower six bits of the bytes of a block. */
INLINE void
tally_block(struct tally *tally, unsigned int classes,
            const __m512i x[BLOCK_VECTORS])
{
    for (unsigned int g = 0; g < classes; g++) {
        struct tally_class *class = &tally->class[g];
        __m512i bits = _mm512_load_si512(one_bit[g]);
        __m512i sum[4] = {class->sum[0], class->sum[1], class->sum[2],
                          class->sum[3]};
        __m512i carry = add_16(sum, bits, x);
        for (int s = 0; s < 4; s++)
            class->sum[s] = sum[s];
        class->few = _mm512_add_epi8(class->few, bits_of_words(carry));
    }
    if (++tally->few_blocks == FEW_BLOCKS)
        empty_few(tally, classes);
}

/* Move the counts of one class to COUNT. */
TARGET static void
empty_class(struct tally_class *class, uint64_t count[COUNT_CLASS_VALUES])
{
    unsigned char low[VECTOR_BYTES];
    uint16_t high[VECTOR_BYTES];

    /* A byte holds at most 8 * (8 + 4 + 2 + 1). */
    __m512i sum = _mm512_setzero_si512();
    for (int s = 3; s >= 0; s--)
        sum = _mm512_add_epi8(_mm512_add_epi8(sum, sum),
                              bits_of_words(class->sum[s]));
    _mm512_storeu_si512(low, sum);
    memcpy(high, class->many, sizeof high);
    for (int i = 0; i < VECTOR_BYTES; i++)
        count[i % COUNT_CLASS_VALUES] +=
            low[i] + (uint64_t)BLOCK_VECTORS * high[i];
    memset(class, 0, sizeof *class);
}

TARGET static void
empty_tally(struct tally *tally, unsigned int classes, uint64_t count[64])
{
    empty_few(tally, classes);
    for (unsigned int g = 0; g < classes; g++)
        empty_class(&tally->class[g], count + g * (size_t)COUNT_CLASS_VALUES);
}

INLINE void
load_block(const unsigned char *data, __m512i x[BLOCK_VECTORS])
{
    for (int i = 0; i < BLOCK_VECTORS; i++)
        x[i] = _mm512_loadu_si512(data + i * VECTOR_BYTES);
}

/* The same for the caller's buffer, with prefetching. */
INLINE void
load_input(const unsigned char *data, __m512i x[BLOCK_VECTORS])
{
    for (int i = 0; i < BLOCK_VECTORS; i++)
        byte_count_ahead(data + i * VECTOR_BYTES);
    load_block(data, x);
}

/* ---- the split form: four quarters by the two highest bits ---- */

/*
 * Store the bytes of X that MASK selects at DATA, followed by zeros up to a
 * whole vector.  (The form of VPCOMPRESSB that stores to memory is very slow on
 * some processors.)
 */
INLINE void
gather(unsigned char *data, __m512i x, __mmask64 mask)
{
    _mm512_storeu_si512(data, _mm512_maskz_compress_epi8(mask, x));
}

INLINE size_t
popcount(__mmask64 mask)
{
    return (size_t)_mm_popcnt_u64(mask);
}

/* Count whole blocks and move the rest to the front of the queue. */
TARGET static void
tally_quarter(struct byte_counter *counter, unsigned int q)
{
    struct queue *queue = &counter->quarters[q];
    size_t done = 0;

    for (; queue->bytes - done >= BLOCK_BYTES; done += BLOCK_BYTES) {
        __m512i x[BLOCK_VECTORS];
        load_block(queue->byte + done, x);
        tally_block(&counter->quarter[q], CLASSES, x);
    }
    if (done > 0) {
        queue->bytes -= done;
        memmove(queue->byte, queue->byte + done, queue->bytes);
    }
}

static void
start_quarters(struct byte_counter *counter)
{
    memset(counter->quarter, 0, sizeof counter->quarter);
    for (unsigned int q = 0; q < QUARTERS; q++)
        counter->quarters[q].bytes = 0;
    counter->has_split = true;
}

/* SIZE is a multiple of VECTOR_BYTES, at most PIECE_BYTES. */
TARGET static void
split(struct byte_counter *counter, const unsigned char *data, size_t size)
{
    struct queue *quarters = counter->quarters;
    unsigned char *end[QUARTERS];

    if (!counter->has_split)
        start_quarters(counter);
    for (unsigned int q = 0; q < QUARTERS; q++)
        end[q] = quarters[q].byte + quarters[q].bytes;
    for (size_t i = 0; i < size; i += VECTOR_BYTES) {
        byte_count_ahead(data + i);
        __m512i x = _mm512_loadu_si512(data + i);
        __mmask64 high = _mm512_movepi8_mask(x);
        __mmask64 next = _mm512_movepi8_mask(_mm512_add_epi8(x, x));
        __mmask64 both = _kand_mask64(high, next);

        gather(end[0], x, _knot_mask64(_kor_mask64(high, next)));
        gather(end[1], x, _kandn_mask64(high, next));
        gather(end[2], x, _kandn_mask64(next, high));
        gather(end[3], x, both);
        /* This moves only three masks out of their registers. */
        end[0] +=
            VECTOR_BYTES - popcount(high) - popcount(next) + popcount(both);
        end[1] += popcount(next) - popcount(both);
        end[2] += popcount(high) - popcount(both);
        end[3] += popcount(both);
    }
    for (unsigned int q = 0; q < QUARTERS; q++) {
        quarters[q].bytes = (size_t)(end[q] - quarters[q].byte);
        tally_quarter(counter, q);
    }
}

/* Count the rest of the queue, padded with zeros, and subtract these. */
TARGET static void
finish_quarter(struct byte_counter *counter, unsigned int q)
{
    struct queue *queue = &counter->quarters[q];
    uint64_t *count = counter->bin + q * 64;
    size_t filled = BLOCK_BYTES - queue->bytes;

    memset(queue->byte + queue->bytes, 0, filled);
    queue->bytes = BLOCK_BYTES;
    tally_quarter(counter, q);
    empty_tally(&counter->quarter[q], CLASSES, count);
    count[0] -= filled;
}

/* ---- the ranked form ---- */

/* If all values with ranks are below NARROW_LAST, one look-up of 128 entries is
   enough. */
#define NARROW_LAST 127

struct rank_tables {
    __m512i table[4];
};

INLINE __m512i
ranks_of(const struct rank_tables *ranking, __m512i x, bool is_wide)
{
    const __m512i *table = ranking->table;

    if (!is_wide) {
        x = _mm512_min_epu8(x, _mm512_set1_epi8(NARROW_LAST));
        return _mm512_permutex2var_epi8(table[0], x, table[1]);
    }
    return _mm512_mask_blend_epi8(
        _mm512_movepi8_mask(x), _mm512_permutex2var_epi8(table[0], x, table[1]),
        _mm512_permutex2var_epi8(table[2], x, table[3]));
}

/* Gather the bytes of a block whose ranks are negative. */
TARGET static void
gather_escapes(struct queue *escapes, const unsigned char *block,
               const __m512i ranks[BLOCK_VECTORS])
{
    unsigned char *end = escapes->byte + escapes->bytes;

    for (int i = 0; i < BLOCK_VECTORS; i++) {
        __mmask64 mask = _mm512_movepi8_mask(ranks[i]);
        gather(end, _mm512_loadu_si512(block + i * VECTOR_BYTES), mask);
        end += popcount(mask);
    }
    escapes->bytes = (size_t)(end - escapes->byte);
}

INLINE void
count_ranked(struct byte_counter *counter, const unsigned char *data,
             size_t size, bool is_wide)
{
    struct rank_tables ranking;

    memcpy(&ranking, counter->rank, sizeof ranking);
    for (size_t done = 0; done < size; done += BLOCK_BYTES) {
        __m512i x[BLOCK_VECTORS];
        __m512i all = _mm512_setzero_si512();

        load_input(data + done, x);
        for (int i = 0; i < BLOCK_VECTORS; i++) {
            x[i] = ranks_of(&ranking, x[i], is_wide);
            all = _mm512_or_si512(all, x[i]);
        }
        if (_mm512_movepi8_mask(all) != 0)
            gather_escapes(&counter->escapes, data + done, x);
        tally_block(&counter->ranked, counter->plan.classes, x);
    }
}

/* Two copies of the loop, one for each kind of look-up. */
TARGET static void
count_narrow(struct byte_counter *counter, const unsigned char *data,
             size_t size)
{
    count_ranked(counter, data, size, false);
}

TARGET static void
count_wide(struct byte_counter *counter, const unsigned char *data, size_t size)
{
    count_ranked(counter, data, size, true);
}

/* For a plan with one rank: most bytes have this value; the others escape. */
TARGET static void
count_single(struct byte_counter *counter, const unsigned char *data,
             size_t size)
{
    struct queue *escapes = &counter->escapes;
    unsigned char value = counter->plan.value[0];
    __m512i wanted = _mm512_set1_epi8((char)value);
    size_t before = escapes->bytes;

    for (size_t done = 0; done < size; done += BLOCK_BYTES) {
        __m512i x[BLOCK_VECTORS];
        __m512i all = _mm512_setzero_si512();

        load_input(data + done, x);
        for (int i = 0; i < BLOCK_VECTORS; i++) {
            x[i] = _mm512_xor_si512(x[i], wanted);
            all = _mm512_or_si512(all, x[i]);
        }
        if (_mm512_test_epi8_mask(all, all) == 0)
            continue;
        for (int i = 0; i < BLOCK_VECTORS; i++) {
            __mmask64 mask = _mm512_test_epi8_mask(x[i], x[i]);
            gather(escapes->byte + escapes->bytes,
                   _mm512_xor_si512(x[i], wanted), mask);
            escapes->bytes += popcount(mask);
        }
    }
    counter->bin[value] += size - (escapes->bytes - before);
}

/* Split the escapes, but for the last bytes that do not fill a vector. */
TARGET static void
split_escapes(struct byte_counter *counter)
{
    struct queue *escapes = &counter->escapes;
    size_t tail = escapes->bytes % VECTOR_BYTES;
    size_t whole = escapes->bytes - tail;

    for (size_t done = 0; done < whole; done += PIECE_BYTES)
        split(counter, escapes->byte + done,
              whole - done < PIECE_BYTES ? whole - done : PIECE_BYTES);
    memmove(escapes->byte, escapes->byte + whole, tail);
    escapes->bytes = tail;
}

/* Move the counts of the ranks to their values. */
TARGET static void
empty_ranked(struct byte_counter *counter)
{
    const struct count_plan *plan = &counter->plan;
    uint64_t count[64] = {0};

    empty_tally(&counter->ranked, plan->classes, count);
    for (unsigned int r = 0; r < plan->ranks; r++)
        counter->bin[plan->value[r]] += count[r];
}

/* ---- all together ---- */

/* In tenths of a cycle of a Xeon of the fifth generation. */
static const struct count_costs costs = {
    .look = 31,
    .class = 17,
    .escape = 25,
    .all_escape = 250,
    .otherwise = 250,
};

static void
make_ranks(struct byte_counter *counter)
{
    const struct count_plan *plan = &counter->plan;

    counter->is_wide = false;
    memset(counter->rank, ESCAPE, sizeof counter->rank);
    for (unsigned int r = 0; r < plan->ranks; r++) {
        counter->rank[plan->value[r]] = (unsigned char)r;
        counter->is_wide |= plan->value[r] >= NARROW_LAST;
    }
}

/* Count a piece.  Returns whether few enough bytes escaped for the plan. */
static bool
count_piece(struct byte_counter *counter, const unsigned char *data,
            size_t size)
{
    const struct count_plan *plan = &counter->plan;
    size_t before = counter->escapes.bytes;
    size_t limit = PIECE_BYTES / 32 +
                   (size_t)2 * PIECE_BYTES / COUNT_SAMPLE_BYTES * plan->escapes;

    if (plan->classes == 0) {
        split(counter, data, size);
        return true;
    }
    if (plan->ranks == 1)
        count_single(counter, data, size);
    else if (counter->is_wide)
        count_wide(counter, data, size);
    else
        count_narrow(counter, data, size);

    bool is_good = counter->escapes.bytes - before <= limit;
    if (counter->escapes.bytes >= BLOCK_BYTES)
        split_escapes(counter);
    return is_good;
}

/* Count a sample and, by its plan, the bytes after the sample.  Returns the
   bytes counted. */
static size_t
count_some(struct byte_counter *counter, const unsigned char *data, size_t size)
{
    size_t done = COUNT_SAMPLE_BYTES;
    bool is_good = true;

    count_plan_make(&counter->plan, &costs, data, counter->bin);
    make_ranks(counter);

    /* No plan is better than one of one class. */
    for (int p = 0; p < PLAN_PIECES || counter->plan.classes == 1; p++) {
        size_t piece = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        piece -= piece % BLOCK_BYTES;
        if (piece == 0 || !is_good)
            break;
        is_good = count_piece(counter, data + done, piece);
        done += piece;
    }
    empty_ranked(counter);
    return done;
}

static void
count_part(const unsigned char *data, size_t size,
           uint64_t bin[BYTE_COUNT_BINS])
{
    struct byte_counter counter;

    counter.bin = bin;
    counter.has_split = false;
    counter.escapes.bytes = 0;
    memset(&counter.ranked, 0, sizeof counter.ranked);

    while (size >= COUNT_SAMPLE_BYTES) {
        size_t done = count_some(&counter, data, size);
        data += done;
        size -= done;
    }
    split_escapes(&counter);
    byte_count_portable(counter.escapes.byte, counter.escapes.bytes, bin);
    for (unsigned int q = 0; counter.has_split && q < QUARTERS; q++)
        finish_quarter(&counter, q);
    byte_count_portable(data, size, bin);
}

bool
byte_count_avx512_is_possible(void)
{
    return __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("gfni");
}

void
byte_count_avx512(const unsigned char *data, size_t size,
                  uint64_t bin[BYTE_COUNT_BINS])
{
    while (size >= SMALL_BYTES) {
        size_t part = size < PART_BYTES ? size : PART_BYTES;
        count_part(data, part, bin);
        data += part;
        size -= part;
    }
    byte_count_tables(data, size, bin);
}
