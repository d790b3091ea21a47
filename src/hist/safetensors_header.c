/* SPDX-License-Identifier: MIT */
/* safetensors_header.c -- the header of a safetensors file: its arrays */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/visible.h"
#include "hist/safetensors_header.h"
#include "text/json_text.h"

/* An array takes more bytes in the header than this, and in memory fewer. */
#define ARRAY_BYTES 48

_Static_assert(sizeof(struct safetensors_array) <= ARRAY_BYTES,
               "an array takes more memory than its header is long");

/* The types of safetensors; those without CODE are not counted. */
static const struct {
    const char *name;
    const char *code; /* of record_append() */
    unsigned int bits;
} types[] = {
    {"BOOL", "u1", 8},        {"U8", "u1", 8},      {"I8", "i1", 8},
    {"U16", "u2", 16},        {"I16", "i2", 16},    {"U32", "u4", 32},
    {"I32", "i4", 32},        {"U64", "u8", 64},    {"I64", "i8", 64},
    {"F16", "f2", 16},        {"BF16", "bf16", 16}, {"F32", "f4", 32},
    {"F64", "f8", 64},        {"C64", "f4", 64},    {"F8_E4M3", "f8e4m3", 8},
    {"F8_E5M2", "f8e5m2", 8}, {"F8_E8M0", NULL, 8}, {"F8_E4M3FNUZ", NULL, 8},
    {"F8_E5M2FNUZ", NULL, 8}, {"F6_E2M3", NULL, 6}, {"F6_E3M2", NULL, 6},
    {"F4", NULL, 4},
};

#define TYPES (sizeof types / sizeof *types)

struct header_parser {
    const unsigned char *data; /* SIZE bytes */
    uint32_t size;
    uint32_t at; /* the next byte */
    struct safetensors_header *header;
    size_t room;  /* arrays that HEADER has room for */
    size_t named; /* bytes of names */
    struct npy_fault *fault;
};

/* Set the fault to the text, at byte AT.  Returns -1. */
static __attribute__((format(printf, 3, 4))) int
fail(struct header_parser *parser, size_t at, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    (void)vsnprintf(parser->fault->text, sizeof parser->fault->text, format,
                    args);
    va_end(args);
    parser->fault->offset = at;
    return -1;
}

/* The same, of ARRAY, at its name. */
static __attribute__((format(printf, 3, 4))) int
fail_array(struct header_parser *parser, const struct safetensors_array *array,
           const char *format, ...)
{
    char shown[VISIBLE_BYTES];
    char text[sizeof parser->fault->text];
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    visible_name(shown, array->name, strlen(array->name));
    return fail(parser, array->at, "array '%s': %s", shown, text);
}

/* ---- tokens ---- */

/* Skip blanks.  Returns the next byte, or 0 at the end. */
static unsigned char
peek(struct header_parser *parser)
{
    while (parser->at < parser->size && json_is_blank(parser->data[parser->at]))
        parser->at++;
    return parser->at < parser->size ? parser->data[parser->at] : 0;
}

/* Skip blanks, and BYTE if it is next.  Returns whether BYTE was there. */
static bool
skip(struct header_parser *parser, unsigned char byte)
{
    if (peek(parser) != byte)
        return false;
    parser->at++;
    return true;
}

static int
expect(struct header_parser *parser, unsigned char byte)
{
    return skip(parser, byte)
               ? 0
               : fail(parser, parser->at, "'%c' is missing", byte);
}

/* After an item: skip a comma, or the END of the list.  Returns 1 after a
   comma; 0 after END; or -1: neither. */
static int
take_next(struct header_parser *parser, unsigned char end)
{
    if (skip(parser, ','))
        return 1;
    return expect(parser, end);
}

/* Whether the string from AT to END has half of a surrogate pair, which stands
   for no character. */
static bool
has_half(const unsigned char *data, uint32_t at, uint32_t end)
{
    bool is_high = false;

    while (at < end) {
        bool is_escape = data[at] == '\\';
        bool is_unit = is_escape && data[at + 1] == 'u' &&
                       (data[at + 2] | 0x20) == 'd' && data[at + 3] > '7';
        bool is_low = is_unit && strchr("89abAB", data[at + 3]) == NULL;
        if (is_high != is_low)
            return true;
        is_high = is_unit && !is_low;
        at += is_unit ? 6 : is_escape ? 2 : 1;
    }
    return is_high;
}

/* Take a string.  Sets *SLICE, with the quotes. */
static int
take_string(struct header_parser *parser, struct text_slice *slice)
{
    const char *wrong;

    if (peek(parser) != '"')
        return fail(parser, parser->at, "a string is missing");
    uint32_t end =
        json_string_end(parser->data, parser->at, parser->size, &wrong);
    if (wrong != NULL)
        return fail(parser, end, "what is here %s", wrong);
    if (has_half(parser->data, parser->at + 1, end - 1))
        return fail(parser, parser->at,
                    "a string has half of a surrogate pair");
    *slice = (struct text_slice){.at = parser->at, .size = end - parser->at};
    parser->at = end;
    return 0;
}

/* Whether SLICE, a string, is TEXT. */
static bool
is_text(const struct header_parser *parser, struct text_slice slice,
        const char *text)
{
    return json_text_is(parser->data, slice.at, slice.at + slice.size,
                        (const unsigned char *)text, strlen(text));
}

/* Take a whole number from 0 on. */
static int
take_number(struct header_parser *parser, uint64_t *number)
{
    const char *wrong;
    unsigned char first = peek(parser);
    uint32_t at = parser->at;

    *number = 0;
    if (!ascii_is_digit(first))
        return fail(parser, at, "a whole number from 0 on is missing");
    uint32_t end = json_scalar_end(parser->data, at, parser->size, &wrong);
    if (wrong != NULL)
        return fail(parser, end, "what is here %s", wrong);
    for (; at < end; at++) {
        unsigned char digit = parser->data[at];
        if (!ascii_is_digit(digit))
            return fail(parser, parser->at, "the number is not whole");
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, digit - (unsigned int)'0', number))
            return fail(parser, parser->at, "the number is too large");
    }
    parser->at = end;
    return 0;
}

/* ---- arrays ---- */

/* What the members of an array say. */
struct described {
    bool has_type, has_shape, has_offsets;
    uint64_t items; /* of the shape */
    uint64_t end;   /* the second offset */
};

static int
take_type(struct header_parser *parser, struct safetensors_array *array)
{
    struct text_slice slice;
    char shown[VISIBLE_BYTES];

    if (take_string(parser, &slice) < 0)
        return -1;
    for (unsigned int i = 0; i < TYPES; i++) {
        if (is_text(parser, slice, types[i].name)) {
            array->type = i;
            return 0;
        }
    }
    visible_name(shown, parser->data + slice.at + 1, slice.size - 2);
    return fail_array(parser, array, "the type '%s' is unknown", shown);
}

static int
take_shape(struct header_parser *parser, const struct safetensors_array *array,
           uint64_t *items)
{
    uint64_t size;
    int more;

    *items = 1;
    if (expect(parser, '[') < 0)
        return -1;
    if (skip(parser, ']'))
        return 0;
    do {
        if (take_number(parser, &size) < 0)
            return -1;
        if (__builtin_mul_overflow(*items, size, items))
            return fail_array(parser, array, "the shape has too many items");
        more = take_next(parser, ']');
    } while (more > 0);
    return more;
}

/* Take both offsets. */
static int
take_offsets(struct header_parser *parser, uint64_t *start, uint64_t *end)
{
    return expect(parser, '[') < 0 || take_number(parser, start) < 0 ||
                   expect(parser, ',') < 0 || take_number(parser, end) < 0 ||
                   expect(parser, ']') < 0
               ? -1
               : 0;
}

/* Take a member of ARRAY. */
static int
take_member(struct header_parser *parser, struct safetensors_array *array,
            struct described *described)
{
    struct text_slice key;
    char shown[VISIBLE_BYTES];

    if (take_string(parser, &key) < 0 || expect(parser, ':') < 0)
        return -1;
    bool *has = is_text(parser, key, "dtype")          ? &described->has_type
                : is_text(parser, key, "shape")        ? &described->has_shape
                : is_text(parser, key, "data_offsets") ? &described->has_offsets
                                                       : NULL;
    visible_name(shown, parser->data + key.at + 1, key.size - 2);
    if (has == NULL)
        return fail_array(parser, array, "the member '%s' is unknown", shown);
    if (*has)
        return fail_array(parser, array, "the member '%s' twice", shown);
    *has = true;
    if (has == &described->has_type)
        return take_type(parser, array);
    if (has == &described->has_shape)
        return take_shape(parser, array, &described->items);
    return take_offsets(parser, &array->start, &described->end);
}

/* Whether all members of ARRAY are there, and agree.  Returns 0, or -1. */
static int
check_members(struct header_parser *parser, struct safetensors_array *array,
              const struct described *described)
{
    uint64_t bits;
    const char *missing = !described->has_type      ? "dtype"
                          : !described->has_shape   ? "shape"
                          : !described->has_offsets ? "data_offsets"
                                                    : NULL;

    if (missing != NULL)
        return fail_array(parser, array, "no '%s'", missing);
    if (described->end < array->start)
        return fail_array(parser, array, "it ends before its start");
    array->bytes = described->end - array->start;
    if (__builtin_mul_overflow(described->items, types[array->type].bits,
                               &bits))
        return fail_array(parser, array, "the shape has too many items");
    if (bits % 8 != 0)
        return fail_array(parser, array, "it ends inside of a byte");
    if (bits / 8 != array->bytes)
        return fail_array(parser, array,
                          "its shape and type take %llu bytes, but its offsets "
                          "%llu",
                          (unsigned long long)(bits / 8),
                          (unsigned long long)array->bytes);
    return 0;
}

/* Append an array to the header whose name is SLICE.  Returns the array, or
   NULL after a failure. */
static struct safetensors_array *
append(struct header_parser *parser, struct text_slice slice)
{
    struct safetensors_header *header = parser->header;
    char *name = header->names + parser->named;

    if (header->count == parser->room) {
        size_t room = parser->room > 0 ? 2 * parser->room : 16;
        if (room > parser->size / ARRAY_BYTES)
            room = parser->size / ARRAY_BYTES + 1;
        struct safetensors_array *grown =
            realloc(header->array, room * sizeof *grown);
        if (grown == NULL) {
            (void)fail(parser, slice.at, "out of memory");
            return NULL;
        }
        header->array = grown;
        parser->room = room;
    }
    size_t bytes = json_text_write(parser->data, slice, (unsigned char *)name);
    name[bytes] = '\0';
    if (memchr(name, '\0', bytes) != NULL) {
        (void)fail(parser, slice.at, "a name has a NUL character");
        return NULL;
    }
    parser->named += bytes + 1;
    struct safetensors_array *array = &header->array[header->count++];
    *array = (struct safetensors_array){.name = name, .at = slice.at};
    return array;
}

/* Take an array whose name is SLICE. */
static int
take_array(struct header_parser *parser, struct text_slice slice)
{
    struct described described = {.has_type = false};
    int more;

    if (expect(parser, '{') < 0)
        return -1;
    struct safetensors_array *array = append(parser, slice);
    if (array == NULL)
        return -1;
    if (skip(parser, '}'))
        return check_members(parser, array, &described);
    do {
        if (take_member(parser, array, &described) < 0)
            return -1;
        more = take_next(parser, '}');
    } while (more > 0);
    return more < 0 ? -1 : check_members(parser, array, &described);
}

/* Skip the metadata: strings, or null. */
static int
skip_metadata(struct header_parser *parser)
{
    static const char null[] = {'n', 'u', 'l', 'l'};
    struct text_slice string;
    int more;

    if (peek(parser) == 'n' && parser->size - parser->at >= sizeof null &&
        memcmp(parser->data + parser->at, null, sizeof null) == 0) {
        parser->at += sizeof null;
        return 0;
    }
    if (expect(parser, '{') < 0)
        return -1;
    if (skip(parser, '}'))
        return 0;
    do {
        if (take_string(parser, &string) < 0 || expect(parser, ':') < 0 ||
            take_string(parser, &string) < 0)
            return -1;
        more = take_next(parser, '}');
    } while (more > 0);
    return more;
}

/* Take the whole object. */
static int
take_all(struct header_parser *parser)
{
    bool has_metadata = false;
    struct text_slice key;
    int more = 0;

    if (expect(parser, '{') < 0)
        return -1;
    if (!skip(parser, '}'))
        more = 1;
    while (more > 0) {
        if (take_string(parser, &key) < 0 || expect(parser, ':') < 0)
            return -1;
        bool is_metadata = is_text(parser, key, "__metadata__");
        if (is_metadata && has_metadata)
            return fail(parser, key.at, "'__metadata__' twice");
        has_metadata |= is_metadata;
        if ((is_metadata ? skip_metadata(parser) : take_array(parser, key)) < 0)
            return -1;
        more = take_next(parser, '}');
    }
    if (more < 0)
        return -1;
    (void)peek(parser);
    return parser->at == parser->size
               ? 0
               : fail(parser, parser->at, "something after the object");
}

/* ---- the whole ---- */

static int
compare_names(const void *one, const void *two)
{
    const struct safetensors_array *a = one;
    const struct safetensors_array *b = two;
    int order = strcmp(a->name, b->name);

    return order != 0 ? order : (a->at > b->at) - (a->at < b->at);
}

static int
compare_places(const void *one, const void *two)
{
    const struct safetensors_array *a = one;
    const struct safetensors_array *b = two;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->bytes != b->bytes)
        return a->bytes < b->bytes ? -1 : 1;
    return (a->at > b->at) - (a->at < b->at);
}

/* Check that each name occurs once.  Changes the order of the arrays. */
static int
check_names(struct header_parser *parser)
{
    const struct safetensors_header *header = parser->header;

    if (header->count > 0)
        qsort(header->array, header->count, sizeof *header->array,
              compare_names);
    for (size_t i = 1; i < header->count; i++) {
        if (strcmp(header->array[i].name, header->array[i - 1].name) == 0)
            return fail_array(parser, &header->array[i], "the name twice");
    }
    return 0;
}

/* Order the arrays by their places, and check that nothing is between them. */
static int
check_places(struct header_parser *parser)
{
    struct safetensors_header *header = parser->header;

    if (header->count > 0)
        qsort(header->array, header->count, sizeof *header->array,
              compare_places);
    for (size_t i = 0; i < header->count; i++) {
        const struct safetensors_array *array = &header->array[i];
        if (array->start != header->bytes)
            return fail_array(parser, array,
                              "it starts at byte %llu of the data, but the "
                              "arrays before end at byte %llu",
                              (unsigned long long)array->start,
                              (unsigned long long)header->bytes);
        header->bytes += array->bytes;
        if (header->bytes > INT64_MAX - SAFETENSORS_HEADER_MAX)
            return fail_array(parser, array, "its offset is too large");
    }
    return 0;
}

int
safetensors_header_parse(struct safetensors_header *header,
                         const unsigned char *data, size_t size,
                         struct npy_fault *fault)
{
    struct header_parser parser = {
        .data = data, .size = (uint32_t)size, .header = header, .fault = fault};

    *header = (struct safetensors_header){0};
    *fault = (struct npy_fault){0};
    header->names = malloc(size + 1);
    if (header->names == NULL)
        return fail(&parser, 0, "out of memory");
    return take_all(&parser) < 0 || check_names(&parser) < 0 ||
                   check_places(&parser) < 0
               ? -1
               : 0;
}

const char *
safetensors_array_type(const struct safetensors_array *array)
{
    return types[array->type].name;
}

bool
safetensors_array_describe(const struct safetensors_array *array,
                           struct npy_array *described)
{
    const char *name = types[array->type].name;

    *described = (struct npy_array){.type = name,
                                    .code = types[array->type].code,
                                    .is_boolean = strcmp(name, "BOOL") == 0,
                                    .is_complex = strcmp(name, "C64") == 0,
                                    .bytes = array->bytes};
    return described->code != NULL;
}

void
safetensors_header_close(struct safetensors_header *header)
{
    free(header->array);
    free(header->names);
    *header = (struct safetensors_header){0};
}
