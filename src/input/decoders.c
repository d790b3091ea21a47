/* decoders.c -- the table of compressed formats, and --decompress */

#include <stddef.h>

#include "input/decoders.h"
#include "input/gzip_header.h"
#include "input/gzip_stream.h"
#include "input/zstd_frame.h"
#include "input/zstd_stream.h"

#ifdef HAVE_ZSTD
#    define ZSTD &zstd_stream_type, "libzstd"
#else
#    define ZSTD NULL, NULL
#endif

#if defined HAVE_ISAL
#    define GZIP &gzip_stream_type, "ISA-L"
#elif defined HAVE_ZLIB
#    define GZIP &gzip_stream_type, "zlib"
#else
#    define GZIP NULL, NULL
#endif

static const struct decoders_format formats[] = {
    {"zstd", zstd_frame_match, ZSTD},
    {"gzip", gzip_header_match, GZIP},
};

#define FORMATS (sizeof formats / sizeof *formats)

enum magic
decoders_match(enum decompress how, const unsigned char *head, size_t size,
               const struct decoders_format **format)
{
    const struct decoders_format *demanded = decoders_demanded(how);
    enum magic result = MAGIC_NO;

    for (size_t i = 0; i < FORMATS; i++) {
        const struct decoders_format *row = &formats[i];
        enum magic match = MAGIC_NO;
        if (demanded != NULL && row != demanded)
            continue;
        if (row->match != NULL)
            match = row->match(head, size);
        else if (row == demanded)
            match = MAGIC_YES;
        if (match == MAGIC_YES) {
            *format = row;
            return MAGIC_YES;
        }
        if (match == MAGIC_SHORT)
            result = MAGIC_SHORT;
    }
    return result;
}

const struct decoders_format *
decoders_demanded(enum decompress how)
{
    return how < DECOMPRESS_ONLY ? NULL : &formats[how - DECOMPRESS_ONLY];
}

const char *
decoders_word(unsigned int i, const char **remark)
{
    if (i == DECOMPRESS_AUTO) {
        *remark = "what its first bytes say; default";
        return "auto";
    }
    if (i == DECOMPRESS_NONE) {
        *remark = "count the bytes as they are";
        return "none";
    }
    return i - DECOMPRESS_ONLY < FORMATS ? formats[i - DECOMPRESS_ONLY].name
                                         : NULL;
}

void
decoders_put(FILE *out)
{
    fputs("compressed input:", out);
    for (size_t i = 0; i < FORMATS; i++) {
        const struct decoders_format *row = &formats[i];
        fprintf(out, "%s %s (%s)", i == 0 ? "" : ",", row->name,
                row->type != NULL ? row->library : "not built in");
    }
    putc('\n', out);
}
