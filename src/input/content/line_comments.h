/* line_comments.h -- leave the comments out of the content of sequences */

#ifndef GPUHIST_LINE_COMMENTS_H
#define GPUHIST_LINE_COMMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/text/fields.h"

/* Where the next byte is. */
enum line_comments_place {
    LINE_COMMENTS_AT_START, /* in or before a byte order mark, if any; otherwise
                               a line starts */
    LINE_COMMENTS_AT_LINE,  /* a line starts */
    LINE_COMMENTS_IN_LINE,
    LINE_COMMENTS_IN_COMMENT,
    LINE_COMMENTS_AT_END, /* no comment follows */
};

/*
 * A comment is a line that begins with BYTE.  After the start of the first
 * record of FASTQ, a line that begins with '@', no line is a comment, because a
 * line of quality may begin with any byte.
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

/*
 * A content of FORMAT starts, with at most *LEFT bytes.  If the format has
 * sequences and may have comments, COMMENTS is on, and takes over the limit
 * *LEFT.
 */
void line_comments_begin(struct line_comments *comments,
                         const struct text_format *format, uint64_t *left);

/* Returns how many bytes may be read, SIZE at most. */
size_t line_comments_limit(const struct line_comments *comments, size_t size);

/* The next SIZE bytes of the content are at DATA: remove the comments.  Returns
   how many bytes are left at DATA. */
size_t line_comments_remove(struct line_comments *comments, unsigned char *data,
                            size_t size);

#endif
