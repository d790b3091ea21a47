/* bin_row_rule.c -- constants of an axis for bin_row.c, computed once */

#include <math.h>

#include "engine/cpu/cells/bin_row_rule.h"

/* Whether all integers of AXIS fit into 51 bits and a sign. */
static bool
is_narrow_integer(const struct binning_axis *axis)
{
    /* A mask or a modulus can turn negative numbers into large ones. */
    if (binning_is_signed(axis->type) &&
        ((axis->mask != UINT64_MAX && axis->mask >> 51 != 0) ||
         axis->mod >> 51 != 0))
        return false;
    return binning_size(axis->type) <= 4;
}

/* Whether all edges of an EVEN axis are whole multiples of its width and exact
   doubles, as those of lattice.h are. */
static bool
has_exact_edges(const struct binning_axis *axis)
{
    double number = axis->lo / axis->width;
    int exponent;

    return frexp(axis->width, &exponent) == 0.5 && floor(number) == number &&
           fabs(number) + (double)axis->bins <= 0x1p53;
}

/*
 * Whether the computed position among the bins of an EVEN axis is always less
 * than 3/8 of a bin off.  Then the position plus 5/8, rounded down, is the
 * number of the bin or of the next bin, and one comparison decides.  The
 * relative rounding errors of scale and position are below 2^-38, for positions
 * up to 2^31.  Those of the edges are at most a quarter of a width.
 */
static bool
is_near(const struct binning_axis *axis)
{
    double most = fmax(fabs(axis->lo), fabs(axis->hi));
    double bins = (double)axis->bins;

    return isnormal(axis->width) && isnormal(axis->scale) &&
           fabs(axis->scale * axis->width - 1) < 0x1p-40 &&
           fabs(axis->scale * (axis->hi - axis->lo) - bins) < bins * 0x1p-40 &&
           (axis->width > most * 0x1p-50 || has_exact_edges(axis));
}

static void
set_flow(struct bin_row_rule *rule)
{
    const struct binning_axis *axis = rule->axis;
    struct bin_row_flow *flow = &rule->flow;
    bool right = axis->closed == BINNING_RIGHT;

    rule->least = right ? nextafter(-BINNING_AUTO_MAX, -(double)INFINITY)
                        : -BINNING_AUTO_MAX;
    rule->end = right ? BINNING_AUTO_MAX
                      : nextafter(BINNING_AUTO_MAX, (double)INFINITY);
    flow->under = axis->is_auto ? fmax(axis->lo, rule->least) : axis->lo;
    flow->over = axis->is_auto ? fmin(axis->hi, rule->end) : axis->hi;
    /* A number equal to the last edge is in the last bin. */
    if (axis->closed == BINNING_NUMPY)
        flow->over = nextafter(axis->hi, (double)INFINITY);
    flow->zero = right ? -0x1p-1074 : 0;
    for (int f = 0; f < BINNING_FLOWS; f++)
        flow->cell[f] = (double)axis->bins + f;
}

void
bin_row_rule_make(struct bin_row_rule *rule, const struct binning_axis *axis,
                  const struct binning_tables *tables, size_t record_bytes)
{
    *rule = (struct bin_row_rule){
        .axis = axis, .tables = tables, .record_bytes = record_bytes};
    rule->is_wide = !is_narrow_integer(axis);
    set_flow(rule);
    /* If more numbers are uncertain, computing in double is faster. */
    rule->is_single = axis->kind == BINNING_EVEN && axis->type == SAMPLE_F4 &&
                      floats_are_enough(axis) &&
                      floats_margin(axis) < 1.0 / 256;
    if (rule->is_single)
        rule->single = floats_make_rule(axis);
    rule->is_possible = true;
    if (axis->kind == BINNING_EVEN && !is_near(axis))
        rule->is_possible = false;
    /* No number is above an infinite edge.  If the last edge belongs to the
       last bin, an integer must not be rounded to that edge. */
    if (axis->closed == BINNING_NUMPY &&
        (isinf(axis->hi) || (rule->is_wide && fabs(axis->hi) > 0x1p52)))
        rule->is_possible = false;
}
