/*
 * zstd_stream.c -- decode the zstd frames of a source with libzstd
 *
 * libzstd writes the decoded bytes straight into the chunk that will be
 * counted.  It is fed one block at a time, in the sizes that it asks for:
 * that costs nothing, since blocks are up to 128 KiB, and when one is bad
 * its offset in the file is known.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <zstd.h>

#include "input/zstd_frame.h"
#include "input/zstd_stream.h"

/* What libzstd holds beside the window, generously. */
#define DECODER_BYTES (1 << 20)

/* What libzstd wants to see of a frame first: ZSTD_initDStream(). */
#define FIRST_BYTES 5

struct zstd_stream {
    struct source *source;
    struct budget *budget;
    ZSTD_DCtx *decoder; /* NULL until the first frame */
    uint64_t reserved;  /* of the budget */

    unsigned char *input;  /* undecoded bytes: */
    size_t input_capacity; /* room for so many, */
    size_t input_end;      /* there are so many, */
    size_t input_next;     /* and so many of them are used up */
    off_t input_offset;    /* of input[0] in the source */
    bool source_ended;

    size_t wanted;      /* the bytes that libzstd asks for next */
    bool in_frame;      /* between a frame's begin and its end */
    bool may_flush;     /* libzstd may hold decoded bytes */
    off_t piece_offset; /* of what it was given last, for a message ... */
    bool in_piece;      /* ... if not all of that was there yet */
};

static struct zstd_stream *
make_stream(struct budget *budget)
{
    struct zstd_stream *stream = calloc(1, sizeof *stream);

    if (stream == NULL)
        return NULL;
    stream->budget = budget;
    stream->input_capacity = ZSTD_DStreamInSize();
    stream->input = malloc(stream->input_capacity);
    if (stream->input == NULL) {
        free(stream);
        return NULL;
    }
    return stream;
}

struct zstd_stream *
zstd_open(struct source *source, struct budget *budget,
          struct zstd_stream **spare)
{
    struct zstd_stream *stream = *spare != NULL ? *spare : make_stream(budget);

    *spare = NULL;
    if (stream == NULL) {
        error_set(&source->error, EXIT_DATA, "%s: out of memory",
                  source->display_name);
        return NULL;
    }
    stream->source = source;
    stream->input_end = 0;
    stream->input_next = 0;
    stream->input_offset = source->offset - (off_t)source->head_used;
    stream->source_ended = false;
    /* The last source may have been left inside a frame: --read-bytes. */
    if (stream->in_frame)
        ZSTD_DCtx_reset(stream->decoder, ZSTD_reset_session_only);
    stream->in_frame = false;
    stream->may_flush = false;
    stream->in_piece = false;
    return stream;
}

/* Have at least WANTED undecoded bytes there, or all that the source has. */
static int
refill(struct zstd_stream *stream, size_t wanted)
{
    if (wanted > stream->input_capacity)
        wanted = stream->input_capacity;
    if (stream->source_ended ||
        stream->input_end - stream->input_next >= wanted)
        return 0;

    stream->input_offset += (off_t)stream->input_next;
    stream->input_end -= stream->input_next;
    memmove(stream->input, stream->input + stream->input_next,
            stream->input_end);
    stream->input_next = 0;
    while (stream->input_end < wanted) {
        ssize_t got =
            source_read_raw(stream->source, stream->input + stream->input_end,
                            stream->input_capacity - stream->input_end);
        if (got < 0)
            return -1;
        if (got == 0) {
            stream->source_ended = !source_is_cut_short(stream->source);
            break;
        }
        stream->input_end += (size_t)got;
    }
    return 0;
}

static void
release_decoder(struct zstd_stream *stream)
{
    ZSTD_freeDCtx(stream->decoder);
    stream->decoder = NULL;
    if (stream->reserved > 0)
        budget_return(stream->budget, stream->reserved);
    stream->reserved = 0;
}

/* Have a decoder that may use a window of WINDOW bytes. */
static int
reserve_decoder(struct zstd_stream *stream, uint64_t window)
{
    struct source *source = stream->source;
    uint64_t need = window < UINT64_MAX - DECODER_BYTES ? window + DECODER_BYTES
                                                        : UINT64_MAX;

    if (stream->decoder != NULL && need <= stream->reserved)
        return 0;

    /* First give back, then take: see budget.h. */
    release_decoder(stream);
    off_t offset = stream->input_offset + (off_t)stream->input_next;
    if (!budget_take(stream->budget, need)) {
        error_set(&source->error, EXIT_DATA,
                  "%s: the zstd frame at byte %lld needs %llu bytes of "
                  "memory: more than --memory-limit leaves (%llu)",
                  source->display_name, (long long)offset,
                  (unsigned long long)need,
                  (unsigned long long)stream->budget->total);
        return -1;
    }
    stream->reserved = need;
    stream->decoder = ZSTD_createDCtx();
    if (stream->decoder == NULL) {
        error_set(&source->error, EXIT_DATA, "%s: out of memory",
                  source->display_name);
        return -1;
    }
    /* The budget is the limit; libzstd's own default is 128 MiB. */
    ZSTD_DCtx_setParameter(
        stream->decoder, ZSTD_d_windowLogMax,
        ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound);
    return 0;
}

/*
 * At the end of a frame.  Returns 1: another one begins; 0: the end, or a
 * pause; -1.
 */
static int
begin_frame(struct zstd_stream *stream)
{
    struct source *source = stream->source;
    off_t offset = stream->input_offset + (off_t)stream->input_next;
    struct zstd_frame frame;

    source->is_paused = offset >= source->pause_at;
    if (source->is_paused) {
        source->pause_at = offset;
        return 0;
    }
    /* The whole header at once: zstd_frame_read() wants to see it. */
    if (refill(stream, ZSTD_FRAME_HEADER_MAX) < 0)
        return -1;
    if (cancel_is_asked(source->cancel))
        return 0;
    const unsigned char *header = stream->input + stream->input_next;
    size_t size = stream->input_end - stream->input_next;
    if (size == 0)
        return 0;
    if (size >= ZSTD_FRAME_MAGIC_BYTES && !zstd_frame_is_magic(header, size)) {
        source_set_bad(source, offset, "not a zstd frame",
                       "garbage after the last frame");
        return -1;
    }
    /* Of a header that is cut off, libzstd will say so; or more will come. */
    if (zstd_frame_read(&frame, header, size) < 0 && source->is_interrupted)
        return 0;
    if (reserve_decoder(stream, frame.window_bytes) < 0)
        return -1;
    stream->in_frame = true;
    stream->wanted = FIRST_BYTES;
    return 1;
}

/* One call of libzstd: at most one block in, at most CAPACITY bytes out. */
static ssize_t
decode(struct zstd_stream *stream, void *buffer, size_t capacity)
{
    struct source *source = stream->source;

    if (!stream->may_flush && refill(stream, stream->wanted) < 0)
        return -1;

    size_t size = stream->input_end - stream->input_next;
    off_t offset = stream->input_offset + (off_t)stream->input_next;
    if (size == 0 && !stream->may_flush) {
        if (source_is_cut_short(source))
            return 0;
        source_set_bad(source, offset, "truncated zstd frame",
                       "unexpected end of file");
        return -1;
    }
    if (size > stream->wanted)
        size = stream->wanted;
    else if (stream->may_flush && size < stream->wanted)
        size = 0; /* all of it once the decoded bytes are out */
    /*
     * libzstd asks for a block with the next one's header, and for that alone
     * where the buffer is full before.  A message must not depend on it.
     */
    if (stream->wanted != ZSTD_FRAME_BLOCK_HEADER_BYTES && !stream->in_piece)
        stream->piece_offset = offset;
    /* Where it was interrupted, libzstd makes of it what it can. */
    stream->in_piece =
        source->is_interrupted && size < stream->wanted && !stream->may_flush;

    ZSTD_inBuffer in = {stream->input + stream->input_next, size, 0};
    ZSTD_outBuffer out = {buffer, capacity, 0};
    size_t hint = ZSTD_decompressStream(stream->decoder, &out, &in);
    if (ZSTD_isError(hint)) {
        source_set_bad(source, stream->piece_offset, "corrupt zstd data",
                       ZSTD_getErrorName(hint));
        return -1;
    }
    stream->input_next += in.pos;
    stream->in_frame = hint > 0;
    stream->wanted = hint;
    /* A full buffer says that there may be more to come without input. */
    stream->may_flush = hint > 0 && out.pos == capacity;
    return (ssize_t)out.pos;
}

ssize_t
zstd_read(struct zstd_stream *stream, void *buffer, size_t capacity)
{
    size_t done = 0;

    while (done < capacity && !source_is_cut_short(stream->source)) {
        if (!stream->in_frame) {
            int more = begin_frame(stream);
            if (more < 0)
                return -1;
            if (more == 0)
                break;
        }
        ssize_t got =
            decode(stream, (unsigned char *)buffer + done, capacity - done);
        if (got < 0)
            return -1;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

void
zstd_close(struct zstd_stream *stream)
{
    if (stream == NULL)
        return;
    release_decoder(stream);
    free(stream->input);
    free(stream);
}
