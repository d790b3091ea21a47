/* SPDX-License-Identifier: MIT */
/* text_axis.c -- the axis of a field of text: keys, or numbers */

#include <string.h>

#include "hist/axis_rule.h"
#include "hist/text_axis.h"

static const char integer[] = "int";
static const char number[] = "num";
static const char decimal[] = "decimal";

const char *
text_axis_type(size_t i)
{
    const char *const types[] = {integer, number, decimal, NULL};

    return types[i];
}

bool
text_axis_is_type(const char *type)
{
    return strcmp(type, integer) == 0 || strcmp(type, number) == 0 ||
           strcmp(type, decimal) == 0;
}

static bool
has_operations(const struct axis_texts *texts)
{
    return texts->shift != NULL || texts->mask != NULL || texts->mod != NULL;
}

/* Make *AXIS of numbers. */
static int
make_numbers(struct binning_axis *axis, struct axis_edges *edges,
             const struct axis_texts *texts, bool is_integer,
             enum binning_closed closed, struct error *error)
{
    const struct element element = {
        .is_text = true,
        .type = is_integer ? SAMPLE_I8 : SAMPLE_F8,
        .is_swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    };

    return axis_make(axis, edges, texts, &element, closed, error);
}

void
text_axis_make_key(struct binning_axis *axis, const struct text_format *format,
                   bool is_modified)
{
    *axis = (struct binning_axis){.kind = BINNING_KEY,
                                  .has_invalid =
                                      format->counts_invalid || is_modified};
}

int
text_axis_make(struct binning_axis *axis, struct axis_edges *edges,
               const struct text_format *format, const struct field_list *list,
               size_t i, const struct axis_texts *texts, const char *type,
               enum binning_closed closed, struct error *error)
{
    const struct modifiers *chain = &list->chain[i];

    if (type == NULL && chain->count > 0 && !has_operations(texts) &&
        modifiers_give(chain) == MODIFIER_GIVES_DECIMAL)
        type = decimal;
    bool is_integer =
        type != NULL ? strcmp(type, integer) == 0 : has_operations(texts);

    if (type != NULL && !text_axis_is_type(type)) {
        error_set(error, EXIT_USAGE,
                  "--dtype=%s is for binary samples; a field of text is a "
                  "number with --dtype=int, num or decimal",
                  type);
        return -1;
    }
    text_axis_make_key(axis, format,
                       chain->count > 0 || field_list_has_parts(list, i));
    if (type == NULL && !axis_make_has_bins(texts) && !has_operations(texts))
        return 0;
    if (make_numbers(axis, edges, texts, is_integer, closed, error) < 0)
        return -1;
    /* Bins have doubles. */
    axis->is_decimal = type != NULL && strcmp(type, decimal) == 0 &&
                       axis->kind == BINNING_NUMBER;
    return 0;
}

int
text_axis_make_typed(struct binning_axis *axis, struct axis_edges *edges,
                     const struct axis_texts *texts, enum sequence_type type,
                     enum binning_closed closed, struct error *error)
{
    if (type != SEQUENCE_KEY)
        return make_numbers(axis, edges, texts, type == SEQUENCE_INTEGER,
                            closed, error);
    *axis = (struct binning_axis){.kind = BINNING_KEY};
    return 0;
}

void
text_axis_make_kmer(struct binning_axis *axis, unsigned int kmer,
                    uint64_t most_bins)
{
    *axis = (struct binning_axis){.kind = BINNING_KEY, .rule = AXIS_RULE_KMERS};
    if (kmer > TEXT_AXIS_KMER_MAX || (uint64_t)1 << 2 * kmer > most_bins)
        return;
    axis->kind = BINNING_DIRECT;
    axis->type = SAMPLE_U8;
    axis->mask = UINT64_MAX;
    axis->bins = (uint64_t)1 << 2 * kmer;
}

uint64_t
text_axis_bins(const struct binning_axis *axis, unsigned int kmer)
{
    return axis_is_kmers(axis) && kmer <= TEXT_AXIS_KMER_MAX
               ? (uint64_t)1 << 2 * kmer
               : axis->bins;
}
