/* sequence_join.c -- put the lines of a sequence together, in place */

#include <stddef.h>
#include <string.h>

#include "text/sequence_join.h"

/* Move the bases from AT to END to AT.  Returns their end. */
static size_t
join_bases(unsigned char *data, size_t at, size_t end)
{
    size_t to = at;

    for (; at < end; at++) {
        data[to] = data[at];
        to += (size_t)sequence_is_base(data[at]);
    }
    return to;
}

/* Move the lines of the quality of RECORD to its begin.  Returns their end. */
static size_t
join_quality(unsigned char *data, const struct sequence_record *record)
{
    binning_u32 at = record->quality_begin;
    size_t to = at;

    while (at < record->quality_end) {
        binning_u32 end = sequence_line_end(data, record->quality_end, at);
        binning_u32 size = sequence_quality_stop(data, at, end) - at;
        memmove(data + to, data + at, size);
        to += size;
        at = end + 1;
    }
    return to;
}

/* Whether the quality of RECORD, which has one, is one line. */
static bool
has_one_line(const unsigned char *data, const struct sequence_record *record)
{
    binning_u32 size = record->quality_end - record->quality_begin;
    binning_u32 more = size - record->length; /* line ends in it */

    if (more == 0 || more > 2)
        return more == 0;
    /* The last byte of a line is no carriage return. */
    binning_u32 end = data[record->quality_begin + record->length];
    return end == '\r' || (end == '\n' && more == 1);
}

static void
fill(unsigned char *data, size_t at, size_t end)
{
    if (at < end)
        memset(data + at, '\n', end - at);
}

void
sequence_join(unsigned char *data, struct sequence_record *record,
              bool keeps_case)
{
    unsigned char *base = data + record->bases_begin;
    size_t stop = record->bases_end;

    while (stop > record->bases_begin &&
           (data[stop - 1] == '\n' || sequence_is_blank(data[stop - 1])))
        stop--;
    if (stop - record->bases_begin != record->length)
        fill(data, join_bases(data, record->bases_begin, stop), stop);
    for (size_t i = 0; !keeps_case && i < record->length; i++)
        base[i] = (unsigned char)sequence_upper(base[i]);
    if (record->quality_end != 0 && !has_one_line(data, record))
        fill(data, join_quality(data, record), record->quality_end);
}
