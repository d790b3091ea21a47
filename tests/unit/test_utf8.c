/* SPDX-License-Identifier: MIT */
/* test_utf8.c -- characters of UTF-8, and strings of JSON made of any bytes */

#include <stdint.h>
#include <string.h>

#include "../tap.h"
#include "base/json.h"
#include "base/utf8.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Encode CODE in BYTES bytes, also where fewer would do. */
static void
encode(uint32_t code, size_t bytes, unsigned char text[4])
{
    static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = bytes; i-- > 1; code >>= 6)
        text[i] = (unsigned char)(0x80 | (code & 63));
    text[0] = (unsigned char)(first[bytes] | code);
}

/* All numbers that 1 to 4 bytes can encode, by RFC 3629's table of ranges. */
static void
test_characters(void)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    static const uint32_t end[] = {0, 0x80, 0x800, 0x10000, 0x200000};
    bool passed = true;
    bool is_bounded = true;

    for (size_t bytes = 1; bytes <= 4; bytes++) {
        for (uint32_t code = 0; code < end[bytes]; code++) {
            bool is_character = code >= least[bytes] && code <= 0x10ffff &&
                                (code < 0xd800 || code > 0xdfff);
            unsigned char text[4];

            encode(code, bytes, text);
            passed &= utf8_character(text, bytes) == (is_character ? bytes : 0);
            for (size_t size = 1; size < bytes; size++)
                is_bounded &= utf8_character(text, size) == 0;
        }
    }
    ok(passed, "all characters");
    ok(is_bounded, "no character is cut");

    static const char *const wrong[] = {"\x80", "\xbf",  "\xf8\x88\x80\x80\x80",
                                        "\xff", "\xc3(", "\xe2\x82(",
                                        "\xc3"};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const unsigned char *text = (const unsigned char *)wrong[i];
        ok(utf8_character(text, strlen(wrong[i])) == 0, "wrong bytes %zu", i);
    }
}

static void
drain_nothing(struct writer *writer)
{
    writer->at = writer->room;
}

static void
test_strings(void)
{
    static const struct {
        const char *bytes;
        size_t size;
        bool is_valid;
        const char *json;
    } cases[] = {
        {"", 0, true, "\"\""},
        {"a\0b", 3, true, "\"a\\u0000b\""},
        {"\"\\/\n\x7f", 5, true, "\"\\\"\\\\/\\u000a\\u007f\""},
        {"\xc3\xa4", 2, true, "\"\xc3\xa4\""},
        {"\xc3\xa4", 1, false, "\"\\ufffd\""},
        {"x\xed\xa0\x80", 4, false, "\"x\\ufffd\\ufffd\\ufffd\""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        const unsigned char *bytes = (const unsigned char *)cases[i].bytes;
        char room[4 * WRITER_PIECE_BYTES];
        struct writer out;

        ok(utf8_is_valid(bytes, cases[i].size) == cases[i].is_valid,
           "validity %zu", i);
        writer_open_room(&out, room, sizeof room, drain_nothing, NULL);
        json_put_bytes(&out, bytes, cases[i].size);
        ok((size_t)(out.at - room) == strlen(cases[i].json) &&
               memcmp(room, cases[i].json, strlen(cases[i].json)) == 0,
           "a string of JSON %zu", i);
    }
}

int
main(void)
{
    test_characters();
    test_strings();
    return done_testing();
}
