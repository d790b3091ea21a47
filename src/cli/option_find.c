/* SPDX-License-Identifier: MIT */
/* option_find.c -- looking up options */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/near_names.h"
#include "cli/option_find.h"
#include "cli/option_table.h"

/* ---- options of other programs ---- */

struct foreign {
    const char *name; /* one letter, or a word */
    const char *here;
};

/* The letters of sort, cut, awk, uniq, head, datamash, mlr, xsv and others that
   are no aliases (option_alias.h). */
static const struct foreign letters[] = {
    {"k", "a field is -f, a group is -g, and k-mers are --kmers=K"},
    {"r", "--sort=count has the greatest count first"},
    {"u", "each value is printed once in any case; -l counts lines"},
    {"=", "a value follows its letter without =, as in -f2; -H has no value, "
          "but --header-in=PLACE has"},
};

static const struct foreign words[] = {
    {"average", "--columns=mean"},
    {"avg", "--columns=mean"},
    {"buckets", "--bins"},
    {"by", "--group-by"},
    {"char", "--labels=char"},
    {"combined", "a log of requests is --clf with -f FIELD"},
    {"comma", "--csv, or -d,"},
    {"cores", "--threads"},
    {"count", "counts are printed in any case; -l counts lines, and --counts "
              "reads what is counted already"},
    {"cpu", "--device=cpu"},
    {"cuda", "--device=cuda"},
    {"distinct", "--columns=distinct with -g and -f; -l counts each line"},
    {"double", "--dtype=f8"},
    {"entropy", "--columns=entropy"},
    {"fasta", "--seq"},
    {"fastq", "--seq"},
    {"field-separator", "--delimiter"},
    {"filter", "--where"},
    {"float", "--dtype=f4"},
    {"gc", "--seq -f gc"},
    {"gpu", "--device=cuda or opencl"},
    {"grep", "--matches=RE counts matches, --regex=RE the groups of one"},
    {"groupby", "--group-by"},
    {"head", "--first of the input, --top of the keys"},
    {"header", "--header-in: the input has one; --header-out: print one"},
    {"hex", "--labels=hex of bytes, also of several: --record=u1,u1 --joint "
            "-f 2,1"},
    {"input", "a file is named without an option"},
    {"int", "--dtype=int of text, --dtype=i4 of samples"},
    {"integer", "--dtype=int of text, --dtype=i4 of samples"},
    {"jobs", "--threads"},
    {"key", "--group-by, or --fields"},
    {"length", "--seq -f length"},
    {"limit", "--top of the keys, --first of the input"},
    {"logarithmic", "--log"},
    {"lower-count", "--min-count"},
    {"max", "the greatest value of bins is HI of --range=LO,HI; the greatest "
            "count is --max-count=N; --columns=max prints that of a field"},
    {"maximum",
     "the greatest value of bins is HI of --range=LO,HI; the greatest count "
     "is --max-count=N; --columns=max prints that of a field"},
    {"mean", "--columns=mean"},
    {"median", "--columns=median of numbers, --percentiles=50 of bins"},
    {"min", "the least value of bins is LO of --range=LO,HI; the least count "
            "is --min-count=N; --columns=min prints that of a field"},
    {"minimum", "the least value of bins is LO of --range=LO,HI; the least "
                "count is --min-count=N; --columns=min prints that of a field"},
    {"minute", "--clf -f minute"},
    {"no-header", "a header is read only with -H or a name in -f"},
    {"noheader", "a header is read only with -H or a name in -f"},
    {"number", "--dtype=num"},
    {"output-format", "--format"},
    {"p50", "--columns=p50"},
    {"parallel", "--threads"},
    {"position", "--seq -f position"},
    {"quality", "--seq -f quality"},
    {"quantile", "--percentiles"},
    {"quantiles", "--percentiles"},
    {"records", "--first"},
    {"recursive", "find DIRECTORY -type f -print0 | gpuhist --files0-from=-"},
    {"reverse", "--sort=count has the greatest count first"},
    {"sd", "--columns=sd"},
    {"save", "--state=FILE, which --merge adds up"},
    {"select", "--where, or --fields"},
    {"sep", "--delimiter"},
    {"separator", "--delimiter"},
    {"silent", "--quiet"},
    {"skip-header", "-H: the first record is a header"},
    {"status", "--clf -f status"},
    {"std", "--columns=sd"},
    {"stddev", "--columns=sd"},
    {"stdev", "--columns=sd"},
    {"step", "--bin-width"},
    {"sum", "--columns=sum of numbers"},
    {"tab", "--tsv"},
    {"text", "-l counts lines, --words words, and -d, --tsv, --csv, -W, --clf, "
             "--jsonl or --logfmt fields"},
    {"uniq", "-l counts each line; --format=uniq prints as uniq -c"},
    {"unique", "-l counts each line; --format=uniq prints as uniq -c"},
    {"upper-count", "--max-count"},
    {"vcf", "--tsv --header-in=comment -f CHROM"},
    {"width", "--bin-width"},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const char *
find(const struct foreign *foreign, size_t count, const char *name,
     size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(foreign[i].name) == length &&
            memcmp(foreign[i].name, name, length) == 0)
            return foreign[i].here;
    }
    return NULL;
}

const char *
option_find_foreign_letter(char letter)
{
    return find(letters, COUNT(letters), &letter, 1);
}

const char *
option_find_foreign_name(const char *name, size_t length)
{
    return find(words, COUNT(words), name, length);
}

/* ---- the rows ---- */

const struct option_row *
option_find(const char *name, size_t length)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (strlen(row->name) == length && memcmp(row->name, name, length) == 0)
            return row;
    }
    return NULL;
}

/*
 * Returns how many options, new ones only if IS_NEW, else older ones, start
 * with the LENGTH letters of NAME, and sets *ROW to the last of them.
 */
static size_t
find_starting(const char *name, size_t length, bool is_new,
              const struct option_row **row)
{
    size_t found = 0;

    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].is_new == is_new &&
            strncmp(option_table[i].name, name, length) == 0) {
            *row = &option_table[i];
            found++;
        }
    }
    return found;
}

const struct option_row *
option_find_abbreviated(const char *name, size_t length)
{
    const struct option_row *row = option_find(name, length);

    /* The name of another program's option does not abbreviate an option. */
    if (row != NULL || option_find_foreign_name(name, length) != NULL)
        return row;
    /* Scripts of 0.1 go on, whatever options there are later. */
    size_t found = find_starting(name, length, false, &row);
    if (found == 0)
        found = find_starting(name, length, true, &row);
    return found == 1 ? row : NULL;
}

const struct option_row *
option_find_letter(char letter)
{
    for (size_t i = 0; i < option_count; i++) {
        if (option_table[i].letter == letter)
            return &option_table[i];
    }
    return NULL;
}

const struct option_row *
option_find_next(const struct option_row *row)
{
    const struct option_row *next = NULL;

    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *other = &option_table[i];
        if ((row == NULL || strcmp(other->name, row->name) > 0) &&
            (next == NULL || strcmp(other->name, next->name) < 0))
            next = other;
    }
    return next;
}

/* ---- messages about options that do not exist ---- */

/* The option most similar to the LENGTH letters of NAME, an older one rather
   than a new one; NULL if none is. */
static const struct option_row *
find_near(const char *name, size_t length)
{
    /* One letter in three may be wrong, as in rustc. */
    size_t nearest = (length < 3 ? 3 : length) / 3 + 1;
    const struct option_row *near = NULL;

    for (const struct option_row *row = option_find_next(NULL); row != NULL;
         row = option_find_next(row)) {
        size_t distance = spelling_distance(name, length, row->name);
        bool is_older = near != NULL && near->is_new && !row->is_new;
        if (distance < nearest + is_older && distance < length) {
            nearest = distance;
            near = row;
        }
    }
    return near;
}

/* List the options that start with the LENGTH letters of NAME. */
static void
list_starting(const char *name, size_t length, char list[OPTION_LIST_BYTES])
{
    list[0] = '\0';
    for (const struct option_row *row = option_find_next(NULL); row != NULL;
         row = option_find_next(row)) {
        size_t used = strlen(list);
        if (strncmp(row->name, name, length) == 0)
            snprintf(list + used, OPTION_LIST_BYTES - used, "%s%s%s",
                     used > 0 ? ", " : "", option_row_dashes(row), row->name);
    }
}

/*
 * Set *ERROR: the option WORD, "--name", "--name=value" or letters after one
 * "-", does not exist.  The message shows the first SHOWN characters of TEXT
 * and HERE, the answer of option_find_foreign_*(); if HERE is NULL, a similar
 * option.
 */
static void
set_unknown(const char *word, const char *text, size_t shown, const char *here,
            struct error *error)
{
    const char *name = word + strspn(word, "-");
    const struct option_row *near = find_near(name, strcspn(name, "="));

    if (here != NULL)
        error_set(error, EXIT_USAGE, "unknown option '%.*s' (here: %s)",
                  (int)shown, text, here);
    else if (near != NULL)
        error_set(error, EXIT_USAGE,
                  "unknown option '%.*s' (did you mean %s%s?)", (int)shown,
                  text, option_row_dashes(near), near->name);
    else
        error_set(error, EXIT_USAGE, "unknown option '%.*s' (try --help)",
                  (int)shown, text);
}

void
option_find_fail_name(const char *word, struct error *error)
{
    char list[OPTION_LIST_BYTES];
    size_t length = strcspn(word + 2, "=");
    const char *here = option_find_foreign_name(word + 2, length);

    list_starting(word + 2, length, list);
    if (length == 0)
        error_set(error, EXIT_USAGE, "'%s' is not an option (try --help)",
                  word);
    else if (here == NULL && list[0] != '\0')
        error_set(error, EXIT_USAGE, "option '%.*s' is ambiguous: %s",
                  (int)length + 2, word, list);
    else
        set_unknown(word, word, length + 2, here, error);
}

void
option_find_fail_letter(char letter, const char *word, struct error *error)
{
    const char shown[] = {'-', letter};
    const char *name = word + 1;
    /* "-top=3" is a word with one "-" too few. */
    bool is_word = find_near(name, strcspn(name, "=")) != NULL;

    set_unknown(word, shown, sizeof shown,
                is_word ? NULL : option_find_foreign_letter(letter), error);
}
