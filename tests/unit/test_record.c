/* SPDX-License-Identifier: MIT */
/* test_record.c -- the types of a record, and lists of its fields */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "hist/record.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* Of a type that is not in the machine's order. */
#define SWAPPED 0x100u

static const struct {
    const char *code, *name;
    enum sample_type type;
    size_t bytes;
} types[] = {
    {"u1", "uint8", SAMPLE_U1, 1},
    {"i1", "int8", SAMPLE_I1, 1},
    {"u2", "uint16", SAMPLE_U2, 2},
    {"i2", "int16", SAMPLE_I2, 2},
    {"u4", "uint32", SAMPLE_U4, 4},
    {"i4", "int32", SAMPLE_I4, 4},
    {"u8", "uint64", SAMPLE_U8, 8},
    {"i8", "int64", SAMPLE_I8, 8},
    {"f2", "float16", SAMPLE_F2, 2},
    {"f4", "float32", SAMPLE_F4, 4},
    {"f8", "float64", SAMPLE_F8, 8},
    {"bf16", "bfloat16", SAMPLE_BF16, 2},
    {"f8e4m3", "float8_e4m3fn", SAMPLE_E4M3, 1},
    {"f8e5m2", "float8_e5m2", SAMPLE_E5M2, 1},
};

static bool
machine_is_big(void)
{
    const uint32_t one = 1;

    return *(const unsigned char *)&one == 0;
}

static int
parse(struct record *record, const char *text, enum byte_order order,
      struct error *error)
{
    return record_parse(record, text, order, "--option", error);
}

/* ---- types ---- */

static bool
is_one(const char *text, enum byte_order order, size_t type, bool is_big)
{
    struct record record;
    struct error error = ERROR_NONE;
    bool is_swapped = types[type].bytes > 1 && is_big;
    bool is_right = parse(&record, text, order, &error) == 0 &&
                    record.count == 1 && record.bytes == types[type].bytes &&
                    record.element[0].offset == 0 &&
                    record.element[0].type == types[type].type &&
                    record.element[0].is_swapped == is_swapped;

    record_close(&record);
    error_clear(&error);
    return is_right;
}

static void
test_types(void)
{
    for (size_t t = 0; t < COUNT(types); t++) {
        bool is_right =
            strcmp(record_type_name(types[t].type), types[t].code) == 0;
        for (int n = 0; n < 2; n++) {
            const char *name = n == 0 ? types[t].code : types[t].name;
            char little[20], big[20];
            snprintf(little, sizeof little, "<%s", name);
            snprintf(big, sizeof big, ">%s", name);
            is_right &= is_one(name, ORDER_MACHINE, t, machine_is_big()) &&
                        is_one(name, ORDER_LITTLE, t, false) &&
                        is_one(name, ORDER_BIG, t, true);
            for (int order = ORDER_MACHINE; order <= ORDER_BIG; order++)
                is_right &= is_one(little, (enum byte_order)order, t, false) &&
                            is_one(big, (enum byte_order)order, t, true);
        }
        ok(is_right, "%s, %s: in all orders", types[t].code, types[t].name);
    }
}

/* ---- records ---- */

static void
test_records(void)
{
    static const struct {
        const char *text;
        size_t bytes, count;
        struct {
            size_t offset;
            unsigned int type;
        } element[6];
    } table[] = {
        {"u1,u2", 3, 2, {{0, SAMPLE_U1}, {1, SAMPLE_U2}}},
        {"f8,i1,f8", 17, 3, {{0, SAMPLE_F8}, {8, SAMPLE_I1}, {9, SAMPLE_F8}}},
        {"u2*3", 6, 3, {{0, SAMPLE_U2}, {2, SAMPLE_U2}, {4, SAMPLE_U2}}},
        {"u2*1", 2, 1, {{0, SAMPLE_U2}}},
        {"u2*0003,u1",
         7,
         4,
         {{0, SAMPLE_U2}, {2, SAMPLE_U2}, {4, SAMPLE_U2}, {6, SAMPLE_U1}}},
        {"x,u1", 2, 1, {{1, SAMPLE_U1}}},
        {"u1,x", 2, 1, {{0, SAMPLE_U1}}},
        {"x*3,u1,x*2,f4,x", 11, 2, {{3, SAMPLE_U1}, {6, SAMPLE_F4}}},
        {"x,x,i8,x*5", 15, 1, {{2, SAMPLE_I8}}},
        {"<u2,>u2,u2",
         6,
         3,
         {{0, SAMPLE_U2}, {2, SAMPLE_U2 | SWAPPED}, {4, SAMPLE_U2 | SWAPPED}}},
        {">u2*2,<f4,float64,uint8",
         17,
         5,
         {{0, SAMPLE_U2 | SWAPPED},
          {2, SAMPLE_U2 | SWAPPED},
          {4, SAMPLE_F4},
          {8, SAMPLE_F8 | SWAPPED},
          {16, SAMPLE_U1}}},
        {">u1,<i1,>int8",
         3,
         3,
         {{0, SAMPLE_U1}, {1, SAMPLE_I1}, {2, SAMPLE_I1}}},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct record record;
        struct error error = ERROR_NONE;
        bool is_right = parse(&record, table[i].text, ORDER_BIG, &error) == 0 &&
                        record.bytes == table[i].bytes &&
                        record.count == table[i].count;
        for (size_t n = 0; is_right && n < record.count; n++) {
            unsigned int type = table[i].element[n].type;
            bool is_big = (type & SWAPPED) != 0;
            /* All but those with a < are big-endian here. */
            is_right =
                record.element[n].offset == table[i].element[n].offset &&
                record.element[n].type == (enum sample_type)(type & 0xff);
            if (strpbrk(table[i].text, "<>") != NULL)
                is_right &= record.element[n].is_swapped ==
                            (binning_size(type & 0xff) > 1 && is_big);
        }
        ok(is_right, "\"%s\": %zu bytes", table[i].text, table[i].bytes);
        record_close(&record);
        error_clear(&error);
    }
}

static void
test_limits(void)
{
    static const struct {
        const char *text;
        size_t bytes; /* 0: refused */
    } table[] = {
        {"u1*4096", 4096},
        {"u1*4097", 0},
        {"f8*4096", 32768},
        {"u1*4095,u2", 4097},
        {"u1*4096,u2", 0},
        {"u1*4000,u2*96", 4192},
        {"u1*4000,u2*97", 0},
        {"u1,x*65535", 65536},
        {"u1,x*65536", 0},
        {"x*65535,u1", 65536},
        {"x*65535,u2", 0},
        {"x*65536,u1", 0},
        {"x*65537,u1", 0},
        {"x*65536,x*65536,u1", 0},
        {"f8*4096,x*32768", 65536},
        {"f8*4096,x*32769", 0},
        {"x*18446744073709551616,u1", 0},
        {"u1*18446744073709551617", 0},
        {"u1*4294967297", 0},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct record record;
        struct error error = ERROR_NONE;
        int result = parse(&record, table[i].text, ORDER_MACHINE, &error);
        bool is_right = table[i].bytes > 0
                            ? result == 0 && record.bytes == table[i].bytes
                            : result == -1 && error.status == EXIT_USAGE;
        ok(is_right, "\"%s\": %s", table[i].text,
           table[i].bytes > 0 ? "just not too long" : "too long");
        record_close(&record);
        error_clear(&error);
    }
}

static void
test_errors(void)
{
    static const struct {
        const char *text;
        const char *word; /* that the message names */
    } table[] = {
        {"", "''"},
        {",", "''"},
        {"u1,", "''"},
        {",u1", "''"},
        {"u1,,u1", "''"},
        {"u3", "'u3'"},
        {"U1", "'U1'"},
        {"u16", "'u16'"},
        {"u", "'u'"},
        {"u1u1", "'u1u1'"},
        {"f1", "'f1'"},
        {"f16", "'f16'"},
        {"int", "'int'"},
        {"uint128", "'uint128'"},
        {"float", "'float'"},
        {"=u2", "'=u2'"},
        {"|u1", "'|u1'"},
        {"<", "'<'"},
        {"<>u2", "'<>u2'"},
        {"u2<", "'u2<'"},
        {"<x,u1", "'<x'"},
        {"u1 ,u2", "'u1 '"},
        {" u1", "' u1'"},
        {"u1, u2", "' u2'"},
        {"u1*", "'u1*'"},
        {"u1*0", "'u1*0'"},
        {"x*0,u1", "'x*0'"},
        {"u1*-1", "'u1*-1'"},
        {"u1*+1", "'u1*+1'"},
        {"u1* 1", "'u1* 1'"},
        {"u1*1x", "'u1*1x'"},
        {"u1*1*2", "'u1*1*2'"},
        {"u1*1.0", "'u1*1.0'"},
        {"u1*x", "'u1*x'"},
        {"*3", "'*3'"},
        {"u1,*3,u2", "'*3'"},
        {"3*u1", "'3*u1'"},
        {"u1;u2", "'u1;u2'"},
        {"u1,u2,z,u4", "'z'"},
        {"x", "'x' has no field"},
        {"x*5", "'x*5' has no field"},
        {"x,x", "'x,x' has no field"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct record record;
        struct error error = ERROR_NONE;
        int result = parse(&record, table[i].text, ORDER_MACHINE, &error);
        bool is_right = result == -1 && error.status == EXIT_USAGE &&
                        strncmp(error.text, "--option: ", 10) == 0 &&
                        strstr(error.text, table[i].word) != NULL;
        ok(is_right, "\"%s\": refused", table[i].text);
        if (!is_right)
            printf("# %s\n", error.text != NULL ? error.text : "no error");
        record_close(&record);
        error_clear(&error);
    }
}

/* ---- lists of fields ---- */

static void
test_fields(void)
{
    static const struct {
        const char *list;
        size_t count; /* 0: refused */
        size_t field[9];
    } table[] = {
        {"1", 1, {1}},
        {"9", 1, {9}},
        {"009", 1, {9}},
        {"1,2", 2, {1, 2}},
        {"2,1", 2, {2, 1}},
        {"9,1,5", 3, {9, 1, 5}},
        {"1-3", 3, {1, 2, 3}},
        {"3-3", 1, {3}},
        {"7-", 3, {7, 8, 9}},
        {"9-", 1, {9}},
        {"-3", 3, {1, 2, 3}},
        {"-1", 1, {1}},
        {"1-", 9, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
        {"-9", 9, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
        {"8-,-2,5", 5, {8, 9, 1, 2, 5}},
        {"4-5,1,2-3", 5, {4, 5, 1, 2, 3}},
        {"", 0, {0}},
        {",", 0, {0}},
        {"1,", 0, {0}},
        {",1", 0, {0}},
        {"1,,2", 0, {0}},
        {"0", 0, {0}},
        {"10", 0, {0}},
        {"18446744073709551617", 0, {0}},
        {"-", 0, {0}},
        {"--", 0, {0}},
        {"1--2", 0, {0}},
        {"--2", 0, {0}},
        {"1-2-3", 0, {0}},
        {"1-2-", 0, {0}},
        {"3-2", 0, {0}},
        {"0-3", 0, {0}},
        {"-0", 0, {0}},
        {"3-10", 0, {0}},
        {"-10", 0, {0}},
        {"10-", 0, {0}},
        {"1,1", 0, {0}},
        {"1-3,2", 0, {0}},
        {"5,-9", 0, {0}},
        {"7-,-7", 0, {0}},
        {"a", 0, {0}},
        {"1a", 0, {0}},
        {"1-a", 0, {0}},
        {"1 2", 0, {0}},
        {" 1", 0, {0}},
        {"1- 2", 0, {0}},
        {"+1", 0, {0}},
        {"1.0", 0, {0}},
        {"1;2", 0, {0}},
    };
    struct record record;
    struct error error = ERROR_NONE;

    if (parse(&record, "u1,u2,u4,x*7,u8,i1,i2,f2,f4,f8", ORDER_MACHINE,
              &error) < 0)
        abort();
    for (size_t i = 0; i < COUNT(table); i++) {
        size_t *field = NULL;
        size_t count = 0;
        int result = record_parse_fields(&record, "--fields", table[i].list,
                                         &field, &count, &error);
        bool is_right;
        if (table[i].count == 0) {
            is_right = result == -1 && error.status == EXIT_USAGE &&
                       strncmp(error.text, "--fields=", 9) == 0;
        } else {
            is_right = result == 0 && count == table[i].count;
            for (size_t n = 0; is_right && n < count; n++)
                is_right = field[n] == table[i].field[n] - 1;
            free(field);
        }
        ok(is_right, "fields \"%s\": %s", table[i].list,
           table[i].count > 0 ? "taken" : "refused");
        error_clear(&error);
    }
    record_close(&record);
}

int
main(void)
{
    test_types();
    test_records();
    test_limits();
    test_errors();
    test_fields();
    return done_testing();
}
