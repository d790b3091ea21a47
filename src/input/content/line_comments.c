/* line_comments.c -- leave the comments out of the content of sequences */

#include <string.h>

#include "base/utf8.h"
#include "input/content/line_comments.h"
#include "text/text_type.h"

void
line_comments_begin(struct line_comments *comments,
                    const struct text_format *format, uint64_t *left)
{
    *comments = (struct line_comments){.left = *left};
    if (!text_type_of(format->kind)->strips_comments ||
        format->comment == TEXT_NO_COMMENT)
        return;
    comments->is_on = true;
    comments->byte = (unsigned char)format->comment;
    *left = UINT64_MAX;
}

size_t
line_comments_limit(const struct line_comments *comments, size_t size)
{
    return size < comments->left ? size : (size_t)comments->left;
}

/*
 * BYTE is the first byte of the content, or follows a byte order mark or the
 * start of a mark.  Returns whether BYTE is in the mark; otherwise sets the
 * place before BYTE.
 */
static bool
is_of_mark(struct line_comments *comments, unsigned char byte)
{
    bool is_mark = comments->mark_bytes < UTF8_MARK_BYTES &&
                   byte == (unsigned char)UTF8_MARK[comments->mark_bytes];
    bool is_line =
        comments->mark_bytes == 0 || comments->mark_bytes == UTF8_MARK_BYTES;

    if (is_mark)
        comments->mark_bytes++;
    else
        comments->place =
            is_line ? LINE_COMMENTS_AT_LINE : LINE_COMMENTS_IN_LINE;
    return is_mark;
}

/* Set the place in a line that begins with BYTE. */
static void
begin_line(struct line_comments *comments, unsigned char byte)
{
    if (byte == comments->byte) {
        comments->place = LINE_COMMENTS_IN_COMMENT;
        comments->count++;
    } else {
        comments->place =
            byte == '@' ? LINE_COMMENTS_AT_END : LINE_COMMENTS_IN_LINE;
    }
}

size_t
line_comments_remove(struct line_comments *comments, unsigned char *data,
                     size_t size)
{
    size_t kept = 0;
    size_t at = 0;

    comments->left -= size;
    while (at < size) {
        if (comments->place == LINE_COMMENTS_AT_START &&
            is_of_mark(comments, data[at])) {
            data[kept++] = data[at++];
            continue;
        }
        if (comments->place == LINE_COMMENTS_AT_LINE)
            begin_line(comments, data[at]);
        const unsigned char *end = comments->place != LINE_COMMENTS_AT_END
                                       ? memchr(data + at, '\n', size - at)
                                       : NULL;
        size_t bytes = end != NULL ? (size_t)(end - data) + 1 - at : size - at;
        if (comments->place != LINE_COMMENTS_IN_COMMENT) {
            if (kept < at)
                memmove(data + kept, data + at, bytes);
            kept += bytes;
        }
        at += bytes;
        if (end != NULL)
            comments->place = comments->has_kept || kept > 0
                                  ? LINE_COMMENTS_AT_LINE
                                  : LINE_COMMENTS_AT_START;
    }
    comments->has_kept |= kept > 0;
    return kept;
}
