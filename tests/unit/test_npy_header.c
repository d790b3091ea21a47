/* SPDX-License-Identifier: MIT */
/* test_npy_header.c -- headers of .npy files: types, names, shapes, faults */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "hist/npy_header.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Make a header of VERSION with TEXT, padded, in a block of its own. */
static unsigned char *
make(unsigned int version, const char *text, size_t *size)
{
    size_t before = version == 1 ? 10 : 12;
    size_t length = strlen(text);

    if (length < 4)
        length = 4;
    *size = before + length;
    unsigned char *data = calloc(1, *size);
    if (data == NULL)
        abort();
    memcpy(data, "\x93NUMPY", 6);
    data[6] = (unsigned char)version;
    memset(data + before, ' ', length);
    memcpy(data + before, text, strlen(text));
    for (size_t i = 0; i < before - 8; i++)
        data[8 + i] = (unsigned char)(length >> 8 * i);
    return data;
}

/* Parse TEXT as a header of VERSION. */
static int
parse(struct npy_header *header, unsigned int version, const char *text,
      struct npy_fault *fault)
{
    size_t size;
    unsigned char *data = make(version, text, &size);
    int result = -1;

    if (npy_header_bytes(data, size) == size)
        result = npy_header_parse(header, data, size, fault);
    free(data);
    return result;
}

/* "BYTES: OFFSET TYPE NAME, ..." of the header's record. */
static void
describe(const struct npy_header *header, char *text, size_t size)
{
    const struct record *record = &header->record;
    size_t used = (size_t)snprintf(text, size, "%zu:", record->bytes);

    for (size_t i = 0; i < record->count && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s %zu %s%s%s",
                             i > 0 ? "," : "", record->element[i].offset,
                             header->type[i], record->name != NULL ? " " : "",
                             record->name != NULL ? record->name[i] : "");
}

#define TAIL "'fortran_order': False, 'shape': (3,), }"

/* Types, and what they consist of. */
static void
test_types(void)
{
    static const struct {
        const char *type;
        const char *wanted;
    } table[] = {
        {"'|u1'", "1: 0 |u1"},
        {"'<i4'", "4: 0 <i4"},
        {"'>f8'", "8: 0 >f8"},
        {"\"<f2\"", "2: 0 <f2"},
        {"'<f1'", "1: 0 <f1"},
        {"u'|b1'", "1: 0 |b1"},
        {"'<M8[ns]'", "8: 0 <M8[ns]"},
        {"'>m8[25s]'", "8: 0 >m8[25s]"},
        {"'<c8'", "8: 0 <c8 real, 4 <c8 imag"},
        {"'>c16'", "16: 0 >c16 real, 8 >c16 imag"},
        {"[('a', '<f4')]", "4: 0 <f4 a"},
        {"[('a', '<f4'), ('b', '|u1'),]", "5: 0 <f4 a, 4 |u1 b"},
        {"[('a','|i1'),('','|V3'),('b','<f4')]", "8: 0 |i1 a, 4 <f4 b"},
        {"[('s', '<U5'), ('t', '|S3'), ('v', '<i2')]", "25: 23 <i2 v"},
        {"[('l', '<f16'), ('k', '<c32'), ('v', '<i2')]", "50: 48 <i2 v"},
        {"[('x', '<i2', (2,))]", "4: 0 <i2 x[0], 2 <i2 x[1]"},
        {"[('x', '<i2', 2)]", "4: 0 <i2 x[0], 2 <i2 x[1]"},
        {"[('x', '|u1', (2, 2)), ('y', '|u1', ())]",
         "5: 0 |u1 x[0][0], 1 |u1 x[0][1], 2 |u1 x[1][0], 3 |u1 x[1][1], 4 "
         "|u1 y"},
        {"[('x', '<i2', (0,)), ('y', '|u1')]", "1: 0 |u1 y"},
        {"[('x', '|V3', (2,)), ('y', '|u1')]", "7: 6 |u1 y"},
        {"[('n', [('a', '|u1'), ('z', '<c8')], (2,))]",
         "18: 0 |u1 n[0].a, 1 <c8 n[0].z.real, 5 <c8 n[0].z.imag, 9 |u1 "
         "n[1].a, 10 <c8 n[1].z.real, 14 <c8 n[1].z.imag"},
        {"[(('a title', 'name'), '|u1')]", "1: 0 |u1 name"},
        {"[('p', [('q', [('r', '|u1')])])]", "1: 0 |u1 p.q.r"},
        {"('<i2', (2,))", "4: 0 <i2 [0], 2 <i2 [1]"},
        {"[('it\\'s', '|u1'), (\"a\\\"b\\\\\", '|u1')]",
         "2: 0 |u1 it's, 1 |u1 a\"b\\"},
        {"[('t\\n', '|u1'), ('\\x1b[m', '|u1')]",
         "2: 0 |u1 t\\n, 1 |u1 \\x1b[m"},
        {"[('\\xe9', '|u1'), ('\\u20ac', '|u1'), ('\\U0001f600', '|u1')]",
         "3: 0 |u1 \xc3\xa9, 1 |u1 \xe2\x82\xac, 2 |u1 \xf0\x9f\x98\x80"},
    };
    char text[1024], wanted[1024];

    for (size_t i = 0; i < COUNT(table); i++) {
        struct npy_header header = {0};
        struct npy_fault fault = {0};
        snprintf(text, sizeof text, "{'descr': %s, " TAIL, table[i].type);
        int result = parse(&header, 1 + (unsigned int)i % 3, text, &fault);
        describe(&header, wanted, sizeof wanted);
        ok(result == 0 && strcmp(wanted, table[i].wanted) == 0 &&
               header.bytes == 3 * header.record.bytes,
           "%s: %s %s", table[i].type, wanted, fault.text);
        npy_header_close(&header);
    }
}

/* The bytes of a name are Latin-1 in versions 1 and 2, UTF-8 in version 3. */
static void
test_encodings(void)
{
    for (unsigned int version = 1; version <= 3; version++) {
        struct npy_header header = {0};
        struct npy_fault fault;
        const char *text = version == 3
                               ? "{'descr': [('\xc3\xa9', '|u1')], " TAIL
                               : "{'descr': [('\xe9', '|u1')], " TAIL;
        int result = parse(&header, version, text, &fault);
        ok(result == 0 && strcmp(header.record.name[0], "\xc3\xa9") == 0,
           "a name in version %u", version);
        npy_header_close(&header);
    }
}

static void
test_elements(void)
{
    struct npy_header header;
    struct npy_fault fault;
    int result = parse(&header, 1,
                       "{'descr': [('b', '|b1'), ('t', '>M8[D]'), ('u', "
                       "'<u2'), ('f', '>f4')], " TAIL,
                       &fault);
    const struct element *element = header.record.element;

    ok(result == 0 && element[0].type == SAMPLE_U1 && element[0].most == 1 &&
           element[1].type == SAMPLE_I8 && element[1].is_swapped &&
           element[1].most == 0 && element[2].type == SAMPLE_U2 &&
           !element[2].is_swapped && element[3].type == SAMPLE_F4 &&
           element[3].is_swapped,
       "elements");
    npy_header_close(&header);
}

static void
test_shapes(void)
{
    static const struct {
        const char *shape;
        uint64_t bytes;
    } table[] = {
        {"()", 4},      {"(5,)", 20},
        {"(5)", 20},    {"(5L,)", 20},
        {"(2, 3)", 24}, {"(2,3,4,)", 96},
        {"(0,)", 0},    {"(0, 9999999999999999999)", 0},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct npy_header header = {0};
        struct npy_fault fault = {0};
        char text[200];
        snprintf(text, sizeof text,
                 "{'shape': %s, 'fortran_order':True ,'descr':'<f4'}\n",
                 table[i].shape);
        ok(parse(&header, 1, text, &fault) == 0 &&
               header.bytes == table[i].bytes,
           "shape %s %s", table[i].shape, fault.text);
        npy_header_close(&header);
    }
}

/* Headers that are wrong: where, and why. */
static void
test_faults(void)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *what;
    } table[] = {
        {"", 14, "'{' is missing"},
        {"{}", 11, "no 'descr' in the header"},
        {"{'descr': '<f4', 'shape': ()}", 38,
         "no 'fortran_order' in the header"},
        {"{'descr': '<f4', " TAIL "x", 67, "something after the dictionary"},
        {"{'x': '<f4', " TAIL, 11, "unknown key 'x'"},
        {"{'descr': '<f4', 'descr': '<f4', " TAIL, 27, "the key 'descr' twice"},
        {"{'descr': '|O', " TAIL, 20,
         "'|O' is pickled objects of Python, not numbers"},
        {"{'descr': [('a', '|O')], " TAIL, 27,
         "'|O' is pickled objects of Python, not numbers"},
        {"{'descr': '<U5', " TAIL, 20, "'<U5' is no type of numbers"},
        {"{'descr': '<f16', " TAIL, 20, "'<f16' is no type of numbers"},
        {"{'descr': '|V4', " TAIL, 20, "'|V4' is no type of numbers"},
        {"{'descr': [], " TAIL, 20, "no field of the type is a number"},
        {"{'descr': [('a', '|S1')], " TAIL, 20,
         "no field of the type is a number"},
        {"{'descr': '<i3', " TAIL, 20,
         "'<i3' is no type of numpy that has numbers"},
        {"{'descr': '<f3', " TAIL, 20,
         "'<f3' is no type of numpy that has numbers"},
        {"{'descr': '|b2', " TAIL, 20,
         "'|b2' is no type of numpy that has numbers"},
        {"{'descr': '<M4[s]', " TAIL, 20,
         "'<M4[s]' is no type of numpy that has numbers"},
        {"{'descr': '', " TAIL, 20, "'' is no type of numpy"},
        {"{'descr': '<f4x', " TAIL, 20, "'<f4x' is no type of numpy"},
        {"{'descr': '|V99999999999999999999', " TAIL, 20,
         "'|V99999999999999999999' is no type of numpy"},
        {"{'descr': f4, " TAIL, 20, "not a string"},
        {"{'descr': '<f4", 20, "the string has no end"},
        {"{'descr': '\\q', " TAIL, 21, "an unknown escape in a string"},
        {"{'descr': '\\x1', " TAIL, 21, "an escape in a string is cut off"},
        {"{'descr': '\\ud800', " TAIL, 21,
         "an escape in a string is no character"},
        {"{'descr': 'a\nb', " TAIL, 22, "a control character in a string"},
        {"{'descr': 'a\x9f', " TAIL, 22, "a control character in a string"},
        {"{'descr': [('a', '<f4'], " TAIL, 32, "')' is missing"},
        {"{'descr': [('a' '<f4')], " TAIL, 26, "',' is missing"},
        {"{'descr': [('x', '|u1', (4097,))], " TAIL, 22,
         "an item of the array has more than 65536 bytes or 4096 fields"},
        {"{'descr': [('x', '|V65536', (2,)), ('y', '|u1')], " TAIL, 22,
         "an item of the array has more than 65536 bytes or 4096 fields"},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", 44,
         "neither True nor False"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", 61,
         "not a number from 0 on"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': None}", 60,
         "not a number from 0 on"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(18446744073709551616,)}",
         61, "the number is too large"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(4294967296,4294967296)}",
         60, "the shape has too many items"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(9223372036854775807,)}",
         83, "the array has too many bytes"},
        {"{'descr': "
         "[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',[('a',"
         "[('a',[('a',[('a',[('a',[('a',[('a',[('a','|u1'",
         116, "more than 16 types inside of others"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct npy_header header = {0};
        struct npy_fault fault = {0};
        int result = parse(&header, 1, table[i].text, &fault);
        ok(result < 0 && fault.offset == table[i].offset &&
               strcmp(fault.text, table[i].what) == 0,
           "%zu: %s (%zu: %s)", i, table[i].what, fault.offset, fault.text);
        npy_header_close(&header);
    }
}

static void
test_versions(void)
{
    for (unsigned int version = 0; version <= 5; version++) {
        struct npy_header header = {0};
        struct npy_fault fault = {0};
        int result = parse(&header, version, "{'descr':'<f4'," TAIL, &fault);
        bool is_known = version >= 1 && version <= 3;
        ok(is_known ? result == 0 : result < 0 && fault.offset == 6,
           "version %u %s", version, fault.text);
        npy_header_close(&header);
    }
    ok(npy_header_bytes((const unsigned char *)"\x93NUMPY\1\0\2\0{", 11) == 0 &&
           npy_header_bytes((const unsigned char *)"\x93NUMPX\1\0\2\0{}", 12) ==
               0,
       "no header");
}

/* A header cut off anywhere is an error, and nothing behind is read. */
static void
test_cuts(void)
{
    size_t size;
    unsigned char *data = make(
        2, "{'descr': [('\\x41b', '<f4', (2,)), ('c', '|b1')], " TAIL, &size);
    size_t good = 0;

    for (size_t cut = 0; cut < size; cut++) {
        struct npy_header header;
        struct npy_fault fault;
        unsigned char *copy = malloc(cut + 1);
        if (copy == NULL)
            abort();
        memcpy(copy, data, cut);
        good += npy_header_parse(&header, copy, cut, &fault) == 0 ||
                fault.offset > cut;
        npy_header_close(&header);
        free(copy);
    }
    ok(good == 0, "cut off: an error");
    free(data);
}

static void
test_differences(void)
{
    static const struct {
        const char *one, *two;
        const char *wanted; /* "": none */
    } table[] = {
        {"'<f4'", "'<f4'", ""},
        {"'<f4'", "'>f4'", "the type is <f4, but >f4"},
        {"'|b1'", "'|u1'", "the type is |b1, but |u1"},
        {"'<M8[ns]'", "'<M8[s]'", "the type is <M8[ns], but <M8[s]"},
        {"'<f4'", "[('a', '<f4')]", "the type has no fields, but some"},
        {"[('a', '<f4')]", "'<f4'", "the type has fields, but none"},
        {"[('a', '<f4')]", "[('b', '<f4')]", "the name is 'a', but 'b'"},
        {"[('a', '<f4')]", "[('a', '<f4'), ('b', '<f4')]",
         "the type has 1 field, but 2"},
        {"[('a', '<f4'), ('b', '<i4')]", "[('a', '<f4'), ('b', '<f4')]",
         "the type of field 2 is <i4, but <f4"},
        {"[('a', '<f4'), ('','|V4'), ('b', '<f4')]",
         "[('a', '<f4'), ('b', '<f4')]", "the offset of field 2 is 8, but 4"},
        {"[('a', '|u1'), ('','|V4')]", "[('a', '|u1')]",
         "an item has 5 bytes, but 1"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct npy_header header[2];
        struct npy_fault fault;
        char text[200];
        char difference[200] = "";
        for (int n = 0; n < 2; n++) {
            snprintf(text, sizeof text, "{'descr': %s, " TAIL,
                     n == 0 ? table[i].one : table[i].two);
            if (parse(&header[n], 1, text, &fault) < 0)
                abort();
        }
        bool is_equal = npy_header_is_equal(&header[0], &header[1], difference,
                                            sizeof difference);
        ok(is_equal == (*table[i].wanted == '\0') &&
               strcmp(difference, table[i].wanted) == 0,
           "%s and %s: '%s'", table[i].one, table[i].two, difference);
        npy_header_close(&header[0]);
        npy_header_close(&header[1]);
    }
}

/* Fields by name. */
static void
test_names(void)
{
    static const struct {
        const char *list;
        const char *wanted; /* the indices, or NULL: refused */
    } table[] = {
        {"a", "0"},       {"x", "1 2"},        {"x[1]", "2"},
        {"n", "3 4 5 6"}, {"n.z", "4 6"},      {"n[1]", "5 6"},
        {"n[1].z", "6"},  {"x,a", "1 2 0"},    {"2,a", "1 0"},
        {"1a", "7"},      {"1-2,1a", "0 1 7"}, {"x,2", NULL},
        {"n.", NULL},     {"", NULL},          {"q", NULL},
        {"n[1", NULL},    {"ab", NULL},        {"9", NULL},
        {"-", NULL},      {"a,a", NULL},       {"1-", "0 1 2 3 4 5 6 7"},
    };
    struct npy_header header;
    struct npy_fault fault;

    if (parse(&header, 1,
              "{'descr': [('a', '|u1'), ('x', '|u1', (2,)), ('n', [('y', "
              "'|u1'), ('z', '|u1')], (2,)), ('1a', '|u1')], " TAIL,
              &fault) < 0)
        abort();
    for (size_t i = 0; i < COUNT(table); i++) {
        struct error error = ERROR_NONE;
        size_t *field = NULL;
        size_t count = 0;
        char got[100] = "";
        int result = record_parse_fields(&header.record, "--fields",
                                         table[i].list, &field, &count, &error);
        for (size_t n = 0; result == 0 && n < count; n++)
            snprintf(got + strlen(got), sizeof got - strlen(got), "%s%zu",
                     n > 0 ? " " : "", field[n]);
        ok(table[i].wanted == NULL
               ? result < 0 && error.status != EXIT_DONE
               : result == 0 && strcmp(got, table[i].wanted) == 0,
           "-f %s: %s%s", table[i].list, got,
           error.text != NULL ? error.text : "");
        if (result == 0)
            free(field);
        error_clear(&error);
    }
    struct record copy;
    ok(record_copy(&copy, &header.record) == 0 && copy.count == 8 &&
           strcmp(copy.name[7], "1a") == 0 && copy.element[7].offset == 7,
       "a copy");
    record_close(&copy);
    npy_header_close(&header);
}

int
main(void)
{
    test_types();
    test_encodings();
    test_elements();
    test_shapes();
    test_faults();
    test_versions();
    test_cuts();
    test_differences();
    test_names();
    return done_testing();
}
