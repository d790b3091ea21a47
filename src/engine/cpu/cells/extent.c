/* extent.c -- find the extent of the elements of a buffer, on the CPU */

#include "engine/cpu/cells/extent.h"
#include "engine/cpu/cells/bin_row.h"

void
extent_widen(struct extent *extent, const struct binning_axis *axis,
             const unsigned char *data, size_t size, size_t record_bytes)
{
    size_t rows = size / record_bytes / BIN_ROW_ELEMENTS;
    const unsigned char *rest = data + rows * BIN_ROW_ELEMENTS * record_bytes;
    struct bin_row_rule rule;

    bin_row_rule_make(&rule, axis, NULL, record_bytes);
    bin_row_form_choose()->widen(&rule, data, rows, &extent->min, &extent->max);
    for (; rest < data + size; rest += record_bytes)
        extent_widen_bits(
            extent, axis,
            binning_load(rest + axis->offset, axis->type, axis->is_swapped));
}
