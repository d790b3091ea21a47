/* SPDX-License-Identifier: MIT */
/* cpio_header.c -- the headers of entries in cpio archives */

#include <string.h>

#include "base/ascii.h"
#include "input/archive/cpio_header.h"

#define NEW_BYTES 110
#define ODC_BYTES 76
#define BIN_BYTES 26

/* The magic number of bin, in octal 070707. */
#define BIN_MAGIC 0x71c7

/* Numbers of newc and crc after the magic. */
enum {
    NEW_INO,
    NEW_MODE,
    NEW_UID,
    NEW_GID,
    NEW_LINKS,
    NEW_TIME,
    NEW_SIZE,
    NEW_MAJOR,
    NEW_MINOR,
    NEW_DEVICE_MAJOR,
    NEW_DEVICE_MINOR,
    NEW_NAME_BYTES,
    NEW_SUM,
    NEW_NUMBERS
};

/* Words of bin. */
enum {
    BIN_DEV = 1,
    BIN_INO,
    BIN_MODE,
    BIN_LINKS = 6,
    BIN_NAME_BYTES = 10,
    BIN_SIZE_HIGH,
    BIN_SIZE_LOW
};

size_t
cpio_header_bytes(const unsigned char *data)
{
    if (memcmp(data, "070701", CPIO_MAGIC_BYTES) == 0 ||
        memcmp(data, "070702", CPIO_MAGIC_BYTES) == 0)
        return NEW_BYTES;
    if (memcmp(data, "070707", CPIO_MAGIC_BYTES) == 0)
        return ODC_BYTES;
    return (data[0] | data[1] << 8) == BIN_MAGIC ||
                   (data[0] << 8 | data[1]) == BIN_MAGIC
               ? BIN_BYTES
               : 0;
}

/* Returns the value of the digit C, or 16. */
static unsigned int
digit_value(unsigned char c)
{
    if (ascii_is_digit(c))
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10u : 16;
}

/* Read COUNT digits of BASE at DATA to *VALUE.  Blanks may precede the digits.
   Returns whether the text is a number. */
static bool
read_number(uint64_t *value, const unsigned char *data, size_t count,
            unsigned int base)
{
    size_t i = 0;

    while (i < count - 1 && data[i] == ' ')
        i++;
    *value = 0;
    for (; i < count; i++) {
        unsigned int digit = digit_value(data[i]);
        if (digit >= base)
            return false;
        *value = *value * base + digit;
    }
    return true;
}

/* Returns the bytes from SIZE up to a multiple of UNIT, a power of two. */
static size_t
pad_of(uint64_t size, size_t unit)
{
    return (size_t)(-size & (unit - 1));
}

static bool
read_new(struct cpio_header *header, const unsigned char *data)
{
    uint64_t value[NEW_NUMBERS];

    for (size_t i = 0; i < NEW_NUMBERS; i++) {
        if (!read_number(&value[i], data + CPIO_MAGIC_BYTES + 8 * i, 8, 16))
            return false;
    }
    *header = (struct cpio_header){
        .is_new = true,
        .has_sum = data[CPIO_MAGIC_BYTES - 1] == '2',
        .dev = value[NEW_MAJOR] << 32 | value[NEW_MINOR],
        .ino = value[NEW_INO],
        .mode = (uint32_t)value[NEW_MODE],
        .links = (uint32_t)value[NEW_LINKS],
        .sum = (uint32_t)value[NEW_SUM],
        .size = value[NEW_SIZE],
        .name_bytes = (size_t)value[NEW_NAME_BYTES],
        .name_pad = pad_of(NEW_BYTES + value[NEW_NAME_BYTES], 4),
        .data_pad = pad_of(value[NEW_SIZE], 4),
    };
    return true;
}

static bool
read_odc(struct cpio_header *header, const unsigned char *data)
{
    enum {
        DEV,
        INO,
        MODE,
        UID,
        GID,
        LINKS,
        DEVICE,
        TIME,
        NAME,
        SIZE,
        NUMBERS
    };
    uint64_t value[NUMBERS];

    data += CPIO_MAGIC_BYTES;
    for (size_t i = 0; i < NUMBERS; i++) {
        size_t digits = i == TIME || i == SIZE ? 11 : 6;
        if (!read_number(&value[i], data, digits, 8))
            return false;
        data += digits;
    }
    *header = (struct cpio_header){
        .dev = value[DEV],
        .ino = value[INO],
        .mode = (uint32_t)value[MODE],
        .links = (uint32_t)value[LINKS],
        .size = value[SIZE],
        .name_bytes = (size_t)value[NAME],
    };
    return true;
}

static void
read_bin(struct cpio_header *header, const unsigned char *data)
{
    uint32_t word[BIN_BYTES / 2];
    bool is_little = (data[0] | data[1] << 8) == BIN_MAGIC;

    for (size_t i = 0; i < BIN_BYTES / 2; i++) {
        const unsigned char *at = data + 2 * i;
        word[i] =
            (uint32_t)(is_little ? at[0] | at[1] << 8 : at[0] << 8 | at[1]);
    }
    uint32_t size = word[BIN_SIZE_HIGH] << 16 | word[BIN_SIZE_LOW];
    *header = (struct cpio_header){
        .dev = word[BIN_DEV],
        .ino = word[BIN_INO],
        .mode = word[BIN_MODE],
        .links = word[BIN_LINKS],
        .size = size,
        .name_bytes = word[BIN_NAME_BYTES],
        .name_pad = pad_of(word[BIN_NAME_BYTES], 2),
        .data_pad = pad_of(size, 2),
    };
}

bool
cpio_header_read(struct cpio_header *header, const unsigned char *data)
{
    bool is_read = true;

    switch (cpio_header_bytes(data)) {
    case NEW_BYTES:
        is_read = read_new(header, data);
        break;
    case ODC_BYTES:
        is_read = read_odc(header, data);
        break;
    default:
        read_bin(header, data);
    }
    return is_read && header->name_bytes > 0;
}
