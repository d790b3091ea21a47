/* svg_keys.c -- bars of keys as SVG */

#include <math.h>
#include <string.h>

#include "plot/bar_name.h"
#include "plot/svg_keys.h"
#include "plot/svg_page.h"
#include "plot/svg_text.h"

#define ROW_HEIGHT 18
#define BAR_HEIGHT 13
#define AXIS_HEIGHT 52

/* Names are in a font whose characters all have this width. */
#define COLUMN_WIDTH 7.3
#define NAME_COLUMNS 40
#define TITLE_COLUMNS 200

#define MARGIN 14

/* Where bars begin, and the most that one takes. */
struct sides {
    double left;
    double width;
};

double
svg_keys_height(const struct scene_subject *subject, size_t i)
{
    size_t bars = key_bars_count(subject, i, SVG_KEYS_MOST);

    return MARGIN_TOP + (double)bars * ROW_HEIGHT + AXIS_HEIGHT;
}

/* Write up to MOST columns of the name of bar I.  Returns the columns. */
static size_t
write_name(const struct scene *scene, size_t i, size_t most,
           char text[KEY_NAME_BYTES(TITLE_COLUMNS)])
{
    return bar_name_write(scene, i, KEY_NAME_DOCUMENT, most, text);
}

static struct sides
find_sides(const struct scene *scene)
{
    size_t name = 0;
    size_t amount = 0;

    for (size_t i = 0; i < scene->axis[0].bands; i++) {
        char text[KEY_NAME_BYTES(TITLE_COLUMNS)];
        size_t columns = write_name(scene, i, NAME_COLUMNS, text);
        name = columns > name ? columns : name;
        scene_amount_text(scene, i, text);
        amount = strlen(text) > amount ? strlen(text) : amount;
    }
    double left = 2 * MARGIN + COLUMN_WIDTH * (double)name;
    left = left > MARGIN_LEFT ? left : MARGIN_LEFT;
    return (struct sides){left, PAGE_WIDTH - left - 2 * MARGIN -
                                    COLUMN_WIDTH * (double)amount};
}

static void
put_bar(FILE *out, const struct scene *scene, size_t i,
        const struct sides *sides)
{
    bool is_flow = scene->axis[0].band[i].is_flow;
    double amount = scene_amount(scene, i);
    double width = sides->width * scale_part(&scene->scale, amount);
    double y = (double)i * ROW_HEIGHT;
    char name[KEY_NAME_BYTES(TITLE_COLUMNS)];
    char text[SUM_TEXT_BYTES];

    write_name(scene, i, NAME_COLUMNS, name);
    svg_text_put_label(out, -8, y + BAR_HEIGHT,
                       is_flow ? " text-anchor=\"end\" fill=\"#7a4a0b\""
                               : " text-anchor=\"end\"",
                       name);
    /* Every amount except 0 is visible. */
    if (amount == 0 || isnan(amount))
        width = 0;
    else if (width < 1)
        width = 1;
    scene_amount_text(scene, i, text);
    fprintf(out, "<rect y=\"%.6g\" width=\"%.6g\" height=\"%d\" fill=\"%s\">",
            y + (ROW_HEIGHT - BAR_HEIGHT) / 2.0, width, BAR_HEIGHT,
            amount < 0 ? NEGATIVE_COLOUR
            : is_flow  ? FLOW_COLOUR
                       : BAR_COLOUR);
    write_name(scene, i, TITLE_COLUMNS, name);
    fputs("<title>", out);
    svg_text_put(out, name);
    fprintf(out, ": %s</title></rect>\n", text);
    svg_text_put_label(out, width + 6, y + BAR_HEIGHT, " fill=\"#444\"", text);
}

/* Amounts from 0 on, below HEIGHT, and lines up to the first bar. */
static void
put_amounts(FILE *out, const struct scene *scene, double height,
            const struct sides *sides)
{
    struct tick tick[SCALE_TICKS_MAX];
    size_t count = scale_ticks(&scene->scale, 7, tick);
    char name[SCENE_NAME_BYTES];

    fputs("<path d=\"", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "M%.6g 0v%.6g",
                sides->width * scale_part(&scene->scale, tick[i].value),
                height);
    fprintf(out,
            "\" stroke=\"#ddd\" fill=\"none\"/>\n<path d=\"M0 0v%.6g\" "
            "stroke=\"#000\"/>\n<g text-anchor=\"middle\">\n",
            height);
    for (size_t i = 0; i < count; i++)
        svg_text_put_label(
            out, sides->width * scale_part(&scene->scale, tick[i].value),
            height + 16, "", tick[i].text);
    scene_amounts_name(scene, name);
    svg_text_put_label(out, sides->width / 2, height + 34, "", name);
    fputs("</g>\n", out);
}

void
svg_keys_put(FILE *out, const struct scene *scene, double top)
{
    const struct sides sides = find_sides(scene);
    double height = (double)scene->axis[0].bands * ROW_HEIGHT;
    char title[SCENE_TITLE_BYTES];

    scene_title(scene, title);
    svg_text_put_label(out, MARGIN_LEFT, top + MARGIN_TOP - 14,
                       " font-size=\"13\" fill=\"#444\"", title);
    fprintf(out, "<g transform=\"translate(%.6g,%.6g)\">\n", sides.left,
            top + MARGIN_TOP);
    put_amounts(out, scene, height, &sides);
    fputs("<g font-family=\"monospace\" xml:space=\"preserve\">\n", out);
    for (size_t i = 0; i < scene->axis[0].bands; i++)
        put_bar(out, scene, i, &sides);
    fputs("</g>\n</g>\n", out);
}
