/* SPDX-License-Identifier: MIT */
/*
 * fuzz_text_number.c -- which number a text is
 *
 * The oracle is strtod(), which takes more forms than a field of text may have.
 * A decimal that is an addend is printed so that it reads back.
 */

#include <ctype.h>
#include <math.h>

#include "base/decimal.h"
#include "base/decimal_sum.h"
#include "base/number.h"
#include "fuzz.h"
#include "kernels/text/text_number.h"
#include "text/short_decimals.h"

/* Bytes before a text, which a faster form may read. */
#define BEFORE 10

/* The bytes of TEXT without white space at the end. */
static const char *
end_of(const char *text)
{
    const char *end = text + strlen(text);

    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

static void
check_finite(const struct text_number *number, const char *text, double wanted)
{
    double value = decimal_round(number, (const unsigned char *)text);
    uint64_t integer;

    fuzz_must(value == wanted, "the number that strtod() reads");
    fuzz_must(!signbit(value) || value != 0, "one zero");
    if (!text_number_integer(number, &integer))
        fuzz_must(value != trunc(value) || fabs(value) >= 0x1p53 ||
                      number->digits >= 1000000000000000 || value == 0,
                  "what is whole is an integer");
    else
        fuzz_must(wide_double(wide_of_signed((int64_t)integer)) == value,
                  "the integer rounds to the number");
}

/* The number of TEXT, of LENGTH bytes, as an addend; BEFORE bytes precede it. */
static void
check_addend(const struct text_number *number, const unsigned char *text,
             size_t length)
{
    char printed[DECIMAL_SUM_TEXT_BYTES];
    struct decimal_sum sum;
    struct decimal_sum again;
    struct text_number reread;
    struct text_slice slice = {BEFORE, (uint32_t)length};
    int64_t nano;
    int64_t fast;
    bool is_nano = decimal_nano_read(&nano, number);
    bool is_addend = decimal_sum_read(&sum, number, text) == 0;

    fuzz_must(is_addend || !is_nano, "a nano is an addend");
    short_decimals_read(text - BEFORE, &slice, 1, 1, &fast);
    fuzz_must(fast == SHORT_DECIMALS_NONE || (is_nano && fast == nano),
              "a short decimal is what it was");
    if (!is_addend)
        return;
    size_t size = (size_t)(decimal_sum_put(&sum, printed) - printed);
    fuzz_must(size < sizeof printed, "a text that fits");
    text_number_scan((const unsigned char *)printed, (uint32_t)size, &reread);
    fuzz_must(decimal_sum_read(&again, &reread,
                               (const unsigned char *)printed) == 0 &&
                  decimal_sum_compare(&sum, &again) == 0,
              "a sum reads back");
    fuzz_must(decimal_sum_double(&sum) == decimal_round(number, text),
              "the same double");
    if (!is_nano)
        return;
    again = decimal_sum_of_nano(nano);
    fuzz_must(decimal_sum_compare(&sum, &again) == 0, "a nano as a sum");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    char *text = fuzz_take_text(&fuzz);
    size_t length = strlen(text);
    struct text_number number;
    char *stop;

    /* Without the NUL, so that a sanitizer sees the end. */
    unsigned char *copy = malloc(BEFORE + length);
    if (copy == NULL)
        abort();
    memset(copy, '1', BEFORE);
    memcpy(copy + BEFORE, text, length);
    text_number_scan(copy + BEFORE, (uint32_t)length, &number);
    check_addend(&number, copy + BEFORE, length);
    free(copy);

    const char *end = end_of(text);
    double wanted = strtod(text, &stop);
    bool is_number = end > text && stop == end && strpbrk(text, "xX(") == NULL;
    fuzz_must((number.kind == TEXT_NUMBER_EMPTY) == (end == text), "empty");
    fuzz_must((number.kind > TEXT_NUMBER_INVALID) == is_number, "a number");
    if (number.kind == TEXT_NUMBER_FINITE)
        check_finite(&number, text, wanted);
    else if (is_number)
        fuzz_must((number.kind == TEXT_NUMBER_NAN) == (isnan(wanted) != 0) &&
                      !isfinite(wanted),
                  "infinite, or NaN");
    free(text);
    return 0;
}
