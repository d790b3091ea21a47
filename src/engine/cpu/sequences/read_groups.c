/* SPDX-License-Identifier: MIT */
/* read_groups.c -- reads or operations with the same fields, and the qualities
   or bases of such reads by position */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/xxh.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/sequences/position_tuples.h"
#include "engine/cpu/sequences/read_groups.h"
#include "engine/sequence_source.h"
#include "seq/sequence_names.h"

/* The most groups, a power of two, and places of the hash table. */
#define GROUPS_MAX 4096
#define PLACES_LOG 13
#define PLACES ((size_t)1 << PLACES_LOG)

_Static_assert(PLACES == 2 * GROUPS_MAX, "half of the places are free");

/* An odd number with bits all over: 2^64 by the golden ratio. */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Groups cost less than a tuple for each element, if an element has so many
   like it. */
#define REPEATS 4

/* Positions of a block. */
#define ROWS_LOG 6
#define ROWS ((uint32_t)1 << ROWS_LOG)

/* The least cells: a position of a group may have all qualities. */
#define CELLS_MIN (ROWS * BYTES)

/* No block. */
#define BLOCK_NONE UINT32_MAX

/* The texts of the groups may take so many bytes, or those of one group. */
#define TEXT_MAX ((size_t)1 << 20)

/* Readers of keys load so many bytes before the end of a text.  Each byte,
   which may be a base, is a text; those of the groups follow. */
#define BYTES_START ((size_t)64)
#define BYTES 256
#define TEXT_START (BYTES_START + BYTES)

/* Rows have a multiple of so many columns, which are looked at together. */
#define WIDTH_STEP 4

/* A byte that has no column yet, and one that no quality has: the bases of
   FASTA. */
#define NO_COLUMN UINT16_MAX
#define NO_QUALITY '\n'

/* A place of the hash table. */
struct group_place {
    uint32_t tag;   /* of the hash, which few others share */
    uint32_t group; /* plus 1; 0: none */
};

/* The cells of some positions of a group: those from PLACE << ROWS_LOG on.
   Positions that no read of the group has take no memory. */
struct group_block {
    uint32_t group;
    uint32_t place;
    uint32_t next;  /* block of the group, which has a higher place; or none */
    uint32_t reads; /* that are counted in the cells, which have 16 bits */
};

struct read_groups {
    struct thread_link link; /* first */
    const struct spec *spec;
    size_t histogram;
    bool has_runs;   /* values by position; else there is a cell for each group,
                      and none of these: */
    size_t position; /* the place of the field */
    size_t value;    /* the quality, or ... */
    bool is_base;    /* ... the base */
    size_t own[SPEC_AXES_MAX];  /* OWNS places of the fields of reads */
    bool is_key[SPEC_AXES_MAX]; /* ... which are places of texts */
    size_t owns;

    /* CELLS of them, at most CELLS_MOST: rows of WIDTH cells, ROWS of a block.
       Those that were added later are reserved in MEMORY. */
    uint16_t *cell;
    size_t cells;
    size_t cells_most;
    size_t reserved;
    struct key_memory *memory;
    size_t rows;
    size_t width;
    struct group_block *block; /* BLOCKS of them have cells */
    uint32_t blocks;
    uint32_t full; /* a block without room for another read; or none */

    /* The columns of the bytes of values, and the reverse. */
    uint16_t column[BYTES];
    unsigned char byte[BYTES];
    size_t columns;
    unsigned char least, most; /* all bytes between have columns; LEAST is above
                                  MOST: none is known to */

    struct text_slice *field; /* of each group: OWNS slices of TEXT */
    uint32_t *first;          /* block of each group */
    size_t count;             /* of groups */
    size_t last;              /* that of the read before, if COUNT is not 0 */
    struct group_place place[PLACES];
    unsigned char *text;
    size_t used;
    size_t room;
    uint64_t reads; /* since they were empty */

    /* Taking out. */
    uint32_t next; /* the next block ... */
    size_t row;    /* ... and row */
    struct text_slice *slice;
    int64_t *amount;
};

/* Whether PART is one of reads or operations, of which many have the same. */
static bool
is_shared(enum text_part part)
{
    return part != TEXT_PART_NAME && part != TEXT_PART_SEQUENCE &&
           part != TEXT_PART_CIGAR && part != TEXT_PART_POS;
}

/* Whether the fields of HISTOGRAM of SPEC are of reads or operations, and
   shared, and no dense table counts them. */
static bool
are_shared(const struct spec *spec, size_t histogram)
{
    const size_t dimensions = spec_dimensions(spec, histogram);

    if (spec->histogram[histogram].unit != SEQUENCE_READS &&
        spec->histogram[histogram].unit != SEQUENCE_OPERATIONS)
        return false;
    for (size_t d = 0; d < dimensions; d++) {
        size_t axis = spec_axis_of(spec, histogram, d);
        if (spec_codes_grow(spec, axis) ||
            spec->text_fields.chain[axis].count > 0 ||
            !is_shared((enum text_part)spec->text_fields.field[axis].part))
            return false;
    }
    return sequence_source_choose(spec, histogram) == SEQUENCE_NO_TABLE;
}

/* Whether SPEC may have groups in HISTOGRAM at all. */
static bool
may_have_groups(const struct spec *spec, size_t histogram)
{
    return spec->kind == SPEC_SEQUENCES &&
           spec->histogram[histogram].kind == COUNTED_TUPLES &&
           !spec->has_weights && !spec_chooses_elements(spec) &&
           !group_cache_is_for(spec, histogram);
}

bool
read_groups_are_for(const struct spec *spec, size_t histogram)
{
    return read_groups_have_runs(spec, histogram) ||
           (may_have_groups(spec, histogram) && are_shared(spec, histogram));
}

bool
read_groups_have_runs(const struct spec *spec, size_t histogram)
{
    size_t positions = 0;
    size_t values = 0;
    size_t dimensions = spec_dimensions(spec, histogram);

    if (!may_have_groups(spec, histogram) ||
        spec->histogram[histogram].unit != SEQUENCE_BASES)
        return false;
    for (size_t d = 0; d < dimensions; d++) {
        size_t axis = spec_axis_of(spec, histogram, d);
        enum text_part part =
            (enum text_part)spec->text_fields.field[axis].part;
        bool is_value = part == TEXT_PART_QUALITY ||
                        (part == TEXT_PART_BASE &&
                         spec->text_fields.chain[axis].count == 0);
        positions += part == TEXT_PART_POSITION;
        values += is_value;
        if (spec_codes_grow(spec, axis) ||
            (part != TEXT_PART_POSITION && !is_value &&
             sequence_part_unit(part) != SEQUENCE_READS))
            return false;
    }
    return positions == 1 && values == 1 && dimensions > 2;
}

static void
set_fields(struct read_groups *groups, size_t histogram)
{
    const struct spec *spec = groups->spec;

    for (size_t d = 0; d < spec_dimensions(spec, histogram); d++) {
        size_t axis = spec_axis_of(spec, histogram, d);
        switch (spec->text_fields.field[axis].part) {
        case TEXT_PART_POSITION:
            groups->position = axis;
            break;
        case TEXT_PART_BASE:
            groups->is_base = true;
            groups->value = axis;
            break;
        case TEXT_PART_QUALITY:
            groups->value = axis;
            break;
        default:
            groups->is_key[groups->owns] =
                sequence_part_type(
                    (enum text_part)spec->text_fields.field[axis].part) ==
                SEQUENCE_KEY;
            groups->own[groups->owns++] = axis;
        }
    }
}

/* Without groups, all cells are 0. */
static void
empty(struct read_groups *groups)
{
    memset(groups->place, 0, sizeof groups->place);
    groups->count = 0;
    groups->used = TEXT_START;
    groups->reads = 0;
    groups->blocks = 0;
    groups->full = BLOCK_NONE;
    groups->next = 0;
    groups->row = 0;
}

struct read_groups *
read_groups_new(const struct spec *spec, size_t histogram, size_t bytes,
                struct key_memory *memory)
{
    struct read_groups *groups = calloc(1, sizeof *groups);
    size_t cells = bytes / sizeof *groups->cell;

    if (groups == NULL)
        return NULL;
    groups->spec = spec;
    groups->histogram = histogram;
    groups->has_runs = read_groups_have_runs(spec, histogram);
    groups->cells = cells > CELLS_MIN ? cells : CELLS_MIN;
    groups->rows = ROWS;
    groups->width = WIDTH_STEP;
    if (!groups->has_runs) {
        groups->cells = GROUPS_MAX;
        groups->rows = 1;
        groups->width = 1;
        groups->columns = 1;
    }
    groups->memory = memory;
    groups->cells_most = memory->limit / 2 / sizeof *groups->cell;
    if (!groups->has_runs || groups->cells_most < groups->cells)
        groups->cells_most = groups->cells;
    set_fields(groups, histogram);
    memset(groups->column, 0xff, sizeof groups->column);
    groups->least = UCHAR_MAX;
    groups->room = 2 * TEXT_START;
    groups->cell = calloc(groups->cells, sizeof *groups->cell);
    groups->block = malloc(groups->cells_most / (groups->rows * groups->width) *
                           sizeof *groups->block);
    groups->field = calloc(GROUPS_MAX * groups->owns, sizeof *groups->field);
    groups->first = malloc(GROUPS_MAX * sizeof *groups->first);
    groups->text = calloc(1, groups->room);
    groups->slice = calloc(READ_GROUPS_BATCH * spec->text_fields.count,
                           sizeof *groups->slice);
    groups->amount = calloc(READ_GROUPS_BATCH, sizeof *groups->amount);
    empty(groups);
    if (groups->cell != NULL && groups->block != NULL &&
        groups->field != NULL && groups->first != NULL &&
        groups->text != NULL && groups->slice != NULL &&
        groups->amount != NULL) {
        for (size_t b = 0; b < BYTES; b++)
            groups->text[BYTES_START + b] = (unsigned char)b;
        return groups;
    }
    read_groups_close(groups);
    return NULL;
}

void
read_groups_close(struct read_groups *groups)
{
    key_memory_unreserve(groups->memory, groups->reserved);
    free(groups->cell);
    free(groups->block);
    free(groups->field);
    free(groups->first);
    free(groups->text);
    free(groups->slice);
    free(groups->amount);
    free(groups);
}

/* The cells of a block. */
static size_t
block_cells(const struct read_groups *groups)
{
    return groups->rows * groups->width;
}

void
read_groups_restart(struct read_groups *groups)
{
    memset(groups->cell, 0,
           groups->blocks * block_cells(groups) * sizeof *groups->cell);
    empty(groups);
}

/* ---- the group of a read ---- */

/* Whether SLICE, of own field O, is where a text is. */
static bool
is_text(const struct read_groups *groups, size_t o, struct text_slice slice)
{
    return groups->is_key[o] && !text_slice_is_missing(slice);
}

/* Whether the fields of a read are those of group G. */
static bool
is_group(const struct read_groups *groups, size_t g, const unsigned char *data,
         const struct text_slice *field)
{
    const struct text_slice *known = groups->field + g * groups->owns;

    for (size_t o = 0; o < groups->owns; o++) {
        struct text_slice own = field[groups->own[o]];
        if (!is_text(groups, o, own)) {
            /* No known text has the bits of a missing one. */
            if (text_slice_bits(own) != text_slice_bits(known[o]))
                return false;
        } else if (own.size != known[o].size ||
                   text_slice_is_missing(known[o]) ||
                   memcmp(data + own.at, groups->text + known[o].at,
                          own.size) != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t
hash_of(const struct read_groups *groups, const unsigned char *data,
        const struct text_slice *field)
{
    uint64_t hash = 0;

    for (size_t o = 0; o < groups->owns; o++) {
        struct text_slice own = field[groups->own[o]];
        uint64_t bits = is_text(groups, o, own)
                            ? xxh64_of(data + own.at, own.size, 0)
                            : text_slice_bits(own);
        /* The high bits of a product depend on all others, which the next
           product spreads, too. */
        hash = (hash ^ hash >> 32 ^ bits) * FACTOR;
    }
    return hash;
}

/* Make room for SIZE more bytes of texts.  Returns false: there is none, or not
   before all elements are taken out. */
static bool
make_room(struct read_groups *groups, size_t size)
{
    size_t needed = groups->used + size;

    if (needed <= groups->room)
        return true;
    if (groups->count > 0 && needed > TEXT_MAX)
        return false;
    unsigned char *grown = realloc(groups->text, 2 * needed);
    if (grown == NULL)
        return false;
    groups->text = grown;
    groups->room = 2 * needed;
    return true;
}

/* Add the group of a read.  Returns false: no room. */
static bool
add_group(struct read_groups *groups, const unsigned char *data,
          const struct text_slice *field)
{
    struct text_slice *known = groups->field + groups->count * groups->owns;
    size_t size = 0;

    for (size_t o = 0; o < groups->owns; o++) {
        struct text_slice own = field[groups->own[o]];
        size += is_text(groups, o, own) ? own.size : 0;
    }
    if (groups->count == GROUPS_MAX || !make_room(groups, size))
        return false;
    for (size_t o = 0; o < groups->owns; o++) {
        struct text_slice own = field[groups->own[o]];
        known[o] = own;
        if (!is_text(groups, o, own))
            continue;
        known[o].at = (binning_u32)groups->used;
        memcpy(groups->text + groups->used, data + own.at, own.size);
        groups->used += own.size;
    }
    groups->first[groups->count] = BLOCK_NONE;
    groups->last = groups->count++;
    return true;
}

/* Make the group of a read the last one.  Returns false: no room. */
static bool
find_group(struct read_groups *groups, const unsigned char *data,
           const struct text_slice *field)
{
    if (groups->has_runs && groups->count > 0 &&
        is_group(groups, groups->last, data, field))
        return true;
    const uint64_t hash = hash_of(groups, data, field);
    const uint32_t tag = (uint32_t)hash;
    size_t place = (size_t)(hash >> (64 - PLACES_LOG));
    while (groups->place[place].group != 0) {
        groups->last = groups->place[place].group - (size_t)1;
        if (groups->place[place].tag == tag &&
            is_group(groups, groups->last, data, field))
            return true;
        place = (place + 1) % PLACES;
    }
    if (!add_group(groups, data, field))
        return false;
    groups->place[place] =
        (struct group_place){.tag = tag, .group = (uint32_t)groups->count};
    return true;
}

/* ---- counting ---- */

/* The bytes that are compared with each value, if there are so few columns. */
#define FEW 8

/* Whether all of the COUNT values are among the few bytes that have columns. */
static bool
are_few(const struct read_groups *groups, const unsigned char *value,
        size_t count)
{
    unsigned char few[FEW];
    unsigned char others = 0;

    for (size_t f = 0; f < FEW; f++)
        few[f] = groups->byte[f < groups->columns ? f : 0];
    for (size_t k = 0; k < count; k++)
        others |= (value[k] != few[0]) & (value[k] != few[1]) &
                  (value[k] != few[2]) & (value[k] != few[3]) &
                  (value[k] != few[4]) & (value[k] != few[5]) &
                  (value[k] != few[6]) & (value[k] != few[7]);
    return others == 0;
}

/* Whether all of the COUNT values are known to have columns, which this finds
   out without a look at each. */
static bool
have_columns(const struct read_groups *groups, const unsigned char *value,
             size_t count)
{
    unsigned char least = UCHAR_MAX;
    unsigned char most = 0;

    if (groups->columns > 0 && groups->columns <= FEW)
        return are_few(groups, value, count);
    for (size_t k = 0; k < count; k++) {
        least = value[k] < least ? value[k] : least;
        most = value[k] > most ? value[k] : most;
    }
    return least >= groups->least && most <= groups->most;
}

/* BYTE has a column now: find the bytes around it that have columns. */
static void
find_known(struct read_groups *groups, unsigned char byte)
{
    unsigned char least = byte;
    unsigned char most = byte;

    while (least > 0 && groups->column[least - 1] != NO_COLUMN)
        least--;
    while (most < UCHAR_MAX && groups->column[most + 1] != NO_COLUMN)
        most++;
    if (most - least >= groups->most - groups->least) {
        groups->least = least;
        groups->most = most;
    }
}

/* Give all of the COUNT values columns.  Returns false: no room. */
static bool
find_columns(struct read_groups *groups, const unsigned char *value,
             size_t count)
{
    uint16_t highest = 0;

    if (have_columns(groups, value, count))
        return true;
    for (size_t k = 0; k < count; k++)
        highest |= groups->column[value[k]];
    for (size_t k = 0; highest == NO_COLUMN && k < count; k++) {
        if (groups->column[value[k]] != NO_COLUMN)
            continue;
        if (groups->columns == groups->width) {
            if (groups->count > 0)
                return false;
            groups->width += WIDTH_STEP;
        }
        groups->byte[groups->columns] = value[k];
        groups->column[value[k]] = (uint16_t)groups->columns++;
        find_known(groups, value[k]);
    }
    return true;
}

/* Make room for another block.  Returns false: there is none. */
static bool
make_cells(struct read_groups *groups)
{
    const size_t bytes = groups->cells * sizeof *groups->cell;
    struct key_memory *memory = groups->memory;

    if ((groups->blocks + (size_t)1) * block_cells(groups) <= groups->cells)
        return true;
    if (2 * groups->cells > groups->cells_most ||
        atomic_load(&memory->used) + bytes > memory->limit / 2 ||
        !key_memory_reserve(memory, bytes))
        return false;
    uint16_t *grown = realloc(groups->cell, 2 * bytes);
    if (grown == NULL) {
        key_memory_unreserve(memory, bytes);
        return false;
    }
    memset(grown + groups->cells, 0, bytes);
    groups->cell = grown;
    groups->cells *= 2;
    groups->reserved += bytes;
    return true;
}

/*
 * Returns the block at PLACE of the last group, for another read.  *LINK is the
 * first block of the group, or the link to another one before PLACE.  Returns
 * BLOCK_NONE: no room.
 */
static uint32_t
find_block(struct read_groups *groups, uint32_t *link, uint32_t place)
{
    while (*link != BLOCK_NONE && groups->block[*link].place < place)
        link = &groups->block[*link].next;
    if (*link == BLOCK_NONE || groups->block[*link].place > place) {
        if (!make_cells(groups))
            return BLOCK_NONE;
        groups->block[groups->blocks] = (struct group_block){
            .group = (uint32_t)groups->last, .place = place, .next = *link};
        *link = groups->blocks++;
    }
    struct group_block *block = &groups->block[*link];
    if (block->reads == UINT16_MAX) {
        groups->full = *link;
        return BLOCK_NONE;
    }
    block->reads++;
    return *link;
}

/* Count COUNT values in rows of WIDTH cells from ROW on. */
static void
count_values(uint16_t *row, size_t width, const uint16_t column[BYTES],
             const unsigned char *value, size_t count)
{
    size_t k = 0;

    for (; k + 4 <= count; k += 4) {
        row[column[value[k]]]++;
        row += width;
        row[column[value[k + 1]]]++;
        row += width;
        row[column[value[k + 2]]]++;
        row += width;
        row[column[value[k + 3]]]++;
        row += width;
    }
    for (; k < count; k++, row += width)
        row[column[value[k]]]++;
}

bool
read_groups_add(struct read_groups *groups, const unsigned char *data,
                const unsigned char *runs, const struct text_slice *field,
                uint32_t *first)
{
    static const unsigned char none = NO_QUALITY;
    /* The run of the position is that of the bases. */
    struct text_slice run =
        field[groups->is_base ? groups->position : groups->value];
    bool has_value = !text_slice_is_missing(run);
    const unsigned char *value = has_value ? runs + run.at : &none;
    uint32_t length = field[groups->position].size;

    if (*first == length)
        return true;
    if (!find_columns(groups, value, has_value ? length : 1) ||
        !find_group(groups, data, field))
        return false;
    uint32_t *link = &groups->first[groups->last];
    while (*first < length) {
        uint32_t b = find_block(groups, link, *first >> ROWS_LOG);
        uint32_t left = length - *first;
        uint32_t rows = left < ROWS ? left : ROWS;
        if (b == BLOCK_NONE)
            return false;
        uint16_t *cell = groups->cell + b * block_cells(groups);
        if (has_value)
            count_values(cell, groups->width, groups->column, value + *first,
                         rows);
        for (uint32_t r = 0; !has_value && r < rows; r++)
            cell[r * groups->width + groups->column[none]]++;
        link = &groups->block[b].next;
        *first += rows;
    }
    groups->reads++;
    return true;
}

bool
read_groups_add_one(struct read_groups *groups, const unsigned char *data,
                    const struct text_slice *field)
{
    if (!find_group(groups, data, field))
        return false;
    uint32_t b = find_block(groups, &groups->first[groups->last], 0);
    if (b == BLOCK_NONE)
        return false;
    groups->cell[b]++;
    groups->reads++;
    return true;
}

bool
read_groups_are_worth_it(const struct read_groups *groups)
{
    return groups->reads >= REPEATS * groups->count;
}

/* ---- taking out ---- */

/* Write the fields of the element in COLUMN of ROW of BLOCK to SLICE. */
static void
put_element(const struct read_groups *groups, const struct group_block *block,
            size_t row, size_t column, struct text_slice *slice)
{
    unsigned char byte = groups->byte[column];
    const struct text_slice *known =
        groups->field + block->group * groups->owns;
    uint64_t position = ((uint64_t)block->place << ROWS_LOG) + row + 1;
    int64_t quality = byte - (int64_t)groups->spec->text.phred;
    struct text_slice value = text_slice_of_bits((uint64_t)quality);

    for (size_t o = 0; o < groups->owns; o++)
        slice[groups->own[o]] = known[o];
    if (!groups->has_runs)
        return;
    slice[groups->position] = text_slice_of_bits(position);
    if (groups->is_base)
        value = (struct text_slice){(binning_u32)BYTES_START + byte, 1};
    else if (byte == NO_QUALITY)
        value = TEXT_SLICE_NONE;
    slice[groups->value] = value;
}

/* Take the elements of ROW of BLOCK, of which CELL are the cells, out to SLICE
   and AMOUNT.  Returns how many there are. */
static size_t
take_row(const struct read_groups *groups, const struct group_block *block,
         size_t row, uint16_t *cell, struct text_slice *slice, int64_t *amount)
{
    const size_t fields = groups->spec->text_fields.count;
    size_t done = 0;

    for (size_t c = 0; c < groups->columns; c++) {
        if (cell[c] == 0)
            continue;
        put_element(groups, block, row, c, slice + done * fields);
        amount[done++] = cell[c];
        cell[c] = 0;
    }
    return done;
}

bool
read_groups_next(struct read_groups *groups, struct read_groups_batch *batch)
{
    const size_t fields = groups->spec->text_fields.count;
    const bool is_one = groups->full != BLOCK_NONE;
    const uint32_t end = is_one ? groups->full + 1 : groups->blocks;
    size_t done = 0;

    if (is_one && groups->next < groups->full)
        groups->next = groups->full;
    for (; groups->next < end; groups->next++, groups->row = 0) {
        struct group_block *block = &groups->block[groups->next];
        uint16_t *cell = groups->cell + groups->next * block_cells(groups);
        /* Whole rows: a batch has room for several. */
        for (; groups->row < groups->rows &&
               done + groups->width <= READ_GROUPS_BATCH;
             groups->row++)
            done += take_row(
                groups, block, groups->row, cell + groups->row * groups->width,
                groups->slice + done * fields, groups->amount + done);
        if (groups->row < groups->rows)
            break;
        block->reads = 0;
    }
    *batch = (struct read_groups_batch){
        .data = groups->text,
        .slice = groups->slice,
        .count = groups->amount,
        .elements = done,
    };
    if (done > 0)
        return true;
    if (!is_one)
        empty(groups);
    groups->full = BLOCK_NONE;
    groups->next = 0;
    groups->row = 0;
    return false;
}

/* ---- all threads, in order ---- */

/* A block of one of the groups; the elements of its group, which have numbers
   in the tuples, start with number FIRST. */
struct ordered_block {
    const struct read_groups *groups;
    const struct group_block *block;
    const uint16_t *cell;
    size_t first;
};

/* What is put in order. */
struct groups_order {
    const struct thread_list *list;
    struct ordered_block *block; /* BLOCKS of them, by place */
    size_t blocks;
    size_t elements; /* a number for each group and column */
    bool *occurs;    /* of each element */
    struct position_tuples tuples;
};

/* The cells that are looked at together. */
static inline uint64_t
cells_at(const uint16_t *cell)
{
    uint64_t bits;

    _Static_assert(sizeof bits == WIDTH_STEP * sizeof *cell, "all bits");
    memcpy(&bits, cell, sizeof bits);
    return bits;
}

/* Note which elements occur in BLOCK. */
static void
note_block(struct groups_order *order, const struct ordered_block *block)
{
    const struct read_groups *groups = block->groups;

    for (size_t c = 0; c < groups->columns; c += WIDTH_STEP) {
        uint64_t any = 0;
        for (size_t r = 0; r < groups->rows; r++)
            any |= cells_at(block->cell + r * groups->width + c);
        for (size_t i = c; any != 0 && i < c + WIDTH_STEP; i++) {
            for (size_t r = 0; r < groups->rows; r++)
                if (block->cell[r * groups->width + i] != 0)
                    order->occurs[block->first + i] = true;
        }
    }
}

/* Add the elements of GROUPS that occur, from number FIRST on. */
static enum key_result
add_elements(struct groups_order *order, const struct read_groups *groups,
             size_t first)
{
    struct group_block block = {.place = 0};
    enum key_result result = KEY_OK;

    for (size_t g = 0; g < groups->count; g++) {
        block.group = (uint32_t)g;
        for (size_t c = 0; c < groups->columns && result == KEY_OK; c++) {
            const size_t element = first + g * groups->width + c;
            if (!order->occurs[element])
                continue;
            put_element(groups, &block, 0, c, groups->slice);
            result = position_tuples_add(&order->tuples, groups->text,
                                         groups->slice, element);
        }
    }
    return result;
}

/* qsort(): by place. */
static int
compare_places(const void *a, const void *b)
{
    const uint32_t one = ((const struct ordered_block *)a)->block->place;
    const uint32_t other = ((const struct ordered_block *)b)->block->place;

    return (one > other) - (one < other);
}

/* Find all blocks, and add all elements that occur. */
static enum key_result
find_blocks(struct groups_order *order)
{
    enum key_result result = KEY_OK;
    size_t first = 0;
    size_t at = 0;

    for (struct thread_link *link = order->list->first;
         link != NULL && result == KEY_OK; link = link->next) {
        const struct read_groups *groups = (struct read_groups *)link;
        for (size_t b = 0; b < groups->blocks; b++) {
            order->block[at] = (struct ordered_block){
                .groups = groups,
                .block = &groups->block[b],
                .cell = groups->cell + b * block_cells(groups),
                .first = first + groups->block[b].group * groups->width,
            };
            note_block(order, &order->block[at++]);
        }
        result = add_elements(order, groups, first);
        first += groups->count * groups->width;
    }
    qsort(order->block, order->blocks, sizeof *order->block, compare_places);
    return result;
}

/* Count the elements in ROW of BLOCK. */
static void
count_row(struct groups_order *order, const struct ordered_block *block,
          size_t row)
{
    const struct read_groups *groups = block->groups;
    const uint16_t *cell = block->cell + row * groups->width;

    for (size_t c = 0; c < groups->columns; c += WIDTH_STEP) {
        if (cells_at(cell + c) == 0)
            continue;
        for (size_t i = c; i < c + WIDTH_STEP; i++) {
            if (cell[i] != 0)
                position_tuples_count(&order->tuples, block->first + i,
                                      cell[i]);
        }
    }
}

/* Add all tuples, position by position. */
static enum key_result
put_blocks(struct groups_order *order)
{
    enum key_result result = KEY_OK;
    size_t end;

    for (size_t b = 0; b < order->blocks && result == KEY_OK; b = end) {
        const uint64_t place = order->block[b].block->place;
        for (end = b;
             end < order->blocks && order->block[end].block->place == place;)
            end++;
        for (size_t r = 0; r < ROWS && result == KEY_OK; r++) {
            result =
                position_tuples_go(&order->tuples, (place << ROWS_LOG) + r + 1);
            for (size_t i = b; i < end && result == KEY_OK; i++)
                count_row(order, &order->block[i], r);
        }
    }
    return result == KEY_OK ? position_tuples_end(&order->tuples) : result;
}

enum key_result
read_groups_put(const struct thread_list *list, struct code_ranges *ranges,
                struct key_counts *counts)
{
    struct groups_order order = {.list = list};
    struct read_groups *first = (struct read_groups *)list->first;

    for (struct thread_link *at = list->first; at != NULL; at = at->next) {
        const struct read_groups *groups = (struct read_groups *)at;
        order.elements += groups->count * groups->width;
        order.blocks += groups->blocks;
    }
    if (order.blocks == 0)
        return KEY_OK;
    enum key_result result =
        position_tuples_open(&order.tuples, first->spec, first->histogram,
                             ranges, counts, order.elements);
    order.block = malloc(order.blocks * sizeof *order.block);
    order.occurs = calloc(order.elements, sizeof *order.occurs);
    if (order.block == NULL || order.occurs == NULL)
        result = KEY_NO_MEMORY;
    if (result == KEY_OK)
        result = find_blocks(&order);
    if (result == KEY_OK)
        result = position_tuples_start(&order.tuples);
    if (result == KEY_OK)
        result = put_blocks(&order);
    for (struct thread_link *at = list->first; at != NULL && result == KEY_OK;
         at = at->next)
        read_groups_restart((struct read_groups *)at);
    position_tuples_close(&order.tuples);
    free(order.block);
    free(order.occurs);
    return result;
}
