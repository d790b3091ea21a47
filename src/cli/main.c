/*
 * main.c -- the order of work; the only file that prints errors and exits
 *
 * Without --every, nothing goes to standard output until every input has been
 * counted, and nothing at all if an error occurs before.  A thread of its own
 * (signals.h) ends the process on a signal; with --interrupted=print, main()
 * prints the partial counts first.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/machine.h"
#include "base/output.h"
#include "base/writer.h"
#include "cli/advice.h"
#include "cli/driver_end.h"
#include "cli/explain.h"
#include "cli/file_names.h"
#include "cli/merging.h"
#include "cli/messages.h"
#include "cli/option_help.h"
#include "cli/option_parse.h"
#include "cli/options.h"
#include "cli/outcome.h"
#include "cli/output_files.h"
#include "cli/results.h"
#include "cli/run_plan.h"
#include "cli/signals.h"
#include "cli/snapshots.h"
#include "cli/wanted_spec.h"
#include "engine/gpu/cuda/engine_cuda.h"
#include "engine/gpu/opencl/engine_opencl.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/archive/members.h"
#include "input/decode/decoders.h"
#include "input/framing/fixed_framing.h"
#include "input/framing/text_framing.h"
#include "input/read/inputs.h"
#include "input/read/opening.h"
#include "report/report.h"
#include "run/gpu_decoding.h"
#include "run/pipeline.h"
#include "run/plan.h"
#include "sync/budget.h"

/*
 * Open those of the descriptors 0 to 2 that are closed, so that no file or
 * device opened later becomes standard output by accident.  They are opened in
 * the wrong direction, so that each use of them fails.
 */
static void
guard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

/* ---- actions ---- */

/*
 * The number of devices of a kind: COUNT, or 0 if COUNT is -1.  In this case -v
 * prints WHY.  WHY is cleared.
 */
static int
devices_found(int count, struct error *why, struct messages *messages)
{
    if (count >= 0)
        return count;
    if (messages->is_verbose)
        messages_put(messages, "no GPU: ", why->text);
    error_clear(why);
    return 0;
}

/*
 * Find the devices that --device allows, for free_devices(); -v prints why a
 * kind has none.
 */
static void
find_devices(const struct options *options, struct devices *devices,
             struct messages *messages)
{
    struct error missing = ERROR_NONE;

    *devices = (struct devices){0};
    if (options->plan.device == DEVICE_CPU)
        return;
    driver_end_bound(options->plan.gpu_timeout, EXIT_NO_DEVICE,
                     "a GPU's driver did not answer within --gpu-timeout");
    if (options->plan.device != DEVICE_OPENCL)
        devices->cuda_count = devices_found(
            engine_cuda_list(&devices->cuda, &missing), &missing, messages);
    if (options->plan.device != DEVICE_CUDA)
        devices->opencl_count = devices_found(
            cl_devices_list(&devices->opencl, &missing), &missing, messages);
}

static void
free_devices(struct devices *devices)
{
    free(devices->cuda);
    free(devices->opencl);
}

/*
 * Print what an ACTION other than ACTION_COUNT asks for to standard output;
 * SPEC is for ACTION_LIST_STRATEGIES only.  Returns the exit status.
 */
static enum exit_status
put_information(const struct options *options, const struct spec *spec,
                struct messages *messages)
{
    struct error error = ERROR_NONE;
    struct devices devices = {0};
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDOUT_FILENO);

    if (out == NULL) {
        (void)error_fail_memory(&error);
        return messages_put_error(messages, &error);
    }
    if (options->action == ACTION_HELP) {
        option_help_put(out);
    } else if (options->action == ACTION_VERSION) {
        fputs("gpuhist " VERSION "\n", out);
        decoders_put(out);
        members_put(out);
    } else {
        find_devices(options, &devices, messages);
        if (options->action == ACTION_LIST_DEVICES)
            explain_devices(out, machine_cpus(), &devices);
        else
            explain_strategies(out, spec, &devices);
        free_devices(&devices);
    }
    int result = writer_close_stream(&writer, out) < 0
                     ? output_fail_standard(STDOUT_FILENO, &error)
                     : output_close_stdout(&error);
    return result < 0 ? messages_put_error(messages, &error) : EXIT_DONE;
}

/* Print on standard error how PIPELINE counted COUNTS, and LEFT_OUT records
   not. */
static void
explain(const struct pipeline *pipeline, const struct snapshot *counts,
        uint64_t left_out)
{
    struct writer writer;
    FILE *out = writer_open_stream(&writer, STDERR_FILENO);

    if (out == NULL)
        return;
    explain_axes(out, counts->spec);
    explain_left_out(out, counts->spec, left_out);
    explain_plan(out, pipeline->plan, pipeline->consumers.spec);
    explain_engines(out, pipeline);
    /* A failure to write is no error here, as for messages. */
    (void)writer_close_stream(&writer, out);
}

/* Block SIGPIPE, so that a broken pipe leaves no temporary file behind. */
static void
begin_printing(const struct results *results)
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

/*
 * Print snapshots until the end of the input.  After an input has failed, no
 * more are printed, because the run will fail.  Returns 0, or -1 with *ERROR
 * set.
 */
static int
put_snapshots(struct pipeline *pipeline, struct snapshots *snapshots,
              struct signals *signals, struct error *error)
{
    struct snapshot counts;
    int result;

    while ((result = pipeline_snapshot(pipeline, &counts, error)) > 0) {
        if (inputs_have_failed(pipeline->inputs)) {
            snapshot_close(&counts);
            continue;
        }
        status_line_forbid(&signals->line);
        begin_printing(snapshots->results);
        result = snapshots_print(snapshots, &counts, error);
        end_printing(snapshots->results);
        if (result < 0)
            break;
        status_line_allow(&signals->line);
    }
    return result;
}

/*
 * With --per-file: let the counts of each input wait, until the last one has
 * ended or one has failed.  Returns 0, or -1 with *ERROR set.
 */
static int
put_inputs(struct pipeline *pipeline, struct snapshots *snapshots,
           struct error *error)
{
    struct snapshot counts;
    char *name;
    int result;

    while ((result = pipeline_input(pipeline, &name, &counts, error)) > 0) {
        result = snapshots_print_input(snapshots, name, &counts, error);
        free(name);
        if (result < 0 || pipeline_go_on(pipeline, error) < 0)
            return -1;
    }
    return result;
}

/*
 * Print COUNTS and all messages.  INTERRUPTED is the signal that ended the run,
 * or 0.  Returns the exit status.
 */
static enum exit_status
put_result(struct pipeline *pipeline, const struct options *options,
           struct snapshots *snapshots, struct snapshot *counts,
           int interrupted, struct messages *messages)
{
    struct error error = ERROR_NONE;
    char incomplete[80];

    outcome_put_engines(messages, pipeline);
    begin_printing(snapshots->results);
    /* If inputs are bad, there may be no counts. */
    if (options->explain && counts->spec != NULL)
        explain(pipeline, counts,
                snapshots->unshown.left_out + counts->left_out);
    size_t bad = outcome_put_inputs(messages, pipeline->inputs);
    advice_put_looks(messages, pipeline->inputs, false);
    if (bad > 0) {
        end_printing(snapshots->results);
        return EXIT_DATA;
    }
    if (interrupted != 0) {
        snprintf(incomplete, sizeof incomplete,
                 "interrupted by %s after %" PRIu64 " bytes",
                 signals_name(interrupted), counts->bytes);
        messages_put(messages, "incomplete: ", incomplete);
    }
    int result = snapshots_end(snapshots, counts,
                               interrupted != 0 ? incomplete : NULL, &error);
    end_printing(snapshots->results);
    if (result < 0)
        return messages_put_error(messages, &error);
    const struct field_counts *keys = &pipeline->consumers.keys;
    outcome_put_misfits(messages, pipeline);
    outcome_put_unshown(messages, counts->spec, &snapshots->unshown,
                        keys->spec != NULL ? &keys->first : NULL);
    if (interrupted == 0)
        advice_put_countable(messages, options, pipeline->inputs);
    return EXIT_DONE;
}

/* The run of PIPELINE has failed with ERROR, which is cleared.  Returns the
   exit status. */
static enum exit_status
put_failure(const struct pipeline *pipeline, struct error *error,
            struct messages *messages)
{
    enum exit_status status = messages_put_error(messages, error);

    /* Threads that were abandoned may still read. */
    if (status == EXIT_DATA && !pipeline->is_abandoned)
        advice_put_looks(messages, pipeline->inputs, true);
    return status;
}

static enum exit_status count(const struct options *options,
                              struct signals *signals,
                              struct messages *messages);

/* Let OPTIONS use no device. */
static void
forgo_devices(struct options *options)
{
    options->plan.device = DEVICE_CPU;
    options->plan.gpu_decode = GPU_DECODE_NEVER;
}

/*
 * Count again on the CPU after FAILURE of a GPU.  Returns the exit status or
 * exits.  A driver's thread may still use the variables of the caller.  Other
 * runs have no room for the options on their stacks.
 */
static __attribute__((noinline)) enum exit_status
repeat(const struct options *options, struct signals *signals,
       struct messages *messages, struct error *failure)
{
    struct options again = *options;

    forgo_devices(&again);
    status_line_forbid(&signals->line);
    if (!messages->is_quiet)
        messages_put(messages,
                     "warning: a device failed, the inputs are counted again: ",
                     failure->text);
    error_clear(failure);
    progress_restart(&signals->progress);
    return count(&again, signals, messages);
}

/* Count what SPEC says, and print it.  Returns the exit status or exits. */
static enum exit_status
run(const struct options *options, const struct spec *spec,
    struct inputs *inputs, struct budget *budget, struct results *results,
    struct signals *signals, struct messages *messages)
{
    struct error error = ERROR_NONE;
    struct plan plan;
    struct pipeline pipeline;
    struct snapshots snapshots;
    struct snapshot counts = {0};

    if (run_plan_make(&plan, options, spec, inputs, &error) < 0)
        return messages_put_error(messages, &error);
    results->threads =
        options->plan.threads > 0 ? options->plan.threads : plan.cpus;
    budget_resize(budget, plan.decoder_bytes);
    /* With the reader of its input, a decoder can use all processors. */
    budget_return_helpers(budget, plan.decoders - 1);
    budget->guessers = plan.guessers;
    if (gpu_decoding_begin(&plan, budget, &error) < 0) {
        /* Closing a driver after a failure may hang, so nothing is closed. */
        status_line_forbid(&signals->line);
        results_close(results);
        _exit((int)messages_put_error(messages, &error));
    }
    inputs->framing =
        spec->is_text ? text_framing_make(&spec->text)
                      : fixed_framing_make(spec->record.bytes,
                                           options->partial == PARTIAL_DROP);
    inputs->framing.drops_rest = options->partial == PARTIAL_DROP;
    /* A snapshot is of whole records. */
    inputs->framing.has_pieces =
        !interval_is_set(&options->plan.every) &&
        spec_allows_pieces(spec, &inputs->framing.overlap);
    inputs->framing.has_long =
        !interval_is_set(&options->plan.every) && spec_allows_long(spec);
    inputs->chunk_bytes = plan.chunk_bytes;
    inputs->record_max = plan.record_max;
    inputs->is_per_input = plan.is_per_input;
    bool is_plain = !inputs->reading.is_image && !inputs->reading.is_npy;
    inputs->reading.is_wide = is_plain && record_is_wide(&spec->record);
    inputs->reading.text_hint = wanted_spec_text_hint(spec, options);
    inputs->reading.refuses_npy =
        is_plain && !spec->is_text &&
        (options->spec.dtype != NULL || options->spec.record != NULL);

    if (options->interrupted == INTERRUPTED_PRINT)
        cancel_allow(&signals->cancel);
    atomic_store(&signals->progress.phase, PROGRESS_COUNTING);
    status_line_allow(&signals->line);
    snapshots_open(&snapshots, results, inputs);
    int result = pipeline_start(&pipeline, &plan, spec, inputs,
                                &options->plan.every, &error);
    if (result == 0)
        result = options->plan.per_file
                     ? put_inputs(&pipeline, &snapshots, &error)
                     : put_snapshots(&pipeline, &snapshots, signals, &error);
    if (result == 0)
        result = pipeline_finish(&pipeline, &counts, &error);
    if (result < 0 && pipeline_may_repeat(&pipeline, &error) &&
        !cancel_is_asked(&signals->cancel)) {
        results_close(results);
        /* Closing a driver after a failure may hang, so nothing is closed. */
        _exit((int)repeat(options, signals, messages, &error));
    }
    driver_end_begin_output();
    /* Remove the status line before messages and rows are printed. */
    status_line_close(&signals->line);
    int interrupted = signals_settle(signals);
    messages->is_hurried = interrupted != 0;
    atomic_store(&signals->progress.phase, PROGRESS_PRINTING);
    enum exit_status status = result < 0
                                  ? put_failure(&pipeline, &error, messages)
                                  : put_result(&pipeline, options, &snapshots,
                                               &counts, interrupted, messages);
    if (interrupted != 0)
        signals_die(signals, interrupted);
    if (pipeline.is_abandoned) {
        /* Abandoned threads use variables of this function: do not return. */
        results_close(results);
        _exit((int)status);
    }
    driver_end_settle(status);
    /* Everything is printed; closing a driver may hang. */
    if (pipeline.consumers.gpus_started || budget->zstd_device != NULL)
        driver_end_bound(plan.gpu_timeout, status, NULL);
    snapshot_close(&counts);
    snapshots_close(&snapshots);
    pipeline_close(&pipeline);
    return status;
}

/* Whether one of FIELDS, by its number, is not the only one of a record. */
static bool
has_later_field(const struct field_list *fields)
{
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->field[i].number > (fields->field[i].is_from_last ? 0U : 1U))
            return true;
    }
    return false;
}

/*
 * Let READING read text as OPTIONS say, if they ask for text; FORMAT must stay
 * in place.  Returns 0, or -1 with *ERROR set.
 */
static int
choose_text(struct reading *reading, const struct options *options,
            struct text_format *format, struct error *error)
{
    const struct text_options *text = &options->spec.text;
    const struct text_wanted wanted = {.fields = options->spec.fields.text,
                                       .lists = options->spec.fields.count,
                                       .weights = options->spec.weights,
                                       .is_joint = options->spec.joint};
    struct condition_list conditions = {0};
    struct text_fields fields = {0};

    if (!text_options_are_given(text))
        return 0;
    /* A list that is wrong is wrong without a header, too. */
    int result = text_options_format(text, format, error);
    if (result == 0)
        result =
            condition_list_parse(&conditions, format, options->spec.where.text,
                                 options->spec.where.count, error);
    if (result == 0)
        result = text_options_fields(text, format, NULL, &wanted, &conditions,
                                     &fields, error);
    /* A field after the first one shows that there are several columns. */
    bool has_columns = has_later_field(&fields.list);
    field_list_close(&fields.list);
    reading->text = format;
    reading->finds_columns = format->kind == TEXT_CSV && !has_columns;
    reading->columns = has_columns ? 2 : 0;
    format->skips_blank = format->kind == TEXT_CSV; /* before a header */
    reading->has_header =
        result == 0 &&
        text_options_have_header(text, format, &wanted, &conditions);
    condition_list_close(&conditions);
    return result;
}

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
 * Make the spec, then count, or list the strategies.  Returns the exit status
 * or exits.
 */
static enum exit_status
count(const struct options *options, struct signals *signals,
      struct messages *messages)
{
    struct error error = ERROR_NONE;
    struct written_files written;
    struct reading reading = {
        .members = options->members ? members_type() : NULL,
        .decompress = options->decompress,
        .skip_bytes = options->skip_bytes,
        .read_bytes = options->read_bytes,
        .shard = options->shard,
        .header_bytes_max = plan_header_bytes(options->plan.memory_limit),
        .is_image = options->image,
        .is_npy = options->npy,
        .refuses_states = true,
        .identifies = results_have_state(options),
        .written = &written,
        .progress = &signals->progress,
        .cancel = &signals->cancel,
    };
    struct text_format format;
    struct text_header names;
    struct npy_header npy;
    struct budget budget;
    struct results results;
    struct inputs inputs;
    struct spec spec;
    enum exit_status status;

    if (choose_text(&reading, options, &format, &error) < 0)
        return messages_put_error(messages, &error);
    /* The plan sets the final size, but it needs an image's header first. */
    budget_open(&budget, options->plan.memory_limit);
    if (options->equalize != NULL)
        reading.kept_bytes_max = budget.total;
    if (output_files_check(&written, options, &error) < 0)
        return messages_put_error(messages, &error);
    if (results_open(&results, options, &signals->outputs, &error) < 0 ||
        inputs_open(&inputs, options->provenance.paths,
                    options->provenance.path_count, &reading, &budget,
                    &error) < 0 ||
        output_files_check_state(options, &budget, &error) < 0) {
        results_close(&results);
        return messages_put_error(messages, &error);
    }
    if (!inputs.has_unknown_length && options->skip_bytes == 0)
        atomic_store(&signals->progress.expected_bytes, inputs.known_bytes);
    spec = (struct spec){0};
    if (read_headers(&inputs, &names, &npy) < 0) {
        outcome_put_inputs(messages, &inputs);
        advice_put_looks(messages, &inputs, false);
        status = EXIT_DATA;
    } else if (wanted_spec_make(&spec, options, &inputs.reading, &error) < 0) {
        status = messages_put_error(messages, &error);
        advice_put_looks(messages, &inputs, true);
    } else if (options->action == ACTION_LIST_STRATEGIES) {
        status = put_information(options, &spec, messages);
    } else {
        status =
            run(options, &spec, &inputs, &budget, &results, signals, messages);
    }
    spec_close(&spec);
    text_header_close(&names);
    npy_header_close(&npy);
    inputs_close(&inputs);
    if (!gpu_decoding_end(&budget)) {
        results_close(&results);
        _exit((int)status);
    }
    budget_close(&budget);
    results_close(&results);
    return status;
}

/*
 * Start the thread that waits for signals.  If this fails, the run goes on,
 * unless it needs the thread: to remove temporary files, or for
 * --interrupted=print.  Returns 0, or -1 with *ERROR set.
 */
static int
wait_for_signals(struct signals *signals, const struct options *options,
                 struct messages *messages, struct error *error)
{
    struct error refused = ERROR_NONE;
    enum status_line_when progress = options->progress;

    if (progress == STATUS_LINE_AUTO && options->quiet)
        progress = STATUS_LINE_NEVER;
    if (signals_open(signals, progress, &refused) == 0)
        return 0;
    if (results_have_files(options) ||
        options->interrupted == INTERRUPTED_PRINT) {
        error_move(error, &refused);
        return -1;
    }
    if (messages->is_verbose)
        messages_put(messages, "", refused.text);
    error_clear(&refused);
    return 0;
}

/*
 * If --files0-from is given, read its paths to NAMES, let OPTIONS have them,
 * and lower the memory limit of OPTIONS by their memory.
 * Returns 0, or -1 with *ERROR set.
 */
static int
read_names(struct options *options, struct file_names *names,
           struct error *error)
{
    if (options->files0_from == NULL)
        return 0;
    if (file_names_read(names, options->files0_from, options->plan.memory_limit,
                        error) < 0)
        return -1;
    options->plan.memory_limit -= names->bytes;
    options->provenance.paths = names->path;
    options->provenance.path_count = names->count;
    if ((!options->image && !options->npy) || names->count > 0)
        return 0;
    error_set(error, EXIT_DATA, "--files0-from=%s: names no %s",
              options->files0_from, options->image ? "image" : "file");
    return -1;
}

/*
 * Do what the command line says; unless MAY_USE_DEVICES, on the CPU.  Returns
 * the exit status or exits.
 */
static enum exit_status
work(int argc, char **argv, bool may_use_devices, struct signals *signals)
{
    struct messages messages = {0};
    struct options options;
    struct error error = ERROR_NONE;

    if (option_parse(&options, argc, argv, &error) < 0)
        return messages_put_error(&messages, &error);
    messages.is_quiet = options.quiet;
    messages.is_verbose = options.verbose;
    if (!may_use_devices)
        forgo_devices(&options);
    /* Number the devices as nvidia-smi does. */
    if (options.plan.device != DEVICE_CPU)
        setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);
    /* OpenCL's devices depend on the same variable. */
    if (options.action == ACTION_COUNT && !options.merge &&
        (options.plan.device == DEVICE_CUDA ||
         options.plan.device == DEVICE_AUTO))
        cu_visible_narrow(&options.plan.visible, CU_CAPABILITIES,
                          options.plan.gpu, options.plan.gpu_count);

    if (options.action != ACTION_COUNT &&
        options.action != ACTION_LIST_STRATEGIES)
        return put_information(&options, NULL, &messages);
    options.plan.memory_limit =
        plan_memory_limit(&options.plan, machine_memory());
    struct file_names names = {0};
    enum exit_status status;
    if (options.action == ACTION_COUNT)
        advice_put_terminal(&messages, &options);
    if (read_names(&options, &names, &error) < 0 ||
        wait_for_signals(signals, &options, &messages, &error) < 0)
        status = messages_put_error(&messages, &error);
    else if (options.merge)
        status = merging_run(&options, signals, &messages);
    else
        status = count(&options, signals, &messages);
    file_names_close(&names);
    return status;
}

int
main(int argc, char **argv)
{
    /* Static, because other threads use them after main() has returned. */
    static struct signals signals;

    signals_begin();
    guard_descriptors();
    bool is_restarted = driver_end_guard(&signals.outputs, &signals.line, argv);
    /* Only for the names in messages; LC_NUMERIC stays "C". */
    setlocale(LC_CTYPE, "");
    return driver_end_return(work(argc, argv, !is_restarted, &signals));
}
