/* SPDX-License-Identifier: MIT */
/*
 * option_text.h -- the rows of option_table.c for records and fields of text
 *
 * Only option_table.c includes this file, in the middle of its table: together
 * they are one table, in the order of --help.
 */

#define NOT_OF_READS "record endian image npy safetensors list-strategies"
#define NOT_OF_TEXT NOT_OF_READS " partial"
#define BINARY_ONLY NOT_OF_TEXT " device=opencl"
#define CPU_ONLY BINARY_ONLY " device=cuda"

/* What divides text into fields; the fields of some have names, or numbers, of
   their own. */
#define NAMED "clf jsonl logfmt regex matches log-format"
#define DIVIDING "delimiter tsv csv whitespace " NAMED

#define NOT_OF_SEQUENCES                                               \
    {                                                                  \
        .excludes = "dtype",                                           \
        .message = "the fields of sequences have types of their own: " \
                   "no --dtype"                                        \
    }

/* clang-format off */
    {
        .name = "fields",
        .is_counting = true,
        .letter = 'f',
        .argument = "LIST",
        .help = "count these fields, each by itself: 1,3-5; of text also\n"
                "NF, NF-1 and names",
        .brief = "count these fields, each by itself",
        AXIS(spec.fields),
    },
    {
        .name = "group-by",
        .is_counting = true,
        .letter = 'g',
        .argument = "LIST",
        .help = "fields that are keys: count each combination, or with\n"
                "--fields count those for each combination",
        .brief = "count for each combination of these fields",
        TEXT(spec.text.group_by),
        .rule = {{.needs = DIVIDING
                  " counts seq kmers dtype record npy safetensors image"}},
        .use = {{.feature = REPORT_KEYS}},
    },
    {
        .name = "lines",
        .is_counting = true,
        .letter = 'l',
        .help = "each line is a key; count how often each occurs",
        .brief = "count lines",
        CONSTANT(spec.text.kind, TEXT_LINES),
        .rule = {{.excludes = "fields group-by weights " DIVIDING " words",
                  .message = "--lines counts whole lines: no --fields, "
                             "--group-by or --weights, and no option that "
                             "divides lines"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "delimiter",
        .is_counting = true,
        .letter = 'd',
        .argument = "C",
        .help = "fields of text between bytes C (\\t is a tab); also -F C,\n"
                "as awk, and -t C, as sort",
        .brief = "fields of text between these bytes",
        TEXT(spec.text.delimiter),
        .rule = {{.needs = "fields group-by profile",
                  .excludes = "tsv whitespace " NAMED " words"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "tsv",
        .is_counting = true,
        .help = "fields of text between tabs",
        CONSTANT(spec.text.kind, TEXT_DELIMITED),
        .rule = {{.needs = "fields group-by profile"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "csv",
        .is_counting = true,
        .help = "fields of CSV, between commas or the bytes of -d;\n"
                "quotes as in RFC 4180",
        .brief = "fields of CSV",
        CONSTANT(spec.text.kind, TEXT_CSV),
        .rule = {{.needs = "fields group-by profile"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "whitespace",
        .is_counting = true,
        .letter = 'W',
        .help = "fields of text between runs of blanks, as awk",
        .brief = "fields of text between blanks",
        CONSTANT(spec.text.kind, TEXT_WHITESPACE),
        .rule = {{.needs = "fields group-by profile"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "clf",
        .is_counting = true,
        .help = "fields of a log of requests, by name: host, status,\n"
                "path, minute and others",
        .brief = "fields of a log of requests",
        CONSTANT(spec.text.kind, TEXT_CLF),
        .rule = {{.needs = "fields group-by profile",
                  .message = "--clf needs --fields, --group-by or --profile "
                             "(-f status --columns=count counts requests)"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "jsonl",
        .is_counting = true,
        .help = "objects of JSON, one a line; fields are paths: a, a.b,\n"
                "a[0], a[\"x.y\"]",
        .brief = "members of objects of JSON, one a line",
        CONSTANT(spec.text.kind, TEXT_JSON),
        .rule = {{.needs = "fields group-by profile",
                  .message = "--jsonl needs --fields, --group-by or --profile "
                             "(it is for input; output in JSON is "
                             "--format=json)"},
                 {.excludes = CPU_ONLY}},
    },
    {
        .name = "logfmt",
        .is_counting = true,
        .is_new = true,
        .help = "lines of pairs KEY=VALUE; fields are keys",
        CONSTANT(spec.text.kind, TEXT_LOGFMT),
        .rule = {{.needs = "fields group-by profile"}, {.excludes = CPU_ONLY}},
    },
    {
        .name = "regex",
        .is_counting = true,
        .is_new = true,
        .argument = "RE",
        .help = "lines in which the regular expression RE matches; its\n"
                "groups are fields: 1, 2, names, and 0 for the match",
        .brief = "fields are the groups of this expression",
        TEXT(spec.text.regex),
        .rule = {{.excludes = "lines " DIVIDING " words"},
                 {.excludes = CPU_ONLY}},
    },
    {
        .name = "matches",
        .is_counting = true,
        .is_new = true,
        .argument = "RE",
        .help = "count all matches of the regular expression RE, as\n"
                "grep -o; of its first group, if it has one",
        .brief = "count all matches of this expression",
        TEXT(spec.text.matches),
        .rule = {{.excludes = "lines " DIVIDING " words"},
                 {.excludes = CPU_ONLY}},
    },
    {
        .name = "log-format",
        .is_counting = true,
        .is_new = true,
        .argument = "FORMAT",
        .help = "fields of a log, by name: 'common', 'combined',\n"
                "'vcommon', 'vcombined', 'alb', 'caddy', 'cloudfront',\n"
                "'cloudstorage', 'elb', 'haproxy', 's3', 'squid',\n"
                "'syslog', 'traefik', 'w3c', or a pattern of nginx,\n"
                "Apache or dissect: '$remote_addr \"$request\" $status'",
        .brief = "fields of a log of this format",
        TEXT(spec.text.log_format),
        .rule = {{.needs = "fields group-by profile",
                  .excludes = "lines " DIVIDING " words"},
                 {.excludes = CPU_ONLY}},
    },
    {
        .name = "invalid",
        .is_counting = true,
        .argument = "WHAT",
        .help = "a line that is no object of JSON (default: error), or\n"
                "no line of --clf or --log-format (default: count): an\n"
                "error, or counted as \\invalid; %w",
        .brief = "what becomes of wrong lines of JSON and logs",
        .words = WORDS("error", "count"),
        WORD(spec.text.invalid, INVALID_ERROR),
        .rule = {{.needs = "jsonl clf log-format"}},
    },
    {
        .name = "words",
        .is_counting = true,
        .help = "each run of other bytes than blanks is a key",
        .brief = "count words",
        CONSTANT(spec.text.kind, TEXT_WORDS),
        .rule = {{.excludes = "fields group-by weights",
                  .message = "--words counts whole words: no --fields, "
                             "--group-by or --weights"},
                 {.excludes = BINARY_ONLY}},
    },
    {
        .name = "counts",
        .is_counting = true,
        .is_optional = true,
        .argument = "FORM",
        .help = "the input is counted already: the last field says how\n"
                "often, or with uniq the first one; %w",
        .brief = "the input is counted already",
        .words = WORDS("tsv", "uniq"),
        WORD(spec.text.counts, COUNTS_TSV),
        .absent = COUNTS_TSV,
        .rule = {{.excludes = "weights lines words " NAMED " seq kmers",
                  .message = "--counts is for values that each have a count: "
                             "no --weights, --lines, --words, --clf, "
                             "--jsonl, --logfmt, --seq or --kmers"},
                 {.when = "uniq",
                  .excludes = "fields group-by delimiter tsv csv whitespace",
                  .message = "--counts=uniq reads what uniq -c prints: no "
                             "option that divides lines"},
                 {.excludes = CPU_ONLY}},
    },
#include "cli/option_sequences.h"
    {
        .name = "header-in",
        .is_counting = true,
        .letter = 'H',
        .is_optional = true,
        .argument = "PLACE",
        .help = "the first record of each input names the fields; a\n"
                "name in -f implies it; comment: a comment before it\n"
                "does, as in VCF, Zeek and W3C; %w",
        .brief = "where the names of the fields are",
        .words = WORDS("first", "comment", "none"),
        WORD(spec.text.header, HEADER_FIRST),
        .absent = HEADER_FIRST,
        .rule = {{.needs = "delimiter tsv csv whitespace counts=tsv"}},
    },
    {
        .name = "zero-terminated",
        .is_counting = true,
        .letter = 'z',
        .help = "records of text end with NUL, not with a line feed",
        .brief = "records of text end with NUL",
        FLAG(spec.text.is_zero_terminated),
        .rule = {{.needs = "lines delimiter tsv whitespace regex matches words "
                            "counts",
                  .excludes = "csv clf"}},
    },
    {
        .name = "comment",
        .is_counting = true,
        .argument = "MARK",
        .help = "leave out lines that begin with MARK, such as # or //",
        .brief = "leave out lines that begin with this text",
        TEXT(spec.text.comment),
        .rule = {{.needs = "lines " DIVIDING " words counts seq kmers"}},
    },
    {
        .name = "where",
        .is_counting = true,
        .argument = "COND",
        .help = "count only records for which COND holds, as a>=5,\n"
                "b!=x or c=~^y; || means or, && and; again for \"and\"",
        .brief = "count only records for which this holds",
        AXIS(spec.where),
        .rule = {{.needs = "lines " DIVIDING " words counts seq kmers",
                  .message = "--where is for fields of text: it needs --lines, "
                             "--delimiter, --tsv, --csv, --whitespace, --clf, "
                             "--jsonl, --logfmt, --regex, --matches, "
                             "--log-format, --words, --counts, --seq or "
                             "--kmers"},
                 {.excludes = "device=cuda device=opencl"}},
    },
    {
        .name = "ignore-case",
        .is_counting = true,
        .letter = 'i',
        .help = "count keys in lower case",
        .brief = "count keys in lower case",
        FLAG(spec.text.ignores_case),
        .rule = {{.needs = "lines " DIVIDING " words counts"}},
    },
    {
        .name = "prefix",
        .is_counting = true,
        .argument = "N",
        .help = "cut keys to their first N bytes",
        .set = option_set_size,
        .field = FIELD(uint64_t, spec.prefix),
        .least = 1,
        .wanted = "a number of bytes from 1 on",
        .rule = {{.needs = "lines " DIVIDING " words counts seq kmers"}},
    },
