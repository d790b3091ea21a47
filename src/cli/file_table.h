/* SPDX-License-Identifier: MIT */
/*
 * file_table.h -- --per-file --pivot: a column for each input
 *
 * The name of the input becomes the last key of what is counted in it: the
 * counts of all inputs are added up as counts of records that have the keys and
 * the name.  --pivot prints these as it prints other keys.
 */

#ifndef GPUHIST_FILE_TABLE_H
#define GPUHIST_FILE_TABLE_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/total.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/content/content.h"
#include "text/text_header.h"

struct file_table;

/*
 * Returns an empty table of counts of SPEC, by OPTIONS, which outlive the
 * table, or NULL with *ERROR set.  Up to THREADS threads add counts.
 */
struct file_table *file_table_open(const struct spec *spec,
                                   const struct options *options,
                                   unsigned int threads, struct error *error);

/* Add the COUNTS of the input NAME, which are folded.  Returns 0, or -1 with
   *ERROR set. */
int file_table_add(struct file_table *table, const struct snapshot *counts,
                   const char *name, struct error *error);

/* As total_finish(): set *COUNTS to those of all inputs. */
int file_table_finish(struct file_table *table, struct snapshot *counts,
                      struct error *error);

/* Release TABLE, or nothing if TABLE is NULL. */
void file_table_close(struct file_table *table);

#endif
