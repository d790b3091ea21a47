/* SPDX-License-Identifier: MIT */
/* long_record.c -- records of FASTA that are longer than any buffer */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/visible.h"
#include "input/read/long_record.h"
#include "kernels/seq/sequence.h"

/* The kind of a byte, as a field of a number.  At most ADDED_MAX of these
   numbers are added before the fields of the sum are read. */
#define ADDED_MAX ((size_t)1 << 16)
#define IS_BASE ((uint64_t)1)
#define IS_GC ((uint64_t)1 << 20)
#define IS_WRONG ((uint64_t)1 << 40)
#define PART ((uint64_t)0xfffff)

/* The number of bases of a record has 32 bits. */
#define LENGTH_MAX ((uint64_t)UINT32_MAX)

/* No base: a device must leave the record to the CPU. */
#define NO_BASE '\1'

static void
make_kinds(uint64_t kind[256])
{
    for (unsigned int byte = 0; byte < 256; byte++) {
        unsigned int letter = byte | 0x20u;
        kind[byte] = sequence_is_base(byte)    ? IS_BASE
                     : sequence_is_blank(byte) ? 0
                                               : IS_WRONG;
        if (letter == 'c' || letter == 'g')
            kind[byte] |= IS_GC;
    }
    kind['\n'] = 0;
}

/* Set *ERROR: BYTE of CLAIM's record, AT bytes after the start, is not a base.
   Returns -1. */
static int
fail_base(const struct claim *claim, const char *input, unsigned char byte,
          uint64_t at, struct error *error)
{
    char shown[VISIBLE_BYTES];
    char name[VISIBLE_BYTES + sizeof " ()"] = "";
    char text[VISIBLE_BYTE_BYTES];

    if (claim->name_bytes > 0)
        snprintf(name, sizeof name, " (%s)",
                 visible_name(shown, claim->name, claim->name_bytes));
    error_set(error, EXIT_DATA,
              "%s: record %" PRIu64 "%s at byte %" PRIu64 ": %s is no base",
              input, claim->records + 1, name, (uint64_t)claim->at + at,
              visible_byte(text, byte));
    return -1;
}

/* Set *ERROR: CLAIM's record has too many bases.  Returns -1. */
static int
fail_length(const struct claim *claim, const char *input, struct error *error)
{
    error_set(error, EXIT_DATA,
              "%s: record %" PRIu64 " at byte %" PRIu64
              " has more than %llu bases",
              input, claim->records + 1, (uint64_t)claim->at,
              (unsigned long long)LENGTH_MAX);
    return -1;
}

/* Count the bases of a line, or of a part of it, of SIZE bytes at DATA.
   Returns the number of bytes before the first byte that is not a base. */
static size_t
count_line(struct synthetic *synthetic, const uint64_t kind[256],
           const unsigned char *data, size_t size)
{
    for (size_t at = 0; at < size;) {
        size_t some = size - at < ADDED_MAX ? size - at : ADDED_MAX;
        uint64_t sum = 0;
        for (size_t i = at; i < at + some; i++)
            sum += kind[data[i]];
        if (sum >= IS_WRONG) {
            while (kind[data[at]] < IS_WRONG)
                at++;
            return at;
        }
        synthetic->length += sum & PART;
        synthetic->gc += sum / IS_GC & PART;
        at += some;
    }
    return size;
}

int
long_record_pass(struct claim *claim, const char *input,
                 const unsigned char *data, size_t size, size_t *passed,
                 struct error *error)
{
    struct synthetic *synthetic = &claim->long_synthetic;
    uint64_t kind[256];
    size_t at = 0;

    make_kinds(kind);
    while (at < size && !(claim->is_line && sequence_is_start(data[at]))) {
        const unsigned char *found = memchr(data + at, '\n', size - at);
        size_t end = found != NULL ? (size_t)(found - data) : size;
        size_t right = count_line(synthetic, kind, data + at, end - at);
        if (right < end - at)
            return fail_base(claim, input, data[at + right],
                             claim->long_bytes + at + right, error);
        claim->is_line = found != NULL;
        at = found != NULL ? end + 1 : size;
    }
    claim->long_bytes += at;
    synthetic->bytes -= at;
    *passed = at;
    return synthetic->length > LENGTH_MAX ? fail_length(claim, input, error)
                                          : 0;
}

int
long_record_open(struct claim *claim, const char *input, unsigned char *data,
                 size_t size, struct error *error)
{
    const unsigned char *end = memchr(data, '\n', size);
    size_t name = 1;
    size_t passed;

    if (data[0] != '>' || end == NULL)
        return 0;
    size_t line = (size_t)(end - data) + 1;
    while (data[name] != '\n' && !sequence_is_blank(data[name]))
        name++;
    claim->name_bytes =
        name - 1 < sizeof claim->name ? name - 1 : sizeof claim->name;
    memcpy(claim->name, data + 1, claim->name_bytes);
    claim->long_head = name + 2;
    claim->long_synthetic =
        (struct synthetic){.is_long = true, .bytes = claim->long_head - line};
    claim->long_bytes = line;
    claim->is_line = true;
    int result = long_record_pass(claim, input, data + line, size - line,
                                  &passed, error);
    data[name] = '\n';
    data[name + 1] = NO_BASE;
    return result < 0 ? -1 : 1;
}

void
long_record_end(struct claim *claim)
{
    claim->reader->synthetic = claim->long_synthetic;
    claim->at += (off_t)claim->long_bytes;
    claim->records++;
    claim->long_bytes = 0;
}

int
long_record_read(struct claim *claim, const unsigned char *out, size_t end)
{
    struct source *source = &claim->content->source;
    size_t size = end - claim->long_head;
    size_t passed;

    if (long_record_pass(claim, source->display_name, out + claim->long_head,
                         size, &passed, &source->error) < 0)
        return -1;
    if (passed == size)
        return 0;
    long_record_end(claim);
    return claim_keep_tail(claim, out + claim->long_head + passed,
                           size - passed) == 0
               ? 1
               : -1;
}

bool
long_record_start(const struct inputs *inputs, struct claim *claim,
                  unsigned char *out, size_t capacity)
{
    struct source *source = &claim->content->source;
    int started = inputs->framing.has_long
                      ? long_record_open(claim, source->display_name, out,
                                         capacity, &source->error)
                      : 0;

    if (started > 0)
        return true;
    claim->long_bytes = 0;
    claim->is_too_long = started == 0;
    if (started == 0)
        framing_fail_long(&inputs->framing, source->display_name,
                          (uint64_t)claim->at, claim->records, out, capacity,
                          &source->error);
    return false;
}
