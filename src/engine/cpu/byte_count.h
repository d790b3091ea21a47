/* byte_count.h -- count the bytes of a buffer on the CPU */

#ifndef GPUHIST_BYTE_COUNT_H
#define GPUHIST_BYTE_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BYTE_COUNT_BINS 256

/*
 * All of them add the values of the SIZE bytes at DATA, any alignment, to the
 * counts BIN[v] of how many bytes had the value v.  SIZE may be beyond 4 GiB.
 * They read no byte outside [DATA, DATA + SIZE).  They agree on everything:
 * what the data look like decides only how long they take.
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

#ifdef BYTE_COUNT_HAS_AVX2
/* Whether this processor, and the kernel that runs it, can do the next one. */
bool byte_count_avx2_is_possible(void);

/* Frequent values by comparing bits, all others by tables: byte_count_avx2.c. */
void byte_count_avx2(const unsigned char *data, size_t size,
                     uint64_t bin[BYTE_COUNT_BINS]);
#endif

#ifdef BYTE_COUNT_HAS_AVX512
/* Whether this processor, and the kernel that runs it, can do the next one. */
bool byte_count_avx512_is_possible(void);

/* By comparing bits, no tables: see byte_count_avx512.c. */
void byte_count_avx512(const unsigned char *data, size_t size,
                       uint64_t bin[BYTE_COUNT_BINS]);
#endif

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

/*
 * About how long byte_count_fast() takes, where byte_count_tables() takes 1: for a plan,
 * not for anything that is printed.
 */
double byte_count_cost(void);

/* The fastest of them that this processor can do. */
void byte_count_fast(const unsigned char *data, size_t size,
                     uint64_t bin[BYTE_COUNT_BINS]);

#endif
