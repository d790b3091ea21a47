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

static bool
wants_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");

    return no_colour == NULL || *no_colour == '\0';
}

struct terminal
terminal_look(int fd)
{
    struct winsize size;
    bool has_size = ioctl(fd, TIOCGWINSZ, &size) == 0;
    const char *name = getenv("TERM");
    bool can_move = isatty(fd) && name != NULL && strcmp(name, "dumb") != 0;

    return (struct terminal){
        .columns = has_size && size.ws_col > 0 ? size.ws_col
                                               : read_length("COLUMNS", 80),
        .rows = has_size && size.ws_row > 0 ? size.ws_row
                                            : read_length("LINES", 24),
        .can_move = can_move,
        .has_colour = can_move && wants_colour(),
        .is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };
}
