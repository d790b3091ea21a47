/* SPDX-License-Identifier: MIT */
/* logfmt_names.c -- the keys of lines of logfmt */

#include <stdlib.h>
#include <string.h>

#include "base/visible.h"
#include "text/json_paths.h"
#include "text/logfmt_names.h"

char *
logfmt_names_path(const char *name, size_t length)
{
    /* A byte takes two at most; ["..."] and a NUL are around all. */
    char *path = malloc(2 * length + sizeof "[\"\"]");
    char *to = path;

    if (path == NULL)
        return NULL;
    *to++ = '[';
    *to++ = '"';
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"' || name[i] == '\\')
            *to++ = '\\';
        *to++ = name[i];
    }
    memcpy(to, "\"]", sizeof "\"]");
    return path;
}

int
logfmt_names_find(const char *option, const char *name, size_t length,
                  struct text_field *field, struct error *error)
{
    char shown[VISIBLE_BYTES];
    size_t at = 0;

    while (at < length && name[at] != '=' &&
           !logfmt_is_blank((unsigned char)name[at]))
        at++;
    *field = (struct text_field){.part = TEXT_PART_MEMBER};
    char *path = logfmt_names_path(name, length);
    if (path == NULL)
        return error_fail_memory(error);
    bool is_key =
        length > 0 && at == length && json_path_is_valid(path, strlen(path));
    free(path);
    if (is_key)
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s: '%s' is no key of logfmt (UTF-8 without blanks or =)",
              option, visible_name(shown, name, length));
    return -1;
}
