/* axis_make.c -- make an axis from the user's options */

#include "hist/axis_make.h"
#include "hist/axis_rule.h"

/* What is done with integers before binning. */
static int
make_operations(struct axis_making *making)
{
    const struct axis_texts *texts = making->texts;
    struct binning_axis *axis = making->axis;
    uint64_t number;

    axis->mask = UINT64_MAX;
    if (!making->is_integer) {
        if (texts->shift == NULL && texts->mask == NULL && texts->mod == NULL)
            return 0;
        error_set(making->error, EXIT_USAGE,
                  "--shift, --mask and --mod are for integers, not for %s",
                  axis_type_name(axis));
        return -1;
    }
    if (texts->shift != NULL) {
        if (axis_parse_bits(texts->shift, &number) < 0 ||
            number >= 8 * binning_size(axis->type))
            return axis_parse_wrong(making, "--shift", texts->shift,
                                    "not below the number of bits of the type");
        axis->shift = (uint32_t)number;
    }
    if (texts->mask != NULL && axis_parse_bits(texts->mask, &axis->mask) < 0)
        return axis_parse_wrong(
            making, "--mask", texts->mask,
            "not a number of up to 64 bits, like 255 or 0xff");
    if (texts->mod != NULL && (axis_parse_bits(texts->mod, &axis->mod) < 0 ||
                               axis->mod == 0 || axis->mod > (uint64_t)1 << 63))
        return axis_parse_wrong(making, "--mod", texts->mod,
                                "not a number from 1 to 2^63");
    return 0;
}

bool
axis_make_has_bins(const struct axis_texts *texts)
{
    return texts->bins != NULL || texts->range != NULL ||
           texts->bin_width != NULL || texts->edges != NULL ||
           texts->log != NULL || texts->subdiv != NULL || texts->scale != NULL;
}

int
axis_make(struct binning_axis *axis, struct axis_edges *edges,
          const struct axis_texts *texts, const struct element *element,
          enum binning_closed closed, struct error *error)
{
    struct axis_making making = {
        .axis = axis,
        .edges = edges,
        .texts = texts,
        .is_integer = !binning_is_float(element->type),
        .is_sparse = element->is_sparse,
        .may_be_sparse = element->may_be_sparse,
        .error = error,
    };

    *axis = (struct binning_axis){
        .offset = (uint32_t)element->offset,
        .type = element->type,
        .is_swapped = element->is_swapped,
        .closed = closed,
        .is_text = element->is_text,
    };
    const struct axis_rule *rule = axis_rule_choose(&making);
    if (rule == NULL || make_operations(&making) < 0)
        return -1;
    bool is_sparse =
        element->is_text || (element->is_sparse && !making.is_integer);
    if (is_sparse && !axis_make_has_bins(texts)) {
        axis->kind = BINNING_NUMBER;
        return 0;
    }
    if (making.is_integer) {
        axis_values(axis, &making.least, &making.most);
        if (element->most != 0 && element->most < making.most)
            making.most = element->most;
    }
    return rule->make(&making);
}
