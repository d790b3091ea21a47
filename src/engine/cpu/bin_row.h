/*
 * bin_row.h -- the cells of many elements at once, on the CPU
 *
 * A row is some hundred elements of one axis.  Each step of binning.h is done
 * for all of them before the next one, in a loop without branches that
 * compilers turn into vector instructions.  The cells are those of
 * binning_cell(), to the last value; axes that do not fit are left to it.
 */

#ifndef GPUHIST_BIN_ROW_H
#define GPUHIST_BIN_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/bin_row_rule.h"

/* So many are looked at in one go: they stay in the first-level cache. */
#define BIN_ROW_ELEMENTS 256

/* Of a table of edges, so few are compared one by one, others searched. */
#define BIN_ROW_EDGES_FEW 16

/* The same steps with the vectors of one kind of processor. */
struct bin_row_form {
    const char *name;
    bool (*is_possible)(void);

    /*
     * Find the cells of COUNT records, up to BIN_ROW_ELEMENTS; DATA is the
     * first one, at any alignment.  No byte outside of them is read.
     */
    void (*find)(const struct bin_row_rule *rule, const unsigned char *data,
                 size_t count, uint32_t cell[BIN_ROW_ELEMENTS]);

    /*
     * Lower *MIN and raise *MAX to the least and the greatest of ROWS times
     * BIN_ROW_ELEMENTS records, as binning.h compares them with edges; values
     * beyond BINNING_AUTO_MAX, and NaN, are left out.
     */
    void (*widen)(const struct bin_row_rule *rule, const unsigned char *data,
                  size_t rows, double *min, double *max);
};

/* All of them, the fastest one first, the last one always possible; and behind
   it one without a name. */
extern const struct bin_row_form bin_row_forms[];

/* The fastest one that this processor can do. */
const struct bin_row_form *bin_row_form_choose(void);

/*
 * The bits of COUNT elements of TYPE, RECORD_BYTES apart, in the machine's
 * byte order; 0 from there to the end of the row.
 */
void bin_row_load(uint32_t type, bool is_swapped, const unsigned char *element,
                  size_t count, size_t record_bytes,
                  uint64_t bits[BIN_ROW_ELEMENTS]);

#endif
