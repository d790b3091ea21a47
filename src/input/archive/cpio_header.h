/* SPDX-License-Identifier: MIT */
/*
 * cpio_header.h -- the headers of entries in cpio archives
 *
 * There are four kinds, named as GNU cpio does.  newc and crc have 8 digits of
 * base 16 for each number, and pad names and data to 4 bytes.  odc has 6 or 11
 * octal digits, and pads nothing.  bin has words of 16 bits in either byte
 * order, and pads to 2 bytes.  Source: cpio(5) of libarchive, and cpio.h of
 * POSIX.
 */

#ifndef GPUHIST_CPIO_HEADER_H
#define GPUHIST_CPIO_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CPIO_MAGIC_BYTES = 6,   /* tell the kind */
    CPIO_HEADER_BYTES = 110 /* of the longest header, without a name */
};

/* The name of the entry that ends an archive. */
#define CPIO_TRAILER "TRAILER!!!"

struct cpio_header {
    bool is_new;  /* newc or crc: of a file with several names, only the last
                      entry has the data */
    bool has_sum; /* crc */
    uint64_t dev; /* with INO, tells which names are of one file */
    uint64_t ino;
    uint32_t mode; /* as of stat() */
    uint32_t links;
    uint32_t sum; /* of the bytes of the data */
    uint64_t size;
    size_t name_bytes; /* with the NUL at the end */
    size_t name_pad;   /* bytes after the name ... */
    size_t data_pad;   /* ... and after the data */
};

/* Returns the length of a header, without the name, that starts with the
   CPIO_MAGIC_BYTES at DATA; 0: no header starts so. */
size_t cpio_header_bytes(const unsigned char *data);

/* Read the header at DATA, of cpio_header_bytes().  Returns whether its numbers
   are numbers, and it has a name. */
bool cpio_header_read(struct cpio_header *header, const unsigned char *data);

#endif
