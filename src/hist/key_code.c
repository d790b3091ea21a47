/* SPDX-License-Identifier: MIT */
/* key_code.c -- a tuple of values as one string of bytes: a composite key */

#include <string.h>

#include "hist/key_code.h"

/* Behind a 00 of a text: it is a byte of the text. */
#define ESCAPE 0xff

/* Behind the double of a decimal: where the number is. */
#define DECIMAL_BELOW 0
#define DECIMAL_ABOVE 2

#define SIGN_BIT (UINT64_C(1) << 63)
#define NAN_BITS (UINT64_C(0x7ff8) << 48)

/* ---- writing ---- */

static unsigned char *
put_bytes(unsigned char *at, uint64_t value, unsigned int bytes)
{
    while (bytes-- > 0)
        *at++ = (unsigned char)(value >> 8 * bytes);
    return at;
}

unsigned char *
key_code_put_tag(unsigned char *at, enum key_tag tag)
{
    *at++ = (unsigned char)tag;
    return at;
}

static unsigned char *
put_text(unsigned char *at, const unsigned char *text, size_t size)
{
    memcpy(at, text, size);
    return at + size;
}

unsigned char *
key_code_put_text(unsigned char *at, const unsigned char *text, size_t size,
                  bool is_last)
{
    const unsigned char *zero;

    at = key_code_put_tag(at, KEY_TAG_VALUE);
    if (is_last)
        return put_text(at, text, size);
    while ((zero = memchr(text, 0, size)) != NULL) {
        size_t piece = (size_t)(zero - text) + 1;
        at = put_text(at, text, piece);
        *at++ = ESCAPE;
        text += piece;
        size -= piece;
    }
    return put_bytes(put_text(at, text, size), 0, 2);
}

unsigned char *
key_code_put_integer(unsigned char *at, struct wide value)
{
    at = key_code_put_tag(at, KEY_TAG_VALUE);
    *at++ = !wide_is_negative(value);
    return put_bytes(at, value.low, sizeof value.low);
}

/* Returns the bits of VALUE: equal bits for both zeros, and for all NaNs. */
static uint64_t
real_bits(double value)
{
    uint64_t bits = NAN_BITS;

    if (value == 0)
        bits = 0;
    else if (value == value)
        memcpy(&bits, &value, sizeof bits);
    return bits;
}

unsigned char *
key_code_put_real(unsigned char *at, double value)
{
    uint64_t bits = real_bits(value);

    at = key_code_put_tag(at, KEY_TAG_VALUE);
    return put_bytes(at, double_order_of_bits(bits), sizeof bits);
}

/* Where EXACT is, whose nearest double is VALUE; or KEY_DECIMAL_SHORTEST if it
   has another one, too. */
static unsigned int
place_of(const struct decimal_sum *exact, double value)
{
    struct decimal_sum shortest;
    int side = value < 0 ? 1 : -1;

    if (decimal_sum_double(exact) != value)
        return KEY_DECIMAL_SHORTEST;
    /* A number that rounds to 10^38 or beyond may still be an addend, below. */
    if (decimal_sum_of_double(value, &shortest) == 0)
        side = decimal_sum_compare(exact, &shortest);
    return side < 0   ? DECIMAL_BELOW
           : side > 0 ? DECIMAL_ABOVE
                      : KEY_DECIMAL_SHORTEST;
}

unsigned char *
key_code_put_decimal(unsigned char *at, double value,
                     const struct decimal_sum *exact)
{
    unsigned int place =
        exact != NULL ? place_of(exact, value) : KEY_DECIMAL_SHORTEST;

    at = key_code_put_real(at, value);
    *at++ = (unsigned char)place;
    if (place == KEY_DECIMAL_SHORTEST)
        return at;
    for (size_t w = DECIMAL_SUM_WORDS; w-- > 0;) {
        bool is_top = w + 1 == DECIMAL_SUM_WORDS;
        at = put_bytes(at, exact->word[w] ^ (is_top ? SIGN_BIT : 0),
                       sizeof exact->word[w]);
    }
    return at;
}

unsigned char *
key_code_put_cell(unsigned char *at, uint32_t row)
{
    at = key_code_put_tag(at, KEY_TAG_VALUE);
    return put_bytes(at, row, sizeof row);
}

/* ---- reading ---- */

static uint64_t
read_bytes(const unsigned char *at, unsigned int bytes)
{
    uint64_t value = 0;

    while (bytes-- > 0)
        value = value << 8 | *at++;
    return value;
}

/* The same of 8 bytes, with one load. */
static uint64_t
read_word(const unsigned char *at)
{
    return __builtin_bswap64(little_endian_64(at));
}

/* Returns the end of the text at AT with its mark, or NULL. */
static const unsigned char *
read_text(const unsigned char *at, const unsigned char *end,
          struct key_component *component)
{
    const unsigned char *from = at;
    const unsigned char *zero;

    while ((zero = memchr(at, 0, (size_t)(end - at))) != NULL) {
        if (end - zero < 2)
            return NULL;
        at = zero + 2;
        if (zero[1] == 0) {
            component->text_size = (size_t)(zero - from);
            return at;
        }
        if (zero[1] != ESCAPE)
            return NULL;
        component->is_escaped = true;
    }
    return NULL;
}

/* Returns the end of what follows the double of a decimal at AT, or NULL. */
static const unsigned char *
read_exact(const unsigned char *at, const unsigned char *end,
           struct key_component *component)
{
    if (at == end || *at > DECIMAL_ABOVE)
        return NULL;
    unsigned int place = *at++;
    component->is_exact = place != KEY_DECIMAL_SHORTEST;
    if (!component->is_exact)
        return at;
    if ((size_t)(end - at) < DECIMAL_SUM_BYTES)
        return NULL;
    for (size_t w = DECIMAL_SUM_WORDS; w-- > 0; at += sizeof(uint64_t)) {
        bool is_top = w + 1 == DECIMAL_SUM_WORDS;
        component->exact.word[w] = read_word(at) ^ (is_top ? SIGN_BIT : 0);
    }
    return place == place_of(&component->exact, component->real) ? at : NULL;
}

/* Set all members of COMPONENT but EXACT, which few components have, and which
   is as long as the others. */
static void
start_component(struct key_component *component, enum key_tag tag,
                const unsigned char *text)
{
    component->tag = tag;
    component->text = text;
    component->text_size = 0;
    component->is_escaped = false;
    component->integer = (struct wide){0, 0};
    component->real = 0;
    component->is_exact = false;
    component->row = 0;
}

const unsigned char *
key_code_read(const unsigned char *at, const unsigned char *end,
              enum key_kind kind, bool is_last, struct key_component *component)
{
    static const unsigned char bytes_of[] = {
        [KEY_INTEGER] = 9, [KEY_REAL] = 8, [KEY_DECIMAL] = 8, [KEY_CELL] = 4};

    if (at == end || *at < KEY_TAG_VALUE || *at > KEY_TAG_INVALID)
        return NULL;
    start_component(component, (enum key_tag)at[0], at + 1);
    at++;
    if (component->tag != KEY_TAG_VALUE)
        return at;
    if (kind == KEY_TEXT && !is_last)
        return read_text(at, end, component);
    if (kind == KEY_TEXT) {
        component->text_size = (size_t)(end - at);
        return end;
    }
    if (end - at < bytes_of[kind])
        return NULL;
    if (kind == KEY_CELL)
        component->row = (uint32_t)read_bytes(at, 4);
    else if (kind == KEY_INTEGER) {
        uint64_t low = read_word(at + 1);
        if (*at > 1 || (*at == 0 && low < SIGN_BIT))
            return NULL;
        component->integer = (struct wide){low, *at == 0 ? UINT64_MAX : 0};
    } else {
        uint64_t bits = double_order_bits(read_word(at));
        memcpy(&component->real, &bits, sizeof bits);
        if (bits != real_bits(component->real))
            return NULL;
    }
    at += bytes_of[kind];
    return kind == KEY_DECIMAL ? read_exact(at, end, component) : at;
}

bool
key_code_is_special(const unsigned char *code, size_t size, size_t components)
{
    /* Only a tag alone, or an empty text at the end, is a single byte. */
    return size == components && memchr(code, KEY_TAG_VALUE, size) == NULL;
}

size_t
key_component_copy(const struct key_component *component, unsigned char *text)
{
    size_t size = 0;

    for (size_t i = 0; i < component->text_size; i++) {
        text[size++] = component->text[i];
        i += component->is_escaped && component->text[i] == 0;
    }
    return size;
}
