/* SPDX-License-Identifier: MIT */
/*
 * identity.h -- the identity of an input, by the hash of its bytes
 *
 * The bytes are hashed while they are read: see portion.h.  Readers may add
 * bytes in any order, and more than once.  Bytes that nobody has added, such as
 * a header, are read again at the end.
 */

#ifndef GPUHIST_IDENTITY_H
#define GPUHIST_IDENTITY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/portion.h"

struct identity_work;

/* Of one input.  All 0: not open. */
struct identity {
    struct identity_work *work; /* while it is read; owned */
    atomic_bool has_content;
    bool is_complete; /* PORTION is */
    struct portion portion;
    struct error error;
};

/* Start with byte START in a file of SIZE bytes; a pipe has SIZE -1.  If out of
   memory, identity_portion() reports the error. */
void identity_open(struct identity *identity, const char *name, off_t start,
                   off_t size);

/* The portion of a regular file is from START to END, or to the file's end if
   the file is shorter.  No other thread may use the identity. */
void identity_limit(struct identity *identity, off_t start, off_t end);

/*
 * The portion is that of shard SHARD of SHARDS, in the run RUN (portion.h): of
 * the bytes so far, from FROM to TO; UINT64_MAX: to their end.  If none of
 * these bytes is counted, the portion is empty.  No other thread may use the
 * identity.
 */
void identity_shard(struct identity *identity, uint64_t shard, uint64_t shards,
                    uint64_t run, uint64_t from, uint64_t to);

/* The input NAME is not read: make an empty portion, unless one exists. */
void identity_skip(struct identity *identity, const char *name);

/* Something of the input is counted.  Any thread may call it. */
void identity_note_content(struct identity *identity);

/* Add the SIZE bytes at DATA, which were read at OFFSET.  One thread at a time
   calls this function; calls in the order of the file are fast. */
void identity_add_next(struct identity *identity, const void *data, size_t size,
                       off_t offset);

/* As identity_add_next(), for bytes of a regular file, by any threads at once.
   Reads the bytes that the last leaf lacks from FD. */
void identity_add_at(struct identity *identity, int fd, const void *data,
                     size_t size, off_t offset);

/* The input is read to its end, and FD is still open: make the portion, unless
   it is made already. */
void identity_complete(struct identity *identity, int fd);

/*
 * Returns the portion, or NULL: not complete, with *ERROR set after a failure.
 */
const struct portion *identity_portion(const struct identity *identity,
                                       struct error *error);

void identity_close(struct identity *identity);

#endif
