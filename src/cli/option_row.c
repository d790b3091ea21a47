/* SPDX-License-Identifier: MIT */
/* option_row.c -- the description of one option */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/option_row.h"

const char *
option_row_word(const struct option_row *row, size_t i, const char **remark)
{
    *remark = NULL;
    if (row->word_at != NULL)
        return row->word_at(i, remark);
    return row->words != NULL ? row->words[i] : NULL;
}

int
option_row_find_word(const struct option_row *row, const char *text,
                     size_t length)
{
    const char *remark;
    const char *word;

    for (int i = 0; (word = option_row_word(row, (size_t)i, &remark)) != NULL;
         i++) {
        if (strlen(word) == length && memcmp(text, word, length) == 0)
            return i;
    }
    return -1;
}

void
option_row_list_words(const struct option_row *row,
                      char text[OPTION_LIST_BYTES])
{
    const char *next_remark;
    size_t used = 0;
    const char *next = option_row_word(row, 0, &next_remark);

    text[0] = '\0';
    for (size_t i = 0; next != NULL; i++) {
        const char *word = next;
        const char *remark = next_remark;
        next = option_row_word(row, i + 1, &next_remark);
        const char *before = i == 0 ? "" : next != NULL ? ", " : " or ";
        used += (size_t)snprintf(
            text + used, OPTION_LIST_BYTES - used, "%s%s%s%s%s", before, word,
            remark != NULL ? " (" : "", remark != NULL ? remark : "",
            remark != NULL ? ")" : "");
        assert(used < OPTION_LIST_BYTES);
    }
}

const char *
option_row_dashes(const struct option_row *row)
{
    return row->is_key ? "--tune=" : "--";
}

unsigned int
option_row_enumerator(const struct option_row *row,
                      const struct options *options)
{
    unsigned int enumerator;

    assert(row->field.bytes == sizeof enumerator);
    memcpy(&enumerator, (const char *)options + row->field.offset,
           sizeof enumerator);
    return enumerator;
}
