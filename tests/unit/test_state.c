/* SPDX-License-Identifier: MIT */
/*
 * test_state.c -- states are written as they were read, add up to the state of
 * the whole, and are refused if they are damaged
 *
 * The states here are composed by compose(), line by line.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "../tap.h"
#include "hist/lattice.h"
#include "hist/spectrum.h"
#include "hist/sum.h"
#include "state/state_lattice.h"
#include "state/state_spec.h"
#include "state/state_sum.h"
#include "state/state_weight.h"
#include "state/state_write.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define STATE_BYTES 8192
#define ROWS_MAX 16

static uint64_t seed = 1;

static uint64_t
draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

/* A text in memory, as a file. */
struct text {
    char byte[STATE_BYTES];
    size_t size;
    size_t read;
};

static ssize_t
supply(void *context, void *to, size_t size, struct error *error)
{
    struct text *text = context;
    size_t tail = text->size - text->read;

    (void)error;
    /* Lines are cut anywhere. */
    size = size < 7 ? size : 7;
    size = size < tail ? size : tail;
    memcpy(to, text->byte + text->read, size);
    text->read += size;
    return (ssize_t)size;
}

static void
put(struct text *text, const char *more)
{
    size_t size = strlen(more);

    memcpy(text->byte + text->size, more, size + 1);
    text->size += size;
}

/* ---- states of all kinds ---- */

struct kind {
    const char *name;
    struct spec_options options;
    const char *lattice; /* its line, without "lattice" */
    size_t histograms;   /* with the same rows */
    const char *sum;     /* of each value: a row of N has N times that */
    const char *row[ROWS_MAX];
};

#define BINS(n) .bins = {.name = "bins", .text = {n}, .count = 1}
#define RANGE(r) .range = {.name = "range", .text = {r}, .count = 1}
#define FIELDS(...) \
    .fields = {.name = "fields", .text = {__VA_ARGS__}, .count = 1}

static const struct kind kinds[] = {
    {"bytes", {.dtype = "u1"}, NULL, 1, NULL, {"0", "7", "128", "255"}},
    {"bins",
     {.dtype = "i2", .axis = {BINS("4"), RANGE("0,8")}},
     NULL,
     1,
     NULL,
     {"0", "3", "underflow", "overflow"}},
    {"logarithmic bins, and sums of floats",
     {.record = "f8,f4",
      .weights = "2",
      .axis = {.log = {.name = "log", .text = {"2"}, .count = 1}}},
     NULL,
     1,
     "0x3p-1",
     {"0", "1023", "underflow", "overflow", "nan", "zero", "negative"}},
    {"sums of integers",
     {.record = "u1,i8", .weights = "2"},
     NULL,
     1,
     "-9223372036854775808",
     {"0", "9", "255"}},
    {"two histograms", {.record = "u1,u1"}, NULL, 2, NULL, {"1", "2", "3"}},
    {"joint bins",
     {.record = "u1,f4", .joint = true, .axis = {BINS("2"), RANGE("0,8")}},
     NULL,
     1,
     NULL,
     {"0\t0", "0\tnan", "1\t1", "underflow\t1", "overflow\toverflow"}},
    {"a lattice",
     {.dtype = "f4", .axis = {BINS("8"), RANGE("auto")}},
     "1\t-3\t-5\t8",
     1,
     NULL,
     {"0", "3", "7", "underflow", "nan"}},
    {"integers that occur",
     {.dtype = "i8", .only_occurring = true},
     NULL,
     1,
     NULL,
     {"-9223372036854775808", "-1", "0", "17", "9223372036854775807"}},
    {"keys",
     {.text = {.kind = TEXT_LINES}},
     NULL,
     1,
     NULL,
     {"", "\\n", "\\\\N", "\\\\empty", "a", "a\\tb", "ab", "\xff", "\\N"}},
    {"keys with sums",
     {.text = {.kind = TEXT_DELIMITED}, FIELDS("1"), .weights = "2"},
     NULL,
     1,
     "-12345678901234567890123456789012345678.00000000000000000001",
     {"", "a", "b", "\\N"}},
    {"numbers that occur",
     {.text = {.kind = TEXT_DELIMITED}, FIELDS("2"), .dtype = "num"},
     NULL,
     1,
     NULL,
     {"-inf", "-5", "-5e-324", "0", "0.1", "1e+22", "inf", "nan", "\\N",
      "\\empty", "\\invalid"}},
    {"tuples",
     {.text = {.kind = TEXT_DELIMITED, .group_by = "1"},
      FIELDS("2"),
      .axis = {BINS("4"), RANGE("0,8")}},
     NULL,
     1,
     NULL,
     {"\tnan", "a\tunderflow", "a\t0", "a\t3", "a\tnan", "a\t\\N",
      "a\t\\invalid", "a\\tb\t0", "ab\t1", "\\N\t1", "\\N\t\\empty"}},
    {"tuples on a lattice",
     {.text = {.kind = TEXT_DELIMITED, .group_by = "1"},
      FIELDS("2"),
      .axis = {BINS("4"), RANGE("auto")}},
     "2\t3\t-2\t4",
     1,
     NULL,
     {"a\t0", "a\t1", "a\t3", "b\t1", "b\t\\invalid"}},
    {"k-mers",
     {.text = {.kind = TEXT_SEQUENCES, .kmer = 3}},
     NULL,
     1,
     NULL,
     {"AAA", "AAT", "CGT", "TTT", "\\invalid"}},
};

/* The value of N times KIND's sum, as its text. */
static void
put_sum(struct text *text, const struct kind *kind, const struct spec *spec,
        uint64_t n)
{
    uint64_t plane[WEIGHING_PLANES_MAX];
    uint64_t planes[WEIGHING_PLANES_MAX] = {0};
    char room[4 * WRITER_PIECE_BYTES];
    struct writer out;
    enum sample_type type = spec->weight.type;

    (void)state_weight_read(type, kind->sum, strlen(kind->sum), INT64_MAX,
                            plane);
    for (uint64_t i = 0; i < n; i++) {
        for (binning_u32 p = 0; p < weighing_planes(type); p++)
            planes[p] += plane[p];
    }
    writer_open_room(&out, room, sizeof room, NULL, NULL);
    state_weight_put(&out, type, planes, 1);
    *out.at = '\0';
    put(text, "\t");
    put(text, room);
}

static void
put_hash(struct text *text)
{
    struct digest_stream *hash = digest_stream_new();
    char line[32];

    digest_stream_add(hash, text->byte, text->size);
    snprintf(line, sizeof line, "\thash=%016llx\n",
             (unsigned long long)digest_stream_value(hash));
    digest_stream_free(hash);
    put(text, line);
}

/* A change of what compose() makes, whose hashes are right. */
struct change {
    const char *name;
    const char *from; /* replaced by TO, wherever it is first */
    const char *to;
};

/* Returns CHANGE, or NULL: it has been made. */
static const struct change *
apply(struct text *text, const struct change *change)
{
    char *at = change != NULL ? strstr(text->byte, change->from) : NULL;

    if (at == NULL)
        return change;
    char tail[STATE_BYTES];
    strcpy(tail, at + strlen(change->from));
    text->size = (size_t)(at - text->byte);
    put(text, change->to);
    put(text, tail);
    return NULL;
}

/* Set TEXT to the state of KIND with COUNTS of its rows. */
static void
compose(struct text *text, const struct kind *kind, const struct spec *spec,
        const uint64_t *counts, const struct change *change)
{
    struct state_lines lines = {0};
    char line[256];
    unsigned long long total = 0;
    unsigned long long rows = 0;

    text->size = text->read = 0;
    put(text, "#gpuhist-state 2\nby\ttest\noption\t--a=\\\\\\t\n");
    (void)state_spec_describe(spec, &lines);
    for (size_t i = 0; i < lines.count; i++) {
        size_t size;
        const char *at = state_lines_at(&lines, i, &size);
        snprintf(line, sizeof line, "spec\t%.*s\n", (int)size, at);
        put(text, line);
    }
    state_lines_close(&lines);
    if (kind->lattice != NULL) {
        snprintf(line, sizeof line, "lattice\t%s\n", kind->lattice);
        put(text, line);
    }
    for (size_t r = 0; r < ROWS_MAX && kind->row[r] != NULL; r++) {
        total += counts[r];
        rows += counts[r] > 0;
    }
    bool is_kmers = spec->text.kmer > 0;
    snprintf(line, sizeof line,
             "part\tsize=5\tx\ntotal\tbytes=%llu\trecords=%llu\tbases=%llu\t"
             "windows=%llu\tunweighted=0",
             total, is_kmers ? 2 : total, is_kmers ? total : 0,
             is_kmers ? total : 0);
    put(text, line);
    change = apply(text, change);
    put_hash(text);
    for (size_t h = 0; h < kind->histograms; h++) {
        snprintf(line, sizeof line, "rows\t%zu\t%llu\n", h + 1, rows);
        put(text, line);
        for (size_t r = 0; r < ROWS_MAX && kind->row[r] != NULL; r++) {
            if (counts[r] == 0)
                continue;
            put(text, kind->row[r]);
            snprintf(line, sizeof line, "\t%llu",
                     (unsigned long long)counts[r]);
            put(text, line);
            if (kind->sum != NULL)
                put_sum(text, kind, spec, counts[r]);
            put(text, "\n");
        }
    }
    snprintf(line, sizeof line, "end\trows=%llu", kind->histograms * rows);
    put(text, line);
    (void)apply(text, change);
    put_hash(text);
}

/* ---- reading ---- */

static void
drain(struct writer *writer)
{
    struct text *text = writer->context;
    size_t size = (size_t)(writer->at - writer->room);

    memcpy(text->byte + text->size, writer->room, size);
    text->size += size;
    writer->at = writer->room;
}

/* Add the states of TEXT to SUM, and set *HEAD to the head of the first one. */
static int
add(struct state_sum *sum, struct state_crew *crew, struct text *text,
    struct state_head *head, struct error *error)
{
    struct state_reader reader;
    struct state_head next = {0};
    int result;

    text->read = 0;
    state_reader_open(&reader, crew, supply, text, "x");
    while ((result = state_reader_head(&reader, &next, error)) > 0) {
        result = head->by != NULL
                     ? state_head_match(head, "x", &next, "x", error)
                     : 0;
        if (result == 0)
            result = state_sum_add(sum, &reader, &next, error);
        if (head->by == NULL)
            *head = next;
        else
            state_head_close(&next);
        next = (struct state_head){0};
        if (result < 0)
            break;
    }
    state_head_close(&next);
    return state_reader_close(&reader, result, error);
}

/* Returns a crew of some threads and blocks of BLOCK_BYTES, or of some if that
   is 0: they change nothing. */
static struct state_crew *
draw_crew(size_t block_bytes)
{
    static const size_t bytes[] = {1, 64, 300, 0};

    if (block_bytes == 0)
        block_bytes = bytes[draw(COUNT(bytes))];
    return state_crew_new(1 + (unsigned int)draw(4), 1 << 20, block_bytes);
}

/* Set OUT to the sum of the states in TEXT, in blocks of BLOCK_BYTES.  Returns
   0, or -1. */
static int
add_blocks(const struct spec *spec, struct text *const *text, size_t count,
           size_t block_bytes, struct text *out, struct error *error)
{
    struct state_crew *crew = draw_crew(block_bytes);
    struct state_sum *sum = state_sum_open(spec, crew, 1 << 20, error);
    struct state_lines lines = {0};
    struct state_head head = {0};
    struct snapshot counts;
    struct writer writer;
    char room[512];
    size_t at;
    int result = sum != NULL ? 0 : -1;

    for (size_t i = 0; i < count && result == 0; i++)
        result = add(sum, crew, text[i], &head, error);
    if (sum != NULL && state_sum_settle(sum, error) < 0)
        result = -1;
    out->size = out->read = 0;
    if (result == 0) {
        (void)state_spec_describe(spec, &lines);
        /* What a merge does with the first head. */
        if (head.by == NULL ||
            state_lines_differ(&lines, &head.list[STATE_SPEC], &at))
            result = -1;
        state_lines_close(&lines);
    }
    if (result == 0) {
        result = state_sum_finish(sum, &counts, error);
        writer_open_room(&writer, room, sizeof room, drain, out);
        if (result == 0)
            result = state_write(&writer, &head, &counts, error);
        drain(&writer);
        snapshot_close(&counts);
    }
    state_sum_close(sum);
    state_crew_free(crew);
    state_head_close(&head);
    return result;
}

/* As add_blocks(), in blocks of any size. */
static int
add_up(const struct spec *spec, struct text *const *text, size_t count,
       struct text *out, struct error *error)
{
    return add_blocks(spec, text, count, 0, out, error);
}

static bool
is_same(const struct text *a, const struct text *b)
{
    return a->size == b->size && memcmp(a->byte, b->byte, a->size) == 0;
}

/* Whether DAMAGED, made of WHOLE, is refused; or its counts are the same. */
static bool
is_harmless(const struct spec *spec, struct text *damaged,
            const struct text *whole)
{
    static struct text out;
    struct error error = ERROR_NONE;
    int result = add_up(spec, &damaged, 1, &out, &error);
    bool is_right = result < 0 || is_same(&out, whole);

    error_clear(&error);
    return is_right;
}

static void
test_damage(const struct kind *kind, const struct spec *spec,
            const struct text *whole)
{
    static struct text damaged;
    size_t accepted = 0;
    size_t wrong = 0;

    for (size_t size = 0; size < whole->size; size++) {
        struct error error = ERROR_NONE;
        static struct text out;
        struct text *text = &damaged;
        if (!has_turn(9))
            continue;
        damaged = *whole;
        damaged.size = size;
        accepted += add_up(spec, &text, 1, &out, &error) == 0;
        error_clear(&error);
    }
    ok(accepted == 0, "%s: cut anywhere", kind->name);
    for (size_t bit = draw(8); bit < 8 * whole->size; bit += 1 + draw(8)) {
        if (!has_turn(29))
            continue;
        damaged = *whole;
        damaged.byte[bit / 8] ^= (char)(1 << bit % 8);
        wrong += !is_harmless(spec, &damaged, whole);
    }
    ok(wrong == 0, "%s: bits flipped", kind->name);
}

static void
test_kind(const struct kind *kind, uint64_t memory_limit)
{
    static struct text whole;
    static struct text part[2];
    static struct text out;
    struct text *const one[] = {&whole};
    struct text *const two[] = {&part[1], &part[0]};
    struct error error = ERROR_NONE;
    uint64_t counts[3][ROWS_MAX] = {{0}};
    struct spec spec;

    if (spec_make(&spec, &kind->options, NULL, memory_limit, &error) < 0) {
        ok(false, "%s: %s", kind->name, error.text);
        return;
    }
    bool is_right = true;
    for (int times = 0; times < 8; times++) {
        for (size_t r = 0; r < ROWS_MAX && kind->row[r] != NULL; r++) {
            /* The first and the last bin of a lattice have a value. */
            counts[1][r] = draw(3) + (kind->lattice != NULL);
            counts[2][r] = draw(3);
            counts[0][r] = counts[1][r] + counts[2][r];
        }
        compose(&whole, kind, &spec, counts[0], NULL);
        compose(&part[0], kind, &spec, counts[1], NULL);
        compose(&part[1], kind, &spec, counts[2], NULL);
        is_right &=
            add_up(&spec, one, 1, &out, &error) == 0 && is_same(&out, &whole);
        /* The part of a record is not known. */
        if (spec.text.kmer == 0)
            is_right &= add_up(&spec, two, 2, &out, &error) == 0 &&
                        is_same(&out, &whole);
    }
    ok(is_right, "%s: read and written, and added up: %s", kind->name,
       error.text != NULL ? error.text : "no error");
    if (!is_right)
        printf("# %.*s\n# %.*s\n", (int)whole.size, whole.byte, (int)out.size,
               out.byte);
    error_clear(&error);
    test_damage(kind, &spec, &whole);
    spec_close(&spec);
}

/* ---- states that are wrong, with right hashes ---- */

static void
test_wrong(void)
{
    static const struct {
        size_t kind;
        struct change change;
        const char *message; /* a part of it */
    } table[] = {
        {0, {"none", "x\n", "x\n"}, NULL},
        {0, {"a newer version", "state 2", "state 3"}, "newer version"},
        {0, {"an older version", "state 2", "state 1"}, "older version"},
        {0, {"no version", "state 2", "state x"}, "no state of gpuhist"},
        {0, {"rows in a wrong order", "\n7\t", "\n200\t"}, "not behind"},
        {0, {"a row twice", "\n7\t", "\n0\t"}, "not behind"},
        {0, {"no such bin", "\n255\t", "\n256\t"}, "no such cell"},
        {0, {"no number", "\n255\t", "\n25x\t"}, "no such cell"},
        {0, {"a zero in front", "\n255\t", "\n0255\t"}, "no such cell"},
        {0,
         {"a flow cell that it has not", "\n255\t", "\nnan\t"},
         "no such cell"},
        {0, {"another count", "\n255\t2", "\n255\t3"}, "do not add up"},
        {0, {"a count of 0", "\n255\t2", "\n255\t0"}, "damaged"},
        {0, {"a field more", "\n255\t2", "\n255\t2\t2"}, "damaged"},
        {0, {"a field less", "\n255\t2", "\n255"}, "damaged"},
        {0, {"another histogram", "rows\t1\t", "rows\t2\t"}, "damaged"},
        {0, {"too many rows", "rows\t1\t4", "rows\t1\t5"}, "damaged"},
        {0, {"too few rows", "rows\t1\t4", "rows\t1\t3"}, "do not add up"},
        {0,
         {"another number at the end", "end\trows=4", "end\trows=3"},
         "another number of rows"},
        {0,
         {"a head in front of the end", "end\trows=4", "#gpuhist-state 2\nby"},
         "damaged"},
        {0,
         {"no histogram", "rows\t1\t4\n0\t2\n7\t2\n128\t2\n255\t2\n", ""},
         "number of rows"},
        {0,
         {"lines in a wrong order", "part\tsize=5\tx\n",
          "part\tsize=5\tx\noption\tx\n"},
         "damaged"},
        {0, {"an unknown line", "by\ttest\n", "by\ttest\nfoo\tx\n"}, "damaged"},
        {0, {"no program", "by\ttest\n", ""}, "damaged"},
        {0,
         {"a lattice too many", "part\t", "lattice\t1\tnone\npart\t"},
         "lattices are damaged"},
        {2, {"a sum in another base", "0x6p-1", "3"}, "damaged"},
        {2, {"a sum with a digit too low", "0x6p-1", "0x3p-9999"}, "damaged"},
        {2, {"a sum that is too large", "0x6p-1", "0x6p+9999"}, "damaged"},
        {3,
         {"a sum that is too large", "-18446744073709551616",
          "-9999999999999999999999999999999999999999999"},
         "damaged"},
        {3,
         {"a sum that its count cannot have", "-18446744073709551616",
          "-18446744073709551617"},
         "damaged"},
        {3,
         {"a sum with a fraction", "-18446744073709551616", "0.5"},
         "damaged"},
        {4,
         {"a histogram less", "rows\t2\t3\n1\t2\n2\t2\n3\t2\nend\trows=6",
          "end\trows=3"},
         "a histogram is missing"},
        {6,
         {"a lattice that is missing", "lattice\t1\t-3\t-5\t8\n", ""},
         "lattices are damaged"},
        {6,
         {"a lattice that is too long", "-5\t8", "-5\t9"},
         "lattices are damaged"},
        {6,
         {"a lattice that is too wide", "\t-3\t", "\t1021\t"},
         "lattices are damaged"},
        {6, {"a row behind the used bins", "-5\t8", "-5\t7"}, "no such cell"},
        {7,
         {"an integer that is too large", "\n9223372036854775807\t",
          "\n18446744073709551616\t"},
         "damaged"},
        {8, {"keys in a wrong order", "\na\t", "\nc\t"}, "not behind"},
        {8, {"a wrong escape", "\na\t", "\na\\x\t"}, "damaged"},
        {8,
         {"a special cell that it has not", "\n\\N\t", "\n\\empty\t"},
         "no such cell"},
        {8,
         {"a key behind the special cells", "\nab\t2\n\xff\t2\n\\N\t2\n",
          "\nab\t2\n\\N\t2\n\xff\t2\n"},
         "not behind"},
        {10, {"no number", "\n0.1\t", "\n0.1x\t"}, "damaged"},
        {11,
         {"a special group that it has not", "\n\\N\t1\t", "\n\\empty\t1\t"},
         "damaged"},
        {11, {"tuples in a wrong order", "\na\t3\t", "\na\t0\t"}, "not behind"},
        {13, {"no k-mer", "\nAAT\t", "\nAAN\t"}, "no such cell"},
        {13, {"a k-mer of two bases", "\nAAT\t", "\nAA\t"}, "no such cell"},
    };
    uint64_t counts[ROWS_MAX];

    for (size_t r = 0; r < ROWS_MAX; r++)
        counts[r] = 2;
    for (size_t i = 0; i < COUNT(table); i++) {
        static struct text text;
        static struct text out;
        const struct kind *kind = &kinds[table[i].kind];
        const char *message = table[i].message;
        struct text *const one[] = {&text};
        struct error error = ERROR_NONE;
        struct spec spec;
        bool has_spec =
            spec_make(&spec, &kind->options, NULL, 1 << 20, &error) == 0;
        compose(&text, kind, &spec, counts, &table[i].change);
        int result = has_spec ? add_up(&spec, one, 1, &out, &error) : 1;
        bool is_right = i == 0 ? result == 0
                               : result < 0 && error.text != NULL &&
                                     (message == NULL ||
                                      strstr(error.text, message) != NULL);
        ok(is_right, "%s: %s: %s", kind->name, table[i].change.name,
           error.text != NULL ? error.text : "accepted");
        error_clear(&error);
        spec_close(&spec);
    }
}

/* ---- borders of blocks ---- */

#define BORDER_ROWS 200

/* A state of keys, whose rows start at AT. */
struct rows {
    struct text text;
    size_t at[BORDER_ROWS + 1];
};

/* What is wrong with a row. */
enum wrong {
    DAMAGED,
    ESCAPED,
    TWICE,
    WRONGS
};

/* Set ROWS to a state whose row WRONG[W] is wrong in the way W; none if it is
   BORDER_ROWS.  Returns the line of the first row. */
static unsigned int
compose_rows(struct rows *rows, const struct spec *spec, const size_t *wrong)
{
    static const uint64_t none[ROWS_MAX] = {0};
    struct text *text = &rows->text;
    unsigned int line = 2; /* that of rows, and the next one */
    char row[64];

    struct kind keys = kinds[8];
    keys.row[0] = NULL;
    compose(text, &keys, spec, none, NULL);
    char *tail = strstr(text->byte, "total\t");
    text->size = (size_t)(tail - text->byte);
    for (size_t i = 0; i < text->size; i++)
        line += text->byte[i] == '\n';
    snprintf(row, sizeof row,
             "total\tbytes=0\trecords=%d\tbases=0\twindows=0\tunweighted=0",
             BORDER_ROWS);
    put(text, row);
    put_hash(text);
    snprintf(row, sizeof row, "rows\t1\t%d\n", BORDER_ROWS);
    put(text, row);
    for (size_t r = 0; r < BORDER_ROWS; r++) {
        rows->at[r] = text->size;
        size_t key = r - (r == wrong[TWICE]);
        snprintf(row, sizeof row, "%03zu%.*s%s\t1%s\n", key, (int)(key % 9),
                 "aaaaaaaaa", r == wrong[ESCAPED] ? "\\x" : "",
                 r == wrong[DAMAGED] ? "\t1" : "");
        put(text, row);
    }
    rows->at[BORDER_ROWS] = text->size;
    snprintf(row, sizeof row, "end\trows=%d", BORDER_ROWS);
    put(text, row);
    put_hash(text);
    return line + 1;
}

/* The first wrong row is named, wherever blocks end. */
static void
test_borders(void)
{
    static const char *const messages[WRONGS] = {
        "the row is damaged", "the row is damaged",
        "the row is not behind the one before"};
    static struct rows rows;
    static struct text out;
    struct text *const one[] = {&rows.text};
    struct error error = ERROR_NONE;
    struct spec spec;
    size_t refused = 0;
    size_t others = 0;

    if (spec_make(&spec, &kinds[8].options, NULL, 1 << 20, &error) < 0) {
        ok(false, "%s", error.text);
        return;
    }
    for (unsigned int times = 0; times < 400; times++) {
        size_t wrong[WRONGS];
        size_t first = BORDER_ROWS;
        int what = 0;
        char message[128];
        for (int w = 0; w < WRONGS; w++) {
            /* The first row is behind all. */
            wrong[w] = draw(2) > 0 ? BORDER_ROWS : 1 + draw(BORDER_ROWS - 1);
            what = wrong[w] < first ? w : what;
            first = wrong[w] < first ? wrong[w] : first;
        }
        if (!has_turn(10))
            continue;
        unsigned int line = compose_rows(&rows, &spec, wrong);
        /* A block ends around the row, or where the rows do. */
        size_t bytes = rows.at[first] + draw(3) - 1;
        if (draw(3) == 0)
            bytes = 1 + draw(500);
        int result = add_blocks(&spec, one, 1, bytes, &out, &error);
        refused += (result == 0) == (first < BORDER_ROWS);
        snprintf(message, sizeof message, "x: line %u: %s",
                 line + (unsigned int)first, messages[what]);
        others += result < 0 && strcmp(error.text, message) != 0;
        if (result < 0 && strcmp(error.text, message) != 0 && others < 4)
            printf("# %s, not %s\n", error.text, message);
        error_clear(&error);
    }
    ok(refused == 0, "wrong rows, and no others, are refused");
    ok(others == 0, "the first wrong row is named, wherever blocks end");
    spec_close(&spec);
}

/* ---- several lattices ---- */

/* A part of fine bins, one of coarse ones, and the whole. */
struct lattices {
    const struct kind *kind[3];
    uint64_t counts[3][ROWS_MAX];
};

static void
test_join(const struct lattices *lattices)
{
    static struct text text[3];
    static struct text out;
    struct text *const two[] = {&text[0], &text[1]};
    struct text *const other[] = {&text[1], &text[0]};
    struct error error = ERROR_NONE;
    struct spec spec;
    bool is_right = false;

    if (spec_make(&spec, &lattices->kind[0]->options, NULL, 1 << 20, &error) ==
        0) {
        for (int k = 0; k < 3; k++)
            compose(&text[k], lattices->kind[k], &spec, lattices->counts[k],
                    NULL);
        is_right = add_up(&spec, two, 2, &out, &error) == 0 &&
                   is_same(&out, &text[2]) &&
                   add_up(&spec, other, 2, &out, &error) == 0 &&
                   is_same(&out, &text[2]);
    }
    ok(is_right, "%s: several lattices: %s", lattices->kind[0]->name,
       error.text != NULL ? error.text : "no error");
    error_clear(&error);
    spec_close(&spec);
}

static void
test_joins(void)
{
#define PAIRS                                                             \
    {                                                                     \
        .text = {.kind = TEXT_DELIMITED}, FIELDS("2,1"), .joint = true,   \
        .axis = {                                                         \
            .bins = {.name = "bins", .text = {"4", "-"}, .count = 2},     \
            .range = {.name = "range", .text = {"auto", "-"}, .count = 2} \
        }                                                                 \
    }
#define NUMBERS                                             \
    {                                                       \
        .dtype = "f4", .axis = { BINS("4"), RANGE("auto") } \
    }
    /* In the lattice of the whole, tuples have another order, or become one. */
    static const struct kind pairs[3] = {
        {"tuples",
         PAIRS,
         "1\t0\t0\t4",
         1,
         NULL,
         {"underflow\tz", "0\tb", "0\tc", "1\ta", "1\tb", "3\ta", "\\N\ta"}},
        {"", PAIRS, "1\t1\t2\t2", 1, NULL, {"0\ta", "1\tb"}},
        {"",
         PAIRS,
         "1\t1\t0\t4",
         1,
         NULL,
         {"underflow\tz", "0\ta", "0\tb", "0\tc", "1\ta", "2\ta", "3\tb",
          "\\N\ta"}}};
    static const struct kind numbers[3] = {
        {"bins", NUMBERS, "1\t0\t0\t4", 1, NULL, {"0", "1", "3", "nan"}},
        {"", NUMBERS, "1\t1\t2\t2", 1, NULL, {"0", "1", "underflow", "nan"}},
        {"",
         NUMBERS,
         "1\t1\t0\t4",
         1,
         NULL,
         {"0", "1", "2", "3", "underflow", "nan"}}};
    static const struct lattices table[] = {
        {{&pairs[0], &pairs[1], &pairs[2]},
         {{1, 2, 3, 4, 5, 6, 7}, {1, 4}, {1, 4, 7, 3, 6, 1, 4, 7}}},
        {{&numbers[0], &numbers[1], &numbers[2]},
         {{1, 2, 3, 4}, {5, 6, 7, 8}, {3, 3, 5, 6, 7, 12}}},
    };
#undef PAIRS
#undef NUMBERS

    for (size_t i = 0; i < COUNT(table); i++)
        test_join(&table[i]);
}

/* ---- spectra ---- */

/* The keys of KIND have counts of 1, 2 and 3: check how many have each. */
static void
test_spectrum(const struct kind *kind, uint64_t memory_limit)
{
    static const uint64_t counts[ROWS_MAX] = {1, 3, 1, 2, 1, 1, 1, 1, 1, 1};
    static struct text text;
    struct spec_options options = kind->options;
    struct state_head head = {0};
    struct snapshot snapshot = {0};
    struct error error = ERROR_NONE;
    uint64_t keys[4] = {0};
    struct spec spec;
    bool is_right = false;

    options.spectrum = true;
    if (spec_make(&spec, &options, NULL, memory_limit, &error) == 0) {
        struct state_crew *crew = draw_crew(0);
        struct state_sum *sum = state_sum_open(&spec, crew, 1 << 20, &error);
        compose(&text, kind, &spec, counts, NULL);
        is_right = add(sum, crew, &text, &head, &error) == 0 &&
                   add(sum, crew, &text, &head, &error) == 0 &&
                   state_sum_settle(sum, &error) == 0 &&
                   state_sum_finish(sum, &snapshot, &error) == 0;
        const struct key_list *list =
            is_right ? spec_keys(snapshot.spec, 0) : NULL;
        for (uint64_t k = 0; is_right && k < list->count; k++) {
            uint64_t times = spectrum_multiplicity(list, k);
            is_right &= times % 2 == 0 && times <= 6;
            if (is_right)
                keys[times / 2] = snapshot.histogram.value[k];
        }
        for (size_t r = 0; kind->row[r][0] != '\\' || kind->row[r][1] != 'N';
             r++) {
            if (strcmp(kind->row[r], "\\invalid") == 0)
                break;
            keys[counts[r]]--;
        }
        is_right &= keys[1] == 0 && keys[2] == 0 && keys[3] == 0;
        snapshot_close(&snapshot);
        state_sum_close(sum);
        state_crew_free(crew);
    }
    ok(is_right, "%s: a spectrum: %s", kind->name,
       error.text != NULL ? error.text : "no error");
    error_clear(&error);
    state_head_close(&head);
    spec_close(&spec);
}

/* ---- lattices ---- */

/* A value in a range of its own. */
static double
draw_value(bool is_integer, int exponent)
{
    double value = ldexp((double)draw(1000) - 300, exponent);

    return is_integer ? floor(value) : value;
}

static void
test_lattices(void)
{
    size_t wrong = 0;

    for (unsigned int times = 0; times < 20000; times++) {
        struct binning_axis axis = {
            .bins = 4 + draw(50),
            .type = draw(2) != 0 ? SAMPLE_F8 : SAMPLE_I8,
            .kind = BINNING_EVEN,
            .closed = draw(2) != 0 ? BINNING_RIGHT : BINNING_LEFT,
            .is_auto = true,
        };
        const struct binning_tables none = {NULL, NULL};
        struct state_lattice joined = {0};
        struct extent all = extent_none;
        if (!has_turn(20))
            continue;
        for (uint64_t parts = 1 + draw(4); parts > 0; parts--) {
            bool is_integer = axis.type == SAMPLE_I8;
            int exponent = (int)draw(58) - (is_integer ? 5 : 30);
            struct extent extent = extent_none;
            struct binning_axis part = axis;
            double value[4];
            size_t values = draw(5);
            for (size_t v = 0; v < values; v++) {
                value[v] = draw_value(is_integer, exponent);
                struct extent one = {value[v], value[v]};
                extent_join(&extent, &one);
            }
            lattice_set(&part, &extent);
            extent_join(&all, &extent);
            /* The number of used bins is what a survey finds. */
            uint64_t used = 0;
            for (size_t v = 0; v < values; v++) {
                uint64_t bits = is_integer ? (uint64_t)(int64_t)value[v]
                                           : binning_double_bits(value[v]);
                part.mask = UINT64_MAX;
                uint64_t cell = binning_cell(&part, &none, bits);
                used = cell >= used ? cell + 1 : used;
            }
            struct state_lattice lattice = state_lattice_of(&part, used);
            state_lattice_join(&joined, &lattice, axis.bins);
        }
        struct binning_axis whole = axis;
        struct binning_axis sum = axis;
        lattice_set(&whole, &all);
        state_lattice_set(&sum, &joined);
        wrong += !lattice_is_same(&whole, &sum) || whole.hi != sum.hi ||
                 whole.scale != sum.scale;
    }
    ok(wrong == 0, "joined lattices are that of all values: %zu", wrong);
}

/* ---- sums ---- */

static void
test_sums(void)
{
    static const enum sample_type types[] = {
        SAMPLE_U1,   SAMPLE_I4,   SAMPLE_U8,     SAMPLE_I8,
        SAMPLE_F2,   SAMPLE_F4,   SAMPLE_F8,     SAMPLE_BF16,
        SAMPLE_E4M3, SAMPLE_E5M2, SAMPLE_DECIMAL};
    size_t wrong = 0;
    size_t rounded = 0;

    for (unsigned int times = 0; times < 4000; times++) {
        enum sample_type type = types[draw(COUNT(types))];
        binning_u32 digits = weighing_digits(type);
        binning_u32 planes = weighing_planes(type);
        uint64_t plane[WEIGHING_PLANES_MAX] = {0};
        uint64_t again[WEIGHING_PLANES_MAX];
        char room[1024];
        struct writer out;
        bool has_sign = binning_is_signed(type) || binning_is_float(type);
        if (!has_turn(10))
            continue;
        /* Some digits, of which the top one has only carries. */
        for (uint64_t n = draw(6); n > 0; n--)
            plane[draw(digits - 1)] +=
                draw(1u << 31) - (has_sign ? draw(1u << 31) : 0);
        for (binning_u32 p = digits; p < planes && draw(4) == 0; p++)
            plane[p] = draw(3);
        writer_open_room(&out, room, sizeof room, NULL, NULL);
        state_weight_put(&out, type, plane, 1);
        size_t size = (size_t)(out.at - room);
        *out.at = '\0';
        weighing_carry(plane, digits, 1);
        if (state_weight_read(type, room, size, INT64_MAX, again) < 0 ||
            memcmp(plane, again, planes * sizeof *plane) != 0)
            wrong++;
        /* strtod() rounds to even, too. */
        bool is_finite = strchr(room, ';') == NULL;
        if (is_finite && strtod(room, NULL) != sum_double(type, plane, 1))
            rounded++;
    }
    ok(wrong == 0, "sums are read as they were written: %zu", wrong);
    ok(rounded == 0, "strtod() reads the same numbers: %zu", rounded);
}

/* A sum that TIMES values have at most, and one that they cannot have. */
static const struct {
    enum sample_type type;
    uint64_t times;
    const char *most;
    const char *beyond;
} bounds[] = {
    {SAMPLE_U1, 3, "765", "766"},
    {SAMPLE_U1, 3, "0", "-1"},
    {SAMPLE_I1, 3, "-384", "-385"},
    {SAMPLE_I1, 3, "381", "382"},
    {SAMPLE_U8, 2, "36893488147419103230", "36893488147419103231"},
    {SAMPLE_U8, INT64_MAX, "170141183460469231704017187605319778305",
     "170141183460469231704017187605319778306"},
    {SAMPLE_I8, 2, "-18446744073709551616", "-18446744073709551617"},
    {SAMPLE_F2, 3, "0x2ffap+4", "0x2ffbp+4"},
    {SAMPLE_F2, 2, "-0xffep+4;nan=1", "-0xffep+4;nan=2"},
    {SAMPLE_F2, 3, "0x0p+0;nan=1;inf=1;-inf=1", "0x0p+0;nan=1;inf=1;-inf=2"},
    {SAMPLE_F4, 1, "-0x1fffffep+103", "-0x1fffffe01p+95"},
    {SAMPLE_F8, 1, "0x3ffffffffffffep+970", "0x3ffffffffffffe01p+962"},
    {SAMPLE_F8, 1, "-0x3ffffffffffffep+970", "-0x40000000000001p+970"},
    {SAMPLE_BF16, 1, "0x1fep+119", "0x1ffp+119"},
    {SAMPLE_E4M3, 3, "-0x54p+4", "-0x55p+4"},
    {SAMPLE_E5M2, 2, "0x1cp+12", "0x1dp+12"},
    {SAMPLE_DECIMAL, 2,
     "-199999999999999999999999999999999999999."
     "99999999999999999999999999999999999998",
     "-199999999999999999999999999999999999999."
     "99999999999999999999999999999999999999"},
};

static void
test_bounds(void)
{
    uint64_t plane[WEIGHING_PLANES_MAX];

    for (size_t i = 0; i < COUNT(bounds); i++) {
        enum sample_type type = bounds[i].type;
        uint64_t times = bounds[i].times;
        const char *most = bounds[i].most;
        const char *beyond = bounds[i].beyond;
        ok(state_weight_read(type, most, strlen(most), times, plane) == 0 &&
               state_weight_read(type, beyond, strlen(beyond), times, plane) <
                   0,
           "%llu values cannot have %s", (unsigned long long)times, beyond);
        int result =
            state_weight_read(type, beyond, strlen(beyond), INT64_MAX, plane);
        bool is_never = times == INT64_MAX || strcmp(beyond, "-1") == 0;
        ok((result < 0) == is_never, "... more can, if any");
    }
    ok(state_weight_read(SAMPLE_U1, "1", 1, (uint64_t)INT64_MAX + 1, plane) < 0,
       "there are less than 2^63 weights");
}

/* ---- the hash ---- */

static void
test_hash(void)
{
    struct digest_stream *hash = digest_stream_new();
    unsigned char byte[3000];
    bool is_right = hash != NULL;

    for (size_t i = 0; i < sizeof byte; i++)
        byte[i] = (unsigned char)draw(256);
    for (size_t size = 0; is_right && size < sizeof byte;
         size += 1 + draw(99)) {
        digest_stream_start(hash);
        for (size_t at = 0, more; at < size; at += more) {
            more = 1 + draw(300);
            more = more < size - at ? more : size - at;
            digest_stream_add(hash, byte + at, more);
        }
        is_right = digest_stream_value(hash) == XXH3_64bits(byte, size);
    }
    ok(is_right, "a hash in pieces is that of the library");
    digest_stream_start(hash);
    ok(digest_stream_value(hash) == UINT64_C(0x2d06800538d394c2),
       "... and that of nothing is known");
    digest_stream_free(hash);
}

int
main(void)
{
    test_hash();
    for (size_t i = 0; i < COUNT(kinds); i++)
        test_kind(&kinds[i], 1 << 20);
    /* Too few bytes for a bin for each of the k-mers. */
    test_kind(&kinds[COUNT(kinds) - 1], 2000);
    test_borders();
    test_joins();
    test_spectrum(&kinds[8], 1 << 20);
    test_spectrum(&kinds[COUNT(kinds) - 1], 1 << 20);
    test_spectrum(&kinds[COUNT(kinds) - 1], 2000);
    test_wrong();
    test_lattices();
    test_sums();
    test_bounds();
    return done_testing();
}
