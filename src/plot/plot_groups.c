/* plot_groups.c -- groups as text: a row of small bars for each */

#include <math.h>
#include <string.h>

#include "plot/bar_name.h"
#include "plot/plot_groups.h"
#include "plot/plot_map.h"

/* A name takes at most 1 / NAME_PART of a line. */
#define NAME_PART 3

/* A bar is at most this wide: a few wide ones look like no histogram. */
#define BAR_COLUMNS_MAX 6

/* Gaps between bins and flow cells. */
#define GAPS 2

/* What the legend says behind the steps of heights. */
#define AT_THE_TOP " most in the row"
#define BELOW " below 0"

/* Room for a text of the legend. */
#define LEGEND_BYTES 256

/* A full block would touch the row above. */
static const char *const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇"};
static const char *const dots[] = {".", ":", "-", "+", "*", "%", "#", "@"};
static const char *const hatches[] = {"░", "▒", "▓"};
static const char *const letters[] = {"v", "V"};

static const struct ramp height_ramp[2] = {RAMP(dots), RAMP(heights)};
static const struct ramp negative_ramp[2] = {RAMP(letters), RAMP(hatches)};

/* The columns of each part of a line; 0 for a part that is left out. */
struct layout {
    size_t name_most;
    struct plot_map_layout map; /* the columns of names, and of a band */
    size_t bars;                /* of all bands, and gaps between them */
    size_t amount;
};

/* ---- layout ---- */

/* Place the names and amounts; the bars take the rest. */
static struct layout
find_layout(const struct canvas *canvas, const struct scene *scene)
{
    struct layout layout = {.name_most =
                                bar_name_most(canvas->columns / NAME_PART)};
    char name[KEY_NAME_BYTES(KEY_NAME_COLUMNS_MAX)];
    char amount[SUM_TEXT_BYTES];

    for (size_t y = 0; y < scene->axis[1].bands; y++) {
        size_t columns =
            bar_name_draw(canvas, scene, y, layout.name_most, name);
        scene_total_text(scene, y, amount);
        if (layout.map.label < columns)
            layout.map.label = columns;
        if (layout.amount < strlen(amount))
            layout.amount = strlen(amount);
    }
    layout.bars =
        canvas_bar_columns(canvas, layout.map.label + 1, &layout.amount);
    return layout;
}

static size_t
count_gaps(const struct band_axis *axis)
{
    size_t gaps = 0;

    for (size_t x = 0; x < axis->bands; x++)
        gaps += plot_map_is_gap(axis, x);
    return gaps;
}

/* The bands are known: set how wide they are. */
static void
set_widths(struct layout *layout, const struct band_axis *axis)
{
    size_t gaps = count_gaps(axis);
    size_t room = layout->bars > gaps ? layout->bars - gaps : 0;

    layout->map.cell = room / axis->bands;
    if (layout->map.cell > BAR_COLUMNS_MAX)
        layout->map.cell = BAR_COLUMNS_MAX;
    if (layout->map.cell == 0)
        layout->map.cell = 1;
    layout->map.bins = (axis->last - axis->first) * layout->map.cell;
    layout->bars = axis->bands * layout->map.cell + gaps;
}

/* ---- rows ---- */

/* Print a bar of AMOUNT in COLOUR; *LAST is that of the bar before. */
static void
put_bar(const struct canvas *canvas, const struct scale *scale, double amount,
        int colour, size_t columns, int *last)
{
    bool is_utf8 = canvas->terminal->is_utf8;
    const struct ramp *ramp =
        amount < 0 ? &negative_ramp[is_utf8] : &height_ramp[is_utf8];
    size_t height = scale_shade(scale, amount, ramp->count);

    colour = amount < 0 ? 31 : colour;
    if (height > 0 && canvas->terminal->has_colour && colour != *last) {
        fprintf(canvas->out, "\033[%dm", colour);
        *last = colour;
    }
    for (; columns > 0; columns--)
        fputs(height > 0 ? ramp->text[height - 1] : " ", canvas->out);
}

static void
put_row(const struct canvas *canvas, const struct scene *scene, size_t y,
        const struct layout *layout)
{
    const struct band_axis *axis = &scene->axis[0];
    bool is_flow = scene->axis[1].band[y].is_flow;
    char name[KEY_NAME_BYTES(KEY_NAME_COLUMNS_MAX)];
    char text[SUM_TEXT_BYTES];
    size_t columns = bar_name_draw(canvas, scene, y, layout->name_most, name);
    int last = 0;

    fputs(name, canvas->out);
    canvas_put_spaces(canvas->out, layout->map.label + 1 - columns);
    for (size_t x = 0; x < axis->bands; x++) {
        if (plot_map_is_gap(axis, x))
            putc(' ', canvas->out);
        put_bar(canvas, &scene->row_scale[y],
                scene_amount(scene, (uint64_t)y * axis->bands + x),
                is_flow || axis->band[x].is_flow ? 33 : 36, layout->map.cell,
                &last);
    }
    if (last != 0)
        fputs(canvas_reset, canvas->out);
    if (layout->amount > 0) {
        scene_total_text(scene, y, text);
        fprintf(canvas->out, " %*s", (int)layout->amount, text);
    }
    putc('\n', canvas->out);
}

/* ---- the legend ---- */

/* Append the steps of RAMP to TEXT.  Returns their columns. */
static size_t
append_ramp(char text[LEGEND_BYTES], const struct ramp *ramp)
{
    for (size_t i = 0; i < ramp->count; i++)
        strcat(text, ramp->text[i]);
    return ramp->count;
}

/* Print TEXT of COLUMNS columns behind *USED ones, or on the next line; or
   nothing, if no line is as long. */
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
put_legend(const struct canvas *canvas, const struct scene *scene)
{
    const struct band_axis *axis = &scene->axis[0];
    bool is_utf8 = canvas->terminal->is_utf8;
    char text[LEGEND_BYTES];
    char name[SCENE_NAME_BYTES];
    size_t used = 0;

    scene_amounts_name(scene, name);
    size_t columns = (size_t)snprintf(text, sizeof text, "%s: 0 ", name);
    columns += append_ramp(text, &height_ramp[is_utf8]);
    strcat(text, AT_THE_TOP);
    put_item(canvas, text, columns + strlen(AT_THE_TOP), &used);
    if (scene->has_negative) {
        text[0] = '\0';
        columns = append_ramp(text, &negative_ramp[is_utf8]);
        strcat(text, BELOW);
        put_item(canvas, text, columns + strlen(BELOW), &used);
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

int
plot_groups_put(const struct canvas *canvas,
                const struct scene_subject *subject, size_t i, size_t rows)
{
    struct scene scene;

    int result = scene_choose_groups(&scene, subject, i, rows);
    if (result == 0) {
        struct layout layout = find_layout(canvas, &scene);
        result = scene_cut_groups(&scene,
                                  layout.bars > GAPS ? layout.bars - GAPS : 1);
        if (result == 0) {
            canvas_put_title(canvas, &scene);
            set_widths(&layout, &scene.axis[0]);
            for (size_t y = 0; y < scene.axis[1].bands; y++)
                put_row(canvas, &scene, y, &layout);
        }
        if (result == 0 && scene.axis[1].bands > 0) {
            plot_map_put_ticks(canvas, &scene.axis[0], &layout.map);
            put_legend(canvas, &scene);
        }
    }
    scene_close(&scene);
    return result;
}
