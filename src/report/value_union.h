/*
 * value_union.h -- the values of several groups, each once, with its count
 *
 * Values are the codes (key_code.h) that the rows of groups end with.  They are
 * in a table in memory; what is beyond a limit is in sorted runs in a temporary
 * file, as keys are while they are counted.
 */

#ifndef GPUHIST_VALUE_UNION_H
#define GPUHIST_VALUE_UNION_H

#include <stdint.h>

#include "base/error.h"
#include "hist/key_run.h"
#include "hist/key_table.h"
#include "kernels/text/hash.h"

/* Bytes of memory; less makes runs that are too short. */
#define VALUE_UNION_MIN ((size_t)4 << 20)

struct value_union {
    struct key_memory memory;
    struct key_table table;
    struct key_runs runs;
    struct hash_key hash_key;
    unsigned int threads; /* that sort; may be changed */
    size_t limit;         /* of the memory, in bytes */
};

/* Start without values.  About LIMIT bytes are in memory, or VALUE_UNION_MIN if
   that is more; at most THREADS threads sort. */
void value_union_open(struct value_union *values, size_t limit,
                      unsigned int threads);

/* Add COUNT to the count of the SIZE bytes at CODE.  Returns 0, or -1 with
   *ERROR set. */
int value_union_add(struct value_union *values, const unsigned char *code,
                    uint32_t size, uint64_t count, struct error *error);

/* Takes a value: its code and its count.  Returns 0, or -1 with *ERROR set. */
typedef int value_union_visit(void *context, const struct key_entry *value,
                              struct error *error);

/*
 * Call VISIT for each value, in the order of the codes, until it fails.
 * Nothing can be added afterwards.  Returns 0, or -1 with *ERROR set.
 */
int value_union_read(struct value_union *values, value_union_visit *visit,
                     void *context, struct error *error);

void value_union_close(struct value_union *values);

#endif
