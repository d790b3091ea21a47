/* samples.h -- find the samples of an image that are too large */

#ifndef GPUHIST_SAMPLES_H
#define GPUHIST_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

/* The index of the first byte above HIGHEST; SIZE if there is none. */
size_t samples_find_above_8(const unsigned char *data, size_t size,
                            unsigned int highest);

/* The same for samples of 2 bytes; SIZE and the result are in bytes. */
size_t samples_find_above_16(const unsigned char *data, size_t size,
                             unsigned int highest);

/* The sample of 2 bytes at DATA, the most significant byte first. */
unsigned int samples_big_endian_16(const unsigned char *data);

#endif
