/* plot.c -- pictures of histograms as text */

#include <math.h>
#include <string.h>

#include "plot/band_text.h"
#include "plot/canvas.h"
#include "plot/plot.h"
#include "plot/plot_groups.h"
#include "plot/plot_keys.h"
#include "plot/plot_map.h"

/* Lines for the title, and for the shell's prompt after the scene. */
#define LINES_AROUND 2

/* Columns that the label of a bar leaves. */
#define BAR_COLUMNS_LEFT 9

/* Columns that it may have in any case. */
#define LABEL_COLUMNS 8

/* ---- bars ---- */

/* The columns of each part of a line; 0 for a part that is left out. */
struct layout {
    struct band_labels labels;
    size_t glyphs;
    size_t amount;
    size_t bar;
};

/* NUMBER - PART, but at least 1. */
static size_t
without(size_t number, size_t part)
{
    return number > part ? number - part : 1;
}

static size_t
longer(size_t length, const char *text)
{
    return strlen(text) > length ? strlen(text) : length;
}

/* Amounts are left out if there is no room for bars beside them. */
static struct layout
find_layout(const struct canvas *canvas, const struct scene *scene)
{
    const struct band_axis *axis = &scene->axis[0];
    size_t most = without(canvas->columns, BAR_COLUMNS_LEFT);
    struct layout layout = {
        .labels = band_labels_choose(
            axis, most > LABEL_COLUMNS ? most : LABEL_COLUMNS)};

    for (size_t i = 0; i < axis->bands; i++) {
        char amount[SUM_TEXT_BYTES];
        scene_amount_text(scene, i, amount);
        layout.glyphs = longer(layout.glyphs, axis->band[i].glyphs);
        layout.amount = longer(layout.amount, amount);
    }

    size_t used = layout.labels.columns + 1;
    if (layout.glyphs > 0)
        used += layout.glyphs + 1;
    layout.bar = canvas_bar_columns(canvas, used, &layout.amount);
    return layout;
}

static void
put_row(const struct canvas *canvas, const struct scene *scene, size_t i,
        const struct layout *layout)
{
    const struct band *band = &scene->axis[0].band[i];
    double amount = scene_amount(scene, i);
    char text[SUM_TEXT_BYTES];
    char label[BAND_TEXT_BYTES];
    char line[1024];

    band_labels_text(&layout->labels, &scene->axis[0], band, label);
    int used =
        snprintf(line, sizeof line, "%*s", (int)layout->labels.columns, label);

    if (layout->glyphs > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, " %-*s",
                         (int)layout->glyphs, band->glyphs);
    if (layout->amount > 0) {
        scene_amount_text(scene, i, text);
        used += snprintf(line + used, sizeof line - (size_t)used, " %*s",
                         (int)layout->amount, text);
    }
    if (amount != 0 && !isnan(amount) && layout->bar > 0)
        snprintf(line + used, sizeof line - (size_t)used, " ");
    canvas_put_cut(canvas->out, line, canvas->columns);
    canvas_put_bar(canvas, amount, scale_part(&scene->scale, amount),
                   band->is_flow, layout->bar);
    putc('\n', canvas->out);
}

static void
put_bars(const struct canvas *canvas, const struct scene *scene)
{
    struct layout layout = find_layout(canvas, scene);

    for (size_t i = 0; i < scene->axis[0].bands; i++) {
        if (!canvas->nonzero || !scene_is_empty(scene, i))
            put_row(canvas, scene, i, &layout);
    }
}

/* ---- all histograms ---- */

int
plot_print(FILE *out, const struct scene_subject *subject,
           const struct terminal *terminal, bool nonzero)
{
    const struct canvas canvas = {
        .out = out,
        .terminal = terminal,
        .columns = without(terminal->columns, 1),
        .nonzero = nonzero,
    };
    bool is_map = scene_is_map(subject->spec);
    size_t rows = without(terminal->rows, LINES_AROUND);
    size_t most[SCENE_AXES_MAX] = {rows, 0};

    if (is_map) {
        most[0] =
            without(canvas.columns, plot_map_columns_around(canvas.columns));
        most[1] = without(rows, PLOT_MAP_LINES_BELOW);
    }
    for (size_t i = 0; i < spec_histograms(subject->spec); i++) {
        struct scene scene;
        if (group_rows_are_for(subject->spec, i)) {
            if (plot_groups_put(&canvas, subject, i,
                                without(rows, PLOT_GROUPS_LINES_BELOW)) < 0)
                return -1;
            continue;
        }
        int result = scene_make(&scene, subject, i, most, false);
        if (result == 0) {
            canvas_put_title(&canvas, &scene);
            if (is_map)
                plot_map_put(&canvas, &scene);
            else if (scene.has_keys)
                plot_keys_put(&canvas, &scene);
            else
                put_bars(&canvas, &scene);
        }
        scene_close(&scene);
        if (result < 0)
            return -1;
    }
    return 0;
}
