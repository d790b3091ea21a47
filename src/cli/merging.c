/* SPDX-License-Identifier: MIT */
/* merging.c -- --merge: add up states, and print the sum as a run does */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "base/machine.h"
#include "base/writer.h"
#include "cli/advice.h"
#include "cli/explain.h"
#include "cli/merging.h"
#include "cli/outcome.h"
#include "cli/output_files.h"
#include "cli/recorded.h"
#include "cli/results.h"
#include "cli/wanted_spec.h"
#include "hist/number_check.h"
#include "input/read/inputs.h"
#include "input/read/opening.h"
#include "state/portions_check.h"
#include "state/state_read.h"
#include "state/state_spec.h"
#include "state/state_sum.h"

struct merging {
    struct options options; /* with the options of the states */
    struct inputs inputs;   /* the files with the states */
    struct results results;
    struct written_files written; /* must not be read, except the sum */
    unsigned int threads;
    uint64_t states; /* how many have been added */

    /* From the first state, which says what was counted; also for the sum. */
    char *name;             /* of its file */
    struct state_head head; /* with the portions of all states */
    char **option;          /* its options, OPTIONS of them */
    size_t option_count;
    struct recorded_reading recorded;
    struct spec spec;
    struct state_crew *crew; /* adds the rows */
    struct state_sum *sum;
    struct portions_check portions; /* of all states */
};

/* ---- the first state ---- */

/* Apply the options of the first state.  Returns 0, or -1 with *ERROR set. */
static int
apply_options(struct merging *merging, struct error *error)
{
    const struct state_lines *lines = &merging->head.list[STATE_OPTIONS];

    merging->option = calloc(lines->count + 1, sizeof *merging->option);
    if (merging->option == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < lines->count; i++) {
        merging->option[i] = state_lines_field(lines, i, 0, NULL);
        if (merging->option[i] == NULL)
            return error_fail_memory(error);
        merging->option_count++;
    }
    return recorded_options_apply(&merging->options, merging->option,
                                  merging->option_count, merging->name, error);
}

/*
 * Check the spec, made of the options of the first state, against the lines of
 * that state: another version may understand the options differently.  Returns
 * 0, or -1 with *ERROR set.
 */
static int
check_spec(const struct merging *merging, struct error *error)
{
    const struct state_lines *wanted = &merging->head.list[STATE_SPEC];
    struct state_lines made = {0};
    int result = -1;
    size_t at;

    if (state_spec_describe(&merging->spec, &made) < 0)
        (void)error_fail_memory(error);
    else if (state_lines_differ(wanted, &made, &at))
        error_set(error, EXIT_DATA,
                  "%s: line %zu of 'spec' is not what its options mean in this "
                  "version",
                  merging->name, at + 1);
    else
        result = 0;
    state_lines_close(&made);
    return result;
}

/*
 * The head of the first state is known: make the spec, and start the sum.
 * Returns 0, or -1 with *ERROR set.
 */
static int
start_sum(struct merging *merging, struct error *error)
{
    struct options *options = &merging->options;

    if (apply_options(merging, error) < 0 ||
        recorded_reading_make(&merging->recorded, &merging->head, merging->name,
                              error) < 0 ||
        wanted_spec_make(&merging->spec, options, &merging->recorded.reading,
                         error) < 0)
        return -1;
    if (check_spec(merging, error) < 0)
        return -1;
    merging->sum = state_sum_open(&merging->spec, merging->crew,
                                  (size_t)options->plan.memory_limit, error);
    return merging->sum != NULL ? 0 : -1;
}

/* ---- all states ---- */

/* Add the lines of LIST in OTHER.  Returns 0, or -1 with *ERROR set. */
static int
add_lines(struct merging *merging, const struct state_head *other,
          enum state_list list, struct error *error)
{
    const struct state_lines *from = &other->list[list];

    for (size_t i = 0; i < from->count; i++) {
        size_t size;
        const char *line = state_lines_at(from, i, &size);
        if (state_lines_add(&merging->head.list[list], line, size) < 0)
            return error_fail_memory(error);
    }
    return 0;
}

/* Add the lines of OTHER about its inputs.  Returns 0, or -1 with *ERROR set.
 */
static int
add_head(struct merging *merging, const struct state_head *other,
         struct error *error)
{
    /* The inputs before were empty. */
    if (merging->head.list[STATE_NAMES].count == 0 &&
        add_lines(merging, other, STATE_NAMES, error) < 0)
        return -1;
    return add_lines(merging, other, STATE_PORTIONS, error);
}

/* Read the rows of a state that is not added.  Returns 0, or -1 with *ERROR
   set. */
static int
skip_rows(struct state_reader *reader, struct error *error)
{
    struct state_span span;
    size_t histogram;
    uint64_t rows;
    int more;

    while ((more = state_reader_rows(reader, &histogram, &rows, error)) > 0) {
        for (; rows > 0; rows -= span.count) {
            if (state_reader_some(reader, rows, &span, error) < 0)
                return -1;
        }
    }
    return more;
}

/*
 * Add the state with HEAD in the file NAME.  The HEAD of the first state moves
 * to MERGING.  Returns 0, or -1 with *ERROR set.
 */
static int
add_state(struct merging *merging, struct state_reader *reader,
          struct state_head *head, const char *name, struct error *error)
{
    if (merging->sum != NULL &&
        state_head_match(&merging->head, merging->name, head, name, error) < 0)
        return -1;
    int is_new = portions_check_add(&merging->portions, name,
                                    &head->list[STATE_PORTIONS], error);
    if (is_new <= 0)
        return is_new < 0 ? -1 : skip_rows(reader, error);
    if (merging->sum == NULL) {
        merging->name = strdup(name);
        merging->head = *head;
        *head = (struct state_head){0};
        head = &merging->head;
        if (merging->name == NULL)
            return error_fail_memory(error);
        if (start_sum(merging, error) < 0)
            return -1;
    } else if (add_head(merging, head, error) < 0) {
        return -1;
    }
    merging->states++;
    return state_sum_add(merging->sum, reader, head, error);
}

/* Supply the content of a file.  Returns as struct state_reader says. */
static ssize_t
supply(void *context, void *to, size_t size, struct error *error)
{
    struct content *content = context;
    ssize_t got = content_read_some(content, to, size);

    if (got < 0)
        error_move(error, &content->source.error);
    return got;
}

/* Add the states in CONTENT, which is open.  Returns 0, or -1 with *ERROR set.
 */
static int
add_content(struct merging *merging, struct content *content,
            struct error *error)
{
    const char *name = content->source.display_name;
    struct state_reader reader;
    bool has_state = false;
    int result;

    state_reader_open(&reader, merging->crew, supply, content, name);
    do {
        struct state_head head = {0};
        result = state_reader_head(&reader, &head, error);
        has_state |= result > 0;
        if (result > 0 && add_state(merging, &reader, &head, name, error) < 0)
            result = -1;
        state_head_close(&head);
    } while (result > 0);
    result = state_reader_close(&reader, result, error);
    if (result == 0 && !has_state) {
        error_set(error, EXIT_DATA, "%s: has no state", name);
        return -1;
    }
    return result;
}

/* Add the states of all files.  Returns 0, or -1 with *ERROR set. */
static int
add_files(struct merging *merging, struct error *error)
{
    struct inputs *inputs = &merging->inputs;
    int result = 0;

    for (size_t i = 0; i < inputs->count && result == 0; i++) {
        struct content *content;

        result = opening_open_content(inputs, i, &content, error);
        if (result == 0 && content != NULL)
            result = add_content(merging, content, error);
        opening_close_content(inputs, i);
    }
    /* An earlier row may be wrong, too. */
    if (merging->sum != NULL && state_sum_settle(merging->sum, error) < 0)
        result = -1;
    return result;
}

/* ---- printing ---- */

/* Print on standard error how COUNTS were added up. */
static void
explain(const struct merging *merging, const struct snapshot *counts)
{
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDERR_FILENO);

    if (out == NULL)
        return;
    explain_axes(out, counts->spec);
    explain_left_out(out, counts->spec, counts->left_out);
    fprintf(out,
            "merge: %" PRIu64 " states with %" PRIu64 " rows of %zu inputs, "
            "%" PRIu64 " bytes\n",
            merging->states, state_sum_rows(merging->sum),
            merging->head.list[STATE_PORTIONS].count, counts->bytes);
    (void)writer_close_stream(&writer, out);
}

/* Print the sum and all messages.  Returns 0, or -1 with *ERROR set. */
static int
put_sum(struct merging *merging, struct messages *messages, struct error *error)
{
    struct snapshot counts = {0};
    const struct result result = {.counts = &counts, .states = &merging->head};
    int printed = state_sum_finish(merging->sum, &counts, error);

    if (printed == 0 && !results_have_state(&merging->options))
        printed = number_check_all(&counts, error);
    if (printed == 0) {
        if (merging->options.explain)
            explain(merging, &counts);
        /* A state does not record the fields of conditions, nor matches. */
        counts.matches = true;
        counts.met = counts.fulfilled = UINT64_MAX;
        printed = results_print(&merging->results, &result, error);
    }
    if (printed == 0) {
        outcome_put_unshown(messages, counts.spec, &merging->results.unshown,
                            NULL, NULL);
        advice_put_long(messages, &merging->options, merging->results.lines,
                        merging->results.screen_rows);
    }
    snapshot_close(&counts);
    return printed;
}

/* ---- all of it ---- */

/*
 * If the file of the sum is also one of the states, lock the file: no other
 * process may replace it until this process has done so.  Returns 0, or -1 with
 * *ERROR set.
 */
static int
lock_sum(struct file_lock *lock, const struct options *options,
         struct error *error)
{
    const char *sum = options->state != NULL ? options->state : options->output;
    bool is_input = false;

    *lock = FILE_LOCK_NONE;
    if (!results_have_state(options) || sum == NULL)
        return 0;
    for (size_t i = 0; i < options->provenance.path_count && !is_input; i++)
        is_input = file_lock_is_same(sum, options->provenance.paths[i]);
    return is_input ? file_lock_take(lock, sum, error) : 0;
}

static void
merging_close(struct merging *merging)
{
    portions_check_close(&merging->portions);
    state_sum_close(merging->sum);
    state_crew_free(merging->crew);
    spec_close(&merging->spec);
    recorded_reading_close(&merging->recorded);
    for (size_t i = 0; i < merging->option_count; i++)
        free(merging->option[i]);
    free(merging->option);
    state_head_close(&merging->head);
    free(merging->name);
}

/* Add up the states and print the sum.  Returns 0, or -1 with *ERROR set. */
static int
merge(struct merging *merging, struct budget *budget, struct signals *signals,
      struct messages *messages, struct error *error)
{
    const struct options *options = &merging->options;
    const struct reading reading = {.decompress = options->decompress,
                                    .read_bytes = UINT64_MAX,
                                    .written = &merging->written,
                                    .progress = &signals->progress};

    if (results_open(&merging->results, options, &signals->outputs,
                     &signals->intrusions, error) < 0 ||
        inputs_open(&merging->inputs, options->provenance.paths,
                    options->provenance.path_count, &reading, budget,
                    error) < 0 ||
        output_files_check_state(options, budget, error) < 0)
        return -1;
    merging->results.threads = merging->threads;
    merging->crew =
        state_crew_new(merging->threads, options->plan.memory_limit, 0);
    if (merging->crew == NULL)
        return error_fail_memory(error);
    if (!merging->inputs.has_unknown_length)
        atomic_store(&signals->progress.expected_bytes,
                     merging->inputs.known_bytes);
    atomic_store(&signals->progress.phase, PROGRESS_COUNTING);
    status_line_allow(&signals->line);
    int result = add_files(merging, error);
    inputs_close(&merging->inputs);
    /* Remove the status line before messages and rows are printed. */
    status_line_close(&signals->line);
    (void)signals_settle(signals);
    atomic_store(&signals->progress.phase, PROGRESS_PRINTING);
    if (result < 0 || portions_check_end(&merging->portions, error) < 0)
        return -1;
    return put_sum(merging, messages, error);
}

enum exit_status
merging_run(const struct options *options, struct signals *signals,
            struct messages *messages)
{
    struct merging merging = {
        .options = *options,
        .portions = {.duplicates = options->duplicates,
                     .is_incomplete = options->incomplete},
    };
    struct file_lock lock = FILE_LOCK_NONE;
    struct budget budget;
    struct error error = ERROR_NONE;
    bool has_files = results_have_files(options);

    /* Its names are the paths now. */
    merging.options.files0_from = NULL;
    merging.threads =
        options->plan.threads > 0 ? options->plan.threads : machine_cpus();
    /* A broken pipe leaves no temporary file behind. */
    if (has_files)
        signals_hold_writing();
    budget_open(&budget, options->plan.memory_limit);
    int result = output_files_check(&merging.written, options, &error);
    if (result == 0)
        result = lock_sum(&lock, options, &error);
    if (result == 0)
        result = merge(&merging, &budget, signals, messages, &error);
    results_close(&merging.results);
    merging_close(&merging);
    budget_close(&budget);
    file_lock_release(&lock);
    if (has_files)
        signals_release_writing();
    return result == 0 ? EXIT_DONE : messages_put_error(messages, &error);
}
