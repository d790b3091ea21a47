/* size.h -- a number of bytes as users write it */

#ifndef GPUHIST_SIZE_H
#define GPUHIST_SIZE_H

#include <stdint.h>

/*
 * Read TEXT: a decimal number ("4096", "1.5", "1e6"), then nothing or one of
 * k M G T P E (powers of 1000; K is k) or Ki Mi Gi Ti Pi Ei (of 1024), as in
 * numfmt --from=auto.  The result must be a whole number below 2^63; it is
 * exact.  Returns 0, or -1 if TEXT is anything else.
 */
int size_parse(const char *text, uint64_t *size);

#endif
