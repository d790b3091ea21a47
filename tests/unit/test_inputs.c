/* SPDX-License-Identifier: MIT */
/*
 * test_inputs.c -- what the readers get of difficult files
 *
 * One reader alone gets the inputs in their order, so the bytes themselves
 * can be compared; several readers get words that are all different, and
 * each must come exactly once.
 */

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../scratch.h"
#include "../sleeper.h"
#include "../tap.h"
#include "input/framing/text_framing.h"
#include "input/read/claim.h"
#include "input/read/inputs.h"
#include "input/read/survey.h"

#define WATCHDOG_SECONDS 300
#define CHUNK 4096
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- files ---- */

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
open_reading(const char *const *names, size_t count,
             const struct reading *reading)
{
    static char text[400][16];
    static char *paths[400];
    struct error error = ERROR_NONE;

    for (size_t i = 0; i < count; i++) {
        snprintf(text[i], sizeof text[i], "%s", names[i]);
        paths[i] = text[i];
    }
    budget_open(&budget, 4 << 20);
    if (inputs_open(&inputs, count > 0 ? paths : NULL, count, reading, &budget,
                    &error) < 0)
        abort();
}

static void
open_inputs(const char *const *names, size_t count, enum decompress decompress)
{
    struct reading reading = {.decompress = decompress,
                              .read_bytes = UINT64_MAX};

    open_reading(names, count, &reading);
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
    struct input_reader reader = {0};
    size_t size = capacity;

    got_size = 0;
    for (size_t n = 0; size == capacity && got_size + capacity <= sizeof got;
         n++) {
        if (script != NULL && n == script->at_read)
            script->action(script->path, script->size);
        size = inputs_read(&inputs, &reader, got + got_size, capacity);
        got_size += size;
    }
    got_short = inputs_read(&inputs, &reader, got + got_size, 1) != 0;
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
        bool has_tail = got_size >= 10 && !got_short && *error_text(1) == '\0';
        for (size_t j = 0; has_tail && j < 10; j++)
            has_tail = got[got_size - 10 + j] == content(j);
        got_size -= has_tail ? 10 : 0;
        bool is_right = table[i].failure != NULL
                            ? strcmp(text, table[i].failure) == 0
                            : *text == '\0' && got_content(0, table[i].wanted);
        ok(is_right && has_tail, "a file %s", table[i].name);
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
        "'': cannot open: No such file or directory",
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
    /* --decompress=zstd: the first row of the table. */
    open_inputs(names, COUNT(names), DECOMPRESS_ONLY);
    read_all(CHUNK, NULL);
    for (size_t i = 0; i < COUNT(names); i++)
        is_right &= strcmp(error_text(i), texts[i]) == 0;
    ok(is_right && got_size == 0, "--decompress=zstd refuses plain data");
    close_inputs();
}

/* ---- records ---- */

/* Write "NAME: ends with ..." to TEXT, or "" where EXCESS is 0. */
static void
print_excess(char text[200], const char *name, size_t excess, size_t record)
{
    *text = '\0';
    if (excess > 0)
        snprintf(text, 200,
                 "%s: ends with %zu byte%s of a record of %zu "
                 "(--partial=drop leaves them out)",
                 name, excess, excess == 1 ? "" : "s", record);
}

/* Returns how many bytes were left out at the end of input I. */
static size_t
dropped(size_t i)
{
    const struct input *input = inputs.slot[i].input;

    return input != NULL ? input->dropped_bytes : 0;
}

/* One file: ranges, or from start to end where it is too small for them. */
static void
test_records(void)
{
    static const size_t records[] = {2, 3, 8, 12, 4095, 65536};
    static const size_t sizes[] = {0,     1,      2,      11,     12,
                                   4095,  4096,   65535,  65536,  65537,
                                   65550, 131071, 131072, 131073, 200001};
    static const char *const path[] = {"file"};

    for (size_t r = 0; r < COUNT(records); r++) {
        for (int drop = 0; drop < 2; drop++) {
            size_t record = records[r];
            size_t wrong = 0;
            for (size_t s = 0; s < COUNT(sizes); s++) {
                size_t excess = sizes[s] % record;
                char text[200];
                print_excess(text, "file", drop ? 0 : excess, record);
                create("file", sizes[s]);
                for (size_t n = 1; n * record <= 262144; n = n * 5 + 1) {
                    open_inputs(path, 1, DECOMPRESS_AUTO);
                    inputs.framing = framing_make_fixed(record, drop);
                    read_all(n * record, NULL);
                    wrong += !got_content(0, sizes[s] - excess);
                    wrong += strcmp(error_text(0), text) != 0;
                    wrong += dropped(0) != (drop ? excess : 0);
                    close_inputs();
                }
            }
            ok(wrong == 0, "records of %zu: the rest is %s", record,
               drop ? "dropped" : "an error");
        }
    }
}

/* Many inputs in sequence, each with its own tail.  They are freed, but those
   that messages are of. */
static void
test_small_records(void)
{
    static const size_t records[] = {2, 3, 7, 16};
    static char name[200][16];
    static const char *names[COUNT(name)];
    static unsigned char wanted[10000];

    for (size_t i = 0; i < COUNT(name); i++) {
        snprintf(name[i], sizeof name[i], "r%zu", i);
        names[i] = name[i];
        create(names[i], i % 41);
    }
    for (size_t r = 0; r < COUNT(records); r++) {
        size_t record = records[r], size = 0, wrong = 0;
        for (size_t i = 0; i < COUNT(name); i++) {
            for (size_t j = 0; j < i % 41 / record * record; j++)
                wanted[size++] = content(j);
        }
        for (size_t n = 1; n <= 4000; n *= 7) {
            for (int drop = 0; drop < 2; drop++) {
                open_inputs(names, COUNT(names), DECOMPRESS_AUTO);
                inputs.framing = framing_make_fixed(record, drop);
                read_all(n * record, NULL);
                wrong += got_size != size || got_short ||
                         memcmp(got, wanted, size) != 0;
                for (size_t i = 0; i < COUNT(name); i++) {
                    char text[200];
                    size_t excess = i % 41 % record;
                    print_excess(text, names[i], drop ? 0 : excess, record);
                    wrong += strcmp(error_text(i), text) != 0;
                    wrong += dropped(i) != (drop ? excess : 0);
                    wrong += (inputs.slot[i].input != NULL) !=
                             (i == 0 || excess > 0);
                }
                close_inputs();
            }
        }
        ok(wrong == 0, "many small files of records of %zu", record);
    }
}

/* A tail that becomes a record, or a record that becomes a tail. */
static void
test_changing_records(void)
{
    static const struct {
        const char *name;
        size_t size;
        struct script script;
        size_t wanted;
        const char *failure;
    } table[] = {
        {"is completed",
         40 * CHUNK + 7,
         {2, do_append, "file", 1},
         40 * CHUNK + 8,
         ""},
        {"is completed, and the next one begins",
         40 * CHUNK + 7,
         {40, do_append, "file", 8 * 1000 + 2},
         40 * CHUNK + 8 * 1001,
         "file: ends with 1 byte of a record of 8 (--partial=drop leaves them "
         "out)"},
        {"begins",
         40 * CHUNK,
         {1, do_append, "file", 5},
         40 * CHUNK,
         "file: ends with 5 bytes of a record of 8 (--partial=drop leaves them "
         "out)"},
        {"at the end is lost",
         40 * CHUNK + 7,
         {1, do_truncate, "file", 40 * CHUNK},
         40 * CHUNK,
         ""},
    };
    static const char *const path[] = {"file"};

    for (size_t i = 0; i < COUNT(table); i++) {
        create("file", table[i].size);
        open_inputs(path, 1, DECOMPRESS_AUTO);
        inputs.framing = framing_make_fixed(8, false);
        read_all(CHUNK, &table[i].script);
        ok(got_content(0, table[i].wanted) &&
               strcmp(error_text(0), table[i].failure) == 0,
           "while it is read, a record %s", table[i].name);
        close_inputs();
    }
}

/* ---- records of any length ---- */

static size_t
whole_lines(const struct framing *framing, const unsigned char *data,
            size_t size)
{
    (void)framing;
    while (size > 0 && data[size - 1] != '\n')
        size--;
    return size;
}

static int
end_lines(const struct framing *framing, const char *name, size_t tail,
          struct error *error)
{
    (void)framing;
    error_set(error, EXIT_DATA, "%s: %zu bytes without an end", name, tail);
    return -1;
}

/* Write lines of 0 to LENGTH_MAX bytes to PATH; returns their size. */
static size_t
create_lines(const char *path, size_t lines, size_t length_max)
{
    FILE *file = fopen(path, "w");
    size_t size = 0;

    if (file == NULL)
        abort();
    for (size_t i = 0; i < lines; i++) {
        size_t length = content(i) * 7u % (length_max + 1);
        for (size_t j = 0; j < length; j++)
            putc('a' + (int)((i + j) % 26), file);
        putc('\n', file);
        size += length + 1;
    }
    fclose(file);
    return size;
}

/* Append what is in the file PATH to the SIZE bytes at DATA. */
static size_t
load(const char *path, unsigned char *data, size_t size)
{
    FILE *file = fopen(path, "r");

    if (file == NULL)
        abort();
    for (int byte = getc(file); byte != EOF; byte = getc(file))
        data[size++] = (unsigned char)byte;
    fclose(file);
    return size;
}

/*
 * Lines, which only a look at them divides: each chunk holds whole ones, and
 * what has no room is in the next.
 */
static void
test_lines(void)
{
    static const struct framing_type type = {.whole = whole_lines,
                                             .end = end_lines};
    static const size_t capacities[] = {61, 64, 100, 4096, 100000};
    static const char *const names[] = {"lines", "empty", "more", "lines"};
    static const char *const ragged[] = {"more", "ragged", "more"};
    static unsigned char wanted[sizeof got];
    size_t more = create_lines("more", 7, 3);
    size_t size = 0;

    create_lines("lines", 10000, 60);
    create("empty", 0);
    for (size_t i = 0; i < COUNT(names); i++)
        size = load(names[i], wanted, size);
    for (size_t c = 0; c < COUNT(capacities); c++) {
        struct input_reader reader = {0};
        size_t wrong = 0, now;
        got_size = 0;
        open_inputs(names, COUNT(names), DECOMPRESS_AUTO);
        inputs.framing = (struct framing){.type = &type, .step = SIZE_MAX};
        do {
            now = inputs_read(&inputs, &reader, got + got_size, capacities[c]);
            got_size += now;
            wrong += now > 0 && got[got_size - 1] != '\n';
        } while (now == capacities[c] || reader.has_more);
        ok(wrong == 0 && got_size == size && memcmp(got, wanted, size) == 0,
           "lines, %zu bytes at a time (%zu of %zu)", capacities[c], got_size,
           size);
        close_inputs();
    }
    create("ragged", 1);
    open_inputs(ragged, COUNT(ragged), DECOMPRESS_AUTO);
    inputs.framing = (struct framing){.type = &type, .step = SIZE_MAX};
    read_all(CHUNK, NULL);
    ok(got_size == 2 * more &&
           strcmp(error_text(1), "ragged: 1 bytes without an end") == 0,
       "what is no line at the end: %s", error_text(1));
    close_inputs();
}

/* ---- parts of an input ---- */

/* A thread that writes the file "file" to the FIFO "fifo". */
static void *
fifo_main(void *argument)
{
    char buffer[1000];
    FILE *from = fopen("file", "r");
    int to = open("fifo", O_WRONLY);
    size_t size;

    if (from == NULL || to < 0)
        abort();
    while ((size = fread(buffer, 1, sizeof buffer, from)) > 0) {
        if (write(to, buffer, size) < 0)
            break; /* the rest is not read */
    }
    close(to);
    fclose(from);
    return argument;
}

static void
put_word(FILE *file, uint32_t word, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(word >> 8 * i & 255), file);
}

/* The SIZE bytes of "file" in frames of zstd, which holds them as they are. */
static void
create_zstd(size_t size)
{
    FILE *file = fopen("zstd", "w");
    size_t done = 0;

    if (file == NULL)
        abort();
    do {
        size_t frame = size - done < 70000 ? size - done : 70000;
        put_word(file, 0xfd2fb528, 4);
        putc(0xa0, file); /* one segment, its size in four bytes */
        put_word(file, (uint32_t)frame, 4);
        for (size_t end = done + frame;;) {
            size_t block = end - done < 30000 ? end - done : 30000;
            bool is_last = done + block == end;
            put_word(file, (uint32_t)block << 3 | is_last, 3);
            for (size_t i = 0; i < block; i++)
                putc(content(done++), file);
            if (is_last)
                break;
        }
    } while (done < size);
    fclose(file);
}

enum form {
    FORM_FILE,
    FORM_STDIN, /* with 3 bytes read already */
    FORM_FIFO,
    FORM_ZSTD,
    FORMS,
};

static bool
has_zstd(void)
{
    const char *text = getenv("HAVE_ZSTD");

    return text == NULL || strcmp(text, "no") != 0;
}

/* Whether SKIP and READ of an input of SIZE bytes give what they should. */
static bool
part_is_right(enum form form, size_t size, uint64_t skip, uint64_t read,
              size_t record, size_t capacity)
{
    static const char *const names[FORMS] = {"file", "-", "fifo", "zstd"};
    size_t given = form == FORM_STDIN ? 3 : 0;
    size_t has = size > given ? size - given : 0;
    size_t left = skip < has ? has - (size_t)skip : 0;
    size_t part = read < left ? (size_t)read : left;
    struct reading reading = {.skip_bytes = skip, .read_bytes = read};
    char text[200];
    pthread_t thread;

    print_excess(text, names[form], part % record, record);
    if (form == FORM_STDIN && *text != '\0')
        print_excess(text, "standard input", part % record, record);
    if (skip > has)
        snprintf(text, sizeof text,
                 "%s: too short for --skip-bytes: it has %zu byte%s, not %llu",
                 form == FORM_STDIN ? "standard input" : names[form], has,
                 has == 1 ? "" : "s", (unsigned long long)skip);

    if (form == FORM_STDIN)
        redirect("file", 3);
    if (form == FORM_FIFO)
        pthread_create(&thread, NULL, fifo_main, NULL);
    open_reading(&names[form], 1, &reading);
    inputs.framing = framing_make_fixed(record, false);
    read_all(capacity, NULL);
    bool is_right = got_content(given + (size_t)skip, part - part % record) &&
                    strcmp(error_text(0), text) == 0;
    if (!is_right)
        printf("# skip %llu, read %llu, record %zu, capacity %zu: %zu bytes, "
               "error: %s\n",
               (unsigned long long)skip, (unsigned long long)read, record,
               capacity, got_size, error_text(0));
    close_inputs();
    if (form == FORM_FIFO)
        pthread_join(thread, NULL);
    return is_right;
}

static void
test_parts(enum form form, const char *name)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 4096, 10000, 200000};
    static const uint64_t parts[] = {
        0,      1,      3,      4,      5,         4095,      4096,
        9999,   10000,  10001,  69999,  70000,     70001,     131072,
        199995, 199996, 200000, 200001, INT64_MAX, UINT64_MAX};

    for (size_t s = 0; s < COUNT(sizes); s++) {
        size_t wrong = 0;
        if (form == FORM_ZSTD && !has_zstd()) {
            ok(true, "parts of %s # SKIP no libzstd", name);
            continue;
        }
        create("file", sizes[s]);
        create_zstd(sizes[s]);
        for (size_t i = 0; i < COUNT(parts) - 1; i++) {
            for (size_t j = 0; j < COUNT(parts); j++) {
                uint64_t skip = parts[i], read = parts[j];
                wrong += !part_is_right(form, sizes[s], skip, read, 1, CHUNK);
                wrong += !part_is_right(form, sizes[s], skip, read, 3, 49152);
                wrong += !part_is_right(form, sizes[s], skip, read, 16, 262144);
            }
        }
        ok(wrong == 0, "parts of %s, %zu bytes", name, sizes[s]);
    }
}

/* The size known in advance is limited by --read-bytes. */
static void
test_known_parts(void)
{
    static const char *const names[] = {"file", "small"};
    struct reading reading = {.read_bytes = 1000};

    create("file", 100000);
    create("small", 10);
    open_reading(names, 2, &reading);
    ok(inputs.known_bytes == 1010 && !inputs.has_unknown_length,
       "--read-bytes: so much of each input is known");
    read_all(CHUNK, NULL);
    ok(got_size == 1010 && !got_short, "--read-bytes: of each input");
    close_inputs();
    reading = (struct reading){.skip_bytes = 99990, .read_bytes = UINT64_MAX};
    open_reading(names, 2, &reading);
    read_all(CHUNK, NULL);
    ok(got_content(99990, 10) && *error_text(0) == '\0' &&
           strcmp(error_text(1), "small: too short for --skip-bytes: it has "
                                 "10 bytes, not 99990") == 0,
       "--skip-bytes: an input that is too short does not stop the others");
    close_inputs();
}

/* A file that grows is read no further than was asked for. */
static void
test_growing_parts(void)
{
    static const struct {
        size_t at_read, wanted;
        uint64_t read;
    } table[] = {
        {1, 40 * CHUNK - 10, 40 * CHUNK - 10},
        {1, 40 * CHUNK + 100, 40 * CHUNK + 100},
        {39, 40 * CHUNK + 100, 40 * CHUNK + 100},
        {1, 40 * CHUNK + 900, 100 * CHUNK},
    };
    static const char *const path[] = {"file"};

    for (size_t i = 0; i < COUNT(table); i++) {
        struct script script = {table[i].at_read, do_append, "file", 1000};
        struct reading reading = {.skip_bytes = 100,
                                  .read_bytes = table[i].read};
        create("file", 40 * CHUNK);
        open_reading(path, 1, &reading);
        read_all(CHUNK, &script);
        ok(got_content(100, table[i].wanted) && *error_text(0) == '\0',
           "--read-bytes=%llu of a file that grows (%zu)",
           (unsigned long long)table[i].read, i);
        close_inputs();
    }
}

/* ---- several readers ---- */

#define FILES 5
#define READERS_LEAST (LOOKS_FOR_RACES ? 2 : 1)
#define WORDS 200000
static atomic_uchar times_read[WORDS];
static atomic_uint bad_words;
static atomic_uint short_reads;

static void *
reader_main(void *argument)
{
    struct input_reader reader = {0};
    static _Thread_local uint32_t words[CHUNK / 4];
    size_t size;

    do {
        size = inputs_read(&inputs, &reader, words, sizeof words);
        if (size % 4 != 0)
            atomic_fetch_add(&bad_words, 1);
        for (size_t i = 0; i < size / 4; i++) {
            if (words[i] < WORDS)
                atomic_fetch_add(&times_read[words[i]], 1);
            else
                atomic_fetch_add(&bad_words, 1);
        }
    } while (size == sizeof words);
    if (inputs_read(&inputs, &reader, words, sizeof words) != 0)
        atomic_fetch_add(&short_reads, 1);
    return argument;
}

static void *
record_reader_main(void *argument)
{
    struct input_reader reader = {0};
    static _Thread_local uint32_t words[1020]; /* 340 records */
    size_t size;

    do {
        size = inputs_read(&inputs, &reader, words, sizeof words);
        if (size % 12 != 0)
            atomic_fetch_add(&bad_words, 1);
        for (size_t i = 0; i < size / 4; i++) {
            if (words[i] < WORDS && words[i] % 3 == i % 3)
                atomic_fetch_add(&times_read[words[i]], 1);
            else
                atomic_fetch_add(&bad_words, 1);
        }
    } while (size == sizeof words);
    return argument;
}

/* The words after the last one of each file. */
static const uint32_t ends_of_words[FILES] = {1, 2 * CHUNK / 4, 90000, 90003,
                                              WORDS};

/* Whether the readers have summed the bytes of COUNT inputs, each in its order.
   Input I ends before word ENDS[I]. */
static bool
has_series(const uint32_t *ends, size_t count)
{
    const struct series_total total = inputs_series(&inputs);
    struct series_total wanted = {0};
    uint32_t word = 0;

    for (size_t i = 0; i < count; i++) {
        struct series series = {0};
        for (; word < ends[i]; word++)
            series_extend(&series, (const unsigned char *)&word, sizeof word,
                          SERIES_ALL_PHASES);
        series_total_add(&wanted, &series);
    }
    return memcmp(&total, &wanted, sizeof total) == 0;
}

/* Files of unequal sizes that together hold all words. */
static void
create_words(const char *const *names)
{
    uint32_t word = 0;

    for (int i = 0; i < FILES; i++) {
        FILE *file = fopen(names[i], "w");
        if (file == NULL)
            abort();
        for (; word < ends_of_words[i]; word++)
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
    inputs.sums_series = true;
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < WORDS; i++)
        wrong += times_read[i] != 1;
    for (size_t i = 0; i < FILES; i++)
        wrong += *error_text(i) != '\0';
    ok(has_series(ends_of_words, FILES), "... %d readers: bytes in their order",
       readers);
    ok(wrong == 0 && bad_words == 0 && short_reads == 0,
       "%d readers: every word once%s", readers,
       decompress == DECOMPRESS_NONE ? ", not looked at" : "");
    close_inputs();
}

/*
 * Records of three words in a file with ranges, after a header and before a
 * tail: each reader gets whole records.
 */
static void
test_readers_records(int readers)
{
    static const char *const names[] = {"words"};
    struct reading reading = {.skip_bytes = 5, .read_bytes = UINT64_MAX};
    uint32_t words = WORDS / 3 * 3;
    char text[200];
    pthread_t thread[16];
    unsigned int wrong = 0;

    FILE *file = fopen("words", "w");
    if (file == NULL)
        abort();
    fputs("head:", file);
    for (uint32_t word = 0; word < words; word++)
        fwrite(&word, sizeof word, 1, file);
    fputs("the rest", file);
    fclose(file);

    memset(times_read, 0, sizeof times_read);
    open_reading(names, 1, &reading);
    inputs.framing = framing_make_fixed(12, false);
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, record_reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += times_read[i] != (i < words ? 1 : 0);
    print_excess(text, "words", 8, 12);
    ok(wrong == 0 && bad_words == 0 && strcmp(error_text(0), text) == 0,
       "%d readers: every record once, and whole", readers);
    close_inputs();
}

/* ---- batches of small files ---- */

#define SMALL_FILES 400
#define SMALL_WORDS 250

/* File numbers with something odd. */
enum {
    MISSING = 9,    /* is not there */
    GROWN = 33,     /* gets words after the survey */
    DIRECTORY = 57, /* is one */
    GONE = 99,      /* is not there any more, after the survey */
    LONG = 140,     /* is read in ranges */
    EMPTIED = 200,  /* is empty after the survey */
    LINKED = 299    /* points nowhere, in the last batches */
};

/* Add the words from FIRST up to END to the file PATH. */
static void
append_words(const char *path, uint32_t first, uint32_t end)
{
    FILE *file = fopen(path, "a");

    if (file == NULL)
        abort();
    for (uint32_t word = first; word < end; word++)
        fwrite(&word, sizeof word, 1, file);
    fclose(file);
}

/* Whether no reader should get words of small file I. */
static bool
is_lost(size_t i)
{
    return i == MISSING || i == DIRECTORY || i == GONE || i == EMPTIED ||
           i == LINKED;
}

static void *
batch_reader_main(void *argument)
{
    const size_t capacity = 4 * SMALL_BYTES;
    struct input_reader reader = {0};
    uint32_t *words = malloc(capacity);
    size_t size;

    if (words == NULL)
        abort();
    do {
        size = inputs_read(&inputs, &reader, words, capacity);
        for (size_t i = 0; i < size / 4; i++) {
            if (words[i] < WORDS)
                atomic_fetch_add(&times_read[words[i]], 1);
            else
                atomic_fetch_add(&bad_words, 1);
        }
    } while (size == capacity);
    inputs_leave(&inputs, &reader);
    free(words);
    return argument;
}

static void
create_small_files(char name[SMALL_FILES][16])
{
    const uint32_t all = SMALL_FILES * SMALL_WORDS;

    for (uint32_t i = 0; i < SMALL_FILES; i++) {
        unlink(name[i]);
        if (i != MISSING && i != DIRECTORY && i != LINKED)
            append_words(name[i], i * SMALL_WORDS, (i + 1) * SMALL_WORDS);
    }
    append_words(name[LONG], all, WORDS - 1);
    (void)mkdir(name[DIRECTORY], 0700);
    if (symlink("nothing", name[LINKED]) < 0)
        abort();
}

/* Readers of small files get batches of them; an odd file has its own error,
   and the other files of a batch are read. */
static void
test_batches(int readers)
{
    static char name[SMALL_FILES][16];
    static const char *names[SMALL_FILES];
    pthread_t thread[16];
    unsigned int wrong = 0;

    for (size_t i = 0; i < SMALL_FILES; i++) {
        snprintf(name[i], sizeof name[i], "s%zu", i);
        names[i] = name[i];
    }
    create_small_files(name);
    memset(times_read, 0, sizeof times_read);
    open_inputs(names, SMALL_FILES, DECOMPRESS_AUTO);
    append_words(name[GROWN], WORDS - 1, WORDS);
    unlink(name[GONE]);
    if (truncate(name[EMPTIED], 0) < 0)
        abort();
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, batch_reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += times_read[i] != !is_lost(i / SMALL_WORDS);
    ok(wrong == 0 && bad_words == 0 && inputs_have_failed(&inputs),
       "%d readers of batches: every word once", readers);
    for (size_t i = 0; i < SMALL_FILES; i++) {
        bool has_error = is_lost(i) && i != EMPTIED;
        wrong += (*error_text(i) != '\0') != has_error;
        wrong += has_error && strncmp(error_text(i), name[i], strlen(name[i]));
    }
    ok(wrong == 0, "... each error at its input");
    close_inputs();
}

/* One of the readers finds that the file was cut; all come to an end. */
static void
test_readers_truncated(void)
{
    static const char *const names[] = {"file", "after"};
    struct input_reader reader = {0};
    pthread_t thread[8];

    create("file", 200 * CHUNK);
    create("after", 4);
    open_inputs(names, 2, DECOMPRESS_AUTO);
    size_t first = inputs_read(&inputs, &reader, got, CHUNK);
    do_truncate("file", 50 * CHUNK);
    for (int i = 0; i < 8; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < 8; i++)
        pthread_join(thread[i], NULL);
    size_t tail = inputs_read(&inputs, &reader, got, CHUNK);
    ok(first == CHUNK && tail == 0 &&
           strstr(error_text(0), "file: truncated at byte ") != NULL &&
           *error_text(1) == '\0',
       "8 readers of a file that was cut: %s", error_text(0));
    close_inputs();
}

/* ---- zstd files that are decoded in parallel ---- */

/* Frames that hold their content as it is: only the walk is of interest. */
struct layout {
    const char *name;
    size_t frame_bytes; /* of content; the last one has the rest */
    size_t block_bytes;
    bool is_unsized;     /* the headers do not tell the content's size */
    size_t skip_every;   /* frames between skippable ones; 0: none */
    unsigned int window; /* the byte that tells it, of the unsized ones */
};

static void
put_frame(FILE *file, const struct layout *layout, const unsigned char *data,
          size_t size)
{
    size_t done = 0;

    put_word(file, 0xfd2fb528, 4);
    if (layout->is_unsized) {
        putc(0, file);
        putc((int)layout->window, file);
    } else {
        putc(0xa0, file); /* one segment, its size in four bytes */
        put_word(file, (uint32_t)size, 4);
    }
    do {
        size_t block = size - done;
        if (block > layout->block_bytes)
            block = layout->block_bytes;
        put_word(file, (uint32_t)block << 3 | (done + block == size), 3);
        fwrite(data + done, 1, block, file);
        done += block;
    } while (done < size);
}

static uint32_t words[WORDS];

/* All words in FRAMES; what a read of "frames" must give. */
static void
create_frames(const struct layout *layout)
{
    FILE *file = fopen("frames", "w");
    size_t number = 0;

    if (file == NULL)
        abort();
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i;
    for (size_t done = 0; done < sizeof words; number++) {
        size_t size = sizeof words - done;
        if (size > layout->frame_bytes)
            size = layout->frame_bytes;
        put_frame(file, layout, (const unsigned char *)words + done, size);
        done += size;
        if (layout->skip_every > 0 && number % layout->skip_every == 0) {
            put_word(file, 0x184d2a57, 4);
            put_word(file, 1000, 4);
            for (int i = 0; i < 1000; i++)
                putc(i & 0xff, file);
        }
    }
    fclose(file);
}

static const char *const frames_name[] = {"frames"};

/* Let READERS readers read "frames".  Returns how many words were wrong. */
static unsigned int
read_frames(int readers, size_t record_bytes, void *(*reader)(void *))
{
    struct reading reading = {.read_bytes = UINT64_MAX};
    pthread_t thread[16];
    unsigned int wrong = 0;

    memset(times_read, 0, sizeof times_read);
    bad_words = 0;
    short_reads = 0;
    open_reading(frames_name, 1, &reading);
    inputs.framing = framing_make_fixed(record_bytes, false);
    inputs.sums_series = true;
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < WORDS; i++)
        wrong += times_read[i] != 1;
    return wrong + bad_words + short_reads;
}

static void
test_frames(const struct layout *layout)
{
    create_frames(layout);
    for (int readers = READERS_LEAST; readers <= 16; readers *= 2) {
        if (!has_turn(IS_INSTRUMENTED ? 7 : 3))
            continue;
        static const uint32_t end[] = {WORDS};
        unsigned int wrong = read_frames(readers, 4, reader_main);
        ok(has_series(end, 1), "%s, %d readers: bytes in their order",
           layout->name, readers);
        ok(wrong == 0 && *error_text(0) == '\0',
           "%s, %d readers: every word once (%u wrong; %s)", layout->name,
           readers, wrong, error_text(0));
        close_inputs();
    }
}

/*
 * Records of three words in frames where they seldom start; what is left at
 * the end is too few for one.
 */
static void
test_frames_records(const struct layout *layout)
{
    uint32_t last = WORDS / 3 * 3;
    char text[200];

    create_frames(layout);
    print_excess(text, "frames", (WORDS - last) * 4, 12);
    for (int readers = READERS_LEAST; readers <= 16; readers *= 4) {
        unsigned int wrong = read_frames(readers, 12, record_reader_main);
        ok(wrong == WORDS - last && strcmp(error_text(0), text) == 0,
           "%s, %d readers: every record once, and whole (%s)", layout->name,
           readers, error_text(0));
        close_inputs();
    }
}

/*
 * What a second reader gets while the first one is in the file's first frame;
 * 0 where nothing is for it until the first one has ended.
 */
static void
test_second_reader(const struct layout *layout, size_t record_bytes,
                   bool is_cut)
{
    static uint32_t piece[CHUNK / 4];
    struct input_reader first = {0}, second = {0};
    size_t room = CHUNK - CHUNK % record_bytes;

    create_frames(layout);
    open_inputs(frames_name, 1, DECOMPRESS_AUTO);
    inputs.framing = framing_make_fixed(record_bytes, false);
    size_t size = inputs_read(&inputs, &first, piece, room);
    bool wants = inputs_want_reader(&inputs, &first);
    size_t more = 0;
    if (size == room && wants)
        more = inputs_read(&inputs, &second, piece, room);
    bool is_behind = more == room && piece[0] > CHUNK / 4;
    ok(size == room && wants && is_behind == is_cut && (is_cut || more == 0),
       "%s, records of %zu: a second reader gets %s", layout->name,
       record_bytes, is_cut ? "a part" : "nothing");
    while (inputs_read(&inputs, &first, piece, room) == room)
        continue;
    while (inputs_read(&inputs, &second, piece, room) == room)
        continue;
    close_inputs();
}

/* The byte at OFFSET of the file becomes VALUE. */
static void
put_byte(const char *name, long offset, int value)
{
    FILE *file = fopen(name, "r+");

    if (file == NULL)
        abort();
    fseek(file, offset, SEEK_SET);
    putc(value, file);
    fclose(file);
}

/* Where frame N of 5000 bytes in blocks of 1000 starts. */
#define FRAME_AT(n) ((n) * (9 + 5000 + 5 * 3))

/*
 * Two frames are bad: their content is longer than they say.  The message is
 * about the first one, also when another reader has met the second one
 * before.
 */
static void
test_first_error(void)
{
    static const struct layout layout = {"", 5000, 1000, false, 0, 0};
    static unsigned char piece[CHUNK];
    struct input_reader reader[3] = {{0}};

    create_frames(&layout);
    put_byte("frames", FRAME_AT(1) + 5, 0xff);
    put_byte("frames", FRAME_AT(2) + 5, 0xff);
    open_inputs(frames_name, 1, DECOMPRESS_AUTO);
    for (int i = 0; i < 3; i++)
        inputs_read(&inputs, &reader[i], piece, 512);
    ok(reader[1].claim->end == FRAME_AT(2) && *error_text(0) == '\0',
       "three readers in three parts");
    for (int i = 2; i >= 0; i--) {
        while (reader[i].claim->input != NULL)
            inputs_read(&inputs, &reader[i], piece, sizeof piece);
    }
    char wanted[] = "frames: corrupt zstd data at byte 9...";
    ok(strncmp(error_text(0), wanted, sizeof wanted - 4) == 0,
       "of two bad frames, the first one is reported: %s", error_text(0));
    close_inputs();
}

/* A decoder that has failed is not used again. */
static void
test_after_error(void)
{
    static const struct layout layout = {"", 5000, 1000, false, 0, 0};
    static const char *const names[] = {"bad", "frames"};
    unsigned int wrong = 0;

    create_frames(&layout);
    put_byte("frames", FRAME_AT(0) + 5, 0xff);
    if (rename("frames", "bad") < 0)
        abort();
    create_frames(&layout);
    open_inputs(names, 2, DECOMPRESS_AUTO);
    /* Of the bad one come the bytes that were decoded before. */
    read_all(sizeof got / 2, NULL);
    for (size_t i = 1; i <= sizeof words; i++)
        wrong +=
            got[got_size - i] != ((unsigned char *)words)[sizeof words - i];
    ok(*error_text(0) != '\0' && *error_text(1) == '\0' && wrong == 0,
       "a good file behind a bad one (%s)", error_text(1));
    close_inputs();
}

/* Where a frame is bad does not depend on how much is read at once. */
static void
test_bad_block(void)
{
    static const struct layout layout = {"", 400000, 1000, false, 0, 0};
    static const size_t capacity[] = {4096, 1000, 999, 500, 333};
    char text[200] = "";
    unsigned int other = 0;

    for (long block = 125; block < 135; block++) {
        create_frames(&layout);
        put_byte("frames", 9 + block * 1003, 0x46); /* no type */
        for (size_t i = 0; i < COUNT(capacity); i++) {
            open_inputs(frames_name, 1, DECOMPRESS_AUTO);
            read_all(capacity[i], NULL);
            if (i == 0)
                snprintf(text, sizeof text, "%s", error_text(0));
            other += *error_text(0) == '\0' || strcmp(error_text(0), text) != 0;
            close_inputs();
        }
    }
    ok(other == 0, "a bad block is where it is (%u elsewhere; %s)", other,
       text);
}

/* Nor does one that was left inside a frame go on there in the next file. */
static void
test_after_part(void)
{
    static const char *const names[] = {"zstd", "zstd", "file"};
    struct reading reading = {.read_bytes = 1000};
    size_t wrong = 0;

    create("file", 200000);
    create_zstd(200000);
    open_reading(names, COUNT(names), &reading);
    read_all(CHUNK, NULL);
    for (size_t i = 0; i < got_size; i++)
        wrong += got[i] != content(i % 1000);
    ok(got_size == 3000 && wrong == 0 && *error_text(1) == '\0',
       "the begins of two zstd files (%zu bytes, %zu wrong; %s)", got_size,
       wrong, error_text(1));
    close_inputs();
}

/*
 * Who has decoded a file to its end and then reads the last range of another
 * one gives the decoder's memory back.
 */
static void
test_range_after_zstd(void)
{
    static const struct layout small = {"", 5000, 1000, true, 0, 0};
    static const char *const names[] = {"frames", "file"};
    struct input_reader reader[2] = {{0}};

    create_frames(&small);
    do_truncate("frames", FRAME_AT(1) - 3);
    create("file", 32 * CHUNK + 100);
    open_inputs(names, COUNT(names), DECOMPRESS_AUTO);
    size_t size = inputs_read(&inputs, &reader[0], got, CHUNK);
    for (int i = 0; i < 32; i++)
        size += inputs_read(&inputs, &reader[1], got, CHUNK);
    ok(size == 33 * CHUNK && inputs.shared != NULL,
       "two readers, and a range is left");
    size = inputs_read(&inputs, &reader[0], got, CHUNK);
    ok(size == 5000 - CHUNK + 100 && budget.left == budget.total,
       "a decoder's memory is given back for a range");
    close_inputs();
}

/* Standard input is at its end afterwards, whichever reader read it. */
static void
test_stdin_parts(void)
{
    static const struct layout layout = {"", 100000, 20000, false, 0, 0};
    static const char *const names[] = {"-"};
    static unsigned char piece[CHUNK];
    struct input_reader reader[2] = {{0}};

    create_frames(&layout);
    redirect("frames", 0);
    open_inputs(names, 1, DECOMPRESS_AUTO);
    for (int i = 0; i < 2; i++)
        inputs_read(&inputs, &reader[i], piece, CHUNK);
    bool is_cut = reader[1].claim->content == &reader[1].claim->part;
    for (int i = 1; i >= 0; i--) {
        while (inputs_read(&inputs, &reader[i], piece, CHUNK) == CHUNK)
            continue;
    }
    off_t here = lseek(STDIN_FILENO, 0, SEEK_CUR);
    ok(is_cut && here == lseek(STDIN_FILENO, 0, SEEK_END),
       "standard input in parts is at its end then");
    close_inputs();
}

static atomic_uint words_got;

static void *
counting_reader_main(void *argument)
{
    struct sleeper *sleeper = argument;
    struct input_reader reader = {0};
    static _Thread_local uint32_t piece[CHUNK / 4];
    size_t size;

    sleeper_start(sleeper);
    do {
        size = inputs_read(&inputs, &reader, piece, sizeof piece);
        atomic_fetch_add(&words_got, (unsigned int)size / 4);
    } while (size == sizeof piece);
    sleeper_end(sleeper);
    return NULL;
}

/*
 * A reader that looks for the second frame waits when it is far ahead; it
 * finds it when the first reader has come nearer.
 */
static void
test_reader_ahead(void)
{
    static const struct layout layout = {"", 400000, 10000, false, 0, 0};
    static unsigned char piece[CHUNK];
    struct input_reader reader = {0};
    struct sleeper sleeper = {0};
    pthread_t thread;
    size_t size;

    create_frames(&layout);
    open_inputs(frames_name, 1, DECOMPRESS_AUTO);
    inputs_read(&inputs, &reader, piece, CHUNK);
    words_got = 0;
    pthread_create(&thread, NULL, counting_reader_main, &sleeper);
    do {
        sleeper_waits(&sleeper);
        size = inputs_read(&inputs, &reader, piece, CHUNK);
    } while (size == CHUNK);
    pthread_join(thread, NULL);
    ok(words_got > 0 && *error_text(0) == '\0',
       "a reader that waited far ahead finds a part (%u words)", words_got);
    close_inputs();
}

/*
 * A reader that waits gives its decoder's memory back: the other one needs
 * all that there is for its second frame.
 */
static void
test_waiting_gives_back(void)
{
    static const struct layout small = {"", 5000, 1000, true, 0, 0};
    static const struct layout greedy = {"", 400000, 10000, true, 0, 0x5c};
    static const char *const names[] = {"frames", "small"};
    static unsigned char piece[CHUNK];
    struct input_reader reader = {0};
    struct sleeper sleeper = {0};
    pthread_t thread;

    create_frames(&small);
    do_truncate("frames", FRAME_AT(1) - 3);
    if (rename("frames", "small") < 0)
        abort();
    create_frames(&greedy);
    put_byte("frames", 5, 0x28); /* the first window: 32 KiB */
    open_inputs(names, 2, DECOMPRESS_AUTO);
    inputs_read(&inputs, &reader, piece, CHUNK);
    words_got = 0;
    pthread_create(&thread, NULL, counting_reader_main, &sleeper);
    while (words_got == 0)
        usleep(1000);
    sleeper_waits(&sleeper);
    while (inputs_read(&inputs, &reader, piece, CHUNK) == CHUNK)
        continue;
    pthread_join(thread, NULL);
    ok(*error_text(0) == '\0' && *error_text(1) == '\0',
       "a reader that waits keeps no memory (%s%s)", error_text(0),
       error_text(1));
    close_inputs();
}

/* The reader that gets to the end reports an error there. */
static void
test_bad_ends(void)
{
    static const struct layout layout = {"", 5000, 1000, false, 0, 0};
    int rounds = IS_INSTRUMENTED ? 5 : 20;
    struct stat status;
    unsigned int other = 0;
    char text[200];

    create_frames(&layout);
    if (stat("frames", &status) < 0)
        abort();
    do_truncate("frames", status.st_size - 1);
    for (int i = 0; i < rounds; i++) {
        read_frames(8, 4, reader_main);
        other +=
            strstr(error_text(0), "frames: truncated zstd frame at byte ") !=
            error_text(0);
        snprintf(text, sizeof text, "%s", error_text(0));
        close_inputs();
    }
    ok(other == 0, "the last frame is cut off: %s", text);

    create_frames(&layout);
    append("frames", 100);
    other = 0;
    for (int i = 0; i < rounds; i++) {
        other += read_frames(8, 4, reader_main);
        other += strstr(error_text(0), "garbage after the last frame") == NULL;
        snprintf(text, sizeof text, "%s", error_text(0));
        close_inputs();
    }
    ok(other == 0, "garbage behind the last frame: %s", text);
}

/*
 * A file is cut short between two frames of a part whose end is known, since
 * another one follows.
 */
static void
test_shortened_part(void)
{
    static const struct layout layout = {"", 50000, 50000, false, 0, 0};
    static unsigned char piece[CHUNK];
    struct input_reader first = {0}, second = {0};
    off_t frame = 9 + 3 + 50000;

    create_frames(&layout);
    open_inputs(frames_name, 1, DECOMPRESS_AUTO);
    inputs_read(&inputs, &first, piece, CHUNK);
    /* As if it decoded further ahead. */
    first.claim->kept_to = 5 * frame;
    first.claim->content->decoder->pause_at = 5 * frame;
    inputs_read(&inputs, &second, piece, CHUNK);
    ok(first.claim->end == 5 * frame, "a part of five frames");
    do_truncate("frames", 4 * frame);
    while (first.claim->input != NULL)
        inputs_read(&inputs, &first, piece, CHUNK);
    while (second.claim->input != NULL)
        inputs_read(&inputs, &second, piece, CHUNK);
    ok(strcmp(error_text(0),
              "frames: changed before byte 250060 while it was read") == 0,
       "... of which the last is gone: %s", error_text(0));
    close_inputs();
}

static void
test_side_by_side(void)
{
    static const struct layout tiny = {"tiny frames", 100, 100, false, 7, 0};
    static const struct layout small = {
        "frames of 5000", 5000, 999, false, 0, 0};
    static const struct layout big = {
        "frames of 300,000", 300000, 20000, false, 1, 0};
    static const struct layout one = {
        "one frame", sizeof words, 30000, false, 0, 0};
    static const struct layout unsized = {
        "unsized frames", 50000, 7000, true, 3, 0x40};
    /* Each decoder wants 3 of the 4 MiB that there are. */
    static const struct layout greedy = {"big windows", 50000, 50000,
                                         true,          0,     0x5c};

    test_frames(&tiny);
    test_frames(&small);
    test_frames(&big);
    test_frames(&one);
    test_frames(&unsized);
    test_frames(&greedy);
    test_frames_records(&tiny);
    test_frames_records(&small);
    test_frames_records(&unsized);
    test_second_reader(&tiny, 1, true);
    test_second_reader(&small, 1, true);
    test_second_reader(&small, 12, true);
    test_second_reader(&unsized, 1, true);
    test_second_reader(&unsized, 12, false);
    test_first_error();
    test_after_error();
    if (!LOOKS_FOR_RACES) {
        test_bad_block();
        test_after_part();
    }
    test_stdin_parts();
    test_range_after_zstd();
    test_reader_ahead();
    test_waiting_gives_back();
    test_bad_ends();
    test_shortened_part();
}

/* Make the sparse file PATH of SIZE bytes, which starts with HEAD. */
static void
create_sparse(const char *path, const char *head, off_t size)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fputs(head, file) < 0 || fclose(file) != 0 ||
        truncate(path, size) < 0)
        abort();
}

/* The bytes that nothing decodes, and the inputs without a length. */
static void
test_survey(void)
{
    static const off_t mib = 1 << 20;
    static const char *const names[] = {"plain",   "packed", "small",
                                        "missing", "fifo",   "plain"};
    struct reading reading = {.read_bytes = UINT64_MAX};
    const size_t count = COUNT(names);

    create_sparse("plain", "no format", 40 * mib);
    create_sparse("packed", "BZh9\x31\x41\x59\x26\x53\x59", 20 * mib);
    create_sparse("small", "no format", mib);
    if (mkfifo("fifo", 0600) < 0)
        abort();
    open_reading(names, count, &reading);
    ok(survey_plain(&inputs, 4 << 20) == 80 << 20 &&
           survey_plain(&inputs, 1 << 20) == 81 << 20,
       "a survey finds plain inputs that are not small");
    ok(survey_plain(&inputs, 17 << 20) == 0, "... unless the files are many");
    ok(survey_streams(&inputs) == 1, "... and what has no length");
    close_inputs();
    reading.decompress = DECOMPRESS_NONE;
    open_reading(names, count, &reading);
    ok(survey_plain(&inputs, 4 << 20) == 100 << 20,
       "... which is all if nothing is to be decoded");
    close_inputs();
    reading.read_bytes = 30 << 20;
    open_reading(names, count, &reading);
    ok(survey_plain(&inputs, 4 << 20) == 80 << 20,
       "... and no more than is to be read");
    close_inputs();
    for (size_t i = 0; i < count; i++)
        unlink(names[i]);
}

/* Make the file PATH of one block of BGZF, which stores CONTENT of BYTES. */
static void
create_block(const char *path, const char *content, unsigned char bytes)
{
    const unsigned char head[] = {0x1f,
                                  0x8b,
                                  8,
                                  4,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0,
                                  0xff,
                                  6,
                                  0,
                                  'B',
                                  'C',
                                  2,
                                  0,
                                  (unsigned char)(bytes + 30),
                                  0,
                                  1,
                                  bytes,
                                  0,
                                  (unsigned char)~bytes,
                                  0xff};
    const unsigned char foot[] = {0, 0, 0, 0, bytes, 0, 0, 0};
    FILE *file = fopen(path, "w");

    if (file == NULL || fwrite(head, sizeof head, 1, file) != 1 ||
        fwrite(content, bytes, 1, file) != 1 ||
        fwrite(foot, sizeof foot, 1, file) != 1 || fclose(file) != 0)
        abort();
}

/* What blocks have, by the first of each file. */
static void
test_survey_of_blocks(void)
{
    static const char *const names[] = {"fastq", "bam", "fasta", "fastq"};
    const struct text_format format = text_format_of(TEXT_SEQUENCES);
    const struct reading reading = {.read_bytes = UINT64_MAX};

    create_block("fastq", "@r\nACGTACGTACGT\n+\nFFFFFFFFFFFF\n", 31);
    create_block("bam", "BAM\1\0\0\0\0\0\0\0\0", 12);
    create_block("fasta", ">r\nACGTACGTACGTACGTACGT\n", 24);
    open_reading(names, COUNT(names), &reading);
    inputs.framing = text_framing_make(&format);
    const struct decodable found = survey_inputs(&inputs, 0, 1 << 20);
    close_inputs();
    open_reading(names, COUNT(names), &reading);
    const struct decodable bytes = survey_inputs(&inputs, 0, 1 << 20);
    close_inputs();
#if defined HAVE_ISAL || defined HAVE_ZLIB
    ok(found.files == 4 && found.block_content == 31 + 12 + 24 + 31 &&
           found.fastq_content == 62 && found.bam_content == 12,
       "a survey finds FASTQ and BAM in blocks");
    ok(bytes.block_content == found.block_content && bytes.head_bytes == 0,
       "... and does not look inside them if no sequences are wanted");
#else
    ok(found.files + bytes.files == 0, "no blocks without a library");
#endif
    for (size_t i = 0; i + 1 < COUNT(names); i++)
        unlink(names[i]);
}

static void
test_one_reader(void)
{
    test_survey();
    test_survey_of_blocks();
    test_one_file();
    test_small_files();
    test_changing_files();
    test_stdin();
    test_errors();
    test_only_zstd();
    test_records();
    test_small_records();
    test_changing_records();
    test_lines();
    if (mkfifo("fifo", 0600) < 0)
        abort();
    test_parts(FORM_FILE, "a file");
    test_parts(FORM_STDIN, "standard input");
    test_parts(FORM_FIFO, "a pipe");
    test_parts(FORM_ZSTD, "a zstd file");
    test_known_parts();
    test_growing_parts();
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    scratch_open();
    signal(SIGPIPE, SIG_IGN);

    if (!LOOKS_FOR_RACES)
        test_one_reader();
    for (int readers = READERS_LEAST; readers <= 16; readers *= 2) {
        test_readers(readers, DECOMPRESS_AUTO);
        test_readers(readers, DECOMPRESS_NONE);
        test_readers_records(readers);
        test_batches(readers);
    }
    test_readers_truncated();
    if (has_zstd())
        test_side_by_side();
    return done_testing();
}
