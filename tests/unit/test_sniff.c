/* SPDX-License-Identifier: MIT */
/* test_sniff.c -- what looks like text or .npy, and what does not */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "input/content/sniff.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Look at SIZE bytes, PIECE at a time. */
static struct sniff
sniffed(const void *data, size_t size, size_t piece)
{
    struct sniff sniff = {0};

    for (size_t at = 0; at < size; at += piece)
        sniff_add(&sniff, (const char *)data + at,
                  size - at < piece ? size - at : piece);
    return sniff;
}

static bool
is_text(const void *data, size_t size)
{
    struct sniff whole = sniffed(data, size, size + 1);
    struct sniff pieces = sniffed(data, size, 3);

    if (sniff_is_text(&whole) != sniff_is_text(&pieces))
        printf("# pieces make a difference\n");
    return sniff_is_text(&whole);
}

static void
test_texts(void)
{
    static const struct {
        const char *name;
        const char *data;
        bool is_text;
    } table[] = {
        {"numbers, one a line", "1.5\n2.25\n-3e7\n0\n", true},
        {"numbers in a row", "1 2 3 4 5 6 7 8 9 10", true},
        {"CSV with CR", "a,b,c\r\n1,2,3\r\n4,5,6\r\n", true},
        {"tabs", "chr1\t100\t200\tgene\n", true},
        {"UTF-8",
         "Gr\u00fc\u00dfe \u4e16\u754c \U0001f600, na\u00efve, 12345\n", true},
        {"a byte order mark",
         "\ufeffvalue\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n", true},
        {"Latin-1",
         "Gr\xfc\xdf"
         "e aus M\xfcnchen, sehr viele\n",
         false},
        {"31 bytes of UTF-8", "na\u00efve 1 2 3 4 5 6 7 8 9 10 11 ", false},
        {"15 bytes", "1 2 3 4 5 6 7 8", false},
        {"no white space", "0123456789abcdefghijklmnop", false},
        {"two values", "0\n0\n0\n0\n0\n0\n0\n0\n0\n", false},
        {"a control character", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \x1b", false},
        {"DEL", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \x7f", false},
        {"a C1 control character", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xc2\x85",
         false},
        {"a surrogate", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xed\xa0\x80", false},
        {"an overlong form", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xc0\x80",
         false},
        {"an overlong form of three",
         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xe0\x9f\xbf", false},
        {"beyond Unicode", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xf4\x90\x80\x80",
         false},
        {"a character cut off, then ASCII",
         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xe4\xb8 ok", false},
        {"a character cut off at the end",
         "1 2 3 4 5 6 7 8 9 10 11 12 13 14 \xe4\xb8", true},
    };

    for (size_t i = 0; i < COUNT(table); i++)
        ok(is_text(table[i].data, strlen(table[i].data)) == table[i].is_text,
           "%s: %s", table[i].name, table[i].is_text ? "text" : "no text");
    ok(!is_text("1 2 3 4 5 6 7 8 9\0\n", 19), "a NUL: no text");
    ok(!is_text("", 0), "nothing: no text");
}

/* Text, with one other byte at each place. */
static void
test_places(void)
{
    static char data[2 * SNIFF_BYTES];
    size_t wrong = 0;

    for (size_t i = 0; i < sizeof data; i++)
        data[i] = i % 8 == 7 ? '\n' : (char)('0' + i % 8);
    ok(is_text(data, sizeof data), "long text");
    for (size_t i = 0; i < sizeof data; i++) {
        data[i] ^= (char)0x80;
        wrong += is_text(data, sizeof data) != (i >= SNIFF_BYTES);
        data[i] ^= (char)0x80;
    }
    ok(wrong == 0, "with another byte, seen in the first %d", SNIFF_BYTES);
}

/* Binary data of many kinds. */
static void
test_binary(void)
{
    static unsigned char data[SNIFF_BYTES];
    uint64_t state = 1;
    size_t short_texts = 0, texts = 0;
    /* Each value of both bytes occurs in a part of their pairs, too. */
    const uint32_t step = is_expensive() ? 1 : IS_INSTRUMENTED ? 31 : 7;

    for (uint32_t n = 0; n < 50000; n += step) {
        for (size_t i = 0; i < sizeof data; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            data[i] = (unsigned char)(state >> 56);
        }
        for (size_t i = 0; i < sizeof data; i += 32)
            short_texts += is_text(data + i, 16);
        texts += is_text(data, sizeof data);
    }
    ok(texts == 0, "many times 512 random bytes: no text");
    ok(short_texts <= 4, "many times 16 random bytes: hardly ever (%zu)",
       short_texts);

    texts = 0;
    for (uint32_t value = 0; value < 1 << 16; value += step) {
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (unsigned char)(value >> 8 * (i % 2));
        texts += is_text(data, sizeof data);
    }
    ok(texts == 0, "a constant of two bytes: no text, whatever it is");

    texts = 0;
    for (int shift = -1000; shift < 1000; shift++) {
        double number[SNIFF_BYTES / 8];
        for (size_t i = 0; i < COUNT(number); i++)
            number[i] = shift * 0.37 + (double)i / 7;
        texts += is_text(number, sizeof number);
        float small[SNIFF_BYTES / 4];
        for (size_t i = 0; i < COUNT(small); i++)
            small[i] = (float)(shift * 0.37 + (double)i / 7);
        texts += is_text(small, sizeof small);
        uint16_t sample[SNIFF_BYTES / 2];
        for (size_t i = 0; i < COUNT(sample); i++)
            sample[i] = (uint16_t)(0x2020 + shift * 16 + (int)i % 100);
        texts += is_text(sample, sizeof sample);
    }
    ok(texts == 0, "numbers in series: no text (%zu)", texts);
}

static uint64_t
npy_header(const void *data, size_t size)
{
    struct sniff sniff = sniffed(data, size, 5);

    return sniff_npy_header(&sniff);
}

static void
test_npy(void)
{
    ok(npy_header("\x93NUMPY\1\0\x76\0{'descr'", 17) == 128, ".npy 1.0");
    ok(npy_header("\x93NUMPY\1\0\x76\2{'descr'", 17) == 640,
       ".npy 1.0, a long header");
    ok(npy_header("\x93NUMPY\2\0\x74\0\1\0{'descr'", 19) == 65536 + 128,
       ".npy 2.0");
    ok(npy_header("\x93NUMPY\3\0\xb4\0\0\0{'descr'", 19) == 192, ".npy 3.0");
    ok(npy_header("\x93NUMPY\1\0\x76\0{", 11) == 0, "cut off: none");
    ok(npy_header("\x93NUMPX\1\0\x76\0{'descr'", 17) == 0, "others: none");
    ok(!is_text("\x93NUMPY\1\0\x76\0{'descr'", 17), ".npy is no text");
}

int
main(void)
{
    test_texts();
    test_places();
    test_binary();
    test_npy();
    return done_testing();
}
