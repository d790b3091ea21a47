/* SPDX-License-Identifier: MIT */
/*
 * palette.c -- colours and shades of pictures on terminals
 *
 * On a dark terminal the colours of a heat map become lighter with the amount,
 * on a light terminal darker.
 */

#include <math.h>
#include <stdio.h>

#include "plot/palette.h"

const char palette_end[] = "\033[m";

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Shades of 24 bits: as many as the eye tells apart in a legend. */
#define SHADES_TRUE 24
#define CHANNELS 3

/* ---- without colours ---- */

static const char *const dots[] = {".", ":", "-", "+", "*", "%", "#", "@"};
static const char *const blocks[] = {"░", "▒", "▓", "█"};

/* ---- 16 colours ---- */

/* Numbers of the 8 dark ones, which all such terminals have as background. */
static const unsigned char sixteen[2][5] = {
    {4, 6, 2, 3, 7}, /* blue, cyan, green, yellow, white */
    {3, 2, 6, 4, 0}, /* yellow, green, cyan, blue, black */
};
static const unsigned char sixteen_negative[2][5] = {
    {1, 1, 5, 5, 7}, /* red, magenta, white */
    {5, 5, 1, 1, 0},
};
#define SIXTEEN (COUNT(sixteen[0]))

/* ---- 256 colours, each on a dark and a light terminal ---- */

static const unsigned char many[2][12] = {
    {17, 18, 19, 25, 31, 37, 36, 72, 108, 149, 185, 227},
    {229, 193, 157, 121, 79, 43, 37, 31, 25, 19, 18, 17},
};
static const unsigned char many_negative[2][12] = {
    {52, 52, 88, 88, 124, 160, 167, 174, 210, 217, 224, 224},
    {224, 224, 217, 210, 210, 174, 167, 160, 124, 88, 88, 52},
};

/* ---- 24 bits ---- */

typedef unsigned char rgb[CHANNELS];

#define STOPS 5

static const rgb true_stops[2][STOPS] = {
    {{20, 30, 95},
     {20, 95, 160},
     {40, 155, 140},
     {150, 205, 90},
     {255, 245, 130}},
    {{225, 240, 195},
     {130, 205, 185},
     {50, 145, 190},
     {35, 75, 160},
     {10, 20, 75}},
};
static const rgb true_negative_stops[2][STOPS] = {
    {{70, 20, 25},
     {130, 30, 35},
     {200, 60, 55},
     {240, 130, 110},
     {255, 225, 205}},
    {{253, 225, 210},
     {245, 160, 130},
     {215, 85, 70},
     {150, 30, 40},
     {75, 5, 20}},
};

/* Write the colour between the stops of RAMP. */
static void
mix(const rgb ramp[STOPS], size_t shade, char start[PALETTE_BYTES])
{
    double place = (double)(shade - 1) * (STOPS - 1) / (SHADES_TRUE - 1);
    size_t i = place < STOPS - 1 ? (size_t)place : STOPS - 2;
    int channel[CHANNELS];

    for (size_t c = 0; c < CHANNELS; c++)
        channel[c] = (int)lround(ramp[i][c] + (ramp[i + 1][c] - ramp[i][c]) *
                                                  (place - (double)i));
    snprintf(start, PALETTE_BYTES, "\033[48;2;%d;%d;%dm", channel[0],
             channel[1], channel[2]);
}

/* ---- all ---- */

size_t
palette_shades(const struct terminal *terminal)
{
    switch (terminal->colours) {
    case TERMINAL_COLOURS_TRUE:
        return SHADES_TRUE;
    case TERMINAL_COLOURS_256:
        return COUNT(many[0]);
    case TERMINAL_COLOURS_16:
        /* Between two colours, a hatch of both. */
        return terminal->is_utf8 ? 2 * SIXTEEN - 1 : SIXTEEN;
    default:
        return terminal->is_utf8 ? COUNT(blocks) : COUNT(dots);
    }
}

/* Write one of 16 colours, or a hatch of two. */
static void
set_sixteen(const struct terminal *terminal, size_t shade,
            const unsigned char ramp[SIXTEEN], struct palette_shade *result)
{
    size_t i = terminal->is_utf8 ? (shade - 1) / 2 : shade - 1;

    if (terminal->is_utf8 && shade % 2 == 0) {
        snprintf(result->start, PALETTE_BYTES, "\033[3%d;4%dm", ramp[i + 1],
                 ramp[i]);
        result->text = blocks[1];
    } else {
        snprintf(result->start, PALETTE_BYTES, "\033[4%dm", ramp[i]);
    }
}

struct palette_shade
palette_shade_of(const struct terminal *terminal, size_t shade,
                 bool is_negative)
{
    struct palette_shade result = {.text = " "};
    size_t is_light = terminal->is_light;

    switch (terminal->colours) {
    case TERMINAL_COLOURS_TRUE:
        mix((is_negative ? true_negative_stops : true_stops)[is_light], shade,
            result.start);
        break;
    case TERMINAL_COLOURS_256:
        snprintf(result.start, PALETTE_BYTES, "\033[48;5;%dm",
                 (is_negative ? many_negative : many)[is_light][shade - 1]);
        break;
    case TERMINAL_COLOURS_16:
        set_sixteen(terminal, shade,
                    (is_negative ? sixteen_negative : sixteen)[is_light],
                    &result);
        break;
    default:
        if (is_negative)
            result.text = 2 * shade > palette_shades(terminal) ? "V" : "v";
        else
            result.text = (terminal->is_utf8 ? blocks : dots)[shade - 1];
        break;
    }
    return result;
}

void
palette_tone(const struct terminal *terminal, enum scene_tone tone,
             char start[PALETTE_BYTES])
{
    /* Cyan and yellow are too pale for a light terminal. */
    static const int colour[2][3] = {
        {[SCENE_PLAIN] = 36, [SCENE_FLOW] = 33, [SCENE_NEGATIVE] = 31},
        {[SCENE_PLAIN] = 34, [SCENE_FLOW] = 35, [SCENE_NEGATIVE] = 31},
    };

    start[0] = '\0';
    if (terminal->colours != TERMINAL_COLOURS_NONE)
        snprintf(start, PALETTE_BYTES, "\033[%dm",
                 colour[terminal->is_light][tone]);
}
