/* digest_avx2.h -- digest_of() for processors that have AVX2 */

#ifndef GPUHIST_DIGEST_AVX2_H
#define GPUHIST_DIGEST_AVX2_H

#include <stddef.h>
#include <stdint.h>

#ifdef DIGEST_HAS_AVX2

/* Sets *HIGH and returns the low word of what digest_of() returns, at twice its
   speed. */
uint64_t digest_of_avx2(const void *data, size_t size, uint64_t seed,
                        uint64_t *high);

#endif

#endif
