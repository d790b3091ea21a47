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

/* BYTES with zeros instead of all but the last DIGITS, 1 to 8. */
static inline uint64_t
last_digits(uint64_t bytes, uint64_t digits)
{
    uint64_t none = ((uint64_t)1 << 8 * (SHORT_DECIMALS_WORD - digits)) - 1;

    return (bytes & ~none) | (EIGHT_BYTES('0') & none);
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
    bool is_negative = (bytes >> 8 * (SHORT_DECIMALS_WORD - size) & 255) == '-';
    size -= is_negative;
    if (size == 0)
        return false;
    bytes = last_digits(bytes, size);

    uint64_t found = eight_bytes_first(bytes, '.');
    unsigned int places = 0;
    if (found != 0) {
        unsigned int point = (unsigned int)__builtin_ctzll(found) & ~7u;
        places = 7 - point / 8;
        if (size == 1)
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

    uint64_t in_high = eight_bytes_first(high, '.');
    uint64_t in_low = eight_bytes_first(low, '.');
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

/* Set *NANO to text I of BATCH, as value_of(). */
static bool
text_value(const struct short_decimals *batch, size_t i, int64_t *nano)
{
    const uint64_t *word = batch->word[i];
    size_t size = batch->size[i];

    if (size > SHORT_DECIMALS_TEXT_MAX)
        return false;
    return size <= SHORT_DECIMALS_WORD
               ? value_of(word[1], size, nano)
               : longer_value_of(word[0], word[1], size, nano);
}

bool
short_decimals_portable(const struct short_decimals *batch,
                        int64_t nano[SHORT_DECIMALS_BATCH])
{
    bool are_all = true;

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        bool is_short = text_value(batch, i, &nano[i]);
        if (!is_short)
            nano[i] = SHORT_DECIMALS_NONE;
        are_all &= is_short;
    }
    return are_all;
}

/* Add the next text of a batch to FOUND. */
static inline void
add_found(struct short_decimals_found *found, bool is_within, bool is_other)
{
    const int last = SHORT_DECIMALS_BATCH - 1;

    found->within = found->within >> 1 | (uint64_t)is_within << last;
    found->others = found->others >> 1 | (uint64_t)is_other << last;
}

struct short_decimals_found
short_find_portable(const struct short_decimals *batch, int64_t least,
                    int64_t most)
{
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        int64_t nano = 0;
        bool is_short = text_value(batch, i, &nano);
        bool is_within = is_short && nano >= least && nano <= most;
        add_found(&found, is_within, !is_short);
    }
    return found;
}

/* Set *VALUE to text I of BATCH, in the units of ALIKE, which has a point.
   Returns whether the text is ALIKE. */
static inline bool
alike_value(const struct short_decimals *batch, size_t i,
            const struct short_alike *alike, uint64_t *value)
{
    const uint64_t after = alike->after;
    uint64_t low = batch->word[i][0];
    uint64_t high = batch->word[i][1];
    uint64_t size = batch->size[i];

    *value = 0;
    if (size <= alike->places || size > SHORT_DECIMALS_TEXT_MAX ||
        ((high ^ EIGHT_BYTES('.')) & ~after & after >> 8) != 0)
        return false;
    high = (high & after) | ((high << 8 | low >> 56) & ~after);
    if (size <= SHORT_DECIMALS_WORD + 1) {
        high = last_digits(high, size - 1);
        *value = number_of(high);
        return eight_bytes_are_digits(high);
    }
    low = last_digits(low << 8, size - SHORT_DECIMALS_WORD - 1);
    *value = number_of(low) * 100000000 + number_of(high);
    return eight_bytes_are_digits(low) && eight_bytes_are_digits(high) &&
           *value <= alike->limit;
}

struct short_decimals_found
short_alike_portable(const struct short_decimals *batch,
                     const struct short_alike *alike)
{
    const struct short_alike own = *alike;
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        uint64_t value;
        bool is_alike = alike_value(batch, i, &own, &value);
        bool is_within = is_alike & (value >= own.least) & (value <= own.most);
        add_found(&found, is_within, !is_alike);
    }
    return found;
}

struct short_decimals_found
short_whole_portable(const struct short_decimals *batch, uint64_t least,
                     uint64_t most)
{
    struct short_decimals_found found = {0, 0};

    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        uint64_t bytes = 0;
        if (batch->size[i] - 1 < SHORT_DECIMALS_WORD)
            bytes = last_digits(batch->word[i][1], batch->size[i]);
        uint64_t digits = __builtin_bswap64(bytes);
        bool is_whole = eight_bytes_are_digits(bytes);
        bool is_within = is_whole & (digits >= least) & (digits <= most);
        add_found(&found, is_within, !is_whole);
    }
    return found;
}

/* Load SLICE as text I of BATCH, if it is missing or near the chunk's start. */
static __attribute__((noinline)) void
load_far(struct short_decimals *batch, size_t i, const unsigned char *data,
         struct text_slice slice)
{
    bool is_there = !text_slice_is_missing(slice) &&
                    slice.size <= SHORT_DECIMALS_WORD &&
                    (size_t)slice.at + slice.size >= SHORT_DECIMALS_WORD;

    batch->size[i] = is_there ? slice.size : 0;
    batch->word[i][0] = 0;
    batch->word[i][1] =
        is_there ? hash_load(data + slice.at + slice.size - SHORT_DECIMALS_WORD)
                 : 0;
}

void
short_decimals_load(struct short_decimals *batch, const unsigned char *data,
                    const struct text_slice *slice, size_t count, size_t stride)
{
    const uint64_t most = SHORT_DECIMALS_TEXT_MAX;

    for (size_t i = 0; i < count; i++, slice += stride) {
        uint64_t size = slice->size;
        uint64_t start = slice->at + size - most;
        /* A missing slice is behind any chunk. */
        if (start < TEXT_SLICE_MISSING - most) {
            batch->word[i][0] = hash_load(data + start);
            batch->word[i][1] = hash_load(data + start + SHORT_DECIMALS_WORD);
            batch->size[i] = size;
        } else {
            load_far(batch, i, data, *slice);
        }
    }
    for (size_t i = count; i < SHORT_DECIMALS_BATCH; i++)
        batch->word[i][0] = batch->word[i][1] = batch->size[i] = 0;
}

/* The forms for this processor. */
struct short_forms {
    short_decimals_form *read;
    short_find_form *find;
    short_alike_form *find_alike;
    short_whole_form *find_whole;
};

static const struct short_forms *
forms(void)
{
    static const struct short_forms portable = {
        short_decimals_portable, short_find_portable, short_alike_portable,
        short_whole_portable};

#ifdef SCAN_HAS_AVX512
    static const struct short_forms avx512 = {
        short_decimals_avx512, short_find_avx512, short_alike_avx512,
        short_whole_avx512};
    if (short_decimals_avx512_is_possible())
        return &avx512;
#endif
#ifdef SCAN_HAS_AVX2
    static const struct short_forms avx2 = {short_decimals_avx2,
                                            short_find_avx2, short_alike_avx2,
                                            short_whole_avx2};
    if (short_decimals_avx2_is_possible())
        return &avx2;
#endif
    return &portable;
}

struct short_decimals_found
short_decimals_find(const struct short_decimals *batch, int64_t least,
                    int64_t most)
{
    return forms()->find(batch, least, most);
}

/* Returns the places of the first short text of BATCH, if the point is in its
   last word; or else 0. */
static unsigned int
places_of(const struct short_decimals *batch)
{
    size_t i = 0;

    while (i < SHORT_DECIMALS_BATCH - 1 &&
           batch->size[i] - 1 >= SHORT_DECIMALS_TEXT_MAX)
        i++;
    uint64_t size = batch->size[i];
    uint64_t digits = size < SHORT_DECIMALS_WORD ? size : SHORT_DECIMALS_WORD;
    if (digits == 0)
        return 0;
    uint64_t found =
        eight_bytes_first(last_digits(batch->word[i][1], digits), '.');
    return found == 0 ? 0 : 7 - (unsigned int)__builtin_ctzll(found) / 8;
}

/* The greatest number of 8 digits. */
#define WHOLE_MOST UINT64_C(99999999)

/* Returns the 8 digits of NUMBER, or of WHOLE_MOST if that is less, the first
   one in the highest byte. */
static uint64_t
digits_of(uint64_t number)
{
    uint64_t digits = 0;

    number = number < WHOLE_MOST ? number : WHOLE_MOST;
    for (unsigned int shift = 0; shift < 64; shift += 8, number /= 10)
        digits |= ('0' + number % 10) << shift;
    return digits;
}

struct short_alike
short_decimals_alike(const struct short_decimals *batch, int64_t least,
                     int64_t most)
{
    const unsigned int places = places_of(batch);
    const int64_t unit =
        (int64_t)whole_power_of_ten[DECIMAL_NANO_PLACES - places];
    struct short_alike alike = {
        .places = places,
        .least = least <= 0 ? 0 : (uint64_t)((least - 1) / unit + 1),
        .most = most < 0 ? 0 : (uint64_t)(most / unit),
        .limit = (uint64_t)(DECIMAL_NANO_MOST / unit),
    };

    if (places > 0) {
        alike.after = UINT64_MAX << (64 - 8 * places);
    } else {
        bool is_longer = alike.least > WHOLE_MOST;
        alike.least = is_longer ? UINT64_MAX : digits_of(alike.least);
        alike.most = digits_of(alike.most);
    }
    if (most < 0)
        alike.least = UINT64_MAX;
    return alike;
}

struct short_decimals_found
short_decimals_find_alike(const struct short_decimals *batch,
                          const struct short_alike *alike)
{
    const struct short_forms *own = forms();

    return alike->places > 0
               ? own->find_alike(batch, alike)
               : own->find_whole(batch, alike->least, alike->most);
}

bool
short_decimals_read(const unsigned char *data, const struct text_slice *slice,
                    size_t count, size_t stride, int64_t *nano)
{
    short_decimals_form *form = forms()->read;
    struct short_decimals batch;
    int64_t last[SHORT_DECIMALS_BATCH];
    bool are_all = true;

    for (; count >= SHORT_DECIMALS_BATCH; count -= SHORT_DECIMALS_BATCH) {
        short_decimals_load(&batch, data, slice, SHORT_DECIMALS_BATCH, stride);
        are_all &= form(&batch, nano);
        slice += SHORT_DECIMALS_BATCH * stride;
        nano += SHORT_DECIMALS_BATCH;
    }
    if (count == 0)
        return are_all;
    short_decimals_load(&batch, data, slice, count, stride);
    (void)form(&batch, last);
    memcpy(nano, last, count * sizeof *nano);
    for (size_t i = 0; i < count; i++)
        are_all &= nano[i] != SHORT_DECIMALS_NONE;
    return are_all;
}
