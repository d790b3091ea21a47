/*
 * zstd_walk.h -- where the frames of a zstd file begin
 *
 * A frame does not say how long it is, but each of its blocks does.  Going
 * from one to the next takes a few bytes of every 128 KiB of content: about a
 * hundredth of the time that decoding takes.  So every file of many frames
 * can be decoded side by side, whoever wrote it: pzstd, the seekable format
 * or cat.  What those add for the purpose is a promise, not a fact; it would
 * have to be checked, and that is this walk.
 */

#ifndef GPUHIST_ZSTD_WALK_H
#define GPUHIST_ZSTD_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Start from {.fd = , .offset = , .is_sized = true}, at a frame's begin. */
struct zstd_walk {
    int fd;       /* of a regular file, which is read but not moved in */
    off_t offset; /* of what comes next: a frame, or one of its blocks */
    bool in_frame;
    bool has_checksum;      /* this frame */
    bool is_sized;          /* all frames so far said their content's size: */
    uint64_t content_bytes; /* the decoded bytes before the end of this one */

    unsigned char data[4096]; /* of the file, ... */
    size_t data_bytes;        /* ... so many, ... */
    off_t data_offset;        /* ... from here on */
};

/*
 * Go past a frame's header, or past a block.  At a frame's begin WALK->in_frame
 * is false.  Returns 0; or -1 when nothing more can be found: where the file
 * ends, cannot be read or is not zstd.
 */
int zstd_walk_step(struct zstd_walk *walk);

/* Whether a frame begins at WALK->offset, where the last one has ended. */
bool zstd_walk_is_at_frame(struct zstd_walk *walk);

#endif
