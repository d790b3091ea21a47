/* axis_direct.c -- axes with a bin for each value of an integer */

#include "hist/axis_rule.h"
#include "hist/record.h"

/* Make one bin for each value from FIRST to LAST, both included. */
static int
set_direct(struct axis_making *making, number_integer first,
           number_integer last)
{
    struct binning_axis *axis = making->axis;

    if (last - first >= (number_integer)AXIS_BINS_MAX)
        return axis_parse_wrong(making, "--range", making->texts->range,
                                "more than 2^31 values; -b N makes fewer bins");
    axis->kind = BINNING_DIRECT;
    axis->first = (uint64_t)first;
    axis->bins = (uint64_t)(last - first + 1);
    return 0;
}

int
axis_direct_make(struct axis_making *making)
{
    const char *text = making->texts->range;
    char low[AXIS_PARSE_BYTES];
    char high[AXIS_PARSE_BYTES];
    number_integer first;
    number_integer end;

    /* A bin of one value has no open side. */
    if (making->axis->closed == BINNING_NUMPY)
        making->axis->closed = BINNING_LEFT;
    if (text == NULL) {
        if (making->most - making->least < (number_integer)AXIS_BINS_MAX)
            return set_direct(making, making->least, making->most);
        error_set(making->error, EXIT_USAGE,
                  "%s has more than %llu values, too many to list: give "
                  "--range=LO,HI, --range=auto, --edges or --log",
                  record_type_name((enum sample_type)making->axis->type),
                  (unsigned long long)AXIS_BINS_MAX);
        return -1;
    }
    if (axis_parse_split(text, low, high) < 0 ||
        number_parse_integer(low, &first) < 0 ||
        number_parse_integer(high, &end) < 0)
        return axis_parse_wrong(
            making, "--range", text,
            "not LO,HI with two whole numbers; for other bins add "
            "--bins or --bin-width");
    if (first >= end)
        return axis_parse_wrong(making, "--range", text,
                                "LO must be less than HI");
    if (making->axis->closed == BINNING_RIGHT) {
        first++;
        end++;
    }
    /* Values that the type cannot hold would wrap around. */
    if (end - 1 < making->least || first > making->most)
        return axis_parse_wrong(making, "--range", text,
                                "no value of this field is in this range");
    if (first < making->least || end - 1 > making->most) {
        bool is_signed = binning_is_signed(making->axis->type);
        number_integer least = is_signed ? INT64_MIN : 0;
        number_integer most =
            is_signed ? INT64_MAX : (number_integer)UINT64_MAX;
        if (first < least || end - 1 > most)
            return axis_parse_wrong(making, "--range", text,
                                    "beyond what the type can hold");
    }
    return set_direct(making, first, end - 1);
}
