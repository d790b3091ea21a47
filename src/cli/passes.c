/* SPDX-License-Identifier: MIT */
/*
 * passes.c -- count inputs, and print the result
 *
 * A pass reads some inputs from start to end: it opens the inputs, makes the
 * spec and the plan, runs the pipeline, prints, and closes everything.  The
 * results outlive a pass, so several passes of one invocation can print to
 * them.  If bins depend on all values (found_bins.h), a pass that finds bins
 * comes before.
 *
 * Without --every, nothing goes to standard output until every input has been
 * counted, and nothing at all if an error occurs before.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interval.h"
#include "base/machine.h"
#include "base/output.h"
#include "base/writer.h"
#include "cli/advice.h"
#include "cli/driver_end.h"
#include "cli/explain.h"
#include "cli/file_table.h"
#include "cli/found_bins.h"
#include "cli/information.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "cli/output_files.h"
#include "cli/passes.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "cli/total.h"
#include "cli/wanted_plan.h"
#include "cli/wanted_reading.h"
#include "cli/wanted_spec.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/content/array_choice.h"
#include "input/decode/decoders.h"
#include "input/framing/text_framing.h"
#include "input/read/findings.h"
#include "input/read/inputs.h"
#include "input/read/opening.h"
#include "run/gpu_decoding.h"
#include "run/plan.h"
#include "run/tracks.h"
#include "sync/budget.h"

/* All passes of an invocation share this. */
struct passes {
    const struct options *options;
    struct signals *signals;
    struct messages *messages;
    struct text_format format;    /* if the inputs are text */
    struct reading reading;       /* how all inputs are read, by the options */
    struct array_choice arrays;   /* if --array is given */
    struct written_files written; /* files that no pass may read */
    struct results results;

    /* If an earlier pass finds bins: the options with them, and a copy of each
       input, COPY_COUNT of them, that cannot be read twice. */
    struct options answers;
    struct found_bins found;
    struct source_copy *copies;
    size_t copy_count;
};

struct pass {
    struct passes *passes;
    const struct options *options; /* the options of PASSES */

    struct budget budget;
    struct inputs inputs;
    struct text_header names; /* the header of the inputs, if they are text */
    struct npy_header npy;    /* ... or .npy files */
    struct spec spec;
    struct plan plan;
    struct tracks tracks;
    struct snapshot counts;
    uint64_t snapshots;       /* with --every: how many are printed */
    struct snapshot before;   /* with --reset: all counts up to the last one */
    struct total total;       /* with --total: of the inputs so far */
    struct file_table *table; /* with --per-file --pivot: likewise; or NULL */
};

/* ---- the plan ---- */

/* Make the plan of PASS.  Returns 0, or -1 with *ERROR set. */
static int
plan_pass(struct pass *pass, struct error *error)
{
    const struct options *options = pass->options;
    struct plan *plan = &pass->plan;
    bool is_optional = options->plan.device == DEVICE_AUTO &&
                       options->plan.gpu_decode != GPU_DECODE_ALWAYS;
    /* Even a look for the driver may end the process. */
    bool may_restart =
        is_optional && driver_end_allow_restart(options, &pass->inputs);

    if (wanted_plan_make(plan, options, &pass->spec, &pass->inputs, error) < 0)
        return -1;
    if (plan->gpu_count == 0 && plan->decoding == GPU_DECODE_NEVER)
        driver_end_forbid_restart();
    /* No other thread looks at the environment: no status line is allowed. */
    if (plan->gpu_count < plan->gpus_listed)
        cu_visible_limit(options->plan.visible, CU_GPUS, CU_DEVICE, plan->gpu,
                         plan->gpus_listed, plan->gpu_count);
    plan->cuda.is_probed = is_optional && !may_restart;
    return 0;
}

/* ---- printing ---- */

/* Block SIGPIPE: a broken pipe must leave no temporary file. */
static void
start_printing(const struct results *results)
{
    if (results_have_files(results->options))
        signals_hold_writing();
}

static void
end_printing(struct results *results)
{
    results_close(results);
    if (results_have_files(results->options))
        signals_release_writing();
}

/* Print COUNTS as the next snapshot; output files are complete afterwards. */
static int
print_snapshot(struct pass *pass, struct snapshot *counts, struct error *error)
{
    struct results *results = &pass->passes->results;
    const struct result result = {.counts = counts,
                                  .inputs = &pass->inputs,
                                  .snapshot = ++pass->snapshots};
    int printed = results_print(results, &result, error);

    results_close(results);
    return printed;
}

/* Print NOW minus the last snapshot, which is then released. */
static int
print_since(struct pass *pass, const struct snapshot *now, struct error *error)
{
    struct snapshot *since = &pass->before;

    if (snapshot_subtract(since, now, error) < 0)
        return -1;
    int result = print_snapshot(pass, since, error);
    snapshot_close(since);
    return result;
}

/*
 * Print NOW, all counts so far, as the next snapshot.  PASS takes ownership of
 * NOW's histogram.  Returns 0, or -1 with *ERROR set.
 */
static int
put_snapshot(struct pass *pass, struct snapshot *now, struct error *error)
{
    int result;

    if (pass->options->reset) {
        result = print_since(pass, now, error);
        pass->before = *now;
    } else {
        result = print_snapshot(pass, now, error);
        snapshot_close(now);
    }
    return result;
}

/*
 * Print snapshots until the end of the input.  After an input has failed, print
 * no more, because the pass will fail.  Returns 0, or -1 with *ERROR set.
 */
static int
put_snapshots(struct pass *pass, struct error *error)
{
    struct results *results = &pass->passes->results;
    struct status_line *line = &pass->passes->signals->line;
    struct snapshot counts;
    int result;

    while ((result = pipeline_snapshot(pass->tracks.pipeline, &counts, error)) >
           0) {
        if (inputs_have_failed(&pass->inputs)) {
            snapshot_close(&counts);
            continue;
        }
        status_line_forbid(line);
        start_printing(results);
        result = put_snapshot(pass, &counts, error);
        end_printing(results);
        if (result < 0)
            break;
        status_line_allow(line);
    }
    return result;
}

/* Let COUNTS of the input NAME be a column of the table.  Returns 0, or -1 with
   *ERROR set. */
static int
put_column(struct pass *pass, const char *name, struct snapshot *counts,
           struct error *error)
{
    if (spec_fold(counts->spec, &counts->histogram) < 0)
        return error_fail_memory(error);
    results_note(&pass->passes->results, counts);
    return file_table_add(pass->table, counts, name, error);
}

/*
 * With --per-file: let the counts of each input wait, until the last input has
 * ended or one has failed.  Returns 0, or -1 with *ERROR set.
 */
static int
put_inputs(struct pass *pass, struct error *error)
{
    struct snapshot counts;
    char *name;
    int result;

    while ((result = tracks_input(&pass->tracks, &name, &counts, error)) > 0) {
        const struct result one = {.counts = &counts,
                                   .inputs = &pass->inputs,
                                   .file = name,
                                   .total = pass->options->total ? &pass->total
                                                                 : NULL};
        result = pass->table != NULL
                     ? put_column(pass, name, &counts, error)
                     : results_print(&pass->passes->results, &one, error);
        snapshot_close(&counts);
        free(name);
        if (result < 0 || tracks_go_on(&pass->tracks, error) < 0)
            return -1;
    }
    return result;
}

/* Print the table of all inputs; or let their total wait behind their counts.
   Returns 0, or -1 with *ERROR set. */
static int
put_total(struct pass *pass, struct error *error)
{
    struct snapshot counts;
    const struct result all = {.counts = &counts,
                               .inputs = &pass->inputs,
                               .file = pass->table != NULL ? NULL : TOTAL_NAME,
                               .is_total = true};
    int result = pass->table != NULL
                     ? file_table_finish(pass->table, &counts, error)
                     : total_finish(&pass->total, &counts, error);

    if (result == 0)
        result = results_print(&pass->passes->results, &all, error);
    snapshot_close(&counts);
    return result;
}

/*
 * Print the counts at the end.  INCOMPLETE says why a part of the input is
 * missing; NULL if no part is.  With --reset, print a last snapshot first if it
 * is not empty.  With --per-file, print the counts of all inputs instead.
 * Returns 0, or -1 with *ERROR set.
 */
static int
put_final(struct pass *pass, const char *incomplete, struct error *error)
{
    struct results *results = &pass->passes->results;
    const struct result result = {.counts = &pass->counts,
                                  .inputs = &pass->inputs,
                                  .incomplete = incomplete};

    if (pass->options->reset && pass->counts.bytes > pass->before.bytes &&
        print_since(pass, &pass->counts, error) < 0)
        return -1;
    if (!pass->options->plan.per_file)
        return results_print(results, &result, error);
    if ((pass->options->total || pass->table != NULL) &&
        put_total(pass, error) < 0)
        return -1;
    return pass->table != NULL ? 0 : results_print_rows(results, error);
}

/*
 * Print the counts of PASS and all messages.  INTERRUPTED is the signal that
 * ended the pass, or 0.  Returns the exit status.
 */
static enum exit_status
put_result(struct pass *pass, int interrupted)
{
    struct results *results = &pass->passes->results;
    struct messages *messages = pass->passes->messages;
    const struct snapshot *counts = &pass->counts;
    struct error error = ERROR_NONE;
    char incomplete[80];

    outcome_put_engines(messages, &pass->tracks);
    start_printing(results);
    /* If inputs are bad, counts may be missing. */
    if (pass->options->explain && counts->spec != NULL) {
        explain_run(&pass->tracks, counts,
                    results->unshown.left_out + counts->left_out);
        messages_intrude(messages);
    }
    size_t bad = outcome_put_inputs(messages, &pass->inputs);
    advice_put_looks(messages, &pass->inputs, false);
    bool is_lost = bad == 0 && interrupted == 0 &&
                   findings_check_arrays(&pass->inputs, &error) < 0;
    if (is_lost)
        (void)messages_put_error(messages, &error);
    if (bad > 0 || is_lost) {
        end_printing(results);
        return EXIT_DATA;
    }
    if (interrupted != 0) {
        snprintf(incomplete, sizeof incomplete,
                 "interrupted by %s after %" PRIu64 " bytes",
                 signals_name(interrupted), counts->bytes);
        messages_put(messages, "incomplete: ", incomplete);
    }
    int result = put_final(pass, interrupted != 0 ? incomplete : NULL, &error);
    end_printing(results);
    if (result < 0)
        return messages_put_error(messages, &error);
    outcome_put_misfits(messages, pass->tracks.pipeline);
    outcome_put_unshown(messages, counts->spec, &results->unshown,
                        tracks_first_values(&pass->tracks),
                        pass->options->sample);
    advice_put_bases(messages, pass->options, counts->spec);
    if (interrupted != 0 ||
        !advice_put_countable(messages, pass->options, &pass->inputs))
        advice_put_long(messages, pass->options, results->lines,
                        results->screen_rows);
    return EXIT_DONE;
}

/* PASS has failed with ERROR, which is cleared.  Returns the exit status. */
static enum exit_status
put_failure(const struct pass *pass, struct error *error)
{
    struct messages *messages = pass->passes->messages;
    enum exit_status status = messages_put_error(messages, error);

    /* Threads that were abandoned may still read. */
    if (status == EXIT_DATA && !tracks_are_abandoned(&pass->tracks))
        advice_put_looks(messages, &pass->inputs, true);
    return status;
}

/* ---- running ---- */

/*
 * Count again on the CPU after FAILURE of a GPU, or of several tracks.  Returns
 * the exit status or exits.  A driver's thread may still use the variables of
 * the caller.  Other passes have no room for the options on their stacks.
 */
static __attribute__((noinline)) enum exit_status
repeat(struct pass *pass, struct error *failure)
{
    const struct passes *passes = pass->passes;
    struct messages *messages = passes->messages;
    struct options again = *passes->options;
    bool has_tracks = pass->tracks.track != NULL;

    if (has_tracks)
        tracks_stop(&pass->tracks);
    again.plan.one_track = has_tracks;
    options_forgo_devices(&again);
    status_line_forbid(&passes->signals->line);
    if (has_tracks && messages->is_verbose)
        messages_put(messages, "the inputs are counted again, one at a time: ",
                     failure->text != NULL ? failure->text : "short of memory");
    if (!has_tracks && !messages->is_quiet)
        messages_put(messages,
                     "warning: a device failed, the inputs are counted again: ",
                     failure->text);
    error_clear(failure);
    progress_restart(&passes->signals->progress);
    return passes_run(&again, passes->signals, messages);
}

/* Whether PASS, which has ended with RESULT and ERROR, should be repeated. */
static bool
should_repeat(struct pass *pass, int result, const struct error *error)
{
    if (cancel_is_asked(&pass->passes->signals->cancel))
        return false;
    return tracks_may_repeat(&pass->tracks) ||
           (result < 0 && pipeline_may_repeat(pass->tracks.pipeline, error));
}

/* End the process with STATUS, and close no driver, because closing may hang.
 */
static _Noreturn void
leave(struct passes *passes, enum exit_status status)
{
    results_close(&passes->results);
    _exit((int)status);
}

/* Limit the bytes that READING has of samples instead of their records. */
static void
limit_samples(struct reading *reading, const struct spec *spec)
{
    uint64_t records = reading->first_records;

    if (spec->kind != SPEC_SAMPLES || records == 0)
        return;
    if (records < reading->read_bytes / spec->record.bytes)
        reading->read_bytes = records * spec->record.bytes;
    reading->first_records = 0;
}

/* Tell the inputs of PASS how to cut records, which the plan asks, too. */
static void
set_framing(struct pass *pass)
{
    const struct options *options = pass->options;
    const struct spec *spec = &pass->spec;
    struct inputs *inputs = &pass->inputs;
    bool has_snapshots = interval_is_set(&options->plan.every);

    inputs->framing = spec->kind == SPEC_SAMPLES
                          ? framing_make_fixed(spec->record.bytes,
                                               options->partial == PARTIAL_DROP)
                          : text_framing_make(&spec->text);
    inputs->framing.drops_tail = options->partial == PARTIAL_DROP;
    limit_samples(&inputs->reading, spec);
    /* A snapshot, and the first records, are whole records. */
    bool are_whole = has_snapshots || inputs->reading.first_records > 0;
    inputs->framing.has_pieces =
        !are_whole && spec_allows_pieces(spec, &inputs->framing.overlap);
    inputs->framing.has_long = !are_whole && spec_allows_long(spec);
}

/* Tell the inputs of PASS how to read records, by its plan and options. */
static void
set_up_inputs(struct pass *pass)
{
    const struct options *options = pass->options;
    const struct spec *spec = &pass->spec;
    struct inputs *inputs = &pass->inputs;
    bool is_plain = !inputs->reading.is_image && !inputs->reading.is_npy;

    inputs->chunk_bytes = pass->plan.chunk_bytes;
    inputs->record_max = pass->plan.record_max;
    inputs->is_per_input = pass->plan.is_per_input;
    inputs->reading.is_wide = is_plain && record_is_wide(&spec->record);
    inputs->reading.text_hint = wanted_spec_text_hint(spec, options);
    inputs->reading.refuses_npy =
        is_plain && spec->kind == SPEC_SAMPLES &&
        (options->spec.dtype != NULL || options->spec.record != NULL);
}

/* Open what the counts of all inputs are added to.  Returns 0, or -1 with
   *ERROR set. */
static int
open_sums(struct pass *pass, struct error *error)
{
    const struct options *options = pass->options;
    unsigned int threads = pass->passes->results.threads;

    if (options_make_table(options)) {
        pass->table = file_table_open(&pass->spec, options, threads, error);
        return pass->table != NULL ? 0 : -1;
    }
    return options->total
               ? total_open(&pass->total, "--total", &pass->spec, threads,
                            options->plan.memory_limit, error)
               : 0;
}

/*
 * Plan PASS, whose spec is made, and start the decoding device.  Returns 0, or
 * -1 with *ERROR set.  Exits if the device fails.
 */
static int
prepare(struct pass *pass, struct error *error)
{
    struct passes *passes = pass->passes;
    struct budget *budget = &pass->budget;
    struct plan *plan = &pass->plan;

    set_framing(pass);
    if (plan_pass(pass, error) < 0)
        return -1;
    passes->results.threads = pass->options->plan.threads > 0
                                  ? pass->options->plan.threads
                                  : machine_cpus();
    budget_resize(budget, plan->decoder_bytes);
    /* With the reader of its input, a decoder can use all processors. */
    budget_return_helpers(budget, plan->tracks * (plan->decoders - 1));
    budget->guessers = plan->guessers;
    budget->feeds_device = plan->gpu_is_demanded;
    if (gpu_decoding_start(plan, budget, error) < 0) {
        status_line_forbid(&passes->signals->line);
        leave(passes, messages_put_error(passes->messages, error));
    }
    set_up_inputs(pass);
    return open_sums(pass, error);
}

/*
 * Count all inputs of PASS, and print snapshots and inputs meanwhile.  Returns
 * 0, or -1 with *ERROR set.
 */
static int
run_pipeline(struct pass *pass, struct error *error)
{
    struct signals *signals = pass->passes->signals;
    const struct plan_options *options = &pass->options->plan;

    if (pass->options->interrupted == INTERRUPTED_PRINT)
        cancel_allow(&signals->cancel);
    if (pass->options->explain) {
        start_printing(&pass->passes->results);
        explain_start(&pass->spec);
    }
    atomic_store(&signals->progress.phase, PROGRESS_COUNTING);
    status_line_allow(&signals->line);
    if (tracks_start(&pass->tracks, &pass->plan, &pass->spec, &pass->inputs,
                     &options->every, error) < 0)
        return -1;
    int result = options->per_file ? put_inputs(pass, error)
                                   : put_snapshots(pass, error);
    return result == 0 ? tracks_finish(&pass->tracks, &pass->counts, error)
                       : result;
}

/*
 * Counting has ended: from now on messages and rows are printed.  Returns the
 * interrupting signal, or 0.
 */
static int
start_output(struct passes *passes)
{
    struct signals *signals = passes->signals;

    driver_end_start_output();
    /* Remove the status line before messages and rows are printed. */
    status_line_close(&signals->line);
    int interrupted = signals_settle(signals);
    passes->messages->is_hurried = interrupted != 0;
    atomic_store(&signals->progress.phase, PROGRESS_PRINTING);
    return interrupted;
}

/* Run PASS, whose spec is made.  Returns the exit status or exits. */
static enum exit_status
run(struct pass *pass)
{
    struct passes *passes = pass->passes;
    struct error error = ERROR_NONE;

    if (prepare(pass, &error) < 0)
        return messages_put_error(passes->messages, &error);
    int result = run_pipeline(pass, &error);
    if (should_repeat(pass, result, &error)) {
        results_close(&passes->results);
        leave(passes, repeat(pass, &error));
    }
    int interrupted = start_output(passes);
    enum exit_status status =
        result < 0 ? put_failure(pass, &error) : put_result(pass, interrupted);
    if (interrupted != 0)
        signals_die(passes->signals, interrupted);
    /* Abandoned threads use variables of PASS: do not return. */
    if (tracks_are_abandoned(&pass->tracks))
        leave(passes, status);
    driver_end_settle(status);
    /* Everything is printed; closing a driver may hang. */
    if (pass->tracks.pipeline->consumers.gpus_started ||
        pass->budget.devices != NULL)
        driver_end_bound(pass->plan.gpu_timeout, status, NULL);
    snapshot_close(&pass->counts);
    snapshot_close(&pass->before);
    tracks_close(&pass->tracks);
    return status;
}

/* ---- one pass ---- */

/*
 * Read what the spec needs to know of the inputs: the format of images, the
 * type of .npy files, to *NPY, or the header of text, to *NAMES.  Returns 0, or
 * -1: inputs_error() says why.
 */
static int
read_headers(struct inputs *inputs, struct text_header *names,
             struct npy_header *npy)
{
    *names = (struct text_header){0};
    *npy = (struct npy_header){0};
    if (inputs->reading.is_image || inputs->reading.is_npy)
        return opening_read_header(inputs, npy);
    return inputs->reading.has_header || inputs->reading.finds_columns
               ? opening_read_names(inputs, names)
               : 0;
}

/*
 * Make the spec of PASS, whose inputs are open, then count, or list the
 * strategies.  Returns the exit status or exits.
 */
static enum exit_status
survey(struct pass *pass)
{
    struct passes *passes = pass->passes;
    struct messages *messages = passes->messages;
    struct inputs *inputs = &pass->inputs;
    struct error error = ERROR_NONE;

    if (!inputs->has_unknown_length && pass->options->skip_bytes == 0)
        atomic_store(&passes->signals->progress.expected_bytes,
                     inputs->known_bytes);
    if (read_headers(inputs, &pass->names, &pass->npy) < 0) {
        outcome_put_inputs(messages, inputs);
        advice_put_looks(messages, inputs, false);
        return EXIT_DATA;
    }
    if (wanted_spec_make(&pass->spec, pass->options, &inputs->reading, &error) <
        0) {
        enum exit_status status = messages_put_error(messages, &error);
        advice_put_looks(messages, inputs, true);
        return status;
    }
    return pass->options->action == ACTION_LIST_STRATEGIES
               ? information_put(pass->options, &pass->spec, messages)
               : run(pass);
}

/*
 * Open the inputs of PASS, COUNT paths at PATHS.  Returns 0, or -1 with *ERROR
 * set.
 */
static int
open_inputs(struct pass *pass, char *const *paths, size_t count,
            struct error *error)
{
    const struct options *options = pass->options;
    struct reading reading = pass->passes->reading;

    /* The plan sets the final size, but it needs an image's header first. */
    budget_open(&pass->budget, options->plan.memory_limit);
    if (options->equalize != NULL)
        reading.kept_bytes_max = pass->budget.total;
    reading.askers =
        options->plan.threads > 0 ? options->plan.threads : machine_cpus();
    if (inputs_open(&pass->inputs, paths, count, &reading, &pass->budget,
                    error) < 0)
        return -1;
    return output_files_check_state(options, &pass->budget, error);
}

/* Close PASS, which has returned STATUS. */
static void
close_pass(struct pass *pass, enum exit_status status)
{
    total_close(&pass->total);
    file_table_close(pass->table);
    spec_close(&pass->spec);
    text_header_close(&pass->names);
    npy_header_close(&pass->npy);
    inputs_close(&pass->inputs);
    if (!gpu_decoding_end(&pass->budget))
        leave(pass->passes, status);
    budget_close(&pass->budget);
}

/*
 * One pass: count COUNT inputs at PATHS and print the counts to the results of
 * PASSES.  After a return, another pass may follow.  Returns the exit status or
 * exits.
 */
static enum exit_status
count_inputs(struct passes *passes, char *const *paths, size_t count)
{
    struct pass pass = {.passes = passes, .options = passes->options};
    struct error error = ERROR_NONE;
    /* Members have the names of their archives, too: "total: member". */
    const bool may_be_total =
        pass.options->total && passes->reading.members == NULL;

    if ((may_be_total && total_check_names(paths, count, &error) < 0) ||
        open_inputs(&pass, paths, count, &error) < 0)
        return messages_put_error(passes->messages, &error);
    enum exit_status status = survey(&pass);
    close_pass(&pass, status);
    return status;
}

/* ---- the pass that finds bins ---- */

/*
 * Ask for the bins: make the spec of PASS, whose inputs are open, and check the
 * spec of the later pass before anything is read.  Returns 0, or -1 with *ERROR
 * set.
 */
static int
ask(struct pass *pass, struct error *error)
{
    const struct reading *reading = &pass->inputs.reading;
    struct found_bins found = {.count = 0};
    struct options options = *pass->passes->options;
    struct spec later = {.axis_count = 0};

    int result = wanted_spec_ask(&pass->spec, pass->options, reading, error);
    if (result == 0)
        result =
            found_bins_set(&found, &options, &pass->spec, NULL, NULL, error);
    if (result == 0)
        result = wanted_spec_make(&later, &options, reading, error);
    spec_close(&later);
    found_bins_close(&found);
    return result;
}

/* Set the answers from the counts of PASS, which is complete.  Returns 0, or -1
   with *ERROR set. */
static int
answer(struct pass *pass, struct error *error)
{
    struct passes *passes = pass->passes;
    struct snapshot *counts = &pass->counts;

    if (spec_fold(counts->spec, &counts->histogram) < 0)
        return error_fail_memory(error);
    return found_bins_set(&passes->found, &passes->answers, counts->spec,
                          counts, pass->tracks.pipeline->ranging.extremes,
                          error);
}

/* Run PASS, whose spec is made, to its end or to a bad input.  Returns the exit
   status or exits. */
static enum exit_status
run_to_find(struct pass *pass)
{
    struct passes *passes = pass->passes;
    struct error error = ERROR_NONE;
    enum exit_status status = EXIT_DONE;

    if (prepare(pass, &error) < 0)
        return messages_put_error(passes->messages, &error);
    int result = run_pipeline(pass, &error);
    bool is_cut = cancel_is_asked(&passes->signals->cancel);
    if (result == 0 && !is_cut && !inputs_have_failed(&pass->inputs))
        result = answer(pass, &error);
    if (result != 0 || is_cut || inputs_have_failed(&pass->inputs)) {
        int interrupted = start_output(passes);
        status = EXIT_DATA;
        if (result < 0)
            status = put_failure(pass, &error);
        else
            outcome_put_inputs(passes->messages, &pass->inputs);
        if (interrupted != 0)
            signals_die(passes->signals, interrupted);
    }
    if (tracks_are_abandoned(&pass->tracks))
        leave(passes, status);
    snapshot_close(&pass->counts);
    tracks_close(&pass->tracks);
    return status;
}

/* Find the bins with PASS, whose inputs are open.  Returns the exit status or
   exits. */
static enum exit_status
survey_to_find(struct pass *pass)
{
    struct messages *messages = pass->passes->messages;
    struct inputs *inputs = &pass->inputs;
    struct error error = ERROR_NONE;

    if (read_headers(inputs, &pass->names, &pass->npy) < 0) {
        outcome_put_inputs(messages, inputs);
        advice_put_looks(messages, inputs, false);
        return EXIT_DATA;
    }
    if (ask(pass, &error) == 0)
        return run_to_find(pass);
    enum exit_status status = messages_put_error(messages, &error);
    advice_put_looks(messages, inputs, true);
    return status;
}

/* With -v, name the inputs of PASSES that were copied. */
static void
put_copies(struct passes *passes, char *const *paths)
{
    for (size_t i = 0; i < passes->copy_count; i++) {
        const struct scratch_file *file = &passes->copies[i].file;
        char text[128];

        passes->copies[i].is_complete = true;
        if (file->directory == NULL || !passes->messages->is_verbose)
            continue;
        snprintf(text, sizeof text,
                 ": cannot be read twice: %" PRIu64
                 " bytes are copied to a file in %.60s",
                 file->size, file->directory);
        messages_put(passes->messages,
                     paths == NULL || strcmp(paths[i], "-") == 0
                         ? "standard input"
                         : paths[i],
                     text);
    }
}

/*
 * Find the bins that depend on all values of the COUNT inputs at PATHS, and
 * let the passes that follow have the options with these bins.  Returns the
 * exit status or exits.
 */
static enum exit_status
find_bins(struct passes *passes, char *const *paths, size_t count)
{
    const struct options questions = found_bins_questions(passes->options);
    struct pass pass = {.passes = passes, .options = &questions};
    struct reading reading = passes->reading;
    struct error error = ERROR_NONE;
    off_t here = lseek(STDIN_FILENO, 0, SEEK_CUR);

    passes->answers = *passes->options;
    passes->copy_count = paths != NULL ? count : 1;
    passes->copies = calloc(passes->copy_count, sizeof *passes->copies);
    if (passes->copies == NULL) {
        (void)error_fail_memory(&error);
        return messages_put_error(passes->messages, &error);
    }
    passes->reading.copies = passes->copies;
    passes->reading.shard = questions.shard;
    passes->reading.identifies = false;
    if (open_inputs(&pass, paths, count, &error) < 0)
        return messages_put_error(passes->messages, &error);
    enum exit_status status = survey_to_find(&pass);
    close_pass(&pass, status);
    passes->reading.shard = reading.shard;
    passes->reading.identifies = reading.identifies;
    put_copies(passes, paths);
    /* A file as standard input is read from here again. */
    if (here >= 0)
        (void)lseek(STDIN_FILENO, here, SEEK_SET);
    progress_restart(&passes->signals->progress);
    passes->options = &passes->answers;
    passes->results.options = &passes->answers;
    return status;
}

/* ---- the whole ---- */

/*
 * Choose how the inputs are read, and open the results.  PASSES must not move
 * afterwards.  Returns 0, or -1 with *ERROR set.
 */
static int
open_passes(struct passes *passes, struct error *error)
{
    const struct options *options = passes->options;
    struct signals *signals = passes->signals;

    passes->reading = (struct reading){
        .arrays = options->arrays.count > 0 ? &passes->arrays : NULL,
        .written = &passes->written,
        .progress = &signals->progress,
        .cancel = &signals->cancel,
    };
    if ((options->arrays.count > 0 &&
         array_choice_open(&passes->arrays, options->arrays.text,
                           options->arrays.count, error) < 0) ||
        wanted_reading_set(&passes->reading, options, &passes->format, error) <
            0 ||
        output_files_check(&passes->written, options, error) < 0)
        return -1;
    return results_open(&passes->results, options, &signals->outputs,
                        &signals->intrusions, error);
}

enum exit_status
passes_run(const struct options *options, struct signals *signals,
           struct messages *messages)
{
    struct error error = ERROR_NONE;
    /* On the heap, because the results have several paths in them. */
    struct passes *passes = calloc(1, sizeof *passes);

    if (passes == NULL) {
        (void)error_fail_memory(&error);
        return messages_put_error(messages, &error);
    }
    passes->options = options;
    passes->signals = signals;
    passes->messages = messages;
    messages->intrusions = &signals->intrusions;
    char *const *paths = options->provenance.paths;
    size_t count = options->provenance.path_count;
    enum exit_status status = open_passes(passes, &error) < 0
                                  ? messages_put_error(messages, &error)
                                  : EXIT_DONE;
    if (status == EXIT_DONE && found_bins_are_wanted(options))
        status = find_bins(passes, paths, count);
    if (status == EXIT_DONE)
        status = count_inputs(passes, paths, count);
    results_close(&passes->results);
    array_choice_close(&passes->arrays);
    for (size_t i = 0; i < passes->copy_count; i++)
        scratch_file_close(&passes->copies[i].file);
    free(passes->copies);
    found_bins_close(&passes->found);
    free(passes);
    return status;
}
