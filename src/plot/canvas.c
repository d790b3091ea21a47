/* canvas.c -- parts of pictures that are drawn on a terminal */

#include <math.h>
#include <string.h>

#include "plot/canvas.h"

/* A bar needs at least this many columns. */
#define BAR_MIN 8

static const char *const eighths[] = {"▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
static const char *const halves[] = {"-", "="};
static const char *const hatch[] = {"▒"};
static const char *const colons[] = {":"};

static const struct ramp bar_ramp[2] = {RAMP(halves), RAMP(eighths)};
static const struct ramp negative_ramp[2] = {RAMP(colons), RAMP(hatch)};
const char canvas_reset[] = "\033[m";

void
canvas_put_spaces(FILE *out, size_t count)
{
    for (; count > 0; count--)
        putc(' ', out);
}

void
canvas_put_cut(FILE *out, const char *text, size_t columns)
{
    fprintf(out, "%.*s", (int)columns, text);
}

size_t
canvas_bar_columns(const struct canvas *canvas, size_t used, size_t *amount)
{
    if (used + *amount + 1 + BAR_MIN > canvas->columns)
        *amount = 0;
    else
        used += *amount + 1;
    return canvas->columns > used ? canvas->columns - used : 0;
}

void
canvas_put_title(const struct canvas *canvas, const struct scene *scene)
{
    char title[SCENE_TITLE_BYTES];

    scene_title(scene, title);
    /* Cut at a comma or a space: a number that is cut is a wrong number. */
    while (strlen(title) > canvas->columns) {
        char *end = strrchr(title, ',');
        if (end == NULL)
            end = strrchr(title, ' ');
        if (end == NULL)
            break;
        *end = '\0';
    }
    canvas_put_cut(canvas->out, title, canvas->columns);
    putc('\n', canvas->out);
}

void
canvas_put_bar(const struct canvas *canvas, double amount, double part,
               bool is_flow, size_t columns)
{
    bool is_utf8 = canvas->terminal->is_utf8;
    const struct ramp *ramp =
        amount < 0 ? &negative_ramp[is_utf8] : &bar_ramp[is_utf8];
    size_t steps = (size_t)lround(part * (double)columns * (double)ramp->count);

    /* Every amount except 0 is visible. */
    if (steps == 0 && amount != 0 && !isnan(amount))
        steps = 1;
    if (columns == 0 || steps == 0)
        return;
    if (canvas->terminal->has_colour)
        fprintf(canvas->out, "\033[%dm", amount < 0 ? 31 : is_flow ? 33 : 36);
    for (; steps >= ramp->count; steps -= ramp->count)
        fputs(ramp->text[ramp->count - 1], canvas->out);
    if (steps > 0)
        fputs(ramp->text[steps - 1], canvas->out);
    if (canvas->terminal->has_colour)
        fputs(canvas_reset, canvas->out);
}
