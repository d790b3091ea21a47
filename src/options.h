/* options.h -- the command line */

#ifndef GPUHIST_OPTIONS_H
#define GPUHIST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "error.h"
#include "source.h"

enum action {
    ACTION_COUNT,
    ACTION_HELP,
    ACTION_VERSION,
    ACTION_LIST_DEVICES,
};

enum device {
    DEVICE_AUTO, /* the CPU at once, a GPU where it pays */
    DEVICE_CPU,
    DEVICE_CUDA, /* these GPUs only */
};

/* As many GPUs as one run may name. */
#define OPTIONS_GPUS_MAX 64

/* No value given: to be chosen (plan.h). */
#define OPTIONS_CHOOSE UINT64_MAX

struct options {
    enum action action;

    char *const *paths; /* into argv */
    size_t path_count;
    enum decompress decompress;

    bool nonzero;
    bool header_out;

    enum device device;
    int gpu[OPTIONS_GPUS_MAX]; /* CUDA's ordinals */
    size_t gpu_count;          /* at least 1; [0] is 0 unless given */
    uint64_t gpu_after;        /* bytes; or OPTIONS_CHOOSE */
    unsigned int threads;      /* 0: choose */
    size_t chunk_bytes;        /* 0: choose */
    uint64_t memory_limit;     /* bytes; or OPTIONS_CHOOSE */

    bool explain;
    bool verbose;
    bool quiet;
};

/*
 * Read the command line.  Files and options may be mixed; ARGV is permuted.
 * Returns 0, or -1 with *ERROR set.
 */
int options_parse(struct options *options, int argc, char **argv,
                  struct error *error);

/* What --help prints. */
extern const char options_help[];

#endif
