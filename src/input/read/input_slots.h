/* SPDX-License-Identifier: MIT */
/*
 * input_slots.h -- a slot of a few bytes for each name of an input
 *
 * A run may have hundreds of thousands of names, but reads only some inputs at
 * a time.  So each name has a slot of a few bytes, and a struct input exists
 * only from opening until the input is read and unused.  If messages need more
 * than the slot has, such as an error, the struct exists until inputs_close().
 * So does the struct of the first input, of inputs of a state or of a shard,
 * and of archives.
 */

#ifndef GPUHIST_INPUT_SLOTS_H
#define GPUHIST_INPUT_SLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/read/claim.h"

/*
 * Make the slots of INPUTS, whose other fields are set, and look at the sizes
 * of all files.  Returns 0, or -1 with *ERROR set: out of memory, or an input
 * is also an output file.  The caller calls input_slots_close() in both cases.
 */
int input_slots_open(struct inputs *inputs, struct error *error);

void input_slots_close(struct inputs *inputs);

/* Forget the inputs from number COUNT on. */
void input_slots_cut(struct inputs *inputs, size_t count);

/* Returns the path of input I; NULL: it is standard input. */
const char *input_slot_path(const struct inputs *inputs, size_t i);

/* Returns the name of input I in messages. */
const char *input_slot_name(const struct inputs *inputs, size_t i);

/* Returns input I, made at the first call; or NULL: out of memory.  Under the
   lock of INPUTS, unless the process has one thread, or I is of the caller's
   batch. */
struct input *input_slot_make(struct inputs *inputs, size_t i);

#endif
