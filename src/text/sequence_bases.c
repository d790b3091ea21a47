/* sequence_bases.c -- the bases and the quality of a sequence */

#include <string.h>

#include "text/sequence_bases.h"

const unsigned char *
sequence_bases(const unsigned char *data, const struct sequence_record *record,
               unsigned char *buffer)
{
    binning_u32 stop = record->bases_end;
    size_t count = 0;

    while (stop > record->bases_begin &&
           (data[stop - 1] == '\n' || sequence_is_blank(data[stop - 1])))
        stop--;
    if (stop - record->bases_begin == record->length)
        return data + record->bases_begin;
    for (binning_u32 at = record->bases_begin; at < stop; at++) {
        if (sequence_is_base(data[at]))
            buffer[count++] = data[at];
    }
    return buffer;
}

const unsigned char *
sequence_quality(const unsigned char *data,
                 const struct sequence_record *record, unsigned char *buffer)
{
    binning_u32 at = record->quality_begin;
    size_t count = 0;

    while (at < record->quality_end) {
        binning_u32 end = sequence_line_end(data, record->quality_end, at);
        binning_u32 size = sequence_quality_stop(data, at, end) - at;
        if (size == record->length)
            return data + at;
        memcpy(buffer + count, data + at, size);
        count += size;
        at = end + 1;
    }
    return buffer;
}
