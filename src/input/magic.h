/* SPDX-License-Identifier: MIT */
/* magic.h -- whether the first bytes of data are a magic number */

#ifndef GPUHIST_MAGIC_H
#define GPUHIST_MAGIC_H

#include <stddef.h>

/* Starts a legacy frame of lz4. */
#define MAGIC_LZ4_LEGACY "\x02\x21\x4c\x18"

/* What the bytes at the start of data say about a format. */
enum magic {
    MAGIC_NO,    /* not this format */
    MAGIC_SHORT, /* more bytes are needed to tell */
    MAGIC_YES,
};

/* Compare the SIZE bytes at HEAD with the LENGTH bytes of NUMBER. */
enum magic magic_compare(const unsigned char *head, size_t size,
                         const void *number, size_t length);

/* Whether the SIZE bytes at HEAD start a bzip2 stream: three letters and a
   digit. */
enum magic magic_is_bzip2(const unsigned char *head, size_t size);

/* Whether they start a frame of lz4, be it of an old kind, but no skippable
   one. */
enum magic magic_is_lz4(const unsigned char *head, size_t size);

/* Whether they start a skippable frame, which several formats have. */
enum magic magic_is_skippable(const unsigned char *head, size_t size);

/* Whether they start a lzip member. */
enum magic magic_is_lzip(const unsigned char *head, size_t size);

/* Whether they start a .Z file of compress(1). */
enum magic magic_is_compress(const unsigned char *head, size_t size);

/*
 * Whether they look like the start of a .lzma file, which has no magic number:
 * the properties that all programs choose, a size of the dictionary and a size
 * of the content as xz(1) accepts, and data that start with 0.
 * MAGIC_LZMA_BYTES are enough.
 */
#define MAGIC_LZMA_BYTES 14
enum magic magic_looks_like_lzma(const unsigned char *head, size_t size);

/* Whether they start an xz stream. */
enum magic magic_is_xz(const unsigned char *head, size_t size);

/* Whether the bytes start an xz stream, perhaps with damage after the first
   four bytes, which no other data have by chance. */
enum magic magic_looks_like_xz(const unsigned char *head, size_t size);

#endif
