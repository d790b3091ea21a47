/* group_columns.c -- the figures of --columns: which there are */

#include <string.h>

#include "report/group_columns.h"

static const char *const names[GROUP_COLUMN_KINDS] = {
    [GROUP_COUNT] = "count",
    [GROUP_RECORDS] = "records",
    [GROUP_MISSING] = "missing",
    [GROUP_EMPTY] = "empty",
    [GROUP_INVALID] = "invalid",
    [GROUP_NAN] = "nan",
    [GROUP_DISTINCT] = "distinct",
    [GROUP_MIN] = "min",
    [GROUP_MAX] = "max",
    [GROUP_SUM] = "sum",
    [GROUP_MEAN] = "mean",
    [GROUP_SD] = "sd",
    [GROUP_SAMPLE_SD] = "sample_sd",
};

const char *
group_column_name(enum group_column_kind kind)
{
    return names[kind];
}

int
group_column_find(struct group_column *column, const char *text, size_t length)
{
    *column = (struct group_column){.kind = GROUP_PERCENTILE};
    for (unsigned int k = 0; k < GROUP_COLUMN_KINDS; k++) {
        if (names[k] == NULL || strlen(names[k]) != length ||
            memcmp(names[k], text, length) != 0)
            continue;
        column->kind = (enum group_column_kind)k;
        return 0;
    }
    return length > 1 && text[0] == 'p'
               ? percentile_parse(&column->percentile, text + 1, length - 1)
               : -1;
}

bool
group_columns_have(const struct group_columns *columns,
                   enum group_column_kind least)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->column[i].kind >= least)
            return true;
    }
    return false;
}

bool
group_columns_show(const struct group_columns *columns,
                   enum group_column_kind kind)
{
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->column[i].kind == kind)
            return true;
    }
    return false;
}
