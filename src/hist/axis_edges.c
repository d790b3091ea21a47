/* SPDX-License-Identifier: MIT */
/* axis_edges.c -- axes whose edges are listed, and --edges */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hist/axis_edges.h"
#include "hist/axis_finding.h"
#include "hist/axis_rule.h"

int
axis_edges_check_room(const struct axis_making *making, const char *option,
                      double more)
{
    const struct axis_edges *edges = making->edges;
    double wanted = (double)edges->count + more;

    if (edges->most == 0 || wanted <= (double)edges->most)
        return 0;
    error_set(making->error, EXIT_USAGE,
              "%s: %.0f edges need %.0f bytes; --memory-limit has room for "
              "%zu of them",
              option, wanted, wanted * sizeof *edges->edge, edges->most);
    return -1;
}

int
axis_edges_append(struct axis_making *making, double edge)
{
    struct axis_edges *edges = making->edges;

    /* The capacity is the next power of two. */
    if ((edges->count & (edges->count - 1)) == 0) {
        size_t room = edges->count == 0 ? 1 : edges->count * 2;
        double *grown = realloc(edges->edge, room * sizeof *grown);
        if (grown == NULL)
            return error_fail_memory(making->error);
        edges->edge = grown;
    }
    edges->edge[edges->count++] = edge;
    return 0;
}

int
axis_edges_set(struct axis_making *making, size_t table)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EDGES;
    axis->table = table;
    axis->bins = making->edges->count - table - 1;
    axis->lo = making->edges->edge[table];
    axis->hi = making->edges->edge[making->edges->count - 1];
    return 0;
}

bool
axis_edges_are_of(const struct binning_axis *axis)
{
    return axis->kind == BINNING_EDGES;
}

char *
axis_edges_text(const struct binning_axis *axis, const struct axis_edges *edges)
{
    size_t count = (size_t)axis->bins + 1;
    char *text = malloc(count * (NUMBER_TEXT_BYTES + 1));
    char *at = text;

    if (text == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        at = number_put_double(edges->edge[axis->table + i], at);
        *at++ = ',';
    }
    at[-1] = '\0';
    return text;
}

/* Whether TEXT has an edge on both sides of each comma. */
static bool
has_all_edges(const char *text)
{
    static const char blanks[] = " \t\r\n";
    const char *word = text;

    if (strchr(text, ',') == NULL)
        return true;
    do {
        word += strspn(word, blanks);
        size_t length = strcspn(word, ",");
        if (length == 0)
            return false;
        word += length;
    } while (*word++ == ',');
    return true;
}

/* Append the edges in TEXT, which is modified; NAME is for messages. */
static int
parse_edges(struct axis_making *making, char *text, const char *name)
{
    static const char separators[] = ", \t\r\n";
    size_t table = making->edges->count;
    char *next;

    for (char *word = strtok_r(text, separators, &next); word != NULL;
         word = strtok_r(NULL, separators, &next)) {
        double edge;
        if (axis_parse_number(word, &edge) < 0) {
            error_set(making->error, EXIT_USAGE,
                      "%s: '%.40s' is not a finite number", name, word);
            return -1;
        }
        if (making->edges->count > table &&
            edge <= making->edges->edge[making->edges->count - 1]) {
            error_set(making->error, EXIT_USAGE,
                      "%s: edge %zu, %.40s, is not above the previous one",
                      name, making->edges->count - table + 1, word);
            return -1;
        }
        if (axis_edges_append(making, edge) < 0)
            return -1;
    }
    if (making->edges->count < table + 2) {
        error_set(making->error, EXIT_USAGE,
                  "%s: at least two edges are needed", name);
        return -1;
    }
    return axis_edges_set(making, table);
}

/*
 * Read the file PATH into a string, *TEXT for free().  Returns 0, or -1 with
 * the error set.
 */
static int
read_file(const struct axis_making *making, const char *path, char **text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    size_t room = 0;
    size_t used = 0;
    ssize_t got = 0;
    int result = -1;

    *text = NULL;
    if (fd < 0) {
        error_set(making->error, EXIT_USAGE, "--edges=@%s: cannot read: %s",
                  path, strerror(errno));
        return -1;
    }
    do {
        used += (size_t)got;
        if (used + 1 >= room) {
            room = room == 0 ? 1 << 13 : 2 * room;
            /* An edge and its separator take at least two characters. */
            if (axis_edges_check_room(making, path, (double)(used / 2)) < 0)
                goto end;
            char *grown = realloc(*text, room);
            if (grown == NULL) {
                (void)error_fail_memory(making->error);
                goto end;
            }
            *text = grown;
        }
        do
            got = read(fd, *text + used, room - used - 1);
        while (got < 0 && errno == EINTR);
    } while (got > 0);
    if (got < 0)
        error_set(making->error, EXIT_USAGE, "--edges=@%s: cannot read: %s",
                  path, strerror(errno));
    else if (memchr(*text, '\0', used) != NULL)
        error_set(making->error, EXIT_USAGE,
                  "%s: offset %zu: a zero byte: not a text file", path,
                  strnlen(*text, used));
    else
        result = 0;
    (*text)[used] = '\0';
end:
    close(fd);
    return result;
}

int
axis_edges_make(struct axis_making *making)
{
    const char *argument = making->texts->edges;
    const char *found = axis_finding_edges(argument);
    const char *name = "--edges";
    char *text = NULL;
    int result = 0;

    if (found != NULL) {
        if (making->axis->closed == BINNING_RIGHT)
            return axis_parse_wrong(making, name, argument,
                                    "excludes --closed=right");
        making->axis->closed = BINNING_NUMPY;
        argument = found;
    }
    if (*argument == '@') {
        name = argument + 1;
        result = read_file(making, name, &text);
    } else if (!has_all_edges(argument)) {
        /* In a file, lines may end with commas. */
        return axis_parse_wrong(making, name, argument,
                                "an edge is missing beside a comma");
    } else {
        text = strdup(argument);
        if (text == NULL)
            return error_fail_memory(making->error);
    }
    if (result == 0)
        result = parse_edges(making, text, name);
    free(text);
    return result;
}
