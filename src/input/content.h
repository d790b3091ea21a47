/*
 * content.h -- what an input holds: its bytes to count
 *
 * They are decoded, if the input is compressed; without those before
 * --skip-bytes and behind --read-bytes; and of an image the pixels alone.
 */

#ifndef GPUHIST_CONTENT_H
#define GPUHIST_CONTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "hist/record.h"
#include "input/decoders.h"
#include "input/image.h"
#include "input/sniff.h"
#include "input/source.h"
#include "sync/budget.h"

/* How the inputs of a run are to be read: the same for all. */
struct reading {
    enum decompress decompress;
    uint64_t skip_bytes;        /* of the content, from its begin */
    uint64_t read_bytes;        /* at most, behind that; UINT64_MAX: all */
    bool is_image;              /* the content is an image: its pixels count */
    struct image_format format; /* that an image must have */
    uint64_t kept_bytes_max;    /* keep the pixels, up to so many; 0: do not */
    bool is_wide; /* values take several bytes: text or .npy is a mistake */
    struct progress *progress; /* to count what is read; NULL: not counted */
    struct cancel *cancel;     /* may ask for an end before the end; or NULL */
};

/* As a source: one thread at a time owns it, and errors are its source's. */
struct content {
    struct source source;

    /* From content_open() on. */
    uint64_t skipped;        /* bytes, at its begin */
    struct decoder *decoder; /* NULL: plain bytes */
    struct image *image;     /* finds the pixels; NULL: no image */
    uint64_t left;           /* bytes, until --read-bytes is reached */
    bool is_sniffed;         /* content_read() looks at the first bytes */
    struct sniff sniff;      /* the first bytes to count, of wide values */

    /* Of an image; they outlive content_close(), not content_free(). */
    struct image_shape shape;
    unsigned char *kept; /* the pixels, if they are to be kept */
    uint64_t kept_bytes;
    uint64_t kept_room;
    uint64_t kept_bytes_max;
};

/*
 * Open the source, recognise its format and go to the first byte to count.
 * BUDGET and SPARE are for decoder_open(), if there is a decoder.  Waits for
 * the first bytes of a pipe.  An image's header is left to
 * content_read_header().  Returns 0, or -1 with the source's error set, unless
 * the source was asked to stop; content_close() is due in both cases.
 *
 * Content that begins like a .npy file is an error where the values are wide,
 * here or as soon as it has been read.  See content_is_text() for text.
 */
int content_open(struct content *content, const struct reading *reading,
                 struct budget *budget, struct decoder **spare);

/*
 * Begin to read an image; its format is in *FORMAT.  Returns 0, or -1 with
 * the source's error set.
 */
int content_read_header(struct content *content, struct image_format *format);

/* Whether the content looks like text although the values are wide. */
bool content_is_text(const struct content *content);

/* Whether ranges can be read in any order: a plain file. */
bool content_has_ranges(const struct content *content);

/*
 * Read the next bytes to count into BUFFER, up to CAPACITY.  Returns how many;
 * fewer than CAPACITY only at the end (0 from then on), at a pause of the
 * decoder, or when the source is cut short; -1 with the source's error set.
 */
ssize_t content_read(struct content *content, void *buffer, size_t capacity);

/* Let content_read() go on at OFFSET of a plain regular file.  As source_seek(). */
int content_seek(struct content *content, off_t offset);

/*
 * Let PART be what the compressed file WHOLE holds from OFFSET on, where a
 * part begins, for a decoder of TYPE.  See source_open_part(), and
 * decoder_open() for the other arguments.  Returns 0, or -1 with the error of PART's source set.
 */
int content_open_part(struct content *part, const struct content *whole,
                      const struct decoder_type *type, off_t offset,
                      struct budget *budget, struct decoder **spare);

/* Whether the last content_read() paused: see struct decoder. */
bool content_is_paused(const struct content *content);

/*
 * Take the decoder, or NULL, away from content of which nothing more will be
 * read; for decoder_close().
 */
struct decoder *content_take_decoder(struct content *content);

/* Release what reading needs.  May be called twice. */
void content_close(struct content *content);

/* Release all that is left. */
void content_free(struct content *content);

#endif
