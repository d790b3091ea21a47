/*
 * test_inputs.c -- what the readers get of files that misbehave
 *
 * One reader alone gets the inputs in their order, so the bytes themselves
 * can be compared; several readers get words that are all different, and
 * each must come exactly once.
 */

#include <fcntl.h>
#include <ftw.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../tap.h"
#include "inputs.h"

#define WATCHDOG_SECONDS 120
#define CHUNK 4096
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- files in a directory of our own ---- */

static char directory[] = "/tmp/gpuhist-test.XXXXXX";

static int
remove_entry(const char *path, const struct stat *status, int type,
             struct FTW *where)
{
    (void)status;
    (void)type;
    (void)where;
    return remove(path);
}

static void
remove_directory(void)
{
    if (chdir("/") == 0)
        nftw(directory, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

/* The byte that every file here has at OFFSET. */
static unsigned char
content(size_t offset)
{
    return (unsigned char)(offset * 2654435761u >> 13);
}

/* Make the file SIZE bytes longer, from where it ends. */
static void
append(const char *path, size_t size)
{
    FILE *file = fopen(path, "a");

    if (file == NULL)
        abort();
    fseek(file, 0, SEEK_END);
    size_t offset = (size_t)ftell(file);
    for (size_t i = 0; i < size; i++)
        putc(content(offset + i), file);
    fclose(file);
}

static void
create(const char *path, size_t size)
{
    unlink(path);
    append(path, size);
}

/* ---- one reader ---- */

/* How one test goes: what is done to the inputs before the Nth read. */
struct script {
    size_t at_read; /* 0: the first */
    void (*action)(const char *path, off_t size);
    const char *path;
    off_t size;
};

static unsigned char got[1 << 20];
static size_t got_size;
static bool got_short; /* a read before the last did not fill its buffer */
static struct inputs inputs;
static struct budget budget;

static void
open_inputs(const char *const *names, size_t count, enum decompress decompress)
{
    static char text[400][16];
    static char *paths[400];
    struct error error = ERROR_NONE;

    for (size_t i = 0; i < count; i++) {
        snprintf(text[i], sizeof text[i], "%s", names[i]);
        paths[i] = text[i];
    }
    budget_open(&budget, 1 << 20);
    if (inputs_open(&inputs, paths, count, decompress, &budget, &error) < 0)
        abort();
}

static void
close_inputs(void)
{
    inputs_close(&inputs);
    budget_close(&budget);
}

/* Read all that there is into GOT. */
static void
read_all(size_t capacity, const struct script *script)
{
    struct claim claim = {NULL};
    size_t size = capacity;

    got_size = 0;
    for (size_t n = 0; size == capacity && got_size + capacity <= sizeof got;
         n++) {
        if (script != NULL && n == script->at_read)
            script->action(script->path, script->size);
        size = inputs_read(&inputs, &claim, got + got_size, capacity);
        got_size += size;
    }
    got_short = inputs_read(&inputs, &claim, got + got_size, 1) != 0;
}

/* Whether GOT is the first FIRST bytes of the content, from OFFSET on. */
static bool
got_content(size_t offset, size_t size)
{
    bool is_same = got_size == size && !got_short;

    for (size_t i = 0; i < size && is_same; i++)
        is_same = got[i] == content(offset + i);
    return is_same;
}

static const char *
error_text(size_t i)
{
    const struct error *error = inputs_error(&inputs, i);

    if (error->status == EXIT_DONE)
        return "";
    return error->status == EXIT_DATA ? error->text : "(not EXIT_DATA)";
}

static void
test_one_file(void)
{
    static const size_t sizes[] = {
        0,     1,     3,      4,      5,         4095,          4096,
        4097,  8191,  8192,   8193,   10 * 4096, 10 * 4096 + 1, 65535,
        65536, 65537, 131071, 131072, 131073,    200001};
    static const size_t capacities[] = {1, 2, 7, 4095, 4096, 50000, 200000};
    static const char *const path[] = {"file"};

    for (size_t s = 0; s < COUNT(sizes); s++) {
        size_t wrong = 0;
        create("file", sizes[s]);
        for (size_t c = 0; c < COUNT(capacities); c++) {
            for (int auto_or_none = 0; auto_or_none < 2; auto_or_none++) {
                open_inputs(path, 1,
                            auto_or_none ? DECOMPRESS_NONE : DECOMPRESS_AUTO);
                wrong += inputs.known_bytes != sizes[s];
                read_all(capacities[c], NULL);
                wrong += !got_content(0, sizes[s]) || *error_text(0) != '\0';
                close_inputs();
            }
        }
        ok(wrong == 0, "a file of %zu bytes, in all pieces", sizes[s]);
    }
}

static void
test_small_files(void)
{
    static const size_t capacities[] = {1, 10, CHUNK, 100000};
    static char text[300][16];
    static const char *names[300];
    static unsigned char wanted[10000];
    size_t size = 0;

    for (size_t i = 0; i < COUNT(names); i++) {
        snprintf(text[i], sizeof text[i], "small-%zu", i);
        names[i] = text[i];
        create(names[i], i % 13);
        for (size_t j = 0; j < i % 13; j++)
            wanted[size++] = content(j);
    }
    for (size_t c = 0; c < COUNT(capacities); c++) {
        open_inputs(names, COUNT(names), DECOMPRESS_AUTO);
        read_all(capacities[c], NULL);
        ok(got_size == size && !got_short && memcmp(got, wanted, size) == 0,
           "many small files, %zu bytes at a time", capacities[c]);
        close_inputs();
    }
}

/* ---- files that change while they are read ---- */

static void
do_truncate(const char *path, off_t size)
{
    if (truncate(path, size) < 0)
        abort();
}

static void
do_append(const char *path, off_t size)
{
    append(path, (size_t)size);
}

static void
do_remove(const char *path, off_t size)
{
    (void)size;
    unlink(path);
}

static void
test_changing_files(void)
{
    static const struct {
        const char *name;
        size_t size;
        struct script script;
        size_t wanted;       /* bytes, if all is well */
        const char *failure; /* else what the error says */
    } table[] = {
        {"grows after the first chunk",
         40 * CHUNK,
         {1, do_append, "file", 5000},
         40 * CHUNK + 5000,
         NULL},
        {"grows after the last chunk",
         40 * CHUNK,
         {40, do_append, "file", 1},
         40 * CHUNK + 1,
         NULL},
        {"grows by much before it is opened",
         10,
         {0, do_append, "file", 100 * CHUNK},
         100 * CHUNK + 10,
         NULL},
        {"too small to share, grows",
         CHUNK + 1,
         {1, do_append, "file", 30 * CHUNK},
         31 * CHUNK + 1,
         NULL},
        {"shrinks before it is opened",
         40 * CHUNK,
         {0, do_truncate, "file", 100},
         100,
         NULL},
        {"shrinks to nothing before it is opened",
         40 * CHUNK,
         {0, do_truncate, "file", 0},
         0,
         NULL},
        {"is removed while it is read",
         40 * CHUNK,
         {1, do_remove, "file", 0},
         40 * CHUNK,
         NULL},
        {"is removed before it is opened",
         40 * CHUNK,
         {0, do_remove, "file", 0},
         0,
         "file: cannot open: No such file or directory"},
        {"shrinks to the middle of a chunk",
         40 * CHUNK,
         {1, do_truncate, "file", CHUNK + 100},
         0,
         "file: truncated at byte 4196 while it was read"},
        {"shrinks to the end of a chunk",
         40 * CHUNK,
         {1, do_truncate, "file", 3 * CHUNK},
         0,
         "file: truncated at byte 12288 while it was read"},
        {"shrinks below what was read",
         40 * CHUNK,
         {2, do_truncate, "file", 10},
         0,
         "file: truncated at byte 8192 while it was read"},
        {"loses the last byte",
         40 * CHUNK,
         {39, do_truncate, "file", 40 * CHUNK - 1},
         0,
         "file: truncated at byte 163839 while it was read"},
        {"of 40 chunks and a bit loses the bit",
         40 * CHUNK + 1,
         {40, do_truncate, "file", 40 * CHUNK},
         0,
         "file: truncated at byte 163840 while it was read"},
    };
    static const char *const paths[] = {"file", "after"};

    create("after", 10);
    for (size_t i = 0; i < COUNT(table); i++) {
        create("file", table[i].size);
        open_inputs(paths, 2, DECOMPRESS_AUTO);
        read_all(CHUNK, &table[i].script);
        const char *text = error_text(0);
        bool has_rest = got_size >= 10 && !got_short && *error_text(1) == '\0';
        for (size_t j = 0; has_rest && j < 10; j++)
            has_rest = got[got_size - 10 + j] == content(j);
        got_size -= has_rest ? 10 : 0;
        bool is_right = table[i].failure != NULL
                            ? strcmp(text, table[i].failure) == 0
                            : *text == '\0' && got_content(0, table[i].wanted);
        ok(is_right && has_rest, "a file %s", table[i].name);
        if (!is_right)
            printf("# %zu bytes, error: %s\n", got_size, text);
        close_inputs();
    }
}

/* ---- standard input ---- */

/* Make PATH standard input, OFFSET bytes of it read already. */
static void
redirect(const char *path, off_t offset)
{
    int fd = open(path, O_RDONLY);

    if (fd < 0 || dup2(fd, STDIN_FILENO) < 0 ||
        lseek(STDIN_FILENO, offset, SEEK_SET) != offset)
        abort();
    close(fd);
}

static void
test_stdin(void)
{
    static const struct {
        size_t size, offset;
    } table[] = {
        {0, 0},         {0, 5},          {10, 0},          {10, 9},
        {10, 10},       {10, 11},        {100000, 0},      {100000, 1},
        {100000, 4097}, {100000, 99999}, {100000, 100000}, {100000, 1000000},
    };
    static const char *const twice[] = {"-", "-"};

    for (size_t i = 0; i < COUNT(table); i++) {
        size_t size = table[i].size, offset = table[i].offset;
        size_t left = offset < size ? size - offset : 0;
        off_t end = (off_t)(offset < size ? size : offset);
        size_t wrong = 0;

        create("file", size);
        for (size_t n = 0; n < 6; n++) {
            redirect("file", (off_t)offset);
            /* Not named at all, once, twice; decoded or not. */
            open_inputs(twice, n % 3,
                        n < 3 ? DECOMPRESS_AUTO : DECOMPRESS_NONE);
            wrong += inputs.known_bytes != left || inputs.has_unknown_length;
            read_all(CHUNK, NULL);
            wrong += !got_content(offset, left) || *error_text(0) != '\0';
            wrong += lseek(STDIN_FILENO, 0, SEEK_CUR) != end;
            close_inputs();
        }
        ok(wrong == 0, "standard input of %zu bytes from %zu on", size, offset);
    }
}

/* ---- errors ---- */

static void
test_errors(void)
{
    static const char *const names[] = {"missing", "file", "directory", "empty",
                                        "missing", "",     "file/x",    "file"};
    static const char *const texts[] = {
        "missing: cannot open: No such file or directory",
        "",
        "directory: is a directory",
        "",
        "missing: cannot open: No such file or directory",
        ": cannot open: No such file or directory",
        "file/x: cannot open: Not a directory",
        "",
    };
    bool is_right = true;

    create("file", 100000);
    create("empty", 0);
    mkdir("directory", 0700);
    open_inputs(names, COUNT(names), DECOMPRESS_AUTO);
    ok(inputs.known_bytes == 200000 && inputs.has_unknown_length,
       "what is known before");
    read_all(CHUNK, NULL);
    ok(got_size == 200000 && !got_short, "the good ones are read");
    for (size_t i = 0; i < COUNT(names); i++) {
        is_right &= strcmp(error_text(i), texts[i]) == 0;
        if (!is_right)
            printf("# input %zu: %s\n", i, error_text(i));
    }
    ok(is_right, "each of the others has an error of its own");
    close_inputs();

    open_inputs(names, 1, DECOMPRESS_AUTO);
    read_all(CHUNK, NULL);
    ok(got_size == 0 && *error_text(0) != '\0', "nothing but a bad one");
    close_inputs();
}

static void
test_only_zstd(void)
{
    static const char *const names[] = {"file", "empty", "-"};
    static const char *const texts[] = {
        "file: not zstd data at byte 0: no magic number",
        "empty: not zstd data at byte 0: the input is empty",
        "standard input: not zstd data at byte 5: no magic number",
    };
    bool is_right = true;

    create("file", 100000);
    create("empty", 0);
    redirect("file", 5);
    open_inputs(names, COUNT(names), DECOMPRESS_ZSTD);
    read_all(CHUNK, NULL);
    for (size_t i = 0; i < COUNT(names); i++)
        is_right &= strcmp(error_text(i), texts[i]) == 0;
    ok(is_right && got_size == 0, "--decompress=zstd refuses plain data");
    close_inputs();
}

/* ---- several readers ---- */

#define FILES 5
#define WORDS 200000
static atomic_uchar times_read[WORDS];
static atomic_uint bad_words;
static atomic_uint short_reads;

static void *
reader_main(void *argument)
{
    struct claim claim = {NULL};
    static _Thread_local uint32_t words[CHUNK / 4];
    size_t size;

    do {
        size = inputs_read(&inputs, &claim, words, sizeof words);
        if (size % 4 != 0)
            atomic_fetch_add(&bad_words, 1);
        for (size_t i = 0; i < size / 4; i++) {
            if (words[i] < WORDS)
                atomic_fetch_add(&times_read[words[i]], 1);
            else
                atomic_fetch_add(&bad_words, 1);
        }
    } while (size == sizeof words);
    if (inputs_read(&inputs, &claim, words, sizeof words) != 0)
        atomic_fetch_add(&short_reads, 1);
    return argument;
}

/* Files of unequal sizes that together hold all words. */
static void
create_words(const char *const *names)
{
    static const uint32_t ends[FILES] = {1, 2 * CHUNK / 4, 90000, 90003, WORDS};
    uint32_t word = 0;

    for (int i = 0; i < FILES; i++) {
        FILE *file = fopen(names[i], "w");
        if (file == NULL)
            abort();
        for (; word < ends[i]; word++)
            fwrite(&word, sizeof word, 1, file);
        fclose(file);
    }
}

static void
test_readers(int readers, enum decompress decompress)
{
    static const char *const names[FILES] = {"w0", "w1", "w2", "w3", "w4"};
    pthread_t thread[16];
    unsigned int wrong = 0;

    create_words(names);
    memset(times_read, 0, sizeof times_read);
    open_inputs(names, FILES, decompress);
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < WORDS; i++)
        wrong += times_read[i] != 1;
    for (size_t i = 0; i < FILES; i++)
        wrong += *error_text(i) != '\0';
    ok(wrong == 0 && bad_words == 0 && short_reads == 0,
       "%d readers: every word once%s", readers,
       decompress == DECOMPRESS_NONE ? ", not looked at" : "");
    close_inputs();
}

/* One of the readers finds that the file was cut; all come to an end. */
static void
test_readers_truncated(void)
{
    static const char *const names[] = {"file", "after"};
    struct claim claim = {NULL};
    pthread_t thread[8];

    create("file", 200 * CHUNK);
    create("after", 4);
    open_inputs(names, 2, DECOMPRESS_AUTO);
    size_t first = inputs_read(&inputs, &claim, got, CHUNK);
    do_truncate("file", 50 * CHUNK);
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
    size_t rest = inputs_read(&inputs, &claim, got, CHUNK);
    ok(first == CHUNK && rest == 0 &&
           strstr(error_text(0), "file: truncated at byte ") != NULL &&
           *error_text(1) == '\0',
       "8 readers of a file that was cut: %s", error_text(0));
    close_inputs();
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    if (mkdtemp(directory) == NULL || chdir(directory) < 0)
        return 99;
    atexit(remove_directory);

    test_one_file();
    test_small_files();
    test_changing_files();
    test_stdin();
    test_errors();
    test_only_zstd();
    for (int readers = 1; readers <= 16; readers *= 2) {
        test_readers(readers, DECOMPRESS_AUTO);
        test_readers(readers, DECOMPRESS_NONE);
    }
    test_readers_truncated();
    return done_testing();
}
