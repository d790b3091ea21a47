/* SPDX-License-Identifier: MIT */
/* crc32_join.h -- the CRC-32 of two pieces from the CRC-32 of each */

#ifndef GPUHIST_CRC32_JOIN_H
#define GPUHIST_CRC32_JOIN_H

#include <stdint.h>

/*
 * Returns the CRC-32 (of gzip) of data whose first part has the CRC-32 FIRST,
 * and whose last SECOND_BYTES bytes have the CRC-32 SECOND.
 */
uint32_t crc32_join(uint32_t first, uint32_t second, uint64_t second_bytes);

#endif
