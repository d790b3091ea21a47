/* SPDX-License-Identifier: MIT */
/*
 * gzip_header.h -- parse the headers of gzip members (RFC 1952)
 *
 * A header may have strings longer than any buffer, so it is parsed piece by
 * piece.  The blocks of BGZF (the SAM specification, section 4.1) are members
 * that state their size in an extra field.
 */

#ifndef GPUHIST_GZIP_HEADER_H
#define GPUHIST_GZIP_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/magic.h"

enum {
    GZIP_HEADER_MAGIC_BYTES = 4,
    GZIP_HEADER_FLAGS_AT = 3,
    GZIP_HEADER_TRAILER_BYTES = 8, /* after the content: CRC, length */
    GZIP_HEADER_BLOCK_MAX = 65536, /* the longest block of BGZF */
};

/* Which field the next byte belongs to. */
enum gzip_header_field {
    GZIP_HEADER_FIXED,
    GZIP_HEADER_EXTRA_SIZE,
    GZIP_HEADER_EXTRA,
    GZIP_HEADER_NAME,
    GZIP_HEADER_COMMENT,
    GZIP_HEADER_CRC,
    GZIP_HEADER_END,
};

/* All 0: before the first byte. */
struct gzip_header {
    enum gzip_header_field field;
    uint32_t at;      /* bytes of FIELD that were taken ... */
    uint32_t value;   /* ... and, of a short number, its value so far */
    unsigned flags;   /* which fields there are */
    uint32_t crc;     /* of the bytes so far, if there will be a checksum */
    uint64_t bytes;   /* of the header so far */
    uint32_t extra;   /* bytes of the extra field */
    uint32_t part_at; /* bytes of its current subfield that were taken */
    unsigned char part[4]; /* the first ones: two letters, a size */

    /* The size of the whole member, if it is a block of BGZF; else 0. */
    uint32_t block_bytes;
};

/* Whether the SIZE bytes at DATA start a gzip member. */
enum magic gzip_header_match(const unsigned char *data, size_t size);

/* Whether they start a gzip member, possibly with reserved flags, which are
   damage. */
enum magic gzip_header_looks_like(const unsigned char *data, size_t size);

/*
 * Take the next SIZE bytes at DATA, of which the first four are known to
 * match.  Returns how many bytes belong to the header: all, unless
 * HEADER->field is GZIP_HEADER_END afterwards.  Returns -1 if the header's
 * checksum is wrong.
 */
ptrdiff_t gzip_header_take(struct gzip_header *header,
                           const unsigned char *data, size_t size);

/*
 * Whether the SIZE bytes at DATA start with a whole block of BGZF; then *HEADER
 * is its header.  MAGIC_SHORT: GZIP_HEADER_BLOCK_MAX bytes may say more.
 */
enum magic gzip_header_match_block(struct gzip_header *header,
                                   const unsigned char *data, size_t size);

#endif
