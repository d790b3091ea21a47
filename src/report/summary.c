/* SPDX-License-Identifier: MIT */
/* summary.c -- statistics as text: lines, or a row of a table for each input */

#include <inttypes.h>
#include <string.h>

#include "report/column.h"
#include "report/key_text.h"
#include "report/stats.h"
#include "report/summary.h"

/* ---- figures as cells ---- */

#define CELLS_MAX 3

/* The suffixes of a figure's name, for each cell: without and with bounds. */
static const char *const suffixes[FIGURE_SHAPES][2][CELLS_MAX] = {
    [FIGURE_PLAIN] = {{""}, {""}},
    [FIGURE_PLACE] = {{""}, {"_lo", "_hi"}},
    [FIGURE_ESTIMATE] = {{""}, {"", "_least", "_most"}},
    [FIGURE_BOUNDS] = {{""}, {"_least", "_most"}},
};

struct cells {
    char text[CELLS_MAX][DECIMAL_SUM_TEXT_BYTES];
    bool are_bounds; /* the bounds differ */
};

static void
set_number(char text[DECIMAL_SUM_TEXT_BYTES], struct figure_value value)
{
    *figure_put(&value, text) = '\0';
}

/* Set CELLS to the value or the edges of ROW of axis I. */
static void
set_row(struct cells *cells, const struct spec *spec, size_t i, uint64_t row)
{
    struct column column;

    column_open(&column, spec, i, i, true, LABELS_DEC);
    column_go(&column, row);
    column.has_edges =
        axis_bins(column.axis) != AXIS_INTEGERS || column_is_flow(&column);
    column_set_labels(&column);
    const struct label *hi = column.has_edges ? &column.hi : &column.lo;
    memcpy(cells->text[0], column.lo.text, column.lo.size + 1);
    memcpy(cells->text[1], hi->text, hi->size + 1);
    cells->are_bounds = strcmp(cells->text[0], cells->text[1]) != 0;
}

/* Set CELLS to FIGURE of STATS, with all bounds. */
static void
set_cells(struct cells *cells, const struct stats *stats,
          const struct figure *figure)
{
    struct figure_value value;

    stats_find(stats, figure, &value);
    cells->are_bounds = false;
    if (value.form == FIGURE_ROW) {
        set_row(cells, stats->spec, stats->i, value.row);
        return;
    }
    for (int c = 0; c < CELLS_MAX; c++)
        set_number(cells->text[c], value);
    if (figure_row(figure)->shape == FIGURE_ESTIMATE && !value.is_exact) {
        cells->are_bounds = true;
        value.real = value.least;
        set_number(cells->text[1], value);
        value.real = value.most;
        set_number(cells->text[2], value);
    } else if (figure_row(figure)->shape == FIGURE_BOUNDS) {
        cells->are_bounds = value.whole != value.whole_most;
        value.whole = value.whole_most;
        set_number(cells->text[1], value);
    }
}

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
    return i - count < options->percentiles.count
               ? &options->percentiles.figure[i - count]
               : NULL;
}

/* Make STATS of axis I.  Returns 0, or -1 with *ERROR set. */
static int
make_stats(struct stats *stats, const struct spec *spec,
           const struct histogram *histogram, size_t i,
           const struct summary_options *options, struct error *error)
{
    unsigned int needs =
        options->has_stats ? figures_needs(&figures_of_bins) : 0;

    stats_make(stats, spec, histogram, i, needs);
    return stats_check(stats, error);
}

/* ---- lines ---- */

/* Print the lines of FIGURE of STATS; FIELD: before each, or NULL. */
static void
put_lines(FILE *out, const char *field, const struct stats *stats,
          const struct figure *figure)
{
    char name[FIGURE_NAME_BYTES];
    struct cells cells;

    set_cells(&cells, stats, figure);
    const char *const *suffix =
        suffixes[figure_row(figure)->shape][cells.are_bounds];
    for (int c = 0; c < CELLS_MAX && suffix[c] != NULL; c++)
        fprintf(out, "%s%s%s\t%s\n", field != NULL ? field : "",
                field != NULL ? "\t" : "", figure_name(figure, suffix[c], name),
                cells.text[c]);
}

void
summary_put_left_out(FILE *out, uint64_t left_out)
{
    fprintf(out, "left-out\t%" PRIu64 "\n", left_out);
}

int
summary_put(FILE *out, const struct spec *spec,
            const struct histogram *histogram,
            const struct summary_options *options, struct error *error)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct figure *figure;
        char text[SPEC_FIELD_BYTES];
        const char *field = NULL;
        struct stats stats;

        if (spec->axis_count > 1)
            field = spec_field_text(spec, i, text);
        if (make_stats(&stats, spec, histogram, i, options, error) < 0)
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
        const char *const *suffix =
            suffixes[figure_row(figure)->shape][has_bounds(spec)];
        for (int c = 0; c < CELLS_MAX && suffix[c] != NULL; c++)
            put_cell(out, figure_name(figure, suffix[c], name));
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
    struct cells cells;

    for (size_t f = 0; (figure = figure_at(options, stats->spec, 0,
                                           stats->spec->axis_count, f)) != NULL;
         f++) {
        const char *const *suffix =
            suffixes[figure_row(figure)->shape][are_bounds];
        set_cells(&cells, stats, figure);
        for (int c = 0; c < CELLS_MAX && suffix[c] != NULL; c++)
            put_cell(out, cells.text[c]);
    }
}

static void
put_text(struct writer *out, const char *text)
{
    key_text_put_tsv(out, (const unsigned char *)text, strlen(text));
}

int
summary_put_rows(struct writer *out, const struct spec *spec,
                 const struct histogram *histogram,
                 const struct summary_options *options, const char *file,
                 uint64_t left_out, bool has_header, struct error *error)
{
    if (has_header)
        put_header(out, spec, options);
    for (size_t i = 0; i < spec->axis_count; i++) {
        char field[SPEC_FIELD_BYTES];
        struct stats stats;

        put_text(out, file);
        if (spec->axis_count > 1) {
            writer_put_char(out, '\t');
            put_text(out, spec_field_text(spec, i, field));
        }
        if (make_stats(&stats, spec, histogram, i, options, error) < 0)
            return -1;
        put_figures(out, &stats, options, has_bounds(spec));
        if (spec->conditions.count > 0) {
            writer_put_char(out, '\t');
            writer_put_number(out, left_out);
        }
        writer_put_char(out, '\n');
    }
    return 0;
}
