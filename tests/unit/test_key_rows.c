/* SPDX-License-Identifier: MIT */
/*
 * test_key_rows.c -- rows of keys: that each text can be read back, and what
 * the options make of them
 *
 * tests/cli/keys_oracle.py reads whole reports; here is what it cannot reach.
 */

#include <string.h>

#include "../key_report.h"
#include "../tap.h"
#include "base/error.h"
#include "cli/explain.h"
#include "hist/text_axis.h"
#include "report/key_text.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define WORDS_MAX 16

/* ---- texts ---- */

static void
drain_nothing(struct writer *writer)
{
    writer->at = writer->room;
}

/* A short text that PUT writes. */
struct text {
    char room[4 * WRITER_PIECE_BYTES];
    size_t size;
};

static void
text_make(struct text *text, key_text_put *put, const char *key, size_t size)
{
    struct writer out;

    writer_open_room(&out, text->room, sizeof text->room, drain_nothing, NULL);
    put(&out, (const unsigned char *)key, size);
    text->size = (size_t)(out.at - text->room);
}

/* As gpuhist-format(5) says: \t, \n and \\ are a byte each. */
static size_t
read_tsv(const struct text *text, char *key)
{
    size_t size = 0;

    for (size_t i = 0; i < text->size; i++) {
        char next = i + 1 < text->size ? text->room[i + 1] : '\0';
        bool is_escape = text->room[i] == '\\' &&
                         (next == 't' || next == 'n' || next == '\\');
        key[size++] = !is_escape    ? text->room[i]
                      : next == 't' ? '\t'
                      : next == 'n' ? '\n'
                                    : '\\';
        i += is_escape;
    }
    return size;
}

/* The texts of special rows in CSV. */
static const char *const csv_special[] = {"\\N", "\\other", "\\empty",
                                          "\\invalid"};

/* Whether the SIZE bytes at TEXT end as the text of a special row, after one or
   more other backslashes. */
static bool
has_more_backslashes(const char *text, size_t size)
{
    for (size_t i = 0; i < COUNT(csv_special); i++) {
        size_t length = strlen(csv_special[i]);
        if (size > length && strspn(text, "\\") == size - length + 1 &&
            memcmp(text + size - length, csv_special[i], length) == 0)
            return true;
    }
    return false;
}

static size_t
read_csv(const struct text *text, char *key)
{
    size_t size = 0;

    if (text->size == 0 || text->room[0] != '"') {
        bool has_more = has_more_backslashes(text->room, text->size);
        memcpy(key, text->room + has_more, text->size - has_more);
        return text->size - has_more;
    }
    for (size_t i = 1; i + 1 < text->size; i++) {
        key[size++] = text->room[i];
        i += text->room[i] == '"';
    }
    return size;
}

/* As tsv, and \xHH. */
static size_t
read_shown(const struct text *shown, char *key)
{
    size_t size = 0;

    for (size_t i = 0; i < shown->size; i++) {
        struct text one = {.size = 1};
        unsigned int byte;
        if (sscanf(shown->room + i, "\\x%2x", &byte) == 1) {
            key[size++] = (char)byte;
            i += 3;
            continue;
        }
        memcpy(one.room, shown->room + i, 2);
        if (shown->room[i] == '\\' && i + 1 < shown->size &&
            strchr("tn\\", shown->room[i + 1]) != NULL) {
            one.size = 2;
            i++;
        }
        size += read_tsv(&one, key + size);
    }
    return size;
}

/* The text of a cell; then as read_shown(). */
static size_t
read_md(const struct text *text, char *key)
{
    struct text shown = {.size = 0};

    for (size_t i = 0; i < text->size; i++) {
        i += text->room[i] == '\\';
        shown.room[shown.size++] = text->room[i];
    }
    shown.room[shown.size] = '\0';
    return read_shown(&shown, key);
}

/* Whether TEXT could be taken for the name of a special row. */
static bool
looks_special(const struct text *text)
{
    return text->size >= 2 && text->room[0] == '\\' &&
           memchr("Noei", text->room[1], 4) != NULL;
}

static bool
is_special_csv(const struct text *text)
{
    bool is_special = false;

    for (size_t i = 0; i < COUNT(csv_special); i++)
        is_special |= text->size == strlen(csv_special[i]) &&
                      memcmp(text->room, csv_special[i], text->size) == 0;
    return is_special;
}

static bool
has_byte(const struct text *text, const char *bytes)
{
    for (const char *byte = bytes; *byte != '\0'; byte++) {
        if (memchr(text->room, *byte, text->size) != NULL)
            return true;
    }
    return false;
}

/* All keys of up to LETTERS_MAX of the LETTERS. */
#define LETTERS_MAX 6
static const char letters[] = "\\tnNox\t\n\" ";

static void
test_inverse(void)
{
    const size_t base = COUNT(letters) - 1;
    bool tsv = true;
    bool tsv_lines = true;
    bool special = true;
    bool csv = true;
    bool md = true;
    bool shown = true;

    for (size_t size = 0; size <= LETTERS_MAX; size++) {
        size_t keys = 1;
        for (size_t i = 0; i < size; i++)
            keys *= base;
        /* Many letters take seconds under a sanitizer.  With these steps each
           letter still has its turn at each place. */
        size_t step = !IS_INSTRUMENTED || size < 5 ? 1 : size == 5 ? 7 : 97;
        for (size_t k = 0; k < keys; k += step) {
            char key[LETTERS_MAX + 1] = "";
            char read[sizeof(struct text)];
            struct text text;
            size_t number = k;

            for (size_t i = 0; i < size; i++, number /= base)
                key[i] = letters[number % base];
            text_make(&text, key_text_put_tsv, key, size);
            tsv &= read_tsv(&text, read) == size && !memcmp(read, key, size);
            tsv_lines &= !has_byte(&text, "\t\n");
            special &= !looks_special(&text);
            text_make(&text, key_text_put_csv, key, size);
            csv &= read_csv(&text, read) == size && !memcmp(read, key, size);
            special &= !is_special_csv(&text);
            text_make(&text, key_text_put_md, key, size);
            md &= read_md(&text, read) == size && !memcmp(read, key, size);
            text_make(&text, key_text_put_shown, key, size);
            shown &=
                read_shown(&text, read) == size && !memcmp(read, key, size) &&
                text.size == key_text_columns((const unsigned char *)key, size);
        }
    }
    ok(tsv, "tsv reads back");
    ok(tsv_lines, "... without tabs and newlines");
    ok(special, "... and no key looks like a special row");
    ok(csv, "csv reads back");
    ok(md, "md reads back");
    ok(shown, "table reads back, and the columns are right");
}

static void
test_texts(void)
{
    static const struct {
        const char *key;
        size_t size;
        key_text_put *put;
        const char *text;
    } cases[] = {
        {"\\x22", 4, key_text_put_tsv, "\\x22"},
        {"C:\\dir", 6, key_text_put_tsv, "C:\\dir"},
        {"C:\\temp\\", 8, key_text_put_tsv, "C:\\\\temp\\\\"},
        {"\\N", 2, key_text_put_tsv, "\\\\N"},
        {"\\other", 6, key_text_put_tsv, "\\\\other"},
        {"\\empty", 6, key_text_put_tsv, "\\\\empty"},
        {"\\invalid", 8, key_text_put_tsv, "\\\\invalid"},
        {"\\\\", 2, key_text_put_tsv, "\\\\\\\\"},
        {"\\\t", 2, key_text_put_tsv, "\\\\\\t"},
        {"a\tb\n", 4, key_text_put_tsv, "a\\tb\\n"},
        {"\r|\"", 3, key_text_put_tsv, "\r|\""},
        {"a b", 3, key_text_put_csv, "a b"},
        {"a,b", 3, key_text_put_csv, "\"a,b\""},
        {"\"", 1, key_text_put_csv, "\"\"\"\""},
        {"a\rb", 3, key_text_put_csv, "\"a\rb\""},
        {"a\nb", 3, key_text_put_csv, "\"a\nb\""},
        {"\\N", 2, key_text_put_csv, "\\\\N"},
        {"\\\\N", 3, key_text_put_csv, "\\\\\\N"},
        {"\\other", 6, key_text_put_csv, "\\\\other"},
        {"\\empty", 6, key_text_put_csv, "\\\\empty"},
        {"\\invalid", 8, key_text_put_csv, "\\\\invalid"},
        {"\\NN", 3, key_text_put_csv, "\\NN"},
        {"N", 1, key_text_put_csv, "N"},
        {"\\N", 2, key_text_put_quoted, "\\N"},
        {"\t\\\n", 3, key_text_put_raw, "\t\\\n"},
        {"a|b", 3, key_text_put_md, "a\\|b"},
        {"\\x41", 4, key_text_put_md, "\\\\\\\\x41"},
        {" a b ", 5, key_text_put_md, "\\\\x20a b\\\\x20"},
        {"\r\x7f", 2, key_text_put_md, "\\\\x0d\\\\x7f"},
        {"\xc3\xa4\xc3", 3, key_text_put_md, "\xc3\xa4\\\\xc3"},
        {"\"\\\n", 3, key_text_put_json, "\":\"\\\"\\\\\\u000a\""},
        {"\xc3\xa4", 2, key_text_put_json, "\":\"\xc3\xa4\""},
        {"\xc3", 1, key_text_put_json, "_hex\":\"c3\""},
        {"a\xff", 2, key_text_put_json, "_hex\":\"61ff\""},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text;
        text_make(&text, cases[i].put, cases[i].key, cases[i].size);
        ok(text.size == strlen(cases[i].text) &&
               memcmp(text.room, cases[i].text, text.size) == 0,
           "text %zu: %s", i,
           cases[i].put == key_text_put_raw ? "raw" : cases[i].text);
    }
}

/* ---- reports ---- */

static void
append(struct writer *writer)
{
    size_t size = (size_t)(writer->at - writer->room);

    if (fwrite(writer->room, 1, size, writer->context) != size)
        abort();
    writer->at = writer->room;
}

/*
 * Print MADE.  Returns the text, for free(), or the message of an error without
 * one.  Sets *HIDDEN.
 */
static char *
print(struct key_report *made, unsigned int threads,
      struct report_hidden *hidden)
{
    struct error error = ERROR_NONE;
    char room[1024];
    char *text = NULL;
    size_t size;
    struct writer writer;
    FILE *out = open_memstream(&text, &size);

    if (out == NULL)
        abort();
    writer_open_room(&writer, room, sizeof room, append, out);
    *hidden = (struct report_hidden){0};
    if (key_report_print(&writer, made, threads, hidden, &error) < 0)
        fprintf(out, "status %d: %s", (int)error.status, error.text);
    error_clear(&error);
    (void)writer_flush(&writer);
    fclose(out);
    return text;
}

/* Start a report that is printed as the options of LINE say. */
static void
start(struct key_report *made, size_t axes, const char *line)
{
    /* The options point into them. */
    static char text[512];
    static char *argv[WORDS_MAX + 1];
    struct error error = ERROR_NONE;
    int argc = 0;

    memset(argv, 0, sizeof argv);
    snprintf(text, sizeof text, "gpuhist %s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (key_report_open(made, axes, argc, argv, &error) < 0) {
        printf("Bail out! %s: %s\n", line, error.text);
        exit(99);
    }
}

static void
compare(char *text, const char *wanted, const char *name)
{
    bool passed = strcmp(text, wanted) == 0;

    ok(passed, "%s", name);
    if (!passed)
        printf("# %s\n", text);
    free(text);
}

/* What the options make of the keys a, b, c with counts 1, 3, 3. */
static void
test_options(void)
{
    static const struct {
        const char *options;
        uint64_t missing;
        const char *text;
        struct report_hidden hidden;
    } cases[] = {
        {"", 2, "a\t1\nb\t3\nc\t3\n\\N\t2\n", {0, 0, 0}},
        {"", 0, "a\t1\nb\t3\nc\t3\n", {0, 0, 0}},
        {"--flow=show", 0, "a\t1\nb\t3\nc\t3\n\\N\t0\n", {0, 0, 0}},
        {"--flow=show --nonzero", 0, "a\t1\nb\t3\nc\t3\n", {0, 0, 0}},
        {"--flow=hide", 2, "a\t1\nb\t3\nc\t3\n", {2, 0, 0}},
        {"--sort=count", 9, "b\t3\nc\t3\na\t1\n\\N\t9\n", {0, 0, 0}},
        {"--top=1", 9, "b\t3\n\\N\t9\n\\other\t4\n", {0, 0, 0}},
        {"--top=2 --sort=value",
         9,
         "b\t3\nc\t3\n\\N\t9\n\\other\t1\n",
         {0, 0, 0}},
        {"--top=9 --flow=hide", 9, "b\t3\nc\t3\na\t1\n", {9, 0, 0}},
        {"--format=uniq", 2, "      1 a\n      3 b\n      3 c\n", {2, 0, 0}},
        {"--format=uniq --top=1 --flow=show", 0, "      3 b\n", {0, 4, 0}},
        {"--format=uniq --min-count=2", 5, "      3 b\n      3 c\n", {5, 1, 0}},
        {"--min-count=1", 5, "a\t1\nb\t3\nc\t3\n\\N\t5\n", {0, 0, 0}},
        {"--min-count=3", 1, "b\t3\nc\t3\n\\N\t1\n\\other\t1\n", {0, 0, 0}},
        {"--min-count=4", 0, "\\other\t7\n", {0, 0, 0}},
        {"--min-count=4 --no-other", 1, "\\N\t1\n", {0, 7, 0}},
        {"--min-count=2 --top=1", 0, "b\t3\n\\other\t4\n", {0, 0, 0}},
        {"--min-count=2 --sort=count",
         0,
         "b\t3\nc\t3\n\\other\t1\n",
         {0, 0, 0}},
        {"--min-count=2 --sort=count --no-other --flow=hide",
         8,
         "b\t3\nc\t3\n",
         {8, 1, 0}},
        {"--min-count=2 --top=1 --no-other", 8, "b\t3\n\\N\t8\n", {0, 4, 0}},
        {"--max-count=1", 5, "a\t1\n\\N\t5\n\\other\t6\n", {0, 0, 0}},
        {"--max-count=3 --min-count=3 --sort=value",
         0,
         "b\t3\nc\t3\n\\other\t1\n",
         {0, 0, 0}},
        {"--max-count=2 --top=1", 8, "a\t1\n\\N\t8\n\\other\t6\n", {0, 0, 0}},
        {"--max-count=2 --sort=count --no-other", 0, "a\t1\n", {0, 6, 0}},
        {"--format=uniq --max-count=2", 0, "      1 a\n", {0, 6, 0}},
        {"--min-count=2 --cumulative",
         8,
         "b\t3\t3\nc\t3\t6\n\\N\t8\t14\n\\other\t1\t15\n",
         {0, 0, 0}},
        {"--format=csv --top=1",
         9,
         "value,count\nb,3\n\\N,9\n\\other,4\n",
         {0, 0, 0}},
        {"--format=npy",
         0,
         "status 2: --format=npy has no place for keys; tsv, csv, md, "
         "table, json, jsonl, prom and uniq have",
         {0, 0, 0}},
        {"--density",
         0,
         "status 2: --density needs bins that have a width; keys have "
         "--percent and --cumulative",
         {0, 0, 0}},
        {"--labels=char",
         0,
         "status 2: --labels is for bytes, u1, with a bin for each value; pairs "
         "of bytes are --record=u1,u1 --joint",
         {0, 0, 0}},
        {"--stats",
         0,
         "status 2: --stats and --percentiles are of numbers, not of keys; "
         "keys have --stats=values,distinct,entropy, --top, --sort, --percent "
         "and --cumulative",
         {0, 0, 0}},
        {"--percentiles=50",
         0,
         "status 2: --stats and --percentiles are of numbers, not of keys; "
         "keys have --stats=values,distinct,entropy, --top, --sort, --percent "
         "and --cumulative",
         {0, 0, 0}},
        {"--image --lut",
         0,
         "status 2: --lut and --equalize are for grey images, with one bin "
         "for each value",
         {0, 0, 0}},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct key_report made;
        struct report_hidden hidden;

        start(&made, 1, cases[i].options);
        key_report_add(&made, 0, "a", 1, 1);
        key_report_add(&made, 0, "b", 1, 3);
        key_report_add(&made, 0, "c", 1, 3);
        made.missing[0] = cases[i].missing;
        key_report_count(&made);
        char *text = print(&made, 1, &hidden);
        compare(text, cases[i].text, cases[i].options);
        ok(hidden.flow == cases[i].hidden.flow &&
               hidden.other == cases[i].hidden.other,
           "... what it hides");
        key_report_close(&made);
    }
}

/* Keys beside numbers, with edges or without: one table has the same columns. */
static void
test_mixed(void)
{
    static const struct {
        const char *options;
        bool has_edges;
        const char *text;
    } cases[] = {
        {"--header-out", true,
         "field\tvalue_lo\tvalue_hi\tcount\n1\t\\\\N\t\\\\N\t4\n1\t\\N\t\\N\t1\n"
         "2\t-inf\t0\t6\n2\t0\t0.5\t5\n2\t0.5\t1\t0\n"},
        {"--format=csv", true,
         "field,value_lo,value_hi,count\n1,\\\\N,\\\\N,4\n1,\\N,\\N,1\n"
         "2,-inf,0,6\n2,0,0.5,5\n2,0.5,1,0\n"},
        {"--format=csv", false,
         "field,value,count\n1,\\\\N,4\n1,\\N,1\n"
         "2,-inf,6\n2,7,5\n2,8,0\n"},
        {"--format=md", false,
         "| field | value | count |\n| :--- | :--- | ---: |\n"
         "| 1 | \\\\\\\\N | 4 |\n| 1 | \\\\N | 1 |\n\n"
         "| field | value | count |\n| :--- | ---: | ---: |\n"
         "| 2 | -inf | 6 |\n| 2 | 7 | 5 |\n| 2 | 8 | 0 |\n"},
        {"--format=uniq --top=1", false, "      4 1\t\\N\n      6 2\t-inf\n"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct key_report made;
        struct report_hidden hidden;

        start(&made, 2, cases[i].options);
        made.axis[1] = (struct binning_axis){
            .kind = cases[i].has_edges ? BINNING_EVEN : BINNING_DIRECT,
            .type = cases[i].has_edges ? SAMPLE_F4 : SAMPLE_U1,
            .mask = UINT64_MAX,
            .bins = 2,
            .first = 7,
            .hi = 1,
            .width = 0.5,
            .scale = 2,
        };
        key_report_add(&made, 0, "\\N", 2, 4);
        made.missing[0] = 1;
        key_report_count(&made);
        key_report_cells(&made, 1)[0] = 5;
        key_report_cells(&made, 1)[2 + BINNING_UNDERFLOW] = 6;
        char *text = print(&made, 1, &hidden);
        compare(text, cases[i].text, cases[i].options);
        key_report_close(&made);
    }
}

/* So many that several threads print. */
static void
test_threads(void)
{
    static const char *const formats[] = {"--format=csv --cumulative", "",
                                          "--format=jsonl"};
    const uint64_t keys = ((uint64_t)1 << 20) + 70000;

    for (size_t f = 0; f < COUNT(formats); f++) {
        struct key_report made;
        struct report_hidden hidden;

        if (!has_turn(3))
            continue;
        start(&made, 1, formats[f]);
        for (uint64_t k = 0; k < keys; k++) {
            char key[16];
            int size =
                snprintf(key, sizeof key, "%08llx%s", (unsigned long long)k,
                         k % 9 == 0 ? "\\\t" : "");
            key_report_add(&made, 0, key, (size_t)size, k % 7 + 1);
        }
        made.missing[0] = 3;
        key_report_count(&made);
        char *one = print(&made, 1, &hidden);
        char *three = print(&made, 3, &hidden);
        ok(strcmp(one, three) == 0, "three threads: %s", formats[f]);
        free(one);
        free(three);
        key_report_close(&made);
    }
}

/* A field that no record has, beside one that is clamped. */
static void
test_clamp(void)
{
    struct key_report made;
    struct report_hidden hidden;

    start(&made, 2, "");
    made.axis[1] = (struct binning_axis){.kind = BINNING_DIRECT,
                                         .type = SAMPLE_U1,
                                         .mask = UINT64_MAX,
                                         .bins = 1,
                                         .first = 7};
    made.missing[0] = 4;
    key_report_count(&made);
    key_report_cells(&made, 1)[1 + BINNING_OVERFLOW] = 5;
    spec_clamp(&made.spec, &made.histogram);
    compare(print(&made, 1, &hidden), "1\t\\N\t4\n2\t7\t5\n", "clamped");
    key_report_close(&made);
}

/* A snapshot of what came since the last one has keys that did not. */
static void
test_no_count(void)
{
    struct key_report made;
    struct report_hidden hidden;

    start(&made, 1, "");
    key_report_add(&made, 0, "a", 1, 0);
    key_report_add(&made, 0, "b", 1, 2);
    key_report_count(&made);
    compare(print(&made, 1, &hidden), "b\t2\n", "keys that do not occur");
    key_report_close(&made);
}

/* K-mers of two bases, of which two occur: with a bin for each, and as keys. */
static void
test_kmers(void)
{
    static const struct {
        const char *options;
        bool has_list;
        const char *text;
    } cases[] = {
        {"", true, "AC\t2\nTT\t3\n\\invalid\t4\n"},
        {"--header-out", true, "value\tcount\nAC\t2\nTT\t3\n\\invalid\t4\n"},
        {"--top=1", true, "TT\t3\n\\invalid\t4\n\\other\t2\n"},
        {"--sort=count --flow=hide", true, "TT\t3\nAC\t2\n"},
        {"--flow=show", true,
         "AC\t2\nTT\t3\n\\N\t0\n\\empty\t0\n\\invalid\t4\n"},
        {"--format=csv --cumulative", true,
         "value,count,cumulative\nAC,2,2\nTT,3,5\n\\invalid,4,9\n"},
        {"--format=uniq", true, "      2 AC\n      3 TT\n"},
        {"--format=md", true,
         "| value | count |\n| :--- | ---: |\n| AC | 2 |\n| TT | 3 |\n"
         "| \\\\invalid | 4 |\n"},
        {"--format=jsonl", true,
         "{\"value\":\"AC\",\"count\":2}\n{\"value\":\"TT\",\"count\":3}\n"
         "{\"flow\":\"invalid\",\"count\":4}\n"
         "{\"totals\":[{\"values\":9,\"in_bins\":5}],\"gpuhist\":\"" VERSION
         "\",\"options\":[\"--format=jsonl\"],\"inputs\":[\"-\"],"
         "\"bytes\":10,\"records\":5}\n"},
        {"--labels=char", true,
         "status 2: --labels is for bytes, u1, with a bin for each value; pairs "
         "of bytes are --record=u1,u1 --joint"},
        {"--stats", true,
         "status 2: --stats and --percentiles are of numbers, not of keys; "
         "keys have --stats=values,distinct,entropy, --top, --sort, --percent "
         "and --cumulative"},
        {"--kmers=2 --full", false,
         "AA\t0\nAC\t2\nAG\t0\nAT\t0\nCA\t0\nCC\t0\nCG\t0\nCT\t0\n"
         "GA\t0\nGC\t0\nGG\t0\nGT\t0\nTA\t0\nTC\t0\nTG\t0\nTT\t3\n"
         "\\invalid\t4\n"},
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        for (int has_list = 0; has_list <= cases[i].has_list; has_list++) {
            struct key_report made;
            struct report_hidden hidden;
            uint64_t *count;

            start(&made, 1, cases[i].options);
            text_axis_make_kmer(&made.axis[0], 2, has_list ? 0 : 16);
            key_report_add(&made, 0, "AC", 2, 2);
            key_report_add(&made, 0, "TT", 2, 3);
            key_report_count(&made);
            count = key_report_cells(&made, 0);
            count[made.axis[0].bins + AXIS_INVALID] = 4;
            if (!has_list) {
                count[1] = 2;
                count[15] = 3;
            }
            compare(print(&made, 1, &hidden), cases[i].text, cases[i].options);
            key_report_close(&made);
        }
    }
}

/* Before anything is counted. */
static void
test_explain(void)
{
    struct key_report made;
    char *text = NULL;
    size_t size;

    start(&made, 2, "");
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    explain_axes(out, &made.spec);
    fclose(out);
    compare(text,
            "gpuhist: explain: field 1: a bin for each key\n"
            "gpuhist: explain: field 2: a bin for each key\n",
            "--explain");
    key_report_close(&made);
}

int
main(void)
{
    test_inverse();
    test_texts();
    test_options();
    test_mixed();
    if (!IS_EMULATED) /* a million keys */
        test_threads();
    test_clamp();
    test_no_count();
    test_kmers();
    test_explain();
    return done_testing();
}
