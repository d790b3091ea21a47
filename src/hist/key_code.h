/* SPDX-License-Identifier: MIT */
/*
 * key_code.h -- a tuple of values as one string of bytes: a composite key
 *
 * memcmp() orders codes as their tuples are ordered, component by component,
 * where a code comes before the longer codes that start with it.  So tables,
 * orders and runs of keys need not know about tuples and numbers.
 *
 * A component is a tag, and after KEY_TAG_VALUE the value:
 *
 *   KEY_TEXT      the bytes, with 00 FF for each 00; then 00 00.  In the last
 *                 component: the bytes as they are.
 *   KEY_INTEGER   9 bytes: 0 if it is negative, else 1; then the number modulo
 *                 2^64, the highest byte first
 *   KEY_REAL      8 bytes: the bits of the double, all inverted if it is
 *                 negative, else only the sign
 *   KEY_DECIMAL   the bytes of KEY_REAL for the nearest double, and 1 if its
 *                 shortest text (number_put_double()) is the number; else 0 if
 *                 the number is below that, 2 if it is above, and 40 bytes: the
 *                 number as a sum of decimals (decimal_sum.h), plus 2^319, the
 *                 highest byte first
 *   KEY_CELL      4 bytes: the row of a cell of an axis (axis.h)
 *
 * Each component has the same kind in all codes of a table.
 */

#ifndef GPUHIST_KEY_CODE_H
#define GPUHIST_KEY_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/decimal_sum.h"
#include "base/double_order.h"
#include "base/little_endian.h"
#include "base/wide_integer.h"

enum key_kind {
    KEY_TEXT,
    KEY_INTEGER,
    KEY_REAL,
    KEY_DECIMAL,
    KEY_CELL
};

/* The first byte of a component.  Values come before the other tags. */
enum key_tag {
    KEY_TAG_VALUE = 1,
    KEY_TAG_MISSING, /* the record has no such field */
    KEY_TAG_EMPTY,   /* the field of a number is empty */
    KEY_TAG_INVALID, /* the field of a number has another text */
};

/* Behind the double of a decimal: the number is its shortest text. */
#define KEY_DECIMAL_SHORTEST 1

/* ---- writing ---- */

/* Room for a component with a text of SIZE bytes, and for any other one.  A
   text in the last component takes 1 + SIZE bytes. */
#define KEY_CODE_TEXT_ROOM(size) (2 * (size_t)(size) + 3)
#define KEY_CODE_ROOM 10
/* The same for a decimal. */
#define KEY_CODE_DECIMAL_ROOM (KEY_CODE_ROOM + DECIMAL_SUM_BYTES)

/*
 * Write a component at AT, where the caller has room.  IS_LAST: the component
 * is the last of its code.  All key_code_put...() return the end of the
 * component.
 */
unsigned char *key_code_put_text(unsigned char *at, const unsigned char *text,
                                 size_t size, bool is_last);
/* VALUE is in [-2^63, 2^64). */
unsigned char *key_code_put_integer(unsigned char *at, struct wide value);
/* Writes -0 as 0, and any NaN as one NaN, which is the greatest number. */
unsigned char *key_code_put_real(unsigned char *at, double value);
/*
 * The number EXACT, whose nearest double is VALUE; if EXACT is NULL, the number
 * that the shortest text of VALUE says.
 */
unsigned char *key_code_put_decimal(unsigned char *at, double value,
                                    const struct decimal_sum *exact);
unsigned char *key_code_put_cell(unsigned char *at, uint32_t row);
/* A component without a value. */
unsigned char *key_code_put_tag(unsigned char *at, enum key_tag tag);

/* ---- reading ---- */

/* A component.  After TAG, only the members of its kind are set. */
struct key_component {
    enum key_tag tag;
    const unsigned char *text; /* in the code, TEXT_SIZE bytes */
    size_t text_size;
    bool is_escaped; /* TEXT has 00 FF for each 00 */
    struct wide integer;
    double real;   /* of a decimal: the nearest one ... */
    bool is_exact; /* ... and whether EXACT is the number */
    struct decimal_sum exact;
    uint32_t row;
};

/*
 * Read the component of kind KIND at AT, of a code that ends at END.  Returns
 * the end of the component; or NULL, if key_code_put...() never writes these
 * bytes.
 */
const unsigned char *key_code_read(const unsigned char *at,
                                   const unsigned char *end, enum key_kind kind,
                                   bool is_last,
                                   struct key_component *component);

/* Set *REAL to the component at AT, of a code that ends at END, if it is a
   decimal that is the shortest text of REAL.  Returns whether it is. */
static inline bool
key_code_read_short(const unsigned char *at, const unsigned char *end,
                    double *real)
{
    if (end - at < KEY_CODE_ROOM || at[0] != KEY_TAG_VALUE ||
        at[KEY_CODE_ROOM - 1] != KEY_DECIMAL_SHORTEST)
        return false;
    uint64_t bits =
        double_order_bits(__builtin_bswap64(little_endian_64(at + 1)));
    memcpy(real, &bits, sizeof bits);
    return true;
}

/* Whether a code of SIZE bytes with COMPONENTS components has no value. */
bool key_code_is_special(const unsigned char *code, size_t size,
                         size_t components);

/*
 * Write the text of COMPONENT to TEXT, which has room for TEXT_SIZE bytes.
 * Returns its size.
 */
size_t key_component_copy(const struct key_component *component,
                          unsigned char *text);

#endif
