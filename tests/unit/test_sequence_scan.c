/* SPDX-License-Identifier: MIT */
/*
 * test_sequence_scan.c -- records of FASTA and FASTQ: examples, and odd data
 * beside another way to find them
 *
 * The data lie between two pages that must not be touched.
 */

#include <stdio.h>
#include <unistd.h>

#include "../arena.h"
#include "../noise.h"
#include "../sequence_check.h"
#include "../tap.h"
#include "seq/sequence_join.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)1 << 16)
#define ROUNDS (IS_INSTRUMENTED ? 2000 : 20000)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *arena;

/* ---- examples ---- */

/*
 * What a scan finds: a record is name:bases, and for FASTQ :quality.  After the
 * last one, "." is the end, "more" more, and errors have their offsets.
 */
static const struct {
    const char *data;
    const char *found;
    const char *cut; /* the same if more may follow */
} examples[] = {
    {"", ".", "."},
    {"\n \t\r\n", ".", "."},
    {">a b\nAC\nGT\n", "a:ACGT .", "more"},
    {">a\r\nAC\r\n\r\nG T\r\n>\n@b\nN\n+\nI\n", "a:ACGT : b:N:I .",
     "a:ACGT : b:N:I ."},
    {">", ": .", "more"},
    {">a\n>b", "a: b: .", "a: more"},
    {"@a\nAC\n+\nII\n", "a:AC:II .", "a:AC:II ."},
    {"@a\nAC\n+\nII", "a:AC:II .", "more"},
    {"@a\nAC\nG\n+a\n@+\n>\n\n@b\n\n+\n\n", "a:ACG:@+> b:: .",
     "a:ACG:@+> b:: ."},
    {"@a\n\n+", "a:: .", "more"},
    {"@a\n+\n", "a:: .", "more"},
    {"@a\n*-.\n+\n+\n@@\n", "a:*-.:+@@ .", "a:*-.:+@@ ."},
    {"@a\r\nAC\r\n+\r\nI\r\r\n", "a:AC:I\r .", "a:AC:I\r ."},
    {"@a\nAC\n+\n\nII\n>b\n", "a:AC:II b: .", "a:AC:II more"},
    {"@a\nAC\n+\nI\n\r\r", "a:AC:I\r .", "more"},
    /* Errors. */
    {"a\n", "start@0", "start@0"},
    {" >a\n", "start@1", "start@1"},
    {"@a\nA\n+\nI\nI\n", "a:A:I start@9", "a:A:I start@9"},
    {">a\nA5\n", "base@4", "base@4"},
    {">a\nA\n+\n", "base@5", "base@5"},
    {">a\nA>C\n", "base@4", "base@4"},
    {"@a\nAC", "plus@0", "more"},
    {"@a\nAC\n@b\n", "plus@0", "plus@0"},
    {"@a\nAC\n>b\n", "plus@0", "plus@0"},
    {">b\nA\n@a\nAC\n+\nI\n", "b:A size@5", "b:A more"},
    {"@a\nAC\n+\nIII\n", "size@0", "size@0"},
    {"@a\nAC\n+\nIII", "size@0", "more"},
    {"@a\nAC\n+\nI\nII\n", "size@0", "size@0"},
    {"@a\nAC\n+\nI\r", "size@0", "more"},
    {"@a\nAC\n+\n", "size@0", "more"},
    {"@a\nAC\n+", "size@0", "more"},
};

static char *
put(char *at, const void *text, size_t size)
{
    memcpy(at, text, size);
    return at + size;
}

/* Scan TEXT, and write at FOUND what is found. */
static void
describe(const char *text, bool is_end, char *found)
{
    static const char *const ends[] = {
        [SEQUENCE_NONE] = ".",         [SEQUENCE_MORE] = "more",
        [SEQUENCE_NO_START] = "start", [SEQUENCE_NO_BASE] = "base",
        [SEQUENCE_NO_PLUS] = "plus",   [SEQUENCE_OTHER_SIZE] = "size",
    };
    unsigned char data[80];
    struct sequence_record record[8];
    struct sequence_record tail;
    enum sequence_found end;
    size_t done = 0;

    memcpy(data, text, strlen(text));
    size_t count = sequence_scan(data, strlen(text), &done, is_end, record,
                                 COUNT(record), &end, &tail);
    for (size_t i = 0; i < count; i++) {
        struct sequence_record *r = &record[i];
        sequence_join(data, r);
        found = put(found, data + r->start + 1, r->name_end - r->start - 1);
        found = put(found, ":", 1);
        found = put(found, data + r->bases_start, r->length);
        if (r->quality_end > 0) {
            found = put(found, ":", 1);
            found = put(found, data + r->quality_start, r->length);
        }
        found = put(found, " ", 1);
    }
    if (end > SEQUENCE_MORE)
        sprintf(found, "%s@%u", ends[end], tail.error);
    else
        strcpy(found, ends[end]);
}

static void
test_examples(void)
{
    for (size_t e = 0; e < COUNT(examples); e++) {
        char whole[256];
        char cut[256];
        describe(examples[e].data, true, whole);
        describe(examples[e].data, false, cut);
        ok(strcmp(whole, examples[e].found) == 0 &&
               strcmp(cut, examples[e].cut) == 0,
           "example %zu: %s", e, whole);
    }
}

/* ---- data of all kinds ---- */

/* A run of bytes, mostly of one kind. */
static size_t
put_noise(unsigned char *at, size_t most)
{
    static const char *const kinds[] = {
        "A",    "ACGTN", "acgtn*-.", "I5#",       "@>+",   " \t\r",       "\n",
        "\r\n", "@>+\n", "ACGT\n",   "ACGT \r\n", "I\r\n", "Z[`az{@*,/:",
    };
    const char *kind = kinds[noise() % COUNT(kinds)];
    size_t length = strlen(kind);
    size_t size = (size_t)(noise() % (noise() % 4 == 0 ? 150 : 5)) + 1;

    size = size < most ? size : most;
    for (size_t i = 0; i < size; i++)
        at[i] = (unsigned char)kind[noise() % length];
    if (noise() % 64 == 0)
        at[noise() % size] = (unsigned char)noise();
    return size;
}

/* SIZE bytes from ALPHABET, with line ends; IS_BASES: lines do not start with
   what ends them.  Returns the bytes. */
static size_t
put_lines(unsigned char *at, const char *alphabet, size_t size, size_t line)
{
    size_t letters = strlen(alphabet);
    size_t bytes = 0;

    for (size_t i = 0; i < size; i++) {
        at[bytes++] = (unsigned char)alphabet[noise() % letters];
        if (line > 0 && i % line == line - 1 && i + 1 < size)
            at[bytes++] = '\n';
    }
    return bytes;
}

static size_t
put_text(unsigned char *at, const char *text)
{
    memcpy(at, text, strlen(text));
    return strlen(text);
}

/* A record, with lines of LINE bases, or one, and as many qualities. */
static size_t
put_record(unsigned char *at, size_t length, size_t line)
{
    const char *end = noise() % 8 == 0 ? "\r\n" : "\n";
    bool is_fastq = noise() % 4 != 0;
    size_t size = put_text(at, is_fastq ? "@" : ">");

    size += put_lines(at + size, "name1:", (size_t)(noise() % 80), 0);
    size += put_text(at + size, noise() % 2 == 0 ? "" : " length=1");
    size += put_text(at + size, end);
    size += put_lines(at + size, noise() % 8 == 0 ? "ACGTacgtN*.-" : "ACGT",
                      length, line);
    size += put_text(at + size, end);
    if (!is_fastq)
        return size;
    size += put_text(at + size, noise() % 8 == 0 ? "+name" : "+");
    size += put_text(at + size, end);
    size += put_lines(at + size, noise() % 8 == 0 ? "@+>I\r" : "I5#", length,
                      noise() % 4 == 0 ? line / 2 : line);
    return size + put_text(at + size, end);
}

/* Fill DATA with up to SIZE bytes; returns how many. */
static size_t
fill(unsigned char *data, size_t size)
{
    bool is_wild = noise() % 4 == 0;
    size_t length = (size_t)(noise() % (noise() % 4 == 0 ? 400 : 20));
    size_t bytes = 0;

    while (size - bytes >= 1500) {
        if (is_wild && noise() % 4 != 0) {
            bytes += put_noise(data + bytes, size - bytes);
            continue;
        }
        if (noise() % 4 == 0)
            length = (size_t)(noise() % 300);
        bytes += put_record(data + bytes, length,
                            noise() % 4 == 0 ? noise() % 90 : 0);
    }
    /* Maybe a fault. */
    if (noise() % 4 == 0)
        data[noise() % bytes] = (unsigned char)"\n\r @>+A5"[noise() % 8];
    return bytes;
}

static void
report(const unsigned char *data, size_t size, const char *wrong)
{
    printf("# %s\n", wrong);
    for (size_t i = 0; i < size; i++)
        printf(data[i] == '\n'   ? "\\n"
               : data[i] == '\r' ? "\\r"
                                 : "%c",
               data[i]);
    printf("\n");
}

static void
test_noise(void)
{
    static unsigned char data[8192];
    const char *wrong = NULL;

    for (int i = 0; i < ROUNDS && wrong == NULL; i++) {
        bool is_end = noise() % 2 == 0;
        size_t most = noise() % 2 == 0 ? SIZE_MAX : (size_t)(noise() % 5 + 1);
        size_t size = fill(data, noise() % 4 == 0 ? sizeof data : 2000);
        if (noise() % 2 == 0)
            size = (size_t)(noise() % (size + 1));
        unsigned char *last = arena + ARENA_BYTES - size;
        memcpy(last, data, size);
        wrong = sequence_check_scan(last, size, is_end, most);
        memcpy(arena, data, size);
        if (wrong == NULL)
            wrong = sequence_check_scan(arena, size, is_end, most);
        if (wrong != NULL)
            report(data, size, wrong);
    }
    ok(wrong == NULL, "random data");
}

/*
 * What is found while more may follow stays: a scan of each prefix, and one
 * from where it ended, find what one scan of all finds.
 */
static void
test_prefixes(void)
{
    static unsigned char data[2500];
    bool is_right = true;

    for (int i = 0; i < ROUNDS / 200 && is_right; i++) {
        struct sequence_record all[1000];
        struct sequence_record some[1000];
        struct sequence_record tail;
        struct sequence_record early;
        enum sequence_found end;
        enum sequence_found found;
        size_t size = fill(data, sizeof data);
        size_t whole = 0;
        size_t count = sequence_scan(data, size, &whole, true, all, COUNT(all),
                                     &end, &tail);
        for (size_t cut = 0; cut <= size && is_right; cut++) {
            unsigned char *last = arena + ARENA_BYTES - cut;
            size_t done = 0;
            memcpy(last, data, cut);
            size_t first = sequence_scan(last, cut, &done, false, some,
                                         COUNT(some), &found, &early);
            if (found > SEQUENCE_MORE) {
                is_right = found == end && early.error == tail.error &&
                           early.start == tail.start && first == count;
                continue;
            }
            size_t more = sequence_scan(data, size, &done, true, some + first,
                                        COUNT(some) - first, &found, &early);
            is_right = first + more == count && found == end && done == whole &&
                       memcmp(some, all, count * sizeof *all) == 0;
        }
    }
    ok(is_right, "each prefix");
    if (!is_right)
        report(data, sizeof data, "a prefix");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    test_examples();
    test_noise();
    test_prefixes();
    return done_testing();
}
