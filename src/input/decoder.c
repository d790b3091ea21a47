/* SPDX-License-Identifier: MIT */
/* decoder.c -- the interface of a decoder of compressed data */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/decoder.h"

/* A decoder with a large window is not kept for later. */
#define KEPT_BYTES_MAX ((uint64_t)16 << 20)

/* Returns a new decoder of TYPE, or NULL: out of memory. */
static struct decoder *
make_decoder(const struct decoder_type *type)
{
    struct decoder *decoder = calloc(1, type->struct_bytes);

    if (decoder == NULL)
        return NULL;
    decoder->type = type;
    decoder->input = malloc(type->input_capacity);
    if (decoder->input == NULL) {
        decoder_close(decoder);
        return NULL;
    }
    return decoder;
}

/* Take the decoder of TYPE out of the list.  Returns it, or NULL. */
static struct decoder *
take_kept(struct decoder **list, const struct decoder_type *type)
{
    struct decoder *decoder;

    while (*list != NULL && (*list)->type != type)
        list = &(*list)->kept;
    decoder = *list;
    if (decoder != NULL)
        *list = decoder->kept;
    return decoder;
}

/*
 * SPARE, and what it keeps, are of other types than the decoder of SOURCE:
 * prepare them for a later source.  Returns those to keep.
 */
static struct decoder *
keep(struct decoder *spare, struct source *source, const struct budget *budget)
{
    /* A share must hold no memory that its archive may need. */
    if (spare == NULL || budget->whole != NULL || !spare->type->is_kept ||
        spare->reserved > KEPT_BYTES_MAX) {
        decoder_close(spare);
        return NULL;
    }
    for (struct decoder *kept = spare; kept != NULL; kept = kept->kept) {
        kept->source = source; /* its own source may be freed */
        kept->type->start(kept);
    }
    return spare;
}

/* Close what DECODER keeps. */
static void
drop_kept(struct decoder *decoder)
{
    decoder_close(decoder->kept);
    decoder->kept = NULL;
}

struct decoder *
decoder_open(const struct decoder_type *type, struct source *source,
             struct budget *budget, struct decoder **spare)
{
    struct decoder *others = *spare;
    struct decoder *decoder = take_kept(&others, type);

    *spare = NULL;
    others = keep(others, source, budget);
    if (decoder == NULL)
        decoder = make_decoder(type);
    if (decoder == NULL) {
        decoder_close(others);
        source_fail_memory(source);
        return NULL;
    }
    decoder->kept = others;
    decoder->source = source;
    decoder->budget = budget;
    decoder->input_end = 0;
    decoder->input_next = 0;
    decoder->input_offset = source->offset - (off_t)source->head_used;
    decoder->source_has_ended = false;
    decoder->lacks_end_mark = false;
    decoder->pause_at = DECODER_NO_PAUSE;
    decoder->is_paused = false;
    decoder->is_finishing = false;
    decoder->writer = NULL;
    type->start(decoder);
    return decoder;
}

ssize_t
decoder_read(struct decoder *decoder, void *buffer, size_t capacity)
{
    size_t done = 0;
    int more = 1;

    while (more > 0 && done < capacity &&
           !source_is_cut_short(decoder->source)) {
        size_t size = 0;
        more = decoder->type->step(decoder, (unsigned char *)buffer + done,
                                   capacity - done, &size);
        done += size;
    }
    return more < 0 ? -1 : (ssize_t)done;
}

int
decoder_lease(struct decoder *decoder, const unsigned char *front,
              size_t front_bytes, size_t capacity, struct lease *lease)
{
    if (decoder->type->lease == NULL || source_is_cut_short(decoder->source))
        return 0;
    int result =
        decoder->type->lease(decoder, front, front_bytes, capacity, lease);
    if (result < 0 || lease->bytes == 0)
        lease_end(lease);
    return result;
}

void
decoder_start_pages(struct decoder *decoder,
                    const struct decoder_writer *writer)
{
    if (decoder->type->find_page != NULL)
        decoder->writer = writer;
}

void
decoder_end_pages(struct decoder *decoder)
{
    if (decoder->writer == NULL)
        return;
    decoder->type->start(decoder);
    decoder->writer = NULL;
}

bool
decoder_find_page(struct decoder *decoder, struct decoder_place *place)
{
    return decoder->writer != NULL && !source_is_cut_short(decoder->source) &&
           decoder->type->find_page(decoder, place);
}

void
decoder_skip(struct decoder *decoder, size_t size)
{
    decoder->type->skip(decoder, size);
}

int
decoder_check(struct decoder *decoder)
{
    return decoder->type->check != NULL ? decoder->type->check(decoder) : 0;
}

/* Return the reservation to the budget. */
static void
give_back(struct decoder *decoder)
{
    if (decoder->reserved > 0)
        budget_return(decoder->budget, decoder->reserved);
    decoder->reserved = 0;
}

void
decoder_close(struct decoder *decoder)
{
    if (decoder == NULL)
        return;
    drop_kept(decoder);
    decoder->type->close(decoder);
    give_back(decoder);
    free(decoder->input);
    free(decoder);
}

struct decoder_walk *
decoder_walk_open(const struct decoder_type *type, int fd, off_t offset)
{
    struct decoder_walk *walk =
        type->walk_open != NULL ? type->walk_open(fd, offset) : NULL;

    if (walk != NULL)
        walk->type = type;
    return walk;
}

bool
decoder_wants_remainder(struct decoder *decoder)
{
    return decoder->type->wants_remainder != NULL &&
           decoder->type->wants_remainder(decoder);
}

enum decoder_remainder
decoder_take_remainder(struct decoder *decoder)
{
    /* It may wait for another reader, who may wait for memory. */
    drop_kept(decoder);
    return decoder->type->take_remainder(decoder);
}

void
decoder_wait_for_remainder(struct decoder *decoder)
{
    decoder->type->wait_for_remainder(decoder);
}

void
decoder_start_part(struct decoder *decoder, const struct decoder_walk *walk)
{
    if (decoder->type->start_part != NULL)
        decoder->type->start_part(decoder, walk);
}

int
decoder_fill(struct decoder *decoder, size_t wanted)
{
    size_t capacity = decoder->type->input_capacity;

    if (wanted > capacity)
        wanted = capacity;
    if (decoder->source_has_ended || decoder_left(decoder) >= wanted)
        return 0;

    decoder->input_offset += (off_t)decoder->input_next;
    decoder->input_end -= decoder->input_next;
    memmove(decoder->input, decoder->input + decoder->input_next,
            decoder->input_end);
    decoder->input_next = 0;
    while (decoder->input_end < wanted) {
        ssize_t got =
            source_read(decoder->source, decoder->input + decoder->input_end,
                        capacity - decoder->input_end);
        if (got < 0)
            return -1;
        if (got == 0) {
            decoder->source_has_ended = !source_is_cut_short(decoder->source);
            break;
        }
        decoder->input_end += (size_t)got;
    }
    return 0;
}

void
decoder_skip_zeros(struct decoder *decoder)
{
    while (decoder_left(decoder) > 0 && *decoder_next(decoder) == 0)
        decoder->input_next++;
    if (decoder_left(decoder) > 0)
        return;
    uint64_t zeros = source_zeros(decoder->source);
    if (zeros > 0)
        source_skip_zeros(decoder->source, zeros);
    decoder->input_offset += (off_t)zeros;
}

int
decoder_need(struct decoder *decoder, size_t wanted, const char *what)
{
    if (decoder_fill(decoder, wanted) < 0)
        return -1;
    return decoder_left(decoder) >= wanted ? 1
                                           : decoder_fail_short(decoder, what);
}

/* As decoder_take(), for bytes that DECODER->input has already. */
static size_t
take_filled(struct decoder *decoder, void *buffer, size_t size)
{
    if (size > decoder_left(decoder))
        size = decoder_left(decoder);
    memcpy(buffer, decoder_next(decoder), size);
    decoder->input_next += size;
    return size;
}

ssize_t
decoder_take(struct decoder *decoder, void *buffer, size_t size)
{
    unsigned char *out = buffer;
    size_t done = take_filled(decoder, out, size);

    while (done < size && !decoder->source_has_ended) {
        ssize_t got = 0;
        if (size - done < decoder->type->input_capacity) {
            if (decoder_fill(decoder, 1) < 0)
                return -1;
            got = (ssize_t)take_filled(decoder, out + done, size - done);
        } else {
            got = source_read(decoder->source, out + done, size - done);
            if (got < 0)
                return -1;
            decoder->input_offset = decoder_offset(decoder) + (off_t)got;
            decoder->input_next = 0;
            decoder->input_end = 0;
            decoder->source_has_ended =
                got == 0 && !source_is_cut_short(decoder->source);
        }
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

int
decoder_seek(struct decoder *decoder, off_t offset)
{
    struct source *source = decoder->source;

    /* The other threads count these bytes again. */
    progress_add(source->progress, -(uint64_t)decoder_left(decoder));
    decoder->input_offset = offset;
    decoder->input_next = 0;
    decoder->input_end = 0;
    decoder->source_has_ended = false;
    return source_seek(source, offset);
}

int
decoder_fail(struct decoder *decoder, const char *what, const char *detail)
{
    return source_fail(decoder->source, decoder_offset(decoder), what, detail);
}

int
decoder_fail_short(struct decoder *decoder, const char *what)
{
    char text[64];

    if (source_is_cut_short(decoder->source))
        return 0;
    snprintf(text, sizeof text, "truncated %s", what);
    return source_fail(decoder->source,
                       decoder->input_offset + (off_t)decoder->input_end, text,
                       "unexpected end of file");
}

bool
decoder_pauses(struct decoder *decoder)
{
    off_t offset = decoder_offset(decoder);

    decoder->is_paused = offset >= decoder->pause_at;
    if (decoder->is_paused)
        decoder->pause_at = offset;
    return decoder->is_paused;
}

int
decoder_reserve(struct decoder *decoder, uint64_t bytes, const char *what)
{
    struct source *source = decoder->source;

    /* Return the old reservation first: a thread that waits must hold no
       memory, except of a share. */
    give_back(decoder);
    if (decoder->kept != NULL && budget_try(decoder->budget, bytes)) {
        decoder->reserved = bytes;
        return 0;
    }
    drop_kept(decoder);
    if (!budget_take(decoder->budget, bytes)) {
        error_set(&source->error, EXIT_DATA,
                  "%s: the %s at byte %lld needs %llu bytes of "
                  "memory, more than --memory-limit leaves (%llu)",
                  source->display_name, what,
                  (long long)decoder_offset(decoder), (unsigned long long)bytes,
                  (unsigned long long)budget_total(decoder->budget));
        return -1;
    }
    decoder->reserved = bytes;
    return 0;
}
