/* SPDX-License-Identifier: MIT */
/* fastqc_bases.c -- qualities and letters by position, as in FastQC */

#include <math.h>
#include <string.h>

#include "report/fastqc_bases.h"

/* The bytes of qualities. */
#define BYTE_MIN 33
#define BYTE_MAX 126
#define BYTES (BYTE_MAX + 1)

/* Positions with fewer qualities have no percentiles. */
#define ENOUGH 101

/* The limits of the lower quartile, the median, the difference of G from C and
   of A from T, and N, these in percent. */
#define QUARTILE_WARN 10
#define QUARTILE_FAIL 5
#define MEDIAN_WARN 25
#define MEDIAN_FAIL 20
#define CONTENT_WARN 10
#define CONTENT_FAIL 20
#define N_WARN 5
#define N_FAIL 20

/* The qualities of one position. */
struct place {
    uint64_t quality[BYTES];
    uint64_t qualities;
};

/* ---- reading ---- */

static enum fastqc_letter
letter_of(unsigned char base)
{
    static const char letters[] = "GATCN";
    const char *at = base != '\0' ? strchr(letters, base) : NULL;

    return at != NULL ? (enum fastqc_letter)(at - letters) : FASTQC_OTHER;
}

unsigned int
fastqc_bases_byte(const struct fastqc_bases *bases, int64_t quality)
{
    int64_t byte = quality + bases->phred;

    return byte < BYTE_MIN   ? BYTE_MIN
           : byte > BYTE_MAX ? BYTE_MAX
                             : (unsigned int)byte;
}

/* The column of the base. */
#define COLUMN_BASE 1

static uint64_t
position_of(const struct rows *rows)
{
    return rows->column[FASTQC_COLUMN_POSITION].component.integer.low;
}

bool
fastqc_bases_quality(const struct fastqc_bases *bases, const struct rows *rows,
                     unsigned int *byte)
{
    const struct key_component *quality =
        &rows->column[FASTQC_COLUMN_QUALITY].component;

    if (quality->tag != KEY_TAG_VALUE)
        return false;
    *byte = fastqc_bases_byte(bases, (int64_t)quality->integer.low);
    return true;
}

/* Find the lowest byte of histogram I, and what FastQC guesses of it. */
static void
find_lowest(struct fastqc_bases *bases, const struct report *report, size_t i)
{
    struct rows rows;
    unsigned int byte;

    bases->lowest = BYTE_MAX;
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        if (!fastqc_bases_quality(bases, &rows, &byte))
            continue;
        bases->lowest = byte < bases->lowest ? byte : bases->lowest;
        bases->has_qualities = true;
    }
    bases->offset = bases->lowest < 64 ? 33 : 64;
}

/* Move G to the group of POSITION, which is not before it. */
static void
find_group(const struct fastqc_bases *bases, uint64_t position, size_t *g)
{
    while (*g + 1 < bases->groups && bases->range[*g].last < position)
        ++*g;
}

/* The mean of the qualities of PLACE, which has some. */
static double
mean_of(const struct place *place, unsigned int offset)
{
    uint64_t sum = 0;

    for (unsigned int byte = offset; byte < BYTES; byte++)
        sum += place->quality[byte] * (byte - offset);
    return (double)sum / (double)place->qualities;
}

/* The quality that at least PERCENT of those of PLACE do not exceed, their
   number rounded down. */
static double
percentile_of(const struct place *place, unsigned int offset, uint64_t percent)
{
    uint64_t wanted = place->qualities * percent / 100;
    unsigned int byte = offset;

    for (uint64_t count = place->quality[byte]; count < wanted;)
        count += place->quality[++byte];
    return byte - offset;
}

static void
add_place(struct fastqc_bases *bases, struct fastqc_group *group,
          const struct place *place)
{
    static const uint64_t percents[FASTQC_FIGURES] = {
        [FASTQC_MEDIAN] = 50,         [FASTQC_LOWER_QUARTILE] = 25,
        [FASTQC_UPPER_QUARTILE] = 75, [FASTQC_10TH] = 10,
        [FASTQC_90TH] = 90,
    };

    for (size_t f = 0; f < FASTQC_FIGURES; f++) {
        if (place->qualities < (f == FASTQC_MEAN ? 1 : ENOUGH))
            continue;
        group->places[f]++;
        group->sum[f] += f == FASTQC_MEAN
                             ? mean_of(place, bases->offset)
                             : percentile_of(place, bases->offset, percents[f]);
    }
}

/* Read the bases of histogram I, and find the groups. */
static void
read_letters(struct fastqc_bases *bases, const struct report *report, size_t i)
{
    uint64_t longest = 0;
    size_t g = 0;
    struct rows rows;

    rows_open(&rows, report, i);
    while (rows_next(&rows))
        longest = position_of(&rows);
    bases->groups = base_groups_make(longest, bases->range);
    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        find_group(bases, position_of(&rows), &g);
        enum fastqc_letter letter =
            letter_of(*rows.column[COLUMN_BASE].component.text);
        bases->group[g].letter[letter] += rows.amount.count;
        bases->letter[letter] += rows.amount.count;
    }
}

/* Read the qualities of histogram I. */
static void
read_qualities(struct fastqc_bases *bases, const struct report *report,
               size_t i)
{
    struct place place = {{0}, 0};
    uint64_t here = 0;
    size_t g = 0;
    struct rows rows;
    unsigned int byte;

    rows_open(&rows, report, i);
    while (rows_next(&rows)) {
        if (position_of(&rows) != here && here > 0) {
            add_place(bases, &bases->group[g], &place);
            place = (struct place){{0}, 0};
        }
        here = position_of(&rows);
        find_group(bases, here, &g);
        if (!fastqc_bases_quality(bases, &rows, &byte))
            continue;
        place.quality[byte] += rows.amount.count;
        place.qualities += rows.amount.count;
    }
    if (here > 0)
        add_place(bases, &bases->group[g], &place);
}

void
fastqc_bases_read(struct fastqc_bases *bases, const struct report *report,
                  size_t letters, size_t qualities)
{
    *bases = (struct fastqc_bases){.phred = report->spec->text.phred};
    read_letters(bases, report, letters);
    find_lowest(bases, report, qualities);
    read_qualities(bases, report, qualities);
}

const char *
fastqc_bases_encoding(const struct fastqc_bases *bases)
{
    bool has_bases = false;

    for (size_t l = 0; l < sizeof bases->letter / sizeof *bases->letter; l++)
        has_bases |= bases->letter[l] > 0;
    /* FASTA, which FastQC does not read. */
    if (has_bases && !bases->has_qualities)
        return "none";
    if (bases->offset == BYTE_MIN)
        return "Sanger / Illumina 1.9";
    return bases->lowest == bases->offset + 1 ? "Illumina 1.3" : "Illumina 1.5";
}

/* ---- printing ---- */

/* Put the positions of group G. */
static void
put_range(const struct fastqc_bases *bases, size_t g, struct writer *out)
{
    fastqc_put_range(out, bases->range[g].first, bases->range[g].last);
}

/* A figure of GROUP: the mean of its positions. */
static double
figure_of(const struct fastqc_group *group, enum fastqc_figure figure)
{
    if (group->places[figure] == 0)
        return figure == FASTQC_MEAN ? 0 : NAN;
    return group->sum[figure] / (double)group->places[figure];
}

static enum fastqc_verdict
quality_verdict(const struct fastqc_bases *bases)
{
    enum fastqc_verdict worst = FASTQC_PASS;

    for (size_t g = 0; g < bases->groups; g++) {
        double quartile = figure_of(&bases->group[g], FASTQC_LOWER_QUARTILE);
        double median = figure_of(&bases->group[g], FASTQC_MEDIAN);
        if (quartile < QUARTILE_FAIL || median < MEDIAN_FAIL)
            return FASTQC_FAIL;
        if (quartile < QUARTILE_WARN || median < MEDIAN_WARN)
            worst = FASTQC_WARN;
    }
    return worst;
}

void
fastqc_bases_put_quality(const struct fastqc_bases *bases, struct writer *out)
{
    if (!bases->has_qualities)
        return;
    fastqc_put_start(out, "Per base sequence quality", quality_verdict(bases));
    writer_put_text(out, "#Base\tMean\tMedian\tLower Quartile\tUpper "
                         "Quartile\t10th Percentile\t90th Percentile\n");
    for (size_t g = 0; g < bases->groups; g++) {
        put_range(bases, g, out);
        for (size_t f = 0; f < FASTQC_FIGURES; f++) {
            writer_put_char(out, '\t');
            fastqc_put_double(
                out, figure_of(&bases->group[g], (enum fastqc_figure)f));
        }
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}

/* The percentage of LETTER among the letters before END of GROUP. */
static double
share_of(const struct fastqc_group *group, enum fastqc_letter letter,
         enum fastqc_letter end)
{
    uint64_t all = 0;

    for (size_t l = 0; l < end; l++)
        all += group->letter[l];
    return (double)group->letter[letter] / (double)all * 100;
}

static enum fastqc_verdict
content_verdict(const struct fastqc_bases *bases)
{
    enum fastqc_verdict worst = FASTQC_PASS;

    for (size_t g = 0; g < bases->groups; g++) {
        const struct fastqc_group *group = &bases->group[g];
        double gc = fabs(share_of(group, FASTQC_G, FASTQC_N) -
                         share_of(group, FASTQC_C, FASTQC_N));
        double at = fabs(share_of(group, FASTQC_A, FASTQC_N) -
                         share_of(group, FASTQC_T, FASTQC_N));
        enum fastqc_verdict here =
            fastqc_verdict_above(gc > at ? gc : at, CONTENT_WARN, CONTENT_FAIL);
        worst = here > worst ? here : worst;
    }
    return worst;
}

void
fastqc_bases_put_content(const struct fastqc_bases *bases, struct writer *out)
{
    fastqc_put_start(out, "Per base sequence content", content_verdict(bases));
    writer_put_text(out, "#Base\tG\tA\tT\tC\n");
    for (size_t g = 0; g < bases->groups; g++) {
        put_range(bases, g, out);
        for (size_t l = 0; l < FASTQC_N; l++) {
            writer_put_char(out, '\t');
            fastqc_put_double(out, share_of(&bases->group[g],
                                            (enum fastqc_letter)l, FASTQC_N));
        }
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}

/* The percentage of N in group G, rounded as FastQC does. */
static double
share_of_n(const struct fastqc_bases *bases, size_t g)
{
    const struct fastqc_group *group = &bases->group[g];
    uint64_t all = 0;

    for (size_t l = 0; l < FASTQC_LETTERS; l++)
        all += group->letter[l];
    return 100 * ((double)group->letter[FASTQC_N] / (double)all);
}

void
fastqc_bases_put_n(const struct fastqc_bases *bases, struct writer *out)
{
    double most = 0;

    for (size_t g = 0; g < bases->groups; g++) {
        double share = share_of_n(bases, g);
        most = share > most ? share : most;
    }
    fastqc_put_start(out, "Per base N content",
                     fastqc_verdict_above(most, N_WARN, N_FAIL));
    writer_put_text(out, "#Base\tN-Count\n");
    for (size_t g = 0; g < bases->groups; g++) {
        put_range(bases, g, out);
        writer_put_char(out, '\t');
        fastqc_put_double(out, share_of_n(bases, g));
        writer_put_char(out, '\n');
    }
    fastqc_put_end(out);
}
