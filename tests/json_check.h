/* SPDX-License-Identifier: MIT */
/*
 * json_check.h -- the forms of a scan of JSON against a simple reader
 *
 * The reader is another one than that of src/: it calls itself, reads a line
 * once for each path, and keeps values as bytes.
 */

#ifndef GPUHIST_JSON_CHECK_H
#define GPUHIST_JSON_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plain_check.h"
#include "text/field_value.h"
#include "text/scan.h"
#include "text/scan_forms.h"

static const struct {
    const char *name;
    json_form *run;
    bool (*is_possible)(void); /* NULL: anywhere */
} json_check_forms[] = {
    {"portable", json_scan_portable, NULL},
#ifdef SCAN_HAS_AVX2
    {"AVX2", json_scan_avx2, scan_avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", json_scan_avx512, scan_avx512_is_possible},
#endif
};
#define JSON_CHECK_FORMS (sizeof json_check_forms / sizeof *json_check_forms)

/* ---- the simple reader ---- */

#define JSON_CHECK_STEPS 4

/* A path, and its steps: names, or "#N" for an element. */
struct json_check_path {
    const char *text;
    const char *step[JSON_CHECK_STEPS]; /* then NULL */
};

/* Those that are looked for. */
static const struct json_check_path json_check_paths[] = {
    {"a", {"a"}},
    {"a.b", {"a", "b"}},
    {"c[1]", {"c", "#1"}},
    {"c[0].a", {"c", "#0", "a"}},
    {"[\"x.\\\"y\"]", {"x.\"y"}},
    {"long name of a member", {"long name of a member"}},
    {"a.b[2]", {"a", "b", "#2"}},
};
#define JSON_CHECK_PATHS (sizeof json_check_paths / sizeof *json_check_paths)

struct json_value {
    bool is_there;
    unsigned char *bytes; /* room for the line */
    size_t size;
};

struct json_reader {
    const unsigned char *at;
    const unsigned char *end;
    struct json_value *value; /* of the path */
    unsigned char *name;      /* room for the line */
};

static inline void
json_reader_blanks(struct json_reader *reader)
{
    while (reader->at < reader->end &&
           memchr(" \t\r\n", *reader->at, 4) != NULL)
        reader->at++;
}

static inline bool
json_reader_take(struct json_reader *reader, char byte)
{
    if (reader->at == reader->end || *reader->at != (unsigned char)byte)
        return false;
    reader->at++;
    return true;
}

static inline long
json_reader_hex(const unsigned char *at, const unsigned char *end)
{
    char text[5] = "";

    if (end - at < 4)
        return -1;
    memcpy(text, at, 4);
    return strspn(text, "0123456789abcdefABCDEF") == 4 ? strtol(text, NULL, 16)
                                                       : -1;
}

static inline size_t
json_reader_put(unsigned char *to, unsigned long code)
{
    if (code < 0x80) {
        to[0] = (unsigned char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (unsigned char)(0xc0 + code / 64);
        to[1] = (unsigned char)(0x80 + code % 64);
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (unsigned char)(0xe0 + code / 4096);
        to[1] = (unsigned char)(0x80 + code / 64 % 64);
        to[2] = (unsigned char)(0x80 + code % 64);
        return 3;
    }
    to[0] = (unsigned char)(0xf0 + code / 262144);
    to[1] = (unsigned char)(0x80 + code / 4096 % 64);
    to[2] = (unsigned char)(0x80 + code / 64 % 64);
    to[3] = (unsigned char)(0x80 + code % 64);
    return 4;
}

/* Reads one character that is no ASCII: decodes it, and compares what it
   encodes to. */
static inline bool
json_reader_character(struct json_reader *reader)
{
    unsigned char again[4];
    size_t bytes = *reader->at >= 0xf0 ? 4 : *reader->at >= 0xe0 ? 3 : 2;
    unsigned long code = *reader->at & (0xffu >> (bytes + 1));

    if ((size_t)(reader->end - reader->at) < bytes)
        return false;
    for (size_t i = 1; i < bytes; i++)
        code = code * 64 + (reader->at[i] & 63u);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ||
        json_reader_put(again, code) != bytes ||
        memcmp(again, reader->at, bytes) != 0)
        return false;
    reader->at += bytes;
    return true;
}

/* Read a string to TO. */
static inline bool
json_reader_string(struct json_reader *reader, unsigned char *to, size_t *size)
{
    static const char escapes[] = "\"\\/bfnrt";
    static const char values[] = "\"\\/\b\f\n\r\t";

    *size = 0;
    if (!json_reader_take(reader, '"'))
        return false;
    while (reader->at < reader->end && *reader->at != '"') {
        const unsigned char *from = reader->at;
        if (*from < 0x20)
            return false;
        if (*from >= 0x80) {
            if (!json_reader_character(reader))
                return false;
            memcpy(to + *size, from, (size_t)(reader->at - from));
            *size += (size_t)(reader->at - from);
            continue;
        }
        reader->at++;
        if (*from != '\\') {
            to[(*size)++] = *from;
            continue;
        }
        if (reader->at == reader->end || *reader->at == '\0')
            return false;
        const char *escape = strchr(escapes, *reader->at);
        if (escape != NULL) {
            to[(*size)++] = (unsigned char)values[escape - escapes];
            reader->at++;
            continue;
        }
        if (!json_reader_take(reader, 'u'))
            return false;
        long high = json_reader_hex(reader->at, reader->end);
        if (high < 0)
            return false;
        reader->at += 4;
        unsigned long code = (unsigned long)high;
        if (high >= 0xd800 && high <= 0xdbff && reader->end - reader->at >= 6 &&
            memcmp(reader->at, "\\u", 2) == 0) {
            long low = json_reader_hex(reader->at + 2, reader->end);
            if (low >= 0xdc00 && low <= 0xdfff) {
                code = 0x10000 + (unsigned long)(high - 0xd800) * 1024 +
                       (unsigned long)(low - 0xdc00);
                reader->at += 6;
            }
        }
        if (code >= 0xd800 && code <= 0xdfff)
            code = 0xfffd;
        *size += json_reader_put(to + *size, code);
    }
    return json_reader_take(reader, '"');
}

static inline size_t
json_reader_digits(struct json_reader *reader)
{
    size_t count = 0;

    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9';
         reader->at++)
        count++;
    return count;
}

static inline bool
json_reader_scalar(struct json_reader *reader)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t left = (size_t)(reader->end - reader->at);

    for (size_t i = 0; i < 3; i++) {
        size_t size = strlen(words[i]);
        if (left >= size && memcmp(reader->at, words[i], size) == 0) {
            reader->at += size;
            return true;
        }
    }
    (void)json_reader_take(reader, '-');
    if (!json_reader_take(reader, '0') && json_reader_digits(reader) == 0)
        return false;
    if (json_reader_take(reader, '.') && json_reader_digits(reader) == 0)
        return false;
    if (json_reader_take(reader, 'e') || json_reader_take(reader, 'E')) {
        if (!json_reader_take(reader, '+'))
            (void)json_reader_take(reader, '-');
        return json_reader_digits(reader) > 0;
    }
    return true;
}

/* Read a value.  STEP: the rest of the path that leads here; NULL: it does
   not. */
static inline bool
json_reader_value(struct json_reader *reader, const char *const *step)
{
    const unsigned char *start = reader->at;
    bool is_wanted = step != NULL && *step == NULL;
    size_t size;

    if (start == reader->end)
        return false;
    if (*start == '"') {
        if (!json_reader_string(reader, reader->name, &size))
            return false;
        if (is_wanted) {
            memcpy(reader->value->bytes, reader->name, size);
            reader->value->size = size;
            reader->value->is_there = true;
        }
        return true;
    }
    if (*start == '{' || *start == '[') {
        bool is_array = *start == '[';
        char close = is_array ? ']' : '}';
        size_t index = 0;
        reader->at++;
        json_reader_blanks(reader);
        bool has_more = !json_reader_take(reader, close);
        while (has_more) {
            const char *const *inner = NULL;
            if (is_array) {
                if (step != NULL && *step != NULL && **step == '#' &&
                    strtoul(*step + 1, NULL, 10) == index)
                    inner = step + 1;
                index++;
            } else {
                if (!json_reader_string(reader, reader->name, &size))
                    return false;
                if (step != NULL && *step != NULL && **step != '#' &&
                    strlen(*step) == size &&
                    memcmp(*step, reader->name, size) == 0) {
                    inner = step + 1;
                    reader->value->is_there = false;
                }
                json_reader_blanks(reader);
                if (!json_reader_take(reader, ':'))
                    return false;
                json_reader_blanks(reader);
            }
            if (!json_reader_value(reader, inner))
                return false;
            json_reader_blanks(reader);
            has_more = json_reader_take(reader, ',');
            if (has_more)
                json_reader_blanks(reader);
            else if (!json_reader_take(reader, close))
                return false;
        }
    } else if (!json_reader_scalar(reader)) {
        return false;
    }
    if (is_wanted) {
        reader->value->size = (size_t)(reader->at - start);
        memcpy(reader->value->bytes, start, reader->value->size);
        reader->value->is_there = true;
    }
    return true;
}

/* Read the value at PATH of the SIZE bytes of a line.  Returns whether the line
   is an object of JSON. */
static inline bool
json_reader_line(const unsigned char *line, size_t size,
                 const struct json_check_path *path, struct json_value *value,
                 unsigned char *name)
{
    struct json_reader reader = {line, line + size, value, name};

    value->is_there = false;
    json_reader_blanks(&reader);
    if (reader.at == reader.end || *reader.at != '{' ||
        !json_reader_value(&reader, path->step))
        return false;
    json_reader_blanks(&reader);
    return reader.at == reader.end;
}

/* ---- the check ---- */

struct json_check {
    struct scan scan; /* for all paths */
    const char *wrong;
    void *kept[JSON_CHECK_FORMS]; /* by scans of each form */
};

static inline void
json_check_open(struct json_check *check, bool counts_invalid, int comment)
{
    struct text_format format = text_format_of(TEXT_JSON);
    struct error error = ERROR_NONE;
    struct field_list list = {0};

    format.counts_invalid = counts_invalid;
    format.comment = comment;
    check->wrong = NULL;
    for (size_t i = 0; i < JSON_CHECK_PATHS; i++) {
        if (field_list_add(&list, &format, "fields", json_check_paths[i].text,
                           &error) < 0)
            abort();
    }
    if (scan_open(&check->scan, &format, &list, &error) < 0)
        abort();
    field_list_close(&list);
    for (size_t f = 0; f < JSON_CHECK_FORMS; f++) {
        check->kept[f] = calloc(1, JSON_KEPT_BYTES);
        if (check->kept[f] == NULL)
            abort();
    }
}

static inline bool
json_check_fail(struct json_check *check, const char *wrong)
{
    check->wrong = wrong;
    return false;
}

/* Whether SLICE is what VALUE says. */
static inline bool
json_check_slice(const struct json_check *check, const unsigned char *data,
                 struct text_slice slice, const struct json_value *value,
                 unsigned char *written)
{
    const unsigned char *text = data + slice.at;
    size_t size = slice.size;

    if (text_slice_is_missing(slice) || !value->is_there)
        return text_slice_bits(slice) == text_slice_bits(TEXT_SLICE_NONE) &&
               !value->is_there;
    if (field_value_is_written(&check->scan.format, TEXT_PART_MEMBER, data,
                               slice)) {
        size = field_value_write(&check->scan.format, TEXT_PART_MEMBER, data,
                                 slice, written);
        text = written;
    }
    return size == value->size && memcmp(text, value->bytes, size) == 0;
}

/*
 * Compare what one form makes of the next records: it has found RECORDS of
 * SLICE in the data from *AT on, and is at DONE.  Moves *AT.  If it keeps
 * something, it may stop before the end.
 */
static inline bool
json_check_records(struct json_check *check, const unsigned char *data,
                   size_t size, size_t *at, size_t done,
                   const struct text_slice *slice, size_t records,
                   const struct scan_ledger *ledger, size_t records_max,
                   unsigned char *room)
{
    const struct text_format *format = &check->scan.format;
    struct json_value value = {.bytes = room};
    uint64_t comments = 0;
    size_t found = 0;
    size_t most =
        ledger->kept != NULL && ledger->wrong.reason == NULL ? done : size;

    while (*at < most && found < records_max) {
        const unsigned char *line = data + *at;
        const unsigned char *end = memchr(line, '\n', size - *at);
        size_t bytes = end != NULL ? (size_t)(end - line) : size - *at;
        size_t next = *at + bytes + (end != NULL);
        size_t blanks = 0;
        bool is_valid = true;

        while (blanks < bytes && memchr(" \t\r", line[blanks], 3) != NULL)
            blanks++;
        if (bytes > 0 && line[0] == format->comment) {
            comments++;
        } else if (blanks < bytes) {
            for (size_t i = 0; i < JSON_CHECK_PATHS; i++) {
                is_valid = json_reader_line(line, bytes, &json_check_paths[i],
                                            &value, room + bytes);
                if (!is_valid)
                    break;
                if (found == records)
                    return json_check_fail(check, "a line is not found");
                if (!json_check_slice(check, data,
                                      slice[found * JSON_CHECK_PATHS + i],
                                      &value, room + bytes))
                    return json_check_fail(check, json_check_paths[i].text);
            }
            if (!is_valid && !format->counts_invalid)
                break;
            for (size_t i = 0; i < JSON_CHECK_PATHS && !is_valid; i++) {
                if (found == records ||
                    !text_slice_is_invalid(slice[found * JSON_CHECK_PATHS + i]))
                    return json_check_fail(check, "a wrong line is not");
            }
            found++;
        }
        *at = next;
    }
    bool is_wrong = *at < most && found < records_max;
    if (found != records || comments != ledger->comments)
        return json_check_fail(check, "the ledger");
    if ((ledger->wrong.reason != NULL) != is_wrong)
        return json_check_fail(check, is_wrong ? "a wrong line is passed"
                                               : "a line is not passed");
    /* Blanks may be left. */
    while (*at < done && memchr(" \t\r\n", data[*at], 4) != NULL)
        ++*at;
    if (*at < done)
        return json_check_fail(check, "where the scan is");
    *at = done;
    return true;
}

/* Scan the data with form F, which keeps something at KEPT, or nothing. */
static inline void
json_check_form(struct json_check *check, size_t f, void *kept,
                const unsigned char *data, size_t size, size_t records_max,
                struct text_slice *slice, unsigned char *room)
{
    size_t done = 0;
    size_t at = 0;
    bool is_wrong = false;

    check->scan.run_json = json_check_forms[f].run;
    while (done < size && !is_wrong && check->wrong == NULL) {
        struct scan_ledger ledger = {.kept = kept};
        size_t before = done;
        size_t records = scan_records(&check->scan, data, size, &done, slice,
                                      records_max, &ledger);
        is_wrong = ledger.wrong.reason != NULL;
        if (is_wrong &&
            (ledger.wrong.slice.at < done ||
             ledger.wrong.slice.at + ledger.wrong.slice.size > size))
            (void)json_check_fail(check, "where it is wrong");
        else if (!is_wrong && done == before)
            (void)json_check_fail(check, "the scan does not go on");
        else if (!plain_check(&check->scan.format, data, slice,
                              records * check->scan.wanted, ledger.are_plain))
            (void)json_check_fail(check, "which values are plain");
        else
            (void)json_check_records(check, data, size, &at, done, slice,
                                     records, &ledger, records_max, room);
    }
}

/*
 * Scan the data with each form, RECORDS_MAX records at a time.  Returns NULL,
 * or what is not as the simple reader has it.
 */
static inline const char *
json_check_data(struct json_check *check, const unsigned char *data,
                size_t size, size_t records_max)
{
    size_t most = size < records_max ? size : records_max;
    size_t bytes =
        (most + 1) * JSON_CHECK_PATHS * sizeof(struct text_slice) + 1;
    struct text_slice *slice = malloc(bytes);
    unsigned char *room = malloc(2 * size + 1);

    if (slice == NULL || room == NULL)
        abort();
    check->wrong = NULL;
    for (size_t f = 0; f < JSON_CHECK_FORMS && check->wrong == NULL; f++) {
        if (json_check_forms[f].is_possible != NULL &&
            !json_check_forms[f].is_possible())
            continue;
        json_check_form(check, f, NULL, data, size, records_max, slice, room);
        if (check->wrong == NULL)
            json_check_form(check, f, check->kept[f], data, size, records_max,
                            slice, room);
    }
    free(slice);
    free(room);
    return check->wrong;
}

static inline void
json_check_close(struct json_check *check)
{
    scan_close(&check->scan);
    for (size_t f = 0; f < JSON_CHECK_FORMS; f++)
        free(check->kept[f]);
}

#endif
