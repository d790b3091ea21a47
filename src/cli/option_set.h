/*
 * option_set.h -- the ways in which an option is set
 *
 * All are for `set` in struct option_row.  An argument that is not accepted is
 * an error of usage, and the message says what is.
 */

#ifndef GPUHIST_OPTION_SET_H
#define GPUHIST_OPTION_SET_H

#include "cli/option_row.h"

/* A bool: true. */
int option_set_flag(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* An enumerator, whatever it was before: FIRST. */
int option_set_constant(const struct option_row *row, struct options *options,
                        const char *value, struct error *error);

/* An enumerator: FIRST for the first word, and so on; ABSENT for none. */
int option_set_word(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A uint64_t, LEAST to MOST: a size (util/size.h). */
int option_set_size(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* An unsigned int, LEAST to MOST: decimal digits. */
int option_set_number(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* A const char *: any text. */
int option_set_text(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A const char *: a file's name; NULL for "-", which is standard output. */
int option_set_output(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* A const char *: a file's name, but not "-". */
int option_set_file(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A struct axis_option: one more text; the first word for none. */
int option_set_axis(const struct option_row *row, struct options *options,
                    const char *value, struct error *error);

/* A const char *: the name of a metric. */
int option_set_metric(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* A struct interval (util/interval.h). */
int option_set_interval(const struct option_row *row, struct options *options,
                        const char *value, struct error *error);

/* options->plan: a word, or one with ":N[,N]..." behind it. */
int option_set_device(const struct option_row *row, struct options *options,
                      const char *value, struct error *error);

/* options->plan and has_gpu_timeout: seconds, or "none". */
int option_set_gpu_timeout(const struct option_row *row,
                           struct options *options, const char *value,
                           struct error *error);

/* options->summary: "P,...". */
int option_set_percentiles(const struct option_row *row,
                           struct options *options, const char *value,
                           struct error *error);

#endif
