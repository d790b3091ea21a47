/* SPDX-License-Identifier: MIT */
/* regex_none.c -- regex.h, in a build without PCRE2 */

#include <stdlib.h>

#include "text/regex/regex.h"

struct regex *
regex_new(const char *option, const char *expression, struct error *error)
{
    error_set(error, EXIT_USAGE,
              "--%s: '%s': this gpuhist is built without PCRE2, which reads "
              "regular expressions",
              option, expression);
    return NULL;
}

/* There is no expression: nobody calls the other functions. */

void
regex_free(struct regex *regex)
{
    (void)regex;
}

size_t
regex_groups(const struct regex *regex)
{
    (void)regex;
    return 0;
}

size_t
regex_group(const struct regex *regex, const char *name, size_t length)
{
    (void)regex;
    (void)name;
    (void)length;
    return 0;
}

size_t
regex_names(const struct regex *regex)
{
    (void)regex;
    return 0;
}

const char *
regex_name(const struct regex *regex, size_t i)
{
    (void)regex;
    (void)i;
    return "";
}

int
regex_needed_byte(const struct regex *regex)
{
    (void)regex;
    return -1;
}

struct regex_matcher *
regex_matcher_new(const struct regex *regex)
{
    (void)regex;
    return NULL;
}

void
regex_matcher_free(struct regex_matcher *matcher)
{
    (void)matcher;
}

enum regex_result
regex_match(struct regex_matcher *matcher, const unsigned char *text,
            size_t size, size_t from)
{
    (void)matcher;
    (void)text;
    (void)size;
    (void)from;
    return REGEX_NO_MEMORY;
}

const size_t *
regex_places(const struct regex_matcher *matcher)
{
    (void)matcher;
    return NULL;
}

void
regex_put(FILE *out)
{
    fputs("regular expressions: not built in\n", out);
}
