/* SPDX-License-Identifier: MIT */
/* column_names.c -- the names of all columns of a report, for any format */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near_names.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "report/column_names.h"
#include "report/column_rename.h"
#include "report/figure_fields.h"

/* ---- names in use ---- */

/* The names that columns have so far, as JSON shows them. */
struct names_in_use {
    char **name; /* COUNT of them, owned */
    size_t count;
    size_t room;
    bool has_failed; /* out of memory */
};

/* The endings of a name, a bit for each: the columns and members that are
   named after a field.  In JSON, keys that are not UTF-8 have "_hex". */
#define END_NONE (1u << 0)
#define END_EDGES (1u << 1 | 1u << 2)
#define END_FLOW (1u << 3)
#define END_HEX (1u << 4)

static const char *const endings[] = {"", "_lo", "_hi", "_flow", "_hex"};

#define ENDINGS (sizeof endings / sizeof *endings)

/* Returns A, B and C as one owned string; NULL: out of memory. */
static char *
join(struct names_in_use *used, const char *a, const char *b, const char *c)
{
    size_t size_a = strlen(a);
    size_t size_b = strlen(b);
    size_t size_c = strlen(c);
    char *text = malloc(size_a + size_b + size_c + 1);

    if (text == NULL) {
        used->has_failed = true;
        return NULL;
    }
    memcpy(text, a, size_a);
    memcpy(text + size_a, b, size_b);
    memcpy(text + size_a + size_b, c, size_c + 1);
    return text;
}

/* Returns a copy of NAME, owned, with U+FFFD for each byte that is not UTF-8,
   as JSON shows it; NULL: out of memory. */
static char *
shown_in_json(struct names_in_use *used, const char *name)
{
    const unsigned char *at = (const unsigned char *)name;
    size_t left = strlen(name);
    char *text = malloc(3 * left + 1);
    char *end = text;

    if (text == NULL) {
        used->has_failed = true;
        return NULL;
    }
    while (left > 0) {
        size_t bytes = utf8_character(at, left);
        if (bytes == 0) {
            memcpy(end, "\xef\xbf\xbd", 3);
            end += 3;
            bytes = 1;
        } else {
            memcpy(end, at, bytes);
            end += bytes;
        }
        at += bytes;
        left -= bytes;
    }
    *end = '\0';
    return text;
}

static bool
is_used(const struct names_in_use *used, const char *name)
{
    for (size_t i = 0; i < used->count; i++) {
        if (strcmp(used->name[i], name) == 0)
            return true;
    }
    return false;
}

/* From now on, NAME and ENDING are in use.  NAME is in the form of JSON. */
static void
use(struct names_in_use *used, const char *name, const char *ending)
{
    if (used->count == used->room) {
        size_t room = 2 * used->room + 16;
        char **more = realloc(used->name, room * sizeof *more);
        if (more == NULL) {
            used->has_failed = true;
            return;
        }
        used->name = more;
        used->room = room;
    }
    used->name[used->count] = join(used, name, ending, "");
    used->count += used->name[used->count] != NULL;
}

/* Forget the names after the first COUNT. */
static void
forget(struct names_in_use *used, size_t count)
{
    while (used->count > count)
        free(used->name[--used->count]);
}

/* Use NAME, with ENDS.  Returns false, with no change, if any is in use. */
static bool
use_all(struct names_in_use *used, const char *name, unsigned int ends)
{
    char *shown = shown_in_json(used, name);
    bool is_new = true;

    for (size_t e = 0; shown != NULL && e < ENDINGS; e++) {
        char *text = join(used, shown, endings[e], "");
        is_new &= (ends & 1u << e) == 0 || text == NULL || !is_used(used, text);
        free(text);
    }
    for (size_t e = 0; shown != NULL && is_new && e < ENDINGS; e++) {
        if ((ends & 1u << e) != 0)
            use(used, shown, endings[e]);
    }
    free(shown);
    return is_new;
}

/*
 * Returns BEFORE and NAME as one owned string, with "_2" or a higher number if
 * the name, with any of ENDS, is in use.  NULL: out of memory.
 */
static char *
unique(struct names_in_use *used, const char *before, const char *name,
       unsigned int ends)
{
    char *text = join(used, before, name, "");
    char number[24];

    for (size_t n = 2; text != NULL && !use_all(used, text, ends); n++) {
        free(text);
        snprintf(number, sizeof number, "_%zu", n);
        text = join(used, before, name, number);
    }
    return text;
}

/* ---- names being made ---- */

struct names_making {
    struct names_in_use used;    /* without --rename */
    struct names_in_use printed; /* with --rename */
    struct names_in_use known;   /* all that --rename may name */
    struct column_renames renames;
    char *twice; /* owned: what --rename calls two columns; NULL: none */
};

/* What --rename may not name until show() is called. */
struct names_hidden {
    struct column_renames renames;
    size_t known;
};

/* Until show() is called, names are made that are not printed: --rename does
   not apply if IS_HIDDEN. */
static struct names_hidden
hide(struct names_making *making, bool is_hidden)
{
    struct names_hidden hidden = {making->renames,
                                  is_hidden ? making->known.count : SIZE_MAX};

    if (is_hidden)
        making->renames.count = 0;
    return hidden;
}

/* The columns of a histogram end, those of another may have equal names. */
struct names_mark {
    size_t used;
    size_t printed;
};

static struct names_mark
mark(const struct names_making *making)
{
    return (struct names_mark){making->used.count, making->printed.count};
}

static void
go_back(struct names_making *making, struct names_mark mark)
{
    forget(&making->used, mark.used);
    forget(&making->printed, mark.printed);
}

/* End what hide() began. */
static void
show(struct names_making *making, struct names_hidden hidden)
{
    making->renames = hidden.renames;
    if (hidden.known < making->known.count)
        forget(&making->known, hidden.known);
}

/* Returns the rename of the column NAME, or NULL. */
static struct column_rename *
find_rename(struct names_making *making, const char *name)
{
    struct column_renames *renames = &making->renames;

    for (size_t i = 0; i < renames->count; i++) {
        if (strcmp(renames->rename[i].old, name) == 0) {
            renames->rename[i].is_met = true;
            return &renames->rename[i];
        }
    }
    return NULL;
}

/* NAME with ENDS is printed. */
static void
print(struct names_making *making, const char *name, unsigned int ends)
{
    if (!use_all(&making->printed, name, ends) && making->twice == NULL)
        making->twice = join(&making->printed, name, "", "");
}

/* Returns the printed name, owned, of the column that is called NAME without
   --rename.  Frees NAME, which may be NULL, as the result may be. */
static char *
printed_name(struct names_making *making, char *name, unsigned int ends)
{
    struct column_rename *rename;

    if (name == NULL || making->renames.count == 0)
        return name;
    rename = find_rename(making, name);
    if (rename != NULL) {
        free(name);
        name = join(&making->used, rename->name, "", "");
    }
    if (name != NULL)
        print(making, name, ends);
    return name;
}

/* Returns the name, owned, of a column of a report's own, which is NAME without
   --rename.  NULL: out of memory. */
static char *
own(struct names_making *making, const char *name, unsigned int ends)
{
    (void)use_all(&making->used, name, ends);
    use(&making->known, name, "");
    return printed_name(making, join(&making->used, name, "", ""), ends);
}

/* Returns the name, owned, of an edge: of the column OLD and END without
   --rename, of NAME with --rename.  NULL: out of memory. */
static char *
edge_name(struct names_making *making, const char *old, const char *name,
          const char *end, bool is_printed)
{
    char *text = join(&making->used, old, end, "");
    struct column_rename *rename = NULL;

    if (is_printed && text != NULL) {
        use(&making->known, text, "");
        rename = find_rename(making, text);
    }
    free(text);
    text = rename != NULL ? join(&making->used, rename->name, "", "")
                          : join(&making->used, name, end, "");
    if (is_printed && text != NULL && making->renames.count > 0)
        print(making, text, END_NONE);
    return text;
}

/* ---- the names of reports ---- */

static const char *const extra_names[ROWS_EXTRAS] = {
    [ROWS_LUT] = "lut",
    [ROWS_CUMULATIVE] = "cumulative",
    [ROWS_DENSITY] = "density",
    [ROWS_PERCENT] = "percent",
};

static bool
has_edges(const struct spec *spec, size_t a)
{
    return axis_bins(&spec->shown[a]) == AXIS_INTERVALS;
}

/* Mark the members of JSON that no column may have as its name. */
static void
use_members(struct names_in_use *used, const struct report *report)
{
    const struct spec *spec = report->spec;
    bool has_single_edges = false;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        has_single_edges |= spec_own_axes(spec, i) == 1 &&
                            has_edges(spec, spec_own_axis(spec, i));
    }
    use(used, "other", "");
    use(used, "totals", "");
    use(used, "flow", "");
    if (report->options->pivot)
        use(used, "cells", "");
    if (has_single_edges) {
        use(used, "lo", "");
        use(used, "hi", "");
    }
}

/* Returns the start of the name of FIGURE, "FIELD_" or nothing, owned. */
static char *
figure_start(struct names_making *making, const struct figure *figure,
             const struct spec *spec)
{
    char text[SPEC_FIELD_BYTES];
    const char *before = "";
    const char *name = "";

    if (figure->field == NULL)
        return join(&making->used, "", "", "");
    size_t axis = spec_own_axis(spec, figure_fields_find(figure, spec));
    name = spec_column_text(spec, axis, &before, text);
    return join(&making->used, before, name, "_");
}

static void
make_figures(struct column_names *names, struct names_making *making,
             const struct report *report)
{
    const struct figures *figures = &report->options->figures;
    char name[FIGURE_NAME_BYTES];

    for (size_t c = 0; c < figures->count; c++) {
        const struct figure *figure = &figures->figure[c];
        char *start = figure_start(making, figure, report->spec);
        char *old = start == NULL ? NULL
                                  : unique(&making->used, start,
                                           figure_name(figure, "", name),
                                           END_NONE | END_EDGES | END_HEX);
        free(start);
        char *copy = old == NULL ? NULL : join(&making->used, old, "", "");
        if (copy != NULL) {
            use(&making->known, old, "");
            names->figure[c] =
                printed_name(making, copy, END_NONE | END_EDGES | END_HEX);
        }
        if (names->figure[c] != NULL) {
            const char *name_of = names->figure[c];
            names->figure_hi[c] = edge_name(making, old, name_of, "_hi", false);
            names->figure_least[c] =
                edge_name(making, old, name_of, "_least", false);
            names->figure_most[c] =
                edge_name(making, old, name_of, "_most", false);
        }
        free(old);
    }
}

/* The first line of --pivot has the values of the last key, and neither the
   name of the key nor that of the counts. */
static bool
is_pivot_of_lines(const struct report_options *options)
{
    return options->pivot && options->format != FORMAT_JSON &&
           options->format != FORMAT_JSONL;
}

/* Make the names of columns that are not of fields. */
static void
make_own(struct column_names *names, struct names_making *making,
         const struct report *report)
{
    const struct report_options *options = report->options;
    const bool is_wanted[ROWS_EXTRAS] = {
        [ROWS_LUT] = report->lut != NULL,
        [ROWS_CUMULATIVE] = options->cumulative,
        [ROWS_DENSITY] = options->density,
        [ROWS_PERCENT] = options->percent != PERCENT_NONE,
    };

    if (report->file != NULL)
        names->file = own(making, "file", END_NONE | END_HEX);
    struct names_hidden hidden = hide(making, figure_fields_are_named(options));
    if (spec_histograms(report->spec) > 1)
        names->field = own(making, "field", END_NONE);
    show(making, hidden);
    make_figures(names, making, report);
    if (options->figures.count > 0)
        return;
    hidden = hide(making, is_pivot_of_lines(options));
    names->amount =
        own(making, report->spec->has_weights ? "sum" : "count", END_NONE);
    show(making, hidden);
    for (unsigned int e = 0; e < ROWS_EXTRAS; e++) {
        if (is_wanted[e])
            names->extra[e] = own(making, extra_names[e], END_NONE);
    }
}

/* Make the names of AXIS from BEFORE and NAME; ENDS: its columns. */
static void
make_axis(struct axis_names *axis, struct names_making *making,
          const char *before, const char *name, unsigned int ends)
{
    bool has_edges = (ends & END_EDGES) != 0;
    char *old = unique(&making->used, before, name, ends);
    char *copy = old == NULL ? NULL : join(&making->used, old, "", "");

    axis->is_single = (ends & END_FLOW) == 0;
    if (copy != NULL) {
        if (!has_edges)
            use(&making->known, old, "");
        axis->name = printed_name(making, copy, ends & ~END_EDGES);
    }
    if (axis->name != NULL) {
        axis->lo = edge_name(making, old, axis->name, "_lo", has_edges);
        axis->hi = edge_name(making, old, axis->name, "_hi", has_edges);
        axis->flow = join(&making->used, axis->name, "_flow", "");
    }
    free(old);
}

/* Whether no column has the name of axis A of REPORT.  In JSON axes have names
   also where figures are the columns. */
static bool
is_hidden_axis(const struct report *report, size_t a)
{
    const struct report_options *options = report->options;
    bool is_key = a < report->spec->group_count;

    return (options->figures.count > 0 && !is_key &&
            options->format != FORMAT_JSON) ||
           (is_pivot_of_lines(options) && a + 1 == report->spec->axis_count);
}

/* Make the names of axis A of REPORT; IS_SINGLE: as in struct axis_names. */
static void
make_field(struct column_names *names, struct names_making *making,
           const struct report *report, size_t a, bool is_single)
{
    const struct spec *spec = report->spec;
    char text[SPEC_FIELD_BYTES];
    const char *before;
    const char *name = spec_column_text(spec, a, &before, text);
    unsigned int ends = END_NONE | (is_single ? 0 : END_FLOW) |
                        (has_edges(spec, a) ? END_EDGES : 0) |
                        (axis_has_names(&spec->shown[a]) ? END_HEX : 0);

    struct names_hidden hidden = hide(making, is_hidden_axis(report, a));
    make_axis(&names->axis[a], making, before, name, ends);
    show(making, hidden);
}

/* Make the names of the own axes of histogram I of REPORT. */
static void
make_histogram(struct column_names *names, struct names_making *making,
               const struct report *report, size_t i)
{
    size_t own_axis = spec_own_axis(report->spec, i);
    size_t count = spec_own_axes(report->spec, i);

    for (size_t a = own_axis; a < own_axis + count; a++)
        make_field(names, making, report, a, count == 1);
}

/* Make the names of all axes of REPORT. */
static void
make_fields(struct column_names *names, struct names_making *making,
            const struct report *report)
{
    const struct spec *spec = report->spec;
    bool has_common = figure_fields_tables(report->options, spec) > 1 &&
                      spec->lists == 0 && !spec->is_joint;
    unsigned int ends = END_NONE | END_HEX;

    for (size_t a = 0; a < spec->group_count; a++)
        make_field(names, making, report, a, false);
    for (size_t a = spec->group_count; a < spec->axis_count; a++)
        ends |= has_edges(spec, a) ? END_EDGES : 0;
    struct names_mark after_groups = mark(making);
    struct names_hidden hidden =
        hide(making, report->options->figures.count > 0);
    if (has_common)
        make_axis(&names->common, making, "", "value", ends);
    show(making, hidden);
    names->has_common = has_common;
    /* Fields that share a column have no columns that --rename could name. */
    hidden = hide(making, has_common);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        go_back(making, after_groups);
        make_histogram(names, making, report, i);
    }
    show(making, hidden);
}

/* Check that --rename has named columns, and no two equally.  Returns 0, or -1
   with *ERROR set. */
static int
check_renames(const struct names_making *making, struct error *error)
{
    const struct near_names known = {near_names_string, making->known.name,
                                     making->known.count, "'"};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    for (size_t i = 0; i < making->renames.count; i++) {
        const char *old = making->renames.rename[i].old;
        if (making->renames.rename[i].is_met)
            continue;
        error_set(error, EXIT_USAGE,
                  "--rename: no column is called '%s'; there is %s",
                  visible_name(shown, old, strlen(old)),
                  near_names_list(&known, old, strlen(old), list));
        return -1;
    }
    if (making->twice == NULL)
        return 0;
    error_set(error, EXIT_USAGE,
              "--rename: '%s' would be the name of two columns, or of a column "
              "and a member of JSON",
              visible_name(shown, making->twice, strlen(making->twice)));
    return -1;
}

/* Make all names of REPORT.  Returns 0, or -1 with *ERROR set. */
static int
make_all(struct column_names *names, struct names_making *making,
         const struct report *report, struct error *error)
{
    if (report->options->rename != NULL &&
        column_renames_parse(&making->renames, report->options->rename, error) <
            0)
        return -1;
    use_members(&making->used, report);
    use_members(&making->printed, report);
    make_own(names, making, report);
    make_fields(names, making, report);
    if (making->used.has_failed || making->printed.has_failed ||
        making->known.has_failed)
        return error_fail_memory(error);
    return check_renames(making, error);
}

static void
close_used(struct names_in_use *used)
{
    forget(used, 0);
    free(used->name);
}

int
column_names_make(struct column_names *names, const struct report *report,
                  struct error *error)
{
    struct names_making making = {0};
    size_t axes = report->spec->axis_count;

    *names = (struct column_names){
        .axes = axes,
        .axis = calloc(axes, sizeof *names->axis),
    };
    if (names->axis == NULL)
        return error_fail_memory(error);
    int result = make_all(names, &making, report, error);
    close_used(&making.used);
    close_used(&making.printed);
    close_used(&making.known);
    column_renames_close(&making.renames);
    free(making.twice);
    return result;
}

int
column_names_check(const struct report *report, struct error *error)
{
    struct column_names names;
    int result = column_names_make(&names, report, error);

    column_names_close(&names);
    return result;
}

static void
close_axis(struct axis_names *axis)
{
    free(axis->name);
    free(axis->lo);
    free(axis->hi);
    free(axis->flow);
}

void
column_names_close(struct column_names *names)
{
    for (size_t a = 0; names->axis != NULL && a < names->axes; a++)
        close_axis(&names->axis[a]);
    free(names->axis);
    close_axis(&names->common);
    free(names->file);
    free(names->field);
    free(names->amount);
    for (unsigned int e = 0; e < ROWS_EXTRAS; e++)
        free(names->extra[e]);
    for (size_t c = 0; c < FIGURES_MAX; c++) {
        free(names->figure[c]);
        free(names->figure_hi[c]);
        free(names->figure_least[c]);
        free(names->figure_most[c]);
    }
    *names = (struct column_names){0};
}

const struct axis_names *
column_names_of(const struct column_names *names, const struct spec *spec,
                size_t i, size_t c)
{
    if (names->has_common && c == spec->group_count)
        return &names->common;
    return &names->axis[spec_axis_of(spec, i, c)];
}
