/* SPDX-License-Identifier: MIT */
/* position_table.c -- a thread's counters of bases and qualities by position */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/sequences/position_table.h"

#define INLINE static inline __attribute__((always_inline))

/* Tables grow to at least so many rows. */
#define ROWS_MIN 256

/* Reads with more bases are long: their rows do not fit into the cache.  So
   many bytes of rows do. */
#define LONG_READ 4096
#define LONG_BYTES ((size_t)256 << 10)

/* Bases that are counted in one turn of a loop. */
#define UNROLLED 8

/* Counters of 8 bits have room for so many tiles. */
#define TILES_MAX (UINT8_MAX / POSITION_TILE)

/* So many reads are worth planes. */
#define PLANES_WORTH 2

/* Of counters, for vectors. */
#define ALIGNMENT 64

bool
position_planes_are_possible(void)
{
#ifdef SCAN_HAS_AVX512
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
}

/* ---- memory ---- */

void
position_table_open(struct position_table *table, enum sequence_source source,
                    bool has_planes)
{
    *table =
        (struct position_table){.source = source, .has_planes = has_planes};
    table->width = has_planes ? position_planes_width(source)
                              : sequence_table_width(source);
}

void
position_table_close(struct position_table *table)
{
    free(table->count);
    free(table->recent);
}

size_t
position_table_rows_of(enum sequence_source source, bool has_planes,
                       size_t bytes)
{
    struct position_table table;

    position_table_open(&table, source, has_planes);
    size_t cell = sizeof *table.count + (has_planes ? sizeof *table.recent : 0);
    size_t rows = bytes / (table.width * cell);
    return rows - rows % POSITION_BLOCK;
}

/* Move the USED bytes at *CELLS to a place with room for BYTES, and clear the
   others.  Returns 0, or -1: out of memory. */
static int
grow(void **cells, size_t used, size_t bytes)
{
    unsigned char *grown = aligned_alloc(ALIGNMENT, bytes);

    if (grown == NULL)
        return -1;
    if (used > 0)
        memcpy(grown, *cells, used);
    memset(grown + used, 0, bytes - used);
    free(*cells);
    *cells = grown;
    return 0;
}

void
position_table_grow(struct position_table *table, size_t rows, size_t most)
{
    size_t used = table->rows * table->width;
    void *count = table->count;
    void *recent = table->recent;

    rows = rows < 2 * table->rows ? 2 * table->rows : rows;
    rows = rows < ROWS_MIN ? ROWS_MIN : rows;
    rows = (rows + POSITION_BLOCK - 1) / POSITION_BLOCK * POSITION_BLOCK;
    rows = rows < most ? rows : most;
    if (rows <= table->rows)
        return;
    size_t cells = rows * table->width;
    if (grow(&count, used * sizeof *table->count,
             cells * sizeof *table->count) < 0)
        return;
    table->count = count;
    if (table->has_planes && grow(&recent, used, cells) < 0)
        return;
    table->recent = recent;
    table->rows = rows;
}

/* ---- one base at a time ---- */

/* Count SIZE bases.  With a constant SIZE, places in the rows are constants.
   Cells are those of sequence_base_cell(), but its arithmetic of 32 bits would
   keep these constants out of addresses. */
INLINE void
add_some(enum sequence_source source, bool has_planes, uint16_t *count,
         const unsigned char *code, const unsigned char *base,
         const unsigned char *quality, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        bool has_base = source != SEQUENCE_OF_POSITION_QUALITY;
        bool has_quality = source != SEQUENCE_OF_POSITION_BASE;
        size_t c = has_base ? code[base[i]] : 0;
        size_t q =
            has_quality ? (size_t)quality[i] - SEQUENCE_QUALITY_FIRST : 0;
        if (has_planes)
            count[position_planes_cell(source, c, q + SEQUENCE_QUALITY_FIRST) *
                      POSITION_BLOCK +
                  i]++;
        else if (source == SEQUENCE_OF_POSITION_BASE)
            count[i * SEQUENCE_CODES + c]++;
        else if (source == SEQUENCE_OF_POSITION_QUALITY)
            count[i * SEQUENCE_QUALITIES + q]++;
        else
            count[i * SEQUENCE_BOTH + q * SEQUENCE_CODES + c]++;
    }
}

/* Count SIZE bases, all in one block if there are planes. */
INLINE void
add_bases(enum sequence_source source, bool has_planes, uint16_t *count,
          const unsigned char *code, const unsigned char *base,
          const unsigned char *quality, size_t size)
{
    const size_t next = has_planes ? 1 : sequence_table_width(source);

    for (; size >= UNROLLED; size -= UNROLLED) {
        add_some(source, has_planes, count, code, base, quality, UNROLLED);
        count += UNROLLED * next;
        base += UNROLLED;
        quality += UNROLLED;
    }
    add_some(source, has_planes, count, code, base, quality, size);
}

INLINE void
add_either(const struct position_table *table, enum sequence_source source,
           const unsigned char *code, const unsigned char *base,
           const unsigned char *quality, size_t first, size_t size)
{
    uint16_t *count = table->count + first * table->width;

    if (table->has_planes)
        add_bases(source, true, count, code, base, quality, size);
    else
        add_bases(source, false, count, code, base, quality, size);
}

/* Count SIZE bases of a read, of which BASE is number FIRST.  If there are
   planes, a block starts there, and has all of them. */
static void
add_rows(const struct position_table *table, const unsigned char *code,
         const unsigned char *base, const unsigned char *quality, size_t first,
         size_t size)
{
    if (table->source == SEQUENCE_OF_POSITION_QUALITY)
        add_either(table, SEQUENCE_OF_POSITION_QUALITY, code, base, quality,
                   first, size);
    else if (table->source == SEQUENCE_OF_POSITION_BASE)
        add_either(table, SEQUENCE_OF_POSITION_BASE, code, base, quality, first,
                   size);
    else
        add_either(table, SEQUENCE_OF_ALL, code, base, quality, first, size);
}

/* Count the reads that wait, which are long: some rows of all of them at a
   time, so that these stay in the cache. */
static void
add_long(const struct position_table *table, const unsigned char *code)
{
    size_t rows = LONG_BYTES / sizeof *table->count / table->width;
    size_t left = table->waiting;

    for (size_t first = 0; left > 0; first += rows) {
        left = 0;
        for (size_t r = 0; r < table->waiting; r++) {
            const struct position_read *read = &table->read[r];
            size_t size = read->size > first ? read->size - first : 0;
            if (size > 0)
                add_rows(table, code, read->base + first, read->quality + first,
                         first, size < rows ? size : rows);
            left += size > rows;
        }
    }
}

/* ---- planes ---- */

#ifdef SCAN_HAS_AVX512
/* Add the recent counts to the older counts, and clear the recent counts. */
static void
flush(struct position_table *table, const struct quality_set *set)
{
    for (size_t at = 0; at < table->longest; at += POSITION_BLOCK)
        position_planes_flush(table->source, set,
                              table->recent + at * table->width,
                              table->count + at * table->width);
    table->tiles = 0;
    table->longest = 0;
}

/* Count READ from AT on, where a block starts. */
static void
add_after(const struct position_table *table, const unsigned char *code,
          const struct position_read *read, size_t at)
{
    for (; at < read->size; at += POSITION_BLOCK) {
        size_t left = read->size - at;
        add_rows(table, code, read->base + at, read->quality + at, at,
                 left < POSITION_BLOCK ? left : POSITION_BLOCK);
    }
}

/* Of the LEFT reads that wait, keep the reads with bases from AT on.  Returns
   how many these are. */
static size_t
keep_longer(struct position_table *table, size_t left, uint32_t at)
{
    struct position_read *read = table->read;
    size_t kept = 0;

    for (size_t r = 0; r < left; r++) {
        read[kept] = read[r];
        kept += read[r].size > at;
    }
    return kept;
}

/* Count the reads that wait, POSITION_TILE at most. */
static void
add_tile(struct position_table *table, const unsigned char *code,
         const struct quality_set *set)
{
    const struct position_read *read = table->read;
    size_t left = table->waiting;
    uint32_t shortest = read->size;
    uint32_t longest = 0;
    uint32_t at = 0;

    for (size_t r = 0; r < left; r++) {
        shortest = read[r].size < shortest ? read[r].size : shortest;
        longest = read[r].size > longest ? read[r].size : longest;
    }
    while (left >= PLANES_WORTH) {
        position_planes_count(table->source, set, read, left, at,
                              longest - at <= POSITION_BLOCK / 2,
                              table->recent + at * table->width);
        at += POSITION_BLOCK;
        if (at >= shortest)
            left = keep_longer(table, left, at);
    }
    for (size_t r = 0; r < left; r++)
        add_after(table, code, &read[r], at);
    table->longest = table->longest < at ? at : table->longest;
    table->tiles++;
    if (table->tiles == TILES_MAX)
        flush(table, set);
}
#endif

void
position_table_settle(struct position_table *table, const unsigned char *code,
                      const struct quality_set *set)
{
    if (table->waiting == 0)
        return;
#ifdef SCAN_HAS_AVX512
    if (table->has_planes)
        add_tile(table, code, set);
#endif
    if (!table->has_planes)
        add_long(table, code);
    (void)set;
    table->waiting = 0;
}

void
position_table_add(struct position_table *table, const unsigned char *code,
                   const struct quality_set *set, const unsigned char *base,
                   const unsigned char *quality, uint32_t size)
{
    struct position_read *read = &table->read[table->waiting];

    if (!table->has_planes && size <= LONG_READ) {
        add_rows(table, code, base, quality, 0, size);
        return;
    }
    read->base = base;
    read->quality = quality;
    read->size = size;
    table->waiting++;
    if (table->waiting ==
        (table->has_planes ? POSITION_TILE : POSITION_WAITING))
        position_table_settle(table, code, set);
}

/* ---- the sums ---- */

/* As position_table_read(), of the POSITION_BLOCK counters at COUNT, whose cell
   in a row of SUM is CELL. */
static void
add_cell(const uint16_t *count, uint64_t *sum, size_t width, size_t cell)
{
    uint16_t any = 0;

    for (size_t i = 0; i < POSITION_BLOCK; i++)
        any |= count[i];
    for (size_t i = 0; any != 0 && i < POSITION_BLOCK; i++)
        sum[i * width + cell] += count[i];
}

/* The same, of a block of planes. */
static void
add_planes(enum sequence_source source, const uint16_t *count, uint64_t *sum)
{
    bool has_bases = source != SEQUENCE_OF_POSITION_QUALITY;
    bool has_qualities = source != SEQUENCE_OF_POSITION_BASE;
    binning_u32 codes = has_bases ? POSITION_BASES : 1;
    binning_u32 end = SEQUENCE_QUALITY_FIRST;

    end += has_qualities ? SEQUENCE_QUALITIES : 1;
    for (binning_u32 c = 0; c < codes; c++) {
        for (binning_u32 q = SEQUENCE_QUALITY_FIRST; q < end; q++)
            add_cell(count +
                         position_planes_cell(source, c, q) * POSITION_BLOCK,
                     sum, sequence_table_width(source),
                     sequence_base_cell(source, 0, c, q));
    }
}

void
position_table_flush(struct position_table *table,
                     const struct quality_set *set)
{
#ifdef SCAN_HAS_AVX512
    if (table->has_planes)
        flush(table, set);
#endif
    (void)table;
    (void)set;
}

void
position_table_read(const struct position_table *table, size_t first,
                    uint64_t *sum)
{
    if (first >= table->rows)
        return;
    const uint16_t *count = table->count + first * table->width;
    if (table->has_planes) {
        add_planes(table->source, count, sum);
        return;
    }
    for (size_t c = 0; c < POSITION_BLOCK * table->width; c++)
        sum[c] += count[c];
}

void
position_table_move(struct position_table *table, const struct quality_set *set,
                    uint64_t *sum)
{
    position_table_flush(table, set);
    for (size_t r = 0; r < table->rows; r += POSITION_BLOCK)
        position_table_read(table, r,
                            sum + r * sequence_table_width(table->source));
    if (table->rows > 0)
        memset(table->count, 0,
               table->rows * table->width * sizeof *table->count);
}

void
position_table_clear(struct position_table *table)
{
    position_table_close(table);
    position_table_open(table, table->source, table->has_planes);
}
