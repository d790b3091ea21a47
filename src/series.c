/* series.c -- what is printed of one snapshot after the other */

#include "series.h"

uint64_t
series_bytes(const struct spec *spec, const struct options *options)
{
    /* The sum, what is added to it and has to be moved; and the last one. */
    uint64_t tables = !interval_is_set(&options->every) ? 0
                      : options->reset                  ? 3
                                                        : 2;

    return tables * spec_table_bytes(spec);
}

void
series_open(struct series *series, struct results *results,
            const struct inputs *inputs)
{
    *series = (struct series){.results = results, .inputs = inputs};
}

void
series_close(struct series *series)
{
    counts_close(&series->before);
}

/* Print COUNTS as the next snapshot; whole files are there then. */
static int
print_snapshot(struct series *series, struct counts *counts, uint64_t *hidden,
               struct error *error)
{
    const struct result result = {.counts = counts,
                                  .inputs = series->inputs,
                                  .snapshot = ++series->number};
    int printed = results_print(series->results, &result, hidden, error);

    results_close(series->results);
    return printed;
}

/* Print what of NOW came since the last snapshot; only NOW is left then. */
static int
print_since(struct series *series, const struct counts *now, uint64_t *hidden,
            struct error *error)
{
    struct counts *since = &series->before;

    if (series->number == 0) {
        *since = (struct counts){.spec = now->spec};
        if (histogram_open(&since->histogram, now->histogram.cells,
                           now->histogram.planes) < 0) {
            error_set(error, EXIT_DATA, "out of memory");
            return -1;
        }
    }
    if (counts_subtract(since, now) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    int result = print_snapshot(series, since, hidden, error);
    counts_close(since);
    return result;
}

int
series_print(struct series *series, struct counts *now, uint64_t *hidden,
             struct error *error)
{
    int result;

    if (series->results->options->reset) {
        result = print_since(series, now, hidden, error);
        series->before = *now;
    } else {
        result = print_snapshot(series, now, hidden, error);
        counts_close(now);
    }
    return result;
}

int
series_end(struct series *series, struct counts *all, const char *incomplete,
           uint64_t *hidden, struct error *error)
{
    const struct result result = {
        .counts = all, .inputs = series->inputs, .incomplete = incomplete};

    if (series->results->options->reset && all->bytes > series->before.bytes &&
        print_since(series, all, hidden, error) < 0)
        return -1;
    return results_print(series->results, &result, hidden, error);
}
