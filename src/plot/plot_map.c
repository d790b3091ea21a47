/* plot_map.c -- heat maps as text */

#include <math.h>
#include <string.h>

#include "plot/band_text.h"
#include "plot/plot_map.h"
#include "plot/ticks.h"

/* The label of a row takes at most 1 / LABEL_PART of a line, but may have
   LABEL_COLUMNS, if this is not most of the line. */
#define LABEL_PART 4
#define LABEL_COLUMNS 8

/* A cell of what is in no bin is at most this wide. */
#define FLOW_COLUMNS_MAX 6

/* Columns that a tick usually takes. */
#define TICK_COLUMNS 12

static const char *const shades[] = {"░", "▒", "▓", "█"};
static const char *const dots[] = {".", ":", "-", "+", "*", "%", "#", "@"};
static const struct ramp map_ramp[2] = {RAMP(dots), RAMP(shades)};

/* Colours of 256-colour terminals: from dark blue over green to yellow. */
static const unsigned char map_colours[] = {17, 18, 19,  25,  31,  37,
                                            36, 72, 108, 149, 185, 227};

#define MAP_COLOURS (sizeof map_colours)

/* Returns the most columns of a label. */
static size_t
label_most(size_t columns)
{
    size_t most = columns / 2 < LABEL_COLUMNS ? columns / 2 : LABEL_COLUMNS;

    return columns / LABEL_PART > most ? columns / LABEL_PART : most;
}

size_t
plot_map_columns_around(size_t columns)
{
    /* The label, the space after it and two gaps. */
    return label_most(columns) + 1 + 2;
}

static size_t
shade_count(const struct canvas *canvas)
{
    return canvas->terminal->has_colour
               ? MAP_COLOURS
               : map_ramp[canvas->terminal->is_utf8].count;
}

/* Print one column in SHADE; *LAST is the shade of the column before. */
static void
put_column(const struct canvas *canvas, size_t shade, size_t *last)
{
    if (!canvas->terminal->has_colour) {
        fputs(shade == 0 ? " "
                         : map_ramp[canvas->terminal->is_utf8].text[shade - 1],
              canvas->out);
        return;
    }
    if (shade != *last) {
        if (shade == 0)
            fputs(canvas_reset, canvas->out);
        else
            fprintf(canvas->out, "\033[48;5;%dm", map_colours[shade - 1]);
        *last = shade;
    }
    putc(' ', canvas->out);
}

/* Print a cell of COLUMNS columns. */
static void
put_shade(const struct canvas *canvas, size_t shade, size_t columns,
          size_t *last)
{
    for (; columns > 0; columns--)
        put_column(canvas, shade, last);
}

bool
plot_map_is_gap(const struct band_axis *axis, size_t i)
{
    return i > 0 && (i == axis->first || i == axis->last);
}

/* ---- rows ---- */

/* Returns the column of the bins where band X starts. */
static size_t
column_of(const struct band_axis *axis, const struct plot_map_layout *layout,
          size_t x)
{
    return (x - axis->first) * layout->bins / (axis->last - axis->first);
}

static void
put_row(const struct canvas *canvas, const struct scene *scene, size_t y,
        const struct plot_map_layout *layout, const struct band_labels *labels)
{
    const struct band_axis *axis = &scene->axis[0];
    const struct band *band = &scene->axis[1].band[y];
    char text[BAND_TEXT_BYTES];
    size_t last = 0;

    band_labels_text(labels, &scene->axis[1], band, text);
    fprintf(canvas->out, "%*s ", (int)layout->label, text);
    for (size_t x = 0; x < axis->bands; x++) {
        size_t columns =
            axis->band[x].is_flow
                ? layout->cell
                : column_of(axis, layout, x + 1) - column_of(axis, layout, x);
        if (plot_map_is_gap(axis, x))
            put_shade(canvas, 0, 1, &last);
        put_shade(
            canvas,
            scale_shade(&scene->scale,
                        scene_amount(scene, (uint64_t)y * axis->bands + x),
                        shade_count(canvas)),
            columns, &last);
    }
    if (last != 0)
        fputs(canvas_reset, canvas->out);
    putc('\n', canvas->out);
}

/* ---- ticks ---- */

/* A number, and the column where its text starts: the bins start at column
   LABEL + 1 or after the cells before them. */
struct place {
    size_t at;
    const char *text;
};

/* Returns the column where the bins start. */
static size_t
bins_begin(const struct band_axis *axis, const struct plot_map_layout *layout)
{
    return layout->label + 1 + axis->first * layout->cell + (axis->first > 0);
}

/* Place as many of the COUNT ticks as fit.  Returns their number. */
static size_t
place_ticks(const struct band_axis *axis, const struct plot_map_layout *layout,
            const struct tick *tick, size_t count, struct place *place)
{
    double width = (double)layout->bins / (double)(axis->last - axis->first);
    size_t begin = bins_begin(axis, layout);
    size_t column = begin;
    size_t placed = 0;

    for (size_t i = 0; i < count; i++) {
        size_t at =
            begin + (size_t)((tick[i].value - (double)axis->first) * width);
        size_t length = strlen(tick[i].text);
        if (at < column + (placed > 0) || at + length > begin + layout->bins)
            continue;
        place[placed++] = (struct place){at, tick[i].text};
        column = at + length;
    }
    return placed;
}

/* Set PLACE to the two ends of AXIS, whose texts are written to LOW and HIGH.
   The lower one may start below the labels.  Returns false, with PLACE as it
   was, if there is no room or the texts are the same. */
static bool
place_ends(const struct band_axis *axis, const struct plot_map_layout *layout,
           char low[NUMBER_TEXT_BYTES], char high[NUMBER_TEXT_BYTES],
           struct place *place)
{
    size_t begin = bins_begin(axis, layout);
    size_t first = axis->first > 0 ? begin : 0;

    for (int digits = 6; digits > 0; digits--) {
        band_text_end(axis, false, digits, low);
        band_text_end(axis, true, digits, high);
        size_t both = strlen(low) + 1 + strlen(high);
        size_t end = begin + layout->bins;
        if (strcmp(low, high) == 0 || first + both > end)
            continue;
        place[0].at = both <= layout->bins ? begin : end - both;
        place[0].text = low;
        place[1] = (struct place){end - strlen(high), high};
        return true;
    }
    return false;
}

void
plot_map_put_ticks(const struct canvas *canvas, const struct band_axis *axis,
                   const struct plot_map_layout *layout)
{
    struct tick tick[SCALE_TICKS_MAX];
    struct place place[SCALE_TICKS_MAX];
    char low[NUMBER_TEXT_BYTES];
    char high[NUMBER_TEXT_BYTES];
    size_t count = ticks_find(axis, layout->bins / TICK_COLUMNS + 2, tick);
    size_t column = 0;

    count = place_ticks(axis, layout, tick, count, place);
    if (count < 2 && place_ends(axis, layout, low, high, place))
        count = 2;
    if (axis->first > 0) {
        canvas_put_spaces(canvas->out, layout->label + 1);
        for (size_t i = 0; i < axis->first; i++)
            fprintf(canvas->out, "%-*c", (int)layout->cell,
                    axis->band[i].word[0]);
        column = bins_begin(axis, layout) - 1;
    }
    for (size_t i = 0; i < count; i++) {
        canvas_put_spaces(canvas->out, place[i].at - column);
        fputs(place[i].text, canvas->out);
        column = place[i].at + strlen(place[i].text);
    }
    if (axis->last < axis->bands)
        canvas_put_spaces(canvas->out,
                          bins_begin(axis, layout) + layout->bins + 1 - column);
    for (size_t i = axis->last; i < axis->bands; i++)
        fprintf(canvas->out, "%-*c", (int)layout->cell, axis->band[i].word[0]);
    putc('\n', canvas->out);
}

/* Print all shades, from the least to the most, and explain the initials. */
static void
put_legend(const struct canvas *canvas, const struct scene *scene,
           const struct plot_map_layout *layout)
{
    const struct band_axis *axis = &scene->axis[0];
    uint64_t most = 0;
    char text[SUM_TEXT_BYTES];
    char name[SCENE_NAME_BYTES];
    size_t last = 0;

    for (uint64_t cell = 0; cell < scene->amounts.cells; cell++) {
        if (fabs(scene_amount(scene, cell)) == scene->scale.most)
            most = cell;
    }
    scene_amount_text(scene, most, text);
    scene_amounts_name(scene, name);
    canvas_put_spaces(canvas->out, layout->label + 1);
    fprintf(canvas->out, "%s: 0 ", name);
    for (size_t shade = 1; shade <= shade_count(canvas); shade++)
        put_column(canvas, shade, &last);
    if (last != 0)
        fputs(canvas_reset, canvas->out);
    fprintf(canvas->out, " %s", text);
    for (size_t i = 0; i < axis->bands; i++) {
        if (axis->band[i].is_flow)
            fprintf(canvas->out, ", %c: %s", axis->band[i].word[0],
                    axis->band[i].word);
    }
    putc('\n', canvas->out);
}

/* Returns how many of ROOM columns each thing gets. */
static struct plot_map_layout
find_layout(const struct canvas *canvas, const struct band_axis *axis,
            size_t label)
{
    size_t flows = axis->bands - (axis->last - axis->first);
    size_t used = label + 1;

    for (size_t x = 0; x < axis->bands; x++)
        used += plot_map_is_gap(axis, x);
    size_t room = canvas->columns > used ? canvas->columns - used : 0;
    struct plot_map_layout layout = {.label = label,
                                     .cell = room / axis->bands};
    if (layout.cell > FLOW_COLUMNS_MAX)
        layout.cell = FLOW_COLUMNS_MAX;
    if (layout.cell == 0)
        layout.cell = 1;
    layout.bins = axis->last - axis->first;
    if (room > flows * layout.cell + layout.bins)
        layout.bins = room - flows * layout.cell;
    return layout;
}

void
plot_map_put(const struct canvas *canvas, const struct scene *scene)
{
    const struct band_axis *axis = &scene->axis[1];
    struct band_labels labels =
        band_labels_choose(axis, label_most(canvas->columns));
    struct plot_map_layout layout =
        find_layout(canvas, &scene->axis[0], labels.columns);

    for (size_t y = axis->bands; y-- > 0;)
        put_row(canvas, scene, y, &layout, &labels);
    plot_map_put_ticks(canvas, &scene->axis[0], &layout);
    put_legend(canvas, scene, &layout);
}
