/* SPDX-License-Identifier: MIT */
/*
 * fuzz_fields.c -- text of any format
 *
 * The first bytes choose the format, the fields and how many records are asked
 * for at a time; the rest is the text.  Each form of a scan must give the
 * slices of fields.h, and the slices must lie in their record.  The text ends
 * where the memory does.
 */

#include "../csv_cut_check.h"
#include "../scan_check.h"
#include "fuzz.h"
#include "text/csv_state.h"
#include "text/field_value.h"

static const char *const lists[] = {
    "1", "2", "4", "9", "33", "1,2", "2,1,NF", "NF", "NF-1", "NF-3,1-4,66,NF",
};

/* Of CLF. */
static const char *const names[] = {
    "host,ident,user,time,request,status,bytes",
    "method,vhost,path",
    "path,query",
    "target,protocol,request",
    "minute",
    "hour,day,time",
    "referer,vhost",
    "agent,+1",
    "+2,+3,+1",
    "+64,status,query,minute,agent",
};

static struct text_format
take_format(struct fuzz *fuzz)
{
    static const unsigned char delimiters[] = ",;\t |x\"\r";
    uint64_t kind = TEXT_LINES + fuzz_take(fuzz, 1) % (TEXT_KINDS - TEXT_LINES);
    uint64_t choice = fuzz_take(fuzz, 1);
    struct text_format format = text_format_of((enum text_kind)kind);

    /* CSV does not allow the last two. */
    format.delimiter = delimiters[choice % (kind == TEXT_CSV ? 6 : 8)];
    format.end = (choice >> 3 & 1) != 0 ? '\0' : '\n';
    format.comment = (choice >> 4 & 1) != 0 ? '#' : TEXT_NO_COMMENT;
    format.skips_blank = kind == TEXT_CSV && (choice >> 5 & 1) != 0;
    format.comment_more = (uint32_t)(choice >> 6);
    memcpy(format.comment_rest, "#,;", 3);
    return format;
}

/* All slices of one scan lie in the data, and those to write have a value. */
static void
check_slices(const struct scan *scan, const struct field_list *list,
             const unsigned char *data, size_t size)
{
    struct scan_ledger ledger = {0};
    struct text_slice slice[16];
    unsigned char *value = malloc(size + 1);
    size_t done = 0;

    if (value == NULL || scan->wanted > 16)
        abort();
    while (done < size) {
        size_t before = done;
        size_t records =
            scan_records(scan, data, size, &done, slice, 1, &ledger);
        fuzz_must(done > before, "the scan goes on");
        for (size_t i = 0; i < records * scan->wanted; i++) {
            if (text_slice_is_missing(slice[i])) {
                fuzz_must(slice[i].size == 0 ||
                              (scan->format.kind == TEXT_CLF &&
                               text_slice_is_invalid(slice[i])),
                          "what is missing has no size");
                continue;
            }
            fuzz_must(slice[i].at >= before && slice[i].at <= size &&
                          slice[i].size <= size - slice[i].at,
                      "a slice lies in its record");
            if (field_value_is_written(&scan->format, list->field[i].part, data,
                                       slice[i]))
                fuzz_must(field_value_write(&scan->format, list->field[i].part,
                                            data, slice[i],
                                            value) < slice[i].size,
                          "a value is shorter than its field");
        }
    }
    fuzz_must(done == size && ledger.bytes == size, "all bytes are scanned");
    free(value);
}

/* Each form cuts where fields.h ends the last record that has an end. */
static void
check_cut(const struct text_format *format, const unsigned char *data,
          size_t size)
{
    bool is_sure = format->comment != '"';
    size_t want = csv_cut_reference(format, data, size);
    size_t want_inside =
        is_sure ? csv_cut_reference_inside(format, data, size) : 0;

    for (size_t f = 0; f < CSV_CUT_FORMS; f++) {
        struct csv_cut cut = {.format = format};
        if (!csv_cut_is_possible(f))
            continue;
        csv_cut_forms[f].run(&cut, data, (uint32_t)size);
        fuzz_must(cut.done == want, "a cut is the end of a record");
        if (!is_sure)
            continue;
        cut = (struct csv_cut){.format = format, .state = CSV_INSIDE};
        csv_cut_forms[f].run(&cut, data, (uint32_t)size);
        fuzz_must(cut.done == want_inside, "... of one that began before");
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = {data, size};
    struct text_format format = take_format(&fuzz);
    format.counts_invalid = 1;
    uint64_t choice = fuzz_take(&fuzz, 1);
    struct error error = ERROR_NONE;
    struct field_list list;
    struct scan scan;

    size_t lists_count = sizeof lists / sizeof *lists;
    const char *const *from = format.kind == TEXT_CLF ? names : lists;
    if (field_list_parse(&list, &format, "fields", from[choice % lists_count],
                         &error) < 0 ||
        scan_open(&scan, &format, &list, &error) < 0)
        abort();
    const char *wrong = scan_check(&scan, &list, fuzz.data, fuzz.size,
                                   1 + choice / lists_count * 3);
    fuzz_must(wrong == NULL, wrong);
    if (format.kind == TEXT_CSV)
        check_cut(&format, fuzz.data, fuzz.size);
    check_slices(&scan, &list, fuzz.data, fuzz.size);
    scan_close(&scan);
    field_list_close(&list);
    return 0;
}
