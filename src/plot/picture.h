/*
 * picture.h -- what a picture of a histogram shows, whoever draws it
 *
 * An axis is cut into bands: bins, or neighbours that are joined where there
 * are more bins than fit, and flow cells.  Each combination of bands has the
 * exact amount of the cells in it, so nothing is lost by joining.
 */

#ifndef GPUHIST_PICTURE_H
#define GPUHIST_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "hist/sum.h"
#include "plot/scale.h"
#include "util/error.h"
#include "util/number.h"

#define PICTURE_AXES_MAX 2
#define PICTURE_NAME_BYTES 64
#define PICTURE_TITLE_BYTES 512

/* What there are pictures of. */
struct picture_subject {
    const struct spec *spec;
    const struct histogram *histogram; /* of the shown axes: spec_fold() */
    enum flow flow;
    bool is_log;        /* the lengths of amounts */
    bool is_image;      /* fields are channels */
    bool is_incomplete; /* a part of the input is missing */
};

struct picture_band {
    uint64_t first; /* cell of the axis */
    uint64_t cells; /* so many neighbours; 1: not joined, or a flow cell */
    bool is_flow;
    char text[NUMBER_TEXT_BYTES * 3]; /* "65", "64..79", "[0, 0.5)", "nan" */
    char glyphs[8];   /* of bytes, what is printable: "A", "@..O"; or "" */
    const char *word; /* of a flow cell: "below"; else NULL */
};

struct picture_axis {
    const struct binning_axis *axis;
    const struct axis_edges *edges;
    char name[PICTURE_NAME_BYTES]; /* "bytes", "field 2 (f4)", "red" */
    uint64_t joined; /* bins in a band; fewer in the last one, if at all */
    size_t first;    /* the first band with bins */
    size_t last;     /* behind the last one */
    struct picture_band *band;
    size_t bands;
};

struct picture {
    const struct spec *spec;
    size_t axes;
    struct picture_axis axis[PICTURE_AXES_MAX];
    struct histogram amounts; /* of band x and, of another axis, y: cell
                                 y * axis[0].bands + x */
    struct scale scale;       /* up to the greatest magnitude */
    bool has_negative;        /* sums */
    bool is_incomplete;       /* as of the subject */
    uint64_t values;          /* that are shown */
};

/*
 * Whether there can be pictures of SPEC: of one or two axes at a time.
 * Returns 0, or -1 with *ERROR set, naming OPTION.
 */
int picture_check(const struct spec *spec, const char *option,
                  struct error *error);

/*
 * Make the picture of histogram I, of spec_histograms(), with at most so many
 * bands on each axis, flow cells included; at least one has bins.  If there
 * are more bins than that, and on a logarithmic axis, the empty ones at both
 * ends are left out, unless the picture must be WHOLE.  If there are too many
 * still, neighbours are joined: a number of them that divides all, so that
 * all bands are alike, if there is one below twice the least that would do.
 *
 * Returns 0, or -1: out of memory.  picture_close() is due in both cases.
 */
int picture_make(struct picture *picture, const struct picture_subject *subject,
                 size_t i, const size_t most[PICTURE_AXES_MAX], bool is_whole);

/* What is in a cell of picture->amounts: rounded, and exactly. */
double picture_amount(const struct picture *picture, uint64_t cell);
void picture_amount_text(const struct picture *picture, uint64_t cell,
                         char text[SUM_TEXT_BYTES]);

/* Whether no value is in a cell. */
bool picture_is_empty(const struct picture *picture, uint64_t cell);

/* What the amounts are: "count", "sum of field 2". */
void picture_amounts_name(const struct picture *picture,
                          char name[PICTURE_NAME_BYTES]);

/*
 * What is shown and how: "bytes: 48 counted, 16 joined, logarithmic"; of two
 * axes the first is the horizontal one.
 */
void picture_title(const struct picture *picture,
                   char title[PICTURE_TITLE_BYTES]);

/*
 * Round numbers on AXIS: their VALUE is a position in bands, where band i
 * reaches from i to i + 1.  Returns how many: at most MOST and
 * SCALE_TICKS_MAX.
 */
size_t picture_ticks(const struct picture_axis *axis, size_t most,
                     struct tick *tick);

void picture_close(struct picture *picture);

#endif
