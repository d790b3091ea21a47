/* SPDX-License-Identifier: MIT */
/*
 * test_portions.c -- states with the same portions, portions that have grown,
 * shards
 *
 * What the rules say of random portions is compared with what the bytes say.
 */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../noise.h"
#include "../tap.h"
#include "input/identity.h"
#include "state/portion_line.h"
#include "state/portions_check.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char data[100000];

/* ---- making states ---- */

/* Add the portion of the file NAME that starts with SIZE bytes at BYTES. */
static void
add_file(struct state_lines *lines, const char *name,
         const unsigned char *bytes, size_t size)
{
    struct identity identity = {0};
    struct error error = ERROR_NONE;

    identity_open(&identity, name, 0, -1);
    identity_add_next(&identity, bytes, size, 0);
    identity_note_content(&identity);
    identity_complete(&identity, -1);
    if (portion_line_add(lines, identity_portion(&identity, &error)) < 0)
        abort();
    identity_close(&identity);
}

/* Add the range from START to END, with CONTENT, of a file. */
static void
add_range(struct state_lines *lines, const char *name, uint64_t size,
          uint64_t start, uint64_t end, uint64_t shard, uint64_t shards,
          uint64_t content)
{
    char text[300];

    snprintf(text, sizeof text, "%s", name);
    struct portion portion = {.name = text,
                              .size = size,
                              .start = start,
                              .end = end,
                              .shard = shard,
                              .shards = shards,
                              .run = shards > 1 ? size : 0,
                              .is_empty = start == end,
                              .head = 77,
                              .digest = digest_of(&content, sizeof content, 0)};
    uint16_t mark[PORTION_MARKS_MAX];
    if (start == 0 && end > 0) {
        portion.marks = portion_segment(end);
        portion.mark = mark;
        for (size_t i = 0; i < portion.marks; i++)
            mark[i] = (uint16_t)(content * 257 + i);
    }
    if (portion_line_add(lines, &portion) < 0)
        abort();
}

/* ---- lines ---- */

/* Whether line 0 of LINES is read as a portion that is written the same. */
static bool
is_kept(const struct state_lines *lines)
{
    struct state_lines again = {0};
    struct portion portion;
    size_t at;
    bool is_same = portion_line_read(lines, 0, &portion) == 0 &&
                   portion_line_add(&again, &portion) == 0 &&
                   !state_lines_differ(lines, &again, &at);

    portion_close(&portion);
    state_lines_close(&again);
    return is_same;
}

/* A line with one byte changed or cut off is refused, or read as it is. */
static unsigned int
damage(const struct state_lines *lines)
{
    unsigned int wrong = 0;
    size_t size;
    const char *line = state_lines_at(lines, 0, &size);
    char *copy = malloc(size);

    for (size_t i = 0; i < size; i++) {
        for (int bit = 0; bit <= 8; bit++) {
            struct state_lines damaged = {0};
            struct portion portion;
            memcpy(copy, line, size);
            copy[i] ^= (char)(1 << bit % 8);
            state_lines_add(&damaged, copy, bit == 8 ? i : size);
            int result = portion_line_read(&damaged, 0, &portion);
            portion_close(&portion);
            wrong += result < 0 || (result == 0 && !is_kept(&damaged));
            state_lines_close(&damaged);
        }
    }
    free(copy);
    return wrong;
}

#define HASHES "head=0123456789abcdef hash=0123456789abcdef0123456789abcdef"

static void
test_lines(void)
{
    /* The first one is right. */
    static const char *const bad[] = {
        "size=9 range=0-7 %s\tname",
        "size=9 range=0-7 %s\tname\tmore",
        "size=9 range=0-7 %s",
        "size=6 range=0-7 %s\tname",
        "size=9 range=7-6 %s\tname",
        "size=9 range=0-8 %s\tname",
        "size=9 range=0-8 %s marks=00010002\tname",
        "size=9 range=1-8 %s marks=0001\tname",
        "size=9 range=0-8 %s marks=000\tname",
        "size=9 range=0-8 %s marks=000g\tname",
        "size=9 range=0-7 shard=0/2 run=0123456789abcdef %s\tname",
        "size=9 range=0-7 shard=3/2 run=0123456789abcdef %s\tname",
        "size=9 range=0-7 shard=1/1 run=0123456789abcdef %s\tname",
        "size=9 range=0-7 shard=1/02 run=0123456789abcdef %s\tname",
        "size=9 range=0-7 shard=1/2 %s\tname",
        "size=09 range=0-7 %s\tname",
        "size=9223372036854775808 range=0-7 %s\tname",
        "size= range=0-7 %s\tname",
        "size=9 range=0-7 %s \tname",
        "size=9 range=0-7 %s\tna\\me",
    };
    static const char *const names[] = {
        "file", "", "a\tb\nc\\d", "end=1 hash=2", "\001\377\\", " "};
    static const size_t sizes[] = {0, 1, 7, 8, 9, 100, 100000};
    unsigned int lost = 0;
    unsigned int wrong = 0;

    for (size_t n = 0; n < COUNT(names); n++) {
        for (size_t s = 0; s < COUNT(sizes); s++) {
            struct state_lines lines = {0};
            add_file(&lines, names[n], data, sizes[s]);
            lost += !is_kept(&lines);
            if (sizes[s] < 10 && has_turn(7))
                wrong += damage(&lines);
            state_lines_close(&lines);
        }
        struct state_lines shard = {0};
        add_range(&shard, names[n], INT64_MAX, 5, INT64_MAX - 1, 3, 1000000, 1);
        lost += !is_kept(&shard);
        state_lines_close(&shard);
    }
    ok(lost == 0, "parts are read as they were written");
    ok(wrong == 0, "damaged parts are refused, or read as they are");
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct state_lines lines = {0};
        struct portion portion;
        char text[200];
        int size = snprintf(text, sizeof text, bad[i], HASHES);
        state_lines_add(&lines, text, (size_t)size);
        ok(portion_line_read(&lines, 0, &portion) == (i > 0), "%s", bad[i]);
        portion_close(&portion);
        state_lines_close(&lines);
    }
}

/* ---- rules ---- */

/* What is left of --merge with these states. */
static const char *
merge(struct state_lines *state, size_t states,
      enum portion_duplicates duplicates, bool is_incomplete)
{
    static char text[500];
    struct portions_check check = {.duplicates = duplicates,
                                   .is_incomplete = is_incomplete};
    struct error error = ERROR_NONE;
    int result = 1;

    *text = '\0';
    for (size_t i = 0; i < states && result >= 0; i++) {
        char name[32];
        snprintf(name, sizeof name, "s%zu", i + 1);
        result = portions_check_add(&check, name, &state[i], &error);
        snprintf(text + strlen(text), 20, "%s", result > 0 ? "+" : "-");
    }
    if (result >= 0)
        result = portions_check_end(&check, &error);
    if (result < 0)
        snprintf(text, sizeof text, "%s", error.text);
    error_clear(&error);
    portions_check_close(&check);
    for (size_t i = 0; i < states; i++)
        state_lines_close(&state[i]);
    return text;
}

static void
is(const char *got, const char *wanted, const char *name)
{
    ok(strcmp(got, wanted) == 0, "%s", name);
    if (strcmp(got, wanted) != 0)
        printf("# got: %s\n", got);
}

#define AGAIN "(--duplicates=allow counts it again)"

static void
test_duplicates(void)
{
    for (int i = 0; i < 3; i++) {
        static const char *const wanted[] = {("s2: a is already in s1 " AGAIN),
                                             "+-", "++"};
        struct state_lines state[2] = {0};
        add_file(&state[0], "a", data, 1000);
        add_file(&state[0], "b", data + 1, 1000);
        add_file(&state[1], "a", data, 1000);
        is(merge(state, 2, (enum portion_duplicates)i, false), wanted[i],
           "the same part twice");
    }
    struct state_lines state[3] = {0};
    add_file(&state[0], "a", data, 30);
    add_file(&state[1], "x", data, 30);
    is(merge(state, 2, PORTIONS_REFUSE, false),
       "s2: x has the bytes of a, which is already in s1 " AGAIN,
       "the same part with another name");

    memset(state, 0, sizeof state);
    add_file(&state[0], "a", data, 30);
    add_file(&state[0], "a", data, 30);
    add_file(&state[0], "a", data, 300);
    is(merge(state, 1, PORTIONS_REFUSE, false), "+",
       "the same file twice within a state");

    memset(state, 0, sizeof state);
    add_range(&state[0], "a", 0, 0, 0, 1, 1, 1);
    add_range(&state[1], "a", 0, 0, 0, 1, 1, 1);
    is(merge(state, 2, PORTIONS_REFUSE, false), "++", "empty parts");

    memset(state, 0, sizeof state);
    add_file(&state[0], "a", data, 30);
    add_file(&state[1], "a", data, 30);
    add_file(&state[1], "b", data + 1, 30);
    is(merge(state, 2, PORTIONS_SKIP, false),
       "s2: a is already in another state, but b is not: nothing of this state "
       "can be skipped",
       "a state of which a part is there");

    memset(state, 0, sizeof state);
    state_lines_add(&state[0], "size=1", 6);
    is(merge(state, 1, PORTIONS_ALLOW, false), "s1: part 1 is damaged",
       "a line that is no part");
}

static void
test_growth(void)
{
    static unsigned char bytes[2000];
    struct state_lines state[3] = {0};

    add_file(&state[0], "log", data, 5000);
    add_file(&state[1], "log.1", data, 77777);
    is(merge(state, 2, PORTIONS_REFUSE, false),
       "s2: log.1 begins with the 5000 bytes of log that are in s1",
       "a log that has grown");

    add_file(&state[0], "log", data, 77777);
    add_file(&state[1], "log", data, 5000);
    is(merge(state, 2, PORTIONS_SKIP, false),
       "s1: log begins with the 5000 bytes of log that are in s2",
       "... before it was shorter");

    add_file(&state[1], "log", data, 20);
    add_file(&state[0], "a", data, 30);
    add_file(&state[0], "b", data, 40);
    add_file(&state[0], "log", data, 50);
    is(merge(state, 2, PORTIONS_REFUSE, false),
       "s1: log begins with the 20 bytes of log that are in s2",
       "... with others of its state between them");

    /* Another file may come between them. */
    for (size_t i = 0; i < 2; i++) {
        memcpy(bytes, data, 1000);
        add_file(&state[0], "log", bytes, 1000);
        memcpy(bytes + 1000, data + 5000, 1000);
        add_file(&state[i], "first", bytes, 2000);
        memcpy(bytes + 1000, data + 7000, 1000);
        add_file(&state[1 - i], "second", bytes, 2000);
        is(merge(state, 2, PORTIONS_REFUSE, false),
           i == 1
               ? "s2: first begins with the 1000 bytes of log that are in s1"
               : "s2: second begins with the 1000 bytes of log that are in s1",
           "one of two files that begin alike");
    }

    add_file(&state[0], "log", data, 5000);
    add_file(&state[1], "log", data, 5001);
    is(merge(state, 2, PORTIONS_ALLOW, false), "++", "... which is allowed");

    add_file(&state[0], "log", data, 20);
    add_file(&state[1], "other", data, 40);
    is(merge(state, 2, PORTIONS_REFUSE, false), "++",
       "a few bytes are not the begin of another file");

    add_file(&state[0], "log", data, 20);
    add_file(&state[1], "log", data, 40);
    is(merge(state, 2, PORTIONS_REFUSE, false),
       "s2: log begins with the 20 bytes of log that are in s1",
       "... but of this one");
}

static void
test_shards(void)
{
    struct state_lines state[4] = {0};

    add_range(&state[0], "f", 100, 66, 100, 3, 3, 3);
    add_range(&state[1], "f", 100, 0, 33, 1, 3, 1);
    add_range(&state[2], "f", 100, 33, 66, 2, 3, 2);
    is(merge(state, 3, PORTIONS_REFUSE, false), "+++", "all shards of a file");

    for (int i = 0; i < 2; i++) {
        add_range(&state[0], "f", 100, 66, 100, 3, 3, 3);
        add_range(&state[1], "f", 100, 0, 33, 1, 3, 1);
        is(merge(state, 2, PORTIONS_REFUSE, i == 1),
           i == 1
               ? "++"
               : "shard 2 of 3 is missing, of the run of s1 (--incomplete accepts that)",
           "a shard is missing");
    }
    add_range(&state[0], "f", 100, 0, 33, 1, 3, 1);
    add_range(&state[1], "f", 100, 33, 66, 2, 3, 2);
    is(merge(state, 2, PORTIONS_REFUSE, false),
       "shard 3 of 3 is missing, of the run of s2 (--incomplete accepts that)",
       "the last shard is missing");

    add_range(&state[0], "f", 100, 50, 100, 2, 2, 3);
    is(merge(state, 1, PORTIONS_REFUSE, false),
       "shard 1 of 2 is missing, of the run of s1 (--incomplete accepts that)",
       "the first shard is missing");

    add_range(&state[0], "f", 100, 0, 50, 1, 2, 1);
    add_range(&state[1], "f", 110, 55, 110, 2, 2, 2);
    is(merge(state, 2, PORTIONS_ALLOW, true),
       "s2: f had 110 bytes for shard 2, but 100 in s1",
       "a file that has grown between its shards");

    add_range(&state[0], "f", 100, 0, 50, 1, 2, 1);
    add_range(&state[1], "f", 100, 33, 66, 2, 3, 2);
    is(merge(state, 2, PORTIONS_REFUSE, true),
       "s2: bytes 33 to 50 of f are already in s1 " AGAIN, "other shards");

    add_range(&state[0], "f", 100, 0, 50, 1, 2, 1);
    add_range(&state[1], "g", 200, 0, 50, 1, 2, 2);
    add_range(&state[2], "h", 200, 0, 50, 2, 2, 3);
    is(merge(state, 3, PORTIONS_REFUSE, false),
       "shard 2 of 2 is missing, of the run of s1 (--incomplete accepts that)",
       "shards of two runs, and of two files of one");

    for (int i = 0; i < 2; i++) {
        add_range(&state[0], "f", 100, 0, 100, 1, 3, 1);
        add_range(&state[1], "f", 100, 0, 100, 2, 3, 1);
        add_range(&state[2], "f", 100, 30, 100, 3, 3, 2);
        if (i == 1)
            add_range(&state[3], "f", 100, 0, 100, 2, 3, 1);
        is(merge(state, i == 1 ? 4 : 3, PORTIONS_REFUSE, false),
           i == 1 ? "s4: f is already in s2 " AGAIN : "+++",
           "a file that a run names several times");
    }

    add_range(&state[0], "f", 100, 0, 50, 1, 2, 1);
    add_range(&state[1], "f", 100, 50, 50, 2, 2, 2);
    is(merge(state, 2, PORTIONS_REFUSE, false), "++",
       "a shard without records");

    add_range(&state[0], "f", 100, 0, 100, 1, 1, 1);
    add_range(&state[1], "g", 100, 0, 100, 1, 1, 3);
    add_range(&state[2], "f", 100, 30, 40, 1, 1, 2);
    is(merge(state, 3, PORTIONS_REFUSE, false),
       "s3: bytes 30 to 40 of f are already in s1 " AGAIN,
       "bytes of a file that was counted");

    add_range(&state[0], "f", 100, 0, 30, 1, 1, 1);
    add_range(&state[1], "f", 100, 30, 100, 1, 1, 2);
    is(merge(state, 2, PORTIONS_REFUSE, false), "++", "ranges side by side");

    add_range(&state[0], "f", 100, 0, 100, 1, 1, 1);
    add_range(&state[1], "f", 100, 0, 100, 1, 1, 2);
    is(merge(state, 2, PORTIONS_REFUSE, false), "++",
       "other files that have the same name");
}

/* ---- many portions ---- */

struct random_file {
    size_t base; /* its bytes are from here on in DATA ... */
    size_t size; /* ... but the last byte may differ */
    bool is_changed;
    size_t state;
    unsigned int name;
};

/* Whether A and B may not be in two states, by their bytes. */
static bool
collide(const struct random_file *a, const struct random_file *b)
{
    if (a->size > b->size)
        return collide(b, a);
    if (a->state == b->state || a->base != b->base)
        return false;
    if (a->size == b->size)
        return a->is_changed == b->is_changed;
    /* Bytes behind the last mark of A do not matter. */
    size_t marked = (size_t)portion_segment_start(portion_segment(a->size));
    return (a->size >= 64 || a->name == b->name) &&
           (!a->is_changed || marked < a->size);
}

static bool
any_collide(const struct random_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (collide(&files[i], &files[j]))
                return true;
        }
    }
    return false;
}

static void
test_random(void)
{
    static unsigned char bytes[500];
    unsigned int wrong = 0;
    unsigned int refused = 0;
    unsigned int cases = 0;

    for (int round = 0; round < 600; round++) {
        struct random_file files[12];
        struct state_lines state[3] = {0};
        size_t count = 2 + noise() % 11;
        if (!has_turn(10))
            continue;
        for (size_t i = 0; i < count; i++) {
            char name[8];
            files[i] =
                (struct random_file){.base = noise() % 30 * 1000,
                                     .size = 8 + noise() % 300,
                                     .is_changed = noise() % 3 == 0,
                                     .state = noise() % 3,
                                     .name = (unsigned int)(noise() % 3)};
            /* Several of one size and base. */
            if (i > 0 && noise() % 8 == 0)
                files[i].base = files[i - 1].base;
            if (i > 0 && noise() % 8 == 0)
                files[i].size = files[i - 1].size;
            memcpy(bytes, data + files[i].base, files[i].size);
            bytes[files[i].size - 1] ^= files[i].is_changed;
            snprintf(name, sizeof name, "n%u", files[i].name);
            add_file(&state[files[i].state], name, bytes, files[i].size);
        }
        bool is_refused = *merge(state, 3, PORTIONS_REFUSE, false) != '+';
        wrong += is_refused != any_collide(files, count);
        refused += is_refused;
        cases++;
    }
    ok(wrong == 0 && refused > cases / 10 && refused < cases * 9 / 10,
       "%u random sets of parts, %u refused", cases, refused);
}

static void
test_many(void)
{
    enum {
        STATES = 20,
        PARTS = 300
    };
    static struct state_lines state[STATES];
    char name[20];

    for (int twice = 0; twice < 2; twice++) {
        for (size_t i = 0; i < STATES; i++) {
            for (size_t j = 0; j < PARTS; j++) {
                size_t at = i * PARTS + j;
                snprintf(name, sizeof name, "f%zu", at);
                add_file(&state[i], name, data + at, 30 + at % 100);
            }
        }
        if (twice)
            add_file(&state[STATES - 1], "last", data + 77, 30 + 77);
        is(merge(state, STATES, PORTIONS_REFUSE, false),
           twice
               ? "s20: last has the bytes of f77, which is already in s1 " AGAIN
               : "++++++++++++++++++++",
           "many parts");
    }
}

/* ---- lists that are made to be slow ---- */

enum hostile {
    HOSTILE_HASHES, /* ranges of one hash */
    HOSTILE_SHARDS, /* what each shard of a run has */
    HOSTILE_NAMES,  /* short files of other names, which start alike */
    HOSTILE_HEADS,  /* files of other heads, which start alike */
    HOSTILE_ENDS,   /* files of one size, which start alike */
    HOSTILES
};

static void
add_hostile(struct state_lines *lines, enum hostile hostile, uint64_t i,
            uint64_t portions)
{
    char name[30] = "f";
    bool is_shard = hostile == HOSTILE_SHARDS;
    bool is_hash = hostile == HOSTILE_HASHES || is_shard;
    const uint64_t ends[HOSTILES] = {i + 1, 1000, 9 + i % 7, 5000 + i % 997,
                                     1000};
    uint64_t content = is_hash ? 0 : i;
    uint16_t mark[PORTION_MARKS_MAX] = {0};

    if (hostile == HOSTILE_NAMES || is_hash)
        snprintf(name, sizeof name, "f%llu", (unsigned long long)i);
    struct portion portion = {
        .name = name,
        .size = ends[hostile],
        .end = ends[hostile],
        .start = hostile == HOSTILE_HASHES ? i : 0,
        .shard = is_shard ? i + 1 : 1,
        .shards = is_shard ? portions : 1,
        .head = hostile == HOSTILE_HEADS ? i : 77,
        .digest = digest_of(&content, sizeof content, 0),
        .mark = mark,
    };
    portion.marks = portion.start == 0 ? portion_segment(portion.end) : 0;
    if (portion_line_add(lines, &portion) < 0)
        abort();
}

/* Returns how long it takes to check PARTS of them, in STATES. */
static double
time_hostile(enum hostile hostile, uint64_t portions, uint64_t states)
{
    struct portions_check check = {.duplicates = PORTIONS_REFUSE};
    struct error error = ERROR_NONE;
    clock_t taken = 0;
    int result = 1;

    for (uint64_t s = 0; s < states && result > 0; s++) {
        struct state_lines state = {0};
        for (uint64_t i = s * portions / states;
             i < (s + 1) * portions / states; i++)
            add_hostile(&state, hostile, i, portions);
        clock_t start = clock();
        result = portions_check_add(&check, "s", &state, &error);
        taken += clock() - start;
        state_lines_close(&state);
    }
    clock_t start = clock();
    result = result > 0 ? portions_check_end(&check, &error) : result;
    taken += clock() - start;
    if (result < 0)
        printf("# kind %d: %s\n", hostile, error.text);
    error_clear(&error);
    portions_check_close(&check);
    return result < 0 ? 1e9 : (double)taken / CLOCKS_PER_SEC;
}

/* Four times as many portions take about four times as long, not 16 times. */
static void
test_hostile(void)
{
    const char *text = getenv("PARTS");
    uint64_t portions = text != NULL ? strtoull(text, NULL, 10) : 12000;

    for (unsigned int i = 0; i < 2 * HOSTILES; i++) {
        uint64_t states = i % 2 ? 1 : portions / 100;
        double quarter = time_hostile(i / 2, portions / 4, states);
        double all = time_hostile(i / 2, portions, states);
        ok(all < 8 * quarter + 0.05, "kind %u, %llu states: %.3f s, %.3f s",
           i / 2, (unsigned long long)states, quarter, all);
    }
}

int
main(void)
{
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)noise();
    test_lines();
    test_duplicates();
    test_growth();
    test_shards();
    test_random();
    test_many();
    test_hostile();
    return done_testing();
}
