/* condition.c -- a condition on the records of text: FIELD OP VALUE */

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
};

static const char no_operator[] =
    "no operator (= != < <= > >=): write FIELD OP VALUE, and quote < and >, "
    "which the shell takes";

static const char parenthesis[] =
    "there are no parentheses: give --where for each condition; quote a name "
    "that begins with (";

static const char no_expression[] =
    "there is no =~ or !~ yet: select the lines by grep first; quote a value "
    "that begins with ~";

/* ---- parsing ---- */

/* A condition that is parsed. */
struct parsing {
    const char *text;
    const char *at; /* what follows */
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

/* Whether || or && starts at AT, which most languages read as or and and. */
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
                    "no operator (= != < <= > >=) after the field");
    return 0;
}

static int
parse_field(struct parsing *parsing, const struct text_format *format,
            struct condition *condition)
{
    bool is_path = text_type_of(format->kind)->names == TEXT_NAMES_PATHS;
    bool is_inside = false; /* of the quotes of a path */
    const char *start = parsing->at;
    const char *quote = NULL;

    condition->is_quoted = is_quote(*start);
    if (condition->is_quoted)
        return parse_quoted_field(parsing, condition);
    if (*start == '(')
        return fail(parsing, start, parenthesis);
    for (; *parsing->at != '\0' && (is_inside || !is_operator(parsing->at));
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
    if (is_inside)
        return fail(parsing, quote, "this quote is not closed");
    if (*parsing->at == '\0')
        return fail(parsing, parsing->at, no_operator);
    const char *end = parsing->at;
    while (end > start && is_blank(end[-1]))
        end--;
    if (end == start)
        return fail(parsing, start, "no field in front of the operator");
    return copy(parsing, &condition->field, start, (size_t)(end - start));
}

static int
parse_operator(struct parsing *parsing, struct condition *condition)
{
    const char *start = parsing->at;
    size_t length = *start == '!';

    length += strspn(start + length, "=<>");
    if (start[length] == '~')
        return fail(parsing, start, no_expression);
    for (int op = 0; op < CONDITION_OPS; op++) {
        if (strlen(op_texts[op]) != length ||
            memcmp(op_texts[op], start, length) != 0)
            continue;
        condition->op = (enum condition_op)op;
        condition->op_text = op_texts[op];
        parsing->at += length;
        return 0;
    }
    return fail(parsing, start,
                strncmp(start, "==", length) == 0
                    ? "write = instead of =="
                    : "no such operator; there are = != < <= > >=");
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
    if (number->kind <= TEXT_NUMBER_INVALID)
        return 0;
    condition->kind = CONDITION_NUMBER;
    if (number->kind == TEXT_NUMBER_FINITE && number->digits > 0 &&
        (number->exponent > EXPONENT_MOST || number->exponent < -EXPONENT_MOST))
        return fail(parsing, start, "this exponent is too large");
    find_range(condition);
    return 0;
}

static int
parse_value(struct parsing *parsing, struct condition *condition)
{
    const char *start = parsing->at;

    if (*start == '\0')
        return fail(parsing, start,
                    "no value after the operator; '' is the empty text");
    if (is_quote(*start)) {
        if (parse_quoted(parsing, &condition->value, &condition->size) < 0)
            return -1;
        if (*parsing->at != '\0')
            return fail(parsing, parsing->at,
                        "the condition goes on after the quoted value; give "
                        "--where for each condition");
        return 0;
    }
    if (*start == '~')
        return fail(parsing, start, no_expression);
    for (; *parsing->at != '\0'; parsing->at++) {
        if (is_operator(parsing->at))
            return fail(parsing, parsing->at,
                        "another operator; quote a value that has one, and "
                        "give --where for each condition");
        if (is_connective(parsing->at))
            return fail(parsing, parsing->at,
                        "quote a value that has || or &&; several --where "
                        "mean and");
    }
    const char *end = parsing->at;
    while (is_blank(end[-1]))
        end--;
    condition->size = (size_t)(end - start);
    if (copy(parsing, &condition->value, start, condition->size) < 0)
        return -1;
    return find_kind(parsing, start, condition);
}

int
condition_parse(struct condition *condition, const struct text_format *format,
                const char *text, struct error *error)
{
    struct parsing parsing = {text, text, error};

    *condition = (struct condition){0};
    skip_blanks(&parsing);
    if (parse_field(&parsing, format, condition) < 0 ||
        parse_operator(&parsing, condition) < 0)
        return -1;
    skip_blanks(&parsing);
    return parse_value(&parsing, condition);
}

int
condition_modify(struct condition *condition, const struct modifiers *chain,
                 struct error *error)
{
    const unsigned char *text = (const unsigned char *)condition->value;
    size_t size = condition->size;

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
condition_holds_whole(const struct condition *condition, uint32_t whole)
{
    const int64_t nano = (int64_t)whole * 1000000000;
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

void
condition_close(struct condition *condition)
{
    free(condition->field);
    free(condition->chain);
    free(condition->value);
    *condition = (struct condition){0};
}

/* ---- lists ---- */

int
condition_list_parse(struct condition_list *list,
                     const struct text_format *format, const char *const *text,
                     size_t count, struct error *error)
{
    *list = (struct condition_list){0};
    if (count == 0)
        return 0;
    list->condition = calloc(count, sizeof *list->condition);
    if (list->condition == NULL)
        return error_fail_memory(error);
    while (list->count < count) {
        size_t i = list->count++;
        if (condition_parse(&list->condition[i], format, text[i], error) < 0)
            return -1;
    }
    return 0;
}

void
condition_list_close(struct condition_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        condition_close(&list->condition[i]);
    free(list->condition);
    *list = (struct condition_list){0};
}
