/* SPDX-License-Identifier: MIT */
/* gzip_ahead.c -- who decodes the data of a gzip member */

#include <limits.h>
#include <string.h>

#include "input/ahead.h"
#include "input/decode/gzip/gzip_ahead.h"

/* A helper has about half of the library's speed: it decodes to symbols first
   and resolves them later. */
#define HELPERS_LEAST 3

const struct gzip_ahead_sizes gzip_ahead_usual = {
    .stretches = {.packed_least = (size_t)64 << 10,
                  .packed_most = (size_t)1 << 20,
                  .content_room = (size_t)4 << 20,
                  .stretches_bad = 16},
    .helpers_least = HELPERS_LEAST,
    .long_bytes = (uint64_t)1 << 20,
    .helper_bytes = (off_t)1 << 20,
};

static uint64_t
memory_of(const void *sizes, unsigned int helpers)
{
    return gzip_stretches_bytes(sizes, helpers);
}

/* Start helpers for the bytes after OFFSET, if helpers are useful and free,
   unless some already work.  Returns whether helpers work. */
static bool
start_helpers(struct gzip_ahead *ahead, const struct decoder *decoder,
              off_t offset)
{
    const struct gzip_ahead_sizes *sizes = ahead->sizes;
    struct budget *budget = decoder->budget;
    const struct ahead_need need = {.helpers_least = sizes->helpers_least,
                                    .helper_bytes = sizes->helper_bytes,
                                    .memory = memory_of,
                                    .context = &sizes->stretches};
    unsigned int most =
        ahead_worth(&need, decoder->source, budget,
                    decoder->source->size - offset, budget->guessers);

    if (most == 0 || ahead->loan.helpers > 0)
        return most > 0;
    if (ahead_reserve(&ahead->loan, &need, budget, most, 0) &&
        gzip_stretches_open(&ahead->stretches, &sizes->stretches,
                            ahead->loan.helpers) < 0)
        gzip_ahead_close(ahead); /* the library goes on alone */
    return ahead->loan.helpers > 0;
}

/* The library decodes up to the next stretch, if any. */
static void
approach(struct gzip_ahead *ahead)
{
    ahead->mode = GZIP_AHEAD_BESIDE;
    ahead->start = gzip_stretches_start(&ahead->stretches);
    if (ahead->start == GZIP_STRETCHES_NONE ||
        gzip_stretches_are_bad(&ahead->stretches))
        gzip_ahead_end(ahead);
}

void
gzip_ahead_start(struct gzip_ahead *ahead)
{
    ahead->is_refused = false;
}

void
gzip_ahead_look(struct gzip_ahead *ahead, const struct decoder *decoder,
                uint64_t taken, uint64_t content)
{
    off_t offset = decoder->input_offset + (off_t)decoder->input_end;

    if (ahead->mode != GZIP_AHEAD_ALONE || ahead->is_refused ||
        taken < ahead->sizes->long_bytes)
        return;
    ahead->is_refused = !start_helpers(ahead, decoder, offset);
    if (ahead->is_refused)
        return;
    ahead->kept = 0;
    gzip_stretches_open_at(&ahead->stretches, decoder->source, offset, taken,
                           content);
    approach(ahead);
}

void
gzip_ahead_keep(struct gzip_ahead *ahead, const unsigned char *out, size_t size)
{
    const size_t most = sizeof ahead->window;
    size_t fresh = size < most ? size : most;

    if (ahead->mode == GZIP_AHEAD_ALONE)
        return;
    memmove(ahead->window, ahead->window + fresh, most - fresh);
    memcpy(ahead->window + most - fresh, out + size - fresh, fresh);
    ahead->kept = ahead->kept < most - fresh ? ahead->kept + fresh : most;
}

/* The byte of the file after the bit where the first stretch starts. */
static uint64_t
limit_of(const struct gzip_ahead *ahead)
{
    return (ahead->start + CHAR_BIT - 1) / CHAR_BIT;
}

size_t
gzip_ahead_limit(const struct gzip_ahead *ahead, const struct decoder *decoder,
                 size_t size)
{
    if (ahead->mode != GZIP_AHEAD_BESIDE)
        return size;
    uint64_t left = limit_of(ahead) - (uint64_t)decoder_offset(decoder);
    return size < left ? size : (size_t)left;
}

bool
gzip_ahead_meet(struct gzip_ahead *ahead, struct decoder *decoder,
                const struct inflate *inflate, size_t unused)
{
    uint64_t end = (uint64_t)decoder_offset(decoder) + unused;

    if (ahead->mode != GZIP_AHEAD_BESIDE || end < limit_of(ahead))
        return false;
    int after = inflate_bits_after_block(inflate);
    if (unused == 0 && after >= 0 &&
        CHAR_BIT * end - (uint64_t)after == ahead->start &&
        ahead->kept == sizeof ahead->window) {
        gzip_stretches_join(&ahead->stretches, ahead->window);
        /* The first byte is counted with the stretch. */
        progress_add(decoder->source->progress,
                     -(limit_of(ahead) - ahead->start / CHAR_BIT));
        ahead->mode = GZIP_AHEAD_STRETCHES;
        ahead->used = 0;
        return true;
    }
    /* No block starts there, or the window is not full. */
    gzip_stretches_release(&ahead->stretches);
    approach(ahead);
    return true;
}

bool
gzip_ahead_take(struct gzip_ahead *ahead, struct decoder *decoder,
                unsigned char *buffer, size_t room,
                struct gzip_ahead_taken *taken)
{
    const struct gzip_stretch *stretch =
        gzip_stretches_await(&ahead->stretches);

    if (!stretch->is_done)
        return false;
    size_t left = stretch->deflate.content_bytes - ahead->used;
    size_t got = room < left ? room : left;
    memcpy(buffer, deflate_stretch_content(&stretch->deflate) + ahead->used,
           got);
    ahead->used += got;
    *taken =
        (struct gzip_ahead_taken){.got = got,
                                  .is_whole = got == left,
                                  .content = stretch->deflate.content_bytes,
                                  .crc = stretch->crc};
    if (taken->is_whole) {
        progress_add(decoder->source->progress, stretch->next_start / CHAR_BIT -
                                                    stretch->start / CHAR_BIT);
        gzip_stretches_release(&ahead->stretches);
        ahead->used = 0;
    }
    return true;
}

int
gzip_ahead_resume(struct gzip_ahead *ahead, struct decoder *decoder,
                  struct inflate *inflate)
{
    const struct gzip_stretch *stretch =
        gzip_stretches_await(&ahead->stretches);
    uint64_t start = stretch->start;

    memcpy(ahead->window, deflate_window_bytes(stretch->window),
           sizeof ahead->window);
    ahead->kept = sizeof ahead->window;
    if (decoder_seek(decoder, (off_t)(start / CHAR_BIT)) < 0 ||
        decoder_fill(decoder, 1) < 0)
        return -1;
    if (decoder->input_end > 0) {
        struct inflate_span span = {decoder->input, decoder->input_end, NULL,
                                    0};
        inflate_start_at(inflate, &span, start % CHAR_BIT, ahead->window);
        decoder->input_next = (size_t)(span.in - decoder->input);
    }
    gzip_stretches_release(&ahead->stretches);
    approach(ahead);
    return 0;
}

void
gzip_ahead_end(struct gzip_ahead *ahead)
{
    gzip_stretches_discard(&ahead->stretches);
    ahead->mode = GZIP_AHEAD_ALONE;
    ahead->is_refused = true;
}

void
gzip_ahead_close(struct gzip_ahead *ahead)
{
    gzip_stretches_close(&ahead->stretches);
    budget_loan_return(&ahead->loan);
    ahead->mode = GZIP_AHEAD_ALONE;
}
