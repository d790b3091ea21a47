/* plot.c -- pictures of histograms as text */

#include <math.h>
#include <string.h>

#include "plot/canvas.h"
#include "plot/plot.h"
#include "plot/plot_keys.h"
#include "plot/ticks.h"

/* Lines for the title, and for the shell's prompt after the picture. */
#define LINES_AROUND 2
/* Lines below a heat map: ticks and the legend. */
#define LINES_BELOW_MAP 2

/* The label of a heat map's row takes at most 1 / MAP_LABEL_PART of a line. */
#define MAP_LABEL_PART 4

/* Columns that a tick below a heat map usually takes. */
#define TICK_COLUMNS 12

static const char *const shades[] = {"░", "▒", "▓", "█"};
static const char *const dots[] = {".", ":", "-", "+", "*", "%", "#", "@"};
static const struct ramp map_ramp[2] = {RAMP(dots), RAMP(shades)};

/* Colours of 256-colour terminals: from dark blue over green to yellow. */
static const unsigned char map_colours[] = {17, 18, 19,  25,  31,  37,
                                            36, 72, 108, 149, 185, 227};

#define MAP_COLOURS (sizeof map_colours)

/* ---- bars ---- */

/* The columns of each part of a line; 0 for a part that is left out. */
struct layout {
    size_t text;
    size_t glyphs;
    size_t amount;
    size_t bar;
};

static size_t
longer(size_t length, const char *text)
{
    return strlen(text) > length ? strlen(text) : length;
}

/* Amounts are left out if there is no room for bars beside them. */
static struct layout
find_layout(const struct canvas *canvas, const struct picture *picture)
{
    const struct band_axis *axis = &picture->axis[0];
    struct layout layout = {0};

    for (size_t i = 0; i < axis->bands; i++) {
        char amount[SUM_TEXT_BYTES];
        picture_amount_text(picture, i, amount);
        layout.text = longer(layout.text, axis->band[i].text);
        layout.glyphs = longer(layout.glyphs, axis->band[i].glyphs);
        layout.amount = longer(layout.amount, amount);
    }

    size_t used = layout.text + 1;
    if (layout.glyphs > 0)
        used += layout.glyphs + 1;
    layout.bar = canvas_bar_columns(canvas, used, &layout.amount);
    return layout;
}

static void
put_row(const struct canvas *canvas, const struct picture *picture, size_t i,
        const struct layout *layout)
{
    const struct band *band = &picture->axis[0].band[i];
    double amount = picture_amount(picture, i);
    char text[SUM_TEXT_BYTES];
    char line[1024];
    int used =
        snprintf(line, sizeof line, "%*s", (int)layout->text, band->text);

    if (layout->glyphs > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, " %-*s",
                         (int)layout->glyphs, band->glyphs);
    if (layout->amount > 0) {
        picture_amount_text(picture, i, text);
        used += snprintf(line + used, sizeof line - (size_t)used, " %*s",
                         (int)layout->amount, text);
    }
    if (amount != 0 && !isnan(amount) && layout->bar > 0)
        snprintf(line + used, sizeof line - (size_t)used, " ");
    canvas_put_cut(canvas->out, line, canvas->columns);
    canvas_put_bar(canvas, amount, scale_part(&picture->scale, amount),
                   band->is_flow, layout->bar);
    putc('\n', canvas->out);
}

static void
put_bars(const struct canvas *canvas, const struct picture *picture)
{
    struct layout layout = find_layout(canvas, picture);

    for (size_t i = 0; i < picture->axis[0].bands; i++) {
        if (!canvas->nonzero || !picture_is_empty(picture, i))
            put_row(canvas, picture, i, &layout);
    }
}

/* ---- heat maps ---- */

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

/* Whether a gap precedes band I: gaps separate flow cells from bins. */
static bool
is_gap(const struct band_axis *axis, size_t i)
{
    return i > 0 && (i == axis->first || i == axis->last);
}

/* Columns of a row's label, and of each cell. */
struct map_layout {
    size_t label;
    size_t cell;
};

static void
put_map_row(const struct canvas *canvas, const struct picture *picture,
            size_t y, const struct map_layout *layout)
{
    const struct band_axis *axis = &picture->axis[0];
    const struct band *band = &picture->axis[1].band[y];
    size_t last = 0;

    fprintf(canvas->out, "%*.*s ", (int)layout->label, (int)layout->label,
            band->text);
    for (size_t x = 0; x < axis->bands; x++) {
        if (is_gap(axis, x))
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

/* Print round numbers below their columns, and the initials of flow cells. */
static void
put_map_ticks(const struct canvas *canvas, const struct band_axis *axis,
              const struct map_layout *layout)
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
put_map_legend(const struct canvas *canvas, const struct picture *picture,
               const struct map_layout *layout)
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

static void
put_map(const struct canvas *canvas, const struct picture *picture)
{
    const struct band_axis *axis = &picture->axis[1];
    struct map_layout layout = {.label = 0, .cell = 1};

    for (size_t y = 0; y < axis->bands; y++)
        layout.label = longer(layout.label, axis->band[y].text);
    if (layout.label > canvas->columns / MAP_LABEL_PART)
        layout.label = canvas->columns / MAP_LABEL_PART;
    /* A character is about twice as high as wide. */
    if (layout.label + 3 + 2 * picture->axis[0].bands <= canvas->columns)
        layout.cell = 2;
    for (size_t y = axis->bands; y-- > 0;)
        put_map_row(canvas, picture, y, &layout);
    put_map_ticks(canvas, &picture->axis[0], &layout);
    put_map_legend(canvas, picture, &layout);
}

/* ---- all histograms ---- */

/* NUMBER - PART, but at least 1. */
static size_t
without(size_t number, size_t part)
{
    return number > part ? number - part : 1;
}

int
plot_print(FILE *out, const struct picture_subject *subject,
           const struct terminal *terminal, bool nonzero)
{
    const struct canvas canvas = {
        .out = out,
        .terminal = terminal,
        .columns = without(terminal->columns, 1),
        .nonzero = nonzero,
    };
    bool is_map = picture_is_map(subject->spec);
    size_t rows = without(terminal->rows, LINES_AROUND);
    size_t most[PICTURE_AXES_MAX] = {rows, 0};

    if (is_map) {
        /* Columns for the label, the space after it and two gaps. */
        most[0] =
            without(canvas.columns, canvas.columns / MAP_LABEL_PART + 1 + 2);
        most[1] = without(rows, LINES_BELOW_MAP);
    }
    for (size_t i = 0; i < spec_histograms(subject->spec); i++) {
        struct picture picture;
        int result = picture_make(&picture, subject, i, most, false);
        if (result == 0) {
            canvas_put_title(&canvas, &picture);
            if (is_map)
                put_map(&canvas, &picture);
            else if (picture.has_keys)
                plot_keys_put(&canvas, &picture);
            else
                put_bars(&canvas, &picture);
        }
        picture_close(&picture);
        if (result < 0)
            return -1;
    }
    return 0;
}
