/* SPDX-License-Identifier: MIT */
/*
 * group_slices.c -- print the lines of many groups on several cores
 *
 * A slice is a range of places in a table: of rows, so that a group belongs to
 * the slice of its first row, or of lines if groups are ranked.
 */

#include <stdlib.h>

#include "report/group_slices.h"
#include "report/slices.h"

/* Few enough for the text of short groups to fit into the room of a slice. */
#define SLICE_PLACES 2048

/* Fewer are not worth a thread. */
#define PLACES_MIN (8 * SLICE_PLACES)

/* What a thread has. */
struct group_part {
    struct group_table table; /* a copy, with CELL */
    uint64_t first;
    uint64_t end;
    struct group_cell cell[FIGURES_MAX];
};

struct group_lines {
    struct slices_lines lines;
    uint64_t next; /* place of the next slice */
    uint64_t most;
    group_slices_put *put;
    const void *context;
};

static void
take_groups(struct slices_lines *lines, void *part)
{
    struct group_lines *own = (struct group_lines *)lines;
    struct group_part *taken = part;

    taken->first = own->next;
    own->next += SLICE_PLACES;
    taken->end = own->next < own->most ? own->next : UINT64_MAX;
}

static void
put_groups(struct writer *out, void *part, const struct slices_lines *lines)
{
    const struct group_lines *own = (const struct group_lines *)lines;
    struct group_part *taken = part;

    group_table_cut(&taken->table, taken->first, taken->end);
    own->put(out, &taken->table, own->context);
}

/* Make PART a copy of TABLE, which has no fellow. */
static void
copy_table(struct group_part *part, const struct group_table *table)
{
    part->table = *table;
    part->table.cell = part->cell;
    for (size_t c = 0; c < table->columns->count; c++) {
        part->cell[c] = table->cell[c];
        part->table.of[c] = &part->table;
    }
}

/* Print LINES of TABLE.  Returns false, with nothing printed, if the system
   refuses threads or memory. */
static bool
print_parts(struct writer *out, const struct group_table *table,
            struct group_lines *lines)
{
    const unsigned int wanted = table->report->threads;
    const unsigned int threads =
        wanted < SLICES_THREADS ? wanted : SLICES_THREADS;
    struct group_part *room = malloc(threads * sizeof *room);
    void *part[SLICES_THREADS];

    if (room == NULL)
        return false;
    for (unsigned int i = 0; i < threads; i++) {
        copy_table(&room[i], table);
        part[i] = &room[i];
    }
    bool is_printed = slices_run(out, &lines->lines, part, threads);
    free(room);
    return is_printed;
}

void
group_slices_print(struct writer *out, struct group_table *table,
                   group_slices_put *put, const void *context)
{
    struct group_lines lines = {
        .lines = {.take = take_groups, .put = put_groups},
        .put = put,
        .context = context,
    };

    lines.next = group_table_place(table, &lines.most);
    uint64_t places = lines.most - lines.next;
    lines.lines.slices = (places + SLICE_PLACES - 1) / SLICE_PLACES;
    /* The groups of fellows are found one after the other. */
    if (table->report->threads < 2 || table->walk.groups == 0 ||
        table->fellows > 0 || places < PLACES_MIN ||
        !print_parts(out, table, &lines))
        put(out, table, context);
}
