/* SPDX-License-Identifier: MIT */
/*
 * gzip_ahead.h -- who decodes the data of a gzip member: a library or helpers
 *
 * The library decodes the start of a member alone.  If the member is long and
 * in a regular file, helpers then decode stretches of the rest
 * (gzip_stretches.h), and the library goes on to the start of the first
 * stretch.  From there on, the content of stretches is taken, up to a stretch
 * that helpers did not decode.
 */

#ifndef GPUHIST_GZIP_AHEAD_H
#define GPUHIST_GZIP_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/gzip/gzip_stretches.h"
#include "input/decode/gzip/inflate.h"
#include "input/decoder.h"

struct gzip_ahead_sizes {
    struct gzip_stretches_sizes stretches;
    unsigned int helpers_least; /* fewer are of no use */
    uint64_t long_bytes;        /* compressed bytes of a member before, ... */
    off_t helper_bytes; /* ... and of the file after them for each helper */
};

enum gzip_ahead_mode {
    GZIP_AHEAD_ALONE,     /* the library decodes, and no helper */
    GZIP_AHEAD_BESIDE,    /* the library decodes up to START */
    GZIP_AHEAD_STRETCHES, /* the first stretch is next */
};

/* For ordinary files. */
extern const struct gzip_ahead_sizes gzip_ahead_usual;

/* All 0 at first, except SIZES. */
struct gzip_ahead {
    const struct gzip_ahead_sizes *sizes;
    enum gzip_ahead_mode mode;

    /* Private. */
    struct gzip_stretches stretches;
    struct budget_loan loan;
    bool is_refused; /* no helpers for this member */
    uint64_t start;  /* of the first stretch: a bit of the file */
    size_t used;     /* of its content */
    /* The last KEPT bytes of the content, unless ALONE. */
    unsigned char window[INFLATE_WINDOW_BYTES];
    size_t kept;
};

/* Content taken from a stretch. */
struct gzip_ahead_taken {
    size_t got;       /* bytes */
    bool is_whole;    /* the stretch has been used: */
    uint64_t content; /* its bytes ... */
    uint32_t crc;     /* ... and their CRC-32 */
};

/* A member starts. */
void gzip_ahead_start(struct gzip_ahead *ahead);

/*
 * The member of which TAKEN bytes have expanded to CONTENT bytes goes on with
 * DECODER's input.  Lets helpers start if they are useful and free.
 */
void gzip_ahead_look(struct gzip_ahead *ahead, const struct decoder *decoder,
                     uint64_t taken, uint64_t content);

/* The library has decoded the SIZE bytes at OUT. */
void gzip_ahead_keep(struct gzip_ahead *ahead, const unsigned char *out,
                     size_t size);

/* Returns how many of SIZE bytes of DECODER's input the library may have. */
size_t gzip_ahead_limit(const struct gzip_ahead *ahead,
                        const struct decoder *decoder, size_t size);

/*
 * INFLATE needs more input, and has left UNUSED bytes of DECODER's.  Returns
 * whether INFLATE has reached the limit; then the limit has changed.
 */
bool gzip_ahead_meet(struct gzip_ahead *ahead, struct decoder *decoder,
                     const struct inflate *inflate, size_t unused);

/*
 * Copy content of the first stretch to BUFFER, which has ROOM bytes.  Returns
 * false if no helper has decoded it: call gzip_ahead_resume().
 */
bool gzip_ahead_take(struct gzip_ahead *ahead, struct decoder *decoder,
                     unsigned char *buffer, size_t room,
                     struct gzip_ahead_taken *taken);

/*
 * Let INFLATE decode the first stretch.  Then DECODER's next input follows the
 * start of the stretch.  Returns 0, or -1 with the source's error set.
 */
int gzip_ahead_resume(struct gzip_ahead *ahead, struct decoder *decoder,
                      struct inflate *inflate);

/* The member has ended, or helpers are of no use for it. */
void gzip_ahead_end(struct gzip_ahead *ahead);

/* End the helpers and release their memory.  May be called twice. */
void gzip_ahead_close(struct gzip_ahead *ahead);

#endif
