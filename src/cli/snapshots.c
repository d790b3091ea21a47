/* snapshots.c -- the snapshots that --every and --per-file print */

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
               struct error *error)
{
    struct report_hidden hidden;
    const struct result result = {.counts = counts,
                                  .inputs = snapshots->inputs,
                                  .snapshot = ++snapshots->number};
    int printed = results_print(snapshots->results, &result, &hidden, error);

    results_close(snapshots->results);
    return printed;
}

/* Print NOW minus the last snapshot, which is then released. */
static int
print_since(struct snapshots *snapshots, const struct snapshot *now,
            struct error *error)
{
    struct snapshot *since = &snapshots->before;

    if (snapshot_subtract(since, now, error) < 0)
        return -1;
    int result = print_snapshot(snapshots, since, error);
    snapshot_close(since);
    return result;
}

int
snapshots_print(struct snapshots *snapshots, struct snapshot *now,
                struct error *error)
{
    int result;

    if (snapshots->results->options->reset) {
        result = print_since(snapshots, now, error);
        snapshots->before = *now;
    } else {
        result = print_snapshot(snapshots, now, error);
        snapshot_close(now);
    }
    return result;
}

/* Print RESULT, of which some may be unshown. */
static int
print_result(struct snapshots *snapshots, const struct result *result,
             struct error *error)
{
    struct report_hidden hidden;

    if (results_print(snapshots->results, result, &hidden, error) < 0)
        return -1;
    unshown_add(&snapshots->unshown, result->counts, &hidden);
    return 0;
}

int
snapshots_print_input(struct snapshots *snapshots, const char *name,
                      struct snapshot *counts, struct error *error)
{
    const struct result result = {
        .counts = counts, .inputs = snapshots->inputs, .file = name};
    int printed = print_result(snapshots, &result, error);

    snapshot_close(counts);
    return printed;
}

int
snapshots_end(struct snapshots *snapshots, struct snapshot *all,
              const char *incomplete, struct error *error)
{
    const struct result result = {
        .counts = all, .inputs = snapshots->inputs, .incomplete = incomplete};

    if (snapshots->results->options->reset &&
        all->bytes > snapshots->before.bytes &&
        print_since(snapshots, all, error) < 0)
        return -1;
    return snapshots->results->options->plan.per_file
               ? results_print_rows(snapshots->results, error)
               : print_result(snapshots, &result, error);
}
