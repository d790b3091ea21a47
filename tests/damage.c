/* SPDX-License-Identifier: MIT */
/*
 * damage.c -- read a compressed file cut off anywhere, or with any bit flipped
 *
 *     damage STEP FORMAT FILE CONTENT [END]...
 *
 * Every STEP-th bit is flipped.
 * FILE has FORMAT, a word of --decompress, with checksums, and decodes to what
 * is in CONTENT.  It may end at each of the offsets END, and nowhere else: then
 * it must be refused.  With a bit flipped it must be refused, or decode to the
 * same content, because some bits have no meaning.  All is read as by a reader
 * of the program, in long and in short pieces.  The last line counts what was
 * right; the status is 1 if anything was not.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/read/inputs.h"

#define WATCHDOG_SECONDS 300
#define BYTES_MAX ((size_t)1 << 20)
#define BUDGET_BYTES ((uint64_t)64 << 20)

enum outcome {
    OUTCOME_SAME,    /* the content, and no error */
    OUTCOME_REFUSED, /* an error */
    OUTCOME_OTHER,   /* something else, and no error */
};

/* A file in memory. */
struct bytes {
    unsigned char data[BYTES_MAX];
    size_t size;
};

static struct bytes file;
static struct bytes content;
static enum decompress format;

static void
load(struct bytes *bytes, const char *path)
{
    FILE *in = fopen(path, "rb");

    if (in == NULL) {
        perror(path);
        exit(2);
    }
    bytes->size = fread(bytes->data, 1, BYTES_MAX, in);
    fclose(in);
}

/* What a reader gets of the first SIZE bytes of FILE, CAPACITY at a time. */
static enum outcome
read_damaged(size_t size, size_t capacity)
{
    static char path[] = "damaged";
    static unsigned char got[2 * BYTES_MAX];
    char *paths[] = {path};
    struct reading reading = {.decompress = format, .read_bytes = UINT64_MAX};
    struct error error = ERROR_NONE;
    struct budget budget;
    struct inputs inputs;
    struct input_reader reader = {0};
    size_t used = 0;
    size_t last;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

    if (fd < 0 || pwrite(fd, file.data, size, 0) != (ssize_t)size)
        abort();
    close(fd);
    budget_open(&budget, BUDGET_BYTES);
    if (inputs_open(&inputs, paths, 1, &reading, &budget, &error) < 0)
        abort();
    do {
        last = inputs_read(&inputs, &reader, got + used, capacity);
        used += last;
        /* It can become anything, before its checksum is wrong. */
        if (used > BYTES_MAX)
            used = BYTES_MAX;
    } while (last == capacity);
    enum outcome outcome =
        inputs_error(&inputs, 0)->status != EXIT_DONE ? OUTCOME_REFUSED
        : used == content.size && memcmp(got, content.data, used) == 0
            ? OUTCOME_SAME
            : OUTCOME_OTHER;
    inputs_close(&inputs);
    budget_close(&budget);
    return outcome;
}

/* Returns how many outcomes were wrong. */
static size_t
check(size_t capacity, size_t step, const bool *may_end)
{
    size_t wrong = 0;
    size_t refused = 0;
    size_t flips = 0;

    if (read_damaged(file.size, capacity) != OUTCOME_SAME) {
        printf("by %zu: as it is\n", capacity);
        wrong++;
    }
    for (size_t size = 0; size < file.size; size++) {
        bool is_refused = read_damaged(size, capacity) == OUTCOME_REFUSED;
        if (is_refused != may_end[size])
            continue;
        printf("by %zu: cut off at %zu\n", capacity, size);
        wrong++;
    }
    for (size_t i = 0; i < 8 * file.size; i += step) {
        unsigned char bit = (unsigned char)(1 << i % 8);
        file.data[i / 8] ^= bit;
        enum outcome outcome = read_damaged(file.size, capacity);
        file.data[i / 8] ^= bit;
        flips++;
        refused += outcome == OUTCOME_REFUSED;
        if (outcome != OUTCOME_OTHER)
            continue;
        printf("by %zu: bit %zu of byte %zu\n", capacity, i % 8, i / 8);
        wrong++;
    }
    if (refused == 0) {
        printf("by %zu: nothing matters\n", capacity);
        wrong++;
    }
    printf("by %zu: %zu cuts, %zu bits: %zu refused, %zu the same\n", capacity,
           file.size, flips, refused, flips - refused);
    return wrong;
}

int
main(int argc, char **argv)
{
    static bool may_end[BYTES_MAX];
    const char *remark = NULL;
    const char *word;

    size_t step = argc < 5 ? 0 : strtoul(argv[1], NULL, 10);
    if (step == 0) {
        fprintf(stderr, "usage: damage STEP FORMAT FILE CONTENT [END]...\n");
        return 2;
    }
    alarm(WATCHDOG_SECONDS);
    while ((word = decoders_word((unsigned int)format, &remark)) != NULL &&
           strcmp(word, argv[2]) != 0)
        format++;
    if (word == NULL) {
        fprintf(stderr, "damage: no format is %s\n", argv[2]);
        return 2;
    }
    load(&file, argv[3]);
    load(&content, argv[4]);
    for (int i = 5; i < argc; i++)
        may_end[strtoul(argv[i], NULL, 10) % BYTES_MAX] = true;
    size_t wrong = check(512, step, may_end) + check(7, step, may_end);
    printf("%zu wrong\n", wrong);
    return wrong == 0 ? 0 : 1;
}
