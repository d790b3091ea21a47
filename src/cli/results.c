/* SPDX-License-Identifier: MIT */
/* results.c -- print and write the results of a run or of a snapshot */

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "base/same_file.h"
#include "base/terminal.h"
#include "base/writer.h"
#include "cli/recorded.h"
#include "cli/results.h"
#include "engine/sequence_layout.h"
#include "engine/text_layout.h"
#include "hist/number_bins.h"
#include "input/read/findings.h"
#include "plot/canvas.h"
#include "plot/svg.h"
#include "report/column_names.h"
#include "report/equalize.h"
#include "report/report.h"
#include "report/summary.h"
#include "state/state_write.h"

/* The rows of a terminal that a picture below statistics has at least. */
#define PICTURE_ROWS_MIN 6

/* ---- rows that wait ---- */

/*
 * Copy ROWS to the descriptor FD.  Returns 0; or -1 with *ERROR set, or with
 * errno set if *ERROR is not: FD could not be written.
 */
static int
copy_rows(struct spool *rows, int fd, struct error *error)
{
    const char *bytes;
    size_t size;

    for (uint64_t at = 0; at < rows->size; at += size) {
        if (spool_piece(rows, at, &bytes, &size, error) < 0 ||
            output_write(fd, bytes, size) < 0)
            return -1;
    }
    return 0;
}

/* Copy ROWS to *LINES, which the caller frees.  Returns 0, or -1 with *ERROR
   set. */
static int
load_rows(struct spool *rows, char **lines, struct error *error)
{
    const char *bytes;
    size_t size;

    *lines = malloc((size_t)rows->size + 1);
    if (*lines == NULL)
        return error_fail_memory(error);
    for (uint64_t at = 0; at < rows->size; at += size) {
        if (spool_piece(rows, at, &bytes, &size, error) < 0)
            return -1;
        memcpy(*lines + at, bytes, size);
    }
    return 0;
}

/* As copy_rows(), with all rows put by ALIGN. */
static int
align_rows(struct spool *rows, int fd,
           void (*align)(struct writer *out, const char *lines, size_t size),
           struct error *error)
{
    struct writer out = {0};
    char *lines;
    int result = load_rows(rows, &lines, error);

    if (result == 0 && writer_open(&out, fd) < 0) {
        result = error_fail_memory(error);
    } else if (result == 0) {
        align(&out, lines, (size_t)rows->size);
        result = writer_flush(&out);
    }
    writer_close(&out);
    free(lines);
    return result;
}

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

/* Check that all files of RESULTS are different: of two equal files one would
   replace the other.  Returns 0, or -1 with *ERROR set. */
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

/* Whether the statistics of snapshots stand above the pictures of --plot=only,
   because standard output and standard error are one terminal. */
static bool
are_stats_above(const struct options *options)
{
    struct stat out;
    struct stat error;

    return options->plot == PLACE_ONLY && options->stats == PLACE_BESIDE &&
           options->output == NULL && interval_is_set(&options->plan.every) &&
           isatty(STDOUT_FILENO) && fstat(STDOUT_FILENO, &out) == 0 &&
           fstat(STDERR_FILENO, &error) == 0 && same_file(&out, &error);
}

int
results_open(struct results *results, const struct options *options,
             struct outputs *outputs, const atomic_uint *intrusions,
             struct error *error)
{
    *results = (struct results){.options = options,
                                .outputs = outputs,
                                .threads = 1,
                                .redraw.intrusions = intrusions,
                                .has_stats_above = are_stats_above(options)};
    if (check_terminal(options, error) < 0)
        return -1;
    if (options->plan.per_file &&
        spool_open(&results->rows, "rows of --per-file", error) < 0)
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
    spool_close(&results->rows);
}

/* ---- printing ---- */

/* Note for each key of tuple K of histogram I of SPEC, whose field the record
   has, in HAS.  Returns how many of them are new there. */
static size_t
note_tuple(const struct spec *spec, size_t i, uint64_t k, bool *has)
{
    const struct key_entry entry = key_list_key(&spec->keys[i], k);
    const unsigned char *at = entry.key;
    size_t count = spec_dimensions(spec, i);
    size_t found = 0;

    for (size_t d = 0; d < count; d++) {
        struct key_component component;
        size_t a = spec_axis_of(spec, i, d);
        at = key_code_read(at, entry.key + entry.size, spec_key_kind(spec, a),
                           d + 1 == count, &component);
        assert(at != NULL);
        if (component.tag == KEY_TAG_MISSING || has[d] ||
            !axis_is_key(&spec->shown[a]))
            continue;
        has[d] = true;
        found++;
    }
    return found;
}

/* Add the keys of histogram I of SPEC, of tuples, whose elements are ELEMENTS:
   no element has a field, or some do.  Most are found in the first tuple. */
static void
add_tuples(struct unshown *unshown, const struct spec *spec, size_t i,
           uint64_t elements)
{
    bool has[FIELD_LIST_MAX] = {false};
    size_t left = 0;

    for (size_t d = 0; d < spec_dimensions(spec, i); d++)
        left += axis_is_key(&spec->shown[spec_axis_of(spec, i, d)]);
    for (uint64_t k = 0; k < spec->keys[i].count && left > 0; k++)
        left -= note_tuple(spec, i, k, has);
    for (size_t d = 0; d < spec_dimensions(spec, i); d++) {
        size_t a = spec_axis_of(spec, i, d);
        if (!axis_is_key(&spec->shown[a]))
            continue;
        unshown->elements[a] += elements;
        unshown->missing[a] += has[d] ? 0 : elements;
    }
}

static void
hidden_add(struct report_hidden *sum, const struct report_hidden *hidden)
{
    sum->flow += hidden->flow;
    sum->other += hidden->other;
    sum->valueless += hidden->valueless;
}

/* Add COUNTS, whose HIDDEN values no row shows.  The fields of FORMAT, if it
   has some, may be missing: the user names none. */
static void
unshown_add(struct unshown *unshown, const struct snapshot *counts,
            const struct report_hidden *hidden,
            const struct report_format *format)
{
    const struct spec *spec = counts->spec;

    hidden_add(&unshown->hidden, hidden);
    unshown->unweighted += counts->unweighted;
    unshown->left_out += counts->left_out;
    unshown->records +=
        counts->elements[spec_chooses_elements(spec) ? spec->histogram[0].unit
                                                     : SEQUENCE_READS];
    if (spec->kind == SPEC_SEQUENCES)
        unshown->operations += counts->elements[SEQUENCE_OPERATIONS];
    unshown->met |= counts->met;
    unshown->fulfilled |= counts->fulfilled;
    unshown->matches |= counts->matches;
    unshown->bytes += counts->bytes;
    bool has_names = spec->kind != SPEC_SAMPLES && format->fields == NULL;
    for (size_t i = 0; has_names && i < spec_histograms(spec); i++) {
        size_t own = spec_own_axis(spec, i);
        const struct binning_axis *axis = &spec->shown[own];
        if (!spec->histogram[i].is_listed)
            continue;
        if (spec->histogram[i].rows == ROWS_TUPLES) {
            add_tuples(unshown, spec, i,
                       counts->elements[spec->histogram[i].unit]);
            continue;
        }
        unshown->elements[own] += counts->elements[spec->histogram[i].unit];
        unshown->missing[own] += histogram_count(
            &counts->histogram,
            axis->base + axis_special_cell(axis, AXIS_KEY_MISSING));
    }
}

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
    const struct content *content = findings_content(result->inputs, 0);
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
        int result = summary_put(out, report, &options->summary, error);
        if (report->spec->conditions.count > 0 && options->summary.has_stats)
            summary_put_left_out(out, report->left_out);
        if (report->incomplete != NULL)
            fprintf(out, "# incomplete: %s\n", report->incomplete);
        bool has_failed = ferror(out) != 0;
        if (fclose(out) == 0 && !has_failed)
            return result;
    }
    return error_fail_memory(error);
}

/* Draw SUBJECT to OUT, for TERMINAL, after LEAD.  Returns 0, or -1 with *ERROR
   set. */
static int
draw(FILE *out, const char *lead, const struct scene_subject *subject,
     const struct terminal *terminal, const struct options *options,
     struct error *error)
{
    fputs(lead, out);
    if (canvas_print(out, subject, terminal, options->report.nonzero) == 0)
        return 0;
    return error_fail_memory(error);
}

/* Returns TERMINAL without the rows of LEAD, but with enough for a picture. */
static struct terminal
terminal_below(const struct terminal *terminal, const char *lead)
{
    struct terminal below = *terminal;

    for (; *lead != '\0' && below.rows > PICTURE_ROWS_MIN; lead++)
        below.rows -= *lead == '\n';
    return below;
}

/* Whether the picture of a snapshot, or of the result after snapshots, takes
   the place of the one before it on TERMINAL. */
static bool
is_redrawn(const struct results *results, uint64_t snapshot,
           const struct terminal *terminal)
{
    const struct options *options = results->options;
    bool has_rows = options->plot != PLACE_ONLY && options->output == NULL &&
                    isatty(STDOUT_FILENO);
    bool has_stats = options->plot == PLACE_ONLY &&
                     options->stats == PLACE_BESIDE && isatty(STDERR_FILENO) &&
                     !results->has_stats_above;

    return terminal->can_move && !has_rows && !has_stats &&
           (snapshot != 0 || results->redraw.rows > 0);
}

/*
 * Draw SUBJECT after LEAD to OUT, for the terminal FD, and a blank line after
 * that of a snapshot.  Returns 0, or -1 with *ERROR set.
 */
static int
put_plot(struct results *results, FILE *out, int fd, uint64_t snapshot,
         const char *lead, const struct scene_subject *subject,
         struct error *error)
{
    const struct terminal terminal = terminal_look(fd);
    char *text = NULL;
    size_t size;

    if (!is_redrawn(results, snapshot, &terminal)) {
        int result =
            draw(out, lead, subject, &terminal, results->options, error);
        if (snapshot != 0)
            putc('\n', out);
        return result;
    }
    FILE *whole = open_memstream(&text, &size);
    if (whole == NULL)
        return error_fail_memory(error);
    const struct terminal below = terminal_below(&terminal, lead);
    int result = draw(whole, lead, subject, &below, results->options, error);
    bool has_failed = ferror(whole) != 0;
    if ((fclose(whole) != 0 || has_failed) && result == 0)
        result = error_fail_memory(error);
    if (result == 0)
        redraw_put(&results->redraw, out, &terminal, text);
    free(text);
    return result;
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

/* Draw SUBJECT of REPORT to OUT, for the terminal FD, below SUMMARY if that is
   wanted.  Returns 0, or -1 with *ERROR set. */
static int
put_plot_only(struct results *results, struct writer *out, int fd,
              const struct report *report, const struct scene_subject *subject,
              const char *summary, struct error *error)
{
    const char *lead = results->has_stats_above ? summary : "";
    FILE *stream = writer_stream(out);

    if (stream == NULL)
        return error_fail_memory(error);
    /* A file has only the last picture. */
    uint64_t snapshot = results->counts.outputs == NULL ? report->snapshot : 0;
    int result = put_plot(results, stream, fd, snapshot, lead, subject, error);
    (void)fclose(stream);
    return result;
}

/*
 * Print REPORT to OUT; or only SUMMARY, or only a picture of SUBJECT, if the
 * options say so.  OUT writes to FD; the caller checks OUT.  Returns 0, or -1
 * with *ERROR set.
 */
static int
put_wanted(struct results *results, struct writer *out, int fd,
           struct report *report, const struct scene_subject *subject,
           const char *summary, struct error *error)
{
    const struct options *options = results->options;

    if (options->stats == PLACE_ONLY)
        writer_put_text(out, summary);
    else if (options->plot == PLACE_ONLY)
        return put_plot_only(results, out, fd, report, subject, summary, error);
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

/* Write the bytes in OUT to standard output, and count their lines. */
static void
drain_counted(struct writer *out)
{
    struct results *results = out->context;
    size_t size = (size_t)(out->at - out->room);

    for (const char *at = out->room; at < out->at; at++)
        results->lines += *at == '\n';
    if (out->reason == 0 && output_write(STDOUT_FILENO, out->room, size) < 0)
        out->reason = errno;
    out->at = out->room;
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
    bool is_summary = options->stats == PLACE_ONLY;
    int fd = output_of(results);
    struct writer out;

    if (writer_open(&out, fd) < 0)
        return error_fail_memory(error);
    if (report->snapshot == 0 && options->plot != PLACE_ONLY && !is_summary &&
        isatty(fd)) {
        results->screen_rows = terminal_look(fd).rows;
        out.drain = drain_counted;
        out.context = results;
        out.fd = -1; /* all bytes by DRAIN */
    }
    int result = put_wanted(results, &out, fd, report, subject, summary, error);
    if (result == 0 && !has_file && report->snapshot != 0 && is_summary)
        writer_put_char(&out, '\n');
    if (result == 0 && writer_flush(&out) < 0)
        result = fail_output(results, error);
    writer_close(&out);
    return result == 0 ? end_output(results, report->snapshot == 0, error)
                       : result;
}

/*
 * Print REPORT, of one input, to the waiting rows.  Returns 0, or -1 with
 * *ERROR set.
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
        result = summary_put_rows(out, report, &options->summary, error);
    else
        result = report_print(out, report, error);
    return result == 0 ? spool_check(&results->rows, error) : result;
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
 * If a state is wanted and WHAT, which is folded, is complete and not one input
 * of --per-file, write the state of WHAT.  Returns 0, or -1 with *ERROR set.
 */
static int
put_state(struct results *results, const struct result *what,
          struct error *error)
{
    const struct options *options = results->options;
    bool is_beside = options->state != NULL;
    bool is_of_one = what->file != NULL && !what->is_total;
    struct writer out;

    if (!results_have_state(options) || is_of_one)
        return 0;
    if (what->incomplete != NULL) {
        output_close(&results->state);
        return 0;
    }
    if (writer_open(&out, is_beside ? results->state.fd : output_of(results)) <
        0)
        return error_fail_memory(error);
    int result =
        what->states != NULL
            ? state_write(&out, what->states, what->counts, error)
            : recorded_put(&out, options, what->inputs, what->counts, error);
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
put_beside(struct results *results, const struct result *what,
           const struct scene_subject *subject, const char *summary,
           struct error *error)
{
    const struct options *options = results->options;
    bool has_stats =
        options->stats == PLACE_BESIDE && !results->has_stats_above;
    bool has_plot = options->plot == PLACE_BESIDE;
    struct writer writer;
    int result = 0;

    if (!has_stats && !has_plot)
        return 0;
    FILE *out = writer_open_stream(&writer, STDERR_FILENO);
    if (out == NULL)
        return error_fail_memory(error);
    const char *lead = has_stats ? summary : "";
    if (has_plot)
        result = put_plot(results, out, STDERR_FILENO, what->snapshot, lead,
                          subject, error);
    else
        fprintf(out, "%s%s", lead, what->snapshot != 0 ? "\n" : "");
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

    if (!is_drawn || subject->top != 0 ||
        count_limits_are_set(&subject->limits) || subject->sort == SORT_COUNT ||
        !pair_bins_are_for(subject->spec))
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

/* Returns the report of WHAT; SPEC is the trimmed spec. */
static struct report
report_of(const struct results *results, const struct result *what,
          const struct spec *spec)
{
    const struct options *options = results->options;
    struct snapshot *counts = what->counts;

    return (struct report){
        .spec = spec,
        .histogram = &counts->histogram,
        .options = &options->report,
        .provenance = &options->provenance,
        .bytes = counts->bytes,
        .records = counts->elements[SEQUENCE_READS],
        .series = &counts->series,
        .unweighted = counts->unweighted,
        .left_out = counts->left_out,
        .checksum = counts->checksum,
        .snapshot = what->snapshot,
        .file = what->file,
        .keeps_columns = options_make_table(options),
        .incomplete = what->incomplete,
        .threads = results->threads,
        /* The engines still have their memory. */
        .memory = options->plan.memory_limit / 16,
    };
}

/* Returns the subject of pictures of WHAT; SPEC is the trimmed spec. */
static struct scene_subject
subject_of(const struct options *options, const struct result *what,
           const struct spec *spec)
{
    return (struct scene_subject){
        .spec = spec,
        .histogram = &what->counts->histogram,
        .flow = options->report.flow,
        .is_log = options->plot_scale == PLOT_SCALE_LOG,
        .is_image = options->image,
        .is_incomplete = what->incomplete != NULL,
        .top = options->report.top,
        .limits = options->report.limits,
        .no_other = options->report.no_other,
        .sort = options->plot_sort,
    };
}

/* Names of axes for pictures. */
struct axis_titles {
    struct column_names columns;
    const char **name; /* of each axis, owned; the texts are of COLUMNS */
};

/* Make *TITLES, which is all 0, of REPORT for SUBJECT, if pictures are wanted.
   Returns 0, or -1 with *ERROR set; the caller calls titles_close(). */
static int
titles_make(struct axis_titles *titles, const struct options *options,
            const struct report *report, struct scene_subject *subject,
            struct error *error)
{
    if (options->plot == PLACE_NONE && options->svg == NULL)
        return 0;
    if (column_names_make(&titles->columns, report, error) < 0)
        return -1;
    titles->name = calloc(titles->columns.axes, sizeof *titles->name);
    if (titles->name == NULL)
        return error_fail_memory(error);
    for (size_t a = 0; a < titles->columns.axes; a++)
        titles->name[a] = titles->columns.axis[a].name;
    subject->names = titles->name;
    return 0;
}

static void
titles_close(struct axis_titles *titles)
{
    free(titles->name);
    column_names_close(&titles->columns);
}

/*
 * Print and write WHAT, which is folded, as REPORT and as pictures of SUBJECT.
 * If HAS_IMAGE, also write the equalised image.  Returns 0, or -1 with *ERROR
 * set.
 */
static int
put_result(struct results *results, const struct result *what, bool has_image,
           struct report *report, struct scene_subject *subject,
           struct error *error)
{
    const struct options *options = results->options;
    struct pair_bins pairs = {0};
    struct axis_titles titles = {0};
    struct report_hidden hidden;
    uint32_t *lut = NULL;
    char *summary = NULL;

    /* The statistics are of the values before they are clamped. */
    int result = make_summary(report, options, &summary, error);
    if (options->report.flow == FLOW_CLAMP)
        spec_clamp(report->spec, &what->counts->histogram);
    if (result == 0)
        result = report_hidden(report, &hidden, error);
    if (result == 0 && (options->lut || has_image))
        result =
            equalize(what, has_image ? &results->image : NULL, &lut, error);
    report->lut = options->lut ? lut : NULL;
    if (result == 0)
        result = titles_make(&titles, options, report, subject, error);
    if (result == 0)
        result = bin_pairs(&pairs, options, subject, error);
    if (result == 0 && options->svg != NULL)
        result = put_svg(&results->picture, subject, options, error);
    if (result == 0 && what->file != NULL)
        result = put_file(results, report, error);
    else if (result == 0)
        result = put_report(results, report, subject, summary, error);
    if (result == 0 && what->file == NULL)
        result = put_beside(results, what, subject, summary, error);
    if (result == 0 && what->file == NULL)
        result = commit_files(results, error);
    if (result == 0 && what->snapshot == 0 && !what->is_total)
        unshown_add(&results->unshown, what->counts, &hidden,
                    &report_formats[options->report.format]);
    else if (result == 0 && what->is_total && what->file == NULL)
        hidden_add(&results->unshown.hidden, &hidden);
    titles_close(&titles);
    pair_bins_close(&pairs);
    free(lut);
    free(summary);
    return result;
}

int
results_print(struct results *results, const struct result *what,
              struct error *error)
{
    const struct options *options = results->options;
    struct snapshot *counts = what->counts;
    struct spec spec;
    /* An equalised part of an image is useless. */
    bool has_image = options->equalize != NULL && what->incomplete == NULL;

    if (!results->is_open && open_files(results, error) < 0)
        return -1;
    if (!has_image)
        output_close(&results->image);
    if (spec_fold(counts->spec, &counts->histogram) < 0)
        return error_fail_memory(error);
    if (put_state(results, what, error) < 0 ||
        (what->total != NULL &&
         total_add(what->total, counts, NULL, error) < 0))
        return -1;
    if (spec_trim(&spec, counts->spec, &counts->histogram) < 0)
        return error_fail_memory(error);
    struct report report = report_of(results, what, &spec);
    struct scene_subject subject = subject_of(options, what, &spec);
    int result = put_result(results, what, has_image, &report, &subject, error);
    report_close(&report);
    spec_trim_close(&spec);
    return result;
}

void
results_note(struct results *results, const struct snapshot *counts)
{
    bool is_of_kmers = axis_is_kmers(&counts->spec->shown[0]);
    const struct report_hidden hidden = {
        .flow = is_of_kmers ? snapshot_flows(counts, 0) : 0};

    unshown_add(&results->unshown, counts, &hidden,
                &report_formats[results->options->report.format]);
}

int
results_print_rows(struct results *results, struct error *error)
{
    const struct options *options = results->options;
    const struct report_format *format =
        &report_formats[options->report.format];
    bool is_aligned = options->stats != PLACE_ONLY && format->align != NULL;
    int fd = output_of(results);

    if (spool_end(&results->rows, error) < 0)
        return -1;
    if ((is_aligned ? align_rows(&results->rows, fd, format->align, error)
                    : copy_rows(&results->rows, fd, error)) < 0)
        return error->status != EXIT_DONE ? -1 : fail_output(results, error);
    if (end_output(results, true, error) < 0)
        return -1;
    return commit_files(results, error);
}
