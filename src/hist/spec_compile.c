/* spec_compile.c -- decide once what the options and the axes mean */

#include <stdlib.h>

#include "hist/spec.h"

void
counted_histogram_show(struct counted_histogram *histogram,
                       enum counted_rows rows)
{
    histogram->rows = rows;
    histogram->is_listed = rows >= ROWS_KEYS;
}

/* Which counter counts histogram I. */
static enum counted_kind
kind_of(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
    bool is_alone = spec_dimensions(spec, i) == 1;

    if (!spec->uses_tables)
        return COUNTED_CELLS;
    if (!is_alone)
        return spec->is_sparse ? COUNTED_TUPLES : COUNTED_JOINT;
    if (spec->kind == SPEC_SEQUENCES && spec_has_part(spec, i, TEXT_PART_KMER))
        return COUNTED_KMERS;
    return axis->kind == BINNING_KEY ? COUNTED_KEYS : COUNTED_NUMBERS;
}

/* The rows of histogram I. */
static enum counted_rows
rows_of(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    if (spec->is_sparse && spec_dimensions(spec, i) > 1)
        return ROWS_TUPLES;
    if (axis->kind == BINNING_KEY)
        return ROWS_KEYS;
    if (axis->kind == BINNING_NUMBER)
        return ROWS_NUMBERS;
    return axis_is_kmers(axis) ? ROWS_KMERS : ROWS_BINS;
}

int
spec_compile(struct spec *spec)
{
    size_t histograms = spec_histograms(spec);

    spec->histogram = calloc(histograms, sizeof *spec->histogram);
    if (spec->histogram == NULL)
        return -1;
    for (size_t i = 0; i < histograms; i++) {
        spec->histogram[i].kind = kind_of(spec, i);
        spec->histogram[i].unit = spec_unit(spec, i);
        counted_histogram_show(&spec->histogram[i], rows_of(spec, i));
    }
    return 0;
}
