/* SPDX-License-Identifier: MIT */
/*
 * common_bases.h -- letters of bases in SAM, of which nearly all are common: A,
 * C, G, T and N
 *
 * Eight letters are looked at together, without tables.  Each function returns
 * whether all letters are common; otherwise what it has written is of no use.
 */

#ifndef GPUHIST_COMMON_BASES_H
#define GPUHIST_COMMON_BASES_H

#include <stdbool.h>
#include <stddef.h>

/* Write the LENGTH letters at BASES to OUT. */
bool common_bases_copy(const unsigned char *bases, size_t length,
                       unsigned char *out);

/* Write their reverse complement. */
bool common_bases_turn(const unsigned char *bases, size_t length,
                       unsigned char *out);

#endif
