/* state_entry.h -- an entry of a run that is being made of a code */

#ifndef GPUHIST_STATE_ENTRY_H
#define GPUHIST_STATE_ENTRY_H

#include <string.h>

#include "hist/key_table.h"

/* Room for what is before the key. */
#define STATE_ENTRY_ROOM (KEY_ENTRY_SIZE_AT + 5)

/* Write the entry of the key of SIZE bytes at KEY to ENTRY, which has room for
   STATE_ENTRY_ROOM more, with COUNT.  Returns its end. */
static inline unsigned char *
state_entry_write(unsigned char *entry, const unsigned char *key, size_t size,
                  uint64_t count)
{
    unsigned char *at = entry + KEY_ENTRY_SIZE_AT;
    size_t rest = size;

    memcpy(entry, &count, sizeof count);
    for (; rest > 127; rest >>= 7)
        *at++ = (unsigned char)(rest | 128);
    *at++ = (unsigned char)rest;
    if (size > 0)
        memcpy(at, key, size);
    return at + size;
}

#endif
