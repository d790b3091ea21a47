/* option_foreign.c -- options of other programs, and what they are called here
 */

#include <string.h>

#include "cli/option_foreign.h"

struct foreign {
    const char *name; /* one letter, or a word */
    const char *here;
};

/* Those of sort, cut, awk, uniq, head, datamash, mlr, xsv and others. */
static const struct foreign letters[] = {
    {"F", "the byte between fields is -d, and -W divides at blanks"},
    {"t", "the byte between fields is -d, and a type is --dtype=TYPE"},
    {"k", "a field is -f, a group is -g, and k-mers are --kmers=K"},
    {"n", "the N most frequent values are --top=N, and N bins are -b N"},
    {"c", "counts are printed in any case; --format=uniq has them first, and "
          "--counts=uniq reads them"},
    {"r", "--sort=count has the greatest count first"},
    {"u", "each value is printed once in any case; -l counts lines"},
    {"i", "capitals are other letters than small ones: put tr A-Z a-z before"},
};

static const struct foreign words[] = {
    {"average", "--columns=mean of a field of text, --stats of samples"},
    {"avg", "--columns=mean of a field of text, --stats of samples"},
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
    {"entropy", "--stats=only, of bytes and of numbers in bins"},
    {"fasta", "--seq"},
    {"fastq", "--seq"},
    {"field-separator", "--delimiter"},
    {"filter", "--where"},
    {"float", "--dtype=f4"},
    {"gc", "--seq -f gc"},
    {"gpu", "--device=cuda or opencl"},
    {"grep", "--where compares fields; put grep before it for patterns"},
    {"groupby", "--group-by"},
    {"head", "--top"},
    {"header", "--header-in: the input has one; --header-out: print one"},
    {"hex", "--labels=hex"},
    {"ignore-case",
     "capitals are other letters than small ones: put tr A-Z a-z before"},
    {"input", "a file is named without an option"},
    {"int", "--dtype=int of text, --dtype=i4 of samples"},
    {"integer", "--dtype=int of text, --dtype=i4 of samples"},
    {"jobs", "--threads"},
    {"key", "--group-by, or --fields"},
    {"length", "--seq -f length"},
    {"limit", "--top"},
    {"logarithmic", "--log"},
    {"max", "the greatest value of bins is HI of --range=LO,HI; --columns=max "
            "prints that of a field"},
    {"maximum", "the greatest value of bins is HI of --range=LO,HI; "
                "--columns=max prints that of a field"},
    {"mean", "--columns=mean of a field of text, --stats of samples"},
    {"median", "--columns=p50 of a field of text, --percentiles=50 of samples"},
    {"min", "the least value of bins is LO of --range=LO,HI; the least count "
            "is --min-count=N; --columns=min prints that of a field"},
    {"minimum", "the least value of bins is LO of --range=LO,HI; the least "
                "count is --min-count=N; --columns=min prints that of a field"},
    {"minute", "--clf -f minute"},
    {"no-header", "a header is read only with -H or a name in -f"},
    {"noheader", "a header is read only with -H or a name in -f"},
    {"number", "--dtype=num"},
    {"output-format", "--format"},
    {"p50", "--columns=p50 of a field of text, --percentiles=50 of samples"},
    {"parallel", "--threads"},
    {"position", "--seq -f position"},
    {"quality", "--seq -f quality"},
    {"quantile", "--percentiles"},
    {"quantiles", "--percentiles"},
    {"recursive", "find DIRECTORY -type f -print0 | gpuhist --files0-from=-"},
    {"reverse", "--sort=count has the greatest count first"},
    {"sd", "--columns=sd of a field of text, --stats of samples"},
    {"select", "--where, or --fields"},
    {"sep", "--delimiter"},
    {"separator", "--delimiter"},
    {"silent", "--quiet"},
    {"skip-header", "-H: the first record is a header"},
    {"status", "--clf -f status"},
    {"std", "--columns=sd of a field of text, --stats of samples"},
    {"stddev", "--columns=sd of a field of text, --stats of samples"},
    {"stdev", "--columns=sd of a field of text, --stats of samples"},
    {"step", "--bin-width"},
    {"sum", "--columns=sum of a field of text"},
    {"tab", "--tsv"},
    {"text", "-l counts lines, --words words, and -d, --tsv, --csv, -W, --clf "
             "or --jsonl fields"},
    {"uniq", "-l counts each line; --format=uniq prints as uniq -c"},
    {"unique", "-l counts each line; --format=uniq prints as uniq -c"},
    {"usage", "--help"},
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
option_foreign_letter(char letter)
{
    return find(letters, COUNT(letters), &letter, 1);
}

const char *
option_foreign_name(const char *name, size_t length)
{
    return find(words, COUNT(words), name, length);
}
