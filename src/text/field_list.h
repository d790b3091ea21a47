/* SPDX-License-Identifier: MIT */
/* field_list.h -- the fields of text that the user lists */

#ifndef GPUHIST_FIELD_LIST_H
#define GPUHIST_FIELD_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "text/modify/modifiers.h"
#include "text/text_format.h"
#include "text/text_header.h"

/* More are probably a mistake. */
#define FIELD_LIST_MAX 1024

/* Set *FIELD to the field of the LENGTH bytes at NAME, in the argument of
   OPTION.  Returns 0, or -1 with *ERROR set. */
typedef int field_finder(const char *option, const char *name, size_t length,
                         struct text_field *field, struct error *error);

struct field_list {
    struct text_field *field; /* COUNT of them, owned, in the user's order */
    char **name;              /* of each, owned: what the user wrote, with
                                 modifiers; NULL: it has a number alone */
    char **source;            /* of each, owned: its name without modifiers;
                                 NULL: it has a number */
    char **within;            /* of each, owned: SOURCE is a list of JSON, and
                                 this path, which may be empty, is wanted of
                                 each element; NULL: none is */
    struct modifiers *chain;  /* of each, owned: its modifiers */
    bool *is_quoted;          /* of each, owned: the name was between quotes */
    uint32_t *parts;          /* of each, owned, once field_list_number_parts()
                                 has set it: the number, from 1, of the list
                                 whose parts it has; 0: none */
    size_t count;

    field_finder *find; /* of TEXT_NAMES_OTHERS; else NULL */

    /* The expression whose groups are fields (regex_scan.h), or the argument of
       --log-format (pattern_scan.h), which outlives the list; or NULL. */
    const char *expression;

    /* Fields from SHARED to FIRST may be listed again. */
    size_t shared;
    size_t first;
};

/*
 * Parse TEXT, the argument of OPTION, which is for messages: items separated by
 * commas.  For CLF, each is a name of clf_names.h, for JSON a path of
 * json_paths.h.  Else it is N, N-M, NF or NF-N; or a name, which is any other
 * text, until field_list_resolve().  Text between double quotes (quoted.h) is a
 * name or a path.  Modifiers may follow each field after colons; a name before
 * field_list_resolve() has its modifiers inside.  A field with equal modifiers
 * may be listed only once; as a record may have any number of fields, NF and a
 * number are different ones.  Returns 0, or -1 with *ERROR set; the caller
 * calls field_list_close() in both cases.
 */
int field_list_parse(struct field_list *list, const struct text_format *format,
                     const char *option, const char *text, struct error *error);

/*
 * Append the fields of TEXT to LIST, which is all 0 but FIND at first.  As
 * field_list_parse().
 */
int field_list_add(struct field_list *list, const struct text_format *format,
                   const char *option, const char *text, struct error *error);

/* One field, as the user wrote it. */
struct field_parts {
    const char *name;  /* with its modifiers, unless it was quoted */
    const char *chain; /* the modifiers after quotes; NULL: none */
    bool is_quoted;    /* NAME was between quotes */
};

/*
 * Set LIST, which is all 0 but FIND, to the field of PARTS.  A quoted name is
 * that of a header, if headers have names, whatever the name looks like.  As
 * field_list_parse(), but a comma belongs to the name.
 */
int field_list_parse_one(struct field_list *list,
                         const struct text_format *format, const char *option,
                         const struct field_parts *parts, struct error *error);

/* What a field of all members has of each: the text after the source. */
#define FIELD_LIST_MEMBER '{'
#define FIELD_LIST_MEMBER_NAME "{name}"
#define FIELD_LIST_MEMBER_VALUE "{value}"

/*
 * Append two fields to LIST, of JSON or logfmt: the name and the value of each
 * member of a record, as elements of a list.  Of members with one name in a
 * record, the last one is an element.  Returns 0, or -1 with *ERROR set.
 */
int field_list_add_members(struct field_list *list, struct error *error);

/* Whether WITHIN, of a field or NULL, is of all members. */
static inline bool
field_list_is_of_members(const char *within)
{
    return within != NULL && *within == FIELD_LIST_MEMBER;
}

/* Whether TEXT, one field, is a name, which only a header can resolve. */
bool field_list_is_name(const char *text);

/* Whether TEXT has a name, which only a header can resolve. */
bool field_list_needs_header(const char *text);

/*
 * Set the number of each field of LIST, from FIRST on and before END, that has
 * a name.  HEADER has the name, or the name with the quotes that the user has
 * written; the longest name that a text starts with counts, and modifiers
 * follow it.  If HEADER is NULL, all inputs are empty, and any number does.
 * Returns 0, or -1 with *ERROR set: not in the header, or there twice, or a
 * field of the list already.
 */
int field_list_resolve(struct field_list *list, size_t first, size_t end,
                       const char *option, const struct text_header *header,
                       struct error *error);

/*
 * Set *PLACE to the place of field 0 of ONE in LIST; move the field to the end
 * of LIST first if LIST lacks it.  Returns 0, or -1 with *ERROR set.
 */
int field_list_include(struct field_list *list, struct field_list *one,
                       size_t *place, struct error *error);

/* The same, but LIST may have the field already: it gets another one. */
int field_list_append(struct field_list *list, struct field_list *one,
                      size_t *place, struct error *error);

/* Whether some field of LIST has modifiers. */
bool field_list_has_chain(const struct field_list *list);

/* Whether field I of LIST gives an element for each part of a value. */
bool field_list_has_parts(const struct field_list *list, size_t i);

/* Number the lists whose parts the fields of LIST have, in the order of the
   fields. */
void field_list_number_parts(struct field_list *list);

/* Whether the fields I and J of LIST, which have parts, have parts of the same
   list, or those of J are in the parts of I. */
bool field_list_is_around(const struct field_list *list, size_t i, size_t j);

/* Returns the length of WITHIN, of a field, up to the last list in it; 0: it
   has none. */
size_t field_list_lists(const char *within);

/* Whether values of LIST are derived: some field has modifiers, or parts. */
bool field_list_is_derived(const struct field_list *list);

/*
 * Set *SOURCES, which is all 0, to the fields of LIST without modifiers, each
 * once, and COLUMN[i] to the place of field i of LIST among these.  Returns 0,
 * or -1: out of memory; the caller calls field_list_close() in both cases.
 */
int field_list_sources(struct field_list *sources,
                       const struct field_list *list, uint32_t *column);

void field_list_close(struct field_list *list);

#endif
