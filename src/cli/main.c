/*
 * main.c -- the order of work; the only file that prints messages and exits
 *
 * Nothing goes to standard output before every input has been counted, and
 * nothing at all if anything failed.  A signal that ends the process does so
 * from a thread of its own (signals.h), except where a part of the input is to
 * be printed.
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "cli/explain.h"
#include "cli/options.h"
#include "cli/results.h"
#include "cli/signals.h"
#include "cli/snapshots.h"
#include "engine/cpu/record_count.h"
#include "engine/gpu/engine_cuda.h"
#include "engine/gpu/engine_opencl.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/fixed_framing.h"
#include "input/inputs.h"
#include "report/report.h"
#include "run/pipeline.h"
#include "run/plan.h"
#include "sync/budget.h"
#include "util/clock.h"
#include "util/error.h"

/*
 * Print TEXT, which may quote a file's name, with everything that could
 * steer a terminal replaced by '?'.
 */
static void
put_printable(const char *text)
{
    mbstate_t state = {0};
    size_t left = strlen(text);

    while (left > 0) {
        wchar_t wide;
        size_t length = mbrtowc(&wide, text, left, &state);
        if (length == 0 || length > left) {
            /* Not a character here; look at the next byte afresh. */
            state = (mbstate_t){0};
            length = 1;
            fputc('?', stderr);
        } else if (iswprint((wint_t)wide)) {
            fwrite(text, 1, length, stderr);
        } else {
            fputc('?', stderr);
        }
        text += length;
        left -= length;
    }
}

/* Print a line: "gpuhist: PREFIXTEXT". */
static void
put_message(const char *prefix, const char *text)
{
    fprintf(stderr, "gpuhist: %s", prefix);
    put_printable(text != NULL ? text : "out of memory");
    fputc('\n', stderr);
}

/* Print the message of ERROR and release it; returns its status. */
static enum exit_status
put_error(struct error *error)
{
    enum exit_status status = error->status;

    put_message("", error->text);
    error_clear(error);
    return status;
}

/*
 * Have descriptors 0 to 2, so that no file or device that is opened later
 * becomes standard output by accident.  A missing one is opened the wrong way
 * round: using it fails as it should.
 */
static void
guard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

static unsigned int
usable_cpus(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return (unsigned int)CPU_COUNT(&set);
    /* There may be more than the set has room for. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned int)online : 1;
}

static uint64_t
machine_memory(void)
{
    return (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* ---- warnings ---- */

/* With -v: say what the run had to do without. */
static void
put_shortages(const struct pipeline *pipeline)
{
    const struct pool *pool = &pipeline->pool;

    if (pool->huge_pages_refused != 0)
        put_message("no huge pages: ", strerror(pool->huge_pages_refused));
    if (pipeline->consumers.shortage.status != EXIT_DONE)
        put_message("", pipeline->consumers.shortage.text);
    for (size_t i = 0; i < pipeline->consumers.count; i++) {
        const struct consumer *consumer = &pipeline->consumers.consumer[i];
        if (consumer->is_late || consumer->is_lost ||
            consumer->engine->shortage.status == EXIT_DONE)
            continue;
        put_message("memory is not pinned, copies are slower: ",
                    consumer->engine->shortage.text);
    }
}

/* Say what became of the GPUs that did not work. */
static void
warn_of_engines(struct pipeline *pipeline, const struct options *options)
{
    for (size_t i = 0; i < pipeline->consumers.count; i++) {
        struct consumer *consumer = &pipeline->consumers.consumer[i];
        if (consumer->is_late || consumer->state != CONSUMER_FAILED)
            continue;
        if (consumer->was_open ? !options->quiet : options->verbose)
            put_message(consumer->was_open
                            ? "warning: its chunks were counted again: "
                            : "no GPU: ",
                        consumer->error.text);
    }
}

/* ---- drivers that hang ---- */

/* What leave_late() is to do. */
struct leaving {
    double seconds;
    enum exit_status status;
    const char *text; /* what to say then; NULL: nothing */
};

static void *
leave_late(void *argument)
{
    const struct leaving *leaving = argument;
    struct timespec end = clock_after(leaving->seconds);

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) != 0)
        continue;
    if (leaving->text != NULL)
        put_message("", leaving->text);
    _exit((int)leaving->status);
}

/*
 * A driver may hang in what comes now, where nobody else would notice.  So
 * leave in any case, with TEXT and STATUS, once that has taken so many
 * SECONDS; 0: never.  With no TEXT all has been said: without a thread to
 * wait, leave at once.
 */
static void
bound_leaving(double seconds, enum exit_status status, const char *text)
{
    static struct leaving leaving;
    pthread_t thread;

    if (seconds == 0)
        return;
    leaving = (struct leaving){seconds, status, text};
    if (pthread_create(&thread, NULL, leave_late, &leaving) == 0)
        pthread_detach(thread);
    else if (text == NULL)
        _exit((int)status);
}

/* ---- actions ---- */

/*
 * How many devices of a kind there are, COUNT; if that is -1, none, and with -v
 * say WHY, which is cleared.
 */
static int
devices_found(int count, struct error *why, bool verbose)
{
    if (count >= 0)
        return count;
    if (verbose)
        put_message("no GPU: ", why->text);
    error_clear(why);
    return 0;
}

/* Find all devices, and say with -v why there are none of a kind. */
static void
find_devices(const struct options *options, struct devices *devices)
{
    struct error missing = ERROR_NONE;

    *devices = (struct devices){0};
    bound_leaving(options->plan.gpu_timeout, EXIT_NO_DEVICE,
                  "a GPU's driver did not answer within --gpu-timeout");
    devices->cuda_count = devices_found(
        engine_cuda_list(&devices->cuda, &missing), &missing, options->verbose);
    devices->opencl_count =
        devices_found(cl_devices_list(&devices->opencl, &missing), &missing,
                      options->verbose);
}

static void
free_devices(struct devices *devices)
{
    free(devices->cuda);
    free(devices->opencl);
}

static int
list_devices(const struct options *options, struct error *error)
{
    struct devices devices;

    find_devices(options, &devices);
    explain_devices(stdout, usable_cpus(), &devices);
    free_devices(&devices);
    return output_close_stdout(error);
}

static enum exit_status
list_strategies(const struct options *options, const struct spec *spec)
{
    struct error error = ERROR_NONE;
    struct devices devices;

    find_devices(options, &devices);
    explain_strategies(stdout, spec, &devices);
    free_devices(&devices);
    return output_close_stdout(&error) < 0 ? put_error(&error) : EXIT_DONE;
}

/* Say which inputs look like text, but were counted as binary numbers. */
static void
warn_of_text(const struct inputs *inputs)
{
    struct error warning = ERROR_NONE;
    const char *first;
    size_t texts = inputs_count_texts(inputs, &first);

    if (texts == 0)
        return;
    if (texts == 1)
        error_set(&warning, EXIT_DATA,
                  "%s: looks like text, but was counted as binary numbers",
                  first);
    else
        error_set(&warning, EXIT_DATA,
                  "%s and %zu more input%s look like text, but were counted as "
                  "binary numbers",
                  first, texts - 1, texts == 2 ? "" : "s");
    put_message("warning: ", warning.text);
    error_clear(&warning);
}

/* Print what is wrong with the inputs; returns the number of bad ones. */
static size_t
put_input_errors(const struct inputs *inputs, bool quiet)
{
    size_t bad = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        const struct error *wrong = inputs_error(inputs, i);
        if (wrong->status != EXIT_DONE) {
            put_message("", wrong->text);
            bad++;
        } else if (inputs->input[i].dropped_bytes > 0 && !quiet) {
            struct error left_out = ERROR_NONE;
            error_set(&left_out, EXIT_DATA,
                      "%s: left out %zu byte%s of a cut off record at the end",
                      inputs->input[i].content.source.display_name,
                      inputs->input[i].dropped_bytes,
                      inputs->input[i].dropped_bytes == 1 ? "" : "s");
            put_message("warning: ", left_out.text);
            error_clear(&left_out);
        }
    }
    if (!quiet)
        warn_of_text(inputs);
    return bad;
}

static int
make_plan(struct plan *plan, const struct options *options,
          const struct spec *spec, const struct inputs *inputs,
          struct error *error)
{
    struct plan_facts facts = {
        .input_count = inputs->count,
        .known_bytes = inputs->known_bytes,
        .has_unknown_length = inputs->has_unknown_length,
        .cpus = usable_cpus(),
        .memory_bytes = machine_memory(),
        .has_gpu_code = engine_cuda_is_built() || engine_opencl_is_built(),
        .host_cost = tally_cost(spec),
        .record_bytes = spec->record.bytes,
        .table_bytes = spec_table_bytes(spec),
        .other_bytes = spec_other_bytes(spec) +
                       report_bytes(spec, &options->report) +
                       snapshots_bytes(spec, options),
        .may_share_table = !spec->has_weights && !spec_is_growing(spec),
    };

    return plan_make(plan, &options->plan, &facts, error);
}

/* A pipe that nobody reads any more must not leave files behind. */
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
 * Print snapshots until the end of the input.  Once an input is known to be
 * bad there are no more: the run will fail.  Returns 0, or -1 with *ERROR set.
 */
static int
put_snapshots(struct pipeline *pipeline, struct snapshots *snapshots,
              struct signals *signals, struct error *error)
{
    struct snapshot counts;
    uint64_t hidden;
    int result;

    while ((result = pipeline_snapshot(pipeline, &counts, error)) > 0) {
        if (inputs_have_failed(pipeline->inputs)) {
            snapshot_close(&counts);
            continue;
        }
        status_line_forbid(&signals->line);
        begin_printing(snapshots->results);
        result = snapshots_print(snapshots, &counts, &hidden, error);
        end_printing(snapshots->results);
        if (result < 0)
            break;
        status_line_allow(&signals->line);
    }
    return result;
}

/*
 * What is left to do when all is counted; or what came until the signal
 * INTERRUPTED, if that is not 0.  Returns the exit status.
 */
static enum exit_status
put_result(struct pipeline *pipeline, const struct options *options,
           struct snapshots *snapshots, struct snapshot *counts,
           int interrupted)
{
    struct error error = ERROR_NONE;
    char incomplete[80];
    uint64_t hidden;

    warn_of_engines(pipeline, options);
    if (options->verbose)
        put_shortages(pipeline);
    if (options->explain) {
        explain_axes(stderr, counts->spec);
        explain_plan(stderr, pipeline->plan);
        explain_engines(stderr, pipeline);
    }
    if (put_input_errors(pipeline->inputs, options->quiet) > 0)
        return EXIT_DATA;
    if (interrupted != 0) {
        snprintf(incomplete, sizeof incomplete,
                 "interrupted by %s after %" PRIu64 " bytes",
                 signals_name(interrupted), counts->bytes);
        put_message("incomplete: ", incomplete);
    }
    begin_printing(snapshots->results);
    int result =
        snapshots_end(snapshots, counts, interrupted != 0 ? incomplete : NULL,
                      &hidden, &error);
    end_printing(snapshots->results);
    if (result < 0)
        return put_error(&error);
    if (hidden > 0 && !options->quiet)
        fprintf(stderr,
                "gpuhist: warning: %" PRIu64
                " values are in no bin and not shown\n",
                hidden);
    return EXIT_DONE;
}

/* Count what SPEC says and print it.  Returns the exit status, if at all. */
static enum exit_status
run(const struct options *options, const struct spec *spec,
    struct inputs *inputs, struct budget *budget, struct results *results,
    struct signals *signals)
{
    struct error error = ERROR_NONE;
    struct plan plan;
    struct pipeline pipeline;
    struct snapshots snapshots;
    struct snapshot counts = {0};

    if (make_plan(&plan, options, spec, inputs, &error) < 0)
        return put_error(&error);
    budget_resize(budget, plan.decoder_bytes);
    inputs->framing = fixed_framing_make(spec->record.bytes,
                                         options->partial == PARTIAL_DROP);
    inputs->reading.is_wide =
        !inputs->reading.is_image && record_is_wide(&spec->record);

    if (options->interrupted == INTERRUPTED_PRINT)
        cancel_allow(&signals->cancel);
    atomic_store(&signals->progress.phase, PROGRESS_COUNTING);
    status_line_allow(&signals->line);
    snapshots_open(&snapshots, results, inputs);
    int result = pipeline_start(&pipeline, &plan, spec, inputs,
                                &options->plan.every, &error);
    if (result == 0)
        result = put_snapshots(&pipeline, &snapshots, signals, &error);
    if (result == 0)
        result = pipeline_finish(&pipeline, &counts, &error);
    /* Messages and rows follow. */
    status_line_close(&signals->line);
    int interrupted = signals_settle(signals);
    atomic_store(&signals->progress.phase, PROGRESS_PRINTING);
    enum exit_status status =
        result < 0
            ? put_error(&error)
            : put_result(&pipeline, options, &snapshots, &counts, interrupted);
    if (interrupted != 0)
        signals_die(signals, interrupted);
    if (pipeline.is_abandoned) {
        /* Threads that are left behind use the variables of this function. */
        results_close(results);
        fflush(stderr);
        _exit((int)status);
    }
    /* To close a driver takes a moment, when all is said. */
    if (pipeline.consumers.gpus_started)
        bound_leaving(plan.gpu_timeout, status, NULL);
    pipeline_close(&pipeline);
    snapshot_close(&counts);
    snapshots_close(&snapshots);
    return status;
}

/*
 * Find out what to count, then do it or say how.  Returns the exit status, if
 * at all.
 */
static enum exit_status
count(const struct options *options, struct signals *signals)
{
    struct error error = ERROR_NONE;
    struct reading reading = {
        .decompress = options->decompress,
        .skip_bytes = options->skip_bytes,
        .read_bytes = options->read_bytes,
        .is_image = options->image,
        .progress = &signals->progress,
        .cancel = &signals->cancel,
    };
    struct budget budget;
    struct results results;
    struct inputs inputs;
    struct spec spec;
    enum exit_status status;

    /* The plan will say; but an image's header is needed first. */
    budget_open(&budget, options->plan.memory_limit);
    if (options->equalize != NULL)
        reading.kept_bytes_max = budget.total;
    if (results_open(&results, options, &signals->outputs, &error) < 0 ||
        inputs_open(&inputs, options->provenance.paths,
                    options->provenance.path_count, &reading, &budget,
                    &error) < 0) {
        results_close(&results);
        return put_error(&error);
    }
    if (!inputs.has_unknown_length && options->skip_bytes == 0)
        atomic_store(&signals->progress.expected_bytes, inputs.known_bytes);
    spec = (struct spec){0};
    if (options->image && inputs_read_header(&inputs) < 0) {
        put_input_errors(&inputs, options->quiet);
        status = EXIT_DATA;
    } else if (spec_make(&spec, &options->spec,
                         options->image ? &inputs.reading.format : NULL,
                         options->plan.memory_limit, &error) < 0 ||
               results_check(&spec, options, &error) < 0) {
        status = put_error(&error);
    } else if (options->action == ACTION_LIST_STRATEGIES) {
        status = list_strategies(options, &spec);
    } else {
        status = run(options, &spec, &inputs, &budget, &results, signals);
    }
    spec_close(&spec);
    inputs_close(&inputs);
    budget_close(&budget);
    results_close(&results);
    return status;
}

/*
 * Have signals waited for.  Where no thread can be started, go on without,
 * unless that would leave files behind or nothing to print.  Returns 0, or -1
 * with *ERROR set.
 */
static int
wait_for_signals(struct signals *signals, const struct options *options,
                 struct error *error)
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
    if (options->verbose)
        put_message("", refused.text);
    error_clear(&refused);
    return 0;
}

int
main(int argc, char **argv)
{
    /* In use until the end, even when main() has returned: */
    static char output_buffer[1 << 16];
    static struct signals signals;
    struct options options;
    struct error error = ERROR_NONE;

    signals_begin();
    guard_descriptors();
    /* A message is one write, whoever else writes there. */
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    /* What is short fails in output_close_stdout(), with a reason. */
    setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
    /* Only for the names in messages; LC_NUMERIC stays as it is. */
    setlocale(LC_CTYPE, "");
    if (options_parse(&options, argc, argv, &error) < 0)
        return (int)put_error(&error);
    /* So that cuda:1 is the device that nvidia-smi calls 1. */
    if (options.plan.device != DEVICE_CPU)
        setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);

    int result = 0;
    switch (options.action) {
    case ACTION_HELP:
        for (const char *const *piece = options_help; *piece != NULL; piece++)
            fputs(*piece, stdout);
        result = output_close_stdout(&error);
        break;
    case ACTION_VERSION:
        puts("gpuhist " VERSION);
        result = output_close_stdout(&error);
        break;
    case ACTION_LIST_DEVICES:
        result = list_devices(&options, &error);
        break;
    case ACTION_LIST_STRATEGIES:
    case ACTION_COUNT:
        options.plan.memory_limit =
            plan_memory_limit(&options.plan, machine_memory());
        if (wait_for_signals(&signals, &options, &error) < 0)
            return (int)put_error(&error);
        return (int)count(&options, &signals);
    }
    return (int)(result < 0 ? put_error(&error) : EXIT_DONE);
}
