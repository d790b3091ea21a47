/* SPDX-License-Identifier: MIT */
/* inflate_isal.c -- decode raw deflate data with ISA-L */

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include "input/decode/gzip/inflate.h"

struct inflate {
    struct inflate_state state;
};

struct inflate *
inflate_open(void)
{
    struct inflate *inflate = malloc(sizeof *inflate);

    if (inflate != NULL)
        isal_inflate_init(&inflate->state);
    return inflate;
}

void
inflate_close(struct inflate *inflate)
{
    free(inflate);
}

void
inflate_start(struct inflate *inflate)
{
    isal_inflate_reset(&inflate->state);
}

/* The whole bytes of the input in ISA-L's register. */
static size_t
held_bytes(const struct inflate_state *state)
{
    return state->read_in_length > 0 ? (size_t)state->read_in_length / 8 : 0;
}

/* Point STATE to SPAN, after SKIPPED bytes of its input. */
static void
set_span(struct inflate_state *state, const struct inflate_span *span,
         size_t skipped)
{
    size_t in = span->in_size - skipped;

    /* ISA-L does not write to the input. */
    state->next_in = (unsigned char *)(uintptr_t)(span->in + skipped);
    state->avail_in = in < INT_MAX ? (uint32_t)in : INT_MAX;
    state->next_out = span->out;
    state->avail_out =
        span->out_size < INT_MAX ? (uint32_t)span->out_size : INT_MAX;
}

/*
 * Move SPAN past the used bytes, except for the bytes in the register.  Returns
 * 0, or -1 if the register has bytes from outside of SPAN.
 */
static int
move_span(struct inflate_span *span, const struct inflate_state *state)
{
    size_t held = held_bytes(state);
    const unsigned char *next = state->next_in - held;

    if ((size_t)(state->next_in - span->in) < held)
        return -1;
    span->in_size -= (size_t)(next - span->in);
    span->in = next;
    span->out_size -= (size_t)(state->next_out - span->out);
    span->out = state->next_out;
    return 0;
}

enum inflate_result
inflate_run(struct inflate *inflate, struct inflate_span *span)
{
    struct inflate_state *state = &inflate->state;
    size_t held = held_bytes(state);

    assert(held <= span->in_size);
    set_span(state, span, held);
    int result = isal_inflate(state);
    if (move_span(span, state) < 0 || result != ISAL_DECOMP_OK)
        return INFLATE_BAD;
    return state->block_state == ISAL_BLOCK_FINISH ? INFLATE_END : INFLATE_MORE;
}

enum inflate_result
inflate_all(struct inflate *inflate, struct inflate_span *span)
{
    struct inflate_state *state = &inflate->state;

    set_span(state, span, 0);
    int result = isal_inflate_stateless(state);
    if (result == ISAL_END_INPUT || result == ISAL_OUT_OVERFLOW)
        return INFLATE_MORE;
    return move_span(span, state) == 0 && result == ISAL_DECOMP_OK
               ? INFLATE_END
               : INFLATE_BAD;
}

void
inflate_start_at(struct inflate *inflate, struct inflate_span *span,
                 unsigned int bit, const unsigned char *window)
{
    struct inflate_state *state = &inflate->state;

    isal_inflate_reset(state);
    if (bit > 0) {
        state->read_in = (uint64_t)*span->in++ >> bit;
        state->read_in_length = (int32_t)(CHAR_BIT - bit);
        span->in_size--;
    }
    /* ISA-L copies the window. */
    isal_inflate_set_dict(state, (unsigned char *)(uintptr_t)window,
                          (uint32_t)INFLATE_WINDOW_BYTES);
}

int
inflate_bits_after_block(const struct inflate *inflate)
{
    const struct inflate_state *state = &inflate->state;

    /* The bytes of a partial header are in a separate buffer. */
    if (state->block_state != ISAL_BLOCK_NEW_HDR &&
        state->block_state != ISAL_BLOCK_HDR)
        return -1;
    return state->tmp_in_size * CHAR_BIT + state->read_in_length;
}

uint32_t
inflate_crc(uint32_t crc, const unsigned char *data, size_t size)
{
    return crc32_gzip_refl(crc, data, size);
}

uint32_t
inflate_adler(uint32_t adler, const unsigned char *data, size_t size)
{
    return isal_adler32(adler, data, size);
}
