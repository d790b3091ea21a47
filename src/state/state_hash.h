/* state_hash.h -- the hash of the bytes of a state: FNV-1a of 64 bits */

#ifndef GPUHIST_STATE_HASH_H
#define GPUHIST_STATE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct state_hash {
    uint64_t value;
};

void state_hash_begin(struct state_hash *hash);
void state_hash_add(struct state_hash *hash, const void *bytes, size_t size);

#endif
