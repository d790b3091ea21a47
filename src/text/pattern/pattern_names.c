/* SPDX-License-Identifier: MIT */
/* pattern_names.c -- the names of the fields of a pattern */

#include <string.h>

#include "base/near_names.h"
#include "text/pattern/pattern_names.h"

/* A name of --clf that is a part of another one. */
struct part_name {
    const char *name;
    const char *whole;
    uint32_t part;     /* enum text_part */
    const char *chain; /* or NULL */
};

static const struct part_name parts[] = {
    {"method", "request", TEXT_PART_METHOD, NULL},
    {"target", "request", TEXT_PART_TARGET, NULL},
    {"path", "request", TEXT_PART_PATH, NULL},
    {"query", "request", TEXT_PART_QUERY, NULL},
    {"protocol", "request", TEXT_PART_PROTOCOL, NULL},
    {"path", "target", TEXT_PART_ALL, "path"},
    {"query", "target", TEXT_PART_ALL, "query"},
    {"minute", "time", TEXT_PART_ALL, "minute"},
    {"hour", "time", TEXT_PART_ALL, "hour"},
    {"day", "time", TEXT_PART_ALL, "day"},
    {"host", "client:port", TEXT_PART_ADDRESS, NULL},
    {"port", "client:port", TEXT_PART_PORT, NULL},
    {"client_ip", "client:port", TEXT_PART_ADDRESS, NULL},
    {"client_port", "client:port", TEXT_PART_PORT, NULL},
    {"facility", "pri", TEXT_PART_ALL, "syslog-facility"},
    {"severity", "pri", TEXT_PART_ALL, "syslog-severity"},
};

/* The same of a request whose target is a URL. */
static const struct part_name parts_of_url[] = {
    {"path", "request", TEXT_PART_TARGET, "path"},
    {"query", "request", TEXT_PART_TARGET, "query"},
    {"vhost", "request", TEXT_PART_TARGET, "host"},
};

/* Append the fields that NAME of --clf is mapped to, or with HAS_OWN the fields
   whose own name it is, to the *COUNT of COLUMN. */
static void
add_columns(const struct pattern *pattern, const char *name, bool has_own,
            struct pattern_column column[2], size_t *count)
{
    for (size_t i = 0; i < pattern->count && *count < 2; i++) {
        const struct pattern_field *field = &pattern->field[i];
        const struct pattern_known *known = field->known;
        bool is_mapped = known != NULL && known->mapped != NULL &&
                         strcmp(known->mapped, name) == 0;
        bool is_own = has_own && !(known != NULL && known->is_other) &&
                      !field->is_left_out && strcmp(field->own, name) == 0;
        if (is_mapped || is_own)
            column[(*count)++] = (struct pattern_column){
                .place = i, .chain = is_mapped ? known->chain : NULL};
    }
}

/* As pattern_names_find(), for NAME that is a part in one of the COUNT rows of
   PARTS.  Returns how many columns there are. */
static size_t
add_parts(const struct pattern *pattern, const struct part_name *part,
          size_t count, const char *name, struct pattern_column column[2])
{
    size_t found = 0;

    for (size_t i = 0; i < count && found == 0; i++) {
        if (strcmp(part[i].name, name) != 0)
            continue;
        add_columns(pattern, part[i].whole, false, column, &found);
        for (size_t c = 0; c < found; c++) {
            column[c].part = part[i].part;
            column[c].chain = part[i].chain;
        }
    }
    return found;
}

/* Whether a request of PATTERN has a URL. */
static bool
has_url(const struct pattern *pattern)
{
    size_t i = 0;

    while (i < pattern->count && (pattern->field[i].known == NULL ||
                                  !pattern->field[i].known->has_url))
        i++;
    return i < pattern->count;
}

/* Returns the field of PATTERN that is spelled NAME; or the count. */
static size_t
find_spelled(const struct pattern *pattern, const char *name)
{
    size_t i = 0;

    while (i < pattern->count && strcmp(pattern->field[i].spelled, name) != 0)
        i++;
    return i;
}

enum pattern_found
pattern_names_find(const struct pattern *pattern, const char *name,
                   struct pattern_column column[2])
{
    size_t count = 0;
    size_t i = find_spelled(pattern, name);

    if (i < pattern->count) {
        column[0] = (struct pattern_column){.place = i};
        return PATTERN_FOUND;
    }
    add_columns(pattern, name, true, column, &count);
    if (count == 0 && has_url(pattern))
        count =
            add_parts(pattern, parts_of_url,
                      sizeof parts_of_url / sizeof *parts_of_url, name, column);
    if (count == 0)
        count = add_parts(pattern, parts, sizeof parts / sizeof *parts, name,
                          column);
    return count == 0   ? PATTERN_FOUND_NONE
           : count == 1 ? PATTERN_FOUND
                        : PATTERN_FOUND_TWO;
}

/* Returns name I of a pattern, for messages. */
static const void *
name_at(const void *context, size_t i, size_t *size)
{
    const struct pattern *pattern = context;
    const struct pattern_field *field = &pattern->field[i];
    bool is_own = !field->is_left_out &&
                  !(field->known != NULL && field->known->is_other);
    const char *name = is_own ? field->own : field->spelled;

    *size = strlen(name);
    return name;
}

/* Set *ERROR: NAME is not one of PATTERN.  Returns -1. */
static int
fail_none(const struct pattern *pattern, const char *name, struct error *error)
{
    const struct near_names all = {name_at, pattern, pattern->count, ""};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    error_set(error, EXIT_USAGE,
              "--log-format: the pattern has no name '%s' (%s, and those of "
              "--clf that they stand for)",
              visible_name(shown, name, strlen(name)),
              near_names_list(&all, name, strlen(name), list));
    return -1;
}

int
pattern_names_find_first(const struct log_patterns *patterns, const char *name,
                         struct pattern_column *column, struct error *error)
{
    char shown[VISIBLE_BYTES];

    for (size_t i = 0; i < patterns->count; i++) {
        const struct pattern *pattern = &patterns->pattern[i];
        struct pattern_column both[2];
        enum pattern_found found = pattern_names_find(pattern, name, both);
        *column = both[0];
        if (found == PATTERN_FOUND)
            return 0;
        if (found == PATTERN_FOUND_NONE)
            continue;
        error_set(error, EXIT_USAGE,
                  "--log-format: '%s' may be %s or %s: write the name that is "
                  "meant",
                  visible_name(shown, name, strlen(name)),
                  pattern->field[both[0].place].spelled,
                  pattern->field[both[1].place].spelled);
        return -1;
    }
    return fail_none(&patterns->pattern[0], name, error);
}
