/* SPDX-License-Identifier: MIT */
/*
 * option_set.h -- functions that set an option: for `set` in struct option_row
 *
 * Each function stores VALUE in the member of OPTIONS that ROW names.  The
 * comments give the type of this member.  An invalid VALUE is a usage error;
 * the message describes valid ones.  All functions return 0, or -1 with *ERROR
 * set.
 */

#ifndef GPUHIST_OPTION_SET_H
#define GPUHIST_OPTION_SET_H

#include "cli/option_row.h"

/* A bool, set to true. */
int option_set_flag(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* An enumerator, set to row->first. */
int option_set_constant(const struct option_row *row, struct options *options,
                        const char *value, struct error *error);

/*
 * An enumerator: row->first for the first word, and so on; row->absent if VALUE
 * is NULL.
 */
int option_set_word(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* The same, for --help, which is also an action. */
int option_set_help(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A uint64_t from row->least to row->most, in the syntax of base/size.h. */
int option_set_size(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* An unsigned int from row->least to row->most, in decimal digits. */
int option_set_number(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* As option_set_flag() for --members, which needs a library. */
int option_set_members(const struct option_row *row, struct options *options,
                       const char *value, struct error *error);

/* A const char *, set to VALUE, which may be any text. */
int option_set_text(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A const char *: the name of a file; NULL for "-", standard output. */
int option_set_output(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* A const char *: the name of a file; "-" is an error. */
int option_set_file(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/*
 * A struct axis_option: adds VALUE to its texts, or the first word of ROW if
 * VALUE is NULL.
 */
int option_set_axis(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A const char *: the name of a Prometheus metric. */
int option_set_metric(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* A struct interval (base/interval.h). */
int option_set_interval(const struct option_row *row, struct options *options,
                        const char *value, struct error *error);

/* The device and the GPUs in options->plan: "WORD" or "WORD:N[,N]...". */
int option_set_device(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* options->plan.gpu_timeout and has_gpu_timeout: seconds, or "none". */
int option_set_gpu_timeout(const struct option_row *row,
                           struct options *options, const char *value,
                           struct error *error);

/* The fields of the keys of --tune: "KEY=VALUE,...", as their options do. */
int option_set_keys(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* options->shard: "I/N", with I from 1 to N. */
int option_set_shard(const struct option_row *row, struct options *options,
                     const char *value, struct error *error);

/* A const char *: a percentage above 0 and up to 100, with its sign. */
int option_set_percentage(const struct option_row *row, struct options *options,
                          const char *value, struct error *error);

/* The figures in options->report.columns: "NAME,...". */
int option_set_columns(const struct option_row *row, struct options *options,
                       const char *value, struct error *error);

/* The order in options->report: a word, or the name of a figure. */
int option_set_sort(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* The figures in options->summary, and their place, the field: "only", or
   "NAME,...", or both. */
int option_set_stats(const struct option_row *row, struct options *options,
                     const char *value, struct error *error);

/* The percentiles in options: "P,...". */
int option_set_percentiles(const struct option_row *row,
                           struct options *options, const char *value,
                           struct error *error);

#endif
