/*
 * zstd_offsets.h -- zstd's repeated offsets: the only definition
 *
 * See zstd_bits.h, and RFC 8878, section 3.1.1.5.  A sequence may have one of
 * the three last offsets.  At the begin of a block these are not known before
 * the blocks in front of it are decoded.  So an offset is a number, or it says
 * which of the three it is and what to subtract from it.  Thus a block is a
 * function of three offsets.
 */

#ifndef GPUHIST_ZSTD_OFFSETS_H
#define GPUHIST_ZSTD_OFFSETS_H

#include "kernels/zstd/zstd_bits.h"

/* Not a number: the offset at the begin that the two lowest bits say, less the
   number in the bits above. */
#define ZSTD_OFFSET_EARLIER 0x80000000u
#define ZSTD_OFFSET_LESS 4u

struct zstd_offsets {
    binning_u32 last[3]; /* the latest one first */
};

/* Those of a block, at its begin. */
DEVICE_FN struct zstd_offsets
zstd_offsets_open(void)
{
    struct zstd_offsets offsets = {{ZSTD_OFFSET_EARLIER,
                                    ZSTD_OFFSET_EARLIER + 1,
                                    ZSTD_OFFSET_EARLIER + 2}};

    return offsets;
}

/* Those of a frame, at its begin. */
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
 * Returns the offset that NUMBER, 1 or more, stands for, in a sequence with
 * LITERALS.  It is the last one then.  One that is not allowed is 0, or beyond
 * all windows.
 */
DEVICE_FN binning_u32
zstd_offsets_take(struct zstd_offsets *offsets, binning_u32 number,
                  binning_u32 literals)
{
    binning_u32 offset = number - 3;

    if (number > 3) {
        /* It must not look as if it were not a number. */
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

/* Returns OFFSET as a number, in a block that begins with BEFORE; 0: it is not
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

/* BEFORE was at the begin of a block, AFTER is at its end: make it numbers. */
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
