/* spectrum_figures.c -- statistics of a spectrum: of all keys, not of rows */

#include "report/spectrum_figures.h"
#include "hist/spectrum.h"
#include "report/percentile.h"

/* Returns how many keys have multiplicity M of the list of spectrum I. */
static uint64_t
keys_with(const struct spec *spec, const struct histogram *histogram, size_t i,
          uint64_t m)
{
    return histogram_count(histogram, spec_first_cell(spec, i) + m);
}

struct spectrum_figures
spectrum_figures_of(const struct spec *spec, const struct histogram *histogram,
                    size_t i)
{
    const struct key_list *list = &spec->keys[i];
    struct spectrum_figures figures = {0};

    for (uint64_t m = 0; m < list->count; m++) {
        uint64_t keys = keys_with(spec, histogram, i, m);
        uint64_t multiplicity = spectrum_multiplicity(list, m);
        if (keys == 0)
            continue;
        figures.unique += multiplicity == 1 ? keys : 0;
        figures.distinct += keys;
        figures.total += keys * multiplicity;
        figures.most = multiplicity;
    }
    return figures;
}

uint64_t
spectrum_figures_percentile(const struct spectrum_figures *figures,
                            const struct spec *spec,
                            const struct histogram *histogram, size_t i,
                            uint64_t nano)
{
    uint64_t rank = percentile_rank(nano, figures->distinct);
    uint64_t keys = 0;
    uint64_t m = 0;

    while ((keys += keys_with(spec, histogram, i, m)) < rank)
        m++;
    return spectrum_multiplicity(&spec->keys[i], m);
}
