/* SPDX-License-Identifier: MIT */
/* text_modifiers.c -- the rows of modifiers that make texts */

#include <limits.h>
#include <string.h>

#include "base/ascii.h"
#include "base/quoted.h"
#include "kernels/text/text_number.h"
#include "text/modify/network.h"
#include "text/modify/text_modifiers.h"
#include "text/modify/url_part.h"

/* The most digits of a tile. */
#define TILE_DIGITS 9

/* Leave out the first bytes of the text, at most COUNT of them. */
static void
skip(const unsigned char **text, size_t *size, uint64_t count)
{
    size_t skipped = count < *size ? (size_t)count : *size;

    *text += skipped;
    *size -= skipped;
}

/* ---- numbers in arguments ---- */

/*
 * Read a number of LEAST to MOST at *TEXT, and move *TEXT after it.  Returns
 * false if none is there.
 */
static bool
read_number(const char **text, uint64_t least, uint64_t most, uint64_t *number)
{
    const char *digit = *text;

    *number = 0;
    for (; ascii_is_digit(**text); ++*text) {
        if (*number > (most - (uint64_t)(**text - '0')) / 10)
            return false;
        *number = *number * 10 + (uint64_t)(**text - '0');
    }
    return *text > digit && *number >= least;
}

/* Whether TEXT is the end of the argument, which may have bytes of 0. */
static bool
is_end(const struct modifier *modifier, const char *text)
{
    return text == modifier->text + modifier->size;
}

/* ---- lower, upper ---- */

/* The letter A of the case that is changed. */
static bool
apply_case(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    for (size_t i = 0; i < *size; i++) {
        unsigned char byte = (*text)[i];
        bool is_changed = byte - modifier->type->choice < 26;
        out[i] = byte ^ (unsigned char)(is_changed << 5);
    }
    *text = out;
    return true;
}

/* ---- trim ---- */

static bool
apply_trim(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    (void)modifier;
    (void)out;
    while (*size > 0 && text_number_is_blank((*text)[*size - 1]))
        --*size;
    while (*size > 0 && text_number_is_blank(**text))
        skip(text, size, 1);
    return true;
}

/* ---- prefix, cut ---- */

static bool
parse_prefix(struct modifier *modifier)
{
    const char *text = modifier->text;

    modifier->number[0] = 1;
    return read_number(&text, 1, INT64_MAX, &modifier->number[1]) &&
           is_end(modifier, text);
}

/* A, A-, -B or A-B, as for cut(1). */
static bool
parse_cut(struct modifier *modifier)
{
    const char *text = modifier->text;
    uint64_t *first = &modifier->number[0];
    uint64_t *last = &modifier->number[1];

    *first = 1;
    if (*text != '-' && !read_number(&text, 1, INT64_MAX, first))
        return false;
    *last = *first;
    if (*text == '-' && text > modifier->text && is_end(modifier, text + 1)) {
        *last = INT64_MAX;
        return true;
    }
    if (*text == '-') {
        text++;
        return read_number(&text, *first, INT64_MAX, last) &&
               is_end(modifier, text);
    }
    return is_end(modifier, text);
}

/* The bytes from number[0] to number[1]. */
static bool
apply_cut(const struct modifier *modifier, const unsigned char **text,
          size_t *size, unsigned char *out)
{
    uint64_t bytes = modifier->number[1] - (modifier->number[0] - 1);

    (void)out;
    skip(text, size, modifier->number[0] - 1);
    if (*size > bytes)
        *size = (size_t)bytes;
    return true;
}

/* ---- host path query ext dir base ---- */

static bool
apply_url(const struct modifier *modifier, const unsigned char **text,
          size_t *size, unsigned char *out)
{
    enum url_part_name name = (enum url_part_name)modifier->type->choice;

    if (!url_part_find(name, text, size))
        return false;
    /* Names of hosts in upper case are the same ones. */
    for (size_t i = 0; name == URL_HOST && i < *size; i++) {
        unsigned char byte = (*text)[i];
        bool is_upper = byte >= 'A' && byte <= 'Z';
        out[i] = is_upper ? byte | 32 : byte;
    }
    if (name == URL_HOST)
        *text = out;
    return true;
}

/* ---- net ---- */

/* For addresses that number[1] has no bits for. */
#define NET_NONE UINT64_MAX

static bool
parse_net(struct modifier *modifier)
{
    const char *text = modifier->text;

    modifier->number[1] = NET_NONE;
    if (!read_number(&text, 0, 32, &modifier->number[0]))
        return false;
    if (*text == '/') {
        text++;
        if (!read_number(&text, 0, 128, &modifier->number[1]))
            return false;
    }
    return is_end(modifier, text);
}

/* Write a number of up to three digits.  Returns the number of bytes. */
static size_t
write_bits(unsigned int bits, unsigned char *out)
{
    size_t size = 0;

    if (bits >= 100)
        out[size++] = (unsigned char)('0' + bits / 100);
    if (bits >= 10)
        out[size++] = (unsigned char)('0' + bits / 10 % 10);
    out[size++] = (unsigned char)('0' + bits % 10);
    return size;
}

static bool
apply_net(const struct modifier *modifier, const unsigned char **text,
          size_t *size, unsigned char *out)
{
    struct network_address address;

    if (!network_read(&address, *text, *size))
        return false;
    uint64_t bits = modifier->number[address.bytes == 16];
    if (bits == NET_NONE)
        return false;
    network_mask(&address, (unsigned int)bits);
    *size = network_write(&address, out);
    out[(*size)++] = '/';
    *size += write_bits((unsigned int)bits, out + *size);
    *text = out;
    return true;
}

/* ---- field ---- */

/*
 * Returns the offset of the first SEPARATOR_SIZE bytes that are SEPARATOR in
 * the SIZE bytes at TEXT, or SIZE.
 */
static size_t
find_separator(const unsigned char *text, size_t size, const char *separator,
               size_t separator_size)
{
    size_t at = 0;

    while (size - at >= separator_size) {
        const unsigned char *found =
            memchr(text + at, (unsigned char)*separator,
                   size - at - separator_size + 1);
        if (found == NULL)
            break;
        at = (size_t)(found - text);
        if (memcmp(found, separator, separator_size) == 0)
            return at;
        at++;
    }
    return size;
}

/*
 * N, NS or N"S": number[0] is N, and number[1] the offset of S in the text of
 * the argument, from which the quotes are removed.
 */
static bool
parse_field(struct modifier *modifier)
{
    const char *text = modifier->text;
    size_t quoted;

    if (!read_number(&text, 1, INT64_MAX, &modifier->number[0]))
        return false;
    modifier->number[1] = (uint64_t)(text - modifier->text);
    if (*text != '"')
        return true;
    if (quoted_read(text, NULL, &quoted) != modifier->text + modifier->size)
        return text + 1 == modifier->text + modifier->size;
    (void)quoted_read(text, modifier->text + modifier->number[1], &quoted);
    modifier->size = modifier->number[1] + quoted;
    return quoted > 0;
}

/* The part between runs of blanks, as awk has it. */
static bool
find_word(const unsigned char **text, size_t *size, uint64_t number)
{
    size_t length = 0;

    for (; number > 0; number--) {
        skip(text, size, length);
        while (*size > 0 && text_number_is_blank(**text))
            skip(text, size, 1);
        length = 0;
        while (length < *size && !text_number_is_blank((*text)[length]))
            length++;
        if (length == 0)
            return false;
    }
    *size = length;
    return true;
}

static bool
apply_field(const struct modifier *modifier, const unsigned char **text,
            size_t *size, unsigned char *out)
{
    const char *separator = modifier->text + modifier->number[1];
    size_t separator_size = modifier->size - modifier->number[1];

    (void)out;
    if (separator_size == 0)
        return find_word(text, size, modifier->number[0]);
    for (uint64_t i = 1;; i++) {
        size_t length = find_separator(*text, *size, separator, separator_size);
        if (i == modifier->number[0]) {
            *size = length;
            return true;
        }
        if (length == *size)
            return false;
        skip(text, size, length + separator_size);
    }
}

/* ---- pair ---- */

/* The name of a pair of reads: of the first word, without /1 or /2 at its
   end. */
static bool
apply_pair(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    const unsigned char *name = *text;
    size_t end = 0;

    (void)modifier;
    (void)out;
    while (end < *size && !text_number_is_blank(name[end]))
        end++;
    if (end >= 2 && name[end - 2] == '/' &&
        (name[end - 1] == '1' || name[end - 1] == '2'))
        end -= 2;
    *size = end;
    return true;
}

/* ---- tile ---- */

/* Of names of reads of Illumina: the fifth part of seven, or, before 2011, the
   third of five; without zeros in front. */
static bool
apply_tile(const struct modifier *modifier, const unsigned char **text,
           size_t *size, unsigned char *out)
{
    size_t colons = 0;
    size_t length = 0;

    (void)modifier;
    (void)out;
    for (size_t i = 0; i < *size; i++)
        colons += (*text)[i] == ':';
    for (size_t before = colons >= 6 ? 4 : 2; before > 0; before--) {
        const unsigned char *colon = memchr(*text, ':', *size);
        if (colons < 4 || colon == NULL)
            return false;
        skip(text, size, (size_t)(colon - *text) + 1);
    }
    while (*size > 1 && **text == '0' && ascii_is_digit((*text)[1]))
        skip(text, size, 1);
    while (length < *size && ascii_is_digit((*text)[length]))
        length++;
    if (length == 0 || length > TILE_DIGITS || (*text)[length] != ':')
        return false;
    *size = length;
    return true;
}

/* ---- syslog-facility, syslog-severity ---- */

/* By their numbers in RFC 5424, with the names that syslog(3) and rsyslog have
   for them. */
static const char *const facilities[] = {
    "kern",   "user",   "mail",   "daemon", "auth",     "syslog",
    "lpr",    "news",   "uucp",   "cron",   "authpriv", "ftp",
    "ntp",    "audit",  "alert",  "clock",  "local0",   "local1",
    "local2", "local3", "local4", "local5", "local6",   "local7",
};
static const char *const severities[] = {
    "emerg", "alert", "crit", "err", "warning", "notice", "info", "debug",
};

/* Which part of a priority, facility * 8 + severity, is wanted. */
enum priority_part {
    PRIORITY_FACILITY,
    PRIORITY_SEVERITY
};

static bool
apply_priority(const struct modifier *modifier, const unsigned char **text,
               size_t *size, unsigned char *out)
{
    size_t priority = 0;

    if (*size == 0 || *size > 3)
        return false;
    for (size_t i = 0; i < *size; i++) {
        if (!ascii_is_digit((*text)[i]))
            return false;
        priority = 10 * priority + (*text)[i] - '0';
    }
    if (priority / 8 >= sizeof facilities / sizeof *facilities)
        return false;
    const char *name = modifier->type->choice == PRIORITY_FACILITY
                           ? facilities[priority / 8]
                           : severities[priority % 8];
    *size = strlen(name);
    memcpy(out, name, *size);
    *text = out;
    return true;
}

/* ---- split ---- */

static bool
parse_split(struct modifier *modifier)
{
    return modifier->size > 0;
}

const struct modifier_type text_modifiers[] = {
    {.name = "lower",
     .choice = 'A',
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_case},
    {.name = "upper",
     .choice = 'a',
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_case},
    {.name = "trim",
     .keeps_bytes = true,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_trim},
    {.name = "prefix",
     .argument = MODIFIER_NEEDS_ARGUMENT,
     .keeps_bytes = true,
     .wants = "a number of bytes from 1 on",
     .parse = parse_prefix,
     .apply = apply_cut},
    {.name = "cut",
     .argument = MODIFIER_NEEDS_ARGUMENT,
     .keeps_bytes = true,
     .wants = "bytes, counted from 1: A, A-, -B or A-B",
     .parse = parse_cut,
     .apply = apply_cut},
    {.name = "host",
     .choice = URL_HOST,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_url},
    {.name = "path",
     .choice = URL_PATH,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_url},
    {.name = "query",
     .choice = URL_QUERY,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_url},
    {.name = "ext",
     .choice = URL_EXT,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_url},
    {.name = "dir",
     .choice = URL_DIR,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_url},
    {.name = "base",
     .choice = URL_BASE,
     .reads = MODIFIER_READS_TEXT,
     .apply = apply_url},
    {.name = "net",
     .argument = MODIFIER_NEEDS_ARGUMENT,
     .wants = "bits of IPv4, and of IPv6 after a slash: 24 or 24/48",
     .reads = MODIFIER_READS_TEXT,
     .parse = parse_net,
     .apply = apply_net},
    {.name = "field",
     .argument = MODIFIER_NEEDS_ARGUMENT,
     .wants = "the number of a part, and a separator: 2 or 2\";\"",
     .parse = parse_field,
     .apply = apply_field},
    {.name = "pair", .reads = MODIFIER_READS_TEXT, .apply = apply_pair},
    {.name = "tile", .reads = MODIFIER_READS_TEXT, .apply = apply_tile},
    {.name = "syslog-facility",
     .choice = PRIORITY_FACILITY,
     .reads = MODIFIER_READS_DIGITS,
     .apply = apply_priority},
    {.name = "syslog-severity",
     .choice = PRIORITY_SEVERITY,
     .reads = MODIFIER_READS_DIGITS,
     .apply = apply_priority},
    {.name = "split",
     .argument = MODIFIER_NEEDS_ARGUMENT,
     .gives = MODIFIER_GIVES_PARTS,
     .wants = "a separator",
     .parse = parse_split},
    {.name = NULL},
};
