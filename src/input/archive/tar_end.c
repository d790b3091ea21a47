/* tar_end.c -- the end of a tar archive */

#include <string.h>

#include "input/archive/tar_end.h"

/* A header has this at an offset, in all formats since 1988. */
#define MAGIC "ustar"
#define MAGIC_AT 257

/* Its checksum, in octal, is the sum of its bytes with blanks for these. */
#define CHECKSUM_AT 148
#define CHECKSUM_BYTES 8

/* How far the last zeros are looked at. */
#define LOOK_BYTES (64 << 10)

bool
tar_end_is_marked(struct archive_bytes *bytes, off_t least)
{
    unsigned char block[TAR_BLOCK_BYTES];
    off_t at = bytes->offset - TAR_BLOCK_BYTES;

    return at >= least &&
           archive_bytes_look(bytes, at, block, sizeof block) == sizeof block &&
           archive_bytes_are_zero(block, sizeof block);
}

/* Whether BLOCK is a header, perhaps a damaged one. */
static bool
is_header(const unsigned char *block)
{
    unsigned int sum = CHECKSUM_BYTES * ' ', said = 0;

    if (memcmp(block + MAGIC_AT, MAGIC, sizeof MAGIC - 1) == 0)
        return true;
    for (int i = 0; i < TAR_BLOCK_BYTES; i++) {
        bool is_checksum = i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_BYTES;
        sum += is_checksum ? 0 : block[i];
        if (is_checksum && block[i] >= '0' && block[i] <= '7')
            said = said * 8 + (unsigned int)(block[i] - '0');
    }
    return sum == said;
}

bool
tar_end_is_before(struct archive_bytes *bytes, off_t from, off_t at,
                  off_t *first)
{
    unsigned char block[TAR_BLOCK_BYTES];
    off_t blocks =
        at - from > LOOK_BYTES ? (at - from - LOOK_BYTES) / TAR_BLOCK_BYTES : 0;
    off_t here = from + blocks * TAR_BLOCK_BYTES;
    size_t has;

    while ((has = archive_bytes_look(bytes, here, block, sizeof block)) ==
               sizeof block &&
           archive_bytes_are_zero(block, sizeof block))
        here += TAR_BLOCK_BYTES;
    if (here - from < 2 * TAR_BLOCK_BYTES || here > at ||
        here < at - TAR_BLOCK_BYTES ||
        (has == sizeof block && is_header(block)))
        return false;
    *first = archive_bytes_are_zero(block, has) ? -1 : here;
    return true;
}
