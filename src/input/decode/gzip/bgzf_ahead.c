/* SPDX-License-Identifier: MIT */
/* bgzf_ahead.c -- let helpers decode the next blocks of BGZF */

#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "input/ahead.h"
#include "input/decode/gzip/bgzf_ahead.h"
#include "input/decode/gzip/gzip_header.h"
#include "kernels/inflate/inflate_work.h"

/* Content for which waking a thread costs little, and which fits into a core's
   cache; and blocks, of which some may be empty. */
#define SET_CONTENT ((size_t)512 << 10)
#define SET_PACKED ((size_t)256 << 10)
#define SET_BLOCKS 64

/* Sets that are done or being filled while each helper decodes one. */
#define SETS_SPARE 2

/* So many helpers keep the owner busy that makes something of the content, or
   that takes pages; the owner works, too, if there are fewer than the last
   number. */
#define HELPERS_MAX 12
#define HELPERS_WRITING_MAX 16
#define HELPERS_ENOUGH 4

/* Compressed bytes after which helpers pay off, and bytes for each of them. */
#define BYTES_WORTH_HELPERS ((off_t)1 << 20)
#define BYTES_WORTH_A_HELPER ((off_t)256 << 10)

/* Of inflate_open(). */
#define INFLATE_BYTES ((uint64_t)100 << 10)

struct bgzf_block {
    off_t offset;        /* in the source */
    uint32_t at;         /* of the deflate data in the set */
    uint32_t data_bytes; /* of it */
    uint32_t content;    /* bytes ... */
    uint32_t crc;        /* ... and their CRC-32, as the trailer says */
};

struct bgzf_set {
    /* Set by the owner before a helper sees the set. */
    struct bgzf_block block[SET_BLOCKS];
    unsigned int blocks;
    unsigned char *packed; /* SET_PACKED bytes of room */
    size_t packed_bytes;
    size_t content_stated; /* by all blocks */

    /* By a helper. */
    unsigned char *content; /* with room for any block more than SET_CONTENT */
    size_t content_bytes;   /* before the WRONG block */
    const char *wrong;      /* NULL: nothing */
    off_t wrong_at;
    bool lacks_memory; /* the library has none */
    void *page;        /* of the content; NULL: there is no writer */
};

static struct bgzf_set *
set_of(const struct bgzf_ahead *ahead, uint64_t number)
{
    return &ahead->set[ring_at(&ahead->ring, number)];
}

/* Whether a block of SET, which is decoded, is bad. */
static bool
is_bad(const struct bgzf_set *set)
{
    return set->lacks_memory || set->wrong != NULL;
}

/* ---- helpers ---- */

/* What has been decoded of a block. */
struct bgzf_decoded {
    enum inflate_result result;
    size_t data_left;
    uint32_t crc;
    uint64_t length;
};

/* Decode the data of SPAN, which is no proper block, piece by piece, as
   gzip_stream.c does; each piece has all the room of SPAN. */
static struct bgzf_decoded
decode_pieces(struct inflate *inflate, struct inflate_span span)
{
    const struct inflate_span room = span;
    struct bgzf_decoded decoded = {.result = INFLATE_MORE};
    bool is_stuck = false;

    inflate_start(inflate);
    while (decoded.result == INFLATE_MORE && !is_stuck) {
        const unsigned char *in = span.in;
        span.out = room.out;
        span.out_size = room.out_size;
        decoded.result = inflate_run(inflate, &span);
        size_t got = (size_t)(span.out - room.out);
        decoded.crc = inflate_crc(decoded.crc, room.out, got);
        decoded.length += got;
        is_stuck = span.in == in && got == 0;
    }
    decoded.data_left = span.in_size;
    return decoded;
}

static struct bgzf_decoded
decode_data(struct inflate *inflate, struct inflate_span span)
{
    const struct inflate_span whole = span;

    inflate_start(inflate);
    enum inflate_result result = inflate_all(inflate, &span);
    if (result == INFLATE_MORE)
        return decode_pieces(inflate, whole);
    size_t got = (size_t)(span.out - whole.out);
    return (struct bgzf_decoded){.result = result,
                                 .data_left = span.in_size,
                                 .crc = inflate_crc(0, whole.out, got),
                                 .length = got};
}

/* Returns what is wrong with BLOCK, or NULL. */
static const char *
check(const struct bgzf_block *block, const struct bgzf_decoded *decoded)
{
    if (decoded->result == INFLATE_BAD)
        return "invalid deflate data";
    if (decoded->result == INFLATE_MORE || decoded->data_left > 0)
        return "wrong size of a BGZF block";
    if (decoded->crc != block->crc)
        return "wrong checksum";
    return decoded->length != block->content ? "wrong length" : NULL;
}

/* Decode SET by INFLATE, up to a wrong block. */
static void
decode_set(struct inflate *inflate, struct bgzf_set *set)
{
    set->content_bytes = 0;
    set->wrong = NULL;
    set->lacks_memory = false;
    for (unsigned int i = 0; i < set->blocks; i++) {
        const struct bgzf_block *block = &set->block[i];
        const struct bgzf_decoded decoded = decode_data(
            inflate,
            (struct inflate_span){set->packed + block->at, block->data_bytes,
                                  set->content + set->content_bytes,
                                  SET_CONTENT + INFLATE_CONTENT_MAX -
                                      set->content_bytes});
        set->lacks_memory = decoded.result == INFLATE_NO_MEMORY;
        set->wrong = set->lacks_memory ? NULL : check(block, &decoded);
        set->wrong_at = block->offset;
        if (is_bad(set))
            return;
        set->content_bytes += block->content;
    }
}

static bool
work_decode(void *context, uint64_t number, unsigned int member)
{
    const struct bgzf_ahead *ahead = context;
    struct bgzf_set *set = set_of(ahead, number);

    decode_set(ahead->inflate[member], set);
    if (set->page != NULL)
        ahead->writer->page_write(ahead->writer->context, set->page,
                                  set->content, set->content_bytes);
    return true;
}

static const struct ring_stage stages[] = {{.work = work_decode}};

/* ---- start and end ---- */

static unsigned int
count_for(unsigned int helpers)
{
    return helpers + SETS_SPARE;
}

static uint64_t
memory_of(const void *context, unsigned int helpers)
{
    const struct decoder_writer *writer = context;
    const uint64_t each = sizeof(struct bgzf_set) + SET_PACKED + SET_CONTENT +
                          INFLATE_CONTENT_MAX +
                          (writer != NULL ? writer->page_bytes : 0);

    return each * count_for(helpers) + INFLATE_BYTES * (helpers + 1);
}

static int
allocate(struct bgzf_ahead *ahead, unsigned int helpers)
{
    const unsigned int count = count_for(helpers);

    ahead->set = calloc(count, sizeof *ahead->set);
    ahead->inflate = calloc((size_t)helpers + 1, sizeof *ahead->inflate);
    if (ahead->set == NULL || ahead->inflate == NULL)
        return -1;
    for (unsigned int i = 0; i < count; i++) {
        ahead->set[i].packed = malloc(SET_PACKED);
        ahead->set[i].content = malloc(SET_CONTENT + INFLATE_CONTENT_MAX);
        if (ahead->writer != NULL)
            ahead->set[i].page = ahead->writer->page_open();
        if (ahead->set[i].packed == NULL || ahead->set[i].content == NULL ||
            (ahead->writer != NULL && ahead->set[i].page == NULL))
            return -1;
    }
    for (unsigned int i = 0; i <= helpers; i++) {
        ahead->inflate[i] = inflate_open();
        if (ahead->inflate[i] == NULL)
            return -1;
    }
    return 0;
}

/* Open the ring for HELPERS.  Returns whether a helper has started. */
static bool
open_ring(struct bgzf_ahead *ahead, unsigned int helpers)
{
    if (ring_crew_open(&ahead->crew, helpers) == 0 &&
        ring_open(&ahead->ring, &ahead->crew, stages,
                  sizeof stages / sizeof *stages, count_for(helpers),
                  ahead) == 0 &&
        allocate(ahead, helpers) == 0)
        ring_crew_start(&ahead->crew, helpers);
    ahead->ring.owner = ahead->crew.threads < HELPERS_ENOUGH ? RING_OWNER_WORKS
                                                             : RING_OWNER_WAITS;
    return ahead->crew.threads > 0;
}

static void
free_sets(struct bgzf_ahead *ahead)
{
    for (unsigned int i = 0; ahead->set != NULL && i < ahead->ring.count; i++) {
        free(ahead->set[i].packed);
        free(ahead->set[i].content);
        if (ahead->writer != NULL)
            ahead->writer->page_close(ahead->set[i].page);
    }
    for (unsigned int i = 0;
         ahead->inflate != NULL && i <= ahead->crew.threads_max; i++)
        inflate_close(ahead->inflate[i]);
    free(ahead->set);
    free(ahead->inflate);
    ahead->set = NULL;
    ahead->inflate = NULL;
}

void
bgzf_ahead_close(struct bgzf_ahead *ahead)
{
    if (ahead->crew.thread != NULL && ahead->ring.crew != NULL)
        ring_discard(&ahead->ring);
    free_sets(ahead);
    ring_crew_close(&ahead->crew);
    budget_loan_return(&ahead->loan);
    error_clear(&ahead->failure);
    ahead->writer = NULL;
    ahead->used = 0;
}

void
bgzf_ahead_start(struct bgzf_ahead *ahead, const struct decoder *decoder)
{
    bgzf_ahead_close(ahead);
    ahead->start = decoder_offset(decoder);
}

/* ---- the owner ---- */

/* Whether all that follows in DECODER's source is to be decoded by DECODER, and
   on CPUs. */
static bool
has_remainder(const struct decoder *decoder)
{
    return decoder->pause_at == DECODER_NO_PAUSE && !decoder->is_finishing &&
           decoder->budget->devices == NULL;
}

/* Have helpers, if they are useful and free. */
static bool
have_helpers(struct bgzf_ahead *ahead, const struct decoder *decoder)
{
    const struct ahead_need need = {.helpers_least = 1,
                                    .helper_bytes = BYTES_WORTH_A_HELPER,
                                    .reads_in_order = true,
                                    .memory = memory_of,
                                    .context = decoder->writer};
    const off_t offset = decoder_offset(decoder);
    unsigned int worth = 0;

    if (ahead->loan.helpers > 0)
        return true;
    if (offset - ahead->start >= BYTES_WORTH_HELPERS)
        worth = ahead_worth(&need, decoder->source, decoder->budget,
                            decoder->source->size - offset,
                            decoder->writer != NULL ? HELPERS_WRITING_MAX
                                                    : HELPERS_MAX);
    if (worth == 0 ||
        !ahead_reserve(&ahead->loan, &need, decoder->budget, worth, 0))
        return false;
    ahead->writer = decoder->writer;
    if (open_ring(ahead, ahead->loan.helpers))
        return true;
    bgzf_ahead_close(ahead); /* the owner goes on alone */
    return false;
}

/*
 * Have the next block in DECODER's input, and set *HEADER to its header.
 * MAY_WAIT: for who writes to a pipe.  Returns false: the next member is no
 * block with all of its bytes, or is not there yet; or with the source's error
 * set.
 */
static bool
have_block(struct decoder *decoder, struct gzip_header *header, bool may_wait)
{
    for (;;) {
        const size_t left = decoder_left(decoder);
        const enum magic match =
            gzip_header_match_block(header, decoder_next(decoder), left);
        if (match != MAGIC_SHORT)
            return match == MAGIC_YES;
        if ((!may_wait && !source_is_ready(decoder->source)) ||
            decoder_fill(decoder, left + 1) < 0 ||
            decoder_left(decoder) == left)
            return false;
    }
}

/*
 * Move the next block from DECODER's input to SET.  Returns false: SET is full
 * or lacks room, or as have_block().
 */
static bool
add_block(struct bgzf_set *set, struct decoder *decoder, bool may_wait)
{
    struct gzip_header header;

    if (set->blocks == SET_BLOCKS || !has_remainder(decoder) ||
        !have_block(decoder, &header, may_wait))
        return false;
    const unsigned char *data = decoder_next(decoder);
    const unsigned char *trailer =
        data + header.block_bytes - GZIP_HEADER_TRAILER_BYTES;
    const uint32_t content = little_endian_32(trailer + 4);
    if (content > INFLATE_CONTENT_MAX ||
        content > SET_CONTENT - set->content_stated ||
        header.block_bytes > SET_PACKED - set->packed_bytes)
        return false;
    set->block[set->blocks++] = (struct bgzf_block){
        .offset = decoder_offset(decoder),
        .at = (uint32_t)(set->packed_bytes + header.bytes),
        .data_bytes = header.block_bytes - (uint32_t)header.bytes -
                      GZIP_HEADER_TRAILER_BYTES,
        .content = content,
        .crc = little_endian_32(trailer),
    };
    memcpy(set->packed + set->packed_bytes, data, header.block_bytes);
    set->packed_bytes += header.block_bytes;
    set->content_stated += content;
    decoder->input_next += header.block_bytes;
    return true;
}

/* Fill the ring with the next blocks. */
static void
fill(struct bgzf_ahead *ahead, struct decoder *decoder)
{
    struct error *error = &decoder->source->error;

    while (!ring_is_full(&ahead->ring) && ahead->failure.status == EXIT_DONE) {
        struct bgzf_set *set = set_of(ahead, ahead->ring.filled);
        set->blocks = 0;
        set->packed_bytes = 0;
        set->content_stated = 0;
        /* Content that is there does not wait for more. */
        while (add_block(set, decoder,
                         set->blocks == 0 && ring_is_empty(&ahead->ring)))
            ;
        /* Blocks before it may be damaged, too. */
        if (error->status != EXIT_DONE)
            error_move(&ahead->failure, error);
        if (set->blocks == 0)
            return;
        ring_submit(&ahead->ring);
    }
}

bool
bgzf_ahead_help(struct bgzf_ahead *ahead, struct decoder *decoder)
{
    if (!has_remainder(decoder) || !have_helpers(ahead, decoder))
        return false;
    fill(ahead, decoder);
    return bgzf_ahead_is_busy(ahead);
}

bool
bgzf_ahead_is_busy(const struct bgzf_ahead *ahead)
{
    return ahead->loan.helpers > 0 &&
           (!ring_is_empty(&ahead->ring) || ahead->failure.status != EXIT_DONE);
}

/* Release the first set if all of it is taken, and it is good.  Returns whether
   it is released. */
static bool
note_used(struct bgzf_ahead *ahead, const struct decoder *decoder)
{
    const struct bgzf_set *set = set_of(ahead, ahead->ring.released);

    if (ahead->used < set->content_bytes || is_bad(set))
        return false;
    ahead->last_content = set->block[set->blocks - 1].content;
    ahead->used = 0;
    progress_add_helped_blocks(decoder->source->progress, set->blocks,
                               set->content_bytes);
    ring_release(&ahead->ring);
    return true;
}

/* A block of SET is bad.  Returns -1. */
static int
fail_set(struct source *source, const struct bgzf_set *set)
{
    return set->lacks_memory ? source_fail_memory(source)
                             : source_fail(source, set->wrong_at,
                                           "corrupt gzip data", set->wrong);
}

int
bgzf_ahead_take(struct bgzf_ahead *ahead, struct decoder *decoder,
                unsigned char *buffer, size_t capacity, size_t *size)
{
    struct source *source = decoder->source;

    fill(ahead, decoder);
    if (!ring_await(&ahead->ring, RING_ALL)) {
        error_move(&source->error, &ahead->failure);
        return -1;
    }
    const struct bgzf_set *set = set_of(ahead, ahead->ring.released);
    const size_t left = set->content_bytes - ahead->used;
    *size = left < capacity ? left : capacity;
    memcpy(buffer, set->content + ahead->used, *size);
    ahead->used += *size;
    if (*size == 0 && is_bad(set))
        return fail_set(source, set);
    (void)note_used(ahead, decoder);
    return 1;
}

bool
bgzf_ahead_find_page(struct bgzf_ahead *ahead, struct decoder *decoder,
                     struct decoder_place *place)
{
    if (ahead->writer == NULL)
        return false;
    fill(ahead, decoder);
    while (ring_await(&ahead->ring, RING_ALL)) {
        const struct bgzf_set *set = set_of(ahead, ahead->ring.released);
        if (!note_used(ahead, decoder)) {
            *place = (struct decoder_place){set->page, ahead->used,
                                            set->content_bytes};
            return true;
        }
    }
    return false;
}

void
bgzf_ahead_skip(struct bgzf_ahead *ahead, const struct decoder *decoder,
                size_t size)
{
    ahead->used += size;
    (void)note_used(ahead, decoder);
}
