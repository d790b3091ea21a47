/* SPDX-License-Identifier: MIT */
/*
 * bgzf_batch.h -- fill the batches of a device with blocks of BGZF
 *
 * A walk reads blocks that follow each other in a file.  The header of a block
 * states its size, so that nothing is decoded.  The walk ends before a member
 * that is not a block, or a block with more content than a device takes: the
 * library decodes such members.
 */

#ifndef GPUHIST_BGZF_BATCH_H
#define GPUHIST_BGZF_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/device/decoding_walk.h"
#include "input/source.h"

/* The least sizes of a device for which batches can be filled. */
extern const struct decoding_sizes bgzf_batch_least;

/* Returns the memory of a walk. */
uint64_t bgzf_batch_walk_bytes(void);

/* Start at OFFSET of SOURCE, where a block starts.  Returns 0, or -1: out of
   memory; both for decoding_walk_close(). */
int bgzf_batch_open(struct decoding_walk *walk, const struct source *source,
                    const struct decoding_sizes *sizes, off_t offset,
                    off_t pause_at);

/*
 * Fill BATCH with the next blocks: the walk is not over.  Sets START[I], for
 * which there is room for each block and one more, to where block number I is
 * in the file, and after the last one to where that ends.  Returns whether
 * there are any blocks; if not, the walk is over.
 */
bool bgzf_batch_fill(struct decoding_walk *walk, struct decoding_batch *batch,
                     off_t *start);

#endif
