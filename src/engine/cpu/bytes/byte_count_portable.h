/* SPDX-License-Identifier: MIT */
/* byte_count_portable.h -- count bytes on any processor */

#ifndef GPUHIST_BYTE_COUNT_PORTABLE_H
#define GPUHIST_BYTE_COUNT_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#define BYTE_COUNT_BINS 256

/*
 * The contract of all forms, here and in the other byte_count*.h: for each of
 * the SIZE bytes at DATA, at any alignment, add 1 to BIN[v], where v is the
 * value of the byte.  SIZE may exceed 4 GiB.  No form reads a byte outside
 * [DATA, DATA + SIZE).  All forms give the same counts; they differ only in
 * speed.
 */

/* One byte at a time: the reference for all other forms. */
void byte_count_portable(const unsigned char *data, size_t size,
                         uint64_t bin[BYTE_COUNT_BINS]);

/*
 * 64 bytes at a time into eight tables, so that equal neighbours do not wait
 * for each other's store (as in zstd's hist.c and Turbo-Histogram).  A block of
 * one repeated value is counted at once.
 */
void byte_count_tables(const unsigned char *data, size_t size,
                       uint64_t bin[BYTE_COUNT_BINS]);

/*
 * Prefetch the memory one page after DATA, because hardware prefetchers stop
 * at the end of each page.  A prefetch is not an access, so the address may be
 * after the end of the buffer.
 */
static inline void
byte_count_ahead(const unsigned char *data)
{
    __builtin_prefetch((const void *)((uintptr_t)data + 4096));
}

#endif
