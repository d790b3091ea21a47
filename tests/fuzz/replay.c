/* SPDX-License-Identifier: MIT */
/*
 * replay.c -- give a fuzz target the data of its corpus, without libFuzzer
 *
 * usage: TARGET [-n RUNS [-s SEED]] [FILE]...
 *
 * A FILE is an archive of ar(1), and each member one call; any other file is
 * one call.  Without a FILE it is $srcdir/tests/fuzz/corpus/TARGET.ar.  What
 * the target finds ends the program: the last name printed is the culprit.
 *
 * With -n there are RUNS more calls, with data of the files that are changed at
 * random.  That learns nothing, but is as fast as the target, and any compiler
 * will do.  The data of the last call are in the file TARGET.SEED.last.
 */

#include <fcntl.h>

#include "../noise.h"
#include "../tap.h"
#include "fuzz.h"

#define WATCHDOG_SECONDS 300
#define MAGIC "!<arch>\n"
#define MAGIC_BYTES 8
#define HEADER_BYTES 60
#define SIZE_AT 48 /* in the header, decimal digits and spaces */
#define SIZE_DIGITS 10
#define CHANGED_MAX ((size_t)1 << 16) /* bytes of data that are changed */
#define CHANGES_MAX 5

/* The data of all calls, for changes. */
struct piece {
    unsigned char *data;
    size_t size;
};

static struct piece *pieces;
static size_t piece_count;

/* The whole of a file, for free(). */
static unsigned char *
read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 16;
    unsigned char *data = NULL;
    size_t got;

    *size = 0;
    if (file == NULL) {
        perror(path);
        exit(99);
    }
    do {
        data = realloc(data, room *= 2);
        if (data == NULL)
            abort();
        got = fread(data + *size, 1, room - *size, file);
        *size += got;
    } while (got > 0);
    fclose(file);
    return data;
}

/* One call, with a copy, which is returned: a sanitizer sees where it ends. */
static unsigned char *
run_one(const unsigned char *data, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    return copy;
}

/* One call, with data to keep. */
static void
run_piece(const unsigned char *data, size_t size)
{
    pieces = realloc(pieces, (piece_count + 1) * sizeof *pieces);
    if (pieces == NULL)
        abort();
    pieces[piece_count++] = (struct piece){run_one(data, size), size};
}

/* Run all members; returns how many, or 0: it is not a whole archive. */
static size_t
run_archive(const unsigned char *data, size_t size)
{
    size_t at = MAGIC_BYTES;
    size_t members = 0;

    while (at < size) {
        char digits[SIZE_DIGITS + 1] = "";
        if (size - at < HEADER_BYTES)
            return 0;
        memcpy(digits, data + at + SIZE_AT, SIZE_DIGITS);
        size_t member = strtoul(digits, NULL, 10);
        printf("# %.16s\n", (const char *)data + at);
        fflush(stdout);
        at += HEADER_BYTES;
        if (member > size - at)
            return 0;
        run_piece(data + at, member);
        members++;
        at += member + member % 2;
    }
    return members;
}

static void
run_file(const char *path)
{
    const char *name = strrchr(path, '/');
    size_t size;
    unsigned char *data = read_all(path, &size);

    name = name != NULL ? name + 1 : path;

    if (size >= MAGIC_BYTES && memcmp(data, MAGIC, MAGIC_BYTES) == 0) {
        size_t members = run_archive(data, size);
        ok(members > 0, "%s: %zu members", name, members);
    } else {
        run_piece(data, size);
        ok(true, "%s", name);
    }
    free(data);
}

/* ---- changes ---- */

static size_t
below(size_t limit)
{
    return (size_t)(noise() >> 16) % limit;
}

/* Put PART bytes of FROM at AT, where BEHIND bytes are moved behind them. */
static size_t
put(unsigned char *data, size_t at, size_t behind, const unsigned char *from,
    size_t part)
{
    if (part > CHANGED_MAX - at - behind)
        part = CHANGED_MAX - at - behind;
    memmove(data + at + part, data + at, behind);
    if (part > 0)
        memcpy(data + at, from, part);
    return at + part + behind;
}

/* Change the SIZE bytes at DATA, which has room for CHANGED_MAX.  Returns how
   many there are then. */
static size_t
change(unsigned char *data, size_t size)
{
    const struct piece *other = &pieces[below(piece_count)];
    size_t at = below(size + 1);
    size_t from = below(other->size + 1);
    size_t left = other->size - from;
    size_t part = below((size_t)1 << below(12));

    switch (below(size > 0 ? 7 : 2)) {
    case 0:
        return put(data, at, 0, other->data + from, left);
    case 1:
        return put(data, at, size - at, other->data + from,
                   part < left ? part : left);
    case 2:
        return at;
    case 3:
        part = part < size - at ? part : size - at;
        memmove(data + at, data + at + part, size - at - part);
        return size - part;
    case 4:
        data[below(size)] = (unsigned char)noise();
        return size;
    case 5: /* most of what matters is near the start */
        data[below(size < 32 ? size : 32)] = (unsigned char)noise();
        return size;
    default:
        data[below(size)] ^= (unsigned char)(1u << below(8));
        return size;
    }
}

static void
run_changed(const char *name, uint32_t runs, uint32_t seed)
{
    static unsigned char data[CHANGED_MAX];
    char path[4096];

    snprintf(path, sizeof path, "%s.%u.last", name, seed);
    int last = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (last < 0 || piece_count == 0) {
        perror(path);
        exit(99);
    }
    for (uint32_t run = 0; run < runs; run++) {
        noise_start(seed, run);
        const struct piece *piece = &pieces[below(piece_count)];
        size_t size = put(data, 0, 0, piece->data, piece->size);
        for (size_t changes = 1 + below(CHANGES_MAX); changes > 0; changes--)
            size = change(data, size);
        if (pwrite(last, data, size, 0) != (ssize_t)size ||
            ftruncate(last, (off_t)size) < 0) {
            perror(path);
            exit(99);
        }
        free(run_one(data, size));
    }
    close(last);
    ok(true, "%s: %u runs with seed %u", name, runs, seed);
}

int
main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    const char *name = strrchr(argv[0], '/');
    uint32_t runs = 0;
    uint32_t seed = 1;
    char path[4096];
    int option;

    name = name != NULL ? name + 1 : argv[0];
    while ((option = getopt(argc, argv, "n:s:")) != -1) {
        if (option == 'n')
            runs = (uint32_t)strtoul(optarg, NULL, 10);
        else if (option == 's')
            seed = (uint32_t)strtoul(optarg, NULL, 10);
        else
            exit(99);
    }
    alarm(runs == 0 ? WATCHDOG_SECONDS : 0);
    if (optind == argc) {
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s.ar",
                 srcdir != NULL ? srcdir : ".", name);
        run_file(path);
    }
    for (int i = optind; i < argc; i++)
        run_file(argv[i]);
    if (runs > 0)
        run_changed(name, runs, seed);
    return done_testing();
}
