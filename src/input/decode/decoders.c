/* SPDX-License-Identifier: MIT */
/* decoders.c -- the table of compressed formats, and --decompress */

#include <stddef.h>
#include <string.h>

#include "input/decode/bzip2/bzip2_stream.h"
#include "input/decode/compress/lzw_stream.h"
#include "input/decode/decoders.h"
#include "input/decode/gzip/gzip_header.h"
#include "input/decode/gzip/gzip_stream.h"
#include "input/decode/gzip/gzip_walk.h"
#include "input/decode/gzip/zlib_stream.h"
#include "input/decode/lz4/lz4_frame.h"
#include "input/decode/lz4/lz4_stream.h"
#include "input/decode/xz/lzip_stream.h"
#include "input/decode/xz/lzma_alone.h"
#include "input/decode/xz/xz_stream.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_stream.h"
#include "input/decode/zstd/zstd_walk.h"

#define NOT_BUILT_IN NULL, NULL, NULL

#ifdef HAVE_ZSTD
#    include <zstd.h>
#    define ZSTD &zstd_stream_type, "libzstd", ZSTD_versionString
#else
#    define ZSTD NOT_BUILT_IN
#endif

#if defined HAVE_ISAL || defined HAVE_ZLIB
#    define GZIP_SURVEY gzip_walk_survey
#else
#    define GZIP_SURVEY NULL /* it decodes */
#endif

#if defined HAVE_ISAL
/* The library does not say its version. */
#    define GZIP &gzip_stream_type, "ISA-L", NULL
#    define ZLIB &zlib_stream_type, "ISA-L", NULL
#elif defined HAVE_ZLIB
#    include <zlib.h>
#    define GZIP &gzip_stream_type, "zlib", zlibVersion
#    define ZLIB &zlib_stream_type, "zlib", zlibVersion
#else
#    define GZIP NOT_BUILT_IN
#    define ZLIB NOT_BUILT_IN
#endif

#ifdef HAVE_LZMA
#    include <lzma.h>
#    define XZ &xz_stream_type, "liblzma", lzma_version_string
#    define LZMA &lzma_alone_type, "liblzma", lzma_version_string
#else
#    define XZ NOT_BUILT_IN
#    define LZMA NOT_BUILT_IN
#endif

#ifdef HAVE_LZIP
#    define LZIP &lzip_stream_type, "liblzma", lzma_version_string
#else
#    define LZIP NOT_BUILT_IN
#endif

#ifdef HAVE_LZ4
#    include <lz4.h>
#    define LZ4 &lz4_stream_type, "liblz4", LZ4_versionString
#else
#    define LZ4 NOT_BUILT_IN
#endif

#ifdef HAVE_BZIP2
#    include <bzlib.h>
#    define BZIP2 &bzip2_stream_type, "libbz2", BZ2_bzlibVersion
#else
#    define BZIP2 NOT_BUILT_IN
#endif

static const struct decoders_format formats[] = {
    {"zstd", zstd_frame_match, NULL, ZSTD, zstd_walk_survey},
    {"gzip", gzip_header_looks_like, NULL, GZIP, GZIP_SURVEY},
    {"xz", magic_looks_like_xz, NULL, XZ, NULL},
    {"lzma", NULL, magic_looks_like_lzma, LZMA, NULL},
    {"lz4", lz4_frame_match, NULL, LZ4, NULL},
    {"bzip2", magic_is_bzip2, NULL, BZIP2, NULL},
    {"lzip", magic_is_lzip, NULL, LZIP, NULL},
    {"compress", magic_is_compress, NULL, &lzw_stream_type, "built in", NULL,
     NULL},
    {"zlib", NULL, NULL, ZLIB, NULL},
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
        else if (row->guess != NULL)
            match = row->guess(head, size);
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
decoders_find(const char *name)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(formats[i].name, name) == 0)
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
decoders_survey(struct decodable *decodable, int fd, off_t start,
                uint64_t bytes, uint64_t least)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].survey != NULL)
            formats[i].survey(decodable, fd, start, bytes, least);
}

void
decoders_put(FILE *out)
{
    fputs("compressed input:", out);
    for (size_t i = 0; i < FORMATS; i++) {
        const struct decoders_format *row = &formats[i];
        const char *version = row->version != NULL ? row->version() : "";
        /* libbz2 adds a date. */
        fprintf(out, "%s %s (%s%s%.*s)", i == 0 ? "" : ",", row->name,
                row->type != NULL ? row->library : "not built in",
                *version != '\0' ? " " : "", (int)strcspn(version, ", "),
                version);
    }
    putc('\n', out);
}
