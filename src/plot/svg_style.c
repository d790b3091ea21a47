/* SPDX-License-Identifier: MIT */
/* svg_style.c -- the colours of an SVG document, on a light and a dark page */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot/svg_style.h"

#define CHANNELS 3

#define KIND_2 "#2f8f63"
#define KIND_3 "#8a56b8"
#define KIND_4 "#c2641f"
#define KIND_5 "#178a93"
#define KIND_6 "#b8487c"
#define KIND_7 "#857426"
#define KIND_8 "#5f6b78"

const char *const svg_style_kind[SVG_KINDS] = {SVG_BAR, KIND_2, KIND_3, KIND_4,
                                               KIND_5,  KIND_6, KIND_7, KIND_8};

static const struct {
    const char *light;
    const char *dark;
} colours[] = {
    {SVG_PAGE, "#15181d"}, {SVG_TEXT, "#e3e6ea"},  {SVG_MUTED, "#aab1bb"},
    {SVG_GRID, "#343a42"}, {SVG_FRAME, "#6f7884"}, {SVG_WORD, "#e3b26b"},
    {SVG_BAR, "#6aa6e4"},  {SVG_FLOW, "#e0a040"},  {SVG_NEGATIVE, "#f0776a"},
    {SVG_RED, "#ff6b6b"},  {SVG_GREEN, "#4ccf68"}, {SVG_BLUE, "#7fa4ff"},
    {KIND_2, "#5cc795"},   {KIND_3, "#bd92e8"},    {KIND_4, "#ee9a58"},
    {KIND_5, "#4fc3cc"},   {KIND_6, "#ec85b3"},    {KIND_7, "#cdbb63"},
    {KIND_8, "#a3afbd"},
};

/* Shades pass from the first colour over the second to the third. */
typedef double ramp_stops[3][CHANNELS];

/* Each of amounts above and below 0. */
static const ramp_stops light_stops[2] = {
    {{214, 230, 244}, {66, 146, 198}, {8, 36, 88}},
    {{250, 222, 212}, {222, 90, 70}, {96, 8, 24}},
};
static const ramp_stops dark_stops[2] = {
    {{31, 57, 92}, {58, 138, 190}, {226, 240, 250}},
    {{88, 36, 34}, {206, 84, 70}, {252, 226, 216}},
};

static void
mix(const ramp_stops stops[2], int shade, char colour[SVG_COLOUR_BYTES])
{
    const double(*stop)[CHANNELS] = stops[shade < 0];
    double part = (double)(abs(shade) - 1) / (SVG_SHADES - 1) * 2;
    size_t i = part < 1 ? 0 : 1;
    unsigned int channel[CHANNELS];

    part -= (double)i;
    for (size_t c = 0; c < CHANNELS; c++)
        channel[c] = (unsigned int)lround(stop[i][c] * (1 - part) +
                                          stop[i + 1][c] * part) &
                     0xff;
    snprintf(colour, SVG_COLOUR_BYTES, "#%02x%02x%02x", channel[0], channel[1],
             channel[2]);
}

void
svg_style_shade(int shade, char colour[SVG_COLOUR_BYTES])
{
    mix(light_stops, shade, colour);
}

/* Print rules that replace LIGHT, an attribute, by DARK. */
static void
put_pair(FILE *out, const char *light, const char *dark)
{
    fprintf(out,
            ".gpuhist [fill=\"%s\"]{fill:%s}\n"
            ".gpuhist [stroke=\"%s\"]{stroke:%s}\n",
            light, dark, light, dark);
}

void
svg_style_put(FILE *out, bool has_shades)
{
    char light[SVG_COLOUR_BYTES];
    char dark[SVG_COLOUR_BYTES];

    fputs("<style>\n.gpuhist{max-width:100%;height:auto;background:" SVG_PAGE
          "}\n"
          "@media (max-width:560px){\n"
          ".gpuhist{font-size:19px}\n"
          ".gpuhist [font-size]{font-size:17px}\n"
          ".gpuhist [font-size=\"16\"]{font-size:23px}\n"
          ".gpuhist [font-family]{font-size:14px}\n"
          ".gpuhist .wide{display:none}\n"
          "}\n"
          "@media (prefers-color-scheme:dark){\n",
          out);
    fprintf(out, ".gpuhist{background:%s;fill:%s}\n", colours[0].dark,
            colours[1].dark);
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
        put_pair(out, colours[i].light, colours[i].dark);
    for (int shade = -SVG_SHADES; has_shades && shade <= SVG_SHADES; shade++) {
        if (shade == 0)
            continue;
        mix(light_stops, shade, light);
        mix(dark_stops, shade, dark);
        fprintf(out, ".gpuhist [fill=\"%s\"]{fill:%s}\n", light, dark);
    }
    fputs("}\n</style>\n", out);
}
