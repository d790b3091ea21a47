/* SPDX-License-Identifier: MIT */
/* ahead.c -- helpers that decode ahead of a decoder, and the memory for them */

#include "input/ahead.h"

/* The helpers of one decoder have this part of the memory of all decoders. */
#define MEMORY_SHARE 2

uint64_t
ahead_memory_max(const struct budget *budget)
{
    return budget_total(budget) / MEMORY_SHARE;
}

unsigned int
ahead_worth(const struct ahead_need *need, const struct source *source,
            const struct budget *budget, off_t bytes, unsigned int most)
{
    const bool may_be_long =
        !source->is_regular && need->reads_in_order && source->gate == NULL;
    uint64_t memory_max = ahead_memory_max(budget);
    unsigned int helpers = most;

    /* The files in an archive would lack the memory that the archive has. */
    if (budget->whole != NULL || !(source->is_regular || may_be_long))
        return 0;
    while (helpers > 0 &&
           ((!may_be_long && bytes / need->helper_bytes < (off_t)helpers) ||
            need->memory(need->context, helpers) > memory_max))
        helpers--;
    return helpers >= need->helpers_least ? helpers : 0;
}

bool
ahead_reserve(struct budget_loan *loan, const struct ahead_need *need,
              struct budget *budget, unsigned int most, uint64_t reserved)
{
    *loan = (struct budget_loan){.budget = budget,
                                 .helpers = budget_take_helpers(budget, most)};
    if (loan->helpers > 0 && loan->helpers >= need->helpers_least) {
        uint64_t bytes = need->memory(need->context, loan->helpers);
        bytes -= bytes < reserved ? bytes : reserved;
        if (budget_try(budget, bytes)) {
            loan->bytes = bytes;
            return true;
        }
    }
    budget_loan_return(loan);
    return false;
}
