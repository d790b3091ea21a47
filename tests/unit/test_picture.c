/* SPDX-License-Identifier: MIT */
/*
 * test_picture.c -- scales and ticks, which bins are joined, and that nothing
 * is lost; and counts beyond 2^63, which no test could read
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "cli/option_parse.h"
#include "plot/canvas.h"
#include "plot/scene_make.h"
#include "plot/svg.h"
#include "plot/ticks.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define WORDS_MAX 16

/* ---- scales ---- */

static void
test_parts(void)
{
    static const struct {
        struct scale scale;
        double amount;
        double part;
    } cases[] = {
        {{.most = 8}, 0, 0},
        {{.most = 8}, 2, 0.25},
        {{.most = 8}, -2, 0.25},
        {{.most = 8}, 8, 1},
        {{.most = 8}, INFINITY, 1},
        {{.most = 8}, NAN, 0},
        {{.most = 0}, 0, 0},
        {{.most = 0}, NAN, 0},
        {{.is_log = true, .least = 0.1, .most = 1000}, 0, 0},
        {{.is_log = true, .least = 0.1, .most = 1000}, 0.1, 0},
        {{.is_log = true, .least = 0.1, .most = 1000}, 0.01, 0},
        {{.is_log = true, .least = 0.1, .most = 1000}, 1, 0.25},
        {{.is_log = true, .least = 0.1, .most = 1000}, -10, 0.5},
        {{.is_log = true, .least = 0.1, .most = 1000}, 1000, 1},
        {{.is_log = true, .least = 0.5, .most = 0}, 0, 0},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        double part = scale_part(&cases[i].scale, cases[i].amount);
        ok(fabs(part - cases[i].part) < 1e-12, "part of %g: %g",
           cases[i].amount, part);
    }

    const struct scale scale = {.most = 100};
    static const struct {
        double amount;
        size_t shade;
    } shades[] = {{0, 0},  {NAN, 0}, {1e-9, 1}, {24, 1},      {26, 2},
                  {99, 4}, {100, 4}, {-60, 3},  {INFINITY, 4}};
    for (size_t i = 0; i < COUNT(shades); i++)
        ok(scale_shade(&scale, shades[i].amount, 4) == shades[i].shade,
           "shade of %g", shades[i].amount);
}

static void
test_ticks(void)
{
    static const struct {
        struct scale scale;
        size_t most;
        const char *ticks;
    } cases[] = {
        {{.most = 10}, 6, "0 2 4 6 8 10"},
        {{.most = 10}, 5, "0 5 10"},
        {{.most = 9.9}, 6, "0 2 4 6 8"},
        {{.most = 0.3}, 5, "0 0.1 0.2 0.3"},
        {{.most = 0.7}, 8, "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7"},
        {{.most = 1}, 8, "0 0.2 0.4 0.6 0.8 1"},
        {{.most = 1, .is_whole = true}, 8, "0 1"},
        {{.most = 3, .is_whole = true}, 8, "0 1 2 3"},
        {{.most = 25000}, 4, "0 10k 20k"},
        {{.most = 3e6}, 4, "0 1M 2M 3M"},
        {{.most = 0x1p63}, 6, "0 2E 4E 6E 8E"},
        {{.most = 2e-300}, 3, "0 1e-300 2e-300"},
        {{.most = 0x1p-1074}, 8, "0"},
        {{.most = 1.7e308}, 3, "0 1e+308"},
        {{.most = 0}, 6, ""},
        {{.most = 10}, 1, ""},
        {{.is_log = true, .least = 0.5, .most = 150}, 5, "1 10 100"},
        {{.is_log = true, .least = 0.5, .most = 30}, 9, "0.5 1 2 5 10 20"},
        {{.is_log = true, .least = 0.5, .most = 30, .is_whole = true},
         9,
         "1 2 5 10 20"},
        {{.is_log = true, .least = 0.5, .most = 0x1p63},
         8,
         "1 1000 1M 1G 1T 1P 1E"},
        {{.is_log = true, .least = 0.5, .most = 0}, 8, ""},
        /* Less than two round numbers. */
        {{.is_log = true, .least = 2008, .most = 8924}, 6, "4000 6000 8000"},
        {{.is_log = true, .least = 1100, .most = 1190}, 4, "1100 1150"},
        {{.is_log = true, .least = 0.5, .most = 1, .is_whole = true}, 6, "1"},
        {{.is_log = true, .least = 1e-308, .most = 1e308},
         4,
         "1e-155 1 1e+155"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tick tick[SCALE_TICKS_MAX];
        size_t count = scale_ticks(&cases[i].scale, cases[i].most, tick);
        char text[512] = "";
        for (size_t t = 0; t < count; t++) {
            strcat(text, t > 0 ? " " : "");
            strcat(text, tick[t].text);
        }
        bool passed = strcmp(text, cases[i].ticks) == 0;
        ok(passed, "ticks up to %g", cases[i].scale.most);
        if (!passed)
            printf("# %s instead of %s\n", text, cases[i].ticks);
    }
}

/* Amounts below 0 share the line with those above. */
static void
test_places(void)
{
    const struct scale scale = {.most = 300, .below = 100, .above = 300};
    struct tick tick[SCALE_PLACES_MAX];
    char text[512] = "";

    ok(scale_place(&scale, -100) == 0 && scale_place(&scale, 0) == 0.25 &&
           scale_place(&scale, 100) == 0.5 && scale_place(&scale, 300) == 1,
       "places from the least to the most");
    size_t count = scale_places(&scale, 6, tick);
    for (size_t t = 0; t < count; t++)
        sprintf(text + strlen(text), "%s:%g ", tick[t].text, tick[t].value);
    ok(strcmp(text, "-100:-100 0:0 100:100 200:200 300:300 ") == 0,
       "ticks below and above 0: %s", text);
    const struct scale negative = {.most = 30, .below = 30};
    ok(scale_place(&negative, -30) == 0 && scale_place(&negative, 0) == 1,
       "all amounts below 0");
}

/* The definition: a number of the row, and none below it would do. */
static void
test_steps(void)
{
    static const double row[] = {1, 2, 5};
    bool passed = true;

    for (double length = 0.013; length < 1e7; length *= 1.37) {
        for (size_t most = 1; most <= 20; most++) {
            double least = 0;
            for (int exponent = -6; least == 0; exponent++) {
                for (size_t i = 0; i < 3 && least == 0; i++) {
                    double step = row[i] * pow(10, exponent);
                    if (length / step <= (double)most)
                        least = step;
                }
            }
            double step = scale_step(-length / 2, length / 2, most);
            passed &= fabs(step - least) < least * 1e-9;
        }
    }
    ok(passed, "steps, by searching");
}

/* ---- pictures ---- */

struct drawing {
    struct options options;
    struct spec spec;
    struct histogram histogram;
    struct scene_subject subject;
};

static const char *const names[] = {"first", "second", "third"};

/* Of a command line without the program's name. */
static void
drawing_open(struct drawing *drawing, const char *line)
{
    char text[256];
    char *argv[WORDS_MAX] = {text};
    int argc = 0;
    struct error error = ERROR_NONE;

    snprintf(text, sizeof text, "gpuhist %s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (option_parse(&drawing->options, argc, argv, &error) < 0 ||
        spec_make(&drawing->spec, &drawing->options.spec, NULL,
                  drawing->options.plan.memory_limit, &error) < 0 ||
        histogram_open(&drawing->histogram, drawing->spec.shown_cells,
                       drawing->spec.planes) < 0) {
        printf("Bail out! %s: %s\n", line, error.text);
        exit(99);
    }
    drawing->options.provenance.paths = NULL;
    drawing->subject = (struct scene_subject){
        .spec = &drawing->spec,
        .names = names,
        .histogram = &drawing->histogram,
        .flow = drawing->options.report.flow,
    };
}

static void
drawing_close(struct drawing *drawing)
{
    histogram_close(&drawing->histogram);
    spec_close(&drawing->spec);
}

/* Shapes: how many bands there are at most, and what comes of it. */
static void
test_joining(void)
{
    static const struct {
        const char *line;
        size_t most;
        uint64_t first; /* the bins that are counted once */
        uint64_t last;
        bool is_whole;
        uint64_t joined;
        size_t bands;
        const char *start;
        const char *end;
    } cases[] = {
        {"", 256, 0, 255, false, 1, 256, "0", "255"},
        {"", 255, 0, 255, false, 2, 128, "0..1", "254..255"},
        {"", 255, 1, 255, false, 1, 255, "1", "255"},
        {"", 22, 0, 255, false, 16, 16, "0..15", "240..255"},
        {"", 22, 65, 84, false, 1, 20, "65", "84"},
        {"", 19, 65, 84, false, 2, 11, "64..65", "84..85"},
        {"", 11, 65, 84, false, 2, 11, "64..65", "84..85"},
        {"", 10, 65, 84, false, 4, 6, "64..67", "84..87"},
        {"", 22, 65, 84, true, 16, 16, "0..15", "240..255"},
        {"", 1, 0, 255, false, 256, 1, "0..255", "0..255"},
        {"", 1, 77, 77, false, 1, 1, "77", "77"},
        {"--bins=100 --range=0,100", 100, 3, 4, false, 1, 100, "[0, 1)",
         "[99, 100)"},
        {"--bins=100 --range=0,100", 99, 3, 4, false, 1, 2, "[3, 4)", "[4, 5)"},
        {"--bins=100 --range=0,100", 30, 0, 99, false, 4, 25, "[0, 4)",
         "[96, 100)"},
        /* A prime number: the last band is shorter. */
        {"--bins=101 --range=0,101", 30, 0, 100, false, 4, 26, "[0, 4)",
         "[100, 101)"},
        {"--bins=101 --range=0,101 --numpy", 30, 0, 100, false, 4, 26, "[0, 4)",
         "[100, 101]"},
        {"--bins=101 --range=0,101 --closed=right", 30, 0, 100, false, 4, 26,
         "(0, 4]", "(100, 101]"},
        {"--bins=10 --range=0,1 --dtype=f4", 10, 0, 9, false, 1, 10, "[0, 0.1)",
         "[0.9, 1)"},
        {"--bins=3 --range=0,1 --dtype=f4", 10, 0, 2, false, 1, 3,
         "[0, 0.3333)", "[0.6667, 1)"},
        {"--bins=1000 --range=1e6,1000001 --dtype=f8", 5, 10, 11, false, 1, 2,
         "[1000000.01, 1000000.011)", "[1000000.011, 1000000.012)"},
        {"--edges=0,1,1.5,7", 3, 0, 2, false, 1, 3, "[0, 1)", "[1.5, 7)"},
        {"--edges=0,1,1.5,7", 2, 0, 2, false, 3, 1, "[0, 7)", "[0, 7)"},
        /* A logarithmic axis shows what there is. */
        {"--log --dtype=u4", 60, 3, 4, false, 1, 2, "[8, 16)", "[16, 32)"},
        {"--log --dtype=u4", 60, 3, 4, true, 1, 32, "[1, 2)",
         "[2147483648, 4294967296)"},
        {"--dtype=i1", 16, 0, 255, false, 16, 16, "-128..-113", "112..127"},
        {"--dtype=u8 --range=18446744073709551613,18446744073709551615", 9, 0,
         1, false, 1, 2, "18446744073709551613", "18446744073709551614"},
        {"--dtype=u4 --range=0,4194304", 22, 0, 4194303, false, 262144, 16,
         "0..262143", "3932160..4194303"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct drawing drawing;
        struct scene scene;
        const size_t most[SCENE_AXES_MAX] = {cases[i].most, 0};

        drawing_open(&drawing, cases[i].line);
        for (uint64_t bin = cases[i].first; bin <= cases[i].last; bin++)
            drawing.histogram.value[bin] = 1;
        if (scene_make(&scene, &drawing.subject, 0, most, cases[i].is_whole) <
            0)
            exit(99);
        const struct band_axis *axis = &scene.axis[0];
        bool passed =
            axis->joined == cases[i].joined && axis->bands == cases[i].bands &&
            strcmp(axis->band[0].text, cases[i].start) == 0 &&
            strcmp(axis->band[axis->bands - 1].text, cases[i].end) == 0;
        ok(passed, "joined: %s, %zu bands", cases[i].line, cases[i].most);
        if (!passed)
            printf("# %llu joined, %zu bands, from %s to %s\n",
                   (unsigned long long)axis->joined, axis->bands,
                   axis->band[0].text, axis->band[axis->bands - 1].text);
        ok(scene.values == cases[i].last - cases[i].first + 1 &&
               histogram_total(&scene.amounts, 0, scene.amounts.cells) ==
                   scene.values,
           "... and nothing is lost");
        scene_close(&scene);
        drawing_close(&drawing);
    }
}

/* The texts of all bands, with " | " between them. */
static void
test_flow(void)
{
    static const struct {
        const char *line;
        bool has_values; /* everywhere */
        const char *texts;
    } cases[] = {
        {"--bins=1 --range=0,9", true, "[-inf, 0) | [0, 9) | [9, inf]"},
        {"--bins=1 --range=0,9", false, "[0, 9)"},
        {"--bins=1 --range=0,9 --flow=show", false,
         "[-inf, 0) | [0, 9) | [9, inf]"},
        {"--bins=1 --range=0,9 --flow=hide", true, "[0, 9)"},
        {"--bins=1 --range=0,9 --closed=right", true,
         "[-inf, 0] | (0, 9] | (9, inf]"},
        {"--bins=1 --range=0,9 --numpy", true, "[-inf, 0) | [0, 9] | (9, inf]"},
        {"--range=5,7", true, "[-inf, 5) | 5 | 6 | [7, inf]"},
        {"--range=5,7 --closed=right", true, "[-inf, 5] | 6 | 7 | (7, inf]"},
        {"--dtype=f4 --bins=1 --range=0,9", true,
         "[-inf, 0) | [0, 9) | [9, inf] | nan"},
        {"--dtype=f4 --log --range=1,2", true,
         "[-inf, 0) | 0 | (0, 1) | [1, 2) | [2, inf] | nan"},
        {"--dtype=u4 --log --range=2,4", true,
         "0 | (0, 2) | [2, 4) | [4, inf]"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct drawing drawing;
        struct scene scene;
        const size_t most[SCENE_AXES_MAX] = {20, 0};
        char texts[1024] = "";

        drawing_open(&drawing, cases[i].line);
        for (uint64_t cell = 0; cell < drawing.histogram.cells; cell++)
            drawing.histogram.value[cell] = cases[i].has_values;
        if (scene_make(&scene, &drawing.subject, 0, most, false) < 0)
            exit(99);
        for (size_t b = 0; b < scene.axis[0].bands; b++) {
            strcat(texts, b > 0 ? " | " : "");
            strcat(texts, scene.axis[0].band[b].text);
        }
        bool passed = strcmp(texts, cases[i].texts) == 0;
        ok(passed, "flow: %s", cases[i].line);
        if (!passed)
            printf("# %s\n", texts);
        scene_close(&scene);
        drawing_close(&drawing);
    }
}

/* Where ticks are, on 1000 pixels of bins. */
static void
test_axis_ticks(void)
{
    static const struct {
        const char *line;
        size_t bands;
        size_t most;
        const char *ticks;
    } cases[] = {
        {"", 256, 4, "0:0.5 100:100.5 200:200.5"},
        {"", 16, 4, "0:0.03125 100:6.28125 200:12.5312"},
        {"--dtype=i1", 256, 6, "-100:28.5 -50:78.5 0:128.5 50:178.5 100:228.5"},
        {"--bins=4 --range=0,10", 9, 6, "0:0 2:0.8 4:1.6 6:2.4 8:3.2 10:4"},
        {"--bins=4 --range=0,10", 2, 6, "0:0 2:0.4 4:0.8 6:1.2 8:1.6 10:2"},
        /* The last band is a third of the others. */
        {"--bins=7 --range=0,7", 3, 9,
         "0:0 1:0.333333 2:0.666667 3:1 4:1.33333 5:1.66667 6:2 7:3"},
        {"--bins=3 --range=0,0.3 --dtype=f4", 9, 5, "0:0 0.1:1 0.2:2 0.3:3"},
        {"--edges=0,1,1.5,7", 9, 9, "0:0 1:1 1.5:2 7:3"},
        {"--edges=0,1,1.5,7", 9, 3, "0:0 1.5:2"},
        {"--log=10 --range=1,1000", 9, 4, "1:0 10:1 100:2 1000:3"},
        {"--log --range=1,16 --dtype=u4", 9, 6, "1:0 2:1 5:2.25 10:3.25"},
        {"", 256, 1, ""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct drawing drawing;
        struct scene scene;
        const size_t most[SCENE_AXES_MAX] = {cases[i].bands, 0};
        struct tick tick[SCALE_TICKS_MAX];
        char text[512] = "";

        drawing_open(&drawing, cases[i].line);
        if (scene_make(&scene, &drawing.subject, 0, most, false) < 0)
            exit(99);
        size_t count = ticks_find(&scene.axis[0], cases[i].most, tick);
        for (size_t t = 0; t < count; t++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s:%g",
                     t > 0 ? " " : "", tick[t].text, tick[t].value);
        bool passed = strcmp(text, cases[i].ticks) == 0;
        ok(passed, "ticks on an axis: %s", cases[i].line);
        if (!passed)
            printf("# %s\n", text);
        scene_close(&scene);
        drawing_close(&drawing);
    }
}

/* ---- both at once: exact sums ---- */

/* Any two axes: each cell, found in another way, is in the cell of its bands. */
static void
test_joint(void)
{
    struct drawing drawing;
    struct scene scene;
    const size_t most[SCENE_AXES_MAX] = {5, 7};
    bool passed = true;

    drawing_open(&drawing, "--record=u1,u1 --joint --bins=12 --bins=30 "
                           "--range=0,12 --range=0,30");
    const struct binning_axis *x = &drawing.spec.shown[0];
    const struct binning_axis *y = &drawing.spec.shown[1];
    for (uint64_t i = 0; i < 12; i++) {
        for (uint64_t j = 0; j < 30; j++)
            drawing.histogram.value[i * x->stride + j * y->stride] =
                1000 * i + j + 1;
    }
    if (scene_make(&scene, &drawing.subject, 0, most, false) < 0)
        exit(99);
    ok(scene.axis[0].bands == 4 && scene.axis[0].joined == 3 &&
           scene.axis[1].bands == 6 && scene.axis[1].joined == 5,
       "joint: 3 by 5 joined");
    for (uint64_t i = 0; i < 4; i++) {
        for (uint64_t j = 0; j < 6; j++) {
            uint64_t sum = 0;
            for (uint64_t k = 0; k < 15; k++)
                sum += 1000 * (3 * i + k / 5) + 5 * j + k % 5 + 1;
            passed &= scene.amounts.value[j * 4 + i] == sum;
        }
    }
    ok(passed, "... and their sums");
    scene_close(&scene);
    drawing_close(&drawing);
}

/* Counts that a double cannot hold, in text and SVG. */
static void
test_huge(void)
{
    static const struct terminal terminal = {.columns = 60, .rows = 24};
    struct drawing drawing;
    char *text;
    size_t size;

    drawing_open(&drawing, "--bins=4 --range=0,256");
    drawing.histogram.value[0] = ((uint64_t)1 << 63) + 1;
    drawing.histogram.value[1] = ((uint64_t)1 << 62) - 1;
    drawing.histogram.value[3] = ((uint64_t)1 << 62) - 1;
    FILE *out = open_memstream(&text, &size);
    ok(canvas_print(out, &drawing.subject, &terminal, false) == 0,
       "2^63 + 1 as text");
    fclose(out);
    ok(strcmp(text,
              "first (u1): 18446744073709551615 counted\n"
              "   [0, 64) 9223372036854775809 ============================\n"
              " [64, 128) 4611686018427387903 ==============\n"
              "[128, 192)                   0\n"
              "[192, 256) 4611686018427387903 ==============\n") == 0,
       "... exactly");
    printf("# %s", text);
    free(text);

    out = open_memstream(&text, &size);
    ok(svg_print(out, &drawing.subject, NULL, 0) == 0, "... as SVG");
    fclose(out);
    ok(strstr(text, "<title>[0, 64): 9223372036854775809</title>") != NULL &&
           strstr(text, "height=\"260\"><title>[0, 64)") != NULL &&
           strstr(text, "height=\"130\"><title>[64, 128)") != NULL,
       "... exactly");
    free(text);

    /* All joined in one row: the sum of all counts. */
    const size_t most[SCENE_AXES_MAX] = {1, 0};
    struct scene scene;
    ok(scene_make(&scene, &drawing.subject, 0, most, false) == 0 &&
           scene.amounts.value[0] == UINT64_MAX,
       "joined: 2^64 - 1");
    scene_close(&scene);
    drawing_close(&drawing);
}

/* What is not all says so, however narrow the terminal. */
static void
test_incomplete(void)
{
    struct drawing drawing;
    struct scene scene;
    const size_t most[SCENE_AXES_MAX] = {1, 0};
    char title[SCENE_TITLE_BYTES];

    drawing_open(&drawing, "");
    drawing.subject.is_incomplete = true;
    drawing.subject.is_log = true;
    if (scene_make(&scene, &drawing.subject, 0, most, false) < 0)
        exit(99);
    scene_title(&scene, title);
    ok(strcmp(title,
              "first (u1): 0 counted, incomplete, 256 joined, logarithmic") ==
           0,
       "title: %s", title);
    scene_close(&scene);
    drawing_close(&drawing);
}

/* Sums beyond what one word holds are joined digit by digit. */
static void
test_weights(void)
{
    struct drawing drawing;
    struct scene scene;
    const size_t most[SCENE_AXES_MAX] = {1, 0};
    char text[SUM_TEXT_BYTES];

    drawing_open(&drawing, "--record=u1,u8 --fields=1 --bins=4 --range=0,256 "
                           "--weights=2");
    for (uint64_t cell = 0; cell < 4; cell++) {
        drawing.histogram.value[cell] = 1;
        for (unsigned int p = 1; p <= 2; p++)
            drawing.histogram.value[p * drawing.histogram.cells + cell] =
                UINT32_MAX;
    }
    ok(scene_make(&scene, &drawing.subject, 0, most, false) == 0,
       "weights: joined");
    scene_amount_text(&scene, 0, text);
    ok(strcmp(text, "73786976294838206460") == 0, "4 * (2^64 - 1): %s", text);
    scene_close(&scene);
    drawing_close(&drawing);
}

int
main(void)
{
    test_parts();
    test_ticks();
    test_places();
    test_steps();
    test_joining();
    test_flow();
    test_axis_ticks();
    test_joint();
    test_huge();
    test_incomplete();
    test_weights();
    return done_testing();
}
