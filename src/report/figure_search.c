/* figure_search.c -- figures that need the order of values */

#include "report/figure_search.h"

/*
 * Summed from the greatest value down, the N50 is the first value that reaches
 * half of the sum of all.  Ascending, the N50 is the first value with which the
 * sum exceeds half of the sum of all.  If all values are 0, the N50 is 0.
 */
static void
set_wanted_sum(struct decimal_sum *wanted, const struct decimal_sum *all)
{
    const struct decimal_sum none = {{0}};
    const struct decimal_sum unit = {{1}};

    *wanted = none;
    if (decimal_sum_compare(all, &none) <= 0)
        return;
    for (int w = 0; w < DECIMAL_SUM_WORDS; w++) {
        uint64_t next = w + 1 < DECIMAL_SUM_WORDS ? all->word[w + 1] : 0;
        wanted->word[w] = all->word[w] >> 1 | next << 63;
    }
    decimal_sum_add(wanted, &unit);
}

void
figure_search_open(struct figure_search *search, const struct figure *figure,
                   size_t count, const struct group_figures *all)
{
    double infinite;

    *search = (struct figure_search){.figures = count, .least = UINT64_MAX};
    for (size_t i = 0; i < count; i++) {
        unsigned int needs = figure_row(&figure[i])->needs;
        uint64_t *wanted = &search->wanted[i];
        *wanted = UINT64_MAX;
        if ((needs & FIGURE_NEEDS_ORDER) != 0) {
            *wanted = percentile_rank(figure[i].percentile.nano, all->count);
            search->least = *wanted < search->least ? *wanted : search->least;
            search->left++;
        } else if ((needs & FIGURE_NEEDS_ABOVE) != 0 &&
                   !group_figures_are_infinite(all, &infinite)) {
            search->above |= UINT64_C(1) << i;
            search->left++;
        }
    }
    if (search->above != 0)
        set_wanted_sum(&search->wanted_sum, &all->sum);
}

/* Stop looking for figures that need a sum. */
static void
end_sums(struct figure_search *search)
{
    for (; search->above != 0; search->above &= search->above - 1)
        search->left--;
}

void
figure_search_add(struct figure_search *search, const struct column *column,
                  uint64_t count)
{
    if (search->above != 0) {
        const struct key_component component = column_number(column);
        struct decimal_sum sum = {{0}};
        (void)group_figures_addend(&sum, axis_key_kind(column->axis),
                                   &component);
        if (decimal_sum_is_negative(&sum))
            end_sums(search);
        sum = decimal_sum_multiply(&sum, count);
        decimal_sum_add(&search->sum, &sum);
    }
    search->count += count;
}

bool
figure_search_next(struct figure_search *search, size_t *i)
{
    if (search->above != 0 &&
        decimal_sum_compare(&search->sum, &search->wanted_sum) >= 0) {
        for (*i = 0; (search->above >> *i & 1) == 0; ++*i) {
        }
        search->above &= search->above - 1;
        search->left--;
        return true;
    }
    if (search->count < search->least)
        return false;
    search->least = UINT64_MAX;
    for (size_t f = 0; f < search->figures; f++) {
        uint64_t wanted = search->wanted[f];
        if (wanted <= search->count) {
            search->wanted[f] = UINT64_MAX;
            search->least = 0; /* look for others */
            search->left--;
            *i = f;
            return true;
        }
        search->least = wanted < search->least ? wanted : search->least;
    }
    return false;
}
