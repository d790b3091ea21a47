/* SPDX-License-Identifier: MIT */
/* test_decoders.c -- which format the first bytes of data have */

#include <stdio.h>
#include <string.h>

#include "../tap.h"
#include "input/decode/decoders.h"
#include "input/source.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Starts of data, and which format they have; "": none. */
static const struct {
    const char *name;
    const char *head;
    size_t size;
} heads[] = {
    {"zstd", "\x28\xb5\x2f\xfd", 4},
    {"zstd", "\x50\x2a\x4d\x18", 4},
    {"zstd", "\x5f\x2a\x4d\x18", 4},
    {"gzip", "\x1f\x8b\x08\0", 4},
    {"gzip", "\x1f\x8b\x08\x1f", 4},
    {"gzip", "\x1f\x8b\x08\x20", 4}, /* damaged */
    {"gzip", "\x1f\x8b\x08\x80", 4},
    {"", "\x1f\x8b\x07", 3},
    {"compress", "\x1f\x9d\x90", 3},
    {"compress", "\x1f\x9d\x0c", 3},
    {"", "\x1f\x9d\xb0", 3},
    {"", "\x1f\x9d\x08", 3},
    {"lzip", "LZIP", 4},
    {"", "LZIQ", 4},
    {"lzma", "\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\0", 14},
    {"lzma", "\x5d\0\0\x60\0\x07\0\0\0\0\0\0\0\0", 14},
    {"", "\x5d\0\0\x70\0", 5},
    {"", "\x5d\0\0\x80\0\0\0\0\0\x40\0\0\0\0", 14},
    {"", "\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff\1", 14},
    {"xz",
     "\xfd"
     "7zX",
     4},
    {"",
     "\xfd"
     "7zY",
     4},
    {"lz4", "\x04\x22\x4d\x18", 4},
    {"lz4", "\x02\x21\x4c\x18", 4},
    {"", "\x03\x21", 1},
    {"bzip2", "BZh9", 4},
    {"bzip2", "BZh1", 4},
    {"", "BZh0", 4},
    {"", "BZi", 3},
    {"", "\x28\xb5\x2f\xfc", 4},
    {"", "\x28\xb5\x2e", 3},
    {"", "\x28\xb4", 2},
    {"", "\x4f", 1},
    {"", "\x60", 1},
    {"", "a", 1},
    {"", "", 0},
};

/* The result for the first SIZE bytes of HEAD: a name, "short" or "". */
static const char *
result_of(enum decompress how, const char *head, size_t size)
{
    const struct decoders_format *format = NULL;
    enum magic match =
        decoders_match(how, (const unsigned char *)head, size, &format);

    return match == MAGIC_YES ? format->name : match == MAGIC_NO ? "" : "short";
}

int
main(void)
{
    const char *remark = NULL;

    for (size_t i = 0; i < COUNT(heads); i++) {
        char head[SOURCE_MAGIC_BYTES];
        size_t wrong = 0;
        memset(head, 'x', sizeof head);
        memcpy(head, heads[i].head, heads[i].size);
        for (size_t size = 0; size <= sizeof head; size++) {
            const char *wanted =
                size < heads[i].size || size == 0 ? "short" : heads[i].name;
            wrong +=
                strcmp(result_of(DECOMPRESS_AUTO, head, size), wanted) != 0;
        }
        ok(wrong == 0, "row %zu: '%s', as soon as it is certain", i,
           heads[i].name);
    }

    /* A format that is required is not taken for another one. */
    for (unsigned int how = DECOMPRESS_ONLY;
         decoders_word(how, &remark) != NULL; how++) {
        const char *name = decoders_word(how, &remark);
        size_t wrong = 0;
        for (size_t i = 0; i < COUNT(heads); i++) {
            const char *result =
                result_of((enum decompress)how, heads[i].head, heads[i].size);
            bool is_it = strcmp(name, heads[i].name) == 0;
            /* Those without a magic number, and frames of two formats. */
            if (strcmp(name, "lzma") == 0 || strcmp(name, "zlib") == 0 ||
                (strcmp(name, "lz4") == 0 && heads[i].size == 4 &&
                 memcmp(heads[i].head + 1, "\x2a\x4d", 2) == 0))
                continue;
            wrong += is_it != (strcmp(result, name) == 0);
            wrong += strcmp(result, "short") == 0 && heads[i].size > 0;
        }
        ok(wrong == 0, "--decompress=%s: no other", name);
        ok(strcmp(decoders_demanded((enum decompress)how)->name, name) == 0,
           "... is its name");
    }
    ok(decoders_demanded(DECOMPRESS_AUTO) == NULL &&
           decoders_demanded(DECOMPRESS_NONE) == NULL,
       "auto and none require nothing");
    return done_testing();
}
