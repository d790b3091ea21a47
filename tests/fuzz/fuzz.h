/* SPDX-License-Identifier: MIT */
/*
 * fuzz.h -- what the fuzz targets share
 *
 * A target is a file with LLVMFuzzerTestOneInput(): libFuzzer calls it with
 * data that it makes up, replay.c with those that are kept in corpus/.  It
 * takes its choices from the data and aborts when something does not hold.
 * The same data must do the same each time.
 */

#ifndef GPUHIST_FUZZ_H
#define GPUHIST_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold. */
static inline void
fuzz_must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: wrong: %s\n", what);
    abort();
}

/* What is left of the data. */
struct fuzz {
    const uint8_t *data;
    size_t size;
};

/* The next BYTES as a number, the least significant first; 0 at the end. */
static inline uint64_t
fuzz_take(struct fuzz *fuzz, size_t bytes)
{
    uint64_t number = 0;

    for (size_t i = 0; i < bytes && fuzz->size > 0; i++) {
        number |= (uint64_t)*fuzz->data++ << 8 * i;
        fuzz->size--;
    }
    return number;
}

/*
 * The next bytes up to a 0, which is left out, or to the end; for free().  A
 * separate block, so that a sanitizer sees its end.
 */
static inline char *
fuzz_take_text(struct fuzz *fuzz)
{
    size_t length =
        fuzz->size > 0 ? strnlen((const char *)fuzz->data, fuzz->size) : 0;
    char *text = malloc(length + 1);

    if (text == NULL)
        abort();
    if (length > 0)
        memcpy(text, fuzz->data, length);
    text[length] = '\0';
    fuzz->data += length;
    fuzz->size -= length;
    (void)fuzz_take(fuzz, 1);
    return text;
}

#define FUZZ_WORDS_MAX 100

/* A command line; getopt_long() changes the order in ARGV. */
struct fuzz_line {
    int argc;
    char *argv[FUZZ_WORDS_MAX + 1];
    char *text[FUZZ_WORDS_MAX]; /* those from 1 on are for free() */
};

/*
 * Make a line of the next texts, up to MOST of them with the program's name; it
 * ends before an empty one, which is taken, too, if TO_EMPTY.
 */
static inline void
fuzz_take_line(struct fuzz *fuzz, struct fuzz_line *line, int most,
               bool to_empty)
{
    static char name[] = "gpuhist";

    line->argc = 1;
    line->argv[0] = name;
    while (fuzz->size > 0 && line->argc < most) {
        char *text = fuzz_take_text(fuzz);
        if (to_empty && *text == '\0') {
            free(text);
            break;
        }
        line->text[line->argc] = text;
        line->argv[line->argc++] = text;
    }
    line->argv[line->argc] = NULL;
}

static inline void
fuzz_free_line(struct fuzz_line *line)
{
    while (--line->argc > 0)
        free(line->text[line->argc]);
}

/*
 * A file in memory with the SIZE bytes at DATA, until the next call.  Returns
 * its descriptor; it can be opened by the name in PATH.
 */
static inline int
fuzz_write_file(const void *data, size_t size, char path[32])
{
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("fuzz", MFD_CLOEXEC);
    if (fd < 0 || ftruncate(fd, 0) < 0 ||
        (size > 0 && pwrite(fd, data, size, 0) != (ssize_t)size)) {
        perror("fuzz: no file in memory");
        exit(99);
    }
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

#endif
