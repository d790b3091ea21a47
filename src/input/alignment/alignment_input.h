/* SPDX-License-Identifier: MIT */
/*
 * alignment_input.h -- buffered reading of BAM and SAM
 *
 * The buffer grows for a long record only as its bytes arrive, so a length that
 * lies takes no memory.
 */

#ifndef GPUHIST_ALIGNMENT_INPUT_H
#define GPUHIST_ALIGNMENT_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/alignment/alignment_page.h"

/*
 * The callback that delivers the decoded bytes: reads up to CAPACITY into
 * BUFFER.  Returns how many; 0 with *HAS_ENDED set only at the end, and 0
 * without it if no more can be read now; or -1 after a failure, which the
 * callback records.
 */
typedef ssize_t alignment_read_fn(void *context, void *buffer, size_t capacity,
                                  bool *has_ended);

/* Where the next byte of the content is. */
struct alignment_place {
    const struct alignment_page *page; /* of the set that has the byte */
    size_t at;                         /* of the byte in the set ... */
    size_t size; /* ... of so many bytes, with those that are consumed */
};

/* How the owner takes pages (alignment_pages.h). */
struct alignment_sets {
    /* Set *PLACE, if a helper has decoded the next byte of CONTEXT and written
       a page for it.  Returns whether it is set.  May wait. */
    bool (*find)(void *context, struct alignment_place *place);
    /* Consume SIZE bytes of that set. */
    void (*skip)(void *context, size_t size);
    void *context;
};

/* Whether bytes are there. */
enum alignment_bytes {
    ALIGNMENT_FAILED = -1, /* see alignment_input.error */
    ALIGNMENT_LATER,       /* no more can be read now */
    ALIGNMENT_THERE,
    ALIGNMENT_ENDED, /* the content ends before the last of them */
};

struct alignment_input {
    alignment_read_fn *read;
    void *context;
    size_t bytes_max;                  /* limit of a record, to be in memory */
    const struct alignment_sets *sets; /* NULL: there are no pages */

    unsigned char *buffer; /* ROOM bytes, owned */
    size_t room;
    size_t next, end; /* the bytes that are not consumed */
    uint64_t offset;  /* of byte NEXT in the content */
    bool has_ended;

    uint64_t record; /* the number of the current record; 0: the header */
    bool has_failed;
    char error[256];       /* "": the callback failed */
    uint64_t error_offset; /* of the header or the record */
};

/*
 * Start with the SIZE bytes at DATA, from malloc(), which INPUT owns then, and
 * the bytes that READ delivers with CONTEXT.
 */
void alignment_input_open(struct alignment_input *input,
                          alignment_read_fn *read, void *context,
                          size_t bytes_max, unsigned char *data, size_t size);

void alignment_input_close(struct alignment_input *input);

/* Returns the next byte. */
static inline const unsigned char *
alignment_input_next(const struct alignment_input *input)
{
    return input->buffer + input->next;
}

/* Returns how many bytes are in the buffer. */
static inline size_t
alignment_input_has(const struct alignment_input *input)
{
    return input->end - input->next;
}

/* Read until the buffer has WANTED bytes. */
enum alignment_bytes alignment_input_need(struct alignment_input *input,
                                          size_t wanted);

/* Consume SIZE bytes, which are in the buffer. */
void alignment_input_take(struct alignment_input *input, size_t size);

/* Consume some of the next *SIZE bytes, and subtract them, until 0 are left. */
enum alignment_bytes alignment_input_skip(struct alignment_input *input,
                                          uint64_t *size);

/* Record an error of the header or record that starts at OFFSET.  Returns
   ALIGNMENT_FAILED. */
enum alignment_bytes alignment_input_fail(struct alignment_input *input,
                                          uint64_t offset, const char *format,
                                          ...)
    __attribute__((format(printf, 3, 4)));

/* Record that a record, or a line of the header, which starts at OFFSET, needs
   more bytes than the limit. */
enum alignment_bytes alignment_input_fail_long(struct alignment_input *input,
                                               uint64_t offset);

/* Record that a record has LENGTH bases, but a CIGAR string of BASES. */
enum alignment_bytes alignment_input_fail_cigar(struct alignment_input *input,
                                                uint64_t offset, size_t length,
                                                uint64_t bases);

#endif
