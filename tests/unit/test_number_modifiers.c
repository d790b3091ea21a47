/* SPDX-License-Identifier: MIT */
/* test_number_modifiers.c -- number, decimal-comma, duration and size: texts
   and the decimals that they are */

#include "../modify_check.h"
#include "../tap.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* NULL: invalid. */
struct made_case {
    const char *text;
    const char *made;
};

static void
check_cases(const char *name, const struct made_case *cases, size_t count)
{
    struct modifiers chain;
    struct modifiers_fault fault;

    ok(modifiers_parse(&chain, name, strlen(name), &fault) == MODIFIERS_OK &&
           modifiers_give(&chain) == MODIFIER_GIVES_DECIMAL,
       "%s gives decimals", name);
    for (size_t i = 0; i < count; i++) {
        const char *wanted = cases[i].made;
        size_t size = strlen(cases[i].text);
        unsigned char *made = modify_apply(&chain, cases[i].text, &size);
        ok(wanted == NULL ? made == NULL
                          : made != NULL && size == strlen(wanted) &&
                                memcmp(made, wanted, size) == 0,
           "%s of '%s': '%.*s', wanted '%s'", name, cases[i].text,
           made != NULL ? (int)size : 3, made != NULL ? (char *)made : "(-)",
           wanted != NULL ? wanted : "(-)");
        free(made);
    }
    modifiers_close(&chain);
}

static void
test_number(void)
{
    static const struct made_case cases[] = {
        {"", NULL},
        {"-", NULL},
        {"nan", NULL},
        {"-inf", NULL},
        {"rt=0.012", "0.012"},
        {"$1,234.50", "1234.5"},
        {"0", "0"},
        {"-0", "0"},
        {"-0.000", "0"},
        {"007", "7"},
        {"1.", "1"},
        {".5", "0.5"},
        {"-.50", "-0.5"},
        {"a.5", "5"},
        {"..5", "5"},
        {"x -3", "-3"},
        {"x-3", "3"},
        {"3-4", "3"},
        {"--3", "-3"},
        {"+3", "3"},
        {"(-3)", "-3"},
        {"9-", "9"},
        {"-$1,234.50", "-1234.5"},
        {"$-5", "-5"},
        {"-\xe2\x82\xac"
         "12.30",
         "-12.3"},
        {"-\xc2\xa3"
         "7",
         "-7"},
        {"a-$7", "7"},
        {"1,234,567", "1234567"},
        {"1,23", "1"},
        {"1,2345", "1"},
        {"1234,567", "1234"},
        {"0,123", "0"},
        {"12,345,67", "12345"},
        {"123,456.", "123456"},
        {"1,234.567,890", "1234.567"},
        {"1.2.3", "1.2"},
        {"10.0.0.1", "10"},
        {"0x1f", "0"},
        {"1e5", "100000"},
        {"loss=1.25e-05s", "0.0000125"},
        {"1E+2x", "100"},
        {"5e", "5"},
        {"5e-", "5"},
        {"1e38", "100000000000000000000000000000000000000"},
        {"1e39", NULL},
        {"1e-39", NULL},
        {"1e99999999999999999999", NULL},
        {"1,234e2", "123400"},
        {"00000000000000000000000000000000000000000000000000000000000000000001",
         "1"},
        {"99999999999999999999999999999999999999999999999999999.10",
         "99999999999999999999999999999999999999999999999999999.1"},
    };
    static const struct made_case comma[] = {
        {"1.234,50", "1234.5"},
        {"1,5", "1.5"},
        {"1.5", "1"},
        {"-0,50", "-0.5"},
        {"1.234", "1234"},
        {",5", "0.5"},
        {"1,234.5", "1.234"},
        {"12 kg", "12"},
        {"-\xe2\x82\xac"
         "1,5",
         "-1.5"},
        {"1,5e3", "1500"},
        {"1.2345,6", "1"},
    };

    check_cases("number", cases, COUNT(cases));
    check_cases("decimal-comma", comma, COUNT(comma));
}

static void
test_duration(void)
{
    static const struct made_case cases[] = {
        {"", NULL},
        {" ", NULL},
        {"s", NULL},
        {"12ms", "0.012"},
        {"1.5h", "5400"},
        {"1h30m", "5400"},
        {"01:30", "90"},
        {"00:01:30", "90"},
        {"1-02:03:04", "93784"},
        {"0.250", "0.25"},
        {"12", "12"},
        {"  12 ", "12"},
        {"1e-05", "0.00001"},
        {"1.5e3ms", "1.5"},
        {"1e-38ns", "0.00000000000000000000000000000000000000000000001"},
        {"1e38w", "60480000000000000000000000000000000000000000"},
        {"1e39", NULL},
        {"1e2h30m", NULL},
        {"1h1e1m", NULL},
        {"1.5\xc2\xb5s", "0.0000015"},
        {"1.5\xce\xbcs", "0.0000015"},
        {"850us", "0.00085"},
        {"17ns", "0.000000017"},
        {"2m3.5s", "123.5"},
        {"1d2h", "93600"},
        {"1min 30.123s", "90.123"},
        {"1w 2d 3h 4m 5s 6ms 7us 8ns", "788645.006007008"},
        {"1w2d3h4m5s6ms7us8ns,9", NULL},
        {"1w2d3h4m5s6ms7us8ns9", NULL},
        {"3 weeks", "1814400"},
        {"1 hour 2 minutes", "3720"},
        {"1.5 ms", "0.0015"},
        {"-1.5s", "-1.5"},
        {"+1.5s", "1.5"},
        {"-0s", "0"},
        {"-00:00:01.50", "-1.5"},
        {"100:00:00", "360000"},
        {"90:00", "5400"},
        {"1:05.32", "65.32"},
        {"1-2:03:04", "93784"},
        {".5s", "0.5"},
        {"1h30", NULL},
        {"30s1h", NULL},
        {"1h1h", NULL},
        {"1s 1sec", NULL},
        {"1y", NULL},
        {"1M", NULL},
        {"1S", NULL},
        {"1 month", NULL},
        {"1,5s", NULL},
        {"1:5", NULL},
        {"1:60", NULL},
        {"1:60:00", NULL},
        {"1-24:00:00", NULL},
        {"1-02:03", NULL},
        {"1-02", NULL},
        {"1:02:03:04", NULL},
        {"-1-02:03:04", "-93784"},
        {":30", NULL},
        {"1:", NULL},
        {"1:30.", NULL},
        {"1:30s", NULL},
        {"infinity", NULL},
        {"UNLIMITED", NULL},
        {"1s2", NULL},
        {"1.5h.5m", "5430"},
        {"99999999999999999999999999999999999999999999h 0.0000000000001ns",
         "359999999999999999999999999999999999999999996400."
         "0000000000000000000001"},
    };

    check_cases("duration", cases, COUNT(cases));
}

static void
test_size(void)
{
    static const struct made_case cases[] = {
        {"", NULL},
        {"2G", "2000000000"},
        {"10KiB", "10240"},
        {"1.5 MB", "1500000"},
        {"512", "512"},
        {"0B", "0"},
        {"512 bytes", "512"},
        {"1 byte", "1"},
        {"1k", "1000"},
        {"1.3KiB", "1331.2"},
        {"1e6", "1000000"},
        {"1E", "1000000000000000000"},
        {"1Ei", "1152921504606846976"},
        {"1E3", "1000"},
        {"1e2MB", "100000000"},
        {"-1.5K", "-1500"},
        {"+1K", "1000"},
        {" 7M ", "7000000"},
        {"0.1EiB", "115292150460684697.6"},
        {"007", "7"},
        {"1g", NULL},
        {"1m", NULL},
        {"1Kb", NULL},
        {"1KBs", NULL},
        {"1Z", NULL},
        {"1,5G", NULL},
        {"1,000", NULL},
        {"0x10", NULL},
        {"K", NULL},
        {"1K1K", NULL},
        {"1Bi", NULL},
        {"1KB B", NULL},
        {"99999999999999999999999999999999999999Ei",
         "115292150460684697599999999999999999998847078495393153024"},
    };
    static const struct made_case iec[] = {
        {"2G", "2147483648"}, {"1.5K", "1536"},
        {"4KB", "4096"},      {"4KiB", "4096"},
        {"1k", "1024"},       {"12B", "12"},
        {"1.3K", "1331.2"},   {"100", "100"},
        {"1m", NULL},         {"8E", "9223372036854775808"},
    };

    check_cases("size", cases, COUNT(cases));
    check_cases("size=iec", iec, COUNT(iec));
}

/* A text of any length, whose product has as many digits. */
static void
test_long(void)
{
    enum {
        DIGITS = 100000
    };
    struct modifiers chain;
    struct modifiers_fault fault;
    char *text = malloc(DIGITS + 1);

    memset(text, '9', DIGITS);
    text[DIGITS] = 'm';
    (void)modifiers_parse(&chain, "duration", 8, &fault);
    size_t size = DIGITS + 1;
    unsigned char *made = modify_apply(&chain, text, &size);
    ok(made != NULL && size == DIGITS + 2 && memcmp(made, "59999", 5) == 0 &&
           memcmp(made + size - 5, "99940", 5) == 0,
       "a duration of 100000 digits");
    free(made);
    free(text);
    modifiers_close(&chain);
}

/* Where the SIZE bytes at TEXT have WANTED, 1 at the first byte; or 0. */
static size_t
find_slowly(const char *text, size_t size, const char *wanted,
            size_t wanted_size)
{
    for (size_t i = 0; i + wanted_size <= size; i++) {
        if (memcmp(text + i, wanted, wanted_size) == 0)
            return i + 1;
    }
    return 0;
}

/* Texts of few letters have most of WANTED in many places. */
static void
test_index(void)
{
    enum {
        LONGEST = 130,
        WANTED = 40
    };
    char text[LONGEST];
    char name[WANTED + 8];
    unsigned int state = 1;
    size_t found = 0;
    bool is_same = true;

    for (size_t turn = 0; turn < 40000; turn++) {
        unsigned int letters = 1 + turn % 4;
        size_t size = turn % (LONGEST + 1);
        size_t length = 1 + turn / 7 % (turn % 3 == 0 ? WANTED : 6);
        for (size_t i = 0; i < size + length; i++) {
            state = state * 1664525 + 1013904223;
            char byte = "ACGT"[(state >> 24) % letters];
            *(i < size ? &text[i] : &name[6 + i - size]) = byte;
        }
        memcpy(name, "index=", 6);
        if (turn % 5 == 0 && size >= length)
            memcpy(text + (state >> 8) % (size - length + 1), name + 6, length);
        struct modifiers chain;
        struct modifiers_fault fault;
        char wanted[24];
        size_t at = find_slowly(text, size, name + 6, length);
        is_same &=
            modifiers_parse(&chain, name, 6 + length, &fault) == MODIFIERS_OK;
        unsigned char *made = modify_apply(&chain, text, &size);
        int digits = snprintf(wanted, sizeof wanted, "%zu", at);
        is_same &= made != NULL && size == (size_t)digits &&
                   memcmp(made, wanted, size) == 0;
        found += at > 1;
        free(made);
        modifiers_close(&chain);
    }
    ok(is_same && found > 4000, "index of random texts: %zu found", found);
}

static void
test_arguments(void)
{
    static const char *const wrong[] = {
        "number=1", "duration=min",   "size=si",   "size=",
        "size=IEC", "decimal-comma=", "duration:", "decimal",
        "hash=",    "hash=-1",        "hash=1 ",   "hash=18446744073709551616",
        "index",    "index="};

    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct modifiers chain;
        struct modifiers_fault fault;
        ok(modifiers_parse(&chain, wrong[i], strlen(wrong[i]), &fault) ==
               MODIFIERS_WRONG,
           "%s is wrong", wrong[i]);
        modifiers_close(&chain);
    }
}

int
main(void)
{
    test_number();
    test_duration();
    test_size();
    test_long();
    test_index();
    test_arguments();
    return done_testing();
}
