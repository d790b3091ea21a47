/* file_names.c -- the names of the inputs, from a file: --files0-from */

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/visible.h"
#include "cli/file_names.h"
#include "input/read/input_slots.h"

/* Memory for a name beside its bytes: a pointer to it, and its input's slot. */
#define NAME_BYTES (sizeof(char *) + sizeof(struct input_slot))

/* Set *ERROR: COUNT names or more do not fit into LIMIT bytes.  Returns -1. */
static int
fail_limit(const char *file, size_t count, uint64_t limit, struct error *error)
{
    error_set(error, EXIT_DATA,
              "--files0-from=%s: %zu names or more do not fit into "
              "--memory-limit, %llu bytes: each takes its length and %zu bytes",
              file, count, (unsigned long long)limit, NAME_BYTES);
    return -1;
}

/* Returns how many NULs are in the SIZE bytes of TEXT. */
static size_t
count_ends(const char *text, size_t size)
{
    size_t ends = 0;

    for (size_t i = 0; i < size; i++)
        ends += text[i] == '\0';
    return ends;
}

/*
 * Read all of STREAM to NAMES->text, with a NUL, as long as it fits into LIMIT
 * bytes.  Sets *SIZE without it.  Returns 0, or -1 with *ERROR set.
 */
static int
read_text(struct file_names *names, FILE *stream, const char *file,
          uint64_t limit, size_t *size, struct error *error)
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
        if (*size > limit)
            return fail_limit(file, count_ends(grown, *size), limit, error);
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

/* Set the paths to the names in SIZE bytes of text, if that fits into LIMIT
   bytes. */
static int
divide(struct file_names *names, size_t size, const char *file, uint64_t limit,
       struct error *error)
{
    bool is_stdin = strcmp(file, "-") == 0;
    size_t most = count_ends(names->text, size) + 1;

    names->bytes = size + most * NAME_BYTES;
    if (names->bytes > limit)
        return fail_limit(file, most - 1, limit, error);
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
file_names_read(struct file_names *names, const char *file, uint64_t limit,
                struct error *error)
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
    int result = read_text(names, stream, file, limit, &size, error);
    if (!is_stdin)
        fclose(stream);
    return result < 0 ? -1 : divide(names, size, file, limit, error);
}

void
file_names_close(struct file_names *names)
{
    free(names->path);
    free(names->text);
    *names = (struct file_names){0};
}
