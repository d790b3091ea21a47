/* SPDX-License-Identifier: MIT */
/*
 * canvas.c -- pictures of histograms as text on a terminal
 *
 * Bars are lines: a label, the amount, the bar.  A heat map and the rows of
 * groups share the axis below them.  No line is wider than the canvas, if the
 * canvas has 16 columns.
 */

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/bar_name.h"
#include "plot/canvas.h"
#include "plot/group_rows.h"
#include "plot/palette.h"
#include "plot/scene_make.h"
#include "plot/ticks.h"

/* Lines for the title, and for the shell's prompt after the picture. */
#define LINES_AROUND 2

/* Lines below a heat map: ticks and the legend.  The legend of groups takes
   two. */
#define LINES_BELOW_MAP 2
#define LINES_BELOW_GROUPS 3

/* The least columns of a label, and of a bar and the amount beside it. */
#define LABEL_COLUMNS 8
#define BAR_COLUMNS 8
#define BAR_AND_SPACE 9

/* A name takes at most 1 / NAME_PART of a line. */
#define NAME_PART_BAR 2
#define NAME_PART_GROUP 3

/* The label of a row of a map takes at most 1 / LABEL_PART of a line, but may
   have LABEL_COLUMNS, up to half of the line. */
#define LABEL_PART 4

/* A bar in a row of pairs, with its amount, takes this part of a line, the name
   of the group being beside. */
#define PAIR_COLUMNS 15

/* A bar in a row of a group, and a flow cell of a map, are at most this wide: a
   few wide bars do not look like a histogram. */
#define CELL_COLUMNS_MAX 6

/* The least columns of a bar in a row of pairs beside its amount. */
#define PAIR_BAR_MIN 3

/* Gaps between bins and flow cells, and behind a bar in a row of pairs. */
#define GAPS 2

/* Columns that a tick usually takes. */
#define TICK_COLUMNS 12

/* The legend of a map has fewer shades down to this number, then no words. */
#define LEGEND_SHADES_MIN 4

/* Room for a text of the legend. */
#define LEGEND_BYTES 256

/* Room for a name on a terminal, and for a line but the name and the bar. */
#define NAME_BYTES BAR_NAME_BYTES(BAR_NAME_COLUMNS_MAX)
#define LINE_BYTES 1024

/* Texts that fill a column step by step; the last text fills the column. */
struct ramp {
    size_t count;
    const char *const *text;
};

#define RAMP(texts)                            \
    {                                          \
        sizeof(texts) / sizeof *(texts), texts \
    }

static const char *const eighths[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
static const char *const halves[] = {"-", "="};
static const char *const hatch[] = {"▒"};
static const char *const colons[] = {":"};
static const char *const hatches[] = {"░", "▒", "▓"};
static const char *const dots[] = {".", ":", "-", "+", "*", "%", "#", "@"};
/* A full block would touch the row above. */
static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇"};
static const char *const letters[] = {"v", "V"};

/* Each in ASCII and in UTF-8. */
static const struct ramp bar_ramp[2] = {RAMP(halves), RAMP(eighths)};
static const struct ramp negative_bar_ramp[2] = {RAMP(colons), RAMP(hatch)};
static const struct ramp height_ramp[2] = {RAMP(dots), RAMP(heights)};
static const struct ramp negative_height_ramp[2] = {
    RAMP(letters),
    RAMP(hatches),
};

/* The terminal, and the scene that is drawn. */
struct canvas {
    FILE *out;
    const struct terminal *terminal;
    size_t columns; /* without the last column of the terminal: some terminals
                       wrap after it */
    size_t rows;    /* for bars */
    bool nonzero;
    struct scene scene;
};

/* ---- texts ---- */

/* NUMBER - PART, but at least 1. */
static size_t
without(size_t number, size_t part)
{
    return number > part ? number - part : 1;
}

static size_t
greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void
put_spaces(const struct canvas *canvas, size_t count)
{
    for (; count > 0; count--)
        putc(' ', canvas->out);
}

static void
put_title(const struct canvas *canvas)
{
    char title[SCENE_TITLE_BYTES];

    scene_title(&canvas->scene, title);
    /* Cut at a comma or a space: a cut number is a wrong number. */
    while (strlen(title) > canvas->columns) {
        char *end = strrchr(title, ',');
        if (end == NULL)
            end = strrchr(title, ' ');
        if (end == NULL)
            break;
        *end = '\0';
    }
    fprintf(canvas->out, "%.*s\n", (int)canvas->columns, title);
}

static enum bar_name_kind
name_kind(const struct canvas *canvas)
{
    return canvas->terminal->is_utf8 ? BAR_NAME_TERMINAL : BAR_NAME_ASCII;
}

/* Write the name of bar or row I in at most MOST columns.  Returns how many. */
static size_t
write_name(const struct canvas *canvas, size_t i, size_t most,
           char text[NAME_BYTES])
{
    return bar_name_write(&canvas->scene, i, name_kind(canvas), most, text);
}

/* ---- bars, one below the other ---- */

/* The columns of each part of a line; 0: the part is left out. */
struct line_layout {
    struct band_labels labels; /* of bins */
    size_t name_most;          /* of a name; 0: the rows have no names */
    size_t label;              /* or name */
    size_t glyphs;
    size_t amount;
    size_t bar;
};

/*
 * Place labels, amounts and bars of the COUNT bands of rows in AXIS.  A name
 * takes at most 1 / NAME_PART of the line.  Amounts are left out if they would
 * leave no room for bars.
 */
static struct line_layout
place_lines(const struct canvas *canvas, const struct band_axis *axis,
            size_t name_part)
{
    struct line_layout layout = {0};
    char name[NAME_BYTES];
    char amount[SUM_TEXT_BYTES];

    if (canvas->scene.kind == SCENE_BARS) {
        layout.labels = band_labels_choose(
            axis,
            greater(without(canvas->columns, BAR_AND_SPACE), LABEL_COLUMNS));
        layout.label = layout.labels.columns;
    } else {
        layout.name_most =
            greater(canvas->columns / name_part, BAR_NAME_COLUMNS_MIN);
        if (layout.name_most > BAR_NAME_COLUMNS_MAX)
            layout.name_most = BAR_NAME_COLUMNS_MAX;
    }
    for (size_t i = 0; i < axis->bands; i++) {
        if (layout.name_most > 0)
            layout.label = greater(
                layout.label, write_name(canvas, i, layout.name_most, name));
        scene_row_text(&canvas->scene, i, amount);
        layout.glyphs = greater(layout.glyphs, strlen(axis->band[i].glyphs));
        layout.amount = greater(layout.amount, strlen(amount));
    }
    size_t used = layout.label + 1 + layout.glyphs + (layout.glyphs > 0);
    if (used + layout.amount + 1 + BAR_COLUMNS > canvas->columns)
        layout.amount = 0;
    else
        used += layout.amount + 1;
    layout.bar = canvas->columns > used ? canvas->columns - used : 0;
    return layout;
}

/* Print a bar of at most COLUMNS columns for the amount in CELL.  Returns its
   columns. */
static size_t
put_bar(const struct canvas *canvas, uint64_t cell, size_t columns)
{
    const struct scene *scene = &canvas->scene;
    bool is_utf8 = canvas->terminal->is_utf8;
    double amount = scene_amount(scene, cell);
    const struct ramp *ramp =
        amount < 0 ? &negative_bar_ramp[is_utf8] : &bar_ramp[is_utf8];
    size_t steps = (size_t)lround(scale_part(&scene->scale, amount) *
                                  (double)columns * (double)ramp->count);
    char colour[PALETTE_BYTES];

    if (columns == 0 || amount == 0 || isnan(amount))
        return 0;
    /* Every amount except 0 is visible. */
    if (steps == 0)
        steps = 1;
    palette_tone(canvas->terminal, scene_tone(scene, cell), colour);
    fputs(colour, canvas->out);
    size_t used = (steps + ramp->count - 1) / ramp->count;
    for (; steps >= ramp->count; steps -= ramp->count)
        fputs(ramp->text[ramp->count - 1], canvas->out);
    if (steps > 0)
        fputs(ramp->text[steps - 1], canvas->out);
    if (colour[0] != '\0')
        fputs(palette_end, canvas->out);
    return used;
}

/* Print the label, the amount and the bar of band I. */
static void
put_line(const struct canvas *canvas, const struct line_layout *layout,
         size_t i)
{
    const struct band_axis *axis = &canvas->scene.axis[0];
    double number = scene_amount(&canvas->scene, i);
    int most = (int)canvas->columns;
    char text[NAME_BYTES];
    char line[NAME_BYTES + LINE_BYTES];
    size_t used;

    if (layout->name_most > 0) {
        size_t columns = write_name(canvas, i, layout->name_most, text);
        used = (size_t)sprintf(line, "%s%*s", text,
                               (int)(layout->label - columns), "");
        most = INT_MAX;
    } else {
        band_labels_text(&layout->labels, axis, &axis->band[i], text);
        used = (size_t)sprintf(line, "%*s", (int)layout->label, text);
    }
    if (layout->glyphs > 0)
        used += (size_t)sprintf(line + used, " %-*s", (int)layout->glyphs,
                                axis->band[i].glyphs);
    if (layout->amount > 0) {
        scene_row_text(&canvas->scene, i, text);
        used += (size_t)sprintf(line + used, " %*s", (int)layout->amount, text);
    }
    if (number != 0 && !isnan(number) && layout->bar > 0)
        strcpy(line + used, " ");
    fprintf(canvas->out, "%.*s", most, line);
    (void)put_bar(canvas, i, layout->bar);
    putc('\n', canvas->out);
}

static void
put_lines(const struct canvas *canvas)
{
    const struct band_axis *axis = &canvas->scene.axis[0];
    struct line_layout layout = place_lines(canvas, axis, NAME_PART_BAR);

    put_title(canvas);
    for (size_t i = 0; i < axis->bands; i++) {
        if (!canvas->nonzero || canvas->scene.amounts.value[i] != 0)
            put_line(canvas, &layout, i);
    }
}

/* ---- cells side by side ---- */

/* The columns of a line of a map or a group. */
struct cell_layout {
    size_t label;
    size_t cell; /* each cell outside of the bins */
    size_t bins; /* all bins together; the shares of two bins differ by a column
                    at most */
};

/* Whether a gap precedes band I: gaps separate flow cells from bins. */
static bool
is_gap(const struct band_axis *axis, size_t i)
{
    return i > 0 && (i == axis->first || i == axis->last);
}

/* Place the cells of AXIS in ROOM columns, with their gaps, after LABEL. */
static struct cell_layout
place_cells(const struct band_axis *axis, size_t label, size_t room)
{
    struct cell_layout layout = {.label = label};

    for (size_t x = 0; x < axis->bands; x++)
        room -= room > 0 && is_gap(axis, x);
    layout.cell = greater(room / axis->bands, 1);
    if (layout.cell > CELL_COLUMNS_MAX)
        layout.cell = CELL_COLUMNS_MAX;
    size_t bins = axis->last - axis->first;
    size_t flows = (axis->bands - bins) * layout.cell;
    layout.bins = greater(bins, room > flows ? room - flows : 0);
    return layout;
}

/* Returns the column where the bins start. */
static size_t
bins_start(const struct band_axis *axis, const struct cell_layout *layout)
{
    return layout->label + 1 + axis->first * layout->cell + (axis->first > 0);
}

/* The text of a number, and the column where the text starts. */
struct placed_tick {
    size_t at;
    const char *text;
};

/* Place as many of the COUNT ticks as fit.  Returns their number. */
static size_t
place_ticks(const struct band_axis *axis, const struct cell_layout *layout,
            const struct tick *tick, size_t count, struct placed_tick *placed)
{
    double width = (double)layout->bins / (double)(axis->last - axis->first);
    size_t start = bins_start(axis, layout);
    size_t column = start;
    size_t used = 0;

    for (size_t i = 0; i < count; i++) {
        size_t at =
            start + (size_t)((tick[i].value - (double)axis->first) * width);
        size_t length = strlen(tick[i].text);
        if (at < column + (used > 0) || at + length > start + layout->bins)
            continue;
        placed[used++] = (struct placed_tick){at, tick[i].text};
        column = at + length;
    }
    return used;
}

/* Place the two ends of AXIS, and write their texts to LOW and HIGH.  The lower
   end may start below the labels.  Returns false, with PLACED unchanged, if the
   texts do not fit or are equal. */
static bool
place_ends(const struct band_axis *axis, const struct cell_layout *layout,
           char low[NUMBER_TEXT_BYTES], char high[NUMBER_TEXT_BYTES],
           struct placed_tick *placed)
{
    size_t start = bins_start(axis, layout);
    size_t first = axis->first > 0 ? start : 0;

    for (int digits = 6; digits > 0; digits--) {
        band_end_text(axis, false, digits, low);
        band_end_text(axis, true, digits, high);
        size_t both = strlen(low) + 1 + strlen(high);
        size_t end = start + layout->bins;
        if (strcmp(low, high) == 0 || first + both > end)
            continue;
        placed[0].at = both <= layout->bins ? start : end - both;
        placed[0].text = low;
        placed[1] = (struct placed_tick){end - strlen(high), high};
        return true;
    }
    return false;
}

/* Print the initials of the flow cells from band FIRST to LAST. */
static void
put_initials(const struct canvas *canvas, const struct cell_layout *layout,
             size_t first, size_t last)
{
    for (size_t i = first; i < last; i++)
        fprintf(canvas->out, "%-*c", (int)layout->cell,
                canvas->scene.axis[0].band[i].word[0]);
}

/* Print round numbers below their columns, and the initials of flow cells. */
static void
put_ticks(const struct canvas *canvas, const struct cell_layout *layout)
{
    const struct band_axis *axis = &canvas->scene.axis[0];
    struct tick tick[SCALE_TICKS_MAX];
    struct placed_tick placed[SCALE_TICKS_MAX];
    char low[NUMBER_TEXT_BYTES];
    char high[NUMBER_TEXT_BYTES];
    size_t count = ticks_find(axis, layout->bins / TICK_COLUMNS + 2, tick);
    size_t column = 0;

    count = place_ticks(axis, layout, tick, count, placed);
    if (count < 2 && place_ends(axis, layout, low, high, placed))
        count = 2;
    if (axis->first > 0) {
        put_spaces(canvas, layout->label + 1);
        put_initials(canvas, layout, 0, axis->first);
        column = bins_start(axis, layout) - 1;
    }
    for (size_t i = 0; i < count; i++) {
        put_spaces(canvas, placed[i].at - column);
        fputs(placed[i].text, canvas->out);
        column = placed[i].at + strlen(placed[i].text);
    }
    if (axis->last < axis->bands)
        put_spaces(canvas,
                   bins_start(axis, layout) + layout->bins + 1 - column);
    put_initials(canvas, layout, axis->last, axis->bands);
    putc('\n', canvas->out);
}

/* ---- heat maps ---- */

/* Returns the most columns of a label. */
static size_t
map_label_most(size_t columns)
{
    size_t most = columns / 2 < LABEL_COLUMNS ? columns / 2 : LABEL_COLUMNS;

    return greater(columns / LABEL_PART, most);
}

/* The shades of a row, from left to right. */
struct shading {
    const struct canvas *canvas;
    long last; /* the shade of the column before; negative: below 0 */
};

/* Print COLUMNS columns in SHADE; 0: none. */
static void
put_shade(struct shading *shading, long shade, size_t columns)
{
    const struct terminal *terminal = shading->canvas->terminal;
    FILE *out = shading->canvas->out;
    struct palette_shade look = {.text = " "};

    if (columns == 0)
        return;
    if (shade != 0)
        look = palette_shade_of(terminal, (size_t)labs(shade), shade < 0);
    if (shade != shading->last && terminal->colours != TERMINAL_COLOURS_NONE)
        fputs(shade == 0 ? palette_end : look.start, out);
    shading->last = shade;
    for (; columns > 0; columns--)
        fputs(look.text, out);
}

/* End the colours of a row. */
static void
end_shades(struct shading *shading)
{
    if (shading->last != 0 &&
        shading->canvas->terminal->colours != TERMINAL_COLOURS_NONE)
        fputs(palette_end, shading->canvas->out);
    shading->last = 0;
}

/* Returns the shade of AMOUNT. */
static long
shade_of(const struct canvas *canvas, double amount)
{
    long shade = (long)scale_shade(&canvas->scene.scale, amount,
                                   palette_shades(canvas->terminal));

    return amount < 0 ? -shade : shade;
}

/* Returns the column of the bins where band X starts. */
static size_t
column_of(const struct band_axis *axis, const struct cell_layout *layout,
          size_t x)
{
    return (x - axis->first) * layout->bins / (axis->last - axis->first);
}

static void
put_map_row(const struct canvas *canvas, size_t y,
            const struct cell_layout *layout, const struct band_labels *labels)
{
    const struct scene *scene = &canvas->scene;
    const struct band_axis *axis = &scene->axis[0];
    char text[BAND_TEXT_BYTES];
    struct shading shading = {canvas, 0};

    band_labels_text(labels, &scene->axis[1], &scene->axis[1].band[y], text);
    fprintf(canvas->out, "%*s ", (int)layout->label, text);
    for (size_t x = 0; x < axis->bands; x++) {
        size_t columns =
            axis->band[x].is_flow
                ? layout->cell
                : column_of(axis, layout, x + 1) - column_of(axis, layout, x);
        double amount = scene_amount(scene, (uint64_t)y * axis->bands + x);
        if (is_gap(axis, x))
            put_shade(&shading, 0, 1);
        put_shade(&shading, shade_of(canvas, amount), columns);
    }
    end_shades(&shading);
    putc('\n', canvas->out);
}

/* Print shades in COLUMNS columns: from the least to the most, or if SIGN is
   below 0 to the least. */
static void
put_legend_shades(const struct canvas *canvas, size_t columns, long sign)
{
    size_t shades = palette_shades(canvas->terminal);
    struct shading shading = {canvas, 0};

    for (size_t i = 1; i <= columns; i++) {
        size_t place = sign < 0 ? columns + 1 - i : i;
        put_shade(&shading, sign * (long)(place * shades / columns), 1);
    }
    end_shades(&shading);
}

/* Write the greatest magnitude of a cell. */
static void
write_magnitude(const struct scene *scene, char text[SUM_TEXT_BYTES])
{
    uint64_t most = 0;

    for (uint64_t cell = 0; cell < scene->amounts.cells; cell++) {
        if (fabs(scene_amount(scene, cell)) == scene->scale.most)
            most = cell;
    }
    scene_amount_text(scene, most, text);
    if (text[0] == '-')
        memmove(text, text + 1, strlen(text));
}

/* Write the initials of flow cells, and their words. */
static void
write_flow_words(const struct band_axis *axis, char text[LEGEND_BYTES])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < axis->bands; i++) {
        const struct band *band = &axis->band[i];
        if (band->is_flow)
            used += (size_t)snprintf(text + used, LEGEND_BYTES - used,
                                     ", %c: %s", band->word[0], band->word);
    }
}

/* Print the shades, from the least to the most, and explain the initials.
   Without room there are fewer shades, then no words. */
static void
put_map_legend(const struct canvas *canvas, const struct cell_layout *layout)
{
    const struct scene *scene = &canvas->scene;
    size_t sides = scene->has_negative ? 2 : 1;
    size_t columns = palette_shades(canvas->terminal);
    size_t indent = layout->label + 1;
    char words[LEGEND_BYTES];
    char most[SUM_TEXT_BYTES];
    char name[SCENE_NAME_BYTES];

    write_magnitude(scene, most);
    write_flow_words(&scene->axis[0], words);
    scene_amounts_name(scene, name);
    size_t used = strlen(name) + sizeof ": 0  " - 1 + sides * strlen(most) +
                  (sides - 1) * (sizeof "-  " - 1);
    size_t least = used + sides * LEGEND_SHADES_MIN;
    if (indent + least + strlen(words) > canvas->columns)
        indent = 0;
    if (least + strlen(words) > canvas->columns)
        words[0] = '\0';
    size_t room = without(canvas->columns, indent + used + strlen(words));
    if (columns > room / sides)
        columns = greater(room / sides, 1);

    put_spaces(canvas, indent);
    fprintf(canvas->out, "%s: ", name);
    if (scene->has_negative) {
        fprintf(canvas->out, "-%s ", most);
        put_legend_shades(canvas, columns, -1);
        putc(' ', canvas->out);
    }
    fputs("0 ", canvas->out);
    put_legend_shades(canvas, columns, 1);
    fprintf(canvas->out, " %s%s\n", most, words);
}

static void
put_map(const struct canvas *canvas)
{
    const struct band_axis *axis = &canvas->scene.axis[1];
    struct band_labels labels =
        band_labels_choose(axis, map_label_most(canvas->columns));
    size_t used = labels.columns + 1;
    struct cell_layout layout =
        place_cells(&canvas->scene.axis[0], labels.columns,
                    canvas->columns > used ? canvas->columns - used : 0);

    put_title(canvas);
    for (size_t y = axis->bands; y-- > 0;)
        put_map_row(canvas, y, &layout, &labels);
    put_ticks(canvas, &layout);
    put_map_legend(canvas, &layout);
}

/* ---- rows of groups ---- */

/* Print COLUMNS columns for the amount in CELL; LAST is the colour before. */
static void
put_height(const struct canvas *canvas, uint64_t cell, size_t columns,
           char last[PALETTE_BYTES])
{
    const struct scene *scene = &canvas->scene;
    bool is_utf8 = canvas->terminal->is_utf8;
    double amount = scene_amount(scene, cell);
    const struct ramp *ramp =
        amount < 0 ? &negative_height_ramp[is_utf8] : &height_ramp[is_utf8];
    size_t height =
        scale_shade(scene_scale_of(scene, cell), amount, ramp->count);
    char colour[PALETTE_BYTES];

    palette_tone(canvas->terminal, scene_tone(scene, cell), colour);
    if (height > 0 && strcmp(colour, last) != 0) {
        fputs(colour, canvas->out);
        strcpy(last, colour);
    }
    for (; columns > 0; columns--)
        fputs(height > 0 ? ramp->text[height - 1] : " ", canvas->out);
}

/* Print row Y: the name, the bars in cells of WIDTH columns, the total. */
static void
put_group(const struct canvas *canvas, size_t y,
          const struct line_layout *lines, size_t width)
{
    const struct band_axis *axis = &canvas->scene.axis[0];
    char name[NAME_BYTES];
    char text[SUM_TEXT_BYTES];
    size_t columns = write_name(canvas, y, lines->name_most, name);
    char last[PALETTE_BYTES] = "";

    fputs(name, canvas->out);
    put_spaces(canvas, lines->label + 1 - columns);
    for (size_t x = 0; x < axis->bands; x++) {
        put_spaces(canvas, is_gap(axis, x));
        put_height(canvas, (uint64_t)y * axis->bands + x, width, last);
    }
    if (last[0] != '\0')
        fputs(palette_end, canvas->out);
    if (lines->amount > 0) {
        scene_row_text(&canvas->scene, y, text);
        fprintf(canvas->out, " %*s", (int)lines->amount, text);
    }
    putc('\n', canvas->out);
}

/* Append the steps of RAMP and WHAT to TEXT.  Returns the columns of both. */
static size_t
append_ramp(char text[LEGEND_BYTES], const struct ramp *ramp, const char *what)
{
    for (size_t i = 0; i < ramp->count; i++)
        strcat(text, ramp->text[i]);
    strcat(text, what);
    return ramp->count + strlen(what);
}

/* Print TEXT of COLUMNS columns after *USED columns, or on the next line; or
   nothing, if the canvas is too narrow. */
static void
put_item(const struct canvas *canvas, const char *text, size_t columns,
         size_t *used)
{
    if (columns > canvas->columns)
        return;
    if (*used > 0 && *used + 2 + columns + 1 > canvas->columns) {
        fputs(",\n", canvas->out);
        *used = 0;
    }
    fprintf(canvas->out, "%s%s", *used > 0 ? ", " : "", text);
    *used += columns + (*used > 0 ? 2 : 0);
}

/* Explain the heights of bars, and the initials of flow cells. */
static void
put_group_legend(const struct canvas *canvas)
{
    const struct band_axis *axis = &canvas->scene.axis[0];
    bool is_utf8 = canvas->terminal->is_utf8;
    char text[LEGEND_BYTES];
    char name[SCENE_NAME_BYTES];
    size_t used = 0;

    scene_amounts_name(&canvas->scene, name);
    size_t columns = (size_t)snprintf(text, sizeof text, "%s: 0 ", name);
    columns += append_ramp(text, &height_ramp[is_utf8], " most in the row");
    put_item(canvas, text, columns, &used);
    if (canvas->scene.has_negative) {
        text[0] = '\0';
        columns = append_ramp(text, &negative_height_ramp[is_utf8], " below 0");
        put_item(canvas, text, columns, &used);
    }
    for (size_t x = 0; x < axis->bands; x++) {
        if (!axis->band[x].is_flow)
            continue;
        columns = (size_t)snprintf(text, sizeof text, "%c: %s",
                                   axis->band[x].word[0], axis->band[x].word);
        put_item(canvas, text, columns, &used);
    }
    if (used > 0)
        putc('\n', canvas->out);
}

/* Cut the numbers of the groups to the room beside the names, and print the
   rows.  Returns 0, or -1: out of memory. */
static int
put_groups(struct canvas *canvas)
{
    struct scene *scene = &canvas->scene;
    struct line_layout lines =
        place_lines(canvas, &scene->axis[1], NAME_PART_GROUP);

    if (group_rows_cut(scene, without(lines.bar, GAPS)) < 0)
        return -1;
    put_title(canvas);
    struct cell_layout layout =
        place_cells(&scene->axis[0], lines.label, lines.bar);
    /* Bars of equal width, as the cells of flows. */
    layout.bins = (scene->axis[0].last - scene->axis[0].first) * layout.cell;
    for (size_t y = 0; y < scene->axis[1].bands; y++)
        put_group(canvas, y, &lines, layout.cell);
    if (scene->axis[1].bands > 0) {
        put_ticks(canvas, &layout);
        put_group_legend(canvas);
    }
    return 0;
}

/* ---- pairs of keys ---- */

/* The columns of the bars in rows of pairs. */
struct pair_layout {
    size_t width; /* of an amount, a bar and the gap behind */
    size_t amount;
    size_t bar;
};

/* Place the bars in ROOM columns. */
static struct pair_layout
place_pairs(const struct scene *scene, size_t room)
{
    struct pair_layout layout = {.width = room / scene->axis[0].bands};
    char text[SUM_TEXT_BYTES];

    for (uint64_t cell = 0; cell < scene->amounts.cells; cell++) {
        scene_amount_text(scene, cell, text);
        layout.amount = greater(layout.amount, strlen(text));
    }
    if (layout.amount + 1 + PAIR_BAR_MIN + GAPS > layout.width)
        layout.amount = 0;
    size_t used = layout.amount + (layout.amount > 0) + GAPS;
    layout.bar = without(layout.width, used);
    return layout;
}

/* Print the names of the bars, after LABEL columns. */
static void
put_pair_names(const struct canvas *canvas, const struct pair_layout *layout,
               size_t label)
{
    const struct scene *scene = &canvas->scene;
    char name[NAME_BYTES];

    put_spaces(canvas, label);
    for (size_t x = 0; x < scene->axis[0].bands; x++) {
        size_t columns = bar_name_write_column(
            scene, x, name_kind(canvas), without(layout->width, GAPS), name);
        fputs(name, canvas->out);
        if (x + 1 < scene->axis[0].bands)
            put_spaces(canvas, layout->width - columns);
    }
    putc('\n', canvas->out);
}

/* Print the bars of row Y, each with its amount before. */
static void
put_pair_row(const struct canvas *canvas, const struct pair_layout *layout,
             size_t y)
{
    const struct scene *scene = &canvas->scene;
    size_t bands = scene->axis[0].bands;
    size_t left = 0; /* spaces to print before the next bar */
    char text[SUM_TEXT_BYTES];

    for (size_t x = 0; x < bands; x++) {
        uint64_t cell = (uint64_t)y * bands + x;
        left += layout->width;
        if (scene_amount(scene, cell) == 0)
            continue;
        put_spaces(canvas, left - layout->width);
        left = layout->width;
        if (layout->amount > 0) {
            scene_amount_text(scene, cell, text);
            fprintf(canvas->out, "%*s ", (int)layout->amount, text);
            left -= layout->amount + 1;
        }
        left -= put_bar(canvas, cell, layout->bar);
    }
    putc('\n', canvas->out);
}

static void
put_pairs(const struct canvas *canvas)
{
    const struct scene *scene = &canvas->scene;
    size_t most =
        greater(canvas->columns / NAME_PART_GROUP, BAR_NAME_COLUMNS_MIN);
    char name[NAME_BYTES];
    size_t label = 0;

    if (most > BAR_NAME_COLUMNS_MAX)
        most = BAR_NAME_COLUMNS_MAX;
    for (size_t y = 0; y < scene->axis[1].bands; y++)
        label = greater(label, write_name(canvas, y, most, name));
    const struct pair_layout layout =
        place_pairs(scene, without(canvas->columns + GAPS, ++label));
    put_title(canvas);
    put_pair_names(canvas, &layout, label);
    for (size_t y = 0; y < scene->axis[1].bands; y++) {
        size_t columns = write_name(canvas, y, most, name);
        fputs(name, canvas->out);
        put_spaces(canvas, label - columns);
        put_pair_row(canvas, &layout, y);
    }
}

/* ---- all histograms ---- */

/* Set MOST to the bands of each axis that fit into a picture of KIND. */
static void
set_most(const struct canvas *canvas, enum scene_kind kind,
         size_t most[SCENE_AXES_MAX])
{
    most[0] = canvas->rows;
    most[1] = 0;
    if (kind == SCENE_MAP) {
        /* The label, a space and two gaps. */
        most[0] = without(canvas->columns,
                          map_label_most(canvas->columns) + 1 + GAPS);
        most[1] = without(canvas->rows, LINES_BELOW_MAP);
    } else if (kind == SCENE_KEYS) {
        most[1] = canvas->columns / PAIR_COLUMNS;
    } else if (kind == SCENE_GROUPS) {
        most[0] = 0;
        most[1] = without(canvas->rows, LINES_BELOW_GROUPS);
    }
}

/* Draw the scene.  Returns 0, or -1: out of memory. */
static int
put_scene(struct canvas *canvas)
{
    switch (canvas->scene.kind) {
    case SCENE_GROUPS:
        return put_groups(canvas);
    case SCENE_MAP:
        put_map(canvas);
        return 0;
    case SCENE_PAIRS:
        put_pairs(canvas);
        return 0;
    default:
        put_lines(canvas);
        return 0;
    }
}

int
canvas_print(FILE *out, const struct scene_subject *subject,
             const struct terminal *terminal, bool nonzero)
{
    struct canvas canvas = {
        .out = out,
        .terminal = terminal,
        .columns = without(terminal->columns, 1),
        .rows = without(terminal->rows, LINES_AROUND),
        .nonzero = nonzero,
    };
    size_t histograms = spec_histograms(subject->spec);
    int result = 0;

    for (size_t i = 0; i < histograms && result == 0; i++) {
        size_t most[SCENE_AXES_MAX];
        set_most(&canvas, scene_kind_of(subject->spec, i), most);
        result = scene_make(&canvas.scene, subject, i, most, false);
        if (result == 0)
            result = put_scene(&canvas);
        scene_close(&canvas.scene);
    }
    return result;
}
