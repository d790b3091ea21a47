/* scan.c -- find the wanted fields of all records of a chunk */

#include <stdlib.h>

#include "text/scan.h"

static int
compare(const void *a, const void *b)
{
    uint32_t x = ((const struct scan_field *)a)->number;
    uint32_t y = ((const struct scan_field *)b)->number;

    return (x > y) - (x < y);
}

int
scan_open(struct scan *scan, const struct text_format *format,
          const struct field_list *list, struct error *error)
{
    *scan = (struct scan){.format = *format, .columns = list->count};
    scan->head = calloc(list->count + 1, sizeof *scan->head);
    scan->tail = calloc(list->count + 1, sizeof *scan->tail);
    if (scan->head == NULL || scan->tail == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct scan_field field = {
            .number = list->field[i].number,
            .column = (uint32_t)i,
        };
        if (list->field[i].is_from_last)
            scan->tail[scan->tails++] = field;
        else
            scan->head[scan->heads++] = field;
    }
    qsort(scan->head, scan->heads, sizeof *scan->head, compare);
    qsort(scan->tail, scan->tails, sizeof *scan->tail, compare);
    for (size_t i = 0; i < scan->heads; i++)
        scan->head[i].skip =
            scan->head[i].number - 1 - (i > 0 ? scan->head[i - 1].number : 0);
    scan->run = scan_portable;
#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        scan->run = scan_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        scan->run = scan_avx512;
#endif
    return 0;
}

size_t
scan_records(const struct scan *scan, const unsigned char *data, size_t size,
             size_t *done, struct text_slice *slice, size_t records_max,
             struct scan_ledger *ledger)
{
    size_t begin = *done;
    size_t records = 0;

    if (begin < size)
        records = scan->run(scan, data, size, done, slice, records_max,
                            &ledger->comments);
    ledger->records += records;
    ledger->bytes += *done - begin;
    return records;
}

void
scan_close(struct scan *scan)
{
    free(scan->head);
    free(scan->tail);
    *scan = (struct scan){0};
}
