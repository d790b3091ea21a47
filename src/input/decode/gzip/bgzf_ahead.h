/* SPDX-License-Identifier: MIT */
/*
 * bgzf_ahead.h -- let helpers decode the next blocks of BGZF
 *
 * For a file or pipe of which one reader decodes all blocks, as of BAM.  The
 * owner reads, and cuts its input into sets of whole blocks; helpers decode
 * sets side by side, and the owner takes their content in order (sync/ring.h).
 * A member that is no ordinary block ends a series of sets: the owner decodes
 * the member when it has taken all content before it.
 *
 * If the decoder has a writer, the helper that has decoded a set writes the
 * set's page, while the content is in the cache of its processor.
 *
 * Each helper has a decoder of the library, so it knows what is wrong with a
 * block, as the owner would.
 */

#ifndef GPUHIST_BGZF_AHEAD_H
#define GPUHIST_BGZF_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "input/decode/gzip/inflate.h"
#include "input/decoder.h"
#include "sync/ring.h"

/* Consecutive blocks. */
struct bgzf_set;

/* All 0 at first. */
struct bgzf_ahead {
    off_t start;           /* of the source: where the decoder has started */
    uint32_t last_content; /* bytes of the last block that was taken */

    /* Private. */
    struct ring_crew crew;
    struct ring ring;
    struct bgzf_set *set;     /* the slots of RING; NULL: it is not open */
    struct inflate **inflate; /* of each member of CREW */
    const struct decoder_writer *writer; /* or NULL; constant, as above */
    struct budget_loan loan;
    struct error failure; /* of the source, after the blocks in the ring */
    size_t used;          /* bytes of the first set's content */
};

/* Another source starts at the next byte of DECODER's input. */
void bgzf_ahead_start(struct bgzf_ahead *ahead, const struct decoder *decoder);

/*
 * A member starts at the next byte of DECODER's input.  Let helpers decode this
 * member and the following ones, if they are useful, and free.  Returns whether
 * they do.
 */
bool bgzf_ahead_help(struct bgzf_ahead *ahead, struct decoder *decoder);

/* Whether there is more to take. */
bool bgzf_ahead_is_busy(const struct bgzf_ahead *ahead);

/*
 * Take up to CAPACITY bytes of content to BUFFER, and set *SIZE to their
 * number, if AHEAD is busy.  Returns 1, or -1 with the source's error set.
 */
int bgzf_ahead_take(struct bgzf_ahead *ahead, struct decoder *decoder,
                    unsigned char *buffer, size_t capacity, size_t *size);

/*
 * Set *PLACE to the next byte, if AHEAD, which is busy, writes pages.  Consumes
 * empty blocks before it.  Returns whether it is set; otherwise
 * bgzf_ahead_take() knows why not, if AHEAD is still busy.
 */
bool bgzf_ahead_find_page(struct bgzf_ahead *ahead, struct decoder *decoder,
                          struct decoder_place *place);

/* Skip the next SIZE bytes, of the set that was found. */
void bgzf_ahead_skip(struct bgzf_ahead *ahead, const struct decoder *decoder,
                     size_t size);

/* End the helpers and release their memory.  May be called twice. */
void bgzf_ahead_close(struct bgzf_ahead *ahead);

#endif
