/* SPDX-License-Identifier: MIT */
/*
 * test_gzip_stretches.c -- a gzip member that is decoded at several places at once
 *
 * zlib makes members of all kinds of blocks, and one thread decodes them again.
 * Helpers with stretches of a few KiB must deliver the same bytes or the same
 * error.  How far they get without the one thread is counted: otherwise it
 * could have done everything.
 */

#include <limits.h>
#include <string.h>

#include <zlib.h>

#include "../arena.h"
#include "../noise.h"
#include "../scratch.h"
#include "../tap.h"
#include "input/decode/gzip/gzip_stream.h"
#include "input/decode/gzip/gzip_stretches.h"

#define CONTENT_BYTES ((size_t)(IS_INSTRUMENTED ? 500000 : 1000000))
#define PACKED_MAX (3 * CONTENT_BYTES)
#define HELPERS 3
#define BUDGET_BYTES ((uint64_t)1 << 30)
#define RAW_WINDOW (-15)
#define IN_LAST_BLOCK 64 /* zlib: of data_type */
#define FARTHEST 32768   /* that a match of deflate goes back */
#define LONGEST 258      /* match of deflate */
#define BLOCKS_MAX 100000
#define NOTHING_BYTES ((size_t)250000)
#define NOTHING_AT 75000 /* of content: soon after the first read */
#define ARENA_BYTES ((size_t)64 << 10)

enum kind {
    KIND_LINES,   /* matches everywhere */
    KIND_DNA,     /* few matches */
    KIND_NOISE,   /* stored blocks */
    KIND_RUN,     /* few, long blocks */
    KIND_MIXED,   /* of all of these, with changes of the strategy */
    KIND_FAR,     /* matches that go back as far as possible */
    KIND_NOTHING, /* blocks of no content in between, once many */
    KIND_PACKED,  /* stored, and what is stored has blocks in it, too */
    KINDS
};

static const char *const kind_names[KINDS] = {
    "lines", "DNA",         "noise",        "runs",
    "mixed", "far matches", "empty blocks", "deflate data in stored blocks",
};

static unsigned char *content;
static size_t content_bytes;
static unsigned char *packed;
static size_t packed_bytes;
static unsigned char *result;
static size_t result_bytes;
static char message[256];      /* of the last read_file() */
static uint64_t counted_bytes; /* of the file, by its progress */

/* ---- files ---- */

static void
append_content(enum kind kind, size_t bytes)
{
    static const char *const word[] = {"GET ", "POST ",  "/index.html ",
                                       "200 ", "404 ",   "Mozilla ",
                                       "\n",   "10.0.0."};
    size_t end = content_bytes + bytes;

    while (content_bytes < end) {
        uint64_t random = noise();
        const char *from = word[random % 8];
        size_t size = strlen(from);
        char number[8];
        if (kind == KIND_RUN) {
            from = "x";
            size = 1;
        } else if (kind == KIND_DNA || kind == KIND_NOISE) {
            for (size = 0; size < sizeof number; size++)
                number[size] = "ACGT"[random >> 2 * size & 3];
            if (kind == KIND_NOISE)
                memcpy(number, &random, sizeof number);
            from = number;
        } else if (random >> 60 < 6) {
            size =
                (size_t)sprintf(number, "%u ", (unsigned)(random >> 40) % 9999);
            from = number;
        }
        size = size < end - content_bytes ? size : end - content_bytes;
        memcpy(content + content_bytes, from, size);
        content_bytes += size;
    }
}

/* Compress the content from FROM on, up to a FLUSH. */
static void
compress_from(z_stream *stream, size_t from, int flush)
{
    stream->next_in = content + from;
    stream->avail_in = (unsigned)(content_bytes - from);
    stream->next_out = packed + packed_bytes;
    stream->avail_out = (unsigned)(PACKED_MAX - packed_bytes);
    if (deflate(stream, flush) == Z_STREAM_ERROR || stream->avail_out == 0)
        abort();
    packed_bytes = PACKED_MAX - stream->avail_out;
}

/* Choose another way to compress what follows. */
static void
change(z_stream *stream, int level, int strategy)
{
    stream->next_out = packed + packed_bytes;
    stream->avail_out = (unsigned)(PACKED_MAX - packed_bytes);
    if (deflateParams(stream, level, strategy) != Z_OK)
        abort();
    packed_bytes = PACKED_MAX - stream->avail_out;
}

/* Append lines, compressed, to the content. */
static void
append_packed(size_t bytes)
{
    static unsigned char inner[200000];
    z_stream stream = {.next_out = inner, .avail_out = sizeof inner};
    size_t from = content_bytes;

    append_content(KIND_LINES, bytes);
    stream.next_in = content + from;
    stream.avail_in = (unsigned)bytes;
    if (deflateInit2(&stream, 6, Z_DEFLATED, RAW_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK ||
        deflate(&stream, Z_FINISH) != Z_STREAM_END)
        abort();
    memcpy(content + from, inner, stream.total_out);
    content_bytes = from + stream.total_out;
    deflateEnd(&stream);
}

/* Append stored blocks of nothing. */
static void
append_nothing(size_t bytes)
{
    for (size_t done = 0; done < bytes; done += 5, packed_bytes += 5)
        memcpy(packed + packed_bytes, "\0\0\0\xff\xff", 5);
}

/* Append BITS, of which the last three start a stored block of nothing. */
static void
append_bits(const char *bits)
{
    for (size_t i = 0; bits[i] != '\0'; i++) {
        if (i % CHAR_BIT == 0)
            packed[packed_bytes++] = 0;
        packed[packed_bytes - 1] |=
            (unsigned char)((bits[i] - '0') << i % CHAR_BIT);
    }
    memcpy(packed + packed_bytes, "\0\0\xff\xff", 4);
    packed_bytes += 4;
}

/*
 * Append a block with the usual codes and one match.
 * The first bit of a code is its highest one; of other numbers the lowest.
 */
static void
append_far_match(void)
{
    /* Not the last block, kind 1; length 258; distances from 24577 on, with 13
       more bits; end of block.  Not the last block, kind 0. */
    append_bits("0"
                "10"
                "11000101"
                "11101"
                "1111111111111"
                "0000000"
                "0"
                "00");
    for (unsigned int i = 0; i < LONGEST; i++, content_bytes++)
        content[content_bytes] = content[content_bytes - FARTHEST];
}

static void
append_word(uint32_t word)
{
    for (unsigned int i = 0; i < 4; i++)
        packed[packed_bytes++] = (unsigned char)(word >> CHAR_BIT * i);
}

/* Append a member of BYTES of content or more. */
static void
append_member(enum kind kind, int level, size_t bytes)
{
    static const int levels[] = {1, 6, 0, 9};
    static const int strategies[] = {Z_DEFAULT_STRATEGY, Z_FIXED,
                                     Z_HUFFMAN_ONLY};
    z_stream stream = {0};
    size_t start = content_bytes;
    bool has_nothing = false;
    bool is_stored = false;

    if (deflateInit2(&stream, level, Z_DEFLATED, RAW_WINDOW, 8,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    memcpy(packed + packed_bytes, "\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    packed_bytes += 10;
    while (content_bytes - start < bytes) {
        size_t from = content_bytes;
        int flush = Z_NO_FLUSH;
        size_t size = bytes;
        enum kind part = kind;
        if (kind == KIND_MIXED) {
            uint64_t random = noise();
            part = (enum kind)(random >> 8 & 3);
            change(&stream, levels[random >> 16 & 3],
                   strategies[(random >> 24) % 3]);
            size = 1 + random % 100000;
        } else if (kind == KIND_PACKED) {
            is_stored = !is_stored;
            change(&stream, is_stored ? 0 : 6, Z_DEFAULT_STRATEGY);
            part = KIND_LINES;
            size = 100000;
        } else if (kind >= KIND_FAR) {
            part = KIND_LINES;
            size = 15000;
            flush = kind == KIND_FAR ? Z_FULL_FLUSH : Z_SYNC_FLUSH;
        }
        if (is_stored)
            append_packed(size);
        else
            append_content(part, size);
        compress_from(&stream, from, flush);
        if (kind == KIND_NOTHING && content_bytes - start > NOTHING_AT &&
            !has_nothing) {
            append_nothing(NOTHING_BYTES);
            has_nothing = true;
        }
        if (kind == KIND_FAR && content_bytes - start > FARTHEST)
            append_far_match();
    }
    compress_from(&stream, content_bytes, Z_FINISH);
    deflateEnd(&stream);
    append_word((uint32_t)crc32_z(0, content + start, content_bytes - start));
    append_word((uint32_t)(content_bytes - start));
}

static void
write_file(size_t size)
{
    FILE *file = fopen("x.gz", "wb");

    if (file == NULL || fwrite(packed, 1, size, file) != size ||
        fclose(file) != 0)
        abort();
}

/* ---- a whole file ---- */

static struct gzip_ahead_sizes test_sizes;

/* Read the file by HELPERS and STEP bytes at a time.  Returns 0, or -1. */
static int
read_file(unsigned int helpers, size_t step, uint64_t budget_bytes)
{
    struct source source = {.path = "x.gz", .display_name = "x.gz"};
    struct decoder *spare = NULL;
    struct budget budget;
    ssize_t got;

    budget_open(&budget, budget_bytes);
    budget_return_helpers(&budget, helpers);
    budget.guessers = helpers;
    struct progress progress;
    progress_open(&progress);
    if (source_open(&source, &progress, NULL) < 0)
        abort();
    struct decoder *decoder =
        decoder_open(&gzip_stream_type, &source, &budget, &spare);
    if (decoder == NULL)
        abort();
    gzip_stream_set_sizes(decoder, &test_sizes);
    result_bytes = 0;
    do {
        size_t room = CONTENT_BYTES + 1000000 - result_bytes;
        if (room > step)
            room = step;
        got = decoder_read(decoder, result + result_bytes, room);
        if (got > 0)
            result_bytes += (size_t)got;
    } while (got > 0);
    snprintf(message, sizeof message, "%s", got < 0 ? source.error.text : "");
    counted_bytes = atomic_load(&progress.read_bytes);
    decoder_close(decoder);
    if (budget.left != budget_bytes || budget.helpers != helpers)
        abort();
    budget_close(&budget);
    source_close(&source);
    error_clear(&source.error);
    return got < 0 ? -1 : 0;
}

/* Whether all of the content was read, and each byte of the file counted. */
static bool
is_content(void)
{
    return counted_bytes == packed_bytes && result_bytes == content_bytes &&
           memcmp(result, content, content_bytes) == 0;
}

static void
set_sizes(size_t stretch, size_t room)
{
    test_sizes = (struct gzip_ahead_sizes){
        .stretches = {.packed_least = stretch,
                      .packed_most = stretch,
                      .content_room = room,
                      .stretches_bad = UINT_MAX},
        .helpers_least = 1,
        .long_bytes = 3000,
        .helper_bytes = 1,
    };
}

/* ---- stretches alone ---- */

/* Where blocks start: bits of the file, and bytes of content. */
static struct {
    uint64_t bit;
    size_t at;
} block[BLOCKS_MAX];
static size_t block_count;

/* Find the blocks of the only member. */
static void
find_blocks(void)
{
    z_stream stream = {.next_in = packed + 10,
                       .avail_in = (unsigned)(packed_bytes - 10),
                       .next_out = result,
                       .avail_out = UINT_MAX};
    int state = Z_OK;

    if (inflateInit2(&stream, RAW_WINDOW) != Z_OK)
        abort();
    block_count = 0;
    while (state == Z_OK && block_count < BLOCKS_MAX) {
        state = inflate(&stream, Z_BLOCK);
        size_t used = packed_bytes - stream.avail_in;
        unsigned int held = stream.data_type & 7;
        block[block_count].bit = CHAR_BIT * (uint64_t)used - held;
        block[block_count].at = stream.total_out;
        block_count += (stream.data_type & IN_LAST_BLOCK) == 0;
    }
    if (state != Z_STREAM_END)
        abort();
    inflateEnd(&stream);
}

/* Returns the content at which a block starts at BIT, or SIZE_MAX. */
static size_t
content_at(uint64_t bit)
{
    for (size_t i = 0; i < block_count; i++)
        if (block[i].bit == bit)
            return block[i].at;
    return SIZE_MAX;
}

/* Take what helpers decode of the file.  Returns the bytes; SIZE_MAX: wrong. */
static size_t
take_stretches(const struct gzip_stretches_sizes *sizes)
{
    struct gzip_stretches stretches = {0};
    struct source source = {.path = "x.gz", .display_name = "x.gz"};
    size_t taken = 0;
    bool is_right = true;
    uint64_t start;

    if (source_open(&source, NULL, NULL) < 0 ||
        gzip_stretches_open(&stretches, sizes, HELPERS) < 0)
        abort();
    gzip_stretches_open_at(&stretches, &source, 1000, 1, 4);
    while (is_right &&
           (start = gzip_stretches_start(&stretches)) != GZIP_STRETCHES_NONE) {
        size_t at = content_at(start);
        if (at == SIZE_MAX || at < INFLATE_WINDOW_BYTES) {
            gzip_stretches_release(&stretches);
            continue;
        }
        gzip_stretches_join(&stretches, content + at - INFLATE_WINDOW_BYTES);
        const struct gzip_stretch *stretch = gzip_stretches_await(&stretches);
        for (; stretch->is_done; stretch = gzip_stretches_await(&stretches)) {
            size_t bytes = stretch->deflate.content_bytes;
            is_right = is_right && bytes <= content_bytes - at &&
                       memcmp(deflate_stretch_content(&stretch->deflate),
                              content + at, bytes) == 0 &&
                       stretch->crc == crc32_z(0, content + at, bytes);
            at += bytes;
            taken += bytes;
            gzip_stretches_release(&stretches);
        }
        gzip_stretches_release(&stretches);
    }
    gzip_stretches_close(&stretches);
    source_close(&source);
    return is_right ? taken : SIZE_MAX;
}

/* ---- tests ---- */

static void
start_file(void)
{
    content_bytes = 0;
    packed_bytes = 0;
}

/* The finder alone. */
static void
test_finder(void)
{
    static struct deflate_finder finder;
    size_t missed = 0;
    size_t wanted = 0;

    deflate_finder_make(&finder);
    start_file();
    append_member(KIND_MIXED, 6, CONTENT_BYTES);
    find_blocks();
    for (size_t i = 0; i < block_count; i++) {
        uint64_t bit = block[i].bit;
        unsigned int bits = packed[bit / CHAR_BIT] |
                            (unsigned)packed[bit / CHAR_BIT + 1] << CHAR_BIT;
        if ((bits >> bit % CHAR_BIT & 7) != 4)
            continue; /* the last one, stored, or of the usual codes */
        wanted++;
        missed += deflate_find(&finder, packed, PACKED_MAX, bit) != bit;
    }
    ok(missed == 0, "the finder finds all of %zu blocks", wanted);

    start_file();
    append_content(KIND_NOISE, CONTENT_BYTES);
    ok(deflate_find(&finder, content, CONTENT_BYTES, 0) == DEFLATE_FIND_NONE,
       "... and none in noise");

    /* What is behind them cannot be touched. */
    unsigned char *end = arena_open(ARENA_BYTES) + ARENA_BYTES;
    size_t found = 0;
    for (size_t size = 0; size < ARENA_BYTES; size += 1 + size / 10) {
        /* Each bit looks like the start of a header. */
        memset(end - size, 0x24, size);
        for (uint64_t bit = 0; bit < 8; bit++)
            found += deflate_find(&finder, end - size, size, bit) !=
                     DEFLATE_FIND_NONE;
    }
    ok(found == 0, "... nor behind the data");
}

static void
test_kinds(void)
{
    static const size_t stretches[] = {2000, 5000, 30000, 200000};
    /* The share that helpers decode, at least, in percent. */
    static const unsigned int share[KINDS] = {40, 40, 0, 0, 1, 40, 20, 5};

    for (int kind = KIND_LINES; kind < KINDS; kind++) {
        for (int level = 1; level <= 6; level += 5) {
            /* Threads do the same at both. */
            if (LOOKS_FOR_RACES && (level > 1) != (kind % 2 == 0))
                continue;
            start_file();
            append_member((enum kind)kind, level, CONTENT_BYTES);
            write_file(packed_bytes);
            find_blocks();
            size_t most = 0;
            bool is_right = true;
            for (size_t i = 0; i < 4; i++) {
                set_sizes(stretches[i], 20 * stretches[i]);
                size_t taken = take_stretches(&test_sizes.stretches);
                is_right = is_right && taken != SIZE_MAX;
                if (is_right && taken > most)
                    most = taken;
                is_right = is_right &&
                           read_file(HELPERS, 70001, BUDGET_BYTES) == 0 &&
                           is_content();
            }
            ok(is_right, "%s, level %d, in stretches of all sizes",
               kind_names[kind], level);
            ok(most >= content_bytes / 100 * share[kind],
               "... helpers decode %zu of %zu bytes", most, content_bytes);
        }
    }
}

/* The first match of a piece goes back as far as possible. */
static void
test_piece(void)
{
    static unsigned char window_bytes[FARTHEST];
    struct deflate_stretch piece;
    struct deflate_codes *codes = calloc(1, sizeof *codes);
    struct deflate_window *window = calloc(2, sizeof *window);

    if (deflate_stretch_open(&piece, LONGEST) < 0 || codes == NULL ||
        window == NULL)
        abort();
    start_file();
    append_content(KIND_NOISE, FARTHEST);
    memcpy(window_bytes, content, FARTHEST);
    append_far_match();
    uint64_t end = CHAR_BIT * (uint64_t)packed_bytes;
    append_nothing(DEFLATE_STRETCH_MARGIN);
    ok(deflate_stretch_decode(&piece, codes, packed, 0, end) &&
           piece.content_bytes == LONGEST,
       "a piece");
    deflate_window_make(window);
    memcpy(deflate_window_bytes(window), window_bytes, FARTHEST);
    deflate_stretch_pass(&piece, window, window + 1);
    deflate_stretch_resolve(&piece, window);
    ok(memcmp(deflate_stretch_content(&piece), window_bytes, LONGEST) == 0,
       "... refers to the first bytes of the window");
    ok(memcmp(deflate_window_bytes(window + 1), window_bytes + LONGEST,
              FARTHEST - LONGEST) == 0 &&
           memcmp(deflate_window_bytes(window + 1) + FARTHEST - LONGEST,
                  window_bytes, LONGEST) == 0,
       "... and ends the next one");
    ok(!deflate_stretch_decode(&piece, codes, packed, 0, end - 1) &&
           !deflate_stretch_decode(&piece, codes, packed, 0, end + 1),
       "... it ends nowhere else");
    piece.room--;
    ok(!deflate_stretch_decode(&piece, codes, packed, 0, end),
       "... and fits into no less room");
    start_file();
    /* Not the last block, kind 1; two literals; end of block; stored. */
    append_bits("0"
                "10"
                "01110001"
                "01110001"
                "0000000"
                "000");
    end = 3 + 2 * 8 + 7;
    append_nothing(DEFLATE_STRETCH_MARGIN);
    piece.room = 2;
    bool fits = deflate_stretch_decode(&piece, codes, packed, 0, end);
    piece.room = 1;
    ok(fits && !deflate_stretch_decode(&piece, codes, packed, 0, end),
       "... nor do two literals");
    deflate_stretch_close(&piece);
    free(window);
    free(codes);
}

/* Content that does not fit into the room of a stretch. */
static void
test_rooms(void)
{
    bool is_right = true;

    start_file();
    append_member(KIND_LINES, 6, CONTENT_BYTES / 2);
    append_member(KIND_RUN, 6, CONTENT_BYTES / 2);
    write_file(packed_bytes);
    for (size_t room = 1000; room < 200000; room = room * 3 / 2) {
        set_sizes(5000, room);
        is_right = is_right && read_file(HELPERS, 70001, BUDGET_BYTES) == 0 &&
                   is_content();
    }
    ok(is_right, "rooms of all sizes");
    set_sizes(5000, 100000);
    test_sizes.stretches.stretches_bad = 1;
    ok(read_file(HELPERS, 70001, BUDGET_BYTES) == 0 && is_content(),
       "the helpers are dismissed");
    set_sizes(5000, 100000);
    ok(read_file(HELPERS, 1000, 1000000) == 0 && is_content(),
       "little memory: no helpers");
    ok(read_file(HELPERS, 1000, 5000000) == 0 && is_content(), "... and fewer");
}

static void
test_members(void)
{
    bool is_right = true;

    for (unsigned int round = 0; round < 12; round++) {
        start_file();
        while (content_bytes < CONTENT_BYTES / 2)
            append_member((enum kind)(noise() % KINDS), 6, noise() % 150000);
        write_file(packed_bytes);
        set_sizes(2000 + noise() % 5000, 100000);
        is_right =
            is_right &&
            read_file(HELPERS, 1 + noise() % 100000, BUDGET_BYTES) == 0 &&
            is_content();
    }
    ok(is_right, "members of all kinds and sizes");
}

/* The library alone and helpers report the same. */
static bool
is_same_error(void)
{
    char alone[sizeof message];
    int wanted = read_file(0, 70001, BUDGET_BYTES);

    memcpy(alone, message, sizeof alone);
    size_t bytes = result_bytes;
    int got = read_file(HELPERS, 70001, BUDGET_BYTES);
    if (wanted == got && strcmp(alone, message) == 0 &&
        (got < 0 || bytes == result_bytes))
        return true;
    printf("# '%s', but alone '%s'\n", message, alone);
    return false;
}

static void
test_damage(void)
{
    const unsigned int rounds = LOOKS_FOR_RACES   ? 40
                                : IS_INSTRUMENTED ? 100
                                                  : 400;
    unsigned int errors = 0;
    bool is_right = true;

    start_file();
    append_member(KIND_MIXED, 6, 100000);
    append_member(KIND_LINES, 6, 250000);
    set_sizes(2000, 50000);
    for (unsigned int i = 0; i < rounds; i++) {
        size_t at = noise() % packed_bytes;
        unsigned char bit = (unsigned char)(1 << noise() % CHAR_BIT);
        packed[at] ^= bit;
        write_file(packed_bytes);
        is_right = is_same_error() && is_right;
        errors += message[0] != '\0';
        packed[at] ^= bit;
    }
    ok(is_right, "a changed bit");
    ok(errors > rounds / 10 * 9, "... is an error");
    is_right = true;
    for (unsigned int i = 0; i < rounds; i++) {
        write_file(packed_bytes - 1 - noise() % (packed_bytes - 1));
        is_right = is_same_error() && is_right;
    }
    ok(is_right, "a file that is cut off");
}

int
main(void)
{
    content = malloc(CONTENT_BYTES + 1000000);
    result = malloc(CONTENT_BYTES + 1000000);
    packed = malloc(PACKED_MAX);
    if (content == NULL || result == NULL || packed == NULL)
        return 99;
    scratch_open();
    if (!LOOKS_FOR_RACES) {
        test_finder();
        test_piece();
    }
    test_kinds();
    test_rooms();
    test_members();
    test_damage();
    free(content);
    free(result);
    free(packed);
    return done_testing();
}
