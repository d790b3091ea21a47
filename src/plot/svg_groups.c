/* svg_groups.c -- groups as SVG: a small histogram for each */

#include <math.h>
#include <string.h>

#include "plot/bar_name.h"
#include "plot/svg_groups.h"
#include "plot/svg_page.h"
#include "plot/svg_side.h"
#include "plot/svg_text.h"
#include "plot/ticks.h"

/* The grid: panels beside each other, and the gaps that amounts stand in. */
#define GRID_WIDTH 692
#define COLUMNS_MAX 3
#define GAP 46

/* A panel, the text above it, and all with the space below. */
#define PANEL_HEIGHT 72
#define NAME_HEIGHT 22
#define PITCH 116

/* The axis below the last row of panels, and the legend. */
#define AXIS_HEIGHT 44

/* Flow cells of a panel, and bands that can be told apart. */
#define FLOW_LENGTH 14
#define FLOW_BAR 8
#define BANDS_MAX 100

/* Bars at least this wide have gaps between them. */
#define GAP_FROM 4.0

/* The font of names has this width; that of ticks is smaller. */
#define COLUMN_WIDTH 7.3
#define NAME_COLUMNS_MIN 4
#define TITLE_COLUMNS 200
#define DIGIT_WIDTH 6.2

struct grid {
    const struct scene *scene;
    size_t panels;
    size_t columns;
    double width; /* of a panel */
    struct svg_side side;
};

/* Returns how many of PANELS panels are beside each other. */
static size_t
grid_columns(size_t panels)
{
    return panels < COLUMNS_MAX ? panels + (panels == 0) : COLUMNS_MAX;
}

double
svg_groups_height(const struct scene_subject *subject, size_t i)
{
    size_t panels = group_rows_count(subject, i, SVG_GROUPS_MOST);
    size_t columns = grid_columns(panels);

    return MARGIN_TOP + (double)((panels + columns - 1) / columns) * PITCH +
           AXIS_HEIGHT;
}

/* ---- a panel ---- */

static void
put_bar(FILE *out, const struct grid *grid, size_t y, size_t x)
{
    const struct scene *scene = grid->scene;
    const struct band_axis *axis = &scene->axis[0];
    const struct band *band = &axis->band[x];
    uint64_t cell = (uint64_t)y * axis->bands + x;
    double amount = scene_amount(scene, cell);
    double height = PANEL_HEIGHT * scale_part(&scene->row_scale[y], amount);
    double from;
    double to;
    char text[SUM_TEXT_BYTES];

    if (amount == 0 || isnan(amount))
        return;
    /* Every amount except 0 is visible. */
    if (height < 1)
        height = 1;
    svg_side_band(&grid->side, x, &from, &to);
    double gap = to - from >= GAP_FROM && !band->is_flow ? 0.5 : 0;
    fprintf(out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"",
            from + gap, PANEL_HEIGHT - height, to - from - 2 * gap, height);
    if (amount < 0)
        fputs(" fill=\"" NEGATIVE_COLOUR "\"", out);
    else if (band->is_flow || scene->axis[1].band[y].is_flow)
        fputs(" fill=\"" FLOW_COLOUR "\"", out);
    scene_amount_text(scene, cell, text);
    fputs("><title>", out);
    svg_text_put(out, band->text);
    fprintf(out, ": %s</title></rect>\n", text);
}

/* Amounts of panel Y at its left, and lines across it. */
static void
put_amounts(FILE *out, const struct grid *grid, size_t y)
{
    const struct scale *scale = &grid->scene->row_scale[y];
    struct tick tick[SCALE_TICKS_MAX];
    size_t count = scale_ticks(scale, 3, tick);

    fputs("<path d=\"", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M0 %.6gh%.6g",
                PANEL_HEIGHT * (1 - scale_part(scale, tick[i].value)),
                grid->width);
    fputs("\" stroke=\"#ddd\" fill=\"none\"/>\n<g text-anchor=\"end\" "
          "font-size=\"10\" fill=\"#444\">\n",
          out);
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(
            out, -4, PANEL_HEIGHT * (1 - scale_part(scale, tick[i].value)) + 3,
            "", tick[i].text);
    fputs("</g>\n", out);
}

/* The axis of numbers below a panel; with labels, if it is the last of its
   column. */
static void
put_axis(FILE *out, const struct grid *grid, bool has_labels)
{
    const struct band_axis *axis = &grid->scene->axis[0];
    const struct svg_side *side = &grid->side;
    struct tick tick[SCALE_TICKS_MAX];
    size_t count = ticks_find(axis, (size_t)(side->length / 40) + 2, tick);
    double right = -HUGE_VAL; /* end of the label before */
    double from;
    double to;

    fprintf(out, "<path d=\"M%.6g %dh%.6g", side->begin, PANEL_HEIGHT,
            side->length);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M%.6g %dv4", svg_side_at(side, tick[i].value),
                PANEL_HEIGHT);
    fputs("\" stroke=\"#000\" fill=\"none\"/>\n", out);
    if (!has_labels)
        return;
    fputs("<g text-anchor=\"middle\" font-size=\"10\">\n", out);
    for (size_t i = 0; i < count; i++) {
        double at = svg_side_at(side, tick[i].value);
        double half = DIGIT_WIDTH / 2 * (double)strlen(tick[i].text);
        if (at - half < right + DIGIT_WIDTH)
            continue;
        svg_text_put_label(out, at, PANEL_HEIGHT + 15, "", tick[i].text);
        right = at + half;
    }
    for (size_t x = 0; x < axis->bands; x++) {
        if (!axis->band[x].is_flow)
            continue;
        const char initial[2] = {axis->band[x].word[0], '\0'};
        svg_side_band(side, x, &from, &to);
        svg_text_put_label(out, (from + to) / 2, PANEL_HEIGHT + 26,
                           " fill=\"#7a4a0b\"", initial);
    }
    fputs("</g>\n", out);
}

/* The name and the amount of group Y, above its panel. */
static void
put_name(FILE *out, const struct grid *grid, size_t y)
{
    const struct scene *scene = grid->scene;
    bool is_flow = scene->axis[1].band[y].is_flow;
    char name[KEY_NAME_BYTES(TITLE_COLUMNS)];
    char text[SUM_TEXT_BYTES];

    scene_total_text(scene, y, text);
    double room = grid->width / COLUMN_WIDTH - (double)strlen(text) - 1;
    size_t most = room > NAME_COLUMNS_MIN ? (size_t)room : NAME_COLUMNS_MIN;
    bar_name_write(scene, y, KEY_NAME_DOCUMENT, TITLE_COLUMNS, name);
    fputs("<title>", out);
    svg_text_put(out, name);
    fprintf(out, ": %s</title>\n", text);
    bar_name_write(scene, y, KEY_NAME_DOCUMENT,
                   most < TITLE_COLUMNS ? most : TITLE_COLUMNS, name);
    fputs("<g font-family=\"monospace\" xml:space=\"preserve\">\n", out);
    svg_text_put_label(out, 0, -8, is_flow ? " fill=\"#7a4a0b\"" : "", name);
    svg_text_put_label(out, grid->width, -8,
                       " text-anchor=\"end\" fill=\"#444\"", text);
    fputs("</g>\n", out);
}

static void
put_panel(FILE *out, const struct grid *grid, size_t y)
{
    fprintf(out, "<g transform=\"translate(%.6g,%.6g)\">\n",
            (double)(y % grid->columns) * (grid->width + GAP),
            (double)(y / grid->columns) * PITCH + NAME_HEIGHT);
    put_name(out, grid, y);
    put_amounts(out, grid, y);
    fputs("<g fill=\"" BAR_COLOUR "\" shape-rendering=\"crispEdges\">\n", out);
    for (size_t x = 0; x < grid->scene->axis[0].bands; x++)
        put_bar(out, grid, y, x);
    fputs("</g>\n", out);
    put_axis(out, grid, y + grid->columns >= grid->panels);
    fputs("</g>\n", out);
}

/* ---- the grid ---- */

/* Name the axes, and explain heights, colours, and the initials of flow
   cells. */
static void
put_legend(FILE *out, const struct grid *grid)
{
    const struct scene *scene = grid->scene;
    const struct band_axis *axis = &scene->axis[0];
    size_t rows = (grid->panels + grid->columns - 1) / grid->columns;
    double bottom = (double)rows * PITCH;
    char name[SCENE_NAME_BYTES];

    scene_amounts_name(scene, name);
    fprintf(out, "<g transform=\"translate(-66,%d) rotate(-90)\">\n",
            NAME_HEIGHT + PANEL_HEIGHT / 2);
    svg_text_put_label(out, 0, 0, " text-anchor=\"middle\"", name);
    fputs("</g>\n", out);
    svg_text_put_label(out, GRID_WIDTH / 2.0, bottom + 18,
                       " text-anchor=\"middle\"", axis->name);
    fprintf(out,
            "<text x=\"%d\" y=\"%.6g\" text-anchor=\"end\" font-size=\"11\" "
            "fill=\"#444\">",
            GRID_WIDTH, bottom + 36);
    fputs("highest bar: most of the group", out);
    for (size_t x = 0; x < axis->bands; x++) {
        if (axis->band[x].is_flow)
            fprintf(out, ", %c: %s", axis->band[x].word[0], axis->band[x].word);
    }
    if (scene->has_negative)
        fputs(", <tspan fill=\"" NEGATIVE_COLOUR "\">red: below 0</tspan>",
              out);
    fputs("</text>\n", out);
}

/* Draw the title and the panels of SCENE, whose groups are chosen. */
static int
put_grid(FILE *out, struct scene *scene, double top)
{
    struct grid grid = {
        .scene = scene,
        .panels = scene->axis[1].bands,
        .columns = grid_columns(scene->axis[1].bands),
    };
    char title[SCENE_TITLE_BYTES];

    if (scene_cut_groups(scene, BANDS_MAX) < 0)
        return -1;
    grid.width =
        (GRID_WIDTH - GAP * (double)(grid.columns - 1)) / (double)grid.columns;
    grid.side =
        svg_side_make(&scene->axis[0], grid.width, FLOW_LENGTH, FLOW_BAR);
    scene_title(scene, title);
    fprintf(out, "<g transform=\"translate(%d,%.6g)\">\n", MARGIN_LEFT,
            top + MARGIN_TOP);
    svg_text_put_label(out, 0, -14, " font-size=\"13\" fill=\"#444\"", title);
    for (size_t y = 0; y < grid.panels; y++)
        put_panel(out, &grid, y);
    if (grid.panels > 0)
        put_legend(out, &grid);
    fputs("</g>\n", out);
    return 0;
}

int
svg_groups_put(FILE *out, const struct scene_subject *subject, size_t i,
               double top)
{
    struct scene scene;

    int result = scene_choose_groups(&scene, subject, i, SVG_GROUPS_MOST);
    if (result == 0)
        result = put_grid(out, &scene, top);
    scene_close(&scene);
    return result;
}
