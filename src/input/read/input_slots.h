/*
 * input_slots.h -- what stays of each input, however many there are
 *
 * There may be hundreds of thousands of names, but only some inputs are read
 * at a time.  So each name has a slot of a few bytes, and a struct input exists
 * only from its opening until it is read and nobody refers to it.  If messages
 * need more of it than its slot has, such as an error, it exists until
 * inputs_close().  So do the first input, inputs that are parts of a state or
 * of a shard, and archives.
 */

#ifndef GPUHIST_INPUT_SLOTS_H
#define GPUHIST_INPUT_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/read/claim.h"

/*
 * Make the slots of INPUTS, whose other fields are set, and look at the sizes
 * of all files.  Returns 0, or -1 with *ERROR set: there is no memory, or an
 * input is a file that is written.  The caller calls input_slots_close() in
 * both cases.
 */
int input_slots_open(struct inputs *inputs, struct error *error);

void input_slots_close(struct inputs *inputs);

/* Returns the path of input I; NULL: it is standard input. */
const char *input_slot_path(const struct inputs *inputs, size_t i);

/* Returns the name of input I in messages. */
const char *input_slot_name(const struct inputs *inputs, size_t i);

/* Returns input I, which is made if it does not exist; or NULL: out of memory.
   Under the lock of INPUTS, unless there is one thread. */
struct input *input_slot_make(struct inputs *inputs, size_t i);

#endif
