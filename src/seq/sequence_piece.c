/* SPDX-License-Identifier: MIT */
/* sequence_piece.c -- a record of FASTA that is counted in pieces */

#include <string.h>

#include "kernels/seq/sequence.h"
#include "seq/sequence_piece.h"

/* Empty lines, '>', the name, the end of its line, the bases, and one byte. */
_Static_assert(SEQUENCE_PREFACE_BYTES >
                   1 + SEQUENCE_PIECE_NAME + 1 + SEQUENCE_OVERLAP_MAX + 1,
               "a preface begins with an empty line");

struct sequence_piece
sequence_piece_unknown(void)
{
    return (struct sequence_piece){.place = SEQUENCE_IN_LINE, .has_name = true};
}

static void
add_name(struct sequence_piece *piece, unsigned char byte)
{
    if (piece->name_bytes < SEQUENCE_PIECE_NAME)
        piece->name[piece->name_bytes++] = byte;
}

/* The first line goes on at AT.  Returns where the bases start, or SIZE. */
static size_t
take_name(struct sequence_piece *piece, const unsigned char *data, size_t at,
          size_t size)
{
    while (at < size && data[at] != '\n' && !sequence_is_blank(data[at]))
        add_name(piece, data[at++]);
    piece->has_name = at < size;
    const unsigned char *end = memchr(data + at, '\n', size - at);
    return end == NULL ? size : (size_t)(end - data) + 1;
}

/* Take the last bases of the lines from AT on, OVERLAP of them at most. */
static void
take_bases(struct sequence_piece *piece, const unsigned char *data, size_t at,
           size_t size, unsigned int overlap)
{
    unsigned int first = overlap;

    for (size_t i = size; i > at && first > 0; i--) {
        if (sequence_is_base(data[i - 1]))
            piece->base[--first] = data[i - 1];
    }
    piece->bases = (unsigned char)(overlap - first);
    memmove(piece->base, piece->base + first, piece->bases);
}

void
sequence_piece_pass(struct sequence_piece *piece, enum sequence_place place,
                    size_t start, const unsigned char *data, size_t size,
                    unsigned int overlap)
{
    struct sequence_piece own = {.place = place, .has_name = true};
    size_t at = 0;

    own.has_start = start != SIZE_MAX;
    if (own.has_start)
        at = take_name(&own, data, start + 1, size);
    else if (piece->place == SEQUENCE_IN_NAME)
        at = take_name(&own, data, 0, size);
    take_bases(&own, data, at, size, overlap);
    sequence_piece_join(piece, &own, overlap);
    *piece = own;
}

void
sequence_piece_join(const struct sequence_piece *before,
                    struct sequence_piece *piece, unsigned int overlap)
{
    struct sequence_piece joined = *before;
    unsigned int kept = overlap - piece->bases;

    if (piece->has_start)
        return;
    joined.place = piece->place;
    for (unsigned int i = 0; i < piece->name_bytes && !before->has_name; i++)
        add_name(&joined, piece->name[i]);
    joined.has_name |= piece->has_name;
    kept = kept < before->bases ? kept : before->bases;
    memmove(joined.base, before->base + before->bases - kept, kept);
    memcpy(joined.base + kept, piece->base, piece->bases);
    joined.bases = (unsigned char)(kept + piece->bases);
    *piece = joined;
}

void
sequence_piece_put_preface(const struct sequence_piece *piece,
                           unsigned char out[SEQUENCE_PREFACE_BYTES])
{
    bool is_in_name = piece->place == SEQUENCE_IN_NAME;
    size_t size = 1 + (size_t)piece->name_bytes +
                  (is_in_name ? piece->has_name : 1 + (size_t)piece->bases + 1);
    unsigned char *end = out + SEQUENCE_PREFACE_BYTES - size;

    memset(out, '\n', SEQUENCE_PREFACE_BYTES - size);
    *end++ = '>';
    memcpy(end, piece->name, piece->name_bytes);
    end += piece->name_bytes;
    if (!is_in_name) {
        *end++ = '\n';
        memcpy(end, piece->base, piece->bases);
        end += piece->bases;
        /* A blank, so that no '>' after it starts a line. */
        *end = piece->place == SEQUENCE_AT_LINE ? '\n' : ' ';
    } else if (piece->has_name) {
        *end = ' ';
    }
}
