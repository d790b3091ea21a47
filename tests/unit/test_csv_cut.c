/*
 * test_csv_cut.c -- data of CSV are cut at the ends of records only
 *
 * Random data of few bytes, so that quotes stand in all places.  Each form must
 * find the end of the last record that kernels/fields.h finds, also if the data
 * end where the memory does.
 */

#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "text/csv_cut.h"
#include "text/csv_state.h"
#include "text/scan_forms.h"

#define ARENA_BYTES ((size_t)1 << 16)

static const struct {
    const char *name;
    csv_cut_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} forms[] = {
    {"portable", csv_cut_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", csv_cut_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", csv_cut_avx512, scan_avx512_is_possible},
#endif
};
#define FORMS (sizeof forms / sizeof *forms)

/* The bytes of whole records, by fields.h. */
static size_t
find_cut(const struct text_format *format, const unsigned char *data,
         size_t size)
{
    struct text_record record;
    size_t done = 0;

    while (
        fields_record(format, data, (uint32_t)size, (uint32_t)done, &record) &&
        record.next > record.end && data[record.next - 1] == format->end)
        done = record.next;
    return done;
}

/* Whether FORM cuts all kinds of data right. */
static bool
is_right(size_t form, const char *alphabet, size_t alphabet_bytes, int comment,
         unsigned char *arena)
{
    struct text_format format = text_format_of(TEXT_CSV);

    format.comment = comment;
    for (int round = 0; round < 3000; round++) {
        size_t size = noise() % 400;
        unsigned char *data = arena + ARENA_BYTES - size;
        struct csv_cut cut = {.format = &format};
        for (size_t i = 0; i < size; i++)
            data[i] = (unsigned char)alphabet[noise() % alphabet_bytes];
        forms[form].run(&cut, data, (uint32_t)size);
        if (cut.done != find_cut(&format, data, size))
            return false;
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
        int comment;
    } alphabets[] = {
        {"ab\",\n", TEXT_NO_COMMENT},
        {"abcdefghijklmnop,\n", TEXT_NO_COMMENT},
        {"abcdefghijklmnop,,,\"\n", TEXT_NO_COMMENT},
        {"\"\n", TEXT_NO_COMMENT},
        {",\"", TEXT_NO_COMMENT},
        {"aa#\",\n", '#'},
        {"abcdefgh,\n\"", 'a'},
    };
    unsigned char *arena = arena_open(ARENA_BYTES);

    for (size_t f = 0; f < FORMS; f++) {
        for (size_t a = 0; a < sizeof alphabets / sizeof *alphabets; a++) {
            const char *bytes = alphabets[a].bytes;
            if (forms[f].is_possible != NULL && !forms[f].is_possible())
                continue;
            ok(is_right(f, bytes, strlen(bytes), alphabets[a].comment, arena),
               "%s, alphabet %zu", forms[f].name, a);
        }
    }
    ok(finds_quote("a,\"b\n", 2), "an open quote");
    ok(finds_quote("\"a\"\",\"\"b", 0), "... with quotes inside");
    ok(finds_quote("\"a\",\"\"\"b", 4), "... the second one");
    ok(finds_quote("\"a\",b\"c", SIZE_MAX), "none in the middle of a field");
    ok(finds_quote("", SIZE_MAX), "none in no data");
    return done_testing();
}
