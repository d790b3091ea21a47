/* SPDX-License-Identifier: MIT */
/*
 * long_record.h -- records of FASTA that are longer than any buffer
 *
 * If only the length and the GC of records are wanted, a long record need not
 * be in memory: its bases are counted while they are read.  Its chunk has only
 * the name; struct synthetic has the counts.
 */

#ifndef GPUHIST_LONG_RECORD_H
#define GPUHIST_LONG_RECORD_H

#include "input/read/claim.h"

/*
 * A record of CLAIM, at claim->at and after claim->records, starts with the
 * SIZE bytes at DATA, and goes on after them.  Messages name the INPUT.
 * Replace the bytes by the record without bases, of claim->long_head bytes.
 * Returns 1; 0: the record must stay whole; or -1 with *ERROR set: a byte is
 * not a base.
 */
int long_record_open(struct claim *claim, const char *input,
                     unsigned char *data, size_t size, struct error *error);

/*
 * The long record of CLAIM goes on with the SIZE bytes at DATA.  Sets *PASSED
 * to the number of bytes that belong to the record, which is less than SIZE if
 * the record has ended.  Returns 0, or -1 with *ERROR set.
 */
int long_record_pass(struct claim *claim, const char *input,
                     const unsigned char *data, size_t size, size_t *passed,
                     struct error *error);

/* The long record of CLAIM has ended and is handed over. */
void long_record_end(struct claim *claim);

/* ---- in sequence ---- */

/*
 * The record of CLAIM at OUT, of CAPACITY bytes, has no end there: treat it as
 * a long record.  Returns whether it goes on as a long record; if not, the
 * error of the source is set.
 */
bool long_record_start(const struct inputs *inputs, struct claim *claim,
                       unsigned char *out, size_t capacity);

/*
 * The long record of CLAIM goes on with the bytes up to END of the buffer OUT.
 * Returns 1: the record has ended, and the bytes after it are kept; 0; or -1
 * with the error of the source set.
 */
int long_record_read(struct claim *claim, const unsigned char *out, size_t end);

#endif
