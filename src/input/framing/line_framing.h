/* line_framing.h -- framing of records that end with a byte, such as lines */

#ifndef GPUHIST_LINE_FRAMING_H
#define GPUHIST_LINE_FRAMING_H

#include "input/framing/framing.h"

/*
 * Returns the framing of records that END_BYTE ends.  The last record of an
 * input needs no end.
 */
struct framing line_framing_make(unsigned char end_byte);

#endif
