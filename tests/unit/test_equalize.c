/* SPDX-License-Identifier: MIT */
/* test_equalize.c -- the table, and a file that is complete or absent */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "../sleeper.h"
#include "../tap.h"
#include "base/output.h"
#include "report/equalize.h"

#define WATCHDOG_SECONDS 60
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the table ---- */

static void
test_tables(void)
{
    static const struct {
        const char *name;
        size_t levels;
        uint64_t count[8];
        uint32_t table[8];
    } cases[] = {
        {"uniform", 4, {1, 1, 1, 1}, {0, 1, 2, 3}},
        {"uniform, many", 4, {9, 9, 9, 9}, {0, 1, 2, 3}},
        {"two values", 4, {0, 5, 1, 0}, {0, 0, 3, 3}},
        {"gaps", 8, {0, 2, 0, 1, 0, 0, 1, 0}, {0, 0, 0, 4, 4, 4, 7, 7}},
        {"half is rounded up", 2, {1, 1, 0}, {0, 1}},
        {"1/2 of 3 is 2", 4, {1, 1, 1, 0}, {0, 2, 3, 3}},
        {"1/2 of 7 is 4", 8, {7, 3, 3}, {0, 4, 7, 7, 7, 7, 7, 7}},
        {"just below half", 2, {1, 3, 4}, {0, 1}},
        {"3/7 of 1 is 0", 2, {5, 7}, {0, 1}},
        {"lowest is big", 4, {1000000, 1, 1, 1}, {0, 1, 2, 3}},
        {"constant", 4, {0, 0, 7, 0}, {0, 1, 2, 3}},
        {"no pixels", 4, {0}, {0, 1, 2, 3}},
        {"one level", 1, {5}, {0}},
        {"one level, no pixels", 1, {0}, {0}},
        {"2^63", 4, {1, 1ull << 62, 1ull << 62, 1}, {0, 1, 3, 3}},
        {"2^64 - 1", 4, {1, 1ull << 63, (1ull << 63) - 3, 1}, {0, 2, 3, 3}},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        uint32_t table[8] = {0};
        equalize_table(cases[i].count, cases[i].levels, table);
        ok(memcmp(table, cases[i].table, cases[i].levels * sizeof *table) == 0,
           "table: %s", cases[i].name);
    }
}

/* Against the definition, written another way: by searching. */
static void
test_table_of_65536(void)
{
    enum {
        LEVELS = 65536
    };
    uint64_t *count = calloc(LEVELS, sizeof *count);
    uint32_t *table = calloc(LEVELS, sizeof *table);
    uint32_t seed = 1;
    uint64_t total = 0, first = 0;

    if (count == NULL || table == NULL)
        abort();
    for (size_t v = 100; v < LEVELS; v++) {
        seed = seed * 1664525u + 1013904223u;
        count[v] = seed >> 28 == 0 ? 0 : seed >> 12;
        total += count[v];
        if (first == 0)
            first = count[v];
    }
    equalize_table(count, LEVELS, table);

    bool is_right = table[LEVELS - 1] == LEVELS - 1;
    uint64_t up_to = 0, range = total - first;
    for (size_t v = 0; v < LEVELS; v++) {
        up_to += count[v];
        if (up_to == 0) {
            is_right &= table[v] == 0;
            continue;
        }
        /* 2t - 1 <= 2x < 2t + 1, multiplied by the range. */
        uint64_t x = 2 * (up_to - first) * (LEVELS - 1);
        uint64_t t = table[v];
        is_right &= x < (2 * t + 1) * range && x + range >= 2 * t * range;
    }
    ok(is_right, "table: 65536 levels");
    free(count);
    free(table);
}

/* ---- files ---- */

static void
write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

static bool
file_holds(const char *path, const void *data, size_t size)
{
    unsigned char *content = malloc(size + 1);
    FILE *file = fopen(path, "r");
    bool is_same = file != NULL && content != NULL &&
                   fread(content, 1, size + 1, file) == size &&
                   memcmp(content, data, size) == 0;

    if (file != NULL)
        fclose(file);
    free(content);
    return is_same;
}

static bool
file_is(const char *path, const char *text)
{
    return file_holds(path, text, strlen(text));
}

/* How many files there are, hidden ones too: no temporary one may stay. */
static int
count_files(void)
{
    DIR *here = opendir(".");
    int files = 0;

    if (here == NULL)
        return -1;
    while (readdir(here) != NULL)
        files++;
    closedir(here);
    return files - 2;
}

static void
remove_files(void)
{
    DIR *here = opendir(".");
    const struct dirent *entry;

    while (here != NULL && (entry = readdir(here)) != NULL)
        (void)unlink(entry->d_name);
    if (here != NULL)
        closedir(here);
}

/* ---- the small image that most tests write ---- */

static const struct equalize_image small = {(const unsigned char *)"ABCDEF", 3,
                                            2, false, 255};
#define SMALL_FILE "P5\n3 2\n255\nabcdef"

/* Letters become lower-case. */
static uint32_t lower[256];

/* Write IMAGE to PATH, which is replaced.  0, or -1 with *ERROR set. */
static int
write_path(const char *path, const struct equalize_image *image,
           const uint32_t *table, struct error *error)
{
    struct outputs outputs;
    struct output output;

    outputs_open(&outputs);
    int result = output_open(&output, &outputs, path, error);
    if (result == 0 && equalize_write(output.fd, image, table) < 0)
        result = output_fail(&output, error);
    if (result == 0)
        result = output_finish(&output, error);
    if (result == 0)
        result =
            outputs_commit(&outputs, &(struct output *){&output}, 1, error);
    output_close(&output);
    return result;
}

static bool
write_small(const char *path)
{
    struct error error = ERROR_NONE;
    bool is_good = write_path(path, &small, lower, &error) == 0 &&
                   error.status == EXIT_DONE && error.text == NULL;

    error_clear(&error);
    return is_good;
}

/* Whether writing IMAGE to PATH fails for REASON, and names the file. */
static bool
fails(const char *path, const struct equalize_image *image,
      const uint32_t *table, int reason)
{
    struct error error = ERROR_NONE;
    char text[300];

    snprintf(text, sizeof text, "%s: cannot write: %s",
             *path == '\0' ? "''" : path, strerror(reason));
    bool is_right = write_path(path, image, table, &error) == -1 &&
                    error.status == EXIT_DATA && error.text != NULL &&
                    strcmp(error.text, text) == 0;
    if (!is_right)
        printf("# %s\n", error.text == NULL ? "no error" : error.text);
    error_clear(&error);
    return is_right;
}

/*
 * A mistake here could replace a device.  So root becomes the user nobody while
 * the test uses /dev.
 */
static void
give_up_root(void)
{
    if (geteuid() == 0 && seteuid(65534) < 0)
        abort();
}

static void
take_root_back(void)
{
    if (seteuid(getuid()) < 0)
        abort();
}

/* ---- what is written ---- */

/* Whether an image of that size is written as its definition says. */
static bool
is_written(uint32_t width, uint32_t height, unsigned int maxval,
           bool is_bottom_up)
{
    size_t sample_bytes = maxval > 255 ? 2 : 1;
    size_t size = (size_t)width * height * sample_bytes;
    unsigned char *pixels = malloc(size);
    unsigned char *expected = malloc(size + 64);
    uint32_t *table = malloc((maxval + 1) * sizeof *table);
    struct error error = ERROR_NONE;

    if (pixels == NULL || expected == NULL || table == NULL)
        abort();
    for (uint32_t v = 0; v <= maxval; v++)
        table[v] = maxval - v;
    size_t used = (size_t)sprintf((char *)expected, "P5\n%u %u\n%u\n", width,
                                  height, maxval);
    for (uint32_t y = 0; y < height; y++) {
        uint32_t row = is_bottom_up ? height - 1 - y : y;
        for (uint32_t x = 0; x < width; x++) {
            uint32_t value = (row * 7919 + x * 31) % (maxval + 1);
            size_t at = ((size_t)row * width + x) * sample_bytes;
            if (maxval > 255) {
                pixels[at++] = (unsigned char)(value >> 8);
                expected[used++] = (unsigned char)((maxval - value) >> 8);
            }
            pixels[at] = (unsigned char)value;
            expected[used++] = (unsigned char)(maxval - value);
        }
    }

    struct equalize_image image = {pixels, width, height, is_bottom_up, maxval};
    bool is_good = write_path("image", &image, table, &error) == 0 &&
                   file_holds("image", expected, used);
    error_clear(&error);
    free(pixels);
    free(expected);
    free(table);
    return is_good;
}

static void
test_content(void)
{
    static const unsigned int maxvals[] = {1, 200, 255, 256, 999, 65535};

    for (size_t m = 0; m < COUNT(maxvals); m++) {
        for (int up = 0; up < 2; up++) {
            ok(is_written(1, 1, maxvals[m], up) &&
                   is_written(3, 5, maxvals[m], up) &&
                   is_written(311, 307, maxvals[m], up) &&
                   is_written(70001, 3, maxvals[m], up) &&
                   is_written(1, 70001, maxvals[m], up) &&
                   is_written(32760, 2, maxvals[m], up),
               "content: maxval %u, %s", maxvals[m],
               up ? "bottom-up" : "top-down");
        }
    }
    remove_files();
}

/* ---- how it is written ---- */

static void
test_replacing(void)
{
    struct stat status;

    umask(027);
    ok(write_small("new") && file_is("new", SMALL_FILE) && count_files() == 1,
       "a new file");
    ok(stat("new", &status) == 0 && (status.st_mode & 07777) == 0640,
       "its mode is what the umask leaves");
    umask(022);

    write_file("old", "much longer than what comes, and seen by who has it");
    int old = open("old", O_RDONLY);
    ok(write_small("old") && file_is("old", SMALL_FILE) && count_files() == 2,
       "an old file");
    char byte;
    ok(read(old, &byte, 1) == 1 && byte == 'm',
       "who has the old one open keeps it");
    close(old);

    char path[64];
    snprintf(path, sizeof path, "%s/new", scratch_path);
    ok(write_small(path) && count_files() == 2, "by its whole path");

    /* Nobody can create a file in /proc. */
    if (unlink("new") < 0 || chdir("/proc") < 0)
        abort();
    bool is_good = write_small(path);
    if (chdir(scratch_path) < 0)
        abort();
    ok(is_good && file_is("new", SMALL_FILE) && count_files() == 2,
       "the temporary file is beside it, wherever we are");

    write_file("target", "before");
    if (symlink("target", "link") < 0)
        abort();
    ok(write_small("link") && file_is("target", SMALL_FILE) &&
           lstat("link", &status) == 0 && S_ISLNK(status.st_mode) &&
           count_files() == 4,
       "a link stays, its file is replaced");
    remove_files();
}

static void
test_failures(void)
{
    write_file("old", "before");
    if (symlink("no/file", "dangling") < 0 || mkdir("dir", 0700) < 0)
        abort();

    ok(fails("no/file", &small, lower, ENOENT), "no such directory");
    ok(fails("old/file", &small, lower, ENOTDIR), "not a directory");
    ok(fails("dir", &small, lower, EISDIR), "a directory");
    ok(fails("dangling", &small, lower, ENOENT), "a link into no directory");
    ok(fails("", &small, lower, ENOENT), "no name");
    give_up_root();
    ok(fails("/dev/full", &small, lower, ENOSPC), "a full device");
    take_root_back();
    ok(count_files() == 3, "they leave nothing behind");

    /* A file system that is full, in effect. */
    struct rlimit limit, kept;
    getrlimit(RLIMIT_FSIZE, &kept);
    signal(SIGXFSZ, SIG_IGN);
    limit = kept;
    limit.rlim_cur = 10;
    setrlimit(RLIMIT_FSIZE, &limit);
    bool is_right = fails("old", &small, lower, EFBIG);
    bool is_right_new = fails("new", &small, lower, EFBIG);
    setrlimit(RLIMIT_FSIZE, &kept);
    ok(is_right && file_is("old", "before"), "no room: the old file stays");
    ok(is_right_new && count_files() == 3, "no room: nothing is left behind");

    struct error error = ERROR_NONE;
    error_set(&error, EXIT_NO_DEVICE, "first");
    write_path("no/file", &small, lower, &error);
    ok(error.status == EXIT_NO_DEVICE && strcmp(error.text, "first") == 0,
       "the first error wins");
    error_clear(&error);
    rmdir("dir");
    remove_files();
}

/* What a thread reads from a FIFO, slowly, while it disturbs the writer. */
struct reading {
    struct sleeper sleeper; /* the writer */
    pthread_t writer;
    unsigned char *data;
    size_t size;
};

static void
ignore_signal(int signal)
{
    (void)signal;
}

static void *
read_fifo(void *argument)
{
    struct reading *reading = argument;
    FILE *fifo = fopen("fifo", "r");
    size_t got;

    if (fifo == NULL)
        return NULL;
    setvbuf(fifo, NULL, _IONBF, 0);
    do {
        sleeper_waits(&reading->sleeper);
        pthread_kill(reading->writer, SIGUSR1);
        got = fread(reading->data + reading->size, 1, 10000, fifo);
        reading->size += got;
    } while (got > 0);
    fclose(fifo);
    return NULL;
}

/* An image larger than a pipe; every write is interrupted. */
static void
test_fifo(void)
{
    enum {
        WIDTH = 1000,
        HEIGHT = 500,
        SIZE = WIDTH * HEIGHT
    };
    unsigned char *pixels = malloc(SIZE);
    struct reading reading = {.writer = pthread_self(),
                              .data = malloc(SIZE + 20000)};
    struct equalize_image image = {pixels, WIDTH, HEIGHT, false, 255};
    struct sigaction action = {.sa_handler = ignore_signal};
    struct error error = ERROR_NONE;
    struct stat status;
    pthread_t thread;

    if (pixels == NULL || reading.data == NULL || mkfifo("fifo", 0600) < 0)
        abort();
    for (size_t i = 0; i < SIZE; i++)
        pixels[i] = (unsigned char)(128 + i * 2654435761u % 127);
    sigaction(SIGUSR1, &action, NULL); /* without SA_RESTART */
    sleeper_start(&reading.sleeper);
    pthread_create(&thread, NULL, read_fifo, &reading);
    int result;
    do {
        error_clear(&error);
        result = write_path("fifo", &image, lower, &error);
    } while (result < 0 && strstr(error.text, strerror(EINTR)) != NULL);
    pthread_join(thread, NULL);

    static const char header[] = "P5\n1000 500\n255\n";
    size_t header_size = sizeof header - 1;
    ok(result == 0 && reading.size == header_size + SIZE &&
           memcmp(reading.data, header, header_size) == 0 &&
           memcmp(reading.data + header_size, pixels, SIZE) == 0,
       "a FIFO gets everything, signals or not");
    ok(stat("fifo", &status) == 0 && S_ISFIFO(status.st_mode) &&
           count_files() == 1,
       "and stays one");
    error_clear(&error);
    free(pixels);
    free(reading.data);
    remove_files();
}

static void
test_devices(void)
{
    struct stat status;

    /* Standard output is a file here, and something is in it already. */
    int kept = dup(STDOUT_FILENO);
    int file = open("output", O_WRONLY | O_CREAT | O_APPEND, 0600);
    if (kept < 0 || file < 0 || write(file, "first,", 6) != 6)
        abort();
    dup2(file, STDOUT_FILENO);
    give_up_root();
    bool is_good = write_small("/dev/stdout");
    bool is_open = write(STDOUT_FILENO, ",last", 5) == 5;
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(file);
    ok(write_small("/dev/null") && stat("/dev/null", &status) == 0 &&
           S_ISCHR(status.st_mode),
       "a device stays one");
    take_root_back();
    ok(is_good && is_open && file_is("output", "first," SMALL_FILE ",last"),
       "/dev/stdout is written to where it is");
    ok(lstat("/dev/stdout", &status) == 0 && S_ISLNK(status.st_mode),
       "and stays what it was");
    remove_files();
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_tables();
    test_table_of_65536();

    scratch_open();
    for (uint32_t v = 0; v < COUNT(lower); v++)
        lower[v] = v >= 'A' && v <= 'Z' ? v - 'A' + 'a' : v;
    test_content();
    test_replacing();
    test_failures();
    test_fifo();
    test_devices();
    return done_testing();
}
