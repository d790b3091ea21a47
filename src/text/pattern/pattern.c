/* SPDX-License-Identifier: MIT */
/* pattern.c -- the text of a line with names in it */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "text/pattern/pattern.h"

/* The part of a pattern that was read. */
struct pattern_reader {
    struct pattern *pattern;
    const struct pattern_known *known; /* or NULL */
    enum spelling spelling;
    char *text;  /* SIZE bytes: what follows the last name */
    size_t size; /* TEXT has room for all of the pattern, and brackets */
    struct error *error;
};

static int
fail_memory(const struct pattern_reader *reader)
{
    return error_fail_memory(reader->error);
}

/* ---- times ---- */

/* A conversion of strftime(3) that gives blanks or marks, and what it gives. */
static const char *const conversions[][2] = {
    {"%c", "Sat Nov 28 06:41:12 2026"},
    {"%D", "11/28/26"},
    {"%F", "2026-11-28"},
    {"%r", "06:41:12 AM"},
    {"%R", "06:41"},
    {"%T", "06:41:12"},
    {"%x", "11/28/26"},
    {"%X", "06:41:12"},
};

/* Returns how often the text AFTER of FIELD is in SIZE bytes at SAMPLE, one
   after the other. */
static size_t
count_in(const struct pattern_field *field, const char *sample, size_t size)
{
    size_t count = 0;
    const char *at = field->after_size > 0
                         ? memmem(sample, size, field->after, field->after_size)
                         : NULL;

    while (at != NULL) {
        const char *next = at + field->after_size;
        count++;
        size -= (size_t)(next - sample);
        sample = next;
        at = memmem(sample, size, field->after, field->after_size);
    }
    return count;
}

/* Returns the same in a time that the SIZE bytes at FORMAT make. */
static size_t
count_in_time(const struct pattern_field *field, const char *format,
              size_t size)
{
    /* A conversion of two bytes makes 24 at most. */
    char *sample = malloc(12 * size + 1);
    char *to = sample;
    size_t count = 0;

    for (size_t i = 0; sample != NULL && i < size;) {
        const char *made = NULL;
        for (size_t c = 0; c < sizeof conversions / sizeof *conversions; c++) {
            if (size - i > 1 && memcmp(conversions[c][0], format + i, 2) == 0)
                made = conversions[c][1];
        }
        if (made == NULL) {
            *to++ = format[i++];
            continue;
        }
        to = stpcpy(to, made);
        i += 2;
    }
    if (sample != NULL)
        count = count_in(field, sample, (size_t)(to - sample));
    free(sample);
    return count;
}

/* ---- texts between names ---- */

/* Returns the reason, which the caller frees, if the text AFTER, of SIZE bytes,
   does not follow SPELLED; NULL: out of memory. */
static char *
make_reason(const char *after, size_t size, const char *spelled)
{
    char text[VISIBLE_BYTES];
    char *reason = NULL;
    int result;

    if (spelled == NULL)
        result = asprintf(&reason, "is no start of the pattern: '%s'",
                          visible_name(text, after, size));
    else
        result = asprintf(&reason, "lacks '%s' after %s",
                          visible_name(text, after, size), spelled);
    return result < 0 ? NULL : reason;
}

/* Set the text after the last name, or before the first one, to what has been
   read.  Returns 0, or -1 with the error set. */
static int
close_text(struct pattern_reader *reader)
{
    struct pattern *pattern = reader->pattern;
    size_t size = reader->size;
    char *text = malloc(size + 1);

    if (text == NULL)
        return fail_memory(reader);
    memcpy(text, reader->text, size);
    text[size] = '\0';
    reader->size = 0;
    if (pattern->count == 0) {
        pattern->before = text;
        pattern->before_size = size;
        pattern->lacks = make_reason(text, size, NULL);
        return pattern->lacks != NULL ? 0 : fail_memory(reader);
    }
    struct pattern_field *field = &pattern->field[pattern->count - 1];
    const struct pattern_field *last = field - 1;
    size_t before_size =
        pattern->count > 1 ? last->after_size : pattern->before_size;
    const char *before = pattern->count > 1 ? last->after : pattern->before;
    field->after = text;
    field->after_size = size;
    field->is_quoted = before_size > 0 && before[before_size - 1] == '"' &&
                       size > 0 && *text == '"';
    field->lacks = make_reason(text, size, field->spelled);
    if (field->known != NULL && field->known->is_format)
        field->inside = count_in_time(field, field->own, strlen(field->own));
    else if (field->known != NULL && field->known->sample != NULL)
        field->inside =
            count_in(field, field->known->sample, strlen(field->known->sample));
    return field->lacks != NULL ? 0 : fail_memory(reader);
}

/* ---- names ---- */

/* Returns the row of NAME, whose field is OWN; NULL: the name is unknown. */
static const struct pattern_known *
find_known(const struct pattern_reader *reader, const struct spelled_name *name,
           const char *own)
{
    const struct pattern_known *row = reader->known;

    if (row == NULL)
        return server_name_known(reader->spelling, name);
    while (row->own != NULL && strcmp(row->own, own) != 0)
        row++;
    return row->own != NULL ? row : NULL;
}

/* Set the error: NAME follows another name at once, or is there twice, or is
   one of too many.  Returns -1. */
static int
fail_name(const struct pattern_reader *reader, const struct spelled_name *name,
          const char *what)
{
    char shown[VISIBLE_BYTES];

    error_set(reader->error, EXIT_USAGE, "--log-format: '%s' %s",
              visible_name(shown, name->text, name->length), what);
    return -1;
}

/* Check that NAME may be the next one. */
static int
check_name(const struct pattern_reader *reader, const struct spelled_name *name)
{
    const struct pattern *pattern = reader->pattern;

    if (pattern->count == PATTERN_FIELDS_MAX)
        return fail_name(reader, name, "is one of more than 256 names");
    if (pattern->count > 0 && reader->size == 0)
        return fail_name(reader, name,
                         "follows another name at once: where a value ends, "
                         "text must be between them");
    return 0;
}

/* Append FIELD, which owns nothing yet, of NAME.  Returns 0, or -1 with the
   error set. */
static int
append_field(struct pattern_reader *reader, struct pattern_field *field,
             const struct spelled_name *name)
{
    struct pattern *pattern = reader->pattern;
    size_t count = pattern->count;
    struct pattern_field *all =
        realloc(pattern->field, (count + 1) * sizeof *all);

    if (all == NULL)
        return fail_memory(reader);
    pattern->field = all;
    bool has_own = reader->spelling != SPELLING_APACHE || name->is_braced;
    size_t padding = field->is_padded ? strlen("->") : 0;
    field->spelled = strndup(name->text, name->length);
    field->own = has_own ? strndup(name->own, name->own_length - padding)
                         : strndup(name->text, name->length);
    all[pattern->count++] = *field;
    if (field->spelled == NULL || field->own == NULL)
        return fail_memory(reader);
    field = &all[count];
    field->is_left_out = *field->own == '\0';
    field->known = find_known(reader, name, field->own);
    for (size_t i = 0; i < count; i++) {
        if (!field->is_left_out && strcmp(all[i].spelled, field->spelled) == 0)
            return fail_name(reader, name, "is in the pattern twice");
    }
    return 0;
}

/* The pattern goes on with NAME.  Returns 0, or -1 with the error set. */
static int
read_name(struct pattern_reader *reader, const struct spelled_name *name)
{
    struct pattern_field field = {0};
    bool has_brackets = reader->spelling == SPELLING_APACHE &&
                        name->letter == 't' && !name->is_braced;

    if (has_brackets)
        reader->text[reader->size++] = '[';
    field.is_padded = reader->spelling == SPELLING_DISSECT &&
                      name->own_length >= 2 &&
                      memcmp(name->own + name->own_length - 2, "->", 2) == 0;
    if (check_name(reader, name) < 0 || close_text(reader) < 0 ||
        append_field(reader, &field, name) < 0)
        return -1;
    if (has_brackets)
        reader->text[reader->size++] = ']';
    return 0;
}

/* Read TEXT.  Returns 0, or -1 with the error set. */
static int
read_all(struct pattern_reader *reader, const char *text)
{
    struct spelled_name name;

    while (*text != '\0') {
        if (spelling_read(reader->spelling, text, &name)) {
            if (read_name(reader, &name) < 0)
                return -1;
            text += name.length;
            continue;
        }
        bool is_pair =
            (text[0] == '\\' && (text[1] == '"' || text[1] == '\\')) ||
            (text[0] == '%' && text[1] == '%' &&
             reader->spelling == SPELLING_APACHE);
        text += is_pair;
        reader->text[reader->size++] = *text++;
    }
    return close_text(reader);
}

int
pattern_parse(struct pattern *pattern, const struct pattern_known *known,
              const char *text, struct error *error)
{
    struct pattern_reader reader = {
        .pattern = pattern, .known = known, .error = error};

    *pattern = (struct pattern){0};
    if (strchr(text, '\n') != NULL) {
        error_set(error, EXIT_USAGE,
                  "--log-format: the pattern has a line feed: it is one line");
        return -1;
    }
    if (spelling_find(text, &reader.spelling, error) < 0)
        return -1;
    reader.text = malloc(2 * strlen(text) + 1);
    if (reader.text == NULL)
        return fail_memory(&reader);
    int result = read_all(&reader, text);
    free(reader.text);
    return result;
}

void
pattern_close(struct pattern *pattern)
{
    for (size_t i = 0; i < pattern->count; i++) {
        free(pattern->field[i].spelled);
        free(pattern->field[i].own);
        free(pattern->field[i].after);
        free(pattern->field[i].lacks);
    }
    free(pattern->field);
    free(pattern->before);
    free(pattern->lacks);
    *pattern = (struct pattern){0};
}
