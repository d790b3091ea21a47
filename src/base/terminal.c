/* SPDX-License-Identifier: MIT */
/* terminal.c -- size and capabilities of a terminal */

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/size.h"
#include "base/terminal.h"

/* A wrong size must not exhaust the memory. */
#define LENGTH_MAX 10000

/* The number in environment variable NAME, or OTHERWISE. */
static size_t
read_length(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    uint64_t length;

    if (text == NULL || size_parse(text, &length) < 0 || length == 0 ||
        length > LENGTH_MAX)
        return otherwise;
    return (size_t)length;
}

/* Whether TEXT, which may be NULL, has one of the COUNT words. */
static bool
has_word(const char *text, const char *const *word, size_t count)
{
    for (size_t i = 0; text != NULL && i < count; i++) {
        if (strstr(text, word[i]) != NULL)
            return true;
    }
    return false;
}

#define HAS_WORD(text, words) \
    has_word(text, words, sizeof(words) / sizeof *(words))

/* The colours of a terminal that TERM names NAME. */
static enum terminal_colours
find_colours(const char *name)
{
    static const char *const none[] = {"vt1", "vt2", "mono"};
    static const char *const true_words[] = {"truecolor", "24bit"};
    static const char *const true_names[] = {"direct", "truecolor"};
    static const char *const names_256[] = {"256",  "kitty",   "alacritty",
                                            "foot", "ghostty", "wezterm"};
    const char *no_colour = getenv("NO_COLOR");

    if ((no_colour != NULL && *no_colour != '\0') || HAS_WORD(name, none))
        return TERMINAL_COLOURS_NONE;
    if (HAS_WORD(getenv("COLORTERM"), true_words) || HAS_WORD(name, true_names))
        return TERMINAL_COLOURS_TRUE;
    return HAS_WORD(name, names_256) ? TERMINAL_COLOURS_256
                                     : TERMINAL_COLOURS_16;
}

/* Whether COLORFGBG, "0;15" or "0;default;15", ends in a light colour. */
static bool
has_light_background(void)
{
    const char *text = getenv("COLORFGBG");
    const char *last = text != NULL ? strrchr(text, ';') : NULL;

    return last != NULL && last[1] != '\0' && strcmp(last, ";8") != 0 &&
           strlen(last + 1) == strspn(last + 1, "0123456789") &&
           strtoul(last + 1, NULL, 10) >= 7;
}

struct terminal
terminal_look(int fd)
{
    struct winsize size;
    bool has_size = ioctl(fd, TIOCGWINSZ, &size) == 0;
    const char *name = getenv("TERM");
    bool can_move = isatty(fd) && name != NULL && *name != '\0' &&
                    strcmp(name, "dumb") != 0;

    return (struct terminal){
        .columns = has_size && size.ws_col > 0 ? size.ws_col
                                               : read_length("COLUMNS", 80),
        .rows = has_size && size.ws_row > 0 ? size.ws_row
                                            : read_length("LINES", 24),
        .can_move = can_move,
        .colours = can_move ? find_colours(name) : TERMINAL_COLOURS_NONE,
        .is_light = has_light_background(),
        .is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };
}
