/* SPDX-License-Identifier: MIT */
/*
 * zstd_offsets.h -- zstd's repeated offsets: the only definition
 *
 * See zstd_bits.h, and RFC 8878, section 3.1.1.5.  A sequence may have one of
 * the three last offsets.  At the start of a block these are unknown until the
 * earlier blocks are decoded.  So an offset is a number, or tells which of the
 * three offsets it is, and what to subtract.  Thus a block is a function of
 * three offsets.
 */

#ifndef GPUHIST_ZSTD_OFFSETS_H
#define GPUHIST_ZSTD_OFFSETS_H

#include "kernels/zstd/zstd_bits.h"

/* Not a number: the initial offset that the two lowest bits tell, less the
   number in the bits above. */
#define ZSTD_OFFSET_EARLIER 0x80000000u
#define ZSTD_OFFSET_LESS 4u

struct zstd_offsets {
    binning_u32 last[3]; /* the latest first */
};

/* The offsets at the start of a block. */
DEVICE_FN struct zstd_offsets
zstd_offsets_open(void)
{
    struct zstd_offsets offsets = {{ZSTD_OFFSET_EARLIER,
                                    ZSTD_OFFSET_EARLIER + 1,
                                    ZSTD_OFFSET_EARLIER + 2}};

    return offsets;
}

/* The offsets at the start of a frame. */
DEVICE_FN struct zstd_offsets
zstd_offsets_of_frame(void)
{
    struct zstd_offsets offsets = {{1, 4, 8}};

    return offsets;
}

/* Returns OFFSET less 1. */
DEVICE_FN binning_u32
zstd_offsets_lessen(binning_u32 offset)
{
    return offset >= ZSTD_OFFSET_EARLIER ? offset + ZSTD_OFFSET_LESS
                                         : offset - (offset > 0);
}

/*
 * Returns the offset of NUMBER, 1 or more, in a sequence with LITERALS.  This
 * offset becomes the last one.  A forbidden offset is 0, or beyond all windows.
 */
DEVICE_FN binning_u32
zstd_offsets_take(struct zstd_offsets *offsets, binning_u32 number,
                  binning_u32 literals)
{
    binning_u32 offset = number - 3;

    if (number > 3) {
        /* The result must look like a number. */
        if (offset >= ZSTD_OFFSET_EARLIER)
            offset = 0;
        offsets->last[2] = offsets->last[1];
    } else {
        binning_u32 which = number - (literals > 0);
        if (which == 0)
            return offsets->last[0];
        offset = offsets->last[1];
        if (which != 1) {
            offset = which == 2 ? offsets->last[2]
                                : zstd_offsets_lessen(offsets->last[0]);
            offsets->last[2] = offsets->last[1];
        }
    }
    offsets->last[1] = offsets->last[0];
    offsets->last[0] = offset;
    return offset;
}

/* Returns OFFSET as a number, in a block that starts with BEFORE; 0: not
   allowed. */
DEVICE_FN binning_u32
zstd_offsets_resolve(const struct zstd_offsets *before, binning_u32 offset)
{
    if (offset < ZSTD_OFFSET_EARLIER)
        return offset;
    binning_u32 which = offset % ZSTD_OFFSET_LESS;
    binning_u32 less = (offset - ZSTD_OFFSET_EARLIER) / ZSTD_OFFSET_LESS;
    binning_u32 number = which == 0   ? before->last[0]
                         : which == 1 ? before->last[1]
                         : which == 2 ? before->last[2]
                                      : 0;
    return number > less ? number - less : 0;
}

/* BEFORE was at the start of a block, AFTER is at its end: turn AFTER into
   numbers. */
DEVICE_FN struct zstd_offsets
zstd_offsets_join(const struct zstd_offsets *before,
                  const struct zstd_offsets *after)
{
    struct zstd_offsets joined;

    for (int i = 0; i < 3; i++)
        joined.last[i] = zstd_offsets_resolve(before, after->last[i]);
    return joined;
}

#endif
