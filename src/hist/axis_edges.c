/* axis_edges.c -- axes of --edges and of --log */

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hist/axis_edges.h"

#define SUBDIVISION_MAX 20

/* ---- listed ---- */

/* Check that OPTION may append MORE edges.  Returns 0, or -1 with an error. */
static int
check_room(const struct axis_making *making, const char *option, double more)
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

static int
append_edge(struct axis_making *making, double edge)
{
    struct axis_edges *edges = making->edges;

    /* The capacity is the next power of two. */
    if ((edges->count & (edges->count - 1)) == 0) {
        size_t room = edges->count == 0 ? 1 : edges->count * 2;
        double *grown = realloc(edges->edge, room * sizeof *grown);
        if (grown == NULL) {
            error_set(making->error, EXIT_DATA, "out of memory");
            return -1;
        }
        edges->edge = grown;
    }
    edges->edge[edges->count++] = edge;
    return 0;
}

/* Give the axis the listed edges from index TABLE to the end. */
static int
set_edges(struct axis_making *making, size_t table)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EDGES;
    axis->table = table;
    axis->bins = making->edges->count - table - 1;
    axis->lo = making->edges->edge[table];
    axis->hi = making->edges->edge[making->edges->count - 1];
    return 0;
}

/* Append the edges in TEXT, which is modified; NAME is for messages. */
static int
parse_edges(struct axis_making *making, char *text, const char *name)
{
    static const char separators[] = ", \t\r\n";
    size_t table = making->edges->count;
    char *rest;

    for (char *word = strtok_r(text, separators, &rest); word != NULL;
         word = strtok_r(NULL, separators, &rest)) {
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
        if (append_edge(making, edge) < 0)
            return -1;
    }
    if (making->edges->count < table + 2) {
        error_set(making->error, EXIT_USAGE,
                  "%s: at least two edges are needed", name);
        return -1;
    }
    return set_edges(making, table);
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
            if (check_room(making, path, (double)(used / 2)) < 0)
                goto end;
            char *grown = realloc(*text, room);
            if (grown == NULL) {
                error_set(making->error, EXIT_DATA, "out of memory");
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
axis_edges_list(struct axis_making *making)
{
    const char *argument = making->texts->edges;
    const char *name = "--edges";
    char *text = NULL;
    int result = 0;

    if (*argument == '@') {
        name = argument + 1;
        result = read_file(making, name, &text);
    } else {
        text = strdup(argument);
        if (text == NULL) {
            error_set(making->error, EXIT_DATA, "out of memory");
            return -1;
        }
    }
    if (result == 0)
        result = parse_edges(making, text, name);
    free(text);
    return result;
}

/* ---- logarithmic ---- */

/*
 * Set the range of a logarithmic axis: that of --range, or else the range of
 * all positive values of the type.
 */
static int
find_log_range(const struct axis_making *making, double *lo, double *hi)
{
    if (making->texts->range != NULL) {
        if (strcmp(making->texts->range, "auto") == 0)
            return axis_parse_wrong(
                making, "--range", "auto",
                "makes bins of one width; --log without a range has bins "
                "for all values");
        if (axis_parse_range(making, lo, hi) < 0)
            return -1;
        if (*lo < DBL_MIN)
            return axis_parse_wrong(
                making, "--range", making->texts->range,
                "a logarithmic axis starts above 0, at 2^-1022");
        return 0;
    }
    switch (making->axis->type) {
    case SAMPLE_F2:
        *lo = 0x1p-24;
        *hi = 0x1p16;
        break;
    case SAMPLE_F4:
        *lo = 0x1p-149;
        *hi = 0x1p128;
        break;
    case SAMPLE_F8:
        *lo = DBL_MIN;
        *hi = DBL_MAX;
        break;
    default:
        *lo = 1;
        *hi = making->most < 1 ? 2 : (double)(making->most + 1);
        /* The last edge must be above the greatest value. */
        if ((number_integer)*hi <= making->most)
            *hi = nextafter(*hi, INFINITY);
        break;
    }
    /* With bins (lo,hi] the least value must be above the first edge. */
    if (making->axis->closed == BINNING_RIGHT && *lo > DBL_MIN)
        *lo = nextafter(*lo, 0);
    return 0;
}

/* Make even bins within each octave, as bpftrace and HdrHistogram do. */
static void
make_log2(struct axis_making *making, double lo, double hi,
          unsigned int subdivision)
{
    struct binning_axis *axis = making->axis;
    unsigned int rest = 52 - subdivision;
    int64_t bias = (int64_t)1023 << subdivision;
    uint64_t first = binning_double_bits(lo) >> rest;
    uint64_t high = binning_double_bits(hi);
    uint64_t last = high >> rest;

    if (last << rest != high)
        last++;
    axis->kind = BINNING_LOG2;
    axis->subdivision = subdivision;
    axis->first_step = (int64_t)first - bias;
    axis->bins = last - first;
    axis->lo = binning_log2_edge(axis, 0);
    axis->hi = binning_log2_edge(axis, axis->bins);
}

/* 10 or e to the power STEP / 2^SUBDIVISION; whole powers of 10 are exact. */
static double
log_edge(bool is_decimal, long step, unsigned int subdivision)
{
    long steps = 1L << subdivision;
    char text[NUMBER_TEXT_BYTES];

    if (!is_decimal)
        return exp((double)step / (double)steps);
    if (step % steps != 0)
        return pow(10, (double)step / (double)steps);
    snprintf(text, sizeof text, "1e%ld", step / steps);
    return strtod(text, NULL);
}

/*
 * Make bins of one ratio, 2^SUBDIVISION of them for each power of 10 or e.
 * An edge beyond the greatest double is infinite.
 */
static int
make_log_edges(struct axis_making *making, double lo, double hi,
               bool is_decimal, unsigned int subdivision)
{
    double steps = (double)(1L << subdivision);
    double first_step = (is_decimal ? log10(lo) : log(lo)) * steps;
    double last_step = (is_decimal ? log10(hi) : log(hi)) * steps;
    long step = (long)floor(first_step) - 1;
    size_t table = making->edges->count;
    double edge;

    if (check_room(making, "--log", ceil(last_step - first_step)) < 0)
        return -1;
    /* From the last edge at or below LO to the first at or above HI. */
    while (log_edge(is_decimal, step + 1, subdivision) <= lo)
        step++;
    do {
        edge = log_edge(is_decimal, step++, subdivision);
        if (append_edge(making, edge) < 0)
            return -1;
    } while (edge < hi);
    return set_edges(making, table);
}

int
axis_edges_log(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    uint64_t subdivision = 0;
    double lo;
    double hi;

    if (texts->subdiv != NULL &&
        (axis_parse_bits(texts->subdiv, &subdivision) < 0 ||
         subdivision > SUBDIVISION_MAX))
        return axis_parse_wrong(making, "--subdiv", texts->subdiv,
                                "not a number from 0 to 20");
    if (find_log_range(making, &lo, &hi) < 0)
        return -1;
    making->axis->is_log = true;
    making->axis->is_trimmed = texts->range == NULL;
    if (strcmp(texts->log, "2") == 0) {
        make_log2(making, lo, hi, (unsigned int)subdivision);
        return 0;
    }
    bool is_decimal = strcmp(texts->log, "10") == 0;
    if (!is_decimal && strcmp(texts->log, "e") != 0)
        return axis_parse_wrong(making, "--log", texts->log,
                                "not a base: 2, 10 or e");
    return make_log_edges(making, lo, hi, is_decimal,
                          (unsigned int)subdivision);
}
