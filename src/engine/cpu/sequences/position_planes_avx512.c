/* SPDX-License-Identifier: MIT */
/*
 * position_planes_avx512.c -- count bases and qualities of many reads by
 * position with AVX-512
 *
 * A tile is POSITION_TILE reads at POSITION_BLOCK positions.  Three steps of
 * shifts turn eight vectors of bytes into the planes of their bits.  The three
 * low planes make eight vectors, of which each is the reads with one value of
 * these bits; the high planes make one for each byte of qualities.  Both
 * together are the reads with one quality, and VPOPCNTB counts them at each
 * position.  So a quality that occurs costs three instructions for 512 bases.
 */

#include <immintrin.h>

#include "engine/cpu/sequences/position_planes.h"

/* Per function, not per file: see scan_avx512.c. */
#define TARGET      \
    __attribute__(( \
        target("avx512f,avx512bw,avx512vbmi,avx512bitalg,bmi,bmi2,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

enum {
    PLANES = 8,
    PLANE_READS = 8,                           /* a bit of a byte for each */
    TILE_PLANES = POSITION_TILE / PLANE_READS, /* sets of planes */
    HALF_BLOCK = POSITION_BLOCK / 2,
    LOWS = 8,    /* values of the three low bits of a quality */
    MIDDLES = 4, /* of the next two */
    HIGHS = 3,   /* of bits 5 and 6, without 0 */
};

_Static_assert(SEQUENCE_QUALITY_FIRST == 32 && SEQUENCE_QUALITIES == 96,
               "one of the bits 5 and 6 is set in qualities only");

/*
 * How the reads of a tile are in its vectors.  Where no read has more than
 * HALF_BLOCK positions, a vector has these of two reads: of one, and of the
 * read 8 * planes behind it.
 */
struct tile_layout {
    size_t planes; /* sets of planes */
    bool is_half;
};

/* The reads of a tile with each value, as bits of their positions. */
struct tile {
    __m512i low[LOWS][TILE_PLANES];
    __m512i middle[MIDDLES][TILE_PLANES];
    __m512i high[HIGHS][TILE_PLANES];
    __m512i base[POSITION_BASES][TILE_PLANES];
};

/* ---- planes ---- */

/* The bits of A in MASK, and those of B elsewhere. */
INLINE __m512i
choose(__m512i mask, __m512i a, __m512i b)
{
    return _mm512_ternarylogic_epi64(mask, a, b, 0xca);
}

/* Put the low bits of A and B, as MASK has them, into *LOW, and the others into
   *HIGH.  SHIFT is how many bits of MASK follow each other. */
INLINE void
split(__m512i a, __m512i b, __m512i mask, unsigned int shift, __m512i *low,
      __m512i *high)
{
    *low = choose(mask, a, _mm512_slli_epi64(b, shift));
    *high = choose(mask, _mm512_srli_epi64(a, shift), b);
}

/* Turn eight vectors X into their planes: byte J of PLANE[K] are the bits K of
   all bytes J. */
INLINE void
make_planes(const __m512i x[PLANE_READS], __m512i plane[PLANES])
{
    const __m512i four = _mm512_set1_epi8(0x0f);
    const __m512i two = _mm512_set1_epi8(0x33);
    const __m512i one = _mm512_set1_epi8(0x55);
    __m512i half[2][4];

    for (int r = 0; r < 4; r++)
        split(x[r], x[r + 4], four, 4, &half[0][r], &half[1][r]);
    for (int h = 0; h < 2; h++) {
        __m512i quarter[2][2];
        for (int r = 0; r < 2; r++)
            split(half[h][r], half[h][r + 2], two, 2, &quarter[0][r],
                  &quarter[1][r]);
        for (int q = 0; q < 2; q++)
            split(quarter[q][0], quarter[q][1], one, 1, &plane[4 * h + 2 * q],
                  &plane[4 * h + 2 * q + 1]);
    }
}

/* The first bytes that READ has from AT on, as a mask. */
INLINE __mmask64
mask_of(const struct position_read *read, uint32_t at)
{
    uint32_t size = read->size - at;

    return _bzhi_u64(~(uint64_t)0, size < 64 ? size : 64);
}

/*
 * Load the bytes from AT on of eight reads, or of sixteen with a half of a
 * vector each: bases, or qualities if ARE_QUALITIES.  Zeros follow them.
 */
INLINE void
load_reads(const struct position_read *read, uint32_t at, bool are_qualities,
           struct tile_layout layout, __m512i x[PLANE_READS])
{
    for (size_t r = 0; r < PLANE_READS; r++) {
        const unsigned char *from =
            are_qualities ? read[r].quality : read[r].base;
        x[r] = _mm512_maskz_loadu_epi8(mask_of(&read[r], at), from + at);
        if (!layout.is_half)
            continue;
        const struct position_read *other =
            &read[r + layout.planes * PLANE_READS];
        from = are_qualities ? other->quality : other->base;
        /* Bytes that the mask has not are not read. */
        x[r] = _mm512_mask_loadu_epi8(
            x[r], mask_of(other, at) << HALF_BLOCK,
            (const void *)((uintptr_t)from + at - HALF_BLOCK));
    }
}

/* A and B, each as it is or inverted. */
INLINE __m512i
both(__m512i a, bool a_is_set, __m512i b, bool b_is_set)
{
    if (a_is_set)
        return b_is_set ? _mm512_and_si512(a, b) : _mm512_andnot_si512(b, a);
    return b_is_set ? _mm512_andnot_si512(a, b)
                    : _mm512_ternarylogic_epi64(a, a, b, 0x01);
}

INLINE void
make_qualities(const struct position_read *read, uint32_t at,
               struct tile_layout layout, size_t g, struct tile *tile)
{
    __m512i x[PLANE_READS];
    __m512i p[PLANES];

    load_reads(read + g * PLANE_READS, at, true, layout, x);
    make_planes(x, p);
    for (unsigned int n = 0; n < LOWS; n++)
        tile->low[n][g] =
            both(both(p[0], n & 1, p[1], n & 2), true, p[2], n & 4);
    for (unsigned int n = 0; n < MIDDLES; n++)
        tile->middle[n][g] = both(p[3], n & 1, p[4], n & 2);
    for (unsigned int n = 0; n < HIGHS; n++)
        tile->high[n][g] = both(p[5], (n + 1) & 1, p[6], (n + 1) & 2);
}

/* Bits 1 to 3 distinguish the letters with a code, bit 6 is set in all. */
INLINE void
make_bases(const struct position_read *read, uint32_t at,
           struct tile_layout layout, size_t g, struct tile *tile)
{
    __m512i x[PLANE_READS];
    __m512i p[PLANES];

    load_reads(read + g * PLANE_READS, at, false, layout, x);
    make_planes(x, p);
    __m512i g_or_n = _mm512_and_si512(p[1], p[2]);
    tile->base[0][g] = both(p[6], true, _mm512_or_si512(p[1], p[2]), false);
    tile->base[1][g] = both(p[1], true, p[2], false);
    tile->base[2][g] = both(g_or_n, true, p[3], false);
    tile->base[3][g] = both(p[2], true, p[1], false);
    tile->base[4][g] = both(g_or_n, true, p[3], true);
}

/* ---- counting ---- */

/* Add how many of X are also of Y, of all sets, to the counters at CELL. */
INLINE void
add_common(uint8_t *cell, const __m512i x[TILE_PLANES],
           const __m512i y[TILE_PLANES], struct tile_layout layout)
{
    __m512i bits = _mm512_popcnt_epi8(_mm512_and_si512(x[0], y[0]));

    for (size_t g = 1; g < layout.planes; g++)
        bits = _mm512_add_epi8(
            bits, _mm512_popcnt_epi8(_mm512_and_si512(x[g], y[g])));
    if (layout.is_half) {
        __m256i *half = (__m256i *)(void *)cell;
        __m256i sums = _mm256_add_epi8(_mm512_castsi512_si256(bits),
                                       _mm512_extracti64x4_epi64(bits, 1));
        _mm256_storeu_si256(half,
                            _mm256_add_epi8(_mm256_loadu_si256(half), sums));
        return;
    }
    _mm512_storeu_si512(cell, _mm512_add_epi8(_mm512_loadu_si512(cell), bits));
}

INLINE void
add_bases(const struct tile *tile, struct tile_layout layout, uint8_t *cell)
{
    for (size_t b = 0; b < POSITION_BASES; b++)
        add_common(cell + b * POSITION_BLOCK, tile->base[b], tile->base[b],
                   layout);
}

/* Count the qualities that are in SET. */
INLINE void
add_qualities(const struct tile *tile, struct tile_layout layout,
              const struct quality_set *set, uint8_t *cell)
{
    for (size_t n = 0; n < QUALITY_SET_BYTES; n++) {
        __m512i high[TILE_PLANES];
        if (set->byte[n] == 0)
            continue;
        for (size_t g = 0; g < layout.planes; g++)
            high[g] = _mm512_and_si512(tile->middle[n % MIDDLES][g],
                                       tile->high[n / MIDDLES][g]);
        for (unsigned int lows = set->byte[n]; lows != 0;
             lows = _blsr_u32(lows)) {
            unsigned int low = _tzcnt_u32(lows);
            add_common(cell + (8 * n + low) * POSITION_BLOCK, high,
                       tile->low[low], layout);
        }
    }
}

INLINE bool
is_empty(const __m512i x[TILE_PLANES], struct tile_layout layout)
{
    __m512i any = x[0];

    for (size_t g = 1; g < layout.planes; g++)
        any = _mm512_or_si512(any, x[g]);
    return _mm512_test_epi64_mask(any, any) == 0;
}

/* Count combinations of bases and of the qualities that are in SET. */
INLINE void
add_combinations(const struct tile *tile, struct tile_layout layout,
                 const struct quality_set *set, uint8_t *cell)
{
    const size_t stride = (size_t)SEQUENCE_QUALITIES * POSITION_BLOCK;
    __m512i base[POSITION_BASES][TILE_PLANES]; /* CELL has no part in it */

    for (size_t b = 0; b < POSITION_BASES; b++) {
        for (size_t g = 0; g < layout.planes; g++)
            base[b][g] = tile->base[b][g];
    }
    bool has_n = !is_empty(base[4], layout); /* few have */
    for (size_t n = 0; n < QUALITY_SET_BYTES; n++) {
        for (unsigned int lows = set->byte[n]; lows != 0;
             lows = _blsr_u32(lows)) {
            unsigned int low = _tzcnt_u32(lows);
            uint8_t *to = cell + (8 * n + low) * POSITION_BLOCK;
            __m512i quality[TILE_PLANES];
            for (size_t g = 0; g < layout.planes; g++)
                quality[g] = _mm512_ternarylogic_epi64(
                    tile->low[low][g], tile->middle[n % MIDDLES][g],
                    tile->high[n / MIDDLES][g], 0x80);
            add_common(to, quality, base[0], layout);
            add_common(to + stride, quality, base[1], layout);
            add_common(to + 2 * stride, quality, base[2], layout);
            add_common(to + 3 * stride, quality, base[3], layout);
            if (has_n)
                add_common(to + 4 * stride, quality, base[4], layout);
        }
    }
}

/* As position_planes_count(), for as many reads as LAYOUT has. */
INLINE void
add_tile(enum sequence_source source, struct tile_layout layout,
         const struct quality_set *set, const struct position_read *read,
         uint32_t at, uint8_t *cell)
{
    struct tile tile;

    for (size_t g = 0; g < layout.planes; g++) {
        if (source != SEQUENCE_OF_POSITION_BASE)
            make_qualities(read, at, layout, g, &tile);
        if (source != SEQUENCE_OF_POSITION_QUALITY)
            make_bases(read, at, layout, g, &tile);
    }
    if (source == SEQUENCE_OF_POSITION_BASE)
        add_bases(&tile, layout, cell);
    else if (source == SEQUENCE_OF_POSITION_QUALITY)
        add_qualities(&tile, layout, set, cell);
    else
        add_combinations(&tile, layout, set, cell);
}

INLINE void
count_source(enum sequence_source source, const struct quality_set *set,
             const struct position_read *read, size_t count, uint32_t at,
             bool is_half, uint8_t *cell)
{
    struct position_read some[POSITION_TILE];

    if (count < POSITION_TILE) {
        for (size_t r = 0; r < POSITION_TILE; r++) {
            some[r] = read[r < count ? r : 0];
            some[r].size = r < count ? some[r].size : at;
        }
        read = some;
    }
    if (is_half && count > 2 * PLANE_READS)
        add_tile(source, (struct tile_layout){2, true}, set, read, at, cell);
    else if (is_half)
        add_tile(source, (struct tile_layout){1, true}, set, read, at, cell);
    else if (count > 2 * PLANE_READS)
        add_tile(source, (struct tile_layout){TILE_PLANES, false}, set, read,
                 at, cell);
    else if (count > PLANE_READS)
        add_tile(source, (struct tile_layout){2, false}, set, read, at, cell);
    else
        add_tile(source, (struct tile_layout){1, false}, set, read, at, cell);
}

TARGET void
position_planes_count(enum sequence_source source,
                      const struct quality_set *set,
                      const struct position_read *read, size_t count,
                      uint32_t at, bool is_half, uint8_t *cell)
{
    if (source == SEQUENCE_OF_POSITION_BASE)
        count_source(SEQUENCE_OF_POSITION_BASE, set, read, count, at, is_half,
                     cell);
    else if (source == SEQUENCE_OF_POSITION_QUALITY)
        count_source(SEQUENCE_OF_POSITION_QUALITY, set, read, count, at,
                     is_half, cell);
    else
        count_source(SEQUENCE_OF_ALL, set, read, count, at, is_half, cell);
}

/* Add POSITION_BLOCK counters. */
INLINE void
flush_cell(uint8_t *cell, uint16_t *count)
{
    __m512i recent = _mm512_loadu_si512(cell);
    __m512i *low = (__m512i *)(void *)count;
    __m512i *high = low + 1;

    _mm512_storeu_si512(
        low,
        _mm512_add_epi16(_mm512_loadu_si512(low),
                         _mm512_cvtepu8_epi16(_mm512_castsi512_si256(recent))));
    _mm512_storeu_si512(
        high, _mm512_add_epi16(
                  _mm512_loadu_si512(high),
                  _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(recent, 1))));
    _mm512_storeu_si512(cell, _mm512_setzero_si512());
}

TARGET void
position_planes_flush(enum sequence_source source,
                      const struct quality_set *set, uint8_t *cell,
                      uint16_t *count)
{
    for (size_t c = 0; c < position_planes_width(source); c++) {
        size_t q = c % SEQUENCE_QUALITIES;
        bool is_used = source == SEQUENCE_OF_POSITION_BASE ||
                       (set->byte[q / 8] >> q % 8 & 1) != 0;
        if (is_used)
            flush_cell(cell + c * POSITION_BLOCK, count + c * POSITION_BLOCK);
    }
}

/* The bytes of X, which MASK has, that are not at their own place in a table of
   128. */
INLINE __mmask64
find_unknown(__m512i x, __mmask64 mask, __m512i low, __m512i high)
{
    return _mm512_mask_cmpneq_epi8_mask(
        mask, _mm512_permutex2var_epi8(low, x, high), x);
}

/* Whether all SIZE qualities are at their own places in the table. */
INLINE bool
are_known(const unsigned char *quality, size_t size, __m512i low, __m512i high)
{
    __mmask64 unknown = 0;
    size_t i = 0;

    for (; size - i >= 64; i += 64)
        unknown |= find_unknown(_mm512_loadu_si512(quality + i), ~(__mmask64)0,
                                low, high);
    if (i < size) {
        __mmask64 mask = _bzhi_u64(~(uint64_t)0, (unsigned int)(size - i));
        unknown |= find_unknown(_mm512_maskz_loadu_epi8(mask, quality + i),
                                mask, low, high);
    }
    return unknown == 0;
}

TARGET bool
quality_set_has(const struct quality_set *set, const unsigned char *quality,
                size_t size)
{
    return are_known(quality, size, _mm512_loadu_si512(set->known),
                     _mm512_loadu_si512(set->known + 64));
}

TARGET uint32_t
quality_set_find_kept(const struct quality_set *set, const unsigned char *data,
                      const struct sequence_record *record, size_t count)
{
    const __m512i low = _mm512_loadu_si512(set->known);
    const __m512i high = _mm512_loadu_si512(set->known + 64);
    uint32_t found = 0;

    for (size_t r = 0; r < count; r++) {
        if (record[r].quality_end > 0)
            found |= (uint32_t)are_known(data + record[r].quality_start,
                                         record[r].length, low, high)
                     << r;
    }
    return found;
}
