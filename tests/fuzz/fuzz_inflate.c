/* SPDX-License-Identifier: MIT */
/*
 * fuzz_inflate.c -- the kernels for deflate data, as C, compared with zlib
 *
 * The data are a member; or, if the first byte is odd, zlib makes a member of
 * the data, of which some bytes are then changed.  The sizes are always those
 * that zlib finds, and sums are compared apart, so a trailer hides nothing.
 */

#include <zlib.h>

#include "fuzz.h"

/* Members are short, and a window is decoded whole: one of 384 bytes in place of
   1.7 KB takes a third of the time.  Rounds still end where tokens do. */
#define INFLATE_LANE_WORDS 3u
#include "../inflate_kernels.h"

#define RAW_WINDOW (-15)
#define SHORT_WINDOW (-11)
#define CHANGES_MAX 3
#define PLACES_MAX 32
#define PART_MAX ((size_t)1 << 13)
#define SHORT_PART ((size_t)1 << 8)
#define FEW_REPEATS 248 /* of 256: most contents are short, and so is a run */
#define SHORT_CONTENT ((size_t)1 << 10)
#define POISON 0x5a

/* What zlib makes of a member, up to a limit. */
static struct {
    unsigned char content[INFLATE_CONTENT_MAX + 1];
    size_t content_bytes;
    bool is_right;
} zlib;

static void
zlib_decode(unsigned char *packed, size_t size, size_t limit)
{
    z_stream stream = {.next_in = packed,
                       .avail_in = (unsigned)size,
                       .next_out = zlib.content,
                       .avail_out = (unsigned)limit + 1};

    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        abort();
    zlib.is_right = inflate(&stream, Z_FINISH) == Z_STREAM_END &&
                    stream.avail_in == 0 && stream.total_out <= limit;
    zlib.content_bytes = stream.total_out;
    if (zlib.content_bytes > limit)
        zlib.content_bytes = limit;
    inflateEnd(&stream);
}

/* Repeat parts of the data, of up to PART_BYTES, and compress them, as CHOICES
   say.  Returns the size. */
static size_t
compress_data(struct fuzz *choices, size_t part_bytes, unsigned char *packed)
{
    static unsigned char plain[INFLATE_CONTENT_MAX];
    const int level = (int)(fuzz_take(choices, 1) % 10);
    const int strategy = (int)(fuzz_take(choices, 1) % (Z_FIXED + 1));
    const int memory = 1 + (int)(fuzz_take(choices, 1) % 9);
    const size_t repeats = (size_t)fuzz_take(choices, 1);
    const size_t times = repeats < FEW_REPEATS || part_bytes < PART_MAX
                             ? 1 + repeats % 8
                             : repeats;
    const size_t flush = 16 * (size_t)fuzz_take(choices, 1);
    z_stream stream = {.next_out = packed, .avail_out = INFLATE_PACKED_MAX};
    size_t size = 0;

    for (size_t i = 0; i < times; i++) {
        size_t part = choices->size / (1 + i % 3);
        if (part > part_bytes)
            part = part_bytes;
        if (part > sizeof plain - size)
            part = sizeof plain - size;
        if (part > 0)
            memcpy(plain + size, choices->data, part);
        size += part;
    }
    /* A small window, which is made faster, has all of a short content. */
    if (deflateInit2(&stream, level, Z_DEFLATED,
                     size > SHORT_CONTENT ? RAW_WINDOW : SHORT_WINDOW, memory,
                     strategy) != Z_OK)
        abort();
    stream.next_in = plain;
    while (flush > 0 && size - (size_t)(stream.next_in - plain) > flush) {
        stream.avail_in = (unsigned)flush;
        if (deflate(&stream, Z_BLOCK) != Z_OK || stream.avail_in > 0)
            break;
    }
    stream.avail_in = (unsigned)(size - (size_t)(stream.next_in - plain));
    const bool is_done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    deflateEnd(&stream);
    return is_done ? stream.total_out : 0;
}

/* Memory of SIZE bytes, at a multiple of 32. */
static unsigned char *
memory_of(size_t size)
{
    void *at = NULL;

    /* A sanitizer looks at the end only if the size is not rounded up. */
    if (posix_memalign(&at, 32, size > 0 ? size : 1) != 0)
        abort();
    memset(at, POISON, size);
    return at;
}

/* How kernels run. */
struct how {
    size_t place; /* of the first byte of the data and of the content */
    binning_u32 items;
    bool sums; /* compare the sum, too: it takes long to make tables */
};

/* Whether the kernels accept the SIZE bytes at PACKED.  Compares the content.
 */
static bool
kernels_accept(const unsigned char *packed, size_t size, const struct how *how)
{
    const size_t place = how->place;
    struct inflate_task task = {
        .at = (binning_u32)place,
        .bytes = (binning_u32)size,
        .content_at = (binning_u32)place,
        .content = (binning_u32)zlib.content_bytes,
        .sum = (binning_u32)crc32(crc32(0, NULL, 0), zlib.content,
                                  (unsigned)zlib.content_bytes)};
    unsigned char *data = memory_of((place + size + 3) / 4 * 4);
    unsigned char *content = memory_of(place + zlib.content_bytes);
    binning_u32 refused = 1;

    if (size > 0)
        memcpy(data + place, packed, size);
    const struct inflate_work work = {
        .packed = (binning_u64)(uintptr_t)data,
        .tasks = (binning_u64)(uintptr_t)&task,
        .content = (binning_u64)(uintptr_t)content,
        .refused = (binning_u64)(uintptr_t)&refused,
        .members = 1,
    };
    inflate_kernels_run_decode(&work, 1, how->items);
    for (size_t i = 0; i < place; i++)
        fuzz_must(content[i] == POISON, "nothing is written before the room");
    const bool is_accepted = refused == 0;
    fuzz_must(!is_accepted || memcmp(content + place, zlib.content,
                                     zlib.content_bytes) == 0,
              "zlib makes the same content");
    if (is_accepted && how->sums) {
        inflate_kernels_run_sum(&work, 1, how->items);
        fuzz_must(refused == 0, "the sum is right");
        task.sum ^= 1;
        inflate_kernels_run_sum(&work, 1, how->items);
        fuzz_must(refused != 0, "another sum is wrong");
    }
    free(data);
    free(content);
    return is_accepted;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned char packed[INFLATE_PACKED_MAX];
    struct fuzz choices = {data, size};
    const unsigned int first = (unsigned int)fuzz_take(&choices, 1);
    const size_t place = (size_t)(fuzz_take(&choices, 1) % PLACES_MAX);
    const bool may_be_long = place % 8 == 0;
    const bool is_packed = first % 2 != 0;
    const unsigned int changes = first / 2 % (CHANGES_MAX + 1);
    unsigned int at[CHANGES_MAX];
    unsigned int value[CHANGES_MAX];

    if (device.stack == NULL)
        device_open_items();
    if (!is_packed) {
        size = choices.size < sizeof packed ? choices.size : sizeof packed;
        if (size > 0)
            memcpy(packed, choices.data, size);
    } else {
        for (unsigned int i = 0; i < changes; i++) {
            at[i] = (unsigned int)fuzz_take(&choices, 2);
            value[i] = (unsigned int)fuzz_take(&choices, 1);
        }
        size = compress_data(&choices, may_be_long ? PART_MAX : SHORT_PART,
                             packed);
        for (unsigned int i = 0; i < changes && size > 0; i++)
            packed[at[i] % size] ^= (unsigned char)value[i];
    }
    zlib_decode(packed, size,
                is_packed || may_be_long ? INFLATE_CONTENT_MAX : SHORT_CONTENT);
    /* Items that wait for each other take long, too. */
    const bool is_short = zlib.content_bytes <= SHORT_CONTENT || may_be_long;
    const binning_u32 many = may_be_long ? 32 : 4;
    const struct how how = {place, first / 8 % 16 == 0 && is_short ? many : 1,
                            first / 8 % 16 == 1 && is_short};
    const bool is_accepted = kernels_accept(packed, size, &how);
    fuzz_must(!is_accepted || zlib.is_right, "zlib accepts the member, too");
    if (is_packed && changes == 0 && size > 0)
        fuzz_must(is_accepted, "a member that zlib makes is accepted");
    return 0;
}
