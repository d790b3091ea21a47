/* SPDX-License-Identifier: MIT */
/* format_idxstats.c -- how many records each reference has, as samtools
   idxstats */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "report/format.h"
#include "report/rows.h"

/* The columns. */
enum {
    COLUMN_NUMBER, /* rname-number */
    COLUMN_NAME,   /* rname */
    COLUMN_LENGTH, /* rname-length */
    COLUMN_UNMAPPED,
};

/* The records of a reference: mapped and unmapped ones. */
struct placed {
    uint64_t count[2];
};

static const struct key_component *
component_of(const struct rows *rows, size_t column)
{
    return &rows->column[column].component;
}

/* Whether the current line of ROWS is of a reference; else of records without
   one. */
static bool
has_reference(const struct rows *rows)
{
    return component_of(rows, COLUMN_NUMBER)->tag == KEY_TAG_VALUE;
}

/* ---- checks ---- */

/* The reference of the line before. */
struct reference_before {
    bool is_there;
    uint64_t number;
    uint64_t length;
    unsigned char *name; /* SIZE bytes, owned; room for ROOM */
    size_t size;
    size_t room;
};

/* Make *PREVIOUS the reference of the current line of ROWS.  Returns 0, or -1:
   out of memory. */
static int
keep(struct reference_before *previous, const struct rows *rows)
{
    const struct key_component *name = component_of(rows, COLUMN_NAME);

    if (name->text_size > previous->room) {
        unsigned char *grown = realloc(previous->name, name->text_size);
        if (grown == NULL)
            return -1;
        previous->name = grown;
        previous->room = name->text_size;
    }
    if (name->text_size > 0)
        memcpy(previous->name, name->text, name->text_size);
    previous->size = name->text_size;
    previous->number = component_of(rows, COLUMN_NUMBER)->integer.low;
    previous->length = component_of(rows, COLUMN_LENGTH)->integer.low;
    previous->is_there = true;
    return 0;
}

/* Check the current line of ROWS.  Returns 0, or -1 with *ERROR set. */
static int
check_line(struct reference_before *previous, const struct rows *rows,
           struct error *error)
{
    const struct key_component *name = component_of(rows, COLUMN_NAME);
    char shown[2][VISIBLE_BYTES];

    if (!has_reference(rows)) {
        if (component_of(rows, COLUMN_UNMAPPED)->tag == KEY_TAG_VALUE)
            return 0;
        error_set(error, EXIT_DATA,
                  "--format=idxstats is of BAM and SAM; reads of FASTA and "
                  "FASTQ have no flag, %" PRIu64 " in all",
                  rows->amount.count);
        return -1;
    }
    const uint64_t number = component_of(rows, COLUMN_NUMBER)->integer.low;
    const uint64_t length = component_of(rows, COLUMN_LENGTH)->integer.low;
    if (!previous->is_there || previous->number != number)
        return keep(previous, rows) < 0 ? error_fail_memory(error) : 0;
    if (previous->length == length && previous->size == name->text_size &&
        (name->text_size == 0 ||
         memcmp(previous->name, name->text, name->text_size) == 0))
        return 0;
    error_set(error, EXIT_DATA,
              "--format=idxstats is of inputs with one header: reference "
              "%" PRIu64 " is '%s' with %" PRIu64
              " bases, and '%s' with %" PRIu64,
              number, visible_name(shown[0], previous->name, previous->size),
              previous->length,
              visible_name(shown[1], name->text, name->text_size), length);
    return -1;
}

int
format_idxstats_check(const struct report *report, struct error *error)
{
    struct reference_before previous = {0};
    struct rows rows;
    int result = 0;

    rows_open(&rows, report, 0);
    while (result == 0 && rows_next(&rows)) {
        if (rows.amount.count > 0)
            result = check_line(&previous, &rows, error);
    }
    free(previous.name);
    return result;
}

/* ---- printing ---- */

/* Add the current line of ROWS.  A line of the header counts no record. */
static void
add_line(struct placed *placed, const struct rows *rows)
{
    const struct key_component *unmapped = component_of(rows, COLUMN_UNMAPPED);

    if (unmapped->tag == KEY_TAG_VALUE)
        placed->count[unmapped->integer.low != 0] += rows->amount.count;
}

static void
put_placed(struct writer *out, const struct placed *placed)
{
    writer_put_char(out, '\t');
    writer_put_number(out, placed->count[0]);
    writer_put_char(out, '\t');
    writer_put_number(out, placed->count[1]);
    writer_put_char(out, '\n');
}

/* Print the reference of the current line of ROWS, and its records; go to the
   line after them.  Returns whether there is one. */
static bool
put_reference(struct writer *out, struct rows *rows)
{
    const struct key_component *name = component_of(rows, COLUMN_NAME);
    const uint64_t number = component_of(rows, COLUMN_NUMBER)->integer.low;
    struct placed placed = {{0}};
    bool is_there = true;

    writer_put_bytes(out, name->text, name->text_size);
    writer_put_char(out, '\t');
    writer_put_number(out, component_of(rows, COLUMN_LENGTH)->integer.low);
    while (is_there && has_reference(rows) &&
           component_of(rows, COLUMN_NUMBER)->integer.low == number) {
        add_line(&placed, rows);
        is_there = rows_next(rows);
    }
    put_placed(out, &placed);
    return is_there;
}

void
format_idxstats(struct writer *out, const struct report *report)
{
    struct placed unplaced = {{0}};
    struct rows rows;

    rows_open(&rows, report, 0);
    for (bool is_there = rows_next(&rows); is_there;) {
        if (has_reference(&rows)) {
            is_there = put_reference(out, &rows);
            continue;
        }
        add_line(&unplaced, &rows);
        is_there = rows_next(&rows);
    }
    writer_put_text(out, "*\t0");
    put_placed(out, &unplaced);
}
