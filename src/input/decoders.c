/* decoders.c -- the table of compressed formats, and --decompress */

#include <stddef.h>

#include "input/decoders.h"
#include "input/zstd_frame.h"
#include "input/zstd_stream.h"

#ifdef HAVE_ZSTD
#    define ZSTD_TYPE (&zstd_stream_type)
#else
#    define ZSTD_TYPE NULL
#endif

static const struct decoders_format formats[] = {
    {"zstd", zstd_frame_is_magic, ZSTD_TYPE},
};

#define FORMATS (sizeof formats / sizeof *formats)

const struct decoders_format *
decoders_recognise(const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (formats[i].is_magic(head, size))
            return &formats[i];
    }
    return NULL;
}

const struct decoders_format *
decoders_demanded(enum decompress how)
{
    return how < DECOMPRESS_ONLY ? NULL : &formats[how - DECOMPRESS_ONLY];
}

const char *
decoders_word(unsigned int i)
{
    if (i == DECOMPRESS_AUTO)
        return "auto";
    if (i == DECOMPRESS_NONE)
        return "none";
    return i - DECOMPRESS_ONLY < FORMATS ? formats[i - DECOMPRESS_ONLY].name
                                         : NULL;
}
