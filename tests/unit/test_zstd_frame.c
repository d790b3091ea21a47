/* SPDX-License-Identifier: MIT */
/*
 * test_zstd_frame.c -- frame headers, made by hand from RFC 8878
 *
 * The last ones in the table of windows are what zstd 1.5 wrote, with the command.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../memory_file.h"
#include "../tap.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/framing/framing.h"
#include "input/read/claim.h"
#include "input/read/survey.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- the magic numbers ---- */

static const char magics[17][5] = {
    "\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18", "\x51\x2a\x4d\x18",
    "\x52\x2a\x4d\x18", "\x53\x2a\x4d\x18", "\x54\x2a\x4d\x18",
    "\x55\x2a\x4d\x18", "\x56\x2a\x4d\x18", "\x57\x2a\x4d\x18",
    "\x58\x2a\x4d\x18", "\x59\x2a\x4d\x18", "\x5a\x2a\x4d\x18",
    "\x5b\x2a\x4d\x18", "\x5c\x2a\x4d\x18", "\x5d\x2a\x4d\x18",
    "\x5e\x2a\x4d\x18", "\x5f\x2a\x4d\x18",
};

static bool
is_listed(const unsigned char *data)
{
    for (size_t i = 0; i < COUNT(magics); i++) {
        if (memcmp(data, magics[i], 4) == 0)
            return true;
    }
    return false;
}

static void
test_magic(void)
{
    unsigned int missed = 0, wrong = 0;
    unsigned char data[8] = {0};

    for (size_t i = 0; i < COUNT(magics); i++) {
        memcpy(data, magics[i], 4);
        for (size_t size = 0; size <= sizeof data; size++)
            missed += zstd_frame_match(data, size) !=
                      (size >= 4 ? MAGIC_YES : MAGIC_SHORT);
    }
    ok(missed == 0, "17 magic numbers, all of their bytes needed");

    for (size_t i = 0; i < COUNT(magics); i++) {
        for (unsigned int byte = 0; byte < 4; byte++) {
            for (unsigned int value = 0; value < 256; value++) {
                memcpy(data, magics[i], 4);
                data[byte] = (unsigned char)value;
                wrong += zstd_frame_is_magic(data, 4) != is_listed(data);
            }
        }
    }
    ok(wrong == 0, "no other number with three bytes of one");
    ok(!zstd_frame_is_magic((const unsigned char *)"\xfd\x2f\xb5\x28", 4),
       "not the other byte order");
    ok(!zstd_frame_is_magic(NULL, 0), "nothing at all");
    ok(!zstd_frame_is_magic((const unsigned char *)"\x1f\x8b\x08\0\0", 5),
       "not gzip");
}

/* ---- the window ---- */

#define MAGIC "\x28\xb5\x2f\xfd"

/*
 * The byte after the magic number: 2 bits, how long the content size is; 1,
 * a single segment; 1 unused, 1 reserved; 1, a checksum; 2, how long the
 * dictionary's number is.
 */
static const struct {
    const char *name;
    const char *header;
    size_t size;
    uint64_t window;
} headers[] = {
    {"1 KiB", MAGIC "\x00\x00", 6, 1024},
    {"1 KiB and 7/8", MAGIC "\x00\x07", 6, 1920},
    {"2 KiB", MAGIC "\x00\x08", 6, 2048},
    {"8 MiB", MAGIC "\x00\x68", 6, 8 << 20},
    {"8 MiB and 3/8", MAGIC "\x00\x6b", 6, 11 << 20},
    {"2 GiB", MAGIC "\x00\xa8", 6, (uint64_t)1 << 31},
    {"3.75 TiB, the most", MAGIC "\x00\xff", 6, 4123168604160},
    {"a checksum changes nothing", MAGIC "\x04\x58", 6, 2 << 20},
    {"nor the unused bit", MAGIC "\x10\x58", 6, 2 << 20},
    {"nor a dictionary", MAGIC "\x03\x58\x01\x02\x03\x04", 10, 2 << 20},
    {"nor a content size", MAGIC "\xc0\x58\xff\xff\xff\xff\xff\xff\xff\xff", 14,
     2 << 20},

    {"1 byte, 0", MAGIC "\x20\x00", 6, 0},
    {"1 byte, 1", MAGIC "\x20\x01", 6, 1},
    {"1 byte, 255", MAGIC "\x20\xff", 6, 255},
    {"2 bytes, 256 less", MAGIC "\x60\x00\x00", 7, 256},
    {"2 bytes, most", MAGIC "\x60\xff\xff", 7, 65535 + 256},
    {"4 bytes", MAGIC "\xa0\x78\x56\x34\x12", 9, 0x12345678},
    {"4 bytes, most", MAGIC "\xa0\xff\xff\xff\xff", 9, UINT32_MAX},
    {"8 bytes", MAGIC "\xe0\x08\x07\x06\x05\x04\x03\x02\x01", 13,
     0x0102030405060708},
    {"8 bytes, most", MAGIC "\xe0\xff\xff\xff\xff\xff\xff\xff\xff", 13,
     UINT64_MAX},
    {"behind a dictionary of 1 byte", MAGIC "\x21\xee\x11", 7, 0x11},
    {"behind one of 2 bytes", MAGIC "\x62\xee\xee\x22\x01", 9, 0x0122 + 256},
    {"behind one of 4 bytes", MAGIC "\xa3\xee\xee\xee\xee\x44\x33\x22\x11", 13,
     0x11223344},
    {"the longest of one segment",
     MAGIC "\xe3\xee\xee\xee\xee\x08\x07\x06\x05\x04\x03\x02\x01", 17,
     0x0102030405060708},
    {"the longest header",
     MAGIC "\xc3\x58\xee\xee\xee\xee\xff\xff\xff\xff\xff\xff\xff\xff", 18,
     2 << 20},

    {"a skippable frame", "\x50\x2a\x4d\x18\xff\xff\xff\xff", 8, 0},
    {"another", "\x5f\x2a\x4d\x18\x00\xff\x00\x00", 8, 0},

    {"printf hello | zstd", MAGIC "\x04\x58\x29\x00\x00\x68", 10, 2 << 20},
    {"zstd hello", MAGIC "\x24\x05\x29\x00\x00\x68", 10, 5},
    {"zstd --long=27 <", MAGIC "\x04\x88\x29\x00\x00\x68", 10, 128 << 20},
    {"zstd --ultra --long=31 <", MAGIC "\x04\xa8\x29\x00\x00\x68", 10,
     (uint64_t)1 << 31},
};

static void
test_windows(void)
{
    for (size_t i = 0; i < COUNT(headers); i++) {
        unsigned char header[ZSTD_FRAME_HEADER_MAX];
        struct zstd_frame exact, more;
        memset(header, 0xaa, sizeof header);
        memcpy(header, headers[i].header, headers[i].size);
        int result = zstd_frame_read(&exact, header, headers[i].size);
        result |= zstd_frame_read(&more, header, sizeof header);
        ok(result == 0 && exact.window_bytes == headers[i].window &&
               more.window_bytes == headers[i].window,
           "window: %s (%" PRIu64 ")", headers[i].name, exact.window_bytes);
    }
}

/*
 * A header that is cut is no reason to read beyond it.  Its copy ends where
 * its memory ends, for AddressSanitizer to see.
 */
static void
test_short(void)
{
    unsigned int wrong = 0;

    for (size_t i = 0; i < COUNT(headers); i++) {
        struct zstd_frame whole, cut;
        zstd_frame_read(&whole, (const unsigned char *)headers[i].header,
                        headers[i].size);
        wrong += whole.header_bytes > headers[i].size;
        for (size_t size = 0; size < headers[i].size; size++) {
            unsigned char *copy = malloc(size > 0 ? size : 1);
            memcpy(copy, headers[i].header, size);
            int result = zstd_frame_read(&cut, copy, size);
            if (size < whole.header_bytes)
                wrong += result == 0 || cut.window_bytes != 0;
            else
                wrong += result != 0 || cut.window_bytes != whole.window_bytes;
            free(copy);
        }
    }
    ok(wrong == 0, "what is too short is refused");
}

/* ---- what else a frame says ---- */

static const struct {
    const char *name;
    const char *header;
    size_t size;
    struct zstd_frame wanted;
} frames[] = {
    {"nothing but a window", MAGIC "\x00\x00", 6, {.header_bytes = 6}},
    {"a checksum",
     MAGIC "\x04\x00",
     6,
     {.header_bytes = 6, .has_checksum = true}},
    {"a window and a size",
     MAGIC "\x40\x00\x01\x02",
     8,
     {.header_bytes = 8, .is_sized = true, .content_bytes = 0x201 + 256}},
    {"a size of 0",
     MAGIC "\x24\x00",
     6,
     {.header_bytes = 6, .is_sized = true, .has_checksum = true}},
    {"behind a dictionary",
     MAGIC "\x83\x00\xee\xee\xee\xee\1\2\3\4",
     14,
     {.header_bytes = 14, .is_sized = true, .content_bytes = 0x04030201}},
    {"skippable",
     "\x53\x2a\x4d\x18\xfc\xfd\xfe\xff",
     8,
     {.header_bytes = 8,
      .is_sized = true,
      .is_skippable = true,
      .skipped_bytes = 0xfffefdfc}},
};

static void
test_frames(void)
{
    for (size_t i = 0; i < COUNT(frames); i++) {
        const struct zstd_frame *wanted = &frames[i].wanted;
        struct zstd_frame frame;
        int result = zstd_frame_read(
            &frame, (const unsigned char *)frames[i].header, frames[i].size);
        ok(result == 0 && frame.header_bytes == wanted->header_bytes &&
               frame.is_sized == wanted->is_sized &&
               frame.content_bytes == wanted->content_bytes &&
               frame.has_checksum == wanted->has_checksum &&
               frame.is_skippable == wanted->is_skippable &&
               frame.skipped_bytes == wanted->skipped_bytes,
           "frame: %s", frames[i].name);
    }
}

static void
test_blocks(void)
{
    static const struct {
        const char *name;
        unsigned char header[3];
        int result;
        struct zstd_block_header wanted;
    } blocks[] = {
        {"as it is", {0x08, 0, 0}, 0, {.bytes = 1}},
        {"empty", {0x01, 0, 0}, 0, {.is_last = true}},
        {"one byte, repeated", {0xfa, 0xff, 0x0f}, 0, {.bytes = 1}},
        {"compressed, the last",
         {0x05, 0x00, 0x10},
         0,
         {.is_last = true, .bytes = 0x20000}},
        {"of no known type", {0x0e, 0, 0}, -1, {0}},
    };

    for (size_t i = 0; i < COUNT(blocks); i++) {
        struct zstd_block_header block;
        int result = zstd_frame_read_block(&block, blocks[i].header, 3);
        bool is_right = result == blocks[i].result;
        if (result == 0)
            is_right &= block.is_last == blocks[i].wanted.is_last &&
                        block.bytes == blocks[i].wanted.bytes;
        ok(is_right && zstd_frame_read_block(&block, blocks[i].header, 2) < 0,
           "block: %s", blocks[i].name);
    }
}

/* ---- what is known of a file ---- */

/* A window of 1 KiB, no size; and one segment of 9 bytes. */
#define UNSIZED MAGIC "\x00\x00"
#define SIZED MAGIC "\x20\x09"
#define SUMMED MAGIC "\x24\x09"
#define SKIPPED                        \
    "\x50\x2a\x4d\x18\x03\x00\x00\x00" \
    "abc"
/* 9 bytes of one kind. */
#define BLOCK      \
    "\x4a\x00\x00" \
    "x"
#define LAST       \
    "\x4b\x00\x00" \
    "x"
#define MANY UNSIZED BLOCK BLOCK LAST

static void
test_survey(void)
{
    static const struct {
        const char *name;
        const char *data;
        size_t size;
        struct decodable wanted;
    } files[] = {
#define FILE_OF(data) data, sizeof data - 1
        {"many frames, of full blocks for all that is known",
         FILE_OF(MANY MANY MANY),
         {.many_bytes = 54, .many_content = 9216, .window = 1024}},
        {"a frame behind one to skip, of which another is an eleventh",
         FILE_OF(SKIPPED SIZED LAST UNSIZED BLOCK BLOCK BLOCK LAST),
         {.many_bytes = 43, .many_content = 38, .window = 9}},
        {"a long frame",
         FILE_OF(SIZED BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK LAST),
         {.long_files = 1,
          .long_bytes = 34,
          .long_content = 9,
          .unsummed_bytes = 34,
          .unsummed_content = 9,
          .window = 9}},
        {"a long frame with a checksum",
         FILE_OF(SUMMED BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK LAST "sums"),
         {.long_files = 1, .long_bytes = 38, .long_content = 9, .window = 9}},
        {"a long frame that does not say its size: full blocks, as the first 5",
         FILE_OF(UNSIZED BLOCK BLOCK BLOCK BLOCK BLOCK BLOCK LAST),
         {.long_files = 1,
          .long_bytes = 34,
          .long_content = 5 * 1024 * 34 / 26,
          .unsummed_bytes = 34,
          .unsummed_content = 5 * 1024 * 34 / 26,
          .window = 1024}},
        {"a short file", FILE_OF(MANY), {.window = 0}},
        {"something else",
         FILE_OF("0123456789012345678901234567890"),
         {.window = 0}},
        {"nothing but frames to skip",
         FILE_OF(SKIPPED SKIPPED SKIPPED),
         {.window = 0}},
#undef FILE_OF
    };

    for (size_t i = 0; i < COUNT(files); i++) {
        const struct decodable *wanted = &files[i].wanted;
        memory_file_write(files[i].data, files[i].size);
        char *paths[] = {memory_file.path};
        struct input_slot slot = {.input = NULL};
        const struct inputs inputs = {
            .paths = paths,
            .slot = &slot,
            .count = 1,
            .framing = framing_make_fixed(1, false),
        };
        struct decodable found = survey_inputs(&inputs, 25, 25);
        ok(found.long_files == wanted->long_files &&
               found.long_bytes == wanted->long_bytes &&
               found.long_content == wanted->long_content &&
               found.unsummed_bytes == wanted->unsummed_bytes &&
               found.unsummed_content == wanted->unsummed_content &&
               found.many_bytes == wanted->many_bytes &&
               found.many_content == wanted->many_content &&
               found.window == wanted->window,
           "a file with %s", files[i].name);
    }
}

int
main(void)
{
    test_magic();
    test_windows();
    test_short();
    test_frames();
    test_blocks();
    test_survey();
    return done_testing();
}
