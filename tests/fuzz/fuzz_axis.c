/* SPDX-License-Identifier: MIT */
/*
 * fuzz_axis.c -- records and axes from the user's options
 *
 * Where an axis is made, its edges must increase, and values from the data
 * and around edges must be counted between the edges that are printed.
 */

#include "axis_check.h"
#include "hist/axis_rule.h"
#include "hist/lattice.h"

#define EDGES_MAX 4096

static void
check_record(const struct record *record)
{
    size_t end = 0;

    fuzz_must(record->bytes > 0 && record->bytes <= RECORD_BYTES_MAX &&
                  record->count > 0 && record->count <= RECORD_ELEMENTS_MAX,
              "a record of some size");
    for (size_t i = 0; i < record->count; i++) {
        const struct element *element = &record->element[i];
        fuzz_must(element->offset >= end, "elements do not overlap");
        end = element->offset + binning_size(element->type);
    }
    fuzz_must(end <= record->bytes, "elements lie in the record");
}

/* The first of the fields in LIST; -1: it was refused. */
static long
choose_field(const struct record *record, const char *list, struct error *error)
{
    size_t *field;
    size_t count;

    if (record_parse_fields(record, "--fields", list, &field, &count, error) <
        0)
        return -1;
    fuzz_must(count > 0 && count <= record->count, "some fields");
    for (size_t i = 0; i < count; i++)
        fuzz_must(field[i] < record->count, "fields of the record");
    long first = (long)field[0];
    free(field);
    return first;
}

/* The values around some edges, and those in the data. */
static void
check_values(struct binning_axis *axis, const struct axis_edges *edges,
             struct fuzz fuzz)
{
    if (axis->is_auto) {
        struct extent extent = extent_none;
        for (struct fuzz all = fuzz; all.size > 0;)
            extent_widen_bits(&extent, axis,
                              axis_check_mask(axis, fuzz_take(&all, 8)));
        lattice_set(axis, &extent);
    } else {
        for (uint64_t i = 0; i <= axis->bins && i < 8; i++) {
            axis_check_around(axis, edges, i);
            axis_check_around(axis, edges, axis->bins - i);
        }
    }
    if (axis->kind != BINNING_DIRECT)
        axis_check_edges(axis, edges);
    while (fuzz.size > 0)
        axis_check_bits(axis, edges, fuzz_take(&fuzz, 8));
}

static int
make(struct fuzz *fuzz, struct record *record, struct binning_axis *axis,
     struct axis_edges *edges, char *const *text, struct error *error)
{
    struct axis_texts texts = {
        .bins = text[2],
        .range = text[3],
        .bin_width = text[4],
        .edges = text[5],
        .log = text[6],
        .subdiv = text[7],
        .shift = text[8],
        .mask = text[9],
        .mod = text[10],
    };
    uint64_t how = fuzz_take(fuzz, 1);
    uint64_t most = fuzz_take(fuzz, 2);

    if (record_parse(record, text[0] != NULL ? text[0] : "f8",
                     (enum byte_order)(how % 3), "--record", error) < 0)
        return -1;
    check_record(record);
    long field = choose_field(record, text[1] != NULL ? text[1] : "1-", error);
    if (field < 0)
        return -1;
    /* Files are for another target. */
    if (texts.edges != NULL && *texts.edges == '@')
        texts.edges = "0,1";
    struct element element = record->element[field];
    /* As of an image: never above what the type can hold. */
    if (element.type == SAMPLE_U2 || (element.type == SAMPLE_U1 && most < 256))
        element.most = most;
    if (axis_make(axis, edges, &texts, &element,
                  (enum binning_closed)(how / 3 % 3), error) < 0)
        return -1;
    fuzz_must(axis->bins >= 1 && axis->bins <= AXIS_BINS_MAX, "some bins");
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    uint64_t given = fuzz_take(&fuzz, 2);
    char *text[11] = {NULL};
    struct record record = {0};
    struct axis_edges edges = {.most = EDGES_MAX};
    struct binning_axis axis;
    struct error error = ERROR_NONE;

    for (int i = 0; i < 11; i++) {
        if (given >> i & 1)
            text[i] = fuzz_take_text(&fuzz);
    }
    if (make(&fuzz, &record, &axis, &edges, text, &error) < 0)
        fuzz_must(error.status == EXIT_USAGE && *error.text != '\0',
                  "a message about usage");
    else
        check_values(&axis, &edges, fuzz);
    error_clear(&error);
    free(edges.edge);
    record_close(&record);
    for (int i = 0; i < 11; i++)
        free(text[i]);
    return 0;
}
