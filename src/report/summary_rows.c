/* summary_rows.c -- statistics as a row of a table, one for each input */

#include "report/column.h"
#include "report/key_text.h"
#include "report/spectrum_figures.h"
#include "report/stats.h"
#include "report/summary.h"

/* What all rows have in common. */
struct table {
    struct writer *out;
    const struct spec *spec;
    const struct summary_options *options;
    bool has_bounds; /* figures may be estimates, and values between edges */
};

/* ---- which columns there are ---- */

/*
 * Whether a value of some axis of SPEC may share its bin, or have none.  So all
 * inputs have the same columns, whatever their values are.
 */
static bool
has_bounds(const struct spec *spec)
{
    if (spec->is_spectrum)
        return false;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (!axis_is_direct(axis) || axis_flows(axis) > 0)
            return true;
    }
    return false;
}

static void
put_name(const struct table *table, const char *name)
{
    writer_put_char(table->out, '\t');
    writer_put_text(table->out, name);
}

/* The column NAME; or, if there are bounds, one with each suffix. */
static void
put_names(const struct table *table, const char *name, const char *lo,
          const char *hi)
{
    put_name(table, name);
    if (!table->has_bounds)
        return;
    writer_put_text(table->out, lo);
    put_name(table, name);
    writer_put_text(table->out, hi);
}

/* The columns of the figures but for percentiles. */
static void
put_figure_names(const struct table *table)
{
    if (table->spec->is_spectrum) {
        put_name(table, "unique");
        put_name(table, "distinct");
        put_name(table, "total");
        put_name(table, "max");
        return;
    }
    put_name(table, "values");
    put_name(table, "outside");
    put_names(table, "min", "_lo", "_hi");
    put_names(table, "max", "_lo", "_hi");
    put_names(table, "mean", "", "_least");
    if (table->has_bounds)
        put_name(table, "mean_most");
    put_names(table, "sd", "", "_least");
    if (table->has_bounds)
        put_name(table, "sd_most");
    put_names(table, "mode", "_lo", "_hi");
    put_name(table, "entropy");
    put_name(table, "chi-square");
    put_name(table, "p-value");
    put_names(table, "distinct", "_least", "_most");
}

static void
put_header(const struct table *table)
{
    const struct summary_options *options = table->options;

    writer_put_text(table->out, "file");
    if (table->spec->axis_count > 1)
        put_name(table, "field");
    if (options->has_figures)
        put_figure_names(table);
    for (size_t p = 0; p < options->percentile_count; p++) {
        const struct percentile *percentile = &options->percentile[p];
        for (int side = 0; side < 1 + table->has_bounds; side++) {
            put_name(table, "p");
            writer_put_bytes(table->out, percentile->text,
                             (size_t)percentile->text_length);
            if (table->has_bounds)
                writer_put_text(table->out, side == 0 ? "_lo" : "_hi");
        }
    }
    if (table->spec->conditions.count > 0)
        put_name(table, "left-out");
    writer_put_char(table->out, '\n');
}

/* ---- cells ---- */

static void
put_count(const struct table *table, uint64_t count)
{
    writer_put_char(table->out, '\t');
    writer_put_number(table->out, count);
}

static void
put_number(const struct table *table, double number)
{
    writer_put_char(table->out, '\t');
    writer_put_double(table->out, number);
}

static void
put_figure(const struct table *table, const struct stats_figure *figure)
{
    put_number(table, figure->value);
    if (!table->has_bounds)
        return;
    put_number(table, figure->is_exact ? figure->value : figure->least);
    put_number(table, figure->is_exact ? figure->value : figure->most);
}

/* Put the value of ROW of axis I, or its edges. */
static void
put_row(const struct table *table, size_t i, uint64_t row)
{
    struct column column;

    if (row == STATS_NO_ROW) {
        put_names(table, "nan", "", "");
        return;
    }
    column_open(&column, table->spec, i, i, true, LABELS_DEC);
    column_go(&column, row);
    column.has_edges = !axis_is_direct(column.axis) || column_is_flow(&column);
    column_set_labels(&column);
    put_name(table, column.lo.text);
    if (table->has_bounds)
        put_name(table, column.has_edges ? column.hi.text : column.lo.text);
}

static void
put_stats(const struct table *table, const struct stats *stats, size_t i)
{
    put_count(table, stats->values);
    put_count(table, stats->outside);
    put_row(table, i, stats->min_row);
    put_row(table, i, stats->max_row);
    put_figure(table, &stats->mean);
    put_figure(table, &stats->deviation);
    put_row(table, i, stats->mode_row);
    put_number(table, stats->entropy);
    put_number(table, stats->chi_square);
    put_number(table, stats->p_value);
    put_count(table, stats->distinct_least);
    if (table->has_bounds)
        put_count(table, stats->distinct_most);
}

/* Put the figures and percentiles of axis I of HISTOGRAM. */
static void
put_figures(const struct table *table, const struct histogram *histogram,
            size_t i)
{
    const struct summary_options *options = table->options;
    struct stats stats;

    stats_make(&stats, table->spec, histogram, i);
    if (options->has_figures)
        put_stats(table, &stats, i);
    for (size_t p = 0; p < options->percentile_count; p++)
        put_row(table, i,
                stats_percentile(&stats, table->spec, histogram, i,
                                 options->percentile[p].nano));
}

/* The same of spectrum I. */
static void
put_spectrum(const struct table *table, const struct histogram *histogram,
             size_t i)
{
    const struct summary_options *options = table->options;
    const struct spectrum_figures figures =
        spectrum_figures_of(table->spec, histogram, i);

    if (options->has_figures) {
        put_count(table, figures.unique);
        put_count(table, figures.distinct);
        put_count(table, figures.total);
        put_count(table, figures.most);
    }
    for (size_t p = 0; p < options->percentile_count; p++) {
        if (figures.distinct == 0)
            put_name(table, "nan");
        else
            put_count(table, spectrum_figures_percentile(
                                 &figures, table->spec, histogram, i,
                                 options->percentile[p].nano));
    }
}

/* ---- rows ---- */

static void
put_text(const struct table *table, const char *text)
{
    key_text_put_tsv(table->out, (const unsigned char *)text, strlen(text));
}

void
summary_put_rows(struct writer *out, const struct spec *spec,
                 const struct histogram *histogram,
                 const struct summary_options *options, const char *file,
                 uint64_t left_out, bool has_header)
{
    const struct table table = {out, spec, options, has_bounds(spec)};

    if (has_header)
        put_header(&table);
    for (size_t i = 0; i < spec->axis_count; i++) {
        char field[SPEC_FIELD_BYTES];

        put_text(&table, file);
        if (spec->axis_count > 1) {
            writer_put_char(out, '\t');
            put_text(&table, spec_field_text(spec, i, field));
        }
        if (spec->is_spectrum)
            put_spectrum(&table, histogram, i);
        else
            put_figures(&table, histogram, i);
        if (spec->conditions.count > 0)
            put_count(&table, left_out);
        writer_put_char(out, '\n');
    }
}
