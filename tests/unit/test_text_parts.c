/* SPDX-License-Identifier: MIT */
/*
 * test_text_parts.c -- text of a zstd file that several readers decode
 *
 * Record N is "N " and a number of letters that depends on N.  The frames hold
 * their content as it is; they start anywhere in the records.  Whatever the
 * frames, the readers and their buffers, each record must be read once and
 * whole.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../scratch.h"
#include "../tap.h"
#include "input/framing/text_framing.h"
#include "input/read/claim.h"
#include "input/read/inputs.h"

/* A sanitizer looks at so much less. */
#define SHARE (IS_INSTRUMENTED ? 3 : 1)
#define COUNT(table) (sizeof(table) / sizeof *(table))
#define READERS_MAX 8
#define RECORDS_MAX 20000
#define LONGEST_MAX 10000
#define DATA_MAX (1 << 20)

struct layout {
    const char *name;
    size_t frame_bytes; /* of content; 0: grows from frame to frame */
    bool is_sized;      /* the headers tell the content's size */
    size_t other_every; /* frames between an empty and a skippable one; or 0 */
};

static const struct layout layouts[] = {
    {"frames of 1 byte", 1, true, 0},
    {"frames of 13 bytes", 13, false, 5},
    {"frames of 1000 bytes", 1000, false, 0},
    {"frames of 1000 bytes, among others", 1000, true, 1},
    {"frames of many sizes", 0, false, 3},
    {"frames of 100,000 bytes", 100000, true, 0},
    {"one frame", DATA_MAX, true, 0},
};

static struct inputs inputs;
static struct budget budget;
static size_t capacity;
static size_t record_max; /* that buffers grow to */
static unsigned char data[DATA_MAX];
static size_t data_bytes;
static struct text_format format;
static atomic_uchar seen[RECORDS_MAX];
static atomic_uint strange; /* records that are not in the data */
static atomic_uint parts;   /* that readers have cut off */

static void
put_word(FILE *file, uint32_t word, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(word >> 8 * i & 255), file);
}

static void
put_frame(FILE *file, bool is_sized, const unsigned char *bytes, size_t size)
{
    size_t done = 0;

    put_word(file, 0xfd2fb528, 4);
    if (is_sized) {
        putc(0xa0, file); /* one segment, its size in four bytes */
        put_word(file, (uint32_t)size, 4);
    } else {
        putc(0, file);
        putc(0x40, file); /* the window */
    }
    do {
        size_t block = size - done < 3000 ? size - done : 3000;
        put_word(file, (uint32_t)block << 3 | (done + block == size), 3);
        fwrite(bytes + done, 1, block, file);
        done += block;
    } while (done < size);
}

/* The data in frames, in "file". */
static void
create_file(const struct layout *layout)
{
    FILE *file = fopen("file", "w");
    size_t number = 0;

    if (file == NULL)
        abort();
    for (size_t done = 0; done < data_bytes; number++) {
        size_t size = layout->frame_bytes > 0 ? layout->frame_bytes
                                              : number * number % 4999;
        if (size > data_bytes - done)
            size = data_bytes - done;
        put_frame(file, layout->is_sized, data + done, size);
        done += size;
        if (layout->other_every > 0 && number % layout->other_every == 0) {
            put_frame(file, layout->is_sized, data, 0);
            put_word(file, 0x184d2a57, 4);
            put_word(file, 3, 4);
            put_word(file, 0x0a0a0a, 3);
        }
    }
    fclose(file);
}

/* Write record N, at most LONGEST bytes or its number.  Returns its length. */
static size_t
make_record(size_t n, size_t longest, char *text)
{
    size_t length = n * 2654435761u % (longest + 1);
    size_t head = (size_t)sprintf(text, "%zu%c", n,
                                  format.kind == TEXT_WORDS ? '.' : ' ');

    while (head < length) {
        text[head] = (char)('a' + (head * 7 + n) % 26);
        head++;
    }
    return head;
}

/* RECORDS records in the data; the last one has no end if not HAS_END. */
static void
make_data(size_t records, size_t longest, bool has_end)
{
    static const char blanks[] = " \t \n\n  ";

    data_bytes = 0;
    for (size_t n = 0; n < records; n++) {
        data_bytes += make_record(n, longest, (char *)data + data_bytes);
        size_t ends = format.kind == TEXT_WORDS ? n % 4 + 1 : 1;
        for (size_t i = 0; i < ends && (has_end || n + 1 < records); i++)
            data[data_bytes++] = format.kind == TEXT_WORDS
                                     ? (unsigned char)blanks[(n + i) % 7]
                                     : (unsigned char)format.end;
    }
}

static size_t longest_record;

static void
see(const unsigned char *record, size_t length)
{
    char text[LONGEST_MAX + 30];
    char head[30];
    size_t n;

    snprintf(head, sizeof head, "%.*s", length < 20 ? (int)length : 20,
             (const char *)record);
    if (sscanf(head, "%zu", &n) != 1 || n >= RECORDS_MAX ||
        make_record(n, longest_record, text) != length ||
        memcmp(record, text, length) != 0)
        atomic_fetch_add(&strange, 1);
    else
        atomic_fetch_add(&seen[n], 1);
}

static bool
is_end(unsigned char byte)
{
    return byte == format.end ||
           (format.kind == TEXT_WORDS && fields_is_blank(byte));
}

static void *
reader_main(void *argument)
{
    struct input_reader reader = {0};
    unsigned char *buffer = malloc(capacity);
    off_t part_at = -1;
    size_t room;
    size_t size;

    do {
        room = reader.wanted > capacity ? record_max : capacity;
        buffer = realloc(buffer, room);
        if (buffer == NULL || reader.wanted > room)
            abort();
        size = inputs_read(&inputs, &reader, buffer, room);
        if (reader.claim->input != NULL &&
            reader.claim->content == &reader.claim->part &&
            part_at != reader.claim->part.source.first) {
            part_at = reader.claim->part.source.first;
            atomic_fetch_add(&parts, 1);
        }
        for (size_t at = 0; at < size;) {
            size_t end = at;
            while (end < size && !is_end(buffer[end]))
                end++;
            if (end > at || format.kind != TEXT_WORDS)
                see(buffer + at, end - at);
            at = end + 1;
        }
    } while (size == room || reader.has_more);
    free(buffer);
    return argument;
}

/* Let READERS read "file"; the caller closes the inputs. */
static void
read_by(int readers)
{
    static char name[] = "file";
    static char *names[] = {name};
    struct reading reading = {.read_bytes = UINT64_MAX, .text = &format};
    struct error error = ERROR_NONE;
    pthread_t thread[READERS_MAX];

    memset(seen, 0, sizeof seen);
    strange = 0;
    budget_open(&budget, 64 << 20);
    if (inputs_open(&inputs, names, 1, &reading, &budget, &error) < 0)
        abort();
    inputs.framing = text_framing_make(&format);
    inputs.chunk_bytes = capacity;
    inputs.record_max = record_max;
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
}

static const char *
failure(void)
{
    const struct error *error = inputs_error(&inputs, 0);

    return error->status == EXIT_DONE ? "" : error->text;
}

static void
close_inputs(void)
{
    inputs_close(&inputs);
    budget_close(&budget);
}

/* All records of all layouts, by 1 to READERS_MAX readers. */
static void
test_records(const char *name, size_t records, size_t longest, bool has_end)
{
    static const size_t capacities[] = {100, 1000, 20000};

    longest_record = longest;
    make_data(records, longest, has_end);
    for (size_t i = 0; i < COUNT(layouts); i++) {
        size_t wrong = 0, failed = 0;

        create_file(&layouts[i]);
        for (size_t c = 0; c < COUNT(capacities); c++) {
            capacity = capacities[c];
            record_max = longest + 100;
            if (record_max < capacity)
                record_max = capacity;
            for (int readers = 1; readers <= READERS_MAX; readers *= 2) {
                if (!has_turn(5))
                    continue;
                read_by(readers);
                for (size_t n = 0; n < records; n++)
                    wrong += seen[n] != 1;
                wrong += strange;
                failed += *failure() != '\0';
                close_inputs();
            }
        }
        ok(wrong == 0 && failed == 0,
           "%s in %s: each once (%zu wrong, %zu "
           "failed)",
           name, layouts[i].name, wrong, failed);
    }
}

/* A record that is too long is where it is in the content. */
static void
test_long(void)
{
    size_t before = IS_INSTRUMENTED ? 30000 : 150000;
    char wanted[200];

    data_bytes = 2 * before;
    memset(data, 'x', data_bytes);
    for (size_t i = 0; i < data_bytes; i++) {
        if (i % 10 == 9 && (i < before || i >= before + 5000))
            data[i] = '\n';
    }
    capacity = 1000;
    record_max = 2000;
    snprintf(wanted, sizeof wanted,
             "file: the record at byte %zu is longer than %zu bytes "
             "(--memory-limit allows longer ones)",
             before, record_max);
    for (size_t i = 0; i < COUNT(layouts); i++) {
        char text[200] = "";
        unsigned int other = 0;

        create_file(&layouts[i]);
        for (int readers = 1; readers <= READERS_MAX; readers *= 2) {
            read_by(readers);
            if (strcmp(failure(), wanted) != 0) {
                other++;
                snprintf(text, sizeof text, "%s", failure());
            }
            close_inputs();
        }
        ok(other == 0, "a record too long in %s (%s)", layouts[i].name, text);
    }
}

/* Bad blocks are where they are in the file; of two, the first is named. */
static void
test_damage(void)
{
    static const struct layout layout = {"", 3000, false, 0};
    static const int frames[] = {0, 1, 7, 40, 98};
    const long frame_bytes = 6 + 3 + 3000;

    for (size_t longest = 100; longest <= LONGEST_MAX; longest *= 10) {
        make_data(600000 / longest, longest, true);
        for (size_t i = 0; i < COUNT(frames); i++) {
            char wanted[200] = "";
            char text[200] = "";
            unsigned int other = 0;

            if ((size_t)frames[i] * 3000 + 9000 > data_bytes)
                continue;
            create_file(&layout);
            for (int k = 0; k < 2; k++) {
                FILE *file = fopen("file", "r+");
                if (file == NULL)
                    abort();
                fseek(file, (frames[i] + 2 * k) * frame_bytes + 6, SEEK_SET);
                putc(6, file); /* a block of no type */
                fclose(file);
            }
            capacity = 500;
            record_max = 20000;
            for (int readers = 1; readers <= READERS_MAX; readers *= 2) {
                read_by(readers);
                if (readers == 1)
                    snprintf(wanted, sizeof wanted, "%s", failure());
                other += strcmp(failure(), wanted) != 0;
                snprintf(text, sizeof text, "%s", failure());
                close_inputs();
            }
            ok(other == 0 && *wanted != '\0',
               "frame %d is bad, records of %zu: %s (%s)", frames[i], longest,
               wanted, text);
        }
    }
}

int
main(void)
{
    if (getenv("HAVE_ZSTD") != NULL && strcmp(getenv("HAVE_ZSTD"), "no") == 0) {
        printf("1..0 # SKIP no libzstd\n");
        return 0;
    }
    scratch_open();
    format = text_format_of(TEXT_LINES);
    test_records("lines", 3000 / SHARE, 40, true);
    test_records("lines, the last without an end", 3000 / SHARE, 40, false);
    test_records("long lines", 60 / SHARE, 9000, true);
    test_records("a line of all", 1, 1, false);
    format.end = 0;
    test_records("lines that end with NUL", 3000 / SHARE, 40, true);
    format = text_format_of(TEXT_WORDS);
    test_records("words", 3000 / SHARE, 40, true);
    test_records("words, the last without an end", 3000 / SHARE, 40, false);
    test_records("long words", 60 / SHARE, 9000, false);
    format = text_format_of(TEXT_LINES);
    test_long();
    test_damage();
    ok(parts > 100, "several readers had parts");
    return done_testing();
}
