/* plot_map.c -- heat maps as text */

#include <math.h>
#include <string.h>

#include "plot/plot_map.h"
#include "plot/ticks.h"

/* The label of a row takes at most 1 / LABEL_PART of a line. */
#define LABEL_PART 4

/* Columns that a tick usually takes. */
#define TICK_COLUMNS 12

static const char *const shades[] = {"░", "▒", "▓", "█"};
static const char *const dots[] = {".", ":", "-", "+", "*", "%", "#", "@"};
static const struct ramp map_ramp[2] = {RAMP(dots), RAMP(shades)};

/* Colours of 256-colour terminals: from dark blue over green to yellow. */
static const unsigned char map_colours[] = {17, 18, 19,  25,  31,  37,
                                            36, 72, 108, 149, 185, 227};

#define MAP_COLOURS (sizeof map_colours)

size_t
plot_map_columns_around(size_t columns)
{
    /* The label, the space after it and two gaps. */
    return columns / LABEL_PART + 1 + 2;
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

static void
put_row(const struct canvas *canvas, const struct picture *picture, size_t y,
        const struct plot_map_layout *layout)
{
    const struct band_axis *axis = &picture->axis[0];
    const struct band *band = &picture->axis[1].band[y];
    size_t last = 0;

    fprintf(canvas->out, "%*.*s ", (int)layout->label, (int)layout->label,
            band->text);
    for (size_t x = 0; x < axis->bands; x++) {
        if (plot_map_is_gap(axis, x))
            put_shade(canvas, 0, 1, &last);
        put_shade(
            canvas,
            scale_shade(&picture->scale,
                        picture_amount(picture, (uint64_t)y * axis->bands + x),
                        shade_count(canvas)),
            layout->cell, &last);
    }
    if (last != 0)
        fputs(canvas_reset, canvas->out);
    putc('\n', canvas->out);
}

void
plot_map_put_ticks(const struct canvas *canvas, const struct band_axis *axis,
                   const struct plot_map_layout *layout)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t bins = (axis->last - axis->first) * layout->cell;
    size_t count = ticks_find(axis, bins / TICK_COLUMNS + 2, tick);
    size_t gap = axis->first > 0;
    size_t end = axis->last * layout->cell + gap;
    size_t column = axis->first * layout->cell;

    canvas_put_spaces(canvas->out, layout->label + 1);
    for (size_t i = 0; i < axis->first; i++)
        fprintf(canvas->out, "%-*c", (int)layout->cell, axis->band[i].word[0]);
    for (size_t i = 0; i < count; i++) {
        size_t at = gap + (size_t)(tick[i].value * (double)layout->cell);
        size_t length = strlen(tick[i].text);
        if (at < column + (i > 0) || at + length > end)
            continue;
        canvas_put_spaces(canvas->out, at - column);
        fputs(tick[i].text, canvas->out);
        column = at + length;
    }
    if (axis->last < axis->bands)
        canvas_put_spaces(canvas->out, end + 1 - column);
    for (size_t i = axis->last; i < axis->bands; i++)
        fprintf(canvas->out, "%-*c", (int)layout->cell, axis->band[i].word[0]);
    putc('\n', canvas->out);
}

/* Print all shades, from the least to the most, and explain the initials. */
static void
put_legend(const struct canvas *canvas, const struct picture *picture,
           const struct plot_map_layout *layout)
{
    const struct band_axis *axis = &picture->axis[0];
    uint64_t most = 0;
    char text[SUM_TEXT_BYTES];
    char name[PICTURE_NAME_BYTES];
    size_t last = 0;

    for (uint64_t cell = 0; cell < picture->amounts.cells; cell++) {
        if (fabs(picture_amount(picture, cell)) == picture->scale.most)
            most = cell;
    }
    picture_amount_text(picture, most, text);
    picture_amounts_name(picture, name);
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

void
plot_map_put(const struct canvas *canvas, const struct picture *picture)
{
    const struct band_axis *axis = &picture->axis[1];
    struct plot_map_layout layout = {.label = 0, .cell = 1};

    for (size_t y = 0; y < axis->bands; y++)
        layout.label = strlen(axis->band[y].text) > layout.label
                           ? strlen(axis->band[y].text)
                           : layout.label;
    if (layout.label > canvas->columns / LABEL_PART)
        layout.label = canvas->columns / LABEL_PART;
    /* A character is about twice as high as wide. */
    if (layout.label + 3 + 2 * picture->axis[0].bands <= canvas->columns)
        layout.cell = 2;
    for (size_t y = axis->bands; y-- > 0;)
        put_row(canvas, picture, y, &layout);
    plot_map_put_ticks(canvas, &picture->axis[0], &layout);
    put_legend(canvas, picture, &layout);
}
