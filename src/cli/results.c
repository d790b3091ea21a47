/* results.c -- print and write the results of a run or of a snapshot */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/terminal.h"
#include "base/writer.h"
#include "cli/results.h"
#include "cli/state_output.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"
#include "hist/pair_bins.h"
#include "hist/trim.h"
#include "plot/plot.h"
#include "plot/scene.h"
#include "plot/svg.h"
#include "report/equalize.h"
#include "report/report.h"
#include "report/summary.h"
#include "state/state_write.h"

/* ---- files ---- */

bool
results_have_files(const struct options *options)
{
    return options->output != NULL || options->equalize != NULL ||
           options->svg != NULL || options->state != NULL;
}

bool
results_have_state(const struct options *options)
{
    return options->state != NULL || options->report.format == FORMAT_STATE;
}

/* Check that no two of the files of RESULTS are the same: one would replace the
   other.  Returns 0, or -1 with *ERROR set. */
static int
check_twice(const struct results *results, struct error *error)
{
    static const char *const name[] = {"output", "equalize", "svg", "state"};
    const struct output *const files[] = {&results->counts, &results->image,
                                          &results->picture, &results->state};
    const size_t count = sizeof files / sizeof *files;

    for (size_t a = 0; a < count; a++) {
        for (size_t b = a + 1; b < count; b++) {
            if (!output_is_same(files[a], files[b]))
                continue;
            error_set(error, EXIT_USAGE,
                      "--%s=%s and --%s=%s name the same file", name[a],
                      files[a]->path, name[b], files[b]->path);
            return -1;
        }
    }
    return 0;
}

static int
open_files(struct results *results, struct error *error)
{
    const struct options *options = results->options;
    struct outputs *outputs = results->outputs;

    results->is_open = true;
    if (options->output != NULL &&
        output_open(&results->counts, outputs, options->output, error) < 0)
        return -1;
    if (options->equalize != NULL &&
        output_open(&results->image, outputs, options->equalize, error) < 0)
        return -1;
    if (options->svg != NULL &&
        output_open(&results->picture, outputs, options->svg, error) < 0)
        return -1;
    if (options->state != NULL &&
        output_open(&results->state, outputs, options->state, error) < 0)
        return -1;
    return check_twice(results, error);
}

/* Refuse to print the bytes of an array on a terminal.  Returns 0, or -1 with
   *ERROR set. */
static int
check_terminal(const struct options *options, struct error *error)
{
    if (options->report.format != FORMAT_NPY || options->output != NULL ||
        options->stats == PLACE_ONLY || options->plot == PLACE_ONLY ||
        !isatty(STDOUT_FILENO))
        return 0;
    error_set(error, EXIT_USAGE,
              "--format=npy is not for a terminal: use --output=FILE, or "
              "redirect it");
    return -1;
}

int
results_open(struct results *results, const struct options *options,
             struct outputs *outputs, struct error *error)
{
    *results =
        (struct results){.options = options, .outputs = outputs, .threads = 1};
    if (check_terminal(options, error) < 0)
        return -1;
    if (options->plan.per_file && waiting_rows_open(&results->rows, error) < 0)
        return -1;
    return open_files(results, error);
}

void
results_close(struct results *results)
{
    results->is_open = false;
    output_close(&results->counts);
    output_close(&results->image);
    output_close(&results->picture);
    output_close(&results->state);
    waiting_rows_close(&results->rows);
}

/* ---- checks before the run ---- */

/* Check that --lut and --equalize, if given, can be used with SPEC. */
static int
check_equalize(const struct spec *spec, const struct options *options,
               struct error *error)
{
    if (!options->lut && options->equalize == NULL)
        return 0;
    if (spec->record.count == 1 && axis_is_direct(&spec->shown[0]) &&
        spec->shown[0].first == 0 &&
        spec->shown[0].bins == spec->record.element[0].most + 1)
        return 0;
    error_set(error, EXIT_USAGE,
              "--lut and --equalize are for grey images, with one bin for "
              "each value");
    return -1;
}

/* Check that SPEC has statistics, if they are wanted. */
static int
check_stats(const struct spec *spec, const struct options *options,
            struct error *error)
{
    if (options->stats == PLACE_NONE || spec_key_axes(spec) == 0 ||
        spec->is_spectrum)
        return 0;
    if (spec->group_count > 0) {
        error_set(error, EXIT_USAGE,
                  "--stats and --percentiles are of all records; for each "
                  "group there is --columns, as --columns=count,mean,sd,p50");
        return -1;
    }
    if (spec_lacks_bins(spec)) {
        error_set(error, EXIT_USAGE,
                  "--stats and --percentiles need bins for each field: --bins, "
                  "--range, --edges, --log or --scale%s",
                  spec->is_text ? "; --columns=p50,mean,sd instead of them "
                                  "needs none and is exact"
                                : "");
        return -1;
    }
    error_set(error, EXIT_USAGE,
              "--stats and --percentiles are of numbers, not of keys; keys "
              "have --top, --sort, --percent and --cumulative%s",
              spec->is_text && !spec_is_sequences(spec)
                  ? "; of numbers, --columns=p50,mean,sd instead of them"
                  : "");
    return -1;
}

/* Check that SPEC can be drawn, if a picture is wanted. */
static int
check_pictures(const struct spec *spec, const struct options *options,
               struct error *error)
{
    if (options->plot == PLACE_ONLY && options->report.nonzero &&
        scene_is_map(spec)) {
        error_set(error, EXIT_USAGE,
                  "--plot=only: a heat map has no rows for --nonzero to leave "
                  "out");
        return -1;
    }
    if (options->plot == PLACE_ONLY && spec_key_axes(spec) == 0 &&
        (options->report.top != 0 || options->report.min_count != 0 ||
         options->plot_sort == SORT_COUNT)) {
        error_set(error, EXIT_USAGE,
                  "--top, --min-count and --sort=count do not apply to "
                  "--plot=only, except for keys");
        return -1;
    }
    if (options->plot != PLACE_NONE && scene_check(spec, "--plot", error) < 0)
        return -1;
    return options->svg == NULL ? 0 : scene_check(spec, "--svg", error);
}

/* Text: GPUs count some fields, and no snapshots. */
static int
check_text(const struct spec *spec, const struct options *options,
           struct error *error)
{
    const char *device =
        options->plan.device == DEVICE_CUDA ? "cuda" : "opencl";

    if (!(spec_is_sequences(spec) ? sequence_layout_check(spec, device, error)
                                  : text_layout_check(spec, device, error)))
        return -1;
    if (!interval_is_set(&options->plan.every))
        return 0;
    error_set(error, EXIT_NO_DEVICE,
              "%s: with --every, %s counted by the CPU only", device,
              spec_is_sequences(spec) ? "sequences are" : "text is");
    return -1;
}

/* GPUs count in bins. */
static int
check_device(const struct spec *spec, const struct options *options,
             struct error *error)
{
    bool is_list = options->action == ACTION_LIST_STRATEGIES;

    if (!spec->uses_tables || (!is_list && !plan_demands_gpu(&options->plan)))
        return 0;
    if (spec->is_text)
        return check_text(spec, options, error);
    error_set(error, EXIT_USAGE,
              "%s is for GPUs, which need bins for each field: --bins, "
              "--range, --edges, --log or --scale",
              is_list ? "--list-strategies" : "--device");
    return -1;
}

/* Combinations have no bins until the ranges are known, at the end. */
static int
check_growing(const struct spec *spec, const struct options *options,
              struct error *error)
{
    for (size_t i = 0;
         interval_is_set(&options->plan.every) && i < spec->axis_count; i++) {
        if (!spec_codes_grow(spec, i))
            continue;
        error_set(error, EXIT_USAGE,
                  "--every with groups or keys beside bins needs --range=LO,HI "
                  "or --edges");
        return -1;
    }
    return 0;
}

int
results_check(const struct spec *spec, const struct options *options,
              struct error *error)
{
    if (check_equalize(spec, options, error) < 0 ||
        report_check(spec, &options->report, error) < 0 ||
        check_stats(spec, options, error) < 0 ||
        check_device(spec, options, error) < 0 ||
        check_growing(spec, options, error) < 0)
        return -1;
    return check_pictures(spec, options, error);
}

/* ---- printing ---- */

/*
 * Make the table that equalises a grey image, *LUT, which the caller frees.
 * Write the equalised image to OUTPUT if OUTPUT is not NULL.  Returns 0, or -1
 * with *ERROR set.
 */
static int
equalize(const struct result *result, struct output *output, uint32_t **lut,
         struct error *error)
{
    const struct record *pixel = &result->counts->spec->record;
    unsigned int maxval = (unsigned int)pixel->element[0].most;

    *lut = calloc((size_t)maxval + 1, sizeof **lut);
    if (*lut == NULL)
        return error_fail_memory(error);
    equalize_table(result->counts->histogram.value, (size_t)maxval + 1, *lut);
    if (output == NULL)
        return 0;
    const struct content *content = &result->inputs->slot[0].input->content;
    const struct equalize_image image = {
        .pixels = content->kept,
        .width = content->shape.width,
        .height = content->shape.height,
        .is_bottom_up = content->shape.is_bottom_up,
        .maxval = maxval,
    };
    if (content->shape.images != 1) {
        error_set(error, EXIT_DATA,
                  "%s: has %llu images; --equalize takes only one",
                  content->source.display_name,
                  (unsigned long long)content->shape.images);
        return -1;
    }
    if (equalize_write(output->fd, &image, *lut) < 0)
        return output_fail(output, error);
    return output_finish(output, error);
}

/*
 * Make the text of the statistics, *SUMMARY, which the caller frees; NULL if no
 * statistics are wanted.  Returns 0, or -1 with *ERROR set.
 */
static int
make_summary(const struct report *report, const struct options *options,
             char **summary, struct error *error)
{
    size_t size;

    *summary = NULL;
    if (options->stats == PLACE_NONE || report->file != NULL)
        return 0;
    FILE *out = open_memstream(summary, &size);
    if (out != NULL) {
        summary_put(out, report->spec, report->histogram, &options->summary);
        if (report->spec->conditions.count > 0 && options->summary.has_stats)
            summary_put_left_out(out, report->left_out);
        if (report->incomplete != NULL)
            fprintf(out, "# incomplete: %s\n", report->incomplete);
        bool has_failed = ferror(out) != 0;
        if (fclose(out) == 0 && !has_failed)
            return 0;
    }
    return error_fail_memory(error);
}

/* Draw bars to OUT, for the terminal FD.  Returns 0, or -1 with *ERROR set. */
static int
put_plot(FILE *out, int fd, const struct scene_subject *subject,
         const struct options *options, struct error *error)
{
    const struct terminal terminal = terminal_look(fd);

    if (plot_print(out, subject, &terminal, options->report.nonzero) == 0)
        return 0;
    return error_fail_memory(error);
}

/* Draw SUBJECT to OUTPUT as SVG.  Returns 0, or -1 with *ERROR set. */
static int
put_svg(struct output *output, const struct scene_subject *subject,
        const struct options *options, struct error *error)
{
    struct writer writer;
    FILE *out = writer_open_stream(&writer, output->fd);
    int result = -1;

    if (out != NULL) {
        result = svg_print(out, subject, options->provenance.paths,
                           options->provenance.path_count);
        if (writer_close_stream(&writer, out) < 0)
            return output_fail(output, error);
    }
    if (result == 0)
        return output_finish(output, error);
    return error_fail_memory(error);
}

/* Draw bars to OUT, for the terminal FD.  Returns 0, or -1 with *ERROR set. */
static int
put_plot_only(struct writer *out, int fd, const struct scene_subject *subject,
              const struct options *options, struct error *error)
{
    FILE *stream = writer_stream(out);

    if (stream == NULL)
        return error_fail_memory(error);
    int result = put_plot(stream, fd, subject, options, error);
    (void)fclose(stream);
    return result;
}

/*
 * Print REPORT to OUT; or only SUMMARY, or only a picture of SUBJECT, if the
 * options say so.  OUT writes to FD; the caller checks OUT.  Returns 0, or -1
 * with *ERROR set.
 */
static int
put_wanted(struct writer *out, int fd, const struct options *options,
           struct report *report, const struct scene_subject *subject,
           const char *summary, struct error *error)
{
    if (options->stats == PLACE_ONLY)
        writer_put_text(out, summary);
    else if (options->plot == PLACE_ONLY)
        return put_plot_only(out, fd, subject, options, error);
    else if (options->report.format != FORMAT_STATE)
        return report_print(out, report, error);
    return 0;
}

/* Returns where the counts go. */
static int
output_of(const struct results *results)
{
    return results->counts.outputs != NULL ? results->counts.fd : STDOUT_FILENO;
}

/* The counts could not be written: set *ERROR from errno.  Returns -1. */
static int
fail_output(struct results *results, struct error *error)
{
    return results->counts.outputs != NULL
               ? output_fail(&results->counts, error)
               : output_fail_standard(STDOUT_FILENO, error);
}

/* End the output of the counts.  Returns 0, or -1 with *ERROR set. */
static int
end_output(struct results *results, bool is_last, struct error *error)
{
    if (results->counts.outputs != NULL)
        return output_finish(&results->counts, error);
    /* The reader need not wait until the driver is unloaded. */
    return is_last ? output_close_stdout(error) : 0;
}

/*
 * Print to standard output, or to RESULTS->counts, which is not replaced yet.
 * Returns 0, or -1 with *ERROR set.
 */
static int
put_report(struct results *results, struct report *report,
           const struct scene_subject *subject, const char *summary,
           struct error *error)
{
    const struct options *options = results->options;
    bool has_file = results->counts.outputs != NULL;
    bool is_table = options->stats != PLACE_ONLY && options->plot != PLACE_ONLY;
    int fd = output_of(results);
    struct writer out;

    if (writer_open(&out, fd) < 0)
        return error_fail_memory(error);
    int result = put_wanted(&out, fd, options, report, subject, summary, error);
    if (result == 0 && !has_file && report->snapshot != 0 && !is_table)
        writer_put_char(&out, '\n');
    if (result == 0 && writer_flush(&out) < 0)
        result = fail_output(results, error);
    writer_close(&out);
    return result == 0 ? end_output(results, report->snapshot == 0, error)
                       : result;
}

/*
 * Print REPORT, that of one input, to the rows that wait.  Returns 0, or -1
 * with *ERROR set.
 */
static int
put_file(struct results *results, struct report *report, struct error *error)
{
    const struct options *options = results->options;
    struct writer *out = &results->rows.writer;
    int result = 0;

    report->is_continued = results->has_rows;
    results->has_rows = true;
    if (options->stats == PLACE_ONLY)
        summary_put_rows(out, report->spec, report->histogram,
                         &options->summary, report->file, report->left_out,
                         !report->is_continued);
    else
        result = report_print(out, report, error);
    return result == 0 ? waiting_rows_check(&results->rows, error) : result;
}

/* Replace the files, after all output was accepted. */
static int
commit_files(struct results *results, struct error *error)
{
    struct output *const files[] = {&results->image, &results->picture,
                                    &results->state, &results->counts};

    return outputs_commit(results->outputs, files, sizeof files / sizeof *files,
                          error);
}

/*
 * Write the state of WHAT, which is folded, if one is wanted and WHAT is
 * complete.  Returns 0, or -1 with *ERROR set.
 */
static int
put_state(struct results *results, const struct result *what,
          struct error *error)
{
    const struct options *options = results->options;
    bool is_beside = options->state != NULL;
    struct writer out;

    if (!results_have_state(options))
        return 0;
    if (what->incomplete != NULL) {
        output_close(&results->state);
        return 0;
    }
    if (writer_open(&out, is_beside ? results->state.fd : output_of(results)) <
        0)
        return error_fail_memory(error);
    int result = what->states != NULL
                     ? state_write(&out, what->states, what->counts, error)
                     : state_output_put(&out, options, what->inputs,
                                        what->counts, error);
    if (result == 0 && writer_flush(&out) < 0)
        result = is_beside ? output_fail(&results->state, error)
                           : fail_output(results, error);
    writer_close(&out);
    return result == 0 && is_beside ? output_finish(&results->state, error)
                                    : result;
}

/*
 * Print SUMMARY and a picture of SUBJECT to standard error, if the options ask
 * for them.  Returns 0, or -1 with *ERROR set.
 */
static int
put_beside(const struct result *what, const struct options *options,
           const struct scene_subject *subject, const char *summary,
           struct error *error)
{
    bool has_stats = options->stats == PLACE_BESIDE;
    bool has_plot = options->plot == PLACE_BESIDE;
    struct writer writer;
    int result = 0;

    if (!has_stats && !has_plot)
        return 0;
    FILE *out = writer_open_stream(&writer, STDERR_FILENO);
    if (out == NULL)
        return error_fail_memory(error);
    if (has_stats)
        fputs(summary, out);
    if (has_plot)
        result = put_plot(out, STDERR_FILENO, subject, options, error);
    if (what->snapshot != 0)
        putc('\n', out);
    if (writer_close_stream(&writer, out) < 0 && result == 0)
        result = output_fail_standard(STDERR_FILENO, error);
    return result;
}

/*
 * If a picture of SUBJECT is wanted, and not of some pairs or in another order,
 * draw pairs of numbers as a heat map, of PAIRS.  Returns 0, or -1 with *ERROR
 * set.
 */
static int
bin_pairs(struct pair_bins *pairs, const struct options *options,
          struct scene_subject *subject, struct error *error)
{
    bool is_drawn = options->plot != PLACE_NONE || options->svg != NULL;

    if (!is_drawn || subject->top != 0 || subject->min_count != 0 ||
        subject->sort == SORT_COUNT || !pair_bins_are_for(subject->spec))
        return 0;
    int result = pair_bins_make(pairs, subject->spec, subject->histogram);
    if (result > 0) {
        subject->spec = &pairs->spec;
        subject->histogram = &pairs->histogram;
    } else if (result < 0) {
        (void)error_fail_memory(error);
    }
    return result < 0 ? -1 : 0;
}

int
results_print(struct results *results, const struct result *what,
              struct report_hidden *hidden, struct error *error)
{
    const struct options *options = results->options;
    struct snapshot *counts = what->counts;
    uint32_t *lut = NULL;
    char *summary = NULL;
    struct spec spec;
    struct report report = {
        .spec = &spec,
        .histogram = &counts->histogram,
        .options = &options->report,
        .provenance = &options->provenance,
        .bytes = counts->bytes,
        .records = counts->elements[SEQUENCE_READS],
        .unweighted = counts->unweighted,
        .left_out = counts->left_out,
        .snapshot = what->snapshot,
        .file = what->file,
        .incomplete = what->incomplete,
        .threads = results->threads,
        /* The engines still have their memory. */
        .memory = options->plan.memory_limit / 16,
    };
    struct pair_bins pairs = {0};
    struct scene_subject subject = {
        .spec = &spec,
        .histogram = &counts->histogram,
        .flow = options->report.flow,
        .is_log = options->plot_scale == PLOT_SCALE_LOG,
        .is_image = options->image,
        .is_incomplete = what->incomplete != NULL,
        .top = options->report.top,
        .min_count = options->report.min_count,
        .no_other = options->report.no_other,
        .sort = options->plot_sort,
    };
    /* An equalised part of an image is useless. */
    bool has_image = options->equalize != NULL && what->incomplete == NULL;

    if (!results->is_open && open_files(results, error) < 0)
        return -1;
    if (!has_image)
        output_close(&results->image);
    if (spec_fold(counts->spec, &counts->histogram) < 0)
        return error_fail_memory(error);
    if (put_state(results, what, error) < 0)
        return -1;
    if (trim_spec(&spec, counts->spec, &counts->histogram) < 0)
        return error_fail_memory(error);
    /* The statistics are of the values before they are clamped. */
    int result = make_summary(&report, options, &summary, error);
    if (options->report.flow == FLOW_CLAMP)
        spec_clamp(&spec, &counts->histogram);
    if (result == 0)
        result = report_hidden(&report, hidden, error);
    if (result == 0 && (options->lut || has_image))
        result =
            equalize(what, has_image ? &results->image : NULL, &lut, error);
    report.lut = options->lut ? lut : NULL;
    if (result == 0)
        result = bin_pairs(&pairs, options, &subject, error);
    if (result == 0 && options->svg != NULL)
        result = put_svg(&results->picture, &subject, options, error);
    if (result == 0 && what->file != NULL)
        result = put_file(results, &report, error);
    else if (result == 0)
        result = put_report(results, &report, &subject, summary, error);
    if (result == 0 && what->file == NULL)
        result = put_beside(what, options, &subject, summary, error);
    if (result == 0 && what->file == NULL)
        result = commit_files(results, error);
    pair_bins_close(&pairs);
    free(lut);
    free(summary);
    report_close(&report);
    trim_close(&spec);
    return result;
}

int
results_print_rows(struct results *results, struct error *error)
{
    if (waiting_rows_copy(&results->rows, output_of(results), error) < 0)
        return error->status != EXIT_DONE ? -1 : fail_output(results, error);
    if (end_output(results, true, error) < 0)
        return -1;
    return commit_files(results, error);
}
