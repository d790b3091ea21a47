/* SPDX-License-Identifier: MIT */
/* axis_parse.c -- parse the arguments of the options that make an axis */

#include <math.h>
#include <string.h>

#include "base/near_names.h"
#include "base/size.h"
#include "hist/axis_parse.h"
#include "hist/bin_rule.h"

int
axis_parse_wrong(const struct axis_making *making, const char *option,
                 const char *text, const char *wanted)
{
    error_set(making->error, EXIT_USAGE, "%s=%s: %s", option, text, wanted);
    return -1;
}

int
axis_parse_bits(const char *text, uint64_t *bits)
{
    struct wide number;

    if (number_parse_digits(text, &number) < 0 || number.high > 0)
        return -1;
    *bits = number.low;
    return 0;
}

int
axis_parse_split(const char *text, char lo[AXIS_PARSE_BYTES],
                 char hi[AXIS_PARSE_BYTES])
{
    size_t length = strcspn(text, ",:");

    if (text[length] == '\0' || length >= (size_t)AXIS_PARSE_BYTES ||
        strlen(text + length + 1) >= (size_t)AXIS_PARSE_BYTES)
        return -1;
    memcpy(lo, text, length);
    lo[length] = '\0';
    strcpy(hi, text + length + 1);
    return 0;
}

int
axis_parse_number(const char *text, double *value)
{
    struct wide whole;

    if (number_parse(text, value) == 0)
        return 0;
    if (number_parse_integer(text, &whole) < 0)
        return -1;
    *value = wide_double(whole);
    return 0;
}

bool
axis_parse_is_auto(const struct axis_making *making)
{
    const char *text = making->texts->range;

    return text != NULL && strcmp(text, "auto") == 0;
}

/* A word that TEXT, an argument of --range, may be meant for; or NULL. */
static const char *
near_word(const char *text)
{
    static const char *const words[] = {"minmax", "auto"};
    size_t length = strlen(text);

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (spelling_distance(text, length, words[i]) <= 2)
            return words[i];
    }
    return NULL;
}

int
axis_parse_ends(const struct axis_making *making, const char *text, double *lo,
                double *hi)
{
    char low[AXIS_PARSE_BYTES];
    char high[AXIS_PARSE_BYTES];
    const char *near;

    if (axis_parse_split(text, low, high) == 0 &&
        axis_parse_number(low, lo) == 0 && axis_parse_number(high, hi) == 0)
        return 0;
    near = near_word(making->texts->range);
    error_set(making->error, EXIT_USAGE,
              "--range=%s: not LO,HI with two finite numbers%s%s%s",
              making->texts->range, near != NULL ? " (did you mean " : "",
              near != NULL ? near : "", near != NULL ? "?)" : "");
    return -1;
}

int
axis_parse_range(const struct axis_making *making, double *lo, double *hi)
{
    const char *text = making->texts->range;

    if (axis_parse_ends(making, text, lo, hi) < 0)
        return -1;
    if (*lo >= *hi)
        return axis_parse_wrong(making, "--range", text,
                                "LO must be less than HI");
    if (isinf(*hi - *lo))
        return axis_parse_wrong(making, "--range", text, "too wide");
    return 0;
}

int
axis_parse_bins(const struct axis_making *making, uint64_t *bins)
{
    const char *text = making->texts->bins;

    if (size_parse(text + (*text == '+'), bins) < 0 || *bins < 1 ||
        *bins > AXIS_BINS_MAX)
        return axis_parse_wrong(making, "--bins", text, BIN_RULE_WANTED);
    return 0;
}

int
axis_parse_width(const struct axis_making *making, double *width)
{
    const char *text = making->texts->bin_width;

    if (axis_parse_number(text, width) < 0 || *width <= 0)
        return axis_parse_wrong(making, "--bin-width", text,
                                "not a number above 0");
    return 0;
}
