/* SPDX-License-Identifier: MIT */
/*
 * fuzz_durations.c -- numbers, durations and sizes in fields of text
 *
 * What a modifier makes is in plain spelling, and is its own value.  strtod()
 * is the oracle of numbers alone, size_parse() that of sizes, and sums of long
 * doubles are that of numbers with units.
 */

#include <math.h>

#include "../modify_check.h"
#include "base/size.h"
#include "fuzz.h"

/* Returns what the modifier NAME makes of the SIZE bytes at TEXT, as a string
   for free(); NULL: nothing. */
static char *
modified(const char *name, const void *text, size_t size)
{
    struct modifiers chain;
    struct modifiers_fault fault;
    char *string = NULL;

    fuzz_must(modifiers_parse(&chain, name, strlen(name), &fault) ==
                  MODIFIERS_OK,
              "a modifier");
    unsigned char *made = modify_apply(&chain, text, &size);
    if (made != NULL) {
        string = calloc(1, size + 1);
        if (string == NULL)
            abort();
        memcpy(string, made, size);
    }
    free(made);
    modifiers_close(&chain);
    return string;
}

/* Whether equal numbers have no other spelling than TEXT. */
static bool
is_plain(const char *text)
{
    size_t whole;

    text += *text == '-';
    whole = strspn(text, "0123456789");
    if (whole == 0 || (whole > 1 && *text == '0'))
        return false;
    if (text[whole] == '\0')
        return whole > 1 || *text != '0' || text[-1] != '-';
    const char *fraction = text + whole + 1;
    size_t size = strlen(fraction);
    return text[whole] == '.' && size > 0 &&
           strspn(fraction, "0123456789") == size && fraction[size - 1] != '0';
}

/* What NAME makes is plain, and NAME, or number, makes the same of it. */
static char *
check_plain(const char *name, const char *again, const void *text, size_t size)
{
    char *made = modified(name, text, size);

    if (made == NULL)
        return NULL;
    /* "-0" has a byte before it that may be no minus sign. */
    char *copy = malloc(strlen(made) + 2);
    if (copy == NULL)
        abort();
    copy[0] = ' ';
    strcpy(copy + 1, made);
    fuzz_must(is_plain(copy + 1), "a plain number");
    free(copy);
    char *same = modified(again, made, strlen(made));
    fuzz_must(same != NULL && strcmp(same, made) == 0, "its own value");
    free(same);
    return made;
}

/* Whether TEXT starts with an exponent of up to two digits. */
static bool
has_usual_exponent(const char *text)
{
    long exponent = strtol(text, NULL, 10);

    return exponent >= -38 && exponent <= 38;
}

/* Whether strtod() reads all of TEXT, which has digits, points and exponents
   only, with up to two digits. */
static bool
is_number(const char *text, double *value)
{
    char *end;
    const char *exponent = strpbrk(text, "eE");

    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    *value = strtod(text, &end);
    return *end == '\0' &&
           (exponent == NULL || has_usual_exponent(exponent + 1));
}

static void
check_number(const char *text, const char *duration, const char *size)
{
    double value;

    if (!is_number(text, &value))
        return;
    fuzz_must(duration != NULL && strtod(duration, NULL) == value,
              "the seconds that strtod() reads");
    fuzz_must(size != NULL && strtod(size, NULL) == value,
              "the bytes that strtod() reads");
}

/* The modifier reads all sizes that options read, but for 0x. */
static void
check_size(const char *text, const char *size)
{
    uint64_t bytes;
    char printed[32];
    const char *exponent = text + strspn(text, "0123456789.");

    if (size_parse(text, &bytes) < 0 || strpbrk(text, "xX") != NULL)
        return;
    if ((*exponent | 32) == 'e' && !has_usual_exponent(exponent + 1))
        return;
    snprintf(printed, sizeof printed, "%llu", (unsigned long long)bytes);
    fuzz_must(size != NULL && strcmp(size, printed) == 0,
              "the size that options read");
}

/* Add up numbers with units of one or two letters.  Returns whether TEXT is
   nothing else. */
static bool
add_terms(const char *text, long double *sum)
{
    static const struct {
        const char *name;
        long double seconds;
    } units[] = {{"ns", 1e-9L}, {"us", 1e-6L}, {"ms", 1e-3L}, {"s", 1},
                 {"m", 60},     {"h", 3600},   {"d", 86400},  {"w", 604800}};
    int last = 8;

    *sum = 0;
    while (*text != '\0') {
        char *end;
        int i = 7;
        if (strspn(text, "0123456789.") == 0)
            return false;
        long double value = strtold(text, &end);
        while (i >= 0 &&
               (strncmp(end, units[i].name, strlen(units[i].name)) ||
                strchr("0123456789.", end[strlen(units[i].name)]) == NULL))
            i--;
        if (end == text || i < 0 || i >= last ||
            strspn(text, "0123456789.") != (size_t)(end - text))
            return false;
        *sum += value * units[i].seconds;
        last = i;
        text = end + strlen(units[i].name);
    }
    return true;
}

static void
check_terms(const char *text, const char *duration)
{
    long double sum;

    if (*text == '\0' || !add_terms(text, &sum))
        return;
    fuzz_must(duration != NULL, "numbers with units are a duration");
    fuzz_must(fabsl(strtold(duration, NULL) - sum) <= sum * 1e-15L,
              "the sum of numbers with units");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    char *text = fuzz_take_text(&fuzz);
    char *duration = check_plain("duration", "duration", text, strlen(text));
    char *bytes = check_plain("size", "size", text, strlen(text));

    check_number(text, duration, bytes);
    check_size(text, bytes);
    check_terms(text, duration);
    free(text);
    free(duration);
    free(bytes);
    free(check_plain("size=iec", "size=iec", data, size));
    free(check_plain("number", "number", data, size));
    free(check_plain("decimal-comma", "number", data, size));
    return 0;
}
