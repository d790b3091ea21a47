/* SPDX-License-Identifier: MIT */
/* svg_axis.c -- axes of bands and of amounts, in pixels */

#include <math.h>
#include <string.h>

#include "plot/svg_axis.h"
#include "plot/svg_style.h"
#include "plot/svg_text.h"
#include "plot/ticks.h"

const struct svg_axis_style svg_axis_page = {
    .step = 50,
    .mark = 5,
    .digit = 7.6,
    .font = "",
    .label = 18,
    .flow = 32,
    .name = 46,
    .colour = " font-size=\"11\" fill=\"" SVG_WORD "\"",
};

const struct svg_axis_style svg_axis_panel = {
    .step = 40,
    .mark = 4,
    .digit = 6.2,
    .font = " font-size=\"10\"",
    .label = 15,
    .flow = 26,
    .colour = " fill=\"" SVG_WORD "\"",
    .has_initials = true,
};

/* ---- bands ---- */

struct svg_side
svg_side_of(const struct band_axis *axis, double length, double flow,
            double bar)
{
    size_t flows = axis->bands - (axis->last - axis->first);

    return (struct svg_side){
        .axis = axis,
        .start = (double)axis->first * flow,
        .length = length - (double)flows * flow,
        .flow = flow,
        .bar = bar,
    };
}

double
svg_side_at(const struct svg_side *side, double position)
{
    const struct band_axis *axis = side->axis;

    return side->start + (position - (double)axis->first) * side->length /
                             (double)(axis->last - axis->first);
}

void
svg_side_band(const struct svg_side *side, size_t i, double *from, double *to)
{
    const struct band_axis *axis = side->axis;

    if (i >= axis->first && i < axis->last) {
        *from = svg_side_at(side, (double)i);
        *to = svg_side_at(side, (double)(i + 1));
        return;
    }
    double slot = i < axis->first ? (double)i * side->flow
                                  : side->start + side->length +
                                        (double)(i - axis->last) * side->flow;
    *from = slot + (side->flow - side->bar) / 2;
    *to = *from + side->bar;
}

/* Returns the middle of band I. */
static double
middle_of(const struct svg_side *side, size_t i)
{
    double from;
    double to;

    svg_side_band(side, i, &from, &to);
    return (from + to) / 2;
}

/* Print the words or initials of flow cells below BOTTOM. */
static void
put_flows(FILE *out, const struct svg_side *side, double bottom,
          const struct svg_axis_style *style)
{
    for (size_t i = 0; i < side->axis->bands; i++) {
        const struct band *band = &side->axis->band[i];
        if (!band->is_flow)
            continue;
        const char initial[2] = {band->word[0], '\0'};
        svg_text_put_label(out, middle_of(side, i), bottom + style->flow,
                           style->colour,
                           style->has_initials ? initial : band->word);
    }
}

void
svg_axis_put_horizontal(FILE *out, const struct svg_side *side, double bottom,
                        const struct svg_axis_style *style, bool has_labels)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t count =
        ticks_find(side->axis, (size_t)(side->length / style->step) + 2, tick);
    double right = -HUGE_VAL; /* end of the label before */
    size_t labels = 0;

    fprintf(out, "<path d=\"M%.6g %.6gh%.6g", side->start, bottom,
            side->length);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M%.6g %.6gv%d", svg_side_at(side, tick[i].value), bottom,
                style->mark);
    fputs("\" stroke=\"" SVG_TEXT "\" fill=\"none\"/>\n", out);
    if (!has_labels)
        return;
    fprintf(out, "<g text-anchor=\"middle\"%s>\n", style->font);
    for (size_t i = 0; i < count; i++) {
        double at = svg_side_at(side, tick[i].value);
        double half = style->digit / 2 * (double)strlen(tick[i].text);
        if (at - half < right + style->digit)
            continue;
        svg_text_put_label(out, at, bottom + style->label,
                           labels++ % 2 == 1 && count > 2 ? SVG_WIDE_ONLY : "",
                           tick[i].text);
        right = at + half;
    }
    put_flows(out, side, bottom, style);
    if (style->name > 0)
        svg_text_put_label(out, side->start + side->length / 2,
                           bottom + style->name, "", side->axis->name);
    fputs("</g>\n", out);
}

/* Returns the least number of bands from LEAST on that people count in. */
static size_t
round_step(size_t least)
{
    static const size_t steps[] = {1, 2, 5, 10, 15, 20, 30};

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        if (steps[i] >= least)
            return steps[i];
    }
    return (least + 59) / 60 * 60;
}

/* Returns the band from I on that has the next label, STEP bands after the one
   before; or the first after a gap, which no label before it covers. */
static size_t
find_labelled(const struct band_axis *axis, size_t i, size_t step)
{
    size_t gap = i > axis->first ? i - 1 : i;
    size_t end = i + step < axis->last ? i + step : axis->last;

    for (; gap < end; gap++) {
        if (axis->band[gap].is_gap && gap + 1 < axis->last)
            return gap + 1 > i ? gap + 1 : i;
    }
    return i;
}

/* Mark the gaps with what they leave out, above BOTTOM. */
static void
put_gaps(FILE *out, const struct svg_side *side, double bottom)
{
    const struct band_axis *axis = side->axis;

    for (size_t i = axis->first; i < axis->last; i++) {
        if (!axis->band[i].is_gap)
            continue;
        double at = middle_of(side, i);
        fprintf(out,
                "<path d=\"M%.6g %.6gV0\" stroke=\"" SVG_TEXT
                "\" stroke-dasharray=\"2 4\"/>\n",
                at, bottom);
        svg_text_put_label(out, at, -2, "", axis->band[i].text);
    }
}

void
svg_axis_put_texts(FILE *out, const struct svg_side *side, double bottom,
                   const struct svg_axis_style *style)
{
    const struct band_axis *axis = side->axis;
    double end = side->start + side->length;
    size_t longest = 1;
    size_t labels = 0;

    for (size_t i = axis->first; i < axis->last; i++) {
        size_t length = strlen(axis->band[i].text);
        longest = length > longest ? length : longest;
    }
    double width = style->digit * (double)(longest + 1);
    double band = side->length / (double)(axis->last - axis->first);
    size_t step = round_step((size_t)ceil(width / band));
    /* Labels of a narrow picture are half as wide again. */
    bool is_tight = (double)step * band < 1.6 * width;

    fprintf(out, "<path d=\"M%.6g %.6gh%.6g", side->start, bottom,
            side->length);
    for (size_t i = find_labelled(axis, axis->first, step); i < axis->last;
         i = find_labelled(axis, i + step, step))
        fprintf(out, "M%.6g %.6gv%d", middle_of(side, i), bottom, style->mark);
    fputs("\" stroke=\"" SVG_TEXT
          "\" fill=\"none\"/>\n<g text-anchor=\"middle\">\n",
          out);
    for (size_t i = find_labelled(axis, axis->first, step); i < axis->last;
         i = find_labelled(axis, i + step, step)) {
        double at = middle_of(side, i);
        if (labels > 0 && at + width / 4 > end)
            break;
        svg_text_put_label(out, at, bottom + style->label,
                           is_tight && labels % 2 == 1 ? SVG_WIDE_ONLY : "",
                           axis->band[i].text);
        labels++;
    }
    put_gaps(out, side, bottom);
    put_flows(out, side, bottom, style);
    svg_text_put_label(out, side->start + side->length / 2,
                       bottom + style->name, "", axis->name);
    fputs("</g>\n", out);
}

void
svg_axis_put_vertical(FILE *out, const struct svg_side *side, double bottom)
{
    const struct svg_axis_style *style = &svg_axis_page;
    const struct band_axis *axis = side->axis;
    struct tick tick[SCALE_TICKS_MAX];
    size_t count =
        ticks_find(axis, (size_t)(side->length / style->step) + 2, tick);

    fprintf(out, "<path d=\"M0 %.6gv%.6g", bottom - side->start, -side->length);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M0 %.6gh-%d", bottom - svg_side_at(side, tick[i].value),
                style->mark);
    fputs("\" stroke=\"" SVG_TEXT
          "\" fill=\"none\"/>\n<g text-anchor=\"end\">\n",
          out);
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(out, -8,
                           bottom - svg_side_at(side, tick[i].value) + 4, "",
                           tick[i].text);
    for (size_t i = 0; i < axis->bands; i++) {
        if (axis->band[i].is_flow)
            svg_text_put_label(out, -8, bottom - middle_of(side, i) + 4,
                               style->colour, axis->band[i].word);
    }
    fputs("</g>\n", out);
    svg_axis_put_upwards(out, bottom - side->start - side->length / 2,
                         axis->name);
}

void
svg_axis_put_upwards(FILE *out, double y, const char *name)
{
    fprintf(out, "<g transform=\"translate(-66,%.6g) rotate(-90)\">\n", y);
    svg_text_put_label(out, 0, 0, " text-anchor=\"middle\"", name);
    fputs("</g>\n", out);
}

/* ---- amounts ---- */

struct svg_amounts
svg_amounts_of(const struct scale *scale, double height, size_t most)
{
    struct svg_amounts amounts = {.scale = scale, .height = height};

    amounts.count = scale_places(scale, most, amounts.tick);
    return amounts;
}

double
svg_amounts_at(const struct svg_amounts *amounts, double amount)
{
    return amounts->height * (1 - scale_place(amounts->scale, amount));
}

void
svg_amounts_put_lines(FILE *out, const struct svg_amounts *amounts,
                      double width)
{
    fputs("<path d=\"", out);
    for (size_t i = 0; i < amounts->count; i++)
        fprintf(out, "M0 %.6gh%.6g",
                svg_amounts_at(amounts, amounts->tick[i].value), width);
    fputs("\" stroke=\"" SVG_GRID "\" fill=\"none\"/>\n", out);
    if (amounts->scale->below > 0)
        fprintf(out, "<path d=\"M0 %.6gh%.6g\" stroke=\"" SVG_TEXT "\"/>\n",
                svg_amounts_at(amounts, 0), width);
}

void
svg_amounts_put_labels(FILE *out, const struct svg_amounts *amounts, double x,
                       double lower)
{
    for (size_t i = 0; i < amounts->count; i++)
        svg_text_put_label(
            out, x, svg_amounts_at(amounts, amounts->tick[i].value) + lower, "",
            amounts->tick[i].text);
}
