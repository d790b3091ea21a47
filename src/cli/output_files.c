/* output_files.c -- that no output of a run replaces what must stay */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output_files.h"
#include "input/inputs.h"

/* ---- what is read beside the inputs ---- */

/* Check PATH, or standard input if it is "-" and may be, of --OPTION=TEXT. */
static int
check_list(const struct written_files *files, const char *option,
           const char *text, const char *path, struct error *error)
{
    char name[256];
    struct stat status;
    bool is_stdin = path == text && strcmp(path, "-") == 0;

    if ((is_stdin ? fstat(STDIN_FILENO, &status) : stat(path, &status)) < 0)
        return 0; /* its reader reports the error */
    snprintf(name, sizeof name, "--%s=%s", option, text);
    return written_files_check(files, &status, name, error);
}

/* Check the files with names and with edges.  Returns 0, or -1 with *ERROR
   set. */
static int
check_lists(const struct written_files *files, const struct options *options,
            struct error *error)
{
    const struct axis_option *edges = &options->spec.axis.edges;

    if (options->files0_from != NULL &&
        check_list(files, "files0-from", options->files0_from,
                   options->files0_from, error) < 0)
        return -1;
    for (size_t i = 0; i < edges->count; i++) {
        const char *text = edges->text[i];
        if (*text == '@' &&
            check_list(files, "edges", text, text + 1, error) < 0)
            return -1;
    }
    return 0;
}

/* ---- two outputs ---- */

/*
 * Check that the file PATH of --OPTION is not also STREAM, the descriptor FD:
 * what goes to the descriptor would be lost with the old file.  A link, as
 * /dev/stdout, is no name of its own: output_open() uses the descriptor.
 * Returns 0, or -1 with *ERROR set.
 */
static int
check_stream(const char *option, const char *path, int fd, const char *stream,
             struct error *error)
{
    struct stat named;
    struct stat open;

    if (lstat(path, &named) < 0 || !S_ISREG(named.st_mode) ||
        fstat(fd, &open) < 0 || named.st_dev != open.st_dev ||
        named.st_ino != open.st_ino)
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s=%s: would replace the file of standard %s, whose text "
              "would be lost",
              option, path, stream);
    return -1;
}

/* ---- states ---- */

/* Whether the file PATH begins as a state does, perhaps a compressed one. */
static bool
has_state(const char *path, const struct options *options,
          struct budget *budget)
{
    const struct reading reading = {.decompress = options->decompress,
                                    .read_bytes = UINT64_MAX};
    char *paths[] = {(char *)(uintptr_t)path};
    struct error error = ERROR_NONE;
    struct decoder *spare = NULL;
    struct inputs inputs;
    struct sniff sniff = {0};
    unsigned char start[SNIFF_HEAD_BYTES];
    ssize_t got;

    if (inputs_open(&inputs, paths, 1, &reading, budget, &error) < 0) {
        error_clear(&error);
        return false;
    }
    struct content *content = &inputs.input[0].content;
    /* Not "-", standard input. */
    content->source.path = path;
    if (content_open(content, &reading, budget, &spare) == 0) {
        while (sniff.bytes < sizeof start &&
               (got = content_read_some(content, start,
                                        sizeof start - sniff.bytes)) > 0)
            sniff_add(&sniff, start, (size_t)got);
    }
    content_close(content);
    inputs_close(&inputs);
    return sniff_is_state(&sniff);
}

int
output_files_check_state(const struct options *options, struct budget *budget,
                         struct error *error)
{
    const char *path = options->state;
    struct stat status;

    if (path == NULL || stat(path, &status) < 0 || !S_ISREG(status.st_mode) ||
        status.st_size == 0 || has_state(path, options, budget))
        return 0;
    error_set(error, EXIT_USAGE,
              "--state=%s: the file is no state, so it is not replaced", path);
    return -1;
}

/* ---- all of it ---- */

/* Whether --merge may read the file of the option NAME, its sum. */
static bool
is_sum(const struct options *options, const char *name)
{
    if (!options->merge)
        return false;
    return options->state != NULL ? strcmp(name, "state") == 0
                                  : strcmp(name, "output") == 0 &&
                                        options->report.format == FORMAT_STATE;
}

int
output_files_check(struct written_files *files, const struct options *options,
                   struct error *error)
{
    const struct {
        const char *name;
        const char *path; /* NULL: not given */
    } output[] = {{"output", options->output},
                  {"equalize", options->equalize},
                  {"svg", options->svg},
                  {"state", options->state}};
    const size_t count = sizeof output / sizeof *output;
    bool has_stderr = options->stats == PLACE_BESIDE ||
                      options->plot == PLACE_BESIDE || options->explain;
    struct written_files all = {0};

    *files = (struct written_files){0};
    if (options->output == NULL) {
        written_files_add(files, NULL, NULL);
        written_files_add(&all, NULL, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        if (output[i].path == NULL)
            continue;
        written_files_add(&all, output[i].name, output[i].path);
        if (!is_sum(options, output[i].name))
            written_files_add(files, output[i].name, output[i].path);
        if (options->output == NULL &&
            check_stream(output[i].name, output[i].path, STDOUT_FILENO,
                         "output", error) < 0)
            return -1;
        if (has_stderr && check_stream(output[i].name, output[i].path,
                                       STDERR_FILENO, "error", error) < 0)
            return -1;
    }
    return check_lists(&all, options, error);
}
