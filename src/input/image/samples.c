/* samples.c -- find samples of an image that exceed its maximum */

#include <endian.h>
#include <string.h>

#include "input/image/samples.h"

/* Compilers vectorise a loop of constant length. */
#define CHECK_SAMPLES 256

size_t
samples_find_above_8(const unsigned char *data, size_t size,
                     unsigned int highest)
{
    size_t at = 0;

    for (; size - at >= CHECK_SAMPLES; at += CHECK_SAMPLES) {
        unsigned char top = 0;
        for (size_t i = 0; i < CHECK_SAMPLES; i++)
            top = data[at + i] > top ? data[at + i] : top;
        if (top > highest)
            break;
    }
    while (at < size && data[at] <= highest)
        at++;
    return at;
}

unsigned int
samples_big_endian_16(const unsigned char *data)
{
    return (unsigned int)data[0] << 8 | data[1];
}

size_t
samples_find_above_16(const unsigned char *data, size_t size,
                      unsigned int highest)
{
    uint16_t sample[CHECK_SAMPLES];
    size_t at = 0;

    for (; size - at >= sizeof sample; at += sizeof sample) {
        uint16_t top = 0;
        memcpy(sample, data + at, sizeof sample);
        for (size_t i = 0; i < CHECK_SAMPLES; i++) {
            uint16_t value = be16toh(sample[i]);
            top = value > top ? value : top;
        }
        if (top > highest)
            break;
    }
    while (at < size && samples_big_endian_16(data + at) <= highest)
        at += 2;
    return at;
}
