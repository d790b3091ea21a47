/* SPDX-License-Identifier: MIT */
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
#include <stdint.h>
#include <sys/types.h>

#include "input/decodable.h"
#include "input/decoder.h"

/* See struct decoder_type. */
struct decoder_walk *gzip_walk_open(int fd, off_t offset);

/* Advance past a block; see struct decoder_type. */
int gzip_walk_step(struct decoder_walk *walk);

/* Whether a block starts at WALK->offset. */
bool gzip_walk_is_at_block(struct decoder_walk *walk);

/* Add the regular file FD, which has BYTES from START on, to DECODABLE, if it
   starts with a block.  A block is never as long as LEAST. */
void gzip_walk_survey(struct decodable *decodable, int fd, off_t start,
                      uint64_t bytes, uint64_t least);

#endif
