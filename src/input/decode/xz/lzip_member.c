/* SPDX-License-Identifier: MIT */
/* lzip_member.c -- the members of a lzip file */

#include <stdlib.h>
#include <sys/stat.h>

#include "base/little_endian.h"
#include "input/decode/xz/lzip_member.h"
#include "input/file_window.h"
#include "input/magic.h"

/* The size of the dictionary is 2^BITS minus sixteenths of it. */
#define BITS_LEAST 12
#define BITS_MOST 29
#define DICTIONARY_LEAST ((uint32_t)1 << BITS_LEAST)

/* CRC-32 and size of the content, and size of the member. */
#define TRAILER_BYTES 20
#define MEMBER_BYTES_LEAST 36

/* A file with more members has one reader: the memory for their places is not
   reserved. */
#define MEMBERS_MAX ((size_t)1 << 17)

uint32_t
lzip_member_dictionary(const unsigned char *header)
{
    unsigned int bits = header[5] & 31;
    unsigned int sixteenths = header[5] >> 5;

    if (magic_is_lzip(header, LZIP_HEADER_BYTES) != MAGIC_YES ||
        header[4] > LZIP_VERSION_SIZED || bits < BITS_LEAST || bits > BITS_MOST)
        return 0;
    uint32_t size = (uint32_t)1 << bits;
    size -= size / 16 * sixteenths;
    return size < DICTIONARY_LEAST ? 0 : size;
}

/* ---- the walk ---- */

struct member {
    off_t start;
    uint64_t content_bytes;
};

struct lzip_walk {
    struct decoder_walk base;
    size_t left;            /* members that the walk has not come to */
    struct member member[]; /* of all, the last one first */
};

static struct lzip_walk *
walk_of(struct decoder_walk *base)
{
    return (struct lzip_walk *)base;
}

/* Set *MEMBER to the member that ends at END of the file, after FIRST.  Returns
   false: none does. */
static bool
find_member(struct file_window *window, off_t first, off_t end,
            struct member *member)
{
    size_t size;

    if (end - first < MEMBER_BYTES_LEAST)
        return false;
    const unsigned char *trailer =
        file_window_look(window, end - TRAILER_BYTES, TRAILER_BYTES, &size);
    if (size < TRAILER_BYTES)
        return false;
    uint64_t bytes = little_endian_64(trailer + 12);
    member->content_bytes = little_endian_64(trailer + 4);
    if (bytes < MEMBER_BYTES_LEAST || bytes > (uint64_t)(end - first))
        return false;
    member->start = end - (off_t)bytes;
    const unsigned char *header =
        file_window_look(window, member->start, LZIP_HEADER_BYTES, &size);
    return size >= LZIP_HEADER_BYTES && header[4] == LZIP_VERSION_SIZED &&
           lzip_member_dictionary(header) != 0;
}

/* Returns WALK, or a new walk, with room for COUNT members; NULL: out of
   memory, and WALK is freed. */
static struct lzip_walk *
make_room(struct lzip_walk *walk, size_t count)
{
    void *grown = realloc(walk, sizeof *walk + count * sizeof *walk->member);

    if (grown == NULL)
        free(walk);
    return grown;
}

/* Returns a walk over the members from FIRST to END, where the file ends; NULL:
   there are others than members, or too many, or no memory. */
static struct lzip_walk *
find_members(int fd, off_t first, off_t end)
{
    struct file_window window = {.fd = fd};
    struct lzip_walk *walk = NULL;
    size_t count = 0;

    while (end > first && count < MEMBERS_MAX) {
        if ((count & (count - 1)) == 0)
            walk = make_room(walk, count == 0 ? 1 : count * 2);
        if (walk == NULL)
            return NULL;
        if (!find_member(&window, first, end, &walk->member[count]))
            break;
        end = walk->member[count++].start;
    }
    if (end > first || count == 0) {
        free(walk);
        return NULL;
    }
    walk->left = count;
    return walk;
}

struct decoder_walk *
lzip_member_walk_open(int fd, off_t offset)
{
    struct stat status;
    struct lzip_walk *walk = fstat(fd, &status) == 0
                                 ? find_members(fd, offset, status.st_size)
                                 : NULL;

    if (walk == NULL)
        return NULL;
    walk->base = (struct decoder_walk){.offset = offset, .is_sized = true};
    return &walk->base;
}

int
lzip_member_walk_step(struct decoder_walk *base)
{
    struct lzip_walk *walk = walk_of(base);

    if (walk->left <= 1)
        return -1;
    walk->left--;
    base->content_bytes += walk->member[walk->left].content_bytes;
    base->offset = walk->member[walk->left - 1].start;
    return 0;
}

bool
lzip_member_walk_is_at_member(struct decoder_walk *base)
{
    return walk_of(base)->left > 0;
}
