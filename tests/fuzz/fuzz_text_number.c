/*
 * fuzz_text_number.c -- which number a text is
 *
 * The oracle is strtod(), which takes more forms than a field of text may have.
 */

#include <ctype.h>
#include <math.h>

#include "fuzz.h"
#include "text_number.h"
#include "util/decimal.h"
#include "util/number.h"

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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    char *text = fuzz_take_text(&fuzz);
    size_t length = strlen(text);
    struct text_number number;
    char *stop;

    /* Without the NUL, so that a sanitizer sees the end. */
    unsigned char *copy = malloc(length > 0 ? length : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, text, length);
    text_number_scan(copy, (uint32_t)length, &number);
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
