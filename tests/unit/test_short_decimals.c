/* SPDX-License-Identifier: MIT */
/*
 * test_short_decimals.c -- columns of short decimals, beside the one definition
 * of a number
 *
 * The data lie between two pages that must not be touched.
 */

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/keys/number_field.h"
#include "text/short_decimals.h"

#define ARENA_BYTES ((size_t)1 << 16)
#define TEXTS 300
#define STRIDE_MAX 3
#define ROUNDS (IS_INSTRUMENTED ? 100 : 3000)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct {
    const char *name;
    short_decimals_form *run;
    short_find_form *find;
    short_alike_form *find_alike;
    short_whole_form *find_whole;
    bool (*is_possible)(void); /* NULL: anywhere */
} forms[] = {
    {"portable", short_decimals_portable, short_find_portable,
     short_alike_portable, short_whole_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", short_decimals_avx2, short_find_avx2, short_alike_avx2,
     short_whole_avx2, short_decimals_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", short_decimals_avx512, short_find_avx512, short_alike_avx512,
     short_whole_avx512, short_decimals_avx512_is_possible},
#endif
};

static unsigned char *arena;

/* Whether NANO is what the definition says of TEXT, if it is any. */
static bool
is_right(const unsigned char *text, uint32_t size, int64_t nano)
{
    struct text_number number;
    int64_t same;

    if (nano == SHORT_DECIMALS_NONE)
        return true;
    text_number_scan(text, size, &number);
    return decimal_nano_read(&same, &number) && nano == same;
}

/* Whether it has to be found: digits, a sign, a point, nothing else; and in
   more than 8 bytes no more than 9 decimals, and no number that is no nano. */
static bool
is_short(const unsigned char *text, uint32_t size)
{
    struct text_number number;
    uint32_t digits = 0;
    uint32_t points = 0;
    uint32_t places = 0;
    uint32_t at = size > 0 && text[0] == '-';
    int64_t nano;

    for (; at < size; at++) {
        digits += text[at] >= '0' && text[at] <= '9';
        places += points > 0;
        points += text[at] == '.';
    }
    if (size > SHORT_DECIMALS_TEXT_MAX || digits == 0 || points > 1 ||
        digits + points + (text[0] == '-') != size)
        return false;
    text_number_scan(text, size, &number);
    return size <= SHORT_DECIMALS_WORD ||
           (places <= DECIMAL_NANO_PLACES && decimal_nano_read(&nano, &number));
}

/* ---- the forms ---- */

/* Text I of BATCH: its bytes go to TEXT.  Returns where it starts. */
static const unsigned char *
text_of(const struct short_decimals *batch, size_t i, unsigned char text[16])
{
    for (size_t b = 0; b < 16; b++)
        text[b] = (unsigned char)(batch->word[i][b / 8] >> 8 * (b % 8));
    return text + 16 - batch->size[i];
}

/* Whether FORM finds, in BATCH, the numbers between two of NANO. */
static bool
finds_decimals(short_find_form *form, const struct short_decimals *batch,
               const int64_t *nano)
{
    int64_t least = nano[noise() % SHORT_DECIMALS_BATCH];
    int64_t most = nano[noise() % SHORT_DECIMALS_BATCH];
    struct short_decimals_found found = form(batch, least, most);
    bool is_right = true;

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        bool is_none = nano[i] == SHORT_DECIMALS_NONE;
        bool is_within = !is_none && nano[i] >= least && nano[i] <= most;
        is_right &= (found.others >> i & 1) == is_none &&
                    (found.within >> i & 1) == is_within;
    }
    return is_right;
}

/* Whether FORM finds, in BATCH, the whole numbers between two words of 8
   digits. */
static bool
finds_whole(short_whole_form *form, const struct short_decimals *batch)
{
    char least[9];
    char most[9];
    uint64_t words[2] = {0, 0};
    bool is_right = true;
    uint64_t size = 1 + noise() % 8;

    for (size_t d = 0; d < 8; d++) {
        least[d] = (char)(d < 8 - size ? '0' : '0' + noise() % 10);
        most[d] = (char)(d < 8 - size ? '0' : '0' + noise() % 10);
        words[0] = words[0] << 8 | (unsigned char)least[d];
        words[1] = words[1] << 8 | (unsigned char)most[d];
    }
    struct short_decimals_found found = form(batch, words[0], words[1]);
    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        unsigned char bytes[16];
        const unsigned char *text = text_of(batch, i, bytes);
        char digits[9] = "00000000";
        bool is_whole = batch->size[i] > 0 && batch->size[i] <= 8;
        for (size_t d = 0; is_whole && d < batch->size[i]; d++) {
            is_whole = text[d] >= '0' && text[d] <= '9';
            digits[8 - batch->size[i] + d] = (char)text[d];
        }
        bool is_within = is_whole && memcmp(digits, least, 8) >= 0 &&
                         memcmp(digits, most, 8) <= 0;
        is_right &= (found.others >> i & 1) == !is_whole &&
                    (found.within >> i & 1) == is_within;
    }
    return is_right;
}

/* Whether TEXT, of SIZE bytes, has digits alone, with PLACES of them after a
   point, or at most 8 without one. */
static bool
is_alike(const unsigned char *text, size_t size, unsigned int places)
{
    bool is_right =
        places > 0 ? size > places && size <= 16 : size > 0 && size <= 8;

    for (size_t d = 0; is_right && d < size; d++)
        is_right = places > 0 && d == size - places - 1
                       ? text[d] == '.'
                       : text[d] >= '0' && text[d] <= '9';
    return is_right;
}

/* Whether FORM, or WHOLE_FORM, finds in BATCH, which has the numbers NANO, what
   is like the first text and between two numbers. */
static bool
finds_alike(short_alike_form *form, short_whole_form *whole_form,
            const struct short_decimals *batch, const int64_t *nano)
{
    static const int64_t far[] = {INT64_MIN, INT64_MAX, -1, 0, 99999999};
    int64_t bound[2];
    bool is_right = true;

    for (int b = 0; b < 2; b++) {
        bound[b] = nano[noise() % SHORT_DECIMALS_BATCH];
        if (noise() % 4 == 0)
            bound[b] = far[noise() % COUNT(far)];
        else if (bound[b] != SHORT_DECIMALS_NONE)
            bound[b] += (int64_t)(noise() % 3) - 1;
    }
    struct short_alike alike = short_decimals_alike(batch, bound[0], bound[1]);
    struct short_decimals_found found =
        alike.places > 0 ? form(batch, &alike)
                         : whole_form(batch, alike.least, alike.most);
    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        unsigned char bytes[16];
        bool is_one =
            is_alike(text_of(batch, i, bytes), batch->size[i], alike.places) &&
            nano[i] != SHORT_DECIMALS_NONE;
        bool is_within = is_one && nano[i] >= bound[0] && nano[i] <= bound[1];
        is_right &= (found.others >> i & 1) == !is_one &&
                    (found.within >> i & 1) == is_within;
    }
    return is_right;
}

/* All forms of a whole batch; returns the name of one that is wrong. */
static const char *
check_batch(const struct short_decimals *batch)
{
    for (size_t f = 0; f < COUNT(forms); f++) {
        int64_t nano[SHORT_DECIMALS_BATCH];
        bool are_short = true;
        if (forms[f].is_possible != NULL && !forms[f].is_possible())
            continue;
        bool are_all = forms[f].run(batch, nano);
        for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
            unsigned char text[16];
            uint32_t size = (uint32_t)batch->size[i];
            const unsigned char *start = text_of(batch, i, text);
            if (!is_right(start, size, nano[i]) ||
                is_short(start, size) != (nano[i] != SHORT_DECIMALS_NONE)) {
                printf("# \"%.*s\": %" PRId64 "\n", (int)size, start, nano[i]);
                return forms[f].name;
            }
            are_short &= is_short(start, size);
        }
        if (are_all != are_short ||
            !finds_decimals(forms[f].find, batch, nano) ||
            !finds_alike(forms[f].find_alike, forms[f].find_whole, batch,
                         nano) ||
            !finds_whole(forms[f].find_whole, batch))
            return forms[f].name;
    }
    return NULL;
}

/* All texts of up to four of these letters, after other bytes. */
static void
test_letters(void)
{
    static const char letters[] = "0159.-+ e:/\"\xb0";
    const uint64_t n = sizeof letters - 1;
    struct short_decimals batch;
    const char *wrong = NULL;
    size_t filled = 0;

    for (uint64_t size = 0, all = 1; size <= 4; size++, all *= n) {
        for (uint64_t t = 0; t < all && wrong == NULL; t++) {
            uint64_t bytes = noise();
            for (uint64_t i = 0, tail = t; i < size; i++, tail /= n)
                bytes = bytes >> 8 | (uint64_t)(unsigned char)letters[tail % n]
                                         << 56;
            batch.word[filled][1] = bytes;
            batch.word[filled][0] = noise();
            batch.size[filled++] = size;
            if (filled == SHORT_DECIMALS_BATCH) {
                wrong = check_batch(&batch);
                filled = 0;
            }
        }
    }
    ok(wrong == NULL, "all texts of four letters: %s",
       wrong != NULL ? wrong : "all forms");
}

/* Text I of BATCH: SIZE bytes, most of them digits, after other bytes. */
static void
make_digits(struct short_decimals *batch, size_t i, uint64_t size, uint64_t few)
{
    unsigned char text[16];

    for (uint64_t b = 0; b < sizeof text; b++) {
        text[b] = (unsigned char)('0' + noise() % 10);
        if (b < sizeof text - size || noise() % few == 0)
            text[b] = noise() % 2 == 0 ? '.' : (unsigned char)noise();
    }
    if (size > 0 && noise() % 3 == 0)
        text[sizeof text - size] = '-';
    batch->word[i][0] = batch->word[i][1] = 0;
    for (uint64_t b = 0; b < sizeof text; b++)
        batch->word[i][b / 8] |= (uint64_t)text[b] << 8 * (b % 8);
    batch->size[i] = size;
}

/* Longer ones, of mostly digits. */
static void
test_digits(void)
{
    const char *wrong = NULL;

    for (int r = 0; r < ROUNDS && wrong == NULL; r++) {
        struct short_decimals batch;
        /* Long and short ones, short ones, long ones. */
        uint64_t least = r % 3 == 2 ? 9 : 0;
        uint64_t most = r % 3 == 1 ? 8 : 16;
        for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++)
            make_digits(&batch, i, least + noise() % (most - least + 1),
                        4 + noise() % 20);
        wrong = check_batch(&batch);
    }
    ok(wrong == NULL, "digits: %s", wrong != NULL ? wrong : "all forms");
}

/* Texts with the same number of places, or few others. */
static void
test_alike(void)
{
    const char *wrong = NULL;

    for (int r = 0; r < ROUNDS && wrong == NULL; r++) {
        struct short_decimals batch;
        const uint64_t places = noise() % 10;
        const uint64_t most = r % 2 == 0 ? 8 : 16;
        for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
            make_digits(&batch, i, noise() % (most + 1), 100);
            if (places > 0 && places < 8 && noise() % 50 != 0)
                batch.word[i][1] =
                    (batch.word[i][1] & ~((uint64_t)255 << (56 - 8 * places))) |
                    (uint64_t)'.' << (56 - 8 * places);
        }
        wrong = check_batch(&batch);
    }
    ok(wrong == NULL, "alike: %s", wrong != NULL ? wrong : "all forms");
}

/* ---- slices ---- */

/* Write a text at AT, where ROOM bytes are left.  Returns its size. */
static uint32_t
make_text(unsigned char *at, size_t room)
{
    char text[40];
    double value = (double)(int64_t)(noise() % 2000000 - 1000000);
    static const double units[] = {1, 10, 100, 1000, 10000, 1e-4, 1e-6};
    static const char *const others[] = {"",  "-",   ".",    "-0",   "-0.0",
                                         "x", "1e3", "12ms", "+5",   " 5",
                                         "0", "nan", "-inf", "1..2", "7."};

    if (noise() % 4 == 0)
        snprintf(text, sizeof text, "%s", others[noise() % COUNT(others)]);
    else
        snprintf(text, sizeof text, "%.*f", (int)(noise() % 10),
                 value / units[noise() % COUNT(units)]);
    size_t size = strlen(text);
    size = size < room ? size : room;
    memcpy(at, text, size);
    return (uint32_t)size;
}

/* Numbers of AXIS's type in COUNT_MAX slices, read in both ways. */
static bool
check_slices(const struct binning_axis *axis, const unsigned char *data,
             const struct text_slice *slice, size_t count, size_t stride,
             size_t *taken)
{
    struct text_format format = {.kind = TEXT_LINES};
    struct field_text field = {.format = &format};
    int64_t nano[TEXTS];
    bool is_same = true;
    bool have_all = true;

    bool are_short = short_decimals_read(data, slice, count, stride, nano);
    for (size_t i = 0; i < count; i++) {
        struct text_slice own = slice[i * stride];
        enum key_tag tag;
        enum key_tag wanted;
        uint64_t bits = 0;
        uint64_t same = 0;
        have_all &= nano[i] != SHORT_DECIMALS_NONE;
        if (text_slice_is_missing(own)) {
            is_same &= nano[i] == SHORT_DECIMALS_NONE;
            continue;
        }
        is_same &= is_right(data + own.at, own.size, nano[i]);
        if (!number_field_take(axis, nano[i], &tag, &bits))
            continue;
        ++*taken;
        is_same &= number_field_read(&field, axis, data, own, &wanted, &same) ==
                       KEY_OK &&
                   tag == wanted && (tag != KEY_TAG_VALUE || bits == same);
    }
    field_text_close(&field);
    return is_same && are_short == have_all;
}

static void
test_slices(enum sample_type type, const char *name)
{
    struct binning_axis axis = {.type = type};
    bool is_same = true;
    size_t taken = 0;

    for (int r = 0; r < ROUNDS; r++) {
        static struct text_slice slice[TEXTS * STRIDE_MAX];
        size_t stride = 1 + noise() % STRIDE_MAX;
        size_t count = noise() % (TEXTS + 1);
        size_t size = 1 + noise() % 3000;
        unsigned char *data =
            noise() % 2 == 0 ? arena : arena + ARENA_BYTES - size;
        size_t at = 0;
        memset(data, '7', size);
        for (size_t i = 0; i < count * stride; i++) {
            uint32_t bytes = make_text(data + at, size - at);
            slice[i] = (struct text_slice){(uint32_t)at, bytes};
            if (noise() % 20 == 0)
                slice[i] = (struct text_slice){TEXT_SLICE_MISSING, 0};
            at += bytes;
            if (at < size && noise() % 4 != 0)
                at++;
        }
        is_same &= check_slices(&axis, data, slice, count, stride, &taken);
    }
    ok(is_same && taken > 10 * ROUNDS, "%s: %zu short ones are what they were",
       name, taken);
}

/* ---- longer texts ---- */

static void
test_longer(void)
{
    static const char letters[] = "0123456789.-+ e";
    int found = 0;
    int wrong = 0;

    for (int r = 0; r < 100 * ROUNDS; r++) {
        uint32_t size = (uint32_t)(noise() % 19);
        uint32_t at = (uint32_t)(noise() % 40);
        unsigned char *data =
            noise() % 2 == 0 ? arena : arena + ARENA_BYTES - at - size;
        memset(data, '.', at);
        for (uint32_t b = 0; b < size; b++)
            data[at + b] = (unsigned char)letters[noise() % 10];
        if (size > 0 && noise() % 2 == 0)
            data[at + noise() % size] = '.';
        if (size > 0 && noise() % 4 == 0)
            data[at] = '-';
        if (size > 0 && noise() % 8 == 0)
            data[at + noise() % size] =
                (unsigned char)letters[noise() % (sizeof letters - 1)];
        const struct text_slice slice = {at, size};
        int64_t nano;
        bool is_found = short_decimals_read(data, &slice, 1, 1, &nano);
        found += is_found && size > SHORT_DECIMALS_WORD;
        wrong += !is_right(data + at, size, nano) ||
                 is_found != (nano != SHORT_DECIMALS_NONE) ||
                 (at + size >= SHORT_DECIMALS_TEXT_MAX &&
                  is_found != is_short(data + at, size));
    }
    int64_t none;
    const struct text_slice missing = {TEXT_SLICE_MISSING, 12};
    ok(wrong == 0 && found > 10 * ROUNDS &&
           !short_decimals_read(arena, &missing, 1, 1, &none),
       "%d texts of 9 to 16 bytes, %d wrong", found, wrong);
}

int
main(void)
{
    arena = arena_open(ARENA_BYTES);
    test_letters();
    test_digits();
    test_alike();
    test_slices(SAMPLE_F8, "doubles");
    test_slices(SAMPLE_I8, "integers");
    test_longer();
    return done_testing();
}
