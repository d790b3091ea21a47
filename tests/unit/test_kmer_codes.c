/* SPDX-License-Identifier: MIT */
/*
 * test_kmer_codes.c -- the codes of k-mers, beside their texts
 *
 * The oracle compares strings.  The bases lie between two pages that must not
 * be touched.
 */

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "seq/kmer_codes.h"

#define ARENA_BYTES ((size_t)1 << 12)
#define BASES_MAX 400
#define ROUNDS (IS_INSTRUMENTED ? 20 : 300)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct {
    const char *name;
    kmer_codes_short_form *run_short;
    kmer_codes_long_form *run_long;
    kmer_codes_pair_form *run_pair;
    bool (*is_possible)(void); /* NULL: anywhere */
} forms[] = {
    {"portable", kmer_codes_short_portable, kmer_codes_long_portable,
     kmer_codes_pair_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", kmer_codes_short_avx2, kmer_codes_long_portable,
     kmer_codes_pair_portable, kmer_codes_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", kmer_codes_short_avx512, kmer_codes_long_avx512,
     kmer_codes_pair_avx512, kmer_codes_avx512_is_possible},
#endif
};

static unsigned char *arena;

/* ---- the oracle ---- */

/* The letter of a k-mer that BASE is, or 0. */
static char
letter_of(unsigned char base)
{
    static const char from[] = "ACGTacgt";
    static const char to[] = "ACGTACGT";
    const char *found = base != '\0' ? strchr(from, base) : NULL;

    return found != NULL ? to[found - from] : '\0';
}

/* Write the k-mer at BASE to TEXT.  Returns false if the window is broken. */
static bool
read_text(const unsigned char *base, unsigned int k, bool is_canonical,
          char text[KMER_MAX + 1])
{
    char reverse[KMER_MAX + 1] = "";

    text[k] = '\0';
    for (unsigned int i = 0; i < k; i++) {
        text[i] = letter_of(base[i]);
        if (text[i] == '\0')
            return false;
        static const char from[] = "ACGT";
        reverse[k - 1 - i] = "TGCA"[strchr(from, text[i]) - from];
    }
    if (is_canonical && strcmp(reverse, text) < 0)
        strcpy(text, reverse);
    return true;
}

/* The text of CODE. */
static void
write_text(struct kmer_code code, unsigned int k, char text[KMER_MAX + 1])
{
    kmer_write(code, k, (unsigned char *)text);
    text[k] = '\0';
}

/* ---- the definition ---- */

/* Whether kmer.h and the oracle agree on a sequence of LENGTH bases. */
static bool
check_definition(const unsigned char *base, size_t length, unsigned int k,
                 bool is_canonical)
{
    struct kmer_window window;
    uint64_t windows = 0;

    kmer_start(&window);
    for (size_t i = 0; i < length; i++) {
        char wanted[KMER_MAX + 1];
        char text[KMER_MAX + 1];
        bool is_whole = kmer_push(&window, base[i], k) != 0;
        if (i + 1 < k) {
            if (is_whole)
                return false;
            continue;
        }
        windows++;
        if (is_whole != read_text(base + i + 1 - k, k, is_canonical, wanted))
            return false;
        if (!is_whole)
            continue;
        write_text(kmer_code(&window, is_canonical), k, text);
        if (strcmp(text, wanted) != 0)
            return false;
    }
    return windows == kmer_windows(length, k);
}

/* A code of K bases at random. */
static struct kmer_code
noise_code(unsigned int k)
{
    if (k <= KMER_WORD_MAX)
        return (struct kmer_code){0, noise() & kmer_mask(k)};
    return (struct kmer_code){noise() & kmer_mask(k - KMER_WORD_MAX), noise()};
}

/* Codes are ordered as texts. */
static void
test_order(void)
{
    bool is_right = true;

    for (int r = 0; r < ROUNDS; r++) {
        unsigned int k = 1 + (unsigned int)(noise() % KMER_MAX);
        struct kmer_code a = noise_code(k);
        struct kmer_code b = noise_code(k);
        char text[2][KMER_MAX + 1];
        if (noise() % 2 == 0)
            b = (struct kmer_code){a.high, a.low ^ (b.low & 15)};
        else if (noise() % 2 == 0)
            b.low = a.low;
        write_text(a, k, text[0]);
        write_text(b, k, text[1]);
        int sign = strcmp(text[0], text[1]);
        is_right &= kmer_code_is_less(a, b) == (sign < 0) &&
                    kmer_code_is_less(b, a) == (sign > 0);
    }
    ok(is_right, "codes are ordered as texts");
}

/* ---- the forms ---- */

/* The codes of K bases of a form. */
struct form_codes {
    size_t count;
    union {
        uint32_t as_short[BASES_MAX + KMER_CODES_SLACK];
        uint64_t as_long[2 * (BASES_MAX + KMER_CODES_SLACK)];
    };
};

/* Whether OWN are the COUNT codes WANTED, of 32 bits if they are SHORT. */
static bool
are_codes(const struct form_codes *own, const struct kmer_code *wanted,
          size_t count, unsigned int k, bool is_short)
{
    const size_t words = k > KMER_WORD_MAX ? 2 : 1;

    if (own->count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t low =
            is_short ? own->as_short[i] : own->as_long[(i + 1) * words - 1];
        uint64_t high = words > 1 ? own->as_long[i * words] : 0;
        if (low != wanted[i].low || high != wanted[i].high)
            return false;
    }
    return true;
}

/* Whether form F agrees with the definition. */
static bool
check_form(size_t f, const unsigned char *base, size_t length, unsigned int k,
           bool is_canonical)
{
    static struct kmer_code wanted[BASES_MAX];
    static struct form_codes own;
    struct kmer_codes codes = {k,
                               is_canonical,
                               false,
                               forms[f].run_short,
                               forms[f].run_long,
                               forms[f].run_pair};
    size_t windows = (size_t)kmer_windows(length, k);
    struct kmer_window window;
    size_t count = 0;

    if (windows == 0)
        return true;
    kmer_start(&window);
    for (size_t i = 0; i < length; i++) {
        if (kmer_push(&window, base[i], k))
            wanted[count++] = kmer_code(&window, is_canonical);
    }
    own.count = k > KMER_WORD_MAX
                    ? kmer_codes_pair(&codes, base, windows, own.as_long)
                    : kmer_codes_long(&codes, base, windows, own.as_long);
    if (!are_codes(&own, wanted, count, k, false))
        return false;
    if (k > KMER_SHORT_MAX)
        return true;
    own.count = kmer_codes_short(&codes, base, windows, own.as_short);
    if (!are_codes(&own, wanted, count, k, true) || !is_canonical || k % 2 == 0)
        return are_codes(&own, wanted, count, k, true);
    kmer_codes_fold(&codes);
    own.count = kmer_codes_short(&codes, base, windows, own.as_short);
    for (size_t i = 0; i < own.count; i++) {
        if (own.as_short[i] >> (2 * k - 1) != 0)
            return false;
        own.as_short[i] = kmer_code_lesser(own.as_short[i], k);
    }
    return are_codes(&own, wanted, count, k, true);
}

/* ---- sequences ---- */

/* Write LENGTH bases of one of many kinds to BASE. */
static void
make_bases(unsigned char *base, size_t length)
{
    static const char letters[] = "ACGTacgtACGTNRU*-.n@ABDEFHIQS\x01\xc1\xe1 ";
    static const size_t kinds[] = {4, 8, 1, sizeof letters - 1};
    size_t kind = kinds[noise() % COUNT(kinds)];
    uint64_t odd = noise() % 3 == 0 ? 4 + noise() % 60 : UINT64_MAX;

    for (size_t i = 0; i < length; i++) {
        base[i] = (unsigned char)letters[noise() % kind];
        if (noise() % odd == 0)
            base[i] = (unsigned char)noise();
    }
    /* Half of them become palindromes. */
    for (size_t i = 0; noise() % 2 == 0 && i < length / 2; i++) {
        static const char from[] = "ACGT";
        const char *found = memchr(from, base[i], 4);
        base[length - 1 - i] =
            found != NULL ? (unsigned char)"TGCA"[found - from] : 'N';
    }
}

static void
test_sequences(unsigned int k, bool is_canonical)
{
    const char *wrong = NULL;

    for (int r = 0; r < ROUNDS && wrong == NULL; r++) {
        size_t length = noise() % (BASES_MAX + 1);
        if (noise() % 3 == 0)
            length = k - 1 + noise() % 3;
        unsigned char *base =
            noise() % 2 == 0 ? arena : arena + ARENA_BYTES - length;
        make_bases(base, length);
        if (!check_definition(base, length, k, is_canonical))
            wrong = "the definition";
        for (size_t f = 0; f < COUNT(forms) && wrong == NULL; f++) {
            if (forms[f].is_possible != NULL && !forms[f].is_possible())
                continue;
            if (!check_form(f, base, length, k, is_canonical))
                wrong = forms[f].name;
        }
    }
    ok(wrong == NULL, "K = %u%s: %s", k, is_canonical ? ", canonical" : "",
       wrong != NULL ? wrong : "all forms");
}

/* Each byte in the middle of a window. */
static void
test_bytes(void)
{
    bool is_right = true;

    memset(arena, 'A', BASES_MAX);
    for (unsigned int byte = 0; byte < 256; byte++) {
        arena[100] = (unsigned char)byte;
        is_right &= check_definition(arena, 200, 5, true) &&
                    check_definition(arena, 200, 50, true);
        for (size_t f = 0; f < COUNT(forms); f++) {
            if (forms[f].is_possible == NULL || forms[f].is_possible())
                is_right &= check_form(f, arena, 200, 5, true) &&
                            check_form(f, arena, 200, 50, true);
        }
    }
    ok(is_right, "every byte");
}

int
main(void)
{
    arena = arena_open(ARENA_BYTES);
    test_order();
    test_bytes();
    for (unsigned int k = 1; k <= KMER_MAX; k++) {
        test_sequences(k, false);
        test_sequences(k, true);
    }
    return done_testing();
}
