/* SPDX-License-Identifier: MIT */
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
    {"one byte", "@", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_LINES, false},

    {"FASTA", ">r\nACGT\n>s\nAC\n", SEQUENCE_OF_BASE, 0, false},
    {"lines of one record", ">r\nA\nC\nGTT\n\nACGTACGTACGTACG\nT\n>s\nA\n",
     SEQUENCE_OF_BASE, 0, false},
    {"FASTA without a last line end", ">r\nACGT", SEQUENCE_OF_BASE, 0, false},
    {"names alone", ">\n>r\n>\n>s", SEQUENCE_OF_BASE, 0, false},
    {"an end in a name", ">r s>", SEQUENCE_OF_BASE, 0, false},
    {"names like records", ">r>A @\nAC\n>>\r>s\nGT\n>\t+\nAC\n",
     SEQUENCE_OF_BASE, 0, false},
    {"a name of several vectors",
     "\n\n>a name that has more than three vectors, and some > in them\nAC\n",
     SEQUENCE_OF_BASE, 0, false},
    {"empty lines", "\n\n\n\n\n\n\n\n", SEQUENCE_OF_BASE, 0, false},
    {"a piece", "\n\n\n>r\nACG\nTAC\nGT\n\n\n>r\nAC GT\nAC\n", SEQUENCE_OF_BASE,
     0, false},
    {"FASTA with CR LF", ">r\r\nACGT\r\n\r\nAC\r\n", SEQUENCE_OF_BASE, 0,
     false},
    {"blanks and any letters", ">r\n A\tC Nnx*-.\n \n", SEQUENCE_OF_BASE, 0,
     false},
    {"letters of FASTA with case", ">r\nACGTNacgtnRYx*-.RYx*-.\n",
     SEQUENCE_OF_BASE, 0, true},
    {"no name", "ACGT\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_FORM, false},
    {"no name, and one", "\nACGT\n>r\nAC\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM, false},
    {"blanks before a name", " \n>r\nAC\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM, false},
    {"a name that begins no line", " >r\nAC\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_FORM, false},
    {"a '>' among bases", ">r\nA>C\n", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_BASE,
     false},
    {"FASTQ between", ">r\nAC\n@s\nAC\n+\nII\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_BASE, false},
    {"a '+' of FASTA", ">r\nAC\n+\nII\n", SEQUENCE_OF_BASE,
     SEQUENCE_REFUSED_BASE, false},
    {"lengths of FASTA", ">r\nAC\n", SEQUENCE_OF_LENGTH, SEQUENCE_REFUSED_FORM,
     false},
    {"qualities of FASTA", ">r\nAC\n", SEQUENCE_OF_QUALITY,
     SEQUENCE_REFUSED_FORM, false},
    {"one byte of FASTA", ">", SEQUENCE_OF_BASE, 0, false},
    {"one byte of 0", "", SEQUENCE_OF_BASE, SEQUENCE_REFUSED_FORM, false},
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
        size_t bytes = strlen(examples[i].text);
        bytes += bytes == 0; /* the 0 behind it */
        const char *wrong = check(c, examples[i].text, bytes, &status);
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
    unsigned int line; /* of FASTA: the bases in a line; 0: FASTQ */
    const char *end;   /* of FASTA: how lines of bases end */
};

static size_t
write_bases(const struct manner *manner, size_t length, unsigned char *to)
{
    size_t letters = strlen(manner->bases);
    unsigned int run = below(8) == 0 ? 20 : 1;
    unsigned char base = 'A';
    size_t at = 0;

    for (size_t i = 0; i < length; i++) {
        if (below(run) == 0)
            base = (unsigned char)manner->bases[below((unsigned int)letters)];
        to[at++] = base;
        if (manner->line != 0 && (i + 1) % manner->line == 0 && i + 1 < length)
            for (const char *end = manner->end; *end != '\0'; end++)
                to[at++] = (unsigned char)*end;
    }
    if (manner->line == 0 || length > 0)
        to[at++] = '\n';
    return at;
}

static size_t
write_record(const struct manner *manner, unsigned char *to)
{
    const unsigned int lengths[] = {
        0,  1,  2,  manner->k - 1, manner->k, 15, 16, 17, manner->k + 1, 31, 32,
        33, 75, 151};
    size_t length =
        manner->length != 0 ? manner->length : lengths[below(COUNT(lengths))];
    size_t at = 0;

    to[at++] = manner->line == 0 ? '@' : '>';
    for (unsigned int i = below(manner->name_max + 1); i > 0; i--)
        to[at++] = (unsigned char)(' ' + below(95));
    to[at++] = '\n';
    at += write_bases(manner, length, to + at);
    if (manner->line != 0)
        return at;
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
test_random(const char *name, bool is_fasta, unsigned int rounds, size_t size)
{
    static const unsigned int lines[] = {1, 2, 3, 15, 16, 17, 60, 80, 1000};
    static const char *const ends[] = {
        "\n",
        "\n",
        "\r\n",
        "\n\n",
        " ",
        "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"};
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
            .line = is_fasta ? lines[below(COUNT(lines))] : 0,
            .end = ends[below(COUNT(ends))],
        };
        binning_u32 status = 0;
        if (is_fasta && below(8) != 0)
            c.sources = below(2) << SEQUENCE_OF_BASE;
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
        struct manner manner = {"ACGTNacgt", 33, 42, 3, 0, c.k, 0, NULL};
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

/* The same of FASTA, with lines of each length up to 18: line ends and names
   are everywhere in a vector. */
static void
test_fasta_offsets(void)
{
    const char *wrong = NULL;
    unsigned int accepted = 0;
    unsigned int shift;

    for (shift = 0; shift < 36 && wrong == NULL; shift++) {
        struct device_case c = {
            .sources = 1u << SEQUENCE_OF_BASE,
            .k = 1 + shift % DEVICE_K_MAX,
            .is_canonical = shift % 2 == 0,
        };
        struct manner manner = {"ACGTNacgt",
                                33,
                                42,
                                20,
                                0,
                                c.k,
                                1 + shift / 2,
                                shift % 3 == 0 ? "\r\n" : "\n"};
        binning_u32 status = 0;
        choose_groups(&c, shift);
        /* As before a piece, and after one. */
        memset(text, '\n', shift);
        size_t at = shift + write_record(&manner, text + shift);
        at += write_chunk(&manner, SEQUENCE_TILE + 18 - at + shift % 3,
                          text + at);
        wrong = check(c, (const char *)text, at, &status);
        accepted += status == 0;
    }
    ok(wrong == NULL && accepted == shift,
       "offsets of FASTA: %s; %u of %u counted",
       wrong != NULL ? wrong : "as defined", accepted, shift);
}

/* A line of bases, or a name, that goes over several tiles, in groups that have
   some of these. */
static void
test_long_line(void)
{
    for (unsigned int round = 0; round < 8; round++) {
        static const binning_u32 items[] = {1, 2, 256, 32};
        bool is_name = round % 2 == 1;
        struct device_case c = {
            .sources = 1u << SEQUENCE_OF_BASE,
            .k = 5,
            .items = items[round / 2],
            .groups = 1 + round / 2,
            .shared_words = WORDS_MIN,
        };
        struct manner manner = {"ACGT", 33, 42, 3, 100000, c.k, 200000, "\n"};
        binning_u32 status = 0;
        size_t bytes = write_record(&manner, text);
        if (is_name)
            memset(text + 1, '>', bytes - 2);
        manner.length = 100;
        bytes += write_record(&manner, text + bytes);
        const char *wrong = check(c, (const char *)text, bytes, &status);
        ok(wrong == NULL && status == 0, "a %s of 100 kB, groups of %u: %s",
           is_name ? "name" : "line", (unsigned int)c.items,
           wrong != NULL ? wrong : "as defined");
    }
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
            struct manner manner = {"ACGT",     33,  42, 3,
                                    lengths[i], c.k, 0,  NULL};
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

    for (size_t i = 0; i < 2 * COUNT(items); i++) {
        bool is_fasta = i >= COUNT(items);
        struct device_case c = {
            .sources = is_fasta ? 1u << SEQUENCE_OF_BASE : ALL_SOURCES,
            .k = 7,
            .items = items[i % COUNT(items)],
            .groups = i % COUNT(items) == 0 ? 5 : 1,
            .shared_words = WORDS_MIN,
        };
        struct manner manner = {"ACGTN",           33,  42, 30, 0, c.k,
                                is_fasta ? 60 : 0, "\n"};
        binning_u32 status = 0;
        size_t bytes = write_chunk(&manner, 3 * SEQUENCE_TILE, text);
        const char *wrong = check(c, (const char *)text, bytes, &status);
        ok(wrong == NULL && status == 0, "groups of %u: %s",
           (unsigned int)c.items, wrong != NULL ? wrong : "as defined");
    }
}

/* ---- lists of k-mers ---- */

/*
 * ROUNDS random chunks whose k-mers are put into lists several times, with
 * drains between.  Lists, buffers and tables of the drain are of any size: most
 * lists are full.
 */
static void
test_lists(unsigned int rounds)
{
    static const binning_u32 rooms[] = {1, 3, 16, 64, 1024};
    static const char *const kinds[] = {
        "ACGT", "ACGTN", "AAAAAAAAAAAAAAAAAAAAAAAC", "A", "AC",
    };
    const char *wrong = NULL;
    unsigned int accepted = 0;
    unsigned int round;

    for (round = 0; round < rounds && wrong == NULL; round++) {
        struct device_case c = {
            .k = 2 + round % 7,
            .is_canonical = below(2) == 0,
            .lists = 1u << below(7),
            .list_room = rooms[below(COUNT(rooms))],
            .times = 1 + below(3),
            .drains = below(4),
        };
        struct manner manner = {
            .bases = kinds[below(COUNT(kinds))],
            .quality_first = 33,
            .qualities = 42,
            .name_max = 9,
            .length = below(2) * 300,
            .k = c.k,
            .line = below(2) * (1 + below(80)),
            .end = "\n",
        };
        binning_u32 status = 0;
        choose_groups(&c, round);
        c.drain_cells = (1u << 2 * c.k) >> below(5);
        /* The least that there must be, or a buffer for some items. */
        c.list_words = c.items + 19 + 4 * c.lists + below(600);
        size_t bytes = write_chunk(&manner, 1 + below(1500), text);
        wrong = check(c, (const char *)text, bytes, &status);
        accepted += status == 0;
    }
    ok(wrong == NULL && accepted > rounds * 9 / 10,
       "lists: %s; %u of %u counted", wrong != NULL ? wrong : "as defined",
       accepted, round);
}

/* Groups as large as those of real devices; and long k-mers. */
static void
test_long_lists(void)
{
    for (binning_u32 k = 10; k <= DEVICE_K_MAX; k++) {
        struct device_case c = {
            .k = k == 10 ? 9 : k,
            .is_canonical = k % 2 == 0,
            .items = k == 10 ? 1024 : 1,
            .groups = 1,
            .shared_words = 24576,
            .times = 1,
            .list_words = 24576,
            .lists = k == 10 ? 64 : SEQUENCE_LISTS_MAX,
            .list_room = 100,
        };
        struct manner manner = {
            .bases = k % 2 == 0 ? "ACGTN" : "AAAAAAAAAAAAAAAAAC",
            .quality_first = 33,
            .qualities = 42,
            .name_max = 30,
            .length = 100,
            .k = c.k,
        };
        binning_u32 status = 0;
        size_t size = k == 10 ? 2 * SEQUENCE_TILE : 250;
        size_t bytes = write_chunk(&manner, size, text);
        const char *wrong = check(c, (const char *)text, bytes, &status);
        ok(wrong == NULL && status == 0, "lists of %u bases, groups of %u: %s",
           (unsigned int)c.k, (unsigned int)c.items,
           wrong != NULL ? wrong : "as defined");
    }
}

/* ---- data that change ---- */

/* A chunk, and how many bytes it has. */
static unsigned char changing[3000];
static size_t changing_size;

/* Some chunks become others, or those of the other format. */
static void
change(void)
{
    binning_u32 way = below(4);

    if (way == 0)
        changing[0] = below(2) == 0 ? '@' : '>';
    for (size_t i = 0; way == 1 && i < changing_size; i++)
        changing[i] = (unsigned char)below(256);
    for (int i = 0; way == 2 && i < 5; i++)
        changing[below((binning_u32)changing_size)] =
            (unsigned char)("\n>@\377"[below(4)]);
}

/* Whether there is something in no table; clears all. */
static bool
has_strays(const struct sequence_work *work)
{
    bool has = false;

    for (binning_u32 s = 1; s < SEQUENCE_SOURCES; s++)
        has |= sequence_work_has(work, s) &&
               device_table.cell[work->first[s] - 1] != 0;
    has |= device_table.touched_count == DEVICE_TOUCHED_MAX;
    for (size_t i = 0; i < device_table.touched_count; i++)
        device_table.cell[device_table.touched[i]] = 0;
    device_table.touched_count = 0;
    return has;
}

/*
 * A device that hangs may go on when its chunk has been filled again.  Nobody
 * wants its counts, but it must leave all other memory alone.
 */
static void
test_changing(unsigned int rounds)
{
    bool is_wrong = false;

    for (unsigned int round = 0; round < rounds && !is_wrong; round++) {
        bool is_fasta = below(2) == 0;
        struct device_case c = {
            .data = changing,
            .sources = 1u << (is_fasta ? (binning_u32)SEQUENCE_OF_BASE
                                       : 1 + below(SEQUENCE_SOURCES - 1)),
            .k = 1 + below(7),
            .change = change,
        };
        const struct manner manner = {
            .bases = "ACGTN",
            .quality_first = 33,
            .qualities = 42,
            .name_max = 9,
            .length = below(2) * 300,
            .k = c.k,
            .line = is_fasta ? 60 : 0,
            .end = "\n",
        };
        choose_groups(&c, round);
        changing_size = c.size = write_chunk(&manner, 2000, changing);
        struct sequence_work work = device_work(&c);
        (void)device_count(&c, &work);
        is_wrong = has_strays(&work);
    }
    ok(!is_wrong, "data that change between kernels");
}

/* ---- refused chunks ---- */

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
    test_changing(IS_EMULATED ? 20 : IS_INSTRUMENTED ? 200 : 600);
    test_lists(IS_EMULATED ? 5 : IS_INSTRUMENTED ? 30 : 100);
    test_long_lists();
    test_fasta_offsets();
    test_long_line();
    test_random("small chunks", false,
                IS_EMULATED       ? 60
                : IS_INSTRUMENTED ? 300
                                  : 1600,
                600);
    test_random("large chunks", false, IS_INSTRUMENTED ? 8 : 24, 40000);
    test_random("small FASTA", true,
                IS_EMULATED       ? 30
                : IS_INSTRUMENTED ? 150
                                  : 600,
                600);
    test_random("large FASTA", true, IS_INSTRUMENTED ? 4 : 12, 40000);
    return done_testing();
}
