/* SPDX-License-Identifier: MIT */
/* npy_header.c -- the header of a .npy file: type and shape of the array */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/little_endian.h"
#include "base/python_literal.h"
#include "hist/npy_header.h"

/* The length of a string and the depth bound the memory of all names. */
#define DEPTH_MAX 16
#define DIMENSIONS_MAX 64

struct parser {
    struct python_literal literal;
    int depth;
    bool has_type, has_order, has_shape;
    uint64_t items;
    struct npy_header *header;
};

static int
fail_memory(struct parser *parser)
{
    return python_literal_fail(&parser->literal, parser->literal.at,
                               "out of memory");
}

/* A shape: the sizes of an array. */
struct shape {
    uint64_t size[DIMENSIONS_MAX];
    size_t count;
    uint64_t items; /* all sizes multiplied */
};

/* Set SHAPE->items. */
static int
multiply(struct parser *parser, size_t start, struct shape *shape)
{
    struct python_literal *literal = &parser->literal;
    shape->items = 1;
    for (size_t i = 0; i < shape->count; i++) {
        if (shape->size[i] == 0) {
            shape->items = 0;
            return 0;
        }
    }
    for (size_t i = 0; i < shape->count; i++) {
        if (__builtin_mul_overflow(shape->items, shape->size[i], &shape->items))
            return python_literal_fail(literal, start,
                                       "the shape has too many items");
    }
    return 0;
}

/* Take a tuple of sizes, or one size. */
static int
take_shape(struct parser *parser, struct shape *shape)
{
    struct python_literal *literal = &parser->literal;
    bool is_tuple = python_literal_peek(literal) == '(';
    size_t start = literal->at;

    shape->count = 0;
    literal->at += is_tuple;
    if (!is_tuple || python_literal_peek(literal) != ')') {
        do {
            if (shape->count == DIMENSIONS_MAX)
                return python_literal_fail(literal, literal->at,
                                           "the shape has more than %d sizes",
                                           DIMENSIONS_MAX);
            if (python_literal_number(literal, &shape->size[shape->count++]) <
                0)
                return -1;
        } while (is_tuple && python_literal_has_next(literal, ')'));
    }
    if (is_tuple && python_literal_expect(literal, ')') < 0)
        return -1;
    return multiply(parser, start, shape);
}

/* ---- the record ---- */

static int
fail_long(struct parser *parser, size_t offset)
{
    struct python_literal *literal = &parser->literal;
    return python_literal_fail(
        literal, offset,
        "an item of the array has more than %zu bytes or %d fields",
        RECORD_BYTES_MAX, RECORD_ELEMENTS_MAX);
}

/* Append an element of TYPE, in ORDER, which numpy calls NAME. */
static int
append(struct parser *parser, size_t offset, const char *type,
       enum byte_order order, const char *name, const char *part)
{
    struct npy_header *header = parser->header;
    struct record *record = &header->record;
    size_t n = record->count;

    if (record_append(record, type, strlen(type), 1, order) < 0)
        return fail_long(parser, offset);
    snprintf(header->type[n], sizeof header->type[n], "%s", name);
    record->name[n] = strdup(part);
    return record->name[n] != NULL ? 0 : fail_memory(parser);
}

/* Skip BYTES of the record. */
static int
append_gap(struct parser *parser, size_t offset, uint64_t bytes)
{
    if (bytes > RECORD_BYTES_MAX ||
        (bytes > 0 && record_append(&parser->header->record, "x", 1,
                                    (size_t)bytes, ORDER_MACHINE) < 0))
        return fail_long(parser, offset);
    return 0;
}

/* A type as numpy writes it: an order, a letter, a size, and a unit. */
struct scalar {
    char letter;
    enum byte_order order;
    uint64_t size;
};

/* Parse NAME.  Returns 0, or -1: it is none. */
static int
parse_scalar(const char *name, struct scalar *scalar)
{
    const char *at = name;

    *scalar = (struct scalar){.order = *at == '<'   ? ORDER_LITTLE
                                       : *at == '>' ? ORDER_BIG
                                                    : ORDER_MACHINE};
    at += *at != '\0' && strchr("<>=|", *at) != NULL;
    scalar->letter = *at;
    at += *at != '\0';
    for (; ascii_is_digit(*at); at++) {
        scalar->size = scalar->size * 10 + (uint64_t)(*at - '0');
        if (scalar->size > RECORD_BYTES_MAX)
            return -1;
    }
    if (*at == '[' && (scalar->letter == 'M' || scalar->letter == 'm')) {
        at += strcspn(at, "]");
        at += *at == ']';
    }
    if (*at != '\0' || scalar->letter == '\0')
        return -1;
    return 0;
}

/*
 * What to do with a type that numpy lacks, by its size.  ml_dtypes, of JAX and
 * TensorFlow, saves bfloat16 as two bytes of anything, V2, and several types of
 * floats as one, V1.
 */
static const char *const void_hint[] = {
    [1] = "; of float8_e4m3fn, array.tofile(FILE) writes what --dtype=f8e4m3 "
          "reads",
    [2] = "; of bfloat16, array.tofile(FILE) writes what --dtype=bf16 reads",
};

/* Append a complex number: two doubles or two floats, or a gap. */
static int
append_complex(struct parser *parser, size_t offset, const char *name,
               const struct scalar *scalar)
{
    const char *type = scalar->size == 8 ? "f4" : "f8";

    if (scalar->size >= 20)
        return append_gap(parser, offset, scalar->size);
    if (append(parser, offset, type, scalar->order, name, ".real") < 0)
        return -1;
    return append(parser, offset, type, scalar->order, name, ".imag");
}

/* Append a boolean: a byte that is 0 or 1. */
static int
append_bool(struct parser *parser, size_t offset, const char *name,
            const struct scalar *scalar)
{
    struct record *record = &parser->header->record;

    if (append(parser, offset, "u1", scalar->order, name, "") < 0)
        return -1;
    record->element[record->count - 1].most = 1;
    return 0;
}

/*
 * Append a float, or a gap.  One byte is float8_e5m2: ml_dtypes gives the
 * letter to no other of its types.
 */
static int
append_float(struct parser *parser, size_t offset, const char *name,
             const struct scalar *scalar)
{
    const char type[] = {'f', (char)('0' + scalar->size % 10), '\0'};

    if (scalar->size > 8)
        return append_gap(parser, offset, scalar->size);
    return append(parser, offset, scalar->size == 1 ? "f8e5m2" : type,
                  scalar->order, name, "");
}

/* Whether numpy or ml_dtypes has the type SCALAR, and the type has numbers or
   is a gap. */
static bool
is_known(const struct scalar *scalar)
{
    uint64_t size = scalar->size;

    switch (scalar->letter) {
    case 'b':
        return size == 1;
    case 'i':
    case 'u':
        return size == 1 || size == 2 || size == 4 || size == 8;
    case 'f':
        return size == 1 || size == 2 || size == 4 || size == 8 ||
               (size >= 10 && size <= 16);
    case 'c':
        return size == 8 || size == 16 || (size >= 20 && size <= 32);
    case 'M':
    case 'm':
        return size == 8;
    default:
        return strchr("SaVU", scalar->letter) != NULL;
    }
}

/* Append the elements of NAME, a type that is not a structure. */
static int
append_scalar(struct parser *parser, size_t offset, const char *name)
{
    struct python_literal *literal = &parser->literal;
    struct scalar scalar;

    if (strlen(name) >= NPY_HEADER_TYPE_BYTES ||
        parse_scalar(name, &scalar) < 0)
        return python_literal_fail(
            literal, offset, "'%.40s' is no type of numpy%s", name,
            strcmp(name, "bfloat16") == 0 ? void_hint[2] : "");
    if (scalar.letter == 'O')
        return python_literal_fail(
            literal, offset, "'%s' is pickled objects of Python, not numbers",
            name);
    if (!is_known(&scalar))
        return python_literal_fail(
            literal, offset, "'%s' is no type of numpy that has numbers", name);
    const char type[] = {scalar.letter, (char)('0' + scalar.size % 10), '\0'};
    switch (scalar.letter) {
    case 'b':
        return append_bool(parser, offset, name, &scalar);
    case 'c':
        return append_complex(parser, offset, name, &scalar);
    case 'M':
    case 'm':
        return append(parser, offset, "i8", scalar.order, name, "");
    case 'i':
    case 'u':
        return append(parser, offset, type, scalar.order, name, "");
    case 'f':
        return append_float(parser, offset, name, &scalar);
    case 'U':
        return append_gap(parser, offset, 4 * scalar.size);
    default:
        return append_gap(parser, offset, scalar.size);
    }
}

/* Write the index of item N of an array of SHAPE to TEXT, as [i][j]. */
static void
put_index(const struct shape *shape, uint64_t n, char *text, size_t size)
{
    uint64_t items = shape->items;
    size_t used = 0;

    *text = '\0';
    for (size_t i = 0; i < shape->count && used < size; i++) {
        items /= shape->size[i];
        used += (size_t)snprintf(text + used, size - used, "[%llu]",
                                 (unsigned long long)(n / items));
        n %= items;
    }
}

/* Returns "." FIELD INDEX PART, for free(), or NULL. */
static char *
join(const char *field, const char *index, const char *part)
{
    size_t size = 1 + strlen(field) + strlen(index) + strlen(part) + 1;
    char *name = malloc(size);

    if (name != NULL)
        snprintf(name, size, "%s%s%s%s", *field != '\0' ? "." : "", field,
                 index, part);
    return name;
}

/* Forget the elements of the record from FIRST on, which start at BYTES. */
static void
cut(struct record *record, size_t first, size_t bytes)
{
    while (record->count > first) {
        record->count--;
        free(record->name[record->count]);
        record->name[record->count] = NULL;
    }
    record->bytes = bytes;
}

/*
 * The elements from FIRST on, which start at byte START, are one item of an
 * array of SHAPE called FIELD: name them, and append the elements of the other
 * items.
 */
static int
repeat(struct parser *parser, size_t offset, size_t first, size_t start,
       const char *field, const struct shape *shape)
{
    struct npy_header *header = parser->header;
    struct record *record = &header->record;
    size_t width = record->count - first;
    size_t bytes = record->bytes - start;
    char index[DIMENSIONS_MAX * 8];

    if (shape->items == 0) {
        cut(record, first, start);
        return 0;
    }
    /* At most RECORD_BYTES_MAX items, if an item has any bytes. */
    if (bytes > 0 && shape->items > (RECORD_BYTES_MAX - start) / bytes)
        return fail_long(parser, offset);
    if (width > 0 && shape->items > (RECORD_ELEMENTS_MAX - first) / width)
        return fail_long(parser, offset);
    record->count = first + width * (size_t)(width > 0 ? shape->items : 0);
    for (uint64_t n = width > 0 ? shape->items : 0; n-- > 0;) {
        put_index(shape, n, index, sizeof index);
        for (size_t i = first; i < first + width; i++) {
            size_t to = i + (size_t)n * width;
            char *name = join(field, index, record->name[i]);
            if (name == NULL)
                return fail_memory(parser);
            if (n == 0)
                free(record->name[i]);
            record->name[to] = name;
            record->element[to] = record->element[i];
            record->element[to].offset += (size_t)n * bytes;
            memcpy(header->type[to], header->type[i], sizeof *header->type);
        }
    }
    record->bytes = start + (size_t)shape->items * bytes;
    return 0;
}

static int append_type(struct parser *parser);

/* Take a field of a structured type: (name, type[, shape]). */
static int
append_field(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    struct shape shape = {.items = 1};
    const struct record *record = &parser->header->record;
    size_t first = record->count;
    size_t start = record->bytes;
    struct python_string name;

    if (python_literal_expect(literal, '(') < 0)
        return -1;
    size_t offset = literal->at;
    bool has_title = python_literal_skip(literal, '(');
    if (has_title && (python_literal_string(literal, &name) < 0 ||
                      python_literal_expect(literal, ',') < 0))
        return -1;
    if (python_literal_string(literal, &name) < 0 ||
        (has_title && python_literal_expect(literal, ')') < 0) ||
        python_literal_expect(literal, ',') < 0 || append_type(parser) < 0)
        return -1;
    if (python_literal_has_next(literal, ')') &&
        (take_shape(parser, &shape) < 0))
        return -1;
    (void)python_literal_skip(literal, ',');
    if (python_literal_expect(literal, ')') < 0)
        return -1;
    return repeat(parser, offset, first, start, name.bytes, &shape);
}

/* Take the list of fields of a structured type. */
static int
append_fields(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    if (python_literal_expect(literal, '[') < 0)
        return -1;
    if (python_literal_peek(literal) != ']') {
        do {
            if (append_field(parser) < 0)
                return -1;
        } while (python_literal_has_next(literal, ']'));
    }
    return python_literal_expect(literal, ']');
}

/* Take a type and its shape, in parentheses. */
static int
append_subarray(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    const struct record *record = &parser->header->record;
    size_t first = record->count;
    size_t start = record->bytes;
    struct shape shape;

    if (python_literal_expect(literal, '(') < 0)
        return -1;
    size_t offset = literal->at;
    if (append_type(parser) < 0 || python_literal_expect(literal, ',') < 0 ||
        take_shape(parser, &shape) < 0)
        return -1;
    (void)python_literal_skip(literal, ',');
    if (python_literal_expect(literal, ')') < 0)
        return -1;
    return repeat(parser, offset, first, start, "", &shape);
}

/* Take a type: a string, a list of fields, or a type with a shape. */
static int
append_type(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    unsigned char next = python_literal_peek(literal);
    size_t offset = literal->at;
    struct python_string name;
    int result;

    if (parser->depth == DEPTH_MAX)
        return python_literal_fail(
            literal, offset, "more than %d types inside of others", DEPTH_MAX);
    parser->depth++;
    if (next == '[')
        result = append_fields(parser);
    else if (next == '(')
        result = append_subarray(parser);
    else
        result = python_literal_string(literal, &name) < 0
                     ? -1
                     : append_scalar(parser, offset, name.bytes);
    parser->depth--;
    return result;
}

/* ---- the dictionary ---- */

/* Take the type, and check that it has numbers. */
static int
take_type(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    const struct record *record = &parser->header->record;
    unsigned char next = python_literal_peek(literal);
    size_t offset = literal->at;
    const unsigned char *type = literal->data + offset;

    if (append_type(parser) < 0)
        return -1;
    if (record->count > 0)
        return 0;
    size_t length = literal->at - offset;
    if (next == '[' || length > 40)
        return python_literal_fail(literal, offset,
                                   "no field of the type is a number");
    return python_literal_fail(
        literal, offset, "%.*s is no type of numbers%s", (int)length,
        (const char *)type,
        length == 5 && memcmp(type + 2, "V1", 2) == 0   ? void_hint[1]
        : length == 5 && memcmp(type + 2, "V2", 2) == 0 ? void_hint[2]
                                                        : "");
}

/* Take the value of KEY, which is at OFFSET. */
static int
take_value(struct parser *parser, size_t offset, const char *key)
{
    struct python_literal *literal = &parser->literal;
    struct shape shape;
    bool *has = strcmp(key, "descr") == 0           ? &parser->has_type
                : strcmp(key, "fortran_order") == 0 ? &parser->has_order
                : strcmp(key, "shape") == 0         ? &parser->has_shape
                                                    : NULL;

    if (has == NULL)
        return python_literal_fail(literal, offset, "unknown key '%.40s'", key);
    if (*has)
        return python_literal_fail(literal, offset, "the key '%s' twice", key);
    *has = true;
    if (has == &parser->has_type)
        return take_type(parser);
    if (has == &parser->has_order)
        return python_literal_boolean(literal);
    if (take_shape(parser, &shape) < 0)
        return -1;
    parser->items = shape.items;
    return 0;
}

static int
take_dictionary(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    struct python_string key;

    if (python_literal_expect(literal, '{') < 0)
        return -1;
    if (python_literal_peek(literal) != '}') {
        do {
            (void)python_literal_peek(literal);
            size_t offset = literal->at;
            if (python_literal_string(literal, &key) < 0 ||
                python_literal_expect(literal, ':') < 0 ||
                take_value(parser, offset, key.bytes) < 0)
                return -1;
        } while (python_literal_has_next(literal, '}'));
    }
    size_t end = literal->at;
    if (python_literal_expect(literal, '}') < 0)
        return -1;
    const char *missing = !parser->has_type    ? "descr"
                          : !parser->has_order ? "fortran_order"
                          : !parser->has_shape ? "shape"
                                               : NULL;
    if (missing != NULL)
        return python_literal_fail(literal, end, "no '%s' in the header",
                                   missing);
    (void)python_literal_peek(literal);
    if (literal->at < literal->size)
        return python_literal_fail(literal, literal->at,
                                   "something after the dictionary");
    return 0;
}

/* ---- the header ---- */

uint64_t
npy_header_bytes(const unsigned char *data, size_t size)
{
    static const unsigned char magic[NPY_HEADER_MAGIC_BYTES] = {0x93, 'N', 'U',
                                                                'M',  'P', 'Y'};

    if (size < NPY_HEADER_START_BYTES || memcmp(data, magic, sizeof magic) != 0)
        return 0;
    /* The length of the rest takes 2 bytes in version 1, 4 in later ones. */
    size_t length_bytes = data[6] == 1 ? 2 : 4;
    return 8 + length_bytes + little_endian(data + 8, length_bytes);
}

/* Drop the dots that names start with; names of no bytes are none. */
static void
finish_names(struct record *record)
{
    bool has_names = false;

    for (size_t i = 0; i < record->count; i++) {
        char *name = record->name[i];
        if (*name == '.')
            memmove(name, name + 1, strlen(name));
        has_names |= *name != '\0';
    }
    for (size_t i = 0; !has_names && i < record->count; i++)
        free(record->name[i]);
    if (!has_names) {
        free(record->name);
        record->name = NULL;
    }
}

/* Parse the header from its first byte on.  Returns 0, or -1. */
static int
parse(struct parser *parser)
{
    struct python_literal *literal = &parser->literal;
    struct npy_header *header = parser->header;
    const unsigned char *data = literal->data;

    if (literal->size < NPY_HEADER_START_BYTES)
        return python_literal_fail(literal, literal->size,
                                   "the header is cut off");
    if (data[6] < 1 || data[6] > 3 || data[7] != 0)
        return python_literal_fail(literal, NPY_HEADER_MAGIC_BYTES,
                                   "version %u.%u of the format is unknown",
                                   data[6], data[7]);
    literal->at = data[6] == 1 ? 10 : 12;
    header->type = calloc(RECORD_ELEMENTS_MAX, sizeof *header->type);
    if (header->type == NULL || record_start(&header->record) < 0)
        return fail_memory(parser);
    header->record.name =
        calloc(RECORD_ELEMENTS_MAX, sizeof *header->record.name);
    if (header->record.name == NULL)
        return fail_memory(parser);
    if (take_dictionary(parser) < 0)
        return -1;
    finish_names(&header->record);
    if (__builtin_mul_overflow(parser->items, header->record.bytes,
                               &header->bytes) ||
        header->bytes > INT64_MAX)
        return python_literal_fail(literal, literal->size,
                                   "the array has too many bytes");
    return 0;
}

int
npy_header_parse(struct npy_header *header, const unsigned char *data,
                 size_t size, struct npy_fault *fault)
{
    struct parser parser = {
        .literal = {.data = data,
                    .size = size,
                    .is_utf8 = size > 6 && data[6] == 3},
        .header = header,
    };

    *header = (struct npy_header){0};
    int result = parse(&parser);
    fault->offset = parser.literal.error_at;
    snprintf(fault->text, sizeof fault->text, "%s", parser.literal.error);
    return result;
}

int
npy_header_make(struct npy_header *header, const struct npy_array *array)
{
    static const char *const part[] = {"real", "imag"};
    struct record *record = &header->record;
    size_t count = array->is_complex ? 2 : 1;

    *header = (struct npy_header){.bytes = array->bytes};
    header->type = calloc(count, sizeof *header->type);
    if (header->type == NULL || record_start(record) < 0 ||
        record_append(record, array->code, strlen(array->code), count,
                      ORDER_LITTLE) < 0)
        return -1;
    if (array->is_boolean)
        record->element[0].most = 1;
    if (array->is_complex)
        record->name = calloc(count, sizeof *record->name);
    for (size_t i = 0; i < count; i++) {
        snprintf(header->type[i], sizeof header->type[i], "%s", array->type);
        if (!array->is_complex)
            continue;
        if (record->name == NULL || (record->name[i] = strdup(part[i])) == NULL)
            return -1;
    }
    return 0;
}

bool
npy_header_is_equal(const struct npy_header *a, const struct npy_header *b,
                    char *text, size_t size)
{
    const struct record *one = &a->record;
    const struct record *two = &b->record;

    if ((one->name == NULL) != (two->name == NULL)) {
        snprintf(text, size, "the type has %s, but %s",
                 one->name != NULL ? "fields" : "no fields",
                 one->name != NULL ? "none" : "some");
        return false;
    }
    for (size_t i = 0; i < one->count && i < two->count; i++) {
        const char *name[] = {one->name != NULL ? one->name[i] : "",
                              two->name != NULL ? two->name[i] : ""};
        char which[40] = "";
        if (one->count > 1 || two->count > 1)
            snprintf(which, sizeof which, "of field %zu ", i + 1);
        if (strcmp(name[0], name[1]) != 0)
            snprintf(text, size, "the name %sis '%s', but '%s'", which, name[0],
                     name[1]);
        else if (strcmp(a->type[i], b->type[i]) != 0)
            snprintf(text, size, "the type %sis %s, but %s", which, a->type[i],
                     b->type[i]);
        else if (one->element[i].offset != two->element[i].offset)
            snprintf(text, size, "the offset %sis %zu, but %zu", which,
                     one->element[i].offset, two->element[i].offset);
        else
            continue;
        return false;
    }
    if (one->count == two->count && one->bytes == two->bytes)
        return true;
    if (one->count != two->count)
        snprintf(text, size, "the type has %zu field%s, but %zu", one->count,
                 one->count == 1 ? "" : "s", two->count);
    else
        snprintf(text, size, "an item has %zu byte%s, but %zu", one->bytes,
                 one->bytes == 1 ? "" : "s", two->bytes);
    return false;
}

void
npy_header_close(struct npy_header *header)
{
    record_close(&header->record);
    free(header->type);
    *header = (struct npy_header){0};
}
