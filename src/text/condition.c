/* SPDX-License-Identifier: MIT */
/* condition.c -- a condition on the records of text: FIELD OP VALUE */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/decimal.h"
#include "base/decimal_sum.h"
#include "base/quoted.h"
#include "text/condition.h"
#include "text/field_chain.h"
#include "text/field_list.h"

/* The greatest exponent of a VALUE; decimal_order() needs a limit. */
#define EXPONENT_MOST INT64_C(100000000000)

/* Beyond all decimals of 64 bits in units of 10^-9. */
#define NANO_LIMIT (DECIMAL_NANO_MOST + 1)

static const char *const op_texts[CONDITION_OPS] = {
    [CONDITION_EQUAL] = "=",   [CONDITION_UNEQUAL] = "!=",
    [CONDITION_LESS] = "<",    [CONDITION_AT_MOST] = "<=",
    [CONDITION_GREATER] = ">", [CONDITION_AT_LEAST] = ">=",
    [CONDITION_LIKE] = "=~",   [CONDITION_UNLIKE] = "!~",
};

static const char no_operator[] =
    "no operator (= != < <= > >= =~ !~): write FIELD OP VALUE, and quote < and "
    ">, which the shell takes";

static const char parenthesis[] =
    "there are no parentheses: give --where for each part that must hold; "
    "quote a name that begins with (";

static const char shell[] =
    "the shell leaves the \\ before a ! in double quotes: write the condition "
    "in single quotes; quote a name that ends with \\";

/* ---- parsing ---- */

/* A condition that is parsed. */
struct parsing {
    const char *text;
    const char *at; /* what follows */
    bool is_next;   /* || or && stands before */
    struct error *error;
};

/* The condition is wrong at AT: MESSAGE says why.  Returns -1. */
static int
fail(const struct parsing *parsing, const char *at, const char *message)
{
    size_t character = 1;

    for (const char *c = parsing->text; c < at; c++)
        character += ((unsigned char)*c & 0xc0) != 0x80;
    error_set(parsing->error, EXIT_USAGE, "--where=%s: at character %zu: %s",
              parsing->text, character, message);
    return -1;
}

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void
skip_blanks(struct parsing *parsing)
{
    while (is_blank(*parsing->at))
        parsing->at++;
}

/* Whether an operator starts at AT. */
static bool
is_operator(const char *at)
{
    return *at == '=' || *at == '<' || *at == '>' ||
           (*at == '!' && (at[1] == '=' || at[1] == '~'));
}

/* Whether || or && starts at AT. */
static bool
is_connective(const char *at)
{
    return (*at == '|' || *at == '&') && at[1] == *at;
}

static bool
is_quote(char c)
{
    return c == '"' || c == '\'';
}

/* Set *TO to a copy of the SIZE bytes at FROM.  Returns 0, or -1. */
static int
copy(const struct parsing *parsing, char **to, const char *from, size_t size)
{
    *to = strndup(from, size);
    return *to != NULL ? 0 : error_fail_memory(parsing->error);
}

/* Parse the text between quotes, and the blanks after the quotes, to *TO, of
   *SIZE bytes. */
static int
parse_quoted(struct parsing *parsing, char **to, size_t *size)
{
    const char *start = parsing->at;

    if (copy(parsing, to, start, strlen(start)) < 0)
        return -1;
    parsing->at = quoted_read(start, *to, size);
    if (parsing->at == NULL)
        return fail(parsing, start, "this quote is not closed");
    skip_blanks(parsing);
    return 0;
}

/* Parse the modifiers after a name in quotes, which start with a colon. */
static int
parse_chain(struct parsing *parsing, struct condition *condition)
{
    const char *start = parsing->at + 1;

    while (*parsing->at != '\0' && !is_operator(parsing->at)) {
        const char *after = *parsing->at == ':'
                                ? field_chain_argument(parsing->at)
                                : parsing->at;
        parsing->at = after > parsing->at ? after : parsing->at + 1;
    }
    const char *end = parsing->at;
    while (end > start && is_blank(end[-1]))
        end--;
    return copy(parsing, &condition->chain, start, (size_t)(end - start));
}

/* Parse a field whose name is in quotes. */
static int
parse_quoted_field(struct parsing *parsing, struct condition *condition)
{
    const char *start = parsing->at;
    size_t size;

    if (parse_quoted(parsing, &condition->field, &size) < 0)
        return -1;
    if (size == 0)
        return fail(parsing, start, "the name of a field is empty");
    if (*parsing->at == ':' && parse_chain(parsing, condition) < 0)
        return -1;
    if (!is_operator(parsing->at))
        return fail(parsing, parsing->at,
                    "no operator (= != < <= > >= =~ !~) after the field");
    return 0;
}

/* Move to the end of a field without quotes.  Returns 0, or -1. */
static int
skip_field(struct parsing *parsing, const struct text_format *format)
{
    bool is_path = text_type_of(format->kind)->names == TEXT_NAMES_PATHS;
    bool is_inside = false; /* of the quotes of a path */
    const char *quote = NULL;

    for (; *parsing->at != '\0' && (is_inside || (!is_operator(parsing->at) &&
                                                  !is_connective(parsing->at)));
         parsing->at++) {
        const char *after = *parsing->at == ':' && !is_inside
                                ? field_chain_argument(parsing->at)
                                : parsing->at;
        if (after > parsing->at) {
            parsing->at = after - 1;
        } else if (is_path && *parsing->at == '"') {
            is_inside = !is_inside;
            quote = parsing->at;
        } else if (is_inside && *parsing->at == '\\' &&
                   parsing->at[1] != '\0') {
            parsing->at++;
        }
    }
    return is_inside ? fail(parsing, quote, "this quote is not closed") : 0;
}

/*
 * Parse a flag, a field that is 0 or 1, which is from START to END without an
 * operator; after ! the flag must be 0.
 */
static int
parse_flag(struct parsing *parsing, const char *start, const char *end,
           struct condition *condition)
{
    const bool is_not = *start == '!';

    start += is_not;
    while (start < end && is_blank(*start))
        start++;
    bool is_word = start < end;
    for (const char *c = start; c < end; c++)
        is_word &= !is_blank(*c) && *c != '(' && *c != ':' && *c != '!';
    if (!is_word)
        return fail(parsing, parsing->at, no_operator);
    condition->is_flag = true;
    condition->op = CONDITION_EQUAL;
    condition->op_text = op_texts[CONDITION_EQUAL];
    condition->size = 1;
    return copy(parsing, &condition->field, start, (size_t)(end - start)) < 0 ||
                   copy(parsing, &condition->value, is_not ? "0" : "1", 1) < 0
               ? -1
               : 0;
}

static int
parse_field(struct parsing *parsing, const struct text_format *format,
            struct condition *condition)
{
    const char *start = parsing->at;

    condition->is_quoted = is_quote(*start);
    if (condition->is_quoted)
        return parse_quoted_field(parsing, condition);
    if (*start == '(')
        return fail(parsing, start, parenthesis);
    if (skip_field(parsing, format) < 0)
        return -1;
    const char *end = parsing->at;
    while (end > start && is_blank(end[-1]))
        end--;
    if (end == start &&
        (is_connective(start) || (*start == '\0' && parsing->is_next)))
        return fail(parsing, start,
                    "a condition stands on both sides of || "
                    "and &&");
    if (!is_operator(parsing->at) && end > start &&
        text_type_of(format->kind)->has_flags)
        return parse_flag(parsing, start, end, condition);
    if (!is_operator(parsing->at))
        return fail(parsing, parsing->at, no_operator);
    if (end == start)
        return fail(parsing, start, "no field in front of the operator");
    if (end[-1] == '\\' && *parsing->at == '!')
        return fail(parsing, end - 1, shell);
    return copy(parsing, &condition->field, start, (size_t)(end - start));
}

/* What people write for an operator; longer texts stand before their starts. */
static const struct {
    const char *wrong;
    const char *right;
    const char *note; /* how to write a value that starts within WRONG */
} other_operators[] = {
    {"!==", "!=", ""},
    {"!=~", "!~", "; quote a value that begins with ~"},
    {"===", "=", ""},
    {"==~", "=~", ""},
    {"=!=", "!=", "; quote a value that begins with !"},
    {"=!~", "!~", "; quote a value that begins with !"},
    {"=!", "!=", "; quote a value that begins with !"},
    {"<>", "!=", ""},
    {"=<", "<=", ""},
    {"=>", ">=", ""},
};

/* If another operator is at START, fail and say which one is meant. */
static int
check_other_operators(const struct parsing *parsing, const char *start)
{
    char message[80];

    for (size_t i = 0; i < sizeof other_operators / sizeof *other_operators;
         i++) {
        size_t length = strlen(other_operators[i].wrong);
        if (strncmp(start, other_operators[i].wrong, length) != 0 ||
            strspn(start + length, "=<>") > 0)
            continue;
        snprintf(message, sizeof message, "write %s instead of %s%s",
                 other_operators[i].right, other_operators[i].wrong,
                 other_operators[i].note);
        return fail(parsing, start, message);
    }
    return 0;
}

static int
parse_operator(struct parsing *parsing, struct condition *condition)
{
    const char *start = parsing->at;
    size_t length = *start == '!';

    if (check_other_operators(parsing, start) < 0)
        return -1;
    length += strspn(start + length, "=<>");
    if (length == 1 && start[1] == '~' && (*start == '=' || *start == '!'))
        length = 2;
    /* As awk has it. */
    const size_t spelled =
        length == 2 && memcmp(start, "==", 2) == 0 ? 1 : length;
    for (int op = 0; op < CONDITION_OPS; op++) {
        if (strlen(op_texts[op]) != spelled ||
            memcmp(op_texts[op], start, spelled) != 0)
            continue;
        condition->op = (enum condition_op)op;
        condition->op_text = op_texts[op];
        parsing->at += length;
        return 0;
    }
    return fail(parsing, start,
                "no such operator; there are = != < <= > >= =~ !~");
}

/*
 * Set *FLOOR to the greatest integer up to NUMBER in units of 10^-9, or to a
 * limit that no short decimal reaches.  Returns whether *FLOOR is equal to
 * NUMBER.
 */
static bool
find_floor(const struct text_number *number, int64_t *floor)
{
    uint64_t digits = number->digits;
    int64_t exponent = number->exponent + DECIMAL_NANO_PLACES;
    bool is_exact = number->is_cut == 0;

    if (number->kind == TEXT_NUMBER_INFINITE) {
        *floor = number->is_negative ? -NANO_LIMIT - 1 : NANO_LIMIT;
        return false;
    }
    for (; exponent < 0 && digits > 0; exponent++) {
        is_exact &= digits % 10 == 0;
        digits /= 10;
    }
    for (; exponent > 0 && digits > 0 && digits < (uint64_t)NANO_LIMIT;
         exponent--)
        digits = digits > (uint64_t)NANO_LIMIT / 10 ? (uint64_t)NANO_LIMIT
                                                    : digits * 10;
    if (digits >= (uint64_t)NANO_LIMIT) {
        digits = (uint64_t)NANO_LIMIT;
        is_exact = false;
    }
    *floor =
        number->is_negative ? -(int64_t)digits - !is_exact : (int64_t)digits;
    return is_exact;
}

/* Set the decimals for which CONDITION, on a number, holds. */
static void
find_range(struct condition *condition)
{
    int64_t floor;
    bool is_exact = find_floor(&condition->number, &floor);

    condition->least = -NANO_LIMIT - 1;
    condition->most = NANO_LIMIT;
    switch (condition->op) {
    case CONDITION_LESS:
        condition->most = floor - is_exact;
        break;
    case CONDITION_AT_MOST:
        condition->most = floor;
        break;
    case CONDITION_GREATER:
        condition->least = floor + 1;
        break;
    case CONDITION_AT_LEAST:
        condition->least = floor + !is_exact;
        break;
    default:
        condition->is_excluded = condition->op == CONDITION_UNEQUAL;
        condition->least = floor + !is_exact;
        condition->most = floor;
        break;
    }
}

/* Returns the modifier that makes a number of VALUE, digits with commas: of
   thousands, as in 1,234.5, or as the point, as in 1.234,5; or NULL. */
static const char *
find_comma(const char *value)
{
    const char *comma = strrchr(value, ',');
    const char *digits = value + strspn(value, "+-");

    if (comma == NULL || !ascii_is_digit(*digits) ||
        digits[strspn(digits, "0123456789,.")] != '\0')
        return NULL;
    bool is_point = strchr(value, ',') == comma && strchr(comma, '.') == NULL &&
                    (strlen(comma + 1) != 3 || strchr(value, '.') != NULL);
    return is_point ? "decimal-comma" : "number";
}

/* Returns the modifier that makes a number of VALUE, which ends with a unit or
   has commas, if its order as a text is asked for; or NULL. */
static const char *
find_reading(const struct condition *condition)
{
    const char *value = condition->value;

    if (condition->op < CONDITION_LESS || condition->op > CONDITION_AT_LEAST)
        return NULL;
    return ascii_is_letter(value[condition->size - 1])
               ? field_chain_reading((const unsigned char *)value,
                                     condition->size)
               : find_comma(value);
}

/* Find out the meaning of VALUE, which has no quotes and starts at START. */
static int
find_kind(const struct parsing *parsing, const char *start,
          struct condition *condition)
{
    struct text_number *number = &condition->number;

    if (strcmp(condition->value, "\\N") == 0) {
        condition->kind = CONDITION_MISSING;
        if (condition->op == CONDITION_EQUAL ||
            condition->op == CONDITION_UNEQUAL)
            return 0;
        return fail(parsing, start,
                    "a missing field (\\N) is only = or != another one");
    }
    text_number_scan((const unsigned char *)condition->value,
                     (binning_u32)condition->size, number);
    if (number->kind == TEXT_NUMBER_NAN)
        return fail(parsing, start,
                    "no number compares with nan; quote it if it is text");
    if (number->kind <= TEXT_NUMBER_INVALID) {
        condition->reading = find_reading(condition);
        return 0;
    }
    condition->kind = CONDITION_NUMBER;
    if (number->kind == TEXT_NUMBER_FINITE && number->digits > 0 &&
        (number->exponent > EXPONENT_MOST || number->exponent < -EXPONENT_MOST))
        return fail(parsing, start, "this exponent is too large");
    find_range(condition);
    return 0;
}

/* Parse VALUE, which has no quotes, and find out its meaning. */
static int
parse_plain_value(struct parsing *parsing, struct condition *condition)
{
    const char *start = parsing->at;

    if (*start == '~')
        return fail(parsing, start, "quote a value that begins with ~");
    for (; *parsing->at != '\0' && !is_connective(parsing->at); parsing->at++) {
        if (condition->kind != CONDITION_EXPRESSION && is_operator(parsing->at))
            return fail(parsing, parsing->at,
                        "another operator; quote a value that has one, and "
                        "write && or || between conditions");
    }
    const char *end = parsing->at;
    while (end > start && is_blank(end[-1]))
        end--;
    condition->size = (size_t)(end - start);
    if (condition->size == 0)
        return fail(parsing, start,
                    "no value after the operator; '' is the empty text");
    if (copy(parsing, &condition->value, start, condition->size) < 0)
        return -1;
    return condition->kind == CONDITION_EXPRESSION
               ? 0
               : find_kind(parsing, start, condition);
}

static int
parse_value(struct parsing *parsing, struct condition *condition)
{
    if (condition->op >= CONDITION_LIKE)
        condition->kind = CONDITION_EXPRESSION;
    if (!is_quote(*parsing->at))
        return parse_plain_value(parsing, condition);
    if (parse_quoted(parsing, &condition->value, &condition->size) < 0)
        return -1;
    return *parsing->at == '\0' || is_connective(parsing->at)
               ? 0
               : fail(parsing, parsing->at,
                      "the condition goes on after the quoted value; write && "
                      "or || between conditions");
}

/* Parse the next condition, and move after it.  Returns 0, or -1. */
static int
parse_condition(struct parsing *parsing, const struct text_format *format,
                struct condition *condition)
{
    skip_blanks(parsing);
    if (parse_field(parsing, format, condition) < 0)
        return -1;
    if (condition->is_flag)
        return find_kind(parsing, parsing->at, condition);
    if (parse_operator(parsing, condition) < 0)
        return -1;
    skip_blanks(parsing);
    if (parse_value(parsing, condition) < 0)
        return -1;
    if (condition->kind != CONDITION_EXPRESSION)
        return 0;
    condition->regex = regex_new("where", condition->value, parsing->error);
    return condition->regex != NULL ? 0 : -1;
}

int
condition_modify(struct condition *condition, const struct modifiers *chain,
                 struct error *error)
{
    const unsigned char *text = (const unsigned char *)condition->value;
    size_t size = condition->size;

    if (chain->count > 0)
        condition->reading = NULL;
    if (chain->count == 0 || modifiers_give(chain) != MODIFIER_GIVES_DECIMAL ||
        condition->kind != CONDITION_TEXT)
        return 0;
    unsigned char *out = malloc(modifiers_room(chain, size));
    if (out == NULL)
        return error_fail_memory(error);
    bool is_number = modifiers_apply(chain, chain->count - 1, chain->count,
                                     &text, &size, out);
    if (is_number)
        text_number_scan(text, (binning_u32)size, &condition->number);
    if (!is_number || condition->number.kind != TEXT_NUMBER_FINITE) {
        error_set(error, EXIT_USAGE,
                  "--where: '%s' is neither a number nor a value that the "
                  "modifier %s of %s reads",
                  condition->value,
                  chain->modifier[chain->count - 1].type->name,
                  condition->field);
        free(out);
        return -1;
    }
    char *value = strndup((const char *)text, size);
    free(out);
    if (value == NULL)
        return error_fail_memory(error);
    free(condition->value);
    condition->value = value;
    condition->size = size;
    condition->kind = CONDITION_NUMBER;
    find_range(condition);
    return 0;
}

bool
condition_has_name(const struct condition *condition)
{
    return condition->is_quoted || field_list_is_name(condition->field);
}

/* ---- evaluating ---- */

/* Whether the value is, in the order of CONDITION's VALUE, where OP wants it:
   ORDER is less than 0, 0, or more. */
static bool
is_wanted(const struct condition *condition, int order)
{
    switch (condition->op) {
    case CONDITION_EQUAL:
        return order == 0;
    case CONDITION_UNEQUAL:
        return order != 0;
    case CONDITION_LESS:
        return order < 0;
    case CONDITION_AT_MOST:
        return order <= 0;
    case CONDITION_GREATER:
        return order > 0;
    default:
        return order >= 0;
    }
}

/* The order of the SIZE bytes at TEXT and CONDITION's VALUE. */
static int
order_bytes(const struct condition *condition, const unsigned char *text,
            size_t size)
{
    size_t common = size < condition->size ? size : condition->size;
    int order = memcmp(text, condition->value, common);

    if (order != 0)
        return order;
    return (size > condition->size) - (size < condition->size);
}

bool
condition_holds(const struct condition *condition, const unsigned char *text,
                size_t size)
{
    struct text_number number;

    if (condition->kind == CONDITION_MISSING)
        return condition->op == CONDITION_UNEQUAL;
    if (condition->kind == CONDITION_TEXT)
        return is_wanted(condition, order_bytes(condition, text, size));
    text_number_scan(text, (binning_u32)size, &number);
    if (number.kind != TEXT_NUMBER_FINITE &&
        number.kind != TEXT_NUMBER_INFINITE)
        return false;
    return is_wanted(condition,
                     decimal_order(&number, text, &condition->number,
                                   (const unsigned char *)condition->value));
}

bool
condition_holds_whole(const struct condition *condition, int64_t whole)
{
    const int64_t nano = whole * 1000000000;
    bool is_within = nano >= condition->least && nano <= condition->most;

    return is_within != condition->is_excluded;
}

bool
condition_holds_double(const struct condition *condition, double real)
{
    const struct text_number *number = &condition->number;
    double value =
        number->kind == TEXT_NUMBER_FINITE
            ? decimal_round(number, (const unsigned char *)condition->value)
            : (double)INFINITY * (number->is_negative ? -1 : 1);

    return is_wanted(condition, (real > value) - (real < value));
}

enum regex_result
condition_test(const struct condition *condition, struct regex_matcher *matcher,
               const unsigned char *text, size_t size)
{
    if (condition->kind != CONDITION_EXPRESSION)
        return condition_holds(condition, text, size) ? REGEX_MATCH
                                                      : REGEX_NO_MATCH;
    enum regex_result result = regex_match(matcher, text, size, 0);
    if (condition->op == CONDITION_LIKE || result > REGEX_NO_MATCH)
        return result;
    return result == REGEX_MATCH ? REGEX_NO_MATCH : REGEX_MATCH;
}

/* ---- lists ---- */

/* Add the conditions of TEXT, an argument of --where, to LIST. */
static int
add_where(struct condition_list *list, const struct text_format *format,
          const char *text, struct error *error)
{
    struct parsing parsing = {text, text, false, error};
    bool is_after_or = false;

    do {
        struct condition *condition = &list->condition[list->count];
        const char *start = parsing.at;
        if (list->count == CONDITIONS_MAX) {
            error_set(error, EXIT_USAGE, "--where: more than %d conditions",
                      CONDITIONS_MAX);
            return -1;
        }
        list->count++;
        if (parse_condition(&parsing, format, condition) < 0)
            return -1;
        condition->is_after_or = is_after_or;
        condition->begin = (size_t)(start - text) + strspn(start, " \t");
        condition->end = (size_t)(parsing.at - text);
        while (is_blank(text[condition->end - 1]))
            condition->end--;
        if (!parsing.is_next &&
            copy(&parsing, &condition->where, text, strlen(text)) < 0)
            return -1;
        parsing.is_next = is_connective(parsing.at);
        is_after_or = *parsing.at == '|';
        parsing.at += parsing.is_next ? 2 : 0;
    } while (parsing.is_next);
    return 0;
}

int
condition_list_parse(struct condition_list *list,
                     const struct text_format *format, const char *const *text,
                     size_t count, struct error *error)
{
    *list = (struct condition_list){0};
    if (count == 0)
        return 0;
    list->condition = calloc(CONDITIONS_MAX, sizeof *list->condition);
    if (list->condition == NULL)
        return error_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        if (add_where(list, format, text[i], error) < 0)
            return -1;
    }
    return 0;
}

void
condition_list_close(struct condition_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct condition *condition = &list->condition[i];
        free(condition->where);
        free(condition->field);
        free(condition->chain);
        free(condition->value);
        regex_free(condition->regex);
        modifiers_close(&condition->chain_of_part);
    }
    free(list->condition);
    *list = (struct condition_list){0};
}

bool
condition_list_has_expression(const struct condition_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->condition[i].kind == CONDITION_EXPRESSION)
            return true;
    }
    return false;
}

/* ---- choices ---- */

enum condition_cost
condition_cost_of(const struct condition *condition)
{
    return condition->is_of_list                     ? CONDITION_OF_LIST
           : condition->kind == CONDITION_EXPRESSION ? CONDITION_OF_EXPRESSION
                                                     : CONDITION_CHEAP;
}

/* Returns the choice of LIST that starts with condition FIRST: a whole --where
   if this has ||, otherwise the condition. */
static struct condition_choice
choice_at(const struct condition_list *list, size_t first)
{
    struct condition_choice choice = {first, first + 1};
    bool has_or = false;

    if (list->condition[first].where == NULL)
        return choice;
    while (choice.end < list->count &&
           list->condition[choice.end].where == NULL)
        has_or |= list->condition[choice.end++].is_after_or;
    return has_or ? choice : (struct condition_choice){first, first + 1};
}

/* Returns the cost of the dearest condition of CHOICE. */
static enum condition_cost
choice_cost(const struct condition_list *list,
            const struct condition_choice *choice)
{
    enum condition_cost most = CONDITION_CHEAP;

    for (size_t i = choice->first; i < choice->end; i++) {
        enum condition_cost cost = condition_cost_of(&list->condition[i]);
        most = cost > most ? cost : most;
    }
    return most;
}

size_t
condition_list_choices(const struct condition_list *list,
                       struct condition_choice choice[CONDITIONS_MAX])
{
    size_t count = 0;

    for (int cost = 0; cost < CONDITION_COSTS; cost++) {
        struct condition_choice next;
        for (size_t first = 0; first < list->count; first = next.end) {
            next = choice_at(list, first);
            if (choice_cost(list, &next) == (enum condition_cost)cost)
                choice[count++] = next;
        }
    }
    return count;
}

size_t
condition_list_alternative(const struct condition_list *list,
                           const struct condition_choice *choice, size_t first)
{
    size_t end = first + 1;

    while (end < choice->end && !list->condition[end].is_after_or)
        end++;
    return end;
}

/* ---- matchers ---- */

int
condition_matchers_open(struct condition_matchers *matchers,
                        const struct condition_list *list)
{
    *matchers = (struct condition_matchers){
        .matcher = calloc(list->count + 1, sizeof(struct regex_matcher *)),
        .count = list->count};
    if (matchers->matcher == NULL)
        return -1;
    for (size_t i = 0; i < list->count; i++) {
        const struct regex *regex = list->condition[i].regex;
        matchers->matcher[i] = regex != NULL ? regex_matcher_new(regex) : NULL;
        if (regex != NULL && matchers->matcher[i] == NULL)
            return -1;
    }
    return 0;
}

void
condition_matchers_close(struct condition_matchers *matchers)
{
    for (size_t i = 0; matchers->matcher != NULL && i < matchers->count; i++)
        regex_matcher_free(matchers->matcher[i]);
    free(matchers->matcher);
    *matchers = (struct condition_matchers){0};
}
