/*
 * framing.h -- where records begin and end in the content of an input
 *
 * A chunk holds whole records.  A framing looks at what a reader has read,
 * and says how much of it is whole records; the rest belongs to the next
 * chunk.  Each kind of framing is one file with a struct framing_type.
 */

#ifndef GPUHIST_FRAMING_H
#define GPUHIST_FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

struct framing_type;

struct framing {
    const struct framing_type *type;
    /* A record begins at each multiple of it in the content.  SIZE_MAX: only
       its first byte is known to begin one. */
    size_t step;
    bool drops_rest; /* a record that is cut off at the end is left out */
};

struct framing_type {
    /*
     * DATA, of SIZE bytes, begin with a record.  Returns how many of them
     * belong to whole records.
     */
    size_t (*whole)(const struct framing *framing, const unsigned char *data,
                    size_t size);

    /*
     * An input, NAME, ends REST bytes behind its last whole record; REST is
     * not 0.  Returns 0: they are left out; or -1 with *ERROR set.
     */
    int (*end)(const struct framing *framing, const char *name, size_t rest,
               struct error *error);
};

/* See struct framing_type. */
size_t framing_whole(const struct framing *framing, const unsigned char *data,
                     size_t size);
int framing_end(const struct framing *framing, const char *name, size_t rest,
                struct error *error);

/* The last offset in the content, up to OFFSET, where a record begins. */
uint64_t framing_align(const struct framing *framing, uint64_t offset);

/* Whether a record begins at OFFSET of the content, if that IS_KNOWN. */
bool framing_begins_at(const struct framing *framing, bool is_known,
                       uint64_t offset);

#endif
