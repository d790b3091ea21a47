/* SPDX-License-Identifier: MIT */
/*
 * key_memory.h -- the memory of all key tables of a run, with a limit
 *
 * Tables take all memory that grows with the number of keys from here, so the
 * sum is known and stays within the limit, also while a table grows.
 */

#ifndef GPUHIST_KEY_MEMORY_H
#define GPUHIST_KEY_MEMORY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Results of functions that take memory. */
enum key_result {
    KEY_OK = 0,
    KEY_NO_MEMORY = -1, /* the system has no memory left */
    KEY_LIMIT = -2,     /* the bytes would exceed the limit */
    KEY_FAILED = -3,    /* a temporary file has failed */
};

/* Many blocks, in one huge page. */
struct key_slab {
    unsigned char *pages;
    unsigned int taken; /* blocks so far, under the lock */
    unsigned int used;  /* of the taken blocks, not given back yet */
};

/* The bytes of a block; the log of it. */
#define KEY_BLOCK_LOG 16
#define KEY_BLOCK_BYTES ((size_t)1 << KEY_BLOCK_LOG)

struct key_memory {
    size_t limit;           /* bytes */
    size_t slabs_min;       /* used before blocks come from slabs */
    atomic_size_t used;     /* with the reserved bytes */
    atomic_size_t reserved; /* to be taken later */
    atomic_size_t peak;     /* the most bytes taken at a time, about */
    pthread_mutex_t lock;
    struct key_slab *slab; /* with free blocks, or NULL; under the lock */
};

/* Allow LIMIT bytes; SIZE_MAX: any number. */
void key_memory_open(struct key_memory *memory, size_t limit);

/* One thread takes the blocks of MEMORY, which is new: slabs come sooner. */
void key_memory_serve_one(struct key_memory *memory);

/* Close MEMORY after all bytes have been given back. */
void key_memory_close(struct key_memory *memory);

/*
 * Returns BYTES of undefined content, aligned to 64, or NULL: then RESULT says
 * why.
 */
void *key_memory_take(struct key_memory *memory, size_t bytes,
                      enum key_result *result);

/*
 * Count BYTES as used that are taken later.  Returns false, with nothing done,
 * if these BYTES exceed the limit.
 */
bool key_memory_reserve(struct key_memory *memory, size_t bytes);

/* As key_memory_take(), of reserved BYTES, whose reservation ends. */
void *key_memory_take_reserved(struct key_memory *memory, size_t bytes,
                               enum key_result *result);

void key_memory_unreserve(struct key_memory *memory, size_t bytes);

/* As key_memory_take(), all zeros. */
void *key_memory_take_zeros(struct key_memory *memory, size_t bytes,
                            enum key_result *result);

/*
 * Returns a block, or NULL: then RESULT says why.  Sets *SLAB to the slab of
 * the block, or to NULL.  A slab counts as used until all of its blocks are
 * given back.
 */
void *key_memory_take_block(struct key_memory *memory, struct key_slab **slab,
                            enum key_result *result);

/* Release BLOCK of SLAB. */
void key_memory_give_block(struct key_memory *memory, void *block,
                           struct key_slab *slab);

/* Release the BYTES at POINTER, or nothing if POINTER is NULL. */
void key_memory_give(struct key_memory *memory, void *pointer, size_t bytes);

#endif
