/* SPDX-License-Identifier: MIT */
/* field_chain.c -- the modifiers after the name of a field, as the user writes
   them */

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/quoted.h"
#include "base/visible.h"
#include "text/field_chain.h"

/* Returns the end of the argument at TEXT: the first byte outside of quotes
   that no argument has.  A quote that does not close is a byte like others. */
static const char *
argument_end(const char *text)
{
    size_t size;

    for (; *text != '\0' && strchr(":=,<>! \t", *text) == NULL; text++) {
        const char *closed =
            *text == '"' ? quoted_read(text, NULL, &size) : NULL;
        if (closed != NULL)
            text = closed - 1;
    }
    return text;
}

const char *
field_chain_argument(const char *at)
{
    const char *name = at + 1;
    size_t length = strcspn(name, ":=,<>! \t");
    const struct modifier_type *type = modifiers_find(name, length);

    if (type == NULL || type->argument == MODIFIER_WITHOUT_ARGUMENT ||
        name[length] != '=')
        return at;
    const char *end = argument_end(name + length + 1);
    /* Without the argument, = may be an operator. */
    if (type->argument == MODIFIER_MAY_HAVE_ARGUMENT) {
        struct modifiers_fault fault;
        struct modifiers chain;
        bool is_right = modifiers_parse(&chain, name, (size_t)(end - name),
                                        &fault) == MODIFIERS_OK;
        modifiers_close(&chain);
        return is_right ? end : at;
    }
    return end;
}

size_t
field_chain_item(const char *list, bool has_paths)
{
    const char *at = list;
    bool is_quoted = false;

    while (*at != '\0' && (is_quoted || *at != ',')) {
        const char *after = *at == ':' ? field_chain_argument(at) : at;
        if (!is_quoted && after > at) {
            at = after;
            continue;
        }
        if (has_paths && *at == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && *at == '\\' && at[1] != '\0')
            at++;
        at++;
    }
    return (size_t)(at - list);
}

size_t
field_chain_quoted_item(const char *list, size_t *quoted)
{
    size_t size;
    const char *end = *list == '"' ? quoted_read(list, NULL, &size) : NULL;

    if (end == NULL)
        return 0;
    *quoted = (size_t)(end - list);
    if (*end == ',' || *end == '\0')
        return *quoted;
    size_t length = *end == ':' ? field_chain_item(end, false) : 0;
    return length > 0 && field_chain_start(end, length, 0) == 0
               ? *quoted + length
               : 0;
}

size_t
field_chain_start(const char *text, size_t length, size_t from)
{
    for (size_t at = from; at < length; at++) {
        struct modifiers_fault fault;
        struct modifiers chain;
        if (text[at] != ':')
            continue;
        enum modifiers_result result =
            modifiers_parse(&chain, text + at + 1, length - at - 1, &fault);
        modifiers_close(&chain);
        if (result != MODIFIERS_WRONG || fault.type != NULL)
            return at;
    }
    return length;
}

void
field_chain_note(const char *name, char note[FIELD_CHAIN_NOTE_BYTES])
{
    const char *colon = strrchr(name, ':');
    const char *word = colon != NULL ? colon + 1 : "";
    size_t length = strcspn(word, "=");
    const char *near = length > 0 && modifiers_find(word, length) == NULL
                           ? modifiers_near(word, length)
                           : NULL;
    char shown[VISIBLE_BYTES];

    note[0] = '\0';
    if (near != NULL)
        snprintf(note, FIELD_CHAIN_NOTE_BYTES,
                 "; '%s' is not a modifier: did you mean '%s'?",
                 visible_name(shown, word, length), near);
}

void
field_chain_fail_order(const char *option, const struct modifier_type *before,
                       const struct modifier_type *after, struct error *error)
{
    bool is_interval = strcmp(after->name, "floor") == 0;

    error_set(error, EXIT_USAGE,
              "--%s: the modifier %s cannot follow %s, which gives a number%s",
              option, after->name, before->name,
              is_interval ? "; --bin-width=N has intervals of numbers" : "");
}

/* Set *ERROR to FAULT, which is in the modifiers TEXT. */
static void
fail(const char *option, const char *text, const struct modifiers_fault *fault,
     struct error *error)
{
    const struct modifier_type *type = fault->type;
    const char *near = modifiers_near(fault->word, fault->length);
    bool is_argument = fault->word > text && fault->word[-1] == '=';
    bool is_number = ascii_is_digit(*fault->word);
    char shown[VISIBLE_BYTES];

    visible_name(shown, fault->word, fault->length);
    if (fault->before != NULL)
        field_chain_fail_order(option, fault->before, type, error);
    else if (type == NULL && is_number)
        error_set(error, EXIT_USAGE,
                  "--%s: '%s' is not a modifier: write floor=%s for intervals; "
                  "and a name with a colon in double quotes",
                  option, shown, shown);
    else if (type == NULL)
        error_set(error, EXIT_USAGE,
                  "--%s: '%s' is not a modifier%s%s%s; write a name with a "
                  "colon in double quotes",
                  option, shown, near != NULL ? " (did you mean '" : "",
                  near != NULL ? near : "", near != NULL ? "'?)" : "");
    else if (type->argument == MODIFIER_WITHOUT_ARGUMENT)
        error_set(error, EXIT_USAGE,
                  "--%s: the modifier %s takes no argument, and '%s' is one",
                  option, type->name, shown);
    else
        error_set(
            error, EXIT_USAGE, "--%s: the modifier %s needs %s%s%s%s", option,
            type->name, type->wants != NULL ? type->wants : "an argument",
            is_argument ? ", not '" : " after =", is_argument ? shown : "",
            is_argument ? "'" : "");
}

const char *
field_chain_reading(const unsigned char *text, size_t size)
{
    return modifiers_reading(text, size);
}

int
field_chain_parse(struct modifiers *chain, const char *option, const char *text,
                  size_t length, struct error *error)
{
    struct modifiers_fault fault;
    enum modifiers_result result = modifiers_parse(chain, text, length, &fault);

    if (result == MODIFIERS_NO_MEMORY)
        return error_fail_memory(error);
    if (result == MODIFIERS_WRONG)
        fail(option, text, &fault, error);
    return result == MODIFIERS_OK ? 0 : -1;
}
