/* SPDX-License-Identifier: MIT */
/*
 * condition_check.h -- conditions, evaluated in the simplest way
 *
 * A number is taken apart here again: all of its digits without zeros at the
 * start, and where the point is.  Each condition is evaluated for each record.
 */

#ifndef GPUHIST_CONDITION_CHECK_H
#define GPUHIST_CONDITION_CHECK_H

#include <stdlib.h>
#include <string.h>

#include "text/filter.h"

struct naive_number {
    int sign; /* 0: it is 0 */
    bool is_infinite;
    char *digits; /* for free(); at least one if the sign is not 0 */
    size_t count;
    int64_t point; /* the digits before the point; below 0: zeros after it */
};

static bool
naive_is_blank(unsigned char byte)
{
    return strchr(" \t\n\v\f\r", byte) != NULL && byte != 0;
}

/* Whether the SIZE bytes at TEXT are WORD, in any case. */
static bool
naive_is_word(const unsigned char *text, size_t size, const char *word)
{
    if (size != strlen(word))
        return false;
    for (size_t i = 0; i < size; i++) {
        if ((text[i] | 32) != word[i])
            return false;
    }
    return true;
}

/* Read an exponent of SIZE bytes.  Returns whether it is one. */
static bool
naive_exponent(const unsigned char *text, size_t size, int64_t *exponent)
{
    bool is_negative = size > 0 && *text == '-';
    size_t at = size > 0 && (*text == '-' || *text == '+');

    *exponent = 0;
    if (at == size)
        return false;
    for (; at < size; at++) {
        if (text[at] < '0' || text[at] > '9')
            return false;
        /* Greater ones are alike: none of a condition is. */
        if (*exponent < 1000000000000000)
            *exponent = *exponent * 10 + text[at] - '0';
    }
    *exponent = is_negative ? -*exponent : *exponent;
    return true;
}

/* Set *NUMBER to the number that TEXT is.  Returns whether it is one; then the
   caller frees its digits. */
static bool
naive_read(struct naive_number *number, const unsigned char *text, size_t size)
{
    size_t at = 0;
    size_t all = 0;
    bool has_point = false;
    int64_t exponent;

    *number = (struct naive_number){.sign = 1};
    while (size > 0 && naive_is_blank(text[size - 1]))
        size--;
    while (at < size && naive_is_blank(text[at]))
        at++;
    if (at < size && (text[at] == '-' || text[at] == '+'))
        number->sign = text[at++] == '-' ? -1 : 1;
    if (naive_is_word(text + at, size - at, "inf") ||
        naive_is_word(text + at, size - at, "infinity")) {
        number->is_infinite = true;
        return true;
    }
    number->digits = malloc(size + 1);
    if (number->digits == NULL)
        abort();
    for (; at < size; at++) {
        if (text[at] == '.' && !has_point) {
            has_point = true;
        } else if (text[at] >= '0' && text[at] <= '9') {
            all++;
            if (number->count > 0 || text[at] != '0')
                number->digits[number->count++] = (char)text[at];
            if (!has_point)
                number->point += number->count > 0;
            else if (number->count == 0)
                number->point--;
        } else {
            break;
        }
    }
    bool is_number = all > 0;
    if (is_number && at < size) {
        is_number = (text[at] | 32) == 'e' &&
                    naive_exponent(text + at + 1, size - at - 1, &exponent);
        number->point += is_number ? exponent : 0;
    }
    if (number->count == 0)
        number->sign = 0;
    if (!is_number)
        free(number->digits);
    return is_number;
}

/* Less than 0, 0 or more, as A is less than, equal to, or more than B. */
static int
naive_order(const struct naive_number *a, const struct naive_number *b)
{
    size_t most = a->count > b->count ? a->count : b->count;

    if (a->sign != b->sign)
        return a->sign < b->sign ? -1 : 1;
    if (a->is_infinite || b->is_infinite)
        return a->sign * (a->is_infinite - b->is_infinite);
    if (a->sign == 0)
        return 0;
    if (a->point != b->point)
        return a->point < b->point ? -a->sign : a->sign;
    for (size_t i = 0; i < most; i++) {
        char x = i < a->count ? a->digits[i] : '0';
        char y = i < b->count ? b->digits[i] : '0';
        if (x != y)
            return x < y ? -a->sign : a->sign;
    }
    return 0;
}

static bool
naive_is_wanted(enum condition_op op, int order)
{
    return (order < 0 && (op == CONDITION_LESS || op == CONDITION_AT_MOST ||
                          op == CONDITION_UNEQUAL)) ||
           (order == 0 && (op == CONDITION_EQUAL || op == CONDITION_AT_MOST ||
                           op == CONDITION_AT_LEAST)) ||
           (order > 0 && (op == CONDITION_GREATER || op == CONDITION_AT_LEAST ||
                          op == CONDITION_UNEQUAL));
}

/* Whether the expression of CONDITION is where OP wants it.  A text that takes
   too many steps is not. */
static bool
naive_matches(const struct condition *condition, const unsigned char *text,
              size_t size)
{
    struct regex_matcher *matcher = regex_matcher_new(condition->regex);

    if (matcher == NULL)
        abort();
    enum regex_result result = regex_match(matcher, text, size, 0);
    regex_matcher_free(matcher);
    return result ==
           (condition->op == CONDITION_LIKE ? REGEX_MATCH : REGEX_NO_MATCH);
}

/* Whether CONDITION holds for the SIZE bytes at TEXT; NULL: it is missing. */
static bool
naive_holds(const struct condition *condition, const unsigned char *text,
            size_t size)
{
    const unsigned char *value = (const unsigned char *)condition->value;
    size_t wanted = condition->size;
    struct naive_number a;
    struct naive_number b;
    int order = 0;

    if (condition->kind == CONDITION_MISSING)
        return (text == NULL) == (condition->op == CONDITION_EQUAL);
    if (text == NULL)
        return false;
    if (condition->kind == CONDITION_EXPRESSION)
        return naive_matches(condition, text, size);
    if (condition->kind == CONDITION_NUMBER) {
        if (!naive_read(&a, text, size))
            return false;
        if (!naive_read(&b, value, wanted))
            abort();
        order = naive_order(&a, &b);
        free(a.digits);
        free(b.digits);
        return naive_is_wanted(condition->op, order);
    }
    for (size_t i = 0; order == 0 && (i < size || i < wanted); i++) {
        int x = i < size ? text[i] : -1;
        int y = i < wanted ? value[i] : -1;
        order = (x > y) - (x < y);
    }
    return naive_is_wanted(condition->op, order);
}

/* Whether CONDITION holds for a record whose fields are SLICE of DATA. */
static bool
naive_record_holds(const struct condition *condition, const unsigned char *data,
                   const struct text_slice *slice)
{
    struct text_slice own = slice[condition->column];

    if (text_slice_is_invalid(own))
        return false;
    if (text_slice_is_missing(own))
        return naive_holds(condition, NULL, 0);
    return naive_holds(condition, data + own.at, own.size);
}

/* Whether a record whose fields are SLICE of DATA meets all CONDITIONS. */
static bool
naive_keeps(const struct condition_list *conditions, const unsigned char *data,
            const struct text_slice *slice)
{
    bool all = true;   /* --where before */
    bool some = false; /* alternatives before, of this --where */
    bool holds = true; /* this alternative */

    for (size_t c = 0; c < conditions->count; c++) {
        const struct condition *condition = &conditions->condition[c];
        if (c > 0 && (condition->where != NULL || condition->is_after_or)) {
            some |= holds;
            holds = true;
        }
        if (c > 0 && condition->where != NULL) {
            all &= some;
            some = false;
        }
        holds &= naive_record_holds(condition, data, slice);
    }
    return all && (some || holds);
}

/*
 * Filter RECORDS, whose STRIDE fields are slices of DATA, by CONDITIONS: texts
 * between delimiters.  Returns whether the same records are kept as naively, up
 * to the first record that takes too many steps.
 */
static bool
naive_agrees(const struct condition_list *conditions, const unsigned char *data,
             const struct text_slice *slice, size_t stride, size_t records)
{
    static struct text_field field[8];
    const struct text_format format = text_format_of(TEXT_DELIMITED);
    const struct field_list list = {.field = field, .count = 8};
    struct filter filter;
    size_t kept;
    size_t wanted_count = 0;
    bool agrees = true;

    if (filter_open(&filter, &format, conditions, &list) < 0 ||
        filter_run(&filter, data, slice, stride, records, &kept) < 0)
        abort();
    for (size_t r = 0; r < records && r != filter.wrong; r++) {
        bool wanted = naive_keeps(conditions, data, slice + r * stride);
        wanted_count += wanted;
        agrees &= filter.keeps[r] == wanted;
    }
    agrees &= kept == wanted_count;
    filter_close(&filter);
    return agrees;
}

#endif
