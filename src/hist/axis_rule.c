/* SPDX-License-Identifier: MIT */
/* axis_rule.c -- the rules that make the bins of an axis */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "hist/axis_finding.h"
#include "hist/axis_rule.h"

#define OPTION(name, member)                      \
    {                                             \
        name, offsetof(struct axis_texts, member) \
    }

/* Messages list the options in this order. */
static const struct axis_rule rules[] = {
    [AXIS_RULE_DIRECT] =
        {
            .name = "values",
            .words = "one for each value",
            .spacing = AXIS_SPACING_VALUES,
            .make = axis_direct_make,
        },
    [AXIS_RULE_EVEN] =
        {
            .name = "even",
            .words = "even",
            .spacing = AXIS_SPACING_EVEN,
            .option = {OPTION("--bins", bins),
                       OPTION("--bin-width", bin_width)},
            .make = axis_even_make,
        },
    [AXIS_RULE_KMERS] =
        {
            .name = "k-mers",
            .words = "one for each k-mer",
            .spacing = AXIS_SPACING_VALUES,
        },
    [AXIS_RULE_EDGES] =
        {
            .name = "edges",
            .words = "between edges",
            .spacing = AXIS_SPACING_ANY,
            .option = {OPTION("--edges", edges)},
            .has_own_range = true,
            .make = axis_edges_make,
        },
    [AXIS_RULE_LOG] =
        {
            .name = "log",
            .words = "logarithmic",
            .spacing = AXIS_SPACING_RATIO,
            .option = {OPTION("--log", log)},
            .takes_subdiv = true,
            .make = axis_log_make,
        },
    [AXIS_RULE_SCALE] =
        {
            .name = "scale",
            .words = "of one ratio",
            .spacing = AXIS_SPACING_RATIO,
            .option = {OPTION("--scale", scale)},
            .make = axis_scale_make,
        },
};

#define RULES (sizeof rules / sizeof *rules)
#define OPTIONS (sizeof rules->option / sizeof *rules->option)

const struct axis_rule *
axis_rule_of(const struct binning_axis *axis)
{
    assert(axis->rule < RULES);
    return &rules[axis->rule];
}

/* How many options of TEXTS ask for RULE. */
static unsigned int
count_options(const struct axis_rule *rule, const struct axis_texts *texts)
{
    unsigned int count = 0;

    for (size_t i = 0; i < OPTIONS && rule->option[i].name != NULL; i++) {
        const char *text;
        memcpy(&text, (const char *)texts + rule->option[i].text, sizeof text);
        count += text != NULL;
    }
    return count;
}

/* As axis_rule_list_options(); with SUBDIV only where --subdiv applies. */
static void
list_options(bool subdiv, const char *last, char text[AXIS_RULE_LIST_BYTES])
{
    const char *name[RULES * OPTIONS];
    size_t count = 0;
    size_t used = 0;

    for (size_t r = 0; r < RULES; r++) {
        for (size_t i = 0; i < OPTIONS; i++) {
            name[count] = rules[r].option[i].name;
            count += name[count] != NULL && (!subdiv || rules[r].takes_subdiv);
        }
    }
    for (size_t i = 0; i < count; i++) {
        const char *before = i == 0 ? "" : i + 1 < count ? ", " : last;
        used += (size_t)snprintf(text + used, AXIS_RULE_LIST_BYTES - used,
                                 "%s%s", before, name[i]);
        assert(used < AXIS_RULE_LIST_BYTES);
    }
}

void
axis_rule_list_options(const char *last, char text[AXIS_RULE_LIST_BYTES])
{
    list_options(false, last, text);
}

/*
 * Refuse options that exclude each other or would have no effect; ASKED
 * options ask for a rule, the last of them for RULE.
 */
static int
check_options(const struct axis_making *making, const struct axis_rule *rule,
              unsigned int asked)
{
    char list[AXIS_RULE_LIST_BYTES];

    if (asked > 1) {
        list_options(false, " and ", list);
        error_set(making->error, EXIT_USAGE, "an axis takes only one of %s",
                  list);
    } else if (rule->has_own_range && making->texts->range != NULL) {
        error_set(making->error, EXIT_USAGE, "--range has no effect with %s",
                  rule->option[0].name);
    } else if (making->texts->subdiv != NULL && !rule->takes_subdiv) {
        list_options(true, " or ", list);
        error_set(making->error, EXIT_USAGE, "--subdiv needs %s", list);
    } else {
        return 0;
    }
    return -1;
}

const struct axis_rule *
axis_rule_choose(const struct axis_making *making)
{
    bool has_values = making->is_integer && !axis_parse_is_auto(making) &&
                      axis_finding_range(making->texts->range) == NULL;
    size_t chosen = has_values ? AXIS_RULE_DIRECT : AXIS_RULE_EVEN;
    unsigned int asked = 0;

    for (size_t i = 0; i < RULES; i++) {
        unsigned int count = count_options(&rules[i], making->texts);
        chosen = count > 0 ? i : chosen;
        asked += count;
    }
    making->axis->rule = (uint32_t)chosen;
    return check_options(making, &rules[chosen], asked) < 0 ? NULL
                                                            : &rules[chosen];
}

/* ---- making an axis ---- */

/* The operations on integers before binning. */
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
    /* So short a float has a bin for each pattern of its bits. */
    bool counts_bits = binning_is_float(element->type) &&
                       binning_size(element->type) == 1 &&
                       !element->is_number && !axis_make_has_bins(texts);
    struct axis_making making = {
        .axis = axis,
        .edges = edges,
        .texts = texts,
        .is_integer = !binning_is_float(element->type) || counts_bits,
        .is_sparse = element->is_sparse && !counts_bits,
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
    struct axis_finding finding;
    const struct axis_rule *rule = axis_rule_choose(&making);
    if (rule == NULL || make_operations(&making) < 0 ||
        axis_finding_parse(&finding, texts, error) < 0)
        return -1;
    bool is_sparse = element->is_text || element->is_number ||
                     (element->is_sparse && !making.is_integer);
    if (is_sparse && !axis_make_has_bins(texts)) {
        axis->kind = BINNING_NUMBER;
        return 0;
    }
    if (making.is_integer) {
        axis_values(axis, &making.least, &making.most);
        if (element->most != 0 && element->most < making.most)
            making.most = element->most;
    }
    return finding.kind != AXIS_FINDS_NOTHING
               ? axis_open_make(&making, &finding)
               : rule->make(&making);
}
