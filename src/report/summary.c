/* summary.c -- statistics as lines of text */

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "report/column.h"
#include "report/spectrum_figures.h"
#include "report/stats.h"
#include "report/summary.h"

/* Where to write the lines of one field, and how each line starts. */
struct block {
    FILE *out;
    const char *field; /* NULL: there is only one */
};

/* The name of a figure, or of its bound SUFFIX. */
static void
put_name(const struct block *block, const char *name, const char *suffix)
{
    if (block->field != NULL)
        fprintf(block->out, "%s\t", block->field);
    fprintf(block->out, "%s%s", name, suffix);
}

static void
put_count(const struct block *block, const char *name, uint64_t count)
{
    put_name(block, name, "");
    fprintf(block->out, "\t%" PRIu64 "\n", count);
}

static void
put_number(const struct block *block, const char *name, const char *suffix,
           double number)
{
    char text[NUMBER_TEXT_BYTES];

    put_name(block, name, suffix);
    number_text(number, text);
    fprintf(block->out, "\t%s\n", text);
}

/* Put an exact figure; or an estimate and its bounds. */
static void
put_figure(const struct block *block, const char *name,
           const struct stats_figure *figure)
{
    put_number(block, name, "", figure->value);
    if (!figure->is_exact) {
        put_number(block, name, "_least", figure->least);
        put_number(block, name, "_most", figure->most);
    }
}

/* Put the value of ROW of axis I, or its edges if it has several values. */
static void
put_row(const struct block *block, const char *name, const struct spec *spec,
        size_t i, uint64_t row)
{
    struct column column;

    if (row == STATS_NO_ROW) {
        put_number(block, name, "", NAN);
        return;
    }
    column_open(&column, spec, i, i, true, LABELS_DEC);
    column_go(&column, row);
    column.has_edges = !axis_is_direct(column.axis) || column_is_flow(&column);
    column_set_labels(&column);
    bool has_bounds =
        column.has_edges && strcmp(column.lo.text, column.hi.text) != 0;
    put_name(block, name, has_bounds ? "_lo" : "");
    fprintf(block->out, "\t%s\n", column.lo.text);
    if (has_bounds) {
        put_name(block, name, "_hi");
        fprintf(block->out, "\t%s\n", column.hi.text);
    }
}

static void
put_stats(const struct block *block, const struct stats *stats,
          const struct spec *spec, size_t i)
{
    put_count(block, "values", stats->values);
    put_count(block, "outside", stats->outside);
    put_row(block, "min", spec, i, stats->min_row);
    put_row(block, "max", spec, i, stats->max_row);
    put_figure(block, "mean", &stats->mean);
    put_figure(block, "sd", &stats->deviation);
    put_row(block, "mode", spec, i, stats->mode_row);
    put_number(block, "entropy", "", stats->entropy);
    put_number(block, "chi-square", "", stats->chi_square);
    put_number(block, "p-value", "", stats->p_value);
    if (stats->distinct_most == stats->distinct_least) {
        put_count(block, "distinct", stats->distinct_least);
    } else {
        put_count(block, "distinct_least", stats->distinct_least);
        put_count(block, "distinct_most", stats->distinct_most);
    }
}

/* Put the lines of spectrum I. */
static void
put_spectrum(const struct block *block, const struct spec *spec,
             const struct histogram *histogram, size_t i,
             const struct summary_options *options)
{
    const struct spectrum_figures figures =
        spectrum_figures_of(spec, histogram, i);

    if (options->has_figures) {
        put_count(block, "unique", figures.unique);
        put_count(block, "distinct", figures.distinct);
        put_count(block, "total", figures.total);
        put_count(block, "max", figures.most);
    }
    for (size_t p = 0; p < options->percentile_count; p++) {
        const struct percentile *percentile = &options->percentile[p];
        char name[32];
        snprintf(name, sizeof name, "p%.*s", percentile->text_length,
                 percentile->text);
        if (figures.distinct == 0)
            put_number(block, name, "", (double)NAN);
        else
            put_count(block, name,
                      spectrum_figures_percentile(&figures, spec, histogram, i,
                                                  percentile->nano));
    }
}

void
summary_put_left_out(FILE *out, uint64_t left_out)
{
    const struct block block = {.out = out};

    put_count(&block, "left-out", left_out);
}

void
summary_put(FILE *out, const struct spec *spec,
            const struct histogram *histogram,
            const struct summary_options *options)
{
    for (size_t i = 0; i < spec->axis_count; i++) {
        struct block block = {.out = out};
        char field[SPEC_FIELD_BYTES];
        struct stats stats;

        if (spec->axis_count > 1)
            block.field = spec_field_text(spec, i, field);
        if (spec->is_spectrum) {
            put_spectrum(&block, spec, histogram, i, options);
            continue;
        }
        stats_make(&stats, spec, histogram, i);
        if (options->has_figures)
            put_stats(&block, &stats, spec, i);
        for (size_t p = 0; p < options->percentile_count; p++) {
            const struct percentile *percentile = &options->percentile[p];
            char name[32];
            snprintf(name, sizeof name, "p%.*s", percentile->text_length,
                     percentile->text);
            put_row(
                &block, name, spec, i,
                stats_percentile(&stats, spec, histogram, i, percentile->nano));
        }
    }
}
