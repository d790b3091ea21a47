/* SPDX-License-Identifier: MIT */
/*
 * test_alignment_pages.c -- text of BAM and SAM that helpers write
 *
 * zlib makes the blocks of BGZF, which end after records or anywhere; or SAM is
 * plain.  With helpers a content must deliver the same text, or the same error,
 * as without them; the bytes of content whose text helpers have written are
 * counted.
 */

#include <stdarg.h>
#include <string.h>

#include <zlib.h>

#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "input/content/content.h"
#include "kernels/seq/sequence.h"

#define HELPERS 5
#define BLOCK_MAX ((size_t)65280)
#define CONTENT_MAX ((size_t)5 << 20)
#define TEXT_MAX (6 * CONTENT_MAX)
#define BUDGET_BYTES ((uint64_t)1 << 30)
#define RECORDS_MAX 80000
#define REFERENCES 3
#define NAME_MAX_BYTES 241
#define FIXED_BYTES 36
#define TAG_BYTES 6
#define RAW_WINDOW (-15)
#define HEADER_BYTES 18
#define TRAILER_BYTES 8
#define ALL_WORDS ((1u << ALIGNMENT_WORDS) - 1)

static enum alignment_kind kind = ALIGNMENT_BAM;
static bool is_plain;
static off_t bytes_less; /* has the file when it is read, than when opened */
static unsigned char bam[CONTENT_MAX + BLOCK_MAX]; /* or SAM */
static size_t bam_bytes;
static size_t record_at[RECORDS_MAX + 1];
static size_t records;

struct result {
    unsigned char text[TEXT_MAX];
    size_t text_bytes;
    char message[256];
    size_t skipped; /* content whose text is of helpers */
    size_t wrong_cuts;
};

static struct result wanted, got;

/* ---- the file ---- */

static void
store(unsigned char *to, uint32_t number, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(number >> 8 * i);
}

static void
put(uint32_t number, size_t bytes)
{
    store(bam + bam_bytes, number, bytes);
    bam_bytes += bytes;
}

static void
put_bytes(const void *data, size_t size)
{
    memcpy(bam + bam_bytes, data, size);
    bam_bytes += size;
}

static void
put_text(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bam_bytes += (size_t)vsnprintf((char *)bam + bam_bytes,
                                   sizeof bam - bam_bytes, format, args);
    va_end(args);
}

/* Returns the bytes of the name of a reference, with a NUL.  The last one is so
   long that the text of a set may not fit into a page. */
static size_t
name_bytes_of(size_t reference)
{
    return reference + 1 < REFERENCES ? 2 + reference : NAME_MAX_BYTES;
}

static void
put_header_lines(void)
{
    for (size_t i = 0; i < REFERENCES; i++) {
        put_text("@SQ\tSN:");
        memset(bam + bam_bytes, 'a', name_bytes_of(i) - 1);
        bam_bytes += name_bytes_of(i) - 1;
        put_text("\tLN:%zu\n", 5000 + i);
    }
}

static void
put_header(void)
{
    char name[NAME_MAX_BYTES];

    bam_bytes = 0;
    if (kind == ALIGNMENT_SAM) {
        put_header_lines();
        return;
    }
    put_bytes("BAM\1", 4);
    put(0, 4);
    put(REFERENCES, 4);
    for (uint32_t i = 0; i < REFERENCES; i++) {
        const size_t size = name_bytes_of(i);
        memset(name, 'a', size);
        name[size - 1] = '\0';
        put((uint32_t)size, 4);
        put_bytes(name, size);
        put(5000 + i, 4);
    }
}

static void
put_reference(size_t reference)
{
    memset(bam + bam_bytes, 'a', name_bytes_of(reference) - 1);
    bam_bytes += name_bytes_of(reference) - 1;
    put_text("\t");
}

/* Append a line with a record of LENGTH bases. */
static void
put_line(const char *name, unsigned int flag, size_t length)
{
    static const char letters[] = "ACGTNacgtnRY.";

    put_text("%s\t%u\t", name, flag);
    put_reference(noise() % REFERENCES);
    put_text("%u\t%u\t", (unsigned)(noise() % 5000), (unsigned)(noise() % 61));
    if (length > 0 && noise() % 8 > 0)
        put_text("%zuM\t", length);
    else
        put_text("*\t");
    put_reference(noise() % REFERENCES);
    put_text("%u\t%d\t%s", (unsigned)(noise() % 5000),
             (int)(noise() % 2001) - 1000, length == 0 ? "*" : "");
    for (size_t i = 0; i < length; i++)
        put((unsigned char)letters[noise() % (noise() % 9 > 0 ? 4 : 13)], 1);
    put_text("\t%s", length == 0 ? "*" : "");
    for (size_t i = 0; i < length; i++)
        put(length > 1 ? '!' + (uint32_t)(noise() % 40) : '?', 1);
    put_text("\tNM:i:%u\tRG:Z:g1%s", (unsigned)(noise() % 9),
             noise() % 4 > 0 ? "\n" : "\r\n");
}

/* Append a record with up to LENGTH_MAX bases, mapped or not, primary or
   not. */
static void
put_record(size_t length_max)
{
    static const uint16_t flags[] = {0, 16, 99, 4, 256, 147, 2048, 1024};
    const uint32_t length = (uint32_t)(noise() % (length_max + 1));
    const uint16_t flag = flags[noise() % 8];
    const bool is_mapped = (flag & 4) == 0;
    char name[24];
    const uint32_t name_bytes =
        (uint32_t)snprintf(name, sizeof name, "r%u",
                           (unsigned)(noise() >> (34 + noise() % 28))) +
        1;
    const uint32_t operations = is_mapped && length > 0;

    record_at[records++] = bam_bytes;
    if (kind == ALIGNMENT_SAM) {
        put_line(name, flag, length);
        return;
    }
    put(FIXED_BYTES - 4 + name_bytes + 4 * operations + (length + 1) / 2 +
            length + TAG_BYTES,
        4);
    put(is_mapped ? (uint32_t)(noise() % REFERENCES) : UINT32_MAX, 4);
    put((uint32_t)(noise() % 5000), 4);
    put(name_bytes, 1);
    put((uint32_t)(noise() % 61), 1);
    put(0, 2);
    put(operations, 2);
    put(flag, 2);
    put(length, 4);
    put((uint32_t)(noise() % REFERENCES), 4);
    put((uint32_t)(noise() % 5000), 4);
    put((uint32_t)(noise() % 1000), 4);
    put_bytes(name, name_bytes);
    if (operations > 0)
        put(length << 4, 4);
    for (uint32_t i = 0; i < (length + 1) / 2; i++)
        put(0x11u << noise() % 4, 1);
    for (uint32_t i = 0; i < length; i++)
        put((uint32_t)(noise() % 40), 1);
    put_bytes("RGZg1\0", TAG_BYTES);
}

/* Append the SIZE bytes at DATA to FILE, as a block. */
static void
put_block(FILE *file, unsigned char *data, size_t size)
{
    static unsigned char block[BLOCK_MAX + 1024];
    z_stream stream = {.next_in = data,
                       .avail_in = (unsigned)size,
                       .next_out = block + HEADER_BYTES,
                       .avail_out = sizeof block - HEADER_BYTES};

    if (deflateInit2(&stream, 1, Z_DEFLATED, RAW_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    const size_t bytes = HEADER_BYTES + stream.total_out + TRAILER_BYTES;
    deflateEnd(&stream);
    memcpy(block, "\x1f\x8b\x08\4\0\0\0\0\0\xff\6\0BC\2\0", HEADER_BYTES - 2);
    store(block + HEADER_BYTES - 2, (uint32_t)bytes - 1, 2);
    store(block + bytes - 8, (uint32_t)crc32_z(0, data, size), 4);
    store(block + bytes - 4, (uint32_t)size, 4);
    fwrite(block, 1, bytes, file);
}

/* Write the content to "x", in blocks that end after records, as htslib
   does, or anywhere. */
static void
write_file(bool ends_after_records)
{
    FILE *file = fopen("x", "wb");
    size_t next = 0;

    if (file == NULL)
        abort();
    if (is_plain)
        fwrite(bam, 1, bam_bytes, file);
    for (size_t at = is_plain ? bam_bytes : 0; at < bam_bytes;) {
        size_t size = ends_after_records ? BLOCK_MAX : 1 + noise() % BLOCK_MAX;
        if (size > bam_bytes - at)
            size = bam_bytes - at;
        while (next < records && record_at[next] <= at + size)
            next++;
        if (ends_after_records && next > 0 && record_at[next - 1] > at &&
            at + size < bam_bytes)
            size = record_at[next - 1] - at;
        put_block(file, bam + at, size);
        at += size;
    }
    if (!is_plain)
        put_block(file, bam, 0);
    if (fclose(file) != 0)
        abort();
}

static void
make(size_t length_max, bool ends_after_records)
{
    records = 0;
    put_header();
    while (bam_bytes + 2 * length_max + 800 < CONTENT_MAX &&
           records < RECORDS_MAX)
        put_record(length_max);
    write_file(ends_after_records);
}

/* ---- reading ---- */

/* The callback of the content, and what it has skipped. */
static void (*skip)(void *context, size_t size);
static size_t skipped;

static void
count_skipped(void *context, size_t size)
{
    skipped += size;
    skip(context, size);
}

/* Whether CONTENT may be cut where it says, after so many records: RESULT has
   all that was delivered.  *AT is the place of a cut before, after *COUNT. */
static bool
is_cut(const struct content *content, const struct result *result, size_t *at,
       uint64_t *count)
{
    struct sequence_record record = {0};
    struct alignments_cut cut;

    if (!content_find_cut(content, &cut))
        return false;
    const size_t place = result->text_bytes - cut.tail;
    while (*at < place &&
           sequence_find(result->text, (binning_u32)result->text_bytes,
                         (binning_u32)*at, true, &record) == SEQUENCE_RECORD) {
        *at = record.next;
        ++*count;
    }
    return *at == place && *count == cut.records;
}

/* Read "x" with HELPERS, up to STEP bytes at a time, to the end or up to
   MOST bytes, and release all of it. */
static void
read_all(unsigned int helpers, size_t step,
         const struct alignment_choice *choice, size_t most,
         struct result *result)
{
    const struct reading reading = {.read_bytes = UINT64_MAX};
    struct content content = {.source = {.path = "x", .display_name = "x"}};
    struct decoder *spare = NULL;
    struct budget budget;
    ssize_t size = 0;
    size_t cut_at = 0;
    uint64_t cut_records = 0;

    budget_open(&budget, BUDGET_BYTES);
    budget_return_helpers(&budget, helpers);
    if (content_open(&content, &reading, &budget, &spare) < 0 ||
        content_open_alignments(&content, kind, choice, SIZE_MAX, malloc(1),
                                0) < 0)
        abort();
    content.source.size += bytes_less;
    skipped = 0;
    skip = content.pages.sets.skip;
    content.pages.sets.skip = count_skipped;
    result->text_bytes = 0;
    result->wrong_cuts = 0;
    do {
        result->text_bytes += (size_t)size;
        if (!is_cut(&content, result, &cut_at, &cut_records))
            result->wrong_cuts++;
        size_t room = most - result->text_bytes;
        size = content_read(&content, result->text + result->text_bytes,
                            room < step ? room : step);
    } while (size > 0);
    result->skipped = skipped;
    snprintf(result->message, sizeof result->message, "%s",
             size < 0 ? content.source.error.text : "");
    content_free(&content);
    if (budget.left != BUDGET_BYTES || budget.helpers != helpers)
        abort();
    budget_close(&budget);
}

static bool
is_same(void)
{
    return strcmp(wanted.message, got.message) == 0 &&
           (got.message[0] != '\0' ||
            (wanted.text_bytes == got.text_bytes &&
             memcmp(wanted.text, got.text, got.text_bytes) == 0));
}

static const struct alignment_choice choices[] = {
    {.has_bases = true},
    {.has_bases = true, .words = ALL_WORDS, .has_all = true},
    {.words = 1u << ALIGNMENT_WORD_OUT_OF_ORDER | 1u << ALIGNMENT_WORD_FLAG},
    {.words = ALL_WORDS, .has_references = true, .has_all = true},
};

static void
test_text(const char *name, size_t least)
{
    static const size_t steps[] = {977, 65536, TEXT_MAX};

    /* The others differ in what is written, not in who writes it. */
    for (size_t c = LOOKS_FOR_RACES; c < sizeof choices / sizeof *choices;
         c += LOOKS_FOR_RACES ? 2 : 1) {
        read_all(0, TEXT_MAX, &choices[c], TEXT_MAX, &wanted);
        ok(wanted.message[0] == '\0' && wanted.skipped == 0 &&
               wanted.wrong_cuts == 0,
           "%s: the text of choice %zu", name, c);
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            if (!has_turn(IS_INSTRUMENTED ? 5 : 2))
                continue;
            const unsigned int helpers = s % 2 == 0 ? HELPERS : 1;
            read_all(helpers, steps[s], &choices[c], TEXT_MAX, &got);
            ok(is_same() && got.wrong_cuts == 0 && got.skipped >= least,
               "... by %u helpers, which write that of %zu bytes of %zu",
               helpers, got.skipped, bam_bytes);
        }
    }
}

/* The content is left in a page, and at other places. */
static void
test_leaving(void)
{
    const size_t all = wanted.text_bytes;

    for (size_t i = 0; i < 4; i++) {
        const size_t most = all / 5 * (i + 1) + i;
        if (!has_turn(3))
            continue;
        read_all(HELPERS, TEXT_MAX, &choices[3], most, &got);
        ok(got.message[0] == '\0' && got.text_bytes == most &&
               memcmp(wanted.text, got.text, most) == 0,
           "the first %zu bytes of text", most);
    }
}

/* Change a byte of a record far behind. */
static void
test_damage(void)
{
    static const size_t places[] = {0, 3, 4, 7, 12, 20, 23, 24, 27, 36, 38};

    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const size_t at = record_at[records * 3 / 4 + i * 7] + places[i];
        if (!has_turn(IS_INSTRUMENTED ? 7 : 3))
            continue;
        bam[at] ^= 0x81;
        write_file(i % 2 == 0);
        read_all(0, TEXT_MAX, &choices[1], TEXT_MAX, &wanted);
        read_all(HELPERS, 100000, &choices[1], TEXT_MAX, &got);
        ok(is_same() && got.skipped > 0, "byte %zu of a record: %s", places[i],
           wanted.message);
        bam[at] ^= 0x81;
    }
    const size_t bytes = bam_bytes;
    for (size_t i = 0; i < 5; i++) {
        if (!has_turn(IS_INSTRUMENTED ? 3 : 2))
            continue;
        bam_bytes = record_at[records - 4] + 10 * i;
        write_file(i % 2 == 0);
        read_all(0, TEXT_MAX, &choices[1], TEXT_MAX, &wanted);
        read_all(HELPERS, 100000, &choices[1], TEXT_MAX, &got);
        ok(is_same() && got.skipped > 0, "cut %zu bytes in a record: %s",
           10 * i, wanted.message);
        bam_bytes = bytes;
    }
}

/* Put BYTE at a place of a line far behind. */
static void
test_line(size_t place, char byte)
{
    const size_t at = record_at[records * 3 / 4] + place;
    const unsigned char before = bam[at];

    if (!has_turn(IS_INSTRUMENTED ? 5 : 2))
        return;
    bam[at] = (unsigned char)byte;
    write_file(false);
    read_all(0, TEXT_MAX, &choices[1], TEXT_MAX, &wanted);
    read_all(HELPERS, 100000, &choices[1], TEXT_MAX, &got);
    ok(is_same() && got.skipped > 0, "byte %d at %zu of a line: %s", byte,
       place, wanted.message);
    bam[at] = before;
}

static void
test_lines(void)
{
    test_line(0, '@');
    test_line(0, '\n');
    test_line(0, '\r');
    test_line(1, '\n');
    test_line(2, '\t');
    test_line(record_at[1] - record_at[0] - 1, 'x');
}

/* A plain file has changed since it was opened. */
static void
test_sizes(void)
{
    static const off_t changes[] = {1, -1, 700000, -1500000, 3000000};

    read_all(0, TEXT_MAX, &choices[1], TEXT_MAX, &wanted);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        if (!has_turn(2))
            continue;
        bytes_less = changes[i];
        read_all(HELPERS, 100000, &choices[1], TEXT_MAX, &got);
        ok(is_same() && got.skipped > 0, "a file with %ld bytes less",
           (long)bytes_less);
    }
    bytes_less = 0;
}

static void
test_sam(void)
{
    kind = ALIGNMENT_SAM;
    for (int i = 0; i < 2; i++) {
        is_plain = i > 0;
        make(20000, false);
        test_text(is_plain ? "long reads, plain" : "long reads of SAM",
                  CONTENT_MAX / 4);
        /* Where many lines are packed, helpers come too late. */
        make(is_plain ? 1 : 100, false);
        test_text("short reads", CONTENT_MAX / 5);
        make(200, false);
        test_text("reads of SAM", CONTENT_MAX / 3);
        test_leaving();
        if (is_plain)
            test_sizes();
        test_lines();
        test_damage();
    }
}

int
main(void)
{
    scratch_open();
    make(20000, false);
    test_text("long reads", CONTENT_MAX / 2);
    make(1, true);
    test_text("no bases", CONTENT_MAX / 6);
    make(200, true);
    test_text("blocks of records", CONTENT_MAX / 5 * 3);
    test_leaving();
    make(200, false);
    test_text("blocks that end anywhere", CONTENT_MAX / 5 * 3);
    test_damage();
    test_sam();
    return done_testing();
}
