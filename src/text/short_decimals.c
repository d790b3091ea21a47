/* SPDX-License-Identifier: MIT */
/* short_decimals.c -- read many short decimals */

#include <string.h>

#include "base/decimal_sum.h"
#include "base/eight_bytes.h"
#include "base/whole_powers.h"
#include "kernels/text/hash.h"
#include "text/short_decimals.h"

/* Returns the number of 8 digits, the first one in the lowest byte. */
static uint64_t
number_of(uint64_t digits)
{
    digits -= EIGHT_BYTES('0');
    /* Pairs, then fours, then all eight. */
    digits = digits * 10 + (digits >> 8);
    return ((digits & 0x000000ff000000ff) * (100 + (UINT64_C(1000000) << 32)) +
            (digits >> 16 & 0x000000ff000000ff) *
                (1 + (UINT64_C(10000) << 32))) >>
           32;
}

/* The highest bits of the bytes that are points: the lowest one is exact. */
static uint64_t
points_of(uint64_t bytes)
{
    uint64_t differs = bytes ^ EIGHT_BYTES('.');

    return (differs - EIGHT_BYTES(1)) & ~differs & EIGHT_BYTES(0x80);
}

/* Returns BYTES without the byte from bit POINT on: the bytes before it move to
   its place, after the byte FIRST. */
static uint64_t
without_point(uint64_t bytes, unsigned int point, uint64_t first)
{
    uint64_t left = ((uint64_t)1 << point) - 1;

    return (bytes & ~left & ~((uint64_t)255 << point)) | (bytes & left) << 8 |
           first;
}

/*
 * Set *NANO to a text of SIZE bytes, at most 8, in units of 10^-9.  The text is
 * in the high bytes of BYTES, the first byte lowest; the other bytes are
 * ignored.  Returns whether the text is a short decimal; if not, it may be
 * another number.
 */
static bool
value_of(uint64_t bytes, size_t size, int64_t *nano)
{
    static const int64_t unit[SHORT_DECIMALS_WORD] = {
        1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100};

    if (size == 0)
        return false;
    unsigned int before = 8 * (unsigned int)(8 - size);
    bool is_negative = (bytes >> before & 255) == '-';
    before += 8 * (unsigned int)is_negative;
    if (before == 64)
        return false;
    /* Leading zeros instead of the bytes before the digits. */
    uint64_t none = ((uint64_t)1 << before) - 1;
    bytes = (bytes & ~none) | (EIGHT_BYTES('0') & none);

    uint64_t found = points_of(bytes);
    unsigned int places = 0;
    if (found != 0) {
        unsigned int point = (unsigned int)__builtin_ctzll(found) & ~7u;
        places = 7 - point / 8;
        if (before == 56)
            return false; /* nothing else */
        bytes = without_point(bytes, point, '0');
    }
    if (!eight_bytes_are_digits(bytes))
        return false;
    int64_t value = (int64_t)number_of(bytes) * unit[places];
    *nano = is_negative ? -value : value;
    return true;
}

/* The same of a text of 9 to 16 bytes, of which LOW are the first ones. */
static bool
longer_value_of(uint64_t low, uint64_t high, size_t size, int64_t *nano)
{
    unsigned int places = 0;
    uint64_t value;

    unsigned int before = 8 * (unsigned int)(SHORT_DECIMALS_TEXT_MAX - size);
    bool is_negative = (low >> before & 255) == '-';
    /* Leading zeros instead of the sign and the bytes before the text. */
    uint64_t none =
        (is_negative ? (uint64_t)256 << before : (uint64_t)1 << before) - 1;
    low = (low & ~none) | (EIGHT_BYTES('0') & none);

    uint64_t in_high = points_of(high);
    uint64_t in_low = points_of(low);
    if (in_high != 0) {
        unsigned int point = (unsigned int)__builtin_ctzll(in_high) & ~7u;
        places = 7 - point / 8;
        high = without_point(high, point, low >> 56);
        low = low << 8 | '0';
    } else if (in_low != 0) {
        unsigned int point = (unsigned int)__builtin_ctzll(in_low) & ~7u;
        places = 15 - point / 8;
        low = without_point(low, point, '0');
    }
    if (places > DECIMAL_NANO_PLACES || !eight_bytes_are_digits(low) ||
        !eight_bytes_are_digits(high))
        return false;
    value = number_of(low) * 100000000 + number_of(high);
    if (__builtin_mul_overflow(
            value, whole_power_of_ten[DECIMAL_NANO_PLACES - places], &value) ||
        value > (uint64_t)DECIMAL_NANO_MOST)
        return false;
    *nano = is_negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool
short_decimals_portable(const struct short_decimals *batch,
                        int64_t nano[SHORT_DECIMALS_BATCH])
{
    bool are_all = true;

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        size_t size = batch->size[i];
        bool is_short = size <= SHORT_DECIMALS_WORD
                            ? value_of(batch->bytes[i], size, &nano[i])
                            : longer_value_of(batch->before[i], batch->bytes[i],
                                              size, &nano[i]);
        if (!is_short)
            nano[i] = SHORT_DECIMALS_NONE;
        are_all &= is_short;
    }
    return are_all;
}

/* Whether SLICE has at most MOST bytes, and so many bytes of the chunk are
   before its end. */
static inline bool
can_load(struct text_slice slice, size_t most)
{
    return slice.size <= most && (size_t)slice.at + slice.size >= most &&
           !text_slice_is_missing(slice);
}

/* Load the texts of more than a word among COUNT slices to BATCH. */
static void
load_longer(struct short_decimals *batch, const unsigned char *data,
            const struct text_slice *slice, size_t count, size_t stride)
{
    static const unsigned char none[SHORT_DECIMALS_TEXT_MAX];

    for (size_t i = 0; i < count; i++, slice += stride) {
        bool is_longer = slice->size > SHORT_DECIMALS_WORD &&
                         can_load(*slice, SHORT_DECIMALS_TEXT_MAX);
        const unsigned char *from =
            is_longer ? data + slice->at + slice->size - SHORT_DECIMALS_TEXT_MAX
                      : none;
        uint64_t bytes = hash_load(from + SHORT_DECIMALS_WORD);
        batch->before[i] = hash_load(from);
        batch->bytes[i] = is_longer ? bytes : batch->bytes[i];
        batch->size[i] = is_longer ? slice->size : batch->size[i];
    }
}

/* Load COUNT slices, and the rest of BATCH as if it had no texts. */
static void
load(struct short_decimals *batch, const unsigned char *data,
     const struct text_slice *slice, size_t count, size_t stride)
{
    const struct text_slice *own = slice;
    size_t longer = 0;

    for (size_t i = 0; i < count; i++, own += stride) {
        size_t size = own->size;
        /* The bytes before a text are in the chunk.  Without enough bytes,
           others are loaded. */
        bool is_there = can_load(*own, SHORT_DECIMALS_WORD);
        const void *from =
            is_there
                ? (const void *)(data + own->at + size - SHORT_DECIMALS_WORD)
                : (const void *)own;
        batch->bytes[i] = hash_load(from);
        batch->size[i] = is_there ? size : 0;
        longer += size - SHORT_DECIMALS_WORD - 1 <
                  SHORT_DECIMALS_TEXT_MAX - SHORT_DECIMALS_WORD;
    }
    for (size_t i = count; i < SHORT_DECIMALS_BATCH; i++)
        batch->bytes[i] = batch->size[i] = 0;
    batch->has_longer = longer > 0;
    if (batch->has_longer)
        load_longer(batch, data, slice, count, stride);
}

bool
short_decimals_read(const unsigned char *data, const struct text_slice *slice,
                    size_t count, size_t stride, int64_t *nano)
{
    short_decimals_form *form = short_decimals_portable;
    struct short_decimals batch;
    int64_t last[SHORT_DECIMALS_BATCH];
    bool are_all = true;

#ifdef SCAN_HAS_AVX512
    if (short_decimals_avx512_is_possible())
        form = short_decimals_avx512;
#endif
    for (; count >= SHORT_DECIMALS_BATCH; count -= SHORT_DECIMALS_BATCH) {
        load(&batch, data, slice, SHORT_DECIMALS_BATCH, stride);
        are_all &= form(&batch, nano);
        slice += SHORT_DECIMALS_BATCH * stride;
        nano += SHORT_DECIMALS_BATCH;
    }
    if (count == 0)
        return are_all;
    load(&batch, data, slice, count, stride);
    (void)form(&batch, last);
    memcpy(nano, last, count * sizeof *nano);
    for (size_t i = 0; i < count; i++)
        are_all &= nano[i] != SHORT_DECIMALS_NONE;
    return are_all;
}
