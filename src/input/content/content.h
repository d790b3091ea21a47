/* SPDX-License-Identifier: MIT */
/*
 * content.h -- the content of an input: the bytes to count
 *
 * Content is decompressed, starts after --skip-bytes and ends at --read-bytes.
 * The content of an image is its pixels; of a .npy file, its array; of BAM and
 * SAM, the reads as FASTQ.
 */

#ifndef GPUHIST_CONTENT_H
#define GPUHIST_CONTENT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/output.h"
#include "hist/npy_header.h"
#include "hist/record.h"
#include "input/alignment/alignment_pages.h"
#include "input/alignment/alignments.h"
#include "input/content/shard.h"
#include "input/content/sniff.h"
#include "input/decode/decoders.h"
#include "input/image/image.h"
#include "input/plain_sets.h"
#include "input/source.h"
#include "sync/budget.h"
#include "text/text_header.h"

struct array_choice;
struct members_type;

/* How to read the inputs of a run: the same for all inputs. */
struct reading {
    /* Inputs are archives or files of arrays; NULL: are not. */
    const struct members_type *members;
    struct array_choice *arrays; /* of these, to count; NULL: all */
    enum decompress decompress;  /* of an archive: its members are detected */
    uint64_t skip_bytes;         /* to skip at the start of the content */
    uint64_t read_bytes;         /* limit after SKIP_BYTES; UINT64_MAX: none */
    uint64_t first_records;      /* of text, to read; 0: all */
    bool is_image;               /* inputs are images: count their pixels */
    struct image_format format;  /* the format of all images */
    uint64_t kept_bytes_max;     /* limit of pixels to keep; 0: keep none */
    bool is_wide;          /* values take several bytes: text is a mistake */
    const char *text_hint; /* why text is a mistake though values are bytes;
                              NULL: not a mistake */
    bool refuses_npy;      /* a type is given: a .npy file is a mistake */
    bool refuses_states; /* a state is a mistake, unless it is standard input */
    struct shard shard;  /* the bytes to count of each input */

    const struct text_format *text;     /* NULL: not text */
    struct alignment_choice alignments; /* of BAM and SAM */
    bool has_header;         /* the first record names the fields ... */
    bool is_header_comment;  /* ... or a comment before it */
    size_t header_bytes_max; /* the longest header */
    const struct text_header *header; /* of all inputs; NULL: not known */
    bool finds_columns;               /* of CSV: COLUMNS are wanted ... */
    size_t columns; /* ... of the first nonempty record; 0: unknown */

    bool is_npy;                  /* contents are arrays, as .npy files are */
    const struct npy_header *npy; /* of all contents; NULL: not known */

    struct source_copy *copies; /* of each input; NULL: inputs are read once */
    bool identifies;            /* bytes read are hashed: see identity.h */

    const struct written_files *written; /* not to be read; or NULL */
    unsigned int askers; /* threads that ask for sizes of files; 0: one */

    struct progress *progress; /* counts the bytes read; or NULL */
    struct cancel *cancel;     /* may ask to stop early; or NULL */
};

/* Whether all bytes of each content are read, so that readers may share it. */
static inline bool
reading_is_whole(const struct reading *reading)
{
    return reading->skip_bytes == 0 && reading->read_bytes == UINT64_MAX &&
           reading->first_records == 0;
}

/* The ends of lines in a content, as far as it has been read. */
enum line_ends {
    LINE_ENDS_ANY,     /* line feeds, or nobody needs to know */
    LINE_ENDS_NONE,    /* none yet */
    LINE_ENDS_RETURNS, /* carriage returns alone, which end no line */
};

/* Where the next byte of content with comments is. */
enum line_comments_place {
    LINE_COMMENTS_AT_START, /* in or before a byte order mark, if any; otherwise
                               a line starts */
    LINE_COMMENTS_AT_LINE,  /* a line starts */
    LINE_COMMENTS_IN_LINE,
    LINE_COMMENTS_IN_COMMENT,
    LINE_COMMENTS_AT_END, /* no comment follows */
};

/*
 * A comment is a line that starts with BYTE.  After the start of the first
 * record of FASTQ, a line that starts with '@', no line is a comment, because a
 * line of quality may start with any byte.
 */
struct line_comments {
    bool is_on; /* false: nothing is ever left out */
    unsigned char byte;
    uint64_t count; /* comments left out */
    uint64_t left;  /* bytes with comments, until --read-bytes is reached */

    enum line_comments_place place;
    unsigned int mark_bytes; /* of the byte order mark, which is kept */
    bool has_kept;           /* any byte */
};

/* Helpers, of the decoder if there is one, write text of BAM and SAM. */
struct content_pages {
    struct alignment_sets sets;
    struct decoder_writer writer;
    struct plain_sets plain; /* of what has no decoder */
};

/* One thread at a time owns a content.  Errors are set in its source. */
struct content {
    struct source source;
    struct npy_array array; /* all of the content, without a header, if the
                               owner has set CODE: bytes that are not decoded */

    /* From content_open() on. */
    struct budget *budget;
    const char *seems;       /* of plain bytes: the compressed format in the
                                name; or NULL */
    uint64_t skipped;        /* bytes, at the start */
    struct decoder *decoder; /* NULL: plain bytes */
    struct image *image;     /* decodes the pixels; NULL: no image */
    struct alignments *alignments; /* BAM or SAM, read as FASTQ; or NULL */
    struct content_pages pages;    /* if they are written */
    uint64_t left;                 /* bytes, until --read-bytes is reached */
    bool is_sniffed;               /* content_read() looks at the first bytes */
    struct sniff sniff;            /* the first bytes, after SKIPPED */
    size_t sniffed_ahead;          /* bytes of AHEAD that are in SNIFF */
    bool is_wide;       /* this flag and the next ones: as in the reading */
    bool warns_of_text; /* the reading has a hint */
    bool refuses_npy;
    bool refuses_states;

    /* Of sequences: if they are on, LEFT has no limit. */
    struct line_comments comments;

    /* From start_read_text() or start_read_npy() on. */
    bool has_header;         /* of text: the names of fields are read */
    size_t columns;          /* of CSV, if the reading wants COLUMNS; 0: none */
    bool is_exact;           /* of .npy: LEFT bytes must follow, and no more */
    uint64_t array_bytes;    /* of .npy: of the array */
    uint64_t start_bytes;    /* before the first record */
    uint64_t start_comments; /* in these bytes */
    uint64_t first_at;       /* the first record that is read: START_BYTES, or
                                more if a shard starts later */
    atomic_uint line_ends; /* of text: enum line_ends; any thread may use it */
    unsigned char *ahead;  /* read, but not delivered; owned, or NULL ... */
    size_t ahead_at;       /* ... from here ... */
    size_t ahead_end;      /* ... to here */

    /* Of an image; valid until content_free(), also after content_close(). */
    struct image_shape shape;
    unsigned char *kept; /* the pixels, if READING asks to keep them */
    uint64_t kept_bytes;
    uint64_t kept_room;
    uint64_t kept_bytes_max;
};

/*
 * Open the source, recognise its format and go to the first byte to count;
 * for an image, call content_read_header() next.  BUDGET and SPARE are for
 * decoder_open().  Waits for the first bytes of a pipe.  Returns 0, or -1 with
 * the source's error set; after cancel_ask() it returns -1 without an error.
 * The caller calls content_close() in both cases.
 *
 * If a type is given, content that starts like a .npy file is an error of
 * content_open() or content_read().  For text see content_is_text().
 */
int content_open(struct content *content, const struct reading *reading,
                 struct budget *budget, struct decoder **spare);

/*
 * As content_open(), for an archive: only the source is opened and its
 * compression recognised, and nothing is skipped.
 */
int content_open_archive(struct content *content, const struct reading *reading,
                         struct budget *budget);

/*
 * Read the header of an image and set *FORMAT.  Returns 0, or -1 with the
 * source's error set.
 */
int content_read_header(struct content *content, struct image_format *format);

/*
 * For start.h: read some of the next bytes of the content.  BUFFER has SIZE
 * bytes already, and at most MOST afterwards.  Returns the number of new bytes,
 * which is 0 only at the end, or -1 with the source's error set.
 */
ssize_t content_read_start(struct content *content, unsigned char *buffer,
                           size_t size, size_t most);

/*
 * For start.h: the SIZE bytes of DATA, which are CONTENT's
 * then, were read; the first record is at offset START.  Returns 0, or -1 with
 * the source's error set.
 */
int content_end_start(struct content *content, unsigned char *data, size_t size,
                      size_t start);

/*
 * For start.h: BYTES must follow the start, and nothing else.  Returns 0; or -1
 * with the source's error set if this is known to be wrong.  Otherwise
 * content_read() finds out.
 */
int content_expect(struct content *content, uint64_t bytes);

/*
 * For start.h: the content is BAM or SAM, as KIND says, and starts with the
 * SIZE bytes at DATA, from malloc() and owned from now on.  content_read()
 * delivers the reads of CHOICE as FASTQ.  Records have at most BYTES_MAX.
 * Returns 0, or -1 with the source's error set.
 */
int content_open_alignments(struct content *content, enum alignment_kind kind,
                            const struct alignment_choice *choice,
                            size_t bytes_max, unsigned char *data, size_t size);

/* Whether the content looks like text although the values are wide. */
bool content_is_text(const struct content *content);

/* Note the ends of lines in the SIZE bytes at DATA, which may be NULL if SIZE
   is 0.  Any thread may call this function. */
void content_note_line_ends(struct content *content, const unsigned char *data,
                            size_t size);

/* Whether CONTENT, which is read, is one line because it has carriage returns
   but no line feeds. */
bool content_is_unlined(const struct content *content);

/* Whether the content is BAM or SAM, which one reader reads. */
static inline bool
content_has_alignments(const struct content *content)
{
    return content->alignments != NULL;
}

/* Set *CUT to where all that content_read() has delivered may be cut between
   two records, if the content knows.  Returns whether it is set. */
bool content_find_cut(const struct content *content,
                      struct alignments_cut *cut);

/* Whether ranges can be read in any order, as in a plain file. */
bool content_has_ranges(const struct content *content);

/* Whether a decoder delivers the content, so that other readers may decode
   parts. */
bool content_has_parts(const struct content *content);

/*
 * Read up to CAPACITY of the next bytes to count into BUFFER.  Returns the
 * number of bytes, or -1 with the source's error set.  The number is less than
 * CAPACITY only at the end (later calls return 0), at a pause of the decoder,
 * or when source_is_cut_short().
 */
ssize_t content_read(struct content *content, void *buffer, size_t capacity);

/*
 * Returns how many of the next bytes to count are known to be 0 and may be
 * skipped: those in a hole of a sparse file in an archive.
 */
uint64_t content_zeros(const struct content *content);

/* Skip BYTES of these. */
void content_skip_zeros(struct content *content, uint64_t bytes);

/*
 * As content_read(), but lease the bytes, as decoder_lease().  Returns 0 also
 * if they must be read.
 */
ssize_t content_lease(struct content *content, const unsigned char *front,
                      size_t front_bytes, size_t capacity, struct lease *lease);

/*
 * As content_read(), but returns fewer bytes rather than wait for a pipe; 0
 * only at the end, at a pause, or when source_is_cut_short().
 */
ssize_t content_read_some(struct content *content, void *buffer,
                          size_t capacity);

/*
 * Let content_read() deliver the last SIZE bytes, at DATA, again.  Returns 0,
 * or -1 with the source's error set.
 */
int content_unread(struct content *content, const unsigned char *data,
                   size_t size);

/* Nothing more is read, and the last SIZE bytes are not wanted: if the content
   is plain standard input, let other programs go on there. */
void content_leave(const struct content *content, size_t size);

/*
 * Let content_read() continue at OFFSET of a plain regular file.  Returns 0,
 * or -1 with the source's error set.
 */
int content_seek(struct content *content, off_t offset);

/*
 * Make PART the content of the compressed file WHOLE from OFFSET on, where a
 * part starts.  See source_open_part(), and decoder_open() for the other
 * arguments.  Returns 0, or -1 with the error of PART's source set.
 */
int content_open_part(struct content *part, const struct content *whole,
                      const struct decoder_type *type, off_t offset,
                      struct budget *budget, struct decoder **spare);

/* Whether the last content_read() paused: see struct decoder. */
bool content_is_paused(const struct content *content);

/*
 * Take the decoder away from CONTENT, which must not be read any more.
 * Returns the decoder, for decoder_close(), or NULL.
 */
struct decoder *content_take_decoder(struct content *content);

/* Close the source and the decoder.  May be called twice. */
void content_close(struct content *content);

/* As content_close(), but returns the descriptor for the caller to close; or
   -1: there is none. */
int content_release(struct content *content);

/* Release everything, including the kept pixels and the error. */
void content_free(struct content *content);

#endif
