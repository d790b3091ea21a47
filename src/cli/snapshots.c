/* snapshots.c -- the snapshots that --every prints */

#include "cli/snapshots.h"

uint64_t
snapshots_bytes(const struct spec *spec, const struct options *options)
{
    /* The sum and a part that is added to it; with --reset also BEFORE. */
    uint64_t tables = !interval_is_set(&options->plan.every) ? 0
                      : options->reset                       ? 3
                                                             : 2;

    return tables * spec_table_bytes(spec);
}

void
snapshots_open(struct snapshots *snapshots, struct results *results,
               const struct inputs *inputs)
{
    *snapshots = (struct snapshots){.results = results, .inputs = inputs};
}

void
snapshots_close(struct snapshots *snapshots)
{
    snapshot_close(&snapshots->before);
}

/* Print COUNTS as the next snapshot; output files are complete afterwards. */
static int
print_snapshot(struct snapshots *snapshots, struct snapshot *counts,
               struct report_hidden *hidden, struct error *error)
{
    const struct result result = {.counts = counts,
                                  .inputs = snapshots->inputs,
                                  .snapshot = ++snapshots->number};
    int printed = results_print(snapshots->results, &result, hidden, error);

    results_close(snapshots->results);
    return printed;
}

/* Print NOW minus the last snapshot, which is then released. */
static int
print_since(struct snapshots *snapshots, const struct snapshot *now,
            struct report_hidden *hidden, struct error *error)
{
    struct snapshot *since = &snapshots->before;

    if (snapshot_subtract(since, now, error) < 0)
        return -1;
    int result = print_snapshot(snapshots, since, hidden, error);
    snapshot_close(since);
    return result;
}

int
snapshots_print(struct snapshots *snapshots, struct snapshot *now,
                struct report_hidden *hidden, struct error *error)
{
    int result;

    if (snapshots->results->options->reset) {
        result = print_since(snapshots, now, hidden, error);
        snapshots->before = *now;
    } else {
        result = print_snapshot(snapshots, now, hidden, error);
        snapshot_close(now);
    }
    return result;
}

int
snapshots_end(struct snapshots *snapshots, struct snapshot *all,
              const char *incomplete, struct report_hidden *hidden,
              struct error *error)
{
    const struct result result = {
        .counts = all, .inputs = snapshots->inputs, .incomplete = incomplete};

    if (snapshots->results->options->reset &&
        all->bytes > snapshots->before.bytes &&
        print_since(snapshots, all, hidden, error) < 0)
        return -1;
    return results_print(snapshots->results, &result, hidden, error);
}
