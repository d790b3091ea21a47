/* svg.c -- pictures of histograms as SVG */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plot/svg.h"
#include "plot/svg_groups.h"
#include "plot/svg_keys.h"
#include "plot/svg_page.h"
#include "plot/svg_side.h"
#include "plot/svg_text.h"
#include "plot/ticks.h"

/* The margin below the area of the bars or cells. */
#define MARGIN_BOTTOM 68

#define BARS_WIDTH 692
#define BARS_HEIGHT 260

/* A heat map is square, with a scale to its right. */
#define MAP_LENGTH 512
#define MAP_SCALE_AT (MAP_LENGTH + 28)
#define MAP_SCALE_WIDTH 18

/* The space of a flow cell, and the width of its bar. */
#define FLOW_LENGTH 50
#define FLOW_BAR 24.0

/* Bars at least this wide have gaps between them. */
#define GAP_FROM 4.0

/* The width of a digit in most fonts, at the size of ticks. */
#define DIGIT_WIDTH 7.6

#define SHADES 32

/* ---- axes ---- */

/* Draw a horizontal axis at BOTTOM; labels that would overlap are left out. */
static void
put_horizontal(FILE *out, const struct svg_side *side, double bottom)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t count =
        ticks_find(side->axis, (size_t)(side->length / 50) + 2, tick);
    double right = -HUGE_VAL; /* end of the label before */
    double from;
    double to;

    fprintf(out, "<path d=\"M%.6g %.6gh%.6g", side->begin, bottom,
            side->length);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M%.6g %.6gv5", svg_side_at(side, tick[i].value), bottom);
    fputs("\" stroke=\"#000\" fill=\"none\"/>\n<g text-anchor=\"middle\">\n",
          out);
    for (size_t i = 0; i < count; i++) {
        double at = svg_side_at(side, tick[i].value);
        double half = DIGIT_WIDTH / 2 * (double)strlen(tick[i].text);
        if (at - half < right + DIGIT_WIDTH)
            continue;
        svg_text_put_label(out, at, bottom + 18, "", tick[i].text);
        right = at + half;
    }
    for (size_t i = 0; i < side->axis->bands; i++) {
        if (side->axis->band[i].is_flow) {
            svg_side_band(side, i, &from, &to);
            svg_text_put_label(out, (from + to) / 2, bottom + 32,
                               " font-size=\"11\" fill=\"#7a4a0b\"",
                               side->axis->band[i].word);
        }
    }
    svg_text_put_label(out, side->begin + side->length / 2, bottom + 46, "",
                       side->axis->name);
    fputs("</g>\n", out);
}

/* Draw a vertical axis at the left, upwards from BOTTOM. */
static void
put_vertical(FILE *out, const struct svg_side *side, double bottom)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t count =
        ticks_find(side->axis, (size_t)(side->length / 50) + 2, tick);
    double from;
    double to;

    fprintf(out, "<path d=\"M0 %.6gv%.6g", bottom - side->begin, -side->length);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M0 %.6gh-5", bottom - svg_side_at(side, tick[i].value));
    fputs("\" stroke=\"#000\" fill=\"none\"/>\n<g text-anchor=\"end\">\n", out);
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(out, -8,
                           bottom - svg_side_at(side, tick[i].value) + 4, "",
                           tick[i].text);
    for (size_t i = 0; i < side->axis->bands; i++) {
        if (side->axis->band[i].is_flow) {
            svg_side_band(side, i, &from, &to);
            svg_text_put_label(out, -8, bottom - (from + to) / 2 + 4,
                               " font-size=\"11\" fill=\"#7a4a0b\"",
                               side->axis->band[i].word);
        }
    }
    fputs("</g>\n", out);
    fprintf(out, "<g transform=\"translate(-66,%.6g) rotate(-90)\">\n",
            bottom - side->begin - side->length / 2);
    svg_text_put_label(out, 0, 0, " text-anchor=\"middle\"", side->axis->name);
    fputs("</g>\n", out);
}

/* Amounts from 0 at HEIGHT up to the most at 0, and lines across WIDTH. */
static void
put_amounts(FILE *out, const struct scene *scene, double width, double height)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t count = scale_ticks(&scene->scale, 8, tick);
    char name[SCENE_NAME_BYTES];

    fputs("<path d=\"", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M0 %.6gh%.6g",
                height * (1 - scale_part(&scene->scale, tick[i].value)), width);
    fprintf(out,
            "\" stroke=\"#ddd\" fill=\"none\"/>\n<path d=\"M0 0v%.6g\" "
            "stroke=\"#000\"/>\n<g text-anchor=\"end\">\n",
            height);
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(
            out, -8,
            height * (1 - scale_part(&scene->scale, tick[i].value)) + 4, "",
            tick[i].text);
    fputs("</g>\n", out);
    scene_amounts_name(scene, name);
    fprintf(out, "<g transform=\"translate(-66,%.6g) rotate(-90)\">\n",
            height / 2);
    svg_text_put_label(out, 0, 0, " text-anchor=\"middle\"", name);
    fputs("</g>\n", out);
}

/* ---- pictures ---- */

/* Start a scene; its bars or cells are below and to the right of 0, 0. */
static void
begin_picture(FILE *out, const struct scene *scene, double top)
{
    char title[SCENE_TITLE_BYTES];

    scene_title(scene, title);
    fprintf(out, "<g transform=\"translate(%d,%.6g)\">\n", MARGIN_LEFT,
            top + MARGIN_TOP);
    svg_text_put_label(out, 0, -14, " font-size=\"13\" fill=\"#444\"", title);
}

static void
put_bar(FILE *out, const struct scene *scene, const struct svg_side *side,
        size_t i)
{
    const struct band *band = &scene->axis[0].band[i];
    double amount = scene_amount(scene, i);
    double height = BARS_HEIGHT * scale_part(&scene->scale, amount);
    double from;
    double to;
    char text[SUM_TEXT_BYTES];

    if (amount == 0 || isnan(amount))
        return;
    /* Every amount except 0 is visible. */
    if (height < 1)
        height = 1;
    svg_side_band(side, i, &from, &to);
    double gap =
        to - from >= GAP_FROM && !band->is_flow ? fmin((to - from) / 8, 2) : 0;
    fprintf(out, "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\"",
            from + gap, BARS_HEIGHT - height, to - from - 2 * gap, height);
    if (amount < 0 || band->is_flow)
        fprintf(out, " fill=\"%s\"",
                amount < 0 ? NEGATIVE_COLOUR : FLOW_COLOUR);
    scene_amount_text(scene, i, text);
    fputs("><title>", out);
    svg_text_put(out, band->text);
    if (band->glyphs[0] != '\0') {
        putc(' ', out);
        svg_text_put(out, band->glyphs);
    }
    fprintf(out, ": %s</title></rect>\n", text);
}

static void
put_bars(FILE *out, const struct scene *scene, double top)
{
    const struct svg_side side =
        svg_side_make(&scene->axis[0], BARS_WIDTH, FLOW_LENGTH, FLOW_BAR);

    begin_picture(out, scene, top);
    put_amounts(out, scene, BARS_WIDTH, BARS_HEIGHT);
    fputs("<g fill=\"" BAR_COLOUR "\" shape-rendering=\"crispEdges\">\n", out);
    for (size_t i = 0; i < scene->axis[0].bands; i++)
        put_bar(out, scene, &side, i);
    fputs("</g>\n", out);
    put_horizontal(out, &side, BARS_HEIGHT);
    if (scene->has_negative)
        svg_text_put_label(out, BARS_WIDTH, -14,
                           " text-anchor=\"end\" fill=\"" NEGATIVE_COLOUR "\"",
                           "red: below 0");
    fputs("</g>\n", out);
}

/* Print the colour of SHADE, from 1, which is light, to SHADES, dark. */
static void
put_colour(FILE *out, size_t shade)
{
    static const double stop[3][3] = {
        {214, 230, 244}, {66, 146, 198}, {8, 36, 88}};
    double part = (double)(shade - 1) / (SHADES - 1) * 2;
    size_t i = part < 1 ? 0 : 1;
    unsigned int channel[3];

    part -= (double)i;
    for (size_t c = 0; c < 3; c++)
        channel[c] = (unsigned int)lround(stop[i][c] * (1 - part) +
                                          stop[i + 1][c] * part);
    fprintf(out, "\"#%02x%02x%02x\"", channel[0], channel[1], channel[2]);
}

/*
 * Print the cells of row Y that have SHADE; ROW has the shades of its cells.
 * Adjacent cells become one rectangle.  Absolute coordinates avoid gaps from
 * rounding.
 */
static void
put_cells(FILE *out, const struct svg_side *across, const struct svg_side *up,
          size_t y, const unsigned char *row, size_t shade)
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
    unsigned char *shades = malloc(cells);

    if (shades == NULL)
        return -1;
    for (size_t cell = 0; cell < cells; cell++)
        shades[cell] = (unsigned char)scale_shade(
            &scene->scale, scene_amount(scene, cell), SHADES);
    for (size_t shade = 1; shade <= SHADES; shade++) {
        if (memchr(shades, (int)shade, cells) == NULL)
            continue;
        fputs("<path fill=", out);
        put_colour(out, shade);
        fputs(" d=\"", out);
        for (size_t y = 0; y < scene->axis[1].bands; y++)
            put_cells(out, across, up, y, shades + y * bands, shade);
        fputs("\"/>\n", out);
    }
    free(shades);
    return 0;
}

/* Print the scale of shades. */
static void
put_shades(FILE *out, const struct scene *scene)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t count = scale_ticks(&scene->scale, 10, tick);
    double height = (double)MAP_LENGTH / SHADES;
    char name[SCENE_NAME_BYTES];

    fprintf(out, "<g transform=\"translate(%d,0)\">\n", MAP_SCALE_AT);
    for (size_t shade = 1; shade <= SHADES; shade++) {
        fprintf(out, "<rect y=\"%.6g\" width=\"%d\" height=\"%.6g\" fill=",
                MAP_LENGTH - height * (double)shade, MAP_SCALE_WIDTH, height);
        put_colour(out, shade);
        fputs("/>\n", out);
    }
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(
            out, MAP_SCALE_WIDTH + 6,
            MAP_LENGTH * (1 - scale_part(&scene->scale, tick[i].value)) + 4, "",
            tick[i].text);
    scene_amounts_name(scene, name);
    svg_text_put_label(out, 0, -10, "", name);
    fputs("</g>\n", out);
}

/* Draw a heat map.  Returns 0, or -1: out of memory. */
static int
put_map(FILE *out, const struct scene *scene, double top)
{
    const struct svg_side across =
        svg_side_make(&scene->axis[0], MAP_LENGTH, FLOW_LENGTH, FLOW_BAR);
    const struct svg_side up =
        svg_side_make(&scene->axis[1], MAP_LENGTH, FLOW_BAR + 4, FLOW_BAR);

    begin_picture(out, scene, top);
    fputs("<g shape-rendering=\"crispEdges\">\n", out);
    int result = put_all_cells(out, scene, &across, &up);
    fprintf(out,
            "<rect x=\"%.6g\" y=\"%.6g\" width=\"%.6g\" height=\"%.6g\" "
            "fill=\"none\" stroke=\"#999\"/>\n</g>\n",
            across.begin, MAP_LENGTH - up.begin - up.length, across.length,
            up.length);
    put_horizontal(out, &across, MAP_LENGTH);
    put_vertical(out, &up, MAP_LENGTH);
    put_shades(out, scene);
    fputs("</g>\n", out);
    return result;
}

/* ---- the channels of an image ---- */

#define CHANNELS 3

static void
put_curve(FILE *out, const struct scene *scene, const struct svg_side *side,
          size_t channel)
{
    static const char *const colour[] = {"#d62020", "#189a30", "#2050d0"};
    double x = BARS_WIDTH - 60.0 * (double)(CHANNELS - channel);

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

/* Whether the histograms are those of R, G and B, on the same axis. */
static bool
are_channels(const struct scene_subject *subject)
{
    const struct spec *spec = subject->spec;

    if (!subject->is_image || spec->is_joint || spec->axis_count != CHANNELS)
        return false;
    for (size_t i = 0; i < CHANNELS; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (spec->field[i] != i || !axis_is_direct(axis) ||
            axis->bins != spec->shown[0].bins ||
            axis->first != spec->shown[0].first ||
            !has_only_bins(subject, axis))
            return false;
    }
    return true;
}

/*
 * Draw three curves on one axis and one scale.  Returns 0, or -1: out of
 * memory.
 */
static int
put_channels(FILE *out, const struct scene_subject *subject)
{
    const size_t most[SCENE_AXES_MAX] = {BARS_WIDTH, 0};
    struct scene scene[CHANNELS] = {0};
    int result = 0;

    for (size_t i = 0; i < CHANNELS && result == 0; i++)
        result = scene_make(&scene[i], subject, i, most, true);
    if (result == 0) {
        struct scene all = scene[0];
        for (size_t i = 1; i < CHANNELS; i++)
            all.scale.most = fmax(all.scale.most, scene[i].scale.most);
        strcpy(all.axis[0].name, "red, green and blue");
        const struct svg_side side =
            svg_side_make(&all.axis[0], BARS_WIDTH, 0, 0);
        begin_picture(out, &all, TITLE_HEIGHT);
        put_amounts(out, &all, BARS_WIDTH, BARS_HEIGHT);
        for (size_t i = 0; i < CHANNELS; i++) {
            scene[i].scale = all.scale;
            put_curve(out, &scene[i], &side, i);
        }
        strcpy(all.axis[0].name, "value");
        put_horizontal(out, &side, BARS_HEIGHT);
        fputs("</g>\n", out);
    }
    for (size_t i = 0; i < CHANNELS; i++)
        scene_close(&scene[i]);
    return result;
}

/* ---- the document ---- */

static void
begin_document(FILE *out, double height, char *const *paths, size_t path_count)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
            "height=\"%.6g\" viewBox=\"0 0 %d %.6g\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<title>",
            PAGE_WIDTH, height, PAGE_WIDTH, height);
    svg_text_put_paths(out, paths, path_count);
    fprintf(out,
            "</title>\n<rect width=\"%d\" height=\"%.6g\" fill=\"#fff\"/>\n"
            "<text x=\"%d\" y=\"26\" font-size=\"16\">",
            PAGE_WIDTH, height, MARGIN_LEFT);
    svg_text_put_paths(out, paths, path_count);
    fputs("</text>\n", out);
}

/* The height of histogram I. */
static double
height_of(const struct scene_subject *subject, size_t i)
{
    if (group_rows_are_for(subject->spec, i))
        return svg_groups_height(subject, i);
    if (subject->spec->histogram[i].rows != ROWS_BINS)
        return svg_keys_height(subject, i);
    return MARGIN_TOP + MARGIN_BOTTOM +
           (scene_is_map(subject->spec) ? MAP_LENGTH : BARS_HEIGHT);
}

/* Draw histogram I by itself.  Returns 0, or -1: out of memory. */
static int
put_histogram(FILE *out, const struct scene_subject *subject, size_t i,
              double top)
{
    if (group_rows_are_for(subject->spec, i))
        return svg_groups_put(out, subject, i, top);
    /* Flow cells take more room than bins. */
    size_t flows =
        axis_flows(&subject->spec->shown[spec_own_axis(subject->spec, i)]);
    size_t most[SCENE_AXES_MAX] = {BARS_WIDTH - flows * FLOW_LENGTH, 0};
    struct scene scene;

    if (scene_is_map(subject->spec))
        most[0] = most[1] = MAP_LENGTH / 2;
    else if (subject->spec->histogram[i].rows != ROWS_BINS)
        most[0] = SVG_KEYS_MOST;
    int result = scene_make(&scene, subject, i, most, false);
    if (result == 0 && scene_is_map(subject->spec))
        result = put_map(out, &scene, top);
    else if (result == 0 && scene.has_keys)
        svg_keys_put(out, &scene, top);
    else if (result == 0)
        put_bars(out, &scene, top);
    scene_close(&scene);
    return result;
}

int
svg_print(FILE *out, const struct scene_subject *subject, char *const *paths,
          size_t path_count)
{
    bool has_channels = are_channels(subject);
    size_t count = has_channels ? 1 : spec_histograms(subject->spec);
    double top = TITLE_HEIGHT;
    double height = TITLE_HEIGHT;
    int result = 0;

    for (size_t i = 0; i < count; i++)
        height += height_of(subject, i);
    begin_document(out, height, paths, path_count);
    if (has_channels)
        result = put_channels(out, subject);
    for (size_t i = 0; i < count && !has_channels && result == 0; i++) {
        result = put_histogram(out, subject, i, top);
        if (i + 1 < count)
            top += height_of(subject, i);
    }
    fputs("</svg>\n", out);
    return result;
}
