/* byte_count_portable.h -- count bytes on any processor */

#ifndef GPUHIST_BYTE_COUNT_PORTABLE_H
#define GPUHIST_BYTE_COUNT_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#define BYTE_COUNT_BINS 256

/*
 * Every form of counting bytes, here and in byte_count*.h, adds the values of
 * the SIZE bytes at DATA, any alignment, to the counts BIN[v] of how many
 * bytes had the value v.  SIZE may be beyond 4 GiB.  No form reads a byte
 * outside [DATA, DATA + SIZE).  All give the same counts: the data decide only
 * how long counting takes.
 */

/* One byte at a time: small, obvious, the reference for every other form. */
void byte_count_portable(const unsigned char *data, size_t size,
                         uint64_t bin[BYTE_COUNT_BINS]);

/*
 * 64 bytes at a time into eight tables, so that two equal neighbours do not
 * wait for each other's store; a block of one repeated value is counted at
 * once.  (Several tables: as in zstd's hist.c and Turbo-Histogram, both of
 * which give the idea its usual form.)
 */
void byte_count_tables(const unsigned char *data, size_t size,
                       uint64_t bin[BYTE_COUNT_BINS]);

/*
 * Ask for the memory that will be wanted soon after DATA: what a processor
 * asks for by itself ends with each page.  This is no access, so that it may
 * lie behind the buffer.
 */
static inline void
byte_count_ahead(const unsigned char *data)
{
    __builtin_prefetch((const void *)((uintptr_t)data + 4096));
}

#endif
