/* SPDX-License-Identifier: MIT */
/* quality_set.h -- which qualities have occurred */

#ifndef GPUHIST_QUALITY_SET_H
#define GPUHIST_QUALITY_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/sequence.h"
#include "kernels/seq/sequence_tables.h"

/* Eight qualities that follow each other share a byte. */
#define QUALITY_SET_BYTES (SEQUENCE_QUALITIES / 8)

struct quality_set {
    bool is_kept; /* somebody needs the members: position_planes.h */
    /* Each member is at its own place; elsewhere is another byte. */
    unsigned char known[128];
    unsigned char byte[QUALITY_SET_BYTES]; /* a bit for each member */
};

/* Empty SET, which is kept or not. */
void quality_set_open(struct quality_set *set, bool is_kept);

/*
 * Returns whether tables have a cell for each of the SIZE bytes at QUALITY.
 * Then all of them are in SET, if it is kept.
 */
bool quality_set_take(struct quality_set *set, const unsigned char *quality,
                      size_t size);

/* The most reads of quality_set_find(). */
#define QUALITY_SET_READS 32

/*
 * Returns a bit for each of COUNT reads of DATA with qualities for which
 * quality_set_take() would return true, and do nothing; for some of these, no
 * bit.
 */
uint32_t quality_set_find(const struct quality_set *set,
                          const unsigned char *data,
                          const struct sequence_record *record, size_t count);

#ifdef SCAN_HAS_AVX512
/* Whether SET, which is kept, has all of the bytes. */
bool quality_set_has(const struct quality_set *set,
                     const unsigned char *quality, size_t size);

/* As quality_set_find(), of SET, which is kept. */
uint32_t quality_set_find_kept(const struct quality_set *set,
                               const unsigned char *data,
                               const struct sequence_record *record,
                               size_t count);
#endif

#endif
