/* SPDX-License-Identifier: MIT */
/* modifiers.c -- the modifiers of a field: their table, and chains of them */

#include <stdlib.h>
#include <string.h>

#include "base/near_names.h"
#include "base/quoted.h"
#include "text/modify/modifiers.h"
#include "text/modify/number_modifiers.h"
#include "text/modify/text_modifiers.h"
#include "text/modify/time_modifiers.h"

/* More are probably a mistake. */
#define CHAIN_MAX 16

/* ---- the table ---- */

/* The rows of each file; a row without a name ends them. */
static const struct modifier_type *const tables[] = {
    time_modifiers,
    text_modifiers,
    number_modifiers,
};

#define TABLES (sizeof tables / sizeof tables[0])

const struct modifier_type *
modifiers_find(const char *name, size_t length)
{
    for (size_t t = 0; t < TABLES; t++) {
        for (const struct modifier_type *row = tables[t]; row->name != NULL;
             row++) {
            if (strlen(row->name) == length &&
                memcmp(row->name, name, length) == 0)
                return row;
        }
    }
    return NULL;
}

const char *
modifiers_near(const char *name, size_t length)
{
    const char *near = NULL;
    size_t least = length / 3 + 1;

    for (size_t t = 0; t < TABLES; t++) {
        for (const struct modifier_type *row = tables[t]; row->name != NULL;
             row++) {
            size_t distance = spelling_distance(name, length, row->name);
            if (distance < least) {
                least = distance;
                near = row->name;
            }
        }
    }
    return near;
}

/* ---- parsing ---- */

/* Returns the end of the argument at TEXT: the first colon outside quotes, or
   END.  A quote that does not close is a byte like others. */
static const char *
argument_end(const char *text, const char *end)
{
    size_t size;

    for (; text < end && *text != ':'; text++) {
        const char *closed =
            *text == '"' ? quoted_read(text, NULL, &size) : NULL;
        if (closed != NULL && closed <= end)
            text = closed - 1;
    }
    return text;
}

/*
 * Read the argument at TEXT, before END, into MODIFIER.  Quotes around the
 * whole argument are left out; quotes within it stay: 5":".  Returns the text
 * after it, or NULL: out of memory.
 */
static const char *
read_argument(struct modifier *modifier, const char *text, const char *end)
{
    const char *after = argument_end(text, end);

    modifier->size = (size_t)(after - text);
    modifier->text = malloc(modifier->size + 1);
    if (modifier->text == NULL)
        return NULL;
    if (text < end && *text == '"') {
        size_t size;
        if (quoted_read(text, NULL, &size) == after)
            return quoted_read(text, modifier->text, &modifier->size);
    }
    memcpy(modifier->text, text, modifier->size);
    modifier->text[modifier->size] = '\0';
    return after;
}

/* Whether MODIFIER has the argument that its row wants; sets its numbers. */
static bool
check_argument(struct modifier *modifier)
{
    const struct modifier_type *type = modifier->type;

    if (modifier->text == NULL)
        return type->argument != MODIFIER_NEEDS_ARGUMENT &&
               (type->parse == NULL || type->parse(modifier));
    return type->argument != MODIFIER_WITHOUT_ARGUMENT &&
           (type->parse == NULL || type->parse(modifier));
}

/* Parse the modifier at *TEXT, before END, and move *TEXT after it. */
static enum modifiers_result
parse_one(struct modifier *modifier, const char **text, const char *end,
          struct modifiers_fault *fault)
{
    const char *name = *text;

    while (*text < end && **text != ':' && **text != '=')
        ++*text;
    *fault = (struct modifiers_fault){.word = name,
                                      .length = (size_t)(*text - name)};
    modifier->type = modifiers_find(name, fault->length);
    if (modifier->type == NULL)
        return MODIFIERS_WRONG;
    if (*text < end && **text == '=') {
        const char *argument = ++*text;
        *text = read_argument(modifier, argument, end);
        if (*text == NULL)
            return MODIFIERS_NO_MEMORY;
        *fault = (struct modifiers_fault){.word = argument,
                                          .length = (size_t)(*text - argument)};
    }
    fault->type = modifier->type;
    return check_argument(modifier) ? MODIFIERS_OK : MODIFIERS_WRONG;
}

bool
modifiers_may_follow(const struct modifier_type *before,
                     const struct modifier_type *after)
{
    return before->gives != MODIFIER_GIVES_DECIMAL ||
           after->reads == MODIFIER_READS_BYTES ||
           (after->reads == MODIFIER_READS_DIGITS && before->keeps_digits);
}

/* Check that the last modifier of CHAIN may follow the one before. */
static enum modifiers_result
check_order(const struct modifiers *chain, struct modifiers_fault *fault)
{
    const struct modifier *last = &chain->modifier[chain->count - 1];

    if (chain->count == 1 || modifiers_may_follow(last[-1].type, last->type))
        return MODIFIERS_OK;
    fault->before = last[-1].type;
    return MODIFIERS_WRONG;
}

enum modifiers_result
modifiers_parse(struct modifiers *chain, const char *text, size_t length,
                struct modifiers_fault *fault)
{
    const char *end = text + length;

    *chain = (struct modifiers){.modifier =
                                    calloc(CHAIN_MAX, sizeof *chain->modifier)};
    if (chain->modifier == NULL)
        return MODIFIERS_NO_MEMORY;
    for (;;) {
        if (chain->count == CHAIN_MAX) {
            *fault = (struct modifiers_fault){.word = text,
                                              .length = (size_t)(end - text)};
            return MODIFIERS_WRONG;
        }
        enum modifiers_result result =
            parse_one(&chain->modifier[chain->count++], &text, end, fault);
        if (result == MODIFIERS_OK)
            result = check_order(chain, fault);
        if (result != MODIFIERS_OK || text == end)
            return result;
        text++;
    }
}

int
modifiers_add(struct modifiers *chain, const char *name)
{
    struct modifier *grown =
        realloc(chain->modifier, (chain->count + 1) * sizeof *grown);

    if (grown == NULL)
        return -1;
    chain->modifier = grown;
    grown[chain->count++] =
        (struct modifier){.type = modifiers_find(name, strlen(name))};
    return 0;
}

void
modifiers_close(struct modifiers *chain)
{
    for (size_t i = 0; i < chain->count; i++)
        free(chain->modifier[i].text);
    free(chain->modifier);
    *chain = (struct modifiers){0};
}

/* ---- chains ---- */

/* Whether two arguments are the same bytes, or both missing. */
static bool
argument_equal(const struct modifier *one, const struct modifier *other)
{
    if (one->text == NULL || other->text == NULL)
        return one->text == other->text;
    return one->size == other->size &&
           memcmp(one->text, other->text, one->size) == 0;
}

bool
modifiers_equal(const struct modifiers *one, const struct modifiers *other)
{
    bool is_equal = one->count == other->count;

    for (size_t i = 0; is_equal && i < one->count; i++)
        is_equal = one->modifier[i].type == other->modifier[i].type &&
                   argument_equal(&one->modifier[i], &other->modifier[i]);
    return is_equal;
}

bool
modifiers_append(struct modifiers *chain, struct modifiers *from)
{
    size_t count = chain->count + from->count;
    struct modifier *all = realloc(chain->modifier, count * sizeof *all + 1);

    if (all == NULL)
        return false;
    chain->modifier = all;
    if (from->count > 0)
        memcpy(all + chain->count, from->modifier, from->count * sizeof *all);
    chain->count = count;
    free(from->modifier);
    *from = (struct modifiers){0};
    return true;
}

enum modifier_gives
modifiers_give(const struct modifiers *chain)
{
    return chain->modifier[chain->count - 1].type->gives;
}

size_t
modifiers_parts(const struct modifiers *chain)
{
    size_t i = 0;

    while (i < chain->count &&
           chain->modifier[i].type->gives != MODIFIER_GIVES_PARTS)
        i++;
    return i;
}

bool
modifiers_apply(const struct modifiers *chain, size_t first, size_t end,
                const unsigned char **text, size_t *size, unsigned char *out)
{
    for (size_t i = first; i < end; i++) {
        const struct modifier *modifier = &chain->modifier[i];
        /* The text may be at OUT: the next text is after it. */
        size_t room = *size + MODIFIER_ROOM;
        if (!modifier->type->apply(modifier, text, size, out))
            return false;
        out += room;
    }
    return true;
}

const char *
modifiers_reading(const unsigned char *text, size_t size)
{
    static const char *const names[] = {"duration", "size"};
    const char *reading = NULL;

    for (size_t i = 0; reading == NULL && i < sizeof names / sizeof *names;
         i++) {
        struct modifiers chain;
        struct modifiers_fault fault;
        const unsigned char *made = text;
        size_t made_size = size;
        unsigned char *out = NULL;
        if (modifiers_parse(&chain, names[i], strlen(names[i]), &fault) ==
            MODIFIERS_OK)
            out = malloc(modifiers_room(&chain, size));
        if (out != NULL &&
            modifiers_apply(&chain, 0, chain.count, &made, &made_size, out))
            reading = names[i];
        free(out);
        modifiers_close(&chain);
    }
    return reading;
}
