/* SPDX-License-Identifier: MIT */
/* output_files.c -- no output of a run may replace a file that must stay */

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/same_file.h"
#include "cli/output_files.h"
#include "input/content/content.h"

/* ---- files read beside the inputs ---- */

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
 * output to the descriptor would be lost with the old file.  For a link, as
 * /dev/stdout, output_open() uses the descriptor.  Returns 0, or -1 with *ERROR
 * set.
 */
static int
check_stream(const char *option, const char *path, int fd, const char *stream,
             struct error *error)
{
    struct stat named;
    struct stat open;

    if (lstat(path, &named) < 0 || !S_ISREG(named.st_mode) ||
        fstat(fd, &open) < 0 || !same_file(&named, &open))
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s=%s: would replace the file of standard %s, whose text "
              "would be lost",
              option, path, stream);
    return -1;
}

/* ---- states ---- */

/* Whether the file PATH starts like a state, perhaps compressed. */
static bool
has_state(const char *path, const struct options *options,
          struct budget *budget)
{
    const struct reading reading = {.decompress = options->decompress,
                                    .read_bytes = UINT64_MAX};
    /* Not "-", standard input. */
    struct content content = {
        .source = {.path = path, .display_name = path, .fd = -1}};
    struct decoder *no_spare = NULL;
    struct sniff sniff = {0};
    unsigned char start[SNIFF_HEAD_BYTES];
    ssize_t got;

    if (content_open(&content, &reading, budget, &no_spare) == 0) {
        while (sniff.bytes < sizeof start &&
               (got = content_read_some(&content, start,
                                        sizeof start - sniff.bytes)) > 0)
            sniff_add(&sniff, start, (size_t)got);
    }
    content_free(&content);
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

/* ---- an argument that was forgotten ---- */

/* Bytes of a first line that are looked at. */
#define FIRST_LINE_BYTES 4096

/*
 * Read the first line of the regular file PATH to LINE, with a NUL instead of
 * the line feed.  Returns the length; 0: no line feed, or a file that cannot be
 * read.
 */
static size_t
read_first_line(const char *path, char line[FIRST_LINE_BYTES + 1])
{
    struct stat status;
    ssize_t got = 0;

    if (stat(path, &status) < 0 || !S_ISREG(status.st_mode))
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        got = read(fd, line, FIRST_LINE_BYTES);
        close(fd);
    }
    size_t size = got > 0 ? (size_t)got : 0;
    const char *end = memchr(line, '\n', size);
    if (end != NULL)
        size = (size_t)(end - line);
    line[size] = '\0';
    return size;
}

/* Whether LINE may be the first line of this program's output. */
static bool
is_of_output(const char *line)
{
    static const char *const starts[] = {
        "|",      "#",           "<",        "\x93NUMPY", "{\"gpuhist\"",
        "{\"uhi", "{\"resource", "min_len:", "bytes: ",
    };
    size_t blanks = strspn(line, " ");

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        if (strncmp(line, starts[i], strlen(starts[i])) == 0)
            return true;
    }
    /* tsv and statistics; uniq; histo; csv; table; jsonl. */
    if (strchr(line, '\t') != NULL ||
        (blanks > 0 && isdigit((unsigned char)line[blanks])) ||
        strspn(line, "0123456789 ") == strlen(line))
        return true;
    return (strchr(line, ',') != NULL || strstr(line, "  ") != NULL ||
            *line == '{') &&
           (strstr(line, "count") != NULL || strstr(line, "sum") != NULL);
}

/* Whether A and B are in one directory with the same end of their names:
   "d/1.log" and "d/2.log". */
static bool
are_alike(const char *a, const char *b)
{
    const char *name_a = strrchr(a, '/') != NULL ? strrchr(a, '/') + 1 : a;
    const char *name_b = strrchr(b, '/') != NULL ? strrchr(b, '/') + 1 : b;
    const char *suffix_a = strrchr(name_a, '.');
    const char *suffix_b = strrchr(name_b, '.');

    return name_a - a == name_b - b &&
           strncmp(a, b, (size_t)(name_a - a)) == 0 && suffix_a != NULL &&
           suffix_b != NULL && strcmp(suffix_a, suffix_b) == 0;
}

/*
 * Check that PATH, the file of --OPTION, is not one more input, as in "-o
 * *.log": a file beside the first input with the same end of the name, whose
 * content starts like the input, or unlike output.  Returns 0, or -1 with
 * *ERROR set.
 */
static int
check_forgotten(const char *option, const char *path,
                const struct options *options, struct error *error)
{
    char old[FIRST_LINE_BYTES + 1];
    char first[FIRST_LINE_BYTES + 1];

    if (options->provenance.path_count == 0 ||
        !are_alike(path, options->provenance.paths[0]) ||
        read_first_line(path, old) == 0)
        return 0;
    const char *input = options->provenance.paths[0];
    if (is_of_output(old) &&
        (read_first_line(input, first) == 0 || strcmp(old, first) != 0))
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s=%s: the file looks like an input, as %s, and would be "
              "replaced; name another file, or remove this one",
              option, path, input);
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
    enum {
        OUTPUT,
        EQUALIZE,
        SVG,
        STATE
    };
    const struct {
        const char *name;
        const char *path; /* NULL: not given */
    } output[] = {[OUTPUT] = {"output", options->output},
                  [EQUALIZE] = {"equalize", options->equalize},
                  [SVG] = {"svg", options->svg},
                  [STATE] = {"state", options->state}};
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
        /* --state replaces only a state; an image may be one of several. */
        if (i != EQUALIZE && i != STATE &&
            check_forgotten(output[i].name, output[i].path, options, error) < 0)
            return -1;
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
