/* SPDX-License-Identifier: MIT */
/* start.c -- the start of a content, before its first record */

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "input/content/start.h"
#include "text/csv_cut.h"

/* ---- text ---- */

/* The bytes that are read first. */
#define TEXT_BYTES ((size_t)4096)

/* If the first record of CSV does not start, or has no delimiter, in this many
   bytes, it counts as one field. */
#define COLUMNS_BYTES ((size_t)64 << 10)

/* The first bytes of a content. */
struct text_start {
    unsigned char *data; /* SIZE of ROOM bytes, owned */
    size_t size;
    size_t room;
    bool has_ended;    /* all bytes are read */
    size_t end;        /* offset of the first record after the header */
    uint64_t comments; /* before it, with blank records of CSV ... */
    uint64_t blanks;   /* ... this many among them */

    /* Of comments that are headers: */
    bool has_names;           /* a comment is found ... */
    bool is_directive;        /* ... whose first word says so ... */
    struct text_record names; /* ... here */
};

/* Read some more bytes, up to MOST in all.  Returns how many, which is 0 only
   at the end; or -1. */
static ssize_t
read_more(struct text_start *start, struct content *content, size_t most)
{
    if (most > content->left)
        most = (size_t)content->left;
    if (most > start->room) {
        unsigned char *grown = realloc(start->data, most);
        if (grown == NULL)
            return source_fail_memory(&content->source);
        start->data = grown;
        start->room = most;
    }
    ssize_t got = content_read_start(content, start->data, start->size, most);
    if (got < 0)
        return -1;
    start->size += (size_t)got;
    start->has_ended = got == 0;
    return got;
}

/* Returns the bytes of the byte order mark that the data start with, or 0. */
static size_t
mark_bytes(const struct text_start *start)
{
    return start->size >= UTF8_MARK_BYTES &&
                   memcmp(start->data, UTF8_MARK, UTF8_MARK_BYTES) == 0
               ? UTF8_MARK_BYTES
               : 0;
}

/* Whether the data are the first bytes of a byte order mark, and more come. */
static bool
may_be_mark(const struct text_start *start)
{
    return start->size < UTF8_MARK_BYTES && !start->has_ended &&
           (start->size == 0 ||
            memcmp(start->data, UTF8_MARK, start->size) == 0);
}

/* Whether RECORD of the data has an end, not that of the data. */
static bool
is_ended(const struct text_start *start, const struct text_format *format,
         const struct text_record *record)
{
    return record->next > record->end &&
           start->data[record->next - 1] == format->end;
}

/* Find the header in the bytes so far.  Returns 1 and sets *RECORD to it; or 0:
   no header, or more bytes are needed; or -1 with the source's error set. */
static int
find_header(struct text_start *start, struct content *content,
            const struct text_format *format, struct text_record *record)
{
    size_t quote;

    start->comments = 0;
    start->blanks = 0;
    start->end = mark_bytes(start);
    while (fields_record(format, start->data, (binning_u32)start->size,
                         (binning_u32)start->end, record)) {
        bool is_whole = is_ended(start, format, record);
        if (!is_whole && !start->has_ended)
            return 0;
        if (!is_whole && text_type_of(format->kind)->ends == TEXT_ENDS_QUOTED &&
            csv_cut_is_open(format, start->data + record->start,
                            start->size - record->start, &quote)) {
            error_set(&content->source.error, EXIT_DATA,
                      "%s: the quote at byte %zu has no end",
                      content->source.display_name, record->start + quote);
            return -1;
        }
        start->end = record->next;
        if (!record->is_comment)
            return 1;
        start->comments++;
        start->blanks += !fields_is_comment(
            format, start->data, (binning_u32)start->size, record->start);
    }
    return 0;
}

/* Set the source's error: records without a comment before them. */
static int
fail_without_comment(struct content *content, const struct text_format *format)
{
    unsigned char mark[TEXT_COMMENT_BYTES];
    char shown[VISIBLE_BYTES];

    mark[0] = (unsigned char)format->comment;
    memcpy(mark + 1, format->comment_rest, format->comment_more);
    visible_name(shown, mark, format->comment_more + (size_t)1);
    error_set(&content->source.error, EXIT_DATA,
              "%s: no line that starts with '%s' precedes the first record, so "
              "fields have no names (--header-in=comment)",
              content->source.display_name, shown);
    return -1;
}

/* Look at RECORD, which precedes the first record. */
static void
take_comment(struct text_start *start, const struct text_format *format,
             const struct text_record *record)
{
    start->end = record->next;
    start->comments++;
    if (!fields_is_comment(format, start->data, (binning_u32)start->size,
                           record->start)) {
        start->blanks++;
        return;
    }
    bool is_directive = text_header_is_directive(format, start->data, record);
    if (start->is_directive && !is_directive)
        return;
    start->has_names = true;
    start->is_directive = is_directive;
    start->names = *record;
}

/*
 * As find_header(), for a comment that is the header: the last one before the
 * first record, or the last one whose first word says so.  Goes on after the
 * comments that are known.
 */
static int
find_comment(struct text_start *start, struct content *content,
             const struct text_format *format, struct text_record *record)
{
    /* A mark, or a carriage return and an end. */
    const size_t sure_bytes = format->comment_more + (size_t)2;

    if (may_be_mark(start))
        return 0;
    if (start->end == 0)
        start->end = mark_bytes(start);
    while (start->end < start->size) {
        if (start->size - start->end < sure_bytes && !start->has_ended)
            return 0;
        if (!fields_record(format, start->data, (binning_u32)start->size,
                           (binning_u32)start->end, record))
            return 0;
        bool is_whole = is_ended(start, format, record) || start->has_ended;
        if (record->is_comment && !is_whole)
            return 0;
        if (!record->is_comment && !start->has_names)
            return fail_without_comment(content, format);
        if (!record->is_comment)
            break;
        take_comment(start, format, record);
    }
    *record = start->names;
    return start->has_names && (start->end < start->size || start->has_ended);
}

/* Set *HEADER to the names in RECORD.  Returns 0, or -1 with the source's error
   set. */
static int
make_header(const struct text_start *start, struct content *content,
            const struct reading *reading, const struct text_record *record,
            struct text_header *header)
{
    int result =
        reading->is_header_comment
            ? text_header_make_comment(header, reading->text, start->data,
                                       record)
            : text_header_make(header, reading->text, start->data, record);

    return result < 0 ? source_fail_memory(&content->source) : 0;
}

/* As start_read_text(), for content with a header. */
static int
read_header(struct text_start *start, struct content *content,
            const struct reading *reading, struct text_header *header)
{
    struct text_record record;
    size_t most = TEXT_BYTES;

    for (;;) {
        if (start->size == reading->header_bytes_max) {
            error_set(&content->source.error, EXIT_DATA,
                      "%s: the header is longer than %zu bytes "
                      "(--memory-limit allows longer ones)",
                      content->source.display_name, start->size);
            return -1;
        }
        if (start->size == most)
            most *= 2;
        if (most > reading->header_bytes_max)
            most = reading->header_bytes_max;
        /* A pipe may give few bytes, which may be enough. */
        ssize_t got = read_more(start, content, most);
        if (got < 0)
            return -1;
        /* Do not look at a long header each time that a pipe gives some. */
        if (got > 0 && memchr(start->data + start->size - got,
                              (int)reading->text->end, (size_t)got) == NULL)
            continue;
        int found = reading->is_header_comment
                        ? find_comment(start, content, reading->text, &record)
                        : find_header(start, content, reading->text, &record);
        if (found < 0 || (found == 0 && start->has_ended))
            return found;
        content->has_header = found > 0;
        if (found > 0)
            return make_header(start, content, reading, &record, header);
    }
}

/* Returns how many fields RECORD of the data has. */
static size_t
count_fields(const struct text_start *start, const struct text_format *format,
             const struct text_record *record)
{
    struct text_slice slice;
    binning_u32 at = record->start;
    size_t count = 0;

    while (fields_next(format, start->data, record->end, &at, &slice))
        count++;
    return count;
}

/* As start_read_text(), for CSV without a header: find the number of columns.
   Only comments are left out, if the content has nothing else. */
static int
read_columns(struct text_start *start, struct content *content,
             const struct text_format *format)
{
    struct text_record record;
    size_t most = TEXT_BYTES;
    int found = 0;

    while (found == 0 && !start->has_ended && start->size < COLUMNS_BYTES) {
        if (start->size == most)
            most *= 2;
        if (read_more(start, content, most) < 0)
            return -1;
        found = find_header(start, content, format, &record);
    }
    if (found < 0 || start->size == 0)
        return found;
    if (found == 0 && start->has_ended && start->blanks == 0)
        return 0;
    bool has_record =
        fields_record(format, start->data, (binning_u32)start->size,
                      found > 0 ? record.start : (binning_u32)start->end,
                      &record) != 0;
    content->columns =
        has_record ? count_fields(start, format, &record) : (size_t)1;
    start->comments = 0;
    start->end = mark_bytes(start);
    return 0;
}

/* Leave out a byte order mark before the first record. */
static int
skip_mark(struct text_start *start, struct content *content)
{
    /* Comments before it should not be read in tiny pieces. */
    size_t most = content->comments.is_on ? TEXT_BYTES : UTF8_MARK_BYTES;

    while (may_be_mark(start)) {
        if (read_more(start, content, most) < 0)
            return -1;
    }
    start->end = mark_bytes(start);
    return 0;
}

/*
 * Find out whether the content is BAM or SAM, and then open it.  Returns 1: it
 * is, and has taken the data; 0: it is something else; or -1 with the source's
 * error set.
 */
static int
open_alignments(struct text_start *start, struct content *content,
                const struct reading *reading)
{
    const char *name = content->source.display_name;
    enum alignment_kind kind;

    while ((kind = alignment_kind_of(start->data, start->size,
                                     start->has_ended)) == ALIGNMENT_OPEN) {
        if (read_more(start, content, ALIGNMENT_KIND_BYTES) < 0)
            return -1;
    }
    if (kind == ALIGNMENT_NONE)
        return 0;
    if (kind == ALIGNMENT_CRAM || content->comments.is_on) {
        content->sniff = (struct sniff){0}; /* no other advice */
        error_set(&content->source.error, EXIT_DATA, "%s: %s", name,
                  kind == ALIGNMENT_CRAM
                      ? "CRAM is not read: samtools view -u FILE | gpuhist "
                        "--seq"
                      : "BAM and SAM have no comments (--comment)");
        return -1;
    }
    unsigned char *data = start->data;
    start->data = NULL;
    return content_open_alignments(content, kind, &reading->alignments,
                                   reading->header_bytes_max, data,
                                   start->size) < 0
               ? -1
               : 1;
}

int
start_read_text(struct content *content, const struct reading *reading,
                struct text_header *header)
{
    struct text_start start = {0};

    *header = (struct text_header){0};
    atomic_store(&content->line_ends,
                 reading->text->end == '\n' ? LINE_ENDS_NONE : LINE_ENDS_ANY);
    int result = reading->has_header
                     ? read_header(&start, content, reading, header)
                 : reading->finds_columns && reading->columns == 0
                     ? read_columns(&start, content, reading->text)
                     : skip_mark(&start, content);
    if (result == 0 &&
        text_type_of(reading->text->kind)->ends == TEXT_ENDS_SEQUENCES)
        result = open_alignments(&start, content, reading);
    if (result > 0)
        return 0;
    if (result == 0)
        content_note_line_ends(content, start.data, start.end);
    if (result == 0)
        result = content_end_start(content, start.data, start.size, start.end);
    else
        free(start.data);
    content->start_comments = start.comments;
    return result;
}

int
start_compare_text(struct content *content, const struct reading *reading,
                   const struct text_header *header)
{
    const struct text_header *first = reading->header;
    struct source *source = &content->source;
    char shown[VISIBLE_BYTES];
    char other[VISIBLE_BYTES];
    const char *advice = "";
    size_t at;

    if (first == NULL || !content->has_header ||
        text_header_is_equal(header, first, &at))
        return 0;
    if (first->format != NULL)
        advice = ": count each log with --state=FILE, and add the states up "
                 "with --merge";
    if (at < header->count && at < first->count)
        error_set(
            &source->error, EXIT_DATA,
            "%s: field %zu of the header is '%s', but '%s' in %s%s",
            source->display_name, at + 1,
            visible_name(shown, header->name[at].bytes, header->name[at].size),
            visible_name(other, first->name[at].bytes, first->name[at].size),
            first->input, advice);
    else
        error_set(&source->error, EXIT_DATA,
                  "%s: the header has %zu field%s, but %zu in %s%s",
                  source->display_name, header->count,
                  header->count == 1 ? "" : "s", first->count, first->input,
                  advice);
    return -1;
}

/* ---- .npy files ---- */

/* Numpy writes headers of 128 bytes, unless a type has many fields. */
#define NPY_BYTES ((size_t)4096)

/* Set the source's error to DETAIL, at byte OFFSET of the header. */
static int
fail_npy(struct content *content, uint64_t offset, const char *what,
         const char *detail)
{
    return source_fail(&content->source, (off_t)(content->skipped + offset),
                       what, detail);
}

/*
 * Read until *DATA, for free(), has WANTED of its *SIZE bytes, or until the end
 * of the content.  Returns 0, or -1 with the source's error set.
 */
static int
read_to(struct content *content, unsigned char **data, size_t *size,
        size_t wanted)
{
    struct source *source = &content->source;
    size_t room = wanted > NPY_BYTES ? wanted : NPY_BYTES;
    unsigned char *grown = realloc(*data, room);

    if (grown == NULL)
        return source_fail_memory(source);
    *data = grown;
    while (*size < wanted) {
        ssize_t got = content_read_start(content, *data, *size, room);
        if (got < 0)
            return -1;
        /* A look at a plain file does not say why it failed. */
        if (got == 0 && content_has_ranges(content) &&
            source->first + (off_t)*size < source->size) {
            if (source_read_at(source, *data + *size, 1,
                               source->first + (off_t)*size,
                               &source->error) < 0)
                return -1;
            got = 1;
        }
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return 0;
}

/* Returns a text on data that start with the SIZE bytes at DATA, not as a .npy
   file. */
static const char *
what_is_no_npy(const unsigned char *data, size_t size)
{
    static const char zip[] = {'P', 'K', 3, 4};

    if (size == 0)
        return "the input is empty";
    if (size >= sizeof zip && memcmp(data, zip, sizeof zip) == 0)
        return "a zip archive, like .npz (--members counts its arrays)";
    return size < NPY_HEADER_START_BYTES ? "it is too short"
                                         : "no magic string";
}

/* As start_read_npy(), with the content's first *SIZE bytes in *DATA. */
static int
read_npy(struct content *content, unsigned char **data, size_t *size,
         struct npy_header *header, uint64_t *bytes)
{
    struct npy_fault fault;

    if (read_to(content, data, size, NPY_HEADER_START_BYTES) < 0)
        return -1;
    *bytes = npy_header_bytes(*data, *size);
    if (*bytes == 0)
        return fail_npy(content, 0, "not a .npy file",
                        what_is_no_npy(*data, *size));
    if (*bytes > NPY_HEADER_BYTES_MAX)
        return fail_npy(content, 8, "bad .npy header",
                        "it is longer than a mebibyte");
    if (read_to(content, data, size, (size_t)*bytes) < 0)
        return -1;
    if (*size < *bytes)
        return fail_npy(content, *size, "bad .npy header", "it is cut off");
    if (npy_header_parse(header, *data, (size_t)*bytes, &fault) < 0)
        return fail_npy(content, fault.offset, "bad .npy header", fault.text);
    return 0;
}

int
start_read_npy(struct content *content, struct npy_header *header)
{
    unsigned char *data = NULL;
    size_t size = 0;
    uint64_t bytes = 0;

    *header = (struct npy_header){0};
    if (content->array.code != NULL)
        return npy_header_make(header, &content->array) < 0
                   ? source_fail_memory(&content->source)
                   : content_expect(content, header->bytes);
    if (read_npy(content, &data, &size, header, &bytes) < 0) {
        free(data);
        return -1;
    }
    return content_end_start(content, data, size, (size_t)bytes) < 0
               ? -1
               : content_expect(content, header->bytes);
}

int
start_compare_npy(struct content *content, const struct reading *reading,
                  const struct npy_header *header)
{
    const struct npy_header *first = reading->npy;
    char difference[640];

    if (first == NULL ||
        npy_header_is_equal(header, first, difference, sizeof difference))
        return 0;
    error_set(&content->source.error, EXIT_DATA, "%s: %s in %s%s",
              content->source.display_name, difference, first->input,
              reading->members != NULL && reading->arrays == NULL
                  ? " (--array=NAME selects arrays)"
                  : "");
    return -1;
}

/* ---- images ---- */

int
start_compare_image(struct content *content, const struct reading *reading,
                    const struct image_format *format)
{
    const struct image_format *first = &reading->format;

    if (format->channels == first->channels && format->maxval == first->maxval)
        return 0;
    error_set(&content->source.error, EXIT_DATA,
              "%s: has %u channel%s and maxval %u, but the first image has %u "
              "and %u",
              content->source.display_name, format->channels,
              format->channels == 1 ? "" : "s", format->maxval, first->channels,
              first->maxval);
    return -1;
}
