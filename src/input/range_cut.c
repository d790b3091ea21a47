/* range_cut.c -- where a range of a file is cut into records */

#include "input/range_cut.h"

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
    if (cut.has_late && begin + (off_t)cut.late - before->open > (off_t)most)
        cut.too_long = before->open;
    else if (is_broken)
        cut.broken = open;
    else if (open < end && end - open >= (off_t)most)
        cut.too_long = open;
    if (cut.too_long != RANGE_LOST || is_broken)
        cut.after.open = RANGE_LOST;
    return cut;
}
