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
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "budget.h"
#include "engine_cuda.h"
#include "equalize.h"
#include "error.h"
#include "explain.h"
#include "inputs.h"
#include "moment.h"
#include "options.h"
#include "output.h"
#include "pipeline.h"
#include "plan.h"
#include "plot.h"
#include "report.h"
#include "signals.h"
#include "spec.h"
#include "summary.h"
#include "svg.h"
#include "tally.h"

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

/*
 * Make sure that the system has taken all of standard output.  If a write has
 * failed already, errno must still say why.
 */
static int
close_output(struct error *error)
{
    int reason = errno;

    if (ferror(stdout)) {
        /* What has not been written yet would follow a gap. */
        __fpurge(stdout);
    } else {
        errno = 0;
        if (fclose(stdout) == 0)
            return 0;
        reason = errno;
    }
    error_set(error, EXIT_DATA, "standard output: write error: %s",
              reason != 0 ? strerror(reason) : "some bytes were not accepted");
    return -1;
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

/* The files that a run writes, if it does. */
struct files {
    struct signals *signals; /* knows what is to be removed */
    struct output counts;    /* --output */
    struct output image;     /* --equalize */
    struct output picture;   /* --svg */
};

/*
 * Begin to write what OPTIONS name: if that is not possible, it shows before
 * hours of counting.  Returns 0, or -1 with *ERROR set; close_files() is due.
 */
static int
open_files(struct files *files, const struct options *options,
           struct error *error)
{
    struct outputs *outputs = &files->signals->outputs;

    if (options->output != NULL &&
        output_open(&files->counts, outputs, options->output, error) < 0)
        return -1;
    if (options->equalize != NULL &&
        output_open(&files->image, outputs, options->equalize, error) < 0)
        return -1;
    return options->svg == NULL
               ? 0
               : output_open(&files->picture, outputs, options->svg, error);
}

/* Whatever is not complete goes. */
static void
close_files(struct files *files)
{
    output_close(&files->counts);
    output_close(&files->image);
    output_close(&files->picture);
}

/* ---- warnings ---- */

/* With -v: say what the run had to do without. */
static void
put_shortages(const struct pipeline *pipeline)
{
    const struct pool *pool = &pipeline->pool;

    if (pool->huge_pages_refused != 0)
        put_message("no huge pages: ", strerror(pool->huge_pages_refused));
    if (pipeline->shortage.status != EXIT_DONE)
        put_message("", pipeline->shortage.text);
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        const struct consumer *consumer = &pipeline->consumer[i];
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
    for (size_t i = 0; i < pipeline->consumer_count; i++) {
        struct consumer *consumer = &pipeline->consumer[i];
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
    struct timespec end = moment_after(leaving->seconds);

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
 * Find the GPUs, *DEVICES for free(), and say why there are none with -v;
 * returns how many there are.
 */
static int
find_devices(const struct options *options, struct cuda_device **devices)
{
    struct error missing = ERROR_NONE;

    *devices = NULL;
    bound_leaving(options->gpu_timeout, EXIT_NO_DEVICE,
                  "cuda: the driver did not answer within --gpu-timeout");
    int count = engine_cuda_list(devices, &missing);
    if (count < 0 && options->verbose)
        put_message("no GPU: ", missing.text);
    error_clear(&missing);
    return count < 0 ? 0 : count;
}

static int
list_devices(const struct options *options, struct error *error)
{
    struct cuda_device *devices;
    int count = find_devices(options, &devices);

    explain_devices(stdout, usable_cpus(), devices, count);
    free(devices);
    return close_output(error);
}

static enum exit_status
list_strategies(const struct options *options, const struct spec *spec)
{
    struct error error = ERROR_NONE;
    struct cuda_device *devices;
    int count = find_devices(options, &devices);

    explain_strategies(stdout, spec, devices, count);
    free(devices);
    return close_output(&error) < 0 ? put_error(&error) : EXIT_DONE;
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
                      inputs->input[i].source.display_name,
                      inputs->input[i].dropped_bytes,
                      inputs->input[i].dropped_bytes == 1 ? "" : "s");
            put_message("warning: ", left_out.text);
            error_clear(&left_out);
        }
    }
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
        .has_cuda_code = engine_cuda_is_built(),
        .host_cost = tally_cost(spec),
        .record_bytes = spec->record.bytes,
        .table_bytes = spec_table_bytes(spec),
        .other_bytes = spec_other_bytes(spec) + report_bytes(spec, options),
        .may_share_table = !spec->has_weights && !spec_is_growing(spec),
    };

    return plan_make(plan, options, &facts, error);
}

/*
 * Make the table that equalises a grey image, *LUT for free(), and write the
 * image to OUTPUT if that is not NULL.  Returns 0, or -1 with *ERROR set.
 */
static int
equalize(const struct pipeline *pipeline, struct output *output, uint32_t **lut,
         struct error *error)
{
    const struct inputs *inputs = pipeline->inputs;
    const struct source *source = &inputs->input[0].source;
    unsigned int maxval = inputs->reading.format.maxval;
    struct equalize_image image = {
        .pixels = source->kept,
        .width = source->shape.width,
        .height = source->shape.height,
        .is_bottom_up = source->shape.is_bottom_up,
        .maxval = maxval,
    };

    *lut = calloc((size_t)maxval + 1, sizeof **lut);
    if (*lut == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    equalize_table(pipeline->histogram.value, (size_t)maxval + 1, *lut);
    if (output == NULL)
        return 0;
    if (source->shape.images != 1) {
        error_set(error, EXIT_DATA, "%s: --equalize is for one image, not %llu",
                  source->display_name,
                  (unsigned long long)source->shape.images);
        return -1;
    }
    if (equalize_write(output->fd, &image, *lut) < 0)
        return output_fail(output, error);
    return output_finish(output, error);
}

/*
 * The statistics as text, *SUMMARY for free(); NULL if none are wanted.
 * Returns 0, or -1 with *ERROR set.
 */
static int
make_summary(const struct report *report, char **summary, struct error *error)
{
    size_t size;

    *summary = NULL;
    if (report->options->stats == STATS_NONE)
        return 0;
    FILE *out = open_memstream(summary, &size);
    if (out != NULL) {
        summary_put(out, report->spec, report->histogram, report->options);
        if (report->incomplete != NULL)
            fprintf(out, "# incomplete: %s\n", report->incomplete);
        bool has_failed = ferror(out) != 0;
        if (fclose(out) == 0 && !has_failed)
            return 0;
    }
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

/*
 * Draw bars on FD, which OUT writes to.  *HIDDEN is how many values are not
 * shown.  Returns 0, or -1 with *ERROR set.
 */
static int
put_plot(FILE *out, int fd, const struct picture_subject *subject,
         const struct options *options, uint64_t *hidden, struct error *error)
{
    const struct terminal terminal = terminal_look(fd);

    if (plot_print(out, subject, &terminal, options->nonzero, hidden) == 0)
        return 0;
    error_set(error, EXIT_DATA, "out of memory");
    return -1;
}

/* Draw SUBJECT to OUTPUT.  Returns 0, or -1 with *ERROR set. */
static int
put_svg(struct output *output, const struct picture_subject *subject,
        const struct options *options, struct error *error)
{
    FILE *out = output_stream(output, error);

    if (out == NULL)
        return -1;
    if (svg_print(out, subject, options->paths, options->path_count) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    return output_finish(output, error);
}

/*
 * Print REPORT, or the picture of SUBJECT or SUMMARY where only that is wanted,
 * to standard output or to FILES->counts.  No file is replaced before all of it
 * was accepted.  Returns 0, or -1 with *ERROR set.
 */
static int
put_report(struct report *report, const struct picture_subject *subject,
           const char *summary, struct files *files, uint64_t *hidden,
           struct error *error)
{
    bool has_file = files->counts.outputs != NULL;
    FILE *out = has_file ? output_stream(&files->counts, error) : stdout;

    if (out == NULL)
        return -1;
    int result = 0;
    if (report->options->stats == STATS_ONLY)
        fputs(summary, out);
    else if (report->options->plot == PLOT_ONLY)
        result =
            put_plot(out, fileno(out), subject, report->options, hidden, error);
    else
        result = report_print(out, report, hidden, error);
    if (result < 0)
        return -1;
    /* Whoever reads it need not wait until the driver is gone. */
    if ((has_file ? output_finish(&files->counts, error)
                  : close_output(error)) < 0)
        return -1;
    if (output_commit(&files->image, error) < 0 ||
        output_commit(&files->picture, error) < 0 ||
        output_commit(&files->counts, error) < 0)
        return -1;
    return 0;
}

/* Print REPORT and what belongs to it.  Returns 0, or -1 with *ERROR set. */
static int
put_results(struct pipeline *pipeline, const struct options *options,
            struct report *report, struct files *files, uint64_t *hidden,
            struct error *error)
{
    uint32_t *lut = NULL;
    char *summary = NULL;
    const struct picture_subject subject = {
        .spec = pipeline->spec,
        .histogram = &pipeline->histogram,
        .flow = options->flow,
        .is_log = options->plot_scale == PLOT_SCALE_LOG,
        .is_image = options->image,
        .is_incomplete = report->incomplete != NULL,
    };
    /* One that holds but a part of the image is of no use. */
    bool has_image = options->equalize != NULL && report->incomplete == NULL;

    if (!has_image)
        output_close(&files->image);
    if (spec_fold(pipeline->spec, &pipeline->histogram) < 0) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    /* Of the values as they are, before any is clamped. */
    int result = make_summary(report, &summary, error);
    if (options->flow == FLOW_CLAMP)
        spec_clamp(pipeline->spec, &pipeline->histogram);
    if (result == 0 && (options->lut || has_image))
        result =
            equalize(pipeline, has_image ? &files->image : NULL, &lut, error);
    report->lut = options->lut ? lut : NULL;
    if (result == 0 && options->svg != NULL)
        result = put_svg(&files->picture, &subject, options, error);
    if (result == 0)
        result = put_report(report, &subject, summary, files, hidden, error);
    if (result == 0 && options->stats == STATS_BESIDE)
        fputs(summary, stderr);
    if (result == 0 && options->plot == PLOT_BESIDE)
        result =
            put_plot(stderr, STDERR_FILENO, &subject, options, hidden, error);
    free(lut);
    free(summary);
    return result;
}

/*
 * Print the histogram, of a part of the input if INCOMPLETE says why.  Returns
 * the exit status.
 */
static enum exit_status
put_histogram(struct pipeline *pipeline, const struct options *options,
              const char *incomplete, struct files *files)
{
    struct error error = ERROR_NONE;
    uint64_t hidden = 0;
    struct report report = {
        .spec = pipeline->spec,
        .histogram = &pipeline->histogram,
        .options = options,
        .bytes = pipeline->bytes_read,
        .incomplete = incomplete,
    };

    /* A pipe that nobody reads any more must not leave files behind. */
    bool has_files = options->output != NULL || options->equalize != NULL ||
                     options->svg != NULL;
    if (has_files)
        signals_hold_writing();
    int result =
        put_results(pipeline, options, &report, files, &hidden, &error);
    close_files(files);
    if (has_files)
        signals_release_writing();
    if (result < 0)
        return put_error(&error);
    if (hidden > 0 && !options->quiet)
        fprintf(stderr,
                "gpuhist: warning: %" PRIu64
                " values are in no bin and not shown\n",
                hidden);
    return EXIT_DONE;
}

/*
 * What is left to do when all is counted; or what came until the signal
 * INTERRUPTED, if that is not 0.  Returns the exit status.
 */
static enum exit_status
put_result(struct pipeline *pipeline, const struct options *options,
           int interrupted, struct files *files)
{
    char incomplete[80];

    warn_of_engines(pipeline, options);
    if (options->verbose)
        put_shortages(pipeline);
    if (options->explain) {
        explain_axes(stderr, pipeline->spec);
        explain_plan(stderr, pipeline->plan);
        explain_engines(stderr, pipeline);
    }
    if (put_input_errors(pipeline->inputs, options->quiet) > 0)
        return EXIT_DATA;
    if (interrupted == 0)
        return put_histogram(pipeline, options, NULL, files);
    snprintf(incomplete, sizeof incomplete,
             "interrupted by %s after %" PRIu64 " bytes",
             signals_name(interrupted), pipeline->bytes_read);
    put_message("incomplete: ", incomplete);
    return put_histogram(pipeline, options, incomplete, files);
}

/* Count what SPEC says and print it.  Returns the exit status, if at all. */
static enum exit_status
run(const struct options *options, const struct spec *spec,
    struct inputs *inputs, struct budget *budget, struct files *files)
{
    struct signals *signals = files->signals;
    struct error error = ERROR_NONE;
    struct plan plan;
    struct pipeline pipeline;

    if (make_plan(&plan, options, spec, inputs, &error) < 0)
        return put_error(&error);
    budget_resize(budget, plan.decoder_bytes);
    inputs->record_bytes = spec->record.bytes;
    inputs->drop_partial = options->partial == PARTIAL_DROP;

    if (options->interrupted == INTERRUPTED_PRINT)
        stop_allow(&signals->stop);
    atomic_store(&signals->progress.phase, PROGRESS_COUNTING);
    int result = pipeline_run(&pipeline, &plan, spec, inputs, &error);
    int interrupted = signals_settle(signals);
    atomic_store(&signals->progress.phase, PROGRESS_PRINTING);
    enum exit_status status =
        result < 0 ? put_error(&error)
                   : put_result(&pipeline, options, interrupted, files);
    if (interrupted != 0)
        signals_die(signals, interrupted);
    if (pipeline.is_abandoned) {
        /* Threads that are left behind use the variables of this function. */
        close_files(files);
        fflush(stderr);
        _exit((int)status);
    }
    /* To close a driver takes a moment, when all is said. */
    if (pipeline.gpus_started)
        bound_leaving(plan.gpu_timeout, status, NULL);
    pipeline_close(&pipeline);
    return status;
}

/* Whether the spec is one that can be equalised, if that is wanted. */
static int
check_equalize(const struct spec *spec, const struct options *options,
               struct error *error)
{
    if (!options->lut && options->equalize == NULL)
        return 0;
    if (spec->record.count == 1 && spec->shown[0].kind == BINNING_DIRECT &&
        spec->shown[0].first == 0 &&
        spec->shown[0].bins == spec->record.element[0].most + 1)
        return 0;
    error_set(error, EXIT_USAGE,
              "--lut and --equalize are for grey images, with one bin for "
              "each value");
    return -1;
}

/* Whether there are pictures of the spec, if they are wanted. */
static int
check_pictures(const struct spec *spec, const struct options *options,
               struct error *error)
{
    if (options->plot != PLOT_NONE && picture_check(spec, "--plot", error) < 0)
        return -1;
    return options->svg == NULL ? 0 : picture_check(spec, "--svg", error);
}

/* Find out what to count, then do it or say how.  Returns the exit status, if at all. */
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
        .stop = &signals->stop,
    };
    struct budget budget;
    struct files files = {.signals = signals};
    struct inputs inputs;
    struct spec spec;
    enum exit_status status;

    /* The plan will say; but an image's header is needed first. */
    budget_open(&budget, options->memory_limit);
    if (options->equalize != NULL)
        reading.kept_bytes_max = budget.total;
    if (open_files(&files, options, &error) < 0 ||
        inputs_open(&inputs, options->paths, options->path_count, &reading,
                    &budget, &error) < 0) {
        close_files(&files);
        return put_error(&error);
    }
    if (!inputs.has_unknown_length && options->skip_bytes == 0)
        atomic_store(&signals->progress.expected_bytes, inputs.known_bytes);
    spec = (struct spec){0};
    if (options->image && inputs_read_header(&inputs) < 0) {
        put_input_errors(&inputs, options->quiet);
        status = EXIT_DATA;
    } else if (spec_make(&spec, options,
                         options->image ? &inputs.reading.format : NULL,
                         &error) < 0 ||
               check_equalize(&spec, options, &error) < 0 ||
               report_check(&spec, options, &error) < 0 ||
               check_pictures(&spec, options, &error) < 0) {
        status = put_error(&error);
    } else if (options->action == ACTION_LIST_STRATEGIES) {
        status = list_strategies(options, &spec);
    } else {
        status = run(options, &spec, &inputs, &budget, &files);
    }
    spec_close(&spec);
    inputs_close(&inputs);
    budget_close(&budget);
    close_files(&files);
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

    if (signals_open(signals, &refused) == 0)
        return 0;
    if (options->output != NULL || options->equalize != NULL ||
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

    guard_descriptors();
    /* A message is one write, whoever else writes there. */
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    /* Fewer writes; and what is short fails in close_output(), with a reason. */
    setvbuf(stdout, output_buffer, _IOFBF, sizeof output_buffer);
    /* Only for the names in messages; LC_NUMERIC stays as it is. */
    setlocale(LC_CTYPE, "");
    if (options_parse(&options, argc, argv, &error) < 0)
        return (int)put_error(&error);
    /* So that cuda:1 is the device that nvidia-smi calls 1. */
    if (options.device != DEVICE_CPU)
        setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);

    int result = 0;
    switch (options.action) {
    case ACTION_HELP:
        for (const char *const *piece = options_help; *piece != NULL; piece++)
            fputs(*piece, stdout);
        result = close_output(&error);
        break;
    case ACTION_VERSION:
        puts("gpuhist " VERSION);
        result = close_output(&error);
        break;
    case ACTION_LIST_DEVICES:
        result = list_devices(&options, &error);
        break;
    case ACTION_LIST_STRATEGIES:
    case ACTION_COUNT:
        options.memory_limit = plan_memory_limit(&options, machine_memory());
        if (wait_for_signals(&signals, &options, &error) < 0)
            return (int)put_error(&error);
        return (int)count(&options, &signals);
    }
    return (int)(result < 0 ? put_error(&error) : EXIT_DONE);
}
