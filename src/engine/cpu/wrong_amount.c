/* wrong_amount.c -- a wrong record, weight or count, for messages */

#include <stdio.h>

#include "engine/cpu/wrong_amount.h"
#include "util/visible.h"

static void
set_error(const struct chunk *chunk, const struct wrong_amount *wrong,
          struct error *error)
{
    char text[VISIBLE_BYTES];
    const struct origin *origin =
        origins_find(&chunk->origins, wrong->slice.at);
    char at[32] = "";

    if (origin != NULL && !origin->is_part)
        snprintf(
            at, sizeof at, " at byte %llu,",
            (unsigned long long)(origin->at + wrong->slice.at - origin->begin));
    visible_name(text, chunk->data + wrong->slice.at, wrong->slice.size);
    error_set(error, EXIT_DATA, "%s%sthe %s%s '%s'%s %s",
              origin != NULL ? origin->name : "", origin != NULL ? ": " : "",
              wrong->noun, at, text, *at != '\0' ? "," : "", wrong->reason);
}

int
wrong_amount_pass(const struct chunk *chunk, const struct wrong_amount *wrong,
                  size_t *done, struct error *error)
{
    set_error(chunk, wrong, error);
    if (origins_note_wrong(&chunk->origins, wrong->slice.at, error) < 0)
        return -1;
    *done = origins_next(&chunk->origins, wrong->slice.at, chunk->used);
    return 0;
}
