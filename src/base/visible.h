/* SPDX-License-Identifier: MIT */
/* visible.h -- names and values in messages, with nothing hidden in them */

#ifndef GPUHIST_VISIBLE_H
#define GPUHIST_VISIBLE_H

#include <stddef.h>

/* The most characters that a message shows of a name or a value. */
#define VISIBLE_MAX 40

/* Room for a byte, as visible_byte() shows it. */
#define VISIBLE_BYTE_BYTES (sizeof "byte 0xff")

/* Room for VISIBLE_MAX characters, each as up to four escapes, for "..." and
   for a NUL. */
#define VISIBLE_BYTES (VISIBLE_MAX * 16 + 4)

/*
 * Write the SIZE bytes at BYTES to TEXT as a string, and return TEXT.  Bytes
 * that are not UTF-8, control and format characters, and blanks other than a
 * space become \t, \n, \r or, for any other byte, \xHH.  Long names end with
 * "..." after VISIBLE_MAX characters.  The caller adds quotes.
 */
const char *visible_name(char text[VISIBLE_BYTES], const void *bytes,
                         size_t size);

/* Write BYTE to TEXT as 'b', or as byte 0xHH if it is a blank, a control
   character or no ASCII.  Returns TEXT. */
const char *visible_byte(char text[VISIBLE_BYTE_BYTES], unsigned char byte);

#endif
