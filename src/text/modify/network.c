/* SPDX-License-Identifier: MIT */
/* network.c -- addresses of IPv4 and IPv6, and the networks that they are in */

#include <string.h>

#include "base/ascii.h"
#include "text/modify/network.h"

#define GROUPS 8

/* ---- reading ---- */

static bool
read_ipv4(unsigned char byte[4], const unsigned char *text,
          const unsigned char *end)
{
    for (size_t i = 0; i < 4; i++) {
        const unsigned char *digit = text;
        unsigned int value = 0;
        if (i > 0) {
            if (text == end || *text != '.')
                return false;
            digit = ++text;
        }
        while (text < end && ascii_is_digit(*text) && text - digit < 4)
            value = value * 10 + (*text++ - '0');
        if (text == digit || value > 255 || (text - digit > 1 && *digit == '0'))
            return false;
        byte[i] = (unsigned char)value;
    }
    return text == end;
}

/* Read a group at TEXT.  Returns the text after it, or NULL. */
static const unsigned char *
read_group(unsigned char byte[2], const unsigned char *text,
           const unsigned char *end)
{
    const unsigned char *digit = text;
    unsigned int value = 0;

    while (text < end && text - digit < 4 && ascii_hex_value(*text) < 16)
        value = value * 16 + ascii_hex_value(*text++);
    byte[0] = (unsigned char)(value >> 8);
    byte[1] = (unsigned char)value;
    return text > digit ? text : NULL;
}

/*
 * Read groups from TEXT to END, with colons between, into BYTE, which has room
 * for GROUPS.  If MAY_END_IN_IPV4, the last two may be an IPv4 address.
 * Returns how many groups there are; GROUPS + 1: none, too many, or others.
 */
static size_t
read_groups(unsigned char *byte, const unsigned char *text,
            const unsigned char *end, bool may_end_in_ipv4)
{
    for (size_t count = 0; count < GROUPS; count++) {
        if (may_end_in_ipv4 && count <= GROUPS - 2 &&
            read_ipv4(byte + 2 * count, text, end))
            return count + 2;
        text = read_group(byte + 2 * count, text, end);
        if (text == NULL)
            break;
        if (text == end)
            return count + 1;
        if (*text++ != ':')
            break;
    }
    return GROUPS + 1;
}

/* Returns the first "::", or END. */
static const unsigned char *
find_gap(const unsigned char *text, const unsigned char *end)
{
    for (; end - text > 1; text++) {
        if (text[0] == ':' && text[1] == ':')
            return text;
    }
    return end;
}

static bool
read_ipv6(unsigned char byte[16], const unsigned char *text,
          const unsigned char *end)
{
    const unsigned char *gap = find_gap(text, end);
    unsigned char tail[16];
    size_t before = 0;
    size_t after = 0;

    if (gap == end)
        return read_groups(byte, text, end, true) == GROUPS;
    if (gap > text)
        before = read_groups(byte, text, gap, false);
    if (end - gap > 2)
        after = read_groups(tail, gap + 2, end, true);
    if (before + after >= GROUPS)
        return false;
    memset(byte + 2 * before, 0, 2 * (GROUPS - before - after));
    memcpy(byte + 2 * (GROUPS - after), tail, 2 * after);
    return true;
}

/* Whether ADDRESS is one of ::ffff:0:0/96 (RFC 4291, section 2.5.5.2). */
static bool
has_ipv4(const struct network_address *address)
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

    return address->bytes == 16 &&
           memcmp(address->byte, mapped, sizeof mapped) == 0;
}

bool
network_read(struct network_address *address, const unsigned char *text,
             size_t size)
{
    /* No address is longer. */
    if (size > NETWORK_ADDRESS_BYTES)
        return false;
    address->bytes = memchr(text, ':', size) == NULL ? 4 : 16;
    if (address->bytes == 4)
        return read_ipv4(address->byte, text, text + size);
    if (!read_ipv6(address->byte, text, text + size))
        return false;
    if (has_ipv4(address)) {
        memmove(address->byte, address->byte + 12, 4);
        address->bytes = 4;
    }
    return true;
}

void
network_mask(struct network_address *address, unsigned int bits)
{
    for (size_t i = 0; i < address->bytes; i++) {
        unsigned int kept = bits < 8 ? bits : 8;
        address->byte[i] &= (unsigned char)(0xff00 >> kept);
        bits -= kept;
    }
}

/* ---- writing ---- */

static size_t
write_ipv4(const unsigned char byte[4], unsigned char *out)
{
    size_t size = 0;

    for (size_t i = 0; i < 4; i++) {
        if (i > 0)
            out[size++] = '.';
        if (byte[i] >= 100)
            out[size++] = (unsigned char)('0' + byte[i] / 100);
        if (byte[i] >= 10)
            out[size++] = (unsigned char)('0' + byte[i] / 10 % 10);
        out[size++] = (unsigned char)('0' + byte[i] % 10);
    }
    return size;
}

static unsigned int
group_at(const unsigned char byte[16], size_t i)
{
    return (unsigned int)byte[2 * i] << 8 | byte[2 * i + 1];
}

static size_t
write_group(unsigned int value, unsigned char *out)
{
    size_t size = 0;

    for (unsigned int shift = 16; shift > 0;) {
        shift -= 4;
        if (value >> shift > 0 || shift == 0)
            out[size++] =
                (unsigned char)"0123456789abcdef"[value >> shift & 15];
    }
    return size;
}

/*
 * Find the longest run of groups of 0, the first one of several.  Returns its
 * first group, and sets *LENGTH; it is 0 if no run has two groups.
 */
static size_t
longest_gap(const unsigned char byte[16], size_t *length)
{
    size_t first = 0;
    size_t run = 0;

    *length = 0;
    for (size_t i = 0; i < GROUPS; i++) {
        run = group_at(byte, i) == 0 ? run + 1 : 0;
        if (run > *length && run > 1) {
            *length = run;
            first = i + 1 - run;
        }
    }
    return first;
}

static size_t
write_ipv6(const unsigned char byte[16], unsigned char *out)
{
    size_t length;
    size_t gap = longest_gap(byte, &length);
    size_t size = 0;

    for (size_t i = 0; i < GROUPS; i++) {
        if (length > 0 && i == gap) {
            out[size++] = ':';
            i += length - 1;
            if (i == GROUPS - 1)
                out[size++] = ':';
            continue;
        }
        if (i > 0)
            out[size++] = ':';
        size += write_group(group_at(byte, i), out + size);
    }
    return size;
}

size_t
network_write(const struct network_address *address, unsigned char *out)
{
    return address->bytes == 4 ? write_ipv4(address->byte, out)
                               : write_ipv6(address->byte, out);
}
