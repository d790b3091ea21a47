/* text_start.c -- the start of an input of text, before its first record */

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/visible.h"
#include "input/content/text_start.h"
#include "text/csv_cut.h"

/* The bytes that are read first. */
#define READ_BYTES ((size_t)4096)

/* If the first record of CSV does not start, or has no delimiter, in this many
   bytes, it is taken to have one field. */
#define COLUMNS_BYTES ((size_t)64 << 10)

/* The first bytes of a content. */
struct start {
    unsigned char *data; /* SIZE of ROOM bytes, owned */
    size_t size;
    size_t room;
    bool has_ended;    /* there are no more */
    size_t end;        /* offset of the first record after the header */
    uint64_t comments; /* before it, with blank records of CSV ... */
    uint64_t blanks;   /* ... which are these */
};

/* Read some more bytes, up to MOST in all.  Returns how many, which is 0 only
   at the end; or -1. */
static ssize_t
read_more(struct start *start, struct content *content, size_t most)
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

/* Returns the bytes of the byte order mark that the data begin with, or 0. */
static size_t
mark_bytes(const struct start *start)
{
    return start->size >= UTF8_MARK_BYTES &&
                   memcmp(start->data, UTF8_MARK, UTF8_MARK_BYTES) == 0
               ? UTF8_MARK_BYTES
               : 0;
}

/* Whether RECORD of the data has an end, not that of the data. */
static bool
is_ended(const struct start *start, const struct text_format *format,
         const struct text_record *record)
{
    return record->next > record->end &&
           start->data[record->next - 1] == format->end;
}

/*
 * Find the header in the bytes so far.  Returns 1 and sets *RECORD to it; or 0:
 * there is none, or more bytes are needed; or -1 with the source's error set.
 */
static int
find_header(struct start *start, struct content *content,
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
            csv_cut_is_open(format, start->data + record->begin,
                            start->size - record->begin, &quote)) {
            error_set(&content->source.error, EXIT_DATA,
                      "%s: the quote at byte %zu has no end",
                      content->source.display_name, record->begin + quote);
            return -1;
        }
        start->end = record->next;
        if (!record->is_comment)
            return 1;
        start->comments++;
        start->blanks +=
            format->comment < 0 ||
            start->data[record->begin] != (unsigned int)format->comment;
    }
    return 0;
}

/* As text_start_read(), for content with a header. */
static int
read_header(struct start *start, struct content *content,
            const struct reading *reading, struct text_header *header)
{
    struct text_record record;
    size_t most = READ_BYTES;

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
        /* A pipe gives what it has; this may be enough. */
        ssize_t got = read_more(start, content, most);
        if (got < 0)
            return -1;
        /* Do not look at a long header each time that a pipe gives some. */
        if (got > 0 && memchr(start->data + start->size - got,
                              (int)reading->text->end, (size_t)got) == NULL)
            continue;
        int found = find_header(start, content, reading->text, &record);
        if (found < 0 || (found == 0 && start->has_ended))
            return found;
        content->has_header = found > 0;
        if (found > 0)
            return text_header_make(header, reading->text, start->data,
                                    &record) < 0
                       ? source_fail_memory(&content->source)
                       : 0;
    }
}

/* Returns how many fields RECORD of the data has. */
static size_t
count_fields(const struct start *start, const struct text_format *format,
             const struct text_record *record)
{
    struct text_slice slice;
    binning_u32 at = record->begin;
    size_t count = 0;

    while (fields_next(format, start->data, record->end, &at, &slice))
        count++;
    return count;
}

/*
 * As text_start_read(), for CSV without a header: find out how many columns it
 * has.  Only comments are left out, if there is nothing else.
 */
static int
read_columns(struct start *start, struct content *content,
             const struct text_format *format)
{
    struct text_record record;
    size_t most = READ_BYTES;
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
                      found > 0 ? record.begin : (binning_u32)start->end,
                      &record) != 0;
    content->columns =
        has_record ? count_fields(start, format, &record) : (size_t)1;
    start->comments = 0;
    start->end = mark_bytes(start);
    return 0;
}

/* Leave out a byte order mark before the first record. */
static int
skip_mark(struct start *start, struct content *content)
{
    /* Comments before it should not be read in tiny pieces. */
    size_t most = content->comments.is_on ? READ_BYTES : UTF8_MARK_BYTES;

    while (start->size < UTF8_MARK_BYTES && !start->has_ended) {
        if (read_more(start, content, most) < 0)
            return -1;
    }
    start->end = mark_bytes(start);
    return 0;
}

int
text_start_read(struct content *content, const struct reading *reading,
                struct text_header *header)
{
    struct start start = {0};

    *header = (struct text_header){0};
    atomic_store(&content->line_ends,
                 reading->text->end == '\n' ? LINE_ENDS_NONE : LINE_ENDS_ANY);
    int result = reading->has_header
                     ? read_header(&start, content, reading, header)
                 : reading->finds_columns && reading->columns == 0
                     ? read_columns(&start, content, reading->text)
                     : skip_mark(&start, content);
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
text_start_compare(struct content *content, const struct reading *reading,
                   const struct text_header *header)
{
    const struct text_header *first = reading->header;
    struct source *source = &content->source;
    char shown[VISIBLE_BYTES];
    char other[VISIBLE_BYTES];
    size_t at;

    if (first == NULL || !content->has_header ||
        text_header_is_equal(header, first, &at))
        return 0;
    if (at < header->count && at < first->count)
        error_set(
            &source->error, EXIT_DATA,
            "%s: field %zu of the header is '%s', but '%s' in %s",
            source->display_name, at + 1,
            visible_name(shown, header->name[at].bytes, header->name[at].size),
            visible_name(other, first->name[at].bytes, first->name[at].size),
            first->input);
    else
        error_set(&source->error, EXIT_DATA,
                  "%s: the header has %zu field%s, but %zu in %s",
                  source->display_name, header->count,
                  header->count == 1 ? "" : "s", first->count, first->input);
    return -1;
}
