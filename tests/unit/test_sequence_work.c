/*
 * test_sequence_work.c -- the kernels for sequences, as C, beside sequence.h
 * and kmer.h
 *
 * The data end where the memory does.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../sequence_device.h"
#include "../tap.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define ALL_SOURCES ((1u << SEQUENCE_SOURCES) - 2)
#define TEXT_MAX ((size_t)1 << 17)
#define WORDS_MIN 2048

/* A check of the SIZE bytes at TEXT with C.  Returns what is wrong, or NULL. */
static const char *
check(struct device_case c, const char *text, size_t size, binning_u32 *status)
{
    static unsigned char *arena;

    if (arena == NULL)
        arena = arena_open(TEXT_MAX);
    c.data = memcpy(arena + TEXT_MAX - size, text, size);
    c.size = size;
    return device_check(&c, status);
}

/* ---- examples ---- */

/* Each with a source that it is counted for, or the reason that it is not. */
static const struct {
    const char *name;
    const char *text;
    binning_u32 source;
    binning_u32 status;
    bool keeps_case;
} examples[] = {
    {"a record", "@r\nACGT\n+\nIIII\n", SEQUENCE_OF_ALL, 0, false},
    {"no last line end", "@r\nACGT\n+\nIIII", SEQUENCE_OF_ALL, 0, false},
    {"no bases", "@a long name\n\n+\n\n@another one\nA\n+\nI\n",
     SEQUENCE_OF_ALL, 0, false},
    {"a quality like a record", "@a name\nACGT\n+\n@+@+\n@another\nAC\n+\n+@\n",
     SEQUENCE_OF_ALL, 0, false},
    {"text after '+'", "@r\nAC\n+r @\r\nII\n", SEQUENCE_OF_ALL, 0, false},
    {"any name", "@\nACGT\n+\nIIII\n@@ +\t>\r\nACGT\n+\nIIII\n",
     SEQUENCE_OF_ALL, 0, false},
    {"letters", "@r\nRYKM*-.xn\n+\nIIIIIIIII\n", SEQUENCE_OF_BASE, 0, false},
    {"letters with case", "@r\nRYKM*-.xn\n+\nIIIIIIIII\n", SEQUENCE_OF_BASE, 0,
     true},
    {"any quality", "@r\nACGT\n+\n\001\377 \r~\n", SEQUENCE_OF_QUALITY,
     SEQUENCE_REFUSED_FORM, false},
    {"any quality but a CR at its end", "@r\nACGT\n+\n\001\377\r~\n",
     SEQUENCE_OF_QUALITY, 0, false},
    {"lower case has codes", "@r\nacgtn\n+\nIIIII\n", SEQUENCE_OF_ALL, 0,
     false},
    {"lower case is kept", "@r\nACGTn\n+\nIIIII\n", SEQUENCE_OF_POSITION_BASE,
     SEQUENCE_REFUSED_CODE, true},
    {"the greatest quality", "@r\nA\n+\n\177\n", SEQUENCE_OF_ALL, 0, false},
    {"a quality too great", "@r\nA\n+\n\200\n", SEQUENCE_OF_BASE_QUALITY,
     SEQUENCE_REFUSED_QUALITY, false},
    {"a quality too small", "@r\nA\n+\n\037\n", SEQUENCE_OF_POSITION_QUALITY,
     SEQUENCE_REFUSED_QUALITY, false},
    {"no code", "@r\nACRT\n+\nIIII\n", SEQUENCE_OF_BASE_QUALITY,
     SEQUENCE_REFUSED_CODE, false},
    {"FASTA", ">r\nACGT\n>s\nAC\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_FORM,
     false},
    {"FASTA between", "@a name\nACGT\n+\nIIII\n>another\nACGT\n+\nIIII\n",
     SEQUENCE_OF_BASE, SEQUENCE_REFUSED_FORM, false},
    {"no '+'", "@r\nACGT\n-\nIIII\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_FORM,
     false},
    {"no quality", "@r\n\n+\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_LINES,
     false},
    {"a short quality", "@r\nACGT\n+\nIII\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM, false},
    {"a short quality with CR", "@r\nACGT\n+\nIII\r\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM, false},
    {"a long quality", "@r\nACG\n+\nIIII\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM, false},
    {"CR LF", "@r\r\nAC\r\n+\r\nII\r\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM | SEQUENCE_REFUSED_BASE, false},
    {"a blank", "@r\nA C\n+\nIII\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_BASE,
     false},
    {"no base", "@r\nA\200\n+\nII\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_BASE,
     false},
    {"several lines", "@r\nAC\nGT\n+\nII\nII\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_LINES | SEQUENCE_REFUSED_FORM | SEQUENCE_REFUSED_BASE,
     false},
    {"a line end more", "@r\nAC\n+\nII\n\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_LINES, false},
    {"a line end before", "\n@r\nAC\n+\nII\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_LINES | SEQUENCE_REFUSED_FORM, false},
    {"line ends", "\n\n\n\n\n\n\n\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_LINES,
     false},
    {"one byte", "@", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_LINES, false},
};

static void
test_examples(void)
{
    for (size_t i = 0; i < COUNT(examples); i++) {
        binning_u32 status = 0;
        struct device_case c = {
            .sources = 1u << examples[i].source,
            .k = 2,
            .keeps_case = examples[i].keeps_case,
            .items = 1,
            .groups = 1,
            .shared_words = WORDS_MIN,
        };
        const char *wrong =
            check(c, examples[i].text, strlen(examples[i].text), &status);
        ok(wrong == NULL && (status == examples[i].status ||
                             (status & examples[i].status) != 0),
           "%s: status %u%s%s", examples[i].name, (unsigned int)status,
           wrong != NULL ? ", " : "", wrong != NULL ? wrong : "");
    }
}

/* ---- random chunks ---- */

static unsigned int
below(unsigned int limit)
{
    return (unsigned int)(noise() >> 33) % limit;
}

/* What the records of a chunk are like. */
struct manner {
    const char *bases;
    unsigned int quality_first;
    unsigned int qualities;
    unsigned int name_max;
    unsigned int length; /* 0: any */
    unsigned int k;
};

static size_t
write_record(const struct manner *manner, unsigned char *to)
{
    const unsigned int lengths[] = {
        0,  1,  2,  manner->k - 1, manner->k, 15, 16, 17, manner->k + 1, 31, 32,
        33, 75, 151};
    size_t length =
        manner->length != 0 ? manner->length : lengths[below(COUNT(lengths))];
    size_t letters = strlen(manner->bases);
    size_t at = 0;

    to[at++] = '@';
    for (unsigned int i = below(manner->name_max + 1); i > 0; i--)
        to[at++] = (unsigned char)(' ' + below(95));
    to[at++] = '\n';
    unsigned int run = below(8) == 0 ? 20 : 1;
    unsigned char base = 'A';
    for (size_t i = 0; i < length; i++) {
        if (below(run) == 0)
            base = (unsigned char)manner->bases[below((unsigned int)letters)];
        to[at++] = base;
    }
    to[at++] = '\n';
    to[at++] = '+';
    to[at++] = '\n';
    for (size_t i = 0; i < length; i++)
        to[at++] =
            (unsigned char)(manner->quality_first + below(manner->qualities));
    to[at++] = '\n';
    return at;
}

/* Write records of at most SIZE bytes together.  Returns their size. */
static size_t
write_chunk(const struct manner *manner, size_t size, unsigned char *text)
{
    static unsigned char record[1 << 15];
    size_t at = 0;

    for (;;) {
        size_t bytes = write_record(manner, record);
        if (at + bytes > size && at > 0)
            return at;
        memcpy(text + at, record, bytes);
        at += bytes;
    }
}

static const char *const alphabets[] = {
    "ACGT", "ACGTN", "ACGTacgtNn", "AAAAAAAAAAAAAAAAAAAAAAAC", "A", "ACGTRY*-.",
};

static unsigned char text[TEXT_MAX];

/* Groups of several sizes, with the least memory and with more. */
static void
choose_groups(struct device_case *c, unsigned int round)
{
    static const binning_u32 items[] = {1, 2, 1, 8, 1, 32, 1, 64};

    c->items = items[round % COUNT(items)];
    c->groups = 1 + below(3);
    c->shared_words = below(2) == 0 ? WORDS_MIN : WORDS_MIN + below(60000);
}

/*
 * ROUNDS random chunks of up to SIZE bytes.  Some of them are changed: the
 * definition by lines says whether they are refused.
 */
static void
test_random(const char *name, unsigned int rounds, size_t size)
{
    const char *wrong = NULL;
    unsigned int accepted = 0;
    unsigned int round;

    for (round = 0; round < rounds && wrong == NULL; round++) {
        struct device_case c = {
            .sources = below(2) == 0   ? 1u << (1 + below(8))
                       : below(2) == 0 ? ALL_SOURCES
                                       : (below(256) << 1),
            .k = 1 + round % DEVICE_K_MAX,
            .is_canonical = below(2) == 0,
            .keeps_case = below(3) == 0,
        };
        struct manner manner = {
            .bases = alphabets[below(COUNT(alphabets))],
            .quality_first = below(8) == 0 ? 14 : 33,
            .qualities = below(4) == 0 ? 1 : 42,
            .name_max = below(40),
            .length = below(8) == 0 ? 500 + below(14) : 0,
            .k = c.k,
        };
        binning_u32 status = 0;
        choose_groups(&c, round);
        size_t bytes =
            write_chunk(&manner, 1 + below((unsigned int)size), text);
        bytes -= below(4) == 0; /* the last line end */
        if (below(4) == 0)
            text[below((unsigned int)bytes)] =
                (unsigned char)"\n\r@+ A>x\377"[below(9)];
        wrong = check(c, (const char *)text, bytes, &status);
        accepted += status == 0;
    }
    ok(wrong == NULL && accepted > rounds / 8, "%s: %s; %u of %u counted", name,
       wrong != NULL ? wrong : "as defined", accepted, round);
}

/* Records at each offset from vectors and tiles: the first name is longer each
   time. */
static void
test_offsets(void)
{
    const char *wrong = NULL;
    unsigned int accepted = 0;
    unsigned int shift;

    for (shift = 0; shift < 36 && wrong == NULL; shift++) {
        struct device_case c = {
            .sources = ALL_SOURCES,
            .k = 1 + shift % DEVICE_K_MAX,
            .is_canonical = shift % 2 == 0,
        };
        struct manner manner = {"ACGTNacgt", 33, 42, 3, 0, c.k};
        binning_u32 status = 0;
        size_t at = 0;
        choose_groups(&c, shift);
        text[at++] = '@';
        while (at <= shift)
            text[at++] = 'r';
        memcpy(text + at, "\nA\n+\nI\n", 7);
        at += 7;
        /* Sizes around a whole number of vectors and tiles. */
        at += write_chunk(&manner, SEQUENCE_TILE + 18 - at + shift % 3,
                          text + at);
        wrong = check(c, (const char *)text, at, &status);
        accepted += status == 0;
    }
    ok(wrong == NULL && accepted == shift, "offsets: %s; %u of %u counted",
       wrong != NULL ? wrong : "as defined", accepted, shift);
}

/* Reads as long as tables have rows, and longer. */
static void
test_lengths(void)
{
    for (binning_u32 source = 1; source <= SEQUENCE_SOURCES; source++) {
        binning_u32 sources =
            source < SEQUENCE_SOURCES ? 1u << source : 0; /* k-mers alone */
        bool has_rows =
            source < SEQUENCE_SOURCES && sequence_work_rows(source) > 1;
        struct device_case c = {
            .sources = sources,
            .k = 12,
            .items = 64,
            .groups = 2,
            .shared_words = WORDS_MIN,
        };
        static const unsigned int lengths[] = {511, 512, 5000};
        binning_u32 refused = has_rows ? SEQUENCE_REFUSED_LENGTH : 0;
        for (unsigned int i = 0; i < COUNT(lengths); i++) {
            struct manner manner = {"ACGT", 33, 42, 3, lengths[i], c.k};
            binning_u32 status = 0;
            size_t bytes = write_chunk(&manner, 3000, text);
            const char *wrong = check(c, (const char *)text, bytes, &status);
            ok(wrong == NULL && status == (i == 0 ? 0 : refused),
               "%u bases, source %u: status %u%s%s", lengths[i],
               (unsigned int)source, (unsigned int)status,
               wrong != NULL ? ", " : "", wrong != NULL ? wrong : "");
        }
    }
}

/* Groups as large as they may be, and more of them than there are tiles. */
static void
test_groups(void)
{
    static const binning_u32 items[] = {16, 128, 256, 1024};

    for (size_t i = 0; i < COUNT(items); i++) {
        struct device_case c = {
            .sources = ALL_SOURCES,
            .k = 7,
            .items = items[i],
            .groups = i == 0 ? 5 : 1,
            .shared_words = WORDS_MIN,
        };
        struct manner manner = {"ACGTN", 33, 42, 30, 0, c.k};
        binning_u32 status = 0;
        size_t bytes = write_chunk(&manner, 3 * SEQUENCE_TILE, text);
        const char *wrong = check(c, (const char *)text, bytes, &status);
        ok(wrong == NULL && status == 0, "groups of %u: %s",
           (unsigned int)items[i], wrong != NULL ? wrong : "as defined");
    }
}

/* More lines than there is room for. */
static void
test_many_lines(void)
{
    struct device_case c = {
        .sources = 1u << SEQUENCE_OF_BASE,
        .k = 3,
        .items = 4,
        .groups = 2,
        .shared_words = WORDS_MIN,
    };
    /* Records of 6 bytes: up to 16 of them have room by the 4 more lines. */
    for (size_t records = 1; records < 40; records += 6) {
        binning_u32 status = 0;
        size_t at = 0;
        for (size_t r = 0; r < records; r++, at += 6)
            memcpy(text + at, "@\n\n+\n\n", 6);
        const char *wrong = check(c, (const char *)text, at, &status);
        bool has_room = 4 * records <= at / 8 + 4;
        ok(wrong == NULL && (has_room ? status == 0
                                      : (status & SEQUENCE_REFUSED_LINES) != 0),
           "%zu records of 6 bytes: %s", records,
           wrong != NULL ? wrong
           : has_room    ? "counted"
                         : "refused");
    }
}

int
main(void)
{
    device_open();
    test_examples();
    test_offsets();
    test_lengths();
    test_groups();
    test_many_lines();
    test_random("small chunks", IS_INSTRUMENTED ? 300 : 1600, 600);
    test_random("large chunks", IS_INSTRUMENTED ? 8 : 24, 40000);
    return done_testing();
}
