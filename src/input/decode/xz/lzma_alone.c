/* SPDX-License-Identifier: MIT */
/* lzma_alone.c -- decode a .lzma file with liblzma */

#include "input/decode/xz/lzma_alone.h"
#include "base/little_endian.h"
#include "input/decode/xz/lzma_coder.h"

#define INPUT_BYTES (1 << 17)

/* The properties, the size of the dictionary, and the size of the content. */
#define HEADER_BYTES 13
#define WHAT "lzma data"

struct lzma_alone {
    struct decoder base;
    struct lzma_coder coder;
    off_t start;
    bool has_started;
    bool has_ended;
};

static void
start_alone(struct decoder *decoder)
{
    struct lzma_alone *alone = (struct lzma_alone *)decoder;

    alone->start = decoder_offset(decoder);
    alone->has_started = false;
    alone->has_ended = false;
}

/*
 * Read the header, as far as memory depends on it.  Returns as decoder_need()
 * does.
 */
static int
start_data(struct lzma_alone *alone)
{
    struct decoder *base = &alone->base;
    lzma_options_lzma options = {0};
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options},
                                   {LZMA_VLI_UNKNOWN, NULL}};

    int more = decoder_need(base, HEADER_BYTES, WHAT);
    if (more <= 0)
        return more;
    options.dict_size = little_endian_32(decoder_next(base) + 1);
    options.lc = LZMA_LC_DEFAULT;
    options.lp = LZMA_LP_DEFAULT;
    if (lzma_coder_reserve(&alone->coder, base, filters, WHAT) < 0)
        return -1;
    lzma_ret result = lzma_alone_decoder(&alone->coder.stream, UINT64_MAX);
    if (result != LZMA_OK)
        return lzma_coder_fail(base, result, WHAT, alone->start);
    alone->has_started = true;
    return 1;
}

/*
 * Nothing may follow, as far as is known yet.  Returns 0, or -1 with the
 * source's error set.
 */
static int
check_end(struct lzma_alone *alone)
{
    struct decoder *base = &alone->base;

    if (decoder_fill(base, 1) < 0)
        return -1;
    if (decoder_left(base) == 0)
        return 0;
    return decoder_fail(base, "not lzma data", "garbage after the end");
}

static int
step_alone(struct decoder *decoder, unsigned char *buffer, size_t capacity,
           size_t *size)
{
    struct lzma_alone *alone = (struct lzma_alone *)decoder;

    if (!alone->has_started)
        return start_data(alone);
    if (!alone->has_ended) {
        ssize_t got = lzma_coder_read(&alone->coder, decoder, buffer, capacity,
                                      WHAT, alone->start, &alone->has_ended);
        if (got < 0)
            return -1;
        *size = (size_t)got;
        if (!alone->has_ended)
            return 1;
    }
    /* If the input is cut short here, the next step looks again. */
    return check_end(alone);
}

static void
close_alone(struct decoder *decoder)
{
    lzma_coder_close(&((struct lzma_alone *)decoder)->coder);
}

const struct decoder_type lzma_alone_type = {
    .struct_bytes = sizeof(struct lzma_alone),
    .input_capacity = INPUT_BYTES,
    .start = start_alone,
    .step = step_alone,
    .close = close_alone,
};
