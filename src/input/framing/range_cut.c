/* range_cut.c -- where a range of a file is cut into records */

#include <stdlib.h>
#include <string.h>

#include "input/framing/range_cut.h"

struct range_cut
range_cut_make(const struct framing *framing, size_t most,
               const struct range_edge *before, off_t begin,
               const unsigned char *data, size_t size, bool is_followed)
{
    struct range_cut cut = {.too_long = RANGE_LOST,
                            .broken = RANGE_LOST,
                            .after.state = before->state};
    off_t end = begin + (off_t)size;
    struct text_ends ends =
        framing_find_ends(framing, &cut.after.state, data, size, is_followed);
    bool is_broken = cut.after.state.is_broken;
    off_t open = ends.has_any ? begin + (off_t)ends.last : before->open;

    cut.has_late = before->state.is_open && (ends.has_any || is_broken);
    if (cut.has_late)
        cut.late = ends.has_any ? ends.first : size;
    cut.whole = is_broken ? size : ends.last;
    cut.after.open = open;
    /* All of a long record is in memory then. */
    bool is_long = framing->has_long && before->tail != NULL &&
                   sequence_cut_is_fasta(&before->state.sequence);
    if (cut.has_late && !is_long &&
        begin + (off_t)cut.late - before->open > (off_t)most)
        cut.too_long = before->open;
    else if (is_broken)
        cut.broken = open;
    else if (open < end && end - open >= (off_t)most)
        cut.too_long = open;
    if (cut.too_long != RANGE_LOST || is_broken)
        cut.after.open = RANGE_LOST;
    return cut;
}

void
range_cut_keep_tail(struct range_cut *cut, struct range_edge *before,
                    const unsigned char *data, size_t size)
{
    struct range_edge *after = &cut->after;
    bool has_end = cut->has_late || cut->whole > 0;
    size_t rest = has_end ? size - cut->whole : size;

    if (after->open == RANGE_LOST)
        return;
    if (!has_end) {
        after->tail = before->tail;
        after->tail_bytes = before->tail_bytes;
        before->tail = NULL;
    }
    if (rest == 0)
        return;
    unsigned char *grown = realloc(after->tail, after->tail_bytes + rest);
    if (grown == NULL) {
        free(after->tail);
        *after = (struct range_edge){.open = RANGE_LOST};
        cut->has_no_memory = true;
        return;
    }
    memcpy(grown + after->tail_bytes, data + size - rest, rest);
    after->tail = grown;
    after->tail_bytes += rest;
}
