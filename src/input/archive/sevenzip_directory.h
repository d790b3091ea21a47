/* SPDX-License-Identifier: MIT */
/*
 * sevenzip_directory.h -- the directory of a 7z archive, which is in memory
 *
 * Only sizes are read.  Source: 7zFormat.txt of the LZMA SDK.
 */

#ifndef GPUHIST_SEVENZIP_DIRECTORY_H
#define GPUHIST_SEVENZIP_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sync/budget.h"

/* Methods of compression. */
#define SEVENZIP_COPY 0
#define SEVENZIP_LZMA 0x030101
#define SEVENZIP_LZMA2 0x21

enum {
    /* libarchive reads no folder with more coders. */
    SEVENZIP_CODERS_MAX = 4
};

/* Files that are compressed together. */
struct sevenzip_folder {
    uint64_t outs;     /* streams that its coders write */
    uint64_t packed;   /* streams in the archive */
    uint64_t memory;   /* for decoding */
    uint64_t unpacked; /* bytes of its last stream */
    uint64_t streams;  /* files */
    uint64_t coders;
    uint64_t odd_method;        /* as of the directory */
    uint64_t method;            /* of the first coder ... */
    const unsigned char *props; /* ... and its properties */
    size_t props_bytes;
    uint32_t digest;
    bool has_digest;
    bool is_encrypted;
    bool is_split; /* BCJ2: libarchive keeps three streams in memory */
};

struct sevenzip_directory {
    struct budget *share;
    uint64_t reserved; /* of SHARE, for FOLDER */

    bool is_packed; /* the folder has the directory, compressed */
    uint64_t start; /* of the first stream, after the first header ... */
    uint64_t bytes; /* ... and its size */
    struct sevenzip_folder *folder;
    uint64_t folders;
    uint64_t files;
    uint64_t memory;     /* that libarchive takes, in all */
    uint64_t odd_method; /* one that not every libarchive reads, or 0 */
};

enum sevenzip_result {
    SEVENZIP_GOOD,
    SEVENZIP_BAD,       /* the directory is damaged */
    SEVENZIP_NO_MEMORY, /* SHARE has too little for the folders */
};

/* Read the SIZE bytes at DATA, which must stay in place. The caller calls
   sevenzip_directory_close() in any case. */
enum sevenzip_result
sevenzip_directory_read(struct sevenzip_directory *directory,
                        struct budget *share, const unsigned char *data,
                        size_t size);

/* Release everything. */
void sevenzip_directory_close(struct sevenzip_directory *directory);

#endif
