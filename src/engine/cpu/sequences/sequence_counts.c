/* SPDX-License-Identifier: MIT */
/* sequence_counts.c -- dense tables of the usual fields of sequences */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/bytes/letter_count.h"
#include "engine/cpu/sequences/position_table.h"
#include "engine/cpu/sequences/quality_set.h"
#include "engine/cpu/sequences/read_groups.h"
#include "engine/cpu/sequences/read_letters.h"
#include "engine/cpu/sequences/sequence_counts.h"

/* The bytes of a thread's table whose rows are positions. */
#define ROWS_BYTES ((size_t)128 << 20)

/* The elements beyond these rows have this part of the memory for tables: they
   are copied when they are sorted. */
#define TAIL_SHARE 4

/* The rows of lengths. */
#define LENGTHS_MAX ((size_t)1 << 20)

/* The rows of GC, which are of one cell. */
#define GC_ROWS_MAX ((size_t)sequence_gc_cell(SEQUENCE_GC_LENGTH + 1, 0))

/* Tables grow to at least so many rows. */
#define ROWS_MIN 256

/* Longer sequences are counted by byte_count_fast(). */
#define LETTERS_MAX 1024

/* Records whose letters and qualities are looked at together. */
#define TOGETHER 32
_Static_assert(TOGETHER <= READ_LETTERS_READS && TOGETHER <= QUALITY_SET_READS,
               "they are so many");

/* Tables of one row have several, which are counted in turn: an increment must
   not wait for the one before it. */
#define TURNS 8

/* The tables whose rows are positions. */
#define POSITION_TABLES (SEQUENCE_SOURCES - SEQUENCE_OF_POSITION_BASE)

struct sequence_counter {
    struct thread_link link; /* in the list of COUNTS */
    struct sequence_counts *counts;
    struct sequence_table table[SEQUENCE_SOURCES]; /* without positions */
    struct position_table position[POSITION_TABLES];
    struct position_tail tail[POSITION_TABLES]; /* beyond their most rows */
    /* Of these tables, those with more than bases that are used. */
    enum sequence_source combination[SEQUENCE_SOURCES];
    size_t combinations;
    bool needs_letters;
    bool needs_codes;
    bool needs_quality;
    read_letters_form *count_letters;
    size_t reads; /* since tables of positions were added to the sums */
    unsigned char code[256];
    struct quality_set qualities;
    struct sequence_leftover leftover[SEQUENCE_SOURCES]
                                     [SEQUENCE_COUNTER_RECORDS];
    size_t leftovers[SEQUENCE_SOURCES];
};

/* ---- tables ---- */

static bool
has_positions(enum sequence_source source)
{
    return source >= SEQUENCE_OF_POSITION_BASE;
}

/* The table of COUNTER for SOURCE, whose rows are positions. */
static struct position_table *
position_of(struct sequence_counter *counter, enum sequence_source source)
{
    return &counter->position[source - SEQUENCE_OF_POSITION_BASE];
}

/* The rows that a table always has. */
static size_t
rows_of(enum sequence_source source)
{
    switch (source) {
    case SEQUENCE_OF_BASE:
        return 1;
    case SEQUENCE_OF_QUALITY:
    case SEQUENCE_OF_BASE_QUALITY:
        return TURNS;
    default:
        return 0;
    }
}

/* Give TABLE room for ROWS, more than it has.  Returns 0, or -1: out of
   memory. */
static int
grow(struct sequence_table *table, size_t rows)
{
    size_t row = table->width * sizeof *table->count;
    uint64_t *grown = realloc(table->count, rows * row);

    if (grown == NULL)
        return -1;
    memset(grown + table->rows * table->width, 0, (rows - table->rows) * row);
    table->count = grown;
    table->rows = rows;
    return 0;
}

/* Give TABLE of a thread at least ROWS, at most MOST; without memory, fewer. */
static void
make_rows(struct sequence_table *table, size_t rows, size_t most)
{
    rows = rows < 2 * table->rows ? 2 * table->rows : rows;
    rows = rows < ROWS_MIN ? ROWS_MIN : rows;
    rows = rows < most ? rows : most;
    if (rows > table->rows)
        (void)grow(table, rows);
}

/* Give the sums TO at least as many rows as FROM.  Returns 0, or -1: out of
   memory. */
static int
make_room(size_t rows, struct sequence_table *to)
{
    return rows > to->rows ? grow(to, rows) : 0;
}

/* Add the counts of FROM, a table of a thread, to TO.  Returns 0, or -1: out
   of memory. */
static int
add_table(const struct sequence_table *from, struct sequence_table *to)
{
    size_t cells = from->rows * from->width;

    if (make_room(from->rows, to) < 0)
        return -1;
    for (size_t c = 0; c < cells; c++)
        to->count[c] += from->count[c];
    return 0;
}

/* Add the counts of the tables of COUNTER whose rows are positions to the sums,
   and clear them.  Under the lock.  Returns 0, or -1: out of memory. */
static int
move_positions(struct sequence_counter *counter)
{
    for (size_t p = 0; p < POSITION_TABLES; p++) {
        struct position_table *table = &counter->position[p];
        struct sequence_table *sum =
            &counter->counts->sum[p + SEQUENCE_OF_POSITION_BASE];
        if (table->rows == 0)
            continue;
        if (make_room(table->rows, sum) < 0)
            return -1;
        position_table_move(table, &counter->qualities, sum->count);
    }
    counter->reads = 0;
    return 0;
}

/* Add the tables of COUNTER without positions to the sums, and clear them.
   Under the lock.  Returns 0, or -1: out of memory. */
static int
move_tables(struct sequence_counter *counter)
{
    for (int s = 0; s < SEQUENCE_OF_POSITION_BASE; s++) {
        struct sequence_table *table = &counter->table[s];
        if (table->rows == 0)
            continue;
        if (add_table(table, &counter->counts->sum[s]) < 0)
            return -1;
        memset(table->count, 0,
               table->rows * table->width * sizeof *table->count);
    }
    for (size_t p = 0; p < POSITION_TABLES; p++) {
        struct position_tail *tail =
            &counter->counts->tail[p + SEQUENCE_OF_POSITION_BASE];
        position_table_flush(&counter->position[p], &counter->qualities);
        if (position_tail_move(&counter->tail[p], tail) < 0)
            return -1;
    }
    return 0;
}

/* ---- one thread ---- */

struct sequence_counter *
sequence_counter_new(struct sequence_counts *counts)
{
    struct sequence_counter *counter = calloc(1, sizeof *counter);
    bool is_open = counter != NULL;

    if (counter == NULL)
        return NULL;
    counter->counts = counts;
    counter->count_letters = read_letters_choose();
    quality_set_open(&counter->qualities, position_planes_are_possible());
    for (binning_u32 byte = 0; byte < 256; byte++)
        counter->code[byte] = (unsigned char)sequence_letter_code(
            byte, counts->spec->text.keeps_case);
    for (int s = 0; s < SEQUENCE_SOURCES; s++) {
        enum sequence_source source = (enum sequence_source)s;
        struct sequence_table *table = &counter->table[s];
        table->width = counts->sum[s].width;
        if (has_positions(source))
            position_table_open(position_of(counter, source), source,
                                counter->qualities.is_kept);
        if (table->width == 0)
            continue;
        if (source >= SEQUENCE_OF_QUALITY)
            counter->combination[counter->combinations++] = source;
        counter->needs_codes |= source == SEQUENCE_OF_BASE_QUALITY ||
                                source == SEQUENCE_OF_POSITION_BASE ||
                                source == SEQUENCE_OF_ALL;
        counter->needs_quality |= source == SEQUENCE_OF_QUALITY ||
                                  source == SEQUENCE_OF_BASE_QUALITY ||
                                  source == SEQUENCE_OF_POSITION_QUALITY ||
                                  source == SEQUENCE_OF_ALL;
        counter->needs_letters |= counter->needs_codes ||
                                  source == SEQUENCE_OF_GC ||
                                  source == SEQUENCE_OF_BASE;
        size_t rows = rows_of(source);
        if (rows == 0)
            continue;
        table->count = calloc(rows * table->width, sizeof *table->count);
        table->rows = rows;
        is_open &= table->count != NULL;
    }
    thread_list_add(&counts->counters, &counter->link);
    if (is_open)
        return counter;
    sequence_counter_close(counter);
    return NULL;
}

void
sequence_counter_close(struct sequence_counter *counter)
{
    struct sequence_counts *counts = counter->counts;

    thread_list_remove(&counts->counters, &counter->link);
    for (int s = 0; s < SEQUENCE_SOURCES; s++)
        free(counter->table[s].count);
    for (size_t p = 0; p < POSITION_TABLES; p++) {
        position_table_close(&counter->position[p]);
        position_tail_close(&counter->tail[p]);
    }
    free(counter);
}

const struct sequence_leftover *
sequence_counter_leftovers(const struct sequence_counter *counter,
                           enum sequence_source source, size_t *count)
{
    *count = counter->leftovers[source];
    return counter->leftover[source];
}

/* Leave record R from base FIRST on for SOURCE. */
static void
leave(struct sequence_counter *counter, enum sequence_source source, size_t r,
      size_t first)
{
    counter->leftover[source][counter->leftovers[source]++] =
        (struct sequence_leftover){(uint32_t)r, (uint32_t)first};
}

static void
add_length(struct sequence_counter *counter, size_t r, size_t length)
{
    struct sequence_table *table = &counter->table[SEQUENCE_OF_LENGTH];

    if (length >= table->rows)
        make_rows(table, length + 1, LENGTHS_MAX);
    if (length < table->rows)
        table->count[length]++;
    else
        leave(counter, SEQUENCE_OF_LENGTH, r, 0);
}

/* Count the bases of the SIZE bytes at AT, of which LETTERS are known.  What is
   no base is counted, too, and ignored at the end. */
static void
add_bases(struct sequence_counter *counter, const unsigned char *at,
          size_t size, const uint32_t letters[LETTER_COUNTS])
{
    uint64_t *count = counter->table[SEQUENCE_OF_BASE].count;
    size_t known = 0;

    if (size > LETTERS_MAX) {
        byte_count_fast(at, size, count);
        return;
    }
    for (int l = 0; l < LETTER_COUNTS; l++) {
        count[(unsigned char)LETTER_COUNT_TEXT[l]] += letters[l];
        known += letters[l];
    }
    for (size_t i = 0; known < size && i < size; i++) {
        if (counter->code[at[i]] == SEQUENCE_NO_CODE && at[i] != '\n')
            count[at[i]]++;
    }
}

/*
 * Count the letters of RECORD, which read_letters.h does not count.  Sets *GC
 * to how many are G or C, of any case.  Returns whether all bases have codes.
 */
static bool
add_letters(struct sequence_counter *counter, const unsigned char *data,
            const struct sequence_record *record, uint32_t *gc)
{
    const unsigned char *base = data + record->bases_start;
    uint32_t size = read_letters_size(data, record);
    bool keeps_case = counter->counts->spec->text.keeps_case;
    uint32_t letters[LETTER_COUNTS];
    size_t known = 0;

    letter_count(base, size, !keeps_case, letters);
    if (counter->table[SEQUENCE_OF_BASE].width > 0)
        add_bases(counter, base, size, letters);
    for (int l = 0; SEQUENCE_LETTERS[l] != '\0'; l++)
        known += letters[l];
    if (keeps_case && counter->table[SEQUENCE_OF_GC].width > 0)
        letter_count(base, record->bases_end - record->bases_start, true,
                     letters);
    *gc = letters[LETTER_COUNT_C] + letters[LETTER_COUNT_G];
    return known == record->length;
}

/* Add the letters of many reads. */
static void
add_totals(const struct sequence_counter *counter,
           const struct read_letters *letters)
{
    const struct sequence_table *table = &counter->table[SEQUENCE_OF_BASE];

    for (int l = 0; table->width > 0 && l < READ_LETTERS; l++)
        table->count[(unsigned char)READ_LETTERS_TEXT[l]] += letters->total[l];
}

/* Record R has LENGTH bases, of which GC are G or C. */
static void
add_gc(struct sequence_counter *counter, size_t r, uint32_t length, uint32_t gc)
{
    struct sequence_table *table = &counter->table[SEQUENCE_OF_GC];
    size_t rows = sequence_gc_cell(length + 1, 0);

    /* Rows for all lengths would be pages that only the end touches: one
       thread, for each thread. */
    if (length <= SEQUENCE_GC_LENGTH && rows > table->rows)
        make_rows(table, rows, GC_ROWS_MAX);
    if (length > SEQUENCE_GC_LENGTH || rows > table->rows)
        leave(counter, SEQUENCE_OF_GC, r, 0);
    else
        table->count[sequence_gc_cell(length, gc)]++;
}

/* Of a byte that tables have. */
static size_t
quality_cell(unsigned char quality)
{
    return (size_t)quality - SEQUENCE_QUALITY_FIRST;
}

static void
add_qualities(uint64_t *count, const unsigned char *quality, size_t size)
{
    size_t i = 0;

    for (; i + TURNS <= size; i += TURNS) {
        for (size_t t = 0; t < TURNS; t++)
            count[t * 256 + quality[i + t]]++;
    }
    for (; i < size; i++)
        count[quality[i]]++;
}

static void
add_pairs(const struct sequence_counter *counter, const unsigned char *base,
          const unsigned char *quality, size_t size)
{
    const struct sequence_table *table =
        &counter->table[SEQUENCE_OF_BASE_QUALITY];

    for (size_t i = 0; i < size; i++)
        table->count[i % TURNS * table->width +
                     quality_cell(quality[i]) * SEQUENCE_CODES +
                     counter->code[base[i]]]++;
}

/* Count the bases of RECORD from number FIRST on, which the table of SOURCE has
   no rows for.  Returns how many have room. */
static uint32_t
add_tail(struct sequence_counter *counter, enum sequence_source source,
         const unsigned char *data, const struct sequence_record *record,
         uint32_t first)
{
    const struct sequence_counts *counts = counter->counts;

    /* Without memory, the table has fewer rows. */
    if (first < counts->rows_max[source])
        return 0;
    return position_tail_add(&counter->tail[source - SEQUENCE_OF_POSITION_BASE],
                             source, counter->code,
                             data + record->bases_start + first,
                             data + record->quality_start + first,
                             record->length - first, counts->tail_max);
}

/* Count record R in the table of SOURCE, whose rows are positions. */
static void
add_positions(struct sequence_counter *counter, enum sequence_source source,
              const unsigned char *data, const struct sequence_record *record,
              size_t r)
{
    struct position_table *table = position_of(counter, source);
    uint32_t size = record->length;

    if (size > table->rows)
        position_table_grow(table, size, counter->counts->rows_max[source]);
    if (size > table->rows) {
        uint32_t rows = (uint32_t)table->rows;
        uint32_t done = rows + add_tail(counter, source, data, record, rows);
        if (done < size)
            leave(counter, source, r, done);
        size = rows;
    }
    if (size > 0)
        position_table_add(table, counter->code, &counter->qualities,
                           data + record->bases_start,
                           data + record->quality_start, size);
}

/* Count record R, which has qualities if HAS_QUALITY, in the tables with more
   than bases.  If not HAS_CODES, a base has no code. */
static void
add_combinations(struct sequence_counter *counter, const unsigned char *data,
                 const struct sequence_record *record, size_t r, bool has_codes,
                 bool has_quality)
{
    const struct sequence_table *table = counter->table;
    const unsigned char *base = data + record->bases_start;
    const unsigned char *quality = data + record->quality_start;

    for (size_t i = 0; i < counter->combinations; i++) {
        enum sequence_source source = counter->combination[i];
        bool needs_quality = source != SEQUENCE_OF_POSITION_BASE;
        bool needs_codes = source != SEQUENCE_OF_QUALITY &&
                           source != SEQUENCE_OF_POSITION_QUALITY;
        if (source == SEQUENCE_OF_QUALITY && record->quality_end == 0)
            table[source].count[SEQUENCE_QUALITY_NONE] += record->length;
        else if ((needs_quality && !has_quality) || (needs_codes && !has_codes))
            leave(counter, source, r, 0);
        else if (has_positions(source))
            add_positions(counter, source, data, record, r);
        else if (source == SEQUENCE_OF_QUALITY)
            add_qualities(table[source].count, quality, record->length);
        else
            add_pairs(counter, base, quality, record->length);
    }
}

/* Count record R.  GC is what read_letters.h says of it.  HAS_QUALITY: it has
   qualities, which are in the set, and have cells; otherwise, they may. */
static void
add_record(struct sequence_counter *counter, const unsigned char *data,
           const struct sequence_record *record, size_t r, uint32_t gc,
           bool has_quality)
{
    const struct sequence_table *table = counter->table;
    bool has_codes = gc != READ_LETTERS_NONE;

    if (!has_codes && counter->needs_letters)
        has_codes = add_letters(counter, data, record, &gc);
    if (table[SEQUENCE_OF_LENGTH].width > 0)
        add_length(counter, r, record->length);
    if (table[SEQUENCE_OF_GC].width > 0)
        add_gc(counter, r, record->length, gc);
    if (!counter->needs_codes && !counter->needs_quality)
        return;
    if (!has_quality && counter->needs_quality && record->quality_end > 0)
        has_quality = quality_set_take(
            &counter->qualities, data + record->quality_start, record->length);
    add_combinations(counter, data, record, r, has_codes, has_quality);
}

/* Count COUNT records, TOGETHER at most, from number FIRST on. */
static void
add_records(struct sequence_counter *counter, const unsigned char *data,
            const struct sequence_record *record, size_t first, size_t count)
{
    const bool folds_case = !counter->counts->spec->text.keeps_case;
    struct read_letters letters;
    uint32_t has_quality = 0;

    if (counter->needs_letters) {
        counter->count_letters(data, record, count, folds_case, &letters);
        add_totals(counter, &letters);
    }
    if (counter->needs_quality)
        has_quality =
            quality_set_find(&counter->qualities, data, record, count);
    for (size_t r = 0; r < count; r++)
        add_record(counter, data, &record[r], first + r,
                   counter->needs_letters ? letters.gc[r] : READ_LETTERS_NONE,
                   (has_quality >> r & 1) != 0);
}

int
sequence_counter_add(struct sequence_counter *counter,
                     const unsigned char *data,
                     const struct sequence_record *record, size_t count)
{
    int result = 0;

    memset(counter->leftovers, 0, sizeof counter->leftovers);
    /* A read increments a cell at most once. */
    if (counter->reads + count > UINT16_MAX) {
        pthread_mutex_lock(&counter->counts->counters.lock);
        result = move_positions(counter);
        pthread_mutex_unlock(&counter->counts->counters.lock);
    }
    if (result < 0)
        return -1;
    counter->reads += count;
    for (size_t r = 0; r < count; r += TOGETHER)
        add_records(counter, data, &record[r], r,
                    count - r < TOGETHER ? count - r : TOGETHER);
    for (size_t p = 0; p < POSITION_TABLES; p++)
        position_table_settle(&counter->position[p], counter->code,
                              &counter->qualities);
    return 0;
}

/* ---- all threads ---- */

int
sequence_counts_open(struct sequence_counts *counts, const struct spec *spec,
                     unsigned int threads, size_t memory_limit)
{
    size_t histograms = spec_histograms(spec);
    size_t bytes = memory_limit / 16 / threads;

    *counts = (struct sequence_counts){.spec = spec};
    thread_list_open(&counts->counters);
    counts->source = calloc(histograms, sizeof *counts->source);
    if (counts->source == NULL)
        return -1;
    counts->tail_max = bytes / TAIL_SHARE / sizeof(uint32_t);
    bytes = bytes < ROWS_BYTES ? bytes : ROWS_BYTES;
    for (size_t i = 0; i < histograms; i++) {
        enum sequence_source source = sequence_source_choose(spec, i);
        size_t width = sequence_table_width(source);
        counts->source[i] = source;
        counts->has[read_groups_unit(spec, i)][source] |=
            spec->histogram[i].kind != COUNTED_KMERS;
        if (source == SEQUENCE_NO_TABLE)
            continue;
        counts->is_used = true;
        counts->sum[source].width = width;
        if (has_positions(source))
            counts->rows_max[source] = position_table_rows_of(
                source, position_planes_are_possible(), bytes);
    }
    return 0;
}

int
sequence_counts_settle(struct sequence_counts *counts)
{
    int result = 0;

    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first;
         at != NULL && result == 0; at = at->next)
        result = move_tables((struct sequence_counter *)at);
    for (int s = 0; s < SEQUENCE_SOURCES && result == 0; s++)
        result = position_tail_sort(&counts->tail[s]);
    pthread_mutex_unlock(&counts->counters.lock);
    return result;
}

size_t
sequence_counts_rows(struct sequence_counts *counts,
                     enum sequence_source source)
{
    size_t rows = counts->sum[source].rows;

    if (!has_positions(source))
        return rows;
    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next) {
        const struct position_table *table =
            position_of((struct sequence_counter *)at, source);
        rows = rows > table->rows ? rows : table->rows;
    }
    pthread_mutex_unlock(&counts->counters.lock);
    return rows;
}

void
sequence_counts_read(struct sequence_counts *counts,
                     enum sequence_source source, size_t first, uint64_t *count)
{
    const struct sequence_table *sum = &counts->sum[source];
    size_t rows = first < sum->rows ? sum->rows - first : 0;

    rows = rows < POSITION_BLOCK ? rows : POSITION_BLOCK;
    memset(count, 0, POSITION_BLOCK * sum->width * sizeof *count);
    if (rows > 0)
        memcpy(count, sum->count + first * sum->width,
               rows * sum->width * sizeof *count);
    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next)
        position_table_read(position_of((struct sequence_counter *)at, source),
                            first, count);
    pthread_mutex_unlock(&counts->counters.lock);
}

int
sequence_counts_add(struct sequence_counts *counts, enum sequence_source source,
                    uint64_t *count, size_t rows)
{
    struct sequence_table *sum = &counts->sum[source];
    const struct sequence_table table = {
        .width = sum->width, .rows = rows, .count = count};

    pthread_mutex_lock(&counts->counters.lock);
    int result = add_table(&table, sum);
    pthread_mutex_unlock(&counts->counters.lock);
    return result;
}

void
sequence_counts_clear(struct sequence_counts *counts)
{
    if (counts->spec == NULL)
        return;
    pthread_mutex_lock(&counts->counters.lock);
    for (int s = 0; s < SEQUENCE_SOURCES; s++) {
        struct sequence_table *sum = &counts->sum[s];
        if (sum->count != NULL)
            memset(sum->count, 0, sum->rows * sum->width * sizeof *sum->count);
        position_tail_close(&counts->tail[s]);
    }
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next) {
        struct sequence_counter *counter = (struct sequence_counter *)at;
        for (size_t p = 0; p < POSITION_TABLES; p++)
            position_table_clear(&counter->position[p]);
        counter->reads = 0;
    }
    pthread_mutex_unlock(&counts->counters.lock);
}

void
sequence_counts_close(struct sequence_counts *counts)
{
    if (counts->spec == NULL)
        return;
    for (int s = 0; s < SEQUENCE_SOURCES; s++) {
        free(counts->sum[s].count);
        position_tail_close(&counts->tail[s]);
    }
    free(counts->source);
    thread_list_close(&counts->counters);
}
