/* SPDX-License-Identifier: MIT */
/* axis_finding.c -- axes whose bins depend on all values: found beforehand */

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/near_names.h"
#include "base/visible.h"
#include "hist/axis_finding.h"

/* Whether TEXT starts with WORD. */
static bool
starts_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

bool
axis_finding_is_range(const char *text)
{
    return text != NULL && strcmp(text, AXIS_FINDING_MINMAX) == 0;
}

bool
axis_finding_is_bins(const char *text)
{
    return text != NULL && ascii_is_letter(*text);
}

/* Whether TEXT, which has no edges yet, has a first word that resembles WORD.
   A file, @FILE, may have such a name. */
static bool
is_like(const char *text, const char *word)
{
    if (text == NULL || !ascii_is_letter(*text) ||
        axis_finding_edges(text) != NULL)
        return false;
    size_t length = strcspn(text, ":=,");
    return (length == strlen(word) && strncasecmp(text, word, length) == 0) ||
           spelling_distance(text, length, word) <= (strlen(word) + 1) / 3;
}

bool
axis_finding_is_quantiles(const char *text)
{
    return is_like(text, "quantiles");
}

bool
axis_finding_is_groups(const char *text)
{
    return is_like(text, AXIS_FINDING_GROUPS);
}

bool
axis_finding_is_edges(const char *text)
{
    return axis_finding_is_quantiles(text) || axis_finding_is_groups(text);
}

const char *
axis_finding_range(const char *text)
{
    const char *start = AXIS_FINDING_MINMAX ":";

    return text != NULL && starts_with(text, start) ? text + strlen(start)
                                                    : NULL;
}

const char *
axis_finding_edges(const char *text)
{
    if (text == NULL)
        return NULL;
    if (starts_with(text, AXIS_FINDING_GROUPS ":"))
        return text + strlen(AXIS_FINDING_GROUPS ":");
    if (!starts_with(text, AXIS_FINDING_QUANTILES))
        return NULL;
    const char *colon = strchr(text + strlen(AXIS_FINDING_QUANTILES), ':');
    return colon != NULL ? colon + 1 : NULL;
}

/* Set *ERROR to "OPTION=TEXT: WANTED".  Returns -1. */
static int
fail(const char *option, const char *text, const char *wanted,
     struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE, "%s=%s: %s", option,
              visible_name(shown, text, strlen(text)), wanted);
    return -1;
}

/* Set *RULE to that of TEXT.  Returns 0, or -1 with *ERROR set. */
static int
parse_rule(const char *text, enum bin_rule *rule, struct error *error)
{
    char shown[VISIBLE_BYTES];
    size_t nearest = SIZE_MAX;
    const char *near = NULL;
    int found = bin_rule_find(text);

    *rule = (enum bin_rule)found;
    if (found >= 0)
        return 0;
    for (int i = 0; i < BIN_RULES; i++) {
        size_t distance =
            spelling_distance(text, strlen(text), bin_rule_words[i]);
        if (strcasecmp(text, bin_rule_words[i]) == 0)
            distance = 0;
        if (distance < nearest && distance <= strlen(bin_rule_words[i]) / 2) {
            nearest = distance;
            near = bin_rule_words[i];
        }
    }
    error_set(error, EXIT_USAGE, "--bins=%s: " BIN_RULE_WANTED "%s%s%s",
              visible_name(shown, text, strlen(text)),
              near != NULL ? " (did you mean " : "", near != NULL ? near : "",
              near != NULL ? "?)" : "");
    return -1;
}

/* Set *BINS from TEXT, "quantiles:N".  Returns 0, or -1 with *ERROR set. */
static int
parse_quantiles(const char *text, uint64_t *bins, struct error *error)
{
    size_t length = strcspn(text, ":=,");
    const char *number = text + length + (text[length] != '\0');
    char shown[VISIBLE_BYTES];

    if (!starts_with(text, AXIS_FINDING_QUANTILES)) {
        error_set(error, EXIT_USAGE,
                  "--edges=%s: did you mean --edges=quantiles:%s?",
                  visible_name(shown, text, strlen(text)),
                  axis_parse_bits(number, bins) == 0 ? number : "N");
        return -1;
    }
    if (axis_parse_bits(number, bins) < 0 || *bins < 1 ||
        *bins > AXIS_FINDING_QUANTILES_MAX)
        return fail("--edges", text, "not quantiles:N with N from 1 to 1000000",
                    error);
    return 0;
}

int
axis_finding_parse(struct axis_finding *finding, const struct axis_texts *texts,
                   struct error *error)
{
    bool is_minmax = axis_finding_is_range(texts->range) ||
                     axis_finding_range(texts->range) != NULL;
    bool is_other =
        texts->bin_width != NULL || texts->log != NULL || texts->scale != NULL;

    *finding = (struct axis_finding){.kind = AXIS_FINDS_NOTHING};
    if (is_minmax && is_other) {
        error_set(error, EXIT_USAGE,
                  "--range=minmax has N even bins: it excludes --bin-width, "
                  "--log and --scale");
        return -1;
    }
    if (axis_finding_is_quantiles(texts->edges)) {
        finding->kind = AXIS_FINDS_QUANTILES;
        return parse_quantiles(texts->edges, &finding->quantiles, error);
    }
    if (axis_finding_is_groups(texts->edges)) {
        finding->kind = AXIS_FINDS_GROUPS;
        return strcmp(texts->edges, AXIS_FINDING_GROUPS) == 0
                   ? 0
                   : fail("--edges", texts->edges,
                          "did you mean --edges=" AXIS_FINDING_GROUPS "?",
                          error);
    }
    if (axis_finding_is_bins(texts->bins)) {
        finding->kind = AXIS_FINDS_BINS;
        if (parse_rule(texts->bins, &finding->rule, error) < 0)
            return -1;
        if (texts->range == NULL || axis_finding_is_range(texts->range))
            return 0;
        error_set(error, EXIT_USAGE,
                  "--bins=%s finds the range, too: it excludes --range=%s",
                  texts->bins, texts->range);
        return -1;
    }
    if (axis_finding_is_range(texts->range))
        finding->kind = AXIS_FINDS_RANGE;
    return 0;
}

bool
axis_finding_needs_values(const struct axis_finding *finding)
{
    return finding->kind == AXIS_FINDS_QUANTILES ||
           (finding->kind == AXIS_FINDS_BINS &&
            bin_rule_needs_values(finding->rule));
}
