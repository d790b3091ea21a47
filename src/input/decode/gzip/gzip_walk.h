/*
 * gzip_walk.h -- find where the blocks of a BGZF file start
 *
 * A block states its size in its header.  A member that is not a block ends the
 * walk, because only decoding finds its end.  Index files (.gzi) are not
 * needed: the walk reads a few bytes for every 64 KiB of content.
 */

#ifndef GPUHIST_GZIP_WALK_H
#define GPUHIST_GZIP_WALK_H

#include <stdbool.h>
#include <sys/types.h>

#include "input/decoder.h"

/* See struct decoder_type. */
struct decoder_walk *gzip_walk_open(int fd, off_t offset);

/* Advance past a block; see struct decoder_type. */
int gzip_walk_step(struct decoder_walk *walk);

/* Whether a block starts at WALK->offset. */
bool gzip_walk_is_at_block(struct decoder_walk *walk);

#endif
