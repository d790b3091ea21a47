/* SPDX-License-Identifier: MIT */
/*
 * network.h -- addresses of IPv4 and IPv6, and the networks that they are in
 *
 * An address is what ipaddress in Python reads: four numbers without leading
 * zeros; or eight groups of one to four hexadecimal digits, of which "::" may
 * replace one or more, and the last two of which may be an IPv4 address (RFC
 * 4291, section 2.2).  An address with a zone (%eth0) is not read.  An IPv4
 * address in IPv6, ::ffff:192.0.2.1, as servers of both log it, is the IPv4
 * address.
 */

#ifndef GPUHIST_NETWORK_H
#define GPUHIST_NETWORK_H

#include <stdbool.h>
#include <stddef.h>

/* The longest text of an address. */
#define NETWORK_ADDRESS_BYTES 45

struct network_address {
    unsigned char byte[16];
    size_t bytes; /* 4 or 16 */
};

/* Read the SIZE bytes at TEXT.  Returns whether they are an address. */
bool network_read(struct network_address *address, const unsigned char *text,
                  size_t size);

/* Set all bits of ADDRESS after the first BITS to 0. */
void network_mask(struct network_address *address, unsigned int bits);

/*
 * Write ADDRESS to OUT, which has room for NETWORK_ADDRESS_BYTES, in the
 * spelling of RFC 5952.  Returns the number of bytes.
 */
size_t network_write(const struct network_address *address, unsigned char *out);

#endif
