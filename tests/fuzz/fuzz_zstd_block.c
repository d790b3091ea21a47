/* SPDX-License-Identifier: MIT */
/*
 * fuzz_zstd_block.c -- our decoder of the blocks of zstd, compared with libzstd
 *
 * The data are a frame; or, if the first byte is odd, what libzstd compresses,
 * of which some bytes are then changed.
 */

#include "fuzz.h"

#include "../zstd_check.h"

#define CONTENT_MAX ((size_t)1 << 18)
#define WINDOW_LOG_MAX 17
#define TABLE_LOG 11 /* small ones are cleared quickly */
#define WINDOW_MAX ((uint64_t)1 << WINDOW_LOG_MAX)
#define PACKED_MAX ((size_t)1 << 15)

/* Compress DATA, several times over, as CHOICES say.  Returns the size. */
static size_t
compress(struct fuzz *choices, unsigned char *packed)
{
    static ZSTD_CCtx *encoder;
    static unsigned char plain[PACKED_MAX / 2];
    int level = (int)(fuzz_take(choices, 1) % 27) - 4;
    int window = 10 + (int)(fuzz_take(choices, 1) % (WINDOW_LOG_MAX - 9));
    size_t times = 1 + (size_t)(fuzz_take(choices, 1) % 40);
    size_t flush = (size_t)fuzz_take(choices, 1) * 16;
    size_t size = 0;

    for (size_t i = 0; i < times; i++) {
        size_t part = choices->size / (1 + i % 3);
        if (part > sizeof plain - size)
            part = sizeof plain - size;
        if (part > 0)
            memcpy(plain + size, choices->data, part);
        size += part;
    }
    if (encoder == NULL)
        encoder = ZSTD_createCCtx();
    if (encoder == NULL)
        abort();
    ZSTD_CCtx_reset(encoder, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(encoder, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(encoder, ZSTD_c_windowLog, window);
    ZSTD_CCtx_setParameter(encoder, ZSTD_c_hashLog, TABLE_LOG);
    ZSTD_CCtx_setParameter(encoder, ZSTD_c_chainLog, TABLE_LOG);
    ZSTD_inBuffer in = {plain, 0, 0};
    ZSTD_outBuffer out = {packed, PACKED_MAX, 0};
    while (flush > 0 && size - in.size > flush) {
        in.size += flush;
        ZSTD_compressStream2(encoder, &out, &in, ZSTD_e_flush);
    }
    in.size = size;
    if (ZSTD_compressStream2(encoder, &out, &in, ZSTD_e_end) != 0)
        return 0;
    return out.pos;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char packed[PACKED_MAX];
    static unsigned char content[CONTENT_MAX];
    struct fuzz choices = {data, size};
    unsigned int first = (unsigned int)fuzz_take(&choices, 1);
    size_t content_size;

    if (first % 2 == 0) {
        size = choices.size < PACKED_MAX ? choices.size : PACKED_MAX;
        if (size > 0)
            memcpy(packed, choices.data, size);
    } else {
        unsigned int changes = first / 2 % 4;
        unsigned int place[4];
        unsigned int value[4];
        for (unsigned int i = 0; i < changes; i++) {
            place[i] = (unsigned int)fuzz_take(&choices, 2);
            value[i] = (unsigned int)fuzz_take(&choices, 1);
        }
        size = compress(&choices, packed);
        if (changes == 0)
            fuzz_must(size == 0 || zstd_check(packed, size, WINDOW_MAX, content,
                                              CONTENT_MAX,
                                              &content_size) == ZSTD_CHECK_SAME,
                      "what libzstd makes is accepted");
        for (unsigned int i = 0; i < changes && size > 0; i++)
            packed[place[i] % size] ^= (unsigned char)value[i];
    }
    fuzz_must(zstd_check(packed, size, WINDOW_MAX, content, CONTENT_MAX,
                         &content_size) != ZSTD_CHECK_OTHER,
              "libzstd makes the same of it");
    return 0;
}
