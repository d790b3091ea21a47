/* SPDX-License-Identifier: MIT */
/* deflate_stretch.c -- a stretch of deflate data, decoded before its window */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "input/decode/gzip/deflate_stretch.h"

/* The longest match, and how many symbols are copied at once. */
#define MATCH_MOST 258
#define COPIED ((size_t)8)

/* One step of decode_codes() writes up to three literals, a match, and up to
   COPIED - 1 symbols too many. */
#define STEP_MOST (3 + MATCH_MOST + COPIED)

#define WINDOW_SYMBOLS INFLATE_WINDOW_BYTES

/* ---- memory ---- */

uint64_t
deflate_stretch_memory(size_t room)
{
    return sizeof(uint16_t) * (uint64_t)(WINDOW_SYMBOLS + room + STEP_MOST);
}

int
deflate_stretch_open(struct deflate_stretch *stretch, size_t room)
{
    *stretch = (struct deflate_stretch){.room = room};
    stretch->memory = malloc((size_t)deflate_stretch_memory(room));
    if (stretch->memory == NULL)
        return -1;
    for (size_t i = 0; i < WINDOW_SYMBOLS; i++)
        stretch->memory[i] = (uint16_t)(DEFLATE_WINDOW_AT + i);
    return 0;
}

void
deflate_stretch_close(struct deflate_stretch *stretch)
{
    free(stretch->memory);
    stretch->memory = NULL;
}

/* The symbols of the content. */
static uint16_t *
symbols_of(const struct deflate_stretch *stretch)
{
    return stretch->memory + WINDOW_SYMBOLS;
}

/* ---- decoding ---- */

struct reader {
    const unsigned char *data;
    const unsigned char *next; /* of DATA: not yet in BITS */
    const unsigned char *stop; /* NEXT is beyond the data then */
    uint64_t bits;             /* the next bits, COUNT or more */
    unsigned int count;        /* up to 63 */
};

struct symbols {
    uint16_t *next;
    uint16_t *stop; /* no room for a step after this */
};

/* Have 56 bits at least. */
static inline void
refill(struct reader *reader)
{
    reader->bits |= deflate_word(reader->next) << reader->count;
    reader->next += 7 - (reader->count >> 3);
    reader->count |= 56;
}

static inline void
drop(struct reader *reader, unsigned int bits)
{
    reader->bits >>= bits;
    reader->count -= bits;
}

/* The next bit of the data. */
static uint64_t
position(const struct reader *reader)
{
    return CHAR_BIT * (uint64_t)(reader->next - reader->data) - reader->count;
}

static void
seek(struct reader *reader, uint64_t bit)
{
    reader->next = reader->data + bit / CHAR_BIT;
    reader->bits = 0;
    reader->count = 0;
    refill(reader);
    drop(reader, bit % CHAR_BIT);
}

/* The length or distance of ENTRY, whose code comes next in BITS. */
static inline size_t
value_of(uint32_t entry, uint64_t bits)
{
    uint64_t all = bits & ((UINT64_C(1) << (entry & 0x3f)) - 1);

    return (entry >> 16) + (size_t)(all >> (entry >> 8 & 0xf));
}

/* Copy LENGTH symbols to NEXT from DISTANCE symbols before NEXT. */
static inline uint16_t *
copy_match(uint16_t *next, size_t distance, size_t length)
{
    const uint16_t *from = next - distance;
    uint16_t *end = next + length;

    if (distance >= COPIED) {
        do {
            memcpy(next, from, COPIED * sizeof *next);
            next += COPIED;
            from += COPIED;
        } while (next < end);
    } else {
        do {
            *next++ = *from++;
        } while (next < end);
    }
    return end;
}

/* Decode a block with codes.  Returns whether the block is well-formed. */
static bool
decode_codes(const struct deflate_codes *codes, struct reader *from,
             struct symbols *to)
{
    const uint64_t literal_mask = (1 << DEFLATE_LITERAL_INDEX) - 1;
    const uint64_t distance_mask = (1 << DEFLATE_DISTANCE_INDEX) - 1;
    struct reader reader = *from;
    uint16_t *next = to->next;

    while (reader.next <= reader.stop && next <= to->stop) {
        refill(&reader);
        uint32_t entry = codes->literal[reader.bits & literal_mask];
        /* Literals of the first table and a length take up to 42 bits. */
        if ((entry & DEFLATE_IS_LITERAL) != 0) {
            *next++ = (uint16_t)(entry >> 16);
            drop(&reader, entry & 0x3f);
            entry = codes->literal[reader.bits & literal_mask];
            if ((entry & DEFLATE_IS_LITERAL) != 0) {
                *next++ = (uint16_t)(entry >> 16);
                drop(&reader, entry & 0x3f);
                entry = codes->literal[reader.bits & literal_mask];
                if ((entry & DEFLATE_IS_LITERAL) != 0) {
                    *next++ = (uint16_t)(entry >> 16);
                    drop(&reader, entry & 0x3f);
                    continue;
                }
            }
        }
        if ((entry & DEFLATE_IS_TABLE) != 0) {
            drop(&reader, DEFLATE_LITERAL_INDEX);
            entry = codes->literal[(entry >> 16) +
                                   (reader.bits &
                                    ((1 << DEFLATE_LITERAL_TAIL) - 1))];
            if ((entry & DEFLATE_IS_LITERAL) != 0) {
                *next++ = (uint16_t)(entry >> 16);
                drop(&reader, entry & 0x3f);
                continue;
            }
        }
        if ((entry & DEFLATE_IS_SPECIAL) != 0) {
            drop(&reader, entry & 0x3f);
            *from = reader;
            to->next = next;
            return (entry & DEFLATE_IS_END) != 0;
        }
        size_t length = value_of(entry, reader.bits);
        drop(&reader, entry & 0x3f);
        refill(&reader);
        entry = codes->distance[reader.bits & distance_mask];
        if ((entry & DEFLATE_IS_SPECIAL) != 0) {
            if ((entry & DEFLATE_IS_TABLE) == 0)
                return false;
            drop(&reader, DEFLATE_DISTANCE_INDEX);
            entry = codes->distance[(entry >> 16) +
                                    (reader.bits &
                                     ((1 << DEFLATE_DISTANCE_TAIL) - 1))];
            if ((entry & DEFLATE_IS_SPECIAL) != 0)
                return false;
        }
        size_t distance = value_of(entry, reader.bits);
        drop(&reader, entry & 0x3f);
        next = copy_match(next, distance, length);
    }
    return false;
}

/* Copy a stored block.  Returns whether the block is well-formed. */
static bool
copy_stored(struct reader *from, struct symbols *to)
{
    uint64_t at = (position(from) + CHAR_BIT - 1) / CHAR_BIT;
    const unsigned char *head = from->data + at;
    size_t size = little_endian_16(head);
    size_t check = little_endian_16(head + 2);

    if (size + check != UINT16_MAX || to->next > to->stop ||
        head + 4 > from->stop || size > (size_t)(from->stop - head - 4) ||
        size > (size_t)(to->stop - to->next))
        return false;
    for (size_t i = 0; i < size; i++)
        *to->next++ = head[4 + i];
    seek(from, CHAR_BIT * (at + 4 + size));
    return true;
}

/* Decode the next block.  Returns whether the block is well-formed and not the
   last one. */
static bool
decode_block(struct deflate_codes *codes, struct reader *from,
             struct symbols *to)
{
    enum {
        KIND_STORED = 0,
        KIND_FIXED = 2,
        KIND_DYNAMIC = 4,
    };
    struct deflate_header header;
    uint64_t at;

    refill(from);
    switch (from->bits & 7) {
    case KIND_STORED:
        drop(from, DEFLATE_KIND_BITS);
        return copy_stored(from, to);
    case KIND_FIXED:
        drop(from, DEFLATE_KIND_BITS);
        deflate_codes_make_fixed(codes);
        return decode_codes(codes, from, to);
    case KIND_DYNAMIC:
        at = deflate_header_read(&header, from->data, position(from));
        if (at == 0)
            return false;
        deflate_codes_make(codes, &header);
        seek(from, at);
        return decode_codes(codes, from, to);
    default:
        return false;
    }
}

bool
deflate_stretch_decode(struct deflate_stretch *stretch,
                       struct deflate_codes *codes, const unsigned char *data,
                       unsigned int start, uint64_t end)
{
    struct reader reader = {.data = data,
                            .stop = data + (end + CHAR_BIT - 1) / CHAR_BIT +
                                    sizeof(uint64_t)};
    struct symbols writer = {.next = symbols_of(stretch)};

    writer.stop = writer.next + stretch->room;
    seek(&reader, start);
    while (position(&reader) < end)
        if (!decode_block(codes, &reader, &writer))
            return false;
    stretch->content_bytes = (size_t)(writer.next - symbols_of(stretch));
    return position(&reader) == end && writer.next <= writer.stop;
}

/* ---- windows ---- */

unsigned char *
deflate_window_bytes(struct deflate_window *window)
{
    return window->of_symbol + DEFLATE_WINDOW_AT;
}

void
deflate_window_make(struct deflate_window *window)
{
    for (unsigned int byte = 0; byte <= UINT8_MAX; byte++)
        window->of_symbol[byte] = (unsigned char)byte;
}

void
deflate_stretch_pass(const struct deflate_stretch *stretch,
                     const struct deflate_window *before,
                     struct deflate_window *after)
{
    /* The symbols of the window stand before the content. */
    const uint16_t *last =
        symbols_of(stretch) + stretch->content_bytes - WINDOW_SYMBOLS;
    unsigned char *out = deflate_window_bytes(after);

    for (size_t i = 0; i < WINDOW_SYMBOLS; i++)
        out[i] = before->of_symbol[last[i]];
}

void
deflate_stretch_resolve(struct deflate_stretch *stretch,
                        const struct deflate_window *window)
{
    const uint16_t *symbol = symbols_of(stretch);
    /* Byte I is written after symbol I / 2 was read. */
    unsigned char *out = (unsigned char *)symbols_of(stretch);
    const unsigned char *of_symbol = window->of_symbol;
    size_t size = stretch->content_bytes;

#pragma GCC unroll 8
    for (size_t i = 0; i < size; i++)
        out[i] = of_symbol[symbol[i]];
}

const unsigned char *
deflate_stretch_content(const struct deflate_stretch *stretch)
{
    return (const unsigned char *)symbols_of(stretch);
}
