/* file_names.c -- the names of the inputs, from a file: --files0-from */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/file_names.h"
#include "util/visible.h"

/* Read all of STREAM to NAMES->text, with a NUL.  Sets *SIZE without it. */
static int
read_text(struct file_names *names, FILE *stream, const char *file,
          size_t *size, struct error *error)
{
    size_t room = 4096;

    *size = 0;
    for (;;) {
        char *grown = realloc(names->text, room);
        if (grown == NULL)
            return error_fail_memory(error);
        names->text = grown;
        *size += fread(grown + *size, 1, room - 1 - *size, stream);
        if (*size < room - 1)
            break;
        room *= 2;
    }
    names->text[*size] = '\0';
    if (ferror(stream) == 0)
        return 0;
    error_set(error, EXIT_DATA, "--files0-from=%s: read error: %s", file,
              strerror(errno));
    return -1;
}

/* Set *ERROR: NAME, the last of NAMES, has line feeds, and no file has it. */
static void
fail_lines(const struct file_names *names, const char *name, const char *file,
           struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_DATA,
              "--files0-from=%s: name %zu, '%s', is not a file: a NUL ends a "
              "name, not a line feed (tr '\\n' '\\0' makes them NULs)",
              file, names->count, visible_name(shown, name, strlen(name)));
}

/* Set the paths to the names in SIZE bytes of text. */
static int
divide(struct file_names *names, size_t size, const char *file,
       struct error *error)
{
    bool is_stdin = strcmp(file, "-") == 0;
    size_t most = 1;

    for (size_t i = 0; i < size; i++)
        most += names->text[i] == '\0';
    names->path = calloc(most, sizeof *names->path);
    if (names->path == NULL)
        return error_fail_memory(error);
    for (char *name = names->text; name < names->text + size;
         name += strlen(name) + 1) {
        names->path[names->count++] = name;
        if (*name == '\0')
            error_set(error, EXIT_DATA, "--files0-from=%s: name %zu is empty",
                      file, names->count);
        else if (strchr(name, '\n') != NULL && access(name, F_OK) < 0)
            fail_lines(names, name, file, error);
        else if (is_stdin && strcmp(name, "-") == 0)
            error_set(error, EXIT_DATA,
                      "--files0-from=-: name %zu is standard input, which has "
                      "the names",
                      names->count);
        if (error->status != EXIT_DONE)
            return -1;
    }
    return 0;
}

int
file_names_read(struct file_names *names, const char *file, struct error *error)
{
    bool is_stdin = strcmp(file, "-") == 0;
    size_t size;

    *names = (struct file_names){0};
    FILE *stream = is_stdin ? stdin : fopen(file, "rb");
    if (stream == NULL) {
        error_set(error, EXIT_DATA, "--files0-from=%s: %s", file,
                  strerror(errno));
        return -1;
    }
    int result = read_text(names, stream, file, &size, error);
    if (!is_stdin)
        fclose(stream);
    return result < 0 ? -1 : divide(names, size, file, error);
}

void
file_names_close(struct file_names *names)
{
    free(names->path);
    free(names->text);
    *names = (struct file_names){0};
}
