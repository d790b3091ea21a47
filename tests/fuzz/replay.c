/*
 * replay.c -- give a fuzz target the data of its corpus, without libFuzzer
 *
 * usage: TARGET [FILE]...
 *
 * A FILE is an archive of ar(1), and each member one call; any other file is
 * one call.  Without a FILE it is $srcdir/tests/fuzz/corpus/TARGET.ar.  What
 * the target finds ends the program: the last name printed is the culprit.
 */

#include "../tap.h"
#include "fuzz.h"

#define WATCHDOG_SECONDS 300
#define MAGIC "!<arch>\n"
#define MAGIC_BYTES 8
#define HEADER_BYTES 60
#define SIZE_AT 48 /* in the header, decimal digits and spaces */
#define SIZE_DIGITS 10

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

/* One call, with a copy: a sanitizer sees where it ends. */
static void
run_one(const unsigned char *data, size_t size)
{
    unsigned char *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
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
        run_one(data + at, member);
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
        run_one(data, size);
        ok(true, "%s", name);
    }
    free(data);
}

int
main(int argc, char **argv)
{
    const char *srcdir = getenv("srcdir");
    const char *name = strrchr(argv[0], '/');
    char path[4096];

    alarm(WATCHDOG_SECONDS);
    for (int i = 1; i < argc; i++)
        run_file(argv[i]);
    if (argc == 1) {
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s.ar",
                 srcdir != NULL ? srcdir : ".",
                 name != NULL ? name + 1 : argv[0]);
        run_file(path);
    }
    return done_testing();
}
