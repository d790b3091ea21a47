/* floats_table.c -- the table of an axis for the OpenCL kernel for floats */

#include <stdlib.h>
#include <string.h>

#include "engine/gpu/device/floats_table.h"
#include "kernels/binning/floats.h"

uint32_t *
floats_table_make(const struct binning_axis *axis, size_t *count)
{
    struct floats_rule rule = floats_make_rule(axis);

    _Static_assert(sizeof rule == FLOATS_RULE_WORDS * sizeof(uint32_t),
                   "floats.cl reads it word by word");
    *count = FLOATS_RULE_WORDS + (size_t)axis->bins + 1;
    uint32_t *words = calloc(*count, sizeof *words);
    if (words == NULL)
        return NULL;
    memcpy(words, &rule, sizeof rule);
    for (uint64_t i = 0; i <= axis->bins; i++)
        words[FLOATS_RULE_WORDS + i] = floats_edge_key(axis, i);
    return words;
}
