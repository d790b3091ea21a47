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

/* The columns of a row. */
enum {
    TILE,
    POSITION,
    QUALITY,
};

struct tile_means {
    uint64_t number;
    double mean[BASE_GROUPS_MAX]; /* of each group of positions */
};

struct tile_list {
    struct tile_means *tile; /* TILES_MAX of them, owned */
    size_t count;
};

/* The qualities at one position of a tile. */
struct quality_sum {
    uint64_t sum;
    uint64_t count;
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

/* Adds up the means of the positions of a group. */
struct group_sum {
    double sum;
    uint64_t places;
};

/* The mean of the positions of GROUP; FastQC takes 0 for none. */
static double
mean_of(const struct group_sum *group)
{
    return group->places > 0 ? group->sum / (double)group->places : 0;
}

/* Read the rows of one tile, ROWS is at the first one, into TILE.  Returns
   whether other rows follow. */
static bool
read_tile(struct tile_means *tile, const struct fastqc_bases *bases,
          struct rows *rows)
{
    struct group_sum sums[BASE_GROUPS_MAX] = {{0, 0}};
    struct quality_sum place = {0, 0};
    bool is_row = true;
    size_t g = 0;

    while (is_row && number_of(&rows->column[TILE].component) == tile->number) {
        uint64_t position = rows->column[POSITION].component.integer.low;
        uint64_t count = rows->amount.count;
        struct key_component *quality = &rows->column[QUALITY].component;
        if (quality->tag == KEY_TAG_VALUE) {
            unsigned int byte =
                fastqc_bases_byte(bases, (int64_t)quality->integer.low);
            place.sum += (byte - bases->offset) * count;
            place.count += count;
        }
        is_row = rows_next(rows);
        bool is_end =
            !is_row ||
            rows->column[POSITION].component.integer.low != position ||
            number_of(&rows->column[TILE].component) != tile->number;
        if (!is_end || place.count == 0)
            continue;
        while (g + 1 < bases->groups && bases->range[g].last < position)
            g++;
        sums[g].sum += (double)place.sum / (double)place.count;
        sums[g].places++;
        place = (struct quality_sum){0, 0};
    }
    for (g = 0; g < bases->groups; g++)
        tile->mean[g] = mean_of(&sums[g]);
    return is_row;
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

    rows_open(&rows, report, i);
    for (bool is_row = rows_next(&rows); is_row;) {
        uint64_t number = number_of(&rows.column[TILE].component);
        if (number == UINT64_MAX || tiles->count == TILES_MAX)
            return false;
        struct tile_means *tile = &tiles->tile[tiles->count++];
        tile->number = number;
        is_row = read_tile(tile, bases, &rows);
    }
    qsort(tiles->tile, tiles->count, sizeof *tiles->tile, compare);
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
