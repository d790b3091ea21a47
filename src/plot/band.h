/*
 * band.h -- an axis cut into bands, which a scene shows as bars or cells
 *
 * A band is a bin, several adjacent bins joined, or a flow cell.  Bins are
 * joined where an axis has more of them than fit.
 */

#ifndef GPUHIST_BAND_H
#define GPUHIST_BAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/number.h"
#include "hist/axis.h"
#include "hist/spec.h"

#define BAND_NAME_BYTES 128
#define BAND_TEXT_BYTES (NUMBER_TEXT_BYTES * 3)

struct band {
    uint64_t first; /* cell of the axis */
    uint64_t cells; /* adjacent cells in the band; 1 for a flow cell */
    bool is_flow;
    char text[BAND_TEXT_BYTES]; /* "65", "64..79", "[0, 0.5)", "nan" */
    char glyphs[8];   /* of byte values, the printable ones: "A", "@..O"; or
                         "" */
    const char *word; /* of a flow cell: "below"; of times without a key: TEXT;
                         else NULL */
};

/*
 * An axis and its bands.  The caller sets AXIS and EDGES, which must outlive
 * the struct; band_cut() sets the bands, band_text.h the texts.
 */
struct band_axis {
    const struct binning_axis *axis;
    const struct axis_edges *edges;
    char name[BAND_NAME_BYTES]; /* "bytes", "field 2 (f4)", "red" */
    uint64_t joined; /* bins in each band; the last band may have fewer */
    size_t first;    /* index of the first band of bins */
    size_t last;     /* one past the last band of bins */
    struct band *band;
    size_t bands;
};

/*
 * The cells of an axis that hold values.  Start with FIRST at UINT64_MAX and
 * the rest 0.
 */
struct band_extent {
    uint64_t first; /* bin; more than LAST if no bin holds values */
    uint64_t last;
    bool has_flow[BINNING_FLOWS + AXIS_SPECIALS];
};

/* Note in EXTENT that CELL of AXIS holds values. */
void band_extent_add(struct band_extent *extent,
                     const struct binning_axis *axis, uint64_t cell);

/*
 * Cut AXIS into at most MOST bands, flow cells included; but at least one band
 * of bins.  HOW decides which flow cells get a band.  Empty bins at both ends
 * are left out if the axis has too many bins or is logarithmic, unless
 * IS_WHOLE.  If there are still too many, adjacent bins are joined.  The number
 * joined divides the number of bins, so that all bands are alike, if such a
 * number exists below twice the smallest one that fits.
 *
 * Returns 0, or -1: out of memory.  The caller releases axis->band with free().
 */
int band_cut(struct band_axis *axis, const struct band_extent *extent,
             enum flow how, size_t most, bool is_whole);

/* The index of the band with CELL; SIZE_MAX if no band has it. */
size_t band_find(const struct band_axis *axis, uint64_t cell);

#endif
