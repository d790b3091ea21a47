/*
 * state_hash.c -- the hash of the bytes of a state: FNV-1a of 64 bits
 *
 * Each step maps different hashes to different ones, so no change of one byte
 * keeps the hash.
 */

#include "state/state_hash.h"

#define BEGIN UINT64_C(0xcbf29ce484222325)
#define PRIME UINT64_C(0x100000001b3)

void
state_hash_begin(struct state_hash *hash)
{
    hash->value = BEGIN;
}

void
state_hash_add(struct state_hash *hash, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t value = hash->value;

    for (size_t i = 0; i < size; i++)
        value = (value ^ byte[i]) * PRIME;
    hash->value = value;
}
