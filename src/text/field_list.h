/* field_list.h -- the fields of text that the user lists */

#ifndef GPUHIST_FIELD_LIST_H
#define GPUHIST_FIELD_LIST_H

#include <stddef.h>

#include "fields.h"
#include "util/error.h"

/* More are probably a mistake. */
#define FIELD_LIST_MAX 1024
#define FIELD_NUMBER_MAX 1000000

struct field_list {
    struct text_field *field; /* COUNT of them, owned, in the user's order */
    size_t count;
};

/*
 * Parse TEXT: N, N-M, NF or NF-N, separated by commas.  A field may be listed
 * only once; as a record may have any number of fields, NF and a number are
 * different ones.  Returns 0, or -1 with *ERROR set; the caller calls
 * field_list_close() in both cases.
 */
int field_list_parse(struct field_list *list, const char *text,
                     struct error *error);

void field_list_close(struct field_list *list);

#endif
