/* column_names.c -- the names of all columns of a report, for any format */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "report/column_names.h"

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

/* The names after the first COUNT are no longer in use. */
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

/* Returns NAME as an owned string that is the name of a column of a report's
   own.  NULL: out of memory. */
static char *
own(struct names_in_use *used, const char *name)
{
    use(used, name, "");
    return join(used, name, "", "");
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
use_members(struct names_in_use *used, const struct spec *spec)
{
    bool has_single = false;
    bool has_single_edges = false;

    for (size_t i = 0; i < spec_histograms(spec); i++) {
        bool is_single = spec_own_axes(spec, i) == 1;
        has_single |= is_single;
        has_single_edges |=
            is_single && has_edges(spec, spec_own_axis(spec, i));
    }
    use(used, "other", "");
    use(used, "totals", "");
    if (has_single)
        use(used, "flow", "");
    if (has_single_edges) {
        use(used, "lo", "");
        use(used, "hi", "");
    }
}

static void
make_figures(struct column_names *names, struct names_in_use *used,
             const struct figures *figures)
{
    char name[FIGURE_NAME_BYTES];

    for (size_t c = 0; c < figures->count; c++) {
        const struct figure *figure = &figures->figure[c];
        names->figure[c] = unique(used, "", figure_name(figure, "", name),
                                  END_NONE | END_EDGES | END_HEX);
        if (names->figure[c] != NULL)
            names->figure_hi[c] = join(used, names->figure[c], "_hi", "");
    }
}

/* Make the names of columns that are not of fields. */
static void
make_own(struct column_names *names, struct names_in_use *used,
         const struct report *report)
{
    const struct report_options *options = report->options;
    const bool is_wanted[ROWS_EXTRAS] = {
        [ROWS_LUT] = report->lut != NULL,
        [ROWS_CUMULATIVE] = options->cumulative,
        [ROWS_DENSITY] = options->density,
        [ROWS_PERCENT] = options->percent != PERCENT_NONE,
    };

    use_members(used, report->spec);
    if (options->pivot)
        use(used, "cells", "");
    if (report->file != NULL) {
        names->file = own(used, "file");
        use(used, "file", "_hex");
    }
    if (spec_histograms(report->spec) > 1)
        names->field = own(used, "field");
    make_figures(names, used, &options->figures);
    if (options->figures.count > 0)
        return;
    names->amount = own(used, report->spec->has_weights ? "sum" : "count");
    for (unsigned int e = 0; e < ROWS_EXTRAS; e++) {
        if (is_wanted[e])
            names->extra[e] = own(used, extra_names[e]);
    }
}

/* Make the names of AXIS from BEFORE and NAME; ENDS: its columns. */
static void
make_axis(struct axis_names *axis, struct names_in_use *used,
          const char *before, const char *name, unsigned int ends)
{
    axis->is_single = (ends & END_FLOW) == 0;
    axis->name = unique(used, before, name, ends);
    if (axis->name == NULL)
        return;
    axis->lo = join(used, axis->name, "_lo", "");
    axis->hi = join(used, axis->name, "_hi", "");
    axis->flow = join(used, axis->name, "_flow", "");
}

/* Make the names of axis A of SPEC; IS_SINGLE: as in struct axis_names. */
static void
make_field(struct column_names *names, struct names_in_use *used,
           const struct spec *spec, size_t a, bool is_single)
{
    char text[SPEC_FIELD_BYTES];
    const char *before;
    const char *name = spec_column_text(spec, a, &before, text);
    unsigned int ends = END_NONE | (is_single ? 0 : END_FLOW) |
                        (has_edges(spec, a) ? END_EDGES : 0) |
                        (axis_has_names(&spec->shown[a]) ? END_HEX : 0);

    make_axis(&names->axis[a], used, before, name, ends);
}

/* Make the names of all axes of SPEC. */
static void
make_fields(struct column_names *names, struct names_in_use *used,
            const struct spec *spec)
{
    for (size_t a = 0; a < spec->group_count; a++)
        make_field(names, used, spec, a, false);
    size_t shared = used->count;
    names->has_common =
        spec_histograms(spec) > 1 && spec->lists == 0 && !spec->is_joint;
    if (names->has_common)
        make_axis(&names->common, used, "", "value",
                  END_NONE | END_EDGES | END_HEX);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t own_axis = spec_own_axis(spec, i);
        size_t count = spec_own_axes(spec, i);
        forget(used, shared);
        for (size_t a = own_axis; a < own_axis + count; a++)
            make_field(names, used, spec, a, count == 1);
    }
}

int
column_names_make(struct column_names *names, const struct report *report,
                  struct error *error)
{
    struct names_in_use used = {0};
    size_t axes = report->spec->axis_count;

    *names = (struct column_names){
        .axes = axes,
        .axis = calloc(axes, sizeof *names->axis),
    };
    if (names->axis == NULL)
        return error_fail_memory(error);
    make_own(names, &used, report);
    make_fields(names, &used, report->spec);
    forget(&used, 0);
    free(used.name);
    return used.has_failed ? error_fail_memory(error) : 0;
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
