/* state_cell.c -- a cell of an axis as a field of a state */

#include <string.h>

#include "kernels/seq/sequence.h"
#include "state/state_cell.h"

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

/* Returns which of COUNT words the SIZE bytes at FIELD are, or COUNT. */
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

int
state_cell_number(const char *field, size_t size, uint64_t *number)
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

/* Set *CODE to that of the k-mer at FIELD. */
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
    if (state_cell_number(field, size, cell) == 0)
        return *cell < axis->bins ? 0 : -1;
    flow = find_word(flows, axis_number_flows(axis), field, size);
    *cell = axis->bins + flow;
    return flow < axis_number_flows(axis) ? 0 : -1;
}
