/* SPDX-License-Identifier: MIT */
/* endpoint.h -- the parts of ADDRESS:PORT */

#ifndef GPUHIST_ENDPOINT_H
#define GPUHIST_ENDPOINT_H

#include <stdint.h>

#include "kernels/text/fields.h"

/*
 * Returns PART of VALUE of DATA: TEXT_PART_ADDRESS or TEXT_PART_PORT.  The port
 * follows the last colon, so the address may be of IPv6, also in brackets,
 * which are not part of it.  A value without a colon is an address alone.
 */
struct text_slice endpoint_part(const unsigned char *data,
                                struct text_slice value, uint32_t part);

#endif
