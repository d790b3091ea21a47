/* rows.c -- the lines of a histogram, one after the other */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hist/spectrum.h"
#include "report/rows.h"

/* ---- from one row to the next ---- */

/* The row of a column before the last column has changed. */
static void
find_outer(struct rows *rows)
{
    rows->outer_cell = 0;
    rows->outer_is_flow = false;
    for (size_t i = 0; i + 1 < rows->columns; i++) {
        const struct column *column = &rows->column[i];
        rows->outer_cell +=
            column->axis->base + column->axis->stride * column->cell;
        rows->outer_is_flow |= column_is_flow(column);
    }
}

/* The row of the last column has changed. */
static void
find_cell(struct rows *rows)
{
    const struct column *column = &rows->column[rows->columns - 1];
    const struct binning_axis *axis = column->axis;

    rows->cell = rows->outer_cell + axis->base + axis->stride * column->cell;
    rows->is_flow = rows->outer_is_flow | column_is_flow(column);
}

/* Go to tuple NUMBER of a sparse histogram. */
static void
go_to_tuple(struct rows *rows, uint64_t number)
{
    const size_t groups = rows->report->spec->group_count;
    const struct key_entry entry = key_list_key(rows->tuples, number);
    const unsigned char *at = entry.key;
    const unsigned char *end = at + entry.size;

    rows->cell = rows->outer_cell + number;
    rows->is_flow = false;
    rows->special = 0;
    rows->group = at;
    for (size_t i = 0; i < rows->columns; i++) {
        struct column *column = &rows->column[i];
        at = column_read(column, at, end, i + 1 == rows->columns);
        if (i + 1 == groups)
            rows->group_size = (size_t)(at - entry.key);
        rows->special += rows->special == i && column_is_special(column);
        rows->is_flow |= column_is_flow(column);
    }
    assert(at == end);
}

static void
go_to_row(struct rows *rows, uint64_t number)
{
    if (rows->tuples != NULL) {
        go_to_tuple(rows, number);
        return;
    }
    for (size_t i = rows->columns; i-- > 0;) {
        uint64_t count = rows->column[i].rows;
        column_go(&rows->column[i], number % count);
        number /= count;
    }
    find_outer(rows);
    find_cell(rows);
}

/* Go to the next row; the last axis varies fastest. */
static void
advance(struct rows *rows)
{
    struct column *column = rows->column;
    size_t i = rows->columns - 1;

    if (column[i].row + 1 < column[i].rows) {
        column_go(&column[i], column[i].row + 1);
        find_cell(rows);
        return;
    }
    while (column[i].row + 1 == column[i].rows)
        column_go(&column[i--], 0);
    column_go(&column[i], column[i].row + 1);
    find_outer(rows);
    find_cell(rows);
}

/* COUNT rows follow, from FIRST on. */
static void
set_rows(struct rows *rows, uint64_t first, uint64_t count)
{
    rows->next = first;
    rows->left = count;
    /* advance() goes to the first row from here. */
    if (first > 0 && count > 0 && rows->tuples == NULL)
        go_to_row(rows, first - 1);
}

/* For a list in files: the rows in memory at a time. */
#define ROWS_AT_A_TIME 16384

/* The rows before the next one have been used. */
static void
forget_rows(const struct rows *rows)
{
    const struct column *column = rows->column;
    const struct key_list *keys = rows->tuples   ? rows->tuples
                                  : column->keys ? column->keys
                                                 : column->codes;
    uint64_t first = rows->next - ROWS_AT_A_TIME;
    uint64_t cell =
        first + (rows->tuples != NULL ? rows->outer_cell : column->axis->base);

    if (keys == NULL || rows->next > keys->count)
        return;
    key_list_forget(keys, first, ROWS_AT_A_TIME);
    histogram_forget(rows->report->histogram, cell, ROWS_AT_A_TIME);
}

static bool
next_row(struct rows *rows)
{
    if (rows->next % ROWS_AT_A_TIME == 0 && rows->next > 0)
        forget_rows(rows);
    if (rows->left == 0)
        return false;
    if (rows->next > 0 && rows->tuples == NULL)
        advance(rows);
    else
        go_to_row(rows, rows->next);
    rows->next++;
    rows->left--;
    return true;
}

/* Whether the rows start with the bins, and the cells of the bins follow each
   other. */
static bool
are_bins(const struct rows *rows)
{
    const struct column *column = &rows->column[0];

    return rows->columns == 1 && rows->tuples == NULL &&
           column->flows_before == 0 && column->axis->stride == 1;
}

/* Whether rows of bins without a count are hidden. */
static bool
skips_zeros(const struct rows *rows)
{
    const struct column *column = &rows->column[0];

    return (rows->nonzero || rows->hides_zeros) && are_bins(rows) &&
           column->keys == NULL && column->codes == NULL;
}

/* As next_row(), but may leave out bins without counts. */
static bool
next_counted(struct rows *rows)
{
    const struct binning_axis *axis = rows->column[0].axis;

    if (skips_zeros(rows) && rows->next < axis->bins) {
        uint64_t most = axis->bins - rows->next;
        most = rows->left < most ? rows->left : most;
        uint64_t zeros = histogram_zeros(rows->report->histogram,
                                         axis->base + rows->next, most);
        /* advance() starts from the row before the next row. */
        if (zeros > 0)
            column_go(&rows->column[0], rows->next + zeros - 1);
        rows->next += zeros;
        rows->left -= zeros;
    }
    return next_row(rows);
}

/* Returns the share of ROW of COLUMN in the number of the histogram's cell. */
static uint64_t
column_offset(const struct column *column, uint64_t row)
{
    const struct binning_axis *axis = column->axis;

    return axis->base + axis->stride * column_cell(column, row);
}

static uint64_t
row_cell(const struct rows *rows, uint64_t number)
{
    uint64_t cell = 0;

    if (rows->tuples != NULL)
        return rows->outer_cell + number;
    /* The first axis, often the only axis, needs no division. */
    for (size_t i = rows->columns - 1; i > 0; i--) {
        uint64_t count = rows->column[i].rows;
        cell += column_offset(&rows->column[i], number % count);
        number /= count;
    }
    return cell + column_offset(&rows->column[0], number);
}

/* Whether the first COLUMNS of the row have no value: in a special cell. */
static bool
is_special(const struct rows *rows, size_t columns)
{
    size_t i = 0;

    if (rows->tuples != NULL)
        return rows->special >= columns;
    while (i < columns && column_is_special(&rows->column[i]))
        i++;
    return i == columns;
}

/* Whether the row follows all other rows, with any count. */
static bool
is_last(const struct rows *rows)
{
    size_t groups = rows->report->spec->group_count;

    return is_special(rows, groups > 0 ? groups : rows->columns);
}

/* Whether --min-count adds the row to OTHER. */
static bool
is_rare(const struct rows *rows)
{
    const struct column *column = &rows->column[0];
    bool is_flow = rows->tuples != NULL && rows->flow != FLOW_HIDE
                       ? is_special(rows, rows->columns)
                       : rows->is_flow;

    if (is_flow)
        return false;
    /* A row of a spectrum stands for all keys with one count. */
    uint64_t count = rows->report->spec->is_spectrum
                         ? spectrum_multiplicity(column->codes, column->cell)
                         : histogram_count(rows->report->histogram, rows->cell);
    return count < rows->min_count;
}

static bool
is_shown(const struct rows *rows)
{
    uint64_t values = histogram_count(rows->report->histogram, rows->cell);

    if (is_rare(rows) || (rows->tuples != NULL && values == 0))
        return false;
    if (!rows->is_flow)
        return values != 0 || !(rows->nonzero || rows->hides_zeros);
    if (rows->flow == FLOW_HIDE)
        return false;
    if (values != 0)
        return true;
    if (rows->flow != FLOW_SHOW || rows->nonzero)
        return false;
    for (size_t i = 0; i < rows->columns; i++) {
        if (column_is_flow(&rows->column[i]) &&
            column_is_impossible(&rows->column[i]))
            return false;
    }
    return true;
}

/* ---- by count ---- */

/* The amount of ITEM of the ranking, a row or a group. */
static struct amount
item_amount(const struct rows *rows, uint64_t item)
{
    if (rows->groups != NULL)
        return amount_of_cell(&rows->groups->total, item);
    return amount_of_cell(rows->report->histogram, row_cell(rows, item));
}

/*
 * Whether item A has a higher count than B, or an equal count and lower values.
 */
static bool
has_more(const void *context, uint64_t a, uint64_t b)
{
    const struct rows *rows = context;
    struct amount amount_a = item_amount(rows, a);
    struct amount amount_b = item_amount(rows, b);
    int order = amount_compare(rows->report->spec, &amount_a, &amount_b);

    return order > 0 || (order == 0 && a < b);
}

static void
add_to_other(struct rows *rows, uint64_t cell)
{
    struct amount amount = amount_of_cell(rows->report->histogram, cell);

    amount_add(&rows->other, rows->report->spec, &amount);
}

/* Add ITEM to the ranking, and the dropped item to OTHER. */
static void
rank_item(struct rows *rows, uint64_t item)
{
    uint64_t left_out = ranking_add(&rows->ranking, item);

    if (left_out == RANKING_NONE)
        return;
    struct amount amount = item_amount(rows, left_out);
    amount_add(&rows->other, rows->report->spec, &amount);
}

/* Find OTHER for rows without a ranking. */
static void
sum_up_other(struct rows *rows)
{
    rows->has_other = true;
    if (rows->min_count == 0)
        return;
    while (next_counted(rows)) {
        if (is_rare(rows))
            add_to_other(rows, rows->cell);
    }
    set_rows(rows, 0, rows->most);
}

/*
 * After the keys of --top, the list has the other keys in any order.  If the
 * next row is the first of the other keys, add all of them to OTHER, and skip
 * them.
 */
static void
skip_other_keys(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct column *column = &rows->column[0];
    const struct key_list *keys =
        column->keys != NULL ? column->keys : column->codes;

    if (keys == NULL || keys->top == 0 || rows->next != keys->top ||
        column->flows_before > 0)
        return;
    uint64_t first = column->axis->base + keys->top;
    uint64_t end = column->axis->base + keys->count;
    if (report->spec->has_weights) {
        for (uint64_t cell = first; cell < end; cell++)
            add_to_other(rows, cell);
    } else {
        rows->other.count +=
            histogram_total(report->histogram, first, end - first);
    }
    set_rows(rows, keys->count, rows->most - keys->count);
}

/* Whether counts alone decide which bins are ranked, so that many bins can be
   skipped at once. */
static bool
skips_low_counts(const struct rows *rows)
{
    return are_bins(rows) && rows->groups == NULL && rows->min_count == 0 &&
           !rows->report->spec->has_weights;
}

/*
 * When the ranking is full: add the next bins to OTHER up to the first bin with
 * a higher count than the last ranked row.  An equal count is not enough,
 * because the ranked row comes first.
 */
static void
skip_low_counts(struct rows *rows)
{
    const struct histogram *histogram = rows->report->histogram;
    const struct binning_axis *axis = rows->column[0].axis;
    uint64_t low;
    uint64_t some;

    if (rows->ranking.count == 0 || rows->ranking.count < rows->ranking.most ||
        !skips_low_counts(rows))
        return;
    uint64_t last = item_amount(rows, rows->ranking.item[0]).count;
    do {
        if (rows->next >= axis->bins)
            return;
        some = ROWS_AT_A_TIME - rows->next % ROWS_AT_A_TIME;
        if (some > axis->bins - rows->next)
            some = axis->bins - rows->next;
        low = histogram_up_to(histogram, axis->base + rows->next, some, last,
                              &rows->other.count);
        set_rows(rows, rows->next + low, rows->left - low);
        if (rows->next % ROWS_AT_A_TIME == 0)
            forget_rows(rows);
    } while (low == some);
}

/* Add the groups to the ranking, each with all rows.  Add the dropped groups,
   and the rare rows of ranked groups, to OTHER. */
static void
rank_groups(struct rows *rows)
{
    for (uint64_t g = 0; g < rows->groups->count; g++)
        rank_item(rows, g);
    for (uint64_t r = 0; rows->min_count != 0 && r < rows->ranking.count; r++) {
        uint64_t group = rows->ranking.item[r];
        set_rows(rows, rows->groups->first[group], rows->groups->rows[group]);
        while (next_row(rows)) {
            if (is_rare(rows))
                add_to_other(rows, rows->cell);
        }
    }
}

/* Rank the rows or groups, and add the dropped rows or groups to OTHER.  The
   rows of special cells follow all other rows, with any count. */
static void
rank_rows(struct rows *rows)
{
    const struct report *report = rows->report;
    uint64_t most = rows->most;

    if (report->options->top != 0 && report->options->top < most)
        most = report->options->top;
    ranking_open(&rows->ranking, report->order, most, has_more, rows);
    rows->last = RANKING_NONE;
    while (skip_other_keys(rows), skip_low_counts(rows), next_counted(rows)) {
        if (is_rare(rows) && (rows->groups == NULL || is_last(rows)))
            add_to_other(rows, rows->cell);
        if (!is_shown(rows))
            continue;
        if (is_last(rows)) {
            if (rows->last == RANKING_NONE)
                rows->last = rows->next - 1;
        } else if (rows->groups == NULL) {
            rank_item(rows, rows->next - 1);
        }
    }
    if (rows->groups != NULL)
        rank_groups(rows);
    ranking_sort(&rows->ranking, report->options->sort == SORT_VALUE
                                     ? ranking_is_lower
                                     : has_more);
    rows->is_sorted = true;
}

/* Go to the line for others, the last line, unless hidden or empty. */
static bool
next_other(struct rows *rows)
{
    if (rows->is_other || !rows->shows_other || rows->other.count == 0)
        return false;
    rows->is_other = true;
    rows->is_flow = false;
    return true;
}

/* Go to the next row of the current group, or of the special rows.  Between
   tuples without a value, the list has ranked tuples. */
static bool
next_in_group(struct rows *rows)
{
    while (next_row(rows)) {
        if (is_shown(rows) && (rows->groups != NULL || is_last(rows)))
            return true;
    }
    return false;
}

static bool
next_ranked(struct rows *rows)
{
    while (!next_in_group(rows)) {
        if (rows->rank < rows->ranking.count) {
            uint64_t item = rows->ranking.item[rows->rank++];
            if (rows->groups == NULL) {
                go_to_row(rows, item);
                return true;
            }
            set_rows(rows, rows->groups->first[item], rows->groups->rows[item]);
        } else if (rows->last != RANKING_NONE) {
            set_rows(rows, rows->last, rows->most - rows->last);
            rows->last = RANKING_NONE;
        } else {
            return next_other(rows);
        }
    }
    return true;
}

/* ---- amounts and extra columns ---- */

double
rows_line_density(const struct rows *rows)
{
    double density = amount_double(rows->report->spec, &rows->amount);

    if (rows->is_other)
        return (double)NAN;
    /*
     * Divide in the same order as numpy, to get numpy's result.  The width of a
     * flow cell is NaN.
     */
    for (size_t i = 0; i < rows->columns; i++)
        density /= column_width(&rows->column[i]);
    return density / rows->in_bins_double;
}

double
rows_line_percent(const struct rows *rows)
{
    return 100 * amount_double(rows->report->spec, &rows->amount) /
           rows->all_double;
}

static char *
put_lut(const struct rows *rows, char *at)
{
    const struct column *column = &rows->column[0];
    uint64_t last = column->axis->bins - 1;
    uint64_t bin = column->cell <= last                           ? column->cell
                   : column->cell == last + 1 + BINNING_UNDERFLOW ? 0
                                                                  : last;

    return rows->is_other ? number_put_double((double)NAN, at)
                          : number_put(rows->report->lut[bin], at);
}

char *
rows_put_extra(const struct rows *rows, enum rows_extra extra, char *at)
{
    struct amount cumulative = amount_of_total(&rows->cumulative);

    switch (extra) {
    case ROWS_LUT:
        return put_lut(rows, at);
    case ROWS_CUMULATIVE:
        return amount_put(rows->report->spec, &cumulative, at);
    case ROWS_DENSITY:
        return number_put_double(rows->density, at);
    default:
        return number_put_double(rows->percent, at);
    }
}

static void
set_amounts(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct report_options *options = report->options;

    rows->amount = rows->is_other
                       ? amount_of_total(&rows->other)
                       : amount_of_cell(report->histogram, rows->cell);
    if (options->cumulative)
        amount_add(&rows->cumulative, report->spec, &rows->amount);
    if (options->density)
        rows->density = rows_line_density(rows);
    if (options->percent)
        rows->percent = rows_line_percent(rows);
}

/* ---- names ---- */

const char *
rows_name_of(const struct rows *rows, size_t i, const char *word,
             char name[ROWS_NAME_BYTES])
{
    const struct spec *spec = rows->report->spec;
    bool is_shared = rows_have_field(spec) && i + 1 == rows->columns &&
                     spec_own_axes(spec, rows->histogram) == 1;
    size_t axis = spec_axis_of(spec, rows->histogram, i);
    char text[SPEC_FIELD_BYTES];
    const char *field = "";

    if (rows->columns > 1 && !is_shared)
        field = spec_field_word(spec, axis, text);
    snprintf(name, ROWS_NAME_BYTES, "%s%s", word, field);
    return name;
}

const char *
rows_name(const struct rows *rows, size_t i, bool is_hi,
          char name[ROWS_NAME_BYTES])
{
    const struct spec *spec = rows->report->spec;
    bool is_shared =
        spec->lists == 0 && !spec->is_joint && i == spec->group_count;
    bool has_keys =
        is_shared ? rows->key_axes == spec->axis_count && !spec_lacks_bins(spec)
                  : column_has_keys(&rows->column[i]);
    const char *word = rows->column[i].has_edges ? (is_hi ? "hi" : "lo")
                       : has_keys                ? "key"
                                                 : "value";
    return rows_name_of(rows, i, word, name);
}

const char *
rows_kind(const struct rows *rows, size_t i)
{
    if (rows->is_other)
        return "other";
    return column_is_flow(&rows->column[i]) ? column_flow_name(&rows->column[i])
                                            : "";
}

const char *
rows_extra_name(enum rows_extra extra)
{
    static const char *const names[ROWS_EXTRAS] = {
        [ROWS_LUT] = "lut",
        [ROWS_CUMULATIVE] = "cumulative",
        [ROWS_DENSITY] = "density",
        [ROWS_PERCENT] = "percent",
    };

    return names[extra];
}

void
rows_set_labels(struct rows *rows)
{
    for (size_t i = 0; i < rows->columns; i++) {
        if (rows->is_other)
            column_set_other(&rows->column[i]);
        else
            column_set_labels(&rows->column[i]);
    }
}

/* ---- the lines ---- */

uint64_t
rows_most(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    if (spec->histogram[i].rows == ROWS_TUPLES)
        return spec->keys != NULL ? spec->keys[i].count : 0;
    if (spec->is_joint)
        return spec->shown_cells;
    return axis->bins + axis_flows(axis);
}

bool
rows_are_ranked(const struct spec *spec, const struct report_options *options,
                size_t i)
{
    /* Rows of tuples without a key, and groups, have places of their own. */
    bool is_by_count = spec->keys != NULL && spec->histogram[i].is_listed &&
                       spec->histogram[i].rows != ROWS_TUPLES &&
                       spec->keys[i].is_by_count;

    return options->top != 0 || (options->sort == SORT_COUNT && !is_by_count);
}

static void
set_extras(struct rows *rows)
{
    const struct report_options *options = rows->report->options;
    const bool is_wanted[ROWS_EXTRAS] = {
        [ROWS_LUT] = rows->report->lut != NULL,
        [ROWS_CUMULATIVE] = options->cumulative,
        [ROWS_DENSITY] = options->density,
        [ROWS_PERCENT] = options->percent,
    };

    for (unsigned int f = 0; f < ROWS_EXTRAS; f++) {
        if (is_wanted[f])
            rows->extra[rows->extras++] = (enum rows_extra)f;
    }
}

void
rows_open(struct rows *rows, const struct report *report, size_t i)
{
    const struct spec *spec = report->spec;
    const struct report_options *options = report->options;
    bool has_edges = false;

    *rows = (struct rows){
        .report = report,
        .histogram = i,
        .columns = spec_dimensions(spec, i),
        .key_axes = spec_key_axes(spec),
        .most = rows_most(spec, i),
        .is_ranked = rows_are_ranked(spec, options, i),
        .flow = options->flow,
        .nonzero =
            options->nonzero || options->top != 0 || options->min_count != 0,
        .min_count = options->min_count,
        .shows_other = !options->no_other,
    };
    if (spec->histogram[i].rows == ROWS_TUPLES) {
        rows->tuples = &spec->keys[i];
        rows->outer_cell = spec_first_cell(spec, i);
    }
    if (rows->is_ranked && report->groups != NULL)
        rows->groups = &report->groups[i];
    /* All histograms form one table with the same columns, except histograms
       with several axes. */
    for (size_t a = spec->group_count; a < spec->axis_count; a++)
        has_edges |= axis_bins(&spec->shown[a]) == AXIS_INTERVALS;
    for (size_t c = 0; c < rows->columns; c++) {
        size_t axis = spec_axis_of(spec, i, c);
        bool is_shared =
            spec->lists == 0 && !spec->is_joint && c == spec->group_count;
        column_open(&rows->column[c], spec, i, axis,
                    is_shared ? has_edges
                              : axis_bins(&spec->shown[axis]) == AXIS_INTERVALS,
                    options->labels);
    }
    rows->hides_zeros = rows->column[0].kind != KEY_CELL ||
                        (column_has_keys(&rows->column[0]) && !options->full);
    set_extras(rows);
    set_rows(rows, 0, rows->most);
    if (options->density || options->percent)
        rows_sum_up(rows);
}

bool
rows_next(struct rows *rows)
{
    bool is_there;

    if (rows->is_ranked) {
        if (!rows->is_sorted)
            rank_rows(rows);
        is_there = next_ranked(rows);
    } else {
        if (!rows->has_other)
            sum_up_other(rows);
        do {
            is_there = next_counted(rows);
        } while (is_there && !is_shown(rows));
        is_there = is_there || next_other(rows);
    }
    if (is_there)
        set_amounts(rows);
    return is_there;
}

bool
rows_next_in_group(struct rows *rows)
{
    if (rows->left == 0)
        return false;
    if (rows->next % ROWS_AT_A_TIME == 0)
        forget_rows(rows);
    const struct key_entry entry = key_list_key(rows->tuples, rows->next);
    const unsigned char *at = entry.key + rows->group_size;
    if (entry.size <= rows->group_size ||
        memcmp(entry.key, rows->group, rows->group_size) != 0)
        return false;
    (void)column_read(&rows->column[rows->columns - 1], at,
                      entry.key + entry.size, true);
    rows->group = entry.key;
    rows->cell = rows->outer_cell + rows->next;
    rows->amount = amount_of_cell(rows->report->histogram, rows->cell);
    rows->next++;
    rows->left--;
    return true;
}

void
rows_seek(struct rows *rows, uint64_t first, uint64_t count)
{
    set_rows(rows, first, count);
}

/* Skip COUNT rows, but add their amounts to the cumulative amounts. */
static void
accumulate(struct rows *rows, uint64_t count)
{
    for (; count > 0; count--) {
        (void)next_row(rows);
        if (!is_shown(rows))
            continue;
        struct amount amount =
            amount_of_cell(rows->report->histogram, rows->cell);
        amount_add(&rows->cumulative, rows->report->spec, &amount);
    }
}

void
rows_split(struct rows *rows, struct rows *part, uint64_t count)
{
    if (!rows->has_other)
        sum_up_other(rows);
    if (count > rows->left)
        count = rows->left;
    *part = *rows;
    part->left = count;
    part->shows_other &= count == rows->left;
    if (rows->report->options->cumulative)
        accumulate(rows, count);
    else
        rows_skip(rows, count);
}

void
rows_find_other(struct rows *rows)
{
    if (rows->report->options->top != 0)
        rank_rows(rows);
    else
        sum_up_other(rows);
}

void
rows_sum_up(struct rows *rows)
{
    const struct report *report = rows->report;
    const struct spec *spec = report->spec;

    rows->all = (struct amount_total){0};
    rows->in_bins = (struct amount_total){0};
    set_rows(rows, 0, rows->most);
    while (next_counted(rows)) {
        struct amount amount = amount_of_cell(report->histogram, rows->cell);
        amount_add(&rows->all, spec, &amount);
        if (!rows->is_flow)
            amount_add(&rows->in_bins, spec, &amount);
    }
    set_rows(rows, 0, rows->most);

    struct amount all = amount_of_total(&rows->all);
    struct amount in_bins = amount_of_total(&rows->in_bins);
    rows->all_double = amount_double(spec, &all);
    rows->in_bins_double = amount_double(spec, &in_bins);
}
