/* format_npy.c -- the counts as an array for numpy.load() */

#include <stdio.h>
#include <string.h>

#include "report/format.h"
#include "report/rows.h"

/* The header ends at a multiple of this: numpy's format, version 1.0. */
#define ALIGNMENT 64
#define HEADER_MAX 4096

/* "(2, 256, )": its axes, C order. */
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
put_header(FILE *out, const struct spec *spec)
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
    fputs("\x93NUMPY\x01", out);
    putc(0, out);
    putc((int)((length + padding) & 255), out);
    putc((int)((length + padding) >> 8), out);
    fprintf(out, "%s%*s\n", header, (int)padding, "");
}

static void
put_word(FILE *out, uint64_t word)
{
    unsigned char bytes[sizeof word] = {0};

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(word >> 8 * i);
    fwrite(bytes, 1, sizeof bytes, out);
}

void
format_npy(FILE *out, const struct report *report)
{
    const struct spec *spec = report->spec;

    put_header(out, spec);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        struct rows rows;
        rows_open(&rows, report, i);
        rows.flow = FLOW_HIDE;
        while (!ferror(out) && rows_next(&rows))
            put_word(out, spec->has_weights ? binning_double_bits(amount_double(
                                                  spec, &rows.amount))
                                            : rows.amount.count);
    }
}

const char *
format_npy_wrong(const struct spec *spec)
{
    for (size_t i = 0; i < spec->axis_count && !spec->is_joint; i++) {
        if (spec->shown[i].bins != spec->shown[0].bins ||
            (spec->shown[i].is_trimmed && spec->axis_count > 1))
            return "--format=npy is one array: all fields need as many bins; "
                   "--log needs a --range";
    }
    return NULL;
}
