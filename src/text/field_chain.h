/* SPDX-License-Identifier: MIT */
/*
 * field_chain.h -- the modifiers after the name of a field, as the user writes
 * them
 *
 * The text of a field is NAME[:MODIFIER...].  A name may have colons: only a
 * header, or the table of modifiers, tells where the name ends.
 */

#ifndef GPUHIST_FIELD_CHAIN_H
#define GPUHIST_FIELD_CHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/visible.h"
#include "text/modify/modifiers.h"

/* Room for field_chain_note(). */
#define FIELD_CHAIN_NOTE_BYTES (VISIBLE_BYTES + 64)

/*
 * Returns the length of the first item of LIST, which ends before a comma or at
 * the end.  Commas in the quotes of an argument belong to the item, and, if
 * HAS_PATHS, commas in the quotes of a path.
 */
size_t field_chain_item(const char *list, bool has_paths);

/*
 * If LIST starts with a text in double quotes that is a whole item, or that
 * modifiers follow, returns the length of the item, and sets *QUOTED to the
 * length of the text with its quotes; otherwise returns 0.
 */
size_t field_chain_quoted_item(const char *list, size_t *quoted);

/*
 * Returns the offset of the first colon in the LENGTH bytes at TEXT, from FROM
 * on, that only names of modifiers follow, whose arguments may be wrong; LENGTH
 * otherwise.
 */
size_t field_chain_start(const char *text, size_t length, size_t from);

/*
 * Returns the text after the argument of the modifier that the colon at AT
 * starts, if the modifier takes an argument and = follows; otherwise AT.  The
 * argument ends before a colon, a blank, an operator of conditions or a comma
 * that is outside of double quotes.
 */
const char *field_chain_argument(const char *at);

/*
 * Write to NOTE what modifier is near to the end of NAME, the name of a field
 * that has a colon and no modifiers; nothing if there is none.
 */
void field_chain_note(const char *name, char note[FIELD_CHAIN_NOTE_BYTES]);

/* As modifiers_reading(). */
const char *field_chain_reading(const unsigned char *text, size_t size);

/* Set *ERROR, which names OPTION: the modifier AFTER cannot follow BEFORE. */
void field_chain_fail_order(const char *option,
                            const struct modifier_type *before,
                            const struct modifier_type *after,
                            struct error *error);

/*
 * Parse the LENGTH bytes at TEXT, the modifiers without the first colon, into
 * *CHAIN.  Returns 0, or -1 with *ERROR set, which names OPTION; the caller
 * calls modifiers_close() in both cases.
 */
int field_chain_parse(struct modifiers *chain, const char *option,
                      const char *text, size_t length, struct error *error);

#endif
