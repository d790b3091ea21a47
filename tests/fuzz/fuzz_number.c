/* SPDX-License-Identifier: MIT */
/*
 * fuzz_number.c -- numbers and sizes as users write them
 *
 * strtod() and printf() are the oracle of number.c, and long doubles that of
 * size.c.
 */

#include <math.h>

#include "base/number.h"
#include "base/size.h"
#include "fuzz.h"

/* How many digits TEXT has from the first to the last that is not 0. */
static int
significant_digits(const char *text)
{
    int digits = 0;
    int zeros = 0;

    for (; *text != '\0' && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (digits == 0 && *text == '0'))
            continue;
        zeros = *text == '0' ? zeros + 1 : 0;
        digits++;
    }
    return digits - zeros;
}

/* The fewest digits that read back to VALUE. */
static int
fewest_digits(double value)
{
    char text[64];

    for (int digits = 1; digits < 17; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (strtod(text, NULL) == value)
            return digits;
    }
    return 17;
}

/* Any double is printed so that it reads back. */
static void
check_text(double value)
{
    char text[NUMBER_TEXT_BYTES];
    double again;

    memset(text, 'x', sizeof text);
    number_text(value, text);
    fuzz_must(memchr(text, '\0', sizeof text) != NULL, "a text that ends");
    if (!isfinite(value)) {
        fuzz_must(number_parse(text, &again) < 0, "only finite numbers");
        return;
    }
    fuzz_must(number_parse(text, &again) == 0 && again == value,
              "a number reads back");
    fuzz_must(!signbit(again) || again != 0, "one zero");
    fuzz_must(significant_digits(text) <= fewest_digits(value),
              "no digit too many");
}

/* The digits of TEXT after 0x and an optional sign; NULL: it has no 0x. */
static const char *
hexadecimal_digits(const char *text)
{
    text += *text == '-' || *text == '+';
    if (text[0] != '0' || (text[1] | 32) != 'x' || text[2] == '\0')
        return NULL;
    const char *digits = text + 2;
    if (digits[strspn(digits, "0123456789abcdefABCDEF")] != '\0')
        return NULL;
    return digits + strspn(digits, "0");
}

static void
check_number(const char *text)
{
    double value;
    struct wide integer;
    bool is_integer = number_parse_integer(text, &integer) == 0;
    bool is_plain =
        *text != '\0' && text[strspn(text, "0123456789+-.eE")] == '\0';
    char *end;

    if (number_parse(text, &value) == 0) {
        fuzz_must(is_plain && isfinite(value), "a finite number");
        fuzz_must(value == strtod(text, &end) && *end == '\0',
                  "the number that strtod() reads");
        check_text(value);
        fuzz_must(is_integer ==
                          (value == trunc(value) && fabs(value) <= 0x1p64) ||
                      fabs(value) >= 0x1p53,
                  "what is whole is an integer");
    }
    const char *digits = hexadecimal_digits(text);
    if (digits != NULL)
        fuzz_must(is_integer == (strlen(digits) <= 16 ||
                                 strcmp(digits, "10000000000000000") == 0),
                  "hexadecimal digits up to 2^64 are an integer");
    else if (is_integer)
        fuzz_must(number_parse(text, &value) == 0, "an integer is a number");
    if (is_integer)
        fuzz_must(wide_double(integer) == strtod(text, &end) && *end == '\0',
                  "the integer that strtod() reads");
}

static void
check_size(const char *text)
{
    static const char suffixes[] = "kMGTPE";
    uint64_t size;
    uint64_t again;
    char printed[32];
    char *end;

    if (size_parse(text, &size) < 0)
        return;
    fuzz_must(size <= INT64_MAX, "a size below 2^63");
    snprintf(printed, sizeof printed, "%llu", (unsigned long long)size);
    fuzz_must(size_parse(printed, &again) == 0 && again == size,
              "a size reads back");

    long double wanted = strtold(text, &end);
    const char *suffix = strchr(suffixes, *end == 'K' ? 'k' : *end);
    if (*end != '\0') {
        fuzz_must(suffix != NULL, "a suffix");
        wanted *= powl(end[1] == 'i' ? 1024 : 1000,
                       (long double)(suffix - suffixes + 1));
    }
    fuzz_must(fabsl((long double)size - wanted) <= wanted * 1e-15L,
              "about the size that strtold() reads");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    uint64_t bits = fuzz_take(&fuzz, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    check_text(value);
    char *text = fuzz_take_text(&fuzz);
    check_number(text);
    check_size(text);
    free(text);
    return 0;
}
