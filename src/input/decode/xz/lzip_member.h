/* SPDX-License-Identifier: MIT */
/*
 * lzip_member.h -- the members of a lzip file
 *
 * A member is a header, LZMA data and a trailer.  The format is that of the
 * manual of lzip, "File format".
 */

#ifndef GPUHIST_LZIP_MEMBER_H
#define GPUHIST_LZIP_MEMBER_H

#include <stddef.h>
#include <stdint.h>

#include "input/decoder.h"

#define LZIP_HEADER_BYTES 6

/* The number of the version of members with a size; members of version 0 have
   none. */
#define LZIP_VERSION_SIZED 1

/*
 * Returns the size of the dictionary that HEADER, of LZIP_HEADER_BYTES, states;
 * 0: no lzip header, or an unknown version.
 */
uint32_t lzip_member_dictionary(const unsigned char *header);

/* A walk over the members, from the sizes in their trailers.  See struct
   decoder_type. */
struct decoder_walk *lzip_member_walk_open(int fd, off_t offset);
int lzip_member_walk_step(struct decoder_walk *base);
bool lzip_member_walk_is_at_member(struct decoder_walk *base);

#endif
