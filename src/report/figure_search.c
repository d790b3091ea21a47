/* SPDX-License-Identifier: MIT */
/* figure_search.c -- figures that need all values of a group */

#include <stddef.h>
#include <string.h>

#include "report/figure_search.h"

/*
 * Summed from the greatest value down, the N of a percentage P is the first
 * value that reaches P of the sum of all.  Ascending, this is the first value
 * with which the sum exceeds 1 - P of the sum of all.  If all values are 0, the
 * N is 0.  Returns the least sum that is enough.
 */
static struct figure_sum
find_wanted_sum(const struct figure_sum *all, uint64_t nano)
{
    const struct figure_sum zero = figure_sum_none(all->is_real);

    return figure_sum_compare(all, &zero) <= 0
               ? zero
               : figure_sum_above(all, PERCENTILE_NANO_MAX - nano,
                                  PERCENTILE_NANO_MAX);
}

/* Start with the quartiles of the values with the facts ALL. */
static void
open_quartiles(struct figure_search *search, const struct group_figures *all)
{
    uint64_t count = all->count;

    if (search->has_quartiles || count == 0)
        return;
    search->has_quartiles = true;
    search->reads_values = true;
    search->left += FIGURE_QUARTILES;
    for (unsigned int q = 0; q < FIGURE_QUARTILES; q++) {
        unsigned int part;
        uint64_t low = quartile_rank(q + 1, count, &part);
        search->quartile[q] = (struct figure_quartile){
            .low = low,
            .high = low + 1,
            .part = part,
            .four = {.needs = FIGURE_NEEDS_SUM,
                     .sum = figure_sum_none(all->sum.is_real)},
        };
    }
}

void
figure_search_open(struct figure_search *search, const struct figure *figure,
                   size_t count, const struct group_figures *all)
{
    double infinite;

    /* The facts of each figure are many bytes. */
    memset(search, 0, offsetof(struct figure_search, wanted));
    search->figure = figure;
    search->figures = count;
    search->least = UINT64_MAX;
    search->all_count = all->count;
    search->sum = figure_sum_none(all->sum.is_real);
    for (size_t i = 0; i < count; i++) {
        unsigned int needs = figure_row(&figure[i])->needs;
        uint64_t nano = figure[i].percentile.nano;
        uint64_t *wanted = &search->wanted[i];
        *wanted = 0;
        search->whole[i] = 0;
        if ((needs & FIGURE_NEEDS_ORDER) != 0) {
            *wanted = percentile_rank(nano, all->count);
            search->least = *wanted < search->least ? *wanted : search->least;
            search->left++;
        } else if ((needs & FIGURE_NEEDS_ABOVE) != 0 &&
                   !group_figures_are_infinite(all, &infinite)) {
            search->above |= UINT64_C(1) << i;
            search->wanted_sum[i] = find_wanted_sum(&all->sum, nano);
            search->reads_values = true;
            search->left++;
        } else if ((needs & FIGURE_NEEDS_QUARTILES) != 0) {
            open_quartiles(search, all);
        } else if ((needs & FIGURE_NEEDS_MOST) != 0) {
            search->modes |= UINT64_C(1) << i;
            search->reads_values = true;
            search->left++;
        }
    }
}

/* ---- values ---- */

/* Take the lowest bit of *FIGURES, which is not 0.  Returns its number. */
static size_t
take_figure(uint64_t *figures)
{
    size_t i = (size_t)__builtin_ctzll(*figures);

    *figures &= *figures - 1;
    return i;
}

/* Stop looking for figures that need a sum. */
static void
end_sums(struct figure_search *search)
{
    search->left -= (size_t)__builtin_popcountll(search->above);
    search->above = 0;
}

/*
 * Returns how many of the greatest values reach the percentage of figure I; the
 * least of them is NUMBER, added COUNT times just now.  Without K of these, the
 * other values below the sum that is wanted ascending.
 */
static uint64_t
count_above(const struct figure_search *search, size_t i,
            const struct column *column, const struct key_component *number,
            uint64_t count)
{
    enum key_kind kind = column_number_kind(column);
    const struct figure_sum zero = figure_sum_none(search->sum.is_real);
    struct figure_sum taken = zero;
    uint64_t low = 1;

    /* All values are 0: one reaches the sum. */
    figure_sum_set(&taken, kind, number, 1);
    if (figure_sum_compare(&taken, &zero) == 0)
        return 1;
    while (low < count) {
        uint64_t middle = low + (count - low) / 2;
        struct figure_sum others = search->sum;
        figure_sum_set(&taken, kind, number, middle);
        figure_sum_subtract(&others, &taken);
        if (figure_sum_compare(&others, &search->wanted_sum[i]) < 0)
            count = middle;
        else
            low = middle + 1;
    }
    return search->all_count - search->count + low;
}

/* Add the value of COLUMN, COUNT times, to the sum. */
static void
add_to_sum(struct figure_search *search, const struct column *column,
           uint64_t count)
{
    const struct key_component component = column_number(column);
    const struct figure_sum zero = figure_sum_none(search->sum.is_real);
    struct figure_sum product = zero;

    figure_sum_set(&product, column_number_kind(column), &component, count);
    if (figure_sum_compare(&product, &zero) < 0) {
        end_sums(search);
        return;
    }
    figure_sum_add(&search->sum, &product);
    for (uint64_t left = search->above; left != 0;) {
        size_t i = take_figure(&left);
        if (search->figure[i].kind != FIGURE_L ||
            figure_sum_compare(&search->sum, &search->wanted_sum[i]) < 0)
            continue;
        search->whole[i] = count_above(search, i, column, &component, count);
        search->above &= ~(UINT64_C(1) << i);
        search->left--;
    }
}

/* Add the value of COLUMN, which is number BEFORE + 1 and so on in order, to
   the quartiles. */
static void
add_to_quartiles(struct figure_search *search, const struct column *column,
                 uint64_t before)
{
    for (size_t q = 0; q < FIGURE_QUARTILES; q++) {
        struct figure_quartile *quartile = &search->quartile[q];
        struct group_figures *four = &quartile->four;
        if (quartile->low > before && quartile->low <= search->count)
            group_figures_add_row(four, column, 4 - quartile->part, 0);
        if (quartile->part > 0 && quartile->high > before &&
            quartile->high <= search->count)
            group_figures_add_row(four, column, quartile->part, 0);
        if (four->count == 4 && quartile->low > 0) {
            quartile->low = 0;
            search->left--;
        }
    }
}

void
figure_search_add(struct figure_search *search, const struct column *column,
                  uint64_t count)
{
    uint64_t before = search->count;

    search->count += count;
    if (search->above != 0)
        add_to_sum(search, column, count);
    if (search->has_quartiles)
        add_to_quartiles(search, column, before);
    /* Values outside all bins are most frequent together, not each. */
    if (search->modes != 0 && count > search->most && !column_is_flow(column)) {
        search->most = count;
        search->new_modes = search->modes;
    }
}

bool
figure_search_next(struct figure_search *search, size_t *i)
{
    if (search->new_modes != 0) {
        *i = take_figure(&search->new_modes);
        return true;
    }
    for (uint64_t left = search->above; left != 0;) {
        *i = take_figure(&left);
        if (figure_sum_compare(&search->sum, &search->wanted_sum[*i]) < 0)
            continue;
        search->above &= ~(UINT64_C(1) << *i);
        search->left--;
        return true;
    }
    if (search->count < search->least)
        return false;
    search->least = UINT64_MAX;
    for (size_t f = 0; f < search->figures; f++) {
        uint64_t wanted = search->wanted[f];
        if (wanted == 0)
            continue;
        if (wanted <= search->count) {
            search->wanted[f] = 0;
            search->least = 0; /* look for others */
            search->left--;
            *i = f;
            return true;
        }
        search->least = wanted < search->least ? wanted : search->least;
    }
    return false;
}

/* ---- figures ---- */

/* Returns the third quartile less the first. */
static double
find_range(const struct figure_search *search)
{
    const struct group_figures *first = &search->quartile[0].four;
    struct group_figures range = search->quartile[2].four;

    figure_sum_subtract(&range.sum, &first->sum);
    range.infinite[0] += first->infinite[1];
    range.infinite[1] += first->infinite[0];
    return group_figures_mean(&range);
}

void
figure_search_value(const struct figure_search *search, size_t i,
                    struct figure_value *value)
{
    enum figure_kind kind = search->figure[i].kind;
    bool is_whole = kind == FIGURE_L && search->whole[i] > 0;
    bool is_quartile =
        (figure_rows[kind].needs & FIGURE_NEEDS_QUARTILES) != 0 &&
        search->has_quartiles;

    *value = (struct figure_value){
        .form = is_whole      ? FIGURE_WHOLE
                : is_quartile ? FIGURE_REAL
                              : FIGURE_NONE,
        .whole = search->whole[i],
    };
    if (!is_quartile)
        return;
    size_t q = kind == FIGURE_Q1 ? 0 : kind == FIGURE_MEDIAN ? 1 : 2;
    value->real = kind == FIGURE_IQR
                      ? find_range(search)
                      : group_figures_mean(&search->quartile[q].four);
}
