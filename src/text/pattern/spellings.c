/* SPDX-License-Identifier: MIT */
/* spellings.c -- the names in a pattern, as three programs spell them */

#include <string.h>

#include "base/ascii.h"
#include "base/visible.h"
#include "text/pattern/spellings.h"

/* What a name may be, before the other names of the pattern are known. */
enum reading {
    READING_NONE, /* it is text */
    READING_NGINX,
    READING_APACHE,
    READING_DISSECT,
    READING_PERCENT, /* Apache's beside others of Apache's, else dissect's */
    READING_WRONG
};

/* Apache's letters without braces, and those that braces make certain. */
#define LETTERS "aABbDfhHkIlLmOpPqrsStTuUvVX"
#define BRACED "ioenCt"
#define MAY_BE_BRACED "acpPT"

/* goaccess' letters that Apache does not have. */
#define GOACCESS "^dRx~"

static bool
is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_in(char c, const char *set)
{
    return c != '\0' && strchr(set, c) != NULL;
}

/* Read $name or ${name} at TEXT. */
static enum reading
read_dollar(const char *text, struct spelled_name *name)
{
    bool is_braced = text[1] == '{';
    const char *own = text + 1 + is_braced;
    size_t length = 0;

    while (is_letter(own[length]) ||
           (length > 0 && ascii_is_digit(own[length])))
        length++;
    if (length == 0 || (is_braced && own[length] != '}'))
        return READING_NONE;
    *name = (struct spelled_name){
        .text = text,
        .length = length + 1 + 2 * (size_t)is_braced,
        .own = own,
        .own_length = length,
        .is_braced = is_braced,
    };
    return READING_NGINX;
}

/* Read the name with % at TEXT. */
static enum reading
read_percent(const char *text, struct spelled_name *name)
{
    size_t codes = strspn(text + 1, "<>!0123456789,");
    const char *at = text + 1 + codes;
    const char *end = *at == '{' ? strchr(at, '}') : NULL;

    *name = (struct spelled_name){
        .text = text,
        .length = codes + 1 + (is_letter(*at) || is_in(*at, GOACCESS))};
    if (*at == '{' && end == NULL)
        return READING_WRONG;
    if (end == NULL) {
        name->own = at;
        name->own_length = 1;
        name->letter = *at;
        return is_in(*at, LETTERS) ? READING_APACHE
               : is_letter(*at) || is_in(*at, GOACCESS) || codes > 0
                   ? READING_WRONG
                   : READING_NONE;
    }
    name->own = at + 1;
    name->own_length = (size_t)(end - at) - 1;
    name->is_braced = true;
    name->length = (size_t)(end + 1 - text);
    if (is_in(end[1], BRACED MAY_BE_BRACED) && name->own_length > 0) {
        bool is_apache = codes > 0 || is_in(end[1], BRACED);
        name->letter = end[1];
        name->length += is_apache;
        return is_apache ? READING_APACHE : READING_PERCENT;
    }
    return codes > 0 ? READING_WRONG : READING_DISSECT;
}

/* Read the name at TEXT. */
static enum reading
read_name(const char *text, struct spelled_name *name)
{
    *name = (struct spelled_name){.text = text, .length = 1};
    if (*text == '$')
        return read_dollar(text, name);
    if (text[0] == '%' && text[1] == '%') {
        name->length = 2;
        return READING_NONE;
    }
    return *text == '%' ? read_percent(text, name) : READING_NONE;
}

/* Set *ERROR: NAME is none.  Returns -1. */
static int
fail_name(const struct spelled_name *name, struct error *error)
{
    char shown[VISIBLE_BYTES];

    if (name->own == NULL)
        error_set(error, EXIT_USAGE, "--log-format: '%s' has no }",
                  visible_name(shown, name->text, strlen(name->text)));
    else if (!name->is_braced && is_in(name->letter, GOACCESS))
        error_set(error, EXIT_USAGE,
                  "--log-format: '%s' is goaccess': a pattern has the names of "
                  "nginx ($status), Apache (%%>s) or dissect (%%{status})",
                  visible_name(shown, name->text, name->length));
    else
        error_set(error, EXIT_USAGE,
                  "--log-format: '%s' is no name of Apache's; %% itself is "
                  "%%%%",
                  visible_name(shown, name->text, name->length));
    return -1;
}

/* Set *ERROR: the names ONE and OTHER are of two spellings.  Returns -1. */
static int
fail_mixture(const struct spelled_name *one, const struct spelled_name *other,
             struct error *error)
{
    char a[VISIBLE_BYTES];
    char b[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE,
              "--log-format: '%s' and '%s' are of two spellings: a pattern has "
              "the names of nginx ($status), Apache (%%>s) or dissect "
              "(%%{status})",
              visible_name(a, one->text, one->length),
              visible_name(b, other->text, other->length));
    return -1;
}

/* dissect's names with an operator. */
static int
check_dissect(const struct spelled_name *name, struct error *error)
{
    char shown[VISIBLE_BYTES];

    if (name->own_length == 0 || !is_in(*name->own, "+?*&"))
        return 0;
    error_set(error, EXIT_USAGE,
              "--log-format: '%s': %c of dissect is not read; %%{} leaves a "
              "value out, and each name is a field",
              visible_name(shown, name->text, name->length), *name->own);
    return -1;
}

/* Set FOUND[r] to the first name in TEXT that is read as r; its text is NULL if
   there is none.  Returns 0, or -1 with *ERROR set. */
static int
find_readings(const char *text, struct spelled_name found[READING_WRONG],
              struct error *error)
{
    struct spelled_name name;

    for (const char *at = text; *at != '\0'; at += name.length) {
        enum reading reading = read_name(at, &name);
        if (at[0] == '~' && is_letter(at[1]) && at[2] == '{') {
            name.letter = '~';
            name.length = 2;
            name.own = at;
            reading = READING_WRONG;
        }
        if (reading == READING_WRONG)
            return fail_name(&name, error);
        if (reading == READING_DISSECT && check_dissect(&name, error) < 0)
            return -1;
        if (found[reading].text == NULL)
            found[reading] = name;
    }
    return 0;
}

int
spelling_find(const char *text, enum spelling *spelling, struct error *error)
{
    struct spelled_name found[READING_WRONG] = {{0}};
    const struct spelled_name *nginx = &found[READING_NGINX];
    const struct spelled_name *apache = &found[READING_APACHE];
    const struct spelled_name *dissect = &found[READING_DISSECT];

    if (find_readings(text, found, error) < 0)
        return -1;
    if (apache->text == NULL && dissect->text == NULL)
        dissect = &found[READING_PERCENT];
    if (nginx->text != NULL && apache->text != NULL)
        return fail_mixture(nginx, apache, error);
    if (nginx->text != NULL && dissect->text != NULL)
        return fail_mixture(nginx, dissect, error);
    if (apache->text != NULL && dissect->text != NULL)
        return fail_mixture(apache, dissect, error);
    if (nginx->text == NULL && apache->text == NULL && dissect->text == NULL) {
        error_set(error, EXIT_USAGE,
                  "--log-format: the pattern has no name; put it in single "
                  "quotes, or the shell takes $names");
        return -1;
    }
    *spelling = nginx->text != NULL    ? SPELLING_NGINX
                : apache->text != NULL ? SPELLING_APACHE
                                       : SPELLING_DISSECT;
    return 0;
}

bool
spelling_read(enum spelling spelling, const char *text,
              struct spelled_name *name)
{
    switch (read_name(text, name)) {
    case READING_NGINX:
        return spelling == SPELLING_NGINX;
    case READING_APACHE:
    case READING_DISSECT:
        return spelling != SPELLING_NGINX;
    case READING_PERCENT:
        if (spelling == SPELLING_APACHE)
            name->length++;
        else
            name->letter = '\0';
        return spelling != SPELLING_NGINX;
    default:
        return false;
    }
}
