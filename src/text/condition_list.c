/* condition_list.c -- the conditions that records must meet to be counted */

#include <stdlib.h>

#include "text/condition_list.h"

int
condition_list_parse(struct condition_list *list,
                     const struct text_format *format, const char *const *text,
                     size_t count, struct error *error)
{
    *list = (struct condition_list){0};
    if (count == 0)
        return 0;
    list->condition = calloc(count, sizeof *list->condition);
    if (list->condition == NULL)
        return error_fail_memory(error);
    while (list->count < count) {
        size_t i = list->count++;
        if (condition_parse(&list->condition[i], format, text[i], error) < 0)
            return -1;
    }
    return 0;
}

void
condition_list_close(struct condition_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        condition_close(&list->condition[i]);
    free(list->condition);
    *list = (struct condition_list){0};
}
