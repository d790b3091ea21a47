/* SPDX-License-Identifier: MIT */
/* xz_walk.c -- find where the blocks of an xz file start */

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "input/decode/xz/xz_walk.h"

/*
 * A file with more blocks has one reader: the memory for its index is not
 * reserved.
 */
#define BLOCKS_MAX ((uint64_t)1 << 17)
#define INDEX_BYTES_MAX ((uint64_t)4 << 20)

#define LOOK_BYTES 4096

/* lzma_file_info_decoder() is in liblzma from 5.4 on. */
#if LZMA_VERSION >= UINT32_C(50040002)

/* Look at the next bytes for STREAM, at OFFSET of the file. */
static ssize_t
look(lzma_stream *stream, int fd, off_t offset, unsigned char *bytes)
{
    ssize_t got;

    do {
        got = pread(fd, bytes, LOOK_BYTES, offset);
    } while (got < 0 && errno == EINTR);
    stream->next_in = bytes;
    stream->avail_in = got > 0 ? (size_t)got : 0;
    return got;
}

/* Returns the index of all streams from FIRST on, or NULL. */
static lzma_index *
read_index(int fd, off_t first)
{
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_index *index = NULL;
    unsigned char bytes[LOOK_BYTES];
    struct stat status;
    off_t at = first;

    if (fstat(fd, &status) < 0 || status.st_size <= first ||
        lzma_file_info_decoder(&stream, &index, INDEX_BYTES_MAX,
                               (uint64_t)(status.st_size - first)) != LZMA_OK)
        return NULL;
    for (;;) {
        if (stream.avail_in == 0) {
            ssize_t got = look(&stream, fd, at, bytes);
            if (got <= 0)
                break;
            at += got;
        }
        lzma_ret result = lzma_code(&stream, LZMA_RUN);
        if (result == LZMA_SEEK_NEEDED) {
            at = first + (off_t)stream.seek_pos;
            stream.avail_in = 0;
        } else if (result != LZMA_OK) {
            break;
        }
    }
    /* INDEX is set at the end, after all has been verified. */
    lzma_end(&stream);
    return index;
}

#else

static lzma_index *
read_index(int fd, off_t first)
{
    (void)fd;
    (void)first;
    return NULL;
}

#endif

/* Returns a walk with a record for each block of INDEX, or NULL. */
static struct xz_walk *
make_walk(const lzma_index *index, off_t first)
{
    uint64_t count = lzma_index_block_count(index);
    struct xz_walk *walk =
        count <= BLOCKS_MAX
            ? calloc(1, sizeof *walk + count * sizeof *walk->record)
            : NULL;
    lzma_index_iter iter;

    if (walk == NULL)
        return NULL;
    walk->base = (struct decoder_walk){.offset = first, .is_sized = true};
    lzma_index_iter_init(&iter, index);
    while (walk->count < count &&
           !lzma_index_iter_next(&iter, LZMA_INDEX_ITER_BLOCK))
        walk->record[walk->count++] = (struct xz_record){
            .start = first + (off_t)iter.block.compressed_file_offset,
            .unpadded_bytes = iter.block.unpadded_size,
            .content_bytes = iter.block.uncompressed_size,
            .stream_end = first + (off_t)(iter.stream.compressed_offset +
                                          iter.stream.compressed_size),
            .check = iter.stream.flags->check,
        };
    return walk;
}

struct decoder_walk *
xz_walk_open(int fd, off_t offset)
{
    lzma_index *index = read_index(fd, offset);

    if (index == NULL)
        return NULL;
    struct xz_walk *walk = make_walk(index, offset);
    lzma_index_end(index, NULL);
    return walk != NULL ? &walk->base : NULL;
}

int
xz_walk_step(struct decoder_walk *base)
{
    struct xz_walk *walk = (struct xz_walk *)base;

    if (walk->next == walk->count)
        return -1;
    if (walk->next > 0)
        walk->base.content_bytes += walk->record[walk->next - 1].content_bytes;
    walk->base.offset = walk->record[walk->next++].start;
    return 0;
}

bool
xz_walk_is_at_block(struct decoder_walk *base)
{
    return ((struct xz_walk *)base)->next > 0;
}
