/* size.h -- a number of bytes, or of other things, as users write it */

#ifndef GPUHIST_SIZE_H
#define GPUHIST_SIZE_H

#include <stdint.h>

/*
 * Read TEXT: a decimal number ("4096", "1.5", "1e6") and an optional unit:
 * k M G T P E are powers of 1000 (K is k), Ki Mi Gi Ti Pi Ei are powers of
 * 1024.  A B may follow a unit and changes nothing: MB is M, MiB is Mi.  A B
 * without a unit is refused, because "10B" may mean 10 billion lines.  Or
 * hexadecimal digits behind "0x", without a unit.
 *
 * The result must be a whole number below 2^63; it is exact.  Returns 0, or -1
 * if TEXT is anything else; then *SIZE is unchanged.
 */
int size_parse(const char *text, uint64_t *size);

#endif
