/* SPDX-License-Identifier: MIT */
/*
 * zstd_walk.h -- find where the frames of a zstd file start
 *
 * A frame does not store its length, but each block does.  Walking from block
 * to block reads a few bytes for every 128 KiB of content, which takes about a
 * hundredth of the time of decoding.  So any file of several frames can be
 * decoded in parallel, whether pzstd, a writer of the seekable format or cat
 * wrote it.  The walk ignores the seek tables of some writers: a check of such
 * a table would need the walk anyway.
 */

#ifndef GPUHIST_ZSTD_WALK_H
#define GPUHIST_ZSTD_WALK_H

#include <stdbool.h>
#include <sys/types.h>

#include "input/decodable.h"
#include "input/decoder.h"

/* See struct decoder_type. */
struct decoder_walk *zstd_walk_open(int fd, off_t offset);

/* Advance past a frame's header or a block; see struct decoder_type. */
int zstd_walk_step(struct decoder_walk *walk);

/* Whether a frame starts at WALK->offset and the previous frame ends there. */
bool zstd_walk_is_at_frame(struct decoder_walk *walk);

/* Add the regular file FD to DECODABLE: see struct decoders_format. */
void zstd_walk_survey(struct decodable *decodable, int fd, off_t start,
                      uint64_t bytes, uint64_t least);

#endif
