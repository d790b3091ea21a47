/* lzma_alone.c -- decode a .lzma file with liblzma */

#include <stdlib.h>

#include "input/lzma_alone.h"
#include "input/lzma_coder.h"

#define INPUT_BYTES (1 << 17)

/* The properties, the size of the dictionary, and that of the content. */
#define HEADER_BYTES 13
#define WHAT "lzma data"

struct lzma_alone {
    struct decoder base;
    struct lzma_coder coder;
    off_t begin;
    bool has_begun;
    bool has_ended;
};

static struct lzma_alone *
alone_of(struct decoder *decoder)
{
    return (struct lzma_alone *)decoder;
}

static struct decoder *
open_alone(void)
{
    struct lzma_alone *alone = calloc(1, sizeof *alone);

    if (alone == NULL)
        return NULL;
    alone->base.input_capacity = INPUT_BYTES;
    return &alone->base;
}

static void
begin_alone(struct decoder *decoder)
{
    struct lzma_alone *alone = alone_of(decoder);

    alone->begin = decoder_offset(decoder);
    alone->has_begun = false;
    alone->has_ended = false;
}

/*
 * Read the header, as far as memory depends on it.  Returns 1; 0: cut short;
 * or -1 with the source's error set.
 */
static int
begin_data(struct lzma_alone *alone)
{
    struct decoder *base = &alone->base;
    lzma_options_lzma options = {0};
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options},
                                   {LZMA_VLI_UNKNOWN, NULL}};

    if (decoder_fill(base, HEADER_BYTES) < 0)
        return -1;
    if (base->input_end - base->input_next < HEADER_BYTES)
        return source_is_cut_short(base->source)
                   ? 0
                   : lzma_coder_fail_short(base, WHAT);
    const unsigned char *header = base->input + base->input_next;
    for (int i = 0; i < 4; i++)
        options.dict_size |= (uint32_t)header[1 + i] << (8 * i);
    options.lc = LZMA_LC_DEFAULT;
    options.lp = LZMA_LP_DEFAULT;
    if (lzma_coder_reserve(&alone->coder, base, filters, WHAT) < 0)
        return -1;
    lzma_ret result = lzma_alone_decoder(&alone->coder.stream, UINT64_MAX);
    if (result != LZMA_OK)
        return lzma_coder_fail(base, result, WHAT, alone->begin);
    alone->has_begun = true;
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
    if (base->input_next == base->input_end)
        return 0;
    return source_fail(base->source, decoder_offset(base), "not lzma data",
                       "garbage after the end");
}

static ssize_t
read_alone(struct decoder *decoder, void *buffer, size_t capacity)
{
    struct lzma_alone *alone = alone_of(decoder);
    size_t done = 0;

    /* The last look may have been cut short. */
    if (alone->has_ended)
        return check_end(alone);
    if (!alone->has_begun) {
        int more = begin_data(alone);
        if (more <= 0)
            return more;
    }
    while (done < capacity && !alone->has_ended &&
           !source_is_cut_short(decoder->source)) {
        ssize_t got = lzma_coder_read(
            &alone->coder, decoder, (unsigned char *)buffer + done,
            capacity - done, WHAT, alone->begin, &alone->has_ended);
        if (got < 0 || (alone->has_ended && check_end(alone) < 0))
            return -1;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

static void
close_alone(struct decoder *decoder)
{
    lzma_coder_close(&alone_of(decoder)->coder);
}

const struct decoder_type lzma_alone_type = {
    .open = open_alone,
    .begin = begin_alone,
    .read = read_alone,
    .close = close_alone,
};
