/* SPDX-License-Identifier: MIT */
/* text_header.c -- the names of fields, from the start of an input */

#include <stdlib.h>
#include <string.h>

#include "text/field_value.h"
#include "text/text_header.h"

/* Make room for one more name: for twice as many when the count is a power of
   two.  Returns 0, or -1: out of memory. */
static int
make_room(struct text_header *header)
{
    size_t count = header->count;
    struct text_name *grown;

    if ((count & (count - 1)) != 0)
        return 0;
    grown = realloc(header->name, (count > 0 ? 2 * count : 1) * sizeof *grown);
    if (grown == NULL)
        return -1;
    header->name = grown;
    return 0;
}

/* Returns 0, or -1: out of memory. */
static int
add_name(struct text_header *header, const struct text_format *format,
         const unsigned char *data, struct text_slice slice)
{
    if (make_room(header) < 0)
        return -1;
    unsigned char *bytes = malloc(slice.size + (size_t)1);
    if (bytes == NULL)
        return -1;
    size_t size = slice.size;
    if (text_type_of(format->kind)->values == TEXT_VALUES_CSV &&
        text_is_quoted(data, slice))
        size = text_unquote(data, slice, bytes);
    else
        memcpy(bytes, data + slice.at, size);
    header->name[header->count++] = (struct text_name){bytes, size};
    return 0;
}

int
text_header_make(struct text_header *header, const struct text_format *format,
                 const unsigned char *data, const struct text_record *record)
{
    struct text_slice slice;
    binning_u32 at = record->start;

    *header = (struct text_header){0};
    while (fields_next(format, data, record->end, &at, &slice)) {
        if (add_name(header, format, data, slice) < 0)
            return -1;
    }
    return 0;
}

/* The text of a comment after its mark and blanks. */
struct comment_text {
    binning_u32 at;
    binning_u32 end;
    binning_u32 names; /* after a directive; AT without one */
    bool has_colon;    /* of the directive */
};

/* Whether WORD is at AT of the data, which end at END, before a blank. */
static bool
has_word(const unsigned char *data, binning_u32 at, binning_u32 end,
         const char *word)
{
    size_t size = strlen(word);

    return end - at > size && memcmp(data + at, word, size) == 0 &&
           fields_is_blank(data[at + size]);
}

/* Returns where bytes other than spaces start. */
static binning_u32
skip_spaces(const unsigned char *data, binning_u32 at, binning_u32 end)
{
    while (at < end && data[at] == ' ')
        at++;
    return at;
}

static struct comment_text
read_comment(const struct text_format *format, const unsigned char *data,
             const struct text_record *record)
{
    struct comment_text text = {.end = record->end};

    if (text.end > record->start && data[text.end - 1] == '\r')
        text.end--;
    text.at = record->start + 1 + format->comment_more;
    if (text.at > text.end) /* the mark ends with the carriage return */
        text.at = text.end;
    text.at = skip_spaces(data, text.at, text.end);
    text.names = text.at;
    text.has_colon = has_word(data, text.at, text.end, "Fields:");
    if (!text.has_colon && !has_word(data, text.at, text.end, "fields"))
        return text;
    binning_u32 blank = text.at + (text.has_colon ? 7 : 6);
    /* A tab separates the word from the first name, which may be empty. */
    text.names =
        data[blank] == ' ' ? skip_spaces(data, blank, text.end) : blank + 1;
    return text;
}

bool
text_header_is_directive(const struct text_format *format,
                         const unsigned char *data,
                         const struct text_record *record)
{
    struct comment_text text = read_comment(format, data, record);

    return text.names > text.at && text.names < text.end;
}

/* Set header->format.  Returns 0, or -1: out of memory. */
static int
set_format(struct text_header *header)
{
    size_t size = sizeof "w3c";

    for (size_t i = 0; i < header->count; i++)
        size += header->name[i].size + 1;
    header->format = malloc(size);
    if (header->format == NULL)
        return -1;
    char *to = stpcpy(header->format, "w3c");
    for (size_t i = 0; i < header->count; i++) {
        *to++ = ' ';
        to = mempcpy(to, header->name[i].bytes, header->name[i].size);
    }
    *to = '\0';
    return 0;
}

int
text_header_make_comment(struct text_header *header,
                         const struct text_format *format,
                         const unsigned char *data,
                         const struct text_record *record)
{
    struct comment_text text = read_comment(format, data, record);
    struct text_record names = {.start = text.names, .end = text.end};
    struct text_format blanks = text_format_of(TEXT_WHITESPACE);
    bool is_log = text_type_of(format->kind)->names == TEXT_NAMES_PATTERN;

    bool has_names = text.names < text.end;
    if (!has_names)
        names.start = text.at; /* the word is a name */
    bool has_blanks =
        is_log || (has_names && text.has_colon &&
                   memchr(data + names.start, (int)format->delimiter,
                          names.end - names.start) == NULL);
    int result =
        text_header_make(header, has_blanks ? &blanks : format, data, &names);
    header->is_of_comment = true;
    return result == 0 && is_log ? set_format(header) : result;
}

bool
text_header_is_equal(const struct text_header *a, const struct text_header *b,
                     size_t *at)
{
    size_t i = 0;

    while (i < a->count && i < b->count && a->name[i].size == b->name[i].size &&
           memcmp(a->name[i].bytes, b->name[i].bytes, a->name[i].size) == 0)
        i++;
    *at = i;
    return i == a->count && i == b->count;
}

size_t
text_header_find(const struct text_header *header, const char *name,
                 binning_u32 *number)
{
    size_t size = strlen(name);
    size_t found = 0;

    for (size_t i = 0; i < header->count; i++) {
        if (header->name[i].size == size &&
            memcmp(header->name[i].bytes, name, size) == 0) {
            *number = (binning_u32)i + 1;
            found++;
        }
    }
    return found;
}

void
text_header_close(struct text_header *header)
{
    for (size_t i = 0; i < header->count; i++)
        free(header->name[i].bytes);
    free(header->name);
    free(header->format);
    *header = (struct text_header){0};
}
