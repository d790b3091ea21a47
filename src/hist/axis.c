/* axis.c -- from what the user says to an axis, and from there to its edges */

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hist/axis.h"
#include "hist/lattice.h"
#include "util/number.h"
#include "util/size.h"

/* numpy's number of bins where nobody says another. */
#define BINS_DEFAULT 10

/* So many different values are all listed without being asked for. */
#define DIRECT_BINS_MAX 65536

#define SUBDIVISION_MAX 20

/*
 * (hi - lo) / width counts as a whole number when it is so close to one: by
 * this fraction of it, and by no more than this fraction of a bin.
 */
#define WIDTHS_TOLERANCE 1e-9
#define BIN_TOLERANCE 1e-3

/* An axis in the making. */
struct making {
    struct binning_axis *axis;
    struct axis_edges *edges;
    const struct axis_texts *texts;
    bool is_integer;
    /* Integers: what can occur after shift, mask and mod, both included. */
    number_integer least;
    number_integer most;
    struct error *error;
};

static int
wrong(const struct making *making, const char *option, const char *text,
      const char *wanted)
{
    error_set(making->error, EXIT_USAGE, "%s=%s: %s", option, text, wanted);
    return -1;
}

/* ---- integers before binning ---- */

static int
parse_bits(const char *text, uint64_t *bits)
{
    number_integer number;

    if (number_parse_digits(text, &number) < 0 ||
        number > (number_integer)UINT64_MAX)
        return -1;
    *bits = (uint64_t)number;
    return 0;
}

static int
make_operations(struct making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t number;

    axis->mask = UINT64_MAX;
    if (!making->is_integer) {
        if (texts->shift == NULL && texts->mask == NULL && texts->mod == NULL)
            return 0;
        error_set(making->error, EXIT_USAGE,
                  "--shift, --mask and --mod are for integers, not for %s",
                  record_type_name((enum sample_type)axis->type));
        return -1;
    }
    if (texts->shift != NULL) {
        if (parse_bits(texts->shift, &number) < 0 ||
            number >= 8 * binning_size(axis->type))
            return wrong(making, "--shift", texts->shift,
                         "not a number of bits that the type has");
        axis->shift = (uint32_t)number;
    }
    if (texts->mask != NULL && parse_bits(texts->mask, &axis->mask) < 0)
        return wrong(making, "--mask", texts->mask,
                     "not a number of up to 64 bits, like 255 or 0xff");
    if (texts->mod != NULL && (parse_bits(texts->mod, &axis->mod) < 0 ||
                               axis->mod == 0 || axis->mod > (uint64_t)1 << 63))
        return wrong(making, "--mod", texts->mod,
                     "not a number from 1 to 2^63");
    return 0;
}

/* The LEAST and the MOST that an integer can be after shift, mask and mod. */
static void
find_values(const struct binning_axis *axis, number_integer *least,
            number_integer *most)
{
    unsigned int bits = 8 * binning_size(axis->type);
    number_integer one = 1;

    *least = binning_is_signed(axis->type) ? -(one << (bits - 1)) : 0;
    *most = *least + (one << bits) - 1;
    *least >>= axis->shift;
    *most >>= axis->shift;
    if (*least >= 0 || axis->mask <= (uint64_t)INT64_MAX) {
        if (*least < 0 || (number_integer)axis->mask < *most)
            *most = (number_integer)axis->mask;
        *least = 0;
    } else if (axis->mask != UINT64_MAX) {
        *least = INT64_MIN;
    }
    if (axis->mod != 0) {
        if (*least < 0 || (number_integer)axis->mod <= *most)
            *most = (number_integer)axis->mod - 1;
        *least = 0;
    }
}

/* ---- the parts of the options ---- */

/* Split "LO,HI" or "LO:HI"; the parts are copied to LO and HI. */
static int
split_range(const char *text, char lo[NUMBER_TEXT_BYTES * 2],
            char hi[NUMBER_TEXT_BYTES * 2])
{
    size_t length = strcspn(text, ",:");

    if (text[length] == '\0' || length >= (size_t)NUMBER_TEXT_BYTES * 2 ||
        strlen(text + length + 1) >= (size_t)NUMBER_TEXT_BYTES * 2)
        return -1;
    memcpy(lo, text, length);
    lo[length] = '\0';
    strcpy(hi, text + length + 1);
    return 0;
}

/* An edge or a width; whole ones may be hexadecimal. */
static int
parse_number(const char *text, double *value)
{
    number_integer whole;

    if (number_parse(text, value) == 0)
        return 0;
    if (number_parse_integer(text, &whole) < 0)
        return -1;
    *value = (double)whole;
    return 0;
}

static int
parse_range(const struct making *making, double *lo, double *hi)
{
    const char *text = making->texts->range;
    char low[NUMBER_TEXT_BYTES * 2];
    char high[NUMBER_TEXT_BYTES * 2];

    if (split_range(text, low, high) < 0 || parse_number(low, lo) < 0 ||
        parse_number(high, hi) < 0)
        return wrong(making, "--range", text,
                     "not LO,HI with two finite numbers");
    if (*lo >= *hi)
        return wrong(making, "--range", text, "LO must be less than HI");
    if (isinf(*hi - *lo))
        return wrong(making, "--range", text, "too wide");
    return 0;
}

static int
parse_bins(const struct making *making, uint64_t *bins)
{
    const char *text = making->texts->bins;

    if (size_parse(text + (*text == '+'), bins) < 0 || *bins < 1 ||
        *bins > AXIS_BINS_MAX)
        return wrong(making, "--bins", text,
                     "not a number of bins from 1 to 2^31");
    return 0;
}

/* ---- direct ---- */

/* FIRST to LAST, both included, are the values with bins of their own. */
static int
set_direct(struct making *making, number_integer first, number_integer last)
{
    struct binning_axis *axis = making->axis;

    if (last - first >= (number_integer)AXIS_BINS_MAX)
        return wrong(making, "--range", making->texts->range,
                     "more than 2^31 values; -b N makes fewer bins");
    axis->kind = BINNING_DIRECT;
    axis->first = (uint64_t)first;
    axis->bins = (uint64_t)(last - first + 1);
    return 0;
}

static int
make_direct(struct making *making)
{
    const char *text = making->texts->range;
    char low[NUMBER_TEXT_BYTES * 2];
    char high[NUMBER_TEXT_BYTES * 2];
    number_integer first;
    number_integer end;

    /* A bin of one value has no side to close. */
    if (making->axis->closed == BINNING_NUMPY)
        making->axis->closed = BINNING_LEFT;
    if (text == NULL) {
        if (making->most - making->least < DIRECT_BINS_MAX)
            return set_direct(making, making->least, making->most);
        error_set(making->error, EXIT_USAGE,
                  "%s has too many values to list: give --range=LO,HI, "
                  "--range=auto, --edges or --log",
                  record_type_name((enum sample_type)making->axis->type));
        return -1;
    }
    if (split_range(text, low, high) < 0 ||
        number_parse_integer(low, &first) < 0 ||
        number_parse_integer(high, &end) < 0)
        return wrong(making, "--range", text,
                     "not LO,HI with two whole numbers; for other bins add "
                     "--bins or --bin-width");
    if (first >= end)
        return wrong(making, "--range", text, "LO must be less than HI");
    if (making->axis->closed == BINNING_RIGHT) {
        first++;
        end++;
    }
    /* What no value can be would wrap around to what some can. */
    if (end - 1 < making->least || first > making->most)
        return wrong(making, "--range", text,
                     "the values of this field are never there");
    if (first < making->least || end - 1 > making->most) {
        bool is_signed = binning_is_signed(making->axis->type);
        number_integer least = is_signed ? INT64_MIN : 0;
        number_integer most =
            is_signed ? INT64_MAX : (number_integer)UINT64_MAX;
        if (first < least || end - 1 > most)
            return wrong(making, "--range", text,
                         "beyond what the type can hold");
    }
    return set_direct(making, first, end - 1);
}

/* ---- even ---- */

/* The distance from the magnitude of X to the next double. */
static double
spacing(double x)
{
    return nextafter(fabs(x), INFINITY) - fabs(x);
}

/* Whether all edges differ, which only very narrow bins put in doubt. */
static bool
edges_increase(const struct binning_axis *axis)
{
    double widest = fmax(spacing(axis->lo), spacing(axis->hi));

    if (axis->width >= 4 * widest)
        return true;
    if (axis->width < widest)
        return false;
    for (uint64_t i = 0; i < axis->bins; i++) {
        if (binning_even_edge(axis, i) >= binning_even_edge(axis, i + 1))
            return false;
    }
    return true;
}

/* Bins of one width between two edges, which are set. */
static int
set_even(struct making *making, uint64_t bins, double width)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EVEN;
    axis->bins = bins;
    axis->width = width;
    axis->scale = (double)bins / (axis->hi - axis->lo);
    if (isinf(axis->hi - axis->lo)) {
        error_set(making->error, EXIT_USAGE,
                  "the bins reach too far: beyond "
                  "what a double can hold");
        return -1;
    }
    if (isinf(axis->scale) || !edges_increase(axis)) {
        error_set(making->error, EXIT_USAGE,
                  "%llu bins between %.17g and %.17g are too narrow for "
                  "64-bit floats",
                  (unsigned long long)bins, axis->lo, axis->hi);
        return -1;
    }
    return 0;
}

static int
parse_width(const struct making *making, double *width)
{
    const char *text = making->texts->bin_width;

    if (parse_number(text, width) < 0 || *width <= 0)
        return wrong(making, "--bin-width", text, "not a number above 0");
    return 0;
}

/* Bins on a lattice; auto_range.h finds out which. */
static int
make_auto(struct making *making)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EVEN;
    axis->is_auto = 1;
    axis->bins = BINS_DEFAULT;
    if (making->texts->bin_width != NULL || axis->closed == BINNING_NUMPY) {
        error_set(making->error, EXIT_USAGE,
                  "--range=auto makes bins of its own: no --bin-width and no "
                  "--numpy");
        return -1;
    }
    if (making->texts->bins == NULL)
        return 0;
    if (parse_bins(making, &axis->bins) < 0)
        return -1;
    if (axis->bins < LATTICE_BINS_MIN)
        return wrong(making, "--bins", making->texts->bins,
                     "--range=auto needs 4 bins at least");
    return 0;
}

static int
make_even(struct making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t bins = BINS_DEFAULT;
    double width;

    if (texts->range != NULL) {
        if (parse_range(making, &axis->lo, &axis->hi) < 0)
            return -1;
    } else if (making->is_integer &&
               making->most - making->least < DIRECT_BINS_MAX) {
        axis->lo = (double)making->least;
        axis->hi = (double)making->most + 1;
        if (axis->closed == BINNING_RIGHT) {
            axis->lo--;
            axis->hi--;
        }
    } else {
        error_set(making->error, EXIT_USAGE,
                  "%s needs --range=LO,HI, --range=auto, --edges or --log",
                  record_type_name((enum sample_type)axis->type));
        return -1;
    }

    if (texts->bin_width == NULL) {
        if (texts->bins != NULL && parse_bins(making, &bins) < 0)
            return -1;
        return set_even(making, bins, (axis->hi - axis->lo) / (double)bins);
    }
    if (parse_width(making, &width) < 0)
        return -1;
    double widths = (axis->hi - axis->lo) / width;
    if (widths >= (double)AXIS_BINS_MAX)
        return wrong(making, "--bin-width", texts->bin_width,
                     "more than 2^31 bins");
    /* A last bin of its own width would mislead: move hi up instead. */
    double whole = rint(widths);
    if (whole < 1 ||
        fabs(widths - whole) > fmin(WIDTHS_TOLERANCE * whole, BIN_TOLERANCE)) {
        /* What is far narrower than a width may have been rounded to 0. */
        whole = fmax(ceil(widths), 1);
        axis->hi = axis->lo + whole * width;
    }
    return set_even(making, (uint64_t)whole, width);
}

/* ---- edges ---- */

/* Refuse MORE edges than there may be; OPTION has asked for them. */
static int
check_room(const struct making *making, const char *option, double more)
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
append_edge(struct making *making, double edge)
{
    struct axis_edges *edges = making->edges;

    /* Room for a power of two of them. */
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

/* The edges from TABLE on are complete. */
static int
set_edges(struct making *making, size_t table)
{
    struct binning_axis *axis = making->axis;

    axis->kind = BINNING_EDGES;
    axis->table = table;
    axis->bins = making->edges->count - table - 1;
    axis->lo = making->edges->edge[table];
    axis->hi = making->edges->edge[making->edges->count - 1];
    return 0;
}

/* Read the numbers in TEXT, which is changed; NAME is what they came from. */
static int
parse_edges(struct making *making, char *text, const char *name)
{
    static const char separators[] = ", \t\r\n";
    size_t table = making->edges->count;
    char *rest;

    for (char *word = strtok_r(text, separators, &rest); word != NULL;
         word = strtok_r(NULL, separators, &rest)) {
        double edge;
        if (parse_number(word, &edge) < 0) {
            error_set(making->error, EXIT_USAGE,
                      "%s: '%.40s' is not a finite number", name, word);
            return -1;
        }
        if (making->edges->count > table &&
            edge <= making->edges->edge[making->edges->count - 1]) {
            error_set(making->error, EXIT_USAGE,
                      "%s: edge %zu, %.40s, is not above the one before", name,
                      making->edges->count - table + 1, word);
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
 * The whole of a file as a string, *TEXT for free().  Returns 0, or -1 with
 * *ERROR set.
 */
static int
read_file(const struct making *making, const char *path, char **text)
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
            /* An edge takes two characters at least. */
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
                  "%s: offset %zu: a byte 0, which is not text", path,
                  strnlen(*text, used));
    else
        result = 0;
    (*text)[used] = '\0';
end:
    close(fd);
    return result;
}

static int
make_edges(struct making *making)
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
 * The range of a logarithmic axis: what the user says, or what all values
 * above 0 need.
 */
static int
find_log_range(const struct making *making, double *lo, double *hi)
{
    if (making->texts->range != NULL) {
        if (strcmp(making->texts->range, "auto") == 0)
            return wrong(making, "--range", "auto",
                         "makes bins of one width; --log has bins for all "
                         "values without it");
        if (parse_range(making, lo, hi) < 0)
            return -1;
        if (*lo < DBL_MIN)
            return wrong(making, "--range", making->texts->range,
                         "a logarithmic axis begins above 0, at 2^-1022");
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
        /* The most itself must be below it. */
        if ((number_integer)*hi <= making->most)
            *hi = nextafter(*hi, INFINITY);
        break;
    }
    /* Where bins are (lo,hi] the least must be above LO. */
    if (making->axis->closed == BINNING_RIGHT && *lo > DBL_MIN)
        *lo = nextafter(*lo, 0);
    return 0;
}

/* Bins that divide each octave evenly, as bpftrace and HdrHistogram do. */
static void
make_log2(struct making *making, double lo, double hi, unsigned int subdivision)
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

/* BASE to the power of STEP / 2^SUBDIVISION; a whole power of 10 is exact. */
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
 * Bins of one ratio, 2^SUBDIVISION of them for each power of 10 or e.  The
 * edge above all doubles is infinite.
 */
static int
make_log_edges(struct making *making, double lo, double hi, bool is_decimal,
               unsigned int subdivision)
{
    double steps = (double)(1L << subdivision);
    double first_step = (is_decimal ? log10(lo) : log(lo)) * steps;
    double last_step = (is_decimal ? log10(hi) : log(hi)) * steps;
    long step = (long)floor(first_step) - 1;
    size_t table = making->edges->count;
    double edge;

    if (check_room(making, "--log", ceil(last_step - first_step)) < 0)
        return -1;
    /* The last edge at or below LO, up to the first at or above HI. */
    while (log_edge(is_decimal, step + 1, subdivision) <= lo)
        step++;
    do {
        edge = log_edge(is_decimal, step++, subdivision);
        if (append_edge(making, edge) < 0)
            return -1;
    } while (edge < hi);
    return set_edges(making, table);
}

static int
make_log(struct making *making)
{
    const struct axis_texts *texts = making->texts;
    uint64_t subdivision = 0;
    double lo;
    double hi;

    if (texts->subdiv != NULL && (parse_bits(texts->subdiv, &subdivision) < 0 ||
                                  subdivision > SUBDIVISION_MAX))
        return wrong(making, "--subdiv", texts->subdiv,
                     "not a number from 0 to 20");
    if (find_log_range(making, &lo, &hi) < 0)
        return -1;
    making->axis->is_log = true;
    if (strcmp(texts->log, "2") == 0) {
        make_log2(making, lo, hi, (unsigned int)subdivision);
        return 0;
    }
    bool is_decimal = strcmp(texts->log, "10") == 0;
    if (!is_decimal && strcmp(texts->log, "e") != 0)
        return wrong(making, "--log", texts->log, "the base is 2, 10 or e");
    return make_log_edges(making, lo, hi, is_decimal,
                          (unsigned int)subdivision);
}

/* ---- all ---- */

/* Refuse what would have no effect. */
static int
check_texts(const struct making *making)
{
    const struct axis_texts *texts = making->texts;
    int rules = (texts->bins != NULL) + (texts->bin_width != NULL) +
                (texts->edges != NULL) + (texts->log != NULL);

    if (rules > 1) {
        error_set(making->error, EXIT_USAGE,
                  "of --bins, --bin-width, --edges and --log only one can "
                  "make an axis");
        return -1;
    }
    if (texts->edges != NULL && texts->range != NULL) {
        error_set(making->error, EXIT_USAGE,
                  "--range has no effect with --edges");
        return -1;
    }
    if (texts->subdiv != NULL && texts->log == NULL) {
        error_set(making->error, EXIT_USAGE, "--subdiv goes with --log");
        return -1;
    }
    return 0;
}

int
axis_make(struct binning_axis *axis, struct axis_edges *edges,
          const struct axis_texts *texts, const struct element *element,
          enum binning_closed closed, struct error *error)
{
    struct making making = {
        .axis = axis,
        .edges = edges,
        .texts = texts,
        .is_integer = !binning_is_float(element->type),
        .error = error,
    };

    *axis = (struct binning_axis){
        .offset = (uint32_t)element->offset,
        .type = element->type,
        .is_swapped = element->is_swapped,
        .closed = closed,
    };
    if (check_texts(&making) < 0 || make_operations(&making) < 0)
        return -1;
    if (making.is_integer) {
        find_values(axis, &making.least, &making.most);
        if (element->most != 0 && (number_integer)element->most < making.most)
            making.most = (number_integer)element->most;
    }
    bool is_auto = texts->range != NULL && strcmp(texts->range, "auto") == 0;
    if (is_auto && texts->log == NULL)
        return make_auto(&making);
    if (texts->edges != NULL)
        return make_edges(&making);
    if (texts->log != NULL)
        return make_log(&making);
    if (texts->bins != NULL || texts->bin_width != NULL || !making.is_integer)
        return make_even(&making);
    return make_direct(&making);
}

/* The value of bin 0 of a direct axis. */
static number_integer
first_value(const struct binning_axis *axis)
{
    return binning_is_signed(axis->type) ? (number_integer)(int64_t)axis->first
                                         : (number_integer)axis->first;
}

/* Whether a direct axis has a bin for every value of its type. */
static bool
is_complete(const struct binning_axis *axis)
{
    number_integer least;
    number_integer most;

    find_values(axis, &least, &most);
    number_integer first = first_value(axis);
    return first <= least && most - first < (number_integer)axis->bins;
}

unsigned int
axis_flows(const struct binning_axis *axis)
{
    if (axis->kind == BINNING_RAW)
        return 0;
    if (axis->kind == BINNING_DIRECT && is_complete(axis))
        return 0;
    if (axis->is_log)
        return BINNING_FLOWS;
    return binning_is_float(axis->type) ? BINNING_NAN + 1
                                        : BINNING_OVERFLOW + 1;
}

bool
axis_can_flow(const struct binning_axis *axis, enum binning_flow flow)
{
    if ((unsigned int)flow >= axis_flows(axis))
        return false;
    if (binning_is_float(axis->type))
        return true;
    return flow != BINNING_NAN &&
           (flow != BINNING_NEGATIVE || binning_is_signed(axis->type));
}

double
axis_edge(const struct binning_axis *axis, const struct axis_edges *edges,
          uint64_t i)
{
    if (axis->kind == BINNING_EVEN)
        return binning_even_edge(axis, i);
    if (axis->kind == BINNING_LOG2)
        return binning_log2_edge(axis, i);
    return edges->edge[axis->table + i];
}

/* ---- texts ---- */

static void
integer_text(number_integer value, char text[NUMBER_TEXT_BYTES])
{
    /* At most one beyond 64 bits: 2^64 as an upper edge. */
    uint64_t magnitude = (uint64_t)(value < 0 ? -value : value);

    if (magnitude == 0 && value != 0)
        strcpy(text, "18446744073709551616");
    else
        snprintf(text, NUMBER_TEXT_BYTES, "%s%" PRIu64, value < 0 ? "-" : "",
                 magnitude);
}

number_integer
axis_value(const struct binning_axis *axis, uint64_t bin)
{
    return first_value(axis) + (number_integer)bin;
}

void
axis_value_text(const struct binning_axis *axis, uint64_t bin,
                char text[NUMBER_TEXT_BYTES])
{
    integer_text(axis_value(axis, bin), text);
}

void
axis_edge_text(const struct binning_axis *axis, const struct axis_edges *edges,
               uint64_t i, char text[NUMBER_TEXT_BYTES])
{
    if (axis->kind == BINNING_DIRECT)
        integer_text(first_value(axis) + (number_integer)i -
                         (axis->closed == BINNING_RIGHT),
                     text);
    else
        number_text(axis_edge(axis, edges, i), text);
}
