/* condition_list.h -- the conditions that records must meet to be counted */

#ifndef GPUHIST_CONDITION_LIST_H
#define GPUHIST_CONDITION_LIST_H

#include "text/condition.h"

struct condition_list {
    struct condition *condition; /* COUNT of them, owned */
    size_t count;
};

/*
 * Parse the COUNT arguments TEXT of --where, of fields of FORMAT.  Returns 0,
 * or -1 with *ERROR set; the caller calls condition_list_close() in both cases.
 */
int condition_list_parse(struct condition_list *list,
                         const struct text_format *format,
                         const char *const *text, size_t count,
                         struct error *error);

/* Also of a LIST that is all 0. */
void condition_list_close(struct condition_list *list);

#endif
