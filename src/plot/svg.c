/* SPDX-License-Identifier: MIT */
/*
 * svg.c -- pictures of histograms as SVG
 *
 * All scenes are made before the first scene is drawn, because the document
 * starts with the total height.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plot/bar_name.h"
#include "plot/scene_make.h"
#include "plot/svg.h"
#include "plot/svg_axis.h"
#include "plot/svg_style.h"
#include "plot/svg_text.h"

/* All lengths are in CSS pixels, 96 to an inch. */
#define PAGE_WIDTH 800
#define TITLE_HEIGHT 34

/* Margins around the area of the bars or cells.  The area has AREA_WIDTH,
   except for bars of keys and heat maps. */
#define MARGIN_LEFT 84
#define MARGIN_TOP 36
#define MARGIN_BOTTOM 68
#define AREA_WIDTH 692

#define BARS_HEIGHT 260

/* The space of a flow cell, and the width of the bar inside. */
#define FLOW_LENGTH 50
#define FLOW_BAR 24

/* Bars of this width or more have gaps between them. */
#define GAP_FROM 4.0

/* A heat map is square, with a scale to the right. */
#define MAP_LENGTH 512
#define MAP_SCALE_AT (MAP_LENGTH + 28)
#define MAP_SCALE_WIDTH 18

/* The most bars of times, so that each can be told apart. */
#define TIMES_MOST (AREA_WIDTH / 4)

/* Bars of keys: the most, unless --top asks for more; a row and the bar inside;
   the axis below the rows. */
#define KEYS_MOST 40
#define KEY_HEIGHT 18
#define KEY_BAR_HEIGHT 13
#define KEY_AXIS_HEIGHT 52
#define KEY_MARGIN 14

/* Pairs of keys: a bar; the gap between groups; the legend of the keys, with
   wider characters, which a narrow picture enlarges. */
#define PAIR_HEIGHT 11
#define PAIR_GAP 10
#define PAIR_NAME_COLUMNS 24
#define PAIR_LEGEND_WIDTH 36
#define PAIR_LEGEND_HEIGHT 18
#define PAIR_COLUMN_WIDTH 8.6

/* The width of all characters in the font of names. */
#define COLUMN_WIDTH 7.3
#define KEY_COLUMNS 40
#define TITLE_COLUMNS 200
#define NAME_BYTES BAR_NAME_BYTES(TITLE_COLUMNS)

/* Panels of groups: the most panels, the panels in a line, and the gaps between
   panels, where amounts stand. */
#define PANELS_MOST 24
#define PANEL_COLUMNS 3
#define PANEL_GAP 46

/* A panel, the text above, the distance of two panels; the axis below the last
   row of panels, and the legend. */
#define PANEL_HEIGHT 72
#define PANEL_NAME_HEIGHT 22
#define PANEL_PITCH 116
#define PANEL_AXIS_HEIGHT 44

/* Flow cells of a panel, and bands that can be told apart. */
#define PANEL_FLOW_LENGTH 14
#define PANEL_FLOW_BAR 8
#define PANEL_BANDS 100

static const char *const tone_colour[] = {
    [SCENE_PLAIN] = SVG_BAR,
    [SCENE_FLOW] = SVG_FLOW,
    [SCENE_NEGATIVE] = SVG_NEGATIVE,
};

/* ---- bars of bins ---- */

static void
put_title(FILE *out, const struct scene *scene, double x, double y)
{
    char title[SCENE_TITLE_BYTES];

    scene_title(scene, title);
    svg_text_put_label(out, x, y, " font-size=\"13\" fill=\"" SVG_MUTED "\"",
                       title);
}

/* Start a picture; its bars or cells are below and to the right of 0, 0. */
static void
start_picture(FILE *out, const struct scene *scene, double top)
{
    fprintf(out, "<g transform=\"translate(%d,%.6g)\">\n", MARGIN_LEFT,
            top + MARGIN_TOP);
    put_title(out, scene, 0, -14);
}

/* Draw the amounts, upwards to the most at 0, and lines. */
static void
put_amounts(FILE *out, const struct scene *scene)
{
    const struct svg_amounts amounts =
        svg_amounts_of(&scene->scale, BARS_HEIGHT, 8);
    char name[SCENE_NAME_BYTES];

    svg_amounts_put_lines(out, &amounts, AREA_WIDTH);
    fprintf(out,
            "<path d=\"M0 0v%d\" stroke=\"" SVG_TEXT
            "\"/>\n<g text-anchor=\"end\">\n",
            BARS_HEIGHT);
    svg_amounts_put_labels(out, &amounts, -8, 4);
    fputs("</g>\n", out);
    scene_amounts_name(scene, name);
    svg_axis_put_upwards(out, BARS_HEIGHT / 2, name);
}

/* A bar along a line of amounts: its start, and its length. */
struct stretch {
    double from;
    double length; /* 0: no bar */
};

/* Returns the bar of the amount in CELL along LENGTH pixels, from the least
   amount on. */
static struct stretch
stretch_of(const struct scene *scene, uint64_t cell, double length)
{
    const struct scale *scale = scene_scale_of(scene, cell);
    double amount = scene_amount(scene, cell);
    double zero = length * scale_place(scale, 0);
    double end = length * scale_place(scale, amount);

    if (amount == 0 || isnan(amount))
        return (struct stretch){zero, 0};
    /* Every amount except 0 is visible. */
    if (amount < 0)
        return (struct stretch){fmin(end, zero - 1), fmax(zero - end, 1)};
    return (struct stretch){zero, fmax(end - zero, 1)};
}

/* Draw the bar of the amount in CELL in an area of HEIGHT, with gaps of at most
   GAP_MOST beside it. */
static void
put_bar(FILE *out, const struct scene *scene, uint64_t cell,
        const struct svg_side *side, double height, double gap_most)
{
    size_t x = (size_t)(cell % side->axis->bands);
    const struct band *band = &side->axis->band[x];
    const struct stretch bar = stretch_of(scene, cell, height);
    enum scene_tone tone = scene_tone(scene, cell);
    double from;
    double to;
    char text[SUM_TEXT_BYTES];

    if (bar.length == 0)
        return;
    svg_side_band(side, x, &from, &to);
    double gap = to - from >= GAP_FROM && !band->is_flow
                     ? fmin((to - from) / 8, gap_most)
                     : 0;
    fprintf(out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"",
            from + gap, height - bar.from - bar.length, to - from - 2 * gap,
            bar.length);
    if (tone != SCENE_PLAIN)
        fprintf(out, " fill=\"%s\"", tone_colour[tone]);
    fputs("><title>", out);
    svg_text_put(out, band->text[0] != '\0' ? band->text : band->word);
    if (scene->kind == SCENE_BARS && band->glyphs[0] != '\0') {
        putc(' ', out);
        svg_text_put(out, band->glyphs);
    }
    scene_amount_text(scene, cell, text);
    fprintf(out, ": %s</title></rect>\n", text);
}

/* Draw the bars of the amounts from cell FIRST on, one for each band. */
static void
put_all_bars(FILE *out, const struct scene *scene, uint64_t first,
             const struct svg_side *side, double height, double gap_most)
{
    fputs("<g fill=\"" SVG_BAR "\" shape-rendering=\"crispEdges\">\n", out);
    for (size_t x = 0; x < side->axis->bands; x++)
        put_bar(out, scene, first + x, side, height, gap_most);
    fputs("</g>\n", out);
}

static void
put_bars(FILE *out, const struct scene *scene, double top)
{
    const struct svg_side side =
        svg_side_of(&scene->axis[0], AREA_WIDTH, FLOW_LENGTH, FLOW_BAR);

    start_picture(out, scene, top);
    put_amounts(out, scene);
    put_all_bars(out, scene, 0, &side, BARS_HEIGHT, 2);
    if (scene->is_time)
        svg_axis_put_texts(out, &side, BARS_HEIGHT, &svg_axis_page);
    else
        svg_axis_put_horizontal(out, &side, BARS_HEIGHT, &svg_axis_page, true);
    if (scene->has_negative)
        svg_text_put_label(out, AREA_WIDTH, -14,
                           " text-anchor=\"end\" fill=\"" SVG_NEGATIVE "\"",
                           "red: below 0");
    fputs("</g>\n", out);
}

/* ---- heat maps ---- */

/*
 * Print the cells of row Y with SHADE.  ROW has the shades of the row.
 * Adjacent cells become one rectangle.  Absolute coordinates avoid gaps from
 * rounding.
 */
static void
put_cells(FILE *out, const struct svg_side *across, const struct svg_side *up,
          size_t y, const signed char *row, int shade)
{
    const struct band_axis *axis = across->axis;
    double bottom;
    double top;

    svg_side_band(up, y, &bottom, &top);
    for (size_t x = 0; x < axis->bands; x++) {
        double from;
        double to;
        double next;

        if (row[x] != shade)
            continue;
        svg_side_band(across, x, &from, &to);
        while (!axis->band[x].is_flow && x + 1 < axis->last &&
               row[x + 1] == shade)
            svg_side_band(across, ++x, &next, &to);
        fprintf(out, "M%.6g %.6gH%.6gV%.6gH%.6gz", from, MAP_LENGTH - bottom,
                to, MAP_LENGTH - top, from);
    }
}

/* Print all cells, one path for each shade.  Returns 0, or -1: no memory. */
static int
put_all_cells(FILE *out, const struct scene *scene,
              const struct svg_side *across, const struct svg_side *up)
{
    size_t bands = scene->axis[0].bands;
    size_t cells = (size_t)scene->amounts.cells;
    signed char *shades = malloc(cells);
    char colour[SVG_COLOUR_BYTES];

    if (shades == NULL)
        return -1;
    for (size_t cell = 0; cell < cells; cell++) {
        double amount = scene_amount(scene, cell);
        int shade = (int)scale_shade(&scene->scale, amount, SVG_SHADES);
        shades[cell] = (signed char)(amount < 0 ? -shade : shade);
    }
    for (int shade = -SVG_SHADES; shade <= SVG_SHADES; shade++) {
        if (shade == 0 || memchr(shades, (unsigned char)shade, cells) == NULL)
            continue;
        svg_style_shade(shade, colour);
        fprintf(out, "<path fill=\"%s\" d=\"", colour);
        for (size_t y = 0; y < scene->axis[1].bands; y++)
            put_cells(out, across, up, y, shades + y * bands, shade);
        fputs("\"/>\n", out);
    }
    free(shades);
    return 0;
}

/* Print the shades of the amounts from the least to the most. */
static void
put_shades(FILE *out, const struct scene *scene)
{
    const struct svg_amounts amounts =
        svg_amounts_of(&scene->scale, MAP_LENGTH, 10);
    double zero = svg_amounts_at(&amounts, 0);
    double step =
        (zero - svg_amounts_at(&amounts, scene->scale.most)) / SVG_SHADES;
    char name[SCENE_NAME_BYTES];
    char colour[SVG_COLOUR_BYTES];

    fprintf(out,
            "<g transform=\"translate(%d,0)\" "
            "shape-rendering=\"crispEdges\">\n",
            MAP_SCALE_AT);
    for (int shade = -SVG_SHADES; shade <= SVG_SHADES; shade++) {
        double top = zero - step * (shade < 0 ? shade + 1 : shade);
        if (shade == 0 || top < -step / 2 || top + step > MAP_LENGTH + step / 2)
            continue;
        svg_style_shade(shade, colour);
        fprintf(out,
                "<rect y=\"%.6g\" width=\"%d\" height=\"%.6g\" "
                "fill=\"%s\"/>\n",
                top, MAP_SCALE_WIDTH, step, colour);
    }
    svg_amounts_put_labels(out, &amounts, MAP_SCALE_WIDTH + 6, 4);
    scene_amounts_name(scene, name);
    svg_text_put_label(out, 0, -10, "", name);
    fputs("</g>\n", out);
}

/* Draw a heat map.  Returns 0, or -1: out of memory. */
static int
put_map(FILE *out, const struct scene *scene, double top)
{
    const struct svg_side across =
        svg_side_of(&scene->axis[0], MAP_LENGTH, FLOW_LENGTH, FLOW_BAR);
    const struct svg_side up =
        svg_side_of(&scene->axis[1], MAP_LENGTH, FLOW_BAR + 4, FLOW_BAR);

    start_picture(out, scene, top);
    fputs("<g shape-rendering=\"crispEdges\">\n", out);
    int result = put_all_cells(out, scene, &across, &up);
    fprintf(out,
            "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" "
            "fill=\"none\" stroke=\"" SVG_FRAME "\"/>\n</g>\n",
            across.start, MAP_LENGTH - up.start - up.length, across.length,
            up.length);
    svg_axis_put_horizontal(out, &across, MAP_LENGTH, &svg_axis_page, true);
    svg_axis_put_vertical(out, &up, MAP_LENGTH);
    put_shades(out, scene);
    fputs("</g>\n", out);
    return result;
}

/* ---- bars of keys, to the right ---- */

/* The start of the bars, and the greatest length of a bar. */
struct key_area {
    double left;
    double width;
};

/* Write up to MOST columns of the name of bar or row I.  Returns the
   columns. */
static size_t
write_name(const struct scene *scene, size_t i, size_t most,
           char text[NAME_BYTES])
{
    return bar_name_write(scene, i, BAR_NAME_DOCUMENT, most, text);
}

/* Place the bars of the rows of AXIS, beside their names. */
static struct key_area
place_keys(const struct scene *scene, const struct band_axis *axis)
{
    size_t name = 0;
    size_t amount = 0;

    for (size_t i = 0; i < axis->bands; i++) {
        char text[NAME_BYTES];
        size_t columns = write_name(scene, i, KEY_COLUMNS, text);
        name = columns > name ? columns : name;
        scene_row_text(scene, i, text);
        amount = strlen(text) > amount ? strlen(text) : amount;
    }
    double left =
        fmax(2 * KEY_MARGIN + COLUMN_WIDTH * (double)name, MARGIN_LEFT);
    return (struct key_area){left, PAGE_WIDTH - left - 2 * KEY_MARGIN -
                                       COLUMN_WIDTH * (double)amount};
}

static void
put_key(FILE *out, const struct scene *scene, size_t i,
        const struct key_area *area)
{
    const struct stretch bar = stretch_of(scene, i, area->width);
    double y = (double)i * KEY_HEIGHT;
    char name[NAME_BYTES];
    char text[SUM_TEXT_BYTES];

    write_name(scene, i, KEY_COLUMNS, name);
    svg_text_put_label(out, -8, y + KEY_BAR_HEIGHT,
                       scene->axis[0].band[i].is_flow
                           ? " text-anchor=\"end\" fill=\"" SVG_WORD "\""
                           : " text-anchor=\"end\"",
                       name);
    fprintf(out,
            "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%d\" "
            "fill=\"%s\">",
            bar.from, y + (KEY_HEIGHT - KEY_BAR_HEIGHT) / 2.0, bar.length,
            KEY_BAR_HEIGHT, tone_colour[scene_tone(scene, i)]);
    write_name(scene, i, TITLE_COLUMNS, name);
    fputs("<title>", out);
    svg_text_put(out, name);
    scene_row_text(scene, i, text);
    fprintf(out, ": %s</title></rect>\n", text);
    svg_text_put_label(out, bar.from + bar.length + 6, y + KEY_BAR_HEIGHT,
                       " fill=\"" SVG_MUTED "\"", text);
}

/* Draw the amounts below HEIGHT, and lines up to the first bar. */
static void
put_key_amounts(FILE *out, const struct scene *scene, double height,
                double width)
{
    const struct scale *scale = &scene->scale;
    struct tick tick[SCALE_PLACES_MAX];
    size_t count = scale_places(scale, 7, tick);
    char name[SCENE_NAME_BYTES];

    fputs("<path d=\"", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M%.6g 0v%.6g", width * scale_place(scale, tick[i].value),
                height);
    fprintf(out,
            "\" stroke=\"" SVG_GRID "\" fill=\"none\"/>\n<path d=\"M%.6g "
            "0v%.6g\" stroke=\"" SVG_TEXT "\"/>\n<g text-anchor=\"middle\">\n",
            width * scale_place(scale, 0), height);
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(out, width * scale_place(scale, tick[i].value),
                           height + 16, "", tick[i].text);
    scene_amounts_name(scene, name);
    svg_text_put_label(out, width / 2, height + 34, "", name);
    fputs("</g>\n", out);
}

static void
put_keys(FILE *out, const struct scene *scene, double top)
{
    const struct key_area area = place_keys(scene, &scene->axis[0]);
    double height = (double)scene->axis[0].bands * KEY_HEIGHT;

    put_title(out, scene, MARGIN_LEFT, top + MARGIN_TOP - 14);
    fprintf(out, "<g transform=\"translate(%.6g,%.6g)\">\n", area.left,
            top + MARGIN_TOP);
    put_key_amounts(out, scene, height, area.width);
    fputs("<g font-family=\"monospace\" xml:space=\"preserve\">\n", out);
    for (size_t i = 0; i < scene->axis[0].bands; i++)
        put_key(out, scene, i, &area);
    fputs("</g>\n</g>\n", out);
}

/* ---- pairs of keys ---- */

static const char *
kind_colour(const struct scene *scene, size_t x)
{
    return scene->axis[0].band[x].is_flow ? SVG_FLOW : svg_style_kind[x];
}

/* Returns the height of the bars of a group. */
static double
pair_pitch(const struct scene *scene)
{
    return (double)scene->axis[0].bands * PAIR_HEIGHT + PAIR_GAP;
}

/*
 * Print the colours of the keys and their names, or only find out how much room
 * they take, if OUT is NULL.  Returns the height.
 */
static double
put_pair_legend(FILE *out, const struct scene *scene)
{
    double x = 0;
    double y = 0;

    for (size_t i = 0; i < scene->axis[0].bands; i++) {
        char name[NAME_BYTES];
        size_t columns = bar_name_write_column(scene, i, BAR_NAME_DOCUMENT,
                                               PAIR_NAME_COLUMNS, name);
        double width = PAIR_LEGEND_WIDTH + PAIR_COLUMN_WIDTH * (double)columns;
        if (x > 0 && x + width > AREA_WIDTH) {
            x = 0;
            y += PAIR_LEGEND_HEIGHT;
        }
        if (out != NULL) {
            fprintf(out,
                    "<rect x=\"%.6g\" y=\"%.6g\" width=\"12\" height=\"12\" "
                    "fill=\"%s\"/>\n",
                    x, y, kind_colour(scene, i));
            svg_text_put_label(out, x + 17, y + 11, "", name);
        }
        x += width;
    }
    return y + PAIR_LEGEND_HEIGHT;
}

/* Draw the bar for key X of group Y at TOP. */
static void
put_pair(FILE *out, const struct scene *scene, size_t x, size_t y, double top,
         double width)
{
    uint64_t cell = (uint64_t)y * scene->axis[0].bands + x;
    const struct stretch bar = stretch_of(scene, cell, width);
    char name[NAME_BYTES];
    char text[SUM_TEXT_BYTES];

    if (bar.length == 0)
        return;
    fprintf(out,
            "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%d\" "
            "fill=\"%s\"><title>",
            bar.from, top, bar.length, PAIR_HEIGHT - 1, kind_colour(scene, x));
    write_name(scene, y, TITLE_COLUMNS, name);
    svg_text_put(out, name);
    fputs(", ", out);
    bar_name_write_column(scene, x, BAR_NAME_DOCUMENT, TITLE_COLUMNS, name);
    svg_text_put(out, name);
    scene_amount_text(scene, cell, text);
    fprintf(out, ": %s</title></rect>\n", text);
    svg_text_put_label(out, bar.from + bar.length + 5, top + PAIR_HEIGHT - 2,
                       " font-size=\"10\" fill=\"" SVG_MUTED "\"" SVG_WIDE_ONLY,
                       text);
}

static void
put_pairs(FILE *out, const struct scene *scene, double top)
{
    const struct key_area area = place_keys(scene, &scene->axis[1]);
    double pitch = pair_pitch(scene);
    double height = (double)scene->axis[1].bands * pitch;
    char name[NAME_BYTES];

    put_title(out, scene, MARGIN_LEFT, top + MARGIN_TOP - 14);
    fprintf(out,
            "<g transform=\"translate(%d,%.6g)\" font-family=\"monospace\" "
            "xml:space=\"preserve\">\n",
            MARGIN_LEFT, top + MARGIN_TOP);
    top += put_pair_legend(out, scene) + PAIR_GAP / 2.0;
    fprintf(out, "</g>\n<g transform=\"translate(%.6g,%.6g)\">\n", area.left,
            top + MARGIN_TOP);
    put_key_amounts(out, scene, height, area.width);
    fputs("<g font-family=\"monospace\" xml:space=\"preserve\">\n", out);
    for (size_t y = 0; y < scene->axis[1].bands; y++) {
        double first = (double)y * pitch + PAIR_GAP / 2.0;
        write_name(scene, y, KEY_COLUMNS, name);
        svg_text_put_label(out, -8, ((double)y + 0.5) * pitch + 4,
                           scene->axis[1].band[y].is_flow
                               ? " text-anchor=\"end\" fill=\"" SVG_WORD "\""
                               : " text-anchor=\"end\"",
                           name);
        for (size_t x = 0; x < scene->axis[0].bands; x++)
            put_pair(out, scene, x, y, first + (double)x * PAIR_HEIGHT,
                     area.width);
    }
    fputs("</g>\n</g>\n", out);
}

/* ---- panels of groups ---- */

struct grid {
    const struct scene *scene;
    size_t columns;
    size_t rows;
    double width; /* of a panel */
    struct svg_side side;
};

static struct grid
grid_of(const struct scene *scene)
{
    size_t panels = scene->axis[1].bands;
    size_t columns =
        panels < PANEL_COLUMNS ? panels + (panels == 0) : PANEL_COLUMNS;
    double width =
        (AREA_WIDTH - PANEL_GAP * (double)(columns - 1)) / (double)columns;

    return (struct grid){
        .scene = scene,
        .columns = columns,
        .rows = (panels + columns - 1) / columns,
        .width = width,
        .side = svg_side_of(&scene->axis[0], width, PANEL_FLOW_LENGTH,
                            PANEL_FLOW_BAR),
    };
}

/* Print the name and the amount of group Y above the panel. */
static void
put_panel_name(FILE *out, const struct grid *grid, size_t y)
{
    const struct scene *scene = grid->scene;
    bool is_flow = scene->axis[1].band[y].is_flow;
    char name[NAME_BYTES];
    char text[SUM_TEXT_BYTES];

    scene_row_text(scene, y, text);
    double room = grid->width / COLUMN_WIDTH - (double)strlen(text) - 1;
    size_t most =
        room > BAR_NAME_COLUMNS_MIN ? (size_t)room : BAR_NAME_COLUMNS_MIN;
    write_name(scene, y, TITLE_COLUMNS, name);
    fputs("<title>", out);
    svg_text_put(out, name);
    fprintf(out, ": %s</title>\n", text);
    write_name(scene, y, most < TITLE_COLUMNS ? most : TITLE_COLUMNS, name);
    fputs("<g font-family=\"monospace\" xml:space=\"preserve\">\n", out);
    svg_text_put_label(out, 0, -8, is_flow ? " fill=\"" SVG_WORD "\"" : "",
                       name);
    svg_text_put_label(out, grid->width, -8,
                       " text-anchor=\"end\" fill=\"" SVG_MUTED "\"", text);
    fputs("</g>\n", out);
}

/* Draw the amounts at the left of panel Y, and lines across the panel. */
static void
put_panel_amounts(FILE *out, const struct grid *grid, size_t y)
{
    const struct svg_amounts amounts =
        svg_amounts_of(&grid->scene->row_scale[y], PANEL_HEIGHT, 3);

    svg_amounts_put_lines(out, &amounts, grid->width);
    fputs("<g text-anchor=\"end\" font-size=\"10\" fill=\"" SVG_MUTED "\">\n",
          out);
    svg_amounts_put_labels(out, &amounts, -4, 3);
    fputs("</g>\n", out);
}

static void
put_panel(FILE *out, const struct grid *grid, size_t y)
{
    const struct scene *scene = grid->scene;
    bool is_lowest = y + grid->columns >= scene->axis[1].bands;

    fprintf(out, "<g transform=\"translate(%.6g,%.6g)\">\n",
            (double)(y % grid->columns) * (grid->width + PANEL_GAP),
            (double)(y / grid->columns) * PANEL_PITCH + PANEL_NAME_HEIGHT);
    put_panel_name(out, grid, y);
    put_panel_amounts(out, grid, y);
    put_all_bars(out, scene, (uint64_t)y * scene->axis[0].bands, &grid->side,
                 PANEL_HEIGHT, 0.5);
    svg_axis_put_horizontal(out, &grid->side, PANEL_HEIGHT, &svg_axis_panel,
                            is_lowest);
    fputs("</g>\n", out);
}

/* Name the axes, and explain heights, colours, and the initials of flow
   cells. */
static void
put_legend(FILE *out, const struct grid *grid)
{
    const struct scene *scene = grid->scene;
    const struct band_axis *axis = &scene->axis[0];
    double bottom = (double)grid->rows * PANEL_PITCH;
    char name[SCENE_NAME_BYTES];

    scene_amounts_name(scene, name);
    svg_axis_put_upwards(out, PANEL_NAME_HEIGHT + PANEL_HEIGHT / 2, name);
    svg_text_put_label(out, AREA_WIDTH / 2.0, bottom + 18,
                       " text-anchor=\"middle\"", axis->name);
    fprintf(out,
            "<text x=\"%d\" y=\"%.6g\" text-anchor=\"end\" font-size=\"11\" "
            "fill=\"" SVG_MUTED "\">highest bar: most of the group",
            AREA_WIDTH, bottom + 36);
    for (size_t x = 0; x < axis->bands; x++) {
        if (axis->band[x].is_flow)
            fprintf(out, ", %c: %s", axis->band[x].word[0], axis->band[x].word);
    }
    if (scene->has_negative)
        fputs(", <tspan fill=\"" SVG_NEGATIVE "\">red: below 0</tspan>", out);
    fputs("</text>\n", out);
}

static void
put_groups(FILE *out, const struct scene *scene, double top)
{
    const struct grid grid = grid_of(scene);

    start_picture(out, scene, top);
    for (size_t y = 0; y < scene->axis[1].bands; y++)
        put_panel(out, &grid, y);
    if (scene->axis[1].bands > 0)
        put_legend(out, &grid);
    fputs("</g>\n", out);
}

/* ---- the channels of an image ---- */

#define CHANNELS 3

static void
put_curve(FILE *out, const struct scene *scene, const struct svg_side *side,
          size_t channel)
{
    static const char *const colour[] = {SVG_RED, SVG_GREEN, SVG_BLUE};
    double x = AREA_WIDTH - 76.0 * (double)(CHANNELS - channel);

    fprintf(out,
            "<path fill=\"%s\" fill-opacity=\".25\" stroke=\"%s\" "
            "stroke-width=\".8\" d=\"M0 %d",
            colour[channel], colour[channel], BARS_HEIGHT);
    for (size_t i = 0; i < scene->axis[0].bands; i++)
        fprintf(out, "V%.6gH%.6g",
                BARS_HEIGHT *
                    (1 - scale_part(&scene->scale, scene_amount(scene, i))),
                svg_side_at(side, (double)(i + 1)));
    fprintf(out, "V%dz\"><title>%s</title></path>\n", BARS_HEIGHT,
            scene->axis[0].name);
    fprintf(out,
            "<rect x=\"%.6g\" y=\"-24\" width=\"12\" height=\"12\" "
            "fill=\"%s\" fill-opacity=\".5\" stroke=\"%s\"/>\n",
            x, colour[channel], colour[channel]);
    svg_text_put_label(out, x + 17, -14, "", scene->axis[0].name);
}

/* Whether the scene needs no flow cells of AXIS. */
static bool
has_only_bins(const struct scene_subject *subject,
              const struct binning_axis *axis)
{
    uint64_t values = histogram_total(
        subject->histogram, axis->base + axis->bins, axis_flows(axis));

    return values == 0 && subject->flow != FLOW_SHOW;
}

/* Whether the histograms are R, G and B, on equal axes. */
static bool
are_channels(const struct scene_subject *subject)
{
    const struct spec *spec = subject->spec;

    if (!subject->is_image || spec->is_joint || spec->axis_count != CHANNELS)
        return false;
    for (size_t i = 0; i < CHANNELS; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (spec->field[i] != i || axis_bins(axis) != AXIS_INTEGERS ||
            axis->bins != spec->shown[0].bins ||
            axis->first != spec->shown[0].first ||
            !has_only_bins(subject, axis))
            return false;
    }
    return true;
}

/* Draw three curves on a common axis and a common scale. */
static void
put_channels(FILE *out, struct scene scene[CHANNELS])
{
    struct scene all = scene[0]; /* a view with another scale and name */
    const struct svg_side side = svg_side_of(&all.axis[0], AREA_WIDTH, 0, 0);

    for (size_t i = 1; i < CHANNELS; i++)
        all.scale.most = fmax(all.scale.most, scene[i].scale.most);
    strcpy(all.axis[0].name, "red, green and blue");
    start_picture(out, &all, TITLE_HEIGHT);
    put_amounts(out, &all);
    for (size_t i = 0; i < CHANNELS; i++) {
        scene[i].scale = all.scale;
        put_curve(out, &scene[i], &side, i);
    }
    strcpy(all.axis[0].name, "value");
    svg_axis_put_horizontal(out, &side, BARS_HEIGHT, &svg_axis_page, true);
    fputs("</g>\n", out);
}

/* ---- the document ---- */

static void
start_document(FILE *out, double height, bool has_shades, char *const *paths,
               size_t path_count)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"gpuhist\" "
            "width=\"%d\" "
            "height=\"%.6g\" viewBox=\"0 0 %d %.6g\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<title>",
            PAGE_WIDTH, height, PAGE_WIDTH, height);
    svg_text_put_paths(out, paths, path_count);
    fputs("</title>\n", out);
    svg_style_put(out, has_shades);
    fprintf(out,
            "<rect width=\"%d\" height=\"%.6g\" fill=\"" SVG_PAGE "\"/>\n"
            "<text x=\"%d\" y=\"26\" font-size=\"16\">",
            PAGE_WIDTH, height, MARGIN_LEFT);
    svg_text_put_paths(out, paths, path_count);
    fputs("</text>\n", out);
}

/* Returns the height of SCENE. */
static double
height_of(const struct scene *scene)
{
    switch (scene->kind) {
    case SCENE_GROUPS:
        return MARGIN_TOP + (double)grid_of(scene).rows * PANEL_PITCH +
               PANEL_AXIS_HEIGHT;
    case SCENE_PAIRS:
        return MARGIN_TOP + put_pair_legend(NULL, scene) + PAIR_GAP / 2.0 +
               (double)scene->axis[1].bands * pair_pitch(scene) +
               KEY_AXIS_HEIGHT;
    case SCENE_KEYS:
        if (scene->is_time)
            return MARGIN_TOP + MARGIN_BOTTOM + BARS_HEIGHT;
        return MARGIN_TOP + (double)scene->axis[0].bands * KEY_HEIGHT +
               KEY_AXIS_HEIGHT;
    case SCENE_MAP:
        return MARGIN_TOP + MARGIN_BOTTOM + MAP_LENGTH;
    default:
        return MARGIN_TOP + MARGIN_BOTTOM + BARS_HEIGHT;
    }
}

/* Make the scene of histogram I.  Returns 0, or -1: out of memory. */
static int
make_scene(struct scene *scene, const struct scene_subject *subject, size_t i,
           bool is_channel)
{
    const struct spec *spec = subject->spec;
    /* Flow cells take more room than bins. */
    size_t flows = axis_flows(&spec->shown[spec_own_axis(spec, i)]);
    size_t most[SCENE_AXES_MAX] = {AREA_WIDTH - flows * FLOW_LENGTH, 0};

    switch (scene_kind_of(spec, i)) {
    case SCENE_GROUPS:
        most[0] = PANEL_BANDS;
        most[1] = PANELS_MOST;
        break;
    case SCENE_KEYS:
        most[0] = KEYS_MOST;
        most[1] = SVG_KINDS;
        break;
    case SCENE_MAP:
        most[0] = most[1] = MAP_LENGTH / 2;
        break;
    default:
        if (is_channel)
            most[0] = AREA_WIDTH;
        break;
    }
    int result = scene_make(scene, subject, i, most, is_channel);
    if (result < 0 || !scene->is_time)
        return result;
    /* Bars of times stand beside each other, as those of bins. */
    most[0] = TIMES_MOST;
    scene_close(scene);
    return scene_make(scene, subject, i, most, is_channel);
}

/* Draw SCENE.  Returns 0, or -1: out of memory. */
static int
put_scene(FILE *out, const struct scene *scene, double top)
{
    switch (scene->kind) {
    case SCENE_GROUPS:
        put_groups(out, scene, top);
        return 0;
    case SCENE_PAIRS:
        put_pairs(out, scene, top);
        return 0;
    case SCENE_KEYS:
        if (scene->is_time)
            put_bars(out, scene, top);
        else
            put_keys(out, scene, top);
        return 0;
    case SCENE_MAP:
        return put_map(out, scene, top);
    default:
        put_bars(out, scene, top);
        return 0;
    }
}

/* Draw the COUNT scenes, each below the scene before, or all in one picture if
   the scenes ARE_CHANNELS.  Returns 0, or -1: out of memory. */
static int
put_document(FILE *out, struct scene *scene, size_t count, bool are_channels,
             char *const *paths, size_t path_count)
{
    double top = TITLE_HEIGHT;
    double height = TITLE_HEIGHT;
    int result = 0;

    for (size_t i = 0; i < (are_channels ? 1 : count); i++)
        height += height_of(&scene[i]);
    start_document(out, height, scene[0].kind == SCENE_MAP, paths, path_count);
    if (are_channels)
        put_channels(out, scene);
    for (size_t i = 0; i < count && !are_channels && result == 0; i++) {
        result = put_scene(out, &scene[i], top);
        top += height_of(&scene[i]);
    }
    fputs("</svg>\n", out);
    return result;
}

int
svg_print(FILE *out, const struct scene_subject *subject, char *const *paths,
          size_t path_count)
{
    bool has_channels = are_channels(subject);
    size_t count = spec_histograms(subject->spec);
    struct scene *scene = calloc(count, sizeof *scene);
    int result = scene == NULL ? -1 : 0;

    for (size_t i = 0; i < count && result == 0; i++)
        result = make_scene(&scene[i], subject, i, has_channels);
    if (result == 0)
        result =
            put_document(out, scene, count, has_channels, paths, path_count);
    for (size_t i = 0; i < count && scene != NULL; i++)
        scene_close(&scene[i]);
    free(scene);
    return result;
}
