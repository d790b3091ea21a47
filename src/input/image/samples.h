/* samples.h -- find samples of an image that exceed its maximum */

#ifndef GPUHIST_SAMPLES_H
#define GPUHIST_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* Returns the index of the first byte above HIGHEST, or SIZE: none. */
size_t samples_find_above_8(const unsigned char *data, size_t size,
                            unsigned int highest);

/* The same for big-endian samples of 2 bytes; SIZE and result in bytes. */
size_t samples_find_above_16(const unsigned char *data, size_t size,
                             unsigned int highest);

/* Returns the big-endian sample of 2 bytes at DATA. */
unsigned int samples_big_endian_16(const unsigned char *data);

#endif
