/* SPDX-License-Identifier: MIT */
/* fastqc_tiles.c -- the mean qualities of tiles, by position */

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "report/fastqc_tiles.h"
#include "report/rows.h"

/* FastQC gives up with more tiles. */
#define TILES_MAX 2501

/* The limits of the difference of a tile from the mean of all tiles. */
#define WARN 5
#define FAIL 10

struct tile_means {
    uint64_t number;
    /* Of each group of positions: the sum of the means of PLACES positions,
       then their mean. */
    double mean[BASE_GROUPS_MAX];
    uint64_t places[BASE_GROUPS_MAX];
};

struct tile_list {
    struct tile_means *tile; /* TILES_MAX of them, owned */
    size_t count;
};

/* ---- reading ---- */

/* Returns the number of KEY, or UINT64_MAX: none. */
static uint64_t
number_of(const struct key_component *key)
{
    uint64_t number = 0;

    if (key->tag != KEY_TAG_VALUE)
        return UINT64_MAX;
    for (size_t i = 0; i < key->text_size; i++)
        number = number * 10 + (uint64_t)(key->text[i] - '0');
    return number;
}

/* Returns tile NUMBER of TILES, from *T on or before, and moves *T to it; NULL:
   there are too many.  The tiles of each position are in one order. */
static struct tile_means *
find_tile(struct tile_list *tiles, uint64_t number, size_t *t)
{
    size_t start = *t;

    while (*t < tiles->count && tiles->tile[*t].number != number)
        ++*t;
    for (size_t other = 0; *t == tiles->count && other < start; other++) {
        if (tiles->tile[other].number == number)
            *t = other;
    }
    if (*t == TILES_MAX)
        return NULL;
    if (*t == tiles->count)
        tiles->tile[tiles->count++].number = number;
    return &tiles->tile[*t];
}

/* Add the qualities of the current row of ROWS, and of those that follow with
   its position and tile, to the group G of the tile.  Returns false: there is
   no tile; or too many are.  Sets *IS_ROW: another row follows. */
static bool
read_place(struct tile_list *tiles, const struct fastqc_bases *bases, size_t g,
           struct rows *rows, size_t *t, bool *is_row)
{
    const uint64_t position =
        rows->column[FASTQC_COLUMN_POSITION].component.integer.low;
    const uint64_t number =
        number_of(&rows->column[FASTQC_COLUMN_TILE].component);
    struct tile_means *tile =
        number != UINT64_MAX ? find_tile(tiles, number, t) : NULL;
    uint64_t sum = 0;
    uint64_t count = 0;

    if (tile == NULL)
        return false;
    do {
        unsigned int byte;
        if (fastqc_bases_quality(bases, rows, &byte)) {
            sum += (byte - bases->offset) * rows->amount.count;
            count += rows->amount.count;
        }
        *is_row = rows_next(rows);
    } while (*is_row &&
             rows->column[FASTQC_COLUMN_POSITION].component.integer.low ==
                 position &&
             number_of(&rows->column[FASTQC_COLUMN_TILE].component) == number);
    if (count > 0) {
        tile->mean[g] += (double)sum / (double)count;
        tile->places[g]++;
    }
    return true;
}

static int
compare(const void *a, const void *b)
{
    const struct tile_means *one = a;
    const struct tile_means *other = b;

    return one->number < other->number ? -1 : one->number > other->number;
}

/* Read all tiles of histogram I, in their order.  Returns false: a name has
   none, or there are too many. */
static bool
read_tiles(struct tile_list *tiles, const struct fastqc_bases *bases,
           const struct report *report, size_t i)
{
    struct rows rows;
    size_t g = 0;
    size_t t = 0;

    rows_open(&rows, report, i);
    for (bool is_row = rows_next(&rows); is_row;) {
        uint64_t position =
            rows.column[FASTQC_COLUMN_POSITION].component.integer.low;
        while (g + 1 < bases->groups && bases->range[g].last < position)
            g++;
        if (!read_place(tiles, bases, g, &rows, &t, &is_row))
            return false;
    }
    qsort(tiles->tile, tiles->count, sizeof *tiles->tile, compare);
    /* FastQC takes 0 for a tile without qualities there. */
    for (t = 0; t < tiles->count; t++) {
        for (g = 0; g < bases->groups; g++) {
            if (tiles->tile[t].places[g] > 0)
                tiles->tile[t].mean[g] /= (double)tiles->tile[t].places[g];
        }
    }
    return tiles->count > 0;
}

/* Subtract the mean of all tiles from each, by group.  Returns the largest
   difference. */
static double
subtract_means(struct tile_list *tiles, size_t groups)
{
    double most = 0;

    for (size_t g = 0; g < groups; g++) {
        double mean = 0;
        for (size_t t = 0; t < tiles->count; t++)
            mean += tiles->tile[t].mean[g];
        mean /= (double)tiles->count;
        for (size_t t = 0; t < tiles->count; t++) {
            tiles->tile[t].mean[g] -= mean;
            most = fmax(most, fabs(tiles->tile[t].mean[g]));
        }
    }
    return most;
}

/* ---- printing ---- */

static void
put_tiles(const struct tile_list *tiles, const struct fastqc_bases *bases,
          double most, struct writer *out)
{
    fastqc_put_start(out, "Per tile sequence quality",
                     fastqc_verdict_above(most, WARN, FAIL));
    writer_put_text(out, "#Tile\tBase\tMean\n");
    for (size_t t = 0; t < tiles->count; t++) {
        for (size_t g = 0; g < bases->groups; g++) {
            writer_put_number(out, tiles->tile[t].number);
            writer_put_char(out, '\t');
            fastqc_put_range(out, bases->range[g].first, bases->range[g].last);
            writer_put_char(out, '\t');
            fastqc_put_double(out, tiles->tile[t].mean[g]);
            writer_put_char(out, '\n');
        }
    }
    fastqc_put_end(out);
}

void
fastqc_tiles_put(const struct fastqc_bases *bases, const struct report *report,
                 size_t i, struct writer *out)
{
    struct tile_list tiles = {.tile = calloc(TILES_MAX, sizeof *tiles.tile)};

    if (tiles.tile == NULL && !writer_has_failed(out))
        out->reason = ENOMEM;
    if (tiles.tile != NULL && bases->has_qualities &&
        read_tiles(&tiles, bases, report, i)) {
        double most = subtract_means(&tiles, bases->groups);
        put_tiles(&tiles, bases, most, out);
    }
    free(tiles.tile);
}
