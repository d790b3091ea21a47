/* SPDX-License-Identifier: MIT */
/* summary.c -- statistics as text: lines, or a row of a table for each input */

#include <inttypes.h>
#include <string.h>

#include "report/column.h"
#include "report/key_text.h"
#include "report/stats.h"
#include "report/summary.h"

/* ---- the figures ---- */

/* Whether COUNT axes of SPEC, from FIRST on, are numbers without bins. */
static bool
are_numbers(const struct spec *spec, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        if (axis_bins(&spec->shown[i]) != AXIS_NUMBERS)
            return false;
    }
    return true;
}

/*
 * Returns figure I of OPTIONS, first the figures of --stats of AXES axes of
 * SPEC, from FIRST on; NULL at the end.
 */
static const struct figure *
figure_at(const struct summary_options *options, const struct spec *spec,
          size_t first, size_t axes, size_t i)
{
    const struct figures *stats = spec->is_spectrum ? &figures_of_spectrum
                                  : are_numbers(spec, first, axes)
                                      ? &figures_of_numbers
                                      : &figures_of_bins;
    size_t count = options->has_stats ? stats->count : 0;

    if (i < count)
        return &stats->figure[i];
    return i - count < options->figures.count
               ? &options->figures.figure[i - count]
               : NULL;
}

/* Make STATS of axis I.  Returns 0, or -1 with *ERROR set. */
static int
make_stats(struct stats *stats, const struct report *report, size_t i,
           const struct summary_options *options, struct error *error)
{
    struct figures figures = options->figures;
    unsigned int needs = figures_needs(&figures);

    /* Of these, only the mode is searched for; option_parse.c keeps the
       room. */
    if (options->has_stats) {
        needs |= figures_needs(&figures_of_bins);
        figures.figure[figures.count++] = (struct figure){.kind = FIGURE_MODE};
    }
    stats_make(stats, report, i, needs, &figures);
    return stats_check(stats, error);
}

/* ---- lines ---- */

/* Print the lines of FIGURE of STATS; FIELD: before each, or NULL. */
static void
put_lines(FILE *out, const char *field, const struct stats *stats,
          const struct figure *figure)
{
    char name[FIGURE_NAME_BYTES];
    struct stats_texts texts;
    const char *suffix;

    stats_put(stats, figure, &texts);
    for (size_t t = 0;
         (suffix = figure_suffix(figure, texts.are_bounds, t)) != NULL; t++)
        fprintf(out, "%s%s%s\t%s\n", field != NULL ? field : "",
                field != NULL ? "\t" : "", figure_name(figure, suffix, name),
                texts.text[t].text);
}

void
summary_put_left_out(FILE *out, uint64_t left_out)
{
    fprintf(out, "left-out\t%" PRIu64 "\n", left_out);
}

int
summary_put(FILE *out, const struct report *report,
            const struct summary_options *options, struct error *error)
{
    const struct spec *spec = report->spec;

    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct figure *figure;
        char text[SPEC_FIELD_BYTES];
        const char *field = NULL;
        struct stats stats;

        if (spec->axis_count > 1)
            field = spec_field_text(spec, i, text);
        if (make_stats(&stats, report, i, options, error) < 0)
            return -1;
        for (size_t f = 0; (figure = figure_at(options, spec, i, 1, f)) != NULL;
             f++)
            put_lines(out, field, &stats, figure);
    }
    return 0;
}

/* ---- rows ---- */

/*
 * Whether values of some axis of SPEC may share a bin, or lie outside all bins.
 * The spec decides, not the values, so that all inputs have the same columns.
 */
static bool
has_bounds(const struct spec *spec)
{
    if (spec->is_spectrum)
        return false;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (axis_bins(axis) != AXIS_NUMBERS &&
            (axis_bins(axis) != AXIS_INTEGERS || axis_flows(axis) > 0))
            return true;
    }
    return false;
}

static void
put_cell(struct writer *out, const char *text)
{
    writer_put_char(out, '\t');
    writer_put_text(out, text);
}

static void
put_header(struct writer *out, const struct spec *spec,
           const struct summary_options *options)
{
    const struct figure *figure;
    char name[FIGURE_NAME_BYTES];

    writer_put_text(out, "file");
    if (spec->axis_count > 1)
        put_cell(out, "field");
    for (size_t f = 0;
         (figure = figure_at(options, spec, 0, spec->axis_count, f)) != NULL;
         f++) {
        const char *suffix;
        for (size_t t = 0;
             (suffix = figure_suffix(figure, has_bounds(spec), t)) != NULL; t++)
            put_cell(out, figure_name(figure, suffix, name));
    }
    if (spec->conditions.count > 0)
        put_cell(out, "left-out");
    writer_put_char(out, '\n');
}

/* Put the cells of all figures of STATS. */
static void
put_figures(struct writer *out, const struct stats *stats,
            const struct summary_options *options, bool are_bounds)
{
    const struct figure *figure;
    struct stats_texts texts;

    for (size_t f = 0; (figure = figure_at(options, stats->spec, 0,
                                           stats->spec->axis_count, f)) != NULL;
         f++) {
        stats_put(stats, figure, &texts);
        for (size_t t = 0; figure_suffix(figure, are_bounds, t) != NULL; t++)
            put_cell(out, texts.text[t].text);
    }
}

static void
put_text(struct writer *out, const char *text)
{
    key_text_put_tsv(out, (const unsigned char *)text, strlen(text));
}

int
summary_put_rows(struct writer *out, const struct report *report,
                 const struct summary_options *options, struct error *error)
{
    const struct spec *spec = report->spec;

    if (!report->is_continued)
        put_header(out, spec, options);
    for (size_t i = 0; i < spec->axis_count; i++) {
        char field[SPEC_FIELD_BYTES];
        struct stats stats;

        put_text(out, report->file);
        if (spec->axis_count > 1) {
            writer_put_char(out, '\t');
            put_text(out, spec_field_text(spec, i, field));
        }
        if (make_stats(&stats, report, i, options, error) < 0)
            return -1;
        put_figures(out, &stats, options, has_bounds(spec));
        if (spec->conditions.count > 0) {
            writer_put_char(out, '\t');
            writer_put_number(out, report->left_out);
        }
        writer_put_char(out, '\n');
    }
    return 0;
}
