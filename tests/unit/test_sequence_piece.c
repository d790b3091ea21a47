/* SPDX-License-Identifier: MIT */
/*
 * test_sequence_piece.c -- pieces of a record of FASTA have its windows once
 *
 * Odd records are cut at every two offsets.  With what precedes them, the
 * pieces have the windows and the name of the whole, wherever they are cut, and
 * so they do if what is before a piece is known only after it was looked at.
 */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "kernels/seq/kmer.h"
#include "kernels/seq/sequence.h"
#include "seq/sequence_cut.h"
#include "seq/sequence_piece.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define DATA_MAX 512
#define WINDOWS_MAX 256

static const char long_name[] =
    ">aaaaaaaaabbbbbbbbbccccccccccdddddddddeeeeeeeeeffffffffffggggggggghhhhhhhh"
    "hhiiiiiiiiiiiiiiii of many\nACGTAACCGGTT\nACG\n";

static const char *const records[] = {
    ">",
    ">\n",
    ">a",
    "> a\nAC",
    ">a b\nACGTNACGTT\nGGCA\n",
    ">a\tb\r\nACGT\r\n\r\nNNCA \tC\r\nA\n",
    ">a\nA\nC\nG\n\n \n\nT\nA\nC\nA\n>b\nACG\nT\n>\nGG>",
    ">a\n >\nACGT>AC\n",
    ">a\n>b\nACGTACGT\n>c\n\n\n",
    ">a\nAC1GT\nAC",
    ">*\n*-.acgtnACGTNNNNNNNNNNNNN\nTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTTA\n",
    long_name,
};

/* The windows of some data, each with its bases and its record's name. */
struct windows {
    char text[WINDOWS_MAX][SEQUENCE_PIECE_NAME + 1 + KMER_MAX + 1];
    size_t count;
    char error[200]; /* the byte and its record, or nothing */
};

static void
add_record(struct windows *windows, const unsigned char *data,
           const struct sequence_record *record, unsigned int k)
{
    char bases[DATA_MAX];
    size_t length = 0;
    int name = (int)(record->name_end - record->start - 1);

    for (size_t i = record->bases_start; i < record->bases_end; i++) {
        if (sequence_is_base(data[i]))
            bases[length++] = (char)data[i];
    }
    name = name < SEQUENCE_PIECE_NAME ? name : SEQUENCE_PIECE_NAME;
    for (size_t i = 0; i + k <= length; i++)
        snprintf(windows->text[windows->count++], sizeof windows->text[0],
                 "%.*s %.*s", name, data + record->start + 1, (int)k,
                 bases + i);
}

/* Add the windows of the SIZE bytes at DATA. */
static void
add_windows(struct windows *windows, const unsigned char *data, size_t size,
            unsigned int k)
{
    struct sequence_record record;
    enum sequence_found found;

    for (uint32_t at = 0;; at = record.next) {
        found = sequence_find(data, (uint32_t)size, at, true, &record);
        if (found != SEQUENCE_RECORD)
            break;
        add_record(windows, data, &record, k);
    }
    if (found != SEQUENCE_NONE && *windows->error == '\0')
        snprintf(windows->error, sizeof windows->error, "%c of %.*s",
                 data[record.error], (int)(record.name_end - record.start),
                 data + record.start);
}

static int
compare(const void *left, const void *right)
{
    return strcmp(left, right);
}

/* The last record of DATA, which follow *CUT, goes on: set *PIECE.  Returns
   whether it may be cut. */
static bool
pass(struct sequence_cut *cut, struct sequence_piece *piece,
     const unsigned char *data, size_t size, unsigned int k)
{
    size_t start = cut->place == SEQUENCE_AT_START ? 0 : SIZE_MAX;
    struct text_ends ends = sequence_cut_find(cut, data, size, false, NULL);

    if (!sequence_cut_is_fasta(cut))
        return false;
    sequence_piece_pass(piece, cut->place, ends.has_any ? ends.last : start,
                        data, size, k - 1);
    return true;
}

/* Whether PIECE, after data that follow BEFORE, would be the same if they had
   been looked at before. */
static bool
joins(const struct sequence_piece *before, const struct sequence_piece *piece,
      const unsigned char *data, size_t size, unsigned int k)
{
    struct sequence_piece other = sequence_piece_unknown();
    struct sequence_cut cut = {.place = SEQUENCE_IN_LINE};
    unsigned char wanted[SEQUENCE_PREFACE_BYTES];
    unsigned char preface[SEQUENCE_PREFACE_BYTES];

    if (size == 0 || before->place == SEQUENCE_IN_NAME ||
        (before->place == SEQUENCE_AT_LINE && sequence_is_start(data[0])))
        return true;
    if (!pass(&cut, &other, data, size, k))
        return false;
    sequence_piece_join(before, &other, k - 1);
    sequence_piece_put_preface(piece, wanted);
    sequence_piece_put_preface(&other, preface);
    return memcmp(preface, wanted, sizeof wanted) == 0;
}

/* Whether TEXT, cut at FIRST and SECOND, has the windows that are WANTED. */
static bool
is_right(const char *text, size_t first, size_t second, unsigned int k,
         const struct windows *wanted)
{
    const unsigned char *data = (const unsigned char *)text;
    const size_t edges[] = {0, first, second, strlen(text)};
    static struct windows windows;
    struct sequence_cut cut = {0};
    struct sequence_piece piece = {0};
    bool is_piece = false;

    windows.count = 0;
    *windows.error = '\0';
    for (size_t i = 0; i < 3; i++) {
        unsigned char bytes[SEQUENCE_PREFACE_BYTES + DATA_MAX];
        struct sequence_piece before = piece;
        size_t size = edges[i + 1] - edges[i];
        memset(bytes, '\n', SEQUENCE_PREFACE_BYTES);
        if (is_piece)
            sequence_piece_put_preface(&piece, bytes);
        memcpy(bytes + SEQUENCE_PREFACE_BYTES, data + edges[i], size);
        add_windows(&windows, bytes, SEQUENCE_PREFACE_BYTES + size, k);
        bool was_piece = is_piece;
        is_piece = pass(&cut, &piece, data + edges[i], size, k);
        if (is_piece && was_piece &&
            !joins(&before, &piece, data + edges[i], size, k))
            return false;
    }
    qsort(windows.text, windows.count, sizeof windows.text[0], compare);
    if (strcmp(windows.error, wanted->error) != 0)
        return false;
    if (*wanted->error != '\0')
        return true; /* behind it, there is no meaning */
    if (windows.count != wanted->count)
        return false;
    for (size_t i = 0; i < wanted->count; i++) {
        if (strcmp(windows.text[i], wanted->text[i]) != 0)
            return false;
    }
    return true;
}

int
main(void)
{
    static const unsigned int lengths[] = {1, 2, 4, 9, 32};
    static struct windows wanted;

    for (size_t r = 0; r < COUNT(records); r++) {
        const char *text = records[r];
        size_t size = strlen(text);
        size_t wrong = 0;
        for (size_t l = 0; l < COUNT(lengths); l++) {
            unsigned int k = lengths[l];
            wanted.count = 0;
            *wanted.error = '\0';
            add_windows(&wanted, (const unsigned char *)text, size, k);
            qsort(wanted.text, wanted.count, sizeof wanted.text[0], compare);
            for (size_t first = 0; first <= size; first++) {
                for (size_t second = first; second <= size; second++)
                    wrong += !is_right(text, first, second, k, &wanted);
            }
        }
        ok(wrong == 0, "record %zu in pieces (%zu wrong)", r, wrong);
    }
    return done_testing();
}
