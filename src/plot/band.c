/* band.c -- an axis cut into bands */

#include <stdlib.h>

#include "plot/band.h"

/* Special cells, numbered behind enum binning_flow. */
#define SPECIAL(special) (BINNING_FLOWS + AXIS_##special)

/* Flow cells in the order of their bands. */
static const struct {
    unsigned int flow; /* enum binning_flow, or SPECIAL() */
    bool is_first;     /* before the bins */
    const char *word;
} flows[] = {
    {BINNING_NEGATIVE, true, "negative"},
    {BINNING_ZERO, true, "zero"},
    {BINNING_UNDERFLOW, true, "below"},
    {BINNING_OVERFLOW, false, "above"},
    {BINNING_NAN, false, "nan"},
    {SPECIAL(KEY_MISSING), false, "missing"},
    {SPECIAL(EMPTY), false, "empty"},
    {SPECIAL(INVALID), false, "invalid"},
};

#define FLOWS (sizeof flows / sizeof *flows)

/* The number of flow cell FLOW of AXIS behind its bins. */
static unsigned int
flow_cell(const struct binning_axis *axis, unsigned int flow)
{
    return flow < BINNING_FLOWS
               ? flow
               : axis_number_flows(axis) + flow - BINNING_FLOWS;
}

void
band_extent_add(struct band_extent *extent, const struct binning_axis *axis,
                uint64_t cell)
{
    if (cell >= axis->bins) {
        extent->has_flow[cell - axis->bins] = true;
        return;
    }
    if (cell < extent->first)
        extent->first = cell;
    if (cell > extent->last)
        extent->last = cell;
}

static bool
is_shown(const struct binning_axis *axis, const struct band_extent *extent,
         unsigned int flow, enum flow how)
{
    bool is_possible = flow < BINNING_FLOWS
                           ? axis_can_flow(axis, (enum binning_flow)flow)
                           : axis->is_text != 0;

    if (how == FLOW_HIDE || !is_possible)
        return false;
    return how == FLOW_SHOW || extent->has_flow[flow_cell(axis, flow)];
}

/*
 * The number of bands from bin BEGIN to bin END, which is exclusive, if each
 * band starts at a multiple of JOINED.
 */
static uint64_t
count_bands(uint64_t begin, uint64_t end, uint64_t joined)
{
    return (end + joined - 1) / joined - begin / joined;
}

/*
 * The number of bins to join so that bins BEGIN to END fit into MOST bands;
 * preferably a divisor of BINS.
 */
static uint64_t
find_joined(uint64_t bins, uint64_t begin, uint64_t end, uint64_t most)
{
    uint64_t least = (end - begin + most - 1) / most;

    while (count_bands(begin, end, least) > most)
        least++;
    for (uint64_t joined = least; joined < 2 * least; joined++) {
        if (bins % joined == 0 && count_bands(begin, end, joined) <= most)
            return joined;
    }
    return least;
}

static void
add_flow(struct band_axis *axis, size_t i)
{
    axis->band[axis->bands++] = (struct band){
        .first = axis->axis->bins + flow_cell(axis->axis, flows[i].flow),
        .cells = 1,
        .is_flow = true,
        .word = flows[i].word,
    };
}

int
band_cut(struct band_axis *axis, const struct band_extent *extent,
         enum flow how, size_t most, bool is_whole)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t begin = 0;
    uint64_t end = binning->bins;
    size_t flow_bands = 0;

    for (size_t i = 0; i < FLOWS; i++)
        flow_bands += is_shown(binning, extent, flows[i].flow, how);
    most = most > flow_bands ? most - flow_bands : 1;
    if ((end > most || binning->is_log) && !is_whole &&
        extent->first <= extent->last) {
        begin = extent->first;
        end = extent->last + 1;
    }
    axis->joined = find_joined(binning->bins, begin, end, most);
    begin -= begin % axis->joined;
    axis->band = calloc(most + flow_bands, sizeof *axis->band);
    if (axis->band == NULL)
        return -1;

    for (size_t i = 0; i < FLOWS; i++) {
        if (flows[i].is_first && is_shown(binning, extent, flows[i].flow, how))
            add_flow(axis, i);
    }
    axis->first = axis->bands;
    for (uint64_t bin = begin; bin < end; bin += axis->joined) {
        uint64_t left = binning->bins - bin;
        axis->band[axis->bands++] = (struct band){
            .first = bin,
            .cells = left < axis->joined ? left : axis->joined,
        };
    }
    axis->last = axis->bands;
    for (size_t i = 0; i < FLOWS; i++) {
        if (!flows[i].is_first && is_shown(binning, extent, flows[i].flow, how))
            add_flow(axis, i);
    }
    return 0;
}

size_t
band_find(const struct band_axis *axis, uint64_t cell)
{
    const struct band *band = axis->band;

    if (cell < axis->axis->bins) {
        uint64_t begin = band[axis->first].first;
        size_t i = axis->first + (size_t)((cell - begin) / axis->joined);
        return cell >= begin && i < axis->last ? i : SIZE_MAX;
    }
    for (size_t i = 0; i < axis->bands; i++) {
        if (band[i].is_flow && band[i].first == cell)
            return i;
    }
    return SIZE_MAX;
}
