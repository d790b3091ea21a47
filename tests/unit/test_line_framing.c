/* SPDX-License-Identifier: MIT */
/*
 * test_line_framing.c -- readers get whole lines, and each line once
 *
 * Line N of file F is "F N " and a number of bytes that depends on both.  The
 * readers' buffers are split at line ends, and each line must be one of those.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../scratch.h"
#include "../tap.h"
#include "input/framing/text_framing.h"
#include "input/read/inputs.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define READERS_MAX 8
#define LINES_MAX 200000
#define LENGTH_MAX 5000
#define READERS_LEAST (LOOKS_FOR_RACES ? 2 : 1)

/* Files: small ones are read in sequence, large ones in ranges. */
static const struct file {
    const char *name;
    size_t lines;
    size_t length; /* of the longest line */
    bool has_end;  /* of the last line */
} files[] = {
    {"empty", 0, 0, true},
    {"one", 1, 20, true},
    {"unended", 1, 20, false},
    {"short", 1000, 30, false},
    {"large", IS_INSTRUMENTED ? 10000 : 40000, 90, true},
    {"larger", IS_INSTRUMENTED ? 40000 : 150000, 30, false},
    {"long", 1000, 4000, false},
    {"sequence", 20, 4000, true},
    {"blank", 200000, 0, true},
};

static struct inputs inputs;
static struct budget budget;
static size_t capacity;
static size_t record_max; /* that buffers grow to */
static unsigned char end_byte;
static atomic_uchar seen[COUNT(files)][LINES_MAX];
static atomic_uint strange; /* lines that are in no file */

/* Write line N of file F to TEXT, without its end.  Returns its length. */
static size_t
make_line(size_t f, size_t n, char *text)
{
    size_t length;

    if (files[f].length == 0)
        return 0;
    int head = snprintf(text, LENGTH_MAX, "%zu %zu ", f, n);
    length = n * 2654435761u % (files[f].length + 1);
    if (length < (size_t)head)
        return (size_t)head;
    for (size_t i = (size_t)head; i < length; i++)
        text[i] = (char)('a' + (i * 7 + n) % 26);
    return length;
}

static void
create_files(void)
{
    static char text[LENGTH_MAX];

    for (size_t f = 0; f < COUNT(files); f++) {
        FILE *file = fopen(files[f].name, "w");
        if (file == NULL)
            abort();
        for (size_t n = 0; n < files[f].lines; n++) {
            fwrite(text, 1, make_line(f, n, text), file);
            if (n + 1 < files[f].lines || files[f].has_end)
                putc(end_byte, file);
        }
        fclose(file);
    }
}

/* A line of LENGTH bytes was read. */
static void
see(const unsigned char *line, size_t length)
{
    char text[LENGTH_MAX];
    static atomic_size_t blanks;
    size_t f, n;

    if (length == 0) {
        f = COUNT(files) - 1;
        n = atomic_fetch_add(&blanks, 1) % files[f].lines;
        atomic_fetch_add(&seen[f][n], 1);
        return;
    }
    snprintf(text, sizeof text, "%.*s", length < 30 ? (int)length : 30,
             (const char *)line);
    if (sscanf(text, "%zu %zu ", &f, &n) != 2 || f >= COUNT(files) ||
        n >= files[f].lines || make_line(f, n, text) != length ||
        memcmp(line, text, length) != 0)
        atomic_fetch_add(&strange, 1);
    else
        atomic_fetch_add(&seen[f][n], 1);
}

static void *
reader_main(void *argument)
{
    struct input_reader reader = {0};
    unsigned char *buffer = malloc(capacity);
    size_t room;
    size_t size;

    do {
        room = reader.wanted > capacity ? record_max : capacity;
        /* As long as it must be: a byte too many is found by a sanitizer. */
        buffer = realloc(buffer, room);
        if (buffer == NULL || reader.wanted > room)
            abort();
        size = inputs_read(&inputs, &reader, buffer, room);
        for (size_t at = 0; at < size;) {
            unsigned char *end = memchr(buffer + at, end_byte, size - at);
            size_t next = end == NULL ? size : (size_t)(end - buffer);
            see(buffer + at, next - at);
            at = next + 1;
        }
    } while (size == room || reader.has_more);
    free(buffer);
    return argument;
}

static void
open_inputs(char **names, size_t count)
{
    struct reading reading = {.read_bytes = UINT64_MAX};
    struct error error = ERROR_NONE;

    budget_open(&budget, 4 << 20);
    if (inputs_open(&inputs, names, count, &reading, &budget, &error) < 0)
        abort();
    inputs.framing = text_framing_make_lines(end_byte);
    inputs.chunk_bytes = capacity;
    inputs.record_max = record_max;
}

static void
close_inputs(void)
{
    inputs_close(&inputs);
    budget_close(&budget);
}

static void
read_by(int readers)
{
    pthread_t thread[READERS_MAX];

    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
}

static void
test_readers(int readers)
{
    char *names[COUNT(files)];
    size_t wrong = 0;
    size_t failed = 0;

    for (size_t f = 0; f < COUNT(files); f++)
        names[f] = (char *)(uintptr_t)files[f].name;
    memset(seen, 0, sizeof seen);
    strange = 0;
    open_inputs(names, COUNT(files));
    read_by(readers);
    for (size_t f = 0; f < COUNT(files); f++) {
        for (size_t n = 0; n < files[f].lines; n++)
            wrong += seen[f][n] != 1;
        failed += inputs_error(&inputs, f)->status != EXIT_DONE;
    }
    ok(wrong == 0 && strange == 0 && failed == 0,
       "%d readers, %zu to %zu bytes at a time, end %d: each line once (%zu "
       "wrong, %u strange, %zu failed)",
       readers, capacity, record_max, end_byte, wrong, (unsigned int)strange,
       failed);
    close_inputs();
}

/*
 * A line that does not fit is an error, wherever it is.  Buffers are as long as
 * they can be, or grow from 1 / SHARE of that.
 */
static void
test_long(size_t share)
{
    static const struct {
        const char *name;
        size_t before, length, after; /* bytes, with the ends */
        size_t capacity;
        bool fits;
    } table[] = {
        {"in sequence", 0, 1000, 0, 1000, true},
        {"in sequence", 0, 1001, 0, 1000, false},
        {"in sequence, later", 700, 1001, 50, 1000, false},
        {"in sequence, later", 700, 1000, 50, 1000, true},
        {"in a range", 200000, 1000, 200000, 1000, true},
        {"in a range", 200000, 1001, 200000, 1000, false},
        {"in a range", 200000, 70001, 200000, 70000, false},
        {"in a range", 200000, 70000, 200000, 70000, true},
        {"in the last range", 200000, 70000, 0, 70000, true},
        {"in the last range", 200000, 70001, 0, 70000, false},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char *names[] = {(char *)(uintptr_t) "file"};
        char wanted[200] = "";
        FILE *file = fopen("file", "w");
        if (file == NULL)
            abort();
        for (size_t n = 0; n < table[i].before + table[i].length; n++)
            putc(n < table[i].before && n % 10 == 9 ? end_byte : 'x', file);
        fseek(file, -1, SEEK_CUR);
        putc(end_byte, file);
        for (size_t n = 0; n < table[i].after; n++)
            putc(n % 10 == 9 ? end_byte : 'x', file);
        fclose(file);
        if (!table[i].fits)
            snprintf(wanted, sizeof wanted,
                     "file: the record at byte %zu is longer than %zu bytes "
                     "(--memory-limit allows longer ones)",
                     table[i].before, table[i].capacity);
        capacity = table[i].capacity / share;
        record_max = table[i].capacity;
        open_inputs(names, 1);
        read_by(2);
        const struct error *error = inputs_error(&inputs, 0);
        const char *text = error->status == EXIT_DONE ? "" : error->text;
        ok(strcmp(text, wanted) == 0, "a long line %s: %s", table[i].name,
           text);
        close_inputs();
    }
}

int
main(void)
{
    static const size_t capacities[] = {5000, 10007, 65536, 1 << 20};
    /* Shorter than the longest record. */
    static const size_t short_ones[] = {1, 13, 100, 1000};
    static const unsigned char ends[] = {'\n', '\0'};

    scratch_open();
    for (size_t e = 0; e < COUNT(ends); e++) {
        end_byte = ends[e];
        create_files();
        for (size_t c = 0; c < COUNT(capacities); c++) {
            capacity = capacities[c];
            record_max = capacity;
            for (int readers = READERS_LEAST; readers <= READERS_MAX;
                 readers *= 2)
                if (has_turn(5))
                    test_readers(readers);
        }
        record_max = 5000;
        for (size_t c = 0; c < COUNT(short_ones); c++) {
            capacity = short_ones[c];
            if (!LOOKS_FOR_RACES)
                test_readers(1);
            test_readers(READERS_MAX);
        }
        test_long(1);
        test_long(3);
        test_long(500);
    }
    return done_testing();
}
