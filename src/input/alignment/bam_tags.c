/* SPDX-License-Identifier: MIT */
/* bam_tags.c -- the tags of a record of BAM */

#include <string.h>

#include "base/little_endian.h"
#include "input/alignment/bam_tags.h"

enum {
    NAME_BYTES = 2,
    HEAD_BYTES = 3, /* the name and the type */
    /* Of an array: the type of its elements, and their number. */
    ARRAY_BYTES = 5,
};

/* Returns the bytes of a number of TYPE; 0: it is none. */
static size_t
number_bytes(unsigned char type)
{
    switch (type) {
    case 'A':
    case 'c':
    case 'C':
        return 1;
    case 's':
    case 'S':
        return 2;
    case 'i':
    case 'I':
    case 'f':
        return 4;
    case 'd':
        return 8;
    default:
        return 0;
    }
}

/* Returns the bytes of the value of TYPE at the start of the SIZE bytes at
   DATA; 0: it is damaged. */
static size_t
value_bytes(unsigned char type, const unsigned char *data, size_t size)
{
    size_t bytes = number_bytes(type);

    if (type == 'Z' || type == 'H') {
        const unsigned char *end = memchr(data, '\0', size);
        return end != NULL ? (size_t)(end - data) + 1 : 0;
    }
    if (type == 'B') {
        const size_t each = size >= ARRAY_BYTES ? number_bytes(data[0]) : 0;
        const size_t count = each > 0 ? little_endian_32(data + 1) : 0;
        if (each == 0 || count > (size - ARRAY_BYTES) / each)
            return 0;
        bytes = ARRAY_BYTES + each * count;
    }
    return bytes <= size ? bytes : 0;
}

int64_t
bam_tags_number(const struct bam_tag *tag)
{
    const unsigned char *value = tag->value;

    switch (tag->type) {
    case 'c':
        return (int8_t)*value;
    case 'C':
        return *value;
    case 's':
        return (int16_t)little_endian_16(value);
    case 'S':
        return little_endian_16(value);
    case 'i':
        return (int32_t)little_endian_32(value);
    case 'I':
        return little_endian_32(value);
    default:
        return 0;
    }
}

int
bam_tags_find(const unsigned char *data, size_t size, const char *name,
              struct bam_tag *tag)
{
    while (size > 0) {
        const size_t bytes =
            size > HEAD_BYTES ? value_bytes(data[NAME_BYTES], data + HEAD_BYTES,
                                            size - HEAD_BYTES)
                              : 0;
        if (bytes == 0)
            return -1;
        if (memcmp(data, name, NAME_BYTES) == 0) {
            *tag = (struct bam_tag){data[NAME_BYTES], data + HEAD_BYTES, bytes};
            return 1;
        }
        data += HEAD_BYTES + bytes;
        size -= HEAD_BYTES + bytes;
    }
    return 0;
}
