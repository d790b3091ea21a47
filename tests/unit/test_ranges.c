/* SPDX-License-Identifier: MIT */
/*
 * test_ranges.c -- readers share a file of CSV, and get each record once
 *
 * Random data with quotes in all places, so that ends of ranges are inside of
 * them.  kernels/text/fields.h tells where the records of the whole file are.  Each
 * buffer must have some of them, at the places that its origins tell.  Data
 * with an error have the same one for any number of readers.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "input/framing/text_framing.h"
#include "input/read/claim.h"
#include "input/read/inputs.h"
#include "text/csv_cut.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define READERS_MAX 8
#define DATA_BYTES ((size_t)400000)
#define NO_RECORD UINT32_MAX
#define WATCHDOG_SECONDS 300

static struct text_format format;
static unsigned char data[DATA_BYTES];
static size_t data_size;

/* Of the record that starts at a byte: its length and how often it came. */
static uint32_t length_at[DATA_BYTES];
static atomic_uchar seen_at[DATA_BYTES];
static atomic_uint strange; /* bytes that are no records of the file */

static struct inputs inputs;
static struct budget budget;
static struct cancel cancel;
static size_t capacity;
static size_t record_max;

/* What is done before read number AT_READ, or NULL. */
static struct {
    unsigned int at_read;
    void (*action)(void);
} script;
static pthread_mutex_t script_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned int reads; /* that have started; under the lock */

/* ---- data ---- */

static void
put(const char *text)
{
    size_t length = strlen(text);

    if (length > DATA_BYTES - data_size)
        length = DATA_BYTES - data_size;
    memcpy(data + data_size, text, length);
    data_size += length;
}

/* Any bytes of ALPHABET. */
static void
make_noise(const char *alphabet)
{
    size_t bytes = strlen(alphabet);

    for (data_size = 0; data_size < DATA_BYTES - 100; data_size++)
        data[data_size] = (unsigned char)alphabet[noise() % bytes];
}

/* Records with quoted lines, LONGEST in one of SELDOM, and else up to 30. */
static void
make_records(size_t longest, size_t seldom)
{
    data_size = 0;
    while (data_size + 2 * longest + 200 < DATA_BYTES) {
        size_t lines = noise() % (noise() % seldom == 0 ? longest / 2 : 10);
        if (noise() % 9 == 0)
            put("#,\"\n");
        put("some\"thing,\"");
        for (size_t i = 0; i < lines; i++)
            put(noise() % 5 == 0   ? "\"\",\"\""
                : noise() % 3 == 0 ? "\n"
                                   : "#,");
        put(noise() % 2 == 0 ? "\",x\r\n" : "\"\n");
    }
}

/* Find the records of the data and write the file; what the error must say. */
static void
open_data(char *wanted, size_t room)
{
    struct text_record record;
    uint32_t at = 0;
    FILE *file = fopen("file", "w");

    if (file == NULL || fwrite(data, 1, data_size, file) != data_size ||
        fclose(file) != 0)
        abort();
    *wanted = '\0';
    memset(length_at, 0xff, sizeof length_at);
    while (fields_record(&format, data, (uint32_t)data_size, at, &record)) {
        size_t bytes = record.next - at;
        bool is_ended =
            data[record.next - 1] == '\n' &&
            !csv_cut_is_open(&format, data + at, bytes, &(size_t){0});
        bool is_long = bytes > record_max;
        size_t quote = 0;
        length_at[at] = (uint32_t)bytes;
        if ((!is_long && is_ended) || *wanted != '\0') {
            at = record.next;
            continue;
        }
        bool is_open = csv_cut_is_open(&format, data + at,
                                       is_long ? record_max : bytes, &quote);
        if (is_long && is_open)
            snprintf(wanted, room,
                     "file: the quote at byte %zu has no end within a record "
                     "of %zu bytes (--memory-limit allows longer ones)",
                     at + quote, record_max);
        else if (is_long)
            snprintf(wanted, room,
                     "file: the record at byte %u is longer than %zu bytes "
                     "(--memory-limit allows longer ones)",
                     at, record_max);
        else if (is_open)
            snprintf(wanted, room, "file: the quote at byte %zu has no end",
                     at + quote);
        at = record.next;
    }
}

/* ---- readers ---- */

/* SIZE bytes of a buffer, which have come from ORIGINS. */
static void
see(const unsigned char *bytes, size_t size, const struct origins *origins)
{
    for (size_t i = 0; i < size;) {
        const struct origin *origin = origins_find(origins, i);
        size_t at = origin == NULL ? DATA_BYTES
                                   : (size_t)origin->at + i - origin->start;
        if (at >= DATA_BYTES || length_at[at] > size - i ||
            memcmp(bytes + i, data + at, length_at[at]) != 0) {
            atomic_fetch_add(&strange, 1);
            return;
        }
        atomic_fetch_add(&seen_at[at], 1);
        i += length_at[at];
    }
}

/* No reader starts to read while the script acts. */
static void
take_step(void)
{
    pthread_mutex_lock(&script_lock);
    if (reads++ == script.at_read && script.action != NULL)
        script.action();
    pthread_mutex_unlock(&script_lock);
}

static void *
reader_main(void *argument)
{
    struct origins origins = {0};
    struct input_reader reader = {.origins = &origins};
    unsigned char *buffer = malloc(capacity);
    size_t room;
    size_t size;

    do {
        room = reader.wanted > capacity ? record_max : capacity;
        /* As long as it must be: a byte too many is found by a sanitizer. */
        buffer = realloc(buffer, room);
        if (buffer == NULL || reader.wanted > room)
            abort();
        take_step();
        origins_clear(&origins);
        size = inputs_read(&inputs, &reader, buffer, room);
        see(buffer, size, &origins);
    } while (size == room || reader.has_more);
    free(buffer);
    origins_close(&origins);
    return argument;
}

/* Read the file by READERS.  Returns what the error says, "" if there is none.
   The caller closes the inputs. */
static const char *
read_by(unsigned int readers)
{
    struct reading reading = {
        .read_bytes = UINT64_MAX, .text = &format, .cancel = &cancel};
    static char *names[] = {(char *)(uintptr_t) "file"};
    pthread_t thread[READERS_MAX];
    struct error error = ERROR_NONE;

    memset(seen_at, 0, sizeof seen_at);
    strange = 0;
    reads = 0;
    budget_open(&budget, 4 << 20);
    if (inputs_open(&inputs, names, 1, &reading, &budget, &error) < 0)
        abort();
    inputs.framing = text_framing_make(&format);
    inputs.chunk_bytes = capacity;
    inputs.record_max = record_max;
    for (unsigned int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader_main, NULL);
    for (unsigned int i = 0; i < readers; i++)
        pthread_join(thread[i], NULL);
    const struct error *failure = inputs_error(&inputs, 0);
    return failure->status == EXIT_DONE ? "" : failure->text;
}

static void
close_inputs(void)
{
    inputs_close(&inputs);
    budget_close(&budget);
}

/* How many records have not come once. */
static size_t
count_wrong(void)
{
    size_t wrong = 0;

    for (size_t at = 0; at < data_size; at++)
        wrong += seen_at[at] != (length_at[at] != NO_RECORD);
    return wrong;
}

/* Whether the data, or their error, are the same for all readers. */
static void
test_data(const char *name)
{
    static const unsigned int readers[] = {1, 2, READERS_MAX};
    char wanted[200];

    open_data(wanted, sizeof wanted);
    for (size_t i = LOOKS_FOR_RACES; i < COUNT(readers); i++) {
        const char *text = read_by(readers[i]);
        size_t wrong = *wanted == '\0' ? count_wrong() : 0;
        ok(wrong == 0 && strange == 0 && strcmp(text, wanted) == 0,
           "%s, %u readers, %zu to %zu bytes: %s (%zu wrong, %u strange)", name,
           readers[i], capacity, record_max, text, wrong,
           (unsigned int)strange);
        close_inputs();
    }
}

static void
test_noise(void)
{
    static const char *const alphabets[] = {
        "ab\",\n",
        "abcdefghijklmnop,\n",
        "abcdefghijklmnop,,,\"\n",
        "\"\n",
        "aa#\",\n",
        ",\"\n\n\n",
        "a,\r\n",
        "aaaaaaaaaaaaaa\"\"\n",
        "aaaa,aaaa,\"\",\"\"",
    };
    static const size_t capacities[] = {100, 999, 5003, 65536};

    for (size_t a = 0; a < COUNT(alphabets); a++) {
        for (size_t c = 0; c < COUNT(capacities); c++) {
            for (int is_closed = 0; is_closed < 2; is_closed++) {
                size_t quote;
                if (!has_turn(5))
                    continue;
                capacity = capacities[c];
                record_max = 70000;
                format.comment = a % 2 == 0 ? TEXT_NO_COMMENT : '#';
                make_noise(alphabets[a]);
                size_t whole = csv_cut_find(&format, false, data, data_size);
                if (is_closed && csv_cut_is_open(&format, data + whole,
                                                 data_size - whole, &quote))
                    put("\"");
                test_data(alphabets[a]);
            }
        }
    }
}

static void
test_records(void)
{
    static const size_t capacities[] = {20, 333, 2000, 30000};

    for (size_t c = 0; c < COUNT(capacities); c++) {
        for (int has_comments = 0; has_comments < 2; has_comments++) {
            if (!has_turn(LOOKS_FOR_RACES ? 5 : 3))
                continue;
            capacity = capacities[c];
            record_max = 70000;
            format.comment = has_comments ? '#' : TEXT_NO_COMMENT;
            make_records(10, 2);
            test_data("short records");
            make_records(2000, 20);
            test_data("some longer ones");
            make_records(40000, 9);
            test_data("long ones");
            record_max = 30000;
            test_data("too long ones");
            put("\"\n\n");
            test_data("... and an open quote later");
        }
    }
    format.comment = TEXT_NO_COMMENT;
}

/* Nobody reads much of a file after a record that is too long. */
static void
test_stop(void)
{
    char wanted[200];

    capacity = 500;
    record_max = 20000;
    for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2) {
        make_noise("abc\n");
        data[1000] = '\n';
        data[1001] = '"';
        open_data(wanted, sizeof wanted);
        const char *text = read_by(readers);
        ok(strcmp(text, wanted) == 0 &&
               inputs.slot[0].input->next_range < (off_t)data_size / 4,
           "a quote without an end, %u readers: %s", readers, text);
        close_inputs();
    }
}

/* ---- files that change, readers that stop ---- */

static size_t size_first; /* of the file, before the action */

static void
do_append(void)
{
    FILE *file = fopen("file", "a");

    if (file == NULL ||
        fwrite(data + size_first, 1, data_size - size_first, file) !=
            data_size - size_first ||
        fclose(file) != 0)
        abort();
}

static void
do_truncate(void)
{
    if (truncate("file", (off_t)size_first) < 0)
        abort();
}

static void
do_cancel(void)
{
    if (!cancel_ask(&cancel))
        abort();
}

static void
test_growth(void)
{
    char wanted[200];

    capacity = 1000;
    record_max = 70000;
    make_records(3000, 9);
    open_data(wanted, sizeof wanted);
    for (int round = 0; round < 8; round++) {
        size_first = data_size - 1 - noise() % 50000;
        if (truncate("file", (off_t)size_first) < 0)
            abort();
        script.at_read = 20;
        script.action = do_append;
        const char *text = read_by(round % 2 == 0 ? 1 : 4);
        size_t wrong = count_wrong();
        ok(wrong == 0 && strange == 0 && *text == '\0',
           "a file that grows from %zu to %zu bytes: %s (%zu wrong, %u strange)",
           size_first, data_size, text, wrong, (unsigned int)strange);
        close_inputs();
    }
}

static void
test_shrinking(void)
{
    char wanted[200];

    capacity = 1000;
    record_max = 70000;
    make_records(2000, 9);
    for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2) {
        open_data(wanted, sizeof wanted);
        size_first = data_size / 2;
        script.at_read = 20;
        script.action = do_truncate;
        snprintf(wanted, sizeof wanted,
                 "file: truncated at byte %zu while it was read", size_first);
        const char *text = read_by(readers);
        ok(strcmp(text, wanted) == 0, "a file that shrinks, %u readers: %s",
           readers, text);
        close_inputs();
    }
}

static void
test_cancel(void)
{
    char wanted[200];

    capacity = 1000;
    make_records(3000, 9);
    open_data(wanted, sizeof wanted);
    for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2) {
        size_t wrong = 0;
        cancel_open(&cancel);
        cancel_allow(&cancel);
        script.at_read = 20;
        script.action = do_cancel;
        const char *text = read_by(readers);
        for (size_t at = 0; at < data_size; at++)
            wrong += seen_at[at] > (length_at[at] != NO_RECORD);
        ok(wrong == 0 && strange == 0 && *text == '\0' && seen_at[0] == 1 &&
               count_wrong() > 0,
           "%u readers that stop: %s (%zu wrong, %u strange)", readers, text,
           wrong, (unsigned int)strange);
        close_inputs();
        cancel_close(&cancel);
    }
}

int
main(void)
{
    format = text_format_of(TEXT_CSV);
    scratch_open();
    alarm(WATCHDOG_SECONDS); /* a reader that waits for ever */
    cancel_open(&cancel);
    test_noise();
    test_records();
    test_stop();
    test_growth();
    test_shrinking();
    test_cancel();
    return done_testing();
}
