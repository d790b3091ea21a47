/* SPDX-License-Identifier: MIT */
/*
 * test_sequence_inputs.c -- readers get each record of FASTA and FASTQ once
 *
 * Odd files, of which sequence_find() tells where the records are.  Small ones
 * have one reader, with buffers of all lengths; readers share large ones.  Each
 * buffer must have whole records, at the places that its origins tell.  Of data
 * with an error, all records before it must come, and then its record.
 *
 * If records of FASTA may come in pieces, the windows of all buffers together
 * must be those of the file, and their bytes as many, without synthetic ones.
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
#include "input/read/inputs.h"
#include "kernels/seq/kmer.h"
#include "seq/sequence_scan.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define READERS_MAX 8
#define DATA_BYTES ((size_t)1500000)
#define PLAIN_BYTES ((size_t)300000) /* of data in a plain file */
#define RECORDS_MAX 100
#define NO_RECORD UINT32_MAX
#define WATCHDOG_SECONDS 300

static struct text_format format;
static unsigned char data[DATA_BYTES];
static size_t data_size;
static size_t data_max = PLAIN_BYTES;
static size_t block_most; /* of content, in BGZF; 0: a plain file */

/* Of the record that starts at a byte: its length and how often it came. */
static uint32_t length_at[DATA_BYTES + 1];
static uint64_t number_at[DATA_BYTES + 1]; /* of this record, from 1 on */
static uint32_t start_of[DATA_BYTES + 1];  /* of the record of a number */
static atomic_uchar seen_at[DATA_BYTES + 1];
static atomic_uint strange; /* bytes that are no records of the file */

/* Records may come in pieces for windows of so many bases; 0: they are whole.
   Of the windows, with the name of their record, there is a sum of hashes. */
static unsigned int kmer;
static uint64_t windows_wanted;
static uint64_t records_wanted;
static atomic_uint_fast64_t windows_seen;
static atomic_uint_fast64_t records_seen;
static atomic_uint_fast64_t bytes_seen;
static bool has_fasta;
static atomic_bool has_synthetic; /* some bytes were synthetic */

/* The first error of the data, and how often it came. */
static enum sequence_found wrong_kind; /* SEQUENCE_NONE: there is none */
static size_t wrong_start;             /* of its record; or the data's size */
static size_t wrong_at;
static atomic_uint wrong_seen;

static struct inputs inputs;
static struct budget budget;
static struct cancel cancel;
static size_t capacity;
static size_t record_max;

/* ---- data ---- */

static void
put_byte(int byte)
{
    if (data_size < data_max)
        data[data_size++] = (unsigned char)byte;
}

static void
put(const char *text)
{
    for (; *text != '\0'; text++)
        put_byte(*text);
}

/* How the records of a file are. */
struct style {
    const char *name;
    size_t longest; /* a sequence ... */
    size_t usual;   /* ... and most of them */
    size_t line;    /* bases in a line; 0: all */
    unsigned int fasta_percent;
    bool is_odd; /* lines of other lengths, blanks, CR LF */
    const char *quality;
    size_t longest_name; /* if it is longer than usual */
};

static const struct style styles[] = {
    {"short reads", 150, 150, 0, 0, false, "FFFFF:,#", 0},
    {"quality that looks like names", 30, 20, 0, 0, false, "@>", 0},
    {"quality like other lines", 9, 5, 0, 0, true, "@>+AC", 0},
    {"many lines", 200, 50, 10, 10, true, "@>+IIIIIII", 0},
    {"anything", 3000, 30, 0, 30, true, "@>+ACGTI", 0},
    {"long reads", 30000, 9000, 0, 0, false, "IIIIIII5@+>", 0},
    {"FASTA", 400, 200, 60, 100, false, "", 0},
    {"chromosomes", 90000, 20, 60, 100, true, "", 0},
    {"long lines", 60000, 20000, 0, 50, true, "@@@@>+", 0},
    {"long names", 4000, 500, 60, 80, true, "II@>+", 3000},
};

static void
put_line_end(const struct style *style)
{
    put(style->is_odd && noise() % 3 == 0 ? "\r\n" : "\n");
}

/* Lines of SIZE bytes of ALPHABET. */
static void
put_lines(const struct style *style, const char *alphabet, size_t size)
{
    size_t letters = strlen(alphabet);
    size_t line = style->line > 0 ? style->line : size;

    if (style->is_odd && size > 0 && noise() % 2 == 0)
        line = 1 + noise() % size;
    for (size_t i = 0; i < size; i++) {
        put_byte(alphabet[noise() % letters]);
        if (i % line == line - 1 && i + 1 < size)
            put_line_end(style);
    }
    put_line_end(style);
}

static void
put_record(const struct style *style)
{
    bool is_fasta = noise() % 100 < style->fasta_percent;
    size_t most = noise() % 20 == 0 ? style->longest : style->usual;
    size_t bases = style->is_odd ? noise() % (most + 1) : most;

    while (style->is_odd && noise() % 5 == 0) {
        put(noise() % 3 == 0 ? " \t" : "");
        put_line_end(style);
    }
    put(is_fasta ? ">n " : "@n ");
    put(noise() % 4 == 0 ? "@>+" : "x");
    for (size_t left = noise() % (style->longest_name + 1); left > 0; left--)
        put_byte("ACGT>@ "[noise() % 7]);
    put_line_end(style);
    put_lines(style, style->is_odd && is_fasta ? "ACGTacgtn* \t" : "ACGTN",
              bases);
    if (is_fasta)
        return;
    put(noise() % 4 == 0 ? "+@" : "+");
    put_line_end(style);
    put_lines(style, style->quality, bases);
}

static void
make_records(const struct style *style, size_t size)
{
    data_size = 0;
    while (data_size < size)
        put_record(style);
    if (data_size == data_max || (style->is_odd && noise() % 2 == 0))
        return; /* as it ends */
    if (noise() % 2 == 0)
        data_size--; /* no newline */
}

static void
put_word(FILE *file, uint32_t word, int bytes)
{
    for (int i = 0; i < bytes; i++)
        putc((int)(word >> 8 * i & 255), file);
}

static uint32_t
crc32_of(const unsigned char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

/* A block of BGZF, which stores its content. */
static void
put_block(FILE *file, const unsigned char *bytes, size_t size)
{
    static const unsigned char header[] = {31, 139, 8, 4, 0,  0,  0, 0,
                                           0,  255, 6, 0, 66, 67, 2, 0};
    uint32_t length = (uint32_t)size;

    fwrite(header, 1, sizeof header, file);
    put_word(file, (uint32_t)sizeof header + 2 + 5 + length + 8 - 1, 2);
    putc(1, file);
    put_word(file, length, 2);
    put_word(file, ~length, 2);
    fwrite(bytes, 1, size, file);
    put_word(file, crc32_of(bytes, size), 4);
    put_word(file, length, 4);
}

static void
write_file(void)
{
    FILE *file = fopen("file", "w");
    size_t done = 0;

    if (file == NULL)
        abort();
    if (block_most == 0)
        done = fwrite(data, 1, data_size, file);
    while (done < data_size) {
        size_t size = 1 + noise() % block_most;
        size = size < data_size - done ? size : data_size - done;
        put_block(file, data + done, size);
        done += size;
        if (noise() % 50 == 0)
            put_block(file, data, 0);
    }
    if (block_most > 0)
        put_block(file, data, 0);
    if (done != data_size || fclose(file) != 0)
        abort();
}

/* Returns the sum of the hashes of the windows of a record. */
static uint64_t
sum_windows(const unsigned char *bytes, const struct sequence_record *record)
{
    uint64_t name = 1;
    uint64_t sum = 0;
    uint64_t hash = 0; /* of the last KMER bases, a polynomial ... */
    uint64_t power = 1;
    unsigned char base[KMER_MAX] = {0}; /* ... which are here */
    size_t count = 0;

    for (size_t i = record->start; i < record->name_end; i++)
        name = 31 * name + bytes[i];
    for (unsigned int i = 0; i < kmer; i++)
        power *= 1000003;
    for (size_t i = record->bases_start; i < record->bases_end; i++) {
        if (!sequence_is_base(bytes[i]))
            continue;
        hash = hash * 1000003 + bytes[i] - power * base[count % kmer];
        base[count++ % kmer] = bytes[i];
        if (count >= kmer)
            sum += (hash ^ hash >> 29) * (2 * name + 1);
    }
    return sum;
}

/* Find the records of the data, and write the file. */
static void
open_data(void)
{
    struct sequence_record record;
    uint32_t at = 0;

    write_file();
    windows_wanted = records_wanted = 0;
    has_fasta = false;
    memset(length_at, 0xff, sizeof length_at);
    for (;;) {
        wrong_kind =
            sequence_find(data, (uint32_t)data_size, at, true, &record);
        if (wrong_kind != SEQUENCE_RECORD)
            break;
        length_at[record.start] = record.next - record.start;
        number_at[record.start] = ++records_wanted;
        start_of[records_wanted] = record.start;
        has_fasta |= record.quality_end == 0;
        if (kmer > 0)
            windows_wanted += sum_windows(data, &record);
        at = record.next;
    }
    wrong_start = record.start;
    wrong_at = record.error;
    number_at[wrong_start] = records_wanted + 1;
    start_of[records_wanted + 1] = record.start;
}

/* ---- readers ---- */

/* The SIZE bytes of a record without blanks after it: FASTA has those that
   follow in a buffer, also if they do not in the file. */
static size_t
trim(const unsigned char *bytes, size_t size)
{
    while (size > 0 &&
           (sequence_is_blank(bytes[size - 1]) || bytes[size - 1] == '\n'))
        size--;
    return size;
}

/* Numbers the records of a buffer. */
struct numbering {
    const struct origin *origin; /* of the last record ... */
    uint64_t count;              /* ... and its number among those of this */
};

/* Returns the number in the file of the next record, which starts at START; a
   piece may start in what is synthetic. */
static uint64_t
number_next(struct numbering *numbering, const struct origins *origins,
            size_t start)
{
    const struct origin *origin = NULL;

    for (size_t i = 0; i < origins->count; i++) {
        const struct origin *next = &origins->origin[i];
        if (next->start - next->synthetic <= start)
            origin = next;
    }
    if (origin == NULL)
        return 0;
    if (origin != numbering->origin)
        *numbering = (struct numbering){.origin = origin};
    return origin->records + ++numbering->count;
}

/* What has come from byte AT of the file: RECORD of BYTES, or an error, which
   has this NUMBER. */
static void
see(const unsigned char *bytes, const struct sequence_record *record,
    enum sequence_found found, size_t at, uint64_t number)
{
    size_t length =
        found == SEQUENCE_RECORD
            ? trim(bytes + record->start, record->next - record->start)
            : 0;

    if (at > wrong_start)
        return; /* without meaning */
    if (number != number_at[at])
        atomic_fetch_add(&strange, 1);
    if (found == SEQUENCE_RECORD && at <= data_size &&
        length_at[at] != NO_RECORD &&
        trim(data + at, length_at[at]) == length &&
        memcmp(bytes + record->start, data + at, length) == 0)
        atomic_fetch_add(&seen_at[at], 1);
    else if (found == wrong_kind && at == wrong_start &&
             record->error - record->start == wrong_at - wrong_start)
        atomic_fetch_add(&wrong_seen, 1);
    else
        atomic_fetch_add(&strange, 1);
}

static size_t
origin_of(const struct origins *origins, size_t at)
{
    const struct origin *origin = origins_find(origins, at);

    return origin == NULL ? 0 : (size_t)origin->at + at - origin->start;
}

/* SIZE bytes of a buffer, which have come from ORIGINS. */
static void
see_all(const unsigned char *bytes, size_t size, const struct origins *origins)
{
    struct sequence_record record[RECORDS_MAX];
    struct sequence_record tail;
    struct numbering numbering = {0};
    enum sequence_found found;
    size_t done = 0;

    do {
        size_t count = sequence_scan(bytes, size, &done, true, record,
                                     RECORDS_MAX, &found, &tail);
        for (size_t i = 0; i < count; i++)
            see(bytes, &record[i], SEQUENCE_RECORD,
                origin_of(origins, record[i].start),
                number_next(&numbering, origins, record[i].start));
    } while (found == SEQUENCE_RECORD);
    if (found != SEQUENCE_NONE)
        see(bytes, &tail, found, origin_of(origins, tail.start),
            number_next(&numbering, origins, tail.start));
}

/* Whether RECORD of BYTES, which may be a piece, is that of NUMBER. */
static bool
has_number(const unsigned char *bytes, const struct sequence_record *record,
           uint64_t number)
{
    size_t size = record->name_end - record->start;

    size = size < SEQUENCE_PIECE_NAME ? size : SEQUENCE_PIECE_NAME;
    return number > 0 && number <= records_wanted &&
           memcmp(bytes + record->start, data + start_of[number], size) == 0;
}

/* The same if records may come in pieces, with SYNTHETIC bytes. */
static void
see_pieces(const unsigned char *bytes, size_t size,
           const struct origins *origins, const struct synthetic *synthetic)
{
    struct sequence_record record;
    struct numbering numbering = {0};
    enum sequence_found found;
    uint32_t at = 0;

    atomic_fetch_add(&bytes_seen, size - synthetic->bytes);
    atomic_fetch_sub(&records_seen, synthetic->records);
    if (synthetic->bytes > 0)
        has_synthetic = true;
    while ((found = sequence_find(bytes, (uint32_t)size, at, true, &record)) ==
           SEQUENCE_RECORD) {
        atomic_fetch_add(&records_seen, 1);
        atomic_fetch_add(&windows_seen, sum_windows(bytes, &record));
        at = record.next;
        uint64_t number = number_next(&numbering, origins, record.start);
        if (origin_of(origins, at - 1) < wrong_start &&
            !has_number(bytes, &record, number))
            atomic_fetch_add(&strange, 1);
    }
    if (found == SEQUENCE_NONE)
        return;
    size_t error = origin_of(origins, record.error);
    if (found == wrong_kind && error == wrong_at &&
        number_next(&numbering, origins, record.start) == records_wanted + 1)
        atomic_fetch_add(&wrong_seen, 1);
    else if (error <= wrong_start)
        atomic_fetch_add(&strange, 1);
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
        room = reader.wanted > capacity ? reader.wanted : capacity;
        /* As long as it must be: a byte too many is found by a sanitizer. */
        buffer = realloc(buffer, room);
        if (buffer == NULL || room > record_max)
            abort();
        origins_clear(&origins);
        size = inputs_read(&inputs, &reader, buffer, room);
        if (kmer > 0)
            see_pieces(buffer, size, &origins, &reader.synthetic);
        else
            see_all(buffer, size, &origins);
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

    memset(seen_at, 0, data_size + 1);
    strange = 0;
    wrong_seen = 0;
    budget_open(&budget, 4 << 20);
    if (inputs_open(&inputs, names, 1, &reading, &budget, &error) < 0)
        abort();
    inputs.framing = text_framing_make(&format);
    inputs.framing.has_pieces = kmer > 0;
    inputs.framing.overlap = kmer > 0 ? kmer - 1 : 0;
    windows_seen = records_seen = bytes_seen = 0;
    has_synthetic = false;
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

/* Whether the file is read right by READERS. */
static bool
is_right(unsigned int readers)
{
    const char *text = read_by(readers);
    bool is_error = wrong_kind != SEQUENCE_NONE;
    size_t missing = 0;
    char broken[100];
    bool right = strange == 0 && wrong_seen == is_error;

    if (kmer > 0 && !is_error)
        right &= windows_seen == windows_wanted &&
                 records_seen == records_wanted && bytes_seen == data_size &&
                 (has_fasta || !has_synthetic);
    for (size_t at = 0; at <= wrong_start && kmer == 0; at++) {
        bool is_start = length_at[at] != NO_RECORD;
        right &= seen_at[at] <= is_start;
        missing += seen_at[at] < is_start;
    }
    /* A late record is behind the error in the buffer. */
    right &= missing <= is_error;
    /* Not all errors are found before the records are counted. */
    snprintf(broken, sizeof broken, "file: the record at byte %zu has an error",
             wrong_start);
    if (*text != '\0')
        right &= is_error &&
                 (strcmp(text, broken) == 0 || wrong_kind == SEQUENCE_NO_BASE ||
                  wrong_kind == SEQUENCE_OTHER_SIZE);
    close_inputs();
    return right;
}

/* ---- tests ---- */

/* One reader, whose buffers have all lengths. */
static void
test_borders(const char *name)
{
    size_t wrong = 0;

    open_data();
    record_max = data_size + 100;
    for (capacity = 1; capacity <= data_size + 1; capacity++)
        wrong += has_turn(7) && !is_right(1);
    ok(wrong == 0, "%s, %zu bytes in buffers of all lengths (%zu wrong)", name,
       data_size, wrong);
    record_max += SEQUENCE_PREFACE_BYTES;
    for (kmer = 1; kmer <= KMER_MAX; kmer += 10) {
        open_data();
        for (capacity = 1; capacity <= record_max; capacity += 1 + noise() % 9)
            wrong += has_turn(7) && !is_right(1);
    }
    kmer = 0;
    ok(wrong == 0, "... in pieces (%zu wrong)", wrong);
}

static void
test_small(void)
{
    static const char *const files[] = {
        "@a\nAC\nGT\n+\n@I\n>I\n@b\nACGT\nA\n+\n+III\n@\n@c\nA\n+\n@\n",
        "@a\r\nACGT\r\n+\r\nIIII\r\n\r\n@b\r\n\r\n+\r\n\r\n@c\nA\n+\nI",
        ">a\nACGT\nAC\n\nG\n>b\n>c d\nacgtn\n@d\nAC\n+\n>@\n>e\nA",
        "\n \t\r\n>a\n  \nA C\tG\r\n\n \n>b\n*-.\n\n",
        "@a\nA C\n G\n+\nI\r\nI\nI\n>b\nA\n@c\nA\n+\n\r\nI\n",
        ">a\nAC1T\n@b\nA\n+\nI\n",
        "@a\nACGT\n@b\nA\n+\nI\n",
        ">a\nACGT\n@b\nA\n+\nIII\n>c\nA\n",
        "@a\nACGT\n+\nIIII\n@b\nACGT\n+\nII",
        "@a\nACGT\n+\nIIII\nx\n@b\nACGT\n+\nIIII\n",
        "ACGT\n",
    };

    for (size_t i = 0; i < COUNT(files); i++) {
        data_size = 0;
        put(files[i]);
        test_borders("a file");
    }
    for (size_t i = 0; i < COUNT(styles); i++) {
        make_records(&styles[i], 300);
        data_size = data_size < 400 ? data_size : 400;
        test_borders(styles[i].name);
    }
}

/* Readers share the file. */
static void
test_shared(const char *name)
{
    static const size_t capacities[] = {999, 20000, 100, 5003, 65536};

    size_t most = COUNT(capacities);

    if (!is_expensive())
        most = block_most == 0 ? 2 : 1;
    open_data();
    for (size_t c = 0; c < most; c++) {
        size_t wrong = 0;
        capacity = block_most > 0 ? 132000 + capacities[c] : capacities[c];
        record_max = data_max;
        for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2)
            wrong += has_turn(3) && !is_right(readers);
        ok(wrong == 0, "%s, buffers of %zu: 1 to 8 readers (%zu wrong)", name,
           capacity, wrong);
    }
    kmer = 21;
    open_data();
    for (size_t c = 0; c < most; c++) {
        size_t wrong = 0;
        capacity = block_most > 0 ? 132000 + capacities[c] : capacities[c];
        for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2)
            wrong += has_turn(3) && !is_right(readers);
        ok(wrong == 0, "... in pieces (%zu wrong)", wrong);
    }
    kmer = 0;
}

static void
test_large(void)
{
    /* One length of blocks for each style. */
    bool is_half = !is_expensive() && block_most > 0;

    for (size_t i = is_half && block_most > 600; i < COUNT(styles);
         i += is_half ? 2 : 1) {
        for (int round = 0; round < (is_expensive() ? 2 : 1); round++) {
            make_records(&styles[i], data_max - 70000);
            test_shared(styles[i].name);
        }
    }
    make_records(&styles[4], data_max - 10000);
    data[data_size / 2] = '\x01';
    test_shared("a byte that is no base, or a strange quality");
    make_records(&styles[1], data_max - 10000);
    for (size_t i = 0; i < 3; i++)
        data[data_size / 2 + i * 5000] = '\n';
    test_shared("lines that are cut");
    for (data_size = 0; data_size < data_max;)
        put_byte("@>+A\n"[noise() % 5]);
    test_shared("noise");
    for (data_size = 0; data_size < data_max;)
        put("\n");
    test_shared("lines without a record");
}

/* A record that is too long is named by its number and its offset; but in
   pieces, none is. */
static void
test_long(void)
{
    size_t start;

    make_records(&styles[0], data_max / 2);
    if (data[data_size - 1] != '\n')
        put("\n");
    start = data_size;
    put(">long\n");
    while (data_size < data_max - 20000)
        put("ACGTACGTAC\n");
    put("@a\nA\n+\nI\n");
    open_data();
    capacity = block_most > 0 ? 140000 : 1000;
    record_max = block_most > 0 ? 150000 : 50000;
    for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2) {
        char wanted[200];
        snprintf(wanted, sizeof wanted,
                 "file: record %llu at byte %zu is longer than %zu bytes "
                 "(--memory-limit allows longer ones; of FASTA, names, "
                 "lengths and GC alone need no memory)",
                 (unsigned long long)number_at[start], start, record_max);
        const char *text = read_by(readers);
        ok(strcmp(text, wanted) == 0 && strange == 0,
           "a record that is too long, %u readers: %s", readers, text);
        close_inputs();
    }
    kmer = 9;
    open_data();
    for (unsigned int readers = 1; readers <= READERS_MAX; readers *= 2)
        ok(is_right(readers), "... in pieces, %u readers", readers);
    kmer = 0;
}

int
main(void)
{
    format = text_format_of(TEXT_SEQUENCES);
    scratch_open();
    alarm(WATCHDOG_SECONDS); /* a reader that waits for ever */
    cancel_open(&cancel);
    test_small();
    test_large();
    test_long();
    if (getenv("HAVE_GZIP") == NULL || strcmp(getenv("HAVE_GZIP"), "no") != 0) {
        data_max = DATA_BYTES;
        for (block_most = 600; block_most < 60000; block_most *= 90) {
            test_large();
            test_long();
        }
    }
    return done_testing();
}
