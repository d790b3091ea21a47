/*
 * identity.h -- which bytes an input has, recognised when they come again
 *
 * The bytes are hashed while they are read: see portion.h.  Readers may add
 * them in any order, and more than once.  Bytes that nobody has added, as those
 * of a header at which an input was looked, are read again at the end.
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

/*
 * Begin with byte BEGIN of a file of SIZE bytes; a pipe has SIZE -1.  If there
 * is no memory, identity_portion() will say so.
 */
void identity_open(struct identity *identity, const char *name, off_t begin,
                   off_t size);

/*
 * The portion of a regular file is from BEGIN to END, or to the file's end if
 * that is before it.  One thread alone uses the file then.
 */
void identity_limit(struct identity *identity, off_t begin, off_t end);

/*
 * The portion is what the shard SHARD of SHARDS has, in the run RUN
 * (portion.h): of the bytes so far those from FROM to TO, or to their end if
 * that is UINT64_MAX.  If nothing of them is counted, the portion has none.
 * One thread alone uses the file then.
 */
void identity_shard(struct identity *identity, uint64_t shard, uint64_t shards,
                    uint64_t run, uint64_t from, uint64_t to);

/* The input NAME is not read: unless there is a portion already, make an empty
   one. */
void identity_skip(struct identity *identity, const char *name);

/* Something of the input is counted.  Any thread may call it. */
void identity_note_content(struct identity *identity);

/*
 * Add the SIZE bytes at DATA, which were read at OFFSET.  One thread at a time
 * calls it; it is fast if each call goes on where the one before ended.
 */
void identity_add_next(struct identity *identity, const void *data, size_t size,
                       off_t offset);

/* The same for bytes of a regular file, by any threads at once.  Reads from FD
   what the last leaf lacks. */
void identity_add_at(struct identity *identity, int fd, const void *data,
                     size_t size, off_t offset);

/*
 * The input is read to its end, and FD is still open: make the portion.  Does
 * nothing if it is made already.
 */
void identity_complete(struct identity *identity, int fd);

/*
 * Returns the portion, or NULL: it is not complete; then *ERROR is set if that
 * is a failure.
 */
const struct portion *identity_portion(const struct identity *identity,
                                       struct error *error);

void identity_close(struct identity *identity);

#endif
