/* SPDX-License-Identifier: MIT */
/*
 * condition.h -- a condition on the records of text: FIELD OP VALUE
 *
 * OP is = != < <= > >= =~ or !~. FIELD is the text before the first operator,
 * VALUE the text after it; blanks at their ends are dropped.  Text with an
 * operator inside, or blanks at its ends, is written between quotes, "..." or
 * '...', where a doubled quote stands for one quote; so is a text with || or &&
 * inside, a VALUE that starts with ~, a VALUE that starts with ! directly after
 * =, and a FIELD that starts with a parenthesis.  The VALUE of =~ or !~ may
 * have operators without quotes.
 * A FIELD in quotes is a name, never a number.  A path of JSON may have
 * operators in the quotes of its brackets, a["x<y"], too.  Modifiers may follow
 * FIELD after colons (field_chain.h); the = before the argument of a modifier
 * is not an operator.
 *
 * A VALUE without quotes that is a number (text_number.h) is compared as a
 * number: with all its digits, as a decimal.  Then the condition does not hold
 * for fields without a number: text, empty fields, NaN, and missing fields,
 * whatever OP is. \N without quotes is compared with whether the field is
 * missing; only = and != may be used.  Any other VALUE is compared as bytes; a
 * missing field is neither equal, unequal, less nor greater.
 *
 * VALUE after =~ and !~ is a regular expression (regex.h), with or without
 * quotes.  =~ holds for a field in which the expression matches somewhere, !~
 * for any other field; neither holds for a missing field.
 *
 * Several conditions stand in one text with || (or) and && (and) between them;
 * && binds closer.
 */

#ifndef GPUHIST_CONDITION_H
#define GPUHIST_CONDITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "kernels/text/text_number.h"
#include "text/modify/modifiers.h"
#include "text/regex/regex.h"
#include "text/text_format.h"

/* The most conditions in all --where: each has a bit of 64 bits. */
#define CONDITIONS_MAX 64

enum condition_op {
    CONDITION_EQUAL,
    CONDITION_UNEQUAL,
    CONDITION_LESS,
    CONDITION_AT_MOST,
    CONDITION_GREATER,
    CONDITION_AT_LEAST,
    CONDITION_LIKE,
    CONDITION_UNLIKE,
    CONDITION_OPS
};

enum condition_kind {
    CONDITION_TEXT,
    CONDITION_NUMBER,
    CONDITION_MISSING,    /* VALUE is \N */
    CONDITION_EXPRESSION, /* VALUE is a regular expression */
};

struct condition {
    char *where;      /* the argument of --where whose first condition this is;
                         owned.  NULL: another condition comes before */
    size_t begin;     /* its place in that argument ... */
    size_t end;       /* ... without blanks around it */
    bool is_after_or; /* || stands before it */
    enum condition_op op;
    const char *op_text; /* OP as it is written */
    enum condition_kind kind;
    char *field;    /* as a string, without quotes; owned */
    bool is_flag;   /* it stands alone, after ! if VALUE is 0, else 1 */
    bool is_quoted; /* it was between quotes ... */
    char *chain;    /* ... and these modifiers follow; owned, or NULL */
    char *value;    /* SIZE bytes and a NUL, without quotes; owned */
    size_t size;
    struct text_number number; /* of VALUE, if VALUE is a number */

    /* If VALUE is a text without quotes that < or > compare: a modifier that
       makes a number of VALUE; or NULL. */
    const char *reading;

    /* The decimals in units of 10^-9 for which a condition on a number holds,
       from LEAST to MOST; if EXCLUDED, all decimals but these. */
    int64_t least;
    int64_t most;
    bool is_excluded;

    struct regex *regex; /* VALUE, if it is an expression; owned */

    /* Set by the user of the condition: where its field is. */
    size_t column;       /* among the wanted fields of text */
    bool is_of_list;     /* the field has parts: the condition holds for a
                            record if it holds for any part */
    enum text_part part; /* of a sequence ... */
    struct modifiers chain_of_part; /* ... and its modifiers; owned */
};

/*
 * The field of CONDITION has the modifiers CHAIN.  If they give decimals, VALUE
 * is a number, or a text of which the last modifier makes a number.  Returns 0,
 * or -1 with *ERROR set.
 */
int condition_modify(struct condition *condition, const struct modifiers *chain,
                     struct error *error);

/* Whether CONDITION, on no expression, holds for a value of SIZE bytes at TEXT,
   which is not missing. */
bool condition_holds(const struct condition *condition,
                     const unsigned char *text, size_t size);

/*
 * The same of any CONDITION; MATCHER is of its expression, NULL if it has none.
 * Returns REGEX_MATCH: it holds, REGEX_NO_MATCH: it does not, or why this is
 * unknown.
 */
enum regex_result condition_test(const struct condition *condition,
                                 struct regex_matcher *matcher,
                                 const unsigned char *text, size_t size);

/* As condition_holds() for a value that is the whole number WHOLE, from -2^33
   to 2^33, or a double; the condition is on a number.  A double is compared
   with the double nearest to VALUE. */
bool condition_holds_whole(const struct condition *condition, int64_t whole);
bool condition_holds_double(const struct condition *condition, double real);

/* Whether the condition holds for a missing field. */
static inline bool
condition_holds_missing(const struct condition *condition)
{
    return condition->kind == CONDITION_MISSING &&
           condition->op == CONDITION_EQUAL;
}

/* Whether only a header can tell the number of its field, where headers are. */
bool condition_has_name(const struct condition *condition);

/* ---- the conditions that records must meet to be counted ---- */

struct condition_list {
    struct condition *condition; /* COUNT of them, owned */
    size_t count;
};

/*
 * Parse the COUNT arguments TEXT of --where, of fields of FORMAT.  Returns 0,
 * or -1 with *ERROR set; the caller calls condition_list_close() in both cases.
 */
int condition_list_parse(struct condition_list *list,
                         const struct text_format *format,
                         const char *const *text, size_t count,
                         struct error *error);

/* Also of a LIST that is all 0. */
void condition_list_close(struct condition_list *list);

/* Whether LIST has an expression, for which a record may be an error. */
bool condition_list_has_expression(const struct condition_list *list);

/*
 * The conditions from FIRST up to END: one condition alone, or those of a
 * --where with ||, whose alternatives each fulfil the choice.  A record is
 * counted if it fulfils all choices.
 */
struct condition_choice {
    size_t first;
    size_t end;
};

/*
 * Find the choices of LIST, whose fields are known, in the order in which they
 * are tested: the cheap ones come first.  Returns their number.
 */
size_t condition_list_choices(const struct condition_list *list,
                              struct condition_choice choice[CONDITIONS_MAX]);

/* Returns the end of the alternative of CHOICE that starts with condition
   FIRST. */
size_t condition_list_alternative(const struct condition_list *list,
                                  const struct condition_choice *choice,
                                  size_t first);

/* What a condition costs; each of these costs more than those before it. */
enum condition_cost {
    CONDITION_CHEAP,
    CONDITION_OF_EXPRESSION,
    CONDITION_OF_LIST,
    CONDITION_COSTS
};

enum condition_cost condition_cost_of(const struct condition *condition);

/* ---- matchers, of one thread ---- */

struct condition_matchers {
    struct regex_matcher **matcher; /* of each condition, or NULL; owned */
    size_t count;
};

/* Make a matcher for each expression of LIST, which outlives MATCHERS.  Returns
   0, or -1: out of memory.  The caller calls condition_matchers_close() in both
   cases. */
int condition_matchers_open(struct condition_matchers *matchers,
                            const struct condition_list *list);

/* Also of MATCHERS that are all 0. */
void condition_matchers_close(struct condition_matchers *matchers);

#endif
