/* SPDX-License-Identifier: MIT */
/* samtools_cycles.c -- qualities and bases by cycle of samtools stats */

#include <string.h>

#include "report/samtools_cycles.h"
#include "report/samtools_rows.h"
#include "report/samtools_text.h"

/* The columns of both histograms. */
enum {
    POSITION,
    VALUE, /* the quality, or the base */
    FLAG,
};

/* Set *FRAGMENT to that of the current line of ROWS.  Returns whether its bases
   have a section. */
static bool
find_fragment(const struct rows *rows, enum samtools_fragment *fragment)
{
    const unsigned int flag = samtools_rows_flag(rows, FLAG);

    *fragment = samtools_fragment_of(flag);
    return samtools_is_read(flag) && *fragment != SAMTOOLS_OTHER;
}

/* ---- qualities ---- */

/* A byte of BAM; absent ones are 255, which samtools takes for a quality. */
#define QUALITIES 256
#define QUALITY_ABSENT (QUALITIES - 1)

static unsigned int
quality_of(const struct rows *rows)
{
    return rows->column[VALUE].component.tag == KEY_TAG_VALUE
               ? (unsigned int)samtools_rows_number(rows, VALUE) % QUALITIES
               : QUALITY_ABSENT;
}

void
samtools_qualities_read(struct samtools_qualities *qualities,
                        const struct report *report, size_t i)
{
    enum samtools_fragment fragment;
    struct rows rows;

    *qualities = (struct samtools_qualities){.sum = 0};
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        const unsigned int quality = quality_of(&rows);
        if (rows.amount.count == 0 || !find_fragment(&rows, &fragment))
            continue;
        qualities->sum += quality * rows.amount.count;
        if (quality > qualities->most)
            qualities->most = quality;
    }
}

/* Put the LONGEST lines of section NAME, of FRAGMENT. */
static void
put_qualities(const struct samtools_qualities *qualities,
              const struct report *report, size_t i, const char *name,
              enum samtools_fragment fragment, uint64_t longest,
              struct writer *out)
{
    /* One more column than qualities, if there is one. */
    const size_t columns = qualities->most < QUALITY_ABSENT
                               ? qualities->most + (size_t)2
                               : QUALITIES;
    enum samtools_fragment own;
    struct rows rows;

    rows_open(&rows, report, i);
    bool is_row = rows_next(&rows);
    for (uint64_t cycle = 1; cycle <= longest; cycle++) {
        uint64_t line[1 + QUALITIES] = {cycle};
        for (; is_row && samtools_rows_number(&rows, POSITION) == cycle;
             is_row = rows_next(&rows)) {
            if (find_fragment(&rows, &own) && own == fragment)
                line[1 + quality_of(&rows)] += rows.amount.count;
        }
        samtools_put_line(out, name, line, 1 + columns);
    }
}

void
samtools_qualities_put(const struct samtools_qualities *qualities,
                       const struct samtools_summary *summary,
                       const struct report *report, size_t i,
                       struct writer *out)
{
    static const char columns[] =
        "# Columns correspond to qualities and rows to cycles. First column is "
        "the cycle number.\n";
    const uint64_t *count = summary->count;

    samtools_put_title(out, "First Fragment Qualities", "FFQ", NULL);
    writer_put_text(out, columns);
    put_qualities(qualities, report, i, "FFQ", SAMTOOLS_FIRST,
                  count[SAMTOOLS_LONGEST_FIRST], out);
    samtools_put_title(out, "Last Fragment Qualities", "LFQ", NULL);
    writer_put_text(out, columns);
    put_qualities(qualities, report, i, "LFQ", SAMTOOLS_LAST,
                  count[SAMTOOLS_LONGEST_LAST], out);
}

/* ---- bases ---- */

/* The letters, in the order of the columns: those before LETTER_N are mirrored
   by their complements. */
enum {
    LETTER_N = 4,
    LETTER_OTHER,
    LETTERS
};

/* The views of the bases of a cycle. */
enum view {
    VIEW_FIRST, /* of first fragments, as stored */
    VIEW_LAST,
    VIEW_BOTH,
    VIEW_READ, /* as sequenced */
    VIEWS
};

/* The bases of one cycle, or of all. */
struct cycle {
    uint64_t number;
    uint64_t letter[VIEWS][LETTERS];
};

static unsigned int
letter_of(const struct rows *rows)
{
    static const char letters[] = "ACGTN";
    const char base = (char)*rows->column[VALUE].component.text;
    const char *at = base != '\0' ? strchr(letters, base) : NULL;

    return at != NULL ? (unsigned int)(at - letters) : LETTER_OTHER;
}

/* Add the bases of the current line of ROWS, which are as sequenced. */
static void
add_bases(struct cycle *cycle, const struct rows *rows)
{
    const bool is_reverse =
        (samtools_rows_flag(rows, FLAG) & ALIGNMENT_REVERSE) != 0;
    const unsigned int letter = letter_of(rows);
    const unsigned int stored =
        is_reverse && letter < LETTER_N ? LETTER_N - 1 - letter : letter;
    const uint64_t count = rows->amount.count;
    enum samtools_fragment fragment;

    if (!find_fragment(rows, &fragment))
        return;
    cycle
        ->letter[fragment == SAMTOOLS_FIRST ? VIEW_FIRST : VIEW_LAST][stored] +=
        count;
    cycle->letter[VIEW_BOTH][stored] += count;
    cycle->letter[VIEW_READ][letter] += count;
}

/* Set CYCLE to the next one of ROWS; *IS_ROW says whether there is a current
   line.  Returns false at the end. */
static bool
next_cycle(struct cycle *cycle, struct rows *rows, bool *is_row)
{
    if (!*is_row)
        return false;
    *cycle = (struct cycle){.number = samtools_rows_number(rows, POSITION)};
    for (; *is_row && samtools_rows_number(rows, POSITION) == cycle->number;
         *is_row = rows_next(rows))
        add_bases(cycle, rows);
    return true;
}

/* Put the line of section NAME: VIEW of CYCLE in percent of the bases that are
   known. */
static void
put_percents(struct writer *out, const char *name, const struct cycle *cycle,
             enum view view)
{
    const uint64_t *letter = cycle->letter[view];
    const uint64_t known = letter[0] + letter[1] + letter[2] + letter[3];

    if (known == 0)
        return;
    writer_put_text(out, name);
    writer_put_char(out, '\t');
    writer_put_number(out, cycle->number);
    for (size_t l = 0; l < (view == VIEW_READ ? LETTER_N : LETTERS); l++) {
        writer_put_char(out, '\t');
        writer_put_fixed(out, 100. * (double)letter[l] / (double)known, 2);
    }
    writer_put_char(out, '\n');
}

/* The sections, with the one that has the sums, if there is one. */
static const struct {
    const char *title;
    const char *name;
    enum view view;
    const char *sum_title;
    const char *sum_name;
} base_sections[] = {
    {"ACGT content per cycle", "GCC", VIEW_BOTH, NULL, NULL},
    {"ACGT content per cycle, read oriented", "GCT", VIEW_READ, NULL, NULL},
    {"ACGT content per cycle for first fragments", "FBC", VIEW_FIRST,
     "ACGT raw counters for first fragments", "FTC"},
    {"ACGT content per cycle for last fragments", "LBC", VIEW_LAST,
     "ACGT raw counters for last fragments", "LTC"},
};

#define PERCENTAGE "as a percentage of all A/C/G/T bases [%]"

static void
add_cycle(struct cycle *sum, const struct cycle *cycle)
{
    for (size_t v = 0; v < VIEWS; v++) {
        for (size_t l = 0; l < LETTERS; l++)
            sum->letter[v][l] += cycle->letter[v][l];
    }
}

static bool
has_bases(const struct cycle *sum, enum view view)
{
    uint64_t any = 0;

    for (size_t l = 0; l < LETTERS; l++)
        any |= sum->letter[view][l];
    return any != 0;
}

/* Put section S, and the one with its sums.  SUM has the bases of all cycles if
   S is not the first section, which sets them. */
static void
put_section(const struct report *report, size_t i, size_t s, struct cycle *sum,
            struct writer *out)
{
    const enum view view = base_sections[s].view;
    struct cycle cycle;
    struct rows rows;

    samtools_put_title(out, base_sections[s].title, base_sections[s].name,
                       view == VIEW_READ
                           ? "cycle; A,C,G,T base counts " PERCENTAGE
                           : "cycle; A,C,G,T base counts " PERCENTAGE
                             "; and N and O counts " PERCENTAGE);
    rows_open(&rows, report, i);
    /* Of long reads there are no last fragments, but many rows. */
    bool is_row = (s == 0 || has_bases(sum, view)) && rows_next(&rows);
    while (next_cycle(&cycle, &rows, &is_row)) {
        put_percents(out, base_sections[s].name, &cycle, view);
        if (s == 0)
            add_cycle(sum, &cycle);
    }
    if (base_sections[s].sum_name == NULL)
        return;
    samtools_put_title(out, base_sections[s].sum_title,
                       base_sections[s].sum_name, "A,C,G,T,N base counters");
    samtools_put_line(out, base_sections[s].sum_name, sum->letter[view],
                      LETTER_N + 1);
}

void
samtools_bases_put(const struct report *report, size_t i, struct writer *out)
{
    struct cycle sum = {0};

    for (size_t s = 0; s < sizeof base_sections / sizeof *base_sections; s++)
        put_section(report, i, s, &sum, out);
}
