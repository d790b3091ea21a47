/*
 * zstd_walk.h -- where the frames of a zstd file begin
 *
 * A frame does not say how long it is, but each of its blocks does.  Going
 * from one to the next takes a few bytes of every 128 KiB of content: about a
 * hundredth of the time that decoding takes.  So every file of many frames
 * can be decoded side by side, also where pzstd, the seekable format or cat
 * wrote it.  The tables that some of them add are a promise, not a fact: to
 * check it would take this walk.
 */

#ifndef GPUHIST_ZSTD_WALK_H
#define GPUHIST_ZSTD_WALK_H

#include <stdbool.h>
#include <sys/types.h>

#include "input/decoder.h"

/* See struct decoder_type. */
struct decoder_walk *zstd_walk_open(int fd, off_t offset);

/* Go past a frame's header, or past a block. */
int zstd_walk_step(struct decoder_walk *walk);

/* Whether a frame begins at WALK->offset, where the last one has ended. */
bool zstd_walk_is_at_frame(struct decoder_walk *walk);

#endif
