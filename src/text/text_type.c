/* SPDX-License-Identifier: MIT */
/* text_type.c -- the rows of the formats of text */

#include "text/text_type.h"

const struct text_type text_types[] = {
    [TEXT_NONE] = {.delimiter = '\t'},
    [TEXT_LINES] =
        {
            .name = "lines",
            .records = "lines",
            .delimiter = '\t',
            .whole = "line",
        },
    [TEXT_DELIMITED] =
        {
            .name = "delimited",
            .records = "lines divided at",
            .delimiter = '\t',
            .has_delimiter = true,
            .has_columns = true,
        },
    [TEXT_WHITESPACE] =
        {
            .name = "whitespace",
            .records = "lines divided at blanks",
            .delimiter = ' ',
            .has_columns = true,
        },
    [TEXT_CLF] =
        {
            .name = "clf",
            .records = "lines of a log of requests",
            .names = TEXT_NAMES_CLF,
            .delimiter = '\t',
            .has_misfits = true,
            .counts_misfits = true,
            .option = "--clf",
            .empty = "-",
        },
    [TEXT_CSV] =
        {
            .name = "csv",
            .records = "records of CSV",
            .ends = TEXT_ENDS_QUOTED,
            .values = TEXT_VALUES_CSV,
            .delimiter = ',',
            .has_delimiter = true,
            .has_columns = true,
            .skips_blank = true,
        },
    [TEXT_WORDS] =
        {
            .name = "words",
            .records = "words",
            .ends = TEXT_ENDS_WORDS,
            .delimiter = '\t',
            .whole = "word",
        },
    [TEXT_SEQUENCES] =
        {
            .name = "sequences",
            .records = "sequences",
            .ends = TEXT_ENDS_SEQUENCES,
            .names = TEXT_NAMES_OTHERS,
            .delimiter = '\t',
            .has_numbers = true,
            .has_flags = true,
            .strips_comments = true,
            .on_cpu = "sequences",
        },
    [TEXT_JSON] =
        {
            .name = "json",
            .records = "lines of JSON",
            .values = TEXT_VALUES_JSON,
            .scan = TEXT_SCAN_JSON,
            .names = TEXT_NAMES_PATHS,
            .delimiter = '\t',
            .has_misfits = true,
            .empty = "null",
            .on_cpu = "JSON",
        },
    [TEXT_LOGFMT] =
        {
            .name = "logfmt",
            .records = "lines of KEY=VALUE",
            .values = TEXT_VALUES_JSON,
            .scan = TEXT_SCAN_LOGFMT,
            .names = TEXT_NAMES_KEYS,
            .delimiter = '\t',
            .on_cpu = "logfmt",
        },
    [TEXT_REGEX] =
        {
            .name = "regex",
            .records = "lines with a match",
            .scan = TEXT_SCAN_REGEX,
            .names = TEXT_NAMES_GROUPS,
            .has_limits = true,
            .delimiter = '\t',
            .on_cpu = "regular expressions",
        },
    [TEXT_MATCHES] =
        {
            .name = "matches",
            .records = "matches",
            .scan = TEXT_SCAN_REGEX,
            .names = TEXT_NAMES_GROUPS,
            .has_limits = true,
            .delimiter = '\t',
            .on_cpu = "regular expressions",
        },
    [TEXT_PATTERN] =
        {
            .name = "log",
            .records = "lines of a log",
            .scan = TEXT_SCAN_PATTERN,
            .names = TEXT_NAMES_PATTERN,
            .delimiter = '\t',
            .has_misfits = true,
            .counts_misfits = true,
            .option = "--log-format",
            .empty = "-",
            .on_cpu = "logs with a pattern",
        },
};
