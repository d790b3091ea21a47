/* SPDX-License-Identifier: MIT */
/* fuzz_zstd.c -- zstd, compared with what libzstd alone makes of the bytes */

#include <zstd.h>

#include "decoding.h"
#include "input/decode/zstd/zstd_frame.h"

#define WINDOW_LOG_MAX 24               /* the limit that the budget sets */
#define DECODER_BYTES ((size_t)1 << 20) /* besides the window: zstd_stream.c */
#define PIECE_BYTES 7                   /* shorter than any frame */

/*
 * Decode all of DATA into CONTENT.  Of a whole frame at once libzstd 1.5 would
 * refuse a compressed block of no bytes, of a stream it does not.
 */
static enum decoding_outcome
decode(const uint8_t *data, size_t size, unsigned char *content,
       size_t capacity, size_t *content_size)
{
    static ZSTD_DCtx *decoder;
    ZSTD_inBuffer in = {data, 0, 0};
    ZSTD_outBuffer out = {content, capacity, 0};
    size_t hint = 0;

    *content_size = 0;
    if (decoder == NULL) {
        decoder = ZSTD_createDCtx();
        if (decoder == NULL)
            abort();
        ZSTD_DCtx_setParameter(decoder, ZSTD_d_windowLogMax, WINDOW_LOG_MAX);
    }
    ZSTD_DCtx_reset(decoder, ZSTD_reset_session_only);
    do {
        size_t before = in.pos + out.pos;
        /* libzstd may know formats that are older than the RFC's. */
        if (hint == 0 && !zstd_frame_is_magic(data + in.pos, size - in.pos))
            return DECODING_BAD;
        if (in.pos == in.size)
            in.size +=
                size - in.size < PIECE_BYTES ? size - in.size : PIECE_BYTES;
        hint = ZSTD_decompressStream(decoder, &out, &in);
        *content_size = out.pos;
        if (ZSTD_isError(hint))
            return DECODING_BAD;
        if (out.pos == out.size)
            return DECODING_LONG;
        if (hint != 0 && in.pos + out.pos == before)
            return DECODING_BAD;
    } while (hint != 0 || in.pos < size);
    return DECODING_GOOD;
}

static uint64_t
memory(const uint8_t *data, size_t size)
{
    struct zstd_frame frame;

    return zstd_frame_read(&frame, data, size) == 0
               ? frame.window_bytes + DECODER_BYTES
               : 0;
}

/*
 * Whether two messages report the same error at the same byte.  libzstd's text
 * for a bad block depends on the room after the block.
 */
static bool
is_same_error(const char *a, const char *b)
{
    const char *detail = strrchr(a, ':');
    size_t length = strstr(a, ": corrupt zstd data") != NULL && detail != NULL
                        ? (size_t)(detail - a) + 1
                        : strlen(a) + 1;

    return strncmp(a, b, length) == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct decoding zstd = {"zstd", decode, memory, is_same_error};
    struct fuzz choices = {data, size};
    size_t taken = size < 5 ? size : 5;

    decoding_check(&zstd, &choices, data + taken, size - taken);
    return 0;
}
