/* SPDX-License-Identifier: MIT */
/* text_framing.h -- framing of the records of text */

#ifndef GPUHIST_TEXT_FRAMING_H
#define GPUHIST_TEXT_FRAMING_H

#include "input/framing/framing.h"

/* Returns the framing of FORMAT.  The last record of an input needs no end. */
struct framing text_framing_make(const struct text_format *format);

/* Returns the framing of records that END_BYTE ends.  The last record of an
   input needs no end. */
struct framing text_framing_make_lines(unsigned char end_byte);

#endif
