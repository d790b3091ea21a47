/* SPDX-License-Identifier: MIT */
/*
 * test_sequence_cut.c -- data of FASTA and FASTQ are cut at records only
 *
 * Odd files, and random data of the bytes that matter.  sequence_find() tells
 * where the records of the whole are.  Whatever the pieces of the data, their
 * ends must be these, up to the first error, and nothing is broken before it.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "kernels/seq/sequence.h"
#include "seq/sequence_cut.h"
#include "text/scan_forms.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define ARENA_BYTES ((size_t)1 << 16)
#define DATA_MAX 250

static const char *const files[] = {
    "@a\nACGT\n+\nIIII\n@b c\nAC\n+b\nII\n",
    "@a\r\nACGT\r\n+\r\nIIII\r\n\r\n@b\r\nA\r\n+\r\nI\r\n",
    "@a\nAC\nGT\n+\n@I\n>I\n@b\nACGT\nA\n+\n+III\n@\n@c\nA\n+\n@\n",
    "@a\n\n+\n\n@b\n+\n\n\n\n@c\nA\n+\nI",
    "@a\nACGT\n+\n@+>I\n@b\nACG\n+@\n>+@\n",
    ">a\nACGT\nAC\n\nG\n>b\n>c d\nacgtn\n@d\nAC\n+\n>@\n>e\nA",
    "\n \t\r\n>a\n  \nA C\tG\r\n\n \n>b\n*-.\n",
    "@a\nA C\n G\n+\nI\r\nI\nI\n>b\nA\n@c\nA\n+\n\r\nI\n",
    "@a\nACGT\n+\nII\n\n\nII\n@b\n\r\n+\n\r\n@c\nA\n+\n\r\r\n",
    "@a\nACGT\n+\nIIIII\n@b\nA\n+\nI\n",
    "@a\nACGT\n@b\nA\n+\nI\n",
    ">a\nAC1T\n@b\nA\n+\nI\n",
    ">a\nACGT\n@b\nA\n+\nIII\n>c\nA\n",
    "x\n>a\nACGT\n",
    " >a\nACGT\n",
    "@a\nA T\n+\nIII\n@b\nA\n+\nI\n",
    "\n\n\n",
    "",
};

/* Random files of four lines, but for some bytes of ALPHABET. */
static size_t
make_data(const char *alphabet, unsigned char *data)
{
    size_t letters = strlen(alphabet);
    size_t size = 0;

    if (noise() % 2 == 0) {
        size = noise() % DATA_MAX;
        for (size_t i = 0; i < size; i++)
            data[i] = (unsigned char)alphabet[noise() % letters];
        return size;
    }
    while (size < DATA_MAX - 100) {
        size_t bases = noise() % 9;
        bool is_fasta = noise() % 4 == 0;
        data[size++] = is_fasta ? '>' : '@';
        data[size++] = 'n';
        data[size++] = '\n';
        for (size_t i = 0; i < bases; i++) {
            data[size++] = (unsigned char)"ACGT"[noise() % 4];
            if (noise() % 5 == 0)
                data[size++] = '\n';
        }
        if (data[size - 1] != '\n')
            data[size++] = '\n';
        if (is_fasta)
            continue;
        data[size++] = '+';
        data[size++] = '\n';
        for (size_t i = 0; i < bases; i++) {
            data[size++] = (unsigned char)"@>+I"[noise() % 4];
            if (noise() % 5 == 0)
                data[size++] = '\n';
        }
        if (bases == 0 || data[size - 1] != '\n')
            data[size++] = '\n';
    }
    if (noise() % 3 == 0)
        data[noise() % size] = (unsigned char)alphabet[noise() % letters];
    return size - noise() % 3;
}

/* Offsets where a record or a line of blanks before one may be cut off. */
struct cuts {
    bool is_end[DATA_MAX + 1];
    bool is_start[DATA_MAX + 1]; /* of a record */
    size_t broken; /* the record with the first error, or SIZE_MAX */
    enum sequence_found found; /* this error */
};

static struct cuts
find_cuts(const unsigned char *data, size_t size)
{
    struct cuts cuts = {.broken = SIZE_MAX};
    struct sequence_record record;
    uint32_t at = 0;

    for (;;) {
        enum sequence_found found =
            sequence_find(data, (uint32_t)size, at, false, &record);
        for (; at < record.start; at++)
            cuts.is_end[at + 1] = data[at] == '\n';
        cuts.is_start[record.start] =
            found != SEQUENCE_NONE && found != SEQUENCE_NO_START;
        if (found == SEQUENCE_NONE || found == SEQUENCE_MORE)
            return cuts;
        if (found != SEQUENCE_RECORD) {
            cuts.broken = record.start;
            cuts.found = found;
            return cuts;
        }
        at = record.next;
        cuts.is_end[at] = true;
    }
}

/* Whether ENDS, of the data from AT to END, are those of CUTS. */
static bool
are_ends(const struct cuts *cuts, size_t at, size_t end, bool was_open,
         const struct text_ends *ends)
{
    size_t first = SIZE_MAX;
    size_t last = 0;

    /* At AT it may be told only by what follows. */
    for (size_t i = was_open ? at : at + 1; i <= end; i++) {
        if (!cuts->is_end[i] || i > cuts->broken)
            continue;
        first = first == SIZE_MAX ? i : first;
        last = i;
    }
    if (cuts->broken < end)
        /* Ends behind the error have no meaning. */
        return first == SIZE_MAX ||
               (ends->has_any && at + ends->first == first);
    return ends->has_any == (first != SIZE_MAX) &&
           (!ends->has_any ||
            (at + ends->first == first && at + ends->last == last));
}

/* Whether the data may be cut at FIRST and SECOND. */
static bool
is_right_in_pieces(const struct cuts *cuts, const unsigned char *data,
                   size_t size, size_t first, size_t second)
{
    const size_t edges[] = {0, first, second, size};
    struct sequence_cut cut = {0};

    for (size_t i = 0; i < 3; i++) {
        size_t at = edges[i];
        size_t end = edges[i + 1];
        bool was_open = cut.place != SEQUENCE_AT_START;
        bool is_followed = end < size && sequence_is_start(data[end]) &&
                           end > 0 && data[end - 1] == '\n';
        struct text_ends ends =
            sequence_cut_find(&cut, data + at, end - at, is_followed, NULL);
        if (cut.place == SEQUENCE_IN_ERROR)
            return cuts->broken < end;
        for (size_t j = at; j < end && cuts->broken >= end; j++)
            ends.records -= cuts->is_start[j];
        if (ends.records != 0 && cuts->broken >= end)
            return false;
        if (!are_ends(cuts, at, end, was_open, &ends))
            return false;
        if (cuts->broken < end)
            return true;
        if ((cut.place == SEQUENCE_AT_START) != (end == 0 || cuts->is_end[end]))
            return false;
    }
    return true;
}

/* Each place is the first one of a cut, and one in STEP the second one. */
static bool
is_right(const unsigned char *data, size_t size, size_t step)
{
    struct cuts cuts = find_cuts(data, size);
    struct sequence_cut cut = {0};

    /* Those of single bytes are for who counts them. */
    (void)sequence_cut_find(&cut, data, size, false, NULL);
    if ((cuts.found == SEQUENCE_NO_START || cuts.found == SEQUENCE_NO_PLUS) &&
        cut.place != SEQUENCE_IN_ERROR)
        return false;
    for (size_t first = 0; first <= size; first++) {
        for (size_t second = first; second <= size;
             second += 1 + noise() % (2 * step - 1)) {
            if (!is_right_in_pieces(&cuts, data, size, first, second))
                return false;
        }
        size_t end = sequence_cut_first(data, first);
        size_t wanted = 1;
        while (wanted <= first && !cuts.is_end[wanted])
            wanted++;
        /* The end of FASTA is told by the byte behind it. */
        if (cuts.broken >= first && end != (wanted > first ? 0 : wanted) &&
            !(wanted == first && end == 0))
            return false;
    }
    return true;
}

/* Guesses are lines that start with '>' or '@'. */
static bool
may_guess(const unsigned char *data, size_t size)
{
    size_t first = sequence_guess_first(data, size, true);
    size_t other = sequence_guess_first(data, size, false);
    size_t last = sequence_guess_last(data, size);

    return first <= other && other <= size && last <= size &&
           (first == size || sequence_is_start(data[first])) &&
           (other == size ||
            (data[other - 1] == '\n' && sequence_is_start(data[other]))) &&
           (last == 0 ||
            (last < size && last >= other && data[last - 1] == '\n' &&
             sequence_is_start(data[last])));
}

/* In ordinary files, guesses are records. */
static void
test_guesses(void)
{
    static const struct {
        const char *data;
        size_t first;
        size_t last;
    } guesses[] = {
        {"CGT\n>a\nACGT\nACGT\n>b\nACGT\nAC", 4, 17},
        {"ACGT\n+\n@III\n@b\nACGT\n+\nIIII\n@c\n", 12, 12},
        {"@III\n@b\nACGT\n+\n>III\n@c\nACGT\n+\n", 5, 20},
        {"+\n>III\n@b\nAC\nGT\n+\nIIII\n", 7, 7},
        {"+III\n@b\n\n+\n\n@c\n\n", 5, 5},
        {"ACGTACGT\nACGTACGT\nACG", 22, 0},
        {">x\n>y\n@z\n", 9, 0},
    };

    for (size_t i = 0; i < COUNT(guesses); i++) {
        const char *text = guesses[i].data;
        size_t size = strlen(text);
        size_t wanted = guesses[i].first < size ? guesses[i].first : size;
        size_t first =
            sequence_guess_first((const unsigned char *)text, size, false);
        size_t last = sequence_guess_last((const unsigned char *)text, size);
        ok(first == wanted && last == guesses[i].last,
           "guesses in data %zu: %zu, %zu", i, first, last);
    }
}

static const struct {
    const char *name;
    sequence_lines_form *run;
    bool (*is_possible)(void);
} forms[] = {
#ifdef SCAN_HAS_AVX2
    {"AVX2", sequence_lines_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", sequence_lines_avx512, scan_avx512_is_possible},
#endif
    {NULL, NULL, NULL},
};

/* The end of the RECORDS that sequence_find() finds, up to byte MOST. */
static size_t
find_end(const unsigned char *data, size_t size, size_t most, uint64_t *records)
{
    struct sequence_record record;
    uint32_t at = 0;

    while (sequence_find(data, (uint32_t)size, at, false, &record) ==
               SEQUENCE_RECORD &&
           record.next <= most) {
        at = record.next;
        ++*records;
    }
    return at;
}

/* Whether RUN skips records, all if they have four lines. */
static bool
is_right_form(sequence_lines_form *run, unsigned char *arena, bool is_odd)
{
    size_t size = 0;
    unsigned char *data = arena;

    for (size_t records = 1 + noise() % 200; records > 0; records--) {
        size_t bases = noise() % 100;
        size += (size_t)sprintf((char *)data + size, "@%*d\n",
                                (int)(noise() % 60), 1);
        memset(data + size, 'A', bases);
        size += bases;
        size += (size_t)sprintf((char *)data + size,
                                noise() % 3 == 0 ? "\r\n+\r\n" : "\n+x\n");
        memset(data + size, "@>+I"[noise() % 4], bases);
        size += bases;
        data[size++] = '\n';
    }
    if (is_odd && size > 0)
        data[noise() % size] = (unsigned char)"\n@>+A\r"[noise() % 6];
    size -= size > 0 ? noise() % 3 : 0;
    memmove(arena + ARENA_BYTES - size, data, size);
    data = arena + ARENA_BYTES - size;
    uint64_t skipped = 0;
    uint64_t records = 0;
    size_t done = run(data, (uint32_t)size, &skipped);
    size_t wanted = find_end(data, size, is_odd ? done : size, &records);
    struct sequence_record record;
    /* Beyond the first error, records have no meaning. */
    return (done == wanted && skipped == records) ||
           (is_odd && sequence_find(data, (uint32_t)size, (uint32_t)wanted,
                                    false, &record) >= SEQUENCE_NO_START);
}

int
main(void)
{
    static const char *const alphabets[] = {
        "@>+AC\n", "@A+\n", "@A+I\r\n", ">@A \n\t\r", "@>+AAAA\n\n\n",
    };
    unsigned char *arena = arena_open(ARENA_BYTES);

    for (size_t i = 0; i < COUNT(files); i++) {
        size_t size = strlen(files[i]);
        unsigned char *data = arena + ARENA_BYTES - size;
        memcpy(data, files[i], size);
        ok(is_right(data, size, 1) && may_guess(data, size), "file %zu", i);
    }
    for (size_t a = 0; a < COUNT(alphabets); a++) {
        size_t wrong = 0;
        for (int round = 0; round < rounds_of(200); round++) {
            unsigned char bytes[DATA_MAX + 100];
            size_t size = make_data(alphabets[a], bytes);
            unsigned char *data = arena + ARENA_BYTES - size;
            memcpy(data, bytes, size);
            wrong +=
                !is_right(data, size, size / 8 + 1) || !may_guess(data, size);
        }
        ok(wrong == 0, "random data, alphabet %zu (%zu wrong)", a, wrong);
    }
    test_guesses();
    for (size_t f = 0; forms[f].run != NULL; f++) {
        size_t wrong = 0;
        for (int round = 0; round < 400 && forms[f].is_possible(); round++)
            wrong += !is_right_form(forms[f].run, arena, round % 2 != 0);
        ok(wrong == 0, "%s: records of four lines (%zu wrong)", forms[f].name,
           wrong);
    }
    return done_testing();
}
