/* cell_run.h -- neighbouring records of one cell, which are counted at once */

#ifndef GPUHIST_CELL_RUN_H
#define GPUHIST_CELL_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The length of a run. */
#define CELL_RUN 8

/* Whether the next CELL_RUN cells are the same. */
static inline bool
cell_run_is(const uint32_t *cell)
{
    uint32_t differs = 0;

    for (size_t n = 1; n < CELL_RUN; n++)
        differs |= cell[n] ^ cell[0];
    return differs == 0;
}

#endif
