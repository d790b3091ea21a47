/* SPDX-License-Identifier: MIT */
/*
 * decodable.h -- how much a device could decode, of regular files
 *
 * A survey looks at the first frame of each file (decoders_survey()).  A plan
 * compares what a device and the CPU would need for the files.
 */

#ifndef GPUHIST_DECODABLE_H
#define GPUHIST_DECODABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* So many bytes at the start of a content are kept. */
#define DECODABLE_HEAD_BYTES 512

/* Files of zstd that start with a long frame, and that start with a short one;
   frames to skip may come first.  And files of BGZF. */
struct decodable {
    size_t files;
    uint64_t largest_bytes; /* of one file */
    size_t long_files;
    uint64_t long_bytes;     /* of these files */
    uint64_t long_content;   /* stated by their first frames, or about: by the
                                first blocks of these */
    uint64_t unsummed_bytes; /* of LONG_BYTES: frames without a checksum ... */
    uint64_t unsummed_content; /* ... and of LONG_CONTENT */
    uint64_t many_bytes;       /* of the other files of zstd */
    uint64_t many_content;     /* about: by the blocks of their first frames */
    uint64_t block_bytes;      /* of files of BGZF with content */
    uint64_t block_content;    /* about: by their first blocks */
    uint64_t fastq_content;    /* of BLOCK_CONTENT, what looks like FASTQ ... */
    uint64_t bam_content;      /* ... and BAM */
    uint64_t window;           /* the largest window of the first frames */
    bool wants_head;           /* set before: where blocks start is wanted */
    size_t head_bytes;         /* of the first block seen last, ... */
    unsigned char head[DECODABLE_HEAD_BYTES]; /* the first bytes */
};

/* Returns the bytes of all these files. */
static inline uint64_t
decodable_bytes(const struct decodable *decodable)
{
    return decodable->long_bytes + decodable->many_bytes +
           decodable->block_bytes;
}

#endif
