/*
 * member_input.h -- an archive as an input that has several contents
 *
 * The content of an archive is the content of one member after the other.  One
 * reader reads all members.
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
