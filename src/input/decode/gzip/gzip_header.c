/* SPDX-License-Identifier: MIT */
/* gzip_header.c -- parse the headers of gzip members (RFC 1952) */

#include "input/decode/gzip/gzip_header.h"
#include "base/crc32.h"

#define MAGIC "\x1f\x8b\x08" /* the last byte is the method: deflate */
#define FIXED_BYTES 10
#define CRC_BYTES 2

enum {
    FLAG_CRC = 2,
    FLAG_EXTRA = 4,
    FLAG_NAME = 8,
    FLAG_COMMENT = 16,
    FLAGS_RESERVED = 0xe0,
};

enum magic
gzip_header_looks_like(const unsigned char *data, size_t size)
{
    enum magic match = magic_compare(data, size, MAGIC, GZIP_HEADER_FLAGS_AT);

    return match == MAGIC_YES && size < GZIP_HEADER_MAGIC_BYTES ? MAGIC_SHORT
                                                                : match;
}

enum magic
gzip_header_match(const unsigned char *data, size_t size)
{
    enum magic match = gzip_header_looks_like(data, size);

    if (match == MAGIC_YES &&
        (data[GZIP_HEADER_FLAGS_AT] & FLAGS_RESERVED) != 0)
        return MAGIC_NO;
    return match;
}

/* The byte that is number AT of a little-endian number. */
static uint32_t
digit(unsigned int byte, uint32_t at)
{
    return (uint32_t)byte << (8 * at);
}

/* Go on to the next existing field. */
static void
start_next(struct gzip_header *header)
{
    static const struct {
        enum gzip_header_field field;
        unsigned flag;
    } fields[] = {
        {GZIP_HEADER_EXTRA_SIZE, FLAG_EXTRA},
        {GZIP_HEADER_EXTRA, FLAG_EXTRA},
        {GZIP_HEADER_NAME, FLAG_NAME},
        {GZIP_HEADER_COMMENT, FLAG_COMMENT},
        {GZIP_HEADER_CRC, FLAG_CRC},
    };
    enum gzip_header_field before = header->field;

    header->field = GZIP_HEADER_END;
    header->at = 0;
    header->value = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        bool is_there = (header->flags & fields[i].flag) != 0;
        if (fields[i].field == GZIP_HEADER_EXTRA && header->extra == 0)
            is_there = false;
        if (fields[i].field > before && is_there) {
            header->field = fields[i].field;
            break;
        }
    }
}

/* Take a byte of the extra field, which is a list of subfields. */
static void
take_extra(struct gzip_header *header, unsigned char byte)
{
    const unsigned char *part = header->part;
    uint32_t at = header->part_at++;

    if (at < sizeof header->part)
        header->part[at] = byte;
    if (at + 1 < sizeof header->part)
        return;
    bool is_block_size =
        part[0] == 'B' && part[1] == 'C' && part[2] == 2 && part[3] == 0;
    uint32_t taken = header->part_at - (uint32_t)sizeof header->part;
    if (is_block_size && taken > 0)
        header->value |= digit(byte, taken - 1);
    if (taken < (digit(part[2], 0) | digit(part[3], 1)))
        return;
    if (is_block_size && header->block_bytes == 0)
        header->block_bytes = header->value + 1;
    header->part_at = 0;
    header->value = 0;
}

/* Continue CRC-32 with BYTE.  Few headers have a checksum, so this may be
   slow. */
static uint32_t
add_to_crc(uint32_t crc, unsigned char byte)
{
    return crc32_pass_byte(crc ^ byte);
}

/* The flags are known: start the checksum with the bytes so far. */
static void
start_crc(struct gzip_header *header)
{
    header->crc = UINT32_MAX;
    for (size_t i = 0; i < GZIP_HEADER_FLAGS_AT; i++)
        header->crc = add_to_crc(header->crc, (unsigned char)MAGIC[i]);
}

static void
take_byte(struct gzip_header *header, unsigned char byte)
{
    uint32_t at = header->at++;

    switch (header->field) {
    case GZIP_HEADER_FIXED:
        if (at == GZIP_HEADER_FLAGS_AT) {
            header->flags = byte;
            start_crc(header);
        }
        if (at + 1 == FIXED_BYTES)
            start_next(header);
        break;
    case GZIP_HEADER_EXTRA_SIZE:
        header->extra |= digit(byte, at);
        if (at == 1)
            start_next(header);
        break;
    case GZIP_HEADER_EXTRA:
        take_extra(header, byte);
        if (at + 1 == header->extra)
            start_next(header);
        break;
    case GZIP_HEADER_NAME:
    case GZIP_HEADER_COMMENT:
        if (byte == 0)
            start_next(header);
        break;
    case GZIP_HEADER_CRC:
        header->value |= digit(byte, at);
        break;
    case GZIP_HEADER_END:
        break;
    }
}

ptrdiff_t
gzip_header_take(struct gzip_header *header, const unsigned char *data,
                 size_t size)
{
    size_t taken = 0;

    while (taken < size && header->field < GZIP_HEADER_END) {
        unsigned char byte = data[taken++];
        bool is_crc = header->field == GZIP_HEADER_CRC;
        take_byte(header, byte);
        if (!is_crc && (header->flags & FLAG_CRC) != 0)
            header->crc = add_to_crc(header->crc, byte);
        if (is_crc && header->at == CRC_BYTES) {
            if (header->value != (~header->crc & 0xffff))
                return -1;
            start_next(header);
        }
    }
    header->bytes += taken;
    return (ptrdiff_t)taken;
}

enum magic
gzip_header_match_block(struct gzip_header *header, const unsigned char *data,
                        size_t size)
{
    enum magic match = gzip_header_match(data, size);

    *header = (struct gzip_header){.field = GZIP_HEADER_FIXED};
    if (match != MAGIC_YES)
        return match;
    if (gzip_header_take(header, data, size) < 0)
        return MAGIC_NO;
    /* The header of a block is part of it. */
    if (header->field != GZIP_HEADER_END)
        return size < GZIP_HEADER_BLOCK_MAX ? MAGIC_SHORT : MAGIC_NO;
    if (header->block_bytes < header->bytes + GZIP_HEADER_TRAILER_BYTES)
        return MAGIC_NO;
    return size < header->block_bytes ? MAGIC_SHORT : MAGIC_YES;
}
