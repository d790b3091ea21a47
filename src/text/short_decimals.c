/* short_decimals.c -- read many short decimals */

#include <string.h>

#include "text/short_decimal.h"
#include "text/short_decimals.h"

void
short_decimals_portable(const struct short_decimals *batch,
                        int64_t nano[SHORT_DECIMALS_BATCH])
{
    for (size_t i = 0; i < SHORT_DECIMALS_BATCH; i++) {
        if (!short_decimal_value(batch->bytes[i], batch->size[i], &nano[i]))
            nano[i] = SHORT_DECIMALS_NONE;
    }
}

/* Load COUNT slices, and the rest of BATCH as if it had no texts. */
static void
load(struct short_decimals *batch, const unsigned char *data,
     const struct text_slice *slice, size_t count, size_t stride)
{
    for (size_t i = 0; i < count; i++, slice += stride) {
        size_t size = slice->size;
        size_t end = slice->at + size;
        /* The bytes before a text are in the chunk.  Short of them, any other
           ones are loaded. */
        bool is_there = size <= SHORT_DECIMAL_MAX && end >= SHORT_DECIMAL_MAX &&
                        !text_slice_is_missing(*slice);
        const void *from = is_there
                               ? (const void *)(data + end - SHORT_DECIMAL_MAX)
                               : (const void *)slice;
        batch->bytes[i] = hash_load(from);
        batch->size[i] = is_there ? size : 0;
    }
    for (size_t i = count; i < SHORT_DECIMALS_BATCH; i++)
        batch->bytes[i] = batch->size[i] = 0;
}

void
short_decimals_read(const unsigned char *data, const struct text_slice *slice,
                    size_t count, size_t stride, int64_t *nano)
{
    short_decimals_form *form = short_decimals_portable;
    struct short_decimals batch;
    int64_t rest[SHORT_DECIMALS_BATCH];

#ifdef SCAN_HAS_AVX512
    if (short_decimals_avx512_is_possible())
        form = short_decimals_avx512;
#endif
    for (; count >= SHORT_DECIMALS_BATCH; count -= SHORT_DECIMALS_BATCH) {
        load(&batch, data, slice, SHORT_DECIMALS_BATCH, stride);
        form(&batch, nano);
        slice += SHORT_DECIMALS_BATCH * stride;
        nano += SHORT_DECIMALS_BATCH;
    }
    if (count == 0)
        return;
    load(&batch, data, slice, count, stride);
    form(&batch, rest);
    memcpy(nano, rest, count * sizeof *nano);
}
