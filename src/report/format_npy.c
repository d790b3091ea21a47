/* SPDX-License-Identifier: MIT */
/* format_npy.c -- the counts as an array for numpy.load() */

#include <stdio.h>
#include <string.h>

#include "report/format.h"
#include "report/rows.h"
#include "report/slices.h"

/* numpy's format 1.0: the size of the header is a multiple of this. */
#define ALIGNMENT 64
#define HEADER_MAX 4096

/* Write the shape, "(2, 256, )", in C order. */
static void
shape_text(const struct spec *spec, char text[HEADER_MAX])
{
    size_t length = 0;

    text[0] = '\0';
    if (!spec->is_joint && spec->axis_count > 1)
        length += (size_t)snprintf(text, HEADER_MAX, "%zu, ", spec->axis_count);
    for (size_t i = 0; i < (spec->is_joint ? spec->axis_count : 1); i++)
        length += (size_t)snprintf(text + length, HEADER_MAX - length, "%llu, ",
                                   (unsigned long long)spec->shown[i].bins);
}

static void
put_header(struct writer *out, const struct spec *spec)
{
    char shape[HEADER_MAX];
    char header[HEADER_MAX * 2];

    shape_text(spec, shape);
    snprintf(header, sizeof header,
             "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }",
             spec->has_weights ? "<f8" : "<u8", shape);

    size_t prefix = strlen("\x93NUMPY") + 4;
    size_t length = strlen(header) + 1;
    size_t padding = ALIGNMENT - (prefix + length) % ALIGNMENT;
    writer_put_text(out, "\x93NUMPY\x01");
    writer_put_char(out, 0);
    writer_put_char(out, (char)((length + padding) & 255));
    writer_put_char(out, (char)((length + padding) >> 8));
    writer_put_text(out, header);
    for (size_t i = 0; i < padding; i++)
        writer_put_char(out, ' ');
    writer_put_char(out, '\n');
}

static void
put_word(struct writer *out, uint64_t word)
{
    char *at = writer_piece(out);

    for (size_t i = 0; i < sizeof word; i++)
        at[i] = (char)(word >> 8 * i);
    out->at += sizeof word;
}

static void
put_words(struct writer *out, struct rows *rows, const void *context)
{
    const struct spec *spec = rows->report->spec;

    (void)context;
    while (!writer_has_failed(out) && rows_next(rows))
        put_word(out,
                 spec->has_weights
                     ? binning_double_bits(amount_double(spec, &rows->amount))
                     : rows->amount.count);
}

void
format_npy(struct writer *out, const struct report *report)
{
    put_header(out, report->spec);
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct rows rows;
        rows_open(&rows, report, i);
        rows.flow = FLOW_HIDE;
        slices_print(out, &rows, report->threads, put_words, NULL);
    }
}

const char *
format_npy_wrong(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count && !spec->is_joint; i++) {
        if (spec->shown[i].bins != spec->shown[0].bins ||
            (spec->shown[i].is_trimmed && spec->axis_count > 1))
            return "--format=npy prints one array: all fields need the same "
                   "number of bins, and --log and --range=auto need "
                   "--range=LO,HI";
    }
    return NULL;
}
