/* SPDX-License-Identifier: MIT */
/*
 * member_input.h -- an archive as an input that has several contents
 *
 * The content of an archive is the content of one member after the other.  One
 * reader opens all members, and reads them, unless they are ranges of a file of
 * arrays: all readers share these.  Then the next member is opened after all
 * ranges of the current one are read.
 */

#ifndef GPUHIST_MEMBER_INPUT_H
#define GPUHIST_MEMBER_INPUT_H

#include "input/read/claim.h"

/*
 * Make the next member of INPUT its content, for content_open(); opens the
 * archive before the first member.  After the last member, the decoders in
 * *SPARE and of the content are closed.  Returns 1; or 0: no member is left; or
 * -1 with the error of INPUT's source set.
 */
int member_input_next(struct inputs *inputs, struct input *input,
                      struct decoder **spare);

/* Returns the budget for the decoders of INPUT's content. */
struct budget *member_input_budget(const struct inputs *inputs,
                                   const struct input *input);

/* Close the archive and the content of INPUT, and *SPARE, to release memory.
   The name in messages and the error stay. */
void member_input_close(struct input *input, struct decoder **spare);

/* Whether other readers may share the members of INPUT.  Under the lock. */
bool member_input_has_ranges(const struct input *input);

/* Whether any reader uses a range of the current member of the archive of
   CLAIM.  Under the lock. */
bool member_input_is_read(const struct claim *claim);

/* Wait until that is false, so that the archive may go on or be closed.  Under
   the lock, which is released meanwhile. */
void member_input_await(struct inputs *inputs, struct claim *claim);

/* The reader of CLAIM reads no more members of its archive, if any.  Under the
   lock. */
void member_input_leave(struct inputs *inputs, struct claim *claim);

/* Release everything. */
void member_input_free(struct input *input);

/* Returns how many members of INPUT are noted as KIND; if any, sets *FIRST to
   the name of the first one. */
size_t member_input_count(const struct input *input, enum member_kind kind,
                          const char **first);

#endif
