/* SPDX-License-Identifier: MIT */
/* axis_direct.c -- axes with a bin for each value of an integer */

#include "hist/axis_rule.h"
#include "hist/record.h"

/* Make one bin for each value from FIRST to LAST, both included. */
static int
set_direct(struct axis_making *making, struct wide first, struct wide last)
{
    struct binning_axis *axis = making->axis;
    struct wide span = wide_subtract(last, first);

    if (wide_compare(span, wide_of(AXIS_BINS_MAX)) >= 0)
        return axis_parse_wrong(making, "--range", making->texts->range,
                                "more than 2^31 values; -b N makes fewer bins");
    axis->kind = BINNING_DIRECT;
    axis->first = first.low;
    axis->bins = span.low + 1;
    return 0;
}

/* Make the bins that --range asks for, FIRST to LAST. */
static int
set_range(struct axis_making *making, struct wide first, struct wide last)
{
    const char *text = making->texts->range;
    bool is_signed = binning_is_signed(making->axis->type);
    struct wide least = wide_of_signed(making->least);
    struct wide most = wide_of(making->most);

    if (wide_compare(last, least) < 0 || wide_compare(first, most) > 0)
        return axis_parse_wrong(making, "--range", text,
                                "no value of this field is in this range");
    /* Values that the type cannot hold would wrap around. */
    if (wide_compare(first, least) < 0 || wide_compare(last, most) > 0) {
        least = wide_of_signed(is_signed ? INT64_MIN : 0);
        most = wide_of(is_signed ? INT64_MAX : UINT64_MAX);
        if (wide_compare(first, least) < 0 || wide_compare(last, most) > 0)
            return axis_parse_wrong(making, "--range", text,
                                    "beyond what the type can hold");
    }
    return set_direct(making, first, last);
}

/* Whether the values from LEAST to MOST can have a bin each. */
static bool
may_be_dense(const struct axis_making *making, struct wide least,
             struct wide most)
{
    uint64_t limit = AXIS_BINS_MAX;

    /* Bins of what occurs need less memory than a table of all values. */
    if (making->is_sparse && making->edges->most != 0 &&
        making->edges->most < limit)
        limit = making->edges->most;
    return wide_compare(wide_subtract(most, least), wide_of(limit)) < 0;
}

int
axis_direct_make(struct axis_making *making)
{
    const char *text = making->texts->range;
    char low[AXIS_PARSE_BYTES];
    char high[AXIS_PARSE_BYTES];
    struct wide least = wide_of_signed(making->least);
    struct wide most = wide_of(making->most);
    struct wide first;
    struct wide last;

    /* A bin of one value has no open side. */
    if (making->axis->closed == BINNING_NUMPY)
        making->axis->closed = BINNING_LEFT;
    if (text == NULL) {
        if (may_be_dense(making, least, most))
            return set_direct(making, least, most);
        if (making->is_sparse) {
            making->axis->kind = BINNING_NUMBER;
            return 0;
        }
        error_set(
            making->error, EXIT_USAGE,
            "%s has more than %llu values, too many to list: give "
            "--range=LO,HI, --range=auto, --edges, --log or --scale%s",
            axis_type_name(making->axis), (unsigned long long)AXIS_BINS_MAX,
            making->may_be_sparse ? "; --nonzero lists those that occur" : "");
        return -1;
    }
    if (axis_parse_split(text, low, high) < 0 ||
        number_parse_integer(low, &first) < 0 ||
        number_parse_integer(high, &last) < 0)
        return axis_parse_wrong(
            making, "--range", text,
            "not LO,HI with two whole numbers; for other bins add "
            "--bins or --bin-width");
    if (wide_compare(first, last) >= 0)
        return axis_parse_wrong(making, "--range", text,
                                "LO must be less than HI");
    if (making->axis->closed == BINNING_RIGHT)
        first = wide_add(first, wide_of(1));
    else
        last = wide_subtract(last, wide_of(1));
    return set_range(making, first, last);
}
