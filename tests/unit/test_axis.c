/* SPDX-License-Identifier: MIT */
/* test_axis.c -- axes made from texts, and the errors in texts */

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../scratch.h"
#include "../tap.h"
#include "hist/axis.h"
#include "hist/axis_rule.h"

#define WATCHDOG_SECONDS 120
#define COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- files ---- */

static void
write_file(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "w");

    if (file == NULL || fwrite(text, 1, size, file) != size ||
        fclose(file) != 0)
        abort();
}

/* ---- one axis ---- */

static struct binning_axis axis;
static struct axis_edges edges;
static struct error error;

static int
make(enum sample_type type, const struct axis_texts *texts,
     enum binning_closed closed)
{
    struct element element = {.offset = 3, .type = type};

    error_clear(&error);
    free(edges.edge);
    edges = (struct axis_edges){0};
    return axis_make(&axis, &edges, texts, &element, closed, &error);
}

static void
describe(char text[200], enum sample_type type, const struct axis_texts *texts)
{
    const struct {
        const char *name, *given;
    } parts[] = {
        {"--bins=", texts->bins},   {"--range=", texts->range},
        {"--edges=", texts->edges}, {"--bin-width=", texts->bin_width},
        {"--log=", texts->log},     {"--subdiv=", texts->subdiv},
        {"--shift=", texts->shift}, {"--mask=", texts->mask},
        {"--mod=", texts->mod},
    };
    size_t used = (size_t)snprintf(text, 200, "%s", record_type_name(type));

    for (size_t i = 0; i < COUNT(parts); i++) {
        if (parts[i].given != NULL)
            used += (size_t)snprintf(
                text + used, 200 - used, " %s%.30s", parts[i].name,
                strpbrk(parts[i].given, "\n\t") == NULL ? parts[i].given
                                                        : "(white space)");
    }
}

/* ---- what is refused ---- */

static void
test_errors(void)
{
    static const struct {
        enum sample_type type;
        struct axis_texts texts;
        const char *text; /* a part of the message */
        enum binning_closed closed;
    } table[] = {
        /* Options that exclude each other. */
        {SAMPLE_U1, {.bins = "1", .bin_width = "1"}, "--bin-width", 0},
        {SAMPLE_U1, {.bins = "1", .edges = "1,2"}, "--edges", 0},
        {SAMPLE_U1, {.bins = "1", .log = "2"}, "--log", 0},
        {SAMPLE_U1, {.bin_width = "1", .edges = "1,2"}, "only one", 0},
        {SAMPLE_U1, {.bin_width = "1", .log = "2"}, "only one", 0},
        {SAMPLE_U1,
         {.edges = "1,2", .log = "2"},
         "an axis takes only one of --bins, --bin-width, --edges, --log and "
         "--scale",
         0},
        {SAMPLE_U1,
         {.edges = "1,2", .range = "1,2"},
         "--range has no effect with --edges",
         0},
        {SAMPLE_U1, {.subdiv = "1"}, "--subdiv needs --log", 0},
        {SAMPLE_U1, {.subdiv = "1", .bins = "3"}, "--subdiv", 0},

        /* --shift, --mask, --mod */
        {SAMPLE_F2, {.shift = "1", .bins = "1", .range = "0,1"}, "--shift", 0},
        {SAMPLE_F4, {.mask = "1", .bins = "1", .range = "0,1"}, "--mask", 0},
        {SAMPLE_F8, {.mod = "1", .bins = "1", .range = "0,1"}, "--mod", 0},
        {SAMPLE_E4M3, {.mod = "1", .bins = "1", .range = "0,1"}, "--mod", 0},
        {SAMPLE_E5M2, {.shift = "8"}, "--shift=8: ", 0},
        {SAMPLE_U1, {.shift = "8"}, "--shift=8: ", 0},
        {SAMPLE_I1, {.shift = "8"}, "--shift=8: ", 0},
        {SAMPLE_U2, {.shift = "16"}, "--shift=16: ", 0},
        {SAMPLE_I4, {.shift = "32"}, "--shift=32: ", 0},
        {SAMPLE_U8, {.shift = "64"}, "--shift=64: ", 0},
        {SAMPLE_U1, {.shift = "-1"}, "--shift=-1: ", 0},
        {SAMPLE_U1, {.shift = ""}, "--shift=: ", 0},
        {SAMPLE_U1, {.shift = "1.0"}, "--shift=1.0: ", 0},
        {SAMPLE_U1, {.shift = " 1"}, "--shift= 1: ", 0},
        {SAMPLE_U1, {.shift = "4294967296"}, "--shift=4294967296: ", 0},
        {SAMPLE_U1, {.shift = "18446744073709551616"}, "--shift=1844", 0},
        {SAMPLE_U1, {.mask = "-1"}, "--mask=-1: ", 0},
        {SAMPLE_U1, {.mask = ""}, "--mask=: ", 0},
        {SAMPLE_U1, {.mask = "0x"}, "--mask=0x: ", 0},
        {SAMPLE_U1, {.mask = "ff"}, "--mask=ff: ", 0},
        {SAMPLE_U1, {.mask = "0xfg"}, "--mask=0xfg: ", 0},
        {SAMPLE_U1, {.mask = "0x0x1"}, "--mask=0x0x1: ", 0},
        {SAMPLE_U1, {.mask = "0x-1"}, "--mask=0x-1: ", 0},
        {SAMPLE_U8, {.mask = "18446744073709551616"}, "--mask=1844", 0},
        {SAMPLE_U8, {.mask = "0x10000000000000000"}, "--mask=0x1000", 0},
        {SAMPLE_U1, {.mod = "0"}, "--mod=0: ", 0},
        {SAMPLE_U1, {.mod = "-3"}, "--mod=-3: ", 0},
        {SAMPLE_U1, {.mod = ""}, "--mod=: ", 0},
        {SAMPLE_U1, {.mod = "1e3"}, "--mod=1e3: ", 0},
        {SAMPLE_U8, {.mod = "9223372036854775809"}, "--mod=9223", 0},

        /* --range of values */
        {SAMPLE_U4, {0}, "--range", 0},
        {SAMPLE_I8, {0}, "--range", 0},
        {SAMPLE_U4, {0}, "more than 2147483648", 0},
        {SAMPLE_U4, {.mod = "2147483649"}, "--range", 0},
        {SAMPLE_U8, {.shift = "32"}, "--range", 0},
        {SAMPLE_U8, {.mask = "0x80000000"}, "--range", 0},
        {SAMPLE_I8, {.shift = "32"}, "--range", 0},
        {SAMPLE_U1, {.range = ""}, "--range=: ", 0},
        {SAMPLE_U1, {.range = "1"}, "--range=1: ", 0},
        {SAMPLE_U1, {.range = "1,"}, "--range=1,: ", 0},
        {SAMPLE_U1, {.range = ",1"}, "--range=,1: ", 0},
        {SAMPLE_U1, {.range = "1,2,3"}, "--range=1,2,3: ", 0},
        {SAMPLE_U1, {.range = "1,2:3"}, "--range=1,2:3: ", 0},
        {SAMPLE_U1, {.range = "0.5,3"}, "--range=0.5,3: ", 0},
        {SAMPLE_U1, {.range = "1,inf"}, "--range=1,inf: ", 0},
        {SAMPLE_U1, {.range = "nan,2"}, "--range=nan,2: ", 0},
        {SAMPLE_U1, {.range = "0x1,0x2g"}, "--range=0x1,0x2g: ", 0},
        {SAMPLE_U1, {.range = "2,2"}, "LO must be less than HI", 0},
        {SAMPLE_U1, {.range = "3,2"}, "--range=3,2: ", 0},
        {SAMPLE_U1, {.range = "256,257"}, "no value of this field", 0},
        {SAMPLE_U1, {.range = "-5,0"}, "no value of this field", 0},
        {SAMPLE_I1, {.range = "128,130"}, "no value of this field", 0},
        {SAMPLE_I1, {.range = "-130,-128"}, "no value of this field", 0},
        {SAMPLE_U1,
         {.range = "255,256"},
         "no value of this field",
         BINNING_RIGHT},
        {SAMPLE_U1, {.range = "4,9", .mod = "4"}, "no value of this field", 0},
        {SAMPLE_U1, {.range = "-5,300"}, "beyond", 0},
        {SAMPLE_U8, {.range = "-1,5"}, "beyond", 0},
        {SAMPLE_U8,
         {.range = "18446744073709551615,1844674407370955161700"},
         "--range=",
         0},
        {SAMPLE_I8,
         {.range = "9223372036854775800,9223372036854775809"},
         "beyond",
         0},
        {SAMPLE_I8,
         {.range = "-9223372036854775809,-9223372036854775800"},
         "beyond",
         0},
        {SAMPLE_U8,
         {.range = "18446744073709551610,18446744073709551616"},
         "beyond",
         BINNING_RIGHT},
        {SAMPLE_U4, {.range = "0,2147483649"}, "2^31", 0},
        {SAMPLE_U8, {.range = "0,18446744073709551616"}, "2^31", 0},

        /* --range and --bins */
        {SAMPLE_U4, {.bins = "3"}, "--range", 0},
        {SAMPLE_F2, {0}, "--range", 0},
        {SAMPLE_F8, {.bins = "3"}, "--range", 0},
        {SAMPLE_F8, {.bin_width = "3"}, "--range", 0},
        {SAMPLE_F8, {.range = "0,0"}, "LO must be less than HI", 0},
        {SAMPLE_F8, {.range = "0,-0"}, "LO must be less than HI", 0},
        {SAMPLE_F8, {.range = "1,0"}, "--range=1,0: ", 0},
        {SAMPLE_F8, {.range = "1,1.00000000000000001"}, "less than", 0},
        {SAMPLE_F8, {.range = "0,inf"}, "--range=0,inf: ", 0},
        {SAMPLE_F8, {.range = "-inf,0"}, "--range=-inf,0: ", 0},
        {SAMPLE_F8, {.range = "nan,0"}, "--range=nan,0: ", 0},
        {SAMPLE_F8, {.range = "0,1e309"}, "--range=0,1e309: ", 0},
        {SAMPLE_F8, {.range = "0,0x1.8"}, "--range=0,0x1.8: ", 0},
        {SAMPLE_F8, {.range = "0, 1"}, "--range=0, 1: ", 0},
        {SAMPLE_F8, {.range = "-1e308,1e308"}, "too wide", 0},
        {SAMPLE_F8, {.range = "0"}, "--range=0: ", 0},
        {SAMPLE_F8,
         {.range = "0,"
                   "1.00000000000000000000000000000000000000000000000000000000"
                   "000000"},
         "--range=",
         0},
        {SAMPLE_F8, {.bins = "0", .range = "0,1"}, "--bins=0: ", 0},
        {SAMPLE_F8, {.bins = "-1", .range = "0,1"}, "--bins=-1: ", 0},
        {SAMPLE_F8, {.bins = "", .range = "0,1"}, "--bins=: ", 0},
        {SAMPLE_F8, {.bins = "1.5", .range = "0,1"}, "--bins=1.5: ", 0},
        {SAMPLE_F8, {.bins = "auto", .range = "0,1"}, "--bins=auto finds", 0},
        {SAMPLE_F8, {.bins = "out", .range = "0,1"}, "--bins=out: ", 0},
        {SAMPLE_F8, {.range = "minmax", .log = "2"}, "--range=minmax has", 0},
        {SAMPLE_F8, {.range = "minmax:1"}, "--range=minmax:1: ", 0},
        {SAMPLE_F8, {.range = "minmax:2,1"}, "--range=minmax:2,1: ", 0},
        {SAMPLE_F8, {.range = "minmax:1,2"}, "--range=minmax", BINNING_RIGHT},
        {SAMPLE_F8, {.edges = "quantile:2"}, "--edges=quantile:2: ", 0},
        {SAMPLE_F8, {.bins = "2147483649", .range = "0,1"}, "--bins=2147", 0},
        {SAMPLE_F8, {.bins = "1e300", .range = "0,1"}, "--bins=1e300: ", 0},
        {SAMPLE_U1, {.bins = "0"}, "--bins=0: ", 0},
        {SAMPLE_F8,
         {.bins = "16", .range = "1e15,1000000000000001"},
         "narrow",
         0},
        {SAMPLE_F8,
         {.bins = "100", .range = "1,1.00000000000000022"},
         "narrow",
         0},
        {SAMPLE_F8,
         {.bins = "2147483648", .range = "1e9,1000000100"},
         "narrow",
         0},
        {SAMPLE_F8, {.bins = "3", .range = "0,1e-323"}, "narrow", 0},

        /* --bin-width */
        {SAMPLE_F8, {.bin_width = "0", .range = "0,1"}, "--bin-width=0: ", 0},
        {SAMPLE_F8, {.bin_width = "-1", .range = "0,1"}, "--bin-width=-1: ", 0},
        {SAMPLE_F8, {.bin_width = "", .range = "0,1"}, "--bin-width=: ", 0},
        {SAMPLE_F8, {.bin_width = "inf", .range = "0,1"}, "--bin-width=inf", 0},
        {SAMPLE_F8, {.bin_width = "nan", .range = "0,1"}, "--bin-width=nan", 0},
        {SAMPLE_F8, {.bin_width = "1e-10", .range = "0,1"}, "2^31 bins", 0},
        {SAMPLE_F8, {.bin_width = "5e-324", .range = "0,1"}, "--bin-width=", 0},
        {SAMPLE_F8,
         {.bin_width = "0.0625", .range = "1e15,1000000000000001"},
         "narrow",
         0},

        /* --range=auto */
        {SAMPLE_F8, {.range = "auto", .bin_width = "1"}, "--bin-width", 0},
        {SAMPLE_F8, {.range = "auto"}, "--numpy", BINNING_NUMPY},
        {SAMPLE_F8, {.range = "auto", .bins = "3"}, "--bins=3: ", 0},
        {SAMPLE_F8, {.range = "auto", .bins = "x"}, "--bins=x: ", 0},
        {SAMPLE_F8, {.bins = "3"}, "--bins=3: ", 0},
        {SAMPLE_F8, {.bins = "50"}, "--numpy", BINNING_NUMPY},
        {SAMPLE_F8, {.bin_width = "1"}, "--bin-width", 0},
        {SAMPLE_U1, {.range = "auto,1"}, "--range=auto,1: ", 0},
        {SAMPLE_F8,
         {.range = "auto", .log = "2"},
         "--range=auto: does not work with --log",
         0},

        /* --edges */
        {SAMPLE_F8, {.edges = ""}, "--edges", 0},
        {SAMPLE_F8, {.edges = ","}, "--edges", 0},
        {SAMPLE_F8, {.edges = "1"}, "at least two", 0},
        {SAMPLE_F8, {.edges = "1,1"}, "edge 2, 1,", 0},
        {SAMPLE_F8, {.edges = "0,-0"}, "edge 2, -0,", 0},
        {SAMPLE_F8, {.edges = "1,3,2"}, "--edges: edge 3, 2,", 0},
        {SAMPLE_F8,
         {.edges = "9007199254740992,9007199254740993"},
         "edge 2",
         0},
        {SAMPLE_F8, {.edges = "1,nan"}, "--edges: 'nan'", 0},
        {SAMPLE_F8, {.edges = "-inf,1"}, "--edges: '-inf'", 0},
        {SAMPLE_F8, {.edges = "1,1e309"}, "--edges: '1e309'", 0},
        {SAMPLE_F8, {.edges = "1,x"}, "--edges: 'x'", 0},
        {SAMPLE_F8, {.edges = "1;2"}, "--edges: '1;2'", 0},
        {SAMPLE_F8,
         {.edges = "@missing"},
         "--edges=@missing: cannot read: No such file",
         0},
        {SAMPLE_F8, {.edges = "@"}, "--edges=@: cannot read", 0},
        {SAMPLE_F8, {.edges = "@."}, "--edges=@.: cannot read: Is a dir", 0},
        {SAMPLE_F8, {.edges = "@empty"}, "empty: at least two edges", 0},
        {SAMPLE_F8, {.edges = "1,,2"}, "--edges=1,,2: an edge is missing", 0},
        {SAMPLE_F8, {.edges = "1,2,"}, "--edges=1,2,: an edge is missing", 0},
        {SAMPLE_F8, {.edges = "@blank"}, "blank: at least two edges", 0},
        {SAMPLE_F8, {.edges = "@one"}, "one: at least two edges", 0},
        {SAMPLE_F8, {.edges = "@unsorted"}, "unsorted: edge 3, 2,", 0},
        {SAMPLE_F8, {.edges = "@letters"}, "letters: 'b'", 0},
        {SAMPLE_F8, {.edges = "@doubles"}, "doubles: ", 0},
        /* A zero byte does not end the file silently. */
        {SAMPLE_F8, {.edges = "@zero-byte"}, "zero-byte: ", 0},

        /* --log */
        {SAMPLE_F8, {.scale = ""}, "--scale=: ", 0},
        {SAMPLE_F8, {.scale = "21"}, "--scale=21: ", 0},
        {SAMPLE_F8, {.scale = "-11"}, "--scale=-11: ", 0},
        {SAMPLE_F8, {.scale = "1", .range = "auto"}, "--scale", 0},
        {SAMPLE_F8, {.scale = "1", .subdiv = "1"}, "--subdiv needs --log", 0},
        {SAMPLE_F8, {.log = ""}, "--log=: ", 0},
        {SAMPLE_F8, {.log = "3"}, "--log=3: ", 0},
        {SAMPLE_F8, {.log = "2.0"}, "--log=2.0: ", 0},
        {SAMPLE_F8, {.log = "E"}, "--log=E: ", 0},
        {SAMPLE_F8, {.log = "2", .subdiv = "21"}, "--subdiv=21: ", 0},
        {SAMPLE_F8, {.log = "2", .subdiv = "-1"}, "--subdiv=-1: ", 0},
        {SAMPLE_F8, {.log = "2", .subdiv = ""}, "--subdiv=: ", 0},
        {SAMPLE_F8, {.log = "10", .subdiv = "1.5"}, "--subdiv=1.5: ", 0},
        {SAMPLE_F8, {.log = "2", .range = "0,1"}, "--range=0,1: ", 0},
        {SAMPLE_F8, {.log = "2", .range = "-1,1"}, "--range=-1,1: ", 0},
        {SAMPLE_F8, {.log = "2", .range = "2e-308,1"}, "--range=2e-308,1", 0},
        {SAMPLE_F8, {.log = "10", .range = "0,1"}, "--range=0,1: ", 0},
        {SAMPLE_F8, {.log = "e", .range = "2,1"}, "--range=2,1: ", 0},
        {SAMPLE_U1, {.log = "10", .range = "1,x"}, "--range=1,x: ", 0},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[200];
        int result = make(table[i].type, &table[i].texts, table[i].closed);
        bool is_right = result == -1 && error.status == EXIT_USAGE &&
                        strstr(error.text, table[i].text) != NULL;
        describe(text, table[i].type, &table[i].texts);
        ok(is_right, "refused: %s", text);
        if (!is_right)
            printf("# %s\n", error.text != NULL ? error.text : "no error");
    }
}

/* ---- bins for values ---- */

static void
test_direct(void)
{
    static const struct {
        enum sample_type type;
        struct axis_texts texts;
        enum binning_closed closed;
        uint64_t first; /* as two's complement */
        uint64_t bins;
        unsigned int flows;
    } table[] = {
        {SAMPLE_U1, {0}, 0, 0, 256, 0},
        {SAMPLE_I1, {0}, 0, (uint64_t)-128, 256, 0},
        {SAMPLE_U2, {0}, 0, 0, 65536, 0},
        {SAMPLE_I2, {0}, 0, (uint64_t)-32768, 65536, 0},
        {SAMPLE_I2, {0}, BINNING_RIGHT, (uint64_t)-32768, 65536, 0},
        {SAMPLE_U1, {.shift = "3"}, 0, 0, 32, 0},
        {SAMPLE_I1, {.shift = "3"}, 0, (uint64_t)-16, 32, 0},
        {SAMPLE_I1, {.shift = "7"}, 0, (uint64_t)-1, 2, 0},
        {SAMPLE_U1, {.mask = "0x0f"}, 0, 0, 16, 0},
        {SAMPLE_U1, {.mask = "6"}, 0, 0, 7, 0},
        {SAMPLE_U1, {.mask = "0"}, 0, 0, 1, 0},
        {SAMPLE_U1, {.mask = "0xffff"}, 0, 0, 256, 0},
        {SAMPLE_U1, {.mask = "18446744073709551615"}, 0, 0, 256, 0},
        {SAMPLE_I1, {.mask = "0xff"}, 0, 0, 256, 0},
        {SAMPLE_I1, {.mask = "0XfF"}, 0, 0, 256, 0},
        {SAMPLE_I1, {.mask = "0xffffffffffffffff"}, 0, (uint64_t)-128, 256, 0},
        {SAMPLE_U1, {.mod = "10"}, 0, 0, 10, 0},
        {SAMPLE_I1, {.mod = "10"}, 0, 0, 10, 0},
        {SAMPLE_U1, {.mod = "256"}, 0, 0, 256, 0},
        {SAMPLE_U1, {.mod = "1000"}, 0, 0, 256, 0},
        {SAMPLE_I1, {.mod = "1000"}, 0, 0, 1000, 0},
        {SAMPLE_U1, {.mod = "1"}, 0, 0, 1, 0},
        {SAMPLE_U4, {.mod = "65536"}, 0, 0, 65536, 0},
        {SAMPLE_U4, {.mod = "10000000"}, 0, 0, 10000000, 0},
        {SAMPLE_U8, {.mod = "2147483648"}, 0, 0, AXIS_BINS_MAX, 0},
        {SAMPLE_I4,
         {.shift = "1"},
         0,
         (uint64_t) - (1 << 30),
         AXIS_BINS_MAX,
         0},
        {SAMPLE_I8, {.mod = "7"}, 0, 0, 7, 0},
        {SAMPLE_U8, {.shift = "48"}, 0, 0, 65536, 0},
        {SAMPLE_I8, {.shift = "48"}, 0, (uint64_t)-32768, 65536, 0},
        {SAMPLE_U8, {.shift = "4", .mask = "0x3f", .mod = "50"}, 0, 0, 50, 0},
        {SAMPLE_U8, {.shift = "4", .mask = "0x3f", .mod = "99"}, 0, 0, 64, 0},

        {SAMPLE_U1, {.range = "0,256"}, 0, 0, 256, 0},
        {SAMPLE_U1, {.range = "0,255"}, 0, 0, 255, 2},
        {SAMPLE_U1, {.range = "1,256"}, 0, 1, 255, 2},
        {SAMPLE_U1, {.range = "-1,255"}, BINNING_RIGHT, 0, 256, 0},
        {SAMPLE_U1, {.range = "10:20"}, 0, 10, 10, 2},
        {SAMPLE_U1, {.range = "10,20"}, BINNING_RIGHT, 11, 10, 2},
        {SAMPLE_U1, {.range = "+1,1e1"}, 0, 1, 9, 2},
        {SAMPLE_I1, {.range = "-5,5.0"}, 0, (uint64_t)-5, 10, 2},
        {SAMPLE_I1, {.range = "-1000,1000"}, 0, (uint64_t)-1000, 2000, 0},
        {SAMPLE_U4, {.range = "0,2147483648"}, 0, 0, 2147483648, 2},
        {SAMPLE_U4, {.range = "4294967295,4294967296"}, 0, 4294967295, 1, 2},
        {SAMPLE_U8,
         {.range = "18446744073709551615,18446744073709551616"},
         0,
         UINT64_MAX,
         1,
         2},
        {SAMPLE_U8,
         {.range = "9007199254740993,9007199254740994"},
         0,
         9007199254740993,
         1,
         2},
        {SAMPLE_I8,
         {.range = "-9223372036854775808,-9223372036854775807"},
         0,
         (uint64_t)1 << 63,
         1,
         2},
        {SAMPLE_I8,
         {.range = "9223372036854775807,9223372036854775808"},
         0,
         INT64_MAX,
         1,
         2},
        {SAMPLE_I8,
         {.range = "-9223372036854775809,-9223372036854775808"},
         BINNING_RIGHT,
         (uint64_t)1 << 63,
         1,
         2},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[200];
        int result = make(table[i].type, &table[i].texts, table[i].closed);
        bool is_right = result == 0 && axis.kind == BINNING_DIRECT &&
                        axis.first == table[i].first &&
                        axis.bins == table[i].bins &&
                        axis_flows(&axis) == table[i].flows && axis.offset == 3;
        describe(text, table[i].type, &table[i].texts);
        ok(is_right, "%s: %llu values", text,
           (unsigned long long)table[i].bins);
        if (!is_right)
            printf("# %llu from %lld, %u flows; %s\n",
                   (unsigned long long)axis.bins, (long long)axis.first,
                   axis_flows(&axis), error.text != NULL ? error.text : "");
    }
}

/* Every value that there can be after shift, mask and mod has a bin. */
static void
test_natural(void)
{
    static const char *const shifts[] = {NULL, "0", "1", "5", "7"};
    static const char *const masks[] = {NULL,
                                        "0",
                                        "1",
                                        "0x55",
                                        "0xff",
                                        "0x7fffffffffffffff",
                                        "0xffffffffffffffff"};
    static const char *const mods[] = {NULL, "1", "2", "100", "255", "300"};
    static const enum sample_type types[] = {SAMPLE_U1, SAMPLE_I1, SAMPLE_U2,
                                             SAMPLE_I2};
    size_t wrong = 0;

    for (size_t n = 0;
         n < COUNT(shifts) * COUNT(masks) * COUNT(mods) * COUNT(types); n++) {
        size_t tail = n;
        enum sample_type type = types[tail % COUNT(types)];
        tail /= COUNT(types);
        struct axis_texts texts = {.shift = shifts[tail % COUNT(shifts)]};
        tail /= COUNT(shifts);
        texts.mask = masks[tail % COUNT(masks)];
        texts.mod = mods[tail / COUNT(masks)];
        /* More bins than a table can have. */
        if (make(type, &texts, BINNING_LEFT) < 0) {
            wrong += strstr(error.text, "too many to list") == NULL ||
                     (texts.mask != masks[5] && texts.mask != NULL);
            continue;
        }
        wrong += axis_flows(&axis) != 0;
        for (uint64_t bits = 0; bits < (uint64_t)1 << 8 * binning_size(type);
             bits++)
            wrong += binning_cell(&axis, &(struct binning_tables){0}, bits) >=
                     axis.bins;
    }
    ok(wrong == 0, "natural ranges have all values (%zu wrong)", wrong);
}

/* ---- bins of one width ---- */

static void
test_even(void)
{
    static const struct {
        enum sample_type type;
        struct axis_texts texts;
        enum binning_closed closed;
        uint64_t bins;
        double lo, hi;
        unsigned int flows;
    } table[] = {
        {SAMPLE_F8, {.range = "0,1"}, 0, 10, 0, 1, 3},
        {SAMPLE_F8, {.range = "0:1", .bins = "1"}, 0, 1, 0, 1, 3},
        {SAMPLE_F4, {.range = "-0,1e3", .bins = "1e3"}, 0, 1000, 0, 1000, 3},
        {SAMPLE_U1, {.bins = "16"}, 0, 16, 0, 256, 2},
        {SAMPLE_U1, {.bins = "16"}, BINNING_RIGHT, 16, -1, 255, 2},
        {SAMPLE_U1, {.bins = "16"}, BINNING_NUMPY, 16, 0, 256, 2},
        {SAMPLE_I1, {.bins = "3"}, 0, 3, -128, 128, 2},
        {SAMPLE_I2, {.bins = "3"}, BINNING_RIGHT, 3, -32769, 32767, 2},
        {SAMPLE_U2, {.bins = "3", .shift = "8"}, 0, 3, 0, 256, 2},
        {SAMPLE_U4, {.bins = "3", .mod = "100"}, 0, 3, 0, 100, 2},
        {SAMPLE_U1, {.bin_width = "100"}, 0, 3, 0, 300, 2},
        {SAMPLE_U1, {.bin_width = "64"}, 0, 4, 0, 256, 2},
        {SAMPLE_I1, {.bin_width = "100"}, 0, 3, -128, 172, 2},
        {SAMPLE_U8,
         {.bins = "2", .range = "0,18446744073709551616"},
         0,
         2,
         0,
         0x1p64,
         2},

        /* Widths that divide the range, apart from the rounding of doubles. */
        {SAMPLE_F8, {.bin_width = "0.1", .range = "0,1"}, 0, 10, 0, 1, 3},
        {SAMPLE_F8, {.bin_width = "0.1", .range = "0,0.3"}, 0, 3, 0, 0.3, 3},
        {SAMPLE_F8,
         {.bin_width = "0.1", .range = "0.1,0.7"},
         0,
         6,
         0.1,
         0.7,
         3},
        {SAMPLE_F8,
         {.bin_width = "0.3333333333333", .range = "0,1"},
         0,
         3,
         0,
         1,
         3},
        /* Widths that do not divide the range. */
        {SAMPLE_F8, {.bin_width = "0.3", .range = "0,1"}, 0, 4, 0, 4 * 0.3, 3},
        {SAMPLE_F8, {.bin_width = "2", .range = "0,1"}, 0, 1, 0, 2, 3},
        {SAMPLE_F8,
         {.bin_width = "1e300", .range = "-1,1"},
         0,
         1,
         -1,
         1e300,
         3},
        {SAMPLE_F8,
         {.bin_width = "0.333333", .range = "0,1"},
         0,
         4,
         0,
         4 * 0.333333,
         3},
        {SAMPLE_F8, {.bin_width = "7", .range = "-10,10"}, 0, 3, -10, 11, 3},
        /* The range divided by the width is 0, in doubles. */
        {SAMPLE_F8, {.bin_width = "14", .range = "0,5e-324"}, 0, 1, 0, 14, 3},
        {SAMPLE_F8,
         {.bin_width = "0.125", .range = "1e15,1000000000000001"},
         0,
         8,
         1e15,
         1000000000000001,
         3},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[200];
        int result = make(table[i].type, &table[i].texts, table[i].closed);
        bool is_right = result == 0 && axis.kind == BINNING_EVEN &&
                        axis.bins == table[i].bins && axis.lo == table[i].lo &&
                        axis.hi == table[i].hi &&
                        axis_edge(&axis, &edges, 0) == table[i].lo &&
                        axis_edge(&axis, &edges, axis.bins) == table[i].hi &&
                        axis_flows(&axis) == table[i].flows;
        describe(text, table[i].type, &table[i].texts);
        ok(is_right, "%s: %llu bins", text, (unsigned long long)table[i].bins);
        if (!is_right)
            printf("# %llu bins from %.17g to %.17g, %s\n",
                   (unsigned long long)axis.bins, axis.lo, axis.hi,
                   error.text != NULL ? error.text : "no error");
    }
}

/* The last edge would exceed the greatest double. */
static void
test_widest(void)
{
    static const struct axis_texts table[] = {
        {.range = "0,1e308", .bin_width = "9e307"},
        {.range = "-1.7e308,0", .bin_width = "1.5e308"},
        {.range = "1e308,1.7e308", .bin_width = "1.5e308"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        int result = make(SAMPLE_F8, &table[i], BINNING_LEFT);
        ok(result == 0 ? isfinite(axis.hi) : error.status == EXIT_USAGE,
           "--range=%s --bin-width=%s: no edge is infinite", table[i].range,
           table[i].bin_width);
    }
}

/* --range=auto: the data determine the range. */
static void
test_auto(void)
{
    struct axis_texts texts = {.range = "auto"};

    for (unsigned int type = SAMPLE_U1; type <= SAMPLE_F8; type++) {
        enum sample_type sample = (enum sample_type)type;
        texts.bins = NULL;
        bool is_right = make(sample, &texts, BINNING_LEFT) == 0 &&
                        axis.is_auto && axis.bins == 10;
        texts.bins = "4";
        is_right &= make(sample, &texts, BINNING_RIGHT) == 0 && axis.is_auto &&
                    axis.bins == 4;
        texts.bins = "2147483648";
        is_right &= make(sample, &texts, BINNING_LEFT) == 0 &&
                    axis.bins == AXIS_BINS_MAX;
        ok(is_right, "%s --range=auto", record_type_name(sample));
        /* --bins alone means --range=auto, unless the type has few values. */
        texts = (struct axis_texts){.bins = "50"};
        bool is_natural = type <= SAMPLE_I2;
        is_right = make(sample, &texts, BINNING_LEFT) == 0 &&
                   axis.is_auto == !is_natural && axis.bins == 50;
        texts.mod = "9";
        is_right &= !is_natural || (make(sample, &texts, BINNING_LEFT) == 0 &&
                                    !axis.is_auto && axis.hi == 9);
        texts = (struct axis_texts){.range = "auto"};
        ok(is_right, "%s --bins", record_type_name(sample));
    }
}

/* The edges of every accepted axis increase. */
static void
test_narrow_bins(void)
{
    static const double starts[] = {0,   1,    -1,      1e15,   -1e15, 1e-5,
                                    0.1, -0.1, 123.456, 0x1p52, 1e300, -3e-300};
    size_t wrong = 0, accepted = 0;

    for (size_t s = 0; s < COUNT(starts); s++) {
        for (int width = 0; width < 60; width++) {
            for (int bins = 1; bins < 100; bins += 7) {
                double ulp =
                    nextafter(fabs(starts[s]), INFINITY) - fabs(starts[s]);
                double hi = starts[s] + ulp * width * bins / 8;
                char range[80], count[20];
                struct axis_texts texts = {.range = range, .bins = count};
                snprintf(range, sizeof range, "%.17g,%.17g", starts[s], hi);
                snprintf(count, sizeof count, "%d", bins);
                if (make(SAMPLE_F8, &texts, BINNING_LEFT) < 0)
                    continue;
                accepted++;
                for (uint64_t i = 0; i < axis.bins; i++)
                    wrong += axis_edge(&axis, &edges, i) >=
                             axis_edge(&axis, &edges, i + 1);
            }
        }
    }
    ok(wrong == 0 && accepted > 1000, "narrow bins: edges go up (%zu of %zu)",
       wrong, accepted);
}

/* ---- listed edges ---- */

static void
test_edges(void)
{
    static const struct {
        const char *edges;
        size_t count;
        double edge[4];
    } table[] = {
        {"1,2", 2, {1, 2}},
        {"-1.5,0,1e3", 3, {-1.5, 0, 1000}},
        {"1 2", 2, {1, 2}},
        {"1 , 2", 2, {1, 2}},
        {"-0,1", 2, {0, 1}},
        {"-1.7e308,1.7e308", 2, {-1.7e308, 1.7e308}},
        {"@commas", 3, {1, 2, 3}},
        {"@lines", 3, {1, 2, 3}},
        {"@mixed", 4, {-1, 0.5, 2, 1e9}},
        {"@unfinished", 2, {1, 2}},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        struct axis_texts texts = {.edges = table[i].edges};
        bool is_right = make(SAMPLE_F4, &texts, BINNING_LEFT) == 0 &&
                        axis.kind == BINNING_EDGES &&
                        axis.bins == table[i].count - 1 &&
                        axis_flows(&axis) == 3 && axis.lo == table[i].edge[0] &&
                        axis.hi == table[i].edge[table[i].count - 1];
        for (size_t n = 0; is_right && n < table[i].count; n++)
            is_right = axis_edge(&axis, &edges, n) == table[i].edge[n];
        ok(is_right, "--edges=%s", table[i].edges);
        if (!is_right)
            printf("# %s\n", error.text != NULL ? error.text : "no error");
    }
}

/* Many edges, and two axes in one list of them. */
static void
test_many_edges(void)
{
    enum {
        EDGES = 100000
    };
    FILE *file = fopen("many", "w");
    struct axis_texts texts = {.edges = "@many"};
    struct element element = {.type = SAMPLE_I8};

    if (file == NULL)
        abort();
    for (int i = 0; i < EDGES; i++)
        fprintf(file, "%d.25%c", i, i % 7 == 0 ? '\n' : ',');
    fclose(file);
    bool is_right =
        make(SAMPLE_I8, &texts, BINNING_LEFT) == 0 && axis.bins == EDGES - 1;
    struct binning_axis first = axis;
    texts.edges = "7,8,9";
    is_right &=
        axis_make(&axis, &edges, &texts, &element, BINNING_LEFT, &error) == 0;
    for (uint64_t i = 0; i < EDGES && is_right; i++)
        is_right = axis_edge(&first, &edges, i) == (double)i + 0.25;
    ok(is_right && axis.bins == 2 && axis_edge(&axis, &edges, 0) == 7 &&
           axis_edge(&axis, &edges, 2) == 9,
       "many edges, and those of another axis behind them");
}

/* ---- rules ---- */

/* What other rooms are told of an axis, by the options that make it. */
static void
test_rules(void)
{
    static const struct {
        enum sample_type type;
        struct axis_texts texts;
        const char *name;
        const char *words;
        enum axis_spacing spacing;
    } table[] = {
        {SAMPLE_U1, {0}, "values", "one for each value", AXIS_SPACING_VALUES},
        {SAMPLE_U4,
         {.range = "3,7"},
         "values",
         "one for each value",
         AXIS_SPACING_VALUES},
        {SAMPLE_U1, {.range = "auto"}, "even", "even", AXIS_SPACING_EVEN},
        {SAMPLE_U1, {.bins = "3"}, "even", "even", AXIS_SPACING_EVEN},
        {SAMPLE_U1, {.bin_width = "3"}, "even", "even", AXIS_SPACING_EVEN},
        {SAMPLE_F4, {.range = "3,7"}, "even", "even", AXIS_SPACING_EVEN},
        {SAMPLE_F4, {.range = "auto"}, "even", "even", AXIS_SPACING_EVEN},
        {SAMPLE_F4,
         {.edges = "3,7"},
         "edges",
         "between edges",
         AXIS_SPACING_ANY},
        {SAMPLE_U1, {.log = "2"}, "log", "logarithmic", AXIS_SPACING_RATIO},
        {SAMPLE_F8,
         {.log = "10", .subdiv = "2", .range = "1,9"},
         "log",
         "logarithmic",
         AXIS_SPACING_RATIO},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[200];
        describe(text, table[i].type, &table[i].texts);
        bool is_right =
            make(table[i].type, &table[i].texts, BINNING_LEFT) == 0 &&
            strcmp(axis_rule_of(&axis)->name, table[i].name) == 0 &&
            strcmp(axis_rule_of(&axis)->words, table[i].words) == 0 &&
            axis_rule_of(&axis)->spacing == table[i].spacing;
        ok(is_right, "%s: the rule is %s", text, table[i].name);
    }
}

/* ---- logarithmic ---- */

static void
test_log(void)
{
    static const struct {
        enum sample_type type;
        struct axis_texts texts;
        uint64_t bins;
        double lo, hi;
    } table[] = {
        {SAMPLE_U1, {.log = "2"}, 8, 1, 256},
        {SAMPLE_I1, {.log = "2"}, 7, 1, 128},
        {SAMPLE_U2, {.log = "2", .subdiv = "1"}, 32, 1, 65536},
        {SAMPLE_U4, {.log = "2"}, 32, 1, 0x1p32},
        {SAMPLE_I4, {.log = "2"}, 31, 1, 0x1p31},
        {SAMPLE_U8, {.log = "2"}, 64, 1, 0x1p64},
        {SAMPLE_I8, {.log = "2"}, 63, 1, 0x1p63},
        {SAMPLE_U8, {.log = "2", .shift = "60"}, 4, 1, 16},
        {SAMPLE_U8, {.log = "2", .mod = "1000"}, 10, 1, 1024},
        {SAMPLE_U8, {.log = "2", .mask = "0"}, 1, 1, 2},
        {SAMPLE_F2, {.log = "2"}, 40, 0x1p-24, 0x1p16},
        {SAMPLE_F4, {.log = "2"}, 277, 0x1p-149, 0x1p128},
        {SAMPLE_F8, {.log = "2", .range = "1,8"}, 3, 1, 8},
        {SAMPLE_F8, {.log = "2", .range = "1.5,9"}, 4, 1, 16},
        {SAMPLE_F8, {.log = "2", .subdiv = "2", .range = "1.5,9"}, 11, 1.5, 10},
        {SAMPLE_F8, {.log = "2", .subdiv = "1", .range = "1,1.1"}, 1, 1, 1.5},
        {SAMPLE_F8, {.log = "2", .range = "0.001,0.3"}, 9, 0x1p-10, 0.5},
        {SAMPLE_F8,
         {.log = "2", .range = "2.2250738585072014e-308,1e-307"},
         3,
         DBL_MIN,
         0x1p-1019},
        {SAMPLE_U1, {.log = "10"}, 3, 1, 1000},
        {SAMPLE_U2, {.log = "10"}, 5, 1, 100000},
        {SAMPLE_F2, {.log = "10"}, 13, 1e-8, 1e5},
        {SAMPLE_F8, {.log = "10", .range = "1,1000"}, 3, 1, 1000},
        {SAMPLE_F8, {.log = "10", .range = "2,1001"}, 4, 1, 10000},
        {SAMPLE_F8, {.log = "10", .range = "1e-5,1e5"}, 10, 1e-5, 1e5},
        {SAMPLE_F8, {.log = "10", .subdiv = "1", .range = "1,10"}, 2, 1, 10},
        {SAMPLE_F8, {.log = "10", .subdiv = "3", .range = "1,10"}, 8, 1, 10},
        {SAMPLE_F8, {.log = "e", .range = "1,2.7"}, 1, 1, 2.718281828459045},
        {SAMPLE_F8, {.log = "e", .range = "1,3"}, 2, 1, 7.38905609893065},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[200];
        int result = make(table[i].type, &table[i].texts, BINNING_LEFT);
        bool is_right = result == 0 && axis.is_log &&
                        axis.bins == table[i].bins && axis.lo == table[i].lo &&
                        axis.hi == table[i].hi && axis_flows(&axis) == 5 &&
                        axis_edge(&axis, &edges, 0) == axis.lo &&
                        axis_edge(&axis, &edges, axis.bins) == axis.hi;
        describe(text, table[i].type, &table[i].texts);
        ok(is_right, "%s: %llu bins", text, (unsigned long long)table[i].bins);
        if (!is_right)
            printf("# %llu bins from %.17g to %.17g, %s\n",
                   (unsigned long long)axis.bins, axis.lo, axis.hi,
                   error.text != NULL ? error.text : "no error");
    }
}

/* Without --range: the bin of the greatest value of the type. */
static void
test_log_most(void)
{
    static const struct {
        enum sample_type type;
        struct axis_texts texts;
        uint64_t bits; /* of the greatest value */
    } table[] = {
        {SAMPLE_U1, {.log = "2"}, 255},
        {SAMPLE_U1, {.log = "10"}, 255},
        {SAMPLE_I8, {.log = "2"}, INT64_MAX},
        {SAMPLE_I8, {.log = "10"}, INT64_MAX},
        {SAMPLE_U8, {.log = "2"}, UINT64_MAX},
        {SAMPLE_U8, {.log = "10"}, UINT64_MAX},
        {SAMPLE_U8, {.log = "e"}, UINT64_MAX},
        {SAMPLE_U8,
         {.log = "2", .mask = "0x8000000000000001"},
         0x8000000000000001},
        {SAMPLE_U8,
         {.log = "2", .mask = "0x4000000000000001"},
         0x4000000000000001},
        {SAMPLE_U8,
         {.log = "2", .mod = "4611686018427387906"},
         4611686018427387905},
        {SAMPLE_F2, {.log = "2"}, 0x7bff},
        {SAMPLE_F2, {.log = "10"}, 0x7bff},
        {SAMPLE_F4, {.log = "2"}, 0x7f7fffff},
        {SAMPLE_F4, {.log = "10"}, 0x7f7fffff},
        {SAMPLE_F8, {.log = "2"}, 0x7fefffffffffffff},
        {SAMPLE_F8, {.log = "10"}, 0x7fefffffffffffff},
        {SAMPLE_F8, {.log = "e"}, 0x7fefffffffffffff},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        char text[200];
        bool is_right = make(table[i].type, &table[i].texts, BINNING_LEFT) == 0;
        struct binning_tables tables = {edges.edge, NULL};
        uint64_t cell = binning_cell(&axis, &tables, table[i].bits);
        describe(text, table[i].type, &table[i].texts);
        ok(is_right && cell == axis.bins - 1, "%s: the most is in the last bin",
           text);
    }
}

/* An axis has a bin. */
static void
test_log_highest(void)
{
    static const struct axis_texts table[] = {
        {.log = "10", .range = "1.1e308,1.5e308"},
        {.log = "e", .range = "1.1e308,1.5e308"},
        {.log = "2", .range = "1.1e308,1.5e308"},
        {.log = "10", .range = "2.3e-308,3e-308"},
        {.log = "e", .range = "2.3e-308,3e-308"},
    };

    for (size_t i = 0; i < COUNT(table); i++) {
        int result = make(SAMPLE_F8, &table[i], BINNING_LEFT);
        ok(result == 0 ? axis.bins >= 1 && axis.lo < axis.hi
                       : error.status == EXIT_USAGE,
           "--log=%s --range=%s: has bins, or is refused", table[i].log,
           table[i].range);
    }
}

/* ---- rows ---- */

/*
 * Check that the axis has a row for each cell, in this order: FIRST, which ends
 * with -1; the bins; LAST, up to the last cell.
 */
static void
check_rows(const int *first, const int *last, const char *name)
{
    uint64_t cells = axis.bins + axis_flows(&axis);
    uint64_t row = 0;
    int wrong = 0;

    for (; *first >= 0; first++)
        wrong += axis_cell_of(&axis, row++) != axis.bins + (uint64_t)*first;
    for (uint64_t bin = 0; bin < axis.bins; bin++)
        wrong += axis_cell_of(&axis, row++) != bin;
    for (; row < cells; last++)
        wrong += axis_cell_of(&axis, row++) != axis.bins + (uint64_t)*last;
    for (uint64_t cell = 0; cell < cells; cell++)
        wrong += axis_cell_of(&axis, axis_row_of(&axis, cell)) != cell;
    ok(wrong == 0 && row == cells, "rows of %s", name);
}

static void
test_rows(void)
{
    const struct axis_texts range = {.range = "0,8", .bins = "4"};
    const struct axis_texts log = {.range = "1,8", .log = "2"};
    const struct axis_texts values = {.range = "0,8"};
    const struct axis_texts all = {.bins = NULL};
    static const int none[] = {-1};
    static const int below[] = {BINNING_UNDERFLOW, -1};
    static const int of_log[] = {BINNING_NEGATIVE, BINNING_ZERO,
                                 BINNING_UNDERFLOW, -1};
    static const int above[] = {BINNING_OVERFLOW, BINNING_NAN, 3, 4, 5};
    static const int above_log[] = {BINNING_OVERFLOW, BINNING_NAN, 5, 6, 7};
    static const int above_value[] = {BINNING_OVERFLOW, 2, 3, 4};

    make(SAMPLE_F8, &range, BINNING_LEFT);
    check_rows(below, above, "bins of floats");
    axis.is_text = true;
    check_rows(below, above, "bins of numbers in text");
    make(SAMPLE_F8, &log, BINNING_LEFT);
    check_rows(of_log, above_log, "logarithmic bins");
    axis.is_text = true;
    check_rows(of_log, above_log, "logarithmic bins of text");
    make(SAMPLE_I8, &values, BINNING_LEFT);
    check_rows(below, above_value, "values");
    axis.is_text = true;
    check_rows(below, above_value, "values in text");
    make(SAMPLE_U1, &all, BINNING_LEFT);
    check_rows(none, above, "all values of a type");
}

static void
create_files(void)
{
    static const struct {
        const char *path, *text;
    } files[] = {
        {"empty", ""},          {"blank", "\n \t\r\n,,\n"},
        {"one", "1\n"},         {"unsorted", "1\n3\n2\n"},
        {"letters", "1 b 2\n"}, {"commas", "1,2,3\n"},
        {"lines", "1\n2\n3\n"}, {"mixed", "-1, 0.5\r\n\n\t2 ,1e9"},
        {"unfinished", "1\n2"},
    };
    static const double doubles[] = {1.1, 2.2, 3.3};

    for (size_t i = 0; i < COUNT(files); i++)
        write_file(files[i].path, files[i].text, strlen(files[i].text));
    write_file("doubles", (const char *)doubles, sizeof doubles);
    write_file("zero-byte", "1,2\0,0,x", 8);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    scratch_open();
    create_files();
    test_errors();
    test_direct();
    test_natural();
    test_even();
    test_widest();
    test_auto();
    test_narrow_bins();
    test_edges();
    test_many_edges();
    test_rules();
    test_log();
    test_log_most();
    test_log_highest();
    test_rows();
    error_clear(&error);
    free(edges.edge);
    return done_testing();
}
