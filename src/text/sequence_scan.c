/* sequence_scan.c -- find the records of FASTA and FASTQ in a chunk */

#include "text/sequence_scan.h"

size_t
sequence_scan(const unsigned char *data, size_t size, size_t *done, bool is_end,
              struct sequence_record *record, size_t records_max,
              enum sequence_found *found, struct sequence_record *rest)
{
    size_t count = 0;

    *found = SEQUENCE_RECORD;
    while (count < records_max) {
        *found = sequence_find(data, (binning_u32)size, (binning_u32)*done,
                               is_end, rest);
        if (*found != SEQUENCE_RECORD)
            break;
        record[count++] = *rest;
        *done = rest->next;
    }
    return count;
}
