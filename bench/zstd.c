/* SPDX-License-Identifier: MIT */
/*
 * zstd.c -- how fast one zstd frame is decoded, by stages and by helpers
 *
 *     zstd [-r REPEATS] [-t HELPERS] FILE...
 *
 * For the first frame of each FILE, in GB/s of content, the best of REPEATS
 * (5).  "libzstd", "entropy", "content" and "hash" are stages on one thread, by
 * its processor time: libzstd alone; literals and sequences; making content of
 * them; its checksum.  Then the decoder with 0 to HELPERS (6) helpers, by the
 * clock, as a reader with chunks of 2 MiB uses it; by the processor time of the
 * reader, which is the limit however many helpers there are; and what part of
 * the time of all threads together is that of the decoder without helpers.
 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <zstd.h>

#include "base/clock.h"
#include "base/xxh.h"
#include "input/decode/zstd/zstd_block_set.h"
#include "input/decode/zstd/zstd_stream.h"
#include "timing.h"

#define CHUNK_BYTES ((size_t)2 << 20)
#define BUDGET_BYTES ((uint64_t)8 << 30)
#define KEPT_BYTES ((size_t)6 << 20) /* as helpers have it */
#define GIGA 1e9

struct file {
    const char *path;
    struct source source;
    struct zstd_frame frame;
    unsigned char *chunk;
    uint64_t content_bytes;
};

/* Returns the processor time of all threads, in seconds. */
static double
process_time(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int
fail(const char *path, const char *why)
{
    fprintf(stderr, "zstd: %s: %s\n", path, why);
    return -1;
}

/* The seconds of each stage. */
struct stages {
    double entropy;
    double content;
    double hash;
};

static void
keep_least(double *least, double seconds)
{
    if (*least == 0 || seconds < *least)
        *least = seconds;
}

/* Decode FILE on one thread, stage by stage.  Returns 0, or -1. */
static int
run_stages(struct file *file, struct stages *stages)
{
    static struct zstd_tables tables;
    struct zstd_block_set set = {0};
    struct zstd_blocks_walk walk = {.source = &file->source,
                                    .block_max =
                                        zstd_frame_block_max(&file->frame),
                                    .has_checksum = file->frame.has_checksum,
                                    .next = (off_t)file->frame.header_bytes};
    struct zstd_window window = {0};
    struct xxh64 hash;
    int result = -1;

    xxh64_start(&hash);
    file->content_bytes = 0;
    if (zstd_block_set_open(&set) < 0 || zstd_block_set_open_walk(&walk) < 0 ||
        zstd_window_open(&window, file->frame.window_bytes, KEPT_BYTES, 2) < 0)
        goto out;
    while (!walk.is_over) {
        zstd_block_set_read(&set, &walk);
        double start = timing_now();
        zstd_block_set_decode(&set, &tables, walk.block_max);
        stages->entropy += timing_now() - start;
        for (unsigned int i = 0; i < set.decoded; i++) {
            start = timing_now();
            const unsigned char *content =
                zstd_window_add(&window, &set.parts[i]);
            double middle = timing_now();
            if (content == NULL)
                goto out;
            xxh64_add(&hash, content, set.parts[i].content);
            stages->content += middle - start;
            stages->hash += timing_now() - middle;
            file->content_bytes += set.parts[i].content;
        }
        if (set.is_refused)
            goto out;
    }
    result = 0;
out:
    zstd_block_set_close(&set);
    zstd_block_set_close_walk(&walk);
    zstd_window_close(&window);
    return result < 0 ? fail(file->path, "refused") : 0;
}

/* Read all of FILE with HELPERS.  Returns 0, or -1. */
static int
run_decoder(struct file *file, unsigned int helpers)
{
    struct source source = {.path = file->path, .display_name = file->path};
    struct decoder *spare = NULL;
    struct budget budget;
    ssize_t got = -1;

    budget_open(&budget, BUDGET_BYTES);
    budget_return_helpers(&budget, helpers);
    budget.guessers = helpers;
    if (source_open(&source, NULL, NULL) == 0) {
        struct decoder *decoder =
            decoder_open(&zstd_stream_type, &source, &budget, &spare);
        if (decoder != NULL)
            do
                got = decoder_read(decoder, file->chunk, CHUNK_BYTES);
            while (got > 0);
        decoder_close(decoder);
    }
    source_close(&source);
    budget_close(&budget);
    return got < 0 ? fail(file->path, source.error.text) : 0;
}

static int
measure(struct file *file, int repeats, unsigned int helpers)
{
    struct stages best = {0};
    double alone = 0;

    for (int i = 0; i < repeats; i++) {
        struct stages stages = {0};
        if (run_stages(file, &stages) < 0)
            return -1;
        keep_least(&best.entropy, stages.entropy);
        keep_least(&best.content, stages.content);
        keep_least(&best.hash, stages.hash);
    }
    double bytes = (double)file->content_bytes / GIGA;
    printf("%s\tentropy\t%.2f\n", file->path, bytes / best.entropy);
    printf("%s\tcontent\t%.2f\n", file->path, bytes / best.content);
    printf("%s\thash\t%.2f\n", file->path, bytes / best.hash);
    for (unsigned int h = 0; h <= helpers; h++) {
        double wall = 0;
        double reader = 0;
        double processor = 0;
        for (int i = 0; i < repeats; i++) {
            double start = clock_now();
            double used = process_time();
            double own = timing_now();
            if (run_decoder(file, h) < 0)
                return -1;
            keep_least(&wall, clock_now() - start);
            keep_least(&reader, timing_now() - own);
            keep_least(&processor, process_time() - used);
        }
        if (h == 0) {
            alone = processor;
            printf("%s\tlibzstd\t%.2f\n", file->path, bytes / processor);
        }
        printf("%s\t%u helpers\t%.2f\t%.2f\t%.2f\n", file->path, h,
               bytes / wall, bytes / reader, alone / processor);
        fflush(stdout);
    }
    return 0;
}

static int
open_file(struct file *file, const char *path)
{
    struct stat status;
    unsigned char header[ZSTD_FRAME_HEADER_MAX];
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *file = (struct file){.path = path};
    file->source = (struct source){
        .path = path, .display_name = path, .fd = fd, .is_regular = true};
    if (fd < 0 || fstat(fd, &status) < 0)
        return fail(path, "cannot be opened");
    file->source.size = status.st_size;
    ssize_t got = pread(fd, header, sizeof header, 0);
    if (got < 0 || zstd_frame_read(&file->frame, header, (size_t)got) < 0 ||
        file->frame.is_skippable)
        return fail(path, "is no zstd frame");
    file->chunk = malloc(CHUNK_BYTES);
    return file->chunk != NULL ? 0 : fail(path, "out of memory");
}

int
main(int argc, char **argv)
{
    unsigned int helpers = 6;
    int repeats = 5;
    int result = 0;
    int option;

    while ((option = getopt(argc, argv, "r:t:")) != -1) {
        if (option == 'r')
            repeats = atoi(optarg);
        else if (option == 't')
            helpers = (unsigned int)atoi(optarg);
        else
            return 2;
    }
    printf("file\twhat\tGB/s\treader\tshare\n");
    for (int i = optind; i < argc && result == 0; i++) {
        struct file file;
        result = open_file(&file, argv[i]);
        if (result == 0)
            result = measure(&file, repeats, helpers);
        if (file.source.fd >= 0)
            close(file.source.fd);
        free(file.chunk);
    }
    return result < 0;
}
