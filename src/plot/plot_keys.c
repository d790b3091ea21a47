/* plot_keys.c -- bars of keys as text */

#include <string.h>

#include "plot/bar_name.h"
#include "plot/plot_keys.h"

/* The columns of each part of a line; 0 for a part that is left out. */
struct layout {
    size_t name_most;
    size_t name;
    size_t amount;
    size_t bar;
};

/* Amounts are left out if there is no room for bars beside them. */
static struct layout
find_layout(const struct canvas *canvas, const struct scene *scene)
{
    struct layout layout = {.name_most = bar_name_most(canvas->columns / 2)};
    char name[KEY_NAME_BYTES(KEY_NAME_COLUMNS_MAX)];
    char amount[SUM_TEXT_BYTES];

    for (size_t i = 0; i < scene->axis[0].bands; i++) {
        size_t columns =
            bar_name_draw(canvas, scene, i, layout.name_most, name);
        scene_amount_text(scene, i, amount);
        if (layout.name < columns)
            layout.name = columns;
        if (layout.amount < strlen(amount))
            layout.amount = strlen(amount);
    }
    layout.bar = canvas_bar_columns(canvas, layout.name + 1, &layout.amount);
    return layout;
}

static void
put_row(const struct canvas *canvas, const struct scene *scene, size_t i,
        const struct layout *layout)
{
    double amount = scene_amount(scene, i);
    double part = scale_part(&scene->scale, amount);
    char name[KEY_NAME_BYTES(KEY_NAME_COLUMNS_MAX)];
    char text[SUM_TEXT_BYTES];
    size_t columns = bar_name_draw(canvas, scene, i, layout->name_most, name);

    fputs(name, canvas->out);
    canvas_put_spaces(canvas->out, layout->name - columns);
    if (layout->amount > 0) {
        scene_amount_text(scene, i, text);
        fprintf(canvas->out, " %*s", (int)layout->amount, text);
    }
    if (layout->bar > 0 && part > 0)
        putc(' ', canvas->out);
    canvas_put_bar(canvas, amount, part, scene->axis[0].band[i].is_flow,
                   layout->bar);
    putc('\n', canvas->out);
}

void
plot_keys_put(const struct canvas *canvas, const struct scene *scene)
{
    struct layout layout = find_layout(canvas, scene);

    for (size_t i = 0; i < scene->axis[0].bands; i++) {
        if (!canvas->nonzero || !scene_is_empty(scene, i))
            put_row(canvas, scene, i, &layout);
    }
}
