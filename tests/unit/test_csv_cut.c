/* SPDX-License-Identifier: MIT */
/*
 * test_csv_cut.c -- data of CSV are cut at the ends of records only
 *
 * Random data of few bytes, so that quotes stand in all places.  Each form must
 * find the end of the last record that kernels/text/fields.h finds, also if the data
 * end where the memory does, or start inside of quotes.
 */

#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../csv_cut_check.h"
#include "../noise.h"
#include "../tap.h"
#include "text/csv_cut.h"

#define ARENA_BYTES ((size_t)1 << 16)

/* Set the mark of comments of FORMAT. */
static void
set_mark(struct text_format *format, const char *mark)
{
    if (mark[0] == '\0')
        return;
    format->comment = (unsigned char)mark[0];
    format->comment_more = (uint32_t)strlen(mark) - 1;
    memcpy(format->comment_rest, mark + 1, format->comment_more);
}

/* Whether FORM cuts all kinds of data right. */
static bool
is_right(size_t form, const char *alphabet, size_t alphabet_bytes,
         const char *mark, unsigned char *arena)
{
    struct text_format format = text_format_of(TEXT_CSV);

    set_mark(&format, mark);
    for (int round = 0; round < rounds_of(3000); round++) {
        size_t size = noise() % (noise() % 4 == 0 ? 1600 : 400);
        unsigned char *data = arena + ARENA_BYTES - size;
        struct csv_cut cut = {.format = &format};
        /* Many bytes without quotes, perhaps without ends, pass together. */
        bool has_ends = noise() % 2 == 0;
        size_t plain = noise() % (size + 1);
        size_t plain_end = plain + noise() % (size - plain + 1);
        for (size_t i = 0; i < size; i++) {
            data[i] = (unsigned char)alphabet[noise() % alphabet_bytes];
            if (i >= plain && i < plain_end &&
                (data[i] == '"' || (data[i] == '\n' && !has_ends)))
                data[i] = (unsigned char)alphabet[0];
        }
        csv_cut_forms[form].run(&cut, data, (uint32_t)size);
        if (cut.done != csv_cut_reference(&format, data, size))
            return false;
        cut = (struct csv_cut){.format = &format, .state = CSV_INSIDE};
        csv_cut_forms[form].run(&cut, data, (uint32_t)size);
        if (cut.done != csv_cut_reference_inside(&format, data, size))
            return false;
    }
    return true;
}

/*
 * Whether data may be cut anywhere after an end byte: where the records of the
 * whole end is told by the two pieces, of which the second one is inside of
 * quotes if the first one has no end there.
 */
static bool
is_right_in_pieces(const char *alphabet, size_t alphabet_bytes,
                   const char *mark)
{
    struct text_format format = text_format_of(TEXT_CSV);
    unsigned char data[400];

    set_mark(&format, mark);
    for (int round = 0; round < rounds_of(500); round++) {
        size_t size = noise() % sizeof data;
        for (size_t i = 0; i < size; i++)
            data[i] = (unsigned char)alphabet[noise() % alphabet_bytes];
        size_t wanted = csv_cut_find(&format, false, data, size);
        for (size_t at = 1; at <= size; at++) {
            if (data[at - 1] != '\n')
                continue;
            size_t left = size - at;
            size_t done = csv_cut_find(&format, false, data, at);
            bool is_inside = done < at;
            size_t more = csv_cut_find(&format, is_inside, data + at, left);
            size_t first = csv_cut_first(&format, is_inside, data + at, left);
            if ((more > 0 ? at + more : done) != wanted ||
                (first == 0) != (more == 0) ||
                (first > 0 &&
                 at + first != done + csv_cut_first(&format, false, data + done,
                                                    size - done)))
                return false;
        }
    }
    return true;
}

/* Whether a quote that is open is found where it is. */
static bool
finds_quote(const char *text, size_t wanted)
{
    struct text_format format = text_format_of(TEXT_CSV);
    size_t at = SIZE_MAX;
    bool is_open = csv_cut_is_open(&format, (const unsigned char *)text,
                                   strlen(text), &at);

    return is_open ? at == wanted : wanted == SIZE_MAX;
}

int
main(void)
{
    static const struct {
        const char *bytes;
        const char *mark;
    } alphabets[] = {
        {"ab\",\n", ""},
        {"abcdefghijklmnop,\n", ""},
        {"abcdefghijklmnop,,,\"\n", ""},
        {"\"\n", ""},
        {",\"", ""},
        {"aa#\",\n", "#"},
        {"abcdefgh,\n\"", "a"},
        {"aa#\",\n", "##"},
        {"aa,\",\n", "a,a"},
        {"a,\",,\n", ",,"},
        {"ab\n\"", "aab"},
    };
    unsigned char *arena = arena_open(ARENA_BYTES);

    for (size_t f = 0; f < CSV_CUT_FORMS; f++) {
        for (size_t a = 0; a < sizeof alphabets / sizeof *alphabets; a++) {
            const char *bytes = alphabets[a].bytes;
            if (!csv_cut_is_possible(f))
                continue;
            ok(is_right(f, bytes, strlen(bytes), alphabets[a].mark, arena),
               "%s, alphabet %zu", csv_cut_forms[f].name, a);
        }
    }
    for (size_t a = 0; a < sizeof alphabets / sizeof *alphabets; a++)
        ok(is_right_in_pieces(alphabets[a].bytes, strlen(alphabets[a].bytes),
                              alphabets[a].mark),
           "in two pieces, alphabet %zu", a);
    ok(finds_quote("a,\"b\n", 2), "an open quote");
    ok(finds_quote("\"a\"\",\"\"b", 0), "... with quotes inside");
    ok(finds_quote("\"a\",\"\"\"b", 4), "... the second one");
    ok(finds_quote("\"a\",b\"c", SIZE_MAX), "none in the middle of a field");
    ok(finds_quote("", SIZE_MAX), "none in no data");
    return done_testing();
}
