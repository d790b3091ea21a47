/* SPDX-License-Identifier: MIT */
/*
 * print_fields.c -- print fields of text, for tests that compare them
 *
 * usage: print_fields KIND DELIMITER END COMMENT FIELDS <DATA
 *
 * KIND is a number of enum text_kind, 0 for TEXT_LINES; DELIMITER, END and
 * COMMENT are values of bytes, -1 for no COMMENT.  Each field is printed as hexadecimal digits, or as
 * "-" if it is missing, or "!" if its record does not fit CLF; a tab follows
 * each, a newline each record.  The data are scanned in one piece.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "text/field_value.h"
#include "text/scan.h"

#define BYTES_MAX ((size_t)16 << 20)
#define RECORDS_MAX 64

static void
print_field(const struct text_format *format, const unsigned char *data,
            struct text_slice slice, unsigned char *value)
{
    const unsigned char *text = data + slice.at;
    size_t size = slice.size;

    if (text_slice_is_missing(slice)) {
        printf(text_slice_is_invalid(slice) ? "!\t" : "-\t");
        return;
    }
    if (format->kind == TEXT_CSV && text_is_quoted(data, slice)) {
        size = text_unquote(data, slice, value);
        text = value;
    }
    for (size_t i = 0; i < size; i++)
        printf("%02x", text[i]);
    putchar('\t');
}

int
main(int argc, char **argv)
{
    struct error error = ERROR_NONE;
    struct scan_ledger ledger = {0};
    struct field_list list;
    struct scan scan;
    unsigned char *data = malloc(BYTES_MAX);
    unsigned char *value = malloc(BYTES_MAX);
    struct text_slice *slice = NULL;
    /* Fields of CLF have numbers here. */
    const struct text_format numbered = {.kind = TEXT_DELIMITED};
    size_t size = 0;
    size_t done = 0;

    if (argc != 6 || data == NULL || value == NULL)
        return 99;
    struct text_format format = {
        .kind = TEXT_LINES + (binning_u32)atoi(argv[1]),
        .delimiter = (binning_u32)atoi(argv[2]),
        .end = (binning_u32)atoi(argv[3]),
        .comment = atoi(argv[4]),
        .counts_invalid = 1,
    };
    if (field_list_parse(&list, &numbered, "fields", argv[5], &error) < 0 ||
        scan_open(&scan, &format, &list, &error) < 0 ||
        (slice = calloc(RECORDS_MAX * list.count, sizeof *slice)) == NULL)
        return 99;
    for (ssize_t got = 1; got > 0; size += (size_t)got) {
        got = read(STDIN_FILENO, data + size, BYTES_MAX - size);
        if (got < 0)
            return 99;
    }
    while (done < size) {
        size_t records =
            scan_records(&scan, data, size, &done, slice, RECORDS_MAX, &ledger);
        for (size_t i = 0; i < records * list.count; i++) {
            print_field(&format, data, slice[i], value);
            if (i % list.count == list.count - 1)
                putchar('\n');
        }
    }
    if (ledger.bytes != size)
        return 99;
    scan_close(&scan);
    field_list_close(&list);
    free(slice);
    free(data);
    free(value);
    return fflush(stdout) == 0 ? 0 : 99;
}
