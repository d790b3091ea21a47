/* SPDX-License-Identifier: MIT */
/* test_safetensors_header.c -- headers of safetensors files: arrays, faults */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "hist/safetensors_header.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Parse TEXT, in a block of its own. */
static int
parse(struct safetensors_header *header, const char *text, size_t size,
      struct npy_fault *fault)
{
    unsigned char *data = malloc(size + 1);

    if (data == NULL)
        abort();
    memcpy(data, text, size);
    int result = safetensors_header_parse(header, data, size, fault);
    free(data);
    return result;
}

/* "NAME TYPE START+BYTES, ..." of the arrays. */
static void
describe(const struct safetensors_header *header, char *text, size_t size)
{
    size_t used = 0;

    *text = '\0';
    for (size_t i = 0; i < header->count && used < size; i++) {
        const struct safetensors_array *array = &header->array[i];
        used += (size_t)snprintf(
            text + used, size - used, "%s%s %s %llu+%llu", i > 0 ? ", " : "",
            array->name, safetensors_array_type(array),
            (unsigned long long)array->start, (unsigned long long)array->bytes);
    }
}

#define ARRAY(name, type, shape, from, to)                   \
    "\"" name "\":{\"dtype\":\"" type "\",\"shape\":[" shape \
    "],\"data_offsets\":[" #from "," #to "]}"

static void
test_arrays(void)
{
    static const struct {
        const char *text;
        const char *wanted;
    } table[] = {
        {"{}", ""},
        {" \t\r\n{ } \n ", ""},
        {"{" ARRAY("a", "F32", "3", 0, 12) "}", "a F32 0+12"},
        {"{" ARRAY("a", "F64", "", 0, 8) "}", "a F64 0+8"},
        {"{" ARRAY("a", "U8", "0", 0, 0) "}", "a U8 0+0"},
        {"{" ARRAY("b", "I16", "2,3", 4, 16) "," ARRAY("a", "BOOL", "4", 0,
                                                       4) "}",
         "a BOOL 0+4, b I16 4+12"},
        {"{" ARRAY("b", "U8", "0,7", 4, 4) "," ARRAY(
             "a", "I8", "4", 0, 4) "," ARRAY("c", "C64", "1", 4, 12) "}",
         "a I8 0+4, b U8 4+0, c C64 4+8"},
        {"{\"__metadata__\":{\"format\":\"pt\"}," ARRAY("a", "BF16", "1", 0,
                                                        2) "}",
         "a BF16 0+2"},
        {"{\"__metadata__\":{}," ARRAY("a", "F16", "1", 0, 2) "}", "a F16 0+2"},
        {"{" ARRAY("a", "F8_E4M3", "1", 0, 1) ",\"__metadata__\":null}",
         "a F8_E4M3 0+1"},
        {"{" ARRAY("a\\u00e9\\ud83d\\ude00\\n\\\"", "F8_E5M2", "1", 0, 1) "}",
         "a\xc3\xa9\xf0\x9f\x98\x80\n\" F8_E5M2 0+1"},
        {"{" ARRAY("", "U8", "1", 0, 1) "}", " U8 0+1"},
        {"{" ARRAY("a", "F4", "3,2", 0, 3) "," ARRAY("b", "F6_E2M3", "4", 3,
                                                     6) "}",
         "a F4 0+3, b F6_E2M3 3+3"},
        {"{\"a\" : { \"shape\" : [ 1 , 2 ] , \"data_offsets\" : [ 0 , 8 ] ,\n"
         "\"dtype\" : \"\\u0049\\u00332\" } }",
         "a I32 0+8"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct safetensors_header header;
        struct npy_fault fault;
        char got[200] = "";
        int result =
            parse(&header, table[i].text, strlen(table[i].text), &fault);
        if (result == 0)
            describe(&header, got, sizeof got);
        ok(result == 0 && strcmp(got, table[i].wanted) == 0, "%s: %s (%s)",
           table[i].text, got, fault.text);
        safetensors_header_close(&header);
    }
}

static void
test_faults(void)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *what;
    } table[] = {
        {"", 0, "'{' is missing"},
        {"[]", 0, "'{' is missing"},
        {"{", 1, "a string is missing"},
        {"{}x", 2, "something after the object"},
        {"{\"a\"}", 4, "':' is missing"},
        {"{\"a\":1}", 5, "'{' is missing"},
        {"{\"a\":{}}", 1, "array 'a': no 'dtype'"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1,
         "array 'a': no 'data_offsets'"},
        {"{" ARRAY("a", "F33", "3", 0, 12) "}", 1,
         "array 'a': the type 'F33' is unknown"},
        {"{" ARRAY("a", "F32", "3", 0, 13) "}", 1,
         "array 'a': its shape and type take 12 bytes, but its offsets 13"},
        {"{" ARRAY("a", "F32", "3", 12, 0) "}", 1,
         "array 'a': it ends before its start"},
        {"{" ARRAY("a", "F4", "3", 0, 1) "}", 1,
         "array 'a': it ends inside of a byte"},
        {"{" ARRAY("a", "U8", "1", 1, 2) "}", 1,
         "array 'a': it starts at byte 1 of the data, but the arrays before "
         "end at byte 0"},
        {"{" ARRAY("a", "U8", "2", 0, 2) "," ARRAY("b", "U8", "2", 1, 3) "}",
         53,
         "array 'b': it starts at byte 1 of the data, but the arrays before "
         "end at byte 2"},
        {"{" ARRAY("a", "U8", "0", 0, 0) "," ARRAY("a", "U8", "0", 0, 0) "}",
         53, "array 'a': the name twice"},
        {"{" ARRAY("a", "U8", "-1", 0, 0) "}", 28,
         "a whole number from 0 on is missing"},
        {"{" ARRAY("a", "U8", "01", 0, 1) "}", 28,
         "what is here is no number of JSON"},
        {"{" ARRAY("a", "U8", "1.0", 0, 1) "}", 28, "the number is not whole"},
        {"{" ARRAY("a", "U8", "18446744073709551616", 0, 1) "}", 28,
         "the number is too large"},
        {"{" ARRAY("a", "U8", "4294967296,4294967296", 0, 1) "}", 1,
         "array 'a': the shape has too many items"},
        {"{" ARRAY("a", "U16", "1152921504606846976", 0, 1) "}", 1,
         "array 'a': the shape has too many items"},
        {"{" ARRAY("a", "U8", "1", 0, 1) ",}", 53, "a string is missing"},
        {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 1,
         "array 'a': the member 'dtype' twice"},
        {"{\"a\":{\"scale\":1}}", 1,
         "array 'a': the member 'scale' is unknown"},
        {"{\"__metadata__\":{\"a\":1}}", 21, "a string is missing"},
        {"{\"__metadata__\":{},\"__metadata__\":{}}", 19,
         "'__metadata__' twice"},
        {"{\"\\ud83d\":{}}", 1, "a string has half of a surrogate pair"},
        {"{\"\\ude00\\ud83d\":{}}", 1, "a string has half of a surrogate pair"},
        {"{\"a\\u0000b\":{}}", 1, "a name has a NUL character"},
        {"{\"a\xff\":{}}", 3, "what is here is no UTF-8"},
        {"{\"a\tb\":{}}", 3, "what is here is a control character in a string"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1,2]}}",
         50, "']' is missing"},
        {"{" ARRAY("a", "U8", "2305843009213693951", 0, 2305843009213693951) "," ARRAY(
             "b", "U8", "2305843009213693951", 2305843009213693951,
             4611686018427387902) "," ARRAY("c", "U8", "2305843009213693951",
                                            4611686018427387902,
                                            6917529027641081853) "," ARRAY("d",
                                                                           "U8",
                                                                           "2305843009213693951",
                                                                           6917529027641081853,
                                                                           9223372036854775804) "}",
         301, "array 'd': its offset is too large"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct safetensors_header header;
        struct npy_fault fault;
        int result =
            parse(&header, table[i].text, strlen(table[i].text), &fault);
        ok(result < 0 && fault.offset == table[i].offset &&
               strcmp(fault.text, table[i].what) == 0,
           "%zu: %s (%zu: %s)", i, table[i].what, fault.offset, fault.text);
        safetensors_header_close(&header);
    }
}

/* A header cut off anywhere is an error, and nothing after the cut is read. */
static void
test_cuts(void)
{
    static const char text[] =
        "{\"__metadata__\":{\"a\":\"\\ud83d\\ude00\"}," ARRAY(
            "a", "F32", "3", 0, 12) "," ARRAY("\\u0041", "I8", "0", 12, 12) "}";
    size_t good = 0;

    for (size_t cut = 0; cut < sizeof text - 1; cut++) {
        struct safetensors_header header;
        struct npy_fault fault;
        good += parse(&header, text, cut, &fault) == 0 || fault.offset > cut;
        safetensors_header_close(&header);
    }
    ok(good == 0, "cut off: an error");
}

/* Types as headers of arrays: what is counted, and what is not. */
static void
test_types(void)
{
    static const struct {
        const char *type, *bytes;
        size_t count, size; /* of the elements; 0: not counted */
        uint64_t most;
    } table[] = {
        {"BOOL", "12", 1, 1, 1}, {"U8", "12", 1, 1, 0},
        {"I64", "96", 1, 8, 0},  {"BF16", "24", 1, 2, 0},
        {"C64", "96", 2, 8, 0},  {"F8_E4M3", "12", 1, 1, 0},
        {"F4", "6", 0, 0, 0},    {"F8_E8M0", "12", 0, 0, 0},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct safetensors_header header;
        struct npy_header npy = {0};
        struct npy_array array;
        struct npy_fault fault;
        char text[200];
        snprintf(text, sizeof text,
                 "{\"a\":{\"dtype\":\"%s\",\"shape\":[12],\"data_offsets\":"
                 "[0,%s]}}",
                 table[i].type, table[i].bytes);
        bool is_right = parse(&header, text, strlen(text), &fault) == 0;
        bool is_counted =
            is_right && safetensors_array_describe(&header.array[0], &array);
        if (is_counted)
            is_right = npy_header_make(&npy, &array) == 0 &&
                       npy.record.count == table[i].count &&
                       npy.record.bytes == table[i].size &&
                       npy.bytes == header.bytes &&
                       npy.record.element[0].most == table[i].most &&
                       strcmp(npy.type[0], table[i].type) == 0 &&
                       (npy.record.name != NULL) == (table[i].count == 2);
        ok(is_right && is_counted == (table[i].count > 0), "%s (%s)",
           table[i].type, fault.text);
        npy_header_close(&npy);
        safetensors_header_close(&header);
    }
}

int
main(void)
{
    test_arrays();
    test_faults();
    test_cuts();
    test_types();
    return done_testing();
}
