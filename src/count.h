/* count.h -- count the bytes of a buffer on the CPU */

#ifndef GPUHIST_COUNT_H
#define GPUHIST_COUNT_H

#include <stddef.h>
#include <stdint.h>

#define COUNT_BINS 256

/*
 * Both add the values of the SIZE bytes at DATA, any alignment, to the counts
 * BIN[v] of how many bytes had the value v.  They read no byte outside
 * [DATA, DATA + SIZE).
 */

/* One byte at a time: small, obvious, the reference for every other form. */
void count_portable(const unsigned char *data, size_t size,
                    uint64_t bin[COUNT_BINS]);

/*
 * 64 bytes at a time into eight tables, so that two equal neighbours do not
 * wait for each other's store; a block of one repeated value is counted at
 * once.  SIZE may be beyond 4 GiB.  (Several tables: as in zstd's hist.c and
 * Turbo-Histogram, both of which give the idea its usual form.)
 */
void count_fast(const unsigned char *data, size_t size,
                uint64_t bin[COUNT_BINS]);

#endif
