/* SPDX-License-Identifier: MIT */
/*
 * test_text_work.c -- the kernels for text, as C, beside fields.h and clf.h
 *
 * Tiles are small here, so that most records cross a border.  The data end
 * where the memory does.
 */

#ifndef TEXT_TILE
#    define TEXT_TILE 64
#    define TEXT_AHEAD 64
#endif

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "../text_device.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define TEXT_MAX ((size_t)1 << 16)
#define KEYS_MAX 64

static const struct hash_key usual = {{0x0123456789abcdef, 0x456789abcdef0123}};

/* Teach DICTIONARY the key of SIZE bytes at KEY.  Returns whether it is new. */
static bool
learn_one(struct text_dictionary *dictionary, const void *key, uint32_t size)
{
    const struct text_key one = {key, size};

    return text_dictionary_learn(dictionary, &one, 1) == 1;
}

/* Teach DICTIONARY the COUNT keys. */
static void
learn(struct text_dictionary *dictionary, const char *const *key, size_t count)
{
    for (size_t i = 0; i < count; i++)
        learn_one(dictionary, key[i], (uint32_t)strlen(key[i]));
}

static void
open_dictionary(struct text_dictionary *dictionary, struct hash_key key)
{
    if (text_dictionary_open(dictionary, key, KEYS_MAX, 1 << 16) < 0)
        abort();
}

/* Check C with the SIZE bytes at TEXT.  Returns what is wrong, or NULL. */
static const char *
check(struct device_case c, const char *text, size_t size, binning_u32 *status,
      binning_u32 *listed)
{
    static unsigned char *arena;

    if (arena == NULL)
        arena = arena_open(TEXT_MAX);
    c.data = memcpy(arena + TEXT_MAX - size, text, size);
    c.size = size;
    return device_check(&c, status, listed);
}

static struct text_format
format_of(enum text_kind kind, int delimiter)
{
    return (struct text_format){.kind = kind,
                                .delimiter = (binning_u32)delimiter,
                                .end = '\n',
                                .comment = TEXT_NO_COMMENT};
}

/* ---- examples ---- */

static const char *const words[] = {
    "",
    "a",
    "b",
    "ab",
    "x",
    "key",
    "key1",
    "key2",
    "GET",
    "200",
    "a b",
    "\r",
    "-",
    "12345678",
    "1234567890123456",
    "12345678901234567890123", /* the longest short one */
    "123456789012345678901234",
    "1234567890123456789012345678901",
    "12345678901234567890123456789012",
    "1234567890123456789012345678901x",
    "12345678901234567890123456789012345678901234567890",
    "a,b",
    "\"a\",b",
    "a\tb",
    "a  ",
};

static const struct {
    const char *name;
    const char *text;
    enum text_kind kind;
    int delimiter;
    binning_u32 number;
    binning_u32 listed; /* records whose keys are not known, or too far away */
    bool is_from_last;
} examples[] = {
    {"lines", "a\nb\nab\na\n", TEXT_LINES, 0, 1, 0, false},
    {"no last end", "a\nb", TEXT_LINES, 0, 1, 0, false},
    {"an empty line at the end", "a\nkey1\n\n", TEXT_LINES, 0, 1, 0, false},
    {"unknown keys", "a\nc\nabc\nkey\n", TEXT_LINES, 0, 1, 2, false},
    {"keys that differ in the last byte", "key1\nkey2\nkey3\nkey\n", TEXT_LINES,
     0, 1, 1, false},
    {"a carriage return belongs to a line", "\r\na\r\na\n", TEXT_LINES, 0, 1, 1,
     false},
    {"the second field of lines", "a\nb\nkey\n", TEXT_LINES, 0, 2, 0, false},
    {"the longest short key and longer ones",
     "12345678901234567890123\n123456789012345678901234\n"
     "123456789012345678901235\n12345678901234567890123456789012\n"
     "1234567890123456789012345678901x\n1234567890123456789012345678901y\n",
     TEXT_LINES, 0, 1, 2, false},
    {"fields", "a\tb\tkey\nx\tab\n\t\tb\nkey\nx\t\n", TEXT_DELIMITED, '\t', 2,
     0, false},
    {"the first field", "a\tb\n\tx\n", TEXT_DELIMITED, '\t', 1, 0, false},
    {"the last field but one", "a\tb\tx\nab\tkey\nx\n", TEXT_DELIMITED, '\t', 1,
     0, true},
    {"a field 40 bytes away",
     "a\t12345678901234567890123456789012345678901234567890\tx\n",
     TEXT_DELIMITED, '\t', 3, 0, false},
    {"a field beyond the window",
     "a\t1234567890123456789012345678901234567890123456789012345678901234567890"
     "12345678901234567890123456789012345678901234567890123456789012\tx\na\ta\t"
     "a\n",
     TEXT_DELIMITED, '\t', 3, 1, false},
    {"blanks", "  a   b\tkey \nx\n\n \n ab x", TEXT_WHITESPACE, 0, 2, 0, false},
    {"the first word", "  a   b\tkey \nx\n\n \n ab x", TEXT_WHITESPACE, 0, 1, 0,
     false},
    {"the last word", "  a   b\tkey \nx\n\n \n ab x", TEXT_WHITESPACE, 0, 0, 0,
     true},
    {"words", "  a   b\tkey \nx\n\n \n ab zz", TEXT_WORDS, 0, 1, 1, false},
    {"a log",
     "a - x [22/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 12345678\r\n"
     "a - b [x\n",
     TEXT_CLF, 0, 6, 1, false},
    {"the end of a log's line",
     "a - x [22/Nov/2026:10:00:00 +0000] \"GET /\" 200 12345678\r\n", TEXT_CLF,
     0, 7, 0, false},
    {"virtual hosts",
     "v 1.2 - x [22/Nov/2026:10:00:00 +0000] \"\" 200 key\n"
     "v:80  ::1 - key [22/Nov/2026:10:00:00 +0000] \"\" 200 5\r\n"
     "a - key [22/Nov/2026:10:00:00 +0000] \"\" 200 5\n"
     "a x - ab [22/Nov/2026:10:00:00 +0000] \"\" 200 5\n",
     TEXT_CLF, 0, 3, 2, false},
    {"other lines of a log",
     "\n \r\nh a - x [22/Nov/2026:10:00:00 +0000] \"GET /\" 200 5\n"
     "a - x [29/Feb/2024:10:00:00 +0000] \"\" - 5 ab\n"
     "a - x [29/Feb/2026:10:00:00 +0000] \"\" 200 5\n",
     TEXT_CLF, 0, 8, 4, false},
    {"CSV", "a,b,key\nx,ab\n,,b\nkey\nx,\n", TEXT_CSV, ',', 2, 0, false},
    {"quotes", "a,\"b\",key\n\"x,\n,key1\",\"a b\"\r\n\"\",\"\"\r\n", TEXT_CSV,
     ',', 2, 0, false},
    {"quotes in quotes", "\"a\"\"b\nkey\",key1\nx,\"a\"\"b\"\nx,a\"\nb,key\n",
     TEXT_CSV, ',', 2, 2, false},
    {"a quote in the middle", "a\"b,key\nx\",\"key\"\n", TEXT_CSV, ',', 2, 0,
     false},
    {"after the closing quote", "\"a\"b\"\nx\",key\n\"\"\"\",key\n", TEXT_CSV,
     ',', 2, 0, false},
    {"a quote that is not closed", "a,key\n\"b,key\na,key\n", TEXT_CSV, ',', 2,
     1, false},
    {"CRLF in CSV", "a,key\r\n\r\na,\r\na\r,b\r\n", TEXT_CSV, ',', 2, 0, false},
    {"one byte", "a", TEXT_LINES, 0, 1, 0, false},
    {"one end", "\n", TEXT_LINES, 0, 1, 0, false},
};

static const char *
check_example(size_t i, const struct text_dictionary *dictionary,
              binning_u32 items, binning_u32 groups)
{
    struct device_case c = {
        .format = format_of(examples[i].kind, examples[i].delimiter),
        .field = {examples[i].number, examples[i].is_from_last, TEXT_PART_ALL},
        .items = items,
        .groups = groups,
        .list_room = 16,
        .dictionary = dictionary,
    };
    binning_u32 status;
    binning_u32 listed;

    const char *wrong =
        check(c, examples[i].text, strlen(examples[i].text), &status, &listed);
    if (wrong == NULL && status != 0)
        wrong = "is refused";
    if (wrong == NULL && listed != examples[i].listed)
        wrong = "lists others";
    return wrong;
}

static void
test_examples(void)
{
    struct text_dictionary dictionary;

    open_dictionary(&dictionary, usual);
    learn(&dictionary, words, COUNT(words));
    for (size_t i = 0; i < COUNT(examples); i++) {
        const char *wrong = NULL;
        for (binning_u32 items = 1; items <= 64 && wrong == NULL; items *= 8)
            for (binning_u32 groups = 1; groups <= 3 && wrong == NULL; groups++)
                wrong = check_example(i, &dictionary, items, groups);
        ok(wrong == NULL, "%s%s%s", examples[i].name, wrong != NULL ? ": " : "",
           wrong != NULL ? wrong : "");
    }
    text_dictionary_close(&dictionary);
}

/* ---- spans ---- */

static const struct {
    const char *name;
    const char *text;
    enum text_kind kind;
    int delimiter;
    binning_u32 listed;
} spans[] = {
    {"spans", "x\ta\tb\tz\na\ta\tb\nx\ta\n\t\nx\n\nx\ta\tc\n", TEXT_DELIMITED,
     '\t', 1},
    {"spans of CSV", "x,a,b,z\na,a,b\r\nx,a\r\n,\nx\n\nx,a,c\n", TEXT_CSV, ',',
     1},
    {"spans with quotes",
     "x,\"a\",b\n\"\n,\",a,b,\"\"\n\"a\",a,\"b\n\"\nx,\"a\",b\r\n", TEXT_CSV,
     ',', 1},
    {"spans of blanks", "x  a b \na a b\n x a  \nb\n\nx a  b x\n",
     TEXT_WHITESPACE, 0, 1},
    {"a span beyond the window",
     "x\ta\t1234567890123456789012345678901234567890123456789012345678901234567"
     "89012345678901234567890123456789012345678901234567890123456789012\tx\n"
     "x\ta\tb\n",
     TEXT_DELIMITED, '\t', 1},
};

/* The second and the third field. */
static void
test_spans(void)
{
    static const char *const keys[] = {"",        "a",   "a,b", "a\tb",
                                       "\"a\",b", "a b", "a  "};
    struct text_dictionary dictionary;

    open_dictionary(&dictionary, usual);
    learn(&dictionary, keys, COUNT(keys));
    for (size_t i = 0; i < COUNT(spans); i++) {
        const struct device_case c = {
            .format = format_of(spans[i].kind, spans[i].delimiter),
            .field = {2, 0, TEXT_PART_ALL},
            .items = 8,
            .groups = 2,
            .list_room = 100,
            .finding = TEXT_FINDS_SPANS,
            .span = 1,
            .dictionary = &dictionary,
        };
        binning_u32 status;
        binning_u32 listed;
        const char *wrong =
            check(c, spans[i].text, strlen(spans[i].text), &status, &listed);
        ok(wrong == NULL && status == 0 && listed == spans[i].listed,
           "%s%s%s, %u listed", spans[i].name, wrong != NULL ? ": " : "",
           wrong != NULL ? wrong : "", listed);
    }
    text_dictionary_close(&dictionary);
}

/* ---- lines across every border ---- */

/* A record that starts at each offset around the borders of a tile and of its
   window, with a key of SIZE bytes. */
static const char *
check_borders(enum text_kind kind, size_t size,
              const struct text_dictionary *dictionary)
{
    char text[600];
    const char *wrong = NULL;

    for (size_t at = 1; at < TEXT_WINDOW + 32 && wrong == NULL; at++) {
        if (!has_turn(5))
            continue;
        struct device_case c = {
            .format = format_of(kind, ','),
            .field = {kind == TEXT_LINES ? 1 : 2, 0, TEXT_PART_ALL},
            .items = 4,
            .groups = 1 + (binning_u32)(at % 2),
            .list_room = 8,
            .dictionary = dictionary,
        };
        binning_u32 status;
        binning_u32 listed;
        size_t used = 0;
        memset(text, 'z', sizeof text);
        used += at;
        text[used - 1] = '\n';
        if (kind != TEXT_LINES) {
            used += at % 40;
            text[used++] = ',';
        }
        memcpy(text + used, "1234567890123456789012345678901234567890", size);
        used += size;
        if (at % 3 != 0)
            text[used++] = '\n';
        wrong = check(c, text, used, &status, &listed);
    }
    return wrong;
}

static void
test_borders(void)
{
    const enum text_kind kinds[] = {TEXT_LINES, TEXT_DELIMITED, TEXT_CSV};
    const size_t sizes[] = {0, 1, 7, 8, 9, 16, 23, 24, 25, 33, 40};
    struct text_dictionary dictionary;
    char key[64];

    open_dictionary(&dictionary, usual);
    for (uint32_t size = 0; size <= 40; size++) {
        snprintf(key, sizeof key, "1234567890123456789012345678901234567890");
        learn_one(&dictionary, key, size);
    }
    for (size_t k = 0; k < COUNT(kinds); k++) {
        const char *wrong = NULL;
        for (size_t s = 0; s < COUNT(sizes) && wrong == NULL; s++)
            wrong = check_borders(kinds[k], sizes[s], &dictionary);
        ok(wrong == NULL, "records across all borders, format %d%s%s",
           (int)kinds[k], wrong != NULL ? ": " : "",
           wrong != NULL ? wrong : "");
    }
    text_dictionary_close(&dictionary);
}

/* ---- refusals ---- */

static void
test_refusals(void)
{
    struct text_dictionary dictionary;
    struct device_case c = {
        .format = format_of(TEXT_LINES, 0),
        .field = {1, 0, TEXT_PART_ALL},
        .items = 8,
        .groups = 2,
        .list_room = 4,
        .dictionary = &dictionary,
    };
    char text[400];
    binning_u32 status;
    binning_u32 listed;

    open_dictionary(&dictionary, usual);
    learn(&dictionary, words, COUNT(words));
    ok(check(c, "q\nr\ns\nt\na\n", 10, &status, &listed) == NULL &&
           status == 0 && listed == 4,
       "a list is full");
    ok(check(c, "q\nr\ns\nt\na\nu\n", 12, &status, &listed) == NULL &&
           status == TEXT_REFUSED_LIST && listed == 5,
       "a list has no room");
    memset(text, '\n', sizeof text);
    ok(check(c, text, sizeof text, &status, &listed) == NULL &&
           status == TEXT_REFUSED_RECORDS,
       "too many records");
    for (size_t i = 0; i < sizeof text; i += 2)
        text[i] = 'a';
    ok(check(c, text, sizeof text, &status, &listed) == NULL && status == 0,
       "as many records as there may be");
    text_dictionary_close(&dictionary);
}

/* ---- the dictionary ---- */

/* With this key and seed, many keys have the same first slot: all are tried. */
static void
test_flood(void)
{
    struct text_dictionary dictionary;
    struct device_case c = {
        .format = format_of(TEXT_LINES, 0),
        .field = {1, 0, TEXT_PART_ALL},
        .items = 8,
        .groups = 2,
        .list_room = 100,
        .dictionary = &dictionary,
    };
    static char text[20000];
    binning_u32 status;
    binning_u32 listed;
    size_t used = 0;
    size_t known = 0;
    size_t tried = 0;
    uint64_t first = 0;

    if (text_dictionary_open(&dictionary, usual, 64, 1 << 12) < 0)
        abort();
    /* Keys of one slot of 256. */
    for (unsigned int i = 0; tried < 40; i++) {
        char key[40];
        int size = snprintf(key, sizeof key, i % 2 == 0 ? "%u" : "%030u", i);
        uint64_t hash = hash_bytes(&dictionary.hash_key,
                                   (const unsigned char *)key, (size_t)size) &
                        dictionary.slot_mask;
        if (tried == 0)
            first = hash;
        if (hash != first)
            continue;
        tried++;
        known += learn_one(&dictionary, key, (uint32_t)size);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n", key);
    }
    ok(known == TEXT_PROBES, "a slot has room for %d keys", TEXT_PROBES);
    const char *wrong = check(c, text, used, &status, &listed);
    ok(wrong == NULL && status == 0 && listed == 40 - TEXT_PROBES,
       "the others are listed");
    text_dictionary_close(&dictionary);
}

static void
test_dictionary(void)
{
    static const unsigned char big[TEXT_KEY_MAX + 1];
    struct text_dictionary dictionary;
    uint32_t size;

    if (text_dictionary_open(&dictionary, usual, 4, 1 << 12) < 0)
        abort();
    ok(learn_one(&dictionary, "", 0) && !learn_one(&dictionary, "", 0),
       "a key is learned once");
    ok(!learn_one(&dictionary, big, TEXT_KEY_MAX + 1),
       "a long key is not learned");
    ok(learn_one(&dictionary, big, TEXT_KEY_MAX) &&
           !text_dictionary_is_full(&dictionary),
       "one of the longest keys is learned");
    text_dictionary_sent(&dictionary, 2);
    ok(learn_one(&dictionary, big, 1) && learn_one(&dictionary, big, 2) &&
           dictionary.sent == 2 &&
           dictionary.learned[2].cell == TEXT_TOTALS + 2,
       "more is learned");
    ok(text_dictionary_is_full(&dictionary) && !learn_one(&dictionary, big, 3),
       "the dictionary is full");
    ok(memcmp(text_dictionary_key(&dictionary, TEXT_TOTALS + 3, &size), big,
              2) == 0 &&
           size == 2,
       "a key is found by its cell");
    text_dictionary_close(&dictionary);
    if (text_dictionary_open(&dictionary, usual, 100, 64) < 0)
        abort();
    size_t learned = 0;
    for (uint32_t i = 1; i <= 20; i++)
        learned += learn_one(&dictionary, big, i);
    ok(dictionary.arena_used <= 64 && learned > 2 && learned < 20,
       "the arena is full");
    text_dictionary_close(&dictionary);

    /* Many at once, some of them twice: each is learned once. */
    struct text_key several[200];
    open_dictionary(&dictionary, usual);
    for (uint32_t i = 0; i < COUNT(several); i++)
        several[i] = (struct text_key){big, i % 50};
    ok(text_dictionary_learn(&dictionary, several, COUNT(several)) == 50 &&
           dictionary.keys == 50 &&
           text_dictionary_learn(&dictionary, several, COUNT(several)) == 0,
       "of many keys, each is learned once");
    for (uint32_t i = 0; i < COUNT(several); i++)
        several[i] = (struct text_key){big, 50 + i};
    ok(text_dictionary_learn(&dictionary, several, COUNT(several)) ==
               KEYS_MAX - 50 &&
           text_dictionary_is_full(&dictionary),
       "... until the dictionary is full");
    text_dictionary_close(&dictionary);
}

/* ---- numbers ---- */

/* Each text that has one of these edges must be it, to the last bit. */
static const double edges[] = {-3,   -1.5, 0,   0.1, 0.3,  0.7,  12,
                               12.3, 12.5, 100, 1e6, 1e22, 6e23, 7e23};

static const struct binning_axis axes[] = {
    {.kind = BINNING_EVEN,
     .type = SAMPLE_F8,
     .is_text = 1,
     .bins = 10,
     .lo = 0,
     .hi = 100,
     .width = 10,
     .scale = 0.1},
    {.kind = BINNING_EVEN,
     .type = SAMPLE_I8,
     .is_text = 1,
     .mask = ~(binning_u64)0,
     .bins = 7,
     .lo = -50,
     .hi = 20,
     .width = 10,
     .scale = 0.1,
     .closed = BINNING_RIGHT},
    {.kind = BINNING_EDGES,
     .type = SAMPLE_F8,
     .is_text = 1,
     .bins = COUNT(edges) - 1,
     .lo = -3,
     .hi = 7e23,
     .closed = BINNING_NUMPY},
    {.kind = BINNING_EDGES,
     .type = SAMPLE_F8,
     .is_text = 1,
     .bins = COUNT(edges) - 1,
     .lo = -3,
     .hi = 7e23,
     .closed = BINNING_RIGHT},
    {.kind = BINNING_DIRECT,
     .type = SAMPLE_I8,
     .is_text = 1,
     .mask = ~(binning_u64)0,
     .first = ~(binning_u64)4,
     .bins = 205},
    {.kind = BINNING_LOG2,
     .type = SAMPLE_F8,
     .is_text = 1,
     .is_log = 1,
     .bins = 40,
     .subdivision = 2,
     .lo = 1.0 / 16,
     .hi = 64,
     .first_step = -16},
};

static const char *const numbers[] = {
    "0",
    "-0",
    "12.3",
    "12.5",
    "-3",
    "100",
    "0.1",
    "0.3",
    "0.7",
    "6e23",
    "7e23",
    ".5",
    "5.",
    "+7",
    "1e2",
    "1E-1",
    "1e22",
    "1e23",
    "1e-22",
    "1e-23",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "123456789012345678",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "1234567890123456789012",
    "0.30000000000000004440892098500626",
    "99.99999999999999",
    "0000000000000000000000000000000000000001",
    "00000000000000000000000000000000000000012",
    " 12 ",
    "\t12.5",
    "5.0",
    "50e-1",
    "nan",
    "inf",
    "-Infinity",
    "12ms",
    "0x1F",
    "1e",
    "e5",
    ".",
    "-",
    "",
    "1e999999999999999999999",
};

/* Each number in a line, on each axis; those of them that are no short numbers
   are keys, or are listed. */
static void
test_numbers(void)
{
    struct text_dictionary dictionary;
    char text[1500];
    size_t used = 0;
    binning_u32 status;
    binning_u32 listed[2];

    for (size_t i = 0; i < COUNT(numbers); i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s\n",
                                 numbers[i]);
    for (size_t a = 0; a < COUNT(axes); a++) {
        const char *wrong = NULL;
        for (int is_known = 0; is_known < 2 && wrong == NULL; is_known++) {
            open_dictionary(&dictionary, usual);
            if (is_known)
                learn(&dictionary, numbers, COUNT(numbers));
            struct device_case c = {
                .format = format_of(TEXT_LINES, 0),
                .field = {1, 0, TEXT_PART_ALL},
                .items = 8,
                .groups = 2,
                .list_room = 100,
                .finding = TEXT_FINDS_NUMBERS,
                .axis = &axes[a],
                .edges = edges,
                .dictionary = &dictionary,
            };
            wrong = check(c, text, used, &status, &listed[is_known]);
            text_dictionary_close(&dictionary);
        }
        ok(wrong == NULL && status == 0 && listed[0] > 10 && listed[0] < 35 &&
               listed[1] == 0,
           "numbers on axis %zu%s%s", a, wrong != NULL ? ": " : "",
           wrong != NULL ? wrong : "");
    }
}

/* Texts of the bytes that numbers have, on each axis. */
static void
test_random_numbers(void)
{
    static const char bytes[] = "00123456789..-+eE \t9";
    struct text_dictionary dictionary;
    const char *wrong = NULL;
    char text[1500];
    binning_u32 status;
    binning_u32 listed;

    open_dictionary(&dictionary, usual);
    for (int n = 0; n < (IS_INSTRUMENTED ? 10 : 60) && wrong == NULL; n++) {
        size_t most = 1 + noise() % 24;
        size_t used = 0;
        while (used < sizeof text - 32) {
            for (size_t size = noise() % (most + 1); size > 0; size--)
                text[used++] = bytes[noise() % (sizeof bytes - 1)];
            text[used++] = '\n';
        }
        for (size_t a = 0; a < COUNT(axes) && wrong == NULL; a++) {
            const struct device_case c = {
                .format = format_of(TEXT_LINES, 0),
                .field = {1, 0, TEXT_PART_ALL},
                .items = 8,
                .groups = 2,
                .list_room = 1500,
                .finding = TEXT_FINDS_NUMBERS,
                .axis = &axes[a],
                .edges = edges,
                .dictionary = &dictionary,
            };
            wrong = check(c, text, used, &status, &listed);
        }
    }
    ok(wrong == NULL, "random numbers%s%s", wrong != NULL ? ": " : "",
       wrong != NULL ? wrong : "");
    text_dictionary_close(&dictionary);
}

/* ---- random texts ---- */

static const char *
check_random(const struct text_dictionary *dictionary)
{
    static const enum text_kind with_spans[] = {TEXT_DELIMITED, TEXT_WHITESPACE,
                                                TEXT_CSV};
    static const char *const parts[] = {
        "a",
        "b",
        "key",
        "key1",
        "key2",
        "\n",
        "\n",
        "\n",
        ",",
        ",",
        " ",
        "\t",
        "\"",
        "\"\"",
        "\r\n",
        "[",
        "]",
        "\\",
        "#",
        "ab",
        "x",
        "12345678901234567890123456789012",
        "123456789012345678901234",
        "1234567890123456789012345678901234567890123456789012345678901234567890",
    };
    static const enum text_kind kinds[] = {TEXT_LINES,      TEXT_DELIMITED,
                                           TEXT_WHITESPACE, TEXT_CLF,
                                           TEXT_CSV,        TEXT_WORDS};
    static const char *const logs[] = {
        "a - x [22/Nov/2026:10:00:00 +0000] \"ab\" 200 5\n",
        "\na - - [22/Nov/2026:10:00:00 +0000] \"\" - 12 \"ab\"",
        "\na - - [31/Nov/2026:10:00:00 +0000] \"\" - 12 \"ab\"",
        "\nab:80 a. - - [22/Nov/2026:10:00:00 +0000] \"\" - 12 \"ab\"",
        " - [22/Nov/2026:10:00:00 +0000] \"",
        "\" 200 12",
    };
    enum text_kind kind = kinds[noise() % COUNT(kinds)];
    struct device_case c = {
        .format = format_of(kind, ','),
        .field = {1 + (binning_u32)(noise() % 4), 0, TEXT_PART_ALL},
        .prefix = noise() % 4 == 0 ? 1 + (binning_u32)(noise() % 30) : 0,
        .items = 1u << noise() % 6,
        .groups = 1 + (binning_u32)(noise() % 4),
        .list_room = (binning_u32)(noise() % 40),
        .dictionary = dictionary,
    };
    char text[1500];
    size_t used = 0;
    size_t most = 1 + noise() % 1200;
    binning_u32 status;
    binning_u32 listed;

    if (noise() % 3 == 0) {
        c.finding = TEXT_FINDS_SPANS;
        c.format.kind = kind = with_spans[noise() % COUNT(with_spans)];
        c.span = (binning_u32)(noise() % 3);
        c.prefix = 0;
    } else if (noise() % 4 == 0) {
        c.field.is_from_last = 1;
        c.field.number--;
    }
    if (c.finding == TEXT_FINDS_KEYS && noise() % 2 == 0) {
        c.finding = TEXT_FINDS_NUMBERS;
        c.axis = &axes[noise() % COUNT(axes)];
        c.edges = edges;
    }
    if (noise() % 4 == 0 && kind != TEXT_CSV)
        c.format.comment = '#';
    if (noise() % 8 == 0)
        c.format.end = 0;
    c.format.skips_blank = kind == TEXT_CSV && noise() % 2 == 0;
    while (used < most) {
        const char *part = c.finding == TEXT_FINDS_NUMBERS && noise() % 2 == 0
                               ? numbers[noise() % COUNT(numbers)]
                               : parts[noise() % COUNT(parts)];
        if (kind == TEXT_CLF && noise() % 2 == 0)
            part = logs[noise() % COUNT(logs)];
        size_t size = strlen(part);
        memcpy(text + used, part, size);
        if (c.format.end == 0 && *part == '\n')
            text[used] = '\0';
        used += size;
    }
    return check(c, text, used, &status, &listed);
}

static void
test_random(void)
{
    struct text_dictionary dictionary;
    const char *wrong = NULL;

    open_dictionary(&dictionary, usual);
    learn(&dictionary, words, COUNT(words));
    for (int i = 0; i < (IS_INSTRUMENTED ? 300 : 3000) && wrong == NULL; i++)
        wrong = check_random(&dictionary);
    ok(wrong == NULL, "random texts%s%s", wrong != NULL ? ": " : "",
       wrong != NULL ? wrong : "");
    text_dictionary_close(&dictionary);
}

int
main(void)
{
    device_open_items();
    test_examples();
    test_spans();
    test_borders();
    test_refusals();
    test_flood();
    test_dictionary();
    test_numbers();
    test_random_numbers();
    test_random();
    return done_testing();
}
