/* sequence_bases.c -- the bases and the quality of a sequence */

#include <string.h>

#include "text/sequence_bases.h"

struct text_slice
sequence_bases_slice(const unsigned char *data,
                     const struct sequence_record *record)
{
    binning_u32 at = record->bases_begin;
    binning_u32 stop = record->bases_end;

    while (at < stop && !sequence_is_base(data[at]))
        at++;
    while (stop > at && !sequence_is_base(data[stop - 1]))
        stop--;
    return (struct text_slice){at, stop - at};
}

const unsigned char *
sequence_bases(const unsigned char *data, const struct sequence_record *record,
               unsigned char *buffer)
{
    struct text_slice slice = sequence_bases_slice(data, record);

    if (slice.size == record->length)
        return data + slice.at;
    sequence_put(data, slice, true, buffer);
    return buffer;
}

bool
sequence_is_written(const unsigned char *data, struct text_slice slice,
                    bool keeps_case)
{
    bool is_written = false;

    /* Blanks and line ends are below all bases, and lower case is above them
       all. */
    for (binning_u32 i = 0; i < slice.size; i++) {
        unsigned char byte = data[slice.at + i];
        is_written |= byte <= ' ' || (!keeps_case && byte >= 'a');
    }
    return is_written;
}

size_t
sequence_put(const unsigned char *data, struct text_slice slice,
             bool keeps_case, unsigned char *buffer)
{
    size_t count = 0;

    for (binning_u32 i = 0; i < slice.size; i++) {
        unsigned char byte = data[slice.at + i];
        if (sequence_is_base(byte))
            buffer[count++] =
                keeps_case ? byte : (unsigned char)sequence_upper(byte);
    }
    return count;
}

/* Whether what follows LENGTH bytes of the quality is the end of a line, or of
   the data, so that it has one line: each line before ends with a byte that is
   not part of it, and there would be fewer of them. */
static bool
is_one_line(const unsigned char *data, const struct sequence_record *record)
{
    binning_u32 at = record->quality_begin + record->length;
    binning_u32 rest = record->quality_end - at;

    return rest == 0 || (rest == 1 && (data[at] == '\n' || data[at] == '\r')) ||
           (rest == 2 && data[at] == '\r' && data[at + 1] == '\n');
}

/* The line at AT of the quality. */
static struct text_slice
quality_line(const unsigned char *data, const struct sequence_record *record,
             binning_u32 at)
{
    binning_u32 end = sequence_line_end(data, record->quality_end, at);

    return (struct text_slice){at, sequence_quality_stop(data, at, end) - at};
}

struct text_slice
sequence_quality_first(const unsigned char *data,
                       const struct sequence_record *record)
{
    if (is_one_line(data, record))
        return (struct text_slice){record->quality_begin, record->length};
    return quality_line(data, record, record->quality_begin);
}

bool
sequence_quality_next(const unsigned char *data,
                      const struct sequence_record *record,
                      struct text_slice *line)
{
    binning_u32 at =
        sequence_line_end(data, record->quality_end, line->at + line->size);

    if (at >= record->quality_end || at + 1 == record->quality_end)
        return false;
    *line = quality_line(data, record, at + 1);
    return true;
}

const unsigned char *
sequence_quality(const unsigned char *data,
                 const struct sequence_record *record, unsigned char *buffer)
{
    struct text_slice line = sequence_quality_first(data, record);
    size_t count = 0;

    if (line.size == record->length)
        return data + line.at;
    do {
        memcpy(buffer + count, data + line.at, line.size);
        count += line.size;
    } while (sequence_quality_next(data, record, &line));
    return buffer;
}
