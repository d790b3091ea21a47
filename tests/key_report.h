/* SPDX-License-Identifier: MIT */
/* key_report.h -- reports of keys that a test makes by hand */

#ifndef GPUHIST_KEY_REPORT_H
#define GPUHIST_KEY_REPORT_H

#include <stdlib.h>
#include <string.h>

#include "base/writer.h"
#include "cli/option_parse.h"
#include "cli/wanted_spec.h"
#include "report/report.h"

#define KEY_REPORT_AXES_MAX 4

struct key_report {
    struct spec spec;
    struct histogram histogram; /* once made */
    struct options options;
    struct key_list keys[KEY_REPORT_AXES_MAX];

    /* Of each axis. */
    struct binning_axis axis[KEY_REPORT_AXES_MAX];
    size_t field[KEY_REPORT_AXES_MAX];
    unsigned char **entry[KEY_REPORT_AXES_MAX];
    uint64_t missing[KEY_REPORT_AXES_MAX];
};

/* Start a report of AXES axes of keys, printed as ARGV says. */
static inline int
key_report_open(struct key_report *made, size_t axes, int argc, char **argv,
                struct error *error)
{
    memset(made, 0, sizeof *made);
    made->spec.shown = made->axis;
    made->spec.field = made->field;
    made->spec.axis_count = axes;
    made->spec.planes = 1;
    for (size_t i = 0; i < axes; i++) {
        made->axis[i].kind = BINNING_KEY;
        made->field[i] = i;
    }
    if (spec_compile(&made->spec) < 0)
        return error_fail_memory(error);
    return option_parse(&made->options, argc, argv, error);
}

/* Add the greatest key so far to axis I. */
static inline void
key_report_add(struct key_report *made, size_t i, const void *key, size_t size,
               uint64_t count)
{
    uint64_t keys = made->keys[i].count++;
    unsigned char *entry = malloc(sizeof count + 10 + size);
    unsigned char *at = entry + sizeof count;

    /* Twice the room whenever it is full. */
    if ((keys & (keys - 1)) == 0)
        made->entry[i] = realloc(made->entry[i], (size_t)(2 * keys + 1) *
                                                     sizeof *made->entry[i]);
    if (entry == NULL || made->entry[i] == NULL)
        abort();
    memcpy(entry, &count, sizeof count);
    size_t left = size;
    for (; left > 127; left >>= 7)
        *at++ = (unsigned char)(128 | (left & 127));
    *at++ = (unsigned char)left;
    memcpy(at, key, size);
    made->entry[i][keys] = entry;
    made->keys[i].entry = (const unsigned char *const *)made->entry[i];
    made->keys[i].step = 1;
}

/* Returns the counts of axis I, after key_report_count(). */
static inline uint64_t *
key_report_cells(struct key_report *made, size_t i)
{
    return made->histogram.value + made->spec.shown[i].base;
}

/* After all keys: set the counts of axes of keys. */
static inline void
key_report_count(struct key_report *made)
{
    struct spec *spec = &made->spec;

    /* The test may have given it other axes. */
    free(spec->histogram);
    if (spec_compile(spec) < 0)
        abort();
    spec_set_keys(spec, made->keys);
    if (histogram_open(&made->histogram, spec->shown_cells, spec->planes) < 0)
        abort();
    for (size_t i = 0; i < spec->axis_count; i++) {
        uint64_t *count = key_report_cells(made, i);
        if (!axis_is_key(&spec->shown[i]))
            continue;
        for (uint64_t k = 0; k < made->keys[i].count; k++)
            count[k] = key_entry_read(made->keys[i].entry[k]).count;
        count[made->keys[i].count + AXIS_KEY_MISSING] = made->missing[i];
    }
}

/*
 * Print to OUT, after key_report_count(), and set *HIDDEN as report_hidden()
 * does.  Returns 0, or -1 with *ERROR set.
 */
static inline int
key_report_print(struct writer *out, struct key_report *made,
                 unsigned int threads, struct report_hidden *hidden,
                 struct error *error)
{
    struct report report = {
        .spec = &made->spec,
        .histogram = &made->histogram,
        .options = &made->options.report,
        .provenance = &made->options.provenance,
        .bytes = 10,
        .records = 5,
        .threads = threads,
    };

    if (wanted_spec_check(&made->spec, &made->options, error) < 0)
        return -1;
    if (report_hidden(&report, hidden, error) < 0)
        return -1;
    return report_print(out, &report, error);
}

static inline void
key_report_close(struct key_report *made)
{
    for (size_t i = 0; i < made->spec.axis_count; i++) {
        for (uint64_t k = 0; k < made->keys[i].count; k++)
            free(made->entry[i][k]);
        free(made->entry[i]);
    }
    histogram_close(&made->histogram);
    free(made->spec.histogram);
}

#endif
