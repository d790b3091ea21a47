/* SPDX-License-Identifier: MIT */
/* state_field.c -- the fields of lines and rows of a state */

#include <endian.h>
#include <string.h>

#include "base/ascii.h"
#include "base/eight_bytes.h"
#include "base/escape.h"
#include "kernels/seq/sequence.h"
#include "state/state_field.h"

/* ---- any field ---- */

char
state_field_letter(char byte)
{
    return byte == '\\' ? '\\' : escape_letter((unsigned char)byte);
}

/* Returns how many of the SIZE bytes at FIELD come before the first byte that
   needs an escape. */
static size_t
plain_bytes(const char *field, size_t size)
{
    size_t at = 0;

    while (size - at >= ESCAPE_STEP &&
           escape_is_plain((const unsigned char *)field + at))
        at += ESCAPE_STEP;
    while (at < size && state_field_letter(field[at]) == '\0')
        at++;
    return at;
}

void
state_field_put(struct writer *out, const void *field, size_t size)
{
    const char *from = field;
    size_t plain;

    while ((plain = plain_bytes(from, size)) < size) {
        writer_put_bytes(out, from, plain);
        writer_put_char(out, '\\');
        writer_put_char(out, state_field_letter(from[plain]));
        from += plain + 1;
        size -= plain + 1;
    }
    writer_put_bytes(out, from, size);
}

ptrdiff_t
state_field_read(const char *field, size_t size, void *to)
{
    char *at = to;
    const char *slash;

    while ((slash = memchr(field, '\\', size)) != NULL) {
        size_t plain = (size_t)(slash - field);
        if (size - plain < 2)
            return -1;
        memcpy(at, field, plain);
        at += plain;
        if (slash[1] == 't')
            *at++ = '\t';
        else if (slash[1] == 'n')
            *at++ = '\n';
        else if (slash[1] == '\\')
            *at++ = '\\';
        else
            return -1;
        field += plain + 2;
        size -= plain + 2;
    }
    memcpy(at, field, size);
    return at + size - (char *)to;
}

/* ---- words and numbers in a text ---- */

bool
state_text_word(struct state_text *text, const char *word)
{
    size_t size = strlen(word);

    if (text->size < size || memcmp(text->at, word, size) != 0)
        return false;
    text->at += size;
    text->size -= size;
    return true;
}

bool
state_text_number(struct state_text *text, uint64_t *number)
{
    size_t size = 0;

    while (size < text->size && ascii_is_digit(text->at[size]))
        size++;
    if (state_row_number(text->at, size, number) < 0)
        return false;
    text->at += size;
    text->size -= size;
    return true;
}

unsigned int
state_text_hex_digit(char digit)
{
    if (ascii_is_digit(digit))
        return (unsigned int)(digit - '0');
    return digit >= 'a' && digit <= 'f' ? (unsigned int)(digit - 'a') + 10 : 16;
}

bool
state_text_hex(struct state_text *text, unsigned int digits, uint64_t *number)
{
    *number = 0;
    for (; digits > 0; digits--) {
        unsigned int value =
            text->size > 0 ? state_text_hex_digit(*text->at) : 16;
        if (value == 16)
            return false;
        *number = *number << 4 | value;
        text->at++;
        text->size--;
    }
    return true;
}

/* ---- rows ---- */

/* Returns the first TAB or newline from AT on. */
static inline const char *
find_end(const char *at, const char *end)
{
    for (; (size_t)(end - at) >= sizeof(uint64_t); at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        word = le64toh(word);
        uint64_t found =
            eight_bytes_first(word, '\t') | eight_bytes_first(word, '\n');
        if (found != 0)
            return at + __builtin_ctzll(found) / 8;
    }
    while (*at != '\t' && *at != '\n')
        at++;
    return at;
}

const char *
state_row_read(struct state_row *row, const char *at, const char *end)
{
    size_t fields = 0;
    const char *stop;

    do {
        if (fields == STATE_FIELDS_MAX)
            return NULL;
        stop = find_end(at, end);
        row->field[fields] = at;
        row->size[fields++] = (size_t)(stop - at);
        at = stop + 1;
    } while (*stop == '\t');
    row->fields = fields;
    return at;
}

int
state_row_number(const char *field, size_t size, uint64_t *number)
{
    uint64_t value = 0;

    if (size == 0 || size > 20 || (size > 1 && *field == '0'))
        return -1;
    for (size_t i = 0; i < size; i++) {
        unsigned int digit = (unsigned char)field[i] - (unsigned int)'0';
        if (digit > 9)
            return -1;
        /* 19 digits always fit. */
        if (i == 19 && (__builtin_mul_overflow(value, 10, &value) ||
                        __builtin_add_overflow(value, digit, &value)))
            return -1;
        if (i < 19)
            value = 10 * value + digit;
    }
    *number = value;
    return 0;
}

/* ---- cells ---- */

static const char *const flows[BINNING_FLOWS] = {
    [BINNING_UNDERFLOW] = "underflow",
    [BINNING_OVERFLOW] = "overflow",
    [BINNING_NAN] = "nan",
    [BINNING_ZERO] = "zero",
    [BINNING_NEGATIVE] = "negative",
};

void
state_cell_put(struct writer *out, const struct binning_axis *axis,
               uint64_t cell)
{
    if (cell < axis->bins && axis_is_kmers(axis))
        out->at = axis_put_value(axis, cell, writer_piece(out));
    else if (cell < axis->bins)
        writer_put_number(out, cell);
    else if (cell - axis->bins < axis_number_flows(axis))
        writer_put_text(out, flows[cell - axis->bins]);
    else
        writer_put_text(
            out,
            axis_special_words[cell - axis->bins - axis_number_flows(axis)]);
}

/* Returns the index of the SIZE bytes at FIELD among COUNT words, or COUNT. */
static unsigned int
find_word(const char *const *word, unsigned int count, const char *field,
          size_t size)
{
    unsigned int i = 0;

    while (i < count &&
           (strlen(word[i]) != size || memcmp(word[i], field, size) != 0))
        i++;
    return i;
}

bool
state_cell_is_special(const char *field, size_t size,
                      enum axis_special *special)
{
    unsigned int i = AXIS_SPECIALS;

    if (size > 0 && *field == '\\')
        i = find_word(axis_special_words, AXIS_SPECIALS, field, size);
    *special = (enum axis_special)i;
    return i < AXIS_SPECIALS;
}

/* Set *CODE to the code of the k-mer at FIELD. */
static int
read_kmer(const char *field, size_t size, uint64_t *code)
{
    *code = 0;
    for (size_t i = 0; i < size; i++) {
        binning_u64 base = sequence_base_code((unsigned char)field[i]);
        if (base > 3)
            return -1;
        *code = *code << 2 | base;
    }
    return 0;
}

int
state_cell_read(const struct binning_axis *axis, const char *field, size_t size,
                uint64_t *cell)
{
    enum axis_special special;
    unsigned int flow;

    if (state_cell_is_special(field, size, &special)) {
        *cell = axis_special_cell(axis, special);
        return *cell < axis->bins + axis_flows(axis) ? 0 : -1;
    }
    if (axis_is_kmers(axis)) {
        binning_u32 k = (binning_u32)__builtin_ctzll(axis->bins) / 2;
        return size == k ? read_kmer(field, size, cell) : -1;
    }
    if (state_row_number(field, size, cell) == 0)
        return *cell < axis->bins ? 0 : -1;
    flow = find_word(flows, axis_number_flows(axis), field, size);
    *cell = axis->bins + flow;
    return flow < axis_number_flows(axis) ? 0 : -1;
}
